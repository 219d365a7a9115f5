"""The sum of the MODs of a shot, a Dodge, or any roll: each line with who caused it (rules page, MODs that people add).

What skills and states do stands in their tables; here is what lies between two troopers, and how it all adds up. The
limit of -12..+12 is that of ``declared.total``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.rules.errors import AtMost, BadInput, Example, Known
from bot.rules.infinity import limits, programs, skills, states
from bot.rules.infinity.declared import SUPPRESSION_INCHES, Action, Ammo, Band, Edition, Mod, ModKind, Weapon, mod_at
from bot.rules.infinity.fields import Draft, Situation
from bot.rules.infinity.skills import BRACKET, GROUPS, SEEN, SHOTS, Effect, Held, Skill
from bot.rules.infinity.trooper import Trooper, kind_of
from bot.rules.rows import table
from bot.rules.text import N_, UNNAMED, Code, Count, Name, Noun, Shown, Text, term

COVER: Final = -3
MELEE: Final = -6
SPECULATIVE: Final = -6
SUPPRESSION: Final = -3
IMPROVISED: Final = -6
OUT_OF_SIGHT: Final = -3
MIMETISM: Final = -3
UNSEEN: Final = -6
"""Through a zone without line of fire the target of a BS Attack answers with this; Sixth Sense with 0."""
DISCOVER: Final = (Band(3, 8), Band(0, 32), Band(-3, 48), Band(-6, 96))
"""Discover has range bands of its own."""
SUPPRESSIVE_BANDS: Final = (Band(0, 16), Band(-3, SUPPRESSION_INCHES))
SUPPRESSIVE_BURST: Final = 3

COUP: Final = Weapon(name=Name("Coup de Grâce"), save="none", state=states.DEAD, action=Action.DIRECT)
"""Close combat against somebody Unconscious: Dead, without a roll and without a save."""

TEAM: Final[dict[Edition, tuple[tuple[int, tuple[Action, ...], int], ...]]] = {
    "n5": ((3, (Action.DISCOVER,), 3), (3, (Action.DODGE,), 1), (4, SHOTS, 1)),
    "n4": ((3, (Action.DISCOVER,), 3), (5, SHOTS, 1)),
    "n3": ((5, SHOTS, 3), (5, (Action.DISCOVER,), 3)),
}
"""What a Fireteam adds: from which level (in N4 and N3: members), to which rolls, how much."""
TEAM_SENSE: Final = 5
"""From which level a Fireteam of N5 has Sixth Sense."""
SIXTH_SENSE: Final = Held("Sixth Sense")
TEAM_DICE: Final = {"n5": 2, "n4": 3, "n3": 3}
"""From which level a Fireteam shoots with a special die (N5), or with Burst +1."""

NOWHERE: Final = Situation()
BY_STAT: Final = {"CC": Action.CC, "WIP": Action.WIP, "PH": Action.PH}


@dataclass(frozen=True, slots=True)
class Part:
    """What somebody does in an order, once it is clear: the action, the weapon, the attribute, by which edition.

    ``ended`` are states of its trooper that end because it does this.
    """

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

    @property
    def around(self) -> Situation:
        return self.draft.around

    @property
    def team(self) -> int:
        """The level of its Fireteam, as it was said, or as the turn knows it."""
        return self.around.fireteam or (self.trooper.team if self.trooper else 0)

    @property
    def states(self) -> tuple[str, ...]:
        """The states of the profile, and those that the line says."""
        return states_of(self.draft)

    @property
    def held(self) -> tuple[Held, ...]:
        own = self.trooper.held if self.trooper else ()
        return (*own, SIXTH_SENSE) if self.edition == "n5" and self.team >= TEAM_SENSE else own

    @property
    def extras(self) -> tuple[str, ...]:
        """The extras of what it does: those of the action in the profile, and those of the weapon's name."""
        found = [extra for one in self.held if self.action in one.extends(self.edition) for extra in one.extras]
        return (*found, *weapon_extras(self.weapon))

    @property
    def is_long(self) -> bool:
        """Whether it is a Long Skill, which has no special dice."""
        return self.around.speculative or self.around.intuitive or self.around.triangulated


def states_of(draft: Draft | None) -> tuple[str, ...]:
    """The states of the profile, and those that the line says."""
    if draft is None:
        return ()
    known = draft.trooper.states if draft.trooper else ()
    return tuple(dict.fromkeys((*known, *draft.states)))


def weapon_extras(weapon: Weapon | None) -> tuple[str, ...]:
    """``Bow (+1SD)``: the extras in the brackets of a weapon's name; a mode is none."""
    return tuple(one.strip() for one in GROUPS.findall(weapon.name) if skills.is_extra(one.strip())) if weapon else ()


def part(draft: Draft, edition: Edition = "n5") -> Part:
    """What a typed roll means. Raises ``BadInput`` where it can be read in several ways, or a number is missing."""
    if draft.around.coup:
        return Part(draft, Action.DIRECT, COUP, "", 0, edition)
    weapon, action = meant(draft, edition)
    bare = Part(draft, action, weapon, "", 0, edition)
    bare = replace(bare, weapon=at_hand(bare))
    if draft.attribute is not None or action is Action.DIRECT:
        return replace(bare, stat=draft.stat, attribute=draft.attribute or 0)
    return with_attribute(bare)


def meant(draft: Draft, edition: Edition) -> tuple[Weapon | None, Action]:
    """With what a roll is made, and what it does: as it was said, as the weapon says, or by its attribute."""
    weapon = draft.weapon or (Weapon(**draft.words) if draft.words else None)
    if draft.around.sensor and draft.action is None and weapon is None:
        return None, Action.SENSOR
    action = draft.action or (weapon.action if weapon else BY_STAT.get(draft.stat, Action.SHOOT))
    if weapon is None and draft.trooper is not None and (action.is_attack or action is Action.HACK):
        weapon = the_weapon(draft, draft.trooper, action)
        action = weapon.action if weapon and draft.action is None else action
    if weapon is not None and weapon.action in (Action.TEMPLATE, Action.DIRECT) and action is Action.SHOOT:
        action = weapon.action
    if draft.around.intuitive and action is Action.DIRECT:
        action = Action.TEMPLATE  # it is rolled, so that it is compared
    if draft.around.guided and edition == "n5" and action is Action.SHOOT:
        weapon, action = with_blast(draft.trooper, weapon), Action.TEMPLATE
    return weapon, action


def with_blast(trooper: Trooper | None, weapon: Weapon | None) -> Weapon | None:
    """The mode of a weapon with a circular template, if it has one: a Guided attack takes that one."""
    if trooper is None or weapon is None:
        return weapon
    first = weapon.name.split()[0].casefold()
    modes = (one for one in trooper.weapons if one.action is Action.TEMPLATE and "blast" in one.name.casefold())
    return next((one for one in modes if one.name.split()[0].casefold() == first), weapon)


def with_attribute(bare: Part) -> Part:
    """The roll with the attribute of its trooper: of the weapon, of the action, or as an extra replaces it."""
    draft, weapon = bare.draft, bare.weapon
    by_weapon = weapon.stat if weapon is not None and bare.action.is_attack else ""
    stat = draft.stat or ("WIP" if draft.around.intuitive else by_weapon) or bare.action.stat
    made = replace(bare, stat=stat)
    replaced = [match for extra in made.extras if (match := skills.VALUE.fullmatch(extra)) and not draft.stat]
    if replaced:
        return replace(made, stat=replaced[-1][1].upper(), attribute=int(replaced[-1][2]))
    stats = dict(draft.trooper.stats) if draft.trooper else {}
    for row in states.rows(bare.states) if bare.edition == "n5" else ():
        stats |= row.n5_stats
    value = stats.get(stat)
    if value is None:
        message = N_("{stat} of {name}") if stat else N_("Success Value of {name}")
        field = Text(message, stat=Code(stat), name=Name(draft.name))
        raise BadInput(field, None, Text("Use a number."), Example(f"{draft.name} {stat} 12"))
    return replace(made, attribute=value)


def the_weapon(draft: Draft, trooper: Trooper, action: Action) -> Weapon | None:
    """The weapon that an attack without one means, if only one fits; with a typed Success Value none is needed.

    Raises ``BadInput`` with the names of those that it may mean.
    """
    fitting = [one for one in trooper.arms if kind_of(one.action) is kind_of(action)]
    if len(fitting) == 1:
        return fitting[0]
    known = fitting or (trooper.arms if kind_of(action) is Action.SHOOT else ())  # nothing takes the place of a shot
    if draft.attribute is None and known:
        names = tuple(one.name for one in known)
        raise BadInput(Text("weapon of {draft}", draft=Name(draft.name)), None, Known(names))
    return None


def at_hand(bare: Part) -> Weapon | None:
    """The weapon as its trooper uses it: Suppressive Fire has a profile of its own, skills add ammunition and power."""
    weapon = bare.weapon
    if weapon is None or not (bare.action.is_attack or bare.action is Action.HACK):
        return weapon
    if bare.action in SHOTS and states.SUPPRESSIVE in bare.states and weapon.bands:
        weapon = replace(weapon, burst=SUPPRESSIVE_BURST, bands=SUPPRESSIVE_BANDS)
    added = [ammo for extra in bare.extras if (ammo := skills.ammo_of(extra)) and ammo not in weapon.ammo]
    if added:
        weapon = replace(weapon, ammo=(*(one for one in weapon.ammo if one is not Ammo.N), *dict.fromkeys(added)))
    if any(extra.casefold() in skills.CONTINUOUS for extra in bare.extras):
        weapon = replace(weapon, continuous=True)
    power = sum(effect.power for _, _, effect in own_effects(bare))
    return replace(weapon, power=weapon.power - power) if power and weapon.power is not None else weapon


def effects(held: Sequence[Held], edition: Edition) -> Iterator[tuple[Held, Skill, Effect]]:
    """Every effect of skills, with the skill that has it."""
    for one in held:
        if (row := one.row(edition)) is not None:
            yield from ((one, row, effect) for effect in row.effects)


# Dice


def burst(one: Part, *, active: bool, far: Situation = NOWHERE) -> int:
    """The dice of a roll, one less for a BS Attack through Saturation, at least 1; faces that lie are as many."""
    number, saturated = declared_burst(one, active=active), one.around.saturation or far.saturation
    return max(1, number - (saturated and one.action in SHOTS and not one.draft.dice))


def declared_burst(one: Part, *, active: bool) -> int:
    """The dice of a roll where nobody said how many: the weapon's in the Active Turn, otherwise 1.

    Total Reaction, Neurocinetics and Suppressive Fire have the weapon's in ARO as well.
    """
    if one.draft.burst is not None:
        return one.draft.burst
    if one.draft.dice:
        return max(1, min(len(one.draft.dice) - special(one, ()), limits.BURST_MOST))
    around, full = one.around, 1
    if (one.is_long and not around.triangulated) or around.coordinated == "other" or is_guided(one):
        return 1
    attacks = one.weapon is not None and (one.action.is_attack or one.action is Action.HACK)
    if one.weapon is not None and attacks and (active or keeps_burst(one)):
        full = one.weapon.burst
    if active and one.action in (*SHOTS, Action.DIRECT) and has(one, "Neurocinetics"):
        full = 1
        attacks = attacks and one.edition != "n5"
    full += bonus(one, active=active) if attacks or one.action is Action.CC else 0  # bare hands have Burst 1 too
    full = (full + 1) // 2 if around.coordinated else full
    weapon, trooper = one.weapon, one.trooper
    if weapon is not None and trooper is not None and weapon.uses:  # each die of a Burst MOD is a use more
        full = max(1, min(full, weapon.burst - 1 + weapon.uses - trooper.spent.count(weapon.name)))
    return min(full, limits.BURST_MOST)


def keeps_burst(one: Part) -> bool:
    """Whether a reaction has the full Burst of its weapon."""
    if (program := programs.of(one.weapon)).name:
        return program.keeps_burst
    return reacts_in_full(one) or (one.action in (*SHOTS, Action.DIRECT) and states.SUPPRESSIVE in one.states)


def reacts_in_full(one: Part) -> bool:
    """Whether a skill gives its reaction the full Burst, in N5 with what is added to it."""
    return one.action in (*SHOTS, Action.DIRECT) and has(one, "Total Reaction", "Neurocinetics")


def is_guided(one: Part) -> bool:
    """Whether it is a Guided attack of N5, which has rules of its own."""
    return one.around.guided and one.edition == "n5"


def bonus(one: Part, *, active: bool) -> int:
    """Dice that skills add to the Burst: those of brackets in the Active Turn, Martial Arts' in both.

    In N5 those of brackets count in ARO as well for who reacts with the full Burst by a skill.
    """
    in_full = one.edition == "n5" and reacts_in_full(one)
    more = skills.dice_of(one.extras)[0] if active or in_full else 0
    more += sum(effect.burst for _, _, effect in own_effects(one))
    if one.action in SHOTS and one.edition != "n5" and one.team >= TEAM_DICE[one.edition]:
        more += 1
    return more + (one.around.melee if one.action is Action.CC else 0)


def special(one: Part, enemies: Sequence[Part]) -> int:
    """Special dice: those that were said, one for a fireteam of level 2 that shoots, and those of skills.

    A Natural Born Warrior whom it fights ignores those of close combat, but not in N5.
    """
    more = 0
    if not one.is_long and one.action is not Action.DIRECT:
        team = one.edition == "n5" and one.team >= TEAM_DICE["n5"] and one.action in SHOTS
        more = int(team) + skills.dice_of(one.extras)[1] + sum(effect.special for _, _, effect in own_effects(one))
    if one.action is Action.CC and one.edition != "n5" and any(is_warrior(enemy) for enemy in enemies):
        more = 0
    return min(limits.SPECIAL_MOST, (one.draft.special or 0) + more)


def own_effects(one: Part) -> list[tuple[Held, Skill, Effect]]:
    """What its own skills do to its roll."""
    return [
        (held, row, effect)
        for held, row, effect in effects(one.held, one.edition)
        if effect.of == "own"
        and one.action in (effect.on or (one.action,))
        and (not effect.asked or getattr(one.around, effect.asked))
    ]


def has(one: Part, *names: str) -> bool:
    return one.trooper is not None and one.trooper.has(*names)


def is_warrior(one: Part) -> bool:
    """Whether it fights as a Natural Born Warrior."""
    return one.action is Action.CC and has(one, "Natural Born Warrior")


# MODs


def mods(
    one: Part,
    target: Draft | None,
    enemies: Sequence[Part],
    *,
    active: bool,
    far: Situation = NOWHERE,
    facing: Sequence[Part] = (),
) -> tuple[Mod, ...]:
    """Every MOD of a roll.

    ``target`` is whom it is aimed at, ``enemies`` are those whom it meets face to face, () for a Normal Roll;
    ``facing`` act against its trooper, face to face or not. ``far`` has the facts of the line that the enemy said.
    A roll that meets several enemies takes each kind of MOD of theirs once, the worst; what the trooper itself, its
    target and an enemy cause adds up, whatever it is called.
    """
    around, typed = one.around, tuple(one.draft.mods)
    if around.intuitive or around.triangulated:
        if around.triangulated:
            list(range_band(one, around if around.distance is not None else far))  # it does not reach further
        return typed
    lines = [*of_shot(one, target, enemies, far, facing), *of_own(one, enemies), *of_target(one, target)]
    worst: dict[tuple[ModKind, str], Mod] = {}
    for enemy in enemies:
        for mod in of_enemy(one, enemy, active=active, far=far):
            cause = mod.kind, mod.what if isinstance(mod.what, Name) else ""
            if cause not in worst or mod.number < worst[cause].number:
                worst[cause] = mod
    lines = [mod for mod in (*lines, *worst.values()) if not is_ignored(one, mod, enemies)]
    kept = KEPT_BY_SPECULATIVE if around.speculative else KEPT_BY_GUIDED if is_guided(one) else None
    if kept is not None:
        lines = [mod for mod in lines if mod.number > 0 or mod.kind in kept]
    return (*lines, *typed)


KEPT_BY_SPECULATIVE: Final = (ModKind.RANGE, ModKind.SPECULATIVE)
KEPT_BY_GUIDED: Final = (ModKind.RANGE, ModKind.ECM)
"""The MODs of which a negative one counts for such an attack."""


def is_ignored(one: Part, mod: Mod, enemies: Sequence[Part]) -> bool:
    """Whether a skill of who rolls takes a MOD away."""
    foes = [enemy.name for enemy in enemies if one.edition != "n5" or enemy.action is Action.CC]
    if is_warrior(one) and mod.number < 0 and mod.by in foes and mod.by:
        return True
    for held in one.held:
        row = held.row(one.edition)
        kept = dict(row.keeps).get(one.action) if row else None
        if kept is not None and mod.number < 0 and mod.kind not in kept:
            return True
        on = (row.ignores_on or (one.action,)) if row else ()
        if row and one.action in on and mod.kind in row.ignores:
            return True
    return False


def of_shot(
    one: Part, target: Draft | None, enemies: Sequence[Part], far: Situation, facing: Sequence[Part]
) -> Iterator[Mod]:
    """What lies between a shooter and the target; Discover suffers from it as a BS Attack does."""
    around, shoots = one.around, one.action in SHOTS
    at = around if around.distance is not None else far
    if shoots:
        yield from range_band(one, at)
    elif one.action is Action.DISCOVER and at.distance is not None and one.draft.attribute is None:
        yield range_mod(one, at, DISCOVER, "")
    if one.action in SEEN and not around.guided and (around.cover or "Foxhole" in states_of(target)):
        yield from cover(target, one.edition)
    yield from zone(one, facing, far)
    if shoots and around.melee:
        yield Mod(MELEE * around.melee, Text("into close combat"), kind=ModKind.MELEE)
    if around.speculative:
        yield Mod(SPECULATIVE, Text("Speculative Attack"), Name(one.name), kind=ModKind.SPECULATIVE)
    yield from of_unseen(one, enemies, far)


def of_unseen(one: Part, enemies: Sequence[Part], far: Situation) -> Iterator[Mod]:
    """The one -3 of a Dodge or a Reset against what is not seen, however many reasons there are, and Silent."""
    if one.action is Action.DODGE and (one.around.zone or far.zone or any(map(is_unseen, enemies))):
        yield Mod(OUT_OF_SIGHT, Text("without line of fire"), kind=ModKind.UNSEEN)
        silent = min((foe.weapon.silent for foe in enemies if foe.weapon is not None), default=0)
        yield from [Mod(silent, Name("Silent"), kind=ModKind.WEAPON)] * bool(silent)
    programs_of_deployables = (foe for foe in enemies if foe.weapon is not None and "deployable" in foe.weapon.traits)
    if one.action is Action.RESET and any(foe.action is Action.HACK for foe in programs_of_deployables):
        yield Mod(OUT_OF_SIGHT, Text("deployable"), kind=ModKind.WEAPON)


def senses(one: Part) -> bool:
    """Whether its Dodge has no negative MODs."""
    rows = [held.row(one.edition) for held in one.held]
    return any(row is not None and one.action in dict(row.keeps) for row in rows)


def is_unseen(one: Part) -> bool:
    """Whether it is the template of a deployable, which is dodged as what is not seen."""
    return one.action in (Action.DIRECT, Action.TEMPLATE) and one.weapon is not None and one.weapon.is_unseen


def range_band(one: Part, around: Situation) -> Iterator[Mod]:
    """The band of the weapon; raises ``BadInput`` beyond the last, or where nobody said how far it is.

    Who types the Success Value, and neither weapon nor distance, has counted the range already.
    """
    if one.weapon is None or not one.weapon.bands:
        return
    distance = around.distance
    if distance is None and one.draft.attribute is not None and one.draft.weapon is None:
        return
    reach = one.weapon.bands[-1].inches
    if distance is None:
        allowed = Text("Use inches, as in `at 20`; the {weapon} reaches {reach}.", weapon=one.weapon.name, reach=reach)
        raise BadInput(Text("distance of {one}", one=Name(one.name)), None, allowed)
    if distance > reach:
        allowed = Text("Use at most {reach} inches: so far the {weapon} reaches.", reach=reach, weapon=one.weapon.name)
        if one.weapon.bands is SUPPRESSIVE_BANDS:
            allowed = Text("Use at most {reach} inches: so far Suppressive Fire reaches.", reach=reach)
        raise BadInput(Text("distance of {one}", one=Name(one.name)), distance, allowed)
    yield range_mod(one, around, one.weapon.bands, one.weapon.name)


def range_mod(one: Part, around: Situation, bands: Sequence[Band], by: str) -> Mod:
    """The MOD of a distance, less what an X Visor takes off. Raises ``BadInput`` beyond the last band."""
    distance = around.distance or 0
    number = mod_at(bands, distance)
    if number is None:
        most = AtMost(bands[-1].inches, Noun("inch", "inches"))
        raise BadInput(Text("distance of {one}", one=Name(one.name)), distance, most)
    if number < 0 and has(one, "X Visor"):
        number = min(0, number + 3)
    inches = Count(distance, "inch", "inches")
    if around.beyond:
        return Mod(
            number, Text("Range {least} to {inches}", least=around.beyond, inches=inches), Name(by), kind=ModKind.RANGE
        )
    message = N_("Range {inches}") if around.beyond is None else N_("Range up to {inches}")
    return Mod(number, Text(message, inches=inches), Name(by), kind=ModKind.RANGE)


def cover(target: Draft | None, edition: Edition) -> Iterator[Mod]:
    """Partial Cover, unless the target's own skills make it worth nothing, or have the same MOD themselves."""
    held = target.trooper.held if target and target.trooper else ()
    rows = [one.row(edition) for one in held]
    if not any(row and ModKind.COVER in row.spares for row in rows):
        yield Mod(COVER, Text("Partial Cover"), Name(target.name if target else ""), kind=ModKind.COVER)


def covers(one: Part, target: Draft | None) -> bool:
    """Whether Partial Cover helps the target's saves: against what needs a line of fire, in N5 never a template."""
    held = target.trooper.held if target and target.trooper else ()
    sees = one.action is Action.SHOOT or (one.edition != "n5" and one.action in (Action.TEMPLATE, Action.DIRECT))
    sees = sees and not one.around.guided
    in_cover = one.around.cover or ("Foxhole" in states_of(target) and not one.around.guided)
    return sees and in_cover and not any(skill.name == "No Cover" for skill in held)


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A visibility zone: its MOD without a Visor, with level 1, and with a higher one; None is no line of fire.

    ``blinds``: skills that count as a Visor of level 1 there.
    """

    name: str
    says: Text
    mods: tuple[int | None, ...]
    blinds: tuple[str, ...] = ()

    def through(self, one: Part) -> int | None:
        """Its MOD for who looks through it; None where that one has no line of fire."""
        visor = one.trooper.visor if one.trooper else 0
        return self.mods[max(min(visor, 2), int(has(one, *self.blinds)))]


ZONES: Final = table("infinity/tables/zones.json", Zone)


def zones_on(one: Part, far: Situation) -> list[Zone]:
    """The visibility zones on the line of a roll, whoever has said them; none where it needs no line of fire."""
    around = one.around
    needs = one.action in SEEN and not (around.guided or around.intuitive or around.speculative or around.triangulated)
    if is_screen(one) or not (needs or (one.action is Action.DODGE and one.edition == "n3")):
        return []
    return [row for row in ZONES if getattr(around, row.name) or getattr(far, row.name)]


def blocking(one: Part, far: Situation) -> list[Zone]:
    """The zones through which a roll has no line of fire of its own."""
    return [row for row in zones_on(one, far) if row.through(one) is None]


def is_shot_at(one: Part, facing: Sequence[Part], far: Situation) -> bool:
    """Whether an enemy with a line of fire of its own makes a BS Attack at who rolls, which may be answered."""
    line = far.with_facts(row.name for row in zones_on(one, far))
    shots = (foe for foe in facing if foe.action in (*SHOTS, Action.DIRECT) and not is_screen(foe))
    return any(not blocking(foe, line) for foe in shots)


def is_screen(one: Part) -> bool:
    """Whether it throws smoke or Eclipse, which aims at a point and hits nobody."""
    return one.weapon is not None and one.weapon.is_screen


def zone(one: Part, facing: Sequence[Part], far: Situation) -> Iterator[Mod]:
    """The worst visibility zone on the line, each less what its own Visor takes off."""
    visor, found = one.trooper.visor if one.trooper else 0, list[Mod]()
    senses = one.edition == "n5" and SIXTH_SENSE.name in [held.name for held in one.held]
    senses = senses and is_shot_at(one, facing, far)
    for row in zones_on(one, far):
        number, called = row.through(one), with_visor(row.says, visor)
        if None in row.mods and senses:
            number, called = 0, Text("{zone}, Sixth Sense", zone=row.says)
        found.append(Mod(UNSEEN if number is None else number, called, kind=ModKind.ZONE))
    yield from sorted(found, key=lambda mod: mod.number)[:1]


def seen_through(number: int, visor: int) -> int:
    """-3 and -6 with a Visor: level 1 leaves 0 and -3, levels 2 and 3 leave nothing."""
    return number if not visor else min(0, number + 3) if visor == 1 else 0


def with_visor(what: Shown, visor: int) -> Shown:
    return Text("{what}, Visor {level}", what=what, level=visor) if visor else what


def of_own(one: Part, enemies: Sequence[Part]) -> Iterator[Mod]:
    """What the trooper's own skills, weapon, fireteam and states add: ``Dodge (+3)``, levels 3 and 4, Stunned."""
    yield from of_brackets(one, 1)
    for held, row, effect in own_effects(one):
        number = held.mod(row, effect)
        if number and not (held.name == "Bangbomb" and Action.TEMPLATE in [enemy.action for enemy in enemies]):
            yield Mod(number, Name(held.name), Name(one.name), kind=row.kind)
    shoots = one.edition == "n5" and one.action in SHOTS  # level 4 is +1 to the attribute
    team = [bonus for bonus in TEAM[one.edition] if one.action in bonus[1] and one.team >= bonus[0]]
    if team:
        what = Text("Fireteam level {level}", level=one.team)
        yield Mod(team[-1][2], what, Name(one.name), of_attribute=shoots, kind=ModKind.TEAM)
    if one.weapon is not None and "improvised" in one.weapon.traits and one.action.is_attack:
        yield Mod(IMPROVISED, Text("Improvised weapon"), Name(one.name), kind=ModKind.WEAPON)
    yield from states.mods(one.name, one.states, one.action)


def of_brackets(one: Part, sign: int) -> Iterator[Mod]:
    """The MODs behind its actions and its weapon: those with a + are its own (``sign`` 1), with a - its enemy's."""
    for held in one.held:
        row = held.row(one.edition)
        known = skills.mods_of(held) if row is not None and one.action in row.extends else ()
        if row is not None and any(sign * number > 0 for number in known):
            yield Mod(max(known, key=lambda number: sign * number), Name(held.name), Name(one.name), kind=row.kind)
    used = weapon_extras(one.weapon) if one.action.is_attack or one.action is Action.HACK else ()
    numbers = (int(extra) for extra in used if skills.MOD.fullmatch(extra))
    found = (number for number in numbers if sign * number > 0)
    yield from (Mod(number, weapon_name(one), Name(one.name), kind=ModKind.WEAPON) for number in found)


def weapon_name(one: Part) -> Name:
    return Name(GROUPS.sub("", one.weapon.name).strip()) if one.weapon else UNNAMED


def of_target(one: Part, target: Draft | None) -> Iterator[Mod]:
    """What the skills and states of the target do to whoever acts against it: Mimetism, Albedo, Firewall, Targeted."""
    if target is None:
        return
    visor = one.trooper.visor if one.trooper else 0
    held = target.trooper.held if target.trooper else ()
    unseen = one.action in SEEN and one.around.guided
    for skill, row, effect in effects(strongest(held), one.edition):
        if not touches(one, effect):
            continue
        number = skill.mod(row, effect)
        if row.hides:
            if not unseen:
                what = with_visor(Name(skill.name), visor)
                yield Mod(seen_through(number, visor), what, Name(target.name), kind=row.kind)
        elif number and (effect.asked or not unseen):
            yield Mod(number, Name(skill.name), Name(target.name), kind=row.kind)
    hides = any(skill.name == "Mimetism" for skill in held)
    if "Foxhole" in states_of(target) and one.action in SEEN and not unseen and not hides:
        what = with_visor(Name("Mimetism"), visor)
        yield Mod(seen_through(MIMETISM, visor), what, Name(target.name), kind=ModKind.SKILL)
    yield from states.mods(target.name, states_of(target), one.action, one.edition)


def touches(one: Part, effect: Effect) -> bool:
    """Whether an effect of a target's skill is about a roll against it."""
    if effect.of != "foe" or one.action not in effect.on:
        return False
    return (not effect.needs or has(one, *effect.needs)) and (not effect.asked or getattr(one.around, effect.asked))


def strongest(held: Sequence[Held]) -> tuple[Held, ...]:
    """Of several skills of one name with a negative MOD the one with the lowest: one Firewall, one Mimetism."""
    found: dict[object, Held] = {}
    for one in held:
        by = one.name if one.numbers else one
        known = found.get(by)
        found[by] = one if known is None or min(one.numbers) < min(known.numbers) else known
    return tuple(found.values())


def of_enemy(one: Part, enemy: Part, *, active: bool, far: Situation) -> Iterator[Mod]:
    """What an enemy does to a Face to Face Roll against it."""
    yield from of_brackets(enemy, -1)
    for held, row, effect in effects(enemy.held, enemy.edition):
        if effect.of == "met" and enemy.action in effect.doing:
            yield Mod(held.mod(row, effect), Name(held.name), Name(enemy.name), kind=row.kind)
    if enemy.around.surprise and not active and (number := surprise(enemy, one)):
        yield Mod(number, Text("Surprise Attack"), Name(enemy.name), kind=ModKind.SURPRISE)
    inches = next((known for known in (one.around.distance, far.distance) if known is not None), 0)
    if states.SUPPRESSIVE in enemy.states and inches <= SUPPRESSION_INCHES:
        yield Mod(SUPPRESSION, term(states.SUPPRESSIVE), Name(enemy.name), kind=ModKind.SUPPRESSIVE)


def surprise(enemy: Part, one: Part) -> int:
    """The MOD of a Surprise Attack: as it was said, else the profile's, else -3; ``(CC-6)`` burdens CC alone."""
    if enemy.around.surprise > 1:
        return -enemy.around.surprise
    extras = [extra for held in enemy.held if held.name == "Surprise Attack" for extra in held.extras]
    in_combat = [int(match[1]) for match in map(skills.IN_COMBAT.fullmatch, extras) if match]
    found = [int(extra) for extra in extras if skills.MOD.fullmatch(extra)]
    return min([*found, *(in_combat if one.action is Action.CC else ())], default=0 if in_combat else -3)


# What nobody counts


def not_counted(one: Part, target: Draft | None, enemies: Sequence[Part]) -> tuple[str, ...]:
    """The skills that touch a roll and enter neither its sum nor its result."""
    own = one.trooper.skills if one.trooper else ()
    found = list(skills.uncounted(own, one.action, one.edition, foe=False))
    foes = {foe.name: foe.trooper for foe in (*enemies, target) if foe is not None}
    for foe in filter(None, foes.values()):
        found += skills.uncounted(foe.skills, one.action, one.edition, foe=True)
    found += said_in_vain(one)
    brackets = [extra.strip() for extra in GROUPS.findall(one.weapon.name)] if one.weapon else []
    found += [f"{weapon_name(one)} ({extra})" for extra in brackets if is_left(extra)]
    if one.action is Action.DISCOVER and one.trooper and one.around.distance is None and one.draft.attribute is None:
        found.append("Range")
    return tuple(dict.fromkeys(found))


def said_in_vain(one: Part) -> list[str]:
    """Skills that the line says, and that give a known trooper nothing for this roll: `berserk` without Berserk."""
    used = {effect.asked for held, row, effect in own_effects(one) if effect.mod != BRACKET or held.number(row)}
    said = (word for word in SAID_SKILLS if one.trooper and getattr(one.around, word))
    return [SAID_SKILLS[word] for word in said if word not in used]


SAID_SKILLS: Final = {
    effect.asked: row.name for row in skills.TABLE for effect in row.effects if effect.asked and effect.of == "own"
}
"""The skills that a word of a line says, by that word."""


def is_left(extra: str) -> bool:
    """Whether brackets behind a weapon hold an extra that nobody counts; a mode, a number of uses are none."""
    return bool(re.search(r"reroll|=", extra, re.IGNORECASE)) and not skills.is_extra(extra)
