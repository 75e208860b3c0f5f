"""Tools that read the code: clang-format, clang-tidy, cppcheck."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import tree


def complaints_of(command, root):
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if done.returncode == 0:
        return []
    return (done.stdout + done.stderr).splitlines() or [f"{command[0]}: exit {done.returncode}"]


def check_format(root):
    sources = tree.files(root, (".c", ".h"))
    if sources:
        yield from complaints_of(["clang-format", "--dry-run", "-Werror", *sources], root)


def check_tidy(root, build):
    """Needs a build folder of clang's: gcc's warning flags are unknown to it."""
    sources = tree.files(root, (".c",), tree.PRODUCT)

    def tidy(path):
        return complaints_of(["clang-tidy", "--quiet", "-p", build, os.path.join(root, path)], root)

    with ThreadPoolExecutor(2) as pool:
        for complaints in pool.map(tidy, sources):
            yield from complaints


def check_cppcheck(root):
    """Without uninitvar: it takes an array that a callee fills for read; clang-tidy knows better."""
    folders = [folder for folder in tree.PRODUCT if tree.files(root, (".c",), (folder,))]
    if folders:
        command = ["cppcheck", "--quiet", "-j2", "--enable=warning,performance,portability"]
        command += ["--inline-suppr", "--suppress=uninitvar", "--std=c11", "-D_GNU_SOURCE", "-I", "."]
        command += ["--error-exitcode=2"]
        yield from complaints_of([*command, *folders], root)


# What `readelf` says of a program that is built as it should be: (arguments, what it must say, what
# that is). The last two are of the C library's functions that such code calls.
HARDENED = (
    (["-hW"], r"Type: +DYN ", "position-independent (-pie)"),
    (["-lW"], r"GNU_RELRO", "read-only after relocation (-z relro)"),
    (["-dW"], r"BIND_NOW|Flags:.*\bNOW\b", "bound at the start (-z now)"),
    (["-lW"], r"GNU_STACK +\S+ \S+ \S+ \S+ \S+ RW ", "without an executable stack"),
    (["-sW", "--dyn-syms"], r"__stack_chk_fail", "with a stack protector"),
)
FORTIFIED = (["-sW", "--dyn-syms"], r"__\w+_chk\b", "with checked calls (FORTIFY)")


def check_hardening(_root, binary, fortified="yes"):
    """Sanitizers take the place of checked calls: they are not asked for there."""
    if not os.path.exists(binary):
        yield f"{binary}: not built"
        return
    for arguments, sign, what in HARDENED + ((FORTIFIED,) if fortified == "yes" else ()):
        done = subprocess.run(["readelf", *arguments, binary], capture_output=True, text=True)
        if done.returncode != 0 or not re.search(sign, done.stdout):
            yield f"{os.path.basename(binary)} is not {what}"
