"""Infinity's pieces for the table: troopers, what a roll takes from them, and what it brings upon them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.rules.dice import Rng
from bot.rules.game import Side
from bot.rules.infinity import open_order, reading
from bot.rules.infinity.condition import harmed
from bot.rules.infinity.declared import Order, Roll, Save
from bot.rules.infinity.order import Declared, OpenOrder
from bot.rules.infinity.play import State, landed
from bot.rules.infinity.saves import Saved
from bot.rules.infinity.trooper import Trooper, with_states

__all__ = ["SCHEMA", "Body", "declare", "names", "settle"]

SCHEMA = 1
"""Profiles of earlier versions are troopers without weapons, Wounds and states."""
Body = Trooper


def declare(raw: Mapping[str, object], pieces: Mapping[str, Any]) -> Declared:
    """A declaration in which names stand for troopers of the channel.

    Raises ``PlayerError`` as ``reading.declare`` does, and for an active trooper that is Unconscious or Dead.
    """
    declared = reading.declare(raw, pieces)
    order = open_order.closed(declared) if isinstance(declared, OpenOrder) and declared.lines else declared
    if isinstance(order, Order):
        for roll in order.rolls:
            if roll.side is Side.ATTACKER:
                check_can_act(roll, pieces)
    return declared


def check_can_act(roll: Roll, pieces: Mapping[str, Trooper]) -> None:
    """Raises ``PlayerError`` if the trooper of the channel who would roll is down."""
    kept = roll.profile is not None and roll.profile.kept
    trooper = next((one for name, one in pieces.items() if kept and name.casefold() == roll.name.casefold()), None)
    if trooper is not None:
        open_order.check_can_act(trooper)


def not_secret(declared: Declared) -> str:
    """Why a roll cannot be rolled in secret; "" where it can."""
    if isinstance(declared, OpenOrder) or (isinstance(declared, Order) and declared.awaits):
        return "This roll waits for what the other side does."
    kept = names(State(declared=declared))
    if isinstance(declared, Save):
        return f"These Saving Rolls cost {kept[0]} Wounds, which everybody sees; leave out the name." if kept else ""
    if kept and any(one.weapon and one.weapon.state and not one.weapon.is_saved for one in declared.rolls):
        return "A hit of this weapon brings a state upon a trooper of this channel, which everybody sees."
    return ""


def names(state: State) -> tuple[str, ...]:
    """The troopers of the channel that a roll may harm."""
    declared = state.declared
    if isinstance(declared, OpenOrder):
        return ()
    if isinstance(declared, Save):
        return (declared.name,) if declared.profile.kept else ()
    found = [(roll.name, roll.profile) for roll in declared.rolls]
    found += [(meeting.target, meeting.profile) for meeting in declared.meetings]
    return tuple(dict.fromkeys(name for name, profile in found if profile and profile.kept))


def about(state: State) -> tuple[str, ...]:
    """Every trooper that a roll names, who attacks before whom they attack."""
    declared = state.declared
    if isinstance(declared, OpenOrder):
        return ()
    if isinstance(declared, Save):
        found = [declared.by, declared.name]
    else:
        found = [*(roll.name for roll in declared.rolls), *(meeting.target for meeting in declared.meetings)]
    return tuple(dict.fromkeys(filter(None, found)))


def settle(
    before: State | None,
    after: State,
    pieces: Mapping[str, Trooper],
    rng: Rng,  # noqa: ARG001 - nothing more falls
) -> tuple[State, Mapping[str, Trooper | None]]:
    """The Wounds and states of the Saving Rolls that this ply made, and states that a hit brings without any.

    They are dealt to the troopers as they stand now; the state that comes back says what those had lost before. A
    trooper that is gone from the channel stays gone.
    """
    known = 0 if before is None else len(before.saves)
    now = dict(pieces)
    made = [dealt(saved, now) for saved in after.saves[known:]]
    if not before or not before.dice:
        for hit in landed(after):
            name = held(hit, now)
            if name is not None and hit.weapon.state and not hit.weapon.is_saved:
                now[name] = with_states(now[name], (hit.weapon.state,))
    changed = {name: trooper for name, trooper in now.items() if trooper != pieces[name]}
    return replace(after, saves=(*after.saves[:known], *made)), changed


def dealt(saved: Saved, now: dict[str, Trooper]) -> Saved:
    """Deal Saving Rolls to a trooper of ``now``; the same rolls with what that trooper had lost before them."""
    name = held(saved.save, now)
    if name is None:
        return saved
    profile = replace(saved.save.profile, lost=now[name].lost)
    again = replace(saved, save=replace(saved.save, profile=profile))
    now[name] = harmed(now[name], again)
    return again


def held(save: Save, now: Mapping[str, Trooper]) -> str | None:
    """The trooper of the channel who saves, if it is one and still there."""
    return next((name for name in now if save.profile.kept and name.casefold() == save.name.casefold()), None)
