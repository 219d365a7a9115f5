"""A card set from data in the form of xwing-data2, checked, as a file of this package has it.

A document of that form is a ship with its pilots, or a list of upgrades; others are left out. Card texts are read for
what a weapon needs and costs, which stands nowhere else, and not kept.

Source: https://github.com/xwingtmg/xwing-data2, ``data/pilots`` and ``data/upgrades``.
"""

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from bot.rules.errors import BadInput, BadText, Collector
from bot.rules.reading import Reader
from bot.rules.text import Code, Text
from bot.rules.xwing.cards.card_sets import AUTOMATIC, DATE, KEY, Card, CardSet, Pool
from bot.rules.xwing.cards.cards import ARCS, FACTIONS, INITIATIVE_MOST, SIZES
from bot.rules.xwing.dice.declared import HULL_MOST, POOL_MOST
from bot.rules.xwing.dice.tokens import HELD_MOST

Documents = Mapping[str, object]
"""Values of JSON files by their names."""


# The files as people have them: a ZIP file of a repository, or one JSON file

BYTES_MOST: Final = 40_000_000
"""Of all files together; the data of 2025 have 4 million."""
FILES_MOST: Final = 2_000
RATIO_MOST: Final = 100
"""So many times as large as the archive its files may be; the data of 2025 pack 9 to 1, the worst deflate 1,030."""
PLAIN: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How files may be packed. The other ways unpack 1,000,000 to 1, and nobody's tool uses them unasked."""
BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError)
"""What ``zipfile`` raises for an archive that is broken, locked or packed oddly."""


def from_bytes(name: str, content: bytes) -> Documents:
    """The JSON values of a ZIP file, or of one JSON file. Raises ``PlayerError``."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return read_all(iter([(name, content)]))
    return read_all(zip_files(name, content))


def zip_files(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """The JSON files of an archive. Raises ``BadText`` for one that is broken or holds too much.

    What it says of itself is asked before anything is unpacked, and no file unpacks to more than was said of it.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [one for one in archive.infolist() if one.filename.endswith(".json")]
            check_sizes(name, entries, len(content))
            for entry in entries:
                with archive.open(entry) as file:
                    yield entry.filename, file.read(entry.file_size)
    except BROKEN as error:
        raise BadText(Text("{file} cannot be unpacked. Send it as a plain ZIP file.", file=Code(name))) from error


def check_sizes(name: str, entries: Sequence[zipfile.ZipInfo], packed: int) -> None:
    """Raises ``BadText`` for too many files, too much in them, or other than the common ways to pack them."""
    size = sum(one.file_size for one in entries)
    if len(entries) > FILES_MOST:
        raise BadText(Text("That is more than {most} files. Send less.", most=FILES_MOST))
    if any(one.compress_type not in PLAIN for one in entries) or size > RATIO_MOST * packed:
        raise BadText(Text("{file} cannot be unpacked. Send it as a plain ZIP file.", file=Code(name)))
    check_size(size)


def check_size(size: int) -> None:
    if size > BYTES_MOST:
        raise BadText(Text("That is more than {most} MB of data. Send less.", most=BYTES_MOST // 1_000_000))


def read_all(files: Iterator[tuple[str, bytes]]) -> Documents:
    """Each file as a JSON value. Raises ``BadText`` for too much, ``BadInput`` naming a file that is no JSON."""
    found: dict[str, object] = {}
    size = 0
    for name, content in files:
        size += len(content)
        check_size(size)
        try:
            found[name] = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise BadInput(name, None, Text("Use JSON in UTF-8.")) from error
    return found


# The cards in them

ID: Final = re.compile(r"[a-z0-9][a-z0-9-]*")
ID_MOST: Final = 100
NAMES_MOST: Final = 300
"""Characters of the name of a place in the data."""
NAME_MOST: Final = 80
REACH_MOST: Final = 5
GAIN_MOST: Final = 9
CARDS_MOST: Final = 2_000
"""Pilots and upgrades in all, and as many ships; all that were ever printed are below 1,400."""
ENERGY_MOST: Final = 20
BY_HAND: Final = ("turns", "only", "energy", "remote_stats")
"""What our own data say of an upgrade, and data of that form do not: ``data/README.md``."""
NEEDS: Final = re.compile(r"Attack:? ?[\[(]+((?:\[?(?:Focus|Calculate|Lock|Evade)\]?(?:,? or |, )?)+)[\])]+", re.I)
COSTS: Final = re.compile(r"Attack[^.]*?: ?Spend ([1-9]) \[?Charge", re.I)
TOKEN: Final = re.compile(r"focus|calculate|lock|evade", re.I)


def imported(documents: Documents, key: str, as_of: str, sets: Mapping[Pool, CardSet]) -> str:
    """The file of a new set. What is not in the data comes from that one of ``sets`` with most of its pilots.

    Raises ``PlayerError`` with everything that is wrong, ``BadText`` where there are no pilots at all.
    """
    check_name(key, as_of)
    with Collector() as wrong:
        found = Found(wrong)
        for name, document in documents.items():
            try:
                found.document(name, document)
            except RecursionError:
                raise BadInput(name, None, Text("Use data in the form of xwing-data2; it is nested less.")) from None
            found.check_count()
    if not found.pilots:
        raise BadText(Text("I find no pilots here. Name the folder or the file of data in the form of xwing-data2."))
    like = max(sets.values(), key=lambda one: len(found.pilots.keys() & one.pilots.keys()))
    return written(found, key, as_of, like)


def check_name(key: str, as_of: str) -> None:
    """Raises ``BadInput`` for what no set can be called."""
    if not KEY.fullmatch(key) or key == AUTOMATIC:
        raise BadInput("set", key, Text("Use 1 to 20 small letters, digits and hyphens, as in `club`."))
    if not DATE.fullmatch(as_of):
        raise BadInput("as-of", as_of, Text("Use a date like `2026-08-01`."))


class Found:
    """The cards of some documents; what is wrong with one of them goes to ``wrong``, and the card is left out."""

    def __init__(self, wrong: Collector) -> None:
        self._wrong = wrong
        self.ships: dict[str, Card] = {}
        self.pilots: dict[str, Card] = {}
        self.upgrades: dict[str, Card] = {}

    def document(self, name: str, document: object) -> None:
        """Add the cards of a document; one of another form has none."""
        if isinstance(document, Mapping) and {"pilots", "stats", "faction"} <= document.keys():
            with self._wrong.also():
                self._ship(Reader(document, name))
        elif isinstance(document, Mapping) and "sides" in document:
            with self._wrong.also():
                reader = Reader(document, name)
                self._add(self.upgrades, reader, read_upgrade(reader))
        elif isinstance(document, Mapping):
            self._parts(name, ((f": {key}", part) for key, part in document.items()))
        elif isinstance(document, list):
            self._parts(name, ((f"[{place}]", part) for place, part in enumerate(document)))

    def _parts(self, name: str, parts: Iterable[tuple[str, object]]) -> None:
        for further, part in parts:
            if isinstance(part, list | Mapping):
                self.document((name + further)[:NAMES_MOST], part)

    def check_count(self) -> None:
        """Raises ``BadText`` for more cards than a set may have."""
        if max(len(self.ships), len(self.pilots) + len(self.upgrades)) > CARDS_MOST:
            raise BadText(Text("That is more than {most} cards. Send less.", most=CARDS_MOST))

    def _ship(self, reader: Reader) -> None:
        id_, faction = read_id(reader), reader.word("faction", tuple(FACTIONS))
        ship = {"name": named(reader), "size": reader.word("size", SIZES), **read_stats(reader, "stats")}
        if self.ships.setdefault(id_, ship) != ship:
            raise BadInput(reader.name("xws"), id_, Text("Another file has this ship with other numbers."))
        for place, raw in enumerate(reader.items("pilots", CARDS_MOST)):
            with self._wrong.also():
                pilot = Reader(raw, f"{reader.name('pilots')}[{place}]")
                self._add(self.pilots, pilot, read_pilot(pilot, id_, faction))

    def _add(self, cards: dict[str, Card], reader: Reader, card: Card) -> None:
        id_ = read_id(reader)
        if id_ in cards:
            raise BadInput(reader.name("xws"), id_, Text("Each id may be there once."))
        cards[id_] = card


def read_id(reader: Reader) -> str:
    id_ = reader.text("xws", ID_MOST)
    if not ID.fullmatch(id_):
        raise BadInput(reader.name("xws"), reader.raw("xws"), Text("Use small letters, digits and hyphens."))
    return id_


def named(reader: Reader) -> str:
    name = " ".join(reader.text("name", NAME_MOST).split())
    if not name:
        raise BadInput(reader.name("name"), reader.raw("name"), Text("Use the name on the card."))
    return name


def read_stats(reader: Reader, key: str) -> dict[str, Any]:
    """The numbers of a ship: ``[{"type": "attack", "arc": "Front Arc", "value": 3}, {"type": "hull", ...}]``."""
    found: dict[str, Any] = {"attacks": [], "agility": 0, "hull": 0, "shields": 0}
    for place, raw in enumerate(reader.items(key, 20)):
        stat = Reader(raw, f"{reader.name(key)}[{place}]")
        kind = stat.word("type", ("attack", "agility", "hull", "shields", "energy"))
        if kind == "attack":
            found["attacks"].append([stat.word("arc", tuple(ARCS)), stat.whole("value", 0, POOL_MOST)])
        elif kind == "energy":
            found["energy"] = [stat.whole("value", 0, ENERGY_MOST), recovers(stat)]
        else:
            found[kind] = stat.whole("value", 0, POOL_MOST if kind == "agility" else HULL_MOST)
            if kind == "shields" and recovers(stat):
                found["shields_recover"] = recovers(stat)
    if not found["hull"]:
        raise BadInput(reader.name(key), None, Text("Give the ship hull."))
    return found


def recovers(reader: Reader) -> int:
    return reader.whole("recovers", -HELD_MOST, HELD_MOST, 0)


def read_charges(reader: Reader) -> dict[str, list[int]]:
    """Charges and force of a card, where it has some."""
    found = {}
    for key in ("charges", "force"):
        if reader.has(key):
            part = reader.part(key)
            found[key] = [part.whole("value", 0, HELD_MOST), recovers(part)]
    return found


def read_pilot(reader: Reader, ship: str, faction: str) -> dict[str, Any]:
    card: dict[str, Any] = {
        "name": named(reader),
        "ship": ship,
        "faction": faction,
        "initiative": reader.whole("initiative", 0, INITIATIVE_MOST),
        "limited": reader.whole("limited", 0, GAIN_MOST, 0),
        **read_charges(reader),
    }
    if caption := " ".join(reader.text("caption", NAME_MOST).split()):
        card["caption"] = caption
    if reader.has("shipAbility"):
        card["ability"] = named(reader.part("shipAbility"))
    if reader.has("shipStats"):
        card["stats"] = read_stats(reader, "shipStats")
    if reader.has("engagement"):
        card["engagement"] = reader.whole("engagement", 0, INITIATIVE_MOST)
    if loadout := reader.items("standardLoadout", 20):
        card["upgrades"] = [str(one)[:ID_MOST] for one in loadout]
    return card


def read_upgrade(reader: Reader) -> dict[str, Any]:
    """The first side of an upgrade."""
    sides = [Reader(raw, f"{reader.name('sides')}[{n}]") for n, raw in enumerate(reader.items("sides", 4))]
    if not sides:
        raise BadInput(reader.name("sides"), None, Text("Give the card a side."))
    side = sides[0]
    slots = [str(one).lower()[:ID_MOST] for one in side.items("slots", 9)] or [side.text("type", ID_MOST).lower()]
    card: dict[str, Any] = {"name": named(reader), "slot": slots[0], **read_charges(side), **read_grants(side)}
    if len(slots) > 1:
        card["slots"] = slots
    if side.has("attack"):
        card["attack"] = read_weapon(side.part("attack"), side.text("ability", 10_000))
    if side.has("device"):
        card["remote" if side.part("device").text("type", ID_MOST) == "Remote" else "device"] = True
    return card


def read_grants(side: Reader) -> dict[str, dict[str, int]]:
    """What the card adds to the numbers of its ship."""
    stats: dict[str, int] = {}
    for place, raw in enumerate(side.items("grants", 20)):
        grant = Reader(raw, f"{side.name('grants')}[{place}]")
        if grant.raw("type") == "stat":
            kind = grant.word("value", ("attack", "agility", "hull", "shields", "energy"))
            stats[kind] = stats.get(kind, 0) + grant.whole("amount", -GAIN_MOST, GAIN_MOST)
    return {"stats": stats} if stats else {}


def read_weapon(attack: Reader, text: str) -> dict[str, Any]:
    """A weapon; ``text`` is that of its card, which says what it needs and what it costs."""
    needs = NEEDS.search(text)
    cost = COSTS.search(text)
    weapon: dict[str, Any] = {
        "arc": attack.word("arc", tuple(ARCS)),
        "value": attack.whole("value", 0, POOL_MOST),
        "min": attack.whole("minrange", 0, REACH_MOST),
        "max": attack.whole("maxrange", 0, REACH_MOST),
        "ordnance": attack.flag("ordnance"),
        "needs": sorted(one.lower() for one in TOKEN.findall(needs[1])) if needs else [],
        "any": bool(needs and " or " in needs[1].lower()),
        "spends_charges": int(cost[1]) if cost else 0,
    }
    if weapon["min"] > weapon["max"]:
        raise BadInput(attack.name("minrange"), weapon["min"], Text("Use at most the farthest range."))
    return weapon


def written(found: Found, key: str, as_of: str, like: CardSet) -> str:
    """The file, a card a line."""
    # Upgrades that only standard loadouts name come from ``like``; what a loadout names and nobody knows goes.
    named_there = {one for pilot in found.pilots.values() for one in pilot.get("upgrades", ())}
    upgrades = {one: like.upgrades[one] for one in named_there - set(found.upgrades) if one in like.upgrades}
    upgrades |= {id_: by_hand(id_, one, like) for id_, one in found.upgrades.items()}
    pilots = {
        id_: {**card, "upgrades": [one for one in card["upgrades"] if one in upgrades]} if "upgrades" in card else card
        for id_, card in found.pilots.items()
    }
    known = {*found.ships, *pilots, *upgrades}
    aliases = {alias: id_ for alias, id_ in like.aliases.items() if id_ in known and alias not in known}
    parts: dict[str, Mapping[str, object]] = {"set": {"key": key, "as_of": as_of, "pool": like.pool}}
    parts |= {"ships": found.ships, "pilots": pilots, "upgrades": upgrades, "aliases": aliases}
    return "{\n" + ",\n".join(f" {json.dumps(name)}: {lines(part)}" for name, part in parts.items()) + "\n}\n"


def lines(part: Mapping[str, object]) -> str:
    entries = (f"  {json.dumps(id_)}: {json.dumps(part[id_], ensure_ascii=False)}" for id_ in sorted(part))
    return "{\n" + ",\n".join(entries) + "\n }"


def by_hand(id_: str, card: Card, like: CardSet) -> Card:
    """An upgrade with what our own data say of it. One that turns a weapon is none."""
    said = {field: like.upgrades[id_][field] for field in BY_HAND if field in like.upgrades.get(id_, {})}
    kept = {field: value for field, value in card.items() if field != "attack" or "turns" not in said}
    return {**kept, **said}
