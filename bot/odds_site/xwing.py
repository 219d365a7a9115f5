"""X-Wing on the page: two squads, attacker, target, tokens, and claims; or dice alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Any, Final

from bot.games.game import Form, Said, Words, number_field, tick_field
from bot.games.xwing import GAME
from bot.languages.translate import translate
from bot.odds.xwing import count
from bot.odds_site.ship_state import EXAMPLE, apply_lines, squads, texts_of
from bot.render.card import Card
from bot.render.xwing.odds import card as odds_card
from bot.rules.errors import PlayerError
from bot.rules.game import Field, Option, Side
from bot.rules.text import Code, Name, Names, Sentences, Shown, Text, term
from bot.rules.xwing.dice.declared import RULESETS, Declared
from bot.rules.xwing.table import controls, ship_weapons
from bot.rules.xwing.table.match import Table, ships_of
from bot.rules.xwing.table.pieces import attacker_input, claims_between, public_view
from bot.rules.xwing.table.ship import Ship, find, order

DICE: Final = (
    number_field("dice", Text("Attack dice, without a ship"), 6),
    number_field("agility", Text("Defense dice, without a ship"), 6),
)
AGAINST: Final = Text("The defender spends")
ALWAYS: Final = (
    Field("range", Text("Range"), required=False, options=controls.RANGES[:4]),
    Field(
        "ruleset",
        Text("X-Wing ruleset"),
        options=tuple(Option(ruleset, Code(ruleset)) for ruleset in RULESETS),
    ),
    Field("with", Text("The attacker spends"), Code("focus, lock"), required=False),
    Field("against", AGAINST, Code("evade"), required=False),
    tick_field("obstructed", Text("Obstructed")),
)


def fields_of(shared: Words, values: Words) -> tuple[Field, ...]:
    """Return the fields of a choice: attacker, weapon, target, and claims for ships on the table; otherwise dice."""
    table, _ = xwing_table(shared)
    if not table:
        return (*DICE, *ALWAYS)
    ships = order(ships_of(table))
    known = chosen_words(table, values)
    mine, theirs = ([ship for ship in ships if ship.owner == owner] or ships for owner in (1, 2))
    theirs = [ship for ship in theirs if ship.name != known["attacker"]]
    target = Field("defender", Text("Target"), options=options(ship.name for ship in theirs), value=known["defender"])
    weapons = [Name(mount.weapon.name) for mount in ship_weapons.mounts(find(ships_of(table), known["attacker"]))]
    return (
        Field("attacker", Text("Attacker"), options=options(ship.name for ship in mine), value=known["attacker"]),
        Field("weapon", Text("Weapon"), required=False, options=options(weapons)),
        *((target,) if theirs else ()),
        *ALWAYS,
        *claim_fields(table, known),
    )


def options(names: Iterable[Name]) -> tuple[Option, ...]:
    return tuple(Option(name, name) for name in dict.fromkeys(names))


def claim_fields(table: Table, known: Mapping[str, object]) -> tuple[Field, ...]:
    """Return checkboxes for the claims between two ships; empty if there are none or the weapon can't fire."""
    try:
        result = claims_between(known, table)
    except PlayerError:  # the answer shows the error; the fields stay for corrections
        return ()
    ticked = Field("claims", Text("What applies"), required=False, options=result, several=True)
    return (ticked,) if result else ()


def chosen_words(table: Table, values: Words) -> dict[str, Any]:
    """Return a declaration's words between two ships, by default each squad's first."""
    ships = order(ships_of(table))
    names = {ship.name for ship in ships}
    result: dict[str, Any] = {}
    for owner, side in enumerate(Side, 1):
        own = [ship.name for ship in ships if ship.owner == owner] or [ships[0].name]
        result[side.value] = picked if (picked := values.get(side.value, "")) in names else own[0]
    if result["attacker"] == result["defender"]:
        result["defender"] = next((ship.name for ship in ships if ship.name != result["attacker"]), result["defender"])
    armed = [mount.weapon.name for mount in ship_weapons.mounts(find(ships_of(table), result["attacker"]))]
    if values.get("weapon") in armed:
        result["weapon"] = values["weapon"]
    if values.get("range", "").isdecimal():
        result["range"] = int(values["range"])
    if values.get("obstructed"):
        result["obstructed"] = True
    return result


def xwing_table(shared: Words) -> tuple[dict[str, Ship], list[Shown]]:
    """Return both squads' current ships, and a sentence for each unknown part; {} without any. Raises ``PlayerError``
    for a text without ships.
    """
    table, unknown = squads({key: shared.get(key, "") for key in ("mine", "theirs")})
    if "stands" in shared and not table:
        raise PlayerError(YOUR_SQUAD)
    try:
        return apply_lines(table, shared.get("stands", "")), unknown
    except PlayerError as error:
        raise PlayerError(Sentences([*unknown, error.text], "\n")) from None


def declared_of(table: Table, values: Words) -> tuple[dict[str, Any], Declared]:
    """Return a choice's words and declaration: between ships, or with dice alone. Raises ``PlayerError``."""
    typed: dict[str, Any] = {key: values[key] for key in ("with", "against", "claims", "ruleset") if key in values}
    if table:
        raw = chosen_words(table, values) | typed | {"supposed": True}
    else:
        numbers = {key: int(values[key]) for key in ("dice", "agility", "range") if values.get(key, "").isdecimal()}
        raw = {"agility": 0} | numbers | typed | ({"obstructed": True} if values.get("obstructed") else {})
        raw.pop("claims", None)
    return raw, GAME.declare(raw, pieces=table)


def cards(shared: Words, asks: Sequence[Words]) -> list[Card]:
    """Return one card with all choices, and skipped parts of the squads."""
    table, unknown = xwing_table(shared)
    if len(table) == 1:
        raise PlayerError(THEIR_SQUAD if shared.get("mine") else YOUR_SQUAD)
    every = [declared_of(table, values) for values in asks]
    card = odds_card(count(list(zip(distinct_names(every), [declared for _, declared in every], strict=True))))
    facts: list[tuple[Shown, Shown]] = [(Text("Left out of the squads"), Sentences(unknown, "\n"))] if unknown else []
    if len({ship.owner for ship in table.values()}) == 1:
        facts.append((Text("Target"), THEIR_SQUAD) if shared.get("mine") else (Text("Attacker"), YOUR_SQUAD))
    return [replace(card, facts=(*facts, *card.facts))]


THEIR_SQUAD: Final = Text("Paste their squad to choose one of its ships as the target.")
YOUR_SQUAD: Final = Text("Paste your squad to choose one of its ships as the attacker.")


def at_table(pieces: Mapping[str, Any], asked: Sequence[Said]) -> tuple[Words, Sequence[Words]] | None:
    """Return a channel's attacking and defending ships, with only the relevant friends."""
    fleet = {name: shown for name, ship in ships_of(pieces).items() if isinstance(shown := public_view(ship), Ship)}
    ends = [find(fleet, str(asked[0][0][side.value]), side.value) for side in Side if asked[0][0].get(side.value)]
    if len(ends) < len(Side):
        return None
    question = partial(with_ships, {**pieces, **fleet}, asked, ends)
    owners = {end.owner for end in ends}
    friends = [ship for ship in order(fleet) if ship not in ends and ship.owner in owners]
    result = question([])
    if result is not None or (result := question(friends)) is None:
        return result
    for friend in tuple(friends):
        fewer = [*friends]
        fewer.remove(friend)
        if (less := question(fewer)) is not None:
            result, friends = less, fewer
    return result


def with_ships(
    table: Table, asked: Sequence[Said], ends: Sequence[Ship], friends: Sequence[Ship]
) -> tuple[Words, Sequence[Words]] | None:
    """Return the question with these ships; None if the page's declaration would differ from the channel's."""
    texts = texts_of([[end, *(ship for ship in friends if ship.owner == end.owner)] for end in ends])
    if texts is None:
        return None
    shared, names = texts
    renamed = dict[str, Ship]()
    for name, ship in ships_of(table).items():
        new, locks = names.get(name, name), tuple(names.get(lock, lock) for lock in ship.locks)
        renamed[new] = replace(ship, name=Name(new), locks=locks)
    if len(renamed) < len(ships_of(table)):
        return None
    there = {**{name: item for name, item in table.items() if not isinstance(item, Ship)}, **renamed}
    typed_ends, asks = {side.value: names[end.name] for side, end in zip(Side, ends, strict=True)}, list[Words]()
    for raw, declared in asked:
        typed = {key: item for key, item in raw.items() if item not in (None, "", False)}
        typed_ends["ruleset"] = declared.ruleset
        said = {key: typed[key] for key in SAID if key in typed}
        asks.append({key: "yes" if item is True else str(item) for key, item in said.items()} | typed_ends)
        here = GAME.declare({**typed, **typed_ends}, pieces=there)
        if without_channel_facts(declared_of(xwing_table(shared)[0], asks[-1])[1]) != without_channel_facts(here):
            return None
    return shared, asks


SAID: Final = ("weapon", "range", "with", "against", "claims", "obstructed")
"""Words of the command with a field on the page, besides the ships."""


def without_channel_facts(declared: Declared) -> Declared:
    """Return a declaration without what only the channel knows: round, turn, typed text."""
    return replace(declared, round=0, typed=(), out_of_order=False)


def distinct_names(every: Sequence[tuple[Mapping[str, Any], Declared]]) -> list[str]:
    """Return a name for each line-up: what differs, otherwise what the attacker uses."""
    parts = list[list[str]]()
    for raw, _ in every:
        at_range = translate(Text("Range {range}", range=raw["range"])) if "range" in raw else ""
        parts.append([*(str(raw.get(key, "")) for key in ("attacker", "weapon", "defender")), at_range])
    differ = [len(set(column)) > 1 for column in zip(*parts, strict=True)]
    shown = [[*compress(row, differ)] for row in parts]
    brings = [attacker_input(declared) for _, declared in every]
    if len(set(brings)) > 1 or not any(differ):
        shown = [[*row, item] for row, item in zip(shown, brings, strict=True)]
    named = [" · ".join(filter(None, row)) or translate(Text("no tokens")) for row in shown]
    return [f"{at}. {name}" if named.count(name) > 1 else name for at, name in enumerate(named, 1)]


FORM: Final = Form(
    title=Text("X-Wing"),
    shared=(
        Field("mine", Text("Your squad"), Code("https://yasb.app/?f=…"), required=False, longest=20_000, lines=True),
        Field(
            "theirs", Text("Their squad"), Code("Darth Vader\nHowlrunner"), required=False, longest=20_000, lines=True
        ),
        Field(
            "stands",
            Text("Current state of ships, one per line"),
            Code(EXAMPLE),
            required=False,
            longest=4000,
            lines=True,
        ),
    ),
    asked=(*DICE, *ALWAYS),
    fields=fields_of,
    cards=cards,
    declare=lambda shared, ask: declared_of(xwing_table(shared)[0], ask)[1],
    value=lambda attack: attack.damage.total if attack.damage is not None else None,
    at_table=at_table,
    most=3,
    presets={
        "with": (
            Option("focus", term("focus")),
            Option("lock", term("lock")),
            Option("focus, lock", Names([term("focus"), term("lock")])),
            Option("", Text("nothing")),
        ),
        "against": (Option("focus", term("focus")), Option("evade", term("evade")), Option("", Text("nothing"))),
    },
    example={"dice": "3", "agility": "2", "with": "focus, lock", "against": "evade"},
)
