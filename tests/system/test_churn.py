"""A thousand connections that come and go in the middle of games."""

import random

import qttt

COUNT = 1000
MOVES = ["1-7", "6-8", "2-8", "5-9"]


def come_and_go(server, room, token, choice):
    client = server.client(welcome=choice.random() < 0.5)
    server.clients.remove(client)
    words = choice.choice([
        f"watch {room}\n", f"watch {room}\nsay hello\nleave\n", "lobby follow\n", "hello\n",
        f"hello token={token}\n", f"hello token={token}\nmove 4 4\n", "create X\n",
        '{"type":"half', f"state {room} since=0\n" * 20, "", "quit\n"])
    client.send(words.encode())
    if choice.random() < 0.3 and words.endswith("\n") and not words.startswith("quit"):
        client.read_line()
    choice.choice([client.close, client.drop, client.drop])()


def test_a_thousand_connects_and_disconnects_amid_games_leave_nothing_behind(own_server):
    seed = random.randrange(2**32)
    print("seed", seed)
    choice = random.Random(seed)
    played = [qttt.Game(own_server) for _ in range(5)]
    descriptors = own_server.descriptors()
    for number in range(COUNT):
        game = choice.choice(played)
        token = choice.choice([game.opened, game.joined])["token"]
        come_and_go(own_server, game.room, token, choice)
        if number % 250 == 100:
            for game in played:
                game.play(MOVES[number // 250])
    qttt.eventually(lambda: own_server.descriptors() <= descriptors,
                    what="the connections' descriptors")
    looker = own_server.client()
    for game in played:
        state = looker.ok({"type": "state", "room": game.room})["state"]
        assert state["spectators"] == 0
        assert state["players"]["X"]["online"] and state["players"]["O"]["online"]
        assert state["board"] == game.board


def test_a_player_who_goes_between_sending_and_reading_has_moved(own_server):
    played = qttt.Game(own_server)
    played.x.send("move 1 5")
    played.x.close()
    own_server.clients.remove(played.x)
    played.o.wait_for("moved", by="X", squares=[1, 5])
    played.o.wait_for("presence", player=played.opened["you"], online=False)
    back = own_server.client()
    back.ok({"type": "hello", "token": played.opened["token"]}, rooms=[played.room])
    played.o.wait_for("presence", player=played.opened["you"], online=True)


def test_players_who_both_vanish_find_their_game_again(own_server):
    played = qttt.Game(own_server)
    played.play("1-5", "2-3")
    for client in (played.x, played.o):
        client.drop()
        own_server.clients.remove(client)
    for reply in (played.opened, played.joined):
        back = own_server.client()
        back.ok({"type": "hello", "token": reply["token"]}, rooms=[played.room])
        assert back.expect("state")["board"] == played.board
