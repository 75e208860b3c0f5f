"""Bots and analyses by the real server: its threads, its clock, its store."""

import json
import random
import re

import pytest

import qttt

GAMES = 6
# What the start is worth to X when both play perfectly; to O it is that much less.
START = 0.5


@pytest.fixture(scope="module")
def fast_server():
    """Bots answer at once."""
    server = qttt.Server("--bot-pace", "0")
    yield server
    server.stop()


def positions():
    """The published positions: (actions, value, each) as on the wire."""
    with open(qttt.VECTORS / "values.jsonl", encoding="utf-8") as file:
        for line in map(json.loads, file):
            actions = [{"squares": where} if kind == "move" else {"square": where}
                       for kind, where in line["actions"]]
            yield actions, line["value"], line["each"]


def as_each(each, phase):
    """What `each` of a published position is on the wire."""
    if phase == "collapse":
        return [{"square": where, "value": value} for where, value in each]
    return [{"squares": sorted(set(where)), "value": value} for where, value in each]


def legal_actions(board):
    """Words for every legal action of a board."""
    if board["phase"] == "collapse":
        return [f"collapse {square}" for square in board["choices"]]
    free = [i + 1 for i, square in enumerate(board["squares"]) if isinstance(square, list)]
    if len(free) == 1:
        return [f"move {free[0]}"]
    return [f"move {a} {b}" for a in free for b in free if a < b]


def play_out(client, state, choose):
    """The game against a bot to its end: the score, as the bot's points minus ours."""
    seat = next(letter for letter in "XO" if not state["players"][letter]["name"].startswith("bot"))
    board = state["board"]
    while board["phase"] != "over":
        if board["turn"] == seat:
            client.ok(choose(board) + f" room={state['room']}")
        line = client.wait_for_board(state["room"])
        board = line["board"]
    ended = line if line["type"] == "ended" else client.wait_for("ended", room=state["room"])
    ours, theirs = (ended["score"][letter] for letter in (seat, "XO".replace(seat, "")))
    return theirs - ours


class Player(qttt.Client):
    def wait_for_board(self, room):
        while True:
            line = self.next_event()
            if line["type"] in ("moved", "collapsed", "ended") and line["room"] == room:
                return line


@pytest.mark.parametrize("bot", ["bot-random", "bot-good", "bot-perfect"])
@pytest.mark.parametrize("side", ["X", "O"])
def test_a_bot_plays_whole_games(fast_server, bot, side):
    choice = random.Random(f"{bot} {side}")
    client = Player(fast_server.port)
    for _ in range(GAMES):
        state = client.ok(f"create {bot} {side}")["state"]
        won = play_out(client, state, lambda board: choice.choice(legal_actions(board)))
        if bot == "bot-perfect":
            assert won >= (START if side == "O" else -START)
    client.close()


def test_a_perfect_bot_gives_nothing_away_at_any_step(fast_server):
    choice = random.Random(5)
    client = Player(fast_server.port)
    for side in "XO":
        state = client.ok(f"create bot-perfect {side}")["state"]
        play_out(client, state, lambda board: choice.choice(legal_actions(board)))
        told = client.ok(f"analyse {state['room']} steps")
        events = [line for line in since(client, state["room"]) if line["type"] in
                  ("moved", "collapsed")]
        assert len(told["steps"]) == len(events) + 1
        for event, before, after in zip(events, told["steps"], told["steps"][1:]):
            if event["by"] != side:
                assert before == after, event
    client.close()


def since(client, room):
    """All events of a room."""
    client.waiting.clear()
    client.ok(f"state {room} since=0")
    return list(client.waiting)


def test_every_published_position_is_worth_what_was_published(server):
    client = server.client()
    count = 0
    for actions, value, each in positions():
        told = client.ok({"type": "analyse", "actions": actions})
        assert told["value"] == value
        assert told["each"] == as_each(each, told["board"]["phase"])
        assert b"-0," not in told[""] and b"-0}" not in told[""]
        count += 1
    assert count >= 100


def test_many_analyses_at_once_are_each_answered_once(server):
    wanted = list(positions())[:32]
    clients = [server.client() for _ in range(4)]
    for i, (actions, _, _) in enumerate(wanted):
        clients[i % 4].send({"type": "analyse", "id": i, "actions": actions})
    for i, client in enumerate(clients):
        client.ok("ping")
    for i, client in enumerate(clients):
        told = {}
        while len(told) < 8:
            line = client.waiting.popleft() if client.waiting else client.read()
            assert line["type"] == "ok", line
            told[line["re"]] = line["value"]
        assert told == {j: wanted[j][1] for j in range(i, 32, 4)}


def test_who_ends_his_input_gets_his_analysis_before_the_end(server):
    client = server.client()
    client.send("analyse record=1:X(1-9)")
    client.half_close()
    client.expect("ok", to="analyse", value=START)
    client.expect_closed()


def test_a_connection_that_goes_in_the_middle_of_an_analysis_leaves_the_others_alone():
    with qttt.Server() as server:
        for _ in range(10):
            client = server.client()
            client.send("analyse actions=\nanalyse actions=1-2\nanalyse actions=1-5")
            client.drop()
        assert server.client().ok("analyse actions=1-9")["value"] == START


def test_a_bot_takes_its_time():
    with qttt.Server("--bot-pace", "200") as server:
        client = server.client()
        client.ok("create bot-random O")
        assert client.expect("moved")["by"] == "X"


def test_a_bot_goes_on_after_kill_9():
    with qttt.Server("--bot-pace", "1000") as server:
        client = server.player("Ala")
        room = client.ok("create bot-perfect O")["room"]
        server.kill()
        server.start()
        watcher = server.client()
        state = watcher.ok(f"watch {room}")["state"]
        if state["seq"] == 4:
            assert watcher.expect("moved")["by"] == "X"


def test_it_stops_at_once_while_it_thinks_and_while_it_warms():
    with qttt.Server() as server:
        client = server.client()
        for _ in range(3):
            client.send("analyse actions= id=1")
        client.ok("ping")
        server.terminate()


def test_the_log_tells_when_the_solvers_are_warm(server):
    qttt.eventually(lambda: re.search(r"solver_warm workers=\d", server.log()), seconds=120,
                    what="solver_warm")


def test_as_many_workers_as_are_asked_for_share_the_memory():
    with qttt.Server("--workers", "3", "--solver-mib", "3") as server:
        assert server.client().ok("analyse actions=1-9")["value"] == START
        threads = qttt.Path(f"/proc/{server.process.pid}/task").glob("*/comm")
        names = [thread.read_text("ascii").strip() for thread in threads]
        assert names.count("qtttd-work") == 3
