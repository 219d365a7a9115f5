"""Infinity's declarations before the dice: rolls, meetings, and Saving Rolls (rules page)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, Literal, Self, TypeVar

from bot.rules.errors import AtMost, BadInputError
from bot.rules.game import Side
from bot.rules.infinity.troopers import limits
from bot.rules.text import EMPTY, N_, UNNAMED, Name, Noun, Numeral, Sentences, Stored, Text

Edition = Literal["n5", "n4", "n3"]

SIDES: Final = 20
CRITICAL: Final = SIDES + 1
"""The score of a Critical, above every plain success."""
SUPPRESSION_INCHES: Final = 24
"""Range of Suppressive Fire in inches."""
GUARD_INCHES: Final = 8
"""Range of a CC Attack with Guard."""
COVER: Final = 3
"""Partial Cover: -3 for attackers, +3 for its saves."""


class ModKind(StrEnum):
    """The cause of a MOD. Rules use the kind; its text is for people only."""

    TYPED = "typed"
    RANGE = "range"
    COVER = "cover"
    ZONE = "zone"
    MELEE = "melee"
    SPECULATIVE = "speculative"
    UNSEEN = "unseen"
    SURPRISE = "surprise"
    TEAM = "team"
    WEAPON = "weapon"
    SKILL = "skill"
    BS_ATTACK = "bs attack"
    ECM = "ecm"
    NANOSCREEN = "nanoscreen"
    STATE = "state"
    SUPPRESSIVE = "suppressive"
    IMPERSONATION = "impersonation"
    IMMOBILIZED_A = "immobilized-a"
    IMMOBILIZED_B = "immobilized-b"
    ISOLATED = "isolated"


@dataclass(frozen=True, slots=True)
class Mod:
    """A MOD: number, text, cause, and kind; a typed one may lack a text. ``of_attribute``: it changes the attribute
    itself, outside the limit of MODs.
    """

    number: int
    what: Stored = UNNAMED
    by: Name = UNNAMED
    of_attribute: bool = False
    kind: ModKind = ModKind.TYPED

    @property
    def text(self) -> Text:
        """``-3 Partial Cover (Ortega)``."""
        by = Name(f"({self.by})") if self.what and self.by else self.by
        return Sentences([Numeral(f"{self.number:+d}"), self.what, by])


def total(mods: tuple[Mod, ...]) -> int:
    """Return the sum of the MODs within its limits, plus attribute changes."""
    limited = sum(mod.number for mod in mods if not mod.of_attribute)
    return max(-limits.MAX_MOD, min(limits.MAX_MOD, limited)) + sum(mod.number for mod in mods if mod.of_attribute)


class Action(StrEnum):
    """The action of a trooper's dice. A template is one roll per target; a Direct Template has none. Each has its
    printed name, its default attribute, and its roll's name, if different.
    """

    SHOOT = "shoot", Text("BS Attack"), "BS"
    DODGE = "dodge", Text("Dodge"), "PH"
    RESET = "reset", Text("Reset"), "WIP"
    TEMPLATE = "template", Text("Template"), "BS"
    DIRECT = "direct", Text("Direct Template")
    CC = "cc", Text("CC Attack"), "CC"
    HACK = "hack", Text("Hacking"), "WIP", Text("Hacking Roll")
    DISCOVER = "discover", Text("Discover"), "WIP", Text("Discover Roll")
    DOCTOR = "doctor", Text("Doctor"), "WIP", Text("Doctor Roll")
    ENGINEER = "engineer", Text("Engineer"), "WIP", Text("Engineer Roll")
    MEDIKIT = "medikit", Text("MediKit"), "BS", Text("MediKit Roll")
    GIZMOKIT = "gizmokit", Text("GizmoKit"), "BS", Text("GizmoKit Roll")
    SENSOR = "sensor", Text("Sensor"), "WIP", Text("Sensor Roll")
    DEACTIVATE = "deactivator", Text("Deactivator"), "WIP", Text("Deactivator Roll")
    COMBAT_JUMP = "combat jump", Text("Combat Jump"), "PH", Text("Combat Jump Roll")
    INFILTRATE = "infiltration", Text("Infiltration"), "PH", Text("Infiltration Roll")
    IMPERSONATE = "impersonation", Text("Impersonation"), "WIP", Text("Impersonation Roll")
    GUTS = "guts", Text("Guts Roll"), "WIP"
    WIP = "wip", Text("WIP Roll"), "WIP"
    PH = "ph", Text("PH Roll"), "PH"
    MOVE = "move", Text("Move")
    LOOK_OUT = "look out", Text("Look Out!")
    FIRE = "suppressive fire", Text("Suppressive Fire")

    label: Text
    stat: str
    roll: Text

    def __new__(cls, word: str, label: Text = EMPTY, stat: str = "", roll: Text = EMPTY) -> Self:
        action = str.__new__(cls, word)
        action._value_, action.label, action.stat, action.roll = word, label, stat, roll or label
        return action

    @property
    def is_attack(self) -> bool:
        """Whether its successes hit; a Dodge or skill causes no damage."""
        return self in (Action.SHOOT, Action.TEMPLATE, Action.DIRECT, Action.CC)

    @property
    def affects_target(self) -> bool:
        """Whether it does something to whom it is aimed at, so that a Dodge or Reset may answer it."""
        return self.is_attack or self is Action.HACK

    @property
    def is_evasion(self) -> bool:
        """Whether it is one roll, compared with every attack on its trooper."""
        return self in (Action.DODGE, Action.RESET)

    @property
    def is_skill(self) -> bool:
        return not self.is_attack and not self.is_evasion


KITS: Final = (Action.MEDIKIT, Action.GIZMOKIT)
"""Actions that make their target roll PH."""
AIDS: Final = (Action.DOCTOR, Action.ENGINEER, *KITS)
"""Actions on a friend that treat it."""
DEPLOYS: Final = (Action.COMBAT_JUMP, Action.INFILTRATE, Action.IMPERSONATE)
"""Deployment rolls: on a failure one starts at one's own edge."""
NO_DICE: Final = (Action.MOVE, Action.LOOK_OUT, Action.FIRE)


class Ammo(StrEnum):
    """Ammunition for Saving Rolls; combined ammunition is several."""

    N = "N"
    AP = "AP"
    SHOCK = "Shock"
    STUN = "Stun"
    T2 = "T2"
    PARA = "PARA"
    DA = "DA"
    EM = "E/M"
    EXP = "EXP"
    PLASMA = "Plasma"
    SMOKE = "Smoke"
    ECLIPSE = "Eclipse"
    NONE = "none"


SaveAttribute = Literal["ARM", "BTS", "ARM+BTS", "PH", "none"]


@dataclass(frozen=True, slots=True)
class RangeBand:
    """A weapon's range band: its MOD, up to a range in inches."""

    mod: int
    inches: int


def mod_at(bands: Sequence[RangeBand], inches: int) -> int | None:
    return next((band.mod for band in bands if inches <= band.inches), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A weapon, as far as known.

    ``power``: its PS, None if unknown; Damage is 20 - PS, and ``as_damage`` that it was given so. ``save``: its saving
    attribute, None: as its ammunition says. ``zero``: that attribute counts as 0. ``saves``: a hit's Saving Rolls, 0:
    as its ammunition says. ``state``: a failed save's state, or two with a ``/``, the second for hackable targets.
    ``stat``: its attribute, if not BS. ``bands`` by distance. ``uses``: number of uses, 0 if unlimited or unknown.
    ``silent``: MOD of a Dodge without line of fire.
    """

    name: Name = UNNAMED
    burst: int = 1
    ammo: tuple[Ammo, ...] = (Ammo.N,)
    power: int | None = None
    as_damage: bool = False
    save: SaveAttribute | None = None
    zero: bool = False
    saves: int = 0
    state: str = ""
    continuous: bool = False
    bioweapon: bool = False
    nonlethal: bool = False
    action: Action = Action.SHOOT
    stat: str = ""
    bands: tuple[RangeBand, ...] = ()
    traits: tuple[str, ...] = ()
    uses: int = 0
    silent: int = 0

    @property
    def ammunition(self) -> str:
        """Return ``AP+EXP``."""
        return "+".join(self.ammo)

    @property
    def is_kit(self) -> bool:
        """Whether it treats a friend by a PH roll."""
        return self.action in KITS

    @property
    def is_saved(self) -> bool:
        return self.save != "none" and not self.is_screen

    @property
    def is_screen(self) -> bool:
        return bool({Ammo.SMOKE, Ammo.ECLIPSE} & set(self.ammo))

    @property
    def hits_as(self) -> Action:
        """Return an attack's action; Boost hits without a roll."""
        return Action.DIRECT if self.action is Action.SHOOT and "boost" in self.traits else self.action

    @property
    def is_comms(self) -> bool:
        return self.action is Action.HACK or "comms" in self.traits

    @property
    def is_unseen(self) -> bool:
        """Whether it is a deployable, which is dodged as unseen."""
        return "deployable" in self.traits and "boost" not in self.traits


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetProfile:
    """The profile of a target; None means unknown.

    ``wounds``: its W, or STR if ``structure``; ``lost``: those gone at the declaration. ``kept``: a trooper of the
    channel, which keeps wounds and states between rolls. ``player``: number of the person named for it, 0 for its
    side's. ``states``: those at the declaration, ``skills``: its profile's.
    """

    arm: int | None = None
    bts: int | None = None
    ph: int | None = None
    wip: int | None = None
    wounds: int | None = None
    structure: bool = False
    type: str = ""
    lost: int = 0
    kept: bool = False
    player: int = 0
    states: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrooperRoll:
    """One trooper's dice in one roll. A trooper who splits Burst has several.

    ``attribute``: the Success Value before ``mods``, ``stat`` its name. ``special``: special dice (+1 SD) beside the
    Burst. ``dice``: physical dice with special ones; None: the bot rolls. ``cover``: its target is in Partial Cover,
    and saves with +3. ``not_counted``: skills of this roll that aren't computed. ``anyway``: forbidden by a rule,
    allowed by a GM. ``ended``: states that the declaration ends. ``burden``: a Dodge's MOD against deployables'
    templates alone: the same die then has another Success Value. ``reroll``: a failure is rerolled once, with this MOD.
    """

    attribute: int
    stat: str = ""
    mods: tuple[Mod, ...] = ()
    burst: int = 1
    special: int = 0
    action: Action = Action.SHOOT
    name: Name = UNNAMED
    side: Side = Side.ATTACKER
    dice: tuple[int, ...] | None = None
    weapon: Weapon | None = None
    profile: TargetProfile | None = None
    cover: bool = False
    not_counted: tuple[str, ...] = ()
    anyway: bool = False
    guided: bool = False
    ended: tuple[str, ...] = ()
    burden: int = 0
    reroll: Mod | None = None

    @property
    def sv(self) -> int:
        """Return the Success Value: attribute + MODs (One die, 1)."""
        return self.attribute + total(self.mods)

    @property
    def dice_count(self) -> int:
        """Return the number of dice: 0 at a Success Value below 1 (One die, 3), and for a Direct Template."""
        return self.burst + self.special if self.sv > 0 and self.action is not Action.DIRECT else 0

    @property
    def traits(self) -> tuple[str, ...]:
        return self.weapon.traits if self.weapon else ()

    @property
    def is_screen(self) -> bool:
        return self.weapon is not None and self.weapon.is_screen

    @property
    def hits(self) -> bool:
        """Whether its successes hit: an attack, or a skill with a weapon or a program."""
        has_weapon = self.action.is_skill and self.weapon is not None
        return not self.is_screen and (self.action.is_attack or has_weapon)

    @property
    def aids(self) -> bool:
        return self.action in AIDS or (self.weapon is not None and self.weapon.is_kit)

    @property
    def is_deployed(self) -> bool:
        """Whether it is a deployable's template, which is dodged as unseen."""
        return self.action is Action.DIRECT and self.weapon is not None and self.weapon.is_unseen

    @property
    def evades_to(self) -> int:
        """Return a Dodge's best score that evades a deployable's template."""
        return max(0, self.sv + self.burden) if self.burden else CRITICAL

    @property
    def as_field(self) -> Text:
        if self.name:
            return Text("dice of {name}", name=self.name)
        return Text("dice of the attacker") if self.side is Side.ATTACKER else Text("dice of the defender")


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """Roll ``a`` against roll ``b``, or, if ``b`` is None, a Normal Roll against ``target``.

    Both are places in ``Order.rolls``; a roll in several meetings is compared with each. ``profile``: a rollless
    target's. ``because``: why it is a Normal Roll, if not requested: a word of ``order``, or an old sentence.
    ``plain``: place of a template's roll whose Criticals are plain successes, since its main target is another.
    """

    a: int
    b: int | None = None
    target: Name = UNNAMED
    profile: TargetProfile | None = None
    because: str = ""
    plain: int | None = None

    @property
    def places(self) -> tuple[int, ...]:
        return (self.a,) if self.b is None else (self.a, self.b)

    def winning_place(self, winner: str) -> int | None:
        return {"a": self.a, "b": self.b}.get(winner)


@dataclass(frozen=True, slots=True)
class Doubt:
    """An objection to an order: its trooper is not active, has no order, or names an unknown marker."""

    why: Literal["inactive", "spent", "nobody"]
    name: Name
    group: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """All rolls of one order and their meetings.

    ``awaits``: roll 0 is declared, the other side must answer. ``answered``: with roll 1. ``several``: several people
    react. ``told``: its troopers came with it, so the result shows sums. ``doubt``: an objection by the turn; no die is
    rolled before it is confirmed. ``ordered``: declared during a turn, and costs an order.
    """

    rolls: tuple[TrooperRoll, ...]
    meetings: tuple[Meeting, ...]
    edition: Edition = "n5"
    awaits: bool = False
    several: bool = False
    answered: bool = False
    told: bool = False
    doubt: Doubt | None = None
    ordered: bool = False
    kind: Literal["order"] = "order"

    @property
    def involved(self) -> tuple[tuple[Name, TargetProfile | None], ...]:
        """Return the people in the order with their profiles, if known, actors before targets."""
        rolls = ((roll.name, roll.profile) for roll in self.rolls)
        return (*rolls, *((meeting.target, meeting.profile) for meeting in self.meetings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """A target's Saving Rolls after ``hits`` and ``crits`` with one weapon. ``meeting`` and ``side``: the attack,
    ``by``: its maker. ``dice``: physical ones.
    """

    hits: int
    crits: int = 0
    weapon: Weapon
    profile: TargetProfile
    mods: tuple[Mod, ...] = ()
    cover: bool = False
    edition: Edition = "n5"
    name: Name = UNNAMED
    by: Name = UNNAMED
    side: Side = Side.DEFENDER
    meeting: int = 0
    dice: tuple[int, ...] | None = None
    kind: Literal["save"] = "save"

    rolls: ClassVar[tuple[TrooperRoll, ...]] = ()
    doubt: ClassVar[None] = None
    awaits: ClassVar[bool] = False

    @property
    def involved(self) -> tuple[tuple[Name, TargetProfile], ...]:
        return ((self.name, self.profile),)


SomeOrder = TypeVar("SomeOrder", bound=Order)


def check_order(order: SomeOrder) -> SomeOrder:
    """Return the order if its dice can be rolled; raises ``BadInputError`` naming the problem. Each roll may have
    physical dice or not.
    """
    if len(order.meetings) > limits.MAX_MEETINGS:
        given = Text("{count} comparisons", count=len(order.meetings))
        raise BadInputError("order", given, AtMost(limits.MAX_MEETINGS, Noun("comparison", "comparisons")))
    for roll in order.rolls:
        check_dice(roll)
    met = Counter(place for meeting in order.meetings for place in meeting.places)
    for place, count in met.items():
        if count > limits.MAX_ENEMIES:
            allowed = Text("Use at most {most} with the same dice.", most=limits.MAX_ENEMIES)
            roll = order.rolls[place]
            field = Text("enemies of {name}", name=roll.name) if roll.name else roll.as_field
            raise BadInputError(field, Text("{count} enemies", count=count), allowed)
    return order


def check_dice(roll: TrooperRoll) -> None:
    if roll.dice is None or len(roll.dice) == roll.dice_count:
        return
    if roll.action is Action.DIRECT:
        message = N_("Leave the dice out: a Direct Template hits without a roll.")
    elif not roll.dice_count:
        message = N_("Leave the dice out: a Success Value of {sv} fails automatically.")
    else:
        message = N_("Use exactly {thrown} for Burst {burst}.")
        if roll.special:
            message = N_("Use exactly {thrown} for Burst {burst} and {special} SD.")
    allowed = Text(message, sv=roll.sv, thrown=roll.dice_count, burst=roll.burst, special=roll.special)
    raise BadInputError(roll.as_field, ", ".join(map(str, roll.dice)), allowed)
