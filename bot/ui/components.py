"""The buttons and lists of a card, written as Discord's API takes them.

A press comes back by its ``custom_id`` to ``bot.ui.press``, so a card needs nothing that discord.py's own buttons have:
no callback, no timeout, no copy in memory. To make such an object for each, only to read it into the API's form again,
took longer than to work out which buttons a card has.

https://discord.com/developers/docs/components/reference
"""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.ui.say import say

Component = dict[str, Any]

ROW: Final = 5
"""Buttons in a row, and rows of a message; a select takes a row of its own."""


class Components(discord.ui.View):
    """Rows of buttons, then the selects: a view that discord.py sends, and does not keep."""

    def __init__(self, buttons: Sequence[Component], selects: Sequence[Component] = ()) -> None:
        super().__init__(timeout=None)
        rows = [buttons[first : first + ROW] for first in range(0, len(buttons), ROW)] + [[one] for one in selects]
        self._rows = [{"type": discord.ComponentType.action_row.value, "components": list(row)} for row in rows]

    def to_components(self) -> list[Component]:
        return self._rows

    def is_finished(self) -> bool:
        """Whether discord.py need not keep the view, to wait for presses."""
        return True


def button(
    label: str,
    custom_id: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: discord.PartialEmoji | None = None,
) -> Component:
    """A button; the label is cut where it is too long."""
    kind = discord.ComponentType.button.value
    written = {"type": kind, "style": style.value, "label": say(label)[:80], "custom_id": custom_id}
    return written if emoji is None else {**written, "emoji": emoji.to_dict()}


def select(placeholder: str, custom_id: str, options: Sequence[Component], least: int, most: int) -> Component:
    """A list of options from which people pick at least ``least`` and at most ``most`` or all."""
    return {
        "type": discord.ComponentType.string_select.value,
        "custom_id": custom_id,
        "placeholder": say(placeholder)[:150],
        "min_values": least,
        "max_values": min(most, len(options)),
        "options": options,
    }


def option(label: str, value: str, detail: str = "", emoji: discord.PartialEmoji | None = None) -> Component:
    """An option of a select, with a line below its label if there is one to show."""
    written: Component = {"label": say(label)[:100], "value": value}
    if detail:
        written["description"] = say(detail)[:100]
    if emoji is not None:
        written["emoji"] = emoji.to_dict()
    return written
