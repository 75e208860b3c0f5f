"""Dialogues in text: who sends what, and what each must receive next.

    A> words or JSON     A sends this line; the first line of A connects it
    A< pattern           the next line that A receives is like this
    A< …                 whatever comes, up to the next line that A must receive
    OP> words            the same at the operator's door
    A! close             A closes its connection; `drop` resets it, `end` ends its input
    # a remark

A pattern is JSON in which `…` stands for anything: a value, the members or elements that are not
shown, any text within a string. ROOM1, TOKEN1, GUEST1, CURSOR1 stand for what the server made up:
the same each time, and different for each number. Members that are shown must come in the order
shown. A pattern that begins with `#` is one for a line of words, with the same freedoms. Presence
comes when it likes: it is passed over unless the pattern is one of presence. At the end nothing
else may be waiting for anyone, but for who ends with `A< …`.
"""

import json
import re

import qttt

LINE = re.compile(r"(\w+)([<>!]) ?(.*)")
MADE_UP = re.compile(r"(ROOM|TOKEN|GUEST|CURSOR)\d")
PRESENCE = re.compile(r"# (\[\w+\] )?(Watching: \d+|\S+ is (here|away))\.( If .*)?")
ANYTHING = object()
# Who is called so comes by the operator's door.
OPERATOR = "OP"


class Pattern:
    """JSON with `…`: objects are lists of (name, pattern), ANYTHING stands for itself."""

    def __init__(self, text):
        self.text, self.at = text, 0
        self.value = self.parse()
        self.skip()
        assert self.at == len(text), f"{text!r}: what is {text[self.at:]!r}?"

    def skip(self):
        while self.text[self.at:self.at + 1] == " ":
            self.at += 1

    def take(self, token):
        self.skip()
        found = self.text.startswith(token, self.at)
        self.at += len(token) if found else 0
        return found

    def parse(self):
        if self.take("…"):
            return ANYTHING
        if self.take("{"):
            return dict(self.items("}", self.member))
        if self.take("["):
            return list(self.items("]", self.parse))
        value, self.at = json.JSONDecoder().raw_decode(self.text, self.at)
        return value

    def member(self):
        if self.take("…"):
            return (ANYTHING, self.at), ANYTHING
        self.skip()
        name, self.at = json.JSONDecoder().raw_decode(self.text, self.at)
        assert self.take(":"), f"{self.text!r}: no colon at {self.at}"
        return name, self.parse()

    def items(self, end, item):
        while not self.take(end):
            yield item()
            assert self.take(",") or self.text.startswith(end, self.at), \
                f"{self.text!r}: no comma at {self.at}"


class Words:
    """A pattern for a line of words."""

    def __init__(self, text):
        self.text = text

    def match(self, line, names):
        names.match_words(self.text, line)


class Json:
    """A pattern for a line of JSON."""

    def __init__(self, text):
        self.text, self.value = text, Pattern(text).value

    def match(self, line, names):
        if not line.startswith("{"):
            raise Mismatch("no JSON")
        names.match(self.value, json.loads(line))


def pattern_of(text):
    return Words(text) if text.startswith("#") else Json(text)


def is_presence(line):
    return bool(PRESENCE.fullmatch(line)) or line.startswith('{"type":"presence"')


class Mismatch(AssertionError):
    pass


class Names:
    """What the made-up names of a dialogue stand for."""

    def __init__(self):
        self.known = {}

    def put_in(self, line):
        return MADE_UP.sub(lambda found: self.known[found[0]], line)

    def match_text(self, pattern, value, where):
        if MADE_UP.fullmatch(pattern):
            if pattern not in self.known and value not in self.known.values():
                self.known[pattern] = value
            same = self.known.get(pattern) == value
        else:
            parts = self.put_in(pattern).split("…")
            same = re.fullmatch(".*".join(map(re.escape, parts)), value)
        if not same:
            raise Mismatch(f"{where}: {value!r} is not {pattern!r} ({self.known.get(pattern)!r})")

    def match_words(self, pattern, line):
        groups = []
        expression = ""
        for part in re.split(r"(…|\b(?:ROOM|TOKEN|GUEST|CURSOR)\d\b)", pattern):
            if part == "…":
                expression += ".*"
            elif MADE_UP.fullmatch(part) and part not in self.known and part not in groups:
                groups.append(part)
                expression += rf"(?P<{part}>[\w-]+)"
            elif part in groups:
                expression += f"(?P={part})"
            else:
                expression += re.escape(self.known.get(part, part))
        found = re.fullmatch(expression, line)
        if not found or set(found.groupdict().values()) & set(self.known.values()):
            raise Mismatch(f"{line!r} is not {pattern!r}")
        self.known.update(found.groupdict())

    def match(self, pattern, value, where="line"):
        if pattern is ANYTHING:
            return
        if isinstance(pattern, dict) and isinstance(value, dict):
            self.match_object(pattern, value, where)
        elif isinstance(pattern, list) and isinstance(value, list):
            self.match_list(pattern, value, where)
        elif isinstance(pattern, str) and isinstance(value, str):
            self.match_text(pattern, value, where)
        elif pattern != value or isinstance(pattern, bool) != isinstance(value, bool):
            raise Mismatch(f"{where}: {value!r} is not {pattern!r}")

    def match_object(self, pattern, value, where):
        shown = [name for name in pattern if isinstance(name, str)]
        extra = [name for name in value if name not in pattern]
        if extra and len(shown) == len(pattern):
            raise Mismatch(f"{where}: has {extra} too")
        if [name for name in value if name in pattern] != shown:
            raise Mismatch(f"{where}: members {list(value)}, not {shown}")
        for name in shown:
            self.match(pattern[name], value[name], f"{where}.{name}")

    def match_list(self, pattern, value, where):
        shown = [item for item in pattern if item is not ANYTHING]
        if len(shown) == len(pattern) and len(shown) != len(value) or len(shown) > len(value):
            raise Mismatch(f"{where}: {len(value)} elements, not {len(shown)}")
        for index, item in enumerate(shown):
            self.match(item, value[index], f"{where}[{index}]")


class Speaker:
    """One client of a dialogue."""

    def __init__(self, server, who, keeps_welcome):
        connect = server.operator if who == OPERATOR else server.client
        self.client = connect(welcome=not keeps_welcome)
        self.anything_goes = False
        self.over = False

    def hear(self, pattern, names):
        while True:
            line = self.client.read_line().decode("utf-8")
            try:
                pattern.match(line, names)
                break
            except Mismatch as mismatch:
                if not self.anything_goes and not is_presence(line):
                    raise AssertionError(f"expected {pattern.text}\nreceived {line}\n"
                                         f"{mismatch}") from None
        self.anything_goes = False
        if line.startswith('{"type":"bye"') or line == "# Goodbye.":
            self.client.expect_closed()
            self.over = True

    def expect_nothing(self):
        """Nothing that was sent before a ping is answered is left to read, presence apart."""
        left = []
        self.client.send({"type": "ping", "id": "is that all?"})
        while not left or not re.match(r'\{"type":"ok","re":"is that all\?"|# The server answers;',
                                       left[-1]):
            left.append(self.client.read_line().decode("utf-8"))
        left = [line for line in left[:-1] if not is_presence(line)]
        assert not left, left

    def act(self, words):
        {"close": self.client.close, "drop": self.client.drop, "end": self.client.half_close}[
            words]()
        self.over = True


def parse(text):
    """(number, who, sign, rest) of each line of a dialogue."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = LINE.fullmatch(line)
        assert found, f"line {number}: {line!r}"
        lines.append((number, *found.groups()))
    return lines


def wants_welcome(lines, who):
    first = next((rest for _, name, sign, rest in lines if name == who and sign == "<"), "")
    # Who is not let in hears an error in its place.
    return first.startswith(('{"type":"welcome"', '{"type":"error","code"'))


def play(server, text):
    names, speakers, lines = Names(), {}, parse(text)
    for number, who, sign, rest in lines:
        try:
            if who not in speakers:
                speakers[who] = Speaker(server, who, wants_welcome(lines, who))
            speaker = speakers[who]
            if sign == ">":
                speaker.client.send(names.put_in(rest))
            elif sign == "!":
                speaker.act(rest)
            elif rest == "…":
                speaker.anything_goes = True
            else:
                speaker.hear(pattern_of(rest), names)
        except Exception as error:
            raise AssertionError(f"line {number}: {who}{sign} {rest}\n{error}") from error
    for who, speaker in speakers.items():
        if not speaker.over and not speaker.anything_goes:
            try:
                speaker.expect_nothing()
            except AssertionError as error:
                raise AssertionError(f"at the end {who} also received {error}") from None
