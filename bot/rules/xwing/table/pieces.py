"""X-Wing's pieces: ships, their contribution to and costs in attacks, and their damage. Source: rules page, The attack,
step by step (1, 7, 8), and Tokens on ships, per channel.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, ClassVar, Final

from bot.rules.dice import Rng
from bot.rules.errors import BadInputError, NotAllowedNowError, PlayerError, UnpayableCostError, WholeNumber
from bot.rules.game import Option, Side
from bot.rules.json_reader import JsonReader, leave_out
from bot.rules.plans import Commitment
from bot.rules.text import N_, UNNAMED, Name, Sentences, Shown, Text, as_text, term
from bot.rules.xwing.attack import json_attacks, steps
from bot.rules.xwing.attack.attack import Attack, AttackWindow
from bot.rules.xwing.cards import card_sets, deck, effects, rows
from bot.rules.xwing.cards.effects import Claims, open_claims, recovers, with_coverage, without_sure_costs
from bot.rules.xwing.cards.facts import Facts, Fighter
from bot.rules.xwing.dice import conditions, consequences, costs, typed_sides
from bot.rules.xwing.dice.declared import MAX_RANGE, BonusRight, Declared, DiceWindow, LineUp, with_attacker_in
from bot.rules.xwing.dice.loose_dice import LooseDice, LooseRoll
from bot.rules.xwing.dice.tokens import FELT, ON_SIDE, TOKENS, Token, removals_until_ineffective
from bot.rules.xwing.table import card_effects, match as matches, moments, ship_damage, ship_weapons
from bot.rules.xwing.table.match import MATCH, Match, Phase, Table, is_engagement, leaving_ships, match_of, ships_of
from bot.rules.xwing.table.ship import Fleet, Ship, abilities, find, give

SCHEMA = 1
Body = Ship | Match | deck.Decks | Commitment

MAX_ATTACKS: Final = 2
"""Step 8: a ship makes one attack when it engages, and at most one bonus attack a round."""
NAME_LONGEST: Final = 100
CLAIMS_LONGEST: Final = 1000
NOT_TYPED: Final = ("attacker", "defender", "allowed", "anyway", "supposed", "weapon", "bonus", "right", "claims")
"""Keys of a declaration between ships besides those without ships."""

SAID_ANEW: Final = ("tokens", "anyway", "allowed", "bonus", "supposed", "right", "claims")

BEFORE_DICE: Final = AttackWindow.ATTACKER_BEFORE_DICE, AttackWindow.DEFENDER_BEFORE_DICE
NOT_ROLLED: Final = (AttackWindow.DECLARE_DEFENSE, *BEFORE_DICE, AttackWindow.ENTER_ATTACK, AttackWindow.WITHDRAWN)
"""Windows in which nothing is spent: a withdrawn attack is free."""

OPTION: Final[Mapping[Side, str]] = {Side.ATTACKER: "with", Side.DEFENDER: "against"}


class OutOfOrderError(NotAllowedNowError):
    """A ship attacks out of turn; ``why`` is a sentence, and people may continue anyway."""

    then: ClassVar[Text] = Text("If it attacks anyway, type `/xwing attack` with `anyway`.")

    def __init__(self, why: Shown) -> None:
        self.why = why
        super().__init__(Sentences([why, self.then]))


class StartOfPhaseError(OutOfOrderError):
    """A ship attacks while cards may still act at the start of the Engagement Phase; this can't be overridden."""

    then = Text("The board asks for it. Attack once that's done.")


def public_view(body: Body) -> Body | None:
    """Return a piece's public form, without facedown cards and draw piles."""
    if isinstance(body, deck.Decks):
        return None
    return replace(body, facedown=(UNNAMED,) * len(body.facedown)) if isinstance(body, Ship) else body


# Declare


def declare(raw: Mapping[str, object], table: Table) -> Declared | LooseDice:
    """A declaration of ``json_attacks``; typed, it may name ships of the table: ``attacker``, ``defender``, ``weapon``.

    Typed values override the ships'. A typed number of a token is how many the ship may spend; it must have them.
    ``bonus`` declares a bonus attack; a second attack is one, declared or not. ``allowed`` lets a ship attack without
    an attack left, ``anyway`` out of turn. ``supposed`` is hypothetical: ships need neither typed tokens, nor an attack
    left, nor their turn; nobody will press for a card, so ``claims`` apply (``Claims``). Raises ``PlayerError`` as
    ``json_attacks.declare`` does, ``OutOfOrderError``, and for a ship that is missing or has no attack left.
    """
    reader, match = JsonReader(raw), match_of(table)
    ships = ships_in(reader, ships_of(table), match)
    supposed = reader.flag("supposed")
    shooter, target = ships.get(Side.ATTACKER), ships.get(Side.DEFENDER)
    key, weapon = reader.text("right", NAME_LONGEST), reader.text("weapon", NAME_LONGEST)
    right = card_effects.right_of(shooter, key, weapon) if shooter is not None else None
    is_bonus, is_out_of_turn = turn_of(reader, table, shooter, right, supposed=supposed)
    if shooter is not None:
        shooter = card_effects.pay_right(shooter, right, target.name if target is not None else "")
    allowed = supposed or reader.flag("allowed")
    lent = shooter and ship_weapons.with_lent_locks(shooter, ships_of(table))
    mount = weapon_of(reader, lent, target, right, allowed=allowed)
    typed = with_values(raw, mount, target)
    if not ships:
        return json_attacks.declare(typed)
    kept = leave_out(raw, *SAID_ANEW).items()
    again = tuple((word, item) for word, item in kept if isinstance(item, bool | int | str) and item != "")
    declared = replace(with_weapon(typed, mount), allowed=reader.flag("allowed"), right=right, typed=again)
    round_ = match.round if match is not None else 0
    declared = replace(declared, bonus=is_bonus, out_of_order=is_out_of_turn, round=round_)
    declared = declare_between(declared, shooter, target, must_hold=not supposed)
    facts = facts_between(declared, table, shooter, target, mount)
    claimed = Claims.read(reader.text("claims", CLAIMS_LONGEST), facts) if supposed else None
    if claimed is not None and claimed.obstructed:
        among = json_attacks.read_obstructed(JsonReader({"obstructed": [*claimed.obstructed]}))
        among["obstructed"] |= declared.obstructed
        declared, facts = replace(declared, **among), replace(facts, **among)
    json_attacks.check_obstructed(declared, facts)
    return with_cards(declared, facts, claimed)


def ships_in(reader: JsonReader, fleet: Fleet, match: Match | None) -> dict[Side, Ship]:
    """Return the declaration's ships. Raises ``PlayerError`` for a missing one, or one on both sides."""
    ships = {side: find(fleet, name, side.value) for side in Side if (name := reader.text(side.value, NAME_LONGEST))}
    if len(ships) > len({id(ship) for ship in ships.values()}):
        raise BadInputError("defender", ships[Side.DEFENDER].name, Text("Use another ship than the attacker."))
    for ship in ships.values():
        matches.check_there(match, fleet, ship)
    return ships


def turn_of(
    reader: JsonReader, table: Table, shooter: Ship | None, right: BonusRight | None, *, supposed: bool
) -> tuple[bool, bool]:
    """Return whether a ship attacks as a bonus, and out of turn. Raises ``OutOfOrderError`` or ``PlayerError``."""
    match, fleet, anyway = match_of(table), ships_of(table), reader.flag("anyway")
    bonus = reader.flag("bonus")
    if shooter is None:
        if bonus:
            refused = Text("Leave it out without a ship as `attacker`: only ships make bonus attacks.")
            raise BadInputError("bonus", True, refused)
        return False, False
    is_another = right is not None or shooter.has_attacked
    bonus |= is_another
    check_attacks(shooter, reader.flag("allowed") or supposed, bonus=bonus, right=right)
    if supposed or is_another or (bonus and is_engagement(match)):  # no order binds a bonus attack
        return bonus, False
    why, start = matches.out_of_order(match, fleet, shooter), matches.start_first(match, fleet)
    if start and (anyway or why == start):  # nobody overrides other players' cards
        raise StartOfPhaseError(start)
    if why and not anyway:
        raise OutOfOrderError(why)
    return bonus, bool(why)


def with_values(raw: Mapping[str, object], mount: ship_weapons.Mount | None, target: Ship | None) -> dict[str, object]:
    """Return a declaration without ships, with their values. Raises ``BadInputError`` for no dice."""
    typed = {word: item for word, item in leave_out(raw, *NOT_TYPED).items() if item is not None}
    if mount is not None:
        is_ordnance = mount.weapon.ordnance or typed.get("ordnance", False)  # a command sends false by default
        typed = {"dice": mount.weapon.value, **typed, "ordnance": is_ordnance}
    if target is not None:
        typed = {"agility": target.agility, **typed}
    if typed.keys().isdisjoint(("dice", "attack", "red", "green")):
        allowed = Text("Use a weapon value from 0 to 6 when no ship is the `attacker`.")
        raise BadInputError("dice", "", WholeNumber(0, 6, allowed))
    return typed


def with_weapon(typed: Mapping[str, object], mount: ship_weapons.Mount | None) -> Declared:
    """Add the firing weapon to a typed declaration, unless it has dice."""
    if mount is None:
        return json_attacks.declare_attack(typed, json_attacks.FAR)
    weapon, far = mount.weapon, max(json_attacks.FAR, mount.weapon.farthest)
    declared = replace(json_attacks.declare_attack(typed, far), weapon=weapon.name, special=not weapon.primary)
    return replace(declared, weapon_place=mount.place, weapon_cost=weapon.cost)


def claims_between(raw: Mapping[str, object], table: Table) -> tuple[Option, ...]:
    """List the claims on each side of an attack between ships, for a form; raises as ``declare``."""
    reader, fleet = JsonReader(raw), ships_of(table)
    shooter, target = (find(fleet, reader.text(side.value, NAME_LONGEST), side.value) for side in Side)
    mount = weapon_of(reader, ship_weapons.with_lent_locks(shooter, fleet), target)
    range_ = reader.take_whole_number("range", 0, MAX_RANGE) if reader.has("range") else None
    declared = Declared(attack=LineUp(), range=range_, **json_attacks.read_obstructed(reader))
    facts = facts_between(declared, table, shooter, target, mount)
    ships = {Side.ATTACKER: shooter.name, Side.DEFENDER: target.name}
    claims = ((side, claim) for side in Side for claim in open_claims(side, facts))
    return tuple(tick for side, claim in claims for tick in effects.ticks(ships[side], side, claim))


def attacker_input(declared: Declared) -> str:
    """Return the attacker's side as typed words; cards have a line of their own."""
    typed = tuple(effect for effect in declared.attack.effects if not effect.by)
    return typed_sides.write(typed_sides.SideInput(line_up=replace(declared.attack, effects=typed)), Side.ATTACKER)


def weapon_of(
    reader: JsonReader,
    shooter: Ship | None,
    target: Ship | None,
    right: BonusRight | None = None,
    *,
    allowed: bool = True,
) -> ship_weapons.Mount | None:
    """Return the weapon to fire: the one named, else the best primary weapon; None without a ship. ``allowed``: even if
    disarmed. Raises ``PlayerError`` for a weapon that can't be fired, or that its right does not allow.
    """
    name, range_ = reader.text("weapon", NAME_LONGEST), reader.take_raw("range")
    if shooter is None:
        if name:
            refused = Text("Leave it out without a ship as `attacker`, and type `dice` instead.")
            raise BadInputError("weapon", name, refused)
        return None
    mount = ship_weapons.find_weapon(shooter, name) if name else ship_weapons.primary(shooter)
    if right is not None:
        mount = card_effects.check_weapon(right, shooter, mount)
    if mount is not None:
        ship_weapons.check_fire(shooter, mount, target, range_ if isinstance(range_, int) else None, allowed=allowed)
    return mount


def declare_between(declared: Declared, shooter: Ship | None, target: Ship | None, *, must_hold: bool) -> Declared:
    """Add both ships' values to the declaration; a target's hull and shields are those left."""
    if shooter is not None:
        attack = join_ship(declared.attack, shooter, Side.ATTACKER, target, must_hold=must_hold)
        declared = replace(declared, attack=attack, attacker=shooter.name)
    if target is not None:
        if declared.hull is not None:
            refused = Text("Leave the hull out with `defender`: {target} has its own.", target=target.name)
            raise BadInputError("against", Text("hull {hull}", hull=declared.hull), refused)
        defense = join_ship(declared.line(Side.DEFENDER), target, Side.DEFENDER, shooter, must_hold=must_hold)
        defense = in_arc_tokens(defense, declared.in_arc)
        declared = replace(declared, defense=defense, defender=target.name)
        declared = replace(declared, hull=target.hull_left, shields=target.shields_left)
    return declared


def facts_between(
    declared: Declared, table: Table, shooter: Ship | None, target: Ship | None, mount: ship_weapons.Mount | None
) -> Facts:
    """Return the facts for rows in an attack between ships; a side without a ship has no cards."""
    ships = {Side.ATTACKER: shooter, Side.DEFENDER: target}
    fighters = {side: ship_weapons.fighter(ship, ships[side.other]) for side, ship in ships.items()}
    if mount is not None and mount.weapon.upgrade and mount.weapon.cost:
        # Conditions are evaluated after the weapon's charges are paid.
        before, card = fighters[Side.ATTACKER], f"upgrade:{mount.weapon.upgrade}"
        charges = {**before.charges, card: before.charges.get(card, 0) - mount.weapon.cost}
        fighters[Side.ATTACKER] = replace(before, charges=charges)
    return Facts(
        fighters=fighters,
        friends={side: friends(table, ship, ships[side.other]) for side, ship in ships.items()},
        weapon=mount.weapon if mount is not None else None,
        range=declared.range,
        obstructed=declared.obstructed,
        obstructed_by=declared.obstructed_by,
        bonus=declared.bonus,
        attacks=declared.attacks,
        pool=next((ship.card.pool for ship in ships.values() if ship is not None and ship.pilot), card_sets.DEFAULT),
    )


def with_cards(declared: Declared, facts: Facts, claims: Claims | None) -> Declared:
    """Add both ships' and friends' cards; ``claims``: the true ones, None where players claim by a press."""
    facts, result = effects.of_both(facts, {side: None if claims is None else claims.of[side] for side in Side})
    for side, cards in result.items():
        line, force = declared.line(side), facts.fighters[side].has("force")
        regained = any(recovers(effect) for effect in cards.effects)
        line = line.with_tokens({"force": force}) if regained and "force" not in line.none else line
        line = replace(line, effects=(*line.effects, *cards.effects), stock=cards.stock, besides=cards.besides)
        line = line if claims is None else without_sure_costs(line, side, declared.attacks)
        if side is Side.ATTACKER or declared.defense is not None:
            declared = declared.with_line(side, line)
    has_ships = any(bool(fighter.card.pilot) for fighter in facts.fighters.values())
    return with_coverage(declared, result, with_cards=has_ships)


def friends(table: Table, ship: Ship | None, enemy: Ship | None) -> tuple[Fighter, ...]:
    """Return the other ships of a ship's player, without this attack's enemy, remotes, or docked ships."""
    if ship is None or (enemy is not None and enemy.owner == ship.owner):
        return ()
    others = (item for item in ships_of(table).values() if item.owner == ship.owner and item.name != ship.name)
    return tuple(ship_weapons.fighter(other, enemy) for other in others if not (other.is_remote or other.docked))


def in_arc_tokens(held: LineUp, in_arc: bool | None) -> LineUp:
    """Apply the reinforce tokens by the declared arc; with both arcs the defender states which later."""
    if in_arc is False:
        return with_attacker_in(held, "none")
    return with_attacker_in(held, "fore" if held.fore else "aft") if in_arc and not (held.fore and held.aft) else held


def join_ship(typed: LineUp, ship: Ship, side: Side, other: Ship | None, *, must_hold: bool) -> LineUp:
    """Add the ship's values to a typed side; with ``must_hold`` it must have the typed tokens."""
    brought = line_up(ship, side, other)
    for token in ON_SIDE[side].values():
        asked, has = typed.has(token.name), brought.has(token.name)
        if asked > has and must_hold:
            raise UnpayableCostError(shortage_text(ship, token, asked, has, other))
    effects = (*brought.effects, *typed.effects)
    typed_sides.check(effects, OPTION[side])
    held = {token: 0 if token in typed.none else typed.has(token) or brought.has(token) for token in FELT}
    both = replace(typed.with_tokens(held), effects=effects, none=())
    if typed.reinforce or "reinforce" in typed.none:  # typed: measured by the player
        return both
    return replace(both, reinforce=0, fore=brought.fore, aft=brought.aft)


def shortage_text(ship: Ship, token: Token, asked: int, has: int, other: Ship | None) -> Text:
    """Return why a ship can't use typed tokens."""
    if token.is_on_target and other is not None:
        message = N_("{ship} has no lock on {other}. Take one with `/xwing lock`, and name its target as `defender`.")
        return Text(message, ship=ship.name, other=other.name)
    if token.is_on_target:
        message = N_("{ship} has no lock. Take one with `/xwing lock`, and name its target as `defender`.")
        return Text(message, ship=ship.name)
    message = N_("{ship} has {tokens}, not {asked}. Give it more with `/xwing token give` first.")
    return Text(message, ship=ship.name, tokens=token.count_text(has), asked=asked)


def line_up(ship: Ship, side: Side, other: Ship | None) -> LineUp:
    """Return a ship's line-up on one side of an attack; its lock only if on ``other``. Cards may ask for any token."""
    held = {token: spendable_tokens(ship, token, other.name if other else "") for token in FELT}
    whole = LineUp(effects=abilities(ship.abilities, side)).with_tokens(held)
    fore, aft = ship.has("reinforce fore") + ship.has("reinforce"), ship.has("reinforce aft")
    dice = ship.attack if side is Side.ATTACKER else ship.agility
    return replace(whole, dice=dice, reinforce=fore + aft, fore=fore, aft=aft)


def spendable_tokens(ship: Ship, token: str, target: str) -> int:
    """Return how many of a token a ship can spend in an attack on this target."""
    if TOKENS[token].is_on_target:
        return int(target in ship.locks)
    return min(removals_until_ineffective(token, ship.has(token), ship.size), TOKENS[token].most)


def check_attacks(ship: Ship, allowed: bool, *, bonus: bool, right: BonusRight | None = None) -> None:
    """Raise ``PlayerError`` for a ship without attacks left, or disarmed by tokens that its right doesn't remove."""
    able = card_effects.for_right(ship, right)
    barred = () if ship_weapons.usable_weapons(able) else ship_weapons.mounts(able)
    token = next((ship_weapons.blocking_token(able, mount) for mount in barred), "")
    if token and not allowed:
        message = N_("{ship} has a {token} token: it engages but can't attack. Choose another ship.")
        raise PlayerError(Text(message, ship=ship.name, token=term(token)))
    if bonus and not may_bonus(ship) and not allowed and not card_effects.is_free(right):
        message = N_(
            "{ship} has already made its bonus attack this round. A GM can allow another one with the option "
            "`allow` of `/xwing attack`; `/xwing endphase` starts the next round."
        )
        both = N_(
            "{ship} has already made its attack and its bonus attack this round. A GM can allow a third "
            "one with the option `allow` of `/xwing attack`; `/xwing endphase` starts the next round."
        )
        raise PlayerError(Text(both if ship.has_attacked else message, ship=ship.name))


# Settle


def names(state: Attack | LooseRoll) -> tuple[str, ...] | None:
    """An attack with ships uses the whole table, because others may leave when it begins; loose dice use nothing."""
    return None if isinstance(state, Attack) and by_side(state.declared) else ()


def by_side(declared: Declared | LooseDice) -> dict[Side, str]:
    """Return an attack's ships by side; none for loose dice."""
    if isinstance(declared, LooseDice):
        return {}
    return {side: name for side, name in zip(Side, (declared.attacker, declared.defender), strict=True) if name}


def settle(before: Attack | None, after: Attack, pieces: Table, rng: Rng) -> tuple[Attack, Mapping[str, Any]]:
    """Apply a ply to the table: the attack on the current target, and the changed pieces.

    An attack makes its ship engage; destroyed ships whose time is over leave before that. Spent tokens are removed, and
    a finished attack's damage is dealt. ``before``: None for the opening. Raises ``PlayerError`` if a ship lacks what
    the ply spends, so that nothing is spent twice.
    """
    was_over = before is not None and before.window is AttackWindow.OVER
    if was_over or after.window is AttackWindow.WITHDRAWN:  # whatever happened to the ships meanwhile
        shooter = None if was_over else pieces.get(after.declared.attacker)
        return after, {shooter.name: replace(shooter, last_target="")} if isinstance(shooter, Ship) else {}
    ply = DamageSettlement(before, after, pieces, rng)
    for side in by_side(after.declared):
        for settle_side in (ply.check_there, ply.engage, ply.regain, ply.pay, ply.suffer):
            settle_side(side)
    ply.changed |= card_effects.change_other_ships(ply.table, ply.owed, tuple(ply.names.values()))
    ply.changed |= card_effects.suffer_damage(ply.table, ply.owed, ply.rng)
    ply.offer_bonus_attacks()
    ply.follow()
    return ply.after, {name: item for name, item in ply.changed.items() if item != pieces.get(name)}


class DamageSettlement:
    """One ply's application to the table: the attack and changed pieces, step by step."""

    def __init__(self, before: Attack | None, after: Attack, pieces: Table, rng: Rng) -> None:
        self.before, self.after, self.pieces, self.rng = before, after, pieces, rng
        self.names, self.match = by_side(after.declared), match_of(pieces)
        self.owed = after.dues[len(before.dues) if before is not None else 0 :]
        self.changed: dict[str, Any] = {}

    @property
    def table(self) -> Table:
        return {**self.pieces, **self.changed}

    def ship(self, side: Side) -> Ship:
        result: Ship = self.changed.get(self.names[side]) or self.pieces[self.names[side]]
        return result

    def put_ship(self, ship: Ship) -> None:
        self.changed[ship.name] = ship

    def check_there(self, side: Side) -> None:
        """Raise ``PlayerError`` for a ship that has left."""
        if (name := self.names[side]) not in self.pieces:
            message = N_("{name} has left the table. Take that back with `/table undo`, or attack without it.")
            raise PlayerError(Text(message, name=Name(name)))

    def engage(self, side: Side) -> None:
        """Check the attacker when the attack opens and when its dice are rolled; then it engages, fires, and pays."""
        declared, ship, rolls = self.after.declared, self.ship(side), has_rolled(self.after)
        is_bonus = declared.bonus or ship.has_attacked
        if side is Side.DEFENDER or (self.before is not None and (has_rolled(self.before) or not rolls)):
            return
        check_attacks(ship, declared.allowed, bonus=is_bonus if rolls else declared.bonus, right=declared.right)
        if not rolls:
            self.put_ship(replace(ship, last_target=declared.defender))  # cards may act on it already
            return
        if not is_bonus:
            self.begin_engagement(side)
        ship = card_effects.pay_right(self.ship(side), declared.right, declared.defender)
        if not card_effects.is_free(declared.right):
            ship = replace(ship, attacks=ship.attacks + 1, bonus_attacks=ship.bonus_attacks + is_bonus)
        ship = replace(ship, last_target=declared.defender, last_range=declared.range, last_weapon=declared.weapon)
        self.put_ship(ship_weapons.pay_charges(ship, declared.weapon_place, declared.weapon_cost))

    def begin_engagement(self, side: Side) -> None:
        """Let the ship engage, in the Engagement Phase; ships leave first, and its faceup damage cards act."""
        if self.match is None:
            self.put_ship(replace(self.ship(side), engaged=True))
            return
        match = matches.start_engagement(self.match)
        self.changed |= matches.sweep_destroyed({**self.pieces, MATCH: match}, {})
        self.changed[MATCH], ship = matches.engaging(self.changed.get(MATCH, match), self.ship(side))
        pieces = {**self.pieces, ship.name: ship}
        engaged, decks, lines = ship_damage.apply_faceup_before_engaging(pieces, ship, self.rng)
        self.after = with_tokens_of(self.after, side, ship, engaged)
        self.changed |= {ship.name: engaged, **decks}
        began = Text("The Engagement Phase of round {round} has begun", round=self.match.round)
        told = self.after.told if is_engagement(self.match) else (began, *self.after.told)
        self.after = replace(self.after, before=lines, told=told)

    def regain(self, side: Side) -> None:
        """Recover force by cards at the declaration."""
        ship, line = self.ship(side), self.after.declared.line(side)
        is_back = (
            self.before is None and any(recovers(effect) for effect in line.effects) and ship.force_left < ship.force
        )
        self.put_ship(replace(ship, force_left=ship.force_left + 1) if is_back else ship)

    def pay(self, side: Side) -> None:
        """Pay the ply's costs after its gained tokens; then apply other effects of cards on the ship."""
        early = [due for due in self.owed if due.ship == self.names[side] and due.what not in costs.AS_DAMAGE]
        ship = reduce(card_effects.apply_change, [due for due in early if due.held or due.is_later], self.ship(side))
        enemy = self.after.declared.ship(side.other)
        ship = pay(ship, spent_tokens(self.before, side), spent_tokens(self.after, side), enemy)
        paid = reduce(card_effects.apply_change, [due for due in early if not (due.held or due.is_later)], ship)
        self.after = with_tokens_of(self.after, side, ship, paid)
        self.put_ship(paid)

    def suffer(self, side: Side) -> None:
        """Deal a finished attack's damage to the current defender."""
        if side is Side.ATTACKER:
            return
        ship = self.ship(side)
        declared = replace(self.after.declared, hull=ship.hull_left, shields=ship.shields_left)
        self.after = replace(self.after, declared=declared)
        came = self.after.damage
        if came is not None and self.after.suffered is None:
            ship, dealt, decks = ship_damage.suffer(self.table, ship, came.hits, came.crits, self.rng)
            self.changed |= {ship.name: card_effects.give_tokens(ship, came.tokens), **decks}
            self.after = replace(self.after, suffered=replace(dealt, tokens=came.tokens))

    def offer_bonus_attacks(self) -> None:
        if self.after.window is AttackWindow.OVER:
            table = self.table
            bonus = may_attack_again(self.after, table)
            self.after = replace(self.after, rights=rights_after(self.after, table), bonus_attacks=bonus)

    def follow(self) -> None:
        """Apply automatic cards: a ship destroyed, a phase begun."""
        course = moments.Course(self.pieces, self.rng, self.changed).follow()
        self.changed = course.changes
        if course.said:
            self.after = replace(self.after, told=(*self.after.told, *map(as_text, course.said)))


def with_tokens_of(state: Attack, side: Side, before: Ship, after: Ship) -> Attack:
    """Add a ship's token changes by cards to its side of the attack, before the dice."""
    enemy = state.declared.ship(side.other)
    came = {token: spendable_tokens(after, token, enemy) - spendable_tokens(before, token, enemy) for token in FELT}

    def updated(line: LineUp) -> LineUp:
        return line.with_tokens({token: max(0, line.has(token) + count) for token, count in came.items() if count})

    return state.change_side(side, updated) if any(came.values()) else state


def rights_after(state: Attack, table: Table) -> tuple[BonusRight, ...]:
    """Return step 8's bonus attacks by cards, the defender's first."""
    match, fleet, bonus_rights = match_of(table), ships_of(table), list[BonusRight]()
    there = {name: ship for name, ship in fleet.items() if name not in leaving_ships(match, fleet)}
    for side in (Side.DEFENDER, Side.ATTACKER):
        lying = state.dice_context(side)
        scene = lying.attack_context(DiceWindow.AFTER)
        for effect in (item for item in state.side(side).effects if steps.acts_of(item) is consequences.Timing.RIGHT):
            if (ship := there.get(effect.ship or lying.own)) is None:
                continue
            right = BonusRight(row=effect.group, name=effect.name, ship=ship.name, side=side)
            able = card_effects.for_right(ship, right)
            may = can_bonus_attack(able, match) and conditions.all_hold(effect.given, scene)
            bonus_rights += [right] if may and can_use(state, right, ship, table) else []
    return tuple(dict.fromkeys(bonus_rights))


def can_use(state: Attack, right: BonusRight, ship: Ship, table: Table) -> bool:
    """Whether a ship has a weapon, a target, and the cost for a card's bonus attack."""
    row, declared = rows.right_row(right.row), state.declared
    if row is None or (limits := row.bonus) is None:
        return False
    gone = leaving_ships(match_of(table), ships_of(table))
    target = limits.target_of(declared.attacker, declared.defender)
    enemies = [item.name for item in ships_of(table).values() if item.owner != ship.owner or not ship.owner]
    fit = [enemy for enemy in enemies if limits.allows_target(enemy, declared.attacker, declared.defender)]
    fired_then = declared.weapon if ship.name == declared.attacker else ""
    is_target = any(name not in gone and name != ship.name for name in fit)
    is_armed = is_target and bool(card_effects.weapons(row, ship, fired_then))
    return is_armed and not ship_weapons.missing_requirement(ship, row, target)


def may_attack_again(state: Attack, table: Table) -> tuple[Side, ...]:
    """Return step 8's sides whose ships have made no bonus attack this round, the defender's first."""
    match, fleet, ships = match_of(table), ships_of(table), by_side(state.declared)
    there = {name: ship for name, ship in fleet.items() if name not in leaving_ships(match, fleet)}
    result = [(side, there[ships[side]]) for side in (Side.DEFENDER, Side.ATTACKER) if ships.get(side) in there]
    return tuple(side for side, ship in result if can_bonus_attack(ship, match))


def can_bonus_attack(ship: Ship, match: Match | None) -> bool:
    is_there = not ship.destroyed or (match is not None and match.phase is Phase.ENGAGEMENT)
    return is_there and not ship.is_remote and bool(ship_weapons.usable_weapons(ship)) and may_bonus(ship)


def may_bonus(ship: Ship) -> bool:
    """Whether a ship may make a bonus attack this round: at most one, unless huge."""
    return not ship.bonus_attacks or ship.size == "huge"


def has_rolled(state: Attack | None) -> bool:
    return state is not None and state.window not in NOT_ROLLED


def spent_tokens(state: Attack | None, side: Side) -> Mapping[str, int]:
    """Return how many tokens of each kind a side has spent in an attack so far."""
    if state is None or not has_rolled(state):
        return dict.fromkeys(FELT, 0)
    declared, left = state.declared.line(side), state.side(side)
    # Reinforce tokens increase when the arc is known.
    return {token: max(0, declared.has(token) - left.has(token)) for token in FELT}


def pay(ship: Ship, was: Mapping[str, int], now: Mapping[str, int], target: str) -> Ship:
    """Remove what was spent since from the ship; a lock is the one on this target."""
    for token in now:
        count = now[token] - was[token]
        if count > spendable_tokens(ship, token, target):
            message = N_("{ship} has no {token} left to spend: another attack or step used it. Choose something else.")
            raise PlayerError(Text(message, ship=ship.name, token=term(token)))
        if count and TOKENS[token].is_on_target:
            ship = replace(ship, locks=ship_damage.remove_locks(ship.locks, target))
        elif count:
            ship = give(ship, token, -count)
    return ship
