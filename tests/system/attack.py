"""Bad clients by the thousand, and two honest players beside them.

The crowd is one epoll loop in the test's process. The honest pair is a process of its own, so that
what it tells of its waiting is the server's doing; it plays game after game and looks at every
reply, event and board."""

import collections
import contextlib
import errno
import json
import multiprocessing
import random
import re
import select
import socket
import time
import traceback
import urllib.request

import frames
import prometheus
import qttt

RESET = b"\1\0\0\0\0\0\0\0"
PATIENCE = 60 * qttt.SLOW
# One address has too few ports for all that come and go in a minute.
ADDRESSES = 20
# What the honest players wait before each act, and how often one of them may open a room: the
# server's own limit for a name, a little less.
PAUSE = 0.01
OPENS_AT_ONCE, OPENS_A_SECOND = 25, 0.45

# A sanitizer's build is to find its own kind of fault, not to bear the full number.
SHARE = 1 if qttt.SLOW == 1 else 8

HANDSHAKE = frames.request(key="dGhlIHNhbXBsZSBub25jZQ==")


def many(count):
    return max(1, count // SHARE)


# ---- The crowd ----


class Bad:
    """One of the crowd: `out` is still to be sent, `got` has come (its last bytes, if `forgets`)."""

    def __init__(self, swarm, number, reads):
        self.swarm, self.number = swarm, number
        self.address = number % swarm.addresses
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not reads:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.bind((f"127.{swarm.block}.1.{1 + self.address}", 0))
        self.out, self.got = b"", b""
        self.reads, self.forgets = reads, False
        self.lines = 0
        self.events = 0
        self.is_over = False  # the server has closed, or reset

    def lines_got(self):
        return self.got.split(b"\n")[:-1]

    def watch(self):
        events = (select.EPOLLIN if self.reads else 0) | (select.EPOLLOUT if self.out else 0)
        if events != self.events and not self.is_over:
            self.swarm.epoll.modify(self.socket, events)
            self.events = events

    def send(self, data):
        self.out += data
        self.watch()

    def write(self):
        sent = self.socket.send(self.out[:65536])
        self.out = self.out[sent:]

    def read(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionResetError
        self.lines += data.count(b"\n")
        self.got = data[-200:] if self.forgets else self.got + data

    def happen(self, events):
        try:
            if events & (select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR):
                self.read()
            if self.out and events & select.EPOLLOUT:
                self.write()
        except BlockingIOError:
            pass
        except OSError:
            self.is_over = True
            self.swarm.epoll.unregister(self.socket)
            return
        self.watch()

    def close(self, reset=False):
        if self.socket.fileno() < 0:
            return
        if reset:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.socket.close()
        del self.swarm.members[self.number]


class Swarm:
    """Connections to one port, from so many addresses of 127.BLOCK.1.*; leaves none behind."""

    def __init__(self, port, addresses=ADDRESSES, block=0):
        self.port, self.addresses, self.block = port, addresses, block
        self.epoll = select.epoll()
        self.members = {}
        self.by_fd = {}
        self.born = 0

    def open(self, count, data=b"", reads=True):
        """So many more; not connected yet. `data` is what each says, or a function of its number."""
        return [self._open(data, reads) for _ in range(count)]

    def _open(self, data, reads):
        bad = Bad(self, self.born, reads)
        self.born += 1
        self.members[bad.number] = bad
        self.by_fd[bad.socket.fileno()] = bad
        error = bad.socket.connect_ex(("127.0.0.1", self.port))
        assert error in (0, errno.EINPROGRESS), error
        bad.out = data(bad.number) if callable(data) else data
        bad.events = (select.EPOLLIN if reads else 0) | select.EPOLLOUT
        self.epoll.register(bad.socket, bad.events)
        return bad

    def pump(self, until, what, seconds=PATIENCE):
        """Let things happen until that is so."""
        end = time.monotonic() + seconds
        while not until():
            assert time.monotonic() < end, f"waited in vain for {what}"
            self.turn(0.05)

    def pump_for(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.turn(0.02)

    def turn(self, seconds):
        for fd, events in self.epoll.poll(seconds, 512):
            bad = self.by_fd[fd]
            if bad.socket.fileno() == fd and not bad.is_over:
                bad.happen(events)

    def close(self, reset=False):
        for bad in list(self.members.values()):
            bad.close(reset)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close(reset=True)
        self.epoll.close()


def welcomed(crowd):
    return lambda: all(bad.lines >= 1 or bad.is_over for bad in crowd)


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


# ---- What it comes to ----


def metrics(server):
    """{(metric, *labels): value}, without histograms."""
    def ask():
        with contextlib.suppress(OSError):
            page = f'http://127.0.0.1:{server.port_of("http")}/metrics'
            with urllib.request.urlopen(page, timeout=5) as answer:
                return answer.read().decode("ascii")
        return None
    families = prometheus.read(qttt.eventually(ask, PATIENCE, "the metrics"))
    return collections.Counter({
        (name, *[word for _, word in labels]): value for family in families.values()
        if family.type != "histogram" for (name, labels), value in family.samples.items()})


class Field:
    """Where a row's attack takes place."""

    def __init__(self, server, choice, number):
        self.server, self.choice, self.block = server, choice, number
        self.swarms = contextlib.ExitStack()

    def swarm(self, addresses, door="tcp"):
        """Connections from that many addresses, of which a sanitizer's build bears a part."""
        return self.swarms.enter_context(Swarm(
            self.server.port_of(door), many(addresses), self.block))

    def crowd(self, addresses, each, data=b"", reads=True):
        """A swarm, and so many of it from each address."""
        swarm = self.swarm(addresses)
        return swarm, swarm.open(swarm.addresses * each, data, reads)

    def honest(self):
        return self.server.client(source="127.0.0.2")


def all_read(swarm, crowd, lines, seconds=PATIENCE):
    """Until each has so many lines besides the welcome."""
    swarm.pump(lambda: all(bad.lines > lines for bad in crowd), f"{lines} answers each", seconds)


def replies(bad):
    """All lines that it got but events, each whole and JSON."""
    lines = [json.loads(line) for line in bad.lines_got()]
    return [line for line in lines if line["type"] in ("ok", "error")]


def codes(crowd):
    """How often which."""
    return collections.Counter(reply.get("code", "ok") for bad in crowd for reply in replies(bad))


# ---- The honest pair ----


class Pair:
    """Two players who know what has to come."""

    def __init__(self, port, seed, source):
        self.choice = random.Random(seed)
        self.players = [qttt.Client(port, source=source), qttt.Client(port, source=source)]
        self.waits = []  # seconds from a move to its reply
        self.games = qttt.vector_games()
        self.opened, self.began = 0, time.monotonic()

    def may_open(self):
        """They take turns in it, so each has opened half of the rooms."""
        return self.opened < 2 * (
            OPENS_AT_ONCE + OPENS_A_SECOND * (time.monotonic() - self.began))

    def play(self):
        self.players.reverse()
        x, o = self.players
        self.opened += 1
        room = x.ok({"type": "create", "side": "X"}, seat="X")["room"]
        o.ok({"type": "join", "room": room}, seat="O")
        x.expect("seated", room=room, seat="O")
        x.expect("started", room=room)
        game = self.choice.choice(self.games)
        for number, (action, before) in enumerate(zip(game["actions"], game["views"])):
            self.act(x if before["turn"] == "X" else o, action, room, 5 + number,
                     game["views"][number + 1])
        if game["views"][-1]["phase"] != "over":
            x.ok({"type": "resign", "room": room})
        lines = [player.expect("ended", room=room)[""] for player in (x, o)]
        assert lines[0] == lines[1], lines

    def act(self, actor, action, room, seq, view):
        time.sleep(PAUSE)
        began = time.monotonic()
        reply = actor.ask(qttt.action_request(action, room))
        self.waits.append(time.monotonic() - began)
        assert reply["type"] == "ok" and reply["seq"] == seq, reply
        lines = [player.expect("moved" if action[0] == "move" else "collapsed", room=room, seq=seq)
                 for player in self.players]
        assert lines[0][""] == lines[1][""], lines
        # A board without a further act is told as over.
        assert lines[0]["board"]["squares"] == qttt.board_of_view(view)["squares"], lines[0]


def _honest(port, seed, source, pipe):
    qttt.SECONDS = PATIENCE
    result = {"error": None, "waits": []}
    try:
        pair = Pair(port, seed, source)
        pair.play()
        pipe.send("ready")
        while not pipe.poll(0 if pair.may_open() else 0.1):
            if pair.may_open():
                pair.play()
        result["waits"] = pair.waits
    except BaseException:  # shown by the test
        result["error"] = traceback.format_exc()
    pipe.send(result)


@contextlib.contextmanager
def honest_players(port, name, choice, source):
    """Around an attack: two who play game after game beside it, each reply and event as it has to
    be."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(
        target=_honest, args=(port, choice.randrange(2**32), source, there), daemon=True)
    process.start()
    try:
        assert here.poll(2 * PATIENCE), "the honest players did not come to play"
        ready = here.recv()
        assert ready == "ready", ready["error"]
        yield
        here.send("enough")
        assert here.poll(2 * PATIENCE), "the honest players got stuck"
        result = here.recv()
    finally:
        process.join(1)
        process.kill()
        process.join()
    assert result["error"] is None, result["error"]
    waits = sorted(result["waits"])
    qttt.tell(f"{name}: {len(waits)} honest moves, p50 {1000 * waits[len(waits) // 2]:.2f} ms, "
              f"p99 {1000 * waits[len(waits) * 99 // 100]:.2f} ms")


def bound_mib():
    """At the utmost with the default limits and rooms of the usual size, as server/README.md has
    it."""
    text = (qttt.ROOT / "server" / "README.md").read_text("utf-8")
    rows = re.findall(r"^\|.*\| (?:\d+ MiB; )?(\d+) MiB \|$", text, re.MULTILINE)
    assert len(rows) >= 8, rows
    return sum(int(mib) for mib in rows)


@contextlib.contextmanager
def beside_honest_players(server, name, choice, grows_mib=64, source="127.0.0.1"):
    """The same, and afterwards descriptors come back, and memory has grown by so much at the most
    and is within the server's bound."""
    descriptors, kib = server.descriptors(), server.memory_kib()
    with honest_players(server.port, name, choice, source):
        yield
    grown = (server.memory_kib() - kib) / 1024
    most = server.memory_kib("VmHWM") / 1024
    qttt.tell(f"{name}: memory {grown:+.1f} MiB, at most {most:.0f} MiB")
    qttt.eventually(lambda: server.descriptors() <= descriptors, PATIENCE,
                    "the crowd's descriptors")
    # A sanitizer keeps what was freed.
    assert qttt.SLOW > 1 or grown < grows_mib, grown
    assert qttt.SLOW > 1 or most < bound_mib(), most
