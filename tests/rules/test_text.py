"""Sentences that remember their parts."""

import copy
import json
import pickle
from typing import Final

import pytest

from bot.rules.text import Code, Count, Name, Names, Numeral, Text, english, read_text, write_text
from bot.rules.xwing.dice.faces import Face

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
        (["a", "b", "c"], "or", "a, b, or c"),
    ],
)
def test_a_list_in_a_sentence(names: list[str], word: str, text: str) -> None:
    assert Names(names, word) == text


@pytest.mark.parametrize("text", SENTENCES)
def test_it_survives_a_copy_and_another_process(text: Text) -> None:
    for same in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):  # noqa: S301 - our own bytes
        assert (same, type(same), same.message, same.places) == (text, type(text), text.message, text.places)


STORED: Final = Text(
    "{who} shows {face}, {count} of {share}: {list} {code}",
    who=Name("Ana `x`"),
    face=Face.HIT,
    count=Count(2, "hit", "hits"),
    share=Numeral("12.5%"),
    list=Names([Text("a crit"), Name("Bo")]),
    code=Code("`focus`"),
)


def test_a_stored_text_keeps_what_each_place_is() -> None:
    """A face or a share that came back as plain words would be English in every language."""
    again = read_text(json.loads(json.dumps(write_text(STORED))))
    assert again == STORED
    kinds = {name: type(item) for name, item in again.places.items()}
    assert kinds == {"who": Name, "face": Text, "count": Count, "share": Numeral, "list": Names, "code": Code}
    assert type(again.places["list"].places["names"][0]) is Text
