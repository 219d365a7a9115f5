"""Tables of data: each value becomes what the type of its field says, and a row that does not fit is refused."""

import json
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pytest

from bot.rules import rows
from bot.rules.text import Noun, Text


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class Part:
    colour: Colour
    count: int = 1


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
