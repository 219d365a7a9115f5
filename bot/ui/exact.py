"""The exact chances of a match: what each choice was worth when it was made, and what each roll could have come to.

Counted in another process: a match has hundreds of them. What would take too long is left out, and said to be.
"""

import time
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from bot.games import Game, game_of
from bot.odds import effort, luck
from bot.page.match import Choice, Exact, Law
from bot.render import luck as luck_line
from bot.render.advice import in_words
from bot.rules.errors import PlayerError
from bot.rules.text import EMPTY

SECONDS: Final = 12.0
"""So long it is counted; a question that has begun is finished."""
AT_ONCE: Final = 2
"""Questions that need no process of their own."""
ROWS_MOST: Final = 24


def count(questions: Sequence[tuple[str, Any, bool]], seconds: float = SECONDS) -> list[Exact]:
    """An answer to each question: the key of a game, a state, and whether somebody chose in it."""
    effort.check(len(questions), AT_ONCE)
    ends = time.monotonic() + seconds
    return [
        exact(game_of(game), state, is_choice=is_choice) if time.monotonic() < ends else Exact(is_left_out=True)
        for game, state, is_choice in questions
    ]


def exact(game: Game, state: Any, *, is_choice: bool) -> Exact:
    try:
        return choices(game, state) if is_choice else outcome(game, state)
    except (PlayerError, luck.Uncountable):
        return Exact(is_left_out=True)


def choices(game: Game, state: Any) -> Exact:
    """Return the value of each choice of a state, by the usual aim."""
    adviser = game.chances.advice
    aims = adviser.aims(state) if adviser is not None else {}
    if adviser is None or not aims:
        return Exact()
    key, words = next(iter(aims.items()))
    found = [one for one in adviser.advise(state, key) if one.offer]
    return Exact(words, tuple(Choice(one.offer, one.picked, one.label, in_words(one.numbers)) for one in found))


def outcome(game: Game, state: Any) -> Exact:
    """Return the possible results of a finished roll."""
    laws = []
    for one in game.results_of(state):
        values = sorted(one.distribution.weights)
        if len(values) > ROWS_MOST:
            continue
        chances = tuple((amount(value, one.parts), one.distribution.probability(value.__eq__)) for value in values)
        laws.append(Law(one.unit.many or one.unit.one, chances, amount(one.value, one.parts)))
    lucky = game.luck_of(state)
    return Exact(laws=tuple(laws), luck=luck_line.line(lucky) if lucky is not None else EMPTY)


def amount(value: int, parts: int) -> str:
    """A value in units."""
    exactly = Fraction(value, parts)
    return str(exactly) if exactly.denominator == 1 else f"{float(exactly):g}"
