"""A restart with sockets that a supervisor holds: nobody is refused, nothing promised is lost."""

import random

import pytest

import qttt
import restarts
from certificates import Authority
from supervisor import Supervised


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.mark.parametrize("patient", [True, False], ids=["as_told", "at_once"])
def test_restarts_under_load_refuse_nobody_and_lose_nothing(authority, patient):
    cert, key = authority.sign("server")
    seed = random.randrange(2**32)
    print("seed", seed)
    with Supervised(("tcp", "tls"), "--cert", cert, "--key", key) as server:
        tally = restarts.run(server, authority.context(), pairs=9, times=3, every_seconds=0.7,
                             patient=patient, seed=seed)
        assert restarts.lost_actions(server, tally) == []
        assert tally.refused == 0 and tally.cut["tcp"] == 0
        # Whoever takes longer than a second for his handshake is not waited for.
        assert tally.cut["tls"] <= server.log().count("reason=stopping")
        assert tally.returns >= 3 * 9 and tally.actions > 0 and tally.knocks > 0
        qttt.tell(f"{tally.actions} actions, {tally.returns} returns, {tally.knocks} newcomers, {tally.turned} of them told to come again, {tally.cut['tls']} "
                  f"cut while they shook hands; longest silence {1000 * tally.silence:.0f} ms, "
                  f"for newcomers "
                  f"{1000 * tally.knock_silence:.0f} ms; no server for "
                  f"{1000 * tally.gap:.0f} ms")
