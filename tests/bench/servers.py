"""The servers under test and the driver, each on a core of its own."""

import contextlib
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Kernel threads that write a file for the server are others to the driver, and no disturbance.
FOREIGN_PERCENT = {"sqlite": 12}
STOP_SECONDS = 20
WARM_SECONDS = 60
RUN_SECONDS = 120


def cores():
    """(server's, driver's); the same one if there is only one."""
    usable = sorted(os.sched_getaffinity(0))
    return usable[0], usable[-1]


def allow_many_files():
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))


class Bench:
    """Starts servers from a build folder and lets the driver loose on them."""

    def __init__(self, build, json_file):
        self.build = Path(build)
        self.json_file = json_file
        disk = os.environ.get("QTTT_BENCH_DIR", "/var/tmp")
        self.folder = Path(tempfile.mkdtemp(prefix="qttt-bench-", dir=disk))
        self.server_core, self.driver_core = cores()
        self.runs = []
        allow_many_files()

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, kind, length, extra):
        if kind == "yardstick":
            return [self.build / "tests/bench/bench_yardstick", "0", str(length)]
        database = "none"
        if kind == "sqlite":
            database = Path(tempfile.mkdtemp(dir=self.folder)) / "qttt.db"
        return [self.build / "server/qtttd", "--listen", "127.0.0.1:0", "--db", database,
                "--no-limits", *extra]

    @contextlib.contextmanager
    def server(self, kind, length=0, extra=()):
        """Yields (process id, port, port of HTTP or 0), once its solver is warm: that takes its core
        for a moment."""
        pin = ["taskset", "-c", str(self.server_core)]
        log = open(self.folder / "log", "w+b")
        process = subprocess.Popen(pin + self.command(kind, length, extra), stdout=subprocess.PIPE,
                                   stderr=log, stdin=subprocess.DEVNULL, text=True)
        try:
            port = self.listening(process, kind, "tcp")
            http = self.listening(process, kind, "http") if "--http" in extra else 0
            if kind != "yardstick":
                self.wait_for(b"solver_warm")
            yield process.pid, port, http
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()
            log.close()

    @staticmethod
    def listening(process, kind, door):
        line = process.stdout.readline()
        found = re.fullmatch(rf"listening {door} .*:(\d+)\n", line)
        if not found:
            raise SystemExit(f"{kind} did not start; it said {line!r}")
        return int(found[1])

    def wait_for(self, word):
        end = time.monotonic() + WARM_SECONDS
        while word not in (self.folder / "log").read_bytes() and time.monotonic() < end:
            time.sleep(0.02)

    def drive(self, kind, run, length=0, extra=(), **options):
        """One run against a server of its own: the driver's numbers, or None if it failed."""
        with self.server(kind, length, extra) as (pid, port, http):
            command = ["taskset", "-c", str(self.driver_core),
                       self.build / "tests/bench/bench_driver",
                       "--run", run, "--label", kind, "--scripts", HERE / "games.txt",
                       "--dialect", "room" if kind == "yardstick" else "qttt",
                       "--pid", str(pid), "--port", str(port), "--ws-port", str(http)]
            options.setdefault("foreign", FOREIGN_PERCENT.get(kind, 4))
            for name, value in options.items():
                command += ["--" + name, str(value)]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_SECONDS)
            except subprocess.TimeoutExpired:
                print(f"{run} on {kind} failed: it took more than {RUN_SECONDS} s", flush=True)
                return None
        if done.returncode != 0:
            print(f"{run} on {kind} failed: {done.stderr.strip()}", flush=True)
            return None
        result = json.loads(done.stdout)
        self.keep(result)
        return result

    def keep(self, result):
        self.runs.append(result)
        if self.json_file:
            with open(self.json_file, "a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")
