"""A way to the server that breaks where a test wants it to."""

import contextlib
import socket
import threading

UP, DOWN = "up", "down"


class Proxy:
    """Carries bytes between clients and a server's port until it is told to break.

    `before(way, line)` and `after(way, line)` are asked about every line that passes, before and
    after it is handed on; one that says true cuts the connection there. `limits` are numbers of
    bytes, per way, after which the connection is cut, in the middle of a line or not.
    """

    def __init__(self, port, before=None, after=None, limits=None):
        self.port_of_server = port
        self.before = before or (lambda way, line: False)
        self.after = after or (lambda way, line: False)
        self.limits = limits or {}
        self.pairs = []
        self.count = 0
        self.lock = threading.Lock()
        self.open = threading.Event()  # else bytes wait: as if the other end were dead
        self.open.set()
        self.listener = None
        self.port = 0
        self.listen()

    def listen(self):
        """Let clients in, again at the port of before."""
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.port))
        self.port = self.listener.getsockname()[1]
        self.listener.listen(64)
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.port_of_server))
            except OSError:
                client.close()
                continue
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.count += 1
                self.pairs.append((client, server))
            for way, source, target in ((UP, client, server), (DOWN, server, client)):
                threading.Thread(target=self.carry, args=(way, source, target),
                                 daemon=True).start()

    def carry(self, way, source, target):
        rest = b""
        with contextlib.suppress(OSError):
            while True:
                data = source.recv(65536)
                self.open.wait()
                if not data:
                    break
                rest += data
                *lines, rest = rest.split(b"\n")
                for line in lines:
                    if not self.carry_line(way, line + b"\n", source, target):
                        return
            target.sendall(rest)
            target.shutdown(socket.SHUT_WR)

    def carry_line(self, way, line, source, target):
        """False when the connection was cut."""
        if self.before(way, line):
            self.cut_pair(source, target)
            return False
        if way in self.limits:
            self.limits[way] -= len(line)
            if self.limits[way] <= 0:
                target.sendall(line[:self.limits[way] or len(line)])
                del self.limits[way]
                self.cut_pair(source, target)
                return False
        target.sendall(line)
        if self.after(way, line):
            self.cut_pair(source, target)
            return False
        return True

    def cut_pair(self, *ends):
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        """All connections that there are."""
        with self.lock:
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            self.cut_pair(*pair)

    def shut(self):
        """No more clients are let in, and those that there are are cut."""
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.open.set()
        self.shut()
        for pair in self.pairs:
            for end in pair:
                end.close()
