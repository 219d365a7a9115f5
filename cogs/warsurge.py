"""`/warsurge`: attacks by any of the three methods, their comparison, the chart, and a channel's units."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import discord
from discord import InteractionType, app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.odds.warsurge import count, declare_each_method
from bot.render import warsurge as cards
from bot.rules import dice, game, warsurge
from bot.rules.name import search_key
from bot.rules.text import Code, Name, Shown, Text, english, joined, labeled
from bot.rules.warsurge import methods, units
from bot.rules.warsurge.units import MAX_AP, MAX_HP, MAX_LINE, MAX_TYPED, SAVES, Unit
from bot.sessions import events, tables
from bot.ui.commands import options
from bot.ui.commands.options import FORM, MISSING, SECRET, CommandOption, Given, choice, declaration, takes
from bot.ui.core import components
from bot.ui.core.request_context import NameOption, place, request
from bot.ui.roll.roll_message import ask_rest, declare, open_words, show_card, show_change, show_counted, show_odds

KEY: Final = warsurge.KEY

Value = Range[int, 0, MAX_TYPED]
Dice = Range[int, 1, dice.MAX_DICE]
Ap = Range[int, 0, MAX_AP]
Line = Range[str, 1, MAX_LINE]
Faces = Range[str, 1, 1000]
METHODS: Final = tuple(choice(method.label, method.value) for method in methods.Method)
ARMOUR_SAVES: Final = options.chosen_as(f"{face}+" for face in SAVES)


# Autocomplete


def numbers(option: str) -> Any:
    """Return ``CommandOption.suggest``: matching unit stats, as ``Angus Rifle: Power 6``."""

    async def suggested(interaction: Interaction, typed: str) -> list[Choice[int]]:
        result = [suggestion for unit in await in_order(interaction) for suggestion in suggestions(unit, option)]
        return options.matching_choices(typed, result)

    return suggested


def suggestions(unit: Unit, option: str) -> list[tuple[Shown, int]]:
    if option == "defence":
        known = [unit.defence] if unit.defence is not None else []
        return [(Text("{unit}: Defence {number}", unit=unit.name, number=item), item) for item in known]
    result = [(f"{unit.name} {weapon.name}".strip(), getattr(weapon, option)) for weapon in unit.weapons]
    title = units.WEAPON_STATS[option].title
    return [(labeled(Name(name), joined(title, number)), number) for name, number in result if number is not None]


async def in_order(interaction: Interaction) -> list[Unit]:
    return sorted((await options.channel_pieces(interaction, KEY)).values(), key=lambda unit: unit.name.casefold())


async def suggest_units(interaction: Interaction, typed: str) -> list[Choice[str]]:
    return options.names(typed, [unit.name for unit in await in_order(interaction)])


async def suggest_weapons(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest the typed attacker's weapons, after those already in the option."""
    attacker = search_key(str(getattr(interaction.namespace, "attacker", None) or ""))
    before, comma, last = typed.rpartition(",")
    mine = [unit for unit in await in_order(interaction) if search_key(unit.name) == attacker]
    named = (weapon.name for unit in mine for weapon in unit.weapons if weapon.name)
    names = [f"{before}{comma} {name}".strip() for name in named if options.label_contains(name, last)]
    return options.names("", names)


# Options

POWER: Final = CommandOption(
    "power", Value, Text("Power of the attack; above 20 counts as 20"), suggest=numbers("power")
)
DEFENCE: Final = CommandOption(
    "defence", Value, Text("Defence of the target; above 15 counts as 15"), suggest=numbers("defence")
)
DICE: Final = CommandOption("dice", Dice, Text("Attack dice. Default: 1"), word="attack_dice", suggest=numbers("dice"))
METHOD: Final = CommandOption(
    "method", str, Text("How the roll needed is found. Default: this table's method, or Casual"), choices=METHODS
)
SAVE: Final = CommandOption(
    "save", str, Text("The target's armour save, rolled once per success"), choices=ARMOUR_SAVES
)
AP: Final = CommandOption("ap", Ap, Text("How much the weapon worsens the armour save: AP 1 turns 4+ into 5+"))
UNITS: Final = (
    CommandOption("attacker", NameOption, Text("Your unit: uses its weapons"), suggest=suggest_units),
    CommandOption(
        "weapons", Line, Text("Weapons of your unit: Rifle, Cannon. Default: I ask, or all"), suggest=suggest_weapons
    ),
    CommandOption(
        "target", NameOption, Text("The unit you attack: uses its Defence, save, and HP"), suggest=suggest_units
    ),
)
COMPARED: Final = (POWER, DEFENCE, DICE, SAVE, AP, *UNITS)
"""Options of every command that rolls or computes an attack."""
COUNTED: Final = (POWER, DEFENCE, DICE, METHOD, SAVE, AP, *UNITS)
BY_HAND: Final = (
    CommandOption("faces", Faces, Text("Attack dice by hand: 4 1 6; in a chain (Balanced, Chart) 6 5, 3, 6 2")),
    CommandOption("save_faces", Faces, Text("Armour saves by hand, in addition to the attack dice in faces: 5 2")),
)
OPPONENT: Final = CommandOption(
    "opponent", discord.User, Text("Who rolls the armour saves or types them. Default: I roll"), word=""
)

# Forms for commands typed without options

NUMBERS: Final = (
    POWER.field(Text("Power of the attack"), Code("6"), required=True),
    DEFENCE.field(Text("Defence of the target"), Code("4"), required=True),
    DICE.field(Text("Attack dice. Default: 1"), Code("3")),
)
METHOD_FIELD: Final = METHOD.field(Text("Method. Default: this table's"))
SAVE_FIELD: Final = SAVE.field(Text("The target's armour save"))


async def attack_fields(interaction: Interaction) -> Sequence[game.Field]:
    """Return two units to select; with fewer, numbers to type."""
    return await unit_fields(interaction) or (*NUMBERS, METHOD_FIELD, SAVE_FIELD)


async def compare_fields(interaction: Interaction) -> Sequence[game.Field]:
    """Return an attack's fields without the method, since all three are compared."""
    return [field for field in await attack_fields(interaction) if field is not METHOD_FIELD]


async def unit_fields(interaction: Interaction) -> tuple[game.Field, ...]:
    """Return the fields of an attack between units; () without two units or an armed attacker."""
    units_here = await in_order(interaction)
    armed = [unit for unit in units_here if any(weapon.power is not None for weapon in unit.weapons)]
    targets = [unit for unit in units_here if unit.defence is not None]
    if not armed or not targets or len(units_here) < 2:
        return ()
    return (
        game.Field("attacker", Text("Your unit"), options=unit_options(armed)),
        game.Field("target", Text("The unit you attack"), options=unit_options(targets[::-1])),
        weapons_field(armed),
        METHOD_FIELD,
    )


def weapons_field(armed: Sequence[Unit]) -> game.Field:
    """Return the weapons of all possible attackers to check; a text line if there are many or unnamed ones."""
    label, holders = Text("Which weapons? Default: all"), dict[str, list[str]]()
    for unit in armed:
        for weapon in unit.weapons:
            holders.setdefault(weapon.name, []).append(unit.name)
    if "" in holders or len(holders) > options.MOST:
        return game.Field("weapons", label, Code("Rifle, Cannon"), required=False, longest=MAX_LINE)
    arms = tuple(game.Option(name, Name(name), Name(", ".join(units))) for name, units in holders.items())
    return game.Field("weapons", label, required=False, options=arms, several=True)


async def ask_weapons(interaction: Interaction, words: Mapping[str, object], new: components.NewRoll) -> bool:
    """Open the weapons form for a unit with several attacks, not after another form; return whether it did."""
    said = {word: str(value) for word, value in words.items() if value}
    if said.keys() - {"attacker", "target", "method", "asks_saves"} or interaction.type is InteractionType.modal_submit:
        return False
    return await ask_rest(interaction, new, said)


def unit_options(shown: Sequence[Unit]) -> tuple[game.Option, ...]:
    return tuple(game.Option(unit.name, Name(unit.name), units.write(unit)) for unit in shown)[: options.MOST]


ATTACK_FORM: Final = {FORM: options.CommandForm(Text("WARSURGE: an attack"), attack_fields)}
ODDS_FORM: Final = {FORM: options.CommandForm(Text("WARSURGE: the odds of an attack"), attack_fields)}
COMPARE_FORM: Final = {FORM: options.CommandForm(Text("WARSURGE: the three methods"), compare_fields)}


ABOUT: Final = english(Text("WARSURGE: attack dice, three methods"))
ABOUT_UNITS: Final = english(Text("Units in this channel: Defence, save, HP, and weapons"))
UNIT: Final = CommandOption("name", NameOption, Text("Which unit"), MISSING, suggest=suggest_units)
STATS: Final = CommandOption("stats", Line, Text("Defence 5, Save 4+, HP 12; Rifle: Power 6, Dice 4, AP 1"), MISSING)
LEFT: Final = CommandOption("left", Range[int, 0, MAX_HP], Text("HP left. Default: all of them"))

# Commands


class UnitGroup(app_commands.Group):
    """The channel's units. Each change is a step, which `/table undo` reverts."""

    async def step(self, interaction: Interaction, what: Shown, change: tables.Change) -> events.PiecesChanged:
        return await interaction.client.tables.step(await request(interaction), KEY, what, change)

    @app_commands.command(name="set", description="Save a unit with full HP; replaces any unit with that name")
    @takes(UNIT.with_description(Text("What the unit is called")), STATS)
    async def set_(self, interaction: Interaction, given: Given) -> None:
        unit = units.parse(given["name"], given["stats"])
        what = Text("saves {made}: {write}", made=unit.name, write=units.write(unit))
        await self.step(interaction, what, lambda now: units.add_or_replace(now, unit))
        await show_change(interaction, cards.step(Text("{made} is saved.", made=unit.name), {unit.name: unit}))

    @app_commands.command(description="Set how many HP a unit has left")
    @takes(UNIT, LEFT)
    async def hp(self, interaction: Interaction, given: Given) -> None:
        name, left = given["name"], given["left"]

        def change(now: units.Units) -> units.Units:
            unit = units.with_hp(units.find(now, name), left)
            return {unit.name: unit}

        what = (
            Text("heals {name}", name=name) if left is None else Text("sets {name} to {left} HP", name=name, left=left)
        )
        step = await self.step(interaction, what, change)
        unit = units.find(step.after, name)
        text = Text("{unit} has {hp_left} of {hp} HP.", unit=unit.name, hp_left=unit.hp_left, hp=unit.hp)
        await show_change(interaction, cards.step(text, {unit.name: unit}))

    @app_commands.command(description="Remove a unit from this channel")
    @takes(UNIT)
    async def remove(self, interaction: Interaction, given: Given) -> None:
        name = given["name"]
        what = Text("removes {name}", name=name)
        step = await self.step(interaction, what, lambda now: {units.find(now, name).name: None})
        gone = units.find(step.before, name).name
        await show_change(interaction, cards.step(Text("{gone} is removed.", gone=gone), {}))

    @app_commands.command(name="list", description="All units in this channel: stats, HP left, and weapons")
    async def list_(self, interaction: Interaction) -> None:
        await show_card(interaction, cards.board(await interaction.client.tables.pieces(place(interaction), KEY)))


class Warsurge(commands.GroupCog, group_name="warsurge", group_description=ABOUT):
    """An attack ends with its roll. The methods can be compared without one."""

    profile = UnitGroup(name="profile", description=ABOUT_UNITS)

    @app_commands.command(description="Roll the attack dice and count the HP lost", extras=ATTACK_FORM)
    @takes(*COUNTED, *BY_HAND, OPPONENT, *SECRET)
    async def attack(self, interaction: Interaction, given: Given) -> None:
        secrecy, opponent = given["secrecy"], given["opponent"]
        words = declaration(given, *COUNTED, *BY_HAND) | {"asks_saves": opponent is not None}
        new = components.NewRoll(KEY, "asks_saves" if opponent else "", opponent and opponent.id, secrecy)
        if not await ask_weapons(interaction, words, new):
            await open_words(interaction, KEY, words, opponent, secrecy=secrecy)

    @app_commands.command(description="Exact odds of an attack's or volley's HP loss, as a chart", extras=ODDS_FORM)
    @takes(*COUNTED)
    async def odds(self, interaction: Interaction, given: Given) -> None:
        await show_odds(interaction, KEY, (await declare(interaction, KEY, declaration(given, *COUNTED)),))

    @app_commands.command(
        description="Casual, Balanced, and Chart side by side: need, line, and exact HP loss", extras=COMPARE_FORM
    )
    @takes(*COMPARED)
    async def compare(self, interaction: Interaction, given: Given) -> None:
        declared = await declare(interaction, KEY, declaration(given, *COMPARED))
        await show_counted(interaction, partial(count, declare_each_method(declared)), cards.compare_card)

    @app_commands.command(description="The Attack Dice Chart as printed, with your cell marked")
    @takes(POWER, DEFENCE)
    async def chart(self, interaction: Interaction, given: Given) -> None:
        await show_card(interaction, cards.chart_card(given["power"], given["defence"]))


async def setup(client: Client) -> None:
    await client.add_cog(Warsurge())
