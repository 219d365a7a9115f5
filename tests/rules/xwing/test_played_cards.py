"""Kinds of card texts, each played once: replaced ship abilities, weapons that only bonus attacks fire, permissions."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.text import english
from bot.rules.xwing.cards.cards import Charges, replacing
from bot.rules.xwing.cards.rows import coverage_of
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


def test_reloading_follows_only_a_primary_attack() -> None:
    luke = replace(
        from_set("lukeskywalker", "automatedloaders-modification", "protontorpedoes"), locks=("Darth Vader",)
    )
    vader = from_set("darthvader", owner=BO)
    for weapon, is_there in (("Primary", True), ("Proton Torpedoes", False)):
        after = fight("", luke, vader, weapon=weapon).ships
        table = engagement(*after.values())
        assert any("Automated Loaders" in line for line in lines(table, luke.name)) is is_there


def test_an_enemys_lock_is_one_of_the_red_tokens() -> None:
    luke = ship("lukeskywalker", ANA, "withoutatrace-talent")
    vader = replace(FOE, locks=(luke.name,))
    free, locked = engagement(luke, FOE), engagement(luke, vader)
    assert not any("Without a Trace" in line for line in lines(free, luke.name))
    assert used(locked, luke.name, "Without a Trace")[vader.name].locks == ()


def test_a_gift_of_the_destroyed_is_paid_by_its_device() -> None:
    luke = replace(ship("lukeskywalker", ANA, "partinggift-talent", "protonbombs"), wrecked=True)
    table = engagement(luke, FOE)
    table[MATCH] = replace(table[MATCH], events=(luke.name,))
    assert used(table, luke.name, "Parting Gift")[luke.name].upgrade_charges == (0, 1)


def test_terex_turns_when_his_last_calculate_token_has_gone() -> None:
    luke = replace(ship("lukeskywalker", ANA, "agentterex"), on_cards={})
    for on_cards, title in (({}, "Agent Terex (Cyborg)"), ({"calculate on agentterex": 1}, "Agent Terex")):
        table = engagement(replace(luke, on_cards=on_cards), FOE)
        now = moments.next_phase(table, never).table
        assert now[luke.name].sides[0].title == title


def test_a_card_that_only_lasts_is_automated() -> None:
    assert coverage_of("upgrade:niennunb", "xwa") == coverage_of("upgrade:primedthrusters", "xwa") == "counted"
    assert coverage_of("upgrade:ghost", "xwa") == "reminded"
    assert coverage_of("upgrade:kuiil", "xwa") == "asked"


def test_a_wolfpack_defender_locks_its_attacker_for_a_strain() -> None:
    plo, friend = ship("lukeskywalker", ANA, "wolfpack"), ship("wedgeantilles")
    table = engagement(plo, friend, replace(FOE, last_target=friend.name))
    now = used(table, plo.name, "Wolfpack", ship=friend.name)
    assert (now[friend.name].locks, now[friend.name].tokens) == ((FOE.name,), {"strain": 1})
