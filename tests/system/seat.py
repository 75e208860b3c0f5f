"""A program at a terminal of its own, for tests: a pty, and what would be seen on it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios

import qttt
from screen import Screen


class Seat:
    """A program at a terminal of its own, with someone who types and looks."""

    def __init__(self, *command, columns=80, rows=24, state="/dev/null", **environment):
        self.screen = Screen(columns)
        self.raw = ""
        self.rest = b""
        self.status = None
        self.came_back = {}  # what was seen how often after a return
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update({"LC_ALL": "C.UTF-8", "TERM": "xterm", "HOME": "/dev/null",
                               "XDG_STATE_HOME": str(state), **environment})
            if "NO_COLOR" not in environment:
                os.environ.pop("NO_COLOR", None)
            os.execv(command[0], command)
        self.size(columns, rows)

    def size(self, columns, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows=24):
        self.read()
        self.screen.resize(columns)
        self.size(columns, rows)

    def read(self):
        """All that it has written so far; False at its end."""
        while select.select([self.fd], [], [], 0.01)[0]:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return False
            if not data:
                return False
            text = self.rest + data
            for cut in range(4):
                try:
                    self.rest = text[len(text) - cut:]
                    text = text[:len(text) - cut].decode("utf-8")
                    break
                except UnicodeDecodeError:
                    continue
            self.raw += text
            self.screen.feed(text)
        return True

    def keys(self, text):
        os.write(self.fd, text.encode())

    def type(self, words):
        self.keys(words + "\r")

    def see(self, what, seconds=None):
        """Wait until this is on the screen."""
        def look():
            self.read()
            return what in self.screen.text()
        try:
            qttt.eventually(look, seconds, what)
        except AssertionError:
            raise AssertionError(f"{what!r} not seen in:\n{self.screen.text()}") from None

    def see_since(self, mark, what):
        """Wait until this was written after a mark, which is a length of self.raw."""
        def look():
            self.read()
            return what in self.raw[mark:]
        try:
            qttt.eventually(look, None, what)
        except AssertionError:
            raise AssertionError(f"{what!r} not seen in:\n{self.screen.text()}") from None

    def see_line(self, line):
        """Wait until the line that is typed, with its prompt, is this; the cursor at |."""
        text, column = line.replace("|", ""), line.index("|")

        def look():
            self.read()
            return self.screen.line() == (text.ljust(column), column)
        try:
            qttt.eventually(look, None, line)
        except AssertionError:
            raise AssertionError(f"{line!r}, but {self.screen.line()} in:\n"
                                 + self.screen.text()) from None

    def wait(self):
        """Its exit status, once it has ended."""
        def look():
            self.read()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            return pid
        qttt.eventually(look, None, "its end")
        self.read()
        assert not qttt.SANITIZER_WORDS.search(self.raw), self.raw
        return self.status

    def stop(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)


def seat_two(server, sit, first="ala", second="ola", create="create X", **named):
    """A game of two people at terminals: who has X, who has O."""
    one = sit(server, "--name", first, **named)
    one.see("lobby> ")
    one.type(create)
    one.see("waiting for an opponent> ")
    room = re.search(r"join (\w+)", one.screen.text())[1]
    two = sit(server, "--name", second, "--join", room, **named)
    one.see("move 1: two squares> ")
    two.see(f"waiting for {first}> ")
    return one, two


MOVES = ("1 7", "6 8", "28", "5-9", "move 1 6", "7 9", "2 3", "3 5")


def play_moves(x, o, whose, asked, told=""):
    """Up to the measurement: each move is asked for and told the other in these words, with the
    move's number and its mover, who is called as `whose` has it."""
    for number, squares in enumerate(MOVES, 1):
        mover, other = (x, o) if number % 2 else (o, x)
        words = {"who": whose[1 - number % 2], "number": number}
        mover.see(asked.format(**words))
        mover.type(squares)
        other.see(told.format(**words))
