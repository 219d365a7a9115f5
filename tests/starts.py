"""How the tests try every game: its declarations, choices of what it offers, and walks from the start of a roll."""

import importlib
import importlib.util
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

from bot.games import GAMES, Game
from bot.rules.dice import Rng
from bot.rules.game import Choice, Field, Fill, Offer, Pick
from bot.rules.text import english

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def declarations(game: Game) -> st.SearchStrategy[Any]:
    """Declarations of a game: the samples of its registration, and those of its module in ``tests.declarations``."""
    samples = st.sampled_from(game.samples).map(game.rules.declare)
    name = f"tests.declarations.{game.key}"
    if importlib.util.find_spec(name) is None:
        return samples
    more: st.SearchStrategy[Any] = importlib.import_module(name).DECLARATIONS
    return samples | more


def pick_of(offer: Offer) -> Pick:
    """What is picked; nothing, where an offer is pressed or filled in."""
    return offer.asks if isinstance(offer.asks, Pick) else Pick((), 0, 0)


def form_of(offer: Offer) -> Fill:
    """What is filled in; nothing, where an offer is pressed or picked."""
    return offer.asks if isinstance(offer.asks, Fill) else Fill(())


def drawn(offer: Offer, chance: Random) -> tuple[str, ...]:
    """Options as one may pick them; () where none are."""
    values, pick = [option.value for option in offer.options], pick_of(offer)
    return tuple(chance.sample(values, chance.randint(pick.least, min(pick.most, len(values)))))


def chance(seed: int) -> Rng:
    """The same chance for the same seed."""
    return Random(seed).randrange


def some_choice(data: st.DataObject, offer: Offer) -> Choice:
    """A choice that an offer allows: some of its options, or its form with what must be filled."""
    values = [option.value for option in offer.options]
    picked = (
        data.draw(
            st.lists(st.sampled_from(values), min_size=pick_of(offer).least, max_size=pick_of(offer).most, unique=True)
        )
        if values
        else []
    )
    filled = {field.key: what_fits(field) for field in offer.fields}
    return Choice(offer.key, tuple(picked), filled or None, by=offer.side)


def what_fits(field: Field) -> str:
    """A text that a field takes: of things to pick the one that it names as an example, else what it holds already."""
    if field.options and field.example:
        return english(field.example)
    return english(field.value) or (english(field.example) if field.required else "")


def walk(data: st.DataObject, game: Game, steps: int = 12) -> list[Any]:
    """The states of a roll from its start, each after a choice of what was offered."""
    rng = chance(data.draw(st.integers(0, 10**6)))
    states = [game.rules.start(data.draw(declarations(game)), rng)]
    while len(states) <= steps and (offers := game.rules.offers(states[-1])):
        offer = data.draw(st.sampled_from(offers))
        states.append(game.rules.choose(states[-1], some_choice(data, offer), rng))
    return states
