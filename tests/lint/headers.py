"""Every header compiles by itself, and twice, under each compiler."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

import tree

FLAGS = ["-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]


def compile_header(compiler, root, path):
    source = f'#include "{path}"\n#include "{path}"\ntypedef int not_empty;\n'
    command = [compiler, *FLAGS, "-I", root, "-x", "c", "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True)
    if done.returncode == 0:
        return []
    return [f"{path}: does not compile by itself ({compiler})", *done.stderr.splitlines()[:8]]


def check(root, compiler):
    headers = tree.files(root, (".h",), tree.PRODUCT)
    with ThreadPoolExecutor(2) as pool:
        for complaints in pool.map(lambda path: compile_header(compiler, root, path), headers):
            yield from complaints
