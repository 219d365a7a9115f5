"""The most dice that a duel can come to, proven from the steps of its file before the first die falls.

It goes through the steps backward. What may yet fall is kept as a sum: so many dice for each die that shows a symbol,
and for each unit of a value. A formula that no such sum bounds counts as more dice than a duel may have.
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
"""A symbol of a pool or a value by its name, with 1 for what it is above 0, -1 for what it is below."""
NUMBER: Final[Term] = ("", 1)
"""The term of a plain number."""
BOUNDLESS: Final = Counter({NUMBER: 1_000_000})
ACT: Final = 15
"""The cost of doing an action once, in looks at a die or a part of a formula."""


@lru_cache(maxsize=1024)
def most_dice(duel: DuelGame, numbers: tuple[int, ...]) -> int:
    """The dice that may fall for a declaration: never more, whatever they show and whatever is chosen."""
    return Backward(duel, numbers).worth[NUMBER]


@lru_cache(maxsize=1024)
def most_work(duel: DuelGame, numbers: tuple[int, ...]) -> int:
    """The most looks at a die or a part of a formula that a roll takes until somebody has to choose."""
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
    """The most times that an action is done: in a step of its own, each die is changed or canceled once."""
    most = constant(action.most.tree, typed)
    each = dice if (action.change or action.cancel) and not action.turns else BOUNDLESS[NUMBER]
    return max(0, each if most is None else min(most, each))


class Backward:
    """``worth``: a sum that the dice which fall from a step on never exceed."""

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
        """Each die is one more, and worth what its best face is worth afterwards."""
        worth = {kind: 1 + self.best(stage.pool, self.faces(stage.pool, kind)) for kind in stage.dice}
        for kind, amount in stage.dice.items():
            self.add(self.bound(amount.tree), worth[kind])

    def give(self, name: str, formula: ast.expr, *, always: bool, unsteady: Set[str] | None = None) -> None:
        """A value is worth what its formula is worth; one that may stay as it was is worth both."""
        for term in ((name, 1), (name, -1)):
            times = self.worth[term]
            if always:
                del self.worth[term]
            self.add(self.bound(formula, term[1], unsteady), times)

    def act(self, actions: tuple[Action, ...]) -> None:
        """Any die that an action changes may become the best of its pool."""
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
        """The faces of a kind of dice as a pool reads them."""
        dice = (die_of(self.duel, kind, pool, face, self.numbers, fresh=True) for face in self.duel.faces[kind])
        return {die.symbol for die in dice}

    def best(self, pool: str, faces: Iterable[str]) -> int:
        return max(sum(self.worth[f"{pool}.{letter}", 1] for letter in face) for face in faces)

    def bound(self, node: ast.expr, sign: int = 1, unsteady: Set[str] | None = None) -> Counter[Term]:
        """A sum that ``sign`` times the value of a formula never exceeds.

        ``unsteady``: for a formula of an action, the values that actions of its window set while dice change.
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
    """The bound of a value, or of how often a pool shows a symbol, which is never below 0."""
    is_symbol = "." in name
    if unsteady is not None and (is_symbol or name in unsteady):
        return BOUNDLESS
    return Counter({(name, sign): int(sign > 0 or not is_symbol)})
