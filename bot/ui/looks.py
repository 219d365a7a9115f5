"""What a table shows beside the rolls themselves: the one place that is asked, so that a channel can switch it off."""

from bot.odds.odds import ADVICE, LUCK
from bot.ruleset import settings
from bot.ruleset.ruling import Ruling
from bot.sessions.sessions import Played


def has_luck(played: Played, ruling: Ruling) -> bool:
    """Whether a roll that is over says how lucky it was."""
    return played.game.KEY in LUCK and ruling[settings.LUCK]


def has_advice(played: Played, ruling: Ruling) -> bool:
    """Whether those whose window it is may ask what their choices are worth."""
    key = played.game.KEY
    return ruling[settings.ADVICE] and key in ADVICE and bool(ADVICE[key].aims(played.state))
