"""Who keeps the servers of soak.py busy: each a thread that goes through life until its site is over,
and rests where the gate is closed."""

import collections
import threading
import time

import qttt
from load import since_the_start

LOST = (qttt.Closed, OSError)


class Ledger:
    """What a server has promised: of each room the last acknowledged seq, and each line told."""

    def __init__(self):
        self.lock = threading.Lock()
        self.seqs = {}
        self.told = {}
        self.running = []  # rooms to look on at
        self.over = collections.deque()
        self.audited = 0  # lines that were given again

    def promise(self, room, seq):
        with self.lock:
            self.seqs[room] = max(seq, self.seqs.get(room, 0))

    def note(self, line):
        """An event or another line that came; all who are told an event are told the same."""
        if "seq" in line and line["type"] not in ("ok", "error", "state"):
            with self.lock:
                told = self.told.setdefault(line["room"], {}).setdefault(line["seq"], line[""])
            assert told == line[""], (told, line[""])

    def rooms(self):
        with self.lock:
            return list({**self.seqs, **self.told})

    def of(self, room):
        with self.lock:
            return self.seqs.get(room, 0), dict(self.told.get(room, {}))

    def forget(self, room):
        with self.lock:
            self.seqs.pop(room, None)
            self.told.pop(room, None)


def look_again(client, ledger, room):
    """All that was promised of the room is there; one that is over leaves the ledger."""
    seq, told = ledger.of(room)
    lines, state = since_the_start(client, room)
    assert state["seq"] >= seq, f"{room}: {seq} was acknowledged, {state['seq']} is there"
    for number, line in told.items():
        assert lines[number - 1] == line, (line, lines[number - 1])
    ledger.audited += len(told)
    if state["status"] == "over":
        ledger.forget(room)


class Member:
    """One of a crowd. What is lost with a server that may break is begun again."""

    def __init__(self, site, choice):
        self.site, self.choice = site, choice
        self.clients = []
        self.counts = {}

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def live(self):
        while not self.site.is_over:
            try:
                self.work()
                self.rest()
            except LOST:
                if not self.site.may_break:
                    raise
                self.leave()
                time.sleep(0.1)

    def rest(self):
        if not self.site.gate.is_open:
            self.before_rest()
            self.site.gate.rest()

    def before_rest(self):
        self.leave()

    def leave(self):
        for client in self.clients:
            client.close()
        self.clients = []

    def connect(self, **how):
        client = qttt.Client(self.site.server.port, **how)
        self.clients.append(client)
        return client

    def ask(self, client, request, *fine):
        """The reply to it: ok, or an error of these codes. What came before it is noted."""
        client.send(request)
        while True:
            line = client.next_event()
            self.site.ledger.note(line)
            if line["type"] in ("ok", "error"):
                assert line["type"] == "ok" or line["code"] in fine, (request, line[""])
                return line

    def passes(self, seconds):
        """Wait, but no longer than until all shall rest."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.site.gate.is_open and not self.site.is_over:
            time.sleep(0.05)


class Pair(Member):
    """Two guests who play game after game, and come back as who they are. Their connections stay."""

    def __init__(self, site, choice):
        super().__init__(site, choice)
        self.tokens = [None, None]
        self.games = qttt.vector_games()

    def before_rest(self):
        for client in self.clients:
            self.ask(client, "ping")

    def come_in(self):
        """Games that a crash has cut off are as they were acknowledged; the audit sees to that."""
        for number in range(2):
            client = self.connect()
            token = self.tokens[number]
            reply = self.ask(client, {"type": "hello", **({"token": token} if token else {})})
            self.tokens[number] = reply.get("token", token)
            for room in reply["rooms"]:
                self.ask(client, {"type": "resign", "room": room}, "not_started", "game_over")
                self.ask(client, {"type": "leave", "room": room})

    def work(self):
        if not self.clients:
            self.come_in()
        x, o = self.choice.sample(self.clients, 2)
        ledger = self.site.ledger
        opened = self.ask(x, {"type": "create", "side": "X", "title": "soaking"})
        room = opened["room"]
        ledger.promise(room, opened["state"]["seq"])
        ledger.promise(room, self.ask(o, {"type": "join", "room": room})["state"]["seq"])
        ledger.running.append(room)
        try:
            self.play(room, x, o)
            ledger.over.append(room)
        finally:
            ledger.running.remove(room)

    def play(self, room, x, o):
        game = self.choice.choice(self.games)
        for action, view in zip(game["actions"], game["views"]):
            actor = x if view["turn"] == "X" else o
            reply = self.ask(actor, qttt.action_request(action, room))
            self.site.ledger.promise(room, reply["seq"])
            self.count("acts")
            if self.choice.random() < 0.1:
                self.ask(actor, {"type": "say", "room": room, "text": "well, well"})
                self.count("words")
            time.sleep(self.choice.random() * 0.05)
        if game["views"][-1]["phase"] != "over":
            self.ask(x, {"type": "resign", "room": room})
        for client in (x, o):
            self.ask(client, {"type": "leave", "room": room})
        self.count("games")


class Watcher(Member):
    """Looks on at one room after the other, and misses nothing. Comes as the same guest each time:
    of whom has a name the server keeps an account for an hour, and that would pass for growth."""

    token = None

    def work(self):
        rooms = self.site.ledger.running[-50:]
        if not rooms:
            self.passes(0.1)
            return
        room = self.choice.choice(rooms)
        client = self.connect()
        reply = self.ask(client, {"type": "hello", **({"token": self.token} if self.token else {})})
        self.token = reply.get("token", self.token)
        self.ask(client, {"type": "watch", "room": room, "since": 0}, "no_such_room")
        if self.choice.random() < 0.5:
            self.ask(client, {"type": "say", "room": room, "text": "hm"}, "not_in_room")
            self.count("words")
        self.look_on(client, room)
        self.count("watched")
        self.clients.remove(client)
        self.choice.choice([client.close, client.drop])()

    def look_on(self, client, room):
        seq = None
        for _ in range(self.choice.randrange(20)):
            try:
                line = client.next_event(0.5)
            except qttt.Late:
                return
            self.site.ledger.note(line)
            if line.get("room") == room and "seq" in line:
                assert seq is None or line["seq"] == seq + 1, (seq, line[""])
                seq = line["seq"]


class SlowReader(Member):
    """Follows all it can, reads nothing for long, and then finds whole lines."""

    def work(self):
        client = self.connect(receive_buffer=4096)
        client.send("lobby follow")
        for room in self.site.ledger.running[-20:]:
            client.send({"type": "watch", "room": room})
        self.passes(self.choice.random() * 15)
        for _ in range(1000):
            try:
                self.site.ledger.note(client.read(0.2))
            except qttt.Late:
                break
        self.count("slow readers")
        self.leave()


class Passer(Member):
    """Comes, says something or half of it, and is gone."""

    SAYINGS = [b"", b"help\n" * 20, b'{"type":"half', b"\xff\xfe\n", b"lobby follow\nlobby over\n",
               b"who\nquit\n", b"x" * 9000, b"hello token=AAAAAAAAAAAAAAAAAAAAAAAA\n"]

    def work(self):
        client = self.connect(welcome=self.choice.random() < 0.5)
        try:
            client.send(self.choice.choice(self.SAYINGS))
            self.passes(self.choice.random() * 0.2)
        except OSError:
            pass  # it has quit, and the server was quicker
        self.count("passers-by")
        self.clients.remove(client)
        self.choice.choice([client.close, client.drop])()


class Auditor(Member):
    """Looks again at each game that is over."""

    def work(self):
        client = self.clients[0] if self.clients else self.connect()
        if not self.site.ledger.over:
            self.passes(0.1)
            return
        look_again(client, self.site.ledger, self.site.ledger.over.popleft())


AUDITOR = (Auditor, 1)
CROWD = ((Pair, 10), (Watcher, 10), (SlowReader, 3), (Passer, 4))
