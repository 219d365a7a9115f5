"""What rows of cards did to ships in an attack, paid on the table: charges, tokens, shields, damage.

Costs are checked where they are offered; what another press took meanwhile refuses the press. What a card takes from
the enemy or gives to it happens as far as it can.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.text import N_, Text
from bot.rules.xwing.cards.facts import is_red_or_orange
from bot.rules.xwing.dice.costs import AS_DAMAGE, EXPOSE, AnyOf, Due, Group, LockOn, OfCard, SideOf, Spendable, named
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.dice.tokens import GREEN
from bot.rules.xwing.table.hurt import expose, gains, suffer, unlocked
from bot.rules.xwing.table.match import Table, ships_of
from bot.rules.xwing.table.ship import Ship, charge_upgrade, flip, give, jam, jam_takes


def paid(ship: Ship, owed: Iterable[Due]) -> Ship:
    """The ship after what it owes or gains. Raises ``PlayerError`` for a charge that is not there any more."""
    return reduce(one_paid, owed, ship)


def one_paid(ship: Ship, due: Due) -> Ship:
    """The ship after one due. Raises ``PlayerError`` where it has not what it owes."""
    if due.owed and has(ship, due.what) < -due.count:
        message = N_("{ship} has no {what} left to pay: another attack or step took it. Choose something else.")
        raise PlayerError(Text(message, ship=ship.name, what=named(due.what)))
    match due.what:
        case OfCard(card):
            return charge(ship, card, due.count)
        case SideOf(card):
            return flip(ship, ship.upgrades.index(card.removeprefix("upgrade:")))
        case LockOn(target):
            return with_lock(ship, target) if due.count > 0 else replace(ship, locks=unlocked(ship.locks, target))
        case Group.RED_OR_ORANGE:
            return without_any(ship, [name for name in ship.tokens if is_red_or_orange(name)], -due.count)
        case Group.GREEN:
            return without_any(ship, GREEN, -due.count)
        case AnyOf(kinds):
            return without_any(ship, kinds, -due.count)
        case str(token) if due.count > 0:
            return given(ship, ((token, due.count),)) if token == JAM else gains(ship, token, due.count)
        case str(token):
            return give(ship, token, -min(-due.count, ship.has(token)))
        case _:
            raise ValueError(due.what)


JAM: Final = "jam"


def with_lock(ship: Ship, target: str) -> Ship:
    """The ship with a lock on a target, in place of any other."""
    return ship if not target or target in ship.locks else replace(ship, locks=(target,))


def has(ship: Ship, what: Spendable) -> int:
    """How much of it a ship has; charges of cards are looked after where they are paid."""
    if isinstance(what, LockOn):
        return int(what.ship in ship.locks)
    return ship.has(what) if isinstance(what, str) else 0


def charge(ship: Ship, card: str, count: int) -> Ship:
    """The ship with charges of one of its cards spent or back."""
    kind, _, id_ = card.partition(":")
    if kind != "upgrade" and ship.charge_left + count >= 0:
        return gains(ship, "charge", count)
    for place, (upgrade, left) in enumerate(zip(ship.card.upgrades, ship.upgrade_charges, strict=True)):
        if kind == "upgrade" and upgrade.id == id_ and left + count >= 0:
            return charge_upgrade(ship, place, min(count, upgrade.charges.capacity - left))
    raise PlayerError(Text("{ship} has no charge left for this card.", ship=ship.name))


def without_any(ship: Ship, kinds: Iterable[str], count: int) -> Ship:
    """The ship without so many tokens of any of these kinds, of those first that are named first."""
    for kind in kinds:
        taken = min(count, ship.has(kind))
        ship, count = give(ship, kind, -taken) if taken else ship, count - taken
    return ship


def given(ship: Ship, tokens: Iterable[tuple[str, int]]) -> Ship:
    """The ship with these tokens. A jam that could take several things takes the first."""
    for token, count in tokens:
        for _ in range(count):
            ship = jam(ship, 1, next(iter(jam_takes(ship)), "")) if token == JAM else gains(ship, token, 1)
    return ship


def to_others(table: Table, owed: Sequence[Due], fighting: tuple[str, ...]) -> Mapping[str, Any]:
    """What third ships pay or gain."""
    changed: dict[str, Any] = {}
    fleet = ships_of(table)
    for due in owed:
        if due.ship in fleet and due.ship not in fighting and due.what not in AS_DAMAGE:
            changed[due.ship] = one_paid(changed.get(due.ship) or fleet[due.ship], due)
    return changed


def suffered(table: Table, owed: Sequence[Due], rng: Rng) -> Mapping[str, Any]:
    """The damage that rows deal, one after the other, with the decks."""
    changed: dict[str, Any] = {}
    for due in owed:
        now: Table = {**table, **changed}
        ship = ships_of(now).get(due.ship)
        if ship is None or due.what not in AS_DAMAGE:
            continue
        if due.what == EXPOSE:
            changed |= expose(now, ship.name, rng)[0] if ship.facedown else {}
        else:
            hits, crits = (due.count, 0) if due.what == Face.HIT else (0, due.count)
            hurt, _, decks = suffer(now, ship, hits, crits, rng)
            changed |= {ship.name: hurt, **decks}
    return changed
