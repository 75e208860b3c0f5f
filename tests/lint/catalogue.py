"""The client's catalogue: it has what the sources say, all of it, and in Polish."""

import os
import re
import subprocess
import tempfile

import tree

PO = "client-cli/po"
MARK = re.compile(r"(?<!\w)(?:_|N_|phrase_count)\(\s*\"")
# The server speaks English, and what it refuses with is translated by the client.
REFUSAL = re.compile(r"(?<!\w)(?:task_refuse\w*|refuse\w*|expect|read_number|fail\w*)\([^;{]*\"[A-Z]")
STRING = re.compile(r'"((?:\\.|[^"\\])*)"')

# Said the same in both languages.
SAME = ["N", "operator"]


def entries(text):
    """Each entry but the header as a dictionary: its strings by keyword, and its "flags". What is
    obsolete is none."""
    for block in re.split(r"\n\s*\n", text):
        entry = {"flags": " ".join(re.findall(r"^#, (.*)$", block, re.MULTILINE))}
        keyword = None
        for line in block.splitlines():
            found = re.match(r"(msg\w+(?:\[\d\])?) ", line)
            keyword = found[1] if found else keyword
            if line.startswith(("msg", '"')) and keyword:
                entry[keyword] = entry.get(keyword, "") + "".join(STRING.findall(line))
        if entry.get("msgid"):
            yield entry


def ids(text):
    return {(entry["msgid"], entry.get("msgid_plural")) for entry in entries(text)}


def marked_files(root):
    marks = {"client-cli/": MARK, "protocol/": MARK, "server/game/": REFUSAL, "server/play/": REFUSAL}
    return [path for folder, mark in marks.items()
            for path in tree.files(root, (".c", ".h"), (folder,))
            if mark.search(tree.read(root, path))]


def extracted(root):
    """The template as xgettext makes it now, with the arguments that meson gives it."""
    arguments = re.search(r"args: \[(.*?)\]", tree.read(root, f"{PO}/meson.build"), re.DOTALL)[1]
    return subprocess.run(
        ["xgettext", *re.findall(r"'([^']*)'", arguments), "-o", "-",
         "-f", f"{PO}/POTFILES"], cwd=root, capture_output=True, text=True, check=True).stdout


def check_marks(root):
    """Every file with a mark is listed, and no other."""
    listed = tree.read(root, f"{PO}/POTFILES").split()
    found = marked_files(root)
    for path in sorted(set(found) ^ set(listed)):
        yield f"{path}: {'not in' if path in found else 'has no sentence, but is in'} {PO}/POTFILES"


def check_up_to_date(root):
    now = ids(extracted(root))
    for name in ("qttt.pot", "pl.po"):
        then = ids(tree.read(root, f"{PO}/{name}"))
        for one, _ in sorted(now - then, key=str):
            yield f"{PO}/{name}: lacks {one!r}"
        for one, _ in sorted(then - now, key=str):
            yield f"{PO}/{name}: {one!r} is no longer said"


def check_translated(root):
    same = set(SAME)
    for entry in entries(tree.read(root, f"{PO}/pl.po")):
        one = entry["msgid"]
        forms = [entry.get(f"msgstr[{i}]", "") for i in range(3)] if "msgid_plural" in entry \
            else [entry.get("msgstr", "")]
        if "fuzzy" in entry["flags"]:
            yield f"{PO}/pl.po: {one!r} is fuzzy"
        if not all(forms):
            yield f"{PO}/pl.po: {one!r} is not translated"
        if one in forms and one not in same:
            yield f"{PO}/pl.po: {one!r} is as in English, and not in the list SAME"
        if one not in forms and one in same:
            yield f"{PO}/pl.po: {one!r} is in the list SAME, and is not the same"


def check_formats(root):
    """msgfmt compares the formats, and counts the plural forms."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["msgfmt", "--check-format", "--check-header", "-o", os.path.join(folder, "pl.mo"),
             os.path.join(root, PO, "pl.po")], capture_output=True, text=True, check=False)
    if done.returncode:
        yield from done.stderr.splitlines()


def check(root):
    yield from check_marks(root)
    yield from check_up_to_date(root)
    yield from check_translated(root)
    yield from check_formats(root)
