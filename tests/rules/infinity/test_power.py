"""PS and Damage are two words with one rule at every door: the word decides, in every edition.

``DOORS`` are all ways by which a weapon's power comes in; the last test finds the functions that set it.
"""

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from bot.rules import infinity
from bot.rules.errors import BadInputError
from bot.rules.infinity.orders import forms
from bot.rules.infinity.table import army
from bot.rules.infinity.troopers import weapon as weapons
from bot.rules.infinity.troopers.declared import Order, Save, TargetProfile, Weapon
from bot.rules.infinity.troopers.trooper import parse
from tests.rows import for_each_row

Door = Callable[[str, str], int | None]


def order_power(words: dict[str, Any], edition: str) -> int | None:
    declared = infinity.declare({**words, "edition": edition})
    assert isinstance(declared, Order)
    weapon = declared.rolls[0].weapon
    assert weapon is not None
    return weapon.power


def save_power(words: dict[str, Any], edition: str) -> int | None:
    declared = infinity.declare({"hits": 1, "arm": 1, "edition": edition, **words})
    assert isinstance(declared, Save)
    return declared.weapon.power


def as_key(power: str, side: str = "") -> dict[str, int]:
    word, number = power.split()
    return {f"{word.casefold()}{side}": int(number)}


HIT: Final = Save(hits=1, weapon=Weapon(), profile=TargetProfile(arm=1))
GUN: Final = "Combi: B3 {power} N ARM"
TEXTS: Final[dict[str, Door]] = {
    "an order": lambda power, edition: order_power({"order": f"Ana 12 b3 N {power} vs Bo 11 ARM 1"}, edition),
    "the profile of an order": lambda power, edition: order_power(
        {"troopers": {"Ana": f"BS 12, {GUN.format(power=power)}"}, "order": "Ana combi vs Bo 11"}, edition
    ),
    "a profile": lambda power, _: parse("Ana", f"BS 12, {GUN.format(power=power)}").weapons[0].power,
    "a weapon given to a trooper": lambda power, _: weapons.parse(GUN.format(power=power)).power,
    "the weapon of a roll in JSON": lambda power, edition: order_power(
        {"a": {"sv": 12, "weapon": f"N {power}"}, "b": {"sv": 11}}, edition
    ),
    "the weapon of a save": lambda power, edition: save_power({"weapon": f"N {power}"}, edition),
    "the form of a save": lambda power, _: (
        forms.read_save({"weapon": f"N {power}", "armour": "ARM 1"}, HIT).weapon.power
    ),
    "the form of a reaction": lambda power, _: forms.answer({"sv": f"Bo 11 N {power}"}).words["power"],
}
"""Doors whose power stands in a text."""
KEYS: Final[dict[str, Door]] = {
    "a roll in JSON": lambda power, edition: order_power({"sv": 12, "ammo": "N", **as_key(power)}, edition),
    "one of two sides in JSON": lambda power, edition: order_power(
        {"a": {"sv": 12, "ammo": "N", **as_key(power)}, "b": {"sv": 11}}, edition
    ),
    "a side with a letter": lambda power, edition: order_power(
        {"sv_a": 12, "ammo_a": "N", "sv_b": 11, **as_key(power, "_a")}, edition
    ),
    "a save": lambda power, edition: save_power({"ammo": "N", **as_key(power)}, edition),
}
"""Doors whose power is a number under a word: options of commands are these words of JSON."""
DOORS: Final = {**TEXTS, **KEYS}


@for_each_row("edition", ["n5", "n4", "n3"])
@for_each_row("name", DOORS)
def test_the_word_decides(name: str, edition: str) -> None:
    door = DOORS[name]
    assert [door(power, edition) for power in ("PS 7", "DAM 13", "Damage 13", "PS 13", "PS 0", "DAM 0")] == [
        7, 7, 7, 13, 0, 20
    ]  # fmt: skip  # a table: one row a line


@for_each_row("word", ["PS", "DAM"])
@for_each_row("name", DOORS)
def test_what_is_no_power_is_refused_with_the_numbers_that_fit(name: str, word: str) -> None:
    with pytest.raises(BadInputError, match="whole number from 0 to 20"):
        DOORS[name](f"{word} 21", "n5")


@pytest.mark.parametrize("name", TEXTS)
def test_a_number_without_a_word_is_asked_about(name: str) -> None:
    with pytest.raises(BadInputError, match="Is 7 a PS or a Damage"):
        TEXTS[name]("7", "n5")


def test_an_army_file_says_ps_under_damage() -> None:
    gun = {"id": 1, "name": "Combi", "burst": "3", "damage": "7", "saving": "ARM", "ammunition": "N"}
    held = [{"id": 1}, {"id": 1, "extra": [1]}]
    profiles = [{"weapons": held[:1]}, {"weapons": held[1:]}]
    for profile, power in zip(profiles, (7, 5), strict=True):
        data = {
            "units": [{"id": 1, "name": "Unit", "profileGroups": [{"id": 1, "profiles": [profile], "options": []}]}],
            "filters": {"extras": [{"id": 1, "name": "PS=5", "type": "TEXT"}]},
            "weapons": [gun],
        }
        assert army.read_trooper("Unit", "", json.dumps(data)).weapons[0].power == power


def power_setters() -> Iterator[str]:
    """Every function of Infinity that sets a weapon's power, or reads it from words."""
    for path in Path("bot/rules/infinity").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                calls = [call for call in ast.walk(node) if isinstance(call, ast.Call)]
                named = {ast.unparse(call.func).rpartition(".")[2] for call in calls}
                said = {keyword.arg for call in calls for keyword in call.keywords}
                if "power_of" in named or "power" in said:
                    yield node.name


def test_every_function_that_sets_a_power_is_behind_a_door() -> None:
    """``with_extras``: PS=5 of an army file; ``weapon_as_used``: Martial Arts of N4."""
    assert sorted(power_setters()) == ["read_power", "read_word", "weapon_as_used", "with_extras"]
