"""The words of a weapon, in a profile or behind a trooper's name:

Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48       Burst 3, PS 7, Normal ammunition, saved with ARM; +3 up to 16 inches ...
Breaker: B3 PS 6 AP BTS/2 +3@16 -3@32        AP, saved with half of BTS
Missile: B1 PS 5 AP+EXP ARM template         combined ammunition; an Impact Template
Flamer: PS 5 N continuous direct             Continuous Damage; a Direct Template, which has no roll
Paralyser: B1 PARA PH-6 nonlethal            saved with PH-6, whatever the PS
Sword: CC PS 6 DA                            a close combat weapon
Jammer: B1 WIP PS 4 BTS state Isolated       rolled with WIP; failing a save brings a state
Monofilament: CC PS 6 ARM=0 state Dead       that attribute counts as 0
Grenade: PH smoke template                   rolled with PH; calls for no Saving Roll
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot.rules.data_tables import table
from bot.rules.errors import AllowedWords, BadInputError, Example, UnknownWordError, WholeNumber
from bot.rules.infinity.troopers import limits, skills
from bot.rules.infinity.troopers.declared import Action, Ammo, RangeBand, Weapon
from bot.rules.name import clean, one_line
from bot.rules.text import N_, Code, Name, Text

EXAMPLE: Final = "Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48"
MAX_INCHES: Final = 96
NAME_LONGEST: Final = 60
"""Maximum characters of a weapon's name, with mode and extras."""
MAX_BANDS: Final = 6

FLAGS: Final = {
    word: sets | ({"action": Action(sets["action"])} if "action" in sets else {})
    for word, sets in table("infinity/tables/weapon_words.json", tuple[str, dict[str, Any]])
}
"""Fields that a word sets. AP and E/M halve an attribute themselves."""
SAVED_WITH: Final = tuple(word for word, sets in FLAGS.items() if "save" in sets)
"""Words for a saving attribute, and whether it counts as 0."""
TRAITS: Final = table("infinity/tables/traits.json", str)
"""Words stored with a weapon."""
BAND: Final = re.compile(r"([+-]?\d{1,2})@(\d{1,3})", re.ASCII)
BURST: Final = re.compile(r"b(\d{1,2})", re.ASCII)
USES: Final = re.compile(r"disposable\(?([1-9])\)?", re.ASCII)
SILENT: Final = re.compile(r"silent\(?-([1-9])\)?", re.ASCII)
POWER: Final = re.compile(r"(ps|dam|damage)(\d{1,2})", re.ASCII)
AMMUNITION: Final = {word: ammo for ammo in Ammo for word in (ammo.lower(), ammo.lower().replace("/", ""))}
KNOWN: Final = ("ps", "dam", "saves", "state", *FLAGS, *TRAITS, *(ammo.lower() for ammo in Ammo))


def ammunition(given: object, field: str) -> tuple[Ammo, ...]:
    """Parse ammunition: ``DA``, ``e/m``, ``AP+EXP``. Raises ``BadInputError`` naming the field."""
    parts = [part.strip() for part in given.split("+")] if isinstance(given, str) else [""]
    ammos = tuple(AMMUNITION[part.lower()] for part in parts if part.lower() in AMMUNITION)
    if len(ammos) != len(parts) or len(set(ammos)) != len(ammos):
        allowed = Text("Use one of {ammunition}, or several, as in AP+EXP.", ammunition=Code(", ".join(Ammo)))
        raise BadInputError(field, given, AllowedWords(tuple(Ammo), allowed))
    return ammos


def is_ammunition(word: str) -> bool:
    try:
        return bool(ammunition(word, ""))
    except BadInputError:
        return False


def parse(text: str, field: str = "weapon") -> Weapon:
    """Parse a named weapon like ``EXAMPLE``. Raises ``UnknownWordError`` or ``BadInputError`` naming the field."""
    typed, colon, rest = text.partition(":")
    name = one_line(typed, NAME_LONGEST).replace("<@", "‹@")
    if not colon or not name or name.startswith("#") or len(typed.strip()) > NAME_LONGEST:
        raise BadInputError(field, text, Text("Start with a name and a colon."), Example(EXAMPLE))
    words = rest.split()
    result: dict[str, Any] = {"name": name, "bands": ()}
    while words:
        read_word(words, result, field)
    return Weapon(**result)


def read_word(words: list[str], result: dict[str, Any], field: str) -> None:
    """Parse one more word of a weapon, two with a number."""
    word = words.pop(0)
    said = word.lower().strip(",")
    if match := BAND.fullmatch(said):
        read_band(match, result, field)
    elif match := BURST.fullmatch(said):
        result["burst"] = number_within("Burst", match[1], 1, limits.MAX_BURST)
    elif match := POWER.fullmatch(said):
        result |= power_of(match[1], match[2])
    elif said in ("ps", "dam", "damage"):
        result |= power_of(said, words.pop(0) if words else "")
    elif said == "saves":
        result["saves"] = number_within("saves", words.pop(0) if words else "", 1, 6)
    elif said == "state" and words:
        result["state"] = clean(words.pop(0))
    elif said in FLAGS:
        result |= FLAGS[said]
    elif read_trait(said, result):
        pass
    elif is_ammunition(said):
        result["ammo"] = ammunition(said, field)
    else:
        refuse_bare_number(field, said)
        wanted = Text("Write a weapon like `{example}`.", example=Code(EXAMPLE))
        raise UnknownWordError(field, word, AllowedWords(KNOWN, wanted))


def refuse_bare_number(field: str, word: str) -> None:
    """Raise ``BadInputError`` for a bare number, which may be PS or Damage."""
    if word.isdecimal():
        message = N_("Is {number} a PS or a Damage? Write `PS {number}` or `DAM {number}`.")
        raise BadInputError(field, word, Text(message, number=Code(word)))


def power_of(word: str, number: str) -> dict[str, Any]:
    """Return the weapon fields of ``PS 7`` or ``DAM 13``, whatever the edition."""
    as_damage = word != "ps"
    typed = number_within("Damage" if as_damage else "PS", number, 0, limits.MAX_POWER)
    return {"power": limits.MAX_POWER - typed if as_damage else typed, "as_damage": as_damage}


def power_text(weapon: Weapon, *, as_damage: bool) -> Code:
    """Return ``PS 7`` or ``DAM 13``."""
    power = weapon.power or 0
    return Code(f"DAM {limits.MAX_POWER - power}" if as_damage else f"PS {power}")


def read_trait(said: str, result: dict[str, Any]) -> bool:
    trait = said.partition("(")[0]
    if match := USES.fullmatch(said):
        trait, result["uses"] = "disposable", int(match[1])
    elif match := SILENT.fullmatch(said):
        result["silent"] = -int(match[1])
        return True
    if trait in TRAITS:
        result["traits"] = (*result.get("traits", ()), trait)
    return trait in TRAITS


def read_band(match: re.Match[str], result: dict[str, Any], field: str) -> None:
    """Parse ``+3@16``, the next range band; bands must increase."""
    mod = number_within("range MOD", match[1], -limits.MAX_MOD, limits.MAX_MOD)
    band = RangeBand(mod, number_within("inches", match[2], 1, MAX_INCHES))
    bands: tuple[RangeBand, ...] = result["bands"]
    if bands and band.inches <= bands[-1].inches:
        allowed = Text("Use more than {inches} inches: list range bands from near to far.", inches=bands[-1].inches)
        raise BadInputError(field, match[0], allowed)
    if len(bands) >= MAX_BANDS:
        raise BadInputError(field, match[0], Text("Use at most {most} range bands.", most=MAX_BANDS))
    result["bands"] = (*bands, band)


def number_within(what: str, text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"[+-]?\d{1,3}", text, re.ASCII) or not least <= int(text) <= most:
        raise BadInputError(what, text, WholeNumber(least, most))
    return int(text)


def with_extras(weapon: Weapon, extras: Sequence[str]) -> Weapon:
    """Add extras: ``PS=6`` sets PS, ``Shock`` adds ammunition; MODs, Burst, and special dice go into the name once."""
    for extra in extras:
        if power := re.fullmatch(r"PS=(\d{1,2})", extra):
            weapon = replace(weapon, power=int(power[1]))
        elif is_ammunition(extra):
            more = [ammo for ammo in ammunition(extra, "file") if ammo not in weapon.ammo]
            weapon = replace(weapon, ammo=(*(ammo for ammo in weapon.ammo if ammo is not Ammo.N), *more))
        elif extra.casefold() in skills.CONTINUOUS:
            weapon = replace(weapon, continuous=True)
        elif f"({extra})" not in weapon.name:
            name = one_line(weapon.name, NAME_LONGEST - len(extra) - 3)
            weapon = replace(weapon, name=Name(f"{name} ({extra})"))
    return weapon


def write(weapon: Weapon) -> str:
    return f"{weapon.name}: {describe(weapon)}"


def describe(weapon: Weapon) -> Code:
    save = weapon.save or ""
    attribute = {"PH": "PH-6", "none": "nosave"}.get(save, save) + "=0" * weapon.zero
    words = [f"B{weapon.burst}"]
    words += [power_text(weapon, as_damage=weapon.as_damage)] if weapon.power is not None else []
    words += [weapon.ammunition, attribute]
    words += [f"saves {weapon.saves}"] if weapon.saves else []
    words += [weapon.stat] if weapon.stat else []
    words += [weapon.action.value] if weapon.action is not Action.SHOOT else []
    words += [name for name in ("continuous", "bioweapon", "nonlethal") if getattr(weapon, name)]
    words += [f"state {weapon.state}"] if weapon.state else []
    counted = {"disposable": f"disposable({weapon.uses})"} if weapon.uses else {}
    words += [counted.get(trait, trait) for trait in weapon.traits]
    words += [f"silent({weapon.silent})"] if weapon.silent else []
    words += [*(f"{band.mod:+d}@{band.inches}" for band in weapon.bands)]
    return Code(" ".join(word for word in words if word))
