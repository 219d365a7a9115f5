"""Every other door to a secret: old forms, copied buttons, suggestions, saved rolls, exports, taking back.

Two simulated evenings differ in what Ana keeps secret alone: her dice, facedown cards, and dials. Bo plays against her,
Gil is a GM, Cleo looks on. They send forms that they opened before Ana did anything; press every button that Ana ever
saw, at several plies; ask every option of every command for suggestions; save and call rolls; and take back what they
can. What they are told is the same.
"""

import json
import re
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import discord
import pytest
import simcord
from discord import app_commands

from tests.cogs.test_plan_leaks import plan_of, without_times
from tests.cogs.test_plans import plan
from tests.cogs.test_secret_leaks import seen, world
from tests.cogs.test_xwing_board import ANA, BO
from tests.conftest import Club
from tests.crawler import components, filled, rows_of

GUESSES: Final = ("", "Luke")
OFFERS: Final = ("secret-reveal", "secret-how", "again", "how", "reveal", "look", "camera")
"""Offers that are made up at the plies of a roll."""
TYPED: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("saved add", {"name": "Again", "roll": "/xwing attack attacker:Luke Skywalker defender:Howlrunner"}),
    *(("saved roll", {"name": name}) for name in ("Again", "Mine")),
    *((line, {}) for line in ("saved list", "privacy export", "table history", "table recap", "table luck")),
    ("table undo", {}),
)


async def dice(club: Club, run: int) -> None:
    club.dice.will_show(*[(0, 0, 0), (5, 5, 5, 1, 5, 2, 0)][run])
    await club.ana.slash(club.channel, "roll", dice="3d6!", secret=True)


async def cards(club: Club, run: int) -> None:
    await club.bo.slash(club.channel, "xwing ship add", name="Vader", player=club.ana, attack=2, hull=8, agility=0)
    club.dice.damage.extend([(7, 9), (3, 20)][run])
    await club.ana.slash(club.channel, "xwing damage", ship="Vader", hits=2)
    await club.ana.slash(club.channel, "xwing card look", ship="Vader")


async def dials(club: Club, run: int) -> None:
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    await plan(club, club.ana, plan_of(run))


def custom_ids(messages: Iterable[discord.Message]) -> list[str]:
    """What the buttons and lists of some messages say of themselves."""
    return list(dict.fromkeys(part["custom_id"] for item in messages for part in components(rows_of(item))))


def at_other_plies(custom_id: str) -> Iterator[str]:
    """The same button, and one of a roll also at other plies and with other offers."""
    yield custom_id
    if (match := re.fullmatch(r"rc1:(\d+):(\d+):(.+)", custom_id)) is not None:
        session, ply, offer = match.groups()
        yield from (f"rc1:{session}:{at}:{what}" for at in {0, int(ply)} for what in (offer, *OFFERS))


class Doors:
    """What three people try who are not Ana. ``heard``: what they were answered, by the door."""

    def __init__(self, club: Club) -> None:
        self.club = club
        role = club.guild.create_role("GM", permissions=discord.Permissions(manage_channels=True))
        self.gm = club.guild.add_member(club.env.create_user("gil", global_name="Gil"), roles=[role])
        self.people = (club.bo, self.gm, club.cleo)
        self.heard: dict[str, str] = {}
        self._now: list[str] = []

    async def hear(self, done: Awaitable[simcord.InteractionResult]) -> None:
        answer = await done
        shown = [item for item in (answer.response, *answer.followups) if item is not None]
        self._now.append(repr([(item.content, [embed.to_dict() for embed in item.embeds]) for item in shown]))
        self._now.append(repr(answer.modal))

    async def note(self, door: str) -> None:
        """Keep what was answered so far, and all that they see now."""
        now = [*self._now, *[await seen(self.club, one) for one in self.people]]
        self.heard[door] = without_times("\n".join(now))
        self._now.clear()

    async def forms(self) -> list[tuple[simcord.MemberActor, simcord.InteractionResult]]:
        """All forms that they can open now."""
        result = []
        for one in self.people:
            for message in self.club.channel.history(viewer=one):
                for custom_id in custom_ids([message]):
                    opened = await self.club.press(one, custom_id, on=message)
                    if opened.modal is not None:
                        result.append((one, opened))
        return result

    async def press(self, pressed: Iterable[str]) -> None:
        """Press copied buttons. A neutral GM may reveal for somebody, in front of everyone: that is no leak."""
        public = next(iter(self.club.channel.history(viewer=self.club.cleo)))
        for custom_id in pressed:
            for one in self.people:
                if one is not self.gm or "reveal" not in custom_id:
                    await self.hear(self.club.press(one, custom_id, on=public))

    async def suggestions(self) -> None:
        tree: Any = self.club.env.bot.tree  # type: ignore[attr-defined]  # it is our App
        every = [item for item in tree.walk_commands() if isinstance(item, app_commands.Command)]
        for command in every:
            for option in (item.display_name for item in command.parameters if item.autocomplete):
                for typed in GUESSES:
                    for one in (self.club.bo, self.gm):
                        with suppress(simcord.SetupError):  # it is not theirs to type
                            asked = one.autocomplete(self.club.channel, command.qualified_name, option, typed)
                            self._now.append(repr(await asked))


async def learned(club: Club, run: int) -> dict[str, str]:
    doors = Doors(club)
    club.dice.will_show(*[2] * 500)
    await club.bo.slash(club.channel, "warsurge attack", power=3, defence=6)
    await club.bo.slash(club.channel, "saved add", name="Mine", roll="3d6!")
    await club.bo.slash(club.channel, "infinity profile set", name="Hector", stats="BS 12, W 1")
    await club.bo.slash(club.channel, "table show")
    forms = await doors.forms()
    assert forms
    club.dice.waiting.clear()
    for keep_secret in (dials, cards, dice):
        await keep_secret(club, run)
    assert not club.dice.waiting
    assert not club.dice.damage
    club.dice.will_show(*[1] * 2000)
    for one, opened in forms:
        assert opened.modal is not None
        await doors.hear(one.submit_modal(opened, filled(opened.modal, club.ana)))
    await doors.note("forms from before")
    hers = dict.fromkeys(
        made for item in custom_ids(club.channel.history(viewer=club.ana)) for made in at_other_plies(item)
    )
    await doors.press(item for item in hers if "undo" not in item)
    await doors.note("copied buttons")
    await doors.suggestions()
    await doors.note("suggestions")
    for one in doors.people:
        for line, given in TYPED:
            await doors.hear(one.slash(club.channel, line, **given))
    await doors.note("saved rolls, exports, taking back")
    await doors.press(item for item in custom_ids(club.channel.history(viewer=club.bo)) if "undo" in item)
    await doors.note("requests of their own, answered by themselves")
    return doors.heard


@pytest.mark.slow
async def test_no_other_door_tells_a_secret(tmp_path: Path, migrated: Path) -> None:
    runs = []
    for folder in ("first", "0", "1"):  # the first Discord of a process registers the commands, and its ids begin later
        (tmp_path / folder).mkdir()
        with pytest.MonkeyPatch.context() as patch:
            async with world(tmp_path / folder, migrated, patch) as club:
                if folder != "first":
                    runs.append(await learned(club, int(folder)))
    assert [door for door in runs[0] if runs[0][door] != runs[1][door]] == []
