"""Keeps servers busy and looks at what they promise: see soak.sh."""

import os
import random
import signal
import statistics
import sys
import threading
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "system"))

import qttt  # noqa: E402
from soak_crowd import AUDITOR, CROWD, Ledger, look_again  # noqa: E402

ROUND_SECONDS = 30
# What the server keeps ready fills up at first, the database's cache of pages the longest: rounds
# before so many games do not count, nor does the first half of a run that has no more of them.
WARM_GAMES = 5000
MIB_AN_HOUR = 1
# What a short run's memory may differ by without being called growth.
NOISE_MIB = 0.5
OPTIONS = ["--log-level", "warn", "--keep-over", "1", "--max-connections", "1000"]


class Gate:
    """Where the crowd's members rest: closed, it keeps each that comes by."""

    def __init__(self):
        self.changed = threading.Condition()
        self.is_open = True
        self.resting = 0

    def rest(self):
        with self.changed:
            self.resting += 1
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.is_open)
            self.resting -= 1

    def close(self, members, seconds):
        """Returns once all rest."""
        with self.changed:
            self.is_open = False
            assert self.changed.wait_for(lambda: self.resting == members, seconds), \
                f"{members - self.resting} of the crowd did not come to rest"

    def open(self):
        with self.changed:
            self.is_open = True
            self.changed.notify_all()


class Site:
    """A server with its crowd and its ledger."""

    def __init__(self, name, choice, may_break, crowd):
        self.name = name
        self.choice = choice
        self.may_break = may_break  # its connections are lost now and then, and that is fine
        self.server = qttt.Server(*OPTIONS)
        self.ledger = Ledger()
        self.gate = Gate()
        self.is_over = False
        self.errors = []
        self.crowd = [kind(self, random.Random(choice.random()))
                      for kind, count in crowd for _ in range(count)]

    def begin(self):
        for member in self.crowd:
            threading.Thread(target=self._live, args=(member,), daemon=True).start()

    def _live(self, member):
        try:
            member.live()
        except BaseException:  # told at the end
            self.errors.append(traceback.format_exc())
            self.is_over = True

    def check(self):
        if self.errors:
            raise AssertionError(f"at the {self.name} server:\n" + "\n".join(self.errors[:3]))

    def audit(self):
        """All that is in the ledger is there; rooms that are over leave the ledger."""
        looker = qttt.Client(self.server.port)
        for room in self.ledger.rooms():
            look_again(looker, self.ledger, room)
        looker.close()

    def end(self):
        self.gate.close(len(self.crowd), 60)
        self.audit()
        self.is_over = True
        self.gate.open()
        for member in self.crowd:
            member.leave()
        self.server.stop()


class Steady(Site):
    """Runs all the time, and is measured whenever its crowd rests."""

    def __init__(self, choice):
        # What is over is looked at soon, so that few rooms are in memory at a time.
        super().__init__("steady", choice, False, (*CROWD, AUDITOR))
        self.samples = []  # (seconds, KiB, descriptors, games)

    def round(self, seconds):
        self.gate.close(len(self.crowd), 60)
        self.check()
        self.audit()
        # Rooms that are over leave memory in between.
        time.sleep(4)
        games = sum(member.counts.get("games", 0) for member in self.crowd)
        sample = (seconds, self.server.memory_kib(), self.server.descriptors(), games)
        self.samples.append(sample)
        self.gate.open()
        return f"{sample[1] / 1024:.2f} MiB, {sample[2]} descriptors"


class Battered(Site):
    """Is ended and started again and again."""

    def __init__(self, choice):
        super().__init__("battered", choice, True, CROWD)
        self.ends = {"kill": 0, "restart": 0}

    def round(self, _seconds):
        self.check()
        how = "restart" if sum(self.ends.values()) % 3 == 2 else "kill"
        self.ends[how] += 1
        if how == "kill":
            self.server.kill()
        else:
            self.server.process.send_signal(signal.SIGTERM)
            assert self.server.process.wait(qttt.SECONDS) == 0
        self.server.start()
        self.audit()
        return how


def slope(samples, column):
    """Of the line through most of them (the median of all pairs), a second."""
    slopes = [(later[column] - earlier[column]) / (later[0] - earlier[0])
              for number, earlier in enumerate(samples) for later in samples[number + 1:]]
    return statistics.median(slopes)


def judge(samples):
    """Tells the slopes; True if they are within bounds."""
    warm = [sample for sample in samples if sample[3] >= WARM_GAMES]
    if len(warm) < len(samples) // 2:
        warm = samples[len(samples) // 2:]
    if len(warm) < 3:
        print("too few rounds to tell slopes")
        return True
    mib_a_second = slope(warm, 1) / 1024
    grown = mib_a_second * (warm[-1][0] - warm[0][0])
    descriptors = warm[-1][2] - warm[0][2]
    print(f"memory {3600 * mib_a_second:+.2f} MiB an hour ({grown:+.2f} MiB in all; at most "
          f"{MIB_AN_HOUR} an hour), descriptors {descriptors:+d} (none more), over "
          f"{len(warm)} rounds after {warm[0][0]:.0f} s", flush=True)
    is_bounded = 3600 * mib_a_second <= MIB_AN_HOUR or grown <= NOISE_MIB
    return is_bounded and max(sample[2] for sample in warm) <= warm[0][2]


def soak(seconds, sites):
    steady, battered = sites
    began = time.monotonic()
    for site in sites:
        site.begin()
    while (passed := time.monotonic() - began) < seconds:
        time.sleep(min(ROUND_SECONDS, max(1, seconds - passed)))
        passed = time.monotonic() - began
        print(f"{passed:6.0f} s: {steady.round(passed)}; {battered.round(passed)}; "
              f"{sum(site.ledger.audited for site in sites)} lines again", flush=True)
    for site in sites:
        site.check()
        site.end()
    for site in sites:
        counts = {}
        for member in site.crowd:
            for what, count in member.counts.items():
                counts[what] = counts.get(what, 0) + count
        told = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
        print(f"{site.name}: {told}; {site.ledger.audited} lines were given again as they were told")
    print(f"kills {battered.ends['kill']}, restarts {battered.ends['restart']}")
    return judge(steady.samples)


def main():
    seed = int(os.environ.get("QTTT_SEED") or random.randrange(2**32))
    print(f"QTTT_SEED={seed}", flush=True)
    choice = random.Random(seed)
    # What a thread of the crowd waits for comes even on a machine that is busy.
    qttt.SECONDS = 60
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        fine = soak(60 * int(sys.argv[1]), [Steady(choice), Battered(choice)])
    except AssertionError:
        traceback.print_exc()
        fine = False
    print("sound" if fine else "BROKEN")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
