"""The dialogues of protocol/PROTOCOL.md and of tests/golden, each with a server of its own."""

import re

import pytest

import dialogue
import qttt


def documented():
    """(heading, text) of each dialogue in PROTOCOL.md."""
    text = (qttt.ROOT / "protocol" / "PROTOCOL.md").read_text("utf-8")
    heading = None
    for found in re.finditer(r"^#+ (?P<heading>[^\n]*)$|^```dialogue\n(?P<text>.*?)^```$", text,
                             re.DOTALL | re.MULTILINE):
        if found["heading"]:
            heading = found["heading"]
        else:
            yield pytest.param(found["text"], id=heading)


def golden():
    for path in sorted((qttt.ROOT / "tests" / "golden").glob("*.txt")):
        yield pytest.param(path.read_text("utf-8"), id=path.stem)


@pytest.fixture
def fresh_server():
    server = qttt.Server(db="none", admin=True)
    yield server
    server.stop()


@pytest.mark.parametrize("text", list(documented()))
def test_a_dialogue_of_the_document_is_true(fresh_server, text):
    dialogue.play(fresh_server, text)


def test_the_document_has_a_dialogue_for_each_theme():
    assert len(list(documented())) >= 6
    assert len(list(golden())) >= 12


@pytest.mark.parametrize("text", list(golden()))
def test_a_golden_dialogue_is_true(fresh_server, text):
    dialogue.play(fresh_server, text)


# ---- the player of dialogues itself: it must be able to fail ----


@pytest.mark.parametrize("text", [
    'A> ping\nA< {"type":"ok","to":"pong","now_ms":…}',
    'A> ping\nA< {"type":"ok","to":"ping"}',
    'A> ping\nA< {"to":"ping","type":"ok","now_ms":…}',
    'A> ping\nA< {"type":"ok","to":"ping","now_ms":…,"more":1}',
    'A> ping\nA> ping\nA< {"type":"ok","to":"ping","now_ms":…}',
    'A> ping id=1\nA< {"type":"ok","re":"1",…}',
    'A> hello\nA< {"type":"ok","to":"hello","name":"GUEST1","token":"GUEST1","rooms":[]}',
    'A> hello\nA< {"type":"ok","to":"hello","name":"host-…","token":"…","rooms":[]}',
    'A> hello\nA< {"type":"ok",…,"rooms":["ROOM1"]}',
    'A> ping\nA< …\nA< {"type":"error",…}',
    'A> text only\nA< {"type":"ok",…}',
    'A> text only\nA< …\nA> who\nA< # Online: 7.',
    'A> text only\nA< # From now on you are told in JSON…',
    'A> hello\nA< …\nA> text only\nA< # ROOM1 now on…\nA> ping\nA< # ROOM1 server…',
    'A> text only\nA< …\nA> who\nA< # Online: 0.\nA> who',
    "nonsense",
], ids=["value", "member not shown", "order", "member not there", "reply left over", "kind",
        "two names for one", "text", "list", "never comes", "words for JSON",
        "other words", "words", "made-up words", "words left over", "no dialogue"])
def test_a_dialogue_that_is_not_true_fails(fresh_server, text, monkeypatch):
    monkeypatch.setattr(qttt, "SECONDS", 0.3)
    with pytest.raises(AssertionError):
        dialogue.play(fresh_server, text)
    monkeypatch.undo()


@pytest.mark.parametrize("text", [
    'A> ping\nA< …',
    'A> ping\nA> ping\nA< …\nA< {"type":"ok",…}\nA< {…}',
    'A> text only\nA< # From…\nA> who\nA< # Online: 0.\nA> quit\nA< # ok: quit\nA< # Goodbye.',
    'A< {"type":"welcome",…}\nA> ping\nA< {"type":"ok","to":"…g",…}',
    '# nothing\n\n',
], ids=["anything", "anything up to", "words", "welcome", "empty"])
def test_a_dialogue_that_is_true_passes(fresh_server, text):
    dialogue.play(fresh_server, text)
