"""Imports data in the form of xwing-data2 as a checked card set, written like the files of this package.

A document is a ship with its pilots, or a list of upgrades; others are skipped. Card texts are parsed for a weapon's
requirements and costs, which are nowhere else, and not stored.

Source: https://github.com/xwingtmg/xwing-data2, ``data/pilots`` and ``data/upgrades``.
"""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from bot.rules.errors import BadInputError, BadTextError, Collector
from bot.rules.json_reader import JsonReader
from bot.rules.text import N_, Code, Text
from bot.rules.xwing.cards.card_sets import AUTOMATIC, DATE, KEY, Card, CardSet, Pool
from bot.rules.xwing.cards.cards import ARCS, FACTIONS, MAX_INITIATIVE, SIZES
from bot.rules.xwing.dice.declared import MAX_HULL, MAX_POOL
from bot.rules.xwing.dice.tokens import MAX_HELD

Documents = Mapping[str, object]
"""Values of JSON files by their names."""


# The files: a repository's ZIP file, or one JSON file

MAX_BYTES: Final = 40_000_000
"""Maximum size of all files together; the data of 2025 have 4 million bytes."""
MAX_FILES: Final = 2_000
MAX_RATIO: Final = 100
"""Maximum ratio of unpacked to packed size; the data of 2025 have 9 to 1, the worst deflate 1,030."""
PLAIN: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Allowed compression methods. Others may unpack 1,000,000 to 1, and no tool uses them by default."""
BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError)
"""Errors that ``zipfile`` raises for a broken, encrypted, or unusual archive."""


def from_bytes(name: str, content: bytes) -> Documents:
    """Return the JSON values of a ZIP file, or of one JSON file. Raises ``PlayerError``."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return read_all(iter([(name, content)]))
    return read_all(zip_files(name, content))


def zip_files(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the JSON files of an archive. Raises ``BadTextError`` if it is broken or too large. Declared sizes are
    checked before unpacking, and no file unpacks to more than it declares.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [item for item in archive.infolist() if item.filename.endswith(".json")]
            check_sizes(name, entries, len(content))
            for entry in entries:
                with archive.open(entry) as file:
                    yield entry.filename, file.read(entry.file_size)
    except BROKEN as error:
        raise BadTextError(Text("{file} can't be unpacked. Send it as a plain ZIP file.", file=Code(name))) from error


def check_sizes(name: str, entries: Sequence[zipfile.ZipInfo], packed: int) -> None:
    """Raise ``BadTextError`` for too many or too large files, or unusual compression."""
    size = sum(entry.file_size for entry in entries)
    if len(entries) > MAX_FILES:
        raise BadTextError(Text("That's more than {most} files. Send fewer.", most=MAX_FILES))
    if any(entry.compress_type not in PLAIN for entry in entries) or size > MAX_RATIO * packed:
        raise BadTextError(Text("{file} can't be unpacked. Send it as a plain ZIP file.", file=Code(name)))
    check_size(size)


def check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise BadTextError(Text("That's more than {most} MB of data. Send less.", most=MAX_BYTES // 1_000_000))


def read_all(files: Iterator[tuple[str, bytes]]) -> Documents:
    """Return each file as a JSON value. Raises ``BadTextError`` for too much, ``BadInputError`` naming the bad file."""
    result: dict[str, object] = {}
    size = 0
    for name, content in files:
        size += len(content)
        check_size(size)
        try:
            result[name] = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise BadInputError(name, None, Text("Use JSON in UTF-8.")) from error
    return result


# The cards in them

ID: Final = re.compile(r"[a-z0-9][a-z0-9-]*")
MAX_ID: Final = 100
MAX_NAMES: Final = 300
"""Maximum characters of names in the data."""
MAX_NAME: Final = 80
MAX_REACH: Final = 5
MAX_GAIN: Final = 9
MAX_CARDS: Final = 2_000
"""Maximum pilots and upgrades, and maximum ships; fewer than 1,400 were ever printed."""
MAX_ENERGY: Final = 20
BY_HAND: Final = ("turns", "only", "energy", "remote_stats")
"""Fields of an upgrade that only our data have: ``data/README.md``."""
NEEDS: Final = re.compile(r"Attack:? ?[\[(]+((?:\[?(?:Focus|Calculate|Lock|Evade)\]?(?:,? or |, )?)+)[\])]+", re.I)
COSTS: Final = re.compile(r"Attack[^.]*?: ?Spend ([1-9]) \[?Charge", re.I)
TOKEN: Final = re.compile(r"focus|calculate|lock|evade", re.I)


def imported(documents: Documents, key: str, as_of: str, sets: Mapping[Pool, CardSet]) -> str:
    """Return a new set's file. Missing data come from the set in ``sets`` that shares the most pilots. Raises
    ``PlayerError`` with all errors, ``BadTextError`` without pilots.
    """
    if not KEY.fullmatch(key) or key == AUTOMATIC:
        raise BadInputError("set", key, Text("Use 1 to 20 lowercase letters, digits, and hyphens, as in `club`."))
    if not DATE.fullmatch(as_of):
        raise BadInputError("as-of", as_of, Text("Use a date like `2026-08-01`."))
    with Collector() as wrong:
        imported = ImportedCards(wrong)
        for name, document in documents.items():
            try:
                imported.document(name, document)
            except RecursionError:
                allowed = Text("Use data in xwing-data2 format, which is nested less deeply.")
                raise BadInputError(name, None, allowed) from None
            imported.check_count()
    if not imported.pilots:
        message = N_("I can't find any pilots here. Name the folder or file with data in xwing-data2 format.")
        raise BadTextError(Text(message))
    like = max(sets.values(), key=lambda card_set: len(imported.pilots.keys() & card_set.pilots.keys()))
    return write_card_set(imported, key, as_of, like)


class ImportedCards:
    """The cards of some documents; errors go to ``wrong``, and their cards are left out."""

    def __init__(self, wrong: Collector) -> None:
        self._wrong = wrong
        self.ships: dict[str, Card] = {}
        self.pilots: dict[str, Card] = {}
        self.upgrades: dict[str, Card] = {}

    def document(self, name: str, document: object) -> None:
        """Add a document's cards; one of another form has none."""
        if isinstance(document, Mapping) and {"pilots", "stats", "faction"} <= document.keys():
            with self._wrong.collect():
                self._ship(JsonReader(document, name))
        elif isinstance(document, Mapping) and "sides" in document:
            with self._wrong.collect():
                reader = JsonReader(document, name)
                self._add(self.upgrades, reader, read_upgrade(reader))
        elif isinstance(document, Mapping):
            self._parts(name, ((f": {key}", part) for key, part in document.items()))
        elif isinstance(document, list):
            self._parts(name, ((f"[{place}]", part) for place, part in enumerate(document)))

    def _parts(self, name: str, parts: Iterable[tuple[str, object]]) -> None:
        for further, part in parts:
            if isinstance(part, list | Mapping):
                self.document((name + further)[:MAX_NAMES], part)

    def check_count(self) -> None:
        """Raise ``BadTextError`` for more cards than a set may have."""
        if max(len(self.ships), len(self.pilots) + len(self.upgrades)) > MAX_CARDS:
            raise BadTextError(Text("That's more than {most} cards. Send fewer.", most=MAX_CARDS))

    def _ship(self, reader: JsonReader) -> None:
        id_, faction = read_id(reader), reader.word("faction", tuple(FACTIONS))
        ship = {"name": read_name(reader), "size": reader.word("size", SIZES), **read_stats(reader, "stats")}
        if self.ships.setdefault(id_, ship) != ship:
            raise BadInputError(reader.name("xws"), id_, Text("Another file has this ship with different numbers."))
        for place, raw in enumerate(reader.items("pilots", MAX_CARDS)):
            with self._wrong.collect():
                pilot = JsonReader(raw, f"{reader.name('pilots')}[{place}]")
                self._add(self.pilots, pilot, read_pilot(pilot, id_, faction))

    def _add(self, cards: dict[str, Card], reader: JsonReader, card: Card) -> None:
        id_ = read_id(reader)
        if id_ in cards:
            raise BadInputError(reader.name("xws"), id_, Text("Each id can appear only once."))
        cards[id_] = card


def read_id(reader: JsonReader) -> str:
    id_ = reader.text("xws", MAX_ID)
    if not ID.fullmatch(id_):
        allowed = Text("Use lowercase letters, digits, and hyphens.")
        raise BadInputError(reader.name("xws"), reader.take_raw("xws"), allowed)
    return id_


def read_name(reader: JsonReader) -> str:
    name = " ".join(reader.text("name", MAX_NAME).split())
    if not name:
        raise BadInputError(reader.name("name"), reader.take_raw("name"), Text("Use the name on the card."))
    return name


def read_stats(reader: JsonReader, key: str) -> dict[str, Any]:
    """Parse a ship's stats: ``[{"type": "attack", "arc": "Front Arc", "value": 3}, {"type": "hull", ...}]``."""
    result: dict[str, Any] = {"attacks": [], "agility": 0, "hull": 0, "shields": 0}
    for place, raw in enumerate(reader.items(key, 20)):
        stat = JsonReader(raw, f"{reader.name(key)}[{place}]")
        kind = stat.word("type", ("attack", "agility", "hull", "shields", "energy"))
        if kind == "attack":
            result["attacks"].append([stat.word("arc", tuple(ARCS)), stat.take_whole_number("value", 0, MAX_POOL)])
        elif kind == "energy":
            result["energy"] = [stat.take_whole_number("value", 0, MAX_ENERGY), recovers(stat)]
        else:
            result[kind] = stat.take_whole_number("value", 0, MAX_POOL if kind == "agility" else MAX_HULL)
            if kind == "shields" and recovers(stat):
                result["shields_recover"] = recovers(stat)
    if not result["hull"]:
        raise BadInputError(reader.name(key), None, Text("Give the ship hull."))
    return result


def recovers(reader: JsonReader) -> int:
    return reader.take_whole_number("recovers", -MAX_HELD, MAX_HELD, 0)


def read_charges(reader: JsonReader) -> dict[str, list[int]]:
    result = {}
    for key in ("charges", "force"):
        if reader.has(key):
            part = reader.take_object(key)
            result[key] = [part.take_whole_number("value", 0, MAX_HELD), recovers(part)]
    return result


def read_pilot(reader: JsonReader, ship: str, faction: str) -> dict[str, Any]:
    card: dict[str, Any] = {
        "name": read_name(reader),
        "ship": ship,
        "faction": faction,
        "initiative": reader.take_whole_number("initiative", 0, MAX_INITIATIVE),
        "limited": reader.take_whole_number("limited", 0, MAX_GAIN, 0),
        **read_charges(reader),
    }
    if caption := " ".join(reader.text("caption", MAX_NAME).split()):
        card["caption"] = caption
    if reader.has("shipAbility"):
        card["ability"] = read_name(reader.take_object("shipAbility"))
    if reader.has("shipStats"):
        card["stats"] = read_stats(reader, "shipStats")
    if reader.has("engagement"):
        card["engagement"] = reader.take_whole_number("engagement", 0, MAX_INITIATIVE)
    if loadout := reader.items("standardLoadout", 20):
        card["upgrades"] = [str(item)[:MAX_ID] for item in loadout]
    return card


def read_upgrade(reader: JsonReader) -> dict[str, Any]:
    sides = [JsonReader(raw, f"{reader.name('sides')}[{n}]") for n, raw in enumerate(reader.items("sides", 4))]
    if not sides:
        raise BadInputError(reader.name("sides"), None, Text("Give the card a side."))
    side = sides[0]
    slots = [str(item).lower()[:MAX_ID] for item in side.items("slots", 9)] or [side.text("type", MAX_ID).lower()]
    card: dict[str, Any] = {"name": read_name(reader), "slot": slots[0], **read_charges(side), **read_grants(side)}
    if len(slots) > 1:
        card["slots"] = slots
    if side.has("attack"):
        card["attack"] = read_weapon(side.take_object("attack"), side.text("ability", 10_000))
    if side.has("device"):
        card["remote" if side.take_object("device").text("type", MAX_ID) == "Remote" else "device"] = True
    return card


def read_grants(side: JsonReader) -> dict[str, dict[str, int]]:
    """Return what the card adds to its ship's numbers."""
    stats: dict[str, int] = {}
    for place, raw in enumerate(side.items("grants", 20)):
        grant = JsonReader(raw, f"{side.name('grants')}[{place}]")
        if grant.take_raw("type") == "stat":
            kind = grant.word("value", ("attack", "agility", "hull", "shields", "energy"))
            stats[kind] = stats.get(kind, 0) + grant.take_whole_number("amount", -MAX_GAIN, MAX_GAIN)
    return {"stats": stats} if stats else {}


def read_weapon(attack: JsonReader, text: str) -> dict[str, Any]:
    """Parse a weapon; ``text``: its card's, with requirements and costs."""
    needs = NEEDS.search(text)
    cost = COSTS.search(text)
    weapon: dict[str, Any] = {
        "arc": attack.word("arc", tuple(ARCS)),
        "value": attack.take_whole_number("value", 0, MAX_POOL),
        "min": attack.take_whole_number("minrange", 0, MAX_REACH),
        "max": attack.take_whole_number("maxrange", 0, MAX_REACH),
        "ordnance": attack.flag("ordnance"),
        "needs": sorted(item.lower() for item in TOKEN.findall(needs[1])) if needs else [],
        "any": bool(needs and " or " in needs[1].lower()),
        "spends_charges": int(cost[1]) if cost else 0,
    }
    if weapon["min"] > weapon["max"]:
        raise BadInputError(attack.name("minrange"), weapon["min"], Text("Use at most the farthest range."))
    return weapon


def write_card_set(imported: ImportedCards, key: str, as_of: str, like: CardSet) -> str:
    # Upgrades of standard loadouts only come from ``like``; unknown ones are dropped.
    named_there = {item for pilot in imported.pilots.values() for item in pilot.get("upgrades", ())}
    upgrades = {item: like.upgrades[item] for item in named_there - set(imported.upgrades) if item in like.upgrades}
    upgrades |= {id_: with_own_data(id_, item, like) for id_, item in imported.upgrades.items()}
    pilots = dict(imported.pilots)
    for id_, card in imported.pilots.items():
        if "upgrades" in card:
            pilots[id_] = {**card, "upgrades": [item for item in card["upgrades"] if item in upgrades]}
    known = {*imported.ships, *pilots, *upgrades}
    aliases = {alias: id_ for alias, id_ in like.aliases.items() if id_ in known and alias not in known}
    parts: dict[str, Mapping[str, object]] = {"set": {"key": key, "as_of": as_of, "pool": like.pool}}
    parts |= {"ships": imported.ships, "pilots": pilots, "upgrades": upgrades, "aliases": aliases}
    return "{\n" + ",\n".join(f" {json.dumps(name)}: {lines(part)}" for name, part in parts.items()) + "\n}\n"


def lines(part: Mapping[str, object]) -> str:
    entries = (f"  {json.dumps(id_)}: {json.dumps(part[id_], ensure_ascii=False)}" for id_ in sorted(part))
    return "{\n" + ",\n".join(entries) + "\n }"


def with_own_data(id_: str, card: Card, like: CardSet) -> Card:
    """Add our own data to an upgrade, unless they change a weapon."""
    said = {field: like.upgrades[id_][field] for field in BY_HAND if field in like.upgrades.get(id_, {})}
    kept = {field: value for field, value in card.items() if field != "attack" or "turns" not in said}
    return {**kept, **said}
