"""Rolling: each attack die by itself, a chain with the same die, then the armour saves (rules page, Rolling)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.rules.dice import Rng, Rolled, Step, in_pool, roll
from bot.rules.game import Choice, Offer, Side, taken
from bot.rules.warsurge.declared import Declared
from bot.rules.warsurge.methods import Method
from bot.rules.warsurge.need import Need

PIPS: Final = (1, 2, 3, 4, 5, 6)
AGAIN: Final = Offer("again", Side.ATTACKER, "Roll again with the same values", reopens=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """An attack that was rolled. ``dice`` is empty if nothing is rolled, ``saves`` if there is no armour save.

    A chain is one die; its trail has every face that it showed.
    """

    declared: Declared
    dice: tuple[Rolled, ...] = ()
    saves: tuple[Rolled, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """What a roll comes to: successful attack dice, armour saves taken and made, and HP lost."""

    successes: int
    saves: int
    saved: int
    hp_loss: int


def dice_count(declared: Declared) -> int:
    """The attack dice; what a chain or an armour save adds follows from their faces."""
    return declared.attack_dice


def start(declared: Declared, rng: Rng) -> Roll:
    """The whole roll. Faces rolled by hand are taken as they are; armour saves are always rolled here."""
    need = declared.line.need
    if declared.faces is not None:
        dice = tuple(entered(faces) for faces in declared.faces if faces)
    else:
        dice = tuple(attack_die(need, rng) for _ in range(declared.attack_dice)) if need.steps else ()
    saves = saves_due(declared, successes(declared, dice)) if declared.save else 0
    return Roll(declared=declared, dice=dice, saves=roll("d6", PIPS, saves, rng, "saved"))


def rolled(state: Roll) -> tuple[Rolled, ...]:
    """The attack dice, then the armour saves."""
    return (*state.dice, *state.saves)


def entered(faces: tuple[int, ...]) -> Rolled:
    """One attack die rolled by hand, its chain in one trail; only the attacker types any."""
    return Rolled("d6", tuple(Step("entered", face, Side.ATTACKER.value) for face in faces))


def attack_die(need: Need, rng: Rng) -> Rolled:
    """One attack die, rolled again as long as its chain goes on."""
    (die,) = roll("d6", PIPS, 1, rng)
    while not need.is_done(faces(die)):
        die = die.then("rolled", "chain", PIPS[in_pool(rng, "d6", "chain")(len(PIPS))])
    return die


def faces(die: Rolled) -> tuple[int, ...]:
    """All the faces that a die showed, in order."""
    return tuple(int(step.face) for step in die.trail)


def successes(declared: Declared, dice: tuple[Rolled, ...]) -> int:
    """The successful attack dice, before any multiplier."""
    need = declared.line.need
    return declared.attack_dice if need.is_automatic else sum(need.is_met(faces(die)) for die in dice)


def saves_due(declared: Declared, successful: int) -> int:
    """One save for each success; the chart multiplies the successes, Balanced the HP loss after the saves."""
    return successful * declared.line.need.multiplier if declared.method is Method.CHART else successful


def tally(state: Roll) -> Tally:
    """The roll counted."""
    declared = state.declared
    successful = successes(declared, state.dice)
    due = saves_due(declared, successful)
    saved = sum(int(die.face) >= declared.save for die in state.saves) if declared.save else 0
    each = 1 if declared.method is Method.CHART else declared.line.need.multiplier
    return Tally(successful, len(state.saves), saved, (due - saved) * each)


def offers(state: Roll) -> tuple[Offer, ...]:
    """Roll again with the same values, if the bot rolled any dice."""
    return (AGAIN,) if (state.dice or state.saves) and state.declared.faces is None else ()


def choose(state: Roll, choice: Choice, rng: Rng) -> Roll:
    """The same attack rolled anew; raises ``NotOffered`` for anything else."""
    taken(offers(state), choice)
    return start(state.declared, rng)


def outcome(state: Roll) -> Mapping[str, object]:
    """The line that applied and what the roll came to, in JSON words; ``saved`` only with an armour save."""
    line, counted = state.declared.line, tally(state)
    words: dict[str, object] = {
        "method": line.method.value,
        "rule": line.rule,
        "need": line.need.text,
        "multiplier": line.need.multiplier,
        "automatic": line.need.is_automatic,
        "faces": [list(faces(die)) for die in state.dice] or [[] for _ in range(state.declared.attack_dice)],
        "successes": counted.successes,
        "hp_loss": counted.hp_loss,
    }
    if state.declared.save:
        words |= {"save_faces": [die.face for die in state.saves], "saved": counted.saved}
    return words
