"""From rows of cards to what they do in one attack: the effects of each side, and which cards are counted.

A row becomes effects of the side that its ship fights on. What the bot knows is decided here or written into
``Effect.given``; what people know is claimed, before the attack (``claims``) or by a press. No rule names a card.

Source: rules page, X-Wing cards, sections 2 to 4.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from bot.rules.game import Side
from bot.rules.text import Names, Sentences, Text
from bot.rules.xwing import deeds
from bot.rules.xwing.card_rows import ROWS, is_reminder, known, rows_of
from bot.rules.xwing.declared import EACH, Effect, LineUp
from bot.rules.xwing.faces import OWN_POOL, Face
from bot.rules.xwing.facts import Facts, Fighter, Reader
from bot.rules.xwing.modify import SUCCESS
from bot.rules.xwing.rows import DEED, HOW_MANY, Cost, Deed, Row
from bot.rules.xwing.ship import unquoted
from bot.rules.xwing.tokens import HELD_MOST, ON_SIDE, TOKENS, Held

FREELY: Final = (
    *("hit", "crit", "stress", "strain", "deplete", "ion"),
    *("friend hit", "friend crit", "friend strain", "ship hit", "ship crit", "ship strain"),
)
"""Costs that can always be paid, and for which nothing in the attack competes."""
OUTSIDE: Final = (*FREELY, "shield", "friend calculate", "friend focus", "their red or orange", "their stress")
"""Costs outside the attack: whether they are paid is the player's wish, so it is claimed."""
WHEN: Final = ("declare", "before dice", "after roll", "before neutralize", "after neutralize", "damage", "after")
"""Windows that an effect keeps; the others follow from its verb and its pool."""
FIELDS: Final = frozenset(one.name for one in fields(Held))
GROUP: Final = "one of "
"""Begins the name of a stock of 1 that rows share of which only one is used."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A row that may act for a side of this attack, and the ship with its card."""

    row: Row
    me: Fighter

    def claims(self) -> tuple[str, ...]:
        """The names of its claim. The second thing that a card asks has ``#2``; a kind may stand before the id.

        Rows that ask the same have the same claim, and so has one that stands in for the row before it.
        """
        asked: list[str] = []
        for one in ROWS[self.row.card]:
            if one.on and needs_claim(one) and one.pool in ("", self.row.pool or one.pool):
                what = one.ask or (asked[-1] if one.instead and asked else f"[{one.place}]")
                asked += [what] if what not in asked else []
                if one.place == self.row.place:
                    ending = f"#{asked.index(what) + 1}" if asked.index(what) else ""
                    return f"{self.row.id}{ending}", f"{self.row.card}{ending}"
        return self.row.id, self.row.card


def needs_claim(row: Row) -> bool:
    """Whether people say that it acts: it asks for what they know, or costs something outside the attack."""
    return bool(row.ask) or (not row.must and any(cost.what in OUTSIDE for cost in row.cost))


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What the cards of one side bring to an attack.

    ``counted``: the ids of cards that act; ``asked``: of cards that would act if somebody claimed what they ask for;
    ``not_counted``: of cards that touch the attack in a way that nobody has written down.
    """

    effects: tuple[Effect, ...] = ()
    stock: tuple[tuple[str, int], ...] = ()
    counted: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    not_counted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that people may claim: its name in a declaration, the card as people know it, what it asks and does."""

    name: str
    card: str
    ask: str
    does: str


def open_claims(side: Side, facts: Facts) -> tuple[Claim, ...]:
    """What may be claimed on a side in this attack, as far as what the bot knows holds; each claim once."""
    found: dict[str, Claim] = {}
    for held in holdings(side, facts):
        row = held.row
        own = row.itself and held.me is facts.fighters[side]
        if not needs_claim(row) or own or is_reminder(row) or not payable(held, facts, side):
            continue
        if Reader(facts, side, held.me).read(row).holds:
            name, does = held.claims()[0], deeds.all_said(row.phrases(side))
            before = found.get(name)
            does = Sentences([before.does, does], ", ") if before is not None and does not in before.does else does
            card = unquoted(held.me.card.card_names.get(row.card, row.id))
            found[name] = Claim(name, card, asking(row), does)
    return tuple(found.values())


def claimable(side: Side, facts: Facts) -> frozenset[str]:
    """Everything that may be claimed on a side: its cards and those of its friends, and rows of theirs."""
    names = {
        name for held in holdings(side, facts, every_weapon=True) if needs_claim(held.row) for name in held.claims()
    }
    ships = (facts.fighters[side], *facts.friends.get(side, ()))
    cards = {card for ship in ships for card in ship.cards}
    return frozenset(names | cards | {card.partition(":")[2] for card in cards})


def holdings(side: Side, facts: Facts, *, every_weapon: bool = False) -> Iterator[Holding]:
    """The rows that may act for a side: its ship's, its friends' on friends, and those of the enemy that it may use."""
    own, enemy = facts.fighters[side], facts.fighters[side.other]
    for me in (own, *facts.friends.get(side, ())):
        for row in rows_on(me, side, facts, every_weapon=every_weapon):
            if not row.theirs and (row.friend or me is own):
                yield Holding(row, me)
    for row in rows_on(enemy, side.other, facts, every_weapon=every_weapon):
        if row.theirs:
            yield Holding(row, enemy)


def rows_on(me: Fighter, side: Side, facts: Facts, *, every_weapon: bool) -> Iterator[Row]:
    """The rows of a ship's cards for a side, in the card set of the attack."""
    for card in me.cards:
        if every_weapon or not is_idle_weapon(card, me, facts):
            yield from (row for row in rows_of(card, facts.pool) if side in row.on)


def is_idle_weapon(card: str, me: Fighter, facts: Facts) -> bool:
    """A weapon's rows act only in its own attacks."""
    kind, _, id_ = card.partition(":")
    if kind != "upgrade" or all(weapon.upgrade != id_ for weapon in me.card.weapons):
        return False
    fires = facts.fighters[Side.ATTACKER] is me and facts.weapon is not None and facts.weapon.upgrade == id_
    return not fires


def brought(side: Side, facts: Facts, claims: Sequence[str] | None = None) -> Brought:
    """What the cards of a side and its friends bring.

    ``claims``: what is claimed beforehand, a name twice for the number two; None where people claim by a press.
    """
    effects, is_played = list[Effect](), claims is None
    counted, asked, unread = list[str](), list[str](), list[str]()
    for held in holdings(side, facts):
        row, read = held.row, Reader(facts, side, held.me).read(held.row)
        if is_reminder(row) or not read.holds or not payable(held, facts, side):
            continue
        early = claims is not None and any(given.removeprefix("no ") in NOT_READ for given in read.later)
        if early and touches_dice(row, side):
            unread.append(row.id)
            continue
        asks = needs_claim(row) and not (row.itself and held.me is facts.fighters[side])
        claimed = sum(claims.count(name) for name in set(held.claims())) if claims is not None else 0
        if asks and claims is not None and not claimed:
            asked.append(row.id)
            continue
        found = [
            replace(one, ask=asking(way.row) if asks and is_played else "")
            for way in ways_to_pay(held, facts, side, is_played=is_played)
            for one in acting(way, read.later, facts, side, max(1, claimed), is_played=is_played)
        ]
        effects += found
        counted += [row.id] if found else []
    effects = one_of_each_group(effects)
    names = {name for effect in effects for name, _ in effect.cost if not is_token(name, side)}
    ships = (facts.fighters[side], *facts.friends.get(side, ()))
    there = [card for me in ships for card in me.cards if not is_idle_weapon(card, me, facts)]
    unknown = [card.partition(":")[2] for card in there if is_unknown(card, side, facts)]
    return Brought(
        effects=tuple(effects),
        stock=tuple((name, available(name, facts, side)) for name in sorted(names)),
        counted=tuple(dict.fromkeys(counted)),
        asked=tuple(dict.fromkeys(one for one in asked if one not in counted)),
        not_counted=tuple(dict.fromkeys((*unread, *unknown))),
    )


def is_unknown(card: str, side: Side, facts: Facts) -> bool:
    """Whether a card touches the attacks of a side, and is not counted there."""
    word = known(card, facts.pool)
    return word == "not counted" or (word == "reminded" and any(side in row.on for row in rows_of(card, facts.pool)))


def one_of_each_group(effects: Sequence[Effect]) -> list[Effect]:
    """Without the dice of a row in whose place another one rolls more: at the roll nothing is left to choose."""
    rolls = {name: one.group for one in effects if one.verb == "dice" for name, _ in one.cost if name.startswith(GROUP)}
    return [one for one in effects if all(rolls.get(name, one.group) == one.group for name, _ in one.cost)]


def touches_dice(row: Row, side: Side) -> bool:
    """Whether a row does something to dice or results, and not only after them."""
    return bool(row.effects(side, dict.fromkeys(HOW_MANY, 1)))


NOT_READ: Final = ("dice modified",)
"""Conditions that odds do not know: a row with one is not counted there."""


def asking(row: Row) -> str:
    """What a press claims: what people know, and who pays what is outside the attack."""
    payers = [Text("{ship} suffers it", ship=cost.ship) for cost in row.cost if cost.ship and cost.what in FREELY]
    if row.ask:
        return Sentences((Text(row.ask), *payers), "; ")
    return (
        Names(payers)
        if payers
        else Text("pay {costs}", costs=deeds.costs((cost.what, cost.count) for cost in row.cost))
    )


def is_token(name: str, side: Side) -> bool:
    """Whether a cost is a token of the line-up, and not of its stock."""
    return name in ON_SIDE[side] or name in FIELDS


def ways_to_pay(held: Holding, facts: Facts, side: Side, *, is_played: bool) -> Iterator[Holding]:
    """A row that a friendly ship pays for, once for each that can; every other row as it is.

    Without ships on a table nobody asks which of them pays.
    """
    at, cost = next(((at, one) for at, one in enumerate(held.row.cost) if one.what in OF_FRIENDS), (0, None))
    friends = [one for one in facts.friends.get(side, ()) if one.name] if is_played else []
    if cost is None or not friends:
        yield held
        return
    for friend in friends:
        if cost.what in FREELY or friend.tokens.get(cost.what.removeprefix(FRIEND), 0) >= cost.count:
            paid = replace(cost, what=cost.what.removeprefix(FRIEND), ship=friend.name)
            costs = (*held.row.cost[:at], paid, *held.row.cost[at + 1 :])
            yield replace(held, row=replace(held.row, cost=costs))


FRIEND: Final = "friend "
OF_FRIENDS: Final = ("friend calculate", "friend focus", "friend hit", "friend crit", "friend strain")
"""Costs that any friendly ship may pay."""


def of_friend(deed: Deed, held: Holding, side: Side, *, is_played: bool) -> tuple[Effect, ...]:
    """Tokens of a friendly ship that a side spends as its own, or that move to its ship: an effect for each token.

    A token that moves may be spent like that too, which is all that odds ask for.
    """
    said = DEED[deed.kind].fullmatch(deed.words)
    tokens = [one for one in said.groups() if one and side in TOKENS[one].sides] if said else []
    if deed.kind == "transfer" and is_played:
        return tuple(
            Effect(verb="gain", pool=OWN_POOL[side], what=one, cost=((f"{one} of {holder(held.me)}", 1),))
            for one in tokens
            if has_token(held.me, one)
        )
    most = 1 if deed.kind == "transfer" else HELD_MOST
    return tuple(
        effect for one in tokens for effect in (spending(one, side, held.me),) * min(most, has_token(held.me, one))
    )


def has_token(ship: Fighter, token: str) -> int:
    """How many tokens of a kind a ship has; its lock only on the enemy of this attack."""
    return int(ship.locked) if TOKENS[token].is_on_target else ship.tokens.get(token, 0)


def spending(token: str, side: Side, lender: Fighter) -> Effect:
    """What a token of another ship does when it is spent as one's own."""
    kind, pool, cost = TOKENS[token], OWN_POOL[side], ((f"{token} of {holder(lender)}", 1),)
    if kind.rerolls:
        return Effect(verb="reroll", pool=pool, most=EACH, cost=cost)
    most = EACH if kind.turns_all else 1
    return Effect(verb="change", pool=pool, most=most, faces=kind.turns, to=SUCCESS[pool], cost=cost)


def of_both(facts: Facts, claims: Mapping[Side, Sequence[str] | None]) -> tuple[Facts, dict[Side, Brought]]:
    """What the cards of both sides bring, and the facts then: a card may count range 0 as range 1, or bring force."""
    found = {side: brought(side, facts, claims[side]) for side in Side}
    closer = tuple(one for one in found[Side.ATTACKER].effects if one.verb == "bonus" and one.what == "close")
    if facts.range == 0 and closer:
        facts = replace(facts, range=1)
    facts = replace(facts, fighters={side: recovered(facts.fighters[side], found[side]) for side in Side})
    found = {side: brought(side, facts, claims[side]) for side in Side}
    if closer:
        near = found[Side.ATTACKER]
        counted = (*near.counted, *(one.by.partition(":")[2] for one in closer))
        found[Side.ATTACKER] = replace(near, effects=(*closer, *near.effects), counted=counted)
    return facts, found


def recovers(effect: Effect) -> bool:
    """Whether an effect brings a force charge back when the attack is declared."""
    return effect.what == RECOVERS and effect.when == "declare" and not effect.ask


def recovered(fighter: Fighter, cards: Brought) -> Fighter:
    """The ship with the force that comes back when the attack is declared."""
    if not any(recovers(one) for one in cards.effects):
        return fighter
    force = min(max(fighter.card.force.capacity, fighter.has("force")), fighter.has("force") + 1)
    return replace(fighter, tokens={**fighter.tokens, "force": force})


RECOVERS: Final = "recover 1 force"


def acting(
    held: Holding, later: tuple[str, ...], facts: Facts, side: Side, asked: int, *, is_played: bool
) -> tuple[Effect, ...]:
    """What a row does, as effects of the side that uses it. Its costs lie on the first of them.

    Tokens of a friend are used one by one: what the row costs besides is paid with the first that is used.
    """
    row = held.row
    speaks = side.other if row.theirs else side
    deeds = row.deeds(speaks)
    found = list(row.effects(speaks, {**counts(held, facts, side), "asked": asked}))
    lent = [one for deed in deeds if deed.kind in TOKENS_OF for one in of_friend(deed, held, side, is_played=is_played)]
    found += lent
    found += [
        Effect(verb="deed", pool=OWN_POOL[speaks], what=seen_by_user(deed.words) if row.theirs else deed.words)
        for deed in deeds
        if deed.kind not in ("remind", *TOKENS_OF)
    ]
    costs = [cost for cost in row.cost if cost.what not in FREELY]
    pays = tuple(price(cost) for cost in row.cost if cost.what in FREELY)
    paid = [cost_of(cost, held, facts, side) for cost in costs]
    payers = [cost.ship for cost in row.cost if cost.ship]
    others = group_of(row) or ((row,) if payers else ())
    if others:
        uses = max(one.times for one in others)
        paid.append((f"{GROUP}{row.card}[{others[0].place}]", uses // row.times))
    effects = []
    for number, effect in enumerate(found):
        given = " and ".join(filter(None, (effect.given, *later)))
        when = effect.when or when_of(row, effect)
        is_first = number == 0 or effect in lent
        cost = (*effect.cost, *paid) if is_first else effect.cost
        dues = pays if is_first else ()
        made = replace(effect, given=given, when=when, cost=cost, pays=dues, must=row.must, by=row.card)
        title = row.id if row.card.startswith("damage:") else ""
        name, ship = unquoted(held.me.card.card_names.get(row.card, title)), "" if row.theirs else held.me.name
        effects.append(replace(made, name=name, ship=ship, group=" of ".join((f"{row.card}[{row.place}]", *payers))))
    return tuple(effects) * row.times


TOKENS_OF: Final = ("counts", "transfer")
"""Deeds with tokens of a friendly ship."""


def price(cost: Cost) -> str:
    """What is paid outside the dice, as in ``stress 1``; ``hit of Biggs 1`` where a friendly ship suffers it."""
    return f"{cost.what} of {cost.ship} {cost.count}" if cost.ship else f"{cost.what} {cost.count}"


def seen_by_user(words: str) -> str:
    """What a card of the enemy does to the side that uses it, in that side's words."""
    return words.replace("they ", "I ", 1) if words.startswith("they ") else words


def when_of(row: Row, effect: Effect) -> str:
    """When an effect of a row acts, where that is not the window of its pool."""
    if effect.verb == "cancel" and row.when not in WHEN:
        return "before neutralize"
    if effect.verb in ("reroll", "add") or (effect.verb == "change" and not worsens(effect)):
        return row.when if row.when in LATE else ""
    return row.when if row.when in WHEN else ""


LATE: Final = ("before neutralize", "after neutralize", "damage", "after")
GOOD: Final = (Face.BLANK, Face.FOCUS, Face.HIT, Face.EVADE, Face.CRIT)
"""Faces from the least to the best."""


def worsens(effect: Effect) -> bool:
    """Whether a change is to a lesser result."""
    return effect.to is not None and all(GOOD.index(face) > GOOD.index(effect.to) for face in effect.faces)


def group_of(row: Row) -> tuple[Row, ...]:
    """The rows of a card of which only one is used in an attack, this one among them; () for one that stands alone."""
    every = ROWS[row.card]
    first = row.place - 1
    while every[first].instead and first:
        first -= 1
    last = first + 1
    while last < len(every) and every[last].instead:
        last += 1
    return every[first:last] if last - first > 1 else ()


# Costs


def cost_of(cost: Cost, held: Holding, facts: Facts, side: Side) -> tuple[str, int]:
    """A cost as the side's line-up names it: one of its tokens, or a name of its stock."""
    own, me = facts.fighters[side], held.me
    if cost.ship:
        return f"{cost.what} of {cost.ship}", cost.count
    what, by_ship = cost.what.removeprefix("ship "), cost.what.startswith("ship ")
    if what == "charge of the weapon":
        return f"charge of upgrade:{facts.weapon.upgrade if facts.weapon else ''}", cost.count
    if what == "charge":  # a ship's ability spends the charges of its pilot
        card = held.row.card if held.row.card.startswith("upgrade:") else f"pilot:{me.card.pilot}"
        return f"charge of {card}{'' if me is own else f' of {holder(me)}'}", cost.count
    if what.startswith(("friend ", "their ", "result ")) or me is own or by_ship:
        return what, cost.count
    return f"{what} of {holder(me)}", cost.count


def holder(me: Fighter) -> str:
    return me.name or me.card.pilot


def available(name: str, facts: Facts, side: Side) -> int:
    """How much there is of what a stock holds."""
    own, friends = facts.fighters[side], facts.friends.get(side, ())
    if name.startswith(GROUP):
        card, _, place = name.removeprefix(GROUP).rstrip("]").partition("[")
        row = ROWS[card][int(place) - 1]
        return max(one.times for one in group_of(row) or (row,))
    if name.startswith("friend "):
        return sum(friend.tokens.get(name.removeprefix("friend "), 0) for friend in friends)
    if name.startswith("their "):
        return facts.fighters[side.other].has(name.removeprefix("their "))
    what, _, where = name.partition(" of ")
    card, _, ship = where.partition(" of ")
    payer = next((one for one in friends if holder(one) in (card, ship)), own)
    if what == "charge":
        weapon_of = payer if card in payer.cards else facts.fighters[Side.ATTACKER]
        return weapon_of.charges.get(card, weapon_of.full(card))
    return payer.shields if what == "shield" else int(payer.locked) if what == "lock" else payer.tokens.get(what, 0)


def payable(held: Holding, facts: Facts, side: Side) -> bool:
    """Whether what a row costs is there at all."""
    for cost in held.row.cost:
        if cost.what in FREELY or cost.what.startswith("result "):
            continue
        name, count = cost_of(cost, held, facts, side)
        has = facts.fighters[side].tokens.get(name, 0) if is_token(name, side) else available(name, facts, side)
        if name == "lock":
            has = int(facts.fighters[side].locked)
        if has < count:
            return False
    return True


def counts(held: Holding, facts: Facts, side: Side) -> Mapping[str, int]:
    """What ``as many as`` stands for."""
    own, their, friends = facts.fighters[side], facts.fighters[side.other], facts.friends.get(side, ())
    return {
        "friend locks": own.locked + sum(friend.locked for friend in friends),
        "ships": len(friends),
        "their stress": their.has("stress"),
        "stress": own.has("stress"),
        "their red or orange": their.has("red or orange"),
        "charges": available(cost_of(Cost("charge"), held, facts, side)[0], facts, side),
    }


AT_ROLL: Final = ("dice", "limit", "bonus", "forbid", "allow", "crits")
"""Verbs of effects that act for the whole attack once they are paid: whether they are is a decision."""
AFTERWARDS: Final = re.compile(r"(I|they) (gain|lose|expose) .*|they suffer .*|recover .*|lock them|prevent .*")
"""Deeds that change something for the attack after this one, or are paid for in one of them only."""


def changing_ships(found: Mapping[Side, Brought]) -> tuple[str, ...]:
    """The ids of the cards that change a ship after an attack: what that does to the next one is not counted."""
    deeds = [
        one
        for cards in found.values()
        for one in cards.effects
        if one.verb == "deed" and AFTERWARDS.fullmatch(one.what)
    ]
    return tuple(dict.fromkeys(one.by.partition(":")[2] for one in deeds if not recovers(one)))


def settled(line: LineUp, side: Side, attacks: int) -> LineUp:
    """The line-up without costs that its stock pays in any case: such effects are free, once.

    In several attacks in a row the defender spends what there is over all of them, as it does its tokens.
    """
    if side is Side.DEFENDER and attacks > 1:
        return line
    stock, wanted = dict(line.stock), dict[str, int]()
    for effect in line.effects:
        for name, count in effect.cost:
            wanted[name] = wanted.get(name, 0) + count
    decided = {name for effect in line.effects if effect.verb in AT_ROLL for name, _ in effect.cost}
    plenty = {name for name, count in stock.items() if wanted.get(name, 0) <= count} - decided
    effects = tuple(
        replace(effect, cost=tuple(part for part in effect.cost if part[0] not in plenty)) for effect in line.effects
    )
    return replace(line, effects=effects, stock=tuple((name, n) for name, n in line.stock if name not in plenty))
