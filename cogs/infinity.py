"""`/infinity`: Normal and Face to Face Rolls, whole orders, Saving Rolls."""

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules import infinity
from bot.rules.infinity.declared import (
    ATTRIBUTE_MOST,
    BURST_MOST,
    HITS_MOST,
    POWER_MOST,
    SV_LEAST,
    SV_MOST,
    Action,
    Ammo,
)
from bot.rules.infinity.forms import ORDER, ORDER_LONGEST
from bot.ui.names import Name
from bot.ui.panel import ask_roll, declare, open_roll, show_odds
from bot.ui.profiles import ProfileGroup, offered

SuccessValue = Range[int, SV_LEAST, SV_MOST]
Burst = Range[int, 1, BURST_MOST]
Mods = Range[str, 1, 60]
Faces = Range[str, 1, 60]
Hits = Range[int, 0, HITS_MOST]
Attribute = Range[int, 0, ATTRIBUTE_MOST]
Power = Range[int, 0, POWER_MOST]

KINDS: list[Choice[str]] = [
    Choice(name=kind.capitalize(), value=kind) for kind in (Action.SHOOT, Action.DODGE, Action.RESET)
]
AMMUNITION: list[Choice[str]] = [Choice(name=ammo, value=ammo) for ammo in Ammo]

MINE = {
    "sv": "Success Value before MODs, 1 to 20 and beyond; below 1 no dice are rolled",
    "burst": "How many dice, 1 if you leave it out; more for a weapon's Burst in the active turn",
    "mods": "MODs with their sign: -3 +6; add +1sd for a special die",
    "dice": "Dice rolled by hand instead: 9, 4",
}


class Infinity(commands.GroupCog, group_name="infinity", group_description="Infinity: Face to Face, orders, saves"):
    """Hits are followed by Saving Rolls; a Face to Face without its other side waits for an answer."""

    profile = ProfileGroup(infinity.KEY)

    @app_commands.command(description="Normal Roll: your dice, compared with nobody's")
    @app_commands.describe(**MINE)
    @app_commands.autocomplete(**offered(infinity.KEY, "sv", "burst"))
    async def roll(
        self,
        interaction: Interaction,
        sv: SuccessValue,
        burst: Burst | None = None,
        mods: Mods | None = None,
        dice: Faces | None = None,
    ) -> None:
        said = {"sv": sv, "burst": burst, "mods": mods, "dice": dice}
        await open_roll(interaction, infinity.KEY, await declare(interaction, infinity.KEY, said))

    @app_commands.command(description="Face to Face Roll; without vs_sv it waits until the other side reacts")
    @app_commands.describe(
        **MINE,
        vs_sv="The other side's Success Value; leave it out and they say it with the React button",
        vs_burst="The other side's dice: 1 in reaction, unless something says more",
        vs_mods="The other side's MODs with their sign: -3 +6",
        name="Your trooper; otherwise your own name",
        vs_name="The other trooper",
        opponent="Who may react; left out, anybody but you",
        kind="What you do; Dodge and Reset cause no damage. The other side's: with React or in /infinity order",
        vs_dice="The other side's dice rolled by hand: 5",
    )
    @app_commands.choices(kind=KINDS)
    @app_commands.autocomplete(**offered(infinity.KEY, "sv", "burst", "vs_sv", "vs_burst"))
    async def versus(
        self,
        interaction: Interaction,
        sv: SuccessValue,
        burst: Burst | None = None,
        mods: Mods | None = None,
        vs_sv: SuccessValue | None = None,
        vs_burst: Burst | None = None,
        vs_mods: Mods | None = None,
        name: Name | None = None,
        vs_name: Name | None = None,
        opponent: discord.User | None = None,
        kind: str | None = None,
        dice: Faces | None = None,
        vs_dice: Faces | None = None,
    ) -> None:
        mine = {"sv": sv, "burst": burst, "mods": mods, "name": name, "kind": kind, "dice": dice}
        theirs = {"vs_sv": vs_sv, "vs_burst": vs_burst, "vs_mods": vs_mods, "vs_name": vs_name, "vs_dice": vs_dice}
        declared = await declare(interaction, infinity.KEY, mine | theirs | {"open": vs_sv is None})
        await open_roll(interaction, infinity.KEY, declared, opponent)

    @app_commands.command(description="Exact odds of a Normal Roll, or of both sides of a Face to Face Roll")
    @app_commands.describe(
        sv="Your Success Value before MODs",
        burst="Your dice",
        mods="Your MODs with their sign: -3 +6; add +1sd for a special die",
        vs_sv="The other side's Success Value; leave it out for a Normal Roll",
        vs_burst="The other side's dice",
        vs_mods="The other side's MODs with their sign",
        name="Your trooper",
        vs_name="The other trooper",
    )
    @app_commands.autocomplete(**offered(infinity.KEY, "sv", "burst", "vs_sv", "vs_burst"))
    async def odds(
        self,
        interaction: Interaction,
        sv: SuccessValue,
        burst: Burst | None = None,
        mods: Mods | None = None,
        vs_sv: SuccessValue | None = None,
        vs_burst: Burst | None = None,
        vs_mods: Mods | None = None,
        name: Name = "",
        vs_name: Name = "",
    ) -> None:
        said = {"sv": sv, "burst": burst, "mods": mods, "vs_sv": vs_sv, "vs_burst": vs_burst, "vs_mods": vs_mods}
        declared = await declare(interaction, infinity.KEY, said)
        names = name or "You", vs_name or "The other side"
        await show_odds(interaction, infinity.KEY, declared, names)

    @app_commands.command(description="Many troopers at once, a line each; without text a form opens")
    @app_commands.describe(text="Angus 12 b2 vs Ortega 11; Murat 13 normal vs Angus; Ana 10 dodge vs Angus, Murat")
    async def order(self, interaction: Interaction, text: Range[str, 1, ORDER_LONGEST] | None = None) -> None:
        if text is None:
            await ask_roll(interaction, infinity.KEY, "Infinity order", ORDER)
        else:
            await open_roll(interaction, infinity.KEY, await declare(interaction, infinity.KEY, {"order": text}))

    @app_commands.command(description="Saving Rolls of one target after hits")
    @app_commands.describe(
        hits="Hits that are no Criticals",
        ammo="Ammunition: says how many saves a hit calls for, and what failing one costs",
        arm="ARM of the target, or BTS if that is what it saves with",
        crits="Criticals: each calls for one save more than a hit",
        ps="PS of the weapon (N5): d20 at most PS + ARM passes",
        damage="Damage of the weapon (N4): d20 above Damage - ARM passes",
        bts="BTS of the target beside its ARM: for E/M, and for Plasma, which is saved with both",
        cover="The target is in cover: +3 to each save",
        dice="Dice rolled by hand instead: 8, 15",
    )
    @app_commands.choices(ammo=AMMUNITION)
    @app_commands.autocomplete(**offered(infinity.KEY, "arm", "ps", "damage", "bts"))
    async def save(
        self,
        interaction: Interaction,
        hits: Hits,
        ammo: str,
        arm: Attribute,
        crits: Hits | None = None,
        ps: Power | None = None,
        damage: Power | None = None,
        bts: Attribute | None = None,
        cover: bool = False,
        dice: Range[str, 1, 400] | None = None,
    ) -> None:
        weapon = {"ammo": ammo, "ps": ps, "damage": damage}
        target = {"hits": hits, "crits": crits, "arm": arm, "bts": bts, "cover": cover, "dice": dice}
        await open_roll(interaction, infinity.KEY, await declare(interaction, infinity.KEY, weapon | target))


async def setup(client: Client) -> None:
    await client.add_cog(Infinity())
