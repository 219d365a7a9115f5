"""The options of `/infinity`, and the fields of its forms."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import discord
from discord.app_commands import Choice, Range

from bot.client import Interaction
from bot.rules.game import Field, Option as Picked
from bot.rules.infinity import KEY
from bot.rules.infinity.orders import forms
from bot.rules.infinity.table import army_codes, markers
from bot.rules.infinity.troopers import declared, limits, states, trooper as troopers
from bot.rules.text import Code, Name, Text
from bot.ui.commands import options
from bot.ui.commands.options import FORM, MISSING, CommandForm, CommandOption, choice, chosen_as, names, numbers
from bot.ui.core.request_context import NameOption
from bot.ui.table.board_actions import check_plays, number_here

# Autocomplete


async def channel_troopers(interaction: Interaction) -> dict[str, troopers.Trooper]:
    return troopers.troopers_of(await options.channel_pieces(interaction, KEY))


def suggest_stats(*stats: str) -> options.Numbers:
    return numbers(channel_troopers, stats)


async def suggest_troopers(interaction: Interaction, typed: str) -> list[Choice[str]]:
    return names(typed, sorted(await channel_troopers(interaction), key=str.casefold))


def of_trooper(option: str, parts: Callable[[troopers.Trooper], Iterable[str]]) -> Any:
    """Return ``CommandOption.suggest``: parts of the trooper that another option names."""

    async def suggested(interaction: Interaction, typed: str) -> list[Choice[str]]:
        kept, asked = await channel_troopers(interaction), options.other_option(interaction, option)
        meant = (trooper for name, trooper in kept.items() if name.casefold() == asked)
        return names(typed, [part for trooper in meant for part in parts(trooper)])

    return suggested


def weapons_of(option: str) -> Any:
    return of_trooper(option, lambda trooper: [weapon.name for weapon in trooper.weapons])


async def others_arms(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest ``Combi of Angus``: other troopers' weapons."""
    kept = sorted((await channel_troopers(interaction)).values(), key=lambda trooper: trooper.name.casefold())
    return names(typed, [f"{weapon.name} of {trooper.name}" for trooper in kept for weapon in trooper.weapons])


# The options

SuccessValue = Range[int, limits.MIN_SV, limits.MAX_SV]
Burst = Range[int, 1, limits.MAX_BURST]
Short = Range[str, 1, 60]
Around = Range[str, 1, 100]
Hits = Range[int, 0, limits.MAX_HITS]
Attribute = Range[int, 0, limits.MAX_ATTRIBUTE]
Power = Range[int, 0, limits.MAX_POWER]
OrderText = Range[str, 1, forms.ORDER_LONGEST]

TYPED: Final = (*declared.NO_DICE, *declared.DEPLOYS, declared.Action.DEACTIVATE)
"""Actions without an option, or without dice."""
KINDS: Final = tuple(choice(kind.label, kind.value) for kind in declared.Action if kind not in TYPED)
COMBINED: Final = ("AP+DA", "AP+EXP", "AP+Shock", "AP+T2", "N+E/M")
UNSAVED: Final = (declared.Ammo.SMOKE, declared.Ammo.ECLIPSE, declared.Ammo.NONE)
AMMUNITION: Final = chosen_as([*(ammo.value for ammo in declared.Ammo if ammo not in UNSAVED), *COMBINED])

# One's own side, then the other

SV_SUGGESTED: Final = suggest_stats(*troopers.SUCCESS_VALUES)
SV: Final = CommandOption("sv", SuccessValue, Text("Success Value. Default: your trooper's"), suggest=SV_SUGGESTED)
BURST: Final = CommandOption("burst", Burst, Text("Dice. Default: your weapon's, or 1"), suggest=suggest_stats("Burst"))
MODS: Final = CommandOption("mods", Short, Text("MODs: -3 +6; +1sd is a special die"))
DICE: Final = CommandOption("dice", Short, Text("Faces you rolled by hand: 9, 4"))
KIND: Final = CommandOption("kind", str, Text("Your action"), choices=KINDS)
NAME: Final = CommandOption("name", NameOption, Text("Your trooper, or a name for it"), suggest=suggest_troopers)
WEAPON: Final = CommandOption("weapon", Around, Text("Its weapon, or its stats: AP PS 5"), suggest=weapons_of("name"))
AROUND: Final = CommandOption("around", Around, Text("What applies: at 20 cover, surprise, fireteam 4"))

THEIR_SV: Final = Text("Their SV. Default: they enter it with React")
VS_SV: Final = CommandOption("vs_sv", SuccessValue, THEIR_SV, word="sv_b", suggest=SV_SUGGESTED)
VS_BURST: Final = CommandOption(
    "vs_burst", Burst, Text("Their dice. Default: 1"), word="burst_b", suggest=suggest_stats("Burst")
)
VS_MODS: Final = CommandOption("vs_mods", Short, Text("Their MODs: -3 +6"), word="mods_b")
VS_DICE: Final = CommandOption("vs_dice", Short, Text("Faces they rolled by hand: 5"), word="dice_b")
VS_KIND: Final = CommandOption("vs_kind", str, Text("Their action"), word="kind_b", choices=KINDS)
VS_NAME: Final = CommandOption(
    "vs_name", NameOption, Text("The other trooper"), word="name_b", suggest=suggest_troopers
)
VS_WEAPON: Final = CommandOption(
    "vs_weapon", Around, Text("Their weapon"), word="weapon_b", suggest=weapons_of("vs_name")
)
VS_AROUND: Final = CommandOption("vs_around", Around, Text("What applies to them: cover, surprise"), word="around_b")

ROLL: Final = (SV, BURST, MODS, DICE, KIND, NAME, WEAPON, AROUND, VS_NAME.with_description(Text("Target")))
COMPARED: Final = (
    *(SV, BURST, MODS, VS_SV, VS_BURST, VS_MODS, NAME, VS_NAME),
    *(KIND, WEAPON, AROUND, VS_KIND, VS_WEAPON, VS_AROUND),
)
"""Both sides of a Face to Face, for odds."""
OPPONENT: Final = CommandOption("opponent", discord.User, Text("Who can react. Default: anyone but you"), word="")
VERSUS: Final = (*COMPARED[:8], OPPONENT, KIND, DICE, VS_DICE, *COMPARED[9:])
ORDER: Final = CommandOption(
    "order", OrderText, Text("A whole order as in /infinity order: the Wounds of each trooper"), word=""
)
OR_ORDER: Final = CommandOption("or_order", OrderText, Text("Another order to compare with it"), word="")

MARKERS: Final = (
    CommandOption("count", Range[int, 1, markers.MAX_MARKERS], Text("How many markers"), MISSING, word=""),
    CommandOption("kind", str, Text("Default: CAMO -3"), "CAMO -3", word="", choices=chosen_as(markers.KINDS)),
)

WHOLE: Final = (
    CommandOption("text", OrderText, Text("Angus 12 b2 vs Ortega 11; Murat 13 vs Ana; Ana 10 dodge"), word="order"),
    CommandOption("opponent", discord.User, Text("Who plays the other side"), word=""),
    CommandOption("aros", bool, Text("Wait for the other side's AROs, then roll all dice"), False, word="open"),
)
SAVE: Final = (
    CommandOption("hits", Hits, Text("Non-Critical hits"), MISSING),
    CommandOption("ammo", str, Text("Ammunition"), MISSING, choices=AMMUNITION),
    CommandOption("arm", Attribute, Text("ARM of the target"), suggest=suggest_stats("ARM", "BTS")),
    CommandOption("crits", Hits, Text("Criticals: one more save than a hit, made last")),
    CommandOption("ps", Power, Text("PS of the weapon (N5): PS + ARM or less passes"), suggest=suggest_stats("PS")),
    CommandOption(
        "damage",
        Power,
        Text("Damage of the weapon (N4): more than Damage - ARM passes"),
        suggest=suggest_stats("Damage"),
    ),
    CommandOption("bts", Attribute, Text("BTS of the target"), suggest=suggest_stats("BTS")),
    CommandOption("ph", Attribute, Text("PH of the target, for PARA")),
    CommandOption("cover", bool, Text("The target is in cover: +3 to each save"), False),
    CommandOption("dice", Range[str, 1, 400], Text("Dice rolled by hand, a Critical's extra save last")),
    CommandOption("name", NameOption, Text("The target: a trooper uses its ARM and BTS"), suggest=suggest_troopers),
)

# Troopers of the channel

Line = Range[str, 1, troopers.MAX_LINE]
TROOPER: Final = CommandOption("name", NameOption, Text("The trooper"), MISSING, suggest=suggest_troopers)
STATS: Final = CommandOption(
    "stats", Line, Text("BS 12, ARM 1, W 1, Mimetism (-3), Combi: B3 PS 7 N +3@16 -3@32 -6@48"), MISSING
)
NEW_WEAPON: Final = CommandOption(
    "weapon", Line, Text("Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48, or Combi of Angus"), MISSING, suggest=others_arms
)
NEW_NAME: Final = CommandOption("new_name", NameOption, Text("The new name: Fusilier #2"), MISSING)
PLAYER: Final = CommandOption("player", discord.User, Text("Its new owner"), MISSING)
IMPORT: Final = (
    CommandOption("code", Range[str, 1, army_codes.MAX_CODE], Text("An army code: all troopers in that list")),
    CommandOption("file", discord.Attachment, Text("Army data in JSON. Default: the data a GM gave this server")),
    CommandOption("unit", Around, Text("One trooper: the unit and words from its option: Fusiliers HMG")),
    CommandOption("name", NameOption, Text("What to call the trooper. Default: the unit's name")),
    CommandOption("weapons", discord.Attachment, Text("A second file, if the weapons are in a separate file")),
)
CONDITION: Final = (
    CommandOption("lost", Range[int, 0, 2 * limits.MAX_WOUNDS], Text("Total Wounds (or STR) lost")),
    CommandOption("state", str, Text("A state it is now in"), "", choices=chosen_as(states.STATES)),
    CommandOption(
        "ends", Short, Text("State that ends"), "", suggest=of_trooper("name", lambda trooper: trooper.states)
    ),
)

# Forms for commands typed without options

SV_FIELD: Final = SV.field(
    Text("SV before MODs ({least} to {most})", least=limits.MIN_SV, most=limits.MAX_SV), Code("12"), required=True
)
BURST_FIELD: Final = BURST.field(Text("How many dice. Default: 1"), Code("3"))
MODS_FIELD: Final = MODS.field(Text("MODs with their signs"), Code("-3 +6"))
KIND_FIELD: Final = KIND.field(Text("Your action"))
VS_SV_FIELD: Final = VS_SV.field(Text("Theirs. Default: they enter it"), Code("11"))
VS_BURST_FIELD: Final = VS_BURST.field(Text("Their dice. Default: 1"), Code("1"))
AROUND_FIELD: Final = AROUND.field(Text("Distance, and what applies"), Code("at 20 cover"))


async def roll_fields(interaction: Interaction) -> Sequence[Field]:
    """Return a trooper and its weapon to select; without troopers, numbers to type."""
    return await shot_fields(interaction) or (SV_FIELD, BURST_FIELD, MODS_FIELD, KIND_FIELD)


async def versus_fields(interaction: Interaction) -> Sequence[Field]:
    return await shot_fields(interaction) or (SV_FIELD, BURST_FIELD, MODS_FIELD, VS_SV_FIELD, VS_BURST_FIELD)


async def odds_fields(interaction: Interaction) -> Sequence[Field]:
    shot = await shot_fields(interaction, supposed=True)
    theirs = (VS_SV.field(Text("Their Success Value"), Code("11")), VS_BURST_FIELD)
    return (*shot[:3], *shot[-1:]) if shot else (SV_FIELD, BURST_FIELD, MODS_FIELD, *theirs)


async def shot_fields(interaction: Interaction, *, supposed: bool = False) -> tuple[Field, ...]:
    """Return a shot's fields for one's armed troopers; ``supposed``: for odds, of anyone's troopers."""
    mine = await number_here(interaction)
    troopers = sorted((await channel_troopers(interaction)).values(), key=lambda trooper: trooper.owner != mine)
    armed = [trooper for trooper in troopers if trooper.weapons]
    if not supposed:
        await check_plays(interaction, armed)
        armed = [trooper for trooper in armed if trooper.owner in (mine, 0)] or armed
    arms = dict.fromkeys(weapon.name for trooper in armed for weapon in trooper.weapons)
    if not armed:
        return ()
    who = Field("name", Text("Your trooper"), options=trooper_picks(armed))
    weapon = Field("weapon", Text("Weapon"), options=tuple(Picked(name, Name(name)) for name in arms)[:25])
    whom = Field("vs_name", Text("Target"), required=False, options=trooper_picks(reversed(troopers)))
    return (who, weapon, AROUND_FIELD, MODS_FIELD, whom)


def trooper_picks(held: Iterable[troopers.Trooper]) -> tuple[Picked, ...]:
    arms = ((trooper.name, Name(", ".join(weapon.name for weapon in trooper.weapons))) for trooper in held)
    return tuple(Picked(name, name, weapons) for name, weapons in arms)[:25]


CODE_FIELD: Final = Field(
    "code",
    Text("An army code from an army builder"),
    Code("glYMc2hhc3Zhc3RpaQ"),
    longest=army_codes.MAX_CODE,
    lines=True,
)
ROLL_FORM: Final = {FORM: CommandForm(Text("Infinity: a Normal Roll"), roll_fields)}
VERSUS_FORM: Final = {FORM: CommandForm(Text("Infinity: Face to Face"), versus_fields)}
IMPORT_FORM: Final = {FORM: CommandForm(Text("Infinity: troopers by army code"), [CODE_FIELD])}
ODDS_FORM: Final = {FORM: CommandForm(Text("Infinity: the odds"), odds_fields)}
