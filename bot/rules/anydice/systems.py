"""Games whose words tell what a roll came to: bands, degrees, glitches. A roll is one of them by what was typed.

Each stands where its rulebook says it: Call of Cthulhu, Keeper Rulebook (7th edition), chapter 5; Shadowrun, Sixth
World, "Glitches"; Year Zero Engine, SRD, "Pushing your roll"; Apocalypse World, "The basic moves".
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.rules.anydice.tree import PERCENT, Comparison, Node, Number, Pool, nodes_of, pools_of


@dataclass(frozen=True, slots=True)
class System:
    """Its name for people, and which trees it can tell of."""

    title: str
    fits: Callable[[Node], bool]


def is_percent(node: Node) -> bool:
    """A d100 with its bonus and penalty dice, alone or against a skill of 1 to 99."""
    if isinstance(node, Comparison):
        right = node.right
        return node.sign == "<=" and is_percent(node.left) and isinstance(right, Number) and 1 <= right.value < PERCENT
    return isinstance(node, Pool) and node.count == 1 and node.sides == PERCENT and node.success is None


def is_sum(node: Node) -> bool:
    """A sum of dice that nothing is compared with."""
    is_counted = any(pool.success is not None for pool in pools_of(node))
    return not is_counted and not any(isinstance(part, Comparison) for part in nodes_of(node))


def counts(sides: int, least: int) -> Callable[[Node], bool]:
    """Dice of one kind that count from a number up."""
    return lambda node: (
        isinstance(node, Pool)
        and node.sides == sides
        and not node.fudge
        and node.success is not None
        and (node.success.sign, node.success.number, node.failure) == (">=", least, 0)
    )


def is_coins(node: Node) -> bool:
    return isinstance(node, Pool) and node == Pool(count=node.count, sides=2, note=node.note)


SYSTEMS: Final[dict[str, System]] = {
    "coc": System("Call of Cthulhu", is_percent),
    "coin": System("Coins", is_coins),
    "pbta": System("PbtA", is_sum),
    "shadowrun": System("Shadowrun", counts(6, 5)),
    "yearzero": System("Year Zero", counts(6, 6)),
}

PBTA: Final = ((6, "6-"), (9, "7-9"))
"""The last total of each band, and its name; what is above is ``10+``."""
DEGREES: Final = ("fumble", "failure", "regular success", "hard success", "extreme success", "critical success")
"""Of a Call of Cthulhu roll, the worst first."""


def pbta_band(total: int) -> str:
    """``6-``, ``7-9`` or ``10+``."""
    return next((name for last, name in PBTA if total <= last), "10+")


def degree(rolled: int, skill: int) -> str:
    """What a d100 against a skill comes to: hard is half of it, extreme a fifth, both rounded down.

    1 is a critical success; 100 is a fumble, and with a skill below 50 so is everything from 96.
    """
    if rolled >= (96 if skill < PERCENT // 2 else PERCENT):
        return DEGREES[0]
    if rolled == 1:
        return DEGREES[5]
    limits = (skill // 5, skill // 2, skill)
    return DEGREES[4 - next((at for at, most in enumerate(limits) if rolled <= most), 3)]


def is_glitch(faces: Sequence[int]) -> bool:
    """Whether half of the dice or more show 1."""
    return 2 * sum(face == 1 for face in faces) >= len(faces)
