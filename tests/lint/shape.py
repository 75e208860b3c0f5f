"""How long files and functions may be, and words that have no place in the tree."""

import re

import tree

FILE_LINES = 600
TEST_FILE_LINES = 700
FUNCTION_LINES = 60
CODE = tree.PRODUCT + ("tests/",)
TEXT = (".c", ".h", ".py", ".sh", ".md", ".js", ".css", ".html", ".ini", ".build", ".txt", "/run")

# Each is written in two halves, so that this file has none of them.
FORBIDDEN = ["TO" "DO", "FIX" "ME", "X" "XX", "HA" "CK", "not " "implemented", "/wo" "rk"]


def check_files(root):
    for path in tree.files(root, (".c", ".h", ".py"), CODE):
        lines = tree.read(root, path).count("\n")
        limit = TEST_FILE_LINES if path.startswith("tests/") else FILE_LINES
        if lines > limit:
            yield f"{path}: {lines} lines, more than {limit}"


def functions(text):
    """(name, line, lines of the body) of each function: its braces stand alone in column one, as
    clang-format has it."""
    lines = tree.blank_comments(text).splitlines()
    start = None
    for number, line in enumerate(lines):
        if line.rstrip() == "{":
            start = number
        elif line.startswith("}") and start is not None:
            yield name_above(lines, start), start + 1, number - start - 1
            start = None


def name_above(lines, start):
    for line in reversed(lines[:start]):
        found = re.match(r"\w[^(]*?(\w+)\(", line)
        if found:
            return found[1]
    return "?"


def check_functions(root):
    for path in tree.files(root, (".c", ".h"), CODE):
        for name, line, length in functions(tree.read(root, path)):
            if length > FUNCTION_LINES:
                yield f"{path}:{line}: {name} has {length} lines, more than {FUNCTION_LINES}"


def check_words(root):
    words = "|".join(re.escape(word) for word in FORBIDDEN)
    pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)")
    for path in tree.files(root, TEXT):
        for number, line in enumerate(tree.read(root, path).splitlines(), 1):
            found = pattern.search(line)
            if found:
                yield f"{path}:{number}: {found[0]}"
