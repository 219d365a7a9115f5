"""Any dice: rolls outside the other games, in the notation that dice bots share (``4d6kh3``, ``6d10>=7``, ``4dF``)."""

from bot.rules.anydice.play import NOTES, State, choose, declare, dice_count, offers, outcome, rolled, start

__all__ = [
    "KEY",
    "NOTES",
    "SCHEMA",
    "TITLE",
    "State",
    "choose",
    "declare",
    "dice_count",
    "offers",
    "outcome",
    "rolled",
    "start",
]

KEY = "anydice"
TITLE = "Any dice"
SCHEMA = 2
