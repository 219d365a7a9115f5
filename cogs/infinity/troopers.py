"""`/infinity profile`: a channel's troopers, whose names give rolls their stats and weapons. Army data comes from an
attached file, from this server's stored files, or from the host's folder.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from discord import app_commands

from bot.client import Interaction
from bot.odds.size_limit import check
from bot.render.infinity import troopers as cards
from bot.resources.worker_pool import UploadedFile
from bot.rules.errors import BadInputError, NotOfferedError, PlayerError
from bot.rules.infinity import KEY
from bot.rules.infinity.table import army, army_codes, markers
from bot.rules.infinity.troopers import trooper as troopers, weapon as weapons
from bot.rules.infinity.turn.player_turn import list_owners
from bot.rules.pieces import BoardChange
from bot.rules.text import N_, UNNAMED, Count, Name, Sentences, Shown, Text, ended, labeled
from bot.sessions.events import PiecesChanged
from bot.sessions.kept_files import StorageFullError
from bot.sessions.tables import Change
from bot.ui.commands.options import Given, takes
from bot.ui.core import uploads
from bot.ui.core.components import AnswerAddress, Components, option, select
from bot.ui.core.request_context import clean, in_user_language, is_gm, person, place, request
from bot.ui.core.responses import answer
from bot.ui.roll import roll_message
from bot.ui.table.board import BOARD
from cogs.infinity import options, reserve

KIND: Final = "infinity army "
"""Kind of an army's stored file: prefix of the army's name in codes."""


async def own_number(interaction: Interaction) -> int:
    """Return the caller's player number in this channel, added if new."""
    return (await interaction.client.tables.player(place(interaction), person(interaction.user))).id


def found_in(table: Mapping[str, Any], name: str) -> troopers.Trooper:
    return troopers.find(troopers.troopers_of(table), name)


async def show(interaction: Interaction, step: PiecesChanged, told: Shown) -> None:
    changed = {name: step.after[name] for name in step.changed if name in step.after}
    await roll_message.show_change(interaction, cards.step(told, changed))


class TrooperGroup(app_commands.Group):
    """Each command's changes are one step, which `/table undo` reverts."""

    async def change(self, interaction: Interaction, what: Shown, change: Change) -> PiecesChanged:
        asked, tables = await request(interaction), interaction.client.tables
        return await tables.step(asked, KEY, what, lambda now: change(troopers.troopers_of(now)))

    @app_commands.command(name="set", description="Save a trooper's profile; replaces any with that name")
    @takes(options.TROOPER, options.STATS)
    async def set_(self, interaction: Interaction, given: Given) -> None:
        trooper = troopers.parse(given["name"], given["stats"], await options.channel_troopers(interaction))
        await self.save_trooper(interaction, Text("sets {made}", made=trooper.name), trooper)

    async def save_trooper(self, interaction: Interaction, what: Shown, trooper: troopers.Trooper) -> None:
        mine = replace(trooper, owner=await own_number(interaction))
        done = await self.change(interaction, what, lambda now: troopers.add_or_replace(now, mine))
        await show(interaction, done, Text("{name} is saved.", name=trooper.name))

    @app_commands.command(description="Give a trooper a weapon; replaces any weapon with that name")
    @takes(options.TROOPER, options.NEW_WEAPON)
    async def weapon(self, interaction: Interaction, given: Given) -> None:
        name, weapon = given["name"], given["weapon"]
        new = troopers.weapon_of_other(await options.channel_troopers(interaction), weapon) or weapons.parse(weapon)
        what = Text("gives {name} a {new}", name=name, new=new.name)
        done = await self.change(interaction, what, lambda now: troopers.arm(now, name, new))
        trooper = found_in(done.after, name)
        await show(interaction, done, Text("{find} now has a {new}.", find=trooper.name, new=new.name))

    @app_commands.command(
        name="import",
        description="Import troopers from army data that you downloaded (JSON)",
        extras=options.IMPORT_FORM,
    )
    @takes(*options.IMPORT)
    async def import_(self, interaction: Interaction, given: Given) -> None:
        code, unit, name, file = (given[item] for item in ("code", "unit", "name", "file"))
        if code is None and (unit is None or file is None):
            allowed = Text("Paste an army code, or attach a `file` and name a `unit` in it, as in `Fusiliers HMG`.")
            raise BadInputError("code", None, allowed)
        there = [item for item in (file, given["weapons"]) if item is not None]
        what = Text("army data in JSON")
        sent = [await uploads.fetch(interaction, item, what, army.MAX_FILE) for item in there]
        if code is None:
            trooper = await uploads.read(interaction, army.read_trooper, unit or "", name or "", *sent)
            await self.save_trooper(interaction, Text("imports {made}", made=trooper.name), trooper)
            return
        await import_list(interaction, army_codes.decode(code), sent)

    @app_commands.command(description="Copy a profile to another name, undamaged")
    @takes(options.TROOPER.with_description(Text("The trooper to copy")), options.NEW_NAME)
    async def copy(self, interaction: Interaction, given: Given) -> None:
        name, new_name = given["name"], given["new_name"]
        what = Text("copies {name} as {new_name}", name=name, new_name=new_name)
        done = await self.change(interaction, what, lambda now: troopers.copy(now, name, new_name))
        await show(interaction, done, Text("{new_name} is saved.", new_name=new_name))

    @app_commands.command(description="Set a trooper's lost Wounds, or begin or end a state")
    @takes(options.TROOPER, *options.CONDITION)
    async def state(self, interaction: Interaction, given: Given) -> None:
        name = given["name"]

        def change(now: Any) -> Any:
            harmed = {**now, **troopers.harm(now, name, given["lost"], given["state"])}
            return troopers.harm(harmed, name, None, given["ends"], on=False)

        done = await self.change(interaction, Text("changes {name}", name=name), change)
        now = found_in(done.after, name)
        how = troopers.condition(now) or Text("unharmed")
        await roll_message.show_card(interaction, cards.step(ended(labeled(now.name, how)), {now.name: now}))

    @app_commands.command(description="Give a trooper to another player (owner or GM only)")
    @takes(options.TROOPER, options.PLAYER)
    async def give(self, interaction: Interaction, given: Given) -> None:
        name, player = given["name"], given["player"]
        if player.bot:
            raise PlayerError(Text("Bots can't play. Name a person as `player`."))
        what, whose = Text("gives {name} to another player", name=name), clean(player.display_name)

        def change(now: Mapping[str, Any], owner: int) -> BoardChange:
            return BoardChange(troopers.give(troopers.troopers_of(now), name, owner), what)

        done = await interaction.client.tables.give(await request(interaction), KEY, person(player), change)
        trooper = found_in(done.after, name)
        await show(interaction, done, Text("{name} now belongs to {player}.", name=trooper.name, player=whose))

    @app_commands.command(description="Remove a trooper from this channel")
    @takes(options.TROOPER.with_description(Text("Which trooper")))
    async def remove(self, interaction: Interaction, given: Given) -> None:
        name = given["name"]
        what = Text("removes {name}", name=name)
        done = await self.change(interaction, what, lambda now: {troopers.find(now, name).name: None})
        await show(interaction, done, Text("{find} is removed.", find=found_in(done.before, name).name))

    @app_commands.command(name="list", description="All troopers in this channel with their profiles")
    async def list_(self, interaction: Interaction) -> None:
        held = await interaction.client.tables.pieces(place(interaction), KEY)
        await roll_message.show_card(interaction, cards.board(held))


# Army data


async def import_list(interaction: Interaction, listed: army_codes.ArmyList, sent: list[UploadedFile]) -> None:
    """Put a list's troopers on the table; ask its player privately about hidden or skipped ones."""
    imported = await read_army(interaction, listed, sent)
    if sent and not await is_gm(interaction):  # their file isn't stored, so its options can't be read later
        imported = replace(imported, instead=())
    called, owner = Name(listed.name or listed.army), await own_number(interaction)
    cost = sum(item.points for item in imported.troopers)
    owned = [replace(item, owner=owner, list_points=cost) for item in imported.troopers]
    unseen = markers.unseen_of(owned, imported.brought)
    seen = [item for item in owned if not any(item is other for other in unseen)]
    asked, what = await request(interaction), Text("imports {called}", called=called)
    done = await interaction.client.tables.step(
        asked, KEY, what, lambda now: army.enlist(troopers.troopers_of(now), seen)
    )
    count = Count(len(seen), "trooper", "troopers")
    await show(interaction, done, Text("{called}: {troopers} saved.", called=called, troopers=count))
    await tell_player(interaction, listed, imported)
    if len(list_owners(done.after)) > 1 and await BOARD.find(interaction.client, place(interaction).channel_id) is None:
        await BOARD.post(interaction, after_answer=True)
    if unseen:
        await reserve.ask(interaction, unseen, more=not listed.points)


async def tell_player(interaction: Interaction, listed: army_codes.ArmyList, imported: army.ImportedList) -> None:
    """Tell the player privately what was skipped, with its units' options, and what to check."""
    told = list[Text]()
    if imported.left_out:
        count = Count(len(imported.troopers) + len(imported.left_out), "trooper", "troopers")
        lines = Sentences(imported.left_out, "; ")
        message = N_("{saved} of {troopers}; left out: {lines}.")
        told.append(Text(message, saved=len(imported.troopers), troopers=count, lines=lines))
    if imported.remarks:
        told.append(Text("Please check what was read: {lines}.", lines=Sentences(imported.remarks, "; ")))
    parts: dict[str, Any] = {}
    if imported.instead:
        army_name = listed.army[:MAX_SLUG]
        values = {
            f"{line.unit} {line.group} {line.option} {line.combat} {line.reserve:d} {army_name}": name
            for line, name in imported.instead
        }
        options = [option(Name(name), value) for value, name in values.items()]
        with in_user_language(interaction):
            parts = {"view": Components([select(Text("Use another option of the unit"), INSTEAD, options)])}
    if told:
        await answer(interaction).post_private(content=Sentences(told, "\n"), **parts)


async def use_option(interaction: Interaction, _: AnswerAddress) -> None:
    """Import a skipped unit with the selected option."""
    (value,) = cast("dict[str, Any]", interaction.data or {}).get("values", [""])
    line = INSTEAD_LINE.fullmatch(value)
    if line is None:
        raise NotOfferedError
    unit, group, number, combat, reserve = map(int, line.groups()[:5])
    member = army_codes.ListMember(unit, group, number, combat, bool(reserve))
    await import_list(interaction, army_codes.ArmyList(Name(line[6]), UNNAMED, 0, (member,)), [])


MAX_SLUG: Final = 60
INSTEAD_LINE: Final = re.compile(r"(\d{1,5}) (\d{1,5}) (\d{1,5}) (\d{1,5}) ([01]) (.+)", re.ASCII)
INSTEAD: Final = AnswerAddress("reserve", "option")


async def read_army(
    interaction: Interaction, listed: army_codes.ArmyList, sent: list[UploadedFile]
) -> army.ImportedList:
    """Return an army list's troopers. Without files: from the server's stored data, else the host's folder.

    Files attached by a GM with a code are stored for later codes of that army. Raises ``PlayerError`` without data, or
    if it lacks a unit.
    """
    guild = place(interaction).guild_id
    kind = KIND + listed.army.casefold()

    async def listed_in(*given: str | UploadedFile) -> army.ImportedList:
        imported = await uploads.read(interaction, partial(army.read_list, listed), *given)
        if not imported.left_out:
            return imported
        others = await interaction.client.kept_files.texts(guild, KIND)
        others.pop(listed.army.casefold(), None)
        if not others:
            return imported
        return await uploads.read(interaction, partial(army.read_list, listed, others=others), *given)

    if sent:
        imported = await listed_in(*sent)
        if guild is not None and await is_gm(interaction):
            with suppress(StorageFullError):  # otherwise the next code needs the file again
                text = await uploads.read(interaction, army.merge_texts, *sent)
                await interaction.client.kept_files.store_file(guild, kind, text)
        return imported
    if kept := await interaction.client.kept_files.text(guild, kind):
        return await listed_in(kept)
    if interaction.client.armies.is_dir():
        return await uploads.read(interaction, partial(from_folder, interaction.client.armies, listed))
    raise no_data_error(listed)


def from_folder(folder: Path, listed: army_codes.ArmyList) -> army.ImportedList:
    """Return a list's troopers from a folder's files. Raises ``PlayerError`` if none fits."""
    check(1, 0)  # never at once: the folder's files are large, however short the code
    paths = [path for path in folder.glob("*.json") if path.stat().st_size <= army.MAX_FILE]
    imported = army.read_list_from(listed, {path.stem: path.read_text(encoding="utf-8-sig") for path in paths})
    if imported is None:
        raise no_data_error(listed)
    return imported


def no_data_error(listed: army_codes.ArmyList) -> PlayerError:
    message = N_(
        "There's no data for {army} here yet. Attach its file as `file`; once a GM has done so, "
        "later codes for this army don't need it."
    )
    return PlayerError(Text(message, army=Name(listed.army) or Text("this army")))
