"""Exact odds on a card: a chart of the distribution, and the key numbers in words. One function per game.

The numbers were counted before (``count`` in ``bot.odds``); here they are only drawn.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from bot.render.card import Card
from bot.render.text import decimal, percent
from bot.rules.text import Code, Sentences, Shown, Text, Words, bracketed, ended, labelled, lines_of


def averages(what: Words, means: Sequence[Fraction], names: Sequence[Words]) -> Shown:
    """``Average damage: 1.36.``, or each average with its name."""
    if len(means) == 1:
        return ended(labelled(what, decimal(means[0])))
    listed = (bracketed(decimal(mean), name) for mean, name in zip(means, names, strict=True))
    return ended(labelled(what, Sentences(listed, ", ")))


def plain(title: Shown, numbers: Mapping[str, object]) -> Card:
    """The numbers of any game's odds in a list, fractions as percentages; a distribution has a line for each result."""
    facts = tuple((Code(name.replace("_", " ")), listed_number(value)) for name, value in numbers.items())
    return Card(
        title=Text("{title} odds", title=title),
        outcome=Text("{title}: the exact odds.", title=title),
        facts=facts,
        alt=Sentences((labelled(name, Sentences(lines_of(text), ", ")) for name, text in facts), ". "),
    )


def listed_number(value: object) -> Shown:
    """``3/4 (75.00 %)`` for a probability, ``2.08`` for a number above one, a line each for a distribution."""
    if isinstance(value, Mapping):
        lines = (labelled(label, listed_number(part)) for label, part in value.items())
        return Sentences(lines, "\n")
    try:
        exact = Fraction(str(value))
    except ValueError:
        return Code(value)
    is_share = isinstance(value, str) and 0 <= exact <= 1
    return bracketed(exact, percent(exact)) if is_share else decimal(exact)
