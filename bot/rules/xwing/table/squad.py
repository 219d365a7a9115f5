"""Imports squads from squad builders: each pilot becomes a ship with its upgrades.

Formats: XWS (JSON), even with text around it, builders' text lists (``squad_text``), or a builder's URL. Unknown ids
are reported and left out.

Source: rules page, Squads and data; the X-Wing Squadron Specification 2.0.0 (https://github.com/elistevens/xws-spec).
Other parts of a squad (obstacles, vendor) are ignored, except hints to its card set.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, partial
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from bot.rules.errors import MAX_SHOWN, AtMost, BadInputError, BadTextError, Collector, Example, quote_value
from bot.rules.json_reader import JsonReader, refuse_constant, without_duplicates
from bot.rules.name import one_line, without_mentions
from bot.rules.text import EMPTY, N_, Code, Name, Noun, Numeral, Sentences, Shown, Text
from bot.rules.xwing.cards.card_sets import OWN, SHELF, SHIPPED, Card, CardSet, Source, read
from bot.rules.xwing.cards.cards import FACTIONS, PilotShip, pilot_ship, with_free_name
from bot.rules.xwing.table import squad_text

T = TypeVar("T")
MAX_TEXT: Final = 200_000
"""Characters of a paste or a file; a squad of eight ships has about 2,000."""
MAX_SQUADS: Final = 8
MAX_WRONG: Final = 2
"""Maximum errors reported at once for a text's squads; each may be long."""
MAX_PILOTS: Final = 24
MAX_UPGRADES: Final = 20
"""Maximum upgrades on one ship, of all slots."""
MAX_ID: Final = 100
MAX_POINTS: Final = 1000
"""Maximum points of one ship; a whole squad has 200, or 20 in the newer rules."""
MAX_NAME: Final = 60
"""Characters of a squad's name; longer ones are cut."""
MAX_UNKNOWN: Final = 8
"""Maximum unknown ids listed with the nearest known one; the others are counted."""

EXAMPLE: Final = '{"faction": "rebelalliance", "pilots": [{"id": "lukeskywalker"}]}'
WHAT_TO_PASTE: Final = (Text("Paste XWS or the text list that a squad builder exports."), Example(EXAMPLE))
OTHER_LINK: Final = Text(
    "I can't read a squad from this link. Open it, choose Export and XWS there, and paste that text."
)
MAX_FORM: Final = 4000
"""Maximum characters of a Discord form."""

SPELLINGS: Final = json.loads((SHIPPED / "spellings.json").read_text(encoding="utf-8"))
FACTION_ALIASES: Final[Mapping[str, str]] = SPELLINGS["factions"]
"""Names of older builders."""
SLOT_ALIASES: Final[Mapping[str, str]] = SPELLINGS["slots"]
OLD_IDS: Final[Mapping[str, str]] = SPELLINGS["ids"]
"""Older builders' upgrade ids."""
ENDINGS: Final[Mapping[str, Sequence[str]]] = SPELLINGS["endings"]
"""Short endings of standard loadouts, and the card data's."""

SET_WORDS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("legacy", re.compile(r"legacy|\b2\.0\b")),
    ("xwa", re.compile(r"xwa|amg|\b2\.5\b")),
)
"""Words in ``ruleset`` and ``vendor`` that indicate a card set."""

START: Final = re.compile(r"""\{\s*["'“”}]|\[\s*[\[{\]]""")
"""Start of a squad's JSON or of a list; other text is ignored."""
BARE: Final = re.compile(r"""\s*["“”](?:faction|name|description|points|pilots|version|vendor)["“”]\s*:""")
"""Start of XWS copied without its outer braces."""
DEAR: Final = 50
"""Pilot points that only a 200-point squad of ruleset 2.0 has, which determine a text list's card set."""
LINK: Final = re.compile(r"https?://[^\s<>]+")


@dataclass(frozen=True, slots=True)
class Squad:
    """A squad's ships from a set, ``card_set`` (full name). ``unknown``: sentences about unknown or misfit parts;
    ``unread``: words not understood, with the nearest name or "". ``size``: points of a whole squad of its kind, 0 if
    not stated.
    """

    name: Name
    faction: str
    pilots: tuple[PilotShip, ...]
    card_set: str
    unknown: tuple[Shown, ...] = ()
    size: int = 0
    unread: tuple[tuple[str, str], ...] = ()


def parse_with(sources: Sequence[Source], text: str) -> tuple[Squad, ...]:
    """Parse like ``parse``, with the sets of these sources, in another process."""
    return parse(text, [read(source) if isinstance(source, Path) else source for source in sources])


def parse(text: str, sets: Sequence[CardSet] = ()) -> tuple[Squad, ...]:
    """Parse a text with one squad, a list, or several in a row.

    Each uses the one of ``sets`` that knows all its ids; if several do, the one that its words indicate, else the
    first. Default ``sets``: all known. Raises ``PlayerError`` for a text without a squad, too long a text, or a squad
    without known pilots.
    """
    if len(text) > MAX_TEXT:
        most = Text("Use at most {most} characters of XWS.", most=Numeral(f"{MAX_TEXT:,}"))
        raise BadInputError("squad", Text("{count} characters", count=len(text)), most)
    sets = sets or SHELF.newest()
    text = f"{{{text}}}" if BARE.match(text) else text
    try:
        squads = [squad for document in documents(text) for squad in squads_in(document)]
        if START.search(text) is None:
            squads, sets = read_addresses(text, sets) or read_list(text, sets)
        if not 0 < len(squads) <= MAX_SQUADS:
            given = Text("{count} squads", count=len(squads)) if squads else text
            raise BadInputError("squad", given, Text("Use 1 to {most} squads as XWS.", most=MAX_SQUADS))
        paths = [f"squad {count}" for count in range(1, len(squads) + 1)] if len(squads) > 1 else [""]
        named = zip(squads, paths, strict=True)
        return tuple(read_each([partial(read_squad, squad, path, sets) for squad, path in named]))
    except RecursionError as error:
        raise BadInputError("squad", Text("text that is nested too deeply"), *WHAT_TO_PASTE) from error


def read_each(readers: Iterable[Callable[[], T]]) -> list[T]:
    """Run all readers, collecting errors up to the maximum that is reported at once."""
    result = list[T]()
    with Collector() as wrong:
        for read in readers:
            if wrong.count >= MAX_WRONG:
                break
            with wrong.collect():
                result.append(read())
    return result


def named_set(squad: Mapping[str, object]) -> str:
    """Return the set that a squad names in ``ruleset``, or else ``vendor``; "" for none."""
    said = (json.dumps(squad.get(key))[:MAX_TEXT].casefold() for key in ("ruleset", "vendor"))
    return next((key for text in said for key, words in SET_WORDS if words.search(text)), "")


def read_addresses(text: str, sets: Sequence[CardSet]) -> tuple[list[object], Sequence[CardSet]] | None:
    """Parse squads from builders' URLs in a text; None without any, or if its lines list as many pilots, because those
    have points. Raises ``BadTextError`` for an unreadable squad.
    """
    if LINK.search(text) is None:
        return None
    listed = sum(len(item["pilots"]) for item in squad_text.read(text, sets[0]))
    try:
        result = of_links(text, sets[0])
    except UnreadableLinkError:
        if listed:
            return None
        raise
    return (list(result), sets) if sum(len(item["pilots"]) for item in result) > listed else None


def read_list(text: str, sets: Sequence[CardSet]) -> tuple[list[object], list[CardSet]]:
    """Return a text list's squads as XWS values, and the set that knows most of its cards. Ties are decided by the
    list's URL or points. Raises ``BadInputError`` for a text without pilots.
    """
    hits = {card_set.name: squad_text.count_known_names(text, card_set) for card_set in sets}
    dear = any(points > DEAR for _, points in hits.values())
    meant = named_set({"vendor": LINK.findall(text)}) or ("legacy" if dear else "")
    ordered = sorted(sets, key=lambda card_set: bool(meant) and meant != card_set.key)
    cards = max(ordered, key=lambda card_set: hits[card_set.name][0])
    squads = squad_text.read(text, cards)
    if not squads:
        if re.match(r"\s*https?://", text):
            raise BadInputError("squad", text, OTHER_LINK)
        lines = [line.strip() for line in text.splitlines() if line.strip()][:MAX_SHOWN]
        near = [(line, squad_text.nearest_pilot(line, ordered)) for line in lines]
        if not any(name for _, name in near):
            raise BadInputError("squad", text, *WHAT_TO_PASTE)
        message, unlike = N_("I don't know {line}. Did you mean {near}?"), N_("I don't know {line}.")
        raise BadTextError(
            Sentences(Text(message if name else unlike, line=quote_value(line), near=Name(name)) for line, name in near)
        )
    return list(squads), [cards]


def documents(text: str) -> Iterator[object]:
    """Return the JSON values in a text with prose around them. Raises ``BadTextError`` for one with a mistake."""
    decoder = json.JSONDecoder(object_pairs_hook=without_duplicates, parse_constant=refuse_constant, parse_int=number)
    place = 0
    while (start := START.search(text, place)) is not None:
        try:
            value, place = decoder.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            raise BadTextError(mistake(text, error)) from error
        except ValueError as error:  # NaN, or a duplicate name
            message = N_("This squad has an error: {what}. Export it again, and paste it unchanged.")
            raise BadTextError(Text(message, what=Name(one_line(str(error), 100)))) from error
        yield value


def mistake(text: str, error: json.JSONDecodeError) -> Text:
    """Explain what is wrong with a truncated or edited squad."""
    if error.pos >= len(text.rstrip(" \n\r\t`")) or error.msg.startswith("Unterminated"):
        message = N_(
            "The text ends in the middle of a squad. Paste all of it; a form holds {most} characters, a file more."
        )
        return Text(message, most=Numeral(f"{MAX_FORM:,}"))
    near = text[max(0, error.pos - 20) : error.pos + 10]
    return Text("I can't read this squad near {near}. Export it again, and paste it unchanged.", near=quote_value(near))


def number(digits: str) -> int | float:
    """Parse an integer, approximately if huge: no number in a squad matters enough to reject it."""
    return int(digits) if len(digits) <= 20 else float(digits)


def squads_in(document: object) -> list[object]:
    """Return the squads of a JSON value: itself, its items, or those of an XWC ``container``."""
    if isinstance(document, Mapping) and "container" in document and "pilots" not in document:
        document = document["container"]
    return list(document) if isinstance(document, list) else [document]


def read_squad(raw: object, path: str, sets: Sequence[CardSet]) -> Squad:
    """Parse a squad with the set that knows most of its ids, among equals the first; ``path``: its name in errors."""
    if not isinstance(raw, Mapping):
        raise BadInputError(path or "squad", raw, *WHAT_TO_PASTE)
    result: list[tuple[Squad, int]] = []
    refused: list[BadTextError] = []
    meant = named_set(raw)
    keys = [(item, item.pool if item.key == OWN else item.key) for item in sets]
    for cards, _ in sorted(keys, key=lambda item: bool(meant) and meant != item[1]):
        try:
            result.append(squad_of(raw, path, cards))
        except BadTextError as error:  # no pilot is known there
            refused.append(error)
        if result and not result[-1][1]:
            break
    if not result:
        raise refused[0]
    return min(result, key=itemgetter(1))[0]


def write_xws(ships: Iterable[PilotShip]) -> dict[str, object]:
    """Write ships as XWS, as ``parse`` reads it; ships typed as numbers have no cards and are left out."""
    pilots, factions = list[dict[str, object]](), list[str]()
    for ship in ships:
        if not ship.pilot:
            continue
        cards, slots = SHELF.find(ship.card_set), dict[str, list[str]]()
        for upgrade in ship.upgrades:
            slot = cards.upgrades.get(upgrade.id, {}).get("slot", "") if cards is not None else ""
            slots.setdefault(str(slot).replace(" ", "-") or "other", []).append(upgrade.id)
        factions.append(ship.faction)
        pilots.append({"id": ship.pilot, "ship": ship.ship_id, "points": ship.points, "upgrades": slots})
    return {"version": "2.0.0", "faction": next(iter(factions), ""), "pilots": pilots}


def squad_of(raw: Mapping[str, object], path: str, cards: CardSet) -> tuple[Squad, int]:
    """Parse a squad with a set; return the number of unknown ids too."""
    reader = JsonReader(raw, path)
    items = reader.items("pilots", MAX_PILOTS)
    if not items:
        a_list = Text("Use a list of 1 to {most} pilots.", most=MAX_PILOTS)
        raise BadInputError(reader.name("pilots"), raw.get("pilots"), a_list)
    unknown = SquadProblems()
    faction = read_faction(reader, unknown)
    pilots = reader.name("pilots")
    read = [
        partial(read_pilot, item, f"{pilots}[{at}]", at + 1, faction, unknown, cards) for at, item in enumerate(items)
    ]
    ships: list[PilotShip] = []
    for ship in filter(None, read_each(read)):
        ships.append(with_free_name(ship, [other.name for other in ships]))
    if isinstance(noted := raw.get(squad_text.UNREAD), tuple):  # of a text list; never in JSON
        for given, card in noted:
            sentence = Text("I don't understand {given}.", given=quote_value(given))
            unknown.add(sentence, "", LEFT_OUT, card=card, given=given)
    if not ships:
        message = N_("I don't know any pilot in this squad. {sentences}")
        raise BadTextError(Text(message, sentences=Sentences(unknown.sentences())))
    name = reader.take_raw("name")
    if name is not None and not isinstance(name, str):
        raise BadInputError(reader.name("name"), name, Text("Enter text."))
    faction = FACTIONS[faction or ships[0].faction]
    title, size = without_mentions(name or "", MAX_NAME) or faction, size_of(reader)
    said, unread = unknown.sentences(), tuple(unknown.unread)
    return Squad(Name(title), faction, tuple(ships), cards.name, said, size, unread), len(unknown)


def size_of(reader: JsonReader) -> int:
    """Return a whole squad's points, from the URL or the version, as ``50P-2.0``; 0 for neither."""
    said, version = reader.take_raw("size"), reader.take_raw("version")
    if type(said) is int:
        return said if 0 < said <= MAX_POINTS else 0
    match = SIZED.match(version) if isinstance(version, str) else None
    return int(match[1]) if match is not None and int(match[1]) <= MAX_POINTS else 0


SIZED: Final = re.compile(r"([1-9][0-9]{0,3})P\b", re.IGNORECASE)


def read_faction(reader: JsonReader, unknown: "SquadProblems") -> str:
    """Return the faction's id; "" if missing or unknown."""
    given = canonical_id(reader.text("faction", MAX_ID))
    faction = FACTION_ALIASES.get(given, given)
    if faction in FACTIONS or not faction:
        return faction
    what = Text("I don't know the faction {given}.", given=quote_value(given))
    unknown.add(what, nearest_id(given, FACTIONS), Text("I used the first pilot's faction."), given=given)
    return ""


def read_pilot(
    raw: object, path: str, place: int, faction: str, unknown: "SquadProblems", cards: CardSet
) -> PilotShip | None:
    """Read a pilot with upgrades, or None if unknown; ``place``: from 1. Older XWS calls the id ``name``."""
    reader = JsonReader(raw, path)
    given = reader.text("id", MAX_ID) or reader.text("name", MAX_ID)
    if not canonical_id(given):
        unknown.add(Text("Pilot {place} in the squad has no id.", place=place), "", LEFT_OUT)
        return None
    ship = canonical_id(reader.text("ship", MAX_ID))
    upgrades = read_upgrades(reader)
    pilot = find_pilot(given, cards, ship, faction)
    if pilot is None:
        what = Text("I don't know the pilot {given}.", given=quote_value(given))
        unknown.add(what, nearest_id(given, cards.pilots), LEFT_OUT, given=given)
        return None
    card = cards.pilots[pilot]
    if pilot == split_id(canonical_id(given), cards, card["ship"]):
        message = N_("I read the id {given} as {pilot} in the {ship}.")
        what = Text(message, given=quote_value(given), **card_names(card, cards))
        unknown.add(what)
    if ship and (cards.ship(ship) or ship) != card["ship"]:
        flies = Text("{pilot} flies the {ship}.", **card_names(card, cards))
        unknown.add(Text("I don't know the ship {given}.", given=quote_value(ship)), "", flies, given=ship)
    if faction and card["faction"] != faction:
        own, other = Name(FACTIONS[card["faction"]]), Name(FACTIONS[faction])
        message = N_("{pilot} flies for the {own}, not for the {faction}.")
        unknown.add(Text(message, pilot=card["name"], own=own, faction=other))
    known: list[str] = []
    for slot, name in upgrades:
        if not canonical_id(name):
            unknown.add(Text("One of {pilot}'s upgrades has no id.", pilot=card["name"]), "", LEFT_OUT)
        elif (upgrade := find_upgrade(name, cards, slot, faction)) is None:
            what = Text("I don't know the upgrade {given}.", given=quote_value(name))
            unknown.add(what, nearest_id(name, cards.upgrades), LEFT_OUT, given=name)
        else:
            known.append(upgrade)
    points = reader.take_raw("points")  # a bad number is no reason to reject a ship
    costs = points if type(points) is int and 0 <= points <= MAX_POINTS else 0
    return replace(pilot_ship(pilot, known, cards), points=costs)


def card_names(card: Card, cards: CardSet) -> dict[str, str]:
    return {"pilot": card["name"], "ship": cards.ships[card["ship"]]["name"]}


def read_upgrades(reader: JsonReader) -> list[tuple[str, str]]:
    """Return the slot and id of every upgrade. Builders write ids by slot; one id, or one list, is accepted too."""
    given = reader.take_raw("upgrades")
    slots: Mapping[str, object] = given if isinstance(given, Mapping) else {"": given}
    result: list[tuple[str, str]] = []
    for slot, held in slots.items():
        path = f"{reader.name('upgrades')}.{one_line(slot, 20)}".rstrip(".")
        ids = held if isinstance(held, list) else [] if held is None else [held]
        for id_ in ids:
            if not isinstance(id_, str) or len(id_) > MAX_ID:
                raise BadInputError(path, id_, Text("Use upgrade ids."), Example("protontorpedoes"))
            result.append((slot, id_))
    if len(result) > MAX_UPGRADES:
        count, most = Text("{count} upgrades", count=len(result)), AtMost(MAX_UPGRADES, Noun("upgrade", "upgrades"))
        raise BadInputError(reader.name("upgrades"), count, most)
    return result


# URLs: builders derived from YASB write
# ``?f=FACTION&d=v{8|9|10}Z{mode}Z{points}Z{ship}Y{ship}...&sn=NAME``:
# a ship is ``PILOT X UPGRADE W UPGRADE W ...`` by YASB's numbers (``data/yasb.json``), an empty slot is empty, and text
# after a second ``X`` is not about cards. Version 8 is 2.0, 9 has 20 points, 10 XWA's 50.

HOSTS: Final = {"yasb.app": "", "raithos.github.io": "", "xwing-legacy.com": "legacy"}
"""Hosts of squad URLs, and the card set of all their squads, if fixed."""
HELD: Final = re.compile(r"v(\d{1,3})Z([a-z]*)Z(\d{0,4})Z(.*)", re.DOTALL)
OLDEST: Final = 8
SETS: Final = {8: "legacy", 9: "xwa", 10: "xwa"}
SIZES: Final = {8: 200, 9: 20, 10: 50}
"""A whole squad's default points, by version."""
QUICK: Final = "q"
ENDS: Final = ").,;:*!’'\""
"""Characters after a URL in prose; no squad ends with them."""
MAX_NUMBER: Final = 8
"""Maximum digits of an unknown number in a message."""


class UnreadableLinkError(BadTextError):
    """A builder's URL whose squad can't be read, with the reason."""


@cache
def numbers() -> tuple[Mapping[str, str], Mapping[str, tuple[str, str]]]:
    """Return YASB's numbers: pilots' ids, upgrades' ids and slots; loaded at the first link."""
    held = json.loads((SHIPPED / "yasb.json").read_text(encoding="utf-8"))
    return held["pilots"], {number: (id_, slot) for number, (id_, slot) in held["upgrades"].items()}


def of_links(text: str, cards: CardSet) -> list[dict[str, Any]]:
    """Parse the squads of all URLs in a text, in order; [] without any. ``cards``: tell which pilots have a standard
    loadout, whose cards are in the URL but aren't upgrades. Raises ``UnreadableLinkError`` for a squad that its URL
    does not contain, if there is no other.
    """
    result, refused = list[dict[str, Any]](), list[UnreadableLinkError]()
    for link in LINK.findall(text):
        try:
            squad = read_link(link.rstrip(ENDS), cards)
        except UnreadableLinkError as error:
            refused.append(error)
        else:
            result += [squad] if squad is not None else []
    if refused and not result:
        raise refused[0]
    return result


def read_link(link: str, cards: CardSet) -> dict[str, Any] | None:
    """Parse a URL's squad; None for other URLs. Raises ``UnreadableLinkError``."""
    try:
        parts = urlsplit(link.replace("&amp;", "&"))
    except ValueError:
        return None
    host = (parts.hostname or "").removeprefix("www.")
    # Some builders encode twice, and phones add a suffix.
    words = {key: unquote(values[0]).strip() for key, values in parse_qs(parts.query).items()}
    held = HELD.fullmatch(words.get("d", ""))
    if host not in HOSTS or held is None or not held[4].strip("Y"):
        return None
    version, mode, points, ships = int(held[1]), held[2], held[3], held[4]
    if version < OLDEST:
        message = N_("This link is from before 2020, and its numbers are no longer known. Open it and paste the XWS.")
        raise UnreadableLinkError(Text(message))
    if mode == QUICK:
        message = N_("This link contains quick builds, not a squad. Open it and paste the XWS of a squad.")
        raise UnreadableLinkError(Text(message))
    return {
        "faction": words.get("f", ""),
        "name": words.get("sn", ""),
        "ruleset": HOSTS[host] or SETS.get(version, "xwa"),
        "size": int(points or 0) or SIZES.get(version, 0),
        "pilots": [linked_pilot(part, cards) for part in ships.split("Y") if part],
    }


def linked_pilot(ship: str, cards: CardSet) -> dict[str, Any]:
    """Return a ship as XWS values; ``read_pilot`` reports unknown numbers."""
    pilots, upgrades = numbers()
    number, _, rest = ship.partition("X")
    id_ = pilots.get(number, f"number {number[:MAX_NUMBER]}")
    slots: dict[str, list[str]] = {}
    has_loadout = bool(cards.pilots.get(id_, {}).get("upgrades"))
    for item in rest.partition("X")[0].split("W") if not has_loadout else ():
        if item:
            upgrade, slot = upgrades.get(item, (f"number {item[:MAX_NUMBER]}", "other"))
            slots.setdefault(slot, []).append(upgrade)
    return {"id": id_, "upgrades": slots}


# Ids


def canonical_id(name: str) -> str:
    """Return a name as an XWS id: lower-case letters and digits; a hyphen may precede a distinguishing suffix."""
    return re.sub("[^a-z0-9-]", "", name.lower())


def spellings(given: str) -> list[str]:
    """Return an id as typed, without hyphens, and with a standard loadout's full ending."""
    name = canonical_id(given)
    base, _, ending = name.rpartition("-")
    return [name, name.replace("-", ""), *(f"{base}-{full}" for full in ENDINGS.get(ending, ()))]


def find_pilot(given: str, cards: CardSet, ship: str = "", faction: str = "") -> str | None:
    """Return a pilot card's id, or None. Namesakes differ in ship or faction."""
    ship = cards.ship(ship) or ship
    result = find_id(given, cards.pilots, cards.pilot, (ship, faction), lambda card: ship in ("", card["ship"]))
    return result or split_id(canonical_id(given), cards, ship) or only_pilot(canonical_id(given), cards)


def only_pilot(given: str, cards: CardSet) -> str | None:
    """Return the only pilot for an abbreviated id, or one with a ship suffix: ``bokatankryze-separatist``."""
    cut = {id_ for id_ in cards.pilots if "-" in given and id_.startswith(given)}
    ships = {card["ship"] for id_, card in cards.pilots.items() if given.startswith(id_.partition("-")[0])}
    by_ship = {found for ship in ships if (found := split_id(given, cards, ship))}
    fitting = cut or by_ship
    return next(iter(fitting)) if len(fitting) == 1 else None


def split_id(given: str, cards: CardSet, ship: str) -> str | None:
    """Return a ship's pilot for an id that ends in the ship's nickname, as YASB wrote: ``wedgeantillesawing``."""
    short = squad_text.short_names(cards.ships[ship]["name"], cards) if ship in cards.ships else ()
    pilots = (id_ for id_, card in cards.pilots.items() if card["ship"] == ship)
    return next((id_ for id_ in pilots if given in {id_.partition("-")[0] + item for item in short}), None)


def find_upgrade(given: str, cards: CardSet, slot: str = "", faction: str = "") -> str | None:
    """Return an upgrade's id, or None. Namesakes may fit a crew slot and a gunner slot."""
    slot, given = plain_slot(slot), OLD_IDS.get(canonical_id(given), given)

    def fits(card: Card) -> bool:
        return not slot or slot in map(plain_slot, card.get("slots", [card["slot"]]))

    return find_id(given, cards.upgrades, cards.upgrade, (slot, faction), fits)


def plain_slot(slot: str) -> str:
    """Return a builder's slot without hyphens and spaces: ``forcepower``."""
    return canonical_id(SLOT_ALIASES.get(slot, slot)).replace("-", "")


def find_id(
    given: str,
    known: Mapping[str, Card],
    alias: Callable[[str], str | None],
    endings: Sequence[str],
    fits: Callable[[Card], bool],
) -> str | None:
    """Return the intended id, or None.

    Namesakes differ in an ending, which builders may omit or add. So first the id itself, if its card fits (the ship,
    the slot); then namesakes with one of ``endings``; then the id anyway, and last its ``alias``. Another ending means
    an unknown card.
    """
    exact = [id_ for id_ in spellings(given) if id_ in known][:1]
    base, _, ending = canonical_id(given).partition("-")
    namesakes = [*(f"{base}-{item}" for item in endings), base] if ending in ("", *endings) else []
    fitting = (id_ for id_ in (*exact, *namesakes) if id_ in known and fits(known[id_]))
    aliased = (id_ for spelling in spellings(given) if (id_ := alias(spelling)) is not None)
    return next(chain(fitting, exact, aliased), None)


LEFT_OUT: Final = Text("I left it out.")


def nearest_id(given: str, known: Iterable[str]) -> str:
    """Return the nearest known id; "" if none is near."""
    return next(iter(get_close_matches(canonical_id(given), list(known), n=1, cutoff=0.6)), "")


class SquadProblems(list[Text]):
    """Sentences about a squad's unknown or misfit parts; ``unread`` is as in ``Squad``."""

    def __init__(self) -> None:
        self.unread: list[tuple[str, str]] = []

    def add(self, what: Text, near: str = "", then: Text = EMPTY, card: str = "", given: str = "") -> None:
        """Add a problem: the possible id ``near`` or ``card``, ``then``: the remedy, ``given``: the words."""
        self.unread += [(one_line(given, MAX_ID), near or card)] if given else []
        hint = Text("Did you mean {card}?", card=Name(card)) if card else EMPTY
        hint = Text("Did you mean `{near}`?", near=Code(near)) if near else hint
        self.append(Sentences([what, hint, then]))

    def sentences(self) -> tuple[Text, ...]:
        """Return the first ones, and one that counts the rest."""
        rest = Text("There are {count} more ids I don't know.", count=len(self) - MAX_UNKNOWN)
        return (*self[:MAX_UNKNOWN], *([rest] if len(self) > MAX_UNKNOWN else ()))
