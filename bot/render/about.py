"""The bot about itself, on a card: what it is, how its dice fall, where to read on."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.package import Package
from bot.render.card import Card, join_names, quantity

SPANS: Final = ((86400, "day"), (3600, "hour"), (60, "minute"))

DICE: Final = (
    "Chance comes from the operating system, through Python's secrets. Every draw is stored beside the press that it "
    "served. Dice that have been seen are never rolled anew by taking a press back: they come again."
)
ODDS: Final = "Counted exactly, as fractions; never estimated."


def card(package: Package, games: Sequence[str], pointers: Mapping[str, str], seconds: float, servers: int) -> Card:
    """``games`` are the titles of the games, ``pointers`` are commands to read on with, and what they do.

    ``seconds`` is how long the bot has been running.
    """
    code = [part for part in (package.licence and f"{package.licence} licence", package.source) if part]
    return Card(
        title=f"Rollcall {package.version}",
        outcome=f"I referee the dice of {join_names(list(games))}.",
        facts=(
            ("Dice", DICE),
            ("Odds", ODDS),
            *((f"/{name}", told) for name, told in pointers.items()),
            *((("Code", " · ".join(code)),) if code else ()),
        ),
        small=f"Running for {lasting(seconds)} · in {quantity(servers, 'server')}",
        ahead="nobody",
    )


def lasting(seconds: float) -> str:
    """``2 days and 3 hours``: the two largest spans, the lesser only if there is any of it."""
    left, parts = int(seconds), list[str]()
    for span, noun in SPANS:
        many, left = divmod(left, span)
        if many:
            parts.append(quantity(many, noun))
        elif parts:
            break
    return join_names(parts[:2]) or "less than a minute"
