"""What the board offers for a selected ship and for the match, and what comes of a press there.

Commands and the board do the same: both end in the functions of ``ship``, ``fleet``, ``hurt`` and ``match``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Field, Offer, Option, Side
from bot.rules.phrase import join_and
from bot.rules.pieces import Done
from bot.rules.text import Text
from bot.rules.xwing import hurt
from bot.rules.xwing.fire import Mount, mounts, reason
from bot.rules.xwing.fleet import find, lock
from bot.rules.xwing.hazard import HAZARDS, find_hazard
from bot.rules.xwing.match import (
    CALLS,
    MATCH,
    PHASES,
    Match,
    Phase,
    PlayerSide,
    Table,
    choose_side,
    engagement_order,
    leaving,
    match_of,
    may_roll_off,
    next_phase,
    out_of_order,
    owners_of,
    roll_off,
    ships_of,
    swept,
    waiting,
)
from bot.rules.xwing.pieces import ATTACKS_MOST
from bot.rules.xwing.ship import Ship, charge_upgrade, disarmed, give, is_affected, jam, jam_takes, room
from bot.rules.xwing.tokens import KINDS, TOKENS, Kind

__all__ = ["ATTACK", "LOOK", "MATCH", "attack_words", "choose", "first", "offers", "pieces"]

ATTACK: Final = "attack"
"""The offer that opens an attack; what its form holds are words of a declaration."""
LOOK: Final = "look"
"""The offer that shows a ship's cards to its owner, facedown damage too, and changes nothing."""
BUTTONS: Final = ("focus", "evade")
"""Tokens with a button of their own."""
GIVE: Final = "give-"
TAKE: Final = "take-"
TAKES: Final = "/"
"""Between a jam token and what it takes."""
MORE: Final = "more"
REST: Final = "rest"
"""The last line of a list that is too long for Discord."""
OBSTACLE: Final = "obstacle"
OTHER: Final = "other"
SPEND: Final = "spend-"
RECOVER: Final = "recover-"
"""Before the place of the upgrade whose charge it is."""
REPAIR: Final = "repair"
EXPOSE: Final = "expose"
ENGAGE: Final = "engage"
PHASE: Final = "phase"
ROLL_OFF: Final = "roll-off-"
BE: Final = "be-"
SUFFER: Final[Mapping[str, tuple[int, int]]] = {"hit": (1, 0), "crit": (0, 1)}
"""Damage that people say: hits and crits, by the word."""
RANGES: Final = ("0", "1", "2", "3")
OBSTRUCTED: Final = "obstructed"
ON_CAMERA: Final = "camera-"
CAMERAS: Final[Mapping[str, str]] = {"attacker": "attack", "defender": "defense"}
"""Whose dice may fall on camera, and what they are called."""
IN_ARC: Final[Mapping[str, bool]] = {"in": True, "out": False}
CHAFF: Final = "electro-chaff cloud"
OPTIONS_MOST: Final = 25


def pieces(table: Table) -> tuple[Option, ...]:
    """The ships to select from, the first to engage on top."""
    match, fleet = match_of(table), ships_of(table)
    return tuple(Option(ship.name, ship.name, detail(match, table, ship)) for ship in engagement_order(match, fleet))


def detail(match: Match | None, table: Table, ship: Ship) -> str:
    """``initiative 5 · hull 3 · shields 1 · next``."""
    fleet = ships_of(table)
    parts = [f"initiative {ship.initiative}", f"hull {ship.hull_left}"]
    parts += [f"shields {ship.shields_left}"] if ship.shields else []
    parts += ["destroyed"] if ship.destroyed else []
    if ship.engaged:
        parts.append("engaged")
    elif match is not None and match.phase is Phase.ENGAGEMENT and ship in waiting(match, fleet):
        parts.append("next")
    return " · ".join(parts)


def first(table: Table) -> str:
    """The ship that is shown when nobody has selected one: the next to engage; "" for an empty table."""
    match, fleet = match_of(table), ships_of(table)
    ships = waiting(match, fleet) or engagement_order(match, fleet)
    return ships[0].name if ships else ""


def offers(table: Table, name: str) -> tuple[Offer, ...]:
    """What may be done now with the ship of that name, then with the match."""
    match, fleet = match_of(table), ships_of(table)
    ship = fleet.get(name)
    return (*(() if ship is None else ship_offers(match, table, ship)), *match_offers(match, table))


def ship_offers(match: Match | None, table: Table, ship: Ship) -> tuple[Offer, ...]:
    """What may be done with a ship; a remote only suffers."""
    fleet, found = ships_of(table), list[Offer]()
    gone = leaving(match, fleet)
    others, enemies = targets(match, table, ship), foes(match, table, ship)
    can_attack = mounts(ship) and ship.name not in gone and ship.attacks < ATTACKS_MOST and not disarmed(ship)
    if ship.is_remote:
        return (Offer(MORE, Side.ATTACKER, "Damage and its repair", options=more(ship)),)
    if enemies and can_attack:
        label = "Bonus attack" if ship.has_attacked else "Attack"
        found.append(Offer(ATTACK, Side.ATTACKER, label, fields=attack_fields(match, table, ship, enemies)))
    has_turn = match is not None and match.phase is Phase.ENGAGEMENT and not out_of_order(match, fleet, ship)
    if has_turn and not ship.engaged and ship.name not in gone:
        found.append(Offer(ENGAGE, Side.ATTACKER, "Engage without attacking"))
    to_lock = [one for one in others if one.name not in ship.locks]
    if not is_affected(ship, "ion"):
        obstacles = [Option(one, one.capitalize(), "an obstacle") for one in HAZARDS if one not in ship.locks]
        lockable = (*options(match, table, to_lock), *obstacles)[:OPTIONS_MOST]
        field = Field("target", "What to lock", options=lockable)
        found.append(Offer("lock", Side.ATTACKER, "Lock", fields=(field,)))
    found += [
        Offer(f"{GIVE}{kind}", Side.ATTACKER, kind.capitalize())
        for kind in BUTTONS
        if ship.has(kind) < room(ship, kind)
    ]
    found.append(Offer(OBSTACLE, Side.ATTACKER, "Obstacle", fields=obstacle_fields(ship)))
    if victims := [one for one in others if not one.is_remote]:
        found.append(Offer(OTHER, Side.ATTACKER, "Token on another ship", fields=other_fields(match, table, victims)))
    if ship.facedown or ship.pilot:
        found.append(Offer(LOOK, Side.ATTACKER, Text("Look at its cards")))
    return (*found, Offer(MORE, Side.ATTACKER, "Tokens, charges, damage", options=more(ship)))


def options(match: Match | None, table: Table, ships: Iterable[Ship]) -> tuple[Option, ...]:
    return tuple(Option(one.name, one.name, detail(match, table, one)) for one in ships)


def targets(match: Match | None, table: Table, ship: Ship) -> list[Ship]:
    """The other ships, those of other players first."""
    others = [one for one in engagement_order(match, ships_of(table)) if one.name != ship.name]
    return sorted(others, key=lambda one: bool(ship.owner) and one.owner == ship.owner)[:OPTIONS_MOST]


def foes(match: Match | None, table: Table, ship: Ship) -> list[Ship]:
    """The ships that a ship may attack, those of other players first."""
    gone = leaving(match, ships_of(table))
    return [one for one in targets(match, table, ship) if one.name not in gone]


def attack_fields(
    match: Match | None,
    table: Table,
    ship: Ship,
    foes: list[Ship],
    arms: Sequence[Mount] | None = None,
    where: str = "",
) -> tuple[Field, ...]:
    """The form of an attack: weapons that can fire first, targets, range, whether it is obstructed.

    The first weapon that can fire is chosen already, and the target where there is only one. ``arms``: the weapons that
    may be used, None for all; ``where``: the range, if it is known.

    Where a target has a reinforce token, also whether the attacker is in its arc; who leaves that open is asked later.
    """
    arms = mounts(ship) if arms is None else arms
    weapons = sorted(((reason(ship, one), one.weapon) for one in arms), key=lambda item: bool(item[0]))
    by_name = {one.name: Option(one.name, one.name, why or f"{one.value} dice, {one.arc}") for why, one in weapons}
    best = weapons[0][1].name if not weapons[0][0] else ""
    only = foes[0].name if len(foes) == 1 else ""
    fields = (
        Field("weapon", "Weapon", value=best, options=tuple(by_name.values())[:OPTIONS_MOST]),
        Field("defender", "Target", value=only, options=options(match, table, foes)),
        Field("range", "Range", value=where, options=tuple(Option(one, f"Range {one}") for one in RANGES)),
        Field(
            "circumstances",
            "What applies",
            required=False,
            options=(
                Option(OBSTRUCTED, "Obstructed", "one more defense die"),
                *(
                    Option(f"{ON_CAMERA}{side}", f"The {name} dice fall on camera", by_hand=True)
                    for side, name in CAMERAS.items()
                ),
            ),
            several=True,
        ),
    )
    if not any(foe.has(kind) for foe in foes for kind in KINDS if kind.startswith("reinforce")):
        return fields
    arc = (Option("in", "In the arc of its reinforce token"), Option("out", "Out of that arc"))
    return (*fields, Field("in_arc", "If the target is reinforced", required=False, options=arc))


def obstacle_fields(ship: Ship) -> tuple[Field, ...]:
    """The form of an obstacle; what a jam token takes is asked where there is a choice."""
    objects = tuple(Option(one, one.capitalize()) for one in HAZARDS)
    fields = (Field("what", "What it moved through or overlaps", options=objects),)
    possible = jam_takes(ship)
    if len(possible) < 2:
        return fields
    takes = tuple(Option(one, one.capitalize()) for one in possible)[:OPTIONS_MOST]
    return (*fields, Field("takes", f"{CHAFF.capitalize()}: what does it jam?", required=False, options=takes))


def other_fields(match: Match | None, table: Table, victims: list[Ship]) -> tuple[Field, ...]:
    """The form of a token that a ship's effect puts on another one: a bad one, and what a jam token takes there."""
    kinds = [kind for kind in KINDS if TOKENS[kind].kind in (Kind.ORANGE, Kind.RED)]
    fields = (
        Field("target", "Which ship gets it", options=options(match, table, victims)),
        Field("kind", "Which token", options=tuple(Option(kind, kind.capitalize()) for kind in kinds)),
    )
    possible = dict.fromkeys(one for victim in victims for one in jam_takes(victim))
    if not possible:
        return fields
    takes = tuple(Option(one, one.capitalize()) for one in possible)[:OPTIONS_MOST]
    return (*fields, Field("takes", "Jam: what does it take?", required=False, options=takes))


def more(ship: Ship) -> tuple[Option, ...]:
    """Damage, then one more or one less of each kind that there is room for; a jam token with each thing to take."""
    kinds = [] if ship.is_remote else [kind for kind in KINDS if TOKENS[kind].kind is not Kind.DAMAGE]
    gives = [
        Option(f"{GIVE}{kind.replace(' ', '-')}", f"Give 1 {kind}", f"has {ship.has(kind)}")
        for kind in kinds
        if ship.has(kind) < room(ship, kind) and kind not in BUTTONS
    ]
    possible = jam_takes(ship)
    if len(possible) > 1:
        jams = [Option(f"{GIVE}jam{TAKES}{one}", f"Give 1 jam: it takes {one}") for one in possible]
        place = next(at for at, one in enumerate(gives) if one.value == f"{GIVE}jam")
        gives[place : place + 1] = jams
    takes = [
        Option(f"{TAKE}{kind.replace(' ', '-')}", f"Take 1 {kind}", f"has {ship.has(kind)}")
        for kind in kinds
        if ship.has(kind)
    ]
    spends, recovers = upgrade_charges(ship)
    return fitting([*damage(ship), *spends, *takes, *gives, *recovers])


def fitting(found: list[Option]) -> tuple[Option, ...]:
    """As many options as a list takes; where some are left out, its last line says so and where else they are."""
    if len(found) <= OPTIONS_MOST:
        return tuple(found)
    shown = found[: OPTIONS_MOST - 1]
    label = f"{len(found) - len(shown)} more do not fit into this list"
    return (*shown, Option(REST, label, "Type /xwing token or /xwing ship set"))


def upgrade_charges(ship: Ship) -> tuple[list[Option], list[Option]]:
    """One charge less, and one more, of each upgrade that can."""
    spends, recovers = list[Option](), list[Option]()
    for place, (upgrade, left) in enumerate(zip(ship.card.upgrades, ship.upgrade_charges, strict=True)):
        most = upgrade.charges.capacity
        has = f"has {left} of {most}"
        spends += [Option(f"{SPEND}{place}", f"Spend 1 charge of {upgrade.name}", has)] if left else []
        recovers += [Option(f"{RECOVER}{place}", f"Recover 1 charge of {upgrade.name}", has)] if left < most else []
    return spends, recovers


def damage(ship: Ship) -> list[Option]:
    """One hit or crit from a mine or a collision; cards to repair, or to expose."""
    found = [Option(word, f"Suffer 1 {word}", "a mine, a bomb, a collision") for word in SUFFER]
    titles = [(place, title) for place, title in enumerate(ship.faceup) if title]
    found += [Option(f"{REPAIR}-{place}", f"Repair {title}", "turn it facedown") for place, title in titles]
    if ship.facedown:
        found.append(Option(REPAIR, "Repair a facedown card", f"has {len(ship.facedown)}"))
        found.append(Option(EXPOSE, "Expose a facedown card", "chosen by chance"))
    return found


def match_offers(match: Match | None, table: Table) -> tuple[Offer, ...]:
    """The roll-off while nobody has said who is first player, then its winner's choice; ``End the Planning Phase``."""
    found = []
    if may_roll_off(table):
        found = [Offer(f"{ROLL_OFF}{call}", Side.ATTACKER, f"Roll off: {call}", closes=True) for call in CALLS]
    if match is not None and match.chooses:
        found = [
            Offer(f"{BE}{side}", Side.ATTACKER, f"Be the {side} player", closes=True, player=match.chooses)
            for side in ("first", "second")
        ]
    phase = (match or Match()).phase
    label = "End the round" if phase is PHASES[-1] else f"End the {phase.named}"
    if phase is Phase.ENGAGEMENT and waiting(match, ships_of(table)):
        label = "End the round early"
    return (*found, Offer(PHASE, Side.ATTACKER, label, closes=True))


def choose(table: Table, name: str, choice: Choice, rng: Rng, player: int = 0) -> Done:
    """What a choice changes on the table, and what happened; ``rng`` is for the red die and for cards.

    ``player`` is the number of who pressed, 0 for somebody without ships. Raises ``PlayerError``.
    """
    if choice.offer == PHASE:
        match = match_of(table) or Match()
        ends = "ends the round" if match.phase is PHASES[-1] else f"ends the {match.phase.named}"
        return Done(next_phase(table), ends)
    if choice.offer.startswith(ROLL_OFF):
        return Done(*roll_off(table, player, "hits" if choice.offer == f"{ROLL_OFF}hits" else "misses", rng))
    if choice.offer.startswith(BE):
        side: PlayerSide = "first" if choice.offer == f"{BE}first" else "second"
        chosen = choose_side(match_of(table), (match_of(table) or Match()).chooses, side, owners_of(table))
        return Done({MATCH: chosen}, f"won the roll-off and is the {side} player")
    done = choose_for(table, ships_of(table)[name], choice, rng)
    return replace(done, changes=swept(table, done.changes))


def choose_for(table: Table, ship: Ship, choice: Choice, rng: Rng) -> Done:
    """The same for a choice about a ship, before destroyed ships leave."""
    fleet, filled = ships_of(table), choice.filled or {}
    if choice.offer == ENGAGE:
        changes, lines = hurt.engages(table, ship.name, rng)
        return Done(changes, ". ".join([f"engages with {ship.name}", *lines]))
    if choice.offer == "lock":
        target = filled.get("target", "")
        return Done(lock(fleet, ship.name, target), f"locks {target} with {ship.name}")
    if choice.offer == OBSTACLE:
        hazard = find_hazard(filled.get("what", ""))
        happened = hurt.obstacle(table, ship.name, hazard, rng, filled.get("takes", ""))
        return Done(happened.changes, f"moves {ship.name} through the {hazard.name}. {hurt.in_words(happened)}")
    if choice.offer == OTHER:
        victim, kind = find(fleet, filled.get("target", "")), filled.get("kind", "")
        hit = jam(victim, 1, filled.get("takes", "")) if kind == "jam" else give(victim, kind, 1)
        return Done({victim.name: hit}, f"puts {TOKENS[kind].counted(1)} on {victim.name} with {ship.name}")
    if (found := damage_of(choice, ship)) is not None:
        return choose_damage(table, ship, *found, rng)
    if (charged := charge_of(choice, ship)) is not None:
        at, count = charged
        verb = "spends" if count < 0 else "recovers"
        what = f"{verb} 1 charge of {ship.card.upgrades[at].name} on {ship.name}"
        return Done({ship.name: charge_upgrade(ship, at, count)}, what)
    kind, count, takes = token_of(choice)
    many = TOKENS[kind].counted(abs(count))
    if count < 0:
        return Done({ship.name: give(ship, kind, count)}, f"takes {many} from {ship.name}")
    given = jam(ship, count, takes) if kind == "jam" else give(ship, kind, count)
    return Done({ship.name: given}, f"gives {ship.name} {many}{f', which takes {takes}' if takes else ''}")


def choose_damage(table: Table, ship: Ship, word: str, title: str, rng: Rng) -> Done:
    """One hit or crit, a repair, or an exposed card."""
    if word in SUFFER:
        changes, dealt = hurt.typed_damage(table, ship.name, *SUFFER[word], rng)
        cards = f": {join_and(dealt.titles)}" if dealt.titles else ""
        return Done(changes, f"deals 1 {word} to {ship.name}{cards}")
    if word == REPAIR:
        return Done(hurt.repair(table, ship.name, title), f"repairs {title or 'a facedown card'} of {ship.name}")
    changes, exposed = hurt.expose(table, ship.name, rng)
    return Done(changes, f"exposes {exposed or 'a card that nobody named'} of {ship.name}")


def damage_of(choice: Choice, ship: Ship) -> tuple[str, str] | None:
    """What a choice from the list does with damage, and to which faceup card; None if it is about tokens."""
    chosen = choice.picked[0] if choice.offer == MORE and choice.picked else ""
    if chosen.startswith(f"{REPAIR}-"):
        place = int(chosen.removeprefix(f"{REPAIR}-"))
        return REPAIR, ship.faceup[place] if place < len(ship.faceup) else ""
    return (chosen, "") if chosen in (*SUFFER, REPAIR, EXPOSE) else None


def charge_of(choice: Choice, ship: Ship) -> tuple[int, int] | None:
    """The place of the upgrade whose charge a choice from the list spends (-1) or recovers (1); None for others."""
    chosen = choice.picked[0] if choice.offer == MORE and choice.picked else ""
    for word, count in ((SPEND, -1), (RECOVER, 1)):
        place = chosen.removeprefix(word)
        if place != chosen and place.isdecimal() and int(place) < len(ship.card.upgrades):
            return int(place), count
    return None


def token_of(choice: Choice) -> tuple[str, int, str]:
    """The kind of token that a choice gives or takes, how many, and what a jam token takes."""
    chosen = choice.picked[0] if choice.offer == MORE and choice.picked else choice.offer
    if chosen == REST:
        raise PlayerError(Text("A list holds 25 lines. For the rest, type `/xwing token` or `/xwing ship set`."))
    word, _, takes = chosen.partition(TAKES)
    kind = word.removeprefix(GIVE).removeprefix(TAKE)
    kind = kind if kind in TOKENS else kind.replace("-", " ")
    if kind not in KINDS:
        raise PlayerError(Text("Choose a token from the list."))
    return kind, -1 if word.startswith(TAKE) else 1, takes


def attack_words(name: str, filled: Mapping[str, str]) -> dict[str, Any]:
    """The declaration that the form of an attack makes."""
    around = filled.get("circumstances", "")
    cameras = [side for side in CAMERAS if f"{ON_CAMERA}{side}" in around]
    return {
        "attacker": name,
        "defender": filled.get("defender", ""),
        "weapon": filled.get("weapon", ""),
        "range": int(filled.get("range", "") or 1),
        "obstructed": OBSTRUCTED in around,
        "camera": "both" if len(cameras) > 1 else next(iter(cameras), None),
        "in_arc": IN_ARC.get(filled.get("in_arc", "")),
    }
