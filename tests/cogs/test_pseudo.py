"""Games, refusals, history, board and help in a pseudo-language: what comes out in plain English has escaped.

Names, typed words, dice notation and the words of JSON stay as they are.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
import simcord

from bot.ui.say import speaking
from tests.conftest import Club
from tests.pseudo import escaped, pseudo

NAMES: Final = frozenset(
    (
        *("ana", "cleo", "rollcall", "albion", "warsurge", "infinity", "wing", "mit", "casual", "balanced", "chart"),
        *(["attack", "dice", "chart"]),
        *("ortega", "power", "defence", "save"),
    )
)
"""People, games, methods, and the stats of a line that can be typed again."""


@pytest.fixture(autouse=True)
def language() -> Iterator[None]:
    with speaking(pseudo):
        yield


def texts(part: Any) -> Iterator[str]:
    """Every text that people read in what was sent."""
    if isinstance(part, dict):
        for key, one in part.items():
            if key in (
                "content",
                "title",
                "description",
                "text",
                "name",
                "value",
                "label",
                "placeholder",
            ) and isinstance(one, str):
                if not (key == "value" and "label" in part) and not (key == "name" and "id" in part):
                    yield one
            elif key not in ("emoji", "user", "author_user", "member"):
                yield from texts(one)
    elif isinstance(part, list):
        for one in part:
            yield from texts(one)


def of_message(message: Any) -> dict[str, Any]:
    """What people read of a message."""
    return {
        "content": message.content or "",
        "embeds": [one.to_dict() for one in message.embeds],
        "components": [one if isinstance(one, dict) else one.to_dict() for one in message.components],
    }


def typed_words(club: Club) -> frozenset[str]:
    """The words of commands and options, which help shows as they are typed, and the names of other games."""
    tree: Any = club.env.bot.tree  # type: ignore[attr-defined]  # it is our App
    names = set[str]()
    for command in tree.walk_commands():
        names |= {command.name, *(one.display_name for one in getattr(command, "parameters", ()))}
    others = "pathfinder world darkness savage worlds year zero pbta fate shadowrun call cthulhu star wars cod wod"
    return frozenset(part for name in names for part in re.split("[-_]", name)) | {"true", *others.split()}


def lost(result: simcord.InteractionResult, club: Club, names: frozenset[str]) -> str:
    """The texts with English words in them that escaped, a line each."""
    response = result.response
    sent = of_message(response) if response is not None and hasattr(response, "embeds") else of_message(club.card)
    return "\n".join(f"{words}: {text}" for text in texts(sent) if (words := escaped(text, names)))


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("albion attack", {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3, "faces": "72 0 1"}),
        ("albion odds", {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3, "dodging": True}),
        ("albion attack", {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3, "faces": "72 0 x1"}),
        ("albion attack", {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3, "faces": "72 0 "}),
        ("warsurge attack", {"power": 6, "defence": 4, "faces": "4", "method": "casual"}),
        (
            "warsurge attack",
            {"power": 6, "defence": 4, "dice": 3, "save": "5+", "ap": 1, "faces": "4 1 6", "method": "casual"},
        ),
        ("warsurge attack", {"power": 6, "defence": 4, "faces": "4 4", "method": "casual"}),
        ("warsurge attack", {"power": 6}),
        ("warsurge odds", {"power": 6, "defence": 4, "dice": 3, "save": "5+"}),
        ("warsurge compare", {"power": 6, "defence": 4, "dice": 3}),
        ("warsurge chart", {"power": 6, "defence": 4}),
        ("warsurge profile list", {}),
        ("warsurge profile set", {"name": "Ortega", "stats": "Power 6"}),
        ("table show", {}),
        ("table history", {}),
        ("table undo", {}),
        ("help", {}),
        ("help", {"game": "albion"}),
        ("about", {}),
        ("prefer", {}),
        ("initiative start", {}),
        ("saved list", {}),
        ("luck", {}),
        ("fairness", {}),
    ],
)
async def test_nothing_escapes(club: Club, command: str, options: dict[str, Any]) -> None:
    names = NAMES | typed_words(club) if command == "help" else NAMES
    assert not lost(await club.ana.slash(club.channel, command, **options), club, names)
