"""Clocks, claims and rooms whose creator is away, by the machine's own clock."""

import signal
import time

import qttt

SHORT = {"base_ms": 1000, "increment_ms": 0}
LONG = {"base_ms": 3600000, "increment_ms": 1000}
# Longer than any of the waits below on a machine that has other things to do.
PATIENCE = 10 * qttt.SLOW


def server_with(*options):
    return qttt.Server(*options)


def test_who_thinks_for_longer_than_his_clock_has_loses_by_the_flag(server):
    game = qttt.Game(server, clock=SHORT, watchers=1)
    assert game.joined["state"]["clock"] == {"X_ms": 1000, "O_ms": 1000, "running": None}
    game.play("1-2", "2-3")
    ended = game.hear("ended", reason="flag", score={"X": 0, "O": 1})
    assert "cause" not in ended
    game.x.refused("move 3 4", "game_over")
    state = game.x.ok(f"state {game.room}")["state"]
    assert state["clock"] == {"X_ms": 0, "O_ms": 1000, "running": None}
    assert state["settings"] == {"clock": SHORT}


def test_the_time_that_passes_before_an_action_is_gone_after_it(server):
    game = qttt.Game(server, clock=LONG)
    game.play("1-2", "1-2")
    time.sleep(0.1)
    clock = game.act({"type": "collapse", "square": 1})["clock"]
    assert clock["running"] == "X" and clock["O_ms"] == 3601000
    assert 3602000 - 60000 <= clock["X_ms"] <= 3602000 - 50
    moved = game.act({"type": "move", "squares": [4, 5]})
    assert moved["clock"]["running"] == "O"
    assert moved["clock"]["X_ms"] <= clock["X_ms"] + 1000


def test_a_flag_falls_after_a_kill_too_by_what_the_last_action_left(own_server):
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    game = qttt.Game(own_server, ala, ola, clock=SHORT)
    game.play("1-2", "2-3")
    own_server.kill()
    own_server.start()
    watcher = own_server.client()
    state = watcher.ok(f"watch {game.room}")["state"]
    # It runs from when players were asked to come again, unless it is down already.
    if state["status"] == "playing":
        assert state["clock"]["running"] == "X"
        watcher.wait_for("ended", seconds=PATIENCE, reason="flag")
    state = watcher.ok(f"state {game.room}")["state"]
    assert state["result"]["reason"] == "flag" and state["result"]["score"] == {"X": 0, "O": 1}
    assert state["clock"] == {"X_ms": 0, "O_ms": 1000, "running": None}


def test_a_game_without_a_first_move_is_called_off():
    with server_with("--first-move", "1") as server:
        game = qttt.Game(server, clock=LONG)
        game.hear("ended", reason="aborted", cause="no_first_move", score=None)


def test_who_is_away_for_the_grace_time_is_beaten_by_a_claim():
    with server_with("--claim-grace", "1") as server:
        game = qttt.Game(server, clock=LONG)
        game.play("1-2", "2-3", "3-4")
        game.x.refused("claim", "not_allowed")
        game.o.close()
        gone = game.x.wait_for("presence", online=False)
        assert 0 < gone["claim_in_ms"] <= 1000

        def claim():
            reply = game.x.ask("claim")
            if reply["type"] == "error":
                assert reply["code"] == "too_early" and 0 < reply["retry_ms"] <= 1000
            return reply["type"] == "ok"
        qttt.eventually(claim)
        game.x.expect("ended", reason="claim", score={"X": 1, "O": 0})


def test_games_without_clocks_have_their_own_grace_and_end_untouched():
    with server_with("--claim-untimed", "1") as server:
        game = qttt.Game(server)
        game.play("1-2")
        game.o.close()
        assert game.x.wait_for("presence", online=False)["claim_in_ms"] <= 1000
        qttt.eventually(lambda: game.x.ask("claim")["type"] == "ok")
        game.x.expect("ended", reason="claim")
    with server_with("--untouched", "1") as server:
        qttt.Game(server).hear("ended", reason="aborted", cause="untouched", score=None)


def test_a_room_whose_creator_is_away_leaves_the_lobby_and_closes():
    with server_with("--lobby-away", "1", "--close-away", "2") as server:
        lobby, creator = server.client(), server.client()
        lobby.ok("lobby follow")
        room = creator.ok("create")["room"]
        lobby.expect("lobby", change="added", room=room)
        lobby.ok(f"watch {room}")
        creator.close()
        lobby.wait_for("lobby", change="removed", room=room, status="waiting")
        assert lobby.ok("lobby")["rooms"] == []
        lobby.wait_for("ended", room=room, reason="aborted", cause="creator_left")


def test_clocks_are_told_in_words(server):
    ala, ola = server.client(), server.client()
    room = ala.ok({"type": "create", "side": "X", "clock": "1+0"})["room"]
    ola.send("text only")
    ola.send(f"join {room}")
    told = []
    while not told or not told[-1].startswith("# Clocks:"):
        told.append(ola.read_line().decode("utf-8"))
    assert "# Clock: 1+0." in told
    assert told[-1] == "# Clocks: X 1:00, O 1:00."


def test_a_move_that_came_while_the_server_was_stopped_came_in_time(own_server):
    game = qttt.Game(own_server, clock={"base_ms": 3000})
    game.play("1-2", "2-3")
    own_server.process.send_signal(signal.SIGSTOP)
    game.x.send("move 3 4")
    time.sleep(4)
    own_server.process.send_signal(signal.SIGCONT)
    assert game.x.reply()["type"] == "ok"
    assert game.hear("moved", by="X")["clock"]["X_ms"] > 0
