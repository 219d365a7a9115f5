"""Dependencies of later steps of a duel: the rest of a state can be dropped without changing the result.

Typed values are substituted into every formula first, so unused keywords cost nothing. Faces of a pool that all later
formulas add up alike, and all later actions treat alike, are merged: in ``attack.H + attack.C`` a hit is a crit. A
formula depends on its parts only through their sums, so nothing later can distinguish such dice. Of equal dice that no
formula counts, only as many are kept as actions can take.
"""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import compress, count
from typing import Any, NamedTuple

from bot.rules.anydice.formula import SIGNED, Formula, constant, name_of
from bot.rules.duels import law
from bot.rules.duels.rows import BLANK, Action, DuelGame, Let, Roll, Stage, actions_of


class Sight(NamedTuple):
    """Inputs of a stage and later ones: values and tokens by name, dice by pool.

    ``faces``: for a pool and face, the representative of its class; "" if unused. ``rerolled``: faces that may be
    rerolled, with their pools. ``fresh``, ``numbered``: pools of which only dice not rerolled yet, or with one number
    of rerolls, may be. ``idle``: the stage does nothing. ``most``: how many dice of a pool with such a face can matter:
    as many as actions take, unless a formula counts them. ``uses``: the maximum uses of each of the stage's actions.
    """

    names: frozenset[str]
    faces: Mapping[tuple[str, str], str]
    rerolled: frozenset[tuple[str, str]]
    fresh: frozenset[str]
    numbered: frozenset[str]
    idle: bool
    most: Mapping[tuple[str, str], int]
    uses: tuple[int, ...]


def sights_of(duel: DuelGame, typed: Mapping[Any, int]) -> tuple[Sight, ...]:
    """Return each stage's sight, and the end's."""
    looking = Looking(duel, typed)
    looking.at_formula(duel.result.amount)
    found = [looking.sight()]
    for stage in reversed(duel.stages):
        uses = tuple(law.max_uses(duel, action, typed) for action in actions_of(stage))
        is_idle = not isinstance(stage, Roll) and not any(uses)
        if isinstance(stage, Let):
            is_idle = not looking.names & stage.values.keys()
        if not is_idle:
            looking.at_stage(stage, uses)
        found.append(looking.sight(uses, is_idle=is_idle))
    return tuple(reversed(found))


class Looking:
    """Sights of the stages, collected in reverse."""

    def __init__(self, duel: DuelGame, typed: Mapping[Any, int]) -> None:
        self.duel, self.faces, self.number = duel, every_face(duel), count()
        self.typed = {name: value for name, value in typed.items() if name not in duel.lets}
        self.names = set[str]()
        self.marks = defaultdict[tuple[str, str], set[object]](set)
        self.most = Counter[tuple[str, str]]()
        self.rerolled, self.fresh, self.numbered = set[tuple[str, str]](), set[str](), set[str]()

    def sight(self, uses: tuple[int, ...] = (), *, is_idle: bool = False) -> Sight:
        same = dict[tuple[str, frozenset[object]], str]()
        faces = dict[tuple[str, str], str]()
        for pool in self.duel.pools:
            for face in self.faces:
                marks = frozenset(self.marks[pool, face])
                faces[pool, face] = same.setdefault((pool, marks), face) if marks else ""
        pools = frozenset(self.rerolled), frozenset(self.fresh), frozenset(self.numbered)
        return Sight(frozenset(self.names), faces, *pools, is_idle, self.most.copy(), uses)

    def at_formula(self, formula: Formula | None) -> None:
        for added in sums_of(formula.tree, self.typed) if formula else ():
            number = next(self.number)
            self.names |= {name for name in added if "." not in name}
            for pool in {name.partition(".")[0] for name in added if "." in name}:
                for face in self.faces:
                    if times := sum(added.get(f"{pool}.{symbol}", 0) for symbol in face):
                        self.marks[pool, face].add((number, times))
                        self.most[pool, face] = law.MAX_VALUE

    def at_stage(self, stage: Stage, uses: tuple[int, ...]) -> None:
        """Process a stage; ``uses``: the maximum uses of each of its actions."""
        if isinstance(stage, Let):
            self.at_let(stage)
        elif isinstance(stage, Roll):
            for formula in (*stage.dice.values(), stage.when):
                self.at_formula(formula)
        before, actions = None, [*compress(zip(actions_of(stage), uses, strict=True), uses)]
        while before != self.names:  # a window's actions come in any order, and read values set by others
            before = set(self.names)
            for action, _ in actions:
                self.at_action(action)
        for action, times in actions:
            self.count_dice(action, times)

    def at_let(self, stage: Let) -> None:
        """Process a value that is always set: its earlier value is unused."""
        for name, formula in reversed([*stage.values.items()]):
            if name in self.names:
                self.names -= {name} if stage.when is None else set()
                self.at_formula(formula)
        self.at_formula(stage.when)

    def at_action(self, action: Action) -> None:
        given = [formula for name, formula in action.set.items() if name in self.names]
        for formula in (action.reroll, action.most, action.when, *given):
            self.at_formula(formula)
        self.names |= action.cost.keys()
        number = next(self.number)
        for place in (*taken_by(action), *((action.pool, symbol) for symbol in action.only)):
            self.marks[place].add(number if place[1] in (*action.cancel, *action.only) else (number, place[1]))
        if action.reroll:
            self.rerolled |= self.rerolled_by(action)
            self.fresh |= {action.pool} if action.once else set()
            self.numbered |= {action.pool} if action.alike else set()

    def rerolled_by(self, action: Action) -> set[tuple[str, str]]:
        return {(action.pool, face) for face in action.only or ("", *self.faces)}

    def count_dice(self, action: Action, times: int) -> None:
        """Add the dice that an action takes at most."""
        for place in taken_by(action):
            self.most[place] += times
        if action.reroll:
            each = None if action.all or action.alike else constant(action.reroll.tree, self.typed)
            for place in self.rerolled_by(action):
                self.most[place] += law.MAX_VALUE if each is None else times * each


def taken_by(action: Action) -> list[tuple[str, str]]:
    """Return the pools and faces that an action changes, cancels, or spends, once for each die."""
    taken = [(action.pool, symbol) for symbol in (*action.change[:1], *action.cancel)]
    return taken + [(pool, symbol) for pool, symbols in action.spend.items() for symbol in symbols]


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
            added[name_of(node)] += times
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
