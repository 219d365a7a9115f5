"""`/privacy`: export your stored data, or erase it after a confirmation."""

import io
import logging
import time
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import N_, Count, Names, Text, english
from bot.sessions.personal_data import export as export_person
from bot.store.errors import StoreError
from bot.ui.core import card_messages, components
from bot.ui.core.responses import answer
from bot.ui.dispatch import router
from bot.ui.live import live_page

FORGET: Final = components.AnswerAddress("privacy", "forget")
FORGET_ME: Final = Text("Forget me")
KEEP: Final = components.AnswerAddress("privacy", "keep")
QUESTION: Final = Text(
    "**Should I forget you?** I delete your preferences and saved rolls. On every roll and table "
    "you took part in, I replace your name with “Someone” and remove your Discord id. The rolls "
    "themselves stay, because they also belong to the other players. On open rolls, nobody can "
    "press for your side until a GM gives it to another player. Anyone can play the ships that "
    "were yours. A sealed table keeps your id and your seed word until it is old enough to be "
    "erased; otherwise nobody could verify its dice. You can't undo this. To see what I store "
    "about you, use `/privacy export`.\n"
    "Messages already on Discord don't change: delete them there."
)
KEPT: Final = Text("Nothing has changed. I still have your data.")
NO_FILES: Final = Text(
    "I can't attach files in this channel. Use `/privacy export` in another channel, or in a direct message with me."
)
log = logging.getLogger(__name__)


class Privacy(commands.GroupCog, group_name="privacy", group_description=english(Text("What I store about you"))):
    """People see and erase their own data only."""

    @app_commands.command(description="Everything I store about you, as a JSON file that only you can see")
    async def export(self, interaction: Interaction) -> None:
        answer(interaction).keep_private()
        if not card_messages.may_attach(interaction):
            raise PlayerError(NO_FILES)
        person = interaction.user.id
        packed, left_out = await export_person(person, interaction.client.people.records(person), int(time.time()))
        numbers = [f"-{number}" for number in range(1, len(packed) + 1)] if len(packed) > 1 else [""]
        files = [
            discord.File(io.BytesIO(held), f"rollcall-{person}{number}.json")
            for held, number in zip(packed, numbers, strict=True)
        ]
        text = Text("This is everything I store about you. Nobody else can see this message.")
        if left_out:
            text = Text(
                "This is the newest part of what I store about you. Older entries didn't fit: {left_out}. "
                "Ask the bot's host for the rest. Nobody else can see this message.",
                left_out=Names(list(left_out)),
            )
        await answer(interaction).post_private(content=text, files=files)

    @app_commands.command(description="Erase what I store about you (I ask first). Other players' rolls stay")
    async def forget(self, interaction: Interaction) -> None:
        answer(interaction).keep_private()
        view = components.yes_or_no(FORGET, FORGET_ME, KEEP, Text("Keep my data"))
        await answer(interaction).post_private(content=QUESTION, view=view)


async def answer_forget(interaction: Interaction, at: components.AnswerAddress) -> None:
    """Forget the person who pressed, or keep their data."""
    await answer(interaction).update(content=await forget_person(interaction) if at == FORGET else KEPT, view=None)


async def forget_person(interaction: Interaction) -> Text:
    person = interaction.user.id
    try:
        was = await interaction.client.people.forget(person)
        await live_page.look_at_links(interaction.client)
    except StoreError as error:
        log.error("the store failed: %s", error.reason)  # noqa: TRY400 - its traceback adds nothing
        raise PlayerError(
            "My database failed before I had forgotten everything. Please press `{button}` again in a "
            "moment, and I'll continue from there.",
            button=FORGET_ME,
        ) from error
    finally:
        interaction.client.rulesets.forget(person)
        interaction.client.recent_lines.forget(person)
    counts = [
        Count(was["preferences"], "preference", "preferences"),
        Count(was["seats"], "seat", "seats"),
        Count(was["presses"], "press", "presses"),
        Count(was["rolls"], "roll", "rolls"),
        Count(was["players"], "table", "tables"),
        Count(was["saved"], "saved roll", "saved rolls"),
    ]
    message = N_("I've forgotten you: {found}. Messages already on Discord stay: delete them there.")
    return Text(message, found=Names(counts))


ANSWERED: Final = router.Route(answer_forget, is_private=True, on_private=True)
ROUTES: Final[router.Routes] = dict.fromkeys((FORGET, KEEP), ANSWERED)


async def setup(client: Client) -> None:
    await client.add_cog(Privacy())
    router.ROUTES.update(ROUTES)
