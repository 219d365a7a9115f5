"""X-Wing on a card: an attack at any of its windows, and loose dice."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from bot.render.card import Ahead, Card, Strip, Tile, counted, listed
from bot.rules.dice import Rolled, Step
from bot.rules.game import Side
from bot.rules.xwing.attack import ACTS, AFTERMATH, Attack, Window
from bot.rules.xwing.damage import Damage
from bot.rules.xwing.declared import TOKENS, Face, LineUp, Pool
from bot.rules.xwing.modify import PLURAL
from bot.rules.xwing.table import Table

Names = Mapping[Side, str]

DICE: Final[Mapping[Pool, str]] = {Pool.RED: "attack dice", Pool.GREEN: "defense dice"}
BADGES: Final = ("focus", "calculate", "force", "evade")


def card(state: Attack | Table, names: Names) -> Card:
    """The card of an attack or of loose dice; ``names`` lacks a side that nobody has taken yet."""
    return loose(state, names) if isinstance(state, Table) else attack(state, names)


def attack(state: Attack, names: Names) -> Card:
    over = state.window is Window.OVER
    strips = tuple(strip(pool, state.pool(pool)) for pool in Pool if state.pool(pool))
    return Card(
        title=title(state),
        outcome=outcome(state, names),
        strips=strips,
        turn=turn(state, names),
        trail=(*trail(Pool.RED, state.red), *trail(Pool.GREEN, state.green), *leaving(state)),
        facts=(
            (f"Attacker: {names.get(Side.ATTACKER, 'open')}", held(state, Side.ATTACKER)),
            (f"Defender: {names.get(Side.DEFENDER, 'open')}", held(state, Side.DEFENDER)),
            *((("Aftermath, in this order", aftermath()),) if over else ()),
        ),
        small=small(state),
        alt=". ".join(described(one) for one in strips),
        ahead=ahead(state),
    )


def title(state: Attack) -> str:
    declared = state.declared
    parts = ["X-Wing attack"]
    parts += [f"range {declared.range}"] if declared.range is not None else []
    parts += ["ordnance"] if declared.ordnance else []
    parts += ["obstructed"] if declared.obstructed else []
    return " · ".join(parts)


def outcome(state: Attack, names: Names) -> str:
    """One sentence that can be read aloud."""
    attacker = names.get(Side.ATTACKER, "The attacker")
    if state.window is Window.WITHDRAWN:
        return f"{attacker} withdraws the attack; no dice fell."
    if state.window is Window.DECLARE_DEFENSE:
        return f"{attacker} attacks with {counted(state.attack.dice, 'die', 'dice')}. Who defends?"
    if state.damage is not None:
        return dealt(state.damage)
    pool = ACTS[state.window][1]
    return f"{DICE[pool].capitalize()}: {results(state.pool(pool))}."


def dealt(damage: Damage) -> str:
    if not damage.total:
        return "The attack misses: nothing gets through."
    parts = [counted(damage.hits, "hit")] * (damage.hits > 0) + [counted(damage.crits, "crit")] * (damage.crits > 0)
    through = f"{', '.join(parts)} {'gets' if damage.total == 1 else 'get'} through"
    return f"{through}, and the ship is destroyed!" if damage.destroyed else f"{through}."


def results(dice: tuple[Rolled, ...]) -> str:
    """``1 hit, 2 blanks``: what counts on the table, in the order of the faces."""
    counts = Counter(Face(str(die.face)) for die in dice if die.counts)
    return ", ".join(counted(counts[face], face, PLURAL[face]) for face in Face if counts[face]) or "none"


def turn(state: Attack, names: Names) -> str:
    """Whose move it is; empty when it is over."""
    if state.window in (Window.OVER, Window.WITHDRAWN):
        return ""
    if state.window is Window.DECLARE_DEFENSE:
        who = names.get(Side.DEFENDER)
        return f"{who}, say what you bring." if who else "Anybody else: press Defend and say what you bring."
    side, pool = ACTS[state.window]
    who = names.get(side, f"Anybody else, as {side}")
    return f"{who}, it is your turn: modify the {DICE[pool]}, then Done."


def trail(pool: Pool, dice: tuple[Rolled, ...]) -> list[str]:
    """The story of one pool, a line for each cause, in the order in which they came."""
    if not dice:
        return []
    first = [die.trail[0] for die in dice if die.trail[0].how != "added"]
    how = "entered" if any(step.how == "entered" for step in first) else "rolled"
    lines = [f"{DICE[pool].capitalize()} {how}: {', '.join(str(step.face) for step in first) or 'none'}"]
    depth: dict[tuple[str, str], int] = {}
    told: dict[tuple[str, str], list[str]] = {}
    for die in dice:
        start = 0 if die.trail[0].how == "added" else 1
        for at, step in enumerate(die.trail[start:], start):
            cause = (step.how, step.by)
            depth[cause] = max(depth.get(cause, 0), at)
            told.setdefault(cause, []).append(changed(die.trail[at - 1] if at else None, step))
    causes = sorted(told, key=lambda cause: (cause[0] == "cancelled", depth[cause]))
    return lines + [f"{by.capitalize()} {WORDS.get(how, how)}: {tally(told[how, by])}" for how, by in causes]


WORDS: Final[Mapping[str, str]] = {
    "changed": "changes",
    "rerolled": "rerolls",
    "added": "adds",
    "cancelled": "cancels",
    "spent": "spends",
    "rolled": "die, rolled again",
}


def changed(before: Step | None, step: Step) -> str:
    if before is None or step.how in ("cancelled", "spent"):
        return str(step.face)
    return f"{before.face} → {step.face}"


def tally(items: list[str]) -> str:
    return ", ".join(f"{item} ×{count}" if count > 1 else item for item, count in Counter(items).items())


def leaving(state: Attack) -> list[str]:
    """Tokens that go by themselves when dice are rolled."""
    gone = []
    if state.red and state.declared.attack.deplete:
        gone.append("One deplete token leaves the attacker")
    if state.defense.strain < (state.declared.defense or LineUp()).strain:
        gone.append("One strain token leaves the defender")
    return gone


def held(state: Attack, side: Side) -> str:
    """Dice and the tokens left of one side, and the defender's ship."""
    line = state.side(side)
    if side is Side.DEFENDER and state.window in (Window.DECLARE_DEFENSE, Window.WITHDRAWN):
        return "not declared"
    value = "weapon value" if side is Side.ATTACKER else "agility"
    parts = [f"{value} {line.dice}"]
    counts = [(token, getattr(line, token)) for token in TOKENS[side]]
    parts += [f"{token} {count}" if count > 1 else token for token, count in counts if count]
    if side is Side.DEFENDER and state.declared.hull is not None:
        parts += ship(state)
    return ", ".join(parts)


def ship(state: Attack) -> list[str]:
    hull, shields, damage = state.declared.hull, state.declared.shields, state.damage
    if damage is None:
        return [f"hull {hull}", f"shields {shields}"]
    cards = [
        f"{counted(count, f'{kind} card')}"
        for kind, count in (("facedown", damage.facedown), ("faceup", damage.faceup))
        if count
    ]
    return [f"shields {shields} → {shields - damage.shields_lost}", f"hull {hull}: {listed(cards) or 'no cards'}"]


def aftermath() -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(AFTERMATH, 1))


def small(state: Attack) -> str:
    line = f"Ruleset {state.declared.ruleset}"
    if state.damage is not None and state.damage.destroyed:
        return f"{line} · a destroyed ship leaves when all ships of the attacker's initiative have engaged"
    return line


def ahead(state: Attack) -> Ahead:
    if state.damage is None:
        return "nobody" if state.window is Window.WITHDRAWN else "open"
    return "attacker" if state.damage.total else "defender"


def strip(pool: Pool, dice: tuple[Rolled, ...]) -> Strip:
    return Strip(DICE[pool].capitalize(), tuple(tile(die) for die in dice))


def tile(die: Rolled) -> Tile:
    """A die with the marks of its trail."""
    rerolls = [at for at, step in enumerate(die.trail) if step.how == "rerolled"]
    changes = [step.by for step in die.trail if step.how == "changed"]
    badge = changes[-1] if changes else ""
    return Tile(
        body=die.kind,
        face=str(die.face),
        fate="stands" if die.counts else "cancelled",
        badge=badge if badge in BADGES or not badge else "card",
        ghost=str(die.trail[rerolls[-1] - 1].face) if rerolls else "",
        added=die.trail[0].how == "added",
    )


def described(strip: Strip) -> str:
    """A strip in words, for alt text."""
    return f"{strip.label}: " + ", ".join(spoken(tile) for tile in strip.tiles)


def spoken(tile: Tile) -> str:
    marks = [f"was {tile.ghost}, rerolled"] if tile.ghost else []
    marks += [f"changed by {tile.badge}"] if tile.badge else []
    marks += ["added"] if tile.added else []
    marks += ["cancelled"] if tile.fate == "cancelled" else []
    return f"{tile.face} ({', '.join(marks)})" if marks else tile.face


def loose(state: Table, names: Names) -> Card:
    pools = ((Pool.RED, state.red), (Pool.GREEN, state.green))
    strips = tuple(strip(pool, dice) for pool, dice in pools if dice)
    said = [f"{pool} dice: {results(dice)}" for pool, dice in pools if dice]
    return Card(
        title="X-Wing dice",
        outcome=f"{names.get(Side.ATTACKER, 'Somebody')} rolls {'; '.join(said)}.",
        strips=strips,
        trail=(*trail(Pool.RED, state.red), *trail(Pool.GREEN, state.green)),
        small="Outside an attack a result means nothing by itself; each die may be rerolled once",
        alt=". ".join(described(one) for one in strips),
        ahead="nobody",
    )
