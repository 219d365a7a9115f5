"""Pieces as the games know them, and the record of what a ply changed on them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.rules.errors import PlayerError
from bot.rules.pieces import PIECES, key
from bot.sessions import codec
from bot.sessions.errors import Moved
from bot.store import pieces as rows
from bot.store.pieces import Piece

PIECES_MOST: Final = 40
"""So many of one game stand in a channel."""


@dataclass(frozen=True, slots=True)
class Change:
    """A piece before and after a ply; None where it was not there."""

    before: Piece | None
    after: Piece | None

    @property
    def piece(self) -> Piece:
        piece = self.after or self.before
        assert piece is not None, "a change has at least one side"  # noqa: S101 - states how changes are made
        return piece

    def back(self) -> "Change":
        return Change(self.after, self.before)


async def settle(
    connection: AsyncConnection, game: str, channel_id: int, before: Any | None, after: Any
) -> tuple[Any, str]:
    """Take from the pieces of a roll what a ply spends: the state as the pieces make it, and the record of the change.

    Costs nothing where no piece is named.
    """
    names = PIECES[game].names(after) if game in PIECES else ()
    if not names:
        return after, "[]"
    held = await load(connection, channel_id, game, names)
    state, changed = PIECES[game].settle(before, after, bodies(held))
    return state, await keep(connection, channel_id, changes(game, held, changed))


async def load(
    connection: AsyncConnection, channel_id: int, game: str | None = None, names: Iterable[str] | None = None
) -> tuple[Piece, ...]:
    """The pieces of a channel whose game is known, of one game or by their names only."""
    keys = None if names is None else {key(name) for name in names}
    return tuple(one for one in await rows.find(connection, channel_id, game, keys) if one.game in PIECES)


def bodies(held: Iterable[Piece]) -> dict[str, Any]:
    """What the pieces are, by name. Raises ``Outdated`` for one whose form is no longer read."""
    return {one.name: body(one) for one in held}


def body(one: Piece) -> Any:
    kind = PIECES[one.game]
    if one.schema != kind.SCHEMA:
        raise codec.Outdated(one.name)
    return codec.read_body(kind.Body, one.body)


def changes(game: str, held: Iterable[Piece], changed: Mapping[str, Any | None]) -> list[Change]:
    """What really changes, if the pieces that are ``held`` become what ``changed`` says."""
    kind, before = PIECES[game], {one.key: one for one in held}
    made = []
    for name, new in changed.items():
        old = before.get(key(name))
        after = None if new is None else Piece(game, key(name), name, codec.write_body(kind.Body, new), kind.SCHEMA)
        if old != after:
            made.append(Change(old, after))
    return made


async def keep(connection: AsyncConnection, channel_id: int, made: list[Change]) -> str:
    """Write changes of pieces that this transaction has read; the record for the ply."""
    gone = [one.before for one in made if one.before and not one.after]
    await rows.remove(connection, channel_id, gone)
    await rows.change(connection, channel_id, [one.after for one in made if one.before and one.after])
    await rows.add(connection, channel_id, [one.after for one in made if one.after and not one.before])
    return write(made)


async def take_back(connection: AsyncConnection, channel_id: int, recorded: str) -> str:
    """Make pieces again what they were before a ply; the record of that. Raises ``Moved`` for one that moved on."""
    made = read(recorded)
    if not made:
        return "[]"
    now = {(one.game, one.key): one for one in await rows.find(connection, channel_id)}
    for one in made:
        if now.get((one.piece.game, one.piece.key)) != one.after:
            raise Moved(one.piece.name)
    return await keep(connection, channel_id, [one.back() for one in made])


def check_count(held: Iterable[Piece], made: Iterable[Change]) -> None:
    """Raises ``PlayerError`` when the channel would hold too many pieces."""
    made = list(made)
    more = sum(one.before is None for one in made)
    if more and len(list(held)) + more - sum(one.after is None for one in made) > PIECES_MOST:
        raise PlayerError(f"A channel holds at most {PIECES_MOST} pieces of a game. Remove one first.")


def write(made: Iterable[Change]) -> str:
    """Changes as JSON text: the bodies stay text, so that what comes back is exactly what was there."""
    told = [
        {
            "piece": one.piece.name,
            "game": one.piece.game,
            "before": one.before and asdict(one.before),
            "after": one.after and asdict(one.after),
        }
        for one in made
    ]
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False)


def read(recorded: str) -> list[Change]:
    """The changes that ``write`` wrote."""
    return [
        Change(told["before"] and Piece(**told["before"]), told["after"] and Piece(**told["after"]))
        for told in json.loads(recorded)
    ]
