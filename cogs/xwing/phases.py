"""`/xwing lock`, `unlock`, `engage`, `endphase`: what ships do in the phases of a round."""

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.render import fleet as cards
from bot.render import phases
from bot.rules.xwing import fleet as table
from bot.rules.xwing.fleet import find
from bot.ui.names import Name
from bot.ui.panel import show_card
from cogs.xwing.options import fleet, step, suggested


class Phases(commands.Cog):
    """Everything here is one step, which `/table undo` takes back."""

    @app_commands.command(description="A ship takes a lock on another one; its old lock goes")
    @app_commands.describe(ship="Who locks", target="Who is locked")
    @app_commands.autocomplete(ship=suggested, target=suggested)
    async def lock(self, interaction: Interaction, ship: Name, target: Name) -> None:
        made = await step(interaction, f"locks {target} with {ship}", lambda ships: table.lock(ships, ship, target))
        holder, locked = find(made.after, ship).name, find(made.after, target).name
        await show_card(interaction, cards.step(f"{holder} has a lock on {locked}.", made.before, made.after, "lock"))

    @app_commands.command(description="A ship's lock breaks")
    @app_commands.describe(ship="Whose lock it is")
    @app_commands.autocomplete(ship=suggested)
    async def unlock(self, interaction: Interaction, ship: Name) -> None:
        made = await step(interaction, f"breaks the lock of {ship}", lambda ships: table.unlock(ships, ship))
        holder = find(made.after, ship).name
        await show_card(interaction, cards.step(f"{holder} has no lock any more.", made.before, made.after, "lock"))

    @app_commands.command(description="The Engagement Phase: the order and who is next; with a ship: it engages now")
    @app_commands.describe(ship="The ship that engages; leave it out to see the order")
    @app_commands.autocomplete(ship=suggested)
    async def engage(self, interaction: Interaction, ship: Name | None = None) -> None:
        if ship is None:
            await show_card(interaction, phases.engagement(await fleet(interaction)))
            return
        made = await step(interaction, f"engages with {ship}", lambda ships: table.engage(ships, ship))
        engaged = find(made.before, ship).name
        await show_card(interaction, phases.engagement(made.after, made.before, engaged))

    @app_commands.command(description="The End Phase: circular tokens leave, force and recurring charges come back")
    async def endphase(self, interaction: Interaction) -> None:
        made = await step(interaction, "ends the round", table.end_phase)
        await show_card(interaction, phases.end_phase(made.before, made.after))
