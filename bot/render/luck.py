"""How lucky a roll was, in one short line."""

from fractions import Fraction
from typing import Final

from bot.odds.luck import Luck
from bot.render.text import percent
from bot.rules.text import Text

RARE: Final = Fraction(1, 10)
LEAST: Final = Fraction(1, 200)
"""What is less rounds to nothing."""


def line(luck: Luck) -> str:
    """``Luck: only 4 % of such attacks go better for the attacker``; at either end, how many come to the same."""
    if not luck.better:
        return Text(
            "Luck: as good as it gets for {side}: {share} of such {rolls}",
            side=luck.side,
            share=share(luck.same),
            rolls=luck.rolls,
        )
    if not luck.worse:
        return Text(
            "Luck: as bad as it gets for {side}: {share} of such {rolls}",
            side=luck.side,
            share=share(luck.same),
            rolls=luck.rolls,
        )
    chance, how = min((luck.better, "better"), (luck.worse, "worse"))
    return Text(GO[how, LEAST <= chance < RARE], share=share(chance), rolls=luck.rolls, side=luck.side)


GO: Final = {
    ("better", False): "Luck: {share} of such {rolls} go better for {side}",
    ("better", True): "Luck: only {share} of such {rolls} go better for {side}",
    ("worse", False): "Luck: {share} of such {rolls} go worse for {side}",
    ("worse", True): "Luck: only {share} of such {rolls} go worse for {side}",
}
"""By how they go, and whether that is rare."""


def share(chance: Fraction) -> str:
    """Whole percents; what is not quite nothing or everything never reads as that."""
    if chance < LEAST:
        return Text("less than 1 %")
    return Text("more than 99 %") if chance >= 1 - LEAST else percent(chance, 0)
