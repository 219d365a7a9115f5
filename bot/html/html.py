"""HTML out of which no text can break: ``tag`` is the one way to make it, and escapes whatever is not HTML already."""

from collections.abc import Sequence
from html import escape
from typing import Final

from bot.languages.translate import translate
from bot.rules.text import Shown, Text


class Html(str):
    """A piece of HTML that ``tag`` made."""

    __slots__ = ()


EMPTY: Final = Html()
Attribute = Text | str | int | bool | None
"""Text that people read is a ``Text``; a plain string is an HTML keyword."""
HOLLOW: Final = ("img", "input", "link", "meta")
"""Tags that hold nothing."""


def escaped(text: Shown | Html) -> Html:
    """A text, said in the language that is spoken, as HTML; HTML stays as it is."""
    return text if isinstance(text, Html) else Html(escape(translate(text)))


def join_html(parts: Sequence[Html]) -> Html:
    """Pieces of HTML one after the other."""
    return Html("".join(parts))


def tag(name: str, /, *children: Shown | Html | None, **attributes: Attribute) -> Html:
    """Write a tag: ``tag("p", "a < b", class_="said")``; False and None omit an attribute, True is a bare one."""
    written = "".join(attribute(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    if name in HOLLOW:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{''.join(escaped(child) for child in children if child is not None)}</{name}>")


def attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    return f' {name}="{escape(translate(value) if isinstance(value, Text) else str(value))}"'
