"""The languages of qttt: which one it speaks, and that nothing of it is left untranslated."""

import json
import re
import shutil
from pathlib import Path

import pytest

import pseudo
import qttt
from seat import MOVES, play_moves
from test_client import run

CATALOGUE = Path(qttt.qttt_path()).parent / "po" / pseudo.CATALOGUE
PL = ("--language", "pl")
NO_OPTION = "qttt: Nie ma opcji --bogus.\nCo jest do wyboru, mówi qttt --help.\n"
NO_OPTION_ASCII = "qttt: Nie ma opcji --bogus.\nCo jest do wyboru, mowi qttt --help.\n"
NO_OPTION_ENGLISH = "qttt: There is no option --bogus.\nqttt --help tells what there is.\n"


# ---- which language ----


@pytest.mark.parametrize("options,environment,said", [
    ([], {}, NO_OPTION_ENGLISH),
    (["--language", "pl"], {}, NO_OPTION),
    (["--language=pl"], {"LC_ALL": "C", "LANG": "C.UTF-8"}, NO_OPTION_ASCII),
    (["--language", "pl"], {"LC_ALL": "", "LANG": ""}, NO_OPTION_ASCII),
    (["--language", "pl", "--ascii"], {}, NO_OPTION_ASCII),
    (["--language", "en"], {"LANGUAGE": "pl"}, NO_OPTION_ENGLISH),
    (["--language", "xx", "--language", "pl"], {}, "qttt: Opcja --language nie może mieć"),
    ([], {"LANGUAGE": "pl"}, NO_OPTION),
    ([], {"LANGUAGE": "de:pl"}, NO_OPTION),
    ([], {"LANGUAGE": "pl", "LC_ALL": "C"}, NO_OPTION_ENGLISH),
    # Asked for, and not generated on this machine.
    ([], {"LC_ALL": "pl_PL.UTF-8"}, NO_OPTION),
    ([], {"LC_ALL": "", "LC_MESSAGES": "pl_PL.UTF-8", "LANG": "C.UTF-8"}, NO_OPTION),
    ([], {"LC_ALL": "", "LANG": "pl_PL.UTF-8"}, NO_OPTION),
    ([], {"LC_ALL": "pl_PL.ISO-8859-2"}, NO_OPTION_ASCII),
    (["--language", "en"], {"LC_ALL": "pl_PL.UTF-8"}, NO_OPTION_ENGLISH),
    (["--", "--language", "pl"], {}, "qttt: One server is enough"),
])
def test_the_option_names_the_language_and_without_it_the_environment_does(
        options, environment, said):
    done = run(*options, *([] if "--" in options else ["--bogus"]), **{"LANGUAGE": "", **environment})
    assert done.returncode == 64
    assert done.stderr.startswith(said), done.stderr


def test_an_installed_program_finds_its_catalogue(tmp_path):
    program = tmp_path / "bin" / "qttt"
    catalogue = tmp_path / "share" / "locale" / pseudo.CATALOGUE
    program.parent.mkdir()
    shutil.copy(qttt.qttt_path(), program)
    assert run(*PL, "--bogus", program=program).stderr == NO_OPTION_ENGLISH
    catalogue.parent.mkdir(parents=True)
    shutil.copy(CATALOGUE, catalogue)
    assert run(*PL, "--bogus", program=program).stderr == NO_OPTION


def test_the_catalogue_is_installed_where_the_program_looks_for_it():
    build = Path(qttt.qttt_path()).resolve().parents[1]
    plan = json.loads((build / "meson-info" / "intro-install_plan.json").read_text("utf-8"))
    places = [row["destination"] for rows in plan.values() for row in rows.values()]
    assert "{prefix}/share/locale/" + pseudo.CATALOGUE in places, places


def test_what_programs_read_is_the_same_in_every_language(server):
    address = f"127.0.0.1:{server.port}"
    for arguments, typed in ((["--version"], ""), (["--completion", "zsh"], ""),
                             (["--json", address], "ping\nmove 1 5\nquit\n")):
        told = [run("--language", language, *arguments, input_=typed).stdout
                for language in ("en", "pl")]
        told = [re.sub(r'"(now_ms|id|retry_ms)":\d+', "", text) for text in told]
        assert told[0] == told[1]
        assert told[0]


# ---- what is said ----


def test_a_game_in_polish_between_two_terminals(server, sit):
    ala = sit(server, *PL, "--name", "PolAla")
    ala.see("poczekalnia> ")
    ala.type("create X")
    ala.see("czekamy na kogoś do gry> ")
    room = re.search(r"join (\w+)", ala.screen.text())[1]
    ola = sit(server, *PL, "--name", "PolOla", "--join", room)
    play_moves(ala, ola, ("PolAla (X)", "PolOla (O)"), "{who}, ruch {number}: dwa pola> ",
               "{who} stawia znak na ")
    ola.see_line("czekamy na gracza PolAla> |")
    ola.type("1 5")
    ola.see("To nie twój ruch.")
    ala.see("O₈ na 3 albo 5")
    ala.see("[3]  O₈ na 3         [5]  O₈ na 5")
    ala.see("PolAla (X), pomiar: 3 czy 5> ")
    ala.type("5")
    ala.see("Wygrywa O, 1 do ½: ")
    ala.see("Przegrywasz. Jeszcze jedna gra: rematch")
    ola.see("Wygrywasz! Jeszcze jedna gra: rematch")
    ola.type("rematch")
    ala.see("PolOla proponuje rewanż: t czy n> ")
    ala.type("analyse")
    ala.see("PolOla (O) oddaje ")
    ala.type("nie")
    ala.see("Odrzucasz rewanż i opuszczasz pokój.")
    ala.type("quit")
    assert ala.wait() == 0


def test_polish_without_utf_8_is_written_in_ascii(server, sit):
    ala = sit(server, *PL, "--name", "AsciiAla", LC_ALL="C")
    ala.see("poczekalnia> ")
    ala.type("move 1 5")
    ala.see("Nie jestes w zadnym pokoju.")
    ala.type("rules")
    ala.see("splatane.")
    ala.type("help analyse")
    ala.see("Ile warte bylo kazde posuniecie i kto co oddal.")
    assert ala.raw.isascii()


@pytest.mark.parametrize("typed,said", [
    ("move 1 5", "move 1 5 – odmowa: Nie jesteś w żadnym pokoju. (not_in_room)"),
    ("watch zzzzz", "watch zzzzz – odmowa: Nie ma takiego pokoju. (no_such_room)"),
    ("hello 1", "hello 1 – odmowa: To nie może być nazwa: ma od 2 do 20 liter, cyfr, - lub _ i "
                "zaczyna się literą. (bad_name)"),
    ("mvoe 1 5", "mvoe 1 5 – odmowa: Nie ma takiego żądania; pomaga help. (unknown_type)"),
    ("lobby nothing", "lobby nothing – odmowa: „lobby” przyjmuje: status (waiting, playing, "
                      "over), limit=…, after=…, follow. (bad_request)"),
    ('{"type":"move","squares":[1,1]}', "move – odmowa: Nie jesteś w żadnym pokoju. (not_in_room)"),
    ("games after=x", "games after=x – odmowa: To nie jest kursor tej listy. (bad_request)"),
    ("hello bot-x", "hello bot-x – odmowa: Ta nazwa jest zastrzeżona. (bad_name)"),
    ("analyse record=1:X(1-7),2:O(2-2)", "– odmowa: Dwa pola muszą być różne. (bad_request)"),
    ("analyse record=x", "– odmowa: Tu ma stać numer ruchu. (bad_request)"),
    ('{"type":"move"}', "{...} – odmowa: \"move\" needs \"squares\". (bad_request)"),
])
def test_a_refusal_is_told_in_polish_if_its_sentence_is_whole_whoever_refused(server, typed, said):
    done = run(*PL, f"127.0.0.1:{server.port}", input_=typed + "\n")
    assert said in done.stdout, done.stdout
    assert done.returncode == 2


def test_an_operators_refusal_is_told_in_polish_and_a_ban_with_its_date_and_why():
    with qttt.Server(admin=True) as server:
        done = run(*PL, "--admin", server.admin,
                   input_="ban 10.0.0.1/8\nban PolEla 1h why=spam\n")
        assert "odmowa: To nie jest nazwa ani adres" in done.stdout, done.stdout
        address = f"127.0.0.1:{server.port}"
        done = run(*PL, address, input_="hello PolEla\n")
        assert re.search(r"odmowa: Tego tu nie wolno\. \(This name is banned until "
                         r"\S+ \S+ UTC: spam\) \(not_allowed\)", done.stdout), done.stdout


# The sentences of tables and macros; xgettext finds those that stand where they are said.
SENTENCE = re.compile(r'(?:_SENTENCE|\[RULES_\w+\] =) "([A-Z][^"]+)"')


def test_what_the_server_refuses_with_from_tables_is_in_the_catalogue():
    said = {text for folder in ("game", "play")
            for path in (qttt.ROOT / "server" / folder).glob("**/*.[ch]")
            for text in SENTENCE.findall(path.read_text("utf-8"))}
    assert len(said) >= 9
    template = (qttt.ROOT / "client-cli" / "po" / "qttt.pot").read_text("utf-8")
    known = {entry["msgid"] for entry in pseudo.catalogue.entries(template)}
    assert said <= known, said - known


def test_what_is_counted_is_told_in_the_right_form():
    with qttt.Server(admin=True) as server:
        for count, said in ((0, "połączeń"), (1, "połączenie"), (2, "połączenia"), (5, "połączeń"),
                            (12, "połączeń"), (22, "połączenia"), (25, "połączeń")):
            while len(server.clients) < count:
                server.client()
            done = run(*PL, "--admin", server.admin, input_="notice hej\n")
            assert done.stdout.splitlines()[-1] == f"Powiadomiono {count} {said}.", done.stdout


# ---- nothing untranslated ----

# Words that are the same in every language, that are typed, or that this file makes up.
SAID = """qttt qtttd UTC JSON TLS PEM HOST PORT netcat dev null invalid xx ala ola ela bot perfect good
    random y n accept decline board room rules keys help exit hint no yes table next back off"""
# Tokens, and the names of those who gave theirs up.
MADE_UP = re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])|\bgone-\w+")
ROOM = re.compile(r"(?:join|room|Room)[» ]+([a-z0-9]{5,12})\b")


def known_words():
    """Requests, their members, codes and the words of the wire, as PROTOCOL.md has them, and options."""
    text = (qttt.ROOT / "protocol" / "PROTOCOL.md").read_text("utf-8")
    options = run("--completion", "bash").stdout
    return set(pseudo.words(" ".join([*re.findall(r"`([^`\n]*)`", text), options, SAID]).lower()))


def untranslated(told, *known):
    """Lines with words outside of brackets that nobody typed and that are no words of the wire."""
    rooms = {*ROOM.findall(told), *known}
    allowed = known_words() | set(pseudo.words(" ".join(known).lower()))
    kept = re.sub(r"\b[a-z0-9]{5,12}\b", lambda found: "" if found[0] in rooms else found[0],
                  MADE_UP.sub("", pseudo.outside(told)))
    return [line for line in kept.splitlines()
            if any(word not in allowed for word in pseudo.words(line.lower()))]


@pytest.fixture(scope="module")
def brackets(tmp_path_factory):
    return str(pseudo.make(tmp_path_factory.mktemp("brackets")))


def say(program, *arguments, input_=""):
    done = run(*PL, *arguments, program=program, input_=input_)
    return done.stdout + done.stderr


def test_what_is_said_past_the_catalogue_is_found():
    assert untranslated("«You are» ala«.»\nTry again.\nmove 1 5 «was refused»", "ala") == \
        ["Try again."]
    assert untranslated("<«a «b» c»> ping k7m2q", "k7m2q") == []


@pytest.mark.parametrize("arguments", [
    ["--help"], ["--bogus"], ["-x"], ["--name"], ["--match=1"], ["--color", "xx"], ["--game", "2"],
    ["--patience", "0"], ["--replay", "xx", "--game", "0"], ["--clock", "xx"], ["--side", "X"],
    ["--ca", "xx"], ["xx", "xx"], ["xx:xx"], ["--match", "--bot", "good"], ["--admin", "xx", "xx"],
    ["--admin", "xx", "--match"], ["--admin", "xx"], ["--clock", "3+2"], ["--export", "x" * 99],
    ["--name", "x" * 99], ["--tls", "--ca", "/dev/null/xx"], ["--tls", "--ca", "/dev/null"],
    ["127.0.0.1:1"], ["xx.invalid:1"], ["--replay", "/dev/null/xx"], ["--replay", "/dev/null"],
], ids=" ".join)
def test_the_command_line_is_answered_in_words_of_the_catalogue_alone(brackets, arguments):
    told = say(brackets, *arguments)
    assert "«" in told
    assert untranslated(told, *arguments) == []


PIPED = """help
help analyse
help nothing
who
lobby
lobby playing
ping
mute ela
mute ala
match 3+2
state
leave
create X title=ala
join zzzzz
watch zzzzz
decline zzzzz
game zzzzz
move 1 5
resign
draw
rematch
hint
say ala
top
games
player ala
analyse record=1:X(1-2),2:O(1-2)
analyse actions=1-5,1-5,5 steps
text only
mvoe
move room=1 room=2
create private=ala
hello token=x
lobby limit=0
create clock=0+0
create
resign
create ala
watch zzzzz since=9
analyse record=1:X(1-2),2:O(1-1)
analyse record=1:X(1
games after=x
mute ala
hello bot-x
{"type":"nothing"}
{
hello ala id=
collapse x
forget ala
forget
quit
"""


def test_all_that_is_told_in_a_pipe_goes_through_the_catalogue(own_server, brackets):
    told = say(brackets, "--name", "ala", f"127.0.0.1:{own_server.port}", input_=PIPED)
    assert told.count("«") > 150, told
    assert untranslated(told, PIPED) == []


OPERATED = """help
stats
notice ala
ban 10.0.0.1/8
unban 10.0.0.0/8
notice ala to=ala room=zzzzz
bans after=xx
ban ola 1h why=xx
ban ela
bans
unban ola
rooms
close zzzzz
release ala
drain
drain 1h
drain no
motd ala
motd
motd on=no
motd
kick ela
nothing
"""


def test_all_that_an_operator_is_told_goes_through_the_catalogue(brackets):
    with qttt.Server(admin=True) as server:
        room = server.player("ala").ok({"type": "create", "private": True})["room"]
        told = say(brackets, "--admin", server.admin, input_=OPERATED)
    assert told.count("«") > 100, told
    assert untranslated(told, OPERATED, room) == []


def test_a_recorded_game_is_replayed_and_refused_through_the_catalogue(server, brackets, tmp_path):
    record = tmp_path / "ala"
    address = f"127.0.0.1:{server.port}"
    told = ""
    for text in ("1:X(1-2),2:O(2-3),3:X(6-7),4:O(3-1),4c:X(O4(3)),5:X(5-9)", "1:X(1-2),2:O(2-2)",
                 "1:X(1-2),2:O(x)", "1:X(1-2) 1:X(1-2)", "é", "[a]", "1" * 2000):
        record.write_text(text, "utf-8")
        told += say(brackets, "--replay", str(record), address)
    told += say(brackets, "--export", "nobody", address)
    assert told.count("«Step»") > 5
    assert untranslated(told, str(record), "nobody XX OO") == []


SEATED = ("rules", "keys", "help", "help move", "help nothing", "mvoe", "y", "room zzzzz", "board", "12345",
          "hint", "lobby", "lobby over", "lobby off", "who", "games", "player ala", "hello ela token=x",
          "text on", "move", "say", "'ala", '{"type":"nothing"}', "{", "join zzzzz", "accept zzzzz",
          "decline", "analyse zzzzz", "top", "ping")


def test_all_that_is_told_at_a_terminal_goes_through_the_catalogue(own_server, brackets, sit):
    def come(*arguments):
        return sit(own_server, *PL, *arguments, program=brackets, columns=200)
    ala = come("--name", "ala")
    ala.see("«lobby»> ")
    for number, words in enumerate(SEATED):
        ala.type(words)
        ala.type(f"help help{number}")
        ala.see(f"help{number}«.")
    ala.type("create X clock=3+2")
    ala.see("«waiting for an opponent»> ")
    room = re.findall(r"join[» ]+(\w+)", ala.screen.text())[-1]
    ola = come("--name", "ola", "--join", room)
    ela = come("--name", "ela", "--watch", room)
    ela.see(f"«watching» {room}> ")
    play_moves(ala, ola, ("ala", "ola"), "«move» {number}«: two squares»> ")
    ala.see("«measure:» 3 «or» 5> ")
    ola.type("1 5")
    ela.type("'ola")
    ala.type("draw")
    ola.see("«a draw: y or n»> ")
    ola.type("n")
    ala.see("«declines the draw.»")
    ala.see("«measure:» 3 «or» 5> ")
    ala.type("5")
    ala.see("«You lose. Another game: rematch»")
    ala.type("analyse")
    ala.see("«gave away»")
    ala.type("rematch")
    ola.see("«a rematch: y or n»> ")
    ola.type("y")
    ola.see("«move» 1«: two squares»> ")
    own_server.terminate()
    ala.see("«offline")
    told = "".join(seat.screen.text() + "\n" for seat in (ala, ola, ela))
    typed = " ".join(SEATED) + "help" + " ".join(MOVES)
    assert told.count("«") > 300
    assert untranslated(told, typed) == []
