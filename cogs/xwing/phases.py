"""`/xwing lock`, `unlock`, `engage`, `phase`, `endphase`: what ships do in the phases of a round."""

from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.render.xwing import fleet as cards
from bot.render.xwing import phases
from bot.rules.text import N_, Name, Text, as_text
from bot.rules.xwing.table import hurt, match
from bot.rules.xwing.table import ship as table
from bot.rules.xwing.table.ship import find
from bot.ui.board_press import bring_down
from bot.ui.options import Given, takes
from bot.ui.panel import show_card, show_change
from cogs.xwing.options import ANYWAY, ENGAGES, LOCK, SHIP, chance_step, match_step, pieces, step


class Phases(commands.Cog):
    """Everything here is one step, which `/table undo` takes back."""

    @app_commands.command(description="A ship locks an object: a ship, a remote or an obstacle")
    @takes(*LOCK)
    async def lock(self, interaction: Interaction, given: Given) -> None:
        ship, target = given["ship"], given["target"]
        what = Text("locks {target} with {ship}", target=Name(target), ship=Name(ship))
        made = await step(interaction, what, lambda ships: table.lock(ships, ship, target, keep=given["keep"]), ship)
        holder, locked = find(made.after, ship), table.object_named(made.before, target)
        message = N_("A jam token takes {holder}'s lock on {locked}, and leaves.")
        if locked in holder.locks:
            message = N_("{holder} has a lock on {locked}.")
        outcome = Text(message, holder=holder.name, locked=Name(locked))
        await show_change(interaction, cards.step(outcome, made.before, made.after, Text("lock")))

    @app_commands.command(description="Break a ship's lock")
    @takes(SHIP.said(Text("The ship that has the lock")))
    async def unlock(self, interaction: Interaction, given: Given) -> None:
        ship = given["ship"]
        what = Text("breaks the lock of {named}", named=Name(ship))
        made = await step(interaction, what, lambda ships: table.unlock(ships, ship), ship)
        outcome = Text("{holder} loses its lock.", holder=find(made.after, ship).name)
        await show_change(interaction, cards.step(outcome, made.before, made.after, Text("lock")))

    @app_commands.command(description="Who is next to engage; with a ship, it engages")
    @takes(ENGAGES, ANYWAY)
    async def engage(self, interaction: Interaction, given: Given) -> None:
        ship, anyway = given["ship"], given["anyway"]
        if ship is None:
            await show_card(interaction, phases.engagement(await pieces(interaction)))
            return
        what = Text(N_("engages with {ship} out of order") if anyway else N_("engages with {ship}"), ship=Name(ship))
        made, happened = await chance_step(
            interaction, what, lambda here, rng: hurt.engages(here, ship, rng, anyway=anyway), ship
        )
        card = phases.engagement(made.after, made.before, find(made.before, ship).name)
        await show_card(interaction, replace(card, trail=tuple(map(as_text, happened))))

    @app_commands.command(description="The next phase begins")
    async def phase(self, interaction: Interaction) -> None:
        made = await match_step(interaction, Text("goes to the next phase"), match.next_phase)
        await show_card(interaction, phases.phase_began(made.before, made.after))
        await bring_down(interaction)

    @app_commands.command(description="The End Phase, then a new round")
    async def endphase(self, interaction: Interaction) -> None:
        made = await match_step(interaction, Text("ends the round"), match.end_round)
        await show_card(interaction, phases.end_phase(made.before, made.after))
        await bring_down(interaction)
