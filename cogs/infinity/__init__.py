"""`/infinity`: Normal and Face to Face Rolls, whole orders, Saving Rolls."""

from collections.abc import Mapping
from functools import partial

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.odds.infinity import count_orders
from bot.render.infinity.odds import orders_card
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
from bot.rules.infinity.forms import ORDER_LONGEST, shot_of
from bot.rules.infinity.open_order import ORDER_TITLE, SHOT_TITLE, order_fields
from bot.rules.infinity.reading import trooper_of
from bot.rules.text import Text
from bot.sessions.secrecy import Secrecy
from bot.ui.names import Name
from bot.ui.panel import ask_roll, declare, number_people, open_roll, open_typed, show_counted, show_odds
from bot.ui.secret import OPTIONS as SECRET
from bot.ui.secret import secrecy_of
from bot.ui.suggest import held
from cogs.infinity.forms import ODDS_FORM, ROLL_FORM, VERSUS_FORM
from cogs.infinity.troopers import TrooperGroup, armed, enemy_armed, named, number_of, offered

SuccessValue = Range[int, SV_LEAST, SV_MOST]
Burst = Range[int, 1, BURST_MOST]
Mods = Range[str, 1, 60]
Faces = Range[str, 1, 60]
Hits = Range[int, 0, HITS_MOST]
Attribute = Range[int, 0, ATTRIBUTE_MOST]
Power = Range[int, 0, POWER_MOST]

KINDS: list[Choice[str]] = [Choice(name=kind.label, value=kind) for kind in Action]
COMBINED = ("AP+DA", "AP+EXP", "AP+Shock", "AP+T2", "N+E/M")
AMMUNITION: list[Choice[str]] = [
    Choice(name=ammo, value=ammo)
    for ammo in (*(ammo for ammo in Ammo if ammo not in (Ammo.SMOKE, Ammo.ECLIPSE, Ammo.NONE)), *COMBINED)
]

Around = Range[str, 1, 100]
OrderText = Range[str, 1, ORDER_LONGEST]

MINE = {
    "sv": Text("Success Value. Default: your trooper's"),
    "burst": Text("Dice. Default: your weapon's, or 1"),
    "mods": Text("MODs: -3 +6; +1sd is a special die"),
    "dice": Text("Faces you rolled by hand: 9, 4"),
    "kind": Text("What you do"),
    "name": Text("Your trooper, or a name for it"),
    "weapon": Text("Its weapon, or what that is: AP PS 5"),
    "around": Text("What applies: at 20 cover, surprise, fireteam 4"),
}
THEIRS = {
    "vs_sv": Text("Their Success Value. Default: they say it with React"),
    "vs_burst": Text("Their dice. Default: 1"),
    "vs_mods": Text("Their MODs: -3 +6"),
    "vs_name": Text("The other trooper"),
    "vs_dice": Text("Faces they rolled by hand: 5"),
    "vs_kind": Text("What they do"),
    "vs_weapon": Text("Their weapon"),
    "vs_around": Text("What applies to them: cover, surprise"),
}


async def ask_shot(
    interaction: Interaction,
    typed: Mapping[str, object],
    *,
    flag: str = "",
    opponent: discord.abc.User | None = None,
    secrecy: Secrecy | None = None,
) -> bool:
    """Open the form of a shot where nothing was said but the names, and the trooper has weapons; whether it did."""
    if {key for key, value in typed.items() if value is not None} - {"name", "vs_name"}:
        return False
    held_here = await held(interaction, infinity.KEY)
    trooper = trooper_of(held_here, str(typed["name"] or ""))
    if trooper is None or not trooper.weapons:
        return False
    fields = shot_of(trooper, held_here, str(typed["vs_name"] or ""))
    await ask_roll(interaction, infinity.KEY, SHOT_TITLE, fields, flag=flag, opponent=opponent, secrecy=secrecy)
    return True


class Infinity(
    commands.GroupCog, group_name="infinity", group_description=Text("Infinity: Face to Face, orders, saves")
):
    """Hits are followed by Saving Rolls; a Face to Face without its other side waits for an answer."""

    profile = TrooperGroup()

    @app_commands.command(description="Normal Roll: your dice, compared with nobody's", extras=ROLL_FORM)
    @app_commands.describe(**MINE, vs_name="Whom it is aimed at", **SECRET)
    @app_commands.choices(kind=KINDS)
    @app_commands.autocomplete(**offered("sv", "burst"))
    @app_commands.autocomplete(name=named, weapon=armed, vs_name=named)
    async def roll(
        self,
        interaction: Interaction,
        sv: SuccessValue | None = None,
        burst: Burst | None = None,
        mods: Mods | None = None,
        dice: Faces | None = None,
        kind: str | None = None,
        name: Name | None = None,
        weapon: Around | None = None,
        around: Around | None = None,
        vs_name: Name | None = None,
        secret: bool = False,
        blind: bool = False,
    ) -> None:
        secrecy = secrecy_of(interaction, secret, blind)
        typed = {"sv": sv, "burst": burst, "mods": mods, "dice": dice, "kind": kind, "name": name}
        typed |= {"weapon": weapon, "around": around, "vs_name": vs_name}
        if await ask_shot(interaction, typed, secrecy=secrecy):
            return
        declared = await declare(interaction, infinity.KEY, typed)
        await open_roll(interaction, infinity.KEY, declared, secrecy=secrecy)

    @app_commands.command(
        description="Face to Face Roll; without the other side's roll it waits for them", extras=VERSUS_FORM
    )
    @app_commands.describe(**MINE, **THEIRS, opponent="Who may react. Default: anybody but you", **SECRET)
    @app_commands.choices(kind=KINDS, vs_kind=KINDS)
    @app_commands.autocomplete(**offered("sv", "burst", "vs_sv", "vs_burst"))
    @app_commands.autocomplete(name=named, vs_name=named, weapon=armed, vs_weapon=enemy_armed)
    async def versus(
        self,
        interaction: Interaction,
        sv: SuccessValue | None = None,
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
        weapon: Around | None = None,
        around: Around | None = None,
        vs_kind: str | None = None,
        vs_weapon: Around | None = None,
        vs_around: Around | None = None,
        secret: bool = False,
        blind: bool = False,
    ) -> None:
        secrecy = secrecy_of(interaction, secret, blind)
        mine = {"sv": sv, "burst": burst, "mods": mods, "name": name, "kind": kind, "dice": dice}
        mine |= {"weapon": weapon, "around": around}
        theirs = {"vs_sv": vs_sv, "vs_burst": vs_burst, "vs_mods": vs_mods, "vs_name": vs_name, "vs_dice": vs_dice}
        theirs |= {"vs_kind": vs_kind, "vs_weapon": vs_weapon, "vs_around": vs_around}
        if await ask_shot(interaction, mine | theirs, flag="open", opponent=opponent, secrecy=secrecy):
            return
        declared = await declare(interaction, infinity.KEY, mine | theirs | {"open": vs_sv is None})
        await open_roll(interaction, infinity.KEY, declared, opponent, secrecy=secrecy)

    @app_commands.command(
        description="Exact odds of a Normal Roll, or of both sides of a Face to Face Roll", extras=ODDS_FORM
    )
    @app_commands.describe(
        **{key: text for key, text in (MINE | THEIRS).items() if key not in ("dice", "vs_dice")},
        order="A whole order as in /infinity order: the Wounds of each trooper",
        or_order="Another order to compare with it",
    )
    @app_commands.choices(kind=KINDS, vs_kind=KINDS)
    @app_commands.autocomplete(**offered("sv", "burst", "vs_sv", "vs_burst"))
    @app_commands.autocomplete(name=named, vs_name=named, weapon=armed, vs_weapon=enemy_armed)
    async def odds(
        self,
        interaction: Interaction,
        sv: SuccessValue | None = None,
        burst: Burst | None = None,
        mods: Mods | None = None,
        vs_sv: SuccessValue | None = None,
        vs_burst: Burst | None = None,
        vs_mods: Mods | None = None,
        name: Name = "",
        vs_name: Name = "",
        kind: str | None = None,
        weapon: Around | None = None,
        around: Around | None = None,
        vs_kind: str | None = None,
        vs_weapon: Around | None = None,
        vs_around: Around | None = None,
        order: OrderText | None = None,
        or_order: OrderText | None = None,
    ) -> None:
        if order is not None:
            texts = [text for text in (order, or_order) if text]
            orders = [
                (text, await declare(interaction, infinity.KEY, number_people({"order": text})[0])) for text in texts
            ]
            await show_counted(interaction, partial(count_orders, orders), orders_card)
            return
        typed = {"sv": sv, "burst": burst, "mods": mods, "vs_sv": vs_sv, "vs_burst": vs_burst, "vs_mods": vs_mods}
        typed |= {"name": name, "vs_name": vs_name, "kind": kind, "weapon": weapon, "around": around}
        typed |= {"vs_kind": vs_kind, "vs_weapon": vs_weapon, "vs_around": vs_around}
        declared = await declare(interaction, infinity.KEY, typed)
        names = name or Text("You"), vs_name or Text("Opponent")
        await show_odds(interaction, infinity.KEY, declared, names)

    @app_commands.command(description="Many troopers at once, a line each; without text a form opens")
    @app_commands.describe(
        text="Angus 12 b2 vs Ortega 11; Murat 13 vs Ana; Ana 10 dodge",
        opponent="Who plays the other side",
        aros="Wait for the AROs of others, then all dice fall",
        **SECRET,
    )
    async def order(
        self,
        interaction: Interaction,
        text: OrderText | None = None,
        opponent: discord.User | None = None,
        aros: bool = False,
        secret: bool = False,
        blind: bool = False,
    ) -> None:
        secrecy = secrecy_of(interaction, secret, blind)
        if text is None:
            fields = order_fields(await held(interaction, infinity.KEY), await number_of(interaction))
            flag = "open" if aros else ""
            await ask_roll(
                interaction, infinity.KEY, ORDER_TITLE, fields, flag=flag, opponent=opponent, secrecy=secrecy
            )
        else:
            await open_typed(interaction, infinity.KEY, {"order": text, "open": aros}, opponent, secrecy)

    @app_commands.command(description="Saving Rolls of one target after hits")
    @app_commands.describe(
        hits="Hits that are no Criticals",
        ammo="Ammunition",
        arm="ARM of the target",
        crits="Criticals: one save more than a hit, made last",
        ps="PS of the weapon (N5): PS + ARM or less passes",
        damage="Damage of the weapon (N4): more than Damage - ARM passes",
        bts="BTS of the target",
        ph="PH of the target, for PARA",
        cover="The target is in cover: +3 to each save",
        dice="Faces by hand, a Critical's extra save last",
        name="The target: a trooper brings its ARM and BTS",
        **SECRET,
    )
    @app_commands.choices(ammo=AMMUNITION)
    @app_commands.autocomplete(**offered("arm", "ps", "damage", "bts"))
    @app_commands.autocomplete(name=named)
    async def save(
        self,
        interaction: Interaction,
        hits: Hits,
        ammo: str,
        arm: Attribute | None = None,
        crits: Hits | None = None,
        ps: Power | None = None,
        damage: Power | None = None,
        bts: Attribute | None = None,
        ph: Attribute | None = None,
        cover: bool = False,
        dice: Range[str, 1, 400] | None = None,
        name: Name | None = None,
        secret: bool = False,
        blind: bool = False,
    ) -> None:
        secrecy = secrecy_of(interaction, secret, blind)
        weapon = {"ammo": ammo, "ps": ps, "damage": damage}
        target = {
            "hits": hits,
            "crits": crits,
            "arm": arm,
            "bts": bts,
            "ph": ph,
            "cover": cover,
            "dice": dice,
            "name": name,
        }
        declared = await declare(interaction, infinity.KEY, weapon | target)
        await open_roll(interaction, infinity.KEY, declared, secrecy=secrecy)


async def setup(client: Client) -> None:
    await client.add_cog(Infinity())
