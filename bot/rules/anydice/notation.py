"""Reads what people type for dice. Nothing is rolled here; every limit is checked before any die falls.

A text is understood exactly, or refused with the nearest text that is; where it has two readings, it is a question.
``reader`` has the grammar, ``words`` what people say beside it, ``tree`` what comes of both.
"""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Final

from bot.rules.anydice import words
from bot.rules.anydice.expression import (
    EXPLODING_MOST,
    LABEL_MOST,
    LINES_MOST,
    SIDES_MOST,
    TEXT_MOST,
    TIMES_MOST,
    WRITTEN_MOST,
    Expression,
    Line,
)
from bot.rules.anydice.reader import BRACKETS_MOST, DICE, MISSING, NUMBER_DIGITS, UNKNOWN, Fork, Misread, Parser
from bot.rules.dice import DICE_MOST
from bot.rules.errors import BadText, NotUnderstood, Unclear, shown
from bot.rules.text import Names, Text

__all__ = [
    "BRACKETS_MOST",
    "EXPLODING_MOST",
    "LABEL_MOST",
    "LINES_MOST",
    "SIDES_MOST",
    "TEXT_MOST",
    "TIMES_MOST",
    "Expression",
    "Line",
    "find",
    "parse",
]

READINGS_MOST: Final = 8
"""So many readings of one text are tried."""
NEAREST_MOST: Final = 40
"""So many other texts are tried for one that is not understood."""
EXAMPLE: Final = "1d20+5"
EXAMPLES: Final = "`4d6kh3`, `1d20+5` or `6d10>=7`"
SAME: Final = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/", "·": "*", "\u00a0": " "})
"""What phones and word processors put for the signs of the keyboard."""
SIGN: Final = re.compile(r"\w+|[^\w\s]{1,3}")
"""What a refusal names: a word with its number, or a sign."""
WORD: Final = re.compile(r"\s*(?:[^\W\d_]+[0-9]*|[0-9]+|\S)")


@lru_cache(maxsize=512)
def parse(text: str, field: str = "dice") -> Expression:
    """What an expression says.

    Raises ``NotUnderstood`` naming ``field`` for one that cannot be read or is too large, and ``Unclear`` for one that
    has two readings.
    """
    typed = unwrapped(text)
    if len(typed) > WRITTEN_MOST:
        raise BadText(Text("`{field}` has more than {most} characters; write less.", field=field, most=TEXT_MOST))
    if not typed:
        raise BadText(Text("`{field}` is empty; write dice like {examples}.", field=field, examples=EXAMPLES))
    try:
        return one_of(typed, field, readings(typed))
    except Misread as error:
        raise not_understood(field, error) from None


def unwrapped(text: str) -> str:
    """The dice of a text without what other bots want before or around them."""
    typed = text.translate(SAME).strip()
    if found := words.PREFIX.match(typed):
        typed = typed[found.end() :].strip()
    if found := words.INLINE.fullmatch(typed):
        typed = found["inside"].strip()
    return typed.strip("`").strip()


Reading = tuple[Expression, tuple[Text, ...], int]
"""An expression, what was decided for it, and where it ends."""


def readings(typed: str, *, only_begin: bool = False) -> list[Reading]:
    """What a text says: one reading, or those of a question. Raises ``Misread`` where it has none."""
    waiting: list[tuple[int, ...]] = [()]
    found, refused = list[Reading](), list[Misread]()
    for _ in range(READINGS_MOST):
        if not waiting:
            break
        reader = Parser(typed, waiting.pop(0))
        try:
            expression = reader.read(only_begin=only_begin)
        except Fork as fork:
            waiting += [(*reader.decisions, way) for way in range(fork.ways)]
        except Misread as error:
            refused.append(error)
        else:
            found.append((expression, tuple(reader.asked), reader.at))
    if not found:
        raise refused[0]
    return found


def one_of(typed: str, field: str, found: list[Reading]) -> Expression:
    """The expression, if nothing was to be decided. Raises ``Unclear`` with every reading."""
    if not found[0][1]:
        return found[0][0]
    choices = {one.written: ", ".join(names) for one, names, _ in found}
    said = Names([f"`{written}` ({name})" for written, name in choices.items()], "or")
    one = "I do not guess what {typed} means. Do you mean {said}?"
    message = one if len(choices) == 1 else "{typed} could mean more than one thing. Write {said}."
    raise Unclear(Text(message, typed=shown(typed), said=said), field, tuple(choices), tuple(choices.values()))


# Refusals


def not_understood(field: str, error: Misread) -> NotUnderstood:
    """The refusal of a text: its first sign that is not understood, and the nearest text that is."""
    found = SIGN.search(error.text, max(0, error.at))
    sign, near = found[0] if found else "", nearest(error)
    why = Text(error.why or (UNKNOWN if sign else MISSING), **({"sign": shown(sign)} | dict(error.places)))
    message = "In `{field}`, {why}; the nearest that I understand is `{near}`."
    sentence = Text(message, field=field, near=near, why=why)
    return NotUnderstood(sentence, field, sign, near)


def nearest(error: Misread) -> str:
    """The nearest text that is understood, in full notation. Nothing is named that was not read."""
    for candidate in islice(dict.fromkeys(candidates(error)), NEAREST_MOST):
        with suppress(Misread):
            found = readings(candidate.strip())[0][0]
            if found.has_dice and len(found.written) <= TEXT_MOST:
                return found.written
    return EXAMPLE


def candidates(error: Misread) -> Iterator[str]:
    """Texts like the one that is not understood, the likeliest first."""
    text, at = error.text[:TEXT_MOST], min(error.at, TEXT_MOST)
    before, rest = text[:at].rstrip(), text[at:]
    digits = "".join(str(unicodedata.digit(one, one)) for one in text)
    if digits != text:
        yield digits
    yield from rewritten(digits)
    if error.instead:
        yield error.instead
    word = WORD.match(rest)
    behind = rest[word.end() :] if word else ""
    known = words.KNOWN_WORDS
    if (
        word
        and len(word[0].strip()) > 3
        and (close := get_close_matches(word[0].strip().lower(), known, n=1, cutoff=0.75))
    ):
        yield f"{before} {close[0]}{behind}"
    yield from moved(text, at)
    if re.search(r"[-+*/<>=0-9]", behind):
        yield f"{before} {behind}"
    label = rest.strip().replace('"', "'")
    if label and label[0].isalpha() and len(label) < words.LABEL_TRIED and not error.why:
        yield f'{before} "{label}"'
    yield before.rstrip("+-*/,; ")
    yield f"{before} {behind}"
    yield f"{text})"
    found = re.search(DICE.pattern[3:], text, re.IGNORECASE)
    if found:
        yield text[found.start() :]
        yield found[0]
        yield clamped(found)
        yield from (text[:end] for end in range(len(text) - 1, 0, -3))


def clamped(dice: re.Match[str]) -> str:
    """Dice with as many dice and sides as there may be."""
    count, sides = int(dice["count"][:NUMBER_DIGITS] or 1), dice["sides"]
    if not sides.isdecimal():
        return dice[0]
    return f"{min(max(count, 1), DICE_MOST)}d{min(max(int(sides[:NUMBER_DIGITS]), 2), SIDES_MOST)}"


def rewritten(text: str) -> Iterator[str]:
    """The text with one of the rewrites, and with all of them."""
    everything = text
    for pattern, instead in words.REWRITES:
        once = re.sub(pattern, instead, text, flags=re.IGNORECASE)
        everything = re.sub(pattern, instead, everything, flags=re.IGNORECASE)
        if once != text:
            yield once
    if everything != text:
        yield everything


def moved(text: str, at: int) -> Iterator[str]:
    """The text with a word that belongs to dice right behind them, and the rest where it was."""
    rest = text[at:]
    for phrase in (*words.BEHIND_DICE, *words.BEHIND_ROLL):
        found = phrase.match(rest.lower()) or phrase.match(f" {rest.lower()}")
        if found is None or not found[0].strip():
            continue
        length = found.end() - (not rest.lower().startswith(found[0]))
        without = f"{text[:at].rstrip()} {rest[length:].strip()}".strip()
        for dice in islice(re.finditer(DICE.pattern[3:], without, re.IGNORECASE), 4):
            yield f"{without[: dice.end()]} {rest[:length]}{without[dice.end() :]}"
        words_first = re.match(r"([-+*/0-9dkhlwDKHLW!<>= ]*[0-9%fF!])(\s.*)", without)
        if words_first:
            yield f"{words_first[1]} {rest[:length]} {words_first[2].strip()}"


# Dice in what people write

SEARCHED_MOST: Final = 4000
"""Characters of a text in which dice are looked for: a long message."""
TRIED_MOST: Final = 20
STYLE: Final = re.compile(r"\*\*|__|~~|\|\||`|\s=+\s.*")
"""Markdown, and behind an equals sign of its own what somebody rolled."""
BEFORE: Final = re.compile(r"(?:[0-9]+\s*#\s*)?[-+*/()0-9\s]*$")
"""What may stand before the first dice of an expression: how often, numbers, signs, brackets."""


def find(text: str) -> str | None:
    """The first dice in a text that somebody wrote for people: ``Roll **2d6+3**, please`` has ``2d6+3``; None without.

    Where dice stand in a longer expression, the whole of it: of ``2*(1d6+1)`` everything. Raises ``PlayerError`` where
    they have two readings, or where words behind them could change the roll and are not understood.
    """
    text = STYLE.sub(" ", text[:SEARCHED_MOST].translate(SAME))
    for dice in islice(re.finditer(rf"(?<![A-Za-z]){DICE.pattern[3:]}", text, re.IGNORECASE), TRIED_MOST):
        before = BEFORE.search(text, max(0, dice.start() - TEXT_MOST), dice.start())
        first = dice.start() if before is None else before.start()
        starts = [first, *(at for at in range(first + 1, dice.start() + 1) if text[at - 1].isspace()), dice.start()]
        for start in starts:
            with suppress(Misread):
                found = begun(text[start : start + TEXT_MOST].lstrip())
                if found.has_dice:
                    return found.written
    return None


def begun(text: str) -> Expression:
    """The expression that a text begins with, whatever words follow. Raises as ``find`` does, and ``Misread``."""
    try:
        found = readings(text, only_begin=True)
    except Misread as error:
        if words.EDGE.match(error.text.lower(), error.at):
            raise changing(error.text[: error.at], error.text[error.at :]) from None
        raise
    expression, _, end = found[0]
    rest = text[end:].split("\n")[0].lstrip(" ,").lower()
    if words.BEGINS.match(rest) and not words.PROSE.match(rest):
        raise changing(expression.written, rest)
    return one_of(text[:end].strip(), "dice", found)


def changing(dice: str, rest: str) -> BadText:
    """That words behind dice may mean something that is not understood."""
    message = "I found {dice}, but what follows could change the roll: {said}. Type what you mean with `/roll`."
    return BadText(Text(message, dice=shown(dice.strip()), said=shown(" ".join(rest.split()[:3]))))
