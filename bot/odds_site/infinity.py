"""Infinity on the page: an order in the words of ``/infinity order``, with profiles to the Wound."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.games.game import Form, Said, Words
from bot.games.infinity import GAME
from bot.odds.infinity.sides import count, count_orders
from bot.render.card import Card
from bot.render.infinity.odds import card as rolls_card
from bot.render.infinity.odds import orders_card
from bot.render.infinity.troopers import public
from bot.rules.errors import BadInputError
from bot.rules.game import Field, Option
from bot.rules.infinity.troopers.trooper import Trooper, parse, troopers_of, write
from bot.rules.text import Code, Text


def cards(shared: Words, asks: Sequence[Words]) -> list[Card]:
    """Return cards of whole orders down to the Wound where armor is known; otherwise of who wins the rolls."""
    held = troopers(shared)
    orders = [(ask.get("order", ""), declare_choice(ask, held)) for ask in asks]
    try:
        return [orders_card(count_orders(orders))]
    except BadInputError:
        rolls = [(item, [each.name for each in item.rolls][:2]) for _, item in orders]
        return [rolls_card(count(item, (names[0], names[-1]))) for item, names in rolls]


def declare_choice(values: Words, held: Mapping[str, Trooper]) -> Any:
    """The order of a choice. Raises ``PlayerError`` for words that do not read."""
    chosen = {key: values[key] for key in ("edition",) if key in values}
    return GAME.declare({"order": values.get("order", ""), "odds": True, **chosen}, pieces=held)


def troopers(shared: Words) -> dict[str, Trooper]:
    """The profiles of the page. Raises ``PlayerError`` for a line that is none."""
    result: dict[str, Trooper] = {}
    for line in filter(str.strip, shared.get("profiles", "").splitlines()):
        name, _, stats = line.partition(":")
        if not stats.strip():
            raise BadInputError("profiles", line, Text("Write a name, a colon, and the profile on each line."))
        lost = LOST.search(stats)
        trooper = parse(name.strip(), LOST.sub("", stats).strip(), result)
        result[trooper.name] = replace(trooper, lost=min(int(lost[1]), trooper.wounds or 0)) if lost else trooper
    return result


LOST: Final = re.compile(r", *lost (\d{1,2})\s*$")
"""Wounds that are gone, at the end of a profile."""


def at_table(pieces: Mapping[str, Any], asked: Sequence[Said]) -> tuple[Words, Sequence[Words]] | None:
    """The troopers that the orders name, as everybody may know them, and the orders."""
    known = {name: public(trooper) for name, trooper in troopers_of(pieces).items()}
    names = dict.fromkeys(name for _, order in asked for name, profile in order.involved if profile is not None)
    lines = [page_line(known[name]) for name in names if name in known]
    shared = {"profiles": "\n".join(lines)} if lines else {}
    asks = [{"order": str(raw["order"]), "edition": order.edition} for raw, order in asked]
    held = troopers(shared)
    return (shared, asks) if all(declare_choice(ask, held) == declare_choice(ask, known) for ask in asks) else None


def page_line(trooper: Trooper) -> str:
    return ", ".join(
        [f"{trooper.name}: {write(trooper)}", *trooper.states, *([f"lost {trooper.lost}"] if trooper.lost else [])]
    )


EDITIONS: Final = tuple(Option(key, Code(key.upper())) for key in GAME.variants[0].values)
FORM: Final = Form(
    title=Text("Infinity"),
    shared=(
        Field(
            "profiles",
            Text("Profiles, one per line"),
            Code("Fennec: BS 12, PH 13, ARM 1, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48"),
            required=False,
            longest=4000,
            lines=True,
        ),
    ),
    asked=(
        Field("order", Text("The order"), Code("Angus 12 b3 vs Ortega 11"), lines=True, longest=1000),
        Field("edition", Text("Infinity edition"), required=False, options=EDITIONS),
    ),
    cards=cards,
    declare=lambda shared, ask: declare_choice(ask, troopers(shared)),
    at_table=at_table,
    most=2,
    example={"order": "Angus 12 b3 vs Ortega 11"},
)
