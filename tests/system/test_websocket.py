"""WebSockets: the same lines as by TCP, in frames; and what becomes of frames that are wrong."""

import json
import re
import signal
import struct

import pytest

import frames
import qttt
from certificates import Authority
from frames import BINARY, CLOSE, MORE, PING, PONG, TEXT, frame, text
from test_http import metrics, raw
import prometheus

LINE_BYTES = 4096
MESSAGE_BYTES = 65536
PING_LINE = b'{"type":"ping","id":%d}'


@pytest.fixture(scope="module")
def told():
    with qttt.Server("--http", "127.0.0.1:0") as server:
        yield server


@pytest.fixture
def ws(told):
    sockets = []

    def start(**how):
        sockets.append(frames.Socket(told.port_of("http"), **how))
        return sockets[-1]
    yield start
    for one in sockets:
        one.close()


# ---- The handshake ----


def status_of(server, data):
    return int(raw(server, data).split()[1])


def test_the_key_is_answered_as_the_standard_says(told):
    with frames.socket.create_connection(("127.0.0.1", told.port_of("http")),
                                         timeout=qttt.SECONDS) as client:
        client.sendall(frames.request(key="dGhlIHNhbXBsZSBub25jZQ=="))
        assert b"\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in client.recv(4096)


@pytest.mark.parametrize("changed", [
    {"Sec_WebSocket_Version": "8"}, {"Sec_WebSocket_Version": None}, {"Upgrade": None},
    {"Upgrade": "h2c"}, {"Connection": "close"}, {"Connection": "keep-alive"}])
def test_what_asks_for_no_websocket_hears_which_there_is(told, changed):
    answer = raw(told, frames.request(**changed) + b"GET /healthz HTTP/1.0\r\n\r\n")
    assert answer.startswith("HTTP/1.1 426 Upgrade Required\r\n")
    assert "\r\nSec-WebSocket-Version: 13\r\n" in answer and "\r\nUpgrade: websocket\r\n" in answer


@pytest.mark.parametrize("key", ["short", "x" * 22 + "=!", "x" * 24, "=" * 24,
                                 "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZQ== x"])
def test_a_key_that_is_none_is_refused(told, key):
    assert status_of(told, frames.request(key=key) + b"GET / HTTP/1.0\r\n\r\n") == 400


def test_words_of_the_handshake_may_stand_in_lists_and_in_any_case(ws):
    ws(Connection="keep-alive, UPGRADE", Upgrade="WebSocket").ok("ping")


def test_frames_may_come_with_the_handshake(ws):
    ws(early=text("ping")).expect("ok", to="ping")


def test_lines_of_the_other_port_and_requests_over_frames_do_no_harm(told, ws):
    one = ws()
    one.send_bytes(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    one.expect_code(1002)
    told.client().ok("ping")


# ---- Where pages are from ----


@pytest.mark.parametrize("origin, host, is_let_in", [
    (None, "127.0.0.1:8080", True), ("http://127.0.0.1:8080", "127.0.0.1:8080", True),
    ("https://Game.example", "game.example", True), ("http://game.example:81", "game.example", False),
    ("http://evil.example", "game.example", False), ("null", "game.example", False),
    ("http://game.example.evil", "game.example", False), ("game.example", "game.example", False)])
def test_a_page_from_elsewhere_is_refused(told, ws, origin, host, is_let_in):
    if is_let_in:
        ws(Origin=origin, host=host).ok("ping")
    else:
        answer = frames.request(Origin=origin, host=host) + b"GET / HTTP/1.0\r\n\r\n"
        assert status_of(told, answer) == 403


def test_pages_from_where_the_operator_says_are_let_in():
    with qttt.Server("--http", "0", "--ws-origin", "https://game.example",
                     "--ws-origin", "http://localhost:3000") as server:
        for origin in ("https://game.example", "http://LOCALHOST:3000"):
            frames.Socket(server.port_of("http"), Origin=origin).ok("ping")
        refused = frames.request(Origin="http://game.example") + b"GET / HTTP/1.0\r\n\r\n"
        assert status_of(server, refused) == 403
    with qttt.Server("--http", "0", "--ws-origin", "*") as server:
        frames.Socket(server.port_of("http"), Origin="null").ok("ping")


# ---- Lines ----


def test_a_game_by_websocket_and_by_netcat_is_the_same_bytes_for_all(told, ws):
    game = qttt.Game(told, x=ws(), watchers=1)
    watcher = ws()
    watcher.ok({"type": "watch", "room": game.room})
    game.watchers.append(watcher)
    game.play_to_the_end()


def test_a_message_is_a_line_with_or_without_its_end(ws):
    one = ws()
    for message in (b"ping", b"ping\n", b"ping\r\n"):
        one.send(message)
        one.expect("ok", to="ping")
    one.send(b"ping\nping\n\n\nping")
    for _ in range(3):
        one.expect("ok", to="ping")
    for message in (b"", b"\n", b"  "):
        one.send(message)
    one.expect_nothing()


def test_text_comes_a_line_a_frame(ws):
    one = ws()
    one.send("text only")
    one.send("help")
    heard = [one.read_line() for _ in range(5)]
    assert all(heard) and b"{" not in b"".join(heard)


def test_fragments_are_one_line_and_pings_between_are_answered(ws):
    one = ws()
    line = PING_LINE % 7
    one.send_bytes(frame(TEXT, line[:3], fin=False) + frame(PING, b"a") +
                   frame(MORE, b"", fin=False) + frame(MORE, line[3:9], fin=False) +
                   frame(PING, b"b" * 125) + frame(PONG, b"who asked?"))
    one.send_bytes(frame(MORE, line[9:]))
    one.expect("ok", re=7)
    assert one.pongs == [b"a", b"b" * 125]


def test_frames_may_dribble_in_byte_by_byte(ws):
    one = ws()
    data = (frame(TEXT, b'{"type":', fin=False) + frame(PING, b"still there?") +
            frame(MORE, b'"ping","id":"' + "ż".encode("utf-8") + b'"}'))
    for byte in data:
        one.send_bytes(bytes([byte]))
    one.expect("ok", re="ż")
    assert one.pongs == [b"still there?"]


@pytest.mark.parametrize("size", [125, 126, 127, 4000, LINE_BYTES - 1])
def test_messages_of_every_width_are_lines(ws, size):
    one = ws()
    line = PING_LINE % size
    one.send(line + b" " * (size - len(line)))
    one.expect("ok", re=size)


def test_a_line_that_is_too_long_is_told_and_the_next_is_taken(ws):
    one = ws()
    for size in (LINE_BYTES, 3 * LINE_BYTES, MESSAGE_BYTES):
        one.send(b"x" * size)
        one.expect("error", code="too_long")
        one.ok("ping")


def test_ten_thousand_frames_at_once_are_answered_in_order(ws):
    one = ws()
    one.send_in_background(b"".join(text(PING_LINE % number) for number in range(10000)))
    for number in range(10000):
        assert one.read()["re"] == number


def test_long_answers_come_whole(ws):
    one = ws()
    lines = {one.ok("help")[""] for _ in range(20)}
    assert len(lines) == 1 and 125 < len(lines.pop())


def test_who_reads_late_gets_every_frame(ws):
    one = ws(receive_buffer=4096)
    one.send_in_background(text("help") * 2000)
    lines = {one.read_line() for _ in range(2000)}
    assert len(lines) == 1


# ---- What may not be ----


WRONG = {
    "unmasked": (1002, text("ping", masked=False)),
    "a reserved bit": (1002, text("ping", rsv=4)),
    "a reserved bit of a ping": (1002, frame(PING, rsv=1)),
    "a reserved opcode": (1002, frame(3, b"ping")),
    "a reserved control opcode": (1002, frame(11)),
    "a ping of 126 bytes": (1002, frame(PING, b"x" * 126)),
    "a ping in fragments": (1002, frame(PING, b"x", fin=False)),
    "a close in fragments": (1002, frame(CLOSE, struct.pack("!H", 1000), fin=False)),
    "a fragment of nothing": (1002, frame(MORE, b"ping")),
    "a message within another": (1002, frame(TEXT, b"pi", fin=False) + text("ng")),
    "a length in too many bytes": (1002, text("ping", wide=2)),
    "a length in far too many": (1002, text("ping", wide=8)),
    "a length of 2^63": (1002, text("ping", length=2**63)),
    "a length of 2^64 - 1": (1002, text("ping", length=2**64 - 1)),
    "a length of 2^63 - 1": (1009, text("ping", length=2**63 - 1)),
    "one byte too many": (1009, text("ping", length=MESSAGE_BYTES + 1)),
    "bad utf-8": (1007, text(b'{"type":"ping","id":"\xc3\x28"}')),
    "bad utf-8 in two fragments": (1007, frame(TEXT, b"\xc3", fin=False) + frame(MORE, b"\x28")),
    "utf-8 that is cut off": (1007, text(b"ping \xe2\x82")),
    "an overlong letter": (1007, text(b"\xc0\xaf")),
    "a surrogate": (1007, text(b"\xed\xa0\x80")),
    "binary": (1003, frame(BINARY, b"ping")),
    "half a close code": (1002, frame(CLOSE, b"\x03")),
    "a close code that nobody may send": (1002, frames.close(1005)),
    "a close code that there is not": (1002, frames.close(999)),
    "a close reason that is no text": (1007, frames.close(1000, b"\xff")),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_frame_that_may_not_be_closes_with_its_code(ws, name):
    code, data = WRONG[name]
    one = ws()
    # What came before is answered, what comes after is not looked at.
    one.send_bytes(text(PING_LINE % 1) + data + text(PING_LINE % 2))
    one.expect("ok", re=1)
    one.expect_code(code)


def test_a_message_may_not_be_too_long_in_fragments_either(ws):
    one = ws()
    one.send_bytes(frame(TEXT, b"x" * 40000, fin=False) + frame(MORE, b"x" * 30000))
    one.expect("error", code="too_long")
    one.expect_code(1009)


def test_letters_may_be_cut_between_fragments(ws):
    one = ws()
    for at in range(1, 4):
        letter = "𝄞".encode("utf-8")
        one.send_bytes(frame(TEXT, b'{"type":"ping","id":"' + letter[:at], fin=False) +
                       frame(MORE, letter[at:] + b'"}'))
        one.expect("ok", re="𝄞")


def test_nul_and_broken_json_are_for_the_line_not_for_the_frame(ws):
    one = ws()
    for line in (b"\0", b'{"type"', b"[1]"):
        one.send(line)
        one.expect("error", code="bad_json")
    one.ok("ping")


# ---- The end ----


@pytest.mark.parametrize("code", [1000, 1001, 3000, 4999, None])
def test_a_close_is_answered_by_the_same(ws, code):
    one = ws()
    one.send_bytes(text(PING_LINE % 1) + frames.close(code) + text(PING_LINE % 2))
    one.expect("ok", re=1)
    one.expect_code(1005 if code is None else code)


def test_who_quits_hears_bye_and_then_the_close(ws):
    one = ws()
    one.ok("quit")
    one.expect("bye", reason="quit")
    one.expect_code(1000)


def test_half_a_message_is_not_carried_out(told, ws):
    one = ws()
    name = one.ok({"type": "hello", "name": "Half"})["name"]
    one.send_bytes(frame(TEXT, b'{"type":"forget"}', fin=False))
    one.half_close()
    one.expect_code(1000)
    told.client().refused({"type": "hello", "name": name}, "name_taken")


def test_a_client_that_vanishes_is_counted(told, ws):
    before = metrics(told)
    one = ws()
    one.ok("ping")
    one.drop()
    qttt.eventually(lambda: prometheus.value(
        metrics(told), "qttt_connections_closed_total", reason="error")
        == prometheus.value(before, "qttt_connections_closed_total", reason="error") + 1)


def test_websockets_are_counted_among_the_connections():
    with qttt.Server("--http", "0") as server:
        def counts():
            now = metrics(server)
            return [prometheus.value(now, name) for name in ("qttt_connections", "qttt_websockets")]
        ones = [frames.Socket(server.port_of("http")), frames.Socket(server.port_of("http")),
                server.client()]
        assert counts() == [3, 2]
        for one in ones:
            one.close()
        qttt.eventually(lambda: counts() == [0, 0])


def test_bad_frames_are_counted_as_such(told, ws):
    before = metrics(told)
    one = ws()
    one.send_bytes(frame(3))
    one.expect_code(1002)
    one.close()
    qttt.eventually(lambda: prometheus.value(
        metrics(told), "qttt_connections_closed_total", reason="bad_frame")
        == prometheus.value(before, "qttt_connections_closed_total", reason="bad_frame") + 1)


def test_at_the_servers_end_all_hear_bye_and_that_it_goes_away():
    with qttt.Server("--http", "0") as server:
        ones = [frames.Socket(server.port_of("http")) for _ in range(3)]
        server.process.send_signal(signal.SIGTERM)
        for one in ones:
            one.expect("bye", reason="shutdown")
            one.expect_code(1001)
            one.close()
        server.terminate()


def test_who_does_not_read_is_told_why_he_is_closed():
    with qttt.Server("--http", "0", "--slow-reader", "1") as server:
        one = frames.Socket(server.port_of("http"), receive_buffer=4096)
        one.send_in_background(text("help") * 3000)
        qttt.eventually(lambda: "conn_slow" in server.log())
        with pytest.raises(qttt.Closed):
            while True:
                last = one.read_line()
        assert json.loads(last)["reason"] == "slow_reader" and one.code == 1008
        one.close()


def test_who_finds_no_room_is_told_to_come_later():
    with qttt.Server("--http", "0", "--max-connections", "1", limits=True) as server:
        first = frames.Socket(server.port_of("http"))
        second = frames.Socket(server.port_of("http"), welcome=False)
        second.expect("error", code="too_many_connections")
        second.expect_code(1013)
        first.ok("ping")
        second.close()
        first.close()


def test_one_address_has_no_more_websockets_than_connections():
    with qttt.Server("--http", "0", "--connections-per-address", "2", limits=True) as server:
        first = [frames.Socket(server.port_of("http")), server.client()]
        third = frames.Socket(server.port_of("http"), welcome=False)
        third.expect("error", code="too_many_connections")
        third.expect_code(1013)
        other = frames.Socket(server.port_of("http"), source="127.0.0.2")
        for one in (*first, third, other):
            one.close()


# ---- Behind a proxy, and by TLS ----


def test_the_one_behind_a_proxy_is_known_by_what_the_proxy_adds_last():
    with qttt.Server("--http", "0", "--proxy-from", "127.0.0.1", "--proxy-from", "10.0.0.0/8") as server:
        def peer(value, **more):
            one = frames.Socket(server.port_of("http"), X_Forwarded_For=value, **more)
            one.ok("ping")
            own = one.socket.getsockname()[1]
            one.close()
            return re.findall(r"conn_open conn=\d+ peer=(\S+)", server.log())[-1], own
        assert peer("192.0.2.7")[0] == "192.0.2.7:0"
        assert peer("198.51.100.1, 192.0.2.8")[0] == "192.0.2.8:0"
        assert peer("192.0.2.9, 10.1.2.3")[0] == "192.0.2.9:0"
        assert peer("2001:db8::7")[0] == "[2001:db8::7]:0"
        for value in ("nonsense", "", "192.0.2.7, " + "x" * 60, "10.0.0.1"):
            logged, own = peer(value)
            assert logged == f"127.0.0.1:{own}", value
        # Who is no proxy is not believed.
        assert peer("192.0.2.7", source="127.0.0.2")[0].startswith("127.0.0.2:")


def test_by_tls_it_is_the_same(tmp_path):
    authority = Authority(tmp_path)
    cert, key = authority.sign("server")
    with qttt.Server("--https", "127.0.0.1:0", "--cert", cert, "--key", key) as server:
        def wss(**how):
            context = authority.context()
            return frames.Socket(server.port_of("https"), wrap=lambda plain: context.wrap_socket(
                plain, server_hostname="localhost"), **how)
        early = wss(early=text("ping"))
        early.expect("ok", to="ping")
        game = qttt.Game(server, x=early, o=wss(), watchers=1)
        game.play_to_the_end()
        late = wss(receive_buffer=4096)
        for _ in range(20):
            late.send_bytes(text("help") * 20)
            lines = {late.read_line() for _ in range(20)}
            assert len(lines) == 1
        late.send_bytes(text("ping", rsv=1))
        late.expect_code(1002)
