"""The table of options of `/infinity`: what its commands take, and the fields of their forms."""

from typing import Final

import discord
from discord.app_commands import Range

from bot.rules.infinity.army import CODE_MOST
from bot.rules.infinity.declared import (
    ATTRIBUTE_MOST,
    BURST_MOST,
    HITS_MOST,
    POWER_MOST,
    SV_LEAST,
    SV_MOST,
    WOUNDS_MOST,
    Action,
    Ammo,
)
from bot.rules.infinity.forms import ORDER_LONGEST
from bot.rules.infinity.markers import KINDS as KINDS_OF_MARKERS
from bot.rules.infinity.markers import MARKERS_MOST
from bot.rules.infinity.states import STATES as ALL_STATES
from bot.rules.infinity.trooper import LINE_MOST
from bot.rules.text import Code, Text
from bot.ui.names import NameOption
from bot.ui.options import MISSING, Option, choice
from cogs.infinity.suggestions import armed, enemy_armed, named, offered, others_arms, states_of

SuccessValue = Range[int, SV_LEAST, SV_MOST]
Burst = Range[int, 1, BURST_MOST]
Short = Range[str, 1, 60]
Around = Range[str, 1, 100]
Hits = Range[int, 0, HITS_MOST]
Attribute = Range[int, 0, ATTRIBUTE_MOST]
Power = Range[int, 0, POWER_MOST]
OrderText = Range[str, 1, ORDER_LONGEST]

KINDS: Final = tuple(choice(kind.label, kind.value) for kind in Action)
COMBINED: Final = ("AP+DA", "AP+EXP", "AP+Shock", "AP+T2", "N+E/M")
UNSAVED: Final = (Ammo.SMOKE, Ammo.ECLIPSE, Ammo.NONE)
MARKER_KINDS: Final = tuple(choice(Code(kind), kind) for kind in KINDS_OF_MARKERS)
AMMUNITION: Final = tuple(
    choice(Code(ammo), str(ammo)) for ammo in (*(one for one in Ammo if one not in UNSAVED), *COMBINED)
)

# One's own side, then the other one

SV: Final = Option("sv", SuccessValue, Text("Success Value. Default: your trooper's"), suggest=offered("sv"))
BURST: Final = Option("burst", Burst, Text("Dice. Default: your weapon's, or 1"), suggest=offered("burst"))
MODS: Final = Option("mods", Short, Text("MODs: -3 +6; +1sd is a special die"))
DICE: Final = Option("dice", Short, Text("Faces you rolled by hand: 9, 4"))
KIND: Final = Option("kind", str, Text("What you do"), choices=KINDS)
NAME: Final = Option("name", NameOption, Text("Your trooper, or a name for it"), suggest=named)
WEAPON: Final = Option("weapon", Around, Text("Its weapon, or what that is: AP PS 5"), suggest=armed)
AROUND: Final = Option("around", Around, Text("What applies: at 20 cover, surprise, fireteam 4"))

VS_SV: Final = Option(
    *("vs_sv", SuccessValue, Text("Their Success Value. Default: they say it with React")),
    word="sv_b",
    suggest=offered("sv"),
)
VS_BURST: Final = Option("vs_burst", Burst, Text("Their dice. Default: 1"), word="burst_b", suggest=offered("burst"))
VS_MODS: Final = Option("vs_mods", Short, Text("Their MODs: -3 +6"), word="mods_b")
VS_DICE: Final = Option("vs_dice", Short, Text("Faces they rolled by hand: 5"), word="dice_b")
VS_KIND: Final = Option("vs_kind", str, Text("What they do"), word="kind_b", choices=KINDS)
VS_NAME: Final = Option("vs_name", NameOption, Text("The other trooper"), word="name_b", suggest=named)
VS_WEAPON: Final = Option("vs_weapon", Around, Text("Their weapon"), word="weapon_b", suggest=enemy_armed)
VS_AROUND: Final = Option("vs_around", Around, Text("What applies to them: cover, surprise"), word="around_b")

ROLL: Final = (SV, BURST, MODS, DICE, KIND, NAME, WEAPON, AROUND, VS_NAME.said(Text("Whom it is aimed at")))
COMPARED: Final = (
    *(SV, BURST, MODS, VS_SV, VS_BURST, VS_MODS, NAME, VS_NAME),
    *(KIND, WEAPON, AROUND, VS_KIND, VS_WEAPON, VS_AROUND),
)
"""Both sides of a Face to Face, as it is counted."""
OPPONENT: Final = Option("opponent", discord.User, Text("Who may react. Default: anybody but you"), word="")
VERSUS: Final = (*COMPARED[:8], OPPONENT, KIND, DICE, VS_DICE, *COMPARED[9:])
ORDER: Final = Option(
    "order", OrderText, Text("A whole order as in /infinity order: the Wounds of each trooper"), word=""
)
OR_ORDER: Final = Option("or_order", OrderText, Text("Another order to compare with it"), word="")

MARKERS: Final = (
    Option("count", Range[int, 1, MARKERS_MOST], Text("How many markers"), MISSING, word=""),
    Option("kind", str, Text("Default: CAMO -3"), "CAMO -3", word="", choices=MARKER_KINDS),
)

WHOLE: Final = (
    Option("text", OrderText, Text("Angus 12 b2 vs Ortega 11; Murat 13 vs Ana; Ana 10 dodge"), word="order"),
    Option("opponent", discord.User, Text("Who plays the other side"), word=""),
    Option("aros", bool, Text("Wait for the AROs of others, then all dice fall"), False, word="open"),
)
SAVE: Final = (
    Option("hits", Hits, Text("Hits that are no Criticals"), MISSING),
    Option("ammo", str, Text("Ammunition"), MISSING, choices=AMMUNITION),
    Option("arm", Attribute, Text("ARM of the target"), suggest=offered("arm")),
    Option("crits", Hits, Text("Criticals: one save more than a hit, made last")),
    Option("ps", Power, Text("PS of the weapon (N5): PS + ARM or less passes"), suggest=offered("ps")),
    Option(
        "damage", Power, Text("Damage of the weapon (N4): more than Damage - ARM passes"), suggest=offered("damage")
    ),
    Option("bts", Attribute, Text("BTS of the target"), suggest=offered("bts")),
    Option("ph", Attribute, Text("PH of the target, for PARA")),
    Option("cover", bool, Text("The target is in cover: +3 to each save"), False),
    Option("dice", Range[str, 1, 400], Text("Faces by hand, a Critical's extra save last")),
    Option("name", NameOption, Text("The target: a trooper brings its ARM and BTS"), suggest=named),
)

# Troopers of the channel

Line = Range[str, 1, LINE_MOST]
TROOPER: Final = Option("name", NameOption, Text("The trooper"), MISSING, suggest=named)
STATS: Final = Option(
    "stats", Line, Text("BS 12, ARM 1, W 1, Mimetism (-3), Combi: B3 PS 7 N +3@16 -3@32 -6@48"), MISSING
)
NEW_WEAPON: Final = Option(
    "weapon", Line, Text("Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48, or Combi of Angus"), MISSING, suggest=others_arms
)
NEW_NAME: Final = Option("new_name", NameOption, Text("The new name: Fusilier #2"), MISSING)
PLAYER: Final = Option("player", discord.User, Text("Whose it is from now on"), MISSING)
IMPORT: Final = (
    Option("code", Range[str, 1, CODE_MOST], Text("An army code: all troopers of that list")),
    Option("file", discord.Attachment, Text("Army data in JSON. Default: what a GM gave this server")),
    Option("unit", Around, Text("One trooper: the unit, and words of its option: Fusiliers HMG")),
    Option("name", NameOption, Text("What to call the one trooper. Default: as the unit")),
    Option("weapons", discord.Attachment, Text("A second file, if the weapons are in a file of their own")),
)
CONDITION: Final = (
    Option("lost", Range[int, 0, 2 * WOUNDS_MOST], Text("Wounds (or STR) lost in all")),
    Option(
        "state",
        str,
        Text("A state it is in from now on"),
        "",
        choices=tuple(choice(Code(state), state) for state in ALL_STATES),
    ),
    Option("ends", str, Text("A state that ends"), "", suggest=states_of),
)
