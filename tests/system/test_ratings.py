"""Games that count while the server is killed again and again: each is rated once, and what is
stored is what a calculation made from the paper alone makes of the records in their order."""

import contextlib
import json
import math
import os
import random
import sqlite3
import subprocess
import threading

import qttt

ENDS = 1000
NAMES = 12
PAIRS = 6
DAY_MS = 86400000


# ---- Glicko-2, from Glickman's paper, for one game of a period that may have begun before ----

SCALE, TAU, START, MOST = 173.7178, 0.5, 1500.0, 350.0


def volatility(sigma, phi, v, delta):
    a = math.log(sigma * sigma)

    def f(x):
        e = math.exp(x)
        return (e * (delta ** 2 - phi ** 2 - v - e) / (2 * (phi ** 2 + v + e) ** 2)
                - (x - a) / TAU ** 2)
    low = a
    if delta ** 2 > phi ** 2 + v:
        high = math.log(delta ** 2 - phi ** 2 - v)
    else:
        high = a - TAU
        while f(high) < 0:
            high -= TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > 0.000001:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


def grown(deviation, sigma, days):
    return min(MOST, math.hypot(deviation, SCALE * sigma * math.sqrt(max(0, days))))


class Rating:
    def __init__(self):
        self.rating, self.deviation, self.sigma, self.day, self.games = START, MOST, 0.06, None, 0

    def after(self, rating, deviation, score, day):
        """What a game makes of it; the other's numbers are those of that day."""
        mu, other_mu = (self.rating - START) / SCALE, (rating - START) / SCALE
        begins = self.day is None or day > self.day
        phi = self.deviation
        if self.day is not None:
            phi = grown(phi, self.sigma, day - 1 - self.day)
        phi, other_phi = phi / SCALE, deviation / SCALE
        g = 1 / math.sqrt(1 + 3 * other_phi ** 2 / math.pi ** 2)
        expected = 1 / (1 + math.exp(-g * (mu - other_mu)))
        v = 1 / (g * g * expected * (1 - expected))
        made = Rating()
        made.sigma = volatility(self.sigma, phi, v, v * g * (score - expected))
        if begins:
            phi = math.hypot(phi, made.sigma)
        phi = 1 / math.sqrt(1 / phi ** 2 + 1 / v)
        made.rating = START + SCALE * (mu + phi ** 2 * g * (score - expected))
        made.deviation = min(MOST, SCALE * phi)
        made.day = day if begins else self.day
        made.games = self.games + 1
        # What is kept is rounded.
        made.rating, made.deviation = round(made.rating, 3), round(made.deviation, 3)
        made.sigma = round(made.sigma, 9)
        return made


def calculate(games):
    """Everybody's rating from (x, o, score of X and O, when it ended)."""
    ratings = {}
    for x, o, (x_points, o_points), ended_ms in games:
        day = ended_ms // DAY_MS
        of_x, of_o = ratings.get(x, Rating()), ratings.get(o, Rating())
        score = min(1, max(0, 0.5 + (x_points - o_points) / 2))
        now = [grown(r.deviation, r.sigma, 0 if r.day is None else day - r.day)
               for r in (of_x, of_o)]
        ratings[x] = of_x.after(of_o.rating, now[1], score, day)
        ratings[o] = of_o.after(of_x.rating, now[0], 1 - score, day)
    return ratings


# ---- Playing ----


class Pair(threading.Thread):
    """Two names that end one game after the other until enough have ended, or all is lost."""

    def __init__(self, server, players, ended, seed):
        super().__init__(daemon=True)
        self.server, self.players, self.ended = server, players, ended
        self.random = random.Random(seed)
        self.error = None

    def run(self):
        try:
            clients = [self.server.client() for _ in self.players]
            for client, (name, token) in zip(clients, self.players):
                client.ok({"type": "hello", "name": name, "token": token})
            while len(self.ended) < ENDS:
                self.play(*self.random.sample(clients, 2))
        except (qttt.Closed, qttt.Late, OSError):
            pass
        except BaseException as error:  # shown by the test
            self.error = error

    def play(self, x, o):
        room = x.ok("create X")["room"]
        o.ok(f"join {room}")
        end = self.random.choice(["resign", "draw", "resign"])
        if end == "draw":
            x.ok(f"draw room={room}")
        self.random.choice([x, o] if end == "resign" else [o]).ok(
            f"{end} {room}" if end == "resign" else f"draw room={room}")
        # It was promised.
        self.ended.add(room)


def play_until_killed(server, people, ended, seed):
    rng = random.Random(seed)
    order = rng.sample(people, len(people))
    # Everybody is in two pairs, so that ends of one player's games come together.
    pairs = [Pair(server, [order[2 * i], order[2 * i + 1], order[(2 * i + 2) % len(order)]], ended,
                  rng.random()) for i in range(PAIRS)]
    for pair in pairs:
        pair.start()
    seen = len(ended)
    with contextlib.suppress(AssertionError):
        qttt.eventually(lambda: len(ended) >= min(ENDS, seen + rng.randrange(20, 60)))
    server.kill()
    for pair in pairs:
        pair.join(qttt.SECONDS)
        assert pair.error is None, pair.error
    assert len(ended) > seen, "nobody could play"


def test_each_end_is_rated_once_however_often_the_server_is_killed(own_server):
    people = [(f"Person-{chr(65 + i)}", f"token-of-a-person-{i:06d}") for i in range(NAMES)]
    for name, token in people:
        own_server.client().ok({"type": "hello", "name": name, "token": token})
    ended, kills = set(), 0
    while len(ended) < ENDS:
        play_until_killed(own_server, people, ended, kills)
        kills += 1
        own_server.start()
    own_server.terminate()
    database = sqlite3.connect(own_server.db)
    rows = list(database.execute(
        "SELECT room, x, o, result, ended_ms FROM games WHERE ahead IS NOT NULL ORDER BY n"))
    results = [json.loads(row[3]) for row in rows]
    assert ended <= {row[0] for row in rows} and len({row[0] for row in rows}) == len(rows)
    assert all("ratings" in result for result in results)
    games = [(x, o, (result["score"]["X"], result["score"]["O"]), ended_ms)
             for (_, x, o, _, ended_ms), result in zip(rows, results)]
    calculated = calculate(games)
    stored = {row[0]: row[1:] for row in database.execute(
        "SELECT id, games, rating_milli, deviation_milli FROM players WHERE games > 0")}
    assert set(stored) == set(calculated)
    most = 0
    for player, (count, rating, deviation) in stored.items():
        made = calculated[player]
        assert count == made.games
        # A thousandth may be rounded otherwise, and go on from there.
        most = max(most, abs(rating / 1000 - made.rating))
        assert most < 0.02, (rating, made.rating)
        assert abs(deviation / 1000 - made.deviation) < 0.02
    database.close()
    checked = subprocess.run([qttt.qtttd_path(), "--db", own_server.db, "--check-db"], text=True,
                             capture_output=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    qttt.tell(f"{len(rows)} games rated, {kills} kills, {most:.3f} points apart at most")
    own_server.start()


def test_the_client_shows_ratings(own_server):
    ala, ola = own_server.player("Ala"), own_server.player("Ola")
    played = qttt.Game(own_server, ala, ola)
    ola.ok("resign")
    looker = subprocess.run(
        [qttt.qttt_path(), f"127.0.0.1:{own_server.port}"], text=True, capture_output=True,
        input=f"watch {played.room}\nwho\nquit\n", timeout=qttt.SECONDS, check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8", "HOME": "/dev/null", "XDG_STATE_HOME": ""})
    shown = looker.stdout
    assert "Rating: Ala 1662, Ola 1338." in shown, shown
    assert "Ala (1662)" in shown and "Ola (1338)" in shown
