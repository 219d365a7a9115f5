"""Line-ups within the limits, for Hypothesis."""

from dataclasses import replace

from hypothesis import strategies as st

from bot.rules.game import Side
from bot.rules.xwing.dice.declared import MAX_HULL, DiceEffect, LineUp
from bot.rules.xwing.dice.faces import OWN_POOL, Face, Pool
from bot.rules.xwing.dice.tokens import ON_SIDE, TOKENS
from bot.rules.xwing.dice.typed_sides import (
    MAX_ADDED,
    MAX_DIFFERENT,
    MAX_EFFECTS,
    MAX_REROLLS,
    MAX_TYPED_DICE,
    NEEDED,
    SideInput,
)

pools = st.sampled_from(Pool)


def results(pool: Pool) -> st.SearchStrategy[Face]:
    return st.sampled_from(pool.results)


def some(most: int) -> st.SearchStrategy[int]:
    return st.integers(1, most)


@st.composite
def rerolls(draw: st.DrawFn) -> DiceEffect:
    pool = draw(pools)
    faces = tuple(draw(st.lists(results(pool), unique=True, max_size=4)))
    return DiceEffect(verb="reroll", pool=pool, most=draw(some(MAX_TYPED_DICE)), faces=faces)


@st.composite
def pressed(draw: st.DrawFn, side: Side) -> DiceEffect:
    """An effect that is a button: used one result at a time."""
    verb = draw(st.sampled_from(["change", "add", "cancel", "spend"]))
    pool = OWN_POOL[side] if verb == "spend" else draw(pools)
    if verb == "add":
        return DiceEffect(verb="add", pool=pool, most=draw(some(MAX_ADDED)), to=draw(results(pool)))
    to = draw(results(pool)) if verb == "change" else None
    return DiceEffect(verb=verb, pool=pool, most=draw(some(MAX_TYPED_DICE)), faces=(draw(results(pool)),), to=to)  # type: ignore[arg-type]  # one of the verbs listed


@st.composite
def lasting(draw: st.DrawFn) -> DiceEffect:
    """An effect that nobody presses: fixed dice, results that all become others, more or fewer dice."""
    verb, pool = draw(st.sampled_from(["set", "become", "dice"])), draw(pools)
    if verb == "set":
        return DiceEffect(verb="set", pool=pool, to=draw(results(pool)))
    if verb == "become":
        red = results(Pool.RED)
        return DiceEffect(verb="become", pool=Pool.RED, faces=(draw(red),), to=draw(red))
    return DiceEffect(verb="dice", pool=pool, most=draw(some(MAX_TYPED_DICE)) * draw(st.sampled_from([1, -1])))


def effects(side: Side) -> st.SearchStrategy[tuple[DiceEffect, ...]]:
    most = MAX_EFFECTS - MAX_REROLLS - MAX_DIFFERENT
    return st.tuples(
        st.lists(rerolls(), max_size=MAX_REROLLS),
        st.lists(pressed(side), max_size=MAX_DIFFERENT),
        st.lists(lasting(), max_size=most),
    ).flatmap(lambda kinds: st.permutations([effect for kind in kinds for effect in kind]).map(tuple))


def line_ups(side: Side, dice: int = 0) -> st.SearchStrategy[LineUp]:
    """A line-up of up to ``dice`` dice."""
    held = {token: st.integers(0, TOKENS[token].most) for token in ON_SIDE[side]}
    whole = st.builds(LineUp, dice=st.integers(0, dice), effects=effects(side), **held)
    return st.tuples(whole, st.booleans()).map(lambda both: with_none(both[0], side) if both[1] else both[0])


def with_none(line_up: LineUp, side: Side) -> LineUp:
    """The same, with every token that it lacks kept out of the attack."""
    return replace(line_up, none=tuple(token for token in ON_SIDE[side] if not line_up.has(token)))


def brought(side: Side) -> st.SearchStrategy[SideInput]:
    """What one side may type."""
    if side is Side.ATTACKER:
        return st.builds(
            SideInput,
            line_up=line_ups(side),
            needs=st.lists(st.sampled_from(NEEDED), unique=True).map(tuple),
            cost_lock=st.integers(0, TOKENS["lock"].most),
            cost_charge=st.integers(0, TOKENS["charge"].most),
        )
    bare = st.builds(SideInput, line_up=line_ups(side))
    ship = st.builds(SideInput, line_up=line_ups(side), hull=some(MAX_HULL), shields=st.integers(0, MAX_HULL))
    return bare | ship
