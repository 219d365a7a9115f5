"""Rows that say which weapons may fire: with one disarm token, at range 4, another weapon than before; wingmates."""

from typing import Any

import pytest

from bot.odds.xwing import odds
from bot.rules.errors import PlayerError
from bot.rules.xwing import declare
from bot.rules.xwing.attack.attack import AttackWindow, BonusAttack
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.dice.declared import attack_pool, defense_pool
from bot.rules.xwing.table import aftermath, controls
from bot.rules.xwing.table.ship import Ship
from bot.rules.xwing.table.ship_weapons import find_weapon, reason, usable_weapons
from tests.rules.xwing.fleet import Fight, declared, fleet
from tests.rules.xwing.test_card_fights import press, ship
from tests.rules.xwing.test_friends import begin, cards

BO = 2
TIE = "Academy Pilot"


def disarmed(pilot: str, *upgrades: str, count: int = 1, **more: Any) -> Ship:
    return ship(pilot, *upgrades, tokens={"disarm": count}, **more)


def weapons(item: Ship) -> list[str]:
    return [mount.weapon.name for mount in usable_weapons(item)]


@pytest.mark.parametrize(
    ("one", "fires"),
    [
        (disarmed("nusquadronpilot", "xg1assaultconfiguration", "ioncannon", "protontorpedoes"), ["Ion Cannon"]),
        (disarmed("nusquadronpilot", "ioncannon"), []),
        (disarmed("nusquadronpilot", "xg1assaultconfiguration", "ioncannon", count=2), []),
        (ship("nusquadronpilot", "xg1assaultconfiguration", "ioncannon", tokens={"disarm": 1, "cloak": 1}), []),
        (disarmed("nusquadronpilot", "os1arsenalloadout", "protontorpedoes"), []),
        (disarmed("nusquadronpilot", "os1arsenalloadout", "protontorpedoes", locks=(TIE,)), ["Proton Torpedoes"]),
        (ship("tychocelchu-battleoverendor", tokens={"disarm": 2, "focus": 1}), ["Proton Rockets"]),
        (disarmed("finchdallow-evacuationofdqar"), ["Primary (Double Turret Arc)"]),
        (disarmed("bluesquadronescort", "firstorderordnancetech-gunner"), ["Primary"]),
    ],
)
def test_with_exactly_one_disarm_token_a_row_lets_a_weapon_fire(one: Ship, fires: list[str]) -> None:
    assert weapons(one) == fires
    table = fleet(one, ship("academypilot", owner=BO))
    (attack,) = [offer for offer in controls.offers(table, one.name) if offer.key == controls.ATTACK]
    assert bool(attack.barred) is not bool(fires)
    assert [option.label for field in attack.fields[:1] for option in field.options] == fires


def test_xg_1_fires_its_cannon_with_three_dice_at_most() -> None:
    """A Heavy Laser Cannon has 4."""
    wing = disarmed("nusquadronpilot", "xg1assaultconfiguration", "heavylasercannon")
    here = fleet(wing, ship("academypilot", owner=BO))
    told = {"attacker": wing.name, "defender": TIE, "range": 2}
    assert attack_pool(declared(here, weapon="Heavy Laser Cannon", **told)) == 3
    with pytest.raises(
        PlayerError, match=r"Nu Squadron Pilot has a disarm token and can't fire Primary. Choose Heavy Laser Cannon"
    ):
        declared(here, **told)
    assert declared(here, allowed=True, **told).weapon == "Primary", "a GM may allow it"
    line = {"pilot": "nusquadronpilot", "upgrades": ["xg1assaultconfiguration", "heavylasercannon"], "disarm": 1}
    cannon = odds(declare({"attack": {**line, "weapon": "heavylasercannon"}, "range": 2}))
    assert cannon["dice"] == {"red": 3, "green": 0}
    assert "xg1assaultconfiguration" in str(cannon["counted"])
    with pytest.raises(PlayerError, match="A disarmed ship can't attack"):
        declare({"attack": line, "range": 2})


def test_broadside_batteries_reach_range_4_where_defenders_roll_two_dice_more() -> None:
    guard = pilot_ship("alderaanianguard")
    assert {weapon.farthest for weapon in guard.weapons if weapon.primary} == {4}
    here = fleet(ship("alderaanianguard"), ship("bluesquadronescort"), ship("academypilot", owner=BO))
    told = {"defender": TIE, "range": 4}
    assert defense_pool(declared(here, attacker="Alderaanian Guard", **told)) == 5
    with pytest.raises(PlayerError, match="it has range 1 to 3"):
        declared(here, attacker="Blue Squadron Escort", **told)
    offers = {name: controls.offers(here, name) for name in here}
    ranges = {name: [option.label for option in offers[name][0].fields[2].options][-1] for name in here}
    assert ranges == {"Alderaanian Guard": "Range 4", "Blue Squadron Escort": "Range 3", TIE: "Range 3"}
    line = {"attack": {"pilot": "alderaanianguard"}, "defense": {"pilot": "academypilot"}, "range": 4}
    assert odds(declare(line))["dice"] == {"red": 4, "green": 5}
    with pytest.raises(PlayerError, match="has range 1 to 3"):
        declare({**line, "attack": {"pilot": "bluesquadronescort"}})


def test_double_edge_attacks_again_with_another_weapon() -> None:
    edge = ship("doubleedge", "ioncannonturret")
    fight = Fight(
        fleet(edge, ship("academypilot", owner=BO)),
        "blank blank blank blank blank blank blank",
        attacker=edge.name,
        defender=TIE,
        range=2,
        weapon="Ion Cannon Turret",
    )
    assert fight.state.window is AttackWindow.OVER
    assert [right.name for right in fight.state.rights] == ["Double Edge"]
    arms = [option.value for option in aftermath.fields(fight.state, BonusAttack(0), fight.ships)[0].options]
    assert arms == ["Primary"]


@pytest.mark.parametrize(
    ("card", "most"),
    [
        ("firstorderelite", 2),
        ("jedicommander", 2),
        ("shadowwing", 2),
        ("phoenixsquadron", 2),
        ("agentoftheempire", 2),
        ("skystrikeacademyclass", 5),
    ],
)
def test_wingmates_suffer_once_each_and_no_more_of_them_than_the_card_says(card: str, most: int) -> None:
    leader = ship("academypilot", card, owner=BO)
    wings = [ship("academypilot", owner=BO, name=f"Wing {place}") for place in range(3)]
    fight = begin("hit crit hit crit blank blank blank", ship("bluesquadronescort", attack=4), leader, *wings)
    pressed = 0
    while offered := [label for label in cards(fight) if "wingmate" in label]:
        press(fight, offered[-1])
        pressed += 1
    assert pressed == min(most, len(wings))
    assert sum(fight.ships[wing.name].cards for wing in wings) == pressed
    assert max(fight.ships[wing.name].cards for wing in wings) == 1, "each wingmate pays for one result"


@pytest.mark.parametrize(
    ("one", "weapon", "ranges"),
    [
        (ship("majorrhymer", "protontorpedoes", locks=(TIE,)), "Proton Torpedoes", (1, 2, 3)),
        (ship("venisadoza", "protontorpedoes", locks=(TIE,)), "Proton Torpedoes", (1, 2, 3)),
        (ship("bluesquadronescort", "protontorpedoes", locks=(TIE,)), "Proton Torpedoes", (2, 3)),
        (ship("baktoidprototype", "concussionmissiles"), "Concussion Missiles", (2, 3)),
        (ship("bombardmentdrone", "concussionmissiles"), "Concussion Missiles", ()),
    ],
)
def test_a_card_lets_a_weapon_fire_farther_or_without_its_tokens(one: Ship, weapon: str, ranges: tuple[int]) -> None:
    mount, target = find_weapon(one, weapon), ship("academypilot", owner=BO)
    assert tuple(item for item in range(4) if not reason(one, mount, target, item)) == ranges


def test_a_targeting_synchronizer_lends_its_lock_to_the_weapons_of_friends() -> None:
    shooter, foe = ship("bluesquadronescort", "protontorpedoes"), ship("academypilot", owner=BO)
    relay = ship("lukeskywalker", "targetingsynchronizer", locks=(TIE,))
    said = {"attacker": shooter.name, "defender": TIE, "weapon": "Proton Torpedoes", "range": 2}
    fight = Fight(fleet(shooter, foe, relay), "hit hit hit hit blank blank blank", **said)
    assert not any("Lock" in label for label in cards(fight)), "the lock stays its ship's, to spend too"
    weapon = controls.attack_fields(fleet(shooter, foe, relay), shooter, [foe])[0]
    assert "Proton Torpedoes" in [option.value for option in weapon.options]
    for others in ((), (ship("lukeskywalker", "targetingsynchronizer"),), (ship("lukeskywalker", locks=(TIE,)),)):
        with pytest.raises(PlayerError, match="requires a lock"):
            declared(fleet(shooter, foe, *others), **said)


@pytest.mark.parametrize(
    ("one", "target"),
    [("clantraining", "academypilot"), ("rifftamson", "academypilot"), ("bounty", "lukeskywalker")],
)
def test_what_a_card_does_for_a_kill_or_a_damage_card_is_asked_only_after_damage(one: str, target: str) -> None:
    shooter, foe = ship("bluesquadronescort", one), ship(target, owner=BO)
    named = {"clantraining": "Clan Training", "rifftamson": "Riff Tamson", "bounty": "Bounty"}[one]
    asked = [
        any(named in label for label in cards(begin(f"{fall} " * 3 + "blank " * 3, shooter, foe)))
        for fall in ("hit", "blank")
    ]
    assert asked == [one != "bounty", False], "a reminder has no button"
