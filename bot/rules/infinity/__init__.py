"""Infinity: Face to Face and Normal Rolls, whole orders, and Saving Rolls (rules page, Infinity)."""

from bot.rules.infinity.orders.json_orders import declare
from bot.rules.infinity.orders.play import State, choose, dice_count, offers, outcome, rolled, start
from bot.rules.text import Name

__all__ = ["KEY", "SCHEMA", "TITLE", "State", "choose", "declare", "dice_count", "offers", "outcome", "rolled", "start"]

KEY = "infinity"
TITLE = Name("Infinity")
SCHEMA = 1
