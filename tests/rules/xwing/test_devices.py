"""Devices: one form places them and lets them detonate on every ship that is ticked, as the rules page says."""

from typing import Any

import pytest

from bot.render.xwing.fleet import step_card
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Offer
from bot.rules.pieces import BoardChange
from bot.rules.text import Name
from bot.rules.xwing.cards.card_sets import SHELF
from bot.rules.xwing.dice.faces import Pool
from bot.rules.xwing.table import controls
from bot.rules.xwing.table.match import MATCH, Match, match_of
from bot.rules.xwing.table.ship import Ship, apply_piece_changes as changed
from bot.rules.xwing.table.ship_damage import DEVICE, DEVICES, SHIPS, STRAINED
from tests.rules.xwing.play import Falls
from tests.rules.xwing.test_card_fights import ship

BO = 2
LUKE, TIE, DROPPER = "Luke Skywalker", "Academy Pilot", "Captain Jonus"


def table(*cards: str, **more: Any) -> dict[str, Any]:
    """Captain Jonus carries devices; Luke has 4 hull and 2 shields, an Academy Pilot 3 hull."""
    ships = (ship("captainjonus", *cards), ship("lukeskywalker", owner=BO), ship("academypilot", owner=BO))
    return {**{item.name: item for item in ships}, MATCH: Match(**more)}


def form(here: dict[str, Any]) -> Offer | None:
    return next((offer for offer in controls.offers(here, DROPPER) if offer.key == "device"), None)


def done(
    here: dict[str, Any], device: str, *ships: str, falls: str = "", strained: str = ""
) -> tuple[dict[str, Any], BoardChange]:
    filled = {DEVICE: device, SHIPS: ", ".join(ships), STRAINED: strained}
    change = controls.choose(here, DROPPER, Choice("device", filled=filled), Falls(falls or ANSWERS))
    return changed(here, change.changes), change


ANSWERS = "blank " * 20


def labels(here: dict[str, Any]) -> list[str]:
    offer = form(here)
    return [str(option.label) for option in offer.fields[0].options] if offer is not None else []


def test_a_proton_bomb_on_three_ships_is_one_form() -> None:
    here = table("protonbombs")
    assert labels(here) == ["Place Proton Bombs", "Proton Bombs detonates immediately"]
    here, change = done(here, "now-0", LUKE, TIE, DROPPER)
    assert here[DROPPER].upgrade_charges == (1,), "the charge is paid"
    assert (here[LUKE].shields_left, here[TIE].cards, len(here[TIE].faceup)) == (1, 1, 1)
    assert change.is_told
    assert str(change.sentence).startswith(f"detonates {DROPPER}'s Proton Bombs. {LUKE}: 1 crit. {TIE}: 1 crit")
    shown = step_card(Name("Ana"), change, table("protonbombs"), here)
    assert str(shown.outcome).startswith("Ana detonates Captain Jonus's Proton Bombs.")
    assert len(shown.facts) == 3


def test_it_is_placed_in_one_phase_and_detonates_in_another() -> None:
    here, change = done(table("protonbombs"), "drop-0")
    assert (change.sentence, change.is_told) == (f"places Proton Bombs with {DROPPER}", False)
    assert here[DROPPER].upgrade_charges == (1,)
    assert labels(here)[0] == f"{DROPPER}'s Proton Bombs detonates"
    here, _ = done(here, "mat-0", LUKE)
    assert (here[LUKE].shields_left, here[DROPPER].upgrade_charges, match_of(here).mat) == (1, (1,), ())  # type: ignore[union-attr]  # it is there


def test_a_fuse_marker_is_removed_in_place_of_the_detonation() -> None:
    here, _ = done(table("electroprotonbomb"), "drop-0")
    name = f"{DROPPER}'s Electro-Proton Bomb"
    assert labels(here) == [f"{name} detonates", f"{name}: remove a fuse marker"], "its only charge is paid"
    with pytest.raises(PlayerError, match="has a fuse marker"):
        done(here, "mat-0", LUKE)
    here, change = done(here, "fuse-0")
    assert change.sentence == f"removes a fuse marker from {name}"
    here, change = done(here, "mat-0", LUKE, falls="blank focus hit crit")
    luke: Ship = here[LUKE]
    assert (luke.shields_left, dict(luke.tokens), luke.cards) == (1, {"ion": 2, "disarm": 1}, 0)
    assert [(name, [str(die.face) for die in dice]) for name, dice in change.dice] == [
        (LUKE, ["blank", "focus", "hit", "crit"])
    ]


@pytest.mark.parametrize(
    ("card", "falls", "shields", "cards", "tokens"),
    [
        ("protonbombs", "", 1, 0, {}),
        ("seismiccharges", "", 1, 0, {}),
        ("ionbombs", "", 2, 0, {"ion": 3}),
        ("bombletgenerator", "hit crit", 0, 0, {}),
        ("blazerbomb", "focus", 2, 0, {}),
        ("blazerbomb", "crit", 1, 0, {}),
        ("thermaldetonators", "focus", 2, 0, {"strain": 1}),
        ("thermaldetonators", "crit", 1, 0, {}),
        ("proximitymines", "hit crit", 0, 1, {}),
        ("clustermines", "hit blank", 1, 0, {}),
        ("connernets", "", 1, 0, {"ion": 3}),
        ("concussionbombs", "", 2, 1, {}),
    ],
)
def test_what_each_device_does_to_a_ship(
    card: str, falls: str, shields: int, cards: int, tokens: dict[str, int]
) -> None:
    here, _ = done(table(card), "now-0", LUKE, falls=falls)
    luke: Ship = here[LUKE]
    assert (luke.shields_left, luke.cards, dict(luke.tokens)) == (shields, cards, tokens)


def test_who_is_strained_by_concussion_exposes_nothing() -> None:
    here, _ = done(table("concussionbombs"), "now-0", LUKE, TIE, strained=LUKE)
    luke, tie = here[LUKE], here[TIE]
    assert (luke.has("strain"), len(luke.facedown), len(luke.faceup)) == (1, 1, 0)
    assert (tie.has("strain"), len(tie.faceup)) == (0, 1)


def test_each_ship_rolls_for_itself_and_a_destroyed_one_leaves() -> None:
    here = table("bombletgenerator")
    here, change = done(here, "now-0", LUKE, TIE, falls="hit hit blank crit")
    assert [len(dice) for _, dice in change.dice] == [2, 2]
    assert (here[LUKE].shields_left, here[TIE].cards) == (0, 1)
    here, _ = done(here, "now-0", TIE, falls="hit hit")
    assert TIE not in here


def test_without_a_charge_or_a_device_nothing_is_offered() -> None:
    assert form(table()) is None
    here, _ = done(table("connernets"), "now-0", LUKE)
    assert form(here) is None
    with pytest.raises(PlayerError, match="has no charge left"):
        done(here, "now-0", LUKE)


def test_every_device_of_the_page_is_a_card() -> None:
    cards = SHELF.of("xwa").upgrades
    assert {device for device in DEVICES if device not in cards} == set()
    assert {id_ for id_, card in cards.items() if card.get("device")} == set(DEVICES)
    assert {face for device in DEVICES.values() for face in device.faces} <= set(Pool.RED.faces)
