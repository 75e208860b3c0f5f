"""qtttd beside the server: --backup and --check-db."""

import subprocess

import qttt


def run(*arguments, **named):
    return subprocess.run([qttt.qtttd_path(), *map(str, arguments)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=6 * qttt.SECONDS, check=False, **named)


def backup(db, copy, **named):
    return run("--db", db, "--backup", copy, **named)


def check(db, **named):
    return run("--db", db, "--check-db", **named)


def assert_sound(db):
    done = check(db)
    assert done.returncode == 0 and done.stdout.endswith("; sound\n"), done.stdout[-4000:] + done.stderr
    return done.stdout
