"""The real rules, walked through every way the dice can fall by two people who keep to the policy: the same law."""

from fractions import Fraction

import pytest

from bot.odds.xwing import distribution
from bot.rules import xwing
from bot.rules.dice import Rng
from bot.rules.game import Choice, Offer
from bot.rules.xwing.attack.attack import Attack, AttackWindow
from bot.rules.xwing.attack.steps import neutralize
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.dice.faces import Face
from tests.every_way import every_way
from tests.rules.xwing.play import declared, open_offers as offers
from tests.starts import pick_of


def is_hit_short(state: Attack) -> bool:
    """Whether a hit or crit would get through as the dice lie."""
    red, _ = neutralize(state.red, state.green, 0)
    return any(die.counts and die.face in (Face.HIT, Face.CRIT) for die in red)


def chosen(state: Attack, open_offers: dict[str, Offer]) -> Choice:
    """What the policy does where there is little to weigh: reroll what is no use, then change, then tokens."""
    if state.window is AttackWindow.DEFENDER_MODIFIES_DEFENSE and not is_hit_short(state):
        return Choice("done")
    line, dice = (
        (state.attack, state.red)
        if state.window is AttackWindow.ATTACKER_MODIFIES_ATTACK
        else (state.defense, state.green)
    )
    keeps_focus = line.focus or line.calculate or line.force
    for offer in open_offers.values():
        useless = [
            option.value
            for option in offer.options
            if dice[int(option.value)].face is Face.BLANK
            or (dice[int(option.value)].face is Face.FOCUS and not keeps_focus)
        ]
        if useless:
            return Choice(offer.key, tuple(useless[: pick_of(offer).most]))
    presses = [key for key, offer in open_offers.items() if not offer.options and key != "done"]
    order = ["focus", "calculate", "force", "evade"]
    presses.sort(key=lambda key: order.index(key) if key in order else -1)
    return Choice(presses[0] if presses else "done")


def walked(whole: Declared) -> dict[tuple[int, int], Fraction]:
    def play(rng: Rng) -> tuple[int, int]:
        state = xwing.start(whole, rng)
        assert isinstance(state, Attack)
        while open_offers := {offer.key: offer for offer in offers(state)}:
            after = xwing.choose(state, chosen(state, open_offers), rng)
            assert isinstance(after, Attack)
            state = after
        assert state.damage
        return state.damage.hits, state.damage.crits

    return every_way(play)


@pytest.mark.parametrize(
    ("dice", "agility", "with_", "against"),
    [
        (2, 1, "", ""),
        (2, 1, "focus", "focus"),
        (1, 2, "focus, lock", "focus"),
        (1, 1, "lock", "evade"),
        (2, 0, "lock, focus", "reinforce"),
        (2, 1, "calculate, force", "calculate"),
        (2, 1, "focus, change 1 hit to crit", "change 1 crit to hit, evade"),
        (1, 1, "reroll 1 blank, focus", "reroll 1 blank, focus"),
        (1, 1, "set red hit, every hit to crit", "+1 dice"),
        (2, 1, "change 1 evade to focus", "force"),
        (1, 1, "add 1 focus, calculate", "add 1 evade"),
        (2, 1, "cancel 1 evade", ""),
    ],
)
def test_every_way_the_dice_can_fall(dice: int, agility: int, with_: str, against: str) -> None:
    whole = declared(dice, agility, with_, against)
    result = distribution(whole)
    assert walked(whole) == {results: Fraction(weight, result.total) for results, weight in result.weights.items()}
