"""Dice outside an attack (rules page, Dice): results mean nothing, but each die may be rerolled once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

from bot.rules.dice import Rng, Rolled, in_pool, roll
from bot.rules.game import AfterOffer, ButtonRank, Choice, Offer, Option, Pick, PlainAct, Side, carry_out
from bot.rules.text import UNNAMED, Text, term
from bot.rules.text_values import TextValue, value_reader
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.dice.modify import Cause, causes, rerollable_options, roll_new_dice, throw

MAX_LOOSE: Final = 10
"""Dice of one color outside an attack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LooseDice:
    red: int = 0
    green: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LooseRoll:
    """Loose dice; ``causes``: their changes in order."""

    declared: LooseDice
    red: tuple[Rolled, ...]
    green: tuple[Rolled, ...]
    causes: tuple[Cause, ...] = ()
    kind: Literal["table"] = "table"  # a word in the stored form


def start(declared: LooseDice, rng: Rng) -> LooseRoll:
    red, green = roll_new_dice(Pool.RED, declared.red, rng), roll_new_dice(Pool.GREEN, declared.green, rng)
    return LooseRoll(declared=declared, red=red, green=green)


def pools(state: LooseRoll) -> Mapping[Pool, tuple[Rolled, ...]]:
    return {Pool.RED: state.red, Pool.GREEN: state.green}


class PickedDie(TextValue):
    pool: Pool
    at: int

    forms = ("{pool}-{at}",)


DIE: Final = value_reader(PickedDie)
PoolChange = Callable[[tuple[Rolled, ...], Pool, list[int], Rng], tuple[Rolled, ...]]
"""A change to a pool's dice; the list has the selected places."""


def act_on_pools(change: PoolChange) -> Callable[[LooseRoll, Choice, Rng], LooseRoll]:
    def apply(state: LooseRoll, choice: Choice, rng: Rng) -> LooseRoll:
        before, picked = pools(state), [picked_die for picked_die in map(DIE, choice.picked) if picked_die is not None]
        chosen = {pool: [picked_die.at for picked_die in picked if picked_die.pool is pool] for pool in Pool}
        after = {pool: change(dice, pool, chosen[pool], rng) for pool, dice in before.items()}
        new = [cause for pool in Pool for cause in causes(pool, before[pool], after[pool])]
        return replace(state, red=after[Pool.RED], green=after[Pool.GREEN], causes=(*state.causes, *new))

    return apply


def roll_cocked(dice: tuple[Rolled, ...], pool: Pool, chosen: list[int], rng: Rng) -> tuple[Rolled, ...]:
    by, again = Text("cocked"), in_pool(rng, pool, "cocked", pool.faces)
    return tuple(
        die.after_step("rolled", by, pool.faces[again(8)]) if at in chosen else die for at, die in enumerate(dice)
    )


def add_die(to: Pool) -> PoolChange:
    return lambda dice, pool, _, rng: dice + roll(pool.value, pool.faces, int(pool is to), rng)


REROLL: Final = PlainAct("reroll", act_on_pools(lambda dice, pool, at, rng: throw(dice, at, pool, UNNAMED, rng)))
COCKED: Final = PlainAct("cocked", act_on_pools(roll_cocked))
AGAIN: Final = PlainAct(
    "again", lambda state, _, rng: start(LooseDice(red=len(state.red), green=len(state.green)), rng)
)
ADD: Final = {pool: PlainAct(f"add-{pool}", act_on_pools(add_die(pool))) for pool in Pool}


def offers(state: LooseRoll) -> tuple[Offer, ...]:
    """Offer a reroll (once per die), a cocked die (which does not use that up), a repeat, another die."""
    side, dice = Side.ATTACKER, pools(state)
    fresh = [(pool, item) for pool in Pool for item in rerollable_options(dice[pool], pool.results)]
    once = tuple(option(pool, int(item.value), item.shows[1]) for pool, item in fresh if item.shows is not None)
    every = tuple(option(pool, at, str(die.face)) for pool in Pool for at, die in enumerate(dice[pool]))
    result = [Offer(REROLL, side, Text("Reroll: choose dice"), Pick(once, most=len(once)))] if once else []
    result.append(Offer(COCKED, side, Text("Cocked die: reroll it"), Pick(every)))
    result.append(Offer(AGAIN, side, Text("Roll all again"), then=AfterOffer.REOPENS, rank=ButtonRank.LAST))
    growing = (pool for pool in Pool if 0 < len(dice[pool]) < MAX_LOOSE)
    return (*result, *(Offer(ADD[pool], side, Text("Add a {pool} die", pool=pool)) for pool in growing))


@cache
def option(pool: Pool, at: int, face: str) -> Option:
    """Return a die to select, cached since there are few."""
    label = Text("{color} die {place}: {face}", color=term(pool.capitalize()), place=at + 1, face=Face(face))
    return Option(str(PickedDie(pool, at)), label, shows=(pool, face))


def choose(state: LooseRoll, choice: Choice, rng: Rng) -> LooseRoll:
    after: LooseRoll = carry_out(offers(state), state, choice, rng)
    return after


def outcome(state: LooseRoll) -> Mapping[str, object]:
    return {pool.value: [str(die.face) for die in dice] for pool, dice in pools(state).items()}
