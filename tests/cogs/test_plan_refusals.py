"""Bad input about plans: each is one sentence to who tried it; nothing is lost, nothing is shown, nothing changes.

What is no refusal stands in ``test_plans``: a ship that was forgotten, two devices, a private message that was
dismissed, a player who leaves and a GM who reveals.
"""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import discord
import pytest
import pytest_asyncio

from bot.fair.verify import verify
from bot.rules.errors import PlayerError
from bot.rules.xwing.table.match import ships_of
from bot.runtime.app import App
from bot.sessions.pieces import NotYourPieceError
from bot.sessions.request import Person, Place, Request
from bot.ui.core.board_controls import name_mark
from bot.ui.live import live_messages
from bot.ui.live.replay import AnnotatedMatch, json_of
from tests.cogs.test_plans import ACADEMY, ANAS, BOS, ESCORT, HOWL, LUKE, fill, newest, plan
from tests.cogs.test_xwing_board import BO, board, items
from tests.conftest import Club, said
from tests.fair.checkers import plans_by_the_script
from tests.wire.process import PATIENCE

pytestmark = pytest.mark.one_bot

GHOST, PHANTOM = "Hera Syndulla", "Ezra Bridger"
ANA = {
    "faction": "rebelalliance",
    "pilots": [
        *({"id": item} for item in ("lukeskywalker", "bluesquadronescort", "herasyndulla-vcx100lightfreighter")),
        {"id": "ezrabridger"},
    ],
}
DIALS = {**ANAS, GHOST: "2FB"}


@dataclass(frozen=True)
class Table:
    """Ana has Luke, an escort and the Ghost with the Phantom docked on it; Bo has Howlrunner and an Academy Pilot."""

    club: Club

    @property
    def app(self) -> App:
        app = self.club.env.bot
        assert isinstance(app, App)
        return app

    def asks(self, by: Any, *, is_gm: bool = False) -> Request:
        here = Place(self.club.channel.id, self.club.guild.id)
        return Request(Person(by.id, by.user.name), here, is_gm=is_gm)

    async def changes(self, name: str, **changed: Any) -> None:
        """A ship changes by a step of its owner."""
        ana = self.asks(self.club.ana, is_gm=True)
        await self.app.tables.step(ana, "xwing", "changes", lambda now: {name: replace(now[name], **changed)})

    def stored(self) -> list[list[tuple[Any, ...]]]:
        kept = sqlite3.connect(self.club.file)
        tables = ("plan", "piece", "ply")
        result = [kept.execute(f"SELECT * FROM {table}").fetchall() for table in tables]  # noqa: S608 - our own words
        kept.close()
        return result

    async def public(self) -> str:
        await self.club.env.settle()
        while edited := live_messages.edits(self.app):
            await asyncio.wait(edited)
        await self.club.env.settle()
        every = [item for item in self.club.channel.history() if not item.flags.ephemeral]
        return json.dumps([[shown.to_dict() for shown in item.embeds] for item in every])


@pytest_asyncio.fixture(loop_scope="module")
async def table(club: Club) -> Table:
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    result = Table(club)
    await result.changes(PHANTOM, docked=GHOST)
    return result


@pytest.mark.parametrize(
    ("ship", "code", "changed", "sentence"),
    [
        (HOWL, "2FB", {}, "Howlrunner isn't yours, so you can't set its dial. Plan for your own ships."),
        (LUKE, "2FB", {"wrecked": True}, "Luke Skywalker is destroyed and needs no dial. Plan for your other ships."),
        (PHANTOM, "2FB", {}, "Ezra Bridger is docked and doesn't set a dial. Plan for your other ships."),
        (LUKE, "5KP", {}, "That maneuver isn't on Luke Skywalker's dial. Pick one from its list"),
        ("Nobody", "2FB", {}, "`Nobody`"),
    ],
    ids=["somebody else's", "destroyed", "docked", "not on the dial", "not there"],
)
async def test_what_cannot_be_planned(
    table: Table, ship: str, code: str, changed: Mapping[str, Any], sentence: str
) -> None:
    ana = table.asks(table.club.ana)
    await table.app.plans.choose(ana, "xwing", {ESCORT: "1FB"})
    if changed:
        await table.changes(ship, **changed)
    before, shown = table.stored(), await table.public()
    with pytest.raises(PlayerError) as refused:
        await table.app.plans.choose(ana, "xwing", {ESCORT: "4KR", ship: code})
    assert sentence in str(refused.value)
    assert (table.stored(), await table.public()) == (before, shown), "not even the choice beside it is kept"


async def test_a_form_with_what_is_not_on_the_dial_is_refused_to_who_sent_it(table: Table) -> None:
    opened = await table.club.ana.click(board(table.club), label="Plan")
    before = table.stored()
    filled = fill(opened.modal, {name_mark(LUKE): "2FB"}) | {name_mark(ESCORT): ["5KP"]}
    with pytest.raises(Exception, match="5KP"):  # Discord's own app cannot send it
        await table.club.ana.submit_modal(opened, filled)
    assert table.stored() == before


async def planned(table: Table) -> None:
    await plan(table.club, table.club.ana, DIALS)
    await plan(table.club, table.club.bo, BOS)


async def shown(club: Club, label: str) -> discord.Message:
    """The board once it shows a button: it is edited a moment after what it follows."""
    async with asyncio.timeout(PATIENCE):
        while label not in [getattr(item, "label", "") for item in items(newest(club))]:
            await club.env.settle()
            await asyncio.sleep(0.01)
    return newest(club)


@pytest.mark.parametrize("is_revealed", [False, True])
async def test_a_change_after_all_are_ready_or_after_the_reveal(table: Table, is_revealed: bool) -> None:
    late = await table.club.ana.click(board(table.club), label="Plan")
    await planned(table)
    if is_revealed:
        for by, ship in ((table.club.bo, ACADEMY), (table.club.ana, ESCORT)):
            await by.click(await shown(table.club, f"Reveal {ship}"), label=f"Reveal {ship}")
    before = table.stored()
    refused = await table.club.ana.submit_modal(late, fill(late.modal, {name_mark(ESCORT): "2FB", "ready": "now"}))
    assert said(refused).startswith("The dials for round 1 are locked in")
    assert table.stored() == before


def of_docked(table: Table) -> Request:
    return table.asks(table.club.ana)


def of_stranger(table: Table) -> Request:
    return table.asks(table.club.bo)


@pytest.mark.parametrize(
    ("ship", "asks", "changed", "why"),
    [
        (PHANTOM, of_docked, {}, "Ezra Bridger is docked, so its dial stays hidden."),
        (LUKE, of_docked, {"wrecked": True}, "Luke Skywalker is destroyed, so its dial stays hidden."),
        (LUKE, of_docked, {}, "Luke Skywalker has initiative 5, but Academy Pilot must reveal first"),
        (ESCORT, of_stranger, {}, "belongs to Ana"),
    ],
    ids=["docked", "destroyed", "not its turn", "somebody else's"],
)
async def test_what_cannot_be_revealed(
    table: Table, ship: str, asks: Callable[[Table], Request], changed: Mapping[str, Any], why: str
) -> None:
    await planned(table)
    if changed:
        await table.changes(ship, **changed)
    before, shown = table.stored(), await table.public()
    with pytest.raises(PlayerError) as refused:
        await table.app.plans.open(asks(table), "xwing", ship)
    assert why in str(refused.value)
    assert (table.stored(), await table.public()) == (before, shown)


async def test_a_ship_that_changed_hands_is_revealed_by_its_new_owner(table: Table) -> None:
    await planned(table)
    ships = ships_of(await table.app.tables.pieces(of_docked(table).place, "xwing"))
    await table.changes(ESCORT, owner=ships[HOWL].owner)
    await table.club.bo.click(await shown(table.club, f"Reveal {ACADEMY}"), label=f"Reveal {ACADEMY}")
    with pytest.raises(NotYourPieceError):
        await table.app.plans.open(table.asks(table.club.ana), "xwing", ESCORT)
    await table.app.plans.open(table.asks(table.club.bo), "xwing", ESCORT)
    flight = ships_of(await table.app.tables.pieces(of_docked(table).place, "xwing"))[ESCORT].flight
    assert flight is not None
    assert flight.maneuver == ANAS[ESCORT]


# A store that was tampered with


async def file_of_match(table: Table) -> dict[str, Any]:
    """The file of the match, once it is over and both have opened what they had planned, as far as that can be."""
    club = table.club
    await club.ana.slash(club.channel, "xwing score", player=club.ana, points=20)
    await club.ana.slash(club.channel, "xwing endphase")
    here = table.asks(club.ana).place
    for who in (club.ana, club.bo):
        with suppress(PlayerError):
            await table.app.plans.open_match(table.asks(who), await table.app.matches.replay(here, 1))
    match: dict[str, Any] = json.loads(json_of(AnnotatedMatch(await table.app.matches.replay(here, 1), {})))
    return match


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("", ""),
        ("UPDATE plan SET body = replace(body, '2FB', '3FB') WHERE root IS NOT NULL", None),
        (
            "UPDATE opening SET opened = replace(opened, '3FB', '2FB')",
            "not the one that was committed to",
        ),
        (
            "UPDATE ply SET changes = replace(changes, '3FB', '2FB') WHERE offer = 'reveal'",
            "was shown as something else",
        ),
        ("DELETE FROM plan WHERE body LIKE '%Luke%' AND root IS NOT NULL", None),
    ],
    ids=["as it was", "a plan that nobody saw", "an opening", "a plan that was shown", "a plan that is gone"],
)
async def test_the_file_of_the_match_shows_that_the_store_was_tampered_with(
    table: Table, change: str, named: str | None
) -> None:
    await planned(table)
    await table.club.bo.click(await shown(table.club, f"Reveal {ACADEMY}"), label=f"Reveal {ACADEMY}")
    if change:
        kept = sqlite3.connect(table.club.file)
        assert kept.execute(change).rowcount
        kept.commit()
        kept.close()
    match = await file_of_match(table)
    verdict = verify(json.dumps(match).encode())
    assert verdict.sentence == plans_by_the_script(match), "two checkers say the same"
    if named is None:  # nothing of it can be shown: its digits stay, and every place of it is counted as closed
        assert verdict.sentence == "Every plan fits. Commitments: 2. Plans open: 2. Plans still closed: 3."
    else:
        assert (verdict.fits, named in verdict.sentence) == (not change, True)


async def test_a_commitment_that_was_exchanged_with_its_plans_is_not_the_one_that_people_saw(table: Table) -> None:
    """Whoever rewrites the plan, its commitment and every row of it cannot rewrite the message in the channel."""
    await planned(table)
    public = await table.public()
    match = await file_of_match(table)
    assert all(f"sealed, {item['root'][:4]}" in public for item in match["plans"])
