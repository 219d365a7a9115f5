"""Steps 6 and 7: neutralize results and deal damage."""

from dataclasses import dataclass

from bot.rules.dice import Rolled, Step
from bot.rules.xwing.faces import Face, Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageDealt:
    """What got through. ``destroyed`` is None while the hull is not known."""

    hits: int = 0
    crits: int = 0
    shields_lost: int = 0
    facedown: int = 0
    faceup: int = 0
    destroyed: bool | None = None

    @property
    def total(self) -> int:
        return self.hits + self.crits


def neutralize(
    red: tuple[Rolled, ...], green: tuple[Rolled, ...], reinforce: int
) -> tuple[tuple[Rolled, ...], tuple[Rolled, ...]]:
    """Step 6: evades cancel hits, then crits. While more than one would be left each reinforce token adds one evade."""
    left = standing(red, Face.HIT) + standing(red, Face.CRIT) - standing(green, Face.EVADE)
    extra = min(reinforce, max(0, left - 1))
    token = Rolled(Pool.GREEN.value, (Step("added", Face.EVADE, "reinforce"),))
    causes = ["evade"] * standing(green, Face.EVADE) + ["reinforce"] * extra
    dice = list(red)
    for face in (Face.HIT, Face.CRIT):
        for index, die in enumerate(dice):
            if causes and die.counts and die.face == face:
                dice[index] = die.then("cancelled", causes.pop(0))
    return tuple(dice), green + (token,) * extra


def standing(dice: tuple[Rolled, ...], face: Face) -> int:
    """How many dice show the result and still count."""
    return sum(die.counts and die.face == face for die in dice)


def deal(red: tuple[Rolled, ...], hull: int | None, shields: int) -> DamageDealt:
    """Step 7: all hits, then all crits; a shield takes one of either, past the shields a crit is a faceup card."""
    hits, crits = standing(red, Face.HIT), standing(red, Face.CRIT)
    on_shields = min(shields, hits + crits)
    facedown = max(0, hits - shields)
    faceup = hits + crits - on_shields - facedown
    return DamageDealt(
        hits=hits,
        crits=crits,
        shields_lost=on_shields,
        facedown=facedown,
        faceup=faceup,
        destroyed=None if hull is None else facedown + faceup >= hull,
    )
