"""The real client by TLS: it plays, and it knows whom not to talk to."""

import contextlib
import socket
import subprocess
import threading

import pytest

import qttt
from certificates import Authority, served
from test_client import environment, run

TRUST = "(--ca FILE names who may)"
WRONG = [
    ("stranger", {}, None,
     f"nobody whom this machine trusts vouches for its certificate {TRUST}"),
    ("elsewhere", {"names": "DNS:example.net"}, "ca", "its certificate is for another name"),
    ("late", {"days": -1}, "ca", "its certificate has expired"),
]


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def secure(authority):
    with served(authority.sign("server")) as server:
        server.tls_port = server.port_of("tls")
        yield server


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_it_plays_by_tls_with_names_and_addresses(secure, authority, host):
    done = run("--tls", "--ca", authority.ca, "--json", f"{host}:{secure.tls_port}",
               input_="ping\n" + "help\n" * 50 + "create X\n")
    assert done.returncode == 0 and not done.stderr
    assert done.stdout.count('"to":"help"') == 50 and '"to":"create"' in done.stdout


def test_by_tls_too_a_game_is_exported_and_replayed(secure, authority, tmp_path):
    way = ["--tls", "--ca", authority.ca, f"localhost:{secure.tls_port}"]
    ala, ola = secure.player("VaultAla"), secure.player("VaultOla")
    room = ala.ok("create X")["room"]
    ola.ok(f"join {room}")
    ala.ok("move 1 5")
    ola.ok("resign")
    exported = run("--export", "VaultAla", *way)
    assert (exported.returncode, exported.stderr) == (0, "")
    assert exported.stdout.endswith("\n1:X(1-5)\n\n")
    (tmp_path / "games.txt").write_text(exported.stdout)
    replayed = run("--replay", str(tmp_path / "games.txt"), *way)
    assert (replayed.returncode, replayed.stderr) == (0, "")
    assert "Step 1 of 1: X moved 1-5" in replayed.stdout


@pytest.mark.parametrize("name, settings, trusts, reason", WRONG)
def test_whom_it_does_not_know_it_does_not_talk_to(authority, name, settings, trusts, reason):
    options = ["--ca", authority.ca] if trusts else []
    with served(authority.sign(name, **settings)) as server:
        address = f"127.0.0.1:{server.port_of('tls')}"
        done = run("--tls", *options, "--name", "Ala", address)
        assert done.returncode == 1 and not done.stdout
        assert done.stderr == f"qttt: can't reach {address}: {reason}\n"
        assert "conn_open" not in server.log()


def test_a_certificate_that_vouches_for_itself_is_known_if_it_is_named(tmp_path):
    openssl = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
               "ec_paramgen_curve:P-256", "-nodes", "-keyout", "own.key", "-out", "own.pem",
               "-days", "3", "-subj", "/CN=own", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(openssl, cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    (tmp_path / "own.key").chmod(0o600)
    with served((str(tmp_path / "own.pem"), str(tmp_path / "own.key"))) as server:
        address = f"127.0.0.1:{server.port_of('tls')}"
        done = run("--tls", address)
        assert done.returncode == 1 and "vouches for itself alone" in done.stderr
        done = run("--tls", "--ca", str(tmp_path / "own.pem"), address, input_="ping\n")
        assert done.returncode == 0, done.stderr


def test_a_file_without_certificates_is_told(secure, tmp_path):
    done = run("--tls", "--ca", "/dev/null", f"127.0.0.1:{secure.tls_port}")
    assert done.returncode == 1
    assert "there are no certificates in PEM in the file of --ca" in done.stderr
    missing = str(tmp_path / "missing.pem")
    done = run("--tls", "--ca", missing, f"127.0.0.1:{secure.tls_port}")
    assert done.returncode == 64
    assert done.stderr == f"qttt: {missing}: No such file or directory\n"


def test_who_forgets_tls_is_reminded_of_it(secure):
    done = run(f"127.0.0.1:{secure.tls_port}", input_="ping\n")
    assert done.returncode == 1 and "a port for TLS wants --tls" in done.stderr


def test_a_door_without_tls_is_told(secure):
    done = run("--tls", f"127.0.0.1:{secure.port}")
    assert done.returncode == 1 and "it does not speak TLS at this port" in done.stderr


def test_a_server_that_closes_while_tls_begins_is_told():
    with socket.create_server(("127.0.0.1", 0)) as server:
        def close_one():
            with contextlib.suppress(OSError):
                client = server.accept()[0]
                client.recv(1)
                client.shutdown(socket.SHUT_WR)
                while client.recv(65536):
                    pass
                client.close()
        thread = threading.Thread(target=close_one)
        thread.start()
        done = run("--tls", f"127.0.0.1:{server.getsockname()[1]}")
        thread.join()
    assert done.returncode == 1 and "it closed the connection while TLS began" in done.stderr


def test_a_plain_client_at_the_tls_door_is_not_kept(secure):
    done = run(f"127.0.0.1:{secure.tls_port}", input_="ping\n")
    assert done.returncode == 1


def test_the_file_of_authorities_goes_with_tls():
    done = run("--ca", "/dev/null")
    assert done.returncode == 64 and "--ca goes with --tls." in done.stderr


def test_it_comes_back_by_tls(authority, tmp_path):
    """After the server was killed, with the same certificate."""
    cert, key = authority.sign("returning")
    port = free_port()
    with qttt.Server("--listen-tls", f"127.0.0.1:{port}", "--cert", cert, "--key", key) as server:
        client = subprocess.Popen(
            [qttt.qttt_path(), "--tls", "--ca", authority.ca, "--json", "--reconnect", "always",
             f"127.0.0.1:{port}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment())
        try:
            client.stdin.write("ping\n")
            client.stdin.flush()
            assert any('"to":"ping"' in client.stdout.readline() for _ in range(5))
            server.kill()
            server.start()
            client.stdin.write("ping\n")
            client.stdin.close()
            assert '"to":"ping"' in client.stdout.read()
            assert client.wait(qttt.SECONDS) == 0
        finally:
            client.kill()
            client.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
