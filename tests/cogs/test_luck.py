"""`/table luck` and `/luck` in a whole Discord."""

import pytest
import simcord

from tests.conftest import Club, said

NONE = "No finished roll counts yet. Rolls with dice that somebody typed in never count."


async def attack(club: Club, pips: int, by: simcord.MemberActor) -> None:
    club.dice.will_show(pips - 1)
    await by.slash(club.channel, "warsurge attack", power=3, defence=6)


async def test_whoever_played_may_ask_for_the_luck_of_the_match(club: Club) -> None:
    await attack(club, 6, club.ana)
    await attack(club, 1, club.ana)
    await club.ana.slash(club.channel, "table luck")
    assert club.embed.author.name == "The luck of this match"
    assert club.outcome.startswith("Ana: 1 HP, 0.")
    assert "expected;" in club.outcome
    assert club.outcome.endswith("% of such matches do better.")
    assert "(2 rolls)" in (club.embed.fields[0].value or "")
    refused = await club.bo.slash(club.channel, "table luck")
    assert "Only somebody who played in this match" in said(refused)


async def test_before_the_first_roll_there_is_nothing_to_say(club: Club) -> None:
    await club.ana.slash(club.channel, "table luck")
    assert club.outcome == NONE


@pytest.mark.parametrize("rolls", [0, 2])
async def test_ones_own_luck_is_private(club: Club, rolls: int) -> None:
    for _ in range(rolls):
        await attack(club, 6, club.ana)
    result = await club.ana.slash(club.channel, "luck")
    answers = [one for one in (result.response, *result.followups) if one is not None]
    assert [one.ephemeral for one in answers] == [True]
    title = answers[0].embeds[0].title or ""
    assert title.startswith("WARSURGE: 2 HP") if rolls else title == NONE
