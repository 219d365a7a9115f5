"""`/infinity profile`: the troopers of a channel, whose names stand for their stats and weapons in every roll."""

from dataclasses import replace
from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from bot.client import Interaction
from bot.render.infinity import troopers as cards
from bot.rules import infinity
from bot.rules.errors import BadInput, PlayerError
from bot.rules.infinity import army, states
from bot.rules.infinity import trooper as troopers
from bot.rules.infinity import weapon as weapons
from bot.rules.infinity.declared import WOUNDS_MOST
from bot.rules.text import Count, Text
from bot.sessions.request import Stepped
from bot.sessions.tables import Change
from bot.ui import files
from bot.ui.names import Name, clean, person
from bot.ui.panel import show_card, show_change
from bot.ui.place import place, request
from bot.ui.profiles import Numbers, numbers
from bot.ui.suggest import held, names, other
from cogs.infinity import armies
from cogs.infinity.forms import IMPORT_FORM

Line = Range[str, 1, troopers.LINE_MOST]
Unit = Range[str, 1, 100]
Code = Range[str, 1, army.CODE_MOST]
STATES: Final = [Choice(name=state, value=state) for state in states.STATES]


OFFERED: Final = {"sv": troopers.SUCCESS_VALUES, "arm": ("ARM", "BTS")}
"""Options that take other stats than the one of their own name."""


def offered(*options: str) -> dict[str, Numbers]:
    """For ``app_commands.autocomplete``: each option offers the stats that it takes, as ``Angus: BS 12``."""
    return {option: numbers(infinity.KEY, stats_for(option.removeprefix("vs_"))) for option in options}


def stats_for(option: str) -> tuple[str, ...]:
    return OFFERED.get(option) or tuple(stat for stat in troopers.STATS if stat.casefold() == option)


async def named(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The troopers of the channel, while somebody types a name."""
    return names(typed, sorted(await held(interaction, infinity.KEY), key=str.casefold))


async def weapons_of(interaction: Interaction, typed: str, option: str) -> list[Choice[str]]:
    """The weapons of the trooper that another option of the same command names."""
    kept, asked = await held(interaction, infinity.KEY), other(interaction, option)
    return names(
        typed, [weapon.name for name, one in kept.items() if name.casefold() == asked for weapon in one.weapons]
    )


async def states_of(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The states of the trooper that is named already."""
    kept, asked = await held(interaction, infinity.KEY), other(interaction, "name")
    return names(typed, [state for name, one in kept.items() if name.casefold() == asked for state in one.states])


async def armed(interaction: Interaction, typed: str) -> list[Choice[str]]:
    return await weapons_of(interaction, typed, "name")


async def enemy_armed(interaction: Interaction, typed: str) -> list[Choice[str]]:
    return await weapons_of(interaction, typed, "vs_name")


async def others_arms(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """``Combi of Angus``: the weapons of the channel's troopers, to be copied."""
    kept = sorted((await held(interaction, infinity.KEY)).values(), key=lambda one: one.name.casefold())
    return names(typed, [f"{weapon.name} of {one.name}" for one in kept for weapon in one.weapons])


async def own_number(interaction: Interaction) -> int:
    """The number of who gives a command, as a player of this channel; from now on, if they were none."""
    return (await interaction.client.tables.player(place(interaction), person(interaction.user))).id


async def number_of(interaction: Interaction) -> int:
    """The number of who gives a command, as a player of this channel; 0 for somebody who is none."""
    players = await interaction.client.tables.players(place(interaction))
    return next((number for number, one in players.items() if one.person_id == interaction.user.id), 0)


class TrooperGroup(app_commands.Group):
    """What the commands change is one step, which `/table undo` takes back."""

    def __init__(self) -> None:
        super().__init__(
            name="profile", description=Text("Troopers of this channel: a name stands for stats and weapons")
        )

    async def step(self, interaction: Interaction, what: str, change: Change) -> Stepped:
        return await interaction.client.tables.step(await request(interaction), infinity.KEY, what, change)

    async def show(self, interaction: Interaction, made: Stepped, sentence: str) -> None:
        changed = {name: made.after[name] for name in made.changed if name in made.after}
        await show_change(interaction, cards.step(sentence, changed))

    @app_commands.command(
        name="set", description="Keep a trooper's profile under a name; it replaces the one of that name"
    )
    @app_commands.describe(
        name="The trooper", stats="BS 12, ARM 1, W 1, Mimetism (-3), Combi: B3 PS 7 N +3@16 -3@32 -6@48"
    )
    @app_commands.autocomplete(name=named)
    async def set_(self, interaction: Interaction, name: Name, stats: Line) -> None:
        made = troopers.parse(name, stats, await held(interaction, infinity.KEY))
        mine = replace(made, owner=await own_number(interaction))
        done = await self.step(interaction, Text("sets {made}", made=made.name), lambda now: troopers.put(now, mine))
        await self.show(interaction, done, Text("{name} is saved.", name=made.name))

    @app_commands.command(description="Give a trooper a weapon; it replaces the one of that name")
    @app_commands.describe(name="The trooper", weapon="Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48, or Combi of Angus")
    @app_commands.autocomplete(name=named, weapon=others_arms)
    async def weapon(self, interaction: Interaction, name: Name, weapon: Line) -> None:
        new = troopers.borrowed(await held(interaction, infinity.KEY), weapon) or weapons.parse(weapon)
        done = await self.step(
            interaction, Text("gives {name} a {new}", name=name, new=new.name), lambda now: troopers.arm(now, name, new)
        )
        await self.show(
            interaction, done, Text("{find} has a {new}.", find=troopers.find(done.after, name).name, new=new.name)
        )

    @app_commands.command(
        name="import", description="Take troopers from army data that you fetched yourself (JSON)", extras=IMPORT_FORM
    )
    @app_commands.describe(
        code="An army code: all troopers of that list",
        file="Army data in JSON. Default: what a GM gave this server",
        unit="One trooper: the unit, and words of its option: Fusiliers HMG",
        name="What to call the one trooper. Default: as the unit",
        weapons="A second file, if the weapons are in a file of their own",
    )
    async def import_(
        self,
        interaction: Interaction,
        code: Code | None = None,
        file: discord.Attachment | None = None,
        unit: Unit | None = None,
        name: Name | None = None,
        weapons: discord.Attachment | None = None,
    ) -> None:
        if code is None and (unit is None or file is None):
            raise BadInput(
                "code",
                None,
                Text("Paste an army code; or attach a `file` and name a `unit` of it, as in `Fusiliers HMG`."),
            )
        texts = await armies.texts_of((file, weapons))
        if code is None:
            made = await files.read(interaction, army.read_trooper, unit or "", name or "", *texts)
            mine = replace(made, owner=await own_number(interaction))
            done = await self.step(
                interaction, Text("imports {made}", made=made.name), lambda now: troopers.put(now, mine)
            )
            await self.show(interaction, done, Text("{name} is saved.", name=made.name))
            return
        new, listed = await armies.troopers_of(interaction, code, texts), army.decode(code)
        called = listed.name or listed.army
        owner = await own_number(interaction)
        owned = [replace(one, owner=owner) for one in new]
        done = await self.step(
            interaction, Text("imports {called}", called=called), lambda now: army.enlist(now, owned)
        )
        await self.show(
            interaction,
            done,
            Text(
                "{called}: {troopers} saved.", called=called, troopers=Count(len(done.changed), "trooper", "troopers")
            ),
        )

    @app_commands.command(description="Keep the same profile under another name, unharmed")
    @app_commands.describe(name="The trooper to copy", new_name="The new name: Fusilier #2")
    @app_commands.autocomplete(name=named)
    async def copy(self, interaction: Interaction, name: Name, new_name: Name) -> None:
        what = Text("copies {name} as {new_name}", name=name, new_name=new_name)
        done = await self.step(interaction, what, lambda now: troopers.copy(now, name, new_name))
        await self.show(interaction, done, Text("{new_name} is saved.", new_name=new_name))

    @app_commands.command(description="Set the Wounds that a trooper has lost, or bring or end a state")
    @app_commands.describe(
        name="The trooper",
        lost="Wounds (or STR) lost in all",
        state="A state it is in from now on",
        ends="A state that ends",
    )
    @app_commands.choices(state=STATES)
    @app_commands.autocomplete(name=named, ends=states_of)
    async def state(
        self,
        interaction: Interaction,
        name: Name,
        lost: Range[int, 0, 2 * WOUNDS_MOST] | None = None,
        state: str = "",
        ends: str = "",
    ) -> None:
        def change(now: Any) -> Any:
            harmed = {**now, **troopers.harm(now, name, lost, state)}
            return troopers.harm(harmed, name, None, ends, on=False)

        done = await self.step(interaction, Text("changes {name}", name=name), change)
        now = troopers.find(done.after, name)
        await show_card(
            interaction, cards.step(f"{now.name}: {troopers.condition(now) or 'unharmed'}.", {now.name: now})
        )

    @app_commands.command(description="Give a trooper to another player; its owner or a GM can")
    @app_commands.describe(name="The trooper", player="Whose it is from now on")
    @app_commands.autocomplete(name=named)
    async def give(self, interaction: Interaction, name: Name, player: discord.User) -> None:
        if player.bot:
            raise PlayerError(Text("A bot cannot play. Name a person as `player`."))
        owner = (await interaction.client.tables.player(place(interaction), person(player))).id
        what = Text("gives {name} to another player", name=name)
        done = await self.step(interaction, what, lambda now: troopers.give(now, name, owner))
        given = troopers.find(done.after, name)
        await self.show(
            interaction,
            done,
            Text("{name} belongs to {player} now.", name=given.name, player=clean(player.display_name)),
        )

    @app_commands.command(description="Forget a trooper of this channel")
    @app_commands.describe(name="Which trooper")
    @app_commands.autocomplete(name=named)
    async def remove(self, interaction: Interaction, name: Name) -> None:
        done = await self.step(
            interaction, Text("removes {name}", name=name), lambda now: {troopers.find(now, name).name: None}
        )
        await show_change(
            interaction, cards.step(Text("{find} is removed.", find=troopers.find(done.before, name).name), {})
        )

    @app_commands.command(name="list", description="All troopers of this channel with their profiles")
    async def list_(self, interaction: Interaction) -> None:
        await show_card(
            interaction, cards.board(await interaction.client.tables.pieces(place(interaction), infinity.KEY))
        )
