"""Exact odds of X-Wing attacks on a card, and the averages of its dice for the help page."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from bot.odds.xwing import KNOWN_TOKENS, POLICY, AttackOdds, Averages
from bot.render.card import Card, Grid
from bot.render.odds import Shares, at_least, averages, chart, in_words, shares
from bot.render.plain_text import decimal, percent
from bot.render.xwing import WHO, card_names, hull_of, list_typed
from bot.rules.game import Side
from bot.rules.text import EMPTY, N_, Count, Message, Name, Names, Numeral, Sentences, Shown, Text, as_text, term
from bot.rules.xwing.dice.declared import Declared, attack_pool, defense_pool, said_of_many
from bot.rules.xwing.dice.faces import DAMAGE

CRITS: Final = Text(
    "For the chance to destroy the ship, each crit counts as one damage card. Effects of faceup "
    "cards (Direct Hit!) aren't included."
)
EXPLAINED: Final = Sentences([POLICY, CRITS, KNOWN_TOKENS])
"""Text behind **How?**."""
MAX_PRINTED: Final = 8
"""The printed tables go up to eight dice, although a pool has at most six."""
MAX_THRESHOLD: Final = 3
"""Chances of at least this much damage as text; the chart has all."""
ON_ODDS: Final[Mapping[str, Message]] = {
    "counted": N_("Applied: {cards}."),
    "asked": N_("Applied if you confirm the condition: {cards}."),
    "not_counted": N_("Not included: {cards}."),
}
"""Sentences about the cards in an attack's odds."""


def card(attacks: Sequence[AttackOdds]) -> Card:
    """Return one X-Wing line-up, or several compared; each with its name as text."""
    names = [Name(attack.name) for attack in attacks]
    damages = [shares(attack.distribution, sum) for attack in attacks]
    means = [attack.distribution.mean(sum) for attack in attacks]
    declared = attacks[0].declared
    every = ((said, card_names(getattr(declared, word))) for word, said in ON_ODDS.items())
    lines = [Text(said, cards=Names(cards)) for said, cards in every if cards]
    facts: list[tuple[Shown, Shown]] = [*zip(names, map(numbers, attacks, damages), strict=True)]
    spent = dict.fromkeys(Sentences(parts, ", ") for attack in attacks if (parts := list_defense(attack.declared)))
    facts += [(WHO[Side.DEFENDER], Sentences(spent, "\n"))] if spent else []
    facts += [(Text("Cards"), Sentences(lines, "\n"))] if lines else []
    return Card(
        title=title_of([attack.declared for attack in attacks]),
        outcome=averages(Text("Average damage"), means, names),
        facts=tuple(facts),
        alt=Sentences((in_words(name, damage, DAMAGE) for name, damage in zip(names, damages, strict=True)), ". "),
        small=said_of_many(declared),
        figure=chart(names, damages),
        number=decimal(max(means)),
        unit=Sentences(leaders(names, means), " · ") or Text("average damage"),
    )


def list_defense(declared: Declared) -> list[Shown]:
    """Return what a typed defender spends, and its ship: ``evade``, ``hull 2``."""
    spent = list_typed(declared.defense, Side.DEFENDER) if declared.defense is not None else []
    return [*spent, *hull_of(declared)]


def leaders(names: Sequence[Name], means: Sequence[Fraction]) -> list[Name]:
    """Return the line-ups with the highest mean, if others have a lower one."""
    found = [name for name, mean in zip(names, means, strict=True) if mean == max(means)]
    return found if len(found) < len(means) else []


def title_of(every: Sequence[Declared]) -> Shown:
    """Return what line-ups share: ``X-Wing odds · Wedge attacks Howlrunner · range 2 · obstructed · 3 attack dice · 3
    defense dice``; between ships also a missing range, which means no range bonus.
    """
    declared = every[0]
    who: Shown = declared.attacker or declared.defender
    if declared.attacker and declared.defender:
        who = Text("{attacker} attacks {defender}", attacker=declared.attacker, defender=declared.defender)
    at_range = Text("no range given") if declared.attacker and declared.defender else EMPTY
    if declared.range is not None:
        at_range = Text("range {range}", range=declared.range)
    ordnance = Text("ordnance") if declared.ordnance else EMPTY
    obstructed = Text("obstructed") if declared.obstructed else EMPTY
    besides = (Text("obstructed by {what}", what=term(obstruction.value)) for obstruction in declared.obstructed_by)
    return Sentences([Text("X-Wing odds"), who, at_range, ordnance, obstructed, *besides, *dice_of(every)], " · ")


def dice_of(every: Sequence[Declared]) -> list[Text]:
    """Return the dice that line-ups roll, ``3 attack dice · 2 defense dice``; none if they differ in one."""
    pools = {(attack_pool(declared), defense_pool(declared)) for declared in every}
    (red, green), *others = pools
    both = Count(red, "attack die", "attack dice"), Count(green, "defense die", "defense dice")
    return [] if others else [*both]


def numbers(attack: AttackOdds, damages: Shares) -> Shown:
    """Return the probabilities of at least one, two, ... damage; of a crit; of destroying a ship of known hull."""
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
