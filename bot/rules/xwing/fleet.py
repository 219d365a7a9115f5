"""The ships of a channel together: locks between them, the Engagement Phase, the End Phase.

Source: rules page, Tokens on ships, per channel; steps 7 and 8 of the attack. Every function gives the ships that
change, by name, None for one that leaves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from bot.rules.errors import BadInput, PlayerError, shown
from bot.rules.name import clean
from bot.rules.xwing.cards import free_name
from bot.rules.xwing.ship import Ship, end_of_round, is_affected, set_to, unquoted

Fleet = Mapping[str, Ship]
"""The ships of a channel by name."""
Changes = dict[str, Ship | None]

SHIPS_MOST: Final = 24
"""So many still fit on one card."""


def find(fleet: Fleet, name: str, field: str = "ship") -> Ship:
    """The ship of that name, whatever its case. Raises ``BadInput`` naming the nearest ones."""
    known = {ship.name.casefold(): ship for ship in fleet.values()}
    asked = unquoted(clean(name)).casefold()
    if asked in known:
        return known[asked]
    near = [known[one].name for one in get_close_matches(asked, known, n=3)] or [ship.name for ship in order(fleet)][:5]
    allowed = "a ship of this channel: " + ", ".join(shown(one) for one in near)
    raise BadInput(field, name, allowed if near else "a ship of this channel; add one with `/xwing ship add` first")


def join(fleet: Fleet, ship: Ship) -> Changes:
    """A new ship joins the table; raises ``BadInput`` for a name that is taken, or when the table is full."""
    if any(ship.name.casefold() == other.name.casefold() for other in fleet.values()):
        raise BadInput("name", ship.name, "a name that no ship of this channel has; change one with `/xwing ship set`")
    if len(fleet) >= SHIPS_MOST:
        raise PlayerError(f"This channel has {SHIPS_MOST} ships already. Remove one with `/xwing ship remove` first.")
    return {ship.name: ship}


def join_all(fleet: Fleet, ships: Iterable[Ship]) -> Changes:
    """New ships join the table together, numbered where their names are taken. Raises ``PlayerError`` if it is full."""
    changes: Changes = {}
    for ship in ships:
        name = free_name(ship.name, (*fleet, *changes))
        changes[name] = replace(ship, name=name)
    if len(fleet) + len(changes) > SHIPS_MOST:
        raise PlayerError(
            f"This channel would have {len(fleet) + len(changes)} ships, and at most {SHIPS_MOST} fit. "
            "Remove some with `/xwing ship remove` first."
        )
    return changes


def lock(fleet: Fleet, holder: str, target: str) -> Changes:
    """A lock has one holder and one target; a ship holds one, so a new one takes the place of the old.

    A jam token that lies on the ship takes the new lock and leaves.
    """
    ship, locked = find(fleet, holder), find(fleet, target, "target")
    if ship is locked:
        raise PlayerError(f"{ship.name} cannot lock itself. Choose another ship as `target`.")
    if locked.name in ship.locks:
        raise PlayerError(f"{ship.name} has a lock on {locked.name} already. Choose another `target`, or go on.")
    if is_affected(ship, "ion"):
        raise PlayerError(f"{ship.name} is ionized and cannot have a lock. Take the ion tokens off first.")
    if ship.has("jam"):
        return {ship.name: set_to(ship, "jam", ship.has("jam") - 1)}
    return {ship.name: replace(ship, locks=(locked.name,))}


def unlock(fleet: Fleet, holder: str) -> Changes:
    ship = find(fleet, holder)
    if not ship.locks:
        raise PlayerError(f"{ship.name} has no lock to break. `/xwing ship list` shows all locks.")
    return {ship.name: replace(ship, locks=())}


def removed(fleet: Fleet, names: Iterable[str]) -> Changes:
    """These ships leave the table, and every lock that they were part of breaks."""
    gone = set(names)
    changes: Changes = dict.fromkeys(gone)
    for ship in fleet.values():
        kept = tuple(target for target in ship.locks if target not in gone)
        if ship.name not in gone and kept != ship.locks:
            changes[ship.name] = replace(ship, locks=kept)
    return changes


def order(fleet: Fleet) -> list[Ship]:
    """The Engagement Phase: highest initiative first, by name within one."""
    return sorted(fleet.values(), key=lambda ship: (-ship.initiative, ship.name.casefold()))


def step_of(fleet: Fleet) -> int | None:
    """The initiative whose step it is: the highest with a ship that has not engaged; None when all have."""
    return max((ship.initiative for ship in fleet.values() if not ship.engaged), default=None)


def leaving(fleet: Fleet) -> list[str]:
    """Destroyed ships that leave now: all ships of the attacker's initiative have engaged (simultaneous fire)."""
    waiting = {ship.initiative for ship in fleet.values() if not ship.engaged}
    return [
        ship.name for ship in order(fleet) if ship.destroyed and ship.leaves is not None and ship.leaves not in waiting
    ]


def sweep(fleet: Fleet) -> Changes:
    """Those leave; whom that makes the last of their initiative leave too."""
    changes: Changes = {}
    while names := leaving(after(fleet, changes)):
        changes |= removed(after(fleet, changes), names)
    return changes


def engage(fleet: Fleet, name: str) -> Changes:
    """A ship engages in its own initiative step; first those leave whose time has come.

    A destroyed ship may still engage in its own step. Raises ``PlayerError`` for one that has engaged, or whose step
    it is not.
    """
    asked, changes = find(fleet, name), sweep(fleet)
    fleet = after(fleet, changes)
    if asked.name not in fleet:
        return changes
    ship, step = fleet[asked.name], step_of(fleet)
    if ship.engaged:
        raise PlayerError(f"{ship.name} has engaged this round already. `/xwing endphase` begins the next round.")
    if ship.initiative != step:
        first = ", ".join(one.name for one in order(fleet) if one.initiative == step and not one.engaged)
        raise PlayerError(
            f"Ships with initiative {step} engage now, and {ship.name} has initiative {ship.initiative}. "
            f"Engage with one of these first: {first}."
        )
    return {**changes, ship.name: replace(ship, engaged=True)}


def end_phase(fleet: Fleet) -> Changes:
    """Destroyed ships leave, then every ship ends its round."""
    changes = removed(fleet, [ship.name for ship in fleet.values() if ship.destroyed])
    for name, ship in after(fleet, changes).items():
        if (ended := end_of_round(ship)) != fleet[name]:
            changes[name] = ended
    return changes


def after(fleet: Fleet, changes: Mapping[str, Ship | None]) -> dict[str, Ship]:
    """The fleet once ships have changed or left."""
    return {name: ship for name, ship in {**fleet, **changes}.items() if ship is not None}
