"""A document of rules taken apart: its parts, and the boards in it with what is said beneath each.

A fence marked `board` holds a game in Goff's notation, an empty line, and the board after it. A game
that begins with `…,` goes on from that of the board before. The drawing is the one in the server's
words, but where a measurement is due an empty line is in place of the two lines of words there."""

import re

import qttt

FENCE = re.compile(r"^```board\n.*?^```$", re.DOTALL | re.MULTILINE)
KINDS = (("board", "```board\n"), ("title", "# "), ("heading", "## "), ("table", r"\|"),
         ("list", "- "))
BOARD_ROWS, OUTCOME_ROWS = 11, 3


class Part:
    """A heading, a board, a table, a list or a paragraph."""

    def __init__(self, text):
        self.text = text
        self.kind = next((kind for kind, begins in KINDS if re.match(begins, text)), "paragraph")

    @property
    def rows(self):
        """Of a table: the cells of each row below its head."""
        return [[cell.strip() for cell in line.strip("|").split("|")]
                for line in self.text.splitlines()[2:]]


class Board:
    """`after` is the paragraph below it, `below` all that is said before the next board."""

    def __init__(self, fence, below, before):
        written, _, drawing = fence[len("```board\n"):-len("```")].partition("\n\n")
        record = "".join(written.split())
        self.record = before.record + record[1:] if record.startswith("…,") else record
        self.drawing = drawing.splitlines()
        self.after, *_ = self.below = [" ".join(part.text.split()) for part in below]


def parts(text):
    """In their order; an empty line ends one, but within a fence."""
    at = 0
    for fence in FENCE.finditer(text):
        yield from paragraphs(text[at:fence.start()])
        yield Part(fence[0])
        at = fence.end()
    yield from paragraphs(text[at:])


def paragraphs(text):
    return [Part(piece.strip("\n")) for piece in re.split(r"\n\n+", text) if piece.strip()]


class Rulebook:
    def __init__(self, name):
        self.text = (qttt.ROOT / "protocol" / name).read_text("utf-8")
        self.parts = list(parts(self.text))
        self.tables = [part.rows for part in self.parts if part.kind == "table"]
        self.boards = []
        at = [i for i, part in enumerate(self.parts) if part.kind == "board"]
        for first, end in zip(at, [*at[1:], len(self.parts)]):
            self.boards.append(Board(self.parts[first].text, self.parts[first + 1:end],
                                     self.boards[-1] if self.boards else None))

    def records_told(self):
        """Games within a sentence, whole ones from the first move on."""
        told = re.findall(r"`(1:X[^`]+)`", "\n".join(
            part.text for part in self.parts if part.kind in ("paragraph", "list")))
        return list(dict.fromkeys(told))


def drawing(client, record):
    """The board as the server draws it for `client`, who is told in words only."""
    client.send(f"analyse record={record}")
    lines = [""]
    while not lines[-1].startswith(("# If both play", "# It ended so")):
        lines.append(client.read_line().decode("utf-8"))
        assert "refused" not in lines[-1], (record, lines[-1])
    lines = [line.removeprefix("# ") for line in lines]
    first = next(i for i, line in enumerate(lines) if line.startswith(" 1 "))
    end = first + BOARD_ROWS
    is_due = lines[end].startswith("Cycle ")
    outcomes = ["", *lines[end + 2:end + 2 + OUTCOME_ROWS]] if is_due else []
    return lines[first:end] + outcomes


def actions(record):
    """A game in Goff's notation as qttt.Game plays it; without its score."""
    for first, second, square in re.findall(
            r"\d:[XO]\((\d)-(\d)\)|\dc:[XO]\([XO]\d\((\d)\)\)", record):
        yield square or (f"={first}" if first == second else f"{first}-{second}")
