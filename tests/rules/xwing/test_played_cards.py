"""Kinds of card texts, each played once: replaced ship abilities, weapons that only bonus attacks fire, permissions."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.text import english
from bot.rules.xwing.cards.cards import Charges, replacing
from bot.rules.xwing.table import controls, dials, moments
from bot.rules.xwing.table.match import MATCH, Phase
from bot.rules.xwing.table.planning import is_barred
from bot.rules.xwing.table.ship import end_of_round
from tests.rules.xwing.test_card_fights import ship as from_set
from tests.rules.xwing.test_dials import ANA, BO, never, reveals, ship
from tests.rules.xwing.test_flying import played
from tests.rules.xwing.test_moments import FOE, engagement, pressed
from tests.rules.xwing.test_rights import fight


def lines(table: dict[str, Any], name: str) -> list[str]:
    return [english(line.says) for line in moments.lines(table, table[name])]


def used(table: dict[str, Any], name: str, label: str, **filled: str) -> dict[str, Any]:
    """The table after a line of the ship's list that begins so."""
    (line,) = [item for item in moments.lines(table, table[name]) if english(item.says).startswith(label)]
    return pressed(table, name, "Use a card", card=line.mark, **filled)


# The ship's ability


@pytest.mark.parametrize(
    ("pilot", "upgrade"),
    [
        ("countessryad", "tiedefenderelite"),
        ("wedgeantilles-rz1awing", "vectoredcannonsrz1"),
        ("vonreg", "sensitivecontrols"),
        ("dfs081", "independentcalculations"),
        ("zoriibliss", "wartimeloadout"),
    ],
)
def test_a_card_that_replaces_the_ships_ability_takes_its_row_away(pilot: str, upgrade: str) -> None:
    pilot = "majorvonreg" if pilot == "vonreg" else pilot
    assert upgrade in replacing()
    assert any(card.kind == "chassis" for card in ship(pilot).card.cards)
    assert not any(card.kind == "chassis" for card in ship(pilot, ANA, upgrade).card.cards)


# Weapons that only a bonus attack fires


def test_a_hardpoint_fires_as_a_bonus_attack_for_its_energy() -> None:
    corvette = from_set("alderaanianguard", "turbolaserbattery")
    corvette = replace(corvette, locks=("Darth Vader",))
    done = fight("", corvette, from_set("darthvader", owner=BO), weapon="Turbolaser Battery", range=3)
    after = done.ships[corvette.name]
    assert (after.energy_left, after.attacks, after.bonus_attacks) == (corvette.energy_left - 3, 1, 1)
    assert not after.has_attacked, "its own attack is still to come"


def test_an_attack_that_is_no_bonus_attack_takes_none_of_the_round() -> None:
    han = from_set("landocalrissian", "hansolo")
    done = fight("", han, from_set("darthvader", owner=BO), right="upgrade:hansolo[1]", bonus=True)
    after = done.ships[han.name]
    assert (after.attacks, after.bonus_attacks) == (0, 0)


# Permissions


def test_contraband_cybernetics_lets_a_stressed_ship_act_until_the_end_of_the_round() -> None:
    luke = replace(ship("lukeskywalker", ANA, "contrabandcybernetics"), tokens={"stress": 1})
    paid = used(played(luke), luke.name, "Contraband Cybernetics")
    assert paid[luke.name].upgrade_charges == (0,)
    white = next(each.code for each in dials.dial_of(luke) if each.difficulty == "W")
    flown = reveals(paid, luke.name, white)
    assert not is_barred(flown[MATCH], flown[luke.name], "focus")
    assert not end_of_round(flown[luke.name]).acts_stressed


def test_pattern_analyzer_acts_before_the_stress_of_a_red_maneuver_counts() -> None:
    item = ship("poedameron", ANA, "patternanalyzer")
    red = next(each.code for each in dials.dial_of(item) if each.difficulty == "R")
    now = reveals(played(item), item.name, red)
    assert "Pattern Analyzer: perform an action" in lines(now, item.name)


@pytest.mark.parametrize(("upgrades", "names"), [((), ["Darth Vader"]), (("r5tk",), ["Darth Vader", "Wedge Antilles"])])
def test_r5_tk_may_attack_friends(upgrades: tuple[str, ...], names: list[str]) -> None:
    luke, wedge = ship("lukeskywalker", ANA, *upgrades), ship("wedgeantilles")
    assert [item.name for item in controls.foes(engagement(luke, wedge, FOE), luke)] == names


def test_a_focus_that_is_red_already_brings_one_stress() -> None:
    item = ship("lukeskywalker", ANA, "droidcrew")
    white = next(each.code for each in dials.dial_of(item) if each.difficulty == "W")
    now = reveals(played(item), item.name, white)
    for color, stress in (("white", 1), ("red", 0)):
        course = moments.Course(now, never).after_action(item.name, "focus", color)
        assert course.table[item.name].has("stress") == stress


# Numbers and charges


def test_vengeful_recovers_only_a_recurring_charge_of_the_ship() -> None:
    item = replace(ship("lukeskywalker", ANA, "vengeful-talent"), charge=1, charge_left=0)
    for charges, is_there in ((Charges(1, 1), True), (Charges(1, 0), False)):
        now = replace(item, printed=replace(item.card, charges=charges))
        lost = replace(ship("wedgeantilles"), wrecked=True)
        table = engagement(now, lost, FOE)
        table[MATCH] = replace(table[MATCH], events=(lost.name,), phase=Phase.ENGAGEMENT)
        assert any("Vengeful" in line for line in lines(table, now.name)) is is_there
