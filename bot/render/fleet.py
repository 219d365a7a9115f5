"""X-Wing's ships of a channel in words: what each has left, and what it did this round."""

from collections.abc import Iterable, Mapping

from bot.render.card import counted, listed
from bot.rules.xwing.ship import Ship


def facts(fleet: Mapping[str, Ship]) -> tuple[tuple[str, str], ...]:
    """A name and a few lines for each ship, in the order in which they engage: the highest initiative first."""
    ships = sorted(fleet.values(), key=lambda ship: (-ship.initiative, ship.name.casefold()))
    return tuple((headline(ship), "\n".join(lines(ship))) for ship in ships)


def headline(ship: Ship) -> str:
    marks = ["destroyed"] if ship.destroyed else []
    marks += ["engaged"] if ship.engaged else []
    return " · ".join([ship.name, f"initiative {ship.initiative}", *marks])


def lines(ship: Ship) -> Iterable[str]:
    """Its body, its tokens, its locks; a line that would be empty is left out."""
    cards = [counted(count, f"{kind} card") for kind, count in damage(ship) if count]
    yield f"hull {ship.hull}{f' with {listed(cards)}' if cards else ''}, shields {ship.shields_left} of {ship.shields}"
    held = [f"{count} {kind}" for kind, count in ship.tokens.items() if count]
    held += [f"force {ship.force_left} of {ship.force}"] if ship.force else []
    held += [f"{counted(ship.charge_left, 'charge')}"] if ship.charge_left else []
    yield ", ".join(held) or "no tokens"
    if ship.locks:
        yield f"lock on {listed(list(ship.locks))}"
    if ship.attacks:
        yield f"{counted(ship.attacks, 'attack')} this round"


def damage(ship: Ship) -> tuple[tuple[str, int], ...]:
    return ("facedown", ship.facedown), ("faceup", ship.faceup)
