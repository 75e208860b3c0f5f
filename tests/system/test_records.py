"""Records and names over the real database, through kills and restarts."""

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
