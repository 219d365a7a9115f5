"""The sum of the MODs of a shot, a Dodge, or any roll: each line with who caused it (rules page, MODs that people add).

The limit of -12..+12 is that of ``declared.total``; here stand the lines.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.rules.errors import BadInput, Example, Known
from bot.rules.infinity.declared import BURST_MOST, SPECIAL_MOST, SUPPRESSION_INCHES, Action, Mod, Weapon
from bot.rules.infinity.fields import Draft, Situation
from bot.rules.infinity.trooper import SUPPRESSIVE, Trooper, only_weapon
from bot.rules.text import Text

COVER: Final = -3
MELEE: Final = -6
SPECULATIVE: Final = -6
SUPPRESSION: Final = -3
OUT_OF_SIGHT: Final = -3
VISIBILITY: Final = {"low": -3, "poor": -6, "zero": None}
"""Of a visibility zone; through a zero visibility zone nobody shoots without a Visor."""

ROLLED_WITH: Final = {
    Action.SHOOT: "BS",
    Action.TEMPLATE: "BS",
    Action.CC: "CC",
    Action.DODGE: "PH",
    Action.PH: "PH",
    Action.RESET: "WIP",
    Action.HACK: "WIP",
    Action.DISCOVER: "WIP",
    Action.DOCTOR: "WIP",
    Action.ENGINEER: "WIP",
    Action.GUTS: "WIP",
    Action.WIP: "WIP",
}
"""The attribute of each action, unless the weapon or the player names another."""

IMPOSED: Final = {
    Action.DODGE: ("dodge",),
    Action.RESET: ("reset",),
    Action.CC: ("martial arts", "cc attack", "natural born warrior"),
    Action.SHOOT: ("bs attack",),
    Action.TEMPLATE: ("bs attack",),
    Action.HACK: ("hacking", "hacker"),
}
"""Profile words ``X (-3)`` that burden the enemy's Face to Face Roll while their trooper does so; ``X (+3)`` helps."""

NOWHERE: Final = Situation()
BY_STAT: Final = {"CC": Action.CC, "WIP": Action.WIP, "PH": Action.PH}


@dataclass(frozen=True, slots=True)
class Part:
    """What somebody does in an order, once it is clear: the action, the weapon, the attribute."""

    draft: Draft
    action: Action
    weapon: Weapon | None
    stat: str
    attribute: int

    @property
    def name(self) -> str:
        return self.draft.name

    @property
    def trooper(self) -> Trooper | None:
        return self.draft.trooper

    @property
    def around(self) -> Situation:
        return self.draft.around


def part(draft: Draft) -> Part:
    """What a typed roll means. Raises ``BadInput`` where it can be read in several ways, or a number is missing."""
    weapon = draft.weapon or (Weapon(**draft.words) if draft.words else None)
    action = draft.action or (weapon.action if weapon else BY_STAT.get(draft.stat, Action.SHOOT))
    if weapon is not None and weapon.action in (Action.TEMPLATE, Action.DIRECT) and action is Action.SHOOT:
        action = weapon.action
    if weapon is None and draft.trooper is not None and action.is_attack:
        weapon = the_weapon(draft, draft.trooper, action)
        action = weapon.action if weapon and draft.action is None else action
    by_weapon = weapon.stat if weapon is not None and action.is_attack else ""
    stat = draft.stat or by_weapon or ROLLED_WITH.get(action, "")
    if draft.attribute is not None or action is Action.DIRECT:
        return Part(draft, action, weapon, draft.stat, draft.attribute or 0)
    value = draft.trooper.stats.get(stat) if draft.trooper else None
    if value is None:
        raise BadInput(
            f"{stat or 'Success Value'} of {draft.name}",
            None,
            Text("Use a number."),
            Example(f"{draft.name} {stat} 12"),
        )
    return Part(draft, action, weapon, stat, value)


def the_weapon(draft: Draft, trooper: Trooper, action: Action) -> Weapon | None:
    """The weapon that an attack without one means, if only one fits; with a typed Success Value none is needed."""
    close = action is Action.CC
    found = only_weapon(trooper, close=close)
    names = [one.name for one in trooper.weapons if (one.action is Action.CC) == close]
    if found is None and draft.attribute is None and len(names) > 1:
        raise BadInput(f"weapon of {draft.name}", None, Known(tuple(names)))
    return found


def burst(one: Part, *, active: bool) -> int:
    """The dice of a roll where nobody said how many: the weapon's in the Active Turn, otherwise 1."""
    if one.draft.burst is not None:
        return one.draft.burst
    if one.draft.dice:
        return max(1, min(len(one.draft.dice) - special(one), BURST_MOST))
    full = one.weapon.burst if one.weapon and active and one.action.is_attack else 1
    if one.around.speculative or one.around.coordinated == "other":
        return 1
    return (full + 1) // 2 if one.around.coordinated else full


def special(one: Part) -> int:
    """Special dice: those that were said, and one for a fireteam of level 2 that shoots."""
    team = int(one.around.fireteam >= 2 and one.action in (Action.SHOOT, Action.TEMPLATE))
    return min(SPECIAL_MOST, (one.draft.special or 0) + team)


def mods(
    one: Part, target: Draft | None, enemies: Sequence[Part], *, active: bool, far: Situation = NOWHERE
) -> tuple[Mod, ...]:
    """Every MOD of a roll.

    ``target`` is whom it is aimed at, ``enemies`` are those whom it meets face to face, () for a Normal Roll.
    ``far`` has the distance that the enemy said. A roll that meets several takes each kind of MOD once, the worst.
    """
    lines = [*of_shot(one, target, far), *of_skills(one)]
    for enemy in enemies:
        known = {mod.what for mod in lines}
        lines += [mod for mod in of_enemy(one, enemy, active=active, far=far) if mod.what not in known]
    if one.around.speculative:
        lines = [mod for mod in lines if mod.number > 0 or mod.what.startswith(("Range", "Speculative"))]
    return (*lines, *one.draft.mods)


def of_shot(one: Part, target: Draft | None, far: Situation) -> Iterator[Mod]:
    """What lies between a shooter and the target; Discover suffers from Mimetism and zones as well."""
    around, shoots = one.around, one.action in (Action.SHOOT, Action.TEMPLATE)
    if shoots:
        yield from range_band(one, around if around.distance is not None else far)
    if shoots and around.cover:
        yield Mod(COVER, "Partial Cover", target.name if target else "")
    if shoots or one.action is Action.DISCOVER:
        yield from hard_to_see(one, target)
    if shoots and around.melee:
        yield Mod(MELEE * around.melee, "into close combat")
    if around.speculative:
        yield Mod(SPECULATIVE, "Speculative Attack", one.name)
    if around.zone and one.action is Action.DODGE:
        yield Mod(OUT_OF_SIGHT, "without line of fire")


def range_band(one: Part, around: Situation) -> Iterator[Mod]:
    """The band of the weapon; raises ``BadInput`` beyond the last, or where nobody said how far it is.

    Who types the Success Value, and neither weapon nor distance, has counted the range already.
    """
    distance = around.distance
    if one.weapon is None or not one.weapon.bands:
        return
    if distance is None and one.draft.attribute is not None and one.draft.weapon is None:
        return
    reach = one.weapon.bands[-1].inches
    if distance is None:
        raise BadInput(
            f"distance of {one.name}",
            None,
            Text("Use inches, as in `at 20`; the {weapon} reaches {reach}.", weapon=one.weapon.name, reach=reach),
        )
    if distance > reach:
        raise BadInput(
            f"distance of {one.name}",
            distance,
            Text("Use at most {reach} inches: so far the {weapon} reaches.", reach=reach, weapon=one.weapon.name),
        )
    nearest = f"{around.beyond} to " if around.beyond else "" if around.beyond is None else "up to "
    yield Mod(one.weapon.mod_at(distance) or 0, f"Range {nearest}{distance} inches", one.weapon.name)


def hard_to_see(one: Part, target: Draft | None) -> Iterator[Mod]:
    """Mimetism and visibility zones, less what a Multispectral Visor takes off."""
    visor = one.trooper.visor if one.trooper else 0
    mimetism = min(target.trooper.skill("mimetism"), default=0) if target and target.trooper else 0
    if mimetism:
        yield Mod(seen_through(mimetism, visor), with_visor("Mimetism", visor), target.name if target else "")
    zone = one.around.visibility
    if zone:
        number = VISIBILITY[zone]
        if number is None and not visor:
            raise BadInput(
                f"zone of {one.name}", zone, Text("No BS Attack is possible there without a Multispectral Visor.")
            )
        through = (-6 if visor == 1 else 0) if number is None else seen_through(number, visor)
        yield Mod(through, with_visor(f"{zone} visibility", visor))


def seen_through(number: int, visor: int) -> int:
    """-3 and -6 with a Visor: level 1 leaves 0 and -3, levels 2 and 3 leave nothing."""
    return number if not visor else min(0, number + 3) if visor == 1 else 0


def with_visor(what: str, visor: int) -> str:
    return f"{what}, Visor {visor}" if visor else what


def of_skills(one: Part) -> Iterator[Mod]:
    """What the trooper's own profile and fireteam add: ``Dodge (+3)``, levels 3 and 4."""
    own = max(one.trooper.skill(*IMPOSED.get(one.action, ())), default=0) if one.trooper else 0
    if own > 0:
        yield Mod(own, one.action.label, one.name)
    team = {Action.DISCOVER: (3, 3), Action.DODGE: (3, 1), Action.SHOOT: (4, 1), Action.TEMPLATE: (4, 1)}
    level, bonus = team.get(one.action, (9, 0))
    if one.around.fireteam >= level:
        yield Mod(bonus, f"Fireteam level {one.around.fireteam}", one.name)


def of_enemy(one: Part, enemy: Part, *, active: bool, far: Situation) -> Iterator[Mod]:
    """What an enemy does to a Face to Face Roll against it."""
    imposed = min(enemy.trooper.skill(*IMPOSED.get(enemy.action, ())), default=0) if enemy.trooper else 0
    if imposed < 0:
        yield Mod(imposed, enemy.action.label, enemy.name)
    if enemy.around.surprise and not active and not ignores_surprise(one.trooper):
        yield Mod(-enemy.around.surprise, "Surprise Attack", enemy.name)
    inches = next((known for known in (one.around.distance, far.distance) if known is not None), 0)
    suppresses = enemy.around.suppressive or (enemy.trooper is not None and SUPPRESSIVE in enemy.trooper.states)
    if suppresses and inches <= SUPPRESSION_INCHES:
        yield Mod(SUPPRESSION, "Suppressive Fire", enemy.name)


def ignores_surprise(trooper: Trooper | None) -> bool:
    return trooper is not None and (trooper.has("combat instinct") or trooper.visor >= 3)
