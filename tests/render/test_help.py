"""Help pages: computed tables, notes of every game, commands as they are registered, blocks that are shown whole."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.odds.xwing import averages
from bot.render import help as pages
from bot.render.help import NOTES, RegisteredCommand
from bot.render.plain_text import decimal
from bot.render.xwing.odds import average_table
from bot.rules.text import Text, english

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "xwing.json").read_text(encoding="utf-8"))
TABLES = {
    "hits_plain": "hits",
    "hits_focus": "hits, focus",
    "hits_focus_lock": "hits, both",
    "evades_plain": "evades",
    "evades_focus": "evades, focus",
}
SAID = {
    "xwing": ("1.86", "4.37", "7 and 8 dice", "equal to agility", "Range 0", "2.078"),
    "infinity": (
        "above 20",
        "cancels every lower",
        "Criticals on both sides",
        "MODs beyond 12",
        "more than Damage - ARM or BTS passes",
    ),
    "warsurge": ("multiple times", "5 or more", "6/2", "0 against 0", "above 20"),
    "albion": ("36 + 162 = 198", "Strength 3", "left blank", "193.5", "guaranteed hit"),
}
"""What must be said of each game: where its sources err, differ, or are silent."""

SHIP = [RegisteredCommand(("xwing", "ship", part), Text(f"{part}s")) for part in ("add", "remove")]
ATTACK = RegisteredCommand(("xwing", "attack"), Text("Rolls"), ("dice", "[agility]"))


def test_the_averages_are_the_exact_ones_of_the_source_tables() -> None:
    table = average_table(averages())
    for case in GOLDEN["averages"]:
        row = table.cells[table.rows.index(TABLES[case["table"]])]
        assert row[case["dice"] - 1] == decimal(Fraction(case["exact"])), case


def test_a_lock_alone_is_worth_what_a_focus_is() -> None:
    table = average_table(averages())
    assert table.cells[table.rows.index("hits, lock")] == table.cells[table.rows.index("hits, focus")]


def test_a_page_tells_each_command_with_its_options_and_no_other_games() -> None:
    card = pages.page(
        GAMES["xwing"].rules,
        [ATTACK, *SHIP, RegisteredCommand(("albion", "attack"), Text("Rolls three"))],
        notes=GAMES["xwing"].help.notes,
    )
    assert card.facts[:3] == (
        ("/xwing attack", "Rolls\nOptions: dice, [agility]"),
        ("/xwing ship add", "adds"),
        ("/xwing ship remove", "removes"),
    )
    assert card.facts[3][0] == NOTES
    assert "in brackets" in english(card.small)


@pytest.mark.parametrize("key", GAMES)
def test_every_game_tells_how_its_rules_are_read(key: str) -> None:
    game = GAMES[key]
    card = pages.page(game.rules, [], notes=game.help.notes)
    assert english(game.title) in english(card.outcome)
    assert card.figure is None
    told = "\n".join(english(text) for name, text in card.facts if english(name).startswith(english(NOTES)))
    assert len(told.splitlines()) == len(game.help.notes)
    for words in SAID.get(key, ()):
        assert words in told


def test_a_page_with_averages_has_their_table_and_its_first_column_in_words() -> None:
    card = pages.page(GAMES["xwing"].rules, [], average_table(averages()))
    assert card.figure == average_table(averages())
    assert english(card.alt).startswith("Average for one die: hits 0.5, hits, focus 0.75, ")
    assert "rounded to two decimals" in english(card.small)


def test_the_overview_has_the_games_first_and_single_commands_too() -> None:
    about = RegisteredCommand(("about",), Text("What this is"))
    rules = RegisteredCommand(("ruleset", "set"), Text("Sets"), only=("servers only", "admins"))
    assert pages.overview(GAMES, [about, rules, ATTACK, *SHIP]).facts == (
        ("/xwing", "attack · ship add, remove"),
        ("/about", "What this is"),
        ("/ruleset (servers only, admins)", "set"),
    )


def test_what_belongs_to_no_game_has_a_page() -> None:
    table = RegisteredCommand(("table", "history"), Text("What happened"), ("[player]", "[game]"))
    assert pages.shared_help(GAMES, [ATTACK, table]).facts == (
        ("/table history", "What happened\nOptions: [player], [game]"),
        ("Sealed tables", pages.SEALED),
    )
    assert "looking ahead at the key" in english(pages.SEALED)


def test_long_lists_go_on_in_another_block_and_lose_nothing() -> None:
    lines = [f"line {number} " + "x" * 90 for number in range(30)]
    shown = pages.blocks(Text("Commands"), lines)
    assert [name for name, _ in shown][:2] == ["Commands", "Commands, continued"]
    assert all(len(english(text)) <= 1024 for _, text in shown)
    assert "\n".join(english(text) for _, text in shown).splitlines() == lines
    assert pages.blocks(Text("Commands"), []) == []
