"""Advice as people ask for it: private, for the one whose window it is, and nothing is stored by it."""

import sqlite3
from contextlib import closing
from typing import Any

import discord
import pytest
import simcord

from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

ADVICE = "Advice"


async def opened(club: Club, **options: object) -> None:
    """Two attack dice, a focus and a blank; Ana has a lock and a focus, Bo two hull and an evade."""
    club.dice.red("focus blank")
    await club.attack(
        **{"dice": 2, "agility": 1, "with_": "focus, lock", "against": "evade, hull 2", "opponent": club.bo} | options
    )


async def asked(club: Club, by: simcord.MemberActor) -> discord.Message:
    """The private answer to a press of Advice."""
    return private(await by.click(club.card, label=ADVICE))


def private(result: simcord.InteractionResult) -> discord.Message:
    answers = [item for item in (result.response, *result.followups) if item is not None]
    assert len(answers) == 1
    assert answers[0].ephemeral
    return answers[0].message


def stored(club: Club) -> list[Any]:
    with closing(sqlite3.connect(club.file)) as database:
        return database.execute("SELECT * FROM ply ORDER BY session_id, number").fetchall()


def lines(message: discord.Message | discord.Embed) -> list[str]:
    """The bars in words: the alt text of the picture, without its heading."""
    embed = message if isinstance(message, discord.Embed) else message.embeds[0]
    return str(embed.to_dict().get("image", {}).get("description")).replace("\N{NO-BREAK SPACE}", " ").splitlines()


def told(message: discord.Message) -> dict[str, str]:
    """The numbers of each choice that is shown at first."""
    parted = (line.rpartition(": ") for line in lines(message)[1:])
    return {choice: numbers.removesuffix(".") for choice, _, numbers in parted}


def buttons(message: discord.Message) -> dict[str | None, discord.Button]:
    items = (item for row in message.components for item in getattr(row, "children", ()))
    return {item.label: item for item in items if isinstance(item, discord.Button)}


async def test_the_one_whose_window_it_is_sees_what_each_choice_is_worth(club: Club) -> None:
    await opened(club)
    before, card = stored(club), club.card.id
    answer = await asked(club, club.ana)
    assert answer.embeds[0].author.name == "Advice: most damage"
    assert answer.embeds[0].title == "Best choice: Lock: reroll die 2 (blank)"
    assert lines(answer)[0] == "Average damage:", "no choice destroys the ship, so that is left out"
    assert [line.rsplit(":", 1)[0] for line in lines(answer)[1:]] == [
        "★ Lock: reroll die 2 (blank)",
        "Focus: 1 to hit",
        "Done",
    ]
    assert lines(answer)[-1] == "Done: 0."
    result = await club.ana.click(answer, label="More")
    assert not result.followups, "the private answer itself is changed"
    _, best, focus, done, keep, lock = lines(discord.Embed.from_dict(club.sent["embeds"][0]))
    # With 2 hits 15/16: an evade token cancels one, a die shows an evade in 3 of 8.
    assert best.startswith("★ Lock: reroll die 2 (blank): ")
    assert focus.startswith("Focus: 1 to hit: ")
    assert "At least 1 damage 0%" in done
    assert "focus left 1 · lock left 1" in done
    assert keep.startswith("Keep focus: ")
    assert "evades added to 2 defense dice 0.5" in keep
    assert lock.startswith("Keep lock: ")
    assert club.card.id == card, "nobody else sees it"
    assert club.labels == ["Focus: 1 to hit", "Done", "Lock: reroll"]
    assert stored(club) == before


async def test_a_press_changes_the_aim_in_place(club: Club) -> None:
    await opened(club)
    first = await asked(club, club.ana)
    assert list(buttons(first))[3:] == ["Most damage", "Destroy the ship", "A crit", "Keep tokens", "More"]
    assert [label for label, item in buttons(first).items() if item.disabled] == ["Most damage"]
    before = stored(club)
    result = await club.ana.click(first, label="Keep tokens")
    shown = club.sent
    assert shown["embeds"][0]["author"]["name"] == "Advice: keep tokens"
    assert lines(discord.Embed.from_dict(shown["embeds"][0]))[1].startswith("★ Done: ")
    assert result.acknowledged
    assert not result.followups, "the private answer itself is changed"
    assert (club.env.http_requests[-1].json or {})["type"] == 7
    assert stored(club) == before


async def test_a_choice_is_taken_from_its_line_as_from_the_card(club: Club) -> None:
    await opened(club)
    answer = await asked(club, club.ana)
    best = "Lock: reroll die 2 (blank)"
    assert list(buttons(answer))[:3] == [best, "Focus: 1 to hit", "Done"]
    await club.ana.click(answer, label="More")
    whole = discord.Embed.from_dict(club.sent["embeds"][0])
    assert lines(whole)[1].startswith("★ Lock: reroll die 2 (blank): ")
    card = club.card.id
    club.dice.red("hit")
    await club.ana.click(answer, label=best)
    assert "Done" in str(club.sent.get("content")), "and the private answer says where to look"
    assert club.card.id == card, "the card that was there shows it"
    assert club.outcome == "Ana against Bo: 1 hit."
    assert "rerolled to hit (lock)" in await club.how()


async def test_a_choice_of_old_advice_is_refused(club: Club) -> None:
    await opened(club)
    answer = await asked(club, club.ana)
    await club.ana.click(club.card, label="Focus: 1 to hit")
    before = stored(club)
    refused = said(await club.ana.click(answer, label="Done"))
    assert "pressed" in refused
    assert stored(club) == before


async def test_the_others_hear_whose_window_it_is(club: Club) -> None:
    await opened(club)
    for other in (club.bo, club.cleo):
        assert said(await other.click(club.card, label=ADVICE)).startswith("This choice is for Ana (attacker).")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    club.dice.green("blank")
    await club.ana.click(club.card, label="Done")
    assert "Bo (defender)" in said(await club.ana.click(club.card, label=ADVICE))
    answer = await asked(club, club.bo)
    assert answer.embeds[0].author.name == "Advice: least damage"
    assert list(told(answer)) == ["★ Evade: 1 blank to evade", "Done"]


async def test_whoever_may_take_a_free_seat_may_ask(club: Club) -> None:
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=1, with_="focus, lock", against="evade, hull 2")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    club.dice.green("blank")
    await club.ana.click(club.card, label="Done")
    assert "You're playing the other side" in said(await club.ana.click(club.card, label=ADVICE))
    assert told(await asked(club, club.cleo))
    assert told(await asked(club, club.bo)), "to ask is not to sit down"


async def test_advice_on_a_ply_that_is_past_is_settled(club: Club) -> None:
    await opened(club)
    button, answer = club.custom_id("advice-damage"), await asked(club, club.ana)
    await club.ana.click(club.card, label="Focus: 1 to hit")
    late = await club.press(club.ana, button)
    assert "pressed" in said(late)
    assert club.labels == ["Done", "Lock: reroll"], "the card was brought up to date"
    again = await club.ana.click(answer, label="A crit")
    assert "pressed" in said(again)
    edits = [request for request in club.env.http_requests[-2:] if (request.json or {}).get("type") == 7]
    assert not edits, "a private answer never becomes the card"


async def test_a_choice_forged_onto_the_private_answer_does_not_count(club: Club) -> None:
    await opened(club)
    before, done, answer = stored(club), club.custom_id("done"), await asked(club, club.ana)
    assert "I don't know this button" in said(await club.press(club.ana, done, on=answer))
    assert stored(club) == before


async def test_advice_survives_a_restart(club: Club) -> None:
    await opened(club)
    answer = await asked(club, club.ana)
    await club.restart()
    await club.ana.click(answer, label="A crit")
    assert club.sent["embeds"][0]["author"]["name"] == "Advice: a crit"
    assert told(await asked(club, club.ana))


@pytest.mark.parametrize("aim", ["nonsense", "", "9"])
async def test_made_up_aims_are_refused(club: Club, aim: str) -> None:
    await opened(club)
    assert "That isn't possible now" in said(await club.press(club.ana, f"rc1:1:0:advice-{aim}"))


async def test_there_is_no_advice_where_no_dice_are_to_be_modified(club: Club) -> None:
    await club.attack(dice=2)
    assert ADVICE not in labels(club), "the defender has still to say what they bring"
    assert "no advice" in said(await club.press(club.bo, "rc1:1:0:advice-damage"))
    club.dice.red("hit")
    await club.ana.slash(club.channel, "xwing roll", red=1)
    assert ADVICE not in labels(club)
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    assert ADVICE not in labels(club)
    assert "no advice" in said(await club.press(club.ana, "rc1:3:0:advice-damage")), "it is over"


def labels(club: Club) -> list[str]:
    return [str(label) for label in buttons(club.card)]


async def test_advice_fits_on_the_fullest_card_that_can_be_typed(club: Club) -> None:
    cards = "reroll 1 blank, reroll 1, change 1 blank to focus, change 1 focus to hit, change 1 hit to crit, add 1 hit"
    club.dice.red("focus blank hit crit")
    await club.attack(dice=4, agility=0, with_=f"focus, calculate, force, lock, {cards}, add 1 crit")
    assert "Use a card" in club.labels, "beside Another card the buttons of cards are one list"
    assert ADVICE in labels(club)


async def test_advice_that_would_take_too_long_is_refused_in_words(club: Club) -> None:
    club.dice.red("blank blank focus focus hit crit")
    await club.attack(
        dice=6,
        agility=6,
        with_="lock, calculate 2, force 2, reroll 3, reroll 2 blank or focus, add 4 blank, add 4 focus",
        against="focus, evade 3",
    )
    told = said(await club.ana.click(club.card, label=ADVICE))
    assert "exact odds can check at most" in told
    assert "Something broke" not in told


async def test_luck_is_on_the_card_when_it_is_over(club: Club) -> None:
    club.dice.red("crit crit")
    club.dice.green("blank")
    await club.attack(dice=2, agility=1)
    # Both attack dice show a hit or crit and the defense die no evade: 1/4 * 5/8.
    assert (club.embed.footer.text or "").endswith("Ana's luck: best possible (16%)")
    await opened(club)
    assert "Luck" not in (club.embed.footer.text or ""), "it is not over"


async def test_of_several_best_choices_it_says_that_they_are_equally_good(club: Club) -> None:
    """Which of two cards that both help comes first does not matter."""
    club.dice.red("focus blank")
    await club.attack(
        dice=2, agility=0, with_="change 1 focus to hit, change 1 blank to hit", against="hull 2", opponent=club.bo
    )
    answer = await asked(club, club.ana)
    assert answer.embeds[0].title == "Equally good choices: Card: 1 focus to hit or Card: 1 blank to hit"
    assert [line.rsplit(":", 1)[0] for line in lines(answer)][1:3] == [
        "★ Card: 1 focus to hit",
        "★ Card: 1 blank to hit",
    ]
