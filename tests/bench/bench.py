"""Measures and prints the table: see run.sh."""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import attacked
import records
import start
import table
from servers import Bench

GAMES = (1, 50, 500, 2000)
LOAD_GAMES = 500
IDLE_BESIDE = (100, 10000)
LARGE_GAMES = 1000
LARGE_CONNS = 15000
# One act a game and second: quick people.
LARGE_RATE = LARGE_GAMES
BOTS_BESIDE = (0, 50)
ANALYSTS = (1, 16)
WATCHERS = 1000
IDLE_CONNS = 10000
ROOM_PAIRS = 500
LOGINS_AT_ONCE = 64
COMMITS = 200
STORE_ROOMS = (1, 25, 250, 1000)
LINE_BYTES = 347
FROZEN_ROOMS = 50


class Plan:
    def __init__(self, quick, attacks=()):
        self.attacks = attacks
        self.repetitions = 1 if quick else 3
        self.time = {"seconds": 0.5, "wall": 2, "warm": 0.3} if quick else \
            {"seconds": 2, "wall": 6, "warm": 1}


def repeat(plan, measure):
    """Repetitions of measure(), a failed one left out."""
    results = (measure() for _ in range(plan.repetitions))
    return [result for result in results if result]


def play_once(bench, games, watchers, kinds, time_options):
    """One round over all kinds of server, close in time: the memory store first, since the
    yardstick's lines are to be as long as its. None if one failed."""
    results = {}
    length = 0
    for kind in kinds:
        result = bench.drive(kind, "play", length, games=games, watchers=watchers, **time_options)
        if result is None:
            return None
        if kind == "memory":
            length = round(result["bytes_per_event"])
        results[kind] = result
    return results


def part_play(bench, plan):
    kinds = ("memory", "yardstick", "sqlite")
    rounds = {games: [] for games in GAMES}
    for _ in range(plan.repetitions):
        for games in GAMES:
            results = play_once(bench, games, 0, kinds, plan.time)
            if results:
                rounds[games].append(results)
    table.print_play(rounds, commit_ms(bench), store_run(bench, 25, plan)["p50_us"] / 1000)


def part_fanout(bench, plan):
    rounds = repeat(plan, lambda: play_once(bench, 1, WATCHERS, ("memory", "yardstick"), plan.time))
    table.print_fanout(rounds, WATCHERS)


def part_ws(bench, plan):
    """The same watchers by TCP and by WebSocket, in turns."""
    ways = {"tcp": (), "websocket": ("--http", "127.0.0.1:0")}
    rounds = []
    for _ in range(plan.repetitions):
        results = {way: bench.drive("memory", "play", games=1, watchers=WATCHERS, extra=extra,
                                    **plan.time) for way, extra in ways.items()}
        if all(results.values()):
            rounds.append(results)
    table.print_ws(rounds, WATCHERS)


def part_idle(bench, _plan):
    table.print_idle(bench.drive("memory", "idle", conns=IDLE_CONNS), IDLE_CONNS)


def part_rooms(bench, _plan):
    results = {kind: bench.drive(kind, "rooms", games=ROOM_PAIRS) for kind in ("sqlite", "memory")}
    table.print_rooms(results)


def part_login(bench, plan):
    rounds = {kind: [] for kind in ("memory", "sqlite")}
    for _ in range(plan.repetitions):
        for kind, results in rounds.items():
            result = bench.drive(kind, "login", window=LOGINS_AT_ONCE, **plan.time)
            if result:
                results.append(result)
    table.print_login(rounds, LOGINS_AT_ONCE)


def load_beside(bench, plan, what, counts):
    """LOAD_GAMES at half of their highest rate beside so many of `what`, interleaved: (the rounds by
    count, the rate), or None if the highest rate could not be measured."""
    highest = repeat(plan, lambda: bench.drive("memory", "play", games=LOAD_GAMES, **plan.time))
    if not highest:
        return None
    rate = table.median_of(highest, "per_s") / 2
    rounds = {count: [] for count in counts}
    for _ in range(plan.repetitions):
        for count, results in rounds.items():
            result = bench.drive("memory", "load", games=LOAD_GAMES, rate=rate, **{what: count},
                                 **plan.time)
            if result:
                results.append(result)
    return rounds, rate


def part_load(bench, plan):
    measured = load_beside(bench, plan, "conns", IDLE_BESIDE)
    if measured:
        table.print_load(*measured)


def part_large(bench, plan):
    """Many connections, of which the players of many games are some."""
    idle = LARGE_CONNS - 2 * LARGE_GAMES
    for kind in ("memory", "sqlite"):
        highest = repeat(plan, lambda: bench.drive(kind, "play", games=LARGE_GAMES, **plan.time))
        rates = [LARGE_RATE]
        if highest:
            rates.append(table.median_of(highest, "per_s") / 2)
        rounds = {rate: repeat(plan, lambda: bench.drive(
            kind, "load", games=LARGE_GAMES, conns=idle, rate=rate, **plan.time))
            for rate in rates}
        table.print_large(kind, LARGE_CONNS, LARGE_GAMES, rounds)


def part_bots(bench, plan):
    decisions = repeat(plan, lambda: bench.drive("memory", "bots", games=1, **plan.time,
                                                 extra=("--bot-pace", "0")))
    analyses = {conns: repeat(plan, lambda conns=conns: bench.drive("memory", "analyse",
                                                                    conns=conns, **plan.time))
                for conns in ANALYSTS}
    table.print_thoughts(decisions, analyses)
    measured = load_beside(bench, plan, "bots", BOTS_BESIDE)
    if measured:
        table.print_bots(*measured)


def half_load(bench, plan, kind):
    """So many actions a second as take half of the server's core where nobody attacks; None if a run
    failed. At its highest rate it is cheaper by the action, many being carried out together."""
    highest = repeat(plan, lambda: bench.drive(kind, "play", games=LOAD_GAMES, **plan.time))
    if not highest:
        return None
    rate = table.median_of(highest, "per_s") / 2
    usual = repeat(plan, lambda: bench.drive(kind, "load", games=LOAD_GAMES, rate=rate, **plan.time))
    if not usual:
        return None
    return min(rate, 1e6 / table.median_of(usual, "server_us_per_one") / 2)


def part_attack(bench, plan):
    rates = {kind: half_load(bench, plan, kind) for kind in ("memory", "sqlite")}
    if all(rates.values()):
        table.print_attacks(attacked.run(bench, plan, LOAD_GAMES, rates), rates, LOAD_GAMES,
                            attacked.BOUND_MIB)


def part_micro(bench, _plan):
    command = ["taskset", "-c", str(bench.server_core), bench.build / "tests/bench/bench_micro"]
    done = subprocess.run(command, capture_output=True, text=True)
    print("\nSteps of a move inside the process, the best of some tries\n" + done.stdout.rstrip())
    for name, ns in re.findall(r"^  (.*?) +([\d.]+) ns", done.stdout, re.MULTILINE):
        bench.keep({"run": "micro", "label": name, "ns": float(ns)})


def commit_ms(bench):
    """What one small synced write to the folder of the SQLite files takes, typically."""
    took = []
    path = bench.folder / "commit"
    with open(path, "wb", buffering=0) as file:
        for _ in range(COMMITS):
            begin = time.monotonic()
            file.write(b"x" * 4096)
            os.fdatasync(file.fileno())
            took.append(1000 * (time.monotonic() - begin))
    path.unlink()
    return sorted(took)[len(took) // 2]


def store_run(bench, rooms, plan):
    """Rounds of commits by the SQLite store alone: of so many rooms, all waiting at once."""
    folder = bench.folder / f"store-{rooms}"
    folder.mkdir(exist_ok=True)
    command = ["taskset", "-c", str(bench.server_core), bench.build / "tests/bench/bench_store",
               folder, str(rooms), str(plan.time["seconds"]), str(LINE_BYTES)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    shutil.rmtree(folder)
    result = json.loads(done.stdout)
    bench.keep(result)
    return result


def part_store(bench, plan):
    table.print_store([store_run(bench, rooms, plan) for rooms in STORE_ROOMS])


def part_start(bench, _plan):
    table.print_start(start.run(bench))


def part_records(bench, _plan):
    table.print_records(records.run(bench))


def part_frozen(bench, plan):
    folder = bench.folder / "frozen"
    folder.mkdir()
    command = ["taskset", "-c", f"{bench.server_core},{bench.driver_core}",
               bench.build / "tests/bench/bench_frozen", folder, str(FROZEN_ROOMS),
               str(plan.time["seconds"])]
    result = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    shutil.rmtree(folder)
    bench.keep(result)
    table.print_frozen(result)


PARTS = {
    "play": part_play,
    "fanout": part_fanout,
    "ws": part_ws,
    "idle": part_idle,
    "rooms": part_rooms,
    "login": part_login,
    "load": part_load,
    "large": part_large,
    "bots": part_bots,
    "store": part_store,
    "start": part_start,
    "records": part_records,
    "frozen": part_frozen,
    "attack": part_attack,
    "micro": part_micro,
}


def read_arguments():
    parser = argparse.ArgumentParser(prog="run.sh")
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="once and briefly")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part; may be repeated")
    parser.add_argument("--attack", action="append", help="of part attack; may be repeated")
    parser.add_argument("--json", help="append each run's numbers to this file")
    return parser.parse_args()


def main():
    arguments = read_arguments()
    bench = Bench(arguments.build, arguments.json)
    begin = time.monotonic()
    # Ended from outside, it still ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(f"qtttd on core {bench.server_core}, driver on core {bench.driver_core}", flush=True)
    try:
        for name in arguments.only or PARTS:
            PARTS[name](bench, Plan(arguments.quick, arguments.attack))
    finally:
        bench.close()
    table.print_conditions(bench.runs, time.monotonic() - begin)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
