"""X-Wing on the page: two squads, who attacks whom with what, and what people must say of cards; or dice alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.games.xwing import GAME
from bot.odds.xwing import count
from bot.render.card import Card
from bot.render.xwing.odds import card as odds_card
from bot.rules.game import Field, Option, Side
from bot.rules.text import Name, Text, english
from bot.rules.xwing.cards import card_sets
from bot.rules.xwing.cards.claims import ticks
from bot.rules.xwing.dice.words import Brought, write
from bot.rules.xwing.table import pieces, squad
from bot.rules.xwing.table.fire import mounts
from bot.rules.xwing.table.fleet import after, find, join_all, order
from bot.rules.xwing.table.match import Table, ships_of
from bot.rules.xwing.table.ship import Ship, from_card
from bot.site.forms import Form, Words, number, tick

DICE: Final = (
    number("dice", Text("Attack dice, without a ship"), 6),
    number("agility", Text("Defense dice, without a ship"), 6),
)
ALWAYS: Final = (
    Field(
        "range",
        Text("Range"),
        required=False,
        options=tuple(Option(str(one), Text("Range {range}", range=one)) for one in range(4)),
    ),
    Field("with", Text("The attacker spends"), "focus, lock", required=False),
    Field("against", Text("The defender spends"), "evade", required=False),
    tick("obstructed", Text("Obstructed")),
)


def fields_of(shared: Words, values: Words) -> tuple[Field, ...]:
    """What is asked of a choice: of the ships that are on the table, or of dice."""
    table = xwing_table(shared)
    return ship_fields(table, values) if table else (*DICE, *ALWAYS)


def ship_fields(table: Table, values: Words) -> tuple[Field, ...]:
    """Attacker, weapon and target by name, then range and tokens, and what people must say holds."""
    ships = order(ships_of(table))
    mine, theirs = ([one for one in ships if one.owner == owner] or ships for owner in (1, 2))
    known = chosen(table, values)
    shooter, target = (find(ships_of(table), known[side.value], side.value) for side in Side)
    weapons = tuple(Option(one.weapon.name, Name(one.weapon.name)) for one in mounts(shooter))
    return (
        replace(SHIP, key="attacker", label=Text("Attacker"), options=options(mine)),
        Field("weapon", Text("Weapon"), required=False, options=weapons),
        replace(SHIP, key="defender", label=Text("Target"), options=options([*theirs, *mine])),
        *ALWAYS,
        *claim_fields(table, known, {Side.ATTACKER: shooter, Side.DEFENDER: target}),
    )


SHIP: Final = Field("attacker", Text("Attacker"))


def options(ships: Sequence[Ship]) -> tuple[Option, ...]:
    return tuple(Option(name, Name(name)) for name in dict.fromkeys(one.name for one in ships))


def claim_fields(table: Table, known: Mapping[str, object], ships: Mapping[Side, Ship]) -> tuple[Field, ...]:
    """What may be claimed between the two ships, to be ticked; nothing where nothing may."""
    found = list[Option]()
    for side, claims in pieces.claims_between(known, table).items():
        found += [one for claim in claims for one in ticks(ships[side].name, side, claim)]
    ticked = Field("claims", Text("What holds at your table"), required=False, options=tuple(found), several=True)
    return (ticked,) if found else ()


def chosen(table: Table, values: Words) -> dict[str, Any]:
    """The words of a declaration between two ships; the first of each squad where nobody was picked."""
    ships = order(ships_of(table))
    names = {one.name for one in ships}
    found: dict[str, Any] = {}
    for side, owner in ((Side.ATTACKER, 1), (Side.DEFENDER, 2)):
        own = [one.name for one in ships if one.owner == owner] or [one.name for one in ships]
        picked = values.get(side.value, "")
        found[side.value] = picked if picked in names else own[0]
    if found["attacker"] == found["defender"]:
        found["defender"] = next((one.name for one in ships if one.name != found["attacker"]), found["defender"])
    armed = [one.weapon.name for one in mounts(find(ships_of(table), found["attacker"]))]
    if values.get("weapon") in armed:
        found["weapon"] = values["weapon"]
    if values.get("range", "").isdecimal():
        found["range"] = int(values["range"])
    if values.get("obstructed"):
        found["obstructed"] = True
    return found


def xwing_table(shared: Words) -> Table:
    """The ships of both squads; {} without any. Raises ``PlayerError`` for a text that is no squad."""
    table: dict[str, Any] = {}
    for owner, key in ((1, "mine"), (2, "theirs")):
        text = shared.get(key, "")
        for one in squad.parse(text, card_sets.SHELF.newest()) if text else ():
            ships = [from_card(pilot, owner) for pilot in one.pilots]
            table = {**after(ships_of(table), join_all(ships_of(table), ships))}
    return table


def cards(shared: Words, asks: Sequence[Words]) -> list[Card]:
    """One card: all choices side by side."""
    table, line_ups = xwing_table(shared), []
    for values in asks:
        typed: dict[str, Any] = {key: values[key] for key in ("with", "against", "claims") if key in values}
        if table:
            raw = chosen(table, values) | typed | {"supposed": True}
        else:
            numbers = {key: int(values[key]) for key in ("dice", "agility", "range") if values.get(key, "").isdecimal()}
            raw = {"agility": 0} | numbers | typed | ({"obstructed": True} if values.get("obstructed") else {})
            raw.pop("claims", None)
        declared = GAME.declare(raw, pieces=table)
        line_ups.append((named(raw, declared, several=len(asks) > 1), declared))
    return [odds_card(count(line_ups))]


def named(raw: Mapping[str, Any], declared: Any, *, several: bool) -> str:
    """What one line-up is called among others: who attacks whom with what, and what the attacker brings."""
    typed = tuple(one for one in declared.attack.effects if not one.by)
    brings = write(Brought(line_up=replace(declared.attack, effects=typed)), Side.ATTACKER)
    parts = [str(raw[key]) for key in ("attacker", "weapon", "defender") if key in raw] if several else []
    return " · ".join([*parts, brings]) if brings else " · ".join(parts) or english(Text("no tokens"))


FORM: Final = Form(
    title=Text("X-Wing"),
    shared=(
        Field("mine", Text("Your squad"), "https://yasb.app/?f=…", required=False, longest=20_000, lines=True),
        Field("theirs", Text("Their squad"), "Darth Vader\nHowlrunner", required=False, longest=20_000, lines=True),
    ),
    asked=(*DICE, *ALWAYS),
    fields=fields_of,
    cards=cards,
    most=3,
    example={"dice": "3", "agility": "2", "with": "focus, lock", "against": "evade"},
)
