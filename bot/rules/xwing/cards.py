"""Ship cards: what a pilot, its ship and its upgrades bring to the table, read from the card data.

Source: rules page, Squads and data. The data are names and numbers, no card texts: what a card's text does to dice is
not known here. ``data/README.md`` says where they come from.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from bot.rules.errors import BadInput
from bot.rules.name import NAME_MOST, clean
from bot.rules.reading import whole
from bot.rules.xwing.declared import HULL_MOST, POOL_MOST, TOKENS_MOST

Size = Literal["small", "medium", "large", "huge"]
SIZES: Final[tuple[Size, ...]] = ("small", "medium", "large", "huge")
INITIATIVE_MOST: Final = 8
"""Pilots have 0 to 6; the crews of huge ships 7 and 8."""

FACTIONS: Final[Mapping[str, str]] = {
    "rebelalliance": "Rebel Alliance",
    "galacticempire": "Galactic Empire",
    "scumandvillainy": "Scum and Villainy",
    "resistance": "Resistance",
    "firstorder": "First Order",
    "galacticrepublic": "Galactic Republic",
    "separatistalliance": "Separatist Alliance",
}
"""The factions as squads write them, and their names."""

DATA: Final = Path(__file__).parent / "data" / "cards.json"


@dataclass(frozen=True, slots=True)
class Charges:
    """How many there are when the game begins, and how many come back in each End Phase (-1: one goes)."""

    capacity: int = 0
    recover: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """``value`` attack dice in ``arc`` at range ``nearest`` to ``farthest``.

    ``ordnance``: no dice for range, for either side. ``needs`` are tokens that the attacker must have and does not
    spend; with ``needs_any`` one of them is enough. ``upgrade`` is the id of the upgrade that brings it, "" for a
    primary weapon; an attack spends ``cost`` of that upgrade's charges.
    """

    name: str
    arc: str
    value: int
    nearest: int = 1
    farthest: int = 3
    primary: bool = False
    ordnance: bool = False
    needs: tuple[str, ...] = ()
    needs_any: bool = False
    upgrade: str = ""
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Upgrade:
    """An upgrade on a ship, with its own charges."""

    id: str
    name: str
    charges: Charges = Charges()


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotShip:
    """A ship as it comes to the table: every number includes what its upgrades add.

    ``name`` is what the table calls it, ``pilot`` the id of the pilot card and ``ship`` the name of the ship; both are
    "" for a ship that was typed as numbers.
    """

    name: str
    pilot: str = ""
    ship: str = ""
    size: Size = "small"
    initiative: int = 0
    agility: int = 0
    hull: int = 1
    shields: int = 0
    shields_recover: int = 0
    force: Charges = Charges()
    charges: Charges = Charges()
    upgrades: tuple[Upgrade, ...] = ()
    weapons: tuple[Weapon, ...] = ()

    @property
    def attack(self) -> int:
        """The value of its best primary weapon."""
        return max((weapon.value for weapon in self.weapons if weapon.primary), default=0)

    @property
    def numbers(self) -> str:
        """Attack, agility, hull, shields and initiative as ``by_numbers`` reads them: ``3/2/4/2 i5``."""
        return f"{self.attack}/{self.agility}/{self.hull}/{self.shields} i{self.initiative}"


@dataclass(frozen=True, slots=True)
class Cards:
    """The card data by id: ``ships``, ``pilots`` and ``upgrades``."""

    ships: Mapping[str, Mapping[str, Any]]
    pilots: Mapping[str, Mapping[str, Any]]
    upgrades: Mapping[str, Mapping[str, Any]]


@cache
def cards() -> Cards:
    """The card data; the file is read when somebody first asks for it."""
    read = json.loads(DATA.read_text(encoding="utf-8"))
    return Cards(read["ships"], read["pilots"], read["upgrades"])


def pilot_ship(pilot: str, upgrades: Sequence[str] = ()) -> PilotShip:
    """The ship of a pilot with these upgrades; both are ids that are known.

    A standard loadout brings its upgrades; one that is named beside it as well does not count twice. The pilot's own
    stats beat the ship's.
    """
    card = cards().pilots[pilot]
    ship = cards().ships[card["ship"]]
    own = tuple(card.get("upgrades", ()))
    ids = [*own, *(one for one in upgrades if one not in own)]
    ids = [one for one in ids if cards().upgrades[one].get("only", card["ship"]) == card["ship"]]
    fitted = [cards().upgrades[one] for one in ids]
    stats = card.get("stats", ship)
    gains = [upgrade.get("stats", {}) for upgrade in fitted]
    force = [Charges(*one["force"]) for one in (card, *fitted) if "force" in one]
    return PilotShip(
        name=card["name"],
        pilot=pilot,
        ship=ship["name"],
        size=ship["size"],
        initiative=card["initiative"],
        agility=total("agility", stats, gains, 0, POOL_MOST),
        hull=total("hull", stats, gains, 1, HULL_MOST),
        shields=total("shields", stats, gains, 0, HULL_MOST),
        shields_recover=ship.get("shields_recover", 0),
        # A ship recovers force once in an End Phase, however many cards give it some.
        force=Charges(
            min(TOKENS_MOST, sum(one.capacity for one in force)), max((one.recover for one in force), default=0)
        ),
        charges=Charges(*card.get("charges", (0, 0))),
        upgrades=tuple(
            Upgrade(id_, one["name"], Charges(*one.get("charges", (0, 0))))
            for id_, one in zip(ids, fitted, strict=True)
        ),
        weapons=(*primary_weapons(stats, fitted), *special_weapons(ids)),
    )


def total(stat: str, stats: Mapping[str, int], gains: Sequence[Mapping[str, int]], least: int, most: int) -> int:
    """A number of the ship with what its upgrades add."""
    return max(least, min(most, stats.get(stat, 0) + sum(gain.get(stat, 0) for gain in gains)))


def primary_weapons(stats: Mapping[str, Any], upgrades: Sequence[Mapping[str, Any]]) -> tuple[Weapon, ...]:
    """Those of the ship, turned or strengthened by upgrades, and those that a title brings."""
    attacks: list[tuple[str, int]] = [(arc, value) for arc, value in stats["attacks"]]
    turned = {one["turns"][0]: one["turns"][1] for one in upgrades if "turns" in one}
    gained = sum(one.get("stats", {}).get("attack", 0) for one in upgrades)
    attacks = [(turned.get(arc, arc), min(POOL_MOST, value + gained)) for arc, value in attacks]
    attacks += [(arc, value) for one in upgrades for arc, value in one.get("attacks", ())]
    return tuple(
        Weapon(name="Primary" if len(attacks) == 1 else f"Primary ({arc})", arc=arc, value=value, primary=True)
        for arc, value in attacks
    )


def special_weapons(upgrades: Sequence[str]) -> tuple[Weapon, ...]:
    """The weapons that upgrades are, in their order."""
    return tuple(
        Weapon(
            name=cards().upgrades[id_]["name"],
            arc=attack["arc"],
            value=attack["value"],
            nearest=attack["min"],
            farthest=attack["max"],
            ordnance=attack["ordnance"],
            needs=tuple(attack["needs"]),
            needs_any=attack["any"],
            upgrade=id_,
            cost=attack["spends_charges"],
        )
        for id_ in upgrades
        if (attack := cards().upgrades[id_].get("attack"))
    )


# Ships typed as numbers

NUMBERS: Final = re.compile(r"([0-9]{1,3})/([0-9]{1,3})/([0-9]{1,3})(?:/([0-9]{1,3}))?((?: +[a-z0-9]{1,6})*)")


def by_numbers(name: str, typed: str) -> PilotShip:
    """The ship of ``3/2/4/2 i5``: attack, agility, hull, shields (0 if left out), initiative (0), size (small).

    Raises ``BadInput`` for anything else, and for a number that no ship has.
    """
    read = NUMBERS.fullmatch(" ".join(typed.casefold().split()))
    allowed = "attack/agility/hull/shields, then initiative and size, as in `3/2/4/2 i5` or `2/1/8/4 i3 large`"
    if read is None:
        raise BadInput("numbers", typed, allowed)
    initiative, size = 0, SIZES[0]
    for word in read[5].split():
        if sized := [one for one in SIZES if one == word]:
            size = sized[0]
        elif re.fullmatch("i[0-9]", word):
            initiative = whole("initiative", int(word[1:]), 0, INITIATIVE_MOST)
        else:
            raise BadInput("numbers", typed, allowed)
    if not clean(name) or len(name) > NAME_MOST:
        raise BadInput("name", name, f"1 to {NAME_MOST} characters that can be seen")
    attack = whole("attack", int(read[1]), 0, POOL_MOST)
    return PilotShip(
        name=clean(name),
        size=size,
        initiative=initiative,
        agility=whole("agility", int(read[2]), 0, POOL_MOST),
        hull=whole("hull", int(read[3]), 1, HULL_MOST),
        shields=whole("shields", int(read[4] or 0), 0, HULL_MOST),
        weapons=(Weapon(name="Primary", arc="Front Arc", value=attack, primary=True),) if attack else (),
    )


def renamed(ship: PilotShip, taken: Sequence[str]) -> PilotShip:
    """The ship under a name that is not taken."""
    return replace(ship, name=free_name(ship.name, taken))


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number where it is taken: ``Academy Pilot``, ``Academy Pilot #2``, ``Academy Pilot #3``."""
    used = {name.casefold() for name in taken}
    number, free, base = 1, name, re.sub(r" #[0-9]+$", "", name)
    while free.casefold() in used:
        number += 1
        ending = f" #{number}"
        free = base[: NAME_MOST - len(ending)] + ending
    return free
