"""What may stand in a member: every text that could trick who reads it, and every number at an edge,
in every member of every request that `help` tells of."""

import json
import unicodedata

import pytest

import qttt

INTEGERS = ["0", "-0", "1", "-1", "10", "9223372036854775807", "-9223372036854775808"]
BEYOND = ["9223372036854775808", "-9223372036854775809", "1e400", "-1e400",
          "1" + "0" * 400]
REALS = ["1.0", "-0.0", "1e2", "0.5", "1e-400", "1E+2", "123456789.123456789e-300"]

# Escaped, as ASCII, and the same as bytes.
TRICKS = ["\x1b[2J\x1b[31mred", "\x07", "\x7f", "\x00", "a\x00b", "\u0085", "\u009b31m", "\u200b",
          "\u202eevil", "\u2066a\u2069", "\u200f", "\u2028", "\u2029", "\ufeff", "\ufffe", "\ufdd0",
          "\U000e0001", "\u0301" * 60, "a\nb", "a\r\nmove 1 5", "\t", "\\", '"', '"}\n{"type":"ok"}',
          "\u00ad", "\u180e", "x" * 1000, "\U0001f600" * 300, "%s%n%x", "'; drop table players;--",
          "ﷺ" * 50, "İ" * 20, "ß" * 20, "", " ", "  a  "]
BROKEN = [rb'"\ud800"', rb'"\udc00\ud800"', b'"\xff"', b'"\xc0\x80"', b'"\xed\xa0\x80"', rb'"\x41"',
          b'"\x01"', b'"', rb'"\u12"', rb'"\u0000"']


@pytest.fixture(scope="module")
def members(server):
    """(request, member) of all that `help` tells of, and `id` of each."""
    requests = server.client().ok("help")["requests"]
    assert len(requests) > 20
    return [(row["type"], member.rstrip("?"))
            for row in requests if row["type"] not in ("quit", "forget")
            for member in [*row["members"], "id"]]


class Asker:
    """Asks one thing after the other, with a room of its own; who watches, who follows the lobby
    and who reads words hears what is clean."""

    def __init__(self, server):
        self.lobby, self.watcher, self.reader, self.client = (server.client() for _ in range(4))
        self.lobby.ok("lobby follow")
        self.client.ok("create X")
        self.room = self.client.ok("create X")["room"]
        self.watcher.ok(f"watch {self.room}")
        self.reader.send("text only")
        self.reader.send(f"watch {self.room}")

    def ask(self, line):
        reply = self.client.ask(line)
        assert reply.get("code") not in ("internal", "unavailable", "unknown_type"), (line, reply)
        return reply

    def others_heard_what_is_clean(self):
        self.watcher.ok({"type": "say", "room": self.room, "text": "all is well"})
        for client in (self.lobby, self.watcher):
            client.ok("ping")
            for line in client.waiting:
                assert is_clean(line), line[""]
            client.waiting.clear()
        while b"all is well" not in (line := self.reader.read_line()):
            assert is_clean(line.decode("utf-8")), line


def is_clean(value):
    if isinstance(value, dict):
        return all(is_clean(each) for key, each in value.items() if key)
    if isinstance(value, list):
        return all(map(is_clean, value))
    return not isinstance(value, str) or all(
        unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in value)


def line_of(type_, member, value):
    return b'{"type":"%s","%s":%s}\n' % (type_.encode(), member.encode(), value)


def test_every_number_at_an_edge_has_its_answer_in_every_member(server, members):
    asker = Asker(server)
    for type_, member in members:
        for number in INTEGERS:
            reply = asker.ask(line_of(type_, member, number.encode()))
            if member == "id":
                assert reply["re"] == int(number), reply
        for number in BEYOND:
            reply = asker.ask(line_of(type_, member, number.encode()))
            assert reply["code"] == "bad_json", (type_, member, number, reply)
        for number in REALS:
            reply = asker.ask(line_of(type_, member, number.encode()))
            assert reply["code"] == "bad_request" and reply["field"] == member, reply
    asker.others_heard_what_is_clean()


def test_squares_at_every_edge_are_refused_by_name(server):
    played = qttt.Game(server)

    def refused(one, other, code, **members):
        line = '{"type":"move","squares":[%s,%s]}\n' % (one, other)
        played.x.refused(line.encode(), code, **members)

    for number in INTEGERS:
        if number != "1":
            refused(number, "1", "bad_square")
            refused("1", number, "bad_square")
    for number in BEYOND:
        refused("1", number, "bad_json")
    for number in REALS:
        refused("1", number, "bad_request", field="squares")
    played.play("1-5")


def test_no_text_that_tricks_its_reader_reaches_another(server, members):
    for type_ in dict.fromkeys(type_ for type_, _ in members):
        asker = Asker(server)
        for member in [member for owner, member in members if owner == type_]:
            room = b"" if member == "room" else b'"room":"%s",' % asker.room.encode()
            for trick in TRICKS:
                for ascii_ in (True, False):
                    text = json.dumps(trick, ensure_ascii=ascii_).encode("utf-8")
                    asker.ask(b'{"type":"%s",%s"%s":%s}\n' % (
                        type_.encode(), room, member.encode(), text))
        asker.others_heard_what_is_clean()


def test_what_is_no_text_is_bad_json_in_every_member(server, members):
    asker = Asker(server)
    for type_, member in members:
        for broken in BROKEN:
            reply = asker.ask(line_of(type_, member, broken))
            assert reply["code"] == "bad_json", (type_, member, broken, reply)
    asker.others_heard_what_is_clean()
