"""Thousands of bad clients, while two honest players play on. Only what is right and how much memory
it takes is asserted; how long the honest ones waited is told. QTTT_SEED repeats a run."""

import json
import socket

import pytest

import qttt
from attack import PATIENCE, Swarm, beside_honest_players, welcomed

# A sanitizer's build is to find its own kind of fault, not to bear the full number.
SHARE = 1 if qttt.SLOW == 1 else 8


# What one of a flood says, in lines; beside it memory holds what it has not read.
FLOOD_LINES = 20000


def many(count):
    return count // SHARE


@pytest.fixture(scope="module")
def target():
    server = qttt.Server("--max-connections", "15000", "--keep-over", "1", db="none")
    yield server
    server.stop()


def replies(bad):
    """All lines that it got but events, each whole and JSON."""
    lines = [json.loads(line) for line in bad.lines_got()]
    return [line for line in lines if line["type"] in ("ok", "error")]


def none_was_internal(crowd):
    for bad in crowd:
        for reply in replies(bad):
            assert reply.get("code") not in ("internal", "unavailable"), reply


# ---- Bytes ----


def test_two_thousand_that_drip_a_byte_a_second_keep_nobody_waiting(target, choice):
    line = b'{"type":"ping","id":5}\n'
    with beside_honest_players(target, "drip", choice), Swarm(target.port) as swarm:
        crowd = swarm.open(many(2000))
        swarm.pump(welcomed(crowd), "all to be welcomed")
        for place in range(5):
            for bad in crowd:
                bad.send(line[place:place + 1])
            swarm.pump_for(1)
        # Patience pays: half a line said slowly is half a line.
        for bad in crowd:
            bad.send(line[5:])
        swarm.pump(lambda: all(bad.lines == 2 for bad in crowd), "every ping's answer")
        assert all(replies(bad)[0]["re"] == 5 for bad in crowd)


def test_floods_of_lines_are_answered_in_order_as_far_as_they_are_read(target, choice):
    pings = b"".join(b'{"type":"ping","id":%d}\n' % number for number in range(many(FLOOD_LINES)))
    with beside_honest_players(target, "flood", choice, 128), Swarm(target.port) as swarm:
        readers = swarm.open(many(24), pings)
        for bad in swarm.open(many(80), pings * 2):
            bad.reads = False
        for bad in swarm.open(many(200), b"say hello\n" * 5000):
            bad.forgets = True
        swarm.pump(lambda: all(bad.lines == 1 + many(FLOOD_LINES) for bad in readers),
                   "every ping's answer")
        for bad in readers:
            assert [reply["re"] for reply in replies(bad)] == list(range(many(FLOOD_LINES)))


def test_two_thousand_who_send_garbage_get_refusals_alone(target, choice):
    def garbage(_number):
        data = choice.randbytes(choice.randrange(3000))
        # Whatever the bytes are: neither "quit" nor a request for a page.
        return data + choice.choice([b"", b"\n", b"{" * 5000, b"\xff" * 9000 + b"\n", b"\0\n"])

    with beside_honest_players(target, "garbage", choice), Swarm(target.port) as swarm:
        crowd = swarm.open(many(2000), garbage)
        swarm.pump(lambda: all(not bad.out or bad.is_over for bad in crowd), "all to be sent")
        for bad in crowd:
            if not bad.is_over:
                bad.socket.shutdown(socket.SHUT_WR)
        swarm.pump(lambda: all(bad.is_over for bad in crowd), "all to be closed")
        none_was_internal(crowd)
        assert sum(len(replies(bad)) for bad in crowd) > len(crowd)


def test_thousands_who_say_nothing_or_half_and_stop_are_borne(target, choice):
    with beside_honest_players(target, "half-open", choice, 100), Swarm(target.port) as swarm:
        silent = swarm.open(many(4000))
        halves = swarm.open(many(1000), b'{"type":"mo')
        gone = swarm.open(many(1000), b"lobby follow\n")
        swarm.pump(welcomed(swarm.members.values()), "all to be welcomed")
        for bad in gone:
            bad.close(reset=True)
        for bad in halves:
            bad.socket.shutdown(socket.SHUT_WR)
        swarm.pump(lambda: all(bad.is_over for bad in halves), "the half-closed to be closed")
        assert all(replies(bad)[-1]["code"] == "bad_json" for bad in halves)
        swarm.pump_for(1)
        silent[0].send(b"ping\n")
        swarm.pump(lambda: silent[0].lines == 2, "the answer to one who was silent")


# ---- Games ----


def turns():
    """A game with a measurement and the last square in it."""
    games = qttt.vector_games()
    return next(game for game in games
                if any(action[0] == "collapse" for action in game["actions"]) and
                len(game["actions"]) > 8)


def cut_off(server, game, number, count):
    """A game up to the action `number`, of which its actor sends `count` bytes and is gone; he comes
    back. Returns the board that he finds, and the boards before and after the act."""
    before, after = (qttt.board_of_view(game["views"][number + more]) for more in (0, 1))
    played = qttt.Game(server)
    for action in game["actions"][:number]:
        played.act(qttt.action_request(action))
    actor = played.seat(before["turn"])
    line = qttt.as_bytes(qttt.action_request(game["actions"][number], played.room))
    actor.send(line[:count])
    actor.drop()
    token = (played.opened if actor is played.x else played.joined)["token"]
    back = server.client()
    back.ok({"type": "hello", "token": token}, rooms=[played.room])
    board = back.expect("state", room=played.room)["board"]
    if board["squares"] == before["squares"]:
        assert back.ok(line)["seq"] == played.seq + 1
    other = played.o if actor is played.x else played.x
    assert other.wait_for("moved" if game["actions"][number][0] == "move" else "collapsed",
                          seq=played.seq + 1)["board"]["squares"] == after["squares"]
    for client in (other, back):
        client.close()
    del server.clients[:]
    return board, before, after, len(line)


def test_a_reset_at_any_byte_of_any_act_leaves_it_undone_or_done(target, choice):
    game = turns()
    last = next(number for number, view in enumerate(game["views"])
                if view["phase"] == "over" or number == len(game["actions"]))
    kept = 0
    with beside_honest_players(target, "resets", choice):
        for number in range(min(last - 1, 9)):
            length = 2
            count = 0
            while count <= length:
                board, before, after, length = cut_off(target, game, number, count)
                done = board["squares"] == after["squares"]
                assert done or board["squares"] == before["squares"], board
                assert not done or count == length, "what was not ended by a LF is no act"
                kept += done
                count += 1 if SHARE == 1 else 7
    print(kept, "acts of those that were sent whole had arrived")


# ---- Rooms and names ----


def test_ten_thousand_rooms_opened_and_left_are_gone(target, choice):
    rooms = 100
    with beside_honest_players(target, "rooms", choice), Swarm(target.port) as swarm:
        crowd = swarm.open(many(100), b"create\nleave\n" * rooms)
        swarm.pump(lambda: all(bad.got.count(b'"to":"leave"') == rooms for bad in crowd),
                   "every room to be opened and left")
        for bad in crowd:
            assert {reply["type"] for reply in replies(bad)} == {"ok"}
        ids = {reply["room"] for bad in crowd for reply in replies(bad)}
        assert len(ids) == rooms * len(crowd)
    assert target.client().ok("lobby")["rooms"] == []


def test_a_name_that_a_thousand_want_has_one_owner(target, choice):
    with beside_honest_players(target, "names", choice), Swarm(target.port) as swarm:
        crowd = swarm.open(many(1000), lambda number: b"hello wanted\nhello squat-%d\n" % number)
        swarm.pump(lambda: all(bad.lines >= 3 for bad in crowd), "everybody's answers")
        first = [replies(bad)[0] for bad in crowd]
        assert [reply["type"] for reply in first].count("ok") == 1
        assert {reply.get("code") for reply in first} == {None, "name_taken"}
        assert all(replies(bad)[1]["type"] == "ok" for bad in crowd)
        reserved = swarm.open(many(500), lambda number: b"hello %s-%d\nhello %s\n" % (
            choice.choice([b"guest", b"bot", b"gone", b"Bot", b"GUEST"]), number,
            choice.choice([b"server", b"operator", b"SERVER", b"Operator"])))
        wrong = swarm.open(many(500), lambda number: b"hello wanted token=%022d\n" % number)
        swarm.pump(lambda: all(bad.lines >= 3 for bad in reserved) and
                   all(bad.lines >= 2 for bad in wrong), "the refusals")
        assert {reply["code"] for bad in reserved for reply in replies(bad)} == {"bad_name"}
        assert {reply["code"] for bad in wrong for reply in replies(bad)} == {"name_taken"}


def test_a_private_room_is_not_guessed_nor_shown(target, choice):
    hidden = qttt.Game(target, private=True)
    length = len(hidden.room)
    letters = "23456789abcdefghjkmnpqrstuvwxyz"

    def guesses(_number):
        ids = ["".join(choice.choices(letters, k=length)) for _ in range(10)]
        near = list(hidden.room)
        near[choice.randrange(length)] = choice.choice(letters)
        if "".join(near) != hidden.room:
            ids.append("".join(near))
        ids += [hidden.room[:5], hidden.room[:-1], hidden.room + "2"]
        kinds = ("watch", "join", "state", "say", "resign", "decline", "draw", "leave", "rematch")
        return b"".join(qttt.as_bytes({"type": choice.choice(kinds), "room": room, "text": "hi"})
                        for room in ids) + b"lobby playing\nwho\n"

    with beside_honest_players(target, "guesses", choice), Swarm(target.port) as swarm:
        crowd = swarm.open(many(2000), guesses)
        swarm.pump(lambda: all(not bad.out and b'"to":"who"' in bad.got[-20000:]
                               for bad in crowd), "every guess's answer")
        for bad in crowd:
            assert hidden.room.encode() not in bad.got
            codes = {reply.get("code") for reply in replies(bad)}
            assert codes <= {None, "no_such_room"}, codes
    hidden.play("1-5", "2-3")


# ---- After a restart ----


def test_five_thousand_tokens_come_back_at_once_after_a_restart(own_server, choice):
    count = many(5000)
    played = qttt.Game(own_server)
    played.play("1-5")
    with Swarm(own_server.port) as swarm:
        crowd = swarm.open(count, b"hello\n")
        swarm.pump(lambda: all(bad.lines >= 2 for bad in crowd), "everybody's token")
        guests = [replies(bad)[0] for bad in crowd]
    for client in own_server.clients:
        client.close()
    own_server.terminate()
    own_server.start()
    with beside_honest_players(own_server, "storm", choice, 100), Swarm(own_server.port) as swarm:
        crowd = swarm.open(count, lambda number: b"hello token=%s\n" %
                           guests[number]["token"].encode())
        swarm.pump(lambda: all(bad.lines >= 2 for bad in crowd), "everybody's name", 2 * PATIENCE)
        for bad, guest in zip(crowd, guests):
            reply = replies(bad)[0]
            assert reply["type"] == "ok" and reply["name"] == guest["name"], reply
            assert "token" not in reply
        back = own_server.client()
        back.ok({"type": "hello", "token": played.joined["token"]}, rooms=[played.room])
        back.expect("state", room=played.room)
        back.ok("move 2 3", seq=played.seq + 1)
        back.close()
        del own_server.clients[:]
