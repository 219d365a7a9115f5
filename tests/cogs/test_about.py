"""`/about`, as people type it."""

import pytest

from bot import package_info
from bot.discord_api.invite_links import server_link, user_link
from tests.conftest import Club, whispered


async def test_about_is_one_short_card(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.about.time.perf_counter", lambda: club.env.bot.started + 3 * 3600 + 61)  # type: ignore[attr-defined]  # it is our App
    card = whispered(await club.ana.slash(club.channel, "about")).embeds[0]
    assert card.author.name == f"Rollcall {package_info.read().version}"
    assert card.title == "I referee dice for X-Wing, Infinity, WARSURGE, Albion and any dice."
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
