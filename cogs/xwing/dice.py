"""`/xwing odds` and `/xwing roll`: chances before an attack, and loose dice."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.rules.game import Side
from bot.rules.text import Code, Shown, Text
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.dice.words import Brought, write
from bot.ui import components
from bot.ui.components import Component, FilledForm, button
from bot.ui.options import SECRET, Given, declaration, secrecy_of, takes
from bot.ui.panel import declare, open_roll, show_odds
from cogs.xwing.forms import ODDS_FORM, ROLL_FORM
from cogs.xwing.options import KEY, LOOSE, ODDS

TICKED: Final = ("attacker", "defender", "range", "weapon", "obstructed")
"""What the form of the odds knows when claims are ticked in it."""


def tick_button(given: Given) -> list[Component]:
    """Opens the form of the odds between two ships, in which people tick what holds; none if its id is too long."""
    line = " ".join(f"{name}:{given[name]}" for name in TICKED if given[name])
    at = FilledForm("xwing-odds", line)
    if not (given["attacker"] and given["defender"]) or len(components.write(at)) > components.LONGEST:
        return []
    return [button(Text("Tick what holds"), at)]


def brought(declared: Declared) -> Shown:
    """What the attacker brings, where nobody has typed it; cards have a line of their own."""
    typed = tuple(one for one in declared.attack.effects if not one.by)
    brings = write(Brought(line_up=replace(declared.attack, effects=typed)), Side.ATTACKER)
    return Code(brings) or Text("no tokens")


def compared(given: Given) -> list[Mapping[str, Any]]:
    """The words of the attacks whose odds are shown: one, or two that differ in what the attacker brings."""
    ships, with_, other = given["attacker"] or given["defender"], given["with"], given["or"]
    raw = declaration(given, *ODDS) | {"supposed": bool(ships) or None}
    if given["agility"] is None and given["defender"] is None and (ships or given["against"]):
        raw["agility"] = 0
    are_two = other and (with_ or given["attacker"])  # a ship brings something though nothing is typed for it
    brings = [with_ or "", other] if are_two else [with_ or other or ""]
    return [raw | {"with": typed or None} for typed in brings]


class Dice(commands.Cog):
    """Exact odds are charts; loose dice may be rerolled once each."""

    @app_commands.command(description="Exact odds of an attack: damage, crits, destruction", extras=ODDS_FORM)
    @takes(*ODDS)
    async def odds(self, interaction: Interaction, given: Given) -> None:
        ships, words = given["attacker"] or given["defender"], compared(given)
        every = [(one, await declare(interaction, KEY, one)) for one in words]
        attacks = [(str(one["with"] or "") or brought(declared), declared) for one, declared in every]
        claims = tick_button(given) if any(declared.asked for _, declared in attacks) else []
        await show_odds(interaction, KEY, attacks, buttons=claims, said=every if ships else ())

    @app_commands.command(description="Roll red and green dice outside an attack", extras=ROLL_FORM)
    @takes(*LOOSE, *SECRET)
    async def roll(self, interaction: Interaction, given: Given) -> None:
        secrecy = secrecy_of(interaction, given)
        declared = await declare(interaction, KEY, declaration(given, *LOOSE))
        await open_roll(interaction, KEY, declared, secrecy=secrecy)
