"""The real client at a terminal: a pty, and what would be seen on it."""

import os
import re
import shlex
import signal
import subprocess
import termios
import time

import pytest

import qttt
from seat import Seat, play_moves, seat_two
from test_client import run


@pytest.fixture
def shell():
    seat = Seat("/bin/bash", "--norc", "--noprofile", "-i", PS1="ready> ")
    yield seat
    seat.stop()


def test_a_whole_game_between_two_terminals(server, sit):
    ala, ola = seat_two(server, sit)
    play_moves(ala, ola, ("ala (X)", "ola (O)"), "{who}, move {number}: two squares> ",
               "{who} moved ")
    ola.see("waiting for ala> ")
    ala.see("ala (X), measure: 3 or 5> ")
    ala.see("[3]  O₈ in 3         [5]  O₈ in 5")
    ala.type("5")
    ala.see("You lose.")
    ola.see("You win!")
    ola.see("╰─╯₈*")
    ola.see("lobby> ")
    ola.type("rematch")
    ola.see("ola (O) wants a rematch.")
    ala.see("ola offers a rematch: y or n> ")
    ala.type("y")
    ola.see("ola (X), move 1: two squares> ")
    ola.type("quit")
    assert ola.wait() == 0
    ala.keys("\x04")
    assert ala.wait() == 0


def test_one_command_is_a_game(server, sit):
    ala = sit(server, "--name", "MatchAla", "--match")
    ala.see("waiting for an opponent> ")
    ola = sit(server, "--name", "MatchOla", "--match")
    ala.see("MatchOla")
    ola.see("MatchAla")


def test_one_command_is_no_game_under_another_name(server, sit):
    server.player("SeatTaken")
    ala = sit(server, "--name", "SeatTaken", "--match")
    assert ala.wait() == 2
    assert "That name is taken" in ala.screen.text()
    assert "qttt: the name SeatTaken was refused, and nothing is done under" in ala.screen.text()
    assert "waits for a player" not in ala.screen.text()


def test_who_only_said_a_taken_name_may_choose_another(server, sit):
    server.player("WordTaken")
    ala = sit(server, "--name", "WordTaken")
    ala.see("taken")
    ala.type("hello WordFree")
    ala.see("You are WordFree.")


def test_half_a_line_survives_what_happens_meanwhile_and_a_resize(server, sit):
    ala, ola = seat_two(server, sit, "HalfAla", "HalfOla")
    ola.keys("say zażółć ge\x1b[D\x1b[D")
    ola.see_line("waiting for HalfAla> say zażółć |ge")
    ala.type("1 5")
    ola.see("HalfAla (X) moved 1-5.")
    ola.see_line("HalfOla (O), move 2: two squares> say zażółć |ge")
    ola.resize(60)
    ola.see_line("HalfOla (O), move 2: two squares> say zażółć |ge")
    ola.resize(40)
    ola.see_line("move 2: two squares> say zażółć |ge")
    ola.resize(100)
    ola.see_line("HalfOla (O), move 2: two squares> say zażółć |ge")
    ala.type("'hello")
    ola.see("<HalfAla> hello")
    ola.see_line("HalfOla (O), move 2: two squares> say zażółć |ge")
    assert ola.screen.text().count("say zażółć") == 1
    ola.keys("\x05śl\r")
    ala.see("<HalfOla> zażółć geśl")


def test_a_long_line_scrolls_in_its_row(server, sit):
    ala = sit(server, columns=40)
    ala.see("lobby> ")
    ala.keys("x" * 20 + "0123456789" * 3)
    ala.see_line("lobby> " + ("x" * 20 + "0123456789" * 3)[-31:] + "|")
    ala.keys("\x01")
    ala.see_line("lobby> |" + ("x" * 20 + "0123456789" * 3)[:32])


def test_a_narrow_terminal_is_not_left_by_any_line(server, sit):
    ala, ola = seat_two(server, sit, "NarrowAla", "NarrowOla", columns=40)
    ala.type("1 5")
    ola.see("move 2: two squares> ")
    ola.type("1 5")
    ala.see("measure: 1 or 5> ")
    ala.type("help")
    ala.see("rules")
    ola.type("lobby playing")
    ola.see("watch ROOM looks on.")
    for seat in (ala, ola):
        assert all(len(line) <= 40 for line in seat.screen.lines())
        broken = [line for line in seat.screen.lines() if line and len(line) == 40]
        assert not broken, broken


def test_a_game_fits_into_a_terminal_of_32_columns(server, sit):
    game = qttt.Game(server)
    watcher = sit(server, "--watch", game.room, columns=32)
    watcher.see_line(f"watching {game.room}> |")
    game.play("1-5", "1-5")
    watcher.see("[5]  O₂ in 5")
    game.play("5")
    watcher.see("╰─╯₂*")
    watcher.type("help")
    watcher.see("  top ")
    wide = [line for line in watcher.screen.lines() if len(line) >= 32]
    assert not wide, wide


def test_the_lobby_is_kept_up_to_date_in_its_place(server, sit):
    ala = sit(server, "--name", "LobbyAla")
    ala.see("lobby> ")
    ala.type("lobby")
    ala.see("Nobody waits")
    ala.keys("half")
    opener = server.player("LobbyOpener")
    room = opener.ok("create X title=Come")["room"]
    ala.see(f"{room}  LobbyOpener")
    opener.ok("leave")
    qttt.eventually(lambda: ala.read() and room not in ala.screen.text())
    ala.see_line("lobby> half|")
    assert ala.screen.text().count("join ROOM plays") <= 1


def test_the_lobby_tells_what_came_and_what_went_where_its_table_is_no_longer_last(server, sit):
    ala = sit(server)
    ala.see("lobby> ")
    ala.type("lobby")
    ala.see("Nobody waits")
    ala.type("ping")
    ala.see("The server answers")
    opener = server.player("NewsOpener")
    room = opener.ok("create X")["room"]
    ala.see(f"Lobby: room {room} is new: X NewsOpener, O free, waiting, move 1.")
    opener.ok("leave")
    ala.see(f"Lobby: room {room} is over: X NewsOpener, O free.")
    room = opener.ok("create X")["room"]
    ala.see(f"Lobby: room {room} is new: ")
    server.player("NewsGuest").ok(f"join {room}")
    ala.see(f"Lobby: room {room} changed: X NewsOpener, O NewsGuest, playing, move 1.")
    opener.ok("move 1 2")
    opener.ok("resign")
    ala.type("create")
    ala.see("waiting for an opponent> ")
    ala.type("leave")
    ala.see("You left room ")
    ala.type("ping")
    ala.see_line("lobby> |")
    assert ala.screen.text().count("Lobby: ") == 4


def test_of_a_room_that_closes_before_the_first_move_no_board_is_drawn(server, sit):
    ola = server.player("EmptyOla")
    ala = sit(server, "--name", "EmptyAla")
    ala.see("lobby> ")
    ala.type("create EmptyOla")
    ala.see("waiting for EmptyOla> ")
    ola.ok("decline " + ola.wait_for("invited")["room"])
    ala.see("Aborted, no score: the invitation was declined.")
    ala.see_line("lobby> |")
    assert "─" not in ala.screen.text()


def test_who_keeps_a_seat_is_told_for_whom(server, sit):
    ola = server.player("KeptOla")
    ala = sit(server, "--name", "KeptAla")
    ala.see("lobby> ")
    ala.type("create KEPTOLA X")
    ala.see("X KeptAla, O kept for KEPTOLA.")
    room = ola.wait_for("invited")["room"]
    ala.see(f"KEPTOLA comes in with: join {room}")
    ala.see_line("waiting for KEPTOLA> |")
    looker = sit(server)
    looker.see("lobby> ")
    looker.type(f"watch {room} since=0")
    looker.see("KeptAla opened room")
    looker.see("X KeptAla, O kept for KeptOla.")
    looker.see_line(f"watching {room}> |")
    assert "To play here" not in looker.screen.text()
    ola.ok(f"decline {room}")


def test_who_ends_the_lobby_is_told_that_it_stands_still(server, sit):
    ala = sit(server, "--name", "EndsAla")
    ala.see("lobby> ")
    ala.type("lobby")
    ala.see("Nobody waits")
    assert "not kept up to date" not in ala.screen.text()
    ala.type("lobby off")
    ala.see("The lobby is not kept up to date from now on; lobby begins again.")
    opener = server.player("EndsOpener")
    opener.ok("create X")
    ala.type("lobby off")
    ala.see("EndsOpener")
    assert ala.screen.text().count("not kept up to date") == 2
    opener.ok("leave")


def test_the_lobby_is_kept_in_its_place_also_when_it_came_in_one_breath_with_more(server, sit):
    ala = sit(server)
    ala.see("lobby> ")
    os.kill(server.process.pid, signal.SIGSTOP)
    ala.type("hello BreathAla")
    ala.type("lobby")
    os.kill(server.process.pid, signal.SIGCONT)
    ala.see("Nobody waits")
    ala.see("You are BreathAla")
    opener = server.player("BreathOpener")
    room = opener.ok("create X")["room"]
    ala.see(f"{room}  BreathOpener")
    assert "Lobby: room" not in ala.screen.text()
    opener.ok("leave")


def test_an_invitation_whose_room_is_gone_leaves_the_prompt(server, sit):
    ala = sit(server, "--name", "GoneAla")
    ala.see("lobby> ")
    ala.type("lobby")
    ala.see("Nobody waits")
    host = server.player("GoneHost")
    room = host.ok("create GoneAla")["room"]
    ala.see("GoneHost offers a game: y or n> ")
    host.ok("leave")
    ala.see(f"Lobby: room {room} is over: ")
    ala.see_line("lobby> |")


def test_an_invitation_a_draw_and_a_decline_are_answered_by_a_letter(server, sit):
    ala = sit(server, "--name", "AskAla")
    ala.see("lobby> ")
    host = server.player("AskHost")
    first = host.ok("create AskAla")["room"]
    ala.see("AskHost offers a game: y or n> ")
    ala.type("n")
    host.wait_for("ended", room=first)
    ala.see_line("lobby> |")
    second = host.ok("create AskAla X")["room"]
    ala.see("AskHost offers a game: y or n> ")
    ala.type("accept")
    host.wait_for("started", room=second)
    host.ok(f"draw room={second}")
    ala.see("AskHost offers a draw: y or n> ")
    ala.type("y")
    assert host.wait_for("ended", room=second)["reason"] == "agreement"
    ala.see("A draw.")


def test_the_prompt_tells_of_the_game_when_a_player_takes_a_name(server, sit):
    ala = sit(server)
    ala.see("lobby> ")
    ala.type("create X")
    ala.see("waiting for an opponent> ")
    room = re.search(r"join (\w+)", ala.screen.text())[1]
    host = server.player("TakeHost")
    host.ok(f"join {room}")
    ala.see(" (X), move 1: two squares> ")
    ala.type("hello TakeFirst")
    ala.see_line("TakeFirst (X), move 1: two squares> |")
    ala.type("1 5")
    host.wait_for("moved", by="X")
    host.ok("move 1 2")
    ala.see("TakeFirst (X), move 3: two squares> ")
    ala.type("hello TakeSecond")
    ala.see(f"Your seat in room {room} stays with TakeFirst.")
    ala.see_line(f"move 3: TakeFirst (X), watching {room}> |")


def test_watching_is_told_by_the_prompt(server, sit):
    game = qttt.Game(server)
    watcher = sit(server, "--watch", game.room)
    watcher.see(f"watching {game.room}> ")
    game.x.ok(f"move 1 5 room={game.room}")
    watcher.see("moved 1-5.")


@pytest.mark.parametrize("wrong, right", [("mvoe 1 5", "move"), ("lobyb", "lobby"),
                                          ("colapse 3", "collapse"), ("helo", "hello")])
def test_a_wrong_word_gets_the_nearest_right_one(server, sit, wrong, right):
    ala = sit(server)
    ala.see("lobby> ")
    ala.type(wrong)
    ala.see(f"There is no word {wrong.split()[0]}. Did you mean {right}?")


def test_tab_completes_words_names_and_rooms(server, sit):
    server.player("TabulaRasa")
    ala = sit(server)
    ala.see("lobby> ")
    ala.keys("reso\x15coll\t")
    ala.see_line("lobby> collapse |")
    ala.keys("\x15who\r")
    ala.see("TabulaRasa")
    ala.keys("mute Tab\t")
    ala.see_line("lobby> mute TabulaRasa |")
    ala.keys("\x15re\t\t")
    ala.see("resign  rematch")


def test_a_line_that_comes_in_one_piece_is_seen_as_it_was_typed(server, sit):
    ala = sit(server)
    ala.see("lobby> ")
    ala.type("ping")
    ala.see("The server answers")
    assert "lobby> ping\n" in ala.screen.text()


def test_history_comes_back_with_the_arrow(server, sit):
    ala = sit(server)
    ala.see("lobby> ")
    ala.type("ping")
    ala.see("The server answers")
    ala.keys("new\x1b[A")
    ala.see_line("lobby> ping|")
    ala.keys("\x1b[B")
    ala.see_line("lobby> new|")


def test_what_is_pasted_waits_for_enter(server, sit):
    ala = sit(server)
    ala.see("lobby> ")
    ala.keys("\x1b[200~ping\nwho\x03\n\x1b[201~")
    ala.see_line("lobby> ping who |")
    assert "The server answers" not in ala.screen.text()


def typed_words():
    """What the README's table has for who sits at the client: the words, and whether they are
    marked as those of the prompt alone."""
    client = (qttt.ROOT / "README.md").read_text("utf-8").split("\n## The client\n")[1]
    table = client.split("| type | and |\n|---|---|\n")[1].split("\n\n")[0]
    for row in table.splitlines():
        cell = row.split(" | ")[0]
        for words in re.findall("`(.+?)`", cell):
            yield words, "†" in cell


def unknown_in_a_pipe(server, words):
    """Those that are no request and that the client does not read there."""
    told = run(f"127.0.0.1:{server.port}", input_="\n".join(words)).stdout
    return {one for one in words if re.search(
        rf"^{re.escape(one)} was refused: .*\((unknown_type|bad_json)\)$", told, re.MULTILINE)}


def test_the_readme_marks_what_can_be_typed_at_the_prompt_alone(own_server):
    words = dict(typed_words())
    marked = {one for one in words if words[one]}
    assert len(words) > len(marked) > 5
    assert unknown_in_a_pipe(own_server, list(words)) == marked


def test_every_word_of_the_prompt_alone_is_in_the_readme(own_server, sit):
    ala = sit(own_server)
    ala.see("lobby> ")
    ala.type("help")
    ala.see("  top ")
    words = set(re.findall(r"^  ([a-z]+)\b", ala.screen.text(), re.MULTILINE))
    ends = {"quit", "forget"}
    assert words > ends
    marked = {one.split()[0] for one, is_marked in typed_words() if is_marked}
    assert unknown_in_a_pipe(own_server, sorted(words - ends)) <= marked


COLOURS = re.compile(r"\033\[[0-9;]*m")


@pytest.mark.parametrize("arguments, environment, coloured", [
    ((), {}, True), ((), {"NO_COLOR": "1"}, False), ((), {"NO_COLOR": ""}, True),
    (("--color", "never"), {}, False), (("--color=always",), {"NO_COLOR": "1"}, True)])
def test_colour_is_only_where_it_is_wanted(server, sit, arguments, environment, coloured):
    ala = sit(server, *arguments, **environment)
    ala.see("lobby> ")
    assert bool(COLOURS.search(ala.raw)) == coloured


def test_a_dumb_terminal_gets_plain_text(server, sit):
    ala = sit(server, TERM="dumb")
    ala.see("Connected to")
    ala.keys("ping\n")
    ala.see("The server answers")
    assert "\033" not in ala.raw


def test_ascii_draws_with_ascii_alone(server, sit):
    ala, ola = seat_two(server, sit, "AsciiAla", "AsciiOla")
    del ala
    plain = sit(server, "--ascii", "--watch", re.search(r"Room (\w+)", ola.screen.text())[1])
    plain.see("watching")
    plain.see("-+-")
    assert plain.raw.isascii()


def test_nobody_can_steer_the_terminal(server, sit):
    """The server refuses such text; what it does let through is looked at as well."""
    ala, ola = seat_two(server, sit, "SteerAla", "SteerOla")
    ala.keys("say \x1b[2J\u202egone \x9b31m\r")
    ola.see("<SteerAla> gone 31m")
    ola.type('{"type":"later\\u001b[2J\\u202e"}')
    ola.see("There is no such request")
    assert "\u202e" not in ola.raw and "\x1b[2J" not in ola.raw


def test_control_c_drops_a_line_and_then_leaves(server, sit):
    ala = sit(server)
    ala.see("lobby> ")
    ala.keys("half\x03")
    ala.see_line("lobby> |")
    ala.keys("\x03")
    assert ala.wait() == 130
    assert "\033[?2004l" in ala.raw


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
                                    signal.SIGQUIT])
def test_a_signal_gives_the_terminal_back(server, sit, number):
    ala = sit(server)
    ala.see("lobby> ")
    os.kill(ala.pid, number)
    assert ala.wait() == 130
    assert ala.raw.endswith("\033[?2004l")


def test_a_signal_that_comes_while_something_is_written_is_not_missed(server, sit):
    for _ in range(10):
        ala = sit(server)
        ala.see("lobby> ")
        ala.keys("help\r")
        os.kill(ala.pid, signal.SIGTERM)
        assert ala.wait() == 130


def test_a_signal_ends_it_also_while_the_terminal_takes_no_more(server, sit):
    ala = sit(server, columns=500)
    ala.see("lobby> ")
    ala.keys("help\r" * 200)
    time.sleep(0.5)  # what it writes is read by nobody: there is nothing to wait for

    def gone():
        os.kill(ala.pid, signal.SIGTERM)
        pid, status = os.waitpid(ala.pid, os.WNOHANG)
        if pid:
            ala.status = os.waitstatus_to_exitcode(status)
        return pid
    qttt.eventually(gone, None, "its end")
    assert ala.status == 130


def test_control_c_leaves_a_server_that_does_not_answer(own_server, sit):
    ala = sit(own_server)
    ala.see("lobby> ")
    os.kill(own_server.process.pid, signal.SIGSTOP)
    try:
        ala.keys("\x04")
        ala.keys("\x03")
        assert ala.wait() == 130
    finally:
        os.kill(own_server.process.pid, signal.SIGCONT)


def test_control_d_leaves(server, sit):
    ala = sit(server)
    ala.see("lobby> ")
    ala.keys("\x04")
    assert ala.wait() == 0


def test_the_terminal_is_given_back_as_it_was(server, shell):
    shell.see("ready> ")
    shell.type(f"{shlex.quote(qttt.qttt_path())} 127.0.0.1:{server.port}")
    shell.see("lobby> ")
    assert not termios.tcgetattr(shell.fd)[3] & termios.ICANON
    shell.keys("\x04")
    qttt.eventually(lambda: shell.read() and shell.screen.text().count("ready> ") == 2)
    shell.type("echo st=$?")
    shell.see("st=0")
    # bash edits its own line between commands; a command sees what there was before.
    shell.type("stty -a")
    shell.see(" icanon")
    assert " -echo " not in shell.screen.text()


def test_control_z_stops_and_fg_comes_back_with_the_half_typed_line(server, shell):
    shell.see("ready> ")
    shell.type(f"{shlex.quote(qttt.qttt_path())} 127.0.0.1:{server.port}")
    shell.see("lobby> ")
    shell.keys("say half\x1a")
    shell.see("Stopped")
    shell.type("echo in the shell")
    shell.see("\nin the shell")
    shell.type("fg")
    shell.see_line("lobby> say half|")
    shell.keys("\x15ping\r")
    shell.see("The server answers")


def test_a_server_that_goes_away_is_exit_status_1_for_who_does_not_come_back(own_server, sit):
    ala = sit(own_server, "--name", "ala", "--reconnect", "never")
    ala.see("You are ala.")
    ala.keys("half a li")
    own_server.terminate()
    assert ala.wait() == 1
    assert "The server shuts down." in ala.screen.text()
    own_server.start()
    ola = sit(own_server, "--reconnect=never")
    ola.see("lobby> ")
    own_server.kill()
    assert ola.wait() == 1
    assert "lost the connection" in ola.screen.text()


def test_a_token_is_kept_for_its_server_and_name(server, sit, tmp_path):
    first = sit(server, "--name", "Keeper", state=tmp_path)
    first.see("You are Keeper.")
    first.keys("\x04")
    assert first.wait() == 0
    (kept,) = (tmp_path / "qttt").iterdir()
    assert kept.name == f"127.0.0.1_{server.port}_keeper"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700
    assert kept.read_text().strip() not in first.raw
    second = sit(server, "--name", "Keeper", state=tmp_path)
    second.see("You are Keeper.")
    third = sit(server, state=tmp_path)
    third.see("lobby> ")
    third.type("hello Keeper")
    third.see("You are Keeper.")


def test_completions_for_shells_name_every_option():
    told = set(re.findall(r"^  --([a-z-]+)", subprocess.run(
        [qttt.qttt_path(), "--help"], capture_output=True, text=True, check=True).stdout, re.M))
    forms = {"bash": r"--([a-z-]+)", "zsh": r"'--([a-z-]+)", "fish": r" -l ([a-z-]+)"}
    for shell_name, form in forms.items():
        done = subprocess.run([qttt.qttt_path(), "--completion", shell_name],
                              capture_output=True, text=True, check=True)
        assert set(re.findall(form, done.stdout)) == told, shell_name
    bash = subprocess.run(["bash", "-n"], input=subprocess.run(
        [qttt.qttt_path(), "--completion", "bash"], capture_output=True, text=True,
        check=True).stdout, text=True, check=False)
    assert bash.returncode == 0
