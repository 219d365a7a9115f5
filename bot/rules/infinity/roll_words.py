"""The words of one roll: a Success Value, and any of

-3 +6           MODs, apart or joined to the Success Value: ``12-3``
b2 · burst 2    Burst, 1 if silent
sd · +1 sd      a special die
dodge · reset · template · shoot · normal
rolls 9, 4      faces that lie already; the Burst may then stay silent
n4 · n5         the edition of the whole order
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.rules.errors import BadInput, BadWord
from bot.rules.infinity.declared import (
    BURST_MOST,
    MOD_MOST,
    MODS_MOST,
    SIDES,
    SPECIAL_MOST,
    SV_MOST,
    Action,
    Edition,
    Roll,
)
from bot.rules.name import NAME_MOST, clean
from bot.rules.phrase import Phrase, within

VERSUS: Final = ("vs", "vs.", "versus", "against")
ACTIONS: Final[Mapping[str, Action]] = {action.value: action for action in Action}
EDITION_WORDS: Final[Mapping[str, Edition]] = {"n5": "n5", "n4": "n4", "n3": "n4", "codeone": "n4"}
ROLLS: Final = ("rolls", "rolled", "dice")
KNOWN: Final = ("vs", *ACTIONS, "normal", "burst", "sd", *ROLLS, *EDITION_WORDS)
RESERVED: Final = frozenset({*KNOWN, *VERSUS, "sv", ","})
AFTER: Final = (
    "You can use MODs (`-3`), `b2`, `sd`, `dodge`, `reset`, `template`, `normal`, `rolls 9, 4`, `vs`, "
    "or `;` before another line."
)

NOTHING: Final = ("0", "-", "none")
"""What people write to say that there are no MODs."""

DASHES: Final = str.maketrans("−–—", "---")
VALUE: Final = re.compile(r"(\d{1,3})((?:[+-]\d{1,3})*)", re.ASCII)
MODS: Final = re.compile(r"(?:[+-]\d{1,3})+", re.ASCII)
BURST: Final = re.compile(r"b(\d{1,3})", re.ASCII)
SPECIAL: Final = re.compile(r"\+?(\d{0,3})sd", re.ASCII)
NUMBER: Final = re.compile(r"\d{1,3}", re.ASCII)


@dataclass(slots=True)
class Draft:
    """A roll while its words are read; None is what nobody said yet."""

    name: str
    attribute: int
    mods: list[int] = field(default_factory=list)
    burst: int | None = None
    special: int | None = None
    action: Action | None = None
    dice: tuple[int, ...] | None = None
    normal: bool | None = None

    @property
    def roll(self) -> Roll:
        """The roll that was said; where no Burst was, physical dice tell it."""
        special, shown = self.special or 0, len(self.dice or ())
        return Roll(
            name=self.name,
            attribute=self.attribute,
            mods=tuple(self.mods),
            burst=self.burst or max(1, min(shown - special, BURST_MOST)),
            special=special,
            action=self.action or Action.SHOOT,
            dice=self.dice,
        )


class Words(Phrase):
    """The words of a line, whose commas are words too. ``allowed`` says what may follow, for an error."""

    def __init__(self, text: str, where: str, allowed: str = AFTER) -> None:
        super().__init__(text.translate(DASHES).replace(",", " , "), where)
        self.allowed = allowed
        self.edition: Edition | None = None

    def bad(self, allowed: str = "") -> BadWord:
        """The error that points at the next word."""
        return self.unknown(allowed or self.allowed, () if self.peek() in KNOWN else KNOWN)

    def number(self, what: str, least: int, most: int) -> int:
        """The next word, a number from ``least`` to ``most``; an order has many lines, so the error points at it."""
        if not NUMBER.fullmatch(self.peek()):
            raise self.bad(f"Write a number from {least} to {most} here: the {what}.")
        return super().number(what, least, most)

    def once(self, earlier: object) -> None:
        """Refuse the next word if the same was written before."""
        if earlier is not None:
            raise self.bad("You wrote that already.")


def read_roll(words: Words) -> Draft | str:
    """A name with its roll, or the name alone where no Success Value follows."""
    name = read_name(words)
    if not words.skip("sv") and words.peek() in ("", ",", *VERSUS):
        return name
    draft = read_value(words, name)
    while words.peek() not in ("", ",", *VERSUS):
        read_word(words, draft)
    return draft


def read_name(words: Words) -> str:
    """All words up to the first that means something else."""
    parts: list[str] = []
    while words.words and not is_reserved(words.peek(), bool(parts)):
        parts.append(words.take())
    typed = " ".join(parts)
    name = clean(typed)
    if not name:
        raise words.bad("A line starts with a name, and so does a target, as in `Angus 12 b2 vs Ortega 11`.")
    if len(typed) > NAME_MOST:
        raise BadInput("name", typed, f"at most {NAME_MOST} characters")
    return name


def is_reserved(word: str, follows: bool) -> bool:
    """Whether a word means something, so that it cannot be part of a name; ``B2`` can, as its first word."""
    return word in RESERVED or any(form.fullmatch(word) for form in (VALUE, MODS, SPECIAL, *((BURST,) * follows)))


def read_value(words: Words, name: str, allowed: str = "Start with a Success Value, as in `Angus 12 b2`.") -> Draft:
    """The Success Value, with MODs joined to it or not."""
    match = VALUE.fullmatch(words.peek())
    if match is None:
        raise words.bad(allowed)
    words.take()
    draft = Draft(name, within("Success Value", int(match[1]), 0, SV_MOST))
    add_mods(draft, match[2])
    return draft


def read_word(words: Words, draft: Draft, readers: Sequence[Callable[[Words, Draft], bool]] = ()) -> None:
    """One thing more that is said of a roll; raises ``BadWord`` for anything else, or said twice."""
    if not any(read(words, draft) for read in readers or READERS):
        raise words.bad()


def read_edition(words: Words, draft: Draft | None = None) -> bool:  # noqa: ARG001 - of the order, not of one roll
    if words.peek() not in EDITION_WORDS:
        return False
    words.once(words.edition)
    words.edition = EDITION_WORDS[words.take().lower()]
    return True


def read_special(words: Words, draft: Draft) -> bool:
    """``sd``, ``+1sd``, ``+1 sd``; read before the MODs, one of which ``+1`` would be."""
    apart = words.peek(1) == "sd" and MODS.fullmatch(words.peek()) is not None
    match = SPECIAL.fullmatch(words.peek() + "sd" * apart)
    if match is None:
        return False
    words.once(draft.special)
    draft.special = within("special dice", int(match[1] or 1), 1, SPECIAL_MOST)
    del words.words[: 1 + apart]
    return True


def read_mods(words: Words, draft: Draft) -> bool:
    if not MODS.fullmatch(words.peek()):
        return False
    add_mods(draft, words.take())
    return True


def add_mods(draft: Draft, text: str) -> None:
    draft.mods += [within("MOD", int(one), -MOD_MOST, MOD_MOST) for one in re.findall(r"[+-]\d+", text)]
    within("number of MODs", len(draft.mods), 0, MODS_MOST)


def read_burst(words: Words, draft: Draft) -> bool:
    match = BURST.fullmatch(words.peek())
    if match is None and words.peek() != "burst":
        return False
    words.once(draft.burst)
    words.take()
    draft.burst = within("Burst", int(match[1]), 1, BURST_MOST) if match else words.number("Burst", 1, BURST_MOST)
    return True


def read_normal(words: Words, draft: Draft) -> bool:
    if words.peek() != "normal":
        return False
    words.once(draft.normal)
    words.take()
    draft.normal = True
    return True


def read_action(words: Words, draft: Draft) -> bool:
    if words.peek() not in ACTIONS:
        return False
    words.once(draft.action)
    draft.action = ACTIONS[words.take().lower()]
    return True


def read_dice(words: Words, draft: Draft) -> bool:
    """``rolls 9, 4``: numbers, with or without commas; a name after a comma is the next target."""
    if words.peek() not in ROLLS:
        return False
    words.once(draft.dice)
    words.take()
    faces = [words.number("face", 1, SIDES)]
    while NUMBER.fullmatch(words.peek()) or (words.peek() == "," and NUMBER.fullmatch(words.peek(1))):
        if words.peek() == ",":
            words.take()
        faces.append(words.number("face", 1, SIDES))
    draft.dice = tuple(faces)
    return True


READERS: Final = (read_edition, read_special, read_mods, read_burst, read_normal, read_action, read_dice)


def modifiers(field_name: str, text: str) -> tuple[int, ...]:
    """MODs with their sign, with spaces or commas between them; ``0`` or ``none`` are none."""
    draft = Draft("", 0)
    add_typed(draft, field_name, text, "Write MODs with their sign, as in `-3 +6`.", (read_mods,))
    return tuple(draft.mods)


def add_bonus(draft: Draft, field_name: str, text: str) -> None:
    """Add typed MODs to a roll, and special dice: ``-3 +1sd``."""
    allowed = "Write MODs with their sign, as in `-3 +6`, and `+1sd` for a special die."
    add_typed(draft, field_name, text, allowed, (read_special, read_mods))


def add_typed(
    draft: Draft, field_name: str, text: str, allowed: str, readers: Sequence[Callable[[Words, Draft], bool]]
) -> None:
    words = Words(text.replace(",", " "), field_name, allowed)
    while words.words and words.peek() not in NOTHING:
        read_word(words, draft, readers)


def numbers(field_name: str, text: str, least: int, most: int) -> tuple[int, ...]:
    """At least one number, with spaces, commas or ``/`` between them."""
    found = tuple(re.split(r"[\s,/]+", text.strip()))
    if not all(NUMBER.fullmatch(one) and least <= int(one) <= most for one in found):
        raise BadInput(field_name, text, f"whole numbers from {least} to {most}")
    return tuple(int(one) for one in found)


def write_roll(roll: Roll, normal: bool = False) -> str:
    """The words of a roll; reading them gives it back."""
    parts = [roll.name, str(roll.attribute) + "".join(f"{mod:+d}" for mod in roll.mods)]
    parts += [f"b{roll.burst}"] if roll.burst > 1 or roll.dice else []
    parts += [f"+{roll.special}sd"] if roll.special else []
    parts += [roll.action.value] if roll.action is not Action.SHOOT else []
    parts += ["normal"] if normal else []
    parts += ["rolls " + ", ".join(map(str, roll.dice))] if roll.dice else []
    return " ".join(parts)
