"""Matches to keep: what the file says, played from its beginning, ends in what is stored; and nothing else is in it."""

import html
import json
import re
import shutil
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from bot.html import match as page
from bot.html.parts import article
from bot.languages.translate import translate_fields
from bot.rules.errors import PlayerError
from bot.rules.text import english
from bot.rules.xwing.table.squad import parse
from bot.sessions.live_tables import table_of
from bot.sessions.matches import GONE, PAUSE, Replay, public_view
from bot.sessions.personal_data import SOMEBODY, PersonalData
from bot.sessions.request import Place
from bot.store import pieces as rows
from bot.store.database import Database
from bot.ui.core.card_messages import card_of
from bot.ui.live import exact_chances, replay
from bot.ui.live.live_page import TableRenderer
from bot.ui.live.replay import AnnotatedMatch
from tests.matches_at_random import PEOPLE, SQUADS, Evening
from tests.seeds import seeds

MATCHES: Final = 200
AT_ONCE: Final = 20
ACTS: Final = 14
KEPT: Final = ("teams", "rest", "order")
"""The parts of a page that say how the pieces stand."""


async def evening(folder: Path, migrated: Path, seed: int) -> tuple[Evening, int]:
    """A match on a database of its own, and its first press."""
    file = Path(shutil.copy(migrated, folder / f"{seed}.db"))
    result = Evening(await Database.open(f"sqlite+aiosqlite:///{file}"), Place(12, 11), Random(seed))
    await result.play(ACTS)
    return result, 1


async def stored(result: Evening) -> dict[str, dict[str, Any]]:
    """The pieces that are stored now, as everybody may see them."""
    async with result.database.transaction() as connection:
        return public_view(await rows.find(connection, result.place.channel_id))


def played(match: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The pieces at the end of a match, from its beginning and what each ply says alone."""
    now = {game: dict(held) for game, held in match["start"].items()}
    for ply in match["plies"]:
        for game, changed in ply.get("pieces", {}).items():
            held = now.setdefault(game, {})
            held.update(changed)
            for name in [name for name, body in held.items() if body is None]:
                del held[name]
    return {game: held for game, held in now.items() if held}


DIFFERS: Final = re.compile(r' new| earlier|<p class="outcome">.*?</p>')


def frames(page: bytes) -> list[dict[str, str]]:
    """The parts of the page, moment by moment, as its script puts them together."""
    match = re.search(r'<script type="application/json" id="match">(.*?)</script>', page.decode(), re.DOTALL)
    assert match is not None
    data, whole, shown = json.loads(match[1]), dict[str, list[int]](), []
    for frame in data["frames"]:
        whole |= frame
        shown.append({name: "".join(data["chunks"][item] for item in held) for name, held in whole.items()})
    assert set(data["pictures"]) == set(re.findall(r"die/([0-9a-f]{32})", "".join(data["chunks"])))
    return shown


@pytest.mark.slow
@pytest.mark.parametrize("first", seeds(range(0, MATCHES, AT_ONCE)))
async def test_random_matches_end_in_the_stored_state(tmp_path: Path, migrated: Path, first: int) -> None:
    for seed in range(first, first + AT_ONCE):
        result, press = await evening(tmp_path, migrated, seed)
        match = await result.matches.replay(result.place, press)
        asked = replay.questions(match, advice=True) if seed == first else []
        found = exact_chances.count([item for _, item in asked], seconds=1.0)
        told = AnnotatedMatch(match, dict(zip([at for at, _ in asked], found, strict=True)))
        page, data = replay.page_of(told), json.loads(replay.json_of(told))
        assert played(data) == data["end"] == await stored(result)
        now = table_of(await result.tables.snapshot(result.place), await result.tables.history(result.place, most=100))
        shown, live = frames(page)[-1], TableRenderer().parts(now)
        assert {name: shown[name] for name in KEPT} == {name: live[name] for name in KEPT}
        # A replay also tells what was taken back: then the card below its headline is an earlier one.
        assert DIFFERS.sub("", shown["roll"]) == DIFFERS.sub("", live["roll"])
        outcomes = {ply["roll"]: ply["outcome"] for ply in data["plies"] if "roll" in ply}
        assert len(outcomes) == len({moment.roll.session for moment in match.moments if moment.roll is not None})
        assert len(data["plies"]) == len(match.moments) > len(SQUADS)
        await result.database.close()


@pytest.mark.parametrize("seed", seeds(range(6)))
async def test_headline_and_card_of_each_frame_are_of_one_event(tmp_path: Path, migrated: Path, seed: int) -> None:
    """By what the store says happened last: below the headline of a step, the last card is marked as an earlier one."""
    file, seen = Path(shutil.copy(migrated, tmp_path / "evening.db")), Counter[str]()
    result = Evening(await Database.open(f"sqlite+aiosqlite:///{file}"), Place(12, 11), Random(seed))
    await result.play(0)
    for number in range(2 * ACTS):
        with suppress(PlayerError):
            await (result.attack, result.token, result.lock, result.undo)[number % 4]()
        history = await result.tables.history(result.place, most=100)
        shown = TableRenderer().parts(table_of(await result.tables.snapshot(result.place), history))
        headline, newest, is_earlier = html.unescape(shown["said"]), history[0], " earlier" in shown["roll"]
        if newest.what or newest.roll is None or newest.roll.is_closed:
            assert is_earlier or "<img" not in shown["roll"], (number, headline)
            seen["step"] += 1
            continue
        card = translate_fields(card_of(newest.roll))
        assert headline == card.outcome, number
        assert not is_earlier, (number, headline)
        assert DICE.findall(shown["roll"]) == DICE.findall(article(card)), (number, headline)
        seen["roll"] += 1
    assert min(seen["step"], seen["roll"]) > 3, seen
    await result.database.close()


DICE: Final = re.compile("die/([0-9a-f]{32})")


async def one_match(tmp_path: Path, migrated: Path, seed: int = 3) -> tuple[Evening, Replay]:
    result, press = await evening(tmp_path, migrated, seed)
    return result, await result.matches.replay(result.place, press)


async def test_what_is_played_after_a_long_pause_is_another_match(
    tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, before = await one_match(tmp_path, migrated)
    later = time.time() + PAUSE + 60
    monkeypatch.setattr(time, "time", lambda: later)
    await result.play(ACTS)
    after = await result.matches.replay(result.place, 1)
    await result.database.close()
    assert len(after.moments) == len(before.moments)
    assert after.end == before.end
    assert [(roll.session, roll.state) for roll in after.rolls] == [(roll.session, roll.state) for roll in before.rolls]


async def test_facedown_cards_and_piles_are_not_in_it(tmp_path: Path, migrated: Path) -> None:
    for seed in range(400, 420):
        result, match = await one_match(tmp_path, migrated, seed)
        ships = [ship for ship in (await result.ships()).values() if ship.facedown]
        told = AnnotatedMatch(match, {})
        written = (replay.page_of(told) + replay.json_of(told)).decode()
        await result.database.close()
        data = json.loads(replay.json_of(AnnotatedMatch(match, {})))
        bodies = [body for ply in data["plies"] for held in ply.get("pieces", {}).values() for body in held.values()]
        assert all(not any(body.get("facedown", ())) for body in bodies if body is not None)
        assert "damage decks" not in written
        assert all(draw[1] is None for ply in data["plies"] for draw in ply.get("draws", ()) if draw[0] > 20)
        if ships:
            return
    pytest.fail("no ship has a facedown card, so this has shown nothing")


async def test_each_choice_says_what_it_was_worth_and_which_was_taken(tmp_path: Path, migrated: Path) -> None:
    result, match = await one_match(tmp_path, migrated, 5)
    await result.database.close()
    asked = replay.questions(match, advice=True)
    found = exact_chances.count([one for _, one in asked], seconds=30.0)
    known = dict(zip([at for at, _ in asked], found, strict=True))
    assert any(one.choices for one in found)
    assert any(one.laws for one in found)
    for item in found:
        for law in item.laws:
            assert sum(chance for _, chance in law.chances) == 1
            assert law.came in dict(law.chances)
    shown = [frame["chances"] for frame in frames(replay.page_of(AnnotatedMatch(match, known)))]
    assert any('class="taken"' in one for one in shown)
    assert any('class="came"' in one for one in shown)
    assert replay.questions(match, advice=False) != asked, "a table may switch advice off"


def test_what_takes_too_long_is_said_to_be_left_out() -> None:
    assert exact_chances.count([("xwing", None, True)], seconds=0.0) == [page.ExactChances(is_left_out=True)]
    assert "too large to calculate" in page.chances(page.ExactChances(is_left_out=True), None)


async def test_who_is_forgotten_is_not_named_in_it(tmp_path: Path, migrated: Path) -> None:
    result, before = await one_match(tmp_path, migrated)
    await PersonalData(result.database).forget(PEOPLE[1].id)
    after = await result.matches.replay(result.place, 1)
    await result.database.close()
    name = re.compile(rf"\b{PEOPLE[1].name}\b")
    for told, is_named in ((AnnotatedMatch(before, {}), True), (AnnotatedMatch(after, {}), False)):
        page = re.sub(r'"pictures":{[^}]*}', "", replay.page_of(told).decode())
        for written in (page, replay.json_of(told).decode()):
            assert bool(name.search(written)) == is_named
            assert (english(SOMEBODY) in written) == (not is_named)


async def test_a_match_that_is_gone_is_refused(tmp_path: Path, migrated: Path) -> None:
    result, _ = await one_match(tmp_path, migrated)
    for first in (0, 10**6):
        with pytest.raises(PlayerError) as refused:
            await result.matches.replay(result.place, first)
        assert str(refused.value) == GONE
    await result.database.close()


async def test_squads_can_be_read_again(tmp_path: Path, migrated: Path) -> None:
    from bot.rules.xwing.table.match import squads

    result, _ = await one_match(tmp_path, migrated)
    pieces = await result.tables.pieces(result.place, "xwing")
    await result.database.close()
    for owner, written in squads(pieces).items():
        (squad,) = parse(json.dumps(written))
        ships = [ship for ship in pieces.values() if getattr(ship, "pilot", "") and ship.owner == owner]
        assert sorted(pilot.pilot for pilot in squad.pilots) == sorted(ship.pilot for ship in ships)
        assert squad.unknown == ()


def test_nothing_ends_the_data_of_the_page() -> None:
    text = "</script><script>alert(1)</script>\u2028<!--"
    written = page.embed_json({"text": text})
    assert "<" not in written
    assert json.loads(written) == {"text": text}


def test_the_check_of_seals_is_that_of_the_page() -> None:
    script = replay.checking()
    assert "async function verify(data)" in script
    assert "document" not in script
    assert "</" not in script
