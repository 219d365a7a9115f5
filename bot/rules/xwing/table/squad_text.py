"""Parses squads as builders print them: pilots with points, and their upgrades below or after them.

YASB writes ``Luke Skywalker (62)`` for 2.0, with an upgrade on each line below, and for 2.5 ``Luke Skywalker – T-65
X-wing (5)``, with all upgrades on the next line; Launch Bay Next ``(62) Luke Skywalker [T-65 X-wing]``; tabletop
simulators ``Luke Skywalker + Proton Torpedoes /``. All are treated as lines of card names with something around them;
lines without card names are skipped. The result is XWS values for ``squad``.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain, combinations
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from bot.rules.text import UNNAMED, Name
from bot.rules.xwing.cards.card_sets import Card, CardSet
from bot.rules.xwing.cards.cards import FACTIONS, without_quotes
from bot.rules.xwing.cards.pilots import find_pilots, index, search_key as search_words

SMALL_SQUAD: Final = 20
"""Points of a squad in ruleset 2.5: a pilot's points include its upgrades, which use its loadout."""
MAX_LINE: Final = 4000
"""Maximum characters of a line: a form's."""
MAX_SHIPS: Final = 100
"""Maximum ships parsed; a larger squad is rejected anyway."""
UNREAD: Final = "unread"
"""Key for unknown names in a text list, each with the nearest printed name or ""; a tuple, unlike JSON."""
MAX_UNREAD: Final = 20
"""Maximum unknown names examined; a text with more is prose."""
LABELS: Final = ("pilot", "ship", "upgrades", "upgrade", "points", "total", "faction", "squad", "none", "elite", "and")
"""Words next to names that aren't names."""
LIKE: Final = 0.6
"""Minimum similarity of a suggested card: a ``difflib`` ratio."""
LIKE_A_WORD: Final = 0.7
"""Minimum similarity of a single word: short words are often similar."""
NAME_LONGEST: Final = 60
"""Maximum characters of a compared name."""
NEAR: Final = 0.75
"""Minimum similarity of a misspelled pilot name: a ``difflib`` ratio."""
MAX_NAME_WORDS: Final = 6
"""Maximum words of a line before the first pilot that may be the squad's name."""

SHIP_ENDINGS: Final = (
    *("wing", "fighter", "shuttle", "freighter", "craft", "ship", "interceptor", "bomber"),
    *("destroyer", "corvette", "cruiser", "transport", "frigate", "carrier"),
)
"""Endings of ship names, as search keys."""

MAX_LINES: Final = 150
"""Maximum lines parsed; the longest squad list has about 60."""
MAX_NAMES: Final = 250
"""Maximum names parsed; the longest squad list has about 100."""
SHIP_WORDS: Final = re.compile(r"[\s/]+")
NO_LETTERS: Final = re.compile(r"[^0-9a-z]+")
POINTS: Final = re.compile(
    r"[(\[{]\s*+(\d{1,3})(?:\s*+/\s*+\d{1,3})?\s*+(?:pts?|points)?\s*+[)\]}]|\s[-–:=]\s*(\d{1,3})$"
)
ASIDE: Final = re.compile(r"[(\[]((?:[^()\[\]]++|[(\[][^()\[\]]*+[)\]])*+)[)\]]")
"""Text in brackets, perhaps with a year in brackets: ``(YT-2400 (2023))``."""
DECORATION: Final = re.compile(r"^[\s,;>*_#•·‣▪+~|]*(?:[-–]\s+)?(?:(\d{1,2})\s*[x×]\s+|\d{1,2}[.)]\s+)?")
TIMES: Final = re.compile(r"(?<!\s)\s++[x×]\s?(\d{1,2})$")
LINK: Final = re.compile(r"https?://\S*")
BLANKS: Final = re.compile(r"[^\S\n]{5,}")
FACTION: Final = re.compile(r"https?://\S{0,300}?[?&]f=([^&\s)]+)")
"""The faction in YASB's squad URL."""
BETWEEN: Final = re.compile(r"\s+[+–—-]\s+|\s*[,;]\s+|\s*:\s+|\s{2,}")
APART: Final = re.compile(r"(?<!\s)\s++/(?:\s++|$)")
SHIP_TOTAL: Final = re.compile(r"(?:ship\s++(?:total|cost)|(?<!total )(?<!half )points)\s*+:\s*+(\d{1,3})", re.I)
TOTAL: Final = re.compile(r"(?:squad\s++)?total(?:\s++points)?\s*+:?\s*+(\d{1,3})", re.I)

ANY_TOTAL: Final = re.compile(f"(?:{SHIP_TOTAL.pattern})|(?:{TOTAL.pattern})", re.I)
IN_BRACKETS: Final = re.compile(r"[(\[]\s*\d{1,3}(?:\s*/\s*\d{1,3})?\s*[)\]]")


@dataclass(slots=True)
class ListedShip:
    """A parsed ship: card names as written, with points if given. ``is_lost``: an unknown pilot, so what follows
    belongs to no ship. ``left_out``: points of unknown upgrades.
    """

    name: Name
    aside: list[str] = field(default_factory=list)
    points: int | None = None
    upgrades: list[str] = field(default_factory=list)
    spent: int = 0
    total: int | None = None
    is_lost: bool = False
    left_out: int = 0


@dataclass(slots=True)
class ParsedSquad:
    """A parsed squad; ``hits``: number of known card names, ``unread``: the others."""

    name: Name = UNNAMED
    faction: str = ""
    ships: list[ListedShip] = field(default_factory=list)
    total: int | None = None
    hits: int = 0
    unread: list[str] = field(default_factory=list)
    slips: dict[str, bool] = field(default_factory=dict)

    def is_slip(self, key: str, names: "CardNames") -> bool:
        """Whether a name is similar to a pilot's; of these names only, because comparing is slow."""
        if key not in self.slips and len(self.slips) < MAX_UNREAD:
            near = next(iter(near_matches(key, (*names.pilots, *names.upgrades), NEAR)), "")
            self.slips[key] = near in names.pilots
        return self.slips.get(key, False)


@dataclass(frozen=True, slots=True)
class CardNames:
    """A set's ids by name: pilots, upgrades, and ships; ``labels``: builders' words next to names."""

    pilots: Mapping[str, Sequence[str]]
    upgrades: Mapping[str, Sequence[str]]
    ships: Mapping[str, Sequence[str]]
    labels: frozenset[str]


def read(text: str, cards: CardSet) -> list[dict[str, Any]]:
    """Parse a text's squads as XWS values, unknown names under ``UNREAD``; [] without pilots of this set."""
    result = squads(text, cards)
    return [as_xws(squad, cards) for squad in result if any(not ship.is_lost for ship in squad.ships)]


def count_known_names(text: str, cards: CardSet) -> tuple[int, int]:
    """Return how many names in a text are cards of the set, and the largest squad's points, to guess the set."""
    result = squads(text, cards)
    points = [sum(ship.points or 0 for ship in squad.ships) for squad in result]
    return sum(squad.hits for squad in result), max(points)


@lru_cache(maxsize=8192)
def search_key(name: str) -> str:
    """Fold a name for searches: its letters and digits, without accents."""
    return NO_LETTERS.sub("", unicodedata.normalize("NFKD", name.casefold()))


FACTION_IDS: Final = {search_key(name): id_ for id_, name in FACTIONS.items()}


@lru_cache(maxsize=8)
def names_of(cards: CardSet) -> CardNames:
    slots = {slot for upgrade in cards.upgrades.values() for slot in upgrade.get("slots", [upgrade["slot"]])}
    labels = frozenset(
        map(search_key, (*slots, *LABELS, *(pilot.get("caption", "") for pilot in cards.pilots.values())))
    )
    ships = {**by_name(cards.ships)}
    for id_, card in cards.ships.items():
        for short in short_names(card["name"], cards):
            if id_ not in ships.get(short, ()):
                ships[short] = (*ships.get(short, ()), id_)
    return CardNames(by_name(cards.pilots), by_name(cards.upgrades), ships, labels)


def short_names(ship: str, cards: CardSet) -> set[str]:
    """Return players' names for a ship: some of its words in order (``TIE Fighter``), or a distinctive one
    (``A-wing``): with a number or a hyphen, or in no other ship's name.
    """
    common = word_counts(cards)
    words = SHIP_WORDS.split(ship)
    bare = [CLASS.sub("", word) for word in words]
    said = [next(iter(NUMBERED.findall(word)), word) for word in bare]
    some = {
        "".join(few) for each in (bare, said) for many in range(2, len(words) + 1) for few in combinations(each, many)
    }
    telling = {word for word in (*words, *bare, *said) if TELLING.search(word) or common[word] == 1}
    return set(map(search_key, some | telling | {*said} - {*bare})) - {search_key(ship)}


@lru_cache(maxsize=8)
def word_counts(cards: CardSet) -> Mapping[str, int]:
    """Return the number of ships of a set that have a word in their names."""
    names = (SHIP_WORDS.split(card["name"]) for card in cards.ships.values())
    return Counter(CLASS.sub("", word) for words in names for word in set(words))


TELLING: Final = re.compile(r"[\d-]")
NUMBERED: Final = re.compile(r"^(?:[A-Z]+-\d+(?=-)|[A-Z]{3,}(?=-\d))")
"""The start of ``Z-95-AF4`` or ``HWK-290``, as spoken."""
CLASS: Final = re.compile("-class$", re.I)
"""Ending of a ship class name, omitted in speech: ``Sheathipede``."""


def by_name(cards: Mapping[str, Card]) -> Mapping[str, Sequence[str]]:
    result: dict[str, list[str]] = {}
    for id_, card in cards.items():
        result.setdefault(search_key(card["name"]), []).append(id_)
    return {name: sorted(ids, key=lambda id_: (len(id_), id_)) for name, ids in result.items()}


# Lines


@dataclass(frozen=True, slots=True)
class NamePart:
    """A possible card name, without its points and brackets."""

    name: Name
    aside: tuple[str, ...]
    points: int | None
    times: int = 1


def pieces(segment: str, names: CardNames) -> list[NamePart]:
    decorated = DECORATION.match(segment)
    times = int(decorated[1]) if decorated is not None and decorated[1] else 1
    bare = DECORATION.sub("", segment, count=1).rstrip(" *_|")
    if (many := TIMES.search(bare)) is not None:
        times, bare = int(many[1]), bare[: many.start()]
    parts = [piece(part, names, max(1, times)) for part in BETWEEN.split(bare) if part and part.strip()]
    return [item for item in parts if item.name or item.points is not None]


def piece(part: str, names: CardNames, times: int) -> NamePart:
    points = POINTS.search(part)
    bare = POINTS.sub(" ", part, count=1).strip(' *_"“”')
    aside = [item.strip() for item in ASIDE.findall(bare)]
    whole = search_key(bare)
    is_name = any(whole in known for known in (names.pilots, names.upgrades, names.ships))  # “Vectored Cannons (RZ-1)”
    name = bare if is_name else ASIDE.sub(" ", bare).strip()
    return NamePart(Name(name), () if is_name else tuple(aside), int(points[1] or points[2]) if points else None, times)


def squads(text: str, cards: CardSet) -> list[ParsedSquad]:
    """Return the squads in a text's lines; a total ends one."""
    names, result, is_new = names_of(cards), [ParsedSquad()], True
    said = FACTION.search(text)
    lines = restore_lines(BLANKS.sub("    ", text.replace("&nbsp;", " ").expandtabs(4)), names).splitlines()[:MAX_LINES]
    written = [at for at, line in enumerate(lines) if line.strip()]
    has_gap = bool(written) and written[-1] - written[0] >= len(written)  # an empty line keeps ships apart
    is_loose = not any(map(SHIP_TOTAL.search, lines)) and not has_gap
    many = 0
    for line in lines:
        many += 1 + len(BETWEEN.findall(line)) + len(APART.findall(line))
        if len(line) > MAX_LINE or len(result[-1].ships) > MAX_SHIPS or many > MAX_NAMES:
            continue
        bare, has_link = LINK.sub("", line).rstrip(), LINK.search(line) is not None
        squad = result[-1]
        if not bare.strip(" *_|-=~"):
            is_new = True
        elif (total := SHIP_TOTAL.search(bare)) is not None and squad.ships:
            read_line(bare[: total.start()], squad, names, is_new=False, is_loose=False)
            squad.ships[-1].total, is_new = int(total[1]), True
        elif (total := TOTAL.search(bare.replace("*", ""))) is not None:
            squad.total, is_new = int(total[1]), True
            result += [ParsedSquad()] if squad.ships else []
        else:
            is_new = read_line(bare, squad, names, is_new=is_new, is_loose=is_loose, is_whole=not has_link) and is_new
    if said is not None and len(result) < 3:  # the URL of one squad
        result[0].faction = result[0].faction or FACTION_IDS.get(search_key(unquote(said[1])), "")
    return result


def restore_lines(text: str, names: CardNames) -> str:
    """Restore a text's line breaks, which a command option turns into spaces. Each total is a line; a card's line ends
    at its points, or begins with them if they precede the first pilot.
    """
    first = IN_BRACKETS.search(text)
    if "\n" in text.strip() or first is None:
        return text
    parted = ANY_TOTAL.sub(lambda total: f"\n{total[0]}\n", text)
    is_behind = any(search_key(ASIDE.sub("", part)) in names.pilots for part in BETWEEN.split(text[: first.start()]))
    cut = IN_BRACKETS.sub(lambda points: f"{points[0]}\n" if is_behind else f"\n{points[0]}", parted)
    return "\n".join(line.strip() for line in cut.splitlines())


def read_line(
    line: str, squad: ParsedSquad, names: CardNames, *, is_new: bool, is_loose: bool, is_whole: bool = False
) -> bool:
    """Add a line's names to the squad; return whether the next line may still begin a ship.

    ``is_new``: a ship may begin here, so a name of both a pilot and an upgrade is the pilot. ``is_loose``: nothing
    separates ships, so such a name is a pilot on a line of its own. ``is_whole``: a line of its own, so unknown names
    are recorded.
    """
    is_indented = line[:1].isspace()
    parts = [pieces(segment, names) for segment in APART.split(line) if segment.strip()]
    if len(parts) > 1 and not any(item.name and search_key(item.name) in names.pilots for item in chain(*parts)):
        parts = [pieces(line, names)]
    named = False
    for part in parts:
        may_be_pilot = is_new or len(parts) > 1 or (is_loose and not is_indented)
        for at in range(len(part)):
            here = NameInLine(line, part, at, squad, names, is_indented, named, may_be_pilot, is_whole)
            read = ((kind, is_card) for kind in KINDS if (is_card := kind(here)) is not None)
            kind, is_card = next(read, (NameInLine.as_word, False))
            named |= is_card
            may_be_pilot = may_be_pilot and kind not in (NameInLine.as_pilot, NameInLine.as_lost)
    return not named


class NameInLine(NamedTuple):
    """A name in its line; earlier names decide its kind. ``named``: the line already has a card. Each method ``as_``
    tries one kind: whether it was a card, or None for another kind.
    """

    line: str
    part: Sequence[NamePart]
    at: int
    squad: ParsedSquad
    names: CardNames
    is_indented: bool
    named: bool
    may_be_pilot: bool
    is_whole: bool

    @property
    def name_part(self) -> NamePart:
        return self.part[self.at]

    @property
    def letters(self) -> str:
        return search_key(self.name_part.name)

    @property
    def is_upgrade(self) -> bool:
        return self.letters in self.names.upgrades

    def as_ship(self) -> bool | None:
        """Try the previously named pilot's ship."""
        if self.letters not in self.names.ships or not self.squad.ships or not self.named:
            return None
        before = self.line[: self.line.rfind(self.name_part.name)].rstrip()
        if self.is_upgrade and not before.endswith(("–", "—", "-")):
            return None
        ship = self.squad.ships[-1]
        ship.aside.append(self.name_part.name)
        ship.points = ship.points or self.name_part.points
        return False

    def as_pilot(self) -> bool | None:
        if self.letters not in self.names.pilots or not (self.may_be_pilot or not self.is_upgrade):
            return None
        beside = [other.name for other in self.part[: self.at] if search_key(other.name) in self.names.ships]
        part = self.name_part
        self.squad.ships += [ListedShip(part.name, [*beside, *part.aside], part.points) for _ in range(part.times)]
        self.squad.unread += [Name(word) for word in part.aside if self.is_no_ship(word)][:MAX_UNREAD]
        self.squad.hits += 1
        return True

    def is_no_ship(self, word: str) -> bool:
        """Whether brackets after a pilot contain an unknown ship name."""
        name = search_key(word)
        known = name in self.names.ships or name in self.names.labels or name in FACTION_IDS
        return not known and name.endswith(SHIP_ENDINGS)

    def as_upgrade(self) -> bool | None:
        if not self.squad.ships or not self.is_upgrade:
            return None
        ship = self.squad.ships[-1]
        ship.upgrades.append(self.name_part.name)
        ship.spent += self.name_part.points or 0
        self.squad.hits += 1
        return True

    def as_word(self) -> bool | None:
        """Try a label, a faction, a ship's name, or no name."""
        has_letters = sum(sign.isalpha() for sign in self.letters) > 1
        is_faction = self.letters in FACTION_IDS and bool(self.squad.ships)  # before ships it is the squad's
        is_word = not has_letters or is_faction or self.letters in self.names.labels or self.letters in self.names.ships
        return False if is_word else None

    def as_lost(self) -> bool | None:
        """Try a misspelled pilot name, where one may be."""
        is_card = bool(self.squad.ships) or self.name_part.points is not None  # else it may be the squad's name
        if not self.may_be_pilot or self.is_indented or not is_card or not self.squad.is_slip(self.letters, self.names):
            return None
        part = self.name_part
        self.squad.ships += [ListedShip(part.name, [], part.points, is_lost=True) for _ in range(part.times)]
        self.squad.unread.append(part.name)
        return True

    def as_head(self) -> bool | None:
        """Try, before the first pilot, the faction or the squad's name."""
        if self.squad.ships or self.at or self.letters in self.names.ships:
            return None
        name = DECORATION.sub("", self.line, count=1).strip(' *_#"')
        is_name = len(name.split()) <= MAX_NAME_WORDS and not name.endswith((".", ",", ":", "!", "?"))
        if self.letters in FACTION_IDS:
            self.squad.faction = FACTION_IDS[self.letters]
        elif not self.squad.name and is_name:
            self.squad.name = Name(name)
        return False

    def as_unread(self) -> bool | None:
        """Record an unknown name in a card's place, or on its own line below the first pilot."""
        is_there = self.is_whole or self.name_part.points is not None or self.named
        if not self.squad.ships or not is_there or len(self.squad.unread) >= MAX_UNREAD:
            return None
        self.squad.ships[-1].left_out += self.name_part.points or 0
        self.squad.unread.append(self.name_part.name)
        return self.name_part.points is not None


KINDS: Final = (
    NameInLine.as_ship,
    NameInLine.as_pilot,
    NameInLine.as_upgrade,
    NameInLine.as_word,
    NameInLine.as_lost,
    NameInLine.as_head,
    NameInLine.as_unread,
)
"""Kinds of names, tried in order."""


def near_matches(key: str, known: Collection[str], cutoff: float) -> list[str]:
    return get_close_matches(key, known, n=1, cutoff=cutoff) if len(key) <= NAME_LONGEST else []


def nearest(name: str, faction: str, cards: CardSet) -> str:
    """Return the nearest printed name among a faction's pilots and all upgrades; "" if none is near."""
    pilots = (pilot for pilot in cards.pilots.values() if faction in ("", pilot["faction"]))
    printed = {search_key(item["name"]): str(item["name"]) for item in (*cards.upgrades.values(), *pilots)}
    printed = {search_key(name.partition(" ")[0]): name for name in printed.values()} | printed
    return next((printed[near] for near in near_matches(search_key(name), printed, LIKE)), "")


def nearest_pilot(line: str, sets: Iterable[CardSet]) -> str:
    """Return the nearest pilot's printed name for a ship's line; "" if none is near."""
    ship = search_words(re.split(r" \+ |[(:]", line)[0])
    for cards in sets:
        if found := find_pilots(ship, cards, 1) if len(ship) > 3 else []:
            return without_quotes(str(cards.pilots[found[0].pilot]["name"]))
        names = pilots_in_part(cards)
        if near := near_matches(ship, names, LIKE_A_WORD):
            return names[near[0]]
    return ""


@lru_cache(maxsize=8)
def pilots_in_part(cards: CardSet) -> Mapping[str, str]:
    """Return printed names by search key and by each word; the first listed one of several."""
    every = reversed(index(cards))
    names = {pilot.name: without_quotes(str(cards.pilots[pilot.pilot]["name"])) for pilot in every}
    return {word: name for title, name in names.items() for word in title.split() if len(word) > 3} | names


# Ids


def as_xws(squad: ParsedSquad, cards: CardSet) -> dict[str, Any]:
    names = names_of(cards)
    faction = squad.faction or shared_faction(squad, names, cards)
    costs = points_of(squad)
    unread = [(item, nearest(item, faction, cards)) for item in squad.unread]
    pilots = list[dict[str, Any]]()
    for ship, points in zip(squad.ships, costs, strict=True):
        if ship.is_lost:
            continue
        id_ = pilot_of(ship, faction, names, cards)
        upgrades = [next(iter(names.upgrades.get(search_key(upgrade), ())), upgrade) for upgrade in ship.upgrades]
        pilots.append({"id": id_, **({} if points is None else {"points": points}), "upgrades": upgrades})
        flown = (names.ships.get(search_key(word), ()) for word in ship.aside)
        others = [
            word for word, fit in zip(ship.aside, flown, strict=True) if fit and cards.pilots[id_]["ship"] not in fit
        ]
        unread += [(Name(word), cards.ships[cards.pilots[id_]["ship"]]["name"]) for word in others]
    return {"name": squad.name, "faction": faction, "pilots": pilots, "points": squad.total, UNREAD: tuple(unread)}


def shared_faction(squad: ParsedSquad, names: CardNames, cards: CardSet) -> str:
    """Return the faction of most pilots; the first one of several."""
    flown = Counter[str]()
    for ship in squad.ships:
        if not ship.is_lost:
            flown.update({cards.pilots[id_]["faction"] for id_ in namesakes(ship, names, cards)})
    return max(FACTIONS, key=lambda faction: flown[faction])


def namesakes(ship: ListedShip, names: CardNames, cards: CardSet) -> list[str]:
    """Return the namesakes that best fit the text next to it: the ship, the caption, or the id's ending."""
    asides = {search_key(item) for item in ship.aside}

    def fits(id_: str) -> int:
        pilot = cards.pilots[id_]
        caption = pilot.get("caption", "")
        words = {search_key(caption), *id_.split("-")[1:]}
        initials = "".join(word[0] for word in caption.casefold().split())
        return len(asides & {*words, initials}) + any(pilot["ship"] in names.ships.get(aside, ()) for aside in asides)

    pilots = names.pilots[search_key(ship.name)]
    most = max(map(fits, pilots))
    return [id_ for id_ in pilots if fits(id_) == most]


def pilot_of(ship: ListedShip, faction: str, names: CardNames, cards: CardSet) -> str:
    """Return the intended pilot: of the faction, not from a pack of standard loadouts, which a list would name."""

    def fits(id_: str) -> tuple[bool, bool]:
        card, ending = cards.pilots[id_], id_.partition("-")[2]
        return card["faction"] == faction, ending in ("", card["ship"], card["faction"])

    return max(namesakes(ship, names, cards), key=fits)


def points_of(squad: ParsedSquad) -> Iterator[int | None]:
    """Yield each ship's cost, None if not stated: its own line's, else the pilot's points, plus the upgrades' if the
    squad is larger than in ruleset 2.5, whose upgrades are free.
    """
    pilots = sum(ship.points or 0 for ship in squad.ships)
    is_small = squad.total == pilots if squad.total is not None else pilots <= SMALL_SQUAD
    for ship in squad.ships:
        own = None if ship.points is None else ship.points + (0 if is_small else ship.spent)
        yield own if ship.total is None else ship.total - (0 if is_small else ship.left_out)
