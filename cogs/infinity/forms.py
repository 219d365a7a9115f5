"""The forms of `/infinity` commands that were typed with nothing after them."""

from collections.abc import Sequence
from typing import Final

from bot.client import Interaction
from bot.rules.game import Field, Option
from bot.rules.infinity.army import CODE_MOST
from bot.rules.infinity.declared import SV_LEAST, SV_MOST
from bot.rules.infinity.trooper import Trooper
from bot.rules.text import Code, Name, Text
from bot.ui.command_form import FORM, CommandForm
from cogs.infinity.options import AROUND, BURST, KIND, MODS, SV, VS_BURST, VS_SV
from cogs.infinity.suggestions import held_troopers

OPTIONS_MOST: Final = 25

SV_FIELD: Final = SV.field(
    Text("SV before MODs ({least} to {most})", least=SV_LEAST, most=SV_MOST), Code("12"), required=True
)
BURST_FIELD: Final = BURST.field(Text("How many dice. Default: 1"), Code("3"))
MODS_FIELD: Final = MODS.field(Text("MODs with their sign"), Code("-3 +6"))
KIND_FIELD: Final = KIND.field(Text("What you do"))
VS_SV_FIELD: Final = VS_SV.field(Text("Theirs. Default: they say it"), Code("11"))
VS_BURST_FIELD: Final = VS_BURST.field(Text("Their dice. Default: 1"), Code("1"))
AROUND_FIELD: Final = AROUND.field(Text("Distance, and what applies"), Code("at 20 cover"))


async def roll_fields(interaction: Interaction) -> Sequence[Field]:
    """A trooper of the channel and its weapon to pick from; without troopers, numbers to type."""
    return await shot_fields(interaction) or (SV_FIELD, BURST_FIELD, MODS_FIELD, KIND_FIELD)


async def versus_fields(interaction: Interaction) -> Sequence[Field]:
    return await shot_fields(interaction) or (SV_FIELD, BURST_FIELD, MODS_FIELD, VS_SV_FIELD, VS_BURST_FIELD)


async def odds_fields(interaction: Interaction) -> Sequence[Field]:
    shot = await shot_fields(interaction)
    theirs = (VS_SV.field(Text("Their Success Value"), Code("11")), VS_BURST_FIELD)
    return (*shot[:3], *shot[-1:]) if shot else (SV_FIELD, BURST_FIELD, MODS_FIELD, *theirs)


async def shot_fields(interaction: Interaction) -> tuple[Field, ...]:
    """The fields of a shot between troopers of the channel; none where nobody has a weapon."""
    troopers: list[Trooper] = list((await held_troopers(interaction)).values())
    armed = [one for one in troopers if one.weapons]
    arms = dict.fromkeys(weapon.name for one in armed for weapon in one.weapons)
    if not armed:
        return ()
    return (
        Field("name", Text("Your trooper"), options=options(armed)),
        Field("weapon", Text("Weapon"), options=tuple(Option(name, Name(name)) for name in arms)[:OPTIONS_MOST]),
        AROUND_FIELD,
        MODS_FIELD,
        Field("vs_name", Text("Whom it is aimed at"), required=False, options=options(troopers[::-1])),
    )


def options(troopers: Sequence[Trooper]) -> tuple[Option, ...]:
    shown = [
        Option(one.name, Name(one.name), Name(", ".join(weapon.name for weapon in one.weapons))) for one in troopers
    ]
    return tuple(shown[:OPTIONS_MOST])


async def import_fields(_: Interaction) -> Sequence[Field]:
    return (
        Field(
            "code", Text("An army code, as builders copy it"), Code("glYMc2hhc3Zhc3RpaQ"), longest=CODE_MOST, lines=True
        ),
    )


ROLL_FORM: Final = {FORM: CommandForm(Text("Infinity: a Normal Roll"), roll_fields)}
VERSUS_FORM: Final = {FORM: CommandForm(Text("Infinity: Face to Face"), versus_fields)}
IMPORT_FORM: Final = {FORM: CommandForm(Text("Infinity: troopers by army code"), import_fields)}
ODDS_FORM: Final = {FORM: CommandForm(Text("Infinity: the odds"), odds_fields)}
