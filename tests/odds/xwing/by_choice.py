"""What each choice in an X-Wing attack is worth, by trying everything that the real rules offer.

The oracle for advice: it presses every button and picks every set of dice, on every way in which they can fall. Those
who ask go on for their aim. The others keep to the policy of the rules page: an attacker to the most hits and crits
when the attack dice are modified, of which none is rerolled, then to the most damage; a defender to the least damage,
then to the most tokens left.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Final

from bot.rules import xwing
from bot.rules.dice import Rolled
from bot.rules.game import Choice, Offer, Side
from bot.rules.xwing.attack.attack import ACTS, STEPS, Attack, AttackWindow
from bot.rules.xwing.dice.declared import LineUp
from bot.rules.xwing.dice.tokens import KEPT_FIRST, SPENT
from tests.every_way import Unordered, every_way
from tests.rules.xwing.play import open_offers
from tests.starts import pick_of

Worth = dict[str, Fraction]
"""Means: damage, hurt, crit, kill; tokens left by side and kind; hits and crits when the attack dice are final."""

KINDS: Final = SPENT
FIRST: Final = {
    "damage": ("damage", "kept", "kill", "crit", "hurt"),
    "kill": ("kill", "damage", "kept", "crit", "hurt"),
    "crits": ("crit", "damage", "kept", "kill", "hurt"),
    "tokens": ("kept", "damage", "kill", "crit", "hurt"),
}


def offers(state: Attack) -> list[Offer]:
    """What may be chosen by who fights on."""
    return [offer for offer in open_offers(state) if offer.key != "withdraw"]


class Oracle:
    """All that can come of attacks in which ``side`` asks with an aim."""

    def __init__(self, side: Side, aim: str) -> None:
        self._side, self._aim = side, aim
        # Whoever keeps to the policy expects the same of the others, whatever those really aim at.
        self._policy = self if aim == "damage" else Oracle(side, "damage")
        self._known: dict[object, Worth] = {}
        self._means: dict[tuple[Attack, Choice], Worth] = {}

    def each(self, state: Attack) -> dict[str, Worth]:
        """The best of each offer."""
        return {offer.key: self._after(state, self._best(state, list(ways_of(offer)))) for offer in offers(state)}

    def worth(self, state: Attack) -> Worth:
        key = like(state)
        if key not in self._known:
            every = [choice for offer in offers(state) for choice in ways_of(offer)]
            self._known[key] = self._after(state, self._best(state, every)) if every else ended(state)
        return self._known[key]

    def _after(self, state: Attack, choice: Choice) -> Worth:
        """The mean over all ways in which the dice can fall then; what is compared first and then taken is known."""
        if (state, choice) in self._means:
            return self._means[state, choice]
        mean = self._means[state, choice] = {}
        for after, chance in every_way(lambda rng: xwing.choose(state, choice, rng), Unordered).items():
            assert isinstance(after, Attack)
            for name, value in self.worth(after).items():
                mean[name] = mean.get(name, Fraction(0)) + chance * value
        return mean

    def _best(self, state: Attack, choices: list[Choice]) -> Choice:
        side = ACTS[state.window][0] if state.window in ACTS else STEPS[state.window][0]
        if side is self._side:
            return max(choices, key=lambda choice: wanted(self._after(state, choice), side, FIRST[self._aim]))
        if state.window in STEPS:  # only cards act there
            return max(choices, key=lambda choice: wanted(self._policy._after(state, choice), side, ("damage", "kept")))
        by_policy: Callable[[Worth, Choice], tuple[Fraction | int, ...]] = {
            AttackWindow.ATTACKER_MODIFIES_ATTACK: lambda worth, choice: (
                not any(state.red[int(place)].face in ("hit", "crit") for place in choice.picked),
                worth["results"],
                worth["crits"],
            ),
            AttackWindow.ATTACKER_MODIFIES_DEFENSE: lambda worth, choice: (worth["damage"], *eager(state, choice)),
            AttackWindow.DEFENDER_MODIFIES_DEFENSE: lambda worth, _: wanted(worth, side, ("damage", "kept")),
        }[state.window]
        return max(choices, key=lambda choice: by_policy(self._policy._after(state, choice), choice))


def eager(state: Attack, choice: Choice) -> tuple[int, int, bool]:
    """Of equal choices on the others' dice: more dice, evades first, anything before nothing; but never a blank."""
    shown = [state.green[int(place)].face for place in choice.picked]
    return -1 if "blank" in shown else len(shown), shown.count("evade"), choice.offer != "done"


def wanted(worth: Worth, side: Side, names: tuple[str, ...]) -> tuple[Fraction, ...]:
    """Numbers in order, more being better for a side."""
    held = {kind: worth[f"{side} {kind}"] for kind in KINDS[side]}
    rest = [held[kind] for kind in KEPT_FIRST[side]]
    held["kept"] = sum(rest, Fraction(0))
    bad = -1 if side is Side.DEFENDER else 1
    return (*(held[name] if name in held else bad * worth[name] for name in names), *rest)


def ways_of(offer: Offer) -> Iterator[Choice]:
    """Every choice that an offer allows."""
    if not offer.options:
        yield Choice(offer.key)
        return
    values = [option.value for option in offer.options]
    for count in range(pick_of(offer).least, pick_of(offer).most + 1):
        yield from (Choice(offer.key, picked) for picked in combinations(values, count))


def like(state: Attack) -> object:
    """What tells states apart; equal dice may lie in any order."""
    pools = [
        tuple(sorted((str(die.face), die.counts, die.was_rerolled, die.trail[-1].by) for die in dice))
        for dice in (state.red, state.green)
    ]
    return state.window, state.declared, state.attack, state.defense, *pools, state.damage


def ended(state: Attack) -> Worth:
    assert state.damage is not None
    came = state.damage
    worth = {"damage": came.total, "hurt": came.total > 0, "crit": came.crits > 0, "kill": bool(came.destroyed)}
    final = [die for die in state.red if is_final(die)]
    worth |= {
        "results": sum(die.face in ("hit", "crit") for die in final),
        "crits": sum(die.face == "crit" for die in final),
    }
    for side in Side:
        line: LineUp = state.side(side)
        worth |= {f"{side} {kind}": getattr(line, kind) for kind in KINDS[side]}
    return {name: Fraction(value) for name, value in worth.items()}


def is_final(die: Rolled) -> bool:
    """Whether a die still counted before evades canceled anything."""
    return die.counts or die.trail[-1].by in ("evade", "reinforce")
