"""WebSockets down to the single bit: a handshake, frames out and in."""

import base64
import hashlib
import json
import os
import socket
import struct
import threading

import qttt

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
MORE, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def frame(opcode, data=b"", fin=True, rsv=0, masked=True, length=None, wide=None, mask=None):
    """Bytes of a frame; `length` is told in place of the real one, in `wide` (2, 8) bytes in place of
    the fewest."""
    told = len(data) if length is None else length
    wide = (0 if told < 126 else 2 if told < 65536 else 8) if wide is None else wide
    short = {0: told, 2: 126, 8: 127}[wide]
    head = bytes([fin << 7 | rsv << 4 | opcode, masked << 7 | short])
    head += {0: b"", 2: struct.pack("!H", told & 0xffff), 8: struct.pack("!Q", told)}[wide]
    if not masked:
        return head + data
    mask = mask or os.urandom(4)
    pad = (mask * (len(data) // 4 + 1))[:len(data)]
    return head + mask + (int.from_bytes(data, "big") ^ int.from_bytes(pad, "big")).to_bytes(
        len(data), "big")


def text(line, **how):
    return frame(TEXT, line if isinstance(line, bytes) else line.encode("utf-8"), **how)


def close(code=None, reason=b""):
    return frame(CLOSE, b"" if code is None else struct.pack("!H", code) + reason)


def request(path="/ws", key=None, host="127.0.0.1", **headers):
    """The bytes that ask for a WebSocket; a header that is None is left out."""
    named = {"Host": host, "Upgrade": "websocket", "Connection": "Upgrade",
             "Sec-WebSocket-Version": "13",
             "Sec-WebSocket-Key": key or base64.b64encode(os.urandom(16)).decode("ascii")}
    named.update({name.replace("_", "-"): value for name, value in headers.items()})
    lines = [f"GET {path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in named.items() if value is not None]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n"


def accept_of(key):
    return base64.b64encode(hashlib.sha1((key + GUID).encode("ascii")).digest()).decode("ascii")


class Socket(qttt.Client):
    """A player by WebSocket: each line that it sends is a message, each message that comes a line.
    `code` is what the server closed with; None before, 1005 without one."""

    def __init__(self, port, welcome=True, early=b"", wrap=None, receive_buffer=None,
                 source="127.0.0.1", **headers):
        self.code = None
        self.pongs = []
        self.pings = 0
        self.raw = b""
        self.lock = threading.Lock()
        key = base64.b64encode(os.urandom(16)).decode("ascii")
        super().__init__(port, welcome=False, wrap=wrap, receive_buffer=receive_buffer,
                         source=source)
        self.socket.sendall(request(key=key, **headers) + early)
        head = self._until(b"\r\n\r\n").decode("ascii")
        assert head.startswith("HTTP/1.1 101 Switching Protocols\r\n"), head
        assert f"\r\nSec-WebSocket-Accept: {accept_of(key)}\r\n" in head, head
        assert "Extensions" not in head and "WebSocket-Protocol" not in head
        self.welcome = self.expect("welcome") if welcome else None

    def _more(self):
        try:
            data = self.socket.recv(65536)
        except ConnectionError as error:
            raise qttt.Closed(str(error)) from error
        except socket.timeout as error:
            raise qttt.Late("nothing came in time") from error
        if not data:
            raise qttt.Closed(f"closed; rest {self.raw!r}")
        self.raw += data

    def _until(self, mark):
        while mark not in self.raw:
            self._more()
        got, self.raw = self.raw.split(mark, 1)
        return got + mark

    def _take(self, count):
        while len(self.raw) < count:
            self._more()
        got, self.raw = self.raw[:count], self.raw[count:]
        return got

    def read_frame(self):
        """Opcode and payload; what a server may not send raises."""
        first, short = self._take(2)
        assert first & 0x70 == 0 and not short & 0x80, (first, short)
        size = short
        if short == 126:
            size, = struct.unpack("!H", self._take(2))
            assert size > 125
        elif short == 127:
            size, = struct.unpack("!Q", self._take(8))
            assert size > 65535
        assert first & 0x80, "the server sends whole messages"
        return first & 15, self._take(size)

    def read_line(self, seconds=None):
        self.socket.settimeout(qttt.SECONDS if seconds is None else max(0.001, seconds))
        while True:
            opcode, data = self.read_frame()
            if opcode == TEXT:
                assert b"\n" not in data
                self.heard.append(data)
                return data
            if opcode == PING:
                self.pings += 1
                self.send_bytes(frame(PONG, data))
            elif opcode == PONG:
                self.pongs.append(data)
            else:
                assert opcode == CLOSE, opcode
                self.code = struct.unpack("!H", data[:2])[0] if data else 1005
                raise qttt.Closed(f"closed with {self.code}")

    def send_bytes(self, data):
        with self.lock:
            self.socket.sendall(data)

    def send(self, line):
        data = line if isinstance(line, bytes) else line.encode("utf-8") \
            if isinstance(line, str) else json.dumps(line).encode("utf-8")
        self.send_bytes(text(data))

    def expect_code(self, code):
        """What comes next is the close, and then the end."""
        self.expect_closed()
        assert self.code == code, self.code
        try:
            self._more()
        except qttt.Closed:
            return
        raise AssertionError(f"after the close came {self.raw!r}")
