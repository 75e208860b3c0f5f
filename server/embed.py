"""Makes C of the files of the page: embed.py FOLDER OUT.c OUT.d. What lies in the folder, or below,
is served under its own path, index.html also as the folder's; a name with a dot in front is left out."""

import hashlib
import sys
from pathlib import Path

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file()
                  and not any(part.startswith(".") for part in path.relative_to(folder).parts))


def path_of(folder, path):
    served = "/" + path.relative_to(folder).as_posix()
    return served[:-len("index.html")] if served.endswith("/index.html") else served


def c_of(number, data):
    numbers = [f"{byte}," for byte in data] or ["0"]
    lines = ["".join(numbers[at:at + 32]) for at in range(0, len(numbers), 32)]
    return f"static const unsigned char file_{number}[] = {{\n" + "\n".join(lines) + "\n};\n"


def row_of(folder, number, path, data):
    etag = hashlib.sha256(data).hexdigest()[:16]
    return (f'\t{{"{path_of(folder, path)}", "{TYPES[path.suffix]}", "\\"{etag}\\"", '
            f"file_{number}, {len(data)}}},\n")


def main(folder, out, depfile):
    folder = Path(folder)
    paths = files_of(folder)
    for path in paths:
        if path.suffix not in TYPES or set('"\\\n ?#%') & set(path.name):
            sys.exit(f"{path}: a page can't have such a file; see embed.py")
    contents = [path.read_bytes() for path in paths]
    text = '#include "server/page.h"\n\n'
    text += "".join(c_of(number, data) for number, data in enumerate(contents))
    text += "\nconst struct page_file page_files[] = {\n"
    text += "".join(row_of(folder, number, path, data)
                    for number, (path, data) in enumerate(zip(paths, contents)))
    text += "};\nconst size_t page_file_count = sizeof(page_files) / sizeof(page_files[0]);\n"
    Path(out).write_text(text, "utf-8")
    folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    needed = " ".join(str(path).replace(" ", "\\ ") for path in folders + paths)
    Path(depfile).write_text(f"{Path(out).name}: {needed}\n", "utf-8")


main(*sys.argv[1:])
