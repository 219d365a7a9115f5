"""Damage to ships outside attacks: obstacles, bombs, mines, and flipped damage cards. Functions return the changed
pieces by name. Devices are data (``tables/devices.json``). Positions are unknown to the bot: players select the ships.

Source: rules page, step 7, Rolls for what lies on the mat, Squads and data, and A round between the dice, Devices.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from bot.rules import text as texts
from bot.rules.data_tables import table as table_of
from bot.rules.dice import Rng, Rolled, roll
from bot.rules.errors import AllowedWords, BadInputError, NotOfferedError, PlayerError
from bot.rules.game import MAX_OPTIONS, Field, Option
from bot.rules.pieces import BoardChange
from bot.rules.text import N_, UNNAMED, Count, Name, Names, Sentences, Shown, Text, term
from bot.rules.text_values import TextValue, value_reader
from bot.rules.xwing.attack.steps import DamageDealt
from bot.rules.xwing.cards.cards import Upgrade
from bot.rules.xwing.cards.deck import DECKS, Deck, Decks, FaceupEffect, draw, effects_at, hits_become_crits
from bot.rules.xwing.dice.costs import NEXT_CARD
from bot.rules.xwing.dice.faces import NOUNS, Face, Pool
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table import match as matches
from bot.rules.xwing.table.match import Changes, PlacedDevice, Table, match_of, ships_of
from bot.rules.xwing.table.obstacles import Hazard
from bot.rules.xwing.table.ship import Ship, apply_piece_changes, charge_upgrade, damage_ship, find, give, jam, room

MAX_TYPED: Final = 10
"""Maximum typed hits, or crits, of one mine or bomb."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObstacleResult:
    """An obstacle's changes, die, damage, and tokens; ``breaks``: whether locks of and on the ship break."""

    changes: Changes
    die: Rolled
    dealt: DamageDealt
    tokens: tuple[tuple[str, int], ...]
    breaks: tuple[bool, bool]


def suffer(table: Table, ship: Ship, hits: int, crits: int, rng: Rng) -> tuple[Ship, DamageDealt, dict[str, Decks]]:
    """Damage a ship of the table; return the ship, the damage, and the decks if a card was drawn."""
    decks = decks_of(table)
    owned = [item for item in ships_of(table).values() if item.owner == ship.owner]
    deck = decks.deck(ship.owner, [title for item in owned for title in (*item.facedown, *item.faceup)])
    hurt, left, dealt = deal_to(ship, deck, hits, crits, rng)
    return hurt, dealt, {DECKS: decks.with_deck(ship.owner, left)} if left != deck else {}


def decks_of(table: Table) -> Decks:
    decks = table.get(DECKS)
    return decks if isinstance(decks, Decks) else Decks(piles={})


def typed_damage(table: Table, name: str, hits: int, crits: int, rng: Rng) -> tuple[Changes, DamageDealt]:
    """Apply typed damage: of a mine, a bomb, a collision. Raises ``BadInputError`` for none."""
    if not hits + crits:
        raise BadInputError("hits", 0, Text("Use at least 1 hit or 1 crit."))
    ship = find(ships_of(table), name)
    hurt, dealt, decks = suffer(table, ship, hits, crits, rng)
    return {ship.name: hurt, **decks}, dealt


def obstacle(table: Table, name: str, hazard: Hazard, rng: Rng, takes: str = "") -> ObstacleResult:
    """Move a ship through an obstacle; ``takes``: what a jam token removes. Raises ``PlayerError`` for a remote."""
    fleet = ships_of(table)
    ship = find(fleet, name)
    if ship.is_remote:
        raise PlayerError("{ship} is a remote; obstacles don't affect it.", ship=ship.name)
    (die,) = roll(Pool.RED.value, Pool.RED.faces, 1, rng, f"for the {hazard.name}")
    comes = hazard.results_of(Face(str(die.face)))
    holders = [item for item in fleet.values() if hazard.breaks_locks and ship.name in item.locks]
    breaks = hazard.breaks_locks and bool(ship.locks), bool(holders)
    changes: Changes = {holder.name: replace(holder, locks=remove_locks(holder.locks, ship.name)) for holder in holders}
    ship = replace(ship, locks=()) if hazard.breaks_locks else ship
    hurt, dealt, decks = suffer(table, ship, comes.pop("hits", 0), comes.pop("crits", 0), rng)
    for kind, count in comes.items():
        hurt = jam(hurt, count, takes) if kind == "jam" else gain_tokens(hurt, kind, count)
    changes |= {ship.name: hurt, **decks}
    return ObstacleResult(changes=changes, die=die, dealt=dealt, tokens=tuple(comes.items()), breaks=breaks)


def remove_locks(locks: Iterable[str], target: str) -> tuple[str, ...]:
    return tuple(lock for lock in locks if lock != target)


def result_text(happened: ObstacleResult) -> Text:
    """Return ``The red die shows hit: 2 hits, 1 stress token, all its locks and those on it break``."""
    hits, crits = happened.dealt.hits, happened.dealt.crits
    parts: list[Shown] = [Count(hits, "hit", "hits")] if hits else []
    parts += [Count(crits, "crit", "crits")] if crits else []
    parts += [Name(f"({', '.join(happened.dealt.titles)})")] if happened.dealt.titles else []
    gained = [TOKENS[kind].count_text(count) for kind, count in happened.tokens]
    comes = Sentences([Sentences(parts), *gained, BREAKS.get(happened.breaks)], ", ") or Text("nothing more")
    return Text("The red die shows {face}: {comes}", face=term(str(happened.die.face)), comes=comes)


BREAKS: Final[dict[tuple[bool, bool], Text]] = {
    (True, True): Text("its locks and the locks on it break"),
    (True, False): Text("its locks break"),
    (False, True): Text("the locks on it break"),
}
"""Sentences by ``ObstacleResult.breaks``."""


def gain_tokens(ship: Ship, token: str, count: int) -> Ship:
    return give(ship, token, min(count, room(ship, token) - ship.has(token)))


# Damage cards


def repair(table: Table, name: str, rng: Rng, title: str = "") -> Changes:
    """Turn that faceup card facedown, or discard a random facedown one. Raises ``PlayerError`` if there is none."""
    ship = find(ships_of(table), name)
    if title:
        return {ship.name: turn_facedown(ship, faceup_card(ship, title))}
    if not ship.facedown:
        raise PlayerError("{ship} has no facedown damage cards. Name a faceup card to repair.", ship=ship.name)
    return {ship.name: draw_facedown(ship, rng)[0]}


def draw_facedown(ship: Ship, rng: Rng) -> tuple[Ship, Name]:
    """Draw one of the ship's facedown cards at random; return the ship and the title."""
    place = rng(len(ship.facedown))
    return damage_ship(ship, facedown=(*ship.facedown[:place], *ship.facedown[place + 1 :])), ship.facedown[place]


def faceup_card(ship: Ship, title: str) -> str:
    """Return a ship's faceup card by title, ignoring case. Raises ``BadInputError`` listing them."""
    titles, asked = tuple(filter(None, ship.faceup)), title.strip().casefold()
    name = next((item for item in titles if item.casefold() == asked), None)
    if name is None and not titles:
        all_down = Text("All of {ship}'s damage cards are facedown. Leave the card out.", ship=ship.name)
        raise BadInputError("card", title, all_down)
    if name is None:
        cards = Text("Use one of {ship}'s faceup cards: {cards}.", ship=ship.name, cards=Names(titles, "or"))
        raise BadInputError("card", title, AllowedWords(titles, cards))
    return name


def expose(table: Table, name: str, rng: Rng) -> tuple[Changes, str]:
    """Turn a random facedown card faceup and apply it; returns its title. Raises ``PlayerError`` if there is none."""
    ship = find(ships_of(table), name)
    if not ship.facedown:
        raise PlayerError("{ship} has no facedown damage cards to expose.", ship=ship.name)
    ship, title = draw_facedown(ship, rng)
    ship, hits = damage_ship(ship, faceup=(*ship.faceup, title)), 0
    for name_, effect in effects_at((title,), "when dealt"):
        ship, hits = apply_faceup(ship, name_, effect), hits + effect.hits
    hurt, _, decks = suffer({**table, ship.name: ship}, ship, hits, 0, rng)
    return {ship.name: hurt, **decks}, title


def apply_faceup_before_engaging(table: Table, ship: Ship, rng: Rng) -> tuple[Ship, dict[str, Decks], tuple[Text, ...]]:
    """Apply a ship's faceup cards before it engages: Console Fire, Disabled Power Regulator; a line for each."""
    decks, lines = dict[str, Decks](), list[Text]()
    for title, effect in effects_at(ship.faceup, "before engaging"):
        hits, titles = effect.hits, tuple[str, ...]()
        shown: Shown = UNNAMED
        if effect.rolls:
            (die,) = roll(Pool.RED.value, Pool.RED.faces, 1, rng, f"for {title}")
            hits, shown = (hits if die.face == Face.HIT else 0), term(str(die.face))
        if hits:
            ship, dealt, more = suffer({**table, **decks, ship.name: ship}, ship, hits, 0, rng)
            decks, titles = decks | more, dealt.titles
        for kind, count in effect.tokens:
            ship = gain_tokens(ship, kind, count)
        gained: list[Shown] = [TOKENS[kind].count_text(count) for kind, count in effect.tokens]
        if hits:
            hit = Count(hits, "hit", "hits")
            gained.append(texts.bracketed(hit, Names(map(Name, titles))) if titles else hit)
        gets = Sentences(gained, ", ") or Text("nothing")
        message = N_("{card} ({face}): {ship} gets {gets}") if shown else N_("{card}: {ship} gets {gets}")
        lines.append(Text(message, card=Name(title), face=shown, ship=ship.name, gets=gets))
    return ship, decks, tuple(lines)


def engage(table: Table, name: str, rng: Rng, *, anyway: bool = False) -> tuple[Changes, tuple[Shown, ...]]:
    """Let a ship engage without attacking, after its faceup cards' effects. Raises as ``match.engage``."""
    changes: Changes = dict(matches.engage(table, name, anyway=anyway))
    ship = find(ships_of(table), name)
    hurt, decks, lines = apply_faceup_before_engaging({**table, **changes}, changes[ship.name], rng)
    return {**changes, **decks, ship.name: hurt}, lines


def deal_to(ship: Ship, deck: Deck, hits: int, crits: int, rng: Rng) -> tuple[Ship, Deck, DamageDealt]:
    """Apply step 7 to a ship; return the ship, its player's deck, and the damage dealt.

    A card is drawn for each result past the shields. What faceup cards do when dealt (Direct Hit!, Panicked Pilot), and
    after a crit, also one on shields (Fuel Leak), happens at once. It ends, because each further hit comes from a card
    that is then turned facedown.
    """
    before = ship
    waiting, titles = deque(["hit"] * hits + ["crit"] * crits), list[Name]()
    facedown = 0
    while waiting:
        is_crit = (waiting.popleft() == "crit" or hits_become_crits(ship.faceup)) and not ship.is_remote
        came = effects_at(ship.faceup, "after a crit") if is_crit else ()
        if ship.shields_left:
            ship = replace(ship, shields_left=ship.shields_left - 1)
        else:
            title, deck = (UNNAMED, deck) if ship.is_remote else draw(deck, rng)
            kept = next(filter(ship.keeps.get, NEXT_CARD), "") if is_crit else ""
            if kept:
                ship = replace(ship, keeps={**ship.keeps, kept: ship.keeps[kept] - 1})
            if is_crit and title and not kept:
                ship = damage_ship(ship, faceup=(*ship.faceup, title))
                titles.append(title)
                came = (*effects_at((title,), "when dealt"), *came)
            elif not kept.endswith("discarded"):
                ship, facedown = damage_ship(ship, facedown=(*ship.facedown, title or UNNAMED)), facedown + 1
        for name, effect in came:
            ship = apply_faceup(ship, name, effect)
            waiting.extendleft(["hit"] * effect.hits)
    dealt = DamageDealt(
        hits=hits,
        crits=crits,
        shields_lost=before.shields_left - ship.shields_left,
        facedown=facedown,
        faceup=len(titles),
        titles=tuple(titles),
        destroyed=ship.destroyed,
    )
    return ship, deck, dealt


def apply_faceup(ship: Ship, title: str, effect: FaceupEffect) -> Ship:
    """Apply a faceup card's effects other than hits: tokens, and turning facedown if repaired."""
    for token, count in effect.tokens:
        ship = gain_tokens(ship, token, count)
    return turn_facedown(ship, title) if effect.repaired else ship


def turn_facedown(ship: Ship, title: str) -> Ship:
    faceup = list(ship.faceup)
    faceup.remove(Name(title))
    return damage_ship(ship, faceup=faceup, facedown=(*ship.facedown, Name(title)))


# Devices: bombs and mines are placed for a charge, and detonate at every ship in range


DEVICE, SHIPS, STRAINED = "device", "ships", "strained"
"""The fields of the form."""


class DeviceUse(StrEnum):
    """Uses of a device: placed, detonated at once or from the mat, or one fuse marker removed."""

    DROP = "drop"
    NOW = "now"
    MAT = "mat"
    FUSE = "fuse"


class DeviceChoice(TextValue):
    """The first field's choice: the use, and which upgrade or device on the mat."""

    using: DeviceUse
    at: int

    forms = ("{using}-{at}",)


USE_OF_DEVICE: Final = value_reader(DeviceChoice)
FACEDOWN, EXPOSED, SHIELDS = "facedown", "exposed", "shields"
AS_CARDS: Final = ("hits", "crits", FACEDOWN, EXPOSED, SHIELDS)
"""Results that aren't tokens."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device by its card's id. ``near``: affected ships: results ``always``, number of red ``dice``, and additions by
    ``faces``. ``fuse``: initial markers.
    """

    card: str
    near: Text
    dice: int = 0
    fuse: int = 0
    always: Mapping[str, int] = field(default_factory=dict)
    faces: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


DEVICES: Final = {device.card: device for device in table_of("xwing/tables/devices.json", Device)}


def carried_devices(ship: Ship) -> Iterator[tuple[int, Upgrade]]:
    """Yield a ship's devices with charges, with their places among its upgrades."""
    for place, (upgrade, left) in enumerate(zip(ship.card.upgrades, ship.upgrade_charges, strict=True)):
        if left and upgrade.id in DEVICES:
            yield place, upgrade


def placed_devices(table: Table, ship: Ship) -> list[tuple[int, PlacedDevice]]:
    match = match_of(table)
    mat = match.mat if match is not None else ()
    return [(at, placed) for at, placed in enumerate(mat) if placed.owner == ship.owner]


def device_fields(table: Table, ship: Ship) -> tuple[Field, ...]:
    """Return the device form: which one, and the ships in range; () without devices."""
    options = list[Option]()
    for at, placed in placed_devices(table, ship):
        name = Text("{ship}'s {device}", device=placed.name, ship=placed.by)
        use, near = str(DeviceChoice(DeviceUse.MAT, at)), DEVICES[placed.card].near
        options.append(Option(use, Text("{device} detonates", device=name), near))
        if placed.fuse:
            fuse = Count(placed.fuse, "fuse marker", "fuse markers")
            use = str(DeviceChoice(DeviceUse.FUSE, at))
            options.append(Option(use, Text("{device}: remove a fuse marker", device=name), fuse))
    for place, upgrade in carried_devices(ship):
        left = Text("has {left} of {most}", left=ship.upgrade_charges[place], most=upgrade.charges.capacity)
        label = Text("Place {device}", device=upgrade.name)
        options.append(Option(str(DeviceChoice(DeviceUse.DROP, place)), label, left))
        if not DEVICES[upgrade.id].fuse:
            detonates = Text("{device} detonates immediately", device=upgrade.name)
            options.append(Option(str(DeviceChoice(DeviceUse.NOW, place)), detonates, DEVICES[upgrade.id].near))
    if not options:
        return ()
    everybody = tuple(Option(item.name, Name(item.name)) for item in ships_of(table).values() if not item.destroyed)
    hit = Field(SHIPS, Text("If it detonates: affected ships"), required=False, options=everybody, several=True)
    which = Field(DEVICE, Text("Device"), options=tuple(options)[:MAX_OPTIONS])
    cards = [
        *(item.card for _, item in placed_devices(table, ship)),
        *(upgrade.id for _, upgrade in carried_devices(ship)),
    ]
    if not any(EXPOSED in DEVICES[card].always for card in cards):
        return which, hit
    strained = Text("Concussion: who gains strain instead")
    return which, hit, Field(STRAINED, strained, required=False, options=everybody, several=True)


def use_device(table: Table, ship: Ship, filled: Mapping[str, str], rng: Rng) -> BoardChange:
    """Apply the devices form. Raises ``PlayerError`` for a device that is gone, or hits nobody."""
    use, match = USE_OF_DEVICE(filled.get(DEVICE, "")), match_of(table) or matches.Match()
    if use is None:
        raise NotOfferedError
    at = use.at
    if use.using in (DeviceUse.DROP, DeviceUse.NOW):
        upgrade = next((item for held, item in carried_devices(ship) if held == at), None)
        if upgrade is None:
            raise PlayerError("{ship} has no charge left for that. Choose another device.", ship=ship.name)
        placed = PlacedDevice(upgrade.id, upgrade.name, ship.name, ship.owner, DEVICES[upgrade.id].fuse)
        paid: dict[str, Any] = {ship.name: charge_upgrade(ship, at, -1)}
        if use.using is DeviceUse.NOW:
            return detonate(table, placed, filled, rng, paid)
        what = Text("places {device} with {ship}", device=placed.name, ship=ship.name)
        return BoardChange({**paid, matches.MATCH: replace(match, mat=(*match.mat, placed))}, what)
    if at >= len(match.mat):
        raise PlayerError("That device is gone. Look at the board again.")
    placed, before, behind = match.mat[at], match.mat[:at], match.mat[at + 1 :]
    if use.using is DeviceUse.FUSE:
        burnt = replace(placed, fuse=placed.fuse - 1)
        what = Text("removes a fuse marker from {ship}'s {device}", device=placed.name, ship=placed.by)
        return BoardChange({matches.MATCH: replace(match, mat=(*before, burnt, *behind))}, what)
    if placed.fuse:
        raise PlayerError("{device} has a fuse marker: remove it instead of detonating.", device=placed.name)
    return detonate(table, placed, filled, rng, {matches.MATCH: replace(match, mat=(*before, *behind))})


def detonate(
    table: Table, placed: PlacedDevice, filled: Mapping[str, str], rng: Rng, before: Mapping[str, Any]
) -> BoardChange:
    """Detonate a device: each selected ship rolls for itself; ``before``: changes by the detonation itself."""
    names, strained = ([part for part in filled.get(field, "").split(", ") if part] for field in (SHIPS, STRAINED))
    device, changes, told = DEVICES[placed.card], dict(before), list[Text]()
    dice: list[tuple[Shown, tuple[Rolled, ...]]] = []
    for name in names:
        now = apply_piece_changes(table, changes)
        ship = ships_of(now)[name]
        fell = roll(Pool.RED.value, Pool.RED.faces, device.dice, rng, f"{placed.card}:{name}")
        comes = Counter(device.always)
        for die in fell:
            comes.update(device.faces.get(str(die.face), {}))
        result, said = apply_hit(now, ship, comes, rng, is_strained=name in strained)
        changes |= result
        told.append(texts.labeled(Name(name), said))
        dice += [(Name(name), fell)] if fell else []
    came = Sentences(told, ". ") or Text("no ship is at its range")
    what = Text("detonates {ship}'s {device}. {came}", device=placed.name, ship=placed.by, came=came)
    return BoardChange(changes, what, dice=tuple(dice), is_told=True)


def apply_hit(
    table: Table, ship: Ship, comes: Counter[str], rng: Rng, *, is_strained: bool
) -> tuple[dict[str, Any], Text]:
    """Apply results to one ship: shields lost, damage, tokens, a card that ignores shields; also return a sentence."""
    said = list[Shown]()
    if lost := min(comes[SHIELDS], ship.shields_left):
        ship = replace(ship, shields_left=ship.shields_left - lost)
        said.append(Text("loses {shields}", shields=Count(lost, "shield", "shields")))
    ship, damage, decks = suffer({**table, ship.name: ship}, ship, comes["hits"], comes["crits"], rng)
    changes: Changes = {**decks}
    said += [NOUNS[face].of(comes[key]) for face, key in ((Face.HIT, "hits"), (Face.CRIT, "crits")) if comes[key]]
    said += [texts.parenthesized(Names(damage.titles))] if damage.titles else []
    for token in () if ship.is_remote else [come for come in comes if come not in AS_CARDS]:
        ship = gain_tokens(ship, token, comes[token])
        said.append(TOKENS[token].count_text(comes[token]))
    if comes[FACEDOWN]:
        bare, _, decks = suffer({**table, **changes}, replace(ship, shields_left=0), comes[FACEDOWN], 0, rng)
        ship = replace(bare, shields_left=ship.shields_left)
        changes |= decks
        said.append(Text("1 facedown damage card"))
    changes[ship.name] = ship
    if comes[EXPOSED] and not ship.is_remote and is_strained:
        changes[ship.name] = gain_tokens(ship, "strain", 1)
        said.append(TOKENS["strain"].count_text(1))
    elif comes[EXPOSED] and not ship.is_remote:
        shown, title = expose({**table, **changes}, ship.name, rng)
        changes |= shown
        said.append(Text("exposes {card}", card=title or Text("an unnamed card")))
    after: Ship = changes[ship.name]
    said += [Text("it is destroyed")] if after.destroyed else []
    return changes, Sentences(said, ", ") or Text("nothing")
