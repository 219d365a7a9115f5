"""What pilots and upgrades bring, and ships typed as numbers."""

import pytest

from bot.rules.errors import BadInput
from bot.rules.xwing.cards import (
    FACTIONS,
    SIZES,
    Charges,
    PilotShip,
    by_numbers,
    cards,
    pilot_ship,
    renamed,
)
from bot.rules.xwing.declared import HULL_MOST, POOL_MOST, TOKENS_MOST
from tests.test_house import bare

# The data


def test_the_data_have_every_card_that_the_page_counts() -> None:
    assert (len(cards().ships), len(cards().pilots), len(cards().upgrades)) == (89, 672, 524)
    assert sum("attack" in upgrade for upgrade in cards().upgrades.values()) == 40, "and one that turns a weapon"


def test_the_file_is_read_when_somebody_first_asks() -> None:
    code = "from bot.rules.xwing import cards; print(cards.cards.cache_info().currsize)"
    assert bare(code).stdout == "0\n"
    assert bare(code.replace("; print", "; cards.cards(); cards.cards(); print")).stdout == "1\n"


def test_every_pilot_becomes_a_ship_that_the_table_can_hold() -> None:
    for pilot, card in cards().pilots.items():
        ship = pilot_ship(pilot)
        assert ship.size in SIZES
        assert card["faction"] in FACTIONS
        assert 0 <= ship.initiative <= 8
        assert 0 <= ship.attack <= POOL_MOST
        assert 0 <= ship.agility <= POOL_MOST
        assert 1 <= ship.hull <= HULL_MOST
        assert 0 <= ship.shields <= HULL_MOST
        assert 0 <= ship.force.capacity <= TOKENS_MOST
        held = {upgrade.id: upgrade.charges.capacity for upgrade in ship.upgrades}
        assert all(weapon.cost <= held.get(weapon.upgrade, 0) for weapon in ship.weapons)
        assert all(weapon.nearest <= weapon.farthest for weapon in ship.weapons)
        assert len({weapon.name for weapon in ship.weapons}) == len(ship.weapons), "a select can name them"


def test_every_upgrade_fits_on_a_ship() -> None:
    without = pilot_ship("bobafett")
    for upgrade, card in cards().upgrades.items():
        ship = pilot_ship("bobafett", [upgrade])
        stats = card.get("stats", {}) if "only" not in card else {}
        assert ship.hull - without.hull == stats.get("hull", 0)
        assert ship.shields - without.shields == stats.get("shields", 0)
        assert ship.agility - without.agility == stats.get("agility", 0)
        assert len(ship.weapons) - len(without.weapons) == len(card.get("attacks", ())) + ("attack" in card)
        assert ship.force == Charges(*card.get("force", (0, 0)))


# What upgrades add


def test_a_delta_7b_counts_once() -> None:
    """The card turns a Delta-7 into a Delta-7B; today's cards have the Delta-7B as a ship of its own."""
    for ship in (pilot_ship("adigallia", ["delta7b"]), pilot_ship("adigallia-delta7baethersprite", ["delta7b"])):
        assert ship.numbers == "3/2/3/3 i5"
    assert pilot_ship("adigallia").numbers == "2/3/3/1 i5"
    assert pilot_ship("bobafett", ["delta7b"]) == pilot_ship("bobafett")


def test_force_adds_up_and_comes_back_once() -> None:
    assert pilot_ship("lukeskywalker", ["yoda"]).force == Charges(4, 1)
    assert pilot_ship("wedgeantilles", ["yoda"]).force == Charges(2, 1)
    assert pilot_ship("wedgeantilles", ["thechild"]).force == Charges(2, 0)
    assert pilot_ship("lukeskywalker", ["yoda"] * 10).force.capacity == TOKENS_MOST


def test_charges_that_go_or_come_back_in_bulk() -> None:
    (booster,) = pilot_ship("wedgeantilles", ["interceptbooster"]).upgrades
    assert booster.charges == Charges(3, -1)
    (kalani,) = pilot_ship("wedgeantilles", ["kalani"]).upgrades
    assert kalani.charges == Charges(3, 3)


def test_a_turned_weapon_is_no_second_one() -> None:
    (weapon,) = pilot_ship("jakefarrell", ["vectoredcannonsrz1"]).weapons
    assert (weapon.arc, weapon.value, weapon.primary) == ("Single Turret Arc", 2, True)


def test_a_huge_ship_recovers_shields() -> None:
    huge = [pilot_ship(pilot) for pilot, card in cards().pilots.items() if card["ship"] == "cr90corelliancorvette"]
    assert huge
    assert all((ship.size, ship.shields_recover) == ("huge", 2) for ship in huge)


def test_upgrades_never_take_the_last_hull_nor_pass_what_a_ship_can_have() -> None:
    assert pilot_ship("wedgeantilles", ["suppressor"] * 20).hull == 1
    assert pilot_ship("wedgeantilles", ["hullupgrade"] * 200).hull == HULL_MOST
    assert pilot_ship("wedgeantilles", ["dodonnaspride"] * 9).shields == 0


# Numbers


@pytest.mark.parametrize(
    ("typed", "numbers", "size"),
    [
        ("3/2/4/2 i5", "3/2/4/2 i5", "small"),
        ("3/2/4/2", "3/2/4/2 i0", "small"),
        ("3/3/4", "3/3/4/0 i0", "small"),
        ("  3/2/4/2   I5 ", "3/2/4/2 i5", "small"),
        ("3/1/8/5 i6 large", "3/1/8/5 i6", "large"),
        ("3/1/8/5 medium i6", "3/1/8/5 i6", "medium"),
        ("0/0/18/7 huge i8", "0/0/18/7 i8", "huge"),
    ],
)
def test_numbers_make_a_ship(typed: str, numbers: str, size: str) -> None:
    ship = by_numbers("Gold Five", typed)
    assert (ship.name, ship.numbers, ship.size, ship.pilot) == ("Gold Five", numbers, size, "")


def test_every_ship_written_as_numbers_is_read_again() -> None:
    for pilot in cards().pilots:
        ship = pilot_ship(pilot)
        again = by_numbers(ship.name, f"{ship.numbers} {ship.size}")
        assert (again.numbers, again.size) == (ship.numbers, ship.size)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "`numbers` was empty; it takes attack/agility/hull/shields"),
        ("3", "as in `3/2/4/2 i5`"),
        ("3/2", "as in `3/2/4/2 i5`"),
        ("3/2/4/2/1", "as in `3/2/4/2 i5`"),
        ("3/2/4/2 5", "as in `3/2/4/2 i5`"),
        ("3/2/4/2 i12", "as in `3/2/4/2 i5`"),
        ("3/2/4/2 tiny", "as in `3/2/4/2 i5`"),
        ("3/2/4/2 i9", "`initiative` was `9`; it takes a whole number from 0 to 8"),
        ("7/2/4/2", "`attack` was `7`; it takes a whole number from 0 to 6"),
        ("3/7/4/2", "`agility` was `7`"),
        ("3/2/0/2", "`hull` was `0`; it takes a whole number from 1 to 30"),
        ("3/2/4/31", "`shields` was `31`"),
        ("-3/2/4/2", "as in `3/2/4/2 i5`"),
        ("٣/2/4/2", "as in `3/2/4/2 i5`"),
        ("9" * 5000, "as in `3/2/4/2 i5`"),
    ],
)
def test_other_words_are_refused(typed: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        by_numbers("Gold Five", typed)
    assert words in str(refused.value)


@pytest.mark.parametrize("name", ["", "\u200b", "x" * 33])
def test_a_ship_needs_a_name_that_can_be_seen(name: str) -> None:
    with pytest.raises(BadInput, match="`name`"):
        by_numbers(name, "3/2/4/2")


def test_namesakes_are_numbered() -> None:
    ship = PilotShip(name="Academy Pilot")
    assert renamed(ship, []).name == "Academy Pilot"
    assert renamed(ship, ["ACADEMY PILOT"]).name == "Academy Pilot #2"
    assert renamed(ship, ["Academy Pilot", "Academy Pilot #2", "Howlrunner"]).name == "Academy Pilot #3"
    assert renamed(PilotShip(name="x" * 32), ["x" * 32]).name == "x" * 29 + " #2"
