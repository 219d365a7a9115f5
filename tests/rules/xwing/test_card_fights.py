"""Attacks between ships with cards: what is offered, what a press claims and costs, what acts by itself."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.errors import NotOfferedError, PlayerError
from bot.rules.text import english
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import AttackWindow
from bot.rules.xwing.cards.cards import Charges, pilot_ship
from bot.rules.xwing.cards.effects import charged_upgrades
from bot.rules.xwing.cards.facts import Fighter
from bot.rules.xwing.dice.costs import read_cost
from bot.rules.xwing.table.ship import Ship, flip, from_card, give
from tests.rules.xwing.fleet import Fight, fleet
from tests.rules.xwing.play import open_offers

ANA, BO = 1, 2


def ship(pilot: str, *upgrades: str, owner: int = ANA, tokens: dict[str, int] | None = None, **more: Any) -> Ship:
    result = replace(from_card(pilot_ship(pilot, upgrades), owner), **more)
    for token, count in (tokens or {}).items():
        result = give(result, token, count)
    return result


def labels(fight: Fight) -> dict[str, tuple[str, ...]]:
    """The open offers by label, those of the list of cards one by one; each with its key and what is picked then."""
    result = {english(offer.label): (offer.key,) for offer in open_offers(fight.state) if offer.key != "cards"}
    listed = [option for offer in open_offers(fight.state) if offer.key == "cards" for option in offer.options]
    return result | {
        f"{english(option.label)} [{english(option.detail)}]": ("cards", option.value) for option in listed
    }


def press(fight: Fight, begins: str, *picked: str, falls: str = "") -> Fight:
    """Take the one offer whose label begins so."""
    ((key, *listed),) = [key for label, key in labels(fight).items() if label.startswith(begins)]
    return fight.take(key, *listed, *picked, falls=falls)


def details(fight: Fight, label: str) -> set[str]:
    """What stands below each die of a list."""
    (offer,) = [item for item in open_offers(fight.state) if english(item.label) == label]
    return {english(option.detail) for option in offer.options}


def shown(fight: Fight) -> str:
    return " ".join(str(die.face) for die in fight.state.red if die.counts)


def test_a_row_with_a_question_keeps_its_window_open_and_the_press_is_the_claim() -> None:
    ships = fleet(ship("bluesquadronescort", "predator"), ship("academypilot", owner=BO))
    fight = Fight(ships, "hit blank blank", attacker="Blue Squadron Escort", defender="Academy Pilot", range=2)
    assert fight.state.window is AttackWindow.ATTACKER_MODIFIES_ATTACK
    (label,) = [item for item in labels(fight) if item != "Done"]
    assert label == "Predator: reroll 1 die (in your bullseye arc)"
    assert details(fight, label) == {""}, "the label says it"
    press(fight, "Predator", "1", falls="crit evade blank blank")
    assert shown(fight) == "crit blank" or shown(fight).startswith(("hit", "crit"))


def test_a_row_without_a_question_acts_by_itself() -> None:
    """Wedge's target rolls one green die less."""
    ships = fleet(ship("wedgeantilles"), ship("academypilot", owner=BO))
    fight = Fight(ships, "hit hit hit evade evade", attacker="Wedge Antilles", defender="Academy Pilot", range=2)
    assert fight.state.window is AttackWindow.OVER
    assert [die.face for die in fight.state.green] == ["evade", "evade"], "agility 3, less one"


def test_an_own_charge_is_paid_with_the_press() -> None:
    ships = fleet(ship("bluesquadronescort"), ship("howlrunner", "elusive", owner=BO))
    fight = Fight(
        ships, "hit hit hit evade blank blank", attacker="Blue Squadron Escort", defender="Howlrunner", range=2
    )
    assert fight.state.window is AttackWindow.DEFENDER_MODIFIES_DEFENSE, "the window stays open for Elusive"
    press(fight, "Elusive: reroll", "1", falls="evade")
    assert fight.ships["Howlrunner"].upgrade_charges == (0,)
    assert fight.state.damage is not None
    assert fight.state.damage.total == 1


def test_a_third_ship_helps_while_it_is_there() -> None:
    wing = ship("howlrunner")
    ships = fleet(ship("academypilot"), wing, ship("bluesquadronescort", owner=BO))
    told = {"attacker": "Academy Pilot", "defender": "Blue Squadron Escort", "range": 2}
    fight = Fight(ships, "blank blank", **told)
    assert "Howlrunner: reroll 1 die (at range 0-1)" in labels(fight)
    alone = Fight(
        {name: item for name, item in ships.items() if name != "Howlrunner"}, "blank blank blank blank", **told
    )
    assert alone.state.window is AttackWindow.OVER


def test_crack_shot_acts_before_neutralize_when_dice_are_not_modified_any_more() -> None:
    ships = fleet(ship("bluesquadronescort", "crackshot"), ship("academypilot", owner=BO))
    told = {"attacker": "Blue Squadron Escort", "defender": "Academy Pilot", "range": 2}
    fight = Fight(ships, "hit hit hit evade evade evade", **told)
    assert fight.state.window is AttackWindow.ATTACKER_BEFORE_NEUTRALIZE
    press(fight, "Crack Shot (in your bullseye arc; for 1 charge)")
    assert fight.state.damage is not None
    assert fight.state.damage.total == 1
    assert fight.ships["Blue Squadron Escort"].upgrade_charges == (0,)


def test_an_ion_cannon_gives_tokens_in_place_of_damage() -> None:
    ships = fleet(ship("bluesquadronescort", "ioncannon"), ship("academypilot", owner=BO))
    told = {"attacker": "Blue Squadron Escort", "defender": "Academy Pilot", "range": 2, "weapon": "Ion Cannon"}
    fight = Fight(ships, "hit hit crit blank blank blank", **told)
    damage, target = fight.state.damage, fight.ships["Academy Pilot"]
    assert damage is not None
    assert (damage.hits, damage.crits, damage.tokens) == (1, 0, (("ion", 2),))
    assert (target.has("ion"), target.cards) == (2, 1)


def test_a_tractor_beam_deals_no_damage() -> None:
    ships = fleet(ship("bluesquadronescort", "tractorbeam"), ship("academypilot", owner=BO))
    told = {"attacker": "Blue Squadron Escort", "defender": "Academy Pilot", "range": 2, "weapon": "Tractor Beam"}
    fight = Fight(ships, "hit hit crit blank blank blank", **told)
    target = fight.ships["Academy Pilot"]
    assert (target.has("tractor"), target.cards) == (3, 0)


def test_a_torpedo_must_turn_a_hit_to_a_crit() -> None:
    attacker = ship("bluesquadronescort", "protontorpedoes", locks=("Academy Pilot",))
    ships = fleet(attacker, ship("academypilot", owner=BO))
    told = {"attacker": attacker.name, "defender": "Academy Pilot", "range": 2, "weapon": "Proton Torpedoes"}
    fight = Fight(ships, "hit hit hit hit blank blank blank", **told)
    while "Done" in labels(fight):
        fight.take("done", falls="blank blank blank")
    assert fight.state.damage is not None
    assert fight.state.damage.crits == 1
    assert fight.ships[attacker.name].upgrade_charges == (1,)


def test_what_acts_at_the_roll_is_asked_before_the_dice() -> None:
    ships = fleet(ship("bluesquadronescort", "outmaneuver"), ship("academypilot", owner=BO))
    told = {"attacker": "Blue Squadron Escort", "defender": "Academy Pilot", "range": 2}
    fight = Fight(ships, "", **told)
    assert fight.state.window is AttackWindow.ATTACKER_BEFORE_DICE
    assert not fight.state.red
    press(fight, "Outmaneuver", falls="hit hit hit blank blank")
    assert len(fight.state.green) == 2
    declined = Fight(ships, "", **told).take("done", falls="hit hit hit blank blank blank")
    assert len(declined.state.green) == 3


def test_a_cost_outside_the_attack_is_paid_by_the_ship() -> None:
    """Scorch takes a stress token for a die more."""
    ships = fleet(ship("scorch"), ship("academypilot", owner=BO))
    fight = Fight(ships, "", attacker="Scorch", defender="Academy Pilot", range=2)
    press(fight, "Scorch", falls="hit hit hit blank blank blank")
    assert len(fight.state.red) == 3
    assert fight.ships["Scorch"].has("stress") == 1


def test_force_that_comes_back_when_the_attack_is_declared() -> None:
    luke = ship("lukeskywalker", owner=BO, force_left=0)
    ships = fleet(ship("academypilot"), luke)
    fight = Fight(ships, "hit hit focus focus", attacker="Academy Pilot", defender="Luke Skywalker", range=2)
    assert fight.ships["Luke Skywalker"].force_left == 1
    press(fight, "Force")
    assert fight.ships["Luke Skywalker"].force_left == 0


def test_fire_control_system_or_the_lock_never_both() -> None:
    attacker = ship("onyxsquadronace", "firecontrolsystem", locks=("Academy Pilot",))
    ships = fleet(attacker, ship("academypilot", owner=BO))
    told = {"attacker": attacker.name, "defender": "Academy Pilot", "range": 2}
    fight = Fight(ships, "blank blank blank", **told)
    assert {label.partition(":")[0] for label in labels(fight)} == {"Fire-Control System", "Lock", "Done"}
    assert details(fight, "Fire-Control System: reroll 1 die") == {"requires your lock, which stays"}
    press(fight, "Fire-Control System", "0", falls="blank blank blank blank")
    assert not any(label.startswith("Lock") for label in labels(fight))
    assert fight.ships[attacker.name].locks == ("Academy Pilot",)


def test_midnight_keeps_a_locked_enemy_from_modifying() -> None:
    ships = fleet(
        ship("bluesquadronescort", tokens={"focus": 1}), ship("midnight", owner=BO, locks=("Blue Squadron Escort",))
    )
    told = {"attacker": "Blue Squadron Escort", "defender": "Midnight", "range": 2}
    fight = Fight(ships, "focus focus focus blank blank blank", **told)
    assert fight.state.window is AttackWindow.OVER
    assert fight.ships["Blue Squadron Escort"].has("focus") == 1


def test_another_sides_row_cannot_be_pressed() -> None:
    ships = fleet(ship("bluesquadronescort", "predator"), ship("academypilot", owner=BO))
    fight = Fight(ships, "hit blank blank", attacker="Blue Squadron Escort", defender="Academy Pilot", range=2)
    with pytest.raises(NotOfferedError):
        fight.take("effect-7")


# Cards that the bot does not know


def test_another_card_of_whose_window_it_is() -> None:
    ships = fleet(ship("bluesquadronescort", tokens={"focus": 1}), ship("academypilot", owner=BO))
    told = {"attacker": "Blue Squadron Escort", "defender": "Academy Pilot", "range": 2}
    fight = Fight(ships, "hit focus blank", **told)
    fight.take("another", words="change 1 blank to hit", card="R2-D2")
    press(fight, "R2-D2: 1 blank to hit")
    assert shown(fight) == "hit focus hit"
    assert "R2-D2 of the attacker: change 1 blank to hit" in fight.state.told


def test_the_other_side_speaks_for_itself_in_any_window() -> None:
    ships = fleet(ship("bluesquadronescort", tokens={"focus": 1}), ship("academypilot", owner=BO))
    told = {"attacker": "Blue Squadron Escort", "defender": "Academy Pilot", "range": 2}
    fight = Fight(ships, "hit focus blank", **told)
    fight.take("another", words="cancel 1 red hit before neutralize", card="House rule", side="defender")
    fight.take("done", falls="blank blank blank")
    assert fight.state.window is AttackWindow.DEFENDER_BEFORE_NEUTRALIZE
    press(fight, "House rule: cancel 1 hit")
    assert fight.state.damage is not None
    assert fight.state.damage.total == 0


@pytest.mark.parametrize("words", ["+1 dice red", "focus", "cancel 1 evade to"])
def test_what_no_card_can_do_any_more_is_refused(words: str) -> None:
    ships = fleet(ship("bluesquadronescort", tokens={"focus": 1}), ship("academypilot", owner=BO))
    fight = Fight(ships, "hit focus blank", attacker="Blue Squadron Escort", defender="Academy Pilot", range=2)
    with pytest.raises(PlayerError):
        fight.take("another", words=words)


def test_while_dice_are_typed_a_card_is_in_time_for_them_and_late_for_those_before() -> None:
    ships = fleet(ship("bluesquadronescort"), ship("academypilot", owner=BO))
    fight = Fight(ships, attacker="Blue Squadron Escort", defender="Academy Pilot", range=2, camera="both")
    windows = [fight.state.window]
    for side, words in (("defender", "reroll 1 red hit"), ("attacker", "change 1 blank to hit")):
        fight.take("another", words=words, card=f"Card of the {side}", side=side)
    fight.take("type", **{"faces-1": "hit", "faces-2": "focus", "faces-3": "blank"})
    windows.append(fight.state.window)
    assert windows == [AttackWindow.ENTER_ATTACK, AttackWindow.DEFENDER_MODIFIES_ATTACK]
    while fight.state.window is not AttackWindow.ENTER_DEFENSE:
        fight.take("done")
    with pytest.raises(PlayerError, match="too late"):
        fight.take("another", words="change 1 blank to hit")
    fight.take("another", words="reroll 1 evade", card="Late enough")
    assert "Late enough of the attacker: reroll 1 evade" in fight.state.told


def test_abilities_of_a_ship_say_on_which_side_they_count() -> None:
    wedge = replace(ship("bluesquadronescort"), abilities="attacking: -1 dice green; defending: reroll 1 blank")
    ships = fleet(wedge, ship("academypilot", owner=BO))
    fight = Fight(ships, "hit hit hit evade evade", attacker=wedge.name, defender="Academy Pilot", range=2)
    assert len(fight.state.green) == 2
    fight = Fight(ships, "hit hit blank evade", attacker="Academy Pilot", defender=wedge.name, range=2)
    assert [label for label in labels(fight) if label.startswith("Card: reroll")]


def test_many_cards_fit_one_message() -> None:
    rerolls = "reroll 1 blank, reroll 2 focus"
    others = "change 1 blank to focus, change 1 focus to hit, change 1 hit to crit, add 1 hit, add 1 crit"
    cards = [ship("howlrunner"), ship("drearenthal")]
    shooter = replace(
        ship("bluesquadronescort", "predator", locks=("Academy Pilot",)), abilities=f"{rerolls}, {others}"
    )
    ships = fleet(shooter, *cards, ship("academypilot", owner=BO))
    fight = Fight(ships, "hit blank focus", attacker=shooter.name, defender="Academy Pilot", range=2)
    offers = attack.offers(fight.state)
    lists = [offer for offer in offers if offer.options]
    buttons = [offer for offer in offers if not offer.options]
    assert len(lists) + -(-len(buttons) // 5) <= 5
    assert any(offer.key == "done" for offer in buttons[:15])


def test_what_is_too_long_for_a_button_is_a_line_of_a_list() -> None:
    """Networked Calculations says who pays, and Discord cuts a button at 80 characters."""
    droid, third = ship("tradefederationdrone"), ship("separatistdrone", tokens={"calculate": 1})
    ships = fleet(droid, third, ship("bluesquadronescort", owner=BO))
    fight = Fight(ships, "focus blank", attacker=droid.name, defender="Blue Squadron Escort", range=2)
    (listed,) = [offer for offer in attack.offers(fight.state) if offer.key == "cards"]
    (line,) = listed.options
    assert line.label == "Networked Calculations: 1 focus to hit"
    assert line.detail == "the ship that pays is at range 0-1; for 1 calculate of Separatist Drone"
    fight.take("cards", line.value, falls="blank blank blank")
    assert fight.ships["Separatist Drone"].has("calculate") == 0


def test_no_button_of_a_card_is_cut() -> None:
    ships = fleet(
        ship("princexizor", owner=BO), ship("blacksunenforcer", owner=BO), ship("bluesquadronescort", "predator")
    )
    fight = Fight(ships, "blank hit hit", attacker="Blue Squadron Escort", defender="Prince Xizor", range=2)
    while fight.state.window is not AttackWindow.OVER:
        assert all(len(english(offer.label)) <= 80 or offer.options for offer in attack.offers(fight.state))
        fight.take("done", falls="blank blank blank")


def test_a_card_takes_a_token_of_one_kind_or_the_other() -> None:
    """Hotshot Gunner, before neutralize: too late for this attack, and the token is gone."""
    shooter = ship("goldsquadronveteran", "hotshotgunner", "ioncannonturret")
    target = ship("academypilot", owner=BO, tokens={"calculate": 1})
    told = {"attacker": shooter.name, "defender": "Academy Pilot", "range": 2, "weapon": "Ion Cannon Turret"}
    fight = Fight(fleet(shooter, target), "hit hit hit blank blank blank", **told)
    assert fight.state.window is AttackWindow.OVER
    assert fight.ships["Academy Pilot"].has("calculate") == 0


def test_a_result_is_spent_for_what_a_card_gives() -> None:
    """Rose Tico spends one result of any face for a lock; Scorch a hit for a strain token."""
    ships = fleet(ship("lukeskywalker", "rosetico", force_left=0), ship("academypilot", owner=BO))
    fight = Fight(ships, "hit focus blank", attacker="Luke Skywalker", defender="Academy Pilot", range=2)
    assert len(labels(fight)) == 4, "each face that lies there, and Done"
    press(fight, "Rose Tico (lock them): spend 1 blank", falls="blank blank blank")
    assert shown(fight) == "hit focus"
    assert fight.ships["Luke Skywalker"].locks == ("Academy Pilot",)
    assert not any(label.startswith("Rose Tico") for label in labels(fight)), "one result in one attack"

    ships = fleet(ship("scorch-tiesebomber"), ship("bluesquadronescort", owner=BO))
    name = next(iter(ships))
    fight = Fight(ships, "hit hit", attacker=name, defender="Blue Squadron Escort", range=2)
    press(fight, name, falls="blank blank")
    assert len(fight.state.green) == 2, "the strain token comes after the attack"
    assert fight.ships["Blue Squadron Escort"].tokens == {"strain": 1}


@pytest.mark.parametrize(("stress", "shields"), [(0, 2), (1, 1)])
def test_perfected_malarus_suffers_a_hit_once_she_is_stressed_twice(stress: int, shields: int) -> None:
    item = ship("kyloren", "commandermalarus", tokens={"stress": stress} if stress else {})
    item = flip(item, item.upgrades.index("commandermalarus"))
    ships = fleet(item, ship("academypilot", owner=BO))
    fight = Fight(ships, "hit focus focus", attacker=item.name, defender="Academy Pilot", range=2)
    press(fight, "Commander Malarus", falls="blank blank blank")
    after = fight.ships[item.name]
    assert (shown(fight), after.tokens, after.shields_left) == ("hit hit hit", {"stress": stress + 1}, shields)


@pytest.mark.parametrize("attacker", ["Moff Gideon", "Academy Pilot"])
@pytest.mark.parametrize("strained", ["Moff Gideon", "Academy Pilot"])
def test_moff_gideon_strains_the_friend_that_is_chosen_even_the_attacker(attacker: str, strained: str) -> None:
    ships = fleet(ship("moffgideon"), ship("lukeskywalker", owner=BO), ship("academypilot"))
    fight = Fight(ships, "", attacker=attacker, defender="Luke Skywalker", range=2)
    told = "pay 1 strain of that ship" if strained == attacker else f"{strained} suffers it"
    (label,) = [label for label in labels(fight) if told in label]
    press(fight, label, falls="hit focus focus blank blank")
    tokens = {item.name: item.tokens for item in fight.ships.values() if item.tokens}
    assert (tokens, fight.ships["Moff Gideon"].charge_left) == ({strained: {"strain": 1}}, 1)


def test_a_claim_says_what_its_card_gains_or_suffers() -> None:
    fight = Fight(
        fleet(ship("lukeskywalker"), ship("academypilot", owner=BO), ship("janors")),
        "",
        attacker="Luke Skywalker",
        defender="Academy Pilot",
        range=2,
    )
    assert "Jan Ors (the attacker is in your firing arc; pay 1 stress): +1 red die" in labels(fight)


def test_advanced_warning_systems_evade_in_red_before_the_dice() -> None:
    told, falls = {"attacker": "Academy Pilot", "defender": "Blue Squadron Escort", "range": 2}, "hit hit blank blank"
    calm = ship("bluesquadronescort", "advancedwarningsystems-modification", owner=BO)
    fight = Fight(fleet(ship("academypilot"), calm), "", **told)
    press(fight, "Advanced Warning Systems", falls=falls)
    assert fight.ships[calm.name].tokens == {"evade": 1, "stress": 1}
    stressed = Fight(fleet(ship("academypilot"), give(calm, "stress", 1)), falls, **told)
    assert stressed.state.window is AttackWindow.OVER, "a stressed ship takes no action"


def test_chaff_particles_spend_a_focus_result_for_a_token() -> None:
    ships = fleet(ship("academypilot"), ship("bluesquadronescort", "chaffparticles-modification", owner=BO))
    ships["Blue Squadron Escort"] = give(ships["Blue Squadron Escort"], "ion", 1)
    fight = Fight(ships, "hit hit blank focus", attacker="Academy Pilot", defender="Blue Squadron Escort", range=2)
    assert "Chaff Particles (for 1 focus result): lose 1 red or orange token" in labels(fight)
    press(fight, "Chaff Particles")
    assert fight.ships["Blue Squadron Escort"].tokens == {}


# A charge of another upgrade is the price: each upgrade in the slot that has one is a button


def of_pilot(fight: Fight, name: str) -> list[str]:
    return [label for label in labels(fight) if label.startswith(name)]


def test_joy_rekkoff_spends_a_charge_of_the_torpedo_that_is_pressed() -> None:
    joy, target = ship("joyrekkoff", "protontorpedoes", "iontorpedoes"), ship("academypilot", owner=BO)
    fight = Fight(fleet(joy, target), "", attacker=joy.name, defender=target.name, range=2)
    first, second = of_pilot(fight, joy.name)
    assert ("Proton Torpedoes" in first, "Ion Torpedoes" in second) == (True, True)
    press(fight, second, falls="hit hit hit blank blank")
    assert fight.ships[joy.name].upgrade_charges == (2, 1)
    assert (len(fight.state.green), of_pilot(fight, joy.name)) == (target.agility - 1, [])


@pytest.mark.parametrize(
    ("charge", "astromech", "left", "offered"),
    [(1, "r2astromech", 2, 2), (0, "r2astromech", 2, 1), (0, "r2astromech", 0, 0), (0, "r3astromech", 0, 0)],
)
def test_jessika_pava_spends_her_own_charge_or_one_of_her_astromech(
    charge: int, astromech: str, left: int, offered: int
) -> None:
    jessika = replace(ship("jessikapava", astromech), charge_left=charge, upgrade_charges=(left,))
    ships = fleet(jessika, ship("academypilot", owner=BO), ship("bluesquadronescort"))
    fight = Fight(ships, "blank " * 8, attacker=jessika.name, defender="Academy Pilot", range=2)
    asked = of_pilot(fight, jessika.name)
    assert (len(asked), sum("R2 Astromech" in label for label in asked)) == (offered, min(offered, left // 2))


def test_a_charge_that_recovers_is_no_price_of_a_card_that_asks_for_one_that_does_not() -> None:
    jessika = replace(ship("jessikapava", "r2d2"), charge_left=0)
    card = replace(jessika.card, upgrades=tuple(replace(item, charges=Charges(2, 1)) for item in jessika.card.upgrades))
    cost = read_cost("upgrade non-recurring astromech")
    assert charged_upgrades(cost, Fighter(card=jessika.card)) == [("r2d2", "R2-D2")]
    assert charged_upgrades(cost, Fighter(card=card)) == []
