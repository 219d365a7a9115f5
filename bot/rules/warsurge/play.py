"""Rolling: each attack die by itself, a chain with the same die, then the armour saves (rules page, Rolling). A volley
rolls weapon by weapon.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from bot.rules import game
from bot.rules.dice import DieStep, Rng, Rolled, in_pool, roll
from bot.rules.game import AfterOffer, Choice, Eligible, Field, Fill, Offer, OpenTo, PlainAct, Side, carry_out
from bot.rules.physical_dice import dice_fields, faces_of
from bot.rules.text import N_, Code, Name, Text
from bot.rules.warsurge.declared import Declared, Volley, parse_saves
from bot.rules.warsurge.methods import Method, Need

PIPS: Final = (1, 2, 3, 4, 5, 6)
SAVES: Final = "saves"
SPACE: Final = 100
"""Maximum characters of a form beyond its example, for spaces and commas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRoll:
    """A rolled attack: its ``dice`` and ``saves``, if any. A chain is one die with all its faces in the trail."""

    declared: Declared
    dice: tuple[Rolled, ...] = ()
    saves: tuple[Rolled, ...] = ()

    @property
    def attacks(self) -> tuple["AttackRoll", ...]:
        """Return each weapon's roll, as for a volley."""
        return (self,)

    @property
    def saves_open(self) -> int:
        """Number of armour saves that wait for the defender."""
        return self.declared.saves_due(successes(self.declared, self.dice)) - len(self.saves)


@dataclass(frozen=True, slots=True, kw_only=True)
class VolleyRoll:
    declared: Volley
    attacks: tuple[AttackRoll, ...]


@dataclass(frozen=True, slots=True)
class DamageTally:
    """Totals of a roll: successful attack dice, armour saves taken and passed, and HP lost."""

    successes: int
    saves: int
    saved: int
    hp_loss: int


def dice_count(declared: Declared | Volley) -> int:
    """Return the attack dice; chains and saves follow from their faces."""
    return sum(item.attack_dice for item in declared.attacks)


def start(declared: Declared | Volley, rng: Rng) -> AttackRoll | VolleyRoll:
    """Roll everything; physical dice are entered."""
    if isinstance(declared, Volley):
        return VolleyRoll(declared=declared, attacks=tuple(attack(item, rng) for item in declared.attacks))
    return attack(declared, rng)


def attack(declared: Declared, rng: Rng) -> AttackRoll:
    """Roll one weapon's attack and the saves against it."""
    need = declared.line.need
    if declared.faces is not None:
        dice = tuple(enter_die(shown) for shown in declared.faces if shown)
    else:
        dice = tuple(attack_die(need, rng) for _ in range(declared.attack_dice)) if need.steps else ()
    if declared.asks_saves:
        saves: tuple[Rolled, ...] = ()
    elif declared.save_faces is not None:
        saves = tuple(enter_die((face,)) for face in declared.save_faces)
    else:
        saves = roll("d6", PIPS, declared.saves_due(successes(declared, dice)), rng, "saved")
    return AttackRoll(declared=declared, dice=dice, saves=saves)


def rolled(state: AttackRoll | VolleyRoll) -> tuple[Rolled, ...]:
    """Return the attack dice, then the armour saves, weapon by weapon."""
    return tuple(die for attack in state.attacks for die in (*attack.dice, *attack.saves))


def enter_die(shown: tuple[int, ...], by: Side = Side.ATTACKER) -> Rolled:
    """Return one physical die with its chain in one trail; a declaration's dice are the attacker's."""
    return Rolled("d6", tuple(DieStep("entered", face, Name(by.value)) for face in shown))


def attack_die(need: Need, rng: Rng) -> Rolled:
    """Roll one attack die, again while its chain continues."""
    (die,) = roll("d6", PIPS, 1, rng)
    while not need.is_done(faces(die)):
        die = die.after_step("rolled", Text("chain"), PIPS[in_pool(rng, "d6", "chain", PIPS)(len(PIPS))])
    return die


def faces(die: Rolled) -> tuple[int, ...]:
    return tuple(int(step.face) for step in die.trail)


def successes(declared: Declared, dice: tuple[Rolled, ...]) -> int:
    return declared.successes(tuple(map(faces, dice)))


def tally(state: AttackRoll) -> DamageTally:
    declared, saves_on = state.declared, state.declared.saves_on
    multiplier = declared.line.need.multiplier
    successful = successes(declared, state.dice)
    saved = sum(int(die.face) >= saves_on for die in state.saves) if saves_on else 0
    if declared.method is Method.CHART:
        return DamageTally(successful, len(state.saves), saved, successful * multiplier - saved)
    return DamageTally(successful, len(state.saves), saved, (successful - saved) * multiplier)


def hp_loss(state: AttackRoll | VolleyRoll) -> int:
    """Return all weapons' HP loss; a target may have fewer left."""
    return sum(tally(attack).hp_loss for attack in state.attacks)


def hp_left(state: VolleyRoll) -> int | None:
    """Return the target's HP after the volley; None if not counted."""
    return None if state.declared.hp is None else max(0, state.declared.hp - hp_loss(state))


def saves_open(state: AttackRoll | VolleyRoll) -> int:
    """Return the number of armour saves that wait for the defender; at 0 the roll is over."""
    return sum(attack.saves_open for attack in state.attacks)


def offers(state: AttackRoll | VolleyRoll) -> tuple[Offer, ...]:
    """Offer the armour saves, then, if the bot rolled dice and the target has HP left, a repeat."""
    if saves_open(state):
        return (ROLL_SAVES, type_saves(state))
    is_typed = any(declared.faces is not None or declared.save_faces is not None for declared in state.declared.attacks)
    is_destroyed = isinstance(state, VolleyRoll) and state.declared.target and hp_left(state) == 0
    return () if not rolled(state) or is_typed or is_destroyed else (AGAIN,)


def type_saves(state: AttackRoll | VolleyRoll) -> Offer:
    """Offer a form for physical armour saves, by weapon."""
    waiting = [attack for attack in state.attacks if attack.saves_open]
    example = "; ".join(" ".join(["4"] * attack.saves_open) for attack in waiting)
    message = N_("Armour saves: {total}, semicolons by weapon") if len(waiting) > 1 else N_("Armour saves: {total}")
    total = sum(attack.saves_open for attack in waiting)
    field = Field(SAVES, Text(message, total=total), Code(example), longest=len(example) + SPACE)
    labels = [
        Text("{weapon}, save {number}", weapon=attack.declared.weapon or Text("Armour"), number=number)
        for attack in waiting
        for number in range(1, attack.saves_open + 1)
    ]
    if len(waiting) == 1:
        labels = [Text("Armour save {number}", number=number) for number in range(1, total + 1)]
    fields, label = dice_fields(labels, PIPS, field), Text("Enter the armour saves")
    return Offer(TYPE_SAVES, FREE, label, Fill(fields), AfterOffer.CLOSES, leave=game.RequiredSetting.BY_HAND)


def roll_saves(state: AttackRoll | VolleyRoll, _: Choice, rng: Rng) -> AttackRoll | VolleyRoll:
    return with_saves(state, [roll("d6", PIPS, count, rng, "saved") for count in count_pending_saves(state)])


def enter_saves(state: AttackRoll | VolleyRoll, choice: Choice, _: Rng) -> AttackRoll | VolleyRoll:
    """Take a form's armour saves. Raises ``BadInputError`` or ``UnknownWordError`` unless each has one face."""
    due = count_pending_saves(state)
    filled = choice.filled or {}
    picked = faces_of(SAVES, filled)
    starts = list(accumulate(due, initial=0))
    parts = [" ".join(picked[start : start + count]) for start, count in zip(starts, due, strict=False)]
    shown = parse_saves("; ".join(parts) if picked else filled.get(SAVES, ""), due)
    return with_saves(state, [tuple(enter_die((face,), choice.by) for face in part) for part in shown])


def count_pending_saves(state: AttackRoll | VolleyRoll) -> list[int]:
    """Count each waiting weapon's armour saves due."""
    return [attack.saves_open for attack in state.attacks if attack.saves_open]


def with_saves(state: AttackRoll | VolleyRoll, saves: Sequence[tuple[Rolled, ...]]) -> AttackRoll | VolleyRoll:
    given = iter(saves)
    saved = tuple(replace(attack, saves=next(given)) if attack.saves_open else attack for attack in state.attacks)
    return replace(state, attacks=saved) if isinstance(state, VolleyRoll) else saved[0]


FREE: Final = Eligible(Side.DEFENDER, OpenTo.FREE)
ROLL_SAVES: Final = Offer(
    PlainAct("roll-saves", roll_saves), FREE, Text("Roll the armour saves"), then=AfterOffer.CLOSES
)
TYPE_SAVES: Final = PlainAct("type-saves", enter_saves)
AGAIN: Final = game.roll_again_offer(start, Text("Again"))
"""Against a unit of the table, a repeat is another attack, which costs HP too."""


def choose(state: AttackRoll | VolleyRoll, choice: Choice, rng: Rng) -> AttackRoll | VolleyRoll:
    """Return the state after the armour saves, or the attack rolled again. Raises ``NotOfferedError`` otherwise."""
    after: AttackRoll | VolleyRoll = carry_out(offers(state), state, choice, rng)
    return after


def outcome(state: AttackRoll | VolleyRoll) -> Mapping[str, object]:
    """Return the result in JSON words: for a volley, each weapon and the sum."""
    if isinstance(state, AttackRoll):
        return attack_outcome(state)
    words: dict[str, object] = {
        "attacks": [{"weapon": attack.declared.weapon, **attack_outcome(attack)} for attack in state.attacks],
        "hp_loss": hp_loss(state),
    }
    return words if hp_left(state) is None else words | {"hp_left": hp_left(state)}


def attack_outcome(state: AttackRoll) -> Mapping[str, object]:
    """Return one weapon's line and result; ``saved`` only with an armour save."""
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
    if state.declared.saves_on:
        words |= {"save_faces": [die.face for die in state.saves], "saved": counted.saved}
    return words
