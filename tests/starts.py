"""Declarations of every game, for the laws that hold for all of them. A new game adds a line to ``STARTS``."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from hypothesis import strategies as st

from bot.rules import albion, infinity, warsurge
from bot.rules.dice import Rng
from bot.rules.game import Choice, Game, Offer, Side
from bot.rules.xwing import words
from bot.rules.xwing.declared import Declared
from bot.rules.xwing.loose import LooseDice

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
    attacker, defender = words.parse(mine, Side.ATTACKER, "with"), words.parse(theirs, Side.DEFENDER, "against")
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
ORDERS: Final[tuple[Mapping[str, object], ...]] = (
    {"sv": 12, "burst": 3},
    {"sv": 12, "burst": 3, "open": True},
    {"sv_a": 15, "burst_a": 5, "sv_b": 13, "burst_b": 2},
    {"sv_a": 11, "burst_a": 1, "sv_b": 24, "burst_b": 4, "edition": "n4"},
    {"a": {"sv": 12, "dice": [9, 4], "burst": 2}, "b": {"sv": 11, "dice": [5]}},
    {"a": {"sv": 12}, "enemies": [{"sv": 12}, {"sv": 11, "burst": 2}]},
    {"order": "Angus 12 b2 vs Ortega 11; Murat 13 normal vs Angus; Ana 10 dodge vs Angus"},
    {"order": "\n".join(f"Angus-{i} 14 b6 vs Ortega-{i} 11 b6" for i in range(1, 13))},
    {"hits": 2, "crits": 1, "ammo": "DA", "ps": 7, "arm": 3},
    {"hits": 1, "ammo": "N", "damage": 13, "arm": 1, "edition": "n4"},
)
STAT = st.integers(0, 8)

STARTS: Final[Mapping[str, st.SearchStrategy[Any]]] = {
    "xwing": LOOSE | st.builds(attack, some(MINE), some(THEIRS), POOL, st.none() | POOL, OPTIONS),
    "infinity": st.sampled_from(ORDERS).map(infinity.declare),
    "warsurge": st.fixed_dictionaries(
        {
            "method": st.sampled_from(("casual", "balanced", "chart")),
            "power": st.integers(0, 22),
            "defence": st.integers(0, 17),
            "attack_dice": st.integers(1, 8),
            "save": st.none() | st.integers(2, 6),
        }
    ).map(warsurge.declare),
    "albion": st.builds(
        albion.Declared, agility=STAT, stealth=STAT, awareness=STAT, strength=STAT, dodging=st.booleans()
    ),
}


def chance(seed: int) -> Rng:
    """The same chance for the same seed."""
    return Random(seed).randrange


def some_choice(data: st.DataObject, offer: Offer) -> Choice:
    """A choice that an offer allows: some of its options, or its form with what must be filled."""
    values = [option.value for option in offer.options]
    picked = (
        data.draw(st.lists(st.sampled_from(values), min_size=offer.least, max_size=offer.most, unique=True))
        if values
        else []
    )
    filled = {field.key: field.value or (field.example if field.required else "") for field in offer.fields}
    return Choice(offer.key, tuple(picked), filled or None)


def walk(data: st.DataObject, game: Game, steps: int = 12) -> list[Any]:
    """The states of a roll from its start, each after a choice of what was offered."""
    rng = chance(data.draw(st.integers(0, 10**6)))
    states = [game.start(data.draw(STARTS[game.KEY]), rng)]
    while len(states) <= steps and (offers := game.offers(states[-1])):
        offer = data.draw(st.sampled_from(offers))
        states.append(game.choose(states[-1], some_choice(data, offer), rng))
    return states
