"""Whether a side's means in a window can still change the outcome of the attack.

Two faces of a pool have equal worth if they count the same in the end and the same means may still act on them. Changes
between such faces are useless, and so is adding or canceling a worthless die. Useful means and worth depend on each
other, so the search starts with no useful means and adds some until nothing changes. (The other means turn a die only
into one of the same worth.)

For defense dice numbers matter too: another evade makes no difference if there are enough, or if a reinforce token
would cancel the same hit.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from bot.rules.dice import Rolled
from bot.rules.game import Side
from bot.rules.xwing.dice.consequences import AToken
from bot.rules.xwing.dice.declared import DiceEffect, LineUp
from bot.rules.xwing.dice.faces import OWN_POOL, Face, Pool
from bot.rules.xwing.dice.modify import ACTING, FREE, SUCCESS, DiceAct, PoolLimits, UseEffect, UseToken
from bot.rules.xwing.dice.tokens import TOKENS, Token

Key = tuple[Side, DiceAct]
Worth = tuple[Face | None, frozenset[Key]]
"""Worth of a face: its final value, and the keys of the means that may act on it."""
NOTHING: Final[Worth] = (None, frozenset())
"""Worth of no die."""
COUNTING: Final = (Face.HIT, Face.CRIT, Face.EVADE)


@dataclass(frozen=True, slots=True, kw_only=True)
class UsefulMeans:
    """A side's means on one pool; ``key``: its owner and kind. ``faces``: those it takes, and turns to ``to``, None for
    a reroll or removal. ``most``: maximum dice; None for all.
    """

    key: Key
    verb: str
    faces: tuple[Face, ...] = ()
    to: Face | None = None
    most: int | None = 1


def means_of(side: Side, held: LineUp, pool: Pool, limits: PoolLimits = FREE) -> Iterator[UsefulMeans]:
    """Yield all means of a side on a pool; a side that may not modify dice may still cancel them."""
    if OWN_POOL[side] is pool and limits.modify:
        for token, count in held.tokens(side):
            if token.name not in (*limits.barred, *held.none):
                yield from of_token((side, UseToken(token.name)), token, pool, count)
    for index, effect in enumerate(held.effects):
        acts = effect.verb == "cancel" or (effect.verb in ACTING and limits.lets_act(effect))
        if acts and effect.pool is pool and not effect.when:
            if isinstance(effect.what, AToken):
                yield from of_token((side, UseEffect(index)), TOKENS[effect.what.name], pool, 1)
                continue
            faces = effect.faces or (pool.results if effect.verb == "reroll" else ())
            key = side, UseEffect(index)
            yield UsefulMeans(key=key, verb=effect.verb, faces=faces, to=effect.to, most=effect.most)


def of_token(key: Key, token: Token, pool: Pool, held: int) -> Iterator[UsefulMeans]:
    """Yield the means of ``held`` tokens of a kind."""
    if token.rerolls:
        yield UsefulMeans(key=key, verb="reroll", faces=pool.results, most=None)
    elif token.turns:
        most = None if token.turns_all else held
        yield UsefulMeans(key=key, verb="change", faces=token.turns, to=SUCCESS[pool], most=most)


def useful_keys(means: Iterable[UsefulMeans], pool: Pool, lasting: Iterable[DiceEffect] = ()) -> frozenset[Key]:
    """Return the keys of means that can change a result, as rerolls and spending do; ``lasting``: final changes."""
    every = tuple(means)
    turned = {effect.faces[0]: effect.to for effect in lasting if effect.verb == "become"}
    counts = {face: turned.get(face) or face for face in pool.results}
    of_use, before, most = always_useful(every), -1, len({one.key for one in every})
    while before < len(of_use) < most:
        before, acting = len(of_use), [one for one in every if one.key in of_use]
        worth: dict[Face, Worth] = {
            face: (one if one in COUNTING else None, frozenset(means.key for means in acting if face in means.faces))
            for face, one in counts.items()
        }
        for item in every:
            after = NOTHING if item.to is None else worth[item.to]
            if after != NOTHING if item.verb == "add" else any(worth[face] != after for face in item.faces):
                of_use.add(item.key)
    return frozenset(of_use)


def always_useful(means: Iterable[UsefulMeans]) -> set[Key]:
    return {mean.key for mean in means if mean.verb in ("reroll", "spend")}


# Numbers of evades


def count_uncanceled(results: int, reinforce: int) -> int:
    """Return step 6's uncanceled results after evades. Each reinforce cancels one, but never the last: n >= 1 results
    and reinforce r leave max(1, n - r), none leave none.
    """
    return max(min(results, 1), results - reinforce)


def makes_a_difference(to_cancel: int, fewest: int, most: int, held: LineUp) -> bool:
    """Whether ``fewest`` or ``most`` evades make a difference, wherever the attacker is for reinforce tokens."""
    at_most, at_least = max(0, to_cancel - fewest), max(0, to_cancel - most)
    reinforces = {held.reinforce, held.reinforce + held.fore, held.reinforce + held.aft}
    return any(
        count_uncanceled(at_most, reinforce) != count_uncanceled(at_least, reinforce) for reinforce in reinforces
    )


def evades_gained(means: Iterable[UsefulMeans], green: tuple[Rolled, ...]) -> int:
    """Return an upper bound of the evades that these means can add."""
    every = tuple(means)
    other = [die for die in green if die.counts and die.face != Face.EVADE]
    more_dice = sum(item.most or 0 for item in every if item.verb == "add" and item.to is not Face.EVADE)
    turned = sum(count_taken(item, every, other) for item in every if item.verb == "reroll" or item.to is Face.EVADE)
    added = sum(item.most or 0 for item in every if item.verb == "add" and item.to is Face.EVADE)
    return min(turned - added, len(other) + more_dice) + added


def count_taken(means: UsefulMeans, every: tuple[UsefulMeans, ...], other: list[Rolled]) -> int:
    """Return how many dice a means can turn to evades, now or later."""
    if means.most is not None:
        return means.most
    there = sum(die.face in means.faces for die in other)
    coming = sum(item.most or 0 for item in every if item.verb == "reroll" or (item.to in means.faces and item.to))
    return there + coming


def evades_lost(means: Iterable[UsefulMeans], green: tuple[Rolled, ...]) -> int:
    there = sum(die.counts and die.face == Face.EVADE for die in green)
    return min(
        there, sum(mean.most or there for mean in means if Face.EVADE in mean.faces and mean.to is not Face.EVADE)
    )
