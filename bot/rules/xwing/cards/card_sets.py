"""Card sets: names and stats of all cards at a date, by the ids of squad builders.

Two sets are shipped, ``xwa`` and ``legacy`` (sources: ``data/README.md``). The host can add more in a folder. A file is
read on first use. A set's key means its newest version, key and date a specific one: ``xwa@2026-07-05``. Ships store
the full name, so a newer set does not change a running match.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from bot.rules.text import Code, Name, Sentences, Shown, Text

Pool = Literal["xwa", "legacy"]
POOLS: Final[tuple[Pool, ...]] = ("xwa", "legacy")
"""The two lists of cards in use, which are also the keys of the shipped sets."""
DEFAULT: Final[Pool] = "xwa"
BY_RULESET: Final[Mapping[str, Pool]] = {"2.5": "xwa", "2.0": "legacy"}
AUTOMATIC: Final = "auto"
"""No choice: each squad uses the set that fits."""
OWN: Final = "own"
"""The key of a server's own set, which is not in the library."""
TITLES: Final[Mapping[str, Shown]] = {"xwa": Name("XWA"), "legacy": Name("Legacy"), OWN: Text("This server's own")}

SHIPPED: Final = Path(__file__).parents[1] / "data"
KEY: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")
DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
NAME: Final = re.compile(f"{KEY.pattern}@{DATE.pattern}")

Card = Mapping[str, Any]
"""A ship, pilot, or upgrade as in the files; see ``data/README.md``."""


class ListedPilot(NamedTuple):
    """A pilot in lists: id and a unique line. Searched by ``name`` first; ``all``: name, ship, caption and id."""

    pilot: str
    label: str
    name: str
    all: str


@dataclass(frozen=True, slots=True, eq=False)
class CardSet:
    """Cards by id. ``aliases``: fallbacks for unknown ids. ``pool``: whether ambiguous cards are XWA's or Legacy's.
    ``index``: its pilots for searches, if its file has them (``bot.rules.xwing.cards.pilots``).
    """

    key: str
    as_of: str
    pool: Pool
    ships: Mapping[str, Card]
    pilots: Mapping[str, Card]
    upgrades: Mapping[str, Card]
    aliases: Mapping[str, str]
    index: Sequence[ListedPilot] = ()

    @property
    def name(self) -> str:
        """The full name, ``xwa@2026-07-05``."""
        return f"{self.key}@{self.as_of}"

    @property
    def title(self) -> Shown:
        """Title for people: ``XWA (2026-07-05)``."""
        return title_of(self.name)

    def ship(self, id_: str) -> str | None:
        """Return a ship's id, resolving aliases; None if unknown."""
        return self._id(self.ships, id_)

    def pilot(self, id_: str) -> str | None:
        """Return a pilot's id, like ``ship``."""
        return self._id(self.pilots, id_)

    def upgrade(self, id_: str) -> str | None:
        """Return an upgrade's id, like ``ship``."""
        return self._id(self.upgrades, id_)

    def chassis(self, pilot: str) -> str:
        """Return the id of the ship ability on a pilot card, ``concordiafaceoff``; "" for none."""
        return chassis_id(self.pilots[pilot].get("ability", ""))

    def _id(self, known: Mapping[str, Card], id_: str) -> str | None:
        alias = self.aliases.get(id_, "")
        return id_ if id_ in known else alias if alias in known else None


def chassis_id(name: str) -> str:
    """The id of a ship's ability: the letters and digits of its name, in lower case."""
    return re.sub("[^a-z0-9]", "", name.lower())


def parsed(text: str) -> CardSet:
    """Parse a file's set: this package's, or checked when written."""
    read = json.loads(text)
    key = read["set"]["key"]
    pool = next(item for item in POOLS if item == read["set"].get("pool", key))
    ships, pilots, upgrades = (read[kind] for kind in ("ships", "pilots", "upgrades"))
    index = [ListedPilot(*item) for item in read.get("index", ())]
    return CardSet(key, read["set"]["as_of"], pool, ships, pilots, upgrades, read.get("aliases", {}), index)


class CardSetLibrary:
    """The shipped sets, and those in the host's ``folder``, whose files have the sets' full names."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def files(self) -> dict[str, Path]:
        """Return the files by set name: shipped ones, then newest first."""
        result = self.folder.glob("*.json") if self.folder is not None else ()
        named = (path for path in result if NAME.fullmatch(path.stem))
        further = sorted(named, key=lambda path: path.stem.partition("@")[2], reverse=True)
        return {read(path).name: path for path in map(shipped_path, POOLS)} | {path.stem: path for path in further}

    def set_keys(self) -> list[str]:
        """Return the keys of its sets, shipped ones first."""
        return list(dict.fromkeys(key_of(name) for name in self.files()))

    def find(self, name: str) -> CardSet | None:
        """Return the set of a full name, or the newest of a key; None for none."""
        files = self.files()
        typed = name.strip().casefold()
        newest = max((file for file in files if key_of(file) == typed), default="")
        path = files.get(typed) or files.get(newest)
        return None if path is None else read(path)

    def newest(self, first: str = DEFAULT) -> list[CardSet]:
        """Return the newest set of every key, ``first``'s before the others."""
        keys = sorted(self.set_keys(), key=lambda key: key != first)
        return [card_set for key in keys if (card_set := self.find(key)) is not None]

    def of(self, name: str) -> CardSet:
        """Return a ship's set; if it is gone, the newest of its key, else the default."""
        return self.find(name) or self.find(key_of(name)) or read(shipped_path(DEFAULT))


SHELF: Final = CardSetLibrary()
"""The card sets of this process."""


Source = Path | CardSet


def source(card_set: CardSet) -> Source:
    """Return a set for another process: its file if there is one, because a set is large to send."""
    return next((path for path in SHELF.files().values() if read(path) is card_set), card_set)


class CardSetChoices(Mapping[str, Shown]):
    """A table's choices for its squads: the keys of all sets with their names, or each squad's own."""

    def __getitem__(self, key: str) -> Shown:
        names: dict[str, Shown] = {item: TITLES.get(item) or Name(item) for item in (*SHELF.set_keys(), OWN)}
        return {AUTOMATIC: Text("As in the squad"), **names}[key]

    def __contains__(self, item: object) -> bool:
        return item in (AUTOMATIC, OWN, *POOLS) or item in SHELF.set_keys()  # most need no look at files

    def __iter__(self) -> Iterator[str]:
        return iter((AUTOMATIC, *SHELF.set_keys(), OWN))

    def __len__(self) -> int:
        return 2 + len(SHELF.set_keys())


def shipped_path(key: str) -> Path:
    return SHIPPED / f"{key}.json"


def title_of(name: str) -> Shown:
    key, _, as_of = name.partition("@")
    return Sentences([TITLES.get(key) or Name(key), Code(f"({as_of})")])


def key_of(name: str) -> str:
    return name.partition("@")[0]


def read(path: Path) -> CardSet:
    """Read the set in a file, again only after it changed."""
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read(path: Path, _changed: int) -> CardSet:
    return parsed(path.read_text(encoding="utf-8"))
