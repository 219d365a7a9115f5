"""Turns card rows into the effects of one attack on each side, and tells which cards are automated.

A row becomes effects of its ship's side. Known conditions are decided here or written into ``DiceEffect.given``; what
only players know is claimed, before the attack (``Claims``) or by a press. No rule names a card.

Source: rules page, X-Wing cards, sections 2 to 4.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple, assert_never

from bot.rules import errors
from bot.rules.game import Option, Side
from bot.rules.text import EMPTY, Code, Name, Names, Sentences, Shown, Text, english, labeled, term
from bot.rules.xwing.cards import rows as card_rows
from bot.rules.xwing.cards.cards import condition_names, without_quotes
from bot.rules.xwing.cards.facts import ConditionReader, Evaluation, Facts, Fighter, answer
from bot.rules.xwing.cards.rows import ROWS, CardRow, HowMany, rows_of
from bot.rules.xwing.dice import conditions, consequences, costs
from bot.rules.xwing.dice.conditions import EffectCondition, Has, Obstruction, Outcome, tokens_in
from bot.rules.xwing.dice.consequences import AToken, Consequence, Flip, Gain, Lend, RangeDie, Timing, Transfer, Who
from bot.rules.xwing.dice.costs import CHARGE, CardId, Cost, OneUse, Payer, Spendable
from bot.rules.xwing.dice.declared import AT_ROLL, EACH, MAX_POOL, Declared, DiceEffect, DiceWindow, LineUp
from bot.rules.xwing.dice.faces import OWN_POOL, Face
from bot.rules.xwing.dice.modify import SUCCESS
from bot.rules.xwing.dice.tokens import FELT, GREEN, MAX_HELD, RED, TOKENS, removals_until_ineffective


@dataclass(frozen=True, slots=True)
class ActiveRow:
    """A row that may act for a side of this attack, and its card's ship."""

    row: CardRow
    me: Fighter
    side: Side
    facts: Facts

    @property
    def own_fighter(self) -> Fighter:
        return self.facts.fighters[self.side]

    @property
    def speaking_side(self) -> Side:
        return self.side.other if self.row.theirs else self.side

    @property
    def needs_claim(self) -> bool:
        return needs_claim(self.row) and not (self.row.itself and self.me is self.own_fighter)

    def read(self) -> Evaluation:
        """Evaluate the row's known conditions and costs; gains can always be paid, dice are still unknown."""
        evaluation = ConditionReader(self.facts, self.side, self.me).read(self.row)
        asked = (cost for cost in self.row.cost if not (cost.is_gained or cost.payer is Payer.RESULT))
        needed = (cost_of(cost, self) for cost in asked)
        is_there = evaluation.holds and all(
            available_count(what, self.facts, self.side) >= most for what, most in needed
        )
        return evaluation if is_there else Evaluation(False)

    def claims(self) -> tuple[str, ...]:
        """Return the names of its claim. A card's second question has ``#2``; a kind may precede the id. Rows with the
        same question share a claim, as does a row that replaces the previous one.
        """
        asked: list[str] = []
        for row in ROWS[self.row.card]:
            if row.on and needs_claim(row) and row.pool in ("", self.row.pool or row.pool):
                what = row.ask or (asked[-1] if row.instead and asked else f"[{row.place}]")
                asked += [what] if what not in asked else []
                if row.place == self.row.place:
                    ending = f"#{asked.index(what) + 1}" if asked.index(what) else ""
                    return f"{self.row.id}{ending}", f"{self.row.card}{ending}"
        return self.row.id, self.row.card


def needs_claim(row: CardRow) -> bool:
    """Whether players must claim it: a question that only they can answer, or a cost outside the attack."""
    is_wish = any(cost.is_outside for cost in row.cost) or Flip() in row.deeds
    return bool(row.ask) or (not row.must and is_wish)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideCards:
    """One side's cards in an attack. ``counted``: ids of acting cards; ``asked``: those that act if claimed;
    ``not_counted``: relevant ones without rows. ``besides``: tokens without effect on dice that a card of either side
    needs.
    """

    effects: tuple[DiceEffect, ...] = ()
    stock: tuple[tuple[Spendable, int], ...] = ()
    besides: tuple[tuple[str, int], ...] = ()
    counted: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    not_counted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimable fact: its name in a declaration, card, question, effect, and ``most`` of a number (0: yes or no)."""

    name: str
    card: Name
    ask: Shown
    does: Shown
    most: int


def open_claims(side: Side, facts: Facts) -> tuple[Claim, ...]:
    """Return a side's possible claims in this attack whose known conditions hold, each once."""
    result: dict[str, Claim] = {}
    for held in holdings(side, facts):
        row = held.row
        if not held.needs_claim or row.is_reminder:
            continue
        most = most_asked(held)
        if held.read().holds and (most or not row.asks_number):
            said = (
                act.label() if isinstance(act, Consequence) else Code(card_rows.act_in_words(act, named=False))
                for act in row.acts_of(side)
            )
            name, does = held.claims()[0], Sentences(said, ", ")
            if name in result and english(does) not in english(result[name].does):
                does = Sentences([result[name].does, does], ", ")
            card = without_quotes(held.me.card.card_names.get(row.card, row.id))
            result[name] = Claim(name, Name(card), claim_text(row), does, most)
    return tuple(result.values())


def asked_obstructions(rows: Iterable[CardRow]) -> frozenset[Obstruction]:
    """Return the objects between the ships that rows ask about."""
    tests = (row_condition.test for row in rows for any_of in row.conditions for row_condition in any_of)
    return frozenset(test.what for test in tests if isinstance(test, conditions.Obstructed))


def claimable(side: Side, facts: Facts) -> frozenset[str]:
    """Return everything claimable on a side: its cards, its friends' cards, and their rows."""
    claimed = (held for held in holdings(side, facts, every_weapon=True) if needs_claim(held.row))
    names = {name for held in claimed for name in held.claims()}
    cards = {card for ship in (facts.fighters[side], *facts.friends.get(side, ())) for card in ship.cards}
    return frozenset(names | cards | {card.id for card in cards})


# Claims before an attack, as text: ``Predator, defender elusive, obstructed``; source: section 4 (``claims``). For
# odds,
# where nobody will press.

OBSTRUCTED: Final = {str(conditions.Obstructed(obstruction)): obstruction for obstruction in Obstruction}
NUMBER: Final = re.compile("[0-9]|1[0-9]|20")
"""Suffix of a claim with a number."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Each side's claims for ``side_cards``, and whether the attack is obstructed."""

    of: Mapping[Side, tuple[str, ...]]
    obstructed: tuple[Obstruction, ...] = ()

    @classmethod
    def read(cls, text: str, facts: Facts) -> "Claims":
        """Parse comma-separated claims: a card's name or id, after ``defender`` one of that side. A number follows its
        card: ``Horton Salm 2``. A card that the attacker can't claim is the defender's. Raises ``BadInputError`` with
        the possible claims.
        """
        result: dict[Side, list[str]] = {side: [] for side in Side}
        said = [" ".join(part.casefold().split()) for part in text.split(",")]
        known = {side: names_of(side, facts) for side in Side} if any(said) else {}
        for part in filter(None, said):
            if part not in OBSTRUCTED:
                side, name, count = parse_claim(part, known)
                result[side] += [name] * count
        obstructed = tuple(obstruction for words, obstruction in OBSTRUCTED.items() if words in said)
        return cls({side: tuple(names) for side, names in result.items()}, obstructed)


def names_of(side: Side, facts: Facts) -> dict[str, str]:
    claims = open_claims(side, facts)
    by_card = {claim.card.casefold(): claim.name for claim in reversed(claims)}
    return by_card | {claim.name: claim.name for claim in claims}


def parse_claim(part: str, known: Mapping[Side, Mapping[str, str]]) -> tuple[Side, str, int]:
    """Parse a claim's side, name, and number. Raises ``BadInputError``."""
    first, _, rest = part.partition(" ")
    sides = [side for side in Side if side.value == first.rstrip(":")]
    asked = rest if sides else part
    for side in sides or Side:
        name, count = split_number(asked, known[side])
        if name in known[side]:
            return side, known[side][name], count
    allowed = tuple(dict.fromkeys(name for side in Side for name in known[side].values()))
    nothing = Text("Leave it out: no card needs it here.")
    raise errors.BadInputError("claims", part, errors.AllowedWords(allowed) if allowed else nothing)


def split_number(claim: str, known: Container[str]) -> tuple[str, int]:
    """Split a claim's trailing number, default 1: ``hortonsalm 3``; a name may end in a number."""
    name, _, number = claim.rpartition(" ")
    is_numbered = claim not in known and NUMBER.fullmatch(number) is not None
    return (name, int(number)) if is_numbered else (claim, 1)


def ticks(ship: str, side: Side, claim: Claim) -> list[Option]:
    """Return a claim's checkboxes, with its ship; a number has one for each possible value."""
    label = labeled(Name(ship), claim.card)
    said, name = labeled(claim.ask, claim.does), f"{side.value} {claim.name}"
    if not claim.most:
        return [Option(name, label, said)]
    counts = range(1, claim.most + 1)
    return [Option(f"{name} {count}", Sentences([label, Code(count)], ", "), said) for count in counts]


# A side's cards


def holdings(side: Side, facts: Facts, *, every_weapon: bool = False) -> Iterator[ActiveRow]:
    """Yield the rows that may act for a side: its ship's, its friends', and usable ones of the enemy."""
    own, enemy = facts.fighters[side], facts.fighters[side.other]
    for me in (own, *facts.friends.get(side, ())):
        for row in rows_on(me, side, facts, every_weapon=every_weapon):
            if not row.theirs and (row.friend or me is own):
                yield from answer_by_dials(ActiveRow(row, me, side, facts), enemy)
    for row in rows_on(enemy, side.other, facts, every_weapon=every_weapon):
        if row.theirs:
            yield from answer_by_dials(ActiveRow(row, enemy, side, facts), own)


def answer_by_dials(held: ActiveRow, other: Fighter) -> Iterator[ActiveRow]:
    """Yield a row, without a question that open dials answer; nothing if the answer is no."""
    found = answer(held.row.ask, held.me.flown, other.flown)
    if found is not False:
        yield held if found is None else replace(held, row=replace(held.row, ask=""))


def rows_on(me: Fighter, side: Side, facts: Facts, *, every_weapon: bool) -> Iterator[CardRow]:
    """Yield a ship's rows for a side, in the attack's card set."""
    for card in me.cards:
        if every_weapon or not is_idle_weapon(card, me, facts):
            yield from (row for row in rows_of(card, facts.pool) if side in row.on)


def is_idle_weapon(card: CardId, me: Fighter, facts: Facts) -> bool:
    """Whether a row is of a weapon other than the attacking one."""
    if card.kind != "upgrade" or all(weapon.upgrade != card.id for weapon in me.card.weapons):
        return False
    return facts.fighters[Side.ATTACKER] is not me or facts.weapon is None or facts.weapon.upgrade != card.id


def side_cards(side: Side, facts: Facts, claims: Sequence[str] | None = None) -> SideCards:
    """Return a side's cards and its friends'; ``claims``: made beforehand, None where players claim by a press."""
    uses = [use for held in holdings(side, facts) if (use := use_of(held, claims)) is not None]
    effects = tuple(effect for use in uses for effect in use.effects)
    stock = {what for effect in effects for what, _ in effect.cost if not isinstance(what, str | costs.SpentResult)}
    if facts.attacks > 1:
        stock |= {costs.OfCard(item.by) for item in effects if item.ends_with_damage}
    result = defaultdict[Word, list[str]](list)
    for use in uses:
        result[use.word].append(use.card)
    return SideCards(
        effects=effects,
        stock=tuple((what, available_count(what, facts, side)) for what in sorted(stock, key=str)),
        counted=tuple(dict.fromkeys(result["counted"])),
        asked=tuple(item for item in dict.fromkeys(result["asked"]) if item not in result["counted"]),
        not_counted=tuple(dict.fromkeys((*result["not counted"], *unknown_cards(side, facts)))),
    )


def unknown_cards(side: Side, facts: Facts) -> Iterator[str]:
    """Yield the ids of relevant cards of a side and its friends without rows."""
    for me in (facts.fighters[side], *facts.friends.get(side, ())):
        for card in (card_id for card_id in me.cards if not is_idle_weapon(card_id, me, facts)):
            word, rows = card_rows.coverage_of(card, facts.pool), rows_of(card, facts.pool)
            if word == "not counted" or (word == "reminded" and any(side in row.on for row in rows)):
                yield card.id


Word = Literal["counted", "asked", "not counted"]
"""Status of a row: it acts, it would if claimed, or it is not automated."""


class UsableRow(NamedTuple):
    """A row that may act, by the id of its card, and its effects."""

    card: str
    word: Word
    effects: tuple[DiceEffect, ...] = ()


def use_of(held: ActiveRow, claims: Sequence[str] | None) -> UsableRow | None:
    """Return a row's use under ``side_cards``' claims; None if it doesn't act in this attack."""
    row, read = held.row, held.read()
    if row.is_reminder or not read.holds:
        return None
    if claims is None:
        effects = effects_of(held, read.later)
    elif row.touches_dice and any(given.test is Outcome.MODIFIED for given in read.later):
        return UsableRow(row.id, "not counted")  # odds ignore it
    else:
        claimed = sum(claims.count(name) for name in set(held.claims()))
        if held.needs_claim and not claimed:
            return UsableRow(row.id, "asked")
        ways = ways_to_pay(held, by_ship=False)
        of_ways = (row_effects(way, read.later, max(1, claimed), is_played=False) for way in ways)
        effects = tuple(effect for part in of_ways for effect in part)
    return UsableRow(row.id, "counted", effects) if effects else None


def effects_of(held: ActiveRow, later: tuple[EffectCondition, ...]) -> tuple[DiceEffect, ...]:
    """Return a row's effects at a table, for each possible payer; () if it counts something absent."""
    up_to = most_asked(held)
    if held.row.asks_number and not up_to:
        return ()
    ways = ((way, claim_text(way.row) if held.needs_claim else EMPTY) for way in ways_to_pay(held))
    result = (replace(effect, ask=ask) for way, ask in ways for effect in row_effects(way, later, 1, is_played=True))
    return tuple(replace(effect, up_to=up_to if effect.verb != "deed" else 0) for effect in result)


def most_asked(held: ActiveRow) -> int:
    """Return the maximum answer to a row's number question, by what is in play; 0 without one."""
    if not held.row.asks_number:
        return 0
    return MAX_POOL if held.row.of is None else min(MAX_POOL, count(held.row.of, held))


def claim_text(row: CardRow) -> Text:
    """Return what a press claims: facts that only players know, and costs outside the attack."""
    payers = [Text("{ship} suffers it", ship=cost.ship) for cost in row.cost if cost.ship and cost.is_gained]
    if row.ask:
        gained = costs.claimed_costs(cost for cost in row.cost if cost.is_gained and not cost.ship)
        return Sentences((term(row.ask), *payers, Text("pay {costs}", costs=gained) if gained else EMPTY), "; ")
    return Names(payers) if payers or not row.cost else Text("pay {costs}", costs=costs.claimed_costs(row.cost))


def ways_to_pay(held: ActiveRow, *, by_ship: bool = True) -> Iterator[ActiveRow]:
    """Yield a row for each friendly payer, upgrade, and kind of token paid, or unchanged without ``by_ship``."""
    friends = [fighter for fighter in held.facts.friends.get(held.side, ()) if fighter.name] if by_ship else []
    for at, cost in enumerate(held.row.cost):
        ways = [cost]
        if cost.payer is Payer.FRIEND and friends:
            ways = [
                replace(cost, payer=Payer.ME, ship=friend.name)
                for friend in friends
                if cost.is_gained or friend.tokens.get(cost.what, 0) >= cost.count
            ]
        elif cost.payer is Payer.THEIRS or cost.what == costs.TokenGroup.GREEN:
            ways = kinds_to_pay(cost, held)
        elif cost.payer is Payer.UPGRADE and by_ship:
            ways = [replace(cost, ship=name) for _, name in charged_upgrades(cost, held.me)]
        if ways != [cost]:
            for way in ways:
                paid = (*held.row.cost[:at], way, *held.row.cost[at + 1 :])
                yield replace(held, row=replace(held.row, cost=paid))
            return
    yield held


def kinds_to_pay(cost: Cost, held: ActiveRow) -> list[Cost]:
    payer = held.facts.fighters[held.side.other] if cost.payer is Payer.THEIRS else held.me
    return [replace(cost, what=name) for name in tokens_in(cost.what) if payer.tokens.get(name, 0) >= cost.count]


def payment_keys(row: CardRow) -> list[str]:
    """Return what tells a row's ways to pay apart: the paying ship, the kind of token."""
    written = ROWS[row.card][row.place - 1].cost
    return [str(cost.ship or cost.what) for cost, asked in zip(row.cost, written, strict=True) if cost != asked]


def of_friend(deed: Consequence, held: ActiveRow, *, is_played: bool) -> Iterator[DiceEffect]:
    """Yield an effect for each token of a friendly ship that a side may spend or move, or that is gained."""
    for token in deed.lent if isinstance(deed, Transfer | Lend) else ():
        if held.side in TOKENS[token].sides:
            moves, effect = isinstance(deed, Transfer), spending(token, held.side)
            effect = DiceEffect(verb="gain", pool=effect.pool, what=AToken(token)) if moves and is_played else effect
            effect = replace(effect, cost=((costs.OfShip(token, Name(holder(held.me))), 1),))
            yield from [effect] * min(1 if moves else MAX_HELD, has_token(held.me, token))
    if isinstance(deed, Gain) and deed.who is Who.ME and held.row.when is DiceWindow.BEFORE_DICE and not is_played:
        yield from [spending(deed.token, held.side)] * (deed.token in GREEN)  # at a table the token moves to the ship


def has_token(ship: Fighter, token: str) -> int:
    """Return how many tokens of a kind or green ones a ship has; its lock only on the enemy of this attack."""
    if token == costs.TokenGroup.GREEN:
        return ship.has(costs.TokenGroup.GREEN)
    return int(ship.locked) if TOKENS[token].is_on_target else ship.tokens.get(token, 0)


def spending(token: str, side: Side) -> DiceEffect:
    kind, pool = TOKENS[token], OWN_POOL[side]
    if kind.rerolls:
        return DiceEffect(verb="reroll", pool=pool, most=EACH)
    return DiceEffect(verb="change", pool=pool, most=EACH if kind.turns_all else 1, faces=kind.turns, to=SUCCESS[pool])


def of_both(facts: Facts, claims: Mapping[Side, Sequence[str] | None]) -> tuple[Facts, dict[Side, SideCards]]:
    """Return both sides' cards and the changed facts: a card may count range 0 as range 1, or add force."""
    result = cards_by_side(facts, claims)
    closer = tuple(effect for effect in result[Side.ATTACKER].effects if effect.what is RangeDie.CLOSE)
    if facts.range == 0 and closer:
        facts = replace(facts, range=1)
    facts = replace(facts, fighters={side: recover_force(facts.fighters[side], result[side]) for side in Side})
    result = cards_by_side(facts, claims)
    if closer:
        near = result[Side.ATTACKER]
        counted = (*near.counted, *(effect.by.id for effect in closer))
        result[Side.ATTACKER] = replace(near, effects=(*closer, *near.effects), counted=counted)
    if facts.attacks > 1:
        own = result[Side.DEFENDER]
        result[Side.DEFENDER] = replace(own, not_counted=(*own.not_counted, *of_hurt_ships(facts, claims)))
    return facts, dict(with_asked_tokens(result, facts))


def cards_by_side(facts: Facts, claims: Mapping[Side, Sequence[str] | None]) -> dict[Side, SideCards]:
    return {side: side_cards(side, facts, claims[side]) for side in Side}


def with_asked_tokens(result: Mapping[Side, SideCards], facts: Facts) -> Iterator[tuple[Side, SideCards]]:
    """Yield both sides' cards with ``besides``: tokens without effect on dice that a card needs."""
    given = (item.test for cards in result.values() for effect in cards.effects for item in effect.given)
    asked = {kind for test in given if isinstance(test, Has) for kind in tokens_in(test.token)}
    kinds = sorted(asked - set(FELT))
    for side, cards in result.items():
        ship = facts.fighters[side]
        held = ((kind, removals_until_ineffective(kind, ship.tokens.get(kind, 0), ship.card.size)) for kind in kinds)
        yield side, replace(cards, besides=tuple(item for item in held if item[1]))


def recovers(effect: DiceEffect) -> bool:
    return effect.what == consequences.FORCE_BACK and effect.when is DiceWindow.DECLARE and not effect.ask


def recover_force(fighter: Fighter, cards: SideCards) -> Fighter:
    if not any(recovers(effect) for effect in cards.effects):
        return fighter
    force = min(max(fighter.card.force.capacity, fighter.has("force")), fighter.has("force") + 1)
    return replace(fighter, tokens={**fighter.tokens, "force": force})


def row_effects(
    held: ActiveRow, later: tuple[EffectCondition, ...], asked: int, *, is_played: bool
) -> tuple[DiceEffect, ...]:
    """Return a row's effects for its side. The first one used carries the costs."""
    row = held.row
    lent = [item for deed in row.deeds for item in of_friend(deed, held, is_played=is_played)]
    result = [*on_dice(held, asked), *lent, *on_ships(held)]
    ways = payment_keys(row)
    title = row.id if row.card.kind == "damage" else condition_names().get(row.id, "")
    common: dict[str, Any] = {
        "must": row.must,
        "by": row.card,
        "name": without_quotes(held.me.card.card_names.get(row.card, title)),
        "ship": "" if row.theirs else held.me.name,
        "group": " of ".join((f"{row.card}[{row.place}]", *ways)),
    }
    paid = tuple(cost_of(cost, held) for cost in row.cost if not cost.is_gained) + shared_use(row) + opened_use(row)
    pays = tuple(cost for cost in row.cost if cost.is_gained)
    upgrade = next((cost.ship for cost in row.cost if cost.payer is Payer.UPGRADE), "")  # whose charge it is
    effects = [replace(item, given=(*item.given, *later), **common) for item in result]
    for at, effect in enumerate(result):
        if at == 0 or effect in lent:
            effects[at] = replace(
                effects[at], cost=(*effect.cost, *paid), pays=pays, reminds=row.reminder or upgrade, each=row.each
            )
    return tuple(effects) * (1 if ways else row.times)


def on_dice(held: ActiveRow, asked: int) -> Iterator[DiceEffect]:
    """Yield a row's effects on dice; ``asked``: the number that players stated."""
    for effect in held.row.effects(held.speaking_side, lambda of: asked if of is HowMany.ASKED else count(of, held)):
        yield replace(effect, when=effect.when or held.row.moment(effect))


def on_ships(held: ActiveRow) -> Iterator[DiceEffect]:
    """Yield a row's effects on ships; those of an enemy's card are worded from its side."""
    for deed in held.row.deeds:
        if deed.acts not in (Timing.NEVER, Timing.TOKENS):
            what = deed.seen_by_enemy() if held.row.theirs else deed
            yield DiceEffect(verb="deed", pool=OWN_POOL[held.speaking_side], what=what, when=held.row.moment(deed))


def shared_use(row: CardRow) -> tuple[tuple[OneUse, int], ...]:
    """Return a row's shares of limited uses: with rows in its place, or one with each ship that may pay."""
    ways = payment_keys(row)
    others = group_of(row) or ((row,) if ways else ())
    if not others:
        return ()
    most, first = max(other.times for other in others), others[0].place
    of_ships = tuple((OneUse(row.card, first, Name(way)), 1) for way in ways if row.times > 1)
    return ((OneUse(row.card, first), most // row.times), *of_ships)


def opened_use(row: CardRow) -> tuple[tuple[OneUse, int], ...]:
    """Return the next row's use that this one opens, as a negative cost, or its own that the previous one opens."""
    opens = any(item.then for item in ROWS[row.card][row.place : row.place + 1])
    return ((OneUse(row.card, row.place + opens), -1 if opens else 1),) if opens or row.then else ()


def group_of(row: CardRow) -> tuple[CardRow, ...]:
    """Return the rows of a card of which only one is used per attack, including this one; () if it is independent."""
    every = ROWS[row.card]
    first = row.place - 1
    while every[first].instead and first:
        first -= 1
    last = first + 1
    while last < len(every) and every[last].instead:
        last += 1
    return every[first:last] if last - first > 1 else ()


# Costs


def cost_of(cost: Cost, held: ActiveRow) -> tuple[Spendable, int]:
    """Return a cost in the side's line-up: a token, or a name of its stock."""
    me, weapon = held.me, held.facts.weapon
    ship = cost.ship or ("" if me is held.own_fighter else holder(me))
    match cost.payer:
        case Payer.WEAPON:
            return costs.OfCard(CardId("upgrade", weapon.upgrade if weapon else "")), cost.count
        case Payer.FRIEND:
            return costs.OfFriends(cost.what), cost.count
        case Payer.THEIRS:
            return costs.OfEnemy(cost.what), cost.count
        case Payer.RESULT:
            return costs.SpentResult(Face(cost.what)), cost.count
        case Payer.UPGRADE:
            id_ = next((id_ for id_, name in charged_upgrades(cost, me) if cost.ship in ("", name)), "")
            return costs.OfCard(CardId("upgrade", id_), Name("" if me is held.own_fighter else holder(me))), cost.count
        case Payer.SHIP:
            return cost.what, cost.count
        case Payer.ME if cost.what == CHARGE:  # a ship's ability spends the charges of its pilot
            card = held.row.card if held.row.card.kind == "upgrade" else CardId("pilot", me.card.pilot)
            return costs.OfCard(card, Name(ship)), cost.count
        case Payer.ME:
            return costs.OfShip(cost.what, Name(ship)) if ship or cost.what not in FELT else cost.what, cost.count
        case _:
            assert_never(cost.payer)


def charged_upgrades(cost: Cost, me: Fighter) -> list[tuple[str, Name]]:
    """Return the ids and names of a ship's upgrades in a cost's slot that have enough charges."""
    only, _, slot = cost.what.rpartition(" ")
    fitting = (item for item in me.card.upgrades if item.slot == slot and not (only and item.charges.recover))
    left = ((item, me.charges.get(f"upgrade:{item.id}", item.charges.capacity)) for item in fitting)
    return [(item.id, item.name) for item, charges in left if charges >= cost.count]


def holder(me: Fighter) -> str:
    return me.name or me.card.pilot


def available_count(what: Spendable, facts: Facts, side: Side) -> int:
    """Return the amount in stock, or of the fighting ship's token."""
    own, friends = facts.fighters[side], facts.friends.get(side, ())
    match what:
        case OneUse(card, place, ship):
            if ship:
                return 1
            row = ROWS[card][place - 1]
            return 0 if row.then else max(item.times for item in group_of(row) or (row,))
        case costs.OfFriends(token):
            return sum(friend.tokens.get(token, 0) for friend in friends)
        case costs.OfEnemy(token):
            return facts.fighters[side.other].has(token)
        case costs.OfCard(card, ship):
            payer = payer_of(ship, own, friends)
            weapon_of = payer if card in payer.cards else facts.fighters[Side.ATTACKER]
            return weapon_of.charges.get(card, weapon_of.max_charges(card))
        case costs.OfShip(token, ship):
            payer = payer_of(ship, own, friends)
            return payer.shields if token == costs.SHIELD else has_token(payer, token)
        case str():
            return has_token(own, what)
        case _:
            return 0


def payer_of(ship: str, own: Fighter, friends: Sequence[Fighter]) -> Fighter:
    return next((friend for friend in friends if holder(friend) == ship), own)


def count(of: HowMany, held: ActiveRow) -> int:
    """Evaluate ``as many as``."""
    own, their, ships = held.own_fighter, held.facts.fighters[held.side.other], held.facts.friends
    friends, foes = ships.get(held.side, ()), (their, *ships.get(held.side.other, ()))
    numbers = {
        HowMany.FRIEND_LOCKS: own.locked + sum(friend.locked for friend in friends),
        HowMany.SHIPS: len(friends),
        HowMany.FRIENDS: len(friends) + 1,
        HowMany.ENEMIES: len(foes),
        HowMany.EVERY_SHIP: len(friends) + 1 + len(foes),
        HowMany.RED_TOKENS: sum(own.tokens.get(name, 0) for name in RED) + sum(foe.locked for foe in foes),
        HowMany.THEIR_STRESS: their.has("stress"),
        HowMany.STRESS: own.has("stress"),
        HowMany.THEIR_RED_OR_ORANGE: their.has(costs.TokenGroup.RED_OR_ORANGE),
        HowMany.CHARGES: available_count(cost_of(Cost(CHARGE), held)[0], held.facts, held.side),
    }
    return numbers[of]


def changing_ships(result: Mapping[Side, SideCards]) -> tuple[str, ...]:
    """Return the ids of cards that change a ship after an attack: the next attack's odds ignore that."""
    every = (effect for cards in result.values() for effect in cards.effects)
    effects = (effect for effect in every if not (recovers(effect) or effect.ends_with_damage))
    later = (effect for effect in effects if isinstance(effect.what, Consequence) and effect.what.is_for_later)
    return tuple(dict.fromkeys(effect.by.id for effect in later))


def of_hurt_ships(facts: Facts, claims: Mapping[Side, Sequence[str] | None]) -> Iterator[str]:
    """Yield the ids of cards whose effect depends on changes in damage, strain, or locks, which odds ignore."""
    target = facts.fighters[Side.DEFENDER]
    before = cards_by_side(facts, claims)
    strain = {**target.tokens, "strain": max(0, target.has("strain") + 1 - facts.attacks)}
    hurt = replace(target, shields=0, facedown=target.facedown + MAX_HELD, faceup=(*target.faceup, ""), tokens=strain)
    if any("lock" in dict(effect.cost) for effect in before[Side.DEFENDER].effects):
        hurt = replace(hurt, locked=False)
    changed = cards_by_side(replace(facts, fighters={**facts.fighters, Side.DEFENDER: hurt}), claims)
    for side in Side:
        other = {*before[side].effects} ^ {*changed[side].effects}
        yield from sorted({effect.by.id for effect in other if "lock" not in dict(effect.cost)})


def with_coverage(declared: Declared, result: Mapping[Side, SideCards], *also: str, with_cards: bool) -> Declared:
    """Record how far both sides' cards are automated; ``also``: further ones that aren't."""
    later = changing_ships(result) if declared.attacks > 1 else ()
    counted, asked, left = (
        tuple(dict.fromkeys(id_ for item in result.values() for id_ in getattr(item, kind)))
        for kind in ("counted", "asked", "not_counted")
    )
    left = tuple(dict.fromkeys((*left, *later, *also)))
    counted = tuple(item for item in counted if declared.attacks == 1 or item not in left)
    return replace(declared, with_cards=with_cards, counted=counted, asked=asked, not_counted=left)


def without_sure_costs(line: LineUp, side: Side, attacks: int) -> LineUp:
    """Return the line-up without costs that its stock always covers, over all attacks: those effects are free."""
    if side is Side.DEFENDER and attacks > 1:
        return line
    stock, wanted = dict(line.stock), dict[Spendable, int]()
    for effect in line.effects:
        for name, count in effect.cost:
            wanted[name] = wanted.get(name, 0) + count * (EACH if effect.each else 1)
    decided = {name for effect in line.effects if effect.verb in AT_ROLL for name, _ in effect.cost}
    decided |= {name for name in stock if isinstance(name, costs.OfEnemy)}  # its loss may change the enemy's dice
    plenty = {name for name, count in stock.items() if wanted.get(name, 0) <= count} - decided
    effects = tuple(
        replace(effect, cost=tuple(part for part in effect.cost if part[0] not in plenty)) for effect in line.effects
    )
    return replace(line, effects=effects, stock=tuple((name, n) for name, n in line.stock if name not in plenty))
