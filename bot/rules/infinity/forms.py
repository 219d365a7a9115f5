"""The forms of Infinity: a whole order, the answer to an open Face to Face, and the Saving Rolls after hits."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bot.rules.errors import BadInput, BadWord
from bot.rules.game import Field
from bot.rules.infinity import saves, words
from bot.rules.infinity import weapon as weapons
from bot.rules.infinity.declared import ATTRIBUTE_MOST, SIDES, Mod, Profile, Save, Weapon
from bot.rules.infinity.words import Draft, Words, modifiers, numbers, read_value, read_word

ORDER_LONGEST: Final = 1000
LINE_LONGEST: Final = 200
ORDER: Final = (
    Field(
        "order",
        "A line for each roll",
        "Angus 12 b2 vs Ortega 11\nMurat 13 vs Ana\nAna 10 dodge",
        longest=ORDER_LONGEST,
        lines=True,
    ),
)

REACT: Final = (
    Field("sv", "Success Value before MODs", "11", longest=40),
    Field("burst", "Burst", "1", required=False, longest=20),
    Field("mods", "MODs with their sign, +1sd for a special die", "-3 +6", required=False, longest=60),
    Field("kind", "What you do: shoot, dodge or reset", "shoot", required=False, longest=20),
    Field("dice", "Faces, if you roll by hand", "9, 4", required=False, longest=60),
)

ANSWERS: Final = (
    ("burst", "b", (words.read_special, words.read_burst), "Write a number, or a number and `sd`."),
    ("kind", "", (words.read_action,), "Write `shoot`, `dodge` or `reset`."),
    ("dice", "rolls ", (words.read_dice,), "Write the faces from 1 to 20, as in `9, 4`."),
)
"""Field, what a number in it stands for, what may stand there, and what to say if it does not."""


def answer(filled: Mapping[str, str], name: str = "") -> Draft:
    """The roll that the form declares. Raises ``BadWord`` or ``BadInput`` naming the field."""
    typed = Words(filled["sv"], "sv", "Write a number, as in `11` or `11-3`.")
    draft = Draft()
    read_value(typed, draft, typed.allowed)
    while typed.words:
        read_word(typed, draft, (words.read_mods, words.read_situation))
    words.add_bonus(draft, "mods", filled.get("mods", ""))
    for key, lead, readers, allowed in ANSWERS:
        text = filled.get(key, "").replace(",", " ").strip()
        typed = Words(lead + text if text[:1].isdecimal() else text, key, allowed)
        while typed.words:
            read_word(typed, draft, readers)
    draft.name = name
    return draft


def save_fields(hit: Save) -> tuple[Field, ...]:
    """The form of the Saving Rolls, filled with what is known of weapon and armour."""
    power = "PS" if hit.edition == "n5" else "Damage"
    example = "N PS 7" if hit.edition == "n5" else "N DAM 13"
    known = hit.weapon.power is not None or hit.weapon.save == "PH"
    count, extra = len(saves.due(hit)), sum(one.extra for one in saves.due(hit))
    which = {0: "Faces", 1: "Face of the save"}.get(count - extra, f"Faces of the {count - extra} saves")
    faces = f"{which if known else 'Faces'}, if you roll by hand"
    last = "Face" if extra == 1 or not known else f"{extra} faces"
    fields = [
        Field("weapon", f"Ammunition and {power}", example, longest=60, value=words_of_hit(hit) if known else ""),
        Field("armour", "What the target saves with", "ARM 3 BTS 6", longest=40, value=words_of_armour(hit.profile)),
        Field("mods", "MODs (cover is +3)", "cover -3", required=False, longest=40, value="cover" if hit.cover else ""),
        Field("dice", faces, "8, 15", required=False, longest=400),
    ]
    if hit.crits and hit.edition != "n3":
        fields.append(Field("extra", f"{last} of the Critical's extra save", "3", required=False, longest=100))
    return tuple(fields)


def words_of_hit(hit: Save) -> str:
    """The weapon as the form shows it: what matters for a save."""
    bare = replace(hit.weapon, burst=1, bands=(), traits=(), stat="")
    text = weapons.describe(bare).removeprefix("B1 ").replace(f" {hit.weapon.action.value}", "")
    return text if hit.edition == "n5" else text.replace("PS ", "DAM ")


def words_of_armour(profile: Profile) -> str:
    known = (("ARM", profile.arm), ("BTS", profile.bts), ("PH", profile.ph))
    return " ".join(f"{name} {number}" for name, number in known if number is not None)


def read_save(filled: Mapping[str, str], hit: Save) -> Save:
    """``hit`` with what the form says. Raises ``BadInput`` or ``BadWord`` naming the field."""
    weapon = read_weapon("weapon", filled["weapon"], hit.weapon)
    mods = filled.get("mods", "").lower().replace(",", " ").split()
    said: list[str] = [text for key in ("dice", "extra") if (text := filled.get(key, "").strip())]
    return saves.checked(
        replace(
            hit,
            weapon=weapon,
            profile=read_armour("armour", filled["armour"], weapon, hit.profile),
            mods=modifiers("mods", " ".join(word for word in mods if word not in ("cover", "+cover"))),
            cover="cover" in mods,
            dice=numbers("dice", " ".join(said), 1, SIDES) if said else None,
        )
    )


def read_weapon(field: str, text: str, known: Weapon | None = None) -> Weapon:
    """``AP PS 5``: the weapon that hit, with what was known of it before."""
    found: dict[str, Any] = {"bands": ()}
    typed = text.replace(",", " ").split()
    if not typed:
        raise BadInput(field, text, "ammunition and PS, as in `N PS 7`")
    while typed:
        if typed[0].isdecimal():
            typed.insert(0, "PS")
        weapons.read_word(typed, found, field)
    found.pop("bands")
    kept = replace(known, save=None, zero=False) if known else Weapon()
    return replace(kept, **found)


def read_armour(field: str, text: str, weapon: Weapon, known: Profile) -> Profile:
    """``ARM 3 BTS 6``; ``3 6`` is ARM and BTS, ``3`` what the weapon is saved with."""
    typed = text.replace(",", " ").replace("/", " ").split()
    named: dict[str, int] = {}
    bare: list[str] = []
    while typed:
        word = typed.pop(0)
        if word.upper() in ("ARM", "BTS", "PH"):
            named[word.lower()] = numbers(field, typed.pop(0) if typed else "", 0, ATTRIBUTE_MOST)[0]
        elif word.isalpha():
            raise BadWord(field, word, "Write `ARM 3`, `BTS 6`, both, or `PH 10`.", ("arm", "bts", "ph"))
        else:
            bare.append(word)
    if bare:
        values = numbers(field, " ".join(bare), 0, ATTRIBUTE_MOST)
        if len(values) > 2 or named:
            raise BadInput(field, text, "one number, or two: ARM and BTS")
        names = ("arm", "bts") if len(values) == 2 else (first_attribute(weapon),)
        named = dict(zip(names, values, strict=True))
        known = replace(known, arm=None, bts=None) if len(values) == 1 and names != ("ph",) else known
    if not named:
        raise BadInput(field, text, "what the target saves with, as in `ARM 3` or `BTS 6`")
    if first_attribute(weapon) == "ph" and "ph" not in named and known.ph is None:
        raise BadInput(field, text, f"PH as well, as in `PH 10`: {weapon.ammunition} is saved with PH-6")
    forgotten: dict[str, Any] = {"arm": None, "bts": None, "ph": known.ph} | named
    return replace(known, **forgotten)


def first_attribute(weapon: Weapon) -> str:
    """The attribute that a lone number means."""
    wanted = weapon.save or saves.saved_by_ammo(weapon.ammo)
    return {"ARM+BTS": "arm", "none": "arm"}.get(wanted, wanted.lower())


def mods_of(given: tuple[int, ...]) -> tuple[Mod, ...]:
    """MODs without words."""
    return tuple(Mod(number) for number in given)
