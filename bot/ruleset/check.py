"""What a ruling refuses: games that are switched off, too many dice, dice rolled by hand."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from bot.games import Game
from bot.rules.dice import Rolled, typed_by
from bot.rules.errors import PlayerError
from bot.rules.game import Field, Offer
from bot.ruleset.ruling import Ruled, Ruling, Source
from bot.ruleset.settings import BY_HAND, GAME_ON, GM_ROLE, MOST_DICE, SEALED


class SwitchedOff(PlayerError):
    """A game that is switched off here; the message names who can switch it on."""


def check_game(ruling: Ruling, game: Game) -> None:
    """Raises ``SwitchedOff`` naming who can switch the game on."""
    setting = GAME_ON.get(game.key)
    if setting is not None and not (ruled := ruling.lookup(setting)).value:
        raise SwitchedOff(
            f"{game.title} is switched off in {ruled.source}. To play it, ask {who_decides(ruling, ruled)} "
            f"to type `/ruleset set setting: {setting.title} value: on`."
        )


def check_count(ruling: Ruling, count: int) -> None:
    """Raises ``PlayerError`` for a roll of more dice than a ruleset allows."""
    ruled = ruling.lookup(MOST_DICE)
    if count > ruled.value:
        raise PlayerError(
            f"That is {count} dice, but {ruled.source} allows at most {ruled.value} in a roll. "
            f"Roll fewer at once, or ask {who_decides(ruling, ruled)} to allow more."
        )


def check_by_hand(ruling: Ruling, before: Iterable[Rolled], after: Iterable[Rolled]) -> None:
    """Raises ``PlayerError`` if somebody typed dice in just now, where that is not allowed.

    ``before`` and ``after`` are the dice on the table; those that were typed in earlier may stay.
    """
    if len(typed_by(after)) > len(typed_by(before)):
        check_may_type(ruling)


def check_camera(ruling: Ruling, game: Game, words: Collection[str]) -> None:
    """Raises ``PlayerError`` for a declaration of dice that people roll by hand later, where that is not allowed."""
    if not set(game.by_hand_words).isdisjoint(words):
        check_may_type(ruling)


def check_offer(ruling: Ruling, offer: Offer) -> None:
    """Raises ``PlayerError`` for an offer of dice rolled by hand, where that is not allowed."""
    if offer.by_hand:
        check_may_type(ruling)


def check_may_type(ruling: Ruling) -> None:
    ruled = ruling.lookup(BY_HAND)
    if not ruled.value:
        raise PlayerError(
            f"Dice rolled by hand are not allowed in {ruled.source}. Leave them out and I will roll, "
            f"or ask {who_decides(ruling, ruled)} to allow them."
        )


def allowed_offers(ruling: Ruling, offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """The offers without those of dice rolled by hand, where that is not allowed."""
    return tuple(one for one in offers if ruling[BY_HAND] or not one.by_hand)


def allowed_fields(ruling: Ruling, fields: Iterable[Field]) -> tuple[Field, ...]:
    """The fields of a form without what is for dice rolled by hand, where that is not allowed.

    What must be filled in stays: those dice lie on a table already.
    """
    if ruling[BY_HAND]:
        return tuple(fields)
    kept = (one for one in fields if one.required or not one.by_hand)
    return tuple(replace(one, options=tuple(option for option in one.options if not option.by_hand)) for one in kept)


def check_sealed(ruling: Ruling, *, is_sealed: bool) -> None:
    """Raises ``PlayerError`` for dice at a table that is not sealed, where a ruleset wants a seal."""
    ruled = ruling.lookup(SEALED)
    if ruled.value and not is_sealed:
        raise PlayerError(
            f"In {ruled.source}, I roll at sealed tables only. Type `/table seal`, give your words and seal the table. "
            "Then roll."
        )


def who_decides(ruling: Ruling, ruled: Ruled[bool] | Ruled[int]) -> str:
    """Who may change a value: for a server's value an admin, or a GM who sets another one for the channel."""
    role = ruling[GM_ROLE]
    gm = f"a GM ({f'<@&{role}> or ' if role else ''}somebody with the permission Manage Channels)"
    if ruled.source is Source.SERVER:
        return f"somebody with the permission Manage Server, or for this channel alone {gm},"
    return gm
