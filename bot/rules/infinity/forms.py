"""The forms of Infinity: a whole order, the answer to an open Face to Face, and the Saving Rolls after hits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from bot.rules.by_hand import dice_fields
from bot.rules.by_hand import typed as typed_dice
from bot.rules.errors import BadInput, BadWord, Collector, Example, Known
from bot.rules.game import Field, Option
from bot.rules.infinity import fields, saves, words
from bot.rules.infinity import weapon as weapons
from bot.rules.infinity.declared import ATTRIBUTE_MOST, SIDES, SUPPRESSION_INCHES, Action, Profile, Save, Weapon
from bot.rules.infinity.fields import (
    AROUND_REACTION,
    STAT_VALUE,
    STATS,
    VALUE,
    Draft,
    Words,
    around_shot,
    modifiers,
    numbers,
    read_all,
)
from bot.rules.infinity.trooper import Roster, Trooper, same
from bot.rules.infinity.words import read_value
from bot.rules.name import NAME_MOST
from bot.rules.text import Text

DISTANCES_MOST: Final = 25
OTHERS_MOST: Final = 25
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

D20: Final = tuple(Option(str(face), str(face)) for face in range(1, SIDES + 1))
REACTIONS: Final = (Action.SHOOT, Action.DODGE, Action.RESET, Action.CC, Action.HACK, Action.TEMPLATE)

REACTION_EXAMPLE: Final = Text(
    "Write a number, as in `11` or `11-3`, or a trooper of this channel, as in `Ortega pistol`."
)
DICE_ALLOWED: Final = Text("Write the faces from 1 to 20, as in `9, 4`.")


def shot_fields(trooper: Trooper, others: Sequence[Trooper] = (), target: str = "") -> tuple[Field, ...]:
    """The form of a shot of a trooper of the channel; its keys are words of a declaration.

    ``others`` are whom it may meet: the ``target``, if it is a trooper of the channel, or all.
    """
    arms = tuple(Option(f"{trooper.name} {one.name}", one.name, weapons.describe(one)) for one in trooper.weapons)
    far = [distance_field(trooper, others)] if any(one.bands for one in trooper.weapons) else []
    names = tuple(Option(one.name, one.name) for one in others)
    is_typed = not names or (target and not any(one.name.casefold() == target.casefold() for one in others))
    whom = Field("vs_name", "Whom it is aimed at", "Ortega", required=False, longest=NAME_MOST, value=target)
    return (
        Field("name", f"Weapon of {trooper.name}", options=arms, value=arms[0].value if len(arms) == 1 else ""),
        *far,
        Field("around", "What applies", required=False, options=around_shot(trooper), several=True),
        Field("mods", "Other MODs with their sign", "-3 +6 +1sd", required=False, longest=60),
        whom if is_typed else replace(whom, options=names),
    )


def shot_of(trooper: Trooper, roster: Roster, target: str = "") -> tuple[Field, ...]:
    """The form of a shot at a trooper of the channel, at whoever else is named, or at anybody."""
    aimed_at = next((one for one in roster.values() if target and same(one.name, target)), None)
    others = [aimed_at] if aimed_at else sorted(roster.values(), key=lambda one: one.name.casefold())
    return shot_fields(trooper, [one for one in others if one is not trooper][:OTHERS_MOST], target)


def distance_field(trooper: Trooper, others: Sequence[Trooper], more: Sequence[int] = ()) -> Field:
    """The range bands of a trooper's weapons, ended wherever a band of the others' weapons or Suppressive Fire ends.

    So one press says the MODs of both sides. ``more`` are further ends, in inches.
    """
    armed = [weapon for weapon in trooper.weapons if weapon.bands]
    reach = max(weapon.bands[-1].inches for weapon in armed)
    every = [band.inches for one in (trooper, *others) for weapon in one.weapons for band in weapon.bands]
    ends = sorted({inches for inches in (*every, *more, SUPPRESSION_INCHES) if inches <= reach})[:DISTANCES_MOST]
    options = []
    for nearest, end in pairwise((0, *ends)):
        mods = [f"{weapon.name} {mod:+d}" for weapon in armed if (mod := weapon.mod_at(end)) is not None]
        label = f"{nearest} to {end} inches" if nearest else f"Up to {end} inches"
        options.append(Option(f"{nearest}-{end}", label, ", ".join(mods)))
    return Field("at", "Distance", required=False, options=tuple(options))


def react_fields(target: str = "") -> tuple[Field, ...]:
    """The form of a reaction; ``target`` is the trooper of the channel who was attacked, if it is one."""
    kinds = tuple(Option(kind.value, kind.label) for kind in REACTIONS)
    return (
        Field("sv", "Your trooper and weapon, or a Success Value", "11", longest=100, value=target),
        Field("kind", "What you do", required=False, options=kinds),
        Field("around", "What applies", required=False, options=AROUND_REACTION, several=True),
        Field("mods", "Other MODs and dice", "-3 +6 b2 +1sd rolls 9, 4", required=False, longest=60),
        Field("dice", "Your die, if you roll one by hand", required=False, options=D20, by_hand=True),
    )


def answer(filled: Mapping[str, str], name: str = "", roster: Roster | None = None) -> Draft:
    """The roll that the form of ``react_fields`` declares; without a trooper of its own it is that of ``name``.

    Raises ``BadWord`` or ``BadInput`` naming the field.
    """
    draft = Draft()
    texts: tuple[tuple[str, str, tuple[fields.Reads, ...], Text], ...] = (
        ("kind", filled.get("kind", ""), (fields.read_action,), Text("Choose what you do in the form.")),
        ("around", filled.get("around", ""), fields.AROUND, Text("Choose what applies in the form.")),
        ("dice", rolls(filled.get("dice", "")), (fields.read_dice,), DICE_ALLOWED),
    )
    with Collector() as wrong:
        with wrong.also():
            draft = read_reaction(filled["sv"], roster or {})
            draft.name = draft.name or name
        with wrong.also():
            fields.add_bonus(draft, "mods", filled.get("mods", ""), (fields.read_burst, fields.read_dice))
        for key, text, readers, allowed in texts:
            with wrong.also():
                read_all(Words(text, key, allowed), draft, readers)
    return draft


def rolls(faces: str) -> str:
    """Faces of a field in the words of an order."""
    text = faces.replace(",", " ").strip()
    return f"rolls {text}" if text[:1].isdecimal() else text


def read_reaction(text: str, roster: Roster) -> Draft:
    """``11``, ``11-3``, or what a line of an order says of one trooper: ``Ortega pistol``."""
    typed = Words(text, "sv", REACTION_EXAMPLE, roster)
    first = typed.peek()
    draft = Draft()
    if not first or VALUE.fullmatch(first) or STAT_VALUE.fullmatch(first) or first in STATS:
        read_value(typed, draft, typed.allowed)
    else:
        draft = words.read_roll(typed)
        if draft.trooper is None and draft.attribute is None and draft.action is None:
            raise BadWord("sv", draft.name, Known(tuple(roster), REACTION_EXAMPLE))
    while typed.words:
        fields.read_word(typed, draft)
    return draft


def save_fields(hit: Save) -> tuple[Field, ...]:
    """The form of the Saving Rolls, filled with what is known of weapon and armour."""
    power = "PS" if hit.edition == "n5" else "Damage"
    example = "N PS 7" if hit.edition == "n5" else "N DAM 13"
    known = hit.weapon.power is not None or hit.weapon.save == "PH"
    due = saves.due(hit)
    count, extra = len(due), sum(one.extra for one in due)
    which = {0: "Faces", 1: "Face of the save"}.get(count - extra, f"Faces of the {count - extra} saves")
    faces = f"{which if known else 'Faces'}, if you roll by hand"
    in_turn = list(dict.fromkeys(one.attribute for one in due)) if known else []
    if len(in_turn) > 1:
        faces = f"{count - extra} faces, {' and '.join(in_turn)} in turn, if by hand"
    last = "Face" if extra == 1 or not known else f"{extra} faces"
    with_ = f" ({in_turn[0]})" if len(in_turn) > 1 else ""
    fields = [
        Field("weapon", f"Ammunition and {power}", example, longest=60, value=words_of_hit(hit) if known else ""),
        Field("armour", "What the target saves with", "ARM 3 BTS 6", longest=40, value=words_of_armour(hit.profile)),
        Field("mods", "MODs (cover is +3)", "cover -3", required=False, longest=60, value=words_of_mods(hit)),
        Field("dice", faces, "8, 15", required=False, longest=400, by_hand=True),
    ]
    if hit.crits and hit.edition != "n3":
        label = f"{last} of the Critical's extra save{with_}"
        fields.append(Field("extra", label, "3", required=False, longest=100, by_hand=True))
    return tuple(fields)


def dice_of_save(hit: Save) -> tuple[Field, ...]:
    """The form of the dice of a save that is known, each with what it is made with; many are typed."""
    due = saves.due(hit)
    names = [f"{'Extra save of the Critical' if one.extra else 'Save'} with {one.attribute}" for one in due]
    labels = [f"{name} ({number} of {len(due)})" if len(due) > 1 else name for number, name in enumerate(names, 1)]
    extra = sum(one.extra for one in due)
    last = f", those of extra saves last: {extra}" if extra else ""
    typed = Field("dice", f"{len(due)} faces{last}", ", ".join(["9"] * len(due)), longest=400)
    return dice_fields(labels, saves.FACES, typed)


def with_dice(hit: Save, filled: Mapping[str, str]) -> Save:
    """A save whose dice somebody rolled by hand. Raises ``BadInput`` for too many or too few."""
    return saves.checked(replace(hit, dice=numbers("dice", typed_dice("dice", filled), 1, SIDES)))


def words_of_hit(hit: Save) -> str:
    """The weapon as the form shows it: what matters for a save."""
    bare = replace(hit.weapon, burst=1, bands=(), traits=(), stat="")
    text = weapons.describe(bare).removeprefix("B1 ").replace(f" {hit.weapon.action.value}", "")
    return text if hit.edition == "n5" else text.replace("PS ", "DAM ")


def words_of_mods(hit: Save) -> str:
    """``cover -1 (SR)``: what counts for a save already."""
    return " ".join([*(["cover"] if hit.cover else []), *(f"{mod.number:+d} ({mod.what})" for mod in hit.mods)])


def words_of_armour(profile: Profile) -> str:
    known = (("ARM", profile.arm), ("BTS", profile.bts), ("PH", profile.ph))
    return " ".join(f"{name} {number}" for name, number in known if number is not None)


def read_save(filled: Mapping[str, str], hit: Save) -> Save:
    """``hit`` with what the form says. Raises ``BadInput`` or ``BadWord`` naming the field."""
    weapon, profile = hit.weapon, hit.profile
    mods = filled.get("mods", "").lower().replace(",", " ").split()
    said: list[str] = [text for key in ("dice", "extra") if (text := filled.get(key, "").strip())]
    with Collector() as wrong:
        with wrong.also():
            weapon = read_weapon("weapon", filled["weapon"], hit.weapon)
        with wrong.also():
            profile = read_armour("armour", filled["armour"], weapon, hit.profile)
        with wrong.also():
            summed = modifiers("mods", " ".join(word for word in mods if word not in ("cover", "+cover")))
        dice = numbers("dice", " ".join(said), 1, SIDES) if said else None
    return saves.checked(replace(hit, weapon=weapon, profile=profile, mods=summed, cover="cover" in mods, dice=dice))


def read_weapon(field: str, text: str, known: Weapon | None = None) -> Weapon:
    """``AP PS 5``: the weapon that hit, with what was known of it before."""
    found: dict[str, Any] = {"bands": ()}
    typed = text.replace(",", " ").split()
    if not typed:
        raise BadInput(field, text, Text("Use ammunition and PS."), Example("N PS 7"))
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
            raise BadWord(field, word, Known(("arm", "bts", "ph"), Text("Write `ARM 3`, `BTS 6`, both, or `PH 10`.")))
        else:
            bare.append(word)
    if bare:
        values = numbers(field, " ".join(bare), 0, ATTRIBUTE_MOST)
        if len(values) > 2 or named:
            raise BadInput(field, text, Text("Use one number, or two: ARM and BTS."))
        names = ("arm", "bts") if len(values) == 2 else (first_attribute(weapon),)
        named = dict(zip(names, values, strict=True))
        known = replace(known, arm=None, bts=None) if len(values) == 1 and names != ("ph",) else known
    if not named:
        raise BadInput(field, text, Text("Use what the target saves with, as in `ARM 3` or `BTS 6`."))
    if first_attribute(weapon) == "ph" and "ph" not in named and known.ph is None:
        raise BadInput(
            field,
            text,
            Text("Use PH as well."),
            Example("PH 10"),
            Text("{ammunition} is saved with PH-6.", ammunition=weapon.ammunition),
        )
    forgotten: dict[str, Any] = {"arm": None, "bts": None, "ph": known.ph} | named
    return replace(known, **forgotten)


def first_attribute(weapon: Weapon) -> str:
    """The attribute that a lone number means."""
    wanted = weapon.save or saves.saved_by_ammo(weapon.ammo)
    return {"ARM+BTS": "arm", "none": "arm"}.get(wanted, wanted.lower())
