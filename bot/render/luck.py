"""How lucky a roll was, in one short line."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from bot.odds.luck import Luck
from bot.render.text import percent
from bot.rules.game import Side
from bot.rules.text import N_, Text, Words

NOBODY: Final[Mapping[Side, Words]] = {}
USUAL: Final = Fraction(1, 4)
"""A best or worst result that comes so often is nothing to wonder at."""
LEAST: Final = Fraction(1, 200)
"""What is less rounds to nothing."""


def line(luck: Luck, names: Mapping[Side, Words] = NOBODY) -> Text:
    """``Luck of Ana: better than 77 % of such attacks``; at either end, how many come to the same.

    ``names`` are those of the people on each side; without one it is ``the attacker``.
    """
    same = 1 - luck.better - luck.worse  # the probability of just this result
    who = luck.side if luck.of is None else names.get(luck.of, luck.side)
    if same >= USUAL and not (luck.better and luck.worse):
        return Text("Luck of {who}: like {share} of such {rolls}", who=who, share=share(same), rolls=luck.rolls)
    if not luck.better:
        return Text("Luck of {who}: best possible ({share})", who=who, share=share(same))
    if not luck.worse:
        return Text("Luck of {who}: worst possible ({share})", who=who, share=share(same))
    is_good = luck.worse >= luck.better
    beaten = luck.worse if is_good else luck.better
    message = THAN[is_good, beaten >= 1 - LEAST]
    return Text(message, who=who, share=share(beaten), rolls=luck.rolls)


THAN: Final = {
    (True, False): N_("Luck of {who}: better than {share} of such {rolls}"),
    (True, True): N_("Luck of {who}: better than nearly all such {rolls}"),
    (False, False): N_("Luck of {who}: worse than {share} of such {rolls}"),
    (False, True): N_("Luck of {who}: worse than nearly all such {rolls}"),
}
"""By whether it is good luck, and whether the share rounds to everything."""


def share(chance: Fraction) -> Words:
    """Whole percents; what is not quite nothing or everything never reads as that."""
    if chance < LEAST:
        return Text("less than 1 %")
    return Text("more than 99 %") if chance >= 1 - LEAST else percent(chance, 0)
