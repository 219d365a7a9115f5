"""The bot's own card: what it is, how it rolls its dice, where to read more."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.package_info import PackageInfo
from bot.render.card import Card
from bot.rules.text import EMPTY, Code, Count, Names, Noun, Sentences, Shown, Text, term

SPANS: Final = ((86400, Noun("day", "days")), (3600, Noun("hour", "hours")), (60, Noun("minute", "minutes")))

DICE: Final = Text(
    "Randomness comes from the operating system, through Python's secrets module. I store every "
    "draw with its press. Taking back a press never rerolls dice you have seen: the same dice "
    "come again."
)
ODDS: Final = Text("I calculate them exactly, as fractions. I never estimate.")


def card(
    package: PackageInfo,
    games: Sequence[Shown],
    pointers: Mapping[str, str],
    seconds: float,
    servers: int,
) -> Card:
    """Return the card of `/about`: games, commands with descriptions, and the ``seconds`` that the bot has run."""
    license_line = Text("{license} license", license=Code(package.license)) if package.license else EMPTY
    code = Sentences([license_line, Code(package.source)], " · ")
    facts: list[tuple[Shown, Shown]] = [(Text("Dice"), DICE), (Text("Odds"), ODDS)]
    facts += [(Code(f"/{name}"), term(description)) for name, description in pointers.items()]
    facts += [(Text("Code"), code)] if code else []
    title = Text("Rollcall {version}", version=Code(package.version))
    outcome = Text("I referee dice for {games}.", games=Names(list(games)))
    many = Count(servers, "server", "servers")
    small = Text("Running for {lasting} · in {servers}", lasting=format_duration(seconds), servers=many)
    return Card(title, outcome, facts=tuple(facts), small=small)


def format_duration(seconds: float) -> Text:
    """Return ``2 days and 3 hours``: the two largest units; the smaller one only if it is not zero."""
    left, parts = int(seconds), list[Text]()
    for span, noun in SPANS:
        many, left = divmod(left, span)
        if many:
            parts.append(noun.of(many))
        elif parts:
            break
    return Names(parts[:2]) or Text("less than a minute")
