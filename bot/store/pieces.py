"""Pieces of a channel (ships, profiles; each game defines the body), its players, and their private plan sheets.

A sheet is one row, changed while it is a draft, never once it is fixed. Pieces and their changes name an owner by
number only, so forgetting a person changes one row. Runs inside ``Database.transaction``; rows read for a change stay
locked until its end.
"""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass

from sqlalchemy import bindparam, delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import piece, plan, player
from bot.store.sqlite_driver import hot_statement


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: its game, name, lookup key, and body (JSON text)."""

    game: str
    key: str
    name: str
    body: str
    schema: int


@dataclass(frozen=True, slots=True)
class Player:
    """A person with pieces in a channel: their number there, and their Discord id."""

    id: int
    person_id: int
    name: str


_EVERY = (
    select(*(piece.c[name] for name in Piece.__slots__))
    .where(piece.c.channel_id == bindparam("in_channel"))
    .order_by(piece.c.game, piece.c.key)
    .with_for_update()
)
_ALL = hot_statement(_EVERY)
_OF_GAME = hot_statement(_EVERY.where(piece.c.game == bindparam("of_game")))
_NAMED = _OF_GAME.where(piece.c.key.in_(bindparam("keys", expanding=True)))
_THIS = (
    piece.c.channel_id == bindparam("in_channel"),
    piece.c.game == bindparam("of_game"),
    piece.c.key == bindparam("of_key"),
)
_CHANGE = hot_statement(
    update(piece)
    .where(*_THIS)
    .values(name=bindparam("new_name"), body=bindparam("new_body"), schema=bindparam("new_schema"))
)
_REMOVE = delete(piece).where(*_THIS)

_PLAYERS = hot_statement(
    select(player.c.id, player.c.person_id, player.c.name)
    .where(player.c.channel_id == bindparam("in_channel"))
    .order_by(player.c.id)
)
_RENAME_PLAYER = update(player).where(player.c.id == bindparam("of_player")).values(name=bindparam("new_name"))


async def find(
    connection: AsyncConnection, channel_id: int, game: str | None = None, keys: Iterable[str] | None = None
) -> tuple[Piece, ...]:
    """Return the pieces of a channel, of one game or with some keys only, ordered by game and key."""
    query, values = _ALL, {"in_channel": channel_id, "of_game": game, "keys": keys and list(keys)}
    if game is not None:
        query = _OF_GAME if keys is None else _NAMED
    wanted = {name: value for name, value in values.items() if value is not None}
    rows = (await connection.execute(query, wanted)).all()
    return tuple(Piece(*row) for row in rows)


async def add(connection: AsyncConnection, channel_id: int, pieces: list[Piece]) -> None:
    """Insert pieces. Raises ``IntegrityError`` if the channel has one of that key."""
    if pieces:
        await connection.execute(insert(piece), [{"channel_id": channel_id, **asdict(item)} for item in pieces])


async def change(connection: AsyncConnection, channel_id: int, pieces: list[Piece]) -> None:
    """Store new names and bodies of pieces, by key."""
    if pieces:
        texts = [{"new_name": item.name, "new_body": item.body, "new_schema": item.schema} for item in pieces]
        rows = [{**_piece_key(channel_id, item), **text} for item, text in zip(pieces, texts, strict=True)]
        await connection.execute(_CHANGE, rows)


async def remove(connection: AsyncConnection, channel_id: int, pieces: list[Piece]) -> None:
    if pieces:
        await connection.execute(_REMOVE, [_piece_key(channel_id, item) for item in pieces])


def _piece_key(channel_id: int, item: Piece) -> dict[str, object]:
    return {"in_channel": channel_id, "of_game": item.game, "of_key": item.key}


async def players_of(connection: AsyncConnection, channel_id: int) -> dict[int, Player]:
    rows = (await connection.execute(_PLAYERS, {"in_channel": channel_id})).all()
    return {row.id: Player(*row) for row in rows}


async def ensure_player(
    connection: AsyncConnection, channel_id: int, guild_id: int | None, person_id: int, name: str
) -> Player:
    """Return a person as a player of a channel, added if new, under their current name."""
    here = (await players_of(connection, channel_id)).values()
    known = next((item for item in here if item.person_id == person_id), None)
    if known is None:
        values = {"channel_id": channel_id, "guild_id": guild_id, "person_id": person_id, "name": name}
        added = await connection.execute(insert(player).returning(player.c.id), values)
        return Player(added.scalar_one(), person_id, name)
    if known.name != name:
        await connection.execute(_RENAME_PLAYER, {"of_player": known.id, "new_name": name})
    return Player(known.id, person_id, name)


# Plans


@dataclass(frozen=True, slots=True)
class PlanSheet:
    """A sheet: channel, player, game, name, choices (JSON), commitment (None: a draft), and seconds since 1970."""

    channel_id: int
    guild_id: int | None
    player_id: int
    game: str
    sheet: str
    body: str
    root: str | None
    at: int


_SHEET = [plan.c[name] for name in PlanSheet.__slots__]
_IS_DRAFT = (
    plan.c.channel_id == bindparam("in_channel"),
    plan.c.player_id == bindparam("of_player"),
    plan.c.game == bindparam("of_game"),
    plan.c.sheet == bindparam("of_sheet"),
    plan.c.root.is_(None),
)
_DRAFT = hot_statement(select(plan.c.body).where(*_IS_DRAFT).with_for_update())
_CHANGE_DRAFT = hot_statement(update(plan).where(*_IS_DRAFT).values(body=bindparam("new_body"), at=bindparam("now")))
_OF_ROOTS = (
    select(*_SHEET)
    .where(plan.c.channel_id == bindparam("in_channel"), plan.c.root.in_(bindparam("roots", expanding=True)))
    .order_by(plan.c.id)
)


async def draft(connection: AsyncConnection, channel_id: int, player_id: int, game: str, sheet: str) -> str | None:
    """Return the choices made so far (JSON), locked; None for none."""
    where = {"in_channel": channel_id, "of_player": player_id, "of_game": game, "of_sheet": sheet}
    result: str | None = await connection.scalar(_DRAFT, where)
    return result


async def keep_sheet(connection: AsyncConnection, sheet: PlanSheet, *, is_known: bool) -> None:
    """Store a draft or fixed sheet; ``is_known``: it replaces the draft that was read."""
    if is_known:
        where = {
            "in_channel": sheet.channel_id,
            "of_player": sheet.player_id,
            "of_game": sheet.game,
            "of_sheet": sheet.sheet,
        }
        await connection.execute(_CHANGE_DRAFT, {**where, "new_body": sheet.body, "now": sheet.at})
    else:
        await connection.execute(insert(plan), {name: getattr(sheet, name) for name in PlanSheet.__slots__})


async def sheets_of(connection: AsyncConnection, channel_id: int, roots: Collection[str]) -> dict[str, PlanSheet]:
    """Return a channel's fixed sheets with these commitments, by commitment."""
    if not roots:
        return {}
    rows = (await connection.execute(_OF_ROOTS, {"in_channel": channel_id, "roots": sorted(roots)})).all()
    return {row.root: PlanSheet(*row) for row in rows}


async def prune_sheets(connection: AsyncConnection, channel_id: int, until: int) -> None:
    """Delete sheets last changed before a time that no table uses anymore."""
    is_on_table = exists().where(piece.c.channel_id == plan.c.channel_id, piece.c.body.contains(plan.c.root))
    await connection.execute(delete(plan).where(plan.c.channel_id == channel_id, plan.c.at < until, ~is_on_table))
