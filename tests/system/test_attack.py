"""What strangers do to a server with its default limits, by the thousand, and two honest players
beside them whose every reply, event and board has to be right.

A row is an attack; it names what has to answer it: metrics, by how much they grow at least. Each has
addresses of its own, so that no row lives on what another one has left. QTTT_SEED repeats a run."""

import collections
import json
import socket
import time

import pytest

import qttt
from attack import (HANDSHAKE, PATIENCE, SHARE, Field, all_read, beside_honest_players, codes, many,
                    metrics, opened, replies, welcomed)
from certificates import Authority, ByHand, served
from frames import MORE, PING, TEXT, frame, text

pytestmark = pytest.mark.usefixtures("many_files")

# As protocol/PROTOCOL.md has them.
AN_ADDRESS = 100  # connections
ALLOWANCE, ADDRESS_ALLOWANCE, BURST_S = 200, 2000, 10  # units, a second's
OPENS, SAYS, INVITES, INVITED, NAMES, BOT_GAMES = 30, 30, 10, 32, 100, 16
GUESS = 50  # units, on top
SLOW_READER_S = 30
MAX_CONNECTIONS, HTTP_CONNECTIONS, WATCHERS = 10000, 256, 2000
# Lines about connections are 100 a second, of those who are in and of those on their way; a few
# others go by what was done.
LOG_BYTES, LOG_BYTES_A_SECOND = 200_000, 40_000
# Those who wait from the beginning, of each kind.
WAITING = 20
# The answers fill a socket, and all that may wait for it.
MUCH = b"help\n" * 600


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def target(authority):
    server = served(authority.sign("server"), "--http", "127.0.0.1:0", limits=True)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def patient(target, choice):
    """Those who keep the server waiting from the first attack on, until it is tired of them."""
    field = Field(target, choice, 8)
    with field.swarms:
        halves = [field.swarm(1, door).open(WAITING, data) for door, data in (
            ("tls", b""), ("tls", b"\x16\x03\x01"), ("http", b"GET / HT"), ("http", HANDSHAKE[:-2]))]
        stuck = field.swarm(4)
        halves.append(stuck.open(WAITING, b"lobby follow\n" + MUCH, reads=False))
        stuck.pump_for(0.5)
        yield field, halves


# ---- What answers ----


def refused(reason):
    return ("qttt_connections_refused_total", reason)


def closed(reason):
    return ("qttt_connections_closed_total", reason)


def answered(type_, code):
    return ("qttt_requests_total", code, type_)


def by_http(status):
    return ("qttt_http_requests_total", status)


BEHIND_BYTES = 131072
BEHIND = ("qttt_sessions_fell_behind_total",)
HARM = {"internal", "unavailable"}


# ---- Bytes ----


def dripped(swarm, crowd, line, slowly):
    """A ping with the id 5, its first bytes one a second. Patience pays: half a line said slowly is
    half a line."""
    for place in range(slowly):
        for bad in crowd:
            bad.send(line[place:place + 1])
        swarm.pump_for(1)
    for bad in crowd:
        bad.send(line[slowly:])
    swarm.pump(lambda: all(b'"re":5' in bad.got for bad in crowd), "every ping's answer")


def drip(field):
    swarm, crowd = field.crowd(20, AN_ADDRESS + 10)
    swarm.pump(welcomed(crowd), "all to be welcomed")
    inside = [bad for bad in crowd if b'"welcome"' in bad.got]
    assert len(inside) == AN_ADDRESS * swarm.addresses
    dripped(swarm, inside, b'{"type":"ping","id":5}\n', 3)
    for bad in set(crowd) - set(inside):
        assert b'"too_many_connections"' in bad.got


def flood_of_few(field):
    began = time.monotonic()
    swarm, crowd = field.crowd(1, 4, b"ping\n" * 2300)
    all_read(swarm, crowd, ALLOWANCE * BURST_S // 2)
    swarm.pump_for(1)
    for bad in crowd:
        assert bad.lines <= 1 + ALLOWANCE * (BURST_S + 1 + time.monotonic() - began)


def flood_of_many(field):
    began = time.monotonic()
    swarm, crowd = field.crowd(5, AN_ADDRESS, b"ping\n" * 250)
    most = ADDRESS_ALLOWANCE * BURST_S
    swarm.pump(lambda: sum(bad.lines for bad in crowd) > swarm.addresses * most * 3 // 4,
               "what an address may ask at once")
    swarm.pump_for(1)
    lines = sum(bad.lines - 1 for bad in crowd)
    assert lines <= swarm.addresses * ADDRESS_ALLOWANCE * (BURST_S + 1 + time.monotonic() - began)


def garbage(field):
    choice = field.choice

    def rubbish(_number):
        data = choice.randbytes(choice.randrange(3000))
        # Whatever the bytes are: neither "quit" nor a request for a page.
        return data + choice.choice([b"", b"\n", b"{" * 5000, b"\xff" * 9000 + b"\n", b"\0\n"])

    swarm, crowd = field.crowd(20, 80, rubbish)
    swarm.pump(lambda: all(not bad.out or bad.is_over for bad in crowd), "all to be sent")
    for bad in crowd:
        if not bad.is_over:
            bad.socket.shutdown(socket.SHUT_WR)
    swarm.pump(lambda: all(bad.is_over for bad in crowd), "all to be closed")
    assert set(codes(crowd)) <= {"bad_json", "too_long", "bad_request", "unknown_type", "ok"}


def half_open(field):
    """Until no connection is left for anybody."""
    addresses = MAX_CONNECTIONS // AN_ADDRESS + 2
    swarm, crowd = field.crowd(addresses, AN_ADDRESS, lambda number: [b"", b'{"type":"mo'][number % 2])
    swarm.pump(welcomed(crowd), "all to be welcomed")
    halves = [bad for bad in crowd[1:1000:2] if not bad.is_over and b'"welcome"' in bad.got]
    for bad in halves:
        bad.socket.shutdown(socket.SHUT_WR)
    swarm.pump(lambda: all(bad.is_over for bad in halves), "the half-closed to be closed")
    assert all(replies(bad)[-1]["code"] == "bad_json" for bad in halves)
    if SHARE == 1:
        inside = sum(b'"welcome"' in bad.got for bad in crowd)
        # The honest players have the others, and who waits from the beginning.
        assert MAX_CONNECTIONS - 2 - 4 * WAITING <= inside <= MAX_CONNECTIONS - 2


def handshakes_left(field):
    context = field.authority.context()
    hello = ByHand(field.server.port_of("tls"), context)
    first = hello.begin()
    hello.close()
    swarm = field.swarm(20, "tls")
    crowd = swarm.open((AN_ADDRESS + 10) * swarm.addresses,
                       lambda number: [first, first[:20], b""][number % 3])
    swarm.pump(lambda: sum(bad.is_over for bad in crowd) == 10 * swarm.addresses,
               "those who are too many to be closed")


def heads_left(field):
    swarm = field.swarm(5 * SHARE, "http")
    for begin in (b"GET /" + b"x" * 500000, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 100000,
                  b"\r\n" * 100000, b"", HANDSHAKE[:-2], b"GET / HTTP/1.1\r\nX: "):
        for bad in swarm.open(AN_ADDRESS * 5, begin):
            bad.forgets = True
        swarm.pump_for(0.3)


# ---- Games ----


def turns():
    """A game with a measurement and the last square in it."""
    return next(game for game in qttt.vector_games()
                if any(action[0] == "collapse" for action in game["actions"]) and
                len(game["actions"]) > 8)


def cut_off(server, game, number, count, source):
    """A game up to the action `number`, of which its actor sends `count` bytes and is gone; he comes
    back, and sends it again if need be. Returns whether it had been carried out."""
    before, after = (qttt.board_of_view(game["views"][number + more]) for more in (0, 1))
    played = qttt.Game(server, *[server.client(source=source) for _ in range(2)])
    for action in game["actions"][:number]:
        played.act(qttt.action_request(action))
    actor = played.seat(before["turn"])
    line = qttt.as_bytes(qttt.action_request(game["actions"][number], played.room,
                                             move=before["move"]))
    actor.send(line[:count])
    actor.drop()
    token = (played.opened if actor is played.x else played.joined)["token"]
    back = server.client(source=source)
    back.ok({"type": "hello", "token": token}, rooms=[played.room])
    board = back.expect("state", room=played.room)["board"]
    done = board["squares"] == after["squares"]
    assert done or board["squares"] == before["squares"], board
    if not done:
        reply = back.ask(line)
        # It may have been on its way to the disk.
        done = reply.get("code") == "stale"
        assert done or reply["seq"] == played.seq + 1, reply
    other = played.o if actor is played.x else played.x
    assert other.wait_for("moved" if game["actions"][number][0] == "move" else "collapsed",
                          seq=played.seq + 1)["board"]["squares"] == after["squares"]
    for client in (other, back):
        client.close()
    del server.clients[:]
    return done


def resets(field):
    """At any byte of any act: it is undone or done."""
    game = turns()
    last = next(number for number, view in enumerate(game["views"])
                if view["phase"] == "over" or number == len(game["actions"]))
    kept = games = 0
    for number in range(min(last - 1, 9)):
        length = len(qttt.as_bytes(qttt.action_request(game["actions"][number], "k7m2q", move=1)))
        for count in {0, length - 1, length, *field.choice.sample(range(length), many(10))}:
            games += 1
            done = cut_off(
                field.server, game, number, count, f"127.{field.block}.1.{games // 40 + 1}")
            assert not done or count == length, "what was not ended by a LF is no act"
            kept += done
    print(kept, "acts of those that were sent whole had arrived")


def churn(field):
    began = b"match 17+3\nmove 1 5\nmove 1 5\n"
    for round_ in range(5):
        swarm = field.swarm(20)
        crowd = swarm.open(many(2000), lambda number: began[:(number + 7 * round_) % len(began)])
        swarm.pump(lambda: sum(not bad.out for bad in crowd) > len(crowd) // 2, "half to be sent")
        swarm.close(reset=True)


# ---- Rooms and names ----


def rooms(field):
    """Ten thousand of them, opened and left, and one more by each name."""
    began, asked = time.monotonic(), OPENS + 20
    swarm, crowd = field.crowd(34, 10, b"create\nleave\n" * asked)
    all_read(swarm, crowd, 2 * asked)
    found = codes(crowd)
    most = OPENS * (1 + (time.monotonic() - began) / 60)
    assert OPENS * len(crowd) <= found["ok"] // 2 <= (most + 1) * len(crowd)
    assert set(found) == {"ok", "rate_limited", "not_in_room"}
    ids = {reply["room"] for bad in crowd for reply in replies(bad) if "room" in reply}
    assert len(ids) == found["ok"] // 2


def names(field):
    """One has the owner's name whom all want; each has one of his own, and no more than so many."""
    swarm, crowd = field.crowd(10, 40, lambda number: b"hello wanted\nhello squat-%d\n" % number)
    all_read(swarm, crowd, 2)
    first = [replies(bad)[0] for bad in crowd]
    assert collections.Counter(reply.get("code") for reply in first) == {
        None: 1, "name_taken": len(crowd) - 1}
    assert all(replies(bad)[1]["type"] == "ok" for bad in crowd)
    for number, bad in enumerate(crowd):
        bad.send(b"hello more-%d-a\nhello more-%d-b\nhello guest-%d\nhello operator\n" %
                 (number, number, number))
    all_read(swarm, crowd, 6)
    for bad in crowd:
        assert [reply["code"] for reply in replies(bad)[4:]] == ["bad_name"] * 2
    token = next(reply["token"] for reply in first if "token" in reply)
    owners = swarm.open(20, b"hello wanted token=%s\n" % token.encode())
    all_read(swarm, owners, 1)
    assert set(codes(owners)) == {"ok", "too_many_connections"}


def guessed(field, lines, allowed):
    """A stranger's guesses are slow, however many connections he has."""
    began = time.monotonic()
    swarm, crowd = field.crowd(5, 25, lines)
    most = ADDRESS_ALLOWANCE * BURST_S // (GUESS + 5)
    swarm.pump(lambda: sum(bad.lines - 1 for bad in crowd) > swarm.addresses * most // 2,
               "what an address may guess at once")
    swarm.pump_for(1)
    seconds = BURST_S + 1 + time.monotonic() - began
    got = sum(bad.lines - 1 for bad in crowd)
    assert got <= swarm.addresses * ADDRESS_ALLOWANCE * seconds // GUESS
    assert set(codes(crowd)) <= allowed
    return crowd


def rooms_guessed(field):
    choice = field.choice
    owner = field.honest()
    hidden = owner.ok({"type": "create", "private": True})["room"]
    letters = "23456789abcdefghjkmnpqrstuvwxyz"
    kinds = ("watch", "join", "state", "say", "resign", "decline", "draw", "leave", "rematch")

    def guesses(_number):
        ids = ["".join(choice.choices(letters, k=len(hidden))) for _ in range(15)]
        ids += [hidden[:5], hidden[:-1], hidden + "2"]
        return b"lobby\nwho\n" + b"".join(qttt.as_bytes(
            {"type": choice.choice(kinds), "room": room, "text": "hi"}) for room in ids)

    crowd = guessed(field, guesses, {"ok", "no_such_room"})
    assert not any(hidden.encode() in bad.got for bad in crowd)
    owner.expect_nothing()
    owner.close()


def tokens_guessed(field):
    owner = field.server.client(source="127.0.0.2")
    token = owner.ok("hello keeper")["token"]
    wrong = [token[:-1], token + "A", token.swapcase()]
    line = "hello token={}\nhello keeper token={}\n"
    guesses = "".join(line.format(guess, guess) for guess in wrong).encode()

    def lines(number):
        return guesses + b"".join(b"hello token=%022d\n" % (100 * number + n) for n in range(8))

    guessed(field, lines, {"bad_token", "name_taken"})
    owner.ok({"type": "hello", "token": token}, name="keeper")
    owner.close()


# ---- Texts and numbers ----

TRICKS = ["\x1b[2J\x1b[31mred", "\u202eevil", "\u2066a\u2069", "a\nb\r\nmove 1 5", "\x85\x9b31m",
          "\u200f\u200b", "\ufeffa", "\U000e0041", "a\u2028b", "\x07"]


def tricks(field):
    """In each text; whoever looks on sees nothing of it, nor does the log."""
    looker = field.honest()
    looker.ok("lobby follow")
    lines = [{"type": "create", "title": "%s"}, {"type": "hello", "name": "%s"},
             {"type": "say", "text": "%s"}, {"type": "mute", "name": "%s"},
             {"type": "create", "opponent": "%s"}, {"type": "player", "name": "%s"},
             {"type": "join", "room": "%s"}, {"type": "hello", "token": "%s"},
             {"type": "lobby", "after": "%s"}, {"type": "analyse", "record": "%s"}, {"type": "%s"}]

    def said(number):
        trick = TRICKS[number % len(TRICKS)]
        return b'create title="plain"\n' + b"".join(qttt.as_bytes(
            {name: value.replace("%s", trick) for name, value in line.items()}) for line in lines)

    swarm, crowd = field.crowd(5, 20, said)
    all_read(swarm, crowd, len(lines) + 1)
    assert set(codes(crowd)) <= {"ok", "bad_text", "bad_name", "bad_request", "bad_token",
                                 "unknown_type", "no_such_room", "no_such_player"}
    assert codes(crowd)["ok"] == len(crowd), "the plain one alone"
    looker.ok("ping")
    heard = b"".join(looker.heard).decode("utf-8") + json.dumps(
        [json.loads(line) for line in looker.heard], ensure_ascii=False) + field.server.log()
    assert not set(heard) & set("".join(TRICKS)) - set("\n") - set(map(chr, range(32, 127)))
    looker.close()


def numbers(field):
    edges = ["0", "-0", "-1", "10", "2147483648", "9223372036854775807", "-9223372036854775808",
             "9223372036854775808", "1e400", "1e-400", "1.5", "123456789.123456789e-300", "00", "-"]
    lines = ['{{"type":"move","squares":[{0},{0}],"id":{0}}}',
             '{{"type":"move","squares":[1,5],"move":{0},"room":"k7m2q"}}',
             '{{"type":"collapse","square":{0}}}', '{{"type":"state","since":{0}}}',
             '{{"type":"create","clock":{{"base_ms":{0},"increment_ms":{0}}}}}',
             '{{"type":"lobby","limit":{0}}}', '{{"type":"top","limit":{0}}}',
             '{{"type":"hello","protocol":{0}}}',
             '{{"type":"analyse","actions":[{{"squares":[{0},{0}]}}]}}']
    said = ("\n".join(line.format(edge) for edge in edges for line in lines) + "\n").encode()
    swarm, crowd = field.crowd(5, 10, said)
    all_read(swarm, crowd, len(edges) * len(lines))
    assert set(codes(crowd)) <= {"ok", "bad_json", "bad_request", "no_such_room", "not_in_room",
                                 "bad_protocol", "bad_square"}


# ---- Those who do not read ----


def until_stuck(field, swarm, crowd):
    """Most of them miss events from then on: so much waits, and no more of it leaves."""
    seen = [0]

    def waits():
        swarm.pump_for(0.2)
        seen.append(metrics(field.server)["qttt_output_waiting_bytes",])
        return seen[-1] == seen[-2] > 1.5 * BEHIND_BYTES * len(crowd)
    qttt.eventually(waits, PATIENCE, "so much that waits")


def stuck_in_the_lobby(field):
    swarm, crowd = field.crowd(30, 10, b"lobby follow\n" + MUCH, reads=False)
    until_stuck(field, swarm, crowd)
    busy = field.swarm(5)
    crowd = busy.open(busy.addresses * 10, b"create\nleave\n" * OPENS)
    all_read(busy, crowd, 2 * OPENS)


def watched(field, addresses, each, data, reads):
    """A game of two who move as they may, and so many who follow it."""
    game = qttt.Game(field.server, *[
        field.server.client(source=f"127.{field.block}.2.1") for _ in range(2)])
    line = f"watch {game.room}\n".encode()
    swarm, crowd = field.crowd(addresses, each, line + data, reads)
    return game, swarm, crowd


def end_game(field, game):
    for client in (game.x, game.o):
        client.close()
    del field.server.clients[:]


def stuck_watchers(field):
    game, swarm, crowd = watched(field, 30, 10, MUCH, reads=False)
    until_stuck(field, swarm, crowd)
    game.play_to_the_end()
    end_game(field, game)


def watchers(field):
    game, swarm, crowd = watched(field, 25, 90, b"", reads=True)
    all_read(swarm, crowd, 1)
    full = codes(crowd)
    if SHARE == 1:
        assert full == {"ok": WATCHERS, "room_full": len(crowd) - WATCHERS}
    game.play_to_the_end()
    followers = [bad for bad in crowd if b'"room_full"' not in bad.got]
    swarm.pump(lambda: all(b'"ended"' in bad.got for bad in followers), "the end to be told to all")
    end_game(field, game)


# ---- What costs others ----


def chat(field):
    game, swarm, crowd = watched(field, 4, 20, b"", reads=True)
    for bad in crowd:
        bad.send(b"say you are all very slow here\n" * (SAYS + 5))
    swarm.pump(lambda: all(bad.got.count(b'"to":"say"') == SAYS + 5 for bad in crowd),
               "all to have said what they may")
    end_game(field, game)


def invitations(field):
    victim = field.honest()
    victim.ok({"type": "hello", "name": "victim"})
    swarm, crowd = field.crowd(
        5, 20, lambda number: b"hello inviter-%d\n" % number + b"create opponent=victim\n" * 6)
    all_read(swarm, crowd, 7)
    assert sum(line["type"] == "invited" for line in events_of(victim)) == INVITED
    for bad in crowd:
        bad.send(b"create opponent=inviter-%d\n" % ((bad.number + 1) % len(crowd)) * (INVITES + 2))
    swarm.pump(lambda: all(bad.got.count(b'"to":"create"') == 18 for bad in crowd), "all answers")
    victim.close()


def events_of(client):
    client.ok("ping")
    return client.waiting


def analyses(field):
    def asked(_number):
        a, b, c = field.choice.sample(range(1, 10), 3)
        return b"".join(b"analyse actions=%d-%d,%d-%d\n" % (a, b, c, 10 - n if 10 - n != c else 1)
                        for n in range(1, 10)) * 4
    swarm, crowd = field.crowd(5, 40, asked)
    swarm.pump(lambda: all(b'"analyse"' in bad.got for bad in crowd), "an answer to each")


def bots(field):
    swarm, crowd = field.crowd(2, 10, b"create bot-perfect\n" * (BOT_GAMES + 2))
    all_read(swarm, crowd, BOT_GAMES + 2)
    assert codes(crowd) == {"ok": BOT_GAMES * len(crowd), "too_many_rooms": 2 * len(crowd)}
    for bad in crowd:
        ids = [reply["room"] for reply in replies(bad) if "room" in reply]
        bad.send(b"".join(b"resign %s\n" % room.encode() for room in ids))
    swarm.pump(lambda: all(bad.got.count(b'"to":"resign"') == BOT_GAMES for bad in crowd),
               "the games to be over")


# ---- WebSockets ----


def frames_dripped(field):
    swarm = field.swarm(10, "http")
    crowd = opened(swarm, 90 * swarm.addresses)
    dripped(swarm, crowd, frame(TEXT, b'{"type":"ping",', fin=False) + frame(MORE, b'"id":5}'), 2)


def frames_of_nothing(field):
    """Pings, and fragments without a byte."""
    swarm = field.swarm(2, "http")
    crowd = opened(swarm, 20 * swarm.addresses)
    for bad in crowd:
        bad.got = b""
        bad.send(frame(PING, bytes(125), mask=bytes(4)) * 900 if bad.number % 2 else
                 frame(TEXT, b"p", fin=False) + frame(MORE, b"", fin=False) * 18000)
    pinging = crowd[1::2]
    swarm.pump(lambda: all(len(bad.got) > 127 * 100 for bad in pinging), "pongs")
    swarm.pump_for(1)
    assert not any(bad.is_over for bad in crowd), "neither is forbidden"


def frames_of_garbage(field):
    swarm = field.swarm(10, "http")
    crowd = opened(swarm, 90 * swarm.addresses)
    for bad in crowd:
        # A reserved bit at the end, for those whose bytes were a message so far.
        bad.send(field.choice.randbytes(field.choice.randrange(2000)) + b"\xff" * 70000)
    swarm.pump(lambda: all(bad.is_over for bad in crowd), "all to be closed")


def websockets_opened_and_left(field):
    swarm = field.swarm(10, "http")
    for _ in range(many(24)):
        for number, bad in enumerate(opened(swarm, 50)):
            if number % 2:
                bad.send(text(b'{"type":"ping","id":%d}' % number) + b"\x81\xfe\x10")
            bad.close(reset=number % 3 == 0)


# ---- The table ----

Row = collections.namedtuple("Row", "what attack meets grows_mib", defaults=({}, 64))

ROWS = [
    Row("bytes dripped one a second", drip, {refused("crowded"): many(20) * 10}),
    Row("a flood from few", flood_of_few),
    Row("a flood from many", flood_of_many),
    Row("garbage", garbage, {answered("none", "bad_json"): 1000 // SHARE,
                             answered("none", "too_long"): 10}),
    Row("connections until there is no more", half_open,
        {refused("full"): 202} if SHARE == 1 else {}, 300),
    Row("handshakes never finished", handshakes_left, {refused("crowded"): many(20) * 10}, 200),
    Row("heads of requests never finished", heads_left, {by_http("503"): 100, by_http("431"): 10}),
    Row("resets at any byte of any act", resets, {closed("error"): 10}),
    Row("comings and goings", churn, {closed("error"): 100 // SHARE}),
    Row("ten thousand rooms", rooms, {answered("create", "rate_limited"): 1}),
    Row("names squatted", names, {answered("hello", "name_taken"): 30,
                                  answered("hello", "rate_limited"): 10,
                                  answered("hello", "too_many_connections"): 4}),
    Row("rooms guessed", rooms_guessed, {answered("watch", "no_such_room"): 10}),
    Row("tokens guessed", tokens_guessed, {answered("hello", "bad_token"): 100}),
    Row("tricks in texts", tricks, {answered("create", "bad_text"): 10,
                                    answered("hello", "bad_name"): 10}),
    Row("numbers at the edge", numbers, {answered("none", "bad_json"): 10}),
    Row("stuck in the lobby", stuck_in_the_lobby, {}, 160),
    Row("stuck watchers", stuck_watchers, {BEHIND: many(30) * 5}, 160),
    Row("watchers", watchers, {answered("watch", "room_full"): 250} if SHARE == 1 else {}),
    Row("chat", chat, {answered("say", "rate_limited"): 80 // SHARE}),
    Row("invitations", invitations, {answered("create", "too_many_rooms"): 50,
                                     answered("create", "rate_limited"): 20}),
    Row("analyses", analyses, {answered("analyse", "rate_limited"): 100 // SHARE}),
    Row("games against bots", bots, {answered("create", "too_many_rooms"): 20}),
    Row("frames that drip", frames_dripped),
    Row("frames of nothing", frames_of_nothing),
    Row("frames of garbage", frames_of_garbage, {closed("bad_frame"): many(10) * 80}),
    Row("WebSockets opened and left", websockets_opened_and_left),
]


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.what)
def test_honest_players_finish_their_games_beside(target, authority, choice, row):
    field = Field(target, choice, 10 + ROWS.index(row))
    field.authority = authority
    before, logged, began = metrics(target), len(target.log()), time.monotonic()
    with beside_honest_players(target, row.what, choice, row.grows_mib,
                               f"127.0.0.{field.block}"), field.swarms:
        row.attack(field)
    grown = metrics(target) - before
    seconds = time.monotonic() - began
    logged = len(target.log()) - logged
    qttt.tell(f"{row.what}: {seconds:.1f} s, {logged / 1024:.0f} KiB of log")
    for metric, least in row.meets.items():
        assert grown[metric] >= least, (metric, grown)
    assert not [key for key in +grown if HARM & set(key)], grown
    assert logged < LOG_BYTES + LOG_BYTES_A_SECOND * seconds


# ---- What takes its time ----


def test_who_keeps_the_server_waiting_is_let_go_in_his_time(target, patient):
    field, kinds = patient
    most = 2 * (SLOW_READER_S + PATIENCE)
    for crowd in kinds[:4]:
        crowd[0].swarm.pump(lambda crowd=crowd: all(bad.is_over for bad in crowd),
                            "the half to be closed", most)
    qttt.eventually(lambda: metrics(target)[closed("slow_reader")] >= WAITING, most,
                    "the stuck to go")
    assert metrics(target)[refused("too_slow")] >= 2 * WAITING


def test_five_thousand_tokens_come_back_at_once_after_a_restart(choice):
    with qttt.Server(limits=True) as server:
        played = qttt.Game(server)
        played.play("1-5")
        field = Field(server, choice, 9)
        with field.swarms:
            swarm, crowd = field.crowd(50, AN_ADDRESS, b"hello\n")
            all_read(swarm, crowd, 1)
            guests = [replies(bad)[0] for bad in crowd]
        for client in server.clients:
            client.close()
        server.terminate()
        server.start()
        field = Field(server, choice, 9)
        with beside_honest_players(server, "a storm of tokens", choice, 150), field.swarms:
            swarm, crowd = field.crowd(50, AN_ADDRESS, lambda number: b"hello token=%s\n" %
                                       guests[number]["token"].encode())
            all_read(swarm, crowd, 1, 2 * PATIENCE)
            for bad, guest in zip(crowd, guests):
                reply = replies(bad)[0]
                assert reply["type"] == "ok" and reply["name"] == guest["name"], reply
                assert "token" not in reply
            back = server.client()
            back.ok({"type": "hello", "token": played.joined["token"]}, rooms=[played.room])
            back.expect("state", room=played.room)
            back.ok("move 2 3", seq=played.seq + 1)
            back.close()
            del server.clients[:]


def test_a_server_that_is_told_to_end_keeps_no_time_for_bad_clients(target, choice):
    field = Field(target, choice, 7)
    with field.swarms:
        for door, data in (("tls", b"\x16\x03\x01"), ("http", HANDSHAKE[:-2]), ("http", b"")):
            field.swarm(1, door).open(60, data)
        swarm, crowd = field.crowd(15, AN_ADDRESS, lambda number: [
            b"", b"ping\n" * 5000, b"create\nleave\n" * 20, b'{"type":"mo', MUCH][number % 5])
        swarm.pump(welcomed(crowd), "all to be welcomed")
        began = time.monotonic()
        target.terminate()
        assert time.monotonic() - began < 5 * qttt.SLOW
