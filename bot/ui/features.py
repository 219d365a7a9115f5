"""What a card shows beside the roll itself: luck and advice. A ruleset can switch each off."""

from functools import partial

from bot.client import Interaction
from bot.odds.luck import Luck
from bot.ruleset import settings
from bot.ruleset.ruling import Ruling
from bot.sessions.roll import Played
from bot.ui.place import asker
from bot.workers import NotCounted


def has_luck(played: Played, ruling: Ruling) -> bool:
    """Whether the card of a finished roll says how lucky it was."""
    return has_luck_at_all(played, ruling) and not played.game.chances.is_luck_apart


def has_luck_apart(played: Played, ruling: Ruling) -> bool:
    """Whether How? says it."""
    return has_luck_at_all(played, ruling) and played.game.chances.is_luck_apart


def has_luck_at_all(played: Played, ruling: Ruling) -> bool:
    return played.game.chances.luck is not None and ruling[settings.LUCK]


async def count_luck(interaction: Interaction, played: Played) -> Luck | None:
    """How lucky a roll was; None where that cannot be counted just now: the card matters more."""
    try:
        by = asker(interaction)._replace(person=None)
        return await interaction.client.workers.count(partial(played.game.luck_of, played.state), asked_by=by)
    except NotCounted:
        return None


def has_advice(played: Played, ruling: Ruling) -> bool:
    """Whether the player whose window is open may ask for advice."""
    adviser = played.game.chances.advice
    is_on = ruling[settings.ADVICE] and not played.is_closed
    return is_on and adviser is not None and bool(adviser.aims(played.state))


def has_undo(played: Played) -> bool:
    """Whether a card has a button that takes its last press back."""
    return played.game.has_undo and not played.is_closed
