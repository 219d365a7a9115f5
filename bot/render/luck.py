"""The luck of a roll, as one short line, and of a match: a bar per player, and text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bot.odds.luck import MatchLuck, RollLuck
from bot.render.card import Card, Figure, Meter, Meters
from bot.render.plain_text import decimal, figure as figure_text, percent
from bot.rules.game import Side
from bot.rules.text import EMPTY, N_, Count, Noun, Sentences, Shown, Text, joined, labeled

NOBODY: Final[Mapping[Side, Shown]] = {}
USUAL: Final = Fraction(1, 4)
"""Best or worst results with more than this probability are ordinary."""
MIDDLE: Final = Fraction(3, 5)
"""Luck is good or bad if more than this share of rolls do worse, or better."""
TOP: Final = Fraction(1, 100)
NEARLY_ALL: Final = Fraction(199, 200)
"""Minimum share described as nearly all."""


def line(luck: RollLuck, names: Mapping[Side, Shown] = NOBODY) -> Text:
    """Return ``Ana's luck: better than 77% of attacks like this``; without ``names`` the side's role is named."""
    same = 1 - luck.better - luck.worse  # the probability of exactly this result
    who = names.get(luck.of, "") if luck.of is not None else ""
    return labeled(Text("{who}'s luck", who=who) if who else luck.side, compare_luck(luck, same))


def compare_luck(luck: RollLuck, same: Fraction) -> Text:
    """Return the comparison that follows the name in a line about luck."""
    if same >= USUAL and not (luck.better and luck.worse):
        return Text("a common result ({share} of {rolls} like this)", share=percent(same), rolls=luck.rolls)
    if not luck.better:
        return Text("best possible ({share})", share=percent(same))
    if not luck.worse:
        return Text("worst possible ({share})", share=percent(same))
    is_good = luck.worse >= luck.better
    beaten = luck.worse if is_good else luck.better
    if beaten <= MIDDLE:
        return Text("about average")
    return Text(THAN[is_good, beaten >= NEARLY_ALL], share=percent(beaten), rolls=luck.rolls)


THAN: Final = {
    (True, False): N_("better than {share} of {rolls} like this"),
    (True, True): N_("better than nearly all {rolls} like this"),
    (False, False): N_("worse than {share} of {rolls} like this"),
    (False, True): N_("worse than nearly all {rolls} like this"),
}
"""Sentences by whether it is good luck, and whether the share is nearly everything."""


# A match

NOTHING: Final = Text("No finished rolls count yet. Rolls with typed-in dice never count.")
MAX_FACTS: Final = 24
"""Maximum fields: an embed has 25, one for the luckiest roll."""
EXPLAINED: Final = Text(
    "Exact: the distributions of all finished rolls, added up. In X-Wing they assume that both "
    "players play well, so bad luck can also be bad play. Rolls with typed-in dice never count."
)


@dataclass(frozen=True, slots=True)
class LuckLine:
    """A person's luck in one game: ``parts`` of the result make one ``unit``; ``is_loss``: fewer is better."""

    name: Shown
    luck: MatchLuck
    unit: Noun
    parts: int
    is_loss: bool

    @property
    def actual_result(self) -> Fraction:
        return Fraction(self.luck.result, self.parts)

    @property
    def expected_result(self) -> Fraction:
        return self.luck.mean / self.parts

    @property
    def result_text(self) -> Text:
        """``8 damage``."""
        return joined(decimal(self.actual_result), self.unit.unit_of(self.actual_result))

    def share_that_does_better(self, match: tuple[Shown, Shown]) -> Text:
        """Return ``14% of matches like this do better``; ``match``: its noun, singular and plural."""
        better, (item, many) = self.luck.worse if self.is_loss else self.luck.better, match
        if not better:
            return Text("no {one} like this does better", one=item)
        if better < TOP:
            return Text("in the top 1% of {many} like this", many=many)
        return Text("{share} of {many} like this do better", share=percent(better), many=many)

    def sentence(self, match: tuple[Shown, Shown]) -> Text:
        """Return ``9 damage, 7.2 expected; 14% of matches like this do better.``"""
        message, expected = N_("{result}, {expected} expected; {how_many}."), decimal(self.expected_result)
        return Text(message, result=self.result_text, expected=expected, how_many=self.share_that_does_better(match))


def bars(lines: Sequence[LuckLine], match: tuple[Shown, Shown]) -> Meters:
    """Return a bar per line, with the expected value marked; lines of one unit share a scale."""
    longest: dict[Noun, Fraction] = {}
    for item in lines:
        longest[item.unit] = max(longest.get(item.unit, Fraction(0)), item.actual_result, item.expected_result)
    meters = list[Meter]()
    for item in lines:
        whole, ends = longest[item.unit] or 1, (item.actual_result, item.expected_result)
        part, mark = (max(Fraction(0), end) / whole for end in ends)
        expected = Text("{expected} expected", expected=decimal(item.expected_result))
        rolls = Count(item.luck.rolls, "roll", "rolls")
        detail = Sentences([expected, item.share_that_does_better(match), rolls], " · ")
        meters.append(Meter(item.name, item.result_text, part, mark, detail))
    return Meters(Text("White line: the expected value"), tuple(meters))


def luckiest(name: Shown, outcome: Shown, chance: Fraction) -> Text:
    """Return a match's roll with the least likely result."""
    message = N_("{name}: {outcome} {share} of rolls do this well or better.")
    return Text(message, name=name, outcome=outcome, share=percent(chance))


def card(
    title: Shown,
    lines: Sequence[LuckLine],
    match: tuple[Shown, Shown],
    headline: Shown = EMPTY,
    too_large: int = 0,
    before: Sequence[tuple[Shown, Shown]] = (),
    figure: Figure | None = None,
) -> Card:
    """Return people's luck as bars; in a recap, with its own figure, as text after the facts ``before``. The first line
    is the default headline. ``too_large``: number of uncountable rolls.
    """
    rolls = Count(too_large, "roll", "rolls")
    left_out = Text("Left out because they are too large to calculate exactly: {rolls}.", rolls=rolls)
    first = labeled(lines[0].name, lines[0].sentence(match)) if lines else NOTHING
    facts: dict[Shown, Shown] = dict(before)
    if figure is None and lines and not headline:
        figure = bars(lines[:MAX_FACTS], match)
    else:
        for item in lines:
            facts[item.name] = Sentences([facts.get(item.name, EMPTY), item.sentence(match)], "\n")
    shown, small = tuple(facts.items())[:MAX_FACTS], left_out if too_large else EMPTY
    return Card(title, headline or first, facts=shown, small=small, figure=figure, alt=figure_text(figure))
