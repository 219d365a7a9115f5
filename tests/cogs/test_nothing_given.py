"""A command that was typed with nothing after it: it opens a form, or answers; it never refuses."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import simcord

from bot.rules.text import english
from bot.runtime.app import App
from bot.ui.commands.options import Slash, form_of
from cogs.help import slashes
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot


def app(club: Club) -> App:
    assert isinstance(club.env.bot, App)
    return club.env.bot


def without_required(club: Club) -> Iterator[Slash]:
    """Every command that can be typed with nothing after it, though it has options."""
    for command in slashes(app(club)):
        if command.parameters and not any(parameter.required for parameter in command.parameters):
            yield command


def is_answer(result: simcord.InteractionResult) -> bool:
    """Whether somebody got a form, or an answer that is more than a refusal."""
    shown = [item for item in (result.response, *result.followups) if item is not None]
    return result.modal is not None or any(item.embeds or item.attachments or item.components for item in shown)


async def test_no_command_with_optional_options_refuses_when_nothing_is_given(club: Club, admin: Any) -> None:
    await admin.slash(club.channel, "ruleset set", setting="luck", value="off")  # so that there is something to reset
    await admin.slash(club.channel, "ruleset set", setting="advice", value="off")
    app(club).watching.url = "http://pages.test"  # as where the host has switched them on
    refused = []
    for command in sorted(without_required(club), key=lambda item: item.qualified_name == "ruleset reset"):
        result = await admin.slash(club.channel, command.qualified_name)
        if not is_answer(result):
            refused.append((command.qualified_name, result.response and result.response.content))
    assert not refused


async def test_each_form_has_at_most_five_fields_that_are_options_of_its_command(club: Club) -> None:
    forms = [(command, form) for command in slashes(app(club)) if (form := form_of(command)) is not None]
    assert len(forms) >= 10
    for command, form in forms:
        assert not any(parameter.required for parameter in command.parameters), command.qualified_name
        shown = (await club.ana.slash(club.channel, command.qualified_name)).modal
        assert shown is not None
        assert len(english(form.title)) <= 45
        labels = shown["components"]
        assert 1 <= len(labels) <= 5
        known = {parameter.display_name for parameter in command.parameters}
        assert {label["component"]["custom_id"] for label in labels} <= known, command.qualified_name


FIX = "Fix it"

FILLED: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "xwing attack": ({"dice": "1", "agility": "0"}, (0,)),
    "xwing roll": ({"red": "1"}, (0,)),
    "infinity roll": ({"sv": "12"}, (3,)),
    "infinity versus": ({"sv": "12", "vs_sv": "11"}, (3, 4)),
    "roll": ({"dice": "1d6"}, (3,)),
    "warsurge attack": ({"power": "6", "defence": "3"}, (3,)),
    "duel attack": ({"game": ["legion"], "line": "1r red saves"}, (7,)),
}
"""What is filled into the form of each command that can be kept secret, and the dice that fall."""


@pytest.mark.parametrize("secrecy", ["secret", "blind"])
@pytest.mark.parametrize("command", FILLED)
async def test_the_form_of_a_command_keeps_the_secret_that_was_typed(club: Club, command: str, secrecy: str) -> None:
    shown = await club.ana.slash(club.channel, command, **{secrecy: True})
    assert shown.modal is not None
    filled, dice = FILLED[command]
    club.dice.will_show(*dice)
    rolled = await club.ana.submit_modal(shown, filled)
    assert rolled.response is not None
    assert rolled.response.ephemeral
    assert f"Ana made a {secrecy} roll" in club.card.content


async def test_every_command_with_a_form_that_can_be_secret_is_tried(club: Club) -> None:
    forms = [command for command in slashes(app(club)) if form_of(command) is not None]
    can = {form.qualified_name for form in forms if "secret" in {each.display_name for each in form.parameters}}
    assert can == FILLED.keys()


async def test_a_refused_form_is_fixed_and_still_secret(club: Club) -> None:
    shown = await club.ana.slash(club.channel, "xwing roll", secret=True)
    refused = await club.ana.submit_modal(shown, {"red": "x"})
    assert refused.response is not None
    await club.restart()
    again = await club.ana.click(refused.response, label=FIX)
    club.dice.red("hit")
    rolled = await club.ana.submit_modal(again, {"red": "1"})
    assert rolled.response is not None
    assert rolled.response.ephemeral
    assert "Ana made a secret roll" in club.card.content
    await club.ana.slash(club.channel, "saved add", name="Peek")
    listed = await club.ana.slash(club.channel, "saved list")
    assert listed.response is not None
    assert "/xwing roll red:1 secret:True" in str(listed.response.embeds[0].to_dict())


async def test_a_secret_that_was_not_wanted_opens_the_form_too(club: Club) -> None:
    shown = await club.ana.slash(club.channel, "xwing roll", secret=False)
    club.dice.red("hit")
    await club.ana.submit_modal(shown, {"red": "1"})
    assert club.embed.author.name == "X-Wing dice"


@pytest.mark.parametrize("made_up", ["rc1:command:xwing-odds:secret", "rc1:command:xwing-ship-add:blind"])
async def test_a_made_up_form_keeps_no_secret_that_its_command_does_not_know(club: Club, made_up: str) -> None:
    told = said(await club.submit(club.ana, made_up, {"dice": "1"}))
    assert told.startswith("This form has changed. Type the command again.\nYou typed:")


async def test_an_attack_by_the_form_is_as_if_its_options_were_typed(club: Club) -> None:
    shown = await club.ana.slash(club.channel, "xwing attack")
    club.dice.red("hit focus blank")
    await club.ana.submit_modal(shown, {"dice": "3", "with": "focus", "agility": "2", "against": "evade"})
    assert "Focus: 1 to hit" in club.labels
    assert club.embed.author.name == "X-Wing"


async def ships(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name="Wedge", numbers="3/2/4/2 i6", player=club.ana)
    await club.bo.slash(club.channel, "xwing ship add", name="Howlrunner", numbers="2/3/3/0 i5", player=club.bo)


async def test_with_ships_on_the_table_the_form_lets_you_pick_yours_and_its_enemies(club: Club) -> None:
    await ships(club)
    shown = await club.bo.slash(club.channel, "xwing attack")
    assert shown.modal is not None
    entries = {part["component"]["custom_id"]: part["component"] for part in shown.modal["components"]}
    assert [*entries] == ["attacker", "weapon", "defender", "range", "circumstances"], "the form of the board"
    listed = [[item["value"] for item in entries[key]["options"]] for key in ("attacker", "defender")]
    assert listed == [["Howlrunner"], ["Wedge"]]
    club.dice.red("hit hit blank")
    club.dice.green("evade blank blank")
    weapon = [item["value"] for item in entries["weapon"]["options"]][:1]
    fields = {"attacker": ["Howlrunner"], "weapon": weapon, "defender": ["Wedge"], "range": "1"}
    await club.bo.submit_modal(shown, fields | {"circumstances": ["obstructed"]})
    assert club.embed.author.name == "X-Wing · range 1 · obstructed"
    assert club.outcome == "Howlrunner hits Wedge: 1 hit. Shields 2 to 1."


async def test_odds_ask_for_an_attack_in_the_words_of_the_attack(club: Club) -> None:
    await ships(club)
    asked = []
    for command in ("xwing attack", "xwing odds"):
        shown = await club.bo.slash(club.channel, command)
        assert shown.modal is not None
        parts = {part["component"]["custom_id"]: part for part in shown.modal["components"]}
        kept = [parts[key] for key in ("attacker", "defender", "range")]
        said = [(part["label"], part["component"].get("required"), part["component"].get("options")) for part in kept]
        asked.append(said)
    assert asked[0] == asked[1]


async def test_a_refused_form_says_all_that_is_wrong_and_opens_again_as_it_was(club: Club) -> None:
    shown = await club.ana.slash(club.channel, "xwing attack")
    typed = {"dice": "x", "with": "focs, lock, reroll 1 blnk", "agility": "2", "against": "evade"}
    refused = await club.ana.submit_modal(shown, typed)
    text = said(refused)
    assert "3 things are wrong" in text
    assert "Did you mean `focus`?" in text
    assert "Did you mean `blank`?" in text
    assert "`Dice: your weapon value (0 to 6)` was `x`" in text
    await club.restart()
    assert refused.response is not None
    again = await club.ana.click(refused.response, label=FIX)
    assert again.modal is not None
    assert {
        part["component"]["custom_id"]: part["component"].get("value") for part in again.modal["components"]
    } == typed
    club.dice.red("hit focus blank")
    await club.ana.submit_modal(again, typed | {"dice": "3", "with": "focus, lock, reroll 1 blank"})
    assert "Lock: reroll any dice" in club.labels or club.labels


async def test_a_fixed_answer_stands_on_the_card_that_everybody_sees(club: Club) -> None:
    await club.attack(dice=3)
    card = club.card.id
    refused = await club.defend(club.bo, "9", "evad, focs")
    assert "3 things are wrong" in said(refused)
    assert refused.response is not None
    again = await club.bo.click(refused.response, label=FIX)
    still = await club.bo.submit_modal(again, {"agility": "2", "tokens": "evade, focs"})
    club.dice.red("hit blank blank")
    club.dice.green("blank blank")
    once_more = await club.bo.click(refused.response, label=FIX)
    done = await club.bo.submit_modal(once_more, {"agility": "2", "tokens": "evade"})
    assert still.modal is None
    assert club.card.id == card
    assert "evade" not in club.outcome
    assert club.labels == ["Evade: 1 blank to evade", "Done"]
    assert done.modal is None
    assert len(club.channel.history(viewer=club.cleo)) == 1


async def test_a_refused_squad_is_fixed_in_the_form_that_held_it(club: Club) -> None:
    """Squads are longer than what a refusal quotes, so they are quoted below it."""
    pilots = [{"id": "lukeskywalker", "note": "x" * 300} for _ in range(8)]
    typed = json.dumps({"pilots": [*pilots, {"id": 5}, {"id": 6}]})
    assert 2000 < len(typed) < 4000
    refused = await club.ana.submit_modal(await club.ana.slash(club.channel, "xwing squad"), {"xws": typed})
    assert "2 things are wrong" in said(refused)
    assert refused.response is not None
    await club.restart()
    again = await club.ana.click(refused.response, label=FIX)
    assert again.modal is not None
    assert again.modal["components"][0]["component"]["value"] == typed
    await club.ana.submit_modal(again, {"xws": json.dumps({"pilots": pilots[:1]})})
    assert "joins the table" in club.outcome
    assert str(club.card.attachments[0].description).startswith("Luke Skywalker (")


async def test_a_squad_of_which_nothing_is_known_is_fixed_too(club: Club) -> None:
    shown = await club.ana.slash(club.channel, "xwing squad")
    refused = await club.ana.submit_modal(shown, {"xws": '{"pilots": [{"id": "lukeskywolker"}]}'})
    assert "I don't know any pilot in this squad" in said(refused)
    assert refused.response is not None
    again = await club.ana.click(refused.response, label=FIX)
    assert again.modal is not None
    assert again.modal["components"][0]["component"]["value"] == '{"pilots": [{"id": "lukeskywolker"}]}'


async def test_a_word_for_the_seal_is_fixed_and_stands_on_the_message_of_all(club: Club) -> None:
    await club.ana.slash(club.channel, "table seal", opponent=club.bo)
    asked = club.card
    refused = await club.bo.submit_modal(await club.bo.click(asked, label="Give a seed word"), {"word": "lu\u200dck"})
    assert "visible characters" in said(refused)
    assert refused.response is not None
    await club.restart()
    again = await club.bo.click(refused.response, label=FIX)
    assert again.modal is not None
    done = await club.bo.submit_modal(again, {"word": "otter"})
    assert done.modal is None
    assert club.card.id == asked.id
    assert "Bo: otter" in club.card.content


@pytest.mark.parametrize("flag", [False, True])
async def test_an_order_is_fixed_in_the_form_that_held_it(club: Club, flag: bool) -> None:
    shown = await club.ana.slash(club.channel, "infinity order", aros=flag)
    refused = await club.ana.submit_modal(shown, {"order": "Angus 12 b9 vs Ortega eleven"})
    assert refused.response is not None
    await club.restart()
    again = await club.ana.click(refused.response, label=FIX)
    assert again.modal is not None
    assert again.modal["components"][0]["component"]["value"] == "Angus 12 b9 vs Ortega eleven"
    if not flag:
        club.dice.will_show(9, 12)
    await club.ana.submit_modal(again, {"order": "Angus 12 vs Ortega 11"})
    assert "Angus" in club.outcome or "Who reacts" in club.outcome


async def test_a_shot_is_fixed_in_the_form_that_held_it(club: Club) -> None:
    line = "BS 12, PH 10, W 1, Combi: B3 PS 7 N +3@16 -3@32, Pistol: B2 PS 6 N +6@8"
    await club.ana.slash(club.channel, "infinity profile set", name="Angus", stats=line)
    shown = await club.ana.slash(club.channel, "infinity versus", name="Angus", vs_name="Ortega")
    typed = {"name": "Angus Pistol", "at": "0-8", "mods": "3 -x", "name_b": "Ortega"}
    refused = await club.ana.submit_modal(shown, typed)
    assert refused.response is not None, said(refused)
    again = await club.ana.click(refused.response, label=FIX)
    assert again.modal is not None
    parts = {part["component"]["custom_id"]: part["component"] for part in again.modal["components"]}
    assert [item["value"] for item in parts["name"]["options"] if item.get("default")] == ["Angus Pistol"]
    assert parts["mods"]["value"] == "3 -x"
    await club.ana.slash(club.channel, "infinity profile remove", name="Angus")
    gone = await club.ana.click(refused.response, label=FIX)
    assert said(gone) == "This form can't be opened again. Type the command again."


async def test_a_shot_is_by_a_trooper_of_ones_own_and_a_bystander_is_refused_before_the_form(club: Club) -> None:
    for by, name in ((club.ana, "Angus"), (club.bo, "Ortega")):
        await by.slash(club.channel, "infinity profile set", name=name, stats="BS 12, Combi: B3 PS 7 N +3@16 -3@32")
    for by, own, other in ((club.ana, "Angus", "Ortega"), (club.bo, "Ortega", "Angus")):
        shown = await by.slash(club.channel, "infinity versus")
        assert shown.modal is not None
        fields = {part["component"]["custom_id"]: part["component"] for part in shown.modal["components"]}
        who, whom = ([item["value"] for item in fields[key]["options"]] for key in ("name", "vs_name"))
        assert who == [own]
        assert whom[0] == other
    assert said(await club.cleo.slash(club.channel, "infinity versus")).startswith("Only people who play here")


async def test_a_refused_command_says_the_nearest_one_that_works(club: Club) -> None:
    refused = said(await club.attack(dice=3, agility=2, with_="focs, lock", against="evaid"))
    assert "/xwing attack dice:3 agility:2 with:focus, lock against:evade" in refused
    refused = said(await club.attack(agility=2, with_="focus"))
    assert "/xwing attack agility:2 with:focus dice:3" in refused


@pytest.mark.parametrize("typed", [{"dice": "3", "with": "focus"}])
async def test_a_form_of_a_game_that_is_switched_off_is_refused(club: Club, admin: Any, typed: dict[str, str]) -> None:
    shown = await club.ana.slash(club.channel, "xwing attack")
    await admin.slash(club.channel, "ruleset set", setting="games_off", value="xwing")
    assert "X-Wing is turned off in this channel" in said(await club.ana.submit_modal(shown, typed))
