"""A short welcome: once, for one person, and only where it is not switched off."""

import pytest

from bot.runtime.app import App
from bot.settings import Settings
from bot.ui.notify import welcome
from tests.conftest import Club, whispered

FIRST = "This is the first roll in this channel."


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"welcome": True})


async def greeted(club: Club) -> list[str]:
    """What Ana was told beside the card of a roll."""
    club.dice.will_show(0)
    rolled = await club.ana.slash(club.channel, "xwing roll", red=1)
    assert all(item.ephemeral for item in rolled.followups), "nobody else sees it"
    return [item.content for item in rolled.followups]


async def test_the_first_roll_of_a_channel_is_welcomed_once(club: Club) -> None:
    assert not whispered(await club.ana.slash(club.channel, "help")).content
    (text,) = await greeted(club)
    assert text.startswith(FIRST)
    assert await greeted(club) == []
    await club.restart()
    assert await greeted(club) == []


async def test_whoever_runs_the_bot_may_switch_it_off(club: Club) -> None:
    club.settings = club.settings.model_copy(update={"welcome": False})
    await club.restart()
    assert await greeted(club) == []


async def test_a_server_that_the_bot_joins_is_told_how_to_begin(club: Club) -> None:
    app = club.env.bot
    assert isinstance(app, App)
    (guild,) = app.guilds
    await welcome.on_join(app, guild)
    assert "Try it" in club.card.content
    assert "X-Wing, Infinity, WARSURGE, Albion, and any dice" in club.card.content
