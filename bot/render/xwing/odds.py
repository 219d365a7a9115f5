"""Exact odds of X-Wing attacks on a card, and the averages of its dice for the help page."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from bot.odds.xwing import KNOWN_TOKENS, POLICY, AttackOdds, Averages
from bot.render.card import Card, Grid
from bot.render.odds import Shares, at_least, averages, chart, in_words, shares
from bot.render.plain_text import decimal, percent
from bot.render.xwing import card_names
from bot.rules.text import EMPTY, N_, Message, Name, Names, Noun, Numeral, Sentences, Shown, Text, as_text, term
from bot.rules.xwing.dice.declared import Declared, said_of_many

DAMAGE: Final = Noun("damage", "damage")
CRITS: Final = Text(
    "For the chance to destroy the ship, each crit counts as one damage card. Effects of faceup "
    "cards (Direct Hit!) aren't included."
)
EXPLAINED: Final = Sentences([POLICY, CRITS, KNOWN_TOKENS])
"""Text behind **How?**."""
MAX_PRINTED: Final = 8
"""The printed tables go up to eight dice, although a pool has at most six."""
MAX_THRESHOLD: Final = 3
"""Chances of at least so much damage in words; the chart has all."""
ON_ODDS: Final[Mapping[str, Message]] = {
    "counted": N_("Applied: {cards}."),
    "asked": N_("Applied if you confirm the condition: {cards}."),
    "not_counted": N_("Not included: {cards}."),
}
"""Sentences about the cards in an attack's odds."""


def card(attacks: Sequence[AttackOdds]) -> Card:
    """One X-Wing line-up, or several side by side; each with its name in words."""
    names = [Name(attack.name) for attack in attacks]
    damages = [shares(attack.distribution, sum) for attack in attacks]
    means = [attack.distribution.mean(sum) for attack in attacks]
    lines, declared = coverage_notes(attacks[0].declared), attacks[0].declared
    facts: list[tuple[Shown, Shown]] = [*zip(names, map(numbers, attacks, damages), strict=True)]
    facts += [(Text("Cards"), Sentences(lines, "\n"))] if lines else []
    return Card(
        title=title_of(declared),
        outcome=averages(Text("Average damage"), means, names),
        facts=tuple(facts),
        alt=Sentences((in_words(name, damage, DAMAGE) for name, damage in zip(names, damages, strict=True)), ". "),
        small=said_of_many(declared),
        figure=chart(names, damages, means),
        number=decimal(max(means)),
        unit=Sentences(leaders(names, means), " · ") or Text("average damage"),
    )


def leaders(names: Sequence[Name], means: Sequence[Fraction]) -> list[Name]:
    """The names of the line-ups with the highest mean, where others have a lower one: they stand beside it."""
    found = [name for name, mean in zip(names, means, strict=True) if mean == max(means)]
    return found if len(found) < len(means) else []


def coverage_notes(declared: Declared) -> list[Text]:
    """A line for the cards that are counted, those that wait for a claim, and those that are not counted."""
    every = ((said, card_names(getattr(declared, word))) for word, said in ON_ODDS.items())
    return [Text(said, cards=Names(names)) for said, names in every if names]


def title_of(declared: Declared) -> Shown:
    """``X-Wing odds · Wedge attacks Howlrunner · range 2 · obstructed``: what is known of the attack.

    Between two ships it also says where no range was given, since it counts then as an attack without a bonus for it.
    """
    who: Shown = declared.attacker or declared.defender
    if declared.attacker and declared.defender:
        who = Text("{attacker} attacks {defender}", attacker=declared.attacker, defender=declared.defender)
    at_range = Text("no range given") if declared.attacker and declared.defender else EMPTY
    if declared.range is not None:
        at_range = Text("range {range}", range=declared.range)
    ordnance = Text("ordnance") if declared.ordnance else EMPTY
    obstructed = Text("obstructed") if declared.obstructed else EMPTY
    besides = (Text("obstructed by {what}", what=term(obstruction.value)) for obstruction in declared.obstructed_by)
    return Sentences([Text("X-Wing odds"), who, at_range, ordnance, obstructed, *besides], " · ")


def numbers(attack: AttackOdds, damages: Shares) -> Shown:
    """Probabilities of at least one, two, ...; of a crit; of destroying the ship where the hull is known."""
    few = ((least, percent(at_least(damages, least))) for least in damages if 0 < least <= MAX_THRESHOLD)
    lines = [Text("at least {least}: {at_least}", least=least, at_least=chance) for least, chance in few]
    crit = attack.distribution.probability(lambda results: results[1] > 0)
    lines.append(Text("crit: {chance}", chance=percent(crit)))
    means = ((term(token), decimal(law.mean(int))) for token, law in attack.tokens.items())
    lines += [Text("average {token} tokens: {mean}", token=token, mean=mean) for token, mean in means]
    if attack.damage is not None:
        lines.append(Text("destroyed: {chance}", chance=percent(attack.damage.p_destroyed)))
    return Sentences(lines, "\n")


def average_table(averages: Averages) -> Grid:
    """Return a table of mean results by number of dice, to two decimals."""
    rows, columns = (*averages.hits, *averages.evades), range(1, MAX_PRINTED + 1)
    return Grid(
        row_title=Text("Average"),
        column_title=Text("Dice"),
        rows=tuple(as_text(name) for name, _ in rows),
        columns=tuple(Numeral(str(dice)) for dice in columns),
        cells=tuple(tuple(decimal(one_die * dice) for dice in columns) for _, one_die in rows),
    )
