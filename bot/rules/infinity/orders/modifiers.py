"""The sum of a roll's MODs, each with its cause (rules page, MODs that people add). Skills' and states' MODs are in
their tables; here are those between two troopers, and the sum, which ``declared.total`` limits to -12..+12.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from bot.rules.data_tables import table
from bot.rules.errors import AllowedWords, AtMost, BadInputError, Example
from bot.rules.infinity.orders.fields import Draft, Situation
from bot.rules.infinity.troopers import declared as declarations, limits, programs, skills, states
from bot.rules.infinity.troopers.declared import KITS, Action, Ammo, Edition, Mod, ModKind, RangeBand, Weapon
from bot.rules.infinity.troopers.skills import AIMED, BRACKET, GROUPS, SEEN, SHOTS, HeldSkill, Skill, SkillEffect
from bot.rules.infinity.troopers.trooper import Trooper, kind_of
from bot.rules.text import N_, UNNAMED, Code, Count, Name, Noun, Shown, Text, term

COVER: Final = -3
MELEE: Final = -6
SPECULATIVE: Final = -6
SUPPRESSION: Final = -3
IMPROVISED: Final = -6
OUT_OF_SIGHT: Final = -3
INFILTRATION: Final = -3
MIMETISM: Final = -3
UNSEEN: Final = -6
"""MOD for answering a BS Attack through a zone without line of fire; 0 with Sixth Sense."""
DISCOVER: Final = (RangeBand(3, 8), RangeBand(0, 32), RangeBand(-3, 48), RangeBand(-6, 96))
SUPPRESSIVE_BANDS: Final = (RangeBand(0, 16), RangeBand(-3, declarations.SUPPRESSION_INCHES))
SUPPRESSIVE_BURST: Final = 3

COUP: Final = Weapon(name=Name("Coup de Grâce"), save="none", state=states.DEAD, action=Action.DIRECT)
"""Coup de Grâce: Dead, without a roll or a save."""

TEAM: Final[dict[Edition, tuple[tuple[int, tuple[Action, ...], int], ...]]] = {
    "n5": ((3, (Action.DISCOVER,), 3), (3, (Action.DODGE,), 1), (4, SHOTS, 1)),
    "n4": ((3, (Action.DISCOVER,), 3), (5, SHOTS, 1)),
    "n3": ((5, SHOTS, 3), (5, (Action.DISCOVER,), 3)),
}
"""A Fireteam's bonus: minimum level (N4 and N3: members), rolls, MOD."""
TEAM_SENSE: Final = 5
"""Minimum level of a Fireteam of N5 with Sixth Sense."""
SIXTH_SENSE: Final = HeldSkill("Sixth Sense")
TEAM_DICE: Final = {"n5": 2, "n4": 3, "n3": 3}
"""Minimum level of a Fireteam for a special die (N5), or Burst +1, when shooting."""

NOWHERE: Final = Situation()
BY_STAT: Final = {"CC": Action.CC, "WIP": Action.WIP, "PH": Action.PH}


@dataclass(frozen=True)
class DeclaredSkill:
    """A resolved declaration: action, weapon, attribute, and edition. ``ended``: its trooper's states that it ends."""

    draft: Draft
    action: Action
    weapon: Weapon | None
    stat: str
    attribute: int
    edition: Edition = "n5"
    ended: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.draft.name

    @property
    def trooper(self) -> Trooper | None:
        return self.draft.trooper

    @cached_property
    def situation(self) -> Situation:
        return self.draft.as_situation

    @property
    def team(self) -> int:
        """Return its Fireteam's level, as declared or from the turn."""
        return self.situation.fireteam or (self.trooper.team if self.trooper else 0)

    @property
    def states(self) -> tuple[str, ...]:
        return states_of(self.draft)

    @property
    def visor(self) -> int:
        return self.trooper.visor if self.trooper else 0

    @property
    def traits(self) -> tuple[str, ...]:
        return self.weapon.traits if self.weapon else ()

    @property
    def skills(self) -> tuple[HeldSkill, ...]:
        own = self.draft.skills
        return (*own, SIXTH_SENSE) if self.edition == "n5" and self.team >= TEAM_SENSE else own

    @property
    def rows(self) -> list[tuple[HeldSkill, Skill]]:
        return skills.rows_of(self.skills, self.edition)

    @property
    def extras(self) -> tuple[str, ...]:
        """The extras of what it does: those of the action in the profile, and those of the weapon's name."""
        result = (extra for skill, row in self.rows if self.action in row.extends for extra in skill.extras)
        return (*result, *weapon_extras(self.weapon))

    @property
    def skill(self) -> Action:
        """Return the declared action: a kit in contact and a Coup de Grâce need no roll."""
        if self.situation.contact and self.weapon is not None:
            return self.weapon.action
        return Action.CC if self.situation.coup else self.action

    @property
    def is_long(self) -> bool:
        return self.situation.speculative or self.situation.intuitive or self.situation.triangulated


@dataclass(frozen=True, slots=True)
class TargetedRoll:
    """A roll with its target, whether it is made in the Active Turn, the facts of its line, and who acts against it.

    ``target`` is whom it is aimed at. ``far`` has the facts of the line that the enemy said; ``facing`` act against its
    trooper, face to face or not.
    """

    one: DeclaredSkill
    target: Draft | None
    active: bool
    far: Situation
    facing: Sequence[DeclaredSkill] = ()


def states_of(draft: Draft | None) -> tuple[str, ...]:
    if draft is None:
        return ()
    known = draft.trooper.states if draft.trooper else ()
    return tuple(dict.fromkeys((*known, *draft.states)))


def weapon_extras(weapon: Weapon | None) -> tuple[str, ...]:
    """Return the extras in a weapon name's brackets, without modes: ``Bow (+1SD)``, ``Bow (+3 BS)``."""
    inside = (OF_STAT.sub(r"\1", item.strip()) for item in GROUPS.findall(weapon.name)) if weapon else ()
    return tuple(item for item in inside if skills.is_extra(item))


OF_STAT: Final = re.compile(r"^([+-]\d{1,2}) (?:BS|CC|PH|WIP)$")


def read_skill(draft: Draft, edition: Edition = "n5") -> DeclaredSkill:
    """Resolve a typed roll. Raises ``BadInputError`` if it is ambiguous or lacks a number."""
    if draft.as_situation.coup:
        return DeclaredSkill(draft, Action.DIRECT, COUP, "", 0, edition)
    weapon, action = resolve_weapon_and_action(draft, edition)
    bare = DeclaredSkill(draft, action, weapon, "", 0, edition)
    bare = replace(bare, weapon=weapon_as_used(bare))
    if draft.as_situation.contact and action in KITS:
        return replace(bare, action=Action.DIRECT)
    if draft.attribute is not None or action is Action.DIRECT:
        return replace(bare, stat=draft.stat, attribute=draft.attribute or 0)
    return with_attribute(bare)


def resolve_weapon_and_action(draft: Draft, edition: Edition) -> tuple[Weapon | None, Action]:
    weapon, around = draft.weapon or (Weapon(**draft.words) if draft.words else None), draft.as_situation
    if around.sensor and draft.action is None and weapon is None:
        return None, Action.SENSOR
    action = draft.action or (weapon.action if weapon else BY_STAT.get(draft.stat, Action.SHOOT))
    if weapon is None and action in KITS:
        weapon = programs.ARMS[action.label.message]
    elif weapon is None and action.affects_target and draft.trooper is not None:
        weapon = find_weapon(draft, draft.trooper, action)
        action = draft.action or (weapon.action if weapon else action)
    return as_template(draft, weapon, action, edition)


def as_template(draft: Draft, weapon: Weapon | None, action: Action, edition: Edition) -> tuple[Weapon | None, Action]:
    """Return the weapon and the action of a shot that hits as a template; any other stays."""
    around = draft.as_situation
    if weapon is not None and action is Action.SHOOT and weapon.hits_as in (Action.TEMPLATE, Action.DIRECT):
        action = weapon.hits_as
    if around.intuitive and action is Action.DIRECT:
        action = Action.TEMPLATE  # rolled, so that it is compared
    if around.guided and edition == "n5" and action is Action.SHOOT:
        weapon, action = with_blast(draft.trooper, weapon), Action.TEMPLATE
    return weapon, action


def with_blast(trooper: Trooper | None, weapon: Weapon | None) -> Weapon | None:
    """Return a weapon's mode with a circular template, if any, for a Guided attack."""
    if trooper is None or weapon is None:
        return weapon
    first = weapon.name.split()[0].casefold()
    modes = (item for item in trooper.weapons if item.action is Action.TEMPLATE and "blast" in item.name.casefold())
    return next((mode for mode in modes if mode.name.split()[0].casefold() == first), weapon)


def with_attribute(bare: DeclaredSkill) -> DeclaredSkill:
    """Return the roll with its trooper's attribute: the weapon's or action's, or an extra's replacement."""
    draft, weapon = bare.draft, bare.weapon
    by_weapon = weapon.stat if weapon is not None and bare.action.is_attack else ""
    stat = draft.stat or ("WIP" if draft.as_situation.intuitive else by_weapon) or bare.action.stat
    declared = replace(bare, stat=stat)
    replaced = [] if draft.stat else [*filter(None, map(skills.VALUE.fullmatch, declared.extras))]
    if replaced and bare.action not in KITS:  # kits use the target's attribute
        return replace(declared, stat=replaced[-1][1].upper(), attribute=int(replaced[-1][2]))
    stats = dict(draft.trooper.stats) if draft.trooper else {}
    for row in states.rows(bare.states) if bare.edition == "n5" else ():
        stats |= row.n5_stats
    value = stats.get(stat)
    if value is None:
        message = N_("{stat} of {name}") if stat else N_("Success Value of {name}")
        field = Text(message, stat=Code(stat), name=Name(draft.name))
        raise BadInputError(field, None, Text("Use a number."), Example(f"{draft.name} {stat} 12"))
    return replace(declared, attribute=value)


def find_weapon(draft: Draft, trooper: Trooper, action: Action) -> Weapon | None:
    """Return the weapon of an attack without a typed one, if only one fits; not needed with a typed Success Value.
    Raises ``BadInputError`` listing candidates.
    """
    fitting = [arm for arm in trooper.arms if kind_of(arm.action) is kind_of(action)]
    if len(fitting) == 1:
        return fitting[0]
    known = fitting or (trooper.arms if kind_of(action) is Action.SHOOT else ())  # nothing replaces a shot
    if draft.attribute is None and known:
        names = tuple(weapon.name for weapon in known)
        raise BadInputError(Text("weapon of {draft}", draft=Name(draft.name)), None, AllowedWords(names))
    return None


def weapon_as_used(bare: DeclaredSkill) -> Weapon | None:
    """Return the weapon as used: Suppressive Fire has its own profile; skills add ammunition and power."""
    weapon = bare.weapon
    if weapon is None or not bare.action.affects_target:
        return weapon
    if bare.action in SHOTS and states.SUPPRESSIVE in bare.states and weapon.bands:
        weapon = replace(weapon, burst=SUPPRESSIVE_BURST, bands=SUPPRESSIVE_BANDS)
    known = (*weapon.ammo, *[Ammo.SHOCK] * (weapon.stat == "WIP"))  # BS Attack (Shock) does not apply to WIP weapons
    added = [ammo for extra in bare.extras if (ammo := skills.ammo_of(extra)) and ammo not in known]
    if added:
        weapon = replace(weapon, ammo=(*(item for item in weapon.ammo if item is not Ammo.N), *dict.fromkeys(added)))
    if not {*map(str.casefold, bare.extras)}.isdisjoint(skills.CONTINUOUS):
        weapon = replace(weapon, continuous=True)
    power = sum(effect.power for _, _, effect in own_effects(bare))
    return weapon if weapon.power is None else replace(weapon, power=weapon.power - power)


def effects(rows: Sequence[tuple[HeldSkill, Skill]]) -> list[tuple[HeldSkill, Skill, SkillEffect]]:
    return [(held, row, effect) for held, row in rows for effect in row.effects]


# Dice


def burst(declared: DeclaredSkill, *, active: bool, far: Situation = NOWHERE) -> int:
    """Return a roll's dice: one less for a BS Attack through Saturation, at least 1; or the physical ones."""
    saturated = declared.situation.saturation or far.saturation
    less = saturated and declared.action in SHOTS and not declared.draft.dice
    return max(1, declared_burst(declared, active=active) - less)


def declared_burst(declared: DeclaredSkill, *, active: bool) -> int:
    """Return a roll's default dice: the weapon's Burst in the Active Turn, otherwise 1. Total Reaction, Neurocinetics,
    and Suppressive Fire have full Burst in ARO too.
    """
    if declared.draft.burst is not None:
        return declared.draft.burst
    if declared.draft.dice:
        return max(1, min(len(declared.draft.dice) - special(declared, ()), limits.MAX_BURST))
    around = declared.situation
    is_long = declared.is_long and not around.triangulated
    if is_long or around.coordinated == "other" or around.contact or is_guided(declared):
        return 1
    return min(full_burst(declared, active=active), most_dice(declared))


def full_burst(declared: DeclaredSkill, *, active: bool) -> int:
    """Return the Burst with its bonuses, half of it in a Coordinated Order."""
    weapon, full = declared.weapon, 1
    attacks = weapon is not None and (declared.action.affects_target or declared.action in KITS)
    if weapon is not None and attacks and (active or keeps_burst(declared)):
        full = weapon.burst
    if active and declared.action in (*SHOTS, Action.DIRECT) and has(declared, "Neurocinetics"):
        full = 1
        attacks = attacks and declared.edition != "n5"
    if attacks or declared.action is Action.CC:  # bare hands have Burst 1
        full += bonus(declared, active=active)
    return (full + 1) // 2 if declared.situation.coordinated else full


def most_dice(declared: DeclaredSkill) -> int:
    """Return the highest Burst: each extra die uses a disposable weapon once more."""
    weapon, trooper = declared.weapon, declared.trooper
    if weapon is None or trooper is None or not weapon.uses:
        return limits.MAX_BURST
    return min(limits.MAX_BURST, max(1, weapon.burst - 1 + weapon.uses - trooper.spent.count(weapon.name)))


def keeps_burst(declared: DeclaredSkill) -> bool:
    if (program := programs.of(declared.weapon)).name:
        return program.keeps_burst
    suppresses = declared.action in (*SHOTS, Action.DIRECT) and states.SUPPRESSIVE in declared.states
    return suppresses or reacts_in_full(declared)


def reacts_in_full(declared: DeclaredSkill) -> bool:
    """Whether a skill gives its reaction full Burst, in N5 with bonuses."""
    return declared.action in (*SHOTS, Action.DIRECT) and has(declared, "Total Reaction", "Neurocinetics")


def is_guided(declared: DeclaredSkill) -> bool:
    """Whether it is a Guided attack of N5, with its own rules."""
    return declared.situation.guided and declared.edition == "n5"


def bonus(declared: DeclaredSkill, *, active: bool) -> int:
    """Return the Burst bonus of skills: those in brackets in the Active Turn, Martial Arts' always. In N5 the former
    also apply in ARO with full Burst.
    """
    in_full = declared.edition == "n5" and reacts_in_full(declared)
    more = skills.dice_of(declared.extras)[0] if active or in_full else 0
    more += active and "doubleshot" in declared.traits
    more += sum(effect.burst for _, _, effect in own_effects(declared))
    if declared.action in SHOTS and declared.edition != "n5" and declared.team >= TEAM_DICE[declared.edition]:
        more += 1
    return more + (declared.situation.melee if declared.action is Action.CC else 0)


def special(declared: DeclaredSkill, enemies: Sequence[DeclaredSkill]) -> int:
    """Return the special dice: declared ones, one for a shooting fireteam of level 2, and skills'. Before N5, a Natural
    Born Warrior opponent cancels those of close combat.
    """
    more = 0
    if not declared.is_long and declared.action is not Action.DIRECT:
        team = declared.edition == "n5" and declared.team >= TEAM_DICE["n5"] and declared.action in AIMED
        more = team + skills.dice_of(declared.extras)[1] + sum(row.special for _, _, row in own_effects(declared))
    if declared.action is Action.CC and declared.edition != "n5" and any(is_warrior(enemy) for enemy in enemies):
        more = 0
    return min(limits.MAX_SPECIAL, (declared.draft.special or 0) + more)


def own_effects(declared: DeclaredSkill) -> list[tuple[HeldSkill, Skill, SkillEffect]]:
    return [
        (held, row, effect)
        for held, row, effect in effects(declared.rows)
        if effect.of == "own"
        and declared.action in (effect.on or (declared.action,))
        and (not effect.asked or getattr(declared.situation, effect.asked))
    ]


def has(declared: DeclaredSkill, *names: str) -> bool:
    return declared.trooper is not None and declared.trooper.has(*names)


def is_warrior(declared: DeclaredSkill) -> bool:
    return declared.action is Action.CC and has(declared, "Natural Born Warrior")


# MODs


def mods(roll: TargetedRoll, enemies: Sequence[DeclaredSkill]) -> tuple[Mod, ...]:
    """Return every MOD of a roll; ``enemies`` are those whom it meets face to face, () for a Normal Roll.

    A roll that meets several enemies takes each kind of MOD of theirs once, the worst; what the trooper itself, its
    target and an enemy cause adds up, whatever it is called.
    """
    declared, far = roll.one, roll.far
    around, typed = declared.situation, tuple(declared.draft.mods)
    if around.triangulated:
        list(range_band(declared, around if around.distance is not None else far))  # out of its reach
    if around.intuitive or around.triangulated:
        return typed
    lines = [*of_shot(roll, enemies), *of_own(declared, enemies), *of_target(declared, roll.target)]
    worst: dict[tuple[ModKind, str], Mod] = {}
    for enemy in enemies:
        for mod in of_enemy(declared, enemy, active=roll.active, far=far):
            cause = mod.kind, mod.what if isinstance(mod.what, Name) else ""
            if cause not in worst or mod.number < worst[cause].number:
                worst[cause] = mod
    lines = [mod for mod in (*lines, *worst.values()) if not is_ignored(declared, mod, enemies)]
    if around.speculative or is_guided(declared):
        kept = KEPT_BY_SPECULATIVE if around.speculative else KEPT_BY_GUIDED
        lines = [mod for mod in lines if mod.number > 0 or mod.kind in kept]
    return (*lines, *typed)


KEPT_BY_SPECULATIVE: Final = (ModKind.RANGE, ModKind.SPECULATIVE)
KEPT_BY_GUIDED: Final = (ModKind.RANGE, ModKind.ECM)
"""Negative MODs that apply to such an attack."""


def is_ignored(declared: DeclaredSkill, mod: Mod, enemies: Sequence[DeclaredSkill]) -> bool:
    foes = [enemy.name for enemy in enemies if declared.edition != "n5" or enemy.action is Action.CC]
    if is_warrior(declared) and mod.number < 0 and mod.by in foes and mod.by:
        return True
    for _, row in declared.rows:
        kept = dict(row.keeps).get(declared.action)
        if kept is not None and mod.number < 0 and mod.kind not in kept:
            return True
        if mod.kind in row.ignores and declared.action in (row.ignores_on or (declared.action,)):
            return True
    return False


def of_shot(roll: TargetedRoll, enemies: Sequence[DeclaredSkill]) -> Iterator[Mod]:
    """Yield the MODs of what lies between a shooter and the target; Discover suffers from it as a BS Attack does."""
    declared, target, around = roll.one, roll.target, roll.one.situation
    at = around if around.distance is not None else roll.far
    if declared.action in (*AIMED, Action.DEACTIVATE):
        yield from range_band(declared, at)
    elif declared.action is Action.DISCOVER and at.distance is not None and declared.draft.attribute is None:
        yield range_mod(declared, at, DISCOVER, "")
    if declared.action in (*AIMED, *SEEN) and not around.guided and (around.cover or "Foxhole" in states_of(target)):
        yield from cover(target, declared.edition)
    yield from zone(roll)
    if declared.action in SHOTS and around.melee:
        yield Mod(MELEE * around.melee, Text("into close combat"), kind=ModKind.MELEE)
    if around.speculative:
        yield Mod(SPECULATIVE, Text("Speculative Attack"), Name(declared.name), kind=ModKind.SPECULATIVE)
    yield from of_unseen(roll, enemies)


def of_unseen(roll: TargetedRoll, enemies: Sequence[DeclaredSkill]) -> Iterator[Mod]:
    """The one -3 of a Dodge or a Reset against what is not seen, however many reasons there are, and Silent."""
    declared = roll.one
    unseen = declared.situation.zone or roll.far.zone or any(map(is_unseen, enemies))
    if declared.action is Action.DODGE and (unseen or declared.situation.warned):
        what = Text("without line of fire") if unseen else Action.LOOK_OUT.label
        yield Mod(OUT_OF_SIGHT, what, kind=ModKind.UNSEEN)
        silent = min((foe.weapon.silent for foe in enemies if foe.weapon is not None), default=0)
        yield from [Mod(silent, Name("Silent"), kind=ModKind.WEAPON)] * bool(silent)
    deployables = (foe for foe in roll.facing if "deployable" in foe.traits)
    if declared.action is Action.RESET and any(map(is_comms, deployables)):
        yield Mod(OUT_OF_SIGHT, Text("deployable"), kind=ModKind.WEAPON)


def is_unseen(declared: DeclaredSkill) -> bool:
    """Whether it is a deployable's template, which is dodged as unseen."""
    is_template = declared.action in (Action.DIRECT, Action.TEMPLATE)
    return is_template and declared.weapon is not None and declared.weapon.is_unseen


def range_band(declared: DeclaredSkill, around: Situation) -> Iterator[Mod]:
    """Yield the weapon's range MOD; raises ``BadInputError`` out of range or without a distance. A typed Success Value
    without weapon and distance already includes it.
    """
    if declared.weapon is None or not declared.weapon.bands:
        return
    distance = around.distance
    if distance is None and declared.draft.attribute is not None and declared.draft.weapon is None:
        return
    reach = declared.weapon.bands[-1].inches
    if distance is None:
        allowed = Text(
            "Use inches, as in `at 20`; the {weapon} has a range of {reach}.", weapon=declared.weapon.name, reach=reach
        )
        raise BadInputError(Text("distance to {one}", one=Name(declared.name)), None, allowed)
    if distance > reach:
        allowed = Text(
            "Use at most {reach} inches, the maximum range of the {weapon}.", reach=reach, weapon=declared.weapon.name
        )
        if declared.weapon.bands is SUPPRESSIVE_BANDS:
            allowed = Text("Use at most {reach} inches, the maximum range of Suppressive Fire.", reach=reach)
        raise BadInputError(Text("distance to {one}", one=Name(declared.name)), distance, allowed)
    yield range_mod(declared, around, declared.weapon.bands, declared.weapon.name)


def range_mod(declared: DeclaredSkill, around: Situation, bands: Sequence[RangeBand], by: str) -> Mod:
    """Return a distance's MOD, reduced by an X Visor. Raises ``BadInputError`` beyond the last band."""
    distance = around.distance or 0
    number = declarations.mod_at(bands, distance)
    if number is None:
        most = AtMost(bands[-1].inches, Noun("inch", "inches"))
        raise BadInputError(Text("distance to {one}", one=Name(declared.name)), distance, most)
    if number < 0 and has(declared, "X Visor"):
        number = min(0, number + 3)
    inches = Count(distance, "inch", "inches")
    if around.beyond:
        band = Text("Range {least} to {inches}", least=around.beyond, inches=inches)
        return Mod(number, band, Name(by), kind=ModKind.RANGE)
    message = N_("Range {inches}") if around.beyond is None else N_("Range up to {inches}")
    return Mod(number, Text(message, inches=inches), Name(by), kind=ModKind.RANGE)


def cover(target: Draft | None, edition: Edition) -> Iterator[Mod]:
    """Partial Cover, unless the target's own skills make it worth nothing, or have the same MOD themselves."""
    rows = skills.rows_of(target.skills if target else (), edition)
    if not any(ModKind.COVER in row.spares for _, row in rows):
        yield Mod(COVER, Text("Partial Cover"), Name(target.name if target else ""), kind=ModKind.COVER)


def is_cover_effective(declared: DeclaredSkill, target: Draft | None) -> bool:
    """Whether Partial Cover helps the target's saves: against what needs a line of fire, in N5 never a template."""
    around = declared.situation
    aimed = (Action.SHOOT,) if declared.edition == "n5" else (Action.SHOOT, Action.TEMPLATE, Action.DIRECT)
    sees = declared.action in aimed and not (around.guided or around.speculative or around.intuitive)
    in_cover = declared.situation.cover or "Foxhole" in states_of(target)
    return sees and in_cover and not any(skill.name == "No Cover" for skill in (target.skills if target else ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilityZone:
    """A visibility zone: its MOD without a Visor, with level 1, and with a higher one; None: no line of fire.
    ``blinds``: skills that work as a Visor of level 1 there.
    """

    name: str
    says: Text
    mods: tuple[int | None, ...]
    blinds: tuple[str, ...] = ()

    def mod_for(self, declared: DeclaredSkill) -> int | None:
        """Return a zone's MOD for looking through it; None without line of fire."""
        return self.mods[max(min(declared.visor, 2), int(has(declared, *self.blinds)))]


ZONES: Final = table("infinity/tables/zones.json", VisibilityZone)


def zones_on(declared: DeclaredSkill, far: Situation) -> list[VisibilityZone]:
    """Return the visibility zones on a roll's line, declared by either side; none if it needs no line of fire."""
    around = declared.situation
    is_blind = around.guided or around.intuitive or around.speculative or around.triangulated
    needs = declared.action in (*AIMED, *SEEN) and not is_blind
    if is_screen(declared) or not (needs or (declared.action is Action.DODGE and declared.edition == "n3")):
        return []
    return [row for row in ZONES if getattr(around, row.name) or getattr(far, row.name)]


def blocking_zones(declared: DeclaredSkill, far: Situation) -> list[VisibilityZone]:
    return [row for row in zones_on(declared, far) if row.mod_for(declared) is None]


def is_shot_at(roll: TargetedRoll) -> bool:
    """Whether an enemy with a line of fire of its own makes a BS Attack at who rolls, which may be answered."""
    line = roll.far.with_facts(row.name for row in zones_on(roll.one, roll.far))
    shots = (foe for foe in roll.facing if foe.action in (*SHOTS, Action.DIRECT) and not is_screen(foe))
    return any(not blocking_zones(foe, line) for foe in shots)


def is_screen(declared: DeclaredSkill | Draft) -> bool:
    """Whether it throws smoke or Eclipse at a point, hitting nobody."""
    return declared.weapon is not None and declared.weapon.is_screen


def is_comms(declared: DeclaredSkill) -> bool:
    return declared.weapon is not None and declared.weapon.is_comms


def zone(roll: TargetedRoll) -> Iterator[Mod]:
    """The worst visibility zone on the line, each less what its own Visor takes off."""
    declared, result = roll.one, list[Mod]()
    senses = declared.edition == "n5" and SIXTH_SENSE.name in [held.name for held in declared.skills]
    senses = senses and is_shot_at(roll)
    for row in zones_on(declared, roll.far):
        number, called = row.mod_for(declared), with_visor(row.says, declared.visor)
        if None in row.mods and senses:
            number, called = 0, Text("{zone}, Sixth Sense", zone=row.says)
        result.append(Mod(UNSEEN if number is None else number, called, kind=ModKind.ZONE))
    yield from sorted(result, key=lambda mod: mod.number)[:1]


def visibility_mod(number: int, visor: int) -> int:
    """Return -3 and -6 with a Visor: level 1 makes them 0 and -3, levels 2 and 3 zero."""
    return number if not visor else min(0, number + 3) if visor == 1 else 0


def with_visor(what: Shown, visor: int) -> Shown:
    return Text("{what}, Visor {level}", what=what, level=visor) if visor else what


def of_own(declared: DeclaredSkill, enemies: Sequence[DeclaredSkill]) -> Iterator[Mod]:
    """Yield the MODs of the trooper's skills, weapon, Fireteam, and states: ``Dodge (+3)``, levels 3 and 4, Stunned."""
    yield from of_brackets(declared, 1)
    for held, row, effect in own_effects(declared):
        number = held.mod(row, effect)
        if number and not (held.name == "Bangbomb" and Action.TEMPLATE in [enemy.action for enemy in enemies]):
            yield Mod(number, Name(held.name), Name(declared.name), kind=row.kind)
    shoots = declared.edition == "n5" and declared.action in SHOTS  # level 4 is +1 to the attribute
    team = [bonus for bonus in TEAM[declared.edition] if declared.action in bonus[1] and declared.team >= bonus[0]]
    if team:
        what = Text("Fireteam level {level}", level=declared.team)
        yield Mod(team[-1][2], what, Name(declared.name), of_attribute=shoots, kind=ModKind.TEAM)
    if "improvised" in declared.traits and declared.action.is_attack:
        yield Mod(IMPROVISED, Text("Improvised weapon"), Name(declared.name), kind=ModKind.WEAPON)
    if declared.action is Action.INFILTRATE:
        yield Mod(INFILTRATION, Action.INFILTRATE.roll, Name(declared.name), kind=ModKind.SKILL)
    yield from states.mods(declared.name, declared.states, declared.action)


def of_brackets(declared: DeclaredSkill, sign: int) -> Iterator[Mod]:
    """The MODs behind its actions and its weapon: those with a + are its own (``sign`` 1), with a - its enemy's."""
    for held, row in declared.rows:
        known = skills.mods_of(held) if declared.action in row.extends else ()
        if any(sign * number > 0 for number in known):
            yield Mod(max(known, key=lambda number: sign * number), Name(held.name), Name(declared.name), kind=row.kind)
    used = weapon_extras(declared.weapon) if declared.action.affects_target else ()
    for number in (int(extra) for extra in used if skills.MOD.fullmatch(extra)):
        if sign * number > 0:
            yield Mod(number, weapon_name(declared), Name(declared.name), kind=ModKind.WEAPON)


def weapon_name(declared: DeclaredSkill) -> Name:
    return Name(GROUPS.sub("", declared.weapon.name).strip()) if declared.weapon else UNNAMED


def of_target(declared: DeclaredSkill, target: Draft | None) -> Iterator[Mod]:
    """Yield the MODs of the target's skills and states on attackers: Mimetism, Albedo, Firewall, Targeted."""
    if target is None:
        return
    visor, around = declared.visor, declared.situation
    unseen = declared.action in SEEN and around.guided
    for skill, row, effect in effects(skills.rows_of(strongest_skills(target.skills), declared.edition)):
        if effect.of != "foe" or declared.action not in effect.on:
            continue
        applies = getattr(around, effect.asked) if effect.asked else not unseen
        if not applies or (effect.needs and not has(declared, *effect.needs)):
            continue
        number = skill.mod(row, effect)
        if row.hides:
            what = with_visor(Name(skill.name), visor)
            yield Mod(visibility_mod(number, visor), what, Name(target.name), kind=row.kind)
        elif number:
            yield Mod(number, Name(skill.name), Name(target.name), kind=row.kind)
    hides = any(skill.name == "Mimetism" for skill in target.skills)
    if "Foxhole" in states_of(target) and declared.action in SEEN and not unseen and not hides:
        what = with_visor(Name("Mimetism"), visor)
        yield Mod(visibility_mod(MIMETISM, visor), what, Name(target.name), kind=ModKind.SKILL)
    yield from states.mods(target.name, states_of(target), declared.action, declared.edition)


def strongest_skills(held: Sequence[HeldSkill]) -> tuple[HeldSkill, ...]:
    """Keep the lowest of same-named skills with a negative MOD: one Firewall, one Mimetism."""
    result: dict[object, HeldSkill] = {}
    for skill in held:
        by = skill.name if skill.numbers else skill
        known = result.get(by)
        result[by] = skill if known is None or skill.numbers[:1] < known.numbers[:1] else known
    return tuple(result.values())


def of_enemy(declared: DeclaredSkill, enemy: DeclaredSkill, *, active: bool, far: Situation) -> Iterator[Mod]:
    """Yield an enemy's MODs on a Face to Face Roll against it."""
    yield from of_brackets(enemy, -1)
    for held, row, effect in effects(enemy.rows):
        if effect.of == "met" and enemy.action in effect.doing:
            yield Mod(held.mod(row, effect), Name(held.name), Name(enemy.name), kind=row.kind)
    if enemy.situation.surprise and not active and (number := surprise(enemy, declared)):
        yield Mod(number, Text("Surprise Attack"), Name(enemy.name), kind=ModKind.SURPRISE)
    inches = next((known for known in (declared.situation.distance, far.distance) if known is not None), 0)
    if states.SUPPRESSIVE in enemy.states and inches <= declarations.SUPPRESSION_INCHES:
        yield Mod(SUPPRESSION, term(states.SUPPRESSIVE), Name(enemy.name), kind=ModKind.SUPPRESSIVE)


def surprise(enemy: DeclaredSkill, declared: DeclaredSkill) -> int:
    """Return a Surprise Attack's MOD: declared, else the profile's, else -3; ``(CC-6)`` affects CC only."""
    if enemy.situation.surprise > 1:
        return -enemy.situation.surprise
    extras = [extra for held in enemy.skills if held.name == "Surprise Attack" for extra in held.extras]
    in_combat = [int(match[1]) for match in map(skills.IN_COMBAT.fullmatch, extras) if match]
    result = [int(extra) for extra in extras if skills.MOD.fullmatch(extra)]
    return min([*result, *(in_combat if declared.action is Action.CC else ())], default=0 if in_combat else -3)


def reroll(declared: DeclaredSkill) -> Mod | None:
    """Return the MOD with which a skill rerolls a failed roll, such as a Doctor's; None if none does."""
    matches = [match for extra in declared.extras if (match := skills.REROLL.fullmatch(extra))]
    if not matches:
        return None
    number = int(matches[0][2]) - declared.attribute if matches[0][2] else int(matches[0][1] or 0)
    return Mod(number, Name("ReRoll"), Name(declared.name), of_attribute=bool(matches[0][2]), kind=ModKind.SKILL)


# Not counted

LEFT: Final = re.compile(r"reroll|=", re.IGNORECASE)
"""Extras in a weapon's brackets that aren't counted; modes and numbers of uses don't matter."""


def not_counted(declared: DeclaredSkill, target: Draft | None, enemies: Sequence[DeclaredSkill]) -> tuple[str, ...]:
    """Return the skills that concern a roll but aren't in its sum or result."""
    own, said = (declared.trooper.skills, SAID_SKILLS.items()) if declared.trooper else ((), ())
    result = list(skills.uncounted_skills(own, declared.action, declared.edition, foe=False))
    foes = {foe.name: foe.trooper for foe in (*enemies, target) if foe is not None}
    for foe in filter(None, foes.values()):
        result += skills.uncounted_skills(foe.skills, declared.action, declared.edition, foe=True)
    # Skills that the line says, and that give a known trooper nothing for this roll: `berserk` without Berserk.
    used = {held.name for held, row, effect in own_effects(declared) if effect.mod != BRACKET or held.number(row)}
    result += [name for word, name in said if getattr(declared.situation, word) and name not in used]
    result += uncounted_extras(declared)
    is_typed = declared.situation.distance is not None or declared.draft.attribute is not None
    if declared.action is Action.DISCOVER and declared.trooper and not is_typed:
        result.append("Range")
    return tuple(dict.fromkeys(result))


def uncounted_extras(declared: DeclaredSkill) -> list[str]:
    """Return the extras in the brackets of the weapon's name that aren't counted."""
    brackets = [extra.strip() for extra in GROUPS.findall(declared.weapon.name)] if declared.weapon else []
    left = (extra for extra in brackets if LEFT.search(extra) and not skills.is_extra(extra))
    return [f"{weapon_name(declared)} ({extra})" for extra in left]


SAID_SKILLS: Final = {
    effect.asked: row.name for row in skills.TABLE for effect in row.effects if effect.asked and effect.of == "own"
}
"""Skills by the word that declares them."""
