"""The server stops, or is stopped, and comes back: what it acknowledged is there."""

import json
import random
import time

import qttt
from load import Load, check_promises, since, since_the_start


def without_presence(state):
    state = json.loads(json.dumps({name: value for name, value in state.items() if name}))
    for seat in state["players"].values():
        if seat:
            seat.pop("online")
    state.pop("spectators")
    state.pop("chat")
    return state


def test_sigterm_says_bye_to_everyone_and_ends_well(own_server):
    clients = [own_server.client() for _ in range(5)]
    played = qttt.Game(own_server)
    played.play("1-5")
    own_server.process.terminate()
    for client in [*clients, played.x, played.o]:
        bye = client.expect("bye", reason="shutdown")
        assert bye.get("retry_ms", 0) >= 0
        client.expect_closed()
        client.close()
    began = time.monotonic()
    assert own_server.process.wait(qttt.SECONDS) == 0
    assert time.monotonic() - began < 1 * qttt.SLOW


def test_a_client_that_does_not_close_holds_a_stop_up_for_a_few_seconds_only(own_server):
    client = own_server.client()
    own_server.terminate()
    client.expect("bye", reason="shutdown")
    client.expect_closed()


def test_everything_is_there_after_a_stop_and_a_start(own_server):
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    running = qttt.Game(own_server, ala, ola)
    running.play("1-2", "2-3", "1-3")
    over = qttt.Game(own_server)
    over.play_to_the_end()
    waiting = own_server.client().ok("create X title=Still here")["room"]
    kept = ala.ok("create Ola O private")["room"]
    looker = own_server.client()
    before = {room: since_the_start(looker, room)
              for room in (running.room, over.room, waiting, kept)}
    ala.ok("mute Ola")
    for client in own_server.clients:
        client.close()
    own_server.terminate()
    own_server.start()

    looker = own_server.client()
    for room, (lines, state) in before.items():
        lines_after, state_after = since_the_start(looker, room)
        assert lines_after == lines
        assert without_presence(state_after) == without_presence(state)
    back = own_server.client()
    reply = back.ok({"type": "hello", "token": ola.token}, name="Ola", rooms=[running.room])
    assert "token" not in reply
    assert back.expect("state", room=running.room)["board"] == running.board
    back.expect("invited", room=kept, player="Ala")
    back.ok({"type": "collapse", "square": 1, "room": running.room}, seq=running.seq + 1)
    ala_back = own_server.client()
    reply = ala_back.ok({"type": "hello", "name": "ala", "token": ala.token})
    assert sorted(reply["rooms"]) == sorted([running.room, kept])
    ala_back.ok("mute ola on=off", muted=[])
    own_server.client().refused("hello Ola", "name_taken")
    assert waiting in [row["room"] for row in looker.ok("lobby")["rooms"]]
    assert kept not in [row["room"] for row in looker.ok("lobby")["rooms"]]


def play_until_killed(server, seed):
    """Eight pairs play; what they were promised and told."""
    loads = [Load(server, seed + number) for number in range(8)]
    for load in loads:
        load.start()
    qttt.eventually(lambda: sum(map(len, [load.promised for load in loads])) > 16,
                    what="games under way")
    time.sleep(random.Random(seed).random())
    server.kill()
    for load in loads:
        load.join(qttt.SECONDS)
        assert not load.is_alive() and load.error is None, load.error
    return loads


def test_kill_9_under_load_loses_nothing_that_was_acknowledged(own_server):
    seed = random.randrange(2**32)
    print("seed", seed)
    loads = []
    for number in range(5):
        loads += play_until_killed(own_server, seed + 100 * number)
        own_server.start()
        # What was promised before an earlier kill as well.
        checked = sum(check_promises(own_server, load) for load in loads)
    print(len(loads), "pairs,", checked, "events")
    assert checked > 500


def test_events_of_games_long_over_are_dropped_and_the_state_stays():
    with qttt.Server("--keep-over", "0", "--keep-events", "1") as server:
        ala, ola = server.player("Ala"), server.player("Ola")
        over = qttt.Game(server, ala, ola)
        over.play_to_the_end()
        looker = server.client()
        lines, before = since_the_start(looker, over.room)
        assert len(lines) == before["seq"]
        closed = ala.ok("create X title=Nobody comes")["room"]
        ala.ok({"type": "leave", "room": closed})
        for client in (ala, ola):
            client.close()

        def is_dropped():
            return since_the_start(looker, over.room)[0] == []
        qttt.eventually(is_dropped, what="events dropped")
        for _ in range(2):
            looker = server.client()
            _, state = since_the_start(looker, over.room)
            assert without_presence(state) == without_presence(before)
            # Not even those that are kept for good, which have the names of then.
            assert since(looker, over.room, state["seq"] - 1)[0] == []
            looker.close()
            server.kill()
            server.start()
        qttt.eventually(lambda: server.client().ask({"type": "state", "room": closed})["type"]
                        == "error", what="a closed room dropped")


def test_a_game_goes_on_after_kill_9(own_server):
    played = qttt.Game(own_server)
    played.play("1-7", "6-8", "2-8", "5-9", "1-6")
    tokens = played.opened["token"], played.joined["token"]
    own_server.kill()
    own_server.start()
    x, o = own_server.client(), own_server.client()
    for client, token in ((x, tokens[0]), (o, tokens[1])):
        client.ok({"type": "hello", "token": token}, rooms=[played.room])
        assert client.expect("state")["board"] == played.board
    o.ok("move 7 9 move=6", seq=played.seq + 1)
    x.expect("moved", seq=played.seq + 1)
    x.ok("move 2 3")
    o.wait_for("moved", by="X")
    o.ok("move 3 5")
    x.wait_for("moved", by="O", move=8)
    x.ok("collapse 5")
    for client in (x, o):
        client.wait_for("ended", score={"X": 0.5, "O": 1})


def test_a_move_sent_again_after_a_crash_is_stale_and_not_played_twice(own_server):
    played = qttt.Game(own_server)
    move = {"type": "move", "room": played.room, "squares": [1, 5], "move": 1}
    played.x.ok(move)
    own_server.kill()
    own_server.start()
    x = own_server.client()
    x.ok({"type": "hello", "token": played.opened["token"]})
    error = x.refused(move, "stale")
    assert error["board"]["move"] == 2 and error["seq"] == 5


def test_without_a_database_nothing_is_kept_and_all_else_works():
    with qttt.Server(db="none") as server:
        played = qttt.Game(server)
        played.play_to_the_end()
        server.kill()
        server.start()
        server.client().refused({"type": "watch", "room": played.room}, "no_such_room")
