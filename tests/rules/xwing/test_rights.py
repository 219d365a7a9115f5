"""Bonus attacks as rights: who may make one, with which weapon, at which target, what it costs, and once a round."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import Side
from bot.rules.text import Name, english
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import Attack
from bot.rules.xwing.cards.card_sets import SHELF
from bot.rules.xwing.cards.cards import Weapon, pilot_ship
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice.declared import BonusRight
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table import aftermath, card_effects, pieces, ship_weapons
from bot.rules.xwing.table.match import MATCH, Match, Phase
from bot.rules.xwing.table.ship import Ship, dock, end_of_round, from_card, remove_ships
from tests.rules.xwing.fleet import Fight, declared, fleet
from tests.rules.xwing.test_card_fights import BO, ship

ESCORT, PILOT, DENGAR = "Blue Squadron Escort", "Academy Pilot", "Dengar"
MISS = "blank " * 8


def fight(falls: str, shooter: Ship, target: Ship, *others: Ship, **more: Any) -> Fight:
    told = {"attacker": shooter.name, "defender": target.name, "range": 2, **more}
    done = Fight(fleet(shooter, target, *others), falls + " " + MISS, **told)
    while done.state.window is not attack.AttackWindow.OVER:
        done.take("done", falls=MISS)
    return done


def labels(state: Attack) -> list[str]:
    return [english(offer.label) for offer in attack.offers(state) if not offer.is_aside]


def act_of(done: Fight, offer: str) -> Any:
    """What an offer of a finished attack does."""
    return next(item.act for item in attack.offers(done.state) if item.key == offer)


def form(done: Fight, offer: str) -> dict[str, list[str]]:
    """The weapons and targets of a bonus attack."""
    fields = aftermath.fields(done.state, act_of(done, offer), done.ships)
    return {
        field.key: [option.value for option in field.options] for field in fields if field.key in ("weapon", "defender")
    }


def follow(done: Fight, offer: str, falls: str, **filled: str) -> Fight:
    """The bonus attack that an offer of a finished attack opens."""
    words = aftermath.declare_words(done.state, act_of(done, offer), {"range": "2", **filled})
    return Fight(done.ships, falls + " " + MISS, **words)


def test_nobody_whose_cards_give_none_is_asked() -> None:
    done = fight("", ship("bluesquadronescort"), ship("academypilot", owner=BO))
    assert (done.state.rights, labels(done.state)) == ((), [])
    by_hand = [offer for offer in attack.offers(done.state) if offer.is_aside]
    assert [offer.label for offer in by_hand] == [f"Bonus attack: {PILOT}", f"Bonus attack: {ESCORT}", "Attack again"]


def test_a_right_names_card_claim_cost_and_ship() -> None:
    done = fight("", ship("bluesquadronescort"), ship("dengar", owner=BO))
    (right,) = done.state.rights
    assert (right.row, right.ship, right.side) == ("pilot:dengar[1]", DENGAR, Side.DEFENDER)
    assert labels(done.state) == [
        "Dengar: bonus attack by Dengar",
        "No bonus attack",
    ]
    assert form(done, "bonus-0")["defender"] == [ESCORT], "at the attacker"


def test_the_cost_is_paid_when_the_dice_of_the_bonus_attack_fall() -> None:
    done = fight("", ship("bluesquadronescort"), ship("dengar", owner=BO))
    bonus = follow(done, "bonus-0", "", weapon="Primary", defender=ESCORT)
    dengar = bonus.ships[DENGAR]
    assert (dengar.charge_left, dengar.bonus_attacks, dengar.engaged) == (0, 1, False)
    assert bonus.state.declared.right == replace(done.state.rights[0], side=Side.ATTACKER)
    assert Side.ATTACKER not in bonus.state.bonus_attacks, "once a round"


def test_without_its_cost_there_is_no_right() -> None:
    dengar = replace(ship("dengar", owner=BO), charge_left=0)
    assert fight("", ship("bluesquadronescort"), dengar).state.rights == ()


def test_a_target_that_the_card_does_not_say_is_refused() -> None:
    wing = ship("redsquadronveteran")
    done = fight("", ship("bluesquadronescort"), ship("dengar", owner=BO), wing)
    with pytest.raises(PlayerError, match="Dengar doesn't allow an attack on Red Squadron Veteran"):
        aftermath.declare_words(done.state, act_of(done, "bonus-0"), {"weapon": "Primary", "defender": wing.name})


def test_a_weapon_that_the_card_does_not_say_is_refused() -> None:
    gunner = ship("norrawexley", "veterantailgunner", "ioncannonturret")
    done = fight("", gunner, ship("academypilot", owner=BO), weapon="Primary (Front Arc)")
    assert form(done, "bonus-0")["weapon"] == ["Primary (Rear Arc)"]
    with pytest.raises(PlayerError, match=r"Veteran Tail Gunner grants a bonus attack with Primary \(Rear Arc\)"):
        follow(done, "bonus-0", "", weapon="Ion Cannon Turret", defender=PILOT)
    assert follow(done, "bonus-0", "", weapon="Primary (Rear Arc)", defender=PILOT).state.declared.bonus


def test_no_weapon_that_fits_is_no_right() -> None:
    """A turret gunner on a ship without a turret."""
    done = fight("", ship("bluesquadronescort", "veteranturretgunner"), ship("academypilot", owner=BO))
    assert done.state.rights == ()


def test_the_other_turret_arc() -> None:
    """A turret of one arc that has fired has no other; with a turret beside the front arc it is the other one."""
    turret = ship("goldsquadronveteran", "veteranturretgunner", "ioncannonturret")
    done = fight("", turret, ship("academypilot", owner=BO))
    assert form(done, "bonus-0")["weapon"] == ["Ion Cannon Turret"]
    (row,) = ROWS["upgrade:veteranturretgunner"]
    assert row.bonus is not None
    double = Weapon(name="Primary", arc="Double Turret Arc", value=3, primary=True)
    assert card_effects.is_weapon_allowed(row.bonus, double, "Primary", row.card)
    assert not card_effects.is_weapon_allowed(row.bonus, replace(double, arc="Single Turret Arc"), "Primary", row.card)


def test_a_lifted_lock_is_not_needed() -> None:
    """Cluster Missiles: the same weapon at another ship, charge and range stay."""
    shooter = ship("bluesquadronescort", "clustermissiles", locks=(PILOT,))
    other = ship("obsidiansquadronpilot", owner=BO)
    done = fight("", shooter, ship("academypilot", owner=BO), other, weapon="Cluster Missiles", range=1)
    assert form(done, "bonus-0") == {"weapon": ["Cluster Missiles"], "defender": [other.name]}
    bonus = follow(done, "bonus-0", "", weapon="Cluster Missiles", defender=other.name)
    assert bonus.ships[ESCORT].upgrade_charges == (2,), "two of four are paid"


def test_what_is_gained_for_a_right_counts_in_it() -> None:
    """Airen Cracken's ship gains 1 deplete: its bonus attack rolls one die fewer, and the token goes."""
    card = pilot_ship("bluesquadronescort", ["airencracken-battleoverendor"], SHELF.of("legacy"))
    target = from_card(card, BO)
    done = fight("hit hit", ship("academypilot"), target)
    bonus = follow(done, "bonus-0", "", weapon="Primary", defender=PILOT)
    assert len(bonus.state.red) == 2
    assert bonus.ships[ESCORT].has("deplete") == 0


def test_a_third_ship_has_the_right() -> None:
    """Boba Fett (Armed and Dangerous) shoots at who attacked a friend, if he has locked it."""
    boba = ship("bobafett-armedanddangerous", owner=BO, locks=(ESCORT,))
    done = fight("", ship("bluesquadronescort"), ship("academypilot", owner=BO), boba)
    (right,) = done.state.rights
    assert (right.ship, right.side) == ("Boba Fett", Side.DEFENDER)


def test_what_a_right_takes_off_a_ship_does_not_disarm_it() -> None:
    """Stealth Gambit: a cloaked ship loses its cloak token, gains a strain token, and attacks at the same target."""
    ace = ship("sigmasquadronace", "stealthgambit-talent", tokens={"cloak": 1})
    done = fight("hit hit blank", ship("academypilot"), ship("bluesquadronescort", owner=BO), ace)
    (right,) = done.state.rights
    assert (right.row, right.ship) == ("upgrade:stealthgambit-talent[1]", ace.name)
    bonus = follow(done, "bonus-0", "blank blank blank", weapon="Primary", defender=ESCORT)
    assert (bonus.ships[ace.name].tokens, bonus.ships[ace.name].bonus_attacks) == ({"strain": 1}, 1)
    with pytest.raises(PlayerError, match="Sigma Squadron Ace has a cloak token: it engages but can't attack"):
        declared(done.ships, attacker=ace.name, defender=ESCORT, range=2)


def test_the_defender_first_and_then_the_attacker() -> None:
    done = fight("", ship("bluesquadronescort", "bossk"), ship("dengar", owner=BO))
    assert [right.ship for right in done.state.rights] == [DENGAR, ESCORT]
    assert labels(done.state)[-1] == "No bonus attack"
    done.take("no-bonus")
    assert labels(done.state) == [f"Bossk: bonus attack by {ESCORT}", "No bonus attack"]
    done.take("bonus-0")
    assert labels(done.state) == []


def test_passing_a_right_by_is_a_press_of_its_own() -> None:
    done = fight("", ship("bluesquadronescort", "bossk"), ship("academypilot", owner=BO))
    assert aftermath.open_follow_ups(done.state, done.ships) == (
        f"{ESCORT} may still make a bonus attack, thanks to Bossk."
    ), "without a match nobody knows that the phase is over"
    done.take("no-bonus")
    assert labels(done.state) == []
    assert aftermath.open_follow_ups(done.state, done.ships) == ""


def test_the_defenders_turn_is_over_once_the_attacker_makes_one() -> None:
    done = fight("", ship("bluesquadronescort", "bossk"), ship("dengar", owner=BO))
    done.take(f"bonus-{Side.ATTACKER}")
    assert (done.state.rights, done.state.bonus_attacks) == ((), (Side.DEFENDER,))


def test_a_huge_ship_makes_several() -> None:
    small, huge = (replace(ship(item), bonus_attacks=1) for item in ("bluesquadronescort", "alderaanianguard"))
    table = fleet(small, huge, ship("academypilot", owner=BO))
    with pytest.raises(PlayerError, match="has already made its bonus attack this round"):
        declared(table, attacker=small.name, defender=PILOT, range=2, bonus=True)
    assert declared(table, attacker=huge.name, defender=PILOT, range=2, bonus=True).bonus


def test_a_right_that_no_card_gives_is_refused() -> None:
    table = fleet(ship("bluesquadronescort"), ship("academypilot", owner=BO))
    with pytest.raises(BadInputError, match="None of Blue Squadron Escort"):
        declared(table, attacker=ESCORT, defender=PILOT, right="pilot:dengar[1]")


def test_a_right_of_another_phase_is_in_time() -> None:
    """Snap Shot, after an enemy's maneuver: nobody asks for the ship's turn."""
    table: dict[str, Any] = fleet(ship("bluesquadronescort", "snapshot"), ship("academypilot", owner=BO))
    table[MATCH] = Match(phase=Phase.ACTIVATION)
    (row,) = card_effects.own_rights(table[ESCORT])
    result = declared(table, attacker=ESCORT, defender=PILOT, weapon="Snap Shot", range=2, right=row.key)
    assert (result.bonus, result.out_of_order) == (True, False)


def test_every_right_of_the_rows_can_be_paid_and_says_its_weapon() -> None:
    rows = [row for card in ROWS for row in ROWS[card] if row.bonus]
    assert len(rows) > 40
    for row in rows:
        assert row.bonus is not None
        assert row.bonus.weapons
        for cost in row.cost:
            assert cost.what == "charge" or cost.what in TOKENS, row


# Energy of huge ships


def test_energy_is_kept_paid_and_recovers() -> None:
    huge = ship("alderaanianguard", "gunneryspecialists")
    assert (huge.energy_left, huge.energy) == (huge.card.energy.capacity, huge.card.energy.capacity)
    done = Fight(fleet(huge, ship("academypilot", owner=BO)), MISS, attacker=huge.name, defender=PILOT, range=2)
    done.take("effect-0", "0", falls=MISS)
    spent = done.ships[huge.name]
    assert spent.energy_left == huge.energy - 1
    assert end_of_round(spent).energy_left == min(huge.energy, spent.energy_left + huge.card.energy.recover)


def test_without_energy_a_card_that_costs_it_is_no_choice() -> None:
    tired = replace(ship("alderaanianguard", "gunneryspecialists"), energy_left=0)
    done = Fight(fleet(tired, ship("academypilot", owner=BO)), MISS, attacker=tired.name, defender=PILOT, range=2)
    assert done.state.window is attack.AttackWindow.OVER
    row = next(item for item in ROWS["upgrade:zealouscaptain"] if item.bonus)
    assert ship_weapons.missing_requirement(tired, row, "") == "energy"
    with pytest.raises(PlayerError, match="Alderaanian Guard doesn't have enough energy for this bonus attack"):
        card_effects.pay_right(tired, BonusRight(row=row.key, name=Name(""), ship=tired.name), "")


# A carrier has what a ship docked on it lends


def docked(carrier: Ship, small: Ship) -> tuple[Ship, Ship]:
    """Both ships, the small one docked."""
    both = dock({carrier.name: carrier, small.name: small}, small, carrier.name)
    return both[carrier.name], both[small.name]


@pytest.mark.parametrize(
    ("upgrades", "weapon", "is_given"),
    [((), "Primary", True), (("dorsalturret",), "Dorsal Turret", True), (("ioncannon",), "Ion Cannon", False)],
)
def test_a_carrier_attacks_with_its_tail_gun_after_a_front_arc_or_turret_attack(
    upgrades: tuple[str, ...], weapon: str, *, is_given: bool
) -> None:
    ghost, shuttle = docked(ship("herasyndulla-vcx100lightfreighter", *upgrades), ship("ezrabridger"))
    done = fight("", ghost, ship("academypilot", owner=BO), shuttle, weapon=weapon)
    rights = [(right.row, right.ship) for right in done.state.rights]
    assert rights == [("chassis:lockedandloaded[1]", ghost.name)] * is_given
    if is_given:
        assert form(done, "bonus-0")["weapon"] == ["Primary (Rear Arc)"]
        bonus = follow(done, "bonus-0", "", weapon="Primary (Rear Arc)", defender=PILOT)
        assert bonus.state.declared.attack.dice == shuttle.attack
        assert (bonus.ships[ghost.name].bonus_attacks, bonus.ships[shuttle.name].attacks) == (1, 0)


def test_a_carrier_without_a_docked_ship_has_no_tail_gun() -> None:
    ghost, shuttle = ship("herasyndulla-vcx100lightfreighter"), ship("ezrabridger")
    full, inside = docked(ghost, shuttle)
    assert [mount.weapon.name for mount in ship_weapons.mounts(full)] == ["Primary", "Primary (Rear Arc)"]
    alone = dock({full.name: full, inside.name: inside}, inside)
    assert (alone[ghost.name], alone[shuttle.name]) == (ghost, shuttle)
    assert fight("", ghost, ship("academypilot", owner=BO), shuttle).state.rights == ()
    assert fight("", shuttle, ship("academypilot", owner=BO), ghost).state.rights == ()
    gone = remove_ships({full.name: full, inside.name: inside}, [inside.name])
    assert gone == {inside.name: None, ghost.name: ghost}


def test_a_carrier_has_the_pilot_ability_of_its_co_pilot() -> None:
    craft = ship("landocalrissian-escapecraft")
    full, inside = docked(ship("hansolo"), craft)
    fighting = Fight(fleet(full, ship("academypilot", owner=BO), inside), MISS, attacker=full.name, defender=PILOT)
    names = [english(item.label) for item in attack.offers(fighting.state)]
    assert [name for name in names if name.startswith(craft.name)]
    away = Fight(
        fleet(ship("hansolo"), ship("academypilot", owner=BO), craft), MISS, attacker=full.name, defender=PILOT
    )
    assert not [item for item in attack.offers(away.state) if english(item.label).startswith(craft.name)]


def test_a_docked_ship_helps_nobody_in_an_attack() -> None:
    friend = ship("sabinewren")
    carrier = ship("herasyndulla-vcx100lightfreighter")
    both = docked(carrier, friend)
    table = fleet(*both, ship("academypilot", owner=BO))
    assert pieces.friends(table, both[0], None) == ()
