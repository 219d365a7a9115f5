"""The exact odds of Infinity: Normal and Face to Face Rolls, shared dice, Saving Rolls."""

from bot.odds.infinity.harm import TrooperOdds
from bot.odds.infinity.json_words import odds
from bot.odds.infinity.sides import OrderOdds, SideOdds, count, count_orders, luck, roll_results

__all__ = [
    "OrderOdds",
    "SideOdds",
    "TrooperOdds",
    "count",
    "count_orders",
    "luck",
    "odds",
    "roll_results",
]
