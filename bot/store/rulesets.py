"""Settings of servers, channels, and people, one per row. Runs inside ``Database.transaction``."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import ruleset, upsert


@dataclass(frozen=True, slots=True)
class Scope:
    """The owner of a ruleset: ``kind`` is ``server``, ``channel``, or ``person``."""

    kind: str
    id: int


@dataclass(frozen=True, slots=True)
class RulesetRow:
    """A setting's value as JSON text, and whether preferences are locked out."""

    value: str
    locked: bool


_FIND = select(ruleset).where(tuple_(ruleset.c.scope, ruleset.c.scope_id).in_(bindparam("scopes", expanding=True)))
_PUT = upsert(ruleset, ("scope", "scope_id", "setting"), ("value", "locked", "guild_id"))


async def find(connection: AsyncConnection, scopes: Iterable[Scope]) -> dict[Scope, dict[str, RulesetRow]]:
    """Return the rows of some scopes by setting; an empty mapping for a scope without any."""
    result: dict[Scope, dict[str, RulesetRow]] = {scope: {} for scope in scopes}
    keys = [(scope.kind, scope.id) for scope in result]
    for row in (await connection.execute(_FIND, {"scopes": keys})).all():
        result[Scope(row.scope, row.scope_id)][row.setting] = RulesetRow(row.value, bool(row.locked))
    return result


async def store_rules(
    connection: AsyncConnection, scope: Scope, guild_id: int | None, rows: Mapping[str, RulesetRow]
) -> None:
    """Store settings, replacing earlier ones. ``guild_id`` is the server itself or the channel's server."""
    for setting, row in rows.items():
        values = {"scope": scope.kind, "scope_id": scope.id, "guild_id": guild_id, "setting": setting}
        await connection.execute(_PUT, values | {"value": row.value, "locked": int(row.locked)})


async def remove(connection: AsyncConnection, scope: Scope, setting: str | None = None) -> None:
    gone = delete(ruleset).where(ruleset.c.scope == scope.kind, ruleset.c.scope_id == scope.id)
    await connection.execute(gone if setting is None else gone.where(ruleset.c.setting == setting))
