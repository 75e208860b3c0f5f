"""Who may include what. The table below is the law; server/README.md shows it."""

import fnmatch
import os
import re
import sys
from collections import namedtuple

import tree

Part = namedtuple("Part", "files ours libraries pure", defaults=(False,))

VALUES = ["protocol/codes.h", "protocol/game.h", "protocol/limits.h", "protocol/message.h"]
PHRASE = ["protocol/phrase.h"]
NOTHING = []

# The first row whose pattern fits a file is its row. A file may always include its own header.
PARTS = [
    Part(["protocol/codes.*", "protocol/game.h", "protocol/limits.h", "protocol/message.h"], VALUES + PHRASE, NOTHING, True),
    Part(["protocol/phrase.*"], NOTHING, NOTHING, True),
    Part(["protocol/*"], ["protocol/*"], ["jansson", "utf8proc"]),
    Part(["server/game/rules.*", "server/game/rating.*"], NOTHING, NOTHING, True),
    Part(["server/game/notation.*"], ["server/game/rules.h"], NOTHING, True),
    Part(["server/game/*"], ["server/game/*"] + VALUES, NOTHING, True),
    Part(["server/solver/solver.c"], ["server/solver/*", "server/game/rules.h"], NOTHING),
    Part(["server/solver/*"], ["server/solver/*", "server/game/rules.h"], NOTHING, True),
    Part(["server/ops/*"], ["server/ops/*", "config.h"], ["inih", "libsodium", "systemd"]),
    Part(["server/play/ports.h"], ["protocol/bytes.h"], NOTHING),
    Part(
        ["server/play/*"],
        ["server/play/*", "server/game/*", "server/solver/*", "server/ops/*", "protocol/*"],
        ["utf8proc", "libsodium"],
    ),
    Part(
        ["server/store/*"],
        ["server/store/*", "server/play/ports.h", "server/ops/*", "protocol/bytes.h"],
        ["sqlite"],
    ),
    Part(
        ["server/upkeep/expect.*"],
        ["server/game/*"] + VALUES,
        NOTHING,
        True,
    ),
    Part(
        ["server/upkeep/*"],
        ["server/upkeep/*", "server/store/reader.h", "server/store/backup.h", "server/play/replay.h",
         "server/play/records.h", "server/play/rating_book.h"]
        + ["server/play/name.h", "server/game/*", "server/ops/*", "protocol/*"],
        NOTHING,
    ),
    Part(["server/work/*"], ["server/work/*", "server/play/ports.h", "server/ops/*"], NOTHING),
    Part(
        ["server/net/*"],
        ["server/net/*", "server/play/play.h", "server/play/ports.h", "server/ops/*"]
        + ["protocol/bytes.h", "protocol/limits.h", "protocol/line.h"],
        ["libevent", "openssl", "wslay"],
    ),
    Part(["server/main.c", "server/service.*", "server/settings.*", "server/storage.*", "server/thinkers.*",
          "server/watch.*", "server/page.*"], ["server/*", "protocol/*", "config.h"], ["libevent", "libsodium"]),
    Part(["client-cli/link.*"], ["client-cli/*", "protocol/*"], ["openssl"]),
    Part(["client-cli/*"], ["client-cli/*", "protocol/*", "config.h"], ["libedit"]),
]

LIBRARIES = {
    "jansson": ["jansson.h"],
    "utf8proc": ["utf8proc.h"],
    "libevent": ["event2/*"],
    "openssl": ["openssl/*"],
    "wslay": ["wslay/*"],
    "sqlite": ["sqlite3.h"],
    "libsodium": ["sodium.h", "sodium/*"],
    "inih": ["ini.h"],
    "systemd": ["systemd/*"],
    "libedit": ["histedit.h", "editline/*"],
}

# What a pure part may use of the C library: no clock, no files, no sockets, no heap. stdio.h is
# there for snprintf, stdatomic.h for a flag that another thread sets.
PURE = """assert.h inttypes.h limits.h math.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h
    stdio.h string.h""".split()

C_AND_LINUX = PURE + """ctype.h errno.h fcntl.h float.h getopt.h iconv.h langinfo.h libgen.h libintl.h
    locale.h netdb.h poll.h pthread.h pwd.h sched.h setjmp.h signal.h stdalign.h
    stdlib.h stdnoreturn.h strings.h sysexits.h syslog.h termios.h threads.h time.h
    unistd.h wchar.h wctype.h arpa/* linux/* net/* netinet/* sys/*""".split()

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def fits(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def part_of(path):
    return next((part for part in PARTS if fits(path, part.files)), None)


def library_of(header):
    return next((name for name, ours in LIBRARIES.items() if fits(header, ours)), None)


def fault_of_ours(root, path, part, header):
    if header != "config.h" and not os.path.exists(os.path.join(root, header)):
        return f'"{header}" is not a path from the top'
    own_header = os.path.splitext(path)[0] + ".h"
    if header != own_header and not fits(header, part.ours):
        return f'may not include "{header}"'
    return None


def fault_of_system(part, header):
    library = library_of(header)
    if library:
        return None if library in part.libraries else f"may not include <{header}> ({library})"
    if part.pure and not fits(header, PURE):
        return f"is pure and may not include <{header}>"
    if not fits(header, C_AND_LINUX):
        return f"<{header}> is in no table of tests/lint/includes.py"
    return None


def check(root):
    for path in tree.files(root, (".c", ".h"), tree.PRODUCT):
        part = part_of(path)
        if part is None:
            yield f"{path}: in no row of the table in tests/lint/includes.py"
            continue
        text = tree.blank_comments(tree.read(root, path))
        for found in INCLUDE.finditer(text):
            line = text.count("\n", 0, found.start(2)) + 1
            if found[1] == '"':
                fault = fault_of_ours(root, path, part, found[2])
            else:
                fault = fault_of_system(part, found[2])
            if fault:
                yield f"{path}:{line}: {fault}"


def table():
    """The table as server/README.md shows it."""

    def cell(words):
        return ", ".join(f"`{word}`" for word in words) or "–"

    yield "| files | may include of ours | libraries |"
    yield "|---|---|---|"
    for part in PARTS:
        files = cell(part.files) + (" (pure)" if part.pure else "")
        yield f"| {files} | {cell(part.ours)} | {', '.join(part.libraries) or '–'} |"


def check_table(root):
    path = "server/README.md"
    shown = [line for line in tree.read(root, path).splitlines() if line.startswith("|")]
    for row in table():
        if row not in shown:
            yield f"{path}: lacks the row {row}"
    header, rule = list(table())[:2]
    if header in shown:
        at = shown.index(header)
        for row in shown[at:]:
            if row not in (header, rule) and row not in table():
                yield f"{path}: the table of includes has no such row: {row}"


if __name__ == "__main__":
    # For pasting into server/README.md.
    sys.stdout.writelines(row + "\n" for row in table())
