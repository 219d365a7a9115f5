"""How lucky a roll was, in one short line."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from bot.odds.luck import Luck
from bot.render.text import percent
from bot.rules.game import Side
from bot.rules.text import N_, Text, Words, labelled

NOBODY: Final[Mapping[Side, Words]] = {}
USUAL: Final = Fraction(1, 4)
"""A best or worst result that comes so often is nothing to wonder at."""
LEAST: Final = Fraction(1, 200)
"""What is less rounds to nothing."""


def line(luck: Luck, names: Mapping[Side, Words] = NOBODY) -> Text:
    """``Luck of Ana: better than 77 % of such attacks``; at either end, how many come to the same.

    ``names`` are those of the people on each side; without one it is that of a role.
    """
    same = 1 - luck.better - luck.worse  # the probability of just this result
    who = names.get(luck.of, "") if luck.of is not None else ""
    return labelled(Text("Luck of {who}", who=who) if who else luck.side, than(luck, same))


def than(luck: Luck, same: Fraction) -> Text:
    """How it compares, behind whose luck it is."""
    if same >= USUAL and not (luck.better and luck.worse):
        return Text("like {share} of such {rolls}", share=share(same), rolls=luck.rolls)
    if not luck.better:
        return Text("best possible ({share})", share=share(same))
    if not luck.worse:
        return Text("worst possible ({share})", share=share(same))
    is_good = luck.worse >= luck.better
    beaten = luck.worse if is_good else luck.better
    return Text(THAN[is_good, beaten >= 1 - LEAST], share=share(beaten), rolls=luck.rolls)


THAN: Final = {
    (True, False): N_("better than {share} of such {rolls}"),
    (True, True): N_("better than nearly all such {rolls}"),
    (False, False): N_("worse than {share} of such {rolls}"),
    (False, True): N_("worse than nearly all such {rolls}"),
}
"""By whether it is good luck, and whether the share rounds to everything."""


def share(chance: Fraction) -> Words:
    """Whole percents; what is not quite nothing or everything never reads as that."""
    if chance < LEAST:
        return Text("less than 1 %")
    return Text("more than 99 %") if chance >= 1 - LEAST else percent(chance, 0)
