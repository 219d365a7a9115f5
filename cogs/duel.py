"""`/duel`: a roll in any two-player game defined by a file, and its exact odds."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.games.duels import OWN
from bot.render.card import Card
from bot.rules import duels
from bot.rules.duels import typed
from bot.rules.duels.rows import DUELS, MAX_BYTES
from bot.rules.errors import AllowedWords, BadInputError, PlayerError, UnknownWordError
from bot.rules.game import Field, Option
from bot.rules.text import N_, Code, Name, Names, Text, english
from bot.ui.commands import options
from bot.ui.commands.options import CAMERA, FORM, SECRET, CommandForm, CommandOption, Given, declaration, takes
from bot.ui.core import components, uploads
from bot.ui.core.request_context import has_permission, place, ruling
from bot.ui.core.responses import answer
from bot.ui.roll import roll_message

KEY: Final = duels.KEY
MAX_OWN: Final = 12
"""Maximum number of a server's own games."""


async def suggest_lines(interaction: Interaction, written: str) -> list[Choice[str]]:
    """Suggest examples of the chosen game, or of all games."""
    chosen = options.other_option(interaction, "game")
    lines = [line for duel in DUELS.values() if chosen in ("", duel.key) for line, _ in duel.examples]
    return options.names(written, lines)


async def suggest_games(interaction: Interaction, written: str) -> list[Choice[str]]:
    """Suggest our games by title, and the server's own."""
    ours = [(duel.title, duel.key) for duel in DUELS.values()]
    return options.matching_choices(written, [*ours, *((Name(key), key) for key in await own_keys(interaction))])


async def suggest_own(interaction: Interaction, written: str) -> list[Choice[str]]:
    return options.names(written, await own_keys(interaction))


async def own_keys(interaction: Interaction) -> list[str]:
    """Return the keys of the server's own games."""
    return await interaction.client.kept_files.kinds(place(interaction).guild_id, OWN)


GAME: Final = CommandOption(
    "game",
    Range[str, 1, 60],
    Text("Which game. Default: the line begins with its name"),
    suggest=suggest_games,
)
LINE: Final = CommandOption(
    "line", Range[str, 1, typed.MAX_LINE], Text("Both sides: 3r 2b aim 1 red saves dodge 1"), suggest=suggest_lines
)
OPPONENT: Final = CommandOption("opponent", discord.User, Text("Who plays the other side. Default: anyone"), word="")
LINE_FIELD: Final = LINE.field(Text("Both sides, in its words"), Code("3r 2b aim 1 red saves"), required=True)


async def fields(interaction: Interaction) -> Sequence[Field]:
    """Return fields for the game and both sides' lines; if a game is chosen or set for the channel, its own fields."""
    refused = answer(interaction).refilled
    ruled = (await ruling(interaction)).words(KEY).get("game")
    if (refused is None and ruled is not None) or (refused is not None and "line" not in refused):
        return await fields_of(interaction, {"game": ruled, **(refused or {})})
    shown = [
        *((duel.key, duel.title) for duel in DUELS.values()),
        *((key, Name(key)) for key in await own_keys(interaction)),
    ]
    return Field("game", Text("Game"), options=tuple(Option(key, title) for key, title in shown)), LINE_FIELD


async def fields_of(interaction: Interaction, known: Mapping[str, object]) -> Sequence[Field]:
    """Return a game's fields from its file: each side's numbers to type, its words to check."""
    named = str(known["game"]).strip().casefold()
    key = typed.game_of(named)[0]
    own = "" if key else await interaction.client.kept_files.text(place(interaction).guild_id, OWN + named)
    if not key and not own:
        raise BadInputError("game", known["game"], AllowedWords((*DUELS, *await own_keys(interaction))))
    duel = DUELS[key] if key else duels.own.unpack(named, own)
    shown = [Field("game", Text("Game"), value=duel.key, options=(Option(duel.key, duel.title),))]
    return [*shown, *typed.fields(duel)]


IMPORT: Final = (
    CommandOption("file", discord.Attachment, Text("A game as a TOML file, for this server")),
    CommandOption("remove", Range[str, 1, 20], Text("A game of this server to remove"), suggest=suggest_own),
)
ATTACK_FORM: Final = {FORM: CommandForm(Text("A duel"), fields, reads=typed.as_words)}
ODDS_FORM: Final = {FORM: CommandForm(Text("The odds of a duel"), fields, reads=typed.as_words)}


async def declare(interaction: Interaction, given: Given, *more: CommandOption) -> duels.Declared:
    """Parse a declaration. Raises ``PlayerError``, which names the field with the bad word."""
    try:
        declared: duels.Declared = await roll_message.declare(interaction, KEY, declaration(given, GAME, LINE, *more))
    except (BadInputError, UnknownWordError) as error:
        texts = components.submitted_fields(interaction.data or {})
        sides = [key for key in texts if key in typed.SIDES]
        if sides and "line" not in texts:
            interaction.extras[roll_message.OPTION_NAMES] = {"line": typed.side_of(error, texts) or sides[0]}
        raise
    return declared


async def is_asked(interaction: Interaction, given: Given) -> bool:
    """Whether to open the game's form: no line was typed, and no form sent, opponent, or camera given."""
    form = options.form_of(interaction.command)
    is_typed = interaction.type is discord.InteractionType.application_command
    has_more = given.get("opponent") is not None or given.get("camera") is not None
    is_kept = roll_message.ONLY_READ in interaction.extras or has_more
    if given["game"] is None or form is None or not is_typed or is_kept:
        return False
    name = "duel-odds" if form is ODDS_FORM[FORM] else "duel-attack"
    at = components.CommandAddress(name, given.get("secrecy"))
    await options.ask(interaction, form, at, await fields_of(interaction, given))
    return True


ABOUT: Final = english(Text("Two people, one roll: Legion, Kill Team, 40k, and more"))


class Duel(commands.GroupCog, group_name="duel", group_description=ABOUT):
    """Both sides' dice and choices, in the game's order."""

    @app_commands.command(
        description="Roll an attack; each side chooses in its turn what to do with the dice", extras=ATTACK_FORM
    )
    @takes(GAME, LINE, OPPONENT, CAMERA, *SECRET)
    async def attack(self, interaction: Interaction, given: Given) -> None:
        if given["line"] is None and await is_asked(interaction, given):
            return
        declared = await declare(interaction, given, CAMERA)
        await roll_message.open_roll(interaction, KEY, declared, given["opponent"], secrecy=given["secrecy"])

    @app_commands.command(description="The exact odds if both sides choose well", extras=ODDS_FORM)
    @takes(GAME, LINE)
    async def odds(self, interaction: Interaction, given: Given) -> None:
        if given["line"] is None and await is_asked(interaction, given):
            return
        await roll_message.show_odds(interaction, KEY, await declare(interaction, given))

    @app_commands.command(name="import", description="This server's own games, each a file: list, add, or remove them")
    @takes(*IMPORT)
    async def import_(self, interaction: Interaction, given: Given) -> None:
        file, gone = given["file"], given["remove"]
        guild, files = place(interaction).guild_id, interaction.client.kept_files
        if guild is None:
            raise PlayerError(Text("Games of their own belong to servers. Use this in one of your server's channels."))
        if (file is not None or gone is not None) and not has_permission(interaction, "manage_guild"):
            raise PlayerError(
                Text("Only an admin can do that: someone with the Manage Server permission. Please ask one.")
            )
        kept = await files.kinds(guild, OWN)
        if file is not None:
            sent = await uploads.fetch(interaction, file, Text("a game as a TOML file"), MAX_BYTES)
            read = await uploads.read(interaction, partial(duels.import_file, sent.name), sent)
            if read.key not in kept and len(kept) >= MAX_OWN:
                raise PlayerError(Text("This server has {most} games of its own. Remove one first.", most=MAX_OWN))
            await files.store_file(guild, OWN + read.key, read.packed)
            message = N_("{title} is imported. Roll it with {command}.")
            said = Text(message, title=Name(read.title), command=Code("/duel attack game:" + read.key))
        elif gone is not None:
            if gone not in kept:
                raise PlayerError(Text("This server has no game {name} of its own.", name=Name(gone)))
            await files.remove(guild, OWN + gone)
            said = Text("{name} is removed. Rolls that are open go on.", name=Name(gone))
        elif kept:
            said = Text("Games of this server's own: {games}.", games=Names(map(Name, kept)))
        else:
            said = Text("This server has no games of its own yet. An admin can attach a file.")
        await roll_message.show_card(interaction, Card(title=duels.TITLE, outcome=said))


async def setup(client: Client) -> None:
    await client.add_cog(Duel())
