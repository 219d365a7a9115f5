"""X-Wing's ships on cards: one ship, those that a step changed, all of a channel."""

from collections.abc import Iterable, Mapping
from typing import Final

from bot.render.card import Card, join_names, quantity
from bot.rules.xwing.fleet import Fleet, order
from bot.rules.xwing.match import Table, engagement_order, match_of, ships_of
from bot.rules.xwing.ship import Ship
from bot.rules.xwing.tokens import CIRCULAR, STAYING

TITLE: Final = "X-Wing"
DOTS_MOST: Final = 8
"""More shields or hull than that are written as a number."""


def facts(table: Table, owners: Mapping[int, str] | None = None) -> tuple[tuple[str, str], ...]:
    """A name and a few lines for each ship, in the order in which they engage: the highest initiative first.

    ``owners`` are the names of the players of the channel, by number.
    """
    ships = engagement_order(match_of(table), ships_of(table))
    return tuple((headline(ship, (owners or {}).get(ship.owner, "")), "\n".join(lines(ship))) for ship in ships)


def headline(ship: Ship, owner: str = "") -> str:
    marks = [owner] if owner else []
    marks += ["destroyed"] if ship.destroyed else []
    marks += ["engaged"] if ship.engaged else []
    return " · ".join([ship.name, f"initiative {ship.initiative}", *marks])


def lines(ship: Ship) -> Iterable[str]:
    """Its dice, its body, what it holds, its abilities; a line that would be empty is left out."""
    yield f"attack {ship.attack} · agility {ship.agility}"
    hull = f"hull {dots(ship.hull_left, ship.hull, '■□')}{f' ({len(ship.faceup)} faceup)' if ship.faceup else ''}"
    yield f"shields {dots(ship.shields_left, ship.shields, '◆◇')} · {hull}" if ship.shields else hull
    if held := holding(ship):
        yield " · ".join(held)
    if ship.attacks:
        yield f"{quantity(ship.attacks, 'attack')} this round"
    if ship.abilities:
        yield ship.abilities


def dots(left: int, most: int, signs: str) -> str:
    """``◆◆◇``: what is left of a capacity; a number where there are too many to count at a glance."""
    return signs[0] * left + signs[1] * (most - left) if most <= DOTS_MOST else f"{left} of {most}"


def holding(ship: Ship) -> list[str]:
    """Tokens, force, charges and the lock, in words."""
    parts = [amount(kind, ship.tokens[kind]) for kind in (*CIRCULAR, *STAYING) if kind in ship.tokens]
    parts += [f"force {ship.force_left} of {ship.force}"] if ship.force else []
    if ship.charge or ship.charge_left:
        parts += [f"charges {ship.charge_left}{f' of {ship.charge}' if ship.charge else ''}"]
    charged = zip(ship.card.upgrades, ship.upgrade_charges, strict=True)
    parts += [f"{one.name} {left} of {one.charges.capacity}" for one, left in charged if one.charges.capacity]
    return parts + [f"lock on {target}" for target in ship.locks]


def amount(kind: str, count: int) -> str:
    """``focus``, ``2 focus``."""
    return f"{count} {kind}" if count > 1 else kind


def board(fleet: Fleet) -> Card:
    """All ships of a channel, the first to engage on top."""
    if not fleet:
        return Card(title=f"{TITLE} · ships", outcome="No ship is on the table here.", small="Add one: /xwing ship add")
    lost = [ship.name for ship in order(fleet) if ship.destroyed]
    outcome = f"{quantity(len(fleet), 'ship')} on the table."
    if lost:
        verb = "is" if len(lost) == 1 else "are"
        outcome = f"{quantity(len(fleet), 'ship')} on the table; {join_names(lost)} {verb} destroyed."
    return Card(title=f"{TITLE} · ships", outcome=outcome, facts=facts(fleet), ahead="nobody")


def step(outcome: str, before: Fleet, after: Fleet, title: str = "ships") -> Card:
    """What a step did: its sentence, and every ship that it changed as it stands now."""
    changed = {name: ship for name, ship in after.items() if before.get(name) != ship}
    return Card(title=f"{TITLE} · {title}", outcome=outcome, facts=facts(changed), ahead="nobody")
