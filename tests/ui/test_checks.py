"""A person who types and presses faster than anybody plays is asked to wait, kindly; nobody else is."""

import time
from typing import Any

import pytest

from bot.settings import Settings
from bot.ui.core.request_context import WINDOW, rate_limit
from tests.conftest import Club, said, whispered

MOST = 5


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"person_limit": MOST})


async def test_commands_and_presses_of_one_person_are_counted(club: Club) -> None:
    await club.attack(dice=2)
    for _ in range(MOST - 2):
        await club.ana.slash(club.channel, "help")
    for _ in range(MOST):
        await club.ana.autocomplete(club.channel, "xwing attack", "attacker", "x", dice=1)
    assert club.outcome, "what is suggested while one types counts apart"
    message = next(item for item in club.channel.history(viewer=club.ana) if item.components)
    assert "Look at the newest card" in said(await club.press(club.ana, "rc1:1:0:done", on=message))
    refused = said(await club.ana.slash(club.channel, "xwing roll", red=1))
    assert refused.startswith("That was too fast for me. Please wait ")
    assert refused.endswith(" seconds, then try again.")
    again = said(await club.press(club.ana, "rc1:1:0:done", on=message))
    assert "That was too fast for me" in again
    club.dice.will_show(0)
    await club.bo.slash(club.channel, "xwing roll", red=1)
    assert "hit" in club.outcome


async def test_suggestions_of_one_person_are_counted(club: Club) -> None:
    async def names(by: Any) -> list[str]:
        return [item["value"] for item in await by.autocomplete(club.channel, "xwing ship remove", "name", "")]

    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, hull=3)
    assert [await names(club.ana) for _ in range(MOST + 1)] == [*[["Luke"]] * MOST, []]
    assert await names(club.bo) == ["Luke"]
    assert "too fast" not in said(await club.ana.slash(club.channel, "help"))


async def test_after_a_while_one_may_go_on(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(MOST):
        await club.ana.slash(club.channel, "help")
    assert "That was too fast for me" in said(await club.ana.slash(club.channel, "help"))
    counted = club.env.bot.rate_limit  # type: ignore[attr-defined]  # it is our App
    for bucket in counted._cache.values():
        bucket._window -= WINDOW
    assert whispered(await club.ana.slash(club.channel, "help")).embeds


async def test_a_clock_that_is_set_back_makes_nobody_wait(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    club.env.bot.rate_limit = rate_limit(2)  # type: ignore[attr-defined]  # it is our App
    await club.ana.slash(club.channel, "about")
    await club.ana.slash(club.channel, "about")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 3600)
    assert "wait 10 seconds" in said(await club.ana.slash(club.channel, "about"))
