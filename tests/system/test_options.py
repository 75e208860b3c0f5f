"""How qtttd is started, and how it refuses to be."""

import socket
import subprocess

import pytest

import qttt


def run(*arguments, **named):
    return subprocess.run([qttt.qtttd_path(), *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=qttt.SECONDS, check=False, **named)


@pytest.fixture
def config(tmp_path):
    def write(text):
        path = tmp_path / "qtttd.conf"
        path.write_text(text, "utf-8")
        return str(path)
    return write


def test_help_and_version_go_to_standard_output():
    done = run("--help")
    assert done.returncode == 0 and "--listen" in done.stdout and "--db" in done.stdout
    assert not done.stderr
    done = run("--version")
    assert done.returncode == 0 and done.stdout.startswith("qtttd ")


@pytest.mark.parametrize("arguments", [["--no-such-option"], ["--listen"], ["--listen", "nowhere"],
                                       ["stray"], ["-Z"]])
def test_a_wrong_option_exits_64_and_names_it(arguments):
    done = run(*arguments)
    assert done.returncode == 64
    assert arguments[0] in done.stderr or arguments[-1] in done.stderr
    assert not done.stdout


def test_a_wrong_line_of_the_config_exits_78_and_says_which(config):
    path = config("# fine\n[net]\nno-such-thing = 5\n")
    done = run("--config", path)
    assert done.returncode == 78
    assert f"{path}:3" in done.stderr and "no-such-thing" in done.stderr


def test_flags_override_the_file(config):
    with qttt.Server("--config", config("[server]\nname = From the file\nmotd = Hello all\n"),
                     "--name", "From the flag") as server:
        welcome = server.client().welcome
    assert welcome["name"] == "From the flag" and welcome["motd"] == "Hello all"


def test_the_printed_sample_is_a_config_that_says_nothing_new(config):
    sample = run("--print-config")
    assert sample.returncode == 0 and "[net]" in sample.stdout
    assert run("--config", config(sample.stdout), "--check-config").returncode == 0


def test_more_connections_than_allowed_are_refused_and_the_others_stay():
    with qttt.Server("--max-connections", "3", limits=True) as server:
        inside = [server.client() for _ in range(3)]
        extra = server.client(welcome=False)
        line = extra.read()
        assert line.get("code") == "too_many_connections", line
        extra.expect_closed()
        inside[0].ok("ping")
        inside[2].close()
        qttt.eventually(lambda: server.client(welcome=False).read()["type"] == "welcome")


def test_a_config_that_is_not_there_exits_78(tmp_path):
    done = run("--config", str(tmp_path / "none.conf"))
    assert done.returncode == 78 and "none.conf" in done.stderr


def test_check_config_reads_and_does_not_serve(config, tmp_path):
    path = config(f"[net]\nlisten = 127.0.0.1:0\n[store]\ndb = {tmp_path}/checked.db\n")
    done = run("--config", path, "--check-config")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "checked.db").exists()
    done = run("--config", config("[net]\nlisten = nowhere\n"), "--check-config")
    assert done.returncode == 78 and ":2" in done.stderr


def test_a_port_in_use_is_said_and_ends_it(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run("--listen", address, "--db", str(tmp_path / "db"))
    assert done.returncode == 1
    assert address in done.stderr


def test_a_database_that_cannot_be_opened_is_said_and_ends_it():
    path = "/dev/null/qttt.db"
    done = run("--listen", "127.0.0.1:0", "--db", path)
    assert done.returncode == 1
    assert path in done.stderr


def test_several_addresses_are_listened_to():
    with qttt.Server("--listen", "127.0.0.1:0") as server:
        ports = qttt.eventually(lambda: listening(server))
        for port in ports:
            client = qttt.Client(port)
            client.ok("ping")
            client.close()


def listening(server):
    ports = [int(line.rsplit(":", 1)[1]) for line in server.out().splitlines()
             if line.startswith("listening tcp ")]
    return ports if len(ports) == 2 else None


def test_limits_are_on_unless_told_otherwise():
    with qttt.Server(limits=True) as server:
        client = server.client()
        codes = {client.ask("create X").get("code") for _ in range(300)}
        assert codes & {"rate_limited", "too_many_rooms"}
