"""Rooms: opening, finding, joining, watching and leaving them."""

import re

import pytest

import qttt

ROOM = re.compile(r"[2-9a-hjkmnp-z]{5,16}")
OPENING = {"move": 1, "turn": "X", "phase": "move", "squares": [[] for _ in range(9)],
           "choices": None, "cycle": None, "outcomes": None}


def names(state):
    return {seat: player and player["name"] for seat, player in state["players"].items()}


def room_ids(reply):
    return [summary["room"] for summary in reply["rooms"]]


# ---- create ----


def test_create_opens_a_waiting_room_and_shows_it(server):
    ala = server.player("Creator")
    reply = ala.ok({"type": "create", "side": "X", "title": "Żółty pokój"}, you="Creator", seat="X")
    state = reply["state"]
    assert ROOM.fullmatch(reply["room"]) and state["room"] == reply["room"]
    assert state["seq"] == 2 and state["status"] == "waiting"
    assert state["players"]["X"] == {"name": "Creator", "online": True, "rating": 1500}
    assert state["players"]["O"] is None
    assert state["title"] == "Żółty pokój" and state["private"] is False
    assert state["settings"] == {"clock": None} and state["clock"] is None
    assert state["board"] == OPENING
    assert state["result"] is None and state["draw_offer"] is None and state["chat"] == []
    ala.expect_nothing()


def test_create_gives_the_side_that_was_asked_for(server):
    for words, seat in (("create X", "X"), ("create o", "O"), ("create side=O", "O")):
        server.client().ok(words, seat=seat)


def test_a_random_side_is_now_one_and_now_the_other(server):
    client = server.client()
    seats = set()
    for _ in range(30):
        reply = client.ok({"type": "create", "side": "random"})
        client.ok({"type": "leave", "room": reply["room"]})
        seats.add(reply["seat"])
    assert seats == {"X", "O"}


def test_a_title_has_at_most_60_clean_characters(server):
    client = server.client()
    client.ok({"type": "create", "title": "ł" * 60})
    client.refused({"type": "create", "title": "ł" * 61}, "bad_text")
    client.refused({"type": "create", "title": "a\u202eb"}, "bad_text")
    client.refused({"type": "create", "title": "a\u0085b"}, "bad_text")
    assert client.ok("create X title=To the end of   the line")["state"]["title"] == \
        "To the end of   the line"


@pytest.mark.parametrize("more", [{"clock": "0+2"}, {"clock": {"base_ms": 1, "increment_ms": 0}}])
def test_what_this_version_cannot_do_is_refused_by_name(server, more):
    client = server.client()
    for type_ in ("create", "match"):
        if type_ == "create" or "clock" in more:
            client.refused({"type": type_, **more}, "bad_request", field=next(iter(more)))


# ---- join ----


def test_join_takes_the_free_seat_and_starts(server):
    ala, ola = server.player("JoinAla"), server.player("JoinOla")
    opened = ala.ok("create X")
    joined = ola.ok(f"join {opened['room']}", you="JoinOla", seat="O", room=opened["room"])
    assert joined["state"]["status"] == "playing" and joined["state"]["seq"] == 4
    assert names(joined["state"]) == {"X": "JoinAla", "O": "JoinOla"}
    seated = ala.expect("seated", room=opened["room"], seq=3, seat="O", player="JoinOla")
    started = ala.expect("started", seq=4, players={"X": "JoinAla", "O": "JoinOla"}, clock=None)
    assert started["board"] == OPENING and started["at_ms"] >= seated["at_ms"]
    ola.expect_nothing()


def test_join_again_gives_the_same(server):
    played = qttt.Game(server)
    again = played.o.ok(f"join {played.room}", seat="O", room=played.room)
    assert again["state"]["seq"] == played.seq
    played.x.ok(f"join {played.room}", seat="X")
    played.x.expect_nothing()


def test_a_taken_side_or_a_full_room_is_room_full(server):
    ala, ola = server.client(), server.client()
    room = ala.ok("create X")["room"]
    ola.refused(f"join {room} X", "room_full")
    ola.refused(f"join {room} side=X", "room_full")
    ola.ok(f"join {room} O", seat="O")
    server.client().refused(f"join {room}", "room_full")
    ola.ok(f"join {room} X", seat="O")


def test_a_room_is_found_in_any_case_and_an_unknown_one_is_none(server):
    room = server.client().ok("create X")["room"]
    client = server.client()
    for wrong in ("zzzzz", "abc", "no-such-room", "22222222222222222", "k7m2q!"):
        client.refused({"type": "join", "room": wrong}, "no_such_room")
        client.refused({"type": "watch", "room": wrong}, "no_such_room")
    client.ok({"type": "join", "room": room.upper()}, room=room)


# ---- match ----


def test_match_seats_two_strangers_together(own_server):
    ala, ola = own_server.client(), own_server.client()
    first = ala.ok("match")
    assert ala.ok("match")["room"] == first["room"]
    assert first["state"]["status"] == "waiting"
    second = ola.ok("match", room=first["room"])
    assert second["state"]["status"] == "playing"
    assert {first["seat"], second["seat"]} == {"X", "O"}
    ala.expect("seated")
    ala.expect("started", room=first["room"])


def test_match_takes_the_oldest_room_whose_creator_is_present(own_server):
    gone, first, second = (own_server.client() for _ in range(3))
    left = gone.ok("create X")["room"]
    older = first.ok("create X")["room"]
    qttt.a_moment()
    second.ok("create X")
    gone.close()
    watcher = own_server.client()

    def offline():
        return not watcher.ok(f"watch {left}")["state"]["players"]["X"]["online"]
    qttt.eventually(offline, what="the creator's leaving")
    own_server.client().ok("match", room=older)


def test_match_skips_private_kept_and_own_rooms(own_server):
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    ala.ok("create X private")
    ala.ok("create Ola X")
    mine = ola.ok("match")
    assert mine["state"]["status"] == "waiting"
    assert own_server.client().ok("match")["room"] == mine["room"]


# ---- invitations ----


def test_an_invited_player_is_told_and_may_join(server):
    ala, ola = server.player("Inviter"), server.player("Invitee")
    room = ala.ok("create invitee X")["room"]
    invited = ola.expect("invited", room=room, player="Inviter")
    assert invited["clock"] is None
    server.client().refused(f"join {room}", "not_allowed")
    ola.ok(f"join {room}", seat="O")
    ala.expect("seated", player="Invitee")
    ala.expect("started")


def test_a_kept_seat_is_shown_in_the_lobby(own_server):
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    room = ala.ok("create Ola X")["room"]
    assert room in room_ids(own_server.client().ok("lobby"))
    ola.expect("invited")


def test_an_invitation_waits_for_a_player_who_is_away(server):
    ala, ola = server.player("Waiter"), server.player("Sleeper")
    ola.close()
    room = ala.ok("create Sleeper X")["room"]
    back = server.client()
    back.ok({"type": "hello", "token": ola.token})
    back.expect("invited", room=room, player="Waiter")
    again = server.client()
    again.ok({"type": "hello", "token": ola.token})
    again.expect("invited", room=room)


def test_an_invitation_that_is_declined_closes_the_room(server):
    ala, ola = server.player("Hopeful"), server.player("Busy")
    room = ala.ok("create busy X")["room"]
    ola.expect("invited")
    server.client().refused(f"decline {room}", "not_allowed")
    ala.refused(f"decline {room}", "not_allowed")
    ola.ok(f"decline {room}", room=room)
    ala.expect("ended", reason="aborted", cause="declined", score=None, lines=[])
    back = server.client()
    back.ok({"type": "hello", "token": ola.token})
    back.expect_nothing()


def test_nobody_can_invite_himself_or_nobody(server):
    ala = server.player("Lonely")
    ala.refused("create Lonely", "bad_request", field="opponent")
    ala.refused("create lonely X", "bad_request", field="opponent")
    ala.refused("create Nobody-1", "no_such_player")
    ala.refused({"type": "create", "opponent": "x" * 300}, "bad_name")


def test_an_invitation_by_someone_muted_does_not_arrive(server):
    ala, ola = server.player("Pest"), server.player("Peaceful")
    ola.ok("mute Pest")
    ala.ok("create Peaceful X")
    ola.expect_nothing()


# ---- watch ----


def test_a_watcher_sees_what_was_and_what_comes(server):
    played = qttt.Game(server)
    played.play("1-5", "5-9")
    watcher = server.client()
    state = watcher.ok(f"watch {played.room}", room=played.room)["state"]
    assert state["board"] == played.board and state["seq"] == played.seq
    played.watchers.append(watcher)
    played.play("1-9", "1")
    refusal = watcher.refused({"type": "move", "squares": [2, 3]}, "not_seated")
    assert refusal["board"] == played.board and refusal["seq"] == played.seq


def test_watch_with_since_gives_the_later_events_and_then_the_state(server):
    played = qttt.Game(server)
    played.play("1-5", "5-9")
    watcher = server.client()
    watcher.send({"type": "watch", "room": played.room, "since": 4})
    watcher.expect("moved", seq=5)
    watcher.expect("moved", seq=6)
    watcher.expect("ok", to="watch", room=played.room)


def test_watchers_are_counted(server):
    played = qttt.Game(server)
    watchers = [server.client() for _ in range(3)]
    for watcher in watchers:
        state = watcher.ok(f"watch {played.room}")["state"]
    assert state["spectators"] == 3
    watchers[0].ok("leave")
    watchers[1].close()
    qttt.eventually(lambda: played.x.ok("state")["state"]["spectators"] == 1)


def test_players_are_told_how_many_watch(server):
    played = qttt.Game(server)
    watcher = server.client()
    watcher.ok(f"watch {played.room}")
    assert played.x.wait_for("presence", room=played.room, spectators=1)
    watcher.close()
    assert played.x.wait_for("presence", room=played.room, spectators=0)


def test_presence_tells_who_comes_and_goes(server):
    ala, ola = server.player("Present"), server.player("Fickle")
    played = qttt.Game(server, ala, ola, watchers=1)
    ola.close()
    for follower in (ala, played.watchers[0]):
        follower.wait_for("presence", room=played.room, player="Fickle", online=False)
    state = ala.ok("state")["state"]
    assert state["players"]["O"] == {"name": "Fickle", "online": False, "rating": 1500}
    back = server.client()
    back.ok({"type": "hello", "token": ola.token})
    ala.wait_for("presence", room=played.room, player="Fickle", online=True)


# ---- private rooms ----


def test_a_private_room_is_in_no_list_and_its_id_is_the_invitation(own_server):
    ala, ola, lobby = (own_server.client() for _ in range(3))
    lobby.ok("lobby follow")
    opened = ala.ok("create X private")
    room = opened["room"]
    assert len(room) >= 12 and opened["state"]["private"] is True
    for status in ("waiting", "playing", "over"):
        assert room not in room_ids(ola.ok(f"lobby {status}"))
    watcher = own_server.client()
    watcher.ok(f"watch {room}", room=room)
    ola.ok(f"join {room}", seat="O")
    watcher.expect("seated", room=room)
    assert room not in room_ids(lobby.ok("lobby playing"))
    assert all(row.get("room") != room for row in lobby.ok("who")["players"])
    lobby.expect_nothing()


def test_a_private_room_may_keep_its_seat_too(server):
    ala, ola = server.player("Secretive"), server.player("Trusted")
    room = ala.ok("create Trusted X private")["room"]
    ola.expect("invited", room=room)
    stranger = server.client()
    stranger.refused(f"join {room}", "not_allowed")
    stranger.ok(f"watch {room}")
    ola.ok(f"join {room}", seat="O")


# ---- leave ----


def test_a_waiting_room_whose_creator_leaves_closes(server):
    ala, watcher = server.client(), server.client()
    room = ala.ok("create X")["room"]
    watcher.ok(f"watch {room}")
    ala.ok("leave", room=room)
    ended = watcher.expect("ended", room=room, seq=3, reason="aborted", cause="creator_left",
                           score=None, lines=[])
    assert ended["board"]["phase"] == "over" and ended["board"]["turn"] is None
    assert ended["board"]["move"] == 0
    server.client().refused(f"join {room}", "game_over")


def test_a_player_who_leaves_a_running_game_only_stops_following(server):
    played = qttt.Game(server)
    played.play("1-5")
    played.x.ok("leave", room=played.room)
    played.o.ok("move 2 3")
    played.o.expect("moved")
    played.x.expect_nothing()
    state = played.x.ok({"type": "watch", "room": played.room})["state"]
    assert state["status"] == "playing" and state["players"]["X"]["online"] is True
    played.x.ok({"type": "move", "squares": [4, 6]})


def test_a_watcher_who_leaves_hears_no_more(server):
    played = qttt.Game(server, watchers=1)
    played.watchers[0].ok("leave", room=played.room)
    played.x.ok("move 1 5")
    played.watchers[0].expect_nothing()
    played.watchers[0].refused({"type": "leave", "room": played.room}, "not_in_room")
    played.watchers[0].refused("leave", "not_in_room")


def test_leaving_a_game_that_is_over_stops_following(server):
    played = qttt.Game(server)
    played.play_to_the_end()
    played.x.ok("leave", room=played.room)
    played.o.ok("say bye")
    played.x.expect_nothing()
    played.x.refused("say hello?", "not_in_room")


# ---- which room is meant ----


def test_without_a_room_there_is_none_to_mean(server):
    client = server.client()
    client.ok("hello")
    for words in ("move 1 5", "collapse 1", "resign", "abort", "draw", "rematch", "say hi", "state",
                  "leave"):
        client.refused(words, "not_in_room")


def test_with_several_running_rooms_one_must_be_named(server):
    player = server.client()
    first, second = qttt.Game(server, player), qttt.Game(server, player)
    for words in ("move 1 5", "resign", "draw", "state", "leave", "say hi"):
        refusal = player.refused(words, "bad_request", field="room")
        assert "room=" in refusal["message"]
    player.ok(f"move 1 5 room={first.room}", room=first.room)
    second.o.ok("resign")
    player.wait_for("ended", room=second.room)
    player.ok("state", room=first.room)
    first.o.ok("resign", room=first.room)
    player.wait_for("ended", room=first.room)
    player.ok("state", room=first.room)
    player.ok("say well played", room=first.room)


def test_the_game_that_ended_last_is_meant_whatever_is_offered_in_another(server):
    player = server.client()
    first, second = qttt.Game(server, player), qttt.Game(server, player)
    for game in (first, second):
        game.o.ok("resign")
        player.wait_for("ended", room=game.room)
    first.o.ok("rematch")
    player.expect("rematch_offered", room=first.room)
    player.ok("state", room=second.room)


def test_state_takes_a_room_that_is_not_followed(server):
    played = qttt.Game(server)
    client = server.client()
    assert client.ok(f"state {played.room}")["state"]["board"] == played.board
    played.play("1-5")
    client.expect_nothing()
    client.refused({"type": "state", "room": "zzzzz"}, "no_such_room")


def test_a_connection_follows_a_limited_number_of_rooms(own_server):
    client = own_server.client()
    limit = client.welcome["limits"]["rooms_followed"]
    games = [qttt.Game(own_server) for _ in range(limit + 1)]
    for game in games[:limit]:
        client.ok(f"watch {game.room}")
    client.refused(f"watch {games[limit].room}", "too_many_rooms")
    client.refused("create X", "too_many_rooms")
    for game in (games[3], games[1]):
        game.x.ok("resign")
        client.wait_for("ended", room=game.room)
    client.ok(f"watch {games[limit].room}")
    games[3].x.ok("say nobody hears this")
    games[1].x.ok("say but this")
    client.wait_for("said", room=games[1].room)
    assert not any(line.get("room") == games[3].room and line["type"] == "said"
                   for line in client.waiting)
    client.expect_nothing()


# ---- lobby ----


def open_rooms(server, count):
    """Rooms that wait, each opened later than the one before."""
    rooms = []
    for _ in range(count):
        rooms.append(server.client().ok("create X")["room"])
        qttt.a_moment()
    return rooms


def test_the_lobby_lists_rooms_by_status_oldest_first(own_server):
    looker = own_server.client()
    waiting = open_rooms(own_server, 3)
    playing = [qttt.Game(own_server)]
    qttt.a_moment()
    playing.append(qttt.Game(own_server))
    over = qttt.Game(own_server)
    over.play_to_the_end()
    assert room_ids(looker.ok("lobby")) == waiting
    assert room_ids(looker.ok("lobby waiting")) == waiting
    assert room_ids(looker.ok("lobby PLAYING")) == [game.room for game in playing]
    assert over.room in room_ids(looker.ok({"type": "lobby", "status": "over"}))
    summary = looker.ok("lobby playing")["rooms"][0]
    assert summary["status"] == "playing" and summary["move"] == 1
    assert summary["players"] == {"X": playing[0].opened["you"], "O": playing[0].joined["you"]}
    assert summary["clock"] is None and summary["spectators"] == 0
    assert summary["created_ms"] > 1_600_000_000_000
    assert "title" not in summary


def test_the_lobby_is_read_page_by_page(own_server):
    looker = own_server.client()
    rooms = open_rooms(own_server, 7)
    seen, request = [], {"type": "lobby", "limit": 3}
    for _ in range(3):
        reply = looker.ok(request)
        assert len(reply["rooms"]) <= 3
        seen += room_ids(reply)
        if "next" not in reply:
            break
        request["after"] = reply["next"]
    assert seen == rooms and "next" not in reply
    for cursor in ("no cursor", "-1-1", "0x5-0x5", "5", "5-", " 5-5", "5-5 "):
        looker.refused({"type": "lobby", "after": cursor}, "bad_request", field="after")


def test_who_follows_the_lobby_hears_of_public_rooms(own_server):
    looker = own_server.client()
    looker.ok({"type": "lobby", "follow": True})
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    room = ala.ok("create X title=Mine")["room"]
    added = looker.expect("lobby", change="added", room=room, status="waiting", title="Mine")
    assert added["players"] == {"X": "Ala", "O": None} and added["move"] == 1
    ola.ok(f"join {room}")
    looker.expect("lobby", change="changed", room=room, status="playing",
                  players={"X": "Ala", "O": "Ola"})
    ala.ok("resign")
    looker.expect("lobby", change="removed", room=room, status="over")
    looker.ok("lobby follow=no")
    ala.ok("create X")
    looker.expect_nothing()


def test_a_quick_game_changes_the_lobby_at_most_once_a_second(own_server):
    looker = own_server.client()
    looker.ok("lobby follow")
    played = qttt.Game(own_server)
    played.play_to_the_end()
    changes = []
    while not changes or changes[-1] != "removed":
        changes.append(looker.expect("lobby", room=played.room)["change"])
    assert changes[0] == "added"
    assert changes.count("changed") <= 3 * qttt.SLOW
