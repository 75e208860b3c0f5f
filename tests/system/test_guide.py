"""deploy/README.md: what it tells to do is done, in folders of the test's own in place of the
machine's, and what it names is there."""

import json
import os
import re
import socket
import ssl
import subprocess
from pathlib import Path

import pytest

import qttt
from certificates import Authority
from supervisor import Supervised, listening_socket

DEPLOY = qttt.ROOT / "deploy"
GUIDE = (DEPLOY / "README.md").read_text("utf-8")


def section(heading):
    return re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", GUIDE, re.MULTILINE | re.DOTALL)[1]


def blocks(heading, language="sh"):
    """The blocks that are for any machine (`sh`), or files (`ini`)."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", section(heading),
                       re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", text, flags=re.MULTILINE) for indent, text in found]


def block(heading, word, language="sh"):
    (found,) = [text for text in blocks(heading, language) if word in text]
    return found


class Machine:
    """Folders in place of the machine's, and programs in place of those that want root."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("etc/qtttd/tls", "etc/haproxy", "etc/sysctl.d", "var/lib/qttt",
                     "var/backups/qtttd", "bin"):
            (folder / name).mkdir(parents=True)
        self.program("chgrp", 'test "$1" = qtttd')
        self.program("apt-get", 'test "$1" = install')
        self.program("runuser", 'shift 3; exec "$@"')
        self.program("qtttd", f'exec "{qttt.qtttd_path()}" "$@"')

    def program(self, name, script):
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)

    def path(self, name):
        return self.folder / name

    def here(self, text):
        """With its folders in place of the machine's, and this user in place of the server's."""
        text = re.sub(r"(?<![\w/])/(etc|var)/", rf"{self.folder}/\1/", text)
        return text.replace("install -o qtttd -g qtttd ", "install ")

    def run(self, script, **variables):
        done = subprocess.run(
            ["bash", "-euc", self.here(script)], stdin=subprocess.DEVNULL, cwd=qttt.ROOT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            timeout=6 * qttt.SECONDS,
            env={**os.environ, **variables, "PATH": f"{self.path('bin')}:/usr/sbin:/usr/bin"})
        assert done.returncode == 0, script + done.stdout
        return done.stdout

    def configure(self):
        """As the first part of the guide has it."""
        part = "A public lobby in ten minutes"
        script = block(part, "qtttd.conf <<").splitlines(keepends=True)
        # The user and the folders are another test's: test_units.py.
        assert [line.split()[0] for line in script[:2]] == ["systemd-sysusers", "systemd-tmpfiles"]
        self.run("".join(script[2:]))
        self.run(block(part, "openssl req"))
        conf = self.path("etc/qtttd/qtttd.conf")
        conf.write_text(self.here(conf.read_text("utf-8")), "utf-8")
        return conf


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path / "machine")


def test_the_lobby_of_the_first_part_is_played_on_by_tls(machine):
    conf = machine.configure()
    key = machine.path("etc/qtttd/tls/privkey.pem")
    assert key.stat().st_mode & 0o777 == 0o640
    said = machine.run(block("A public lobby in ten minutes", "--check-config"))
    assert said.endswith("configuration OK\n")
    with Supervised(("tcp", "tls", "http"), "--config", str(conf)) as server:
        done = subprocess.run(
            [qttt.qttt_path(), "--tls", "--ca", machine.path("etc/qtttd/tls/fullchain.pem"),
             "--name", "ala", f"localhost:{server.ports['tls']}"],
            input="lobby\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=qttt.SECONDS, check=False)
        assert done.returncode == 0 and "Be nice to each other." in done.stdout, done.stdout


def test_the_hook_of_a_renewal_leaves_what_the_server_takes(machine, tmp_path):
    hook = re.search(r"```\n(#!/bin/sh -e\n.*?)```", GUIDE, re.DOTALL)[1]
    cert, key = Authority(tmp_path).sign("renewed")
    lineage = tmp_path / "live"
    lineage.mkdir()
    os.rename(cert, lineage / "fullchain.pem")
    os.rename(key, lineage / "privkey.pem")
    machine.program("systemctl", 'echo "$@"')
    said = machine.run(hook.replace("-g qtttd ", ""), RENEWED_LINEAGE=str(lineage))
    assert said == "try-reload-or-restart qtttd.service\n"
    options = ["--cert", machine.path("etc/qtttd/tls/fullchain.pem"),
               "--key", machine.path("etc/qtttd/tls/privkey.pem")]
    subprocess.run([qttt.qtttd_path(), "--check-config", *options], check=True,
                   stdout=subprocess.DEVNULL)


# ---- HAProxy ----


def test_haproxy_takes_its_configuration(machine):
    machine.configure()
    certificate = machine.path("etc/haproxy/qttt.pem")
    script = block("Behind HAProxy", "haproxy -c")
    copied = 'cp deploy/haproxy.cfg /etc/haproxy/haproxy.cfg\n'
    assert copied in script
    sample = machine.here((DEPLOY / "haproxy.cfg").read_text("utf-8"))
    (machine.folder / "haproxy.cfg").write_text(sample, "utf-8")
    machine.run(script.replace(copied, f"cp {machine.folder}/haproxy.cfg /etc/haproxy/\n"))
    assert certificate.stat().st_mode & 0o777 == 0o600


class HaProxy:
    """The sample at work, on ports of the test's."""

    def __init__(self, machine, server_port, health_port):
        text = machine.here((DEPLOY / "haproxy.cfg").read_text("utf-8"))
        self.doors = {"tcp": listening_socket(), "tls": listening_socket()}
        for old, new in ((":4242\n", f"fd@{self.doors['tcp'].fileno()}\n"),
                         (":4243 ", f"fd@{self.doors['tls'].fileno()} "),
                         ("127.0.0.1:4244", f"127.0.0.1:{server_port}"),
                         ("port 9180", f"port {health_port}"),
                         ("maxconn 20000", "maxconn 100")):
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        path = machine.path("haproxy.running.cfg")
        path.write_text(text, "utf-8")
        self.log = open(machine.path("haproxy.log"), "wb")
        self.process = subprocess.Popen(
            ["/usr/sbin/haproxy", "-db", "-f", path], stdin=subprocess.DEVNULL,
            stdout=self.log, stderr=subprocess.STDOUT,
            pass_fds=[made.fileno() for made in self.doors.values()])

    def port(self, door):
        return self.doors[door].getsockname()[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()
        for made in self.doors.values():
            made.close()


def test_behind_haproxy_the_server_sees_the_players_themselves(machine):
    conf = machine.configure()
    conf.write_text("".join(blocks("Behind HAProxy", "ini")), "utf-8")
    machine.run("cat /etc/qtttd/tls/fullchain.pem /etc/qtttd/tls/privkey.pem "
                ">/etc/haproxy/qttt.pem")
    with Supervised(("tcp", "http"), "--config", str(conf),
                    "--connections-per-address", "2", limits=True) as server:
        context = ssl.create_default_context(
            cafile=machine.path("etc/qtttd/tls/fullchain.pem"))
        with HaProxy(machine, server.ports["tcp"], server.ports["http"]) as proxy:
            ala = qttt.Client(proxy.port("tcp"), source="127.0.0.7")
            ola = qttt.Client(proxy.port("tls"), source="127.0.0.8", wrap=lambda plain:
                              context.wrap_socket(plain, server_hostname="localhost"))
            game = qttt.Game(server, x=ala, o=ola)
            game.play_to_the_end()
            for address in ("127.0.0.7", "127.0.0.8"):
                assert re.search(rf"conn_open .*peer={address}:", server.log())
            # Each has an allowance of his own.
            second = qttt.Client(proxy.port("tcp"), source="127.0.0.7")
            third = qttt.Client(proxy.port("tcp"), source="127.0.0.7", welcome=False)
            assert third.read()["code"] == "too_many_connections"
            # And who comes while no server runs is answered by the next.
            server.terminate()
            early = qttt.Client(proxy.port("tcp"), source="127.0.0.9", welcome=False)
            server.start()
            assert early.read()["type"] == "welcome"
            for client in (ala, ola, second, third, early):
                client.close()


# ---- Backup ----


def options_of(program):
    text = subprocess.run([program, "--help"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return set(re.findall(r"^ +--([a-z-]+)", text, re.MULTILINE))


def test_backup_and_restore_bring_back_what_was_there(machine):
    database = machine.path("var/lib/qttt/qttt.db")
    with qttt.Server(db=str(database)) as server:
        game = qttt.Game(server)
        game.play("1-5")
        backup = machine.run(block("Backup and restore", "--backup") + '\necho "$backup"\n')
        path = backup.splitlines()[-1]
        game.play("2-3")
    machine.run(f'backup="{path}"\n' + block("Backup and restore", "rm -f"))
    with qttt.Server(db=str(database)) as server:
        state = server.client().ok(f"state {game.room}")["state"]
        assert len(state["board"]["squares"]) == 9 and state["board"]["move"] == 2


# ---- What it names ----


def test_every_option_that_it_names_is_there():
    programs = {"qtttd": options_of(qttt.qtttd_path()), "qttt": options_of(qttt.qttt_path())}
    named = set()
    for text in re.findall(r"^ *```\w*\n(.*?)^ *```$", GUIDE, re.DOTALL | re.MULTILINE):
        for program, rest in re.findall(r"(?:^|[ /])(qtttd?) (-.*)$", text, re.MULTILINE):
            for option in re.findall(r"(?<!\S)--([a-z-]+)", rest):
                named.add(option)
                assert option in programs[program], f"{program} --{option}"
    assert {"config", "tls", "backup"} <= named


def test_every_metric_that_it_names_is_told():
    named = set(re.findall(r"\bqttt_[a-z_]+", section("What to watch")))
    text = (qttt.ROOT / "server" / "ops" / "metrics.c").read_text("utf-8")
    with Supervised(("http",)) as server, socket.create_connection(
            ("127.0.0.1", server.ports["http"]), timeout=qttt.SECONDS) as asker:
        asker.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
        told = asker.makefile("r", encoding="utf-8").read()
    families = set(re.findall(r"^# TYPE (\w+) ", told, re.MULTILINE))
    assert families and named
    missing = {name for name in named if re.sub(r"_bucket$", "", name) not in families}
    # A family of which nothing has happened yet is told from its first time on.
    assert not {name for name in missing if f'"{name}"' not in text}


def test_every_unit_and_file_that_it_names_is_there():
    for name in re.findall(r"\bqtttd(?:-\w+)?\.(?:socket|service)\b", GUIDE):
        assert (DEPLOY / name).is_file(), name
    for name in re.findall(r"\]\(([\w./-]+)\)", GUIDE):
        assert (DEPLOY / name).exists(), name


def test_every_kernel_setting_that_it_names_is_there(machine):
    machine.run(block("Many connections", "sysctl.d"))
    text = machine.path("etc/sysctl.d/qtttd.conf").read_text("ascii")
    names = re.findall(r"^([\w.]+) = ", text, re.MULTILINE)
    assert len(names) == 3
    for name in names:
        assert Path("/proc/sys", *name.split(".")).exists(), name
    conf = machine.path("etc/qtttd/qtttd.conf")
    conf.write_text("".join(blocks("Many connections", "ini")), "utf-8")
    assert machine.run("qtttd --config /etc/qtttd/qtttd.conf --check-config")


# ---- The container ----


DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8").replace("\\\n", " ")


def test_the_container_has_the_libraries_that_the_programs_need():
    needed = set()
    for program in (qttt.qtttd_path(), qttt.qttt_path()):
        said = subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True,
                              check=True).stdout
        direct = subprocess.run(["readelf", "-d", program], stdout=subprocess.PIPE, text=True,
                                check=True).stdout
        for name in re.findall(r"\(NEEDED\).*\[(.*)\]", direct):
            path = os.path.realpath(re.search(rf"{re.escape(name)} => (\S+)", said)[1])
            owners = subprocess.run(["dpkg", "-S", f"*/{os.path.basename(path)}"],
                                    stdout=subprocess.PIPE, text=True, check=True).stdout
            # Debian's list may say /lib for what is in /usr/lib.
            needed |= {line.split(":")[0] for line in owners.splitlines()
                       if line.split()[-1] in (path, path.removeprefix("/usr"))}
    listed = subprocess.run(
        ["bash", "-c", '. "$0" && printf "%s\\n" "${run_packages[@]}"', DEPLOY / "packages.sh"],
        stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    assert needed - {"libc6", "libgcc-s1"} == set(listed)


def test_the_container_copies_what_is_there():
    sources = re.findall(r"^COPY (?!--)(\S+) ", DOCKERFILE, re.MULTILINE)
    assert sources
    for source in sources:
        assert (qttt.ROOT / source).exists(), source


def test_the_health_check_of_the_container_tells_well_from_ill():
    *shell, command = json.loads(re.search(r"HEALTHCHECK .*?CMD (.*)", DOCKERFILE)[1])
    with Supervised(("http",)) as server:
        here = command.replace("9180", str(server.ports["http"]))
        assert "9180" not in here
        assert subprocess.run([*shell, here], check=False).returncode == 0
    with listening_socket() as ill:
        here = command.replace("9180", str(ill.getsockname()[1]))
        with subprocess.Popen([*shell, here]) as asks:
            taken, _ = ill.accept()
            taken.sendall(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")
            assert asks.wait(qttt.SECONDS) == 1
            taken.close()


def test_the_options_of_the_container_are_right(tmp_path):
    (said,) = re.findall(r"^CMD (\[.*\])", DOCKERFILE, re.MULTILINE)
    compose = (DEPLOY / "compose.yaml").read_text("utf-8")
    cert, key = Authority(tmp_path).sign("server")
    for options in (re.findall(r'"([^"]*)"', said), re.findall(r"^ +- (--.*)$", compose, re.MULTILINE)):
        options = [option.replace("/etc/qtttd/tls/fullchain.pem", cert)
                   .replace("/etc/qtttd/tls/privkey.pem", key) for option in options]
        assert options
        done = subprocess.run([qttt.qtttd_path(), "--check-config", *options], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, done.stdout
