#!/usr/bin/python3
"""What a restart costs those who play, when a supervisor holds the server's sockets.

    QTTTD=build/server/qtttd tests/bench/activation.py [PAIRS [RESTARTS]]

Pairs of players, by TLS and in the open, play through so many restarts, first coming back when the
server says, then at once; beside them somebody new connects by each door every few milliseconds. The
last line of each half says how many were refused and what was lost, which has to be nothing, and
how long anybody waited for an answer, a coming back included.
"""

import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "system"))

import restarts  # noqa: E402
from certificates import Authority  # noqa: E402
from supervisor import Supervised  # noqa: E402

EVERY_SECONDS = 3


def measure(authority, pairs, times, patient):
    cert, key = authority.sign("server")
    with Supervised(("tcp", "tls"), "--cert", cert, "--key", key, "--log-level",
                    "warn") as server:
        tally = restarts.run(server, authority.context(), pairs, times, EVERY_SECONDS, patient,
                             random.randrange(2**32))
        lost = restarts.lost_actions(server, tally)
    print(f"{'as told' if patient else 'at once'}: {2 * pairs} players, {times} restarts, "
          f"{tally.actions} actions acknowledged, {len(lost)} of them lost; {tally.returns} "
          f"returns and {tally.knocks} newcomers, {tally.refused} connects refused, "
          f"{sum(tally.cut.values())} cut, {tally.turned} told to come again; longest silence "
          f"{1000 * tally.silence:.0f} ms, for newcomers {1000 * tally.knock_silence:.0f} ms; "
          f"no server for {1000 * tally.gap:.0f} ms", flush=True)
    return not lost and tally.refused == 0


def main():
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(folder)
        good = [measure(authority, pairs, times, patient) for patient in (True, False)]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
