"""A server starts on a database with many games: after a stop in order, and after it was killed
under load with much in the log."""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time

RUNNING = 1000
FINISHED = (1000, 100000)
STARTS = 3
# Events that a running game has: opened, two seated, started, and some moves.
RUNNING_EVENTS = 9
LOAD_SECONDS = 4
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


def room_id(number):
    """Longer than those that a server makes, so that none meets another."""
    letters = ""
    for _ in range(10):
        number, letter = divmod(number, len(LETTERS))
        letters = LETTERS[letter] + letters
    return letters


def started(bench, path):
    """(process, seconds until it listens, its resident memory in MiB)."""
    begin = time.monotonic()
    process = subprocess.Popen(
        ["taskset", "-c", str(bench.server_core), bench.build / "server/qtttd", "--listen",
         "127.0.0.1:0", "--no-limits", "--db", path],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
    line = process.stdout.readline()
    took = time.monotonic() - begin
    found = re.fullmatch(r"listening tcp .*:(\d+)\n", line)
    if not found:
        process.kill()
        process.wait()
        raise SystemExit(f"the server did not start; it said {line!r}")
    process.port = int(found[1])
    return process, took, resident_mib(process.pid)


def resident_mib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024


def ended(process, number):
    process.send_signal(number)
    process.wait(60)
    process.stdout.close()


def load(bench, process, seconds):
    """Games of many pairs, until the driver is through or its server is gone."""
    return subprocess.Popen(
        ["taskset", "-c", str(bench.driver_core), bench.build / "tests/bench/bench_driver",
         "--run", "play", "--label", "start", "--scripts",
         os.path.join(os.path.dirname(__file__), "games.txt"), "--dialect", "qttt",
         "--pid", str(process.pid), "--port", str(process.port), "--games", "50",
         "--seconds", str(seconds), "--wall", str(2 * seconds + 2), "--warm", "0.1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def sample(bench, path):
    """Real games: played by the driver."""
    process, _, _ = started(bench, path)
    load(bench, process, 1).wait(60)
    ended(process, signal.SIGTERM)
    with sqlite3.connect(path) as database:
        games = []
        rows = database.execute("SELECT rooms.n, rooms.id, games.* FROM rooms JOIN games"
                                " ON games.room = rooms.id WHERE ended_seq > ?",
                                (RUNNING_EVENTS + 1,)).fetchall()
        for number, room, *game in rows:
            lines = [line for line, in database.execute(
                "SELECT line FROM events WHERE room = ? ORDER BY seq", (number,))]
            games.append((room, lines, game[2:]))
    database.close()
    return games


def fill(path, games, finished):
    """Copies of these games under other ids, so many finished and RUNNING of them cut short."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    columns = len(games[0][2]) + 2
    now_ms = int(time.time() * 1000)
    for number in range(finished + RUNNING):
        original, lines, game = games[number % len(games)]
        runs = number >= finished
        room = room_id(number)
        place = database.execute("INSERT INTO rooms (id, state, deadline_ms, over_ms)"
                                 " VALUES (?, ?, 0, ?)",
                                 (room, 1 if runs else 2, None if runs else now_ms)).lastrowid
        old, new = (f'"room":"{text}"'.encode() for text in (original, room))
        database.executemany(
            "INSERT INTO events (room, seq, line) VALUES (?, ?, ?)",
            ((place, seq, line.replace(old, new, 1)) for seq, line in
             enumerate(lines[:RUNNING_EVENTS] if runs else lines, 1)))
        if not runs:
            database.execute(f"INSERT INTO games VALUES ({', '.join('?' * columns)})",
                             (None, room, *game))
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def starts(bench, make_path):
    """The median time of some starts, and the resident memory after the last."""
    times = []
    for _ in range(STARTS):
        process, took, mib = started(bench, make_path())
        times.append(took)
        ended(process, signal.SIGTERM)
    return sorted(times)[STARTS // 2], mib


def measure(bench, path, finished):
    result = {"run": "start", "finished": finished, "running": RUNNING,
              "file_mib": path.stat().st_size / 2**20}
    result["clean_s"], result["rss_mib"] = starts(bench, lambda: path)
    process, _, _ = started(bench, path)
    driver = load(bench, process, 4 * LOAD_SECONDS)
    time.sleep(LOAD_SECONDS)
    result["loaded_rss_mib"] = resident_mib(process.pid)
    ended(process, signal.SIGKILL)
    driver.wait(60)
    log = path.with_name(path.name + "-wal")
    result["log_mib"] = log.stat().st_size / 2**20

    def copy():
        again = path.with_name("again.db")
        shutil.copy(path, again)
        shutil.copy(log, again.with_name(again.name + "-wal"))
        return again
    result["killed_s"], result["killed_rss_mib"] = starts(bench, copy)
    bench.keep(result)
    return result


def run(bench):
    """A result for each number of finished games."""
    games = sample(bench, bench.folder / "start-sample.db")
    results = []
    for finished in FINISHED:
        path = bench.folder / f"start-{finished}.db"
        # An empty database of this version's form.
        ended(started(bench, path)[0], signal.SIGTERM)
        fill(path, games, finished)
        results.append(measure(bench, path, finished))
        path.unlink()
    return results
