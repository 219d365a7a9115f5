"""Plans: what people have chosen in private. A sheet is one row: changed while it is a draft, never once it is fixed.

Inside ``Database.transaction``, like everything here.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.driver import hot
from bot.store.schema import piece, plan


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: whose in which channel, its game and name, what is chosen (JSON), and the commitment; None for a draft.

    ``at``: seconds since 1970.
    """

    channel_id: int
    guild_id: int | None
    player_id: int
    game: str
    sheet: str
    body: str
    root: str | None
    at: int


_COLUMNS = [plan.c[name] for name in Sheet.__slots__]
_IS_DRAFT = (
    plan.c.channel_id == bindparam("in_channel"),
    plan.c.player_id == bindparam("of_player"),
    plan.c.game == bindparam("of_game"),
    plan.c.sheet == bindparam("of_sheet"),
    plan.c.root.is_(None),
)
_DRAFT = hot(select(plan.c.body).where(*_IS_DRAFT).with_for_update())
_ADD = insert(plan)
_CHANGE = hot(update(plan).where(*_IS_DRAFT).values(body=bindparam("new_body"), at=bindparam("now")))
_OF_ROOTS = (
    select(*_COLUMNS)
    .where(plan.c.channel_id == bindparam("in_channel"), plan.c.root.in_(bindparam("roots", expanding=True)))
    .order_by(plan.c.id)
)


async def draft(connection: AsyncConnection, channel_id: int, player_id: int, game: str, sheet: str) -> str | None:
    """What is chosen so far (JSON), locked; None for nothing."""
    where = {"in_channel": channel_id, "of_player": player_id, "of_game": game, "of_sheet": sheet}
    found: str | None = await connection.scalar(_DRAFT, where)
    return found


async def keep(connection: AsyncConnection, one: Sheet, *, is_known: bool) -> None:
    """Write a draft, in place of the one that was read if there ``is_known`` one, or a sheet that is fixed."""
    if is_known:
        where = {"in_channel": one.channel_id, "of_player": one.player_id, "of_game": one.game, "of_sheet": one.sheet}
        await connection.execute(_CHANGE, {**where, "new_body": one.body, "now": one.at})
    else:
        await connection.execute(_ADD, {name: getattr(one, name) for name in Sheet.__slots__})


async def of_roots(connection: AsyncConnection, channel_id: int, roots: Collection[str]) -> dict[str, Sheet]:
    """The fixed sheets of a channel with these commitments, by those."""
    if not roots:
        return {}
    rows = (await connection.execute(_OF_ROOTS, {"in_channel": channel_id, "roots": sorted(roots)})).all()
    return {row.root: Sheet(*row) for row in rows}


async def prune(connection: AsyncConnection, channel_id: int, until: int) -> None:
    """Erase what was last changed before a moment and is on no table any more."""
    is_on_table = exists().where(piece.c.channel_id == plan.c.channel_id, piece.c.body.contains(plan.c.root))
    await connection.execute(delete(plan).where(plan.c.channel_id == channel_id, plan.c.at < until, ~is_on_table))
