"""Changes to a channel's ships: damage cards and other damage, tokens, and phases. Each command is one step, which
`/table undo` reverts; with consent if a die was rolled.
"""

from dataclasses import replace
from functools import partial

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.render.xwing import count_results, fleet, phases
from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.text import N_, Count, Name, Names, Sentences, Text, as_text, term
from bot.rules.xwing.dice.tokens import TOKENS, TokenShape
from bot.rules.xwing.table import moments, obstacles, ship as table, ship_damage
from bot.rules.xwing.table.match import Changes, Table, ships_of
from bot.rules.xwing.table.ship import Fleet, charge_upgrade, find, give, jam
from bot.sessions.pieces import check_look
from bot.ui.commands.options import Given, takes
from bot.ui.core.card_messages import embed
from bot.ui.core.request_context import person, place
from bot.ui.core.responses import answer
from bot.ui.roll import roll_message
from bot.ui.table import board_actions
from cogs.xwing import options
from cogs.xwing.options import chance_step, phase_step, pieces, step


class DamageCommands(commands.Cog):
    """Damage outside attacks, and damage cards."""

    card = app_commands.Group(name="card", description="Damage cards: look at your own, repair, expose")

    @app_commands.command(description="An obstacle or a friendly ship: the red die")
    @takes(*options.HAZARD)
    async def hazard(self, interaction: Interaction, given: Given) -> None:
        ship, kind = given["ship"], obstacles.find_hazard(given["what"])

        def change(here: Table, rng: Rng) -> tuple[Changes, ship_damage.ObstacleResult]:
            happened = ship_damage.obstacle(here, ship, kind, rng, given["takes"])
            return happened.changes, happened

        result, happened = await chance_step(interaction, kind.action_text(ship), change, ship)
        name = find(result.before, ship).name
        await roll_message.show_card(interaction, fleet.obstacle(name, kind, happened, result.before, result.after))

    @app_commands.command(description="Deal damage from a mine, bomb, or collision")
    @takes(*options.DAMAGE)
    async def damage(self, interaction: Interaction, given: Given) -> None:
        ship, hits, crits = given["ship"], given["hits"], given["crits"]
        what = Text("deals {counts} to {named}", counts=Names(count_results(hits, crits)), named=Name(ship))
        result, dealt = await chance_step(
            interaction, what, lambda here, rng: ship_damage.typed_damage(here, ship, hits, crits, rng), ship
        )
        suffers = fleet.damage_sentence(find(result.before, ship).name, dealt)
        await roll_message.show_card(interaction, fleet.step(suffers, result.before, result.after, Text("damage")))

    @card.command(description="Look at your ship's cards; nobody else can see them")
    @takes(options.SHIP.with_description(Text("Your ship")))
    async def look(self, interaction: Interaction, given: Given) -> None:
        answer(interaction).keep_private()
        ship = find(ships_of(await pieces(interaction)), given["ship"])
        check_look(ship, await interaction.client.tables.players(place(interaction)), person(interaction.user))
        await answer(interaction).post_private(embed=embed(fleet.ship_cards_card(ship)))

    @card.command(description="Repair a damage card")
    @takes(*options.REPAIR)
    async def repair(self, interaction: Interaction, given: Given) -> None:
        ship, card = given["ship"], given["card"]
        what = Text("repairs {card} on {named}", card=card or Text("a facedown card"), named=Name(ship))
        result, _ = await chance_step(
            interaction, what, lambda here, rng: (ship_damage.repair(here, ship, rng, card), None), ship
        )
        name, repaired = find(result.before, ship).name, card or Text("a facedown damage card")
        outcome = Text("{name} repairs {what}.", name=name, what=repaired)
        await roll_message.show_card(interaction, fleet.step(outcome, result.before, result.after, Text("damage")))

    @card.command(description="Expose a random facedown damage card")
    @takes(options.SHIP)
    async def expose(self, interaction: Interaction, given: Given) -> None:
        ship = given["ship"]
        what = Text("exposes a damage card on {named}", named=Name(ship))
        result, title = await chance_step(
            interaction, what, lambda here, rng: ship_damage.expose(here, ship, rng), ship
        )
        card = title or Text("an unnamed card")
        outcome = Text("{name} exposes {found}.", name=find(result.before, ship).name, found=card)
        await roll_message.show_card(interaction, fleet.step(outcome, result.before, result.after, Text("damage")))

    @app_commands.command(description="Add a remote, which can be attacked like a ship")
    @takes(*options.REMOTE)
    async def remote(self, interaction: Interaction, given: Given) -> None:
        new = table.remote(**given)
        result = await step(interaction, Text("adds {remote}", remote=new.name), lambda ships: table.join(ships, new))
        outcome = Text("{remote}, a remote, joins the table.", remote=new.name)
        await roll_message.show_card(interaction, fleet.step(outcome, result.before, result.after))


class TokenCommands(commands.Cog):
    token = app_commands.Group(name="token", description="Tokens, force, charges, shields, and damage on a ship")

    @token.command(name="give", description="Give a ship tokens, force, charges, shields, or damage")
    @takes(*options.GIVE_TOKEN)
    async def give_(self, interaction: Interaction, given: Given) -> None:
        is_bad = TOKENS[given["token"]].kind in (TokenShape.ORANGE, TokenShape.RED)
        if given["upgrade"] is None and given["by"] is not None and not is_bad:
            message = N_("Ships don't give others {token}. Leave `by` out; the owner of {ship} takes it.")
            raise PlayerError(Text(message, token=term(given["token"]), ship=Name(given["ship"])))
        await move_tokens(interaction, given, given["count"])

    @token.command(description="Remove tokens, force, charges, shields, or damage from a ship")
    @takes(*options.TAKE_TOKEN)
    async def take(self, interaction: Interaction, given: Given) -> None:
        await move_tokens(interaction, given, -given["count"])


async def change_charges(interaction: Interaction, name: str, kind: str, upgrade: str, count: int) -> None:
    """Recover an upgrade's charges, or spend them if negative."""
    if kind != "charge":
        raise PlayerError(Text("Upgrades can only hold charges. Choose `charge` as `token`, or leave `upgrade` out."))

    def change(ships: Fleet) -> Changes:
        ship = find(ships, name)
        return {ship.name: charge_upgrade(ship, table.find_charged(ship, upgrade), count)}

    many = Count(abs(count), "charge", "charges")
    what = N_("recovers {many} on {upgrade} of {ship}") if count > 0 else N_("spends {many} from {upgrade} on {ship}")
    result = await step(interaction, Text(what, many=many, upgrade=Name(upgrade), ship=Name(name)), change, name)
    now = find(result.after, name)
    place = table.find_charged(now, upgrade)
    card = now.card.upgrades[place]
    message = N_("{ship} spends {many} from {card}: {left} of {most} left.")
    if count > 0:
        message = N_("{ship} recovers {many} on {card}: {left} of {most} left.")
    left, most = now.upgrade_charges[place], card.charges.capacity
    outcome = Text(message, ship=now.name, many=many, card=card.name, left=left, most=most)
    await roll_message.show_change(interaction, fleet.step(outcome, result.before, result.after, Text("charges")))


async def move_tokens(interaction: Interaction, given: Given, count: int) -> None:
    """Give or remove tokens; ``by``: the ship that does it to another."""
    name, kind, by = given["ship"], given["token"], given.get("by")
    if given["upgrade"] is not None:
        await change_charges(interaction, name, kind, given["upgrade"], count)
        return

    def change(ships: Fleet) -> Changes:
        ship = find(ships, name)
        if by is not None:
            find(ships, by, "by")
        return {ship.name: jam(ship, count, given["takes"]) if kind == "jam" and count > 0 else give(ship, kind, count)}

    many = TOKENS[kind].count_text(abs(count)) if kind in TOKENS else kind

    what = N_("gives {ship} {many}") if count > 0 else N_("removes {many} from {ship}")
    result = await step(interaction, Text(what, ship=Name(name), many=many), change, by or name)
    before, now = find(result.before, name), find(result.after, name)
    message = N_("{ship} gets {many}.") if count > 0 else N_("{ship} loses {many}.")
    sentences = Sentences([Text(message, ship=now.name, many=many), *fleet.arrival_notes(before, now, kind)])
    await roll_message.show_change(interaction, fleet.step(sentences, result.before, result.after, Text("tokens")))


class PhaseCommands(commands.Cog):
    @app_commands.command(description="Lock an object: a ship, a remote, or an obstacle")
    @takes(*options.LOCK)
    async def lock(self, interaction: Interaction, given: Given) -> None:
        ship, target = given["ship"], given["target"]
        what = Text("locks {target} with {ship}", target=Name(target), ship=Name(ship))
        result = await step(interaction, what, lambda ships: table.lock(ships, ship, target, keep=given["keep"]), ship)
        holder, locked = find(result.after, ship), table.object_named(result.before, target)
        message = N_("A jam token removes {holder}'s lock on {locked}, then is removed.")
        if locked in holder.locks:
            message = N_("{holder} has a lock on {locked}.")
        if table.extra_locks(holder):
            message = N_(
                "{holder} has a lock on {locked}. Choose below or on the board which of its other locks leaves."
            )
        outcome = Text(message, holder=holder.name, locked=Name(locked))
        await roll_message.show_change(interaction, fleet.step(outcome, result.before, result.after, Text("lock")))

    @app_commands.command(description="Break a ship's lock")
    @takes(options.SHIP.with_description(Text("The ship that has the lock")))
    async def unlock(self, interaction: Interaction, given: Given) -> None:
        ship = given["ship"]
        what = Text("breaks {named}'s lock", named=Name(ship))
        result = await step(interaction, what, lambda ships: table.unlock(ships, ship), ship)
        outcome = Text("{holder} loses its lock.", holder=find(result.after, ship).name)
        await roll_message.show_change(interaction, fleet.step(outcome, result.before, result.after, Text("lock")))

    @app_commands.command(description="Show who engages next; with a ship, engage it")
    @takes(options.ENGAGES, options.ANYWAY)
    async def engage(self, interaction: Interaction, given: Given) -> None:
        ship, anyway = given["ship"], given["anyway"]
        if ship is None:
            await roll_message.show_card(interaction, phases.engagement(await pieces(interaction)))
            return
        what = Text(N_("engages with {ship} out of order") if anyway else N_("engages with {ship}"), ship=Name(ship))
        result, happened = await chance_step(
            interaction, what, lambda here, rng: ship_damage.engage(here, ship, rng, anyway=anyway), ship
        )
        card = phases.engagement(result.after, result.before, find(result.before, ship).name)
        await roll_message.show_card(interaction, replace(card, trail=tuple(map(as_text, happened))))

    @app_commands.command(description="Start the next phase")
    async def phase(self, interaction: Interaction) -> None:
        result, said = await phase_step(interaction, Text("moves to the next phase"), moments.next_phase)
        card = phases.phase_began(result.before, result.after)
        await roll_message.show_card(interaction, replace(card, trail=(*card.trail, *map(as_text, said))))
        await board_actions.bring_down(interaction)

    @app_commands.command(description="Resolve the End Phase, then start a new round")
    async def endphase(self, interaction: Interaction) -> None:
        result, said = await phase_step(interaction, Text("ends the round"), partial(moments.end_phase, at_once=True))
        card = phases.end_phase(result.before, result.after)
        await roll_message.show_card(interaction, replace(card, trail=(*card.trail, *map(as_text, said))))
        await board_actions.bring_down(interaction)
