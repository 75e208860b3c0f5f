"""From llvm-cov's summary on standard input: how much of the lines under a folder was reached, file
by file and in all.

    coverage.py FOLDER PERCENT

The exit status is 1 if it is less than PERCENT."""

import json
import sys


def rows(summary, folder):
    for file in summary["data"][0]["files"]:
        _, inside, name = file["filename"].rpartition("/" + folder)
        if inside:
            lines = file["summary"]["lines"]
            yield name, lines["covered"], lines["count"]


def main():
    folder, wanted = sys.argv[1], float(sys.argv[2])
    found = sorted(rows(json.load(sys.stdin), folder))
    covered, count = (sum(row[i] for row in found) for i in (1, 2))
    for name, own, lines in found:
        if own < lines:
            print(f"  {folder}{name}: {own} of {lines} lines")
    percent = 100 * covered / count if count else 0
    print(f"The corpora reach {covered} of {count} lines of {folder}: {percent:.1f} %"
          f" (at least {wanted:.0f} % are wanted)")
    return 0 if percent >= wanted else 1


if __name__ == "__main__":
    sys.exit(main())
