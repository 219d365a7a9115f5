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
    NAME_MOST,
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
from bot.rules.infinity.roll_words import modifiers, numbers
from bot.rules.reading import Reader, whole

DICE_LONGEST: Final = 100


def read_roll(reader: Reader, suffix: str, side: Side, edition: Edition) -> Roll:
    """One roll, its keys ending in ``suffix``."""
    dice, special = read_dice(reader, f"dice{suffix}"), reader.whole(f"special_dice{suffix}", 0, SPECIAL_MOST, 0)
    lying = len(dice) - special if isinstance(dice, tuple) else dice
    action = read_action(reader, suffix)
    mods = read_mods(reader, f"mods{suffix}")
    return Roll(
        attribute=read_attribute(reader, suffix, mods),
        mods=mods,
        burst=reader.whole(f"burst{suffix}", 1, BURST_MOST, max(1, min(lying or 1, BURST_MOST))),
        special=special,
        action=action,
        name=reader.text(f"name{suffix}", NAME_MOST).strip(),
        side=side,
        dice=dice if isinstance(dice, tuple) else None,
        weapon=read_weapon(reader, suffix, edition),
        armour=read_armour(reader, suffix),
    )


def read_attribute(reader: Reader, suffix: str, mods: tuple[int, ...]) -> int:
    """``sv`` is before MODs; beside ``attribute`` it is the Success Value that they make, and has to be right."""
    sv, attribute = f"sv{suffix}", f"attribute{suffix}"
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


def read_mods(reader: Reader, key: str) -> tuple[int, ...]:
    """A list, or a text like ``-3 +6``."""
    given = reader.raw(key)
    if isinstance(given, str):
        return modifiers(reader.name(key), given)
    return reader.wholes(key, -MOD_MOST, MOD_MOST, MODS_MOST)


def read_action(reader: Reader, suffix: str) -> Action:
    """``kind`` as a word is what they do, as a list it is of a result. ``"ammo": "DODGE"`` says it as well."""
    kind, weapon = reader.raw(f"kind{suffix}"), reader.raw(f"ammo{suffix}")
    for action in (Action.DODGE, Action.RESET):
        if isinstance(weapon, str) and weapon.strip().lower() == action:
            return action
    return Action.SHOOT if isinstance(kind, list) else Action(reader.word(f"kind{suffix}", tuple(Action), "shoot"))


def read_weapon(reader: Reader, suffix: str, edition: Edition) -> Weapon | None:
    """What a hit is saved against, if anybody said so; none for a Dodge."""
    power = read_power(reader, suffix, edition)
    if not reader.has(f"ammo{suffix}") or not read_action(reader, suffix).is_attack:
        return None
    if power is None:
        key = "damage" if edition == "n4" else "ps"
        raise BadInput(reader.name(f"{key}{suffix}"), "", f"a whole number from 0 to {POWER_MOST} beside `ammo`")
    return Weapon(ammo=read_ammo(reader, f"ammo{suffix}"), power=power)


def read_power(reader: Reader, suffix: str, edition: Edition) -> int | None:
    """PS in N5, Damage in N4; the one is refused where the other belongs."""
    for key, belongs in (("ps", "n5"), ("damage", "n4"), ("dam", "n4")):
        if reader.has(f"{key}{suffix}"):
            if belongs != edition:
                other = "`damage`, since this is N4" if edition == "n4" else "`ps`, since this is N5"
                raise BadInput(reader.name(f"{key}{suffix}"), reader.raw(f"{key}{suffix}"), other)
            return reader.whole(f"{key}{suffix}", 0, POWER_MOST)
    return None


def read_ammo(reader: Reader, key: str) -> Ammo:
    """The ammunition, in any case; what stands in brackets behind it is a remark."""
    given = reader.raw(key)
    return saves.ammo(given.partition("(")[0] if isinstance(given, str) else given, reader.name(key))


def read_armour(reader: Reader, suffix: str) -> Armour | None:
    arm, bts = (reader.whole(f"{key}{suffix}", 0, ATTRIBUTE_MOST, 0) for key in ("arm", "bts"))
    return Armour(arm=arm, bts=bts) if reader.has(f"arm{suffix}") or reader.has(f"bts{suffix}") else None
