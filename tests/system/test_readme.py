"""The dialogue in README.md is played against the real server, so that it stays true.

In a fence marked `transcript`, `ala> words` is typed by Ala and `ala< line` is what she is told.
All such fences are one dialogue. A line told may be left out of the README, those that are there
come in their order; `…` stands for any text within a line, and the README's room id for the room
that the server made."""

import re

import qttt

SHOWN_ROOM = "k7m2q"
ROOM = "(?P<room>[2-9a-hjkmnp-z]{5,16})"


def dialogue():
    """(who, "<" or ">", text) of each line."""
    text = (qttt.ROOT / "README.md").read_text(encoding="utf-8")
    fences = re.findall(r"^```transcript\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    spoken = []
    for line in "".join(fences).splitlines():
        found = re.fullmatch(r"(\w+)([<>]) (.*)", line)
        assert found, f"neither typed nor told: {line!r}"
        spoken.append(found.groups())
    return spoken


class Player:
    def __init__(self, port):
        self.client = qttt.Client(port, welcome=False)
        self.unanswered = 0

    def type(self, words):
        self.client.send(words)
        self.unanswered += 1

    def read(self):
        line = self.client.read_line().decode("utf-8")
        if line.startswith(('{"type":"ok"', '{"type":"error"')):
            self.unanswered -= 1
        return line


class Table:
    """Who sits at it, and what the room is really called."""

    def __init__(self, server):
        self.server = server
        self.players = {}
        self.room = None

    def player(self, name):
        if name not in self.players:
            self.players[name] = Player(self.server.port)
        return self.players[name]

    def type(self, name, words):
        """Typed once everybody has read the answers to what was typed before."""
        for player in self.players.values():
            while player.unanswered:
                refused = player.read().startswith('{"type":"error"')
                assert not refused, f"{name} would type {words!r}, but an error came before"
        self.player(name).type(words.replace(SHOWN_ROOM, self.room or SHOWN_ROOM))

    def hear(self, name, shown):
        pattern = ".*".join(re.escape(part) for part in shown.split("…"))
        pattern = pattern.replace(SHOWN_ROOM, self.room or ROOM, 1)
        pattern = pattern.replace(SHOWN_ROOM, self.room or "(?P=room)")
        heard = []
        while True:
            try:
                heard.append(self.player(name).read())
            except (qttt.Late, qttt.Closed):
                raise AssertionError("\n".join(["never told:", shown, "but:", *heard]))
            found = re.fullmatch(pattern, heard[-1])
            if found:
                self.room = self.room or found.groupdict().get("room")
                return


def test_the_dialogue_in_the_readme_is_true(server):
    spoken = dialogue()
    table = Table(server)
    for name, direction, text in spoken:
        if direction == ">":
            table.type(name, text)
        else:
            table.hear(name, text)
    assert table.room
    assert sum(direction == "<" for _, direction, _ in spoken) >= 10
    for player in table.players.values():
        player.client.close()
