"""The fairness page in words and bars."""

from math import log

from bot.render import fairness
from bot.rules.text import Text, english

FAIR = {"red": (1000, 1010, 990, 1000, 1005, 995, 1000, 1000), "d6": (1, 2, 0, 0, 1, 0)}
SEALED = fairness.sealed_tables(412, 410, 1, 1)


def test_the_headline_says_whether_a_die_is_loaded() -> None:
    assert fairness.card(FAIR, log(19.9), SEALED).outcome == (
        "No sign of a loaded die in 8,004 dice; a face that comes up 1 percentage point too often "
        "would be detected after about 73,000 draws."
    )
    result = (
        "These counts suggest a loaded die: in 8,004 dice, fair dice would be this far off at most once in 25 times."
    )
    assert fairness.card(FAIR, log(25), SEALED).outcome == result
    assert "once in 1,000,000,000 times" in english(fairness.card(FAIR, 900.0, SEALED).outcome)


def test_before_the_first_die_there_is_no_picture() -> None:
    card = fairness.card({}, 0.0, SEALED)
    assert (card.outcome, card.figure) == ("I haven't counted any dice yet.", None)


def test_each_kind_has_its_numbers_and_few_draws_have_no_chi_square() -> None:
    facts = dict(fairness.card(FAIR, 0.0, SEALED).facts)
    assert "8,000 drawn" in english(facts[Text("Red attack dice")])
    assert "2: +0.12, 3: −0.12" in english(facts[Text("Red attack dice")])
    assert "7 degrees of freedom, p = 1.00" in english(facts[Text("Red attack dice")])
    assert "chi-square" not in english(facts[Text("D6")])
    assert facts[Text("Sealed tables")] == "sealed 412, revealed 410, open 1, lost 1"


def test_the_picture_shows_the_dice_that_were_asked_for() -> None:
    assert "13%" in english(fairness.card(FAIR, 0.0, SEALED).alt)
    assert english(fairness.card(FAIR, 0.0, SEALED, "d6").alt).startswith("Share of each face of the d6: 1: 25%")
    assert fairness.card(FAIR, 0.0, SEALED, "no such die") == fairness.card(FAIR, 0.0, SEALED)
