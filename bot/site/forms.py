"""What the page asks of each game: its fields, as forms on Discord have them, and one field as HTML."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.page.html import Html, tag
from bot.rules.game import Field, Option
from bot.rules.text import Code, Numeral, Shown, Text
from bot.rules.warsurge.methods import Method


@dataclass(frozen=True, slots=True)
class Form:
    """A game on the page: ``shared`` is asked once (squads, profiles), ``asked`` for each choice that is compared.

    ``most``: so many choices stand side by side. ``example``: what the page shows first.
    """

    title: Text
    shared: tuple[Field, ...]
    asked: tuple[Field, ...]
    most: int
    example: Mapping[str, str]


def number(key: str, label: Text, most: int, least: int = 0) -> Field:
    """A small number, to be picked."""
    options = tuple(Option(str(one), Numeral(str(one))) for one in range(least, most + 1))
    return Field(key, label, required=False, options=options)


def tick(key: str, label: Text) -> Field:
    return Field(key, Text("What holds"), required=False, options=(Option("yes", label),), several=True)


RANGES: Final = (
    Option("0", Text("Range 0")),
    Option("1", Text("Range 1")),
    Option("2", Text("Range 2")),
    Option("3", Text("Range 3")),
)
FORMS: Final[Mapping[str, Form]] = {
    "xwing": Form(
        Text("X-Wing"),
        (
            Field("mine", Text("Your squad"), "https://yasb.app/?f=…", required=False, longest=20_000, lines=True),
            Field("theirs", Text("Their squad"), "Darth Vader\nHowlrunner", required=False, longest=20_000, lines=True),
        ),
        (
            number("dice", Text("Attack dice, without a ship"), 6),
            number("agility", Text("Defense dice, without a ship"), 6),
            Field("range", Text("Range"), required=False, options=RANGES),
            Field("with", Text("The attacker spends"), "focus, lock", required=False),
            Field("against", Text("The defender spends"), "evade", required=False),
            tick("obstructed", Text("Obstructed")),
        ),
        3,
        {"dice": "3", "agility": "2", "with": "focus, lock", "against": "evade"},
    ),
    "infinity": Form(
        Text("Infinity"),
        (
            Field(
                "profiles",
                Text("Profiles, a line each"),
                "Fennec: BS 12, PH 13, ARM 1, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48",
                required=False,
                longest=4000,
                lines=True,
            ),
        ),
        (Field("order", Text("The order"), "Angus 12 b3 vs Ortega 11", lines=True, longest=1000),),
        2,
        {"order": "Angus 12 b3 vs Ortega 11"},
    ),
    "warsurge": Form(
        Text("WARSURGE"),
        (),
        (
            number("power", Text("Power"), 20),
            number("defence", Text("Defence"), 20),
            number("attack_dice", Text("Attack dice"), 20, 1),
            Field("method", Text("Method"), options=tuple(Option(one, one.label) for one in Method)),
            number("save", Text("Armour save, or better"), 6, 2),
            number("ap", Text("AP"), 6),
        ),
        3,
        {"power": "7", "defence": "4", "attack_dice": "3", "method": "casual"},
    ),
    "albion": Form(
        Text("Albion"),
        (),
        (
            number("awareness", Text("Your Awareness"), 12),
            number("strength", Text("Your Strength"), 12),
            number("agility", Text("The target's Agility"), 12),
            number("stealth", Text("The target's Stealth"), 12),
            tick("dodging", Text("The target dodges")),
        ),
        3,
        {"awareness": "3", "strength": "3", "agility": "4", "stealth": "3"},
    ),
    "dice": Form(
        Text("Any dice"),
        (),
        (Field("dice", Text("Dice"), "4d6kh3", longest=200),),
        3,
        {"dice": "4d6kh3"},
    ),
}
"""The games of the page, by their names in the terminal."""


def field(shown: Field, value: str, of: str) -> Html:
    """A field with its label and value; ``of`` makes its id its own."""
    name = f"{of}-{shown.key}"
    if shown.several:
        ticked = value.split(", ")
        ticks = [tick_box(f"{name}-{at}", shown.key, one, one.value in ticked) for at, one in enumerate(shown.options)]
        return tag("fieldset", tag("legend", shown.label), *ticks)
    label = tag("label", shown.label, for_=name)
    if shown.options:
        none = () if shown.required else (tag("option", Code("–"), value=""),)
        options = [tag("option", said(one), value=one.value, selected=one.value == value) for one in shown.options]
        return tag("p", label, tag("select", *none, *options, id=name, name=shown.key))
    common: dict[str, str | int] = {"id": name, "name": shown.key, "maxlength": shown.longest}
    plain = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false", "placeholder": shown.example}
    if shown.lines:
        return tag("p", label, tag("textarea", value, rows=3, **common, **plain))
    return tag("p", label, tag("input", type="text", value=value, **common, **plain))


def said(option: Option) -> Shown:
    return Text("{label}: {detail}", label=option.label, detail=option.detail) if option.detail else option.label


def tick_box(name: str, key: str, option: Option, is_ticked: bool) -> Html:
    box = tag("input", type="checkbox", id=name, name=key, value=option.value, checked=is_ticked)
    return tag("label", box, " ", said(option), for_=name, class_="tick")


def fields(shown: tuple[Field, ...], values: Mapping[str, str], of: str) -> list[Html]:
    return [field(one, values.get(one.key, ""), of) for one in shown]
