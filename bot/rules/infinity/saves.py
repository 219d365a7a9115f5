"""Saving Rolls: how many, against what, and what failing them costs (rules page, Saving Rolls).

The page gives the numbers of saves. What it is silent on follows the rulebook: E/M halves BTS as AP halves ARM;
PARA, Stun and E/M bring a state and no Wounds; Plasma is saved once with ARM and once with BTS, the extra save of its
Critical with ARM.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.rules.dice import Rng, Rolled, entered, roll
from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.infinity.declared import COVER, SIDES, Ammo, Save, total

PER_HIT: Final[Mapping[Ammo, int]] = {Ammo.DA: 2, Ammo.EM: 2, Ammo.PLASMA: 2, Ammo.EXP: 3}
"""Saves for each hit, 1 if not named here; a Critical adds one."""

STATES: Final[Mapping[Ammo, str]] = {
    Ammo.PARA: "Immobilized-A",
    Ammo.STUN: "Stunned",
    Ammo.EM: "Isolated",
}
"""What failing a save brings where it is no Wound."""

HALVING: Final = (Ammo.AP, Ammo.EM)

FACES: Final = tuple(range(1, SIDES + 1))


@dataclass(frozen=True, slots=True)
class Due:
    """One Saving Roll to be made: the attribute before halving, and the Wounds that failing it costs."""

    attribute: int
    wounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """Saving Rolls that were made, in the order in which they were due."""

    save: Save
    dice: tuple[Rolled, ...]


def due(save: Save) -> tuple[Due, ...]:
    """Every Saving Roll that the hits and Criticals make, the extra saves of Criticals last.

    The extra save never carries T2's second Wound.
    """
    one = per_hit(save)
    extra = Due(one[0].attribute, min(one[0].wounds, 1))
    return one * (save.hits + save.crits) + (extra,) * save.crits


def per_hit(save: Save) -> tuple[Due, ...]:
    """The saves of one hit. T2 takes two Wounds for one failed save."""
    wounds = 0 if save.ammo in STATES else 2 if save.ammo is Ammo.T2 else 1
    if save.ammo is Ammo.PLASMA:
        return Due(save.arm, wounds), Due(save.bts or 0, wounds)
    attribute = save.bts if save.ammo is Ammo.EM and save.bts is not None else save.arm
    return (Due(attribute, wounds),) * PER_HIT.get(save.ammo, 1)


def target(save: Save, attribute: int) -> int:
    """The number to roll against: in N5 at most PS + attribute + MODs passes, in N4 more than Damage less those."""
    halved = (attribute + 1) // 2 if save.ammo in HALVING else attribute
    bonus = halved + total((*save.mods, COVER) if save.cover else save.mods)
    return save.power - bonus if save.edition == "n4" else save.power + bonus


def passes(save: Save, attribute: int, face: int) -> bool:
    """Whether a face passes the save."""
    number = target(save, attribute)
    return face > number if save.edition == "n4" else face <= number


def ammo(given: object, field: str) -> Ammo:
    """The ammunition that a word names."""
    for one in Ammo:
        if isinstance(given, str) and given.strip().lower() in (one.lower(), one.lower().replace("/", "")):
            return one
    raise BadInput(field, given, "one of " + ", ".join(Ammo))


def made(save: Save, rng: Rng, by: Side) -> Saved:
    """The Saving Rolls, rolled, or entered by the side ``by``."""
    if save.dice is not None:
        return Saved(save=save, dice=entered("d20", save.dice, by))
    return Saved(save=save, dice=roll("d20", FACES, len(due(save)), rng, "saved"))


def checked(save: Save) -> Save:
    """The same Saving Rolls, if they can be made: raises ``BadInput`` naming what is missing or too much."""
    if not save.hits + save.crits:
        raise BadInput("hits", 0, "at least one hit or Critical to save against")
    if save.ammo is Ammo.PLASMA and save.bts is None:
        raise BadInput("bts", "", "a number: Plasma is saved once with ARM and once with BTS")
    if save.dice is not None and len(save.dice) != len(due(save)):
        raise BadInput("dice", list(save.dice), f"exactly {len(due(save))} faces, one for each Saving Roll")
    return save


def failed(saved: Saved) -> tuple[bool, ...]:
    """Which of the Saving Rolls failed."""
    rolls = zip(due(saved.save), saved.dice, strict=True)
    return tuple(not passes(saved.save, one.attribute, int(die.face)) for one, die in rolls)


def wounds(saved: Saved) -> int:
    """The Wounds lost; none where the ammunition brings a state instead."""
    return sum(one.wounds for one, lost in zip(due(saved.save), failed(saved), strict=True) if lost)


def outcome(saved: Saved) -> Mapping[str, object]:
    """The Saving Rolls in JSON words; ``sv`` in N5, ``threshold`` in N4, of the first attribute saved with."""
    save, lost = saved.save, failed(saved)
    number = "threshold" if save.edition == "n4" else "sv"
    return {
        "ammo": save.ammo.value,
        number: target(save, due(save)[0].attribute),
        "saves": len(saved.dice),
        "dice": [die.face for die in saved.dice],
        "fate": ["failed" if one else "passed" for one in lost],
        "failed": sum(lost),
        "passed": len(lost) - sum(lost),
        "wounds": wounds(saved),
        "state": STATES.get(save.ammo, "") if any(lost) else "",
    }
