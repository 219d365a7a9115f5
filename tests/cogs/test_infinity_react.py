"""An open Face to Face between two people, Saving Rolls after hits, and dice rolled by hand."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest
import simcord
from simcord.enums import ComponentType

from tests.cogs.test_infinity import typed, will_show
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

REACT = "React"


async def react(
    club: Club, by: simcord.MemberActor, sv: str, mods: str = "", **more: str | list[str]
) -> simcord.InteractionResult:
    shown = await by.click(club.card, label=REACT)
    return await by.submit_modal(shown, {"sv": sv, "mods": mods} | more)


async def save(club: Club, by: simcord.MemberActor, label: str, **filled: str) -> simcord.InteractionResult:
    shown = await by.click(club.card, label=label)
    return await by.submit_modal(shown, {"weapon": "N PS 7", "armour": "3", "mods": "", "dice": ""} | filled)


def small(club: Club) -> str:
    return (club.embed.footer.text or "").splitlines()[-1]


# The open challenge


async def test_no_die_falls_before_the_answer_is_in(club: Club) -> None:
    await typed(club, "versus", sv=12, burst=3, opponent=club.bo)  # the dice of the test refuse to be rolled
    assert club.outcome == "Ana declares SV 12, Burst 3."
    assert club.labels == [REACT, "Withdraw"]
    assert club.card.content == club.bo.mention
    assert club.card.attachments == []

    will_show(club, 9, 4, 17, 5)
    await react(club, club.bo, "11")
    assert club.outcome == "Ana wins, 1 hit."
    assert club.labels == ["Saving Rolls (1)", "Again"]
    assert len(club.channel.history(viewer=club.ana)) == 1


async def test_the_form_asks_what_the_other_side_does(club: Club) -> None:
    await typed(club, "versus", sv=12)
    shown = await club.bo.click(club.card, label=REACT)
    assert shown.modal is not None
    lines = {line["component"]["custom_id"]: line["component"] for line in shown.modal["components"]}
    assert list(lines) == ["sv", "kind", "around", "mods", "dice"]
    assert lines["kind"]["type"] == ComponentType.RADIO_GROUP
    around = lines["around"]
    assert around["type"] == ComponentType.STRING_SELECT, "these are more than the ten that boxes hold"
    assert around["max_values"] == len(around["options"]) > 10
    assert [name for name, line in lines.items() if line["required"]] == ["sv"]
    will_show(club, 9, 14, 8)
    await club.bo.submit_modal(shown, {"sv": "11-3", "mods": "b1 +6 +1sd", "kind": "dodge"})
    assert club.outcome == "Bo dodges."
    assert "Bo SV 14 (11 -3 +6), Burst 1, +1 SD, Dodge" in await club.how()
    assert club.labels == ["Again"], "a Dodge causes no damage"


async def test_only_the_named_opponent_reacts(club: Club) -> None:
    await typed(club, "versus", sv=12, opponent=club.bo)
    assert said(await club.cleo.click(club.card, label=REACT)).startswith("This choice is for Bo (defender).")
    assert (await club.bo.click(club.card, label=REACT)).modal is not None


async def test_without_a_name_anybody_but_the_asker_reacts(club: Club) -> None:
    await typed(club, "versus", sv=12, name="Angus", vs_name="Ortega")
    assert club.outcome == "Angus declares SV 12, Burst 1. Who reacts?"
    assert "You're playing the other side" in said(await club.ana.click(club.card, label=REACT))
    will_show(club, 4, 7)
    await react(club, club.cleo, "11")
    assert club.outcome == "Ortega wins, 1 hit."


async def test_of_two_answers_the_first_counts(club: Club) -> None:
    await typed(club, "versus", sv=12)
    of_bo = await club.bo.click(club.card, label=REACT)
    of_cleo = await club.cleo.click(club.card, label=REACT)
    will_show(club, 4, 7)
    await club.cleo.submit_modal(of_cleo, {"sv": "11"})
    late = said(await club.bo.submit_modal(of_bo, {"sv": "13"}))
    assert "The card is up to date now" in late
    assert club.outcome == "Cleo wins, 1 hit."


async def test_only_the_asker_withdraws(club: Club) -> None:
    await typed(club, "versus", sv=12)
    assert "Ana (attacker)" in said(await club.bo.click(club.card, label="Withdraw"))
    await club.ana.click(club.card, label="Withdraw")
    assert club.outcome == "Ana withdraws; nothing was rolled."
    assert club.labels == []


async def test_an_open_challenge_and_its_form_survive_restarts(club: Club) -> None:
    await typed(club, "versus", sv=12, opponent=club.bo)
    await club.restart()
    shown = await club.bo.click(club.card, label=REACT)
    await club.restart()
    will_show(club, 4, 7)
    await club.bo.submit_modal(shown, {"sv": "11"})
    assert club.outcome == "Bo wins, 1 hit."


@pytest.mark.parametrize(
    ("filled", "words"),
    [
        ({"sv": "eleven"}, ["```sv\n", "`eleven`", "Write a number"]),
        ({"sv": "11", "mods": "two", "around": ["cover"]}, ["```mods\n", "`two`", "```around\ncover\n```"]),
    ],
)
async def test_an_answer_that_does_not_parse_loses_nothing(
    club: Club, filled: dict[str, Any], words: list[str]
) -> None:
    await typed(club, "versus", sv=12)
    whisper = said(await react(club, club.bo, **filled))
    for word in words:
        assert word in whisper, whisper
    assert club.labels == [REACT, "Withdraw"]
    assert filled["sv"] in whisper.split("You typed:")[1]


# Both sides at once, and whose the follow-ups are


async def test_a_gm_types_both_sides_and_makes_the_saves(club: Club) -> None:
    will_show(club, 9, 5)
    await typed(club, "versus", sv=12, vs_sv=11, name="Angus", vs_name="Ortega")
    assert "Ortega: roll your saves." in (club.embed.description or "")
    will_show(club, 11)
    await save(club, club.ana, "Ortega saves (1)")
    assert club.outcome == "Angus wins, 1 hit. Ortega fails the Saving Roll: 1 Wound."
    assert club.labels == ["Guts Roll: Ortega", "Again"], "each hit is saved against once"


async def test_the_saves_of_a_named_opponent_are_theirs(club: Club) -> None:
    will_show(club, 9, 5)
    await typed(club, "versus", sv=12, vs_sv=11, opponent=club.bo)
    for other in (club.ana, club.cleo):
        assert "Bo (defender)" in said(await other.click(club.card, label="Saving Rolls (1)"))
    will_show(club, 10)
    await save(club, club.bo, "Saving Rolls (1)")
    assert club.outcome == "Ana wins, 1 hit. Bo passes the Saving Roll."


async def test_anybody_saves_for_a_target_that_nobody_plays_and_takes_that_seat(club: Club) -> None:
    will_show(club, 9)
    await typed(club, "roll", sv=12)
    will_show(club, 10)
    await save(club, club.cleo, "Saving Rolls (1)")
    assert club.outcome == "Ana scores 1 hit. Cleo passes the Saving Roll."
    assert "Ana (attacker)" in said(await club.cleo.click(club.card, label="Again"))


@pytest.mark.parametrize(
    ("filled", "words"),
    [
        ({"weapon": "nails PS 7"}, ["```weapon\n", "`nails`", "Write a weapon like"]),
        ({"dice": "8, 9"}, ["```dice\n", "exactly 1"]),
    ],
)
async def test_saving_rolls_that_do_not_parse_lose_nothing(
    club: Club, filled: dict[str, str], words: list[str]
) -> None:
    will_show(club, 9)
    await typed(club, "roll", sv=12)
    whisper = said(await save(club, club.bo, "Saving Rolls (1)", **filled))
    for word in words:
        assert word in whisper, whisper
    assert club.labels[0] == "Saving Rolls (1)"


async def test_an_order_has_saving_rolls_for_each_who_was_hit(club: Club) -> None:
    will_show(club, 9, 12, 5, 3)
    await typed(club, "order", text="Angus 12 b2 vs Ortega 11; Murat 13 normal vs Angus")
    assert club.labels == [
        "Ortega saves (2)",
        "Angus saves (1)",
        "Again",
    ]
    will_show(club, 11, 12, 3)
    await save(club, club.ana, "Ortega saves (2)")
    will_show(club, 16)
    await save(club, club.ana, "Angus saves (1)", weapon="N PS 10", armour="2", mods="cover")
    assert club.outcome == (
        "Angus beats Ortega, 2 hits (1 Critical). Murat scores 1 hit on Angus. "
        "Ortega fails 2 of 3 Saving Rolls: 2 Wounds. Angus fails the Saving Roll: 1 Wound."
    )


# Dice rolled by hand


async def test_the_card_says_who_entered_the_dice(club: Club) -> None:
    await typed(club, "versus", sv=12, name="Angus", dice="9, 4", vs_sv=11, vs_name="Ortega", vs_dice="5")
    assert small(club).endswith("Dice entered by Ana"), "she typed both sides"
    assert club.labels == ["Ortega saves (1)"], "what was rolled by hand is not rolled again"


async def test_each_side_enters_its_own(club: Club) -> None:
    await typed(club, "versus", sv=12, burst=2, dice="9, 4")
    assert "9" not in club.outcome
    assert "9" not in small(club), "the dice are not shown before the answer is in"
    shown = await club.bo.click(club.card, label=REACT)
    assert shown.modal is not None
    assert shown.modal["components"][-1]["component"]["custom_id"] == "dice"
    await react(club, club.bo, "11", dice=["5"])
    assert club.outcome == "Ana wins, 1 hit."
    assert small(club).endswith("Dice entered by Ana and Bo")


async def test_the_opponent_of_an_order_makes_the_saves_of_that_side(club: Club) -> None:
    will_show(club, 9, 5, 8)
    order = "Angus 12 vs Ortega 11; Murat 13 N PS 7 vs Diaz ARM 1"
    await typed(club, "order", text=order, opponent=club.bo)
    assert club.labels[:2] == ["Ortega saves (1)", "Diaz saves (1)"]
    assert "Bo (defender)" in said(await club.ana.click(club.card, label="Diaz saves (1)"))
    shown = await club.bo.select(club.card, ["mods-2"], custom_id=club.custom_id("more"))
    assert shown.modal is not None
    filled = {line["component"]["custom_id"]: line["component"].get("value") for line in shown.modal["components"]}
    assert (filled["weapon"], filled["armour"]) == ("PS 7 N", "ARM 1")
    will_show(club, 2)
    await club.bo.click(club.card, label="Diaz saves (1)")
    assert club.outcome.endswith("Diaz passes the Saving Roll.")


async def test_a_name_in_the_small_print_is_harmless(club: Club) -> None:
    rogue = club.guild.add_member(club.env.create_user("rogue", global_name="**@everyone**"))
    await rogue.slash(club.channel, "infinity roll", sv=12, dice="9")
    assert "@everyone" not in small(club)
    assert "entered by" in small(club)


async def test_entered_dice_are_known_as_such_ever_after(club: Club) -> None:
    """What statistics will skip: the step of the stored die, signed by the side that typed it."""
    await typed(club, "roll", sv=12, dice="9")
    with closing(sqlite3.connect(club.file)) as rolls:
        ((state,),) = rolls.execute("SELECT state FROM ply").fetchall()
    assert '{"how":"entered","face":9,"by":"attacker"}' in state
