"""How much memory the server takes when each of its limits is used up, against the bound that
server/README.md states.

    QTTTD=build/server/qtttd /usr/bin/python3 tests/bench/memory.py [--quick]

Each row is a server of its own, filled to the limit and then pushed beyond. Ends with 1 if a bound
was passed. No test: it takes minutes and gigabytes of sockets' buffers."""

import argparse
import contextlib
import json
import resource
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "system"))

import qttt  # noqa: E402

KIB = 1024
MIB = 1024 * KIB
# As server/README.md has them.
BASE = 48 * MIB
CONNECTION = 24 * KIB
ROOM = 96 * KIB
ACCOUNT = 512
WIDE = "\N{MUSICAL SYMBOL G CLEF}"  # four bytes


def resident(server):
    for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * KIB
    raise RuntimeError("no VmHWM")


def connect(server, number):
    """A connection from one of many addresses of this machine, that reads as little as it can."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.bind((f"127.1.{number // 250 % 250}.{number % 250 + 1}", 0))
    client.settimeout(60)
    client.connect(("127.0.0.1", server.port))
    return client


def push(client, data):
    """As much of it as the other side takes."""
    client.setblocking(False)
    with contextlib.suppress(BlockingIOError, ConnectionError):
        while data:
            data = data[client.send(data):]


def connections(count):
    """Each connection's input full, and as much output as may wait for all."""
    output = 64 * MIB
    options = ["--max-connections", str(count), "--max-output-all", str(output),
               "--slow-reader", "3600", "--allowance", "1000000",
               "--allowance-per-address", "10000000"]
    with qttt.Server(*options, limits=True) as server:
        clients = [connect(server, i) for i in range(count + 100)]
        for _ in range(4):
            for client in clients:
                push(client, b"help\n" * 400 + b"x" * 4000)
        server_answers(server)
        for client in clients:
            client.close()
        yield resident(server), BASE + count * CONNECTION + output + output // 4


def server_answers(server):
    """Once what was asked before has been worked off; from an address with nothing to its name."""
    def answered():
        with contextlib.suppress(OSError, ValueError):
            client = connect(server, 50000)
            line = json.loads(client.makefile("rb").readline())
            client.close()
            return line["type"] in ("welcome", "error")
        return False
    qttt.eventually(answered, 120)


def rooms(count):
    """Rooms with the longest titles, and as much chat as is kept of players and watchers."""
    options = ["--max-rooms", str(count), "--rooms-per-name", "10000000",
               "--connections-per-address", "1000000", "--names-per-hour", "1000000",
               "--opens-per-minute", "1000000", "--says-per-minute", "1000000",
               "--allowance", "1000000", "--allowance-per-address", "10000000"]
    with qttt.Server(*options, limits=True) as server:
        opened = 0
        full = False
        while not full:
            owner, watcher = server.client(), server.client()
            for _ in range(32):
                reply = owner.ask({"type": "create", "side": "X", "title": WIDE * 60})
                full = reply.get("code") == "server_full"
                if full:
                    break
                opened += 1
                room = reply["room"]
                watcher.ok(f"watch {room}")
                line = qttt.as_bytes({"type": "say", "room": room, "text": WIDE * 200})
                for speaker in (owner, watcher):
                    speaker.send(line * 21)
                    for _ in range(21):
                        speaker.reply()
                    speaker.waiting.clear()
        assert opened == count, opened
        yield resident(server), BASE + count * ROOM


def names(count):
    """Guests who come and go: who is gone leaves an account, and no more than so many do."""
    options = ["--names-per-hour", "1000000", "--allowance", "1000000",
               "--allowance-per-address", "10000000"]
    with qttt.Server(*options, limits=True) as server:
        crowd = 50
        for start in range(0, count, crowd):
            clients = [connect(server, start + i) for i in range(crowd)]
            for client in clients:
                client.sendall(b"hello\n")
            for client in clients:
                lines = client.makefile("rb")
                lines.readline()
                assert b'"token"' in lines.readline()
                client.close()
        yield resident(server), BASE + 2 * min(count, 65536) * ACCOUNT


KINDS = [("connections", connections, 4000, 500), ("rooms", rooms, 4000, 300),
         ("names", names, 70000, 3000)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="a part of it")
    parser.add_argument("--only", choices=[kind[0] for kind in KINDS])
    arguments = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    passed = True
    print(f"{'used up':<14}{'how many':>10}{'MiB':>8}{'bound':>8}")
    for name, fill, many, few in KINDS:
        if arguments.only in (None, name):
            count = few if arguments.quick else many
            for took, bound in fill(count):
                print(f"{name:<14}{count:>10}{took / MIB:>8.0f}{bound / MIB:>8.0f}", flush=True)
                passed = passed and took <= bound
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
