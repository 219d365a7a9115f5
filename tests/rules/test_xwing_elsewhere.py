"""Cards outside attacks: what the board offers for a ship, when, and what a press costs and brings."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.errors import PlayerError
from bot.rules.game import Choice
from bot.rules.text import english
from bot.rules.xwing.cards.card_rows import ROWS
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.dice.deeds import BonusAttack, Gain, Recover, Remind
from bot.rules.xwing.table import controls, elsewhere, pieces
from bot.rules.xwing.table.match import MATCH, Match, Phase
from bot.rules.xwing.table.ship import Ship, give
from tests.rules.test_xwing_card_fights import BO, ship
from tests.rules.xwing_fleet import fleet
from tests.rules.xwing_play import Falls

ENGAGEMENT = Match(phase=Phase.ENGAGEMENT)


def labels(one: Ship, match: Match | None = ENGAGEMENT) -> list[str]:
    return [english(option.label) for option in elsewhere.options(one, match)]


def used(one: Ship) -> Ship:
    (option,) = elsewhere.options(one, ENGAGEMENT)
    return elsewhere.use(one, option.value)[0]


def test_the_press_claims_what_people_know() -> None:
    soontir = ship("soontirfel")
    (option,) = elsewhere.options(soontir, ENGAGEMENT)
    assert option.label == "Soontir Fel: gain 1 focus"
    assert option.detail == "start of the Engagement Phase: an enemy ship is in your bullseye arc"
    now, said = elsewhere.use(soontir, option.value)
    assert now.tokens == {"focus": 1}
    assert said == "uses Soontir Fel of Soontir Fel: gain 1 focus"


@pytest.mark.parametrize(
    ("match", "is_offered"),
    [
        (ENGAGEMENT, True),
        (None, True),
        (Match(phase=Phase.ACTIVATION), True),
        (Match(phase=Phase.ENGAGEMENT, initiative=6), False),
    ],
)
def test_the_start_of_the_engagement_phase_is_before_anybody_engages(match: Match | None, is_offered: bool) -> None:
    assert bool(labels(ship("soontirfel"), match)) is is_offered


def test_before_it_engages() -> None:
    tech = ship("bluesquadronescort", "synchronizedhandling-tech")
    assert labels(tech) == ["Synchronized Handling: gain 1 calculate"]
    assert labels(replace(tech, engaged=True)) == []


def test_a_cost_is_paid_with_the_press() -> None:
    theta = used(ship("theta3-evacuationofdqar"))
    assert (theta.charge_left, theta.tokens) == (theta.charge - 1, {"evade": 1})
    assert labels(replace(theta, tokens={}, charge_left=0)) == [], "nothing is left to pay"
    assert labels(theta) == [], "it has a green token"


def test_force_comes_back_up_to_the_card() -> None:
    patient = ship("darthvader", "patience", force_left=1)
    now = used(patient)
    assert (now.force_left, now.tokens) == (2, {"deplete": 1})
    assert used(replace(patient, force_left=3)).force_left == 3


def test_what_another_ship_suffers_is_told() -> None:
    vader = ship("academypilot", "darthvader")
    (option,) = elsewhere.options(vader, ENGAGEMENT)
    now, said = elsewhere.use(vader, option.value)
    assert now.force_left == vader.force_left - 1
    assert english(said).endswith("it suffers 1 hit unless it removes 1 green token")


def test_a_card_that_cannot_act_is_refused() -> None:
    with pytest.raises(PlayerError, match="cannot use this card now"):
        elsewhere.use(ship("academypilot"), "card-pilot:soontirfel[1]")
    doctor = ship("doctoraphra")
    assert labels(doctor) == []
    assert labels(give(doctor, "focus", 1)) != []


def test_bonus_attacks_of_other_moments_are_ticked_in_the_form_of_an_attack() -> None:
    (option,) = elsewhere.right_options(ship("bluesquadronescort", "snapshot"), None)
    assert (option.value, option.label) == ("right:upgrade:snapshot[1]", "Bonus attack: Snap Shot")
    assert option.detail == "an enemy ship has executed a manoeuvre"


def test_every_row_of_elsewhere_is_offered_or_ticked_and_does_what_is_known() -> None:
    found = [row for rows in ROWS.values() for row in rows if row.when == "elsewhere"]
    assert len(found) > 30
    for row in found:
        assert row.ask, row
        assert not row.touches_dice, row
        assert all(isinstance(deed, Remind | BonusAttack | Gain | Recover) for deed in row.deeds), row


# On the board


def table(*ships: Ship) -> dict[str, Any]:
    return {**fleet(*ships), MATCH: Match(first=1, second=2, phase=Phase.ENGAGEMENT)}


def test_the_board_has_the_cards_of_a_ship_that_can_act() -> None:
    here = table(ship("soontirfel"), ship("bluesquadronescort", owner=BO))
    (offer,) = [one for one in controls.offers(here, "Soontir Fel") if one.key == controls.CARD]
    (option,) = offer.fields[0].options
    done = controls.choose(here, "Soontir Fel", Choice(controls.CARD, filled={controls.CARD: option.value}), Falls())
    assert done.changes["Soontir Fel"].tokens == {"focus": 1}
    assert done.sentence == "uses Soontir Fel of Soontir Fel: gain 1 focus"
    assert all(one.key != controls.CARD for one in controls.offers(here, "Blue Squadron Escort"))


def test_a_bonus_attack_is_ticked_and_declared() -> None:
    here = table(ship("bluesquadronescort", "snapshot"), ship("academypilot", owner=BO))
    (form,) = [one.fields for one in controls.offers(here, "Blue Squadron Escort") if one.key == controls.ATTACK]
    (ticks,) = [one.options for one in form if one.key == "circumstances"]
    tick = next(one.value for one in ticks if one.label == "Bonus attack: Snap Shot")
    filled = {"weapon": "Snap Shot", "defender": "Academy Pilot", "range": "2", "circumstances": f"obstructed, {tick}"}
    words = controls.attack_words("Blue Squadron Escort", filled)
    declared = pieces.declare(words, here)
    assert isinstance(declared, Declared)
    assert (declared.bonus, declared.weapon, declared.obstructed) == (True, "Snap Shot", True)
    assert declared.right is not None
    with pytest.raises(PlayerError, match="gives a bonus attack with Snap Shot"):
        pieces.declare({**words, "weapon": "Primary"}, here)
