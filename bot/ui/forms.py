"""Forms (Discord's modals): made of fields, read when they come back, and filled in again after a refusal.

A refused form is quoted in the answer, field by field, so that nothing typed is lost. The **Fix it** button on that
answer reads the quotations, so it needs no memory and survives a restart.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

import discord

from bot.languages.say import said, say
from bot.rules.game import Field
from bot.rules.text import Said, Shown, Text
from bot.ui.components import OPTION_MOST, At, fit, write

SELECT_MOST: Final = 25
GROUP_MOST: Final = 10
"""Options of a select, and of a radio group or a group of boxes in a form."""
TITLE_MOST: Final = 45
"""Characters of a form's title, and of a label in it."""
EXAMPLE_MOST: Final = 100
"""Characters of what an empty line shows, and of what stands below a label."""
TYPED_MOST: Final = 1200
"""Characters of a form that are quoted; a message holds 2000, and the sentences before it need some of them."""
EMBED_MOST: Final = 4096
"""Characters of an embed, in which a longer form is quoted."""
Made = TypeVar("Made")
QUOTED: Final = re.compile(r"^`([a-z0-9_-]{1,40})`\n```\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
"""A field in a refusal: its key, and below it its text."""


def modal(title: Shown, at: At, fields: Iterable[Field], texts: Mapping[str, str]) -> discord.ui.Modal:
    """A form in the language that is spoken, which comes back by its address.

    ``texts``: what it holds instead of what its fields would show at first; nothing of that where it is empty.
    """
    shown = discord.ui.Modal(title=fit(title, TITLE_MOST), custom_id=write(at))
    for field in map(said, fields):
        field = replace(field, value=texts.get(field.key, "")) if texts else field
        line = pick_line(field) if field.options else text_line(field)
        detail = fit(field.detail, EXAMPLE_MOST) or None
        shown.add_item(discord.ui.Label(text=fit(field.label, TITLE_MOST), description=detail, component=line))
    return shown


def text_line(field: Field) -> discord.ui.Item[discord.ui.Modal]:
    """A line to type in."""
    return discord.ui.TextInput(
        custom_id=field.key,
        style=discord.TextStyle.paragraph if field.lines else discord.TextStyle.short,
        placeholder=fit(field.example, EXAMPLE_MOST) or None,
        default=field.value or None,
        required=field.required,
        max_length=field.longest,
    )


def pick_line(field: Field) -> discord.ui.Item[discord.ui.Modal]:
    """Boxes to tick or a radio group; a select where there are too many options for those, or only one."""
    first, listed = field.picked(field.value), field.options[:SELECT_MOST]

    def options(kind: Callable[..., Made]) -> list[Made]:
        return [
            kind(
                label=fit(one.label, OPTION_MOST),
                value=one.value,
                description=fit(one.detail, OPTION_MOST) or None,
                default=one.value in first,
            )
            for one in listed
        ]

    least, is_group = int(field.required), len(listed) <= GROUP_MOST
    line: dict[str, Any] = {"custom_id": field.key, "required": field.required}
    if field.several and is_group:
        return discord.ui.CheckboxGroup(**line, options=options(discord.CheckboxGroupOption), min_values=least)
    if not field.several and is_group and len(listed) > 1:
        return discord.ui.RadioGroup(**line, options=options(discord.RadioGroupOption))
    most = len(listed) if field.several else 1
    return discord.ui.Select(**line, options=options(discord.SelectOption), min_values=least, max_values=most)


def filled(data: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a submitted form, by field; where people picked, the values with ``, `` between them.

    Half a surrogate pair, which JSON can carry, becomes a ``?``.
    """
    found: dict[str, str] = {}
    for row in data.get("components", []):
        for item in [row.get("component"), *row.get("components", [])]:
            if item and ("value" in item or "values" in item):
                values = item["values"] if "values" in item else [item["value"]]
                text = ", ".join(str(value) for value in values or () if value is not None)
                found[item["custom_id"]] = text.encode(errors="replace").decode()
    return found


def quote(texts: Mapping[str, str]) -> tuple[Said, discord.Embed | None, bool]:
    """What a form held, so that people can read and copy it, and whether that is all of it.

    It is in an embed where it is too long for a refusal, and shortened where it is too long for that, too. Empty if
    there was nothing.
    """
    lines = {key: text.replace("`", "'") for key, text in texts.items() if text.strip()}
    size = sum(map(len, texts.values()))

    def quoted(most: int) -> Said:
        parts = [f"`{key}`\n```\n{text[:most]}\n```" for key, text in lines.items()]
        return Said("\n".join([say(Text("You typed:")), *parts]) if parts else "")

    whole = quoted(EMBED_MOST)
    if size <= TYPED_MOST:
        return whole, None, True
    if size <= EMBED_MOST and len(whole) <= EMBED_MOST:
        return Said(""), discord.Embed(description=whole), True
    return quoted(TYPED_MOST // max(1, len(lines))), None, False


def read_quoted(content: str) -> dict[str, str]:
    """The fields of a refused form, from the message or embed that quotes them."""
    return {found[1]: found[2] for found in QUOTED.finditer(content)}
