"""A catalogue that tells what went through it: all words that the client says stand in brackets,
what it puts into its sentences does not. So a word outside of brackets is somebody's, or a word that is
typed or programs read, or one that nobody can translate."""

import re
import shutil
import subprocess
import sys

import qttt

sys.path.append(str(qttt.ROOT / "tests" / "lint"))
import catalogue  # noqa: E402

CATALOGUE = "pl/LC_MESSAGES/qttt.mo"
DIRECTIVE = re.compile(r"%(?:%|[-+ 0#]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t)?[a-zA-Z])")
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def unquoted(text):
    return re.sub(r"\\(.)", lambda found: ESCAPES[found[1]], text)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def bracketed(text, is_format):
    """Each run of words in brackets; blanks at the ends of lines stay outside, for they line up."""
    parts = DIRECTIVE.split(text) if is_format else [text]
    holes = DIRECTIVE.findall(text) if is_format else []

    def wrap(part):
        return re.sub(r"[^\s](?:[^\n]*[^\s])?", lambda found: f"«{found[0]}»", part)
    return "".join(wrap(part) + hole for part, hole in zip(parts, holes + [""]))


def make(folder):
    """qttt in a folder of its own, with the catalogue of brackets beside it; returns its path."""
    lines = ['msgid ""', 'msgstr ""', '"Content-Type: text/plain; charset=UTF-8\\n"',
             '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"', ""]
    for entry in catalogue.entries(catalogue.tree.read(qttt.ROOT, f"{catalogue.PO}/qttt.pot")):
        is_format = "c-format" in entry["flags"]
        one, many = entry["msgid"], entry.get("msgid_plural")
        said = [quoted(bracketed(unquoted(text), is_format)) for text in (one, many) if text]
        if many:
            lines += [f'msgid "{one}"', f'msgid_plural "{many}"', f"msgstr[0] {said[0]}",
                      f"msgstr[1] {said[1]}", ""]
        else:
            lines += [f'msgid "{one}"', f"msgstr {said[0]}", ""]
    target = folder / "po" / CATALOGUE
    target.parent.mkdir(parents=True)
    source = folder / "brackets.po"
    source.write_text("\n".join(lines), "utf-8")
    subprocess.run(["msgfmt", "-o", target, source], check=True)
    return shutil.copy(qttt.qttt_path(), folder / "qttt")


def outside(text):
    """What stands in no brackets."""
    kept, depth = [], 0
    for letter in text:
        depth += letter == "«"
        kept.append(letter if depth == 0 or letter == "\n" else "")
        depth -= letter == "»"
    assert depth == 0, text
    return "".join(kept)


def words(text):
    return re.findall(r"[A-Za-zÀ-ž]{2,}", text)
