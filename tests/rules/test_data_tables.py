"""Tables of data: each value becomes what the type of its field says, and a row that does not fit is refused."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Annotated

import pytest

from bot.rules import data_tables
from bot.rules.text import Code, Name, Noun, Text


class Color(Enum):
    RED = "red"


@dataclass(frozen=True)
class Part:
    color: Color
    count: int = 1


@dataclass(frozen=True)
class Length:
    feet: int

    @classmethod
    def from_row(cls, text: str) -> "Length":
        return cls(int(text.removesuffix(" ft")))


@dataclass(frozen=True)
class Range:
    least: Annotated[int, "from"]
    lengths: Mapping[str, Length] = field(default_factory=dict)


@dataclass(frozen=True)
class Thing:
    name: str
    does: Text
    noun: Noun
    parts: tuple[Part, ...] = ()
    pair: tuple[int, Color] | None = None


def read(monkeypatch: pytest.MonkeyPatch, folder: Path, *given: dict[str, object]) -> tuple[Thing, ...]:
    (folder / "things.json").write_text(json.dumps({"one heading": given[:1], "another": given[1:]}))
    monkeypatch.setattr(data_tables, "FOLDER", folder)
    return data_tables.table("things.json", Thing)


def test_values_have_the_types_of_their_fields(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given: dict[str, object] = {"name": "a", "does": "it hits", "noun": ["thing", "things"]}
    more = given | {"name": "b", "parts": [{"color": "red"}, {"color": "red", "count": 2}], "pair": [3, "red"]}
    item, other = read(monkeypatch, tmp_path, given, more)
    assert isinstance(item.does, Text)
    assert item == Thing("a", Text("it hits"), Noun("thing", "things"))
    assert other.noun.of(2) == "2 things"
    assert (other.parts, other.pair) == ((Part(Color.RED), Part(Color.RED, 2)), (3, Color.RED))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"color": "red"}, "one of the keys does, name, noun, pair, parts, not color"),
        ({"noun": ["thing"]}, "noun: a list of 2"),
        ({"parts": [{"color": "blue"}]}, "parts.color: one of"),
        ({"parts": [{"color": "red", "count": True}]}, "parts.count: a whole number"),
        ({"parts": [{}]}, "parts: a row with color"),
        ({"name": 3}, "name: a text"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(
    wrong: dict[str, object], said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(data_tables.RowError, match=said):
        read(monkeypatch, tmp_path, {"name": "a", "does": "it hits", "noun": ["thing", "things"]} | wrong)


def test_a_field_may_have_another_word_and_a_type_may_read_itself() -> None:
    given = {"from": 3, "lengths": {"long": "12 ft"}}
    assert data_tables.reader(Range)(given) == Range(3, {"long": Length(12)})


def test_messages_are_read_by_their_heading(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "said.json").write_text(json.dumps({"keep": [{"says": "{n} dice"}, {"says": "all of them"}]}))
    monkeypatch.setattr(data_tables, "FOLDER", tmp_path)
    assert data_tables.messages("said.json") == {"keep": ("{n} dice", "all of them")}


def test_a_name_is_no_plain_string() -> None:
    """Else it would be said as a message is, in other languages too."""
    assert type(data_tables.reader(Name)("Blades in the Dark")) is Name
    assert type(data_tables.reader(Code)("4d6kh3")) is Code
