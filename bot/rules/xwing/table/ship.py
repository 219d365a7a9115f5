"""A ship of a channel: card, tokens, damage, and actions this round; and a channel's ships together: adding, removing,
and locks. Those functions return the changed ships by name, None for a removed one. Rounds and phases are in ``match``.

Source: rules page, Tokens on ships, per channel.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field as default, fields, replace
from difflib import get_close_matches
from functools import cache
from itertools import chain, islice, repeat
from typing import Any, Final, Literal, TypeVar

from bot.rules.errors import AllowedWords, AtMost, BadInputError, PlayerError, quote_value
from bot.rules.game import Side
from bot.rules.json_reader import check_whole_number
from bot.rules.name import MAX_NAME, clean
from bot.rules.text import N_, UNNAMED, Message, Name, Names, Noun, Text
from bot.rules.xwing.cards import cards, deck
from bot.rules.xwing.cards.card_sets import OWN, SHIPPED, key_of
from bot.rules.xwing.cards.cards import PilotShip, Size, TwoSided, two_sided
from bot.rules.xwing.dice import faces, tokens, typed_sides
from bot.rules.xwing.dice.costs import CardId
from bot.rules.xwing.dice.declared import MAX_HULL, MAX_POOL, DiceEffect
from bot.rules.xwing.dice.tokens import COUNTED, GREEN, KINDS, MAX_HELD, MAX_TOKENS, TOKENS, TokenShape
from bot.rules.xwing.table.obstacles import OBJECTS

CARD: Final[Mapping[str, tuple[int, int]]] = {
    "attack": (0, MAX_POOL),
    "agility": (0, MAX_POOL),
    "hull": (1, MAX_HULL),
    "shields": (0, MAX_HULL),
    "force": (0, MAX_TOKENS),
    "charge": (0, MAX_TOKENS),
    "initiative": (0, cards.MAX_INITIATIVE),
}
"""Numbers of a ship card, with minimum and maximum."""
PRINTED: Final = ("size", "initiative", "agility", "hull", "shields")
"""Fields of a ship copied from its card."""
RESERVED: Final = "the match"
"""The name of the piece that holds rounds and phases."""
PLANS: Final = "plans of player"
"""Prefix of piece names with commitments."""


@dataclass(frozen=True, slots=True)
class Stood:
    """A ship's values before a maneuver: fields of ``Ship`` with these names."""

    tokens: Mapping[str, int]
    force_left: int
    charge_left: int
    shields_left: int
    energy_left: int
    upgrade_charges: tuple[int, ...]
    flipped: tuple[int, ...]
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Flight:
    """A ship's activation this round: codes of the maneuver on its dial ("" for none) and of the executed one.

    ``why`` they differ: ``ion``, ``stressed``, ``no force``, ``forgotten``; "" for the dial's. ``skips``: its action is
    lost by ``overlap``, except a red one (``may``). ``is_over``: its activation. ``stood``: the ship before, while
    cards may change the maneuver; ``stands``: mark of the ship after; ``chosen``: cards that changed it
    (``flying.Choice.code``). ``partly``: the ship before effects of full execution. ``has_acted``: it took its action
    with its reveal. ``is_done_acting``: a card allows no other action.
    """

    dial: str = ""
    maneuver: str = ""
    why: str = ""
    skips: str = ""
    may: bool = False
    is_over: bool = False
    stood: Stood | None = None
    stands: str = ""
    partly: Stood | None = None
    has_acted: bool = False
    chosen: tuple[str, ...] = ()
    is_done_acting: bool = False


TREATED: Final = "initiative"
"""The mark of a ship whose initiative a card lets be treated as another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ship:
    """A ship on the table. ``force``, ``charge`` (recurring), ``energy``, and ``shields`` are capacities, ``*_left``
    current.

    ``owner``: a player's number, 0 for anybody. ``pilot`` and ``upgrades``: card ids in ``card_set``, "" and () for a
    ship typed as numbers; ``upgrade_charges``: charges left per upgrade, in that order; ``flipped``: indexes of flipped
    ones.

    ``facedown`` and ``faceup``: titles of its damage cards; "" for an unnamed one. Only its owner may see facedown
    ones. Once destroyed it stays ``wrecked``, whatever is repaired.

    ``is_remote``: it has facedown damage cards only, no tokens, and no deck. ``attacks``: made this round,
    ``bonus_attacks`` of them as bonus attacks. ``last_target``, ``last_range``, ``last_weapon``: of its last attack, ""
    and None before. ``points``: its cost in its squad, 0 if unknown.

    ``flight``: its activation this round, None before; ``last_dial``: the maneuver before that. ``docked``: its
    carrier's name, "" on the mat; ``carries``: pilot of the ship docked on it, or "". ``conditions``: ids of condition
    cards; ``on_cards``: tokens on its upgrades; ``keeps``: tokens kept in this round's End Phase, charges and force not
    recovered, and cards that mark it until then; ``acts_at``: its initiative by a card until the end of the round;
    ``acts_stressed``: it may act while stressed.

    ``locks``: names of locked ships. ``abilities``: card effects in short words, used whenever it attacks or defends.
    """

    kind: Literal["ship"] = "ship"
    name: Name
    owner: int = 0
    card_set: str = ""
    printed: PilotShip | None = None
    pilot: str = ""
    upgrades: tuple[str, ...] = ()
    size: Size = "small"
    attack: int = 0
    agility: int = 0
    hull: int = 1
    shields: int = 0
    force: int = 0
    charge: int = 0
    energy: int = 0
    initiative: int = 0
    abilities: str = ""
    tokens: Mapping[str, int]
    force_left: int = 0
    charge_left: int = 0
    shields_left: int = 0
    energy_left: int = 0
    upgrade_charges: tuple[int, ...] = ()
    flipped: tuple[int, ...] = ()
    facedown: tuple[Name, ...] = ()
    faceup: tuple[Name, ...] = ()
    wrecked: bool = False
    locks: tuple[str, ...] = ()
    is_remote: bool = False
    engaged: bool = False
    attacks: int = 0
    bonus_attacks: int = 0
    last_target: str = ""
    last_range: int | None = None
    last_weapon: str = ""
    points: int = 0
    flight: Flight | None = None
    last_dial: str = ""
    docked: str = ""
    carries: str = ""
    conditions: tuple[str, ...] = ()
    on_cards: Mapping[str, int] = default(default_factory=dict)
    keeps: Mapping[str, int] = default(default_factory=dict)
    acts_at: int | None = None
    acts_stressed: bool = False

    @property
    def turn(self) -> int:
        """Return the initiative at which it acts this round, which a card may change."""
        if not self.keeps and self.acts_at is None and self.pilot not in turned_pilots():  # nearly all, often asked
            return self.initiative
        return self.initiative_value if self.acts_at is None else self.acts_at

    @property
    def initiative_value(self) -> int:
        """Return its initiative for comparisons, which a card may let be treated as another."""
        is_damaged, turn = turned_pilots().get(self.pilot, (not self.cards, 0))
        return self.keeps.get(TREATED, turn if is_damaged is bool(self.cards) else self.initiative)

    @property
    def activation(self) -> Flight | None:
        """The flight of an activating ship; None before, and once that is over."""
        return self.flight if self.flight is not None and not self.flight.is_over else None

    @property
    def has_attacked(self) -> bool:
        """Whether it has made its attack this round, apart from bonus attacks."""
        return self.attacks > self.bonus_attacks

    @property
    def destroyed(self) -> bool:
        """Step 7: as many damage cards as hull, now or before."""
        return self.wrecked or len(self.facedown) + len(self.faceup) >= self.hull

    @property
    def cards(self) -> int:
        return len(self.facedown) + len(self.faceup)

    @property
    def hull_left(self) -> int:
        return max(0, self.hull - self.cards)

    @property
    def card(self) -> PilotShip:
        """Return its card with weapons and upgrades; the ship's own numbers may differ."""
        if known := self.printed or (self.pilot and cards.remembered_ship(self.card_set, self.pilot, self.upgrades)):
            docked = self.carries and cards.remembered_ship(self.card_set, self.carries, ())
            return cards.carrying(known, docked) if docked else known
        same: dict[str, Any] = {item: getattr(self, item) for item in ("name", *PRINTED)}
        return PilotShip(
            **same,
            force=cards.Charges(self.force, 1),
            charges=cards.Charges(self.charge, 1),
            upgrades=tuple(cards.Upgrade(upgrade, Name(upgrade)) for upgrade in self.upgrades),
            weapons=(cards.Weapon(name=cards.PRIMARY, arc="Front Arc", value=self.attack, primary=True),),
        )

    @property
    def sides(self) -> Mapping[int, TwoSided]:
        """Upgrades with two sides by their indexes: ``up`` is the faceup side."""
        result = {place: two_sided()[id_] for place, id_ in enumerate(self.upgrades) if id_ in two_sided()}
        return {at: item.flip if at in self.flipped else item for at, item in result.items()}

    @property
    def titles(self) -> tuple[Name, ...]:
        """Return its upgrades' names; a two-sided one's faceup title."""
        sides = self.sides
        return tuple(
            Name(sides[at].title) if at in sides else upgrade.name for at, upgrade in enumerate(self.card.upgrades)
        )

    def has(self, kind: str) -> int:
        """Return how many of a kind it has now."""
        if kind not in COUNTED:
            return self.tokens.get(kind, 0)
        held = getattr(self, COUNTED[kind].left)
        return len(held) if isinstance(held, tuple) else int(held)


def launch(name: str, **card: Any) -> Ship:
    """Return a new ship with full shields, force, and charges. Raises ``PlayerError`` for invalid numbers."""
    seen = clean(name)
    if not seen or len(name) > MAX_NAME:
        raise BadInputError("name", name, Text("Use 1 to {most} visible characters.", most=MAX_NAME))
    if seen.casefold() in (RESERVED, deck.DECKS) or seen.casefold().startswith(PLANS):
        reserved = Text("Use another name. That one is reserved for the match or a damage deck.")
        raise BadInputError("name", name, reserved)
    return refit(Ship(name=seen, tokens={}), **card)


def remote(name: str, **card: Any) -> Ship:
    """Return a remote: initiative, agility, and hull only. Raises ``PlayerError`` as ``launch``."""
    return replace(launch(name, **card), is_remote=True)


def from_card(card: PilotShip, owner: int = 0) -> Ship:
    """Return a new ship from its card, with full shields, force, and charges; nicknames lose their quotes."""
    same: dict[str, Any] = {item: getattr(card, item) for item in ("card_set", "pilot", "attack", "points", *PRINTED)}
    ship = Ship(
        name=Name(cards.without_quotes(card.name)),
        owner=owner,
        printed=card if key_of(card.card_set) == OWN else None,
        upgrades=tuple(upgrade.id for upgrade in card.upgrades),
        force=card.force.capacity,
        charge=card.charges.capacity,
        energy=card.energy.capacity,
        tokens={},
        **same,
    )
    return reset_ship(ship)


def refit(ship: Ship, **card: Any) -> Ship:
    """Change a ship's numbers or abilities; current values follow their capacity."""
    for field, given in card.items():
        if field != "abilities":
            check_whole_number(field, given, *CARD[field])
    for side in Side:
        abilities(card.get("abilities", ""), side)
    more = {left: card[field] - getattr(ship, field) for left, field in CAPACITIES.items() if field in card}
    return replace(ship, **card, **{left: max(0, getattr(ship, left) + count) for left, count in more.items()})


CAPACITIES: Final = {token.left: token.capacity for token in COUNTED.values() if token.capacity}
"""Fields of current values, and of their capacities."""


SIDES: Final[Mapping[str, Side]] = {"attacking": Side.ATTACKER, "defending": Side.DEFENDER}
"""Prefixes of abilities for one side, on either side's dice."""
SIDED: Final = re.compile(r"\b(attacking|defending)\s*:", re.IGNORECASE)


def abilities(text: str, side: Side) -> tuple[DiceEffect, ...]:
    """Parse a ship's abilities on this side: ``attacking: -1 dice green; defending: reroll 1 blank``.

    Without a prefix, effects apply to the ship's own dice, red when it attacks; one without a color that fits both, as
    ``reroll 1 blank``, helps on both sides. Raises ``PlayerError`` for words that fit neither side, and for tokens,
    hull, shields, and costs.
    """
    if len(text) > typed_sides.LONGEST:
        raise BadInputError("abilities", text, AtMost(typed_sides.LONGEST))
    unsided, *sided = SIDED.split(text)
    by_side = [ability(part) for part in typed_sides.phrases(unsided)]
    for name, phrases in zip(sided[::2], sided[1::2], strict=True):
        of = SIDES[name.lower()]
        by_side += [{of: only_effect(part, of)} for part in typed_sides.phrases(phrases)]
    kept = tuple(effects[side] for effects in by_side if side in effects)
    typed_sides.check(kept, "abilities")
    return kept


def ability(part: str) -> dict[Side, DiceEffect]:
    """Parse a phrase for each side on which it changes the ship's own dice; raises if on none."""
    result: dict[Side, DiceEffect] = {}
    which = Text("Say when it applies, as in `attacking: -1 dice green`.")
    refused: PlayerError = BadInputError("abilities", part.strip(), which)
    for side in reversed(Side):
        try:
            result[side] = only_effect(part, side)
        except PlayerError as refusal:
            refused = refusal
    own = {side: effect for side, effect in result.items() if effect.pool is faces.OWN_POOL[side]}
    if not own:
        raise refused
    return own


def only_effect(part: str, side: Side) -> DiceEffect:
    phrase = typed_sides.SidePhrase(part, side, "abilities")
    typed = typed_sides.SideBuilder()
    typed.add(phrase)
    phrase.end()
    if not typed.effects:
        on_dice = Text(
            "Use effects on dice, as in `reroll 1 blank, change 1 focus to hit`; for tokens use `/xwing token give`."
        )
        raise BadInputError("abilities", part.strip(), on_dice)
    return typed.effects[0]


def give(ship: Ship, kind: str, count: int) -> Ship:
    """Add ``count`` of a kind to a ship (negative: remove); force and shields up to their capacity. A jam token removes
    an arriving green one and itself; ion breaks locks. Raises ``PlayerError`` if there are not enough, or no room.
    """
    if kind not in KINDS:
        raise BadInputError("token", kind, AllowedWords(tuple(KINDS)))
    if ship.is_remote and TOKENS[kind].kind is not TokenShape.DAMAGE:
        raise PlayerError("{ship} is a remote and can't have tokens, only locks on it.", ship=ship.name)
    has, most = ship.has(kind), room(ship, kind)
    counted = TOKENS[kind].count_text(has)
    if has + count < 0:
        message = N_("{ship} has only {counted}. Remove at most {has}.")
        if not has:
            message = N_("{ship} has {counted} to remove. To see what it has, use `/xwing ship list`.")
        raise PlayerError(Text(message, ship=ship.name, counted=counted, has=has))
    if count > 0 and has + count > most:
        more = Text("Give at most {more} more.", more=most - has) if has < most else Text("It can't have more.")
        message = N_("{ship} has {counted} and can have at most {most}. {more}")
        raise PlayerError(Text(message, ship=ship.name, counted=counted, most=most, more=more))
    ship = set_to(ship, kind, has + count)
    if kind in GREEN and count > 0 and (taken := min(count, ship.has("jam"))):
        ship = set_to(set_to(ship, kind, ship.has(kind) - taken), "jam", ship.has("jam") - taken)
    return replace(ship, locks=()) if kind == "ion" and is_affected(ship, "ion") else ship


def find_charged(ship: Ship, name: str, field: str = "upgrade") -> int:
    """Return the place of an upgrade with charges by name. Raises ``BadInputError`` listing those with charges."""
    held = {place: upgrade.name for place, upgrade in enumerate(ship.card.upgrades) if upgrade.charges.capacity}
    result = next((place for place, item in held.items() if item.casefold() == name.strip().casefold()), None)
    if result is None and not held:
        raise BadInputError(field, name, Text("Leave it out: none of {ship}'s upgrades has charges.", ship=ship.name))
    if result is None:
        upgrades = Names(held.values(), "or")
        allowed = Text("Use one of {ship}'s upgrades with charges: {upgrades}.", ship=ship.name, upgrades=upgrades)
        raise BadInputError(field, name, AllowedWords(tuple(held.values()), allowed))
    return result


def charge_upgrade(ship: Ship, place: int, count: int) -> Ship:
    """Add charges to an upgrade (negative: remove). Raises ``PlayerError`` if there are not enough, or no room."""
    upgrade, left = ship.card.upgrades[place], ship.upgrade_charges[place]
    most = upgrade.charges.capacity
    if not 0 <= left + count <= most:
        message = N_("{ship}'s {upgrade} has {left} of {most} charges. Choose again.")
        raise PlayerError(Text(message, upgrade=upgrade.name, ship=ship.name, left=left, most=most))
    charges = (*ship.upgrade_charges[:place], left + count, *ship.upgrade_charges[place + 1 :])
    return replace(ship, upgrade_charges=charges)


def flip(ship: Ship, place: int) -> Ship:
    others = tuple(item for item in ship.flipped if item != place)
    return replace(ship, flipped=others if place in ship.flipped else tuple(sorted((*others, place))))


def is_affected(ship: Ship, kind: str) -> bool:
    """Whether a ship has enough of a kind for an effect on its size: tractored, ionized."""
    return ship.has(kind) >= (tokens.SIZE_NEEDS[ship.size] if TOKENS[kind].by_size else 1)


def jam_takes(ship: Ship) -> tuple[str, ...]:
    """List what an arriving jam token may remove: the kinds of green tokens, and locks by their target."""
    return (*(name for name in GREEN if ship.has(name)), *(f"lock on {target}" for target in ship.locks))


def jam(ship: Ship, count: int, takes: str = "") -> Ship:
    """Add jam tokens: each removes one green token or lock and itself; with nothing to remove it stays.

    ``takes``: the jamming player's choices, comma-separated, of ``jam_takes``; may be empty with one possibility.
    Raises ``BadInputError`` for anything else.
    """
    for chosen in islice(chain(takes.split(","), repeat("")), count):
        possible, asked = jam_takes(ship), chosen.strip().casefold()
        if not possible:
            ship = give(ship, "jam", 1)
            continue
        named = {name.casefold(): name for name in possible} | ({"lock": possible[-1]} if len(ship.locks) == 1 else {})
        taken = named.get(asked, "" if asked or len(possible) > 1 else possible[0])
        if not taken:
            wanted = Text("Use one that {ship} has: {tokens}.", ship=ship.name, tokens=Names(possible, "or"))
            raise BadInputError("takes", chosen.strip(), wanted)
        if taken in GREEN:
            ship = set_to(ship, taken, ship.has(taken) - 1)
        else:
            ship = replace(ship, locks=tuple(target for target in ship.locks if f"lock on {target}" != taken))
    return ship


def room(ship: Ship, kind: str) -> int:
    """Return how many of a kind a ship can have."""
    token = TOKENS[kind]
    if token.is_capped:
        return int(getattr(ship, token.capacity))
    return MAX_HULL if token.kind is TokenShape.DAMAGE else token.ship_most


def set_to(ship: Ship, kind: str, count: int) -> Ship:
    if TOKENS[kind].kind is TokenShape.DAMAGE:
        cards: tuple[Name, ...] = getattr(ship, TOKENS[kind].left)
        return damage_ship(ship, **{TOKENS[kind].left: (*cards[:count], *[UNNAMED] * (count - len(cards)))})
    if kind in COUNTED:
        left: dict[str, Any] = {COUNTED[kind].left: count}
        return replace(ship, **left)
    return replace(ship, tokens={token: held for token, held in {**ship.tokens, kind: count}.items() if held})


def damage_ship(ship: Ship, **cards: Iterable[Name]) -> Ship:
    """Set the ship's ``facedown`` or ``faceup`` damage cards, or both; records its destruction."""
    held: dict[str, Any] = {side: tuple(titles) for side, titles in cards.items()}
    new = replace(ship, **held)
    return replace(new, wrecked=new.destroyed)


def end_of_round(ship: Ship) -> Ship:
    """Remove circular tokens except those it ``keeps``, recover charges and shields, and start a new round. Recovery is
    as on the ship card and each upgrade; a typed ship recovers one force and one recurring charge. Values above the
    capacity stay.
    """
    card = ship.card
    charges = zip(ship.upgrade_charges, card.upgrades, strict=True)
    return replace(
        ship,
        tokens={token: left for token, held in ship.tokens.items() if (left := min(held, staying(ship, token)))},
        keeps={},
        acts_at=None,
        acts_stressed=False,
        force_left=recover_charges(ship.force_left, ship.force, card.force.recover - ship.keeps.get("force", 0)),
        charge_left=recover_charges(ship.charge_left, ship.charge, card.charges.recover - ship.keeps.get("charge", 0)),
        shields_left=recover_charges(ship.shields_left, ship.shields, card.shields_recover),
        energy_left=recover_charges(ship.energy_left, ship.energy, card.energy.recover),
        upgrade_charges=tuple(
            recover_charges(left, item.charges.capacity, item.charges.recover - ship.keeps.get(str(item.name), 0))
            for left, item in charges
        ),
        engaged=False,
        attacks=0,
        bonus_attacks=0,
        flight=None,
        last_dial=ship.flight.dial if ship.flight is not None and ship.flight.dial else ship.last_dial,
    )


def recovering(ship: Ship) -> tuple[str, ...]:
    """Return what is recovered in the End Phase: ``charge``, ``force``, and names of upgrades with charges."""
    later = end_of_round(ship)
    held = zip(ship.card.upgrades, ship.upgrade_charges, later.upgrade_charges, strict=True)
    own = (kind for kind in ("charge", "force") if later.has(kind) > ship.has(kind))
    return (*own, *(str(upgrade.name) for upgrade, left, after in held if after > left))


def staying(ship: Ship, token: str) -> int:
    """Return how many tokens of a kind stay on a ship in the End Phase, if it has them."""
    return ship.keeps.get(token, 0) if token in tokens.CIRCULAR else MAX_HELD


@dataclass(frozen=True, slots=True)
class Setup:
    """A card's effect on its ship at setup: ``data/setup.json``.

    ``lost``: charges it loses; ``tokens`` it gains; ``on_card``: tokens on the card; ``facedown``: number of damage
    cards. ``turn``: its fixed initiative while damaged (true), or undamaged. ``locks``: maximum locks; ``hidden``: it
    can't be locked while cloaked, or by no enemy (``enemies``). ``spent``: the card sets in which no card recovers its
    charges.
    """

    lost: int = 0
    tokens: Mapping[str, int] = default(default_factory=dict)
    on_card: Mapping[str, int] = default(default_factory=dict)
    facedown: int = 0
    turn: tuple[bool, int] | None = None
    locks: int = 1
    hidden: Literal["", "all", "enemies"] = ""
    spent: Sequence[str] = ()


NO_SETUP: Final = Setup()


@cache
def setups() -> Mapping[str, Setup]:
    """Return what cards do to their ship from setup on, by card."""
    held = json.loads((SHIPPED / "setup.json").read_text(encoding="utf-8"))["cards"]
    return {card: Setup(**{**row, "turn": tuple(row["turn"]) if "turn" in row else None}) for card, row in held.items()}


@cache
def turned_pilots() -> Mapping[str, tuple[bool, int]]:
    """Return pilots with another initiative while damaged (true) or undamaged, with it."""
    return {CardId.read(card).id: does.turn for card, does in setups().items() if does.turn}


def set_up(ship: Ship) -> Ship:
    """Apply the ship's cards' setup effects."""
    for card in ship.card.cards if ship.pilot else ():
        does = setups().get(card, NO_SETUP)
        if does.lost and card.kind == "upgrade":
            ship = charge_upgrade(ship, ship.upgrades.index(card.id), -does.lost)
        elif does.lost:
            ship = give(ship, "charge", -does.lost)
        for kind, count in does.tokens.items():
            ship = give(ship, kind, count)
        lying = {f"{kind} on {card.id}": count for kind, count in does.on_card.items()}
        ship = replace(ship, on_cards={**ship.on_cards, **lying})
        ship = damage_ship(ship, facedown=(*ship.facedown, *[UNNAMED] * does.facedown))
    return ship


def reset_ship(ship: Ship) -> Ship:
    """Return the ship as at the game's start: set up by its cards, nothing done; edited numbers stay."""
    now = dict[str, Any]()
    for item in fields(Ship):
        if item.name in PLAYED:
            now[item.name] = item.default if item.default_factory is MISSING else item.default_factory()
    now |= {left: getattr(ship, field) for left, field in CAPACITIES.items()}
    full = tuple(upgrade.charges.capacity for upgrade in ship.card.upgrades)
    return set_up(replace(ship, **now, tokens={}, upgrade_charges=full))


PLAYED: Final = (
    *("flipped", "facedown", "faceup", "wrecked", "locks", "engaged", "attacks", "bonus_attacks"),
    *("last_target", "last_range", "last_weapon", "flight", "last_dial", "docked", "carries", "conditions"),
    *("on_cards", "keeps", "acts_at", "acts_stressed"),
)
"""Fields changed by play, with defaults in a new ship."""


def recover_charges(left: int, capacity: int, recover: int) -> int:
    """Return what is left after an End Phase; ``recover`` is -1 if one is lost."""
    return max(0, left + recover) if recover < 0 else max(left, min(capacity, left + recover))


# A channel's ships


Fleet = Mapping[str, Ship]
"""The ships of a channel by name."""
Changes = dict[str, Ship | None]

NUMBER: Final = re.compile(r"[1-9][0-9]?")
"""An obstacle's number among its kind."""
MAX_SHIPS: Final = 24
"""Maximum ships, which fit on one card."""
MAX_UPGRADES: Final = 80
"""Maximum upgrades of all ships: each board rendering reads all."""


def find(fleet: Fleet, name: str, field: str = "ship") -> Ship:
    """Return the ship of this name, ignoring case. Raises ``BadInputError`` naming the nearest."""
    known = {ship.name.casefold(): ship for ship in fleet.values()}
    asked = cards.without_quotes(clean(name)).casefold()
    if asked in known:
        return known[asked]
    near = [known[match].name for match in get_close_matches(asked, known, n=3)]
    near = near or [ship.name for ship in order(fleet)][:5]
    if not near:
        raise BadInputError(field, name, Text("Use a ship in this channel. Add one with `/xwing ship add` first."))
    listed = Names(map(quote_value, near), "or")
    raise BadInputError(field, name, AllowedWords(tuple(near), Text("Use one of these ships: {ships}.", ships=listed)))


def join(fleet: Fleet, ship: Ship) -> Changes:
    """Add a ship; raises ``BadInputError`` for a taken name, or if the table is full."""
    if any(ship.name.casefold() == other.name.casefold() for other in fleet.values()):
        other_name = Text("Use a name that no ship in this channel has, or change that ship with `/xwing ship set`.")
        raise BadInputError("name", ship.name, other_name)
    if len(fleet) >= MAX_SHIPS:
        message = N_("This channel already has {ships_most} ships. Remove one with `/xwing ship remove` first.")
        raise PlayerError(Text(message, ships_most=MAX_SHIPS))
    return {ship.name: ship}


def join_all(fleet: Fleet, ships: Iterable[Ship]) -> Changes:
    """Add several ships, numbered if their names are taken. Raises ``PlayerError`` if it is full."""
    changes: Changes = {}
    for ship in ships:
        name = cards.free_name(ship.name, (*fleet, *changes))
        changes[name] = replace(ship, name=Name(name))
    if (count := len(fleet) + len(changes)) > MAX_SHIPS:
        message = N_(
            "This channel would have {count} ships, but can hold at most {ships_most}. Remove some with "
            "`/xwing ship remove` first."
        )
        raise PlayerError(Text(message, count=count, ships_most=MAX_SHIPS))
    there = apply_piece_changes(fleet, changes).values()
    if (count := sum(len(ship.upgrades) for ship in there)) > MAX_UPGRADES:
        most = AtMost(MAX_UPGRADES, Noun("upgrade", "upgrades"))
        raise BadInputError("squad", Text("{count} upgrades", count=count), most)
    return changes


def refuse(refusals: Mapping[Message, bool], **places: Any) -> None:
    """Raise ``PlayerError`` with the first message whose reason is true."""
    for message, holds in refusals.items():
        if holds:
            raise PlayerError(Text(message, **places))


def lock(fleet: Fleet, holder: str, target: str, *, keep: bool = False) -> Changes:
    """Add a lock on one object; it replaces one of the holder's, as ``with_lock``.

    ``keep``: a card allows one more. The object is a ship, a remote, or an obstacle by name (``asteroid 2``). A jam
    token on the ship removes the new lock and itself. Raises ``PlayerError``.
    """
    ship, locked = find(fleet, holder), object_named(fleet, target)
    refusals = {
        N_("{ship} can't lock itself. Choose another ship as `target`."): ship.name == locked,
        N_("{ship} already has a lock on {locked}. Choose another `target`, or continue."): locked in ship.locks,
        N_("{ship} is a remote: it can be locked but can't lock. Choose a ship."): ship.is_remote,
        N_("{ship} is ionized and can't acquire a lock. Remove its ion tokens first."): is_affected(ship, "ion"),
    }
    hidden = N_("{locked} can't be locked while it is cloaked. Choose another `target`.")
    refusals[hidden] = locked in fleet and not can_be_locked(fleet[locked], ship)
    refuse(refusals, ship=ship.name, locked=Name(locked))
    if ship.has("jam"):
        return {ship.name: set_to(ship, "jam", ship.has("jam") - 1)}
    return {ship.name: replace(ship, locks=(*ship.locks, locked)) if keep else with_lock(ship, locked)}


def with_lock(ship: Ship, target: str) -> Ship:
    """Add a lock, replacing the previous one unless cards allow several (``extra_locks``)."""
    kept = tuple(item for item in ship.locks if item != target) if max_locks(ship) > 1 else ()
    return replace(ship, locks=(*kept, target))


def extra_locks(ship: Ship) -> tuple[str, ...]:
    """Return the locks of which the owner must remove one: if above the limit, all but the last, however gained. The
    choice stays open until made.
    """
    return ship.locks[:-1] if len(ship.locks) > max_locks(ship) > 1 else ()


def max_locks(ship: Ship) -> int:
    return max((setups().get(card, NO_SETUP).locks for card in ship.card.cards), default=1) if ship.pilot else 1


def can_be_locked(ship: Ship, by: Ship) -> bool:
    """Whether its cards allow another ship's lock: some hide it while cloaked."""
    hides = {setups().get(card, NO_SETUP).hidden for card in ship.card.cards} if ship.has("cloak") else set()
    return "all" not in hides and not ("enemies" in hides and by.owner != ship.owner)


def object_named(fleet: Fleet, name: str) -> str:
    """Return the name of a lockable ship, or obstacle, numbered if there are several. Raises ``BadInputError``."""
    asked = " ".join(name.casefold().split())
    kind, _, number = asked.rpartition(" ")
    is_ship = any(cards.without_quotes(ship.name).casefold() == asked for ship in fleet.values())
    if not is_ship and (asked in OBJECTS or (kind in OBJECTS and NUMBER.fullmatch(number))):
        return asked
    try:
        return find(fleet, name, "target").name
    except BadInputError as refused:
        raise BadInputError(refused.field, name, *refused.wanted, Text("Name an obstacle like `asteroid 2`.")) from None


def unlock(fleet: Fleet, holder: str) -> Changes:
    ship = find(fleet, holder)
    if not ship.locks:
        raise PlayerError("{ship} has no lock to break. To see all locks, use `/xwing ship list`.", ship=ship.name)
    return {ship.name: replace(ship, locks=())}


def dock(fleet: Fleet, ship: Ship, carrier: str = "") -> dict[str, Ship]:
    """Dock a ship on a carrier, or deploy it; both ships know of it."""
    empty = {name: replace(fleet[name], carries="") for name in (ship.docked,) if name in fleet}
    full = {name: replace(fleet[name], carries=ship.pilot) for name in (carrier,) if name in fleet}
    return {**empty, **full, ship.name: replace(ship, docked=carrier)}


def remove_ships(fleet: Fleet, names: Iterable[str]) -> Changes:
    """Remove ships from the table; their locks and locks on them break, and their cargo drops to the mat."""
    gone: Changes = dict.fromkeys(names)
    changes = dict(gone)
    taken = {ship.docked for name, ship in fleet.items() if name not in gone}
    for name, ship in apply_piece_changes(fleet, gone).items():
        kept = tuple(target for target in ship.locks if target not in gone)
        docked = "" if ship.docked in gone else ship.docked
        carries = ship.carries if name in taken else ""
        if (kept, docked, carries) != (ship.locks, ship.docked, ship.carries):
            changes[name] = replace(ship, locks=kept, docked=docked, carries=carries)
    return changes


def order(fleet: Fleet) -> list[Ship]:
    """Return ships by highest initiative, then name."""
    return sorted(fleet.values(), key=lambda ship: (-ship.turn, ship.name.casefold()))


P = TypeVar("P")


def apply_piece_changes(pieces: Mapping[str, P], changes: Mapping[str, P | None]) -> dict[str, P]:
    return {name: piece for name, piece in {**pieces, **changes}.items() if piece is not None}
