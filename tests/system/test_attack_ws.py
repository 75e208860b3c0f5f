"""Bad clients by HTTP and by WebSocket, by the hundred, while two honest players play on by the other
port. As in test_attack.py only what is right, and memory, is asserted."""

import struct

import pytest

import frames
import qttt
from attack import Swarm, beside_honest_players
from frames import MORE, PING, TEXT, frame, text
from test_attack import many

HANDSHAKE = frames.request(key="dGhlIHNhbXBsZSBub25jZQ==")
PING_LINE = b'{"type":"ping","id":%d}'


@pytest.fixture(scope="module")
def target():
    with qttt.Server("--http", "127.0.0.1:0", "--max-connections", "15000", db="none") as server:
        yield server


def opened(swarm, count, data=b""):
    """So many WebSockets that have been welcomed, opened a few at a time: HTTP has places for 256."""
    crowd = []
    while len(crowd) < count:
        some = swarm.open(min(100, count - len(crowd)), HANDSHAKE + data)
        swarm.pump(lambda: all(b'"welcome"' in bad.got or bad.is_over for bad in some),
                   "all to be welcomed")
        assert not any(bad.is_over for bad in some)
        crowd += some
    return crowd


def test_frames_that_drip_keep_nobody_waiting(target, choice):
    with beside_honest_players(target, "ws drip", choice), Swarm(target.port_of("http")) as swarm:
        crowd = opened(swarm, many(1000))
        line = frame(TEXT, b'{"type":"ping",', fin=False) + frame(MORE, b'"id":5}')
        for place in range(4):
            for bad in crowd:
                bad.send(line[place:place + 1])
            swarm.pump_for(1)
        for bad in crowd:
            bad.send(line[4:])
        swarm.pump(lambda: all(b'"re":5' in bad.got for bad in crowd), "every ping's answer")


def test_floods_of_pings_are_answered_as_far_as_they_are_read(target, choice):
    count = many(20000)
    pings = b"".join(frame(PING, struct.pack("!I", number), mask=bytes(4)) for number in range(count))
    with beside_honest_players(target, "ws pings", choice, 128), \
            Swarm(target.port_of("http")) as swarm:
        readers = opened(swarm, many(16))
        deaf = opened(swarm, many(100))
        for bad in deaf:
            bad.reads = False
            bad.send(frame(PING, bytes(125)) * 20000)
        for bad in readers:
            bad.got = b""
            bad.send(pings)
        swarm.pump(lambda: all(len(bad.got) >= 6 * count for bad in readers), "every pong")
        for bad in readers:
            assert bad.got == b"".join(b"\x8a\4" + struct.pack("!I", number)
                                       for number in range(count))


def test_who_asks_much_and_reads_nothing_costs_no_more_than_by_tcp(target, choice):
    with beside_honest_players(target, "ws deaf", choice, 128), \
            Swarm(target.port_of("http")) as swarm:
        for bad in opened(swarm, many(200)):
            bad.reads = False
            bad.send(text("help") * 2000)
        swarm.pump_for(3)


def test_garbage_for_frames_closes_and_harms_nobody(target, choice):
    with beside_honest_players(target, "ws garbage", choice), \
            Swarm(target.port_of("http")) as swarm:
        crowd = opened(swarm, many(1000))
        for bad in crowd:
            # A reserved bit at the end, for those whose bytes were a message so far.
            bad.send(choice.randbytes(choice.randrange(2000)) + b"\xff" * 70000)
        swarm.pump(lambda: all(bad.is_over for bad in crowd), "all to be closed")


def test_heads_without_an_end_and_halves_of_requests_are_borne(target, choice):
    with beside_honest_players(target, "http heads", choice), \
            Swarm(target.port_of("http")) as swarm:
        for begin in (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 100000, b"GET /" + b"x" * 500000,
                      HANDSHAKE[:-2], b"\r\n" * 100000, b""):
            for bad in swarm.open(many(1000), begin):
                bad.forgets = True
            swarm.pump_for(1)
        # Those with half a request are closed in their time, and the page is there again.
        qttt.eventually(lambda: swarm.turn(0.01) or answers(target), 30 * qttt.SLOW)


def answers(server):
    try:
        frames.Socket(server.port_of("http"), welcome=False).close()
    except (qttt.Closed, AssertionError, OSError):
        return False
    return True


def test_thousands_that_open_and_vanish_leave_nothing(target, choice):
    with beside_honest_players(target, "ws churn", choice), \
            Swarm(target.port_of("http")) as swarm:
        for _ in range(many(40)):
            for number, bad in enumerate(opened(swarm, 50)):
                if number % 2:
                    bad.send(text(PING_LINE % number) + b"\x81\xfe\x10")
                bad.close(reset=number % 3 == 0)
