"""The search for a pilot by name."""

import pytest

from bot.rules.xwing.cards.card_sets import POOLS, SHELF, CardSet
from bot.rules.xwing.cards.pilots import PRINTED_IN, find_pilots, index, printed_index, printed_names, search_key

XWA, LEGACY = SETS = [SHELF.of(key) for key in POOLS]


@pytest.mark.parametrize(("cards", "count"), [(XWA, 734), (LEGACY, 755)], ids=POOLS)
def test_a_list_names_every_pilot_once_and_fits_into_discord(cards: CardSet, count: int) -> None:
    labels = [pilot.label for pilot in index(cards)]
    assert len(set(labels)) == len(labels) == count
    assert max(map(len, labels)) <= 100
    assert {pilot.pilot for pilot in index(cards)} == set(cards.pilots)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("Luke", "Luke Skywalker, T-65 X-wing, Red Five, i5"),
        ("skyw", "Anakin Skywalker"),
        ("howl", "“Howlrunner”, TIE/ln Fighter"),
        ("odd ball arc", "“Odd Ball”, ARC-170 Starfighter"),
        ("obi-wan", "Obi-Wan Kenobi"),
        ("luke yavin", "Luke Skywalker, T-65 X-wing, Battle of Yavin, SL"),
        ("t-70 poe", "Poe Dameron, T-70 X-wing"),
        ("darthvader-tieddefender", "Darth Vader, TIE/D Defender"),
        ("lando", "Lando Calrissian"),
        ("L’ulo", "L’ulo L’ampar, RZ-2 A-wing"),
        ("lulo", "L’ulo L’ampar, RZ-2 A-wing"),
    ],
)
def test_a_pilot_is_found_by_what_is_typed(typed: str, first: str) -> None:
    assert find_pilots(typed, XWA)[0].label.startswith(first)


@pytest.mark.parametrize("cards", SETS, ids=POOLS)
def test_every_pilot_is_found_by_its_name_and_ship(cards: CardSet) -> None:
    for pilot, card in cards.pilots.items():
        pilots = find_pilots(f"{card['name']} {cards.ships[card['ship']]['name']}", cards)
        assert pilot in [item.pilot for item in pilots]


@pytest.mark.parametrize("typed", ["", " ", "zzz", "x" * 6000, "\ud800", "ℵ" * 90, "a " * 3000])
def test_whatever_is_typed_there_are_at_most_25(typed: str) -> None:
    assert len(find_pilots(typed, LEGACY)) <= 25


def test_nothing_typed_offers_the_first_of_the_alphabet() -> None:
    assert [pilot.label for pilot in find_pilots("", XWA, most=3)] == [pilot.label for pilot in index(XWA)[:3]]


def test_signs_that_nobody_types_do_not_matter() -> None:
    assert search_key("“Odd  Ball”") == "odd ball"
    assert search_key("L’ulo") == "lulo"
    assert search_key("Café T-65/x") == "cafe t-65/x"


def test_a_word_that_begins_as_typed_comes_before_one_that_only_holds_it() -> None:
    names = [pilot.name for pilot in find_pilots("ten", XWA)]
    assert names[:2] == ["ten numb", "leevan tenza"], "of the rest, Bo-Katan Kryze would come before Leevan Tenza"
    assert "bo-katan kryze" in names[2:]


@pytest.mark.parametrize(
    ("language", "typed", "label"),
    [
        ("de", "pilot der akad", "Pilot der Akademie (Academy Pilot, TIE/ln Fighter, i1)"),
        ("de", "academy pilot", "Pilot der Akademie (Academy Pilot, TIE/ln Fighter, i1)"),
        ("fr", "pilote de l'academie", "Pilote de l’Académie (Academy Pilot, TIE/ln Fighter, i1)"),
        ("pl", "academy pilot", "Academy Pilot, TIE/ln Fighter, i1"),
    ],
)
def test_a_pilot_is_found_and_shown_by_its_printed_name(language: str, typed: str, label: str) -> None:
    assert find_pilots(typed, XWA, language=language)[0].label == label


@pytest.mark.parametrize("language", PRINTED_IN)
@pytest.mark.parametrize("cards", SETS, ids=POOLS)
def test_each_pilot_is_found_by_its_printed_name_and_told_apart(cards: CardSet, language: str) -> None:
    labels = [pilot.label for pilot in printed_index(cards, language)]
    assert len(set(labels)) == len(labels) == len(cards.pilots)
    assert max(map(len, labels)) <= 100
    for id_, name in printed_names(language)["pilots"].items():
        if id_ in cards.pilots:
            assert id_ in {pilot.pilot for pilot in find_pilots(name, cards, 999, language)}
