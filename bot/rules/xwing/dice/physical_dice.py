"""Physical dice on camera: each side types its own pool's faces."""

import re
from collections.abc import Mapping
from typing import Final

from bot.rules.errors import AllowedWords, BadInputError, Example, UnknownWordError
from bot.rules.game import Field, Option
from bot.rules.physical_dice import dice_fields
from bot.rules.text import Code, Count, Names, Shown, Text, joined
from bot.rules.xwing.dice.faces import Face, Pool

FACES: Final = "faces"
DICE: Final = "dice"
DIE: Final = "die-"
"""Key prefix of a die's own field."""
LONGEST: Final = 100
SAID: Final[Mapping[str, Face]] = {
    **{face.value: face for face in Face},
    **{f"{face.value}s": face for face in Face},
    **{face.value[0]: face for face in Face},
    **dict.fromkeys(("eye", "eyes"), Face.FOCUS),
    **dict.fromkeys(("empty", "nothing"), Face.BLANK),
}
"""Names of faces; the first letter is enough."""
PART: Final = re.compile(r"[^\s,;+]+")
COUNTED: Final = re.compile(r"([0-9]{1,2})x?([a-z]*)")

BY_HAND: Final = Option("camera", Text("I roll them on camera and enter the results"))
CAMERA: Final = Field("camera", Text("Your dice"), required=False, options=(BY_HAND,), several=True, by_hand=True)
"""Option in the defender's form."""


def faces_field(pool: Pool, count: int, label: Shown) -> Field:
    example = ", ".join(pool.results[at % len(pool.results)] for at in range(count))
    return Field(FACES, label, Code(example), longest=LONGEST)


def faces_fields(pool: Pool, count: int, label: Shown) -> tuple[Field, ...]:
    """Return form fields for the faces of ``count`` dice; ``label`` names them all."""
    dice = {Pool.RED: Text("Red die"), Pool.GREEN: Text("Green die")}[pool]
    labels = [joined(dice, number) for number in range(1, count + 1)]
    labels = labels if count > 1 else [dice]
    return dice_fields(labels, pool.results, faces_field(pool, count, label))


def read_faces(text: str, pool: Pool, count: int) -> tuple[Face, ...]:
    """Parse ``hit, 2 blanks`` or ``h b b`` as the faces of ``count`` dice. Raises ``UnknownWordError`` for an invalid
    face, ``BadInputError`` for too many or too few. Any text of at most ``LONGEST`` characters costs under 100,000
    steps.
    """
    faces, times = list[Face](), 1
    for part in PART.findall(text.lower()):
        counted = COUNTED.fullmatch(part)
        times, word = (int(counted[1]), counted[2]) if counted else (times, part)
        if not word:
            continue
        face = SAID.get(word)
        if face not in pool.results:
            known = tuple(name for name, item in SAID.items() if item in pool.results)
            shown = Text("A {pool} die shows {results}.", pool=pool, results=Names(pool.results, "or"))
            raise UnknownWordError(FACES, word, AllowedWords(known, shown))
        faces += [face] * times
        times = 1
    if len(faces) != count:
        exactly = Text("Use exactly {faces}, one for each die.", faces=Count(count, "face", "faces"))
        raise BadInputError(FACES, text, exactly, Example(", ".join(pool.results[:count])))
    return tuple(faces)
