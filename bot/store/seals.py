"""Sealed tables: the key, the words, the chain of plies. ``bot.sessions.seals`` says what they mean.

A seal is requested (words are given), sealed (a header), ended, and revealed (its transcript was posted). Runs inside
``Database.transaction``.
"""

from dataclasses import asdict, dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.people import FORGOTTEN
from bot.store.schema import seal, seal_ply, seal_word, seat, session, upsert
from bot.store.sqlite_driver import hot_statement


@dataclass(frozen=True, slots=True)
class Seal:
    """A row; keys and ``channel_id`` are None once erased, ``header`` (JSON text) until sealed. ``number`` counts the
    channel's seals. ``commit_message`` is None until the commitment was posted.
    """

    id: int
    guild_id: int | None
    channel_id: int | None
    opened_by: int
    opponent_id: int | None
    opened_at: int
    number: int
    key: str | None
    hidden_key: str | None
    commit_message: int | None
    header: str | None
    sealed_at: int | None
    ended_at: int | None
    revealed_at: int | None


@dataclass(frozen=True, slots=True)
class SeedWord:
    """A player's word and name; ``word`` is "" if only its ``hash`` is known; ``given_by``: interaction id."""

    person_id: int
    name: str
    word: str
    hash: str | None = None
    given_by: int | None = None


@dataclass(frozen=True, slots=True)
class SealPly:
    """A ply of the chain: its position from 1, its stored press, its canonical JSON, its hash."""

    place: int
    session_id: int
    number: int
    ply: str
    hash: str


IS_SEALED: Final = sa.and_(seal.c.sealed_at.isnot(None), seal.c.ended_at.is_(None))
MARK: Final = sa.cast(seal_ply.c.seal_id, sa.Text) + ":" + sa.cast(seal_ply.c.place, sa.Text) + ":" + seal_ply.c.hash
"""A position in a chain as text: sealed table id, position, and hash, joined by colons."""
_MARK_OF_LAST = (
    sa.select(MARK)
    .where(seal_ply.c.seal_id == seal.c.id)
    .order_by(seal_ply.c.place.desc())
    .limit(1)
    .correlate(seal)
    .scalar_subquery()
)
CHAIN_END: Final = sa.func.coalesce(_MARK_OF_LAST, sa.cast(seal.c.id, sa.Text) + ":0:")
"""Position and hash of a chain's end; no hash before the first ply."""


def open_chain(channel_id: sa.ColumnElement[int]) -> sa.Select[tuple[str]]:
    """Select the chain end of a channel's sealed table."""
    return sa.select(CHAIN_END).where(seal.c.channel_id == channel_id, IS_SEALED)


_SEAL = sa.select(*(seal.c[name] for name in Seal.__slots__))
_OPEN_IN = hot_statement(open_chain(sa.bindparam("in_channel")))
_PUT_WORD = upsert(seal_word, ("seal_id", "person_id"), ("name", "word", "hash", "given_by"))
_PLIES = sa.select(*(seal_ply.c[name] for name in SealPly.__slots__)).order_by(seal_ply.c.place)
_ADD_PLY = hot_statement(sa.insert(seal_ply).inline())
_OF_PLY = hot_statement(
    sa.select(seal_ply.c.seal_id).where(
        seal_ply.c.session_id == sa.bindparam("of_session"), seal_ply.c.number == sa.bindparam("at_number")
    )
)
_LAST_AT = (
    sa.select(sa.func.coalesce(sa.func.max(seal_ply.c.at), seal.c.sealed_at))
    .where(seal_ply.c.seal_id == seal.c.id)
    .correlate(seal)
    .scalar_subquery()
)


async def add(connection: AsyncConnection, channel_id: int, **values: Any) -> int:
    """Request a seal; return its id. Raises ``IntegrityError`` if the channel has an open one."""
    number = (await numbers(connection, channel_id))[0] + 1
    new = sa.insert(seal).values(channel_id=channel_id, number=number, **values).returning(seal.c.id)
    return int((await connection.execute(new)).scalar_one())


async def numbers(connection: AsyncConnection, channel_id: int) -> tuple[int, int]:
    """Return the numbers of a channel's newest seal and of the last one sealed and unsealed; 0 for none."""
    highest = sa.select(sa.func.coalesce(sa.func.max(seal.c.number), 0)).where(seal.c.channel_id == channel_id)
    unsealed = highest.where(seal.c.sealed_at.isnot(None), seal.c.ended_at.isnot(None))
    return await connection.scalar(highest) or 0, await connection.scalar(unsealed) or 0


async def change(connection: AsyncConnection, /, seal_id: int, **values: Any) -> None:
    await connection.execute(sa.update(seal).where(seal.c.id == seal_id).values(values))


async def give_up(connection: AsyncConnection, seal_id: int, now: int) -> None:
    """Abandon an unsealed request: its keys and words are erased, its number stays."""
    await connection.execute(sa.delete(seal_word).where(seal_word.c.seal_id == seal_id))
    await change(connection, seal_id, ended_at=now, key=None, hidden_key=None, opened_by=0, opponent_id=None)


async def names(connection: AsyncConnection, seal_id: int) -> dict[int, str]:
    """Return the names of people who gave a word for a sealed table or sat in one of its rolls."""
    of_chain = sa.select(seal_ply.c.session_id).where(seal_ply.c.seal_id == seal_id)
    query = sa.union(
        sa.select(seal_word.c.person_id, seal_word.c.name).where(seal_word.c.seal_id == seal_id),
        sa.select(seat.c.person_id, seat.c.name).where(seat.c.person_id != FORGOTTEN, seat.c.session_id.in_(of_chain)),
    )
    return {row.person_id: row.name for row in (await connection.execute(query)).all()}


async def _read_one(connection: AsyncConnection, query: sa.Select[Any]) -> Seal | None:
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else Seal(*row)


async def _read_all(
    connection: AsyncConnection, *which: sa.ColumnElement[bool], most: int | None = None
) -> tuple[Seal, ...]:
    rows = (await connection.execute(_SEAL.where(*which).order_by(seal.c.id).limit(most))).all()
    return tuple(Seal(*row) for row in rows)


async def lock_seal(connection: AsyncConnection, seal_id: int) -> Seal | None:
    """Return a seal by its id, locked until the transaction ends."""
    return await _read_one(connection, _SEAL.where(seal.c.id == seal_id).with_for_update())


async def lock_current(connection: AsyncConnection, channel_id: int) -> Seal | None:
    """Return the channel's seal that has not ended, locked; it may still wait for words."""
    here = _SEAL.where(seal.c.channel_id == channel_id, seal.c.ended_at.is_(None))
    return await _read_one(connection, here.with_for_update())


async def last_seal(connection: AsyncConnection, channel_id: int) -> Seal | None:
    """Return the newest stored sealed table of a channel, ended or not."""
    here = _SEAL.where(seal.c.channel_id == channel_id, seal.c.sealed_at.isnot(None), seal.c.key.isnot(None))
    return await _read_one(connection, here.order_by(seal.c.id.desc()).limit(1))


async def open_in(connection: AsyncConnection, channel_id: int) -> str | None:
    """Return the chain end of a channel's sealed table."""
    result: str | None = await connection.scalar(_OPEN_IN, {"in_channel": channel_id})
    return result


async def of_ply(connection: AsyncConnection, session_id: int, number: int) -> int | None:
    """Return the sealed table at which a press was made."""
    result: int | None = await connection.scalar(_OF_PLY, {"of_session": session_id, "at_number": number})
    return result


async def words(connection: AsyncConnection, seal_id: int) -> tuple[SeedWord, ...]:
    """Return the words so far, ordered by person id."""
    columns = (seal_word.c[name] for name in SeedWord.__slots__)
    query = sa.select(*columns).where(seal_word.c.seal_id == seal_id).order_by(seal_word.c.person_id)
    return tuple(SeedWord(*row) for row in (await connection.execute(query)).all())


async def store_word(connection: AsyncConnection, seal_id: int, given: SeedWord) -> None:
    await connection.execute(_PUT_WORD, {"seal_id": seal_id, **asdict(given)})


async def plies(connection: AsyncConnection, seal_id: int, from_place: int = 1) -> tuple[SealPly, ...]:
    chain = _PLIES.where(seal_ply.c.seal_id == seal_id, seal_ply.c.place >= from_place)
    return tuple(SealPly(*row) for row in (await connection.execute(chain)).all())


async def add_ply(connection: AsyncConnection, seal_id: int, ply: SealPly, at: int) -> None:
    """Store the next ply of a chain. Raises ``IntegrityError`` if its position is taken."""
    values = {name: getattr(ply, name) for name in SealPly.__slots__}
    await connection.execute(_ADD_PLY, values | {"seal_id": seal_id, "at": at})


async def idle_seals(connection: AsyncConnection, before: int) -> tuple[Seal, ...]:
    """Return sealed tables without a press since ``before``."""
    return await _read_all(connection, IS_SEALED, before >= _LAST_AT)


async def unrevealed_seals(connection: AsyncConnection, since: int) -> tuple[Seal, ...]:
    """Return sealed tables that ended after ``since`` and whose transcript was not posted."""
    is_unposted = sa.and_(seal.c.revealed_at.is_(None), seal.c.key.isnot(None))
    return await _read_all(connection, seal.c.sealed_at.isnot(None), seal.c.ended_at >= since, is_unposted)


async def unfinished_seals(connection: AsyncConnection, before: int) -> list[int]:
    """Return seals requested before ``before`` and never completed."""
    is_unsealed = sa.and_(seal.c.sealed_at.is_(None), seal.c.ended_at.is_(None))
    return list((await connection.scalars(sa.select(seal.c.id).where(is_unsealed, seal.c.opened_at <= before))).all())


async def ended_seals(connection: AsyncConnection, after: int, before: int, most: int) -> tuple[Seal, ...]:
    """Return a page of stored sealed tables that ended before ``before``, by id, above ``after``."""
    is_kept = seal.c.channel_id.isnot(None)
    return await _read_all(connection, seal.c.id > after, seal.c.ended_at < before, is_kept, most=most)


async def of_server(connection: AsyncConnection, server_id: int) -> list[int]:
    return list((await connection.scalars(sa.select(seal.c.id).where(seal.c.guild_id == server_id))).all())


async def erase(connection: AsyncConnection, seals: list[int], now: int) -> int:
    """Erase everything of seals except their number and outcome; return the number of rows."""
    are_these = seal.c.id.in_(seals)
    statements: list[sa.Delete | sa.Update] = [
        sa.delete(seal_word).where(seal_word.c.seal_id.in_(seals)),
        sa.delete(seal_ply).where(seal_ply.c.seal_id.in_(seals)),
        sa.delete(seal).where(are_these, seal.c.sealed_at.is_(None)),
        sa.update(seal)
        .where(are_these)
        .values(guild_id=None, channel_id=None, opened_by=0, opponent_id=None, key=None, hidden_key=None, header=None)
        .values(ended_at=sa.func.coalesce(seal.c.ended_at, now)),
    ]
    return sum([(await connection.execute(statement)).rowcount for statement in statements]) if seals else 0


async def list_seated(connection: AsyncConnection, channel_id: int, since: int) -> set[int]:
    """Return the people who sat in a channel's rolls opened after ``since``."""
    query = sa.select(seat.c.person_id).distinct().join(session, session.c.id == seat.c.session_id)
    since_then = (session.c.opened_at >= since, seat.c.person_id != FORGOTTEN)
    return set((await connection.scalars(query.where(session.c.channel_id == channel_id, *since_then))).all())


async def counts(connection: AsyncConnection) -> dict[str, int]:
    """Return the numbers of tables ever sealed: revealed, still open, and lost (ended or deleted without a reveal)."""
    revealed, still_open = sa.func.count(seal.c.revealed_at), sa.func.count(sa.case((seal.c.ended_at.is_(None), 1)))
    query = sa.select(sa.func.count(), revealed, still_open).where(seal.c.sealed_at.isnot(None))
    sealed, shown, is_open = (await connection.execute(query)).one()
    return {"sealed": sealed, "revealed": shown, "is_open": is_open, "lost": sealed - shown - is_open}
