"""An attack with ships on the mat alone, on Discord: one command, then a press for each token that is spent."""

import pytest
import simcord

from tests.cogs.rulesets import choose
from tests.cogs.test_partner import me
from tests.conftest import Club, said

pytestmark = pytest.mark.claims


async def test_a_bare_attack_is_one_command_and_a_press_for_each_side_without_tokens(club: Club) -> None:
    club.dice.red("hit focus blank")
    await club.attack(dice=3, agility=2)
    assert club.labels == ["Focus", "Calculate", "Force", "Done", "Lock: reroll"]
    assert "Ana's turn." in str(club.embed.description)
    club.dice.green("focus blank")
    await club.ana.click(club.card, label="Done")
    assert club.labels == ["Focus", "Calculate", "Force", "Evade", "Done"]
    asked = "Waiting for someone to play the defender: press the tokens you spend, or press Done. To cancel: 1 hit."
    assert asked in str(club.embed.description)
    await club.bo.click(club.card, label="Done")
    assert club.outcome == "Ana hits Bo: 1 hit."


async def test_a_lock_is_one_list(club: Club) -> None:
    club.dice.red("hit blank blank")
    await club.attack(dice=3, agility=0, opponent=club.bo)
    assert club.labels == ["Done", "Lock: reroll"]
    club.dice.red("hit hit")
    await club.rerolls("1", "2")
    assert club.outcome == "Ana against Bo: 3 hits. Ana spends 1 lock."
    await club.bo.click(club.card, label="Reinforce")
    assert club.outcome == "Ana hits Bo: 2 hits. Ana spends 1 lock. Bo reinforces that arc."


async def test_a_channel_may_say_that_there_are_no_tokens(club: Club, gm: simcord.MemberActor) -> None:
    await choose(club, gm, "xwing_tokens", "No tokens")
    club.dice.red("hit focus blank")
    club.dice.green("focus blank")
    await club.attack(dice=3, agility=2, opponent=club.bo)
    assert club.outcome == "Ana hits Bo: 1 hit."


async def test_for_a_silent_friend_one_press_rolls_for_both(club: Club) -> None:
    club.dice.red("hit")
    club.dice.green("blank")
    await club.attack(dice=1, agility=1, opponent=club.bo)
    assert "Bo's turn" in str(club.embed.description)
    assert "This choice is for Bo" in said(await club.ana.click(club.card, label="Evade"))
    await club.ana.click(club.card, label="I roll for both")
    assert club.labels == ["Evade", "Done"]
    assert "Ana, for the defender" in str(club.embed.description)
    await club.ana.click(club.card, label="Done")
    assert club.outcome == "Ana hits Bo: 1 hit."


async def test_a_friend_who_comes_late_still_presses(club: Club) -> None:
    club.dice.red("hit")
    club.dice.green("blank")
    await club.attack(dice=1, agility=1, opponent=club.bo)
    await club.ana.click(club.card, label="I roll for both")
    await club.bo.click(club.card, label="Evade")
    assert club.outcome == "Ana misses Bo. Bo spends 1 evade token."


async def test_before_the_dice_the_same_press_asks_what_the_silent_friend_brings(club: Club) -> None:
    await club.attack(dice=1, opponent=club.bo)
    shown = await club.ana.click(club.card, label="I roll for both")
    club.dice.red("hit")
    club.dice.green("blank")
    await club.ana.submit_modal(shown, {"agility": "1", "tokens": ""})
    assert "Ana, for the defender" in str(club.embed.description)


async def test_a_secret_attack_asks_nobody(club: Club) -> None:
    club.dice.red("hit focus")
    club.dice.green("blank")
    answer = await club.attack(dice=2, agility=1, secret=True)
    assert "Ana hits the defender: 1 hit." in str(answer.response.embeds[0].title if answer.response else "")


async def test_the_same_again_changes_range_and_target_without_a_form(club: Club) -> None:
    club.dice.red("hit")
    club.dice.green("evade")
    await club.attack(dice=1, agility=1, range_=2, opponent=club.bo)
    assert club.labels == ["Attack again"]
    club.dice.red("hit crit")
    club.dice.green("evade evade blank")
    await club.ana.select(club.card, ["range-1", "agility-3"], custom_id=club.custom_id("again-but"))
    assert club.outcome == "Ana misses Bo."
    assert "with other values" in str(club.embed.description)
    assert "X-Wing · range 1" in str(club.embed.to_dict())


async def test_odds_know_no_tokens_that_nobody_typed(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing odds", dice=1, agility=0)
    assert "0.5" in str(club.embed.to_dict()), "4 of 8 faces are hits or crits"


async def test_the_bot_as_an_opponent_claims_nothing(club: Club) -> None:
    club.dice.red("hit")
    club.dice.green("blank")
    await club.attack(dice=1, agility=1, opponent=me(club))
    assert club.outcome.startswith("Ana hits ")
