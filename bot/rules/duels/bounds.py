"""The maximum number of dice of a duel, proven from its file's steps before the first roll. The steps are processed
backward, with an upper bound as a sum: dice per die that shows a symbol, and per unit of a value. An unbounded formula
counts as more dice than allowed.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache, reduce
from operator import or_
from typing import Final

from bot.rules.anydice.formula import SIGNED, constant
from bot.rules.duels.law import declared_values, die_of
from bot.rules.duels.rows import Action, DuelGame, Let, Roll, actions_of

Term = tuple[str, int]
"""A pool's symbol or a value by name, with 1 for its positive part, -1 for its negative part."""
NUMBER: Final[Term] = ("", 1)
"""The term of a plain number."""
BOUNDLESS: Final = Counter({NUMBER: 1_000_000})
ACT: Final = 15
"""The cost of one action, in operations on a die or a part of a formula."""


@lru_cache(maxsize=1024)
def most_dice(duel: DuelGame, numbers: tuple[int, ...]) -> int:
    """Return an upper bound of a declaration's dice, whatever the results and choices."""
    return Backward(duel, numbers).worth[NUMBER]


@lru_cache(maxsize=1024)
def most_work(duel: DuelGame, numbers: tuple[int, ...]) -> int:
    """Return the maximum operations on a die or a part of a formula until a choice."""
    typed, dice, work = declared_values(duel, numbers), most_dice(duel, numbers), 0
    for stage in duel.stages:
        actions = actions_of(stage)
        by_itself = [action for action in actions if action.turns or not action.may]
        times = 1 + sum(most_times(action, typed, dice) for action in by_itself)
        formulas = [formula for action in actions for formula in action.formulas]
        parts = sum(1 for formula in formulas for _ in ast.walk(formula.tree))
        work += times * (ACT + dice * (1 + len(actions)) + parts)
    return work


def most_times(action: Action, typed: Mapping[str, int], dice: int) -> int:
    """Return the maximum times of an action: in its own step, each die is changed or canceled once."""
    most = constant(action.most.tree, typed)
    each = dice if (action.change or action.cancel) and not action.turns else BOUNDLESS[NUMBER]
    return max(0, each if most is None else min(most, each))


class Backward:
    """``worth``: an upper bound of the dice from a step on."""

    def __init__(self, duel: DuelGame, numbers: tuple[int, ...]) -> None:
        self.duel, self.numbers = duel, numbers
        known = declared_values(duel, numbers)
        self.typed = {name: value for name, value in known.items() if name not in self.duel.lets}
        self.worth = Counter[Term]()
        for stage in reversed(self.duel.stages):
            if not isinstance(stage, Roll | Let):
                self.act(actions_of(stage))
            elif stage.when is not None and constant(stage.when.tree, self.typed) == 0:
                continue
            elif isinstance(stage, Roll):
                self.roll(stage)
            else:
                for name, formula in reversed([*stage.values.items()]):
                    self.give(name, formula.tree, always=stage.when is None)

    def add(self, bound: Counter[Term], times: int) -> None:
        self.worth += Counter({term: count * times for term, count in bound.items()})

    def roll(self, stage: Roll) -> None:
        """Each die adds one, and its best face's later worth."""
        worth = {kind: 1 + self.best(stage.pool, self.faces(stage.pool, kind)) for kind in stage.dice}
        for kind, amount in stage.dice.items():
            self.add(self.bound(amount.tree), worth[kind])

    def give(self, name: str, formula: ast.expr, *, always: bool, unsteady: Set[str] | None = None) -> None:
        """A value has its formula's worth; one that may keep its old value, both."""
        for term in ((name, 1), (name, -1)):
            times = self.worth[term]
            if always:
                del self.worth[term]
            self.add(self.bound(formula, term[1], unsteady), times)

    def act(self, actions: tuple[Action, ...]) -> None:
        """Any die that an action changes may become its pool's best."""
        unsteady = {name for action in actions for name in action.set}
        for action in actions:
            if action.reroll or action.change:
                faces = {face for kind in self.duel.dice for face in self.faces(action.pool, kind)} | {*action.change}
                best = self.best(action.pool, faces)
                for letter in set("".join(faces)):
                    self.worth[f"{action.pool}.{letter}", 1] = max(self.worth[f"{action.pool}.{letter}", 1], best)
        for action in actions:
            for name, formula in action.set.items():
                self.give(name, formula.tree, always=False, unsteady=unsteady)
            if action.add:
                tokens = [self.typed[token] // amount for token, amount in action.cost.items()]
                most = Counter({NUMBER: min(tokens)}) if tokens else self.bound(action.most.tree, 1, unsteady)
                self.add(most, 1 + self.best(action.pool, [action.add]))

    def faces(self, pool: str, kind: str) -> set[str]:
        """Return a kind's faces as a pool reads them."""
        dice = (die_of(self.duel, kind, pool, face, self.numbers, fresh=True) for face in self.duel.faces[kind])
        return {die.symbol for die in dice}

    def best(self, pool: str, faces: Iterable[str]) -> int:
        return max(sum(self.worth[f"{pool}.{letter}", 1] for letter in face) for face in faces)

    def bound(self, node: ast.expr, sign: int = 1, unsteady: Set[str] | None = None) -> Counter[Term]:
        """Return an upper bound of ``sign`` times a formula's value. ``unsteady``: values that the window's actions set
        while dice change.
        """
        if (value := constant(node, self.typed)) is not None:
            return Counter({NUMBER: sign * value})
        match node:
            case ast.Name() | ast.Attribute():
                return bound_of_name(ast.unparse(node), sign, unsteady)
            case ast.BinOp(op=ast.Add() | ast.Sub() as word):
                result = self.bound(node.left, sign, unsteady)
                result.update(self.bound(node.right, sign * SIGNED[type(word)], unsteady))
                return result
            case ast.BinOp(op=ast.Mult()):
                for factor, other in ((node.left, node.right), (node.right, node.left)):
                    if (times := constant(factor, self.typed)) is not None:
                        part = self.bound(other, sign if times > 0 else -sign, unsteady)
                        return Counter({term: count * abs(times) for term, count in part.items()})
            case ast.IfExp():
                asked = constant(node.test, self.typed)
                ways = [node.body, node.orelse] if asked is None else [node.body if asked else node.orelse]
                return reduce(or_, (self.bound(way, sign, unsteady) for way in ways))
            case ast.Call(func=ast.Name(id="max" | "min" as name)):
                ways = node.args if (name == "max") is (sign > 0) else node.args[:1]
                return reduce(or_, (self.bound(way, sign, unsteady) for way in ways))
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return Counter({NUMBER: max(0, sign)})
        return BOUNDLESS


def bound_of_name(name: str, sign: int, unsteady: Set[str] | None) -> Counter[Term]:
    """Return the bound of a value, or of a pool's symbol count, which is never negative."""
    is_symbol = "." in name
    if unsteady is not None and (is_symbol or name in unsteady):
        return BOUNDLESS
    return Counter({(name, sign): int(sign > 0 or not is_symbol)})
