"""The page: how it is served, and how much of it there is before the first board."""

import http.client
import re
import signal
import subprocess

import pytest

import qttt
from certificates import Authority

WEB = qttt.ROOT / "server" / "web"
FILES = sorted(path for path in WEB.rglob("*") if path.is_file())
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
# What a browser loads by itself, and by what it finds it.
LOADED = {".html": r'<(?:script|link|img)\b[^>]*?\b(?:src|href)="([^"]+)"',
          ".js": r'^import\b[^;"]*"([^"]+)"', ".css": r'url\("?([^")]+)"?\)'}
BYTES_MAX = 100 * 1024
REQUESTS_MAX = 8


@pytest.fixture(scope="module")
def served():
    with qttt.Server("--http", "0", db="none") as server:
        yield server


def ask(server, path, method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port_of("http"),
                                            timeout=qttt.SECONDS)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    answer.data = answer.read()
    connection.close()
    return answer


def path_of(file):
    path = "/" + file.relative_to(WEB).as_posix()
    return path[:-len("index.html")] if path.endswith("/index.html") else path


@pytest.mark.parametrize("file", FILES, ids=path_of)
def test_each_file_is_served_as_it_is(served, file):
    answer = ask(served, path_of(file))
    assert answer.status == 200 and answer.data == file.read_bytes()
    assert answer.headers["Content-Type"] == TYPES.get(file.suffix, answer.headers["Content-Type"])
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy
    head = ask(served, path_of(file), "HEAD")
    assert head.data == b"" and head.headers["Content-Length"] == str(file.stat().st_size)


def test_who_has_a_file_is_told_so(served):
    first = ask(served, "/")
    etag = first.headers["ETag"]
    assert re.fullmatch(r'"[0-9a-f]{16}"', etag) and first.headers["Cache-Control"] == "no-cache"
    for known in (etag, "W/" + etag, '"other", ' + etag, "*"):
        again = ask(served, "/", **{"If-None-Match": known})
        assert (again.status, again.data, again.headers["ETag"]) == (304, b"", etag), known
    for other in ('"other"', "nonsense", etag[:-2] + '"'):
        assert ask(served, "/", **{"If-None-Match": other}).status == 200


@pytest.mark.parametrize("path", ["/index.html", "/nothing.js", "/web/", "/..", "/.gitignore", "/ws/",
                                  "/%2e%2e/etc/passwd", "//", "/index.html/"])
def test_there_is_nothing_beside_them(served, path):
    assert ask(served, path).status == 404


def test_many_requests_go_by_one_connection(served):
    connection = http.client.HTTPConnection("127.0.0.1", served.port_of("http"),
                                            timeout=qttt.SECONDS)
    for _ in range(3):
        for file in FILES:
            connection.request("GET", path_of(file))
            assert connection.getresponse().read() == file.read_bytes()
    connection.close()


def loads(file, seen):
    """All files that a browser loads for this one, itself included."""
    if file in seen:
        return
    seen.append(file)
    text = file.read_text("utf-8") if file.suffix in LOADED else ""
    for target in re.findall(LOADED.get(file.suffix, "$^"), text, re.MULTILINE):
        if target.startswith("data:"):
            continue
        assert "//" not in target, f"{file.name} asks a third party for {target}"
        whole = WEB / target.lstrip("/") if target.startswith("/") else file.parent / target
        assert whole.is_file(), f"{file.name} asks for {target}, which is not there"
        loads(whole.resolve(), seen)


def test_the_page_is_light(served):
    needed = []
    loads((WEB / "index.html").resolve(), needed)
    size = sum(file.stat().st_size for file in needed)
    all_of_it = sum(file.stat().st_size for file in FILES)
    # Beside its files the first board takes the WebSocket.
    qttt.tell(f"to the first board: {len(needed) + 1} requests, {size / 1024:.1f} KiB "
              f"uncompressed; {all_of_it / 1024:.1f} KiB in all")
    assert len(needed) + 1 <= REQUESTS_MAX, [file.name for file in needed]
    assert all_of_it <= BYTES_MAX
    assert ask(served, "/").status == 200


def test_by_https_it_is_the_same_and_reloads_its_certificate(tmp_path):
    authority = Authority(tmp_path)
    cert, key = authority.sign("server")
    with qttt.Server("--https", "127.0.0.1:0", "--cert", cert, "--key", key, db="none") as server:
        def fetch(path):
            connection = http.client.HTTPSConnection("localhost", server.port_of("https"),
                                                     timeout=qttt.SECONDS,
                                                     context=authority.context())
            connection.request("GET", path)
            answer = connection.getresponse().read()
            serial = connection.sock.getpeercert()["serialNumber"] if connection.sock else None
            connection.close()
            return answer, serial
        before = fetch("/")
        assert before[0] == (WEB / "index.html").read_bytes()
        for file in FILES:
            assert fetch(path_of(file))[0] == file.read_bytes()
        authority.sign("server")
        server.process.send_signal(signal.SIGHUP)
        qttt.eventually(lambda: server.log().count("certificate_loaded") == 2)
        assert fetch("/")[1] != before[1]


def test_https_wants_a_certificate():
    done = subprocess.run([qttt.qtttd_path(), "--https", "127.0.0.1:0"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 64 and "--https wants --cert too" in done.stderr
