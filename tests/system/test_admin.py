"""The operator's door: a socket in the file system that is its owner's alone, and what can be done there
to real connections."""

import fcntl
import os
import re
import socket
import stat
import subprocess

import pytest

import frames
import qttt
from certificates import Authority, served
from test_proxied import header


@pytest.fixture
def own():
    with qttt.Server(admin=True) as server:
        yield server


def operate(server, typed, *options):
    """`qttt --admin` in a pipe."""
    return subprocess.run([qttt.qttt_path(), "--admin", server.admin, *options], input=typed,
                          capture_output=True, text=True, timeout=qttt.SECONDS)


def refused_start(*options):
    done = subprocess.run([qttt.qtttd_path(), "--listen", "127.0.0.1:0", "--db", "none", *options],
                          capture_output=True, text=True, timeout=qttt.SECONDS)
    assert done.stdout == ""
    return done.returncode, done.stderr


def closed_by(client, why):
    assert client.wait_for("bye")["reason"] == why
    client.expect_closed()


def refused_at_the_door(client):
    """What a banned address hears; the connection has no session."""
    line = client.read()
    assert (line["type"], line["code"]) == ("error", "not_allowed"), line
    client.expect_closed()
    return line["message"]


# ---- the socket ----


def test_the_door_is_its_owners_alone_is_announced_and_goes_with_the_server(own):
    own.operator()
    mode = os.stat(own.admin).st_mode
    assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600
    assert f"listening admin {own.admin}\n" in own.out()
    own.terminate()
    assert not os.path.exists(own.admin)


def test_no_umask_opens_it_to_others(tmp_path):
    before = os.umask(0)
    try:
        server = qttt.Server(admin=True, db="none")
    finally:
        os.umask(before)
    with server:
        server.operator()
        assert stat.S_IMODE(os.stat(server.admin).st_mode) == 0o600


def test_a_dead_servers_socket_is_replaced(own):
    own.operator()
    own.kill()
    assert os.path.exists(own.admin)
    own.start()
    own.operator().ok("stats")


def test_a_living_servers_socket_is_left_alone(own):
    own.operator()
    status, said = refused_start("--admin", own.admin)
    assert status == 1 and "another server listens there" in said and own.admin in said
    own.operator().ok("stats")


def test_what_is_no_socket_is_left_alone(tmp_path):
    path = tmp_path / "precious"
    path.write_text("data")
    status, said = refused_start("--admin", str(path))
    assert status == 1 and "a file that is no socket" in said
    assert path.read_text() == "data"


@pytest.mark.parametrize("path, why", [
    ("/nowhere/at/all/admin", "No such file or directory"),
    ("/tmp/" + "x" * 120, "too long for a socket"),
])
def test_a_path_that_cannot_be_had_is_told_in_a_sentence(path, why):
    status, said = refused_start("--admin", path)
    assert status == 1 and why in said


def test_whoever_locks_the_folder_does_not_hold_the_server_up(tmp_path):
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_SH)
        status, said = refused_start("--admin", str(tmp_path / "admin"))
    finally:
        os.close(folder)
    assert status == 1 and "holds a lock on its folder" in said


def test_another_servers_socket_in_its_place_is_not_removed(own):
    own.operator()
    os.unlink(own.admin)
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(own.admin)
        own.terminate()
        assert os.path.exists(own.admin)


def test_without_the_option_there_is_no_door():
    with qttt.Server(db="none") as server:
        server.client().ok("ping")
        assert "listening admin" not in server.out()


# ---- kicks and bans ----


def test_every_act_is_logged_with_who_did_it(own):
    ala = own.player("ala")
    operator = own.operator()
    operator.ok("kick ala", connections=1)
    closed_by(ala, "kicked")
    operator.ok('notice nasty "~" text')
    who = f"by=uid={os.getuid()},pid={os.getpid()}"
    qttt.eventually(lambda: f"{who} act=notice code=ok" in own.log(), what="the log")
    assert f'operator_asks {who} act=kick line="kick ala"' in own.log()
    assert f"operator_done {who} act=kick code=ok" in own.log()
    assert r'line="notice nasty \"~\" text"' in own.log()


def test_bans_by_block_and_name_hold_over_kill_and_restart(own):
    ala = own.player("ala")
    near = qttt.Client(own.port, source="127.0.0.9")
    operator = own.operator()
    operator.ok("ban 127.0.0.8/29 why=too loud", whom="127.0.0.8/29", connections=1)
    closed_by(near, "kicked")
    operator.ok("ban ala 1h", connections=1)
    closed_by(ala, "kicked")
    for _ in range(2):
        assert "too loud" in refused_at_the_door(
            qttt.Client(own.port, source="127.0.0.15", welcome=False))
        own.client().refused(f"hello token={ala.token}", "not_allowed")
        own.client().refused("hello ALA", "not_allowed")
        assert [ban["whom"] for ban in own.operator().ok("bans")["bans"]] == ["127.0.0.8/29", "ala"]
        own.kill()
        own.start()
    own.operator().ok("unban 127.0.0.8/29")
    qttt.Client(own.port, source="127.0.0.15").ok("ping")


def test_a_ban_ends_in_time(own):
    operator = own.operator()
    operator.ok("ban 127.0.0.9 for_ms=500")
    refused_at_the_door(qttt.Client(own.port, source="127.0.0.9", welcome=False))
    qttt.eventually(lambda: operator.ok("bans")["bans"] == [], what="the end of the ban")
    qttt.Client(own.port, source="127.0.0.9").ok("ping")


def test_behind_a_proxy_the_clients_own_address_is_banned():
    with qttt.Server("--proxy-from", "127.0.0.1", admin=True, db="none") as server:
        banned = qttt.Client(server.port, before=header(source="192.0.2.7"))
        operator = server.operator()
        operator.ok("ban 192.0.2.0/24", connections=1)
        closed_by(banned, "kicked")
        refused_at_the_door(
            qttt.Client(server.port, before=header(source="192.0.2.8"), welcome=False))
        qttt.Client(server.port, before=header(source="198.51.100.1")).ok("ping")


def test_by_websocket_a_ban_holds_too():
    with qttt.Server("--http", "127.0.0.1:0", admin=True, db="none") as server:
        port = server.port_of("http")
        playing = frames.Socket(port)
        server.operator().ok("ban 127.0.0.0/8", connections=1)
        closed_by(playing, "kicked")
        refused_at_the_door(frames.Socket(port, welcome=False))


def test_by_tls_who_is_banned_gets_no_handshake(tmp_path):
    authority = Authority(tmp_path)
    with served(authority.sign("server"), admin=True) as server:
        server.operator().ok("ban 127.0.0.0/8")
        with socket.create_connection(("127.0.0.1", server.port_of("tls"))) as raw:
            raw.settimeout(qttt.SECONDS)
            assert raw.recv(1) == b""
        qttt.eventually(lambda: "reason=banned" in server.log(), what="the refusal in the log")


def test_a_released_name_can_be_claimed_anew(own):
    ala = own.player("ala")
    own.operator().ok("release ala", name="ala", connections=1)
    closed_by(ala, "kicked")
    own.client().refused(f"hello token={ala.token}", "bad_token")
    own.kill()
    own.start()
    own.client().refused(f"hello token={ala.token}", "bad_token")
    own.player("ala")


# ---- draining ----


def test_a_drained_server_ends_by_itself_when_the_last_game_does():
    with qttt.Server(admin=True) as server:
        game = qttt.Game(server)
        operator = server.operator()
        operator.ok("drain", games=1)
        game.x.wait_for("notice")
        assert server.process.poll() is None
        game.o.send("resign")
        closed_by(game.x, "shutdown")
        closed_by(operator, "shutdown")
        assert server.process.wait(qttt.SECONDS) == 0
        server._ended()
        server.start()
        assert server.client().ok(f"state {game.room}")["state"]["result"]["reason"] == "resign"


def test_a_drained_server_ends_in_time_and_the_game_goes_on_after_the_next_start():
    with qttt.Server(admin=True) as server:
        game = qttt.Game(server)
        server.operator().ok("drain for_ms=300", games=1)
        assert server.process.wait(qttt.SECONDS) == 0
        server._ended()
        server.start()
        assert server.client().ok(f"state {game.room}")["state"]["status"] == "playing"


# ---- qttt --admin ----


def test_the_client_speaks_at_the_door_in_a_pipe(own):
    done = operate(own, "ban 10.0.0.0/8 why=spam\nbans\nstats\n")
    assert done.returncode == 0, done.stderr
    assert "\nAll requests: help\n" in done.stdout and "match" not in done.stdout
    assert re.search(r"^10\.0\.0\.0/8 +- +spam$", done.stdout, re.MULTILINE)
    assert re.search(r"^rooms playing +0$", done.stdout, re.MULTILINE)
    assert re.search(r"^bots, analyses at work +0$", done.stdout, re.MULTILINE)
    assert operate(own, "bans\n", "--json").stdout.count('"whom":"10.0.0.0/8"') == 1


@pytest.mark.parametrize("typed", ["kick nobody\n", "kick nobody\nbans\n", "dance\n", "match\n",
                                   "ban 10.0.0.1/8\n"])
def test_an_error_shows_in_the_exit_status(own, typed):
    assert operate(own, typed).returncode == 2


def test_the_client_lists_an_operators_requests_and_no_others(own):
    told = operate(own, "help\n").stdout
    assert "release" in told and "drain" in told
    anybody = subprocess.run([qttt.qttt_path(), f"127.0.0.1:{own.port}"], input="help\nbans\n",
                             capture_output=True, text=True, timeout=qttt.SECONDS)
    assert "release" not in anybody.stdout and anybody.returncode == 2


def test_where_there_is_no_door_the_client_says_so(tmp_path):
    done = subprocess.run([qttt.qttt_path(), "--admin", str(tmp_path / "none")], input="bans\n",
                          capture_output=True, text=True, timeout=qttt.SECONDS)
    assert done.returncode == 1 and "can't reach" in done.stderr


def test_operators_are_no_connections_of_players_and_not_without_number():
    with qttt.Server("--max-connections", "1", admin=True, limits=True, db="none") as server:
        operators = [server.operator() for _ in range(16)]
        refused = server.operator(welcome=False)
        assert refused.read()["code"] == "too_many_connections"
        player = server.client()
        player.ok("ping")
        operators[0].close()
        # His place is free a moment after he is gone.
        qttt.eventually(lambda: server.operator(welcome=False).read()["type"] == "welcome",
                        what="room for one more operator")
