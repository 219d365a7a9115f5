"""What is kept about a person, on Discord: the files that only they see, and the question before all is forgotten."""

import io
import logging
import time
from typing import Final

import discord

from bot.client import Interaction
from bot.render.card import join_names, quantity
from bot.rules.errors import NotOffered, PlayerError
from bot.sessions.export import export as export_person
from bot.store.errors import StoreError
from bot.ui import question
from bot.ui.answer import answer
from bot.ui.display import may_attach

FORGET: Final = "privacy:forget"
KEEP: Final = "privacy:keep"
QUESTION: Final = (
    "**Shall I forget you?** Your preferences are deleted. On every roll and table that you took part in, your name is "
    "replaced by “Somebody” and your number by none; the rolls themselves stay, because they belong to the others too. "
    "On rolls that are still open nobody can press for your side until a GM gives it to somebody. This cannot be taken "
    "back. `/privacy export` shows what I keep about you.\n"
    "Messages that are on Discord already are not changed: delete them there."
)
KEPT: Final = "Nothing was changed."
NO_FILES: Final = (
    "I may not attach files in this channel. Use `/privacy export` in another channel, or in a direct message with me."
)
HALFWAY: Final = (
    "My record of rolls failed before all was forgotten. Please press `Forget me` again in a moment: "
    "I go on from there."
)
log = logging.getLogger(__name__)


async def export(interaction: Interaction) -> None:
    """Answer with everything that is kept about the person who asks, to that person only."""
    answer(interaction).keep_private()
    if not may_attach(interaction):
        raise PlayerError(NO_FILES)
    person = interaction.user.id
    made = await export_person(person, interaction.client.people.records(person), int(time.time()))
    several = len(made.files) > 1
    names = [f"rollcall-{person}{f'-{number}' if several else ''}.json" for number in range(1, len(made.files) + 1)]
    files = [discord.File(io.BytesIO(held), name) for held, name in zip(made.files, names, strict=True)]
    said = "This is everything that I keep about you. Nobody else sees this message."
    if made.left_out:
        said = (
            "This is the newest part of what I keep about you. "
            f"Older entries did not fit: {join_names(list(made.left_out))}. "
            "Ask whoever runs this bot for the rest. Nobody else sees this message."
        )
    await answer(interaction).post_private(content=said, files=files)


async def ask_forget(interaction: Interaction) -> None:
    """Ask the person, and nobody else, whether they are to be forgotten."""
    answer(interaction).keep_private()
    await answer(interaction).post_private(content=QUESTION, view=question.buttons(FORGET, "Forget me", KEEP, "Keep"))


async def answer_forget(interaction: Interaction, *, forget: bool) -> None:
    """Forget the person who pressed, or do not. Raises ``NotOffered`` anywhere but on the private question."""
    if interaction.message is None or not interaction.message.flags.ephemeral:
        raise NotOffered("I do not know this button.")
    said = await forget_person(interaction) if forget else KEPT
    await answer(interaction).update(content=said, view=None)


async def forget_person(interaction: Interaction) -> str:
    """Forget a person; the sentence that says how much it was."""
    person = interaction.user.id
    try:
        was = await interaction.client.people.forget(person)
    except StoreError as error:
        log.error("the store failed: %s", error.reason)  # noqa: TRY400 - its trace says nothing more
        raise PlayerError(HALFWAY) from error
    finally:
        interaction.client.rulesets.forget(person)
    found = [
        quantity(was.preferences, "preference"),
        quantity(was.seats, "seat"),
        quantity(was.presses, "press", "presses"),
        quantity(was.rolls, "roll"),
    ]
    return f"I have forgotten you: {join_names(found)}. Messages that are on Discord already stay: delete them there."
