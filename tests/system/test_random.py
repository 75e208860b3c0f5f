"""Random requests by random clients: nothing is `internal`, followers agree to the byte, and after
kill -9 every room is as it was told. QTTT_SEED repeats a run."""

import qttt

REQUESTS = 4000
CLIENTS = 8
NAMES = ["ala", "ola", "ela"]
ROOM_TYPES = ["join", "decline", "watch", "leave", "resign", "abort", "draw", "rematch", "say",
              "state", "move", "collapse", "analyse"]
TYPES = ["hello", "help", "who", "mute", "ping", "create", "match", "lobby", *ROOM_TYPES,
         "join", "move", "move", "move", "collapse", "rematch"]


class Crowd:
    def __init__(self, server, choice):
        self.server, self.choice = server, choice
        self.clients = [server.client() for _ in range(CLIENTS)]
        self.rooms = ["zzzzz"]
        self.tokens = ["A" * 30]
        self.told = {}  # (room, seq): bytes
        self.accepted = 0

    def members(self, type_):
        """Each member that this type may have: how often, and what."""
        pick, number = self.choice.choice, self.choice.randrange
        members = {
            "hello": [("name", 0.4, pick([*NAMES, f"n{number(50)}"])),
                      ("token", 0.4, pick(self.tokens))],
            "mute": [("name", 1, pick(NAMES)), ("on", 0.5, pick([True, False]))],
            "create": [("opponent", 0.4, pick([*NAMES, "bot-random", "bot-perfect"])), ("side", 0.6, pick(["X", "O", "random"])),
                       ("private", 0.3, True), ("title", 0.3, "a title")],
            "lobby": [("status", 0.6, pick(["waiting", "playing", "over"])),
                      ("follow", 0.5, pick([True, False])), ("limit", 0.5, number(1, 9))],
            "move": [("squares", 1, [number(1, 10) for _ in range(pick([1, 2, 2, 2]))]),
                     ("move", 0.1, number(1, 10))],
            "collapse": [("square", 1, number(1, 10)),
                         ("mark", 0.2, pick("XO") + str(number(1, 10)))],
            "draw": [("accept", 0.5, pick([True, False]))],
            "say": [("text", 1, "words")],
            "state": [("since", 0.3, number(12))],
            "watch": [("since", 0.3, number(12))],
            "analyse": [("steps", 0.5, pick([True, False])),
                        ("actions", 0.3, [{"squares": [number(1, 10), number(1, 10)]}]),
                        ("record", 0.1, pick(["1:X(1-5)", "1:X(1-5),2:O(1-5)", "1:O(1-5)"]))],
        }.get(type_, [])
        if type_ in ROOM_TYPES:
            members.append(("room", 0.8, pick(self.rooms[-6:])))
        return members

    def request(self):
        type_ = self.choice.choice(TYPES)
        return {"type": type_, **{name: value for name, often, value in self.members(type_)
                                  if self.choice.random() < often}}

    def client(self):
        """One of them; now and then a new one in his place."""
        index = self.choice.randrange(CLIENTS)
        if self.choice.random() < 0.01:
            old = self.clients[index]
            self.choice.choice([old.close, old.drop])()
            self.server.clients.remove(old)
            self.clients[index] = self.server.client()
        return self.clients[index]

    def note(self, event):
        if "seq" in event and event["type"] != "state":
            told = self.told.setdefault((event["room"], event["seq"]), event[""])
            assert told == event[""]

    def ask(self):
        client, request = self.client(), self.request()
        reply = client.ask(request)
        while client.waiting:
            self.note(client.waiting.popleft())
        assert reply.get("code") not in ("internal", "unavailable"), (request, reply)
        self.accepted += reply["type"] == "ok"
        if "token" in reply:
            self.tokens.append(reply["token"])
        for member in ("room", "new"):
            if reply["type"] == "ok" and member in reply and reply[member] not in self.rooms:
                self.rooms.append(reply[member])

    def check(self, client, room):
        """All of a room's events are there, numbered without gaps, as they were told."""
        client.send({"type": "state", "room": room, "since": 0})
        seq = 0
        while (line := client.read())["type"] not in ("ok", "error"):
            seq += 1
            assert line["seq"] == seq
            assert line[""] == self.told.pop((room, seq), line[""])
        assert line["type"] == "ok" and line["state"]["seq"] == seq, line


def test_random_requests_are_survived_and_what_was_told_is_kept(own_server, choice):
    crowd = Crowd(own_server, choice)
    for _ in range(REQUESTS):
        crowd.ask()
    assert crowd.accepted > REQUESTS / 10
    for client in crowd.clients:
        client.close()
    own_server.kill()
    own_server.start()
    looker = own_server.client()
    for room in crowd.rooms[1:]:
        crowd.check(looker, room)
    assert not crowd.told
