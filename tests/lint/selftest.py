"""Shows that every check of the tree, and the count of the tests, can fail: each is given a small
tree that is bad in one way, and the same tree without that fault. Told as TAP."""

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import catalogue
import documents
import headers
import includes
import shape
import tools

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import summary  # noqa: E402

LONG_FUNCTION = "int f(void)\n{\n" + "\tg();\n" * (shape.FUNCTION_LINES + 1) + "}\n"
SHORT_FUNCTION = "int f(void)\n{\n" + "\tg();\n" * shape.FUNCTION_LINES + "}\n"
SHOWN = "".join(row + "\n" for row in includes.table())

PROGRAM = """#!/bin/sh
case $1 in
--help) printf 'Usage\\n  -l, --listen ADDRESS  where\\n' ;;
--version) echo 'qtttd 1.2.3' ;;
esac
"""
OPTION_TABLE = "| `qtttd` option | what |\n|---|---|\n| `--listen ADDRESS` | where |\n"
MANUAL = ".It Fl -listen Ar ADDRESS\nWhere.\n"
DOCUMENTED = {"qtttd": PROGRAM, "README.md": OPTION_TABLE, "server/README.md": "",
              "deploy/qtttd.8": MANUAL}
VERSIONED = {"qtttd": PROGRAM, "meson.build": "version: '1.2.3'\n"}

WRONG_PATHS = {
    "jansson outside of protocol": ("server/net/a.c", "#include <jansson.h>\n"),
    "libevent in play": ("server/play/a.c", "#include <event2/event.h>\n"),
    "a database in net": ("server/net/a.c", "#include <sqlite3.h>\n"),
    "play from game": ("server/game/room.c", '#include "server/play/play.h"\n'),
    "room from rules": ("server/game/rules.c", '#include "server/game/room.h"\n'),
    "the server from the client": ("client-cli/a.c", '#include "server/game/rules.h"\n'),
    "the server from protocol": ("protocol/a.c", '#include "server/ops/log.h"\n'),
    "a clock in the core": ("server/game/rules.c", "#include <time.h>\n"),
    "a header that no table knows": ("server/net/a.c", "#include <curl/curl.h>\n"),
    "a folder that no table knows": ("server/else/a.c", "int a;\n"),
    "a path that is not from the top": ("protocol/a.c", '#include "line.h"\n'),
}
REACHABLE = {
    path: ""
    for path in ("server/play/play.h", "server/game/room.h", "server/game/rules.h",
                 "server/ops/log.h", "protocol/line.h")
}


def program(protocol, result, stdout="", returncode=0):
    listed = {"name": "p", "suite": ["x:unit"], "cmd": ["p"], "protocol": protocol}
    logged = {"name": "x:unit / p", "command": ["p"], "result": result, "stdout": stdout,
              "returncode": returncode}
    return {"meson-info/intro-tests.json": json.dumps([listed]),
            "meson-logs/testlog.json": json.dumps(logged) + "\n"}


def counted(files, *suites):
    with tempfile.TemporaryDirectory() as folder:
        make(folder, files)
        with contextlib.redirect_stdout(io.StringIO()):
            count = summary.count_build(pathlib.Path(folder), suites)
        return count.passed, count.failed, count.skipped


def make(folder, files):
    for path, text in files.items():
        file = pathlib.Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        if text.startswith("#!"):
            file.chmod(0o755)


def finds(check, bad, good, *arguments):
    """True if the check complains of the bad tree and not of the good one."""
    complaints = []
    for files in (bad, good):
        with tempfile.TemporaryDirectory() as folder:
            make(folder, files)
            ready = [argument.replace("FOLDER", folder) for argument in arguments]
            complaints.append(list(check(folder, *ready)))
    return bool(complaints[0]) and not complaints[1]


def include_cases():
    for sentence, (path, text) in WRONG_PATHS.items():
        bad = {**REACHABLE, path: text}
        yield f"includes: {sentence}", finds(includes.check, bad, REACHABLE)
    kept = {**REACHABLE, "protocol/a.c": '#include <jansson.h>\n#include "protocol/line.h"\n'}
    own = {**REACHABLE, "server/game/rules.c": '#include "server/game/rules.h"\n'}
    commented = {**REACHABLE, "server/net/a.c": "/*\n#include <jansson.h>\n*/\n"}
    yield "includes: what the table allows is fine", not finds(includes.check, kept, own)
    yield "includes: a comment includes nothing", not finds(includes.check, commented, REACHABLE)
    less = SHOWN.replace("libevent, openssl", "libevent, openssl, jansson")
    yield "the table: a row that is not the law's", finds(
        includes.check_table, {"server/README.md": less}, {"server/README.md": SHOWN})
    more = SHOWN + "| `server/else/*` | – | jansson |\n"
    yield "the table: a row too many", finds(
        includes.check_table, {"server/README.md": more}, {"server/README.md": SHOWN})


def source_cases():
    lacking, whole = {"protocol/a.h": "bool a(void);\n"}, {"protocol/a.h": "int a(void);\n"}
    twice = {"protocol/a.h": "struct a { int b; };\n"}
    for compiler in ("gcc", "clang"):
        yield f"{compiler}: a header that lacks an include", finds(
            headers.check, lacking, whole, compiler)
        yield f"{compiler}: a header without a guard", finds(headers.check, twice, whole, compiler)
    for path, limit in (("protocol/a.c", shape.FILE_LINES), ("tests/a.c", shape.TEST_FILE_LINES)):
        yield f"{path} one line too long", finds(
            shape.check_files, {path: "\n" * (limit + 1)}, {path: "\n" * limit})
    yield "a function one line too long", finds(
        shape.check_functions, {"protocol/a.c": LONG_FUNCTION}, {"protocol/a.c": SHORT_FUNCTION})
    for word in shape.FORBIDDEN:
        yield f"the word {word[:2]}…", finds(
            shape.check_words, {"protocol/a.c": f"/* {word} */\n"}, {"protocol/a.c": f"{word}N"})
    yield "clang-format: a blank too many", finds(
        tools.check_format, {"a.c": "int  a;\n"}, {"a.c": "int a;\n"})
    past_end = "int f(void);\nint f(void)\n{\n\tint a[2] = {0, 1};\n\treturn a[2];\n}\n"
    yield "cppcheck: reading past an array", finds(
        tools.check_cppcheck, {"protocol/a.c": past_end},
        {"protocol/a.c": past_end.replace("a[2];\n}", "a[1];\n}")})
    yield "clang-tidy: an if without braces", finds(
        tools.check_tidy, tidy_tree("\tif (a)\n\t\ta++;\n"),
        tidy_tree("\tif (a) {\n\t\ta++;\n\t}\n"), "FOLDER")


def tidy_tree(body):
    source = f"int f(int a);\nint f(int a)\n{{\n{body}\treturn a;\n}}\n"
    return {
        ".clang-tidy": "Checks: '-*,readability-braces-around-statements'\nWarningsAsErrors: '*'\n",
        "compile_flags.txt": "-std=c17\n",
        "protocol/a.c": source,
    }


def document_cases():
    there = {"README.md": "[a](a.md#some-heading)\n", "a.md": "# Some heading\n"}
    yield "a link to no file", finds(
        documents.check_links, {**there, "README.md": "[a](b.md)\n"}, there)
    yield "a link to no heading", finds(
        documents.check_links, {**there, "README.md": "[a](a.md#other)\n"}, there)
    yield "an option that no document tells", finds(
        documents.check_options, {**DOCUMENTED, "README.md": ""}, DOCUMENTED, "FOLDER/qtttd")
    row = "| `--other` | what |\n"
    yield "an option that --help lacks", finds(
        documents.check_options, {**DOCUMENTED, "README.md": OPTION_TABLE + row}, DOCUMENTED,
        "FOLDER/qtttd")
    silent = {**DOCUMENTED, "qtttd": "#!/bin/sh\nexit 1\n"}
    yield "a --help that fails", finds(
        documents.check_options, silent, DOCUMENTED, "FOLDER/qtttd")
    yield "another version", finds(
        documents.check_version, {**VERSIONED, "meson.build": "version: '1.2.4'\n"}, VERSIONED,
        "FOLDER/qtttd")
    without = {path: text for path, text in VERSIONED.items() if path != "qtttd"}
    yield "a program that is not there", finds(
        documents.check_version, without, VERSIONED, "FOLDER/qtttd")


SAYING = '_("Hello.");\nN_("operator");\nphrase_count("%d game", "%d games", n);\n'
SAID = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"

msgid "Hello."
msgstr "Cześć."

msgid "operator"
msgstr "operator"

#, c-format
msgid "%d game"
msgid_plural "%d games"
msgstr[0] "%d gra"
msgstr[1] "%d gry"
msgstr[2] "%d gier"
"""
SPOKEN = {
    "client-cli/a.c": SAYING,
    "client-cli/c.c": "int a;\n",
    "client-cli/po/POTFILES": "client-cli/a.c\n",
    "client-cli/po/meson.build": "args: ['--from-code=UTF-8', '--keyword=_', '--keyword=N_',\n"
                                 "'--keyword=phrase_count:1,2'])\n",
    "client-cli/po/qttt.pot": SAID,
    "client-cli/po/pl.po": SAID,
}
CATALOGUE = "client-cli/po/pl.po"
UNSPOKEN = {
    "a sentence that it lacks": ("client-cli/a.c", SAYING + '_("Goodbye.");\n'),
    "a plural that it lacks": ("client-cli/a.c", SAYING.replace("%d games", "%d of them")),
    "a sentence that is said no longer": ("client-cli/a.c", SAYING.replace('_("Hello.");', "")),
    "a file that is not listed": ("client-cli/b.c", '_("Hello.");\n'),
    "a file of the server that is not listed": (
        "server/play/b.c", 'task_refuse(task, CODE, "Hello.");\n'),
    "a file without a sentence": ("client-cli/po/POTFILES", "client-cli/a.c\nclient-cli/c.c\n"),
    "no translation": (CATALOGUE, SAID.replace("Cześć.", "")),
    "a translation that is none": (CATALOGUE, SAID.replace("Cześć.", "Hello.")),
    "a translation that is listed as none": (CATALOGUE, SAID.replace('msgstr "operator"',
                                                                     'msgstr "obsługa"')),
    "a guess": (CATALOGUE, SAID.replace('msgid "Hello."', '#, fuzzy\nmsgid "Hello."')),
    "a plural form that is missing": (CATALOGUE, SAID.replace('msgstr[2] "%d gier"\n', "")),
    "another format": (CATALOGUE, SAID.replace("%d gier", "%s gier")),
}


def catalogue_cases():
    for sentence, (path, text) in UNSPOKEN.items():
        yield f"the catalogue: {sentence}", finds(
            catalogue.check, {**SPOKEN, path: text}, SPOKEN)


WEAK = ["-no-pie", "-zexecstack", "-znorelro", "-zlazy", "-fno-stack-protector"]


def hardening_cases():
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "a.c"), os.path.join(folder, "a")
        with open(source, "w", encoding="ascii") as file:
            file.write("int main(void)\n{\n\treturn 0;\n}\n")
        subprocess.run(["gcc", *WEAK, "-o", binary, source], check=True)
        complaints = list(tools.check_hardening(folder, binary))
        yield "a program that is not hardened", len(complaints) == len(tools.HARDENED) + 1
        yield "no program", bool(list(tools.check_hardening(folder, binary + "-not")))


def count_cases():
    tap = "1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP why\n"
    yield "counted: each line of TAP", counted(program("tap", "FAIL", tap)) == (1, 1, 1)
    skip_in_name = "1..1\nok 1 - skip this\n"
    yield "counted: a name is no directive", counted(program("tap", "OK", skip_in_name)) == (1, 0, 0)
    crash = program("tap", "ERROR", "1..2\nok 1 - a\n", returncode=-11)
    yield "counted: a crash fails", counted(crash) == (1, 1, 0)
    yield "counted: a time-out fails", counted(program("exitcode", "TIMEOUT")) == (0, 1, 0)
    yield "counted: an exit status", counted(program("exitcode", "OK")) == (1, 0, 0)
    yield "counted: a plan and no test fails", counted(program("tap", "SKIP", "1..2\n")) == (0, 1, 0)
    yield "counted: an empty plan is skipped", counted(program("tap", "SKIP", "1..0\n")) == (0, 0, 1)
    yield "counted: silence fails", counted(program("tap", "OK")) == (0, 1, 0)
    yield "counted: no build fails", counted({}) == (0, 1, 0)
    unlogged = {**program("tap", "OK"), "meson-logs/testlog.json": ""}
    yield "counted: a test that never ran fails", counted(unlogged) == (0, 1, 0)
    yield "counted: a suite without tests fails", counted(program("tap", "OK"), "world") == (0, 1, 0)


def last_line_cases():
    script = summary.__file__
    for result, line, status in (("OK", "1 passed, 0 failed, 0 skipped", 0),
                                 ("FAIL", "0 passed, 1 failed, 0 skipped", 1)):
        with tempfile.TemporaryDirectory() as folder:
            make(folder, program("exitcode", result))
            done = subprocess.run([sys.executable, script, folder], capture_output=True, text=True)
            yield f"counted: the last line, {result}", (
                done.stdout.splitlines()[-1] == line and done.returncode == status)


def main():
    parts = (include_cases, source_cases, document_cases, catalogue_cases, hardening_cases,
             count_cases, last_line_cases)
    results = [case for part in parts for case in part()]
    print(f"1..{len(results)}")
    for number, (sentence, fine) in enumerate(results, 1):
        print(f"{'ok' if fine else 'not ok'} {number} - {sentence}")
    return 0 if all(fine for _, fine in results) else 1


if __name__ == "__main__":
    sys.exit(main())
