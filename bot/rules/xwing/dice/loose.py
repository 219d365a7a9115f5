"""Dice outside an attack (rules page, Dice): a result means nothing by itself, yet each die may be rerolled once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

from bot.rules.dice import Rng, Rolled, in_pool, roll
from bot.rules.game import Choice, Offer, Option, Pick, Rank, Side, Then, taken
from bot.rules.text import UNNAMED, Text, term
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.dice.modify import Cause, causes, fallen, rerollable, throw

LOOSE_MOST: Final = 10
"""Dice of one colour outside an attack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LooseDice:
    """So many red and green dice to roll."""

    red: int = 0
    green: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LooseRoll:
    """Loose dice as they lie; ``causes`` are what changed them, in order."""

    declared: LooseDice
    red: tuple[Rolled, ...]
    green: tuple[Rolled, ...]
    causes: tuple[Cause, ...] = ()
    kind: Literal["table"] = "table"  # a word of the stored form


def start(declared: LooseDice, rng: Rng) -> LooseRoll:
    red, green = fallen(Pool.RED, declared.red, rng), fallen(Pool.GREEN, declared.green, rng)
    return LooseRoll(declared=declared, red=red, green=green)


def pools(state: LooseRoll) -> Mapping[Pool, tuple[Rolled, ...]]:
    return {Pool.RED: state.red, Pool.GREEN: state.green}


def offers(state: LooseRoll) -> tuple[Offer, ...]:
    """Reroll (once a die), a cocked die (which does not use that up), roll again, add a die."""
    side, dice = Side.ATTACKER, pools(state)
    fresh = [(pool, one) for pool in Pool for one in rerollable(dice[pool], pool.results)]
    once = tuple(option(pool, int(one.value), one.shows[1]) for pool, one in fresh if one.shows is not None)
    every = tuple(option(pool, at, str(die.face)) for pool in Pool for at, die in enumerate(dice[pool]))
    found = [Offer("reroll", side, Text("Reroll: choose dice"), Pick(once, most=len(once)))] if once else []
    found.append(Offer("cocked", side, Text("Cocked die: roll it again"), Pick(every)))
    found.append(Offer("again", side, Text("Roll all again"), then=Then.REOPENS, rank=Rank.LAST))
    growing = (pool for pool in Pool if 0 < len(dice[pool]) < LOOSE_MOST)
    return (*found, *(Offer(f"add-{pool}", side, Text("Add a {pool} die", pool=pool)) for pool in growing))


@cache
def option(pool: Pool, at: int, face: str) -> Option:
    """A die to pick; there are so few that each is made once."""
    label = Text("{colour} die {place}: {face}", colour=term(pool.capitalize()), place=at + 1, face=Face(face))
    return Option(f"{pool}-{at}", label, shows=(pool, face))


def choose(state: LooseRoll, choice: Choice, rng: Rng) -> LooseRoll:
    offer = taken(offers(state), choice)
    if offer.key == "again":
        return start(LooseDice(red=len(state.red), green=len(state.green)), rng)
    before = pools(state)
    after = {pool: change(dice, pool, choice, rng) for pool, dice in before.items()}
    new = [cause for pool in Pool for cause in causes(pool, before[pool], after[pool])]
    return replace(state, red=after[Pool.RED], green=after[Pool.GREEN], causes=(*state.causes, *new))


def change(dice: tuple[Rolled, ...], pool: Pool, choice: Choice, rng: Rng) -> tuple[Rolled, ...]:
    """What a choice does to one pool."""
    if choice.offer == f"add-{pool}":
        return dice + roll(pool.value, pool.faces, 1, rng)
    chosen = [int(value.removeprefix(f"{pool}-")) for value in choice.picked if value.startswith(f"{pool}-")]
    if choice.offer == "reroll":
        return throw(dice, chosen, pool, UNNAMED, rng)
    by, again = Text("cocked"), in_pool(rng, pool, "cocked", pool.faces)
    return tuple(die.then("rolled", by, pool.faces[again(8)]) if at in chosen else die for at, die in enumerate(dice))


def outcome(state: LooseRoll) -> Mapping[str, object]:
    return {pool.value: [str(die.face) for die in dice] for pool, dice in pools(state).items()}
