"""What holds for every game, whatever is declared, however the dice fall and whoever presses what."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import given, settings, strategies as st

from bot.games import Game
from bot.rules.dice import DieStep, Rolled
from bot.rules.errors import NotOfferedError
from bot.rules.game import Choice, Offer
from bot.sessions import codec
from tests.examples import share_of
from tests.starts import chance, declarations, every_game, pick_of, some_choice, walk

ENDLESS = ("again", "cocked", "add-red", "add-green")
"""Offers to roll more, which stay as long as anybody likes."""

quickly = settings(max_examples=share_of(40), deadline=None)


def dice(state: object) -> Iterator[Rolled]:
    """Every die of a state, wherever it lies."""
    if isinstance(state, Rolled):
        yield state
    elif isinstance(state, tuple):
        for part in state:
            yield from dice(part)
    elif is_dataclass(state):
        for field in fields(state):
            yield from dice(getattr(state, field.name))


@every_game
@quickly
@given(data=st.data())
def test_the_laws_of_a_walk(game: Game, data: st.DataObject) -> None:
    """Each of ``ON_A_WALK``, on the same walk."""
    states = walk(data, game)
    for law in ON_A_WALK:
        law(game, data, states)


def every_offer_can_be_chosen(game: Game, data: st.DataObject, states: list[Any]) -> None:
    state = states[-1]
    for offer in game.rules.offers(state):
        assert game.rules.choose(state, some_choice(data, offer), chance(0)) is not None


def nothing_else_can_be_chosen(game: Game, _: st.DataObject, states: list[Any]) -> None:
    state = states[-1]
    offered = {offer.key: offer for offer in game.rules.offers(state)}
    known = {offer.key for earlier in states for offer in game.rules.offers(earlier)} | {
        "",
        "nonsense",
        "done",
        "effect-9",
    }
    for key in known - offered.keys():
        refused(game, state, Choice(key, filled={}))
    for offer in offered.values():
        for picked in wrong_picks(offer):
            refused(game, state, Choice(offer.key, picked, {}))


def wrong_picks(offer: Offer) -> list[tuple[str, ...]]:
    """What may not be picked: none or too many, one twice, and one that is not there."""
    values = tuple(option.value for option in offer.options)
    if not values:
        return [("0",)]
    wrong = [("not-there",), (values[0], values[0])]
    wrong += [()] if pick_of(offer).least > 0 else []
    wrong += [values] if len(values) > pick_of(offer).most else []
    return wrong


def refused(game: Game, state: Any, choice: Choice) -> None:
    with pytest.raises(NotOfferedError):
        game.rules.choose(state, choice, chance(0))


def keys_of_offers_are_short_and_differ(game: Game, _: st.DataObject, states: list[Any]) -> None:
    for state in states:
        keys = [offer.key for offer in game.rules.offers(state)]
        assert len(set(keys)) == len(keys)
        assert all(0 < len(key) <= 40 and set(key) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for key in keys)


@every_game
@quickly
@given(data=st.data())
def test_dice_never_vanish_and_their_stories_only_grow(game: Game, data: st.DataObject) -> None:
    rng = chance(data.draw(st.integers(0, 10**6)))
    state = game.rules.start(data.draw(declarations(game)), rng)
    for _ in range(12):
        offers = [offer for offer in game.rules.offers(state) if offer.key != "again"]  # which takes all dice up
        if not offers:
            break
        before = [die.trail for die in dice(state)]
        state = game.rules.choose(state, some_choice(data, data.draw(st.sampled_from(offers))), rng)
        after = [die.trail for die in dice(state)]
        for trail in sorted(before, key=len, reverse=True):
            after.remove(continued(trail, after))


def continued(trail: tuple[DieStep, ...], among: list[tuple[DieStep, ...]]) -> tuple[DieStep, ...]:
    """The story that goes on from a trail; AssertionError if there is none."""
    result = [other for other in among if other[: len(trail)] == trail]
    assert result, f"a die vanished: {trail}"
    return min(result, key=len)


@every_game
@quickly
@given(data=st.data())
def test_offers_end(game: Game, data: st.DataObject) -> None:
    rng = chance(data.draw(st.integers(0, 10**6)))
    state = game.rules.start(data.draw(declarations(game)), rng)
    for _ in range(60):
        offers = [offer for offer in game.rules.offers(state) if offer.key not in ENDLESS]
        if not offers:
            return
        state = game.rules.choose(state, some_choice(data, data.draw(st.sampled_from(offers))), rng)
    pytest.fail("after 60 choices there was still something to choose")


@every_game
@quickly
@given(data=st.data(), seed=st.integers(0, 10**6))
def test_equal_declaration_and_equal_chance_give_equal_state(game: Game, data: st.DataObject, seed: int) -> None:
    declared = data.draw(declarations(game))
    item, two = chance(seed), chance(seed)
    first, second = game.rules.start(declared, item), game.rules.start(declared, two)
    for _ in range(8):
        assert first == second
        assert game.rules.offers(first) == game.rules.offers(second)
        assert game.rules.outcome(first) == game.rules.outcome(second)
        if not game.rules.offers(first):
            break
        choice = some_choice(data, data.draw(st.sampled_from(game.rules.offers(first))))
        first, second = game.rules.choose(first, choice, item), game.rules.choose(second, choice, two)


def the_result_of_a_roll_has_a_whole_distribution_and_says_what_its_luck_says(
    game: Game, _: st.DataObject, states: list[Any]
) -> None:
    for state in states:
        luck = game.luck_of(state)
        for place, result in enumerate(game.results_of(state)):
            assert sum(result.distribution.weights.values()) == result.distribution.total
            assert min(result.distribution.weights.values()) > 0
            sign = -1 if result.is_loss else 1
            weights = result.distribution.weights.items()
            better = sum(weight for value, weight in weights if sign * value > sign * result.value)
            if luck is not None and place == 0:
                assert Fraction(better, result.distribution.total) <= luck.better, "luck tells at least as much apart"


def every_reachable_state_survives_the_codec(game: Game, _: st.DataObject, states: list[Any]) -> None:
    for state in states:
        again = codec.read_state(game.rules, game.rules.SCHEMA, codec.write_state(game.rules, state))
        assert again == state
        assert game.rules.offers(again) == game.rules.offers(state)


ON_A_WALK: Final = (
    every_offer_can_be_chosen,
    nothing_else_can_be_chosen,
    keys_of_offers_are_short_and_differ,
    the_result_of_a_roll_has_a_whole_distribution_and_says_what_its_luck_says,
    every_reachable_state_survives_the_codec,
)
