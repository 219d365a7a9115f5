"""No card calls one thing by its plural: rolls of every game, played by chance to their ends."""

from collections.abc import Iterator
from random import Random

import pytest

from bot.games import GAMES
from bot.render.card import Card
from bot.rules.game import AfterOffer, Choice, RequiredSetting, Side
from bot.rules.text import english
from tests.conftest import false_plurals
from tests.seeds import seeds
from tests.starts import pick_of

NAMES = {Side.ATTACKER: "Ana", Side.DEFENDER: "Bo"}
MAX_PRESSES = 12


def played(key: str, seed: int) -> Iterator[Card]:
    """The cards of a roll, press by press; presses that open a form are left out."""
    game, chance = GAMES[key], Random(seed)
    state = game.rules.start(game.rules.declare(chance.choice(game.samples)), chance.randrange)
    yield game.card(state, NAMES)
    for _ in range(MAX_PRESSES):
        offers = [
            item
            for item in game.rules.offers(state)
            if not item.fields and item.then is not AfterOffer.FOLLOWS and item.leave is not RequiredSetting.BY_HAND
        ]
        if not offers:
            return
        offer = chance.choice(offers)
        values = [option.value for option in offer.options]
        picked = tuple(chance.sample(values, min(max(pick_of(offer).least, 1), len(values))))
        state = game.rules.choose(state, Choice(offer.key, picked, by=offer.side), chance.randrange)
        yield game.card(state, NAMES)


def words(card: Card) -> str:
    facts = [text for fact in card.facts for text in fact]
    return "\n".join(
        [
            english(card.title),
            english(card.outcome),
            english(card.turn),
            *map(english, card.trail),
            *map(english, facts),
            english(card.small),
            english(card.below),
            english(card.alt),
        ]
    )


@pytest.mark.parametrize("rolls", seeds((range(24), range(24, 60))))
@pytest.mark.parametrize("key", GAMES)
def test_one_thing_is_called_one(key: str, rolls: range) -> None:
    wrong = {said for seed in rolls for card in played(key, seed) for said in false_plurals(words(card))}
    assert not wrong


@pytest.mark.parametrize("text", ["1 hits", "Ana: 1 Wounds taken", "to 1 crits.", "1\N{NO-BREAK SPACE}successes"])
def test_a_false_plural_is_found(text: str) -> None:
    assert len(false_plurals(text)) == 1


@pytest.mark.parametrize("text", ["1 focus", "11 hits", "round 1 begins", "ARM 1 saves", "1.1 hits", "1d6 hits"])
def test_what_is_no_plural_or_no_count_is_left_alone(text: str) -> None:
    assert false_plurals(text) == []
