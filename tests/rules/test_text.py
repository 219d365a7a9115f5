"""Sentences that remember their parts."""

import copy
import pickle

import pytest

from bot.rules.text import Count, Names, Text, english

SENTENCES = [
    Text("Nothing happens."),
    Text("Type `{}` as it is."),
    Text("{ship} spends {tokens}.", ship="Luke", tokens=Count(2, "focus token", "focus tokens")),
    Count(1, "hit", "hits"),
    Names(["Luke", "Wedge", "Han"]),
    Names([], "or"),
]


def test_a_sentence_is_a_string() -> None:
    assert SENTENCES[0] == "Nothing happens."
    assert SENTENCES[1] == "Type `{}` as it is."
    assert SENTENCES[2] == "Luke spends 2 focus tokens."
    assert len(english(SENTENCES[3])) == 5


def test_it_remembers_its_message_and_places() -> None:
    assert SENTENCES[2].message == "{ship} spends {tokens}."
    assert SENTENCES[2].places["tokens"].places["number"] == 2
    assert not SENTENCES[0].places


@pytest.mark.parametrize(
    ("names", "word", "text"),
    [
        ([], "and", ""),
        (["a"], "and", "a"),
        (["a", "b"], "and", "a and b"),
        (["a", "b", "c"], "or", "a, b or c"),
    ],
)
def test_a_list_in_a_sentence(names: list[str], word: str, text: str) -> None:
    assert Names(names, word) == text


@pytest.mark.parametrize("text", SENTENCES)
def test_it_survives_a_copy_and_another_process(text: Text) -> None:
    for same in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):  # noqa: S301 - our own bytes
        assert (same, type(same), same.message, same.places) == (text, type(text), text.message, text.places)
