"""Whatever goes wrong, somebody is answered with a sentence that says what to do, and what was rolled is saved."""

import logging
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, cast

import pytest
from discord import AppCommandOptionType, app_commands

from bot.client import Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import Text, english
from bot.rules.xwing.attack import attack
from bot.sessions.pieces import NotYourPieceError
from bot.sessions.roll import NotYourPlyError, NotYourSideError
from bot.ui.dispatch.error_messages import error_text
from bot.ui.roll import roll_message
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

CALLBACK = "/interactions/*/*/callback"


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another process is writing and does not stop."""
    other = sqlite3.connect(file)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.rollback()
        other.close()


async def opened(club: Club) -> None:
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")


# The store


async def test_a_locked_store_is_told(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    await opened(club)
    with locked(club.file):
        whisper = said(await club.ana.click(club.card, label="Done"))
    assert "busy" in whisper
    assert "try again" in whisper
    assert "database is locked" in caplog.text, "the log has the reason"

    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert club.outcome == "Ana hits the defender: 2 hits."


async def test_a_command_on_a_locked_store_rolls_nothing(club: Club) -> None:
    with locked(club.file):
        assert "busy" in said(await club.attack(dice=1, agility=0))
    assert club.channel.history(viewer=club.bo) == []


@pytest.mark.own_bot
async def test_a_store_that_takes_no_writes_is_told(
    club: Club, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(club)
    read_only = f"sqlite+aiosqlite:///file:{club.file}?mode=ro&uri=true"  # holds for root too
    monkeypatch.setattr(club.settings, "database_url", read_only)
    await club.restart()
    whisper = said(await club.ana.click(club.card, label="Done"))
    assert "read-only" in whisper
    assert "readonly database" in caplog.text
    assert club.labels == ["Focus: 1 to hit", "Done"]


# Our own bugs


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> None:
        raise RuntimeError("the rules broke")

    monkeypatch.setattr(attack, "start", break_down)
    monkeypatch.setattr(attack, "choose", break_down)


def assert_tagged(whisper: str, caplog: pytest.LogCaptureFixture) -> None:
    """The whisper is polite and carries the tag under which the log has the whole story."""
    tag = re.search(r"`([0-9a-f]{6})`", whisper)
    assert tag is not None, whisper
    assert "try again" in whisper
    assert "RuntimeError" not in whisper
    record = next(record for record in caplog.records if tag[1] in record.getMessage())
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
    assert "the rules broke" in str(record.exc_info[1])


@pytest.mark.usefixtures("broken")
async def test_a_bug_in_a_command_is_told_with_a_tag(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    assert_tagged(said(await club.attack(dice=2, agility=0)), caplog)


async def test_a_bug_in_a_press_is_told_with_a_tag(
    club: Club, caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> None:
    await opened(club)
    request.getfixturevalue("broken")
    assert_tagged(said(await club.ana.click(club.card, label="Done")), caplog)
    assert club.labels == ["Focus: 1 to hit", "Done"], "nothing was stored"


async def test_a_bug_in_a_form_is_told_with_a_tag_and_what_was_typed(
    club: Club, caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> None:
    await club.attack(dice=2)
    request.getfixturevalue("broken")
    whisper = said(await club.defend(club.bo, "2", "evade"))
    assert_tagged(whisper, caplog)
    assert "evade" in whisper


async def test_a_settled_card_that_cannot_be_drawn_is_told_with_a_tag(
    club: Club, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened(club)
    old = club.custom_id("done")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    await club.restart()

    def break_down(*_: object) -> None:
        raise RuntimeError("the rules broke")

    monkeypatch.setattr(roll_message, "roll_card", break_down)
    assert_tagged(said(await club.press(club.ana, old)), caplog)


# Discord


async def test_a_press_that_counted_but_could_not_be_shown_is_shown_by_the_next(club: Club) -> None:
    await opened(club)
    club.env.inject_error("POST", CALLBACK, status=500)
    failed = await club.ana.click(club.card, label="Focus: 1 to hit")
    assert "Everything rolled so far is safe" in said(failed)
    assert club.outcome == "Ana against the defender: 1 hit.", "the card is behind"

    late = await club.ana.click(club.card, label="Done")
    assert "The card is up to date now" in said(late)
    assert club.outcome == "Ana hits the defender: 2 hits.", "the press that counted is shown"


async def test_a_card_that_discord_refuses_once_is_shown_at_once(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    club.env.inject_error("POST", CALLBACK, status=500)
    await opened(club)
    assert club.outcome == "Ana against the defender: 1 hit."
    assert club.card.content == ""
    assert_no_bug(caplog)


async def test_after_a_lost_card_trying_again_shows_it_and_rolls_nothing(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    club.env.inject_error("POST", CALLBACK, status=503, times=2)
    club.dice.red("focus hit")
    told = said(await club.attack(dice=2, agility=0, with_="focus"))
    assert "type the command once more" in told
    assert club.channel.history(viewer=club.bo) == []
    assert_no_bug(caplog)

    await club.attack(dice=2, agility=0, with_="focus")  # no die is prescribed: none may be rolled
    assert club.outcome == "Ana against the defender: 1 hit."
    assert "nothing new was rolled" in club.card.content
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert club.outcome == "Ana hits the defender: 2 hits."
    assert club.card.content == ""

    await opened(club)
    assert club.outcome == "Ana against the defender: 1 hit.", "and now it rolls again"


async def test_after_a_lost_card_another_command_is_carried_out_and_the_card_comes_too(club: Club) -> None:
    """What was lost is a card; whoever types something else wants that."""
    club.env.inject_error("POST", CALLBACK, status=503, times=3)
    await opened(club)
    club.dice.red("crit crit crit")
    await club.attack(dice=3, agility=0)
    rolled, lost = club.channel.history(viewer=club.bo)
    assert "3 crits" in str(rolled.embeds[0].to_dict())
    assert "nothing new was rolled" in lost.content
    assert "1 hit" in str(lost.embeds[0].to_dict())


async def test_a_lost_card_that_was_shown_does_not_come_again_after_a_quick_kill(club: Club) -> None:
    """Killed before the ten seconds have gone by after which links are written down."""
    club.env.inject_error("POST", CALLBACK, status=503, times=3)
    await opened(club)
    for _ in range(4):
        await club.restart()
        await club.ana.slash(club.channel, "about")
        assert len(club.channel.history(viewer=club.bo)) == 1
        club.env.bot.links._waiting.clear()  # type: ignore[attr-defined]  # it is our App, which is killed now


@pytest.mark.parametrize("is_second", [False, True])
async def test_a_card_that_is_too_large_is_shown_in_words(
    club: Club, caplog: pytest.LogCaptureFixture, is_second: bool
) -> None:
    """Also where it is shown for the second time, because the first one was lost."""
    if is_second:
        club.env.inject_error("POST", CALLBACK, status=500)
    club.env.inject_error("POST", CALLBACK, status=413)
    await opened(club)
    assert "1 hit" in club.card.content
    assert not club.card.attachments
    assert_no_bug(caplog)


@pytest.mark.parametrize("again", [400, 413])
async def test_a_card_that_is_refused_whatever_it_is_leaves_a_true_sentence(
    club: Club, caplog: pytest.LogCaptureFixture, again: int
) -> None:
    """The roll is stored, so no answer may say that something broke."""
    club.env.inject_error("POST", CALLBACK, status=500)
    club.env.inject_error("POST", CALLBACK, status=again, times=2 if again == 413 else 1)
    club.dice.red("focus hit")
    assert "type the command once more" in said(await club.attack(dice=2, agility=0, with_="focus"))
    assert_no_bug(caplog)
    club.env.inject_error("POST", CALLBACK, status=again, times=2 if again == 413 else 1)
    assert "type the command once more" in said(await club.attack(dice=2, agility=0, with_="focus"))
    assert_no_bug(caplog)


async def test_whatever_the_person_does_next_brings_the_lost_card(club: Club) -> None:
    await opened(club)
    first = club.card
    club.env.inject_error("POST", CALLBACK, status=503, times=3)
    club.dice.red("crit crit")
    assert not (await club.attack(dice=2, agility=0, with_="focus", opponent=club.bo)).acknowledged
    await club.cleo.slash(club.channel, "table show")
    assert "1 hit" not in club.outcome, "nobody else is shown it"
    await club.ana.click(first, label="Done")
    assert club.outcome == "Ana hits Bo: 2 crits."
    assert "nothing new was rolled" in club.card.content


async def test_a_lost_card_outlives_a_restart(club: Club) -> None:
    club.env.inject_error("POST", CALLBACK, status=503, times=3)
    await opened(club)
    await club.env.bot.links.write()  # type: ignore[attr-defined]  # our App, which has begun to
    await club.restart()
    await club.ana.slash(club.channel, "about")
    assert club.outcome == "Ana against the defender: 1 hit."
    shown = len(club.channel.history(viewer=club.bo))
    await club.env.bot.links.write()  # type: ignore[attr-defined]  # it is our App; ten seconds go by
    await club.restart()
    await club.ana.slash(club.channel, "about")
    assert len(club.channel.history(viewer=club.bo)) == shown, "it has a card now"


async def test_a_card_that_was_shown_just_before_a_crash_is_not_lost(club: Club) -> None:
    await opened(club)
    shown = len(club.channel.history(viewer=club.bo))
    club.env.bot.links.note = lambda *_: None  # type: ignore[attr-defined]  # our App, killed before it wrote that down
    club.env.bot.links._waiting.clear()  # type: ignore[attr-defined]  # as above
    with closing(sqlite3.connect(club.file)) as stranger:
        stranger.execute("UPDATE session SET opened_at = opened_at - 60")
        stranger.commit()
    for _ in range(2):
        await club.restart()
        await club.ana.slash(club.channel, "about")
        assert len(club.channel.history(viewer=club.bo)) == shown


async def test_a_lost_roll_that_was_taken_back_is_not_shown(club: Club) -> None:
    club.env.inject_error("POST", CALLBACK, status=503, times=3)
    await opened(club)
    club.env.bot.lost.sessions, held = {}, club.env.bot.lost.sessions  # type: ignore[attr-defined]  # our App
    await club.ana.slash(club.channel, "table undo")
    await club.bo.click(club.card, label="Allow")
    assert "the X-Wing roll" in club.card.content, "it was taken back"
    club.env.bot.lost.sessions = held  # type: ignore[attr-defined]  # our App
    shown = len(club.channel.history(viewer=club.bo))
    await club.ana.slash(club.channel, "about")
    assert len(club.channel.history(viewer=club.bo)) == shown


def noted_elsewhere(club: Club, message_id: int | None) -> None:
    """Another process with the same shards shows the last roll on a message, or has lost its card."""
    with closing(sqlite3.connect(club.file)) as stranger:
        stranger.execute("UPDATE session SET message_id = ?, is_lost = ?", (message_id, message_id is None))
        stranger.commit()


async def test_a_lost_card_that_another_process_has_shown_is_not_shown_again(club: Club) -> None:
    club.env.inject_error("POST", CALLBACK, status=503, times=3)
    await opened(club)
    noted_elsewhere(club, 77)
    await opened(club)
    assert club.card.content == ""
    assert len(club.channel.history(viewer=club.bo)) == 1


async def test_a_card_that_another_process_lost_is_shown_by_this_one(club: Club) -> None:
    await opened(club)
    await club.env.bot.links.write()  # type: ignore[attr-defined]  # it is our App; ten seconds go by
    noted_elsewhere(club, None)
    await club.env.bot.look_again()  # type: ignore[attr-defined]  # as above; half a minute after the other one answered
    await club.ana.slash(club.channel, "about")
    assert "nothing new was rolled" in club.card.content
    await club.env.bot.look_again()  # type: ignore[attr-defined]  # as above
    shown = len(club.channel.history(viewer=club.bo))
    await club.ana.slash(club.channel, "about")
    assert len(club.channel.history(viewer=club.bo)) == shown, "it is shown once"


async def test_a_form_that_is_refused_by_discord_is_no_bug_of_ours(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    await club.attack(dice=2)
    club.env.inject_error("POST", CALLBACK, status=500)
    assert "Discord didn't accept my answer just now" in said(
        await club.bo.click(club.card, label="Defend: enter your tokens")
    )
    assert_no_bug(caplog)


def assert_no_bug(caplog: pytest.LogCaptureFixture) -> None:
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_when_nothing_at_all_can_be_sent_the_log_says_so(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    await opened(club)
    club.env.inject_error("POST", CALLBACK, status=404, code=10062, message="Unknown interaction", times=None)
    assert not (await club.ana.click(club.card, label="Done")).acknowledged
    assert "could not send an error message" in caplog.text
    assert club.env.errors == [], "nothing went past the funnel"


# What discord.py itself raises before a command's body runs


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (app_commands.CheckFailure(), "Please ask a server admin"),
        (app_commands.CommandNotFound("xwing", []), "Restart your Discord app"),
        (app_commands.NoPrivateMessage(), "Please ask a server admin"),
        (app_commands.TransformerError("`nobody`", AppCommandOptionType.user, app_commands.Transformer()), "choose"),
    ],
)
def test_what_discord_py_raises_is_a_sentence_too(error: BaseException, words: str) -> None:
    nothing = cast("Interaction", None)  # these sentences need none
    assert words in english(error_text(nothing, error))


BOTH_REFUSALS: Final = (
    NotYourPieceError("Vader", "```js `[free nitro](http://nitro.example) <@&7> @everyone"),
    PlayerError(Text("Your target belongs to {defender}.", defender="```js `[free nitro](http://nitro.example) <@&7>")),
    NotYourSideError("defender", "`[free nitro](http://nitro.example) <@&7>"),
    NotYourPlyError("`[free nitro](http://nitro.example) <@&7>"),
)


@pytest.mark.parametrize("error", BOTH_REFUSALS)
def test_a_name_in_a_refusal_is_cleaned_at_the_last_door(error: PlayerError) -> None:
    told = english(error_text(cast("Interaction", None), error))
    assert "`" not in told, "it would end a quotation"
    assert "\\[free nitro](" in told, "no link"
    assert "<@&7>" not in told, "no mention"
