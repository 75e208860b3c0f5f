"""What the real client tells of values: hints, a game looked at afterwards, a record."""

import json
import re
import socket
import threading
import unicodedata

import pytest

import qttt
import test_client


@pytest.fixture(scope="module")
def server():
    server = qttt.Server("--bot-pace", "1")
    yield server
    server.stop()


def run(port, *arguments, **named):
    return test_client.run(*arguments, f"127.0.0.1:{port}", **named)


def width(line):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


ARTICLE = ("1:X(1-7),2:O(6-8),3:X(2-8),4:O(5-9),5:X(1-6),6:O(7-9),7:X(2-3),8:O(3-5),8c:X(O8(5))"
           "::X(0.5)-O(1)")
# What the article's game was worth after each step, as `analyse` says.
LABELS = ["1", "2", "3", "4", "5", "6", "7", "8", "8c"]


def points(value):
    whole, half = divmod(abs(value) * 2, 2)
    return (str(int(whole)) if whole or not half else "") + ("½" if half else "")


def worth(value):
    return f"{'X' if value > 0 else 'O'} +{points(value)}" if value else "draw"


def steps_of(server, record=ARTICLE):
    return server.client().ok({"type": "analyse", "id": 1, "record": record, "steps": True})["steps"]


def rows_of(text):
    """The rows of a table: label, whose, action, worth, gave away."""
    row = re.compile(r"^(.{4})(X|O)  (.{1,11}?) *  (draw|[XO] \+\S+) *(?:([XO]) (\S+))?$", re.M)
    return [(label.strip(), *rest) for label, *rest in row.findall(text)]


def assert_rows(text, steps):
    rows = rows_of(text)
    assert [row[0] for row in rows] == LABELS
    assert [row[3] for row in rows] == [worth(value) for value in steps[1:]]
    for row, before, after in zip(rows, steps, steps[1:]):
        lost = points(before - after) if before != after else ""
        assert (row[4], row[5]) == (row[1] if lost else "", lost)


# ---- A game looked at afterwards ----


def test_analyse_in_a_pipe_tells_what_each_action_gave_away(server):
    game = qttt.Game(server)
    game.play_to_the_end()
    done = run(server.port, input_=f"analyse {game.room}\n")
    assert done.returncode == 0, done
    steps = steps_of(server)
    assert_rows(done.stdout, steps)
    told = " ".join(done.stdout.split())
    given = {"X": 0, "O": 0}
    for label, before, after in zip(LABELS, steps, steps[1:]):
        if before != after:
            given["X" if before > after else "O"] += abs(before - after)
            assert f"{points(before - after)} by move {label} (" in told
    for letter, sum_ in given.items():
        assert f"({letter}) gave away {points(sum_) if sum_ else 'nothing'}" in told
    assert max(map(width, done.stdout.split("\n\n")[0].splitlines()[2:])) <= 40


def test_analyse_in_ascii_is_ascii(server):
    game = qttt.Game(server)
    game.play_to_the_end()
    done = run(server.port, "--ascii", input_=f"analyse {game.room}\n")
    assert done.returncode == 0 and done.stdout.isascii() and "0.5" in done.stdout


def test_analyse_of_a_resigned_game_tells_what_resigning_cost(server):
    game = qttt.Game(server)
    game.play("1-9")
    game.x.ok("resign")
    done = run(server.port, input_=f"analyse {game.room}\n")
    assert ("", "X", "resigned", "O +1", "X", "1½") in rows_of(done.stdout), done.stdout


def test_analyse_of_a_running_game_between_people_is_refused(server):
    game = qttt.Game(server)
    done = run(server.port, input_=f"analyse {game.room}\n")
    assert done.returncode == 2
    assert re.search(r"^analyse \w+ was refused: .* \(not_allowed\)$", done.stdout, re.M)


@pytest.mark.parametrize("columns", [80, 40])
def test_a_game_against_a_bot_by_its_hints_gives_nothing_away(server, sit, columns):
    """X plays what the hint says: whatever the bot does, X gave away nothing."""
    seat = sit(server, "--bot", "random", "--side", "X", columns=columns, rows=60)
    seat.see("Room ")
    while True:
        seat.see("> ")
        qttt.eventually(lambda: seat.read() or True)
        ready = qttt.eventually(lambda: seat.read() and re.search(
            r"(move \d: [^>]*|measure: [^>]*|lobby)> $", seat.screen.line()[0]), what="its turn")
        if ready[1].startswith("lobby"):
            break
        seat.screen.clear()
        seat.type("hint")
        seat.see("Best for X, ")
        best = qttt.eventually(lambda: seat.read() and re.search(
            r"Best for X, [^:]*: (\d(?:-\d)?)[,\n ]", seat.screen.text()))[1]
        seat.screen.clear()
        seat.type(best)
        seat.see("(X) m" if "only" not in ready[1] else "(X) took the last")
    seat.screen.clear()
    seat.type("analyse")
    seat.see("(O) gave away ")
    assert "(X) gave away nothing." in seat.screen.text()
    assert max(map(width, seat.screen.lines())) <= columns
    seat.type("hint")
    seat.see("The game is over.")


def test_a_hint_can_be_had_in_a_pipe_too(server):
    done = run(server.port, input_="create bot-good X\nhint\nresign\nhint\n")
    assert done.returncode == 0
    assert "Best for X, X +½: 1-9, 3-7\nThe others: 34 for draw.\n" in done.stdout
    assert done.stdout.endswith(
        "The game is over. analyse tells what each action was worth.\n")
    game = qttt.Game(server)
    done = run(server.port, input_=f"hint {game.room}\n")
    assert done.returncode == 2 and "hint " in done.stdout and "not_allowed" in done.stdout


def test_a_hint_is_refused_between_people(server, sit):
    ola = server.client()
    room = ola.ok("create O")["room"]
    seat = sit(server, "--join", room)
    seat.see("two squares> ")
    seat.type("hint")
    seat.see("There are hints in games against bots; this one is between people.")
    seat.type("analyse")
    seat.see("You play against a person: no analysis before that is over.")
    seat.screen.clear()
    seat.type("analyse record=1:X(1-2)")
    seat.see("You play against a person")


def test_an_analysis_of_a_record_is_drawn_at_a_terminal(server, sit):
    seat = sit(server)
    seat.see("lobby> ")
    seat.type("analyse record=1:X(1-9)")
    seat.see("X₁")
    seat.see("X wins by ½")


# ---- Records ----


def write(tmp_path, text):
    file = tmp_path / "game.txt"
    file.write_text(text, "utf-8")
    return str(file)


def assert_all_steps(text, steps):
    heads = re.findall(r"^(?:Start|Step (\d+) of (\d+): ([XO] \w+ .*)): (.*)$", text, re.M)
    assert [head[3] for head in heads] == [worth(value) for value in steps]
    assert [head[0] for head in heads[1:]] == [str(i) for i in range(1, len(steps))]
    assert heads[1][2] == "X moved 1-7" and heads[9][2] == "X measured O8 in 5"
    assert text.count("It gave away ") == sum(a != b for a, b in zip(steps, steps[1:]))
    assert_rows(text, steps)


@pytest.mark.parametrize("form", ["{}", "[Event \"The article's\"]\n# a line\n\n{}\n; end\n", "﻿{}"])
def test_a_record_in_a_pipe_is_all_its_steps(server, tmp_path, form):
    done = run(server.port, "--replay", write(tmp_path, form.format(ARTICLE.replace(",", ",\r\n "))))
    assert done.returncode == 0 and done.stderr == "", done
    assert_all_steps(done.stdout, steps_of(server))
    assert max(map(width, done.stdout.splitlines())) <= 80


def test_a_record_comes_from_standard_input_too(server):
    done = run(server.port, "--replay", "-", "--ascii", input_=ARTICLE)
    assert done.returncode == 0 and done.stdout.isascii()
    assert "Step 9 of 9: X measured O8 in 5: O +0.5" in done.stdout


def test_every_vector_game_can_be_played_through(server):
    for game in qttt.vector_games()[:20]:
        items = []
        for (kind, where), view in zip(game["actions"], game["views"]):
            if kind == "move":
                number = view["moves"] + 1
                items.append(f"{number}:{'OX'[number % 2]}({where[0]}-{where[-1]})")
            else:
                number = view["moves"]
                items.append(f"{number}c:{view['turn']}({'OX'[number % 2]}{number}({where}))")
        done = run(server.port, "--replay", "-", input_=",".join(items))
        assert done.returncode == 0, (items, done.stderr)
        assert f"Step {len(items)} of {len(items)}: " in done.stdout
        assert len(rows_of(done.stdout)) == len(items)


def test_json_prints_what_the_server_says_of_a_record(server):
    done = run(server.port, "--replay", "-", "--json", input_=ARTICLE)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["value"] for line in lines if line.get("to") == "analyse"] == [
        -0.5, *steps_of(server)[:-1]]


@pytest.mark.parametrize("text, problem", [
    ("1:X(1-2),\n  2:O(2-2)", "line 2, column 3 (2:O(2-2)): "),
    ("# no game\n1:X(1-2),2:X(2-3)", "line 2, column 10 (2:X(2-3)): "),
    ("1:X(1-2),2:O(1-2),2c:X(O2(5))", "line 1, column 19 (2c:X(O2(5))): "),
    ("1:X(1-2)::X(1)-O(0)", "line 1, column "),
    ("1:X(1-2),", "line 1, column 10: "),
    ("What is this?", "line 1, column 1 (What): "),
    ("1:X(1-2)\n1:X(1-3)", "line 2, column 2: Another game begins there"),
    ("1:X(1-2)\n\033]0;title\a", "line 2, column 1: That is no character of a record."),
    ("", "There is no record in it."),
])
def test_a_wrong_record_is_told_with_its_place(server, tmp_path, text, problem):
    file = write(tmp_path, text)
    done = run(server.port, "--replay", file)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"qttt: {file}") and problem in done.stderr, done.stderr
    assert done.stderr.endswith(".\n") and done.stderr[:-1].isprintable()


def test_a_file_that_is_not_there_is_a_wrong_command(server):
    done = run(server.port, "--replay", "/nowhere/game")
    assert (done.returncode, done.stderr) == (64, "qttt: /nowhere/game: No such file or directory\n")


def test_a_record_is_stepped_through_at_a_terminal(server, sit, tmp_path):
    steps = steps_of(server)
    seat = sit(server, "--replay", write(tmp_path, ARTICLE))
    seat.see(f"Start: {worth(steps[0])}")
    seat.see_line("0 of 9, next> |")
    seat.keys("\r")
    seat.see(f"Step 1 of 9: X moved 1-7: {worth(steps[1])}")
    seat.see_line("1 of 9, next> |")
    seat.type("next")
    seat.see(f"Step 2 of 9: O moved 6-8: {worth(steps[2])}")
    seat.type("b")
    seat.see_line("1 of 9, next> |")
    seat.keys("\033[C\033[C")
    seat.see_line("3 of 9, next> |")
    seat.keys("\033[D")
    seat.see_line("2 of 9, next> |")
    seat.type("9")
    seat.see("Step 9 of 9: X measured O8 in 5: O +½")
    seat.see_line("9 of 9, next> |")
    seat.keys("\r")
    seat.see("That was the last step")
    seat.type("10")
    seat.see("There is no such step.")
    seat.type("0")
    seat.see_line("0 of 9, next> |")
    seat.type("back")
    seat.see("That is the start.")
    seat.type("dance")
    seat.see("There is no such word here.")
    seat.screen.clear()
    seat.type("table")
    seat.see("O gave away")
    seat.type("quit")
    assert seat.wait() == 0


@pytest.mark.parametrize("keys, status", [("\x04", 0), ("\x03", 130), ("q\r", 0)])
def test_a_replay_is_left(server, sit, tmp_path, keys, status):
    seat = sit(server, "--replay", write(tmp_path, ARTICLE), columns=40)
    seat.see_line("0 of 9, next> |")
    assert max(map(width, seat.screen.lines())) <= 40
    seat.keys(keys)
    assert seat.wait() == status


class Slow:
    """A server before the server, which at first says that it is asked too fast."""

    def __init__(self, server, refusals):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.refusals = refusals
        threading.Thread(target=self.serve, args=(server,), daemon=True).start()

    def serve(self, server):
        near, _ = self.listener.accept()
        far = socket.create_connection(("127.0.0.1", server.port))
        threading.Thread(target=self.copy, args=(far, near), daemon=True).start()
        for line in near.makefile("rb"):
            if self.refusals:
                self.refusals -= 1
                near.sendall(json.dumps({
                    "type": "error", "re": json.loads(line)["id"], "to": "analyse",
                    "code": "rate_limited", "message": "Slower.", "retry_ms": 20}).encode() + b"\n")
            else:
                far.sendall(line)
        far.shutdown(socket.SHUT_WR)

    @staticmethod
    def copy(from_, to):
        with from_, to:
            while data := from_.recv(65536):
                to.sendall(data)


def test_a_server_that_is_asked_too_fast_is_asked_again(server):
    slow = Slow(server, 3)
    done = run(slow.port, "--replay", "-", input_=ARTICLE)
    assert done.returncode == 0, done.stderr
    assert not slow.refusals and "Step 9 of 9" in done.stdout
