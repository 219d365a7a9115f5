"""Questions for Hypothesis: line-ups in the words of the golden files, and such as people may type."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from bot.rules.xwing.attack.json_attacks import declare_attack as declare
from bot.rules.xwing.dice.declared import Declared, DiceEffect, LineUp
from bot.rules.xwing.dice.faces import Face, Pool

TOKENS = ("focus", "calculate", "force")


def maybe(most: int) -> st.SearchStrategy[int]:
    """Often none, at most so many."""
    return st.one_of(st.just(0), st.integers(0, most))


@st.composite
def golden_questions(draw: st.DrawFn, dice: int) -> dict[str, Any]:
    """Any keys of the page's table of line-ups, with at most so many dice a side."""
    attack: dict[str, Any] = {token: draw(maybe(2)) for token in (*TOKENS, "lock")}
    defense: dict[str, Any] = {token: draw(maybe(2)) for token in (*TOKENS, "evade", "reinforce")}
    attack["lock"] = min(1, attack["lock"])
    for side in (attack, defense):
        side["rerolls"] = draw(st.lists(st.integers(1, 3), max_size=3) if draw(st.booleans()) else st.just([]))
    attack["dice"], defense["dice"] = draw(st.integers(0, dice)), draw(st.integers(0, dice))
    if attack["dice"] < dice:
        attack["add_focus"] = draw(maybe(1))
        attack["add_blank"] = draw(maybe(1)) if attack["dice"] + attack["add_focus"] < dice else 0
    for key in ("focus_to_hit", "hit_to_crit", "def_crit_to_hit"):
        attack[key] = draw(maybe(2))
    for key in ("crits_become_hits", "all_hits"):
        attack[key] = draw(st.sampled_from([0, 0, 0, 1]))
    defense["att_evade_to_focus"], defense["add_evade"] = draw(maybe(2)), draw(maybe(1))
    return {"attack": attack, "defense": defense, "attacks": draw(st.sampled_from([1, 1, 1, 2, 3]))}


@st.composite
def effects(draw: st.DrawFn) -> DiceEffect:
    """Any effect, on either pool."""
    pool = draw(st.sampled_from(Pool))
    verb = draw(st.sampled_from(["reroll", "reroll", "change", "change", "add", "cancel", "spend", "set", "dice"]))
    most = draw(st.integers(1, 2))
    face, other = draw(st.permutations(pool.results))[:2]
    if verb == "reroll":
        faces = draw(st.lists(st.sampled_from(pool.results), max_size=3, unique=True))
        return DiceEffect(verb="reroll", pool=pool, most=most, faces=tuple(faces))
    if verb == "change":
        return DiceEffect(verb="change", pool=pool, most=most, faces=(face,), to=other)
    if verb == "add":
        return DiceEffect(verb="add", pool=pool, to=face)
    if verb == "set":
        return DiceEffect(verb="set", pool=pool, to=face)
    if verb == "dice":
        return DiceEffect(verb="dice", pool=pool, most=draw(st.sampled_from([-1, 1])))
    return DiceEffect(verb="cancel" if verb == "cancel" else "spend", pool=pool, most=most, faces=(face,))


@st.composite
def typed_questions(draw: st.DrawFn) -> Declared:
    """Up to two dice and three effects a side, at any range."""
    whole = declare(draw(golden_questions(dice=2)))
    lines = [
        replace(line, dice=min(line.dice, 2), effects=tuple(draw(st.lists(effects(), max_size=3))))
        for line in (whole.attack, whole.defense or LineUp())
    ]
    crits = DiceEffect(verb="become", pool=Pool.RED, faces=(Face.CRIT,), to=Face.HIT)
    if draw(st.booleans()):
        lines[draw(st.integers(0, 1))] = replace(lines[0], effects=(*lines[0].effects, crits))
    return replace(
        whole,
        attack=lines[0],
        defense=replace(lines[1], lock=0),
        attacks=min(whole.attacks, 2),
        range=draw(st.sampled_from([None, None, 0, 1, 2, 3])),
        obstructed=draw(st.booleans()),
    )
