"""Sockets that are passed, and what the supervisor is told: systemd's protocols, without systemd."""

import os
import re
import signal
import socket
import subprocess
import time
import urllib.request

import pytest

import qttt
from certificates import Authority
from supervisor import Supervised, listening_socket, spawn


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


def run(tmp_path, descriptors, names, *options, **variables):
    """What comes of a server that is passed this, which is to end by itself."""
    process = spawn([qttt.qtttd_path(), "--db", "none", "--listen", "127.0.0.1:0", *options],
                    descriptors, names, variables, stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    out, errors = process.communicate(timeout=qttt.SECONDS)
    return process.returncode, out, errors


def test_every_door_can_be_passed_and_options_for_it_are_not_used(authority):
    cert, key = authority.sign("server")
    with Supervised(("tls", "http", "tcp"), "--cert", cert, "--key", key,
                    "--listen-tls", "127.0.0.1:0", "--http", "127.0.0.1:0") as server:
        listening = re.findall(r"^listening (\w+) 127\.0\.0\.1:(\d+)$", server.out(), re.MULTILINE)
        assert {door: int(port) for door, port in listening} == server.ports
        assert len(listening) == 3
        server.client().ok("ping")
        secure = authority.client(server.ports["tls"])
        secure.ok("ping")
        secure.close()
        with urllib.request.urlopen(f"http://127.0.0.1:{server.ports['http']}/healthz",
                                    timeout=qttt.SECONDS) as answer:
            assert answer.read() == b"ok\n"


def test_a_door_that_is_not_passed_is_opened_as_its_option_says():
    with Supervised(("http",)) as server:
        assert server.port not in server.ports.values()
        server.client().ok("ping")


def test_sockets_that_are_passed_have_the_servers_own_options():
    with Supervised() as server:
        server.client().ok("ping")
        made = server.sockets[0]
        assert made.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert made.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert os.get_blocking(made.fileno()) is False


def test_who_connects_while_no_server_runs_is_answered_by_the_next():
    with Supervised() as server:
        server.terminate()
        early = qttt.Client(server.ports["tcp"], welcome=False)
        early.send("ping")
        server.start()
        early.expect("welcome")
        assert early.reply()["type"] == "ok"
        early.close()


def test_sockets_for_another_process_end_it_with_a_sentence(tmp_path):
    with listening_socket() as made:
        status, out, errors = run(tmp_path, [made.fileno()], ["tcp"], LISTEN_PID="1")
    assert status == 78 and not out
    assert 'process "1" (LISTEN_PID)' in errors and len(errors.splitlines()) == 1


@pytest.mark.parametrize("name", ["", "unknown", "TCP", "qtttd.socket"])
def test_a_socket_of_an_unknown_name_ends_it_with_a_sentence(tmp_path, name):
    with listening_socket() as made:
        status, out, errors = run(tmp_path, [made.fileno()], [name])
    assert status == 78 and not out
    assert f'descriptor 3 is named "{name}"' in errors
    assert "FileDescriptorName= has to be tcp, tls, http or https" in errors


def not_listening():
    return socket.socket()


def datagrams():
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind(("127.0.0.1", 0))
    return made


def unix():
    made = socket.socket(socket.AF_UNIX)
    made.bind("\0qtttd-test-%d" % os.getpid())
    made.listen()
    return made


@pytest.mark.parametrize("kind", [not_listening, datagrams, unix,
                                  lambda: open("/dev/null", "rb")],
                         ids=["not_listening", "datagrams", "unix", "a_file"])
def test_what_is_no_listening_socket_ends_it_with_a_sentence(tmp_path, kind):
    with kind() as made:
        status, out, errors = run(tmp_path, [made.fileno()], ["tcp"])
    assert status == 78 and not out
    assert "descriptor 3 (tcp) is no socket that listens for TCP" in errors


@pytest.mark.parametrize("count", ["x", "2", "-1", "999999"])
def test_a_wrong_number_of_sockets_ends_it_with_a_sentence(tmp_path, count):
    with listening_socket() as made:
        status, out, errors = run(tmp_path, [made.fileno()], ["tcp"], LISTEN_FDS=count)
    assert status == 78 and not out
    assert "that were passed" in errors or "were passed, and" in errors


def test_a_socket_for_tls_wants_a_certificate(tmp_path):
    with listening_socket() as made:
        status, _, errors = run(tmp_path, [made.fileno()], ["tls"])
    assert status == 78
    assert "--cert and --key" in errors


def test_ready_is_told_once_it_serves_and_stopping_when_it_stops():
    with Supervised() as server:
        server.notices.wait("READY")
        server.client().ok("ping")
        server.terminate()
        server.notices.wait("STOPPING")
        words = [name for _, told in server.notices.all for name in told if name != "STATUS"]
        assert words == ["READY", "STOPPING"]


def test_the_status_is_a_short_line_with_its_numbers():
    with Supervised(variables={"WATCHDOG_USEC": "40000"}) as server:
        qttt.Game(server)
        qttt.eventually(lambda: server.notices.of("STATUS")[-1:]
                        == ["connections: 2, games: 1"])


def test_a_reload_is_told_from_its_beginning_to_its_end():
    with Supervised() as server:
        server.notices.wait("READY")
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        server.process.send_signal(signal.SIGHUP)
        server.notices.wait("READY", 2)
        after = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        assert server.notices.of("RELOADING") == ["1"]
        assert before <= int(server.notices.of("MONOTONIC_USEC")[0]) <= after
        words = [name for _, told in server.notices.all for name in told]
        assert words.index("RELOADING") < len(words) - 1 - words[::-1].index("READY")


def test_the_watchdog_hears_twice_in_its_time():
    with Supervised(variables={"WATCHDOG_USEC": "600000"}) as server:
        server.notices.wait("WATCHDOG", 4)
        times = [at for at, told in server.notices.all if "WATCHDOG" in told]
        # Neither with every turn of the loop nor as rarely as the watchdog would allow.
        assert times[3] - times[0] > 0.6
        server.client().ok("ping")


def test_the_watchdog_hears_nothing_of_a_server_that_stands_still():
    with Supervised(variables={"WATCHDOG_USEC": "100000"}) as server:
        server.notices.wait("WATCHDOG", 2)
        server.process.send_signal(signal.SIGSTOP)
        qttt.eventually(lambda: "T" in open(f"/proc/{server.process.pid}/stat").read().split()[2])
        time.sleep(0.1)  # what was underway has arrived
        heard = len(server.notices.of("WATCHDOG"))
        time.sleep(0.3)
        assert len(server.notices.of("WATCHDOG")) == heard
        server.process.send_signal(signal.SIGCONT)
        server.notices.wait("WATCHDOG", heard + 1)


def test_a_watchdog_of_another_process_is_not_fed():
    with Supervised(variables={"WATCHDOG_USEC": "40000", "WATCHDOG_PID": "1"}) as server:
        server.notices.wait("STATUS")
        server.client().ok("ping")
        time.sleep(0.1)
        assert not server.notices.of("WATCHDOG")


def test_without_anybody_to_tell_it_serves_all_the_same():
    with Supervised(variables={"NOTIFY_SOCKET": "/nonexistent/notify"}) as server:
        server.client().ok("ping")
        qttt.eventually(lambda: "notify_failed" in server.log())
        server.process.send_signal(signal.SIGHUP)
        qttt.eventually(lambda: " reloaded" in server.log())
        assert server.log().count("notify_failed") == 1
