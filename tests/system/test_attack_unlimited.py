"""Bad clients by the hundred whom no limit slows down, beside two honest players: what bounds memory
then, and that all of it is answered, in order. What the limits do stands in test_attack.py."""

import json
import struct

import pytest

from attack import Swarm, beside_honest_players, many, opened
from frames import PING, frame, text
import qttt

# What one of a flood says, in lines; beside it memory holds what it has not read.
FLOOD_LINES = 20000


@pytest.fixture(scope="module")
def target():
    server = qttt.Server("--http", "127.0.0.1:0", "--max-connections", "15000", db="none")
    yield server
    server.stop()


def test_floods_of_lines_are_answered_in_order_as_far_as_they_are_read(target, choice):
    pings = b"".join(b'{"type":"ping","id":%d}\n' % number for number in range(many(FLOOD_LINES)))
    with beside_honest_players(target, "flood", choice, 128), Swarm(target.port) as swarm:
        readers = swarm.open(many(24), pings)
        swarm.open(many(80), pings * 2, reads=False)
        for bad in swarm.open(many(200), b"say hello\n" * 5000):
            bad.forgets = True
        swarm.pump(lambda: all(bad.lines == 1 + many(FLOOD_LINES) for bad in readers),
                   "every ping's answer")
        for bad in readers:
            answers = [json.loads(line) for line in bad.lines_got()[1:]]
            assert [answer["re"] for answer in answers] == list(range(many(FLOOD_LINES)))


def test_floods_of_pings_are_answered_as_far_as_they_are_read(target, choice):
    count = many(20000)
    pings = b"".join(frame(PING, struct.pack("!I", number), mask=bytes(4)) for number in range(count))
    with beside_honest_players(target, "ws pings", choice, 128), \
            Swarm(target.port_of("http")) as swarm:
        readers = opened(swarm, many(16))
        for bad in opened(swarm, many(100)):
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
