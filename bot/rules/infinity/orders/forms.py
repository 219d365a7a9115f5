"""The forms of Infinity: whole orders, answers to open Face to Face Rolls, and Saving Rolls."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from bot.rules import physical_dice
from bot.rules.errors import AllowedWords, BadInputError, Collector, Example, UnknownWordError
from bot.rules.game import Field, Option
from bot.rules.infinity.dice import saves
from bot.rules.infinity.orders import fields, typed_orders
from bot.rules.infinity.troopers import declared, limits, weapon as weapons
from bot.rules.infinity.troopers.declared import GUARD_INCHES, SIDES, Action, Save, TargetProfile, Weapon, mod_at
from bot.rules.infinity.troopers.messages import TOLD
from bot.rules.infinity.troopers.trooper import Roster, Trooper, find_exact
from bot.rules.name import MAX_NAME
from bot.rules.text import N_, Code, Name, Names, Numeral, Text, english

MAX_DISTANCES: Final = 25
MAX_OTHERS: Final = 25
ORDER_LONGEST: Final = 1000
LINE_LONGEST: Final = 200
ORDER_EXAMPLE: Final = Code("Angus 12 b2 vs Ortega 11\nMurat 13 vs Ana\nAna 10 dodge")
ORDER: Final = (Field("order", Text("One line per roll"), ORDER_EXAMPLE, longest=ORDER_LONGEST, lines=True),)

D20: Final = tuple(Option(str(face), Numeral(str(face))) for face in range(1, SIDES + 1))
REACTIONS: Final = (Action.SHOOT, Action.DODGE, Action.RESET, Action.CC, Action.HACK, Action.TEMPLATE)

REACTION_EXAMPLE: Final = Text(
    "Write a number, as in `11` or `11-3`, or a trooper in this channel, as in `Ortega pistol`."
)
DICE_ALLOWED: Final = Text("Write the faces from 1 to 20, as in `9, 4`.")


def shot_of(trooper: Trooper, roster: Roster, target: str = "") -> tuple[Field, ...]:
    """Return the form of a shot at any target; its keys are words of a declaration."""
    aimed_at = find_exact(roster, target)
    others = [aimed_at] if aimed_at else sorted(roster.values(), key=lambda item: item.name.casefold())
    others = [other for other in others if other is not trooper][:MAX_OTHERS]
    arms = tuple(Option(f"{trooper.name} {arm.name}", Name(arm.name), weapons.describe(arm)) for arm in trooper.arms)
    far = [distance_field(trooper, others)] if any(arm.bands for arm in trooper.arms) else []
    names = tuple(Option(other.name, Name(other.name)) for other in others)
    is_typed = not names or (target and aimed_at not in others)
    whom = Field("name_b", Text("Target"), Code("Ortega"), required=False, longest=MAX_NAME, value=target)
    only = arms[0].value if len(arms) == 1 else ""
    weapon = Field("name", Text("Weapon of {trooper}", trooper=trooper.name), options=arms, value=only)
    applies = fields.attack_circumstances(trooper)
    around = Field("around", Text("What applies"), required=False, options=applies, several=True)
    mods = Field("mods", Text("Other MODs with their signs"), Code("-3 +6 +1sd"), required=False, longest=60)
    return (weapon, *far, around, mods, whom if is_typed else replace(whom, options=names))


def distance_field(trooper: Trooper, others: Sequence[Trooper], more: Sequence[int] = ()) -> Field:
    """Return the ranges to select: all band ends of a trooper's and the others' weapons and Suppressive Fire, so that
    one choice decides both sides' MODs. ``more``: further ends, in inches.
    """
    armed = [weapon for weapon in trooper.arms if weapon.bands]
    reach = max([*(weapon.bands[-1].inches for weapon in armed), *more])
    every = [band.inches for item in (trooper, *others) for weapon in item.arms for band in weapon.bands]
    every += [GUARD_INCHES for item in (trooper, *others) if item.has("Guard")]
    within = {inches for inches in (*every, *more, declared.SUPPRESSION_INCHES) if inches <= reach}
    ends = sorted(within)[:MAX_DISTANCES]
    options = []
    for nearest, end in pairwise((0, *ends)):
        mods = [f"{weapon.name} {mod:+d}" for weapon in armed if (mod := mod_at(weapon.bands, end)) is not None]
        message = N_("{nearest} to {end} inches") if nearest else N_("Up to {end} inches")
        label = Text(message, nearest=nearest, end=end)
        options.append(Option(f"{nearest}-{end}", label, Name(", ".join(mods))))
    return Field("at", Text("Distance"), required=False, options=tuple(options))


def react_fields(target: str = "") -> tuple[Field, ...]:
    """Return the form of a reaction; ``target``: the attacked trooper of the channel, if any."""
    kinds = tuple(Option(kind.value, kind.label) for kind in REACTIONS)
    return (
        Field("sv", Text("Trooper and weapon, or an SV"), Code("11"), longest=100, value=target),
        Field("kind", Text("Your action"), required=False, options=kinds),
        Field("around", Text("What applies"), required=False, options=fields.AROUND_REACTION, several=True),
        Field("mods", Text("Other MODs and dice"), Code("-3 +6 b2 +1sd rolls 9, 4"), required=False, longest=60),
        Field("dice", Text("Your die, if you roll it by hand"), required=False, options=D20, by_hand=True),
    )


def answer(filled: Mapping[str, str], name: str = "", roster: Roster | None = None) -> fields.Draft:
    """Return the roll that a ``react_fields`` form declares; default trooper: ``name``. Raises ``UnknownWordError`` or
    ``BadInputError`` naming the field.
    """
    draft, faces = fields.Draft(), filled.get("dice", "").replace(",", " ").strip()
    texts: tuple[tuple[str, str, tuple[fields.Reads, ...], Text], ...] = (
        ("kind", filled.get("kind", ""), (fields.read_action,), Text("Choose what you do in the form.")),
        ("around", filled.get("around", ""), fields.AROUND, Text("Choose what applies in the form.")),
        ("dice", f"rolls {faces}" if faces[:1].isdecimal() else faces, (fields.read_dice,), DICE_ALLOWED),
    )
    with Collector() as wrong:
        with wrong.collect():
            draft = read_reaction(filled["sv"], roster or {})
            draft.name = draft.name or name
        with wrong.collect():
            fields.add_bonus(draft, "mods", filled.get("mods", ""), (fields.read_burst, fields.read_dice))
        for key, text, readers, allowed in texts:
            with wrong.collect():
                fields.read_all(fields.LineWords(text, key, allowed), draft, readers)
    return draft


def read_reaction(text: str, roster: Roster) -> fields.Draft:
    """Parse ``11``, ``11-3``, or a trooper's part of an order line: ``Ortega pistol``."""
    typed = fields.LineWords(text, "sv", REACTION_EXAMPLE, roster)
    first = typed.peek()
    draft = fields.Draft()
    if not first or fields.VALUE.fullmatch(first) or fields.STAT_VALUE.fullmatch(first) or first in fields.STATS:
        typed_orders.read_value(typed, draft, typed.allowed)
    else:
        draft = typed_orders.read_roll(typed)
        if draft.trooper is None and draft.attribute is None and draft.action is None:
            raise UnknownWordError("sv", draft.name, AllowedWords(tuple(roster), REACTION_EXAMPLE))
    while typed.words:
        fields.read_word(typed, draft)
    return draft


def save_fields(hit: Save) -> tuple[Field, ...]:
    """Return the form of Saving Rolls, with known weapon and armour values."""
    is_n5 = hit.edition == "n5"
    known = hit.weapon.power is not None or hit.weapon.save == "PH"
    power = Text("Ammunition and PS") if is_n5 else Text("Ammunition and Damage")
    attributes = (("ARM", hit.profile.arm), ("BTS", hit.profile.bts), ("PH", hit.profile.ph))
    armour = " ".join(f"{name} {number}" for name, number in attributes if number is not None)
    bare = replace(hit.weapon, burst=1, bands=(), traits=(), stat="", as_damage=not is_n5)  # what matters for a save
    said, cover = weapons.describe(bare).removeprefix("B1 "), ["cover"] * hit.cover
    weapon = said.replace(f" {hit.weapon.action.value}", "") if known else ""
    mods = " ".join([*cover, *(f"{mod.number:+d} ({english(mod.what)})" for mod in hit.mods)])
    faces, extra = labels_of_dice(saves.list_saves(hit) if known else ())
    fields = [
        Field("weapon", power, Code("N PS 7") if is_n5 else Code("N DAM 13"), longest=60, value=weapon),
        Field("armour", Text("The target's save attributes"), Code("ARM 3 BTS 6"), longest=40, value=armour),
        Field("mods", Text("MODs (cover is +3)"), Code("cover -3"), required=False, longest=60, value=mods),
        Field("dice", faces, Code("8, 15"), required=False, longest=400, by_hand=True),
    ]
    if hit.crits and hit.edition != "n3":
        fields.append(Field("extra", extra, Code("3"), required=False, longest=100, by_hand=True))
    return tuple(fields)


FACES_OF: Final = {0: N_("Faces, if you roll by hand"), 1: N_("Save die, if you roll by hand")}


def labels_of_dice(due: Sequence[saves.PendingSave]) -> tuple[Text, Text]:
    """Return labels for the known dice of a save, and for its Criticals' extra saves."""
    extra = sum(save.extra for save in due)
    count, attributes = len(due) - extra, list(dict.fromkeys(save.attribute for save in due))
    faces = FACES_OF.get(count, N_("{count} save dice, if you roll by hand"))
    message, several = N_("Die for the Critical's extra save"), N_("{extra} dice for the Critical's extra save")
    extras = message if extra == 1 or not due else several
    if len(attributes) > 1:
        faces = N_("{count} dice, {attributes} in turn, by hand")
        extras = N_("{extra} dice for extra saves ({first})")
        extras = N_("Die for the Critical's extra save ({first})") if extra == 1 else extras
    places = {"count": count, "extra": extra, "attributes": Names(attributes), "first": attributes[0] if due else ""}
    return Text(faces, **places), Text(extras, **places)


def dice_of_save(hit: Save) -> tuple[Field, ...]:
    """Return the form of a known save's dice, each with its attribute; one field if there are many."""
    due = saves.list_saves(hit)
    case = "several" if len(due) > 1 else "one"
    said = ((TOLD["extra save" if save.extra else "save", case], Code(save.attribute)) for save in due)
    labels = [Text(message, attribute=of, number=at, count=len(due)) for at, (message, of) in enumerate(said, 1)]
    extra = sum(save.extra for save in due)
    message = N_("{faces} dice, extra saves last: {extra}") if extra else N_("{faces} faces")
    typed = Field("dice", Text(message, faces=len(due), extra=extra), Code(", ".join(["9"] * len(due))), longest=400)
    return physical_dice.dice_fields(labels, saves.FACES, typed)


def with_dice(hit: Save, filled: Mapping[str, str]) -> Save:
    """Return a save with physical dice. Raises ``BadInputError`` for too many or too few."""
    dice = fields.numbers("dice", physical_dice.typed_faces("dice", filled), 1, SIDES)
    return saves.check_save(replace(hit, dice=dice))


def read_save(filled: Mapping[str, str], hit: Save) -> Save:
    """Return ``hit`` with the form's values. Raises ``BadInputError`` or ``UnknownWordError`` naming the field."""
    weapon, profile = hit.weapon, hit.profile
    mods = filled.get("mods", "").lower().replace(",", " ").split()
    said: list[str] = [text for key in ("dice", "extra") if (text := filled.get(key, "").strip())]
    with Collector() as wrong:
        with wrong.collect():
            weapon = read_weapon("weapon", filled["weapon"], hit.weapon)
        with wrong.collect():
            profile = read_armour("armour", filled["armour"], weapon, hit.profile)
        with wrong.collect():
            summed = fields.modifiers("mods", " ".join(word for word in mods if word not in ("cover", "+cover")))
        dice = fields.numbers("dice", " ".join(said), 1, SIDES) if said else None
    return saves.check_save(replace(hit, weapon=weapon, profile=profile, mods=summed, cover="cover" in mods, dice=dice))


def read_weapon(field: str, text: str, known: Weapon | None = None) -> Weapon:
    """Parse ``AP PS 5`` into the known weapon that hit."""
    result: dict[str, Any] = {"bands": ()}
    typed = text.replace(",", " ").split()
    if not typed:
        raise BadInputError(field, text, Text("Use ammunition and PS."), Example("N PS 7"))
    while typed:
        weapons.read_word(typed, result, field)
    result.pop("bands")
    kept = replace(known, save=None, zero=False) if known else Weapon()
    return replace(kept, **result)


def read_armour(field: str, text: str, weapon: Weapon, known: TargetProfile) -> TargetProfile:
    """Parse ``ARM 3 BTS 6``; ``3 6`` is ARM and BTS, ``3`` the attribute of the save."""
    typed = text.replace(",", " ").replace("/", " ").split()
    named: dict[str, int] = {}
    bare: list[str] = []
    while typed:
        word = typed.pop(0)
        if word.upper() in ("ARM", "BTS", "PH"):
            named[word.lower()] = fields.numbers(field, typed.pop(0) if typed else "", 0, limits.MAX_ATTRIBUTE)[0]
        elif word.isalpha():
            wanted = Text("Write `ARM 3`, `BTS 6`, both, or `PH 10`.")
            raise UnknownWordError(field, word, AllowedWords(("arm", "bts", "ph"), wanted))
        else:
            bare.append(word)
    if bare:
        values = fields.numbers(field, " ".join(bare), 0, limits.MAX_ATTRIBUTE)
        if len(values) > 2 or named:
            raise BadInputError(field, text, Text("Use one number, or two: ARM and BTS."))
        names = ("arm", "bts") if len(values) == 2 else (first_attribute(weapon),)
        named = dict(zip(names, values, strict=True))
        known = replace(known, arm=None, bts=None) if len(values) == 1 and names != ("ph",) else known
    if not named:
        raise BadInputError(field, text, Text("Use what the target saves with, as in `ARM 3` or `BTS 6`."))
    if first_attribute(weapon) == "ph" and "ph" not in named and known.ph is None:
        allowed = Text("{ammunition} is saved against with PH-6.", ammunition=Code(weapon.ammunition))
        raise BadInputError(field, text, Text("Use PH too."), Example("PH 10"), allowed)
    forgotten: dict[str, Any] = {"arm": None, "bts": None, "ph": known.ph} | named
    return replace(known, **forgotten)


def first_attribute(weapon: Weapon) -> str:
    wanted = weapon.save or saves.saved_by_ammo(weapon.ammo)
    return {"ARM+BTS": "arm", "none": "arm"}.get(wanted, wanted.lower())
