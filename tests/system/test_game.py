"""Whole games over real sockets, as tests/vectors has them, seen by X, by O and by a watcher."""

import re

import pytest

import qttt

GAMES = qttt.vector_games()
CASES = qttt.vector_cases()

WIRE_CODE = {
    "mark_not_on_loop": "not_a_choice",
    "mark_not_in_square": "not_a_choice",
    "square_is_classical": "square_taken",
    "no_such_square": "bad_square",
    "wrong_chooser": "not_your_turn",
    "collapse_pending": "collapse_first",
}


def floats_with_a_needless_zero(line):
    return re.search(rb"[:,\[]\d+\.0[,}\]]", line[""])


@pytest.mark.parametrize("game", GAMES, ids=[game["name"] for game in GAMES])
def test_a_game_is_told_to_all_as_the_vectors_have_it(server, game):
    played = qttt.Game(server, watchers=1)
    assert played.board == qttt.board_of_view(game["views"][0])
    for action, before, after in zip(game["actions"], game["views"], game["views"][1:]):
        event = played.act(qttt.action_request(action))
        assert event["board"] == qttt.board_of_view(after)
        assert event["clock"] is None
        if action[0] == "move":
            assert event["move"] == before["moves"] + 1
            assert event["squares"] == sorted(action[1])
        else:
            assert event["move"] == before["moves"]
            assert event["square"] == action[1]
            assert event["measured"] == before["outcomes"][before["choices"].index(action[1])]
    final = game["views"][-1]
    lines = qttt.lines_of_view(final)
    ended = played.hear("ended", reason="line" if lines else "full_board", score=final["score"],
                        lines=lines)
    assert ended["board"] == qttt.board_of_view(final)
    assert "cause" not in ended
    assert not floats_with_a_needless_zero(ended)
    for follower in played.followers:
        state = follower.ok({"type": "state", "room": played.room})["state"]
        assert state["status"] == "over"
        assert state["board"] == ended["board"]
        assert state["result"] == {name: ended[name] for name in ("reason", "score", "lines")}
        assert state["seq"] == played.seq


def parse_action(text):
    """One item of Goff's record: who, and the request."""
    place = re.fullmatch(r"(\d+):([XO])\((\d+)-(\d+)\)", text)
    if place:
        number, who, a, b = place.groups()
        return who, {"type": "move", "squares": [int(a), int(b)], "move": int(number)}
    number, who, mark, square = re.fullmatch(r"(\d+)c:([XO])\(([XO]\d)\((\d+)\)\)", text).groups()
    return who, {"type": "collapse", "mark": mark, "square": int(square), "move": int(number)}


def squares_by_mark(board):
    spooky, classical = {}, {}
    for square, held in enumerate(board["squares"], 1):
        if isinstance(held, str):
            classical[str(square)] = held
        else:
            for mark in held:
                spooky.setdefault(mark, []).append(square)
    return classical, spooky


def check_pending(board, expect):
    classical, spooky = squares_by_mark(board)
    if "loop" in expect:
        assert board["cycle"] == sorted({square for mark in expect["loop"]
                                         for square in spooky[mark]})
        closing = max(expect["loop"], key=qttt.mark_number)
        assert qttt.mark_number(closing) == board["move"]
        assert board["choices"] == spooky[closing]
    outcomes = [dict(outcome) for outcome in board["outcomes"]]
    if "stems" in expect and "loop" in expect:
        for outcome in outcomes:
            assert set(outcome) == set(expect["loop"]) | set(expect["stems"])
    if "options" in expect:
        for outcome in expect["options"]:
            assert outcome in outcomes
        assert len(outcomes) == 2
    assert not set(classical.values()) & set(spooky)


def check_expectation(played, expect, ended):
    board = played.board
    classical, spooky = squares_by_mark(board)
    if "over" in expect:
        assert (board["phase"] == "over") == expect["over"]
    if "to_act" in expect:
        assert board["turn"] == expect["to_act"]
    if "action" in expect:
        assert board["phase"] == {"place": "move", "collapse": "collapse"}[expect["action"]]
    if "classical" in expect:
        assert classical == expect["classical"]
    if "spooky" in expect:
        assert spooky == expect["spooky"]
    if expect.get("legal_places"):
        assert expect["legal_places"] == [[square, square] for square, held
                                          in enumerate(board["squares"], 1) if held == []]
    if "loop" in expect or "options" in expect:
        check_pending(board, expect)
    if "score" in expect:
        assert ended["score"] == expect["score"]
    if "rows" in expect:
        rows = [[line["mark"], line["max"], line["squares"]] for line in ended["lines"]]
        assert rows == expect["rows"]
    if "winner" in expect:
        points = ended["score"]
        winner = "draw" if points["X"] == points["O"] else max(points, key=points.get)
        assert winner == expect["winner"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_hard_case_ends_as_the_rules_say(server, case):
    expect = case["expect"]
    played = qttt.Game(server, watchers=1)
    ended = None
    for index, text in enumerate(case["moves"]):
        who, request = parse_action(text)
        if index == expect.get("illegal_at"):
            reason = expect["illegal_reason"]
            del request["move"]  # a number that does not fit would be refused first
            refusal = played.seat(who).refused({"room": played.room, **request},
                                               WIRE_CODE.get(reason, reason))
            assert refusal["board"] == played.board
            assert refusal["seq"] == played.seq
            assert refusal["to"] == request["type"]
            break
        event = played.act(request, by=who)
        if request["type"] == "collapse":
            assert [request["mark"], request["square"]] in event["measured"]
        if event["board"]["phase"] == "over":
            ended = played.hear("ended")
    check_expectation(played, expect, ended)
    for follower in played.followers:
        follower.expect_nothing()


def test_the_last_square_may_be_named_once_or_twice(server):
    moves = ["4-9", "3-7", "6-9", "6-8", "3-8", "2-7", "1-8", "6-8", "6"]
    once = qttt.Game(server)
    once.play(*moves, "=5")
    twice = qttt.Game(server)
    twice.play(*moves)
    event = twice.act({"type": "move", "squares": [5, 5]})
    assert event["squares"] == [5]
    for played in (once, twice):
        ended = played.hear("ended", reason="line", score={"X": 1, "O": 0})
        assert ended["lines"] == [{"mark": "X", "squares": [1, 5, 9], "max": 9}]


def test_one_square_alone_is_no_move_while_more_are_free(server):
    played = qttt.Game(server)
    played.x.refused({"type": "move", "squares": [5]}, "bad_request", field="squares")
    played.x.refused("move 5", "bad_request", field="squares")
    played.play("1-2")


def test_the_articles_game_ends_a_half_to_one(server):
    played = qttt.Game(server, watchers=2)
    ended = played.play_to_the_end()
    assert ended["lines"][0]["mark"] == "O" and ended["lines"][0]["max"] == 6
    assert ended["lines"][1]["mark"] == "X" and ended["lines"][1]["max"] == 7


def test_the_articles_game_ends_nought_to_one_the_other_way(server):
    played = qttt.Game(server)
    played.play("1-7", "6-8", "2-8", "5-9", "1-6", "7-9", "2-3", "3-5", "3")
    played.hear("ended", reason="line", score={"X": 0, "O": 1})


def test_a_whole_game_can_be_typed_in_words(server):
    x, o = server.client(), server.client()
    room = x.ok("create side=X")["room"]
    o.ok("JOIN " + room.upper())
    for player, line in ((x, "move 1 7"), (o, "move 6-8"), (x, "  move 2 8"), (o, "Move 5 9"),
                         (x, "move 1-6"), (o, "move 7 9"), (x, "move 2 3 move=7"),
                         (o, "move 5 3"), (x, "collapse 5 mark=o8")):
        player.ok(line)
    for player in (x, o):
        player.wait_for("ended", reason="line", score={"X": 0.5, "O": 1})
