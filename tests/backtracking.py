"""A slow matcher of regular expressions that counts its steps, and the strings on which a pattern may need many.

It tries what ``re`` tries, in the same order, so a pattern that backtracks more than linearly does so here too.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from re import _constants as op, _parser as parser  # type: ignore[attr-defined]  # Python has no public ones
from typing import Any, Final

MAX_STEPS: Final = 10_000
SIGNS: Final = "ax0 (,-\n\"/@#+'é"
"""Characters of which one stands for each set of a pattern, if it is in it."""
SAMPLES: Final = [*SIGNS, *map(chr, range(33, 0x2100)), "\ud800"]
STRANGE: Final = "\x01"
"""A character that hardly any pattern takes."""
REPEATS: Final = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
Next = Callable[[int], bool]


Parts = tuple[Any, ...]
IGNORECASE, DOTALL, MULTILINE, ASCII = (int(flag) for flag in (re.IGNORECASE, re.DOTALL, re.MULTILINE, re.ASCII))


@cache
def parsed(pattern: re.Pattern[str]) -> Parts:
    """The parts of a pattern, all of them tuples; what looks back has its width instead of a direction."""
    result: Parts = frozen(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE))
    return result


def frozen(part: Any) -> Any:
    if isinstance(part, parser.SubPattern):
        return tuple(map(frozen, part.data))
    if isinstance(part, tuple) and part and (part[0] is op.ASSERT or part[0] is op.ASSERT_NOT):
        kind, (direction, inner) = part
        return kind, (direction if direction > 0 else -inner.getwidth()[0], frozen(inner))
    return tuple(map(frozen, part)) if isinstance(part, tuple | list) else part


class TooManyError(Exception):
    """More steps than any linear pattern needs."""


class Matcher:
    """Matches one pattern; ``steps`` counts the parts of it that were tried at a place of the text."""

    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self.tree, self.flags, self.text = parsed(pattern), pattern.flags, text
        self.steps = 0
        self.groups: dict[int, tuple[int, int]] = {}

    def match(self, at: int, *, whole: bool) -> int | None:
        """Where a match that begins there ends; None for none."""
        ended: list[int] = []

        def end(place: int) -> bool:
            if whole and place != len(self.text):
                return False
            ended.append(place)
            return True

        return ended[0] if self.sequence(self.tree, 0, at, end) else None

    def search(self) -> None:
        """Find every match from left to right, as ``finditer`` does."""
        at = 0
        while at <= len(self.text):
            end = self.match(at, whole=False)
            at = max(end, at + 1) if end is not None else at + 1

    def sequence(self, parts: Parts, index: int, at: int, then: Next) -> bool:
        if index == len(parts):
            return then(at)
        return self.one(parts[index], at, lambda place: self.sequence(parts, index + 1, place, then))

    def one(self, part: Any, at: int, then: Next) -> bool:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooManyError
        kind, value = part
        if kind in (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN):
            return at < len(self.text) and takes(part, self.text[at], self.flags) and then(at + 1)
        if kind is op.BRANCH:
            return any(self.sequence(branch, 0, at, then) for branch in value[1])
        if kind is op.SUBPATTERN:
            return self.group(value[0], value[3], at, then)
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            least, most, inner = value
            return self.repeat(inner, (least, most), at, then, 0, greedy=kind is op.MAX_REPEAT)
        if kind is op.POSSESSIVE_REPEAT:
            return self.possessive(value[2], (value[0], value[1]), at, then)
        if kind is op.ATOMIC_GROUP:
            end = self.longest(value, at)
            return end is not None and then(end)
        if kind is op.AT:
            return self.is_at(value, at) and then(at)
        if kind in (op.ASSERT, op.ASSERT_NOT):
            return self.looks(value, at) == (kind is op.ASSERT) and then(at)
        if kind is op.GROUPREF:
            begin, end = self.groups.get(value, (0, 0))
            return self.text.startswith(self.text[begin:end], at) and then(at + end - begin)
        raise NotImplementedError(kind)

    def group(self, number: int | None, inner: Parts, at: int, then: Next) -> bool:
        def after(place: int) -> bool:
            before = self.groups.get(number or 0)
            self.groups[number or 0] = (at, place)
            if then(place):
                return True
            if before is not None:
                self.groups[number or 0] = before
            return False

        return self.sequence(inner, 0, at, after)

    def repeat(self, inner: Parts, limits: tuple[int, int], at: int, then: Next, done: int, *, greedy: bool) -> bool:
        def again(place: int) -> bool:
            return (place > at or done < limits[0]) and self.repeat(inner, limits, place, then, done + 1, greedy=greedy)

        may_go_on, may_stop = done < limits[1], done >= limits[0]
        if greedy:
            return (may_go_on and self.sequence(inner, 0, at, again)) or (may_stop and then(at))
        return (may_stop and then(at)) or (may_go_on and self.sequence(inner, 0, at, again))

    def longest(self, inner: Parts, at: int) -> int | None:
        """Where the first match of some parts ends, whatever follows."""
        ended: list[int] = []
        self.sequence(inner, 0, at, lambda place: not ended.append(place))  # type: ignore[func-returns-value]  # it is None
        return ended[0] if ended else None

    def possessive(self, inner: Parts, limits: tuple[int, int], at: int, then: Next) -> bool:
        done = 0
        while done < limits[1] and (end := self.longest(inner, at)) is not None and end > at:
            at, done = end, done + 1
        return done >= limits[0] and then(at)

    def looks(self, value: Any, at: int) -> bool:
        direction, inner = value
        if direction > 0:
            return self.sequence(inner, 0, at, lambda _: True)
        return at + direction >= 0 and self.sequence(inner, 0, at + direction, lambda place: place == at)

    def is_at(self, value: Any, at: int) -> bool:
        if value in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
            return at == 0 or (bool(self.flags & MULTILINE) and self.text[at - 1] == "\n")
        if value in (op.AT_END, op.AT_END_STRING):
            return at == len(self.text) or (bool(self.flags & MULTILINE) and self.text[at] == "\n")
        around = [bool(re.match(r"\w", sign)) for sign in (self.text[max(0, at - 1) : at], self.text[at : at + 1])]
        return (around[0] != around[1]) == (value is op.AT_BOUNDARY)


@cache
def takes(part: Any, sign: str, flags: int) -> bool:
    """Whether a part of one character takes it."""
    kind, value = part
    if kind is op.ANY:
        return sign != "\n" or bool(flags & DOTALL)
    signs = {sign, sign.lower(), sign.upper()} if flags & IGNORECASE else {sign}
    if kind is op.LITERAL:
        return chr(value) in signs
    if kind is op.NOT_LITERAL:
        return chr(value) not in signs
    negated = bool(value) and value[0][0] is op.NEGATE
    return any(in_set(item, each, flags) for item in value[negated:] for each in signs) != negated


CATEGORIES: Final = {op.CATEGORY_DIGIT: r"\d", op.CATEGORY_SPACE: r"\s", op.CATEGORY_WORD: r"\w"} | {
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_NOT_WORD: r"\W",
}


def in_set(part: Any, sign: str, flags: int) -> bool:
    kind, value = part
    if kind is op.LITERAL:
        return bool(sign == chr(value))
    if kind is op.RANGE:
        return bool(value[0] <= ord(sign[0]) <= value[1])
    return re.fullmatch(CATEGORIES[value], sign, flags & ASCII) is not None


def sample(parts: Parts, flags: int) -> str:
    """A short text that the parts take."""
    return "".join(sample_of(part, flags) for part in parts)


def sample_of(part: Any, flags: int) -> str:
    kind, value = part
    if kind in (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN):
        wanted = [chr(value)] if kind is op.LITERAL else SAMPLES
        return str(next(sign for sign in wanted if takes(part, sign, flags)))
    if kind is op.BRANCH:
        return sample(value[1][0], flags)
    if kind is op.SUBPATTERN:
        return sample(value[3], flags)
    if kind in REPEATS:
        return sample(value[2], flags) * int(max(value[0], 1))
    return ""


def hard_texts(pattern: re.Pattern[str], size: int) -> Iterator[str]:
    """Texts in which a repeated part of a pattern, or two of its characters, stand again and again before no match."""
    for before, unit in units(pattern):
        for after in ("", STRANGE):
            yield before + (unit * size)[:size] + after


@cache
def units(pattern: re.Pattern[str]) -> tuple[tuple[str, str], ...]:
    """What stands again and again in hard texts, each with the text before it."""
    return tuple(dict.fromkeys((*pumped(parsed(pattern), "", pattern.flags), *alphabet(pattern))))


def pumped(parts: Parts, before: str, flags: int) -> Iterator[tuple[str, str]]:
    """Each repeated part, as the text before it and one time of it."""
    for kind, value in parts:
        if kind in REPEATS and value[1] > 4:
            inner = value[2]
            yield before, sample(inner, flags) or "a"
            yield "", before + sample(inner, flags) or "a"
            yield from pumped(inner, before, flags)
        elif kind in REPEATS:
            yield from pumped(value[2], before, flags)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from pumped(branch, before, flags)
        elif kind is op.SUBPATTERN:
            yield from pumped(value[3], before, flags)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from pumped(value[1], before, flags)
        before += sample_of((kind, value), flags)


def alphabet(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Its characters, alone and in pairs."""
    signs = list(dict.fromkeys(each for each in sample(parsed(pattern), pattern.flags)))
    for sign in signs[:6]:
        yield "", sign
        yield from (("", sign + other) for other in signs[:6] if other != sign)


def steps(pattern: re.Pattern[str], text: str, *, is_searched: bool) -> int:
    """Steps that a pattern takes on a text."""
    matcher = Matcher(pattern, text)
    try:
        if is_searched:
            matcher.search()
        else:
            matcher.match(0, whole=True)
    except TooManyError:
        pass
    return matcher.steps
