"""What two people bring to an X-Wing attack: dice, tokens, and card effects as data (rules page, Modifying dice)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Literal

from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.reading import Reader

Ruleset = Literal["2.5", "2.0"]
RULESETS: Final = ("2.5", "2.0")

POOL_MOST: Final = 6
"""Dice rolled in one pool after all bonuses; results added by effects may go past it."""
DICE_MOST: Final = 20
TOKENS_MOST: Final = 6
EFFECTS_MOST: Final = 8
ADDED_MOST: Final = 4
HULL_MOST: Final = 30


class Face(StrEnum):
    HIT = "hit"
    CRIT = "crit"
    EVADE = "evade"
    FOCUS = "focus"
    BLANK = "blank"


class Pool(StrEnum):
    """Which dice: red are the attack dice, green the defense dice."""

    RED = "red"
    GREEN = "green"

    @property
    def faces(self) -> tuple[Face, ...]:
        """The eight faces of the die (rules page, Dice)."""
        return FACES[self]

    @property
    def results(self) -> tuple[Face, ...]:
        """The different results it can show."""
        return tuple(dict.fromkeys(FACES[self]))


FACES: Final[Mapping[Pool, tuple[Face, ...]]] = {
    Pool.RED: (*[Face.HIT] * 3, Face.CRIT, *[Face.FOCUS] * 2, *[Face.BLANK] * 2),
    Pool.GREEN: (*[Face.EVADE] * 3, *[Face.FOCUS] * 2, *[Face.BLANK] * 3),
}

OWN_POOL: Final[Mapping[Side, Pool]] = {Side.ATTACKER: Pool.RED, Side.DEFENDER: Pool.GREEN}

Verb = Literal["reroll", "change", "add", "cancel", "spend", "set", "become", "dice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A card's effect on the dice of one pool, used in the window in which its side acts.

    ``reroll``: up to ``most`` dice that show one of ``faces`` · ``change``: up to ``most`` results ``faces[0]`` to
    ``to`` · ``add``: ``most`` results ``to`` · ``cancel`` / ``spend``: up to ``most`` results of ``faces`` ·
    ``set``: every rolled die shows ``to`` (fixed dice) · ``become``: after both windows every red
    ``faces[0]`` is ``to`` · ``dice``: roll ``most`` more dice (fewer, if negative).
    """

    verb: Verb
    pool: Pool
    most: int = 1
    faces: tuple[Face, ...] = ()
    to: Face | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineUp:
    """One side's dice (weapon value or agility), tokens, and effects. ``lock`` is on this defender."""

    dice: int = 0
    focus: int = 0
    calculate: int = 0
    force: int = 0
    evade: int = 0
    reinforce: int = 0
    lock: int = 0
    charge: int = 0
    deplete: int = 0
    strain: int = 0
    effects: tuple[Effect, ...] = ()


TOKENS: Final[Mapping[Side, tuple[str, ...]]] = {
    Side.ATTACKER: ("focus", "calculate", "force", "lock", "charge", "deplete"),
    Side.DEFENDER: ("focus", "calculate", "force", "evade", "reinforce", "strain"),
}
"""The tokens that mean something on each side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """An attack as declared (step 1). ``defense`` is None while the defender has still to say what they bring.

    ``cost_lock`` and ``cost_charge`` are the weapon's costs, paid before any die is rolled. ``red`` and ``green`` are
    faces that lie already (physical dice); None means that the bot rolls. ``attacker`` and ``defender`` name ships of
    the channel, which pay and suffer; empty for sides without one. ``allowed`` lets an attack pass that the attacker
    has no more this round.
    """

    attack: LineUp
    defense: LineUp | None = None
    range: int | None = None
    ordnance: bool = False
    obstructed: bool = False
    ruleset: Ruleset = "2.5"
    cost_lock: int = 0
    cost_charge: int = 0
    hull: int | None = None
    shields: int = 0
    attacks: int = 1
    red: tuple[Face, ...] | None = None
    green: tuple[Face, ...] | None = None
    attacker: str = ""
    defender: str = ""
    allowed: bool = False


ATTACKS_MOST: Final = 10


def declare(raw: Mapping[str, object]) -> Declared:
    """A declaration in the words of the golden files (rules page, A line-up as JSON).

    Raises ``BadInput`` naming the field, ``BadWord`` for a key that nobody knows.
    """
    reader = Reader(raw)
    attack, defense = reader.part("attack"), reader.part("defense")
    brought = {Side.ATTACKER: attack_line(attack, defense), Side.DEFENDER: defense_line(attack, defense)}
    attack.done()
    defense.done()
    declared = Declared(
        attack=brought[Side.ATTACKER],
        defense=brought[Side.DEFENDER],
        range=reader.whole("range", 0, 3) if reader.has("range") else None,
        ordnance=reader.flag("ordnance"),
        obstructed=reader.flag("obstructed"),
        ruleset="2.0" if reader.word("ruleset", RULESETS, "2.5") == "2.0" else "2.5",
        cost_lock=reader.whole("cost_lock", 0, 1, 0),
        cost_charge=reader.whole("cost_charge", 0, TOKENS_MOST, 0),
        hull=reader.whole("hull", 1, HULL_MOST) if reader.has("hull") else None,
        shields=reader.whole("shields", 0, HULL_MOST, 0),
        attacks=reader.whole("attacks", 1, ATTACKS_MOST, 1),
        red=read_faces(reader, "red", Pool.RED),
        green=read_faces(reader, "green", Pool.GREEN),
    )
    for key in ("id", "note"):
        reader.raw(key)
    reader.done()
    return declared


def attack_line(attack: Reader, defense: Reader) -> LineUp:
    """The attacker's line-up; ``att_evade_to_focus`` stands under ``defense`` because it changes green dice."""
    red = Pool.RED
    effects = [
        *effect(attack, "all_hits", 1, Effect(verb="set", pool=red, to=Face.HIT)),
        *effect(attack, "add_focus", ADDED_MOST, Effect(verb="add", pool=red, to=Face.FOCUS)),
        *effect(attack, "add_blank", ADDED_MOST, Effect(verb="add", pool=red, to=Face.BLANK)),
        *rerolls(attack, red),
        *effect(attack, "focus_to_hit", DICE_MOST, change(red, Face.FOCUS, Face.HIT)),
        *effect(attack, "hit_to_crit", DICE_MOST, change(red, Face.HIT, Face.CRIT)),
        *effect(attack, "crits_become_hits", 1, replace(change(red, Face.CRIT, Face.HIT), verb="become")),
        *effect(defense, "att_evade_to_focus", DICE_MOST, change(Pool.GREEN, Face.EVADE, Face.FOCUS)),
    ]
    return line_up(attack, Side.ATTACKER, tuple(effects))


def defense_line(attack: Reader, defense: Reader) -> LineUp:
    """The defender's line-up; ``def_crit_to_hit`` stands under ``attack`` because it changes red dice."""
    effects = [
        *effect(attack, "def_crit_to_hit", DICE_MOST, change(Pool.RED, Face.CRIT, Face.HIT)),
        *effect(defense, "add_evade", ADDED_MOST, Effect(verb="add", pool=Pool.GREEN, to=Face.EVADE)),
        *rerolls(defense, Pool.GREEN),
    ]
    return line_up(defense, Side.DEFENDER, tuple(effects))


def change(pool: Pool, old: Face, new: Face) -> Effect:
    return Effect(verb="change", pool=pool, faces=(old,), to=new)


def effect(reader: Reader, key: str, most: int, one: Effect) -> list[Effect]:
    """The effect for as many dice as the field says; none for 0, false, or a missing field."""
    if reader.raw(key) in (None, False, True):
        return [one] if reader.flag(key) else []
    count = reader.whole(key, 0, most, 0)
    return [replace(one, most=count)] if count else []


def rerolls(reader: Reader, pool: Pool) -> list[Effect]:
    """``rerolls: [1, 2]``: each number rerolls up to so many of one's own blanks and focus results."""
    counts = reader.wholes("rerolls", 1, DICE_MOST, EFFECTS_MOST)
    return [Effect(verb="reroll", pool=pool, most=count, faces=(Face.BLANK, Face.FOCUS)) for count in counts]


def line_up(reader: Reader, side: Side, effects: tuple[Effect, ...]) -> LineUp:
    held = {token: reader.whole(token, 0, token_most(token), 0) for token in TOKENS[side]}
    dice = reader.whole("dice", 0, DICE_MOST, 0)
    return LineUp(dice=dice, effects=effects, **held)


def token_most(token: str) -> int:
    """A ship holds one lock; of the others a table never sees more than six."""
    return 1 if token == "lock" else TOKENS_MOST  # noqa: S105 - the word is a game token


def read_faces(reader: Reader, key: str, pool: Pool) -> tuple[Face, ...] | None:
    """Faces that lie already, or None when the field is missing."""
    if not reader.has(key):
        return None
    allowed = ", ".join(pool.results)
    shown = reader.items(key, DICE_MOST)
    for index, face in enumerate(shown):
        if face not in pool.results:
            raise BadInput(f"{key}[{index}]", face, f"one of {allowed} for a {pool} die")
    return tuple(Face(str(face)) for face in shown)
