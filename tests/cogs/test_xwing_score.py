"""`/xwing score` in a whole Discord: points of ships and on the mat, scenarios, the clock, and the end by points."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
import pytest_asyncio
import simcord

from bot.client import Client
from bot.rules.xwing.table.match import MATCH
from bot.rules.xwing.table.score import Score
from bot.sessions.request import Place
from cogs.xwing import score as cog
from tests.cogs.test_xwing_board import alt, board, more
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

ANA = {"name": "Red", "pilots": [{"id": "lukeskywalker", "points": 12}, {"id": "wedgeantilles", "points": 7}]}
BO = {"name": "Black", "pilots": [{"id": "darthvader", "points": 14}, {"id": "howlrunner", "points": 6}]}


async def score(club: Club, by: simcord.MemberActor | None = None, **options: Any) -> Any:
    return await (by or club.ana).slash(club.channel, "xwing score", **options)


@pytest_asyncio.fixture(loop_scope="module")
async def squads(club: Club) -> Club:
    """Ana has 19 points, Bo has 20; Ana is the first player."""
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    return club


def client_of(club: Club) -> Client:
    client = club.env.bot
    assert isinstance(client, Client)
    return client


async def kept(club: Club) -> Score:
    table = await client_of(club).tables.pieces(Place(club.channel.id, club.guild.id), "xwing")
    held: Score = table[MATCH].score
    return held


def facts(club: Club) -> dict[str, str]:
    return {field.name or "": field.value or "" for field in club.embed.fields}


class Later:
    """What was put off, and for how long; nothing here waits."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, Callable[[], None]]] = []

    def __call__(self, seconds: float, then: Callable[[], None]) -> "Later":
        self.waiting.append((seconds, then))
        return self

    async def ring(self, club: Club, place: int) -> None:
        """What was put off happens now."""
        self.waiting[place][1]()
        await asyncio.gather(
            *(
                pending_mention.sending
                for pending_mention in client_of(club).calls.waiting.values()
                if pending_mention.sending
            )
        )

    def cancel(self) -> None:
        """As a handle of the loop has it."""


@pytest.fixture
def later(club: Club, monkeypatch: pytest.MonkeyPatch) -> Later:
    monkeypatch.setattr(cog, "now", lambda: 1_000_000.0)
    waits = Later()
    client_of(club).calls.later = waits
    return waits


async def test_the_score_says_what_each_side_has_and_of_what(squads: Club) -> None:
    await score(squads)
    assert squads.outcome == "Ana 0 : 1 Bo."
    (picture,) = squads.card.attachments
    assert picture.description == "Ana: 0.\nBo: 1. 1 to start"
    assert squads.embed.author.name == "X-Wing · score · Round 1 of 12"
    assert squads.labels == ["Points", "Scenario", "Start the clock", "End the match", "End conditions"]
    await squads.bo.slash(squads.channel, "xwing damage", ship="Darth Vader", hits=9)
    await score(squads, by=squads.cleo)
    assert squads.outcome == "Ana 14 : 1 Bo."


async def test_points_on_the_mat_are_a_press_with_a_reason_and_undone_like_anything(squads: Club) -> None:
    await score(squads, scenario="assault")
    assert squads.outcome == "You're playing Assault at the Satellite Array. Ana 0 : 1 Bo."
    assert "5 satellites. From round 2 on" in facts(squads)["Assault at the Satellite Array"]
    card = squads.card
    shown = await squads.bo.click(card, label="Points")
    assert shown.modal is not None
    fields = {item["component"]["custom_id"]: item["component"] for item in shown.modal["components"]}
    assert [item["label"] for item in fields["reason"]["options"]] == ["controlled satellite", "another reason"]
    assert [item["label"] for item in fields["player"]["options"] if item.get("default")] == ["Bo"]
    await squads.bo.submit_modal(shown, {"player": "2", "points": "2", "reason": "satellite"})
    assert squads.card.id == card.id
    assert squads.outcome == "Bo scores +2 for controlled satellite. Ana 0 : 3 Bo."
    assert facts(squads)["Newest points"] == "Bo: +2 for controlled satellite in round 1"
    await score(squads, points=-1, player=squads.bo, reason="miscounted")
    assert squads.outcome == "Bo scores -1 for miscounted. Ana 0 : 2 Bo."
    await squads.ana.slash(squads.channel, "table undo")
    await score(squads)
    assert squads.outcome == "Ana 0 : 3 Bo."
    await squads.ana.slash(squads.channel, "table history")
    assert "scores +2 for controlled satellite" in (squads.embed.description or "")
    assert "scores -1 for another player, for miscounted" in (squads.embed.description or "")


async def test_only_players_score_and_one_thing_at_a_time(squads: Club) -> None:
    assert said(await score(squads, by=squads.cleo, points=1)) == "Cleo has no ships here, so nobody scores."
    assert "Only people who play here" in said(await score(squads, by=squads.cleo, scenario="chance"))
    twice = said(await score(squads, points=1, clock="start"))
    assert twice == "`points` and `clock` are separate steps. Use one at a time."
    assert "Use 1 to 20 points" in said(await score(squads, points=0))
    form = {"player": "7", "points": "1", "reason": "other"}
    assert "Press Points again" in said(await squads.submit(squads.ana, "rc1:score:points", form))


async def newest(club: Club) -> Any:
    await score(club)
    return club.card


async def test_the_form_chooses_the_scenario(squads: Club) -> None:
    shown = await squads.ana.click(await newest(squads), label="Scenario")
    await squads.ana.submit_modal(shown, {"scenario": "chance"})
    assert (await kept(squads)).scenario == "chance"
    await score(squads, scenario="none")
    assert squads.outcome == "You're playing no scenario. Ana 0 : 1 Bo."


async def test_the_board_has_the_points_the_clock_and_a_form_for_the_mat(squads: Club, later: Later) -> None:
    await score(squads, scenario="scramble")
    await score(squads, clock="start")
    await squads.ana.slash(squads.channel, "table show")
    await more(squads, squads.ana, "score", whose="mine", points="2", reason="satellite")
    await more(squads, squads.ana, "score", whose="theirs", points="-1", reason="other")
    assert "Ana · first player · 2 points:" in alt(squads)
    assert "Bo · second player · 0 points:" in alt(squads)
    shown = await more(squads, squads.cleo, "show-score")
    assert shown.response is not None
    assert "Scramble the Transmissions" in str([embed.to_dict() for embed in shown.response.embeds])
    assert "The clock ends <t:1004500:R>." in (board(squads).embeds[0].description or "")
    await squads.ana.slash(squads.channel, "table history")
    assert "scores -1 for the other side, for another reason" in (squads.embed.description or "")
    await squads.ana.slash(squads.channel, "prefer", setting="look", value="text")
    await squads.ana.slash(squads.channel, "table show")
    assert "Scramble the Transmissions: Ana 2 : 0 Bo." in squads.outcome, "where there is no picture, in words"


async def test_a_match_ends_by_points_with_a_recap_and_a_rematch(squads: Club) -> None:
    await score(squads, points=20)
    await squads.ana.slash(squads.channel, "xwing endphase")
    await squads.env.settle()
    assert squads.embed.author.name == "X-Wing"
    assert squads.outcome == "Ana wins in round 1, points 20 : 1."
    (picture,) = squads.card.attachments
    assert (picture.description or "").startswith("Ana wins · 20 points")
    assert squads.labels == ["Rematch", "Replay"]
    await squads.bo.click(squads.card, label="Rematch")
    await squads.ana.click(squads.card, label="Accept")
    await squads.env.settle()
    assert await kept(squads) == Score()


async def test_the_clock_speaks_up_twice(squads: Club, later: Later) -> None:
    await score(squads)
    await squads.ana.click(squads.card, label="Start the clock")
    assert facts(squads)["Clock"] == "75 minutes left of 75."
    assert "Stop the clock" in squads.labels
    assert [seconds for seconds, _ in later.waiting] == [70 * 60, 75 * 60]
    await squads.ana.slash(squads.channel, "xwing token give", ship="Luke Skywalker", token="focus")
    assert len(later.waiting) == 2, "it is set once"
    await later.ring(squads, 0)
    assert squads.card.content == "5 minutes left. Ana 0 : 1 Bo"
    await later.ring(squads, 1)
    assert squads.card.content == "Time is up. Finish this round, then end the match. Ana 0 : 1 Bo"
    assert "Only people who play here" in said(await squads.cleo.click(squads.card, label="End the match"))
    await squads.ana.click(squads.card, label="End the match")
    await squads.env.settle()
    assert squads.outcome == "Bo wins in round 1, points 1 : 0."


async def test_whoever_ends_a_match_says_it_with_no_link_of_their_own(club: Club) -> None:
    rogue = club.guild.add_member(club.env.create_user("rogue", global_name="[prize](https://e.example)"))
    for by, name in ((rogue, "Luke"), (club.bo, "Vader")):
        await by.slash(club.channel, "xwing ship add", numbers="3/2/4/2 i5", name=name)
    await score(club, by=rogue, points=3)
    await rogue.click(club.card, label="End the match")
    told = next(item.content for item in club.channel.history() if "ends the match" in item.content)
    assert "[prize](" not in told.replace("\\[", "")


async def test_a_clock_that_was_stopped_or_taken_back_says_nothing(squads: Club, later: Later) -> None:
    await score(squads, clock="start")
    assert "The clock is already running" in said(await score(squads, clock="start"))
    await score(squads, clock="stop")
    assert squads.outcome == "The clock is stopped. Ana 0 : 1 Bo."
    before = squads.card.id
    for place in range(len(later.waiting)):
        await later.ring(squads, place)
    assert squads.card.id == before
    assert "No clock is running here" in said(await score(squads, clock="stop"))


async def test_after_a_restart_the_next_step_sets_the_clock_again(
    squads: Club, later: Later, monkeypatch: pytest.MonkeyPatch
) -> None:
    await score(squads, clock="start")
    await squads.restart()
    waits = Later()
    client_of(squads).calls.later = waits
    monkeypatch.setattr(cog, "now", lambda: 1_000_000.0 + 72 * 60)
    await squads.ana.slash(squads.channel, "xwing token give", ship="Luke Skywalker", token="focus")
    assert [seconds for seconds, _ in waits.waiting] == [3 * 60], "that five are left was said before"
    await score(squads)
    assert facts(squads)["Clock"] == "3 minutes left of 75."
    monkeypatch.setattr(cog, "now", lambda: 1_000_000.0 + 76 * 60)
    await score(squads)
    assert facts(squads)["Clock"].startswith("Time is up")


async def test_where_nothing_scores_that_is_said(club: Club) -> None:
    await score(club)
    assert club.outcome == "No points yet."
    assert club.card.attachments == []
    assert "Add your squads first" in said(await club.ana.click(club.card, label="Points"))


async def test_players_of_fifty_points_say_what_ends_their_match(club: Club) -> None:
    """One press and one form; a number that is none keeps what was typed."""
    for player, pilot in ((club.ana, "lukeskywalker"), (club.bo, "academypilot")):
        squad = {"ruleset": "XWA", "version": "50P-2.0", "pilots": [{"id": pilot, "points": 50}]}
        await player.slash(club.channel, "xwing squad", text=json.dumps(squad))
    await club.ana.slash(club.channel, "xwing score")
    shown = club.embed.fields[-1].value or ""
    assert "I don't know the point limit for squads of 50 points" in shown
    form = await club.ana.click(club.card, label="End conditions")
    refused = await club.ana.submit_modal(form, {"size": "50", "points": "many", "rounds": "12"})
    assert "many" in said(refused)
    form = await club.ana.click(club.card, label="End conditions")
    await club.ana.submit_modal(form, {"size": "50", "points": "35", "rounds": "12"})
    assert club.embed.fields[-1].value == "The match ends at 35 points or after round 12."
