"""`roll` and `odds` in the terminal, given what looks for their edges: a sentence and exit code 2, no traceback."""

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from bot import settings
from bot.__main__ import main, parser
from bot.games import by_terminal
from bot.rules.errors import PlayerError
from tests.test_settings import ROOT
from tests.wire import hostile

COMMANDS = ("roll", "odds")
DECLARED: dict[str, list[dict[str, Any]]] = {
    "xwing": [
        {"attack": {"dice": 3, "focus": 1, "lock": 1}, "defense": {"dice": 2, "evade": 1}, "hull": 4, "shields": 2},
        {"attack": {"dice": 2}, "defense": {"dice": 1}, "attacks": 2, "range": 1, "ruleset": "2.5"},
        {"attack": {"dice": 3}, "defense": {"dice": 1}, "red": ["hit", "crit", "blank"], "green": ["evade"]},
    ],
    "infinity": [
        {"sv_a": 15, "burst_a": 3, "sv_b": 13, "burst_b": 2, "special_dice_a": 1},
        {
            "edition": "n5",
            "a": {"sv": 12, "dice": [9, 4], "ammo": "N", "ps": 7},
            "b": {"sv": 11, "dice": [5], "arm": 1},
        },
        {"sv": 12, "burst": 2},
    ],
    "warsurge": [
        {"method": "chart", "power": 7, "defence": 2, "attack_dice": 3},
        {"method": "casual", "power": 4, "defence": 4, "faces": [[6, 2], [3]]},
        {"defence": 4, "save": "4+", "hp": 3, "weapons": [{"name": "Rifle", "power": 6, "attack_dice": 2, "ap": 1}]},
    ],
    "albion": [
        {
            "target": {"agility": 4, "stealth": 3, "dodging": False},
            "attacker": {"awareness": 3, "strength": 3},
            "faces": [72, 0, 1],
        },
    ],
    "dice": [{"dice": "4d6kh3"}, {"dice": "3#1d20+4", "label": "Dodge"}, {"dice": "6d10!10>=8"}],
}
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**9,
    10**400,
    1.5,
    1e308,
    "",
    "3",
    "x" * 5000,
    "\ud800",
    "\x00\u202e",
    [],
    {},
    [[[]]],
)
DECLARED["contest"] = [
    {"dice": "1d20+5", "their_dice": "1d20+3", "by": "higher", "ties": "again"},
    {"dice": "6d6>=5", "their_dice": "4d6>=4", "by": "successes", "name": "Ork", "their_name": "Guard"},
    {"dice": "2d6", "their_dice": "1d12", "faces": "1 6", "their_faces": "7", "by": "lower"},
]
DECLARED["dice"] = [
    {"dice": "4d6kh3", "times": 2, "label": "Strength"},
    {"dice": "2d6ro1!", "faces": "1 6 4 2"},
    {"dice": "6d10>=7"},
]
GAMES_AND_COMMANDS = [(command, game) for game in by_terminal() for command in COMMANDS]


class Terminal:
    """The command line in this process, with ``typed`` on its standard input."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: str, typed: bytes | str) -> tuple[int, str, str]:
        """The exit code, and what was said where."""
        typed = typed if isinstance(typed, bytes) else typed.encode()
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
        code = main(arguments)
        out, err = self._capsys.readouterr()
        return code, out, err


PARSER, SETTINGS = cache(parser), cache(settings.read)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A process makes both once, and they take most of the time of a command; so do all commands here."""
    monkeypatch.setattr("bot.__main__.parser", PARSER)
    monkeypatch.setattr("bot.settings.read", SETTINGS)
    return Terminal(monkeypatch, capsys)


def declares_from_nothing(game: str) -> bool:
    try:
        by_terminal()[game].rules.declare({})
    except PlayerError:
        return False
    return True


@pytest.mark.parametrize(("command", "game"), GAMES_AND_COMMANDS)
def test_a_hostile_document_is_one_sentence(terminal: Terminal, command: str, game: str) -> None:
    takes_nothing = declares_from_nothing(game) and (command, game) != ("odds", "contest")
    for document in hostile.DOCUMENTS:
        code, out, err = terminal(command, game, typed=document)
        if document == b"[]" or (document.strip() == b"{}" and takes_nothing):
            assert (code, err) == (0, ""), "no declaration, an attack without dice, a contest that waits for both"
            continue
        assert (code, out) == (2, ""), document[:20]
        (sentence,) = err.splitlines()
        assert sentence.endswith("."), document[:20]
        assert len(sentence) < 600, document[:20]


@pytest.mark.parametrize(("command", "game"), GAMES_AND_COMMANDS)
def test_the_example_is_one_of_the_game(terminal: Terminal, command: str, game: str) -> None:
    for document in ("{bad", "3"):
        _, _, err = terminal(command, game, typed=document)
        example, _ = json.JSONDecoder().raw_decode(err[err.index(" like {") + len(" like ") :])
        assert terminal(command, game, typed=json.dumps(example))[0] == 0, err


def test_dice_are_a_bare_text(terminal: Terminal) -> None:
    code, out, _ = terminal("odds", "dice", "--json", typed='["1d2", "2d20kl1", "1d6e<7e<7"]')
    coin, _, refused = json.loads(out)
    assert code == 0
    assert coin["distribution"] == {"1": "1/2", "2": "1/2"}
    assert refused == {
        "error": "In `dice`, `e` says a second time which dice explode. Write dice such as `2d6+3` or `4d6kh3`."
    }
    code, out, _ = terminal("roll", "dice", typed='"3#4d6kh3 Strength"')
    assert code == 0
    assert out.startswith("Any dice · 3#4d6kh3\n\nStrength: Someone rolls ")


def test_dice_are_typed_without_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "dice", "--json", "1d2"]) == 0
    assert json.loads(capsys.readouterr().out)["distribution"] == {"1": "1/2", "2": "1/2"}
    assert main(["roll", "xwing", "1d2"]) == 2
    assert "Use valid JSON" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ('{"attack": {"dice": 3}, "attack": {"dice": 4}}', "`attack` is there twice"),
        ('{"attack": {"dice": 3, "dice": 3}}', "`dice` is there twice"),
        ('{"attack": {"dice": NaN}}', "NaN is not a number"),
        ('{"attack": {"dice": %s}}' % ("9" * 5000), "plain values"),
        ('{"attack": {"dice": %s}}' % ("9" * 4000), "`attack.dice` was `99999"),
        ('{"attack": {"dice": 1e999}}', "`attack.dice` was `inf`"),
        ('{"attack": {"dice": %s}}' % ("[" * 700 + "]" * 700), "`attack.dice` was `[[["),
        (b'{"attack": "\xff"}', "UTF-8"),
    ],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_sentence_says_what_is_wrong(terminal: Terminal, command: str, typed: bytes | str, words: str) -> None:
    code, out, err = terminal(command, "xwing", typed=typed)
    assert (code, out) == (2, "")
    assert words in err


def spoilt(chance: Random, part: Any) -> Any:
    """The same with something in it gone wrong."""
    if not part or not isinstance(part, dict | list) or chance.random() < 0.2:
        return chance.choice(ODD)
    keys = list(part) if isinstance(part, dict) else list(range(len(part)))
    result: Any = part.copy()
    key, kind = chance.choice(keys), chance.random()
    if kind < 0.7:
        result[key] = spoilt(chance, part[key])
    elif kind < 0.85 or isinstance(part, list):
        del result[key]
    else:
        result[chance.choice(("more", "", "dice ", "\ud800", "x" * 5000))] = chance.choice(ODD)
    return result


def many_spoilt(seed: int, game: str, count: int) -> Iterator[Any]:
    chance = Random(seed)
    for _ in range(count):
        result: Any = chance.choice(DECLARED.get(game, by_terminal()[game].samples))
        for _ in range(chance.choice((1, 1, 2, 3))):
            result = spoilt(chance, result)
        yield result


@pytest.mark.parametrize(("command", "game"), GAMES_AND_COMMANDS)
def test_a_spoilt_declaration_is_answered_or_refused(terminal: Terminal, command: str, game: str) -> None:
    codes = set()
    for result in many_spoilt(6, game, 150):
        for json_too in ((), ("--json",)):
            code, out, err = terminal(command, game, *json_too, typed=json.dumps(result))
            codes.add(code)
            assert code in (0, 2)
            assert (out if code == 0 or json_too else err).strip() or result == []
            if json_too:
                assert ("error" in json.loads(out)) == (code == 2) or isinstance(result, list)
            elif code == 2:
                assert err.count("\n") == 1, err
    assert codes == {0, 2}


def test_bytes_that_are_no_text_are_a_sentence_whatever_the_locale() -> None:
    for locale in ("C", "C.UTF-8"):
        environment = {"PYTHONPATH": str(ROOT), "LC_ALL": locale, "PYTHONUTF8": "0"}
        command = [sys.executable, "-m", "bot", "odds", "xwing", "--json"]
        ended = subprocess.run(
            command, env=environment, cwd=ROOT, input=b'{"\xff": 1}', capture_output=True, check=False
        )
        assert ended.returncode == 2, ended.stderr
        assert b"Traceback" not in ended.stderr + ended.stdout


@pytest.mark.parametrize("expression", ["3d6/2", "ceil(3d6/2)"])
def test_an_expression_with_a_division_is_no_fraction(expression: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "dice", json.dumps({"dice": expression})]) == 0
    assert f"understood: {expression}" in capsys.readouterr().out


def test_odds_of_symbols_have_a_chart_of_each_number_that_their_game_draws(terminal: Terminal) -> None:
    code, out, _ = terminal("odds", "dice", typed='"genesys 1b"')
    assert code == 0
    assert "charts net advantages:\n  0    50.00%" in out
    code, out, _ = terminal("odds", "dice", "--json", typed='"genesys 1b"')
    assert (code, json.loads(out)["charts"]["net advantages"]["distribution"]["2"]) == (0, "1/6")


def test_odds_with_cards_say_the_dice_the_cards_and_a_law_for_each_token(capsys: pytest.CaptureFixture[str]) -> None:
    attack = {"pilot": "bluesquadronescort", "upgrades": ["ioncannon", "predator"], "weapon": "ioncannon"}
    asked = json.dumps({"attack": attack, "defense": {"pilot": "academypilot"}, "range": 2})
    assert main(["odds", "xwing", asked]) == 0
    said = capsys.readouterr().out
    assert "dice: 3 red, 3 green" in said
    assert "counted: ioncannon" in said
    assert "gives ion:\n" in said
    assert main(["odds", "xwing", asked, "--json"]) == 0
    answered = json.loads(capsys.readouterr().out)
    assert (answered["dice"], set(answered["gives"])) == ({"red": 3, "green": 3}, {"ion"})


def test_a_refusal_names_the_word_of_the_terminal(terminal: Terminal) -> None:
    for typed, game in (("d20+5 vs d20+3", "contest"), ("2 block dice", "duel"), ("x-wing 3 red", "xwing")):
        code, _, err = terminal("roll", "dice", typed=json.dumps({"dice": typed}))
        assert code == 2
        assert f"`python -m bot roll {game}`" in err
        assert "`/" not in err
