"""The table: medians, ratios, and whether what is aimed at was reached."""

import statistics

REACHED = {True: "reached", False: "missed"}


def median_of(results, name):
    """Over the undisturbed runs, or over all if there is none."""
    clean = [result for result in results if result["clean"]]
    return statistics.median(result[name] for result in clean or results)


def clean_of(results):
    return f"{sum(result['clean'] for result in results)}/{len(results)}"


def column(rounds, kind):
    return [results[kind] for results in rounds]


def ratio_of(rounds, kind, name="per_s", upside_down=False, base="yardstick"):
    """Of the yardstick (or another base), round by round, so that what disturbs both falls out."""
    def ratio(results):
        value = results[kind][name] / max(results[base][name], 1e-9)
        return 1 / max(value, 1e-9) if upside_down else value
    clean = [results for results in rounds
             if results[kind]["clean"] and results[base]["clean"]]
    return statistics.median(ratio(results) for results in clean or rounds)


def is_sound(*several):
    """Has each list of results an undisturbed one? Those of memory can't be disturbed."""
    return all(any(result.get("clean", True) for result in results) for results in several)


def aim(what, value, limit, is_reached, sound, unit=""):
    """A verdict only where there was something to judge by."""
    verdict = REACHED[is_reached] if sound else "unsure"
    print(f"  {verdict:8} {what}: {value}{unit} (aim {limit}{unit})", flush=True)


def at_least(what, value, limit, sound, digits=2):
    aim(what, f"{value:.{digits}f}", f"≥ {limit}", value >= limit, sound)


def at_most(what, value, limit, sound, unit=""):
    aim(what, f"{value:.2f}", f"≤ {limit:.3g}", value <= limit, sound, unit)


def us(value):
    return f"{value / 1000:.2f} ms" if value >= 1000 else f"{value:.0f} µs"


HEAD = "  {:>6} {:10} {:>9} {:>9} {:>10} {:>14} {:>9} {:>6} {:>6} {:>6}"


def print_kinds(first, rounds, kinds, base="yardstick"):
    for kind in kinds:
        results = column(rounds, kind)
        ratios = ("", "")
        if kind != base:
            ratios = (f"{ratio_of(rounds, kind, base=base):.2f}",
                      f"{ratio_of(rounds, kind, 'server_us_per_one', True, base):.2f}")
        print(HEAD.format(first, kind, f"{median_of(results, 'per_s'):.0f}",
                          us(median_of(results, "p50_us")), us(median_of(results, "p99_us")),
                          f"{median_of(results, 'server_us_per_one'):.2f} ms",
                          f"{median_of(results, 'server_percent'):.0f} %",
                          *ratios, clean_of(results)), flush=True)


def print_head(title, first, unit):
    print(f"\n{title}")
    print(HEAD.format(first, "server", unit, "p50", "p99", "CPU per 1000", "its core", "of R",
                      "by CPU", "clean"))


def print_play(rounds, write_ms, commit_ms):
    """`of R` is by throughput; `by CPU` by what one action costs the server, which shows the same
    where the server is the limit, and holds on a machine that others use too."""
    print_head("Games of two connections, each acting when it sees the event before; R: the "
               "yardstick", "games", "actions/s")
    rounds = {games: results for games, results in rounds.items() if results}
    for games, results in rounds.items():
        print_kinds(games, results, ("memory", "sqlite", "yardstick"))
    if 500 in rounds:
        for kind, name, limit in (("memory", "memory store", 0.85), ("sqlite", "SQLite", 0.55)):
            at_least(f"{name} at 500 games, of R", ratio_of(rounds[500], kind), limit,
                     is_sound(column(rounds[500], kind), column(rounds[500], "yardstick")))
    many = [rounds[games] for games in (50, 500, 2000) if games in rounds]
    flat = [ratio_of(results, "memory") for results in many]
    if len(flat) > 1:
        at_most("memory store, its best ratio by its worst, 50 to 2000 games",
                max(flat) / min(flat), 1.3,
                is_sound(*(column(results, kind) for results in many
                           for kind in ("memory", "yardstick"))))
    if 50 in rounds:
        memory, sqlite = (median_of(column(rounds[50], kind), "p99_us") / 1000
                          for kind in ("memory", "sqlite"))
        sound = is_sound(column(rounds[50], "memory"), column(rounds[50], "sqlite"))
        at_most(f"SQLite's p99 at 50 games (the memory store's and two synced writes of 4 KiB, "
                f"{write_ms:.2f} ms)", sqlite, memory + 2 * write_ms, sound, " ms")
        at_most(f"  the same with two commits of 25 rooms by the store alone, {commit_ms:.2f} ms",
                sqlite, memory + 2 * commit_ms, sound, " ms")


def print_store(results):
    print("\nThe SQLite store alone: so many rooms act at once, an event each; with one there is one "
          "event in a transaction")
    for result in results:
        print(f"  {result['rooms']:5} rooms {result['per_s']:9.0f} events/s, "
              f"{result['per_s'] / results[0]['per_s']:5.1f} times that of one; a round takes "
              f"{us(result['p50_us'])}, p99 {us(result['p99_us'])}")


def print_start(results):
    print("\nStarting: from the program's beginning until it listens, and its resident memory then")
    for result in results:
        print(f"  {result['running']} running and {result['finished']} finished games, "
              f"{result['file_mib']:.0f} MiB: {result['clean_s']:.2f} s, {result['rss_mib']:.1f} MiB"
              f"\n    killed under load with {result['log_mib']:.1f} MiB in the log: "
              f"{result['killed_s']:.2f} s, {result['killed_rss_mib']:.1f} MiB")
    few, many = results[0], results[-1]
    at_most("start with many finished games", many["clean_s"], 2, True, " s")
    at_most("  after it was killed", many["killed_s"], 2, True, " s")
    at_most("resident memory with many finished games, beyond that with few (SQLite's page cache)",
            many["rss_mib"] - few["rss_mib"], 16, True, " MiB")


def print_records(result):
    print(f"\nAsked of {result['games']} finished games ({result['file_mib']:.0f} MiB, made in "
          f"{result['fill_s']:.0f} s), a request after the other,\n  in ms; alone, by how much a ping "
          f"takes, and beside {result['beside_games']} games that are played")
    print(f"  {'':24}{'p50':>8}{'p99':>8}{'of ping':>9}{'beside: p50':>14}{'p99':>8}")
    ping = result["alone"]["ping"][0]
    for name, (middle, high) in result["alone"].items():
        beside = result["beside"][name]
        print(f"  {name:24}{middle:8.2f}{high:8.2f}{middle / ping:9.1f}{beside[0]:14.2f}{beside[1]:8.2f}")
    at_most("the highest p99 of them", max(high for _, high in result["alone"].values()), 5, True,
            " ms")


def print_frozen(result):
    well, frozen = result["well"], result["frozen"]
    print(f"\nAnswers in {result['rooms']} rooms of one process on the SQLite store, and in the "
          "others while the commit of\n  one is in doubt, which is asked about "
          f"{result['asked_again']} times")
    for name, times in (("all well", well), ("one frozen", frozen)):
        print(f"  {name:10} {times['actions']} actions, p50 {us(times['p50_us'])}, "
              f"p99 {us(times['p99_us'])}")
    at_most("p99 with one frozen by p99 without", frozen["p99_us"] / well["p99_us"], 1.2, True)


def print_fanout(rounds, watchers):
    print_head(f"One game with {watchers} watchers", "", "told/s")
    if rounds:
        print_kinds("", rounds, ("memory", "yardstick"))
        at_least("deliveries, of R", ratio_of(rounds, "memory"), 1.0,
                 is_sound(column(rounds, "memory"), column(rounds, "yardstick")))


def print_ws(rounds, watchers):
    print_head(f"One game with {watchers} watchers, by TCP and by WebSocket", "", "told/s")
    if rounds:
        print_kinds("", rounds, ("tcp", "websocket"), base="tcp")
        at_least("deliveries, of TCP's", ratio_of(rounds, "websocket", base="tcp"), 0.8, is_sound(column(rounds, "tcp"), column(rounds, "websocket")))


def print_idle(result, conns):
    if result:
        print(f"\n{conns} idle connections: growth of the server's resident memory over the last "
              f"nine tenths of them\n  {result['kib_per_conn']:.2f} KiB each; "
              f"{result['idle_cpu_percent']:.1f} % of its core while they are idle")
        at_most("one idle connection", result["kib_per_conn"], 3, True, " KiB")


def print_rooms(results):
    print("\nRooms with a game begun and no move: growth of resident memory while the same "
          "connections open more of them.\n  The lines of their stored events, which the server "
          "has in memory while they run, are told apart; SQLite's\n  growth has its page cache in "
          "it, the memory store's its index of rooms")
    for kind, result in results.items():
        if result:
            print(f"  {kind:10} {result['kib_per_room']:.2f} KiB each, of which "
                  f"{result['stored_kib_per_room']:.2f} KiB are stored events; "
                  f"{result['rooms']} rooms")
    result = results["memory"]
    if result:
        at_most("one running room without its stored events",
                result["kib_per_room"] - result["stored_kib_per_room"], 2, True, " KiB")


def print_login(rounds, at_once):
    print(f"\nLogins, {at_once} at a time: connect, hello, welcome and answer read, close")
    for kind, results in rounds.items():
        if results:
            print(f"  {kind:10} {median_of(results, 'per_s'):.0f}/s, p50 "
                  f"{us(median_of(results, 'p50_us'))}, p99 {us(median_of(results, 'p99_us'))}, "
                  f"server {median_of(results, 'server_us_per_one'):.0f} µs each, "
                  f"clean {clean_of(results)}")
    if rounds["memory"]:
        at_least("logins a second", median_of(rounds["memory"], "per_s"), 5000,
                 is_sound(rounds["memory"]), 0)


def print_beside(rounds, rate, what, name, limit):
    """Latency beside few and beside many of `what`, and the ratio of the p99s, called `name`."""
    print(f"\nLatency at {rate:.0f} actions/s, half of the highest rate, at a steady pace")
    for count, results in rounds.items():
        if results:
            print(f"  with {count:5} {what} beside: p50 "
                  f"{us(median_of(results, 'p50_us'))}, p99 {us(median_of(results, 'p99_us'))}, "
                  f"clean {clean_of(results)}")
    if all(rounds.values()):
        few, many = (median_of(results, "p99_us") for results in rounds.values())
        at_most(name, many / few, limit, is_sound(*rounds.values()))


def print_load(rounds, rate):
    print_beside(rounds, rate, "idle connections", "p99 with many by p99 with few", 1.2)


def print_large(kind, conns, games, rounds):
    print(f"\n{conns} connections, {2 * games} of them in {games} games, on {kind}")
    for rate, results in rounds.items():
        if results:
            print(f"  at {rate:6.0f} actions/s: p50 {us(median_of(results, 'p50_us'))}, p99 "
                  f"{us(median_of(results, 'p99_us'))}, max {us(median_of(results, 'max_us'))}; "
                  f"{median_of(results, 'server_percent'):.0f} % of its core, resident "
                  f"{median_of(results, 'rss_kib') / 1024:.0f} MiB (at most "
                  f"{median_of(results, 'peak_kib') / 1024:.0f}), clean {clean_of(results)}",
                  flush=True)


def print_thoughts(decisions, analyses):
    print("\nThinking on the server's core, with a warm solver")
    if decisions:
        print(f"  a bot that plays perfectly acts after p50 {us(median_of(decisions, 'p50_us'))}, p99 "
              f"{us(median_of(decisions, 'p99_us'))}, clean {clean_of(decisions)}")
    for conns, results in analyses.items():
        if results:
            print(f"  analyse, {conns:2} at a time: p50 {us(median_of(results, 'p50_us'))}, p99 "
                  f"{us(median_of(results, 'p99_us'))}, {median_of(results, 'per_s'):.0f}/s, clean "
                  f"{clean_of(results)}")
    alone = analyses[min(analyses)]
    if alone:
        at_most("analyse, its p99", median_of(alone, "p99_us") / 1000, 20, is_sound(alone), " ms")


def print_bots(rounds, rate):
    print_beside(rounds, rate, "games against bots", "p99 with bots by p99 without", 1.3)


def refusals(result):
    """What the server did to the attackers, the most frequent first."""
    found = {}
    for metric, words in result["refused"].items():
        if metric == "qttt_lines_total":
            continue
        for word, count in words.items():
            if word != "ok":
                found[word] = found.get(word, 0) + count
    most = sorted(found.items(), key=lambda one: -one[1])[:4]
    return ", ".join(f"{word} {count}" for word, count in most)


def print_attacks(measured, rates, games, bound_mib):
    print(f"\n{games} games at about {rates['memory']:.0f} actions/s (beside a storm of tokens, by SQLite: "
          f"{rates['sqlite']:.0f}), for which the\nserver needs half of its core, beside attacks on "
          "one with its default limits; \"they\" is the attackers'\nshare of the driver's core")
    print(f"  {'attack':12} {'p50':>9} {'with':>9} {'p99':>9} {'with':>9} {'ratio':>6} {'core':>5} "
          f"{'they':>5} {'peak':>5}  opened, sent and heard (MiB); what the server refused")
    reached = []
    peaks = []
    for name, rounds in measured:
        if not rounds:
            reached.append(False)
            continue

        def middle(member, which):
            return statistics.median(both[which][member] for both in rounds)
        ratio = statistics.median(beside["p99_us"] / without["p99_us"] for without, beside in rounds)
        reached.append(ratio <= 2)
        peaks += [beside["peak_kib"] / 1024 for _, beside in rounds]
        print(f"  {name:12} {us(middle('p50_us', 0)):>9} {us(middle('p50_us', 1)):>9} "
              f"{us(middle('p99_us', 0)):>9} {us(middle('p99_us', 1)):>9} {ratio:6.2f} "
              f"{middle('server_percent', 1):4.0f}% {middle('attacker_percent', 1):4.0f}% "
              f"{middle('peak_kib', 1) / 1024:5.0f}  {middle('opened', 1):.0f}, "
              f"{middle('sent_mib', 1):.0f}, {middle('heard_mib', 1):.0f}; "
              f"{refusals(rounds[-1][1])}", flush=True)
    aim("attacks beside which p99 is at most twice as much", sum(reached), len(reached),
        all(reached), bool(reached))
    at_most("memory beside the worst of them", max(peaks, default=0), bound_mib, bool(peaks), " MiB")


def print_conditions(runs, seconds):
    timed = [run for run in runs if "clean" in run]
    print(f"\n{len(runs)} runs in {seconds:.0f} s", end="")
    if timed:
        speeds = [run["core_speed"] for run in timed]
        disturbed = sum(not run["clean"] for run in timed)
        foreign = statistics.median(run["foreign_percent"] for run in timed)
        print(f"; core speed {min(speeds):.0f} to {max(speeds):.0f}; others took {foreign:.0f} % of "
              f"a core (median)\nand disturbed {disturbed} of {len(timed)} timed runs too much to "
              "be left out: \"clean\" says how many of the repetitions were not.", end="")
    print()
