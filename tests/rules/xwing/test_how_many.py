"""Cards that ask how many: the number is said once, at most what is in play, and counted wherever there are odds."""

from typing import Any

import pytest

from bot.odds.xwing import advice, odds
from bot.render.xwing import card
from bot.rules.errors import BadInputError
from bot.rules.game import Offer, Side
from bot.rules.text import english
from bot.rules.xwing import declare
from bot.rules.xwing.attack import attack
from bot.rules.xwing.cards.effects import Claims, open_claims, ticks
from bot.rules.xwing.cards.facts import Facts, Fighter
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice.modify import HOW_MANY
from bot.rules.xwing.table.ship_weapons import fighter
from tests.rules.xwing.fleet import Fight, fleet
from tests.rules.xwing.test_card_fights import ship
from tests.starts import form_of

BO = 2
SALM, TIE = "Horton Salm", "Academy Pilot"
QUESTION = "how many other friendly ships at range 0-1 of the defender"
WINGMEN = ("bluesquadronescort", "wedgeantilles", "cassianandor")
ASKING = sorted({card for card, rows in ROWS.items() for row in rows if row.asks_number})


def salm(falls: str, wingmen: int = 3, **more: Any) -> Fight:
    ships = fleet(ship("hortonsalm"), ship("academypilot", owner=BO), *(ship(item) for item in WINGMEN[:wingmen]))
    return Fight(ships, falls, attacker=SALM, defender=TIE, range=2, **more)


def asking(fight: Fight) -> Offer:
    (offer,) = [item for item in attack.offers(fight.state) if item.fields and item.fields[0].key == HOW_MANY]
    return offer


def test_horton_salm_is_asked_once_how_many_and_rerolls_as_many() -> None:
    fight = salm("blank blank")
    offer = asking(fight)
    assert (offer.label, form_of(offer).title) == (f"{SALM}: {QUESTION}", SALM)
    number, dice = offer.fields
    assert [option.label for option in number.options] == ["0", "1", "2", "3"], "at most the friends in play"
    assert (number.detail, [option.value for option in dice.options]) == (QUESTION, ["0", "1"])
    fight.take(offer.key, falls="hit crit blank blank blank", **{HOW_MANY: "2", "dice": "0, 1"})
    assert [str(die.face) for die in fight.state.red] == ["hit", "crit"]
    assert f"{SALM}, {QUESTION}: 2" in card(fight.state, {Side.ATTACKER: "Ana"}).trail
    assert not any(english(item.label).startswith(SALM) for item in attack.offers(fight.state)), "never asked twice"


def test_no_more_dice_are_rerolled_than_ships_were_said() -> None:
    fight = salm("blank blank")
    with pytest.raises(BadInputError, match=r"`Dice to reroll` was 2 dice. Use 1"):
        fight.take(asking(fight).key, **{HOW_MANY: "1", "dice": "0, 1"})


def test_of_none_the_card_does_nothing() -> None:
    fight = salm("blank blank blank blank blank")
    fight.take(asking(fight).key, **{HOW_MANY: "0"})
    assert fight.state.window is attack.AttackWindow.OVER
    alone = salm("blank blank blank blank blank", wingmen=0)
    assert alone.state.window is attack.AttackWindow.OVER, "without friends in play nobody is asked"


def test_the_number_may_be_said_first_and_the_advice_takes_it() -> None:
    fight = salm("hit blank")
    assert [item.offer for item in advice.advise(fight.state)] == ["done"], "what nobody has said is not known"
    fight.take(asking(fight).key, **{HOW_MANY: "2"})
    best, *_ = advice.advise(fight.state)
    assert best.label == f"{SALM}: reroll die 2 (blank)"
    (offer,) = [item for item in attack.offers(fight.state) if item.options]
    assert offer.label == f"{SALM}: reroll up to 2 dice"
    assert fight.state.declared.attack.effects[0].most == 2, "luck and odds count what was said"


def test_dice_that_are_asked_for_before_the_roll_are_a_number_too() -> None:
    """Goji: a die more for each friendly bomb; nobody knows how many bombs there are, so at most six."""
    ships = fleet(ship("bluesquadronescort"), ship("goji", owner=BO))
    fight = Fight(ships, "", attacker="Blue Squadron Escort", defender="Goji", range=2)
    offer = asking(fight)
    assert [option.label for option in offer.fields[0].options] == [str(number) for number in range(7)]
    fight.take(offer.key, falls="hit hit hit blank blank blank blank", **{HOW_MANY: "2"})
    goji = fight.ships["Goji"]
    assert len(fight.state.green) == goji.agility + 2


def test_it_costs_its_charge_when_dice_are_rerolled() -> None:
    ships = fleet(ship("jessikapava"), ship("academypilot", owner=BO), ship("bluesquadronescort"))
    fight = Fight(ships, "blank blank blank", attacker="Jessika Pava", defender=TIE, range=2)
    offer = asking(fight)
    assert english(offer.label).startswith("Jessika Pava (for 1 charge")
    fight.take(offer.key, **{HOW_MANY: "1"})
    assert fight.ships["Jessika Pava"].charge_left == 1
    (reroll,) = [item for item in attack.offers(fight.state) if item.options]
    fight.take(reroll.key, "0", falls="blank blank blank blank")
    assert fight.ships["Jessika Pava"].charge_left == 0


def test_red_tokens_are_known_so_matchstick_says_no_more() -> None:
    ships = fleet(ship("matchstick", tokens={"stress": 1}), ship("academypilot", owner=BO, locks=("Matchstick",)))
    fight = Fight(ships, "blank blank", attacker="Matchstick", defender=TIE, range=2)
    (label,) = [item.label for item in attack.offers(fight.state) if "Matchstick" in english(item.label)]
    assert "2" in english(label), english(label)


@pytest.mark.parametrize("which", ASKING)
def test_every_card_that_asks_how_many_takes_the_number_in_json(which: str) -> None:
    """The law of a claim with a number is that of as many claims; so many more dice are better for whoever has them."""
    kind, _, id_ = which.partition(":")
    row = ROWS[which][0]
    on = "attack" if Side.ATTACKER in row.on else "defense"
    friend = {"friends": [{kind: id_}]} if row.friend else {"pilot": id_} if kind == "pilot" else {"upgrades": [id_]}
    means = []
    for claims in ([], [f"{id_} 0"], [f"{id_} 1"], [f"{id_} 3"]):
        sides: dict[str, Any] = {"attack": {"dice": 4}, "defense": {"dice": 3}}
        sides[on] |= {**friend, "claims": claims}
        means.append(odds(declare({**sides, "range": 2}))["joint"])
    assert means[0] == means[1] != means[2] != means[3]
    sides[on]["claims"] = [id_] * 3
    assert odds(declare({**sides, "range": 2}))["joint"] == means[3]


def test_a_claim_that_is_typed_or_ticked_has_its_number() -> None:
    fight = salm("blank blank")
    wingmen = tuple(fighter(item, None) for item in fight.ships.values() if item.owner == 1 and item.name != SALM)
    fighters = {Side.ATTACKER: fighter(fight.ships[SALM], None), Side.DEFENDER: Fighter()}
    facts = Facts(fighters=fighters, friends={Side.ATTACKER: wingmen})
    assert Claims.read("Horton Salm 2", facts).of[Side.ATTACKER] == ("hortonsalm",) * 2
    (claim,) = [item for item in open_claims(Side.ATTACKER, facts) if item.name == "hortonsalm"]
    assert [tick.value for tick in ticks(SALM, Side.ATTACKER, claim)] == [
        f"attacker hortonsalm {number}" for number in (1, 2, 3)
    ]
