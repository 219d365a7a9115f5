"""Made-up component ids: every kind of id and every route, with each field forged, as a button, a list, and a form.
Whoever sends one gets a sentence or a right answer, and nobody changes what belongs to others.
"""

import dataclasses
import json
import re
from collections.abc import Iterator
from enum import Enum
from types import NoneType
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import pytest

from bot.runtime.app import App
from bot.sessions.request import Place
from bot.ui.core import components
from bot.ui.core.components import At
from bot.ui.dispatch import router
from tests import sampling
from tests.cogs.test_luck import over
from tests.cogs.test_xwing_board import ANA, BO
from tests.conftest import Club, said

HOW: Final = ("press", "pick", "send")
ENDS: Final = ("", "x", "hits", "hits-more", "7")
WORDS: Final = (
    *(f"{key}{end}" for key in router.ON_CARDS for end in (ENDS if key.endswith("-") else ("",))),
    *("x", "7", "done", "focus", "plan", "attack", "phase", "xwing", "infinity", "anydice", "xwing-attack", "roll"),
    *("fix:fix:x", "1:0:done", "command:roll", "dice:2d6", "/roll dice:2d6", "/nobody", "secrets", "round 1", "squad"),
    *("0123abcd", "0123456789ab"),
)
"""Offers, commands, lines, games, sheets, and marks, of ours and of nobody."""


def values_of(hint: Any, club: Club) -> list[Any]:
    """Everything that a field may say: what belongs there, zero, one, huge, a stranger's, another kind's, none."""
    kinds = get_args(hint)
    if get_origin(hint) is Annotated and isinstance(kinds[1], range):
        people = (club.ana.id, club.bo.id, club.cleo.id, club.env.bot.application_id or 0)
        return [number for number in (0, 1, 2, *people, kinds[1][-1]) if number in kinds[1]]
    if get_origin(hint) is Annotated:
        return [word for word in ("", *WORDS) if re.fullmatch(kinds[1], word)]
    if get_origin(hint) is Literal:
        return list(kinds)
    if get_origin(hint) is tuple:
        found = values_of(kinds[0], club)
        return [(), *((item,) for item in found), tuple(found[:5])]
    if NoneType in kinds:
        return [None, *values_of(next(kind for kind in kinds if kind is not NoneType), club)]
    if issubclass(hint, Enum):
        return list(hint)
    return [0, 1, 2, 3, 4, 10**components.DIGITS - 1]


def forged(start: At, club: Club) -> Iterator[At]:
    """An id, and the same with each field in turn forged."""
    yield start
    for field, hint in () if start in router.ROUTES else hinted(type(start)):
        yield from (dataclasses.replace(start, **{field.name: value}) for value in values_of(hint, club))


def starts(club: Club, shown: set[str]) -> list[At]:
    """The ids on the messages, one of each kind besides, and every single route."""
    found = {at for custom_id in shown if (at := components.read(custom_id)) is not None}
    of_kind = [
        kind(**{field.name: values_of(hint, club)[-1] for field, hint in hinted(kind) if is_needed(field)})
        for kind in components.KINDS
    ]
    singles = [at for at in router.ROUTES if isinstance(at, components.ComponentId)]
    return sorted({*found, *of_kind, *singles}, key=components.write)


def is_needed(field: Any) -> bool:
    return field.default is dataclasses.MISSING


def hinted(kind: type[At]) -> list[tuple[Any, Any]]:
    hints = get_type_hints(kind, include_extras=True)
    return [(field, hints[field.name]) for field in dataclasses.fields(kind)]


async def owned(club: Club) -> dict[str, Any]:
    app = club.env.bot
    assert isinstance(app, App)
    return dict(await app.tables.pieces(Place(club.channel.id, club.guild.id), "xwing"))


def ids_of(club: Club) -> set[str]:
    """Every id on every message of the channel."""
    every = (club.env.backend.get_message(club.channel.id, item.id) for item in club.channel.history(viewer=club.ana))
    shown = (item for message in every for row in message.components for item in row["components"])
    return {item["custom_id"] for item in shown if "custom_id" in item}


async def playing(club: Club) -> None:
    """A board, a saved roll, a turn order, and an attack that waits for a choice."""
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    await club.ana.slash(club.channel, "saved add", name="Jab", roll="/roll dice:1d6")
    await club.ana.slash(club.channel, "initiative start")
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=1, with_="focus", opponent=club.bo)


async def finished(club: Club) -> None:
    """The recap of a match, and the question for another."""
    await over(club)
    await club.bo.click(club.card, label="Rematch")


async def test_a_rematch_is_accepted_only_where_somebody_asked(club: Club) -> None:
    await finished(club)
    made_up = next(item for item in ids_of(club) if ":accept:" in item).rpartition(":")[0]
    assert "I don't know this button" in said(await club.press(club.ana, made_up))


@pytest.mark.parametrize("by", ["ana", "cleo"])
@pytest.mark.parametrize("scene", [playing, finished])
async def test_every_forged_id_gets_a_sentence(
    club: Club, scene: Any, by: str, monkeypatch: pytest.MonkeyPatch, part: sampling.Part[tuple[str, str]]
) -> None:
    await scene(club)
    monkeypatch.setattr(type(club.dice), "__call__", lambda _, sides: sides - 1)
    ids = {components.write(at) for start in starts(club, ids_of(club)) for at in forged(start, club)}
    every = [
        (item, how) for item in sorted(ids) if len(item) <= components.LONGEST for how in ("press", "pick", "send")
    ]
    before, broken, sender = await owned(club), list[tuple[str, str]](), getattr(club, by)
    for custom_id, how in part(every, 40):
        if how == "send":
            answer = await club.submit(sender, custom_id, {"dice": "2d6"})
        else:
            answer = await club.press(sender, custom_id, ["0"] if how == "pick" else ())
        told = [item.content or "" for item in (answer.response, *answer.followups) if item is not None]
        broken += [] if answer.acknowledged and "Something broke" not in str(told) else [(custom_id, how)]
    assert not broken
    assert by == "ana" or await owned(club) == before
