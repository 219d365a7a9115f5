"""Modifying dice (rules page, the table of that name): what is offered, and what it does."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from bot.rules.by_hand import FIELDS_MOST
from bot.rules.dice import How, Rng, Rolled, Step, reroll
from bot.rules.errors import BadInput, Whole
from bot.rules.game import Choice, Field, Offer, Option, Side
from bot.rules.xwing import camera
from bot.rules.xwing.declared import Effect, LineUp, Verb
from bot.rules.xwing.faces import OWN_POOL, Face, Pool
from bot.rules.xwing.tokens import ON_SIDE, TOKENS, Token

Dice = tuple[Rolled, ...]

STAYS: Final = Option("stays", "Not rerolled")
"""In the form of dice that are rerolled on camera."""

Cause = tuple[Pool, How, str]
"""What was done to which dice, and by what: ``(red, changed, focus)``."""

SUCCESS: Final[Mapping[Pool, Face]] = {Pool.RED: Face.HIT, Pool.GREEN: Face.EVADE}
"""What a focus result becomes."""

PLURAL: Final[Mapping[Face, str]] = {
    Face.HIT: "hits",
    Face.CRIT: "crits",
    Face.EVADE: "evades",
    Face.FOCUS: "focus results",
    Face.BLANK: "blanks",
}


def offers(
    side: Side,
    line_up: LineUp,
    pool: Pool,
    dice: Dice,
    may_modify: bool = True,
    owner_may_reroll: bool = False,
    by_hand: bool = False,
) -> tuple[Offer, ...]:
    """Tokens first (own dice only), then the effects of cards; what would change nothing is not offered.

    Who may not modify dice may still cancel them: that is no modification. ``owner_may_reroll``: the dice are the other
    side's, who can reroll some of them next; then it matters which of equal dice an effect takes. ``by_hand``: the dice
    fall on camera, so whoever rerolls some types what they show.
    """
    if not may_modify:
        return tuple(effect_offers(side, line_up, pool, dice, ("cancel",), owner_may_reroll))
    own = token_offers(side, line_up, pool, dice) if OWN_POOL[side] is pool else []
    verbs: tuple[Verb, ...] = ("reroll", "add", "change", "cancel", "spend")
    found = (*own, *effect_offers(side, line_up, pool, dice, verbs, owner_may_reroll))
    return tuple(on_camera(one, pool) if one.options else one for one in found) if by_hand else found


def on_camera(offer: Offer, pool: Pool) -> Offer:
    """A reroll of dice that lie on somebody's table: a form that asks which dice, and what they show then.

    Where they are few, each has a field of its own; otherwise one is to pick the dice, one to type their faces.
    """
    if len(offer.options) <= FIELDS_MOST:
        fields = tuple(field_of(option, offer.most > at, pool) for at, option in enumerate(offer.options))
        return replace(offer, options=(), fields=fields)
    chosen = Field(camera.DICE, "Which dice you reroll", offer.options[0].value, options=offer.options, several=True)
    shown = camera.faces_field(pool, 1, "What they show now, in the same order")
    return replace(offer, options=(), fields=(chosen, shown))


def field_of(option: Option, may_too: bool, pool: Pool) -> Field:
    """What a die shows once it is rerolled, or that it is not; ``may_too``: it may be, together with all before it."""
    shown = tuple(Option(face, f"Now {face}") for face in pool.results)
    example = shown[0].value if may_too else STAYS.value
    key, options = f"{camera.DIE}{option.value}", (STAYS, *shown)
    return Field(key, option.label, example, required=False, value=STAYS.value, options=options)


def has_reroll(side: Side, line_up: LineUp) -> bool:
    """Whether a side holds anything that rerolls its own dice."""
    tokens = any(token.rerolls and line_up.has(name) for name, token in ON_SIDE[side].items())
    return tokens or any(one.verb == "reroll" and one.pool is OWN_POOL[side] for one in line_up.effects)


def token_offers(side: Side, line_up: LineUp, pool: Pool, dice: Dice) -> list[Offer]:
    """A button or a list for each token that would change something; rerolls first."""
    held = [(token, count) for token in ON_SIDE[side].values() if (count := line_up.has(token.name))]
    found = []
    for token, _ in held:
        if token.rerolls and (options := rerollable(dice, pool.results)):
            label = f"{token.name.capitalize()}: choose dice to reroll"
            found.append(Offer(token.name, side, label, options=options, most=len(options)))
    for token, count in held:
        if turned := showing(dice, token.turns):
            label = f"{token.name.capitalize()}: {turn_to_text(token, pool, dice, turned, count)}"
            found.append(Offer(token.name, side, label, shows=(pool, SUCCESS[pool])))
    return found


def turn_to_text(token: Token, pool: Pool, dice: Dice, turned: list[int], held: int) -> str:
    """What one token does to dice: ``2 to hits``, ``1 focus to hit (2 left)``."""
    good = SUCCESS[pool]
    if token.turns_all:
        return f"{len(turned)} to {good if len(turned) == 1 else PLURAL[good]}"
    return f"1 {dice[turned[0]].face} to {good}{left(held)}"


FRESH: Final = "-fresh"
"""Ends the key of an offer that takes a die which may still be rerolled, where a rerolled one shows the same."""


def effect_offers(
    side: Side, line_up: LineUp, pool: Pool, dice: Dice, verbs: tuple[Verb, ...], owner_may_reroll: bool
) -> list[Offer]:
    """One offer for each different effect on this pool that has something to act on.

    Two offers where it can take a die that was rerolled or one that was not, and that makes a difference.
    """
    found = []
    uses = [one_use(effect) for effect in line_up.effects]
    for index, effect in enumerate(line_up.effects):
        if effect.pool is not pool or effect.verb not in verbs or uses[index] in uses[:index]:
            continue
        key = f"effect-{index}"
        if effect.verb == "reroll":
            if options := rerollable(dice, effect.faces or pool.results):
                most = min(effect.most, len(options))
                found.append(Offer(key, side, f"Card: {reroll_to_text(effect, most)}", options=options, most=most))
        elif effect.verb == "add" or showing(dice, effect.faces):
            held = sum(other.most for other, use in zip(line_up.effects, uses, strict=True) if use == uses[index])
            face = effect.to or effect.faces[0]
            label, shows = f"Card: {to_text(effect)}{left(held)}", (pool, face)
            rerolled = {dice[at].was_rerolled for at in showing(dice, effect.faces)}
            if (owner_may_reroll or opens_reroll(line_up, effect)) and len(rerolled) == 2:
                found.append(Offer(key, side, f"{label}, of a rerolled die", shows=shows))
                found.append(Offer(f"{key}{FRESH}", side, f"{label}, of a die not rerolled yet", shows=shows))
            else:
                found.append(Offer(key, side, label, shows=shows))
    return found


def opens_reroll(line_up: LineUp, effect: Effect) -> bool:
    """Whether a changed die may be rerolled by another effect of the same side that it gave no chance before."""
    takes = [
        set(one.faces) for one in line_up.effects if one.verb == "reroll" and one.pool is effect.pool and one.faces
    ]
    return effect.verb == "change" and any(effect.to in faces and effect.faces[0] not in faces for faces in takes)


def one_use(effect: Effect) -> Effect:
    """What one choice uses up: a reroll whole, any other effect one result at a time."""
    return effect if effect.verb == "reroll" else replace(effect, most=1)


def to_text(effect: Effect) -> str:
    """One use of an effect in words, as on a button."""
    if effect.verb == "add":
        return f"add 1 {effect.to}"
    return f"1 {effect.faces[0]} to {effect.to}" if effect.verb == "change" else f"{effect.verb} 1 {effect.faces[0]}"


def reroll_to_text(effect: Effect, most: int) -> str:
    dice, show = ("1 die", "shows") if most == 1 else (f"up to {most} dice", "show")
    return f"reroll {dice} that {show} {' or '.join(effect.faces)}" if effect.faces else f"reroll {dice}"


def left(count: int) -> str:
    return f" ({count} left)" if count > 1 else ""


def rerollable(dice: Dice, faces: tuple[Face, ...]) -> tuple[Option, ...]:
    """The dice that may be rerolled: each at most once in an attack, whoever asks."""
    return tuple(
        Option(
            str(index),
            f"Die {index + 1}: {die.face}",
            "added" if die.trail[0].how == "added" else "",
            shows=(die.kind, str(die.face)),
        )
        for index, die in enumerate(dice)
        if die.counts and not die.was_rerolled and die.face in faces
    )


def showing(dice: Dice, faces: tuple[Face, ...]) -> list[int]:
    """Places of the dice that show one of ``faces``: in the order of ``faces``, rerolled dice first.

    A rerolled die is taken first because the other one may still be rerolled.
    """
    places = [index for index, die in enumerate(dice) if die.counts and die.face in faces]
    return sorted(places, key=lambda index: (faces.index(cast("Face", dice[index].face)), not dice[index].was_rerolled))


def apply(side: Side, line_up: LineUp, pool: Pool, dice: Dice, choice: Choice, rng: Rng) -> tuple[LineUp, Dice]:
    """What is left and the dice after a choice that ``offers`` held."""
    key = choice.offer
    if key.startswith("effect-"):
        return apply_effect(side, line_up, pool, dice, choice, rng)
    token, left_over = TOKENS[key], line_up.less(key)
    if token.rerolls:
        return left_over, rerolled(dice, choice, pool, key, side, len(dice), rng)
    found = showing(dice, token.turns)
    return left_over, turn(dice, found if token.turns_all else found[:1], SUCCESS[pool], key)


def apply_effect(side: Side, line_up: LineUp, pool: Pool, dice: Dice, choice: Choice, rng: Rng) -> tuple[LineUp, Dice]:
    """One use of an effect of a side's card."""
    index, card = int(choice.offer.removeprefix("effect-").removesuffix(FRESH)), by_card(side)
    effect = line_up.effects[index]
    line_up = used(line_up, index)
    if effect.verb == "reroll":
        return line_up, rerolled(dice, choice, pool, card, side, effect.most, rng)
    if effect.verb == "add":
        return line_up, (*dice, Rolled(pool.value, (Step("added", face_of(effect), card),)))
    places_shown = showing(dice, effect.faces)
    found = places_shown[-1:] if choice.offer.endswith(FRESH) else places_shown[:1]
    if effect.verb == "change":
        return line_up, turn(dice, found, face_of(effect), card)
    how: How = "spent" if effect.verb == "spend" else "cancelled"
    return line_up, tuple(die.then(how, card) if at in found else die for at, die in enumerate(dice))


def by_card(side: Side) -> str:
    """How a trail names the cause."""
    return f"{side}'s card"


def causes(pool: Pool, before: Dice, after: Dice) -> tuple[Cause, ...]:
    """What the newest steps of a pool came by; a trail alone does not tell which die was touched first."""
    changed = [die for at, die in enumerate(after) if die not in before[at : at + 1]]
    newest = [[step for step in die.trail if step.how != "entered"][-1] for die in changed]
    return tuple(dict.fromkeys((pool, step.how, step.by) for step in newest))


def rerolled(dice: Dice, choice: Choice, pool: Pool, by: str, side: Side, most: int, rng: Rng) -> Dice:
    """Some dice rerolled: by the bot, or on camera, where ``side`` types what they show.

    Raises ``BadInput`` for too many dice, or for more or fewer faces than dice.
    """
    if not choice.filled:
        return throw(dice, places(choice), pool, by, rng)
    typed = faces_after(choice.filled, pool)
    if not 1 <= len(typed) <= most:
        raise BadInput(camera.DICE, f"{len(typed)} dice", Whole(1, most))
    return tuple(
        die.then("rerolled", by, typed[at]).then("entered", side.value, typed[at]) if at in typed else die
        for at, die in enumerate(dice)
    )


def faces_after(filled: Mapping[str, str], pool: Pool) -> dict[int, Face]:
    """What dice that were rerolled by hand show now, by their places; the others are missing."""
    if camera.DICE not in filled:
        shown = {key.removeprefix(camera.DIE): text for key, text in filled.items() if text not in ("", STAYS.value)}
        return {int(place): Face(face) for place, face in shown.items()}
    chosen = sorted(int(value) for value in filled[camera.DICE].split(", "))
    return dict(zip(chosen, camera.read_faces(filled[camera.FACES], pool, len(chosen)), strict=True))


def places(choice: Choice) -> list[int]:
    return [int(value) for value in choice.picked]


def used(line_up: LineUp, index: int) -> LineUp:
    """The line-up after one use of an effect."""
    effect = line_up.effects[index]
    rest_most = effect.most - one_use(effect).most
    rest = (replace(effect, most=rest_most),) if rest_most else ()
    return replace(line_up, effects=(*line_up.effects[:index], *rest, *line_up.effects[index + 1 :]))


def face_of(effect: Effect) -> Face:
    return cast("Face", effect.to)  # verbs that show a result are never declared without one


def throw(dice: Dice, chosen: list[int], pool: Pool, by: str, rng: Rng) -> Dice:
    return tuple(reroll(die, pool.faces, by, rng) if at in chosen else die for at, die in enumerate(dice))


def turn(dice: Dice, chosen: list[int], face: Face, by: str) -> Dice:
    return tuple(die.then("changed", by, face) if at in chosen else die for at, die in enumerate(dice))


def become(dice: Dice, effect: Effect, by: str) -> Dice:
    """Every result ``faces[0]`` is ``to``, after both windows."""
    return turn(dice, showing(dice, effect.faces), face_of(effect), by)
