"""What --backup and --export-db write is whole, or not there under its name."""

import os
import resource
import signal
import sqlite3
import stat
import subprocess

import pytest

import qttt
import upkeep

COMMANDS = ["--backup", "--export-db"]


@pytest.fixture(scope="module")
def database():
    """One whose copying takes a moment; no server runs on it."""
    with qttt.Server() as server:
        room = qttt.Game(server).play_to_the_end()["room"]
        server.terminate()
        with sqlite3.connect(server.db) as rows:
            columns = [row[1] for row in rows.execute("PRAGMA table_info(games)")
                       if row[1] not in ("n", "room")]
            rows.execute(f"INSERT INTO games (room, {', '.join(columns)})"
                         " WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 60000)"
                         f" SELECT 'x' || r.n, {', '.join(columns)} FROM r, games WHERE room = ?",
                         (room,))
        rows.close()
        yield server.db


@pytest.fixture
def target(tmp_path):
    (tmp_path / "new").mkdir()
    return str(tmp_path / "new" / "file")


def files_beside(target):
    return sorted(os.listdir(os.path.dirname(target)))


def begun(database, command, target):
    """The command, of which something is written."""
    process = subprocess.Popen([qttt.qtttd_path(), "--db", database, command, target],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    folder = os.path.dirname(target)
    qttt.eventually(lambda: any(entry.stat().st_size > 0 for entry in os.scandir(folder)),
                    what="a beginning")
    return process


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_killed_in_the_midst_has_no_file_of_its_name_and_hinders_no_next_one(
        database, command, target):
    process = begun(database, command, target)
    process.kill()
    process.communicate(timeout=qttt.SECONDS)
    assert process.returncode == -signal.SIGKILL
    assert all(name.startswith("file.part-") for name in files_beside(target)), files_beside(target)
    done = upkeep.run("--db", database, command, target)
    assert done.returncode == 0, done.stderr
    assert "file" in files_beside(target)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_export_that_is_stopped_leaves_nothing(database, target, number):
    process = begun(database, "--export-db", target)
    process.send_signal(number)
    out, err = process.communicate(timeout=qttt.SECONDS)
    assert (process.returncode, out, err) == (1, "", "qtttd: the export was stopped\n")
    assert files_beside(target) == []


def test_an_export_on_a_full_disk_leaves_nothing(database, target):
    def no_space():
        # SQLite needs 32 KiB to read by.
        resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
    done = upkeep.run("--db", database, "--export-db", target, preexec_fn=no_space)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "qtttd: can't write all games: File too large\n"
    assert files_beside(target) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_new_file_is_its_owners_alone(database, command, target):
    assert upkeep.run("--db", database, command, target).returncode == 0
    assert stat.S_IMODE(os.stat(target).st_mode) == 0o600
    assert files_beside(target) == ["file"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_no_new_file_takes_the_place_of_the_databases_own(database, command, end):
    done = upkeep.run("--db", database, command, database + end)
    assert done.returncode == 1 and "belongs to the database" in done.stderr, done.stderr
    assert not [name for name in files_beside(database) if "part" in name]
