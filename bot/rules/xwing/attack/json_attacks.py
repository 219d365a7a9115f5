"""Reads a declaration from plain JSON words. Its forms:

{"attack": {"dice": 3, "focus": 1}, "defense": {"dice": 2, "evade": 1}}           line-ups, key by key
{"dice": 3, "agility": 2, "with": "focus, lock", "against": "evade, hull 4"}      an attack as it is typed
{"red": 3, "green": 2}                                                            loose dice, outside an attack

An attack also takes ``range``, ``ordnance``, ``obstructed`` (true for an obstacle, or a list of ``obstacle``, ``ship``
and ``device``), ``in_arc`` (of reinforce), ``ruleset``, ``hull``, ``shields``, ``attacks``, ``physical_dice`` (whose
dice fall on camera: attacker, defender, both), and faces that lie already: ``"red": ["hit", "crit"]``. As line-ups it
takes ``cost_lock`` and ``cost_charge`` beside them, and short words in ``"words"`` of each; typed, costs stand among
the words. Without ``agility`` the defender has still to say what they bring.

A line-up may name cards: ``{"pilot": "lukeskywalker", "upgrades": [...], "weapon": ..., "claims": [...]}``.

Source: rules page, A line-up as JSON; X-Wing cards, section 4.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.rules import errors, text as texts
from bot.rules.errors import AllowedWords, BadInputError
from bot.rules.game import Side
from bot.rules.json_reader import JsonReader
from bot.rules.physical_dice import SIDES
from bot.rules.text import N_, UNNAMED, Code, Text
from bot.rules.xwing.cards import cards as card_data, effects
from bot.rules.xwing.cards.card_sets import SHELF, CardSet
from bot.rules.xwing.cards.deck import DAMAGE_CARDS
from bot.rules.xwing.cards.facts import Facts, Fighter
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice import consequences, costs, declared as declarations, tokens as token_table, typed_sides
from bot.rules.xwing.dice.conditions import Obstruction
from bot.rules.xwing.dice.costs import Payer
from bot.rules.xwing.dice.declared import MAX_HULL, MAX_POOL, Declared, DiceEffect, LineUp
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.dice.loose_dice import MAX_LOOSE, LooseDice
from bot.rules.xwing.dice.tokens import FELT, TOKENS, removals_until_ineffective

TYPED = ("dice", "agility", "with", "against")
"""Words of a typed attack; one identifies it."""
FAR = 3
"""Range of weapons without further data."""
MAX_ATTACKS: Final = 10


def declare(raw: Mapping[str, object], farthest: int = FAR) -> Declared | LooseDice:
    """Parse and check a declaration in one of the forms above; ``farthest``: a typed attack's maximum range. Raises
    ``BadInputError`` naming the field, ``UnknownWordError`` for an unknown key or word.
    """
    reader = JsonReader(raw)
    if any(isinstance(raw.get(pool.value), int) for pool in Pool):  # an attack would list faces
        declared: Declared | LooseDice = read_loose(reader)
    elif any(reader.has(key) for key in TYPED):
        declared = read_typed(reader, farthest)
    else:
        declared = read_line_ups(reader)
    reader.check_all_taken("id")  # a case's name
    return declared


def declare_attack(raw: Mapping[str, object], farthest: int = FAR) -> Declared:
    """Parse an attack like ``declare``; raises ``BadInputError`` for loose dice."""
    declared = declare(raw, farthest)
    if isinstance(declared, LooseDice):
        raise BadInputError("dice", None, Text("Use a weapon value; loose dice aren't an attack."))
    return declared


def read_loose(reader: JsonReader) -> LooseDice:
    read_ruleset(reader)  # a table's choice is passed along; loose dice don't differ
    reader.take_raw("tokens")
    red, green = (reader.take_whole_number(pool.value, 0, MAX_LOOSE, 0) for pool in Pool)
    if not red + green:
        allowed = Text("Use 1 to {most} dice of at least one color.", most=MAX_LOOSE)
        raise BadInputError("red", 0, allowed, errors.Example("red: 3"))
    return LooseDice(red=red, green=green)


def read_typed(reader: JsonReader, farthest: int) -> Declared:
    """Parse a typed attack; errors name Discord's options. A separate ``hull`` overrides the defender's words."""
    waits = not reader.has("agility")
    with errors.Collector() as wrong:
        with wrong.collect():
            dice = reader.take_whole_number("dice", 0, typed_sides.MAX_TYPED_DICE)
        with wrong.collect():
            attacker = typed_sides.parse(reader.text("with", typed_sides.LONGEST), Side.ATTACKER, "with")
        if reader.has("against") and waits:
            needed = Text("Use a number from 0 to 6 when you enter the defender's effects in `against`.")
            wrong.add(BadInputError("agility", "", errors.WholeNumber(0, 6, needed)))
        defender = typed_sides.parse(reader.text("against", typed_sides.LONGEST), Side.DEFENDER, "against")
    attack = replace(attacker.line_up, dice=dice)
    defense = None
    if not waits:
        defense = replace(defender.line_up, dice=reader.take_whole_number("agility", 0, typed_sides.MAX_TYPED_DICE))
    more = read_circumstances(reader, attacker, defender, farthest)
    return Declared(attack=attack, defense=defense, most=max(MAX_POOL, dice) if waits else MAX_POOL, **more)


def read_hull(reader: JsonReader, defender: typed_sides.SideInput) -> tuple[int | None, int]:
    """Return the defender's hull and shields, from separate numbers or the words."""
    if reader.has("hull"):
        return reader.take_whole_number("hull", 1, MAX_HULL), reader.take_whole_number("shields", 0, MAX_HULL, 0)
    shields = reader.take_whole_number("shields", 0, MAX_HULL, defender.shields)
    if shields and defender.hull is None:
        raise typed_sides.no_hull(shields)
    return defender.hull, shields


def read_line_ups(reader: JsonReader) -> Declared:
    """Parse an attack key by key, in the words of the golden files; both sides are required, even if empty."""
    sides = {Side.ATTACKER: reader.take_object("attack"), Side.DEFENDER: reader.take_object("defense")}
    attacker, defender = (line_up(sides, side) for side in Side)
    keys = tuple(SHELF.set_keys())
    cards = SHELF.of(reader.word("set", keys, keys[0]))
    has_cards = names_cards(reader.take_raw("attack"), reader.take_raw("defense"))
    carried = {side: read_side(part, cards) for side, part in sides.items()} if has_cards else {}
    for part in sides.values():
        part.check_all_taken()
    cost_lock = reader.take_whole_number("cost_lock", 0, 1, attacker.cost_lock)
    cost_charge = reader.take_whole_number("cost_charge", 0, token_table.MAX_TOKENS, attacker.cost_charge)
    attacker = replace(attacker, cost_lock=cost_lock, cost_charge=cost_charge)
    farthest, is_legacy = declarations.MAX_RANGE if has_cards else FAR, cards.pool == "legacy"
    more = read_circumstances(reader, attacker, defender, farthest, "2.0" if is_legacy else "2.5")
    # Dice alone are counted as asked; attacks in a row are limited to a table's six.
    asked = () if reader.has("attacks") else (attacker.line_up.dice, defender.line_up.dice)
    most = max((MAX_POOL, *asked))
    plain = Declared(attack=attacker.line_up, defense=defender.line_up, most=most, **more)
    if carried:
        return with_cards(plain, carried, cards)
    check_obstructed(plain, None)
    return plain


def read_circumstances(
    reader: JsonReader,
    attacker: typed_sides.SideInput,
    defender: typed_sides.SideInput,
    farthest: int,
    ruleset: declarations.Ruleset = "2.5",
) -> dict[str, Any]:
    """Parse the words shared by both forms of an attack, and those among a side's."""
    hull, shields = read_hull(reader, defender)
    return {
        "needs": attacker.needs,
        "needs_any": attacker.needs_any,
        "cost_lock": attacker.cost_lock,
        "cost_charge": attacker.cost_charge,
        "hull": hull,
        "shields": shields,
        "range": reader.take_whole_number("range", 0, farthest) if reader.has("range") else None,
        "ordnance": reader.flag("ordnance"),
        **read_obstructed(reader),
        "in_arc": reader.flag("in_arc") if reader.has("in_arc") else None,
        "ruleset": read_ruleset(reader, ruleset),
        "tokens": reader.word("tokens", declarations.TOKEN_CLAIMS, ""),
        "attacks": reader.take_whole_number("attacks", 1, MAX_ATTACKS, 1),
        "red": read_faces(reader, Pool.RED),
        "green": read_faces(reader, Pool.GREEN),
        "by_hand": SIDES[reader.word("camera", tuple(filter(None, SIDES)), "")],
    }


def read_obstructed(reader: JsonReader) -> dict[str, Any]:
    """Parse what obstructs: true for an obstacle, or words. Raises ``BadInputError``."""
    raw = reader.take_raw("obstructed", False)
    if not isinstance(raw, str | list | tuple):
        return {"obstructed": reader.flag("obstructed")}
    said = [part.strip().casefold() for part in raw.split(",")] if isinstance(raw, str) else list(raw)
    for item in said:
        if item not in tuple(Obstruction):
            raise BadInputError(reader.name("obstructed"), item, AllowedWords(tuple(Obstruction)))
    obstructions = tuple(obstruction for obstruction in Obstruction if obstruction in said)
    by = tuple(obstruction for obstruction in obstructions if obstruction is not Obstruction.OBSTACLE)
    return {"obstructed": Obstruction.OBSTACLE in obstructions, "obstructed_by": by}


def check_obstructed(declared: Declared, facts: Facts | None) -> None:
    """Raise ``BadInputError`` for a ship or device between that no card of this attack needs."""
    rows = () if facts is None else (held.row for side in Side for held in effects.holdings(side, facts))
    read = effects.asked_obstructions(rows)
    for obstruction in declared.obstructed_by:
        if obstruction not in read:
            nothing = Text("Leave it out: this attack doesn't use it.")
            raise BadInputError("obstructed", obstruction.value, nothing)


def read_ruleset(reader: JsonReader, without: declarations.Ruleset = "2.5") -> declarations.Ruleset:
    return "2.0" if reader.word("ruleset", declarations.RULESETS, without) == "2.0" else "2.5"


KEYS: Final[Mapping[Side, tuple[tuple[Side, str, int, str], ...]]] = {
    Side.ATTACKER: (
        (Side.ATTACKER, "all_hits", 1, "set hit"),
        (Side.ATTACKER, "add_focus", typed_sides.MAX_ADDED, "add red focus"),
        (Side.ATTACKER, "add_blank", typed_sides.MAX_ADDED, "add red blank"),
        (Side.ATTACKER, "rerolls", typed_sides.MAX_TYPED_DICE, "reroll 1 blank or focus"),
        (Side.ATTACKER, "focus_to_hit", typed_sides.MAX_TYPED_DICE, "change 1 focus to hit"),
        (Side.ATTACKER, "hit_to_crit", typed_sides.MAX_TYPED_DICE, "change 1 hit to crit"),
        (Side.ATTACKER, "crits_become_hits", 1, "every crit to hit"),
        (Side.DEFENDER, "att_evade_to_focus", typed_sides.MAX_TYPED_DICE, "change 1 evade to focus"),
    ),
    Side.DEFENDER: (
        (Side.ATTACKER, "def_crit_to_hit", typed_sides.MAX_TYPED_DICE, "change 1 crit to hit"),
        (Side.DEFENDER, "add_evade", typed_sides.MAX_ADDED, "add evade"),
        (Side.DEFENDER, "rerolls", typed_sides.MAX_TYPED_DICE, "reroll 1 blank or focus"),
    ),
}
"""Each side's effects with keys: the side in JSON, whose dice, the maximum, and one of it in words."""


def line_up(sides: Mapping[Side, JsonReader], side: Side) -> typed_sides.SideInput:
    """Parse one side's dice, tokens, and effects; token keys override typed ``typed_sides``."""
    effects = [
        effect for of, key, most, said in KEYS[side] for effect in read_effects(sides[of], key, most, said, side)
    ]
    reader = sides[side]
    brought = typed_sides.parse(reader.text("words", typed_sides.LONGEST), side, reader.name("words"))
    tokens = {
        name: reader.take_whole_number(name, 0, token.most, brought.line_up.has(name))
        for name, token in token_table.ON_SIDE[side].items()
    }
    dice = reader.take_whole_number("dice", 0, typed_sides.MAX_TYPED_DICE, 0)
    every = (*effects, *brought.line_up.effects)
    return replace(brought, line_up=LineUp(dice=dice, effects=every, none=brought.line_up.none).with_tokens(tokens))


def read_effects(reader: JsonReader, key: str, most: int, said: str, side: Side) -> list[DiceEffect]:
    """The effect for as many dice as the field says, none for 0, false, or a missing field; of rerolls one for each."""
    (effect,) = typed_sides.parse_english(said, side, key).line_up.effects
    if effect.verb == "reroll":
        return [replace(effect, most=count) for count in reader.wholes(key, 1, most, typed_sides.MAX_EFFECTS)]
    if reader.take_raw(key) in (None, False, True):
        return [effect] if reader.flag(key) else []
    count = reader.take_whole_number(key, 0, most, 0)
    return [replace(effect, most=count)] if count else []


def read_faces(reader: JsonReader, pool: Pool) -> tuple[Face, ...] | None:
    if not reader.has(pool.value):
        return None
    shown = reader.items(pool.value, typed_sides.MAX_TYPED_DICE)
    for index, face in enumerate(shown):
        if face not in pool.results:
            results = texts.Names([Code(f"`{result}`") for result in pool.results], "or")
            allowed = AllowedWords(pool.results, Text("Use {results} for a {pool} die.", results=results, pool=pool))
            raise BadInputError(f"{pool}[{index}]", face, allowed)
    return tuple(Face(str(face)) for face in shown)


# With cards

CARD_KEYS: Final = ("pilot", "upgrades", "weapon", "claims", "friends", "charges", "sides", "faceup", "facedown")
"""Words of a side with cards."""
PRIMARY: Final = "primary"
ON_SHIP: Final = tuple(token.name for token in token_table.TABLE if not token.left or token.name == "force")
"""Tokens that a side with cards may list; some matter only to cards."""
MAX_FRIENDS: Final = 12
MAX_CLAIMS: Final = 30


@dataclass(frozen=True, slots=True)
class CardSide:
    """One side in JSON: its ship, claims, friends, and whether it has its own dice. ``weapon``: the firing upgrade's
    id, "" for a primary weapon; its ``arc``, "" for the first.
    """

    fighter: Fighter
    claims: tuple[str, ...]
    friends: tuple[Fighter, ...]
    weapon: str
    arc: str
    has_dice: bool


def names_cards(*sides: object) -> bool:
    return any(isinstance(side, Mapping) and any(side.get(key) is not None for key in CARD_KEYS) for side in sides)


def read_side(reader: JsonReader, cards: CardSet) -> CardSide:
    """Parse a side with cards; a primary weapon is ``primary`` or ``primary rear``."""
    weapon = reader.text("weapon", 80)
    arc = weapon.partition(" ")[2] if weapon.startswith(f"{PRIMARY} ") else ""
    is_primary = bool(arc) or weapon == PRIMARY
    weapon = "" if is_primary else find_card(cards.upgrade, cards.upgrades, reader.name("weapon"), weapon)
    fighter = read_fighter(reader, cards, weapon)
    friends = [
        JsonReader(item, f"{reader.name('friends')}[{at}]")
        for at, item in enumerate(reader.items("friends", MAX_FRIENDS))
    ]
    fighters = []
    for friend in friends:
        fighters.append(read_fighter(friend, cards))
        friend.check_all_taken()
    said = (effects.split_number(str(item), ()) for item in reader.items("claims", MAX_CLAIMS))
    claims = tuple(name for name, count in said for _ in range(count))
    if arc and not any(has_arc(item, arc) for item in fighter.card.weapons):
        arcs = (f"{PRIMARY} {item.arc.casefold()}" for item in fighter.card.weapons if item.primary)
        raise BadInputError(reader.name("weapon"), f"{PRIMARY} {arc}", AllowedWords((PRIMARY, *arcs)))
    return CardSide(fighter, claims, tuple(fighters), weapon, arc, reader.has("dice"))


def has_arc(weapon: card_data.Weapon, arc: str) -> bool:
    """Whether it is a primary weapon with an arc of this prefix."""
    return weapon.primary and weapon.arc.casefold().startswith(arc.casefold())


def read_fighter(reader: JsonReader, cards: CardSet, weapon: str = "") -> Fighter:
    """Parse a ship with its cards, tokens, and damage."""
    upgrades = [
        find_card(cards.upgrade, cards.upgrades, f"{reader.name('upgrades')}[{at}]", item)
        for at, item in enumerate(reader.items("upgrades", 20))
    ]
    pilot = find_card(cards.pilot, cards.pilots, reader.name("pilot"), reader.take_raw("pilot"))
    held = (*upgrades, *cards.pilots[pilot].get("upgrades", ())) if pilot else upgrades
    upgrades += [weapon] if weapon and weapon not in held else []
    if pilot:
        card = card_data.pilot_ship(pilot, upgrades, cards)
    else:
        fitted = [(upgrade, cards.upgrades[upgrade]) for upgrade in upgrades]
        carried = tuple(card_data.Upgrade.of(id_, item) for id_, item in fitted)
        weapons = card_data.special_weapons(fitted)
        card = card_data.PilotShip(name=UNNAMED, upgrades=carried, weapons=weapons, pool=cards.pool)
    tokens = {name: reader.take_whole_number(name, 0, token_table.MAX_HELD, 0) for name in ON_SHIP if name != "lock"}
    titles = tuple(DAMAGE_CARDS)
    faceup = tuple(str(item) for item in reader.items("faceup", MAX_HULL))
    for at, title in enumerate(faceup):
        if title not in titles:
            raise BadInputError(f"{reader.name('faceup')}[{at}]", title, AllowedWords(titles))
    tokens["energy"] = reader.take_whole_number("energy", 0, MAX_HULL, card.energy.capacity)
    fighter = Fighter(
        card=card,
        tokens={name: count for name, count in tokens.items() if count},
        locked=bool(reader.take_whole_number("lock", 0, 1, 0)),
        shields=reader.take_whole_number("shields", 0, MAX_HULL, card.shields),
        facedown=reader.take_whole_number("facedown", 0, MAX_HULL, 0),
        faceup=faceup,
    )
    return replace(fighter, charges=read_charges(reader, fighter), sides=read_sides(reader, fighter))


def read_charges(reader: JsonReader, fighter: Fighter) -> dict[str, int]:
    """Parse the charges left on a ship's cards; default full."""
    part, result = reader.take_object("charges"), dict[str, int]()
    for card in fighter.cards:
        if most := fighter.max_charges(card):
            said = next((name for name in (card, card.id) if part.has(name)), None)
            result[card] = most if said is None else part.take_whole_number(said, 0, most)
    part.check_all_taken()
    return result


def read_sides(reader: JsonReader, fighter: Fighter) -> dict[str, str]:
    """Parse the sides of its cards that are up, if given: ``{"servomotorsfoils": "closed"}``."""
    part = reader.take_object("sides")
    ids = (upgrade.id for upgrade in fighter.card.upgrades if upgrade.id in card_data.two_sided())
    cards = {costs.CardId("upgrade", id_): card_data.two_sided()[id_] for id_ in ids}
    names = {name: card for card in cards for name in (card.id, card)}
    result: dict[str, str] = {
        card: part.word(name, cards[card].words) for name, card in names.items() if part.has(name)
    }
    part.check_all_taken()
    return result


def find_card(find: Any, every: Mapping[str, object], field: str, given: object) -> str:
    """Return a card's id in a set. Raises ``BadInputError`` naming the nearest."""
    if given in (None, ""):
        return ""
    result: str | None = find(str(given))
    if result is None:
        typed = "".join(filter(str.isalnum, str(given).casefold()))  # an id is the name in small letters, squeezed
        near = [item for begin in (typed, typed[:4]) for item in every if begin and item.startswith(begin)]
        near = list(dict.fromkeys(near))[:5]
        raise BadInputError(field, given, AllowedWords(tuple(near)) if near else Text("Use an id from the card set."))
    return result


def fired_weapon(side: CardSide) -> card_data.Weapon | None:
    """Return the attacking weapon: the upgrade of that id, or the first primary one."""
    weapons = side.fighter.card.weapons
    if side.weapon:
        return next(weapon for weapon in weapons if weapon.upgrade == side.weapon)
    return next((weapon for weapon in weapons if has_arc(weapon, side.arc)), None)


def with_cards(declared: Declared, sides: Mapping[Side, CardSide], cards: CardSet) -> Declared:
    """Add the cards' effects to a declaration; its own values (dice, hull) override. Raises ``PlayerError`` for a
    weapon that can't be fired, ``BadInputError`` for an unknown claim.
    """
    weapon = fired_weapon(sides[Side.ATTACKER])
    sides = {**sides, Side.ATTACKER: pay_weapon(sides[Side.ATTACKER], weapon)}
    check_reach(weapon, declared.range)
    facts = Facts(
        fighters={side: sides[side].fighter for side in Side},
        friends={side: sides[side].friends for side in Side},
        weapon=weapon,
        range=declared.range,
        obstructed=declared.obstructed,
        obstructed_by=declared.obstructed_by,
        pool=cards.pool,
        attacks=declared.attacks,
    )
    check_obstructed(declared, facts)
    for side in Side:
        check_claims(side, facts, sides[side].claims)
    claims = {side: (*sides[side].claims, *lent_claims(side, facts, sides)) for side in Side}
    facts, result = effects.of_both(facts, claims)
    shooter, target = facts.fighters[Side.ATTACKER], facts.fighters[Side.DEFENDER]
    printed = {Side.ATTACKER: weapon.value if weapon is not None else 0, Side.DEFENDER: target.card.agility}
    for side in Side:
        brought = with_brought(declared.line(side), result[side], facts.fighters[side])
        line = effects.without_sure_costs(brought, side, declared.attacks)
        declared = declared.with_line(side, line if sides[side].has_dice else replace(line, dice=printed[side]))
    held = [token for token in shooter.tokens if TOKENS[token].disarms]
    acting = [effect.what for effect in declared.attack.effects]
    if held and (
        held != ["disarm"] or not any(consequences.allows_disarmed(act, shooter.has("disarm")) for act in acting)
    ):
        raise errors.PlayerError("A disarmed ship can't attack. Leave `{token}` out.", token=Code(held[0]))
    declared = with_weapon(with_target_ship(declared, target), weapon)
    return effects.with_coverage(declared, result, *self_damaging_cards(target, result[Side.DEFENDER]), with_cards=True)


def with_target_ship(declared: Declared, target: Fighter) -> Declared:
    """Add a ship's hull and shields, unless given."""
    if declared.hull is not None or not target.card.pilot:
        return declared
    return replace(declared, hull=max(1, target.card.hull - target.damage_cards), shields=target.shields)


def with_weapon(declared: Declared, weapon: card_data.Weapon | None) -> Declared:
    """Add a weapon to a declaration; its own values count too."""
    if weapon is None:
        return declared
    return replace(
        declared,
        ordnance=declared.ordnance or weapon.ordnance,
        needs=declared.needs or weapon.needs,
        needs_any=declared.needs_any or weapon.needs_any,
        weapon=weapon.name,
        special=not weapon.primary,
    )


def self_damaging_cards(target: Fighter, cards: effects.SideCards) -> Iterator[str]:
    """Yield the ids of the defender's cards that hurt it besides the attack, which the odds ignore: damage as a card's
    cost, and faceup damage cards that worsen hits or crits.
    """
    for item in cards.effects:
        is_own = item.by in target.cards and not any(row.friend for row in ROWS[item.by])
        if is_own and any(
            cost.what in costs.AS_DAMAGE and not cost.ship for cost in item.pays if cost.payer is Payer.ME
        ):
            yield item.by.id
    for title in target.faceup:
        effect = DAMAGE_CARDS[title].effect
        if effect is not None and (effect.hits_become_crits or effect.timing == "after a crit"):
            yield title


def check_claims(side: Side, facts: Facts, claims: tuple[str, ...]) -> None:
    """Raise ``BadInputError`` for claims of no card of a side."""
    names = effects.claimable(side, facts)
    for at, claim in enumerate(claims):
        if claim not in names:
            field = "attack" if side is Side.ATTACKER else "defense"
            raise BadInputError(f"{field}.claims[{at}]", claim, AllowedWords(tuple(sorted(names))))


def lent_claims(side: Side, facts: Facts, sides: Mapping[Side, CardSide]) -> Iterator[str]:
    """Yield claims by the other side that enable this side's cards, as the attacker's Homing Missiles."""
    rows = (held for held in effects.holdings(side, facts, every_weapon=True) if held.row.theirs)
    theirs = {name for held in rows for name in held.claims()}
    yield from (claim for claim in sides[side.other].claims if claim in theirs)


def pay_weapon(side: CardSide, weapon: card_data.Weapon | None) -> CardSide:
    """Pay a weapon's charges. Raises ``UnpayableCostError`` if they don't suffice."""
    if weapon is None or not weapon.cost:
        return side
    key = f"upgrade:{weapon.upgrade}"
    left = side.fighter.charges.get(key, 0)
    if left < weapon.cost:
        message = N_("{weapon} costs {cost} and has {left} left. Choose another weapon. Nothing was rolled.")
        cost = TOKENS["charge"].count_text(weapon.cost)
        raise errors.UnpayableCostError(Text(message, weapon=weapon.name, cost=cost, left=left or Text("none")))
    return replace(side, fighter=replace(side.fighter, charges={**side.fighter.charges, key: left - weapon.cost}))


def check_reach(weapon: card_data.Weapon | None, range_: int | None) -> None:
    """Check step 1's range of a special weapon. Raises ``BadInputError``."""
    nearest = 0 if weapon is None or weapon.primary else weapon.nearest
    if weapon is not None and range_ is not None and not nearest <= range_ <= weapon.farthest:
        message = N_("{weapon} has range {least} to {most}.")
        reach = Text(message, weapon=weapon.title, least=weapon.nearest, most=weapon.farthest)
        raise BadInputError("range", range_, reach)


def with_brought(line: LineUp, cards: effects.SideCards, fighter: Fighter) -> LineUp:
    """Return a side's line-up with its ship's tokens and its cards' effects."""
    size = fighter.card.size
    felt = ((name, count) for name, count in fighter.tokens.items() if name in FELT)
    tokens = {name: removals_until_ineffective(name, count, size) for name, count in felt}
    tokens["lock"] = int(fighter.locked)
    held = line.with_tokens({name: n if TOKENS[name].by_size else max(n, line.has(name)) for name, n in tokens.items()})
    return replace(held, effects=(*line.effects, *cards.effects), stock=cards.stock, besides=cards.besides)
