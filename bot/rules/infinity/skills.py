"""What skills, equipment and the extras in brackets behind them do to a roll: one table for sums, results and help.

Each row says what is *counted* (it enters the sum or the result by itself), *asked* (a word of the line says that it
applies), *not counted* (it touches dice, and the card names it) or only *shown* (it touches no die). A name that is in
no row is not counted, and every roll of its trooper names it. Sources: rules page, From the profile to the number; the
official wiki of N5 and N4; Human Sphere for N3.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, Literal

from bot.rules.infinity.declared import Action, Ammo, Edition
from bot.rules.text import Sentences, Shown, Text


class How(StrEnum):
    """What happens to a skill."""

    COUNTED = "counted"
    ASKED = "asked"
    LEFT = "not counted"
    SHOWN = "shown"


SHOTS: Final = (Action.SHOOT, Action.TEMPLATE)
SEEN: Final = (*SHOTS, Action.DISCOVER)
"""What needs to see its target."""
ATTACKS: Final = (*SHOTS, Action.DIRECT, Action.CC, Action.HACK)
EVASIONS: Final = (Action.DODGE, Action.RESET)
EDITIONS: Final[tuple[Edition, ...]] = ("n5", "n4", "n3")
N4_N3: Final[tuple[Edition, ...]] = ("n4", "n3")
BRACKET: Final = 99
"""A MOD that is the number in the brackets behind the skill."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a skill does to one kind of roll.

    ``of``: the roll of the trooper itself (``own``), of whoever acts against it (``foe``), or the enemy's roll that is
    compared with its own (``met``). ``on`` are the actions of that roll, ``doing`` what the trooper itself does; () is
    any. ``mod`` enters the sum. ``special`` and ``burst`` are dice more, ``power`` adds to PS or Damage. ``asked`` is
    the field of ``Situation`` that says that it applies, ``needs`` a skill that whoever rolls must have.
    """

    of: Literal["own", "foe", "met"]
    on: tuple[Action, ...] = ()
    doing: tuple[Action, ...] = ()
    mod: int = 0
    special: int = 0
    burst: int = 0
    power: int = 0
    asked: str = ""
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A row of the table.

    ``level``: of a skill with levels, 0 for any. ``default`` is the number where no brackets say one, None: without it
    the skill is not counted. ``extends``: the actions that its extras are about. ``ignores``: words of MODs that its
    trooper's rolls on ``ignores_on`` do not have; ``spares``: those that rolls against its trooper do not have.
    ``touches`` and ``touches_foe``: rolls of its trooper, and against it, that name it where it is not counted.
    """

    name: str
    does: Text
    how: How = How.COUNTED
    also: tuple[str, ...] = ()
    editions: tuple[Edition, ...] = EDITIONS
    level: int = 0
    default: int | None = 0
    effects: tuple[Effect, ...] = ()
    extends: tuple[Action, ...] = ()
    ignores: tuple[str, ...] = ()
    ignores_on: tuple[Action, ...] = ()
    keeps: tuple[tuple[Action, tuple[str, ...]], ...] = ()
    spares: tuple[str, ...] = ()
    touches: tuple[Action, ...] = ()
    touches_foe: tuple[Action, ...] = ()


def extended(name: str, *actions: Action, also: tuple[str, ...] = ()) -> Skill:
    """An action with extras: ``Dodge (+3)``, ``BS Attack (-3)``, ``CC Attack (+1B)``."""
    does = Text("what stands in its brackets: a + is its own MOD, a - the enemy's Face to Face; +1B in the Active Turn")
    return Skill(name=name, does=does, also=also, extends=actions, touches=actions)


def martial_arts(level: int, own: int, *, special: int = 0, burst: int = 0, power: int = 0, n5: bool) -> Skill:
    effects = (
        Effect(of="own", on=(Action.CC,), mod=own, special=special, burst=burst, power=power),
        Effect(of="met", doing=(Action.CC,), mod=-3),
    )
    does = Text("in close combat the enemy has -3, and the trooper what its level gives")
    editions: tuple[Edition, ...] = ("n5",) if n5 else ("n4",)
    return Skill(name="Martial Arts", also=("MA",), level=level, does=does, editions=editions, effects=effects)


NO_ROLL: Final = Text("it is for the table and touches no roll")


def shown(*names: str, does: Text = NO_ROLL) -> tuple[Skill, ...]:
    """Skills that touch no die of a roll that is made here."""
    return tuple(Skill(name=name, does=does, how=How.SHOWN) for name in names)


def left(name: str, does: Text, *touches: Action, foe: tuple[Action, ...] = (), also: tuple[str, ...] = ()) -> Skill:
    """A skill that touches dice, and that people count by themselves."""
    return Skill(name=name, does=does, how=How.LEFT, also=also, touches=touches, touches_foe=foe)


NO_DICE: Final = """
360 Visor, Aerial, AI Beacon, AI Motorcycle, Advanced Command, Airborne Deployment, Airborne Infiltration, Akbar
Doctor, Antipode, Baggage, Camouflage, Limited Camouflage, Chain of Command, Cube, Cube 2.0, Climbing Plus, Climb,
Jump, Combat Jump, Commlink, Counterintelligence, CrazyKoala, Deactivator, Decoy, Deployable Cover, Deployable
Repeater, Disco Baller, Drop Troops, Escape System, Executive Order, Explode, FastPanda, Fireteam, Forward Deployment,
Forward Observer, Frenzy, Frenzy Plus, FT Master, Ghost, G: Jumper, G: Servant, G: Synchronized, G: Mnemonica, Guard,
Hidden Deployment, HoloMask, Holoprojector, Impersonation, Infiltration, Inspiring Leadership, Irregular, Journalist,
Kinematika, Liaison, Liaison Officer, Lieutenant, Manned, Mechanized Deployment, Minelayer, Mnemonica, Morpho-Scan,
Motorcycle, Multiterrain, NCO, Nimbus, Non-Hackable, Non-Reloadable, Number 2, Operator, Parachutist, Peripheral,
Pilot, Regeneration, Regular, Reload, Remdriver, Repeater, Request Speedball, Reserve, Request Reinforcements, Sapper,
Scavenger, Seed-Embryo, Shasvastii Seed- Embryo, Spec-Ops, Specialist, Specialist Operative, Spawn-Embryo, Stealth,
Strategic Deployment, Strategos, Super-Jump, Tactical Awareness, TacBall, TacLink, Team Ops, Technorganic, Terrain,
Tinbot, Traktor Mul, Transmutation, Unit Leader, Upgrade, Veteran, VirtuaForm, WildParrot, Xenotech, Duo, Haris, Core,
Wildcard, Hackable, Impetuous, Extremely Impetuous, Mixed Weapon, Character, Mercenary, Cautious Movement, Speculative
Attack, Intuitive Attack, Place Deployable, Look Out, Alert, Idle, Move, Order, Regular Order,
Fireteam Core, Fireteam Haris, Fireteam Duo
"""
SHOWN_NAMES: Final = tuple(" ".join(NO_DICE.split()).split(", "))
"""What touches no die of a roll that is made here."""
VISORS: Final = ("Multispectral Visor", "Marksmanship")
AGAINST_PROGRAMS: Final = Effect(of="foe", on=(Action.HACK,), mod=BRACKET)
AGAINST_GUIDED: Final = Effect(of="foe", on=SHOTS, mod=BRACKET, asked="guided")
HIDDEN: Final = Text("-3 or -6 to whoever shoots at it or tries to discover it, less with a Visor")

TABLE: Final[tuple[Skill, ...]] = (
    # what stands in the brackets of an action
    extended("BS Attack", *SHOTS, Action.DIRECT),
    extended("CC Attack", Action.CC),
    extended("Dodge", Action.DODGE),
    extended("Reset", Action.RESET),
    extended("Discover", Action.DISCOVER),
    extended("Hacking", Action.HACK, also=("Comms Attack",)),
    extended("Doctor", Action.DOCTOR),
    extended("Engineer", Action.ENGINEER),
    # shooting and being seen
    Skill(
        name="Mimetism",
        does=HIDDEN,
        default=-3,
        effects=(Effect(of="foe", on=SEEN, mod=BRACKET),),
    ),
    *(
        Skill(
            name=name,
            does=HIDDEN,
            also=also,
            editions=("n3",),
            default=mod,
            effects=(Effect(of="foe", on=SEEN, mod=BRACKET),),
        )
        for name, also, mod in (
            ("CH: Mimetism", (), -3),
            ("CH: Camouflage", (), -3),
            ("CH: TO Camouflage", ("TO Camouflage", "Thermo-Optical Camouflage"), -6),
            ("Optical Disruption Device", ("ODD",), -6),
            ("Optical Disruptor Field", ("ODF",), -6),
        )
    ),
    Skill(
        name="Multispectral Visor",
        also=("MSV", "Visor"),
        does=Text("level 1: Mimetism and zones of -3 become 0, those of -6 become -3; levels 2 and 3: all become 0"),
    ),
    Skill(
        name="Multispectral Visor",
        level=3,
        does=Text("Mimetism and visibility zones become 0, and it ignores Surprise Attacks"),
        ignores=("Surprise Attack",),
    ),
    Skill(name="X Visor", also=("X-Visor",), does=Text("range MODs of -3 become 0, those of -6 become -3")),
    Skill(
        name="Biometric Visor",
        does=Text("ignores the -3 to discover an Impersonation"),
        ignores=("Impersonation",),
    ),
    Skill(
        name="Albedo",
        does=Text("its number to a shot or Discover by somebody with a Visor or Marksmanship"),
        editions=("n5",),
        default=None,
        effects=(Effect(of="foe", on=SEEN, mod=BRACKET, needs=VISORS),),
        touches_foe=SEEN,
    ),
    Skill(
        name="Albedo",
        does=Text("a White Noise Zone around it: a Visor cannot see through"),
        editions=N4_N3,
        how=How.LEFT,
        touches_foe=SEEN,
    ),
    Skill(
        name="Nanoscreen",
        does=Text("-3 to a BS Attack against it and +3 to its saves, beside those of Partial Cover"),
        editions=("n5",),
        effects=(Effect(of="foe", on=SHOTS, mod=-3),),
    ),
    Skill(
        name="Nanoscreen",
        does=Text("-3 to a BS Attack against it and +3 to its saves, as Partial Cover and not beside it"),
        editions=N4_N3,
        spares=("Partial Cover",),
        effects=(Effect(of="foe", on=SHOTS, mod=-3),),
    ),
    Skill(
        name="No Cover",
        does=Text("Partial Cover gives it nothing"),
        spares=("Partial Cover",),
    ),
    Skill(
        name="Limited Cover",
        does=Text("whoever shoots at it does not have the -3 of Partial Cover; its saves have the +3"),
        spares=("Partial Cover",),
    ),
    Skill(
        name="Marksmanship",
        does=Text("its BS Attacks ignore the -3 of Partial Cover and Nanoscreen"),
        editions=("n5", "n4"),
        ignores=("Partial Cover", "Nanoscreen"),
        ignores_on=SHOTS,
    ),
    Skill(
        name="Marksmanship",
        does=Text("level 2 ignores the -3 of Partial Cover; Shock and level X are yours to count"),
        editions=("n3",),
        how=How.LEFT,
        touches=SHOTS,
    ),
    Skill(
        name="Surprise Attack",
        also=("Surprise Shot",),
        does=Text("say `surprise`: its number on the targets' Face to Face reaction"),
        how=How.ASKED,
        default=-3,
    ),
    Skill(
        name="Combat Instinct",
        does=Text("ignores the MOD of Surprise Attacks"),
        ignores=("Surprise Attack",),
    ),
    Skill(
        name="Sixth Sense",
        does=Text("its Dodge and Reset have no negative MODs but those of Immobilized and Isolated"),
        editions=("n5",),
        keeps=tuple((action, ("Immobilized-A", "Immobilized-B", "Isolated")) for action in EVASIONS),
    ),
    Skill(
        name="Sixth Sense",
        does=Text("ignores the MOD of Surprise Attacks; its Dodge has no negative MODs but that of Immobilized-A"),
        editions=("n4",),
        ignores=("Surprise Attack",),
        keeps=((Action.DODGE, ("Immobilized-A",)),),
    ),
    Skill(
        name="Sixth Sense",
        does=Text("ignores the MOD of Surprise Attacks, and the -3 to dodge what it does not see"),
        editions=("n3",),
        ignores=("Surprise Attack", "without line of fire"),
    ),
    Skill(
        name="Warhorse",
        does=Text("ignores the -3 of an enemy's BS Attack (-3)"),
        ignores=("BS Attack",),
    ),
    Skill(
        name="Total Reaction",
        does=Text("the full Burst of its weapon in ARO, in N5 with what is added to it"),
    ),
    Skill(
        name="Neurocinetics",
        does=Text("the full Burst of its weapon in ARO, in N5 with what is added to it; Burst 1 in the Active Turn"),
    ),
    Skill(
        name="Bangbomb",
        does=Text("its number to a Dodge, not against templates"),
        default=4,
        effects=(Effect(of="own", on=(Action.DODGE,), mod=BRACKET),),
    ),
    Skill(
        name="Sensor",
        does=Text("say `sensor`: +6 to discover"),
        how=How.ASKED,
        effects=(Effect(of="own", on=(Action.DISCOVER,), mod=6, asked="sensor"),),
    ),
    Skill(
        name="Triangulated Fire",
        does=Text("say `triangulated`: a BS Attack without any MOD"),
        how=How.ASKED,
    ),
    # close combat
    martial_arts(1, 0, n5=True),
    martial_arts(2, 3, n5=True),
    martial_arts(3, 3, special=1, n5=True),
    martial_arts(4, 3, burst=1, n5=True),
    martial_arts(5, 3, special=1, burst=1, n5=True),
    martial_arts(1, 0, power=1, n5=False),
    martial_arts(2, 3, power=1, n5=False),
    martial_arts(3, 3, power=2, n5=False),
    martial_arts(4, 3, power=3, n5=False),
    martial_arts(5, 3, power=3, burst=1, n5=False),
    *(
        Skill(
            name="Martial Arts",
            level=level,
            editions=("n3",),
            does=Text("the enemy has -3, from level 3 the trooper +3; other modes of a level are yours to count"),
            effects=(
                Effect(of="own", on=(Action.CC,), mod=3 if level > 2 else 0),
                Effect(of="met", doing=(Action.CC,), mod=-3),
            ),
            touches=(Action.CC,),
        )
        for level in range(1, 6)
    ),
    Skill(
        name="Martial Arts",
        does=Text("without a level: what stands in its brackets"),
        extends=(Action.CC,),
        touches=(Action.CC,),
    ),
    Skill(
        name="Natural Born Warrior",
        also=("NBW",),
        does=Text("against a CC Attack its own ignores the enemy's negative MODs; in N4 special dice too"),
    ),
    Skill(
        name="Berserk",
        does=Text("say `berserk`: its number, Face to Face as usual"),
        how=How.ASKED,
        editions=("n5",),
        effects=(Effect(of="own", on=(Action.CC,), mod=BRACKET, asked="berserk"),),
    ),
    Skill(
        name="Berserk",
        does=Text("say `berserk`: its number or +6, and Normal Rolls on both sides"),
        how=How.ASKED,
        editions=N4_N3,
        default=6,
        effects=(Effect(of="own", on=(Action.CC,), mod=BRACKET, asked="berserk"),),
    ),
    *(
        Skill(
            name="I-Kohl",
            level=level,
            does=Text("the enemy has -3, -6 or -9 in close combat"),
            effects=(Effect(of="met", doing=(Action.CC,), mod=-3 * level),),
        )
        for level in (1, 2, 3)
    ),
    left("Protheion", Text("Wounds that it causes in close combat heal it"), Action.CC),
    left("Poison", Text("one save more for each hit in close combat (N3)"), Action.CC),
    left("Full Auto", Text("Burst +1, and -3 for the enemy from level 2 on (N3)"), *SHOTS),
    left("Fatality", Text("Damage +1, from level 2 on Criticals of 1 (N3)"), *SHOTS),
    left("Assisted Fire", Text("the hacker's program gives Marksmanship"), *SHOTS),
    left("Enhanced Reaction", Text("the hacker's program gives Burst 2 in ARO: say `b2`"), *SHOTS),
    left("TAGCom", Text("its list of skills and numbers"), *EVASIONS),
    left("SymbioMate", Text("once ARM and BTS 9 against an attack"), foe=ATTACKS, also=("SymbioBug",)),
    left("Vulnerability", Text("ammunition against which it has no Immunity"), foe=ATTACKS),
    left("MetaChemistry", Text("write what its roll on the chart gave into the profile"), *Action),
    left("Booty", Text("write what its roll on the chart gave into the profile"), *Action),
    left("Tri-Core", Text("its Fireteam's bonus: say the dice"), *SHOTS),
    # hacking
    Skill(
        name="Firewall",
        also=("Tinbot: Firewall", "TinBot Firewall", "Fireware"),
        does=Text("-3 to a Comms Attack against it, and +3 to its saves"),
        default=-3,
        effects=(Effect(of="foe", on=(Action.HACK,), mod=BRACKET),),
    ),
    Skill(
        name="ECM",
        does=Text("its number to a hacking program, or a Guided attack, against it"),
        default=-3,
        effects=(AGAINST_PROGRAMS, AGAINST_GUIDED),
    ),
    Skill(
        name="ECM: Hacker",
        also=tuple(f"{tin}ECM {word}" for tin in ("", "TinBot ") for word in ("Hacker", "Hacking", "Comms")),
        does=Text("its number to a hacking program against it"),
        default=-3,
        effects=(AGAINST_PROGRAMS,),
    ),
    Skill(
        name="ECM: Guided",
        also=("ECM Guided", "TinBot: ECM Guided", "TinBot ECM Guided"),
        does=Text("its number to a Guided attack against it"),
        default=-3,
        effects=(AGAINST_GUIDED,),
    ),
    Skill(name="Hacker", does=Text("brings the programs of its device as weapons")),
    Skill(name="Hacking Device", does=Text("brings Carbonite, Oblivion, Spotlight and Total Control")),
    Skill(
        name="Hacking Device Plus",
        also=("Hacking Device +", "HD+", "Assault Hacking Device", "Defensive Hacking Device"),
        does=Text("brings Carbonite, Oblivion, Spotlight, Total Control and White Noise"),
    ),
    Skill(name="Killer Hacking Device", also=("KHD",), does=Text("brings Trinity")),
    *shown("EVO Hacking Device", does=Text("its programs help friends: say what they give")),
    # saves, Wounds and states
    Skill(name="Immunity", does=Text("against what its brackets name a hit is saved as against N, or has no effect")),
    Skill(name="Total Immunity", does=Text("every ammunition is N for it")),
    Skill(name="Bioimmunity", does=Text("Shock and Bioweapons are N for it")),
    Skill(
        name="Remote Presence",
        also=("G: Remote Presence",),
        does=Text("with STR it is Unconscious twice before it is Dead"),
    ),
    Skill(
        name="Dogged",
        also=("V: Dogged",),
        does=Text(
            "without Wounds it goes on, unless Shock took the last, and is Dead with the next or at the turn's end"
        ),
    ),
    Skill(
        name="No Wound Incapacitation",
        also=("NWI", "V: No Wound Incapacitation"),
        does=Text("without Wounds it goes on, unless Shock took the last, and is Dead with the next"),
    ),
    Skill(name="Exrah", does=Text("Dead where others are Unconscious")),
    Skill(name="Courage", also=("V: Courage", "Religious Troop", "Religious"), does=Text("it passes its Guts Rolls")),
    Skill(name="Shasvastii", does=Text("Unconscious is a Shasvastii-Embryo; Shock makes it Dead")),
    Skill(name="Paramedic", does=Text("with its MediKit the target rolls PH: say `ph`"), how=How.ASKED),
    Skill(name="MediKit", also=("AutoMediKit",), does=Text("the target rolls PH: say `ph`"), how=How.ASKED),
    Skill(name="GizmoKit", does=Text("the target rolls PH: say `ph`"), how=How.ASKED),
    *shown(*SHOWN_NAMES),
)
"""Every name that is known. A name may have a row for a level, and rows for editions."""
LEVELLED: Final = (
    "Martial Arts",
    "Multispectral Visor",
    "I-Kohl",
    "Strategos",
    "Marksmanship",
    "Full Auto",
    "Fatality",
)
"""Skills whose number without brackets is a level."""


def plain(name: str) -> str:
    """A name as names are compared: without case, hyphens, dots and signs."""
    return " ".join(re.sub(r"[^0-9a-z+]+", " ", name.casefold().replace("º", " ").replace("°", " ")).split())


BY_NAME: Final[Mapping[str, str]] = {plain(word): row.name for row in TABLE for word in (row.name, *row.also)}
"""The name of the table for each spelling."""


# The extras in brackets


MOD: Final = re.compile(r"([+-]\d{1,2})")
SPECIAL: Final = re.compile(r"\+?(\d)\s?(?:SD|special dice|special die)", re.IGNORECASE)
BURST: Final = re.compile(r"(?:\+?(\d)\s?B|B\s?\+\s?(\d))", re.IGNORECASE)
VALUE: Final = re.compile(r"(PH|WIP|BS|CC)\s?=\s?(\d{1,2})", re.IGNORECASE)
ARMOUR: Final = re.compile(r"(ARM|BTS)\s?\+\s?(\d)", re.IGNORECASE)
SAVE: Final = re.compile(r"SR\s?(-\d)", re.IGNORECASE)
DISTANCE: Final = re.compile(r"[+-]?\d{1,2}(?:\.\d)?\s?(?:\"|″|”|''|in|inch|inches|cm)", re.IGNORECASE)
GUIDED: Final = ("BS Attack", "Guided")
"""The skill, and its extra, that lets the word `guided` be said."""
CONTINUOUS: Final = ("continuous damage", "continous damage", "continuous")


@dataclass(frozen=True, slots=True)
class Held:
    """A skill of a profile: its name in the table, or as it was written where the table has none; level and extras."""

    name: str
    level: int = 0
    extras: tuple[str, ...] = ()
    is_known: bool = True

    @property
    def text(self) -> str:
        """As profiles write it: ``Martial Arts L4``, ``Mimetism (-6)``."""
        level = f" L{self.level}" if self.level else ""
        return f"{self.name}{level}" + "".join(f" ({extra})" for extra in self.extras)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The MODs among its extras."""
        found = map(MOD.fullmatch, self.extras)
        return tuple(int(match[1]) for match in found if match)

    def row(self, edition: Edition) -> Skill | None:
        """What the table says of it; None where it has nothing for this edition."""
        rows = [row for row in ROWS.get(self.name, ()) if edition in row.editions]
        exact = [row for row in rows if row.level == self.level]
        return next(iter(exact or [row for row in rows if not row.level]), None)

    def number(self, row: Skill) -> int | None:
        """The number of its brackets, or the usual one."""
        return self.numbers[0] if self.numbers else row.default


ROWS: Final[dict[str, list[Skill]]] = {}
for _row in TABLE:
    ROWS.setdefault(_row.name, []).append(_row)

GROUPS: Final = re.compile(r"\s*\(((?:[^()]|\([^()]*\))*)\)")
ECM: Final = re.compile(r"(hacker|hacking|comms|guided)\s*([+-]\d{1,2})", re.IGNORECASE)
REST: Final = re.compile(r"(?:l|level)?\s?([1-9])", re.IGNORECASE)


@lru_cache(maxsize=4096)
def read(text: str) -> Held | None:
    """The skill that a text writes: ``Martial Arts 4``, ``MA4``, ``Mimetism -6``, ``BS Attack (+1SD)``; None for none.

    The longest name of the table counts that it begins with; what follows is a level or an extra.
    """
    inside = tuple(
        " ".join(one.split()) for group in GROUPS.findall(text) for one in split_extras(group) if one.strip()
    )
    base = " ".join(GROUPS.sub(" ", text).split())
    words = base.split()
    for length in range(len(words), 0, -1):
        name = BY_NAME.get(plain(" ".join(words[:length])))
        if name is not None:
            return with_rest(name, " ".join(words[length:]), inside)
    joined = re.fullmatch(r"([A-Za-z][A-Za-z -]*?)\s?([1-9]|[+-]\d{1,2})", base)
    if joined and (name := BY_NAME.get(plain(joined[1]))):
        return with_rest(name, joined[2], inside)
    return None


def split_extras(group: str) -> list[str]:
    """``+1B, Shock``: several extras in one pair of brackets; a list in brackets of its own stays one."""
    return [group] if "(" in group else re.split(r",", group)


def with_rest(name: str, rest: str, inside: tuple[str, ...]) -> Held | None:
    """A skill with what stands behind its name; None where that is no level and no extra."""
    if name == "ECM" and inside and (which := ECM.fullmatch(inside[0])):
        return Held(BY_NAME[plain(f"ECM {which[1]}")], 0, (which[2], *inside[1:]))
    level = REST.fullmatch(rest) or (REST.fullmatch(inside[0]) if inside and name in LEVELLED and not rest else None)
    if level and name in LEVELLED:
        return Held(name, int(level[1]), inside if rest else inside[1:])
    if rest.isdecimal() and name in ("Mimetism", "Surprise Attack", "Albedo", "Firewall"):
        rest = f"-{rest}"
    if not rest:
        return Held(name, 0, inside)
    return Held(name, 0, (rest, *inside)) if is_extra(rest) or name in ("Immunity", "Terrain", "Peripheral") else None


def is_extra(text: str) -> bool:
    """Whether a text is an extra of a known form."""
    forms = (MOD, SPECIAL, BURST, VALUE, ARMOUR, SAVE, DISTANCE)
    return any(form.fullmatch(text) for form in forms) or text.casefold() in CONTINUOUS or ammo_of(text) is not None


def unknown(text: str) -> Held:
    """A skill that the table has not."""
    return Held(" ".join(text.split()), is_known=False)


def held(text: str) -> Held:
    return read(text) or unknown(text)


def ammo_of(extra: str) -> Ammo | None:
    """The ammunition that an extra adds."""
    known = {ammo.casefold(): ammo for ammo in (Ammo.AP, Ammo.SHOCK, Ammo.DA, Ammo.EXP, Ammo.T2, Ammo.EM, Ammo.STUN)}
    return known.get(extra.casefold().removesuffix(" ammo").removesuffix(" ammunition"))


def is_distance(name: str, extra: str) -> bool:
    """Whether an extra is inches or centimetres of movement: ``Dodge (+2")``, and ``Dodge (+5)`` of the data.

    MODs of a Dodge are threes; the data has its distances in centimetres, 5 of them for 2 inches.
    """
    number = MOD.fullmatch(extra)
    return bool(DISTANCE.fullmatch(extra)) or (name == "Dodge" and number is not None and int(number[1]) % 3 != 0)


def mods_of(one: Held) -> tuple[int, ...]:
    """The MODs among the extras of an action; distances are none."""
    return tuple(int(extra) for extra in one.extras if MOD.fullmatch(extra) and not is_distance(one.name, extra))


def dice_of(extras: tuple[str, ...]) -> tuple[int, int]:
    """Burst and special dice that extras add."""
    bursts = [int(match[1] or match[2]) for one in extras if (match := BURST.fullmatch(one))]
    return sum(bursts), sum(int(match[1]) for one in extras if (match := SPECIAL.fullmatch(one)))


def is_counted(name: str, extra: str) -> bool:
    """Whether an extra of an action enters the sum or the result; a distance touches no die."""
    return is_extra(extra) or is_distance(name, extra) or (name, extra) == GUIDED


def group(one: Held, edition: Edition) -> How:
    """To which group a skill of a profile belongs: counted, asked, not counted, shown."""
    row = one.row(edition)
    if row is None:
        return How.LEFT
    if row.extends and not one.extras:
        return How.SHOWN
    if row.extends and not all(is_counted(one.name, extra) for extra in one.extras):
        return How.LEFT
    if row.extends and all(is_distance(one.name, extra) for extra in one.extras):
        return How.SHOWN
    return How.LEFT if row.default is None and not one.numbers else row.how


def groups(profile: Iterable[str], edition: Edition = "n5") -> dict[How, list[str]]:
    """The skills of a profile by what happens to them; those that are only shown are in none of the lists."""
    found: dict[How, list[str]] = {How.COUNTED: [], How.ASKED: [], How.LEFT: []}
    for one in map(held, profile):
        how = group(one, edition)
        if how in found and one.text not in found[how]:
            found[how].append(one.text)
    return {how: names for how, names in found.items() if names}


def uncounted(skills: tuple[str, ...], action: Action, edition: Edition, *, foe: bool) -> Iterator[str]:
    """The skills that touch a roll and that nobody counts: of who rolls or, with ``foe``, of whom it is against."""
    for one in map(held, skills):
        row = one.row(edition)
        if row is None:
            rows = ROWS.get(one.name, ())
            effects = [effect for known in rows for effect in known.effects if (effect.of == "own") != foe]
            if not one.is_known or any(action in (effect.on or effect.doing) for effect in effects):
                yield one.text
        elif group(one, edition) is How.LEFT and action in (row.touches_foe if foe else row.touches):
            yield one.text


def names() -> tuple[str, ...]:
    """Every name of the table, for suggestions."""
    return tuple(dict.fromkeys(row.name for row in TABLE))


def told() -> tuple[tuple[Shown, Shown], ...]:
    """What is counted, asked and not counted, for people: a heading and its lines."""
    rows = {how: [row for row in TABLE if row.how is how] for how in How}
    counted = Sentences(dict.fromkeys(row.name for row in rows[How.COUNTED]), ", ")
    asked, left = (
        [Text("{name}: {does}", name=row.name, does=row.does) for row in rows[how]] for how in (How.ASKED, How.LEFT)
    )
    return (
        (Text("Counted"), counted),
        (Text("Counted when you say so"), Sentences(dict.fromkeys(asked), "\n")),
        (Text("Not counted: the card names them"), Sentences(dict.fromkeys(left), "\n")),
    )
