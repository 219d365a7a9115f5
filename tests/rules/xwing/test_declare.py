"""Declarations in the words of the golden files, and what is said about wrong ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.rules import xwing
from bot.rules.errors import PlayerError
from bot.rules.xwing.attack.json_attacks import declare_attack as declare
from bot.rules.xwing.dice.declared import Declared, DiceEffect, LineUp
from bot.rules.xwing.dice.faces import Face, Pool
from tests.rows import for_each_row
from tests.rules.xwing.play import Falls, play

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "xwing.json").read_text())
ANSWERS = ("joint", "mean_damage", "p_any", "p_crit")


def test_the_faces_of_the_two_dice() -> None:
    assert sorted(Pool.RED.faces) == sorted("hit hit hit crit focus focus blank blank".split())  # noqa: SIM905 - as in the rules
    assert sorted(Pool.GREEN.faces) == sorted("evade evade evade focus focus blank blank blank".split())  # noqa: SIM905 - as in the rules


@for_each_row("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_every_golden_case_can_be_declared(case: dict[str, Any]) -> None:
    read = declare({key: value for key, value in case.items() if key not in ANSWERS})
    assert read.attack.dice == case["attack"]["dice"]
    assert read.defense is not None
    assert read.defense.dice == case["defense"]["dice"]
    assert read.attacks == case["attacks"]


def test_an_empty_declaration_is_an_attack_of_nothing_on_nothing() -> None:
    nothing = Declared(attack=LineUp(), defense=LineUp())
    assert declare({}) == nothing
    assert declare({"attack": {"dice": 0, "lock": 0}, "cost_lock": 0, "cost_charge": 0, "shields": 0}) == nothing


def test_every_key_of_a_line_up() -> None:
    read = declare(
        {
            "attack": {
                "dice": 3,
                "focus": 1,
                "calculate": 2,
                "force": 3,
                "lock": 1,
                "charge": 2,
                "deplete": 1,
                "rerolls": [1, 2],
                "add_focus": 1,
                "add_blank": 2,
                "focus_to_hit": 3,
                "hit_to_crit": 1,
                "def_crit_to_hit": 2,
                "crits_become_hits": 1,
                "all_hits": True,
            },
            "defense": {
                "dice": 2,
                "focus": 1,
                "evade": 2,
                "reinforce": 1,
                "strain": 1,
                "rerolls": [1],
                "add_evade": 1,
                "att_evade_to_focus": 1,
            },
            "range": 1,
            "ordnance": True,
            "obstructed": 1,
            "ruleset": "2.0",
            "cost_lock": 1,
            "cost_charge": 2,
            "hull": 4,
            "shields": 2,
            "attacks": 3,
            "id": "all",
        }
    )
    red, green, poor = Pool.RED, Pool.GREEN, (Face.BLANK, Face.FOCUS)
    assert read.attack == LineUp(
        dice=3,
        focus=1,
        calculate=2,
        force=3,
        lock=1,
        charge=2,
        deplete=1,
        effects=(
            DiceEffect(verb="set", pool=red, to=Face.HIT),
            DiceEffect(verb="add", pool=red, to=Face.FOCUS),
            DiceEffect(verb="add", pool=red, most=2, to=Face.BLANK),
            DiceEffect(verb="reroll", pool=red, most=1, faces=poor),
            DiceEffect(verb="reroll", pool=red, most=2, faces=poor),
            DiceEffect(verb="change", pool=red, most=3, faces=(Face.FOCUS,), to=Face.HIT),
            DiceEffect(verb="change", pool=red, most=1, faces=(Face.HIT,), to=Face.CRIT),
            DiceEffect(verb="become", pool=red, faces=(Face.CRIT,), to=Face.HIT),
            DiceEffect(verb="change", pool=green, faces=(Face.EVADE,), to=Face.FOCUS),
        ),
    )
    assert read.defense == LineUp(
        dice=2,
        focus=1,
        evade=2,
        reinforce=1,
        strain=1,
        effects=(
            DiceEffect(verb="change", pool=red, most=2, faces=(Face.CRIT,), to=Face.HIT),
            DiceEffect(verb="add", pool=green, to=Face.EVADE),
            DiceEffect(verb="reroll", pool=green, faces=poor),
        ),
    )
    assert (read.range, read.ordnance, read.obstructed, read.ruleset) == (1, True, True, "2.0")
    assert (read.cost_lock, read.cost_charge, read.hull, read.shields, read.attacks) == (1, 2, 4, 2, 3)


@pytest.mark.parametrize("nothing", [0, False, None])
def test_an_effect_for_no_dice_is_none(nothing: object) -> None:
    read = declare({"attack": {"dice": 3, "hit_to_crit": nothing, "all_hits": nothing, "add_focus": nothing}})
    assert read.attack.effects == ()


def test_faces_that_lie_already() -> None:
    read = declare({"attack": {"dice": 2}, "defense": {"dice": 1}, "red": ["hit", "crit"], "green": ["evade"]})
    assert (read.red, read.green) == ((Face.HIT, Face.CRIT), (Face.EVADE,))
    outcome = xwing.outcome(play(read, ""))
    assert (outcome["hits"], outcome["crits"]) == (0, 1)


def test_the_outcome_names_the_damage_when_the_hull_is_known() -> None:
    raw = {"attack": {"dice": 3}, "defense": {}, "red": ["hit", "hit", "crit"], "hull": 2, "shields": 1}
    assert xwing.outcome(xwing.start(xwing.declare(raw), Falls())) == {
        "hits": 2,
        "crits": 1,
        "shields_lost": 1,
        "facedown": 1,
        "faceup": 1,
        "destroyed": True,
        "red": ["hit", "hit", "crit"],
        "green": [],
    }


@for_each_row(
    ("raw", "sentence"),
    [
        ({"attack": {"dice": 21}}, "`attack.dice` was `21`. Use a whole number from 0 to 20."),
        ({"attack": {"dice": -1}}, "`attack.dice` was `-1`"),
        ({"attack": {"dice": "3"}}, "`attack.dice` was `3`. Use a whole number from 0 to 20."),
        ({"attack": {"focus": 7}}, "`attack.focus` was `7`. Use a whole number from 0 to 6."),
        ({"attack": {"lock": 2}}, "`attack.lock` was `2`. Use a whole number from 0 to 1."),
        ({"attack": {"fokus": 1}}, "I don't understand `fokus` in `attack`. Did you mean `focus`?"),
        ({"attack": {"evade": 1}}, "I don't understand `evade` in `attack`."),
        ({"defense": {"lock": 1}}, "I don't understand `lock` in `defense`."),
        ({"attack": {"rerolls": 2}}, "`attack.rerolls` was `2`. Use a list of at most 8."),
        ({"attack": {"rerolls": [1, 0]}}, "`attack.rerolls[1]` was `0`. Use a whole number from 1 to 20."),
        ({"attack": {"add_focus": 5}}, "`attack.add_focus` was `5`. Use a whole number from 0 to 4."),
        ({"attack": {"all_hits": 2}}, "`attack.all_hits` was `2`. Use a whole number from 0 to 1."),
        ({"attack": {"crits_become_hits": 2}}, "`attack.crits_become_hits` was `2`"),
        ({"attack": 3}, "`attack` was `3`. Use a JSON object"),
        ({"range": 4}, "`range` was `4`. Use a whole number from 0 to 3."),
        ({"ordnance": "yes"}, "`ordnance` was `yes`. Use true or false."),
        ({"ruleset": "3.0"}, "`ruleset` was `3.0`. Use `2.5` or `2.0`."),
        ({"hull": 0}, "`hull` was `0`. Use a whole number from 1 to 30."),
        ({"shields": 31}, "`shields` was `31`"),
        ({"attacks": 0}, "`attacks` was `0`. Use a whole number from 1 to 10."),
        ({"cost_lock": 2}, "`cost_lock` was `2`. Use a whole number from 0 to 1."),
        ({"red": ["evade"]}, "`red[0]` was `evade`. Use `hit`, `crit`, `focus`, or `blank` for a red die."),
        ({"green": ["blank", "hit"]}, "`green[1]` was `hit`. Use `evade`, `focus`, or `blank` for a green die."),
        ({"red": "hit"}, "`red` was `hit`. Use a list of at most 20."),
        ({"defence": {}}, "I don't understand `defence` in `declaration`. Did you mean `defense`?"),
    ],
)
def test_every_rejection_names_the_field_what_it_was_and_what_is_allowed(raw: dict[str, object], sentence: str) -> None:
    with pytest.raises(PlayerError) as refused:
        declare(raw)
    assert str(refused.value).startswith(sentence)
