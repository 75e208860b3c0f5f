"""Records and names over the real database, through kills and restarts."""

import json
import os
import subprocess

import pytest

import qttt


def all_games(client, **members):
    """Every page of `games`, and how many there were."""
    games, pages, after = [], 0, {}
    while pages == 0 or after:
        reply = client.ok({"type": "games", "limit": 3, **members, **after})
        games += reply["games"]
        pages += 1
        after = {"after": reply["next"]} if "next" in reply else {}
    return games, pages


def restart(server):
    server.kill()
    server.start()


def test_records_are_the_same_after_a_kill(own_server):
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    rooms = []
    for number in range(7):
        game = qttt.Game(own_server, ala, ola, private=number == 3)
        if number == 5:
            game.play_to_the_end()
        else:
            game.play("1-5")
            ala.ok(f"resign {game.room}")
            ala.wait_for("ended")
            ola.wait_for("ended")
        rooms.append(game.room)
    looker = own_server.client()
    shown = [room for number, room in enumerate(rooms) if number != 3][::-1]
    games, pages = all_games(looker)
    assert [game["room"] for game in games] == shown
    assert pages == 2
    assert all_games(looker, player="OLA")[0] == games
    alone = [looker.ok(f"game {room}") for room in rooms]
    restart(own_server)
    looker = own_server.client()
    assert all_games(looker, player="ala")[0] == games
    assert [looker.ok(f"game {room}")["record"] for room in rooms] == \
        [game["record"] for game in alone]


def test_a_cursor_goes_on_after_a_kill(own_server):
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    rooms = []
    for _ in range(3):
        game = qttt.Game(own_server, ala, ola)
        ala.ok(f"resign {game.room}")
        ala.wait_for("ended")
        ola.wait_for("ended")
        rooms.append(game.room)
    first = own_server.client().ok("games limit=1")
    assert first["games"][0]["room"] == rooms[2]
    restart(own_server)
    other = qttt.Game(own_server)
    other.x.ok("resign")
    second = own_server.client().ok(f"games after={first['next']}")
    assert [game["room"] for game in second["games"]] == [rooms[1], rooms[0]]
    assert "next" not in second


def test_a_renewed_token_and_a_name_given_up_survive_a_kill(own_server):
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    game = qttt.Game(own_server, ala, ola)
    token = ala.ok("hello renew")["token"]
    ola.ok("forget")
    ola.expect_closed_after("bye")
    restart(own_server)
    client = own_server.client()
    client.refused({"type": "hello", "token": ala.token}, "bad_token")
    client.refused({"type": "hello", "token": ola.token}, "bad_token")
    client.refused("hello Ola", "name_taken")
    assert client.ok({"type": "hello", "token": token})["rooms"] == []
    told = client.ok(f"game {game.room}")
    assert told["players"]["X"] == "Ala"
    assert told["players"]["O"].startswith("gone-")
    assert told["result"]["reason"] == "resign"
    assert client.ok("games Ala")["games"][0]["players"] == told["players"]
    restart(own_server)
    own_server.client().refused("games Ola", "no_such_player")


def test_a_database_in_which_a_name_was_given_up_is_sound(own_server):
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    played = qttt.Game(own_server, ala, ola, clock="3+2")
    played.play_to_the_end()
    restart(own_server)
    # Its room is not in memory: its events keep the name.
    ola = own_server.client()
    ola.ok({"type": "hello", "name": "Ewa"})
    qttt.Game(own_server, ola)
    ola.ok("forget")
    back = own_server.client()
    back.ok({"type": "hello", "token": ala.token})
    back.ok("forget")
    checked = subprocess.run([qttt.qtttd_path(), "--db", own_server.db, "--check-db"],
                             capture_output=True, text=True, timeout=qttt.SECONDS)
    assert checked.returncode == 0, checked.stdout


def client(server, *options, data=None):
    return subprocess.run([qttt.qttt_path(), *options, f"127.0.0.1:{server.port}"], input=data,
                          capture_output=True, text=True, timeout=qttt.SECONDS)


def test_what_is_exported_is_replayed(own_server):
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    rooms = []
    for number in range(3):
        game = qttt.Game(own_server, ala, ola, clock="3+2", private=number == 2)
        game.play("1-5", "1-5", "5") if number == 1 else game.play_to_the_end()
        if number == 1:
            ola.ok(f"resign {game.room}")
            ala.wait_for("ended")
            ola.wait_for("ended")
        rooms.append(game.room)
    told = client(own_server, "--export", "ALA")
    assert told.returncode == 0, told.stderr
    assert told.stdout.count("[Room ") == 2
    assert f'[Room "{rooms[2]}"]' not in told.stdout
    first, second = (block.split("[Room ")[0] for block in told.stdout.split("[Room ")[1:])
    assert first.startswith(f'"{rooms[1]}"]\n[X "Ala"]\n[O "Ola"]\n[Began "20')
    for header in ('[Clock "3+2"]', '[Result "X 1, O 0"]', '[Reason "resign"]'):
        assert header in first
    assert first.endswith("\n\n1:X(1-5),2:O(1-5),2c:X(O2(5))\n\n")
    assert '[Reason "line"]' in second or '[Reason "full_board"]' in second
    replayed = client(own_server, "--replay", "-", data=told.stdout)
    assert replayed.returncode == 0 and "--game 2 is the next" in replayed.stderr
    assert "Step 3 of 3" in replayed.stdout
    again = client(own_server, "--replay", "-", "--game", "2", data=told.stdout)
    assert again.returncode == 0 and again.stderr == ""
    assert client(own_server, "--replay", "-", "--game", "3", data=told.stdout).returncode == 2


def read_to(reader, text):
    """Lines in words, until one has that."""
    while text not in (line := reader.read_line().decode()):
        assert "refused" not in line


@pytest.mark.parametrize("base_ms,increment_ms,told", [
    (90000, 500, "90 s + 0.5 s"), (60000, 1050, "1+1.05"), (1001, 0, "1.001 s + 0 s"),
])
def test_a_clock_below_a_second_is_told_as_it_was_agreed(own_server, base_ms, increment_ms, told):
    clock = {"base_ms": base_ms, "increment_ms": increment_ms}
    game = qttt.Game(own_server, own_server.player("Ala"), own_server.player("Ola"), clock=clock)
    game.play("1-5", "1-5", "5")
    reader = own_server.client()
    reader.send("text only")
    reader.send("lobby playing")
    read_to(reader, told)
    game.o.ok(f"resign {game.room}")
    reader.send("games ala")
    read_to(reader, told)
    exported = client(own_server, "--export", "ala").stdout
    assert f'[Clock "{told}"]' in exported
    assert "Step 3 of 3" in client(own_server, "--replay", "-", data=exported).stdout


def test_a_private_game_is_exported_by_its_room_alone(own_server):
    game = qttt.Game(own_server, own_server.player("Ala"), own_server.player("Ola"), private=True)
    game.play("1-5")
    told = client(own_server, "--export", game.room)
    assert told.returncode == 0, told.stderr
    assert '[Result "*"]' in told.stdout and "1:X(1-5)" in told.stdout
    assert client(own_server, "--export", "Ala").stdout == ""
    nobody = client(own_server, "--export", "nobody")
    assert nobody.returncode == 2
    assert nobody.stderr == "qttt: there is neither a player nor a room called nobody\n"
    assert client(own_server, "--export", "?!").returncode == 2


def test_the_client_keeps_a_renewed_token_and_drops_that_of_a_name_given_up(own_server, tmp_path):
    def run(words):
        return subprocess.run(
            [qttt.qttt_path(), "--name", "Ala", f"127.0.0.1:{own_server.port}"], input=words,
            capture_output=True, text=True, timeout=qttt.SECONDS,
            env={**os.environ, "XDG_STATE_HOME": str(tmp_path)})

    def kept():
        return [path.read_text() for path in (tmp_path / "qttt").iterdir()]

    assert run("ping\n").returncode == 0
    first = kept()
    renewed = run("hello renew\n")
    assert "Your name has a new token; it is kept in " in renewed.stdout
    assert renewed.returncode == 0
    second = kept()
    assert len(second) == 1 and second != first
    assert second[0].strip() not in run("who\n").stdout
    gone = run("forget\n")
    assert gone.returncode == 0, gone.stderr
    assert "Your name is given up" in gone.stdout
    assert kept() == []
    assert "name_taken" in run("ping\n").stdout


def test_a_database_is_exported_as_lines_while_a_server_runs_on_it(own_server, tmp_path):
    def export(file, *options):
        return subprocess.run([qttt.qtttd_path(), "--db", own_server.db, *options, "--export-db", file],
                              capture_output=True, text=True, timeout=qttt.SECONDS)

    assert export("-").stdout == ""
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    rooms = []
    for number in range(3):
        game = qttt.Game(own_server, ala, ola, clock="3+2", private=number == 1)
        game.play_to_the_end()
        rooms.append(game.room)
    running = qttt.Game(own_server)
    running.play("1-5")
    ola.ok("forget")
    told = export("-")
    assert told.returncode == 0, told.stderr
    games = [json.loads(line) for line in told.stdout.splitlines()]
    assert [game["room"] for game in games] == rooms
    assert [game["private"] for game in games] == [False, True, False]
    one = own_server.client().ok(f"game {rooms[0]}")
    for member in ("players", "settings", "result", "started_ms", "ended_ms", "record"):
        assert games[0][member] == one[member]
    assert games[0]["players"]["O"].startswith("gone-")
    file = tmp_path / "games.json"
    assert export(str(file)).stdout == f"{file}: 3 games written from {own_server.db}\n"
    assert file.read_text() == told.stdout
    again = export(str(file))
    assert again.returncode == 1 and "there is a file" in again.stderr
    assert file.read_text() == told.stdout
    assert export("-", "--db", str(tmp_path / "none.db")).returncode == 1
    with open("/dev/full", "w", encoding="utf-8") as out:
        full = subprocess.run([qttt.qtttd_path(), "--db", own_server.db, "--export-db", "-"],
                              stdout=out, stderr=subprocess.PIPE, text=True, timeout=qttt.SECONDS)
    assert full.returncode == 1 and full.stderr
    assert running.x.ok("ping")
