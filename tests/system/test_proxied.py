"""The PROXY protocol: who is believed, and what a header that is late or wrong comes to."""

import re
import socket
import struct

import pytest

import qttt
from certificates import Authority, served

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
LOCAL, PROXY = 0x20, 0x21
TCP4, TCP6, UNIX = 0x11, 0x21, 0x31


def header(command=PROXY, family=TCP4, source="192.0.2.7", port=1234, extra=b""):
    if family not in (TCP4, TCP6):
        addresses = bytes(216)
    else:
        kind = socket.AF_INET if family == TCP4 else socket.AF_INET6
        here = "192.0.2.1" if family == TCP4 else "2001:db8::1"
        addresses = (socket.inet_pton(kind, source) + socket.inet_pton(kind, here)
                     + struct.pack("!HH", port, 4242))
    body = (addresses if command == PROXY else b"") + extra
    return SIGNATURE + struct.pack("!BBH", command, family, len(body)) + body


@pytest.fixture(scope="module")
def behind():
    """A server that takes 127.0.0.1 for a proxy."""
    with qttt.Server("--proxy-from", "127.0.0.0/8", "--proxy-from", "fd00::/8") as server:
        yield server


def logged(server, pattern):
    return qttt.eventually(lambda: re.search(pattern, server.log()), what=pattern)


def closed_after(port, data):
    """What is heard from a server that gets this and closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=qttt.SECONDS) as client:
        client.sendall(data)
        return b"".join(iter(lambda: client.recv(4096), b""))


def test_the_client_behind_the_proxy_is_who_is_logged(behind):
    client = behind.client(before=header(port=1001))
    client.ok("ping")
    logged(behind, r"conn_open conn=\d+ peer=192\.0\.2\.7:1001\n")


def test_ipv6_clients_are_known_too(behind):
    client = behind.client(before=header(family=TCP6, source="2001:db8::7", port=1002))
    client.ok("ping")
    logged(behind, r"conn_open conn=\d+ peer=\[2001:db8::7\]:1002\n")


@pytest.mark.parametrize("begin", [header(command=LOCAL), header(command=LOCAL, extra=b"x" * 40),
                                   SIGNATURE + bytes([PROXY, 0, 0, 0])])
def test_the_proxy_may_come_for_itself(behind, begin):
    client = behind.client(before=begin)
    port = client.socket.getsockname()[1]
    client.ok("ping")
    logged(behind, rf"conn_open conn=\d+ peer=127\.0\.0\.1:{port}\n")


def test_what_the_proxy_adds_is_passed_over_and_lines_may_follow_at_once(behind):
    client = behind.client(before=header(extra=b"\x04\0\5hello" * 10) + b"ping\n")
    client.expect("ok", to="ping")


def test_a_header_may_come_byte_by_byte(behind):
    client = behind.client(welcome=False)
    for byte in header(port=1003):
        client.send(bytes([byte]))
    client.expect("welcome")
    logged(behind, r"peer=192\.0\.2\.7:1003\n")


def test_the_longest_header_is_taken_and_a_longer_one_refused(behind):
    client = behind.client(before=header(extra=b"x" * (1024 - 12)))
    client.ok("ping")
    assert closed_after(behind.port, header(extra=b"x" * (1025 - 12))) == b""


@pytest.mark.parametrize("wrong", [
    b"ping\n", b'{"type":"ping"}\n', b"PROXY TCP4 192.0.2.7 192.0.2.1 1 2\r\n",
    b"\r\n\r\n\0\r\nQUIt\n" + bytes(20), header(command=0x11), header(command=0x22),
    header(family=UNIX), header(family=0x12), SIGNATURE + bytes([PROXY, TCP4, 0, 11]) + bytes(11),
    SIGNATURE + bytes([PROXY, TCP6, 0, 35]) + bytes(35),
])
def test_from_a_proxy_anything_else_is_refused(behind, wrong):
    before = behind.log().count("reason=bad_proxy_header")
    assert closed_after(behind.port, wrong) == b""
    qttt.eventually(lambda: behind.log().count("reason=bad_proxy_header") > before)


def test_half_a_header_and_then_the_end_is_let_go(behind):
    files = behind.descriptors()
    with socket.create_connection(("127.0.0.1", behind.port)) as client:
        client.sendall(header()[:20])
    logged(behind, r"conn_refused peer=\S+ reason=gone\n")
    qttt.eventually(lambda: behind.descriptors() <= files)


def test_a_header_from_elsewhere_is_not_believed():
    with qttt.Server("--proxy-from", "192.0.2.0/24") as server:
        client = server.client()
        client.send(header(port=1004) + b"hello Ala\n")
        client.expect_closed()
        logged(server, r"conn_close conn=\d+ peer=127\.0\.0\.1:\d+ reason=\S*proxy_not_listed")
        assert "192.0.2.7" not in server.log() and "Ala" not in server.log()
        server.client().ok("ping")


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


def test_limits_are_for_the_clients_and_not_for_the_proxy(authority):
    cert, key = authority.sign("limited")
    with qttt.Server("--proxy-from", "127.0.0.1", "--connections-per-address", "2",
                     "--listen-tls", "127.0.0.1:0", "--cert", cert, "--key", key, limits=True) as server:
        for source in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
            for _ in range(2):
                server.client(before=header(source=source)).ok("ping")
            extra = server.client(welcome=False, before=header(source=source))
            assert extra.read()["code"] == "too_many_connections"
            extra = authority.client(server.port_of("tls"), welcome=False,
                                     before=header(source=source))
            assert extra.read()["code"] == "too_many_connections"
            extra.close()


def test_the_header_comes_before_tls(authority):
    with served(authority.sign("server"), "--proxy-from", "127.0.0.1") as server:
        client = authority.client(server.port_of("tls"), before=header(port=1005))
        client.ok("ping")
        logged(server, r"conn_open conn=\d+ peer=192\.0\.2\.7:1005\n")
        client.close()
        assert closed_after(server.port_of("tls"), b"\x16\x03\x01" + bytes(60)) == b""
        logged(server, "reason=bad_proxy_header")


def test_a_header_from_elsewhere_is_refused_by_the_tls_door(authority):
    with served(authority.sign("server")) as server:
        assert closed_after(server.port_of("tls"), header()) == b""
        logged(server, r"conn_refused peer=127\S+ reason=proxy_not_listed")
