"""The luck of a match in words."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from bot.odds.luck import Unit
from bot.odds.match_luck import MatchLuck
from bot.render.card import Card, Figure
from bot.render.luck import share
from bot.render.text import decimal
from bot.render.text import figure as figure_text
from bot.rules.text import EMPTY, Count, Opening, Sentences, Shown, Text

NOTHING: Final = Text("No finished roll counts yet. Rolls with dice that somebody typed in never count.")
FACTS_MOST: Final = 24
"""An embed has 25 fields; one is for the luckiest roll."""
SMALL: Final = Text(
    "Exact: the distributions of all finished rolls, added up. In X-Wing they have both "
    "players play well, so bad luck may also be bad play. Rolls with typed dice never "
    "count."
)


def sentence(luck: MatchLuck, unit: Unit, parts: int, match: tuple[str, str], *, is_loss: bool) -> Text:
    """``9 damage, 7.2 expected; 14 % of such matches do better.``

    ``match``: what one such match is called, and many. ``parts`` of the result make one unit. ``is_loss``: the fewer
    the better.
    """
    better = luck.worse if is_loss else luck.better
    came, (one, many) = Fraction(luck.result, parts), match
    how_many = (
        Text("{share} of such {many} do better", share=share(better), many=many)
        if better
        else Text("no such {one} does better", one=one)
    )
    return Text(
        "{result} {unit}, {expected} expected; {how_many}.",
        result=decimal(came),
        unit=unit.name(came),
        expected=decimal(luck.mean / parts),
        how_many=how_many,
    )


def luckiest(name: str, outcome: str, chance: Fraction) -> str:
    """The roll of a match whose result was the least likely to be reached."""
    return Text(
        "{name}: {outcome} {share} of such rolls come out as well or better.",
        name=name,
        outcome=outcome,
        share=Opening(share(chance)),
    )


def card(
    title: Shown,
    lines: Sequence[tuple[Shown, Text, int]],
    headline: Shown = EMPTY,
    too_large: int = 0,
    before: Sequence[tuple[Shown, Shown]] = (),
    figure: Figure | None = None,
) -> Card:
    """``lines`` are a name (with the game), its sentence, and its number of rolls; the facts ``before`` come first.

    The first line is the headline where there is no other; a recap, which has one, does not say how luck is counted.
    ``too_large`` rolls could not be counted.
    """
    left_out = (
        Text("Not counted, since too large to be counted exactly: {rolls}.", rolls=Count(too_large, "roll", "rolls"))
        if too_large
        else ""
    )
    first = Text("{name}: {luck}", name=lines[0][0], luck=lines[0][1]) if lines else NOTHING
    facts: dict[Shown, Shown] = dict(before)
    for name, text, rolls in lines:
        line = Text("{luck} ({rolls})", luck=text, rolls=Count(rolls, "roll", "rolls"))
        facts[name] = Sentences([facts.get(name, ""), line], "\n")
    return Card(
        title=title,
        outcome=headline or first,
        facts=tuple(facts.items())[:FACTS_MOST],
        small=Sentences(filter(None, (SMALL if lines and not headline else "", left_out))),
        figure=figure,
        alt=figure_text(figure) if figure is not None else EMPTY,
        ahead="nobody",
    )
