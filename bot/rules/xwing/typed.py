"""An attack as people type it: numbers for the dice, short words for what each side brings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.xwing import words
from bot.rules.xwing.declared import Declared, Ruleset

LineUps = tuple[tuple[str, Declared], ...]
"""Declarations to compare, each with its words."""


def attack(
    *,
    dice: int,
    agility: int | None = None,
    distance: int | None = None,
    ordnance: bool = False,
    obstructed: bool = False,
    mine: str | None = None,
    theirs: str | None = None,
    ruleset: Ruleset = "2.5",
) -> Declared:
    """The declaration; without ``agility`` the defender has still to say what they bring.

    Raises ``BadInput`` or ``BadWord`` naming the option as it is called on Discord: ``with``, ``against``, ``agility``.
    """
    attacker = words.parse(mine or "", Side.ATTACKER, "with")
    defender = words.parse(theirs or "", Side.DEFENDER, "against")
    if agility is None and theirs is not None:
        raise BadInput("agility", "", "a number from 0 to 6 when `against` says what the defender brings")
    return Declared(
        attack=replace(attacker.line, dice=dice),
        defense=None if agility is None else replace(defender.line, dice=agility),
        range=distance,
        ordnance=ordnance,
        obstructed=obstructed,
        ruleset=ruleset,
        cost_lock=attacker.cost_lock,
        cost_charge=attacker.cost_charge,
        hull=defender.hull,
        shields=defender.shields,
    )


def line_ups(mine: Sequence[str | None], *, shots: int, hull: int | None, shields: int, **others: Any) -> LineUps:
    """One declaration for each of the attacker's words that was typed, or the one without any; raises as ``attack``.

    A ``hull`` of its own beats one among the defender's words.
    """
    typed: list[str | None] = [one for one in mine if one is not None] or [None]
    found = []
    for one in typed:
        declared = replace(attack(mine=one, **others), attacks=shots)
        if hull is not None:
            declared = replace(declared, hull=hull, shields=shields)
        found.append((one or "no tokens", declared))
    return tuple(found)
