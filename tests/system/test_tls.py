"""TLS: who gets in, who does not, and what becomes of bytes that are late, few or missing."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess

import pytest

import qttt
from certificates import Authority, ByHand, served

ALERT_PROTOCOL_VERSION = bytes([21, 3, 1, 0, 2, 2, 70])


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def certificate(authority):
    return authority.sign("server")


@pytest.fixture(scope="module")
def secure(certificate):
    with served(certificate) as server:
        server.tls_port = server.port_of("tls")
        yield server


@pytest.fixture
def by_hand(secure, authority):
    """Clients whose handshake has not begun."""
    clients = []

    def start():
        clients.append(ByHand(secure.tls_port, authority.context()))
        return clients[-1]
    yield start
    for client in clients:
        client.close()


def refused_so(server, pattern):
    return qttt.eventually(lambda: re.search(rf"conn_refused.* {pattern}", server.log()),
                           what=pattern)


def is_alive(server):
    client = server.client()
    client.ok("ping")
    client.close()


def test_a_game_between_one_by_tls_and_one_in_the_open(secure, authority):
    ala = authority.client(secure.tls_port)
    game = qttt.Game(secure, x=ala, watchers=1)
    game.play_to_the_end()
    ala.ok("quit")
    ala.expect_closed_after("bye")  # and a ragged end would have raised
    ala.close()


@pytest.mark.parametrize("version", ["TLSv1_2", "TLSv1_3"])
def test_old_and_new_tls_is_spoken(secure, authority, version):
    version = ssl.TLSVersion[version]
    context = authority.context(minimum_version=version, maximum_version=version)
    client = authority.client(secure.tls_port, context)
    client.ok("ping")
    client.close()


def test_older_tls_is_refused(secure, authority):
    context = authority.context(minimum_version=ssl.TLSVersion.TLSv1_1,
                                maximum_version=ssl.TLSVersion.TLSv1_1)
    context.set_ciphers("DEFAULT@SECLEVEL=0")
    with pytest.raises(ssl.SSLError, match="protocol version"):
        authority.client(secure.tls_port, context)
    refused_so(secure, 'reason=tls_error why="unsupported protocol"')


def test_who_comes_back_takes_up_his_session(secure, authority):
    context = authority.context()
    first = authority.client(secure.tls_port, context)
    first.ok("ping")
    second = authority.client(secure.tls_port, context, session=first.socket.session)
    assert second.socket.session_reused
    first.close()
    second.close()


def test_ten_thousand_lines_at_once_are_answered_in_order(secure, authority):
    client = authority.client(secure.tls_port)
    # In turns, in one thread: what Python has for TLS is not for two at once.
    for begin in range(0, 11000, 1000):
        if begin < 10000:
            client.send(b"".join(b'{"type":"ping","id":%d}\n' % i
                                 for i in range(begin, begin + 1000)))
        for i in range(max(begin - 1000, 0), begin):
            assert client.read()["re"] == i
    client.close()


def test_who_reads_late_gets_every_byte(secure, authority):
    client = authority.client(secure.tls_port, receive_buffer=4096)
    client.send(b"help\n" * 200)
    answers = [client.read_line() for _ in range(200)]
    assert len(set(answers)) == 1 and answers[0].startswith(b'{"type":"ok","to":"help"')
    client.ok("ping")
    client.close()


def test_who_reads_nothing_for_long_still_gets_a_last_word_that_can_be_read(authority,
                                                                             certificate):
    """What was dropped for it may have been part of a record that was under way."""
    with served(certificate, "--slow-reader", "1") as server:
        stuck = authority.client(server.port_of("tls"), receive_buffer=4096)
        stuck.send(b"help\n" * 10000)
        qttt.eventually(lambda: "conn_slow" in server.log(), what="conn_slow in the log")
        stuck.expect_closed_after("bye")
        assert stuck.heard[-1] == b'{"type":"bye","reason":"slow_reader"}'
        stuck.close()


def test_an_address_has_so_many_connections_and_handshakes(authority, certificate):
    cert, key = certificate
    with qttt.Server("--listen-tls", "127.0.0.1:0", "--cert", cert, "--key", key,
                     "--connections-per-address", "2", limits=True) as server:
        port = server.port_of("tls")
        inside = [authority.client(port) for _ in range(2)]
        extra = authority.client(port, welcome=False)
        assert extra.read()["code"] == "too_many_connections"
        extra.expect_closed()
        half = [ByHand(port, authority.context()) for _ in range(3)]
        refused_so(server, "reason=crowded")
        for client in (*inside, extra, *half):
            client.close()


def test_bytes_may_come_one_by_one(secure, by_hand):
    client = by_hand()
    client.until(client.tls.do_handshake, piece=1)
    assert b'"welcome"' in client.hear()
    client.say(b"ping\n", piece=1)
    assert b'"to":"ping"' in client.hear()


def test_the_end_of_input_is_told_and_what_came_before_is_answered(secure, by_hand):
    client = by_hand()
    client.until(client.tls.do_handshake)
    client.hear()
    client.say(b"ping\nping")
    client.tell_the_end()
    assert client.hear_all().count(b'"to":"ping"') == 2


def test_a_line_that_was_cut_off_is_not_carried_out(secure, by_hand):
    """Without close_notify anybody on the way may have cut it."""
    client = by_hand()
    client.until(client.tls.do_handshake)
    client.hear()
    client.say(b"ping\nclient was cut here: hello Cut")
    client.say(b"\nhello Halfaname")
    client.socket.shutdown(socket.SHUT_WR)
    heard = client.hear_all()
    assert heard.count(b'"to":"ping"') == 1 and b"Halfaname" not in heard
    secure.client().refused("create Halfaname", "no_such_player")


def test_half_a_handshake_holds_up_nobody(certificate, authority):
    with served(certificate) as server:
        clients = [ByHand(server.port_of("tls"), authority.context()) for _ in range(20)]
        for number, client in enumerate(clients):
            begin = client.begin()
            client.socket.sendall(begin[:len(begin) * number // 20])
        is_alive(server)
        server.terminate()  # and they don't hold up the end
        assert server.log().count("reason=stopping") == 20
        for client in clients:
            client.close()


def test_who_shakes_hands_while_it_stops_hears_bye(certificate, authority):
    with served(certificate) as server:
        half = ByHand(server.port_of("tls"), authority.context())
        half.socket.sendall(half.begin())
        silent = ByHand(server.port_of("tls"), authority.context())
        server.process.terminate()
        qttt.eventually(lambda: " stopping " in server.log())
        half.until(half.tls.do_handshake)
        assert half.hear_all() == b'{"type":"bye","reason":"shutdown","retry_ms":2000}\n'
        half.close()
        assert server.process.wait(qttt.SECONDS) == 0
        assert "stop_cut" not in server.log()
        silent.close()


def test_who_vanishes_during_the_handshake_or_later_is_let_go(secure, authority, by_hand):
    files = secure.descriptors()
    early, late = by_hand(), by_hand()
    early.socket.sendall(early.begin()[:50])
    late.until(late.tls.do_handshake)
    late.hear()
    for client in (early, late):
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.socket.close()
    qttt.eventually(lambda: secure.descriptors() <= files)
    is_alive(secure)


def test_a_proxy_header_in_the_midst_of_a_handshake_is_taken_for_bad_tls(secure, by_hand):
    client = by_hand()
    client.socket.sendall(client.begin() + b"\r\n\r\n\0\r\nQUIT\n")
    heard = b"".join(iter(lambda: client.socket.recv(65536), b""))
    assert heard[:1] == b"\x16"
    refused_so(secure, "reason=tls_error why=")
    assert "proxy_not_listed" not in secure.log()


@pytest.mark.parametrize("text", [b"hello ala\n", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                                  b'{"type":"ping"}\n', b"\0" * 100])
def test_plain_text_at_the_tls_door_gets_an_alert_and_is_closed(secure, text):
    with socket.create_connection(("127.0.0.1", secure.tls_port), timeout=qttt.SECONDS) as plain:
        plain.sendall(text)
        heard = b"".join(iter(lambda: plain.recv(100), b""))
    assert heard == ALERT_PROTOCOL_VERSION
    refused_so(secure, "reason=not_tls why=")


def test_garbage_inside_the_stream_ends_that_connection_alone(secure, authority):
    client = authority.client(secure.tls_port)
    plain = socket.socket(fileno=os.dup(client.socket.fileno()))
    plain.sendall(b"\x17\x03\x03\x00\x20" + b"\xaa" * 32)
    with pytest.raises((ssl.SSLError, qttt.Closed, ConnectionError)):
        client.read_line()
    plain.close()
    client.close()
    is_alive(secure)


def test_tls_at_the_plain_door_is_garbage(secure, by_hand, authority):
    with pytest.raises(ssl.SSLError):
        authority.client(secure.port)
    is_alive(secure)


def test_when_there_is_no_room_that_is_told_by_tls_too(certificate, authority):
    cert, key = certificate
    with qttt.Server("--listen-tls", "127.0.0.1:0", "--cert", cert, "--key", key,
                     "--max-connections", "2", limits=True) as server:
        inside = [server.client() for _ in range(2)]
        extra = authority.client(server.port_of("tls"), welcome=False)
        assert extra.read()["code"] == "too_many_connections"
        extra.expect_closed()
        extra.close()
        inside[0].ok("ping")


# ---- Certificates ----


def copy(certificate, folder):
    cert, key = str(folder / "served.pem"), str(folder / "served.key")
    shutil.copy(certificate[0], cert)
    shutil.copy(certificate[1], key)
    return cert, key


def common_name(client):
    return dict(pair[0] for pair in client.socket.getpeercert()["subject"])["commonName"]


def hang_up(server, event):
    before = server.log().count(event)
    server.process.send_signal(signal.SIGHUP)
    qttt.eventually(lambda: server.log().count(event) > before, what=event)


def test_a_new_certificate_is_served_after_sighup_and_nobody_is_dropped(authority, certificate,
                                                                         tmp_path):
    paths = copy(certificate, tmp_path)
    with served(paths) as server:
        port = server.port_of("tls")
        old = authority.client(port)
        half = ByHand(port, authority.context())
        half.socket.sendall(half.begin())
        assert common_name(old) == "server"
        copy(authority.sign("renewed"), tmp_path)
        hang_up(server, "certificate_loaded")
        new = authority.client(port)
        assert common_name(new) == "renewed"
        for client in (old, new):
            client.ok("ping")
        half.until(half.tls.do_handshake)
        for client in (old, new, half):
            client.close()


def test_a_bad_new_certificate_keeps_the_old_one_and_is_logged(authority, certificate, tmp_path):
    cert, key = copy(certificate, tmp_path)
    with served((cert, key)) as server:
        port = server.port_of("tls")
        for spoil in (lambda: shutil.copy(authority.sign("other")[0], cert),
                      lambda: open(cert, "w", encoding="ascii").close(),
                      lambda: os.remove(cert)):
            spoil()
            hang_up(server, "error certificate_kept")
            client = authority.client(port)
            assert common_name(client) == "server"
            client.close()
        for words in ("does not belong", "no certificate in PEM", "No such file"):
            assert words in server.log()


def start(*options):
    return subprocess.run([qttt.qtttd_path(), "--listen", "127.0.0.1:0", "--db", "none", *options],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=qttt.SECONDS, check=False)


def wrong_certificates(authority, certificate, folder):
    cert, key = copy(certificate, folder)
    empty = folder / "empty.pem"
    empty.write_text("")
    open_key = folder / "open.key"
    shutil.copy(key, open_key)
    os.chmod(open_key, 0o644)
    locked = folder / "locked.key"
    subprocess.run(["openssl", "ec", "-in", key, "-aes256", "-passout", "pass:secret", "-out",
                    locked], check=True, stderr=subprocess.DEVNULL)
    os.chmod(locked, 0o600)
    other = authority.sign("stranger")[1]
    missing = str(folder / "missing.pem")
    return [
        (missing, key, f"can't read the certificate: No such file or directory: {missing}"),
        (cert, missing, f"can't read the key: No such file or directory: {missing}"),
        (str(empty), key, f"there is no certificate in PEM in this file: {empty}"),
        (cert, cert, f"the key can be read by others (chmod o= it): {cert}"),
        (cert, str(open_key), f"the key can be read by others (chmod o= it): {open_key}"),
        (cert, str(locked), f"there is no key in PEM without a passphrase in this file: {locked}"),
        (cert, other, f"the key does not belong to the certificate: {other}, {cert}"),
    ]


def test_a_certificate_that_can_not_be_served_is_told_at_the_start(authority, certificate,
                                                                    tmp_path):
    for cert, key, sentence in wrong_certificates(authority, certificate, tmp_path):
        options = ["--listen-tls", "127.0.0.1:0", "--cert", cert, "--key", key]
        for more in ([], ["--check-config"]):
            done = start(*options, *more)
            assert (done.returncode, done.stdout) == (78, "")
            assert f"qtttd: {sentence}\n" in done.stderr


@pytest.mark.parametrize("options, sentence", [
    (["--listen-tls", "127.0.0.1:0"], "--listen-tls wants --cert too"),
    (["--listen-tls", "127.0.0.1:0", "--cert", "a"], "--listen-tls wants --key too"),
    (["--key", "a"], "--cert and --key go together: --cert is missing"),
])
def test_options_that_lack_their_companion_exit_64(options, sentence):
    done = start(*options)
    assert done.returncode == 64 and sentence in done.stderr


def test_an_expired_certificate_is_served_with_a_warning(authority):
    """Whoever watches the log can still be helped; clients see for themselves."""
    with served(authority.sign("expired", days=-1)) as server:
        assert "warn certificate_expired" in server.log()
        with pytest.raises(ssl.SSLCertVerificationError, match="expired"):
            authority.client(server.port_of("tls"))
