"""An authority of the tests' own, and what it signs; and TLS clients down to the single byte."""

import contextlib
import os
import socket
import ssl
import subprocess
from pathlib import Path

import qttt

NAMES = "DNS:localhost,IP:127.0.0.1"


def openssl(folder, *arguments):
    done = subprocess.run(["openssl", *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout


class Authority:
    """A folder with `ca.pem`, and a NAME.pem and NAME.key for each `sign(NAME)`."""

    def __init__(self, folder):
        self.folder = Path(folder)
        openssl(folder, "req", "-x509", *self.new_key("ca"), "-out", "ca.pem", "-days", "30",
                "-subj", "/CN=Test authority")
        self.ca = str(self.folder / "ca.pem")

    @staticmethod
    def new_key(name):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", name + ".key"]

    def sign(self, name, names=NAMES, days=30):
        """The paths of a new certificate and its key."""
        Path(self.folder, name + ".ext").write_text(f"subjectAltName={names}\n", "ascii")
        openssl(self.folder, "req", *self.new_key(name), "-out", name + ".req",
                "-subj", f"/CN={name}")
        openssl(self.folder, "x509", "-req", "-in", name + ".req", "-CA", "ca.pem",
                "-CAkey", "ca.key", "-days", str(days), "-extfile", name + ".ext",
                "-out", name + ".pem")
        os.chmod(self.folder / (name + ".key"), 0o600)
        return str(self.folder / (name + ".pem")), str(self.folder / (name + ".key"))

    def context(self, **settings):
        context = ssl.create_default_context(cafile=self.ca)
        for name, value in settings.items():
            setattr(context, name, value)
        return context

    def client(self, port, context=None, session=None, **named):
        """A qttt.Client over TLS."""
        context = context or self.context()
        return qttt.Client(port, wrap=lambda plain: context.wrap_socket(
            plain, server_hostname="localhost", suppress_ragged_eofs=False, session=session),
            **named)


def served(certificate, *options, **named):
    """A server with a door for TLS."""
    cert, key = certificate
    return qttt.Server("--listen-tls", "127.0.0.1:0", "--cert", cert, "--key", key, *options, **named)


class ByHand:
    """TLS whose bytes are carried by hand, so that they can be late, few or missing."""

    def __init__(self, port, context):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=qttt.SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")

    def begin(self):
        """The first bytes of the handshake, not sent yet."""
        with contextlib.suppress(ssl.SSLWantReadError):
            self.tls.do_handshake()
        return self.outgoing.read()

    def carry(self, piece=65536):
        """Send what waits, in pieces of so many bytes."""
        data = self.outgoing.read()
        for begin in range(0, len(data), piece):
            self.socket.sendall(data[begin:begin + piece])

    def until(self, act, piece=65536):
        """Do it, carrying bytes to and fro as long as it wants more."""
        while True:
            try:
                done = act()
                self.carry(piece)
                return done
            except ssl.SSLWantReadError:
                self.carry(piece)
            data = self.socket.recv(65536)
            if data:
                self.incoming.write(data)
            else:
                self.incoming.write_eof()

    def say(self, data, piece=65536):
        self.tls.write(data)
        self.carry(piece)

    def hear(self, size=65536):
        """Some bytes; b"" at an end that was told."""
        try:
            return self.until(lambda: self.tls.read(size))
        except ssl.SSLZeroReturnError:
            return b""

    def hear_all(self):
        heard = b""
        while True:
            data = self.hear()
            if not data:
                return heard
            heard += data

    def tell_the_end(self):
        """close_notify, and no waiting for the other one's."""
        with contextlib.suppress(ssl.SSLWantReadError):
            self.tls.unwrap()
        self.carry()

    def close(self):
        self.socket.close()
