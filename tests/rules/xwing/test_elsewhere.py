"""Cards outside attacks: what the board offers for a ship, when, and what a press costs and brings."""

from dataclasses import replace
from typing import Any

import pytest

from bot.render.xwing import phases
from bot.rules.errors import PlayerError
from bot.rules.game import AfterOffer, Choice
from bot.rules.pieces import BoardContext
from bot.rules.text import english
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.table import card_effects, controls, moments, pieces
from bot.rules.xwing.table.match import MATCH, Match, Phase
from bot.rules.xwing.table.moment_rows import cards, rows_of
from bot.rules.xwing.table.ship import Ship, apply_piece_changes as changed, from_card, give
from tests.rules.xwing.fleet import fleet
from tests.rules.xwing.play import Falls
from tests.rules.xwing.test_card_fights import BO, ship

ENGAGEMENT = Match(phase=Phase.ENGAGEMENT)


def labels(item: Ship, match: Match | None = ENGAGEMENT) -> list[str]:
    """The lines that the cards of a ship offer beside the start of the phase."""
    return [english(line.says) for line in moments.lines({**fleet(item), MATCH: match}, item)]


def used(item: Ship, match: Match = ENGAGEMENT, *others: Ship) -> tuple[dict[str, Any], str]:
    """The table after the one line of a ship was pressed, and what happened."""
    here = {**fleet(item, *others), MATCH: match}
    (line,) = moments.open_lines(here, item.name)
    done = moments.use(BoardContext(here, item.name, {}, Falls()), line.mark)
    return changed(here, done.changes), english(done.sentence)


def test_the_press_claims_what_people_know() -> None:
    here, said = used(ship("soontirfel"))
    assert here["Soontir Fel"].tokens == {"focus": 1}
    assert said == "uses Soontir Fel of Soontir Fel: 1 focus token"


def test_what_paige_tico_does_after_an_attack_is_offered_beside_her_row_of_the_attack() -> None:
    finch = ship("finchdallow-evacuationofdqar", "paigetico-gunner")
    assert "Paige Tico: drop a bomb, or rotate its arc" in labels(finch)


@pytest.mark.parametrize(
    ("match", "is_there"),
    [
        (ENGAGEMENT, True),
        (None, False),
        (Match(phase=Phase.ACTIVATION), False),
        (Match(phase=Phase.ENGAGEMENT, initiative=6), False),
    ],
)
def test_the_start_of_the_engagement_phase_is_before_anybody_engages(match: Match | None, is_there: bool) -> None:
    soontir = ship("soontirfel")
    offered = [offer.label for offer in moments.start_offers({**fleet(soontir), MATCH: match})]
    assert offered == ([SOONTIR, "Done"] if is_there else [])
    said = [label for label in labels(soontir, match) if "Soontir" in label]
    assert not said, "it is no use of any other moment"


NO_DIALS, DIALS = Match(first=1, second=2, ordered_in=1, dials="off"), Match(first=1, second=2, dials="on")


def test_without_dials_every_text_of_an_activation_is_a_line_of_its_ship() -> None:
    luke = ship("lukeskywalker")
    for row in (row for card in cards() for row in rows_of(card) if row.at in moments.IN_FLIGHT):
        assert [*moments.events_of(NO_DIALS, {}, luke, row)] == [None], row.key
        assert not [*moments.events_of(DIALS, {}, luke, row)], "with dials the board knows which ship flies"
    kad = from_card(pilot_ship("kadsolus", ["elusive"]), 1)
    kad = replace(kad, upgrade_charges=(0,))
    said = {english(item.says): english(item.detail) for item in moments.lines({**fleet(kad), MATCH: NO_DIALS}, kad)}
    assert said.pop("Kad Solus: gain 2 focus") == "after it fully executes its maneuver: 🟥"
    assert said.pop("Elusive: recover 1 charge") == "after it fully executes its maneuver: 🟥"
    plain = from_card(pilot_ship("bluesquadronescort", []), 1)
    assert not moments.lines({**fleet(plain), MATCH: NO_DIALS}, plain), "nothing where nobody has a card"


def test_before_it_engages() -> None:
    tech = ship("bluesquadronescort", "synchronizedhandling-tech")
    assert labels(tech) == ["Synchronized Handling: gain 1 calculate (for 1 charge)"]
    assert labels(replace(tech, engaged=True)) == []


def test_a_cost_is_paid_with_the_press() -> None:
    theta = ship("theta3-evacuationofdqar")
    here, _ = used(theta)
    now = here[theta.name]
    assert (now.charge_left, now.tokens) == (theta.charge - 1, {"evade": 1})
    for item in (replace(theta, charge_left=0), now):
        assert not moments.start_offers({**fleet(item), MATCH: ENGAGEMENT}), (
            "no charge is left, or a green token lies there"
        )


def test_force_comes_back_up_to_the_card() -> None:
    patient = ship("darthvader", "patience", force_left=1)
    here, _ = used(patient)
    now = here[patient.name]
    assert (now.force_left, now.tokens) == (2, {"deplete": 1})
    full = replace(patient, force_left=3)
    assert not moments.start_offers({**fleet(full), MATCH: ENGAGEMENT}), "no cost without its effect"


def test_a_card_that_cannot_act_is_refused() -> None:
    here = {**fleet(ship("academypilot")), MATCH: ENGAGEMENT}
    with pytest.raises(PlayerError, match="This card can't be used now"):
        moments.use(BoardContext(here, "Academy Pilot", {}, Falls()), "00000000")


def test_bonus_attacks_of_other_moments_are_ticked_in_the_form_of_an_attack() -> None:
    (option,) = card_effects.right_options(ship("bluesquadronescort", "snapshot"))
    assert (option.value, option.label) == ("right:upgrade:snapshot[1]", "Bonus attack: Snap Shot")
    assert option.detail == "an enemy ship has executed a maneuver"


def test_every_row_of_elsewhere_is_ticked_as_a_bonus_attack() -> None:
    result = [row for rows in ROWS.values() for row in rows if row.when == "elsewhere"]
    assert len(result) > 15
    for row in result:
        assert row.ask, row
        assert row.bonus, row


# On the board


def table(*ships: Ship) -> dict[str, Any]:
    return {**fleet(*ships), MATCH: Match(first=1, second=2, phase=Phase.ENGAGEMENT)}


def test_the_board_has_the_cards_of_a_ship_that_can_act() -> None:
    doctor = give(ship("doctoraphra"), "focus", 1)
    here = table(doctor, ship("bluesquadronescort", owner=BO))
    (offer,) = [item for item in controls.offers(here, doctor.name) if item.act == moments.USE]
    (option,) = offer.fields[0].options
    filled = {moments.CARD: option.value, moments.SHIP: "Blue Squadron Escort"}
    done = controls.choose(here, doctor.name, Choice(offer.key, filled=filled), Falls())
    assert english(done.sentence).startswith("uses Doctor Aphra of Doctor Aphra on Blue Squadron Escort: ")
    assert changed(here, done.changes)["Blue Squadron Escort"].tokens == {"stress": 1}
    assert all(item.act != moments.USE for item in controls.offers(here, "Blue Squadron Escort"))


def test_a_bonus_attack_is_ticked_and_declared() -> None:
    here = table(ship("bluesquadronescort", "snapshot"), ship("academypilot", owner=BO))
    (form,) = [offer.fields for offer in controls.offers(here, "Blue Squadron Escort") if offer.key == controls.ATTACK]
    (ticks,) = [field.options for field in form if field.key == "circumstances"]
    tick = next(option.value for option in ticks if option.label == "Bonus attack: Snap Shot")
    filled = {"weapon": "Snap Shot", "defender": "Academy Pilot", "range": "2", "circumstances": f"obstructed, {tick}"}
    words = controls.attack_words("Blue Squadron Escort", filled)
    declared = pieces.declare(words, here)
    assert isinstance(declared, Declared)
    assert (declared.bonus, declared.weapon, declared.obstructed) == (True, "Snap Shot", True)
    assert declared.right is not None
    with pytest.raises(PlayerError, match="Snap Shot grants a bonus attack with Snap Shot"):
        pieces.declare({**words, "weapon": "Primary"}, here)


# The start of a phase


def planned(*ships: Ship, **match: Any) -> dict[str, Any]:
    """The Planning Phase of round 1; Ana is the first player."""
    return {**fleet(*ships), MATCH: Match(first=1, second=2, ordered_in=1, **match)}


def pressed(here: dict[str, Any], label: str) -> tuple[dict[str, Any], str]:
    """The table after the one offer of the table that begins so, and what happened."""
    (offer,) = [item for item in controls.table_offers(here) if english(item.label).startswith(label)]
    done = controls.choose(here, MATCH, Choice(offer.key), Falls(""), offer.player)
    return changed(here, done.changes), english(done.sentence)


def buttons(here: dict[str, Any]) -> list[str]:
    return [
        english(offer.label)
        for offer in controls.table_offers(here)
        if not (offer.is_aside or offer.then is AfterOffer.PLANS)
    ]


def attacks(here: dict[str, Any], name: str) -> bool:
    return any(offer.key == controls.ATTACK for offer in controls.offers(here, name))


SOONTIR = "Soontir Fel: gain 1 focus (an enemy in your bullseye arc)"


def test_soontir_s_player_is_asked_before_the_first_ship_engages() -> None:
    here = planned(ship("lukeskywalker"), ship("soontirfel", owner=BO))
    assert buttons(here) == ["Begin the Engagement Phase"], "it leads on, and nobody attacks before"
    assert not attacks(here, "Luke Skywalker")
    here, _ = pressed(here, "Begin")
    assert buttons(here) == [SOONTIR, "Done"]
    assert {offer.player for offer in controls.table_offers(here) if not offer.is_aside} == {BO}
    assert not attacks(here, "Luke Skywalker")
    here, said = pressed(here, "Soontir Fel")
    assert said == "uses Soontir Fel of Soontir Fel: 1 focus token"
    assert here["Soontir Fel"].tokens == {"focus": 1}
    assert SOONTIR not in buttons(here), "once, and nothing is left to say"
    assert attacks(here, "Luke Skywalker")


def test_done_passes_the_start_by() -> None:
    here, _ = pressed(planned(ship("lukeskywalker"), ship("soontirfel", owner=BO)), "Begin")
    here, said = pressed(here, "Done")
    assert said == "uses no more cards: at the start of the Engagement Phase"
    assert here["Soontir Fel"].tokens == {}
    assert attacks(here, "Luke Skywalker")


def test_the_first_player_s_cards_come_first() -> None:
    here, _ = pressed(planned(ship("guri", owner=BO), ship("darthvader", "patience", force_left=1)), "Begin")
    assert buttons(here) == ["Patience: recover 1 force (an enemy in your front arc; for 1 deplete)", "Done"]
    here, _ = pressed(here, "Patience")
    assert buttons(here)[0].startswith("Guri: gain 1 focus")


def test_every_round_has_its_start() -> None:
    here = planned(ship("lukeskywalker"), ship("soontirfel", owner=BO))
    here, _ = pressed(here, "Begin")
    here, _ = pressed(here, "Soontir Fel")
    here = changed(here, controls.choose(here, MATCH, Choice("phase"), Falls("")).changes)
    here[MATCH] = replace(here[MATCH], ordered_in=2)
    here, _ = pressed(here, "Begin")
    assert buttons(here) == [SOONTIR, "Done"]


def test_a_destroyed_ship_and_a_card_that_cannot_be_paid_start_nothing() -> None:
    soontir = replace(ship("soontirfel", owner=BO), facedown=("",) * 3)
    theta = replace(ship("theta3-evacuationofdqar", owner=BO), charge_left=0)
    here = planned(ship("lukeskywalker"), soontir, theta)
    assert attacks(here, "Luke Skywalker")


def test_without_such_cards_no_press_is_added() -> None:
    here = planned(ship("lukeskywalker"), ship("howlrunner", owner=BO))
    assert buttons(here) == []
    assert attacks(here, "Luke Skywalker")


def test_an_attack_that_is_typed_waits_for_the_start_and_nobody_passes_it_by_for_others() -> None:
    here = planned(ship("soontirfel", owner=BO), ship("poedameron"))
    words = {"attacker": "Poe Dameron", "defender": "Soontir Fel", "range": 2}
    with pytest.raises(
        pieces.StartOfPhaseError, match="At the start of the Engagement Phase Soontir Fel may use a card"
    ):
        pieces.declare(words, here)
    with pytest.raises(pieces.StartOfPhaseError):
        pieces.declare({**words, "anyway": True}, here)
    assert isinstance(pieces.declare({**words, "supposed": True}, here), Declared), "odds ask for no turn"


def test_the_board_says_whose_cards_they_are_and_what_a_press_claims() -> None:
    here, _ = pressed(planned(ship("lukeskywalker"), ship("soontirfel", owner=BO)), "Begin")
    assert phases.headline(here, {1: "Ana", 2: "Bo"}) == (
        "Round 1, Engagement Phase. First, at the start of the phase: Bo may use a card."
    )
    vader = ship("academypilot", "darthvader", owner=BO)
    here, _ = pressed(planned(ship("lukeskywalker"), vader), "Begin")
    assert str(phases.headline(here, {1: "Ana", 2: "Bo"})).endswith(
        "Darth Vader: that ship: suffer 1 hit, unless it chooses: remove 1 green token "
        "(a ship in your firing arc at range 0-2; for 1 force)."
    ), "the button has no room for it"
