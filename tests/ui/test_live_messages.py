"""Messages that follow what they show: which one it is, and what two changes on their way at once leave behind."""

import asyncio
import json
import time
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import discord
import pytest

from bot.client import LiveMessageState
from bot.discord_api.rate_limiter import Priority
from bot.render.card import Bar, Bars, Card
from bot.rules.text import Text
from bot.runtime.app import App
from bot.sessions.request import Place
from bot.sessions.tables import TableSnapshot
from bot.store.tracked_messages import EVERYBODY, MessageKind, RenderMode, TrackedMessage
from bot.ui.core.responses import edit
from bot.ui.live import live_messages
from bot.ui.live.live_messages import LiveMessage, RenderedMessage
from bot.ui.table import board
from cogs import initiative, saved as saved_cog
from tests.cogs.test_xwing_board import ANA, BO
from tests.conftest import Club


def app(club: Club) -> App:
    assert isinstance(club.env.bot, App)
    return club.env.bot


def message(club: Club, number: int) -> discord.Message:
    return next(item for item in club.channel.history(viewer=club.ana) if item.id == number)


async def shown(club: Club, kind: MessageKind) -> TrackedMessage:
    """What the store says."""
    kept = await app(club).shown.find(kind, club.channel.id)
    assert kept is not None
    return kept


def test_those_that_change_with_the_table_are_those_that_are_drawn_by_themselves() -> None:
    every = (board.BOARD, initiative.LIST, saved_cog.PANEL)
    assert tuple(live_message.kind for live_message in every if live_message.draw is not None) == live_messages.FOLLOWED


# What Discord shows now


def test_of_one_change_it_is_known_what_it_left() -> None:
    item = LiveMessageState(TrackedMessage(MessageKind.BOARD, 1))
    with item.changing(None, "new"):
        assert item.digest == ""
    assert item.digest == "new"


def test_of_two_changes_at_once_nobody_knows_which_came_last() -> None:
    item = LiveMessageState(TrackedMessage(MessageKind.BOARD, 1), digest="old")
    first, second, third = item.changing(None, "first"), item.changing(None, "second"), item.changing(None, "third")
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert item.digest == "", "the second may have been there before it"
    third.__enter__()
    second.__exit__(None, None, None)
    third.__exit__(None, None, None)
    assert item.digest == ""
    with item.changing(None, "alone"):
        pass
    assert item.digest == "alone"


def test_of_a_change_that_failed_nobody_knows_either() -> None:
    item = LiveMessageState(TrackedMessage(MessageKind.BOARD, 1), digest="old")
    with pytest.raises(ZeroDivisionError), item.changing(None, "new"):
        raise ZeroDivisionError
    assert (item.digest, item.on_way) == ("", 0)


def test_while_a_change_is_on_its_way_no_other_relies_on_the_picture_that_was_there() -> None:
    """The first may have taken the picture away when the second arrives, which Discord then refuses."""
    chart = Bars((Text("damage"),), (Bar(Text("0"), (Fraction(1),)),))
    with_picture = RenderedMessage(
        {"embed": discord.Embed(title="A board")}, Card(Text("A board"), Text("Round 1"), figure=chart)
    )
    live = LiveMessageState(TrackedMessage(MessageKind.BOARD, 1), figure=with_picture.figure, digest="old")
    assert with_picture.edit(live)["attachments"] is discord.utils.MISSING, "it is there, and is not sent again"
    with live.changing(None, "without a picture"):
        assert with_picture.edit(live)["file"]


def test_where_there_are_no_embeds_everything_is_text() -> None:
    drawn = RenderedMessage({"embed": discord.Embed(title="A board"), "view": None})
    assert (
        drawn.edit(LiveMessageState(TrackedMessage(MessageKind.BOARD, 1, look=RenderMode.TEXT)))["content"]
        == "**A board**"
    )
    assert "content" not in drawn.edit(LiveMessageState(TrackedMessage(MessageKind.BOARD, 1, look=RenderMode.WORDS)))


async def test_an_edit_waits_for_an_answer_that_is_on_its_way(club: Club) -> None:
    """Else it would show the same once more, and nobody would know which of the two came last."""
    await club.ana.slash(club.channel, "table show")
    (item,) = app(club).live.values()
    item.forget_look()
    with item.changing(None, "an answer"):
        board.BOARD.mark_changed(app(club), club.channel.id)
        await asyncio.sleep(0.05)
        assert item.editing is not None
        assert not item.editing.done()
        assert item.begun == 1
    await item.editing
    assert item.begun == 2, "then it is compared, and differs"


async def test_boards_wait_their_turn_by_server_or_by_channel_where_there_is_none(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = await resting(club)
    item.below, asked, turn = 0, list[int](), app(club).budget.turn

    def noted(urgency: Priority, of: int) -> AbstractAsyncContextManager[None]:
        asked.append(of)
        return turn(urgency, of)

    monkeypatch.setattr(app(club).budget, "turn", noted)
    for place in (item.place, replace(item.place, guild_id=None)):
        item.stale = True
        monkeypatch.setattr(LiveMessageState, "place", place)
        await board.BOARD.refresh(app(club), item)
    assert asked == [club.guild.id, club.channel.id]


async def resting(club: Club) -> LiveMessageState:
    """A board that nobody has pressed for 15 minutes, with a card below it, and a change that it does not show yet."""
    await club.ana.slash(club.channel, "table show")
    (item,) = app(club).live.values()
    app(club).tokens.forget(item.kept.message_id)
    item.forget_look()
    item.below, item.shown_at = 1, time.monotonic()
    board.BOARD.mark_changed(app(club), club.channel.id)
    await asyncio.sleep(0.1)
    assert item.editing is not None
    assert not item.editing.done()
    assert item.begun == 0, "an edit would count, and those who play look at the card"
    return item


async def test_where_cards_stand_below_a_board_is_edited_once_it_has_rested(club: Club) -> None:
    item = await resting(club)
    item.shown_at -= live_messages.REST
    item.woken.set()
    assert item.editing is not None
    await item.editing
    assert item.begun == 1


async def test_a_board_rests_no_longer_when_an_edit_counts_for_nothing(club: Club) -> None:
    item = await resting(club)
    number = item.kept.message_id
    app(club).tokens._tokens[number] = "a token", discord.utils.utcnow() + timedelta(minutes=1)
    board.BOARD.mark_changed(app(club), club.channel.id)
    assert item.editing is not None
    await item.editing
    assert item.begun == 1
    assert app(club).tokens.of(number) is None, "Discord did not take it, so the bot edited the board itself"


async def test_a_message_that_is_gone_is_not_asked_for_twice(club: Club) -> None:
    await club.ana.slash(club.channel, "table show")
    (item,) = app(club).live.values()
    club.env.inject_error("PATCH", "/webhooks/*/*/messages/*", status=404, code=10008)
    with pytest.raises(discord.NotFound):
        await edit(app(club), item.place, item.kept.message_id, content="It is gone.")
    assert app(club).tokens.of(item.kept.message_id) is not None, "its token was not what was wrong"


async def test_before_the_bot_stops_every_board_is_right(club: Club) -> None:
    item = await resting(club)
    live_messages.flush_pending_edits(app(club))
    assert item.editing is not None
    await item.editing
    assert item.begun == 1


async def test_a_board_that_was_replaced_while_it_rested_is_left_alone(club: Club) -> None:
    item = await resting(club)
    await club.ana.slash(club.channel, "table show")
    item.shown_at -= live_messages.REST
    item.woken.set()
    assert item.editing is not None
    await item.editing
    assert item.begun == 0


async def test_a_board_that_is_replaced_while_it_is_drawn_is_left_alone(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its edit arrives after the words that say where the new one is, and keeps a picture that is gone."""
    item = await resting(club)
    drawn = LiveMessage.render

    async def slow(self: LiveMessage, client: App, live: LiveMessageState) -> RenderedMessage:
        rendered_message = await drawn(self, client, live)
        if live is item:
            monkeypatch.undo()
            await club.ana.slash(club.channel, "table show")
        return rendered_message

    monkeypatch.setattr(LiveMessage, "render", slow)
    item.shown_at -= live_messages.REST
    item.woken.set()
    assert item.editing is not None
    await item.editing
    assert item.begun == 0


async def test_a_press_on_a_board_draws_it_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is the board as it stands, so nothing is left to be corrected."""
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", initiative=5)
    await club.ana.slash(club.channel, "table show")
    tables, read = app(club).tables, list[Place]()
    now = tables.snapshot

    async def counted(here: Place) -> TableSnapshot:
        read.append(here)
        return await now(here)

    monkeypatch.setattr(tables, "snapshot", counted)
    items = [item for row in club.card.components for item in getattr(row, "children", ())]
    focus = next(item for item in items if getattr(item, "label", "") == "Focus")
    await club.press(club.ana, str(getattr(focus, "custom_id", "")))
    assert len(read) == 2, "the press is judged, and the board is drawn"


# Which message it is


@pytest.mark.parametrize(("command", "kept"), [("table show", board.BOARD), ("initiative show", initiative.LIST)])
async def test_of_two_that_are_posted_at_once_the_newer_is_the_one_and_the_other_says_so(
    club: Club, monkeypatch: pytest.MonkeyPatch, command: str, kept: LiveMessage
) -> None:
    """The newer one is stored first, as by a faster process."""
    await club.ana.slash(club.channel, "initiative start")
    client, keep, newer = app(club), LiveMessage.keep, list[int]()

    async def late(self: LiveMessage, client: App, new: LiveMessageState) -> int:
        newer.append(new.kept.message_id + 1)
        await client.shown.keep(replace(new.kept, message_id=newer[0]))
        return await keep(self, client, new)

    monkeypatch.setattr(LiveMessage, "keep", late)
    await club.ana.slash(club.channel, command)
    old = message(club, newer[0] - 1)
    assert old.content.removesuffix(")").endswith(f"/{newer[0]}")
    assert "was replaced" in old.content
    assert not old.components
    assert client.live[kept.kind, club.channel.id, EVERYBODY].kept.message_id == newer[0]
    assert (await shown(club, kept.kind)).message_id == newer[0]


async def test_a_press_on_a_board_that_nobody_remembers_makes_it_the_board(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, hull=3)
    await club.ana.slash(club.channel, "table show")
    kept = await shown(club, MessageKind.BOARD)
    await app(club).shown.drop(kept)
    await club.restart()
    assert app(club).live == {}
    await club.ana.click(message(club, kept.message_id), label="Focus")
    assert await shown(club, MessageKind.BOARD) == kept


async def test_a_press_does_not_bring_a_board_back_that_is_replaced_meanwhile(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step counts; its answer is where the new board is."""
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, hull=3)
    await club.ana.slash(club.channel, "table show")
    first = club.card
    client, step = app(club), type(app(club).tables).roll_step

    async def slow(*given: object, **more: object) -> object:
        result = await step(*given, **more)  # type: ignore[arg-type]  # whatever it takes
        newer = replace(await shown(club, MessageKind.BOARD), message_id=first.id + 1)
        client.live[newer.key] = LiveMessageState(await client.shown.keep(newer))
        return result

    monkeypatch.setattr(type(client.tables), "roll_step", slow)
    await club.ana.click(first, label="Focus")
    now = message(club, first.id)
    assert now.content.startswith("This board was replaced. [Go to the new one](https://")
    assert (now.embeds, now.components, now.attachments) == ([], [], [])
    held = await client.tables.pieces(Place(club.channel.id, club.guild.id), "xwing")
    assert held["Luke"].has("focus") == 1


async def test_a_board_that_is_deleted_is_forgotten_by_the_store_too(club: Club) -> None:
    await club.ana.slash(club.channel, "table show")
    await club.env.bot.get_channel(club.channel.id).get_partial_message(club.card.id).delete()  # type: ignore[union-attr]  # it is there
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, hull=3)
    await asyncio.sleep(0.05)
    await club.env.settle()
    assert app(club).live == {}
    assert await app(club).shown.of_kinds([*MessageKind]) == []


async def test_a_board_that_another_buttons_answer_has_overwritten_gets_its_picture_again(club: Club) -> None:
    for who, squad in ((club.ana, ANA), (club.bo, BO)):
        await who.slash(club.channel, "xwing squad", text=json.dumps(squad))
    await club.ana.slash(club.channel, "table show")
    board_id = (await shown(club, MessageKind.BOARD)).message_id
    await club.press(club.ana, "rc1:dials:on", on=message(club, board_id))
    await club.env.settle()
    assert [file.filename for file in message(club, board_id).attachments] == ["dice.png"]
