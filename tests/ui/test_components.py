"""Buttons and lists are written as discord.py writes them, without what says nothing."""

from typing import Any

import discord
import pytest

from bot.rules.game import Field, Option
from bot.rules.text import Name, Text
from bot.sessions.roll import Address
from bot.ui.core.components import Components, button, option, pick_line, rows, select

HIT = discord.PartialEmoji(name="hit", id=7)
SAYS_NOTHING = {"disabled": False, "required": True, "default": False}
"""What Discord takes for granted in a message."""


async def test_they_are_as_discord_py_writes_them() -> None:
    theirs = discord.ui.View(timeout=None)
    style = discord.ButtonStyle.danger
    for number in range(6):
        emoji = HIT if number == 1 else None
        theirs.add_item(discord.ui.Button(label=f"B{number}", style=style, custom_id=f"rc1:1:0:b{number}", emoji=emoji))
    options = [
        discord.SelectOption(label="One", value="1", description="first", emoji=HIT),
        discord.SelectOption(label="Two", value="2"),
    ]
    theirs.add_item(
        discord.ui.Select(custom_id="rc1:1:0:s", placeholder="Pick", min_values=1, max_values=2, options=options),
    )
    buttons = [
        button(f"B{number}", Address(1, 0, f"b{number}"), style, HIT if number == 1 else None) for number in range(6)
    ]
    picks = [option("One", "1", "first", HIT), option("Two", "2")]
    ours = Components(*rows(buttons), [select("Pick", Address(1, 0, "s"), picks, 1, 5)])
    assert ours.to_components() == with_meaning(theirs.to_components())


async def test_discord_py_sends_them_and_does_not_keep_them() -> None:
    ours = Components([button("Roll", Address(1, 0, "roll"))])
    assert ours.is_finished()
    assert not ours.has_components_v2()
    params = discord.http.handle_message_parameters(view=ours)
    assert params.payload == {"tts": False, "components": ours.to_components()}


async def test_one_button_of_a_message_leads_on() -> None:
    """Blue or green: the first that can be pressed. Red ones, links, and lists stay as they are."""
    styles = discord.ButtonStyle
    named = [styles.danger, styles.primary, styles.success, styles.primary, styles.secondary]
    buttons = [button(f"B{number}", Address(1, 0, f"b{number}"), style) for number, style in enumerate(named)]
    buttons[1]["disabled"] = True
    picks = select("Pick", Address(1, 0, "s"), [option("One", "1")])
    *shown, last = Components(buttons[:3], buttons[3:], [picks]).to_components()
    kept = [styles(item["style"]) for row in shown for item in row["components"]]
    assert kept == [styles.danger, styles.secondary, styles.success, styles.secondary, styles.secondary]
    assert last["components"] == [picks]
    assert buttons[3]["style"] == styles.primary.value, "what was handed in stays as it was"


def test_what_is_too_long_for_discord_is_cut() -> None:
    assert button("x" * 80, Address(1, 0, "b"))["label"] == "x" * 80
    assert button("x" * 81, Address(1, 0, "b"))["label"] == "x" * 79 + "…"
    assert len(select("x" * 200, Address(1, 0, "s"), [option("x" * 200, "1", "x" * 200)], 1, 1)["placeholder"]) == 150
    assert {key: len(text) for key, text in option("x" * 200, "1", "x" * 200).items()} == {
        "label": 100,
        "value": 1,
        "description": 100,
    }


def with_meaning(written: Any) -> Any:
    """Without the entries that say nothing."""
    if isinstance(written, list):
        return [with_meaning(item) for item in written]
    if isinstance(written, dict):
        return {key: with_meaning(item) for key, item in written.items() if SAYS_NOTHING.get(key) is not item}
    return written


@pytest.mark.parametrize(("several", "most"), [(True, 12), (False, 1)])
async def test_of_a_long_list_one_or_all_can_be_picked(several: bool, most: int) -> None:
    options = tuple(Option(str(number), Name(str(number))) for number in range(12))
    picked = pick_line(Field("ships", Text("Ships"), options=options, several=several))
    assert isinstance(picked, discord.ui.Select)
    assert (picked.min_values, picked.max_values) == (1, most)
