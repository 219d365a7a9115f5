"""The bot as an X-Wing player: it follows advice and exact odds, and claims nothing that depends on the table."""

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
"""The bot's defense by default."""


def moves(state: Attack | loose_dice.LooseRoll) -> tuple[Move, ...]:
    """Return the acting side's moves, best first; () if nobody acts. It uses no card that needs measuring (an arc, a
    distance), and no uncertain reinforce.
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
    """Return this window's advice; () without dice to modify, or for a too large question."""
    try:
        return advise(state) if aims(state) else ()
    except BadInputError:
        return ()


def targets(table: match.Table, name: str, weapon: str) -> dict[str, tuple[NamedNumber, ...]]:
    """Return the effect of an attack on each possible enemy at ``SUPPOSED``, best target first: by the chance to
    destroy it, then by damage. Positions are unknown: the reader knows which are in sight.
    """
    result = {}
    fleet = match.ships_of(table)
    for foe in controls.foes(table, fleet[name]):
        raw = {"attacker": name, "defender": foe.name, "weapon": weapon, "range": SUPPOSED, "supposed": True}
        try:
            declared = pieces.declare(raw, table)
            assert isinstance(declared, Declared), "it names an attacker"  # noqa: S101 - states it
            (law,) = odds_of([("", declared)])
        except PlayerError:  # out of range, or too large
            continue
        destroyed = law.damage.p_destroyed if law.damage is not None else Fraction(0)
        damage = law.distribution.mean(sum)
        result[foe.name] = (NamedNumber(DESTROYED, destroyed), NamedNumber(DAMAGE, damage, is_probability=False))
    return dict(sorted(result.items(), key=lambda pair: [number.value for number in pair[1]], reverse=True))


def dial(table: match.Table, name: str) -> str:
    """Return the bot's dial for a ship: no red maneuver, a blue one to lose stress, else straight at speed 2. Odds
    don't help, because positions are unknown. The person moving the ship may choose another.
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
"""The range for comparing targets: nearly all weapons reach it, without bonus dice."""
DESTROYED: Final = Text("destroyed")
DAMAGE: Final = Text("average damage")


def main(advice: Advice) -> tuple[NamedNumber, ...]:
    """The numbers by which people choose."""
    return tuple(number for number in advice.numbers if number.is_main) or advice.numbers[:1]


def is_claim(state: Attack, side: Side, key: str) -> bool:
    """Whether a press would claim something the bot can't see."""
    act = modify.USES(key)
    return isinstance(act, modify.UseEffect) and bool(state.side(side).effects[act.at].ask)
