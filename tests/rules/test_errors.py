"""What a player reads when something cannot be done."""

from copy import copy

import pytest

from bot.languages import LANGUAGES
from bot.languages.translate import translate, using_language
from bot.rules.errors import (
    AllowedWords,
    BadInputError,
    NotOfferedError,
    PlayerError,
    UnknownWordError,
    UnpayableCostError,
    WholeNumber,
    quote_value,
    with_field_names,
)
from bot.rules.text import Name, Text, english


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


def test_options_in_a_sentence_have_the_names_that_the_screen_has() -> None:
    names = {"pilot": Text("Its pilot {of}", of=Name("X")), "numbers": Text("Numbers")}
    refused = BadInputError("numbers", "x", Text("Leave it out with `pilot`: {the card} has `own` ones."))
    said = with_field_names(refused, names).text
    assert english(said) == "`Numbers` was `x`. Leave it out with `Its pilot X`: {the card} has `own` ones."
    other = with_field_names(PlayerError(Text("{who} needs a `pilot`.", who=Name("Ana"))), names)
    assert english(other.text) == "Ana needs a `Its pilot X`."
    assert copy(other.text) == other.text
    with using_language(LANGUAGES["de"]):
        assert "`Its pilot X`" in translate(other.text)
        pilot = with_field_names(PlayerError(Text("Leave it out with `pilot`: the card has its own.")), names)
        assert translate(pilot.text) != english(pilot.text)
        assert "`Its pilot X`" in translate(pilot.text)
