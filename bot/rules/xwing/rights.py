"""Rights to bonus attacks, as rows give them: with which weapon, at which target, for what cost.

Source: rules page, X-Wing cards, section 2 (Bonus attacks). The weapon's arc, range, needs and costs hold unless the
row lifts them.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from bot.rules.errors import BadInput, Known, PlayerError, Unpayable
from bot.rules.text import Names, Sentences, Text
from bot.rules.xwing.card_rows import ROWS, rows_of
from bot.rules.xwing.cards import Weapon
from bot.rules.xwing.costs import CHARGE, Cost, asked
from bot.rules.xwing.declared import Right
from bot.rules.xwing.deeds import OTHER_TURRET, BonusAttack, Lifts, Lose, Weapons, Who
from bot.rules.xwing.dues import charge, without_any
from bot.rules.xwing.fire import Mount, mounts
from bot.rules.xwing.hurt import gains
from bot.rules.xwing.rows import Row
from bot.rules.xwing.ship import Ship, give, unquoted
from bot.rules.xwing.tokens import TOKENS

KEY: Final = re.compile(r"(?P<card>[^\[]+)\[(?P<place>[1-9])\]")


def allows(right: BonusAttack, weapon: Weapon, fired: str, card: str) -> bool:
    """Whether a weapon may be used.

    ``fired``: the name of the weapon of the attack before, "" for none; ``card``: the row's, a weapon itself where it
    says the same weapon.
    """
    named = {
        Weapons.ANY: True,
        Weapons.PRIMARY: weapon.primary,
        Weapons.SPECIAL: not weapon.primary,
        Weapons.SAME: f"upgrade:{weapon.upgrade}" == card,
    }
    return named.get(right.weapons, weapon.slot == right.weapons) and has_arc(right, weapon, fired)


def has_arc(right: BonusAttack, weapon: Weapon, fired: str) -> bool:
    """A turret has one arc, or two; the other one of two is another arc of the same weapon."""
    arc = weapon.arc.casefold()
    if right.arc == OTHER_TURRET:
        return "turret" in arc and (weapon.name != fired or "double" in arc)
    return right.arc in arc


def key_of(row: Row) -> str:
    return f"{row.card}[{row.place}]"


def row_of(key: str) -> Row | None:
    """The row of a key, if it gives a right."""
    said = KEY.fullmatch(key)
    found = [row for row in ROWS.get(said["card"], ()) if row.place == int(said["place"])] if said else []
    return next((row for row in found if gives(row)), None)


def gives(row: Row) -> bool:
    """Whether a row gives a right to a bonus attack."""
    return any(isinstance(deed, BonusAttack) for deed in row.deeds)


def limits_of(row: Row) -> BonusAttack:
    """The limits of the bonus attack that a row gives."""
    return next(deed for deed in row.deeds if isinstance(deed, BonusAttack))


def held(ship: Ship) -> Iterable[Row]:
    """The rows of a ship's own cards that give it rights."""
    return (row for card in ship.card.cards for row in rows_of(card, ship.card.pool) if gives(row))


def right_of(ship: Ship, key: str) -> Right:
    """The right of a ship by its row. Raises ``BadInput`` for one that its cards do not give."""
    row = next((one for one in held(ship) if key_of(one) == key), None)
    if row is None:
        known = Known(tuple(map(key_of, held(ship))))
        raise BadInput("right", key, known, Text("No card of {ship} gives this bonus attack.", ship=ship.name))
    return Right(row=key, name=name_of(ship, row), ship=ship.name)


def name_of(ship: Ship, row: Row) -> str:
    return unquoted(ship.card.card_names.get(row.card, row.id))


def weapons(row: Row, ship: Ship, fired: str = "") -> list[Mount]:
    """The weapons that a row lets a ship use, as ``allows``, without what the row lifts."""
    limits = limits_of(row)
    return [lifted(one, limits.lifts) for one in mounts(ship) if allows(limits, one.weapon, fired, row.card)]


def lifted(mount: Mount, lifts: Lifts) -> Mount:
    """The weapon without the need or the cost that a row lifts."""
    if lifts is Lifts.LOCK:
        needs = tuple(need for need in mount.weapon.needs if not TOKENS[need].is_on_target)
        return replace(mount, weapon=replace(mount.weapon, needs=needs))
    return replace(mount, weapon=replace(mount.weapon, cost=0)) if lifts is Lifts.COST else mount


def said(right: Right) -> str:
    """What is claimed and paid by using a right, as ``named`` of ``modify.py`` says it; "" for nothing."""
    row = row_of(right.row)
    if row is None:
        return Sentences([], "; ")
    paid = asked(row.cost)
    return Sentences([Text(row.ask.text), Text("for {costs}", costs=paid) if paid else ""], "; ")


def lacks(ship: Ship, row: Row, target: str) -> str:
    """What a ship has not of the cost of a right; "" where it can pay."""
    for cost in row.cost:
        if not cost.is_gained and has(ship, row, cost, target) < cost.count:
            return cost.what
    return ""


def has(ship: Ship, row: Row, cost: Cost, target: str) -> int:
    if cost.what == CHARGE:
        places = [at for at, one in enumerate(ship.upgrades) if f"upgrade:{one}" == row.card]
        return max((ship.upgrade_charges[at] for at in places), default=0) if places else ship.charge_left
    if TOKENS[cost.what].is_on_target:
        return int(target in ship.locks if target else bool(ship.locks))
    return ship.has(cost.what)


def paid(ship: Ship, row: Row, target: str) -> Ship:
    """The ship after the cost of a right, and what the row does to it besides. Raises ``Unpayable``."""
    if what := lacks(ship, row, target):
        raise Unpayable(
            Text(
                "{ship} has not enough to pay for this bonus attack: {what}. Attack with something else.",
                ship=ship.name,
                what=what,
            )
        )
    for cost in row.cost:
        if cost.what == CHARGE:
            card = row.card if row.card.startswith("upgrade:") else f"pilot:{ship.pilot}"
            ship = charge(ship, card, -cost.count)
        elif cost.is_gained:
            ship = gains(ship, cost.what, cost.count)
        elif TOKENS[cost.what].is_on_target:
            ship = replace(ship, locks=tuple(one for one in ship.locks if one != target))
        else:
            ship = give(ship, cost.what, -cost.count)
    return after_losing(ship, row)


def after_losing(ship: Ship, row: Row) -> Ship:
    """The ship without the tokens that the row takes off it: a card may let a cloaked ship attack."""
    for deed in row.deeds:
        if isinstance(deed, Lose) and deed.who is Who.ME:
            ship = without_any(ship, deed.kinds, deed.count)
    return ship


def checked(right: Right, ship: Ship, mount: Mount | None) -> Mount:
    """The weapon without what the row lifts; which turret was used before, its form knows.

    Raises ``PlayerError`` for a weapon that the right does not allow.
    """
    row = row_of(right.row)
    fitting = weapons(row, ship) if row is not None else []
    found = next((one for one in fitting if mount is not None and one.weapon.name == mount.weapon.name), None)
    if found is not None:
        return found
    if not fitting:
        raise PlayerError(Text("{ship} has no weapon for the bonus attack of {card}.", card=right.name, ship=ship.name))
    names = Names([one.weapon.name for one in fitting], "or")
    raise PlayerError(Text("{card} gives a bonus attack with {weapons}. Choose that.", card=right.name, weapons=names))
