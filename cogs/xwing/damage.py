"""`/xwing hazard`, `damage`, `card` and `remote`: what hurts ships outside attacks, and their damage cards."""

from typing import Any, Final

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.render.xwing import fleet as cards
from bot.rules.dice import Rng
from bot.rules.text import Count, Names, Text
from bot.rules.xwing import fleet as table
from bot.rules.xwing import hurt
from bot.rules.xwing.damage import DamageDealt
from bot.rules.xwing.declared import HULL_MOST
from bot.rules.xwing.fleet import find
from bot.rules.xwing.hazard import HAZARDS, find_hazard
from bot.rules.xwing.match import Table, ships_of
from bot.rules.xwing.ship import remote as new_remote
from bot.sessions.owners import check_look
from bot.ui.answer import answer
from bot.ui.embed import embed
from bot.ui.names import Name, person
from bot.ui.panel import show_card
from bot.ui.place import place
from cogs.xwing.options import Pool, Words, chance_step, pieces, step, suggested

Damage = app_commands.Range[int, 0, hurt.TYPED_MOST]
OBSTACLES: Final = [app_commands.Choice(name=name, value=name) for name in HAZARDS]


class Mishaps(commands.Cog):
    """Everything here is one step, which `/table undo` takes back; where a die fell, by consent."""

    card = app_commands.Group(name="card", description="Damage cards: look at your own, repair, expose")

    @app_commands.command(description="An obstacle or a friendly ship: the red die")
    @app_commands.describe(ship="The ship", what="What it meets", takes="Chaff: what the jam takes: focus, or lock")
    @app_commands.choices(what=OBSTACLES)
    @app_commands.autocomplete(ship=suggested)
    async def hazard(self, interaction: Interaction, ship: Name, what: str, takes: Words | None = None) -> None:
        kind, found = find_hazard(what), list[hurt.Happened]()

        def change(here: Table, rng: Rng) -> dict[str, Any]:
            found.append(hurt.obstacle(here, ship, kind, rng, takes or ""))
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
    @app_commands.describe(ship="The ship that suffers it", hits="How many hits", crits="How many crits")
    @app_commands.autocomplete(ship=suggested)
    async def damage(self, interaction: Interaction, ship: Name, hits: Damage = 0, crits: Damage = 0) -> None:
        found = list[DamageDealt]()
        counts = [Count(count, noun, f"{noun}s") for count, noun in ((hits, "hit"), (crits, "crit")) if count]

        def change(here: Table, rng: Rng) -> dict[str, Any]:
            changes, dealt = hurt.typed_damage(here, ship, hits, crits, rng)
            found.append(dealt)
            return changes

        made = await chance_step(
            interaction,
            lambda named: Text("deals {counts} to {named}", counts=Names(counts), named=named(ship)),
            change,
            ship,
        )
        name = find(made.before, ship).name
        await show_card(interaction, cards.step(cards.suffers(name, found[0]), made.before, made.after, Text("damage")))

    @card.command(description="Look at your ship's cards; nobody else sees them")
    @app_commands.describe(ship="Your ship")
    @app_commands.autocomplete(ship=suggested)
    async def look(self, interaction: Interaction, ship: Name) -> None:
        answer(interaction).keep_private()
        found = find(ships_of(await pieces(interaction)), ship)
        players = await interaction.client.tables.players(place(interaction))
        check_look(found, players, person(interaction.user))
        await answer(interaction).post_private(embed=embed(cards.its_cards(found)))

    @card.command(description="Repair a damage card")
    @app_commands.describe(ship="The ship", card="The faceup card. Default: discard a facedown one")
    @app_commands.autocomplete(ship=suggested)
    async def repair(self, interaction: Interaction, ship: Name, card: Words | None = None) -> None:
        def change(here: Table, rng: Rng) -> dict[str, Any]:
            return hurt.repair(here, ship, rng, card or "")

        made = await chance_step(
            interaction,
            lambda named: Text("repairs {card} of {named}", card=card or "a facedown card", named=named(ship)),
            change,
            ship,
        )
        name, what = find(made.before, ship).name, card or Text("a facedown damage card")
        await show_card(
            interaction,
            cards.step(Text("{name} repairs {what}.", name=name, what=what), made.before, made.after, Text("damage")),
        )

    @card.command(description="Expose a facedown damage card by chance")
    @app_commands.describe(ship="The ship")
    @app_commands.autocomplete(ship=suggested)
    async def expose(self, interaction: Interaction, ship: Name) -> None:
        found = list[str]()

        def change(here: Table, rng: Rng) -> dict[str, Any]:
            changes, title = hurt.expose(here, ship, rng)
            found.append(title or Text("a card that nobody named"))
            return changes

        made = await chance_step(
            interaction, lambda named: Text("exposes a damage card of {named}", named=named(ship)), change, ship
        )
        name = find(made.before, ship).name
        await show_card(
            interaction,
            cards.step(
                Text("{name} exposes {found}.", name=name, found=found[0]), made.before, made.after, Text("damage")
            ),
        )

    @app_commands.command(description="Add a remote, which is attacked like a ship")
    @app_commands.describe(name="Its name", initiative="Its initiative", agility="Its agility", hull="Its hull")
    async def remote(
        self,
        interaction: Interaction,
        name: Name,
        initiative: app_commands.Range[int, 0, 8] = 0,
        agility: Pool = 0,
        hull: app_commands.Range[int, 1, HULL_MOST] = 1,
    ) -> None:
        made_of = new_remote(name, initiative=initiative, agility=agility, hull=hull)
        made = await step(
            interaction,
            lambda _: Text("adds {made_of}", made_of=made_of.name),
            lambda ships: table.join(ships, made_of),
        )
        await show_card(
            interaction,
            cards.step(Text("{made_of} joins the table, a remote.", made_of=made_of.name), made.before, made.after),
        )
