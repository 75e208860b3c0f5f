"""What players do in a game, and the events that tell of it."""

import json

import pytest

import qttt


# ---- refusals, and the order of the checks ----


def test_an_error_about_the_game_shows_seq_and_board_to_its_followers(server):
    played = qttt.Game(server, watchers=1)
    played.play("1-5")
    for client, request, code in (
            (played.x, {"type": "move", "squares": [2, 3]}, "not_your_turn"),
            (played.o, {"type": "collapse", "square": 1}, "nothing_to_collapse"),
            (played.o, {"type": "move", "squares": [0, 1]}, "bad_square"),
            (played.o, {"type": "move", "squares": [1, 10]}, "bad_square"),
            (played.o, {"type": "move", "squares": [-2**63, 2**63 - 1]}, "bad_square"),
            (played.o, {"type": "move", "squares": [3, 3]}, "same_square"),
            (played.o, {"type": "move", "squares": [2, 3], "move": 1}, "stale"),
            (played.o, {"type": "draw", "accept": True}, "no_offer"),
            (played.watchers[0], {"type": "resign"}, "not_seated")):
        error = client.refused({"room": played.room, "id": 5, **request}, code, re=5,
                               to=request["type"])
        assert error["seq"] == played.seq and error["board"] == played.board
    stranger = server.client()
    error = stranger.refused({"type": "move", "room": played.room, "squares": [1, 2]},
                             "not_seated")
    assert "board" not in error and "seq" not in error


def test_who_must_choose_is_told_and_nobody_else_may(server):
    played = qttt.Game(server)
    played.play("1-2", "2-3", "1-3")
    assert played.board["turn"] == "O" and played.board["phase"] == "collapse"
    played.x.refused("collapse 1", "not_your_turn")
    played.x.refused("move 4 5", "not_your_turn")
    played.o.refused("move 4 5", "collapse_first")
    played.o.refused("collapse 2", "not_a_choice")
    played.o.refused("collapse 10", "bad_square")
    played.o.refused("collapse 1 mark=O4", "not_a_choice")
    played.o.ok("collapse 2 mark=x1")
    event = played.hear("collapsed", by="O", move=3, square=1)
    assert event["measured"] == [["X3", 1], ["X1", 2], ["O2", 3]]
    played.o.refused("collapse 1", "nothing_to_collapse")
    played.o.refused("move 1 4", "square_taken")
    played.o.ok("move 4 5")


def test_the_checks_come_in_the_contracts_order(server):
    played = qttt.Game(server)
    played.play("1-2", "2-3", "1-3")
    stale = {"type": "move", "room": played.room, "squares": [99, 99], "move": 1}
    played.x.refused(stale, "stale")
    played.o.refused(stale, "stale")
    played.x.refused({"type": "move", "squares": [99, 99]}, "not_your_turn")
    played.o.refused({"type": "move", "squares": [99, 99]}, "collapse_first")
    played.x.refused({"type": "move", "squares": [1, 2], "room": "zzzzz"}, "no_such_room")
    played.x.ok("resign")
    played.x.refused(stale, "game_over")
    server.client().refused(stale, "not_seated")


def test_nobody_acts_in_a_waiting_room(server):
    client = server.client()
    client.ok("create X")
    for words in ("move 1 5", "collapse 1", "resign", "abort", "draw", "rematch"):
        client.refused(words, "not_started")


def test_nobody_acts_when_the_game_is_over(server):
    played = qttt.Game(server, watchers=1)
    played.play_to_the_end()
    for words in ("move 1 5", "collapse 1", "resign", "abort", "draw", "draw no"):
        error = played.x.refused(words, "game_over")
        assert error["board"] == played.board


# ---- move numbers ----


def test_a_number_that_fits_is_accepted_and_the_same_again_is_stale(server):
    played = qttt.Game(server)
    move = {"type": "move", "squares": [1, 2], "move": 1}
    played.act(move)
    error = played.x.refused({"room": played.room, **move}, "stale")
    assert error["board"]["move"] == 2
    played.o.refused({"type": "move", "squares": [1, 2], "move": 3}, "stale")
    played.act({"type": "move", "squares": [1, 2], "move": 2})
    played.x.refused({"type": "collapse", "square": 1, "move": 3}, "stale")
    played.act({"type": "collapse", "square": 1, "move": 2})
    played.x.refused({"type": "collapse", "square": 1, "move": 2}, "stale")
    played.act({"type": "move", "squares": [3, 4], "move": 3})


def test_moves_sent_in_one_write_are_worked_on_one_by_one(server):
    player = server.client()
    other = server.client()
    room = player.ok("create X")["room"]
    other.ok(f"join {room}")
    player.send(b"move 1 5 move=1\nmove 1 5 move=1\nmove 2 3 move=3\n")
    replies = [player.reply() for _ in range(3)]
    assert [reply.get("code") for reply in replies] == [None, "stale", "stale"]


def test_the_reply_comes_before_the_events_that_it_caused(server):
    played = qttt.Game(server)
    played.x.send("move 1 5")
    assert played.x.expect("ok", seq=5)
    assert played.x.expect("moved", seq=5)


# ---- ends ----


def test_resigning_gives_the_other_the_point(server):
    played = qttt.Game(server, watchers=1)
    played.play("1-2", "2-3", "1-3")
    played.x.ok("resign", room=played.room, seq=played.seq + 1)
    ended = played.hear("ended", reason="resign", score={"X": 0, "O": 1}, lines=[])
    assert ended["board"]["phase"] == "over" and ended["board"]["turn"] is None
    assert ended["board"]["choices"] is None and ended["board"]["outcomes"] is None
    assert ended["board"]["move"] == 3
    result = played.o.ok("state")["state"]["result"]
    assert result == {"reason": "resign", "score": {"X": 0, "O": 1}, "lines": []}


def test_one_may_resign_when_it_is_not_ones_turn(server):
    played = qttt.Game(server)
    played.o.ok("resign")
    played.hear("ended", reason="resign", score={"X": 1, "O": 0})


@pytest.mark.parametrize("moves", [[], ["1-5"]])
def test_a_game_can_be_aborted_before_both_have_moved(server, moves):
    played = qttt.Game(server, watchers=1)
    played.play(*moves)
    played.o.ok("abort", seq=played.seq + 1)
    ended = played.hear("ended", reason="aborted", cause="request", score=None, lines=[])
    assert ended["board"]["phase"] == "over"
    result = played.x.ok("state")["state"]["result"]
    assert result == {"reason": "aborted", "cause": "request", "score": None, "lines": []}


def test_abort_after_both_have_moved_is_too_late(server):
    played = qttt.Game(server)
    played.play("1-5", "2-3")
    played.x.refused("abort", "too_late")


def test_a_draw_is_offered_and_accepted(server):
    played = qttt.Game(server, watchers=1)
    played.x.ok("draw", seq=played.seq + 1)
    played.hear("draw_offered", by="X")
    assert played.o.ok("state")["state"]["draw_offer"] == "X"
    played.o.ok("draw yes", seq=played.seq + 1)
    played.hear("ended", reason="agreement", score={"X": 0, "O": 0}, lines=[])


def test_draw_alone_accepts_a_standing_offer(server):
    played = qttt.Game(server)
    played.o.ok("draw")
    played.hear("draw_offered", by="O")
    played.x.ok("draw")
    played.hear("ended", reason="agreement")


def test_a_draw_offered_again_changes_nothing(server):
    played = qttt.Game(server)
    played.x.ok("draw")
    played.hear("draw_offered", by="X")
    played.x.ok("draw", seq=played.seq)
    played.x.refused("draw yes", "no_offer")
    played.x.refused("draw no", "no_offer")
    played.o.expect_nothing()


def test_a_draw_is_declined(server):
    played = qttt.Game(server, watchers=1)
    played.o.refused("draw no", "no_offer")
    played.x.ok("draw")
    played.hear("draw_offered", by="X")
    played.o.ok("draw no", seq=played.seq + 1)
    played.hear("draw_declined", by="O")
    assert played.x.ok("state")["state"]["draw_offer"] is None
    played.o.refused("draw yes", "no_offer")


def test_an_offer_lapses_when_its_receiver_acts_and_stands_when_its_maker_does(server):
    played = qttt.Game(server)
    played.x.ok("draw")
    played.hear("draw_offered", by="X")
    played.play("1-5")
    assert played.o.ok("state")["state"]["draw_offer"] == "X"
    played.play("2-3")
    assert played.o.ok("state")["state"]["draw_offer"] is None
    played.o.refused("draw yes", "no_offer")
    played.o.ok("draw")
    played.hear("draw_offered", by="O")


# ---- rematch ----


def test_when_both_ask_for_a_rematch_there_is_one_with_sides_changed(server):
    played = qttt.Game(server, watchers=1)
    played.x.refused("rematch", "too_early")
    played.play_to_the_end()
    played.watchers[0].refused("rematch", "not_seated")
    played.x.ok("rematch", room=played.room, seq=played.seq + 1)
    played.hear("rematch_offered", by="X")
    again = played.x.ok("rematch", seq=played.seq)
    assert "new" not in again
    reply = played.o.ok("rematch", room=played.room, seq=played.seq + 1)
    event = played.hear("rematch", new=reply["new"])
    assert event["new"] != played.room
    for player, seat in ((played.x, "O"), (played.o, "X")):
        state = player.expect("state", room=reply["new"], status="playing")
        assert state["players"]["X"]["name"] == played.joined["you"]
        assert state["players"]["O"]["name"] == played.opened["you"]
        assert player.ok(f"join {reply['new']}")["seat"] == seat
        assert player.ok(f"rematch {played.room}", seq=played.seq)["new"] == reply["new"]
    played.watchers[0].expect_nothing()
    played.o.ok("move 1 5", room=reply["new"])
    played.x.expect("moved", room=reply["new"])


def test_a_rematch_keeps_a_private_room_private_and_its_title(server):
    played = qttt.Game(server, private=True, title="Ours")
    played.x.ok("resign")
    played.hear("ended")
    played.o.ok("rematch")
    played.hear("rematch_offered")
    new = played.x.ok("rematch")["new"]
    assert len(new) >= 12
    state = played.o.wait_for("state", room=new)
    assert state["private"] is True and state["title"] == "Ours"


# ---- chat ----


def test_players_words_go_to_everyone(server):
    played = qttt.Game(server, watchers=1)
    played.x.ok("say Good game,   Ola!", room=played.room)
    played.hear("said", player=played.opened["you"], seat="X", text="Good game,   Ola!")


def test_watchers_words_go_to_watchers_until_the_game_is_over(server):
    played = qttt.Game(server, watchers=2)
    talker, listener = played.watchers
    talker.ok("say X should take 5")
    for watcher in (talker, listener):
        said = watcher.expect("said", seat=None, text="X should take 5")
    assert said["player"].startswith("guest-")
    played.x.expect_nothing()
    played.o.expect_nothing()
    assert played.x.ok("state")["state"]["chat"] == []
    played.x.ok("resign")
    played.hear("ended")
    talker.ok("say told you")
    played.hear("said", seat=None, text="told you")
    chat = played.o.ok("state")["state"]["chat"]
    assert [line["text"] for line in chat] == ["X should take 5", "told you"]


def test_a_snapshot_has_the_last_twenty_words_of_players(server):
    played = qttt.Game(server)
    for number in range(25):
        played.x.ok(f"say line {number}")
        played.hear("said")
    chat = server.client().ok(f"watch {played.room}")["state"]["chat"]
    assert [line["text"] for line in chat] == [f"line {number}" for number in range(5, 25)]
    assert chat[0] == {"player": played.opened["you"], "seat": "X", "text": "line 5"}


@pytest.mark.parametrize("text", ["", "x" * 201, "ł" * 201, "a\u0007b", "a\u009bb", "a\u202eb",
                                  "a\u2066b", "a\u200fb", "line\nfeed", "a\u2028b", "\u001b[2J"])
def test_words_that_would_disturb_a_terminal_are_bad_text(server, text):
    client = server.client()
    room = client.ok("create X")["room"]
    client.refused({"type": "say", "room": room, "text": text}, "bad_text")


def test_two_hundred_characters_are_fine(server):
    client = server.client()
    client.ok("create X")
    client.ok({"type": "say", "text": "ł" * 200})
    client.expect("said", text="ł" * 200)


def test_who_is_not_there_may_not_speak(server):
    room = server.client().ok("create X")["room"]
    server.client().refused({"type": "say", "room": room, "text": "hi"}, "not_in_room")


def test_the_muted_are_not_heard_by_who_muted_them(server):
    loud, quiet = server.player("Loud"), server.player("Quiet")
    played = qttt.Game(server, loud, quiet, watchers=1)
    quiet.ok("mute loud", muted=["Loud"])
    loud.ok("say hear me")
    loud.expect("said")
    played.watchers[0].expect("said")
    quiet.expect_nothing()
    quiet.ok("mute Loud on=no", muted=[])
    loud.ok("say now?")
    quiet.expect("said", text="now?")


# ---- since ----


def test_since_gives_every_later_event_byte_for_byte_and_then_the_state(server):
    played = qttt.Game(server, watchers=1)
    watcher = played.watchers[0]
    played.x.ok("say not among them")
    played.hear("said")
    played.play("1-2", "2-3", "1-3", "1")
    played.x.ok("draw")
    played.hear("draw_offered")
    played.o.ok("resign")
    played.hear("ended")
    live = [line for line in watcher.heard if b'"seq":' in line and b'"type":"ok"' not in line]
    assert [json.loads(line)["seq"] for line in live] == list(range(5, played.seq + 1))
    for follower in (watcher, server.client()):
        for since in (0, 4, 6, played.seq - 1, played.seq, played.seq + 100):
            follower.send({"type": "state", "room": played.room, "since": since})
            for seq in range(since + 1, played.seq + 1):
                event = follower.expect(follower_type(live, seq), room=played.room, seq=seq)
                if seq >= 5:
                    assert event[""] == live[seq - 5]
            reply = follower.expect("ok", to="state", room=played.room)
            assert reply["state"]["seq"] == played.seq


def follower_type(live, seq):
    first = {1: "opened", 2: "seated", 3: "seated", 4: "started"}
    return first[seq] if seq in first else json.loads(live[seq - 5])["type"]


def test_the_first_events_tell_how_the_room_came_about(server):
    ala, ola = server.player("OpenAla"), server.player("OpenOla")
    played = qttt.Game(server, ala, ola, title="History")
    watcher = server.client()
    watcher.send({"type": "state", "room": played.room, "since": 0})
    opened = watcher.expect("opened", seq=1, player="OpenAla", private=False, clock=None,
                            title="History")
    assert "opponent" not in opened
    watcher.expect("seated", seq=2, seat="X", player="OpenAla")
    watcher.expect("seated", seq=3, seat="O", player="OpenOla")
    watcher.expect("started", seq=4, players={"X": "OpenAla", "O": "OpenOla"})
    watcher.expect("ok", to="state")


# ---- a reader that does not read ----


def test_who_reads_too_slowly_gets_one_state_and_the_game_goes_on(own_server):
    played = qttt.Game(own_server)
    slow = own_server.client(receive_buffer=4096)
    slow.ok(f"watch {played.room}")
    for number in range(3000):
        played.x.ok(f"say {number} " + "ł" * 150)
        played.x.expect("said")
        played.o.expect("said")
    played.play("1-5")
    # If it missed something, a state came in place of that.
    line = slow.next_event()
    while line["type"] not in ("moved", "state"):
        line = slow.next_event()
    assert line.get("state", line)["board"] == played.board
    state = slow.ok({"type": "state", "room": played.room})["state"]
    assert state["seq"] == played.seq
