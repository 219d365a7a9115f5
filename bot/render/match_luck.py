"""The luck of a match: a bar for everybody, and in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bot.odds.luck import MatchLuck, Unit
from bot.render.card import Card, Figure, Meter, Meters
from bot.render.luck import share
from bot.render.text import decimal
from bot.render.text import figure as figure_text
from bot.rules.text import EMPTY, Count, Opening, Sentences, Shown, Text, Words, beside, bracketed, labelled

NOTHING: Final = Text("No finished roll counts yet. Rolls with dice that somebody typed in never count.")
FACTS_MOST: Final = 24
"""An embed has 25 fields; one is for the luckiest roll."""
EXPLAINED: Final = Text(
    "Exact: the distributions of all finished rolls, added up. In X-Wing they have both "
    "players play well, so bad luck may also be bad play. Rolls with typed dice never "
    "count."
)


@dataclass(frozen=True, slots=True)
class Line:
    """The luck of somebody in one game: ``parts`` of the result make one ``unit``; ``is_loss``: fewer is better."""

    name: Shown
    luck: MatchLuck
    unit: Unit
    parts: int
    is_loss: bool

    @property
    def came(self) -> Fraction:
        return Fraction(self.luck.result, self.parts)

    @property
    def expected(self) -> Fraction:
        return self.luck.mean / self.parts

    @property
    def what(self) -> Text:
        """``8 damage``."""
        return beside(decimal(self.came), self.unit.name(self.came))

    def better(self, match: tuple[Words, Words]) -> Text:
        """``14 % of such matches do better``; ``match`` is what one of them is called, and many."""
        better, (one, many) = self.luck.worse if self.is_loss else self.luck.better, match
        if not better:
            return Text("no such {one} does better", one=one)
        return Text("{share} of such {many} do better", share=share(better), many=many)

    def sentence(self, match: tuple[Words, Words]) -> Text:
        """``9 damage, 7.2 expected; 14 % of such matches do better.``"""
        return Text(
            "{result}, {expected} expected; {how_many}.",
            result=self.what,
            expected=decimal(self.expected),
            how_many=self.better(match),
        )


def bars(lines: Sequence[Line], match: tuple[Words, Words]) -> Meters:
    """A bar for each line, and a mark where it was to end; lines of one unit have one measure."""
    longest: dict[Unit, Fraction] = {}
    for one in lines:
        longest[one.unit] = max(longest.get(one.unit, Fraction(0)), one.came, one.expected)
    return Meters(
        Text("The white line: what was to be expected"),
        tuple(
            Meter(
                label=one.name,
                value=one.what,
                part=max(Fraction(0), one.came) / (longest[one.unit] or 1),
                mark=max(Fraction(0), one.expected) / (longest[one.unit] or 1),
                detail=Sentences(
                    [
                        Text("{expected} expected", expected=decimal(one.expected)),
                        one.better(match),
                        Count(one.luck.rolls, "roll", "rolls"),
                    ],
                    " · ",
                ),
            )
            for one in lines
        ),
    )


def luckiest(name: Words, outcome: Words, chance: Fraction) -> Text:
    """The roll of a match whose result was the least likely to be reached."""
    return Text(
        "{name}: {outcome} {share} of such rolls come out as well or better.",
        name=name,
        outcome=outcome,
        share=Opening(share(chance)),
    )


def card(
    title: Shown,
    lines: Sequence[Line],
    match: tuple[Words, Words],
    headline: Shown = EMPTY,
    too_large: int = 0,
    before: Sequence[tuple[Shown, Shown]] = (),
    figure: Figure | None = None,
) -> Card:
    """The luck of people as bars; in a recap, which has a ``figure`` of its own, in words after the facts ``before``.

    The first line is the headline where there is no other. ``too_large`` rolls could not be counted.
    """
    left_out = (
        Text("Not counted, since too large to be counted exactly: {rolls}.", rolls=Count(too_large, "roll", "rolls"))
        if too_large
        else EMPTY
    )
    first = labelled(lines[0].name, lines[0].sentence(match)) if lines else NOTHING
    facts: dict[Shown, Shown] = dict(before)
    if figure is None and lines and not headline:
        figure = bars(lines[:FACTS_MOST], match)
    else:
        for one in lines:
            rolls = Count(one.luck.rolls, "roll", "rolls")
            line = bracketed(one.sentence(match), rolls)
            facts[one.name] = Sentences([facts.get(one.name, EMPTY), line], "\n")
    return Card(
        title=title,
        outcome=headline or first,
        facts=tuple(facts.items())[:FACTS_MOST],
        small=left_out,
        figure=figure,
        alt=figure_text(figure) if figure is not None else EMPTY,
        ahead="nobody",
    )
