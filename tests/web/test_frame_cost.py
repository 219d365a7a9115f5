"""What a frame or a stranger sends costs few steps, whatever stands in which word, header, or address."""

import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest

from bot.rules.anydice import phrases
from bot.web import activity, live_pages
from bot.web.live_pages import MAX_BODY
from tests.cogs.test_activity import Call, call  # noqa: F401 - a fixture
from tests.grammars import HARD, texts
from tests.steps import MAX_STEPS, counting

ROOM: Final = 300
"""Bytes of a body that its other words take."""
MAX_HEADER: Final = 7_000
"""Characters of a header or an address that aiohttp takes, with room for the rest."""
ASKED: Final[Mapping[str, Mapping[str, str]]] = {
    "join": {"code": "c", "instance": "i", "table": "1"},
    "plan": {"game": "xwing", "sheet": "", "of": "Luke Skywalker", "value": "2F"},
    "ready": {"game": "xwing", "sheet": "", "anyway": "yes"},
    "advice": {"roll": "1", "ply": "1"},
    "table": {"channel": "1"},
    "nothing": {"do": "", "once": "1"},
}
"""The words of every act of a frame, of which each in turn is as long as a body may be."""
SQUAD: Final = (Path(__file__).parents[1] / "squads" / "red-squadron.json").read_text("utf-8")
Asks = Callable[[str], Awaitable[Any]]


def cut(text: str) -> str:
    """As much of a text as a body has room for."""
    while len(json.dumps(text)) > MAX_BODY - ROOM:
        text = text[: len(text) * 9 // 10]
    return text


@pytest.mark.slow
@pytest.mark.parametrize("do", ASKED)
async def test_no_word_of_a_frame_holds_the_loop_for_long(
    call: Call,  # noqa: F811 - a fixture
    do: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = await begun(call, monkeypatch)

    def asks(word: str) -> Asks:
        async def ask(text: str) -> int:
            given = {**ASKED[do], word: text}
            status, _ = (
                await frame.post("join", **given)
                if do == "join"
                else await frame.post("choose", **{"do": do, "once": str(next(frame.numbers)), **given})
            )
            return int(status)

        return ask

    found = dict[tuple[str, str], int]()
    for word in ASKED[do]:
        for grammar, text in texts(MAX_BODY, HARD).items():
            with counting() as steps:
                await asks(word)(cut(text))
            found[word, grammar] = steps.most
    assert max(found.values()) < MAX_STEPS, sorted(found.items(), key=lambda item: -item[1])[:5]


@pytest.mark.slow
async def test_no_header_or_address_of_a_stranger_holds_the_loop_for_long(
    call: Call,  # noqa: F811 - a fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame, found = await begun(call, monkeypatch), dict[tuple[str, str], int]()
    headers = ("Accept-Language", "X-Session", "Last-Event-ID", "X-Forwarded-For", "Origin", "Content-Type")
    paths = ("0/{}", "0/call/{}", "0/call/own?after={}", "0/a/live?after={}", "status?server={}")
    for grammar, text in texts(MAX_HEADER // 3, HARD).items():
        plain = text.encode("ascii", "ignore").decode().replace("\n", " ") or "a"
        for header in headers:
            with counting() as steps:
                async with call.http.get(f"{call.base}/0/call/own", headers={header: plain}) as answer:
                    await answer.read()
            found[header, grammar] = steps.most
        for path in paths:
            with counting() as steps:
                async with call.http.get(f"{call.base}/{path.format(quote(text, safe='')[:MAX_HEADER])}") as answer:
                    await answer.read()
            found[path, grammar] = steps.most
    assert frame.session
    assert max(found.values()) < MAX_STEPS, sorted(found.items(), key=lambda item: -item[1])[:5]


async def begun(call: Call, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: F811 - a fixture
    """Ana's frame, with a squad whose dials are to be set; nobody waits for a turn, since it isn't what is counted."""

    async def at_once(*_: object) -> None:
        return

    monkeypatch.setattr(activity, "turn", at_once)
    monkeypatch.setattr(live_pages, "turn", at_once)
    for piece in phrases.pieces():
        piece()
    club = call.club
    for by in (club.ana, club.bo):
        await by.slash(club.channel, "xwing squad", text=SQUAD)
    status, _, frame = await call.join(club.ana)
    assert status == 200
    await frame.choose("plan", **ASKED["plan"])
    return frame
