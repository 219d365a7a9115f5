"""Help pages: computed tables, notes of every game, blocks that Discord shows whole."""

import json
from fractions import Fraction
from pathlib import Path

from bot.render import help as pages
from bot.render.text import decimal
from bot.rules.games import GAMES

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "xwing.json").read_text(encoding="utf-8"))
TABLES = {
    "hits_plain": "hits",
    "hits_focus": "hits, focus",
    "hits_focus_lock": "hits, both",
    "evades_plain": "evades",
    "evades_focus": "evades, focus",
}


def test_the_averages_are_the_exact_ones_of_the_source_tables() -> None:
    table = pages.averages()
    for case in GOLDEN["averages"]:
        row = table.cells[table.rows.index(TABLES[case["table"]])]
        assert row[case["dice"] - 1] == decimal(Fraction(case["exact"])), case


def test_a_lock_alone_is_worth_what_a_focus_is() -> None:
    table = pages.averages()
    assert table.cells[table.rows.index("hits, lock")] == table.cells[table.rows.index("hits, focus")]


def test_every_game_has_a_page_with_notes() -> None:
    for key, game in GAMES.items():
        card = pages.page(key, [("attack", "rolls")])
        assert game.TITLE in card.outcome
        assert card.facts[0] == ("Commands", f"/{key} attack: rolls")
        assert card.facts[1][0] == "What the sources say: what the bot follows"
        assert (card.figure is not None) == (key == "xwing")


def test_the_known_errors_of_the_sources_are_told() -> None:
    assert "36 + 162 = 198" in dict(pages.page("albion", []).facts)["What the sources say: what the bot follows"]
    assert "1.875" in dict(pages.page("xwing", []).facts)["What the sources say: what the bot follows"]


def test_long_lists_go_on_in_another_block_and_lose_nothing() -> None:
    lines = [f"line {number} " + "x" * 90 for number in range(30)]
    shown = pages.blocks("Commands", lines)
    assert [name for name, _ in shown][:2] == ["Commands", "Commands, continued"]
    assert all(len(text) <= 1024 for _, text in shown)
    assert "\n".join(text for _, text in shown).splitlines() == lines
    assert pages.blocks("Commands", []) == []
