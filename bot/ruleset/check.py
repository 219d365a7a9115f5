"""What a ruling refuses: games that are switched off, too many dice, dice rolled by hand."""

from bot.games import Game
from bot.rules.entered import steps
from bot.rules.errors import PlayerError
from bot.ruleset.ruling import Ruled, Ruling, Source
from bot.ruleset.settings import BY_HAND, GAME_ON, GM_ROLE, MOST_DICE


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


def check_by_hand(ruling: Ruling, state: object) -> None:
    """Raises ``PlayerError`` for a state with dice that a player typed in this press, if that is not allowed.

    Dice that were typed and signed in earlier presses stay.
    """
    ruled = ruling.lookup(BY_HAND)
    if not ruled.value and any(step.how == "entered" and not step.by for step in steps(state)):
        raise PlayerError(
            f"Dice rolled by hand are not allowed in {ruled.source}. Leave them out and I will roll, "
            f"or ask {who_decides(ruling, ruled)} to allow them."
        )


def who_decides(ruling: Ruling, ruled: Ruled[bool] | Ruled[int]) -> str:
    """Who may change a value: for a server's value an admin, or a GM who sets another one for the channel."""
    role = ruling[GM_ROLE]
    gm = f"a GM ({f'<@&{role}> or ' if role else ''}somebody with the permission Manage Channels)"
    if ruled.source is Source.SERVER:
        return f"somebody with the permission Manage Server, or for this channel alone {gm},"
    return gm
