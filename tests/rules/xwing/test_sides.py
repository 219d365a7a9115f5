"""Cards with two sides: which one lies up is a state of the ship, and no attack asks for it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from bot.odds.xwing import odds
from bot.render.xwing import fleet as fleet_cards
from bot.render.xwing.fleet import marks
from bot.render.xwing.squad import squad_card
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import Choice
from bot.rules.text import english
from bot.rules.xwing.attack.attack import AttackWindow
from bot.rules.xwing.attack.json_attacks import declare
from bot.rules.xwing.cards.card_sets import SHIPPED
from bot.rules.xwing.cards.cards import two_sided
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice.conditions import Shows
from bot.rules.xwing.table import controls
from bot.rules.xwing.table.match import MATCH, Match
from bot.rules.xwing.table.ship import Ship, flip, reset_ship
from bot.rules.xwing.table.squad import Squad
from tests.rules.xwing.fleet import Fight, fleet
from tests.rules.xwing.play import Falls
from tests.rules.xwing.test_card_fights import BO, labels, press, ship

LUKE, VADER = "Luke Skywalker", "Darth Vader"


def flipped(item: Ship, offer: str) -> Ship:
    """The ship after its player has picked this from its list."""
    done = controls.choose({item.name: item, MATCH: Match()}, item.name, Choice(offer, ()), Falls(""))
    now = done.changes[item.name]
    assert isinstance(now, Ship)
    return now


def rolled(attacker: Ship, defender: Ship, falls: str = "") -> Fight:
    return Fight(
        fleet(attacker, replace(defender, owner=BO)),
        falls or "blank " * 12,
        attacker=attacker.name,
        defender=defender.name,
        range=2,
    )


def test_luke_flies_with_open_s_foils_until_he_closes_them_and_nobody_is_asked() -> None:
    luke = ship("lukeskywalker", "servomotorsfoils")
    open_ = rolled(luke, ship("academypilot"))
    assert (open_.state.window, len(open_.state.red)) == (AttackWindow.OVER, 3)
    closed = rolled(flipped(luke, "flip-servomotorsfoils-1"), ship("academypilot"))
    assert (closed.state.window, len(closed.state.red)) == (AttackWindow.OVER, 2)


def test_a_flip_says_what_lies_up_and_the_next_one_turns_it_back() -> None:
    luke = ship("lukeskywalker", "servomotorsfoils")
    assert [offer.label for offer in controls.offers(fleet(luke), LUKE) if offer.key.startswith("flip-")] == [
        "Flip Servomotor S-foils"
    ]
    done = controls.choose(fleet(luke), LUKE, Choice("flip-servomotorsfoils-1", ()), Falls(""))
    assert done.sentence == "flips a card on Luke Skywalker: now Servomotor S-foils (Closed)"
    assert flipped(flipped(luke, "flip-servomotorsfoils-1"), "flip-servomotorsfoils-1") == luke


def test_a_ship_without_such_a_card_offers_no_flip() -> None:
    assert not [offer for offer in controls.offers(fleet(ship("howlrunner")), "Howlrunner") if "flip" in offer.key]


def test_of_two_batteries_each_flips_for_itself_and_an_offline_one_fires_no_more() -> None:
    corvette = ship("alderaanianguard", "turbolaserbattery", "turbolaserbattery")
    keys = [offer.key for offer in controls.offers(fleet(corvette), corvette.name) if offer.key.startswith("flip-")]
    assert keys == ["flip-turbolaserbattery-1", "flip-turbolaserbattery-2"]
    second = flipped(corvette, keys[1])
    assert second.titles == ("Turbolaser Battery", "Turbolaser Battery (Offline)")
    locked = replace(second, locks=("Howlrunner",), energy_left=6)
    fields = controls.attack_fields({}, locked, [ship("howlrunner", owner=BO)])
    details = [option.detail for option in fields[0].options if option.value == "Turbolaser Battery"]
    assert details, "the other one still fires"
    both = flipped(flipped(corvette, keys[0]), keys[1])
    with pytest.raises(
        PlayerError,
        match=r"can't fire Turbolaser Battery: it shows Turbolaser Battery \(Offline\), which can't attack",
    ):
        Fight(
            fleet(replace(both, locks=("Howlrunner",)), ship("howlrunner", owner=BO)),
            attacker=both.name,
            defender="Howlrunner",
            weapon="Turbolaser Battery",
            range=3,
        )


def test_integrated_s_foils_ask_for_the_bullseye_only_while_they_are_closed() -> None:
    delta = ship("bluesquadronescort", "integratedsfoils")
    assert rolled(delta, ship("academypilot")).state.window is AttackWindow.OVER
    fight = rolled(flip(delta, 0), ship("academypilot"))
    assert fight.state.window is AttackWindow.ATTACKER_BEFORE_DICE
    assert any("the defender is not in your bullseye arc" in label for label in labels(fight))


def test_a_u_wing_with_its_wing_closed_rolls_one_defense_die_less() -> None:
    wing = ship("cassianandor", "pivotwing")
    attacker = ship("bluesquadronescort")
    assert len(rolled(attacker, wing).state.green) == wing.agility
    assert len(rolled(attacker, flip(wing, 0)).state.green) == wing.agility - 1


def test_l3_37_flips_when_she_makes_the_attacker_reroll_and_then_she_is_the_other_side() -> None:
    falcon = ship("hansolo", "l337")
    fight = rolled(ship("bluesquadronescort"), falcon, "hit hit blank")
    assert fight.state.window is AttackWindow.DEFENDER_MODIFIES_ATTACK
    press(fight, "L3-37: reroll", "0", "1", "2", falls="blank blank blank blank blank")
    after = fight.ships["Han Solo"]
    assert after.titles == ("L3-37's Programming",)
    again = rolled(ship("bluesquadronescort"), replace(after, owner=BO), "hit hit blank blank blank")
    assert again.state.window is AttackWindow.OVER, "the other side does not help"


def test_stabilized_s_foils_give_their_bonus_attack_only_while_they_are_open() -> None:
    bwing = ship("bladesquadronveteran", "stabilizedsfoils", "ioncannon", locks=("Academy Pilot",))
    falls = "hit hit hit blank blank blank"
    open_ = rolled(bwing, ship("academypilot"), falls).take("done")
    closed = rolled(flip(bwing, 0), ship("academypilot"), falls).take("done")
    assert [right.name for right in open_.state.rights] == ["Stabilized S-foils"]
    assert closed.state.rights == ()


def test_the_side_is_seen_on_the_board_in_the_list_and_in_the_answer_to_the_squad() -> None:
    luke = flip(ship("lukeskywalker", "servomotorsfoils"), 0)
    assert [mark.text for mark in marks(luke) if mark.name == "side up"] == ["Closed: Servomotor S-foils"]
    assert "Servomotor S-foils (Closed)" in "\n".join(map(english, fleet_cards.lines(luke)))
    open_ = ship("lukeskywalker", "servomotorsfoils")
    card = squad_card([Squad("Red", "Rebel Alliance", (), "", ())], {}, fleet(open_))
    assert "These sides are faceup: Servomotor S-foils (Open). Flip a card with the list on the board." in english(
        card.small
    )
    assert "Servomotor S-foils (Open)" in english(card.alt)


def test_a_rematch_begins_with_the_side_that_people_fly_with() -> None:
    luke = ship("lukeskywalker", "servomotorsfoils")
    assert reset_ship(flip(luke, 0)) == luke


# As JSON


def question(**more: Any) -> dict[str, Any]:
    attack = {"pilot": "bluesquadronescort", "upgrades": ["servomotorsfoils"], **more}
    return {"attack": attack, "defense": {"pilot": "academypilot"}, "range": 2}


def test_a_line_up_names_the_side() -> None:
    closed = odds(declare(question(sides={"servomotorsfoils": "closed"})))["joint"]
    typed = {"attack": {"dice": 2}, "defense": {"dice": 3}, "range": 2}
    assert closed == odds(declare(typed))["joint"]
    assert odds(declare(question()))["joint"] == odds(declare(question(sides={"servomotorsfoils": "open"})))["joint"]


def test_a_side_that_no_card_has_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(BadInputError) as refused:
        declare(question(sides={"servomotorsfoils": "ajar"}))
    assert refused.value.field == "attack.sides.servomotorsfoils"
    with pytest.raises(PlayerError):
        declare(question(sides={"pivotwing": "closed"}))


# The data


def test_every_side_that_a_row_asks_for_is_one_of_its_card() -> None:
    asked = {
        (card, row_condition.test.side)
        for card, rows in ROWS.items()
        for row in rows
        for either in row.conditions
        for row_condition in either
        if isinstance(row_condition.test, Shows)
    }
    assert len(asked) == 20
    for card, side in asked:
        assert side in two_sided()[card.removeprefix("upgrade:")].words


def test_no_row_asks_people_which_side_lies_up() -> None:
    asks = [row.ask for rows in ROWS.values() for row in rows]
    assert not [ask for ask in asks if "the card shows" in ask or "the card is" in ask or "the wing is" in ask]


def test_every_card_with_two_sides_has_two_words_for_them() -> None:
    raw = json.loads((SHIPPED / "sides.json").read_text(encoding="utf-8"))["cards"]
    assert len(raw) == 28
    for card in two_sided().values():
        assert len(set(card.words)) == 2
        assert card.up in (0, 1)
