"""README's first attack, and from there to the end of round one: nobody presses anything but the newest card."""

from random import Random
from typing import Any

import discord
import pytest
import simcord

from bot.cli.play import set_ships
from bot.rules.xwing.table.match import MATCH, Match, ships_of
from bot.runtime.app import App
from bot.sessions.request import Place
from tests.cogs.test_xwing_board import filled, items
from tests.conftest import Club, Dice

MAX_PRESSES = 60


class Seeded(Dice):
    """Dice of any faces, the same in every run."""

    def __init__(self) -> None:
        super().__init__()
        self.chance = Random(38)

    def __call__(self, sides: int) -> int:
        return self.chance.randrange(sides)


@pytest.fixture
def dice() -> Dice:
    return Seeded()


async def pieces(club: Club) -> dict[str, Any]:
    client = club.env.bot
    assert isinstance(client, App)
    return await client.tables.pieces(Place(club.channel.id, club.guild.id), "xwing")


def newest(club: Club) -> discord.Message:
    """The newest message that everybody sees and somebody can press."""
    return max((item for item in club.channel.history() if items(item)), key=lambda item: item.id)


def buttons(message: discord.Message) -> list[str]:
    return [str(getattr(item, "label", "")) for item in items(message)]


@pytest.mark.parametrize("has_board", [True, False])
async def test_readmes_attack_is_played_on_to_the_end_of_round_one(club: Club, *, has_board: bool) -> None:
    client = club.env.bot
    assert isinstance(client, App)
    await set_ships(client, Place(club.channel.id, club.guild.id), {"Ana": club.ana.id, "Bo": club.bo.id})
    if has_board:  # as `make play` begins
        await club.ana.slash(club.channel, "table show")
    people = {"Luke Skywalker": club.ana, "Wedge Antilles": club.ana, "Darth Vader": club.bo, "Howlrunner": club.bo}
    await club.ana.slash(club.channel, "xwing attack", attacker="Luke Skywalker", defender="Darth Vader")
    leading = list[str]()
    for _ in range(MAX_PRESSES):
        table = await pieces(club)
        match = table.get(MATCH)
        if isinstance(match, Match) and match.round == 2:
            break
        leading += await go_on(club, newest(club), people)
    else:
        pytest.fail(f"round one does not end: {buttons(newest(club))}")
    attacked = [
        label.removeprefix("Next: ").removesuffix(" attacks") for label in leading if label.startswith("Next: ")
    ]
    alive = set(people) - {"Luke Skywalker"}
    assert set(attacked) <= alive
    assert leading[0] == "Begin the Engagement Phase", "Luke has engaged already, and all others have their attack"
    assert leading[-1] == "End the round"
    assert not [label for label in leading if label.startswith("Skip ")]


async def go_on(club: Club, card: discord.Message, people: dict[str, simcord.MemberActor]) -> list[str]:
    """Whoever is asked by the newest card does what leads on; what leads on in the match."""
    labels = buttons(card)
    if "Done" in labels:
        for who in (club.ana, club.bo):
            if "Done" in buttons(newest(club)):
                await who.click(newest(club), label="Done")
        return []
    label = next(
        item
        for item in labels
        if item.startswith("Next: ") or item in ("Attack", "Begin the Engagement Phase", "End the round")
    )
    if label not in ("Attack",) and not label.startswith("Next: "):
        await club.ana.click(card, label=label)
        return [label]
    ships = ships_of(await pieces(club))
    for name, who in people.items():
        if name not in ships or (label != "Attack" and name not in label):
            continue
        opened = await who.click(card, label=label)
        if opened.modal is None:
            continue
        target = next(item for item, player in people.items() if player is not who and item in ships)
        await who.submit_modal(opened, filled(opened.modal, {"weapon": "Primary", "defender": target, "range": "2"}))
        return [label if label != "Attack" else f"Next: {opened.modal['title'].removesuffix(' attacks')} attacks"]
    raise AssertionError(labels)
