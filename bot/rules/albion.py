"""Albion: one roll of three dice decides whether an action hits, and whether it hits a focus point. Rules page, Albion,
points 1 to 7. Thresholds are exact fractions, never rounded; a value must be *higher*.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from math import floor
from typing import Final

from bot.rules.dice import Rng, Rolled, enter_physical_dice, roll
from bot.rules.errors import AllowedWords, BadInputError, Example, UnknownWordError
from bot.rules.game import Choice, Offer, Side, carry_out, roll_again_offer
from bot.rules.json_reader import JsonReader
from bot.rules.profile import Profiles
from bot.rules.text import Code, Name, Text

KEY = "albion"
TITLE: Final = Name("Albion")
SCHEMA = 1

DICE: Final[Mapping[str, tuple[int, ...]]] = {
    "Dx36": (0, 36, 72, 108, 144, 180),
    "Dx6": (0, 6, 12, 18, 24, 30),
    "Dx1": (0, 1, 2, 3, 4, 5),
}
"""Point 1. The source omits the faces; these are the only regular ones that give 0 to 215 evenly."""
VALUES: Final = 216
MAX_STAT: Final = 99
MAX_POWER: Final = 1_000_000
FOCUS: Final = Fraction(3, 2)
"""A focus point's factor on the Total Active Power."""
PROFILES: Final = Profiles(
    stats=dict.fromkeys(("Agility", "Stealth", "Awareness", "Strength"), (0, MAX_STAT)), example="Agility 5, Stealth 2"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """An action against a target: stats 0 to 99, Total Active ``power`` if known, typed ``faces`` of Dx36, Dx6, Dx1."""

    agility: int
    stealth: int
    awareness: int
    strength: int
    dodging: bool = False
    power: int | None = None
    faces: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRoll:
    """A rolled action: three dice, or none for a guaranteed miss."""

    declared: Declared
    dice: tuple[Rolled, ...]


State = AttackRoll


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """The intermediate values of points 2 to 4, in order."""

    agility_evasiveness: int
    stealth_evasiveness: int
    total_evasiveness: int
    accuracy: int
    range: int
    total_seeker_skill: int
    halved_seeker_skill: int
    total_miss_chance: int
    halved_miss_chance: Fraction
    focus_point_miss_chance: Fraction

    @property
    def lowest_hit(self) -> int | None:
        """Return the lowest value that hits: 0 for a guaranteed hit, None for a guaranteed miss."""
        return lowest_above(self.total_miss_chance) if self.total_miss_chance > 0 else 0

    @property
    def lowest_focus(self) -> int | None:
        """Return the lowest value that is a focus point; None without one."""
        return lowest_above(self.focus_point_miss_chance)

    @property
    def hits(self) -> int:
        """Number of the 216 values that hit, focus points included."""
        return 0 if self.lowest_hit is None else VALUES - self.lowest_hit

    @property
    def focus_points(self) -> int:
        """Number of the 216 values that are focus points."""
        return 0 if self.lowest_focus is None else VALUES - self.lowest_focus


def lowest_above(threshold: Fraction | int) -> int | None:
    """Return the lowest value from 0 to 215 above the threshold; None without one."""
    lowest = max(0, floor(threshold) + 1)
    return lowest if lowest < VALUES else None


def calculate(declared: Declared) -> Working:
    """Points 2 to 4; dodging doubles only what comes from Agility."""
    agility, stealth = 18 * declared.agility * (2 if declared.dodging else 1), 18 * declared.stealth
    accuracy, reach = 18 * declared.awareness, 18 * declared.strength
    halved = (accuracy + reach) // 2  # always even: no rounding
    miss = agility + stealth - halved
    return Working(
        agility_evasiveness=agility,
        stealth_evasiveness=stealth,
        total_evasiveness=agility + stealth,
        accuracy=accuracy,
        range=reach,
        total_seeker_skill=accuracy + reach,
        halved_seeker_skill=halved,
        total_miss_chance=miss,
        halved_miss_chance=Fraction(miss, 2),
        focus_point_miss_chance=Fraction(miss, 2) + 162,
    )


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The result of a roll. ``value`` is None if nothing was rolled; ``power`` is None if none was declared."""

    value: int | None
    is_hit: bool
    is_focus: bool
    multiplier: Fraction
    power: Fraction | None


def declare(raw: Mapping[str, object]) -> Declared:
    """Parse a declaration in the words of the golden files: ``target``, ``attacker``, ``power``, ``faces``.

    ``faces``: a list or typed text, or ``d36``, ``d6``, and ``d1`` of a golden roll. Raises ``BadInputError`` naming
    the field, ``UnknownWordError`` for an unknown key or face.
    """
    reader = JsonReader(raw)
    target, attacker = reader.take_object("target"), reader.take_object("attacker")
    declared = Declared(
        agility=target.take_whole_number("agility", 0, MAX_STAT),
        stealth=target.take_whole_number("stealth", 0, MAX_STAT),
        dodging=target.flag("dodging"),
        awareness=attacker.take_whole_number("awareness", 0, MAX_STAT),
        strength=attacker.take_whole_number("strength", 0, MAX_STAT),
        power=reader.take_whole_number("power", 0, MAX_POWER) if reader.has("power") else None,
        faces=read_faces(reader),
    )
    for part in (target, attacker):
        part.check_all_taken()
    reader.check_all_taken(*TOLD)
    return declared


def read_faces(reader: JsonReader) -> tuple[int, int, int] | None:
    """Parse the three faces in the order Dx36, Dx6, Dx1; None when missing."""
    words = [reader.take_raw(key) for key in ("d36", "d6", "d1")]
    given = reader.take_raw("faces")
    if given is None or given == "":
        return None if words == [None] * 3 else check_faces(words)
    return parse(given) if isinstance(given, str) else check_faces(reader.items("faces", len(DICE)))


def check_faces(given: Sequence[object]) -> tuple[int, int, int]:
    """Raise ``BadInputError`` unless these are a face of Dx36, one of Dx6 and one of Dx1."""
    if len(given) != len(DICE):
        raise BadInputError("faces", " ".join(map(str, given)), HOW)
    checked = []
    for (die, faces), face in zip(DICE.items(), given, strict=True):
        if not isinstance(face, int) or isinstance(face, bool) or face not in faces:
            raise BadInputError(Text("faces, {die}", die=Code(die)), face, AllowedWords(tuple(map(str, faces))))
        checked.append(face)
    first, second, third = checked
    return first, second, third


def parse(text: str) -> tuple[int, int, int]:
    """Parse faces like ``72 0 1``, ``72, 0, 1``. Any text of 100 characters costs under 100,000 steps."""
    words = re.split(r"[\s,+]+", text.strip())
    for word in words:
        if not word.isdecimal() or len(word) > len("180"):
            raise UnknownWordError("faces", word, HOW)
    return check_faces([int(word) for word in words])


def dice_count(declared: Declared) -> int:
    """Return three, or 0 for a guaranteed miss."""
    return 0 if calculate(declared).lowest_hit is None else len(DICE)


def start(declared: Declared, rng: Rng) -> AttackRoll:
    """Roll everything. A guaranteed hit still rolls for the focus point; a guaranteed miss rolls nothing (point 6)."""
    if declared.faces is not None:
        typed = zip(DICE, declared.faces, strict=True)
        dice = tuple(enter_physical_dice(kind, (face,), Side.ATTACKER)[0] for kind, face in typed)
    elif calculate(declared).lowest_hit is None:
        dice = ()
    else:
        dice = tuple(roll(kind, faces, 1, rng)[0] for kind, faces in DICE.items())
    return AttackRoll(declared=declared, dice=dice)


def rolled(state: AttackRoll) -> tuple[Rolled, ...]:
    return state.dice


def result(state: AttackRoll) -> AttackResult:
    """Points 3 to 5: hit or miss, focus point or not, and the resulting power."""
    worked, power = calculate(state.declared), state.declared.power
    value = sum(int(die.face) for die in state.dice) if state.dice else None
    is_hit, is_focus = reaches(value, worked.lowest_hit), reaches(value, worked.lowest_focus)
    multiplier = FOCUS if is_focus else Fraction(is_hit)
    return AttackResult(value, is_hit, is_focus, multiplier, None if power is None else power * multiplier)


def reaches(value: int | None, lowest: int | None) -> bool:
    return value is not None and lowest is not None and value >= lowest


AGAIN: Final = roll_again_offer(start, Text("Again"))


def offers(state: AttackRoll) -> tuple[Offer, ...]:
    return (AGAIN,) if state.dice and state.declared.faces is None else ()


def choose(state: AttackRoll, choice: Choice, rng: Rng) -> AttackRoll:
    """Repeat the action; raises ``NotOfferedError`` for anything else."""
    after: AttackRoll = carry_out(offers(state), state, choice, rng)
    return after


def outcome(state: AttackRoll) -> Mapping[str, object]:
    """Return the result and intermediate values in JSON words; ``resulting_power`` only with a declared power."""
    came = result(state)
    words: dict[str, object] = {
        "faces": [die.face for die in state.dice],
        "value": came.value,
        "hit": came.is_hit,
        "focus": came.is_focus,
        "power_multiplier": ratio(came.multiplier),
        **named_values(calculate(state.declared)),
    }
    return words if came.power is None else words | {"resulting_power": ratio(came.power)}


def named_values(worked: Working) -> dict[str, int | str]:
    """Return the intermediate values in JSON words: integers, and halves as ``"27/2"``."""
    numbers: dict[str, Fraction | int] = {field.name: getattr(worked, field.name) for field in fields(worked)}
    return {name: int(number) if number == int(number) else str(number) for name, number in numbers.items()}


def ratio(number: Fraction) -> str:
    """Return ``"3/2"``, ``"1/1"``."""
    return f"{number.numerator}/{number.denominator}"


HOW: Final = Example("72 0 1", Text("Use one face each of Dx36, Dx6, and Dx1, like `72 0 1`."))
TOLD: Final = (
    *("id", "note", "why", "value", "hit", "lowest_hit", "focus", "lowest_focus"),
    *("power_multiplier", "resulting_power"),
    *("n_miss", "n_hit_only", "n_focus", "of", "p_hit", "p_focus", "mean_power_multiplier"),
    *(field.name for field in fields(Working)),
)
"""Words of a result; a case may contain them, they declare nothing."""
