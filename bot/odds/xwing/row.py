"""Several attacks in a row: the attacker fresh each time, the defender's tokens carried over.

For each number of crits the weights of 0, 1, 2... hits are packed into one long integer, each in a slot of so many
bits, so that one more attack takes a few multiplications of long integers by small weights.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import prod

from bot.odds.distribution import Distribution
from bot.odds.xwing.attack import Results, attack_law
from bot.odds.xwing.damage import Damage, Faceup, dealt
from bot.odds.xwing.defense import Defense, Outcomes
from bot.odds.xwing.green import Tokens
from bot.odds.xwing.work import Work
from bot.rules.xwing.declared import Declared
from bot.rules.xwing.pools import NO_DEFENSE

Packed = Mapping[int, int]
"""For each number of crits the packed weights of the hits."""

UNASKED: Tokens = (0, 0, 0, 0)
"""Stands for the tokens left after the last attack."""


@dataclass(frozen=True, slots=True)
class Row:
    """The law of uncancelled (hits, crits) of all attacks together, and what it does to a ship if that is known."""

    law: Distribution[Results]
    damage: Damage | None


def row(declared: Declared) -> Row:
    """All attacks as declared. One strain token goes with each; the attacker's tokens are there each time.

    Raises ``BadInput`` when there is more to count than ``Work`` allows, ``Unpayable`` for a weapon's cost.
    """
    work = Work(declared)
    attack = attack_law(declared, work)
    defense = declared.defense or NO_DEFENSE

    @cache
    def defend(strained: bool) -> Defense:
        return Defense(replace(declared, defense=replace(defense, strain=int(strained))), work)

    @cache
    def outcomes(strained: bool, held: Tokens) -> Outcomes:
        return defend(strained).outcomes(attack, held)

    totals = [attack.total * defend(number < defense.strain).total for number in range(declared.attacks)]
    slot = -(-prod(totals).bit_length() // 8)
    first = defense.focus, defense.calculate, defense.force, defense.evade
    packed: Mapping[Tokens, Packed] = {first: {0: 1}}
    faceup = Faceup(first, declared.shields)
    for number, total in enumerate(totals):
        work.had(number)
        found = {held: outcomes(number < defense.strain, held) for held in packed}
        if number == declared.attacks - 1:
            found = {held: {UNASKED: whatever(left)} for held, left in found.items()}
        packed = followed(packed, found, 8 * slot, work)
        if declared.hull:
            faceup.take(found, total, work)
    law = Distribution(dict(unpacked(packed[UNASKED], slot)), prod(totals))
    return Row(law, dealt(law, faceup, declared.hull, declared.shields) if declared.hull else None)


def whatever(outcomes: Outcomes) -> Mapping[Results, int]:
    """The outcomes of the last attack, after which nobody asks for the tokens."""
    found: defaultdict[Results, int] = defaultdict(int)
    for ways in outcomes.values():
        for results, weight in ways.items():
            found[results] += weight
    return found


def followed(
    packed: Mapping[Tokens, Packed], found: Mapping[Tokens, Outcomes], slot: int, work: Work
) -> Mapping[Tokens, Packed]:
    """The laws for each tokens left after one more attack; ``slot`` is in bits."""
    after: defaultdict[Tokens, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
    for held, outcomes in found.items():
        length = sum(1 + (weights.bit_length() >> 12) for weights in packed[held].values())
        work.look(length * sum(map(len, outcomes.values())))
        for left, ways in outcomes.items():
            rows = after[left]
            for (hits, crits), weight in ways.items():
                for before, weights in packed[held].items():
                    rows[before + crits] += weights * weight << slot * hits
    return after


def unpacked(packed: Packed, slot: int) -> list[tuple[Results, int]]:
    """The outcomes that have any weight, in order; ``slot`` is in bytes."""
    found = []
    for crits, weights in packed.items():
        data = weights.to_bytes(-(-weights.bit_length() // 8), "little")
        row = [int.from_bytes(data[at : at + slot], "little") for at in range(0, len(data), slot)]
        found += [((hits, crits), weight) for hits, weight in enumerate(row) if weight]
    return sorted(found)
