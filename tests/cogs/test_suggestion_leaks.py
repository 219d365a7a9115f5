"""Suggestions name nothing that is hidden: a bystander's never change with what somebody keeps to themselves."""

import json
from typing import Any, Final

import discord
import simcord
from discord import app_commands

from tests.cogs.test_hidden_army import CAPTAIN, GRUNT, JUMPER, KUNAI, SCOUT, against, bring
from tests.cogs.test_plans import paste
from tests.cogs.test_privacy import exported
from tests.cogs.test_xwing_board import ANA
from tests.conftest import Club

TYPED: Final = ("", "k")
"""An empty field lists the first 25; this letter begins what is hidden."""
HIDDEN: Final = ("KUNAI", "JUMPER", "SCOUT", "Secret jab", "Luke", "lukeskywalker", "sneaking")


def suggested_options(tree: app_commands.CommandTree[Any]) -> list[tuple[str, str, bool]]:
    """Every option with suggestions: its command, its name, and whether it is a number, without those of admins."""
    every = (item for item in tree.walk_commands() if isinstance(item, app_commands.Command))
    commands = (item for item in every if (item.root_parent or item).default_permissions is None)
    shown = ((command, option) for command in commands for option in command.parameters if option.autocomplete)
    number = discord.AppCommandOptionType.integer
    return [(command.qualified_name, option.display_name, option.type is number) for command, option in shown]


async def suggestions(club: Club, by: simcord.MemberActor) -> dict[tuple[str, str, str], Any]:
    bot: Any = club.env.bot
    asked = [
        (command, option, typed)
        for command, option, is_number in suggested_options(bot.tree)
        for typed in (("",) if is_number else TYPED)
    ]
    assert len(asked) > 50
    return {key: await by.autocomplete(club.channel, key[0], key[1], key[2]) for key in asked}


async def test_what_somebody_hides_changes_no_suggestion_of_others(club: Club) -> None:
    await against(club)
    await bring(club, club.ana, GRUNT, CAPTAIN)
    before = await suggestions(club, club.cleo)
    await bring(club, club.ana, KUNAI, JUMPER, SCOUT)
    await paste(club, club.ana, ANA, closed=True)
    await club.ana.slash(club.channel, "saved add", name="Secret jab", roll="/roll dice:1d6")
    club.dice.will_show(3)
    await club.ana.slash(club.channel, "roll", dice="1d6", label="sneaking", secret=True)
    assert "Secret jab" in json.dumps(await club.ana.autocomplete(club.channel, "saved roll", "name", "s"))
    assert await suggestions(club, club.cleo) == before
    for who in (club.bo, club.cleo):
        told = json.dumps(await exported(club, who))
        assert not [name for name in HIDDEN if name in told], "nor does an export"
