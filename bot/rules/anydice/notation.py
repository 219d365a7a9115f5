"""Reads dice notation into a tree. Nothing is rolled here; every limit is checked before any die falls.

```
roll       = [times "#"] value [label]
value      = sum [sign sum]                         a comparison: 1 if it holds, else 0
sum        = product {("+" | "-") product}
product    = factor {("*" | "/") factor}            division rounds down
factor     = ["+" | "-"] (number | dice | "(" value ")") {"[" note "]"}
dice       = [count] "d" (sides | "%" | "F") {modifier} [sign number]     with a sign: how many dice fit
modifier   = ("kh" | "kl" | "k" | "dh" | "dl" | "d" | "ph" | "pl") [count]
           | ("ro" | "rr") test  |  ("e" | "x" | "!") [test]  |  ("mi" | "ma") number
test       = [sign] number                          without a sign: exactly this number
sign       = ">=" | "<=" | "==" | "=" | "!=" | ">" | "<"
```
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Final, Literal

from bot.rules.dice import DICE_MOST
from bot.rules.errors import AtMost, BadInput, BadText, PlayerError, shown
from bot.rules.name import one_line
from bot.rules.text import Text

TEXT_MOST: Final = 120
"""Characters of an expression."""
BRACKETS_MOST: Final = 20
SIDES_MOST: Final = 1000
TIMES_MOST: Final = 20
LABEL_MOST: Final = 60
NUMBER_DIGITS: Final = 6
RESULT_MOST: Final = 10**9
"""No result, nor any part of it, may be further from 0."""
CHAIN_MOST: Final = 10
"""So often, at most, one die is rerolled by ``rr``, or explodes."""
EXPLODING_MOST: Final = 40
"""So many dice may explode at once; each may bring ``CHAIN_MOST`` more."""
FUDGE: Final = (-1, 0, 1)

Sign = Literal[">=", "<=", "=", "!=", ">", "<"]
EXAMPLES: Final = "`4d6kh3`, `1d20+5` or `6d10>=7`"


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison with a number: ``>=7``; ``=`` where no sign was typed."""

    sign: Sign
    number: int

    def fits(self, value: int) -> bool:
        return compare(value, self.sign, self.number)

    def __str__(self) -> str:
        return f"{self.sign}{self.number}"


@dataclass(frozen=True, slots=True)
class Keep:
    """Which dice count: ``count`` are kept or, if ``drops``, dropped, the highest or the lowest."""

    highest: bool
    count: int
    drops: bool = False

    def kept(self, dice: int) -> tuple[int, int]:
        """How many of so many dice are dropped at the low end, and how many at the high end."""
        dropped = min(self.count, dice) if self.drops else max(0, dice - self.count)
        low = self.highest != self.drops
        return (dropped, 0) if low else (0, dropped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Dice of one kind that are thrown together, and what happens to them.

    In this order, however it was typed: each die is rerolled (``reroll``; once, or until it no longer fits), a die that
    fits ``explode`` brings one more, ``least`` and ``most`` limit what each counts, ``keep`` drops some, and with
    ``success`` the dice that fit are counted instead of added up. ``text`` is the pool as it was typed.
    """

    text: str
    count: int
    sides: int
    fudge: bool = False
    reroll: Condition | None = None
    reroll_once: bool = False
    explode: Condition | None = None
    least: int | None = None
    most: int | None = None
    keep: Keep | None = None
    success: Condition | None = None
    note: str = ""

    @property
    def kind(self) -> str:
        return "dF" if self.fudge else f"d{self.sides}"

    @property
    def faces(self) -> tuple[int, ...]:
        return FUDGE if self.fudge else tuple(range(1, self.sides + 1))

    def limited(self, face: int) -> int:
        """What a face counts after ``mi`` and ``ma``."""
        face = face if self.least is None else max(face, self.least)
        return face if self.most is None else min(face, self.most)

    def value(self, face: int) -> int:
        """What a die that is kept adds to the pool: its face, or 1 for a success."""
        counted = self.limited(face)
        return counted if self.success is None else int(self.success.fits(counted))


@dataclass(frozen=True, slots=True)
class Number:
    value: int


@dataclass(frozen=True, slots=True)
class Calculation:
    """``left`` and ``right`` added, subtracted, multiplied, or divided and rounded down."""

    operator: Literal["+", "-", "*", "/"]
    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True)
class Comparison:
    """1 if it holds, else 0."""

    left: "Node"
    sign: Sign
    right: "Node"


Node = Number | Pool | Calculation | Comparison


@dataclass(frozen=True, slots=True)
class Expression:
    """What a text says: a tree, how often it is rolled, and the words behind it."""

    text: str
    tree: Node
    times: int = 1
    label: str = ""

    @property
    def pools(self) -> tuple[Pool, ...]:
        """The pools of one roll of the tree, in the order in which they are typed and rolled."""
        return tuple(pools_of(self.tree))

    @property
    def dice(self) -> int:
        """How many dice fall at once."""
        return self.times * sum(pool.count for pool in self.pools)

    @property
    def counts_successes(self) -> bool:
        """Whether the result is a number of dice that fit."""
        return not isinstance(self.tree, Comparison) and any(pool.success is not None for pool in self.pools)


def pools_of(node: Node) -> Iterator[Pool]:
    if isinstance(node, Pool):
        yield node
    elif isinstance(node, Calculation | Comparison):
        yield from pools_of(node.left)
        yield from pools_of(node.right)


def compare(left: int, sign: Sign, right: int) -> bool:
    if sign == "=":
        return left == right
    if sign == "!=":
        return left != right
    if sign in (">", ">="):
        return left > right or (sign == ">=" and left == right)
    return left < right or (sign == "<=" and left == right)


def calculate(operator: str, left: int, right: int) -> int:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    return left * right if operator == "*" else left // right


# Reading

SIGNS: Final = re.compile(r"\s*(>=|<=|==|!=|=|>|<)\s*")
SUCCESS: Final = re.compile(r"\s*(>=|<=|==|!=|=|>|<)\s*([0-9]+)(?![0-9]|d[0-9%f])")
"""A sign and a number right behind dice: the dice that fit are counted."""
OPERATORS: Final = "+-*/"
COUNT: Final = re.compile(r"[0-9]+")
DICE: Final = re.compile(r"([0-9]*)d([0-9]+|%|f(?![abcfghijlnoqstuvwyz]))")
TIMES: Final = re.compile(r"\s*([0-9]+)\s*#")
NOTE: Final = re.compile(r"\s*\[([^\[\]]*)\]")
MODIFIER: Final = re.compile(
    r"(?P<keep>kh|kl|k|dh|dl|ph|pl|d)(?P<count>[0-9]*)"
    r"|(?P<reroll>ro|rr)(?P<reroll_sign>>=|<=|==|!=|=|>|<)?(?P<reroll_number>-?[0-9]+)"
    # `!=` counts the dice that do not fit; an explosion on exactly 6 is `!6`.
    r"|(?P<explode>e|x|!(?!=))(?:(?P<explode_sign>>=|<=|==|=|>|<)?(?P<explode_number>-?[0-9]+))?"
    r"|(?P<limit>mi|ma)(?P<limit_number>-?[0-9]+)"
)
LABEL: Final = re.compile(r"\s*#\s*(?=\S)|\s+(?=[^\W\d_])")
NO_LABEL: Final = re.compile(
    r"[0-9]*d([0-9]|%|f\b)|(r|ra|cs|cf|sf|c|t|min|max|[kdpr][a-z]?|m[ia])(>=|<=|==|!=|=|>|<)?[0-9]+(?!\S)"
)
"""Dice without a sign before them, or a modifier that does not exist: no words for a label."""
SAME: Final = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/", "\u00a0": " "})
"""What phones and word processors put for the signs of the keyboard."""


@lru_cache(maxsize=512)
def parse(text: str, field: str = "dice") -> Expression:
    """What an expression says. Raises ``PlayerError`` naming ``field`` for one that cannot be read or is too large."""
    if len(text) > TEXT_MOST:
        raise BadInput(field, f"{len(text)} characters", AtMost(TEXT_MOST))
    if not text.strip():
        raise BadInput(field, "", Text("Use dice like {examples}.", examples=EXAMPLES))
    if max(text.count("("), text.count(")")) > BRACKETS_MOST:
        raise BadInput(field, text, Text("Use at most {most} pairs of brackets.", most=BRACKETS_MOST))
    return Parser(text, field).read()


SEARCHED_MOST: Final = 4000
"""Characters of a text in which dice are looked for: a long message."""
TRIED_MOST: Final = 20
STYLE: Final = re.compile(r"\*\*|__|~~|\|\||`|\s=+\s.*")
"""Markdown, and behind an equals sign of its own what somebody rolled."""
BEFORE: Final = re.compile(r"(?:[0-9]+\s*#\s*)?[-+*/()0-9\s]*$")
"""What may stand before the first dice of an expression: how often, numbers, signs, brackets."""


def find(text: str) -> str | None:
    """The first dice in a text that somebody wrote for people: ``Roll **2d6+3**, please`` has ``2d6+3``; None without.

    Where dice stand in a longer expression, the whole of it: of ``2*(1d6+1)`` everything.
    """
    text = STYLE.sub(" ", text[:SEARCHED_MOST].translate(SAME))
    for dice in islice(re.finditer(rf"(?<![A-Za-z]){DICE.pattern}", text, re.IGNORECASE), TRIED_MOST):
        before = BEFORE.search(text, max(0, dice.start() - TEXT_MOST), dice.start())
        first = dice.start() if before is None else before.start()
        for start in [
            first,
            *(at for at in range(first + 1, dice.start() + 1) if text[at - 1].isspace()),
            dice.start(),
        ]:
            part = text[start : start + TEXT_MOST].lstrip()
            with suppress(PlayerError):
                found = Parser(part, "message").read(only_begin=True)
                if found.pools:
                    return f"{found.times}#{found.text}" if found.times > 1 else found.text
    return None


class Parser:
    """One text, read from left to right; ``at`` is the place of the next character."""

    def __init__(self, text: str, field: str) -> None:
        self.typed = text.strip().translate(SAME)
        self.text = self.typed.lower() if len(self.typed.lower()) == len(self.typed) else self.typed
        self.field = field
        self.at = 0
        self.begin = 0
        """Where the text, or the innermost bracket, begins."""

    def read(self, *, only_begin: bool = False) -> Expression:
        """What the text says; with ``only_begin`` any words may follow, and they are no label."""
        times = 1
        if found := self.take(TIMES):
            times = self.whole(found[1], 1, TIMES_MOST, "the number of rolls")
        start = self.at
        tree = self.value()
        body = self.typed[start : self.at].strip()
        label = "" if only_begin else self.label()
        expression = Expression(body, tree, times, label)
        if expression.dice > DICE_MOST:
            raise BadText(f"{shown(self.typed)} has {expression.dice} dice. Roll at most {DICE_MOST} at once.")
        least, most = bounds(tree, self.field)
        if max(abs(least), abs(most)) > RESULT_MOST:
            raise BadInput(self.field, self.typed, Text("Use a roll whose result is at most a billion."))
        return expression

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What comes next, if it fits."""
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def skip(self, characters: str) -> str:
        """The next character behind spaces, if it is one of these, and "" otherwise."""
        at = self.at
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        if at < len(self.text) and self.text[at] in characters:
            self.at = at + 1
            return self.text[at]
        return ""

    def whole(self, digits: str, least: int, most: int, what: str) -> int:
        if len(digits.lstrip("-")) > NUMBER_DIGITS or not least <= int(digits) <= most:
            allowed = f"Write a whole number from {least} to {most}."
            raise BadText(f"In `{self.field}`, {shown(digits)} cannot be {what}. {allowed}")
        return int(digits)

    def refusal(self, hint: str) -> PlayerError:
        """The error that quotes what comes next and says what may stand there."""
        rest = self.typed[self.at :].strip()
        where = f"I do not understand {shown(rest.split()[0])}" if rest else "something is missing at the end"
        return BadText(f"In `{self.field}`, {where}. {hint}")

    def value(self) -> Node:
        self.begin = self.at + len(self.text[self.at :]) - len(self.text[self.at :].lstrip())
        left = self.sum()
        found = self.take(SIGNS)
        if found is None:
            return left
        return Comparison(left, read_sign(found[1]), self.sum())

    def sum(self) -> Node:
        left = self.product()
        while operator := self.skip("+-"):
            left = Calculation("+" if operator == "+" else "-", left, self.product())
        return left

    def product(self) -> Node:
        left = self.factor()
        while operator := self.skip("*/"):
            if operator == "/":
                self.skip("/")  # `//` is the same: both round down
            left = Calculation("*" if operator == "*" else "/", left, self.factor())
        return left

    def factor(self) -> Node:
        signs = 0
        while sign := self.skip("+-"):
            signs += sign == "-"
        node = self.atom()
        while note := self.take(NOTE):
            if isinstance(node, Pool):
                node = replace(node, note=one_line(self.typed[note.start(1) : note.end(1)], LABEL_MOST))
        return Calculation("-", Number(0), node) if signs % 2 else node

    def atom(self) -> Node:
        if self.skip("("):
            node = self.value()
            if not self.skip(")"):
                raise self.refusal("A bracket is open: close it with `)`.")
            return node
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        start = self.at
        if dice := self.take(DICE):
            return self.pool(dice, start)
        if number := self.take(COUNT):
            if self.text[self.at : self.at + 1] in (".", ","):
                self.at = number.start()
                raise self.refusal("Use whole numbers.")
            return Number(self.whole(number[0], 0, 10**NUMBER_DIGITS - 1, "a number here"))
        raise self.refusal(f"Write dice like {EXAMPLES}.")

    def pool(self, dice: re.Match[str], start: int) -> Pool:
        """The dice that ``dice`` names, with the modifiers behind them."""
        count = self.whole(dice[1] or "1", 1, DICE_MOST, "the number of dice")
        fudge = dice[2] == "f"
        sides = 3 if fudge else 100 if dice[2] == "%" else self.whole(dice[2], 2, SIDES_MOST, "the number of sides")
        pool = Pool(text="", count=count, sides=sides, fudge=fudge)
        while modifier := self.modifier():
            pool = self.modified(pool, modifier)
        if found := self.take(SUCCESS):
            if start != self.begin or self.skip(OPERATORS):
                raise BadText(
                    f"{shown(self.typed)} could mean two things. Put brackets around what you compare or count: "
                    "`(2+1d20)>=15` compares the sum, `2+(6d10>=7)` counts dice."
                )
            number = self.whole(found[2], 0, SIDES_MOST, "the number to compare with")
            pool = replace(pool, success=Condition(read_sign(found[1]), number))
        return self.checked(replace(pool, text=self.typed[start : self.at].strip()))

    def modifier(self) -> re.Match[str] | None:
        """The next modifier, also one behind a space if it is a word of its own: `4d6 kh3`, but not `4d6 dragon`."""
        if found := self.take(MODIFIER):
            return found
        at = self.at
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        found = MODIFIER.match(self.text, at)
        if found is None or self.text[found.end() : found.end() + 1].isalnum():
            return None
        if (found["keep"] or "") == "d" or found[0] in ("e", "x", "k"):  # dice of their own, or a word
            return None
        self.at = found.end()
        return found

    def modified(self, pool: Pool, found: re.Match[str]) -> Pool:
        """The pool with one modifier more. Raises ``PlayerError`` for a second one of the same kind."""
        if name := found["keep"]:
            if pool.keep is not None:
                raise self.twice(found, "what is kept or dropped")
            if not found["count"] and len(name) == 1:
                self.at = found.start()
                raise self.refusal("Say how many dice: `4d6kh3` keeps the highest three, `4d6dl1` drops the lowest.")
            count = self.whole(found["count"] or "1", 1, DICE_MOST, "the number of dice that are kept or dropped")
            highest = name in ("kh", "k", "dh", "ph")
            return replace(pool, keep=Keep(highest, count, drops=name[0] in "dp"))
        if found["reroll"]:
            if pool.reroll is not None:
                raise self.twice(found, "which dice are rerolled")
            test = self.test(found, "reroll")
            return replace(pool, reroll=test, reroll_once=found["reroll"] == "ro")
        if found["explode"]:
            if pool.explode is not None:
                raise self.twice(found, "which dice explode")
            has_number = found["explode_number"] is not None
            test = self.test(found, "explode") if has_number else Condition("=", max(pool.faces))
            return replace(pool, explode=test)
        number = self.whole(found["limit_number"], min(pool.faces), max(pool.faces), "the limit of a die")
        if (pool.least if found["limit"] == "mi" else pool.most) is not None:
            raise self.twice(found, f"`{found['limit']}`")
        return replace(pool, least=number) if found["limit"] == "mi" else replace(pool, most=number)

    def twice(self, found: re.Match[str], what: str) -> PlayerError:
        self.at = found.start()
        return self.refusal(f"The dice say already {what}. Say it once.")

    def test(self, found: re.Match[str], what: str) -> Condition:
        number = self.whole(found[f"{what}_number"], -1, SIDES_MOST, "the number to compare with")
        return Condition(read_sign(found[f"{what}_sign"] or "="), number)

    def checked(self, pool: Pool) -> Pool:
        """The pool, if its modifiers can be carried out."""
        for test, what in ((pool.reroll, "would be rerolled"), (pool.explode, "would explode")):
            if test is not None and all(test.fits(face) for face in pool.faces):
                raise BadText(f"{shown(pool.text)} has no end: every face {what}. Leave one face out.")
        if pool.explode is not None and pool.count > EXPLODING_MOST:
            raise BadText(f"{shown(pool.text)} has too many dice. At most {EXPLODING_MOST} dice may explode.")
        if pool.least is not None and pool.most is not None and pool.least > pool.most:
            raise BadText(f"In {shown(pool.text)}, the least is above the most. Swap the two numbers.")
        if pool.keep is not None and pool.keep.count > pool.count:
            does = "drops" if pool.keep.drops else "keeps"
            raise BadText(f"{shown(pool.text)} {does} more dice than it has. Name fewer, or roll more.")
        return pool

    def label(self) -> str:
        """The words behind the dice."""
        if not self.text[self.at :].strip():
            return ""
        if self.take(LABEL) is None or NO_LABEL.match(self.text, self.at):
            raise self.refusal(
                "Between two parts write `+`, `-`, `*` or `/`. Modifiers are `kh3`, `kl1`, `dl1`, `ro1`, `rr<3`, `!`, "
                "`mi2`, `ma5` and `>=7`. Words for a label come last, behind a space."
            )
        words = one_line(self.typed[self.at :], TEXT_MOST)
        if len(words) > LABEL_MOST:
            raise BadInput("label", words, AtMost(LABEL_MOST))
        return words


def read_sign(sign: str) -> Sign:
    known: dict[str, Sign] = {">=": ">=", "<=": "<=", "!=": "!=", ">": ">", "<": "<"}
    return known.get(sign, "=")


# Limits


def bounds(node: Node, field: str = "dice") -> tuple[int, int]:
    """The least and the most that a tree can come to; both may be a little too far apart.

    Raises ``PlayerError`` for a division by something that could be 0.
    """
    if isinstance(node, Number):
        return node.value, node.value
    if isinstance(node, Pool):
        return pool_bounds(node)
    if isinstance(node, Comparison):
        for side in (node.left, node.right):
            bounds(side, field)
        return 0, 1
    left, right = bounds(node.left, field), bounds(node.right, field)
    if node.operator == "/" and right[0] <= 0 <= right[1]:
        raise BadText(f"In `{field}`, the divisor could be 0. Divide by something that is always above 0.")
    if node.operator in "+-":
        low, high = (right[1], right[0]) if node.operator == "-" else right
        return calculate(node.operator, left[0], low), calculate(node.operator, left[1], high)
    corners = [calculate(node.operator, one, other) for one in left for other in right]
    if node.operator == "/":  # nearest to 0, the divisor makes most of it
        corners += [calculate("/", one, other) for one in left for other in (-1, 1) if right[0] <= other <= right[1]]
    return min(corners), max(corners)


def pool_bounds(pool: Pool) -> tuple[int, int]:
    values = [pool.value(face) for face in pool.faces]
    least, most = pool.count, pool.count * (1 + (CHAIN_MOST if pool.explode is not None else 0))
    if pool.keep is not None:
        least, most = (count - sum(pool.keep.kept(count)) for count in (least, most))
    return min(least * min(values), most * min(values)), max(least * max(values), most * max(values))
