"""X-Wing attacks in the words of both sides, and loose dice."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from hypothesis import strategies as st

from bot.rules.game import Side
from bot.rules.xwing.dice import typed_sides
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.dice.loose_dice import LooseDice

MINE: Final = (
    *("focus", "lock", "calculate 2", "force 2", "deplete", "charge 2"),
    *("reroll 2 blank", "reroll 1", "change 1 focus to hit", "change 2 hit to crit", "change 1 green evade to focus"),
    *("add 1 focus", "add 2 crit", "cancel 1 green evade", "spend 1 hit", "set hit", "every crit to hit", "+2 dice"),
)
THEIRS: Final = (
    *("focus", "calculate", "force 2", "evade 3", "reinforce", "strain", "hull 3, shields 2"),
    *("reroll 1 blank or focus", "add 2 evade", "change 1 red crit to hit", "cancel 1 red hit", "-1 die red"),
)


def attack(mine: str, theirs: str, dice: int, agility: int | None, options: Mapping[str, Any]) -> Declared:
    """An X-Wing attack from the words of both sides; without agility the defender has still to answer."""
    attacker, defender = (
        typed_sides.parse(mine, Side.ATTACKER, "with"),
        typed_sides.parse(theirs, Side.DEFENDER, "against"),
    )
    return Declared(
        attack=replace(attacker.line_up, dice=dice),
        defense=None if agility is None else replace(defender.line_up, dice=agility),
        hull=defender.hull,
        shields=defender.shields,
        **options,
    )


def some(phrases: tuple[str, ...]) -> st.SearchStrategy[str]:
    """A few different phrases, as typed."""
    return st.lists(st.sampled_from(phrases), unique=True, max_size=4).map(", ".join)


POOL = st.integers(0, 6)
OPTIONS = st.fixed_dictionaries(
    {"range": st.sampled_from((None, 0, 1, 2, 3)), "obstructed": st.booleans(), "ordnance": st.just(False)}
)
LOOSE = (
    st.tuples(st.integers(0, 10), st.integers(0, 10))
    .filter(any)
    .map(lambda pools: LooseDice(red=pools[0], green=pools[1]))
)

DECLARATIONS: Final[st.SearchStrategy[Any]] = LOOSE | st.builds(
    attack, some(MINE), some(THEIRS), POOL, st.none() | POOL, OPTIONS
)
