"""People named as ``@Bo``, in text that Discord made no mention of: read wherever mentions are."""

import ast
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import discord
import pytest
import simcord

from bot.ui.core import request_context
from tests.cogs.test_xwing_score import client_of
from tests.conftest import Club, said
from tests.steps import MAX_STEPS, counting


def will_show(club: Club, *faces: int) -> None:
    club.dice.will_show(*(face - 1 for face in faces))


Door = Callable[[Club, str], Awaitable[simcord.InteractionResult]]
ORDER: Final = "Angus 12 vs Ortega {} 11"


async def request(club: Club, named: str) -> simcord.InteractionResult:
    return await club.ana.slash(club.channel, "roll", dice="1d20", request=f"{named} +5, @Cleo")


async def form_of_a_request(club: Club, named: str) -> simcord.InteractionResult:
    form = await club.ana.slash(club.channel, "roll")
    return await club.ana.submit_modal(form, {"dice": "1d20", "request": f"{named}+5 and @cleo"})


async def saves_by(club: Club, named: str) -> simcord.InteractionResult:
    will_show(club, 3, 4, 2, 4, 6)
    return await club.ana.slash(club.channel, "roll", dice=f"3d6 hit 3+, wound 4+, save 5+ by {named}, damage 2")


async def order(club: Club, named: str) -> simcord.InteractionResult:
    will_show(club, 9, 5)
    return await club.ana.slash(club.channel, "infinity order", text=ORDER.format(named))


async def form_of_an_order(club: Club, named: str) -> simcord.InteractionResult:
    will_show(club, 9, 5)
    form = await club.ana.slash(club.channel, "infinity order")
    return await club.ana.submit_modal(form, {"order": ORDER.format(named)})


async def reaction(club: Club, named: str) -> simcord.InteractionResult:
    """The form on a card."""
    await club.ana.slash(club.channel, "infinity order", text="Angus 12 AP PS 5 vs Ortega", aros=True)
    form = await club.ana.click(club.card, label="Add an ARO")
    result = await club.ana.submit_modal(form, {"aro": f"Ortega 11 ARM 1 {named}"})
    will_show(club, 9, 5)
    await club.ana.click(club.card, label="Roll all dice")
    return result


DOORS: Final[dict[str, tuple[Door, str]]] = {
    "the option of a request": (request, "Bo: roll"),
    "the form of a request": (form_of_a_request, "Bo: roll"),
    "saves by someone": (saves_by, "Bo: roll"),
    "an order": (order, "Ortega saves (1)"),
    "the form of an order": (form_of_an_order, "Ortega saves (1)"),
    "the form on a card": (reaction, "Ortega saves (1)"),
}
"""Each with a button that is Bo's alone then."""


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("named", ["@Bo", "@bo"])
async def test_a_typed_name_is_the_person(club: Club, door: str, named: str) -> None:
    ask, label = DOORS[door]
    await ask(club, named)
    assert "This choice is for Bo" in said(await club.ana.click(club.card, label=label))


async def test_two_of_one_name_are_asked_about(club: Club) -> None:
    club.guild.add_member(club.env.create_user("bo77", global_name="Bo"))
    refused = await request(club, "@Bo")
    assert "`@Bo` could mean more than one thing. Write `@bo` or `@bo77`." in said(refused)
    assert refused.response is not None
    await club.ana.click(refused.response.message, label="@bo77: @bo77 +5, @Cleo")
    assert "This choice is for Bo" in said(await club.bo.click(club.card, label="Bo: roll"))
    assert "`@Bo` could mean more than one thing" in said(await order(club, "@Bo"))
    club.dice.waiting.clear()


async def test_names_of_several_words_and_what_is_no_name(club: Club) -> None:
    club.guild.add_member(club.env.create_user("bob", global_name="Bo van Dam"))
    await request(club, "@Bo van Dam")
    assert club.labels[0] == "Bo van Dam: roll"
    will_show(club, 20)
    await club.ana.slash(club.channel, "roll", dice="1d20", label="to bo@example.com")
    assert "bo@example.com" in club.outcome
    assert "Mention people" in said(await request(club, "@Zed"))


async def test_a_server_looks_up_so_many_names_a_minute(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is a message to Discord of which a connection may send 120 a minute, for all of its servers."""
    monkeypatch.setattr(request_context, "MAX_LOOKUP", 0.01)
    client_of(club).allowances.of(club.guild.id).questions.consume(1000)
    asked = list[str]()

    async def query(_: discord.Guild, start: str, **_more: object) -> list[discord.Member]:
        asked.append(start)
        return []

    monkeypatch.setattr(discord.Guild, "query_members", query)
    assert "Mention people" in said(await request(club, "@Bo"))
    assert not asked


async def test_a_text_full_of_names_does_not_hold_the_loop(club: Club) -> None:
    """Each of 300 names was compared with the same members, once for each beginning of their name."""
    for number in range(25):
        club.guild.add_member(club.env.create_user(f"abcdef{number}", global_name=f"Abcdef {number}"))
    beginnings = " ".join("@abcdef"[:end] for end in range(2, 8))
    with counting() as steps:
        await club.ana.slash(club.channel, "infinity order", text=f"{beginnings} {'@a ' * 300}")
    assert steps.most < MAX_STEPS


@pytest.mark.parametrize("command", ["roll", "infinity odds"])
async def test_odds_read_names_too(club: Club, command: str) -> None:
    text = "3d6 hit 3+, save 5+ by @Bo" if command == "roll" else "Angus 12 AP PS 5 vs Ortega @Bo 11 ARM 3 W 1"
    given = {"dice": text, "odds": True} if command == "roll" else {"order": text}
    await club.ana.slash(club.channel, command, **given)
    assert club.embed.title


def test_every_reader_of_mentions_reads_names_too() -> None:
    """What reads a mention gets its text from `with_mentions`; besides there is what refuses them."""
    known = {"number_people", "with_people", "read_line"}
    root, readers = Path(__file__).parents[2], set[str]()
    for file in (*root.glob("bot/**/*.py"), *root.glob("cogs/**/*.py")):
        text = file.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "MENTION" in text else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                used = {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
                readers |= {node.name} if "MENTION" in used else set()
    assert readers == known
