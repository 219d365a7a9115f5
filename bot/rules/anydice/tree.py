"""Dice notation as trees: parts, canonical text, value, and limits. ``str`` of a part is its canonical notation, which
``notation.parse`` parses to the same part.
"""

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any, Final, Literal

from bot.rules.anydice.systems import System, Values, game_of
from bot.rules.errors import BadTextError, quote_value
from bot.rules.text import Text

MAX_RESULT: Final = 10**9
"""Maximum absolute value of any result or part."""
MAX_CHAIN: Final = 10
"""Maximum times one die is rerolled by ``rr``, or explodes."""
PERCENT: Final = 100
"""Sides of a percentile die: a test compares the result, whichever face it names."""
FUDGE: Final = (-1, 0, 1)
TENS: Final = tuple(range(0, PERCENT, 10))
"""Faces of a bonus or penalty die: 00 to 90."""

Sign = Literal[">=", "<=", "=", "!=", ">", "<"]
WRITTEN: Final[dict[Sign, str]] = {"!=": "<>"}
"""A sign written as another: after dice, ``!=6`` explodes on a six in some bots."""
OPPOSITES: Final[dict[Sign, Sign]] = {">=": "<", "<": ">=", "<=": ">", ">": "<=", "=": "!=", "!=": "="}
Operator = Literal["+", "-", "*", "/", "%", "^"]
Explosion = Literal["new die", "compounding", "penetrating", "once", "one for all"]
"""Kinds of explosions: a new die; more on the same die; a new die that counts 1 less; one that brings no other; or all
of them one die."""
EXPLOSIONS: Final[dict[Explosion, str]] = {
    "new die": "!",
    "compounding": "!!",
    "penetrating": "!p",
    "once": "eo",
    "one for all": "ra",
}
Unique = Literal["", "u", "uo"]
"""Whether a repeated die is rerolled until it differs, or once."""
Rounding = Literal["ceil", "floor", "round", "abs"]


@dataclass(frozen=True, slots=True)
class DiceCondition:
    """A comparison with a number: ``>=7``; default sign ``=``."""

    sign: Sign
    number: int

    def fits(self, value: int) -> bool:
        return COMPARISONS[self.sign](value, self.number)

    def __str__(self) -> str:
        return f"{WRITTEN.get(self.sign, self.sign)}{self.number}"

    @property
    def short(self) -> str:
        """The text after a modifier: ``ro1``, ``rr<3``."""
        return str(self).removeprefix("=")


@dataclass(frozen=True, slots=True)
class Keep:
    """Dice to keep or, with ``drops``, drop: ``count`` of the highest, the lowest, or the ``middle``."""

    highest: bool
    count: int
    drops: bool = False
    middle: bool = False

    def count_dropped(self, dice: int) -> tuple[int, int]:
        """Return how many dice are dropped at the low end, and at the high end."""
        dropped = min(self.count, dice) if self.drops else max(0, dice - self.count)
        if self.middle:
            return dropped // 2, dropped // 2
        low = self.highest != self.drops
        return (dropped, 0) if low else (0, dropped)

    def __str__(self) -> str:
        return f"{'d' if self.drops else 'k'}{'m' if self.middle else 'h' if self.highest else 'l'}{self.count}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainStep:
    """A step of a chain: a die for each that passed the previous one.

    With a ``test``, a matching die passes; one matching ``again`` is rerolled, once or until it no longer matches. A
    face of ``critical`` or more always passes, adds ``brings`` others, and skips the next ``skips`` steps. Without a
    test, each becomes ``times`` as many, or as a die of ``sides`` shows. ``by``: the number of the person who rolls it
    (``@1``); 0 for the previous roller.
    """

    test: DiceCondition | None = None
    sides: int = 6
    times: int = 0
    again: DiceCondition | None = None
    again_once: bool = True
    critical: int = 0
    brings: int = 0
    skips: int = 0
    by: int = 0

    def outcomes(self, face: int) -> tuple[tuple[int, int], ...]:
        """Return pairs of steps skipped after a face, and dice that continue there."""
        if self.test is None:
            return ((0, self.times or face),)
        if 0 < self.critical <= face:
            return (self.skips, 1), (0, self.brings)
        return ((0, int(self.test.fits(face))),)

    @property
    def deals(self) -> bool:
        """Whether it multiplies dice: a step of damage."""
        return self.test is None

    @property
    def die(self) -> "DicePool":
        return DicePool(count=1, sides=self.sides, reroll=self.again, reroll_once=self.again_once)

    @property
    def most(self) -> int:
        """Return the maximum dice that continue from one."""
        return max(sum(count for _, count in self.outcomes(face)) for face in range(1, self.sides + 1))

    @property
    def critical_text(self) -> str:
        brings = f"+{self.brings}" if self.brings else ""
        return f"c{self.critical}{brings}{'>' * self.skips}" if self.critical else ""

    def __str__(self) -> str:
        if self.test is None:
            return f" thenx{self.times or f'd{self.sides}'}"
        again = f"ro{self.again.short}" if self.again else ""
        by = f" by @{self.by}" if self.by else ""
        return f" then{self.test}{again}{self.critical_text}{by}"


@dataclass(frozen=True, slots=True)
class ChainResult:
    """A chain's result: what passed, and whether each die continues; or how many dice ``person`` must roll."""

    through: int
    goes_on: tuple[bool, ...]
    person: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePool:
    """Dice of one kind rolled together, and their modifiers.

    In this order, however typed: ``bonus`` tens dice (negative: penalty) change a d100, each die is rerolled
    (``reroll``; once, or until it no longer matches; ``unique``: while it repeats an earlier die), a die matching
    ``explode`` adds more as ``explosion`` says, one of ``implode`` or less subtracts another, ``least`` and ``most``
    limit each value, ``keep`` or ``only`` drops some, and with ``success`` matching dice are counted, minus those of
    ``failure`` or less (0: none). ``steps`` make a chain: hit, wound, a failed save, damage. The first is of these
    dice, with the test of ``success``; without one, their value enters the next, and ``plus`` more. What passes the
    last one counts; with ``wounds``, killed models of that many wounds, where one attack's damage doesn't carry over.
    """

    count: int
    sides: int
    fudge: bool = False
    bonus: int = 0
    reroll: DiceCondition | None = None
    reroll_once: bool = False
    unique: Unique = ""
    explode: DiceCondition | None = None
    explosion: Explosion = "new die"
    implode: int = 0
    least: int | None = None
    most: int | None = None
    keep: Keep | None = None
    only: DiceCondition | None = None
    success: DiceCondition | None = None
    steps: tuple[ChainStep, ...] = ()
    plus: int = 0
    wounds: int = 0
    failure: int = 0
    note: str = ""

    @property
    def kind(self) -> str:
        return "dF" if self.fudge else f"d{self.sides}"

    @property
    def faces(self) -> tuple[int, ...]:
        return FUDGE if self.fudge else tuple(range(1, self.sides + 1))

    @property
    def is_exploding_sum(self) -> bool:
        """Whether one die adds up its explosions."""
        return self.explode is not None and self.explosion == "compounding"

    @property
    def links(self) -> int:
        """Return the maximum chain of explosions."""
        return {"one for all": 0, "once": 1}.get(self.explosion, MAX_CHAIN) if self.explode else 0

    @property
    def values(self) -> tuple[int, ...]:
        """Return one die's minimum and maximum, before limits."""
        links = 1 + MAX_CHAIN * self.is_exploding_sum
        return min(self.faces) * links if self.fudge else 1, max(self.faces) * links

    def limit_face(self, face: int) -> int:
        """Return a face after ``mi`` and ``ma``."""
        face = face if self.least is None else max(face, self.least)
        return face if self.most is None else min(face, self.most)

    def value(self, face: int) -> int:
        """Return a kept die's contribution: its face, 1 for a success, -1 for a failure."""
        counted = self.limit_face(face)
        if self.only is not None and not self.only.fits(counted):
            return 0
        if self.success is None:
            return counted
        return int(self.success.fits(counted)) - int(counted <= self.failure)

    def follow_chain(self, throw: Callable[[ChainStep], int | None]) -> ChainResult:
        """Run the steps. ``throw``: a step's next face; None if its person hasn't rolled it. Every die carries its
        attack's number; 0 without damage.
        """
        going, goes_on, attacks = [[0] * self.count, [0] * self.plus, *([0][:0] for _ in self.steps)], list[bool](), 0
        for at, step in enumerate(self.steps):
            for attack in going[at]:
                face = 0 if step.times else throw(step)
                if face is None:
                    return ChainResult(len(going[at]), tuple(goes_on), step.by)
                outcomes = step.outcomes(face)
                goes_on += [] if step.times else [any(count for _, count in outcomes)]
                attacks += step.deals
                for skips, count in outcomes:
                    going[min(at + 1 + skips, len(self.steps))] += [attacks if step.deals else attack] * count
        through = going[len(self.steps)]
        if not self.wounds:
            return ChainResult(len(through), tuple(goes_on))
        fallen, hurt = 0, 0
        for points in Counter(through).values():
            fallen, hurt = self.wound_model(fallen, hurt, points)
        return ChainResult(fallen, tuple(goes_on))

    def wound_model(self, fallen: int, hurt: int, points: int) -> tuple[int, int]:
        """Return the models that have fallen and the next one's damage, after an attack of so many points."""
        return (fallen + 1, 0) if hurt + points >= self.wounds else (fallen, hurt + points)

    @property
    def damage_step(self) -> int:
        return max((at for at, step in enumerate(self.steps) if at and step.deals), default=0)

    @property
    def chain_bound(self) -> int:
        """Return the maximum dice in any step of its chain."""
        most = [self.count]
        for at, step in enumerate(self.steps):
            most.append(most[-1] * max(1, step.most) + (self.plus if at == 0 else 0))
        return max(most)

    def compares_sum(self, test: DiceCondition) -> bool:
        """Whether such a test right after these dice is of their sum, not a count: for one die that adds no others,
        for a d100, and if every face of a die passes the test or every face fails it.
        """
        kept = self.count - (sum(self.keep.count_dropped(self.count)) if self.keep else 0)
        is_one = kept == 1 and self.only is None and (self.explode is None or self.is_exploding_sum)
        if is_one or self.kind == f"d{PERCENT}":
            return True
        low, high = self.values
        return len({test.fits(self.limit_face(value)) for value in range(low, high + 1)}) == 1

    def __str__(self) -> str:
        written = [f"{self.count}d{'F' if self.fudge else self.sides}"]
        written += [f"{'b' if self.bonus > 0 else 'p'}{abs(self.bonus)}"] if self.bonus else []
        written += [f"{'ro' if self.reroll_once else 'rr'}{self.reroll.short}"] if self.reroll else []
        written += [self.unique, self.explode_text(self.explode) if self.explode else ""]
        rest = {"i": self.implode or None, "mi": self.least, "ma": self.most, "": self.keep, "k": self.only}
        written += [f"{sign}{value}" for sign, value in rest.items() if value is not None]
        first = self.success_text + (self.steps[0].critical_text if self.success and self.steps else "")
        plus = f"+{self.plus}" if self.plus else ""
        steps = "".join([*map(str, self.steps[1:]), f" thenw{self.wounds}" if self.wounds else ""])
        return "".join([*written, first, plus, steps, f" [{self.note}]" if self.note else ""])

    def explode_text(self, test: DiceCondition) -> str:
        """Return ``!``, with a number if not the highest face, or if a sign follows: ``e10``."""
        if test.number < 0:
            return f"e{test}"
        is_followed = self.success is not None and not self.success_text.startswith(" ")
        if is_followed and self.keep is None and self.least is None and self.most is None:
            return f"{'e' if self.explosion == 'new die' else EXPLOSIONS[self.explosion]}{test.short}"
        is_usual = test == DiceCondition("=", max(self.faces)) and self.explosion != "one for all"
        return EXPLOSIONS[self.explosion] + ("" if is_usual else test.short)

    @property
    def success_text(self) -> str:
        if self.success is None:
            return ""
        if self.failure:
            return f" t{self.success.number} f{self.failure}"
        is_alone = (self.unique or self.count == 1) and self.success.sign == ">="
        is_apart = self.compares_sum(self.success) or is_alone
        return f" t{self.success.number}" if is_apart else str(self.success)


@dataclass(frozen=True, slots=True)
class Digits:
    """One die per digit: ``d66`` is 11 to 66. ``pools`` have one die each, first digit first."""

    pools: tuple[DicePool, ...]

    def __str__(self) -> str:
        sides = "".join(str(pool.sides) for pool in self.pools)
        return f"{'d' if sides in USUAL_DIGITS else 'dd'}{sides}"


USUAL_DIGITS: Final = ("66", "666", "88")
"""Dice generally read as digits; others are written with two ``d``."""


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Calculation:
    """``left`` and ``right`` added, subtracted, multiplied, or divided and rounded down."""

    operator: Operator
    left: "Node"
    right: "Node"

    def __str__(self) -> str:
        if self.operator == "^":
            return f"{in_brackets(self.left, FACTOR)}^{in_brackets(self.right, FACTOR)}"
        if self.operator == "-" and self.left == NumberLiteral(0):
            return f"-{in_brackets(self.right, FACTOR)}"
        level = TIGHTNESS[self.operator]
        return f"{in_brackets(self.left, level)}{self.operator}{in_brackets(self.right, level + 1)}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """1 if true, else 0."""

    left: "Node"
    sign: Sign
    right: "Node"

    def __str__(self) -> str:
        left, right = in_brackets(self.left, SUM), in_brackets(self.right, SUM)
        sign = WRITTEN.get(self.sign, self.sign)
        return f"{f'({self.left})' if self.is_hidden(right) else left}{sign}{right}"

    def is_hidden(self, right: str) -> bool:
        """Whether a sign after the left side would be parsed as part of its last dice."""
        if str(self.left).endswith(("!", "!p")):
            return True
        number, last = LEADING.match(right), last_part(self.left)
        if number is None or not isinstance(last, DicePool) or last.success is not None:
            return False
        return not last.compares_sum(DiceCondition(self.sign, int(number[0])))


def last_part(node: "Node") -> "Node":
    """Return the last part of an expression, outside parentheses."""
    while isinstance(node, Calculation):
        if tightness(node.right) <= TIGHTNESS[node.operator]:
            break
        node = node.right
    return node


@dataclass(frozen=True, slots=True)
class Best:
    """The sum of the ``count`` highest, or lowest, of several expressions."""

    highest: bool
    choices: tuple["Node", ...]
    count: int = 1

    def __str__(self) -> str:
        choices = ", ".join(map(str, self.choices))
        if self.count > 1:
            return f"{{{choices}}}k{'h' if self.highest else 'l'}{self.count}"
        return f"{'max' if self.highest else 'min'}({choices})"

    def of(self, values: "Iterable[int | Fraction]") -> "int | Fraction":
        """Return its value, given the values of its choices."""
        return sum(sorted(values, reverse=self.highest)[: self.count])


@dataclass(frozen=True, slots=True)
class Rounded:
    """Rounding of divisions at the end: up, down, to the nearest (halves up); or an absolute value."""

    how: Rounding
    node: "Node"

    def __str__(self) -> str:
        return f"{self.how}({self.node})"


Node = NumberLiteral | DicePool | Digits | Calculation | Comparison | Best | Rounded
SUM, PRODUCT, POWER, FACTOR = 1, 2, 3, 4
"""Operator precedence of a part."""
TIGHTNESS: Final[dict[Operator, int]] = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "%": PRODUCT, "^": POWER}


def in_brackets(node: Node, least: int) -> str:
    """Return a part as an operand, in brackets if needed."""
    return str(node) if tightness(node) >= least else f"({node})"


def tightness(node: Node) -> int:
    if isinstance(node, Calculation):
        return TIGHTNESS[node.operator]
    is_test = isinstance(node, Comparison) or (isinstance(node, DicePool) and bool(node.success or node.steps))
    return 0 if is_test else FACTOR


LEADING: Final = re.compile(r"[0-9]+(?![0-9]|d[0-9f])", re.IGNORECASE)
"""A leading number that isn't the number of dice."""


def children(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Calculation | Comparison):
        return node.left, node.right
    if isinstance(node, Best):
        return node.choices
    if isinstance(node, Digits):
        return node.pools
    return (node.node,) if isinstance(node, Rounded) else ()


def pools_of(node: Node) -> Iterator[DicePool]:
    """Yield a tree's pools, in typed and rolled order."""
    if isinstance(node, DicePool):
        yield node
    for child in children(node):
        yield from pools_of(child)


def map_pools(node: Node, change: Callable[[DicePool], DicePool]) -> Node:
    """Apply ``change`` to each pool of a tree, except digits."""
    if isinstance(node, DicePool):
        return change(node)
    if isinstance(node, Calculation | Comparison):
        return replace(node, left=map_pools(node.left, change), right=map_pools(node.right, change))
    if isinstance(node, Best):
        return replace(node, choices=tuple(map_pools(choice, change) for choice in node.choices))
    return replace(node, node=map_pools(node.node, change)) if isinstance(node, Rounded) else node


# Evaluation


COMPARISONS: Final[dict[Sign, Callable[[Any, Any], bool]]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}
CALCULATIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "%": operator.mod,
    "^": lambda left, right: left ** int(right),
    "/": lambda left, right: Fraction(left) / right,
}
"""Without rounding, as inside ``ceil``, ``floor`` or ``round``."""
ROUNDINGS: Final[dict[Rounding, Callable[[int | Fraction], int]]] = {
    "ceil": ceil,
    "floor": floor,
    "round": lambda value: floor(value + Fraction(1, 2)),
    "abs": lambda value: abs(floor(value)),
}


def calculate(sign: str, left: int, right: int) -> int:
    """Calculate; division rounds down."""
    return left // right if sign == "/" else int(CALCULATIONS[sign](left, right))


def calculate_exactly(sign: str, left: int | Fraction, right: int | Fraction) -> int | Fraction:
    exact: int | Fraction = CALCULATIONS[sign](left, right)
    return exact


def in_digits(faces: tuple[int, ...]) -> int:
    """Return 35 for ``(3, 5)``."""
    return int("".join(map(str, faces)))


def evaluate_tree(node: Node, value: Callable[[DicePool], int]) -> int:
    return int(evaluate(node, value, calculate))


def evaluate(node: Node, value: Callable[[DicePool], int], calculates: "Calculates") -> int | Fraction:
    """Evaluate with the rounding of ``calculates``: at each division, or not yet."""
    if isinstance(node, NumberLiteral):
        return node.value
    if isinstance(node, DicePool):
        return value(node)
    if isinstance(node, Digits):
        return in_digits(tuple(map(value, node.pools)))
    if isinstance(node, Rounded):
        return ROUNDINGS[node.how](evaluate(node.node, value, calculate_exactly))
    parts = [evaluate(child, value, calculates) for child in children(node)]
    if isinstance(node, Best):
        return node.of(parts)
    return int(COMPARISONS[node.sign](*parts)) if isinstance(node, Comparison) else calculates(node.operator, *parts)


# Limits

Bounds = tuple[int | Fraction, int | Fraction]
Calculates = Callable[[str, Any, Any], int | Fraction]


def bounds(node: Node, calculates: Calculates = calculate) -> Bounds:
    """Return a tree's limits, maybe a little too wide. Raises ``BadTextError`` for division by a possible 0."""
    if isinstance(node, NumberLiteral):
        return node.value, node.value
    if isinstance(node, DicePool):
        return pool_bounds(node)
    if isinstance(node, Rounded):
        low, high = bounds(node.node, calculate_exactly)
        ends = ROUNDINGS[node.how](low), ROUNDINGS[node.how](high)
        return (0 if low < 0 < high else min(ends), max(ends)) if node.how == "abs" else ends
    parts = [bounds(child, calculates) for child in children(node)]
    if isinstance(node, Comparison):
        return 0, 1
    if isinstance(node, Digits):
        return in_digits((1,) * len(parts)), in_digits(tuple(pool.sides for pool in node.pools))
    if isinstance(node, Best):
        return node.of(low for low, _ in parts), node.of(high for _, high in parts)
    return calculation_bounds(node, calculates, *parts)


def calculation_bounds(node: Calculation, calculates: Calculates, left: Bounds, right: Bounds) -> Bounds:
    if node.operator in "/%" and right[0] <= 0 <= right[1]:
        why = Text(
            "In {text}, the divisor could be 0. Divide by something that is always above 0.",
            text=quote_value(str(node)),
        )
        raise BadTextError(why)
    if node.operator in "+-":
        low, high = (right[1], right[0]) if node.operator == "-" else right
        return calculates(node.operator, left[0], low), calculates(node.operator, left[1], high)
    if node.operator == "%":
        return min(0, right[0] + 1), max(0, right[1] - 1)
    corners = [calculates(node.operator, item, other) for item in left for other in right]
    if node.operator == "^" and left[0] < 0 < left[1]:
        corners.append(0)
    return min(corners), max(corners)


def pool_bounds(pool: DicePool) -> tuple[int, int]:
    if pool.steps:
        return 0, pool.chain_bound
    low, high = pool.values
    low = 0 if pool.explode is not None and pool.explosion == "penetrating" else low
    ends = [*pool.faces, low, high]
    values = [pool.value(face) for face in ends]
    brings = pool.explode is not None and not pool.is_exploding_sum
    least, most = pool.count, pool.count * (1 + MAX_CHAIN * brings)
    if pool.keep is not None:
        least, most = (count - sum(pool.keep.count_dropped(count)) for count in (least, most))
    taken = pool.count * pool.sides * bool(pool.implode)
    return min(least * min(values), most * min(values)) - taken, max(least * max(values), most * max(values))


# Rolls: one, or several that are rolled one after the other

MAX_STEPS: Final = 6
"""Maximum steps of a chain after the first."""
MAX_GOING: Final = 400
"""Maximum dice in one step of a chain."""
MAX_TEXT: Final = 120
"""Maximum typed characters."""
MAX_WRITTEN: Final = 400
"""Maximum stored characters: words are shorter than their notation."""
MAX_SIDES: Final = 1000
MAX_TIMES: Final = 20
MAX_LINES: Final = 6
"""Maximum number of different rolls on one card."""
MAX_LABEL: Final = 60
MAX_EXPLODING: Final = 40
"""Maximum number of dice that may explode at once; each may add ``MAX_CHAIN`` more."""


@dataclass(frozen=True)
class ExpressionLine:
    """One roll: a tree, its repeats, its label, and its system with options."""

    tree: Node
    times: int = 1
    label: str = ""
    system: str = ""
    options: Values = ()

    @property
    def game(self) -> System | None:
        return game_of(self.system, self.options)

    @cached_property
    def pools(self) -> tuple[DicePool, ...]:
        """Return one repeat's pools, in typed and rolled order."""
        return tuple(pools_of(self.tree))

    @property
    def dice(self) -> int:
        """Number of dice rolled at once, for all times."""
        return self.times * sum(pool.count + abs(pool.bonus) for pool in self.pools)

    @property
    def is_check(self) -> bool:
        return isinstance(self.tree, Comparison)

    @property
    def counts_successes(self) -> bool:
        return not self.is_check and any(pool.success is not None or pool.steps for pool in self.pools)

    @property
    def notation(self) -> str:
        """Return one repeat's canonical notation, without words: ``4d6kh3``."""
        return str(map_pools(self.tree, lambda pool: replace(pool, note="")))

    @property
    def canonical_text(self) -> str:
        """Canonical notation without words: ``6#4d6kh3``."""
        return f"{self.times}#{self.notation}" if self.times > 1 else self.notation

    @property
    def full_text(self) -> str:
        """Return canonical text with words, parsed as this line again."""
        roll = self.game.write_canonical(self.options) if self.game else str(self.tree)
        noted = f"{self.times}#{roll}" if self.times > 1 else roll
        label = self.label.replace('"', "'")
        return f'{noted} "{label}"' if label else noted


@dataclass(frozen=True, slots=True)
class Expression:
    """One roll or more. A text without ``;`` has one ``line``."""

    lines: tuple[ExpressionLine, ...]

    @property
    def line(self) -> ExpressionLine:
        """Return the text's roll; the first of several."""
        return self.lines[0]

    @property
    def is_single(self) -> bool:
        """Whether it has one result, without waiting for anyone."""
        return len(self.rows) == 1 and not any(step.by for pool in self.line.pools for step in pool.steps)

    @property
    def rows(self) -> tuple[ExpressionLine, ...]:
        return tuple(line for line in self.lines for _ in range(line.times))

    @property
    def dice(self) -> int:
        return sum(line.dice for line in self.lines)

    @property
    def has_dice(self) -> bool:
        return any(line.pools for line in self.lines)

    @property
    def canonical_text(self) -> str:
        return "; ".join(line.canonical_text for line in self.lines)

    @property
    def full_text(self) -> str:
        return "; ".join(line.full_text for line in self.lines)
