"""What was chosen for a server, a channel or a person, one setting a row: rulesets and preferences. And what was saved
for a person or a channel: rolls, each a name and a command line.

Inside ``Database.transaction``, like everything here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, delete, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import ruleset, saved, upsert


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose ruleset it is: ``kind`` is ``server``, ``channel`` or ``person``."""

    kind: str
    id: int


@dataclass(frozen=True, slots=True)
class Row:
    """A setting's value as JSON text, and whether preferences are locked out."""

    value: str
    locked: bool


_FIND = select(ruleset).where(tuple_(ruleset.c.scope, ruleset.c.scope_id).in_(bindparam("scopes", expanding=True)))
_PUT = upsert(ruleset, ("scope", "scope_id", "setting"), ("value", "locked", "guild_id"))


async def find(connection: AsyncConnection, scopes: Iterable[Scope]) -> dict[Scope, dict[str, Row]]:
    """The rows of some scopes by setting; an empty mapping for one without any."""
    found: dict[Scope, dict[str, Row]] = {scope: {} for scope in scopes}
    keys = [(scope.kind, scope.id) for scope in found]
    for row in (await connection.execute(_FIND, {"scopes": keys})).all():
        found[Scope(row.scope, row.scope_id)][row.setting] = Row(row.value, bool(row.locked))
    return found


async def put(connection: AsyncConnection, scope: Scope, guild_id: int | None, rows: Mapping[str, Row]) -> None:
    """Put rows in place of those of the same settings. ``guild_id`` is the server of a channel, and a server's own."""
    for setting, row in rows.items():
        values = {"scope": scope.kind, "scope_id": scope.id, "guild_id": guild_id, "setting": setting}
        await connection.execute(_PUT, values | {"value": row.value, "locked": int(row.locked)})


async def remove(connection: AsyncConnection, scope: Scope, setting: str | None = None) -> None:
    """Remove one setting of a scope, or all of them."""
    gone = delete(ruleset).where(ruleset.c.scope == scope.kind, ruleset.c.scope_id == scope.id)
    await connection.execute(gone if setting is None else gone.where(ruleset.c.setting == setting))


# Saved rolls

PERSON: Final = "person"
CHANNEL: Final = "channel"


@dataclass(frozen=True, slots=True)
class SavedRoll:
    """A roll under a name; ``line`` is the command as people type it. ``id`` is 0 for one that is not stored yet."""

    scope: Scope
    name: str
    key: str
    line: str
    id: int = 0


def of_person(person: int) -> Scope:
    """Whose rolls are those that a person saved for themselves."""
    return Scope(PERSON, person)


_COLUMNS = (saved.c.scope, saved.c.scope_id, saved.c.name, saved.c.key, saved.c.line, saved.c.id)
_FIND_ROLLS = (
    select(*_COLUMNS)
    .where(tuple_(saved.c.scope, saved.c.scope_id).in_(bindparam("scopes", expanding=True)))
    .order_by(saved.c.key, saved.c.id)
)
_PUT_ROLL = upsert(saved, ("scope", "scope_id", "key"), ("name", "line"))
"""A roll that replaces one of its name keeps that one's id, and so its buttons."""


def read_roll(row: Any) -> SavedRoll:
    return SavedRoll(Scope(row.scope, row.scope_id), row.name, row.key, row.line, row.id)


async def find_rolls(connection: AsyncConnection, scopes: Iterable[Scope]) -> list[SavedRoll]:
    """The rolls of some people and channels, in the order of their names."""
    keys = [(scope.kind, scope.id) for scope in scopes]
    return [read_roll(row) for row in (await connection.execute(_FIND_ROLLS, {"scopes": keys})).all()]


async def roll_with(connection: AsyncConnection, number: int) -> SavedRoll | None:
    """The roll with an id, if it is still saved."""
    row = (await connection.execute(select(*_COLUMNS).where(saved.c.id == number))).first()
    return None if row is None else read_roll(row)


async def put_roll(connection: AsyncConnection, roll: SavedRoll, guild_id: int | None) -> None:
    """Save a roll in place of the one of the same name. ``guild_id``: the server of a channel."""
    values = {"scope": roll.scope.kind, "scope_id": roll.scope.id, "guild_id": guild_id}
    await connection.execute(_PUT_ROLL, values | {"name": roll.name, "key": roll.key, "line": roll.line})


async def remove_roll(connection: AsyncConnection, scope: Scope, key: str) -> bool:
    """Remove a roll; whether there was one."""
    gone = delete(saved).where(saved.c.scope == scope.kind, saved.c.scope_id == scope.id, saved.c.key == key)
    return bool((await connection.execute(gone)).rowcount)
