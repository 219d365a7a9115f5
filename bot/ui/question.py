"""A question with two buttons: a red one that does it, and a grey one that changes nothing."""

import discord

from bot.ui import address
from bot.ui.address import Answer
from bot.ui.say import say


def buttons(
    yes: Answer, yes_label: str, no: Answer, no_label: str, style: discord.ButtonStyle = discord.ButtonStyle.danger
) -> discord.ui.View:
    """The buttons. ``style`` is that of the first one."""
    shown = discord.ui.View(timeout=None)
    for answer, words, shade in (
        (yes, yes_label, style),
        (no, no_label, discord.ButtonStyle.secondary),
    ):
        shown.add_item(discord.ui.Button(label=say(words), style=shade, custom_id=address.write(answer)))
    shown.stop()
    return shown
