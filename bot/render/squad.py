"""A squad in plain text: a table of its ships, and under each what it attacks with."""

from bot.rules.xwing.cards import Charges, PilotShip, Weapon
from bot.rules.xwing.squad import Squad

COLUMNS = ("Ship", "Type", "Size", "Initiative", "Agility", "Hull", "Shields", "Force", "Charges")


def squad_text(squad: Squad) -> str:
    """The squad as a table in lines, then a sentence for each id that is not known."""
    rows = [COLUMNS, *(cells(ship) for ship in squad.pilots)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    lines = [f"{squad.name} ({squad.faction})" if squad.name != squad.faction else squad.name, ""]
    lines.append(aligned(COLUMNS, widths))
    for ship, row in zip(squad.pilots, rows[1:], strict=True):
        lines.append(aligned(row, widths))
        lines += [f"    {weapon_text(weapon)}" for weapon in ship.weapons]
        lines += [f"    {one.name}: {charges_text(one.charges)}" for one in ship.upgrades if one.charges.capacity]
    return "\n".join([*lines, *(["", *squad.unknown] if squad.unknown else [])])


def aligned(row: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def cells(ship: PilotShip) -> tuple[str, ...]:
    """One row, in the order of the columns."""
    numbers = (ship.initiative, ship.agility, ship.hull, ship.shields)
    return (ship.name, ship.ship, ship.size, *map(str, numbers), recovering(ship.force), recovering(ship.charges))


def recovering(charges: Charges) -> str:
    """``2 (+1)``: the capacity, and what comes back in each End Phase."""
    return f"{charges.capacity} ({charges.recover:+})" if charges.recover else str(charges.capacity)


def charges_text(charges: Charges) -> str:
    """``2 charges``, ``1 charge, +1 in each End Phase``."""
    held = f"{charges.capacity} charge{'s' if charges.capacity != 1 else ''}"
    return f"{held}, {charges.recover:+} in each End Phase" if charges.recover else held


def weapon_text(weapon: Weapon) -> str:
    """``Proton Torpedoes: 4 dice, Front Arc, range 2-3, ordnance, needs lock, costs 1 charge``."""
    reach = str(weapon.nearest) if weapon.nearest == weapon.farthest else f"{weapon.nearest}-{weapon.farthest}"
    dice = f"{weapon.value} {'die' if weapon.value == 1 else 'dice'}"
    parts = [dice, weapon.arc, f"range {reach}"]
    parts += ["ordnance"] if weapon.ordnance else []
    parts += [f"needs {(' or ' if weapon.needs_any else ' and ').join(weapon.needs)}"] if weapon.needs else []
    parts += [f"costs {charges_text(Charges(weapon.cost))}"] if weapon.cost else []
    return f"{weapon.name}: {', '.join(parts)}"
