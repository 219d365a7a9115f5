"""Whose a piece is: only its owner, or a GM, plays it; only its owner looks at its facedown cards."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from bot.rules.errors import PlayerError
from bot.rules.text import N_, Message, Name, Names, Text
from bot.sessions.place import Person
from bot.sessions.request import Request
from bot.store.people import FORGOTTEN
from bot.store.players import Player

OWNER_OR_GM: Final = N_("{piece} belongs to {holder}, so only {holder} or a GM can do that.")


class NotYourPiece(PlayerError):
    """A piece belongs to somebody else; ``holder`` is the name of its owner."""

    def __init__(self, piece: str, holder: str, message: Message = OWNER_OR_GM) -> None:
        self.piece, self.holder = piece, holder
        super().__init__(Text(message, piece=Name(piece), holder=Name(holder)))


def owner(body: Any, players: Mapping[int, Player]) -> Player | None:
    """Whose a piece is; None for one that anybody may play, or whose owner asked to be forgotten."""
    found = players.get(getattr(body, "owner", 0))
    return None if found is None or found.person_id == FORGOTTEN else found


def check_player(players: Mapping[int, Player], request: Request) -> None:
    """Raises ``PlayerError`` for somebody who has no pieces in a channel where others have."""
    if players and not request.is_gm and request.by.id not in [player.person_id for player in players.values()]:
        names = list(dict.fromkeys(player.name for player in players.values() if player.person_id != FORGOTTEN))
        allowed = Names([*names, Text("a GM")], "or")
        raise PlayerError(Text("Only people who have ships here can do that: {names}.", names=allowed))


def check_owner(bodies: Iterable[Any], players: Mapping[int, Player], request: Request) -> None:
    """Raises ``NotYourPiece`` for the first of these pieces that somebody may not touch."""
    for body in bodies:
        holder = owner(body, players)
        if holder is not None and holder.person_id not in (request.by.id, request.bot_id) and not request.is_gm:
            raise NotYourPiece(body.name, holder.name)


def check_look(body: Any, players: Mapping[int, Player], by: Person) -> None:
    """Raises ``NotYourPiece`` for anybody but the owner, a GM too: GMs often play, and nobody sees that they looked."""
    holder = owner(body, players)
    if holder is not None and holder.person_id != by.id:
        message = N_("{piece} belongs to {holder}, so only {holder} looks at its facedown cards.")
        raise NotYourPiece(body.name, holder.name, message)
