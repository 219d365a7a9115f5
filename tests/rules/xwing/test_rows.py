"""The vocabulary of rows: every word that the page lists is read, and nothing else."""

import re
from pathlib import Path

import pytest

from bot.rules.errors import PlayerError
from bot.rules.game import Side
from bot.rules.xwing.cards import rows
from bot.rules.xwing.dice import typed_sides
from bot.rules.xwing.dice.declared import LineUp
from tests.rows import for_each_row
from tests.rules.xwing.written import written

PAGE = (Path(rows.__file__).parents[1] / "ROWS.md").read_text(encoding="utf-8")


def section(title: str) -> list[str]:
    """The quoted words under a heading."""
    part = PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    return [word for word in re.findall(r"`([^`]+)`", part) if word != "or"]


COUNTED = ("their red or orange", "friends", "enemies", "every ship", "red tokens")


@for_each_row("phrase", [*section("`do`: dice, in the words that players type"), *section("`do`: the rest")])
def test_every_phrase_of_the_page_is_read(phrase: str) -> None:
    if phrase in (
        "asked",
        "ask",
        "how many",
        "ships",
        "their stress",
        "stress",
        "their red or orange",
        "charges",
        *COUNTED,
    ):
        phrase = f"reroll as many as {phrase}"
    if phrase in ("any", "primary", "cannon", "turret", "torpedo", "missile", "special", "same weapon", "other weapon"):
        phrase = f"bonus {phrase}"
    if phrase == "other turret":
        phrase = f"bonus any {phrase}"
    if phrase.startswith("at ") and phrase.split()[1] in ("attacker", "same", "other", "any"):
        phrase = f"bonus any {phrase}"
    phrase = phrase.replace("as many as friend locks", "reroll as many as friend locks").replace("...", "this")
    phrase = "reroll as many as asked" if "ask" in phrase or "how many" in phrase else phrase
    row = rows.read("upgrade:x", {"on": "attack" if "spend" in phrase else "both", "do": phrase})
    for side in row.on:
        assert row.effects(side, lambda _: 2) or row.deeds


@for_each_row("condition", section("`if`"))
def test_every_condition_of_the_page_is_read(condition: str) -> None:
    if condition in ("attacking", "defending", "their", "me", "no", "not"):
        condition += " stress"
    condition = (
        f"{condition} arc weapon"
        if condition in ("rear", "turret", "bullseye", "full front", "full rear")
        else condition
    )
    late = condition in ("hit", "miss", "neutralized", "dice modified", "lost a shield", "suffered damage")
    does = {"do": "I gain 1 focus", "when": "after"} if late else {"do": "reroll 1"}
    rows.read("upgrade:x", {"on": "both", "if": [condition], **does})


@for_each_row("cost", section("`cost`"))
def test_every_cost_of_the_page_is_read(cost: str) -> None:
    assert rows.read("upgrade:x", {"on": "both", "cost": cost, "do": "reroll 1"}).cost


@pytest.mark.parametrize(
    "raw",
    [
        {"on": "attacks", "do": "reroll 1"},
        {"on": "attack", "do": "rerol 1"},
        {"on": "attack", "do": "reroll 1", "if": ["bullseye"]},
        {"on": "attack", "do": "reroll 1", "cost": "2 force"},
        {"on": "attack", "do": "reroll 1", "when": "sometime"},
        {"on": "attack", "do": "reroll 1", "more": 1},
        {"on": "attack", "do": ""},
    ],
)
def test_other_words_are_refused(raw: dict[str, object]) -> None:
    with pytest.raises(PlayerError):
        rows.read("upgrade:x", raw)


@for_each_row("phrase", section("`do`: dice, in the words that players type")[:30])
def test_words_of_rows_are_written_as_they_are_read(phrase: str) -> None:
    if "as many as" in phrase or "how many" in phrase:
        return
    for side in (Side.ATTACKER,):
        effects = typed_sides.parse(phrase, side, "do").line_up.effects
        again = typed_sides.write(typed_sides.SideInput(line_up=LineUp(effects=effects)), side)
        assert typed_sides.parse(again, side, "do").line_up.effects == effects


def test_what_differs_by_side() -> None:
    row = rows.read("pilot:x", {"on": "both", "do": "change 1 focus to hit / evade"})
    assert row.acts_of(Side.ATTACKER) == typed_sides.parse("change 1 focus to hit", Side.ATTACKER, "do").line_up.effects
    assert (
        row.acts_of(Side.DEFENDER) == typed_sides.parse("change 1 focus to evade", Side.DEFENDER, "do").line_up.effects
    )
    assert written(row)["do"] == "change 1 focus to hit / evade"
