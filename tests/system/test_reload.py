"""SIGHUP: the configuration is read again, and nobody is disconnected."""

import os
import re
import signal
import socket
import subprocess
import time

import pytest

import qttt
from certificates import Authority

KEPT_NOTE = "A change takes effect after a restart."


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


class Configured(qttt.Server):
    """A server whose options stand in a file, but for those that are given as flags."""

    def __init__(self, path, text, *flags, **named):
        self.path = path
        self.write(text)
        super().__init__("--config", str(path), *flags, **named)

    def write(self, text):
        self.path.write_text(text, "utf-8")

    def reload(self, text=None, event=" reloaded"):
        """Returns what it logged about that."""
        if text is not None:
            self.write(text)
        before = len(self.log())
        self.process.send_signal(signal.SIGHUP)
        return qttt.eventually(lambda: event in self.log()[before:] and self.log()[before:],
                               what=event)


class FromTheFileAlone(Configured):
    @staticmethod
    def spawn(command, **streams):
        at = command.index("--config")
        return subprocess.Popen([command[0], *command[at:at + 2]], **streams)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "qtttd.conf"


def output_of(option):
    return subprocess.run([qttt.qtttd_path(), option], stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def sample():
    """{section: {option: default}}"""
    sections, section = {}, None
    for line in output_of("--print-config").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), {})
        found = re.match(r"#([a-z-]+) =(?: (.*))?$", line)
        if found:
            section[found[1]] = found[2] or ""
    return sections


def noted(text, heads, note):
    """The options in whose part of the text the note stands."""
    parts = re.split(heads, text, flags=re.MULTILINE)
    return {name for name, part in zip(parts[1::2], parts[2::2]) if note in part}


def documented():
    """Which options take effect after a restart alone: what four documents say of it."""
    text = " ".join((qttt.ROOT / "README.md").read_text("utf-8").split())
    sentence = re.search(r"counts from then on, but for ([^:]*): these take effect after a restart",
                         text)[1]
    by_key = re.sub(r"^# ", "", output_of("--print-config"), flags=re.MULTILINE)
    before_key = [(part, name) for part, name in
                  zip(*[iter(re.split(r"^#([a-z-]+) =.*$", by_key, flags=re.MULTILINE))] * 2)]
    return {
        "README.md": set(re.findall(r"`--([a-z-]+)`", sentence)),
        "--help": noted(output_of("--help"), r"^  --([a-z-]+)", KEPT_NOTE),
        "--print-config": {name for part, name in before_key if KEPT_NOTE in part},
        "qtttd.8": noted((qttt.ROOT / "deploy" / "qtttd.8").read_text("utf-8"),
                         r"^\.It Fl -([a-z-]+)", KEPT_NOTE),
    }


def other(name, value, folder, certificate):
    """Another value than the default for any option, by the word that --help has for it."""
    paths = {"cert": certificate[0], "key": certificate[1]}
    word = re.search(rf"^  --{name} +([A-Z:/]+(?= ))?", output_of("--help"), re.MULTILINE)[1]
    values = {None: "yes", "ADDR:PORT": "127.0.0.2:0", "ADDR/BITS": "192.0.2.1", "LEVEL": "debug",
              "TEXT": "Other", "ORIGIN": "https://example.org",
              "FILE": paths.get(name, f"{folder}/{name}"), "PATH": f"{folder}/{name}"}
    return values[word] if word in values else str(int(value) + 1)


def written(values):
    lines = []
    for section, options in values.items():
        lines += [f"[{section}]"] + [f"{name} = {value}" for name, value in options.items()]
    return "\n".join(lines) + "\n"


def test_what_a_reload_changes_and_what_it_keeps_is_as_four_documents_say(authority, path,
                                                                          tmp_path):
    first, second = authority.sign("first"), authority.sign("second")
    sections = sample()
    names = {name for options in sections.values() for name in options}
    base = {"listen": "127.0.0.1:0", "listen-tls": "127.0.0.1:0", "http": "127.0.0.1:0",
            "cert": first[0], "key": first[1], "db": f"{tmp_path}/first.db"}
    before = {section: {name: base.get(name, value) for name, value in options.items()}
              for section, options in sections.items()}
    after = {section: {name: other(name, value, tmp_path, second)
                       for name, value in options.items()}
             for section, options in sections.items()}
    with FromTheFileAlone(path, written(before)) as server:
        said = server.reload(written(after))
        server.client().ok("ping")
    changed = set(re.findall(r" info option_changed option=(\S+)\n", said))
    kept = set(re.findall(r' warn option_kept option=(\S+) why="takes effect after a restart"\n',
                          said))
    assert changed | kept == names and not changed & kept
    for place, told in documented().items():
        assert told == kept, place


def test_what_changed_holds_for_who_is_there_and_who_comes(path):
    text = "[server]\nname = One\nmotd = Before\n[play]\nrooms-per-name = 2\n"
    with Configured(path, text, limits=True) as server:
        there = server.client()
        assert (there.welcome["name"], there.welcome["motd"]) == ("One", "Before")
        there.ok("create X")
        said = server.reload("[server]\nname = Two\n[play]\nrooms-per-name = 1\n")
        assert len(re.findall("option_changed", said)) == 3
        there.refused("create X", "too_many_rooms")
        comes = server.client()
        assert comes.welcome["name"] == "Two" and "motd" not in comes.welcome
        assert comes.welcome["limits"]["rooms_per_name"] == 1
        assert server.reload().count("option_") == 0


def test_flags_override_the_file_after_a_reload_too(path):
    with Configured(path, "[server]\nmotd = File\n", "--motd", "Flag") as server:
        assert "option_" not in server.reload("[server]\nmotd = Other\n")
        assert server.client().welcome["motd"] == "Flag"


@pytest.mark.parametrize("text, sentence", [
    ("[server]\nmotd = New\nlog-level = loud\n", ":3: log-level wants error, warn"),
    ("[server]\nmotd = New\n\nno such line\n", ":4: neither"),
    ("[server]\nmotd = \u202e\n", "name and motd want UTF-8"),
    ("[server]\nmotd = New\n[net]\ncert = /nonexistent\n", "--key is missing"),
])
def test_a_wrong_file_keeps_all_as_it_was_and_tells_its_line(path, text, sentence):
    with Configured(path, "[server]\nmotd = Old\n") as server:
        said = server.reload(text)
        assert " error options_kept all stay as they were: " in said and sentence in said
        assert "option_changed" not in said
        assert server.client().welcome["motd"] == "Old"
        assert "option_changed option=motd" in server.reload("[server]\nmotd = New\n")
        assert server.client().welcome["motd"] == "New"


def test_a_file_that_has_gone_keeps_all_as_it_was(path):
    with Configured(path, "[server]\nmotd = Old\n") as server:
        path.unlink()
        assert "No such file" in server.reload()
        assert server.client().welcome["motd"] == "Old"


def test_what_is_no_file_holds_nobody_up(authority, path):
    cert, key = authority.sign("piped")
    text = f"[net]\ncert = {cert}\nkey = {key}\nlisten-tls = 127.0.0.1:0\n"
    with Configured(path, text) as server:
        for pipe in (path, cert, key):
            os.rename(pipe, f"{pipe}.away")
            os.mkfifo(pipe)
            assert "is no regular file" in server.reload()
            server.client().ok("ping")
            os.rename(f"{pipe}.away", pipe)
        assert "certificate_loaded" in server.reload()


def test_a_certificate_is_renewed_although_the_file_is_wrong(authority, path):
    cert, key = authority.sign("renewed")
    text = f"[net]\ncert = {cert}\nkey = {key}\nlisten-tls = 127.0.0.1:0\n"
    with Configured(path, text) as server:
        said = server.reload(text + "wrong\n")
        assert "options_kept" in said and "certificate_loaded" in said


def test_another_certificate_may_be_named(authority, path):
    text = "[net]\ncert = {}\nkey = {}\nlisten-tls = 127.0.0.1:0\n"
    with Configured(path, text.format(*authority.sign("one"))) as server:
        old = authority.client(server.port_of("tls"))
        server.reload(text.format(*authority.sign("two")))
        new = authority.client(server.port_of("tls"))
        names = [dict(pair[0] for pair in client.socket.getpeercert()["subject"])["commonName"]
                 for client in (old, new)]
        assert names == ["one", "two"]
        for client in (old, new):
            client.ok("ping")
            client.close()


def test_fewer_connections_let_nobody_go_and_nobody_in(path):
    with Configured(path, "[net]\nmax-connections = 3\n", limits=True) as server:
        inside = [server.client() for _ in range(2)]
        server.reload("[net]\nmax-connections = 1\nconnections-per-address = 1\n")
        assert server.client(welcome=False).read()["code"] == "too_many_connections"
        for client in inside:
            client.ok("ping")
        server.reload("[net]\nconnections-per-address = 3\n")
        server.client()


def test_the_level_of_the_log_follows(path):
    with Configured(path, "[server]\nlog-level = error\n") as server:
        assert " info " not in server.log()
        said = server.reload("[server]\nlog-level = info\n")
        assert " info option_changed option=log-level" in said


def test_a_proxy_may_be_named(path):
    header = (b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" + socket.inet_aton("192.0.2.7")
              + socket.inet_aton("192.0.2.1") + b"\x12\x34\x10\x92")
    with Configured(path, "") as server:
        there = server.client()
        server.reload("[net]\nproxy-from = 127.0.0.0/8\n")
        proxied = server.client(before=header)
        proxied.ok("ping")
        there.ok("ping")
        qttt.eventually(lambda: "peer=192.0.2.7:4660" in server.log())


def test_silence_is_measured_by_the_limit_of_now(path):
    with Configured(path, "[play]\nfirst-line = 1\n", limits=True) as server:
        silent = server.client()
        server.reload("[play]\nfirst-line = 300\n")
        quick = server.client()
        time.sleep(1.2)
        silent.ok("ping")
        quick.ok("ping")


def test_without_a_file_and_a_certificate_a_reload_changes_nothing(own_server):
    client = own_server.client()
    own_server.process.send_signal(signal.SIGHUP)
    qttt.eventually(lambda: " reloaded" in own_server.log())
    assert "option_" not in own_server.log()
    client.ok("ping")
