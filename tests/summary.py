"""Count what the tests of one or more build folders came to, and say it in one last line.

    summary.py [--suite=NAME]… [--left-running=PROGRAM]… BUILD…

Read are meson's list of tests and its log of what they printed. What counts:

  a program that speaks TAP    each `ok` and `not ok` line; a `# SKIP` is skipped
  any other program            one, by how it ended
  a program that ended badly though nothing it reported had failed (a crash, a time-out, a
  sanitizer's word at the end), that reported nothing at all, or that is in the list and never
  ran: one failure
  a build without a log of tests: one failure; so is nothing counted in a build

What a failed program printed is shown first. The exit status is 1 if anything failed, else 0.
"""

import argparse
import json
import pathlib
import re
import sys

TAP_LINE = re.compile(r"^(not )?ok\b(?:[^#\\]|\\.)*(?:#\s*(skip)\b)?", re.IGNORECASE)
TAP_PASSED = re.compile(r"^ok\b")
TAP_EMPTY_PLAN = re.compile(r"^1\.\.0\b", re.MULTILINE)
ENDED_WELL = ("OK", "EXPECTEDFAIL")
SHOWN_LINES = 80


class Count:
    def __init__(self, passed=0, failed=0, skipped=0):
        self.passed, self.failed, self.skipped = passed, failed, skipped
        self.failures = []

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.failures += other.failures

    def fail(self, what):
        self.failed += 1
        self.failures.append(what)

    def total(self):
        return self.passed + self.failed + self.skipped

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def count_tap(name, output):
    count = Count()
    for line in output.splitlines():
        found = TAP_LINE.match(line)
        if not found:
            continue
        if found[2]:
            count.skipped += 1
        elif found[1]:
            count.fail(f"{name}: {line[len('not ok'):].strip(' -')}")
        else:
            count.passed += 1
    if count.total() == 0 and TAP_EMPTY_PLAN.search(output):
        count.skipped = 1
    return count


def count_program(name, entry, protocol):
    ended = entry["result"]
    if protocol == "tap":
        count = count_tap(name, entry.get("stdout") or "")
    elif ended == "SKIP":
        return Count(skipped=1)
    elif ended in ENDED_WELL:
        return Count(passed=1)
    else:
        count = Count()
    if count.failed == 0 and ended not in ENDED_WELL and not (ended == "SKIP" and count.skipped):
        count.fail(f"{name}: {ended}, exit status {entry.get('returncode')}")
    elif count.total() == 0:
        count.fail(f"{name}: reported no test")
    return count


def show_output(name, entry):
    """What a program that failed had to say, without what passed; of much, the end."""
    lines = (entry.get("stdout") or "").splitlines() + (entry.get("stderr") or "").splitlines()
    lines = [line for line in lines if not TAP_PASSED.match(line)]
    print(f"---- {name}: {entry['result']}, exit status {entry.get('returncode')}")
    if len(lines) > SHOWN_LINES:
        print(f"({len(lines) - SHOWN_LINES} lines more)")
    print("\n".join(lines[-SHOWN_LINES:]))
    print()


def in_suites(test, suites):
    own = {suite.split(":")[-1] for suite in test["suite"]}
    return not suites or own & set(suites)


def key(name, command):
    """What the list and the log have in common; the log's name has suites before a slash."""
    return name.rsplit(" / ", 1)[-1], tuple(command)


def count_build(build, suites):
    count = Count()
    try:
        listed = json.loads((build / "meson-info" / "intro-tests.json").read_text())
        lines = (build / "meson-logs" / "testlog.json").read_text().splitlines()
    except OSError as error:
        count.fail(f"{build.name}: not built, or the tests did not start ({error})")
        return count
    entries = {key(entry["name"], entry["command"]): entry for entry in map(json.loads, lines)}
    for test in listed:
        if not in_suites(test, suites):
            continue
        name = f"{build.name}: {test['name']}"
        entry = entries.get(key(test["name"], test["cmd"]))
        if entry:
            counted = count_program(name, entry, test["protocol"])
            if counted.failed:
                show_output(name, entry)
            count.add(counted)
        else:
            count.fail(f"{name}: never ran")
    if count.total() == 0:
        count.fail(f"{build.name}: no test at all")
    return count


def main():
    parser = argparse.ArgumentParser(description="Count the results of meson's tests.")
    parser.add_argument("--suite", action="append", default=[])
    parser.add_argument("--left-running", action="append", default=[])
    parser.add_argument("builds", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    total = Count()
    for build in options.builds:
        count = count_build(build, options.suite)
        print(f"{build.name}: {count}")
        total.add(count)
    for program in options.left_running:
        total.fail(f"{program}: was left running")
    for failure in total.failures:
        print(f"FAILED {failure}")
    print(total)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
