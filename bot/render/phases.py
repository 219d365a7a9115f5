"""X-Wing's Engagement Phase and End Phase on cards."""

from collections.abc import Mapping
from typing import Final

from bot.render.card import Card, counted, listed
from bot.render.fleet import TITLE, amount
from bot.rules.xwing.fleet import Fleet, leaving, order, step_of
from bot.rules.xwing.ship import CIRCULAR, Ship

COUNTED: Final[Mapping[str, str]] = {"force_left": "force", "charge_left": "charges"}
"""The numbers of a ship that come back in the End Phase, and what they are called."""


def engagement(fleet: Fleet, before: Fleet | None = None, engaged: str | None = None) -> Card:
    """The order, whose step it is, who has engaged; after a ship ``engaged``, also what that changed."""
    told = [f"{name} leaves the table." for name in gone(before or fleet, fleet)]
    told += [f"{engaged} engages."] if engaged in fleet else []
    initiatives = sorted({ship.initiative for ship in fleet.values()}, reverse=True)
    return Card(
        title=f"{TITLE} · Engagement Phase",
        outcome=" ".join([*told, whose(fleet)]),
        facts=tuple((row_title(fleet, initiative), row(fleet, initiative)) for initiative in initiatives),
        small="▶ may engage now · ✓ has engaged · ✗ destroyed: leaves when the attacker's initiative has engaged",
        ahead="nobody" if step_of(fleet) is None else "open",
    )


def whose(fleet: Fleet) -> str:
    """Whose step it is, in one sentence."""
    now = step_of(fleet)
    if not fleet:
        return "No ship is on the table here."
    if now is None:
        return "All ships have engaged; the End Phase is next."
    waiting = [ship.name for ship in order(fleet) if ship.initiative == now and not ship.engaged]
    return f"Next, with initiative {now}: {' or '.join(waiting)}."


def row_title(fleet: Fleet, initiative: int) -> str:
    return f"Initiative {initiative}{' · now' if initiative == step_of(fleet) else ''}"


def row(fleet: Fleet, initiative: int) -> str:
    """The ships of one initiative, each with its mark."""
    ships = [ship for ship in order(fleet) if ship.initiative == initiative]
    return "\n".join(f"{mark(fleet, ship)} {ship.name}{attacked(ship)}" for ship in ships)


def mark(fleet: Fleet, ship: Ship) -> str:
    if ship.name in leaving(fleet):
        return "✗"
    sign = "✓" if ship.engaged else "▶" if ship.initiative == step_of(fleet) else "·"
    return f"{sign} ✗" if ship.destroyed else sign


def attacked(ship: Ship) -> str:
    return f" ({counted(ship.attacks, 'attack')})" if ship.attacks else ""


def gone(before: Fleet, after: Fleet) -> list[str]:
    return [ship.name for ship in order(before) if ship.name not in after]


def end_phase(before: Fleet, after: Fleet) -> Card:
    """What left and what came back, ship by ship."""
    left = gone(before, after)
    changes = {ship.name: differences(before[ship.name], ship) for ship in order(after)}
    changed = tuple((name, "\n".join(told)) for name, told in changes.items() if told)
    parts = [f"{listed(left)} {'leaves' if len(left) == 1 else 'leave'} the table"] if left else []
    parts += [f"{counted(len(changed), 'ship')} {'changes' if len(changed) == 1 else 'change'}"] if changed else []
    return Card(
        title=f"{TITLE} · End Phase",
        outcome=f"The round is over: {listed(parts) or 'no token leaves'}.",
        facts=(*((name, "destroyed, leaves the table") for name in left), *changed),
        small="Round tokens leave; locks, stress, strain, deplete, ion stay; force and recurring charges regain one",
        ahead="nobody",
    )


def differences(before: Ship, after: Ship) -> list[str]:
    """What the End Phase changed on one ship; that it may engage again goes without saying."""
    lost = [amount(kind, before.tokens[kind]) for kind in CIRCULAR if kind in before.tokens]
    lines = [f"loses {listed(lost)}"] if lost else []
    for field, name in COUNTED.items():
        was, now = getattr(before, field), getattr(after, field)
        lines += [f"{name} {was} → {now}"] if was != now else []
    return lines + [f"the lock on {target} breaks" for target in before.locks if target not in after.locks]
