"""Markers and the list of secrets on Discord: what their owner sees, what others learn, and that it is nothing more."""

import json
import logging
import random
import re
from pathlib import Path
from typing import Any, Final

import pytest
import simcord

from bot.fair.plans import find_mismatch
from bot.rules.plans import Commitment, commitments
from bot.runtime.app import App
from bot.sessions.openings import commitment_json
from bot.sessions.request import Place
from bot.ui.core.board_controls import name_mark
from bot.ui.live.replay import AnnotatedMatch, json_of
from tests.cogs.test_infinity_turn import ANAS, BOS, COMBI, Acts
from tests.cogs.test_plans import fill, words
from tests.cogs.test_secret_leaks import world
from tests.cogs.test_xwing_board import board, items, labels, listed, more
from tests.conftest import Club, said, whispered
from tests.seeds import seeds

SHADE = f"BS 11, PH 13, WIP 13, ARM 1, W 1, Camouflage, {COMBI}"


async def armies(club: Club) -> None:
    """Ana has Ada, Bea, Shade and Ghost, Bo has Hector."""
    for name, stats in {"Ada": ANAS["Ada"], "Bea": ANAS["Bea"], "Shade": SHADE, "Ghost": SHADE}.items():
        await club.ana.slash(club.channel, "infinity profile set", name=name, stats=stats)
    await club.bo.slash(club.channel, "infinity profile set", name="Hector", stats=BOS["Hector"])
    await club.ana.slash(club.channel, "table show")


async def mark(club: Club, by: simcord.MemberActor, *who: str, ready: str = "now") -> Any:
    """The command, its form with who is under each marker, sent."""
    opened = await by.slash(club.channel, "infinity marker", count=len(who), kind="CAMO -3")
    assert opened.modal is not None, said(opened)
    form = {name_mark(f"CAMO {at}"): name for at, name in enumerate(who, 1)}
    filled = fill(opened.modal, form | {"ready": ready})
    return await by.submit_modal(opened, {key: value for key, value in filled.items() if value})


async def sheets(club: Club) -> list[Commitment]:
    app = club.env.bot
    assert isinstance(app, App)
    return list(commitments(await app.tables.pieces(Place(club.channel.id, club.guild.id), "infinity")).values())


async def write_secrets(club: Club, by: simcord.MemberActor, leader: str, hidden: str) -> None:
    """The list of the board: a private message, its first form, then Ready."""
    shown = whispered(await more(club, by, "secrets"))
    opened = await by.click(shown, label="Choose 1 to 5")
    assert opened.modal is not None, said(opened)
    keys = [line["component"]["custom_id"] for line in opened.modal["components"]]
    form = dict(zip(keys, (leader, hidden), strict=False))
    await by.submit_modal(opened, fill(opened.modal, form))
    await by.click(shown, label="Ready")


async def open_line(club: Club, by: simcord.MemberActor, of: str, how: str = "stands") -> Any:
    """A line of a list of secrets is opened from the board."""
    opened = await more(club, by, f"open-{of.split()[1].partition('-')[0]}")
    if opened.modal is None:  # it is not theirs
        return opened
    return await by.submit_modal(opened, fill(opened.modal, {"of": of, "how": how}))


async def test_a_marker_is_put_discovered_and_opened(club: Club) -> None:
    await armies(club)
    answer = whispered(await mark(club, club.ana, "Shade", "Ghost"))
    assert "You're ready" in answer.content
    assert "puts markers on the table: CAMO 1 and CAMO 2" in words(club)
    (fixed,) = await sheets(club)
    assert fixed.root[:4] in str(board(club).embeds[0].to_dict())
    await Acts(club).press(club.bo, "Start turn", board(club))
    await club.bo.slash(club.channel, "infinity order", text="Hector discover at 10 vs CAMO 1")
    club.dice.will_show(4)
    await club.ana.click(club.card, label="No more AROs: roll the dice")
    assert "CAMO 1 is no longer Camouflaged" in club.outcome
    assert "reveals CAMO 1: it is Shade" in words(club), "nobody has to press"
    (fixed,) = await sheets(club)
    assert ([leaf.choice for leaf in fixed.opened], fixed.closed_places) == (["Shade"], ("CAMO 2",))
    assert find_mismatch(commitment_json(fixed)) == ""
    assert "Ghost" not in words(club)


STRANGERS: Final[dict[str, dict[str, Any]]] = {
    "a typed Discover": {"command": "infinity order", "text": "Zed 20 discover vs CAMO 1"},
    "a typed Sensor": {"command": "infinity order", "text": "Zed 20 sensor vs CAMO 1"},
    "a Discover of numbers": {"command": "infinity roll", "sv": 20, "kind": "discover", "vs_name": "CAMO 1"},
    "a Sensor of numbers": {"command": "infinity roll", "sv": 20, "kind": "sensor", "vs_name": "CAMO 1"},
    "a Doctor": {"command": "infinity order", "text": "Zed 12 doctor vs Ada"},
}
"""Rolls by nobody of the channel that would change a trooper of Ana's at once."""


@pytest.mark.parametrize("kind", STRANGERS)
async def test_nobody_changes_a_trooper_of_others_with_a_name_that_they_made_up(club: Club, kind: str) -> None:
    await armies(club)
    await mark(club, club.ana, "Shade", "Ghost")
    await club.ana.slash(club.channel, "infinity profile state", name="Ada", state="Unconscious")
    given = dict(STRANGERS[kind])
    refused = await club.cleo.slash(club.channel, given.pop("command"), **given)
    assert "belongs to Ana, so only Ana or a GM can do that" in said(refused)
    assert await revealed(club) == {}


async def test_nobody_reacts_to_a_marker_with_a_name_that_they_made_up(club: Club) -> None:
    await armies(club)
    await mark(club, club.ana, "Shade", "Ghost")
    await Acts(club).press(club.ana, "Start turn", board(club))
    await club.ana.slash(club.channel, "infinity order", text="CAMO 1 move")
    assert "This choice is for Bo" in said(await club.cleo.click(club.card, label="Add an ARO"))
    form = await club.bo.click(club.card, label="Add an ARO")
    assert "CAMO 1 belongs to Ana" in said(await club.bo.submit_modal(form, {"aro": "Zed 20 discover"}))
    form = await club.bo.click(club.card, label="Add an ARO")
    await club.bo.submit_modal(form, {"aro": "Hector discover"})
    assert await revealed(club) == {}


async def revealed(club: Club) -> dict[str, str]:
    """The markers that are open, and who was under them."""
    return {leaf.of: leaf.choice for commitment in await sheets(club) for leaf in commitment.opened}


async def test_an_attack_opens_the_marker_of_who_makes_it_as_it_is_declared(club: Club) -> None:
    await armies(club)
    await mark(club, club.ana, "Shade", "Ghost")
    await Acts(club).press(club.ana, "Start turn", board(club))
    await club.ana.slash(club.channel, "infinity order", text="Shade combi at 10 vs Hector")
    assert await revealed(club) == {"CAMO 1": "Shade"}
    assert "reveals CAMO 1: it is Shade" in words(club)


async def test_an_aro_opens_the_marker_of_who_declares_it(club: Club) -> None:
    await armies(club)
    await mark(club, club.ana, "Shade", "Ghost")
    await Acts(club).press(club.bo, "Start turn", board(club))
    await club.bo.slash(club.channel, "infinity order", text="Hector combi at 10 vs Ada")
    assert await revealed(club) == {}
    opened = await club.ana.click(club.card, label="Add an ARO")
    assert opened.modal is not None
    filled = fill(opened.modal, {"who": "Ghost", "does": "dodge"})
    await club.ana.submit_modal(opened, {key: value for key, value in filled.items() if value})
    assert await revealed(club) == {"CAMO 2": "Ghost"}


async def test_who_is_down_is_under_no_marker_any_more(club: Club) -> None:
    await armies(club)
    await mark(club, club.ana, "Shade", "-")
    await club.ana.slash(club.channel, "infinity profile state", name="Shade", state="Dead")
    assert await revealed(club) == {"CAMO 1": "Shade"}


async def test_a_marker_that_its_owner_takes_out_of_its_state_opens(club: Club) -> None:
    await armies(club)
    await mark(club, club.ana, "Shade", "-")
    await club.ana.slash(club.channel, "infinity profile state", name="CAMO 2", ends="Camouflaged")
    assert await revealed(club) == {"CAMO 2": "-"}
    assert "reveals CAMO 2: a mine, a decoy, or nothing" in words(club)


async def test_an_impersonation_is_discovered_twice(club: Club) -> None:
    await armies(club)
    opened = await club.ana.slash(club.channel, "infinity marker", count=1, kind="IMP")
    assert opened.modal is not None
    await club.ana.submit_modal(opened, fill(opened.modal, {name_mark("IMP 1"): "Shade", "ready": "now"}))
    await club.bo.slash(club.channel, "infinity profile set", name="Paris", stats=BOS["Hector"])
    await Acts(club).press(club.bo, "Start turn", board(club))
    for discovered in ({}, {"IMP 1": "Shade"}):
        await club.bo.slash(club.channel, "infinity order", text="Hector discover at 10 vs IMP 1")
        club.dice.will_show(4)
        await club.ana.click(club.card, label="No more AROs: roll the dice")
        assert await revealed(club) == discovered
    assert "reveals IMP 1: it is Shade" in words(club)


async def test_who_faces_a_marker_may_wait_for_its_second_skill(club: Club) -> None:
    await armies(club)
    await mark(club, club.ana, "Shade")
    await Acts(club).press(club.ana, "Start turn", board(club))
    await club.ana.select(board(club), [name_mark("CAMO 1")], custom_id=listed(club, "Select your trooper").custom_id)
    await club.ana.click(board(club), label="Move first")
    waits = next(
        option.value
        for item in items(club.card)
        for option in getattr(item, "options", ())
        if option.label.endswith("waits")
    )
    more_list = next(item for item in items(club.card) if waits in [one.value for one in getattr(item, "options", ())])
    await club.bo.select(club.card, [waits], custom_id=more_list.custom_id)
    assert "waits" not in str([row.to_dict() for row in club.card.components])
    await club.bo.click(club.card, label="No more AROs: second skill")
    assert "Hector: Dodge" in str([row.to_dict() for row in club.card.components]), "it may still react"


async def test_a_choice_is_kept_and_a_forgotten_marker_is_told(club: Club) -> None:
    await armies(club)
    answer = await mark(club, club.ana, "Shade", "", ready="now")
    assert "You haven't planned anything for CAMO 2 yet" in said(answer)
    assert await sheets(club) == []
    await club.ana.click(whispered(answer), label="Ready without 1 choice")
    assert len(await sheets(club)) == 1


async def test_the_lieutenant_is_fixed_and_opened_by_its_owner_or_a_gm(club: Club) -> None:
    await armies(club)
    await write_secrets(club, club.ana, "Bea", "Croc: BS 12, W 1")
    assert "locks in a list of secrets" in words(club)
    await open_line(club, club.bo, "Lieutenant 1")
    assert "opens the Lieutenant" not in words(club)
    await open_line(club, club.ana, "Hidden 1-1")
    assert "reveals line 1 of the secrets: Croc" in words(club)
    await open_line(club, club.ana, "Lieutenant 1")
    assert "reveals the Lieutenant: Bea" in words(club)
    (fixed,) = await sheets(club)
    assert find_mismatch(commitment_json(fixed)) == ""


async def test_a_restart_loses_no_marker_and_undo_takes_them_back(club: Club) -> None:
    await armies(club)
    await mark(club, club.ana, "Shade")
    await club.restart()
    assert len(await sheets(club)) == 1
    await club.ana.slash(club.channel, "table undo")
    assert await sheets(club) == []
    await mark(club, club.ana, "Ghost")
    assert len(await sheets(club)) == 1


HEX = re.compile(r"[0-9a-f]{32,}|(?<=ealed, )[0-9a-f]{4}\b|[0-9a-f]{6,}(?=\b|_)|\d{10,}|\d+\.\d+")


async def others_see(club: Club, caplog: pytest.LogCaptureFixture) -> str:
    """Every word that Bo and everybody learns: cards, buttons, lists, his commands, his data, the log at debug."""
    seen = list[str]()
    for command, options in (
        ("infinity profile list", {}),
        ("table show", {}),
        ("table history", {}),
        ("table recap", {}),
        ("table luck", {}),
        ("table secrets", {}),
        ("luck", {}),
        ("saved list", {}),
        ("initiative show", {}),
        ("infinity odds", {"order": "Hector discover at 10 vs CAMO 1"}),
        ("infinity order", {"text": "Hector combi at 10 vs CAMO 2"}),
        ("table plan", {}),
        ("privacy export", {}),
    ):
        answer = await club.bo.slash(club.channel, command, **options)
        told = [one for one in (answer.response, *answer.followups) if one is not None]
        seen += [str(answer.modal), *(f"{one.content} {[shown.to_dict() for shown in one.embeds]}" for one in told)]
        files = [file for one in told for file in getattr(one, "attachments", [])]
        seen += [(await one.read()).decode(errors="replace") for one in files]
    for beside in ("courtesy", "units"):
        answer = await club.bo.select(board(club), [beside], custom_id=listed(club, "More").custom_id)
        told = [one for one in (answer.response, *answer.followups) if one is not None]
        seen += [f"{one.content} {[shown.to_dict() for shown in one.embeds]}" for one in told]
        seen += [str(file.description) for one in told for file in getattr(one, "attachments", [])]
    for item in club.channel.history():
        seen += [item.content, *(json.dumps(shown.to_dict()) for shown in item.embeds)]
        seen += [str(row.to_dict()) for row in item.components]
    choices = await club.bo.autocomplete(club.channel, "infinity roll", "name", "")
    told_by = [one for one in caplog.records if one.name.startswith("bot")]
    seen += [str(choices), *(record.getMessage() for record in told_by)]
    app = club.env.bot
    assert isinstance(app, App)
    match = await app.matches.replay(Place(club.channel.id, club.guild.id), 1)
    seen.append(re.sub(r"\d{4}-\d\d-\d\dT[\d:]+", "#", json_of(AnnotatedMatch(match, {})).decode()))
    return HEX.sub("#", "\n".join(seen))


@pytest.mark.parametrize("seed", seeds(range(3)))
async def test_nothing_differs_for_others_between_two_plans(
    tmp_path: Path, migrated: Path, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    """Two runs whose plans alone differ, in length as well."""
    chance, runs = random.Random(seed), []
    caplog.set_level(logging.DEBUG)
    for at in range(2):
        caplog.clear()
        (folder := tmp_path / str(at)).mkdir()
        with pytest.MonkeyPatch.context() as patch:
            async with world(folder, migrated, patch) as club:
                await armies(club)
                await mark(club, club.ana, *chance.sample(("Ada", "Bea", "Shade", "Ghost", "-"), 2))
                hidden = "".join(chance.choices("abc def", k=chance.randint(1, 300)))
                await write_secrets(club, club.ana, chance.choice(("Ada", "Bea", "Shade")), hidden)
                runs.append(await others_see(club, caplog))
    assert runs[0] == runs[1]
    assert "CAMO 2" in runs[0]
    assert "locks in a list of secrets" in runs[0]


async def test_the_board_offers_the_markers_of_each_to_open(club: Club) -> None:
    await armies(club)
    await mark(club, club.ana, "Shade")
    await Acts(club).press(club.ana, "Start turn", board(club))
    assert "Reveal CAMO 1" not in labels(club), "Ada is selected"
    await club.ana.select(board(club), [name_mark("CAMO 1")], custom_id=listed(club, "Select your trooper").custom_id)
    await club.ana.click(board(club), label="Reveal CAMO 1")
    assert "reveals CAMO 1: it is Shade" in words(club)


async def test_a_marker_infiltrates_by_a_press_and_only_a_failure_opens_it(club: Club) -> None:
    """Before the first turn; its player enters the PH, and nobody learns whose it is while the roll succeeds."""
    await armies(club)
    await mark(club, club.ana, "Shade", "Ghost")
    for of, face, opened in (("CAMO 1", 10, {}), ("CAMO 2", 11, {"CAMO 2": "Ghost"})):
        picks = listed(club, "Select your trooper").custom_id
        await club.ana.select(board(club), [name_mark(of)], custom_id=picks)
        asked = await more(club, club.ana, "deploy")
        club.dice.will_show(face - 1)
        await club.ana.submit_modal(asked, fill(asked.modal, {"sv": "13"}))
        assert await revealed(club) == opened
    cards = str([shown.to_dict() for item in club.channel.history() for shown in item.embeds])
    assert "CAMO 2 starts from its own table edge, as a model" in cards
