"""A disk that takes no more: games go on being refused, and go on once there is room."""

import os
import resource

import qttt
from load import since_the_start


def limit_files(server, size):
    """As a full disk is, and as a limit of the system's (LimitFSIZE, ulimit -f)."""
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def fill(server):
    """Nothing of its database grows from now on."""
    limit_files(server, min(os.path.getsize(server.db + end) for end in ("", "-wal")))


def give_room(server):
    limit_files(server, resource.RLIM_INFINITY)


def test_a_file_that_may_not_grow_refuses_moves_until_it_may(own_server):
    game = qttt.Game(own_server)
    game.play("1-5")
    for squares in ([2, 3], [4, 6], [7, 8]):
        by = game.board["turn"]
        request = {"type": "move", "squares": squares, "room": game.room}
        fill(own_server)
        for _ in range(3):
            game.seat(by).refused(request, "unavailable")
        for follower in game.followers:
            follower.expect_nothing()
        give_room(own_server)
        qttt.eventually(lambda: game.seat(by).ask(request)["type"] == "ok", what="room")
        game.hear("moved", by=by, squares=squares)
    lines, state = since_the_start(game.x, game.room)
    fill(own_server)
    game.seat(game.board["turn"]).refused({"type": "move", "squares": [1, 2], "room": game.room},
                                          "unavailable")
    own_server.kill()
    own_server.start()
    assert since_the_start(own_server.client(), game.room)[0] == lines
    assert state["seq"] == len(lines)
