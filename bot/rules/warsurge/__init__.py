"""WARSURGE: attack dice by three methods (rules page, WARSURGE)."""

from bot.rules.text import Name
from bot.rules.warsurge.declared import declare
from bot.rules.warsurge.play import AttackRoll, VolleyRoll, choose, dice_count, offers, outcome, rolled, start

__all__ = ["KEY", "SCHEMA", "TITLE", "State", "choose", "declare", "dice_count", "offers", "outcome", "rolled", "start"]

KEY = "warsurge"
TITLE = Name("WARSURGE")
SCHEMA = 1
State = AttackRoll | VolleyRoll
