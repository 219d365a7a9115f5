"""Rolls that are kept secret: who may see one before it is revealed, and which rolls can be secret at all.

A secret roll falls when it is opened, is one ply, changes no piece, and waits for nobody. Until it is revealed the
store gives it only to those who ask for hidden rolls (``bot.store.sessions.newest``), so that whatever reads rolls for
everybody says the same whichever dice fell. That includes undo, so that nobody rerolls a secret roll or peeks at it.
Its dice never count for luck nor on the fairness page, even when they were revealed: people show what went well.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from bot.games import Game
from bot.rules.dice import Rolled, typed_by
from bot.rules.errors import PlayerError
from bot.rules.text import Text


class Secrecy(StrEnum):
    """Who alone sees a roll: whoever rolled it, or the GMs.

    A practice is nobody else's either. It may wait for choices and is never revealed; it counts for nothing, and goes
    when it ends, or a day after it began.
    """

    SECRET = "secret"  # noqa: S105 - no password
    BLIND = "blind"
    PRACTICE = "practice"


NOT_YOURS: Final[Mapping[Secrecy, Text]] = {
    Secrecy.PRACTICE: Text("Only the person who practises sees this roll."),
    Secrecy.BLIND: Text("Only a GM may look at a blind roll. Ask a GM to look, or to reveal it."),
    Secrecy.SECRET: Text("Only the person who rolled may look at a secret roll. Ask them to reveal it."),
}
"""What somebody hears who asks for a secret roll that they may not see."""
REVEALED: Final = Text("This roll is no longer secret. You find it with `/table history`.")


def may_see(secrecy: Secrecy, opened_by: int, person: int, *, is_gm: bool) -> bool:
    """Whether a person may see a roll before it is revealed."""
    return is_gm if secrecy is Secrecy.BLIND else person == opened_by


def check_can_be_secret(game: Game, declared: object) -> None:
    """Raises ``PlayerError`` for a roll that cannot be secret. Only the declaration decides, never the dice."""
    if game.not_secret is None:
        raise PlayerError("A roll of {game} cannot be secret. Leave out `secret` and `blind`.", game=game.title)
    if reason := game.not_secret(declared):
        raise PlayerError("{reason} So this roll cannot be secret. Leave out `secret` and `blind`.", reason=reason)


def check_drawn(dice: Iterable[Rolled]) -> None:
    """Raises ``PlayerError`` for dice that people rolled by hand."""
    if typed_by(dice):
        raise PlayerError("Nobody else saw the dice that you rolled by hand. Leave them out of a secret roll.")


def check_first_time(*, comes_again: bool) -> None:
    """Raises ``PlayerError`` where dice that were taken back come again: everybody has seen them."""
    if comes_again:
        raise PlayerError(
            "You took back dice like these, and they come again, which everybody has seen. Roll such dice once "
            "without `secret` and `blind`; then you can roll in secret again."
        )
