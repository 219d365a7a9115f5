"""Card effects outside attacks: one row for each text and moment, from ``data/rows/moments.json``.

A row has the moment, whose event it is, whom it affects, known conditions (``if``), claims (``ask``), cost, and effects
in the words of ROWS.md. Effects are in ``verbs``; permissions in ``moments``.

Source: rules page, X-Wing: when cards speak outside an attack.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from bot.rules.xwing.cards.card_sets import SHIPPED
from bot.rules.xwing.cards.rows import HOW_MANY
from bot.rules.xwing.dice.costs import CardId, Cost, read_costs
from bot.rules.xwing.table import card_facts
from bot.rules.xwing.table.card_facts import COLORS, DOCKED_ON, Condition, FactContext, Flown, can_pay, flown_of
from bot.rules.xwing.table.flying import held_cards, side_of
from bot.rules.xwing.table.ship import Fleet, Ship

BEFORE: Final = "before "
FAR: Final = re.compile(r"[^,]*(?:\bat range [1-9]|\bin your [a-z ]*arc\b)")
"""First claims that exclude the ship itself: it is at range 0 of itself, and in no arc of its own."""
OTHERS: Final = re.compile(r"another|\bother (?:than|friendly|small|ships?|[A-Z])")
"""Claims that are about other ships than the card's."""
TAKES: Final = re.compile(r"(?:transfer|lock it|initiative as it|engage now)\b")
"""First effects that need another ship than the card's."""
OF_ANOTHER: Final = ("after coordinating", "after deploying")
"""Events that a ship brings on another one."""
UNSAID: Final = (
    *("setup, before forces", "setup", "setup, after forces", "before activating", "before reveal", "while executing"),
    *("engagement, at initiative", "device", "after deploying", "would be destroyed or flee", "boost failed"),
)
"""Moments and events without a table message: a reminder there is a line that its owner presses."""
ONLY, BUT = "forbid actions but ", " and those of damage cards"
MAY_ACT: Final = re.compile(r"may act (?:(.+) )?stressed(?: as red)?")
SETUP: Final = ("setup, before forces", "setup", "setup, after forces")


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentRow:
    """A card's text at a moment.

    ``at``: the moment. ``what``: which action, token, or initiative, "" for any. ``of``: whose event: ``self``,
    ``friendly``, ``another friendly``, ``enemy``, ``any``. ``on``: whom it affects: ``self``, ``friendly``, ``enemy``,
    ``any``. ``must``: mandatory. ``alone``: automatic. ``remind``: done by hand, as the table says. ``do``:
    consequences in order (``verbs.read_deed``).
    """

    card: CardId
    place: int
    at: str
    what: str = ""
    of: str = "self"
    on: str = "self"
    must: bool = False
    alone: bool = False
    remind: bool = False
    pool: str = ""
    conditions: tuple[Condition, ...] = ()
    ask: str = ""
    cost: tuple[Cost, ...] = ()
    do: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """The words of ``what``: ``focus or evade`` matches either."""
    is_of_itself: bool = True
    """Whether it includes the card's own ship's events; not friends' ones in an arc or beyond range 0."""
    comes_before: bool = False
    """Whether it is about what is still to come: ``before boost``."""
    color: str = ""
    """The color at the end of ``what``; "" for any."""
    in_attack: bool = False
    is_reroll: bool = False
    is_device: bool = False
    is_action: bool = False
    """Whether it is an action of its ship only, not while stressed."""
    includes_itself: bool = False
    """Whether the card's ship may be the affected one by the row's claim."""
    may_act: tuple[str, ...] = ()
    """Actions that it allows a stressed ship, ``any`` for all."""
    speaks_docked: bool = False
    """Whether it applies to a docked ship; other rows don't."""
    only: tuple[str, ...] = ()
    """The only actions that it allows, besides those of damage cards; () for all."""
    is_of_lost: bool = False
    """Whether its facts, or what it takes, are the destroyed ship's."""
    is_paid_for_each: bool = False
    """Whether its cost is per named ship."""
    asks_number: bool = False
    numbers: tuple[int, ...] = ()
    """Numbers to choose from; () for none, or any."""
    ships: tuple[int, ...] = ()
    """The least and the most ships to name; () for any number."""

    @property
    def key(self) -> str:
        """Return ``pilot:kadsolus at 1``."""
        return f"{self.card} at {self.place}"

    @property
    def is_line(self) -> bool:
        """Whether its owner is asked: not automatic or standing ones, and only reminders not shown elsewhere."""
        is_said = self.remind and {self.at, self.what}.isdisjoint(UNSAID)
        return not (self.alone or self.at == "standing" or is_said)

    def may_speak(self, ship: Ship, fleet: Fleet, phase: str) -> bool:
        """Whether it is usable now, with a ship that meets its conditions on another one."""
        if self.is_action and ship.has("stress") and not may_act(ship):
            return False
        if not any(condition.needs_other for condition in self.conditions):
            return self.speaks(ship, fleet, phase, flown_of(ship))
        others = (item for item in fleet.values() if not item.destroyed)
        return any(
            (other.name != ship.name or self.includes_itself)
            and self.on in ("any", side_of(ship, other))
            and self.speaks(ship, fleet, phase, None, other)
            for other in others
        )

    def speaks(
        self, ship: Ship, fleet: Fleet, phase: str = "", flown: Flown | None = None, other: Ship | None = None
    ) -> bool:
        """Whether known facts allow it, and it can be paid; automatic ones also need ``moments.is_known``."""
        here = FactContext(ship=ship, card=self.card, other=other, flown=flown, phase=phase, fleet=fleet)
        known = all(condition.holds(here) is not False for condition in self.conditions)
        return known and self.pool in ("", ship.card.pool) and can_pay(ship, self.card, self.cost, other)


def read_row(card: str, row: Mapping[str, Any], place: int) -> MomentRow:
    """Parse a line of the file. Raises ``KeyError``, ``TypeError`` or ``ValueError``."""
    raw = {**row, "card": CardId.read(card), "place": place, "do": tuple(row["do"])}
    raw["conditions"] = tuple(map(card_facts.read_condition, raw.pop("if", ())))
    raw["cost"] = read_costs(raw.get("cost", ""))
    raw["kinds"] = read_kinds(raw.get("what", ""))
    what = raw.get("what", "")
    raw["comes_before"], raw["is_reroll"] = what.startswith(BEFORE), raw["do"][0].startswith("reroll")
    raw["color"] = next((word for word in COLORS if what.endswith(word)), "")
    raw["is_of_itself"], raw["includes_itself"] = read_own(raw)
    raw["in_attack"] = raw["at"].startswith("in an attack")
    raw["only"] = tuple(raw["do"][0].removeprefix(ONLY).removesuffix(BUT).split(" or ")) if ONLY in raw["do"][0] else ()
    if said := MAY_ACT.fullmatch(raw["do"][-1]):
        raw["may_act"] = tuple((said[1] or "any").replace("white", "any").split(" or "))
    raw["speaks_docked"] = any(item.fact == DOCKED_ON for item in raw["conditions"])
    raw["is_action"] = len(raw["do"]) == 1 and re.match("act (?!.* stressed)", raw["do"][0]) is not None
    raw["is_device"] = raw["do"][0].startswith(("device", "drop"))
    about_it = raw["do"][0].startswith("it ") or raw["do"][0].endswith("from it to self")
    about_it = about_it or any(condition.of_it for condition in raw["conditions"])
    raw["is_of_lost"] = raw["at"].endswith("destroyed") and raw.get("on", "self") == "self" and about_it
    raw["is_paid_for_each"] = raw.get("ask", "").startswith("as many")
    if ends := raw.pop("number", ()):
        raw["numbers"] = tuple(range(ends[0], ends[1] + 1))
    raw["ships"] = tuple(raw.get("ships", ()))
    raw["asks_number"] = bool(ends) or raw.get("ask", "").startswith(HOW_MANY)
    return MomentRow(**raw)


def read_own(raw: Mapping[str, Any]) -> tuple[bool, bool]:
    """Return whether a row may be about its own ship, and whether that may be the ship it is used on."""
    ask, on, of = raw.get("ask", ""), raw.get("on", "self"), raw.get("of", "self")
    is_far = FAR.match(ask) is not None
    is_near = "range 0" in ask or "yourself" in ask or not (ask or on == "any")
    is_near = is_near and raw["at"] not in OF_ANOTHER
    includes_itself = on != "enemy" and is_near and not (is_far or OTHERS.search(ask) or TAKES.match(raw["do"][0]))
    return of == "self" or (of in ("friendly", "any") and not is_far), includes_itself


def read_kinds(words: str) -> tuple[str, ...]:
    """``boost``, ``barrel roll``, and ``slam`` of ``boost, barrel roll or slam, red``, each with its ``before``."""
    first = BEFORE if words.startswith(BEFORE) else ""
    kinds = re.split(", | or ", words.removeprefix(BEFORE).removesuffix(", red")) if words else []
    return tuple(f"{first}{kind}" for kind in kinds)


@cache
def _raw() -> Mapping[str, Any]:
    held: Mapping[str, Any] = json.loads((SHIPPED / "rows" / "moments.json").read_text(encoding="utf-8"))
    return {card: rows for card, rows in held.items() if card != "about"}


def cards() -> tuple[str, ...]:
    return tuple(_raw())


@cache
def rows_of(card: str) -> tuple[MomentRow, ...]:
    return tuple(read_row(card, row, place) for place, row in enumerate(_raw().get(card, ()), 1))


def own_rows(ship: Ship) -> list[MomentRow]:
    pools = "", ship.card.pool
    return [row for card in held_cards(ship) for row in rows_of(card) if row.pool in pools]


def may_act(ship: Ship) -> tuple[str, ...]:
    """Return the actions that a ship's cards allow while stressed, ``any`` for all."""
    if ship.acts_stressed:
        return ("any",)
    here = FactContext(ship=ship, phase="" if ship.activation is None else "activation")
    rows = (row for row in own_rows(ship) if row.may_act and row.at == "standing")
    true = (row for row in rows if all(item.holds(replace(here, card=row.card)) for item in row.conditions))
    return tuple(action for row in true for action in row.may_act)


def only_actions(ship: Ship) -> tuple[str, ...]:
    """Return the only actions that a ship's cards allow, besides those of damage cards; () for all."""
    return next((row.only for row in own_rows(ship) if row.only), ())
