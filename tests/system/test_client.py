"""The real client against the real server."""

import json
import os
import queue
import subprocess
import threading
import time

import pytest

import qttt


def run(*arguments, input_="", program=None, **variables):
    """qttt in a pipe, to its end."""
    return subprocess.run([program or qttt.qttt_path(), *arguments], input=input_,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=4 * qttt.SECONDS, check=False, env=environment(**variables))


def environment(**variables):
    """Nowhere to keep tokens, also for root."""
    return {**os.environ, "LC_ALL": "C.UTF-8", "HOME": "/dev/null", "XDG_STATE_HOME": "",
            **variables}


class Typist:
    """A qttt in a pipe, its output read line by line."""

    def __init__(self, server, *arguments):
        self.process = subprocess.Popen(
            [qttt.qttt_path(), *arguments, f"127.0.0.1:{server.port}"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        self.lines = queue.Queue()
        self.seen = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def type(self, words):
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    def wait_for(self, test):
        """The next line that passes the test."""
        end = time.monotonic() + qttt.SECONDS
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError("not seen; output so far:\n" + "\n".join(self.seen)) from None
            self.seen.append(line)
            if test(line):
                return line

    def leave(self):
        """The end of its input; returns its exit status."""
        self.process.stdin.close()
        status = self.process.wait(qttt.SECONDS)
        assert not qttt.SANITIZER_WORDS.search(self.process.stderr.read())
        return status

    def kill(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def typist(server):
    typists = []

    def start(*arguments):
        typists.append(Typist(server, *arguments))
        return typists[-1]
    yield start
    for one in typists:
        if one.process.poll() is None:
            one.kill()


def test_a_whole_game_between_a_socket_and_qttt_in_a_pipe(server, typist):
    ala = server.client()
    room = ala.ok("create X")["room"]
    ola = typist()
    ola.type(f"join {room}")
    ala.expect("seated")
    ala.expect("started")
    for mover, words in ((ala, "move 1 7"), (ola, "move 6 8"), (ala, "move 2 8"),
                         (ola, "move 5 9"), (ala, "move 1 6"), (ola, "move 7 9"),
                         (ala, "move 2 3"), (ola, "move 3 5")):
        if mover is ala:
            ala.ok(words)
        else:
            ola.type(words)
        event = ala.expect("moved")
    assert event["board"]["choices"] == [3, 5]
    ala.ok("collapse 5")
    ala.expect("collapsed")
    ala.expect("ended", score={"X": 0.5, "O": 1})
    ola.wait_for(lambda line: "O8" in line)
    assert ola.leave() == 0
    text = "\n".join(ola.seen) + "\n" + "\n".join(drain(ola.lines))
    for mark in ("X1", "O2", "X3", "O4", "X5", "O6", "X7", "O8"):
        assert mark in text


def drain(lines):
    while not lines.empty():
        yield lines.get()


def test_json_prints_the_servers_lines_as_they_come(server, typist):
    ala = server.client()
    room = ala.ok("create X")["room"]
    ola = typist("--json", "--name", "JsonOla")
    ola.wait_for(lambda line: json.loads(line)["type"] == "welcome")
    ola.type(f"join {room}")
    reply = json.loads(ola.wait_for(lambda line: json.loads(line).get("to") == "join"))
    assert reply["type"] == "ok" and reply["you"] == "JsonOla" and reply["seat"] == "O"
    ala.ok("move 1 5")
    moved = ola.wait_for(lambda line: json.loads(line)["type"] == "moved")
    assert moved.encode() == ala.wait_for("moved")[""]
    ola.type('{"type":"ping","id":"mine"}')
    ola.wait_for(lambda line: json.loads(line).get("re") == "mine")
    assert ola.leave() == 0


def test_input_from_a_pipe_is_carried_out_to_the_end(server):
    done = run("--json", f"127.0.0.1:{server.port}", input_="create X\nmove 1 5\nping")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    replies = [line for line in lines if line["type"] in ("ok", "error")]
    assert [line["to"] for line in replies][-3:] == ["create", "move", "ping"]
    assert replies[-2]["code"] == "not_started"
    assert done.returncode == 0


def test_the_exit_status_tells_how_the_last_request_went(server):
    address = f"127.0.0.1:{server.port}"
    assert run(address, input_="ping\n").returncode == 0
    assert run(address, input_="ping\nmove 1 5\n").returncode == 2
    assert run(address, input_="move 1 5\nping\n").returncode == 0
    assert run(address, input_="dance\n").returncode == 2
    assert run(address).returncode == 0


def test_a_refusal_is_told_with_its_sentence(server):
    done = run(f"127.0.0.1:{server.port}", input_="move 1 5\n")
    assert done.stdout + done.stderr
    assert "not_in_room" in done.stdout + done.stderr or "room" in done.stdout + done.stderr


def test_no_server_is_exit_status_1():
    done = run("127.0.0.1:1", input_="ping\n")
    assert done.returncode == 1 and "127.0.0.1" in done.stderr


def test_a_server_that_goes_away_is_exit_status_1(own_server):
    client = Typist(own_server, "--json")
    client.wait_for(lambda line: json.loads(line)["type"] == "welcome")
    own_server.kill()
    assert client.process.wait(qttt.SECONDS) == 1


@pytest.mark.parametrize("arguments", [["--no-such"], ["-x"], ["a", "b"], ["--name"],
                                       ["host:notaport"], ["--json=1"]])
def test_a_wrong_command_line_is_exit_status_64(arguments):
    done = run(*arguments)
    assert done.returncode == 64 and done.stderr and not done.stdout


def test_help_and_version_go_to_standard_output():
    done = run("--help")
    assert done.returncode == 0 and "--json" in done.stdout and not done.stderr
    assert run("--version").stdout.startswith("qttt ")


def test_every_example_of_the_help_makes_sense_to_the_server(server):
    examples = run("--help").stdout.split("help lists them:\n")[1].split("\nA line")[0]
    for example in examples.splitlines():
        words = example.split("  ")[1]
        answer = server.client().ask(words)
        assert answer.get("code") not in ("bad_json", "bad_request", "unknown_type"), example


@pytest.mark.parametrize("arguments, typed", [
    (["--match"], ""), (["--bot", "good"], ""), ([], "match\n"), (["--json", "--match"], "")])
def test_who_is_refused_his_name_plays_under_no_other(own_server, arguments, typed):
    own_server.player("NameTaken")
    done = run("--name", "nametaken", *arguments, f"127.0.0.1:{own_server.port}", input_=typed)
    assert done.returncode == 2
    assert "name_taken" in done.stdout
    assert done.stderr == "qttt: the name nametaken was refused, and nothing is done under another\n"
    looker = own_server.client()
    assert looker.ok("lobby")["rooms"] == [] == looker.ok("lobby playing")["rooms"]


def test_a_token_file_keeps_the_name(server, tmp_path):
    token = tmp_path / "token"
    address = f"127.0.0.1:{server.port}"
    arguments = ["--json", "--token-file", str(token), "--name", "FileKeeper", address]
    first = run(*arguments, input_="ping\n")
    assert first.returncode == 0, first.stderr
    assert token.stat().st_mode & 0o077 == 0
    second = run(*arguments, input_="hello\n")
    names = [json.loads(line).get("name") for line in second.stdout.splitlines()
             if '"to":"hello"' in line]
    assert names and set(names) == {"FileKeeper"}
    assert second.returncode == 0


def test_a_token_file_is_not_given_to_another_name(server, tmp_path):
    """The first name would be lost: its token is nowhere else."""
    token = tmp_path / "token"
    arguments = ["--token-file", str(token), f"127.0.0.1:{server.port}"]
    run(*arguments, input_="hello\nhello FileFirst\n")
    first = token.read_text()
    other = run(*arguments, input_="hello FileSecond\n")
    assert "You are FileSecond." in other.stdout and "Your token" in other.stdout
    assert token.read_text() == first
    assert "You are FileFirst." in run(*arguments, input_="ping\n").stdout
