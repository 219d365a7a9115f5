"""Troopers from army data that a club fetched itself; nothing of such data is part of this project.

The form is that of the official army builder's data, one JSON object (or two, units and weapons apart):

{"units": [{"name": "Fusiliers", "profileGroups": [{
     "profiles": [{"name": "FUSILIERS", "bs": 12, "cc": 13, "ph": 10, "wip": 12, "arm": 1, "bts": 0, "w": 1,
                   "str": false, "type": 1, "skills": [{"id": 28, "extra": [6]}], "weapons": [{"id": 7}]}],
     "options": [{"name": "FUSILIER (HMG)", "skills": [], "weapons": [{"id": 9}]}]}]}],
 "filters": {"type": [{"id": 1, "name": "LI"}], "skills": [{"id": 28, "name": "Mimetism"}],
             "extras": [{"id": 6, "name": "-3"}]},
 "weapons": [{"id": 7, "name": "Combi Rifle", "mode": "", "burst": "3", "damage": "7", "saving": "ARM",
              "savingNum": "1", "ammunition": 1, "properties": ["Suppressive Fire"],
              "distance": {"short": {"max": 40, "mod": "+3"}, "med": {"max": 80, "mod": "-3"}}}],
 "ammunitions": [{"id": 1, "name": "N"}]}

Distances are centimetres there, 5 of them for 2 inches. What a file leaves out, a trooper lacks.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from bot.rules.errors import BadInput, PlayerError, shown
from bot.rules.infinity import weapon as weapons
from bot.rules.infinity.declared import Ammo, Weapon
from bot.rules.infinity.saves import PER_HIT
from bot.rules.infinity.trooper import SKILLS_MOST, STATS, TYPES, WEAPONS_MOST, Trooper
from bot.rules.name import NAME_MOST, clean
from bot.rules.reading import parse_json

INCHES: Final = 2
CENTIMETRES: Final = 5
FILE_MOST: Final = 10_000_000
"""Characters of a file."""
SKILL_LONGEST: Final = 40
FLAGS: Final = {
    "continuous damage": "continuous",
    "direct template": "direct",
    "impact template": "impact",
    "bioweapon": "bioweapon",
    "non-lethal": "nonlethal",
    "cc": "CC",
    "bs weapon (wip)": "WIP",
    "bs weapon (ph)": "PH",
    "disposable": "disposable",
    "suppressive fire": "suppressive",
}
"""Properties of a weapon, by how they begin, and the word of ``weapon`` for each."""

Object = Mapping[str, Any]


def read(*texts: str) -> Object:
    """Army data of one file or several. Raises ``BadInput`` for what is no such data."""
    data: dict[str, Any] = {}
    for text in texts:
        if len(text) > FILE_MOST:
            raise BadInput("file", f"{len(text)} characters", f"at most {FILE_MOST:,} characters")
        try:
            found = parse_json(text)
        except (ValueError, RecursionError):
            raise BadInput("file", text[:60], "army data in JSON, as the official army builder has it") from None
        if not isinstance(found, Mapping):
            raise BadInput("file", text[:60], "a JSON object with `units`, `filters` and `weapons`")
        data |= found
    if not objects(data, "units"):
        raise BadInput("file", ", ".join(list(map(str, data))[:8]), "army data with a list of `units`")
    return data


def trooper(data: Object, words: str, name: str = "") -> Trooper:
    """The trooper that words name: a unit, and after it words of one of its options: ``Fusiliers HMG``.

    Raises ``BadInput`` naming the nearest units or the unit's options.
    """
    unit, rest = find_unit(data, words)
    group = next(iter(objects(unit, "profileGroups")), {})
    profile = next(iter(objects(group, "profiles")), {})
    option = find_option(group, rest, words)
    stats = {label: number for label, key in keys(profile) if isinstance(number := profile.get(key), int)}
    kind = named(data, "type", profile.get("type")).upper()
    skills = [skill for part in (profile, option) for one in objects(part, "skills") if (skill := skill_of(data, one))]
    ids = [one.get("id") for part in (profile, option) for one in objects(part, "weapons")]
    arms = {arm.name: arm for number in ids for arm in weapons_of(data, number)}
    return Trooper(
        clean(name or str(unit.get("name", words)))[:NAME_MOST],
        {label: max(STATS[label][0], min(number, STATS[label][1])) for label, number in stats.items()},
        kind if kind in TYPES else "",
        tuple(dict.fromkeys(skills))[:SKILLS_MOST],
        tuple(arms.values())[:WEAPONS_MOST],
    )


def keys(profile: Object) -> list[tuple[str, str]]:
    """The stats of a trooper and their keys; ``w`` are STR where ``str`` says so."""
    wounds = "STR" if profile.get("str") else "W"
    return [(label, label.lower()) for label in ("BS", "CC", "PH", "WIP", "ARM", "BTS")] + [(wounds, "w")]


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
    examples = ", ".join(shown(str(units[one].get("name"))) for one in near)
    raise BadInput("unit", words, f"a unit of the file, and words of its option: {examples}")


def find_option(group: Object, rest: str, words: str) -> Object:
    """The option whose name holds all words; the first where none are said."""
    options = objects(group, "options")
    fitting = [one for one in options if all(word in str(one.get("name", "")).casefold() for word in rest.split())]
    if rest and not fitting:
        names = ", ".join(shown(str(one.get("name", ""))) for one in options[:8])
        raise BadInput("unit", words, f"words of one of its options: {names}")
    return fitting[0] if fitting else {}


def named(data: Object, kind: str, number: object) -> str:
    """The name of an id in the filters; of a name itself, that name."""
    if isinstance(number, str):
        return number
    filters = data.get("filters")
    found = objects(filters, kind) if isinstance(filters, Mapping) else []
    return next((str(one.get("name", "")) for one in found if one.get("id") == number), "")


def skill_of(data: Object, one: Object) -> str:
    """``Mimetism (-3)``: a skill with its extras."""
    extras = one.get("extra")
    more = [named(data, "extras", number) for number in extras] if isinstance(extras, list) else []
    name = named(data, "skills", one.get("id"))
    return clean(" ".join([name, *(f"({extra})" for extra in more if extra)]))[:SKILL_LONGEST] if name else ""


def weapons_of(data: Object, number: object) -> Iterator[Weapon]:
    """Every mode of a weapon of the data that can be said."""
    for one in objects(data, "weapons"):
        if one.get("id") == number:
            try:
                yield weapons.parse(weapon_words(data, one), "file")
            except PlayerError:
                continue  # a mode with a save of its own, or without numbers: the trooper lacks it


def weapon_words(data: Object, one: Object) -> str:
    """A mode of a weapon in the words of ``weapon``."""
    mode = f" {one['mode']}" if one.get("mode") else ""
    name = clean(f"{one.get('name', '')}{mode}".replace(":", " ").replace(",", " "))[:NAME_MOST]
    parts = [f"B{one['burst']}"] if str(one.get("burst", "")).isdecimal() else []
    parts += [f"PS {one['damage']}"] if str(one.get("damage", "")).isdecimal() else []
    parts.append(ammunition(data, one.get("ammunition")))
    save = str(one.get("saving") or "none").replace(" and ", "+")
    parts.append("nosave" if save in ("none", "-") else save)
    count = str(one.get("savingNum", ""))
    if count.isdecimal() and save not in ("none", "-") and int(count) != usual_saves(parts[-2]):
        parts.append(f"saves {count}")
    properties = one.get("properties")
    for text in properties if isinstance(properties, list) else []:
        parts += [word for start, word in FLAGS.items() if str(text).casefold().startswith(start)]
        state = str(text).removeprefix("State:").split()
        parts += [f"state {state[0]}"] if str(text).startswith("State:") and state else []
    return f"{name}: {' '.join([*parts, *bands(one.get('distance'))])}"


def ammunition(data: Object, given: object) -> str:
    """The ammunition's name; ``N`` where the data says nothing."""
    found = (str(one.get("name", "")) for one in objects(data, "ammunitions") if one.get("id") == given)
    name = given if isinstance(given, str) else next(found, "")
    return name.replace(" ", "") or "N"


def usual_saves(ammo: str) -> int:
    """The Saving Rolls of a hit that ammunition asks for by itself."""
    return max((PER_HIT.get(one, 1) for one in Ammo if one.casefold() in ammo.casefold().split("+")), default=1)


def bands(distance: object) -> list[str]:
    """``+3@16``: range bands in inches, in the order of distance."""
    found = distance.values() if isinstance(distance, Mapping) else ()
    known = {
        int(one["max"]) * INCHES // CENTIMETRES: str(one.get("mod", "0"))
        for one in found
        if isinstance(one, Mapping) and isinstance(one.get("max"), int)
    }
    return [f"{known[inches]}@{inches}" for inches in sorted(known) if inches]
