"""A question with two buttons: a red one that does it, and a grey one that changes nothing."""

import discord

from bot.rules.text import Words
from bot.ui.address import Answer
from bot.ui.components import Components, button


def buttons(
    yes: Answer, yes_label: Words, no: Answer, no_label: Words, style: discord.ButtonStyle = discord.ButtonStyle.danger
) -> Components:
    """The buttons. ``style`` is that of the first one."""
    return Components([button(yes_label, yes, style), button(no_label, no)])
