"""A question with two buttons: a red one that does it, a grey one that leaves all as it is."""

import discord

from bot.ui import address


def buttons(yes: str, label: str, no: str, otherwise: str) -> discord.ui.View:
    """The buttons; ``yes`` and ``no`` are subject and answer (``table:clear``), the others what the buttons say."""
    shown = discord.ui.View(timeout=None)
    for answer, words, style in (
        (yes, label, discord.ButtonStyle.danger),
        (no, otherwise, discord.ButtonStyle.secondary),
    ):
        shown.add_item(discord.ui.Button(label=words, style=style, custom_id=address.write_answer(answer)))
    shown.stop()
    return shown
