"""Players who play without a pause, and what they were promised."""

import json
import random
import threading

import qttt


def since(client, room, seq):
    """The later events of a room as bytes, and its snapshot."""
    client.send({"type": "state", "room": room, "since": seq})
    lines = []
    while True:
        line = client.next_event()
        if line["type"] == "ok":
            return lines, line["state"]
        assert line["type"] != "error", line
        if line.get("room") == room and "seq" in line:
            lines.append(line[""])


def since_the_start(client, room):
    return since(client, room, 0)


class Load(threading.Thread):
    """One pair that plays game after game and notes what it was promised."""

    def __init__(self, server, seed):
        super().__init__(daemon=True)
        self.random = random.Random(seed)
        self.server = server
        self.promised = {}  # room: the last seq that an ok gave
        self.told = {}      # room: {seq: bytes}
        self.players = [server.client(), server.client()]
        self.tokens = []
        self.error = None
        self.games = qttt.vector_games()

    def run(self):
        try:
            for player in self.players:
                reply = player.ok("hello")
                self.tokens.append((reply["name"], reply["token"]))
            while True:
                self.play(self.random.choice(self.games))
        except (qttt.Closed, OSError):
            pass
        except BaseException as error:  # shown by the test
            self.error = error

    def ask(self, player, request):
        player.send(request)
        while True:
            line = player.read()
            self.note(line)
            if line["type"] in ("ok", "error"):
                assert line["type"] == "ok", line
                if "seq" in line:
                    self.promised[line["room"]] = max(line["seq"],
                                                      self.promised.get(line["room"], 0))
                return line

    def note(self, line):
        if "seq" in line and line["type"] not in ("ok", "error", "state"):
            self.told.setdefault(line["room"], {})[line["seq"]] = line[""]

    def play(self, game):
        x, o = self.players
        opened = self.ask(x, {"type": "create", "side": "X"})
        room = opened["room"]
        self.promised[room] = opened["state"]["seq"]
        self.promised[room] = self.ask(o, {"type": "join", "room": room})["state"]["seq"]
        for action, view in zip(game["actions"], game["views"]):
            self.ask(x if view["turn"] == "X" else o, qttt.action_request(action, room))


def check_promises(server, load):
    """Everything acknowledged is there, once, in order, and as it was told. Returns how many
    events that is."""
    looker = server.client()
    checked = 0
    for name, token in load.tokens:
        back = server.client()
        assert back.ok({"type": "hello", "token": token})["name"] == name
        back.close()
    for room, seq in load.promised.items():
        lines, state = since_the_start(looker, room)
        assert state["seq"] >= seq, (room, seq, state["seq"])
        assert [json.loads(line)["seq"] for line in lines] == list(range(1, state["seq"] + 1))
        for told_seq, told in load.told.get(room, {}).items():
            assert lines[told_seq - 1] == told
        checked += len(lines)
    looker.close()
    return checked
