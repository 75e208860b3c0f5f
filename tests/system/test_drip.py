"""A byte now and then keeps nobody: what has a deadline has it from the beginning."""

import select
import socket
import time

import frames
import qttt
from certificates import Authority, ByHand, served

# Ten seconds, and what a slow machine adds.
AT_LEAST, AT_MOST = 8, 12 + qttt.SECONDS
EVERY = 0.25


class Drip:
    """A connection that gets a byte now and then, until it is closed."""

    def __init__(self, port, data):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.data = data
        self.began = time.monotonic()
        self.lasted = None

    def send_one(self):
        self.socket.sendall(self.data[:1])
        self.data = self.data[1:]

    def step(self):
        try:
            self.send_one()
            if select.select([self.socket], [], [], 0)[0] and not self.socket.recv(65536):
                raise ConnectionError("closed")
        except ConnectionError:
            self.lasted = time.monotonic() - self.began
            self.socket.close()


def test_no_byte_moves_a_deadline(tmp_path):
    authority = Authority(tmp_path)
    with served(authority.sign("server"), "--http", "0") as server, \
            qttt.Server("--proxy-from", "127.0.0.1") as behind:
        hello = ByHand(server.port_of("tls"), authority.context())
        begin = hello.begin()
        hello.close()
        drips = [Drip(server.port_of("tls"), begin),
                 Drip(behind.port, b"\r\n\r\n\0\r\nQUIT\n\x21\x11\x04\x00" + bytes(1024)),
                 Drip(server.port_of("http"), b"GET /healthz HTTP/1.1\r\n" + b"X" * 1000),
                 Drip(server.port_of("http"), frames.request()[:-2] + b"X" * 1000)]
        end = time.monotonic() + AT_MOST
        while any(drip.lasted is None for drip in drips) and time.monotonic() < end:
            for drip in drips:
                if drip.lasted is None:
                    drip.step()
            time.sleep(EVERY)
        assert all(drip.lasted and AT_LEAST < drip.lasted for drip in drips), \
            [drip.lasted for drip in drips]
        assert "reason=too_slow" in server.log() and "reason=too_slow" in behind.log()
        server.client().ok("ping")
