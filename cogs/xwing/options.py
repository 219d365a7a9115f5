"""The options that several `/xwing` commands share, and the ships that Discord suggests while one is typed."""

from typing import Any, Final

from discord import app_commands

from bot.client import Interaction
from bot.rules.name import clean
from bot.rules.xwing.declared import POOL_MOST
from bot.rules.xwing.fleet import Fleet, order
from bot.rules.xwing.words import LONGEST
from bot.sessions.tables import Change, Stepped
from bot.ui.gm import is_gm
from bot.ui.names import person
from bot.ui.place import place
from bot.ui.profiles import held

KEY: Final = "xwing"
SUGGESTED_MOST: Final = 25

Pool = app_commands.Range[int, 0, POOL_MOST]
Distance = app_commands.Range[int, 0, 3]
Words = app_commands.Range[str, 1, LONGEST]

BOTH: Final = {
    "dice": "The weapon value; range and tokens are added for you",
    "range_": "Range 1: one more attack die; range 3: one more defense die",
    "ordnance": "A missile or torpedo: no bonus for range",
    "obstructed": "The attack is obstructed: one more defense die",
    "in_arc": "The attacker is in the arc of the defender's reinforce token",
    "with_": "Your tokens and effects, e.g. focus, lock, force 2, reroll 1 blank",
    "against": "The defender's, e.g. focus, evade, reinforce, hull 4, shields 2",
}
"""What attacks and their odds both take."""
ATTACK: Final = BOTH | {
    "agility": "The defender's agility; without it the defender fills it in",
    "attacker": "Your ship: brings its weapon value, tokens, locks and abilities",
    "defender": "The ship you attack: brings agility and tokens, takes the damage",
    "opponent": "Who defends; without a name, the first other person who presses",
    "allow": "GM only: allow a third attack this round",
}
ODDS: Final = BOTH | {
    "agility": "The defender's agility; 0 if you leave it out",
    "attacker": "A ship of this channel: its weapon value, tokens, lock and abilities",
    "defender": "A ship of this channel: its agility, tokens, hull and shields",
    "or_": "Other tokens to compare with, e.g. focus, lock",
    "shots": "How many attacks in a row; the defender's tokens do not come back",
    "hull": "The defender's hull, for the chance to destroy the ship",
    "shields": "The defender's shields",
}


async def fleet(interaction: Interaction) -> Fleet:
    """The ships of this channel."""
    return await interaction.client.tables.pieces(place(interaction), KEY)


async def step(interaction: Interaction, what: str, change: Change, *ships: str) -> Stepped:
    """One step on the ships of this channel, which undo takes back as a whole.

    It is about these ``ships``, or about all that it changes: only their owners and GMs may take it.
    """
    return await interaction.client.tables.step(
        place(interaction),
        person(interaction.user),
        KEY,
        what,
        change,
        of=[clean(ship) for ship in ships] or None,
        is_gm=await is_gm(interaction),
    )


async def suggested(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The ships of this channel whose name holds what is typed so far, those that begin with it first."""
    typed = typed.strip().casefold()
    found: list[Any] = [ship for ship in order(await held(interaction, KEY)) if typed in ship.name.casefold()]
    found.sort(key=lambda ship: not ship.name.casefold().startswith(typed))
    return [app_commands.Choice(name=ship.name, value=ship.name) for ship in found[:SUGGESTED_MOST]]
