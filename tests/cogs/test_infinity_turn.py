"""A turn of Infinity on Discord: ten orders, the fewest acts, and what two people see of it."""

from pathlib import Path
from typing import Any

import discord
import pytest
import simcord

from bot.cli.play import INFINITY, set_troopers
from bot.runtime.app import App
from bot.sessions.request import Place
from tests.cogs.test_xwing_board import board, filled, items, listed
from tests.conftest import Club, said

CODE = "hE4HcmFuZ2VycwggRnJpZGF5IIEsAgEAAwEBAQEAAgEBAQADAQECAAIAAQECAQEA"
"""Of the invented army in docs/example-army.json."""
COMBI = "Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48"
ANAS = {
    "Ada": f"BS 12, PH 10, WIP 13, ARM 1, BTS 0, W 1, LI, {COMBI}",
    "Bea": f"BS 12, PH 10, WIP 13, ARM 1, BTS 0, W 2, HI, {COMBI}, Pistol: B2 PS 6 +3@8 0@16",
    **{
        f"Line {n}": f"BS 11, PH 10, WIP 12, ARM 0, BTS 0, W 1, LI, {COMBI}"
        for n in ("A", "B", "C", "D", "E", "F", "G", "H")
    },
}
BOS = {
    "Hector": f"BS 13, PH 11, WIP 13, ARM 3, BTS 3, W 2, HI, {COMBI}",
    "Ninja": "BS 11, CC 21, PH 13, WIP 13, ARM 1, BTS 3, W 1, MI, Sword: CC PS 6",
    "Zond": f"BS 11, PH 10, WIP 13, ARM 0, BTS 3, STR 1, REM, {COMBI}",
}


@pytest.fixture
async def evening(club: Club) -> Club:
    """Ana has ten troopers, Bo three; the board lies on the table."""
    for by, troopers in ((club.ana, ANAS), (club.bo, BOS)):
        for name, stats in troopers.items():
            await by.slash(club.channel, "infinity profile set", name=name, stats=stats)
    await club.ana.slash(club.channel, "table show")
    return club


class Acts:
    """Presses, picks and forms of both players, counted as they happen."""

    def __init__(self, club: Club) -> None:
        self.club, self.count = club, 0

    async def press(self, by: simcord.MemberActor, label: str, on: discord.Message | None = None, **form: str) -> Any:
        """A button, and the form that it opens with what is changed in it."""
        self.count += 1
        shown = await by.click(on or self.club.card, label=label)
        if shown.modal is None:
            assert not form, said(shown)
            return shown
        self.count += 1 + len(form)
        return await by.submit_modal(shown, filled(shown.modal, values(shown.modal) | form))


def values(modal: Any) -> dict[str, str]:
    """What a form holds before anybody changes it."""
    result = {}
    for line in modal["components"]:
        item = line["component"]
        chosen = [option["value"] for option in item.get("options", ()) if option.get("default")]
        if chosen:
            result[item["custom_id"]] = ", ".join(chosen)
        elif item.get("value"):
            result[item["custom_id"]] = item["value"]
    return result


def line(club: Club) -> str:
    """The line of the turn, as the board begins."""
    return (board(club).embeds[0].title or "").partition(". ")[0].removesuffix(".")


def show(club: Club, *faces: int) -> None:
    club.dice.will_show(*(face - 1 for face in faces))


async def test_ten_orders_take_at_most_38_acts(evening: Club) -> None:
    acts = Acts(evening)
    ana, bo = evening.ana, evening.bo
    await acts.press(ana, "Start turn", board(evening))
    assert line(evening).startswith("Round 1 · Ana's turn · orders in group 1: 10 of 10 · 4 Command Tokens")
    label = next(label for item in items(board(evening)) if (label := getattr(item, "label", "")) == "Order")
    await acts.press(ana, label, board(evening), target="Zond", at="0-16")
    show(evening, 19, 19, 19)
    await acts.press(bo, "No more AROs: roll the dice")
    for _ in range(4):  # the same again, four times, without an ARO
        await acts.press(ana, "Same again")
        show(evening, 19, 19, 19)
        await acts.press(bo, "No more AROs: roll the dice")
    for _ in range(2):  # another trooper
        others = [item.label for item in items(evening.card) if str(getattr(item, "label", "")).startswith("Line")]
        await acts.press(ana, others[0], target="Ninja", at="0-16")
        show(evening, 19, 19, 19)
        await acts.press(bo, "No more AROs: roll the dice")
    await acts.press(ana, "Order", target="Hector")
    show(evening, 3, 4, 5, 19)
    await acts.press(bo, "Hector: Combi, then roll")
    show(evening, 20, 1, 1, 9)
    await acts.press(bo, "Saves and Guts: reactive side")
    for faces in ((3, 4, 19, 18), (19, 19, 19, 3)):
        await acts.press(ana, "Same again")
        show(evening, *faces)
        await acts.press(bo, "Hector: Dodge, then roll")
        if faces[0] == 3:
            show(evening, 1, 1, 9)
            await acts.press(bo, "Saves and Guts: reactive side")
    assert line(evening).startswith("Round 1 · Ana's turn · orders in group 1: 0 of 10")
    await acts.press(ana, "End turn")
    assert line(evening) == "Round 1 · Bo is next"
    assert acts.count <= 38, acts.count


async def test_an_order_says_who_must_answer_and_has_few_buttons(evening: Club) -> None:
    acts = Acts(evening)
    await acts.press(evening.ana, "Start turn", board(evening))
    await acts.press(evening.ana, "Order", board(evening), target=", ".join(BOS), at="0-16")
    assert "**Bo: any AROs? Hector, Ninja, and Zond can react" in str(evening.card.embeds[0].description)
    buttons = [str(item.label) for item in items(evening.card) if isinstance(item, discord.Button)]
    reacts = [f"{name} reacts" for name in BOS]
    assert buttons == [*reacts, "Add an ARO", "No more AROs: roll the dice", "Roll without waiting", "Withdraw"]
    await acts.press(evening.ana, "Order", board(evening), target="Hector", at="0-16")
    buttons = [str(item.label) for item in items(evening.card) if isinstance(item, discord.Button)]
    at_once = [f"Hector: {what}, then roll" for what in ("Combi", "Dodge")]
    assert buttons == [*at_once, "Add an ARO", "No more AROs: roll the dice", "Withdraw"]


async def test_only_the_next_player_starts_a_turn_and_a_restart_loses_nothing(evening: Club) -> None:
    acts = Acts(evening)
    await acts.press(evening.ana, "Start turn", board(evening))
    await evening.restart()
    refused = await evening.ana.click(board(evening), label="Start turn") if "Start turn" in buttons(evening) else None
    assert refused is None, "one turn runs at a time"
    await evening.ana.select(board(evening), ["end"], custom_id=listed(evening, "More").custom_id)
    assert line(evening) == "Round 1 · Bo is next"
    told = await acts.press(evening.ana, "Start turn", board(evening))
    assert said(told).startswith("Only Bo or a GM can choose that.")


async def test_as_make_play_begins_one_press_and_its_form_start_a_turn(club: Club) -> None:
    client = club.env.bot
    assert isinstance(client, App)
    here = Place(club.channel.id, club.guild.id)
    await set_troopers(client, here, {"Ana": club.ana.id, "Bo": club.bo.id})
    await club.ana.slash(club.channel, "table show")
    primary = (discord.ButtonStyle.primary, discord.ButtonStyle.success)
    (leads,) = [item.label for item in items(board(club)) if getattr(item, "style", None) in primary]
    assert f"press {leads} on the board" in INFINITY
    await Acts(club).press(club.ana, "Start turn", board(club))
    assert line(club) == "Round 1 · Ana's turn · orders in group 1: 2 of 2 · Irregular 1 · Lt 1 · 4 Command Tokens"


async def test_odds_ask_nobody_and_the_courtesy_list_keeps_the_lieutenant_private(evening: Club) -> None:
    await evening.ana.slash(
        evening.channel, "infinity profile set", name="Lou", stats=f"BS 12, WIP 13, Lieutenant, Mimetism (-3), {COMBI}"
    )
    await Acts(evening).press(evening.ana, "Start turn", board(evening))
    await evening.ana.slash(evening.channel, "infinity odds", order="Lou combi at 10 vs Hector")
    assert "Wounds" in str(evening.card.embeds[0].to_dict())
    more = listed(evening, "More").custom_id
    told = await evening.bo.select(board(evening), ["courtesy"], custom_id=more)
    assert told.response is not None
    shown = str(told.response.embeds[0].to_dict())
    assert "Lou: Mimetism (-3), Combi" in shown
    assert "Lieutenant" not in shown
    assert "Lieutenant" not in str(board(evening).embeds[0].to_dict())


def buttons(club: Club) -> list[str]:
    return [str(getattr(item, "label", "")) for item in items(board(club))]


async def test_discord_suggests_troopers_while_a_turn_runs(evening: Club) -> None:
    await Acts(evening).press(evening.ana, "Start turn", board(evening))
    for option, offered in (("sv", "Zond: BS 11"), ("name", "Zond")):
        result = await evening.ana.autocomplete(evening.channel, "infinity roll", option, "zond")
        assert offered in [choice["name"] for choice in result]


async def test_a_running_turn_keeps_the_board_beside_ships(evening: Club) -> None:
    acts = Acts(evening)
    await acts.press(evening.ana, "Start turn", board(evening))
    await evening.ana.slash(evening.channel, "xwing ship add", name="Luke", numbers="3/2/4/2")
    await evening.env.settle()
    labels = [getattr(item, "label", None) for item in items(board(evening))]
    assert "Order" in labels
    assert "Ana's turn" in line(evening)


async def test_the_board_comes_by_itself_once_both_have_given_their_armies(club: Club) -> None:
    data = (Path(__file__).parents[2] / "docs" / "example-army.json").read_bytes()
    for by, boards in ((club.ana, False), (club.bo, True)):
        options: dict[str, Any] = {"code": CODE, "file": ("army.json", data)}
        await by.slash(club.channel, "infinity profile import", **options)
        ids = [str(getattr(item, "custom_id", "")) for one in club.channel.history() for item in items(one)]
        assert any(one.startswith("rc1:on:") for one in ids) is boards
    await Acts(club).press(club.ana, "Start turn", board(club))
    assert line(club).startswith("Round 1 · Ana's turn")
