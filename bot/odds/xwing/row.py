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


def steps(declared: Declared) -> list[Step]:
    """The attacks of a row, in order. One strain token goes with each; the attacker's tokens are there each time."""
    attack = attack_law(declared)
    defense = declared.defense or NO_DEFENSE

    @cache
    def defend(strained: bool) -> Defense:
        return Defense(replace(declared, defense=replace(defense, strain=int(strained))))

    @cache
    def outcomes(strained: bool, last: bool, held: Tokens) -> Outcomes:
        return met(attack, defend(strained), held, last)

    row: list[Step] = []
    may_hold = {(defense.focus, defense.calculate, defense.force, defense.evade)}
    for number in range(declared.attacks):
        strained, last = number < defense.strain, number == declared.attacks - 1
        found = {held: outcomes(strained, last, held) for held in may_hold}
        row.append(Step(found, attack.total * defend(strained).total))
        may_hold = {left for outcome in found.values() for left in outcome}
    return row


def met(attack: Law[Results], defend: Defense, held: Tokens, last: bool) -> Outcomes:
    """What comes of one attack against a defender who holds these tokens."""
    laws = defend.laws(held, {hits + crits for hits, crits in attack.weights})
    found: defaultdict[Tokens, defaultdict[Results, int]] = defaultdict(lambda: defaultdict(int))
    for (hits, crits), weight in attack.weights.items():
        for (uncancelled, left), ways in laws[hits + crits].items():
            through = min(crits, uncancelled)  # evades cancel hits before crits
            found[UNASKED if last else left][uncancelled - through, through] += weight * ways
    return found


def together(row: Sequence[Step]) -> Law[Results]:
    """The law of all uncancelled (hits, crits) of a row."""
    total = prod(step.total for step in row)
    slot = -(-total.bit_length() // 8)
    packed: Mapping[Tokens, Packed] = {held: {0: 1} for held in row[0].outcomes}
    for step in row:
        packed = followed(packed, step, 8 * slot)
    return Law(dict(unpacked(packed[UNASKED], slot)), total)


def followed(packed: Mapping[Tokens, Packed], step: Step, slot: int) -> Mapping[Tokens, Packed]:
    """The laws for each tokens left after one more attack."""
    found: defaultdict[Tokens, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
    for held, outcomes in step.outcomes.items():
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
        for at in range(0, len(data), slot):
            if weight := int.from_bytes(data[at : at + slot], "little"):
                found.append(((at // slot, crits), weight))
    return sorted(found)
