"""Dials: what a ship may set, what it really executes, in which order dials are revealed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.render.xwing.fleet import reveal_status
from bot.rules.errors import PlayerError
from bot.rules.game import AfterOffer, Choice, OpensPlace
from bot.rules.plans import Commitment, Leaf, commitments
from bot.rules.xwing.cards import facts
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.table import controls, dials, flying, planning
from bot.rules.xwing.table.dials import BEARINGS, COLORS, Maneuver, dial_of, read
from bot.rules.xwing.table.flying import execute
from bot.rules.xwing.table.match import (
    MATCH,
    Match,
    Phase,
    Table,
    activating_ships,
    begin_engagement,
    end_round,
    match_of,
    ships_of,
)
from bot.rules.xwing.table.pieces import declare
from bot.rules.xwing.table.ship import Flight, Ship, apply_piece_changes as changed, from_card, give, remove_ships

ANA, BO = 1, 2


def ship(pilot: str, owner: int = ANA, *upgrades: str, **tokens: int) -> Ship:
    result = from_card(pilot_ship(pilot, upgrades), owner)
    for kind, count in tokens.items():
        result = give(result, kind, count)
    return result


def never(sides: int) -> int:
    raise AssertionError("no die falls")


LUKE, WEDGE = ship("lukeskywalker"), ship("wedgeantilles")
VADER = ship("darthvader", BO)
TABLE = {item.name: item for item in (LUKE, WEDGE, VADER)} | {MATCH: Match(first=ANA, second=BO, ordered_in=1)}


def is_ready(table: Mapping[str, Any], player: int, rng: Any = never) -> dict[str, Any]:
    """The table once a player is ready."""
    asked = planning.plan_form(table, player)
    fixed = Commitment(
        name=asked.name, owner=player, sheet=asked.sheet, of=tuple(place.of for place in asked.places), root="0" * 64
    )
    now = {**table, fixed.name: fixed}
    return changed(now, planning.finish_planning(now, fixed, rng).changes)


def reveals(table: Mapping[str, Any], name: str, code: str, **filled: str) -> dict[str, Any]:
    leaf = Leaf(name, code, "") if code else None
    return changed(table, planning.reveal_place(table, name, leaf, filled, never).changes)


def said(table: Mapping[str, Any], name: str, code: str) -> str:
    return str(planning.reveal_place(table, name, Leaf(name, code, ""), {}, never).sentence)


def both_ready(table: Mapping[str, Any] = TABLE) -> dict[str, Any]:
    return is_ready(is_ready(table, ANA), BO)


def test_every_dial_is_read_and_fits_one_list() -> None:
    every = dials.dials()
    assert len(every) == 92
    assert max(map(len, every.values())) == 20
    assert all(len(set(dial)) == len(dial) for dial in every.values())
    shown = {maneuver.bearing for dial in every.values() for maneuver in dial}
    assert shown == {code for code in BEARINGS if code.isupper()}, "all but sideslips"
    assert {maneuver.difficulty for dial in every.values() for maneuver in dial} <= set(COLORS)
    assert all(read(maneuver.code) == maneuver for dial in every.values() for maneuver in dial)


@pytest.mark.parametrize("code", ["", "6FB", "3XB", "3FG", "3FBB", " 3FB"])
def test_what_is_no_maneuver_is_not_read(code: str) -> None:
    with pytest.raises(ValueError, match="no maneuver"):
        read(code)


TURN, KOIOGRAN = Maneuver(3, "T", "W"), Maneuver(4, "K", "R")


def test_difficulty_is_checked_after_moving() -> None:
    blue = execute(give(give(LUKE, "stress", 2), "strain", 1), read("1BB"), "2.5")
    assert (blue.ship.has("stress"), blue.ship.has("strain"), blue.flight.why) == (1, 0, "")
    red = execute(LUKE, KOIOGRAN, "2.5")
    assert (red.maneuver, red.ship.has("stress")) == (KOIOGRAN, 1)
    stressed = execute(give(LUKE, "stress", 1), KOIOGRAN, "2.5")
    assert (stressed.maneuver.code, stressed.flight.why, stressed.ship.has("stress")) == ("2FW", "stressed", 1)
    assert execute(give(LUKE, "stress", 1), TURN, "2.5").flight.why == ""


def test_purple_costs_force_and_without_force_it_is_the_stress_maneuver() -> None:
    purple = Maneuver(2, "K", "P")
    paid = execute(LUKE, purple, "2.5")
    assert (paid.maneuver, paid.ship.force_left) == (purple, LUKE.force_left - 1)
    poor = execute(replace(LUKE, force_left=0), purple, "2.5")
    assert (poor.maneuver.code, poor.flight.why, poor.ship.force_left) == ("2FW", "no force", 0)
    assert execute(give(LUKE, "stress", 1), purple, "2.5").flight.why == "", "purple is not red"


@pytest.mark.parametrize(
    ("ruleset", "dial", "flown"),
    [("2.5", "3TW", "1BB"), ("2.5", "2NB", "1NB"), ("2.5", "4KR", "1FB"), ("2.5", "3PR", "1NB"), ("2.0", "3TW", "1FB")],
)
def test_an_ionized_ship_flies_the_ion_maneuver(ruleset: str, dial: str, flown: str) -> None:
    done = execute(give(give(LUKE, "ion", 1), "stress", 1), read(dial), ruleset)
    assert (done.maneuver.code, done.flight.why, done.ship.has("stress")) == (flown, "ion", 0)


def test_a_forgotten_dial_is_a_stress_token_and_the_stress_maneuver() -> None:
    done = execute(LUKE, None, "2.5")
    assert (done.maneuver.code, done.flight.why, done.ship.has("stress")) == ("2FW", "forgotten", 1)


def as_flown(ship: Ship, shown: Maneuver) -> tuple[Maneuver, tuple[str, ...]]:
    return flying.as_flown(ship, shown, {ship.name: ship})


def test_cards_make_maneuvers_easier_and_harder_and_purple_stays() -> None:
    r4 = ship("wedgeantilles", ANA, "r4astromech")
    assert as_flown(r4, read("2TW")) == (read("2TB"), ("R4 Astromech",))
    assert as_flown(r4, read("3TW"))[0] == read("3TW"), "speed 1-2 only"
    assert as_flown(r4, Maneuver(2, "K", "R"))[0].difficulty == "R", "basic bearings only"
    hurt = replace(r4, faceup=("Damaged Engine",))
    assert as_flown(hurt, read("2TW"))[0] == read("2TW"), "changes add up first"
    assert as_flown(hurt, read("3TW"))[0] == read("3TR")
    assert as_flown(hurt, Maneuver(3, "T", "P"))[0].difficulty == "P"
    twice = replace(hurt, faceup=("Damaged Engine", "Damaged Engine"))
    assert as_flown(twice, read("2TW"))[0] == read("2TR"), "each of two Damaged Engines counts"
    l337 = replace(ship("l337"), shields_left=0)
    assert as_flown(l337, Maneuver(2, "B", "W"))[0].difficulty == "B"
    assert as_flown(replace(l337, shields_left=1), Maneuver(2, "B", "W"))[0].difficulty == "W"


def test_both_are_ready_and_the_phase_is_over() -> None:
    item = is_ready(TABLE, ANA)
    assert planning.readiness(item) == {ANA: True, BO: False}
    assert (match_of(item) or Match()).phase is Phase.PLANNING
    both = is_ready(item, BO)
    assert (match_of(both) or Match()).phase is Phase.ACTIVATION
    with pytest.raises(PlayerError, match="The dials for round 1 are locked in: it's the Activation Phase"):
        planning.plan_form(both, ANA)


def test_the_system_phase_is_there_for_ships_that_have_something_to_do() -> None:
    bomber = ship("scimitarsquadronpilot", BO, "protonbombs")
    bombed = both_ready({**TABLE, bomber.name: bomber})
    assert (match_of(bombed) or Match()).phase is Phase.SYSTEM
    assert [item.name for item in planning.in_system(ships_of(bombed))] == [bomber.name]
    assert f"Then {bomber.name} reveals" in str(reveal_status(match_of(bombed) or Match(), bombed))
    later = reveals(bombed, bomber.name, "2FB")
    assert (match_of(later) or Match()).phase is Phase.ACTIVATION, "the first dial begins it"
    cloaked = both_ready({**TABLE, "Darth Vader": give(VADER, "cloak", 1)})
    assert (match_of(cloaked) or Match()).phase is Phase.SYSTEM


def test_the_first_player_is_rolled_when_the_dials_are_set() -> None:
    unordered = {**TABLE, MATCH: Match()}
    assert "roll" in [one.key for one in controls.table_offers(unordered)]
    item = is_ready(unordered, ANA)
    assert "roll" not in [offer.key for offer in controls.table_offers(item)]
    faces = iter([0, 7, 7, 4, 4, 4])
    both = is_ready(item, BO, lambda _: next(faces))
    assert (match_of(both) or Match()).is_ordered


def test_ships_activate_from_the_lowest_initiative_the_first_players_first() -> None:
    now = both_ready()
    assert [item.name for item in activating_ships(match_of(now), ships_of(now))] == ["Luke Skywalker"]
    with pytest.raises(PlayerError, match="Darth Vader has initiative 6, but Luke Skywalker must reveal first"):
        reveals(now, "Darth Vader", "2FB")
    now = reveals(now, "Luke Skywalker", "2FB")
    assert [item.name for item in activating_ships(match_of(now), ships_of(now))] == ["Wedge Antilles"]
    with pytest.raises(PlayerError, match="has already revealed"):
        reveals(now, "Luke Skywalker", "2FB")
    now = reveals(reveals(now, "Wedge Antilles", "4KR"), "Darth Vader", "3FB")
    assert activating_ships(match_of(now), ships_of(now)) == []
    assert ships_of(now)["Wedge Antilles"].has("stress") == 1
    assert "attack" in [offer.key for offer in controls.offers(now, "Wedge Antilles")]


def test_nobody_engages_while_dials_are_closed() -> None:
    now = both_ready()
    assert "attack" not in [item.key for item in controls.offers(now, "Darth Vader")]
    assert [offer.then for _, offer in controls.next_offers(now)] == [OpensPlace("Luke Skywalker")]


def test_ion_tokens_go_when_the_activation_is_over_and_not_before() -> None:
    now = both_ready({**TABLE, "Luke Skywalker": give(LUKE, "ion", 1)})
    now = reveals(now, "Luke Skywalker", "2FB")
    assert ships_of(now)["Luke Skywalker"].has("ion") == 1
    after = reveals(now, "Wedge Antilles", "2FB")
    assert ships_of(after)["Luke Skywalker"].has("ion") == 0
    engaged = changed(now, begin_engagement(now))
    assert ships_of(engaged)["Luke Skywalker"].has("ion") == 0


def test_overlaps_take_the_action() -> None:
    now = reveals(both_ready(), "Luke Skywalker", "2FB")
    done = controls.choose(now, "Luke Skywalker", Choice("overlap-enemy"), never)
    now = changed(now, done.changes)
    assert "red-focus" in [offer.key for offer in controls.offers(now, "Luke Skywalker")]
    now = changed(now, controls.choose(now, "Luke Skywalker", Choice("red-focus"), never).changes)
    assert (ships_of(now)["Luke Skywalker"].has("focus"), ships_of(now)["Luke Skywalker"].has("stress")) == (1, 1)
    now = reveals(now, "Wedge Antilles", "2FB")
    done = controls.choose(now, "Wedge Antilles", Choice("overlap-friend"), lambda _: 0)
    hurt = ships_of(changed(now, done.changes))["Wedge Antilles"]
    assert hurt.flight is not None
    assert hurt.flight.skips == "overlap"


def test_in_legacy_an_ionized_ship_has_no_dial_and_a_forgotten_one_is_ruled() -> None:
    legacy = {**TABLE, MATCH: Match(ruleset="2.0", first=ANA, second=BO), "Luke Skywalker": give(LUKE, "ion", 1)}
    assert [place.of for place in planning.plan_form(legacy, ANA).places] == ["Wedge Antilles"]
    now = reveals(both_ready(legacy), "Luke Skywalker", "")
    flight = ships_of(now)["Luke Skywalker"].flight
    assert flight is not None
    assert flight.maneuver == "1FB"
    now = reveals(now, "Wedge Antilles", "")
    rule = next(offer for offer in controls.offers(now, "Wedge Antilles") if offer.key == "rule-dial")
    assert rule.player == BO
    filled = {"flies": "3FB"}
    now = changed(now, controls.choose(now, "Wedge Antilles", Choice("rule-dial", (), filled), never).changes)
    flight = ships_of(now)["Wedge Antilles"].flight
    assert flight is not None
    assert flight.maneuver == "3FB"


def test_a_round_ends_and_the_dials_are_clean_with_the_last_one_proposed() -> None:
    now = reveals(both_ready(), "Luke Skywalker", "2FB")
    now = changed(now, begin_engagement(now))
    now = changed(now, end_round(now))
    assert commitments(now) == {}
    luke = next(place for place in planning.plan_form(now, ANA).places if place.of == "Luke Skywalker")
    assert (luke.proposed, ships_of(now)["Luke Skywalker"].flight) == ("2FB", None)


@pytest.mark.parametrize(
    ("of", "choice", "why"),
    [
        ("Darth Vader", "2FB", "Plan for your own ships"),
        ("Nobody", "2FB", "Nobody"),
        ("Luke Skywalker", "5KP", "That maneuver isn't on"),
    ],
)
def test_what_cannot_be_planned_is_refused(of: str, choice: str, why: str) -> None:
    with pytest.raises(PlayerError, match=why):
        planning.check(TABLE, ANA, planning.plan_form(TABLE, ANA), of, choice)


def test_a_destroyed_ship_plans_nothing_and_stays_closed() -> None:
    wreck = replace(LUKE, wrecked=True)
    table = {**TABLE, LUKE.name: wreck}
    with pytest.raises(PlayerError, match="is destroyed"):
        planning.check(table, ANA, planning.plan_form(table, ANA), LUKE.name, "2FB")
    now = {**both_ready(), LUKE.name: wreck}
    with pytest.raises(PlayerError, match="Luke Skywalker is destroyed, so its dial stays hidden"):
        reveals(now, LUKE.name, "2FB")
    assert [item.name for item in activating_ships(match_of(now), ships_of(now))] == ["Wedge Antilles"]


GHOST, PHANTOM = ship("herasyndulla-vcx100lightfreighter"), ship("ezrabridger")


def dock(table: Mapping[str, Any]) -> dict[str, Any]:
    (offer,) = (item for item in controls.offers(table, PHANTOM.name) if item.key == "dock")
    assert [option.value for option in offer.fields[0].options] == [GHOST.name]
    return changed(table, controls.choose(table, PHANTOM.name, Choice("dock", (), {"on": GHOST.name}), never).changes)


def test_a_docked_ship_sets_no_dial_and_neither_activates_nor_engages() -> None:
    table = dock({GHOST.name: GHOST, PHANTOM.name: PHANTOM, VADER.name: VADER, MATCH: TABLE[MATCH]})
    asked = planning.plan_form(table, ANA)
    assert [place.of for place in asked.places] == [GHOST.name]
    with pytest.raises(PlayerError, match="is docked and doesn't set a dial"):
        planning.check(table, ANA, asked, PHANTOM.name, "2FB")
    now = both_ready(table)
    assert (match_of(now) or Match()).phase is Phase.SYSTEM
    now = reveals(reveals(now, GHOST.name, "2FB"), VADER.name, "2FB")
    with pytest.raises(PlayerError, match="is docked"):
        reveals(now, PHANTOM.name, "2FB")
    assert [foe.name for foe in controls.foes(now, VADER)] == [GHOST.name]
    engaged = changed(now, begin_engagement(now))
    assert "attack" not in [offer.key for offer in controls.offers(engaged, PHANTOM.name)]
    for attacker, defender in ((PHANTOM, VADER), (VADER, PHANTOM)):
        with pytest.raises(PlayerError, match="Ezra Bridger is docked"):
            declare({"attacker": attacker.name, "defender": defender.name, "range": 2, "anyway": True}, engaged)


def test_a_ship_that_deploys_has_activated() -> None:
    now = both_ready(dock({GHOST.name: GHOST, PHANTOM.name: PHANTOM, VADER.name: VADER, MATCH: TABLE[MATCH]}))
    (offer,) = (item for item in controls.offers(now, PHANTOM.name) if item.key == "deploy")
    assert not offer.is_aside
    red = next(maneuver.code for maneuver in dial_of(PHANTOM) if maneuver.difficulty == "R")
    done = controls.choose(now, PHANTOM.name, Choice("deploy", (), {"flies": red}), never)
    now = changed(now, done.changes)
    assert (ships_of(now)[PHANTOM.name].docked, ships_of(now)[PHANTOM.name].has("stress")) == ("", 1)
    assert PHANTOM.name not in [item.name for item in activating_ships(match_of(now), ships_of(now))]
    assert "It gains 1 stress token" in str(done.sentence)


def test_what_a_destroyed_ship_carried_is_on_the_mat_and_one_ship_carries_one() -> None:
    docked = dock({GHOST.name: GHOST, PHANTOM.name: PHANTOM, VADER.name: VADER, MATCH: TABLE[MATCH]})
    second = replace(PHANTOM, name="Second")
    assert "dock" not in [offer.key for offer in controls.offers({**docked, "Second": second}, "Second")]
    left = changed(docked, remove_ships(ships_of(docked), [GHOST.name]))
    assert ships_of(left)[PHANTOM.name].docked == ""
    assert "dock" not in [offer.key for offer in controls.offers(TABLE, LUKE.name)]


@pytest.mark.parametrize("crew", ["informant", "cassianandor", "sense"])
def test_a_spy_looks_at_one_dial_in_the_system_phase(crew: str) -> None:
    spy = ship("lukeskywalker", ANA, crew)
    now = both_ready({**TABLE, spy.name: spy})
    assert (match_of(now) or Match()).phase is Phase.SYSTEM
    (offer,) = (item for item in controls.offers(now, spy.name) if item.then is AfterOffer.LOOKS)
    assert [option.value for option in offer.fields[0].options] == [VADER.name]
    assert not [item for item in controls.offers(now, VADER.name) if item.then is AfterOffer.LOOKS]
    assert not [
        item for item in controls.offers(reveals(now, spy.name, "2FB"), spy.name) if item.then is AfterOffer.LOOKS
    ]


def test_a_table_without_dials_plays_as_before() -> None:
    off = changed(TABLE, controls.choose(TABLE, MATCH, Choice("dials-off"), never).changes)
    assert "plan" not in [item.key for item in controls.table_offers(off)]
    with pytest.raises(PlayerError, match="without dials"):
        planning.plan_form(off, ANA)
    keys = [offer.key for _, offer in controls.next_offers(TABLE)]
    assert keys == ["plan", "attack", "engage"], "whoever never presses Plan goes on as ever"


def test_nobody_calls_off_dials_once_somebody_is_ready() -> None:
    assert "dials-off" in [offer.key for offer in controls.table_offers(TABLE)]
    waiting = is_ready(TABLE, ANA)
    assert "dials-off" not in [offer.key for offer in controls.table_offers(waiting)]
    with pytest.raises(PlayerError, match="Somebody is ready"):
        planning.with_dials(waiting, "off")


def test_the_board_offers_only_the_actions_that_a_ship_may_take() -> None:
    def buttons(stress: int, ion: int, code: str) -> list[str]:
        luke = give(give(LUKE, "stress", stress) if stress else LUKE, "ion", ion) if ion else LUKE
        luke = give(LUKE, "stress", stress) if stress and not ion else luke
        now = reveals(both_ready({**TABLE, "Luke Skywalker": luke}), "Luke Skywalker", code)
        offered = [offer for offer in controls.offers(now, "Luke Skywalker") if not offer.is_aside]
        return [offer.key for offer in offered if offer.key in ("give-focus", "give-evade", "lock")]

    assert buttons(0, 0, "2FB") == ["give-focus", "give-evade", "lock"]
    assert buttons(0, 0, "4KR") == []
    assert buttons(2, 0, "2FB") == []
    assert buttons(1, 0, "2FB") == ["give-focus", "give-evade", "lock"]
    assert buttons(0, 1, "2FB") == ["give-focus"]


def test_what_a_dial_says_is_a_sentence() -> None:
    now = both_ready({**TABLE, "Luke Skywalker": give(LUKE, "stress", 1)})
    assert said(now, "Luke Skywalker", "4KR") == (
        "reveals Luke Skywalker: 4 Koiogran turn, red. It executes 2 straight, white. It is "
        "stressed, so it executes the stress maneuver instead of a red one"
    )
    assert all(dial_of(item) for item in (LUKE, WEDGE, VADER))


@pytest.mark.parametrize(
    ("question", "own", "enemy", "so"),
    [
        ("your revealed maneuver is speed 3-5", "3FB", "", True),
        ("your revealed maneuver is speed 3-5", "2FB", "", False),
        ("your revealed maneuver is speed 3-5", "", "3FB", None),
        ("your revealed maneuver is advanced", "1KR", "", True),
        ("your revealed maneuver is advanced", "4FB", "", False),
        ("your revealed maneuver is red", "4KR", "", True),
        ("your revealed maneuver is red", "4FB", "", False),
        ("your revealed maneuver has an even speed", "0OR", "", True),
        ("your revealed maneuver has an odd speed", "2FB", "", False),
        ("your revealed maneuver has the same bearing as the enemy's", "1TB", "3TW", True),
        ("your revealed maneuver has the same bearing as the enemy's", "1TB", "3YW", False),
        ("your revealed maneuver has the same bearing as the enemy's", "1TB", "", None),
        ("your revealed maneuver has the same speed as the enemy's", "3TB", "3FW", True),
        ("your revealed maneuver is faster than the enemy's", "3TB", "2FW", True),
        ("your revealed maneuver is faster than the enemy's", "2TB", "2FW", False),
        ("your revealed maneuver is easier than the enemy's", "2TB", "2FW", True),
        ("your revealed maneuver is easier than the enemy's", "2TW", "2FB", False),
        ("in your bullseye arc", "3FB", "3FB", None),
    ],
)
def test_what_cards_ask_about_maneuvers_is_known_once_dials_are_open(
    question: str, own: str, enemy: str, so: bool | None
) -> None:
    assert facts.answer(question, own, enemy) is so


def test_every_question_about_ones_own_maneuver_is_answered() -> None:
    asked = {row.ask for rows in ROWS.values() for row in rows if "revealed maneuver" in row.ask}
    assert len(asked) >= 8
    assert all(facts.answer(item, "3FB", "2TW") is not None for item in asked)


def test_an_attack_asks_for_no_maneuver_that_is_open() -> None:
    """Covanell rolls one die more after a red maneuver."""
    pilot, target = ship("covanell"), ship("academypilot", BO)

    def asks(code: str) -> tuple[bool, int]:
        flight = Flight(dial=code, maneuver=code) if code else None
        table: Table = {pilot.name: replace(pilot, flight=flight), target.name: target}
        words = {"attacker": pilot.name, "defender": target.name, "range": 2}
        declared = declare(words, table)
        assert isinstance(declared, Declared)
        effects = [effect for effect in declared.attack.effects if effect.verb == "dice"]
        return any(effect.ask for effect in effects), len(effects)

    assert asks("") == (True, 1)
    assert asks("4KR") == (False, 1)
    assert asks("3FB") == (False, 0)
