"""Reads a line-up with cards from plain JSON words (rules page, X-Wing cards, section 4)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.rules.errors import BadInput, Known, PlayerError, Unpayable
from bot.rules.game import Side
from bot.rules.reading import Reader
from bot.rules.text import UNNAMED, Text
from bot.rules.xwing.cards.card_sets import SHELF, CardSet, Pool
from bot.rules.xwing.cards.cards import Charges, PilotShip, Upgrade, Weapon, pilot_ship, special_weapons, two_sided
from bot.rules.xwing.cards.claims import numbered
from bot.rules.xwing.cards.deck import DAMAGE_CARDS
from bot.rules.xwing.cards.effects import Brought, changing_ships, claimable, holdings, of_both, settled
from bot.rules.xwing.cards.facts import Facts, Fighter
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice.costs import AS_DAMAGE, Payer
from bot.rules.xwing.dice.declared import HULL_MOST, Declared, LineUp, Ruleset
from bot.rules.xwing.dice.deeds import WhileDisarmed
from bot.rules.xwing.dice.tokens import FELT, HELD_MOST, TABLE, TOKENS

KEYS: Final = ("pilot", "upgrades", "weapon", "claims", "friends", "charges", "sides", "faceup", "facedown")
"""The words of a side that names cards."""
PRIMARY: Final = "primary"
ON_SHIP: Final = tuple(one.name for one in TABLE if not one.left or one.name == "force")
"""Tokens that a side with cards may name; those that dice do not feel may matter to a card."""
FRIENDS_MOST: Final = 12
CLAIMS_MOST: Final = 30


@dataclass(frozen=True, slots=True)
class CardSide:
    """One side as JSON has it: its ship, claims, friends, and the arc of its primary weapon, "" for the first."""

    fighter: Fighter
    claims: tuple[str, ...] = ()
    friends: tuple[Fighter, ...] = ()
    arc: str = ""


def names_cards(*sides: object) -> bool:
    """Whether a side of a line-up names a card."""
    return any(isinstance(side, Mapping) and any(side.get(key) is not None for key in KEYS) for side in sides)


def read_set(reader: Reader) -> CardSet:
    """The card set that a declaration names."""
    keys = tuple(SHELF.set_keys())
    return SHELF.of(reader.word("set", keys, keys[0]))


def read_side(reader: Reader, cards: CardSet) -> tuple[CardSide, str]:
    """A side and the id of its weapon; a primary one is as it was written, ``primary`` or ``primary rear``."""
    weapon = reader.text("weapon", 80)
    arc = weapon.partition(" ")[2] if weapon.startswith(f"{PRIMARY} ") else ""
    is_primary = bool(arc) or weapon == PRIMARY
    weapon = "" if is_primary else known(cards.upgrade, cards.upgrades, reader.name("weapon"), weapon)
    fighter = read_fighter(reader, cards, weapon)
    friends = [
        Reader(one, f"{reader.name('friends')}[{at}]") for at, one in enumerate(reader.items("friends", FRIENDS_MOST))
    ]
    found = []
    for friend in friends:
        found.append(read_fighter(friend, cards))
        friend.done()
    said = (numbered(str(one), ()) for one in reader.items("claims", CLAIMS_MOST))
    claims = tuple(name for name, count in said for _ in range(count))
    if arc and not any(has_arc(one, arc) for one in fighter.card.weapons):
        arcs = (f"{PRIMARY} {one.arc.casefold()}" for one in fighter.card.weapons if one.primary)
        raise BadInput(reader.name("weapon"), f"{PRIMARY} {arc}", Known((PRIMARY, *arcs)))
    return CardSide(fighter, claims, tuple(found), arc), weapon


def has_arc(weapon: Weapon, arc: str) -> bool:
    """Whether it is a primary weapon with an arc whose name begins so."""
    return weapon.primary and weapon.arc.casefold().startswith(arc.casefold())


def read_fighter(reader: Reader, cards: CardSet, weapon: str = "") -> Fighter:
    """A ship with its cards, its tokens and its damage."""
    upgrades = [
        known(cards.upgrade, cards.upgrades, f"{reader.name('upgrades')}[{at}]", one)
        for at, one in enumerate(reader.items("upgrades", 20))
    ]
    pilot = known(cards.pilot, cards.pilots, reader.name("pilot"), reader.raw("pilot")) if reader.has("pilot") else ""
    if pilot:
        upgrades += [weapon] if weapon and weapon not in (*upgrades, *cards.pilots[pilot].get("upgrades", ())) else []
        card = pilot_ship(pilot, upgrades, cards)
    else:
        upgrades += [weapon] if weapon and weapon not in upgrades else []
        fitted = [(one, cards.upgrades[one]) for one in upgrades]
        carried = (Upgrade(id_, one["name"], Charges(*one.get("charges", (0, 0)))) for id_, one in fitted)
        card = PilotShip(name=UNNAMED, upgrades=tuple(carried), weapons=special_weapons(fitted), pool=cards.pool)
    tokens = {name: reader.whole(name, 0, HELD_MOST, 0) for name in ON_SHIP if name != "lock"}
    titles = tuple(DAMAGE_CARDS)
    faceup = tuple(str(one) for one in reader.items("faceup", HULL_MOST))
    for at, title in enumerate(faceup):
        if title not in titles:
            raise BadInput(f"{reader.name('faceup')}[{at}]", title, Known(titles))
    tokens["energy"] = reader.whole("energy", 0, HULL_MOST, card.energy.capacity)
    fighter = Fighter(
        card=card,
        tokens={name: count for name, count in tokens.items() if count},
        locked=bool(reader.whole("lock", 0, 1, 0)),
        shields=reader.whole("shields", 0, HULL_MOST, card.shields),
        facedown=reader.whole("facedown", 0, HULL_MOST, 0),
        faceup=faceup,
    )
    return replace(fighter, charges=read_charges(reader, fighter), sides=read_sides(reader, fighter))


def read_charges(reader: Reader, fighter: Fighter) -> dict[str, int]:
    """What is left on its cards; full where nothing is said."""
    found = {card: most for card in fighter.cards if (most := fighter.full(card))}
    part = reader.part("charges")
    for card, most in found.items():
        for name in (card.partition(":")[2], card):
            if part.has(name):
                found[card] = part.whole(name, 0, most)
    part.done()
    return found


def read_sides(reader: Reader, fighter: Fighter) -> dict[str, str]:
    """The sides of its cards that lie up, as far as it is said: ``{"servomotorsfoils": "closed"}``."""
    part = reader.part("sides")
    cards = {
        card: two_sided()[one.id]
        for one in fighter.card.upgrades
        if (card := f"upgrade:{one.id}") and one.id in two_sided()
    }
    names = {name: card for card in cards for name in (card.partition(":")[2], card)}
    found = {card: part.word(name, cards[card].words) for name, card in names.items() if part.has(name)}
    part.done()
    return found


def known(find: Any, every: Mapping[str, object], field: str, given: object) -> str:
    """The id of a card that a set knows. Raises ``BadInput`` naming the nearest ones."""
    if given in (None, ""):
        return ""
    found: str | None = find(str(given))
    if found is None:
        typed = "".join(filter(str.isalnum, str(given).casefold()))  # an id is the name in small letters, squeezed
        near = [one for begin in (typed, typed[:4]) for one in every if begin and one.startswith(begin)]
        near = list(dict.fromkeys(near))[:5]
        raise BadInput(field, given, Known(tuple(near)) if near else Text("Use an id of the card set."))
    return found


def fired(side: CardSide, weapon: str) -> Weapon | None:
    """The weapon that attacks: the upgrade of that id, or the first printed primary one."""
    weapons = side.fighter.card.weapons
    if weapon:
        return next(one for one in weapons if one.upgrade == weapon)
    return next((one for one in weapons if has_arc(one, side.arc)), None)


def with_cards(
    declared: Declared, sides: Mapping[Side, CardSide], weapon: Weapon | None, has_dice: Mapping[Side, bool], pool: Pool
) -> Declared:
    """The declaration with what its cards bring. What it says itself (dice, hull) beats the cards.

    Raises ``PlayerError`` for a weapon that cannot be fired, ``BadInput`` for a claim that no card has.
    """
    sides = {**sides, Side.ATTACKER: charged(sides[Side.ATTACKER], weapon)}
    check_reach(weapon, declared.range)
    facts = Facts(
        fighters={side: sides[side].fighter for side in Side},
        friends={side: sides[side].friends for side in Side},
        weapon=weapon,
        range=declared.range,
        obstructed=declared.obstructed,
        pool=pool,
    )
    for side in Side:
        check_claims(side, facts, sides[side].claims)
    facts, found = of_both(facts, {side: (*sides[side].claims, *lent_claims(side, facts, sides)) for side in Side})
    shooter, target = facts.fighters[Side.ATTACKER], facts.fighters[Side.DEFENDER]
    printed = {Side.ATTACKER: weapon.value if weapon is not None else 0, Side.DEFENDER: target.card.agility}
    for side in Side:
        line = settled(line_up(declared.line(side), found[side], facts.fighters[side]), side, declared.attacks)
        declared = declared.with_line(side, line if has_dice[side] else replace(line, dice=printed[side]))
    disarm, acting = shooter.has("disarm"), [one.what for one in declared.attack.effects]
    if disarm > 1 or (disarm and WhileDisarmed() not in acting):
        raise PlayerError(Text("A disarmed ship cannot attack. Leave `disarm` out."))
    declared = armed(against(declared, target), weapon)
    every, later = tuple(found.values()), changing_ships(found) if declared.attacks > 1 else ()
    later = (*later, *hurting(target, found[Side.DEFENDER]))
    return replace(
        declared,
        with_cards=True,
        counted=tuple(dict.fromkeys(id_ for one in every for id_ in one.counted)),
        asked=tuple(dict.fromkeys(id_ for one in every for id_ in one.asked)),
        not_counted=tuple(dict.fromkeys((*(id_ for one in every for id_ in one.not_counted), *later))),
    )


def against(declared: Declared, target: Fighter) -> Declared:
    """The declaration with the hull and shields of a ship, where it says none."""
    if declared.hull is not None or not target.card.pilot:
        return declared
    return replace(declared, hull=max(1, target.card.hull - target.damage_cards), shields=target.shields)


def armed(declared: Declared, weapon: Weapon | None) -> Declared:
    """The declaration with a weapon; what it says itself counts besides."""
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


def hurting(target: Fighter, cards: Brought) -> Iterator[str]:
    """The ids of the defender's cards that hurt it beside the attack, which the odds do not count.

    What it suffers as the cost of a card, and faceup damage cards that make more of a hit or a crit.
    """
    for one in cards.effects:
        is_own = one.by in target.cards and not any(row.friend for row in ROWS[one.by])
        if is_own and any(cost.what in AS_DAMAGE and not cost.ship for cost in one.pays if cost.payer is Payer.ME):
            yield one.by.partition(":")[2]
    for title in target.faceup:
        effect = DAMAGE_CARDS[title].effect
        if effect is not None and (effect.hits_become_crits or effect.timing == "after a crit"):
            yield title


def check_claims(side: Side, facts: Facts, claims: tuple[str, ...]) -> None:
    """Raises ``BadInput`` for a claim that is of no card of a side."""
    names = claimable(side, facts)
    for at, claim in enumerate(claims):
        if claim not in names:
            field = "attack" if side is Side.ATTACKER else "defense"
            raise BadInput(f"{field}.claims[{at}]", claim, Known(tuple(sorted(names))))


def lent_claims(side: Side, facts: Facts, sides: Mapping[Side, CardSide]) -> Iterator[str]:
    """Claims made on the other side for what this side may use of its cards, as the attacker's Homing Missiles."""
    rows = (held for held in holdings(side, facts, every_weapon=True) if held.row.theirs)
    theirs = {name for held in rows for name in held.claims()}
    yield from (claim for claim in sides[side.other].claims if claim in theirs)


def charged(side: CardSide, weapon: Weapon | None) -> CardSide:
    """The attacker after its weapon's charges. Raises ``Unpayable`` where they do not suffice."""
    if weapon is None or not weapon.cost:
        return side
    key = f"upgrade:{weapon.upgrade}"
    left = side.fighter.charges.get(key, 0)
    if left < weapon.cost:
        raise Unpayable(
            Text(
                "{weapon} costs {cost} and has {left} left. Choose another weapon. Nothing was rolled.",
                weapon=weapon.name,
                cost=TOKENS["charge"].counted(weapon.cost),
                left=left or Text("none"),
            )
        )
    return replace(side, fighter=replace(side.fighter, charges={**side.fighter.charges, key: left - weapon.cost}))


def check_reach(weapon: Weapon | None, range_: int | None) -> None:
    """Step 1: a special weapon's range. Raises ``BadInput``."""
    nearest = 0 if weapon is None or weapon.primary else weapon.nearest
    if weapon is None or range_ is None or nearest <= range_ <= weapon.farthest:
        return
    raise BadInput(
        "range",
        range_,
        Text(
            "{weapon} reaches range {least} to {most}.", weapon=weapon.title, least=weapon.nearest, most=weapon.farthest
        ),
    )


def line_up(line: LineUp, cards: Brought, fighter: Fighter) -> LineUp:
    """A side's line-up with the tokens of its ship and the effects of its cards."""
    tokens = {name: fighter.has(name) for name in fighter.tokens if name in FELT}
    tokens["lock"] = int(fighter.locked)
    held = line.holding({name: max(count, line.has(name)) for name, count in tokens.items()})
    return replace(held, effects=(*line.effects, *cards.effects), stock=cards.stock)


def ruleset_of(pool: Pool) -> Ruleset:
    """The ruleset that goes with a card set where nobody has named one."""
    return "2.0" if pool == "legacy" else "2.5"
