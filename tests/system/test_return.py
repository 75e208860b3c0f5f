"""Coming back by a token: seats, rooms, and exactly what was missed."""

import json
import threading

import pytest

import qttt
from proxy import DOWN, Proxy

OTHER_ADDRESS = "127.0.0.2"


def back(server, token, **named):
    """A new connection of who has this token; its `ok` is in `.hello`."""
    client = server.client(**named)
    client.hello = client.ok({"type": "hello", "token": token})
    return client


def stored(lines):
    """Those that are events of a room with a number, as bytes."""
    events = [(line, json.loads(line)) for line in lines]
    return [line for line, event in events
            if "seq" in event and event["type"] not in ("ok", "error", "state")]


def since(client, room, seq, request="state"):
    """What is given again after an event, as bytes, and the state that comes with it."""
    heard = len(client.heard)
    state = client.ok({"type": request, "room": room, "since": seq})["state"]
    return stored(client.heard[heard:]), state


@pytest.mark.parametrize("stop", ["terminate", "kill"])
def test_since_gives_what_a_watcher_heard_byte_for_byte_after_a_restart_too(own_server, stop):
    played = qttt.Game(own_server, own_server.player("Ala"), own_server.player("Ola"), watchers=1)
    played.play("1-7", "6-8")
    played.x.ok("draw")
    played.hear("draw_offered")
    played.o.ok("draw no")
    played.hear("draw_declined")
    played.play("2-8", "5-9", "1-6", "7-9", "2-3", "3-5", "5")
    played.hear("ended")
    heard = stored(played.watchers[0].heard)
    last = json.loads(heard[-1])["seq"]
    for start in range(2):
        looker = own_server.client()
        for seq in range(last + 3):
            for request in ("state", "watch"):
                lines, state = since(looker, played.room, seq, request)
                assert state["seq"] == last
                assert [json.loads(line)["seq"] for line in lines] == list(range(seq + 1, last + 1))
                assert all(line in heard for line in lines if json.loads(line)["seq"] > 4)
        if start == 0:
            for client in own_server.clients:
                client.close()
            getattr(own_server, stop)()
            own_server.start()


def test_who_comes_back_in_the_middle_misses_nothing_and_hears_nothing_twice(server):
    played = qttt.Game(server, watchers=1)
    played.play("1-5")
    played.o.drop()
    watcher = played.watchers[0]
    played.x.ok("say anybody there?")
    for client in (played.x, watcher):
        client.wait_for("said")
    seq = played.seq
    again = back(server, played.joined["token"], source=OTHER_ADDRESS)
    assert again.hello["rooms"] == [played.room]
    again.expect("state", room=played.room, seq=seq)
    again.ok("move 1 5", seq=seq + 1)
    played.o = again
    played.hear("moved", by="O")
    lines, state = since(again, played.room, 4)
    assert state["board"]["choices"] == [1, 5]
    assert lines == stored(watcher.heard)
    assert lines == stored(played.x.heard)[-len(lines):]


def test_a_name_is_taken_up_from_another_address_and_after_a_restart(own_server):
    ala = own_server.player("Ala")
    waiting = ala.ok("create X title=Waiting")["room"]
    kept = ala.ok("create X private")["room"]
    played = qttt.Game(own_server, ala)
    for request in ({"token": ala.token}, {"name": "ALA", "token": ala.token}):
        other = own_server.client(source=OTHER_ADDRESS)
        reply = other.ok({"type": "hello", **request}, name="Ala")
        assert sorted(reply["rooms"]) == sorted([waiting, kept, played.room])
        states = {other.expect("state")["room"] for _ in range(3)}
        assert states == {waiting, kept, played.room}
    own_server.kill()
    own_server.start()
    other = back(own_server, ala.token, source=OTHER_ADDRESS)
    assert sorted(other.hello["rooms"]) == sorted([waiting, kept, played.room])
    other.ok(f"move 1 5 room={played.room}")


def test_two_connections_that_come_at_once_are_the_same_player_and_move_once(server):
    played = qttt.Game(server)
    played.play("1-5")
    token = played.joined["token"]
    played.o.drop()
    clients = [server.client(source=source) for source in ("127.0.0.1", OTHER_ADDRESS)]
    for client in clients:
        client.send({"type": "hello", "token": token})
        client.send({"type": "move", "room": played.room, "squares": [2, 3], "move": 2})
    answers = []
    for client in clients:
        hello = client.reply()
        assert hello["name"] == played.joined["you"] and hello["rooms"] == [played.room]
        answers.append(client.reply())
    assert sorted(answer.get("code", "") for answer in answers) == ["", "stale"]
    moved = played.x.expect("moved", by="O")
    loser = clients[answers.index(next(a for a in answers if a["type"] == "error"))]
    winner = clients[1 - clients.index(loser)]
    assert winner.wait_for("moved")[""] == moved[""]
    assert since(loser, played.room, played.seq)[0] == [moved[""]]
    clients[0].drop()
    played.x.ok("say still there?")
    clients[1].wait_for("said")
    assert played.x.ok("state")["state"]["players"]["O"]["online"]


def test_a_hello_whose_reply_was_lost_is_repeated_with_its_token(own_server):
    """The client chose the token, so it knows it without the reply."""
    request = {"type": "hello", "name": "Chooser", "token": "my-own-token-for-this-name"}
    with Proxy(own_server.port, before=lambda way, line: way == DOWN and b'"hello"' in line) as way:
        client = qttt.Client(way.port)
        client.send(request)
        with pytest.raises(qttt.Closed):
            client.read()
        client.close()
    assert own_server.client().ok(request, name="Chooser").get("token") is None
    own_server.kill()
    own_server.start()
    own_server.client().ok(request, name="Chooser", rooms=[])
    own_server.client().refused({**request, "token": "another-token-for-this-name"}, "name_taken")


def test_many_who_repeat_one_hello_at_once_are_one_player(server):
    request = {"type": "hello", "name": "Hasty", "token": "a-token-that-many-send-at-once"}
    clients = [server.client() for _ in range(20)]
    threads = [threading.Thread(target=client.send, args=(request,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for client in clients:
        reply = client.reply()
        assert reply["type"] == "ok" and reply["name"] == "Hasty" and "token" not in reply


def test_a_guest_who_became_a_name_keeps_his_games_over_a_restart(own_server):
    played = qttt.Game(own_server)
    played.play("1-5")
    guest, guest_token = played.joined["you"], played.joined["token"]
    waiting = played.o.ok("create X")["room"]
    named = played.o.ok({"type": "hello", "name": "Named"})
    assert sorted(named["rooms"]) == sorted([played.room, waiting])
    seated = played.x.wait_for("seated", player="Named", seat="O")
    own_server.kill()
    own_server.start()
    own_server.client().refused({"type": "hello", "token": guest_token}, "bad_token")
    again = back(own_server, named["token"])
    assert sorted(again.hello["rooms"]) == sorted([played.room, waiting])
    lines, state = since(again, played.room, played.seq)
    assert lines == [seated[""]]
    assert state["players"]["O"]["name"] == "Named" != guest
    again.ok(f"move 2 3 room={played.room}")


def test_presence_stands_in_snapshots_and_is_anew_after_a_restart(own_server):
    played = qttt.Game(own_server, own_server.player("Ala"), own_server.player("Ola"))
    looker = own_server.client()

    def online():
        players = looker.ok(f"state {played.room}")["state"]["players"]
        return players["X"]["online"], players["O"]["online"]
    assert online() == (True, True)
    second = back(own_server, played.o.token)
    played.o.drop()
    qttt.eventually(lambda: online() == (True, True))
    second.drop()
    qttt.eventually(lambda: online() == (True, False))
    played.x.wait_for("presence", player="Ola", online=False)
    own_server.kill()
    own_server.start()
    looker = own_server.client()
    assert online() == (False, False)
    again = back(own_server, played.o.token)
    assert again.expect("state")["players"]["O"]["online"]
    assert online() == (False, True)


@pytest.mark.parametrize("leave", ["drop", "close", "half_close"])
def test_a_lost_connection_never_ends_a_game(server, leave):
    played = qttt.Game(server, watchers=1)
    played.play("1-5")
    waiting = server.player(f"Waits-{leave.replace('_', '-')}")
    room = waiting.ok("create X")["room"]
    for client in (played.x, played.o, waiting):
        getattr(client, leave)()
    watcher = played.watchers[0]
    for _ in range(2):
        watcher.wait_for("presence", online=False)
    state = watcher.ok("state")["state"]
    assert (state["status"], state["seq"]) == ("playing", played.seq)
    again = [back(server, opened["token"]) for opened in (played.opened, played.joined)]
    again[1].ok("move 2 3")
    again[0].wait_for("moved")
    again[0].ok("move 1 9")
    watcher.wait_for("moved", move=3)
    assert back(server, waiting.token).hello["rooms"] == [room]


def test_a_move_whose_answer_was_lost_is_stale_when_it_is_sent_again(server):
    """Cut between the sending and the answer: it is played once, whatever came through."""
    played = qttt.Game(server)
    for number, squares in enumerate(([1, 5], [2, 3], [4, 6], [8, 9]), 1):
        seat, opened = ("x", played.opened) if number % 2 else ("o", played.joined)
        way = Proxy(server.port, **({"before": lambda _, line: b'"type":"move"' in line}
                                    if number < 3 else
                                    {"before": lambda _, line: b'"to":"move"' in line}))
        move = {"type": "move", "room": played.room, "squares": squares, "move": number}
        with way:
            client = qttt.Client(way.port)
            client.ok({"type": "hello", "token": opened["token"]})
            client.send(move)
            with pytest.raises(qttt.Closed):
                while True:
                    client.read()
            client.close()
        again = back(server, opened["token"])
        if number < 3:
            again.ok(move)
        else:
            assert again.refused(move, "stale")["board"]["move"] == number + 1
        getattr(played, seat).wait_for("moved", move=number, squares=squares)
        getattr(played, "o" if seat == "x" else "x").wait_for("moved", move=number)
        again.close()
    assert played.x.ok("state")["state"]["seq"] == played.seq + 4
