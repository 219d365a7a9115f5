"""The shape of a game on the page: its fields, as forms on Discord have them, and how it answers; a field as HTML."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.page.html import Html, tag
from bot.render.card import Card
from bot.rules.game import Field, Option
from bot.rules.text import Code, Numeral, Shown, Text, labelled

Words = Mapping[str, str]
"""What was typed or picked, by the keys of fields; empty ones are left out."""
Asked = tuple[Mapping[str, object], Any]
"""The words of a command, and the declaration that they made."""
ASKS_MOST: Final = 4


@dataclass(frozen=True, slots=True)
class Form:
    """A game on the page: ``shared`` is asked once (squads, profiles), ``asked`` for each choice that is compared.

    ``cards`` answers: the shared words and those of each choice to the cards, which it may lay side by side in one.
    Raises ``PlayerError`` or ``Uncountable``. ``most``: so many choices are compared. ``example``: what the page shows
    first. ``fields``: what is asked of a choice instead, where that follows from the shared words.

    ``at_table``: the question that a command asked, of the pieces of a channel: these, and the words of each choice
    with what they declared. None for one that the page would answer otherwise.
    """

    title: Text
    asked: tuple[Field, ...]
    cards: Callable[[Words, Sequence[Words]], list[Card]]
    most: int
    example: Words
    shared: tuple[Field, ...] = ()
    fields: Callable[[Words, Words], tuple[Field, ...]] | None = None
    at_table: Callable[[Mapping[str, Any], Sequence[Asked]], tuple[Words, Sequence[Words]] | None] | None = None


def number(key: str, label: Text, most: int, least: int = 0) -> Field:
    """A small number, to be picked."""
    options = tuple(Option(str(one), Numeral(str(one))) for one in range(least, most + 1))
    return Field(key, label, required=False, options=options)


def tick(key: str, label: Text) -> Field:
    return Field(key, Text("What holds"), required=False, options=(Option("yes", label),), several=True)


def field(shown: Field, value: str, of: str) -> Html:
    """A field with its label and value; ``of`` makes its id its own."""
    name = f"{of}-{shown.key}"
    if shown.several:
        ticked = value.split(", ")
        ticks = list[Html]()
        for at, one in enumerate(shown.options):
            own = f"{name}-{at}"
            box = tag("input", type="checkbox", id=own, name=shown.key, value=one.value, checked=one.value in ticked)
            ticks.append(tag("label", box, Code(" "), said(one), for_=own, class_="tick"))
        return tag("fieldset", tag("legend", shown.label), *ticks)
    label = tag("label", shown.label, for_=name)
    if shown.options:
        none = () if shown.required else (tag("option", Code("–"), value=""),)
        options = [tag("option", said(one), value=one.value, selected=one.value == value) for one in shown.options]
        return tag("p", label, tag("select", *none, *options, id=name, name=shown.key))
    common: dict[str, str | int] = {"id": name, "name": shown.key, "maxlength": shown.longest}
    plain = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false", "placeholder": shown.example}
    if shown.lines:
        return tag("p", label, tag("textarea", Code(value), rows=2, **common, **plain))
    return tag("p", label, tag("input", type="text", value=value, **common, **plain))


def said(option: Option) -> Shown:
    return labelled(option.label, option.detail) if option.detail else option.label


def fields(shown: tuple[Field, ...], values: Mapping[str, str], of: str) -> list[Html]:
    return [field(one, values.get(one.key, ""), of) for one in shown]
