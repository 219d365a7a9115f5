"""Messages that are kept up to date, beside the board: which message it is, so that a restarted bot still knows it."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import panel

SAVED: Final = "saved"
TURNS: Final = "turns"
"""The kinds of panels: buttons of saved rolls, and the turn order."""
EVERYBODY: Final = 0
"""Stands in place of a person on a panel of the channel."""


@dataclass(frozen=True, slots=True)
class KeptPanel:
    """A panel: its kind and channel, whose rolls it shows (``EVERYBODY`` for the channel's), and its message."""

    kind: str
    channel_id: int
    person_id: int
    guild_id: int | None
    message_id: int


_ALL = select(panel.c.kind, panel.c.channel_id, panel.c.person_id, panel.c.guild_id, panel.c.message_id)
_OF_KIND = _ALL.where(panel.c.kind == bindparam("of_kind"))
_IN_CHANNEL = _OF_KIND.where(panel.c.channel_id == bindparam("in_channel"), panel.c.person_id == bindparam("of_person"))
_OF_PERSON = _OF_KIND.where(panel.c.person_id == bindparam("of_person"))
_KEEP: Final = {
    dialect: into.on_conflict_do_update(
        index_elements=["kind", "channel_id", "person_id"],
        set_={"guild_id": into.excluded.guild_id, "message_id": into.excluded.message_id},
    )
    for dialect, into in (("sqlite", sqlite.insert(panel)), ("postgresql", postgresql.insert(panel)))
}
"""One statement for each engine: two panels that are posted at once must not meet between DELETE and INSERT."""
_DROP = delete(panel).where(panel.c.message_id == bindparam("of_message"))
_FORGET = delete(panel).where(panel.c.person_id == bindparam("of_person"), panel.c.person_id != EVERYBODY)


async def of_kind(connection: AsyncConnection, kind: str) -> list[KeptPanel]:
    """The panels of a kind in all channels."""
    return [KeptPanel(*row) for row in (await connection.execute(_OF_KIND, {"of_kind": kind})).all()]


async def of_person(connection: AsyncConnection, kind: str, person_id: int) -> list[KeptPanel]:
    """The panels of a kind that show what belongs to a person, in all channels."""
    found = await connection.execute(_OF_PERSON, {"of_kind": kind, "of_person": person_id})
    return [KeptPanel(*row) for row in found.all()]


async def find(connection: AsyncConnection, kind: str, channel_id: int, person_id: int = EVERYBODY) -> KeptPanel | None:
    """The panel of a kind in a channel."""
    of = {"of_kind": kind, "in_channel": channel_id, "of_person": person_id}
    row = (await connection.execute(_IN_CHANNEL, of)).first()
    return None if row is None else KeptPanel(*row)


async def keep(connection: AsyncConnection, kept: KeptPanel) -> None:
    """Put a panel in place of the one that its channel had of this kind and person."""
    values = {name: getattr(kept, name) for name in KeptPanel.__slots__}
    await connection.execute(_KEEP[connection.dialect.name], values)


async def drop(connection: AsyncConnection, message_id: int) -> None:
    """A message is no panel any more."""
    await connection.execute(_DROP, {"of_message": message_id})


async def forget(connection: AsyncConnection, person_id: int) -> None:
    """Nobody keeps the panels of a person up to date any more."""
    await connection.execute(_FORGET, {"of_person": person_id})
