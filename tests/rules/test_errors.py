"""What a player reads when something cannot be done."""

import pytest

from bot.rules.errors import (
    AllowedWords,
    BadInputError,
    NotOfferedError,
    PlayerError,
    UnknownWordError,
    UnpayableCostError,
    WholeNumber,
    quote_value,
)
from bot.rules.text import Text


def test_bad_input_names_the_field_what_it_was_and_what_is_allowed() -> None:
    error = BadInputError("range", 5, WholeNumber(1, 3))
    assert str(error) == "`range` was `5`. Use a whole number from 1 to 3."
    assert (error.field, error.given, error.wanted) == ("range", 5, (WholeNumber(1, 3),))


def test_a_bad_word_suggests_the_nearest_known_one() -> None:
    error = UnknownWordError("with", "Fokus", AllowedWords(("focus", "force"), Text("Write for example `focus`.")))
    assert str(error) == "I don't understand `Fokus` in `with`. Did you mean `focus`? Write for example `focus`."
    assert error.near == "focus"


def test_a_bad_word_far_from_all_suggests_nothing() -> None:
    error = UnknownWordError("with", "xyzzy", AllowedWords(("focus", "force"), Text("Write for example `focus`.")))
    assert str(error) == "I don't understand `xyzzy` in `with`. Write for example `focus`."
    assert error.near is None


def test_not_offered_says_where_to_look() -> None:
    assert str(NotOfferedError()) == "That isn't possible now. Look at the newest card and choose from its buttons."
    assert str(NotOfferedError(Text("Too late."))).startswith("Too late. Look at the newest card")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("two", "`two`"),
        (5, "`5`"),
        (True, "`True`"),
        ([1, 2], "`[1, 2]`"),
        ("", "empty"),
        ("  ", "empty"),
        ("a`b", "`a'b`"),
        ("two\nlines", "`two lines`"),
        ("\u202eevil\u202c \x00\x1b[2J\u200b", "`evil [2J`"),
        ("half \ud800 a sign", "`half a sign`"),
        ("\u200b", "empty"),
        ("😀" * 41, "`" + "😀" * 40 + "…`"),
        ("x" * 10**6, "`" + "x" * 40 + "…`"),
        ("x" * 41, "`" + "x" * 40 + "…`"),
        ("x" * 40, "`" + "x" * 40 + "`"),
    ],
)
def test_a_quotation_cannot_break_the_sentence_around_it(given: object, text: str) -> None:
    assert quote_value(given) == text


@pytest.mark.parametrize("kind", [BadInputError, UnknownWordError, NotOfferedError, UnpayableCostError])
def test_each_kind_is_the_players_to_mend(kind: type[Exception]) -> None:
    assert issubclass(kind, PlayerError)
