"""Offers and choices: the one place where a stale or forged click fails."""

import pytest

from bot.rules.errors import BadInputError, NotOfferedError
from bot.rules.game import AfterOffer, Choice, Field, Fill, Offer, Option, Pick, Side, find_offer
from bot.rules.text import Text

PRESSED = Offer("done", Side.ATTACKER, Text("Done"), then=AfterOffer.CLOSES)
PICKED = Offer(
    "lock",
    Side.ATTACKER,
    Text("Lock"),
    Pick((Option("0", Text("Die 1")), Option("1", Text("Die 2")), Option("2", Text("Die 3"))), most=2),
)
ONE = Offer("cocked", Side.ATTACKER, Text("Cocked"), Pick((Option("0", Text("Die 1")), Option("1", Text("Die 2")))))
FILLED = Offer(
    "defend",
    Side.DEFENDER,
    Text("Defend"),
    Fill((Field("agility", Text("Agility"), longest=2), Field("tokens", Text("Tokens"), required=False, longest=5))),
)
CHOSEN = Offer(
    "react",
    Side.DEFENDER,
    Text("React"),
    Fill(
        (
            Field(
                "kind",
                Text("Kind"),
                required=False,
                longest=1,
                options=(Option("dodge", Text("Dodge")), Option("shoot", Text("Shoot"))),
            ),
            Field(
                "with",
                Text("With"),
                required=False,
                options=(Option("a b", Text("A")), Option("c", Text("C"))),
                several=True,
            ),
        )
    ),
)
OFFERS = (PRESSED, PICKED, ONE, FILLED, CHOSEN)


@pytest.mark.parametrize(
    ("choice", "offer"),
    [
        (Choice("done"), PRESSED),
        (Choice("lock", ("1",)), PICKED),
        (Choice("lock", ("2", "0")), PICKED),
        (Choice("cocked", ("1",)), ONE),
        (Choice("defend", filled={"agility": "2"}), FILLED),
        (Choice("defend", filled={"agility": "10", "tokens": "focus"}), FILLED),
        (Choice("defend", filled={"agility": "2", "tokens": ""}), FILLED),
        (Choice("react", filled={"kind": "dodge", "with": "a b, c"}), CHOSEN),
        (Choice("react", filled={"kind": "", "with": ""}), CHOSEN),
    ],
    ids=str,
)
def test_what_is_offered_is_taken(choice: Choice, offer: Offer) -> None:
    assert find_offer(OFFERS, choice) is offer


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        (Choice("focus"), "That isn't possible now."),
        (Choice(""), "That isn't possible now."),
        (Choice("done", ("0",)), "One of those dice can't be chosen now."),
        (Choice("lock", ("3",)), "One of those dice can't be chosen now."),
        (Choice("lock", ("0", "3")), "One of those dice can't be chosen now."),
        (Choice("lock", ("0", "0")), "One of those dice can't be chosen now."),
        (Choice("lock"), "Choose 1 to 2, not 0."),
        (Choice("lock", ("0", "1", "2")), "Choose 1 to 2, not 3."),
        (Choice("cocked", ("0", "1")), "Choose 1, not 2."),
        (Choice("defend", ("0",), {"agility": "2"}), "One of those dice can't be chosen now."),
    ],
    ids=str,
)
def test_anything_else_is_not_offered(choice: Choice, reason: str) -> None:
    with pytest.raises(NotOfferedError) as refused:
        find_offer(OFFERS, choice)
    assert str(refused.value).startswith(reason)


def test_nothing_is_offered_when_it_is_over() -> None:
    with pytest.raises(NotOfferedError):
        find_offer((), Choice("done"))


@pytest.mark.parametrize(
    ("filled", "sentence"),
    [
        (None, "`Agility` was empty. Enter a value."),
        ({}, "`Agility` was empty"),
        ({"agility": "  "}, "`Agility` was empty"),
        ({"agility": "123"}, "`Agility` was `123`. Use at most 2 characters."),
        ({"agility": "2", "tokens": "focused"}, "`Tokens` was `focused`. Use at most 5 characters."),
    ],
)
def test_a_form_names_the_field_that_is_wrong(filled: dict[str, str] | None, sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        find_offer(OFFERS, Choice("defend", filled=filled))
    assert str(refused.value).startswith(sentence)


def test_each_side_has_the_other() -> None:
    assert Side.ATTACKER.other is Side.DEFENDER
    assert Side.DEFENDER.other is Side.ATTACKER


@pytest.mark.parametrize("filled", [{"kind": "jump"}, {"kind": "dodge, shoot"}, {"with": "a"}, {"with": "c,c"}])
def test_what_a_form_does_not_offer_is_refused(filled: dict[str, str]) -> None:
    with pytest.raises(BadInputError, match="Choose one of the form's options"):
        find_offer(OFFERS, Choice("react", filled=filled))
