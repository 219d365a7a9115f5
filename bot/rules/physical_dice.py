"""Physical dice in forms: with few dice, each has a field to select its face."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.rules.game import Field, Option, Side
from bot.rules.text import Code, Shown, term

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
