"""Emoji of dice: created once in the life of a drawing, never in anybody's way, and on buttons once they are known."""

import asyncio
import logging
from typing import Any, cast

import discord
import pytest

from bot.render.faces import DRAWINGS, FACES, Face, name
from bot.runtime.app import App
from bot.ui.core import emoji
from tests.conftest import Club

SOME = tuple(face for face in FACES if face.body in ("red", "green"))
HIT, CUT = Face("red", "hit"), Face("red", "hit", "cancelled")


async def restart(club: Club, wanted: tuple[Face, ...] = SOME) -> None:
    """Start anew, and wait for the emoji, as nobody else does."""
    await club.restart(faces=wanted)
    await kept(club)


async def kept(club: Club) -> None:
    app = bot(club)
    assert app.finding_emoji is not None
    await asyncio.wait([app.finding_emoji])


def bot(club: Club) -> App:
    assert isinstance(club.env.bot, App)
    return club.env.bot


def created(club: Club) -> list[str]:
    """The names that were sent, in order."""
    sent = [
        request for request in club.env.http_requests if request.path.endswith("/emojis") and request.method == "POST"
    ]
    return [(item.json or {})["name"] for item in sent]


async def test_the_first_start_creates_each_once_and_the_second_none(club: Club) -> None:
    await restart(club)
    assert sorted(created(club)) == sorted(map(name, SOME))
    assert bot(club).faces.keys() == set(SOME)
    first = dict(bot(club).faces)
    await restart(club)
    assert len(created(club)) == len(SOME)
    assert bot(club).faces == first


async def test_a_picture_goes_with_the_name(club: Club) -> None:
    await restart(club, (HIT,))
    (sent,) = [
        request for request in club.env.http_requests if request.path.endswith("/emojis") and request.method == "POST"
    ]
    assert (sent.json or {})["image"].startswith("data:image/png;base64,")


async def test_another_drawing_is_another_emoji_and_the_old_one_stays(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await restart(club, (HIT, CUT))
    old = bot(club).faces[HIT]
    monkeypatch.setitem(cast("dict[str, str]", DRAWINGS), "red", "00000000")
    await restart(club, (HIT, CUT))
    assert len(created(club)) == 4
    assert bot(club).faces[HIT].id != old.id
    assert old.id in club.env.backend.application_emojis


async def test_where_discord_refuses_one_plays_without_until_the_next_start(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    club.env.inject_error("POST", "/applications/*/emojis", status=400, code=30008, message="Maximum number reached")
    with caplog.at_level(logging.INFO, "bot.ui.core.emoji"):
        await restart(club)
    assert "0 of 16 known" in caplog.text
    assert "Maximum number reached" in caplog.text
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    assert "emoji" not in str(club.sent["components"])
    with caplog.at_level(logging.INFO, "bot.ui.core.emoji"):
        await restart(club)
    assert "16 of 16 known, 16 of them new" in caplog.text


async def test_where_they_cannot_be_listed_none_are_created(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    club.env.inject_error("GET", "/applications/*/emojis", status=403)
    with caplog.at_level(logging.INFO, "bot.ui.core.emoji"):
        await restart(club)
    assert not created(club)
    assert "0 of 16 known" in caplog.text


async def test_of_several_processes_each_finds_all_and_none_is_created_twice(club: Club) -> None:
    others = [App(club.settings, faces=()) for _ in range(2)]
    for other in others:
        other.locks = bot(club).locks
        other.fetch_application_emojis = bot(club).fetch_application_emojis  # type: ignore[method-assign]  # they have not logged in
        other.create_application_emoji = bot(club).create_application_emoji  # type: ignore[method-assign]  # as above
    await asyncio.gather(*(emoji.keep(app, SOME) for app in (bot(club), *others)))
    assert sorted(created(club)) == sorted(map(name, SOME))
    assert all(app.faces == bot(club).faces for app in others)
    assert len(bot(club).faces) == len(SOME)


async def test_nobody_waits_for_it_and_stopping_ends_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = asyncio.Event()

    async def never(*_: Any, **__: Any) -> Any:
        begun.set()
        await club.env.external_wait(asyncio.Event().wait(), reason="Discord takes its time")

    monkeypatch.setattr(discord.Client, "create_application_emoji", never)
    await club.restart(faces=SOME)
    await begun.wait()
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    assert club.outcome == "Ana hits the defender: 1 hit."
    task = bot(club).finding_emoji
    assert task is not None
    assert not task.done()
    await bot(club).close()
    await asyncio.wait([task])
    assert task.cancelled()


async def test_a_lost_connection_is_no_new_start(club: Club) -> None:
    await restart(club, (HIT,))
    first = bot(club).finding_emoji
    await bot(club).on_ready()
    assert bot(club).finding_emoji is first


# On buttons and in selects


def shown(club: Club) -> dict[str, int]:
    """The emoji of what can be pressed and picked on the newest card, by label."""
    items = [item for row in club.sent["components"] for item in row["components"]]
    every = [*items, *(option for item in items for option in item.get("options", ()))]
    return {one["label"]: int(one["emoji"]["id"]) for one in every if "emoji" in one}


async def test_buttons_and_dice_to_pick_show_the_face_they_speak_of(club: Club) -> None:
    await restart(club)
    known = {face: item.id for face, item in bot(club).faces.items()}
    club.dice.red("focus hit blank")
    await club.attack(dice=3, agility=0, with_="focus, lock, calculate, add 1 crit, change 1 blank to focus")
    assert shown(club) == {
        "Focus: 1 to hit": known[HIT],
        "Calculate: 1 focus to hit": known[HIT],
        "Card: add 1 crit": known[Face("red", "crit")],
        "Card: 1 blank to focus": known[Face("red", "focus")],
        "Die 1: hit": known[HIT],
        "Die 2: focus": known[Face("red", "focus")],
        "Die 3: blank": known[Face("red", "blank")],
    }
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert ": 2 hits." in club.outcome


async def test_a_defender_sees_evades(club: Club) -> None:
    await restart(club)
    known = {face: item.id for face, item in bot(club).faces.items()}
    club.dice.red("hit")
    club.dice.green("focus blank")
    await club.attack(dice=1, agility=2, against="focus, evade, reroll 1 green")
    evade = known[Face("green", "evade")]
    assert {"Focus: 1 to evade": evade, "Evade: 1 blank to evade": evade}.items() <= shown(club).items()
    assert shown(club)["Die 2: blank"] == known[Face("green", "blank")]


async def test_loose_dice_show_their_faces(club: Club) -> None:
    await restart(club)
    known = {face: item.id for face, item in bot(club).faces.items()}
    club.dice.red("hit")
    club.dice.green("blank")
    await club.ana.slash(club.channel, "xwing roll", red=1, green=1)
    assert shown(club)["Red die 1: hit"] == known[HIT]
    assert shown(club)["Green die 1: blank"] == known[Face("green", "blank")]
