"""Honest games beside one attack after the other: runs without and with it, in turn, against servers
with their default limits.

The players have other addresses than the attackers, few of them each: every address stands for
other people. The attackers share the driver's core and take what it leaves of it."""

import contextlib
import json
import shutil
import ssl
import subprocess
import sys
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "system"))

from attack import bound_mib  # noqa: E402
import prometheus  # noqa: E402
import qttt  # noqa: E402
from certificates import Authority  # noqa: E402

DOORS = ("tcp", "tls", "http")
# Few enough that neither the rooms nor the requests of their addresses run out while it is measured.
CONNS_AN_ADDRESS = 5
TOKENS = 5000
TRIES = 3
# So many percent of a core off are half of it as well: where the rate is chosen, and where it stays.
NEAR = 6
FAR = 12
# The players' machine is another than the attackers': whenever the driver has something to do, it
# does it, and is not kept waiting by who shares its core. Not everybody may have that.
FIRST = ("chrt", "--fifo", "1")
BOUND_MIB = bound_mib()
REFUSALS = ("qttt_connections_refused_total", "qttt_connections_closed_total",
            "qttt_requests_total", "qttt_lines_total", "qttt_accept_rests_total")


class Ground:
    """What all rounds need: a certificate, a client's first bytes, a database that knows tokens."""

    def __init__(self, bench):
        self.bench = bench
        folder = bench.folder / "attack"
        folder.mkdir()
        self.authority = Authority(folder)
        self.certificate = self.authority.sign("server")
        self.hello = folder / "hello"
        self.hello.write_bytes(self.client_hello())
        may_go_first = subprocess.run([*FIRST, "true"], stderr=subprocess.DEVNULL).returncode == 0
        self.first = FIRST if may_go_first else ()
        self.tokens = folder / "tokens"
        self.database = folder / "tokens.db"
        self.again = folder / "again.db"

    def client_hello(self):
        outgoing = ssl.MemoryBIO()
        tls = self.authority.context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost")
        try:
            tls.do_handshake()
        except ssl.SSLWantReadError:
            pass
        return outgoing.read()

    def get_tokens(self):
        """Guests that a server before this one made."""
        with self.bench.server("memory", extra=("--db", self.database)) as (_, ports):
            crowd = [qttt.Client(ports["tcp"], welcome=False) for _ in range(TOKENS)]
            for client in crowd:
                client.send("hello")
            self.tokens.write_text("".join(
                client.wait_for("ok")["token"] + "\n" for client in crowd), "ascii")
            for client in crowd:
                client.close()

    def options(self, needs_tokens):
        cert, key = self.certificate
        options = ["--listen-tls", "127.0.0.1:0", "--cert", cert, "--key", key, "--http", "0"]
        if needs_tokens:
            if not self.tokens.exists():
                self.get_tokens()
            for path in self.again.parent.glob("again.db*"):
                path.unlink()
            shutil.copy(self.database, self.again)
            options += ["--db", self.again]
        return options

    def blob(self, attack):
        return self.tokens if attack == "storm" else self.hello


def ask_metrics(port):
    """The text, or None: attackers may be at that door."""
    with contextlib.suppress(OSError):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
            return answer.read().decode("ascii")
    return None


def counts(port):
    """What the server says that it refused: {metric: {label or code: count}}."""
    families = prometheus.read(qttt.eventually(lambda: ask_metrics(port), 30))
    found = {}
    for name in REFUSALS:
        for (_, labels), value in families[name].samples.items():
            word = dict(labels).get("code") or dict(labels).get("reason") or "all"
            if value:
                of_name = found.setdefault(name, {})
                of_name[word] = of_name.get(word, 0) + int(value)
    return found


def one_run(ground, attack, needs_tokens, options):
    """The driver's numbers, with those of the attack and of what the server refused; None if the
    honest ones did not get through."""
    bench = ground.bench
    with bench.server("memory", extra=ground.options(needs_tokens), doors=DOORS, limits=True) as (
            pid, ports):
        command = [*ground.first, *bench.driver("memory", "load", pid, ports["tcp"], options)]
        driver = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        result = {}
        if driver.stderr.readline() == "playing\n" and attack:
            attacker = subprocess.Popen(
                ["taskset", "-c", str(bench.driver_core), bench.build / "tests/bench/bench_attacker",
                 attack, *(str(ports[door]) for door in DOORS), ground.blob(attack)],
                stdout=subprocess.PIPE, text=True)
            done, said = driver.communicate(timeout=120)
            attacker.terminate()
            said_by_attacker = attacker.communicate(timeout=20)[0]
            result = json.loads(said_by_attacker or "{}")
        else:
            done, said = driver.communicate(timeout=120)
        if driver.returncode != 0:
            print(f"beside {attack or 'nothing'} the games failed: {said.strip()}", flush=True)
            return None
        result.update(json.loads(done), refused=counts(ports["http"]))
    bench.keep(result)
    return result


def names(bench, chosen):
    done = subprocess.run([bench.build / "tests/bench/bench_attacker"], capture_output=True, text=True,
                          check=True)
    known = done.stdout.split()
    unknown = set(chosen or ()) - set(known)
    if unknown:
        raise SystemExit(f"no such attack: {', '.join(sorted(unknown))}; there are "
                         f"{', '.join(known)}")
    return [name for name in known if not chosen or name in chosen]


def steady_run(ground, attack, needs_tokens, options):
    """The same, once more if too little of it was undisturbed."""
    for _ in range(TRIES):
        result = one_run(ground, attack, needs_tokens, options)
        if result is None or result["clean"]:
            break
    return result


def is_half(result, give):
    """Did the server need about half of its core?"""
    return abs(result["server_percent"] - 50) <= give


def quiet_run(ground, needs_tokens, options):
    """Without an attack; at a rate that is half of the server's core just now: how quick that is
    differs by a third from one minute to the next."""
    for _ in range(TRIES):
        result = steady_run(ground, None, needs_tokens, options)
        if result is None or is_half(result, NEAR):
            break
        options["rate"] *= 50 / result["server_percent"]
    return result


class Pairs:
    """An attack between two runs without, one of which may be the next one's first."""

    def __init__(self, ground, needs_tokens, options):
        self.ground = ground
        self.needs_tokens = needs_tokens
        self.options = options
        self.before = None

    def one(self, attack):
        before = self.before or quiet_run(self.ground, self.needs_tokens, self.options)
        beside = steady_run(self.ground, attack, self.needs_tokens, self.options)
        after = steady_run(self.ground, None, self.needs_tokens, self.options)
        self.before = after if after and is_half(after, NEAR) else None
        return before, beside, after

    def steady(self, attack):
        """(without, beside), or None if something did not get through. Once more if the machine was
        another before than after."""
        for _ in range(TRIES):
            before, beside, after = self.one(attack)
            if not (before and beside and after):
                return None
            if is_half(after, FAR):
                break
        return {name: (before[name] + after[name]) / 2 for name in ("p50_us", "p99_us")}, beside


def run(bench, plan, games, rates):
    """Yields (attack, its pairs), as far as they got through."""
    ground = Ground(bench)
    # Attackers take the driver's core as a matter of course, and a server that sleeps less waits
    # for the kernel a little more.
    options = {"games": games, "per_address": CONNS_AN_ADDRESS, "foreign": 10,
               "warm": 1, "seconds": 1.5, "wall": 5, "rate": rates["memory"]}
    with_tokens = {**options, "rate": rates["sqlite"]}
    usual = Pairs(ground, False, options)
    storm = Pairs(ground, True, with_tokens)
    chosen = names(bench, plan.attacks)
    rounds = {name: [] for name in chosen}
    for _ in range(plan.repetitions):
        for name in chosen:
            pair = (storm if name == "storm" else usual).steady(name)
            rounds[name] += [pair] if pair else []
    yield from rounds.items()
