"""The luck of a match in words."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from bot.odds.match_luck import MatchLuck
from bot.render.card import Card, quantity
from bot.render.luck import share
from bot.render.text import decimal

NOTHING: Final = "No finished roll counts yet. Rolls with dice that somebody typed in never count."
SMALL: Final = (
    "Exact: the distributions of all finished rolls, added up. In X-Wing they have both players play well, so bad luck "
    "may also be bad play. Rolls with typed dice never count."
)


def sentence(luck: MatchLuck, unit: str, parts: int, match: str, *, is_loss: bool) -> str:
    """``9 damage, 7.2 expected; 14 % of such matches do better.``; ``match`` is what such a match is called.

    ``parts`` of the result make one unit; ``is_loss``: the fewer the better.
    """
    better = luck.worse if is_loss else luck.better
    came, expected = decimal(Fraction(luck.result, parts)), decimal(luck.mean / parts)
    return f"{came} {unit}, {expected} expected; {share(better) if better else 'none'} of such {match} do better."


def headline(winner: str, score: Sequence[int], lost: str) -> str:
    """``Ana wins, 5 : 2 in ships destroyed.``; ``score`` is the winner's first, ``winner`` is "" where nobody wins."""
    counts = f", {' : '.join(map(str, score))} in {lost} destroyed" if len(score) == 2 else ""
    return f"{winner} wins{counts}." if winner else f"Nobody wins{counts}."


def luckiest(name: str, outcome: str, chance: Fraction) -> str:
    """The roll of a match whose result was the least likely to be reached."""
    return f"{name}: {outcome} {share(chance).capitalize()} of such rolls come out as well or better."


def card(title: str, lines: Sequence[tuple[str, str, int]], headline: str = "", too_large: int = 0) -> Card:
    """``lines`` are a name (with the game), its sentence, and its number of rolls.

    The first is the headline where there is no other. ``too_large`` rolls could not be counted.
    """
    left_out = f"Too large to be counted exactly, and left out: {quantity(too_large, 'roll')}." if too_large else ""
    if not lines:
        return Card(title=title, outcome=headline or NOTHING, small=left_out, ahead="nobody")
    return Card(
        title=title,
        outcome=headline or f"{lines[0][0]}: {lines[0][1]}",
        facts=tuple((name, f"{text} ({quantity(rolls, 'roll')})") for name, text, rolls in lines[:25]),
        small=" ".join(filter(None, (SMALL, left_out))),
        ahead="nobody",
    )
