"""The client comes back by itself: same name, same rooms, nothing twice and nothing lost."""

import json
import os
import re
import signal
import socket
import threading
import time

import pytest

import qttt
from proxy import DOWN, UP, Proxy
from seat import seat_two
from test_client import Typist, environment, run

OFFLINE = re.compile(r"offline, (again in \d+ s|connecting)> ")


def restart(server, stop="kill"):
    port = server.port
    getattr(server, stop)()
    server.start(port)


class Once:
    """A rule of a proxy's that holds for the first line that it fits, and no other."""

    def __init__(self, fits):
        self.fits = fits
        self.spent = threading.Event()

    def __call__(self, direction, line):
        hit = not self.spent.is_set() and self.fits(direction, line)
        if hit:
            self.spent.set()
        return hit


def answer_to(type_):
    return lambda direction, line: direction == DOWN and b'"to":"%s"' % type_ in line


def is_offline(seat):
    return seat.read() and OFFLINE.search(seat.screen.text().splitlines()[-1])


def come_back(seat, what="Connected again."):
    """See this once more than before, without waiting for the time of the next try."""
    before = seat.came_back.get(what, 0)

    def is_back():
        seat.read()
        line = seat.screen.line()[0]
        if OFFLINE.search(line):
            seat.keys("\r")
        return seat.raw.count(what) > before and not re.search("offline|coming back", line)
    qttt.eventually(is_back, what=what)
    seat.came_back[what] = seat.raw.count(what)


def lose(server, seat, stop="kill"):
    port = server.port
    getattr(server, stop)()
    qttt.eventually(lambda: is_offline(seat), what="being offline")
    return port


@pytest.mark.parametrize("stop", ["kill", "terminate"])
def test_a_game_goes_on_after_the_server_was_started_again(own_server, sit, stop):
    ala, ola = seat_two(own_server, sit)
    ala.type("1 7")
    ola.see("ola (O), move 2: two squares> ")
    ola.keys("6 ")
    restart(own_server, stop)
    for seat in (ala, ola):
        seat.see("No connection: ")
        seat.see("Connected again.", 4 * qttt.SECONDS)
    ola.see_line("ola (O), move 2: two squares> 6 |")
    ala.see_line("waiting for ola> |")
    ola.keys("8\r")
    ala.see("ola (O) moved 6-8.")
    ala.type("2 8")
    ola.see("ala (X) moved 2-8.")
    for seat in (ala, ola):
        text = seat.screen.text()
        assert text.count("moved 1-7.") == 1 and text.count("moved 6-8.") == 1
        assert text.count("Connected to ") == 1 and len(re.findall("You are .la[.]", text)) == 1
        assert text.count("No connection: ") == 1 + ("refused" in text)


def test_who_looked_at_another_player_comes_back_as_himself(own_server, sit):
    own_server.player("ola")
    ala = sit(own_server, "--name", "ala")
    ala.see("You are ala.")
    ala.type("player ola")
    ala.see("ola is here")
    restart(own_server)
    ala.see("Connected again.", 4 * qttt.SECONDS)
    ala.type("who")
    ala.see("Online: 1.")


def test_a_server_that_shuts_down_is_given_the_time_it_asks_for(own_server, sit):
    ala = sit(own_server, "--name", "ala")
    ala.see("lobby> ")
    began = time.monotonic()
    restart(own_server, "terminate")
    ala.see("The server shuts down.")
    ala.see("No connection: the server closed it. Trying again in ")
    seconds = int(re.search(r"Trying again in (\d+) s; Enter tries at once", ala.screen.text())[1])
    assert 2 <= seconds <= 3
    ala.see("Connected again.")
    assert time.monotonic() - began >= 1.9


def test_a_server_that_does_not_answer_is_given_up_and_comes_back(own_server, sit):
    ala, ola = seat_two(own_server, sit)
    bob = sit(own_server, "--name", "bob", "--patience", "1")
    bob.see("lobby> ")
    os.kill(own_server.process.pid, signal.SIGSTOP)
    try:
        bob.see("No connection: the server does not answer.")
    finally:
        os.kill(own_server.process.pid, signal.SIGCONT)
    come_back(bob)
    bob.type("ping")
    bob.see("The server answers")
    ala.type("1 5")
    ola.see("ala (X) moved 1-5.")


def test_what_is_typed_without_a_connection_is_refused_and_quit_works(own_server, sit):
    ala, ola = seat_two(own_server, sit)
    bob = sit(own_server)
    bob.see("lobby> ")
    port = lose(own_server, ala)
    for seat in (ola, bob):
        qttt.eventually(lambda seat=seat: is_offline(seat))
    ala.type("1 5")
    ala.see("There is no connection, so that was not sent.")
    ala.type('{"type":"ping"}')
    qttt.eventually(lambda: ala.read() and ala.screen.text().count("was not sent") == 2)
    ala.type("board")
    qttt.eventually(lambda: ala.read() and ala.screen.text().count("(9)") + 1 >= 2 or
                    ala.screen.text().count("─┼─") > 3)
    ala.keys("half a")
    qttt.eventually(lambda: ala.read() and ala.screen.line()[0].endswith("> half a"))
    for seat, keys, status in ((ola, "quit\r", 0), (bob, "\x04", 0)):
        began = time.monotonic()
        seat.keys(keys)
        assert seat.wait() == status
        assert time.monotonic() - began < 2 * qttt.SLOW
    ala.keys("\x15")
    own_server.start(port)
    come_back(ala)
    ala.see_line("ala (X), move 1: two squares> |")
    ala.keys("\x1b[A\x1b[A\x1b[A")
    ala.see_line("ala (X), move 1: two squares> 1 5|")
    lose(own_server, ala)
    ala.keys("\x15\x03")
    assert ala.wait() == 130


def test_a_guest_comes_back_by_the_token_that_he_got(own_server, sit):
    ala = sit(own_server, "--match")
    ala.see("waiting for an opponent> ")
    name = re.search(r"You are (guest-\w+)", ala.screen.text())[1]
    ola = own_server.player("Ola")
    ola.ok("match")
    ala.see("Ola")
    restart(own_server)
    ala.see("Connected again.")
    state = own_server.client().ok({"type": "hello", "token": ola.token})
    again = own_server.client()
    assert again.ok({"type": "hello", "token": ola.token})["rooms"] == state["rooms"]
    players = again.expect("state")["players"]
    assert {players["X"]["name"], players["O"]["name"]} == {name, "Ola"}
    assert players["X"]["online"] and players["O"]["online"]


def test_watched_rooms_and_the_lobby_are_followed_again_and_nothing_is_told_twice(own_server, sit):
    played = qttt.Game(own_server)
    host = own_server.player("Host")
    with Proxy(own_server.port) as way:
        ala = sit(way, "--name", "ala")
        ala.see("lobby> ")
        ala.type("lobby")
        ala.see("Nobody waits")
        host.ok("create ala")
        ala.see("Host offers a game: y or n> ")
        ala.type(f"watch {played.room}")
        ala.see("Watching: 1.")
        played.play("1-5")
        ala.see("moved 1-5.")
        way.shut()
        ala.see("No connection: ")
        played.play("2-6", "3-7")
        way.listen()
        come_back(ala)
        ala.see("moved 3-7.")
        played.play("4-8")
        ala.see("moved 4-8.")
        opener = own_server.player("Opener")
        room = opener.ok("create X")["room"]
        ala.type("lobby")
        ala.see(room)
        text = ala.screen.text()
        for squares in ("1-5", "2-6", "3-7", "4-8"):
            assert text.count(f"moved {squares}.") == 1, text
        assert text.count("Host invites you") <= 1
        assert text.count("Watching: 1.") == 1
        mark = len(ala.raw)
        way.cut()
        come_back(ala)
        ala.see_since(mark, "Connected again.")
        second = own_server.player("Second").ok("create X title=Anew")["room"]
        ala.type("board")
        ala.type("lobby")
        ala.see(second)


def test_who_plays_in_two_rooms_comes_back_to_the_one_he_was_in(server, sit):
    with Proxy(server.port) as way:
        ala = sit(way, "--name", "TwoRooms")
        ala.see("lobby> ")
        rooms = []
        for _ in range(3):
            ala.type("create X")
            qttt.eventually(lambda: ala.read() and
                            len(re.findall(r"join (\w+)", ala.screen.text())) == len(rooms) + 1)
            rooms.append(re.findall(r"join (\w+)", ala.screen.text())[-1])
            server.client().ok(f"join {rooms[-1]}")
            ala.see_since(0, "move 1: two squares> ")
        ala.type(f"room {rooms[1]}")
        ala.see_line(f"[{rooms[1]}] TwoRooms (X), move 1: two squares> |")
        way.cut()
        come_back(ala)
        ala.see_line(f"[{rooms[1]}] TwoRooms (X), move 1: two squares> |")
        ala.type("1 5")
        ala.see("moved 1-5.")
        assert server.client().ok(f"state {rooms[1]}")["state"]["board"]["move"] == 2


def test_a_room_whose_answer_was_lost_is_told_once(server, sit):
    with Proxy(server.port) as way:
        ala = sit(way, "--name", "LostMatch")
        ala.see("lobby> ")
        way.before = lambda direction, line: direction == DOWN and b'"to":"match"' in line
        ala.type("match 7+3")
        ala.see("No connection: ")
        way.before = lambda direction, line: False
        come_back(ala)
        ala.see("waiting for an opponent> ")
        ala.type("ping")
        ala.see("The server answers")
        assert ala.screen.text().count("waits for a player") == 1
        room = re.search(r"join (\w+)", ala.screen.text())[1]
        assert server.client().ok("match 7+3")["room"] == room


def test_a_lobby_on_the_screen_is_brought_up_to_date_after_a_return(own_server, sit):
    with Proxy(own_server.port) as way:
        ala = sit(way)
        ala.see("lobby> ")
        ala.type("lobby")
        ala.see("Nobody waits")
        way.shut()
        ala.see("No connection: ")
        room = own_server.player("Opener").ok("create X")["room"]
        way.listen()
        come_back(ala)
        other = own_server.player("Other").ok("create X title=Live")["room"]
        ala.see(other)
        ala.type("lobby")
        ala.see(room)


def game_by_way(server, sit, way):
    """A game of a player at a terminal, who has X, against a socket."""
    ala = sit(way, "--name", f"ala{way.port}")
    ala.see("lobby> ")
    ala.type("create X")
    ala.see("waiting for an opponent> ")
    room = re.search(r"join (\w+)", ala.screen.text())[1]
    ola = server.client()
    ola.ok(f"join {room}")
    ala.see("move 1: two squares> ")
    return ala, ola, room


def moved(client, number):
    event = client.wait_for("moved", move=number)
    return event["squares"]


@pytest.mark.parametrize("where", ["before it left", "in its middle", "after it left",
                                   "before the answer", "in the answer's middle",
                                   "after the answer", "after the event"])
def test_an_action_is_carried_out_once_wherever_the_connection_breaks(server, sit, where):
    """The line of the move goes up; the answer, then the event come down."""
    def is_move(way, line):
        return way == UP and b'"type":"move"' in line

    def is_answer(way, line):
        return way == DOWN and b'"to":"move"' in line

    def is_event(way, line):
        return way == DOWN and b'"type":"moved"' in line and b'"by":"X"' in line
    rules = {
        "before it left": {"before": is_move}, "after it left": {"after": is_move},
        "before the answer": {"before": is_answer}, "after the answer": {"after": is_answer},
        "after the event": {"after": is_event},
    }.get(where, {})
    with Proxy(server.port) as way:
        ala, ola, room = game_by_way(server, sit, way)
        way.before, way.after = (Once(rules.get(name, lambda *_: False))
                                 for name in ("before", "after"))
        if where == "in its middle":
            way.limits[UP] = 20
        elif where == "in the answer's middle":
            way.limits[DOWN] = 20
        ala.type("1 5")
        assert moved(ola, 1) == [1, 5]
        come_back(ala)
        ala.see("Connected again.")
        ala.see("moved 1-5.")
        ala.see(f"waiting for {re.search('guest-[a-z0-9]+', ala.screen.text())[0]}> ")
        ola.ok("move 2 6")
        ala.see("moved 2-6.")
        assert "stale" not in ala.screen.text()
        assert ala.screen.text().count("moved 1-5.") == 1
        assert server.client().ok(f"state {room}")["state"]["board"]["move"] == 3


def test_a_measurement_is_carried_out_once_too(server, sit):
    with Proxy(server.port) as way:
        ala, ola, room = game_by_way(server, sit, way)
        ala.type("1 5")
        ola.wait_for("moved")
        ola.ok("move 1 5")
        ala.see("measure: 1 or 5> ")
        way.before = lambda way, line: way == DOWN and b'"to":"collapse"' in line
        ala.type("1")
        ala.see("No connection: ")
        way.before = lambda way, line: False
        come_back(ala)
        ala.see("Your collapse had come through.")
        ala.see("move 3: two squares> ")
        assert server.client().ok(f"state {room}")["state"]["board"]["squares"][0] == "O2"
        assert ola.wait_for("collapsed")["square"] == 1


def test_a_connection_that_breaks_after_any_number_of_bytes_loses_nothing(server, sit):
    """Whole games, in which the way breaks again and again."""
    with Proxy(server.port) as way:
        ala, ola, room = game_by_way(server, sit, way)
        moves = [("1 7", "6 8"), ("2 8", "5 9"), ("1 6", "7 9"), ("2 3", "3 5")]
        for number, (ours, theirs) in enumerate(moves):
            way.limits[(UP, DOWN)[number % 2]] = 37 + 211 * number
            ala.type(ours)
            squares = [int(square) for square in ours.split()]
            assert moved(ola, 2 * number + 1) == squares
            ola.ok(f"move {theirs} room={room}")
            way.cut()
            come_back(ala, f"moved {theirs.replace(' ', '-')}.")
            if number < 3:
                ala.see(f"move {2 * number + 3}: two squares> ")
        way.limits.clear()
        ala.see("measure: 3 or 5> ")
        way.after = lambda direction, line: direction == UP and b'"collapse"' in line
        ala.type("5")
        ola.wait_for("ended")
        way.after = lambda direction, line: False
        come_back(ala, "You lose.")
        for pair in moves:
            for words in pair:
                assert ala.screen.text().count(f"moved {words.replace(' ', '-')}.") == 1


def test_what_can_not_be_sent_twice_is_told(server, sit):
    with Proxy(server.port) as way:
        ala, ola, _ = game_by_way(server, sit, way)
        way.before = lambda direction, line: direction == DOWN and b'"to":"say"' in line
        ala.type("'hello there")
        ala.see("No connection: ")
        way.before = lambda direction, line: False
        come_back(ala)
        ala.see("say: the connection was lost before the answer; it may have been done, or not.")
        assert ola.wait_for("said")["text"] == "hello there"
        ola.expect_nothing()


def test_a_name_whose_first_answer_is_lost_is_ours_all_the_same(server, sit, tmp_path):
    with Proxy(server.port, before=Once(answer_to(b"hello"))) as way:
        ala = sit(way, "--name", "LostHello", state=tmp_path)
        ala.see("No connection: ")
        come_back(ala)
        ala.see("You are LostHello.")
        (kept,) = (tmp_path / "qttt").iterdir()
        server.client().ok({"type": "hello", "token": kept.read_text().strip()}, name="LostHello")


def test_a_guest_whose_claim_of_a_name_lost_its_answer_has_the_name(server, sit):
    with Proxy(server.port) as way:
        ala = sit(way, "--match")
        ala.see("waiting for an opponent> ")
        way.before = lambda direction, line: direction == DOWN and b'"to":"hello"' in line
        ala.type("hello LostClaim")
        ala.see("No connection: ")
        way.before = lambda direction, line: False
        come_back(ala)
        ala.see("You are LostClaim.")
        assert "does not know you" not in ala.screen.text()
        assert any(row["name"] == "LostClaim" and row.get("room")
                   for row in server.client().ok("who")["players"])


def test_a_server_that_forgot_everything_is_said(sit):
    with qttt.Server(db="none") as server:
        ala, ola = seat_two(server, sit)
        guest = sit(server, "--match")
        guest.see("waiting for an opponent> ")
        restart(server)
        for seat in (ala, ola, guest):
            seat.see("Connected again.")
            seat.see("is there no more.")
            seat.see_line("lobby> |")
        guest.see("The server does not know you any more: ")
        assert "does not know you" not in ala.screen.text()
        server.client().refused("hello ala", "name_taken")


class FakeServer:
    """One that says these lines to each who comes, then waits or closes."""

    def __init__(self, *visits):
        self.visits = list(visits)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connections = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            lines, closes = self.visits.pop(0) if self.visits else ((), True)
            for line in lines:
                connection.sendall(json.dumps(line).encode() + b"\n")
            self.connections.append(connection)
            if closes:
                connection.shutdown(socket.SHUT_WR)

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            connection.close()


@pytest.fixture
def fake():
    fakes = []

    def start(*visits):
        fakes.append(FakeServer(*visits))
        return fakes[-1]
    yield start
    for one in fakes:
        one.close()


WELCOME = {"type": "welcome", "server": "qtttd/0", "protocol": 1, "name": "fake", "limits": {},
           "help": ""}


@pytest.mark.parametrize("reason, comes_back", [("kicked", False), ("quit", False),
                                                ("shutdown", True), ("slow_reader", True),
                                                ("idle", True)])
def test_only_a_goodbye_that_is_meant_ends_it(fake, sit, reason, comes_back):
    server = fake(([WELCOME, {"type": "bye", "reason": reason}], True), ([WELCOME], False))
    ala = sit(server)
    if comes_back:
        ala.see("Connected again.")
    else:
        assert ala.wait() == (0 if reason == "quit" else 1)
        assert len(server.connections) == 1


def test_a_server_that_never_said_welcome_is_no_server(fake, sit):
    ala = sit(fake(([], True)))
    assert ala.wait() == 1
    assert "lost the connection" in ala.screen.text()


def test_a_server_that_is_full_is_tried_again(fake, sit):
    full = {"type": "error", "code": "too_many_connections", "message": "Full."}
    server = fake(([WELCOME], True), ([full], True), ([full], True), ([WELCOME], False))
    ala = sit(server)
    ala.see("No connection: ")
    ala.see("Connected again.")
    assert "Full." not in ala.screen.text()


def test_in_a_pipe_a_lost_connection_is_the_end_unless_it_is_asked_for_more(own_server):
    once = Typist(own_server)
    once.wait_for(lambda line: "Connected to" in line)
    always = Typist(own_server, "--reconnect", "always", "--name", "Piped")
    always.wait_for(lambda line: "You are Piped." in line)
    always.type("create X")
    room = re.search(r"join (\w+)", always.wait_for(lambda line: "join " in line))[1]
    port = own_server.port
    own_server.kill()
    assert once.process.wait(qttt.SECONDS) == 1
    assert "lost the connection" in once.process.stderr.read()
    always.type("say sent when there was nobody")
    own_server.start(port)
    ola = own_server.client()
    qttt.eventually(lambda: ola.ok(f"state {room}")["state"]["chat"])
    chat = ola.ok(f"join {room}")["state"]["chat"]
    assert [line["text"] for line in chat] == ["sent when there was nobody"]
    always.wait_for(lambda line: "Your turn" in line or "your turn" in line)
    always.process.stdin.close()
    assert always.process.wait(qttt.SECONDS) == 0
    told = always.process.stderr.read()
    assert told.count("qttt: No connection: ") >= 1 and told.count("qttt: Connected again.") == 1


def test_in_a_pipe_what_was_not_answered_is_asked_again(server):
    once = Once(answer_to(b"ping"))
    with Proxy(server.port, before=once) as way:
        done = run("--reconnect", "always", f"127.0.0.1:{way.port}", input_="ping\n")
        assert done.returncode == 0 and done.stdout.count("The server answers") == 1
        once.spent.clear()
        done = run(f"127.0.0.1:{way.port}", input_="ping\n")
        assert done.returncode == 1


@pytest.mark.parametrize("answer", [b'"to":"state"', b'"to":"analyse"'])
def test_half_an_answer_to_an_analysis_is_none_and_it_is_asked_again(server, answer):
    ala = server.client()
    room = ala.ok("create bot-random X")["room"]
    ala.ok("resign")
    whole = run(f"127.0.0.1:{server.port}", input_=f"analyse {room}\n")
    cuts = []

    def before(direction, line):
        if direction == DOWN and answer in line and not cuts:
            cuts.append(line)
            way.limits[DOWN] = len(line) // 2
        return False
    with Proxy(server.port, before=before) as way:
        done = run("--reconnect", "always", f"127.0.0.1:{way.port}", input_=f"analyse {room}\n")
        assert way.count == 2
    assert done.returncode == 0 and "resigned" in done.stdout
    assert done.stdout == whole.stdout


@pytest.mark.parametrize("arguments", [["--patience", "0"], ["--patience", "3601"],
                                       ["--patience", "soon"], ["--reconnect", "maybe"]])
def test_a_wrong_value_of_what_is_timed_is_exit_status_64(arguments):
    done = run(*arguments)
    assert done.returncode == 64 and done.stderr and not done.stdout
    assert environment()
