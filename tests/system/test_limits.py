"""What strangers may do, and those who do not read, on real sockets."""

import json
import socket
import urllib.request

import pytest

import prometheus
import qttt

WATCHERS = 1000


# The server's own value.
BEHIND_BYTES = 131072


def stuck_client(server, room):
    """It follows the room, and more waits for it than it may be sent: it does not read."""
    client = server.client(receive_buffer=4096)
    client.ok(f"watch {room}")
    client.send_in_background(b"help\n" * 3000)
    qttt.eventually(lambda: waiting_bytes(server) > BEHIND_BYTES, what="so much that waits")
    return client


def metric(server, name):
    with urllib.request.urlopen(f'http://127.0.0.1:{server.port_of("http")}/metrics') as answer:
        return prometheus.value(prometheus.read(answer.read().decode()), name)


def waiting_bytes(server):
    return metric(server, "qttt_output_waiting_bytes")


def rest_of(client):
    """All the lines that still come, to the end of the connection."""
    lines = []
    while True:
        try:
            lines.append(client.read())
        except qttt.Closed:
            return lines


def test_one_who_is_stuck_among_a_thousand_watchers_keeps_nothing_from_the_others(many_files):
    with qttt.Server("--slow-reader", "600", "--http", "127.0.0.1:0") as server:
        game = qttt.Game(server, watchers=WATCHERS - 1)
        stuck = stuck_client(server, game.room)
        game.play_to_the_end()
        stuck.half_close()
        lines = rest_of(stuck)
        states = [line for line in lines if line["type"] == "state"]
        told = [line["seq"] for line in lines if line["type"] in ("moved", "collapsed", "ended")]
        # One each time that it fell behind: it is stuck again by what it had asked for.
        assert states and {state["status"] for state in states} == {"over"}, lines[-1]
        # It was behind from some event on, and was told none after that.
        assert told == list(range(game.joined["state"]["seq"] + 1, states[0]["seq"]))[:len(told)]
        assert len(told) < states[0]["seq"] - game.joined["state"]["seq"]


def test_who_reads_nothing_for_long_is_closed_with_a_last_word_and_the_game_goes_on():
    with qttt.Server("--slow-reader", "1", "--http", "127.0.0.1:0") as server:
        game = qttt.Game(server, watchers=3)
        stuck = stuck_client(server, game.room)
        qttt.eventually(lambda: "conn_slow" in server.log(), what="conn_slow in the log")
        lines = rest_of(stuck)
        assert lines[-1][""] == b'{"type":"bye","reason":"slow_reader"}'
        game.play_to_the_end()


def test_the_kernel_keeps_little_of_what_nobody_reads():
    with qttt.Server("--http", "127.0.0.1:0") as server:
        stuck_client(server, server.client().ok("create")["room"])
        assert metric(server, "qttt_sent_bytes_total") < 200_000


def from_address(server, address):
    """A connection from another address of this machine."""
    client = socket.socket()
    client.bind((address, 0))
    client.settimeout(qttt.SECONDS)
    client.connect(("127.0.0.1", server.port))
    line = json.loads(client.makefile("rb").readline())
    return client, line


def test_an_address_has_so_many_connections_and_another_has_its_own():
    with qttt.Server("--connections-per-address", "2", limits=True) as server:
        inside = [server.client() for _ in range(2)]
        extra = server.client(welcome=False)
        assert extra.read()["code"] == "too_many_connections"
        extra.expect_closed()
        other, line = from_address(server, "127.0.0.2")
        assert line["type"] == "welcome"
        other.close()
        inside[0].close()
        qttt.eventually(lambda: server.client(welcome=False).read()["type"] == "welcome")


def test_who_asks_too_fast_is_read_more_slowly_and_the_others_are_not():
    with qttt.Server("--allowance", "20", limits=True) as server:
        hasty, calm = server.client(), server.client()
        hasty.send(b"ping\n" * 3000)
        for _ in range(50):
            calm.ok("ping")
        # What ten seconds give may be used at once; all 3000 take minutes.
        hasty.socket.settimeout(0.2)
        answered = 0
        while answered < 3000:
            try:
                answered += hasty.socket.recv(65536).count(b"\n")
            except socket.timeout:
                break
        assert 1 <= answered < 3000


def test_what_costs_others_is_refused_when_it_comes_too_often():
    with qttt.Server("--says-per-minute", "2", limits=True) as server:
        game = qttt.Game(server)
        game.x.ok("say one")
        game.x.ok("say two")
        refusal = game.x.refused("say three", "rate_limited")
        assert 0 < refusal["retry_ms"] <= 30000
        game.o.ok("say four")


def test_who_says_nothing_is_sent_away():
    with qttt.Server("--first-line", "1", "--idle", "86400", limits=True) as server:
        silent, speaks = server.client(), server.client()
        speaks.ok("ping")
        # Half a line is none.
        silent.send(b"pin")
        silent.expect("bye", reason="idle")
        silent.expect_closed()
        speaks.ok("ping")


def test_who_has_no_room_is_sent_away_after_a_while_and_who_has_one_stays():
    with qttt.Server("--idle", "1", limits=True) as server:
        game = qttt.Game(server)
        idle = server.client()
        idle.ok("ping")
        idle.expect("bye", reason="idle")
        idle.expect_closed()
        game.play_to_the_end()
