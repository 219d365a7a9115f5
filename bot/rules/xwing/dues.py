"""What rows of cards did to ships in an attack, paid on the table: charges, tokens, shields, damage.

Costs are checked where they are offered; what another press took meanwhile refuses the press. What a card takes from
the enemy or gives to it happens as far as it can.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.text import Text
from bot.rules.xwing import deeds
from bot.rules.xwing.facts import is_red_or_orange
from bot.rules.xwing.hurt import expose, gains, suffer
from bot.rules.xwing.match import Table, ships_of
from bot.rules.xwing.ship import Ship, charge_upgrade, give, jam, jam_takes
from bot.rules.xwing.steps import Due
from bot.rules.xwing.tokens import GREEN, KINDS

AFTER_DAMAGE: Final = ("hit", "crit", "expose")
"""Dues that deal damage: they come after the damage of the attack."""
CHARGE: Final = "charge of "
LOCK: Final = "lock on "


def paid(ship: Ship, owed: Iterable[Due]) -> Ship:
    """The ship after what it owes or gains. Raises ``PlayerError`` for a charge that is not there any more."""
    for due in owed:
        ship = one_paid(ship, due)
    return ship


def one_paid(ship: Ship, due: Due) -> Ship:
    if due.what.startswith(CHARGE):
        return charge(ship, due.what.removeprefix(CHARGE), due.count)
    if due.owed and has(ship, due.what) < -due.count:
        raise PlayerError(
            Text(
                "{ship} has no {what} left to pay: another attack or step took it. Choose something else.",
                ship=ship.name,
                what=in_words(due.what),
            )
        )
    if due.what.startswith(LOCK):
        target, others = due.what.removeprefix(LOCK), ship.locks
        if due.count < 0:
            return replace(ship, locks=tuple(one for one in others if one != target))
        return ship if not target or target in others else replace(ship, locks=(target,))
    if due.what == "red or orange":
        return without_one(ship, -due.count)
    if due.what == "jam" and due.count > 0:
        return given(ship, (("jam", due.count),))
    if due.what not in KINDS:
        return without_any(ship, GREEN if due.what == "green token" else due.what.split(" or "), -due.count)
    if due.count > 0:
        return gains(ship, due.what, due.count)
    return give(ship, due.what, -min(-due.count, ship.has(due.what)))


def in_words(what: str) -> str:
    """What is owed, in a sentence."""
    return Text("lock on {target}", target=what.removeprefix(LOCK)) if what.startswith(LOCK) else deeds.named(what)


def has(ship: Ship, what: str) -> int:
    return int(what.removeprefix(LOCK) in ship.locks) if what.startswith(LOCK) else ship.has(what)


def charge(ship: Ship, card: str, count: int) -> Ship:
    """The ship with charges of one of its cards spent or back."""
    kind, _, id_ = card.partition(":")
    if kind != "upgrade":
        if ship.charge_left + count < 0:
            raise PlayerError(Text("{ship} has no charge left for this card.", ship=ship.name))
        return gains(ship, "charge", count) if count > 0 else give(ship, "charge", count)
    places = [at for at, one in enumerate(ship.upgrades) if one == id_]
    place = next((at for at in places if ship.upgrade_charges[at] + count >= 0), None)
    if place is None:
        raise PlayerError(Text("{ship} has no charge left for this card.", ship=ship.name))
    most = ship.card.upgrades[place].charges.capacity
    return charge_upgrade(ship, place, min(count, most - ship.upgrade_charges[place]))


def without_any(ship: Ship, kinds: Iterable[str], count: int) -> Ship:
    """The ship without so many tokens of any of these kinds, of those first that are named first."""
    for kind in kinds:
        taken = min(count, ship.has(kind))
        ship, count = give(ship, kind, -taken) if taken else ship, count - taken
    return ship


def without_one(ship: Ship, count: int) -> Ship:
    """The ship without so many of its red or orange tokens, those first that the table names first."""
    for token in [name for name in ship.tokens if is_red_or_orange(name)][:count]:
        ship = give(ship, token, -1)
    return ship


def given(ship: Ship, tokens: Iterable[tuple[str, int]]) -> Ship:
    """The ship with the tokens that a weapon gives. A jam that could take several things takes the first."""
    for token, count in tokens:
        for _ in range(count):
            ship = jam_first(ship) if token == "jam" else gains(ship, token, 1)  # noqa: S105 - no password
    return ship


def jam_first(ship: Ship) -> Ship:
    from_all = jam_takes(ship)
    return jam(ship, 1, from_all[0] if from_all else "")


def to_others(table: Table, owed: Sequence[Due], fighting: tuple[str, ...]) -> Mapping[str, Any]:
    """What third ships pay or gain."""
    changed: dict[str, Any] = {}
    fleet = ships_of(table)
    for due in owed:
        if due.ship in fleet and due.ship not in fighting and due.what not in AFTER_DAMAGE:
            changed[due.ship] = one_paid(changed.get(due.ship) or fleet[due.ship], due)
    return changed


def suffered(table: Table, owed: Sequence[Due], rng: Rng) -> Mapping[str, Any]:
    """The damage that rows deal, one after the other, with the decks."""
    changed: dict[str, Any] = {}
    for due in owed:
        now: Table = {**table, **changed}
        ship = ships_of(now).get(due.ship)
        if ship is None or due.what not in AFTER_DAMAGE:
            continue
        if due.what == "expose":
            changed |= expose(now, ship.name, rng)[0] if ship.facedown else {}
            continue
        hits, crits = (due.count, 0) if due.what == "hit" else (0, due.count)
        hurt, _, decks = suffer(now, ship, hits, crits, rng)
        changed |= {ship.name: hurt, **decks}
    return changed
