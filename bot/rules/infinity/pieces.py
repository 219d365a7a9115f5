"""Infinity's pieces for the table: troopers, what a roll takes from them, and what it brings upon them."""

from collections.abc import Mapping
from typing import Any

from bot.rules.infinity import reading
from bot.rules.infinity.condition import settled
from bot.rules.infinity.declared import Declared, Order
from bot.rules.infinity.play import State, landed
from bot.rules.infinity.trooper import Trooper, with_states

__all__ = ["SCHEMA", "Body", "declare", "names", "settle"]

SCHEMA = 1
"""Profiles of earlier versions are troopers without weapons, Wounds and states."""
Body = Trooper


def declare(raw: Mapping[str, object], pieces: Mapping[str, Any]) -> Declared:
    """A declaration in which names stand for troopers of the channel."""
    return reading.declare(raw, pieces)


def names(state: State) -> tuple[str, ...]:
    """The troopers of the channel that a roll may harm."""
    declared = state.declared
    if not isinstance(declared, Order):
        return (declared.name,) if declared.profile.kept else ()
    found = [(roll.name, roll.profile) for roll in declared.rolls]
    found += [(meeting.target, meeting.profile) for meeting in declared.meetings]
    return tuple(dict.fromkeys(name for name, profile in found if profile and profile.kept))


def settle(before: State | None, after: State, pieces: Mapping[str, Trooper]) -> Mapping[str, Trooper | None]:
    """The Wounds and states of the Saving Rolls that this ply made, and states that a hit brings without any.

    A trooper that is gone from the channel stays gone.
    """
    known = 0 if before is None or before.declared != after.declared else len(before.saves)
    changed = settled(dict(pieces), after.saves[known:])
    fell = not before or (not before.dice and after.dice) or (before.saves and not after.saves)
    for hit in landed(after) if fell else ():
        name = next((one for one in pieces if one.casefold() == hit.name.casefold()), None)
        if name is not None and hit.profile.kept and hit.weapon.state and not hit.weapon.is_saved:
            changed[name] = with_states(changed.get(name, pieces[name]), (hit.weapon.state,))
    return {name: trooper for name, trooper in changed.items() if trooper != pieces[name]}
