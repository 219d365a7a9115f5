"""Effects of card rows on ships: in an attack, and as rights to bonus attacks.

In an attack: charges, tokens, shields, and damage, paid here. Costs are checked when offered; a press is refused if
they are gone by then. Effects on the enemy apply as far as possible.

Rights give weapon, target, and cost; the weapon's arc, range, needs, and costs apply unless waived. Bonus attacks
outside attacks are options in the attack form; other effects outside attacks are in ``moments``.

Source: rules page, X-Wing cards, sections 1 (elsewhere) and 2 (Bonus attacks).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from bot.rules.dice import Rng
from bot.rules.errors import AllowedWords, BadInputError, PlayerError, UnpayableCostError
from bot.rules.game import Option
from bot.rules.text import N_, Names, Text, term
from bot.rules.text_values import FormPlace, TextValue, value_reader
from bot.rules.xwing.cards import cards
from bot.rules.xwing.cards.rows import CardRow, right_row, rows_of
from bot.rules.xwing.dice import consequences, costs, faces
from bot.rules.xwing.dice.conditions import GROUPS
from bot.rules.xwing.dice.declared import BonusRight
from bot.rules.xwing.dice.tokens import GREEN, TOKENS
from bot.rules.xwing.table.match import Table, ships_of
from bot.rules.xwing.table.ship import Ship, charge_upgrade, flip, give, jam, jam_takes, with_lock
from bot.rules.xwing.table.ship_damage import expose, gain_tokens, remove_locks, suffer
from bot.rules.xwing.table.ship_weapons import Mount, find_weapon, missing_requirement, mounts, name_of, rows_outside


class BonusAttackTick(TextValue):
    """The checkbox of a bonus attack, by its row's key."""

    row: str

    forms = ("right:{row}",)
    places: ClassVar[Mapping[str, FormPlace]] = {"row": FormPlace(".+")}


TICK: Final = value_reader(BonusAttackTick)


# In an attack


def apply_change(ship: Ship, due: costs.PendingChange) -> Ship:
    """Apply one change. Raises ``PlayerError`` if it can't be paid."""
    if due.owed and has(ship, due.what) < -due.count:
        message = N_("{ship} has no {what} left: another attack or step used it. Choose something else.")
        raise PlayerError(Text(message, ship=ship.name, what=costs.cost_name(due.what)))
    match due.what:
        case costs.OfCard(card):
            return charge(ship, card, due.count)
        case costs.SideOf(card):
            return flip(ship, ship.upgrades.index(card.id))
        case costs.LockOn(target) if due.count <= 0:
            return replace(ship, locks=remove_locks(ship.locks, target))
        case costs.LockOn(target):
            return with_lock(ship, target) if target else ship
        case costs.TokenGroup.RED_OR_ORANGE:
            return without_any(ship, GROUPS[costs.TokenGroup.RED_OR_ORANGE], -due.count)
        case costs.TokenGroup.GREEN:
            return without_any(ship, GREEN, -due.count)
        case costs.AnyOf(kinds):
            return without_any(ship, kinds, -due.count)
        case str(kept) if kept in costs.NEXT_CARD:
            return replace(ship, keeps={**ship.keeps, kept: ship.keeps.get(kept, 0) + due.count})
        case str(token) if due.count > 0:
            return give_tokens(ship, ((token, due.count),))
        case str(token):
            return give(ship, token, -min(-due.count, ship.has(token)))
        case _:
            raise ValueError(due.what)


def has(ship: Ship, what: costs.Spendable) -> int:
    """Return how much of it a ship has; charges of cards are checked when paid."""
    if isinstance(what, costs.LockOn):
        return int(what.ship in ship.locks)
    return ship.has(what) if isinstance(what, str) else 0


def charge(ship: Ship, card: costs.CardId, count: int) -> Ship:
    if card.kind != "upgrade" and ship.charge_left + count >= 0:
        return gain_tokens(ship, "charge", count)
    for place, (upgrade, left) in enumerate(zip(ship.card.upgrades, ship.upgrade_charges, strict=True)):
        if card.kind == "upgrade" and upgrade.id == card.id and left + count >= 0:
            return charge_upgrade(ship, place, min(count, upgrade.charges.capacity - left))
    raise PlayerError("{ship} has no charge left for this card.", ship=ship.name)


def without_any(ship: Ship, kinds: Iterable[str], count: int) -> Ship:
    """Remove ``count`` tokens of these kinds from the ship, in their order."""
    for kind in kinds:
        taken = min(count, ship.has(kind))
        ship, count = give(ship, kind, -taken) if taken else ship, count - taken
    return ship


def give_tokens(ship: Ship, tokens: Iterable[tuple[str, int]]) -> Ship:
    """Give tokens to a ship. A jam with several options removes the first."""
    for kind, count in tokens:
        for _ in range(count):
            ship = jam(ship, 1, next(iter(jam_takes(ship)), "")) if kind == "jam" else gain_tokens(ship, kind, 1)
    return ship


def change_other_ships(
    table: Table, owed: Sequence[costs.PendingChange], fighting: tuple[str, ...]
) -> Mapping[str, Any]:
    changed: dict[str, Any] = {}
    fleet = ships_of(table)
    for due in owed:
        if due.ship in fleet and due.ship not in fighting and due.what not in costs.AS_DAMAGE:
            changed[due.ship] = apply_change(changed.get(due.ship) or fleet[due.ship], due)
    return changed


def suffer_damage(table: Table, owed: Sequence[costs.PendingChange], rng: Rng) -> Mapping[str, Any]:
    """Deal the damage of rows in order, with the decks."""
    changed: dict[str, Any] = {}
    for due in owed:
        now: Table = {**table, **changed}
        ship = ships_of(now).get(due.ship)
        if ship is None or due.what not in costs.AS_DAMAGE:
            continue
        if due.what == costs.EXPOSE:
            changed |= expose(now, ship.name, rng)[0] if ship.facedown else {}
        else:
            hits, crits = (due.count, 0) if due.what == faces.Face.HIT else (0, due.count)
            hurt, _, decks = suffer(now, ship, hits, crits, rng)
            changed |= {ship.name: hurt, **decks}
    return changed


# Rights to bonus attacks


def own_rights(ship: Ship) -> Iterable[CardRow]:
    return (row for card in ship.card.cards for row in rows_of(card, ship.card.pool) if row.bonus)


def right_of(ship: Ship, key: str, weapon: str) -> BonusRight | None:
    """Return a ship's right by its row, or a weapon's own. Raises ``BadInputError`` if its cards don't give it."""
    key = key or weapon_right(ship, weapon)
    if not key:
        return None
    row = next((item for item in own_rights(ship) if item.key == key), None)
    if row is None:
        known = AllowedWords(tuple(row.key for row in own_rights(ship)))
        raise BadInputError(
            "right", key, known, Text("None of {ship}'s cards grants this bonus attack.", ship=ship.name)
        )
    return BonusRight(row=key, name=name_of(ship, row), ship=ship.name)


def weapon_right(ship: Ship, name: str) -> str:
    """Return the row by which a weapon's own card lets it fire, if only as a bonus attack; "" for other weapons."""
    if not name:
        return ""
    rows = rows_of(f"upgrade:{find_weapon(ship, name).weapon.upgrade}", ship.card.pool)
    return next((row.key for row in rows if not row.on and "same weapon" in str(row.bonus)), "")


def is_free(right: BonusRight | None) -> bool:
    """Whether a card's attack is no bonus attack, and takes none of the round's."""
    row = right_row(right.row) if right is not None else None
    return row is not None and row.bonus is not None and row.bonus.lifts is consequences.WaivedRequirement.LIMIT


def weapons(row: CardRow, ship: Ship, fired: str = "") -> list[Mount]:
    """Return the weapons that a row allows, as ``is_weapon_allowed``, without waived requirements."""
    if (right := row.bonus) is None:
        return []
    allowed = (mount for mount in mounts(ship) if is_weapon_allowed(right, mount.weapon, fired, row.card))
    return [waive_requirement(mount, right.lifts) for mount in allowed]


def is_weapon_allowed(right: consequences.BonusAttack, weapon: cards.Weapon, fired: str, card: str) -> bool:
    """Whether a right allows a weapon; ``fired``: the previous one, or ""; ``card``: the row's own weapon, if any."""
    named = {
        consequences.BonusWeapons.ANY: True,
        consequences.BonusWeapons.SAME: f"upgrade:{weapon.upgrade}" == card,
        consequences.BonusWeapons.OTHER: weapon.name != fired,
    }
    arc, has_arc = weapon.arc.casefold(), right.arc in weapon.arc.casefold()
    if right.arc == consequences.OTHER_TURRET:  # a double turret's other arc is the same weapon
        has_arc = "turret" in arc and (weapon.name != fired or "double" in arc)
    return named.get(right.weapons, weapon.is_kind(right.weapons)) and has_arc


def waive_requirement(mount: Mount, lifts: consequences.WaivedRequirement) -> Mount:
    """Return the weapon without the requirement or cost that a row waives."""
    if lifts is consequences.WaivedRequirement.LOCK:
        needs = tuple(need for need in mount.weapon.needs if not TOKENS[need].is_on_target)
        return replace(mount, weapon=replace(mount.weapon, needs=needs))
    return (
        replace(mount, weapon=replace(mount.weapon, cost=0)) if lifts is consequences.WaivedRequirement.COST else mount
    )


def pay_right(ship: Ship, right: BonusRight | None, target: str) -> Ship:
    """Pay a right's cost, and apply its row's other effects on the ship. Raises ``UnpayableCostError``."""
    row = right_row(right.row) if right is not None else None
    if row is None:
        return ship
    if what := missing_requirement(ship, row, target):
        message = N_("{ship} doesn't have enough {what} for this bonus attack. Attack with something else.")
        raise UnpayableCostError(Text(message, ship=ship.name, what=term(what)))
    for cost in row.cost:
        if cost.what == costs.CHARGE:
            card = row.card if row.card.kind == "upgrade" else costs.CardId("pilot", ship.pilot)
            ship = charge(ship, card, -cost.count)
        elif cost.is_gained:
            ship = gain_tokens(ship, cost.what, cost.count)
        elif TOKENS[cost.what].is_on_target:
            ship = replace(ship, locks=remove_locks(ship.locks, target))
        else:
            ship = give(ship, cost.what, -cost.count)
    return for_right(ship, right)


def for_right(ship: Ship, right: BonusRight | None) -> Ship:
    """Remove the tokens that a right to attack removes: a card may let a cloaked ship attack."""
    row = right_row(right.row) if right is not None else None
    for deed in row.deeds if row is not None else ():
        if isinstance(deed, consequences.Lose) and deed.who is consequences.Who.ME:
            ship = without_any(ship, deed.kinds, deed.count)
    return ship


def check_weapon(right: BonusRight, ship: Ship, mount: Mount | None) -> Mount:
    """Return the weapon without lifted requirements. Raises ``PlayerError`` for one that the right does not allow."""
    row = right_row(right.row)
    fitting = weapons(row, ship) if row is not None else []
    result = next((item for item in fitting if mount is not None and item.weapon.name == mount.weapon.name), None)
    if result is not None:
        return result
    if not fitting:
        raise PlayerError("{ship} has no weapon for {card}'s bonus attack.", card=right.name, ship=ship.name)
    names = Names([item.weapon.title for item in fitting], "or")
    raise PlayerError("{card} grants a bonus attack with {weapons}. Choose that.", card=right.name, weapons=names)


# Outside attacks


def right_options(ship: Ship) -> list[Option]:
    """Return the bonus attacks at other moments, as checkboxes of the attack form."""
    own = [(name_of(ship, row), row) for row in rows_outside(ship) if row.bonus]
    says = N_("Bonus attack: {card}")
    return [Option(str(BonusAttackTick(row.key)), Text(says, card=name), row.claim) for name, row in own]
