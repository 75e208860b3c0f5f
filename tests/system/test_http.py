"""What is told by HTTP: /healthz and /metrics; and how little a bad client gets."""

import contextlib
import http.client
import re
import socket
import sqlite3
import time

import pytest

import prometheus
import qttt

HTTP_CONNECTIONS_MAX = 256


@pytest.fixture(scope="module")
def told():
    """A server that tells by HTTP."""
    with qttt.Server("--http", "127.0.0.1:0") as server:
        yield server


def ask(server, path, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", server.port_of("http"),
                                            timeout=qttt.SECONDS)
    connection.request(method, path)
    answer = connection.getresponse()
    answer.text = answer.read().decode("utf-8")
    connection.close()
    return answer


def metrics(server):
    answer = ask(server, "/metrics")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return prometheus.read(answer.text)


def raw(server, data):
    """All that comes for these bytes, up to the end."""
    with socket.create_connection(("127.0.0.1", server.port_of("http")),
                                  timeout=qttt.SECONDS) as client:
        client.sendall(data)
        return b"".join(iter(lambda: client.recv(65536), b"")).decode("utf-8")


# ---- Health ----


def test_a_server_that_is_well_says_so(told):
    answer = ask(told, "/healthz")
    assert (answer.status, answer.text) == (200, "ok\n")
    assert answer.headers["Cache-Control"] == "no-store"


def test_without_a_database_it_is_well_too():
    with qttt.Server("--http", "127.0.0.1:0", db="none") as server:
        assert ask(server, "/healthz").status == 200


def test_a_store_that_can_not_be_written_to_is_told_until_it_can(told):
    holder = sqlite3.connect(told.db, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    answer = ask(told, "/healthz")
    assert answer.status == 503 and answer.text.startswith("The store ")
    holder.execute("ROLLBACK")
    holder.close()
    qttt.eventually(lambda: ask(told, "/healthz").status == 200)


def test_a_client_that_does_not_wait_for_the_answer_does_no_harm(told):
    holder = sqlite3.connect(told.db, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    for _ in range(10):
        client = socket.create_connection(("127.0.0.1", told.port_of("http")))
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        client.close()
    holder.execute("ROLLBACK")
    holder.close()
    qttt.eventually(lambda: ask(told, "/healthz").status == 200)


def test_a_disk_that_hangs_is_told(tmp_path, monkeypatch):
    frozen = qttt.preload_frozen_disk(monkeypatch, tmp_path)
    with qttt.Server("--http", "127.0.0.1:0") as server:
        monkeypatch.delenv("LD_PRELOAD")
        assert ask(server, "/healthz").status == 200
        frozen.touch()
        for _ in range(2):
            answer = ask(server, "/healthz")
            assert (answer.status, answer.text) == (503, "The store does not answer.\n")
        frozen.unlink()
        qttt.eventually(lambda: ask(server, "/healthz").status == 200)


# ---- Metrics ----


def test_the_metrics_are_what_the_format_promises(told):
    families = metrics(told)
    assert {"qttt_build_info", "process_start_time_seconds", "qttt_requests_total",
            "qttt_reply_seconds", "qttt_store_commit_seconds"} <= set(families)
    started = prometheus.value(families, "process_start_time_seconds")
    assert abs(time.time() - started) < 600
    version = re.search(r"version: '([^']+)'", (qttt.ROOT / "meson.build").read_text("utf-8"))[1]
    assert prometheus.value(families, "qttt_build_info", version=version) == 1


def grown(server, before, name, **labels):
    return prometheus.value(metrics(server), name, **labels) \
        - prometheus.value(before, name, **labels)


def test_a_game_is_counted():
    with qttt.Server("--http", "127.0.0.1:0") as server:
        before = metrics(server)
        game = qttt.Game(server, watchers=1)
        game.play("1-7", "6-8")
        game.x.refused({"type": "move", "squares": [1, 1]}, "same_square")
        game.x.refused("nonsense", "unknown_type")
        after = metrics(server)
        for name, labels, value in (
                ("qttt_requests_total", {"type": "move", "code": "ok"}, 2),
                ("qttt_requests_total", {"type": "move", "code": "same_square"}, 1),
                ("qttt_requests_total", {"type": "none", "code": "unknown_type"}, 1),
                ("qttt_requests_total", {"type": "join", "code": "ok"}, 1),
                ("qttt_connections", {}, 3), ("qttt_sessions", {}, 3),
                ("qttt_connections_accepted_total", {"door": "tcp"}, 3),
                ("qttt_rooms", {"status": "playing"}, 1), ("qttt_rooms", {"status": "waiting"}, 0),
                ("qttt_lines_total", {}, 7), ("qttt_reply_seconds_count", {}, 7)):
            assert prometheus.value(after, name, **labels) == value, (name, labels)
        assert prometheus.value(after, "qttt_store_batches_total", outcome="stored") >= 6
        assert prometheus.value(after, "qttt_store_commit_batches_sum") >= 6
        assert prometheus.value(after, "qttt_store_commit_seconds_count") >= 1
        assert prometheus.value(after, "qttt_received_bytes_total") > 100
        assert prometheus.value(after, "qttt_sent_bytes_total") > 1000
        game.x.ok("resign")
        assert grown(server, before, "qttt_rooms", status="over") == 1
        game.watchers[0].drop()
        qttt.eventually(lambda: grown(
            server, before, "qttt_connections_closed_total", reason="error") == 1)
        assert grown(server, before, "qttt_connections") == 2


def test_rooms_are_counted_the_same_after_a_restart(own_server):
    server = own_server
    qttt.Game(server)
    over = qttt.Game(server)
    over.x.ok("resign")
    server.client().ok("create")
    server.terminate()
    server.options += ["--http", "127.0.0.1:0"]
    server.start()
    families = metrics(server)
    assert [prometheus.value(families, "qttt_rooms", status=status)
            for status in ("waiting", "playing", "over")] == [1, 1, 0]


def test_a_reader_that_fell_behind_is_counted():
    with qttt.Server("--http", "127.0.0.1:0", "--behind-bytes", "4096") as server:
        game = qttt.Game(server)
        deaf = server.client(receive_buffer=4096)
        deaf.ok({"type": "watch", "room": game.room})
        deaf.send_in_background(b"help\n" * 20000)
        qttt.eventually(lambda: prometheus.value(
            metrics(server), "qttt_output_waiting_bytes") > 100000)
        game.play("1-7", "6-8")
        assert prometheus.value(metrics(server), "qttt_sessions_fell_behind_total") == 1
        deaf.drop()
        qttt.eventually(lambda: prometheus.value(
            metrics(server), "qttt_output_waiting_bytes") == 0)


# ---- For whom it is ----


def status_from(server, source, path="/metrics", forwarded=None):
    header = b"" if forwarded is None else b"X-Forwarded-For: " + forwarded + b"\r\n"
    with socket.create_connection(("127.0.0.1", server.port_of("http")), timeout=qttt.SECONDS,
                                  source_address=(source, 0)) as client:
        client.sendall(b"GET " + path.encode("ascii") + b" HTTP/1.0\r\n" + header + b"\r\n")
        return int(client.recv(65536).split()[1])


def test_numbers_are_not_for_what_a_proxy_hands_on(told):
    for path in ("/metrics", "/healthz"):
        assert status_from(told, "127.0.0.1", path) == 200
        for forwarded in (b"192.0.2.1", b"127.0.0.1", b"", b"nonsense"):
            assert status_from(told, "127.0.0.1", path, forwarded) == 404


def test_whom_the_operator_names_sees_the_numbers_behind_his_proxy_too():
    with qttt.Server("--http", "0", "--proxy-from", "127.0.0.2", "--metrics-from",
                     "192.0.2.0/24") as server:
        assert status_from(server, "127.0.0.2") == 200  # the proxy itself, as it asks for health
        assert status_from(server, "127.0.0.2", forwarded=b"192.0.2.7") == 200
        assert status_from(server, "127.0.0.2", forwarded=b"198.51.100.7") == 404
        assert status_from(server, "127.0.0.2", forwarded=b"192.0.2.7, 198.51.100.7") == 404
        assert status_from(server, "127.0.0.1", forwarded=b"192.0.2.7") == 404


# ---- The protocol ----


def test_head_is_get_without_a_body(told):
    answer = raw(told, b"HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert answer.startswith("HTTP/1.1 200 OK\r\n") and "Content-Length: 3\r\n" in answer
    assert answer.endswith("\r\n\r\n")


def test_requests_may_come_many_on_one_connection_and_before_the_answers(told):
    one = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    answer = raw(told, one * 20 + b"GET /metrics HTTP/1.0\r\n\r\n")
    assert answer.count("HTTP/1.1 200 OK\r\n") == 21 and answer.count("\r\n\r\nok\n") == 20
    assert answer.endswith("\n") and "qttt_build_info" in answer


@pytest.mark.parametrize("path", ["/healthz/", "/metrics.php", "/../etc/passwd", "//healthz",
                                  "/%68ealthz"])
def test_there_is_nothing_else(told, path):
    assert ask(told, path).status == 404


def test_what_follows_a_question_mark_changes_nothing(told):
    assert ask(told, "/healthz?verbose").status == 200


@pytest.mark.parametrize("data, status", [
    (b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", 405),
    (b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 413),
    (b"GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 413),
    (b"GET /" + b"x" * 9000, 431), (b'{"type":"ping"}\n\n', 400), (b"\x16\x03\x01\0\0\0", 400),
    (b"GET /healthz HTTP/1.1\r\nHost: a\r\n" + b"X: " + b"y" * 70000 + b"\r\n\r\n", 431),
    (b"GET /healthz HTTP/3.0\r\nHost: a\r\n\r\n", 505),
])
def test_what_it_does_not_take_is_refused_and_closed(told, data, status):
    answer = raw(told, data)
    assert answer.startswith(f"HTTP/1.1 {status} ") and answer.count("HTTP/1.1") == 1
    assert "Connection: close\r\n" in answer
    assert ("Allow: GET, HEAD\r\n" in answer) == (status == 405)


def test_there_are_few_connections_and_they_come_free_again(told):
    port = told.port_of("http")
    qttt.eventually(lambda: ask(told, "/healthz").status == 200)
    busy = [socket.create_connection(("127.0.0.1", port)) for _ in range(HTTP_CONNECTIONS_MAX)]
    for client in busy:
        client.sendall(b"GET /")

    def told_that_it_is_full():
        # Whose bytes had not come yet may have made room.
        busy.append(socket.create_connection(("127.0.0.1", port)))
        with contextlib.suppress(ConnectionError):
            busy[-1].sendall(b"GET /")
        try:
            return ask(told, "/healthz").status == 503
        except ConnectionError:
            return True  # it was closed over the request, which had come by then
    qttt.eventually(told_that_it_is_full)
    told.client().ok("ping")
    for client in busy:
        client.close()
    qttt.eventually(lambda: ask(told, "/healthz").status == 200)


def test_whoever_asks_for_nothing_keeps_nobody_out(told):
    port = told.port_of("http")
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(2 * HTTP_CONNECTIONS_MAX)]
    for _ in range(10):
        assert ask(told, "/healthz").status == 200
    for client in idle:
        client.close()


def test_one_address_has_only_its_share_and_a_proxy_what_it_needs():
    with qttt.Server("--http", "0", "--connections-per-address", "3", limits=True) as server, \
            qttt.Server("--http", "0", "--connections-per-address", "3", "--proxy-from",
                        "127.0.0.1", limits=True) as behind:
        for one, is_full in ((server, True), (behind, False)):
            port = one.port_of("http")
            busy = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
            for client in busy:
                client.sendall(b"GET /")
            other = socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0))
            other.sendall(b"GET / HTTP/1.0\r\n\r\n")
            assert other.recv(65536).startswith(b"HTTP/1.1 200 ")
            for client in (socket.create_connection(("127.0.0.1", port)),):
                client.sendall(b"GET / HTTP/1.0\r\n\r\n")
                said = client.recv(65536)
                assert said.startswith(b"HTTP/1.1 503 " if is_full else b"HTTP/1.1 200 ")
                client.close()
            for client in (*busy, other):
                client.close()


def test_whoever_is_connected_does_not_hold_up_the_end():
    with qttt.Server("--http", "127.0.0.1:0") as server:
        idle = [socket.create_connection(("127.0.0.1", server.port_of("http")))
                for _ in range(3)]
        idle[0].sendall(b"GET /heal")
        server.terminate()
        for client in idle:
            client.close()


def test_a_port_alone_is_on_this_machine():
    with qttt.Server("--http", "0") as server:
        assert re.search(r"listening http 127\.0\.0\.1:\d+\n", server.out())
        assert ask(server, "/healthz").status == 200
