"""The odds commands, as people type them."""

from typing import Any

import pytest

from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot


async def ask(club: Club, command: str, **options: Any) -> None:
    result = await club.ana.slash(club.channel, command, **options)
    assert not result.ephemeral


@pytest.mark.parametrize(
    ("command", "options", "outcome"),
    [
        ("xwing odds", {"dice": 3, "with": "focus", "agility": 3, "against": "focus"}, "Average damage: 0.64."),
        (
            "infinity odds",
            {"sv": 15, "burst": 5, "vs_sv": 13, "vs_burst": 2, "name": "Angus", "vs_name": "Ortega"},
            "Chance to win: Angus 78%, Ortega 16%, nobody 6%.",
        ),
        ("warsurge odds", {"power": 7, "defence": 2, "dice": 3, "method": "chart"}, "Average HP loss: 2.5."),
        (
            "albion odds",
            {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3},
            "Chance to hit: 66%. Chance of a focus point: 8%.",
        ),
    ],
)
async def test_odds_are_a_sentence_and_a_chart(club: Club, command: str, options: dict[str, Any], outcome: str) -> None:
    await ask(club, command, **options)
    assert club.outcome == outcome
    (picture,) = club.card.attachments
    assert picture.description, "it says in words what the chart shows"
    assert club.labels == (["How?"] if command == "xwing odds" else [])


async def test_how_the_odds_are_counted_is_behind_how(club: Club) -> None:
    await ask(club, "xwing odds", dice=3)
    told = said(await club.bo.click(club.card, label="How?"))
    assert told.startswith(
        "The attacker plays for the highest average of hits and crits, never rerolls one, and spends "
        "nothing without a gain"
    )
    assert "each crit counts as one damage card" in told


async def test_the_kill_is_told_where_the_hull_is_known(club: Club) -> None:
    await ask(club, "xwing odds", dice=3, hull=2, shields=1)
    assert "destroyed: 13%" in (club.embed.fields[0].value or "")


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("xwing odds", {"dice": 3, "with": "focsu"}, "Did you mean `focus`?"),
        ("xwing odds", {"dice": 3, "or": "lokc"}, "Did you mean `lock`?"),
        ("xwing odds", {"dice": 3, "range": 0, "ordnance": True}, "`range` was `0`"),
        ("infinity odds", {"sv": 12, "mods": "often"}, "`often`"),
    ],
)
async def test_what_cannot_be_counted_is_refused_in_words(
    club: Club, command: str, options: dict[str, Any], words: str
) -> None:
    assert words in said(await club.ana.slash(club.channel, command, **options))


async def test_odds_of_an_order_are_about_its_targets(club: Club) -> None:
    """Who shoots asks what becomes of the target; of two targets each is named."""
    order = "Angus 10 N PS 10 ARM 0 W 1 vs Ana 10 N PS 10 ARM 0 W 2"
    await club.ana.slash(club.channel, "infinity odds", order=order)
    assert club.outcome.startswith("Chance that Ana takes damage: ")
    assert (club.embed.fields[0].value or "").startswith("Ana loses a Wound: ")
    other = "Angus 10 normal N PS 10 vs Bo ARM 0 W 2"
    await club.ana.slash(club.channel, "infinity odds", order=order, or_order=other)
    assert club.outcome.startswith("Chance to take damage: Ana ")
    assert f"Bo 26% ({other})" in club.outcome
