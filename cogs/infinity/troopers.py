"""`/infinity profile`: the troopers of a channel, whose names stand for their stats and weapons in every roll."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from discord import app_commands

from bot.client import Interaction
from bot.render.infinity import troopers as cards
from bot.rules import infinity
from bot.rules.errors import BadInput, PlayerError
from bot.rules.infinity import army
from bot.rules.infinity import trooper as troopers
from bot.rules.infinity import weapon as weapons
from bot.rules.infinity.turn import owners
from bot.rules.text import N_, Count, Name, Shown, Text, ended, english, labelled
from bot.sessions.request import Stepped
from bot.sessions.tables import Change
from bot.ui import files
from bot.ui.board import BOARD
from bot.ui.options import Given, takes
from bot.ui.panel import show_card, show_change
from bot.ui.place import clean, person, place, request
from cogs.infinity import armies
from cogs.infinity.options import (
    CONDITION,
    IMPORT,
    IMPORT_FORM,
    NEW_NAME,
    NEW_WEAPON,
    PLAYER,
    STATS,
    TROOPER,
    held_troopers,
)


async def own_number(interaction: Interaction) -> int:
    """The number of who gives a command, as a player of this channel; from now on, if they were none."""
    return (await interaction.client.tables.player(place(interaction), person(interaction.user))).id


def found_in(table: Mapping[str, Any], name: str) -> troopers.Trooper:
    """The trooper of that name among the pieces of a table."""
    return troopers.find(troopers.troopers_of(table), name)


class TrooperGroup(app_commands.Group):
    """What the commands change is one step, which `/table undo` takes back."""

    def __init__(self) -> None:
        super().__init__(
            name="profile", description=english(Text("Troopers of this channel: a name stands for stats and weapons"))
        )

    async def change(self, interaction: Interaction, what: Shown, change: Change) -> Stepped:
        asked = await request(interaction)
        return await interaction.client.tables.step(
            asked, infinity.KEY, what, lambda now: change(troopers.troopers_of(now))
        )

    async def step(
        self, interaction: Interaction, what: Shown, change: Change, told: Callable[[Stepped], Shown]
    ) -> Stepped:
        """A change, told with the troopers that it changed."""
        made = await self.change(interaction, what, change)
        changed = {name: made.after[name] for name in made.changed if name in made.after}
        await show_change(interaction, cards.step(told(made), changed))
        return made

    @app_commands.command(
        name="set", description="Keep a trooper's profile under a name; it replaces the one of that name"
    )
    @takes(TROOPER, STATS)
    async def set_(self, interaction: Interaction, given: Given) -> None:
        made = troopers.parse(given["name"], given["stats"], await held_troopers(interaction))
        await self.put(interaction, Text("sets {made}", made=made.name), made)

    async def put(self, interaction: Interaction, what: Shown, made: troopers.Trooper) -> None:
        mine = replace(made, owner=await own_number(interaction))
        said = Text("{name} is saved.", name=made.name)
        await self.step(interaction, what, lambda now: troopers.put(now, mine), lambda _: said)

    @app_commands.command(description="Give a trooper a weapon; it replaces the one of that name")
    @takes(TROOPER, NEW_WEAPON)
    async def weapon(self, interaction: Interaction, given: Given) -> None:
        name, weapon = given["name"], given["weapon"]
        new = troopers.borrowed(await held_troopers(interaction), weapon) or weapons.parse(weapon)
        await self.step(
            interaction,
            Text("gives {name} a {new}", name=name, new=new.name),
            lambda now: troopers.arm(now, name, new),
            lambda done: Text("{find} has a {new}.", find=found_in(done.after, name).name, new=new.name),
        )

    @app_commands.command(
        name="import", description="Take troopers from army data that you fetched yourself (JSON)", extras=IMPORT_FORM
    )
    @takes(*IMPORT)
    async def import_(self, interaction: Interaction, given: Given) -> None:
        code, unit, name, file = (given[one] for one in ("code", "unit", "name", "file"))
        if code is None and (unit is None or file is None):
            allowed = Text("Paste an army code; or attach a `file` and name a `unit` of it, as in `Fusiliers HMG`.")
            raise BadInput("code", None, allowed)
        sent = await armies.fetch(interaction, (file, given["weapons"]))
        if code is None:
            made = await files.read(interaction, army.read_trooper, unit or "", name or "", *sent)
            await self.put(interaction, Text("imports {made}", made=made.name), made)
            return
        new, listed = await armies.troopers_of(interaction, code, sent), army.decode(code)
        called, owner = Name(listed.name or listed.army), await own_number(interaction)
        owned = [replace(one, owner=owner) for one in new]
        saved = Text("{called}: {troopers} saved.", called=called, troopers=Count(len(owned), "trooper", "troopers"))
        done = await self.step(
            interaction,
            Text("imports {called}", called=called),
            lambda now: army.enlist(now, owned),
            lambda _: saved,
        )
        if len(owners(done.after)) > 1 and await BOARD.find(interaction.client, place(interaction).channel_id) is None:
            await BOARD.post(interaction, after_answer=True)

    @app_commands.command(description="Keep the same profile under another name, unharmed")
    @takes(TROOPER.said(Text("The trooper to copy")), NEW_NAME)
    async def copy(self, interaction: Interaction, given: Given) -> None:
        name, new_name = given["name"], given["new_name"]
        what = Text("copies {name} as {new_name}", name=name, new_name=new_name)
        said = Text("{new_name} is saved.", new_name=new_name)
        await self.step(interaction, what, lambda now: troopers.copy(now, name, new_name), lambda _: said)

    @app_commands.command(description="Set the Wounds that a trooper has lost, or bring or end a state")
    @takes(TROOPER, *CONDITION)
    async def state(self, interaction: Interaction, given: Given) -> None:
        name = given["name"]

        def change(now: Any) -> Any:
            harmed = {**now, **troopers.harm(now, name, given["lost"], given["state"])}
            return troopers.harm(harmed, name, None, given["ends"], on=False)

        done = await self.change(interaction, Text("changes {name}", name=name), change)
        now = found_in(done.after, name)
        how = troopers.condition(now) or Text("unharmed")
        await show_card(interaction, cards.step(ended(labelled(now.name, how)), {now.name: now}))

    @app_commands.command(description="Give a trooper to another player; its owner or a GM can")
    @takes(TROOPER, PLAYER)
    async def give(self, interaction: Interaction, given: Given) -> None:
        name, player = given["name"], given["player"]
        if player.bot:
            raise PlayerError(Text("A bot cannot play. Name a person as `player`."))
        owner = (await interaction.client.tables.player(place(interaction), person(player))).id
        what, whose = Text("gives {name} to another player", name=name), clean(player.display_name)
        message = N_("{name} belongs to {player} now.")
        await self.step(
            interaction,
            what,
            lambda now: troopers.give(now, name, owner),
            lambda done: Text(message, name=found_in(done.after, name).name, player=whose),
        )

    @app_commands.command(description="Forget a trooper of this channel")
    @takes(TROOPER.said(Text("Which trooper")))
    async def remove(self, interaction: Interaction, given: Given) -> None:
        name = given["name"]
        await self.step(
            interaction,
            Text("removes {name}", name=name),
            lambda now: {troopers.find(now, name).name: None},
            lambda done: Text("{find} is removed.", find=found_in(done.before, name).name),
        )

    @app_commands.command(name="list", description="All troopers of this channel with their profiles")
    async def list_(self, interaction: Interaction) -> None:
        await show_card(
            interaction, cards.board(await interaction.client.tables.pieces(place(interaction), infinity.KEY))
        )
