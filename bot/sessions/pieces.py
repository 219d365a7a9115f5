"""Pieces as the games know them, their owners, and each ply's changes. Only its owner or a GM plays a piece; only its
owner looks at its facedown cards.
"""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games import GAMES, Game
from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.pieces import Pieces, key
from bot.rules.text import N_, Message, Name, Names, Text
from bot.sessions import codec
from bot.sessions.codec import PieceChange
from bot.sessions.request import Person, Request
from bot.store import pieces as rows
from bot.store.people import FORGOTTEN
from bot.store.pieces import Piece, Player, players_of

MAX_PIECES: Final = 41
"""Maximum number of pieces of one game in a channel: 40 ships or troopers, and the turn."""
ONLY_PLAYERS: Final = N_("Only people who play here, or a GM, can do that: {names}. To join, add pieces of your own.")
OWNER_OR_GM: Final = N_("{piece} belongs to {holder}, so only {holder} or a GM can do that.")


class NotYourPieceError(PlayerError):
    """The piece belongs to somebody else; ``holder`` is its owner's name."""

    def __init__(self, piece: str, holder: str, message: Message = OWNER_OR_GM) -> None:
        super().__init__(Text(message, piece=Name(piece), holder=Name(holder)))


async def apply_ply(
    connection: AsyncConnection,
    game: Game,
    channel_id: int,
    before: Any | None,
    after: Any,
    rng: Rng,
    names: Iterable[str] | None,
) -> tuple[Any, str]:
    """Apply a roll's ply to the pieces; return the state as they change it, and the record of changes. ``rng``: the
    ply's chance, for further dice or cards; ``names``: pieces that it may change.
    """
    assert game.table.changes is not None, "it has named the pieces"  # noqa: S101 - states it
    held = await load(connection, channel_id, game.key, names)
    state, changed = game.table.changes.settle(before, after, bodies(held), rng)
    return state, await keep(connection, channel_id, changes(game.key, held, changed))


async def load(
    connection: AsyncConnection, channel_id: int, game: str | None = None, names: Iterable[str] | None = None
) -> tuple[Piece, ...]:
    """Return a channel's pieces of known games: all, of one game, or by name."""
    keys = None if names is None else {key(name) for name in names}
    return tuple(
        piece for piece in await rows.find(connection, channel_id, game, keys) if kind_of(piece.game) is not None
    )


def kind_of(game: str) -> Pieces | None:
    """Return a game's piece type; None for a game without pieces or an unknown one."""
    return GAMES[game].table.pieces if game in GAMES else None


def bodies(held: Iterable[Piece]) -> dict[str, Any]:
    """Return the pieces' bodies, by name. Raises ``OutdatedStateError`` for one whose form is no longer read."""
    return {piece.name: body(piece) for piece in held}


async def table(
    connection: AsyncConnection, channel_id: int, game: str, names: Iterable[str] | None = None
) -> dict[str, Any]:
    """Return a game's pieces in a channel by name, all or some; raises as ``bodies``."""
    return bodies(await load(connection, channel_id, game, names))


def by_game(held: Iterable[Piece]) -> dict[str, dict[str, Any]]:
    """Return pieces of several games by game and name; every game is included."""
    result: dict[str, dict[str, Any]] = {game: {} for game in GAMES}
    for piece in held:
        result[piece.game][piece.name] = body(piece)
    return result


def body(piece: Piece) -> Any:
    kind = kind_of(piece.game)
    if kind is None or piece.schema != kind.SCHEMA:
        raise codec.OutdatedStateError(Name(piece.name))
    return codec.read_body(kind.Body, piece.body)


def owner_numbers(piece: Piece) -> tuple[int, ...]:
    """Return the numbers of a piece's owners and users; none for an outdated schema."""
    try:
        held = body(piece)
    except codec.OutdatedStateError:
        return ()
    result: tuple[int, ...] = getattr(held, "owners", None) or (getattr(held, "owner", 0),)
    return result


async def list_owners(connection: AsyncConnection, channel_id: int, also: Iterable[Piece] = ()) -> list[Player]:
    """Return a channel's players who own pieces or are in ``also``, without forgotten ones."""
    known = await players_of(connection, channel_id)
    held = (*(await load(connection, channel_id) if known else ()), *also)
    numbers = {number for piece in held for number in owner_numbers(piece)}
    return [player for number, player in known.items() if number in numbers and player.person_id != FORGOTTEN]


def public_bodies(result: Iterable[PieceChange]) -> dict[str, Any]:
    """Return changed pieces in public form, by name, in plain values; None for one that is gone. Pieces whose public
    form is unchanged are left out: that a secret has changed is itself a secret.
    """
    found: dict[str, Any] = {}
    for change in result:
        see = GAMES[change.piece.game].table.seen if change.piece.game in GAMES else None
        if change.after is None or see is None:
            found[change.piece.name] = change.after and codec.read_plain(change.after.body)
            continue
        shown, was = see(body(change.after)), change.before and see(body(change.before))
        if shown is not None and shown != was:
            found[change.piece.name] = codec.read_plain(codec.write_body(type(shown), shown))
    return found


def changes(game: str, held: Iterable[Piece], changed: Mapping[str, Any | None]) -> list[PieceChange]:
    """Return the actual changes from the ``held`` pieces to ``changed``."""
    kind, before = kind_of(game), {piece.key: piece for piece in held}
    assert kind is not None, "only games with pieces change any"  # noqa: S101 - states how steps are called
    result = []
    for name, new in changed.items():
        old = before.get(key(name))
        after = None if new is None else Piece(game, key(name), name, codec.write_body(kind.Body, new), kind.SCHEMA)
        if old != after:
            result.append(PieceChange(old, after))
    return result


async def keep(connection: AsyncConnection, channel_id: int, result: list[PieceChange]) -> str:
    """Store changes of pieces read in this transaction; return the record for the ply."""
    gone = [change.before for change in result if change.before and not change.after]
    await rows.remove(connection, channel_id, gone)
    await rows.change(connection, channel_id, [change.after for change in result if change.before and change.after])
    await rows.add(connection, channel_id, [change.after for change in result if change.after and not change.before])
    return codec.write_changes(result)


async def take_back(connection: AsyncConnection, channel_id: int, recorded: str) -> str:
    """Restore pieces to their state before a ply; return the record. Raises ``PlayerError`` if one moved on."""
    result = codec.read_changes(recorded)
    if not result:
        return "[]"
    now = {(piece.game, piece.key): piece for piece in await rows.find(connection, channel_id)}
    for change in result:
        if now.get((change.piece.game, change.piece.key)) != change.after:
            raise PlayerError(
                "{piece} has changed since that press, so the press can't be taken back. Correct {piece} by hand.",
                piece=Name(change.piece.name),
            )
    return await keep(connection, channel_id, [PieceChange(item.after, item.before) for item in result])


def check_count(held: Iterable[Piece], result: Iterable[PieceChange]) -> None:
    """Raise ``PlayerError`` if the channel would have too many pieces."""
    result = list(result)
    more = sum(change.before is None for change in result)
    if more and len(list(held)) + more - sum(change.after is None for change in result) > MAX_PIECES:
        message = N_("A channel can have at most {pieces_most} pieces per game. Remove one first.")
        raise PlayerError(Text(message, pieces_most=MAX_PIECES))


def owner(body: Any, players: Mapping[int, Player]) -> Player | None:
    """Return a piece's owner; None for one that anyone may play, or whose owner asked to be forgotten."""
    return player_of(getattr(body, "owner", 0), players)


def player_of(number: int, players: Mapping[int, Player]) -> Player | None:
    """Return the player of a number; None if unknown or forgotten."""
    player = players.get(number)
    return None if player is None or player.person_id == FORGOTTEN else player


def check_player(held: Iterable[Any], players: Mapping[int, Player], request: Request) -> None:
    """Raise ``PlayerError`` for a person who owns none of these pieces, if others do. A place in the turn order is no
    piece of a game.
    """
    owners = dict.fromkeys(filter(None, (owner(body, players) for body in held)))
    if owners and not request.is_gm and request.by.id not in [player.person_id for player in owners]:
        names = [player.name for player in sorted(owners, key=attrgetter("id"))]
        raise PlayerError(Text(ONLY_PLAYERS, names=Names(list(dict.fromkeys(names)), "or")))


def check_owner(bodies: Iterable[Any], players: Mapping[int, Player], request: Request) -> None:
    """Raise ``NotYourPieceError`` for the first of these pieces that a person may not touch."""
    for body in bodies:
        if (holder := owner(body, players)) is not None and not may_play(body, players, request):
            raise NotYourPieceError(body.name, holder.name)


def may_play(body: Any, players: Mapping[int, Player], request: Request) -> bool:
    """Whether a person may act with a piece: their own, nobody's, or the bot's; a GM with all."""
    holder = owner(body, players)
    return holder is None or holder.person_id in (request.by.id, request.bot_id) or request.is_gm


def check_look(body: Any, players: Mapping[int, Player], by: Person) -> None:
    """Raise ``NotYourPieceError`` for anyone but the owner, even a GM: they may play, and nobody sees them looking."""
    holder = owner(body, players)
    if holder is not None and holder.person_id != by.id:
        message = N_("{piece} belongs to {holder}, so only {holder} can look at its facedown cards.")
        raise NotYourPieceError(body.name, holder.name, message)
