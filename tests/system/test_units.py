"""deploy/: what systemd makes of the files for it, without a running systemd."""

import os
import re
import shutil
import subprocess

import pytest

import qttt

DEPLOY = qttt.ROOT / "deploy"
UNITS = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.socket")])
# systemd-analyze security: of 10; what the unit has now, and no worse.
EXPOSURE_MAX = 0.5


def run(*command, **named):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=6 * qttt.SECONDS, **named)


@pytest.fixture
def root(tmp_path):
    """A machine on which the server and its units are installed."""
    place = tmp_path / "root"
    shutil.copytree("/lib/systemd/system", place / "lib" / "systemd" / "system", symlinks=True)
    units, binaries = place / "etc" / "systemd" / "system", place / "usr" / "local" / "bin"
    units.mkdir(parents=True)
    binaries.mkdir(parents=True)
    for unit in UNITS:
        shutil.copy(unit, units)
    shutil.copy("/bin/true", binaries / "qtttd")
    (place / "bin").mkdir()
    shutil.copy("/bin/true", place / "bin" / "sh")
    return place


def verify(root):
    """What it says of our units; it looks at all that they pull in."""
    said = run("systemd-analyze", "verify", "--man=no", f"--root={root}",
               *[unit.name for unit in UNITS])
    return said.returncode, [line for line in said.stdout.splitlines() if "qtttd" in line]


def test_systemd_finds_no_fault_in_the_units(root):
    assert len(UNITS) == 5
    assert verify(root) == (0, [])


def test_systemd_would_find_one(root):
    unit = root / "etc" / "systemd" / "system" / "qtttd.service"
    unit.write_text(unit.read_text("utf-8").replace("PrivateTmp", "PrivateTemp"), "utf-8")
    assert [line for line in verify(root)[1] if "PrivateTemp" in line]


def test_the_service_is_well_shut_in():
    said = run("systemd-analyze", "security", "--offline=true", "--no-pager",
               DEPLOY / "qtttd.service")
    score = float(re.search(r"Overall exposure level for qtttd.service: ([\d.]+)",
                            said.stdout)[1])
    qttt.tell(f"systemd-analyze security: {score} of 10")
    assert score <= EXPOSURE_MAX, said.stdout


def settings(unit):
    return dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / unit).read_text("utf-8"), re.MULTILINE))


def test_the_units_ask_for_what_the_server_does():
    service = settings("qtttd.service")
    assert service["Type"] == "notify" and int(service["WatchdogSec"]) > 0
    # The server's own end is five seconds away.
    assert int(service["TimeoutStopSec"]) > 5
    assert service["Restart"] == "on-failure"
    assert service["RestartPreventExitStatus"] == "64 78"
    for unit, name in (("qtttd.socket", "tcp"), ("qtttd-tls.socket", "tls"),
                       ("qtttd-http.socket", "http"), ("qtttd-https.socket", "https")):
        assert settings(unit)["FileDescriptorName"] == name
        assert settings(unit)["Service"] == "qtttd.service"


def test_the_user_and_the_folders_are_made(tmp_path):
    (tmp_path / "etc").mkdir()
    sysusers = run("systemd-sysusers", f"--root={tmp_path}", DEPLOY / "qtttd.sysusers")
    assert sysusers.returncode == 0, sysusers.stdout
    passwd = (tmp_path / "etc" / "passwd").read_text("ascii").split(":")
    assert passwd[0] == "qtttd" and passwd[5] == "/var/lib/qttt"
    # Who may not give files away gets them himself.
    lines = (DEPLOY / "qtttd.tmpfiles").read_text("ascii")
    if os.geteuid() != 0:
        lines = re.sub(r"(?<= \d{4}) \w+ \w+", " - -", lines)
    (tmp_path / "qtttd.conf").write_text(lines, "ascii")
    tmpfiles = run("systemd-tmpfiles", *([] if os.geteuid() == 0 else ["--user"]), "--create",
                   f"--root={tmp_path}", str(tmp_path / "qtttd.conf"))
    assert tmpfiles.returncode == 0, tmpfiles.stdout
    for path, mode in (("etc/qtttd", 0o755), ("etc/qtttd/tls", 0o750), ("var/lib/qttt", 0o700),
                       ("var/backups/qtttd", 0o700)):
        assert (tmp_path / path).stat().st_mode & 0o777 == mode, path
    config = tmp_path / "etc" / "qtttd" / "qtttd.conf"
    checked = run(qttt.qtttd_path(), "--config", config, "--check-config", "--db", "none")
    assert checked.returncode == 0, checked.stdout
    # An operator's own is left alone.
    config.write_text("[server]\nmotd = Mine\n", "ascii")
    run("systemd-tmpfiles", "--create", f"--root={tmp_path}", str(tmp_path / "qtttd.conf"))
    assert "Mine" in config.read_text("ascii")
