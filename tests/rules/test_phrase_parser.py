"""Short phrases word by word: every error points at the word, or quotes the phrase."""

import pytest

from bot.rules.errors import BadInputError, UnknownWordError
from bot.rules.phrase_parser import Phrase, number


def test_words_are_read_from_the_left() -> None:
    phrase = Phrase("  Red 2  FIVE end", "with")
    assert (phrase.text, phrase.peek(), phrase.peek(2), phrase.peek(9)) == ("Red 2 FIVE end", "red", "five", "")
    assert phrase.take() == "Red"
    assert phrase.number("count", 1, 3) == 2
    assert phrase.word(("four", "five")) == "five"
    assert not phrase.skip("start")
    assert phrase.skip("start", "end")
    assert (phrase.words, phrase.take(), phrase.skip("")) == ([], "", False)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("fuor", "I don't understand `fuor` in `with`. Did you mean `four`?"),
        ("", "`with` was empty. Add one more word at the end: four or five."),
    ],
)
def test_a_word_that_is_not_known(text: str, sentence: str) -> None:
    with pytest.raises((UnknownWordError, BadInputError)) as refused:
        Phrase(text, "with").word(("four", "five"))
    assert str(refused.value) == sentence


@pytest.mark.parametrize("text", ["", "x", "0", "4", "1.5", "-1", "١", "9999999999"])
def test_a_number_has_its_limits(text: str) -> None:
    with pytest.raises(BadInputError, match="Use a whole number from 1 to 3"):
        number("count", text, 1, 3)


def test_a_number_that_can_only_be_one() -> None:
    with pytest.raises(BadInputError, match="Use 1"):
        number("count", "2", 1, 1)
