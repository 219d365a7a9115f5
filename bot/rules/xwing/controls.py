"""What the board offers for a selected ship and for the match, and what comes of a press there.

Commands and the board do the same: both end in the functions of ``ship``, ``fleet`` and ``match``.
"""

from collections.abc import Mapping
from typing import Any, Final

from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Field, Offer, Option, Side
from bot.rules.xwing import hurt
from bot.rules.xwing.fire import mounts, reason
from bot.rules.xwing.fleet import find, lock
from bot.rules.xwing.hazard import HAZARDS, find_hazard
from bot.rules.xwing.match import (
    MATCH,
    PHASES,
    Match,
    Phase,
    Table,
    engage,
    engagement_order,
    leaving,
    match_of,
    next_phase,
    out_of_order,
    ships_of,
    swept,
    waiting,
)
from bot.rules.xwing.ship import Ship, give, jam, room
from bot.rules.xwing.tokens import KINDS, TOKENS, Kind

__all__ = ["ATTACK", "MATCH", "attack_words", "choose", "first", "offers", "pieces", "sentence"]

ATTACK: Final = "attack"
"""The offer that opens an attack; what its form holds are words of a declaration."""
BUTTONS: Final = ("focus", "evade")
"""Tokens with a button of their own."""
GIVE: Final = "give-"
TAKE: Final = "take-"
MORE: Final = "more"
OBSTACLE: Final = "obstacle"
REPAIR: Final = "repair"
EXPOSE: Final = "expose"
SUFFER: Final[Mapping[str, tuple[int, int]]] = {"hit": (1, 0), "crit": (0, 1)}
"""Damage that people say: hits and crits, by the word."""
RANGES: Final = ("0", "1", "2", "3")
OBSTRUCTED: Final = "obstructed"
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
    return (*(() if ship is None else ship_offers(match, table, ship)), phase_offer(match))


def ship_offers(match: Match | None, table: Table, ship: Ship) -> tuple[Offer, ...]:
    fleet, found = ships_of(table), list[Offer]()
    others = tuple(Option(one.name, one.name, detail(match, table, one)) for one in targets(match, table, ship))
    gone = leaving(match, fleet)
    foes = tuple(one for one in others if one.value not in gone)
    if foes and mounts(ship) and ship.name not in gone:
        found.append(Offer(ATTACK, Side.ATTACKER, "Attack", fields=attack_fields(ship, foes)))
    engages = match is not None and match.phase is Phase.ENGAGEMENT and not ship.engaged
    if engages and not out_of_order(match, fleet, ship):
        found.append(Offer("engage", Side.ATTACKER, "Engage without attacking"))
    if others:
        field = Field("target", "Which ship to lock", options=others)
        found.append(Offer("lock", Side.ATTACKER, "Lock", fields=(field,)))
    found += [
        Offer(f"{GIVE}{kind}", Side.ATTACKER, kind.capitalize())
        for kind in BUTTONS
        if ship.has(kind) < room(ship, kind)
    ]
    objects = tuple(Option(one, one.capitalize()) for one in HAZARDS)
    through = Field("what", "What it moved through or overlaps", options=objects)
    found.append(Offer(OBSTACLE, Side.ATTACKER, "Obstacle", fields=(through,)))
    return (*found, Offer(MORE, Side.ATTACKER, "Tokens, charges, damage and its repair", options=more(ship)))


def targets(match: Match | None, table: Table, ship: Ship) -> list[Ship]:
    """The other ships, those of other players first."""
    others = [one for one in engagement_order(match, ships_of(table)) if one.name != ship.name]
    return sorted(others, key=lambda one: bool(ship.owner) and one.owner == ship.owner)[:OPTIONS_MOST]


def attack_fields(ship: Ship, foes: tuple[Option, ...]) -> tuple[Field, ...]:
    """The form of an attack: weapons that can fire first, targets, range, whether it is obstructed."""
    weapons = sorted(((reason(ship, one), one.weapon) for one in mounts(ship)), key=lambda item: bool(item[0]))
    return (
        Field(
            "weapon",
            "Weapon",
            options=tuple(
                {
                    one.name: Option(one.name, one.name, why or f"{one.value} dice, {one.arc}") for why, one in weapons
                }.values()
            )[:OPTIONS_MOST],
        ),
        Field("defender", "Target", options=foes),
        Field("range", "Range", options=tuple(Option(one, f"Range {one}") for one in RANGES)),
        Field(
            "circumstances",
            "Anything in between?",
            required=False,
            options=(Option(OBSTRUCTED, "Obstructed", "one more defense die"),),
        ),
    )


def more(ship: Ship) -> tuple[Option, ...]:
    """One more, or one less, of each kind that there is room for."""
    gives = [
        Option(f"{GIVE}{kind.replace(' ', '-')}", f"Give 1 {kind}", f"has {ship.has(kind)}")
        for kind in KINDS
        if ship.has(kind) < room(ship, kind) and kind not in BUTTONS and TOKENS[kind].kind is not Kind.DAMAGE
    ]
    takes = [
        Option(f"{TAKE}{kind.replace(' ', '-')}", f"Take 1 {kind}", f"has {ship.has(kind)}")
        for kind in KINDS
        if ship.has(kind) and TOKENS[kind].kind is not Kind.DAMAGE
    ]
    return tuple([*damage(ship), *takes, *gives][:OPTIONS_MOST])


def damage(ship: Ship) -> list[Option]:
    """One hit or crit from a mine or a collision; cards to repair, or to expose."""
    found = [Option(word, f"Suffer 1 {word}", "a mine, a bomb, a collision") for word in SUFFER]
    titles = [(place, title) for place, title in enumerate(ship.faceup) if title]
    found += [Option(f"{REPAIR}-{place}", f"Repair {title}", "turn it facedown") for place, title in titles]
    if ship.facedown:
        found.append(Option(REPAIR, "Repair a facedown card", f"has {len(ship.facedown)}"))
        found.append(Option(EXPOSE, "Expose a facedown card", "chosen by chance"))
    return found


def phase_offer(match: Match | None) -> Offer:
    """``End planning``; after the Engagement Phase the round ends."""
    phase = (match or Match()).phase
    label = "End the round" if phase is PHASES[-1] else f"End {phase.value}"
    return Offer("phase", Side.ATTACKER, label, closes=True)


def choose(table: Table, name: str, choice: Choice, rng: Rng) -> Mapping[str, Any]:
    """What a choice changes on the table; ``rng`` is for the red die and for cards. Raises ``PlayerError``."""
    if choice.offer == "phase":
        return next_phase(table)
    fleet = ships_of(table)
    if choice.offer == "engage":
        return swept(table, engage(table, name))
    if choice.offer == "lock":
        return swept(table, lock(fleet, name, (choice.filled or {}).get("target", "")))
    if choice.offer == OBSTACLE:
        hazard = find_hazard((choice.filled or {}).get("what", ""))
        return swept(table, hurt.obstacle(table, name, hazard, rng).changes)
    if (found := damage_of(choice, fleet[name])) is not None:
        word, title = found
        if word in SUFFER:
            return swept(table, hurt.typed_damage(table, name, *SUFFER[word], rng)[0])
        return swept(table, hurt.repair(table, name, title) if word == REPAIR else hurt.expose(table, name, rng)[0])
    ship, (kind, count) = find(fleet, name), token_of(choice)
    arrives = kind == "jam" and count > 0
    return swept(table, {ship.name: jam(ship, count) if arrives else give(ship, kind, count)})


def damage_of(choice: Choice, ship: Ship) -> tuple[str, str] | None:
    """What a choice from the list does with damage, and to which faceup card; None if it is about tokens."""
    chosen = choice.picked[0] if choice.offer == MORE and choice.picked else ""
    if chosen.startswith(f"{REPAIR}-"):
        place = int(chosen.removeprefix(f"{REPAIR}-"))
        return REPAIR, ship.faceup[place] if place < len(ship.faceup) else ""
    return (chosen, "") if chosen in (*SUFFER, REPAIR, EXPOSE) else None


def token_of(choice: Choice) -> tuple[str, int]:
    """The kind of token that a choice gives or takes, and how many."""
    chosen = choice.picked[0] if choice.offer == MORE and choice.picked else choice.offer
    kind = chosen.removeprefix(GIVE).removeprefix(TAKE)
    kind = kind if kind in TOKENS else kind.replace("-", " ")
    if kind not in KINDS:
        raise PlayerError("Choose a token from the list.")
    return kind, -1 if chosen.startswith(TAKE) else 1


def sentence(table: Table, name: str, choice: Choice) -> str:
    """What a choice does, as the history says it."""
    if choice.offer == "phase":
        match = match_of(table) or Match()
        return "ends the round" if match.phase is PHASES[-1] else f"ends the {match.phase.named}"
    if choice.offer == "engage":
        return f"engages with {name}"
    if choice.offer == "lock":
        return f"locks {(choice.filled or {}).get('target', '')} with {name}"
    if choice.offer == OBSTACLE:
        return f"moves {name} through: {(choice.filled or {}).get('what', '')}"
    if (found := damage_of(choice, ships_of(table)[name])) is not None:
        word, title = found
        if word in SUFFER:
            return f"deals 1 {word} to {name}"
        return f"{word}s {title or 'a facedown card'} of {name}"
    kind, count = token_of(choice)
    many = TOKENS[kind].counted(abs(count))
    return f"gives {name} {many}" if count > 0 else f"takes {many} from {name}"


def attack_words(name: str, filled: Mapping[str, str]) -> dict[str, Any]:
    """The declaration that the form of an attack makes."""
    return {
        "attacker": name,
        "defender": filled.get("defender", ""),
        "weapon": filled.get("weapon", ""),
        "range": int(filled.get("range", "") or 1),
        "obstructed": OBSTRUCTED in filled.get("circumstances", ""),
    }
