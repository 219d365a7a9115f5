"""A card that would change nothing is not offered, and a press that would change nothing is refused."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.rules.errors import PlayerError
from bot.rules.pieces import BoardContext
from bot.rules.xwing.cards.card_sets import SHELF
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.table import moments
from bot.rules.xwing.table.match import MATCH, Match, Phase, ships_of, starts
from bot.rules.xwing.table.moment_rows import cards, rows_of
from bot.rules.xwing.table.ship import Flight, Ship, from_card
from tests.rules.xwing.test_dials import ANA, BO, ship
from tests.rules.xwing.test_moments import FOE, engagement, pressed

XWA = SHELF.of("xwa")


def holder(card: str) -> Ship | None:
    """A ship with this card, without tokens; None where the set has none."""
    kind, _, id_ = card.partition(":")
    if kind == "pilot":
        return from_card(pilot_ship(id_, (), XWA), ANA) if id_ in XWA.pilots else None
    if kind == "upgrade":
        return from_card(pilot_ship("lukeskywalker", (id_,), XWA), ANA) if id_ in XWA.upgrades else None
    own = ship("lukeskywalker")
    return replace(own, conditions=(id_,)) if kind == "condition" else None


def tables(own: Ship) -> Iterator[dict[str, Any]]:
    """Phases of a table where nobody has a token, lost anything, or attacked."""
    friend, foe = (
        replace(ship(pilot, side), name=f"The {pilot}") for pilot, side in (("wedgeantilles", ANA), ("darthvader", BO))
    )
    flown = replace(own, flight=Flight(dial="2FB", maneuver="2FB"))
    for phase in (Phase.SYSTEM, Phase.ACTIVATION, Phase.ENGAGEMENT, Phase.END):
        now = flown if phase is Phase.ACTIVATION else own
        match = Match(first=ANA, second=BO, ordered_in=1, phase=phase, active=own.name, dials="on", round=2)
        yield {**{item.name: item for item in (now, friend, foe)}, MATCH: match}


def filled(line: moments.Line, table: dict[str, Any]) -> dict[str, str]:
    """The first choices of a form; as many ships as the row wants."""
    fields = moments.form(line, ships_of(table))
    many = (line.row.ships or (1, 1))[0] or 1
    return {
        field.key: ", ".join(option.value for option in field.options[: many if field.several else 1])
        for field in fields
    } | ({"number": "1"} if line.row.asks_number else {})


def test_whatever_is_offered_to_a_ship_without_tokens_changes_something() -> None:
    offered, idle = 0, set[str]()
    for card in cards():
        own = holder(card)
        if own is None:
            continue
        known = [row for row in rows_of(card) if not moments.Line(row=row, ship=own).is_by_players]
        for table in tables(own) if known else ():
            for line in {item.mark: item for item in moments.open_lines(table, own.name) if item.row in known}.values():
                offered += 1
                on = BoardContext(table, line.ship.name, filled(line, table), lambda _: 0, ANA)
                try:
                    changes = moments.use(on, line.mark).changes
                except PlayerError:
                    idle.add(line.row.key)
                    continue
                paid = {item.what for item in line.row.cost}
                after = {name: item for name, item in changes.items() if item != table[name]}
                match = changes.get(MATCH, table[MATCH])
                if not after.keys() - {MATCH} and replace(match, used=()) == replace(table[MATCH], used=()):
                    idle.add(f"{line.row.key} for {paid}")
    assert offered > 200
    assert idle == {"upgrade:martuuk at 2"}, "it takes two ships, of which one is the enemy"


def test_a_choice_that_would_change_nothing_is_refused() -> None:
    """Plo Koon, on a friend without orange tokens."""
    plo, bare, jammed = ship("plokoon"), ship("macewindu"), replace(ship("obiwankenobi"), tokens={"jam": 1})
    table = engagement(plo, bare, jammed, FOE)
    take = "transfer 1 orange from it to self"
    after = pressed(table, MATCH, "Plo Koon", ship=jammed.name, which=take)
    assert (after[plo.name].tokens, after[plo.name].force_left) == ({"jam": 1}, plo.force - 1)
    with pytest.raises(PlayerError):
        pressed(table, MATCH, "Plo Koon", ship=bare.name, which=take)


def test_the_start_of_a_phase_waits_for_no_card_that_would_change_nothing() -> None:
    """PZ-4CO without a token to hand over."""
    own = ship("lukeskywalker", ANA, "pz4co")
    assert not starts(engagement(own, ship("wedgeantilles"), FOE)[MATCH], {own.name: own})
