"""--check-db finds nothing in what the server wrote, and each of the ways in which it can be wrong."""

import contextlib
import os
import shutil
import sqlite3
import tempfile

import pytest

import qttt
import upkeep

SHORT = {"base_ms": 1000, "increment_ms": 0}
LONG = {"base_ms": 3600000, "increment_ms": 1000}


def play_what_is_dropped(server, rooms):
    """Long over: of these the store keeps the first event, the last ones and the game's row."""
    ala, ola = server.player("Ala"), server.player("Ola")
    old = qttt.Game(server, ala, ola, clock=LONG)
    old.play_to_the_end()
    resigned = qttt.Game(server)
    resigned.play("1-2", "1-2")
    resigned.x.ok({"type": "resign", "room": resigned.room})
    rooms.update(old=old.room, old_resigned=resigned.room)


def dropped(db, room):
    with sqlite3.connect(db) as rows:
        return rows.execute("SELECT 1 FROM rooms WHERE state = 3 AND id = ?", [room]).fetchone()


def play_ends(server, rooms):
    """Every way in which a game ends."""
    line = qttt.Game(server)
    line.play_to_the_end()
    line.x.ok("hello Was-a-guest")
    flag = qttt.Game(server, clock=SHORT)
    flag.play("1-2", "2-3")
    flag.hear("ended", reason="flag")
    claim = qttt.Game(server, clock=LONG)
    claim.play("1-2", "2-3", "3-4")
    claim.o.close()
    qttt.eventually(lambda: claim.x.ask("claim")["type"] == "ok")
    draw = qttt.Game(server, clock=LONG, private=True, title="A title, and more")
    draw.play("1-2", "2-3")
    draw.x.ok("draw")
    draw.o.ok("draw accept=no")
    draw.o.ok("draw")
    draw.x.ok("draw accept=yes")
    aborted = qttt.Game(server)
    aborted.x.ok("abort")
    late = qttt.Game(server, clock=LONG)
    late.hear("ended", reason="aborted", cause="no_first_move")
    rooms.update(line=line.room, flag=flag.room, claim=claim.room, draw=draw.room,
                 aborted=aborted.room, late=late.room)


def play_more(server, rooms):
    """A rematch, names given up, a bot, rooms without a game, and what is under way."""
    first = qttt.Game(server, server.player("Ira"), server.player("Uda"), clock=LONG)
    first.play("1-2", "1-2", "1")
    first.x.ok("resign")
    first.x.ok(f"rematch {first.room}")
    second = first.o.ok(f"rematch {first.room}")["new"]
    for name in ("Ira", "Ola"):
        server.operator().ok(f"release {name}")
    player = server.client()
    bot = player.ok("create bot-random side=X")["room"]
    player.ok({"type": "move", "squares": [1, 5], "room": bot})
    player.wait_for("moved", room=bot, by="O")
    player.ok({"type": "resign", "room": bot})
    left = player.ok("create")["room"]
    player.ok(f"leave {left}")
    waits = player.ok("create Ala private")["room"]
    chooses = qttt.Game(server, server.player("Ela"), server.player("Ula"))
    chooses.play("1-2", "2-3", "3-1")
    rooms.update(first=first.room, second=second, bot=bot, left=left, waits=waits,
                 chooses=chooses.room)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A database with games of all kinds, at rest, and their rooms."""
    db = str(tmp_path_factory.mktemp("played") / "qttt.db")
    rooms = {}
    with qttt.Server("--keep-over", "0", "--keep-events", "1", db=db) as server:
        play_what_is_dropped(server, rooms)
        for name in ("old", "old_resigned"):
            qttt.eventually(lambda: dropped(db, rooms[name]), what="dropped events")
    with qttt.Server("--claim-grace", "1", "--first-move", "2", db=db, admin=True) as server:
        play_ends(server, rooms)
        play_more(server, rooms)
    return db, rooms


@pytest.fixture
def copy(played, tmp_path):
    """The database to be damaged."""
    return shutil.copy(played[0], tmp_path / "copy.db")


def test_what_the_server_wrote_is_sound(played):
    db, rooms = played
    told = upkeep.assert_sound(db)
    assert f" {len(rooms)} rooms, " in told and told.count("\n") == 1


def test_a_name_that_was_released_is_nothing_wrong(copy):
    with qttt.Server(admin=True, db=copy) as server:
        operator = server.operator()
        for name in ("Ala", "Was-a-guest"):
            operator.ok(f"release {name}")
            server.player(name)
    upkeep.assert_sound(copy)


def test_a_running_server_does_not_hinder_a_check(own_server):
    played = qttt.Game(own_server)
    played.play("1-2")
    upkeep.assert_sound(own_server.db)
    played.play("2-3")
    upkeep.assert_sound(own_server.db)


def event(room, seq, old, new):
    """An event with other bytes in it."""
    return (f"UPDATE events SET line = CAST(replace(CAST(line AS TEXT), '{old}', '{new}') AS BLOB)"
            f" WHERE seq = {seq} AND room = {number(room)}")


def number(room):
    return f"(SELECT n FROM rooms WHERE id = '{{{room}}}')"


def last(room):
    return f"(SELECT max(seq) FROM events WHERE room = {number(room)})"


def game(room, change):
    return f"UPDATE games SET {change} WHERE room = '{{{room}}}'"


def of_player(key, change):
    return f"UPDATE players SET {change} WHERE key = '{key}'"


# What is done to the database, with rooms by their names above, and what is told of it.
WRONGS = {
    "a byte of an event is no JSON": (event("line", 5, '"squares"', '"squares'), "room {line}: event 5 is none that"),
    "a member of an event is gone": (event("line", 5, '"squares"', '"squarez"'), "room {line}: event 5 "),
    "a move is another": (event("line", 5, "[1,7]", "[1,8]"), "room {line}: event 5 says "),
    "a move is by the other": (event("line", 5, '"by":"X"', '"by":"O"'), "room {line}: event 5 can't follow"),
    "an event is another room's": (event("line", 5, "{line}", "{flag}"), "room {line}: event 5 can't follow"),
    "an event has two lines": (event("line", 5, '"by":"X"', '"by":\n"X"'), "room {line}: event 5 says"),
    "an event is empty": (f"UPDATE events SET line = x'' WHERE seq = 5 AND room = {number('line')}",
                          "room {line}: event 5 is none that"),
    "a measurement gave something else": (event("line", 13, '["X1",1]', '["X1",6]'), "room {line}: event 13 says"),
    "a board is another": (event("chooses", 7, '"phase":"collapse"', '"phase":"move"'),
                           "room {chooses}: event 7 says"),
    "a clock gained time": (event("first", 6, '"O_ms":3601000', '"O_ms":3601001'), "room {first}: event 6 says"),
    "a score is another": (event("old_resigned", last("old_resigned"), '"X":0,"O":1', '"X":1,"O":1'),
                           "room {old_resigned}: event 7 says"),
    "a flag is by the other": (event("flag", 7, '"X":0,"O":1', '"X":1,"O":0'), "room {flag}: event 7 says"),
    "a claim is by the other": (event("claim", 8, '"X":1,"O":0', '"X":0,"O":1'), "room {claim}: event 8 says"),
    "a draw is none": (event("draw", 10, '"X":0,"O":0', '"X":1,"O":1'), "room {draw}: event 10 says"),
    "an aborted game has points": (event("aborted", 5, '"score":null', '"score":{{"X":0,"O":0}}'),
                                   "room {aborted}: event 5 says"),
    "an event is deleted": (f"DELETE FROM events WHERE seq = 7 AND room = {number('line')}",
                            "room {line}: event 7 is missing"),
    "events are deleted": (f"DELETE FROM events WHERE seq IN (6, 7, 8) AND room = {number('line')}",
                           "room {line}: events 6 to 8 are missing"),
    "the last event is deleted": (f"DELETE FROM events WHERE seq = 7 AND room = {number('flag')}",
                                  "room {flag}: by its row it is over, by its events it plays"),
    "the end on the board is deleted": (
        f"UPDATE rooms SET state = 1, over_ms = NULL WHERE id = '{{line}}'; DELETE FROM games WHERE room = '{{line}}';"
        f"DELETE FROM events WHERE seq >= 14 AND room = {number('line')}",
        "room {line}: its game is over on the board, and did not end"),
    "the first event is deleted": (f"DELETE FROM events WHERE seq = 1 AND room = {number('old')}",
                                   "room {old}: events 1 to "),
    "all events are deleted": (f"DELETE FROM events WHERE room = {number('waits')}", "room {waits}: it has no events"),
    "two events are swapped": (
        f"UPDATE events SET seq = -1 WHERE seq = 5 AND room = {number('line')};"
        f"UPDATE events SET seq = 5 WHERE seq = 6 AND room = {number('line')};"
        f"UPDATE events SET seq = 6 WHERE seq = -1 AND room = {number('line')}",
        "room {line}: event 5 can't follow"),
    "an event is there twice": (
        f"DROP INDEX events_by_room; INSERT INTO events (room, seq, line)"
        f" SELECT room, seq, line FROM events WHERE seq = 5 AND room = {number('line')};",
        "room {line}: event 5 is there more than once"),
    "events are another room's": (
        f"DELETE FROM events WHERE room = {number('waits')};"
        f"UPDATE events SET room = {number('waits')} WHERE room = {number('chooses')}",
        "room {waits}: its events are room"),
    "events are of no room": (f"UPDATE events SET room = 99999 WHERE room = {number('waits')}",
                              "room number 99999: it is not there"),
    "a room is deleted": ("DELETE FROM rooms WHERE id = '{second}'",
                          "room {first}: the room of its rematch, {second}, is not there"),
    "a room is open again": ("UPDATE rooms SET state = 1 WHERE id = '{line}'", "room {line}: by its row it plays"),
    "a room is of no state": ("UPDATE rooms SET state = 7 WHERE id = '{line}'", "room {line}: its state is none"),
    "a running room is over": ("UPDATE rooms SET state = 2 WHERE id = '{chooses}'", "room {chooses}: by its row it is over"),
    "when a room got over is gone": ("UPDATE rooms SET over_ms = NULL WHERE id = '{line}'",
                                     "room {line}: when it got over"),
    "when a room got over is another time": ("UPDATE rooms SET over_ms = over_ms + 1 WHERE id = '{line}'",
                                             "room {line}: when it got over"),
    "a game is deleted": ("DELETE FROM games WHERE room = '{line}'", "room {line}: its game ended, and has no row"),
    "a game is of a room without one": (
        "INSERT INTO games (room, x, o, private, started_ms, ended_ms, result, record, ended_seq)"
        " SELECT '{left}', x, o, 0, 1, 1, '{{}}', '', 3 FROM games WHERE room = '{line}'",
        "room {left}: it has a game's row"),
    "a game is of no room": (game("line", "room = 'zzzzz'"), "game zzzzz: its room is not there"),
    "a result is another": (game("line", "result = replace(result, '0.5', '1')"), "room {line}: result: "),
    "a reason is another": (game("flag", "result = replace(result, 'flag', 'claim')"), "room {flag}: result: "),
    "a record is another": (game("line", "record = replace(record, '1:X(1-7)', '1:X(1-9)')"), "room {line}: record: "),
    "a record is shorter": (game("flag", "record = ''"), "room {flag}: record: "),
    "an old record is another": (game("old", "record = replace(record, '0.5', '1')"),
                                 "room {old}: its game's row can't be replayed"),
    "an old record is shorter": (game("old", "record = '1:X(1-7)'"), "room {old}: event "),
    "an old result is another": (game("old", "result = replace(result, '0.5', '1')"), "room {old}: result: "),
    "an old game ended elsewhere": (game("old", "ended_seq = ended_seq + 1"), "room {old}: event"),
    "a start is another": (game("line", "started_ms = started_ms + 1"), "room {line}: start: "),
    "an end is another": (game("old", "ended_ms = ended_ms - 1"), "room {old}: end: "),
    "a private game is public": (game("draw", "private = 0"), "room {draw}: private: "),
    "a clock is another": (game("draw", "x_ms = x_ms + 1"), "room {draw}: X's clock: "),
    "a clock is another than was agreed": (game("draw", "base_ms = base_ms + 1"),
                                           "room {draw}: the clock's base: "),
    "a clock is gone": (game("draw", "x_ms = NULL"), "game {draw}: only one of its clocks is there"),
    "a player is another": (game("line", "x = (SELECT id FROM players WHERE key = 'ala')"),
                            "room {line}: its game's row has another X"),
    "players changed seats": (game("flag", "x = o, o = x"), "room {flag}: its game's row has another X"),
    "a player who gave his name up is another": (
        game("first", "o = (SELECT id FROM players WHERE key = 'ala')"), "room {first}: its game's row has another O"),
    "an old game's player is another": (
        game("old", "o = NULL, o_key = 'bot-random', x = (SELECT id FROM players WHERE key = 'ela')"), "room {old}: it was opened by Ala"),
    "a player is no one": (game("old", "o = 987654321"), "game {old}: the player of O is not there"),
    "a bot is another": (game("bot", "o_key = 'bot-perfect'"), "room {bot}: its game's row has another O"),
    "a seat is nobody's": (game("bot", "o_key = NULL"), "game {bot}: O is to be a player or a key"),
    "a token's hash is short": (of_player("ala", "token_hash = x'00'"), "the hash of the token is to have 32 bytes"),
    "a player's record is broken": (of_player("ala", "record = x'7b'"), "the record can't be read"),
    "a player's name is another": (of_player("ala", "key = 'ali'"), "the key is another name's"),
    "a player's version is none": (of_player("ala", "version = 0"), "id and version are to be above 0"),
    "a player will be forgotten": (of_player("ala", "guest_ms = 5"), "it is to be forgotten"),
    "an index is dropped": ("DROP INDEX games_public_x", "index games_public_x: it is missing"),
    "an index is another": ("DROP INDEX games_public_x; CREATE INDEX games_public_x ON games (o)",
                            "index games_public_x: it is not as this version makes it"),
    "the index of events is dropped": ("DROP INDEX events_by_room", "index events_by_room: it is missing"),
    "a table is dropped": ("DROP TABLE games", "table games: it is missing"),
    "a column is renamed": ("ALTER TABLE players RENAME record TO line", "table players: it is not as"),
    "a trigger is there": ("CREATE TRIGGER t AFTER INSERT ON rooms BEGIN DELETE FROM events; END",
                           "trigger t: it is none of this version's"),
}


@pytest.mark.parametrize("wrong", WRONGS)
def test_each_wrong_is_found(played, copy, wrong):
    rooms = played[1]
    sql, told = (text.format(**rooms) for text in WRONGS[wrong])
    with sqlite3.connect(copy) as rows:
        rows.executescript(sql)
    done = upkeep.check(copy)
    assert done.returncode == 1 and not done.stderr
    assert told in done.stdout, done.stdout
    assert done.stdout.splitlines()[-1].endswith(f" {done.stdout.count(chr(10)) - 1} findings")


def test_a_check_takes_not_all_games_for_each_guest(copy):
    with sqlite3.connect(copy) as rows:
        rows.execute("INSERT INTO games (room, x_key, o_key, private, started_ms, ended_ms, result, record)"
                     " WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 40000)"
                     " SELECT 'x' || n, 'a', 'b', 1, 1, 1, '{}', '' FROM r")
        rows.execute("INSERT INTO players (id, version, key, token_hash, record, guest_ms)"
                     " WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 40000)"
                     " SELECT n, 1, 'guest-' || n, CAST(printf('%032d', n) AS BLOB), x'7b7d', 1 FROM r")
    done = upkeep.check(copy)
    # Neither have those games rooms nor those guests names.
    assert done.stdout.endswith(" 80000 findings\n"), done.stdout[-200:] + done.stderr


def damage(path, change):
    with open(path, "r+b") as file:
        change(file)


def test_a_file_that_was_cut_is_found(copy):
    damage(copy, lambda file: file.truncate(os.path.getsize(copy) * 3 // 4 // 4096 * 4096))
    done = upkeep.check(copy)
    assert done.returncode == 1 and "malformed" in done.stdout + done.stderr


def test_a_page_of_noise_is_found(copy):
    def change(file):
        file.seek(-8192, os.SEEK_END)
        file.write(bytes(range(256)) * 16)
    damage(copy, change)
    done = upkeep.check(copy)
    assert done.returncode == 1 and "findings" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("pragma, told", [
    ("user_version = 1", "was written by an older qtttd: its schema is 1"),
    ("user_version = 999", "was written by a newer qtttd: its schema is 999"),
    ("application_id = 5", "is a database of another program"),
])
def test_a_database_of_another_version_is_left_alone(copy, pragma, told):
    with sqlite3.connect(copy) as rows:
        rows.execute(f"PRAGMA {pragma}")
    done = upkeep.check(copy)
    assert done.returncode == 1 and told in done.stderr and not done.stdout


def test_no_database_can_be_checked_where_there_is_none(tmp_path):
    done = upkeep.check(tmp_path / "none.db")
    assert done.returncode == 1 and "No such file" in done.stderr
    assert not os.listdir(tmp_path)
    (tmp_path / "empty.db").touch()
    done = upkeep.check(tmp_path / "empty.db")
    assert done.returncode == 1 and "is empty" in done.stderr
    (tmp_path / "text.db").write_text("text " * 1000)
    done = upkeep.check(tmp_path / "text.db")
    assert done.returncode == 1 and "is not a qttt database" in done.stderr
    done = upkeep.run("--db", "none", "--check-db")
    assert done.returncode == 64 and "--db none" in done.stderr


def test_a_check_changes_nothing_and_needs_to_write_nothing(copy):
    with tempfile.TemporaryDirectory(prefix="qttt-read-only-") as folder:
        still = shutil.copy(copy, os.path.join(folder, "still?100%.db"))
        upkeep.assert_sound(still)
        for side in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.remove(still + side)
        os.chmod(still, 0o444)
        os.chmod(folder, 0o555)
        # Root may write everywhere.
        done = upkeep.check(still, **({"user": 65534} if os.geteuid() == 0 else {}))
        assert os.listdir(folder) == [os.path.basename(still)]
        os.chmod(folder, 0o755)
        assert done.returncode == 0 and done.stdout.endswith("sound\n"), done.stdout + done.stderr
        with open(still, "rb") as one, open(copy, "rb") as other:
            assert one.read() == other.read()
