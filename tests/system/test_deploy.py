"""deploy/run.sh in a tree of its own, which has a blank in its name, and how deploy/packages.sh
installs what is missing, with programs of the test's own in place of apt, sudo and the like."""

import os
import pty
import shutil
import signal
import subprocess
import urllib.request

import pytest

import qttt

# A whole build, while other tests run.
BUILD_SECONDS = 100


def needed(kind):
    """The packages that deploy/packages.sh lists under that name."""
    return subprocess.run(
        ["bash", "-c", f'. "$0" && printf "%s\\n" "${{{kind}_packages[@]}}"',
         qttt.ROOT / "deploy" / "packages.sh"],
        stdout=subprocess.PIPE, text=True, check=True).stdout.split()


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    place = tmp_path_factory.mktemp("deploy") / "q ttt"
    shutil.copytree(qttt.ROOT, place, ignore=shutil.ignore_patterns("build*", ".git"))
    yield place
    shutil.rmtree(place)


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """What a machine has on which nothing but the packages for building is installed."""
    libraries = tmp_path_factory.mktemp("pkgconfig")
    files = subprocess.run(["dpkg-query", "-L", *needed("build")], stdout=subprocess.PIPE,
                           text=True, check=True).stdout.split("\n")
    for file in files:
        if file.endswith(".pc"):
            (libraries / os.path.basename(file)).symlink_to(file)
    return {**os.environ, "PKG_CONFIG_LIBDIR": str(libraries), "CMAKE": "/nonexistent/cmake"}


def run(tree, environment, *arguments):
    return subprocess.run([tree / "deploy" / "run.sh", *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=environment, timeout=BUILD_SECONDS, check=False)


def test_it_needs_no_package_that_only_tests_need(tree, environment):
    with subprocess.Popen(
            [tree / "deploy" / "run.sh", "--", "--listen", "127.0.0.1:0", "--db", "none"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment) as started:
        said = []
        for line in started.stdout:
            said.append(line)
            if line.startswith("listening http "):
                break
        with urllib.request.urlopen("http://" + said[-1].split()[-1], timeout=BUILD_SECONDS) as page:
            assert page.status == 200 and b"<!doctype html>" in page.read().lower()
        started.send_signal(signal.SIGTERM)
        _, errors = started.communicate(timeout=BUILD_SECONDS)
    assert started.returncode == 0, "".join(said) + errors
    assert [line.rpartition(":")[0] for line in said] == \
        ["listening tcp 127.0.0.1", "listening http 127.0.0.1"]


def test_its_standard_output_is_the_servers_alone(tree, environment):
    assert run(tree, environment, "--", "--print-config").stdout.startswith("# ")
    done = run(tree, environment, "--", "--version")
    assert done.stdout.startswith("qtttd ") and "To play" not in done.stderr


def test_a_backup_is_made_once_and_nobody_is_told_how_to_play(tree, environment, tmp_path):
    with qttt.Server(db=tmp_path / "games.db"):
        pass
    copy = str(tmp_path / "copy.db")
    done = run(tree, environment, "--", "--db", str(tmp_path / "games.db"), "--backup", copy)
    assert done.returncode == 0 and "To play" not in done.stderr, done.stderr
    done = run(tree, environment, "--", "--db", copy, "--check-db")
    assert done.returncode == 0 and "sound" in done.stdout and "To play" not in done.stderr


def test_who_mistypes_an_option_is_not_told_how_to_play(tree, environment):
    done = run(tree, environment, "--", "--nonsense")
    assert done.returncode == 64 and not done.stdout
    assert "--nonsense" in done.stderr and "To play" not in done.stderr


@pytest.mark.parametrize("script", ["deploy", "tests"])
def test_a_wrong_word_is_named(tree, environment, script):
    done = subprocess.run([tree / script / "run.sh", "--listen"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=environment, timeout=qttt.SECONDS, check=False)
    assert done.returncode == 64 and not done.stdout
    assert done.stderr.startswith('run.sh: what is "--listen"?')


@pytest.fixture
def machine(tmp_path):
    """No package is installed, the user is an ordinary one, and sudo is for whoever may be asked."""
    scripts = {
        "id": "echo 1000",
        "dpkg-query": "exit 1",
        "sudo": 'test "$1" != -n || { echo "sudo: a password is required"; exit 1; }\n'
                '"$@"',
        "apt-get": 'cat\n'
                   'case $* in *update*) echo "W: Failed to fetch it"; exit 0 ;; esac\n'
                   'echo "E: Unable to locate package"; exit 100',
    }
    for name, script in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n", "ascii")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def install(machine, stdin=subprocess.DEVNULL):
    return subprocess.run(
        ["bash", "-uc", f'. "{qttt.ROOT}/deploy/packages.sh"; install_missing qttt-nonsuch', "run.sh"],
        stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        timeout=qttt.SECONDS, env={"PATH": f"{machine}:/usr/bin:/bin"})


def test_sudo_asks_for_a_password_at_a_terminal_and_apt_reads_nothing_there(machine):
    outer, terminal = pty.openpty()
    os.write(outer, b"typed\n")
    done = install(machine, stdin=terminal)
    os.close(outer)
    os.close(terminal)
    assert "a password is required" not in done.stdout and "typed" not in done.stdout
    assert "apt-get install failed (above); needed: qttt-nonsuch" in done.stdout


def test_sudo_asks_nobody_where_there_is_no_terminal(machine):
    done = install(machine)
    assert done.returncode == 1 and "sudo: a password is required" in done.stdout
    assert "apt-get update failed (above); needed: qttt-nonsuch" in done.stdout


def test_what_apt_warned_of_is_told_when_it_fails_later(machine):
    (machine / "id").write_text("#!/bin/sh\necho 0\n", "ascii")
    done = install(machine)
    assert done.returncode == 1
    assert "W: Failed to fetch it\nE: Unable to locate package\n" in done.stdout
