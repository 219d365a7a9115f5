"""Nobody learns what fell in a secret roll: whatever else people make the bot say is the same whichever dice fell.

The whole bot is played in two simulated Discords that differ in the dice of one secret roll and in nothing else.
"""

import asyncio
import re
import shutil
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import discord
import pytest
import simcord

from bot.client import LiveMessageState
from bot.html.documents import table_page
from bot.runtime.app import App
from bot.sessions.request import Place
from bot.settings import Settings
from bot.ui.live import live_page
from bot.ui.live.live_messages import LiveMessage
from bot.ui.live.replay import AnnotatedMatch, json_of, page_of
from bot.ui.notify import log_channel
from tests.cogs.rulesets import choose
from tests.conftest import Club, Dice, club_in, simulated
from tests.wire.forks import import_ahead

NOW: Final = 1_800_000_000.0
ROLLS: Final[Mapping[str, tuple[str, dict[str, Any], tuple[tuple[int, ...], ...]]]] = {
    "secret": ("roll", {"dice": "3d6!", "secret": True}, ((0, 0, 0), (5, 5, 5, 1, 5, 2, 0))),
    "blind": ("roll", {"dice": "3d6!", "blind": True}, ((0, 0, 0), (5, 5, 5, 1, 5, 2, 0))),
    "hit": ("infinity versus", {"sv": 12, "vs_sv": 11, "secret": True, "opponent": True}, ((4, 8), (18, 18))),
    "tie": (
        "contest",
        {"dice": "1d20", "their_dice": "1d20", "ties": "again", "blind": True, "opponent": True},
        ((4, 4), (18, 1)),
    ),
}
"""A command, its options, and the dice of the two worlds; ``opponent`` stands for Bo."""

ASKED: Final[Mapping[str, dict[str, Any]]] = {
    "table show": {},
    "table history": {},
    "table luck": {},
    "table recap": {},
    "table secrets": {},
    "luck": {},
    "fairness": {},
    "privacy export": {},
    "xwing ship list": {},
    "initiative show": {},
    "saved list": {},
    "table undo": {},
    "table clear": {},
}
"""What Bo asks, and of a blind roll Ana too, who made it."""
LATER: Final = (
    "the history of Ana",
    "suggestions",
    "made-up presses",
    "after a restart",
    "operations",
    "requests",
    "the log channel",
    "the live page",
    "the live page, opened now",
    "the replay",
)
THINGS: Final = ("the channel", "the line", *ASKED, *LATER)


@asynccontextmanager
async def world(folder: Path, migrated: Path, patch: pytest.MonkeyPatch) -> AsyncIterator[Club]:
    """A club of its own, at a moment that stands still."""
    import_ahead()  # two worlds are compared, and a worker of the first one would keep it waiting for longer
    patch.setattr("tests.conftest.LOOK_AGAIN", 0.05)  # longer than an edit waits, so that both gather the same edits
    file = Path(shutil.copy(migrated, folder / "rolls.db"))
    settings = Settings.model_construct(database_url=f"sqlite+aiosqlite:///{file}", person_limit=0, welcome=False)
    dice = Dice()
    patch.setattr(time, "time", lambda: NOW)
    refresh = LiveMessage.refresh

    async def refresh_after_the_answer(self: LiveMessage, client: App, shown: LiveMessageState) -> None:
        """However long an answer takes to be painted: the board is edited when its card is there."""
        while client.answering:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.01)
        await refresh(self, client, shown)

    patch.setattr(LiveMessage, "refresh", refresh_after_the_answer)
    async with simulated(App(settings, rng=dice, faces=()), patch) as env:
        yield club_in(env, file, settings, dice)


async def seen(club: Club, by: simcord.MemberActor) -> str:
    """All messages in the channel as one person sees them, their own whispers among them."""
    await club.env.settle()
    return "\n".join([await told(message) for message in club.channel.history(viewer=by)])


async def told(message: discord.Message) -> str:
    files = [
        (attachment.filename, attachment.description, await attachment.read()) for attachment in message.attachments
    ]
    parts = [message.content, [embed.to_dict() for embed in message.embeds], files]
    return repr([message.id, message.flags.value, *parts, [row.to_dict() for row in message.components]])


async def learned(club: Club, kind: str, dice: tuple[int, ...]) -> dict[str, str]:
    """What everybody else learns of a secret roll, by what they did."""
    gm = club.guild.add_member(
        club.env.create_user("gil", global_name="Gil"),
        roles=[club.guild.create_role("GM", permissions=discord.Permissions(manage_channels=True))],
    )
    command, options, _ = ROLLS[kind]
    is_blind = bool(options.get("blind"))
    watching = (club.bo, club.ana) if is_blind else (club.bo, gm)
    club.dice.will_show(3)
    results = club.guild.create_text_channel("results")
    await choose(club, gm, "log_channel", f"<#{results.id}>")
    await club.bo.slash(club.channel, "warsurge attack", power=3, defence=6)
    await copied(club)
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, agility=2, hull=4)
    await club.bo.slash(club.channel, "table show")
    sent = len(club.env.http_requests)
    page = await opened(club)
    given = {name: club.bo if name == "opponent" else value for name, value in options.items()}
    club.dice.will_show(*dice)
    await club.ana.slash(club.channel, command, **given)
    await copied(club)
    result = {"the channel": "\n".join([await seen(club, one) for one in watching])}
    (line,) = [one for one in club.channel.history(viewer=club.cleo) if "only" in one.content]
    refused = [await one.click(line, label="Look") for one in watching]
    result["the line"] = repr([one.response and one.response.content for one in refused])
    assert not club.dice.waiting
    for asked, more in ASKED.items():
        for item in watching:
            await item.slash(club.channel, asked, **more)
        result[asked] = "\n".join([await seen(club, one) for one in watching])
    await club.bo.slash(club.channel, "table history", player=club.ana)
    result["the history of Ana"] = await seen(club, club.bo)
    app: Any = club.env.bot
    shown = [await one.autocomplete(club.channel, "table seat", "roll", "") for one in (gm, *watching)]
    result["suggestions"] = repr(shown)
    for offer in ("again", "how", "undo", "advice-damage", "secret-how", "secret-reveal", "roll-saves", "break-tie"):
        for item in watching:
            await club.press(item, f"rc1:{number_of(line)}:0:{offer}", on=line)
    result["made-up presses"] = "\n".join([await seen(club, one) for one in watching])
    while await app.fairness.step(int(NOW) + 3600):
        pass
    result["operations"] = repr((await app.count_store(int(NOW)), vars(await app.fairness.read())))
    # What goes to one person alone may differ, in its length too; that it is sent may not.
    result["requests"] = repr(sorted((request.method, request.path) for request in club.env.http_requests[sent:]))
    await club.restart()
    for item in watching:
        await item.slash(club.channel, "table history")
        await item.slash(club.channel, "table secrets")
    club.dice.will_show(2)
    await club.ana.slash(club.channel, "warsurge attack", power=3, defence=6)
    await copied(club)
    result["the live page"] = re.sub(r"(?m)^id: [0-9a-f]+-", "id: ", page.text)  # frames begin with a mark of their own
    result["the live page, opened now"] = (await opened(club)).text
    app = club.env.bot
    match = AnnotatedMatch(await app.matches.replay(Place(club.channel.id, club.guild.id), 1), {})
    result["the replay"] = repr((page_of(match), json_of(match)))
    copies = results.history()
    assert len(copies) == 2, "those of the open rolls"
    result["the log channel"] = "\n".join([await told(copy) for copy in copies])
    result["after a restart"] = "\n".join([await seen(club, one) for one in watching])
    return result


class Reading:
    """Somebody who has the live page of the channel open; ``text`` is every byte that they get."""

    def __init__(self) -> None:
        self.text = ""

    def send(self, chunk: bytes) -> None:
        self.text += chunk.decode()

    def end(self) -> None:
        self.text += "the end"


async def opened(club: Club) -> Reading:
    app, reading = club.env.bot, Reading()
    assert isinstance(app, App)
    watched = app.watching.begin(Place(club.channel.id, club.guild.id))
    await live_page.show(app, watched)
    reading.send(table_page(watched.parts, "").encode())
    app.watching.join(watched, reading)
    return reading


async def copied(club: Club) -> None:
    """The log channel has all that it gets."""
    app: Any = club.env.bot
    await log_channel.finish(app)


def number_of(line: discord.Message) -> str:
    """The number of a secret roll, from the button on its line."""
    (button,) = [item for row in line.components for item in getattr(row, "children", ())]
    return str(button.custom_id.split(":")[1])


LEARNED: Final[dict[str, list[dict[str, str]]]] = {}
"""What was learned in the two worlds of each kind of roll; they are played once."""


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("kind", ROLLS)
async def test_nobody_learns_what_fell(tmp_path: Path, migrated: Path, kind: str, thing: str) -> None:
    if kind not in LEARNED:
        worlds = []
        (tmp_path / "first").mkdir()
        with pytest.MonkeyPatch.context() as patch:  # the first bot of a process does what the later ones find done
            async with world(tmp_path / "first", migrated, patch):
                pass
        for number, dice in enumerate(ROLLS[kind][2]):
            folder = tmp_path / str(number)
            folder.mkdir()
            with pytest.MonkeyPatch.context() as patch:
                async with world(folder, migrated, patch) as club:
                    worlds.append(await learned(club, kind, dice))
        LEARNED[kind] = worlds
    item, other = LEARNED[kind]
    assert item.keys() == other.keys() == set(THINGS)
    assert item[thing] == other[thing]
