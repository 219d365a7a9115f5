"""Bombs and mines: placed for a charge, and what happens to every ship at their range when they detonate.

Source: rules page, A round between the dice, Devices. What each device does is data (``data/devices.json``). The bot
knows no positions: people tick the ships.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from bot.rules.dice import Rng, Rolled, roll
from bot.rules.errors import PlayerError
from bot.rules.game import Field, Option
from bot.rules.pieces import Done
from bot.rules.text import Count, Name, Names, Sentences, Shown, Text, aside, labelled
from bot.rules.xwing.cards.card_sets import SHIPPED
from bot.rules.xwing.cards.cards import Upgrade
from bot.rules.xwing.dice.faces import NOUNS, Face, Pool
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table.hurt import expose, gains, suffer
from bot.rules.xwing.table.match import MATCH, Match, Placed, Table, changed, match_of, ships_of
from bot.rules.xwing.table.ship import Ship, charge_upgrade

DEVICE, SHIPS, STRAINED = "device", "ships", "strained"
"""The fields of the form."""
DROP, NOW, MAT, FUSE = "drop-", "now-", "mat-", "fuse-"
"""Begin what is picked in the first: place a device, let one detonate at once, or one that lies on the mat; take a
fuse marker off it instead.
"""
OPTIONS_MOST: Final = 25
FACEDOWN, EXPOSED, SHIELDS = "facedown", "exposed", "shields"
AS_CARDS: Final = ("hits", "crits", FACEDOWN, EXPOSED, SHIELDS)
"""What is no token."""


@dataclass(frozen=True, slots=True)
class Device:
    """``near`` says which ships it hits, each of which rolls so many ``dice``; ``always``, and what each face adds."""

    near: Text
    dice: int
    fuse: int
    always: Counter[str]
    faces: Mapping[Face, Counter[str]]


@cache
def devices() -> Mapping[str, Device]:
    """The devices by the ids of their cards, read when a ship first has one."""
    held = json.loads((SHIPPED / "devices.json").read_text(encoding="utf-8"))
    return {
        id_: Device(
            near=Text(one["near"]),
            dice=one.get("dice", 0),
            fuse=one.get("fuse", 0),
            always=Counter(one.get("always", {})),
            faces={Face(face): Counter(one[face]) for face in Pool.RED.results if face in one},
        )
        for id_, one in held.items()
        if id_ != "about"
    }


def carried(ship: Ship) -> Iterator[tuple[int, Upgrade]]:
    """The devices of a ship that have a charge left, with their places among its upgrades."""
    for place, (upgrade, left) in enumerate(zip(ship.card.upgrades, ship.upgrade_charges, strict=True)):
        if left and upgrade.id in devices():
            yield place, upgrade


def on_mat(table: Table, ship: Ship) -> list[tuple[int, Placed]]:
    """The devices that the owner of a ship has placed, with their places in the match."""
    match = match_of(table)
    return [(at, one) for at, one in enumerate(match.mat) if one.owner == ship.owner] if match is not None else []


def fields(table: Table, ship: Ship) -> tuple[Field, ...]:
    """The form of devices: which one, who is at its range; () where there is none."""
    found = list[Option]()
    for at, one in on_mat(table, ship):
        device, name = devices()[one.card], Text("{device} of {ship}", device=one.name, ship=one.by)
        found.append(Option(f"{MAT}{at}", Text("{device} detonates", device=name), device.near))
        if one.fuse:
            fuse = Count(one.fuse, "fuse marker", "fuse markers")
            found.append(Option(f"{FUSE}{at}", Text("{device}: remove a fuse marker", device=name), fuse))
    for place, upgrade in carried(ship):
        left = Text("has {left} of {most}", left=ship.upgrade_charges[place], most=upgrade.charges.capacity)
        found.append(Option(f"{DROP}{place}", Text("Place {device}", device=upgrade.name), left))
        if not devices()[upgrade.id].fuse:
            detonates = Text("{device} detonates at once", device=upgrade.name)
            found.append(Option(f"{NOW}{place}", detonates, devices()[upgrade.id].near))
    if not found:
        return ()
    everybody = tuple(Option(one.name, Name(one.name)) for one in ships_of(table).values() if not one.destroyed)
    hit = Field(SHIPS, Text("If it detonates: which ships"), required=False, options=everybody, several=True)
    which = Field(DEVICE, Text("Which device"), options=tuple(found)[:OPTIONS_MOST])
    if not any(one.always[EXPOSED] for one in map(devices().__getitem__, known(table, ship))):
        return which, hit
    strained = Text("Concussion: who is strained instead")
    return which, hit, Field(STRAINED, strained, required=False, options=everybody, several=True)


def known(table: Table, ship: Ship) -> list[str]:
    """The ids of the devices that its form is about."""
    return [*(one.card for _, one in on_mat(table, ship)), *(upgrade.id for _, upgrade in carried(ship))]


def used(table: Table, ship: Ship, filled: Mapping[str, str], rng: Rng) -> Done:
    """What the form of devices does. Raises ``PlayerError`` for a device that is not there any more, or hits nobody."""
    picked = filled.get(DEVICE, "")
    word, _, place = picked.partition("-")
    at, match = int(place), match_of(table) or Match()
    if f"{word}-" in (DROP, NOW):
        upgrade = next((one for held, one in carried(ship) if held == at), None)
        if upgrade is None:
            raise PlayerError(Text("{ship} has no charge left for that. Choose another device.", ship=ship.name))
        placed = Placed(upgrade.id, upgrade.name, ship.name, ship.owner, devices()[upgrade.id].fuse)
        paid = charge_upgrade(ship, at, -1)
        if f"{word}-" == DROP:
            what = Text("places {device} with {ship}", device=placed.name, ship=ship.name)
            return Done({ship.name: paid, MATCH: replace(match, mat=(*match.mat, placed))}, what)
        return detonated({**table, ship.name: paid}, placed, filled, rng, {ship.name: paid})
    if at >= len(match.mat):
        raise PlayerError(Text("That device is gone. Look at the board again."))
    placed, rest = match.mat[at], (*match.mat[:at], *match.mat[at + 1 :])
    if f"{word}-" == FUSE:
        burnt = replace(placed, fuse=placed.fuse - 1)
        what = Text("removes a fuse marker from {device} of {ship}", device=placed.name, ship=placed.by)
        return Done({MATCH: replace(match, mat=(*match.mat[:at], burnt, *match.mat[at + 1 :]))}, what)
    if placed.fuse:
        raise PlayerError(
            Text("{device} has a fuse marker: remove that in place of the detonation.", device=placed.name)
        )
    left = replace(match, mat=rest)
    return detonated({**table, MATCH: left}, placed, filled, rng, {MATCH: left})


def detonated(table: Table, placed: Placed, filled: Mapping[str, str], rng: Rng, before: Mapping[str, Any]) -> Done:
    """The same happens to every ship that was ticked: each rolls for itself, and suffers and gains what comes."""
    names, strained = (ticked(filled, key) for key in (SHIPS, STRAINED))
    device, changes, told = devices()[placed.card], dict(before), list[Text]()
    dice: list[tuple[Shown, tuple[Rolled, ...]]] = []
    for name in names:
        now = changed(table, changes)
        ship = ships_of(now)[name]
        fell = roll(Pool.RED.value, Pool.RED.faces, device.dice, rng, f"{placed.card}:{name}")
        comes = sum((device.faces.get(Face(str(die.face)), Counter()) for die in fell), device.always)
        made, said = dealt(now, ship, Counter(comes), rng, is_strained=name in strained)
        changes |= made
        told.append(labelled(Name(name), said))
        dice += [(Name(name), fell)] if fell else []
    came = Sentences(told, ". ") or Text("no ship is at its range")
    what = Text("lets {device} of {ship} detonate. {came}", device=placed.name, ship=placed.by, came=came)
    return Done(changes, what, dice=tuple(dice), is_told=True)


def ticked(filled: Mapping[str, str], key: str) -> list[str]:
    return [one for one in filled.get(key, "").split(", ") if one]


def dealt(table: Table, ship: Ship, comes: Counter[str], rng: Rng, *, is_strained: bool) -> tuple[dict[str, Any], Text]:
    """What comes to one ship: shields that go, damage, tokens, a card that ignores shields; and in words."""
    said = list[Shown]()
    if lost := min(comes[SHIELDS], ship.shields_left):
        ship = replace(ship, shields_left=ship.shields_left - lost)
        said.append(Text("loses {shields}", shields=Count(lost, "shield", "shields")))
    ship, damage, decks = suffer({**table, ship.name: ship}, ship, comes["hits"], comes["crits"], rng)
    changes: dict[str, Any] = {**decks}
    said += [NOUNS[face].of(comes[key]) for face, key in ((Face.HIT, "hits"), (Face.CRIT, "crits")) if comes[key]]
    said += [aside(Names(damage.titles))] if damage.titles else []
    for token in () if ship.is_remote else [one for one in comes if one not in AS_CARDS]:
        ship = gains(ship, token, comes[token])
        said.append(TOKENS[token].counted(comes[token]))
    if comes[FACEDOWN]:
        bare, _, decks = suffer({**table, **changes}, replace(ship, shields_left=0), comes[FACEDOWN], 0, rng)
        ship = replace(bare, shields_left=ship.shields_left)
        changes |= decks
        said.append(Text("1 facedown damage card"))
    changes[ship.name] = ship
    if comes[EXPOSED] and not ship.is_remote:
        if is_strained:
            changes[ship.name] = gains(ship, "strain", 1)
            said.append(TOKENS["strain"].counted(1))
        else:
            shown, title = expose({**table, **changes}, ship.name, rng)
            changes |= shown
            said.append(Text("exposes {card}", card=title or Text("a card that nobody named")))
    after: Ship = changes[ship.name]
    said += [Text("it is destroyed")] if after.destroyed else []
    return changes, Sentences(said, ", ") or Text("nothing")
