"""The fairness page: a headline, one kind's counts as bars, and each kind's numbers."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import exp
from typing import Final

from bot.fair.statistics import ALARM, chi_square, deviations, found_after
from bot.render.card import Bar, Bars, Card
from bot.render.plain_text import decimal, percent
from bot.rules.text import N_, Capitalized, Code, Count, Numeral, Sentences, Shown, Text, labeled

TITLE: Final = Text("Are the dice fair?")
KINDS: Final[Mapping[str, Shown]] = {
    "red": Text("red attack dice"),
    "green": Text("green defense dice"),
    "d20": Code("d20"),
    "d6": Code("d6"),
}
"""Display names of kinds of dice; others use their own name."""
MAX_LISTED: Final = 24
FURTHEST: Final = 5
"""Above this many sides, only the furthest deviations are listed."""
EXCESS: Final = 0.01
SMALL: Final = Text(
    "Every new draw of a die face counts. Dice that come again after a press was taken back "
    "don't count, and neither do dice that people rolled by hand. The headline stays valid no "
    "matter how often you look. A p-value is valid for one look only."
)


def card(counts: Mapping[str, Sequence[int]], log_highest: float, sealed: Shown, shown: str | None = None) -> Card:
    """Return the page; ``shown``: the kind in the picture, by default the most rolled. ``log_highest``: logarithm of
    the highest e-value so far, ``sealed``: a sentence on the sealed tables.
    """
    rolled = {kind: sides for kind, sides in counts.items() if sum(sides)}
    of_tables = (Text("Sealed tables"), sealed)
    if not rolled:
        return Card(TITLE, Text("I haven't counted any dice yet."), facts=(of_tables,))
    most = max(rolled, key=lambda kind: sum(rolled[kind]))
    kind = shown if shown in rolled else most
    draws, sides = found_after(len(rolled[kind]), EXCESS, len(rolled)), rolled[kind]
    outcome = headline(sum(map(sum, rolled.values())), log_highest, draws)
    facts = (*((Capitalized(name(item)), numbers(each)) for item, each in sorted(rolled.items())), of_tables)
    return Card(TITLE, outcome, facts=facts, small=SMALL, alt=in_words(kind, sides), figure=bars(kind, sides))


def name(kind: str) -> Shown:
    return KINDS.get(kind, Code(kind))


def headline(total: int, log_highest: float, draws: float) -> Shown:
    """Return the e-value's meaning in one sentence. ``draws``: number at which a slightly loaded die would show."""
    highest = exp(min(log_highest, 50.0))
    message = N_(
        "These counts suggest a loaded die: in {dice}, fair dice would be this far off at most once in {odds} times."
    )
    if highest < ALARM:
        message = N_(
            "No sign of a loaded die in {dice}; a face that comes up 1 percentage point too often would "
            "be detected after about {found_after} draws."
        )
    odds, after = Numeral(f"{min(highest, 1e9):,.0f}"), Numeral(f"{round(draws, -3):,.0f}")
    return Text(message, dice=Count(total, "die", "dice"), odds=odds, found_after=after)


def numbers(sides: Sequence[int]) -> Shown:
    """Return the number of draws, each side's deviation, and chi-square if there are enough draws."""
    off = list(enumerate(deviations(sides), 1))
    shown = Text("by face")
    if len(off) > MAX_LISTED:
        off = sorted(sorted(off, key=lambda item: -abs(item[1]))[:FURTHEST])
        shown = Text("the faces furthest off")
    points = ((side, Numeral(f"{float(item):+.2f}".replace("-", "−"))) for side, item in off)
    listed = Sentences((labeled(*point) for point in points), ", ")
    drawn = N_("{sides} drawn. Percentage points above or below expected, {shown}: {listed}")
    lines = [Text(drawn, sides=Numeral(f"{sum(sides):,}"), shown=shown, listed=listed)]
    if (result := chi_square(sides)) is not None:
        message, p = N_("chi-square {decimal} with {degrees} of freedom, p = {p}"), Numeral(f"{result.p:.2f}")
        degrees = Count(result.degrees, "degree", "degrees")
        lines.append(Text(message, decimal=decimal(result.statistic), degrees=degrees, p=p))
    return Sentences(lines, "\n")


def bars(kind: str, sides: Sequence[int]) -> Bars:
    """Return each side's share next to a fair die's."""
    total, fair = sum(sides), Fraction(1, len(sides))
    shares = [Bar(Numeral(str(side)), (Fraction(count, total), fair)) for side, count in enumerate(sides, 1)]
    return Bars(series=(Text("{name}: share of each face", name=name(kind)), Text("a fair die")), bars=tuple(shares))


def in_words(kind: str, sides: Sequence[int]) -> Shown:
    total = sum(sides)
    shares = (labeled(side, percent(Fraction(count, total))) for side, count in enumerate(sides, 1))
    return Text("Share of each face of the {name}: {shares}", name=name(kind), shares=Sentences(shares, ", "))


def sealed_tables(sealed: int, revealed: int, is_open: int, lost: int) -> Shown:
    message = N_("sealed {sealed}, revealed {revealed}, open {is_open}, lost {lost}")
    counts = {"sealed": sealed, "revealed": revealed, "is_open": is_open, "lost": lost}
    return Text(message, **{name: Numeral(f"{count:,}") for name, count in counts.items()})
