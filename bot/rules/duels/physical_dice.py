"""A duel's physical dice, on camera: form fields, and parsing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from bot.rules import physical_dice as physical
from bot.rules.dice import Face, PooledRng, Rng, Rolled, enter_physical_dice
from bot.rules.duels.rows import BLANK, DuelGame, DuelPhrase
from bot.rules.errors import BadInputError, Example
from bot.rules.game import Field, Option, Side
from bot.rules.text import Capitalized, Code, Name, Names, Shown, Text, english, labeled, term

FACES: Final = "faces"
DICE: Final = "dice"
LONGEST: Final = 300


class LyingDice(PooledRng):
    """Chance that returns physical dice, in typed order."""

    def __init__(self, faces: Sequence[Face], by: Side) -> None:
        self.left, self.by = list(faces), by

    def __call__(self, sides: int, /) -> int:
        raise AssertionError(f"a die of {sides} sides was drawn, although people rolled by hand")

    def in_pool(self, pool: str, faces: Sequence[Face] = ()) -> Rng:
        return lambda _: faces.index(self.left.pop(0))


def entered_dice(duel: DuelGame, kinds: Sequence[str], filled: Mapping[str, str] | None, by: Side) -> LyingDice:
    """Return a form's dice. Raises ``BadInputError`` or ``UnknownWordError``."""
    return LyingDice(read_faces(duel, kinds, physical.typed_faces(FACES, filled or {})), by)


def mark(die: Rolled, rng: Rng) -> Rolled:
    """Return a new die, marked as typed by its side if physical."""
    if not isinstance(rng, LyingDice):
        return die
    if die.was_rerolled:
        return die.after_step("entered", Name(rng.by.value))
    return enter_physical_dice(die.kind, [die.face], rng.by.value)[0]


def face_name(duel: DuelGame, face: Face) -> Shown:
    """A number, or the symbols of a face in words."""
    if isinstance(face, int):
        return Code(str(face))
    names = [term(DuelPhrase.from_row(duel.marks[letter].noun.one)) for letter in face if letter in duel.marks]
    if not names:
        return Text("blank")
    return names[0] if len(names) == 1 else Text("{first} and {second}", first=names[0], second=names[1])


def fields(duel: DuelGame, kinds: Sequence[str], label: Shown) -> tuple[Field, ...]:
    """Return a field per die to select its face; a line for more dice than fields."""
    if len(kinds) > physical.MAX_FIELDS:
        return (line(duel, kinds, label),)
    found = list[Field]()
    for number, kind in enumerate(kinds, 1):
        die, faces = Text("Die {number}: {face}", number=number, face=Code(kind)), dict.fromkeys(duel.faces[kind])
        options = tuple(Option(str(face), Capitalized(face_name(duel, face))) for face in faces)
        found.append(Field(f"{FACES}-{number}", die, options=options, by_hand=True))
    return tuple(found)


def line(duel: DuelGame, kinds: Sequence[str], label: Shown) -> Field:
    example = ", ".join(word_of(duel, duel.faces[kind][0]) for kind in kinds)
    each = Names(labeled(Code(kind), Code(str(count))) for kind, count in Counter(kinds).items())
    return Field(FACES, label, Code(example[:LONGEST]), longest=LONGEST, by_hand=True, detail=each)


def word_of(duel: DuelGame, face: Face) -> str:
    """Return a face as typed: its number, its symbol's name, or several letters."""
    known = isinstance(face, str) and face in duel.marks
    return duel.marks[str(face)].noun.one if known else "blank" if face == BLANK else str(face)


def words_of(duel: DuelGame, kinds: Sequence[str]) -> Mapping[str, Face]:
    known = dict[str, Face]()
    for face in dict.fromkeys(face for kind in kinds for face in duel.faces[kind]):
        said = [str(face), word_of(duel, face)]
        if face in duel.marks:
            said += [duel.marks[str(face)].noun.many, english(face_name(duel, face))]
        known |= dict.fromkeys((word.lower() for word in said), face)
    return known


def read_faces(duel: DuelGame, kinds: Sequence[str], text: str) -> list[Face]:
    """Parse the faces of dice in order. Raises ``UnknownWordError`` for an invalid face, ``BadInputError`` for too
    many, too few, or one that its die lacks.
    """
    example = [word_of(duel, duel.faces[kind][0]) for kind in kinds]
    found = physical.read_faces(FACES, text, words_of(duel, kinds), example, None)
    for face, kind in zip(found, kinds, strict=True):
        if face not in duel.faces[kind]:
            order = Text("Use the faces in the order the dice fell.")
            raise BadInputError(FACES, word_of(duel, face), order, Example(", ".join(example)))
    return found
