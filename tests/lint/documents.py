"""What documents promise: links that lead somewhere, and the options that the programs have."""

import os
import re
import subprocess

import tree

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")


def anchors(text):
    """The anchors that the headings of a markdown file give, as web forges make them."""
    for heading in re.findall(r"^#+ +(.*)$", FENCE.sub("", text), re.MULTILINE):
        kept = re.sub(r"[^\w\- ]", "", heading.lower())
        yield kept.replace(" ", "-")


def check_links(root):
    for path in tree.files(root, (".md",)):
        text = FENCE.sub("", tree.read(root, path))
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.exists(os.path.join(root, file)):
                yield f"{path}: no such file: {target}"
            elif anchor and anchor not in anchors(tree.read(root, file)):
                yield f"{path}: no such heading: {target}"


def options_told(root, program):
    """The options in the tables of README.md and server/README.md headed `PROGRAM` option."""
    told, in_table = set(), False
    for path in ("README.md", "server/README.md"):
        for line in tree.read(root, path).splitlines():
            if line.startswith(f"| `{program}` option "):
                in_table = True
            elif not line.startswith("|"):
                in_table = False
            elif in_table:
                told.update(OPTION.findall(line.split("|")[1]))
    return told


MANUALS = {"qttt": "deploy/qttt.1", "qtttd": "deploy/qtttd.8"}


def options_in_manual(root, program):
    """The options that the manual page lists, in mdoc: `.It Fl -name Ar NAME`."""
    return set(re.findall(r"^\.It Fl -([a-z][a-z0-9-]*)", tree.read(root, MANUALS[program]),
                          re.MULTILINE))


def options_shown(help_text):
    """The options that --help lists: one a line, at its beginning."""
    shown = set()
    for line in help_text.splitlines():
        found = re.match(r"\s+(?:-\w, *)?--([a-z][a-z0-9-]*)", line)
        if found:
            shown.add(found[1])
    return shown


def output_of(binary, option):
    done = subprocess.run([binary, option], capture_output=True, text=True, timeout=30,
                          stdin=subprocess.DEVNULL,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": ""})
    return done.stdout if done.returncode == 0 else None


def check_options(root, binary):
    program = os.path.basename(binary)
    if not os.path.exists(binary):
        yield f"{binary}: not built"
        return
    help_text = output_of(binary, "--help")
    if not help_text:
        yield f"{program} --help: says nothing on standard output, or fails"
        return
    shown = options_shown(help_text)
    for place, told in (("the tables of the documents", options_told(root, program)),
                        (MANUALS[program], options_in_manual(root, program))):
        for option in sorted(shown - told):
            yield f"--{option}: {program} --help has it, {place} not"
        for option in sorted(told - shown):
            yield f"--{option}: {place} has it, {program} --help not"


def check_version(root, binary):
    program = os.path.basename(binary)
    if not os.path.exists(binary):
        yield f"{binary}: not built"
        return
    version = re.search(r"version: '([^']+)'", tree.read(root, "meson.build"))[1]
    said = output_of(binary, "--version")
    if said is None or said.splitlines()[:1] != [f"{program} {version}"]:
        yield f"{program} --version: said {said!r}, expected '{program} {version}'"
