"""Physical dice in forms: with few dice, each has a field to select its face; more are typed in one line."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from bot.rules.errors import AllowedWords, BadInputError, Example, UnknownWordError
from bot.rules.game import Field, Fill, Offer, Option, PlainAct, RequiredSetting, Side
from bot.rules.text import Code, Count, Shown, Text, term

F = TypeVar("F")

SIDES: Final[Mapping[str, tuple[Side, ...]]] = {"": (), **{side.value: (side,) for side in Side}, "both": tuple(Side)}
"""Sides that roll on camera, by the word of a declaration."""
MAX_FIELDS: Final = 5


def dice_fields(labels: Sequence[Shown], faces: Sequence[Any], typed: Field) -> tuple[Field, ...]:
    """Return a field per labeled die to pick its face, or ``typed`` for more dice than a form has fields."""
    if len(labels) > MAX_FIELDS:
        return (replace(typed, by_hand=True),)
    options = tuple(Option(str(face), term(str(face).capitalize())) for face in faces)
    return tuple(
        Field(f"{typed.key}-{number}", label, Code(options[0].value), options=options, by_hand=True)
        for number, label in enumerate(labels, 1)
    )


def faces_of(key: str, filled: Mapping[str, str]) -> list[str]:
    """Return the faces selected in ``dice_fields``, by die; [] if typed."""
    keys = [f"{key}-{number}" for number in range(1, MAX_FIELDS + 1)]
    return [filled[item] for item in keys if filled.get(item)]


def typed_faces(key: str, filled: Mapping[str, str]) -> str:
    """Return the contents of ``dice_fields`` as one typed text."""
    return ", ".join(faces_of(key, filled)) or filled.get(key, "")


def read_faces(key: str, text: str, words: Mapping[str, F], example: Sequence[str], sentence: Text | None) -> list[F]:
    """Parse ``2 hits, crit, -`` or ``6 5 1`` as the faces of dice, of which ``example`` has a word each. Raises
    ``UnknownWordError`` for an invalid face, ``BadInputError`` for too many or too few. Any text of 300 characters
    costs under 100,000 steps.
    """
    found, low, at = list[F](), text.lower(), 0
    names = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    times = r"(?:(?P<n>\d{1,2})\s*(?:x\s*)?)?" if not any(map(str.isdigit, words)) else ""
    part = re.compile(rf"{times}(?:(?P<word>{names})(?!\w))?")
    while (between := re.compile(r"[\s,;+]*").match(low, at)) and (at := between.end()) < len(low):
        match = part.match(low, at)
        if match is None or match["word"] is None:
            word = low[match.end() if match else at :].split(maxsplit=1) or [low[at:]]
            raise UnknownWordError(key, word[0], AllowedWords(tuple(words), sentence))
        found += [words[match["word"]]] * int(match.groupdict().get("n") or 1)
        at = match.end()
    if len(found) != len(example):
        exactly = Text("Use exactly {faces}, one for each die.", faces=Count(len(example), "face", "faces"))
        raise BadInputError(key, text, exactly, Example(", ".join(example)))
    return found


def hand_offers(
    side: Side, enter: PlainAct, instead: PlainAct, count: int, fields: Callable[[Text], tuple[Field, ...]]
) -> tuple[Offer, Offer]:
    """Return a form for a side's dice, and the bot's roll instead."""
    label, again, enters = Text("Your die"), Text("Roll the die for me"), Text("Enter what your die shows")
    if count > 1:
        label, again = Text("Your {count} dice", count=count), Text("Roll the {count} dice for me", count=count)
        enters = Text("Enter what your {count} dice show", count=count)
    typing = Offer(enter, side, enters, Fill(fields(label)), leave=RequiredSetting.BY_HAND)
    return typing, Offer(instead, side, again)
