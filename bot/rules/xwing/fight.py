"""Ships in an attack: what they bring to it, what it spends, and where its damage lands.

Source: rules page, The attack, step by step (1, 7, 8), and Tokens on ships, per channel.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bot.rules.errors import BadInput, PlayerError, Unpayable
from bot.rules.game import Side
from bot.rules.xwing import abilities, typed, words
from bot.rules.xwing.attack import Attack, Window
from bot.rules.xwing.damage import Damage
from bot.rules.xwing.declared import TOKENS, Declared, LineUp
from bot.rules.xwing.fleet import Fleet, find, leaving
from bot.rules.xwing.ship import Ship, give

ATTACKS_MOST: Final = 2
"""Step 8: one attack when a ship engages, and at most one bonus attack a round."""

NOT_ROLLED: Final = (Window.DECLARE_DEFENSE, Window.WITHDRAWN)
"""While an attack stands there nothing is spent: a withdrawn one costs nothing."""

SPENT: Final = ("focus", "calculate", "force", "evade", "lock", "charge", "deplete", "strain")
OPTION: Final[Mapping[Side, str]] = {Side.ATTACKER: "with", Side.DEFENDER: "against"}


def declare(
    fleet: Fleet, *, attacker: str | None = None, defender: str | None = None, allowed: bool = False, **given: Any
) -> Declared:
    """An attack by or on ships of the channel; ``given`` is what ``typed.attack`` takes, and beats what ships bring.

    A typed count of a token is how many the ship may spend; it must have them. Raises ``PlayerError`` as
    ``typed.attack`` does, and for a ship that is not there or has no attack left.
    """
    ships = {
        side: find(fleet, name, side.value)
        for side, name in ((Side.ATTACKER, attacker), (Side.DEFENDER, defender))
        if name
    }
    shooter, target = ships.get(Side.ATTACKER), ships.get(Side.DEFENDER)
    if given.get("dice") is None and shooter is None:
        raise BadInput("dice", "", "a weapon value from 0 to 6 when no ship is the `attacker`")
    if shooter is not None and shooter is target:
        raise BadInput("defender", shooter.name, "another ship than the attacker")
    for ship in ships.values():
        if ship.name in leaving(fleet):
            raise PlayerError(f"{ship.name} is destroyed, and all who could still fire beside it have engaged.")
    if shooter is not None:
        check_attacks(shooter, allowed)
    if given.get("dice") is None and shooter is not None:
        given["dice"] = shooter.attack
    if given.get("agility") is None and target is not None:
        given["agility"] = target.agility
    declared = typed.attack(**given)
    if shooter is not None:
        declared = replace(declared, attack=joined(declared.attack, shooter, Side.ATTACKER, target))
    if target is not None:
        declared = suffering(declared, target)
    return replace(
        declared,
        attacker=shooter.name if shooter else "",
        defender=target.name if target else "",
        allowed=allowed,
    )


def suffering(declared: Declared, ship: Ship) -> Declared:
    """The declaration against a ship, whose hull and shields are what it has left."""
    if declared.hull is not None:
        raise BadInput("against", f"hull {declared.hull}", f"no hull beside `defender`: {ship.name} brings its own")
    defense = joined(declared.defense or LineUp(), ship, Side.DEFENDER, None)
    return replace(declared, defense=defense, hull=ship.hull_left, shields=ship.shields_left)


def joined(line: LineUp, ship: Ship, side: Side, other: Ship | None) -> LineUp:
    """What was typed for a side, with what its ship brings."""
    brought = line_up(ship, side, other)
    for token in TOKENS[side]:
        asked, has = getattr(line, token), getattr(brought, token)
        if asked > has:
            raise Unpayable(short(ship, token, asked, has, other))
    held = {token: getattr(line, token) or getattr(brought, token) for token in TOKENS[side]}
    effects = (*brought.effects, *line.effects)
    words.check(effects, OPTION[side])
    return replace(line, effects=effects, **held)


def short(ship: Ship, token: str, asked: int, has: int, other: Ship | None) -> str:
    """Why a ship cannot bring what was typed."""
    if token == "lock":  # noqa: S105 - a game token
        on = f" on {other.name}" if other else ""
        return f"{ship.name} has no lock{on}. Take one with `/xwing lock`, and name its target as `defender`."
    return f"{ship.name} has {has or 'no'} {token}, not {asked}. Put it there first with `/xwing token give`."


def line_up(ship: Ship, side: Side, other: Ship | None) -> LineUp:
    """What a ship brings to one side of an attack; its lock only if it is on ``other``."""
    held = {token: ship.has(token) for token in TOKENS[side] if token != "lock"}  # noqa: S105 - a game token
    if side is Side.ATTACKER:
        held["lock"] = int(other is not None and other.name in ship.locks)
    dice = ship.attack if side is Side.ATTACKER else ship.agility
    return LineUp(dice=dice, effects=abilities.parse(ship.abilities, side), **held)


def check_attacks(ship: Ship, allowed: bool) -> None:
    if ship.attacks >= ATTACKS_MOST and not allowed:
        raise PlayerError(
            f"{ship.name} has made its attack and its bonus attack this round. A third one needs a GM, "
            "who can set `allow`; `/xwing endphase` begins the next round."
        )


def ships_of(state: Attack) -> dict[Side, str]:
    """The names of the ships in an attack, by side."""
    names = {Side.ATTACKER: state.declared.attacker, Side.DEFENDER: state.declared.defender}
    return {side: name for side, name in names.items() if name}


def settle(before: Attack | None, now: Attack, fleet: Fleet) -> tuple[Attack, dict[str, Ship]]:
    """The attack against the ship as it stands, and the ships that the ply changes.

    Tokens that the ply spent leave, and the damage of an attack that is over is dealt. ``before`` is None for the ply
    that opens the attack. Raises ``PlayerError`` when a ship has no longer what the ply spends, so that nothing is
    ever spent twice.
    """
    changed: dict[str, Ship] = {}
    if now.window is Window.WITHDRAWN:  # whatever became of the ships meanwhile
        return now, changed
    for side, name in ships_of(now).items():
        if name not in fleet:
            raise PlayerError(f"{name} has left the table. Take its removal back, or attack without it.")
        ship = fleet[name]
        if side is Side.ATTACKER and before is None:
            check_attacks(ship, now.declared.allowed)
        if side is Side.ATTACKER and has_rolled(now) and not has_rolled(before):
            check_attacks(ship, now.declared.allowed)
            ship = replace(ship, attacks=ship.attacks + 1)
        ship = pay(ship, spent(before, side), spent(now, side), now.declared.defender)
        if side is Side.DEFENDER:
            now = replace(now, declared=replace(now.declared, hull=ship.hull_left, shields=ship.shields_left))
        if side is Side.DEFENDER and now.damage is not None:
            ship = suffer(ship, now.damage, fleet.get(now.declared.attacker))
        if ship != fleet[name]:
            changed[name] = ship
    return now, changed


def has_rolled(state: Attack | None) -> bool:
    return state is not None and state.window not in NOT_ROLLED


def spent(state: Attack | None, side: Side) -> Mapping[str, int]:
    """How many tokens of each kind a side has spent in an attack so far."""
    if state is None or not has_rolled(state):
        return dict.fromkeys(SPENT, 0)
    declared = state.declared.attack if side is Side.ATTACKER else state.declared.defense
    return {token: getattr(declared, token) - getattr(state.side(side), token) for token in SPENT}


def pay(ship: Ship, was: Mapping[str, int], now: Mapping[str, int], target: str) -> Ship:
    """The ship without what was spent since; the lock that goes is the one on this target."""
    for token in SPENT:
        count = now[token] - was[token]
        has = int(target in ship.locks) if token == "lock" else ship.has(token)  # noqa: S105 - a game token
        if count > has:
            raise PlayerError(f"{ship.name} has no {token} left to spend: it went elsewhere. Choose something else.")
        if count and token == "lock":  # noqa: S105 - a game token
            ship = replace(ship, locks=tuple(held for held in ship.locks if held != target))
        elif count:
            ship = give(ship, token, -count)
    return ship


def suffer(ship: Ship, damage: Damage, attacker: Ship | None) -> Ship:
    """The ship without the shields it lost, and with its damage cards."""
    hurt = replace(
        ship,
        shields_left=ship.shields_left - damage.shields_lost,
        facedown=ship.facedown + damage.facedown,
        faceup=ship.faceup + damage.faceup,
    )
    if hurt.destroyed and not ship.destroyed and attacker is not None:
        return replace(hurt, leaves=attacker.initiative)
    return hurt
