"""Rights to bonus attacks, as rows give them: with which weapon, at which target, for what cost.

Source: rules page, X-Wing cards, section 2 (Bonus attacks). The weapon's arc, range, needs and costs hold unless the
row lifts them.
"""

from collections.abc import Iterable
from dataclasses import replace

from bot.rules.errors import BadInput, Known, PlayerError, Unpayable
from bot.rules.text import N_, Names, Text, term
from bot.rules.xwing.cards import bonus
from bot.rules.xwing.cards.rows import Row, rows_of
from bot.rules.xwing.dice.costs import CHARGE
from bot.rules.xwing.dice.declared import Right
from bot.rules.xwing.dice.deeds import Lifts, Lose, Who
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table.carried import lacks, name_of
from bot.rules.xwing.table.dues import charge, without_any
from bot.rules.xwing.table.fire import Mount, mounts
from bot.rules.xwing.table.hurt import gains, unlocked
from bot.rules.xwing.table.ship import Ship, give


def held(ship: Ship) -> Iterable[Row]:
    """The rows of a ship's own cards that give it rights."""
    return (row for card in ship.card.cards for row in rows_of(card, ship.card.pool) if bonus.gives(row))


def right_of(ship: Ship, key: str) -> Right:
    """The right of a ship by its row. Raises ``BadInput`` for one that its cards do not give."""
    row = next((one for one in held(ship) if bonus.key_of(one) == key), None)
    if row is None:
        known = Known(tuple(map(bonus.key_of, held(ship))))
        raise BadInput("right", key, known, Text("No card of {ship} gives this bonus attack.", ship=ship.name))
    return Right(row=key, name=name_of(ship, row), ship=ship.name)


def weapons(row: Row, ship: Ship, fired: str = "") -> list[Mount]:
    """The weapons that a row lets a ship use, as ``allows``, without what the row lifts."""
    limits = bonus.limits_of(row)
    return [lifted(one, limits.lifts) for one in mounts(ship) if bonus.allows(limits, one.weapon, fired, row.card)]


def lifted(mount: Mount, lifts: Lifts) -> Mount:
    """The weapon without the need or the cost that a row lifts."""
    if lifts is Lifts.LOCK:
        needs = tuple(need for need in mount.weapon.needs if not TOKENS[need].is_on_target)
        return replace(mount, weapon=replace(mount.weapon, needs=needs))
    return replace(mount, weapon=replace(mount.weapon, cost=0)) if lifts is Lifts.COST else mount


def paid(ship: Ship, row: Row, target: str) -> Ship:
    """The ship after the cost of a right, and what the row does to it besides. Raises ``Unpayable``."""
    if what := lacks(ship, row, target):
        message = N_("{ship} has not enough to pay for this bonus attack: {what}. Attack with something else.")
        raise Unpayable(Text(message, ship=ship.name, what=term(what)))
    for cost in row.cost:
        if cost.what == CHARGE:
            card = row.card if row.card.startswith("upgrade:") else f"pilot:{ship.pilot}"
            ship = charge(ship, card, -cost.count)
        elif cost.is_gained:
            ship = gains(ship, cost.what, cost.count)
        elif TOKENS[cost.what].is_on_target:
            ship = replace(ship, locks=unlocked(ship.locks, target))
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
    row = bonus.row_of(right.row)
    fitting = weapons(row, ship) if row is not None else []
    found = next((one for one in fitting if mount is not None and one.weapon.name == mount.weapon.name), None)
    if found is not None:
        return found
    if not fitting:
        raise PlayerError(Text("{ship} has no weapon for the bonus attack of {card}.", card=right.name, ship=ship.name))
    names = Names([one.weapon.title for one in fitting], "or")
    raise PlayerError(Text("{card} gives a bonus attack with {weapons}. Choose that.", card=right.name, weapons=names))
