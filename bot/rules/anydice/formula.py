"""Small formulas in the rows of systems: ``rolled >= target + 10``, ``count(hunger == 1) >= 2``.

Python syntax: sums, comparisons, ``and``, ``or``, ``not``, ``x if y else z``, ``max`` and ``min``. Measures of dice:
``count(pool >= 6)``, ``sum(pool >= 4)``, ``highest(pool)``, ``lowest(pool)``, ``alike(pool)`` (maximum of equal dice),
``sets(pool)`` (maximum sets of 10 and more) and ``symbols(S)``; the pool ``all`` is all dice. In duels ``pool.S``
counts a pool's symbol.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from operator import itemgetter, neg, not_
from typing import Any, Final, Literal

ALL: Final = "all"
Kind = Literal["count", "sum", "highest", "lowest", "alike", "sets", "symbols"]
KINDS: Final[tuple[Kind, ...]] = ("count", "sum", "highest", "lowest", "alike", "sets", "symbols")
SIGNS: Final[Mapping[type[ast.cmpop], Callable[[int, int], bool]]] = {
    ast.Eq: int.__eq__,
    ast.NotEq: int.__ne__,
    ast.Lt: int.__lt__,
    ast.LtE: int.__le__,
    ast.Gt: int.__gt__,
    ast.GtE: int.__ge__,
}
OPERATORS: Final[Mapping[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: int.__add__,
    ast.Sub: int.__sub__,
    ast.Mult: int.__mul__,
    ast.FloorDiv: lambda number, by: number // by if by else 0,
    ast.Mod: lambda number, by: number % by if by else 0,
}
UNARY: Final[Mapping[type[ast.unaryop], Callable[[int], int]]] = {ast.Not: not_, ast.USub: neg}
JOINS: Final[Mapping[type[ast.boolop], Callable[[Iterable[int]], bool]]] = {ast.And: all, ast.Or: any}
SIGNED: Final[Mapping[type[ast.operator], int]] = {ast.Add: 1, ast.Sub: -1}


@dataclass(frozen=True, slots=True)
class Measure:
    """A joint property of a pool's dice. ``sign`` and ``number`` say which faces ``count`` and ``sum`` take."""

    kind: Kind
    pool: str
    sign: type[ast.cmpop] | None = None
    number: int = 0

    def part_of_die(self, pool: str, face: int, symbols: str) -> Any:
        """Return a die's contribution, or None; for ``sets``, a sum above ten is that of tens and their last die."""
        if self.kind == "symbols":
            return symbols.count(self.pool)
        if self.pool not in (pool, ALL):
            return None
        if self.kind in ("count", "sum"):
            fits = self.sign is None or SIGNS[self.sign](face, self.number)
            return int(fits) if self.kind == "count" else face * fits
        if self.kind == "sets":
            return ((face - 1) % SET + 1, *(SET,) * ((face - 1) // SET))
        return (face,) if self.kind == "alike" else face

    def join_parts(self, item: Any, other: Any) -> Any:
        """Join the parts of two groups of dice; None is that of no dice."""
        if item is None or other is None:
            return other if item is None else item
        if self.kind in ("highest", "lowest"):
            return max(item, other) if self.kind == "highest" else min(item, other)
        return tuple(sorted(item + other)) if self.kind in ("alike", "sets") else item + other

    def value(self, part: Any) -> int:
        if part is None:
            return 0
        if self.kind == "sets":
            return count_sets(part, self.number)
        return max(Counter(part).values()) if self.kind == "alike" else int(part)


SET: Final = 10
"""Minimum sum of a set."""


def count_sets(faces: tuple[int, ...], two: int = 0) -> int:
    """Return the maximum number of disjoint sets; ``faces`` ascending. One of at least ``two`` counts twice; 0: none
    does. A ten is a set, and two beside others of at least ``two`` less ten.
    """
    others = tuple(face for face in faces if face < SET)
    tens = len(faces) - len(others)
    return tens + count_groups(others, min(tens, len(others)) if two else 0, two)


@lru_cache(maxsize=1 << 17)
def count_groups(faces: tuple[int, ...], tens: int, two: int) -> int:
    """Return what dice below ten add: sets of their own, or dice beside one of so many ``tens``. The highest die is in
    one of the groups, for it can replace any other.
    """
    if sum(faces) < (two - SET if tens else SET):
        return 0
    *others, highest = faces
    best, kinds = 0, ((two - SET, tens and 1), (SET, 1), (two, two and 2))
    for size in range(len(others) + 1):
        for chosen in set(combinations(others, size)):
            total, spare = highest + sum(chosen), chosen[0] if chosen else highest
            for at, (least, worth) in enumerate(kinds):
                if worth and least <= total < least + spare:
                    rest = tuple(sorted((Counter(others) - Counter(chosen)).elements()))
                    best = max(best, worth + count_groups(rest, tens - (at == 0), two))
    return best


@dataclass(frozen=True, slots=True)
class Net:
    """A sum of measures with multiplicities: ``symbols(S) - symbols(F)``."""

    terms: tuple[tuple[int, Measure], ...]

    def part_of_die(self, pool: str, face: int, symbols: str) -> int:
        return sum(times * (item.part_of_die(pool, face, symbols) or 0) for times, item in self.terms)

    def join_parts(self, item: int | None, other: int | None) -> int:
        return (item or 0) + (other or 0)

    def value(self, part: int | None) -> int:
        return part or 0


Measured = Measure | Net
Known = Mapping[str | Measured, int]
Calculation = Callable[[Known], int]


def measure_dice(item: Measured, dice: Iterable[tuple[str, int, str]]) -> int:
    """Return a measure's value for dice, each with pool, face, and symbols."""
    part: Any = None
    for pool, face, symbols in dice:
        part = item.join_parts(part, item.part_of_die(pool, face, symbols))
    return item.value(part)


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula, which needs ``names`` and ``measures``."""

    text: str
    names: frozenset[str]
    measures: tuple[Measured, ...]
    value: Calculation
    is_open: bool = False
    """Whether a measure compares with an option, ``count(pool <= focus)``, which must be ``bound`` first."""

    @classmethod
    def from_row(cls, text: str) -> "Formula":
        """Raise ``ValueError`` for an invalid formula."""
        tree = tree_of(text)
        names = frozenset(names_of(tree))
        if any(map(compares_name, ast.walk(tree))):
            return cls(text, names, (), refuse_open, is_open=True)
        return cls(text, names, tuple(measures_of(tree)), compiled(tree))

    @property
    def tree(self) -> ast.expr:
        return tree_of(self.text)

    def bound(self, options: Mapping[Any, int]) -> "Formula":
        """Substitute options' numbers in the formula's measures."""
        return Formula.from_row(ast.unparse(Bound(options).visit(deepcopy(self.tree)))) if self.is_open else self


@lru_cache(maxsize=64)
def tree_of(text: str) -> ast.expr:
    """Parse a formula. The trees of all tables would hold 2.4 MiB."""
    return ast.parse(text.strip(), mode="eval").body


def compares_name(node: ast.AST) -> bool:
    """Whether a call measures dice by an option."""
    what = node.args[0] if isinstance(node, ast.Call) and node.args else None
    return isinstance(what, ast.Compare) and isinstance(what.comparators[0], ast.Name)


def refuse_open(_: Known) -> int:
    raise ValueError("This formula compares dice with an option that is not bound.")


class Bound(ast.NodeTransformer):
    """Substitutes numbers for options in measures."""

    def __init__(self, options: Mapping[Any, int]) -> None:
        self.options = options

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if compares_name(node):
            (what,) = node.args
            assert isinstance(what, ast.Compare)  # noqa: S101 - just asked
            what.comparators = [ast.Constant(self.options[ast.unparse(comparator)]) for comparator in what.comparators]
        return node


def names_of(node: ast.AST) -> Iterator[str]:
    """Yield a formula's names, without functions and their measured pools."""
    if isinstance(node, ast.Name | ast.Attribute):
        yield name_of(node)
    elif not isinstance(node, ast.Call) or call_name(node) not in (*KINDS, "given"):
        for child in node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node):
            yield from names_of(child)


def name_of(node: ast.Name | ast.Attribute) -> str:
    """Return a name as written: ``aim`` or ``attack.H``."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ast.unparse(node)


def measures_of(node: ast.AST) -> Iterator[Measured]:
    """Yield a formula's measures; purely added ones count as one."""
    if isinstance(node, ast.expr) and (net := net_of(node)) is not None:
        yield net
    elif isinstance(node, ast.Call) and call_name(node) in KINDS:
        yield measure(node)
    else:
        for child in ast.iter_child_nodes(node):
            yield from measures_of(child)


def net_of(node: ast.expr) -> Net | None:
    """Return a sum or difference of counts, sums, and symbols; None for anything else."""
    terms = terms_of(node)
    return Net(tuple(terms)) if terms is not None and isinstance(node, ast.BinOp) else None


def terms_of(node: ast.expr) -> list[tuple[int, Measure]] | None:
    if isinstance(node, ast.Call) and call_name(node) in ("count", "sum", "symbols"):
        return [(1, measure(node))]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        if (right := terms_of(node.right)) is None or (left := terms_of(node.left)) is None:
            return None
        sign = 1 if isinstance(node.op, ast.Add) else -1
        return [*left, *((sign * times, item) for times, item in right)]
    return None


def call_name(call: ast.Call) -> str:
    if not isinstance(call.func, ast.Name) or len(call.args) < 1:
        raise ValueError(ast.unparse(call))
    return call.func.id


def measure(call: ast.Call) -> Measure:
    (what,) = call.args
    kind = next(item for item in KINDS if item == call_name(call))
    if isinstance(what, ast.Name):
        return Measure(kind, what.id)
    if (
        isinstance(what, ast.Compare)
        and isinstance(what.left, ast.Name)
        and isinstance(what.comparators[0], ast.Constant)
    ):
        return Measure(kind, what.left.id, type(what.ops[0]), int(str(what.comparators[0].value)))
    raise ValueError(ast.unparse(call))


def compiled(node: ast.expr) -> Calculation:
    """Compile a formula to a function, since it is evaluated for every way of the dice. Raises ``ValueError`` for an
    invalid formula.
    """
    match node:
        case ast.Constant(value=int() as number):
            return lambda _: number
        case ast.Name() | ast.Attribute(value=ast.Name()):
            return itemgetter(ast.unparse(node))
        case ast.BinOp() if (net := net_of(node)) is not None:
            return itemgetter(net)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in OPERATORS:
            combine, first, second = OPERATORS[type(sign)], compiled(left), compiled(right)
            return lambda known: combine(first(known), second(known))
        case ast.UnaryOp(op=ast.Not() | ast.USub() as word, operand=operand):
            change, part = UNARY[type(word)], compiled(operand)
            return lambda known: int(change(part(known)))
        case ast.BoolOp(op=word, values=values):
            join, parts = JOINS[type(word)], [compiled(item) for item in values]
            return lambda known: int(join(part(known) for part in parts))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            asked, then, otherwise = compiled(test), compiled(body), compiled(orelse)
            return lambda known: then(known) if asked(known) else otherwise(known)
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            fits, first, second = SIGNS[type(sign)], compiled(left), compiled(right)
            return lambda known: int(fits(first(known), second(known)))
        case ast.Compare(left=left, ops=signs, comparators=others):
            steps = zip(signs, pairwise((left, *others)), strict=True)
            return compiled(ast.BoolOp(ast.And(), [ast.Compare(one, [sign], [two]) for sign, (one, two) in steps]))
        case ast.Call():
            return compiled_call(node)
    raise ValueError(ast.unparse(node))


def compiled_call(call: ast.Call) -> Calculation:
    """Compile a measure, the maximum or minimum of values, or whether an option was typed."""
    name = call_name(call)
    if name in KINDS:
        return itemgetter(measure(call))
    if name == "given":
        return itemgetter(f"given {ast.unparse(call.args[0])}")
    if name not in ("max", "min"):
        raise ValueError(ast.unparse(call))
    choose, parts = max if name == "max" else min, [compiled(item) for item in call.args]
    return lambda known: choose(part(known) for part in parts)


def constant(node: ast.expr, typed: Mapping[Any, int]) -> int | None:
    """Return a formula's value if typed values determine it, else None."""
    if isinstance(node, ast.BoolOp):
        decides = isinstance(node.op, ast.Or)
        known = (constant(part, typed) for part in node.values)
        if any(value is not None and bool(value) is decides for value in known):
            return int(decides)
    return compiled(node)(typed) if all(name in typed for name in names_of(node)) else None


@dataclass(frozen=True, slots=True)
class Check:
    """A condition on typed values, and the refusal if it fails."""

    when: Formula
    says: str


def fill_braces(text: str, known: Known) -> str:
    """Fill the braces in notation: ``{pool - hunger}``, and ``{bonus:+}`` with its sign, "" for 0."""

    def value(match: re.Match[str]) -> str:
        number = Formula.from_row(match[1]).value(known)
        return str(number) if not match[2] else f"{number:+}" if number else ""

    return re.sub(r"\{([^{}:]+)(:\+)?\}", value, text)
