"""The deeds and costs of rows in words that people read; as rows write them they are in ``rows.py``."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from bot.rules.text import Names, Sentences, Text
from bot.rules.xwing.faces import Face
from bot.rules.xwing.tokens import TOKENS

COUNTED: Final = re.compile(
    r"(they gain|they lose|they suffer|they expose|I gain|I lose|I suffer|recover|transfer|prevent) ([1-9])(?: (.+))?"
)
DOES: Final[Mapping[str, str]] = {
    "they gain": "{ship} will gain {count} {what}",
    "they lose": "{ship} will lose {count} {what}",
    "they suffer": "{ship} will suffer {count} {what}",
    "they expose": "{ship} will expose {count}",
    "I gain": "gain {count} {what}",
    "I lose": "lose {count} {what}",
    "I suffer": "suffer {count} {what}",
    "recover": "recover {count} {what}",
    "transfer": "transfer {count} {what}",
    "prevent": "prevent {count}",
}
OTHERS: Final[Mapping[str, Text]] = {
    "recover force for each damage": Text("recover force for each damage"),
    "prevent all": Text("prevent all"),
    "lock them": Text("lock them"),
    "no dice, it hits": Text("no dice, it hits"),
}
OTHER_SHIP: Final = Text("the other ship")
NAMED: Final[Mapping[str, Text]] = {
    **{name: Text(name) for name in TOKENS},
    **{face.value: Text(face.value) for face in Face},
    "hits": Text("hits"),
    "crits": Text("crits"),
    "green token": Text("green token"),
    "red or orange": Text("red or orange"),
}
"""Tokens and results as rows name them."""


def said(words: str, enemy: str = "") -> str:
    """What a deed does, as on a button; ``enemy`` is the other ship. One without a message stays as the row has it."""
    if match := COUNTED.fullmatch(words):
        does, count, what = match.groups()
        return Text(DOES[does], ship=enemy or OTHER_SHIP, count=count, what=named(what or ""))
    return OTHERS.get(words, words)


def named(what: str) -> str:
    """``focus``, ``focus or calculate``, ``calculate of Separatist Drone``: names of ships stay."""
    if what in NAMED:
        return NAMED[what]
    token, of, ship = what.partition(" of ")
    if of and token in NAMED:
        return Text("{what} of {ship}", what=NAMED[token], ship=ship)
    return Names(map(named, what.split(" or ")), "or") if " or " in what else what


def costs(paid: Iterable[tuple[str, int]]) -> Names:
    """``1 focus and 2 charge``: what a press costs."""
    return Names([Text("{count} {what}", count=count, what=named(name)) for name, count in paid])


def all_said(phrases: Iterable[str]) -> str:
    """Several deeds, one after the other."""
    return Sentences(map(said, phrases), ", ")
