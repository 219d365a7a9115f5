"""What follows an answer: where one follower fails, the answer and the other followers do not notice."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest
import simcord

from bot.sessions.events import StateStored
from bot.ui.core.responses import Answered, CardShown
from tests.cogs.test_calls import on_a_clock
from tests.conftest import Club


@pytest.mark.parametrize("kind", [StateStored, CardShown, Answered])
async def test_a_follower_that_fails_is_logged_once_and_hurts_nothing(
    club: Club, admin: simcord.MemberActor, caplog: pytest.LogCaptureFixture, kind: type
) -> None:
    app, clock = on_a_clock(club)
    await admin.slash(club.channel, "ruleset set", setting="turn_ping", value="After a minute")
    club.dice.red("hit focus")
    await club.attack(dice=2, agility=1, with_="focus", against="evade", opponent=club.bo)
    heard = list[object]()

    def fails(_: object) -> None:
        raise ZeroDivisionError("a defect")

    app.bus._subscribers[kind].insert(0, (fails, None))
    app.bus.subscribe(kind, heard.append)
    club.dice.green("blank")
    with caplog.at_level(logging.WARNING):
        pressed = await club.ana.click(club.card, label="Done")
    (record,) = [item for item in caplog.records if item.name == "bot.sessions.events"]
    assert f"fails did not follow {kind.__name__}" in record.message
    assert pressed.ephemeral is False, "nobody is told that something missed"
    assert "Evade: 1 blank to evade" in club.labels
    assert [type(fact) for fact in heard] == [kind]
    assert [bell.seconds for bell in clock.bells] == [60], "the defender is called"


FOLLOWERS = {
    *("ui/table/board_actions", "ui/table/recap", "ui/notify/turn_mentions", "ui/notify/log_channel"),
    *("ui/live/live_page", "ui/live/live_messages", "sessions/turn_notices", "cogs/ruleset"),
}


@contextmanager
def visited() -> Iterator[set[str]]:
    """The files of followers that are entered meanwhile, in this thread."""
    result = set[str]()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            result.update(name for name in FOLLOWERS if frame.f_code.co_filename.endswith(f"/{name}.py"))

    sys.setprofile(note)
    try:
        yield result
    finally:
        sys.setprofile(None)


async def attack_and_press(club: Club) -> set[str]:
    club.dice.red("focus hit")
    club.dice.green("blank")
    await club.attack(dice=2, agility=1, with_="focus", opponent=club.bo)
    with visited() as result:
        await club.ana.click(club.card, label="Focus: 1 to hit")
    return result


async def test_a_channel_visits_only_what_it_has(club: Club, admin: simcord.MemberActor) -> None:
    assert await attack_and_press(club) == set()
    results = club.guild.create_text_channel("results")
    await admin.slash(club.channel, "ruleset set", setting="log_channel", value=f"<#{results.id}>")
    assert await attack_and_press(club) == {"ui/notify/log_channel"}
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", initiative=5)
    await club.ana.slash(club.channel, "table show")
    assert await attack_and_press(club) == {"ui/notify/log_channel", "ui/live/live_messages"}
