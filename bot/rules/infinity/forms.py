"""The forms of Infinity: a whole order, the answer to an open Face to Face, and the Saving Rolls after hits."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.rules.errors import BadInput
from bot.rules.game import Field
from bot.rules.infinity import roll_words, saves
from bot.rules.infinity.declared import ATTRIBUTE_MOST, POWER_MOST, SIDES, Roll, Save
from bot.rules.infinity.roll_words import Words, modifiers, numbers, read_value, read_word

ORDER_LONGEST: Final = 1000
ORDER: Final = (
    Field(
        "order",
        "A line for each roll",
        "Angus 12 b2 vs Ortega 11\nMurat 13 normal vs Angus\nAna 10 dodge vs Angus, Murat",
        longest=ORDER_LONGEST,
        lines=True,
    ),
)

REACT: Final = (
    Field("sv", "Success Value before MODs", "11", longest=20),
    Field("burst", "Burst", "1", required=False, longest=20),
    Field("mods", "MODs with their sign, +1sd for a special die", "-3 +6", required=False, longest=40),
    Field("kind", "What you do: shoot, dodge or reset", "shoot", required=False, longest=20),
)
DICE: Final = Field("dice", "Faces of your dice, rolled by hand", "9, 4", required=False, longest=60)
"""Asked where the other side rolled by hand; only a Success Value below 1 leaves it empty."""

ANSWERS: Final = (
    ("burst", "b", (roll_words.read_special, roll_words.read_burst), "Write a number, or a number and `sd`."),
    ("kind", "", (roll_words.read_action,), "Write `shoot`, `dodge` or `reset`."),
    ("dice", "rolls ", (roll_words.read_dice,), "Write the faces from 1 to 20, as in `9, 4`."),
)
"""Field, what a number in it stands for, what may stand there, and what to say if it does not."""


def answer(filled: Mapping[str, str], name: str = "") -> Roll:
    """The roll that the form declares. Raises ``BadWord`` or ``BadInput`` naming the field."""
    words = Words(filled["sv"], "sv", "Write a number, as in `11` or `11-3`.")
    draft = read_value(words, name, words.allowed)
    while words.words:
        read_word(words, draft, (roll_words.read_mods,))
    roll_words.add_bonus(draft, "mods", filled.get("mods", ""))
    for key, lead, readers, allowed in ANSWERS:
        text = filled.get(key, "").replace(",", " ").strip()
        words = Words(lead + text if text[:1].isdecimal() else text, key, allowed)
        while words.words:
            read_word(words, draft, readers)
    return draft.roll


def save_fields(hit: Save) -> tuple[Field, ...]:
    """The form of the Saving Rolls, filled with what was declared of weapon and armour."""
    label, example = ("PS of the weapon", "7") if hit.edition == "n5" else ("Damage of the weapon", "13")
    ammo, power = (hit.ammo.value, str(hit.power)) if hit.power else ("", "")
    arm = "" if hit.bts is None else f"{hit.arm} {hit.bts}"
    return (
        Field("ammo", "Ammunition: N, AP, DA, EXP, T2, Plasma …", "N", longest=10, value=ammo),
        Field("power", label, example, longest=3, value=power),
        Field("arm", "ARM or BTS (both for Plasma: 3 6)", "3", longest=10, value=arm),
        Field("mods", "MODs (cover is +3)", "cover -3", required=False, longest=40),
        Field("dice", "Faces, if you roll by hand", "8, 15", required=False, longest=400),
    )


def read_save(filled: Mapping[str, str], hit: Save) -> Save:
    """``hit`` with what the form says. Raises ``BadInput`` or ``BadWord`` naming the field."""
    power = numbers("power", filled["power"], 0, POWER_MOST)
    if len(power) > 1:
        raise BadInput("power", filled["power"], "one number")
    arm, bts = attributes("arm", filled["arm"])
    mods = filled.get("mods", "").lower().replace(",", " ").split()
    dice = filled.get("dice", "").strip()
    return saves.checked(
        replace(
            hit,
            ammo=saves.ammo(filled["ammo"], "ammo"),
            power=power[0],
            arm=arm,
            bts=bts,
            mods=modifiers("mods", " ".join(word for word in mods if word != "cover")),
            cover="cover" in mods,
            dice=numbers("dice", dice, 1, SIDES) if dice else None,
        )
    )


def attributes(field: str, text: str) -> tuple[int, int | None]:
    """The attribute that is saved with; or ARM and BTS."""
    found = numbers(field, text, 0, ATTRIBUTE_MOST)
    if len(found) > 2:
        raise BadInput(field, text, "one number, or two: ARM and BTS")
    return found[0], found[1] if len(found) == 2 else None
