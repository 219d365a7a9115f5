"""Reads one roll from plain JSON words, and what Saving Rolls share with it."""

from typing import Final

from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.infinity import saves
from bot.rules.infinity.declared import (
    ATTRIBUTE_MOST,
    BURST_MOST,
    MOD_MOST,
    MODS_MOST,
    POWER_MOST,
    SIDES,
    SPECIAL_MOST,
    SV_LEAST,
    SV_MOST,
    Action,
    Ammo,
    Armour,
    Edition,
    Roll,
    Weapon,
    total,
)
from bot.rules.infinity.roll_words import Draft, add_bonus, modifiers, numbers
from bot.rules.name import NAME_MOST, clean
from bot.rules.reading import Reader, whole

DICE_LONGEST: Final = 100


def read_roll(reader: Reader, at: str, side: Side, edition: Edition) -> Roll:
    """One roll; ``at`` says how its keys are written: ``{}``, ``{}_a``, ``vs_{}``."""
    mods, more = read_bonus(reader, at.format("mods"))
    dice, special = read_dice(reader, at.format("dice")), reader.whole(at.format("special_dice"), 0, SPECIAL_MOST, more)
    lying = len(dice) - special if isinstance(dice, tuple) else dice
    action = read_action(reader, at)
    return Roll(
        attribute=read_attribute(reader, at, mods),
        mods=mods,
        burst=reader.whole(at.format("burst"), 1, BURST_MOST, max(1, min(lying or 1, BURST_MOST))),
        special=special,
        action=action,
        name=clean(reader.text(at.format("name"), NAME_MOST)),
        side=side,
        dice=dice if isinstance(dice, tuple) else None,
        weapon=read_weapon(reader, at, edition),
        armour=read_armour(reader, at),
    )


def read_attribute(reader: Reader, at: str, mods: tuple[int, ...]) -> int:
    """``sv`` is before MODs; beside ``attribute`` it is the Success Value that they make, and has to be right."""
    sv, attribute = at.format("sv"), at.format("attribute")
    if not reader.has(attribute):
        return reader.whole(sv, SV_LEAST, SV_MOST)
    value = reader.whole(attribute, SV_LEAST, SV_MOST)
    if reader.has(sv) and reader.raw(sv) != value + total(mods):
        raise BadInput(reader.name(sv), reader.raw(sv), f"{value + total(mods)}, which attribute and MODs make")
    return value


def read_dice(reader: Reader, key: str) -> tuple[int, ...] | int | None:
    """Faces that lie already; a number says only how many dice there are."""
    given = reader.raw(key)
    if given is None:
        return None
    if isinstance(given, str):
        return numbers(reader.name(key), given, 1, SIDES)
    if isinstance(given, list | tuple):
        return reader.wholes(key, 1, SIDES, DICE_LONGEST)
    return whole(reader.name(key), given, 1, BURST_MOST)


def read_bonus(reader: Reader, key: str) -> tuple[tuple[int, ...], int]:
    """MODs, and special dice where a text says so: ``-3 +1sd``."""
    given = reader.raw(key)
    if not isinstance(given, str):
        return read_mods(reader, key), 0
    draft = Draft("", 0)
    add_bonus(draft, reader.name(key), given)
    return tuple(draft.mods), draft.special or 0


def read_mods(reader: Reader, key: str) -> tuple[int, ...]:
    """A list, or a text like ``-3 +6``."""
    given = reader.raw(key)
    if isinstance(given, str):
        return modifiers(reader.name(key), given)
    return reader.wholes(key, -MOD_MOST, MOD_MOST, MODS_MOST)


def read_action(reader: Reader, at: str) -> Action:
    """``kind`` as a word is what they do, as a list it is of a result. ``"ammo": "DODGE"`` says it as well."""
    kind, weapon = reader.raw(at.format("kind")), reader.raw(at.format("ammo"))
    for action in (Action.DODGE, Action.RESET):
        if isinstance(weapon, str) and weapon.strip().lower() == action:
            return action
    return Action.SHOOT if isinstance(kind, list) else Action(reader.word(at.format("kind"), tuple(Action), "shoot"))


def read_weapon(reader: Reader, at: str, edition: Edition) -> Weapon | None:
    """What a hit is saved against, if anybody said so; none for a Dodge."""
    power = read_power(reader, at, edition)
    if not reader.has(at.format("ammo")) or not read_action(reader, at).is_attack:
        return None
    if power is None:
        key = "damage" if edition == "n4" else "ps"
        raise BadInput(reader.name(at.format(key)), "", f"a whole number from 0 to {POWER_MOST} beside `ammo`")
    return Weapon(ammo=read_ammo(reader, at.format("ammo")), power=power)


def read_power(reader: Reader, at: str, edition: Edition) -> int | None:
    """PS in N5, Damage in N4; the one is refused where the other belongs."""
    for key, belongs in (("ps", "n5"), ("damage", "n4"), ("dam", "n4")):
        if reader.has(at.format(key)):
            if belongs != edition:
                other = "`damage`, since this is N4" if edition == "n4" else "`ps`, since this is N5"
                raise BadInput(reader.name(at.format(key)), reader.raw(at.format(key)), other)
            return reader.whole(at.format(key), 0, POWER_MOST)
    return None


def read_ammo(reader: Reader, key: str) -> Ammo:
    """The ammunition, in any case; what stands in brackets behind it is a remark."""
    given = reader.raw(key)
    return saves.ammo(given.partition("(")[0] if isinstance(given, str) else given, reader.name(key))


def read_armour(reader: Reader, at: str) -> Armour | None:
    arm, bts = (reader.whole(at.format(key), 0, ATTRIBUTE_MOST, 0) for key in ("arm", "bts"))
    return Armour(arm=arm, bts=bts) if reader.has(at.format("arm")) or reader.has(at.format("bts")) else None
