"""What is asked of a million finished games: one of them, pages of all and of a player's, how a
player stands, and the highest ratings. Each request is timed by itself, first on a server that
does nothing else, then beside games that are played."""

import json
import random
import signal
import socket
import sqlite3
import time

import start

GAMES = 1_000_000
PLAYERS = 20_000
# Every tenth game is private, and every fourth is the first player's.
REQUESTS = 1000
BESIDE_GAMES = 50
RECORD = "1:X(1-7),2:O(6-8),3:X(2-8),4:O(5-9),5:X(1-6),6:O(7-9),7:X(2-3),8:O(3-5),8c:X(O8(5))::X(0)-O(1)"
OPENED = ('{"type":"opened","room":"%s","seq":1,"at_ms":1,"player":"p1","private":false,'
          '"clock":{"base_ms":180000,"increment_ms":2000}}')
ENDED = ('{"type":"ended","room":"%s","seq":20,"at_ms":1,"reason":"line","score":{"X":0,"O":1},'
         '"lines":[{"mark":"O","squares":[2,5,8],"max":8}],"board":{"move":8,"turn":null,'
         '"phase":"over","squares":["X5","X7",["X7"],[],"O8",["X5"],"X1","O2","O6"],'
         '"choices":null,"cycle":null,"outcomes":null}}')

FILL = f"""
CREATE TEMP TABLE ids AS
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {{games}})
SELECT i, room_id(i) AS id FROM c;
WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {PLAYERS})
INSERT INTO players (id, version, key, token_hash, record, games, wins, draws, losses, rating_milli,
 deviation_milli, volatility_nano, rating_day, settled_day)
SELECT i, 1, 'p' || i, randomblob(32),
 CAST('{{"name":"p' || i || '","guest":false,"created_ms":1,"muted":[]}}' || char(10) AS BLOB),
 100, 40, 20, 40, 1000000 + abs(random() % 1000000), 60000, 60000000, :day,
 CASE WHEN i % 3 = 0 THEN 0 ELSE :day + 60 END FROM c;
INSERT INTO rooms (n, id, state, deadline_ms, over_ms) SELECT i, id, 3, 0, i FROM ids;
INSERT INTO events (room, seq, line)
SELECT i, 1, CAST(printf('{OPENED}', id) || char(10) AS BLOB) FROM ids
UNION ALL SELECT i, 20, CAST(printf('{ENDED}', id) || char(10) AS BLOB) FROM ids;
INSERT INTO games (room, x, o, private, started_ms, ended_ms, result, record, ended_seq, x_ms, o_ms,
 base_ms, increment_ms)
SELECT id, CASE WHEN i % 4 = 0 THEN 1 ELSE 2 + i * 7919 % {PLAYERS - 1} END,
 2 + i * 104729 % {PLAYERS - 1}, i % 10 = 0, i * 1000, i * 1000 + 500, printf('{ENDED}', id),
 '{RECORD}', 20, 1000, 1000, 180000, 2000 FROM ids;
"""


def fill(path, games):
    """A database of this version's form gets so many games; the seconds that it took."""
    begin = time.monotonic()
    database = sqlite3.connect(path, isolation_level=None)
    database.create_function("room_id", 1, start.room_id, deterministic=True)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -262144")
    database.execute("BEGIN")
    day = int(time.time()) // 86400
    for statement in FILL.replace("{games}", str(games)).split(";\n"):
        if statement.strip():
            database.execute(statement, {"day": day} if ":day" in statement else {})
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return time.monotonic() - begin


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        self.file.readline()

    def close(self):
        self.file.close()
        self.socket.close()

    def ask(self, **request):
        """(reply, milliseconds)"""
        line = json.dumps(request).encode() + b"\n"
        begin = time.perf_counter()
        self.socket.sendall(line)
        answer = self.file.readline()
        took = (time.perf_counter() - begin) * 1000
        reply = json.loads(answer)
        if reply["type"] != "ok":
            raise SystemExit(f"{request} was answered {answer!r}")
        return reply, took


def cursor(chance):
    return f"g{chance.randrange(1, GAMES):x}"


QUESTIONS = {
    "ping": lambda chance: {"type": "ping"},
    "game": lambda chance: {"type": "game", "room": start.room_id(chance.randrange(1, GAMES))},
    "games, first 20": lambda chance: {"type": "games", "limit": 20},
    "games, 100 anywhere": lambda chance: {"type": "games", "after": cursor(chance)},
    "games of a player, 20": lambda chance: {
        "type": "games", "player": f"p{chance.randrange(2, PLAYERS)}", "limit": 20},
    "games of a player, 100": lambda chance: {
        "type": "games", "player": f"p{chance.randrange(2, PLAYERS)}"},
    "of 250000 games, 100": lambda chance: {"type": "games", "player": "p1", "after": cursor(chance)},
    "player": lambda chance: {"type": "player", "name": f"p{chance.randrange(1, PLAYERS)}"},
    "top 100": lambda chance: {"type": "top"},
}


def times(client, make, chance):
    taken = sorted(client.ask(**make(chance))[1] for _ in range(REQUESTS))
    return taken[len(taken) // 2], taken[len(taken) * 99 // 100]


def ask_all(process):
    """{question: (p50, p99)} in milliseconds; the questions take turns in their order."""
    client = Client(process.port)
    chance = random.Random(1)
    try:
        return {name: times(client, make, chance) for name, make in QUESTIONS.items()}
    finally:
        client.close()


def run(bench):
    path = bench.folder / "records.db"
    start.ended(start.started(bench, path)[0], signal.SIGTERM)
    result = {"run": "records", "games": GAMES, "beside_games": BESIDE_GAMES, "fill_s": fill(path, GAMES),
              "file_mib": path.stat().st_size / 2**20}
    process, _, _ = start.started(bench, path)
    result["alone"] = ask_all(process)
    driver = start.load(bench, process, 120)
    time.sleep(1)
    result["beside"] = ask_all(process)
    driver.terminate()
    driver.wait(60)
    result["rss_mib"] = start.resident_mib(process.pid)
    start.ended(process, signal.SIGTERM)
    path.unlink()
    bench.keep(result)
    return result

