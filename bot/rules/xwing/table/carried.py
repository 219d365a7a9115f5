"""A ship with the cards that it carries, as rows see it: what holds of it, what it can pay, what acts outside attacks.

Source: rules page, X-Wing cards, section 1 (elsewhere).
"""

from collections.abc import Iterator
from dataclasses import replace

from bot.rules.game import Side
from bot.rules.text import Name
from bot.rules.xwing.cards.cards import unquoted
from bot.rules.xwing.cards.effects import needs_claim
from bot.rules.xwing.cards.facts import Facts, Fighter, Reader
from bot.rules.xwing.cards.rows import Row, rows_of
from bot.rules.xwing.dice.costs import CHARGE, Cost
from bot.rules.xwing.dice.declared import When
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table.ship import Ship


def fighter(ship: Ship | None, other: Ship | None) -> Fighter:
    """A ship of the table as rows see it."""
    if ship is None:
        return Fighter()
    card = ship.card
    charges = {f"upgrade:{one.id}": left for one, left in zip(card.upgrades, ship.upgrade_charges, strict=False)}
    return Fighter(
        card=replace(card, initiative=ship.initiative, size=ship.size),
        name=ship.name,
        tokens={**ship.tokens, "force": ship.force_left, "energy": ship.energy_left},
        locked=other is not None and other.name in ship.locks,
        shields=ship.shields_left,
        facedown=len(ship.facedown),
        faceup=tuple(filter(None, ship.faceup)),
        charges={**charges, f"pilot:{card.pilot}": ship.charge_left},
        sides={f"upgrade:{card.upgrades[place].id}": side.word for place, side in ship.sides.items()},
        flown=ship.flight.manoeuvre if ship.flight is not None else "",
    )


def name_of(ship: Ship, row: Row) -> Name:
    return Name(unquoted(ship.card.card_names.get(row.card, row.id)))


def lacks(ship: Ship, row: Row, target: str) -> str:
    """What a ship has not of the cost of a right; "" where it can pay."""
    costs = (one for one in row.cost if not one.is_gained)
    return next((one.what for one in costs if has(ship, row, one, target) < one.count), "")


def has(ship: Ship, row: Row, cost: Cost, target: str) -> int:
    if cost.what == CHARGE:
        places = [at for at, one in enumerate(ship.upgrades) if f"upgrade:{one}" == row.card]
        return max((ship.upgrade_charges[at] for at in places), default=0) if places else ship.charge_left
    if TOKENS[cost.what].is_on_target:
        return int(target in ship.locks if target else bool(ship.locks))
    return ship.has(cost.what)


def rows_outside(ship: Ship) -> Iterator[Row]:
    """The rows of a ship that act outside attacks, as far as what the bot knows holds, and it can pay."""
    every = (row for card in ship.card.cards for row in rows_of(card, ship.card.pool))
    own = [row for row in every if row.when is When.ELSEWHERE and (row.at or needs_claim(row))]
    if not own:
        return
    me = fighter(ship, None)
    reader = Reader(Facts(fighters={Side.ATTACKER: Fighter(), Side.DEFENDER: me}), Side.DEFENDER, me)
    yield from (row for row in own if reader.read(row).holds and not lacks(ship, row, ""))
