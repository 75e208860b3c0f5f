"""The files of the source tree, and what the checks share about them."""

import os
import re

PRODUCT = ("protocol/", "server/", "client-cli/")
NOT_OURS = {".git", "__pycache__", ".pytest_cache", "node_modules"}


def files(root, suffixes, under=("",)):
    """Paths from the top, sorted, of files that end so; build folders are left out."""
    found = []
    for folder, folders, names in os.walk(root):
        at_top = os.path.samefile(folder, root)
        folders[:] = [
            name
            for name in folders
            if name not in NOT_OURS and not (at_top and name.startswith("build"))
        ]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), root)
            if path.endswith(suffixes) and path.startswith(under):
                found.append(path)
    return sorted(found)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def blank_comments(text):
    """C without its comments and strings, each line where it was; includes keep their names."""
    pattern = re.compile(
        r'/\*.*?\*/|//[^\n]*|^\s*#\s*include[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
        re.DOTALL | re.MULTILINE,
    )

    def replaced(match):
        found = match[0]
        if found.lstrip().startswith("#"):
            return re.sub(r"/\*.*?\*/", " ", found)
        return re.sub(r"[^\n]", " ", found)

    return pattern.sub(replaced, text)
