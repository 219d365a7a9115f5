"""Ship cards: a pilot's ship with upgrades, from the card data. Source: rules page, Squads and data. The data are names
and stats of a card set, no card texts.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, Final, Literal

from bot.rules.data_tables import table
from bot.rules.errors import BadInputError, Example
from bot.rules.json_reader import check_whole_number
from bot.rules.name import MAX_NAME, clean
from bot.rules.text import UNNAMED, Name, Shown, Text
from bot.rules.xwing.cards.card_sets import DEFAULT, SHELF, SHIPPED, Card, CardSet, Pool
from bot.rules.xwing.cards.rows import rows_of
from bot.rules.xwing.dice.consequences import PrimaryReach, TurretArc
from bot.rules.xwing.dice.costs import CardId
from bot.rules.xwing.dice.declared import MAX_HULL, MAX_POOL
from bot.rules.xwing.dice.tokens import MAX_TOKENS

Size = Literal["small", "medium", "large", "huge"]
SIZES: Final[tuple[Size, ...]] = ("small", "medium", "large", "huge")
MAX_INITIATIVE: Final = 8
"""Pilots have 0 to 6; the crews of huge ships 7 and 8."""

FACTIONS: Final[Mapping[str, str]] = {item["id"]: item["name"] for item in table("xwing/tables/factions.json", dict)}
"""Factions as in squads, with names."""


@dataclass(frozen=True, slots=True)
class Charges:
    """Initial charges, and recovery per End Phase (-1: one is lost)."""

    capacity: int = 0
    recover: int = 0


PRIMARY: Final = Name("Primary")
TAIL: Final = Name("Primary (Rear Arc)")
ARCS: Final[Mapping[str, Shown]] = {
    item["name"]: Text(item["says"]) if "says" in item else Name(item["name"])
    for item in table("xwing/tables/arcs.json", dict)
}
"""Weapon arcs as in the data; no shipped card lacks its arc."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A weapon: ``value`` attack dice in ``arc`` at range ``nearest`` to ``farthest``.

    ``ordnance``: no range bonus for either side. ``needs``: tokens required but not spent; with ``needs_any`` one is
    enough. ``upgrade``: its upgrade's id, "" for a primary weapon; an attack spends ``cost`` of its charges. ``slot``:
    its kind: cannon, turret, torpedo, missile, or another slot.
    """

    name: Name
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
    slot: str = ""

    @property
    def title(self) -> Shown:
        """The weapon's name for people; a primary weapon's is a word of the rules."""
        if not self.primary:
            return self.name
        if self.name == PRIMARY:
            return Text("Primary")
        return Text("Primary ({arc})", arc=ARCS.get(self.arc) or Name(self.arc))

    def is_kind(self, kind: str) -> bool:
        """Whether it is ``primary``, ``special``, ``ordnance``, or of that slot."""
        kinds = {"primary": self.primary, "special": not self.primary, "ordnance": self.ordnance}
        return kinds.get(kind, self.slot == kind)


@dataclass(frozen=True, slots=True)
class Upgrade:
    id: str
    name: Name
    charges: Charges = Charges()
    slot: str = ""

    @classmethod
    def of(cls, id_: str, card: Mapping[str, Any]) -> "Upgrade":
        return cls(id_, Name(card["name"]), Charges(*card.get("charges", (0, 0))), card["slot"])


class KeepsNames:
    """Caches ``card_names``, which every board rendering needs."""

    __slots__ = ("_names",)
    _names: Mapping[CardId, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotShip(KeepsNames):
    """A ship before its first round; stats include its upgrades.

    ``name``: at the table, ``pilot``: the pilot card's id, ``ship`` and ``ship_id``: the ship's name and id,
    ``card_set``: their set's full name; all "" for a ship typed as numbers. ``ability`` and ``chassis``: name and id of
    the ship's ability, or "". ``limited``: maximum of its name in a squad, 0 for any. ``points``: its cost with
    upgrades; 0 if not given. ``lent``: kind, id, and name of cards that it has of a ship docked on it.
    """

    name: Name
    card_set: str = ""
    pool: Pool = DEFAULT
    pilot: str = ""
    ship: Name = UNNAMED
    ship_id: str = ""
    ability: str = ""
    chassis: str = ""
    faction: str = ""
    limited: int = 0
    points: int = 0
    size: Size = "small"
    initiative: int = 0
    agility: int = 0
    hull: int = 1
    shields: int = 0
    shields_recover: int = 0
    force: Charges = Charges()
    charges: Charges = Charges()
    energy: Charges = Charges()
    upgrades: tuple[Upgrade, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    lent: tuple[tuple[str, str, str], ...] = ()

    @property
    def cards(self) -> tuple[CardId, ...]:
        """Return the ship's distinct cards as in rows: ``pilot:lukeskywalker``, ``chassis:...``, ``upgrade:...``."""
        return tuple(self.card_names)

    @property
    def card_names(self) -> Mapping[CardId, str]:
        if not hasattr(self, "_names"):
            result = {CardId("pilot", self.pilot): re.sub(r" #[0-9]+$", "", self.name)} if self.pilot else {}
            result |= {CardId("chassis", self.chassis): self.ability} if self.chassis else {}
            result |= {CardId("upgrade", upgrade.id): upgrade.name for upgrade in self.upgrades}
            result |= {CardId(kind, id_): name for kind, id_, name in self.lent}
            object.__setattr__(self, "_names", result)
        return self._names

    @property
    def attack(self) -> int:
        """The value of its best primary weapon."""
        return max((weapon.value for weapon in self.weapons if weapon.primary), default=0)

    @property
    def numbers(self) -> str:
        """Return ``3/2/4/2 i5`` for ``by_numbers``: attack, agility, hull, shields, initiative."""
        return f"{self.attack}/{self.agility}/{self.hull}/{self.shields} i{self.initiative}"


def pilot_ship(pilot: str, upgrades: Sequence[str] = (), cards: CardSet | None = None) -> PilotShip:
    """Return a pilot's ship with a loadout's and these upgrades, each once; ids of the set, by default ``xwa``."""
    cards = cards or SHELF.of(DEFAULT)
    card = cards.pilots[pilot]
    own = tuple(card.get("upgrades", ()))
    ids = [*own, *(upgrade for upgrade in upgrades if upgrade not in own)]
    fitting = [item for item in ids if cards.upgrades[item].get("only", card["ship"]) == card["ship"]]
    return fitted_ship(pilot, fitting, cards)


def fitted_ship(pilot: str, upgrades: Sequence[str], cards: CardSet) -> PilotShip:
    """Return a pilot's ship with exactly these upgrades; unknown ones keep their place. Its stats beat the ship's."""
    card = cards.pilots[pilot]
    ship = cards.ships[card["ship"]]
    fitted = [(item, cards.upgrades.get(item, {"name": item, "slot": ""})) for item in upgrades]
    stats = {**ship, **card.get("stats", {})}
    gains = [upgrade.get("stats", {}) for _, upgrade in fitted]
    force = [Charges(*item["force"]) for item in (card, *(upgrade for _, upgrade in fitted)) if "force" in item]
    energy = Charges(*ship.get("energy", (0, 0)))
    is_replaced = not replacing().isdisjoint(upgrades)
    chassis = "" if is_replaced else cards.chassis(pilot)
    deeds = [deed for row in rows_of(f"chassis:{chassis}", cards.pool) for deed in row.deeds]
    farthest = max((deed.range for deed in deeds if isinstance(deed, PrimaryReach)), default=3)
    return PilotShip(
        name=card["name"],
        card_set=cards.name,
        pool=cards.pool,
        pilot=pilot,
        ship=ship["name"],
        ship_id=card["ship"],
        ability="" if is_replaced else card.get("ability", ""),
        chassis=chassis,
        faction=card["faction"],
        limited=card["limited"],
        size=ship["size"],
        initiative=card["initiative"],
        agility=total("agility", stats, gains, 0, MAX_POOL),
        hull=total("hull", stats, gains, 1, MAX_HULL),
        shields=total("shields", stats, gains, 0, MAX_HULL),
        shields_recover=ship.get("shields_recover", 0),
        # A ship recovers force once in an End Phase, whatever the number of sources, and never with one of -1.
        force=Charges(
            min(MAX_TOKENS, sum(charges.capacity for charges in force)),
            max((charges.recover for charges in force), default=0) * all(charges.recover >= 0 for charges in force),
        ),
        charges=Charges(*card.get("charges", (0, 0))),
        energy=Charges(total("energy", {"energy": energy.capacity}, gains, 0, MAX_HULL), energy.recover),
        upgrades=tuple(Upgrade.of(id_, item) for id_, item in fitted),
        weapons=(
            *primary_weapons(stats, [item for _, item in fitted], farthest),
            *special_weapons(fitted, [deed.weapon for deed in deeds if isinstance(deed, TurretArc)]),
        ),
    )


@cache
def replacing() -> frozenset[str]:
    """Return the upgrades whose text takes the place of the ship's ability: ``data/sides.json``."""
    return frozenset(json.loads((SHIPPED / "sides.json").read_text(encoding="utf-8"))["replace_the_ability"])


@lru_cache(maxsize=1024)
def remembered_ship(card_set: str, pilot: str, upgrades: Sequence[str]) -> PilotShip | None:
    """Return the card of a ship stored with these ids; None if its set lacks the pilot now."""
    cards = SHELF.of(card_set)
    known = cards.pilot(pilot)
    if known is None:
        return None
    return fitted_ship(known, [cards.upgrade(upgrade) or upgrade for upgrade in upgrades], cards)


TAIL_GUN, CO_PILOT, LOADED = "tailgun", "copilot", "lockedandloaded"
"""Ship abilities about docked ships: the carrier's, and those of the docked ship."""


@lru_cache(maxsize=256)
def carrying(card: PilotShip, docked: PilotShip) -> PilotShip:
    """Return a carrier's card with a ship docked on it: with its pilot ability, its bonus attack, its value behind."""
    guns = (weapon for weapon in docked.weapons if weapon.primary and weapon.arc == "Front Arc")
    tail = (replace(gun, name=TAIL, arc="Rear Arc") for gun in guns)
    lent = {CO_PILOT: ("pilot", docked.pilot, docked.name), LOADED: ("chassis", docked.chassis, docked.ability)}
    weapons = (*card.weapons, *(tail if card.chassis == TAIL_GUN else ()))
    return replace(card, weapons=weapons, lent=(lent[docked.chassis],) if docked.chassis in lent else ())


def total(stat: str, stats: Mapping[str, int], gains: Sequence[Mapping[str, int]], least: int, most: int) -> int:
    return max(least, min(most, stats.get(stat, 0) + sum(gain.get(stat, 0) for gain in gains)))


def primary_weapons(stats: Mapping[str, Any], upgrades: Sequence[Card], farthest: int = 3) -> tuple[Weapon, ...]:
    """Return the ship's primary weapons with upgrades: bonuses go to the Front Arc, or a new one."""
    attacks = [(arc, value) for arc, value in stats["attacks"]]
    gained = sum(upgrade.get("stats", {}).get("attack", 0) for upgrade in upgrades)
    if gained and "Front Arc" not in dict(attacks):
        attacks.append(("Front Arc", 0))
    attacks = [(arc, min(MAX_POOL, value + gained * (arc == "Front Arc"))) for arc, value in attacks]
    turned = dict(upgrade["turns"] for upgrade in upgrades if "turns" in upgrade)
    attacks = [(turned.get(arc, arc), value) for arc, value in attacks]
    names = {arc: PRIMARY if len(attacks) == 1 else Name(f"{PRIMARY} ({arc})") for arc, _ in attacks}
    return tuple(Weapon(name=names[arc], arc=arc, value=dice, farthest=farthest, primary=True) for arc, dice in attacks)


def special_weapons(upgrades: Sequence[tuple[str, Card]], to_turret: Collection[str] = ()) -> tuple[Weapon, ...]:
    """Return the upgrades' weapons in order; kinds in ``to_turret`` have a turret arc instead of the Front Arc."""
    return tuple(
        Weapon(
            name=card["name"],
            arc="Single Turret Arc" if attack["arc"] == "Front Arc" and card["slot"] in to_turret else attack["arc"],
            value=attack["value"],
            nearest=attack["min"],
            farthest=attack["max"],
            ordnance=attack["ordnance"],
            needs=tuple(attack["needs"]),
            needs_any=attack["any"],
            upgrade=id_,
            cost=attack["spends_charges"],
            slot=card["slot"],
        )
        for id_, card in upgrades
        if (attack := card.get("attack"))
    )


# Upgrades with two sides: their names, and the default side
# The faceup side is part of the ship's state, so no attack asks for it (rules page, A round between the dice,
# Two-sided cards; ``data/sides.json``).

FIRES: Final = 0
"""The side that prints such a card's attack: the first."""


@dataclass(frozen=True, slots=True)
class TwoSided:
    """``titles``: both sides', as printed; ``up``: the default side's index."""

    titles: tuple[str, str]
    up: int

    @property
    def title(self) -> str:
        return self.titles[self.up]

    @property
    def short(self) -> str:
        """Return ``Closed: Servomotor S-foils``: the difference comes first, for narrow places."""
        card, _, side = self.title.rstrip(")").partition(" (")
        return f"{side}: {card}" if side else card

    @property
    def word(self) -> str:
        return self.words[self.up]

    @property
    def flip(self) -> "TwoSided":
        return replace(self, up=1 - self.up)

    @property
    def words(self) -> tuple[str, str]:
        """Return the sides' words in rows and line-ups: ``closed``, ``open``; a title without brackets as a whole."""
        first, second = (title.rpartition("(")[2].rstrip(")").casefold() for title in self.titles)
        return first, second


@cache
def two_sided() -> Mapping[str, TwoSided]:
    cards = json.loads((SHIPPED / "sides.json").read_text(encoding="utf-8"))["cards"]
    return {id_: TwoSided(tuple(card["sides"]), card["up"]) for id_, card in cards.items()}


@cache
def condition_names() -> Mapping[str, Name]:
    held = json.loads((SHIPPED / "conditions.json").read_text(encoding="utf-8"))["conditions"]
    return {id_: Name(name) for id_, name in held.items()}


# Ships typed as numbers

HOW_NUMBERS_READ: Final = (Text("Use attack/agility/hull/shields, then initiative and size."), Example("3/2/4/2 i5"))
NUMBERS: Final = re.compile(r"([0-9]{1,3})/([0-9]{1,3})/([0-9]{1,3})(?:/([0-9]{1,3}))?((?: +[a-z0-9]{1,6})*)")


def by_numbers(name: str, typed: str) -> PilotShip:
    """Parse ``3/2/4/2 i5``: attack, agility, hull, shields, initiative, size. Raises ``BadInputError``."""
    read = NUMBERS.fullmatch(" ".join(typed.casefold().split()))
    if read is None:
        raise BadInputError("numbers", typed, *HOW_NUMBERS_READ)
    initiative, size = 0, SIZES[0]
    for word in read[5].split():
        if sized := [item for item in SIZES if item == word]:
            size = sized[0]
        elif re.fullmatch("i[0-9]", word):
            initiative = check_whole_number("initiative", int(word[1:]), 0, MAX_INITIATIVE)
        else:
            raise BadInputError("numbers", typed, *HOW_NUMBERS_READ)
    if not clean(name) or len(name) > MAX_NAME:
        raise BadInputError("name", name, Text("Use 1 to {most} visible characters.", most=MAX_NAME))
    attack = check_whole_number("attack", int(read[1]), 0, MAX_POOL)
    return PilotShip(
        name=clean(name),
        size=size,
        initiative=initiative,
        agility=check_whole_number("agility", int(read[2]), 0, MAX_POOL),
        hull=check_whole_number("hull", int(read[3]), 1, MAX_HULL),
        shields=check_whole_number("shields", int(read[4] or 0), 0, MAX_HULL),
        weapons=(Weapon(name=PRIMARY, arc="Front Arc", value=attack, primary=True),) if attack else (),
    )


def with_free_name(ship: PilotShip, taken: Sequence[str]) -> PilotShip:
    return replace(ship, name=Name(free_name(ship.name, taken)))


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, numbered if taken: ``Academy Pilot``, ``Academy Pilot #2``, ``Academy Pilot #3``."""
    used = {name.casefold() for name in taken}
    number, free, base = 1, name, re.sub(r" #[0-9]+$", "", name)
    while free.casefold() in used:
        number += 1
        ending = f" #{number}"
        free = base[: MAX_NAME - len(ending)] + ending
    return free


def without_quotes(name: str) -> str:
    """Return a name as typed: cards say “Howlrunner”."""
    return name.translate(NO_QUOTES).strip() or name


NO_QUOTES: Final = str.maketrans("", "", '“”"')
