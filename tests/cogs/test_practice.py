"""**Try it**: a newcomer who only reads what is on screen plays a first roll against the bot, and nothing is kept."""

import re
import time
from collections.abc import Iterator
from typing import Any

import discord
import pytest
import simcord
from sqlalchemy import func, select

from bot.runtime.app import App
from bot.sessions.sessions import PRACTICE_LASTS
from bot.store.schema import ply, session
from tests.conftest import Club, whispered

BLUE = discord.ButtonStyle.primary
LEADS_BACK = re.compile(r"That's harder|gives .+\*\* gives ")
POINTS = re.compile(r"Step (\d) of 3")


def buttons(message: discord.Message) -> Iterator[Any]:
    return (item for row in message.components for item in getattr(row, "children", ()))


def blue(message: discord.Message) -> str:
    (one,) = [item for item in buttons(message) if item.style is BLUE]
    return str(one.custom_id)


def seen(result: simcord.InteractionResult) -> discord.Message:
    """What one person alone sees now."""
    return whispered(result).message


async def tried(club: Club, game: str) -> discord.Message:
    first = seen(await club.ana.slash(club.channel, "help"))
    label = next(
        button.label for button in buttons(first) if button.label.startswith("Try it") and game in button.label
    )
    return seen(await club.ana.click(first, label=label))


def app(club: Club) -> App:
    assert isinstance(club.env.bot, App)
    return club.env.bot


async def kept(club: Club) -> tuple[int, int]:
    async with app(club).sessions._database.transaction() as connection:
        counts = [
            (await connection.execute(select(func.count()).select_from(item))).scalar() for item in (session, ply)
        ]
    return counts[0] or 0, counts[1] or 0


@pytest.mark.parametrize("game", ["X-Wing", "Infinity"])
async def test_who_follows_the_blue_button_has_played_a_roll(club: Club, game: str) -> None:
    if game == "X-Wing":
        club.dice.red("focus focus focus hit")
        club.dice.green("blank blank evade")
    else:
        club.dice.will_show(9, 4, 17, 5, 3)
    shown, steps = await tried(club, game), list[str]()
    for _ in range(12):
        match = POINTS.search(shown.content)
        if match is None:
            break
        assert shown.flags.ephemeral
        assert "press React" not in str([embed.to_dict() for embed in shown.embeds]), "the bot asks itself for nothing"
        steps.append(match[1])
        shown = seen(await club.ana.click(shown, custom_id=blue(shown)))
    assert steps == sorted(steps)
    assert {"1", "3"} <= set(steps)
    assert "Nothing was saved" in shown.content
    assert "Each die" in str(shown.embeds[0].to_dict()), "they read the working"
    assert await kept(club) == (0, 0)
    assert club.channel.history(viewer=club.bo) == [], "nobody else saw anything"


@pytest.mark.parametrize("game", ["X-Wing", "Infinity"])
async def test_a_newcomer_who_presses_wrong_once_at_each_step_is_led_back(club: Club, game: str) -> None:
    """Without a word of explanation: first another button than the blue one, then where the blue one leads."""
    if game == "X-Wing":
        club.dice.red("focus focus focus hit")
        club.dice.green("blank blank evade")
    else:
        club.dice.will_show(9, 4, 17, 5, 3)
    shown, wrong = await tried(club, game), dict[str, str]()
    for _ in range(16):
        match = POINTS.search(shown.content)
        if match is None:
            break
        others = [button for button in buttons(shown) if button.style is not BLUE and button.label != "End"]
        pressed = others[-1].custom_id if others and match[1] not in wrong else blue(shown)
        before = await kept(club)
        after = seen(await club.ana.click(shown, custom_id=pressed))
        if pressed != blue(shown):
            wrong[match[1]] = after.content
            assert LEADS_BACK.search(after.content), "it says what is better"
            assert blue(after).partition(":")[2] == blue(shown).partition(":")[2], "and points there still"
            assert await kept(club) == before, "nothing was pressed"
        shown = after
    assert wrong.keys() == ({"1", "2"} if game == "X-Wing" else {"1"}), "at the other steps there is one way"
    assert "Nothing was saved" in shown.content
    assert await kept(club) == (0, 0)


async def test_a_worse_choice_is_compared_and_not_taken(club: Club) -> None:
    club.dice.red("focus focus blank hit")
    shown = await tried(club, "X-Wing")
    shown = seen(await club.ana.click(shown, custom_id=blue(shown)))
    assert "Step 2 of 3" in shown.content
    before = await kept(club)
    done = next(item.custom_id for item in buttons(shown) if item.label == "Done")
    again = seen(await club.ana.click(shown, custom_id=done))
    assert "gives average damage" in again.content
    assert await kept(club) == before, "nothing was pressed"
    assert blue(again) == blue(shown)


async def test_it_ends_at_any_time(club: Club) -> None:
    club.dice.red("focus focus blank hit")
    shown = await tried(club, "X-Wing")
    shown = seen(await club.ana.click(shown, custom_id=blue(shown)))
    assert await kept(club) != (0, 0)
    pressed = blue(shown)
    over = seen(await club.ana.click(shown, label="End"))
    assert "The practice is over, and nothing from it was saved" in over.content
    assert await kept(club) == (0, 0)
    late = await club.press(club.ana, pressed, on=over)
    assert "practice is over" in seen(late).content


async def test_a_practice_counts_for_nobody_and_goes_within_a_day(club: Club) -> None:
    club.dice.red("focus focus blank hit")
    shown = await tried(club, "X-Wing")
    await club.ana.click(shown, custom_id=blue(shown))
    for command in ("table history", "table luck", "table secrets"):
        told = await club.ana.slash(club.channel, command)
        assert told.response is not None
        assert "Luck of" not in str(told.response.embeds)
    undone = await club.ana.slash(club.channel, "table undo")
    assert undone.response is not None
    assert undone.response.flags.ephemeral, "there is nothing to take back"
    now = int(time.time())
    assert await app(club).sessions.sweep_practices(now + PRACTICE_LASTS - 60) == 0
    assert await app(club).sessions.sweep_practices(now + PRACTICE_LASTS + 60) == 1
    assert await kept(club) == (0, 0)


async def test_nobody_else_presses_on_a_practice(club: Club) -> None:
    club.dice.red("focus focus blank hit")
    shown = await tried(club, "X-Wing")
    shown = seen(await club.ana.click(shown, custom_id=blue(shown)))
    before = await kept(club)
    told = seen(await club.press(club.bo, blue(shown), on=shown))
    assert "Step" not in told.content
    assert await kept(club) == before
