"""Who may press what, and presses that come too late, twice, from elsewhere, or were made up."""

import asyncio
from dataclasses import replace

import pytest

from bot.games import GAMES
from bot.sessions.links import ShownPlies
from bot.sessions.roll import Played
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

DEFEND = "Defend: enter your tokens"


async def opened(club: Club, **options: object) -> None:
    await club.attack(**({"dice": 2, "with_": "focus"} | options))


# Seats


async def test_a_named_opponent_is_called_once(club: Club) -> None:
    await opened(club, opponent=club.bo)
    assert club.card.content == club.bo.mention
    assert club.sent["allowed_mentions"] == {"parse": [], "users": [club.bo.id]}

    club.dice.red("focus hit")
    await club.defend(club.bo, "0")
    assert not club.sent["content"], "the call goes with the first press"
    assert not club.card.content


async def test_only_the_named_opponent_defends(club: Club) -> None:
    await opened(club, opponent=club.bo)
    assert said(await club.cleo.click(club.card, label=DEFEND)).startswith("This choice is for Bo (defender).")
    assert (await club.bo.click(club.card, label=DEFEND)).modal is not None


async def test_the_first_other_person_takes_an_open_seat(club: Club) -> None:
    await opened(club)
    assert "Defender: open" in await club.facts()
    assert "Anyone else" in (club.embed.description or "")
    club.dice.red("focus hit")
    await club.defend(club.cleo, "1", "evade")
    assert "Defender: Cleo" in await club.facts()
    club.dice.green("blank")
    await club.ana.click(club.card, label="Done")
    assert "Cleo (defender)" in said(await club.bo.click(club.card, label="Done"))
    await club.cleo.click(club.card, label="Evade: 1 blank to evade")
    assert club.outcome == "Ana misses Cleo."


async def test_of_two_open_forms_the_first_that_is_sent_counts(club: Club) -> None:
    await opened(club)
    of_bo = await club.bo.click(club.card, label=DEFEND)
    of_cleo = await club.cleo.click(club.card, label=DEFEND)
    club.dice.red("focus hit")
    await club.cleo.submit_modal(of_cleo, {"agility": "1", "tokens": ""})
    late = said(await club.bo.submit_modal(of_bo, {"agility": "3", "tokens": "evade 2"}))
    assert "The card is up to date now" in late
    assert "evade 2" in late, "what Bo typed is not lost"
    assert "Defender: Cleo" in await club.facts()


async def test_the_attacker_may_not_defend(club: Club) -> None:
    await opened(club)
    assert "You're playing the other side" in said(await club.ana.click(club.card, label=DEFEND))


async def test_one_person_may_name_themselves_to_try_it_out(club: Club) -> None:
    await opened(club, opponent=club.ana)
    assert club.card.content == "", "nobody need be called"
    club.dice.red("focus hit")
    await club.defend(club.ana, "0")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert club.outcome == "Ana hits the defender: 2 hits."


async def test_a_bot_is_no_opponent(club: Club) -> None:
    robot = club.guild.add_member(club.env.create_user("robot", bot=True))
    assert "Bots can't play a side here" in said(await club.attack(dice=2, opponent=robot))


async def test_a_stranger_may_not_press(club: Club) -> None:
    club.dice.red("focus hit")
    await opened(club, agility=1, opponent=club.bo)
    assert "Ana (attacker)" in said(await club.cleo.click(club.card, label="Focus: 1 to hit"))
    assert "Ana (attacker)" in said(await club.bo.click(club.card, label="Done"))
    assert club.labels == ["Focus: 1 to hit", "Done"], "nothing happened"


async def test_loose_dice_belong_to_whoever_rolled_them(club: Club) -> None:
    club.dice.red("hit")
    await club.ana.slash(club.channel, "xwing roll", red=1)
    assert "Ana (attacker)" in said(await club.bo.click(club.card, label="Roll all again"))


async def test_the_attacker_may_withdraw_and_the_defender_may_not(club: Club) -> None:
    await opened(club)
    assert "Ana (attacker)" in said(await club.bo.click(club.card, label="Withdraw the attack"))
    await club.ana.click(club.card, label="Withdraw the attack")
    assert club.outcome == "Ana withdraws the attack; nothing was rolled."
    assert club.labels == []


# Forms


@pytest.mark.parametrize(
    ("agility", "tokens", "words"),
    [
        ("7", "", ["```agility\n", "`7`", "0 to 6"]),
        ("-1", "", ["```agility\n", "`-1`"]),
        ("²", "", ["```agility\n"]),
        ("2", "evade, focs", ["```tokens\n", "`focs`", "Did you mean `focus`?"]),
        ("2", "lock", ["```tokens\n", "`lock`"]),
        ("2", "hull", ["`hull`", "1 to 30"]),
        ("2", "``` @everyone", ["```tokens\n"]),
    ],
)
async def test_a_form_that_does_not_parse_loses_nothing(
    club: Club, agility: str, tokens: str, words: list[str]
) -> None:
    await opened(club)
    whisper = said(await club.defend(club.bo, agility, tokens))
    for word in words:
        assert word in whisper
    typed = whisper.split("You typed:")[1]
    assert agility in typed
    assert tokens.replace("`", "'") in typed
    assert club.labels == [DEFEND, "I roll my attack dice on camera", "Withdraw the attack"], (
        "the attack waits as before"
    )

    club.dice.red("focus hit")
    await club.defend(club.bo, "0")
    assert "Defender: Bo" in await club.facts()


async def test_a_long_text_that_does_not_parse_comes_back_whole(club: Club) -> None:
    order = "\n".join(f"Angus-{number} 12 b2 vs Ortega-{number} 11" for number in range(1, 12)) + "\nMurat 13 nonsens"
    whisper = said(await club.submit(club.ana, "rc1:new:infinity", {"order": order}))
    assert "`nonsens`" in whisper
    assert order in whisper
    assert len(whisper) <= 2000, "Discord takes no more"


@pytest.mark.parametrize("custom_id", ["rc1:new:ludo", "rc1:new:", "rc1:9:0:defend"])
async def test_forms_of_nothing_are_refused(club: Club, custom_id: str) -> None:
    whisper = said(await club.submit(club.ana, custom_id, {"order": "Angus 12", "x" * 50: "y" * 4000}))
    assert "I don't know this button" in whisper or "no record of this roll" in whisper
    assert len(whisper) <= 2000


# Presses that Discord's own app would not make


async def test_a_stale_press_brings_the_card_up_to_date_and_says_so(club: Club) -> None:
    club.dice.red("focus hit")
    await opened(club, agility=0)
    focus, done = club.custom_id("focus"), club.custom_id("done")
    await club.press(club.ana, focus)
    assert club.outcome == "Ana hits the defender: 2 hits."
    await club.restart()  # the last answer of the bot before may have been lost

    late = await club.press(club.ana, done)
    assert "The card is up to date now" in said(late)
    shown = club.env.http_requests[-2]
    assert shown.json is not None
    assert shown.json["type"] == 7, "the card was sent once more"
    assert club.outcome == "Ana hits the defender: 2 hits."
    assert len(club.card.attachments) == 1


async def test_a_stale_press_on_a_card_that_is_up_to_date_draws_no_card(club: Club) -> None:
    club.dice.red("focus hit")
    await opened(club, agility=0)
    focus, done = club.custom_id("focus"), club.custom_id("done")
    await club.press(club.ana, focus)
    before = len(club.env.http_requests)
    for _ in range(2):
        assert "The card is up to date now" in said(await club.press(club.ana, done))
    sent = [request.json for request in club.env.http_requests[before:]]
    assert [item["type"] for item in sent if item is not None] == [4, 4], "a sentence for the person alone, and no card"


def test_a_card_whose_change_failed_is_not_up_to_date() -> None:
    shown, roll = ShownPlies(), Played(7, 3, GAMES["albion"], None, {})
    failing = shown.showing(1, roll)
    failing.__enter__()
    assert shown.is_newest(1, roll), "while it is on its way, nobody else need send it"
    assert not failing.__exit__(OSError, OSError("lost"), None)
    assert not shown.is_newest(1, roll)
    with shown.showing(1, roll):
        pass
    assert shown.is_newest(1, replace(roll, ply=2))
    assert not shown.is_newest(1, replace(roll, ply=4))
    assert not shown.is_newest(1, replace(roll, session=8))
    assert not shown.is_newest(2, roll)


def test_only_so_many_cards_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sessions.links.MAX_SHOWN", 2)
    shown, roll = ShownPlies(), Played(7, 3, GAMES["albion"], None, {})
    for message in (1, 2, 3):
        with shown.showing(message, roll):
            pass
    assert [shown.is_newest(message, roll) for message in (1, 2, 3)] == [False, True, True]


async def test_of_two_presses_at_once_one_counts(club: Club) -> None:
    club.dice.red("blank blank")
    await opened(club, agility=0, with_="lock")
    lock = club.custom_id("lock")
    club.dice.red("hit")
    answers = await asyncio.gather(*(club.press(club.ana, lock, ["0"]) for _ in range(8)))
    whispers = [said(answer) for answer in answers if answer.response is not None and answer.response.ephemeral]
    assert len(whispers) == 7
    assert all("The card is up to date now" in whisper for whisper in whispers)
    assert club.outcome == "Ana hits the defender: 1 hit."


@pytest.mark.parametrize(
    ("custom_id", "sentence"),
    [
        ("rc1:999:0:done", "no record of this roll"),
        ("rc1:1:0:x", "That isn't possible now"),
        ("rc1:1:0:effect-7", "That isn't possible now"),
        ("rc1:1:0:DONE", "I don't know this button"),
        ("rc1:abc", "I don't know this button"),
        ("rc1:1:0:done\n", "I don't know this button"),
        ("rc1:999999999999999999:999999999:done", "no record of this roll"),
        ("rc1:１:0:done", "I don't know this button"),
        ("rc1:1:7:done", "The card is up to date now"),
        ("rc1:", "I don't know this button"),
    ],
)
async def test_forged_ids_are_refused(club: Club, custom_id: str, sentence: str) -> None:
    club.dice.red("focus hit")
    await opened(club, agility=0)
    assert sentence in said(await club.press(club.ana, custom_id))
    assert club.labels == ["Focus: 1 to hit", "Done"]


@pytest.mark.parametrize("picked", [["7"], ["0", "0"], ["-1"], ["x" * 90], ["0", "1", "2"]])
async def test_forged_picks_are_refused(club: Club, picked: list[str]) -> None:
    club.dice.red("blank blank")
    await opened(club, agility=0, with_="lock")
    refused = said(await club.press(club.ana, club.custom_id("lock"), picked))
    assert "Look at the newest card" in refused
    assert "Something broke" not in refused


async def test_a_pick_without_dice_and_a_button_with_dice_are_refused(club: Club) -> None:
    club.dice.red("focus blank")
    await opened(club, agility=0, with_="lock, focus")
    assert "Choose 1 to 2, not 0" in said(await club.press(club.ana, club.custom_id("lock")))
    assert "One of those dice can't be chosen now" in said(await club.press(club.ana, club.custom_id("focus"), ["0"]))


@pytest.mark.parametrize("custom_id", ["rc1:table:clear", "rc1:table:keep", "rc1:1:0:done", "rc1:1:0:advice-damage"])
async def test_a_form_that_no_card_opened_is_refused(club: Club, custom_id: str) -> None:
    """There would be no card to bring up to date, and the table would be clear by then."""
    club.dice.red("focus hit")
    await opened(club, agility=0)
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", numbers="3/2/4/2")
    assert "I don't know this button" in said(await club.submit(club.ana, custom_id, {"agility": "1"}))
    await club.ana.slash(club.channel, "xwing ship list")
    assert any("Luke" in (field.name or "") for field in club.embed.fields)


async def test_a_button_is_of_no_use_in_another_channel(club: Club) -> None:
    club.dice.red("focus hit")
    await opened(club, agility=0)
    done = club.custom_id("done")
    elsewhere = club.guild.create_text_channel("elsewhere")
    club.channel = elsewhere
    club.dice.red("focus hit")
    await opened(club, agility=0)
    assert "no record of this roll in this channel" in said(await club.press(club.ana, done))


@pytest.mark.parametrize(
    "custom_id", ["other:1:0:done", "rc2:1:0:done", "RC1:1:0:DONE", "", "\n2026 ERROR bot: hacked"]
)
async def test_foreign_ids_are_a_sentence_and_one_line_in_the_log(
    club: Club, custom_id: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Discord sends a press only to the bot whose message it is on, so nobody else will answer."""
    club.dice.red("focus hit")
    await opened(club, agility=0)
    assert "I don't know this button" in said(await club.press(club.ana, custom_id))
    assert "I don't know this button" in said(await club.submit(club.ana, custom_id, {"agility": "1"}))
    assert club.labels == ["Focus: 1 to hit", "Done"]
    lines = [record.getMessage() for record in caplog.records if record.name == "bot.ui.dispatch.router"]
    assert len(lines) == 2
    assert all(repr(custom_id) in line and "\n" not in line for line in lines)


# The bot is another one by now


async def test_old_buttons_live_on_after_a_restart(club: Club) -> None:
    club.dice.red("focus blank")
    await opened(club, agility=1, with_="focus, lock", opponent=club.bo)
    await club.restart()
    club.dice.red("crit")
    await club.ana.select(club.card, ["1"], custom_id=club.custom_id("lock"))
    await club.restart()
    club.dice.green("evade")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert club.outcome == "Ana hits Bo: 1 crit."
    assert "Defender: Bo" in await club.facts()


async def test_a_form_that_was_opened_before_a_restart_counts(club: Club) -> None:
    await opened(club)
    form = await club.bo.click(club.card, label=DEFEND)
    await club.restart()
    club.dice.red("focus hit")
    await club.bo.submit_modal(form, {"agility": "0", "tokens": ""})
    assert club.outcome == "Ana against Bo: 1 hit."
    assert "Defender: Bo" in await club.facts()


async def test_the_bot_remembers_no_views_and_no_forms(club: Club) -> None:
    for _ in range(5):
        await opened(club)
        await club.bo.click(club.card, label=DEFEND)
        club.dice.red("focus hit")
        await club.defend(club.bo, "0")
    kept = club.env.bot._connection._view_store
    assert not kept._views
    assert not kept._modals
    assert not kept._dynamic_items
    assert not kept._synced_message_views
