"""`/initiative` as people type and press it: one message that follows, and who may do what."""

from dataclasses import replace
from typing import Any

import discord
import pytest
import simcord

from bot.client import Client, LiveMessageState
from bot.store.tracked_messages import EVERYBODY, MessageKind, TrackedMessage
from bot.ui.core.responses import Answer
from cogs import initiative
from tests.cogs.rulesets import choose
from tests.conftest import Club, said, whispered

pytestmark = pytest.mark.one_bot


def show(club: Club, *faces: int) -> None:
    club.dice.will_show(*(face - 1 for face in faces))


async def typed(
    club: Club, command: str, by: simcord.MemberActor | None = None, /, **options: object
) -> simcord.InteractionResult:
    return await (by or club.ana).slash(club.channel, f"initiative {command}", **options)


async def start(club: Club, by: simcord.MemberActor | None = None, /, **options: object) -> discord.Message:
    await typed(club, "start", by, **options)
    return club.card


async def join(club: Club, by: simcord.MemberActor, roll: str, *faces: int) -> None:
    """Press Join on the list, and send the form."""
    show(club, *faces)
    await by.submit_modal(await by.click(the_list(club), label="Join"), {"roll": roll})


def the_list(club: Club) -> discord.Message:
    """The newest message with a turn order, as it is now."""
    return next(item for item in reversed(club.channel.history()) if item.embeds and is_list(item.embeds[0]))


def is_list(shown: discord.Embed) -> bool:
    return bool(shown.footer.text and "acts first" in shown.footer.text) or shown.title == "This turn order is over."


def lines(club: Club) -> list[str]:
    return "\n".join(field.value or "" for field in the_list(club).embeds[0].fields).splitlines()


def headline(club: Club) -> str:
    return the_list(club).embeds[0].title or ""


def answered(result: simcord.InteractionResult) -> str:
    (shown,) = whispered(result).embeds
    return shown.title or ""


async def three(club: Club) -> discord.Message:
    """Ana has 17, Bo 12, and Cleo typed 15."""
    message = await start(club)
    await join(club, club.ana, "1d20+3", 14)
    await join(club, club.bo, "1d20", 12)
    await join(club, club.cleo, "15")
    return message


async def test_people_join_one_message_and_stand_in_order(club: Club) -> None:
    message = await start(club)
    assert club.outcome == "Who's in? Join with a roll."
    assert club.labels == ["Join", "Next", "End"]
    assert club.leading == "Join"
    await join(club, club.ana, "1d20+3", 14)
    assert club.leading == "Next"
    assert headline(club) == "Join with a roll, or press Next to start the first turn."
    await join(club, club.bo, "1d20", 12)
    await join(club, club.cleo, "15")
    assert lines(club) == ["1: Ana, 17 (1d20+3)", "2: Cleo, 15", "3: Bo, 12 (1d20)"]
    assert [item.id for item in club.channel.history()] == [message.id], "everything is on one message"


async def test_next_names_who_acts_and_counts_the_rounds(club: Club) -> None:
    await three(club)
    await club.bo.click(the_list(club), label="Next")
    assert headline(club) == "Round 1: it's Ana's turn."
    assert lines(club)[0] == "▶ 1: Ana, 17 (1d20+3)"
    await club.ana.click(the_list(club), label="Next")
    assert headline(club) == "Round 1: it's Cleo's turn."
    await club.cleo.click(the_list(club), label="Next")
    await club.bo.click(the_list(club), label="Next")
    assert headline(club) == "Round 2: it's Ana's turn."
    assert the_list(club).embeds[0].author.name == "Turn order", "the headline counts the rounds"


async def test_only_who_acts_or_a_gm_goes_on(club: Club, gm: simcord.MemberActor) -> None:
    await three(club)
    dana = club.guild.add_member(club.env.create_user("dana", global_name="Dana"))
    assert "Only players in the turn order or a GM can move on" in said(await dana.click(the_list(club), label="Next"))
    await club.ana.click(the_list(club), label="Next")
    assert (
        said(await club.bo.click(the_list(club), label="Next")) == "It's Ana's turn, so only Ana or a GM can move on."
    )
    await gm.click(the_list(club), label="Next")
    assert headline(club) == "Round 1: it's Cleo's turn."


async def test_a_second_press_on_the_same_turn_skips_nobody(club: Club, gm: simcord.MemberActor) -> None:
    await three(club)
    await club.ana.click(the_list(club), label="Next")
    pressed = club.custom_id("next")
    await club.ana.click(the_list(club), label="Next")
    assert "That turn is already over" in said(await club.press(gm, pressed, on=the_list(club)))
    assert headline(club) == "Round 1: it's Cleo's turn."


async def test_a_gm_adds_npcs(club: Club, gm: simcord.MemberActor) -> None:
    await start(club)
    assert "Only a GM" in said(await typed(club, "join", roll="1d20", name="Ork"))
    assert "Only a GM" in said(await typed(club, "join", roll="1d20", count=2))
    show(club, 11, 3, 8)
    await typed(club, "join", gm, roll="1d20+2", name="Goblin", count=3)
    assert lines(club) == ["1: Goblin 1, 13 (1d20+2)", "2: Goblin 3, 10 (1d20+2)", "3: Goblin 2, 5 (1d20+2)"]
    form = await gm.click(the_list(club), label="Join")
    await gm.submit_modal(form, {"roll": "20", "name": "Dragon"})
    assert lines(club)[0] == "1: Dragon, 20"
    form = await club.ana.click(the_list(club), label="Join")
    assert form.modal is not None
    assert "name" not in str(form.modal), "only a GM is asked for a name"
    await gm.click(the_list(club), label="Next")
    assert "Gil or a GM" in said(await club.ana.click(the_list(club), label="Next")), "an NPC acts through its GM"
    await gm.click(the_list(club), label="Next")
    assert headline(club) == "Round 1: it's Goblin 1's turn."


async def test_an_npc_called_like_a_player_is_told_apart(club: Club, gm: simcord.MemberActor) -> None:
    await start(club)
    await typed(club, "join", club.bo, roll="12")
    await typed(club, "join", gm, roll="15", name="bo")
    assert lines(club) == ["1: bo (NPC), 15", "2: Bo, 12"]
    await gm.click(the_list(club), label="Next")
    assert headline(club) == "Round 1: it's bo (NPC)'s turn."
    assert answered(await typed(club, "leave", gm, name="Bo")) == "Bo is no longer in the turn order."
    assert answered(await typed(club, "leave", gm, name="bo (npc)")) == "bo (NPC) is no longer in the turn order."


async def test_what_is_typed_is_answered_in_private_and_shown_on_the_list(club: Club) -> None:
    message = await start(club)
    show(club, 9)
    joined = await typed(club, "join", club.bo, roll="1d20")
    assert answered(joined) == "You join the turn order with 9."
    assert whispered(joined).embeds[0].description == f"[Go to the list]({message.jump_url})"
    assert lines(club) == ["1: Bo, 9 (1d20)"]
    assert answered(await typed(club, "next", club.bo)) == "Round 1: it's Bo's turn."
    assert answered(await typed(club, "leave", club.bo)) == "Bo is no longer in the turn order."
    assert answered(await typed(club, "end")) == "The turn order is over."
    assert headline(club) == "This turn order is over."
    assert the_list(club).components == []
    assert [item.id for item in club.channel.history(viewer=club.cleo)] == [message.id]


async def test_who_leaves_is_out_and_a_gm_takes_anybody_out(club: Club, gm: simcord.MemberActor) -> None:
    await three(club)
    await club.ana.click(the_list(club), label="Next")
    assert "Only Bo or a GM can do that" in said(await typed(club, "leave", name="Bo"))
    await typed(club, "leave")
    assert headline(club) == "Round 1: it's Cleo's turn."
    await typed(club, "leave", gm, name="cleo")
    assert lines(club) == ["▶ 1: Bo, 12 (1d20)"]
    assert answered(await typed(club, "leave")) == "You aren't in the turn order."
    assert "In it: Bo." in said(await typed(club, "leave", gm, name="Dragon"))
    result = await gm.autocomplete(club.channel, "initiative leave", "name", "b")
    assert [item["value"] for item in result] == ["Bo"]


async def test_only_who_started_it_or_a_gm_ends_it(club: Club, gm: simcord.MemberActor) -> None:
    await three(club)
    assert "Only Ana, who started the turn order" in said(await club.bo.click(the_list(club), label="End"))
    await gm.click(the_list(club), label="End")
    assert headline(club) == "This turn order is over."
    assert "There's no turn order in this channel" in said(await typed(club, "next"))
    assert "There's no turn order in this channel" in said(await typed(club, "join", roll="1d20"))
    assert "There's no turn order in this channel" in said(await typed(club, "show"))
    await start(club)
    assert headline(club) == "Who's in? Join with a roll."


async def test_there_is_one_in_a_channel_and_it_can_be_shown_again(club: Club) -> None:
    first = await three(club)
    assert (
        "This channel already has a turn order. To see it again, use `/initiative show`; to end it, `/initiative end"
    ) in said(await typed(club, "start", club.bo))
    await typed(club, "show", club.bo)
    second = the_list(club)
    assert second.id != first.id
    old = next(item for item in club.channel.history() if item.id == first.id)
    assert str(second.id) in old.content
    assert not old.components
    pressed = await club.press(club.ana, club.custom_id("next"), on=old)
    assert pressed.response is not None
    assert pressed.response.content == f"This list was replaced. [Go to the new one]({second.jump_url})", (
        "a link, on the old list itself"
    )
    assert headline(club) == "Join with a roll, or press Next to start the first turn.", "and nothing happened"
    await club.ana.click(second, label="Next")
    assert headline(club) == "Round 1: it's Ana's turn."


async def test_a_press_on_a_list_newer_than_the_one_remembered_counts(club: Club) -> None:
    """Somebody presses while the list is being posted, or another process has posted it."""
    first = await three(club)
    await typed(club, "show", club.bo)
    second = the_list(club)
    client = club.env.bot
    assert isinstance(client, Client)
    key = (MessageKind.TURNS, club.channel.id, EVERYBODY)
    known = client.live[key].kept
    await client.shown.drop(known)
    client.live[key] = LiveMessageState(await client.shown.keep(replace(known, message_id=first.id)))
    await club.ana.click(second, label="Next")
    assert the_list(club).id == second.id
    assert headline(club) == "Round 1: it's Ana's turn."
    assert client.live[MessageKind.TURNS, club.channel.id, EVERYBODY].kept.message_id == second.id


async def test_a_list_that_is_pressed_before_it_is_remembered_replaces_the_old_one(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await three(club)
    client, post = club.env.bot, Answer.post
    assert isinstance(client, Client)

    async def pressed_at_once(self: Answer, **message: Any) -> int | None:
        posted = await post(self, **message)
        assert posted is not None
        new = TrackedMessage(MessageKind.TURNS, club.channel.id, EVERYBODY, club.guild.id, posted)
        await initiative.LIST.keep(client, LiveMessageState(new, digest="what Next has shown"))
        return posted

    monkeypatch.setattr(Answer, "post", pressed_at_once)
    await typed(club, "show", club.bo)
    second = the_list(club)
    old = next(item for item in club.channel.history() if item.id == first.id)
    assert old.content == f"This list was replaced. [Go to the new one]({second.jump_url})"
    assert not old.components
    assert client.live[MessageKind.TURNS, club.channel.id, EVERYBODY].digest == "", (
        "the next change edits it, whatever it shows now"
    )


async def test_undo_takes_steps_back_and_the_list_follows(club: Club) -> None:
    await start(club)
    await join(club, club.ana, "1d20", 5)
    await club.env.advance_time(1)
    await typed_undo(club)
    await club.env.advance_time(1)
    assert lines(club) == []
    await join(club, club.ana, "1d20")
    assert lines(club) == ["1: Ana, 5 (1d20)"], "dice that were seen come again"
    await club.ana.click(the_list(club), label="Next")
    await club.ana.click(the_list(club), label="End")
    await typed_undo(club)
    await club.env.advance_time(1)
    assert headline(club) == "Round 1: it's Ana's turn.", "End was taken back"
    await typed_undo(club)
    await club.env.advance_time(1)
    assert headline(club) == "Join with a roll, or press Next to start the first turn."


async def typed_undo(club: Club) -> None:
    await club.ana.slash(club.channel, "table undo")
    asks = [item for item in club.channel.history() if "asks to take back" in item.content and item.components]
    if asks:
        await club.cleo.click(asks[-1], label="Allow")


async def test_the_others_are_asked_where_a_die_fell(club: Club) -> None:
    await three(club)
    await club.bo.slash(club.channel, "table undo")
    ask = club.card
    assert "asks to take back" in ask.content
    assert str(club.cleo.id) in ask.content, "it was Cleo's"


async def test_the_history_and_the_board_tell_of_it(club: Club) -> None:
    await three(club)
    await club.ana.click(the_list(club), label="Next")
    await club.ana.slash(club.channel, "table history")
    told = club.embed.description or ""
    for sentence in ("starts a turn order", "joins the turn order: 17 (1d20+3)", "moves to the next turn: round 1"):
        assert sentence in told
    await club.ana.slash(club.channel, "table show")
    assert any(field.value == "round 1, 3 taking part" for field in club.embed.fields)


async def test_it_survives_a_restart(club: Club) -> None:
    await three(club)
    await club.ana.click(the_list(club), label="Next")
    await club.restart()
    await club.ana.click(the_list(club), label="Next")
    assert headline(club) == "Round 1: it's Cleo's turn."
    await typed(club, "next", club.cleo)
    assert headline(club) == "Round 1: it's Bo's turn."
    assert len(club.channel.history(viewer=club.bo)) == 1


async def test_a_list_that_was_deleted_comes_anew(club: Club) -> None:
    message = await three(club)
    channel = club.env.bot.get_channel(club.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.get_partial_message(message.id).delete()
    result = await typed(club, "next")
    assert answered(result) == "Round 1: it's Ana's turn."
    assert headline(club) == "Round 1: it's Ana's turn."
    await club.ana.click(the_list(club), label="Next")
    assert headline(club) == "Round 1: it's Cleo's turn."


@pytest.mark.parametrize(
    ("roll", "says"), [("3#1d20", "Use a single roll"), ("fast", "roll"), ("101d6", "100"), ("1d6e<7", "explode")]
)
async def test_what_cannot_be_rolled_is_refused_and_can_be_fixed(club: Club, roll: str, says: str) -> None:
    await start(club)
    assert says in said(await typed(club, "join", roll=roll))
    refused = await club.ana.submit_modal(await club.ana.click(the_list(club), label="Join"), {"roll": roll})
    message = whispered(refused).message
    assert says in message.content
    assert lines(club) == []
    form = await club.ana.click(message, label="Fix it")
    show(club, 6)
    fixed = await club.ana.submit_modal(form, {"roll": "1d20"})
    assert fixed.response is None or fixed.response.ephemeral
    assert lines(club) == ["1: Ana, 6 (1d20)"]


async def test_two_readings_and_the_nearest_are_buttons(club: Club) -> None:
    await start(club)
    asked = whispered(await typed(club, "join", roll="1d20 + 5 x2"))
    show(club, 6)
    await club.ana.click(asked.message, label="Times 2: (1d20+5)*2")
    assert lines(club) == [r"1: Ana, 22 ((1d20+5)\*2)"]
    form = await club.bo.click(the_list(club), label="Join")
    refused = whispered(await club.bo.submit_modal(form, {"roll": "(2+3)d6"}))
    show(club, 2, 2, 1, 1, 1)
    await club.bo.click(refused.message, label="Roll 2d6+3d6")
    assert [line.partition(" (")[0] for line in lines(club)] == ["1: Ana, 22", "2: Bo, 7"]


async def test_a_button_adds_npcs_for_a_gm(club: Club, gm: simcord.MemberActor) -> None:
    await start(club)
    asked = whispered(await typed(club, "join", gm, roll="2d6r1", name="Ork", count=2))
    show(club, 6, 5, 4, 3)
    await gm.click(asked.message, label="Rerolled once: 2d6ro1")
    assert lines(club) == ["1: Ork 1, 11 (2d6ro1)", "2: Ork 2, 7 (2d6ro1)"]


async def test_the_rulesets_of_the_place_count(club: Club, gm: simcord.MemberActor) -> None:
    await choose(club, gm, "physical_dice", "off")
    await start(club)
    assert "join with dice" in said(await typed(club, "join", roll="25"))
    await typed(club, "join", gm, roll="25", name="Ork")
    assert lines(club) == ["1: Ork, 25"]
    await choose(club, gm, "most_dice", "6")
    assert "That's 7 dice, but this channel allows at most 6 per roll" in said(await typed(club, "join", roll="7d6"))


async def test_saved_dice_are_suggested_where_people_join(club: Club) -> None:
    await club.ana.slash(club.channel, "saved add", name="Initiative", roll="1d20+3")
    await club.ana.slash(club.channel, "saved add", name="Shot", roll="/infinity roll sv:12")
    for command, option in (("initiative join", "roll"), ("contest", "dice")):
        result = await club.ana.autocomplete(club.channel, command, option, "i")
        assert [(item["name"], item["value"]) for item in result] == [("Initiative · 1d20+3", "1d20+3")]


async def test_at_a_sealed_table_the_dice_follow_from_the_key(club: Club) -> None:
    await club.ana.slash(club.channel, "table seal")
    await club.ana.submit_modal(await club.ana.click(club.card, label="Give a seed word"), {"word": "otter"})
    await club.ana.click(club.card, label="Seal")
    await start(club)
    await join(club, club.ana, "1d20")
    await join(club, club.bo, "1d20")
    assert len(lines(club)) == 2
    await club.ana.slash(club.channel, "table unseal")
    assert any(item.attachments for item in club.channel.history())


async def test_who_is_forgotten_is_somebody_and_others_go_on(club: Club) -> None:
    await three(club)
    await club.bo.click(the_list(club), label="Next")
    asked = whispered(await club.ana.slash(club.channel, "privacy forget"))
    await club.ana.click(asked.message, label="Forget me")
    await club.bo.click(the_list(club), label="Next")
    assert lines(club)[0] == "1: Someone, 17 (1d20+3)"
    assert headline(club) == "Round 1: it's Cleo's turn."


async def test_nobody_is_suggested_where_no_turn_order_runs(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    assert await club.ana.autocomplete(club.channel, "initiative leave", "name", "a") == []
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == [], (
        "it is an answer, and no failure"
    )


async def test_alone_with_the_bot_one_is_the_gm(club: Club) -> None:
    user, club.channel = club.ana.user, club.ana.user.dm_channel
    await user.slash("initiative start")
    await user.slash("initiative join", roll="12", name="Ork")
    assert lines(club) == ["1: Ork, 12"]
    await user.click(the_list(club), label="Next")
    assert headline(club) == "Round 1: it's Ork's turn."


async def test_where_the_bot_cannot_edit_the_list_a_new_one_is_shown(club: Club) -> None:
    """Where only the app is installed, the bot answers people and reaches no message of the channel."""
    await three(club)
    client = club.env.bot
    assert isinstance(client, Client)
    club.env.inject_error("PATCH", "/channels/*/messages/*", status=403)
    assert answered(await typed(club, "next")) == "Round 1: it's Ana's turn."
    assert headline(club) == "Round 1: it's Ana's turn."
    assert client.live[MessageKind.TURNS, club.channel.id, EVERYBODY].kept.message_id == the_list(club).id


async def test_the_board_says_how_the_turn_order_stands(club: Club) -> None:
    await start(club)
    await join(club, club.ana, "15")
    await club.bo.slash(club.channel, "table show")
    assert club.outcome == "On the table: 1 turn order."
    assert [(field.name, field.value) for field in club.embed.fields] == [("Turn order", "1 taking part, not started")]
    await club.ana.click(the_list(club), label="Next")
    await club.bo.slash(club.channel, "table show")
    assert [field.value for field in club.embed.fields] == ["round 1, 1 taking part"]
