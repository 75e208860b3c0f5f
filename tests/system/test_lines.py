"""Bytes into lines: what people, netcat and careless programs send."""

import json
import signal
import subprocess
import time

import pytest

import qttt


@pytest.fixture
def client(server):
    return server.client()


def padded(length):
    """A ping of exactly this many bytes, its LF included."""
    head, tail = b'{"type":"ping","pad":"', b'"}\n'
    return head + b"a" * (length - len(head) - len(tail)) + tail


def nested(depth):
    """A ping whose own object is level 1 of this many."""
    return b'{"type":"ping","x":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}\n"


def still_works(client):
    client.ok({"type": "ping", "id": "after"}, re="after")


def test_the_welcome_says_what_one_is_connected_to(client):
    welcome = client.welcome
    assert welcome["server"].startswith("qtttd/")
    assert welcome["protocol"] == 1
    assert welcome["name"]
    assert "hello" in welcome["help"]
    limits = welcome["limits"]
    assert limits["line_bytes"] == 4096 and limits["depth"] == 8
    assert limits["text_chars"] == 200 and limits["name_chars"] == 20
    assert limits["title_chars"] == 60 and limits["rooms_followed"] >= 1
    assert welcome[""].startswith(b'{"type":"welcome","server":"qtttd/')


def test_a_client_may_speak_before_it_has_read_the_welcome(server):
    client = server.client(welcome=False)
    client.send("ping")
    client.expect("welcome")
    client.expect("ok", to="ping")


def test_cr_lf_ends_a_line_and_empty_lines_are_ignored(client):
    client.send(b"\r\n\n\r\n\nping\r\n\n")
    client.expect("ok", to="ping")
    client.expect_nothing()


def test_answers_have_one_lf_and_no_blanks_between_tokens(client):
    reply = client.ok({"type": "ping", "id": 1})
    assert reply[""] == b'{"type":"ok","re":1,"to":"ping","now_ms":%d}' % reply["now_ms"]


def test_half_a_line_waits_for_its_rest(client):
    client.send(b'{"type":"pi')
    with pytest.raises(qttt.Late):
        client.read_line(0.2)
    client.send(b'ng","id":7}\n{"ty')
    client.expect("ok", to="ping", re=7)
    client.send(b'pe":"ping","id":8}\n')
    client.expect("ok", to="ping", re=8)


def test_a_line_may_come_byte_by_byte(client):
    for byte in b'{"type":"ping","id":"\xc5\x82"}\n':
        client.send(bytes([byte]))
    client.expect("ok", to="ping", re="ł")


def test_ten_thousand_lines_in_one_write_are_answered_in_order_and_others_are_served(server):
    crowd, other = server.client(), server.client()
    count = 10_000
    writer = crowd.send_in_background(
        b"".join(b'{"type":"ping","id":%d}\n' % number for number in range(count)))
    slowest = 0
    for number in range(count):
        if number % 500 == 0:
            began = time.monotonic()
            other.ok("ping")
            slowest = max(slowest, time.monotonic() - began)
        assert crowd.read()["re"] == number
    writer.join(qttt.SECONDS)
    assert not writer.is_alive()
    assert slowest < 1 * qttt.SLOW


def test_others_are_served_while_ten_thousand_answers_are_not_read(server):
    crowd, other = server.client(), server.client()
    writer = crowd.send_in_background(b"help\n" * 10_000)
    for _ in range(20):
        began = time.monotonic()
        other.ok("ping")
        assert time.monotonic() - began < 1 * qttt.SLOW
    crowd.drop()
    writer.join(qttt.SECONDS)
    assert not writer.is_alive()


def netcat(server, data):
    """Every line that `printf … | nc -N` prints, without the welcome."""
    done = subprocess.run(["nc", "-N", "127.0.0.1", str(server.port)], input=data,
                          stdout=subprocess.PIPE, timeout=qttt.SECONDS, check=False)
    lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert lines[0]["type"] == "welcome"
    assert done.stdout.endswith(b"\n")
    return [line for line in lines[1:] if line["type"] != "bye"]


def test_end_of_input_carries_out_what_came_before_and_closes(server):
    lines = netcat(server, b"hello\ncreate X\nping\n")
    assert [line.get("to") for line in lines] == ["hello", "create", "ping"]
    assert all(line["type"] == "ok" for line in lines)


def test_a_last_line_without_lf_is_a_line(server):
    lines = netcat(server, b'ping\n{"type":"ping","id":2}')
    assert [line["type"] for line in lines] == ["ok", "ok"]
    assert lines[1]["re"] == 2


def test_half_an_object_at_the_end_is_bad_json(server):
    lines = netcat(server, b'ping\n{"type":"pi')
    assert [line.get("code") for line in lines] == [None, "bad_json"]


def test_end_of_input_at_once_closes_without_a_word(server):
    assert netcat(server, b"") == []


def test_what_was_asked_before_the_end_of_input_is_carried_out(server):
    watcher = server.client()
    lines = netcat(server, b"create X title=Left by netcat\n")
    state = watcher.ok({"type": "watch", "room": lines[0]["room"]})["state"]
    assert state["title"] == "Left by netcat"


def test_half_a_line_before_a_reset_takes_no_seat(own_server):
    ala = own_server.client()
    room = ala.ok("create X")["room"]
    own_server.process.send_signal(signal.SIGSTOP)
    # All of them have reset before the server says welcome.
    for _ in range(20):
        gone = qttt.Client(own_server.port, welcome=False)
        gone.send(b"match")
        gone.drop()
    own_server.process.send_signal(signal.SIGCONT)
    qttt.eventually(lambda: own_server.log().count("conn_close") == 20, what="the resets")
    ala.expect_nothing()
    own_server.client().ok(f"join {room}", seat="O")


def test_a_line_of_4096_bytes_is_read_and_one_of_4097_is_too_long(client):
    client.send(padded(4096))
    client.expect("ok", to="ping")
    client.send(padded(4097))
    client.expect("error", code="too_long")
    still_works(client)


def test_an_endless_line_gets_too_long_once(client):
    writer = client.send_in_background(b"x" * 1_000_000 + b"\n" + b"ping\n")
    client.expect("error", code="too_long")
    client.expect("ok", to="ping")
    writer.join(qttt.SECONDS)
    client.expect_nothing()


def test_too_long_comes_before_the_line_has_ended(client):
    client.send(b"y" * 5000)
    client.expect("error", code="too_long")
    client.send(b"yy\n")
    still_works(client)


def test_a_too_long_line_at_the_end_of_input_is_told_once(server):
    lines = netcat(server, b"z" * 6000)
    assert [line["code"] for line in lines] == ["too_long"]


@pytest.mark.parametrize("line", [
    pytest.param(b'{"type":"pi\0ng"}\n', id="nul"),
    pytest.param(b"ping\0\n", id="nul in words"),
    pytest.param(b'{"type":"ping","x":"\xff"}\n', id="bad utf-8"),
    pytest.param(b'{"type":"ping","x":"\xc0\xaf"}\n', id="overlong utf-8"),
    pytest.param(b'{"type":"ping","x":"\xed\xa0\x80"}\n', id="surrogate"),
    pytest.param(b"say \xc3\n", id="half a character in words"),
    pytest.param(b'{"type":"ping"\n', id="no brace"),
    pytest.param(b'{"type":"ping"} x\n', id="something after it"),
    pytest.param(b'{"type":"ping"}{"type":"ping"}\n', id="two objects"),
    pytest.param(b'{type:"ping"}\n', id="no quotes"),
    pytest.param(b"{'type':'ping'}\n", id="wrong quotes"),
    pytest.param(b'{"type":"ping",}\n', id="trailing comma"),
    pytest.param(b'["ping"]\n', id="array"),
    pytest.param(b'"ping"\n', id="string"),
    pytest.param(b"-1\n", id="number"),
    pytest.param(b'{"type":"ping","type":"ping"}\n', id="duplicate"),
    pytest.param(b'{"type":"ping","x":{"a":1,"a":1}}\n', id="duplicate inside"),
    pytest.param(b'{"type":"ping","x":9223372036854775808}\n', id="integer beyond 64 bits"),
    pytest.param(b'{"type":"ping","x":-9223372036854775809}\n', id="integer below 64 bits"),
    pytest.param(b'{"type":"ping","id":1' + b"0" * 400 + b"}\n", id="huge integer"),
    pytest.param(b'{"type":"ping","x":"\\u0000"}\n', id="escaped nul"),
    pytest.param(b'{"type":"ping","x":"\\ud800"}\n', id="lone surrogate"),
    pytest.param(b'{"type":"ping","x":"a\tb"}\n', id="bare control character"),
    pytest.param(b"? what\n", id="neither words nor json"),
    pytest.param(nested(9), id="nine levels"),
    pytest.param(nested(1000), id="a thousand levels"),
])
def test_what_is_no_object_is_bad_json_and_the_connection_goes_on(client, line):
    client.send(line)
    refusal = client.expect("error", code="bad_json")
    assert refusal["message"]
    still_works(client)
    client.expect_nothing()


def test_eight_levels_are_fine(client):
    client.send(nested(8))
    client.expect("ok", to="ping")


def test_numbers_up_to_64_bits_are_fine(client):
    for number in (2**63 - 1, -2**63, 0):
        client.ok({"type": "ping", "id": number}, re=number)


def test_unknown_members_are_ignored_and_null_is_as_absent(client):
    reply = client.ok({"type": "ping", "id": None, "colour": {"a": [1.5, None]}})
    assert "re" not in reply
    client.ok({"type": "create", "side": None, "title": None, "private": None, "clock": None})


@pytest.mark.parametrize("identifier", [1.5, True, [], {}, "x" * 65])
def test_an_id_is_an_integer_or_a_short_string(client, identifier):
    refusal = client.refused({"type": "ping", "id": identifier}, "bad_request", field="id")
    assert "re" not in refusal
    client.ok({"type": "ping", "id": "x" * 64}, re="x" * 64)


def test_an_object_without_a_type_is_bad_request(client):
    assert "to" not in client.refused({"id": 3}, "bad_request", field="type", re=3)
    assert "to" not in client.refused({"type": 5}, "bad_request", field="type")
    assert "to" not in client.refused({"type": None}, "bad_request", field="type")


def test_an_unknown_type_is_repeated_up_to_32_bytes(client):
    client.refused({"type": "dance", "id": 1}, "unknown_type", to="dance", re=1)
    client.refused("dance with me", "unknown_type", to="dance")
    client.refused({"type": "d" * 100}, "unknown_type", to="d" * 32)
    client.refused({"type": "d" + "ł" * 20}, "unknown_type", to="d" + "ł" * 15)


def test_a_mistyped_member_is_named(client):
    room = client.ok("create X")["room"]
    for request, field in (
            ({"type": "move", "squares": "1-5"}, "squares"),
            ({"type": "move", "squares": [1, "5"]}, "squares"),
            ({"type": "move", "squares": [1, 5.5]}, "squares"),
            ({"type": "move", "squares": [1, 2, 3]}, "squares"),
            ({"type": "move", "squares": []}, "squares"),
            ({"type": "move"}, "squares"),
            ({"type": "move", "squares": [1, 5], "move": "1"}, "move"),
            ({"type": "collapse"}, "square"),
            ({"type": "collapse", "square": 1, "mark": "Z9"}, "mark"),
            ({"type": "collapse", "square": 1, "mark": 4}, "mark"),
            ({"type": "create", "side": "Z"}, "side"),
            ({"type": "create", "private": "yes"}, "private"),
            ({"type": "create", "title": 5}, "title"),
            ({"type": "join"}, "room"),
            ({"type": "join", "room": 7}, "room"),
            ({"type": "say", "room": room}, "text"),
            ({"type": "say", "text": ["a"]}, "text"),
            ({"type": "lobby", "status": "closed"}, "status"),
            ({"type": "lobby", "limit": 101}, "limit"),
            ({"type": "lobby", "limit": "5"}, "limit"),
            ({"type": "who", "limit": 0}, "limit"),
            ({"type": "state", "since": "1"}, "since"),
            ({"type": "state", "since": -1}, "since"),
            ({"type": "hello", "name": 5}, "name"),
            ({"type": "mute"}, "name"),
            ({"type": "draw", "accept": "no"}, "accept")):
        client.refused(request, "bad_request", field=field, to=request["type"])


def test_a_word_that_does_not_fit_is_refused_with_a_sentence_that_says_what_would(client):
    for words in ("create X Y Z", "draw maybe", "move one two", "ping pong", "lobby often",
                  "move 1 2 3", "collapse", "mute ala sometimes"):
        refusal = client.refused(words, "bad_request")
        assert len(refusal["message"]) > 20, refusal
    still_works(client)


def test_words_in_any_case_with_blanks_before_are_a_request(client):
    client.ok("   PING", to="ping")
    client.ok("Lobby STATUS=Waiting Limit=5", to="lobby")
    client.ok("lobby follow", to="lobby")
    client.ok("lobby follow=off", to="lobby")
    client.ok("ping id=4", to="ping")


def test_words_may_carry_an_id(client):
    assert client.ok("ping id=abc")["re"] == "abc"
    assert client.ok("ping id=12")["re"] == 12


def test_http_to_the_port_gets_one_bad_json_and_is_closed(server):
    client = server.client()
    client.send(b"GET / HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\n\r\n")
    client.expect("error", code="bad_json")
    client.expect_closed()


def test_http_as_a_later_line_does_not_close(client):
    client.ok("ping")
    client.send(b"GET / HTTP/1.1\r\n")
    assert client.read()["type"] == "error"
    still_works(client)


def test_replies_come_in_the_order_of_the_requests(client):
    client.send(b"hello\ncreate X\nlobby\nwho\nping id=9\nstate\nhelp ping\nfrob\nping id=10\n")
    got = [client.reply()["to"] for _ in range(9)]
    assert got == ["hello", "create", "lobby", "who", "ping", "state", "help", "frob", "ping"]


def test_quit_says_bye_and_closes(client):
    client.ok("quit", to="quit")
    client.expect("bye", reason="quit")
    client.expect_closed()


def test_what_comes_after_quit_is_not_carried_out(server):
    client, watcher = server.client(), server.client()
    room = watcher.ok("create X title=Never joined")["room"]
    client.send(f"quit\njoin {room}\n".encode())
    client.expect("ok", to="quit")
    client.expect("bye")
    client.expect_closed()
    assert watcher.ok("state")["state"]["status"] == "waiting"
