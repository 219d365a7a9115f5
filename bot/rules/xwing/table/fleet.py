"""The ships of a channel together: who comes and goes, and the locks between them.

Source: rules page, Tokens on ships, per channel. Every function gives the ships that change, by name, None for one that
leaves. Rounds and phases are in ``match``.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Final

from bot.rules.errors import BadInput, Known, PlayerError, shown
from bot.rules.name import clean
from bot.rules.text import N_, Message, Name, Names, Text
from bot.rules.xwing.cards.cards import free_name, unquoted
from bot.rules.xwing.table.hazard import OBJECTS
from bot.rules.xwing.table.ship import Ship, is_affected, set_to

Fleet = Mapping[str, Ship]
"""The ships of a channel by name."""
Changes = dict[str, Ship | None]

NUMBER: Final = re.compile(r"[1-9][0-9]?")
"""The number of an obstacle among those of its kind."""
SHIPS_MOST: Final = 24
"""So many still fit on one card."""


def find(fleet: Fleet, name: str, field: str = "ship") -> Ship:
    """The ship of that name, whatever its case. Raises ``BadInput`` naming the nearest ones."""
    known = {ship.name.casefold(): ship for ship in fleet.values()}
    asked = unquoted(clean(name)).casefold()
    if asked in known:
        return known[asked]
    near = [known[one].name for one in get_close_matches(asked, known, n=3)] or [ship.name for ship in order(fleet)][:5]
    if not near:
        raise BadInput(field, name, Text("Use a ship of this channel. Add one with `/xwing ship add` first."))
    listed = Names(map(shown, near), "or")
    raise BadInput(field, name, Known(tuple(near), Text("Use a ship of this channel: {ships}.", ships=listed)))


def join(fleet: Fleet, ship: Ship) -> Changes:
    """A new ship joins the table; raises ``BadInput`` for a name that is taken, or when the table is full."""
    if any(ship.name.casefold() == other.name.casefold() for other in fleet.values()):
        other_name = Text("Use a name that no ship of this channel has, or change that ship with `/xwing ship set`.")
        raise BadInput("name", ship.name, other_name)
    if len(fleet) >= SHIPS_MOST:
        message = N_("This channel has {ships_most} ships already. Remove one with `/xwing ship remove` first.")
        raise PlayerError(Text(message, ships_most=SHIPS_MOST))
    return {ship.name: ship}


def join_all(fleet: Fleet, ships: Iterable[Ship]) -> Changes:
    """New ships join the table together, numbered where their names are taken. Raises ``PlayerError`` if it is full."""
    changes: Changes = {}
    for ship in ships:
        name = free_name(ship.name, (*fleet, *changes))
        changes[name] = replace(ship, name=Name(name))
    if (count := len(fleet) + len(changes)) > SHIPS_MOST:
        message = N_(
            "This channel would have {count} ships, and at most {ships_most} fit. Remove some "
            "with `/xwing ship remove` first."
        )
        raise PlayerError(Text(message, count=count, ships_most=SHIPS_MOST))
    return changes


def refuse(refusals: Mapping[Message, bool], **places: Any) -> None:
    """Raises ``PlayerError`` with the first of these messages whose reason holds."""
    for message, holds in refusals.items():
        if holds:
            raise PlayerError(Text(message, **places))


def lock(fleet: Fleet, holder: str, target: str, *, keep: bool = False) -> Changes:
    """A lock has one holder and one object; a ship holds one, so a new one takes the place of the old.

    ``keep``: its card lets it hold more. The object is a ship, a remote, or an obstacle by its name (``asteroid 2``). A
    jam token that lies on the ship takes the new lock and leaves. Raises ``PlayerError``.
    """
    ship, locked = find(fleet, holder), object_named(fleet, target)
    refusals = {
        N_("{ship} cannot lock itself. Choose another ship as `target`."): ship.name == locked,
        N_("{ship} has a lock on {locked} already. Choose another `target`, or go on."): locked in ship.locks,
        N_("{ship} is a remote: it can be locked, and locks nothing. Choose a ship."): ship.is_remote,
        N_("{ship} is ionized and cannot have a lock. Take the ion tokens off first."): is_affected(ship, "ion"),
    }
    refuse(refusals, ship=ship.name, locked=Name(locked))
    if ship.has("jam"):
        return {ship.name: set_to(ship, "jam", ship.has("jam") - 1)}
    return {ship.name: replace(ship, locks=(*(ship.locks if keep else ()), locked))}


def object_named(fleet: Fleet, name: str) -> str:
    """The name of what can be locked: a ship, or an obstacle with its number if there are several.

    Raises ``BadInput`` for anything else.
    """
    asked = " ".join(name.casefold().split())
    kind, _, number = asked.rpartition(" ")
    is_ship = any(unquoted(ship.name).casefold() == asked for ship in fleet.values())
    if not is_ship and (asked in OBJECTS or (kind in OBJECTS and NUMBER.fullmatch(number))):
        return asked
    try:
        return find(fleet, name, "target").name
    except BadInput as refused:
        raise BadInput(refused.field, name, *refused.wanted, Text("An obstacle is named as `asteroid 2`.")) from None


def unlock(fleet: Fleet, holder: str) -> Changes:
    ship = find(fleet, holder)
    if not ship.locks:
        raise PlayerError(Text("{ship} has no lock to break. `/xwing ship list` shows all locks.", ship=ship.name))
    return {ship.name: replace(ship, locks=())}


def removed(fleet: Fleet, names: Iterable[str]) -> Changes:
    """These ships leave the table; every lock that they were part of breaks, and what they carried is on the mat."""
    gone: Changes = dict.fromkeys(names)
    changes = dict(gone)
    for name, ship in after(fleet, gone).items():
        kept = tuple(target for target in ship.locks if target not in gone)
        docked = "" if ship.docked in gone else ship.docked
        if (kept, docked) != (ship.locks, ship.docked):
            changes[name] = replace(ship, locks=kept, docked=docked)
    return changes


def order(fleet: Fleet) -> list[Ship]:
    """The highest initiative first, by name within one."""
    return sorted(fleet.values(), key=lambda ship: (-ship.initiative, ship.name.casefold()))


def after(fleet: Fleet, changes: Mapping[str, Ship | None]) -> dict[str, Ship]:
    """The fleet once ships have changed or left."""
    return {name: ship for name, ship in {**fleet, **changes}.items() if ship is not None}
