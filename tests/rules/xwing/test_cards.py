"""What pilots and upgrades bring, and ships typed as numbers."""

import pytest

from bot.rules.errors import BadInputError
from bot.rules.xwing.cards.card_sets import POOLS, SHELF, CardSet
from bot.rules.xwing.cards.cards import FACTIONS, SIZES, Charges, PilotShip, by_numbers, pilot_ship, with_free_name
from bot.rules.xwing.dice.declared import MAX_HULL, MAX_POOL
from bot.rules.xwing.dice.tokens import MAX_TOKENS
from tests.test_house import bare

XWA, LEGACY = SETS = [SHELF.of(key) for key in POOLS]

# The data


def test_the_sets_have_every_card_that_the_page_counts() -> None:
    counts = [(len(card_set.ships), len(card_set.pilots), len(card_set.upgrades)) for card_set in SETS]
    assert counts == [(90, 734, 635), (89, 755, 535)]
    weapons = [sum("attack" in upgrade for upgrade in card_set.upgrades.values()) for card_set in SETS]
    assert weapons == [52, 41], "and one that turns a weapon"


def test_a_file_is_read_when_somebody_first_asks() -> None:
    code = "from bot.rules.xwing.cards import card_sets as c{}; print(c._read.cache_info().currsize)"
    assert bare(code.format("")).stdout == "0\n"
    assert bare(code.format("; c.SHELF.of('xwa'); c.SHELF.of('legacy@2025-12-11'); c.SHELF.of('xwa')")).stdout == "2\n"


def test_a_set_is_named_by_its_key_or_by_its_key_and_date() -> None:
    assert SHELF.find("XWA ") is SHELF.find("xwa@2026-07-05") is XWA
    assert (XWA.name, XWA.title, XWA.pool) == ("xwa@2026-07-05", "XWA (2026-07-05)", "xwa")
    assert (LEGACY.name, LEGACY.title, LEGACY.pool) == ("legacy@2025-12-11", "Legacy (2025-12-11)", "legacy")
    assert [SHELF.find(name) for name in ("club", "", "xwa@2020-01-01", "../xwa", "auto")] == [None] * 5
    assert SHELF.of("xwa@2020-01-01") is XWA, "a ship remembers a set that is gone"
    assert SHELF.of("legacy@2020-01-01") is LEGACY
    assert SHELF.of("") is XWA


@pytest.mark.parametrize("cards", SETS, ids=POOLS)
def test_every_card_names_what_the_set_has(cards: CardSet) -> None:
    for card in cards.pilots.values():
        assert card["ship"] in cards.ships
        assert all(upgrade in cards.upgrades for upgrade in card.get("upgrades", ()))
    for alias, id_ in cards.aliases.items():
        assert id_ in {**cards.ships, **cards.pilots, **cards.upgrades}, alias


def test_an_alias_counts_only_where_the_id_is_not_found() -> None:
    assert XWA.upgrade("aceinthehole-battleoverendor") == "aceinthehole-talent"
    assert LEGACY.upgrade("aceinthehole-battleoverendor") == "aceinthehole-battleoverendor"
    assert XWA.pilot("whisper-tiephphantom") == "whisper-ssl"
    assert XWA.pilot("whisper") == "whisper"
    assert XWA.ship("upsilonclassshuttle") == "upsilonclasscommandshuttle"
    assert XWA.pilot("aceinthehole-battleoverendor") is None, "it is an upgrade"


@pytest.mark.parametrize("cards", SETS, ids=POOLS)
def test_every_pilot_becomes_a_ship_that_the_table_can_hold(cards: CardSet) -> None:
    for pilot, card in cards.pilots.items():
        ship = pilot_ship(pilot, cards=cards)
        assert (ship.card_set, ship.pool, ship.faction) == (cards.name, cards.pool, card["faction"])
        assert ship.size in SIZES
        assert card["faction"] in FACTIONS
        assert 0 <= ship.initiative <= 8
        assert 0 <= ship.attack <= MAX_POOL
        assert 0 <= ship.agility <= MAX_POOL
        assert 1 <= ship.hull <= MAX_HULL
        assert 0 <= ship.shields <= MAX_HULL
        assert 0 <= ship.force.capacity <= MAX_TOKENS
        held = {upgrade.id: upgrade.charges.capacity for upgrade in ship.upgrades}
        assert all(weapon.cost <= held.get(weapon.upgrade, 0) for weapon in ship.weapons)
        assert all(weapon.nearest <= weapon.farthest for weapon in ship.weapons)
        assert len({weapon.name for weapon in ship.weapons}) == len(ship.weapons), "a select can name them"


@pytest.mark.parametrize("cards", SETS, ids=POOLS)
def test_every_upgrade_fits_on_a_ship(cards: CardSet) -> None:
    without = pilot_ship("bobafett", cards=cards)
    for upgrade, card in cards.upgrades.items():
        ship = pilot_ship("bobafett", [upgrade], cards)
        stats = card.get("stats", {}) if "only" not in card else {}
        assert ship.hull - without.hull == stats.get("hull", 0)
        assert ship.shields - without.shields == stats.get("shields", 0)
        assert ship.agility - without.agility == stats.get("agility", 0)
        assert len(ship.weapons) - len(without.weapons) == ("attack" in card)
        capacity, recover = card.get("force", (0, 0))
        assert ship.force == Charges(capacity, max(0, recover)), "-1 keeps the ship's own from recovering"


def test_a_pilot_has_the_numbers_of_its_set() -> None:
    assert pilot_ship("deathwatchwarrior", cards=XWA).initiative == 2
    assert pilot_ship("deathwatchwarrior", cards=LEGACY).initiative == 1
    assert pilot_ship("juljerjerrod", cards=XWA).charges == Charges(3, 0)
    assert pilot_ship("juljerjerrod", cards=LEGACY).charges == Charges(2, 0)


def test_a_ship_knows_its_ability_and_what_its_weapons_are() -> None:
    vader = pilot_ship("darthvader", ["clustermissiles"])
    assert (vader.chassis, vader.limited, vader.faction) == ("advancedtargetingcomputer", 1, "galacticempire")
    assert [weapon.slot for weapon in vader.weapons] == ["", "missile"]
    assert pilot_ship("academypilot").chassis == ""
    huge = pilot_ship("alderaanianguard", ["turbolaserbattery", "quantumstorm"])
    assert huge.energy == Charges(8, 2)


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
    assert pilot_ship("lukeskywalker", ["yoda"] * 10).force.capacity == MAX_TOKENS


def test_charges_that_go_or_come_back_in_bulk() -> None:
    (booster,) = pilot_ship("wedgeantilles", ["interceptbooster"]).upgrades
    assert booster.charges == Charges(3, -1)
    (kalani,) = pilot_ship("wedgeantilles", ["kalani"]).upgrades
    assert kalani.charges == Charges(3, 3)


def test_a_title_brings_a_front_arc() -> None:
    weapons = pilot_ship("janors", ["moldycrow"]).weapons
    assert [(weapon.arc, weapon.value) for weapon in weapons] == [("Single Turret Arc", 2), ("Front Arc", 3)]


def test_a_turned_weapon_is_no_second_one() -> None:
    (weapon,) = pilot_ship("jakefarrell", ["vectoredcannonsrz1"]).weapons
    assert (weapon.arc, weapon.value, weapon.primary) == ("Single Turret Arc", 2, True)


def test_an_ability_turns_the_weapons_of_a_kind() -> None:
    """Not Outmaneuver's front arc any more."""
    rotating = next(pilot for pilot in XWA.pilots if XWA.chassis(pilot) == "rotatingcannons")
    arcs = {weapon.upgrade: weapon.arc for weapon in pilot_ship(rotating, ["ioncannon", "protontorpedoes"]).weapons}
    assert (arcs["ioncannon"], arcs["protontorpedoes"]) == ("Single Turret Arc", "Front Arc")
    heavy = next(pilot for pilot in XWA.pilots if XWA.chassis(pilot) == "heavyweaponturret")
    assert pilot_ship(heavy, ["clustermissiles"]).weapons[-1].arc == "Single Turret Arc"


def test_a_huge_ship_recovers_shields() -> None:
    huge = [pilot_ship(pilot) for pilot, card in XWA.pilots.items() if card["ship"] == "cr90corelliancorvette"]
    assert huge
    assert all((ship.size, ship.shields_recover) == ("huge", 2) for ship in huge)


def test_upgrades_never_take_the_last_hull_nor_pass_what_a_ship_can_have() -> None:
    assert pilot_ship("wedgeantilles", ["suppressor"] * 20).hull == 1
    assert pilot_ship("wedgeantilles", ["hullupgrade"] * 200).hull == MAX_HULL
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
    for pilot in XWA.pilots:
        ship = pilot_ship(pilot)
        again = by_numbers(ship.name, f"{ship.numbers} {ship.size}")
        assert (again.numbers, again.size) == (ship.numbers, ship.size)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "`numbers` was empty. Use attack/agility/hull/shields"),
        ("3", "Example: `3/2/4/2 i5`"),
        ("3/2", "Example: `3/2/4/2 i5`"),
        ("3/2/4/2/1", "Example: `3/2/4/2 i5`"),
        ("3/2/4/2 5", "Example: `3/2/4/2 i5`"),
        ("3/2/4/2 i12", "Example: `3/2/4/2 i5`"),
        ("3/2/4/2 tiny", "Example: `3/2/4/2 i5`"),
        ("3/2/4/2 i9", "`initiative` was `9`. Use a whole number from 0 to 8"),
        ("7/2/4/2", "`attack` was `7`. Use a whole number from 0 to 6"),
        ("3/7/4/2", "`agility` was `7`"),
        ("3/2/0/2", "`hull` was `0`. Use a whole number from 1 to 30"),
        ("3/2/4/31", "`shields` was `31`"),
        ("-3/2/4/2", "Example: `3/2/4/2 i5`"),
        ("٣/2/4/2", "Example: `3/2/4/2 i5`"),
        ("9" * 5000, "Example: `3/2/4/2 i5`"),
    ],
)
def test_other_words_are_refused(typed: str, words: str) -> None:
    with pytest.raises(BadInputError) as refused:
        by_numbers("Gold Five", typed)
    assert words in str(refused.value)


@pytest.mark.parametrize("name", ["", "\u200b", "x" * 33])
def test_a_ship_needs_a_name_that_can_be_seen(name: str) -> None:
    with pytest.raises(BadInputError, match="`name`"):
        by_numbers(name, "3/2/4/2")


def test_namesakes_are_numbered() -> None:
    ship = PilotShip(name="Academy Pilot")
    assert with_free_name(ship, []).name == "Academy Pilot"
    assert with_free_name(ship, ["ACADEMY PILOT"]).name == "Academy Pilot #2"
    assert with_free_name(ship, ["Academy Pilot", "Academy Pilot #2", "Howlrunner"]).name == "Academy Pilot #3"
    assert with_free_name(PilotShip(name="x" * 32), ["x" * 32]).name == "x" * 29 + " #2"
