"""The bot about itself."""

import pytest

from bot.package_info import PackageInfo
from bot.render.about import card, format_duration
from bot.rules.text import Text, english


def test_it_says_version_dice_games_and_where_to_read_on() -> None:
    shown = card(
        PackageInfo("1.2.3", "MIT", "https://example.org/code"),
        ["X-Wing", "Albion"],
        {"help": "What you can type"},
        7200,
        12,
    )
    assert shown.title == "Rollcall 1.2.3"
    assert all(title in english(shown.outcome) for title in ("X-Wing", "Albion"))
    facts = dict(shown.facts)
    assert "secrets" in english(facts[Text("Dice")])
    assert facts[Text("/help")] == "What you can type"
    assert facts[Text("Code")] == "MIT license · https://example.org/code"
    assert shown.small == "Running for 2 hours · in 12 servers"


def test_an_address_that_is_not_named_is_not_made_up() -> None:
    assert dict(card(PackageInfo("1", "MIT", ""), [], {}, 0, 1).facts)[Text("Code")] == "MIT license"
    assert "Code" not in dict(card(PackageInfo("1", "", ""), [], {}, 0, 1).facts)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "less than a minute"),
        (59.9, "less than a minute"),
        (60, "1 minute"),
        (3600, "1 hour"),
        (3720, "1 hour and 2 minutes"),
        (86400 + 120, "1 day"),
        (2 * 86400 + 3 * 3600 + 59, "2 days and 3 hours"),
    ],
)
def test_a_time_is_told_by_its_two_largest_spans(seconds: float, said: str) -> None:
    assert format_duration(seconds) == said
