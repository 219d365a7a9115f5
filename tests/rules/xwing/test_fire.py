"""Step 1: weapons. Requirements are checked and not spent, costs are paid before any die falls."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.errors import PlayerError
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.table import controls
from bot.rules.xwing.table.ship import Ship, charge_upgrade, end_of_round, from_card, give, refit
from bot.rules.xwing.table.ship_weapons import find_weapon, mounts, primary, reason
from tests.rules.xwing.fleet import Fight, declared, fleet, mauler


def luke(*upgrades: str) -> Ship:
    """Luke in a T-65 with these upgrades: weapon value 3."""
    return from_card(pilot_ship("lukeskywalker", upgrades))


def armed(*upgrades: str) -> dict[str, Ship]:
    """Luke with upgrades has a lock on Mauler."""
    return fleet(replace(luke(*upgrades), locks=("Mauler",)), mauler())


def test_without_a_word_the_best_primary_weapon_fires() -> None:
    shot = declared(armed("protontorpedoes"), attacker="Luke Skywalker", defender="Mauler", range=1)
    assert (shot.weapon, shot.attack.dice, shot.ordnance, shot.special) == ("Primary", 3, False, False)
    stronger = fleet(refit(luke(), attack=4), mauler())
    assert declared(stronger, attacker="Luke Skywalker", defender="Mauler").attack.dice == 4


def test_a_command_that_says_nothing_of_ordnance_takes_it_from_the_weapon() -> None:
    """`/xwing attack` and `/xwing odds` say no where nobody typed it."""
    told = {"attacker": "Luke Skywalker", "defender": "Mauler", "weapon": "proton torpedoes", "range": 3}
    assert declared(armed("protontorpedoes"), **told, ordnance=False).ordnance


def test_a_torpedo_still_has_its_lock_and_pays_a_charge_before_any_die_falls() -> None:
    """(R) ``needs lock`` is checked and not spent; charges are paid."""
    ships = armed("protontorpedoes")
    options = {"attacker": "Luke Skywalker", "defender": "Mauler", "weapon": "proton torpedoes", "range": 2}
    fought = Fight(ships, "blank blank blank blank", **options)
    luke_now = fought.ships["Luke Skywalker"]
    assert luke_now.upgrade_charges == (1,)
    assert luke_now.locks == ("Mauler",)
    assert len(fought.state.red) == 4, "ordnance has no bonus for range"
    fought.take("lock", "0", falls="hit evade focus blank")
    assert fought.ships["Luke Skywalker"].locks == ()


@pytest.mark.parametrize(
    ("lock", "charges", "range_", "sentence"),
    [
        ("Vader", 2, 2, "it requires a lock on Mauler."),
        ("Mauler", 0, 2, "it costs 1 charge and has none left."),
        ("Mauler", 2, 1, "it has range 2 to 3."),
    ],
)
def test_what_is_missing_refuses_the_attack(lock: str, charges: int, range_: int, sentence: str) -> None:
    shooter = replace(luke("protontorpedoes"), locks=(lock,), upgrade_charges=(charges,))
    with pytest.raises(PlayerError) as refused:
        declared(
            fleet(shooter, mauler()),
            attacker="Luke Skywalker",
            defender="Mauler",
            weapon="Proton Torpedoes",
            range=range_,
        )
    assert str(refused.value).startswith(f"Luke Skywalker can't fire Proton Torpedoes: {sentence}")


def test_one_of_several_needs_is_enough_where_the_card_says_so() -> None:
    ship = luke("multimissilepods")
    pods = find_weapon(ship, "Multi-Missile Pods")
    assert reason(ship, pods, mauler(), 1) == "requires a calculate token or a lock on Mauler"
    assert reason(give(ship, "calculate", 1), pods, mauler(), 1) == ""
    assert reason(replace(ship, locks=("Mauler",)), pods, mauler(), 1) == ""


def test_two_weapons_of_one_name_have_their_own_charges() -> None:
    ship = luke("protontorpedoes", "protontorpedoes")
    assert [mount.place for mount in mounts(ship)] == [-1, 0, 1]
    empty = replace(ship, upgrade_charges=(0, 2))
    assert find_weapon(empty, "Proton Torpedoes").place == 1


def test_another_attack_may_not_spend_the_same_charge() -> None:
    ships = armed("protontorpedoes")
    ships["Luke Skywalker"] = replace(ships["Luke Skywalker"], upgrade_charges=(1,))
    options = {"attacker": "Luke Skywalker", "defender": "Mauler", "weapon": "Proton Torpedoes", "range": 2}
    shot = declared(ships, **options)
    ships["Luke Skywalker"] = replace(ships["Luke Skywalker"], upgrade_charges=(0,))
    fight = Fight.__new__(Fight)
    with pytest.raises(
        PlayerError, match="Luke Skywalker can't fire Proton Torpedoes: it costs 1 charge and has none left"
    ):
        Fight.__init__(fight, ships, "hit", **options)
    assert shot.weapon_cost == 1


def test_a_special_weapon_may_reach_range_0() -> None:
    ship = luke("hotshottailblaster")
    tail = find_weapon(ship, "Hotshot Tail Blaster")
    assert reason(ship, tail, mauler(), 0) == ""
    shot = declared(fleet(ship, mauler()), attacker="Luke Skywalker", weapon="Hotshot Tail Blaster", range=0, agility=1)
    assert shot.special


def test_a_weapon_that_a_ship_has_not_is_refused_with_those_that_it_has() -> None:
    ships = armed("protontorpedoes")
    with pytest.raises(PlayerError, match="Use one of Luke Skywalker's weapons: `Proton Torpedoes`"):
        declared(ships, attacker="Luke Skywalker", defender="Mauler", weapon="Proton Torpedos")
    with pytest.raises(PlayerError, match="`weapon`"):
        declared(ships, dice=3, agility=1, weapon="Proton Torpedoes")


def test_a_charge_is_spent_of_one_upgrade_and_the_others_keep_theirs() -> None:
    ship = luke("r2d2", "protontorpedoes")
    item, other = ship.upgrade_charges
    assert charge_upgrade(ship, 0, -1).upgrade_charges == (item - 1, other)


def test_charges_of_upgrades_recover_by_their_own_number() -> None:
    ship = replace(luke("r2d2", "protontorpedoes"), upgrade_charges=(0, 0))
    recover = [upgrade.charges.recover for upgrade in ship.card.upgrades]
    assert end_of_round(ship).upgrade_charges == tuple(max(0, item) for item in recover)


def test_a_ship_of_numbers_has_one_primary_weapon() -> None:
    mount = primary(mauler())
    assert mount is not None
    assert (mount.weapon.value, mount.place) == (2, -1)


def test_a_weapons_line_has_charges_lock_and_what_is_missing() -> None:
    """Those that can fire at nobody are not listed; of several targets one is enough."""
    wing = from_card(pilot_ship("lukeskywalker", ["protontorpedoes", "ioncannon"]), 1)
    here: dict[str, Any] = {ship.name: ship for ship in (wing, from_card(pilot_ship("academypilot"), 2))}

    def lines(**more: Any) -> dict[str, str]:
        table: dict[str, Any] = {**here, wing.name: replace(wing, **more)}
        (offer,) = [item for item in controls.offers(table, wing.name) if item.key == controls.ATTACK]
        return {option.value: str(option.detail) for option in offer.fields[0].options}

    primary = {"Primary": "3 dice, Front Arc", "Ion Cannon": "3 dice, Front Arc"}
    assert lines() == primary
    locked = "4 dice, Front Arc, 2 of 2 charges, lock on Academy Pilot"
    assert lines(locks=("Academy Pilot",)) == {**primary, "Proton Torpedoes": locked}
    assert lines(locks=("Academy Pilot",), upgrade_charges=(0, 0)) == primary
