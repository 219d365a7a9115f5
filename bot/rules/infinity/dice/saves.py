"""Saving Rolls: their number, targets, and consequences, and the Guts Rolls after (rules page, Saving Rolls).

Where the page is silent, the rulebook applies: E/M halves BTS as AP halves ARM; PARA, Stun, and E/M alone cause a state
and no Wounds; combined ammunition uses its highest number of saves; the extra save of a Plasma Critical uses ARM.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from bot.rules.dice import Rng, Rolled, enter_physical_dice, roll
from bot.rules.errors import BadInputError, WholeNumber
from bot.rules.game import Side
from bot.rules.infinity.troopers import declared, limits, skills, states as states_table
from bot.rules.infinity.troopers.declared import COVER, Action, Ammo, Mod, ModKind, Save, TargetProfile, Weapon, total
from bot.rules.infinity.troopers.trooper import Trooper, treated, with_states, wound
from bot.rules.text import N_, Code, Name, Names, Text

PER_HIT: Final[Mapping[Ammo, int]] = {Ammo.DA: 2, Ammo.EM: 2, Ammo.EXP: 3}
"""Saves per hit, default 1; Plasma: one with ARM and one with BTS. A Critical adds one."""

STATES: Final[Mapping[Ammo, str]] = {Ammo.PARA: "Immobilized-A", Ammo.STUN: "Stunned", Ammo.EM: "Isolated"}
"""The state caused by a failed save, or, with this ammunition alone, replacing the Wound."""
HARMLESS: Final = (*STATES, Ammo.NONE)
"""Ammunition that alone costs no Wounds."""

HALVING: Final = (Ammo.AP, Ammo.EM)
PARALYSIS: Final = 6
"""PARA saves use PH-6, whatever the weapon's PS."""
MAX_CONTINUOUS: Final = 9
"""Failed saves that end Continuous Damage: no trooper has Wounds left then."""

FACES: Final = tuple(range(1, declared.SIDES + 1))


@dataclass(frozen=True, slots=True)
class PendingSave:
    """One Saving Roll to make. ``number``: with ``over`` more than it passes (N4 and N3), otherwise that or less.
    ``wounds``: lost on a failure. ``extra``: a Critical's extra save. ``tries``: maximum rolls until it passes.
    """

    attribute: str
    number: int
    wounds: int
    over: bool = False
    extra: bool = False
    tries: int = 1

    def passes(self, face: int) -> bool:
        return face > self.number if self.over else face <= self.number


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledSaves:
    """Saving Rolls made, in the order in which they were due."""

    save: Save
    dice: tuple[Rolled, ...]


def list_saves(save: Save) -> tuple[PendingSave, ...]:
    """Return the Saving Rolls of all hits and Criticals, Criticals' extra saves last.

    The extra save never carries T2's second Wound. In N3 there is none: a Critical's first save fails without a roll
    (``automatic``), and its ammunition's others are rolled.
    """
    if save.weapon.is_kit:
        return (PendingSave("PH", kit_value(save), 0, tries=save.hits + save.crits),)
    item = saves_per_hit(save)
    if save.edition == "n3":
        return item * save.hits + item[1:] * save.crits
    if not is_affected(save):
        return ()
    extra = replace(item[0], wounds=min(item[0].wounds, 1), extra=True, tries=1)
    extras = 0 if "critical" in immunities(save.profile) else save.crits
    return item * (save.hits + save.crits) + (extra,) * extras


def kit_value(save: Save) -> int:
    """Return the PH for a kit's target: the one in its own kit's brackets, or its PH."""
    own = (skill for skill in skills.parse_all(save.profile.skills) if skill.name == save.weapon.action.label)
    result = (skills.VALUE.fullmatch(extra) for skill in own for extra in skill.extras)
    return next((int(match[2]) for match in result if match), save.profile.ph or 0)


CUBES: Final = ("Cube", "Cube 2.0")
SEPSITORIZED: Final = "Sepsitorized"
CUBE_BONUS: Final = 2


def is_affected(save: Save) -> bool:
    """Whether a weapon affects its target: it may work on VITA or STR alone, a Sepsitor on a Cube. An unknown profile
    counts as affected.
    """
    held, kinds = save.profile.skills, {"vita", "str"} & {*save.weapon.traits}
    if kinds and save.profile.wounds is not None and ("str" in kinds) is not save.profile.structure:
        return False
    return save.weapon.state != SEPSITORIZED or not held or any(item.name in CUBES for item in skills.parse_all(held))


def automatic(save: Save) -> int:
    """Return the Wounds without a save: in N3 one per Critical."""
    return saves_per_hit(save)[0].wounds * save.crits if save.edition == "n3" else 0


def saves_per_hit(save: Save) -> tuple[PendingSave, ...]:
    """Return one hit's saves. T2 costs two Wounds per failed save."""
    weapon, attributes = as_target_feels(save.weapon, save.profile), saved_with(save)
    wounds = (2 if Ammo.T2 in weapon.ammo else 1) if costs_wounds(weapon) else 0
    count = weapon.saves or max(PER_HIT.get(ammo, 1) for ammo in weapon.ammo)
    numbers = [(attribute, *target(save, attribute)) for attribute in attributes]
    tries = MAX_CONTINUOUS if weapon.continuous else 1
    saves = tuple(PendingSave(attribute, number, wounds, over, tries=tries) for attribute, number, over in numbers)
    return saves if len(saves) > 1 else saves * count


@lru_cache(maxsize=1024)
def as_target_feels(weapon: Weapon, profile: TargetProfile) -> Weapon:
    """Return the weapon as it affects its target: a Bioweapon is DA and Shock against VITA; an Immunity weakens it.

    Immunity to ammunition makes it N; Immunity (ARM), (BTS), Enhanced, and Total make all of it N and remove other
    effects. Against Comms Attacks and nonlethal weapons only Immunity to a state helps.
    """
    immune = immunities(profile)
    more = (Ammo.DA, Ammo.SHOCK) if weapon.bioweapon and not profile.structure and "bioweapon" not in immune else ()
    ammo = tuple(dict.fromkeys((*weapon.ammo, *more)))
    if weapon.action is Action.HACK or weapon.nonlethal:
        return replace(weapon, ammo=ammo)
    wanted = (weapon.save or saved_by_ammo(weapon.ammo)).casefold()
    if immune & {"total", "enhanced"} or (wanted in ("arm", "bts") and wanted in immune):
        known: Mapping[str, declared.SaveAttribute] = {"bts": "BTS", "arm+bts": "ARM+BTS", "ph": "PH", "none": "none"}
        bare = replace(weapon, ammo=(Ammo.N,), saves=0, zero=False, continuous=False, state="")
        return replace(bare, save=known.get(wanted, "ARM"))
    left = tuple(item for item in ammo if item.casefold() not in immune)
    saves = 0 if len(left) < len(ammo) else weapon.saves
    continuous = weapon.continuous and "continuous damage" not in immune
    return replace(weapon, ammo=left or (Ammo.N,), saves=saves, continuous=continuous)


def immunities(profile: TargetProfile) -> frozenset[str]:
    """Return the names in the Immunity skills of a profile, in lower case."""
    result: set[str] = set()
    for skill in skills.parse_all(profile.skills):
        if skill.name == "Immunity":
            result |= {extra.casefold() for extra in skill.extras}
        result |= {"Total Immunity": {"total"}, "Bioimmunity": {"bioweapon", "shock"}}.get(skill.name, set())
    return frozenset(result)


def mods_of(
    weapon: Weapon, own: TargetProfile, target: TargetProfile, action: Action, *, dodged: bool
) -> tuple[Mod, ...]:
    """Return the MODs of the saves after a hit: the attacker's SR-1, Nanoscreen and Firewall, ARM+3 of a failed Dodge.
    ``own``: the attacker's profile.
    """
    mods: list[Mod] = []
    known = skills.rows_of(skills.parse_all(own.skills), "n5")
    extras = [extra for item, row in known if action in row.extends for extra in item.extras]
    extras += map(str.strip, skills.GROUPS.findall(weapon.name))
    lowered = filter(None, map(skills.SAVE.fullmatch, extras))
    mods += [Mod(int(match[1]), Name("SR"), kind=ModKind.WEAPON) for match in lowered]
    is_comms = action is Action.HACK or weapon.is_comms
    held = {item.name: item for item in skills.parse_all(target.skills)}  # one Firewall counts
    if "Nanoscreen" in held and action in (Action.SHOOT, Action.TEMPLATE, Action.DIRECT) and not is_comms:
        mods.append(Mod(COVER, Name("Nanoscreen"), kind=ModKind.NANOSCREEN))
    if "Firewall" in held and is_comms:
        mods.append(Mod(COVER, Name("Firewall"), kind=ModKind.SKILL))
    armour = filter(None, map(skills.ARMOUR.fullmatch, held["Dodge"].extras if "Dodge" in held and dodged else ()))
    mods += [Mod(int(match[2]), Text("Dodge"), kind=ModKind.SKILL) for match in armour]
    return tuple(mods)


def costs_wounds(weapon: Weapon) -> bool:
    return not weapon.nonlethal and weapon.state != SEPSITORIZED and any(ammo not in HARMLESS for ammo in weapon.ammo)


def saved_with(save: Save) -> tuple[str, ...]:
    """Return ``ARM``, ``BTS`` or ``PH``; both of the first two for Plasma.

    The weapon decides, else its ammunition. If only one of ARM and BTS was entered, it is used, unless PARA or the
    weapon requires the other.
    """
    weapon, profile = as_target_feels(save.weapon, save.profile), save.profile
    wanted = weapon.save or saved_by_ammo(weapon.ammo)
    if wanted == "PH" or weapon.is_kit:
        return ("PH",)
    if wanted == "ARM+BTS":
        return ("ARM", "BTS")
    if weapon.save is None and not weapon.zero and (profile.arm is None) != (profile.bts is None):
        return ("BTS",) if profile.arm is None else ("ARM",)
    return (wanted,)


def is_substituted(save: Save) -> bool:
    """Whether another attribute replaces the required one, which is unknown."""
    weapon = as_target_feels(save.weapon, save.profile)
    return not weapon.is_kit and "+".join(saved_with(save)) != (weapon.save or saved_by_ammo(weapon.ammo))


def saved_by_ammo(ammo: tuple[Ammo, ...]) -> str:
    if Ammo.PLASMA in ammo:
        return "ARM+BTS"
    if Ammo.PARA in ammo:
        return "PH"
    return "BTS" if {Ammo.EM, Ammo.STUN} & set(ammo) else "ARM"


def target(save: Save, attribute: str) -> tuple[int, bool]:
    """Return the target number, and whether a save passes above it. N5: up to PS + attribute + MODs passes. N4 and N3:
    above Damage less those. PH: up to PH-6.
    """
    mods = total((*save.mods, Mod(COVER)) if save.cover else save.mods)
    if attribute == "PH":
        return (save.profile.ph or 0) - PARALYSIS + mods, False
    weapon = as_target_feels(save.weapon, save.profile)
    if weapon.state == SEPSITORIZED and any(skill.name == CUBES[1] for skill in skills.parse_all(save.profile.skills)):
        mods += CUBE_BONUS
    known = 0 if weapon.zero else getattr(save.profile, attribute.lower()) or 0
    bonus = ((known + 1) // 2 if set(HALVING) & set(weapon.ammo) else known) + mods
    power = weapon.power or 0
    return (power + bonus, False) if save.edition == "n5" else (limits.MAX_POWER - power - bonus, True)


def roll_saves(save: Save, rng: Rng, by: Side) -> RolledSaves:
    """Roll the saves, or use those entered by side ``by``."""
    if save.dice is not None:
        return RolledSaves(save=save, dice=enter_physical_dice("d20", save.dice, by))
    dice: list[Rolled] = []
    for item in list_saves(save):
        for _ in range(item.tries):
            dice.extend(roll("d20", FACES, 1, rng, "saved"))
            if item.passes(int(dice[-1].face)):
                break
    return RolledSaves(save=save, dice=tuple(dice))


def saves_with_faces(save: Save, faces: Sequence[int]) -> Iterator[tuple[PendingSave, int]]:
    left = iter(faces)
    for item in list_saves(save):
        for _ in range(item.tries):
            face = next(left, None)
            if face is None:
                return
            yield item, face
            if item.passes(face):
                break


def rolled(saved: RolledSaves) -> tuple[tuple[PendingSave, int], ...]:
    return tuple(saves_with_faces(saved.save, [int(die.face) for die in saved.dice]))


def check_save(save: Save) -> Save:
    """Return valid Saving Rolls. Raises ``BadInputError`` naming what is missing or excessive."""
    if not save.hits + save.crits:
        raise BadInputError("hits", 0, Text("Enter at least one hit or Critical to save against."))
    if not save.weapon.is_saved:
        allowed = Text("Use ammunition that requires a save; this one doesn't.")
        raise BadInputError("ammo", save.weapon.ammunition, allowed)
    for attribute in saved_with(save):
        check_known(save, attribute)
    if save.dice is not None:
        check_dice(save, save.dice)
    return save


def is_known(save: Save) -> bool:
    """Whether its Saving Rolls can be made with what is known."""
    try:
        check_save(save)
    except BadInputError:
        return False
    return True


def check_known(save: Save, attribute: str) -> None:
    """Raise ``BadInputError`` if an attribute or the weapon's power is unknown."""
    if attribute != "PH" and save.weapon.power is None:
        field, most = "ps" if save.edition == "n5" else "damage", limits.MAX_POWER
        message = N_("Use a whole number from 0 to {most}: the weapon's PS or Damage.")
        raise BadInputError(field, None, WholeNumber(0, most, Text(message, most=most)))
    if getattr(save.profile, attribute.lower()) is None and not save.weapon.zero:
        message = N_("Enter a number: saves against {ammunition} use {attributes}.")
        why = Text(message, ammunition=Code(save.weapon.ammunition), attributes=Names(saved_with(save)))
        raise BadInputError(attribute.lower(), None, why)


def check_dice(save: Save, dice: tuple[int, ...]) -> None:
    """Refuse too many or too few faces; Continuous Damage requires one more after each failure."""
    asked, one_more = list_saves(save), (*dice, declared.SIDES)
    if len(list(saves_with_faces(save, one_more))) == len(dice):  # no save is left for it
        return
    allowed = Text("Use exactly {needs}, one for each Saving Roll.", needs=len(asked))
    if any(item.tries > 1 for item in asked):
        allowed = Text("Enter one die per save, and one more after each failed save.")
    raise BadInputError("dice", ", ".join(map(str, dice)), allowed)


def failed_saves(saved: RolledSaves) -> tuple[bool, ...]:
    return tuple(not save.passes(face) for save, face in rolled(saved))


def wounds(saved: RolledSaves) -> int:
    """Return the Wounds lost; 0 if the ammunition causes a state instead."""
    return automatic(saved.save) + sum(save.wounds for save, face in rolled(saved) if not save.passes(face))


def states(saved: RolledSaves) -> tuple[str, ...]:
    save = saved.save
    if not any(failed_saves(saved)) and not (save.crits and save.edition == "n3"):
        return ()
    return states_of(save.weapon, save.profile)


def prevented_states(saved: RolledSaves) -> tuple[str, ...]:
    """Return the states that failed saves would inflict without immunity."""
    brought, bare = states(saved), replace(saved.save.profile, skills=())
    every = states_of(saved.save.weapon, bare) if any(failed_saves(saved)) else ()
    return tuple(state for state in every if state not in brought)


def states_of(weapon: Weapon, profile: TargetProfile) -> tuple[str, ...]:
    """Return a failed save's states; E/M also immobilizes HI, REM, TAG, and VH."""
    felt_weapon, immune = as_target_feels(weapon, profile), immunities(profile)
    usual, _, hacked = felt_weapon.state.partition("/")
    is_hackable = profile.type in ("HI", "REM", "TAG", "VH")
    if hacked and (is_hackable or any(skill.name in skills.DEVICES for skill in skills.parse_all(profile.skills))):
        usual = hacked
    result = [usual, *(STATES[ammo] for ammo in felt_weapon.ammo if ammo in STATES)]
    if Ammo.EM in felt_weapon.ammo and is_hackable:
        result.append("Immobilized-B")
    return tuple(dict.fromkeys(item for item in result if item and not names_of(item) & immune))


def names_of(state: str) -> frozenset[str]:
    """Return the names that an Immunity may use for a state: ``IMM-B``, ``POS``."""
    row = states_table.BY_NAME.get(state.casefold())
    words = (row.name, *row.also) if row else (state,)
    return frozenset({*(word.casefold() for word in words), *(("pos",) if state == "Possessed" else ())})


def outcome(saved: RolledSaves) -> Mapping[str, object]:
    """Return the Saving Rolls in JSON words; ``sv``, or ``threshold`` if more passes, of the first save. Per face,
    ``attribute`` is the attribute used, ``extra``: a Critical's extra save.
    """
    save, lost, rolls = saved.save, failed_saves(saved), rolled(saved)
    first = (list_saves(save) or saves_per_hit(save))[0]
    return {
        "ammo": save.weapon.ammunition,
        "threshold" if first.over else "sv": first.number,
        "saves": len(saved.dice),
        "dice": [die.face for die in saved.dice],
        "attribute": [item.attribute for item, _ in rolls],
        "extra": [item.extra for item, _ in rolls],
        "fate": ["failed" if item else "passed" for item in lost],
        "failed": sum(lost),
        "passed": len(lost) - sum(lost),
        "wounds": wounds(saved),
        "state": ", ".join(states(saved)),
    }


# Effects of Saving Rolls on a trooper


POSSESSED, STUNNED = "Possessed", "Stunned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guts:
    """A Guts Roll: a Normal Roll on WIP; without a die it fails, by choice or by Stun."""

    name: Name
    side: Side
    wip: int
    dice: tuple[Rolled, ...]

    @property
    def passed(self) -> bool:
        return bool(self.dice) and int(self.dice[0].face) <= self.wip


@dataclass(frozen=True, slots=True)
class SaveOutcome:
    """A trooper after all Saving Rolls of an order, the last of them, and the Wounds lost."""

    trooper: Trooper
    save: Save
    now: int

    @property
    def is_shaken(self) -> bool:
        """Whether it may run: it is standing and has no automatic pass."""
        faith = self.trooper.has("Religious Troop") and STUNNED not in self.trooper.states
        is_null = bool({*states_table.NULL} & {*self.trooper.states})
        return not (is_null or self.save.weapon.is_kit or self.trooper.has("Courage") or faith)

    @property
    def is_held(self) -> bool:
        """Whether it is Engaged or Immobilized, and so makes no Guts Roll during a turn."""
        return bool(set(states_table.HOLDING) & {*self.trooper.states, *self.save.profile.states})

    def roll_guts(self, wip: int, rng: Rng) -> Guts:
        """Return a trooper's Guts Roll; one stunned by this attack fails without a die."""
        dice = () if STUNNED in self.trooper.states else roll("d20", FACES, 1, rng)
        return Guts(name=self.trooper.name, side=self.save.side, wip=wip, dice=dice)


def apply_saves(trooper: Trooper, saved: RolledSaves) -> Trooper:
    """Apply Saving Rolls to a trooper; nothing else does."""
    if saved.save.weapon.is_kit:
        return treated(trooper, saved.save.weapon.action, passed=not failed_saves(saved)[-1])
    shock = Ammo.SHOCK in as_target_feels(saved.save.weapon, saved.save.profile).ammo
    after = wound(trooper, wounds(saved), shock=shock)
    brought = states(saved)
    if POSSESSED in brought and POSSESSED in after.states:  # Total Control ends Possessed
        return with_states(after, (POSSESSED,), on=False)
    return with_states(after, tuple(state for state in brought if state not in after.states))


def as_trooper(name: str, profile: TargetProfile) -> Trooper:
    stats = {} if profile.wounds is None else {"STR" if profile.structure else "W": profile.wounds}
    return Trooper(Name(name), stats, profile.type, profile.skills, lost=profile.lost)


def conditions(result: Sequence[RolledSaves]) -> tuple[SaveOutcome, ...]:
    """Return the outcome of every trooper who saved, in order. A trooper of the channel had its losses before each
    save; for others, only the first profile is known.
    """
    found: dict[str, SaveOutcome] = {}
    for saved in result:
        name, profile = saved.save.name.casefold(), saved.save.profile
        known = found.get(name)
        before = known.trooper if known else as_trooper(saved.save.name, profile)
        if saved.save.weapon.is_kit:
            before = replace(before, states=tuple(dict.fromkeys((*before.states, *profile.states))))
        after = apply_saves(replace(before, lost=profile.lost) if profile.kept else before, saved)
        found[name] = SaveOutcome(after, saved.save, wounds(saved) + (known.now if known else 0))
    return tuple(found.values())
