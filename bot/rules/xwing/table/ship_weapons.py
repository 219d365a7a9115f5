"""A ship's cards for rows, and its weapons: which may fire, and at what cost. Requirements are checked, not spent;
costs are paid before any roll. Source: rules page, X-Wing cards, section 1 (elsewhere); The attack, step by step (1).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from operator import eq
from typing import Final

from bot.rules.errors import BadInputError, PlayerError, UnpayableCostError, quote_value
from bot.rules.game import Side
from bot.rules.text import EMPTY, N_, Name, Names, Shown, Text, term
from bot.rules.xwing.cards.cards import FIRES, Weapon, without_quotes
from bot.rules.xwing.cards.effects import needs_claim
from bot.rules.xwing.cards.facts import ConditionReader, Facts, Fighter
from bot.rules.xwing.cards.rows import CardRow, rows_of
from bot.rules.xwing.dice import declared
from bot.rules.xwing.dice.consequences import Consequence, Ease, allows_disarmed
from bot.rules.xwing.dice.costs import CHARGE, Cost
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table.ship import Fleet, Ship, charge_upgrade


def fighter(ship: Ship | None, other: Ship | None) -> Fighter:
    if ship is None:
        return Fighter()
    card = ship.card
    charges = {
        f"upgrade:{upgrade.id}": left for upgrade, left in zip(card.upgrades, ship.upgrade_charges, strict=False)
    }
    return Fighter(
        card=replace(card, initiative=ship.initiative_value, size=ship.size, hull=ship.hull),
        name=ship.name,
        tokens={**ship.tokens, "force": ship.force_left, "energy": ship.energy_left},
        locked=other is not None and other.name in ship.locks,
        locks=ship.locks,
        shields=ship.shields_left,
        facedown=len(ship.facedown),
        faceup=tuple(filter(None, ship.faceup)),
        charges={**charges, f"pilot:{card.pilot}": ship.charge_left},
        sides={f"upgrade:{card.upgrades[place].id}": side.word for place, side in ship.sides.items()},
        conditions=ship.conditions,
        marks=ship.keeps,
        flown=ship.flight.maneuver if ship.flight is not None else "",
    )


def name_of(ship: Ship, row: CardRow) -> Name:
    return Name(without_quotes(ship.card.card_names.get(row.card, row.id)))


def missing_requirement(ship: Ship, row: CardRow, target: str) -> str:
    """Return the part of a right's cost that a ship lacks; "" if it can pay."""
    costs = (cost for cost in row.cost if not cost.is_gained)
    return next((cost.what for cost in costs if has(ship, row, cost, target) < cost.count), "")


def has(ship: Ship, row: CardRow, cost: Cost, target: str) -> int:
    if cost.what == CHARGE:
        places = [at for at, item in enumerate(ship.upgrades) if f"upgrade:{item}" == row.card]
        return max((ship.upgrade_charges[at] for at in places), default=0) if places else ship.charge_left
    if TOKENS[cost.what].is_on_target:
        return int(target in ship.locks if target else bool(ship.locks))
    return ship.has(cost.what)


def rows_outside(ship: Ship) -> Iterator[CardRow]:
    """Yield a ship's rows outside attacks with true known conditions and affordable costs."""
    every = (row for card in ship.card.cards for row in rows_of(card, ship.card.pool))
    own = [row for row in every if row.when is declared.DiceWindow.ELSEWHERE and needs_claim(row)]
    if not own:
        return
    me = fighter(ship, None)
    facts = Facts(fighters={Side.ATTACKER: Fighter(), Side.DEFENDER: me})
    reader = ConditionReader(facts, Side.DEFENDER, me, in_attack=False)
    yield from (row for row in own if reader.read(row).holds and not missing_requirement(ship, row, ""))


# Weapons


@dataclass(frozen=True, slots=True)
class Mount:
    """A weapon on a ship; ``place``: of its upgrade, -1 for a primary weapon."""

    weapon: Weapon
    place: int = -1


def mounts(ship: Ship) -> tuple[Mount, ...]:
    """List a ship's weapons, primary first, the best one with the ship's value; each upgrade is one of its own."""
    card, taken, result = ship.card, set[int](), []
    for weapon in card.weapons:
        place = -1
        if weapon.upgrade:
            places = [
                at for at, upgrade in enumerate(card.upgrades) if upgrade.id == weapon.upgrade and at not in taken
            ]
            place = places[0] if places else -1
            taken.add(place)
        elif weapon.value == card.attack:
            weapon = replace(weapon, value=ship.attack)
        result.append(Mount(weapon, place))
    return tuple(result)


def primary(ship: Ship) -> Mount | None:
    """Return the best primary weapon; None for a ship without one."""
    primary = (mount for mount in mounts(ship) if mount.weapon.primary)
    return max(primary, key=lambda mount: mount.weapon.value, default=None)


def find_weapon(ship: Ship, name: str) -> Mount:
    """Return the weapon of this name; among several, one with charges. Raises ``BadInputError`` listing its weapons."""
    asked = " ".join(name.casefold().split())
    result = [mount for mount in mounts(ship) if mount.weapon.name.casefold() == asked]
    if not result:
        names = [mount.weapon.name for mount in mounts(ship)]
        near = get_close_matches(name, names, n=1) or names
        message = N_("Use one of {ship}'s weapons: {weapons}.") if near else N_("Leave it out: {ship} has no weapons.")
        raise BadInputError("weapon", name, Text(message, ship=ship.name, weapons=Names(map(quote_value, near), "or")))
    return next((mount for mount in result if not missing_charges(ship, mount)), result[0])


def reason(ship: Ship, mount: Mount, target: Ship | None = None, range_: int | None = None) -> Shown:
    """Return why a ship certainly can't fire a weapon now, except by ``blocking_token``; "" if it may."""
    weapon = mount.weapon
    if (side := ship.sides.get(mount.place)) is not None and side.up != FIRES:
        return Text("shows {side}, which can't attack", side=Name(side.title))
    nearest = 0 if weapon.primary else weapon.nearest  # at range 0 the ruleset and cards decide
    by = int(is_let(ship, mount, target, partial(eq, Ease("range")))) if range_ is not None else 0
    if range_ is not None and not nearest - by <= range_ <= weapon.farthest + by:
        near, far = weapon.nearest, weapon.farthest
        message = N_("has range {far}") if near == far else N_("has range {near} to {far}")
        return Text(message, near=near, far=far)
    missing = [lack for need in weapon.needs if (lack := missing_need(ship, need, target))]
    if missing and not is_let(ship, mount, target, partial(eq, Ease("tokens"))):
        if not weapon.needs_any:
            return Text("requires {what}", what=missing[0])
        if len(missing) == len(weapon.needs):
            return Text("requires {what}", what=Names(missing, "or"))
    return missing_charges(ship, mount)


def usable_weapons(ship: Ship, target: Ship | None = None) -> tuple[Mount, ...]:
    return tuple(mount for mount in mounts(ship) if not blocking_token(ship, mount, target))


def blocking_token(ship: Ship, mount: Mount, target: Ship | None = None) -> str:
    """Return the token that keeps a ship from firing a weapon, or "": with one disarm token a card may allow it."""
    held = [name for name in ship.tokens if TOKENS[name].disarms]
    if held != [DISARM]:
        return held[0] if held else ""
    count = ship.has(DISARM)
    return "" if is_let(ship, mount, target, lambda deed: allows_disarmed(deed, count)) else DISARM


def is_let(ship: Ship, mount: Mount, target: Ship | None, allows: Callable[[Consequence], bool]) -> bool:
    """Whether a row of the ship's cards with such an effect holds for this weapon."""
    every = (row for card in ship.card.cards for row in rows_of(card, ship.card.pool))
    if not (rows := [row for row in every if any(map(allows, row.deeds))]):
        return False
    me = fighter(ship, target)
    me = me if target is not None else replace(me, locked=bool(ship.locks))
    facts = Facts(fighters={Side.ATTACKER: me, Side.DEFENDER: Fighter()}, weapon=mount.weapon)
    return any(ConditionReader(facts, Side.ATTACKER, me).read(row).holds for row in rows)


DISARM: Final = "disarm"
LENDS_LOCKS: Final = "targetingsynchronizer"
"""The upgrade whose ship's locks meet the requirements of friends' weapons."""


def with_lent_locks(ship: Ship, fleet: Fleet) -> Ship:
    """Return a ship as the requirements of its weapons see it: with the locks that friends lend it."""
    friends = (item for item in fleet.values() if item.owner == ship.owner and LENDS_LOCKS in item.upgrades)
    lent = (target for friend in friends if friend.name != ship.name for target in friend.locks)
    return replace(ship, locks=tuple(dict.fromkeys((*ship.locks, *lent))))


def missing_need(ship: Ship, need: str, target: Ship | None) -> Text:
    """Return the weapon requirement that its ship lacks, or ""; any lock will do while the target is unknown."""
    if need not in TOKENS or not TOKENS[need].is_on_target:
        return EMPTY if ship.has(need) else Text("a {need} token", need=term(need))
    if target is None:
        return EMPTY if ship.locks else Text("a lock on the target")
    return EMPTY if target.name in ship.locks else Text("a lock on {target}", target=target.name)


def missing_charges(ship: Ship, mount: Mount) -> Text:
    """Return why its charges don't suffice; "" if they do."""
    cost = mount.weapon.cost
    if not cost or mount.place < 0 or (left := ship.upgrade_charges[mount.place]) >= cost:
        return EMPTY
    return Text("costs {cost} and has {left} left", cost=TOKENS["charge"].count_text(cost), left=left or Text("none"))


def check_fire(ship: Ship, mount: Mount, target: Ship | None, range_: int | None, *, allowed: bool = False) -> None:
    """Check step 1, disarming unless ``allowed``. Raises ``UnpayableCostError`` before anything is rolled."""
    weapon = mount.weapon.title
    if not allowed and (token := blocking_token(ship, mount, target)):
        others = Names([item.weapon.title for item in usable_weapons(ship, target)], "or")
        message = N_("{ship} has a {token} token and can't fire {weapon}. Choose {weapons}.")
        none = N_("{ship} has a {token} token and can't fire {weapon}. Choose another ship.")
        said = message if others else none
        raise UnpayableCostError(Text(said, ship=ship.name, token=term(token), weapon=weapon, weapons=others))
    if why := reason(ship, mount, target, range_):
        message = N_("{ship} can't fire {weapon}: it {why}. Choose another `weapon`, or correct the ship.")
        raise UnpayableCostError(Text(message, ship=ship.name, weapon=weapon, why=why))


def pay_charges(ship: Ship, place: int, cost: int) -> Ship:
    """Pay a weapon's charges. Raises ``PlayerError`` if they are gone by now."""
    if not cost or place < 0:
        return ship
    if ship.upgrade_charges[place] < cost:
        message = N_("{ship} no longer has enough charges for this weapon.")
        raise PlayerError(Text(message, ship=ship.name))
    return charge_upgrade(ship, place, -cost)
