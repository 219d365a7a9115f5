"""`/roll` as people type it: any dice, their odds, undo, settings, and what is refused."""

from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import Mock

import pytest
import simcord

from bot.render import paint
from bot.resources import worker_pool
from bot.runtime.app import App
from cogs.roll import system_here
from tests.cogs.rulesets import choose
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot


async def typed(club: Club, dice: str, **options: object) -> simcord.InteractionResult:
    return await club.ana.slash(club.channel, "roll", dice=dice, **options)


def footer(club: Club) -> list[str]:
    return (club.embed.footer.text or "").splitlines()


def show(club: Club, *faces: int) -> None:
    club.dice.will_show(*(face - 1 for face in faces))


MANY: Final = "10#5d20kh3+4d6"


async def test_many_dice_are_painted_elsewhere(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paint, "compose_picture", Mock(side_effect=AssertionError("others would wait for it")))
    show(club, *[5] * 50, *[3] * 40)
    await typed(club, MANY)
    (picture,) = club.card.attachments
    assert picture.description is not None
    assert (await picture.read()).startswith(b"\x89PNG")


async def test_many_dice_are_said_where_nobody_can_paint_them(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Mock(side_effect=OSError("no process can be started"))
    monkeypatch.setattr(worker_pool, "start", broken)
    app = club.env.bot
    assert isinstance(app, App)
    monkeypatch.setattr(app.workers, "_free", [])
    show(club, *[5] * 50, *[3] * 40)
    await typed(club, MANY)
    assert not club.card.attachments
    assert "**10**: " in str(club.embed.description)
    assert broken.called


async def test_the_card_has_the_total_the_dice_and_the_luck(club: Club) -> None:
    show(club, 6, 5, 3, 1)
    await typed(club, "4d6kh3 Strength")
    assert club.outcome == "Strength: Ana rolls 6 + 5 + 3 = 14."
    assert club.embed.author.name == "Any dice · 4d6kh3"
    assert footer(club) == []
    rules = (await club.facts())["Rules"]
    assert "Luck for a high result: better than 65% of rolls like this" in rules.replace("\N{NO-BREAK SPACE}", " ")
    (picture,) = club.card.attachments
    assert picture.description == "4d6kh3: 6, 5, 3, 1 (dropped). Result: 14"
    assert club.labels == ["Roll again"]


async def test_odds_are_shown_instead_of_a_roll(club: Club) -> None:
    await typed(club, "3d6", odds=True)
    assert club.outcome == "Average of 3d6: 10.5."
    fields = {field.name: field.value for field in club.embed.fields}
    assert fields["Range"] == "3 to 18, standard deviation 2.96"
    assert "at least 18: 0.5%" in (fields["Chances"] or "")
    await typed(club, "1d20+5>=15", odds=True)
    assert club.outcome == "Chance of a success: 55%."
    assert "I can roll this, but not calculate its exact odds" in said(await typed(club, "100d100", odds=True))


async def test_dice_by_hand_are_signed_and_may_be_forbidden(club: Club, gm: simcord.MemberActor) -> None:
    await typed(club, "2d6ro1", faces="1 6 5")
    assert club.outcome == "Ana rolls 5 + 6 = 11."
    assert footer(club)[-1] == "Dice entered by Ana"
    assert club.labels == []
    await choose(club, gm, "physical_dice", "off")
    assert "Dice rolled by hand aren't allowed in this channel" in said(await typed(club, "1d6", faces="3"))


async def test_rolled_again_is_a_new_card_and_undo_gives_the_same_dice(club: Club) -> None:
    show(club, 3)
    await typed(club, "1d20")
    show(club, 17)
    await club.ana.click(club.card, label="Roll again")
    assert club.outcome == "Ana rolls 17."
    assert "Second roll with the same values" in (club.embed.description or "")
    show(club, 8)
    await typed(club, "1d20")
    await club.take_back(club.ana)
    await typed(club, "1d20")
    assert club.outcome == "Ana rolls 8.", "dice that were seen come again"


@pytest.mark.parametrize("text", ["1d6e<7e<7", "(" * 60, "101d6", "6d10>=7+2", "drop table", "1d6r1"], ids=range(6))
async def test_what_cannot_be_rolled_is_answered_to_one_person(club: Club, text: str) -> None:
    assert said(await typed(club, text))
    assert club.channel.history(viewer=club.bo) == []


async def test_a_channel_may_switch_it_off_and_limit_the_dice(club: Club, gm: simcord.MemberActor) -> None:
    await choose(club, gm, "most_dice", "10")
    assert "That's 12 dice, but this channel allows at most 10 per roll" in said(await typed(club, "3#4d6"))
    await choose(club, gm, "games_off", "anydice")
    assert "Any dice is turned off in this channel" in said(await typed(club, "1d6"))


async def test_the_help_page_of_any_dice_has_its_command_and_the_notation(club: Club) -> None:
    result = await club.ana.slash(club.channel, "help", game="anydice")
    assert result.response is not None
    fields = result.response.embeds[0].fields
    assert "/roll" in [field.name for field in fields]
    text = "\n".join(field.value or "" for field in fields)
    assert "each die does so at most 10 times" in text


async def test_roll_this_rolls_what_a_message_says(club: Club) -> None:
    message = await club.bo.send(club.channel, "I swing: 1d20+5 to hit, then 1d8")
    show(club, 12)
    await club.ana.context_menu(club.channel, "Roll this", message)
    assert club.outcome == "Ana rolls 12 + 5 = 17."
    quiet = await club.bo.send(club.channel, "good evening")
    assert "no dice in this message" in said(await club.ana.context_menu(club.channel, "Roll this", quiet))


async def test_a_bystander_reads_whose_roll_it_is(club: Club) -> None:
    club.dice.will_show(3)
    await club.ana.slash(club.channel, "roll", dice="1d20")
    refused = said(await club.bo.click(club.card, label="Roll again"))
    assert refused == "This choice is for Ana. To play yourself, start your own roll."
    await club.attack(dice=2, opponent=club.bo)
    refused = said(await club.cleo.click(club.card, label="Withdraw the attack"))
    assert refused == "This choice is for Ana (attacker). To play yourself, start your own roll."
    refused = said(await club.bo.click(club.card, label="Withdraw the attack"))
    assert refused == "This choice is for Ana (attacker). Wait for your turn."


async def test_of_a_finished_roll_nobody_waits_for_a_turn(club: Club) -> None:
    club.dice.red("blank")
    club.dice.green("")
    await club.attack(dice=1, agility=0, opponent=club.bo)
    refused = said(await club.bo.click(club.card, label="Attack again"))
    assert refused == "This choice is for Ana (attacker). To play yourself, start your own roll."


async def test_how_names_whoever_typed_a_die(club: Club) -> None:
    await typed(club, "2d6", faces="6 5")
    assert (await club.facts())["Each die"] == "1\\. d6: entered by Ana: 6.\n2\\. d6: entered by Ana: 5."


async def test_two_readings_are_buttons_that_roll_one_or_the_other(club: Club) -> None:
    asked = await typed(club, "2d6 x 10", label="Fire")
    assert said(asked) == (
        "`2d6 x 10` could mean more than one thing. Write `10#2d6` (10 rolls) or `2d6*10` (times 10)."
    )
    assert buttons_of(asked) == ["10 rolls: 10#2d6", "Times 10: 2d6*10"]
    assert club.channel.history(viewer=club.bo) == [], "only Ana sees the question, and nothing is rolled"
    show(club, 3, 5)
    await club.ana.click(response_of(asked), label="Times 10: 2d6*10")
    assert club.outcome == "Fire: Ana rolls (3 + 5) × 10 = 80."
    assert club.embed.author.name == "Any dice · 2d6*10"


async def test_the_nearest_that_is_understood_is_a_button(club: Club) -> None:
    refused = await typed(club, "cyberpunk red handgun 14 vs DV 15", secret=True)
    assert buttons_of(refused) == ['Roll cpr +14 vs 15 "handgun"']
    show(club, 7)
    await club.ana.click(response_of(refused), label='Roll cpr +14 vs 15 "handgun"')
    assert "Ana made a secret roll" in (club.card.content or ""), "the other options of the command count too"


async def test_roll_this_asks_about_two_readings_too(club: Club) -> None:
    message = await club.bo.send(club.channel, "roll 4d6kh3 x6 for me")
    asked = await club.ana.context_menu(club.channel, "Roll this", message)
    assert buttons_of(asked) == ["6 rolls: 6#4d6kh3", "Times 6: 4d6kh3*6"]
    changed = await club.bo.send(club.channel, "roll 2d6 with advantage")
    assert "could change the roll: `with advantage`" in said(
        await club.ana.context_menu(club.channel, "Roll this", changed)
    )


def response_of(result: simcord.InteractionResult) -> Any:
    """The message that one person alone was answered."""
    assert result.response is not None
    return result.response.message


def buttons_of(result: simcord.InteractionResult) -> list[str]:
    """The labels of its buttons."""
    assert result.response is not None
    return [item["label"] for row in result.response.components for item in row["components"]]


async def test_a_system_is_named_by_an_option(club: Club) -> None:
    show(club, 6, 2, 6)
    await typed(club, "3", system="Blades in the Dark")
    assert club.outcome == "Ana rolls 6: a critical success."
    refused = await typed(club, "3", system="Blade Runner 2050")
    assert "I don't understand `Blade Runner 2050` in `system`." in said(refused)
    assert "Did you mean `blades`?" in said(await typed(club, "3", system="bladez"))


async def test_a_system_alone_rolls_what_it_rolls_by_itself_or_says_what_it_needs(club: Club) -> None:
    show(club, 4, 5)
    await club.ana.slash(club.channel, "roll", system="pbta")
    assert club.outcome == "Ana rolls 4 + 5 = 9: 7-9, a partial success."
    refused = said(await club.ana.slash(club.channel, "roll", system="Blades in the Dark"))
    assert "Blades in the Dark needs one more number (dice), as in `blades 3`" in refused
    form = await club.ana.slash(club.channel, "roll")
    assert "Type what to roll in `Dice, or a saved roll`" in said(await club.ana.submit_modal(form, {}))
    show(club, 1)
    await club.ana.submit_modal(await club.ana.slash(club.channel, "roll"), {"system": "coins"})
    assert club.outcome == "Ana rolls heads."
    await club.ana.slash(club.channel, "roll", system="genesys", dice="1g 1p", odds=True)
    assert club.outcome == "Average of 1d8+1d8: net successes 0.13, net advantages −0.12."


def test_the_topic_of_a_channel_fills_a_system_in() -> None:
    for topic, key in (
        ("Session 12. Dice: Daggerheart", "daggerheart"),
        ("dice: coc | be kind", "coc"),
        ("roll dice: here", ""),
        (None, ""),
    ):
        channel = SimpleNamespace(topic=topic)
        assert system_here(SimpleNamespace(channel=channel)) == key  # type: ignore[arg-type]  # of an interaction
        assert system_here(SimpleNamespace(channel=SimpleNamespace(parent=channel))) == key  # type: ignore[arg-type]  # a thread


async def test_a_table_may_allow_rerolls_of_a_finished_roll(club: Club, gm: simcord.MemberActor) -> None:
    show(club, 1, 5)
    await typed(club, "2d6")
    assert club.labels == ["Roll again"]
    await choose(club, gm, "rerolls", "on")
    show(club, 1, 5)
    await typed(club, "2d6")
    assert club.labels == ["Roll again", "Reroll these dice"]
    card = club.card
    show(club, 6)
    await club.ana.select(card, ["0"], custom_id=club.custom_id("reroll"))
    assert club.outcome == "Ana rolls 6 + 5 = 11."
    card, custom_id = club.card, club.custom_id("reroll")
    await choose(club, gm, "rerolls", "off")
    refused = await club.ana.select(card, ["0"], custom_id=custom_id)
    assert "Finished rolls can't be rerolled in this channel" in said(refused)
