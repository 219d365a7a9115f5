"""The players of a channel: a number for each, by which pieces name their owner.

Pieces and the record of their changes hold the number alone, so that a person can be forgotten in one row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.driver import hot
from bot.store.people import FORGOTTEN, Page
from bot.store.schema import player

_ALL = hot(
    select(player.c.id, player.c.person_id, player.c.name)
    .where(player.c.channel_id == bindparam("in_channel"))
    .order_by(player.c.id)
)
_ADD = insert(player)
_RENAME = update(player).where(player.c.id == bindparam("of_player")).values(name=bindparam("new_name"))
_OF_PERSON = (
    select(player)
    .where(player.c.person_id == bindparam("person"), player.c.id < bindparam("before"))
    .order_by(player.c.id.desc())
    .limit(bindparam("most"))
)
_SOME = select(player.c.id).where(player.c.person_id == bindparam("person")).limit(bindparam("most"))
_FORGET = update(player).where(player.c.id.in_(_SOME)).values(person_id=FORGOTTEN, name=bindparam("called"))


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who has pieces in a channel: their number there, and who they are on Discord."""

    id: int
    person_id: int
    name: str


async def find(connection: AsyncConnection, channel_id: int) -> dict[int, Player]:
    """The players of a channel by number."""
    rows = (await connection.execute(_ALL, {"in_channel": channel_id})).all()
    return {row.id: Player(*row) for row in rows}


async def ensure(
    connection: AsyncConnection, channel_id: int, guild_id: int | None, person_id: int, name: str
) -> Player:
    """A person as a player of a channel, by the name that they have now."""
    known = next((one for one in (await find(connection, channel_id)).values() if one.person_id == person_id), None)
    if known is None:
        values = {"channel_id": channel_id, "guild_id": guild_id, "person_id": person_id, "name": name}
        added = await connection.execute(_ADD.returning(player.c.id), values)
        return Player(added.scalar_one(), person_id, name)
    if known.name != name:
        await connection.execute(_RENAME, {"of_player": known.id, "new_name": name})
    return Player(known.id, person_id, name)


async def of_person(connection: AsyncConnection, page: Page) -> Sequence[Any]:
    """Where a person is a player; the key is ``id``."""
    return (await connection.execute(_OF_PERSON, page.values)).all()


async def forget(connection: AsyncConnection, person_id: int, called: str, most: int) -> int:
    """Let ``FORGOTTEN`` own their pieces, by another name."""
    return (await connection.execute(_FORGET, {"person": person_id, "called": called, "most": most})).rowcount
