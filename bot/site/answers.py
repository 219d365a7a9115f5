"""A question of the page and its answer, both as JSON: what ``worker.js`` calls in the browser.

A question is ``{"game", "language", "shared": {field: text}, "asks": [{field: text}, ...]}``; an answer has HTML, and
never a traceback: whatever came by an address is read as what a stranger typed.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.games import GAMES, by_terminal
from bot.languages import ENGLISH, LANGUAGES
from bot.languages.say import say, speaking
from bot.odds import infinity as infinity_odds
from bot.odds import xwing as xwing_odds
from bot.odds.luck import Uncountable
from bot.page.chart import chart
from bot.page.html import EMPTY, Html, escaped, joined, tag
from bot.render.card import Bars, Card
from bot.render.infinity.odds import orders_card
from bot.rules.errors import BadInput, PlayerError
from bot.rules.game import Field, Option, Side
from bot.rules.text import Name, Text
from bot.rules.xwing import card_sets, pieces, squad
from bot.rules.xwing.claims import written
from bot.rules.xwing.fire import mounts
from bot.rules.xwing.fleet import after, find, join_all, order
from bot.rules.xwing.match import Table, ships_of
from bot.rules.xwing.ship import Ship, from_card
from bot.rules.xwing.words import Brought, write
from bot.site.forms import FORMS, Form, fields

Words = Mapping[str, str]
ASKS_MOST: Final = 4
TEXT_MOST: Final = 20_000
NO_QUESTION: Final = Text("This address holds no question. Fill in the form below.")
TOO_LARGE: Final = Text("That is too much to count exactly here. Ask with fewer dice, tokens or effects.")
TYPED: Final = re.compile(r"`([^`]*)`")


class NoQuestion(PlayerError):
    """What came is no question of this page."""

    def __init__(self) -> None:
        super().__init__(NO_QUESTION)


def answer(text: str) -> str:
    """``fields``: what is asked now, ``cards``: the answer, ``error``: a sentence where there is none. All HTML."""
    language, found = ENGLISH, {}
    try:
        game, language, shared, asks = read(text)
        with speaking(language):
            found = answered(game, shared, asks)
    except PlayerError as error:
        with speaking(language):
            found["error"] = tag("p", sentence(say(error.text)), class_="error")
    except (Uncountable, MemoryError, RecursionError):
        with speaking(language):
            found["error"] = tag("p", TOO_LARGE, class_="error")
    return json.dumps(found)


def answered(game: str, shared: Words, asks: Sequence[Words]) -> dict[str, str]:
    """The fields first, so that they are there though the question cannot be answered."""
    found: dict[str, str] = {}
    try:
        found["fields"] = joined([tag("fieldset", *asked(game, shared, one, at)) for at, one in enumerate(asks)])
        found["cards"] = joined([as_html(one) for one in CARDS[game](shared, asks)])
    except (PlayerError, Uncountable) as error:
        text = error.text if isinstance(error, PlayerError) else TOO_LARGE
        found["error"] = tag("p", sentence(say(text)), class_="error")
    return found


def read(text: str) -> tuple[str, Any, Words, list[Words]]:
    """The parts of a question. Raises ``NoQuestion``."""
    try:
        raw = json.loads(text[: 4 * TEXT_MOST])
    except (ValueError, RecursionError):
        raise NoQuestion from None
    if not isinstance(raw, dict) or raw.get("game") not in FORMS or not isinstance(raw.get("asks"), list):
        raise NoQuestion
    form: Form = FORMS[raw["game"]]
    asks = [words(one) for one in raw["asks"][: form.most]] or [{}]
    return raw["game"], LANGUAGES.get(str(raw.get("language")), ENGLISH), words(raw.get("shared", {})), asks


def words(raw: object) -> Words:
    """What was typed or picked, empty fields left out. Raises ``NoQuestion``."""
    if not isinstance(raw, dict) or not all(isinstance(one, str) for one in raw.values()):
        raise NoQuestion
    return {str(key)[:40]: one[:TEXT_MOST] for key, one in raw.items() if one.strip()}


def sentence(text: str) -> Html:
    """A sentence with its typed words as such."""
    parts = TYPED.split(text)
    return joined([tag("code", part) if at % 2 else escaped(part) for at, part in enumerate(parts)])


# What is asked


def asked(game: str, shared: Words, values: Words, at: int) -> list[Html]:
    """The fields of one choice; in X-Wing those of the ships that are on the table."""
    form = FORMS[game]
    if game == "xwing" and (table := xwing_table(shared)):
        return fields(ship_fields(table, values), values, f"ask-{at}")
    return fields(form.asked, values, f"ask-{at}")


def ship_fields(table: Table, values: Words) -> tuple[Field, ...]:
    """Attacker, weapon and target by name, then range and tokens, and what people must say holds."""
    ships = order(ships_of(table))
    mine, theirs = ([one for one in ships if one.owner == owner] or ships for owner in (1, 2))
    known = chosen(table, values)
    shooter, target = (find(ships_of(table), known[side.value], side.value) for side in Side)
    weapons = tuple(Option(one.weapon.name, Name(one.weapon.name)) for one in mounts(shooter))
    kept = tuple(one for one in FORMS["xwing"].asked if one.key not in ("dice", "agility"))
    return (
        replace(SHIP, key="attacker", label=Text("Attacker"), options=options(mine)),
        Field("weapon", Text("Weapon"), required=False, options=weapons),
        replace(SHIP, key="defender", label=Text("Target"), options=options([*theirs, *mine])),
        *kept,
        *claim_fields(table, known, {Side.ATTACKER: shooter, Side.DEFENDER: target}),
    )


SHIP: Final = Field("attacker", Text("Attacker"))


def options(ships: Sequence[Ship]) -> tuple[Option, ...]:
    return tuple(Option(name, Name(name)) for name in dict.fromkeys(one.name for one in ships))


def claim_fields(table: Table, known: Mapping[str, object], ships: Mapping[Side, Ship]) -> tuple[Field, ...]:
    """What may be claimed between the two ships, to be ticked; nothing where nothing may."""
    ticks = []
    for side, claims in pieces.claims_between(known, table).items():
        for claim in claims:
            label = Text("{ship}: {card}", ship=ships[side].name, card=claim.card)
            detail = Text("{ask}: {does}", ask=claim.ask, does=claim.does)
            ticks.append(Option(written(side, claim.name), label, detail))
    ticked = Field("claims", Text("What holds at your table"), required=False, options=tuple(ticks), several=True)
    return (ticked,) if ticks else ()


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


# What is answered


def xwing(shared: Words, asks: Sequence[Words]) -> list[Card]:
    """One card: all choices side by side."""
    table, game, line_ups = xwing_table(shared), GAMES["xwing"], []
    for values in asks:
        typed: dict[str, Any] = {key: values[key] for key in ("with", "against", "claims") if key in values}
        if table:
            raw = chosen(table, values) | typed | {"supposed": True}
        else:
            numbers = {key: int(values[key]) for key in ("dice", "agility", "range") if values.get(key, "").isdecimal()}
            raw = {"agility": 0} | numbers | typed | ({"obstructed": True} if values.get("obstructed") else {})
            raw.pop("claims", None)
        declared = game.declare(raw, pieces=table)
        line_ups.append((named(raw, declared, several=len(asks) > 1), declared))
    card = game.chances.card
    assert card is not None, "X-Wing has a card for its odds"  # noqa: S101 - states it
    return [card.draw(xwing_odds.count(line_ups))]


def named(raw: Mapping[str, Any], declared: Any, *, several: bool) -> str:
    """What one line-up is called among others: who attacks whom with what, and what the attacker brings."""
    typed = tuple(one for one in declared.attack.effects if not one.by)
    brings = write(Brought(line_up=replace(declared.attack, effects=typed)), Side.ATTACKER)
    parts = [str(raw[key]) for key in ("attacker", "weapon", "defender") if key in raw] if several else []
    return " · ".join([*parts, brings]) if brings else " · ".join(parts) or str(Text("no tokens"))


def infinity(shared: Words, asks: Sequence[Words]) -> list[Card]:
    """Whole orders to the Wound where armour is known, else who wins the rolls."""
    profiles = dict(profile(line) for line in shared.get("profiles", "").splitlines() if line.strip())
    game, orders = GAMES["infinity"], []
    for values in asks:
        text = values.get("order", "")
        raw: dict[str, Any] = {"order": text} | ({"troopers": profiles} if profiles else {})
        orders.append((text, game.rules.declare(raw)))
    try:
        return [orders_card(infinity_odds.count_orders(orders))]
    except BadInput:
        card = game.chances.card
        assert card is not None, "Infinity has a card for its odds"  # noqa: S101 - states it
        rolls = [(one, [each.name for each in one.rolls][:2]) for _, one in orders]
        return [card.draw(card.count(one, (names[0], names[-1]))) for one, names in rolls]


def profile(line: str) -> tuple[str, str]:
    """A name and its profile, as the JSON of a declaration has them."""
    name, _, stats = line.partition(":")
    if not stats.strip():
        raise BadInput("profiles", line, Text("Write a name, a colon and the profile on each line."))
    return name.strip(), stats.strip()


def numbers(values: Words, *keys: str) -> dict[str, int]:
    """The numbers among what was picked. Raises ``BadInput`` for what is none."""
    for key in keys:
        if key in values and not values[key].isdecimal():
            raise BadInput(key, values[key], Text("Use a whole number."))
    return {key: int(values[key][:6]) for key in keys if key in values}


def warsurge(_: Words, asks: Sequence[Words]) -> list[Card]:
    game = GAMES["warsurge"]
    card = game.chances.card
    assert card is not None, "WARSURGE has a card for its odds"  # noqa: S101 - states it
    raws = [
        {"method": values.get("method", "casual"), **numbers(values, "power", "defence", "attack_dice", "save", "ap")}
        for values in asks
    ]
    return [card.draw(card.count([game.rules.declare(raw)])) for raw in raws]


def albion(_: Words, asks: Sequence[Words]) -> list[Card]:
    game, found = GAMES["albion"], []
    card = game.chances.card
    assert card is not None, "Albion has a card for its odds"  # noqa: S101 - states it
    for values in asks:
        raw = {
            "target": numbers(values, "agility", "stealth") | {"dodging": bool(values.get("dodging"))},
            "attacker": numbers(values, "awareness", "strength"),
        }
        found.append(card.draw(card.count(game.rules.declare(raw))))
    return found


def dice(_: Words, asks: Sequence[Words]) -> list[Card]:
    game = by_terminal()["dice"]
    card = game.chances.card
    assert card is not None, "dice have a card for their odds"  # noqa: S101 - states it
    return [card.draw(card.count(game.rules.declare({"dice": values.get("dice", "")}))) for values in asks]


CARDS: Final[Mapping[str, Callable[[Words, Sequence[Words]], list[Card]]]] = {
    "xwing": xwing,
    "infinity": infinity,
    "warsurge": warsurge,
    "albion": albion,
    "dice": dice,
}


def as_html(card: Card) -> Html:
    """A card of odds: its outcome first, then the chart, then the numbers."""
    drawn = chart(card.figure, say(card.alt)) if isinstance(card.figure, Bars) else EMPTY
    rows = [tag("div", tag("dt", name), tag("dd", lines(say(value)))) for name, value in card.facts]
    return tag(
        "article",
        tag("h2", card.title),
        tag("p", card.outcome, class_="outcome"),
        drawn or (tag("p", card.alt) if card.alt else None),
        tag("dl", *rows) if rows else None,
        counted(card) if card.small else None,
    )


def counted(card: Card) -> Html:
    """How both sides are taken to play, and what is not counted: for whoever wants to know."""
    return tag(
        "details", tag("summary", Text("How is this counted?")), tag("p", sentence(say(card.small)), class_="small")
    )


def lines(text: str) -> Html:
    """Lines of a text one below the other."""
    return joined([tag("span", one, class_="line") for one in text.split("\n")])
