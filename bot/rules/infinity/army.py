"""Troopers from army data that a club fetched itself, one by one or a whole list by its army code.

Nothing of such data is part of this project. The form is that of the official army builder's data: units in one JSON
object for each army, weapons in another (or all in one):

{"units": [{"id": 3, "name": "Fusiliers", "profileGroups": [{"id": 1,
     "profiles": [{"name": "FUSILIERS", "bs": 12, "cc": 13, "ph": 10, "wip": 12, "arm": 1, "bts": 0, "w": 1,
                   "str": false, "type": 1, "equip": [{"id": 5}], "skills": [{"id": 28, "extra": [6]}],
                   "weapons": [{"id": 7}]}],
     "options": [{"id": 2, "name": "FUSILIER (HMG)", "skills": [], "weapons": [{"id": 9, "extra": [8]}]}]}]}],
 "filters": {"type": [{"id": 1, "name": "LI"}], "skills": [{"id": 28, "name": "Mimetism"}],
             "equip": [{"id": 5, "name": "Multispectral Visor L1"}],
             "extras": [{"id": 6, "name": "-3", "type": "TEXT"}, {"id": 9, "name": "+5", "type": "DISTANCE"}]},
 "weapons": [{"id": 7, "name": "Combi Rifle", "mode": "", "burst": "3", "damage": "7", "saving": "ARM",
              "savingNum": "1", "ammunition": 1, "properties": ["Suppressive Fire"],
              "distance": {"short": {"max": 40, "mod": "+3"}, "med": {"max": 80, "mod": "-3"}}}],
 "ammunitions": [{"id": 1, "name": "N"}]}

Distances are centimetres there, 5 of them for 2 inches; a skill's extra of the type DISTANCE is one too, and no MOD.
What a file leaves out, a trooper lacks. A skill that the table of skills has not is kept as it is called there.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Final

from bot.rules.errors import AtMost, BadInput, PlayerError, shown
from bot.rules.infinity import saves, skills, states
from bot.rules.infinity import trooper as troopers
from bot.rules.infinity import weapon as weapons
from bot.rules.infinity.codes import Member, decode
from bot.rules.infinity.declared import Ammo, Weapon
from bot.rules.infinity.told import TOLD
from bot.rules.name import NAME_MOST, clean, harmless
from bot.rules.reading import parse_json
from bot.rules.rows import table
from bot.rules.text import N_, Count, Name, Sentences, Text

INCHES: Final = 2
CENTIMETRES: Final = 5
FILE_MOST: Final = 2_000_000
"""Characters of a file; the largest army that we know of has half of that."""
POINTS_MOST: Final = 400
"""Points of the largest army, which no trooper costs more than."""
FLAGS: Final = dict(table("infinity/tables/properties.json", tuple[str, str]))
"""Properties of a weapon, by how they begin, and the word of ``weapon`` for each; some files spell one with a slip."""

NUMBERED_TRAIT: Final = re.compile(r"(disposable|silent)\s*\(([1-9]|-[1-9])\)", re.IGNORECASE)
REPLACED: Final = re.compile(r"([A-Za-z]+)=(\d{1,2})")
"""An option may have another attribute than its profile: ``BS=12`` stands among its skills."""

Object = Mapping[str, Any]


def read(*texts: str) -> Object:
    """Army data of one file or several. Raises ``BadInput`` for what is no such data."""
    data: dict[str, Any] = {}
    for text in texts:
        if len(text) > FILE_MOST:
            raise BadInput("file", Text("{count} characters", count=len(text)), AtMost(FILE_MOST))
        try:
            found = parse_json(text)
        except (ValueError, RecursionError):
            allowed = Text("Use army data in JSON, as the official army builder has it.")
            raise BadInput("file", text[:60], allowed) from None
        if not isinstance(found, Mapping):
            raise BadInput("file", text[:60], Text("Use a JSON object with `units`, `filters` and `weapons`."))
        data |= found
    if not objects(data, "units"):
        raise BadInput("file", ", ".join(list(map(str, data))[:8]), Text("Use army data with a list of `units`."))
    return data


def merged(*texts: str) -> str:
    """What codes need of army data, as one text."""
    data = read(*texts)
    return json.dumps({key: data[key] for key in ("units", "filters", "weapons", "ammunitions") if key in data})


def read_trooper(words: str, name: str, *texts: str) -> troopers.Trooper:
    """The trooper that words name in army data: a unit, and after it words of one of its options: ``Fusiliers HMG``.

    ``name`` is what it is called, "" for as its unit. Raises ``BadInput`` naming the nearest units or the unit's
    options.
    """
    data = read(*texts)
    unit, rest = find_unit(data, words)
    group = next(iter(objects(unit, "profileGroups")), {})
    return made(data, group, find_option(group, rest, words), name or str(unit.get("name", words)))


@dataclass(frozen=True, slots=True)
class Enlisted:
    """The troopers of a list, and a sentence for each line of it that the data lacks."""

    troopers: tuple[troopers.Trooper, ...]
    left_out: tuple[Text, ...] = ()


def read_list(code: str, *texts: str) -> Enlisted:
    """The troopers of an army code, called as their options are; a line that the data lacks is named.

    Raises ``BadInput`` where it lacks all of them.
    """
    data, found = read(*texts), decode(code)
    units = {unit.get("id"): unit for unit in objects(data, "units") if isinstance(unit.get("id"), int)}
    new, left = list[troopers.Trooper](), list[Text]()
    for one in found.members:
        try:
            new += members_of(units, data, one)
        except Missing as missing:
            left.append(missing.sentence)
    if not new:
        message = N_("Use units of the army data in the file. The list is of {army}: take that army's file.")
        first = found.members[0]
        given = Text("unit {unit}, option {option}", unit=first.unit, option=first.option)
        raise BadInput("code", given, Text(message, army=shown(found.army)))
    if found.surplus:
        left.append(Text("read without the last {count}", count=Count(found.surplus, "character", "characters")))
    return Enlisted(tuple(new), tuple(left))


class Missing(Exception):
    """A line of a list that the data lacks; ``sentence`` says which."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def made(data: Object, group: Object, option: Object, name: str) -> troopers.Trooper:
    """The trooper of an option; a group's first profile is how it enters the table."""
    profile = next(iter(objects(group, "profiles")), {})
    kind = named(data, "type", profile.get("type")).upper()
    found = [skill for key in ("equip", "skills") for part in (profile, option) for skill in skills_of(data, part, key)]
    own = [skill for skill in found if not REPLACED.fullmatch(skill)]
    held = [one for part in (profile, option) for one in objects(part, "weapons")]
    arms = {arm.name.casefold(): arm for one in held for arm in weapons_of(data, one)}
    return troopers.Trooper(
        clean(called(re.sub(r"[,;:/]+", " ", name))),
        stats_of(profile, found),
        kind if kind in troopers.TYPES else "",
        tuple(dict.fromkeys(own))[: troopers.SKILLS_MOST],
        tuple(arms.values())[: troopers.WEAPONS_MOST],
        points=cost if isinstance(cost := option.get("points"), int) and 0 < cost <= POINTS_MOST else 0,
    )


def stats_of(profile: Object, found: Sequence[str]) -> dict[str, int]:
    """The stats of a profile, or those by which an option replaces them; none beyond what a trooper may have."""
    keys = {label: label.lower() for label in ("BS", "CC", "PH", "WIP", "ARM", "BTS")}
    keys["STR" if profile.get("str") else "W"] = "w"
    stats = {label: number for label, key in keys.items() if isinstance(number := profile.get(key), int)}
    stats |= {one[1].upper(): int(one[2]) for one in map(REPLACED.fullmatch, found) if one}
    limits = {label: troopers.STATS[label] for label in stats if label in troopers.STATS}
    return {label: max(least, min(stats[label], most)) for label, (least, most) in limits.items()}


# Lists


def enlist(held: troopers.Roster, new: Sequence[troopers.Trooper]) -> troopers.Changes:
    """All troopers of a list come into the channel; those of one name are numbered.

    Raises ``PlayerError`` where there is no room for all.
    """
    room = troopers.TROOPERS_MOST - len(held)
    if len(new) > room:
        raise PlayerError(Text(TOLD["room", "list"], troopers=Count(len(new), "trooper", "troopers"), room=room))
    coming: dict[str, troopers.Trooper | None] = {}
    for one in new:
        alike, taken = [other for other in new if troopers.same(one.name, other.name)], [*held, *coming]
        name = name_for(one.name, difference(one, alike), taken, several=len(alike) > 1)
        coming[name] = replace(one, name=Name(name))
    return coming


def difference(one: troopers.Trooper, alike: Sequence[troopers.Trooper]) -> str:
    """What tells a trooper apart from others of its name: a skill or a weapon that not all have; "" for nothing.

    No skill that the opponent is not told: names are public.
    """
    open_ = (held.text for held in one.held if held.name not in troopers.PRIVATE)
    own = [*open_, *(weapon.name for weapon in one.weapons)]
    every = [{*other.skills, *(weapon.name for weapon in other.weapons)} for other in alike]
    return next((name for name in own if not all(name in names for names in every)), "")


def name_for(name: str, apart: str, taken: Sequence[str], *, several: bool) -> str:
    """``Fennec``, or ``Fennec #1 (Hacker)``, ``Fennec #2`` and so on; the plain name only where it is the only one."""
    if not several and not any(troopers.same(name, other) for other in taken):
        return name
    apart = whole_words(re.sub(r"[():,;/]+", " ", apart), APART_MOST)
    said = f" ({apart})" if apart and "(" not in name else ""
    base = whole_words(name, NAME_MOST - len(said) - NUMBER_MOST)
    numbered = map(troopers.NUMBERED.fullmatch, taken)
    used = {match["number"] for match in numbered if match and troopers.same(match["base"], base)}
    number = next(number for number in range(1, 2 * troopers.TROOPERS_MOST + 2) if str(number) not in used)
    return f"{base} #{number}{said}"


def called(name: str) -> str:
    """The name of a trooper in as many whole words as there is room for; a bracket that loses its end gets one."""
    cut = whole_words(name, NAME_MOST)
    return f"{whole_words(cut, NAME_MOST - 1)})" if cut.count("(") > cut.count(")") else cut


def whole_words(text: str, most: int) -> str:
    """As many whole words of a text as there is room for; of a first word that is longer, its beginning."""
    words = text.split()
    while len(words) > 1 and len(" ".join(words)) > most:
        words.pop()
    return " ".join(words)[:most]


NUMBER_MOST: Final = 4
"""Characters of `` #12``, with its blank."""
APART_MOST: Final = 14
"""Characters of what tells troopers of one name apart: a name has 32."""


def members_of(units: Mapping[Any, Object], data: Object, one: Member) -> list[troopers.Trooper]:
    """The troopers of a line of a list, each called as its option is; several where the unit itself is the option.

    Raises ``Missing`` where the data lacks it.
    """
    unit = units.get(one.unit)
    if unit is None:
        message = N_("unit {unit}, option {option}: this data does not have it (a newer list, or a missing file)")
        raise Missing(Text(message, unit=one.unit, option=one.option))
    if one.group == 0:
        option = option_of(unit, one.option)
        lines = objects(option, "includes") if option is not None else []
        parts = [(line.get("group"), line.get("option")) for line in lines for _ in range(copies(line))]
    else:
        parts = [(one.group, one.option)]
    found = [in_unit(data, unit, group, option) for group, option in parts]
    new = [trooper for trooper in found if trooper is not None]
    if not new or len(new) < len(found):
        message = N_("{unit}, option {option}: this data does not have it")
        raise Missing(Text(message, unit=harmless(str(unit.get("name") or one.unit), NAME_MOST), option=one.option))
    states_now = (states.OFF_TABLE,) if one.reserve else ()
    new = [replace(trooper, group=one.combat, states=states_now) for trooper in new]
    return [improved(data, new[0], one.texts), *new[1:]]


def copies(line: Object) -> int:
    """How many troopers an entry of ``includes`` stands for."""
    number = line.get("q")
    return min(max(number, 1), troopers.TROOPERS_MOST) if isinstance(number, int) else 1


def in_unit(data: Object, unit: Object, group: object, option: object) -> troopers.Trooper | None:
    """The trooper of an option of a profile group; where the group is unknown, of the only one with that option."""
    groups = objects(unit, "profileGroups")
    known = [one for one in groups if one.get("id") == group] or [one for one in groups if option_of(one, option)]
    found = option_of(known[0], option) if len(known) == 1 else None
    if found is None:
        return None
    return made(data, known[0], found, str(found.get("name") or unit.get("name") or f"Unit {unit.get('id')}"))


def option_of(held: Object, number: object) -> Object | None:
    return next((option for option in objects(held, "options") if option.get("id") == number), None)


def improved(data: Object, one: troopers.Trooper, texts: Sequence[str]) -> troopers.Trooper:
    """A Spec-Ops trooper with what its texts add: attributes, skills, weapons; what is unknown stands as a skill."""
    stats, held, arms = dict(one.stats), list(one.skills), list(one.weapons)
    for text in texts:
        with suppress(ValueError):
            for more in objects({"all": parse_json(text)}, "all"):
                kind, number = more.get("type"), more.get("q")
                label = str(more.get("stat", "")).upper()
                if kind == "stat" and label in troopers.STATS and isinstance(number, int):
                    least, most = troopers.STATS[label]
                    stats[label] = max(least, min(most, stats.get(label, 0) + number))
                elif kind == "skill":
                    held += skills_of(data, {"skills": [more]}, "skills")
                elif kind == "weapon":
                    arms += weapons_of(data, more)
                elif kind != "stat":
                    held.append(troopers.clean_skill(str(kind)))
    arms = list({arm.name.casefold(): arm for arm in arms}.values())[: troopers.WEAPONS_MOST]
    return replace(one, stats=stats, skills=tuple(dict.fromkeys(held))[: troopers.SKILLS_MOST], weapons=tuple(arms))


# Parts of the data


def objects(data: Object, key: str) -> Sequence[Object]:
    """The objects in a list of the data; none where it is no list."""
    found = data.get(key)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def find_unit(data: Object, words: str) -> tuple[Object, str]:
    """The unit whose name the words begin with, and the words after it."""
    asked = " ".join(words.split()).casefold()
    units = {" ".join(str(unit.get("name", "")).split()).casefold(): unit for unit in objects(data, "units")}
    for name in sorted(filter(None, units), key=len, reverse=True):
        if asked == name or asked.startswith(f"{name} "):
            return units[name], asked[len(name) :].strip()
    near = get_close_matches(asked, units, n=3, cutoff=0.5) or sorted(units)[:5]
    examples = Sentences((shown(str(units[one].get("name"))) for one in near), ", ")
    allowed = Text("Use a unit of the file, and words of its option: {examples}.", examples=examples)
    raise BadInput("unit", words, allowed)


def find_option(group: Object, rest: str, words: str) -> Object:
    """The option whose name holds all words; the first where none are said."""
    options = objects(group, "options")
    fitting = [one for one in options if all(word in str(one.get("name", "")).casefold() for word in rest.split())]
    if rest and not fitting:
        names = Sentences((shown(str(one.get("name", ""))) for one in options[:8]), ", ")
        raise BadInput("unit", words, Text("Use words of one of its options: {names}.", names=names))
    return fitting[0] if fitting else {}


def named(data: Object, kind: str, number: object) -> str:
    """The name of an id in the filters; of a name itself, that name."""
    return number if isinstance(number, str) else str(row_of(data, kind, number).get("name", ""))


def row_of(data: Object, kind: str, number: object) -> Object:
    """What the filters say of an id."""
    filters = data.get("filters")
    rows = objects(filters, kind) if isinstance(filters, Mapping) else []
    return next((one for one in rows if one.get("id") == number), {})


def skills_of(data: Object, part: Object, key: str) -> list[str]:
    """The skills or the equipment of a profile or an option, each with its extras: ``Mimetism (-3)``."""
    found: list[str] = []
    for one in objects(part, key):
        name = harmless(re.sub(r'[,;"]+', " ", named(data, key, one.get("id"))), troopers.SKILL_LONGEST)
        more = "".join(f" ({extra})" for extra in extras_of(data, one))
        known = skills.read(name + more)
        found += [known.text if known else troopers.clean_skill(name + more)] if name else []
    return found


def extras_of(data: Object, one: Object) -> list[str]:
    """The extras of a skill or a weapon: ``-3``, ``+1B``, ``PS=6``; a distance in inches: ``+2"``."""
    extras = one.get("extra")
    found = [extra_of(data, number) for number in extras] if isinstance(extras, list) else []
    return [harmless(re.sub(r"[(),;]+", " ", extra), troopers.SKILL_LONGEST) for extra in found if extra]


def extra_of(data: Object, number: object) -> str:
    row = row_of(data, "extras", number)
    name = str(row.get("name", number if isinstance(number, str) else ""))
    if row.get("type") != "DISTANCE" or not (match := re.fullmatch(r"([+-]?)(\d+(?:\.\d+)?)", name)):
        return name
    return f'{match[1]}{float(match[2]) * INCHES / CENTIMETRES:g}"'


def weapons_of(data: Object, held: Object) -> Iterator[Weapon]:
    """Every mode of a weapon that a trooper holds, with its extras; of one that cannot be said, what can be."""
    for one in objects(data, "weapons"):
        if one.get("id") == held.get("id"):
            yield with_extras(mode_of(data, one), extras_of(data, held))


def mode_of(data: Object, one: Object) -> Weapon:
    """A mode of a weapon; the words that cannot be read are left out, and the name says that they are missing."""
    name, _, said = weapon_words(data, one).partition(": ")
    found: dict[str, Any] = {"bands": ()}
    for words in re.findall(r"(?:PS|saves|state) \S+|\S+", said):
        with suppress(PlayerError):
            weapons.read_word(words.split(), found, "file")
    return replace(weapons.parse(f"{name}:", "file"), **found)


def with_extras(weapon: Weapon, extras: Sequence[str]) -> Weapon:
    """``PS=6`` is the PS, ``Shock`` more ammunition; MODs, Burst and special dice stand in the name, and count."""
    for extra in extras:
        if power := re.fullmatch(r"PS=(\d{1,2})", extra):
            weapon = replace(weapon, power=int(power[1]))
        elif weapons.is_ammunition(extra):
            more = [ammo for ammo in weapons.ammunition(extra, "file") if ammo not in weapon.ammo]
            weapon = replace(weapon, ammo=(*(ammo for ammo in weapon.ammo if ammo is not Ammo.N), *more))
        elif extra.casefold() in skills.CONTINUOUS:
            weapon = replace(weapon, continuous=True)
        else:
            room = weapons.NAME_LONGEST - len(extra) - 3
            weapon = replace(weapon, name=Name(f"{whole_words(weapon.name, room)} ({extra})"))
    return weapon


def weapon_words(data: Object, one: Object) -> str:
    """A mode of a weapon in the words of ``weapon``."""
    mode = f" {one['mode']}" if one.get("mode") else ""
    full = re.sub(r"[:,;]+", " ", f"{one.get('name') or 'Weapon'}{mode}")
    name = harmless(whole_words(full, weapons.NAME_LONGEST - 12), weapons.NAME_LONGEST - 12)
    parts = [f"B{one['burst']}"] if str(one.get("burst", "")) in "123456" and one.get("burst") else []
    parts += [f"PS {one['damage']}"] if str(one.get("damage", "")).isdecimal() else []
    parts.append(ammunition(data, one.get("ammunition")))
    save = str(one.get("saving") or "none").replace(" and ", "+")
    parts.append("nosave" if save in ("none", "-", "*") else save)
    count = str(one.get("savingNum", ""))
    ammo = parts[-2].casefold().split("+")
    usual = max((saves.PER_HIT.get(one, 1) for one in Ammo if one.casefold() in ammo), default=1)
    if count.isdecimal() and save not in ("none", "-") and int(count) != usual:
        parts.append(f"saves {count}")
    properties = one.get("properties")
    for text in map(str, properties if isinstance(properties, list) else []):
        parts += property_words(text)
        parts += ["hack"] if text.casefold().startswith("comms. attack") and "CC" not in parts else []
    return f"{name}: {' '.join([*parts, *bands(one.get('distance'))])}"


def property_words(text: str) -> list[str]:
    """A property of a weapon in the words of ``weapon``."""
    words = [word for start, word in FLAGS.items() if text.casefold().startswith(start)]
    words += ["CC"] if text == "CC" else []
    if numbered := NUMBERED_TRAIT.match(text):
        words.append(f"{numbered[1]}({numbered[2]})")
    elif text.casefold().startswith("disposable"):
        words.append("disposable")
    return [*words, *([f"state {state}"] if (state := state_of(text)) else [])]


def state_of(text: str) -> str:
    """The state of a property like ``State: IMM-A``, as we write it; empty for another property."""
    word = next(iter(text.removeprefix("State:").split()), "") if text.startswith("State:") else ""
    row = states.BY_NAME.get(word.casefold())
    return row.name if row else word


def ammunition(data: Object, given: object) -> str:
    """The ammunition's name; ``N`` where the data says nothing."""
    found = (str(one.get("name", "")) for one in objects(data, "ammunitions") if one.get("id") == given)
    name = given if isinstance(given, str) else next(found, "")
    return name.replace(" ", "") or "N"


def bands(distance: object) -> list[str]:
    """``+3@16``: range bands in inches, in the order of distance."""
    found = distance.values() if isinstance(distance, Mapping) else ()
    far = (one for one in found if isinstance(one, Mapping) and isinstance(one.get("max"), int))
    known = {int(one["max"]) * INCHES // CENTIMETRES: str(one.get("mod", "0")) for one in far}
    return [f"{known[inches]}@{inches}" for inches in sorted(known) if inches]
