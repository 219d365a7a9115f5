"""`/xwing hazard`, `damage`, `card` and `remote`: what hurts ships outside attacks, and their damage cards."""

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.render.xwing import counted
from bot.render.xwing import fleet as cards
from bot.rules.dice import Rng
from bot.rules.text import Name, Names, Text
from bot.rules.xwing.table import fleet as table
from bot.rules.xwing.table import hurt
from bot.rules.xwing.table.fleet import find
from bot.rules.xwing.table.hazard import find_hazard
from bot.rules.xwing.table.match import Changes, Table, ships_of
from bot.rules.xwing.table.ship import remote as new_remote
from bot.sessions.pieces import check_look
from bot.ui.answer import answer
from bot.ui.display import embed
from bot.ui.options import Given, takes
from bot.ui.panel import show_card
from bot.ui.place import person, place
from cogs.xwing.options import DAMAGE, HAZARD, REMOTE, REPAIR, SHIP, chance_step, pieces, step


class Mishaps(commands.Cog):
    """Everything here is one step, which `/table undo` takes back; where a die fell, by consent."""

    card = app_commands.Group(name="card", description="Damage cards: look at your own, repair, expose")

    @app_commands.command(description="An obstacle or a friendly ship: the red die")
    @takes(*HAZARD)
    async def hazard(self, interaction: Interaction, given: Given) -> None:
        ship, kind = given["ship"], find_hazard(given["what"])

        def change(here: Table, rng: Rng) -> tuple[Changes, hurt.Happened]:
            happened = hurt.obstacle(here, ship, kind, rng, given["takes"])
            return happened.changes, happened

        made, happened = await chance_step(interaction, kind.done_by(ship), change, ship)
        name = find(made.before, ship).name
        await show_card(interaction, cards.obstacle(name, kind, happened, made.before, made.after))

    @app_commands.command(description="Damage that you say: a mine, a bomb, a collision")
    @takes(*DAMAGE)
    async def damage(self, interaction: Interaction, given: Given) -> None:
        ship, hits, crits = given["ship"], given["hits"], given["crits"]
        what = Text("deals {counts} to {named}", counts=Names(counted(hits, crits)), named=Name(ship))
        made, dealt = await chance_step(
            interaction, what, lambda here, rng: hurt.typed_damage(here, ship, hits, crits, rng), ship
        )
        suffers = cards.suffers(find(made.before, ship).name, dealt)
        await show_card(interaction, cards.step(suffers, made.before, made.after, Text("damage")))

    @card.command(description="Look at your ship's cards; nobody else sees them")
    @takes(SHIP.said(Text("Your ship")))
    async def look(self, interaction: Interaction, given: Given) -> None:
        answer(interaction).keep_private()
        found = find(ships_of(await pieces(interaction)), given["ship"])
        players = await interaction.client.tables.players(place(interaction))
        check_look(found, players, person(interaction.user))
        await answer(interaction).post_private(embed=embed(cards.its_cards(found)))

    @card.command(description="Repair a damage card")
    @takes(*REPAIR)
    async def repair(self, interaction: Interaction, given: Given) -> None:
        ship, card = given["ship"], given["card"]
        what = Text("repairs {card} of {named}", card=card or Text("a facedown card"), named=Name(ship))
        made, _ = await chance_step(
            interaction, what, lambda here, rng: (hurt.repair(here, ship, rng, card), None), ship
        )
        name, repaired = find(made.before, ship).name, card or Text("a facedown damage card")
        outcome = Text("{name} repairs {what}.", name=name, what=repaired)
        await show_card(interaction, cards.step(outcome, made.before, made.after, Text("damage")))

    @card.command(description="Expose a facedown damage card by chance")
    @takes(SHIP)
    async def expose(self, interaction: Interaction, given: Given) -> None:
        ship = given["ship"]
        what = Text("exposes a damage card of {named}", named=Name(ship))
        made, title = await chance_step(interaction, what, lambda here, rng: hurt.expose(here, ship, rng), ship)
        card = title or Text("a card that nobody named")
        outcome = Text("{name} exposes {found}.", name=find(made.before, ship).name, found=card)
        await show_card(interaction, cards.step(outcome, made.before, made.after, Text("damage")))

    @app_commands.command(description="Add a remote, which is attacked like a ship")
    @takes(*REMOTE)
    async def remote(self, interaction: Interaction, given: Given) -> None:
        new = new_remote(**given)
        made = await step(interaction, Text("adds {remote}", remote=new.name), lambda ships: table.join(ships, new))
        outcome = Text("{remote} joins the table, a remote.", remote=new.name)
        await show_card(interaction, cards.step(outcome, made.before, made.after))
