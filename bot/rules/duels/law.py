"""The rules of duels, on dice without history, shared by the table and the odds."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from bot.rules.anydice.formula import constant
from bot.rules.dice import Face, How
from bot.rules.duels.rows import ALWAYS, BLANK, Action, DuelGame, Let, Roll, Stage, Window, actions_of, formulas_of
from bot.rules.game import Side

MAX_VALUE: Final = 1_000_000


class Die(NamedTuple):
    """A counted die: its kind, its symbols, its number (0 without one), and whether it was never rerolled."""

    kind: str
    symbol: str
    number: int = 0
    fresh: bool = True


class Position(NamedTuple):
    """A state of a roll: the stage, counted dice by pool, values, tokens left, uses of each of the stage's actions, and
    whose turn it is if sides alternate ("": the beginner's).
    """

    stage: int
    pools: tuple[tuple[Die, ...], ...]
    lets: tuple[int, ...]
    left: tuple[int, ...]
    used: tuple[int, ...] = ()
    turn: Side | Literal[""] = ""


class Edit(NamedTuple):
    """A change of a pool's die; ``die``: its place among the counted, -1 for an added one."""

    pool: int
    die: int
    how: How
    symbol: str = ""


class Known(dict[Any, int]):
    """Formulas' values by name; a pool's symbols are counted once a formula reads them."""

    pools: Mapping[str, tuple[Die, ...]] = MappingProxyType({})

    def __missing__(self, name: Any) -> int:
        pool, _, symbol = str(name).partition(".")
        self[name] = sum([die.symbol.count(symbol) for die in self.pools.get(pool, ())]) if symbol else 0
        return self[name]


@lru_cache(maxsize=4096)
def declared_values(duel: DuelGame, typed: tuple[int, ...]) -> Mapping[Any, int]:
    known: dict[Any, int] = {row.name: value for row, value in zip(duel.numbers, typed, strict=True)}
    for name, formula in duel.values.items():
        known[name] = within_bounds(formula.value(known))
    return known


def within_bounds(value: int) -> int:
    """Clamp a value to more than any game needs, so that repeated products stay bounded."""
    return max(-MAX_VALUE, min(MAX_VALUE, value))


def values(duel: DuelGame, typed: Mapping[Any, int], now: Position) -> Known:
    known = Known(typed)
    known.update(zip(duel.lets, now.lets, strict=True))
    known.pools = dict(zip(duel.pool_names, now.pools, strict=True))
    return known


@lru_cache(maxsize=4096)
def die_of(duel: DuelGame, kind: str, pool: str, face: Face, typed: tuple[int, ...], *, fresh: bool) -> Die:
    """Return a die that shows a face: symbols, or a number with its pool's first true symbol."""
    if isinstance(face, str):
        return Die(kind, face, 0, fresh)
    known = Known(declared_values(duel, typed), face=face)
    symbol = next((read.symbol for read in duel.read.get(pool, ()) if read.when.value(known)), BLANK)
    return Die(kind, symbol, face, fresh)


def start(duel: DuelGame, typed: Mapping[Any, int]) -> Position:
    return Position(0, ((),) * len(duel.pools), (0,) * len(duel.lets), tuple(typed[row.name] for row in duel.tokens))


def stage_of(duel: DuelGame, now: Position) -> Stage | None:
    return duel.stages[now.stage] if now.stage < len(duel.stages) else None


@lru_cache(maxsize=1024)
def work_of(stage: Stage) -> int:
    """Return what a stage costs beside its dice, about in operations on one: parts of its formulas, and a constant."""
    return 15 + sum(1 for formula in formulas_of(stage) for _ in ast.walk(formula.tree))


def next_stage(now: Position) -> Position:
    return Position(now.stage + 1, now.pools, now.lets, now.left)


def dice_due(duel: DuelGame, typed: Mapping[Any, int], now: Position, stage: Roll) -> Iterator[tuple[str, int]]:
    known = values(duel, typed, now)
    if stage.when is None or stage.when.value(known):
        yield from ((kind, max(0, amount.value(known))) for kind, amount in stage.dice.items())


def with_lets(duel: DuelGame, now: Position, given: Mapping[str, Any], known: Known) -> Position:
    """Compute values one after the other."""
    lets = dict(zip(duel.lets, now.lets, strict=True))
    for name, formula in given.items():
        lets[name] = known[name] = within_bounds(formula.value(known))
    return now._replace(lets=tuple(lets.values()))


def after_let(duel: DuelGame, typed: Mapping[Any, int], now: Position, stage: Let) -> Position:
    known = values(duel, typed, now)
    given = stage.values if stage.when is None or stage.when.value(known) else {}
    return next_stage(with_lets(duel, now, given, known))


def price(duel: DuelGame, now: Position, action: Action) -> list[Edit] | None:
    """Return the dice that an action spends; None if they or its tokens are missing."""
    tokens = zip(duel.tokens, now.left, strict=True) if action.cost else ()
    if any(left < action.cost.get(row.name, 0) for row, left in tokens):
        return None
    spent = list[Edit]()
    for name, symbols in action.spend.items():
        pool = duel.pool_names.index(name)
        dice = [die.symbol for die in now.pools[pool]]
        for symbol in symbols:
            if symbol not in dice:
                return None
            spent.append(Edit(pool, dice.index(symbol), "spent"))
            dice[spent[-1].die] = ""
    return spent


class Possible(NamedTuple):
    """An action's choices now: variants without chance, including prices; or the rerollable dice, by place, and their
    maximum.
    """

    ways: list[list[Edit]]
    dice: list[int]
    most: int

    def __bool__(self) -> bool:
        return bool(self.ways) or self.most > 0


IMPOSSIBLE: Final = Possible([], [], 0)


def possible(duel: DuelGame, typed: Mapping[Any, int], now: Position) -> list[Possible]:
    """Return each action's choices in a stage, in order; with alternating turns, one side's."""
    known, actions = values(duel, typed, now), actions_here(duel, now)
    used, stage = now.used or (0,) * len(actions), stage_of(duel, now)
    side = (now.turn or stage.by) if isinstance(stage, Window) and stage.turns else None
    for mover in (side, side.other) if side else (None,):
        every = [
            of_action(duel, now, action, times, known) if mover in (None, action.by) else IMPOSSIBLE
            for action, times in zip(actions, used, strict=True)
        ]
        if any(every):
            break
    return every


def alike(pool: Sequence[Die], fits: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """Return dice of one number by selector: ``2`` every 2, ``2x1`` one of several."""
    found = dict[str, tuple[int, ...]]()
    for number in sorted({pool[place].number for place in fits}):
        every = tuple(place for place in fits if pool[place].number == number)
        found[str(number)] = every
        found |= {f"{number}x{count}": every[:count] for count in range(1, len(every))}
    return found


def chooser(stage: Window, every: Sequence[Possible]) -> Side:
    """Return the side with these choices in a window."""
    return next((action.by for action, can in zip(stage.actions, every, strict=True) if can), stage.by)


def of_action(duel: DuelGame, now: Position, action: Action, used: int, known: Known) -> Possible:
    """Return an action's choices: a reroll without a price once; others as often as payable and ``most`` allows."""
    most = action.most.value(known) if not action.reroll or action.cost else 1
    if used >= most or (action.when is not None and not action.when.value(known)):
        return IMPOSSIBLE
    spent = price(duel, now, action)
    if spent is None:
        return IMPOSSIBLE
    pool = pool_of(duel, action)
    dice = now.pools[pool]
    if action.reroll is not None:
        most = action.reroll.value(known)
        fits = [at for at, die in enumerate(dice) if may_reroll(action, die)]
        return Possible([], fits, min(most, len(fits))) if most > 0 else IMPOSSIBLE
    if not action.change and not action.cancel:
        return Possible([[*spent, Edit(pool, -1, "added", action.add)] if action.add else spent], [], 0)
    return Possible(list_ways(action, pool, dice, spent), [], 0)


def may_reroll(action: Action, die: Die) -> bool:
    return (die.fresh or not action.once) and (not action.only or die.symbol in action.only)


def symbol_of(now: Position, way: Sequence[Edit]) -> str:
    """Return the symbol of the die that an action's variant affects; "" for none."""
    return now.pools[way[-1].pool][way[-1].die].symbol if way and way[-1].die >= 0 else ""


def list_ways(action: Action, pool: int, dice: Sequence[Die], spent: list[Edit]) -> list[list[Edit]]:
    """Return the ways to change or cancel a die, one per present symbol; equal dice are one way."""
    busy = {edit.die for edit in spent if edit.pool == pool}
    found = list[list[Edit]]()
    for symbol in action.change[:1] or action.cancel:
        fitting = (at for at, die in enumerate(dice) if die.symbol == symbol and at not in busy)
        if (die := next(fitting, None)) is not None:
            edit = Edit(pool, die, "changed", action.change[1]) if action.change else Edit(pool, die, "cancelled")
            found.append([*spent, edit])
    return found


def max_uses(duel: DuelGame, action: Action, typed: Mapping[Any, int]) -> int:
    """Return the maximum uses of an action whatever the dice, as far as typed values tell; 0 if it is impossible."""
    fixed = {name: value for name, value in typed.items() if name not in duel.lets}
    limits = (action.when, action.reroll, action.most if action.cost or not action.reroll else ALWAYS)
    values = [constant(formula.tree, fixed) if formula else 1 for formula in limits]
    if any(value is not None and value <= 0 for value in values):
        return 0
    most = MAX_VALUE if values[2] is None else values[2]
    return min([most, *(typed[token] // amount for token, amount in action.cost.items())])


def pool_of(duel: DuelGame, action: Action) -> int:
    """Return the place of an action's pool; 0 for an action without one."""
    return duel.pool_names.index(action.pool) if action.pool else 0


def pay(duel: DuelGame, typed: Mapping[Any, int], now: Position, at: int, action: Action) -> Position:
    """Pay for and count an action, and set its values; its dice are unchanged."""
    left = tuple(amount - action.cost.get(row.name, 0) for row, amount in zip(duel.tokens, now.left, strict=True))
    used = now.used or (0,) * len(actions_here(duel, now))
    counted = tuple(times + (place == at) for place, times in enumerate(used))
    turn: Side | Literal[""] = action.by.other if action.turns else ""
    paid = Position(now.stage, now.pools, now.lets, left, counted, turn)
    return with_lets(duel, paid, action.set, values(duel, typed, now)) if action.set else paid


def actions_here(duel: DuelGame, now: Position) -> tuple[Action, ...]:
    return actions_of(duel.stages[now.stage]) if now.stage < len(duel.stages) else ()


def apply_edits(pools: Sequence[tuple[Die, ...]], edits: Sequence[Edit]) -> tuple[tuple[Die, ...], ...]:
    """Return the counted dice after some edits without chance."""
    result = [list(pool) for pool in pools]
    for edit in edits:
        if edit.how == "changed":
            result[edit.pool][edit.die] = result[edit.pool][edit.die]._replace(symbol=edit.symbol)
        elif edit.how == "added":
            result[edit.pool].append(Die("", edit.symbol, fresh=False))
    gone = {(edit.pool, edit.die) for edit in edits if edit.how in ("cancelled", "spent")}
    kept = ((die for at, die in enumerate(dice) if (pool, at) not in gone) for pool, dice in enumerate(result))
    return tuple(map(tuple, kept))
