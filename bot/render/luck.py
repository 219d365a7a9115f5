"""How lucky a roll was, in one short line."""

from fractions import Fraction
from typing import Final

from bot.odds.luck import Luck
from bot.render.text import percent

RARE: Final = Fraction(1, 10)
LEAST: Final = Fraction(1, 200)
"""What is less rounds to nothing."""


def line(luck: Luck) -> str:
    """``Luck: only 4 % of such attacks go better for the attacker``; at either end, how many come to the same."""
    if not luck.better:
        return f"Luck: as good as it gets for {luck.side}: {share(luck.same)} of such {luck.rolls}"
    if not luck.worse:
        return f"Luck: as bad as it gets for {luck.side}: {share(luck.same)} of such {luck.rolls}"
    chance, how = min((luck.better, "better"), (luck.worse, "worse"))
    only = "only " if LEAST <= chance < RARE else ""
    return f"Luck: {only}{share(chance)} of such {luck.rolls} go {how} for {luck.side}"


def share(chance: Fraction) -> str:
    """Whole percents; what is not quite nothing or everything never reads as that."""
    if chance < LEAST:
        return "less than 1 %"
    return "more than 99 %" if chance >= 1 - LEAST else percent(chance, 0)
