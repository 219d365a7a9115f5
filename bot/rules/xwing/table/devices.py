"""Bombs and mines: placed for a charge, and what happens to every ship at their range when they detonate.

Source: rules page, A round between the dice, Devices. What each device does is data (``tables/devices.json``). The bot
knows no positions: people tick the ships.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.rules.dice import Rng, Rolled, roll
from bot.rules.errors import PlayerError
from bot.rules.game import Field, Option
from bot.rules.pieces import Done
from bot.rules.rows import table as table_of
from bot.rules.text import N_, Count, Name, Names, Sentences, Shown, Text, aside, labelled
from bot.rules.xwing.cards.cards import Upgrade
from bot.rules.xwing.dice.faces import NOUNS, Face, Pool
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table.hurt import expose, gains, suffer
from bot.rules.xwing.table.match import MATCH, Match, Placed, Table, changed, match_of, ships_of
from bot.rules.xwing.table.ship import Ship, charge_upgrade

DEVICE, SHIPS, STRAINED = "device", "ships", "strained"
"""The fields of the form."""
DROP, NOW, MAT, FUSE = "drop", "now", "mat", "fuse"
"""Begin what is picked in the first: place a device, let one detonate at once, or one that lies on the mat; take a
fuse marker off it instead.
"""
OPTIONS_MOST: Final = 25
FACEDOWN, EXPOSED, SHIELDS = "facedown", "exposed", "shields"
AS_CARDS: Final = ("hits", "crits", FACEDOWN, EXPOSED, SHIELDS)
"""What is no token."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device by the id of its card. ``near`` says which ships it hits: what each of them suffers ``always``, how many
    red ``dice`` it rolls, and what each of their ``faces`` adds. ``fuse``: with so many markers it is placed.
    """

    card: str
    near: Text
    dice: int = 0
    fuse: int = 0
    always: Mapping[str, int] = field(default_factory=dict)
    faces: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


DEVICES: Final = {one.card: one for one in table_of("xwing/tables/devices.json", Device)}


def carried(ship: Ship) -> Iterator[tuple[int, Upgrade]]:
    """The devices of a ship that have a charge left, with their places among its upgrades."""
    for place, (upgrade, left) in enumerate(zip(ship.card.upgrades, ship.upgrade_charges, strict=True)):
        if left and upgrade.id in DEVICES:
            yield place, upgrade


def on_mat(table: Table, ship: Ship) -> list[tuple[int, Placed]]:
    """The devices that the owner of a ship has placed, with their places in the match."""
    match = match_of(table)
    return [(at, one) for at, one in enumerate(match.mat) if one.owner == ship.owner] if match is not None else []


def fields(table: Table, ship: Ship) -> tuple[Field, ...]:
    """The form of devices: which one, who is at its range; () where there is none."""
    found = list[Option]()
    for at, one in on_mat(table, ship):
        name = Text("{device} of {ship}", device=one.name, ship=one.by)
        found.append(Option(f"{MAT}-{at}", Text("{device} detonates", device=name), DEVICES[one.card].near))
        if one.fuse:
            fuse = Count(one.fuse, "fuse marker", "fuse markers")
            found.append(Option(f"{FUSE}-{at}", Text("{device}: remove a fuse marker", device=name), fuse))
    for place, upgrade in carried(ship):
        left = Text("has {left} of {most}", left=ship.upgrade_charges[place], most=upgrade.charges.capacity)
        found.append(Option(f"{DROP}-{place}", Text("Place {device}", device=upgrade.name), left))
        if not DEVICES[upgrade.id].fuse:
            detonates = Text("{device} detonates at once", device=upgrade.name)
            found.append(Option(f"{NOW}-{place}", detonates, DEVICES[upgrade.id].near))
    if not found:
        return ()
    everybody = tuple(Option(one.name, Name(one.name)) for one in ships_of(table).values() if not one.destroyed)
    hit = Field(SHIPS, Text("If it detonates: which ships"), required=False, options=everybody, several=True)
    which = Field(DEVICE, Text("Which device"), options=tuple(found)[:OPTIONS_MOST])
    cards = [*(one.card for _, one in on_mat(table, ship)), *(upgrade.id for _, upgrade in carried(ship))]
    if not any(EXPOSED in DEVICES[card].always for card in cards):
        return which, hit
    strained = Text("Concussion: who is strained instead")
    return which, hit, Field(STRAINED, strained, required=False, options=everybody, several=True)


def used(table: Table, ship: Ship, filled: Mapping[str, str], rng: Rng) -> Done:
    """What the form of devices does. Raises ``PlayerError`` for a device that is not there any more, or hits nobody."""
    word, _, place = filled.get(DEVICE, "").partition("-")
    at, match = int(place), match_of(table) or Match()
    if word in (DROP, NOW):
        upgrade = next((one for held, one in carried(ship) if held == at), None)
        if upgrade is None:
            raise PlayerError(Text("{ship} has no charge left for that. Choose another device.", ship=ship.name))
        placed = Placed(upgrade.id, upgrade.name, ship.name, ship.owner, DEVICES[upgrade.id].fuse)
        paid: dict[str, Any] = {ship.name: charge_upgrade(ship, at, -1)}
        if word == NOW:
            return detonated(table, placed, filled, rng, paid)
        what = Text("places {device} with {ship}", device=placed.name, ship=ship.name)
        return Done({**paid, MATCH: replace(match, mat=(*match.mat, placed))}, what)
    if at >= len(match.mat):
        raise PlayerError(Text("That device is gone. Look at the board again."))
    placed, before, behind = match.mat[at], match.mat[:at], match.mat[at + 1 :]
    if word == FUSE:
        burnt = replace(placed, fuse=placed.fuse - 1)
        what = Text("removes a fuse marker from {device} of {ship}", device=placed.name, ship=placed.by)
        return Done({MATCH: replace(match, mat=(*before, burnt, *behind))}, what)
    if placed.fuse:
        message = N_("{device} has a fuse marker: remove that in place of the detonation.")
        raise PlayerError(Text(message, device=placed.name))
    return detonated(table, placed, filled, rng, {MATCH: replace(match, mat=(*before, *behind))})


def detonated(table: Table, placed: Placed, filled: Mapping[str, str], rng: Rng, before: Mapping[str, Any]) -> Done:
    """The same happens to every ship that was ticked: each rolls for itself, and suffers and gains what comes.

    ``before``: what the detonation itself changes.
    """
    names, strained = ([one for one in filled.get(key, "").split(", ") if one] for key in (SHIPS, STRAINED))
    device, changes, told = DEVICES[placed.card], dict(before), list[Text]()
    dice: list[tuple[Shown, tuple[Rolled, ...]]] = []
    for name in names:
        now = changed(table, changes)
        ship = ships_of(now)[name]
        fell = roll(Pool.RED.value, Pool.RED.faces, device.dice, rng, f"{placed.card}:{name}")
        comes = Counter(device.always)
        for die in fell:
            comes.update(device.faces.get(str(die.face), {}))
        made, said = dealt(now, ship, comes, rng, is_strained=name in strained)
        changes |= made
        told.append(labelled(Name(name), said))
        dice += [(Name(name), fell)] if fell else []
    came = Sentences(told, ". ") or Text("no ship is at its range")
    what = Text("lets {device} of {ship} detonate. {came}", device=placed.name, ship=placed.by, came=came)
    return Done(changes, what, dice=tuple(dice), is_told=True)


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
    if comes[EXPOSED] and not ship.is_remote and is_strained:
        changes[ship.name] = gains(ship, "strain", 1)
        said.append(TOKENS["strain"].counted(1))
    elif comes[EXPOSED] and not ship.is_remote:
        shown, title = expose({**table, **changes}, ship.name, rng)
        changes |= shown
        said.append(Text("exposes {card}", card=title or Text("a card that nobody named")))
    after: Ship = changes[ship.name]
    said += [Text("it is destroyed")] if after.destroyed else []
    return changes, Sentences(said, ", ") or Text("nothing")
