"""`/xwing token`: what lies on a ship."""

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.render.xwing import fleet as cards
from bot.rules.errors import PlayerError
from bot.rules.text import N_, Count, Name, Sentences, Text, term
from bot.rules.xwing.dice.tokens import TOKENS, Kind
from bot.rules.xwing.table.ship import Changes, Fleet, charge_upgrade, find, give, jam
from bot.rules.xwing.table.ship import charged as ship_charged
from bot.ui.options import Given, takes
from bot.ui.panel import show_change
from cogs.xwing.options import GIVE_TOKEN, TAKE_TOKEN, step


class Tokens(commands.Cog):
    """Everything here is one step, which `/table undo` takes back."""

    token = app_commands.Group(name="token", description="Tokens, force, charges, shields and damage on a ship")

    @token.command(name="give", description="A ship gets tokens, force, charges, shields or damage")
    @takes(*GIVE_TOKEN)
    async def give_(self, interaction: Interaction, given: Given) -> None:
        ship, token, count, by = (given[one] for one in ("ship", "token", "count", "by"))
        if given["upgrade"] is not None:
            await charged(interaction, ship, token, given["upgrade"], count)
            return
        if by is not None and TOKENS[token].kind not in (Kind.ORANGE, Kind.RED):
            message = N_("A ship gives others no {token}. Leave `by` out; the owner of {ship} takes it.")
            raise PlayerError(Text(message, token=term(token), ship=Name(ship)))
        await moved(interaction, ship, token, count, given["takes"], by)

    @token.command(description="A ship loses tokens, force, charges, shields or damage")
    @takes(*TAKE_TOKEN)
    async def take(self, interaction: Interaction, given: Given) -> None:
        ship, token, count = given["ship"], given["token"], -given["count"]
        if given["upgrade"] is not None:
            await charged(interaction, ship, token, given["upgrade"], count)
        else:
            await moved(interaction, ship, token, count)


async def charged(interaction: Interaction, name: str, kind: str, upgrade: str, count: int) -> None:
    """So many charges of an upgrade are recovered, or spent if negative."""
    if kind != "charge":
        raise PlayerError(Text("Only charges lie on an upgrade. Choose `charge` as `token`, or leave `upgrade` out."))

    def change(ships: Fleet) -> Changes:
        ship = find(ships, name)
        return {ship.name: charge_upgrade(ship, ship_charged(ship, upgrade), count)}

    many = Count(abs(count), "charge", "charges")
    what = N_("recovers {many} of {upgrade} on {ship}") if count > 0 else N_("spends {many} of {upgrade} on {ship}")
    made = await step(interaction, Text(what, many=many, upgrade=Name(upgrade), ship=Name(name)), change, name)
    now = find(made.after, name)
    place = ship_charged(now, upgrade)
    card = now.card.upgrades[place]
    message = N_("{ship} spends {many} of {card}: {left} of {most} left.")
    if count > 0:
        message = N_("{ship} recovers {many} of {card}: {left} of {most} left.")
    left, most = now.upgrade_charges[place], card.charges.capacity
    outcome = Text(message, ship=now.name, many=many, card=card.name, left=left, most=most)
    await show_change(interaction, cards.step(outcome, made.before, made.after, Text("charges")))


async def moved(
    interaction: Interaction, name: str, kind: str, count: int, takes: str = "", by: str | None = None
) -> None:
    """So many of a kind come or go; ``by`` is the ship that does it to another one."""

    def change(ships: Fleet) -> Changes:
        ship = find(ships, name)
        if by is not None:
            find(ships, by, "by")
        return {ship.name: jam(ship, count, takes) if kind == "jam" and count > 0 else give(ship, kind, count)}

    many = TOKENS[kind].counted(abs(count)) if kind in TOKENS else kind

    what = N_("gives {ship} {many}") if count > 0 else N_("takes {many} from {ship}")
    made = await step(interaction, Text(what, ship=Name(name), many=many), change, by or name)
    before, now = find(made.before, name), find(made.after, name)
    message = N_("{ship} gets {many}.") if count > 0 else N_("{ship} loses {many}.")
    outcome = Text(message, ship=now.name, many=many)
    sentences = Sentences([outcome, *cards.on_arrival(before, now, kind)])
    await show_change(interaction, cards.step(sentences, made.before, made.after, Text("tokens")))
