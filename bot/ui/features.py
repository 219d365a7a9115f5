"""What a table shows beside the rolls themselves: the one place that is asked, so that a channel can switch it off."""

from bot.ruleset import settings
from bot.ruleset.ruling import Ruling
from bot.sessions.roll import Played


def has_luck(played: Played, ruling: Ruling) -> bool:
    """Whether a roll that is over says how lucky it was."""
    return played.game.luck is not None and ruling[settings.LUCK]


def has_advice(played: Played, ruling: Ruling) -> bool:
    """Whether those whose window it is may ask what their choices are worth."""
    adviser = played.game.advice
    return ruling[settings.ADVICE] and adviser is not None and bool(adviser.aims(played.state))
