"""`/xwing hazard`, `damage`, `card` and `remote`: what hurts ships outside attacks, and their damage cards."""

from typing import Any

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.render.xwing import counted
from bot.render.xwing import fleet as cards
from bot.rules.dice import Rng
from bot.rules.text import Name, Names, Text, Words
from bot.rules.xwing.attack.damage import DamageDealt
from bot.rules.xwing.table import fleet as table
from bot.rules.xwing.table import hurt
from bot.rules.xwing.table.fleet import find
from bot.rules.xwing.table.hazard import find_hazard
from bot.rules.xwing.table.match import Table, ships_of
from bot.rules.xwing.table.ship import remote as new_remote
from bot.sessions.owners import check_look
from bot.ui.answer import answer
from bot.ui.display import embed
from bot.ui.names import person
from bot.ui.options import Given, takes
from bot.ui.panel import show_card
from bot.ui.place import place
from cogs.xwing.options import DAMAGE, HAZARD, REMOTE, REPAIR, SHIP, chance_step, pieces, step


class Mishaps(commands.Cog):
    """Everything here is one step, which `/table undo` takes back; where a die fell, by consent."""

    card = app_commands.Group(name="card", description="Damage cards: look at your own, repair, expose")

    @app_commands.command(description="An obstacle or a friendly ship: the red die")
    @takes(*HAZARD)
    async def hazard(self, interaction: Interaction, given: Given) -> None:
        ship = given["ship"]
        kind, found = find_hazard(given["what"]), list[hurt.Happened]()

        def change(here: Table, rng: Rng) -> dict[str, Any]:
            found.append(hurt.obstacle(here, ship, kind, rng, given["takes"]))
            return found[0].changes

        made = await chance_step(
            interaction,
            lambda named: kind.done_by(named(ship)),
            change,
            ship,
        )
        await show_card(
            interaction, cards.obstacle(find(made.before, ship).name, kind, found[0], made.before, made.after)
        )

    @app_commands.command(description="Damage that you say: a mine, a bomb, a collision")
    @takes(*DAMAGE)
    async def damage(self, interaction: Interaction, given: Given) -> None:
        ship, hits, crits = given["ship"], given["hits"], given["crits"]
        found = list[DamageDealt]()
        counts = counted(hits, crits)

        def change(here: Table, rng: Rng) -> dict[str, Any]:
            changes, dealt = hurt.typed_damage(here, ship, hits, crits, rng)
            found.append(dealt)
            return changes

        made = await chance_step(
            interaction,
            lambda named: Text("deals {counts} to {named}", counts=Names(counts), named=Name(named(ship))),
            change,
            ship,
        )
        name = find(made.before, ship).name
        await show_card(interaction, cards.step(cards.suffers(name, found[0]), made.before, made.after, Text("damage")))

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

        def change(here: Table, rng: Rng) -> dict[str, Any]:
            return hurt.repair(here, ship, rng, card)

        made = await chance_step(
            interaction,
            lambda named: Text(
                "repairs {card} of {named}", card=card or Text("a facedown card"), named=Name(named(ship))
            ),
            change,
            ship,
        )
        name, what = find(made.before, ship).name, card or Text("a facedown damage card")
        await show_card(
            interaction,
            cards.step(Text("{name} repairs {what}.", name=name, what=what), made.before, made.after, Text("damage")),
        )

    @card.command(description="Expose a facedown damage card by chance")
    @takes(SHIP)
    async def expose(self, interaction: Interaction, given: Given) -> None:
        ship = given["ship"]
        found = list[Words]()

        def change(here: Table, rng: Rng) -> dict[str, Any]:
            changes, title = hurt.expose(here, ship, rng)
            found.append(Name(title) or Text("a card that nobody named"))
            return changes

        made = await chance_step(
            interaction, lambda named: Text("exposes a damage card of {named}", named=Name(named(ship))), change, ship
        )
        name = find(made.before, ship).name
        await show_card(
            interaction,
            cards.step(
                Text("{name} exposes {found}.", name=name, found=found[0]), made.before, made.after, Text("damage")
            ),
        )

    @app_commands.command(description="Add a remote, which is attacked like a ship")
    @takes(*REMOTE)
    async def remote(self, interaction: Interaction, given: Given) -> None:
        made_of = new_remote(**given)
        made = await step(
            interaction,
            lambda _: Text("adds {remote}", remote=made_of.name),
            lambda ships: table.join(ships, made_of),
        )
        await show_card(
            interaction,
            cards.step(Text("{remote} joins the table, a remote.", remote=made_of.name), made.before, made.after),
        )
