"""The exact odds of Infinity: Normal and Face to Face Rolls, shared dice, Saving Rolls."""

from bot.odds.infinity.harm import TrooperOdds, failures, harm, wounds
from bot.odds.infinity.json_words import odds
from bot.odds.infinity.rolls import distribution, face_to_face, hits_on_shared, normal, winners
from bot.odds.infinity.sides import OrderOdds, SideOdds, count, count_orders, luck, roll_results
from bot.odds.infinity.successes import net_successes

__all__ = [
    "OrderOdds",
    "SideOdds",
    "TrooperOdds",
    "count",
    "count_orders",
    "distribution",
    "face_to_face",
    "failures",
    "harm",
    "hits_on_shared",
    "luck",
    "net_successes",
    "normal",
    "odds",
    "roll_results",
    "winners",
    "wounds",
]
