"""No line that is taken holds the event loop for long, nor is its roll refused once dice have fallen.

The texts of ``test_reader_cost`` are mostly refused. These are as large as they can be and are accepted: read, rolled,
and played to the end, each step of it counted from outside.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, Final

import pytest

from bot.games import GAMES, Game
from bot.rules.anydice import phrases
from bot.rules.anydice.notation import parse
from bot.rules.anydice.systems import SYSTEMS
from bot.rules.game import Choice
from tests.largest_lines import LARGEST, forget_texts
from tests.starts import drawn, what_fits
from tests.steps import MAX_STEPS, steps_of

OPENED: Final = {
    **dict.fromkeys(("dice", "faces", "request"), "anydice"),
    "contest": "contest",
    "with": "xwing",
    "against": "xwing",
    "order": "infinity",
    "weapons": "warsurge",
}
"""The texts that are rolls, with their games."""
PRESSES: Final = 25
MAX_READ: Final = 25_000
"""Steps for reading one side of a contest, of which each is read and drawn."""


@pytest.fixture(autouse=True, scope="module")
def _begun() -> None:
    """What a start makes once is made."""
    for piece in phrases.pieces():
        piece()


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", LARGEST)
def test_no_line_that_is_taken_holds_the_loop_for_long(name: str) -> None:
    most = Counter[str]()
    for line in LARGEST[name].worst(name):
        most |= play(GAMES[OPENED[name]], partial(LARGEST[name].reads, line), name) if name in OPENED else {}
        forget_texts()
        most |= Counter({f"read {line}": steps_of(partial(LARGEST[name].reads, line))})
    assert max(most.values()) < MAX_STEPS, most.most_common(5)


def test_no_roll_of_a_system_makes_patterns() -> None:
    """Its words' patterns are made at a start: both sides of a contest pay for what a text makes."""
    for typed in (typed for system in SYSTEMS.values() for typed, _ in system.examples):
        re.purge()  # it holds 512, and forgets them in turn
        forget_texts()
        assert steps_of(partial(parse, typed)) < MAX_READ, typed


def play(game: Game, declare: Callable[[], Any], seed: str) -> Counter[str]:
    """The steps of each part of a roll that is pressed at random to its end; nothing of it is refused meanwhile."""
    random, most = Random(seed), Counter[str]()

    def count(what: str, call: Callable[[], Any]) -> Any:
        result = list[Any]()
        forget_texts()
        most[what] = max(most[what], steps_of(lambda: result.append(call())))
        return result[0]

    declared = declare()
    state = count("start", partial(game.rules.start, declared, random.randrange))
    for _ in range(PRESSES):
        count("card", partial(game.card, state, {}))
        count("outcome", partial(game.rules.outcome, state))
        offers = [offer for offer in count("offers", partial(game.rules.offers, state)) if offer.key != "again"]
        if not offers:
            break
        offer = random.choice(offers)
        filled = {field.key: what_fits(field) for field in offer.fields}
        choice = Choice(offer.key, drawn(offer, random), filled or None, by=offer.side)
        state = count(f"choose {offer.key}", partial(game.rules.choose, state, choice, random.randrange))
    return most
