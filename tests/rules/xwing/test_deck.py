"""The damage deck: 33 cards drawn without looking, shuffled again when it runs out, and what faceup cards do."""

import json
from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, strategies as st

from bot.rules.xwing.cards.card_sets import POOLS, shipped_path
from bot.rules.xwing.cards.deck import (
    DAMAGE_CARDS,
    DECK_SIZE,
    Deck,
    Decks,
    FaceupEffect,
    draw,
    effects,
    effects_at,
    hits_become_crits,
    new_deck,
    size,
)


def lowest(_: int) -> int:
    return 0


def highest(count: int) -> int:
    return count - 1


@pytest.mark.parametrize("key", POOLS)
def test_the_deck_is_that_of_the_card_data(key: str) -> None:
    data = json.loads(shipped_path(key).read_text(encoding="utf-8"))["damage_deck"]
    assert [(card.title, card.copies) for card in DAMAGE_CARDS.values()] == [
        (card["title"], card["amount"]) for card in data
    ]
    assert (len(DAMAGE_CARDS), DECK_SIZE) == (14, 33)


def test_33_draws_empty_a_new_deck() -> None:
    deck, drawn = new_deck(), Counter[str]()
    rng = Random(1)
    for left in range(DECK_SIZE, 0, -1):
        assert size(deck.pile) == left
        title, deck = draw(deck, rng.randrange)
        assert title is not None
        drawn[title] += 1
    assert drawn == {card.title: card.copies for card in DAMAGE_CARDS.values()}
    assert deck == Deck({}, {})


def test_each_card_has_the_same_chance() -> None:
    """Every number that chance can give, once: each title comes as often as it has cards in the pile."""
    deck = Deck({"Direct Hit!": 5, "Fuel Leak": 1, "Blinded Pilot": 2}, {"Console Fire": 2})
    drawn = Counter(draw(deck, lambda _, place=place: place)[0] for place in range(8))  # type: ignore[misc]  # mypy does not see the default
    assert {title: Fraction(count, 8) for title, count in drawn.items()} == {
        "Direct Hit!": Fraction(5, 8),
        "Fuel Leak": Fraction(1, 8),
        "Blinded Pilot": Fraction(1, 4),
    }


def test_the_number_of_cards_is_what_chance_is_asked_for() -> None:
    asked: list[int] = []

    def rng(count: int) -> int:
        asked.append(count)
        return 0

    deck = new_deck()
    for _ in range(3):
        _, deck = draw(deck, rng)
    assert asked == [33, 32, 31]


def test_a_deck_that_runs_out_is_made_of_its_discard_pile() -> None:
    deck = Deck({}, {"Fuel Leak": 2, "Direct Hit!": 1})
    title, after = draw(deck, highest)
    assert title == "Direct Hit!"
    assert after == Deck({"Fuel Leak": 2}, {})


def test_a_discarded_card_waits_until_the_deck_runs_out() -> None:
    title, deck = draw(Deck({"Fuel Leak": 1}, {"Console Fire": 1}), lowest)
    assert (title, deck) == ("Fuel Leak", Deck({}, {"Console Fire": 1}))
    title, deck = draw(deck, highest)
    assert (title, deck) == ("Console Fire", Deck({}, {}))


def test_when_all_cards_lie_on_ships_there_is_none_and_chance_is_not_asked() -> None:
    def never(count: int) -> int:
        raise AssertionError(count)

    assert draw(Deck({}, {}), never) == (None, Deck({}, {}))


@given(st.lists(st.booleans(), max_size=120), st.randoms(use_true_random=False))
def test_no_card_is_lost_or_doubled(draws: list[bool], random: Random) -> None:
    decks, on_ships = Decks(piles={}), list[str]()
    for drawing in draws:
        deck = decks.deck(7, on_ships)
        if drawing:
            title, deck = draw(deck, random.randrange)
            on_ships += [title] if title else []
            decks = decks.with_deck(7, deck)
        elif on_ships:  # a card is repaired: it lies in the discard pile from then on
            on_ships.pop(random.randrange(len(on_ships)))
            deck = decks.deck(7, on_ships)
        cards = Counter(deck.pile) + Counter(deck.discarded) + Counter(on_ships)
        assert cards == {card.title: card.copies for card in DAMAGE_CARDS.values()}


# What faceup cards do (rules page, Squads and data)


def test_the_cards_that_do_something_to_their_ship() -> None:
    assert {title for title, card in DAMAGE_CARDS.items() if card.effect} == {
        "Hull Breach",
        "Direct Hit!",
        "Fuel Leak",
        "Console Fire",
        "Disabled Power Regulator",
        "Panicked Pilot",
    }


def test_hull_breach() -> None:
    assert hits_become_crits(["Stunned Pilot", "Hull Breach"])
    assert not hits_become_crits(["Blinded Pilot"])


@pytest.mark.parametrize(
    ("title", "effect"),
    [
        ("Direct Hit!", FaceupEffect(timing="when dealt", hits=1, repaired=True)),
        ("Panicked Pilot", FaceupEffect(timing="when dealt", tokens=(("stress", 2),), repaired=True)),
        ("Fuel Leak", FaceupEffect(timing="after a crit", hits=1, repaired=True)),
        ("Console Fire", FaceupEffect(timing="before engaging", hits=1, rolls=True)),
        ("Disabled Power Regulator", FaceupEffect(timing="before engaging", tokens=(("ion", 1),))),
    ],
)
def test_cards_that_act_at_a_time(title: str, effect: FaceupEffect) -> None:
    assert effects_at(["Loose Stabilizer", title], effect.timing) == [(title, effect)]
    others = {"when dealt", "after a crit", "before engaging"} - {effect.timing}
    assert all(effects_at([title], timing) == [] for timing in others)  # type: ignore[arg-type]  # a set of str


def test_two_of_a_card_act_twice() -> None:
    assert len(effects(["Fuel Leak", "Fuel Leak", "Wounded Pilot"])) == 2
