"""The dialogues in README.md are played against the real server, so that they stay true.

In a fence marked `transcript`, `ala> words` is typed by Ala and `ala< line` is what she is told.
All such fences under one heading are one dialogue. A line told may be left out of the README, those
that are there come in their order; `…` stands for any text within a line, and the README's room ids
for the rooms that the server made."""

import re

import pytest

import qttt

SHOWN_ROOM = re.compile(r"\b(?:k7m2q|p4x9t)\b")
ROOM = "[2-9a-hjkmnp-z]{5,16}"


def dialogues():
    """The dialogue under each heading: (who, "<" or ">", text) of each line."""
    text = (qttt.ROOT / "README.md").read_text(encoding="utf-8")
    for section in re.split(r"^## ", text, flags=re.MULTILINE):
        fences = re.findall(r"^```transcript\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
        spoken = []
        for line in "".join(fences).splitlines():
            found = re.fullmatch(r"(\w+)([<>]) (.*)", line)
            assert found, f"neither typed nor told: {line!r}"
            spoken.append(found.groups())
        if spoken:
            yield pytest.param(spoken, id=section.splitlines()[0])


def is_refusal(line):
    return line.startswith(('{"type":"error"', "# Refused: ")) or " was refused: " in line


class Player:
    def __init__(self, port):
        self.client = qttt.Client(port, welcome=False)
        self.unread = []
        self.has_quit = False

    def type(self, words):
        self.client.send(words)
        self.has_quit = words == "quit"

    def read(self):
        if self.unread:
            return self.unread.pop(0)
        return self.client.read_line().decode("utf-8")

    def settle(self):
        """All that was typed is answered, and what was told of it is here to be read."""
        if self.has_quit:
            return
        self.client.send("ping id=settled")
        while True:
            line = self.client.read_line().decode("utf-8")
            if line.startswith(('{"type":"ok","re":"settled"', "# The server answers;")):
                return
            self.unread.append(line)


class Table:
    """Who sits at it, and what the rooms are really called."""

    def __init__(self, server):
        self.server = server
        self.players = {}
        self.rooms = {}

    def player(self, name):
        if name not in self.players:
            self.players[name] = Player(self.server.port)
        return self.players[name]

    def type(self, name, words):
        """Typed once everybody has been told of what was typed before."""
        for player in self.players.values():
            player.settle()
        self.player(name).type(
            SHOWN_ROOM.sub(lambda shown: self.rooms.get(shown[0], shown[0]), words))

    def pattern(self, shown):
        pattern, named = "", set()
        for part in re.split(rf"(…|{SHOWN_ROOM.pattern})", shown):
            if part == "…":
                pattern += ".*"
            elif SHOWN_ROOM.fullmatch(part) and part not in self.rooms:
                pattern += f"(?P={part})" if part in named else f"(?P<{part}>{ROOM})"
                named.add(part)
            else:
                pattern += re.escape(self.rooms.get(part, part))
        return pattern

    def hear(self, name, shown):
        pattern = self.pattern(shown)
        heard = []
        while True:
            try:
                heard.append(self.player(name).read())
            except (qttt.Late, qttt.Closed):
                raise AssertionError("\n".join(["never told:", shown, "but:", *heard]))
            found = re.fullmatch(pattern, heard[-1])
            assert found or not is_refusal(heard[-1]), f"before {shown!r} came {heard[-1]!r}"
            if found:
                self.rooms.update(found.groupdict())
                return


@pytest.mark.parametrize("spoken", dialogues())
def test_a_dialogue_in_the_readme_is_true(own_server, spoken):
    table = Table(own_server)
    for name, direction, text in spoken:
        if direction == ">":
            table.type(name, text)
        else:
            table.hear(name, text)
    assert table.rooms
    assert sum(direction == "<" for _, direction, _ in spoken) >= 10
    for player in table.players.values():
        player.settle()
        assert not [line for line in player.unread if is_refusal(line)]
        player.client.close()


def test_the_readme_has_a_game_in_json_and_an_evening_in_words():
    assert len(list(dialogues())) == 2
