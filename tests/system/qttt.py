"""The real server and real sockets, for tests: start qtttd, speak lines with it, stop it tidily.

Everything is on port 0 and in a folder of its own, so any number of tests may run side by side.
"""

import atexit
import collections
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

# Programs speak English to tests, but where a test asks for something else.
os.environ["LC_ALL"] = "C.UTF-8"
os.environ.pop("LANGUAGE", None)

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors"

# A sanitizer makes everything several times slower; meson says so by QTTT_SLOW.
SLOW = float(os.environ.get("QTTT_SLOW", "1"))
SECONDS = 10 * SLOW

SANITIZER_WORDS = re.compile(
    r"(Address|Leak|Thread|Memory|UndefinedBehavior)Sanitizer|runtime error:|Assertion .* failed")


def program(variable, place):
    """The path of a program under test: from the environment, or from a build folder."""
    if variable in os.environ:
        return os.environ[variable]
    for build in sorted(ROOT.glob("build*")):
        if (build / place).exists():
            return str(build / place)
    raise RuntimeError(f"set {variable} to the program's path, or build in {ROOT}/build")


def qtttd_path():
    return program("QTTTD", "server/qtttd")


def qttt_path():
    return program("QTTT", "client-cli/qttt")


def eventually(check, seconds=None, what="it"):
    """Call check() until it gives something true, and return that."""
    end = time.monotonic() + (SECONDS if seconds is None else seconds)
    while True:
        got = check()
        if got:
            return got
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain for {what}; last seen: {got!r}")
        time.sleep(0.01)


# For whoever reads the results: conftest.py prints them after their test.
told = []


def tell(words):
    print(words)
    told.append(words)


def a_moment():
    """Longer than the millisecond by which rooms are put in the order of their times."""
    time.sleep(0.003)


class Late(AssertionError):
    """No line came in time."""


class Closed(AssertionError):
    """The server closed the connection."""



def preload_frozen_disk(monkeypatch, folder):
    """For a server that is started next: the file that freezes its disk while it is there."""
    frozen = folder / "frozen"
    # What is preloaded can't have a blank in its path, as a build folder may.
    library = shutil.copy(os.environ["QTTT_FROZEN_DISK"], folder)
    monkeypatch.setenv("LD_PRELOAD", str(library))
    monkeypatch.setenv("FROZEN_DISK", str(frozen))
    return frozen


class Server:
    """One running qtttd. A database of None is a file in the server's own folder."""

    running = []

    def __init__(self, *options, db=None, limits=False, admin=False):
        """`admin`: there is an operator's door, at self.admin."""
        self.folder = tempfile.mkdtemp(prefix="qtttd-test-")
        self.admin = os.path.join(self.folder, "admin")
        self.db = db or os.path.join(self.folder, "qttt.db")
        self.options = list(options) + ([] if limits else ["--no-limits"]) + (
            ["--admin", self.admin] if admin else [])
        self.clients = []
        self.starts = 0
        self.process = None
        try:
            self.start()
        except BaseException:
            self.clean_up()
            raise

    def start(self, port=0):
        """Run it, on any free port or on that one."""
        self.starts += 1
        self.log_path = os.path.join(self.folder, f"log.{self.starts}")
        self.out_path = os.path.join(self.folder, f"out.{self.starts}")
        with open(self.log_path, "wb") as log, open(self.out_path, "wb") as out:
            self.process = self.spawn(
                [qtttd_path(), "--listen", f"127.0.0.1:{port}", "--db", self.db, *self.options],
                stdin=subprocess.DEVNULL, stdout=out, stderr=log, cwd=self.folder)
        Server.running.append(self)
        self.port = self.port_of("tcp")

    @staticmethod
    def spawn(command, **streams):
        return subprocess.Popen(command, **streams)

    def port_of(self, door):
        """The port of the first socket of this kind: tcp, tls, http or https."""
        return int(eventually(lambda: self._listening(door), what=f"`listening {door}`")[1])

    def _listening(self, door):
        if self.process.poll() is not None:
            raise AssertionError(f"qtttd ended with {self.process.returncode}:\n{self.log()}")
        return re.search(rf"listening {door} \S*:(\d+)\s", self.out())

    def log(self):
        """What it has written to standard error, over all its starts."""
        return "".join(Path(self.folder, f"log.{i + 1}").read_text("utf-8", "replace")
                       for i in range(self.starts))

    def out(self):
        return Path(self.out_path).read_text("utf-8", "replace")

    def client(self, *arguments, **named):
        client = Client(self.port, *arguments, **named)
        self.clients.append(client)
        return client

    def operator(self, *arguments, **named):
        """A new connection at the operator's door."""
        qttt_door = f"listening admin {self.admin}\n"
        eventually(lambda: qttt_door in self.out(), what="the operator's door")
        client = Client(self.admin, *arguments, **named)
        self.clients.append(client)
        return client

    def player(self, name):
        """A new connection of a new player with this name."""
        client = self.client()
        reply = client.ok({"type": "hello", "name": name})
        assert reply["name"] == name
        client.name = name
        client.token = reply["token"]
        return client

    def _ended(self):
        if self in Server.running:
            Server.running.remove(self)

    def terminate(self):
        """SIGTERM; returns once it is gone, having ended well."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(SECONDS)
        self._ended()
        assert status == 0, f"qtttd ended with {status}:\n{self.log()[-8000:]}"

    def kill(self):
        """kill -9, as a power cut would have it."""
        self.process.kill()
        self.process.wait(SECONDS)
        self._ended()

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def memory_kib(self, which="VmRSS"):
        """Resident now; VmHWM: at most so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(re.search(rf"{which}:\s+(\d+) kB", status)[1])

    def stop(self):
        """The end of every test: tidy, exit 0, and not a word from a sanitizer."""
        try:
            for client in self.clients:
                client.close()
            if self.process.poll() is None:
                self.terminate()
            found = SANITIZER_WORDS.search(self.log())
            assert not found, self.log()[-8000:]
        finally:
            self.clean_up()

    def clean_up(self):
        """Nothing of it is left, however it ended."""
        if self.process and self.process.poll() is None:
            self.kill()
        self._ended()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.stop()
        else:
            self.clean_up()


@atexit.register
def leave_nothing_running():
    for server in list(Server.running):
        server.clean_up()


def as_bytes(line):
    """Words, an object or raw bytes as what goes onto the wire."""
    if isinstance(line, bytes):
        return line
    if isinstance(line, dict):
        line = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    return line.encode("utf-8") + b"\n"


def differences(line, members):
    return {name: line.get(name, "(absent)") for name, value in members.items()
            if line.get(name, "(absent)") != value}


class Client:
    """A connection that reads line by line. Events that come before a reply wait for `expect`."""

    def __init__(self, port, welcome=True, receive_buffer=None, source="127.0.0.1", wrap=None,
                 before=b""):
        """`before` goes first, as it is; `wrap` makes another socket of the connected one. A port
        that is a text is a path."""
        local = isinstance(port, str)
        self.socket = socket.socket(socket.AF_UNIX if local else socket.AF_INET)
        if not local:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(SECONDS)
        if local:
            self.socket.connect(port)
        else:
            self.socket.bind((source, 0))
            self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(before)
        if wrap is not None:
            self.socket = wrap(self.socket)
        self.buffer = b""
        self.waiting = collections.deque()
        self.heard = []  # every line, as bytes without LF
        self.name = None
        self.token = None
        self.welcome = self.expect("welcome") if welcome else None

    # ---- bytes and lines ----

    def send(self, line):
        self.socket.sendall(as_bytes(line))

    def send_in_background(self, data):
        """For more bytes than the kernel takes while nobody reads."""
        def send():
            with contextlib.suppress(OSError):
                self.socket.sendall(data)
        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        return thread

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)

    def close(self):
        self.socket.close()

    def drop(self):
        """Close with a reset, as a machine that vanished would in the end."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.socket.close()

    def read_line(self, seconds=None):
        """The next line as bytes, without its LF."""
        end = time.monotonic() + (SECONDS if seconds is None else seconds)
        while b"\n" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0:
                raise Late("no line came in time")
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(65536)
            except socket.timeout:
                continue
            except ConnectionError as error:
                raise Closed(str(error)) from error
            if not data:
                raise Closed(f"closed; rest {self.buffer!r}")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        self.heard.append(line)
        return line

    def read(self, seconds=None):
        """The next line as an object; its bytes are under the member "" (a name nobody sends)."""
        raw = self.read_line(seconds)
        assert not raw.endswith(b"\r"), raw
        line = json.loads(raw.decode("utf-8"))
        line[""] = raw
        return line

    # ---- what a player does ----

    def next_event(self, seconds=None):
        return self.waiting.popleft() if self.waiting else self.read(seconds)

    def expect(self, type_, seconds=None, **members):
        """The next line is of this type and has these members. Presence comes when it likes, and is
        passed over unless it is what is asked for."""
        while True:
            line = self.next_event(seconds)
            if line["type"] == type_ or line["type"] != "presence":
                break
        wrong = differences(line, members)
        assert line["type"] == type_ and not wrong, \
            f"expected {type_} {members}, got {line.get('')!r}"
        return line

    def wait_for(self, type_, seconds=None, **members):
        """The first line of this type with these members; those before it are dropped."""
        end = time.monotonic() + (SECONDS if seconds is None else seconds)
        while True:
            line = self.next_event(max(0.001, end - time.monotonic()))
            if line["type"] == type_ and not differences(line, members):
                return line

    def ask(self, line):
        """Send a request, return its reply; events that come first are kept for `expect`."""
        self.send(line)
        return self.reply()

    def reply(self):
        while True:
            line = self.read()
            if line["type"] in ("ok", "error"):
                return line
            self.waiting.append(line)

    def ok(self, line, **members):
        reply = self.ask(line)
        wrong = differences(reply, members)
        assert reply["type"] == "ok" and not wrong, \
            f"{line!r}: expected ok {members}, got {reply['']!r}"
        return reply

    def refused(self, line, code, **members):
        reply = self.ask(line)
        wrong = differences(reply, dict(members, code=code))
        assert reply["type"] == "error" and not wrong, \
            f"{line!r}: expected {code} {members}, got {reply['']!r}"
        assert reply["message"], reply
        return reply

    def expect_nothing(self):
        """Nothing that was sent before a ping is answered is left to read, presence apart."""
        self.send({"type": "ping", "id": "is that all?"})
        left = list(self.waiting)
        while not left or left[-1].get("re") != "is that all?":
            left.append(self.read())
        left = [line[""] for line in left[:-1] if line["type"] != "presence"]
        self.waiting.clear()
        assert not left, left

    def expect_closed_after(self, type_):
        """The last line is of this type, whatever comes before it."""
        self.wait_for(type_)
        self.expect_closed()

    def expect_closed(self):
        try:
            line = self.read_line()
        except Closed:
            return
        raise AssertionError(f"expected the end of the connection, got {line!r}")


# ---- Games ----


def mark_owner(mark):
    return mark[0]


def action_request(action, room=None, **more):
    """A request from an action of games.jsonl."""
    kind, where = action
    request = {"type": kind, **more}
    if kind == "move":
        request["squares"] = where
    else:
        request["square"] = where
    if room:
        request["room"] = room
    return request


class Game:
    """Two players and some watchers of one running game."""

    def __init__(self, server, x=None, o=None, watchers=0, **create):
        self.x = x or server.client()
        self.o = o or server.client()
        opened = self.x.ok({"type": "create", "side": "X", **create}, seat="X")
        self.room = opened["room"]
        self.opened = opened
        self.joined = self.o.ok({"type": "join", "room": self.room}, room=self.room, seat="O")
        self.x.expect("seated", room=self.room, seat="O")
        self.board = self.x.expect("started", room=self.room)["board"]
        self.seq = self.joined["state"]["seq"]
        self.watchers = [server.client() for _ in range(watchers)]
        for watcher in self.watchers:
            watcher.ok({"type": "watch", "room": self.room}, room=self.room)

    @property
    def followers(self):
        return [self.x, self.o, *self.watchers]

    def seat(self, letter):
        return self.x if letter == "X" else self.o

    def hear(self, type_, **members):
        """Everybody gets this event next, the same bytes."""
        lines = [follower.expect(type_, room=self.room, **members) for follower in self.followers]
        assert len({line[""] for line in lines}) == 1, lines
        if "seq" in lines[0]:
            assert lines[0]["seq"] == self.seq + 1, (lines[0], self.seq)
            self.seq += 1
        self.board = lines[0].get("board", self.board)
        return lines[0]

    def act(self, request, by=None):
        """One action by whose turn it is, and the event of it that everybody gets."""
        by = by or self.board["turn"]
        self.seat(by).ok({"room": self.room, **request}, room=self.room, seq=self.seq + 1)
        type_ = {"move": "moved", "collapse": "collapsed"}[request["type"]]
        return self.hear(type_, by=by)

    def play(self, *actions):
        """Actions in short: "1-5" is a move, "5" the closing mark's square of a measurement, "=5"
        the last square."""
        for action in actions:
            if action.startswith("="):
                self.act({"type": "move", "squares": [int(action[1:])]})
            elif "-" in action:
                self.act({"type": "move", "squares": [int(s) for s in action.split("-")]})
            else:
                self.act({"type": "collapse", "square": int(action)})

    def play_to_the_end(self):
        """The game of the article: O gets a line with time 6, X one with time 7."""
        self.play("1-7", "6-8", "2-8", "5-9", "1-6", "7-9", "2-3", "3-5", "5")
        return self.hear("ended", reason="line", score={"X": 0.5, "O": 1})


def vector_games():
    with open(VECTORS / "games.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def vector_cases():
    with open(VECTORS / "cases.json", encoding="utf-8") as file:
        return json.load(file)


def mark_number(mark):
    return int(mark[1:])


def board_of_view(view):
    """The wire's board of a view of games.jsonl."""
    squares = []
    for square in map(str, range(1, 10)):
        if square in view["classical"]:
            squares.append(view["classical"][square])
        else:
            squares.append([spooky[0] for spooky in
                            sorted(view["spooky"], key=lambda one: mark_number(one[0]))
                            if int(square) in spooky[1:]])
    return {
        "move": view["moves"] + (view["phase"] == "move"),
        "turn": view["turn"],
        "phase": view["phase"],
        "squares": squares,
        "choices": view["choices"],
        "cycle": view["cycle"],
        "outcomes": view["outcomes"],
    }


def lines_of_view(view):
    lines = [{"mark": mark, "squares": squares, "max": time_}
             for mark, squares, time_ in view["lines"]]
    return sorted(lines, key=lambda line: (line["max"], line["squares"]))
