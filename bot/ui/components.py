"""The buttons and lists of a card, written as Discord's API takes them.

A press comes back by its ``custom_id`` to ``bot.ui.press``, so a card needs nothing that discord.py's own buttons have:
no callback, no timeout, no copy in memory. To make such an object for each, only to read it into the API's form again,
took longer than to work out which buttons a card has.

https://discord.com/developers/docs/components/reference
"""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.languages.say import say
from bot.rules.text import EMPTY, Said, Shown
from bot.ui.address import Answer, At, write

Component = dict[str, Any]

ROW: Final = 5
"""Buttons in a row, and rows of a message; a select takes a row of its own."""
OPTIONS_MOST: Final = 25
"""Options of a select."""
LABEL_MOST: Final = 80
OPTION_MOST: Final = 100
PLACEHOLDER_MOST: Final = 150
URL_MOST: Final = 512
"""Characters of a button, of each line of an option, of a select that nothing is picked from, of a link."""


def fit(text: Shown | Said, most: int) -> Said:
    """A text in the language that is spoken, cut where it is longer than Discord takes in its place."""
    whole = say(text)
    return Said(whole[:most] if len(whole) <= most else f"{whole[: most - 1].rstrip()}…")


class Components(discord.ui.View):
    """Rows of buttons, or of one select: a view that discord.py sends, and does not keep."""

    def __init__(self, *rows: Sequence[Component]) -> None:
        super().__init__(timeout=None)
        self._rows = [{"type": discord.ComponentType.action_row.value, "components": list(row)} for row in rows if row]

    def to_components(self) -> list[Component]:
        return self._rows

    def is_finished(self) -> bool:
        """Whether discord.py need not keep the view, to wait for presses."""
        return True


def rows(buttons: Sequence[Component]) -> list[Sequence[Component]]:
    """Buttons in as many rows as they need."""
    return [buttons[first : first + ROW] for first in range(0, len(buttons), ROW)]


def button(
    label: Shown,
    at: At,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: discord.PartialEmoji | None = None,
) -> Component:
    """A button; the label is cut where it is too long."""
    kind = discord.ComponentType.button.value
    written = {"type": kind, "style": style.value, "label": fit(label, LABEL_MOST), "custom_id": write(at)}
    return written if emoji is None else {**written, "emoji": emoji.to_dict()}


def link_to(label: Shown, address: str) -> Component:
    """A button that opens a page."""
    kind, style = discord.ComponentType.button.value, discord.ButtonStyle.link.value
    return {"type": kind, "style": style, "label": fit(label, LABEL_MOST), "url": address}


def select(placeholder: Shown, at: At, options: Sequence[Component], least: int = 1, most: int = 1) -> Component:
    """A list of options from which people pick at least ``least`` and at most ``most`` or all."""
    return {
        "type": discord.ComponentType.string_select.value,
        "custom_id": write(at),
        "placeholder": fit(placeholder, PLACEHOLDER_MOST),
        "min_values": least,
        "max_values": min(most, len(options)),
        "options": options[:OPTIONS_MOST],
    }


def option(
    label: Shown,
    value: str,
    detail: Shown = EMPTY,
    emoji: discord.PartialEmoji | None = None,
    *,
    is_picked: bool = False,
) -> Component:
    """An option of a select, with a line below its label if there is one to show."""
    written: Component = {"label": fit(label, OPTION_MOST), "value": value}
    if is_picked:
        written["default"] = True
    if detail:
        written["description"] = fit(detail, OPTION_MOST)
    if emoji is not None:
        written["emoji"] = emoji.to_dict()
    return written


def yes_or_no(
    yes: Answer, yes_label: Shown, no: Answer, no_label: Shown, style: discord.ButtonStyle = discord.ButtonStyle.danger
) -> Components:
    """The buttons of a question: a red one that does it, and a grey one that changes nothing."""
    return Components([button(yes_label, yes, style), button(no_label, no)])
