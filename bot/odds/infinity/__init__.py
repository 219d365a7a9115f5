"""The exact odds of Infinity."""

from bot.odds.infinity.rolls import face_to_face, normal
from bot.odds.infinity.shared import hits_on_shared, winners
from bot.odds.infinity.told import law, odds
from bot.odds.infinity.wounds import failures, wounds

__all__ = ["face_to_face", "failures", "hits_on_shared", "law", "normal", "odds", "winners", "wounds"]
