"""The exact chances of a match: each choice's value when made, and each roll's possible results. Computed in another
process, since a match has hundreds. Slow ones are left out, and listed as such.
"""

import time
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from bot.games import Game, game_of
from bot.html.match import ExactChances, OpenChoice, RollDistribution
from bot.odds import luck, size_limit
from bot.render import luck as luck_line
from bot.render.advice import format_numbers
from bot.rules.errors import PlayerError
from bot.rules.text import EMPTY

SECONDS: Final = 12.0
"""Seconds after which no new question is started."""
AT_ONCE: Final = 2
"""Maximum questions computed without a process."""
MAX_ROWS: Final = 24


def count(questions: Sequence[tuple[str, Any, bool]], seconds: float = SECONDS) -> list[ExactChances]:
    """Answer questions: a game's key, a state, and whether it has a choice."""
    size_limit.check(len(questions), AT_ONCE)
    ends = time.monotonic() + seconds
    return [exact_chances(game_of(game), state, ends, is_choice=is_choice) for game, state, is_choice in questions]


def exact_chances(game: Game, state: Any, ends: float, *, is_choice: bool) -> ExactChances:
    """Answer a question unless ``ends`` (monotonic seconds) has passed, or it is too large."""
    if time.monotonic() >= ends:
        return ExactChances(is_left_out=True)
    try:
        return choices(game, state) if is_choice else outcome(game, state)
    except (PlayerError, luck.UncountableLuckError):
        return ExactChances(is_left_out=True)


def choices(game: Game, state: Any) -> ExactChances:
    """Return the value of each choice of a state, by the usual aim."""
    adviser = game.chances.advice
    aims = adviser.aims(state) if adviser is not None else {}
    if adviser is None or not aims:
        return ExactChances()
    key, words = next(iter(aims.items()))
    result = [item for item in adviser.advise(state, key) if item.offer]
    open_ = (OpenChoice(item.offer, item.picked, item.label, format_numbers(item.numbers)) for item in result)
    return ExactChances(words, tuple(open_))


def outcome(game: Game, state: Any) -> ExactChances:
    """Return the possible results of a finished roll."""
    laws = []
    for result in game.results_of(state):
        values = sorted(result.distribution.weights)
        if len(values) > MAX_ROWS:
            continue
        chance = result.distribution.probability
        chances = tuple((amount_text(value, result.parts), chance(value.__eq__)) for value in values)
        laws.append(RollDistribution(result.unit.unit_of(0), chances, amount_text(result.value, result.parts)))
    lucky = game.luck_of(state)
    return ExactChances(laws=tuple(laws), luck=luck_line.line(lucky) if lucky is not None else EMPTY)


def amount_text(value: int, parts: int) -> str:
    exactly = Fraction(value, parts)
    return str(exactly) if exactly.denominator == 1 else f"{float(exactly):g}"
