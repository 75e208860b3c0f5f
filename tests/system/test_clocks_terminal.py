"""Games by clocks at the terminal: both clocks, counted down, and the claim."""

import os
import re
import signal

import pytest

import qttt
from seat import seat_two
from test_client import Typist, run


@pytest.fixture(scope="module")
def server():
    """One where who stays away is soon beaten."""
    server = qttt.Server("--claim-untimed", "1", "--claim-grace", "10")
    yield server
    server.stop()


def shown(seat):
    """What the clocks in the prompt show, in seconds."""
    def look():
        seat.read()
        return re.match(r"X (\d+):(\d\d)!? O (\d+):(\d\d)!?, ", seat.screen.line()[0])
    found = qttt.eventually(look, what="clocks")
    return 60 * int(found[1]) + int(found[2]), 60 * int(found[3]) + int(found[4])


def both_move(x, o):
    x.type("1 5")
    o.see("(O), move 2: two squares> ")
    o.type("2 6")


def test_two_who_ask_for_the_same_clock_play_by_it(server, sit):
    ala = sit(server, "--name", "ClockAla", "--match", "--clock", "2+1")
    ala.see("waiting for an opponent> ")
    other = sit(server, "--match")
    other.see("waiting for an opponent> ")
    ola = sit(server, "--name", "ClockOla")
    ola.see("lobby> ")
    ola.type("match 2+1")
    for seat in (ala, ola):
        seat.see("Clocks: X 2:00, O 2:00.")
        seat.see("X 2:00 O 2:00, ")
    x, o = (ala, ola) if "Ala (X)" in ala.screen.line()[0] else (ola, ala)
    x.type("1 5")
    o.see("X 2:01 O 2:00, ")
    o.type("2 6")
    for seat in (x, o):
        seat.see("X's runs.")
        qttt.eventually(lambda seat=seat: shown(seat)[0] < 120, what="a clock that runs down")
        assert shown(seat)[1] == 121
    x.keys("3 ")
    before = shown(x)[0]
    qttt.eventually(lambda: shown(x)[0] < before)
    assert x.screen.line()[0].endswith("> 3 ")
    x.type("7")
    qttt.eventually(lambda: shown(x)[1] < 121)


def test_who_was_stopped_sees_his_clock_as_it_is_at_once(server, sit):
    ala, ola = seat_two(server, sit, "StopAla", "StopOla", create="create X clock=1+0")
    both_move(ala, ola)
    ala.see("StopAla (X), move 3: two squares> ")
    os.kill(ola.pid, signal.SIGSTOP)
    ala.type("3 7")
    ala.see("waiting for StopOla> ")
    qttt.eventually(lambda: shown(ala)[1] <= 57, what="three seconds of O's clock")
    os.kill(ola.pid, signal.SIGCONT)
    ola.see("StopOla (O), move 4: two squares> ")
    assert shown(ola)[1] <= 57


def test_little_time_is_told_and_a_flag_ends_the_game(server, sit):
    ala, ola = seat_two(server, sit, "FlagAla", "FlagOla", create='{"type":"create","side":"X",'
                        '"clock":{"base_ms":3000,"increment_ms":0}}')
    ala.see("X 0:03! O 0:03!, FlagAla (X), move 1: two squares> ")
    both_move(ala, ola)
    ala.see("Little is left!")
    ala.see("You lose.")
    ola.see("You win!")


def test_an_opponent_who_stays_away_is_beaten_by_a_claim(server, sit):
    ala, ola = seat_two(server, sit, "AwayAla", "AwayOla")
    ala.type("claim")
    ala.see("your turn")
    ala.type("1 5")
    ola.see("move 2: two squares> ")
    ola.keys("\x04")
    assert ola.wait() == 0
    ala.see("AwayOla is away, claim wins> ")
    ala.keys("cla\t")
    ala.see_line("AwayOla is away, claim wins> claim |")
    ala.keys("\r")
    ala.see("You win!")


def test_the_wait_before_a_claim_is_counted_down(server, sit):
    ala, ola = seat_two(server, sit, "WaitAla", "WaitOla", create="create X clock=3+2")
    both_move(ala, ola)
    ala.see("move 3: two squares> ")
    ala.type("3 7")
    ola.see("move 4: two squares> ")
    ola.keys("\x04")
    ala.see("WaitOla is away, claim in 10 s> ")
    ala.see("WaitOla is away, claim in 9 s> ")
    ala.type("claim")
    ala.see("Try again in ")
    ola = sit(server, "--name", "WaitOla", "--token-file", "/nonexistent")
    ola.see("taken")
    qttt.eventually(lambda: ala.read() and "claim in " in ala.screen.line()[0])


def test_in_a_pipe_the_clocks_are_plain_lines(server):
    ala = Typist(server)
    ala.type("create X clock=3+2")
    room = re.search(r"join (\w+)", ala.wait_for(lambda line: "join " in line))[1]
    server.client().ok(f"join {room}")
    ala.wait_for(lambda line: line == "Clocks: X 3:00, O 3:00.")
    assert ala.leave() == 0


@pytest.mark.parametrize("arguments", [["--clock", "3+2"], ["--match", "--clock", "soon"],
                                       ["--match", "--clock", "0+2"],
                                       ["--match", "--clock=3+2 clock=1+1"]])
def test_a_wrong_clock_is_exit_status_64(arguments):
    done = run(*arguments, "127.0.0.1:1")
    assert done.returncode == 64 and "clock" in done.stderr
