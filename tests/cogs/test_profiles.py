"""`/GAME profile` in a whole Discord: kept, listed, offered while one types, taken back, refused."""

from typing import Any

import pytest
import simcord

from bot.rules.infinity.troopers.trooper import MAX_TROOPERS
from bot.store import pieces
from bot.store.errors import StoreError
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

LINES = {
    "infinity": ("BS 12, Burst 3, ARM 1", "WIP 13, BS 11, BTS 3"),
    "warsurge": ("Power 6, Dice 4", "Defence 5"),
    "albion": ("Agility 5, Stealth 2", "Awareness 7, Strength 4"),
}
PIECES = {"warsurge": "unit"}
"""What a game calls its profiles, where it has a word of its own."""
every_game = pytest.mark.parametrize("game", LINES)


async def keep(club: Club, game: str, name: str, stats: str) -> simcord.InteractionResult:
    given: dict[str, Any] = {"name": name, "stats": stats}
    return await club.ana.slash(club.channel, f"{game} profile set", **given)


async def remove(club: Club, game: str, name: str) -> simcord.InteractionResult:
    given: dict[str, Any] = {"name": name}
    return await club.ana.slash(club.channel, f"{game} profile remove", **given)


async def listed(club: Club, game: str) -> dict[str, str]:
    await club.ana.slash(club.channel, f"{game} profile list")
    return {field.name or "": field.value or "" for field in club.embed.fields}


async def offered(club: Club, command: str, option: str, typed: str = "") -> list[tuple[str, Any]]:
    choices = await club.bo.autocomplete(club.channel, command, option, typed)
    return [(choice["name"], choice["value"]) for choice in choices]


@every_game
async def test_profiles_come_change_and_go(club: Club, game: str) -> None:
    first, second = LINES[game]
    assert await listed(club, game) == {}
    piece = PIECES.get(game, "profile")
    assert club.outcome == f"This channel has no {piece}s yet."
    await keep(club, game, "Murat", second.lower())
    await keep(club, game, "angus", second)
    await keep(club, game, "Angus", first)
    assert club.outcome == "Angus is saved."
    shown = await listed(club, game)
    assert list(shown) == ["Angus", "Murat"], "by name; the second line replaced the first"
    assert shown["Angus"] == first
    assert club.outcome == f"2 {'troopers' if game == 'infinity' else f'{piece}s'} in this channel."
    await remove(club, game, "ANGUS")
    assert club.outcome == "Angus is removed."
    assert list(await listed(club, game)) == ["Murat"]


@every_game
async def test_the_board_shows_them_and_undo_takes_the_last_back(club: Club, game: str) -> None:
    first, second = LINES[game]
    await keep(club, game, "Angus", first)
    await keep(club, game, "Angus", second)
    await club.ana.slash(club.channel, "table undo")
    await club.ana.slash(club.channel, "table show")
    if game == "infinity":  # tiles, with the lines behind Units
        assert "Angus" in (club.card.attachments[0].description or "")
    else:
        assert [(field.name, field.value) for field in club.embed.fields] == [("Angus", first)]
    assert await listed(club, game) == {"Angus": first}
    await remove(club, game, "Angus")
    await club.ana.slash(club.channel, "table undo")
    assert await listed(club, game) == {"Angus": first}


async def test_stats_are_offered_where_they_are_typed(club: Club) -> None:
    await keep(club, "infinity", "Murat", "BS 11, WIP 13, BTS 3, PS 6")
    await keep(club, "infinity", "Angus", "BS 12, Burst 3, ARM 1")
    every = [("Angus: BS 12", 12), ("Murat: BS 11", 11), ("Murat: WIP 13", 13)]
    for command, option in (("roll", "sv"), ("versus", "sv"), ("versus", "vs_sv"), ("odds", "vs_sv")):
        assert await offered(club, f"infinity {command}", option) == every
    assert await offered(club, "infinity versus", "vs_sv", "mur") == every[1:]
    assert await offered(club, "infinity versus", "vs_sv", "WIP") == every[2:]
    assert await offered(club, "infinity versus", "vs_burst") == [("Angus: Burst 3", 3)]
    assert await offered(club, "infinity save", "arm") == [("Angus: ARM 1", 1), ("Murat: BTS 3", 3)]
    assert await offered(club, "infinity save", "ps", "12") == []


@pytest.mark.parametrize(
    ("game", "option", "choice"),
    [
        ("warsurge", "power", ("Angus: Power 6", 6)),
        ("warsurge", "dice", ("Angus: Dice 4", 4)),
        ("warsurge", "defence", ("Murat: Defence 5", 5)),
        ("albion", "agility", ("Angus: Agility 5", 5)),
        ("albion", "stealth", ("Angus: Stealth 2", 2)),
        ("albion", "awareness", ("Murat: Awareness 7", 7)),
        ("albion", "strength", ("Murat: Strength 4", 4)),
    ],
)
async def test_the_other_games_offer_theirs(club: Club, game: str, option: str, choice: tuple[str, int]) -> None:
    for name, line in zip(("Angus", "Murat"), LINES[game], strict=True):
        await keep(club, game, name, line)
    for command in ("attack", "odds"):
        assert await offered(club, f"{game} {command}", option) == [choice]


async def test_what_is_offered_can_be_rolled_with(club: Club) -> None:
    await keep(club, "infinity", "Angus", "BS 12, Burst 1")
    ((_, sv),) = await offered(club, "infinity roll", "sv", "ang")
    club.dice.will_show(6)
    await club.bo.slash(club.channel, "infinity roll", sv=sv)
    assert "Bo SV 12, Burst 1" in await club.how()


async def test_names_are_offered_and_channels_and_games_keep_their_own(club: Club) -> None:
    await keep(club, "albion", "Murat", "Agility 5")
    await keep(club, "albion", "angus", "Agility 6")
    for command in ("set", "remove"):
        assert await offered(club, f"albion profile {command}", "name", "A") == [("angus", "angus"), ("Murat", "Murat")]
        assert await offered(club, f"warsurge profile {command}", "name") == []
    other = club.guild.create_text_channel("other")
    assert await club.ana.autocomplete(other, "albion profile remove", "name", "") == []


async def test_at_most_25_are_offered_and_40_kept(club: Club) -> None:
    for n in range(MAX_TROOPERS):
        await keep(club, "infinity", f"Angus {chr(97 + n // 7)}{chr(97 + n % 7)}", "BS 12, WIP 13")
    assert len(await offered(club, "infinity roll", "sv")) == 25
    assert "40 troopers" in said(await keep(club, "infinity", "Murat", "BS 11"))
    told = "\n".join((await listed(club, "infinity")).values()).splitlines()
    assert len(told) == MAX_TROOPERS, "several in a block"


async def test_a_database_that_fails_offers_nothing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await keep(club, "infinity", "Angus", "BS 12")

    async def fail(*_: object) -> None:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(pieces, "find", fail)
    assert await offered(club, "infinity roll", "sv") == []
    assert await offered(club, "infinity profile remove", "name") == []


async def test_what_is_refused_is_told_privately_and_not_kept(club: Club) -> None:
    assert "Did you mean `burst`?" in said(await keep(club, "infinity", "Angus", "BS 12, Brust 3"))
    assert "whole number from 0 to 40" in said(await keep(club, "infinity", "Angus", "BS 99"))
    assert "This channel has no troopers yet" in said(await remove(club, "infinity", "Angus"))
    assert await listed(club, "infinity") == {}
