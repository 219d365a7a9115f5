"""Physical dice on camera: each side types its own pool's faces."""

from collections.abc import Mapping
from typing import Final

from bot.rules import physical_dice
from bot.rules.game import Field, Option
from bot.rules.text import Code, Names, Shown, Text, joined
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

BY_HAND: Final = Option("camera", Text("I roll them on camera and enter the results"))
CAMERA: Final = Field("camera", Text("Your dice"), required=False, options=(BY_HAND,), several=True, by_hand=True)
"""Option in the defender's form."""


def faces_field(pool: Pool, count: int, label: Shown) -> Field:
    return Field(FACES, label, Code(", ".join(example_of(pool, count))), longest=LONGEST)


def example_of(pool: Pool, count: int) -> list[str]:
    return [pool.results[at % len(pool.results)].value for at in range(count)]


def faces_fields(pool: Pool, count: int, label: Shown) -> tuple[Field, ...]:
    """Return form fields for the faces of ``count`` dice; ``label`` names them all."""
    dice = {Pool.RED: Text("Red die"), Pool.GREEN: Text("Green die")}[pool]
    labels = [joined(dice, number) for number in range(1, count + 1)]
    labels = labels if count > 1 else [dice]
    return physical_dice.dice_fields(labels, pool.results, faces_field(pool, count, label))


def read_faces(text: str, pool: Pool, count: int) -> tuple[Face, ...]:
    """Parse ``hit, 2 blanks`` or ``h b b`` as the faces of ``count`` dice. Raises ``UnknownWordError``, or
    ``BadInputError`` for too many or too few. A text of ``LONGEST`` characters costs under 100,000 steps.
    """
    words = {word: face for word, face in SAID.items() if face in pool.results}
    shown = Text("A {pool} die shows {results}.", pool=pool, results=Names(pool.results, "or"))
    return tuple(physical_dice.read_faces(FACES, text, words, example_of(pool, count), shown))
