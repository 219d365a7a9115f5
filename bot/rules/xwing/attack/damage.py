"""Steps 6 and 7: neutralize results and deal damage. ``deal_to`` is the one place that deals damage to a ship."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.rules.dice import Rolled, Step, standing
from bot.rules.text import Name, term
from bot.rules.xwing.dice.deeds import CritOrder, Deed
from bot.rules.xwing.dice.faces import Face, Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageDealt:
    """What got through. ``destroyed`` is None while the hull is not known.

    ``facedown`` and ``faceup`` are the damage cards that it comes to, ``titles`` the faceup ones of a ship; some of
    them may have been turned facedown since. ``tokens`` are those that a weapon gives.
    """

    hits: int = 0
    crits: int = 0
    shields_lost: int = 0
    facedown: int = 0
    faceup: int = 0
    titles: tuple[Name, ...] = ()
    tokens: tuple[tuple[str, int], ...] = ()
    destroyed: bool | None = None

    @property
    def total(self) -> int:
        return self.hits + self.crits


def neutralize(
    red: tuple[Rolled, ...], green: tuple[Rolled, ...], reinforce: int, crits: CritOrder | None = None
) -> tuple[tuple[Rolled, ...], tuple[Rolled, ...]]:
    """Step 6: evades cancel hits, then crits. While more than one would be left each reinforce token adds one evade.

    ``crits``: they are cancelled first, or stay.
    """
    evades = standing(green).count(Face.EVADE)
    extra = min(reinforce, max(0, to_cancel(red) - evades - 1))
    token = Rolled(Pool.GREEN.value, (Step("added", Face.EVADE, term("reinforce")),))
    causes = [term("evade")] * evades + [term("reinforce")] * extra
    dice = list(red)
    orders = {CritOrder.FIRST: (Face.CRIT, Face.HIT), CritOrder.STAY: (Face.HIT,), None: (Face.HIT, Face.CRIT)}
    for face in orders[crits]:
        for index, die in enumerate(dice):
            if causes and die.counts and die.face == face:
                dice[index] = die.then("cancelled", causes.pop(0))
    return tuple(dice), green + (token,) * extra


def to_cancel(red: tuple[Rolled, ...]) -> int:
    """The hits and crits that nothing has cancelled yet."""
    left = standing(red)
    return left.count(Face.HIT) + left.count(Face.CRIT)


@dataclass(frozen=True, slots=True)
class Dealt:
    """What uncancelled results come to: (hits, crits) that are suffered, and tokens by name."""

    results: tuple[int, int]
    tokens: tuple[tuple[str, int], ...] = ()


def dealt(results: tuple[int, int], deals: Iterable[Deed]) -> Dealt:
    """What (hits, crits) come to where a weapon deals in another form (rules page, X-Wing cards, section 5).

    ``deals`` are the deeds of its rows; a miss deals nothing.
    """
    count, tokens = sum(results), dict[str, int]()
    for deed in deals if count else ():
        results = deed.dealt(results, count, tokens)
    return Dealt(results, tuple((name, count) for name, count in tokens.items() if count))


def deal(red: tuple[Rolled, ...], hull: int | None, shields: int, deals: tuple[Deed, ...] = ()) -> DamageDealt:
    """Step 7: all hits, then all crits; a shield takes one of either, past the shields a crit is a faceup card.

    ``deals``: what the weapon deals in place of damage.
    """
    left = standing(red)
    came = dealt((left.count(Face.HIT), left.count(Face.CRIT)), deals)
    hits, crits = came.results
    on_shields = min(shields, hits + crits)
    facedown = max(0, hits - shields)
    faceup = hits + crits - on_shields - facedown
    return DamageDealt(
        hits=hits,
        crits=crits,
        shields_lost=on_shields,
        facedown=facedown,
        faceup=faceup,
        tokens=came.tokens,
        destroyed=None if hull is None else facedown + faceup >= hull,
    )
