"""The forms of `/infinity` commands that were typed with nothing after them."""

from collections.abc import Sequence
from typing import Final

from bot.client import Interaction
from bot.rules import infinity
from bot.rules.game import Field, Option
from bot.rules.infinity.army import CODE_MOST
from bot.rules.infinity.declared import SV_LEAST, SV_MOST, Action
from bot.rules.infinity.trooper import Trooper
from bot.rules.text import Text
from bot.ui.command_form import FORM, CommandForm
from bot.ui.suggest import held

OPTIONS_MOST: Final = 25

SV: Final = Field(
    "sv",
    Text("Success Value before MODs ({sv_least} to {sv_most})", sv_least=SV_LEAST, sv_most=SV_MOST),
    "12",
    longest=2,
)
BURST: Final = Field("burst", Text("How many dice. Default: 1"), "3", required=False, longest=2)
MODS: Final = Field("mods", Text("MODs with their sign"), "-3 +6", required=False, longest=60)
KIND: Final = Field(
    "kind", Text("What you do"), required=False, options=tuple(Option(kind.value, kind.label) for kind in Action)
)
THEIR_SV: Final = Field("vs_sv", Text("Theirs. Default: they say it"), "11", required=False, longest=2)
THEIR_BURST: Final = Field("vs_burst", Text("Their dice. Default: 1"), "1", required=False, longest=2)
THEIR_MODS: Final = Field("vs_mods", Text("Their MODs with their sign"), "-3", required=False, longest=60)
AROUND: Final = Field("around", Text("Distance, and what applies"), Text("at 20 cover"), required=False, longest=100)


async def roll_fields(interaction: Interaction) -> Sequence[Field]:
    """A trooper of the channel and its weapon to pick from; without troopers, numbers to type."""
    return await shot_fields(interaction) or (SV, BURST, MODS, KIND)


async def versus_fields(interaction: Interaction) -> Sequence[Field]:
    return await shot_fields(interaction) or (SV, BURST, MODS, THEIR_SV, THEIR_BURST)


async def odds_fields(interaction: Interaction) -> Sequence[Field]:
    shot = await shot_fields(interaction)
    optional = (Field("vs_sv", Text("Their Success Value"), "11", required=False, longest=2), THEIR_BURST)
    return (*shot[:3], *shot[-1:]) if shot else (SV, BURST, MODS, *optional)


async def shot_fields(interaction: Interaction) -> tuple[Field, ...]:
    """The fields of a shot between troopers of the channel; none where nobody has a weapon."""
    troopers: list[Trooper] = list((await held(interaction, infinity.KEY)).values())
    armed = [one for one in troopers if one.weapons]
    arms = dict.fromkeys(weapon.name for one in armed for weapon in one.weapons)
    if not armed:
        return ()
    return (
        Field("name", Text("Your trooper"), options=options(armed)),
        Field("weapon", Text("Weapon"), options=tuple(Option(name, name) for name in arms)[:OPTIONS_MOST]),
        AROUND,
        MODS,
        Field("vs_name", Text("Whom it is aimed at"), required=False, options=options(troopers[::-1])),
    )


def options(troopers: Sequence[Trooper]) -> tuple[Option, ...]:
    shown = [Option(one.name, one.name, ", ".join(weapon.name for weapon in one.weapons)) for one in troopers]
    return tuple(shown[:OPTIONS_MOST])


async def import_fields(_: Interaction) -> Sequence[Field]:
    return (
        Field("code", Text("An army code, as builders copy it"), "glYMc2hhc3Zhc3RpaQ", longest=CODE_MOST, lines=True),
    )


ROLL_FORM: Final = {FORM: CommandForm(Text("Infinity: a Normal Roll"), roll_fields)}
VERSUS_FORM: Final = {FORM: CommandForm(Text("Infinity: Face to Face"), versus_fields)}
IMPORT_FORM: Final = {FORM: CommandForm(Text("Infinity: troopers of an army code"), import_fields)}
ODDS_FORM: Final = {FORM: CommandForm(Text("Infinity: the odds"), odds_fields)}
