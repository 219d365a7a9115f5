"""Tokens and locks of several ships in one form, before they engage."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Offer
from bot.rules.xwing.table import controls
from bot.rules.xwing.table.match import MATCH, Match, Phase
from bot.rules.xwing.table.ship import Ship, give
from tests.rules.xwing.fleet import fleet
from tests.rules.xwing.play import Falls
from tests.rules.xwing.test_card_fights import ANA, BO, ship


def table(*ships: Ship, phase: Phase = Phase.PLANNING) -> dict[str, Any]:
    return {**fleet(*ships), MATCH: Match(first=ANA, second=BO, ordered_in=1, phase=phase)}


def form(here: dict[str, Any], name: str) -> Offer:
    return next(offer for offer in controls.offers(here, name) if offer.key == "prepare")


def ticks(offer: Offer, **wanted: tuple[str, ...]) -> dict[str, str]:
    """What a form holds once these labels are ticked, for ships by the last word of their names."""
    filled = {}
    for field in offer.fields:
        asked = wanted.get(str(field.label).rpartition(" ")[2].casefold(), ())
        filled[field.key] = ", ".join(option.value for option in field.options if option.label in asked)
    return filled


def test_one_form_gives_tokens_and_locks_to_all_of_a_players_ships() -> None:
    here = table(ship("lukeskywalker"), ship("wedgeantilles"), ship("howlrunner", owner=BO))
    offer = form(here, "Luke Skywalker")
    assert [field.label for field in offer.fields] == ["Wedge Antilles", "Luke Skywalker"]
    assert [option.label for option in offer.fields[0].options] == ["Focus", "Evade", "Lock on Howlrunner"]
    filled = ticks(offer, antilles=("Focus",), skywalker=("Evade", "Lock on Howlrunner"))
    done = controls.choose(here, "Luke Skywalker", Choice("prepare", (), filled), Falls(""))
    assert done.changes["Wedge Antilles"].tokens == {"focus": 1}
    assert done.changes["Luke Skywalker"].tokens == {"evade": 1}
    assert done.changes["Luke Skywalker"].locks == ("Howlrunner",)
    assert done.sentence == (
        "prepares: Wedge Antilles gets 1 focus token and Luke Skywalker gets 1 evade token and a lock on Howlrunner"
    )


def test_nothing_ticked_changes_nothing() -> None:
    here = table(ship("lukeskywalker"), ship("wedgeantilles"), ship("howlrunner", owner=BO))
    with pytest.raises(PlayerError, match="Nothing was selected"):
        controls.choose(here, "Luke Skywalker", Choice("prepare", (), ticks(form(here, "Luke Skywalker"))), Falls(""))


def test_of_more_than_five_ships_the_one_that_is_selected_is_among_the_five() -> None:
    six = [replace(ship("bluesquadronescort"), name=f"Blue {number}") for number in range(1, 7)]
    here = table(*six, ship("howlrunner", owner=BO))
    assert [field.label for field in form(here, "Blue 6").fields] == ["Blue 1", "Blue 2", "Blue 3", "Blue 4", "Blue 6"]


def test_an_ionized_ship_takes_no_lock() -> None:
    here = table(give(ship("lukeskywalker"), "ion", 1), ship("wedgeantilles"), ship("howlrunner", owner=BO))
    assert [option.label for option in form(here, "Luke Skywalker").fields[1].options] == ["Focus", "Evade"]


@pytest.mark.parametrize(
    "here",
    [
        table(ship("lukeskywalker"), ship("wedgeantilles"), phase=Phase.ENGAGEMENT),
        table(ship("lukeskywalker"), ship("howlrunner", owner=BO)),
        fleet(ship("lukeskywalker"), ship("wedgeantilles")),
    ],
)
def test_one_ship_alone_a_table_without_a_match_and_the_engagement_phase_have_no_such_form(here: Any) -> None:
    assert not [offer for offer in controls.offers(here, "Luke Skywalker") if offer.key == "prepare"]
