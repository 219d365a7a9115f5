"""Tokens and locks of a player's ships before they engage: one form, a group of boxes for each ship."""

from binascii import crc32
from collections.abc import Mapping, Sequence
from typing import Final

from bot.rules.by_hand import FIELDS_MOST
from bot.rules.errors import PlayerError
from bot.rules.game import Field, Offer, Option, Side
from bot.rules.pieces import Done
from bot.rules.text import Name, Names, Shown, Text
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table.ship import Fleet, Ship, after, give, is_affected, lock, room

PREPARE: Final = "prepare"
"""The offer of the form."""
OF: Final = "of-"
"""Begins the key of a ship's boxes; the mark of its name follows."""
LOCK: Final = "lock-"
GIVEN: Final = {"focus": Text("Focus"), "evade": Text("Evade")}
"""The tokens that actions give most often: they have buttons of their own."""


def mark(name: str) -> str:
    return f"{crc32(name.encode()):08x}"


def offer(own: Sequence[Ship], foes: Sequence[Ship]) -> Offer:
    """The form for these ships; ``foes`` can be locked."""
    fields = tuple(
        Field(f"{OF}{mark(ship.name)}", Name(ship.name), required=False, options=options(ship, foes), several=True)
        for ship in own[:FIELDS_MOST]
    )
    return Offer(PREPARE, Side.ATTACKER, Text("Tokens and locks"), fields=fields)


def options(ship: Ship, foes: Sequence[Ship]) -> tuple[Option, ...]:
    """A token of each kind that there is room for, and a lock on each enemy."""
    tokens = [Option(kind, label) for kind, label in GIVEN.items() if ship.has(kind) < room(ship, kind)]
    to_lock = [] if is_affected(ship, "ion") else [one for one in foes if one.name not in ship.locks]
    return (*tokens, *(Option(f"{LOCK}{mark(one.name)}", Text("Lock on {ship}", ship=one.name)) for one in to_lock))


def prepared(fleet: Fleet, owner: int, filled: Mapping[str, str]) -> Done:
    """The ships of a player with what was ticked for them. Raises ``PlayerError`` for nothing, and as ``lock``."""
    now, done = dict(fleet), list[Shown]()
    by_mark = {mark(name): name for name in fleet}
    for key, ticked in filled.items():
        name = by_mark.get(key.removeprefix(OF), "")
        if not ticked or not name or fleet[name].owner != owner:
            continue
        got = list[Shown]()
        for value in ticked.split(", "):
            if value in GIVEN:
                now[name] = give(now[name], value, 1)
                got.append(TOKENS[value].counted(1))
            elif target := by_mark.get(value.removeprefix(LOCK), ""):
                now = after(now, lock(now, name, target))
                got.append(Text("a lock on {ship}", ship=Name(target)))
        done.append(Text("{ship} gets {tokens}", ship=Name(name), tokens=Names(got)))
    if not done:
        raise PlayerError("Nothing was ticked. Press again, and tick what your ships get.")
    changes = {name: ship for name, ship in now.items() if ship != fleet.get(name)}
    return Done(changes, Text("prepares: {ships}", ships=Names(done)))
