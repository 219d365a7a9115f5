"""An X-Wing attack as a test tells it: words for what is brought, faces for how the dice fall, keys for presses."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from bot.rules.dice import Rolled
from bot.rules.game import Choice, Offer, Side
from bot.rules.text import english
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import Attack
from bot.rules.xwing.dice import typed_sides
from bot.rules.xwing.dice.declared import Declared

ANSWER: Final = {"hit": 0, "evade": 0, "crit": 3, "focus": 4, "blank": 7}
"""Which of the eight faces to answer for a result; red and green dice have these in the same places."""


WOUNDED_PILOT: Final = 4
"""The place of a damage card that dice do not feel, in a full deck."""


class Falls:
    """An ``Rng`` under which the dice fall as written: ``Falls("hit blank")``. One more die than that is an error."""

    def __init__(self, faces: str = "") -> None:
        self.left = faces.split()

    def __call__(self, sides: int) -> int:
        if sides == 1:  # a fixed die
            return 0
        if sides > 8:  # a damage card: one that dice do not feel
            return min(WOUNDED_PILOT, sides - 1)
        assert sides == 8
        assert self.left, "more dice fell than the test says"
        return ANSWER[self.left.pop(0)]


def declared(dice: int, agility: int | None, with_: str = "", against: str = "", **more: object) -> Declared:
    """A declaration with both sides in words; ``agility`` None leaves the defender to say what they bring."""
    mine = typed_sides.parse(with_, Side.ATTACKER, "with")
    theirs = typed_sides.parse(against, Side.DEFENDER, "against")
    whole = Declared(
        attack=replace(mine.line_up, dice=dice),
        defense=None if agility is None else replace(theirs.line_up, dice=agility),
        needs=mine.needs,
        needs_any=mine.needs_any,
        cost_lock=mine.cost_lock,
        cost_charge=mine.cost_charge,
        hull=theirs.hull,
        shields=theirs.shields,
    )
    return replace(whole, **more)  # type: ignore[arg-type]  # the test names fields of Declared


def begin(dice: int, agility: int | None, falls: str, with_: str = "", against: str = "", **more: object) -> Attack:
    """An attack as it stands when first somebody has something to do."""
    return play(declared(dice, agility, with_, against, **more), falls)


def play(whole: Declared, falls: str) -> Attack:
    rng = Falls(falls)
    state = attack.start(whole, rng)
    assert not rng.left, f"these dice never fell: {rng.left}"
    return state


def press(state: Attack, key: str, falls: str = "", pick: Iterable[int] = ()) -> Attack:
    """The attack after one choice; ``pick`` counts dice from 0."""
    rng = Falls(falls)
    state = attack.choose(state, Choice(key, tuple(str(at) for at in pick)), rng)
    assert not rng.left, f"these dice never fell: {rng.left}"
    return state


def open_offers(state: Attack) -> tuple[Offer, ...]:
    """What may be chosen while the attack lasts; the dice fall here and not on camera, and nobody types a card."""
    aside = ("camera", "another")
    return tuple(offer for offer in attack.offers(state) if offer.is_awaited and offer.key not in aside)


def keys(state: Attack) -> list[str]:
    return [offer.key for offer in open_offers(state)]


def labels(state: Attack) -> list[str]:
    return [english(offer.label) for offer in open_offers(state)]


def faces(dice: tuple[Rolled, ...]) -> str:
    """What the dice show; canceled and spent ones in brackets."""
    return " ".join(str(die.face) if die.counts else f"({die.face})" for die in dice)
