"""The same walks as in the pseudo-language, at a table that speaks one language, with readers who all read another one.

What everybody sees must be in the table's, what one person sees in theirs, and no message in both.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from bot.ui.core import request_context
from tests.cogs import test_pseudo
from tests.conftest import Club
from tests.pseudo import Invented

pytestmark = pytest.mark.one_bot

TABLE: Final = Invented(how=lambda message: marked(message, "ø"))
READER: Final = Invented(how=lambda message: marked(message, "ð"))
UPDATES: Final = (6, 7)
"""Answers to a press that change the message that was pressed."""
FOR_ONE: Final = (8, 9)
"""Suggestions and forms."""
EPHEMERAL: Final = 64


async def panels(club: Club) -> None:
    """A panel follows what is saved after it, in private."""
    await club.ana.slash(club.channel, "saved add", name="Cleo", roll="1d20")
    await club.ana.slash(club.channel, "saved panel")
    await club.ana.slash(club.channel, "saved add", name="Murat", roll="2d6")
    await club.ana.slash(club.channel, "saved remove", name="Murat")


async def turn_orders(club: Club) -> None:
    """Presses on the list, and a form that a press opens."""
    club.dice.will_show(9, 11)
    await club.ana.slash(club.channel, "initiative start")
    for person in (club.ana, club.bo):
        shown = await person.click(club.card, custom_id=find(club, "join"))
        await person.submit_modal(shown, {"roll": "1d20"})
    await club.ana.click(club.card, custom_id=find(club, "next"))
    await club.ana.slash(club.channel, "initiative leave")
    await club.bo.click(club.card, custom_id=find(club, "end"))


async def secrets(club: Club) -> None:
    """A secret roll is looked at, revealed and asked about."""
    club.dice.will_show(6)
    await club.ana.slash(club.channel, "roll", dice="1d20", secret=True)
    for offer in [item.custom_id for row in club.card.components for item in getattr(row, "children", ())]:
        await club.bo.click(club.card, custom_id=offer)
        await club.ana.click(club.card, custom_id=offer)


async def requests(club: Club) -> None:
    """Somebody else's roll is to be taken back: the other one allows it."""
    club.dice.will_show(6, 7)
    for person in (club.ana, club.bo):
        await person.slash(club.channel, "roll", dice="1d20")
    await club.ana.slash(club.channel, "table undo")
    for offer in [item.custom_id for row in club.card.components for item in getattr(row, "children", ())]:
        await club.cleo.click(club.card, custom_id=offer)
        await club.bo.click(club.card, custom_id=offer)
        break


async def seals(club: Club) -> None:
    await club.ana.slash(club.channel, "table seal", opponent=club.bo)
    for person in (club.ana, club.bo):
        shown = await person.click(club.card, custom_id=find(club, "seal-word"))
        await person.submit_modal(shown, {"word": "luck"})
    await club.bo.click(club.card, custom_id=find(club, "seal-now"))
    await club.ana.slash(club.channel, "roll", dice="1d20")
    await club.ana.slash(club.channel, "table show")
    await club.ana.slash(club.channel, "table unseal")


async def advices(club: Club) -> None:
    """Advice is for one; the choice that it makes changes the card of all."""
    club.dice.red("focus hit blank")
    await club.attack(dice=3, agility=0, with_="focus, lock")
    shown = await club.ana.click(club.card, custom_id=find(club, "advice"))
    (advice,) = [one.message for one in (shown.response, *shown.followups) if one is not None]
    offers = [item.custom_id for row in advice.components for item in getattr(row, "children", ())]
    for offer in (offers[-1], offers[0]):
        await club.ana.click(advice, custom_id=offer)
    await club.how()


def find(club: Club, part: str) -> str:
    """The button of the newest message whose id has this in it."""
    ids = [item.custom_id for row in club.card.components for item in getattr(row, "children", ())]
    return str(next(one for one in ids if part in one))


WALKS: Final = [
    *(panels, turn_orders, secrets, requests, seals, advices),
    *(
        walk
        for name, walk in inspect.getmembers(test_pseudo, inspect.iscoroutinefunction)
        if name.startswith("test_") and list(inspect.signature(walk).parameters) == ["club"]
    ),
]


def marked(message: str, mark: str) -> str:
    """A message that shows in which language it was said; numbers and marks between words are in none."""
    return f"{message}{mark}" if re.search("[A-Za-z]{2}", message) else message


@pytest.fixture(autouse=True)
def two_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_context, "of_locale", lambda _: READER)
    monkeypatch.setattr(request_context, "ENGLISH", TABLE)


@pytest.fixture
def pressed_in_private(club: Club) -> dict[str, bool]:
    """By the token of an interaction: whether the message that was pressed is for one person."""
    result = dict[str, bool]()
    emit = club.env.backend.emit

    def told(event: str, payload: Any) -> Any:
        if event == "INTERACTION_CREATE" and payload.get("message"):
            result[payload["token"]] = bool(payload["message"].get("flags", 0) & EPHEMERAL)
        return emit(event, payload)

    club.env.backend.emit = told  # type: ignore[method-assign]  # to see what Discord says
    return result


def wrong(club: Club, is_private: dict[str, bool]) -> Iterator[str]:
    """What was sent in the wrong language, or in both. ``is_private`` begins with the messages that were pressed."""
    for asked in club.env.http_requests:
        sent = asked.json if isinstance(asked.json, dict) else {}
        match = re.search(r"/(?:interactions|webhooks)/\d+/(\w+)", asked.path)
        token = match[1] if match else ""
        said = "\n".join(test_pseudo.texts(sent))
        if asked.path.endswith("/commands"):
            continue
        if asked.path.endswith("/callback"):
            flags = (sent.get("data") or {}).get("flags", 0)
            if sent["type"] not in UPDATES:
                is_private[token] = bool(flags & EPHEMERAL) or sent["type"] in FOR_ONE
            private = is_private.get(token)
        elif asked.path.endswith("/messages/@original"):
            private = is_private.get(token)
        else:
            private = bool(sent.get("flags", 0) & EPHEMERAL)
        heard = {mark for mark in "øð" if mark in said}
        if len(heard) > 1 or (private is not None and heard == {"ø" if private else "ð"}):
            yield f"{asked.method} {asked.path.rpartition('/')[2]}, for {'one' if private else 'all'}: {said}"


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.__name__.removeprefix("test_"))
async def test_everything_is_said_in_the_language_of_those_who_read_it(
    club: Club, pressed_in_private: dict[str, bool], walk: Callable[[Club], Any]
) -> None:
    await walk(club)
    assert list(dict.fromkeys(wrong(club, pressed_in_private))) == []
