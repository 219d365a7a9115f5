"""Forms (Discord's modals): made of fields, read when they come back, and filled in again after a refusal.

A refused form is quoted in the answer, field by field, so that nothing typed is lost. The **Fix it** button on that
answer reads the quotations, so it needs no memory and survives a restart.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import discord

from bot.languages.say import said, say
from bot.rules.game import Field
from bot.rules.text import Said, Text, Words
from bot.ui.components import OPTION_MOST, fit

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


@dataclass(frozen=True, slots=True)
class Form:
    """A form before anybody reads it: ``answer`` opens it in the language of whoever pressed."""

    title: Words
    custom_id: str
    fields: Iterable[Field]


def modal(form: Form) -> discord.ui.Modal:
    shown = discord.ui.Modal(title=fit(form.title, TITLE_MOST), custom_id=form.custom_id)
    for field in map(said, form.fields):
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


def quote(texts: Mapping[str, str], longest: int = TYPED_MOST) -> Said:
    """What a form held, so that people can read and copy it; empty if there was nothing, shortened if it is long."""
    lines = {key: text.replace("`", "'") for key, text in texts.items() if text.strip()}
    most = longest if sum(map(len, texts.values())) <= longest else longest // max(1, len(lines))
    quoted = [f"`{key}`\n```\n{text[:most]}\n```" for key, text in lines.items()]
    return Said("\n".join([say(Text("You typed:")), *quoted]) if quoted else "")


def quote_long(texts: Mapping[str, str]) -> discord.Embed | None:
    """What a form held that is too long for ``quote``, whole; None where that is enough, or not even this."""
    whole = quote(texts, EMBED_MOST)
    is_whole = sum(map(len, texts.values())) <= EMBED_MOST and len(whole) <= EMBED_MOST
    return discord.Embed(description=whole) if is_whole and not is_quoted_whole(texts) else None


def is_quoted_whole(texts: Mapping[str, str]) -> bool:
    """Whether ``quote`` leaves nothing out, so that the form can be filled from it."""
    return sum(map(len, texts.values())) <= TYPED_MOST


def read_quoted(content: str) -> dict[str, str]:
    """The fields of a refused form, from the message or embed that quotes them."""
    return {found[1]: found[2] for found in QUOTED.finditer(content)}


def refill(form: discord.ui.Modal, texts: Mapping[str, str]) -> None:
    """Put texts into a form instead of what it would show at first; nothing happens without texts."""
    if not texts:
        return
    for label in form.children:
        item = getattr(label, "component", None)
        text = texts.get(getattr(item, "custom_id", ""), "")
        if isinstance(item, discord.ui.TextInput):
            item.default = text or None
        elif isinstance(item, discord.ui.Select | discord.ui.RadioGroup | discord.ui.CheckboxGroup):
            picked = {text, *text.split(", ")}
            for option in item.options:
                option.default = option.value in picked
