"""Attack dice rolled by hand: read from a list or from typed text, and checked against the need.

Typed, dice stand between commas and a chain's faces between spaces: ``6 5, 3, 6 2``; ``-`` is a die that is not rolled.
Only Balanced and the Chart have chains. Where each die is rolled once, every number is a die: ``4 1 6``.
"""

from collections.abc import Sequence
from typing import Final

from bot.rules.dice import DICE_MOST
from bot.rules.errors import AtMost, BadInput, BadWord
from bot.rules.reading import Reader, whole
from bot.rules.text import N_, Code, Count, Noun, Text
from bot.rules.warsurge.methods import Need

SAVES_MOST: Final = 1000
"""Armour saves that can be typed: the Chart makes eight successes of one die at most."""

Faces = tuple[tuple[int, ...], ...]
"""For each attack die the faces that it showed, in the order rolled."""

HOW = Text("Write faces from 1 to 6 with spaces between the dice, for example `4 1 6`.")
HOW_IN_A_CHAIN = Text(
    "Write faces from 1 to 6, with spaces in a chain and commas between dice, for example `6 5, 3, 6 2`."
)


def parse(text: str, need: Need) -> Faces:
    """Typed faces. If the need rolls each die only once, every number is a die.

    Raises ``BadWord`` for a word that is not a face, ``BadInput`` for too many dice.
    """
    how = HOW_IN_A_CHAIN if len(need.steps) > 1 else HOW
    dice = tuple(tuple(face(word, how=how) for word in die.split() if word != "-") for die in text.split(","))
    if len(need.steps) == 1:
        dice = tuple((face,) for die in dice for face in die)
    if len(dice) > DICE_MOST:
        raise BadInput("faces", Count(len(dice), "die", "dice"), AtMost(DICE_MOST, Noun("die", "dice")))
    return dice


def face(word: str, field: str = "faces", how: Text = HOW) -> int:
    """A typed face; raises ``BadWord``, which says ``how`` to write dice."""
    if word not in ("1", "2", "3", "4", "5", "6"):
        raise BadWord(field, word, how)
    return int(word)


def typed(faces: Faces) -> str:
    """Faces as people type them; ``parse`` reads them back."""
    return ", ".join(" ".join(str(face) for face in die) or "-" for die in faces)


def read(reader: Reader, key: str, need: Need) -> Faces | None:
    """``[[6, 2], [3]]``, ``[4, 1]`` or typed text; None when missing. Raises ``PlayerError`` naming the die."""
    given = reader.raw(key)
    if given is None or given == "":
        return None
    if isinstance(given, str):
        return parse(given, need)
    return tuple(
        tuple(
            whole(Text("{key}, die {number}", key=Code(key), number=number), face, 1, 6)
            for face in (die if isinstance(die, list | tuple) else (die,))
        )
        for number, die in enumerate(reader.items(key, DICE_MOST), 1)
    )


def read_saves(reader: Reader) -> tuple[int, ...] | None:
    """Armour saves rolled by hand: ``5 2 6``, ``[5, 2, 6]``; ``-`` where none is due; None when missing."""
    given = reader.raw("save_faces")
    if given is None or given == "":
        return None
    if isinstance(given, str):
        return parse_row(given, "save_faces")
    return reader.wholes("save_faces", 1, 6, SAVES_MOST)


def parse_row(text: str, field: str) -> tuple[int, ...]:
    """Typed faces of dice that are rolled once: ``5 2 6``; raises ``BadWord``."""
    return tuple(face(word, field) for word in text.replace(",", " ").split() if word != "-")


def parse_saves(text: str, due: Sequence[int]) -> list[tuple[int, ...]]:
    """Armour saves as the defender types them, so many for each weapon, with semicolons between the weapons.

    Raises ``BadInput`` where their number does not fit, ``BadWord`` for a word that is no face.
    """
    parts = [parse_row(part, "saves") for part in text.split(";")]
    if [len(part) for part in parts] != list(due):
        each = ", then a semicolon and ".join(map(str, due))
        raise BadInput("saves", text, Text("Use one face for each armour save that is due: {each}.", each=Code(each)))
    return parts


def check(faces: Faces, need: Need, attack_dice: int) -> None:
    """Raises ``BadInput`` unless there are ``attack_dice`` dice and each shows as many faces as this need rolls."""
    if len(faces) != attack_dice:
        wanted = [Text("Use exactly {count}, one for each attack die.", count=attack_dice)]
        if not need.steps:
            wanted = [Text("Leave the faces out, because nothing is rolled.")]
        elif len(need.steps) == 1 and len(faces) > attack_dice:
            wanted.append(Text("Chains like `6 5` are of the methods Balanced and Chart: choose one as `method`."))
        raise BadInput("faces", typed(faces), *wanted)
    for number, die in enumerate(faces, 1):
        if not need.is_done(die):
            why = Text("Use one more face, because {text} rolls this die again.", text=Code(need.text))
            raise BadInput(Text("faces, die {number}", number=number), typed((die,)), why)
        due = next(die[:count] for count in range(len(die) + 1) if need.is_done(die[:count]))
        if due != die:
            message = N_("Use `{faces}` alone, because {need} stops there.")
            why = Text(message, faces=Code(typed((due,))), need=Code(need.text))
            why = why if due else Text("Use `-`, because nothing is rolled.")
            raise BadInput(Text("faces, die {number}", number=number), typed((die,)), why)
