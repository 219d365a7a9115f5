"""The exact odds of Infinity: Normal and Face to Face Rolls, shared dice, Saving Rolls."""

from bot.odds.infinity.json_words import odds
from bot.odds.infinity.rolls import distribution, face_to_face, normal
from bot.odds.infinity.shared import hits_on_shared, winners
from bot.odds.infinity.sides import SideOdds, count, luck
from bot.odds.infinity.wounds import failures, wounds

__all__ = [
    "SideOdds",
    "count",
    "distribution",
    "face_to_face",
    "failures",
    "hits_on_shared",
    "luck",
    "normal",
    "odds",
    "winners",
    "wounds",
]
