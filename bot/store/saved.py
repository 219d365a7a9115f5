"""Rolls saved for a person or a channel: a name and a command line. Runs inside ``Database.transaction``."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, delete, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.rulesets import Scope
from bot.store.schema import saved, upsert

PERSON: Final = "person"
CHANNEL: Final = "channel"


@dataclass(frozen=True, slots=True)
class SavedRoll:
    """A saved roll: name, command ``line`` as typed, and ``id`` (0 if not stored yet)."""

    scope: Scope
    name: str
    key: str
    line: str
    id: int = 0


def of_person(person: int) -> Scope:
    return Scope(PERSON, person)


_COLUMNS = (saved.c.scope, saved.c.scope_id, saved.c.name, saved.c.key, saved.c.line, saved.c.id)
_FIND = (
    select(*_COLUMNS)
    .where(tuple_(saved.c.scope, saved.c.scope_id).in_(bindparam("scopes", expanding=True)))
    .order_by(saved.c.key, saved.c.id)
)
_PUT = upsert(saved, ("scope", "scope_id", "key"), ("name", "line"))
"""Upsert: a roll that replaces one of its name keeps the id, and so its buttons."""


def _read(row: Any) -> SavedRoll:
    return SavedRoll(Scope(row.scope, row.scope_id), row.name, row.key, row.line, row.id)


async def find(connection: AsyncConnection, scopes: Iterable[Scope]) -> list[SavedRoll]:
    """Return the rolls of some people and channels, sorted by name."""
    keys = [(scope.kind, scope.id) for scope in scopes]
    return [_read(row) for row in (await connection.execute(_FIND, {"scopes": keys})).all()]


async def read_roll(connection: AsyncConnection, number: int) -> SavedRoll | None:
    """Return a saved roll by id, None if it is gone."""
    row = (await connection.execute(select(*_COLUMNS).where(saved.c.id == number))).first()
    return None if row is None else _read(row)


async def store_roll(connection: AsyncConnection, roll: SavedRoll, guild_id: int | None) -> None:
    """Save a roll, replacing the one of its name. ``guild_id``: the server of a channel."""
    values = {"scope": roll.scope.kind, "scope_id": roll.scope.id, "guild_id": guild_id}
    await connection.execute(_PUT, values | {"name": roll.name, "key": roll.key, "line": roll.line})


async def remove(connection: AsyncConnection, scope: Scope, key: str) -> bool:
    """Remove a roll; return whether there was one."""
    gone = delete(saved).where(saved.c.scope == scope.kind, saved.c.scope_id == scope.id, saved.c.key == key)
    return bool((await connection.execute(gone)).rowcount)
