"""`python -m bot squad`: the ships of a squad as a table or as JSON, and a sentence for what is no squad."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.test_settings import ROOT
from tests.wire import hostile

SQUADS = Path(__file__).parents[1] / "squads"
YAVIN = (SQUADS / "red-squadron.json").read_text(encoding="utf-8")


def test_a_squad_is_a_table_of_ships(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["squad", YAVIN]) == 0
    out = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert out.startswith("Red Squadron (Rebel Alliance)\n")
    assert "Ship Type Size Initiative Agility Hull Shields Force Charges" in lines
    assert "Luke Skywalker T-65 X-wing small 5 2 4 2 2 (+1) 0" in lines
    assert "Proton Torpedoes: 4 dice, Front Arc, range 2-3, ordnance, requires lock, costs 1 of 2 charges" in lines
    assert "R2-D2: 2 charges" in lines


def test_what_is_not_known_stands_below_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["squad", '{"pilots": [{"id": "maul"}, {"id": "mauk"}]}']) == 0
    out = capsys.readouterr().out
    assert out.endswith("\nI don't know the pilot `mauk`. Did you mean `maul`? I left it out.\n")


@pytest.mark.parametrize(
    ("typed", "unread"),
    [
        ("Luke Skywalker (62)\nProton Torpedos (13)\nFlux Capacitor (9)", ["Proton Torpedos", "Flux Capacitor"]),
        ('{"pilots": [{"id": "maul", "upgrades": {"torpedo": ["protontorpedoez"]}}, {"id": "xxq"}]}', None),
    ],
)
def test_json_has_the_words_that_were_not_understood(
    typed: str, unread: list[str] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["squad", "--json", typed]) == 0
    result = json.loads(capsys.readouterr().out)["unread"]
    assert [item["words"] for item in result] == (unread or ["protontorpedoez", "xxq"])
    assert [item["nearest"] for item in result] == ["Proton Torpedoes" if unread else "protontorpedoes", None]


def test_several_squads_are_several_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["squad", YAVIN * 2]) == 0
    assert capsys.readouterr().out.count("Red Squadron (Rebel Alliance)\n") == 2


@pytest.mark.parametrize("arguments", [["squad", YAVIN, "--json"], ["squad", "--json", YAVIN]])
def test_json_has_every_ship(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    squad = json.loads(capsys.readouterr().out)
    assert (squad["name"], squad["faction"], squad["unknown"]) == ("Red Squadron", "Rebel Alliance", [])
    luke = squad["ships"][0]
    torpedoes = luke["weapons"].pop()
    assert luke == {
        "name": "Luke Skywalker",
        "pilot": "lukeskywalker-battleofyavin",
        "ship": "T-65 X-wing",
        "size": "small",
        "initiative": 5,
        "attack": 3,
        "agility": 2,
        "hull": 4,
        "shields": 2,
        "shields_recover": 0,
        "force": {"capacity": 2, "recover": 1},
        "charges": {"capacity": 0, "recover": 0},
        "upgrades": luke["upgrades"],
        "weapons": luke["weapons"],
    }
    assert [(upgrade["id"], upgrade["charges"]["capacity"]) for upgrade in luke["upgrades"]] == [
        ("attackspeed-talent", 0),
        ("instinctiveaim", 0),
        ("protontorpedoes", 2),
        ("r2d2-astromech", 2),
    ]
    assert torpedoes == {
        "name": "Proton Torpedoes",
        "arc": "Front Arc",
        "value": 4,
        "range": [2, 3],
        "primary": False,
        "ordnance": True,
        "needs": ["lock"],
        "needs_any": False,
        "upgrade": "protontorpedoes",
        "cost": 1,
    }


def test_json_of_several_squads_is_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["squad", "--json", YAVIN + YAVIN]) == 0
    squads = json.loads(capsys.readouterr().out)
    assert [len(squad["ships"]) for squad in squads] == [4, 4]


def typed(text: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own, with ``text`` on its standard input."""
    environment = {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "bot", "squad", *arguments]
    return subprocess.run(command, env=environment, cwd=ROOT, input=text, capture_output=True, check=False)


def test_a_squad_comes_from_standard_input_as_well() -> None:
    ended = typed(YAVIN.encode(), "--json")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert len(json.loads(ended.stdout)["ships"]) == 4


NO_SQUADS = [document for document in hostile.DOCUMENTS if document != b"null"]
"""“Null” is a pilot of the First Order."""


@pytest.mark.parametrize("document", [*NO_SQUADS, b"x" * 5_000_000], ids=lambda item: ascii(item[:20]))
def test_a_hostile_document_is_one_sentence(
    document: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(document), encoding="utf-8"))
    assert main(["squad"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (sentence,) = err.splitlines()
    assert sentence.endswith(".")
    assert len(sentence) < 600
