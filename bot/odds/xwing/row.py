"""Several attacks in a row: the attacker fresh each time, the defender's tokens carried over.

For each number of crits the weights of 0, 1, 2... hits are packed into one long integer, each in a slot of so many
bits, so that one more attack takes a few multiplications of long integers by small weights.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import prod

from bot.odds.law import Law
from bot.odds.xwing.attack import Defense, Results, attack_law
from bot.odds.xwing.green import Tokens
from bot.odds.xwing.work import Work
from bot.rules.errors import BadInput
from bot.rules.xwing.declared import Declared
from bot.rules.xwing.pools import NO_DEFENSE

Outcomes = Mapping[Tokens, Mapping[Results, int]]
"""For each tokens left after an attack the ways to each uncancelled (hits, crits)."""

Packed = Mapping[int, int]
"""For each number of crits the packed weights of the hits."""

UNASKED: Tokens = (0, 0, 0, 0)
"""Stands for the tokens left after the last attack."""


@dataclass(frozen=True, slots=True)
class Step:
    """One attack of a row: what may come of it for each tokens that the defender may hold, ``total`` ways each."""

    outcomes: Mapping[Tokens, Outcomes]
    total: int


@dataclass(frozen=True, slots=True)
class Row:
    """The attacks in order, and the law of all their uncancelled (hits, crits) together."""

    steps: Sequence[Step]
    law: Law[Results]


def row(declared: Declared, work: Work) -> Row:
    """All attacks as declared. One strain token goes with each; the attacker's tokens are there each time.

    Raises ``BadInput`` when there is more to count than ``work`` allows, ``Unpayable`` for a weapon's cost.
    """
    attack = attack_law(declared, work)
    defense = declared.defense or NO_DEFENSE

    @cache
    def defend(strained: bool) -> Defense:
        return Defense(replace(declared, defense=replace(defense, strain=int(strained))), work)

    @cache
    def outcomes(strained: bool, last: bool, held: Tokens) -> Outcomes:
        return met(attack, defend(strained), held, last, work)

    totals = [attack.total * defend(number < defense.strain).total for number in range(declared.attacks)]
    slot = -(-prod(totals).bit_length() // 8)
    packed: Mapping[Tokens, Packed] = {(defense.focus, defense.calculate, defense.force, defense.evade): {0: 1}}
    steps = []
    for number, total in enumerate(totals):
        note(work, declared, number)
        strained, last = number < defense.strain, number == declared.attacks - 1
        steps.append(Step({held: outcomes(strained, last, held) for held in packed}, total))
        packed = followed(packed, steps[-1], 8 * slot, work)
    return Row(steps, Law(dict(unpacked(packed[UNASKED], slot)), prod(totals)))


def note(work: Work, declared: Declared, number: int) -> None:
    """If there is too much to count from here on, so many attacks were not too many."""
    if number:
        allowed = f"1 to {number} for exact odds with so many dice, tokens and effects"
        work.refused = BadInput("attacks", declared.attacks, allowed)


def met(attack: Law[Results], defend: Defense, held: Tokens, last: bool, work: Work) -> Outcomes:
    """What comes of one attack against a defender who holds these tokens."""
    laws = defend.laws(held, {hits + crits for hits, crits in attack.weights})
    found: defaultdict[Tokens, defaultdict[Results, int]] = defaultdict(lambda: defaultdict(int))
    for (hits, crits), weight in attack.weights.items():
        endings = laws[hits + crits]
        work.look(len(endings))
        for (uncancelled, left), ways in endings.items():
            through = min(crits, uncancelled)  # evades cancel hits before crits
            found[UNASKED if last else left][uncancelled - through, through] += weight * ways
    return found


def followed(packed: Mapping[Tokens, Packed], step: Step, slot: int, work: Work) -> Mapping[Tokens, Packed]:
    """The laws for each tokens left after one more attack; ``slot`` is in bits."""
    found: defaultdict[Tokens, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
    for held, outcomes in step.outcomes.items():
        length = sum(1 + (weights.bit_length() >> 12) for weights in packed[held].values())
        work.look(length * sum(map(len, outcomes.values())))
        for left, ways in outcomes.items():
            after = found[left]
            for (hits, crits), weight in ways.items():
                for before, weights in packed[held].items():
                    after[before + crits] += weights * weight << slot * hits
    return found


def unpacked(packed: Packed, slot: int) -> list[tuple[Results, int]]:
    """The outcomes that have any weight, in order; ``slot`` is in bytes."""
    found = []
    for crits, weights in packed.items():
        data = weights.to_bytes(-(-weights.bit_length() // 8), "little")
        row = [int.from_bytes(data[at : at + slot], "little") for at in range(0, len(data), slot)]
        found += [((hits, crits), weight) for hits, weight in enumerate(row) if weight]
    return sorted(found)
