"""protocol/RULES.md and RULES.pl.md: what they draw and claim is so, and both tell the same."""

import re

import pytest

import qttt
import rulebook

ENGLISH, POLISH = rulebook.Rulebook("RULES.md"), rulebook.Rulebook("RULES.pl.md")
HALVES = {0: "0", 0.5: "½", 1: "1", 1.5: "1½", 2: "2"}


class Language:
    def __init__(self, book, **patterns):
        self.book = book
        self.__dict__.update(patterns)


# How each document says what can be looked up. In `stands` a mark and its square are the groups.
LANGUAGES = [
    Language(ENGLISH, column=0, chooses="{} chooses: {} to {} or to {}.",
             any_choice=r"[XO] chooses: [XO]\d", wins="{} wins, {} to {}",
             any_win=r"[XO] wins, \d", draw="a draw, 0 to 0", points="{} to {}",
             stands=r"([XO]\d) (?:(?:had to go |go )?(?:to|in|into)|(?:stays|must be|is) in) (\d)"),
    Language(POLISH, column=1, chooses="Wybiera {}: {} na {} albo na {}.",
             any_choice=r"Wybiera [XO]: [XO]\d", wins="{} wygrywa, {} do {}",
             any_win=r"[XO] wygrywa, \d", draw="remis, 0 do 0", points="{} do {}",
             stands=r"([XO]\d) (?:(?:musi |musiałby )?trafi(?:ć)? |był |zostanie )?na (\d)"),
]
BOTH = pytest.mark.parametrize("language", LANGUAGES, ids=["English", "Polish"])

# A game for each row of the table of points.
GAMES_OF_POINTS = [
    "1:X(1-5),2:O(5-9),3:X(3-9),4:O(1-9),4c:X(O4(1)),5:X(7-8),6:O(7-8),6c:X(O6(8))",
    "1:X(1-7),2:O(6-8),3:X(2-8),4:O(5-9),5:X(1-6),6:O(7-9),7:X(2-3),8:O(3-5),8c:X(O8(5))",
    "1:X(5-7),2:O(3-8),3:X(2-4),4:O(4-7),5:X(2-3),6:O(2-9),7:X(1-8),8:O(6-8),9:X(4-5),9c:O(X9(5))",
    "1:X(1-4),2:O(4-7),3:X(7-8),4:O(8-9),5:X(9-6),6:O(6-3),7:X(3-2),8:O(2-3),8c:X(O8(2)),9:X(5-5)",
    "1:X(4-5),2:O(5-8),3:X(8-9),4:O(1-7),5:X(3-4),6:O(4-7),7:X(2-7),8:O(5-6),9:X(6-8),9c:O(X9(8))",
]
# The games that are told in a sentence, and the position that each leads to; None if it is refused.
POSITIONS = {
    "1:X(1-2),2:O(1-3),3:X(1-4)": {"phase": "move", "turn": "O", "cycle": None},
    "1:X(1-5),2:O(1-5)": {"phase": "collapse", "turn": "X", "cycle": [1, 5]},
    "1:X(1-5),2:O(2-3),3:X(1-5)": {"phase": "collapse", "turn": "O", "cycle": [1, 5]},
    "1:X(1-5),2:O(2-3),3:X(1-5),3c:O(X3(5))": {
        "phase": "move", "turn": "O", "squares": ["X1", ["O2"], ["O2"], [], "X3", [], [], [], []]},
    "1:X(1-4),2:O(8-9),3:X(2-5),4:O(7-8),5:X(3-6)": {"phase": "move", "turn": "O"},
    "1:X(1-5),2:O(1-5),2c:X(O2(5)),3:X(5-6)": None,
    "1:X(1-9)": {"phase": "move"},
    "1:X(3-7)": {"phase": "move"},
}


@pytest.fixture(scope="module")
def reader(server):
    """Somebody who is told in words."""
    client = server.client()
    client.send("text only")
    client.read_line()
    return client


def analysed(server, record):
    return server.client().ok({"type": "analyse", "record": record})


def ended(server, record):
    """How the game ends when it is played."""
    game = qttt.Game(server)
    game.play(*rulebook.actions(record))
    return game.hear("ended")


def told_points(language, score):
    more, less = sorted(score.values(), reverse=True)
    return language.points.format(HALVES[more], HALVES[less])


@BOTH
def test_each_board_of_the_rules_is_drawn_by_the_server_from_the_moves_above_it(language, reader):
    assert len(language.book.boards) >= 10
    for board in language.book.boards:
        assert board.drawing == rulebook.drawing(reader, board.record), board.record


@BOTH
def test_the_rules_say_beneath_a_board_who_chooses_between_what(language, server):
    told = 0
    for board in language.book.boards:
        position = analysed(server, board.record)["board"]
        if position["phase"] == "collapse":
            mark = "XO"[position["move"] % 2 == 0] + str(position["move"])
            words = language.chooses.format(position["turn"], mark, *position["choices"])
            told += 1
            assert any(words in part for part in board.below), board.record
    assert told == len(re.findall(language.any_choice, language.book.text)) == 3


@BOTH
def test_the_rules_say_beneath_a_board_who_won_by_which_lines(language, server):
    wins = 0
    for board in language.book.boards:
        if analysed(server, board.record)["board"]["phase"] != "over":
            continue
        end = ended(server, board.record)
        lines = [(line["mark"], line["squares"], line["max"]) for line in end["lines"]]
        named = re.findall(r"\b(\d)-(\d)-(\d)\b", board.after)
        assert sorted([int(n) for n in one] for one in named) == sorted(one for _, one, _ in lines)
        assert {f"{mark}{last}" for mark, _, last in lines} <= set(re.findall(r"[XO]\d", board.after))
        winner = max(end["score"], key=end["score"].get)
        more, less = sorted(end["score"].values(), reverse=True)
        wins += more > less
        assert (language.wins.format(winner, HALVES[more], HALVES[less])
                if more > less else language.draw) in board.after
    assert wins == len(re.findall(language.any_win, language.book.text)) == 2


@BOTH
def test_where_the_rules_say_that_a_mark_is_there_it_is_or_may_be(language, server):
    told = 0
    for board in language.book.boards:
        squares = analysed(server, board.record)["board"]["squares"]
        for mark, square in re.findall(language.stands, board.after):
            held = squares[int(square) - 1]
            assert mark in ([held] if isinstance(held, str) else held), (board.record, mark, square)
            told += 1
    assert told >= 10


@BOTH
def test_the_first_game_of_the_rules_has_a_board_after_each_action(language):
    played = [list(rulebook.actions(board.record)) for board in language.book.boards]
    count = len(max((game for game in played[:8]), key=len))
    assert count == 8 and played[:8] == [played[7][:n + 1] for n in range(8)]


@BOTH
def test_the_table_of_points_in_the_rules_is_how_games_end(language, server):
    rows = language.book.tables[0]
    assert len(rows) == len(GAMES_OF_POINTS)
    for (_, points), record in zip(rows, GAMES_OF_POINTS):
        assert points == told_points(language, ended(server, record)["score"]), record


@BOTH
def test_each_game_in_a_sentence_of_the_rules_leads_where_it_says(language, server):
    assert language.book.records_told() == list(POSITIONS)
    for record, wanted in POSITIONS.items():
        request = {"type": "analyse", "record": record}
        if wanted is None:
            server.client().refused(request, "bad_request", field="record")
        else:
            board = server.client().ok(request)["board"]
            assert {name: board[name] for name in wanted} == wanted, record


@BOTH
def test_the_items_of_goffs_notation_in_the_rules_are_read(language, server):
    items = [item.strip("`") for item, _ in language.book.tables[2]]
    cycle, last, both = (language.book.boards[i].record for i in (3, -1, -2))
    assert items[0] == cycle.split(",")[0] and both.endswith(items[3])
    assert last.split("::")[0].endswith("," + items[2])
    for record in (f"{cycle},{items[1]}", f"{cycle},4c:X(X1(5))", f" {cycle} ,\n4c:X(O2(9)) "):
        assert analysed(server, record)["board"]["squares"][0] == "O4"
    server.client().refused({"type": "analyse", "record": f"{cycle},4c:X(X3(3))"}, "bad_request")


def test_the_known_values_in_the_rules_are_what_the_server_computes(server):
    first = server.client().ok({"type": "analyse", "record": ""})
    best = [one["squares"] for one in first["each"] if one["value"] == 0.5]
    rest = [one for one in first["each"] if one["value"] == 0]
    assert (first["value"], best, len(rest), len(first["each"])) == (0.5, [[1, 9], [3, 7]], 34, 36)
    late = analysed(server, ENGLISH.boards[5].record)
    assert [one["value"] for one in late["each"]] == [1] * 10
    worse, better = (analysed(server, f"{ENGLISH.boards[8].record},8c:X(O8({square}))")["value"]
                     for square in (3, 5))
    assert (worse, better) == (-1, -0.5)


def test_with_two_squares_left_the_ninth_move_closes_a_cycle_and_o_chooses():
    found = 0
    for game in qttt.vector_games():
        for before, after in zip(game["views"], game["views"][1:]):
            if before["moves"] == 8 and before["phase"] == "move" and after["moves"] == 9:
                if len(before["classical"]) == 7:
                    assert (after["phase"], after["turn"]) == ("collapse", "O")
                    found += 1
    assert found > 5


# ---- what to type ----


class Netcat:
    """Has X at a bare socket."""

    column = 1

    def __init__(self, server, room, _):
        self.client = server.client()
        self.client.ok(f"join {room}")

    def type(self, words, _):
        self.client.ok(words)


class Terminal:
    """Has X at the client's prompt."""

    column = 2

    def __init__(self, server, room, sit):
        self.seat = sit(server, "--join", room)

    def type(self, words, prompt):
        self.seat.see(f"{prompt}> ")
        self.seat.type(words)


class Pair:
    """Whoever types what the table says, as X, against O at a socket."""

    def __init__(self, kind, server, sit, book):
        self.o = server.client()
        self.x = kind(server, self.o.ok("create O")["room"], sit)
        self.o.wait_for("started")
        self.words = [row[kind.column].strip("`") for row in book.tables[1]]

    def type(self, prompt, words, event, **members):
        """At the terminal once it asks for that."""
        self.x.type(words, prompt)
        return self.o.wait_for(event, **members)

    def answer(self, words, event):
        self.o.ok(words)
        return self.o.wait_for(event)


KINDS = pytest.mark.parametrize("kind", [Netcat, Terminal])


@BOTH
@KINDS
def test_what_the_rules_say_to_type_moves_measures_and_agrees_on_a_draw(language, kind, server, sit):
    pair = Pair(kind, server, sit, language.book)
    pair.type("move 1: two squares", pair.words[0], "moved", squares=[1, 5])
    pair.answer("move 1 5", "moved")
    pair.type("measure: 1 or 5", pair.words[1], "collapsed", square=5)
    pair.type("move 3: two squares", pair.words[3], "draw_offered")
    assert pair.answer("draw", "ended")["score"] == {"X": 0, "O": 0}


@BOTH
@KINDS
def test_what_the_rules_say_to_type_takes_the_last_square(language, kind, server, sit):
    pair = Pair(kind, server, sit, language.book)
    for a, b in ((1, 2), (3, 4), (5, 6), (7, 8)):
        pair.type(f"move {a}: two squares", f"move {a} {b}", "moved")
        pair.answer(f"move {a} {b}", "moved")
        pair.type(f"measure: {a} or {b}", f"collapse {b if a == 7 else a}", "collapsed")
    pair.type("move 9: only 9 is left", pair.words[2], "ended", reason="full_board", score={"X": 0, "O": 0})


@BOTH
@KINDS
def test_what_the_rules_say_to_type_resigns(language, kind, server, sit):
    pair = Pair(kind, server, sit, language.book)
    pair.type("move 1: two squares", pair.words[4], "ended", reason="resign", score={"X": 0, "O": 1})


@BOTH
def test_buttons_that_the_rules_name_are_on_the_page(language):
    words = (qttt.ROOT / "server" / "web" / "words.js").read_text("utf-8")
    rows = re.findall(r'\["([^"]+)",\s*"([^"]+)"\]', words)
    text = "\n".join(part.text for part in language.book.parts if part.kind != "board")
    named = re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", text)
    assert len(named) == 4
    assert [name for name in named if name not in [row[language.column] for row in rows]] == []


# ---- one document in two languages ----


def skeleton(book):
    """What kind of part follows what, with all that is the same in each language."""
    for part in book.parts:
        if part.kind == "board":
            yield "board", part.text
        else:
            yield (part.kind, re.findall(r"`[^`\n]+`", part.text), part.text.count("**"),
                   part.text.count("]("),
                   sorted(re.findall(r"\d+|½|\b[XO]\d\b", part.text)),
                   part.text.count("\n|"), len(re.findall(r"^- ", part.text, re.MULTILINE)))


def test_both_languages_have_the_same_parts_boards_games_and_numbers_in_one_order():
    english, polish = list(skeleton(ENGLISH)), list(skeleton(POLISH))
    for one, other in zip(english, polish):
        assert one == other
    assert len(english) == len(polish) > 50


def test_both_languages_point_to_each_other_and_to_the_protocol():
    english, polish = (re.findall(r"\]\(([^)]*)\)", book.text) for book in (ENGLISH, POLISH))
    assert english[0] == "RULES.pl.md" and polish[0] == "RULES.md"
    assert [one for one in english[1:] if one[0] != "#"] == [one for one in polish[1:] if one[0] != "#"]
    assert len(english) == len(polish)


def test_the_rules_are_found_from_where_one_begins():
    for path, names in {"README.md": ("protocol/RULES.md", "protocol/RULES.pl.md"),
                        "protocol/PROTOCOL.md": ("RULES.md", "RULES.pl.md")}.items():
        text = (qttt.ROOT / path).read_text("utf-8")
        assert all(f"]({name})" in text for name in names), path


def test_the_rules_are_read_in_five_minutes():
    for book in (ENGLISH, POLISH):
        words = [word for part in book.parts if part.kind != "board"
                 for word in re.findall(r"[^\W\d_]{2,}", re.sub(r"`[^`\n]+`", "", part.text))]
        assert len(words) <= 1150, len(words)


# ---- the comparison itself: it must be able to fail ----


@pytest.mark.parametrize("wrong", [
    lambda text: text.replace("  X1 ", "  X3 ", 1),
    lambda text: text.replace("1:X(1-5)\n", "1:X(1-6)\n", 1),
    lambda text: text.replace("      *X5*", "       X5 ", 1),
    lambda text: text.replace(" │ .\n", "\n", 1),
], ids=["mark", "move", "classical", "outcome"])
def test_a_board_that_is_not_the_servers_is_noticed(wrong, reader, tmp_path, monkeypatch):
    (tmp_path / "protocol").mkdir()
    changed = wrong(ENGLISH.text)
    assert changed != ENGLISH.text
    (tmp_path / "protocol" / "RULES.md").write_text(changed, "utf-8")
    monkeypatch.setattr(qttt, "ROOT", tmp_path)
    boards = rulebook.Rulebook("RULES.md").boards
    assert any(board.drawing != rulebook.drawing(reader, board.record) for board in boards)
