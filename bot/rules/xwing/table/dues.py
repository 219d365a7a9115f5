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
from bot.rules.xwing.cards.facts import is_red_or_orange
from bot.rules.xwing.dice.costs import AS_DAMAGE, EXPOSE, AnyOf, Due, Group, LockOn, OfCard, SideOf, Spendable, named
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.dice.tokens import GREEN
from bot.rules.xwing.table.hurt import expose, gains, suffer
from bot.rules.xwing.table.match import Table, ships_of
from bot.rules.xwing.table.ship import Ship, charge_upgrade, flip, give, jam, jam_takes


def paid(ship: Ship, owed: Iterable[Due]) -> Ship:
    """The ship after what it owes or gains. Raises ``PlayerError`` for a charge that is not there any more."""
    for due in owed:
        ship = one_paid(ship, due)
    return ship


def one_paid(ship: Ship, due: Due) -> Ship:
    """The ship after one due. Raises ``PlayerError`` where it has not what it owes."""
    if due.owed and has(ship, due.what) < -due.count:
        raise PlayerError(
            Text(
                "{ship} has no {what} left to pay: another attack or step took it. Choose something else.",
                ship=ship.name,
                what=named(due.what),
            )
        )
    match due.what:
        case OfCard(card):
            return charge(ship, card, due.count)
        case SideOf(card):
            return flip(ship, ship.upgrades.index(card.removeprefix("upgrade:")))
        case LockOn(target):
            return with_lock(ship, target) if due.count > 0 else replace(ship, locks=without(ship.locks, target))
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


def without(locks: Iterable[str], target: str) -> tuple[str, ...]:
    return tuple(one for one in locks if one != target)


def has(ship: Ship, what: Spendable) -> int:
    """How much of it a ship has; charges of cards are looked after where they are paid."""
    if isinstance(what, LockOn):
        return int(what.ship in ship.locks)
    return ship.has(what) if isinstance(what, str) else 0


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


def given(ship: Ship, tokens: Iterable[tuple[str, int]]) -> Ship:
    """The ship with these tokens. A jam that could take several things takes the first."""
    for token, count in tokens:
        for _ in range(count):
            ship = jam_first(ship) if token == JAM else gains(ship, token, 1)
    return ship


def jam_first(ship: Ship) -> Ship:
    from_all = jam_takes(ship)
    return jam(ship, 1, from_all[0] if from_all else "")


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
            continue
        hits, crits = (due.count, 0) if due.what == Face.HIT else (0, due.count)
        hurt, _, decks = suffer(now, ship, hits, crits, rng)
        changed |= {ship.name: hurt, **decks}
    return changed
