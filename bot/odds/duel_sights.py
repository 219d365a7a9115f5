"""Sights of the later steps of a duel: whatever else a moment holds can be forgotten without changing the result.

What was typed is put into every formula first, so that keywords nobody has cost nothing. Faces of a pool that every
later formula adds up alike, and every later action takes alike, are one face: in ``attack.H + attack.C`` a hit is a
crit. A formula learns no more of its parts than their sums, so nothing that follows can tell such dice apart.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

from bot.odds.luck import CACHED
from bot.rules.anydice.formula import SIGNED, Formula, constant
from bot.rules.duels import Declared
from bot.rules.duels.rows import BLANK, Action, DuelGame, Let, Roll, Stage, actions_of


class Sight(NamedTuple):
    """Looks of a stage and those after it: at values and tokens by name, and at dice by their pools.

    ``faces``: for a pool and a face the one that stands for all that are the same from here on; "" for one that nobody
    looks at. ``rerolled``: faces that may be rerolled, with their pools. ``fresh``, ``numbered``: the pools of which
    only dice may be rerolled that were not yet, or those of one number. ``idle``: the stage itself does nothing.
    """

    names: frozenset[str]
    faces: Mapping[tuple[str, str], str]
    rerolled: frozenset[tuple[str, str]]
    fresh: frozenset[str]
    numbered: frozenset[str]
    idle: bool


@lru_cache(maxsize=CACHED)
def sights_of(declared: Declared) -> tuple[Sight, ...]:
    """The sight of each stage, and of the end."""
    looking = Looking(declared.duel, declared.values)
    looking.at_formula(declared.duel.result.amount)
    found = [looking.sight()]
    for stage in reversed(declared.duel.stages):
        is_idle = looking.is_idle(stage)
        looking.at_stage(stage)
        found.append(looking.sight(is_idle=is_idle))
    return tuple(reversed(found))


class Looking:
    """Looks of the stages so far, which come in reverse."""

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
        while before != self.names:  # the actions of a window come in any order, and read what others set
            before = set(self.names)
            for action in filter(self.can_be_done, actions_of(stage)):
                self.at_action(action)

    def is_idle(self, stage: Stage) -> bool:
        """Whether a stage gives values that nobody needs, or actions that nobody can do."""
        if isinstance(stage, Let):
            return not self.names & stage.values.keys()
        return not isinstance(stage, Roll) and not any(map(self.can_be_done, actions_of(stage)))

    def at_let(self, stage: Let) -> None:
        """A value that is always given hides what it was before."""
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
    """Every face that a die may show, as it is read."""
    faces = [face for given in duel.faces.values() for face in given if isinstance(face, str)]
    faces += [item.symbol for reads in duel.read.values() for item in reads]
    faces += [face for stage in duel.stages for action in actions_of(stage) for face in (*action.change, action.add)]
    return tuple(dict.fromkeys((*filter(None, faces), BLANK)))


def sums_of(node: ast.expr, typed: Mapping[Any, int]) -> Iterator[Mapping[str, int]]:
    """Yield all that a formula learns of names that were not typed: sums, in each of which a name is added so often."""
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
    """Take a formula apart as far as it adds; what it does otherwise goes to ``others``."""
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
