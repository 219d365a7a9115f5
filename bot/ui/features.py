"""What a card shows beside the roll itself: luck and advice. A ruleset can switch each off."""

from bot.ruleset import settings
from bot.ruleset.ruling import Ruling
from bot.sessions.roll import Played


def has_luck(played: Played, ruling: Ruling) -> bool:
    """Whether a finished roll says how lucky it was."""
    return played.game.chances.luck is not None and ruling[settings.LUCK]


def has_advice(played: Played, ruling: Ruling) -> bool:
    """Whether the player whose window is open may ask for advice."""
    adviser = played.game.chances.advice
    is_on = ruling[settings.ADVICE] and not played.is_closed
    return is_on and adviser is not None and bool(adviser.aims(played.state))


def has_undo(played: Played) -> bool:
    """Whether a card has a button that takes its last press back."""
    return played.game.has_undo and not played.is_closed
