"""Tables of data: each value becomes what the type of its field says, and a row that does not fit is refused."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Annotated

import pytest

from bot.rules import rows
from bot.rules.text import Code, Name, Noun, Text


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class Part:
    colour: Colour
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
    pair: tuple[int, Colour] | None = None


def read(monkeypatch: pytest.MonkeyPatch, folder: Path, *given: dict[str, object]) -> tuple[Thing, ...]:
    (folder / "things.json").write_text(json.dumps({"one heading": given[:1], "another": given[1:]}))
    monkeypatch.setattr(rows, "FOLDER", folder)
    return rows.table("things.json", Thing)


def test_values_have_the_types_of_their_fields(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given: dict[str, object] = {"name": "a", "does": "it stands", "noun": ["thing", "things"]}
    more = given | {"name": "b", "parts": [{"colour": "red"}, {"colour": "red", "count": 2}], "pair": [3, "red"]}
    one, other = read(monkeypatch, tmp_path, given, more)
    assert isinstance(one.does, Text)
    assert one == Thing("a", Text("it stands"), Noun("thing", "things"))
    assert other.noun.of(2) == "2 things"
    assert (other.parts, other.pair) == ((Part(Colour.RED), Part(Colour.RED, 2)), (3, Colour.RED))


@pytest.mark.parametrize(
    ("wrong", "error"),
    [({"colour": "red"}, KeyError), ({"noun": ["thing"]}, TypeError), ({"parts": [{"colour": "blue"}]}, ValueError)],
)
def test_a_row_that_does_not_fit_is_refused(
    wrong: dict[str, object], error: type[Exception], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(error):
        read(monkeypatch, tmp_path, {"name": "a", "does": "it stands", "noun": ["thing", "things"]} | wrong)


def test_a_field_may_have_another_word_and_a_type_may_read_itself() -> None:
    given = {"from": 3, "lengths": {"long": "12 ft"}}
    assert rows.reader(Range)(given) == Range(3, {"long": Length(12)})


def test_messages_are_read_by_their_heading(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "said.json").write_text(json.dumps({"keep": [{"says": "{n} dice"}, {"says": "all of them"}]}))
    monkeypatch.setattr(rows, "FOLDER", tmp_path)
    assert rows.messages("said.json") == {"keep": ("{n} dice", "all of them")}


def test_a_name_is_no_plain_string() -> None:
    """Else it would be said as a message is, in other languages too."""
    assert type(rows.reader(Name)("Blades in the Dark")) is Name
    assert type(rows.reader(Code)("4d6kh3")) is Code
