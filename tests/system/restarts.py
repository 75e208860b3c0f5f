"""Players, by TLS and in the open, who play on while their server is started anew by a supervisor
that holds its sockets: what they were promised, whether they were refused, how long they waited."""

import asyncio
import json
import random
import time

import qttt

# A connection that was made and lost again before it was greeted is tried again so soon.
AGAIN_SECONDS = 0.02


class Lost(Exception):
    """The connection has gone."""


class Tally:
    def __init__(self):
        self.acknowledged = {}    # room: {seq: action}
        self.refused = 0          # connects
        self.cut = {"tcp": 0, "tls": 0}  # connected, and lost before a first word
        self.turned = 0           # the first word was `bye`
        self.returns = 0
        self.actions = 0
        self.silence = 0.0        # the longest wait for an answer, comings back included
        self.knocks = 0
        self.knock_silence = 0.0  # the longest from a connect to its greeting


class Line:
    """A connection of lines, which is made again as often as it is asked for."""

    def __init__(self, port, door, context, tally):
        self.port, self.door, self.tally = port, door, tally
        self.context = context if door == "tls" else None
        self.writer = self.listening = None
        self.told = asyncio.Queue()
        self.heard_bye = False
        self.retry_ms = 0

    async def open(self):
        while True:
            self.heard_bye = False
            try:
                reader, self.writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, limit=1 << 20, ssl=self.context,
                    server_hostname="localhost" if self.context else None)
                self.told = asyncio.Queue()
                self.listening = asyncio.create_task(self.listen(reader, self.writer, self.told))
                assert (await self.read())["type"] == "welcome"
                return
            except ConnectionRefusedError:
                self.tally.refused += 1
            except (Lost, OSError):
                if self.heard_bye:
                    self.tally.turned += 1
                else:
                    self.tally.cut[self.door] += 1
                self.close()
            await asyncio.sleep(AGAIN_SECONDS)

    async def listen(self, reader, writer, told):
        """Whoever hears `bye` goes, also while it is not his turn."""
        try:
            while (line := await reader.readline()).endswith(b"\n"):
                line = json.loads(line)
                if line["type"] == "bye":
                    self.heard_bye = True
                    self.retry_ms = line.get("retry_ms", 0)
                    break
                told.put_nowait(line)
        except OSError:
            pass
        writer.transport.abort()
        told.put_nowait(None)

    def close(self):
        if self.writer:
            self.listening.cancel()
            self.writer.transport.abort()
        self.writer = None

    async def read(self):
        line = await self.told.get()
        if line is None:
            self.told.put_nowait(None)
            raise Lost
        return line

    async def ask(self, request):
        if self.writer is None:
            raise Lost
        self.writer.write(qttt.as_bytes(request))
        while True:
            told = await self.read()
            if told["type"] in ("ok", "error"):
                return told


class Player(Line):
    """Comes back by his token, as soon as the server said, or at once."""

    token = None

    def __init__(self, *arguments, patient):
        super().__init__(*arguments)
        self.patient = patient

    async def begin(self):
        await self.open()
        self.token = (await self.ask({"type": "hello"}))["token"]

    async def come_back(self):
        self.tally.returns += 1
        while True:
            wait_ms = self.retry_ms if self.patient else 0
            self.close()
            await asyncio.sleep(wait_ms / 1000)
            await self.open()
            try:
                told = await self.ask({"type": "hello", "token": self.token})
                assert told["type"] == "ok", told
                return
            except Lost:
                pass

    async def surely(self, request, room=None, seq=0):
        """An answer, however often the connection goes. In a room: the event's seq, `seq` being the
        last one before it; what was stored and not acknowledged counts as done then."""
        began = time.monotonic()
        while True:
            try:
                told = await self.ask(request)
                break
            except Lost:
                await self.come_back()
            try:
                if room is not None:
                    told = await self.ask({"type": "state", "room": room})
                    if told["state"]["seq"] > seq:
                        told["seq"] = seq + 1
                        break
            except Lost:
                pass
        self.tally.silence = max(self.tally.silence, time.monotonic() - began)
        assert told["type"] == "ok", told
        return told


async def play(x, o, games, choice, tally, is_over):
    """Two who play game after game, each action as soon as the other was acknowledged."""
    await asyncio.gather(x.begin(), o.begin())
    while not is_over():
        game = choice.choice(games)
        room = (await x.surely({"type": "create", "side": "X"}))["room"]
        joined = await o.surely({"type": "join", "room": room})
        seq = joined["state"]["seq"]
        kept = tally.acknowledged.setdefault(room, {})
        for action, view in zip(game["actions"], game["views"]):
            mover = x if view["turn"] == "X" else o
            seq = (await mover.surely(qttt.action_request(action, room), room, seq))["seq"]
            kept[seq] = action
            tally.actions += 1
            if is_over():
                break
        else:
            continue
        break
    x.close()
    o.close()


async def knock(line, every_seconds, is_over):
    """Somebody new, again and again, who leaves when he has been greeted."""
    while not is_over():
        began = time.monotonic()
        await line.open()
        line.tally.knocks += 1
        line.tally.knock_silence = max(line.tally.knock_silence, time.monotonic() - began)
        line.close()
        await asyncio.sleep(every_seconds)


async def restart(server, times, every_seconds):
    """As `systemctl restart` does. Returns the longest time in which no server ran, in seconds."""
    longest = 0
    for _ in range(times):
        await asyncio.sleep(every_seconds)
        began = time.monotonic()
        await asyncio.to_thread(server.terminate)
        await asyncio.to_thread(server.start)
        longest = max(longest, time.monotonic() - began)
    await asyncio.sleep(every_seconds)
    return longest


async def _run(server, context, pairs, times, every_seconds, patient, seed):
    tally, choice, games = Tally(), random.Random(seed), qttt.vector_games()
    over = asyncio.Event()
    players = []
    for number in range(pairs):
        # Both doors, and pairs of both.
        doors = [("tcp", "tcp"), ("tls", "tls"), ("tls", "tcp")][number % 3]
        x, o = (Player(server.ports[door], door, context, tally, patient=patient)
                for door in doors)
        players.append(play(x, o, games, random.Random(choice.random()), tally, over.is_set))
    knockers = [knock(Line(server.ports[door], door, context, tally), 0.005, over.is_set)
                for door in ("tcp", "tls")]
    tasks = [asyncio.create_task(task) for task in players + knockers]
    tally.gap = await restart(server, times, every_seconds)
    over.set()
    await asyncio.wait_for(asyncio.gather(*tasks), 6 * qttt.SECONDS)
    return tally


def run(server, context, pairs, times, every_seconds, patient, seed):
    """The tally of so many pairs, over so many restarts."""
    return asyncio.run(_run(server, context, pairs, times, every_seconds, patient, seed))


def lost_actions(server, tally):
    """Acknowledged actions that the server does not have, as room, seq and action."""
    lost = []
    looker = server.client()
    for room, actions in tally.acknowledged.items():
        looker.send({"type": "state", "room": room, "since": 0})
        events = {}
        while True:
            line = looker.next_event()
            if line["type"] == "ok":
                break
            assert line["type"] != "error", line
            events[line.get("seq")] = line
        for seq, (kind, where) in actions.items():
            event = events.get(seq, {})
            got = event.get("squares") if kind == "move" else event.get("square")
            if got != where:
                lost.append((room, seq, kind, where, event))
    looker.close()
    return lost
