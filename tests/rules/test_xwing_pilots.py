"""The search for a pilot by name."""

import pytest

from bot.rules.xwing.cards import cards
from bot.rules.xwing.pilots import find_pilots, index, plain


def test_a_list_names_every_pilot_once_and_fits_into_discord() -> None:
    labels = [one.found.label for one in index()]
    assert len(set(labels)) == len(labels) == 672
    assert max(map(len, labels)) <= 100
    assert {one.found.pilot for one in index()} == set(cards().pilots)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("Luke", "Luke Skywalker, T-65 X-wing, Red Five, i5"),
        ("skyw", "Anakin Skywalker"),
        ("howl", "“Howlrunner”, TIE/ln Fighter"),
        ("odd ball arc", "“Odd Ball”, ARC-170 Starfighter"),
        ("obi-wan", "Obi-Wan Kenobi"),
        ("luke yavin", "Luke Skywalker, T-65 X-wing, Battle of Yavin, standard loadout"),
        ("t-70 poe", "Poe Dameron, T-70 X-wing"),
        ("darthvader-tieddefender", "Darth Vader, TIE/D Defender"),
        ("lando", "Lando Calrissian"),
        ("L’ulo", "L’ulo L’ampar, RZ-2 A-wing"),
        ("lulo", "L’ulo L’ampar, RZ-2 A-wing"),
    ],
)
def test_a_pilot_is_found_by_what_is_typed(typed: str, first: str) -> None:
    assert find_pilots(typed)[0].label.startswith(first)


def test_every_pilot_is_found_by_its_name_and_ship() -> None:
    for pilot, card in cards().pilots.items():
        found = find_pilots(f"{card['name']} {cards().ships[card['ship']]['name']}")
        assert pilot in [one.pilot for one in found]


@pytest.mark.parametrize("typed", ["", " ", "zzz", "x" * 6000, "\ud800", "ℵ" * 90, "a " * 3000])
def test_whatever_is_typed_there_are_at_most_25(typed: str) -> None:
    assert len(find_pilots(typed)) <= 25


def test_nothing_typed_offers_the_first_of_the_alphabet() -> None:
    assert [one.label for one in find_pilots("", most=3)] == [one.found.label for one in index()[:3]]


def test_signs_that_nobody_types_do_not_matter() -> None:
    assert plain("“Odd  Ball”") == "odd ball"
    assert plain("L’ulo") == "lulo"
    assert plain("Café T-65/x") == "cafe t-65/x"
