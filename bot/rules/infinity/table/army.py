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

Distances are centimeters there, 5 of them for 2 inches; a skill's extra of the type DISTANCE is one too, and no MOD.
What a file leaves out, a trooper lacks. A skill that the table of skills lacks is kept under its name.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice, product
from typing import Any, Final

from bot.rules.data_tables import table
from bot.rules.errors import AtMost, BadInputError, PlayerError, quote_value
from bot.rules.infinity.dice import saves
from bot.rules.infinity.table.army_codes import MAX_LIST, ArmyList, ListMember, decode
from bot.rules.infinity.troopers import skills, states, trooper as troopers, weapon as weapons
from bot.rules.infinity.troopers.declared import Ammo, Weapon
from bot.rules.infinity.troopers.messages import TOLD
from bot.rules.infinity.troopers.trooper import with_states
from bot.rules.json_reader import parse_json
from bot.rules.name import MAX_NAME, clean, without_mentions
from bot.rules.text import N_, NOTHING, Count, Name, Names, Sentences, Text

INCHES: Final = 2
CENTIMETERS: Final = 5
MAX_FILE: Final = 2_000_000
"""Maximum characters of a file; the largest known army has half of that."""
MAX_POINTS: Final = 400
"""Points of the largest army, and so the maximum of a trooper."""
FLAGS: Final = dict(table("infinity/tables/properties.json", tuple[str, str]))
"""Weapon properties by prefix, and their word in ``weapon``; some files misspell one."""

CC_MOD: Final = re.compile(r"CC Attack \(([+-]\d)\)")
NUMBERED_TRAIT: Final = re.compile(r"(disposable|silent)\s*\(([1-9]|-[1-9])\)", re.IGNORECASE)
NESTED: Final = re.compile(r"[^();]*(?:\([^();]*\)[^();]*)*")
"""An extra with its own brackets: ``UPGRADE: Trinity (+1B)``."""
REPLACED: Final = re.compile(r"([A-Za-z]+)=(\d{1,2})")
"""An option may override an attribute of its profile: ``BS=12`` among its skills."""

Object = Mapping[str, Any]


def read(*texts: str) -> Object:
    """Parse army data of one or more files. Raises ``BadInputError`` for invalid data."""
    data: dict[str, Any] = {}
    for text in texts:
        if len(text) > MAX_FILE:
            raise BadInputError("file", Text("{count} characters", count=len(text)), AtMost(MAX_FILE))
        try:
            result = parse_json(text)
        except (ValueError, RecursionError):
            allowed = Text("Use army data in JSON, as exported by the official army builder.")
            raise BadInputError("file", text[:60], allowed) from None
        if not isinstance(result, Mapping):
            raise BadInputError("file", text[:60], Text("Use a JSON object with `units`, `filters`, and `weapons`."))
        data |= result
    if not objects(data, "units"):
        raise BadInputError("file", ", ".join(list(map(str, data))[:8]), Text("Use army data with a list of `units`."))
    return data


def merge_texts(*texts: str) -> str:
    """Return the part of army data needed by codes, as one text."""
    data = read(*texts)
    return json.dumps({part: data[part] for part in ("units", "filters", "weapons", "ammunitions") if part in data})


def read_trooper(words: str, name: str, *texts: str) -> troopers.Trooper:
    """Return the trooper of some words: a unit, then words of one of its options: ``Fusiliers HMG``. ``name``: its
    name, "" for the unit's. Raises ``BadInputError`` naming the nearest units or the unit's options.
    """
    data = read(*texts)
    unit, rest = find_unit(data, words)
    group = next(iter(objects(unit, "profileGroups")), {})
    return build_trooper(data, group, find_option(group, rest, words), name or str(unit.get("name", words)))


@dataclass(frozen=True, slots=True)
class ImportedList:
    """A list's troopers, and a sentence for each line that no data has.

    ``brought``: places of troopers that come with the one before. ``remarks`` for the player: another army's data,
    parsed improvements, the end of the code. ``instead``: lines with other options of skipped units, each with its
    name.
    """

    troopers: tuple[troopers.Trooper, ...]
    left_out: tuple[Text, ...] = ()
    remarks: tuple[Text, ...] = ()
    brought: frozenset[int] = frozenset()
    instead: tuple[tuple[ListMember, str], ...] = ()


def list_of(code: str | ArmyList) -> ArmyList:
    return code if isinstance(code, ArmyList) else decode(code)


def read_list(code: str | ArmyList, *texts: str, others: Mapping[str, str] = NOTHING) -> ImportedList:
    """Return the troopers of an army code or list, named by option; a missing line is named. ``others``: other armies'
    data by name, for units that this one lacks. Raises ``BadInputError`` if no data has any of them.
    """
    data, army_list = read(*texts), list_of(code)
    units, new = units_of(data), ListTroopers([], [], set())
    missing = dict[ListMember, Text]()
    for member in army_list.members:
        try:
            new.add(units, data, member)
        except MissingLineError as line:
            missing[member] = line.sentence
    for army, text in others.items() if any(member.unit not in units for member in missing) else ():
        theirs = read(text)
        held = units_of(theirs)
        for member in [member for member in missing if member.unit not in units and member.unit in held]:
            with suppress(MissingLineError):
                name = new.add(held, theirs, member)
                new.remarks.append(Text("{name} from the data of {army}", name=name, army=Name(army)))
                del missing[member]
    if not new.troopers:
        message = N_("Use units from the army data in the file. The list is for {army}: use that army's file.")
        first = army_list.members[0]
        given = Text("unit {unit}, option {option}", unit=first.unit, option=first.option)
        raise BadInputError("code", given, Text(message, army=quote_value(army_list.army)))
    if army_list.surplus:
        surplus = Count(army_list.surplus, "character", "characters")
        new.remarks.append(Text("read without the last {count}", count=surplus))
    if army_list.has_more:
        new.remarks.append(Text("the end of the code has a form that I don't know"))
    instead = tuple(line for member in missing for line in options_instead(units.get(member.unit, {}), member))
    left_out, remarks = tuple(missing.values()), tuple(new.remarks)
    return ImportedList(tuple(new.troopers), left_out, remarks, frozenset(new.brought), instead)


def options_instead(unit: Object, member: ListMember) -> Iterator[tuple[ListMember, str]]:
    """Yield lines with a unit's options, each with the unit's and its own name."""
    for group in ({**unit, "id": 0}, *objects(unit, "profileGroups")):  # the unit's own options have no group
        for option in objects(group, "options"):
            match group.get("id"), option.get("id"):
                case int(number), int(choice):
                    name = without_mentions(f"{unit.get('name')}: {option.get('name')}", MAX_LIST)
                    yield replace(member, group=number, option=choice, texts=()), name


def read_list_from(code: str | ArmyList, files: Mapping[str, str]) -> ImportedList | None:
    """Return a code's troopers from named files: units of the file with most of them, weapons of any. A file named
    after the army comes first. None if no file has any. Raises ``BadInputError`` for an invalid code.
    """
    army = list_of(code).army.casefold()
    names = sorted(files, key=lambda name: (army not in name.casefold(), name))
    with_units = [name for name in names if '"profileGroups"' in files[name]]
    others = [files[name] for name in names if name not in with_units]
    read = list[tuple[int, str]]()
    for name in with_units:
        with suppress(BadInputError):  # another army's
            imported = read_list(code, files[name], *others)
            if not imported.left_out:
                return imported
            read.append((len(imported.left_out), name))
    if not read:
        return None
    best = min(read, key=lambda item: item[0])[1]
    rest = {name: merge_texts(files[name], *others) for name in with_units if name != best}
    return read_list(code, files[best], *others, others=rest)


def units_of(data: Object) -> dict[int, Object]:
    return {unit["id"]: unit for unit in objects(data, "units") if isinstance(unit.get("id"), int)}


class MissingLineError(Exception):
    """A list's line that the data lacks, as a ``sentence``."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def build_trooper(data: Object, group: Object, option: Object, name: str) -> troopers.Trooper:
    """Return an option's trooper; a group's first profile is the initial one."""
    profile = next(iter(objects(group, "profiles")), {})
    kind = lookup_name(data, "type", profile.get("type")).upper()
    parts = product(("equip", "skills"), (profile, option))
    result = [skill for key, part in parts for skill in skills_of(data, part, key)]
    own = [skill for skill in result if not REPLACED.fullmatch(skill)]
    names = {skills.parse_skill(skill).name for skill in own}
    own += [skill for skill in order_skills(option) if skill not in names]
    held = [item for part in (profile, option) for item in objects(part, "weapons")]
    arms = {arm.name.casefold(): arm for item in held for arm in weapons_of(data, item)}
    return troopers.Trooper(
        clean(shorten_name(re.sub(r"[,;:/]+", " ", name))),
        stats_of(profile, result),
        kind if kind in troopers.TYPES else "",
        tuple(dict.fromkeys(own))[: troopers.MAX_SKILLS],
        tuple(arms.values())[: troopers.MAX_WEAPONS],
        points=cost if isinstance(cost := option.get("points"), int) and 0 < cost <= MAX_POINTS else 0,
    )


ORDER_SKILLS: Final = {"IRREGULAR": "Irregular", "TACTICAL": "Tactical Awareness", "IMPETUOUS": "Impetuous"}
"""Skills by kinds of orders in the data."""


def order_skills(option: Object) -> list[str]:
    """Return the skills implied by an option's orders; without orders it is a Peripheral."""
    given = option.get("orders")
    kinds = {order.get("type") for order in objects(option, "orders") if order.get("list", 1)}
    none = [PERIPHERAL] if isinstance(given, list) and not given else []
    return [*none, *(skill for kind, skill in ORDER_SKILLS.items() if kind in kinds)]


def stats_of(profile: Object, result: Sequence[str]) -> dict[str, int]:
    """Return a profile's or option's stats, without those outside the limits."""
    keys = {label: label.lower() for label in ("BS", "CC", "PH", "WIP", "ARM", "BTS")}
    keys["STR" if profile.get("str") else "W"] = "w"
    stats = {label: number for label, key in keys.items() if isinstance(number := profile.get(key), int)}
    stats |= {match[1].upper(): int(match[2]) for match in map(REPLACED.fullmatch, result) if match}
    limits = {label: troopers.STATS[label] for label in stats if label in troopers.STATS}
    return {label: max(least, min(stats[label], most)) for label, (least, most) in limits.items()}


# Lists


def enlist(held: troopers.Roster, new: Sequence[troopers.Trooper]) -> troopers.Changes:
    """Add a list's troopers to the channel, namesakes numbered. Raises ``PlayerError`` without room for all."""
    room = troopers.MAX_TROOPERS - len(held)
    if len(new) > room:
        raise PlayerError(Text(TOLD["room", "list"], troopers=Count(len(new), "trooper", "troopers"), room=room))
    coming: dict[str, troopers.Trooper | None] = {}
    for trooper in new:
        alike, taken = [other for other in new if troopers.is_same_name(trooper.name, other.name)], [*held, *coming]
        name = name_for(trooper.name, difference(trooper, alike), taken, several=len(alike) > 1)
        coming[name] = replace(trooper, name=Name(name))
    return coming


def difference(trooper: troopers.Trooper, alike: Sequence[troopers.Trooper]) -> str:
    """Return a skill or weapon that distinguishes a trooper from its namesakes; "" for none. Never a secret skill:
    names are public.
    """
    open_ = (held.text for held in trooper.parsed_skills if held.name not in troopers.PRIVATE)
    own = [*open_, *(weapon.name for weapon in trooper.weapons)]
    every = [{*other.skills, *(weapon.name for weapon in other.weapons)} for other in alike]
    return next((name for name in own if not all(name in names for names in every)), "")


def name_for(name: str, apart: str, taken: Sequence[str], *, several: bool) -> str:
    """Return ``Fennec``, or ``Fennec #1 (Hacker)``, ``Fennec #2`` if there are several."""
    if not several and not any(troopers.is_same_name(name, other) for other in taken):
        return name
    apart = whole_words(re.sub(r"[():,;/]+", " ", apart), MAX_APART)
    said = f" ({apart})" if apart and "(" not in name else ""
    base = whole_words(name, MAX_NAME - len(said) - MAX_NUMBER)
    numbered = map(troopers.NUMBERED.fullmatch, taken)
    used = {match["number"] for match in numbered if match and troopers.is_same_name(match["base"], base)}
    number = next(number for number in range(1, 2 * troopers.MAX_TROOPERS + 2) if str(number) not in used)
    return f"{base} #{number}{said}"


def shorten_name(name: str) -> str:
    """Shorten a name to whole words that fit; a cut bracket is closed."""
    cut = whole_words(name, MAX_NAME)
    return f"{whole_words(cut, MAX_NAME - 1)})" if cut.count("(") > cut.count(")") else cut


def whole_words(text: str, most: int) -> str:
    """Return the whole words that fit, or the start of a long first word."""
    words = text.split()
    while len(words) > 1 and len(" ".join(words)) > most:
        words.pop()
    return " ".join(words)[:most]


MAX_NUMBER: Final = 4
"""Maximum characters of `` #12``, with its space."""
MAX_APART: Final = 14
"""Maximum characters of a distinguishing suffix: a name has 32."""


@dataclass(slots=True)
class ListTroopers:
    """Parsed troopers of a list so far, with remarks as in ``ImportedList``."""

    troopers: list[troopers.Trooper]
    remarks: list[Text]
    brought: set[int]

    def add(self, units: Mapping[Any, Object], data: Object, member: ListMember) -> Name:
        """Add a line's troopers, named by option, and those that come with them; return the first name. Several if the
        unit itself is the option. Raises ``MissingLineError`` if the data lacks it.
        """
        unit = units.get(member.unit)
        if unit is None:
            message = N_("unit {unit}, option {option}: not in this data (a newer list, or a missing file)")
            raise MissingLineError(Text(message, unit=member.unit, option=member.option))
        lines: list[Object] = [{"group": member.group, "option": member.option}]
        if member.group == 0:
            lines = list(included_lines(option_of(unit, member.option) or {}))
        found = [found_line(unit, line) for line in lines]
        if not found or None in found:
            raise MissingLineError(missing_option(unit, member))
        first = len(self.troopers)
        for group, option in filter(None, found):
            self.troopers.append(build_member(data, unit, group, option))
            for line in filter(None, (found_line(unit, line) for line in included_lines(option))):
                self.brought.add(len(self.troopers))
                self.troopers.append(brought_along(build_member(data, unit, *line), line[1]))
        for place in range(first, len(self.troopers)):
            trooper = replace(self.troopers[place], group=member.combat)
            self.troopers[place] = with_states(trooper, (states.OFF_TABLE,)) if member.reserve else trooper
        leader, said = with_spec_ops(data, self.troopers[first], member.texts)
        self.troopers[first] = leader
        if said:
            message = N_("{name} has improvements: {what}. Correct its profile if they're wrong")
            self.remarks.append(Text(message, name=leader.name, what=Name(", ".join(said))))
        return leader.name


def missing_option(unit: Object, member: ListMember) -> Text:
    parts = [unit, *objects(unit, "profileGroups")]
    names = dict.fromkeys(str(option.get("name")) for part in parts for option in objects(part, "options"))
    return Text(
        "{unit}, option {option}: not in this data, which has {names}",
        unit=without_mentions(str(unit.get("name") or member.unit), MAX_NAME),
        option=member.option,
        names=Names([without_mentions(name, MAX_NAME) for name in islice(names, MAX_NAMED)]),
    )


MAX_NAMED: Final = 8
"""Maximum options listed when one is missing."""


def included_lines(option: Object) -> Iterator[Object]:
    """Yield an option's ``includes``, each as often as stated, limited to the available room."""
    lines = (line for line in objects(option, "includes") for _ in range(copies(line)))
    yield from islice(lines, troopers.MAX_TROOPERS)


def copies(line: Object) -> int:
    number = line.get("q")
    return min(max(number, 1), troopers.MAX_TROOPERS) if isinstance(number, int) else 1


def found_line(unit: Object, line: Object) -> tuple[Object, Object] | None:
    """Return a line's profile group and option; if the group is unknown, the only one with that option."""
    groups, option = objects(unit, "profileGroups"), line.get("option")
    known = [item for item in groups if item.get("id") == line.get("group")]
    known = known or [item for item in groups if option_of(item, option)]
    result = option_of(known[0], option) if len(known) == 1 else None
    return None if result is None else (known[0], result)


def build_member(data: Object, unit: Object, group: Object, option: Object) -> troopers.Trooper:
    name = str(option.get("name") or unit.get("name") or f"Unit {unit.get('id')}")
    return build_trooper(data, group, option, name)


def brought_along(trooper: troopers.Trooper, option: Object) -> troopers.Trooper:
    """Return an included trooper: a pilot gives orders, but is off the table until it gets out."""
    if objects(option, "orders"):
        return with_states(trooper, (states.OFF_TABLE,))
    return trooper if trooper.has(PERIPHERAL) else replace(trooper, skills=(*trooper.skills, PERIPHERAL))


PERIPHERAL: Final = "Peripheral"
"""The skill of a trooper without an order."""


def option_of(held: Object, number: object) -> Object | None:
    return next((option for option in objects(held, "options") if option.get("id") == number), None)


def with_spec_ops(
    data: Object, trooper: troopers.Trooper, texts: Sequence[str]
) -> tuple[troopers.Trooper, Sequence[str]]:
    """Return a Spec-Ops trooper with its improvements (attributes, skills, weapons; unknown ones as skills), and a
    description of them.
    """
    stats, held, arms, said = dict(trooper.stats), list(trooper.skills), list(trooper.weapons), list[str]()
    for text in texts:
        with suppress(ValueError):
            for more in objects({"all": parse_json(text)}, "all"):
                kind, number, label = more.get("type"), more.get("q"), str(more.get("stat", "")).upper()
                new_arms = list(weapons_of(data, more)) if kind == "weapon" else []
                new_skills = skills_of(data, {"skills": [more]}, "skills") if kind == "skill" else []
                new_skills += [] if kind in ("stat", "skill", "weapon") else [troopers.clean_skill(str(kind))]
                if kind == "stat" and isinstance(number, int):
                    if label in troopers.STATS:
                        least, most = troopers.STATS[label]
                        number = stats[label] = max(least, min(most, stats.get(label, 0) + number))
                    said.append(f"{without_mentions(label, MAX_NAME)} {number}")
                held, arms = [*held, *new_skills], [*arms, *new_arms]
                said += [*new_skills, *(arm.name for arm in new_arms)]
    arms = list({arm.name.casefold(): arm for arm in arms}.values())[: troopers.MAX_WEAPONS]
    improved = replace(trooper, stats=stats, skills=tuple(dict.fromkeys(held))[: troopers.MAX_SKILLS])
    return replace(improved, weapons=tuple(arms)), said


# Parts of the data


def objects(data: Object, key: str) -> Sequence[Object]:
    result = data.get(key)
    return [item for item in result if isinstance(item, Mapping)] if isinstance(result, list) else []


def find_unit(data: Object, words: str) -> tuple[Object, str]:
    asked = " ".join(words.split()).casefold()
    units = {" ".join(str(unit.get("name", "")).split()).casefold(): unit for unit in objects(data, "units")}
    for name in sorted(filter(None, units), key=len, reverse=True):
        if asked == name or asked.startswith(f"{name} "):
            return units[name], asked[len(name) :].strip()
    near = get_close_matches(asked, units, n=3, cutoff=0.5) or sorted(units)[:5]
    examples = Sentences((quote_value(str(units[item].get("name"))) for item in near), ", ")
    allowed = Text("Use a unit from the file and words from its option: {examples}.", examples=examples)
    raise BadInputError("unit", words, allowed)


def find_option(group: Object, rest: str, words: str) -> Object:
    """Return the option whose name has all words; the first without words."""
    options = objects(group, "options")
    named = ((option, str(option.get("name", "")).casefold()) for option in options)
    fitting = [option for option, name in named if all(word in name for word in rest.split())]
    if rest and not fitting:
        names = Sentences((quote_value(str(option.get("name", ""))) for option in options[:8]), ", ")
        raise BadInputError("unit", words, Text("Use words from one of its options: {names}.", names=names))
    return fitting[0] if fitting else {}


def lookup_name(data: Object, kind: str, number: object) -> str:
    """Return the name of an id in the filters; a name is returned unchanged."""
    return number if isinstance(number, str) else str(row_of(data, kind, number).get("name", ""))


def row_of(data: Object, kind: str, number: object) -> Object:
    filters = data.get("filters")
    rows = objects(filters, kind) if isinstance(filters, Mapping) else []
    return next((row for row in rows if row.get("id") == number), {})


def skills_of(data: Object, part: Object, key: str) -> list[str]:
    """Return a profile's or option's skills or equipment with extras: ``Mimetism (-3)``."""
    result: list[str] = []
    for item in objects(part, key):
        name = without_mentions(re.sub(r'[,;"]+', " ", lookup_name(data, key, item.get("id"))), troopers.SKILL_LONGEST)
        more = "".join(f" ({extra})" for extra in extras_of(data, item))
        known = skills.read(name + more)
        result += [known.text if known else troopers.clean_skill(name + more)] if name else []
    return result


def extras_of(data: Object, item: Object) -> list[str]:
    """Return extras: ``-3``, ``+1B``, ``PS=6``; a distance in inches: ``+2"``."""
    extras = item.get("extra")
    result = [extra_of(data, number) for number in extras] if isinstance(extras, list) else []
    bare = (extra if NESTED.fullmatch(extra) else re.sub(r"[(),;]+", " ", extra) for extra in result if extra)
    return [without_mentions(extra, troopers.SKILL_LONGEST) for extra in bare]


def extra_of(data: Object, number: object) -> str:
    row = row_of(data, "extras", number)
    name = str(row.get("name", number if isinstance(number, str) else ""))
    if row.get("type") != "DISTANCE" or not (match := re.fullmatch(r"([+-]?)(\d+(?:\.\d+)?)", name)):
        return name
    return f'{match[1]}{float(match[2]) * INCHES / CENTIMETERS:g}"'


def weapons_of(data: Object, held: Object) -> Iterator[Weapon]:
    """Yield the modes of a trooper's weapon with extras, as far as they can be parsed."""
    for item in objects(data, "weapons"):
        if item.get("id") == held.get("id"):
            name, _, said = weapon_words(data, item).partition(": ")
            result: dict[str, Any] = {"bands": ()}
            for words in re.findall(r"(?:PS|saves|state) \S+|\S+", said):
                with suppress(PlayerError):
                    weapons.read_word(words.split(), result, "file")
            yield weapons.with_extras(replace(weapons.parse(f"{name}:", "file"), **result), extras_of(data, held))


def weapon_words(data: Object, item: Object) -> str:
    mode = f" {item['mode']}" if item.get("mode") else ""
    properties = item.get("properties")
    texts = list(map(str, properties if isinstance(properties, list) else []))
    fights = [match[1] for match in filter(None, map(CC_MOD.fullmatch, texts)) if not item.get("distance")]
    more = "".join(f" ({mod})" for mod in fights)
    full = re.sub(r"[:,;]+", " ", f"{item.get('name') or 'Weapon'}{mode}{more}")
    name = without_mentions(whole_words(full, weapons.NAME_LONGEST - 12), weapons.NAME_LONGEST - 12)
    parts = [f"B{item['burst']}"] if str(item.get("burst")) in [*"123456"] else []
    parts += [f"PS {item['damage']}"] if str(item.get("damage", "")).isdecimal() else []
    parts.append(ammunition(data, item.get("ammunition")))
    parts += save_words(item, parts[-1])
    parts += [word for text in texts for word in property_words(text)] + ["CC"] * bool(fights)
    if any(text.casefold().startswith("comms. attack") for text in texts) and "CC" not in parts:
        parts.append("comms" if "direct" in parts else "hack")
    return f"{name}: {' '.join([*parts, *bands(item.get('distance'))])}"


def save_words(item: Object, ammunition: str) -> list[str]:
    """Return the saving attribute, and a hit's saves if its ammunition has another number."""
    save, count = str(item.get("saving") or "none").replace(" and ", "+"), str(item.get("savingNum", ""))
    ammo = ammunition.casefold().split("+")
    usual = max((saves.PER_HIT.get(one, 1) for one in Ammo if one.casefold() in ammo), default=1)
    differs = count.isdecimal() and save not in ("none", "-") and int(count) != usual
    return ["nosave" if save in ("none", "-", "*") else save, *([f"saves {count}"] if differs else [])]


def property_words(text: str) -> list[str]:
    words = [word for start, word in FLAGS.items() if text.casefold().startswith(start)]
    words += ["CC"] if text == "CC" else []
    if numbered := NUMBERED_TRAIT.match(text):
        words.append(f"{numbered[1]}({numbered[2]})")
    elif text.casefold().startswith("disposable"):
        words.append("disposable")
    return [*words, *([f"state {state}"] if (state := state_of(text)) else [])]


def state_of(text: str) -> str:
    """Return the state of a property like ``State: IMM-A`` in our spelling; "" for another."""
    words = text.removeprefix("State:").replace("/", " ").split() if text.startswith("State:") else []
    near = (get_close_matches(word.casefold(), states.BY_NAME, n=1, cutoff=0.85) for word in words)
    return "/".join(states.BY_NAME[match[0]].name if match else word for word, match in zip(words, near, strict=True))


def ammunition(data: Object, given: object) -> str:
    """Return the ammunition's name, default ``N``."""
    result = (str(item.get("name", "")) for item in objects(data, "ammunitions") if item.get("id") == given)
    name = given if isinstance(given, str) else next(result, "")
    return name.replace(" ", "") or "N"


def bands(distance: object) -> list[str]:
    """Return range bands in inches by distance: ``+3@16``."""
    result = distance.values() if isinstance(distance, Mapping) else ()
    far = (item for item in result if isinstance(item, Mapping) and isinstance(item.get("max"), int))
    known = {int(item["max"]) * INCHES // CENTIMETERS: str(item.get("mod", "0")) for item in far}
    return [f"{known[inches]}@{inches}" for inches in sorted(known) if inches]
