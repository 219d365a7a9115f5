"""`/xwing cards`: what the bot knows, and a set that a server keeps for itself."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import simcord

from bot.rules.xwing.table.ship import Ship
from bot.sessions.request import Place
from tests.cli.test_card_files import SHIP, UPGRADES, tree
from tests.conftest import Club, said

LUKE = {"faction": "rebelalliance", "pilots": [{"id": "lukeskywalker"}]}
FILE = ("cards.json", json.dumps({"ships": [SHIP], "upgrades": UPGRADES}).encode())


async def attach(club: Club, by: simcord.MemberActor, file: tuple[str, bytes] = FILE) -> Any:
    return await by.slash(club.channel, "xwing cards", file=file)


async def bring(club: Club, by: simcord.MemberActor, squad: object = LUKE) -> str:
    """What the answer says below the ships."""
    await by.slash(club.channel, "xwing squad", text=json.dumps(squad))
    if "Add to mine" in club.labels:
        await by.click(club.card, label="Add to mine")
    return club.embed.footer.text or ""


async def ship(club: Club, name: str) -> Ship:
    bot: Any = club.env.bot
    table = await bot.tables.pieces(Place(club.channel.id, club.guild.id), "xwing")
    return table[name]  # type: ignore[no-any-return]  # a table holds bodies of any kind


def facts(club: Club) -> dict[str, str]:
    return {field.name or "": field.value or "" for field in club.embed.fields}


async def test_everybody_sees_the_sets_and_how_far_their_cards_are_known(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing cards")
    assert club.outcome == "I know 2 card sets."
    assert facts(club)["XWA (2026-07-05)"].startswith("90 ships, 734 pilots, 635 upgrades\nDice effects: ")
    assert "The setting “X-Wing cards” is “As in the squad” for you here." in (club.embed.footer.text or "")


async def test_a_gm_attaches_a_set_and_squads_go_to_it(club: Club, gm: simcord.MemberActor) -> None:
    await attach(club, gm)
    assert club.outcome == "This server now has its own card set: 1 ship, 2 pilots, 3 upgrades."
    told = facts(club)
    assert told["New pilots (1)"] == "Tester (T-65 X-wing), tester-club"
    assert "initiative 6, was 5; force 3 (+1), was 2 (+1)" in told["Changed pilots (1)"]
    assert told["Removed pilots (733)"].endswith("and 721 more")
    assert "Cards: This server's own" in await bring(club, club.ana)
    luke = await ship(club, "Luke Skywalker")
    assert (luke.initiative, luke.force, luke.card.numbers) == (6, 3, "3/2/4/2 i6")
    await club.ana.slash(club.channel, "xwing cards")
    assert club.outcome == "I know 3 card sets."


async def test_a_ship_keeps_its_cards_when_the_set_changes_or_goes(club: Club, gm: simcord.MemberActor) -> None:
    await attach(club, gm)
    await bring(club, club.ana, {"faction": "rebelalliance", "pilots": [{"id": "tester-club"}]})
    before = await ship(club, "Tester")
    assert [weapon.name for weapon in before.card.weapons] == ["Primary", "Club Missiles"]
    await gm.slash(club.channel, "xwing cards", remove_own=True)
    assert club.outcome.startswith("This server's own")
    assert "was removed" in club.outcome
    assert (await ship(club, "Tester")).card == before.card
    assert "Cards: XWA" in await bring(club, club.ana)


async def test_who_prefers_another_set_gets_it_and_who_prefers_the_own_one_too(
    club: Club, gm: simcord.MemberActor
) -> None:
    await club.ana.slash(club.channel, "prefer", setting="xwing_cards", value="own")
    assert "Cards: XWA" in await bring(club, club.ana), "there is none yet"
    await attach(club, gm)
    assert "Cards: This server's own" in await bring(club, club.ana)
    await club.ana.slash(club.channel, "prefer", setting="xwing_cards", value="XWA")
    assert "Cards: XWA" in await bring(club, club.ana)


async def test_an_archive_is_read_as_well(club: Club, gm: simcord.MemberActor, tmp_path: Path) -> None:
    packed = io.BytesIO()
    root = tree(tmp_path, SHIP, UPGRADES)
    with zipfile.ZipFile(packed, "w") as archive:
        for path in root.rglob("*.json"):
            archive.write(path, path.relative_to(root).as_posix())
    await attach(club, gm, ("data.zip", packed.getvalue()))
    assert club.outcome.startswith("This server now has its own card set")


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (("cards.json", b"[]"), "I can't find any pilots here"),
        (("cards.json", b"no json"), "Use JSON in UTF-8."),
        (("cards.zip", b"PK\x05\x06" + b"\0" * 18), "I can't find any pilots here"),
        (("cards.json", json.dumps({**SHIP, "size": "Tiny"}).encode()), "size` was `Tiny`"),
    ],
    ids=["empty", "no JSON", "an empty archive", "a wrong card"],
)
async def test_a_file_that_is_no_set_is_refused_and_nothing_is_kept(
    club: Club, gm: simcord.MemberActor, sent: tuple[str, bytes], words: str
) -> None:
    assert words in said(await attach(club, gm, sent))
    assert "Cards: XWA" in await bring(club, club.ana)


async def test_only_a_gm_attaches_or_removes(club: Club, gm: simcord.MemberActor) -> None:
    assert "Only a GM can do that: someone with the Manage Channels permission here" in said(
        await attach(club, club.ana)
    )
    assert "Only a GM can do that: someone with the Manage Channels permission here" in said(
        await club.ana.slash(club.channel, "xwing cards", remove_own=True)
    )
    nothing = said(await gm.slash(club.channel, "xwing cards", remove_own=True))
    assert nothing == "This server has no card set of its own. Attach one with `/xwing cards file:`."
