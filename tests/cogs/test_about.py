"""`/about`, as people type it."""

from typing import Final

import pytest

from bot import package_info
from bot.discord_api.invite_links import server_link, user_link
from bot.runtime.app import App
from bot.settings import Settings, addresses
from bot.ui.notify import welcome
from tests.conftest import Club, whispered


async def test_about_is_one_short_card(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.about.time.perf_counter", lambda: club.env.bot.started + 3 * 3600 + 61)  # type: ignore[attr-defined]  # it is our App
    card = whispered(await club.ana.slash(club.channel, "about")).embeds[0]
    assert card.author.name == f"Rollcall {package_info.read().version}"
    assert card.title == "I referee dice for X-Wing, Infinity, WARSURGE, Albion, and any dice."
    facts = {field.name: field.value for field in card.fields}
    assert "come again" in (facts["Dice"] or "")
    assert "all commands" in (facts["/help"] or "")
    assert card.footer.text == "Running for 3 hours and 1 minute · in 1 server"
    assert len(card) < 900, "one screen of a phone"


async def test_about_has_the_links_that_install_it(club: Club) -> None:
    said = whispered(await club.ana.slash(club.channel, "about"))
    links = [part["url"] for row in said._message.components for part in row["components"]]
    application = club.env.bot.application_id
    assert links == [server_link(application or 0), user_link(application or 0)]


OURS: Final = ("https://ours.example/terms", "https://ours.example/privacy", "https://ours.example/status")
SET: Final = {
    "support_url": "https://help.example/",
    "terms_url": "https://a.example/t",
    "privacy_url": "https://a.example/p",
}


@pytest.mark.parametrize(
    ("set_here", "shown"),
    [
        ({}, []),
        ({"public_url": "https://ours.example 8770"}, [OURS[1], *OURS]),
        (SET, [*SET.values()]),
        ({"public_url": "https://ours.example 8770", **SET}, [*SET.values(), OURS[2]]),
    ],
    ids=["nothing", "own pages", "pages of others", "both"],
)
async def test_about_help_and_the_welcome_say_where_people_get_help(
    club: Club, set_here: dict[str, str], shown: list[str]
) -> None:
    """Support, terms, privacy, and status: those that are set, otherwise the bot's own pages, otherwise nothing."""
    app = club.env.bot
    assert isinstance(app, App)
    app.addresses = addresses(Settings(_env_file=None, **set_here))  # type: ignore[arg-type, call-arg]  # as in .env
    (guild,) = app.guilds
    await welcome.on_join(app, guild)
    told = [whispered(await club.ana.slash(club.channel, command)).message for command in ("about", "help")]
    for message in (*told, club.card):
        links = [item.url for row in message.components for item in getattr(row, "children", ()) if item.url]
        assert [address for address in links if "discord.com" not in address] == shown
