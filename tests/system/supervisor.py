"""In systemd's place: holds listening sockets, hands them to qtttd, and hears what it is told."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

import qttt

# Between fork and exec: the descriptors from 3 on, and the number of the process.
LAUNCH = """
import json, os, sys
descriptors, variables, command = json.loads(sys.argv[1])
kept = [os.dup(fd) for fd in descriptors]
while kept and min(kept) < 3 + len(kept):
    kept = [os.dup(fd) for fd in kept]
for at, fd in enumerate(kept):
    os.dup2(fd, 3 + at)
    os.set_inheritable(3 + at, True)
os.environ.update(variables)
os.environ.setdefault("LISTEN_PID", str(os.getpid()))
os.execv(command[0], command)
"""


def spawn(command, descriptors=(), names=(), variables=None, **streams):
    """Run it as systemd would, with these descriptors; `variables` go over those of the protocol."""
    variables = {"LISTEN_FDS": str(len(descriptors)), "LISTEN_FDNAMES": ":".join(names),
                 **(variables or {})}
    told = json.dumps([list(descriptors), variables, list(command)])
    return subprocess.Popen([sys.executable, "-S", "-E", "-c", LAUNCH, told],
                            pass_fds=list(descriptors), **streams)


def listening_socket(backlog=512):
    """What a socket unit makes: bound, listening, with no options of the server's."""
    made = socket.socket()
    made.bind(("127.0.0.1", 0))
    made.listen(backlog)
    return made


class Notices:
    """A notify socket: every message, with its time of arrival, as a dictionary."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.all = []
        threading.Thread(target=self._hear, daemon=True).start()

    def _hear(self):
        while True:
            try:
                message = self.socket.recv(4096).decode("utf-8")
            except OSError:
                return
            if not message:
                return
            self.all.append((time.monotonic(),
                             dict(line.split("=", 1) for line in message.splitlines())))

    def of(self, name):
        """The values that it was told for this word, in their order."""
        return [told[name] for _, told in list(self.all) if name in told]

    def wait(self, name, count=1):
        return qttt.eventually(lambda: len(self.of(name)) >= count and self.of(name),
                               what=f"{name} for the {count}. time")

    def close(self):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.connect(self.path)
            end.send(b"")
        self.socket.close()


class Supervised(qttt.Server):
    """A qtttd that gets its sockets, by the names of their doors, and has someone to tell."""

    def __init__(self, doors=("tcp",), *options, variables=None, **named):
        self.doors = doors
        self.sockets = [listening_socket() for _ in doors]
        self.ports = dict(zip(doors, (made.getsockname()[1] for made in self.sockets)))
        self.notify_folder = tempfile.TemporaryDirectory(prefix="qtttd-notify-")
        self.notices = Notices(self.notify_folder.name)
        self.variables = {"NOTIFY_SOCKET": self.notices.path, **(variables or {})}
        super().__init__(*options, **named)

    def spawn(self, command, **streams):
        return spawn(command, [made.fileno() for made in self.sockets], self.doors, self.variables,
                     **streams)

    def clean_up(self):
        super().clean_up()
        for made in self.sockets:
            made.close()
        self.notices.close()
        self.notify_folder.cleanup()
