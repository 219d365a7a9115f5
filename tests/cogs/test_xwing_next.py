"""What comes next stands on the card of an attack that is over: a round is played there, the board is not needed."""

import json
import sqlite3
from contextlib import closing
from typing import Any

import discord
import pytest
import pytest_asyncio
import simcord

from bot.rules.errors import PlayerError
from bot.runtime.app import App
from bot.sessions.request import Person, Place, Request
from bot.store.pieces import Player
from bot.ui.table import board as boards, board_actions
from tests.cogs.test_xwing_board import alt, board, evening, filled, items, more, title, to_engagement
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

__all__ = ["evening"]

ANYBODY = ("Undo", "How?", "More", "Board")


def shown(card: discord.Message) -> list[str]:
    return [label for label in map(label_of, items(card)) if label not in ANYBODY]


def label_of(item: Any) -> str:
    return str(getattr(item, "label", None) or getattr(item, "placeholder", ""))


def now(club: Club, card: discord.Message) -> discord.Message:
    return next(item for item in club.channel.history(viewer=club.ana) if item.id == card.id)


async def fires(club: Club, by: simcord.MemberActor, card: discord.Message, label: str, target: str) -> discord.Message:
    """Press an attack, fill in its form, and finish it: every die shows a blank. The new card."""
    opened = await by.click(card, label=label)
    assert opened.modal is not None
    club.dice.red("blank blank blank")
    club.dice.green("blank blank blank")
    form = {"weapon": "Primary", "defender": target, "range": "2"}
    await by.submit_modal(opened, filled(opened.modal, form))
    if "Done" in club.labels:
        await by.click(club.card, label="Done")
    club.dice.waiting.clear()
    return club.card


async def test_a_finished_attack_says_who_is_next_and_links_to_the_board(evening: Club) -> None:
    await to_engagement(evening)
    card = await fires(evening, evening.ana, board(evening), "Attack", "Howlrunner")
    assert shown(card) == ["Next: Howlrunner attacks", "Skip Howlrunner"]
    (link,) = [item for item in items(card) if label_of(item) == "Board"]
    assert link.url == board(evening).jump_url
    blue = [item for item in items(card) if getattr(item, "style", None) is discord.ButtonStyle.primary]
    assert [label_of(item) for item in blue] == ["Next: Howlrunner attacks"]
    refused = await evening.ana.click(card, label="Next: Howlrunner attacks")
    assert refused.modal is None
    assert said(refused) == "Howlrunner belongs to Bo, so only Bo or a GM can do that."


async def test_what_comes_next_stands_on_the_newest_card_alone(evening: Club) -> None:
    await to_engagement(evening)
    first = await fires(evening, evening.ana, board(evening), "Attack", "Howlrunner")
    second = await fires(evening, evening.bo, first, "Next: Howlrunner attacks", "Luke Skywalker")
    assert shown(now(evening, first)) == [], "it stands on the newest card"
    assert shown(second) == ["Next: Blue Squadron Escort attacks", "Skip Blue Squadron Escort"]
    await evening.ana.click(second, label="Skip Blue Squadron Escort")
    assert shown(now(evening, second)) == ["Next: Academy Pilot attacks", "Skip Academy Pilot"]
    assert now(evening, second).content == "Ana skips Blue Squadron Escort."
    assert len(evening.channel.history()) == len({first.id, second.id}) + 3, "two squads, the board, two attacks"


async def test_a_late_press_says_what_comes_next_now(evening: Club) -> None:
    await to_engagement(evening)
    card = await fires(evening, evening.ana, board(evening), "Attack", "Howlrunner")
    late = next(item.custom_id for item in items(card) if label_of(item) == "Skip Howlrunner")
    await evening.bo.slash(evening.channel, "xwing engage", ship="Howlrunner")
    told = said(await evening.press(evening.bo, late, on=card))
    assert told.startswith("Howlrunner has changed in the meantime.")
    assert shown(now(evening, card)) == ["Next: Blue Squadron Escort attacks", "Skip Blue Squadron Escort"]
    await evening.restart()
    await evening.ana.click(now(evening, card), label="Skip Blue Squadron Escort")
    assert shown(now(evening, card))[0] == "Next: Academy Pilot attacks", "a restart loses nothing"
    gone = next(item.custom_id for item in items(now(evening, card)) if "Skip " in label_of(item))
    await evening.bo.slash(evening.channel, "xwing ship remove", name="Academy Pilot")
    assert said(await evening.press(evening.bo, gone, on=card)).startswith("That ship has left the table.")
    assert shown(now(evening, card)) == ["End the round"]


async def test_a_step_that_is_typed_or_made_on_the_board_is_followed_by_the_newest_card(evening: Club) -> None:
    await to_engagement(evening)
    card = await fires(evening, evening.ana, board(evening), "Attack", "Howlrunner")
    await evening.bo.slash(evening.channel, "xwing token give", ship="Howlrunner", token="focus")
    opened = await evening.bo.click(now(evening, card), label="Next: Howlrunner attacks")
    assert opened.modal is not None, "it stands as it was shown"
    await evening.bo.slash(evening.channel, "xwing engage", ship="Howlrunner")
    assert shown(now(evening, card)) == ["Next: Blue Squadron Escort attacks", "Skip Blue Squadron Escort"]
    assert "Board" in map(label_of, items(now(evening, card)))
    await more(evening, evening.ana, "phase")
    assert "Next: Blue Squadron Escort attacks" not in shown(now(evening, card)), "the round is over"


def killed(club: Club) -> None:
    """The bot dies before it has written down on which messages its rolls are."""
    client = club.env.bot
    assert isinstance(client, App)
    client.links._waiting.clear()


@pytest.mark.parametrize("is_shown", [False, True])
async def test_an_attack_that_a_kill_kept_from_being_shown_is_shown_to_who_presses_on_what_was_before(
    evening: Club, *, is_shown: bool
) -> None:
    """It is stored and its ship has engaged, so the card before says so; one whose card is pressed is not doubled."""
    await to_engagement(evening)
    first = await fires(evening, evening.ana, board(evening), "Attack", "Howlrunner")
    again = next(item.custom_id for item in items(first) if label_of(item) == "Next: Howlrunner attacks")
    second = await fires(evening, evening.bo, first, "Next: Howlrunner attacks", "Luke Skywalker")
    if is_shown:
        killed(evening)
    else:  # nobody has pressed on it either
        with closing(sqlite3.connect(evening.file)) as stranger:
            stranger.execute("DELETE FROM ply WHERE session_id = (SELECT max(id) FROM session) AND number > 0")
            stranger.commit()
        killed(evening)
    await evening.restart()
    cards = len(evening.channel.history())
    late = await evening.press(evening.bo, again, on=first)
    assert said(late).startswith("Howlrunner has changed in the meantime.")
    result = evening.channel.history()[cards:]
    assert [
        one.content.startswith("I was interrupted, so Discord may not have accepted this roll's card before")
        for one in result
    ] == ([] if is_shown else [True])
    assert second.id in {one.id for one in evening.channel.history()}


@pytest.mark.parametrize("is_shown", [True, False])
async def test_after_a_kill_discord_is_asked_whether_a_command_has_its_card(evening: Club, *, is_shown: bool) -> None:
    """The bot was killed after Discord had taken the card and before it heard so: 4 times of 4 it stood there twice."""
    await to_engagement(evening)
    first = await fires(evening, evening.ana, board(evening), "Attack", "Howlrunner")
    again = next(item.custom_id for item in items(first) if label_of(item) == "Next: Howlrunner attacks")
    evening.dice.red("blank blank blank")
    await evening.bo.slash(evening.channel, "xwing attack", attacker="Howlrunner", defender="Luke Skywalker")
    evening.dice.waiting.clear()
    with closing(sqlite3.connect(evening.file)) as stranger:  # nobody has pressed on it yet
        (token,) = stranger.execute("SELECT answer FROM session WHERE game = 'xwing' ORDER BY id DESC").fetchone()
        assert token
    killed(evening)
    await evening.restart()
    if not is_shown:
        evening.env.inject_error("GET", "/webhooks/*/*/messages/*", status=404)
    cards = len(evening.channel.history())
    assert said(await evening.press(evening.bo, again, on=first)).startswith("Howlrunner has changed in the meantime.")
    result = evening.channel.history()[cards:]
    assert [
        one.content.startswith("I was interrupted, so Discord may not have accepted this roll's card before")
        for one in result
    ] == ([] if is_shown else [True])
    client = evening.env.bot
    assert isinstance(client, App)
    await client.links.write()
    with closing(sqlite3.connect(evening.file)) as stranger:
        shown_at, kept = stranger.execute(
            "SELECT message_id, answer FROM session WHERE game = 'xwing' ORDER BY id DESC"
        ).fetchone()
    assert shown_at is not None
    assert kept is None, "the token goes once the message is known"


async def test_after_a_kill_the_next_command_is_carried_out_as_well(evening: Club) -> None:
    """Whoever typed it has been told nothing of a lost card."""
    await to_engagement(evening)
    await fires(evening, evening.ana, board(evening), "Attack", "Howlrunner")
    evening.dice.red("blank blank blank")
    await evening.bo.slash(evening.channel, "xwing attack", attacker="Howlrunner", defender="Luke Skywalker")
    killed(evening)
    await evening.restart()
    client = evening.env.bot
    assert isinstance(client, App)
    evening.env.inject_error("GET", "/webhooks/*/*/messages/*", status=404)
    client.lost.mark_maybe_unseen(evening.channel.id, evening.bo.id)
    before = len(evening.channel.history())
    evening.dice.waiting.clear()
    evening.dice.will_show(2)
    await evening.bo.slash(evening.channel, "roll", dice="d6")
    new = evening.channel.history()[before:]
    assert len(new) == 2, "the roll, and the card that may have been lost"
    assert "d6" in str(new[0].embeds[0].to_dict())
    assert new[1].content.startswith("I was interrupted")


async def all_engaged(evening: Club) -> tuple[discord.Message, discord.Message]:
    """Play until all ships have engaged; return the board of before, and the card on which the round can end."""
    await to_engagement(evening)
    old = board(evening)
    card = await fires(evening, evening.ana, old, "Attack", "Howlrunner")
    await evening.bo.click(card, label="Skip Howlrunner")
    await evening.ana.click(card, label="Skip Blue Squadron Escort")
    await evening.bo.click(card, label="Skip Academy Pilot")
    return old, card


@pytest.mark.parametrize("handful", [0, 4])
async def test_the_board_comes_down_when_the_round_ends_if_it_is_out_of_sight(
    evening: Club, monkeypatch: pytest.MonkeyPatch, handful: int
) -> None:
    monkeypatch.setattr(boards, "HANDFUL", handful)
    old, card = await all_engaged(evening)
    assert shown(now(evening, card)) == ["End the round"]
    await evening.bo.click(card, label="End the round")
    assert title(evening) == "Round 2, Planning Phase. Who is the first player? Roll."
    if handful:
        assert board(evening).id == old.id, "one card up is in sight"
        assert shown(now(evening, card)) == ["Roll for the first player"]
        evening.dice.red("crit blank blank hit hit hit")
        await evening.bo.click(card, label="Roll for the first player")
        assert shown(now(evening, card)) == ["Next: Luke Skywalker attacks", "Skip Luke Skywalker"]
        return
    assert board(evening).id > card.id, "it came down"
    assert now(evening, old).content == f"This board was replaced. [Go to the new one]({board(evening).jump_url})"
    assert shown(now(evening, card)) == []
    await more(evening, evening.ana, "phase")
    assert "Luke Skywalker (5), next to engage" in alt(evening)


async def test_a_board_that_a_kill_came_before_comes_with_the_next_press(evening: Club) -> None:
    old, card = await all_engaged(evening)
    again = next(item.custom_id for item in items(now(evening, card)) if label_of(item) == "End the round")
    await evening.bo.click(card, label="End the round")
    assert board(evening).id == old.id, "one card up is in sight"
    await evening.restart()
    refused = said(await evening.press(evening.bo, again, on=card))
    assert "has changed in the meantime" in refused or "isn't possible now" in refused or "can't do that now" in refused
    assert board(evening).id > card.id, "nobody asks for it by a command"
    await evening.press(evening.ana, again, on=card)
    assert len([item for item in evening.channel.history() if item.id > card.id and item.embeds]) == 1, "it comes once"


async def test_a_bystander_and_a_card_without_ships_have_nothing_next(evening: Club) -> None:
    await to_engagement(evening)
    card = await fires(evening, evening.ana, board(evening), "Attack", "Howlrunner")
    refused = await evening.cleo.click(card, label="Skip Howlrunner")
    assert "belongs to Bo" in said(refused)
    evening.dice.red("blank")
    await evening.cleo.slash(evening.channel, "xwing attack", dice=1, agility=0)
    assert shown(evening.card) == ["Attack again", "Attack again, but…"], "numbers alone are no ships of this match"
    assert shown(now(evening, card)) == ["Next: Howlrunner attacks", "Skip Howlrunner"]


async def test_after_an_attack_that_was_taken_back_comes_what_came_before_it(evening: Club) -> None:
    await to_engagement(evening)
    first = await fires(evening, evening.ana, board(evening), "Attack", "Howlrunner")
    await evening.bo.click(first, label="Skip Howlrunner")
    await fires(evening, evening.ana, now(evening, first), "Next: Blue Squadron Escort attacks", "Academy Pilot")
    await evening.take_back(evening.ana, evening.bo)
    assert shown(evening.card)[:1] == ["Next: Blue Squadron Escort attacks"]
    assert evening.outcome.startswith("This roll was taken back.")


async def test_the_board_comes_down_to_a_typed_end_of_the_round_that_has_put_it_out_of_sight(evening: Club) -> None:
    await to_engagement(evening)
    old = board(evening)
    card = await fires(evening, evening.ana, old, "Attack", "Howlrunner")
    for by, ship in ((evening.bo, "Howlrunner"), (evening.ana, "Blue Squadron Escort"), (evening.bo, "Academy Pilot")):
        await by.slash(evening.channel, "xwing engage", ship=ship)
    assert board(evening).id == old.id, "four cards are a handful"
    await evening.bo.slash(evening.channel, "xwing endphase")
    assert board(evening).id > old.id
    assert now(evening, old).content == f"This board was replaced. [Go to the new one]({board(evening).jump_url})"
    assert title(evening) == "Round 2, Planning Phase. Who is the first player? Roll."
    assert shown(now(evening, card)) == [], "what comes next stands on the board"
    new = board(evening)
    await evening.bo.slash(evening.channel, "xwing phase")
    assert board(evening).id == new.id, "one card up is in sight"


async def test_without_a_board_a_typed_phase_brings_none(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", numbers="3/2/4/2 i5", name="Luke")
    for _ in range(6):
        await club.ana.slash(club.channel, "xwing endphase")
    assert all(
        "rc1:on:" not in str(getattr(item, "custom_id", "")) for m in club.channel.history() for item in items(m)
    )


# What may still follow before


ARMED = {"gunner": ["bossk"]}
"""Gives its ship the right to a bonus attack after it missed, for a stress token."""
BOSSK = "Bossk: bonus attack by Luke Skywalker"


@pytest_asyncio.fixture(loop_scope="module")
async def armed(club: Club) -> Club:
    """Luke (5) has Bossk as his gunner; Howlrunner (5) is next after him."""
    luke = {"faction": "rebelalliance", "pilots": [{"id": "lukeskywalker", "upgrades": ARMED}]}
    bo = {"faction": "galacticempire", "pilots": [{"id": "howlrunner"}]}
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(luke), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(bo))
    return club


async def test_a_bonus_attack_stands_before_what_comes_next_and_is_blue(armed: Club) -> None:
    card = await fires(armed, armed.ana, board(armed), "Attack", "Howlrunner")
    assert shown(card) == [BOSSK, "No bonus attack", "Next: Howlrunner attacks", "Skip Howlrunner"]
    blue = [item for item in items(card) if getattr(item, "style", None) is discord.ButtonStyle.primary]
    assert [label_of(item) for item in blue] == [BOSSK]


async def test_next_says_once_that_a_bonus_attack_is_left(armed: Club) -> None:
    card = await fires(armed, armed.ana, board(armed), "Attack", "Howlrunner")
    asked = await armed.bo.click(card, label="Next: Howlrunner attacks")
    assert asked.modal is None
    assert said(asked) == "Luke Skywalker may still make a bonus attack, thanks to Bossk. Continue?"
    opened = await armed.bo.click(private_of(asked), label="Continue")
    assert opened.modal is not None
    armed.dice.red("blank blank")
    armed.dice.green("blank blank")
    form = {"weapon": "Primary", "defender": "Luke Skywalker", "range": "2"}
    await armed.bo.submit_modal(opened, filled(opened.modal, form))
    assert armed.card.id != card.id
    armed.dice.waiting.clear()  # Howlrunner may reroll first


async def test_who_passes_the_bonus_attack_by_lets_the_next_ship_attack(armed: Club) -> None:
    card = await fires(armed, armed.ana, board(armed), "Attack", "Howlrunner")
    assert "Ana" in said(await armed.bo.click(card, label="No bonus attack"))
    await armed.ana.click(card, label="No bonus attack")
    assert shown(now(armed, card)) == ["Next: Howlrunner attacks", "Skip Howlrunner"]
    opened = await armed.bo.click(now(armed, card), label="Next: Howlrunner attacks")
    assert opened.modal is not None


async def test_a_skip_that_was_asked_about_is_done_by_the_answer(armed: Club) -> None:
    card = await fires(armed, armed.ana, board(armed), "Attack", "Howlrunner")
    asked = await armed.bo.click(card, label="Skip Howlrunner")
    done = await armed.bo.click(private_of(asked), label="Continue")
    assert done.response is not None
    assert now_private(done) == "Done. The board is up to date."
    assert "End the round" in shown(now(armed, card))


def private_of(asked: Any) -> discord.Message:
    (answer,) = [item for item in (asked.response, *asked.followups) if item is not None]
    assert answer.ephemeral
    message: discord.Message = answer.message
    return message


def now_private(done: Any) -> str:
    return str(done.response.content)


async def test_a_gm_who_presses_next_of_somebody_elses_ship_confirms_it(evening: Club, gm: simcord.MemberActor) -> None:
    await to_engagement(evening)
    card = await fires(evening, evening.ana, board(evening), "Attack", "Howlrunner")
    asked = await gm.click(card, label="Next: Howlrunner attacks")
    assert said(asked) == "Howlrunner belongs to Bo, so only Bo or a GM can do that. Continue?"
    skipped = await gm.click(card, label="Skip Howlrunner")
    assert said(skipped) == "This skips Howlrunner, which belongs to Bo. Continue?"
    left = await gm.click(private_of(asked), label="Cancel")
    assert now_private(left) == "Canceled. Nothing has changed."
    assert shown(now(evening, card))[0] == "Next: Howlrunner attacks"
    asked = await gm.click(card, label="Next: Howlrunner attacks")
    opened = await gm.click(private_of(asked), label="Continue")
    assert opened.modal is not None
    assert opened.modal["title"] == "Howlrunner attacks"
    refused = await evening.cleo.click(card, label="Skip Howlrunner")
    assert said(refused).startswith("Only people who play here") or "belongs to Bo" in said(refused)


async def test_a_skip_of_somebody_elses_ship_is_told_to_everybody(evening: Club, gm: simcord.MemberActor) -> None:
    await to_engagement(evening)
    card = await fires(evening, evening.ana, board(evening), "Attack", "Howlrunner")
    asked = await gm.click(card, label="Skip Howlrunner")
    await gm.click(private_of(asked), label="Continue")
    assert now(evening, card).content == "Gil skips Howlrunner."
    assert shown(now(evening, card))[0] == "Next: Blue Squadron Escort attacks"


@pytest.mark.parametrize(("who", "is_allowed"), [(1, True), (2, True), (3, False)])
def test_what_the_bot_has_to_choose_anybody_chooses_for_it(who: int, is_allowed: bool) -> None:
    """Nobody waits for it at the start of a phase: it claims nothing that has to be measured."""
    asked = Request(Person(1, "Ana"), Place(1, 2), bot_id=2)
    holder = Player(1, who, "Someone")
    if is_allowed:
        board_actions.check_for(holder, asked)
    else:
        with pytest.raises(PlayerError, match="Only Someone or a GM can choose that"):
            board_actions.check_for(holder, asked)
