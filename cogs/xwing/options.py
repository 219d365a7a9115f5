"""The options that several `/xwing` commands share, and the ships that Discord suggests while one is typed."""

from typing import Any, Final

from discord import app_commands

from bot.client import Interaction
from bot.rules.xwing.fleet import Fleet, order
from bot.sessions.tables import Change, Stepped
from bot.ui.names import person
from bot.ui.place import place
from bot.ui.profiles import held

KEY: Final = "xwing"
SUGGESTED_MOST: Final = 25

Pool = app_commands.Range[int, 0, 6]
Distance = app_commands.Range[int, 0, 3]
Words = app_commands.Range[str, 1, 200]

ATTACK: Final = {
    "dice": "Your weapon value; range and tokens are added for you",
    "agility": "The defender's agility; leave it out and the defender says what they bring",
    "range_": "1 gives you a die more, 3 gives the defender one",
    "ordnance": "A missile or torpedo: no bonus for range",
    "obstructed": "Something stands between you: one defense die more",
    "with_": "What you bring, e.g.: focus, lock, force 2, reroll 1 blank, change 1 focus to hit",
    "against": "What the defender brings, e.g.: focus, evade, reinforce, hull 4, shields 2",
}


async def fleet(interaction: Interaction) -> Fleet:
    """The ships of this channel."""
    return await interaction.client.tables.pieces(place(interaction), KEY)


async def step(interaction: Interaction, what: str, change: Change) -> Stepped:
    """One step on the ships of this channel, which undo takes back as a whole."""
    return await interaction.client.tables.step(place(interaction), person(interaction.user), KEY, what, change)


async def suggested(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The ships of this channel whose name holds what is typed so far, those that begin with it first."""
    typed = typed.strip().casefold()
    found: list[Any] = [ship for ship in order(await held(interaction, KEY)) if typed in ship.name.casefold()]
    found.sort(key=lambda ship: not ship.name.casefold().startswith(typed))
    return [app_commands.Choice(name=ship.name, value=ship.name) for ship in found[:SUGGESTED_MOST]]
