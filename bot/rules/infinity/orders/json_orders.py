"""Reads a declaration from plain JSON. Its forms:

{"sv": 12, "burst": 3}                                               a Normal Roll
{"sv_a": 15, "burst_a": 5, "sv_b": 13, "burst_b": 2}                 Face to Face; ``_a`` may be left out
{"a": {"sv": 12, "dice": [9, 4]}, "b": {"sv": 11, "dice": [5]}}      the same; without "b" a Normal Roll
{"a": {"sv": 12}, "enemies": [{"sv": 12}, {"sv": 11, "burst": 2}]}   one roll compared with each
{"order": "Angus 12 b2 vs Ortega 11; Murat 13 normal vs Angus"}      typed lines
{"troopers": {"Angus": "BS 12, ..."}, "order": "Angus vs Ortega 11"} typed lines and the troopers that they name
{"who": "Angus, Murat", "whom": "Ortega"}                            troopers of the roster; how is said in forms
{"hits": 2, "crits": 1, "ammo": "DA", "ps": 7, "arm": 3}             Saving Rolls

Each takes ``edition``, and an ``id`` that names a case. A roll takes ``sv`` (or ``attribute``), ``mods``,
``special_dice``, ``kind``, ``name``, ``dice``, the keys of ``fields.TABLE`` (``burst``, ``cover``, ``arm`` ...),
``around`` and ``at`` (words of a line: ``cover``; ``20 -3``, inches first), ``weapon``, ``ammo``, ``ps`` or
``damage``. MODs and faces may be texts as well: ``"-3 +6"``, ``"9, 4"``. With ``"open": true`` the other side is still
to answer, and others may add lines to a typed order. A name of the roster brings its profile; the Success Value may
then be left out.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bot.rules.errors import BadInputError, Example, WholeNumber
from bot.rules.infinity.dice import saves
from bot.rules.infinity.orders import fields, forms
from bot.rules.infinity.orders.fields import EDITION_WORDS, TABLE, Draft, LineWords, modifiers, numbers, read_all
from bot.rules.infinity.orders.open_order import begin, close_order
from bot.rules.infinity.orders.order import Declared, OpenOrder, assemble, challenge, compare, typed_stats
from bot.rules.infinity.orders.typed_orders import LINE_END, count_for_the_shot, parse, trooper_first
from bot.rules.infinity.troopers import declared as declarations, limits, trooper as troopers, weapon as weapons
from bot.rules.infinity.troopers.declared import SIDES, Action, Ammo, Edition, Mod, Order, Save, TargetProfile, Weapon
from bot.rules.json_reader import JsonReader, check_whole_number
from bot.rules.name import MAX_NAME, clean
from bot.rules.text import N_, Name, Text

DICE_LONGEST: Final = 100
MAX_NAMED: Final = 100
"""Maximum characters of a name with the words after it."""
SAVE_KEYS: Final = ("hits", "crits")
POWER_KEYS: Final = ("ps", "dam", "damage")
ROLL_KEYS: Final = (
    *("mods", "special_dice", "kind", "dice", "at", "around", "weapon", "ammo", "ps", "dam", "damage"),
    *(row.key for row in TABLE if row.where != "armour"),
)
"""Keys of a roller only."""


def declare(raw: Mapping[str, object], roster: troopers.Roster | None = None) -> Declared:
    """Parse and check one of the forms above; names of the ``roster`` bring their profiles. Raises ``BadInputError``
    naming the field, ``UnknownWordError`` for an unknown key or word.
    """
    reader = JsonReader(raw)
    held = {**(roster or {}), **read_troopers(reader)}
    if read_picked(reader, "who"):
        typed = reader.text("order", forms.ORDER_LONGEST).strip()
        if typed:
            raise BadInputError("order", typed, Text("Pick troopers or type the order, not both."))
        reader.take_raw("open")
        declared: Declared = begin(held, read_picked(reader, "who"), read_picked(reader, "whom"), read_edition(reader))
    elif reader.has("order"):
        if read_picked(reader, "whom"):
            raise BadInputError("who", None, Text("Use at least one attacking trooper."))
        if reader.flag("open"):
            declared = open_order(reader, held)
        else:
            order = assemble(parse(order_text(reader), held), read_edition(reader))
            declared = replace(order, told=reader.has("troopers"))
    elif reader.has("a"):
        declared = sides(reader, held)
    elif reader.has("sv_a") or reader.has("attribute_a"):
        declared = read_versus(reader, "{}_a", held)
    elif any(map(reader.has, (*SAVE_KEYS, *POWER_KEYS))) and not is_roll(reader):
        declared = saving(reader, held)
    else:
        declared = read_versus(reader, "{}", held)
    reader.check_all_taken("id")  # a case's name
    return declared


def is_roll(reader: JsonReader) -> bool:
    """Whether an object with a weapon's power is a roll, not a Saving Roll."""
    return reader.has("burst") or (any(map(reader.has, ("sv", "attribute"))) and not any(map(reader.has, SAVE_KEYS)))


def read_troopers(reader: JsonReader) -> troopers.Roster:
    """Parse ``troopers``: names with profiles, in addition to the channel's."""
    given = reader.take_raw("troopers") or {}
    if not isinstance(given, Mapping) or len(given) > troopers.MAX_TROOPERS:
        allowed = Text("Use at most {most} names, each with its profile on one line.", most=troopers.MAX_TROOPERS)
        raise BadInputError("troopers", given, allowed)
    result: dict[str, troopers.Trooper] = {}
    for name, line in given.items():
        if not isinstance(line, str):
            field, example = Text("troopers.{name}", name=name), Example(troopers.EXAMPLE)
            raise BadInputError(field, line, Text("Use a profile on one line."), example)
        trooper = troopers.parse(str(name), line, result)
        result[trooper.name] = trooper
    return result


def read_edition(reader: JsonReader, default: Edition = "n5") -> Edition:
    """Parse the edition; ``any`` in a case means that it makes no difference."""
    word = reader.word("edition", (*EDITION_WORDS, "any"), default)
    return EDITION_WORDS.get(word, default)


def open_order(reader: JsonReader, roster: troopers.Roster) -> OpenOrder:
    """Parse lines that are valid as they are, to which others add their AROs."""
    lines = tuple(line.strip() for line in LINE_END.split(order_text(reader)) if line.strip())
    order = OpenOrder(lines=lines, edition=read_edition(reader), roster=tuple(roster.values()))
    return replace(order, edition=close_order(order).edition)


def read_picked(reader: JsonReader, field: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in reader.text(field, forms.ORDER_LONGEST).split(",") if name.strip())


def order_text(reader: JsonReader) -> str:
    lines = reader.take_raw("order")
    if isinstance(lines, list | tuple) and all(isinstance(line, str) for line in lines):
        lines = "\n".join(lines)
    if not isinstance(lines, str) or len(lines) > forms.ORDER_LONGEST:
        allowed = Text("Use a text of at most {longest} characters, or a list of lines.", longest=forms.ORDER_LONGEST)
        raise BadInputError("order", lines, allowed)
    return lines


def sides(reader: JsonReader, roster: troopers.Roster) -> Order:
    """Parse the roll of side a against b, or each enemy: ``enemies``, or ``enemy_1``, ``enemy_2`` ..."""
    edition, foes = read_edition(reader), list[Draft]()
    own = side(reader.take_object("a"), edition, roster)
    keys = [*filter(reader.has, map("enemy_{}".format, range(1, limits.MAX_ENEMIES + 1)))]
    if reader.has("enemies") or keys:
        each = [(f"enemies[{at}]", foe) for at, foe in enumerate(reader.items("enemies", limits.MAX_ENEMIES))]
        each += [(key, reader.take_raw(key)) for key in keys]
        if not 0 < len(each) <= limits.MAX_ENEMIES:
            allowed = Text("Use 1 to {most} enemies.", most=limits.MAX_ENEMIES)
            raise BadInputError("enemies", Text("{count} enemies", count=len(each)), allowed)
        for number, (path, foe) in enumerate(each, 1):
            draft = side(JsonReader(foe, path), edition, roster)
            foes.append(replace(draft, name=draft.name or f"Enemy {number}"))
    elif reader.has("b"):
        foes = [side(reader.take_object("b"), edition, roster)]
    for foe in foes:
        count_for_the_shot(own, foe, alone=len(foes) == 1)
    if reader.word("roll", ("normal", "face_to_face"), "") == "normal" and foes:
        raise BadInputError("roll", "normal", Text("Use `face_to_face` when there is a side b."))
    if not foes and reader.flag("open"):
        return challenge(own, Draft(), edition, tuple(roster.values()))
    return compare(own, foes, edition)


def side(reader: JsonReader, edition: Edition, roster: troopers.Roster) -> Draft:
    """Parse one side; a golden case has each die's result there (``kind`` as a list, ``fate``)."""
    draft = read_roll(reader, "{}", edition, roster)
    reader.items("fate", DICE_LONGEST)
    reader.check_all_taken()
    return draft


def read_versus(reader: JsonReader, a: str, roster: troopers.Roster) -> Order:
    """Parse both sides in one flat object; ``a``: key pattern of the first side, ``{}_a`` or ``{}``. The other side
    rolls if it has a Success Value, or is a trooper with further facts.
    """
    edition = read_edition(reader)
    active, b = read_roll(reader, a, edition, roster), "{}_b"
    sv = b.format("sv")
    name = clean(reader.text(b.format("name"), MAX_NAME))
    other = troopers.find_exact(roster, name)
    does = [key for key in (b.format(item) for item in ROLL_KEYS) if reader.has(key)]
    if reader.has(sv) or reader.has(b.format("attribute")) or (other is not None and does):
        reader.flag("open")
        foe = read_roll(reader, b, edition, roster)
        count_for_the_shot(active, foe, alone=True)
        return compare(active, (foe,), edition)
    if does:
        raise BadInputError(sv, "", Text("Use their Success Value too, or leave out the rest of their roll."))
    target = Draft(name=name, trooper=other)
    read_table(reader, b, target)
    if reader.flag("open"):
        return challenge(active, target, edition, tuple(roster.values()))
    return compare(active, (), edition, target)


# One roll


def read_roll(reader: JsonReader, at: str, edition: Edition, roster: troopers.Roster) -> Draft:
    """Parse one roll; ``at``: key pattern, ``{}``, ``{}_a``, or ``{}_b``."""
    draft = read_name(reader, at.format("name"), roster)
    for key, first in (("at", "at "), ("around", "")):
        given = reader.take_raw(at.format(key))
        text = str(given) if type(given) is int else reader.text(at.format(key), forms.ORDER_LONGEST).strip()
        read_all(LineWords(f"{first}{text}" if text[:1].isdecimal() else text, reader.name(at.format(key))), draft)
    read_bonus(reader, at.format("mods"), draft)
    special = at.format("special_dice")
    if reader.has(special) or draft.special is None:
        draft.special = reader.take_whole_number(special, 0, limits.MAX_SPECIAL, 0) or draft.special
    dice = read_dice(reader, at.format("dice"))
    draft.dice = dice if isinstance(dice, tuple) else draft.dice
    draft.burst = dice if isinstance(dice, int) else draft.burst
    read_table(reader, at, draft)
    draft.action = read_action(reader, at) or draft.action
    draft.attribute = read_attribute(reader, at, draft)
    read_arms(reader, at.format("weapon"), draft)
    draft.weapon = read_hit(reader, at, edition, draft) or draft.weapon
    return draft


def read_table(reader: JsonReader, at: str, draft: Draft) -> None:
    for row in TABLE:
        row.read_json(reader, at.format(row.key), draft)


def read_name(reader: JsonReader, key: str, roster: troopers.Roster) -> Draft:
    """Parse a name; a trooper's may be followed by other words: ``Angus Combi``."""
    words = LineWords(reader.text(key, MAX_NAMED), reader.name(key), roster=roster)
    draft = trooper_first(words)
    if draft is None:
        name = clean(reader.text(key, MAX_NAME))
        return Draft(name=name, trooper=troopers.find_exact(roster, name))
    read_all(words, draft)
    return draft


def read_arms(reader: JsonReader, key: str, draft: Draft) -> None:
    """Parse ``weapon``: one of the trooper's, or any weapon's words: ``AP PS 5``."""
    text = reader.text(key, forms.ORDER_LONGEST)
    if not text.strip():
        return
    trooper = draft.trooper
    weapon = troopers.weapon_of(trooper, text.strip()) if trooper else None
    fitting = troopers.weapons_with(trooper, text) if trooper else []
    if weapon is None and trooper and (fitting or (trooper.weapons and len(text.split()) == 1)):
        names = ", ".join(item.name for item in fitting or trooper.arms)
        allowed = Text("Use a weapon of {trooper}: {names}.", trooper=trooper.name, names=Name(names))
        raise BadInputError(reader.name(key), text, allowed)
    draft.weapon = weapon or forms.read_weapon(reader.name(key), text)


def read_attribute(reader: JsonReader, at: str, draft: Draft) -> int | None:
    """Parse ``sv``, before MODs; beside ``attribute`` it is their sum, and must be right."""
    sv, attribute = at.format("sv"), at.format("attribute")
    if reader.has(attribute):
        value = reader.take_whole_number(attribute, limits.MIN_SV, limits.MAX_SV)
        right = value + declarations.total(tuple(draft.mods))
        if reader.has(sv) and reader.take_raw(sv) != right:
            allowed = Text("Use {right}, the sum of attribute and MODs.", right=right)
            raise BadInputError(reader.name(sv), reader.take_raw(sv), allowed)
        return value
    if draft.action in declarations.NO_DICE or (
        not reader.has(sv) and (draft.trooper is not None or draft.attribute is not None)
    ):
        return draft.attribute
    if not reader.has(sv):
        least, most = limits.MIN_SV, limits.MAX_SV
        message = N_("Use a whole number from {least} to {most}, unless a trooper rolls.")
        raise BadInputError(reader.name(sv), None, WholeNumber(least, most, Text(message, least=least, most=most)))
    return reader.take_whole_number(sv, limits.MIN_SV, limits.MAX_SV)


def read_dice(reader: JsonReader, key: str) -> tuple[int, ...] | int | None:
    """Parse physical dice; a number is only their count."""
    given = reader.take_raw(key)
    if given is None:
        return None
    if isinstance(given, str):
        return numbers(reader.name(key), given, 1, SIDES)
    if isinstance(given, list | tuple):
        return reader.wholes(key, 1, SIDES, DICE_LONGEST)
    return check_whole_number(reader.name(key), given, 1, limits.MAX_BURST)


def read_bonus(reader: JsonReader, key: str, draft: Draft) -> None:
    """Parse MODs as a list, or as a text, perhaps with special dice: ``-3 +1sd``."""
    given = reader.take_raw(key)
    if isinstance(given, str):
        fields.add_bonus(draft, reader.name(key), given)
    else:
        draft.mods += read_mods(reader, key)


def read_mods(reader: JsonReader, key: str) -> tuple[Mod, ...]:
    given = reader.take_raw(key)
    if isinstance(given, int) and not isinstance(given, bool):
        return (Mod(check_whole_number(reader.name(key), given, -limits.MAX_MOD, limits.MAX_MOD)),)
    return tuple(map(Mod, reader.wholes(key, -limits.MAX_MOD, limits.MAX_MOD, limits.MAX_MODS)))


KINDS: Final = {**{action.value: action for action in Action}, "idle": Action.MOVE}


def read_action(reader: JsonReader, at: str) -> Action | None:
    """Parse ``kind``: a word is the action, a list a result. ``"ammo": "DODGE"`` is an action too."""
    kind, weapon = reader.take_raw(at.format("kind")), reader.take_raw(at.format("ammo"))
    for action in (Action.DODGE, Action.RESET):
        if isinstance(weapon, str) and weapon.strip().lower() == action:
            return action
    if kind is None or (isinstance(kind, list) and reader.has(at.format("dice"))):
        return None
    return KINDS[reader.word(at.format("kind"), tuple(KINDS))]


def read_hit(reader: JsonReader, at: str, edition: Edition, draft: Draft) -> Weapon | None:
    """Return the weapon of a save, if given; None for a Dodge."""
    power = read_power(reader, at)
    key = at.format("ammo")
    if not reader.has(key) or (draft.action is not None and draft.action.is_evasion):
        return None
    if not power:
        missing, most = "damage" if edition != "n5" else "ps", limits.MAX_POWER
        allowed = WholeNumber(0, most, Text("Use a whole number from 0 to {most} with `ammo`.", most=most))
        raise BadInputError(reader.name(at.format(missing)), "", allowed)
    return Weapon(ammo=read_ammo(reader, key), **power)


def read_power(reader: JsonReader, at: str) -> dict[str, Any]:
    """Parse ``ps`` or ``damage``, whatever the edition, as weapon fields; {} without."""
    said = [word for word in POWER_KEYS if reader.has(at.format(word))]
    if len(said) > 1:
        key = at.format(said[1])
        raise BadInputError(reader.name(key), reader.take_raw(key), Text("Use `ps` or `damage`."))
    result = {word: reader.take_whole_number(at.format(word), 0, limits.MAX_POWER) for word in said}
    return next((weapons.power_of(word, str(number)) for word, number in result.items()), {})


def read_ammo(reader: JsonReader, key: str) -> tuple[Ammo, ...]:
    """Parse ammunition in any case; a remark in brackets is ignored."""
    given = reader.take_raw(key)
    return weapons.ammunition(given.partition("(")[0] if isinstance(given, str) else given, reader.name(key))


# Saving Rolls


def saving(reader: JsonReader, roster: troopers.Roster) -> Save:
    """Parse Saving Rolls; Damage without an edition means N4."""
    implied: Edition = "n4" if reader.has("dam") or reader.has("damage") else "n5"
    edition = read_edition(reader, implied)
    power = read_power(reader, "{}")
    dice = read_dice(reader, "dice")
    weapon = Weapon(ammo=read_ammo(reader, "ammo") if reader.has("ammo") else (Ammo.N,), **power)
    if reader.has("weapon"):
        weapon = forms.read_weapon("weapon", reader.text("weapon", forms.ORDER_LONGEST), weapon)
    name = clean(reader.text("name", MAX_NAME))
    given = reader.take_raw("mods")
    hits = reader.take_whole_number("hits", 0, limits.MAX_HITS, 0 if reader.has("crits") else 1)
    crits = reader.take_whole_number("crits", 0, limits.MAX_HITS, 0)
    profile = read_profile(reader, weapon, troopers.find_exact(roster, name))
    mods = modifiers("mods", given) if isinstance(given, str) else read_mods(reader, "mods")
    dealt = Save(hits=hits, crits=crits, weapon=weapon, profile=profile, mods=mods, cover=reader.flag("cover"))
    return saves.check_save(replace(dealt, edition=edition, name=name, dice=dice if isinstance(dice, tuple) else None))


def read_profile(reader: JsonReader, weapon: Weapon, trooper: troopers.Trooper | None) -> TargetProfile:
    """Parse ``arm``, ``bts``, ``ph``, ``w``; ``arm`` may have both, as ``3 6``."""
    profile, draft, given = trooper.profile if trooper else TargetProfile(), Draft(), reader.take_raw("arm")
    if isinstance(given, str):
        profile = forms.read_armour("arm", given, weapon, profile)
    for row in TABLE:
        if row.where == "armour" and not (row.key == "arm" and isinstance(given, str)):
            row.read_json(reader, row.key, draft)
    ph = reader.take_whole_number("ph", 0, limits.MAX_ATTRIBUTE) if reader.has("ph") else profile.ph
    return replace(profile, ph=ph, **typed_stats(draft))
