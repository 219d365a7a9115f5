"""The rows of all cards, by card: ``upgrade:predator``; and how far a card is known.

The files in ``data/rows`` hold them, one for each kind of card; ``ROWS.md`` says how they are written. Those of a card
are read when somebody first asks for it: all of them together would take 40 ms.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from bot.rules.xwing.cards.card_sets import POOLS, SHIPPED, Pool
from bot.rules.xwing.cards.rows import Row, read_rows

FOLDER: Final = SHIPPED / "rows"
FILES: Final = ("pilots", "chassis", "upgrades", "weapons", "damage")
NOT_COUNTED: Final = "not_counted"

Known = Literal["counted", "asked", "reminded", "not counted", "silent"]
"""``counted``: a row acts by itself, or costs something the bot knows · ``asked``: every row needs a claim, be it in an
attack or on the board · ``reminded``: it is only shown by name · ``not counted``: it touches dice, and nobody
has written rows · ``silent``: it touches no dice."""


class Rows(Mapping[str, tuple[Row, ...]]):
    """Rows by card; a card that does what another one does has that one's rows, under its own name."""

    def __getitem__(self, card: str) -> tuple[Row, ...]:
        return _rows(card)

    def __iter__(self) -> Iterator[str]:
        return iter(_raw())

    def __len__(self) -> int:
        return len(_raw())


ROWS: Final = Rows()


@cache
def _raw() -> Mapping[str, Any]:
    return {card: rows for name in FILES for card, rows in _file(name).items() if card != "about"}


@cache
def _rows(card: str) -> tuple[Row, ...]:
    rows = _raw()[card]
    return read_rows(card, _raw()[rows] if isinstance(rows, str) else rows)


@cache
def _not_counted() -> Mapping[str, frozenset[str]]:
    """The cards by the key of the pool."""
    raw = _file(NOT_COUNTED)
    return {pool: frozenset([*raw["both"], *raw[pool]]) for pool in POOLS}


def _file(name: str) -> Mapping[str, Any]:
    path: Path = FOLDER / f"{name}.json"
    read: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


def rows_of(card: str, pool: Pool) -> tuple[Row, ...]:
    """The rows of a card in one pool; () where it has none."""
    return tuple(row for row in ROWS.get(card, ()) if row.pool in ("", pool))


def touches_dice(card: str, pool: Pool) -> bool:
    """Whether a card touches dice in a way that nobody has written down."""
    return card in _not_counted()[pool]


def known(card: str, pool: Pool) -> Known:
    """How far a card is known."""
    if touches_dice(card, pool):
        return "not counted"
    acting = [row for row in rows_of(card, pool) if not row.is_reminder]
    if acting:
        return "asked" if all(row.ask or row.at for row in acting) else "counted"
    return "reminded" if rows_of(card, pool) else "silent"
