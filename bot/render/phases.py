"""X-Wing's Engagement Phase and End Phase on cards."""

from bot.render.card import Card, join_names, quantity
from bot.render.fleet import TITLE, amount
from bot.rules.xwing.fleet import Fleet, after, leaving, order, step_of, sweep
from bot.rules.xwing.ship import Ship
from bot.rules.xwing.tokens import CIRCULAR, COUNTED, STAYING, TOKENS, Kind


def engagement(fleet: Fleet, before: Fleet | None = None, engaged: str | None = None) -> Card:
    """The order, whose step it is, who has engaged; after a ship ``engaged``, also what that changed."""
    now = step_of(staying := after(fleet, sweep(fleet)))
    sentences = [f"{name} leaves the table." for name in gone(before or fleet, fleet)]
    sentences += [f"{engaged} engages."] if engaged in fleet else []
    initiatives = sorted({ship.initiative for ship in fleet.values()}, reverse=True)
    return Card(
        title=f"{TITLE} · Engagement Phase",
        outcome=" ".join([*sentences, whose(staying)]),
        facts=tuple((row_title(initiative, now), row(fleet, initiative, now)) for initiative in initiatives),
        small="▶ may engage now · ✓ has engaged · ✗ destroyed: leaves when the attacker's initiative has engaged",
        ahead="nobody" if now is None else "open",
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


def row_title(initiative: int, now: int | None) -> str:
    return f"Initiative {initiative}{' · now' if initiative == now else ''}"


def row(fleet: Fleet, initiative: int, now: int | None) -> str:
    """The ships of one initiative, each with its mark; ``now`` is whose step it is."""
    ships = [ship for ship in order(fleet) if ship.initiative == initiative]
    return "\n".join(f"{mark(fleet, ship, now)} {ship.name}{attacked(ship)}" for ship in ships)


def mark(fleet: Fleet, ship: Ship, now: int | None) -> str:
    if ship.name in leaving(fleet):
        return "✗"
    sign = "✓" if ship.engaged else "▶" if ship.initiative == now else "·"
    return f"{sign} ✗" if ship.destroyed else sign


def attacked(ship: Ship) -> str:
    return f" ({quantity(ship.attacks, 'attack')})" if ship.attacks else ""


def gone(before: Fleet, now: Fleet) -> list[str]:
    return [ship.name for ship in order(before) if ship.name not in now]


def end_phase(before: Fleet, now: Fleet) -> Card:
    """What left and what came back, ship by ship."""
    left = gone(before, now)
    changes = {ship.name: differences(before[ship.name], ship) for ship in order(now)}
    changed = tuple((name, "\n".join(lines)) for name, lines in changes.items() if lines)
    parts = [f"{join_names(left)} {'leaves' if len(left) == 1 else 'leave'} the table"] if left else []
    parts += [f"{quantity(len(changed), 'ship')} {'changes' if len(changed) == 1 else 'change'}"] if changed else []
    return Card(
        title=f"{TITLE} · End Phase",
        outcome=f"The round is over: {join_names(parts) or 'no token leaves'}.",
        facts=(*((name, "destroyed, leaves the table") for name in left), *changed),
        small=f"Circular tokens leave · locks, {', '.join(STAYING)} stay · force and recurring charges regain one",
        ahead="nobody",
    )


def differences(before: Ship, now: Ship) -> list[str]:
    """What the End Phase changed on one ship; that it may engage again goes without saying."""
    lost = [amount(kind, before.tokens[kind]) for kind in CIRCULAR if kind in before.tokens]
    lines = [f"loses {join_names(lost)}"] if lost else []
    for name, token in COUNTED.items():
        was, left = before.has(name), now.has(name)
        if token.kind is Kind.CHARGE and was != left:
            lines.append(f"{'regains' if left > was else 'loses'} {token.counted(abs(left - was))}, now {left}")
    for upgrade, was, left in zip(now.card.upgrades, before.upgrade_charges, now.upgrade_charges, strict=True):
        if was != left:
            done = "regains" if left > was else "loses"
            lines.append(f"{upgrade.name} {done} {TOKENS['charge'].counted(abs(left - was))}, now {left}")
    return lines + [f"the lock on {target} breaks" for target in before.locks if target not in now.locks]
