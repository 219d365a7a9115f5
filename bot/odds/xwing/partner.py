"""The bot as an X-Wing player: it follows advice and exact odds, and claims nothing that only the table shows."""

from fractions import Fraction
from typing import Final

from bot.odds.advice import Advice, Move, NamedNumber
from bot.odds.xwing import count as odds_of
from bot.odds.xwing.advice import advise, aims
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import Choice, Side
from bot.rules.text import Text
from bot.rules.xwing.attack.attack import CLOSE, ROLL, Attack, AttackWindow, ChooseArc, offers
from bot.rules.xwing.dice import loose_dice, modify
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.table import controls, dials, match, pieces

BRINGS: Final = {"agility": "2", "tokens": "focus"}
"""The bot's defense if nobody has said anything else."""


def moves(state: Attack | loose_dice.LooseRoll) -> tuple[Move, ...]:
    """Return the moves of the side whose turn it is, best first; () if nobody is waited for.

    It uses no card that requires something people measure (an arc, a distance), and no more reinforce than is certain.
    """
    if isinstance(state, loose_dice.LooseRoll):
        return ()
    waited = [offer for offer in offers(state) if offer.is_awaited]
    if not waited:
        return ()
    side = waited[0].side
    if state.window is AttackWindow.DECLARE_DEFENSE:
        why = Text("no defender was named, so I use agility 2 with a focus token")
        return (Move(Choice("defend", filled=BRINGS, by=Side.DEFENDER), Text("Defend"), why=why),)
    advised = [advice for advice in advise_window(state) if advice.offer and not is_claim(state, side, advice.offer)]
    if advised:
        return tuple(
            Move(Choice(advice.offer, advice.picked, by=side), advice.label, main(advice)) for advice in advised
        )
    last = next(offer for offer in waited if offer.act in (CLOSE, ChooseArc(), ROLL))
    why = Text("it needs nothing that only you can see on the table")
    return (Move(Choice(last.key, by=last.side), last.label, why=why),)


def advise_window(state: Attack) -> tuple[Advice, ...]:
    """The advice for this window; none where dice are not modified, or there is too much to count."""
    try:
        return advise(state) if aims(state) else ()
    except BadInputError:
        return ()


def targets(table: match.Table, name: str, weapon: str) -> dict[str, tuple[NamedNumber, ...]]:
    """Return an attack's effect on each enemy that this ship may attack at ``SUPPOSED``, best target first.

    By the chance to destroy it, then by the damage. The bot doesn't know positions: the reader sees who is in sight.
    """
    result = {}
    fleet = match.ships_of(table)
    for foe in controls.foes(table, fleet[name]):
        raw = {"attacker": name, "defender": foe.name, "weapon": weapon, "range": SUPPOSED, "supposed": True}
        try:
            declared = pieces.declare(raw, table)
            assert isinstance(declared, Declared), "it names an attacker"  # noqa: S101 - states it
            (law,) = odds_of([("", declared)])
        except PlayerError:  # out of its reach, or too much to count
            continue
        destroyed = law.damage.p_destroyed if law.damage is not None else Fraction(0)
        damage = law.distribution.mean(sum)
        result[foe.name] = (NamedNumber(DESTROYED, destroyed), NamedNumber(DAMAGE, damage, is_probability=False))
    return dict(sorted(result.items(), key=lambda pair: [number.value for number in pair[1]], reverse=True))


def dial(table: match.Table, name: str) -> str:
    """Return the bot's dial for one of its ships: no red maneuver, a blue one to lose stress, else straight at speed 2.

    The odds say no more, because positions aren't known. The person who moves the ship may choose another maneuver.
    """
    ship = match.ships_of(table)[name]
    stressed = bool(ship.has("stress"))

    def worse(maneuver: dials.Maneuver) -> tuple[bool, bool, bool, int]:
        return (
            maneuver.difficulty in "RP",
            stressed and maneuver.difficulty != "B",
            maneuver.bearing != STRAIGHT,
            abs(maneuver.speed - 2),
        )

    return min(dials.dial_of(ship), key=worse).code


STRAIGHT: Final = "F"
SUPPOSED: Final = 2
"""The range at which targets are compared: nearly every weapon reaches it, and no die comes or goes."""
DESTROYED: Final = Text("destroyed")
DAMAGE: Final = Text("average damage")


def main(advice: Advice) -> tuple[NamedNumber, ...]:
    """The numbers by which people choose."""
    return tuple(number for number in advice.numbers if number.is_main) or advice.numbers[:1]


def is_claim(state: Attack, side: Side, key: str) -> bool:
    """Whether a press would claim what the bot cannot see."""
    act = modify.USES(key)
    return isinstance(act, modify.UseEffect) and bool(state.side(side).effects[act.at].ask)
