"""Squads as squad builders print them for people: pilots with their points, and their upgrades below or behind them.

YASB writes ``Luke Skywalker (62)`` for 2.0, with an upgrade on each line below, and for 2.5 ``Luke Skywalker – T-65
X-wing (5)``, with all upgrades on the next line; Launch Bay Next ``(62) Luke Skywalker [T-65 X-wing]``; for tables on a
screen it is ``Luke Skywalker + Proton Torpedoes /``. All of them are lines of card names with something around them, so
they are read as that. Lines that name no card are prose and are passed over.

What is read becomes the same plain values as XWS, which ``squad`` then reads like any other.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from bot.rules.xwing.cards.card_sets import Card, CardSet
from bot.rules.xwing.cards.cards import FACTIONS

SMALL_SQUAD: Final = 20
"""Points of a squad in ruleset 2.5: there a pilot's points are the ship's, and upgrades are paid from its loadout."""
LINE_MOST: Final = 4000
"""Characters of a line that is looked at: what a form holds."""
SHIPS_MOST: Final = 100
"""Ships that are looked at; a squad of so many is refused anyway."""
NAME_WORDS_MOST: Final = 6
"""A line before the first pilot that has no more words than this may be the squad's name."""

POINTS: Final = re.compile(r"[(\[{]\s*(\d{1,3})(?:\s*/\s*\d{1,3})?\s*(?:pts?|points)?\s*[)\]}]|\s[-–:=]\s*(\d{1,3})$")
ASIDE: Final = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
DECORATION: Final = re.compile(r"^[\s,;>*_#•·‣▪+~|]*(?:[-–]\s+)?(?:(\d{1,2})\s*[x×]\s+|\d{1,2}[.)]\s+)?")
TIMES: Final = re.compile(r"\s+[x×]\s?(\d{1,2})$")
LINK: Final = re.compile(r"https?://\S*")
BLANKS: Final = re.compile(r"[^\S\n]{5,}")
FACTION: Final = re.compile(r"https?://\S{0,300}?[?&]f=([^&\s)]+)")
"""The faction in the address of a squad in YASB."""
BETWEEN: Final = re.compile(r"\s+[+–—-]\s+|\s*[,;]\s+|\s*:\s+|\s{2,}")
APART: Final = re.compile(r"\s+/(?:\s+|$)")
SHIP_TOTAL: Final = re.compile(r"(?:ship\s+(?:total|cost)|(?<!total )(?<!half )points)\s*:\s*(\d{1,3})", re.I)
TOTAL: Final = re.compile(r"(?:squad\s+)?total(?:\s+points)?\s*:?\s*(\d{1,3})", re.I)

ANY_TOTAL: Final = re.compile(f"(?:{SHIP_TOTAL.pattern})|(?:{TOTAL.pattern})", re.I)
IN_BRACKETS: Final = re.compile(r"[(\[]\s*\d{1,3}(?:\s*/\s*\d{1,3})?\s*[)\]]")


@dataclass(slots=True)
class Ship:
    """What is read of one ship: the names of its cards as they stand there, and their points where they have any."""

    name: str
    aside: list[str] = field(default_factory=list)
    points: int | None = None
    upgrades: list[str] = field(default_factory=list)
    spent: int = 0
    total: int | None = None


@dataclass(slots=True)
class Found:
    """What is read of one squad; ``hits`` counts the names of cards that were known."""

    name: str = ""
    faction: str = ""
    ships: list[Ship] = field(default_factory=list)
    total: int | None = None
    hits: int = 0


@dataclass(frozen=True, slots=True)
class Names:
    """The ids of a set by name: pilots, upgrades and ships."""

    pilots: Mapping[str, Sequence[str]]
    upgrades: Mapping[str, Sequence[str]]
    ships: Mapping[str, Sequence[str]]


def read(text: str, cards: CardSet) -> list[dict[str, Any]]:
    """The squads of a text in the plain values of XWS; [] for a text in which no pilot of this set is named.

    An upgrade that the set does not know keeps its name, so that it can be named to people.
    """
    found = squads(text, cards)
    return [as_xws(squad, cards) for squad in found if squad.ships]


def known(text: str, cards: CardSet) -> tuple[int, int]:
    """How many names of a text are cards of the set, and the points of the largest squad: they tell what was meant."""
    found = squads(text, cards)
    points = [sum(one.points or 0 for one in squad.ships) for squad in found]
    return sum(squad.hits for squad in found), max(points)


def folded(name: str) -> str:
    """What a name is found by: its letters and digits, without accents."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in plain if sign.isascii() and sign.isalnum())


@lru_cache(maxsize=8)
def names_of(cards: CardSet) -> Names:
    return Names(*(by_name(one) for one in (cards.pilots, cards.upgrades, cards.ships)))


def by_name(cards: Mapping[str, Card]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for id_, card in cards.items():
        found.setdefault(folded(card["name"]), []).append(id_)
    return {name: sorted(ids, key=lambda id_: (len(id_), id_)) for name, ids in found.items()}


# Lines


@dataclass(frozen=True, slots=True)
class Piece:
    """What may be the name of a card, without its points and what stands in brackets beside it."""

    name: str
    aside: tuple[str, ...]
    points: int | None
    times: int = 1


def pieces(segment: str, names: Names) -> list[Piece]:
    """The names in a part of a line, in their order."""
    decorated = DECORATION.match(segment)
    times = int(decorated[1]) if decorated is not None and decorated[1] else 1
    bare = DECORATION.sub("", segment, count=1).rstrip(" *_|")
    if (many := TIMES.search(bare)) is not None:
        times, bare = int(many[1]), bare[: many.start()]
    found = [piece(part, names, times) for part in BETWEEN.split(bare) if part and part.strip()]
    return [one for one in found if one.name or one.points is not None]


def piece(part: str, names: Names, times: int) -> Piece:
    points = POINTS.search(part)
    bare = POINTS.sub(" ", part, count=1).strip(' *_"“”')
    aside = [one.strip() for one in ASIDE.findall(bare)]
    whole = folded(bare)
    is_name = whole in names.pilots or whole in names.upgrades  # “Vectored Cannons (RZ-1)” is one
    name = bare if is_name else ASIDE.sub(" ", bare).strip()
    return Piece(name, () if is_name else tuple(aside), int(points[1] or points[2]) if points else None, times)


def squads(text: str, cards: CardSet) -> list[Found]:
    """The squads in the lines of a text: the line with the total of one ends it."""
    names, found, is_new = names_of(cards), [Found()], True
    said = FACTION.search(text)
    lines = unfolded(BLANKS.sub("    ", text.replace("&nbsp;", " ").expandtabs(4)), names).splitlines()
    is_loose = not any(map(SHIP_TOTAL.search, lines)) and not has_gap(lines)
    for line in lines:
        if len(line) > LINE_MOST or len(found[-1].ships) > SHIPS_MOST:
            continue
        bare = LINK.sub("", line).rstrip()
        squad = found[-1]
        if not bare.strip(" *_|-=~"):
            is_new = True
        elif (total := SHIP_TOTAL.search(bare)) is not None and squad.ships:
            read_line(bare[: total.start()], squad, names, is_new=False, is_loose=False)
            squad.ships[-1].total, is_new = int(total[1]), True
        elif (total := TOTAL.search(bare)) is not None:
            squad.total, is_new = int(total[1]), True
            found += [Found()] if squad.ships else []
        else:
            is_new = read_line(bare, squad, names, is_new=is_new, is_loose=is_loose) and is_new
    if said is not None and len(found) < 3:  # the address of one squad
        found[0].faction = found[0].faction or factions().get(folded(unquote(said[1])), "")
    return found


def unfolded(text: str, names: Names) -> str:
    """A text in its lines again, if it has lost them: an option of a command makes blanks of line breaks.

    Each total is a line; a card's line ends at its points, or begins with them where they stand before the first pilot.
    """
    first = IN_BRACKETS.search(text)
    if "\n" in text.strip() or first is None:
        return text
    parted = ANY_TOTAL.sub(lambda total: f"\n{total[0]}\n", text)
    is_behind = any(folded(ASIDE.sub("", one)) in names.pilots for one in BETWEEN.split(text[: first.start()]))
    cut = IN_BRACKETS.sub(lambda points: f"{points[0]}\n" if is_behind else f"\n{points[0]}", parted)
    return "\n".join(line.strip() for line in cut.splitlines())


def has_gap(lines: Sequence[str]) -> bool:
    """Whether an empty line stands between two others, so that such lines keep ships apart."""
    written = [at for at, line in enumerate(lines) if line.strip()]
    return bool(written) and written[-1] - written[0] >= len(written)


def read_line(line: str, squad: Found, names: Names, *, is_new: bool, is_loose: bool) -> bool:
    """Add what a line names to the squad; whether the next line may still begin a ship, as this one named nothing.

    ``is_new``: a ship may begin here, so a name that both a pilot and an upgrade have is the pilot. ``is_loose``:
    nothing in the text keeps ships apart, so it is the pilot on every line of its own.
    """
    is_indented = line[:1].isspace()
    parts = [pieces(segment, names) for segment in APART.split(line) if segment.strip()]
    if len(parts) > 1 and not any(one.name and folded(one.name) in names.pilots for part in parts for one in part):
        parts = [pieces(line, names)]
    named = False
    for part in parts:
        may_be_pilot = is_new or len(parts) > 1 or (is_loose and not is_indented)
        for at in range(len(part)):
            here = Here(line, part, at, squad, names, is_indented, named, may_be_pilot)
            reads = next((reads for is_it, reads in KINDS if is_it(here)), None)
            if reads is not None:
                is_card = reads(here)
                named, may_be_pilot = named or is_card, may_be_pilot and reads is not read_pilot
    return not named


class Here(NamedTuple):
    """A name in its line: what stood before it decides what it is. ``named``: the line has named a card already."""

    line: str
    part: Sequence[Piece]
    at: int
    squad: Found
    names: Names
    is_indented: bool
    named: bool
    may_be_pilot: bool

    @property
    def one(self) -> Piece:
        return self.part[self.at]

    @property
    def key(self) -> str:
        return folded(self.one.name)

    def is_ship(self) -> bool:
        """The ship of the pilot who was named before it."""
        return self.key in self.names.ships and bool(self.squad.ships) and self.named

    def is_pilot(self) -> bool:
        return self.key in self.names.pilots and (self.may_be_pilot or self.key not in self.names.upgrades)

    def is_upgrade(self) -> bool:
        is_known = self.key in self.names.upgrades
        return bool(self.squad.ships) and (is_known or is_unknown_card(self.one, self.at, is_indented=self.is_indented))

    def is_head(self) -> bool:
        """Before the first pilot."""
        return not self.squad.ships and self.at == 0 and self.key not in self.names.ships


def read_ship(here: Here) -> bool:
    ship = here.squad.ships[-1]
    ship.aside.append(here.one.name)
    ship.points = ship.points or here.one.points
    return False


def read_pilot(here: Here) -> bool:
    one, squad = here.one, here.squad
    beside = [other.name for other in here.part[: here.at] if folded(other.name) in here.names.ships]
    squad.ships += [Ship(one.name, [*beside, *one.aside], one.points) for _ in range(max(1, one.times))]
    squad.hits += 1
    return True


def read_upgrade(here: Here) -> bool:
    ship = here.squad.ships[-1]
    ship.upgrades.append(here.one.name)
    ship.spent += here.one.points or 0
    here.squad.hits += here.key in here.names.upgrades
    return True


def read_begin(here: Here) -> bool:
    read_head(here.line, here.key, here.squad)
    return False


KINDS: Final[tuple[tuple[Callable[[Here], bool], Callable[[Here], bool]], ...]] = (
    (Here.is_ship, read_ship),
    (Here.is_pilot, read_pilot),
    (Here.is_upgrade, read_upgrade),
    (Here.is_head, read_begin),
)
"""What a name may be, the first that it is, and how it is read; that says whether it was a card."""


def is_unknown_card(one: Piece, at: int, *, is_indented: bool) -> bool:
    """Whether a name that no card has stands where one would: with points, below a pilot, or behind other names."""
    return bool(folded(one.name)) and (one.points is not None or (at > 0 and is_indented))


def read_head(line: str, key: str, squad: Found) -> None:
    """A line before the first pilot: the faction, or what may be the squad's name."""
    name = DECORATION.sub("", line, count=1).strip(' *_#"')
    if key in factions():
        squad.faction = factions()[key]
    elif not squad.name and len(name.split()) <= NAME_WORDS_MOST and not name.endswith((".", ",", ":", "!", "?")):
        squad.name = name


@lru_cache(maxsize=1)
def factions() -> Mapping[str, str]:
    """The ids of the factions by their names."""
    return {folded(name): id_ for id_, name in FACTIONS.items()}


# Ids


def as_xws(squad: Found, cards: CardSet) -> dict[str, Any]:
    """The plain values of XWS for what was read."""
    names = names_of(cards)
    faction = squad.faction or shared_faction(squad, names, cards)
    costs = points_of(squad)
    pilots = [
        {
            "id": pilot_of(ship, faction, names, cards),
            **({} if points is None else {"points": points}),
            "upgrades": [upgrade_of(one, names) for one in ship.upgrades],
        }
        for ship, points in zip(squad.ships, costs, strict=True)
    ]
    return {"name": squad.name, "faction": faction, "pilots": pilots, "points": squad.total}


def shared_faction(squad: Found, names: Names, cards: CardSet) -> str:
    """The faction for which most of the pilots fly; of several the first one."""
    flown = Counter(
        faction
        for ship in squad.ships
        for faction in {cards.pilots[id_]["faction"] for id_ in namesakes(ship, names, cards)}
    )
    return max(FACTIONS, key=lambda one: flown[one])


def namesakes(ship: Ship, names: Names, cards: CardSet) -> list[str]:
    """The pilots of that name who fit most of what stands beside it: the ship, the caption, or what the id ends in."""
    asides = {folded(one) for one in ship.aside}

    def fits(id_: str) -> int:
        card = cards.pilots[id_]
        words = {folded(cards.ships[card["ship"]]["name"]), folded(card.get("caption", "")), *id_.split("-")[1:]}
        initials = "".join(word[0] for word in card.get("caption", "").casefold().split())
        return len(asides & {*words, initials})

    pilots = names.pilots[folded(ship.name)]
    most = max(map(fits, pilots))
    return [id_ for id_ in pilots if fits(id_) == most]


def pilot_of(ship: Ship, faction: str, names: Names, cards: CardSet) -> str:
    """The pilot that was meant: of the faction, and of no pack of standard loadouts, which a list would name."""

    def fits(id_: str) -> tuple[bool, bool]:
        card, ending = cards.pilots[id_], id_.partition("-")[2]
        return card["faction"] == faction, ending in ("", card["ship"], card["faction"])

    return max(namesakes(ship, names, cards), key=fits)


def upgrade_of(name: str, names: Names) -> str:
    """The id of an upgrade; a name that no upgrade has stays as it is."""
    return next(iter(names.upgrades.get(folded(name), ())), name)


def points_of(squad: Found) -> Iterator[int | None]:
    """What each ship costs, None where nothing says it.

    A line of its own says it best. Else it is the pilot's points, with those of the upgrades where the squad is larger
    than those of ruleset 2.5, whose upgrades cost the squad nothing.
    """
    pilots = sum(ship.points or 0 for ship in squad.ships)
    is_small = squad.total == pilots if squad.total is not None else pilots <= SMALL_SQUAD
    for ship in squad.ships:
        own = None if ship.points is None else ship.points + (0 if is_small else ship.spent)
        yield own if ship.total is None else ship.total
