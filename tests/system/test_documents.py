"""protocol/PROTOCOL.md names every request, member, event, code and limit, and no other."""

import json
import re
import subprocess

import pytest

import qttt

TEXT = (qttt.ROOT / "protocol" / "PROTOCOL.md").read_text("utf-8")
# Known by the decoder and refused: the document has them under "Not in this version".
NOT_SERVED = {("hello", "renew")}


def tables(first_header):
    """The rows (lists of cells) of every table whose first column is headed so."""
    rows, inside = [], False
    for line in TEXT.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif cells[0] == first_header:
            inside = True
        elif inside and not set(line) <= set("|-: "):
            rows.append(cells)
    return rows


def members(cell):
    """{name: may it be left out}"""
    return {name: mark == "?" for name, mark in re.findall(r"`(\w+)`(\??)", cell)}


def requests_in(header):
    return {row[0].strip("`"): (members(row[1]), members(row[2])) for row in tables(header)}


REQUESTS = requests_in("request")
OPERATORS = requests_in("operator's request")
EVENTS = {row[0].strip("`"): members(row[1]) for row in tables("event")}
CODES = [row[0].strip("`") for row in tables("code")]
# Options with a number that is no limit.
NO_LIMITS = {"keep-over", "keep-events", "keep-guests", "first-move", "claim-grace", "claim-untimed", "untouched",
             "lobby-away", "close-away", "bot-pace", "workers", "solver-mib"}
LIMITS = [row[0].strip("`") for row in tables("limit")]
SNAPSHOT = {"room", "seq", "at_ms", "status", "players", "private", "title", "settings", "clock",
            "spectators", "draw_offer", "board", "result", "chat"}
SUMMARY = {"room", "status", "players", "clock", "rated", "title", "move", "spectators", "created_ms"}


def words_of_enum(prefix, header="message.h"):
    """The words of an enum of the protocol's headers, as the wire has them."""
    text = (qttt.ROOT / "protocol" / header).read_text("utf-8")
    found = re.findall(rf"^\s*{prefix}_([A-Z_]+)\b[,\s]", text, re.MULTILINE)
    inline = re.findall(rf"[{{,]\s*{prefix}_([A-Z_]+)\b", text)
    return {word.lower() for word in found + inline} - {"count", "none"}


def served_to(client):
    return {row["type"]: {member.rstrip("?"): member.endswith("?") for member in row["members"]
                          if (row["type"], member.rstrip("?")) not in NOT_SERVED}
            for row in client.ok("help")["requests"]}


def test_every_request_and_member_is_documented_and_no_other(server):
    assert served_to(server.client()) == {name: taken for name, (taken, _) in REQUESTS.items()}


def test_an_operators_requests_are_documented_and_told_at_his_door_alone():
    with qttt.Server(admin=True, db="none") as own:
        assert served_to(own.operator()) == {
            name: taken for name, (taken, _) in (REQUESTS | OPERATORS).items()}


def test_what_is_known_and_not_served_is_refused_and_documented(server):
    section = TEXT.split("## Not in this version")[1]
    for type_, member in NOT_SERVED:
        server.client().refused({"type": type_, member: True}, "bad_request", field=member)
        assert f"`{member}`" in section and f"`{type_}`" in section


def test_help_and_the_document_name_the_bots_that_there_are(server):
    requests = server.client().ok("help create")["requests"]
    assert re.search(r"\bbot\b", requests[0]["about"])
    for bot in sorted(set(re.findall(r"`(bot-\w+)`", TEXT))):
        assert server.client().ok(f"create {bot}")["state"]["status"] == "playing"


@pytest.mark.parametrize("words", ["?", "/help", "exit", "{help}"])
def test_whoever_is_lost_is_pointed_to_help(server, words):
    assert "ask for help" in server.client().ask(words)["message"]


def test_whoever_comes_back_without_the_token_is_told_of_it(server):
    server.client().ok("hello Ewa")
    assert "hello token=" in server.client().refused("hello Ewa", "name_taken")["message"]


def test_every_code_is_documented_once_and_no_other():
    assert sorted(CODES) == sorted(words_of_enum("CODE", "codes.h"))


def test_every_event_is_documented_and_no_other():
    assert set(EVENTS) == words_of_enum("EVENT")


@pytest.mark.parametrize("prefix", ["REASON", "CAUSE", "BYE", "STATUS", "PHASE", "LOBBY"])
def test_every_word_is_documented(prefix):
    words = words_of_enum(prefix)
    assert words
    assert not [word for word in words if f"`{word}`" not in TEXT]


def test_every_limit_is_documented_and_no_other():
    with qttt.Server(limits=True) as server:
        limits = server.client().welcome["limits"]
    assert set(limits) == set(LIMITS)
    assert all(isinstance(value, int) and value > 0 for value in limits.values())


def test_the_table_of_limits_tells_their_real_values():
    sample = subprocess.run([qttt.qtttd_path(), "--print-config"], capture_output=True, text=True)
    values = dict(re.findall(r"^#([\w-]+) = (\d+)$", sample.stdout, re.MULTILINE))
    cells = [row[1] for row in tables("what is limited")]
    told = dict(re.findall(r"`([\w-]+)` \((\d+)[^)]*\)", " ".join(cells)))
    assert told == {name: value for name, value in values.items() if name not in NO_LIMITS}


def test_snapshots_and_boards_have_the_documented_members(server):
    documented = {name for row in tables("member") for name in members(row[0])}
    state = qttt.Game(server, title="All of it").joined["state"]
    assert list(state) == [name for name in (
        "room", "seq", "at_ms", "status", "players", "private", "title", "settings", "clock",
        "spectators", "draw_offer", "board", "result", "chat")]
    assert set(state) | set(state["board"]) == documented
    assert list(state["board"]) == ["move", "turn", "phase", "squares", "choices", "cycle",
                                    "outcomes"]


def everything(server):
    """Connections that between them have heard every event but notice and state-for-the-slow."""
    lobby, ala, ola, watcher = (server.client() for _ in range(4))
    for client, name in ((ala, "Ala"), (ola, "Ola"), (watcher, "Ela")):
        client.ok({"type": "hello", "name": name})
    lobby.ok("lobby follow")
    room = ala.ok("create Ola X title=Everything")["room"]
    ola.expect("invited")
    watcher.ok(f"watch {room}")
    for client, words in (
            (ola, f"join {room}"), (ala, "move 1 5"), (ola, "draw"), (ala, "draw no"),
            (ola, "move 1 5"), (ala, "collapse 5"), (ala, "say hello"), (watcher, "say hm"),
            (ala, "move 2 3"), (ola, "resign"), (ala, "rematch"), (ola, "rematch"),
            (watcher, f"state {room} since=0"),
            (watcher, f"analyse {room} steps"), (ala, f"leave {room}"), (watcher, "who"),
            (watcher, "mute Ala"), (watcher, "lobby"), (watcher, "help"), (lobby, "match"),
            (ola, "ping"), (watcher, f"leave {room}"), (lobby, "leave"),
            (watcher, "text on"), (watcher, "text off")):
        client.ok(words)
    second = ala.ok("create Ola X")["room"]
    ola.ok(f"decline {second}")
    third = qttt.Game(server)
    third.o.ok("abort")
    lobby.wait_for("lobby", change="removed")
    ola.wait_for("presence")
    for client in (ala, ola, watcher, lobby):
        client.ok("quit")
        client.expect_closed_after("bye")
    return [ala, ola, watcher, lobby]


def check_members(line, wanted, always, where):
    names = set(line) - {"type", ""}
    assert names <= set(wanted) | always, f"{where} has {sorted(names - set(wanted) - always)}"
    missing = {name for name, optional in wanted.items() if not optional} - names
    assert not missing, f"{where} lacks {sorted(missing)}"


def test_every_line_that_the_server_sends_has_the_documented_members(own_server):
    seen = set()
    for client in everything(own_server):
        for raw in client.heard:
            line = json.loads(raw)
            seen.add(line["type"])
            if line["type"] == "ok":
                seen.add(line["to"])
                check_members(line, REQUESTS[line["to"]][1], {"re", "to", "you", "token"}, raw)
            elif line["type"] == "state":
                check_members(line, dict.fromkeys(SNAPSHOT, True), set(), raw)
            elif line["type"] == "lobby":
                check_members(line, EVENTS["lobby"], SUMMARY, raw)
            elif line["type"] != "error":
                always = {"room", "seq", "at_ms"} if "seq" in line else set()
                check_members(line, EVENTS[line["type"]], always, raw)
    assert set(EVENTS) - seen <= {"notice"}
    assert set(REQUESTS) - seen <= {"abort", "claim"}
