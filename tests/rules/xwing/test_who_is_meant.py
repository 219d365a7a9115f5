"""Whose ship, lock, and defender a card means: by kinds, each played with one of its cards."""

from dataclasses import replace

import pytest

from bot.rules.game import Choice
from bot.rules.text import english
from bot.rules.xwing.attack.attack import AttackWindow
from bot.rules.xwing.table import controls, moments
from bot.rules.xwing.table.match import MATCH, ships_of
from bot.rules.xwing.table.moment_rows import rows_of
from bot.rules.xwing.table.ship import Ship, apply_piece_changes, damage_ship
from tests.rules.xwing.fleet import Fight, fleet
from tests.rules.xwing.play import Falls, open_offers
from tests.rules.xwing.test_card_fights import BO, labels, press, ship
from tests.rules.xwing.test_dials import reveals
from tests.rules.xwing.test_flying import played
from tests.rules.xwing.test_friends import begin, cards
from tests.rules.xwing.test_moments import FOE, engagement, pressed
from tests.rules.xwing.test_played_moments import listed

OTHER = replace(FOE, name=type(FOE.name)("Other"))


def says(table: dict[str, object], name: str) -> list[str]:
    item = table[name]
    assert isinstance(item, Ship)
    return [english(line.says) for line in moments.lines(table, item)]


# The defender


def test_the_defender_is_known_from_the_declaration_on() -> None:
    """C-3PO's window lies before the dice; Corran Horn acts there."""
    corran = ship("corranhorn-t65xwing", locks=("Lando Calrissian",))
    friend = ship("wedgeantilles", locks=(corran.name,), engaged=True)
    lando = ship("landocalrissian", "c3po", owner=BO, tokens={"calculate": 1})
    table = engagement(corran, friend, lando, FOE)
    assert not says(table, corran.name), "no attack is declared"
    fight = Fight(table, "", attacker=corran.name, defender=lando.name, range=2, anyway=True)
    assert fight.state.window is AttackWindow.DEFENDER_BEFORE_DICE
    moved = listed(dict(fight.ships), corran.name, "Corran Horn")
    assert moved[friend.name].locks == (lando.name,)


def test_a_withdrawn_attack_had_no_defender() -> None:
    luke = ship("lukeskywalker", "instinctiveaim", "concussionmissiles", tokens={})
    fight = Fight(fleet(luke, FOE), "", attacker=luke.name, defender=FOE.name, range=2, weapon="Concussion Missiles")
    assert fight.ships[luke.name].last_target == FOE.name
    press(fight, "Withdraw the attack")
    assert fight.ships[luke.name].last_target == ""


def test_a_lock_that_is_paid_is_the_one_on_the_defender() -> None:
    """Synchronized Console, with two locks."""
    own = ship("obsidiansquadronpilot", "synchronizedconsole", locks=(OTHER.name, FOE.name), last_target=FOE.name)
    friend = ship("wedgeantilles")
    after = listed(engagement(own, friend, FOE, OTHER), own.name, "Synchronized Console")
    assert (after[own.name].locks, after[friend.name].locks) == ((OTHER.name,), (FOE.name,))
    bare = replace(own, locks=(OTHER.name,))
    assert not says(engagement(bare, friend, FOE, OTHER), own.name)


# Locks


@pytest.mark.parametrize("locked", [True, False])
def test_klick_helps_whoever_he_has_locked(locked: bool) -> None:
    wedge = ship("wedgeantilles")
    klick = ship("klick", locks=(wedge.name,) if locked else ())
    fight = begin("hit hit hit blank blank blank", wedge, ship("academypilot", owner=BO), klick)
    assert bool(cards(fight)) is locked
    if locked:
        press(fight, cards(fight)[0].partition(" (")[0], falls="hit hit hit blank blank blank")
        assert fight.ships[klick.name].charge_left == 0


@pytest.mark.parametrize("locked", [True, False])
def test_m9_g8_rerolls_a_die_of_the_friend_it_has_locked(locked: bool) -> None:
    luke = ship("lukeskywalker", force_left=0)
    astromech = ship("wedgeantilles", "m9g8", locks=(luke.name,) if locked else ())
    fight = begin("blank hit hit blank blank blank", luke, ship("academypilot", owner=BO), astromech)
    assert [label for label in cards(fight) if "M9-G8" in label] == ["M9-G8: reroll 1 die"] * locked


def test_a_friend_locks_a_ship_that_the_card_is_locking() -> None:
    """Toryn Farr: not an obstacle, by choice of several, and not her own ship."""
    hera, wedge = ship("herasyndulla", "torynfarr"), ship("wedgeantilles")
    assert not says(engagement(hera, wedge, FOE), hera.name)
    rock = replace(hera, locks=("asteroid 1",))
    assert not says(engagement(rock, wedge, FOE), hera.name)
    both = replace(hera, locks=(FOE.name, OTHER.name))
    (line,) = moments.lines(table := engagement(both, wedge, FOE, OTHER), both)
    assert [[option.value for option in field.options] for field in moments.form(line, ships_of(table))] == [
        [FOE.name, OTHER.name]
    ], "only Wedge can be chosen"
    after = listed(table, hera.name, "Toryn Farr", which=FOE.name)
    assert after[wedge.name].locks == (FOE.name,)


# Ships


PRINTINGS = [("obiwankenobi", True), ("obiwankenobi-eta2actis", True), ("macewindu", False)]


@pytest.mark.parametrize(("pilot", "offered"), PRINTINGS)
def test_a_named_pilot_is_known_in_any_printing(pilot: str, offered: bool) -> None:
    """Anakin Skywalker (Siege of Coruscant)."""
    anakin, friend = ship("anakinskywalker-siegeofcoruscant"), ship(pilot)
    table = reveals(played(anakin, friend), friend.name, "2FB")
    assert any("barrel roll" in line for line in says(table, anakin.name)) is offered


@pytest.mark.parametrize(
    ("card", "names"), [("upgrade:combatboardingtube", ["Captain Kagi"]), ("pilot:naboohandmaiden", ["Wedge Antilles"])]
)
def test_a_ship_that_the_card_excludes_is_not_listed(card: str, names: list[str]) -> None:
    maiden = ship("naboohandmaiden")
    others = (
        replace(maiden, name=type(maiden.name)("Second")),
        ship("wedgeantilles"),
        FOE,
        ship("captainkagi", owner=BO),
    )
    (row,) = rows_of(card)
    line = moments.Line(row=row, ship=maiden)
    assert [item.name for item in moments.candidates(line, fleet(maiden, *others))] == names


@pytest.mark.parametrize("damaged", [True, False])
def test_a_damaged_defender_is_its_own_damaged_friend(damaged: bool) -> None:
    """Ember asks only about others."""
    target = ship("academypilot", owner=BO, tokens={"focus": 1})
    target = damage_ship(target, facedown=("x",)) if damaged else target
    fight = begin("hit hit hit focus blank blank", ship("ember"), target)
    asked = fight.state.window is not AttackWindow.OVER and any("Ember" in label for label in labels(fight))
    assert asked is not damaged
    if damaged:
        assert fight.state.window is AttackWindow.OVER, "the focus can't be spent"


def test_a_card_gives_its_token_to_its_own_ship_at_range_0() -> None:
    """Agent Terex."""
    own = ship("academypilot", "agentterex", on_cards={"calculate on agentterex": 1})
    after = pressed(engagement(own, FOE), MATCH, "Agent Terex")
    assert (after[own.name].tokens, after[own.name].on_cards) == ({"calculate": 1}, {})


@pytest.mark.parametrize("conditions", [("hunted",), ()])
def test_what_the_table_knows_is_not_asked(conditions: tuple[str, ...]) -> None:
    """Agent Kallus and the Sensor Jammer."""
    target = ship("academypilot", owner=BO, conditions=conditions)
    fight = begin("focus hit hit blank blank blank", ship("wedgeantilles", "agentkallus"), target)
    assert [label for label in cards(fight) if "Kallus" in label] == ["Agent Kallus: 1 focus to hit"] * len(conditions)
    jammed = ship("academypilot", "sensorjammer-sensor", owner=BO)
    spotter = ship("soontirfel", owner=BO, locks=("Wedge Antilles",) if conditions else ())
    fight = begin("hit hit hit blank blank blank", ship("wedgeantilles"), jammed, spotter)
    assert any("Sensor Jammer" in label for label in labels(fight)) is bool(conditions)


def test_lando_calrissian_pays_the_green_token_of_his_owners_choice() -> None:
    attacker = ship("wedgeantilles", "landocalrissian-crew", tokens={"focus": 1, "evade": 1})
    fight = begin("blank blank hit blank blank blank", attacker, ship("academypilot", owner=BO))
    prices = {english(item.label): item.key for item in open_offers(fight.state) if item.options}
    said = "Lando Calrissian: reroll up to 2 dice (for 1 {})"
    assert prices.keys() == {said.format("focus"), said.format("evade")}
    fight.take(prices[said.format("evade")], "0", falls="hit blank blank blank")
    assert fight.ships[attacker.name].tokens == {"focus": 1}


# A card before it is dealt


PLATED = ("biggsdarklighter", "beskarreinforcedplating")


@pytest.mark.parametrize(
    ("cards_of", "price", "facedown"),
    [(("chewbacca",), "for 1 charge", 1), (PLATED, "for 1 charge", 1), (PLATED, "for 2 charges", 0)],
)
def test_a_faceup_card_is_turned_before_it_acts(cards_of: tuple[str, ...], price: str, facedown: int) -> None:
    """A crit past no shields would be a faceup card; an older one lies as it is."""
    target = ship(*cards_of, owner=BO, shields_left=0, faceup=("Weapons Failure",))
    fight = begin("crit blank blank blank blank", ship("wedgeantilles"), target)
    assert fight.state.window is AttackWindow.DEFENDER_AFTER_NEUTRALIZE
    (label,) = [label for label in labels(fight) if price in label]
    fight = press(fight, label)
    fight = fight if fight.state.window is AttackWindow.OVER else press(fight, "Done")
    after = fight.ships[target.name]
    assert (after.faceup, len(after.facedown)) == (("Weapons Failure",), facedown)
    hits = begin("hit blank blank blank blank", ship("wedgeantilles"), target)
    assert hits.state.window is AttackWindow.OVER, "no faceup card is dealt"


# What an owner chooses


def test_a_kind_is_chosen_within_one_of_two_effects_and_by_the_owner_who_removes_it() -> None:
    """Plo Koon's green token, and the token that Asajj Ventress's target removes."""
    plo, friend = ship("plokoon", tokens={"focus": 1, "evade": 1}), ship("macewindu")
    table = engagement(plo, friend, FOE)
    after = pressed(table, MATCH, "Plo Koon", which="transfer 1 evade to it")
    assert (after[friend.name].tokens, after[plo.name].tokens) == ({"evade": 1}, {"focus": 1})
    target = replace(FOE, tokens={"focus": 2, "evade": 1})
    asked = pressed(engagement(ship("asajjventress"), target), MATCH, "Asajj Ventress")
    owed = [english(item.label) for item in controls.table_offers(asked) if item.key.startswith("owed")]
    assert owed == [f"{FOE.name}: {what}" for what in ("gain 1 stress", "remove 1 focus", "remove 1 evade")]
    chosen = controls.choose(asked, MATCH, Choice("owed-instead-0-1"), Falls(), BO).changes
    assert apply_piece_changes(asked, chosen)[FOE.name].tokens == {"focus": 2}


def test_the_last_red_token_may_be_a_lock() -> None:
    """Cutthroat, without a token but locked."""
    own, foe = ship("wedgeantilles", "cutthroat"), replace(FOE, locks=("Wedge Antilles",))
    lost = replace(ship("biggsdarklighter"), wrecked=True)
    table = engagement(own, lost, foe)
    table[MATCH] = replace(table[MATCH], events=(lost.name,))
    after = listed(table, own.name, "Cutthroat", which="break 1 lock on you")
    assert after[foe.name].locks == ()


def test_clone_captain_rex_strains_friends_for_a_focus_action() -> None:
    rex, friend = ship("wedgeantilles", "clonecaptainrex"), ship("lukeskywalker")
    after = listed(engagement(rex, friend, FOE), rex.name, "Clone Captain Rex", ships=f"{rex.name}, {friend.name}")
    assert {after[item.name].has("strain") * after[item.name].has("focus") for item in (rex, friend)} == {1}


@pytest.mark.parametrize(("force", "offered"), [(3, True), (2, False)])
def test_count_dooku_pays_force_before_the_roll(force: int, offered: bool) -> None:
    dooku = ship("countdooku-siegeofcoruscant", force_left=force)
    wing = ship("bluesquadronescort")
    fight = Fight(
        fleet(wing, dooku, FOE), "hit hit hit blank blank blank", attacker=wing.name, defender=FOE.name, range=2
    )
    assert (fight.state.window is AttackWindow.ATTACKER_BEFORE_DICE) is offered
    if offered:
        press(fight, "Count Dooku", falls="hit hit hit blank blank blank")
        assert fight.ships[dooku.name].force_left == 2


# Costs


def test_a_step_by_hand_is_paid_and_opens_what_follows() -> None:
    """C-3PO: the calculate is paid for the guess, and only a guess can be right."""
    lando = ship("landocalrissian", "c3po", owner=BO, tokens={"calculate": 2})
    fight = begin("hit hit evade", ship("academypilot"), lando)
    assert fight.state.window is AttackWindow.DEFENDER_BEFORE_DICE
    press(fight, "C-3PO", falls="hit hit evade")
    assert fight.ships[lando.name].has("calculate") == 1
    press(fight, "C-3PO")
    assert fight.state.damage is not None
    assert fight.state.damage.total == 0
    again = begin("hit hit evade blank", ship("academypilot"), lando)
    press(again, "Done", falls="hit hit evade blank")
    assert not [label for label in labels(again) if label.startswith("C-3PO")]
    none = begin("hit hit evade blank", ship("academypilot"), ship("landocalrissian", "c3po", owner=BO))
    assert not [label for label in labels(none) if label.startswith("C-3PO")]


def test_instinctive_aim_pays_force_in_place_of_a_lock() -> None:
    luke = ship("lukeskywalker", "instinctiveaim", "concussionmissiles")
    fight = Fight(fleet(luke, FOE), "", attacker=luke.name, defender=FOE.name, range=2, weapon="Concussion Missiles")
    press(fight, "Instinctive Aim", falls="hit hit hit blank blank blank")
    assert fight.ships[luke.name].force_left == luke.force - 1


def test_b6_blade_wing_prototype_gains_ion_and_deals_more_for_equal_results() -> None:
    wing = ship("bladesquadronveteran", "b6bladewingprototype-command", locks=(FOE.name,))
    fight = Fight(
        fleet(wing, FOE),
        "hit hit crit blank blank blank",
        attacker=wing.name,
        defender=FOE.name,
        range=2,
        weapon="B6 Blade Wing Prototype",
    )
    while fight.state.window is not AttackWindow.OVER:
        press(fight, "Done", falls="blank blank blank")
    assert fight.ships[wing.name].has("ion") == 1
    assert fight.state.damage is not None
    assert (fight.state.damage.hits, fight.state.damage.crits) == (3, 1)
