"""Rolls of deployment (rules page of that name), and the explosions that go with two of the skills.

All are Normal Rolls, and faces may be typed. The numbers are worked from the page.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, Final

import pytest

from bot.games.infinity import GAME
from bot.odds.infinity.json_odds import odds
from bot.rules import infinity
from bot.rules.errors import PlayerError
from bot.rules.game import Choice
from bot.rules.infinity.orders import play
from bot.rules.infinity.orders.play import sums
from bot.rules.infinity.table import controls, markers, pieces
from bot.rules.infinity.troopers.declared import Action, Order
from bot.rules.infinity.troopers.trooper import Trooper, parse
from bot.rules.infinity.turn.player_turn import TURN, OrderPool, PlayerTurn

STATS: Final = "BS 12, CC 14, PH 11, WIP 13, ARM 1, W 1"
SKILLS: Final = {
    "combat jump": "Combat Jump",
    "infiltration": "Infiltration",
    "impersonation": "Impersonation",
}


def order_of(words: Mapping[str, Any]) -> Order:
    declared = infinity.declare(words)
    assert isinstance(declared, Order)
    return declared


ROLLS: Final = (
    ("combat jump", "", "", 11),
    ("combat jump", "(PH=14)", "", 14),
    ("combat jump", "(+3)", "", 14),
    ("combat jump", "(+3)", " -3 (Controlled Jump)", 11),
    ("combat jump", "", " +3 (Controlled Jump)", 14),
    ("infiltration", "", "", 8),
    ("infiltration", "(PH=18)", "", 15),
    ("infiltration", "(ReRoll)", "", 8),
    ("impersonation", "", "", 13),
    ("impersonation", "(IMP-2)", "", 13),
)


@pytest.mark.parametrize(("what", "extra", "mods", "sv"), ROLLS)
def test_a_roll_of_deployment_is_normal_by_words_and_by_json(what: str, extra: str, mods: str, sv: int) -> None:
    troopers = {"Ana": f"{STATS}, {SKILLS[what]} {extra}".strip(), "Bo": STATS}
    typed = order_of({"troopers": troopers, "order": f"Ana {what}{mods}"})
    as_json = order_of({"troopers": troopers, "name": "Ana", "kind": what, "mods": mods.partition(" (")[0].strip()})
    for order in (typed, as_json):
        assert [(roll["name"], roll["sv"], roll["burst"]) for roll in sums(order)] == [("Ana", sv, 1)]
        assert [(meeting.b, meeting.target) for meeting in order.meetings] == [(None, "")]
        assert order.rolls[0].not_counted == ()


@pytest.mark.parametrize(
    ("what", "sv"), [("PH 12 combat jump", 12), ("PH 12 infiltrate", 9), ("WIP 12 impersonate", 12)]
)
def test_it_needs_no_profile(what: str, sv: int) -> None:
    assert order_of({"order": f"Kunai {what} rolls 9"}).rolls[0].sv == sv


@pytest.mark.parametrize("what", SKILLS)
def test_who_lacks_the_skill_is_told_so_and_nobody_deploys_in_aro(what: str) -> None:
    troopers = {"Ana": STATS, "Bo": f"{STATS}, {SKILLS[what]}"}
    with pytest.raises(PlayerError, match=f"Ana doesn't have {SKILLS[what]}"):
        order_of({"troopers": troopers, "order": f"Ana {what}"})
    with pytest.raises(PlayerError, match="as an ARO"):
        order_of({"troopers": troopers, "a": {"name": "Ana", "sv": 12}, "b": {"name": "Bo", "kind": what}})


@pytest.mark.parametrize(
    ("line", "faces", "passed"),
    [
        ("Infiltration", (8,), True),
        ("Infiltration", (9,), False),
        ("Infiltration (ReRoll)", (9, 8), True),
        ("Infiltration (ReRoll)", (9, 9), False),
        ("Infiltration (ReRoll PH=14)", (9, 11), True),
        ("Infiltration (ReRoll PH=14)", (9, 12), False),
    ],
)
def test_a_failed_infiltration_may_be_rerolled_once(line: str, faces: tuple[int, ...], passed: bool) -> None:
    left = iter(faces)
    words = {"troopers": {"Ana": f"{STATS}, {line}"}, "order": "Ana infiltration"}
    state = infinity.start(infinity.declare(words), lambda _: next(left) - 1)
    assert next(left, None) is None
    assert [result.winner for result in play.results(state)] == ["a" if passed else "nobody"]
    said = str(GAME.card(state, {}).outcome)
    assert ("from its own table edge, as a model" in said) is not passed


@pytest.mark.parametrize("line", ["Infiltration (ReRoll PH=14)", "Infiltration (ReRoll)"])
def test_the_odds_of_a_rerolled_infiltration_are_those_of_the_table(line: str) -> None:
    order = order_of({"troopers": {"Ana": f"{STATS}, {line}"}, "order": "Ana infiltration"})
    came = Counter[bool]()
    for faces in product(range(20), repeat=2):
        dice = iter(faces)
        (result,) = play.results(infinity.start(order, lambda _, dice=dice: next(dice)))  # type: ignore[misc]  # a lambda with a default
        came[bool(result.a.hits + result.a.crits)] += 1
    found: Any = odds(order)
    passed = sum(ways for key, ways in found["hits_crits"].items() if key != "0+0")
    assert Fraction(passed, found["total"]) == Fraction(came[True], 400)


@pytest.mark.parametrize(("skill", "sv"), [("Discover (ReRoll)", 13), ("TinBot: Discover (ReRoll)", 13)])
def test_a_failed_discover_is_rerolled_by_its_skill(skill: str, sv: int) -> None:
    words = {
        "troopers": {"Ana": f"{STATS}, {skill}", "Bo": f"{STATS}, Camouflaged"},
        "order": "Ana discover at 20 vs Bo",
    }
    left = iter([14, 13])
    state = infinity.start(infinity.declare(words), lambda _: next(left) - 1)
    assert isinstance(state.declared, Order)
    assert (state.declared.rolls[0].sv, play.results(state)[0].winner) == (sv, "a")
    assert state.declared.rolls[0].not_counted == ()


# By a press on the board


def table(*lines: str, turn: PlayerTurn | None = None) -> dict[str, Any]:
    held: dict[str, Any] = {"Bo": owned(parse("Bo", STATS), 2)}
    for line in lines:
        name, _, stats = line.partition(": ")
        held[name] = owned(parse(name, stats), 1)
    return held | ({TURN: turn} if turn else {})


def owned(trooper: Trooper, owner: int) -> Trooper:
    return Trooper(**{**{key: getattr(trooper, key) for key in trooper.__slots__}, "owner": owner})


@pytest.mark.parametrize(("skill", "what"), [("Infiltration", "infiltration"), ("Impersonation", "impersonation")])
def test_before_the_first_turn_a_press_makes_the_roll(skill: str, what: str) -> None:
    held = table(f"Kunai: {STATS}, {skill}", f"Fus: {STATS}")
    (offer,) = [offer for offer in controls.offers(held, "Kunai") if offer.key == "deploy"]
    assert not [offer for offer in controls.offers(held, "Fus") if offer.key == "deploy"]
    assert str(offer.label) == f"{skill} Roll: Kunai"
    declared = pieces.declare(controls.attack_words("Kunai", {}, offer.key), held)
    assert isinstance(declared, Order)
    assert [roll.action for roll in declared.rolls] == [Action(what)]
    running = table(f"Kunai: {STATS}, {skill}", turn=PlayerTurn(active=1, pools=(OrderPool(1, 2, 2),)))
    assert not [offer for offer in controls.offers(running, "Kunai") if offer.key == "deploy"]


@pytest.mark.parametrize(
    ("state", "what", "said", "sv"),
    [("Camouflaged", "infiltration", "Infiltration Roll: M 1", 10), ("Impersonation", "impersonation", "", 13)],
)
@pytest.mark.parametrize(("face", "opens"), [(10, False), (14, True)])
def test_under_a_marker_its_player_says_the_attribute(
    state: str, what: str, said: str, sv: int, face: int, opens: bool
) -> None:
    """The skill of who is under it is secret, so every marker has the press; a failed roll alone opens it."""
    held = table("M 1: W 1")
    held["M 1"] = replace(held["M 1"], is_marker=True, states=(state,))
    (offer,) = [offer for offer in controls.offers(held, "M 1") if offer.key == "deploy"]
    assert said in str(offer.label)
    declared = pieces.declare(controls.attack_words("M 1", {"sv": "13"}, offer.key), held)
    assert isinstance(declared, Order)
    assert [(roll.action, roll.sv) for roll in declared.rolls] == [(Action(what), sv)]
    rolled = infinity.start(declared, lambda _: face - 1)
    assert (markers.acting_troopers(rolled) == {"m 1"}) is opens


# Explosions


BOOM: Final = {"Ana": f"{STATS}, Explode, Unconscious", "Bo": STATS, "Cy": STATS}


def test_who_is_unconscious_explodes_and_is_dead() -> None:
    """PS 7 Shock ARM: ARM 1 passes on 8 or less; who had dodged is safe."""
    held = table(f"Ana: {STATS}, Explode, Unconscious", turn=PlayerTurn(active=2, pools=(OrderPool(1, 2, 2),)))
    declared = pieces.declare({"order": "Ana explode vs Bo dodge rolls 11"}, held)
    assert isinstance(declared, Order)
    state = infinity.start(declared, lambda _: 19)
    assert [result.winner for result in play.results(state)] == ["b"]
    _, changed = pieces.settle(None, state, held, lambda _: 19)
    assert changed["Ana"].states == ("Dead",)
    assert changed.get(TURN, held[TURN]).pools == held[TURN].pools, "it is no order"
    hit = infinity.start(order_of({"troopers": BOOM, "order": "Ana explode vs Bo, Cy"}), lambda _: 8)
    assert [(save.weapon.power, save.weapon.ammunition) for save in play.landed_attacks(hit)] == [(7, "Shock")] * 2
    saved = infinity.choose(hit, Choice("save-1"), lambda _: 8)
    assert saved.saves[0].dice[0].face == 9


@pytest.mark.parametrize("state", ["", ", Dogged", ", Stunned"])
def test_nobody_explodes_who_is_not_unconscious(state: str) -> None:
    with pytest.raises(PlayerError, match="explodes only while it is Unconscious"):
        order_of({"troopers": {**BOOM, "Ana": f"{STATS}, Explode{state}"}, "order": "Ana explode vs Bo"})


def test_a_landing_with_an_explosion_has_it_once() -> None:
    words = {"Ana": f"{STATS}, Combat Jump (Explosion)", "Bo": STATS}
    order = order_of({"troopers": words, "order": "Ana explosion vs Bo dodge"})
    weapon = order.rolls[0].weapon
    assert weapon is not None
    assert (weapon.power, weapon.ammunition, weapon.save, weapon.uses) == (8, "N", "ARM", 1)
    assert order.rolls[1].sv == 11
    with pytest.raises(PlayerError):
        order_of({"troopers": {**words, "Ana": f"{STATS}, Combat Jump"}, "order": "Ana explosion vs Bo"})
