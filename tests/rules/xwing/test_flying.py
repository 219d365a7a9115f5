"""Cards and maneuvers: every row of the golden table on the planning list and at the reveal; cards that are played."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot.rules.errors import PlayerError
from bot.rules.game import Choice
from bot.rules.text import english
from bot.rules.xwing.cards.card_sets import SHELF
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.dice.costs import CardId
from bot.rules.xwing.table import controls, dials, flying, planning
from bot.rules.xwing.table.dials import BEARINGS, Maneuver, read
from bot.rules.xwing.table.match import ships_of
from bot.rules.xwing.table.ship import Flight, Ship, apply_piece_changes as changed, flip, from_card, give
from tests.rules.xwing.test_dials import ANA, BO, TABLE as PLAYED, both_ready, never, reveals, ship

GOLDEN: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "xwing_maneuvers.json").read_text(encoding="utf-8")
)["rows"]
KIND = {"upgrade": "upgrade", "pilot": "pilot", "ship ability": "chassis", "condition": "condition", "damage": "damage"}
EVERY = [Maneuver(speed, bearing, color) for speed, bearing, color in product(range(6), "TNFKLEOS", "BWRP")]


def holder(row: dict[str, Any], pool: str) -> Ship:
    """A ship with the card of a golden row, as it comes to the table."""
    cards = SHELF.of(pool)
    if row["kind"] == "pilot":
        return from_card(pilot_ship(row["xws"], (), cards), ANA)
    if row["kind"] == "ship ability":
        pilot = next(item for item in cards.pilots if cards.chassis(item) == row["xws"])
        return from_card(pilot_ship(pilot, (), cards), ANA)
    upgrades = (row["xws"],) if row["kind"] == "upgrade" else ()
    result = from_card(pilot_ship("blacksquadronace", upgrades, cards), ANA)
    if row["kind"] == "condition":
        return replace(result, conditions=(row["xws"],))
    return replace(result, faceup=(row["xws"],)) if row["kind"] == "damage" else result


def as_asked(item: Ship, row: dict[str, Any]) -> Ship:
    """The ship in the state that a golden row asks for."""
    for said in row.get("if", ()):
        if said == "no shields":
            item = replace(item, shields_left=0)
        elif said == "no force":
            item = replace(item, force_left=0)
        elif said.startswith("damaged"):
            item = replace(item, hull=max(4, item.hull), facedown=("Hull Breach",))
        elif said.startswith("critically"):
            item = replace(item, hull=max(4, item.hull), faceup=("Hull Breach",))
        elif said in ("charge inactive", "0 charges (it paid 3 in the System Phase)"):
            item = replace(item, charge_left=0, upgrade_charges=(0,) * len(item.upgrade_charges))
        elif said.startswith("side "):
            place = next(iter(item.sides))
            wanted = said.removeprefix("side ").casefold()
            item = item if wanted in (item.sides[place].word, item.sides[place].title.casefold()) else flip(item, place)
    return replace(
        item, shields=max(1, item.shields), shields_left=item.shields_left or int("no shields" not in row.get("if", ()))
    )


def fits(row: dict[str, Any], shown: Maneuver) -> bool:
    about = row.get("for", {})
    letters = {"red": "R", "blue": "B", "purple": "P"}
    colors = "".join(letters[part] for part in about.get("color", "").split(" or ") if part)
    return (
        shown.speed in about.get("speeds", range(6))
        and shown.bearing in about.get("bearings", BEARINGS)
        and (not colors or shown.difficulty in colors)
        and not (row["xws"].endswith("struts") and (shown.speed, shown.bearing) == (2, "F"))
    )


def table_of(row: dict[str, Any], pool: str) -> tuple[Ship, Ship, dict[str, Ship]]:
    """The ship with the card, the ship that flies (which may be the same), and both with what is docked."""
    card = as_asked(holder(row, pool), row)
    flyer = card
    if row["whose"] == "enemy":
        flyer = replace(from_card(pilot_ship("lukeskywalker"), BO), name="Enemy", tokens={"tractor": 1})
    elif "large or huge" in row.get("if", ()):
        flyer = replace(card, name="Large", size="large", upgrades=(), upgrade_charges=(), printed=None, pilot="")
    fleet: dict[str, Ship] = {card.name: card, flyer.name: flyer}
    if "a ship is docked" in row.get("if", ()):
        fleet["Docked"] = replace(card, name="Docked", pilot="", docked=card.name)
    return card, flyer, fleet


STEP = "BWR"
CASES = [(row, pool) for row in GOLDEN for pool in (("xwa", "legacy") if row["set"] == "both" else (row["set"],))]


def key_of(row: dict[str, Any]) -> CardId:
    return CardId(KIND[row["kind"]], row["xws"])


def is_by_hand(row: dict[str, Any]) -> bool:
    named = ("cassianandor", "fuelinjectionoverride-rsl")
    return bool({"template", "extra", "ignore"} & row["change"].keys()) or row["xws"] in named


def is_chosen(row: dict[str, Any]) -> bool:
    return row["choice"] == "may" or bool(row.get("claims")) or row["xws"] in ("jedicommander", "captainhark")


def stepped(shown: Maneuver, steps: int) -> str:
    return STEP[max(0, min(2, STEP.index(shown.difficulty) + steps))]


def group(row: dict[str, Any]) -> str:
    """Which of the tests below a row belongs to."""
    if is_by_hand(row) or "dial" in row["change"]:
        return "by hand"
    if "stressed" in row["change"]:
        return "stressed"
    if row["when"] in ("start of Activation", "before reveal"):
        return "earlier"
    if is_chosen(row):
        return "chosen"
    return "replaced" if {"replace", "speed"} & row["change"].keys() else "standing"


def cases(which: str) -> pytest.MarkDecorator:
    result = [(row, pool) for row, pool in CASES if group(row) == which]
    return pytest.mark.parametrize(("row", "pool"), result, ids=[f"{row['xws']}-{pool}" for row, pool in result])


@cases("by hand")
def test_what_people_do_by_hand_is_named_and_another_dial_is_used(row: dict[str, Any], pool: str) -> None:
    card, _, _ = table_of(row, pool)
    if "dial" in row["change"]:
        assert dials.dial_of(card) == dials.dials()["rz2awing"]
    else:
        assert flying.held_cards(card)[key_of(row)] in flying.not_counted(card)


@cases("stressed")
def test_a_card_lifts_the_ban_on_red_while_stressed(row: dict[str, Any], pool: str) -> None:
    card, flyer, _ = table_of(row, pool)
    tired = give(replace(flyer, tokens={}), "stress", 1)
    both = [item for item in GOLDEN if item["xws"] == row["xws"] and "stressed" in item["change"]]
    used = [flying.lasts(card, key_of(row))] if row["when"] == "before activating" else []
    for shown in (maneuver for maneuver in EVERY if maneuver.difficulty == "R"):
        also = flying.lasting(tired, shown, {flyer.name: tired}, used)
        flown = flying.execute(tired, shown, "2.5", {flyer.name: tired}, also)
        able = any(fits(item, shown) and ("critically" not in str(item) or tired.faceup) for item in both)
        assert (flown.flight.why == "") is able, shown


@cases("earlier")
def test_a_card_that_was_used_before_the_reveal_acts_at_the_reveal(row: dict[str, Any], pool: str) -> None:
    card, flyer, fleet = table_of(row, pool)
    used = [flying.lasts(card, key_of(row), flyer if row["whose"] == "enemy" else None)]
    for shown in EVERY:
        rows = flying.lasting(flyer, shown, fleet, used)
        assert bool(rows) is fits(row, shown), shown
        assert not flying.lasting(flyer, shown, fleet, ()), shown
        flown = flying.execute(flyer, shown, "2.5", fleet, rows)
        if row["whose"] == "enemy" and not flown.flight.why:
            assert flown.maneuver.speed == max(min(shown.speed, 1), shown.speed - 1)
        elif row["whose"] != "enemy" and shown.difficulty in STEP:
            assert flown.maneuver.difficulty == (stepped(shown, -1) if fits(row, shown) else shown.difficulty)


@cases("chosen")
def test_a_card_that_a_player_chooses_is_offered_where_it_fits(row: dict[str, Any], pool: str) -> None:
    _, flyer, fleet = table_of(row, pool)
    steps = row["change"].get("difficulty", 0)
    for shown in EVERY:
        choices = [choice for choice in flying.choices(flyer, shown, fleet) if choice.row.card == key_of(row)]
        if not fits(row, shown):
            assert not choices, shown
        elif steps == "red":
            assert [choice.flown.difficulty for choice in choices] == ["R"]
        elif steps and "replace" not in row["change"] and shown.difficulty in STEP:
            moved = stepped(shown, steps)
            assert [choice.flown.difficulty for choice in choices] == ([moved] if moved != shown.difficulty else [])


@cases("standing")
def test_a_card_that_stands_colors_the_whole_list(row: dict[str, Any], pool: str) -> None:
    _, flyer, fleet = table_of(row, pool)
    own = [item for item in GOLDEN if (item["xws"], item["kind"]) == (row["xws"], row["kind"])]
    for shown in (maneuver for maneuver in EVERY if maneuver.difficulty in STEP):
        plain = flying.as_flown(flyer, shown, fleet)[0]
        added = {str(item["change"]): item["change"].get("difficulty", 0) for item in own if fits(item, shown)}
        set_to = [item for item in added.values() if item == "white"]
        assert plain.difficulty == ("W" if set_to else stepped(shown, sum(added.values()))), shown


@cases("replaced")
def test_a_card_that_must_replace_the_maneuver_does(row: dict[str, Any], pool: str) -> None:
    card, flyer, fleet = table_of(row, pool)
    forced = [item for item in GOLDEN if item["xws"] == row["xws"] and group(item) == "replaced"]
    for shown in EVERY:
        flown = flying.execute(flyer, shown, "2.5", fleet)
        named = any(flying.held_cards(card)[key_of(row)] in english(line) for line in flown.lines)
        assert named is any(fits(item, shown) for item in forced), shown


def test_every_row_is_in_one_of_these_tests() -> None:
    assert len(GOLDEN) == len(flying.rows()) == 82
    assert {row.card for row in flying.rows()} == {key_of(row) for row in GOLDEN}


REPLACED = {
    ("countessryad", "2FB"): {"2KW"},
    ("precisionionengines", "3KR"): {"3LR", "3PR"},
    ("wingedreversal", "1TW"): {"1ER"},
    ("slider", "2BW"): {"2bW"},
    ("keovenzee", "2TW"): {"2tR"},
    ("inertialdampeners", "5KR"): {"0OW"},
    ("vedfoslo", "3FB"): {"2FB", "4FB"},
    ("captainhark", "0OR"): {"1bR", "1nR"},
}


@pytest.mark.parametrize(("xws", "code"), REPLACED)
def test_what_is_flown_in_place_of_the_dial(xws: str, code: str) -> None:
    row = next(item for item in GOLDEN if item["xws"] == xws)
    _, flyer, fleet = table_of(row, "xwa" if row["set"] == "both" else row["set"])
    result = {choice.flown.code for choice in flying.choices(flyer, read(code), fleet) if choice.row.card.id == xws}
    assert result == REPLACED[xws, code]


ON_DIAL: dict[str, Callable[[Maneuver, Maneuver], bool]] = {
    "herasyndulla": lambda shown, maneuver: maneuver.difficulty == shown.difficulty,
    "captainneeda": lambda shown, maneuver: (maneuver.speed, maneuver.difficulty) == (shown.speed, shown.difficulty),
    "strategiccommander": lambda shown, maneuver: (
        (maneuver.speed, maneuver.difficulty) == (shown.speed, shown.difficulty)
    ),
    "r2a6": lambda shown, maneuver: abs(maneuver.speed - shown.speed) == 1 and maneuver.bearing == shown.bearing,
}


@pytest.mark.parametrize("xws", ON_DIAL)
def test_a_dial_that_is_set_anew_has_only_what_is_on_it(xws: str) -> None:
    row = next(item for item in GOLDEN if item["xws"] == xws and "stressed" not in item["change"])
    card, flyer, fleet = table_of(row, "xwa")
    for shown in dials.dial_of(flyer):
        if fits(row, shown):
            maneuvers = {choice.base for choice in flying.choices(flyer, shown, fleet) if choice.row.card.id == xws}
            assert maneuvers == {
                maneuver for maneuver in dials.dial_of(card) if maneuver != shown and ON_DIAL[xws](shown, maneuver)
            }


# Played

RYAD = ship("countessryad", ANA, "tiedefenderelite")


def played(*ships: Ship) -> dict[str, Any]:
    match = {name: item for name, item in PLAYED.items() if not isinstance(item, Ship)}
    return both_ready({**match, **{item.name: item for item in (*ships, ship("darthvader", BO))}})


def fly(table: dict[str, Any], name: str, word: str) -> dict[str, Any]:
    offers = [item for item in controls.offers(table, name) if item.key.startswith("fly-")]
    (offer,) = [item for item in offers if word in english(item.label)]
    return changed(table, controls.choose(table, name, Choice(offer.key), never).changes)


def options(item: Ship) -> dict[str, tuple[str, str]]:
    listed = planning.options_of(item, {item.name: item})
    return {option.value: (english(option.label), english(option.detail)) for option in listed}


def test_countess_ryads_dial_has_the_colors_of_her_elite_title() -> None:
    listed = options(RYAD)
    assert listed["4KW"] == ("🟥 ↶ 4 Koiogran turn, red", "by TIE Defender Elite (printed: white)")
    assert listed["2TR"][0].endswith("2 turn left, white")
    assert listed["3TW"][0].endswith("3 turn left, blue")
    assert listed["3FB"] == ("🟦 ↑ 3 straight, blue", "")


def test_countess_ryad_flies_her_straight_as_a_koiogran_turn() -> None:
    tired = give(RYAD, "stress", 1)
    now = reveals(played(RYAD), RYAD.name, "2FB")
    flown = fly(now, RYAD.name, "2 Koiogran turn, red")
    assert (ships_of(flown)[RYAD.name].flight or Flight()).maneuver == "2KR"
    assert ships_of(flown)[RYAD.name].has("stress") == 1
    assert not [offer for offer in controls.offers(flown, RYAD.name) if offer.key.startswith("fly-")], "one time"
    alone = ship("countessryad")
    plain = reveals(played(give(alone, "stress", 1)), alone.name, "2FB")
    assert ships_of(plain)[alone.name].has("stress") == 0, "left alone, the straight is blue"
    white = fly(plain, alone.name, "2 Koiogran turn, white")
    assert ships_of(white)[alone.name].has("stress") == 1, "the stress is back, for the straight was not flown"
    now = reveals(played(tired), RYAD.name, "2FB")
    assert ships_of(fly(now, RYAD.name, "2 Koiogran turn"))[RYAD.name].has("stress") == 1, "the stress maneuver"


def test_the_choice_is_over_once_something_else_happens_to_the_ship() -> None:
    now = reveals(played(RYAD), RYAD.name, "2FB")
    focused = changed(now, controls.choose(now, RYAD.name, Choice("give-focus"), never).changes)
    assert not [offer for offer in controls.offers(focused, RYAD.name) if offer.key.startswith("fly-")]
    (key,) = [offer.key for offer in controls.offers(now, RYAD.name) if offer.key.startswith("fly-")]
    with pytest.raises(PlayerError, match="has done something else since, so its maneuver can't change"):
        controls.choose(focused, RYAD.name, Choice(key), never)


def test_r4p_asks_for_its_charge_on_the_list_and_at_the_reveal() -> None:
    luke = ship("lukeskywalker", ANA, "r4pastromech")
    assert options(luke)["2TW"][1] == "blue for 1 charge (R4-P Astromech)"
    now = reveals(played(give(luke, "stress", 1)), luke.name, "2TW")
    done = ships_of(fly(now, luke.name, "2 turn left, blue (for 1 charge)"))[luke.name]
    assert (done.has("stress"), done.upgrade_charges) == (0, (1,))
    empty = replace(luke, upgrade_charges=(0,))
    assert options(empty)["2TW"][1] == ""
    assert not [
        offer for offer in controls.offers(reveals(played(empty), luke.name, "2TW"), luke.name) if "fly" in offer.key
    ]


def test_leia_makes_a_friends_maneuver_easier_for_her_force() -> None:
    leia, poe = ship("bluesquadronrookie", ANA, "leiaorgana-resistance"), ship("greensquadronexpert", ANA)
    now = reveals(played(leia, poe), poe.name, "5KR") if leia.initiative > poe.initiative else None
    if now is None:
        now = reveals(reveals(played(leia, poe), leia.name, "2FB"), poe.name, "5KR")
    assert ships_of(now)[poe.name].has("stress") == 1
    done = fly(now, poe.name, "Leia Organa")
    assert (ships_of(done)[poe.name].has("stress"), ships_of(done)[leia.name].force_left) == (0, leia.force - 1)


def test_dampeners_stand_still_for_a_shield_and_stress() -> None:
    luke = ship("lukeskywalker", ANA, "inertialdampeners")
    done = ships_of(fly(reveals(played(luke), luke.name, "4KR"), luke.name, "Inertial Dampeners"))[luke.name]
    assert (done.shields_left, done.has("stress"), (done.flight or Flight()).maneuver) == (
        luke.shields - 1,
        1,
        "0OW",
    )
