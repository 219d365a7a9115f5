"""The tables of docs/infinity.md are those of the code. `python -m tests.rules.infinity.test_docs` writes them anew."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from bot.rules.infinity.troopers import skills, states
from bot.rules.infinity.troopers.skills import Skill, SkillChange

PAGE = Path(__file__).parents[3] / "docs" / "infinity.md"


def test_the_documentation_has_the_tables() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == with_tables(text), "write them with python -m tests.rules.infinity.test_docs"


def with_tables(text: str) -> str:
    for key, lines in (("skills", skill_lines()), ("states", state_lines())):
        first, last = f"<!-- {key} -->", f"<!-- end of {key} -->"
        before, rest = text.split(first)
        text = "\n".join([before + first, "", *lines, "", last + rest.split(last)[1]])
    return text


def skill_lines() -> Iterator[str]:
    yield from ("| skill | it is | what it does |", "|---|---|---|")
    rows = sorted(
        (row for row in skills.TABLE if row.how is not SkillChange.SHOWN), key=lambda row: row.name.casefold()
    )
    for row in rows:
        yield f"| {called(row)} | {row.how} | {row.does} |"
    yield from ("", "Shown, since they touch no roll that is made here: " + listed(skills.TABLE) + ".")


def called(row: Skill) -> str:
    level = f" {row.level}" if row.level else ""
    only = f" ({', '.join(row.editions).upper()})" if row.editions != skills.EDITIONS else ""
    return row.name + level + only


def listed(rows: Iterable[Skill]) -> str:
    return ", ".join(sorted({row.name for row in rows if row.how is SkillChange.SHOWN}, key=str.casefold))


def state_lines() -> Iterator[str]:
    yield from ("| state | also | what it does |", "|---|---|---|")
    for row in states.TABLE:
        yield f"| {row.name} | {', '.join(row.also)} | {row.does} |"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
