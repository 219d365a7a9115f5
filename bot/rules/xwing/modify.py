"""Modifying dice (rules page, the table of that name): what is offered, and what it does."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from bot.rules.dice import How, Rng, Rolled, Step, reroll
from bot.rules.game import Choice, Offer, Option, Side
from bot.rules.xwing.declared import OWN_POOL, Effect, Face, LineUp, Pool

Dice = tuple[Rolled, ...]

SUCCESS: Final[Mapping[Pool, Face]] = {Pool.RED: Face.HIT, Pool.GREEN: Face.EVADE}
"""What a focus result becomes."""

PLURAL: Final[Mapping[Face, str]] = {
    Face.HIT: "hits",
    Face.CRIT: "crits",
    Face.EVADE: "evades",
    Face.FOCUS: "focus results",
    Face.BLANK: "blanks",
}


def offers(side: Side, line: LineUp, pool: Pool, dice: Dice) -> tuple[Offer, ...]:
    """Tokens first (own dice only), then the effects of cards; what would change nothing is not offered."""
    own = token_offers(side, line, pool, dice) if OWN_POOL[side] is pool else []
    return (*own, *effect_offers(side, line, pool, dice))


def token_offers(side: Side, line: LineUp, pool: Pool, dice: Dice) -> list[Offer]:
    focus, good = len(showing(dice, (Face.FOCUS,))), SUCCESS[pool]
    found = []
    if line.lock and pool is Pool.RED and (options := rerollable(dice, pool.results)):
        label = "Lock: choose dice to reroll"
        found.append(Offer("lock", side, label, options=options, most=len(options)))
    if line.focus and focus:
        found.append(Offer("focus", side, f"Focus: {focus} to {good if focus == 1 else PLURAL[good]}"))
    found += [
        Offer(token, side, f"{token.capitalize()}: 1 focus to {good}{left(held)}")
        for token in ("calculate", "force")
        if focus and (held := getattr(line, token))
    ]
    if line.evade and pool is Pool.GREEN and showing(dice, (Face.BLANK, Face.FOCUS)):
        old = "blank" if showing(dice, (Face.BLANK,)) else "focus"
        found.append(Offer("evade", side, f"Evade: 1 {old} to evade{left(line.evade)}"))
    return found


def effect_offers(side: Side, line: LineUp, pool: Pool, dice: Dice) -> list[Offer]:
    """One offer for each different effect on this pool that has something to act on."""
    found = []
    for index, effect in enumerate(line.effects):
        if effect.pool is not pool or effect in line.effects[:index]:
            continue
        if effect.verb == "reroll" and (options := rerollable(dice, effect.faces or pool.results)):
            most = min(effect.most, len(options))
            found.append(Offer(f"effect-{index}", side, f"Card: reroll up to {most}", options=options, most=most))
        elif effect.verb == "add" or (effect.verb in ("change", "cancel", "spend") and showing(dice, effect.faces)):
            found.append(Offer(f"effect-{index}", side, f"Card: {told(effect)}{left(effect.most)}"))
    return found


def told(effect: Effect) -> str:
    """One use of an effect in words, as on a button."""
    old = effect.faces[0] if effect.faces else ""
    if effect.verb == "add":
        return f"add 1 {effect.to}"
    return f"1 {old} to {effect.to}" if effect.verb == "change" else f"{effect.verb} 1 {old}"


def left(count: int) -> str:
    return f" ({count} left)" if count > 1 else ""


def rerollable(dice: Dice, faces: tuple[Face, ...]) -> tuple[Option, ...]:
    """The dice that may be rerolled: each at most once in an attack, whoever asks."""
    return tuple(
        Option(str(index), f"Die {index + 1}: {die.face}", "added" if die.trail[0].how == "added" else "")
        for index, die in enumerate(dice)
        if die.counts and not die.was_rerolled and die.face in faces
    )


def showing(dice: Dice, faces: tuple[Face, ...]) -> list[int]:
    """Places of the dice that show one of ``faces``: in the order of ``faces``, rerolled dice first.

    A rerolled die is taken first because the other one may still be rerolled.
    """
    places = [index for index, die in enumerate(dice) if die.counts and die.face in faces]
    return sorted(places, key=lambda index: (faces.index(cast("Face", dice[index].face)), not dice[index].was_rerolled))


def apply(line: LineUp, pool: Pool, dice: Dice, choice: Choice, rng: Rng) -> tuple[LineUp, Dice]:
    """What is left and the dice after a choice that ``offers`` held."""
    key, good = choice.offer, SUCCESS[pool]
    if key.startswith("effect-"):
        return apply_effect(line, pool, dice, choice, rng)
    left_over = replace(line, **{key: getattr(line, key) - 1})
    if key == "lock":
        return left_over, throw(dice, places(choice), pool, "lock", rng)
    found = showing(dice, (Face.BLANK, Face.FOCUS) if key == "evade" else (Face.FOCUS,))
    return left_over, turn(dice, found if key == "focus" else found[:1], good, key)


def apply_effect(line: LineUp, pool: Pool, dice: Dice, choice: Choice, rng: Rng) -> tuple[LineUp, Dice]:
    """One use of an effect: a reroll is used up at once, the others one result at a time."""
    index = int(choice.offer.removeprefix("effect-"))
    effect = line.effects[index]
    if effect.verb == "reroll":
        return used(line, index, effect.most), throw(dice, places(choice), pool, "card", rng)
    line = used(line, index, 1)
    if effect.verb == "add":
        return line, (*dice, Rolled(pool.value, (Step("added", face_of(effect), "card"),)))
    found = showing(dice, effect.faces)[:1]
    if effect.verb == "change":
        return line, turn(dice, found, face_of(effect), "card")
    how: How = "spent" if effect.verb == "spend" else "cancelled"
    return line, tuple(die.then(how, "card") if at in found else die for at, die in enumerate(dice))


def places(choice: Choice) -> list[int]:
    return [int(value) for value in choice.picked]


def used(line: LineUp, index: int, count: int) -> LineUp:
    """The line-up after ``count`` uses of an effect."""
    effect = line.effects[index]
    rest = (replace(effect, most=effect.most - count),) if effect.most > count else ()
    return replace(line, effects=(*line.effects[:index], *rest, *line.effects[index + 1 :]))


def face_of(effect: Effect) -> Face:
    return cast("Face", effect.to)  # verbs that show a result are never declared without one


def throw(dice: Dice, chosen: list[int], pool: Pool, by: str, rng: Rng) -> Dice:
    return tuple(reroll(die, pool.faces, by, rng) if at in chosen else die for at, die in enumerate(dice))


def turn(dice: Dice, chosen: list[int], face: Face, by: str) -> Dice:
    return tuple(die.then("changed", by, face) if at in chosen else die for at, die in enumerate(dice))


def become(dice: Dice, effect: Effect) -> Dice:
    """Every result ``faces[0]`` is ``to``, after both windows."""
    return turn(dice, showing(dice, effect.faces), face_of(effect), "card")
