"""Who one is: guests, names, tokens."""

import unicodedata

import pytest

import qttt

FREE_TOKEN = "abcdefghijklmnopqrstuvwx-_0123456789"


@pytest.fixture
def client(server):
    return server.client()


def test_hello_alone_makes_a_guest_with_a_token_once(client):
    first = client.ok("hello")
    assert first["name"].startswith("guest-")
    assert len(first["token"]) >= 22
    assert first["rooms"] == []
    again = client.ok("hello", name=first["name"], rooms=[])
    assert "token" not in again


def test_a_free_name_is_claimed_with_a_new_token(client):
    reply = client.ok({"type": "hello", "name": "Ala"}, name="Ala", rooms=[])
    assert len(reply["token"]) >= 22
    assert reply["token"].isascii()


def test_a_token_brings_its_player_back(server):
    ola = server.player("Ola-1")
    for request in ({"type": "hello", "token": ola.token},
                    {"type": "hello", "name": "Ola-1", "token": ola.token},
                    {"type": "hello", "name": "OLA-1", "token": ola.token},
                    f"hello token={ola.token}", f"hello ola-1 token={ola.token}"):
        reply = server.client().ok(request, name="Ola-1", rooms=[])
        assert "token" not in reply


def test_a_guests_token_brings_him_back_too(server):
    guest = server.client().ok("hello")
    server.client().ok({"type": "hello", "token": guest["token"]}, name=guest["name"])


def test_a_name_that_is_taken_is_refused(server):
    server.player("Taken")
    client = server.client()
    client.refused("hello taken", "name_taken")
    client.refused({"type": "hello", "name": "Taken", "token": FREE_TOKEN}, "name_taken")
    client.ok("hello")


def test_names_are_the_same_in_any_case_and_form(server):
    server.player("Łucję")
    for name in ("łucję", "ŁUCJĘ", unicodedata.normalize("NFD", "Łucję")):
        server.client().refused({"type": "hello", "name": name}, "name_taken")


def test_a_decomposed_name_is_kept_composed(client):
    typed = unicodedata.normalize("NFD", "Żółw")
    assert client.ok({"type": "hello", "name": typed})["name"] == "Żółw"


def test_a_token_that_nobody_has_is_bad(client):
    client.refused({"type": "hello", "token": "A" * 43}, "bad_token")


@pytest.mark.parametrize("token", ["", "short", "a" * 21, "a" * 65, "a" * 21 + "!", "a" * 21 + "ł",
                                   "a" * 30 + "=", " " * 22])
def test_a_malformed_token_is_bad(client, token):
    client.refused({"type": "hello", "token": token}, "bad_token")
    client.refused({"type": "hello", "name": "Malformed", "token": token}, "bad_token")


def test_a_client_may_choose_its_token_and_repeat_hello(server):
    request = {"type": "hello", "name": "Chooser", "token": FREE_TOKEN}
    client = server.client()
    for _ in range(2):
        reply = client.ok(request, name="Chooser")
        assert "token" not in reply
    assert "token" not in server.client().ok(request, name="Chooser")
    server.client().ok({"type": "hello", "token": FREE_TOKEN}, name="Chooser")


@pytest.mark.parametrize("length", [22, 64])
def test_a_chosen_token_has_22_to_64_characters(server, length):
    token = f"t{length}" + "z" * (length - 3)
    server.client().ok({"type": "hello", "name": f"Length{length}", "token": token})


def test_a_free_name_with_somebody_elses_token_is_bad_token(server):
    owner = server.player("Owner")
    client = server.client()
    client.refused({"type": "hello", "name": "Stranger", "token": owner.token}, "bad_token")
    assert client.ok("hello")["name"].startswith("guest-")


@pytest.mark.parametrize("name", [
    "", "a", "a" * 21, "ab" * 50, "1abc", "-abc", "_abc", "a b", "a.b", "a/b", "ab\n", "ab\t",
    "алла", "αλφα", "中文", "ab😀", "a\u202eb", "a\u200bb", "ab\u0007",
    "guest-abc", "Guest-xyz", "bot-perfect", "BOT-x", "gone-1", "server", "Server", "operator",
    "OPERATOR"])
def test_a_name_that_breaks_the_rules_is_bad(client, name):
    client.refused({"type": "hello", "name": name}, "bad_name")


def test_who_is_refused_a_name_is_told_what_one_looks_like(client):
    told = client.refused("hello 1abc", "bad_name")["message"]
    assert "2 to 20 letters, digits, - and _" in told and "begins with a letter" in told


@pytest.mark.parametrize("name", ["ab", "a" * 20, "Zażółć", "x-y_z9", "ÅngströmÉé", "servers",
                                  "botany", "guest", "Ünal-1", "ł" * 20])
def test_a_name_within_the_rules_is_fine(client, name):
    client.ok({"type": "hello", "name": name}, name=name)


def test_another_protocol_than_1_is_refused(client):
    client.refused({"type": "hello", "protocol": 2}, "bad_protocol")
    client.refused({"type": "hello", "protocol": 0}, "bad_protocol")
    client.ok({"type": "hello", "protocol": 1})


def test_who_needs_a_name_is_given_one_with_the_first_ok(server):
    for words in ("create", "match"):
        client = server.client()
        client.ok("ping")
        first = client.ok(words)
        assert first["you"].startswith("guest-")
        server.client().ok({"type": "hello", "token": first["token"]}, name=first["you"])
        assert "token" not in client.ok("ping")


def test_looking_on_needs_a_name_no_more_than_the_lobby_does(server):
    room = server.client().ok("create X")["room"]
    client = server.client()
    for words in ("ping", "lobby", "who", "help"):
        assert "token" not in client.ok(words)
    watched = client.ok(f"watch {room}")
    if "token" in watched:
        assert watched["you"].startswith("guest-")


def test_a_refused_request_does_not_lose_the_guests_token(server):
    client = server.client()
    client.refused("join zzzzz", "no_such_room")
    first = client.ok("create X")
    server.client().ok({"type": "hello", "token": first["token"]}, name=first["you"])


def test_a_guest_who_claims_a_name_keeps_his_games(server):
    played = qttt.Game(server, watchers=1)
    played.play("1-5")
    guest, token = played.opened["you"], played.opened["token"]
    claimed = played.x.ok({"type": "hello", "name": "Claimer"}, name="Claimer")
    assert claimed["rooms"] == [played.room]
    for follower in (played.o, played.watchers[0]):
        follower.expect("seated", room=played.room, seq=played.seq + 1, seat="X", player="Claimer")
    played.x.wait_for("state", room=played.room)
    state = played.o.ok({"type": "state", "room": played.room})["state"]
    assert state["players"]["X"]["name"] == "Claimer" != guest
    assert state["seq"] == played.seq + 1
    played.o.ok("move 1 2")
    played.x.wait_for("moved", by="O")
    server.client().refused({"type": "hello", "token": token}, "bad_token")
    back = server.client()
    assert back.ok({"type": "hello", "token": claimed["token"]})["rooms"] == [played.room]


def test_a_guest_can_claim_with_a_token_of_his_own(server):
    client = server.client()
    client.ok("hello")
    reply = client.ok({"type": "hello", "name": "OwnToken", "token": "own-token-" * 4})
    assert "token" not in reply
    server.client().ok({"type": "hello", "token": "own-token-" * 4}, name="OwnToken")


def test_a_named_player_who_says_another_free_name_becomes_a_new_player(server):
    first = server.player("FirstName")
    room = first.ok("create X")["room"]
    second = first.ok({"type": "hello", "name": "SecondName"}, name="SecondName", rooms=[])
    assert second["token"] != first.token
    back = server.client()
    assert back.ok({"type": "hello", "token": first.token}, name="FirstName")["rooms"] == [room]


def test_hello_follows_ones_rooms_and_sends_their_states(server):
    names = server.player("Returner"), server.player("Partner")
    played = [qttt.Game(server, *names), qttt.Game(server, *names)]
    for game in played:
        game.play("1-5")
    played[0].x.close()
    back = server.client()
    reply = back.ok({"type": "hello", "token": played[0].x.token})
    assert sorted(reply["rooms"]) == sorted(game.room for game in played)
    states = {}
    for _ in played:
        state = back.expect("state")
        states[state["room"]] = state
    for game in played:
        assert states[game.room]["board"] == game.board
        assert states[game.room]["seq"] == game.seq
    played[0].o.ok({"type": "move", "room": played[0].room, "squares": [2, 3]})
    back.expect("moved", room=played[0].room, by="O")


def test_several_connections_share_a_name_and_hear_the_rooms_they_follow(server):
    ala = server.player("Shared")
    played = qttt.Game(server, ala)
    second, third = server.client(), server.client()
    second.ok({"type": "hello", "token": ala.token})
    second.expect("state", room=played.room)
    second.ok({"type": "move", "squares": [1, 5]}, room=played.room)
    for follower in (ala, second, played.o):
        follower.expect("moved", by="X", squares=[1, 5])
    third.ok("hello")
    third.expect_nothing()
    second.close()
    played.o.ok("move 2 3")
    ala.expect("moved", by="O")


def test_a_token_is_in_no_event_and_in_no_log(own_server):
    secret = "this-is-my-very-own-token-0123456789"
    watcher = own_server.client()
    watcher.ok({"type": "lobby", "follow": True})
    ala = own_server.client()
    ala.ok({"type": "hello", "name": "Ala", "token": secret})
    played = qttt.Game(own_server, ala, watchers=1)
    guest_token = played.joined["token"]
    played.play_to_the_end()
    own_server.client().refused({"type": "hello", "name": "Ala", "token": secret + "x"},
                                "name_taken")
    own_server.client().refused({"type": "hello", "token": secret + "y"}, "bad_token")
    own_server.client().send(b'{"type":"hello","token":"' + secret.encode() + b'"')
    for client in own_server.clients:
        for line in client.heard:
            assert secret.encode() not in line
            if line != played.joined[""]:
                assert guest_token.encode() not in line
    log = own_server.log()
    assert secret not in log and guest_token not in log
    with open(own_server.db, "rb") as file:
        stored = file.read()
    assert secret.encode() not in stored and guest_token.encode() not in stored


def test_mute_lists_are_kept_with_the_player(server):
    listener = server.player("Listener")
    server.player("Noisy")
    listener.ok("mute NOISY", muted=["Noisy"])
    listener.close()
    back = server.client()
    back.ok({"type": "hello", "token": listener.token})
    back.ok("mute noisy", muted=["Noisy"])
    back.ok("mute noisy on=no", muted=[])
    back.ok({"type": "mute", "name": "Noisy", "on": False}, muted=[])
    back.refused("mute Nobody", "no_such_player")


def test_who_lists_names_and_the_public_rooms_they_play_in(own_server):
    ala, ola, ela = (own_server.player(name) for name in ("Ala", "Ola", "Ela"))
    played = qttt.Game(own_server, ala)
    ola.ok("create X private")
    reply = ela.ok("who")
    assert reply["online"] >= 4
    rooms = {row["name"]: row.get("room") for row in reply["players"]}
    assert rooms["Ala"] == played.room
    assert rooms["Ola"] is None and rooms["Ela"] is None
    assert "room" not in next(row for row in reply["players"] if row["name"] == "Ela")
    assert len(ela.ok("who limit=2")["players"]) == 2
    played.x.ok("resign")
    played.x.expect("ended")
    rooms = {row["name"]: row.get("room") for row in ela.ok("who")["players"]}
    assert rooms["Ala"] is None
    ala.close()
    qttt.eventually(lambda: "Ala" not in [row["name"] for row in ela.ok("who")["players"]])


def test_help_lists_every_request_with_its_members(client):
    requests = {row["type"]: row for row in client.ok("help")["requests"]}
    assert {"hello", "help", "who", "mute", "ping", "quit", "create", "match", "join", "decline",
            "watch", "leave", "lobby", "move", "collapse", "resign", "abort", "draw", "claim",
            "rematch", "say", "state", "analyse", "text", "forget", "game", "games", "player",
            "top"} == set(requests)
    assert requests["ping"]["members"] == []
    assert "name?" in requests["hello"]["members"]
    assert "squares" in requests["move"]["members"]
    assert "room?" in requests["move"]["members"]
    assert all(row["about"] for row in requests.values())
    assert client.ok("help MOVE")["requests"] == [requests["move"]]
    client.refused("help dancing", "bad_request", field="about")
