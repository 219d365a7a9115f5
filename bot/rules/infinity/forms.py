"""The forms of Infinity: a whole order, the answer to an open Face to Face, and the Saving Rolls after hits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from bot.rules import by_hand
from bot.rules.errors import BadInput, BadWord, Collector, Example, Known
from bot.rules.game import Field, Option
from bot.rules.infinity import fields, limits, saves, words
from bot.rules.infinity import weapon as weapons
from bot.rules.infinity.declared import SIDES, SUPPRESSION_INCHES, Action, Profile, Save, Weapon, mod_at
from bot.rules.infinity.told import TOLD
from bot.rules.infinity.trooper import Roster, Trooper, known
from bot.rules.name import NAME_MOST
from bot.rules.text import N_, Code, Name, Names, Numeral, Text, english

DISTANCES_MOST: Final = 25
OTHERS_MOST: Final = 25
ORDER_LONGEST: Final = 1000
LINE_LONGEST: Final = 200
ORDER_EXAMPLE: Final = Code("Angus 12 b2 vs Ortega 11\nMurat 13 vs Ana\nAna 10 dodge")
ORDER: Final = (Field("order", Text("A line for each roll"), ORDER_EXAMPLE, longest=ORDER_LONGEST, lines=True),)

D20: Final = tuple(Option(str(face), Numeral(str(face))) for face in range(1, SIDES + 1))
REACTIONS: Final = (Action.SHOOT, Action.DODGE, Action.RESET, Action.CC, Action.HACK, Action.TEMPLATE)

REACTION_EXAMPLE: Final = Text(
    "Write a number, as in `11` or `11-3`, or a trooper of this channel, as in `Ortega pistol`."
)
DICE_ALLOWED: Final = Text("Write the faces from 1 to 20, as in `9, 4`.")


def shot_of(trooper: Trooper, roster: Roster, target: str = "") -> tuple[Field, ...]:
    """The form of a shot at a trooper of the channel, at whoever else is named, or at anybody.

    Its keys are words of a declaration.
    """
    aimed_at = known(roster, target)
    others = [aimed_at] if aimed_at else sorted(roster.values(), key=lambda one: one.name.casefold())
    others = [one for one in others if one is not trooper][:OTHERS_MOST]
    arms = tuple(Option(f"{trooper.name} {one.name}", Name(one.name), weapons.describe(one)) for one in trooper.arms)
    far = [distance_field(trooper, others)] if any(one.bands for one in trooper.arms) else []
    names = tuple(Option(one.name, Name(one.name)) for one in others)
    is_typed = not names or (target and aimed_at not in others)
    whom = Field("name_b", Text("Whom it is aimed at"), Code("Ortega"), required=False, longest=NAME_MOST, value=target)
    only = arms[0].value if len(arms) == 1 else ""
    weapon = Field("name", Text("Weapon of {trooper}", trooper=trooper.name), options=arms, value=only)
    applies = fields.around_shot(trooper)
    around = Field("around", Text("What applies"), required=False, options=applies, several=True)
    mods = Field("mods", Text("Other MODs with their sign"), Code("-3 +6 +1sd"), required=False, longest=60)
    return (weapon, *far, around, mods, whom if is_typed else replace(whom, options=names))


def distance_field(trooper: Trooper, others: Sequence[Trooper], more: Sequence[int] = ()) -> Field:
    """The range bands of a trooper's weapons, ended wherever a band of the others' weapons or Suppressive Fire ends.

    So one press says the MODs of both sides. ``more`` are further ends, in inches.
    """
    armed = [weapon for weapon in trooper.arms if weapon.bands]
    reach = max(weapon.bands[-1].inches for weapon in armed)
    every = [band.inches for one in (trooper, *others) for weapon in one.arms for band in weapon.bands]
    ends = sorted({inches for inches in (*every, *more, SUPPRESSION_INCHES) if inches <= reach})[:DISTANCES_MOST]
    options = []
    for nearest, end in pairwise((0, *ends)):
        mods = [f"{weapon.name} {mod:+d}" for weapon in armed if (mod := mod_at(weapon.bands, end)) is not None]
        message = N_("{nearest} to {end} inches") if nearest else N_("Up to {end} inches")
        label = Text(message, nearest=nearest, end=end)
        options.append(Option(f"{nearest}-{end}", label, Name(", ".join(mods))))
    return Field("at", Text("Distance"), required=False, options=tuple(options))


def react_fields(target: str = "") -> tuple[Field, ...]:
    """The form of a reaction; ``target`` is the trooper of the channel who was attacked, if it is one."""
    kinds = tuple(Option(kind.value, kind.label) for kind in REACTIONS)
    return (
        Field("sv", Text("Trooper and weapon, or an SV"), Code("11"), longest=100, value=target),
        Field("kind", Text("What you do"), required=False, options=kinds),
        Field("around", Text("What applies"), required=False, options=fields.AROUND_REACTION, several=True),
        Field("mods", Text("Other MODs and dice"), Code("-3 +6 b2 +1sd rolls 9, 4"), required=False, longest=60),
        Field("dice", Text("Your die, if you roll one by hand"), required=False, options=D20, by_hand=True),
    )


def answer(filled: Mapping[str, str], name: str = "", roster: Roster | None = None) -> fields.Draft:
    """The roll that the form of ``react_fields`` declares; without a trooper of its own it is that of ``name``.

    Raises ``BadWord`` or ``BadInput`` naming the field.
    """
    draft, faces = fields.Draft(), filled.get("dice", "").replace(",", " ").strip()
    texts: tuple[tuple[str, str, tuple[fields.Reads, ...], Text], ...] = (
        ("kind", filled.get("kind", ""), (fields.read_action,), Text("Choose what you do in the form.")),
        ("around", filled.get("around", ""), fields.AROUND, Text("Choose what applies in the form.")),
        ("dice", f"rolls {faces}" if faces[:1].isdecimal() else faces, (fields.read_dice,), DICE_ALLOWED),
    )
    with Collector() as wrong:
        with wrong.also():
            draft = read_reaction(filled["sv"], roster or {})
            draft.name = draft.name or name
        with wrong.also():
            fields.add_bonus(draft, "mods", filled.get("mods", ""), (fields.read_burst, fields.read_dice))
        for key, text, readers, allowed in texts:
            with wrong.also():
                fields.read_all(fields.Words(text, key, allowed), draft, readers)
    return draft


def read_reaction(text: str, roster: Roster) -> fields.Draft:
    """``11``, ``11-3``, or what a line of an order says of one trooper: ``Ortega pistol``."""
    typed = fields.Words(text, "sv", REACTION_EXAMPLE, roster)
    first = typed.peek()
    draft = fields.Draft()
    if not first or fields.VALUE.fullmatch(first) or fields.STAT_VALUE.fullmatch(first) or first in fields.STATS:
        words.read_value(typed, draft, typed.allowed)
    else:
        draft = words.read_roll(typed)
        if draft.trooper is None and draft.attribute is None and draft.action is None:
            raise BadWord("sv", draft.name, Known(tuple(roster), REACTION_EXAMPLE))
    while typed.words:
        fields.read_word(typed, draft)
    return draft


def save_fields(hit: Save) -> tuple[Field, ...]:
    """The form of the Saving Rolls, filled with what is known of weapon and armour."""
    is_n5 = hit.edition == "n5"
    known = hit.weapon.power is not None or hit.weapon.save == "PH"
    power = Text("Ammunition and PS") if is_n5 else Text("Ammunition and Damage")
    attributes = (("ARM", hit.profile.arm), ("BTS", hit.profile.bts), ("PH", hit.profile.ph))
    armour = " ".join(f"{name} {number}" for name, number in attributes if number is not None)
    weapon, cover = words_of_hit(hit) if known else "", ["cover"] * hit.cover
    mods = " ".join([*cover, *(f"{mod.number:+d} ({english(mod.what)})" for mod in hit.mods)])
    faces, extra = labels_of_dice(saves.due(hit) if known else ())
    fields = [
        Field("weapon", power, Code("N PS 7") if is_n5 else Code("N DAM 13"), longest=60, value=weapon),
        Field("armour", Text("What the target saves with"), Code("ARM 3 BTS 6"), longest=40, value=armour),
        Field("mods", Text("MODs (cover is +3)"), Code("cover -3"), required=False, longest=60, value=mods),
        Field("dice", faces, Code("8, 15"), required=False, longest=400, by_hand=True),
    ]
    if hit.crits and hit.edition != "n3":
        fields.append(Field("extra", extra, Code("3"), required=False, longest=100, by_hand=True))
    return tuple(fields)


FACES_OF: Final = {0: N_("Faces, if you roll by hand"), 1: N_("Face of the save, if you roll by hand")}


def labels_of_dice(due: Sequence[saves.Due]) -> tuple[Text, Text]:
    """What is asked for the dice of a save, as far as they are known, and for the extra saves of its Criticals."""
    extra = sum(one.extra for one in due)
    count, attributes = len(due) - extra, list(dict.fromkeys(one.attribute for one in due))
    faces = FACES_OF.get(count, N_("Faces of the {count} saves, if you roll by hand"))
    one, several = N_("Face of the Critical's extra save"), N_("{extra} faces of the Critical's extra save")
    extras = one if extra == 1 or not due else several
    if len(attributes) > 1:
        faces = N_("{count} faces, {attributes} in turn, if by hand")
        extras = N_("{extra} faces of extra saves ({first})")
        extras = N_("Face of the Critical's extra save ({first})") if extra == 1 else extras
    places = {"count": count, "extra": extra, "attributes": Names(attributes), "first": attributes[0] if due else ""}
    return Text(faces, **places), Text(extras, **places)


def dice_of_save(hit: Save) -> tuple[Field, ...]:
    """The form of the dice of a save that is known, each with what it is made with; many are typed."""
    due = saves.due(hit)
    case = "several" if len(due) > 1 else "one"
    said = ((TOLD["extra save" if one.extra else "save", case], Code(one.attribute)) for one in due)
    labels = [Text(message, attribute=of, number=at, count=len(due)) for at, (message, of) in enumerate(said, 1)]
    extra = sum(one.extra for one in due)
    message = N_("{faces} faces, those of extra saves last: {extra}") if extra else N_("{faces} faces")
    typed = Field("dice", Text(message, faces=len(due), extra=extra), Code(", ".join(["9"] * len(due))), longest=400)
    return by_hand.dice_fields(labels, saves.FACES, typed)


def with_dice(hit: Save, filled: Mapping[str, str]) -> Save:
    """A save whose dice somebody rolled by hand. Raises ``BadInput`` for too many or too few."""
    return saves.checked(replace(hit, dice=fields.numbers("dice", by_hand.typed("dice", filled), 1, SIDES)))


def words_of_hit(hit: Save) -> str:
    """The weapon as the form shows it: what matters for a save."""
    bare = replace(hit.weapon, burst=1, bands=(), traits=(), stat="", as_damage=hit.edition != "n5")
    return weapons.describe(bare).removeprefix("B1 ").replace(f" {hit.weapon.action.value}", "")


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
            summed = fields.modifiers("mods", " ".join(word for word in mods if word not in ("cover", "+cover")))
        dice = fields.numbers("dice", " ".join(said), 1, SIDES) if said else None
    return saves.checked(replace(hit, weapon=weapon, profile=profile, mods=summed, cover="cover" in mods, dice=dice))


def read_weapon(field: str, text: str, known: Weapon | None = None) -> Weapon:
    """``AP PS 5``: the weapon that hit, with what was known of it before."""
    found: dict[str, Any] = {"bands": ()}
    typed = text.replace(",", " ").split()
    if not typed:
        raise BadInput(field, text, Text("Use ammunition and PS."), Example("N PS 7"))
    while typed:
        if typed[0].isdecimal():
            message = N_("Is {number} a PS or a Damage? Write `PS {number}` or `DAM {number}`.")
            raise BadInput(field, text, Text(message, number=Code(typed[0])))
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
            named[word.lower()] = fields.numbers(field, typed.pop(0) if typed else "", 0, limits.ATTRIBUTE_MOST)[0]
        elif word.isalpha():
            raise BadWord(field, word, Known(("arm", "bts", "ph"), Text("Write `ARM 3`, `BTS 6`, both, or `PH 10`.")))
        else:
            bare.append(word)
    if bare:
        values = fields.numbers(field, " ".join(bare), 0, limits.ATTRIBUTE_MOST)
        if len(values) > 2 or named:
            raise BadInput(field, text, Text("Use one number, or two: ARM and BTS."))
        names = ("arm", "bts") if len(values) == 2 else (first_attribute(weapon),)
        named = dict(zip(names, values, strict=True))
        known = replace(known, arm=None, bts=None) if len(values) == 1 and names != ("ph",) else known
    if not named:
        raise BadInput(field, text, Text("Use what the target saves with, as in `ARM 3` or `BTS 6`."))
    if first_attribute(weapon) == "ph" and "ph" not in named and known.ph is None:
        allowed = Text("{ammunition} is saved with PH-6.", ammunition=Code(weapon.ammunition))
        raise BadInput(field, text, Text("Use PH as well."), Example("PH 10"), allowed)
    forgotten: dict[str, Any] = {"arm": None, "bts": None, "ph": known.ph} | named
    return replace(known, **forgotten)


def first_attribute(weapon: Weapon) -> str:
    """The attribute that a lone number means."""
    wanted = weapon.save or saves.saved_by_ammo(weapon.ammo)
    return {"ARM+BTS": "arm", "none": "arm"}.get(wanted, wanted.lower())
