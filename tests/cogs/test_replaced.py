"""Cards that others replaced: each says so and links to the new one, and so does the answer to a late press there."""

from typing import Any

import discord
import pytest
import simcord
from simcord.backend import serializers

from bot.runtime.app import App
from bot.sessions.links import ShownPlies
from bot.ui.roll import roll_message
from tests.cogs.test_advice import asked
from tests.conftest import Club, said


def now(club: Club, card: discord.Message) -> discord.Message:
    """A message as it is now."""
    return next(message for message in club.channel.history(viewer=club.ana) if message.id == card.id)


def ids(card: discord.Message) -> dict[str, str]:
    """The ids of what can be pressed on a message, by label."""
    items = (item for row in card.components for item in getattr(row, "children", ()))
    return {getattr(item, "label", None) or item.placeholder: item.custom_id for item in items}


async def late(club: Club, by: simcord.MemberActor, card: discord.Message, label: str) -> simcord.InteractionResult:
    """A press on a card as it was, made while it was being replaced."""
    return await club.press(by, ids(card)[label], on=card)


def replaced_by(new: discord.Message) -> str:
    return f"This card was replaced. [Go to the new one]({new.jump_url})"


def is_replaced(club: Club, old: discord.Message, new: discord.Message) -> bool:
    """Whether a card links to another one and has nothing to press; its dice stay to be seen."""
    card = now(club, old)
    return (card.content, ids(card)) == (replaced_by(new), {}) and bool(card.embeds)


async def test_undo_replaces_the_card(club: Club) -> None:
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    first = club.card
    await club.ana.click(first, label="Focus: 1 to hit")
    old = club.card
    await club.ana.slash(club.channel, "table undo")
    new = club.card
    assert is_replaced(club, old, new)
    assert "your turn" not in str(now(club, old).embeds[0].to_dict()), "nobody plays there any more"
    assert "Ana's turn" in str(new.embeds[0].to_dict())
    for card, label in ((old, "Done"), (first, "Focus: 1 to hit")):
        told = said(await late(club, club.ana, card, label))
        assert told == replaced_by(new), f"{label} is pressed late"
        assert is_replaced(club, old, new), "a late press does not bring it back"
    assert list(ids(now(club, new)))[:2] == ["Focus: 1 to hit", "Done"], "people play on here"


async def test_a_request_that_is_allowed_becomes_the_card(club: Club) -> None:
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    club.dice.red("crit")
    await club.ana.select(club.card, ["1"], custom_id=club.custom_id("lock"))
    old = club.card
    await club.ana.slash(club.channel, "table undo")
    request = club.card
    await club.bo.click(request, label="Allow")
    assert is_replaced(club, old, request)
    assert replaced_by(request) == said(await late(club, club.ana, old, "Done"))
    shown = now(club, request)
    for by, label in ((club.cleo, "Allow"), (club.bo, "Refuse")):
        assert said(await late(club, by, request, label)).startswith("This request is no longer open")
        card = now(club, request)
        assert (card.content, card.embeds, ids(card)) == (shown.content, shown.embeds, ids(shown)), "the card stays"
    await club.ana.click(request, label="Done")
    assert now(club, request).embeds[0].title == "Ana misses the defender."


async def test_a_second_answer_to_a_request_in_another_process_leaves_the_card(club: Club) -> None:
    """It was pressed before the first answer was shown, and this process knows of no card there."""
    bot, backend = club.env.bot, club.env.backend
    assert isinstance(bot, App)
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    club.dice.red("crit")
    await club.ana.select(club.card, ["1"], custom_id=club.custom_id("lock"))
    await club.ana.slash(club.channel, "table undo")
    request = club.card
    before = serializers.message_payload(backend, backend.get_message(request.channel.id, request.id))
    await club.bo.click(request, label="Allow")
    shown = now(club, request)
    bot.shown_plies = ShownPlies()
    second = await club.press(club.cleo, ids(request)["Refuse"], on=request, payload=before)
    assert said(second).startswith("This request is no longer open")
    card = now(club, request)
    assert (card.content, card.embeds, ids(card)) == (shown.content, shown.embeds, ids(shown))


async def test_a_second_answer_leaves_what_the_first_one_says(club: Club) -> None:
    await club.ana.slash(club.channel, "initiative start")
    club.dice.will_show(4)
    await club.ana.slash(club.channel, "initiative join", roll="1d20")
    await club.ana.slash(club.channel, "table undo")
    request = club.card
    await club.bo.click(request, label="Allow")
    sentence = "Bo allows it. Taken back: joins the turn order: 5 (1d20)."
    assert now(club, request).content == sentence
    for by, label in ((club.cleo, "Allow"), (club.bo, "Refuse")):
        assert said(await late(club, by, request, label)).startswith("This request is no longer open")
        assert now(club, request).content == sentence


async def test_a_request_that_is_refused_leaves_the_card(club: Club) -> None:
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    card = club.card
    club.dice.red("crit")
    await club.ana.select(card, ["1"], custom_id=club.custom_id("lock"))
    await club.ana.slash(club.channel, "table undo")
    request = club.card
    await club.bo.click(request, label="Refuse")
    assert now(club, request).content == "Bo refuses to take it back."
    assert ids(now(club, request)) == {}
    assert said(await late(club, club.cleo, request, "Allow")).startswith("This request is no longer open")
    assert now(club, request).content == "Bo refuses to take it back.", "what was answered stays"
    assert now(club, card).content == ""
    await club.ana.click(now(club, card), label="Done")
    assert now(club, card).embeds[0].title == "Ana hits the defender: 1 crit."


async def test_an_opening_that_is_taken_back(club: Club) -> None:
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    old = club.card
    await club.ana.slash(club.channel, "table undo")
    new = club.card
    await club.bo.click(new, label="Allow")
    assert (now(club, new).embeds[0].title or "").startswith("This roll was taken back.")
    assert ids(now(club, new)) == {}
    for label in ("Done", "Advice"):
        assert said(await late(club, club.ana, old, label)) == replaced_by(new)
        assert is_replaced(club, old, new)


async def test_a_seat_that_changes_hands(club: Club, gm: simcord.MemberActor) -> None:
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=1, with_="focus, lock", opponent=club.bo)
    old = club.card
    given: dict[str, Any] = {"side": "defender", "player": club.cleo}
    await gm.slash(club.channel, "table seat", **given)
    new = club.card
    assert is_replaced(club, old, new)
    assert said(await late(club, club.ana, old, "Focus: 1 to hit")) == replaced_by(new)
    assert is_replaced(club, old, new)
    assert next(iter(ids(now(club, new)))) == "Focus: 1 to hit"


async def test_rolling_again_leaves_the_first_card_as_it_is(club: Club) -> None:
    club.dice.will_show(3)
    await club.ana.slash(club.channel, "roll", dice="1d6")
    old = club.card
    club.dice.will_show(4)
    await club.ana.click(old, label="Roll again")
    assert f"[previous roll]({old.jump_url})" in (club.embed.description or "")
    newest = club.card
    told = said(await late(club, club.ana, old, "Roll again"))
    assert told.startswith("Someone pressed first. The card is up to date now")
    assert now(club, old).embeds[0].title == "Ana rolls 4."
    assert list(ids(now(club, old))) == ["How?"]
    assert club.card.id == newest.id, "nothing new was rolled"


async def test_advice_that_is_out_of_date_links_to_the_card(club: Club) -> None:
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=1, with_="focus, lock", opponent=club.bo)
    card = club.card
    advice = await asked(club, club.ana)
    await club.ana.click(card, label="Focus: 1 to hit")
    for label in ("Done", "Keep tokens"):
        told = said(await club.ana.click(advice, label=label))
        assert told == (
            "Someone has pressed since you asked, so this is out of date. Look at the card and ask again. "
            f"[Go to the card]({card.jump_url})"
        )


async def test_a_press_that_counts_on_an_older_card_makes_it_the_card(club: Club) -> None:
    """After a crash the bot may take another card for the newest one; people play where the buttons are."""
    club.dice.red("focus")
    await club.attack(dice=1, agility=0, with_="focus")
    other = club.card
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    card = club.card
    assert isinstance(club.env.bot, App)
    _, session, *_ = ids(card)["Done"].split(":")
    club.env.bot.links.note(int(session), other.id)
    await club.ana.click(card, label="Done")
    assert now(club, card).embeds[0].title == "Ana misses the defender."
    assert is_replaced(club, other, card)


async def test_a_card_that_was_posted_while_a_press_was_shown_stays_the_card(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.dice.red("focus")
    await club.attack(dice=1, agility=0, with_="focus")
    newer = club.card
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    assert isinstance(club.env.bot, App)
    card, links = club.card, club.env.bot.links
    session = int(ids(card)["Done"].split(":")[1])
    show = roll_message.update_card

    async def slow(*given: Any, **more: Any) -> None:
        links.note(session, newer.id)  # as whoever takes something back does
        await show(*given, **more)

    monkeypatch.setattr(roll_message, "update_card", slow)
    await club.ana.click(card, label="Done")
    assert links.of_session(session, None) == newer.id
    assert is_replaced(club, card, newer)
    assert not is_replaced(club, newer, card)


async def test_a_private_choice_on_a_card_that_is_gone_is_shown_with_its_picture(club: Club) -> None:
    """The card cannot be edited, so a new one comes; its picture is whole though the edit has tried to send it."""
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=1, with_="focus, lock", opponent=club.bo)
    advice = await asked(club, club.ana)
    club.env.backend.delete_message(club.channel.id, club.card.id)
    await club.ana.click(advice, label="Focus: 1 to hit")
    (file,) = club.card.attachments
    assert (await file.read()).startswith(b"\x89PNG")
    assert file.size > 1000
    assert next(iter(ids(club.card))) == "Done"
