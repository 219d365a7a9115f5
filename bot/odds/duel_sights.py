"""Dependencies of later steps of a duel: the rest of a state can be dropped without changing the result.

Typed values are substituted into every formula first, so unused keywords cost nothing. Faces of a pool that all later
formulas add up alike, and all later actions treat alike, are merged: in ``attack.H + attack.C`` a hit is a crit. A
formula depends on its parts only through their sums, so nothing later can distinguish such dice.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from bot.rules.anydice.formula import SIGNED, Formula, constant
from bot.rules.duels.rows import BLANK, Action, DuelGame, Let, Roll, Stage, actions_of


class Sight(NamedTuple):
    """Inputs of a stage and later ones: values and tokens by name, dice by pool.

    ``faces``: for a pool and face, the representative of its class; "" if unused. ``rerolled``: faces that may be
    rerolled, with their pools. ``fresh``, ``numbered``: pools of which only dice not rerolled yet, or with one number
    of rerolls, may be. ``idle``: the stage does nothing.
    """

    names: frozenset[str]
    faces: Mapping[tuple[str, str], str]
    rerolled: frozenset[tuple[str, str]]
    fresh: frozenset[str]
    numbered: frozenset[str]
    idle: bool


def sights_of(duel: DuelGame, typed: Mapping[Any, int]) -> tuple[Sight, ...]:
    """Return each stage's sight, and the end's."""
    looking = Looking(duel, typed)
    looking.at_formula(duel.result.amount)
    found = [looking.sight()]
    for stage in reversed(duel.stages):
        is_idle = looking.is_idle(stage)
        looking.at_stage(stage)
        found.append(looking.sight(is_idle=is_idle))
    return tuple(reversed(found))


class Looking:
    """Sights of the stages, collected in reverse."""

    def __init__(self, duel: DuelGame, typed: Mapping[Any, int]) -> None:
        self.duel, self.faces, self.number = duel, every_face(duel), count()
        self.typed = {name: value for name, value in typed.items() if name not in duel.lets}
        self.names = set[str]()
        self.marks = defaultdict[tuple[str, str], set[object]](set)
        self.rerolled, self.fresh, self.numbered = set[tuple[str, str]](), set[str](), set[str]()

    def sight(self, *, is_idle: bool = False) -> Sight:
        same = dict[tuple[str, frozenset[object]], str]()
        faces = dict[tuple[str, str], str]()
        for pool in self.duel.pools:
            for face in self.faces:
                marks = frozenset(self.marks[pool, face])
                faces[pool, face] = same.setdefault((pool, marks), face) if marks else ""
        pools = frozenset(self.rerolled), frozenset(self.fresh), frozenset(self.numbered)
        return Sight(frozenset(self.names), faces, *pools, is_idle)

    def at_formula(self, formula: Formula | None) -> None:
        for added in sums_of(formula.tree, self.typed) if formula else ():
            number = next(self.number)
            self.names |= {name for name in added if "." not in name}
            for pool in self.duel.pools:
                for face in self.faces:
                    if times := sum(added.get(f"{pool}.{symbol}", 0) for symbol in face):
                        self.marks[pool, face].add((number, times))

    def at_stage(self, stage: Stage) -> None:
        if isinstance(stage, Let):
            self.at_let(stage)
        elif isinstance(stage, Roll):
            for formula in (*stage.dice.values(), stage.when):
                self.at_formula(formula)
        before = None
        while before != self.names:  # a window's actions come in any order, and read values set by others
            before = set(self.names)
            for action in filter(self.can_be_done, actions_of(stage)):
                self.at_action(action)

    def is_idle(self, stage: Stage) -> bool:
        """Whether a stage sets only unused values, or has no possible actions."""
        if isinstance(stage, Let):
            return not self.names & stage.values.keys()
        return not isinstance(stage, Roll) and not any(map(self.can_be_done, actions_of(stage)))

    def at_let(self, stage: Let) -> None:
        """Process a value that is always set: its earlier value is unused."""
        if not self.names & stage.values.keys():
            return
        for name, formula in reversed([*stage.values.items()]):
            if name in self.names:
                self.names -= {name} if stage.when is None else set()
                self.at_formula(formula)
        self.at_formula(stage.when)

    def can_be_done(self, action: Action) -> bool:
        most = action.most if action.cost or not action.reroll else None
        limits = filter(None, (action.when, action.reroll, most))
        fits = all((value := constant(formula.tree, self.typed)) is None or value > 0 for formula in limits)
        return fits and all(self.typed[token] >= amount for token, amount in action.cost.items())

    def at_action(self, action: Action) -> None:
        given = [formula for name, formula in action.set.items() if name in self.names]
        for formula in (action.reroll, action.most, action.when, *given):
            self.at_formula(formula)
        self.names |= action.cost.keys()
        taken = [(action.pool, symbol) for symbol in (*action.change[:1], *action.cancel, *action.only)]
        taken += [(pool, symbol) for pool, symbols in action.spend.items() for symbol in symbols]
        number = next(self.number)
        for place in taken:
            self.marks[place].add(number if place[1] in (*action.cancel, *action.only) else (number, place[1]))
        if action.reroll:
            self.rerolled |= {(action.pool, face) for face in action.only or ("", *self.faces)}
            self.fresh |= {action.pool} if action.once else set()
            self.numbered |= {action.pool} if action.alike else set()


def every_face(duel: DuelGame) -> tuple[str, ...]:
    faces = [face for given in duel.faces.values() for face in given if isinstance(face, str)]
    faces += [item.symbol for reads in duel.read.values() for item in reads]
    faces += [face for stage in duel.stages for action in actions_of(stage) for face in (*action.change, action.add)]
    return tuple(dict.fromkeys((*filter(None, faces), BLANK)))


def sums_of(node: ast.expr, typed: Mapping[Any, int]) -> Iterator[Mapping[str, int]]:
    """Yield a formula's dependencies on untyped names: sums, with a multiplicity per name."""
    added, others = defaultdict[str, int](int), list[ast.expr]()
    add_up(node, 1, typed, added, others)
    if added:
        yield added
    for other in others:
        for child in ast.iter_child_nodes(other):
            if isinstance(child, ast.expr):
                yield from sums_of(child, typed)


def add_up(
    node: ast.expr, times: int, typed: Mapping[Any, int], added: defaultdict[str, int], others: list[ast.expr]
) -> None:
    """Decompose a formula into sums; other parts go to ``others``."""
    if times == 0 or constant(node, typed) is not None:
        return
    match node:
        case ast.Name() | ast.Attribute():
            added[ast.unparse(node)] += times
        case ast.BinOp(op=ast.Add() | ast.Sub() as sign):
            add_up(node.left, times, typed, added, others)
            add_up(node.right, times * SIGNED[type(sign)], typed, added, others)
        case ast.BinOp(op=ast.Mult()) if (factor := constant(node.left, typed)) is not None:
            add_up(node.right, times * factor, typed, added, others)
        case ast.BinOp(op=ast.Mult()) if (factor := constant(node.right, typed)) is not None:
            add_up(node.left, times * factor, typed, added, others)
        case ast.IfExp() if (asked := constant(node.test, typed)) is not None:
            add_up(node.body if asked else node.orelse, times, typed, added, others)
        case _:
            others.append(node)
