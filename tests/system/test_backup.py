"""--backup copies a database on which a server runs; the copy is whole, sound and a server's."""

import os
import resource
import signal
import sqlite3
import stat
import subprocess

import pytest

import qttt
import upkeep
from load import Load, check_promises


def folder_of(path):
    return sorted(os.listdir(os.path.dirname(path)))


@pytest.fixture
def target(tmp_path):
    (tmp_path / "copies").mkdir()
    return str(tmp_path / "copies" / "copy.db")


def promised(loads):
    """What they were promised until now."""
    return [(load, dict(load.promised)) for load in loads]


def test_a_backup_under_load_has_what_was_acknowledged_before_it_began(own_server, target):
    loads = [Load(own_server, number) for number in range(4)]
    for load in loads:
        load.start()
    qttt.eventually(lambda: sum(len(load.promised) for load in loads) > 30, what="games")
    before = promised(loads)
    done = upkeep.backup(own_server.db, target)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert f"{os.path.getsize(target)} bytes copied from " in done.stdout
    # It played on.
    ends = {load: len(load.promised) for load in loads}
    qttt.eventually(lambda: all(len(load.promised) > ends[load] for load in loads),
                    what="more games")
    own_server.kill()
    for load in loads:
        load.join(qttt.SECONDS)
        assert not load.is_alive() and load.error is None, load.error

    assert folder_of(target) == ["copy.db"]
    assert stat.S_IMODE(os.stat(target).st_mode) == 0o600
    upkeep.assert_sound(target)
    upkeep.assert_sound(own_server.db)
    with qttt.Server(db=target) as restored:
        checked = 0
        for load, rooms in before:
            # What it was told after that need not be there.
            load.promised = rooms
            load.told = {room: {seq: line for seq, line in load.told[room].items() if seq <= last}
                         for room, last in rooms.items()}
            checked += check_promises(restored, load)
        assert checked > 300
        qttt.Game(restored).play_to_the_end()
    upkeep.assert_sound(target)


def test_a_backup_of_a_database_at_rest_has_all_of_it(own_server, target):
    qttt.Game(own_server).play_to_the_end()
    own_server.terminate()
    assert upkeep.backup(own_server.db, target).returncode == 0
    with sqlite3.connect(own_server.db) as one, sqlite3.connect(target) as other:
        for table in ("rooms", "events", "players", "games"):
            select = f"SELECT * FROM {table} ORDER BY 1"
            assert one.execute(select).fetchall() == other.execute(select).fetchall()
    own_server.start()


@pytest.mark.parametrize("kind", ["file", "empty file", "folder", "link to nothing", "the database"])
def test_a_backup_overwrites_nothing(own_server, target, kind):
    make = {"file": lambda: open(target, "w", encoding="ascii").write("mine"),
            "empty file": lambda: open(target, "w", encoding="ascii").close(),
            "folder": lambda: os.mkdir(target),
            "link to nothing": lambda: os.symlink("nowhere", target),
            "the database": lambda: None}
    make[kind]()
    if kind == "the database":
        target = own_server.db
    before = folder_of(target)
    done = upkeep.backup(own_server.db, target)
    assert done.returncode == 1 and not done.stdout
    assert done.stderr == f"qtttd: there is a file {target} already, and none is overwritten\n"
    assert folder_of(target) == before
    if kind == "file":
        assert open(target, encoding="ascii").read() == "mine"


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_what_the_next_server_would_take_for_its_own_is_no_place_for_a_backup(own_server, tmp_path, end):
    own_server.terminate()
    os.symlink(own_server.folder, tmp_path / "way")
    target = str(tmp_path / "way" / os.path.basename(own_server.db)) + end
    done = upkeep.backup(own_server.db, target)
    assert done.returncode == 1 and "belongs to the database" in done.stderr, done.stderr
    assert not done.stdout
    own_server.start()


def test_a_full_disk_leaves_no_half_backup(own_server, target):
    qttt.Game(own_server).play_to_the_end()

    def no_space():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
    done = upkeep.backup(own_server.db, target, preexec_fn=no_space)
    assert done.returncode == 1 and not done.stdout
    assert "can't copy " in done.stderr and "File too large" in done.stderr, done.stderr
    assert folder_of(target) == []


def test_a_folder_that_is_not_there_or_takes_nothing_is_named(own_server, target):
    done = upkeep.backup(own_server.db, os.path.dirname(target) + "/none/copy.db")
    assert done.returncode == 1 and "No such file or directory" in done.stderr
    done = upkeep.backup(own_server.db, "/proc/copy.db")
    assert done.returncode == 1 and "can't make the file /proc/copy.db" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_backup_that_is_stopped_leaves_nothing(tmp_path, own_server, target, number):
    own_server.terminate()
    with sqlite3.connect(own_server.db) as rows:
        rows.execute("INSERT INTO events (room, seq, line) WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL"
                     " SELECT n + 1 FROM r WHERE n < 200000) SELECT 99999, n, zeroblob(400) FROM r")
    rows.close()
    process = subprocess.Popen([qttt.qtttd_path(), "--db", own_server.db, "--backup", target],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    qttt.eventually(lambda: any(os.path.getsize(entry) > 0 for entry in os.scandir(os.path.dirname(target))),
                    what="a beginning")
    process.send_signal(number)
    out, err = process.communicate(timeout=qttt.SECONDS)
    assert (process.returncode, out, err) == (1, "", "qtttd: the backup was stopped\n")
    assert folder_of(target) == []
    own_server.start()


@pytest.mark.parametrize("pragma, told", [
    ("user_version = 999", "was written by a newer qtttd: its schema is 999"),
    ("application_id = 5", "is a database of another program"),
])
def test_a_database_of_others_is_not_copied(own_server, target, pragma, told):
    own_server.terminate()
    with sqlite3.connect(own_server.db) as rows:
        was = rows.execute(f"PRAGMA {pragma.split()[0]}").fetchone()[0]
        rows.execute(f"PRAGMA {pragma}")
    done = upkeep.backup(own_server.db, target)
    assert done.returncode == 1 and told in done.stderr
    assert folder_of(target) == []
    with sqlite3.connect(own_server.db) as rows:
        rows.execute(f"PRAGMA {pragma.split()[0]} = {was}")
    own_server.start()


def test_what_is_kept_nowhere_has_no_backup(target, tmp_path):
    config = tmp_path / "qtttd.conf"
    config.write_text("[store]\ndb = none\n", "utf-8")
    for arguments in (["--db", "none"], ["--config", config]):
        done = upkeep.run(*arguments, "--backup", target)
        assert done.returncode == 64 and "--db none" in done.stderr, done.stderr
    done = upkeep.run("--backup")
    assert done.returncode == 64 and "--backup wants FILE" in done.stderr
    done = upkeep.run("--backup", "")
    assert done.returncode == 64
    done = upkeep.backup(tmp_path / "none.db", target)
    assert done.returncode == 1 and "No such file" in done.stderr
    assert folder_of(target) == []


def test_the_database_may_be_named_by_a_config(own_server, target, tmp_path):
    config = tmp_path / "qtttd.conf"
    config.write_text(f"[store]\ndb = {own_server.db}\n", "utf-8")
    assert upkeep.run("--config", config, "--backup", target).returncode == 0
    assert upkeep.run("--config", config, "--check-db").returncode == 0
