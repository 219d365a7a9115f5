"""The board's offers for a selected ship and for the match, and their results. Commands and the board share the
functions of ``ship``, ``ship_damage`` and ``match``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain
from typing import Any, ClassVar, Final, Literal

from bot.rules import game, text as texts
from bot.rules.dice import Rng
from bot.rules.errors import NotOfferedError, PlayerError
from bot.rules.game import MAX_OPTIONS, OWNER, Act, AfterOffer, ButtonRank, Field, Fill, Offer, Option, PlainAct
from bot.rules.physical_dice import MAX_FIELDS
from bot.rules.pieces import BoardChange, BoardContext
from bot.rules.text import EMPTY, N_, Capitalized, Code, Message, Name, Names, Sentences, Shown, Text, term
from bot.rules.text_values import FormPlace
from bot.rules.xwing.cards.card_sets import Pool
from bot.rules.xwing.cards.cards import ARCS
from bot.rules.xwing.cards.effects import asked_obstructions
from bot.rules.xwing.cards.rows import rows_of
from bot.rules.xwing.dice import costs, declared
from bot.rules.xwing.dice.conditions import Obstruction
from bot.rules.xwing.dice.costs import CardId
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.dice.tokens import KIND, KINDS, TOKENS, TokenShape
from bot.rules.xwing.table import (
    card_effects,
    match as matches,
    moments,
    planning,
    score as scores,
    ship as ships,
    ship_damage,
)
from bot.rules.xwing.table.match import MATCH as MATCH, Table, match_of, match_or_new, ships_of
from bot.rules.xwing.table.moment_rows import own_rows
from bot.rules.xwing.table.obstacles import HAZARDS, find_hazard
from bot.rules.xwing.table.pieces import MAX_ATTACKS
from bot.rules.xwing.table.ship import Ship, charge_upgrade, find, give, is_affected, jam_takes, lock, room
from bot.rules.xwing.table.ship_weapons import Mount, blocking_token, mounts, reason, usable_weapons, with_lent_locks

ATTACK: Final = "attack"
"""The offer that opens an attack; its form has words of a declaration."""
BONUS: Final = "bonus"
"""Key of an attack by a ship that has already attacked."""
LOOK: Final = "look"
"""The offer that shows a ship's cards, including facedown damage, to its owner only."""
MORE: Final = "more"
"""The offer whose form has rare changes of a ship's tokens, charges, and damage."""
CHANGE: Final = "change"
"""The field of that form."""
ENGAGE: Final = N_("engage")
MINE: Final = "mine"
THEIRS: Final = "theirs"
REINFORCES: Final = tuple(kind for kind in KINDS if kind.startswith("reinforce"))
RANGES: Final = tuple(Option(str(item), Text("Range {range}", range=item)) for item in range(declared.MAX_RANGE + 1))
OBSTRUCTED: Final = Option("obstructed", Text("Obstructed"), Text("one extra defense die"))
BETWEEN: Final[Mapping[Obstruction, Option]] = {
    Obstruction.SHIP: Option("obstructed by ship", Text("A ship obstructs")),
    Obstruction.DEVICE: Option("obstructed by device", Text("A device obstructs")),
}
"""Offered only if a card in play needs it; adds no die itself."""
ON_CAMERA: Final = "camera-"
CAMERAS: Final[Mapping[str, Text]] = {
    "attacker": Text("Attack dice rolled on camera"),
    "defender": Text("Defense dice rolled on camera"),
}
"""Options for sides that roll on camera."""
CIRCUMSTANCES: Final = (*(Option(f"{ON_CAMERA}{side}", label, by_hand=True) for side, label in CAMERAS.items()),)
"""Circumstances in any attack form."""
IN_ARC: Final[Mapping[str, bool]] = {"in": True, "out": False}
CHAFF: Final = "electro-chaff cloud"
WOUNDED: Final = "Wounded Pilot"
"""The damage card that rolls a red die after an action."""


def pieces(table: Table) -> tuple[Option, ...]:
    """The ships to select from, the first to engage on top."""
    return options(table, matches.engagement_order(match_of(table), ships_of(table)))


def detail(ship: Ship, *, is_next: bool) -> Shown:
    """``initiative 5 · hull 3 · shields 1 · next``."""
    parts = [Text("initiative {number}", number=ship.turn), Text("hull {number}", number=ship.hull_left)]
    parts += [Text("shields {number}", number=ship.shields_left)] if ship.shields else []
    parts += [Text("destroyed")] if ship.destroyed else []
    parts += [Text("docked on {carrier}", carrier=Name(ship.docked))] if ship.docked else []
    parts += [Text("engaged")] if ship.engaged else [Text("next")] if is_next else []
    return Sentences(parts, " · ")


def first(table: Table, owner: int | None = None, selected: str = "") -> str:
    """Return the ship for a player's presses, or "": the selected one; if that has engaged and another of theirs is
    next, that one; by default their next to engage. During activation: the activating ship, or the selected one if it
    still has to, or the next. ``owner`` None: the next ship of all.
    """
    match = match_of(table)
    theirs = {name: ship for name, ship in ships_of(table).items() if owner in (None, ship.owner)}
    own = matches.engagement_order(match, theirs)
    chosen = [ship for ship in own if ship.name == selected]
    is_moving = matches.uses_dials(table) and match is not None and match.phase not in matches.LATE
    return next(((ships_to_move if is_moving else ships_to_engage)(table, own, chosen)), "")


def ships_to_move(table: Table, own: Sequence[Ship], chosen: Sequence[Ship]) -> Iterator[str]:
    """Yield a player's ships for presses during activation, likeliest first."""
    match = match_or_new(table)
    yield from (ship.name for ship in own if ship.name == match.active and not matches.has_acted(ship))
    yield from (ship.name for ship in chosen if ship.flight is None)
    yield from (ship.name for ship in matches.activating_ships(match, ships_of(table)) if ship in own)
    yield from (ship.name for ship in own)


def ships_to_engage(table: Table, own: Sequence[Ship], chosen: Sequence[Ship]) -> Iterator[str]:
    """Yield a player's ships for presses in other phases."""
    ready = [ship for ship in matches.waiting_ships(match_of(table), ships_of(table)) if ship in own]
    yield from (ship.name for ship in chosen if not (ship.engaged and ready))
    yield from (ship.name for ship in own if ship in ready)
    yield from (ship.name for ship in sorted(own, key=lambda item: item.engaged))


def offers(table: Table, name: str) -> tuple[Offer, ...]:
    """List the offers of the named ship; a remote only suffers."""
    match, ship = match_of(table), ships_of(table).get(name)
    if ship is None:
        return ()
    label = Text("Damage and repairs") if ship.is_remote else Text("Tokens, charges, damage")
    what = Field(CHANGE, Text("What happens to {ship}?", ship=ship.name), options=change_options(ship))
    change = Offer(MORES, OWNER, label, Fill((what,), Name(ship.name)), rank=ButtonRank.ASIDE)
    if ship.is_remote:
        return (change,)
    result = [*planning.offers(table, ship), *engaging_offers(table, ship), *prepare_offers(table, ship)]
    result += token_offers(table, ship)
    fields, title = obstacle_fields(ship), Text("{ship}: obstacle", ship=ship.name)
    result.append(Offer(MEETS, OWNER, Text("Obstacle"), Fill(fields, title), rank=ButtonRank.ASIDE))
    if (ship.upgrades or (match is not None and match.mat)) and (fields := ship_damage.device_fields(table, ship)):
        title = Text("{ship}: device", ship=ship.name)
        result.append(Offer(DEVICE, OWNER, Text("Device"), Fill(fields, title), rank=ButtonRank.ASIDE))
    if victims := [target for target in targets(table, ship) if not target.is_remote]:
        fields, label = other_fields(table, victims), Text("Token on another ship")
        title = texts.labeled(ship.name, label)
        result.append(Offer(OTHER, OWNER, label, Fill(fields, title), rank=ButtonRank.ASIDE))
    result += moments.offers(table, ship)
    result += [Offer(act, OWNER, label, rank=ButtonRank.ASIDE) for act, (_, label) in flips(ship).items()]
    if ship.facedown or ship.pilot:
        result.append(Offer(LOOK, OWNER, Text("Look at its cards"), then=AfterOffer.SHOWS, rank=ButtonRank.ASIDE))
    return (*result, change)


def prepare_offers(table: Table, ship: Ship) -> list[Offer]:
    """Offer tokens and locks for several ships of a player, including this one, before the Engagement Phase."""
    match = match_of(table)
    if match is None or match.phase in matches.LATE or not ship.owner:
        return []
    there = ships_of(table).items()
    theirs = {name: item for name, item in there if item.owner == ship.owner and not item.is_remote}
    own = matches.engagement_order(match, theirs)
    if len(own) < 2:
        return []
    own = sorted(sorted(own, key=lambda item: item.name != ship.name)[:MAX_FIELDS], key=own.index)
    rank = ButtonRank.ASIDE if is_activation(table) else ButtonRank.PLAIN  # during activation, buttons are for dials
    return [planning.prepare_offer(own, foes(table, ship), rank)]


def flips(ship: Ship) -> dict[Act, tuple[int, Text]]:
    """Return its two-sided upgrades' places, with acts and labels that flip them."""
    result: dict[Act, tuple[int, Text]] = {}
    for place in ship.sides:
        upgrade, count = ship.card.upgrades[place], ship.upgrades[:place].count(ship.upgrades[place]) + 1
        message = N_("Flip {card}") if count == 1 else N_("Flip {card} #{count}")
        result[Flip(upgrade.id, count)] = place, Text(message, card=upgrade.name, count=count)
    return result


def engaging_offers(table: Table, ship: Ship) -> list[Offer]:
    """Offer its attack and engaging without one, once the first player is known; else say who is next."""
    match, fleet = match_of(table), ships_of(table)
    if matches.is_order_open(match, fleet) or has_start(table) or is_activation(table):
        return []
    if ship.docked or (match and match.phase is matches.Phase.END) or ship.name in matches.leaving_ships(match, fleet):
        return []
    result = attack_offers(table, ship)
    if match is not None and not ship.engaged and not matches.out_of_order(match, fleet, ship):
        rank = ButtonRank.PLAIN if match.phase is matches.Phase.ENGAGEMENT else ButtonRank.ASIDE
        result.append(Offer(ENGAGES, OWNER, Text("Engage without attacking"), rank=rank))
    return result


def attack_offers(table: Table, ship: Ship) -> list[Offer]:
    match, enemies = match_of(table), foes(table, ship)
    if not (enemies and mounts(ship) and ship.attacks < MAX_ATTACKS):
        return []
    barred = bars(table, ship, enemies)
    fields = () if barred else attack_fields(table, ship, enemies)
    key, label, rank, title = ATTACK, Text(N_("Attack", "a button")), ButtonRank.MAIN, N_("{ship} attacks")
    if ship.has_attacked:
        key, label, rank, title = BONUS, Text("Bonus attack…"), ButtonRank.ASIDE, N_("{ship} attacks once more")
    elif barred and match and (now := matches.waiting_ships(matches.start_engagement(match), ships_of(table))):
        label = Text("Attack (next: {ships})", ships=Names([item.name for item in now], "or"))
    asks = game.form_or_press(fields, Text(title, ship=ship.name))
    return [Offer(key, OWNER, label, asks, AfterOffer.FOLLOWS, rank, barred=barred)]


def bars(table: Table, ship: Ship, enemies: Iterable[Ship]) -> Text:
    """Return why a ship can't attack now, "" if it can: turn order, or weapons."""
    match = match_of(table)
    if why := matches.out_of_order(match and matches.start_engagement(match), ships_of(table), ship):
        return Sentences([why, Text("If it attacks anyway, type `/xwing attack` with `anyway`.")])
    if not (able := usable_weapons(ship)):
        token = term(next(blocking_token(ship, mount) for mount in mounts(ship)))
        return Text("{ship} has a {token} token: it engages but can't attack.", ship=ship.name, token=token)
    if usable_mounts(ship, able, enemies):
        return EMPTY
    first = able[0]
    hinders, weapon = reason(ship, first), first.weapon.title
    return Text("{ship} can't fire {weapon}: it {why}.", ship=ship.name, weapon=weapon, why=hinders)


def usable_mounts(ship: Ship, arms: Iterable[Mount], enemies: Iterable[Ship], where: str = "") -> list[Mount]:
    """Return the weapons that can fire at one of these ships, at range ``where``."""
    range_, targets_ = int(where) if where else None, list(enemies)
    return [arm for arm in arms if not all(reason(ship, arm, foe, range_) for foe in targets_)]


def is_activation(table: Table) -> bool:
    """Whether dials are still to be revealed, so that no ship engages."""
    match = match_of(table)
    if match is None or match.phase in matches.LATE or not matches.uses_dials(table):
        return False
    return match.phase is matches.Phase.PLANNING or bool(matches.activating_ships(match, ships_of(table)))


def in_engagement(table: Table) -> bool:
    match = match_of(table)
    return match is not None and match.phase is matches.Phase.ENGAGEMENT


def token_offers(table: Table, ship: Ship) -> list[Offer]:
    """Offer tokens, and before engaging a lock on an enemy; locks on friends or obstacles are rare, and typed."""

    def rank(action: str, *, is_rare: bool = False) -> ButtonRank:
        is_aside = is_rare or planning.is_barred(match_of(table), ship, action)
        return ButtonRank.ASIDE if is_aside else ButtonRank.PLAIN

    missing = [(kind, label) for kind, label in planning.GIVEN.items() if ship.has(kind) < room(ship, kind)]
    result = [Offer(Give(kind), OWNER, label, rank=rank(kind)) for kind, label in missing]
    to_lock = [foe for foe in foes(table, ship) if foe.name not in ship.locks and ships.can_be_locked(foe, ship)]
    if is_affected(ship, "ion") or not to_lock:
        return result
    field = Field("target", Text("What to lock"), options=options(table, to_lock))
    title = Text("{ship} acquires a lock", ship=ship.name)
    lock = rank("lock", is_rare=in_engagement(table))
    return [*result, Offer(LOCKS, OWNER, Text(N_("Lock", "a button")), Fill((field,), title), rank=lock)]


def options(table: Table, ships: Iterable[Ship]) -> tuple[Option, ...]:
    next_ = matches.waiting_ships(match_of(table), ships_of(table)) if in_engagement(table) else []
    ready = {ship.name for ship in next_}
    return tuple(Option(ship.name, Name(ship.name), detail(ship, is_next=ship.name in ready)) for ship in ships)


def targets(table: Table, ship: Ship) -> list[Ship]:
    """The other ships on the mat, those of other players first."""
    every = matches.engagement_order(match_of(table), ships_of(table))
    others = [item for item in every if item.name != ship.name and not item.docked]
    return sorted(others, key=lambda other: bool(ship.owner) and other.owner == ship.owner)[:MAX_OPTIONS]


def foes(table: Table, ship: Ship) -> list[Ship]:
    """Return possible targets: other players' ships, not destroyed or docked; any by a card, or if one has all."""
    there = [target for target in targets(table, ship) if not target.destroyed]
    is_any = not ship.owner or len(matches.owners_of(table)) == 1
    is_any = is_any or any("attack friendly ships" in row.do for row in own_rows(ship))
    return [item for item in there if is_any or item.owner != ship.owner]


def attack_fields(
    table: Table, ship: Ship, foes: list[Ship], arms: Sequence[Mount] | None = None, where: str = ""
) -> tuple[Field, ...]:
    """Return the form of an attack: weapons, usable ones first, targets, range, obstruction.

    Preselected: the first usable weapon, and the last target and range; else the locked ship or the only target.
    ``arms``: usable weapons, None for all; ``where``: the range, if known. If a target has a reinforce token, also
    whether the attacker is in its arc; if left open, that is asked later.
    """
    ship = with_lent_locks(ship, ships_of(table))
    able = arms or usable_weapons(ship)
    weapons = sorted(usable_mounts(ship, able, foes, where) or able, key=lambda mount: bool(reason(ship, mount)))
    by_name = {arm.weapon.name: Option(arm.weapon.name, arm.weapon.title, weapon_text(ship, arm)) for arm in weapons}
    best = "" if reason(ship, weapons[0]) else weapons[0].weapon.name
    names = [item.name for item in foes]
    only = names[: len(names) < 2]
    likely = next((item for item in (ship.last_target, *ship.locks, *only) if item in names), "")
    last = ship.last_range if ship.last_target in names else None
    near = where or ("" if last is None else str(last))
    ranges = RANGES[: max(weapon.weapon.farthest for weapon in weapons) + 1]
    applies = (*obstructions(table), *CIRCUMSTANCES, *(card_effects.right_options(ship) if arms is None else ()))
    fields = (
        Field("weapon", Text("Weapon"), value=best, options=tuple(by_name.values())[:MAX_OPTIONS]),
        Field("defender", Text("Target"), value=likely, options=options(table, foes)),
        Field("range", Text("Range"), required=False, value=near, options=ranges),
        Field("circumstances", Text("What applies"), required=False, options=applies, several=True),
    )
    if not any(any(map(foe.has, REINFORCES)) for foe in foes):
        return fields
    arc = (Option("in", Text("In the arc of its reinforce token")), Option("out", Text("Outside that arc")))
    return (*fields, Field("in_arc", Text("If the target is reinforced"), required=False, options=arc))


def weapon_text(ship: Ship, mount: Mount) -> Shown:
    """Return a weapon's line, with what it lacks: ``4 dice, Front Arc, 1 of 2 charges, lock on Vader``."""
    weapon = mount.weapon
    parts: list[Shown] = [Text("{one} dice, {arc}", one=weapon.value, arc=ARCS.get(weapon.arc, weapon.arc))]
    if mount.place >= 0 and (most := ship.card.upgrades[mount.place].charges.capacity):
        parts.append(Text("{left} of {most} charges", left=ship.upgrade_charges[mount.place], most=most))
    if "lock" in weapon.needs and ship.locks:
        parts.append(Text("lock on {ships}", ships=Names(ship.locks)))
    return Sentences([*parts, reason(ship, mount)], ", ")


def obstacle_fields(ship: Ship) -> tuple[Field, ...]:
    """Return an obstacle's form, with a jam token's choice if there is one."""
    met = [hazard for hazard in HAZARDS if hazard != WOUNDED or WOUNDED in ship.faceup]
    objects = tuple(Option(item, Capitalized(term(item))) for item in met)
    what, possible = Field("what", Text("What it moved through or overlaps"), options=objects), jam_takes(ship)
    asked = Text("{obstacle}: what does it jam?", obstacle=term(CHAFF.capitalize()))
    return (what, takes_field(asked, possible)) if len(possible) > 1 else (what,)


def takes_field(label: Text, possible: Iterable[str]) -> Field:
    """Return the field for what a jam token removes."""
    takes = tuple(Option(item, Capitalized(costs.cost_name(item))) for item in possible)[:MAX_OPTIONS]
    return Field("takes", label, required=False, options=takes)


BAD_TOKENS: Final = tuple(
    Option(kind, term(kind.capitalize())) for kind in KINDS if TOKENS[kind].kind in (TokenShape.ORANGE, TokenShape.RED)
)


def other_fields(table: Table, victims: list[Ship]) -> tuple[Field, ...]:
    """Return the form of a token that a ship gives another: a bad one, and a jam token's choice."""
    target = Field("target", Text("Ship that gets it"), options=options(table, victims))
    kind = Field("kind", Text("Token"), options=BAD_TOKENS)
    possible = dict.fromkeys(take for victim in victims for take in jam_takes(victim))
    return (target, kind, takes_field(Text("Jam: what does it remove?"), possible)) if possible else (target, kind)


def taken_text(what: str) -> Text:
    """Describe what a jam token removes: a token, or a lock on a ship."""
    lock = what.startswith(LOCK_ON)
    return Text("lock on {ship}", ship=Name(what.removeprefix(LOCK_ON))) if lock else term(what)


LOCK_ON: Final = "lock on "


def change_options(ship: Ship) -> tuple[Option, ...]:
    """Return damage and one more or fewer of each kind; if some do not fit, the last line says so."""
    kinds = [] if ship.is_remote else [kind for kind in KINDS if TOKENS[kind].kind is not TokenShape.DAMAGE]
    missing = [kind for kind in kinds if ship.has(kind) < room(ship, kind) and kind not in planning.GIVEN]
    gives, possible = [one_token(Give(kind), ship.has(kind)) for kind in missing], jam_takes(ship)
    if len(possible) > 1:
        jams = [(str(Give("jam", item)), Text("Give 1 jam: removes {one}", one=taken_text(item))) for item in possible]
        place = missing.index("jam")
        gives[place : place + 1] = [Option(value, label) for value, label in jams]
    takes = [one_token(Take(kind), ship.has(kind)) for kind in kinds if ship.has(kind)]
    spends, recovers = upgrade_charges(ship)
    result = (*damage(ship), *spends, *takes, *gives, *recovers)
    if len(result) <= MAX_OPTIONS:
        return result
    label = Text("{count} more don't fit in this list", count=len(result) - MAX_OPTIONS + 1)
    return (*result[: MAX_OPTIONS - 1], Option(str(REST), label, Text("Type /xwing token give or /xwing ship set")))


@cache
def one_token(act: "Give | Take", has: int) -> Option:
    """Return one more or one fewer of a kind, cached since boards repeat them."""
    message = N_("Give 1 {kind}") if isinstance(act, Give) else N_("Take 1 {kind}")
    return Option(str(act), Text(message, kind=term(act.kind)), Text("has {has}", has=has))


def upgrade_charges(ship: Ship) -> tuple[list[Option], list[Option]]:
    """Return one charge fewer, and one more, for each upgrade where possible."""
    spends, recovers = list[Option](), list[Option]()
    for place, (upgrade, left) in enumerate(zip(ship.card.upgrades, ship.upgrade_charges, strict=True)):
        most, name = upgrade.charges.capacity, upgrade.name
        has = Text("has {left} of {most}", left=left, most=most)
        if left:
            spends.append(Option(str(Charge("spend", place)), Text("Spend 1 charge of {upgrade}", upgrade=name), has))
        if left < most:
            recovered = Text("Recover 1 charge of {upgrade}", upgrade=name)
            recovers.append(Option(str(Charge("recover", place)), recovered, has))
    return spends, recovers


def damage(ship: Ship) -> list[Option]:
    """Return a hit or crit from a mine or a collision; cards to repair, or to expose."""
    of = Text("from a mine, bomb, or collision")
    result = [Option(str(Suffer(face)), Text("Suffer 1 {word}", word=face), of) for face in (Face.HIT, Face.CRIT)]
    for place, title in enumerate(ship.faceup):
        if title:
            result.append(Option(str(Repair(place)), Text("Repair {title}", title=title), Text("turn it facedown")))
    if ship.facedown:
        has = Text("has {count}; chosen at random", count=len(ship.facedown))
        result.append(Option(str(Repair()), Text("Repair a facedown card"), has))
        result.append(Option(str(EXPOSE), Text("Expose a facedown card"), Text("chosen at random")))
    return result


def table_offers(table: Table) -> tuple[Offer, ...]:
    """Offer the choice of first player while open, then the end of the round, or the phase that ships begin anyway."""
    match, fleet, owners = match_or_new(table), ships_of(table), matches.owners_of(table)
    result = [*order_offers(table), *planning.table_offers(table)]
    if match.is_ordered and match.phase is matches.Phase.PLANNING:
        result.append(Offer(SWAP, OWNER, Text("The other player is first"), rank=ButtonRank.ASIDE))
    if MATCH in table and match.score.winner is None and len(owners) > 1:
        result += score_offers(table, match.score)
    result += moments.start_offers(table)
    if match.phase not in matches.LATE:
        label, leads = Text("Begin the Engagement Phase"), not (MATCH in table and fleet) or has_start(table)
    else:
        alive = {ship.owner for ship in fleet.values() if not ship.destroyed}
        leads = not matches.waiting_ships(match, fleet) or (len(alive) < 2 and len(owners) != 1)
        label = Text("End the round") if leads else Text("End the round early")
    return (*result, Offer(PHASE, OWNER, label, rank=ButtonRank.LEADS if leads else ButtonRank.ASIDE))


def score_offers(table: Table, score: scores.Score) -> Iterator[Offer]:
    """Yield the forms of objective points, and of end conditions while unknown."""
    sides = (Option(MINE, Text("My side")), Option(THEIRS, Text("The other side")))
    asks = (Field("whose", Text("Who scores"), options=sides, value=MINE), *scores.points_fields(score))
    yield Offer(SCORES, OWNER, Text("Objective points"), Fill(asks), rank=ButtonRank.ASIDE)
    if (end := matches.ends_of(table)).points is None:
        yield Offer(ENDS, OWNER, Text("End conditions"), Fill(scores.ends_fields(end)), rank=ButtonRank.ASIDE)


def has_start(table: Table) -> bool:
    """Whether cards act at the start of the Engagement Phase, before any ship engages."""
    match, fleet = match_of(table), ships_of(table)
    if match is None or matches.is_order_open(match, fleet):
        return False
    return bool(matches.starts(matches.start_engagement(match), fleet))


def score_points(table: Table, match: matches.Match, filled: Mapping[str, str], player: int) -> BoardChange:
    """Score objective points for the presser's side, or the other one. Raises ``PlayerError``."""
    sides = matches.teams_of(match, ships_of(table))
    mine = next((side for side in sides if player in side), None)
    others = [side for side in sides if side is not mine]
    if mine is None or len(others) != 1:
        raise PlayerError("I can't tell whose points these are. Use `/xwing score` with `player`.")
    is_mine, points = filled.get("whose") != THEIRS, int(filled.get("points", "") or 1)
    reason = next(
        objective.label for objective in scores.objectives(match.score) if objective.value == filled.get("reason")
    )
    score = scores.earn(match.score, player if is_mine else min(others[0]), points, reason, match.last_round)
    message = N_("scores {points} for {reason}") if is_mine else N_("scores {points} for the other side, for {reason}")
    return BoardChange({MATCH: replace(match, score=score)}, Text(message, points=Code(f"{points:+}"), reason=reason))


def order_offers(table: Table) -> list[Offer]:
    """Offer the roll, roll-off, or choice for first player."""
    match, who, labels = match_of(table), matches.chooser(table), dict[Act, Text]()
    if matches.may_roll(table) and (match is None or match.dials != "on"):  # with dials it is rolled when all are set
        labels = {ROLLS: Text("Roll for the first player")}
    elif who:
        labels = {BePlayer("first"): Text("Be the first player"), BePlayer("second"): Text("Be the second player")}
    elif matches.may_roll_off(table):
        labels = {RollOff("hits"): Text("Roll off: hits"), RollOff("misses"): Text("Roll off: misses")}
    return [Offer(act, game.only_player(who), label, rank=ButtonRank.LEADS) for act, label in labels.items()]


MAX_NEXT: Final = 2
"""Maximum ships of a player with their own buttons on a card; more share a list."""
SHIP: Final = "ship"
"""The field of that list."""


def next_offers(table: Table) -> tuple[tuple[str, Offer], ...]:
    """Return the match's next steps with labels that name the ship: attacks, engaging without one, the round's end."""
    match, fleet = match_of(table), ships_of(table)
    if not fleet or (match is None and len(matches.owners_of(table)) < 2):
        return ()
    if is_activation(table) and match_or_new(table).phase is not matches.Phase.PLANNING:
        return next_reveals(table, matches.activating_ships(match, fleet)[:MAX_NEXT])
    result = [(MATCH, item) for item in table_offers(table) if not item.is_aside]
    has_step = any(item.then is not AfterOffer.PLANS for _, item in result)
    if match is None or has_step or (result and match.dials == "on"):
        return tuple(result)
    now = matches.waiting_ships(match, fleet)
    for key, label in ((ATTACK, N_("Next: {ship} attacks")), (ENGAGE, N_("Skip {ship}"))):
        result += next_to_engage(table, now, key, label)
    return tuple((name, replace(item, rank=min(item.rank, ButtonRank.PLAIN))) for name, item in result)


def next_reveals(table: Table, now: Sequence[Ship]) -> tuple[tuple[str, Offer], ...]:
    """Return what cards owe, and the reveals of the ships to activate."""
    shown = ((ship.name, item) for ship in now for item in planning.offers(table, ship) if not item.is_aside)
    reveals = (pair for pair in shown if pair[1].then == game.OpensPlace(pair[0]))
    return (*((MATCH, item) for item in moments.owed_offers(table)), *reveals)


def next_to_engage(table: Table, now: Sequence[Ship], key: str, label: Message) -> list[tuple[str, Offer]]:
    """Return an act of all ships at one initiative; many ships of a player share one list."""
    offered = ((ship, item) for ship in now for item in engaging_offers(table, ship))
    able = [(ship, item) for ship, item in offered if item.key == key and not item.barred]
    result = list[tuple[str, Offer]]()
    for owner in dict.fromkeys(ship.owner for ship, _ in able):
        theirs = {ship.name: item for ship, item in able if ship.owner == owner}
        if len(theirs) > MAX_NEXT:
            (first, offer), *_ = theirs.items()
            fields = shared_fields(table, {name: item.fields for name, item in theirs.items()})
            said, title = Text(label, ship=Names(theirs, "or")), Text("Which ship engages?")
            result.append((first, replace(offer, label=said, asks=game.form_or_press(fields, title))))
        else:
            result += [(name, replace(item, label=Text(label, ship=Name(name)))) for name, item in theirs.items()]
    return result


def shared_fields(table: Table, forms: Mapping[Name, tuple[Field, ...]], key: str = SHIP) -> tuple[Field, ...]:
    """Return one form for several ships, preselected like the first's, except a weapon that another lacks."""
    fleet, (first, *_) = ships_of(table), forms
    names = options(table, [fleet[name] for name in forms])[:MAX_OPTIONS]
    fields = [Field(key, Text("Ship"), value=first, options=names)]
    for field in forms[first]:
        lists = [other.options for form in forms.values() for other in form if other.key == field.key]
        every = dict[str, Option]()
        for option in chain.from_iterable(lists):
            every.setdefault(option.value, option)
        shared = replace(field, options=tuple(every.values())[:MAX_OPTIONS])
        if field.value and not all(field.value in [item.value for item in listed] for listed in lists):
            shared = replace(shared, value="", required=False)
        fields.append(shared)
    return tuple(fields[:MAX_FIELDS])


# Results


def choose(table: Table, name: str, choice: game.Choice, rng: Rng, player: int = 0) -> BoardChange:
    """Apply a choice; ``rng``: red die and cards; ``player``: the presser's number or 0. Raises ``PlayerError``."""
    act = ACTS(choice.offer)
    if act is None:
        raise NotOfferedError
    done: BoardChange = act.apply(BoardContext(table, name, choice.filled or {}, rng, player))
    course = moments.Course(table, rng, done.changes).follow()
    said = Sentences([done.sentence, *course.said], ". ")
    return replace(done, changes=matches.sweep_destroyed(table, course.changes), sentence=said)


def ship_on(on: BoardContext) -> Ship:
    return ships_of(on.table)[on.name]


def change_phase(on: BoardContext) -> BoardChange:
    """End the round, or begin the Engagement Phase; in the End Phase cards may wait for players."""
    match = match_of(on.table)
    if match is not None and match.phase in matches.LATE:
        course = moments.end_phase(on.table, on.rng)
        waits = (match_of(course.table) or match).round == match.round
        return course.board_change(Text("begins the End Phase") if waits else Text("ends the round"))
    return BoardChange(matches.begin_engagement(on.table), Text("begins the Engagement Phase"))


def say_ends(on: BoardContext) -> BoardChange:
    now = match_or_new(on.table)
    score = scores.with_ends(now.score, on.filled)
    return BoardChange({MATCH: replace(now, score=score)}, Text("sets the end conditions"))


class RollOff(Act):
    """The called red die that decides who chooses the player order."""

    call: matches.Call

    forms = ("roll-off-{call}",)

    def apply(self, on: BoardContext) -> BoardChange:
        return BoardChange(*matches.roll_off(on.table, on.player, self.call, on.rng))


class BePlayer(Act):
    """Chooses to be the first or second player."""

    side: matches.PlayerSide

    forms = ("be-{side}",)

    def apply(self, on: BoardContext) -> BoardChange:
        first, second = Text("chooses, and is the first player"), Text("chooses, and is the second player")
        now, owners = match_or_new(on.table), matches.owners_of(on.table)
        chosen = matches.choose_side(now, matches.chooser(on.table), self.side, owners)
        return BoardChange({MATCH: chosen}, first if self.side == "first" else second)


def engage(on: BoardContext) -> BoardChange:
    ship = find(ships_of(on.table), on.filled.get(SHIP) or on.name)
    changes, lines = ship_damage.engage(on.table, ship.name, on.rng)
    return BoardChange(changes, Sentences([Text("engages with {ship}", ship=ship.name), *lines], ". "))


def take_lock(on: BoardContext) -> BoardChange:
    ship, target = ship_on(on), on.filled.get("target", "")
    what = Text("locks {target} with {ship}", target=Name(target), ship=ship.name)
    changes = lock(ships_of(on.table), ship.name, target)
    return moments.Course(on.table, on.rng, changes).after_action(ship.name, "lock").board_change(what)


def meet_obstacle(on: BoardContext) -> BoardChange:
    hazard, name = find_hazard(on.filled.get("what", "")), Name(on.name)
    happened = ship_damage.obstacle(on.table, name, hazard, on.rng, on.filled.get("takes", ""))
    said = Sentences([texts.ended(hazard.action_text(name)), ship_damage.result_text(happened)])
    return BoardChange(happened.changes, said)


def give_to_other(on: BoardContext) -> BoardChange:
    """Give another ship a token by a ship's effect."""
    victim, kind = find(ships_of(on.table), on.filled.get("target", "")), on.filled.get("kind", "")
    hit, token = give_token(victim, kind, on.filled.get("takes", "")), TOKENS[kind].count_text(1)
    said = Text("puts {token} on {victim} with {ship}", token=token, victim=victim.name, ship=ship_on(on).name)
    return BoardChange({victim.name: hit}, said)


class Flip(Act):
    """Flips an upgrade, by id and number among equal ones: several ships may share a list."""

    card: str
    count: int

    forms = ("flip-{card}-{count}",)
    places: ClassVar[Mapping[str, FormPlace]] = {"card": FormPlace("[a-z0-9-]+")}

    def apply(self, on: BoardContext) -> BoardChange:
        ship = ship_on(on)
        if self not in flips(ship):
            raise NotOfferedError
        place, _ = flips(ship)[self]
        turned = ships.flip(ship, place)
        what = Text("flips a card on {ship}: now {side}", ship=ship.name, side=Name(turned.sides[place].title))
        return BoardChange({ship.name: turned}, what)


# Acts of ``change_options`` and of token buttons


class Give(Act):
    """Gains one token; ``takes``: what a jam token removes."""

    kind: str
    takes: str = ""

    forms = ("give-{kind}", "give-{kind}/{takes}")
    places: ClassVar[Mapping[str, FormPlace]] = {"kind": KIND, "takes": FormPlace(".+")}

    def apply(self, on: BoardContext) -> BoardChange:
        ship, many = ship_on(on), TOKENS[self.kind].count_text(1)
        message = N_("gives {ship} {many}, which removes {takes}") if self.takes else N_("gives {ship} {many}")
        what = Text(message, ship=ship.name, many=many, takes=taken_text(self.takes))
        course = moments.Course(on.table, on.rng, {ship.name: give_token(ship, self.kind, self.takes)})
        return course.after_action(ship.name, self.kind).board_change(what)


class Take(Act):
    """Loses one token."""

    kind: str

    forms = ("take-{kind}",)
    places: ClassVar[Mapping[str, FormPlace]] = {"kind": KIND}

    def apply(self, on: BoardContext) -> BoardChange:
        ship, many = ship_on(on), TOKENS[self.kind].count_text(1)
        taken_off = {str(ship.name): give(ship, self.kind, -1)}
        return BoardChange(taken_off, Text("removes {many} from {ship}", many=many, ship=ship.name))


class Suffer(Act):
    """Suffers one hit or crit from a mine or a collision."""

    face: Face

    forms = ("{face}",)
    places: ClassVar[Mapping[str, FormPlace]] = {"face": FormPlace("hit|crit", Face)}

    def apply(self, on: BoardContext) -> BoardChange:
        hits, crits = int(self.face is Face.HIT), int(self.face is Face.CRIT)
        changes, dealt = ship_damage.typed_damage(on.table, on.name, hits, crits, on.rng)
        message = N_("deals 1 {word} to {ship}: {cards}") if dealt.titles else N_("deals 1 {word} to {ship}")
        cards = Names(map(Name, dealt.titles))
        return BoardChange(changes, Text(message, word=self.face, ship=Name(on.name), cards=cards))


class Repair(Act):
    """Repairs a faceup damage card by place, or a random facedown one."""

    place: int | None = None

    forms = ("repair", "repair-{place}")

    def apply(self, on: BoardContext) -> BoardChange:
        ship = ship_on(on)
        title = "" if self.place is None else ship.faceup[self.place]
        said = Text("repairs {card} on {ship}", card=title or Text("a facedown card"), ship=ship.name)
        return BoardChange(ship_damage.repair(on.table, ship.name, on.rng, title), said)


def expose_card(on: BoardContext) -> BoardChange:
    changes, exposed = ship_damage.expose(on.table, on.name, on.rng)
    card = exposed or Text("an unnamed card")
    return BoardChange(changes, Text("exposes {card} on {ship}", card=card, ship=Name(on.name)))


class Charge(Act):
    """Spends or recovers an upgrade's charge."""

    how: Literal["spend", "recover"]
    place: int

    forms = ("{how}-{place}",)

    def apply(self, on: BoardContext) -> BoardChange:
        ship, count, message = ship_on(on), -1, N_("spends 1 charge of {upgrade} on {ship}")
        if self.how == "recover":
            count, message = 1, N_("recovers 1 charge of {upgrade} on {ship}")
        said = Text(message, upgrade=ship.card.upgrades[self.place].name, ship=ship.name)
        return BoardChange({ship.name: charge_upgrade(ship, self.place, count)}, said)


def say_rest(_: BoardContext) -> BoardChange:
    raise PlayerError("A list can hold 25 lines. For the rest, type `/xwing token give` or `/xwing ship set`.")


def change(on: BoardContext) -> BoardChange:
    act = CHANGES(on.filled.get(CHANGE, ""))
    if act is None:
        raise PlayerError("Choose a token from the list.")
    done: BoardChange = act.apply(on)
    return done


EXPOSE: Final = PlainAct("expose", expose_card)
REST: Final = PlainAct("rest", say_rest)
CHANGES: Final = game.act_reader(REST, Suffer, Repair, EXPOSE, Charge, Give, Take)
PHASE: Final = PlainAct("phase", change_phase)
ENDS: Final = PlainAct("ends", say_ends)
SCORES: Final = PlainAct("score", lambda on: score_points(on.table, match_or_new(on.table), on.filled, on.player))
ROLLS: Final = PlainAct("roll", lambda on: BoardChange(*matches.roll_for_order(on.table, on.rng)))
SWAP: Final = PlainAct("swap", lambda on: BoardChange(matches.swap(on.table), Text("lets the other player be first")))
ENGAGES: Final = PlainAct("engage", engage)
LOCKS: Final = PlainAct("lock", take_lock)
MEETS: Final = PlainAct("obstacle", meet_obstacle)
DEVICE: Final = PlainAct("device", lambda on: ship_damage.use_device(on.table, ship_on(on), on.filled, on.rng))
OTHER: Final = PlainAct("other", give_to_other)
MORES: Final = PlainAct(MORE, change)
ACTS: Final = game.act_reader(
    *(PHASE, ENDS, SCORES, ROLLS, SWAP, ENGAGES, LOCKS, MEETS, DEVICE, OTHER, MORES),
    *(RollOff, BePlayer, Flip, Give, *moments.ACTS, *planning.STEPS),
)


def give_token(ship: Ship, kind: str, takes: str) -> Ship:
    """Give a ship one token; ``takes``: what a jam token removes."""
    return ships.jam(ship, 1, takes) if kind == "jam" else give(ship, kind, 1)


def obstructions(table: Table) -> tuple[Option, ...]:
    """Return checkboxes for obstructions: an obstacle, and others that a card in play needs."""
    cards = [ship.card for ship in ships_of(table).values()]
    asked = frozenset[Obstruction]().union(*(obstructions_of(card.cards, card.pool) for card in cards))
    return (OBSTRUCTED, *(option for what, option in BETWEEN.items() if what in asked))


@lru_cache(maxsize=1024)
def obstructions_of(cards: tuple[CardId, ...], pool: Pool) -> frozenset[Obstruction]:
    return asked_obstructions(row for card in cards for row in rows_of(card, pool))


def attack_words(name: str, filled: Mapping[str, str], offer: str = ATTACK) -> dict[str, Any]:
    around = filled.get("circumstances", "")
    cameras = [side for side in CAMERAS if f"{ON_CAMERA}{side}" in around]
    ticks = around.split(", ")
    lies = [Obstruction.OBSTACLE] if OBSTRUCTED.value in ticks else []
    lies += [what for what, option in BETWEEN.items() if option.value in ticks]
    rights = [tick.row for tick in map(card_effects.TICK, around.split(", ")) if tick is not None]
    return {
        "attacker": filled.get(SHIP) or name,
        "defender": filled.get("defender", ""),
        "weapon": filled.get("weapon", ""),
        "range": int(filled["range"]) if filled.get("range") else None,
        "obstructed": ", ".join(lies) if lies not in ([], [Obstruction.OBSTACLE]) else bool(lies),
        "camera": "both" if len(cameras) > 1 else next(iter(cameras), None),
        "in_arc": IN_ARC.get(filled.get("in_arc", "")),
        **({"right": rights[0], "bonus": True} if rights else {}),
        **({"bonus": True} if offer == BONUS else {}),
    }
