"""An army list on Discord: who of it is not on the table its player says alone, and nobody else learns of them."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any, Final, cast

import discord
import pytest
import simcord

from bot.rules.infinity.turn.phases import victory_points
from bot.rules.text import Name
from bot.runtime.app import App
from bot.sessions.request import Person, Place, Request
from bot.ui.live.private_view import private_html
from cogs.infinity.troopers import KIND
from tests.cogs.test_infinity_markers import HEX, open_line, others_see, sheets
from tests.cogs.test_infinity_turn import COMBI, Acts
from tests.cogs.test_plans import fill, words
from tests.cogs.test_secret_leaks import opened, world
from tests.cogs.test_xwing_board import board, more
from tests.conftest import Club, said
from tests.rules.infinity.test_army import code

SKILLS: Final = ("Lieutenant", "Hidden Deployment", "Combat Jump", "Camouflage", "Mimetism", "Holoprojector", "Decoy")
OPTIONS: Final[dict[str, tuple[tuple[str, ...], int]]] = {
    "GRUNT": ((), 10),
    "CAPTAIN": (("Lieutenant",), 20),
    "KUNAI": (("Hidden Deployment", "Mimetism"), 30),
    "JUMPER": (("Combat Jump",), 25),
    "SCOUT": (("Camouflage", "Mimetism"), 22),
    "GHOST": (("Holoprojector",), 28),
    "TWIN": (("Decoy",), 24),
    "MASK": (("Holoprojector", "Mimetism"), 33),
    "PAIR": (("Decoy", "Mimetism"), 19),
    "HANDLER": (("Hidden Deployment",), 41),
}
DOGS: Final = [{"q": 2, "group": 2, "option": 1}]
"""Whom a HANDLER brings along."""
GRUNT, CAPTAIN, KUNAI, JUMPER, SCOUT, GHOST, TWIN, MASK, PAIR, HANDLER = ((1, 1, number) for number in range(1, 11))
THEIRS: Final = 7
"""A unit that only another army's data has."""
RONIN, NINJA, DIVER = ((THEIRS, 1, number) for number in (1, 2, 3))
ELSEWHERE: Final = {"RONIN": ((), 14), "NINJA": (("Hidden Deployment",), 29), "DIVER": (("Combat Jump",), 31)}
PROFILE: Final = {"name": "ALL", "bs": 12, "cc": 13, "ph": 11, "wip": 13, "arm": 1, "bts": 0, "w": 1, "type": 1}


def army(of: dict[str, tuple[tuple[str, ...], int]] = OPTIONS, unit_id: int = 1) -> bytes:
    """Army data with one unit, whose options are all that is needed here."""

    def skill(name: str) -> dict[str, Any]:
        return {"id": SKILLS.index(name) + 1, "extra": [1] if name == "Mimetism" else []}

    options = [
        {"id": number, "name": name, "points": cost, "skills": list(map(skill, own)), "weapons": [{"id": 1}]}
        for number, (name, (own, cost)) in enumerate(of.items(), 1)
    ]
    for option in options:
        option |= {"includes": DOGS} if option["name"] == "HANDLER" else {}
    groups = [{"id": 1, "profiles": [PROFILE], "options": options}]
    groups.append({"id": 2, "profiles": [PROFILE], "options": [{"id": 1, "name": "DOG", "orders": []}]})
    unit = {"id": unit_id, "name": "All", "profileGroups": groups}
    filters = {
        "type": [{"id": 1, "name": "LI"}],
        "skills": [{"id": number, "name": name} for number, name in enumerate(SKILLS, 1)],
        "extras": [{"id": 1, "name": "-3", "type": "TEXT"}],
    }
    gun = {"id": 1, "name": "Combi Rifle", "burst": "3", "damage": "7", "saving": "ARM", "ammunition": 1}
    return json.dumps(
        {"units": [unit], "filters": filters, "weapons": [gun], "ammunitions": [{"id": 1, "name": "N"}]}
    ).encode()


async def bring(club: Club, by: simcord.MemberActor, *members: tuple[int, int, int]) -> Any:
    options: dict[str, Any] = {"code": code(*members), "file": ("army.json", army())}
    return await by.slash(club.channel, "infinity profile import", **options)


def question(answer: Any) -> discord.Message:
    """The private message with who starts where."""
    followups: list[discord.Message] = list(answer.followups)
    return next(item for item in reversed(followups) if "Only you can see this" in (item.content or ""))


async def table(club: Club) -> dict[str, Any]:
    app = club.env.bot
    assert isinstance(app, App)
    return await app.tables.pieces(Place(club.channel.id, club.guild.id), "infinity")


def public(club: Club) -> str:
    """What everybody reads in the channel."""
    every = club.channel.history(viewer=club.bo)
    return json.dumps([[item.content, [shown.to_dict() for shown in item.embeds]] for item in every])


async def against(club: Club) -> None:
    stats = f"BS 12, PH 11, WIP 13, ARM 1, W 1, {COMBI}"
    await club.bo.slash(club.channel, "infinity profile set", name="Hector", stats=stats)


async def test_only_models_are_published_until_their_player_says_more(club: Club) -> None:
    await against(club)
    answer = await bring(club, club.ana, GRUNT, CAPTAIN, KUNAI, JUMPER, SCOUT)
    shown = question(answer)
    assert "KUNAI starts the game off the table, on your list of secrets." in shown.content
    assert "SCOUT starts the game under a marker, CAMO -3." in shown.content
    assert {"GRUNT", "CAPTAIN"} == set(await table(club)) - {"Hector"}
    assert "2 troopers saved" in public(club)
    assert not [name for name in ("KUNAI", "JUMPER", "SCOUT") if name in public(club)]
    await club.ana.click(shown, label="Ready")
    await club.ana.slash(club.channel, "table show")
    assert "CAMO 1" in await table(club)
    assert {commitment.sheet for commitment in await sheets(club)} == {"camo -3 1-1 g2 regular", "secrets"}
    assert not [name for name in ("KUNAI", "JUMPER", "SCOUT") if name in public(club)]


async def test_who_is_off_the_table_is_in_no_pool_and_enters_by_its_own_order(club: Club) -> None:
    await against(club)
    answer = await bring(club, club.ana, GRUNT, CAPTAIN, KUNAI, JUMPER)
    await club.ana.click(question(answer), label="Ready")
    await club.ana.slash(club.channel, "table show")
    await Acts(club).press(club.ana, "Start turn", board(club))
    assert "orders in group 1: 2 of 2" in str(board(club).embeds[0].to_dict())
    (number,) = {one.owner for one in (await table(club)).values() if getattr(one, "name", "") == "GRUNT"}
    assert victory_points(await table(club), number) == (85, 100), "Retreat! counts what the list costs"
    closed = next(commitment for commitment in await sheets(club) if commitment.sheet == "secrets").of
    refused = await open_line(club, club.ana, closed[1], "jump")
    assert "can't make a Combat Jump" in said(refused), "that is the Kunai"
    assert "KUNAI" not in await table(club)
    club.dice.will_show(10)
    await open_line(club, club.ana, closed[2], "jump")
    assert "reveals line 2 of the secrets: JUMPER. Combat Jump: 11 against PH 11, it lands" in words(club)
    item = (await table(club))["JUMPER"]
    assert (item.states, item.points, item.owner) == (("Undeployed",), 25, number)
    await open_line(club, club.ana, closed[1])
    assert "KUNAI" in await table(club)


async def test_who_is_on_the_table_as_a_model_comes_with_a_press(club: Club) -> None:
    await against(club)
    shown = question(await bring(club, club.ana, GRUNT, KUNAI, SCOUT))
    await club.ana.select(shown, ["reserve 2-1"], custom_id="rc1:reserve:models")
    assert {"GRUNT", "KUNAI"} == set(await table(club)) - {"Hector"}
    await club.ana.click(shown, label="Ready")
    assert "CAMO 1" in await table(club)


@pytest.mark.parametrize("custom_id", ["rc1:reserve:models", "rc1:reserve:ready"])
async def test_presses_at_once_put_a_reserve_down_once(club: Club, custom_id: str) -> None:
    await against(club)
    shown = question(await bring(club, club.ana, GRUNT, KUNAI, SCOUT))
    values = ["reserve 2-1", "reserve 2-2"] if custom_id.endswith("models") else []
    answers = await asyncio.gather(*(club.press(club.ana, custom_id, values, on=shown) for _ in range(3)))
    there = {name for name in await table(club) if not name.startswith("*")} - {"Hector"}
    assert there == ({"GRUNT", "KUNAI", "SCOUT"} if values else {"GRUNT", "CAMO 1"})
    assert sum("already answered" in said(answer) for answer in answers) == 2


async def test_a_marker_shows_who_was_under_it_with_its_profile(club: Club) -> None:
    await against(club)
    await club.ana.click(question(await bring(club, club.ana, GRUNT, SCOUT)), label="Ready")
    await club.ana.slash(club.channel, "table show")
    await Acts(club).press(club.ana, "Start turn", board(club))
    assert "orders in group 1: 1 of 1 · orders in group 2: 1 of 1" in str(board(club).embeds[0].to_dict()), (
        "a marker gives its order"
    )
    await more(club, club.ana, "end")
    await Acts(club).press(club.bo, "Start turn", board(club))
    await club.bo.slash(club.channel, "infinity order", text="Hector discover at 10 vs CAMO 1")
    club.dice.will_show(4)
    await club.ana.click(club.card, label="No more AROs: roll the dice")
    held = await table(club)
    assert "CAMO 1" not in held
    assert (held["SCOUT"].stats["BS"], held["SCOUT"].points) == (12, 22)
    assert "reveals CAMO 1: it is SCOUT" in words(club)


async def test_holoechoes_are_asked_for_and_go_when_the_real_one_is_shown(club: Club) -> None:
    await against(club)
    await club.bo.slash(club.channel, "infinity profile set", name="Ivo", stats="WIP 13, W 1")
    shown = question(await bring(club, club.ana, GRUNT, GHOST, GHOST))
    await club.ana.select(shown, ["reserve 2-1: 3 of 3", "reserve 2-2: 1 of 2"], custom_id="rc1:reserve:figures")
    await club.ana.click(shown, label="Ready")
    await club.ana.slash(club.channel, "table show")
    assert {f"HOLO {number}" for number in range(1, 6)} | {"GRUNT", "Hector"} <= {*await table(club)}
    assert "GHOST" not in public(club)
    await Acts(club).press(club.ana, "Start turn", board(club))
    assert "orders in group 1: 2 of 2 · orders in group 2: 1 of 1" in str(board(club).embeds[0].to_dict()), (
        "an order for each trooper"
    )
    await more(club, club.ana, "end")
    await Acts(club).press(club.bo, "Start turn", board(club))
    for name, marker, left in (("Hector", "HOLO 1", {"HOLO 2", "HOLO 3"}), ("Ivo", "HOLO 3", set[str]())):
        await club.bo.slash(club.channel, "infinity order", text=f"{name} discover at 10 vs {marker}")
        club.dice.will_show(4)
        await club.ana.click(club.card, label="No more AROs: roll the dice")
        held = await table(club)
        assert {"HOLO 1", "HOLO 2", "HOLO 3"} & {*held} == left
        assert not left or held["HOLO 2"].skills == ("Regular",), "it stands for the order from now on"
    assert "HOLO 4" in held
    assert [name for name in held if name.startswith("GHOST")], "the third figure was real"


async def test_a_decoy_starts_as_several_markers_and_the_last_figure_opens_by_itself(club: Club) -> None:
    await against(club)
    shown = question(await bring(club, club.ana, GRUNT, TWIN))
    await club.ana.select(shown, ["reserve 2-1: 2 of 2"], custom_id="rc1:reserve:figures")
    await club.ana.click(shown, label="Ready")
    assert {"GRUNT", "Hector", "DECOY 1", "DECOY 2"} <= {*await table(club)}
    assert "TWIN" not in public(club)
    await club.ana.slash(club.channel, "table show")
    await Acts(club).press(club.ana, "Start turn", board(club))
    assert "orders in group 1: 1 of 1 · orders in group 2: 1 of 1" in str(board(club).embeds[0].to_dict()), (
        "an order for each trooper"
    )
    await more(club, club.ana, "end")
    await Acts(club).press(club.bo, "Start turn", board(club))
    await club.bo.slash(club.channel, "infinity order", text="Hector discover at 10 vs DECOY 1")
    club.dice.will_show(4)
    await club.ana.click(club.card, label="No more AROs: roll the dice")
    held = await table(club)
    assert not {"DECOY 1", "DECOY 2"} & {*held}
    assert held["TWIN"].states == ()


async def test_holoechoes_are_asked_for_again_in_the_states_phase(club: Club) -> None:
    await against(club)
    stats = f"BS 12, PH 11, WIP 13, ARM 1, W 1, Holoprojector, {COMBI}"
    await club.ana.slash(club.channel, "infinity profile set", name="Wisp", stats=stats)
    await club.ana.slash(club.channel, "table show")
    await Acts(club).press(club.ana, "Start turn", board(club))
    await more(club, club.ana, "end")
    assert "only" in said(await club.bo.click(board(club), label="Wisp: 2 Holoechoes")).lower()
    opened = await club.ana.click(board(club), label="Wisp: 2 Holoechoes")
    assert opened.modal is not None
    keys = [line["component"]["custom_id"] for line in opened.modal["components"]]
    form = dict(zip(keys, ("-", "Wisp", "-", "now"), strict=True))
    await club.ana.submit_modal(opened, fill(opened.modal, form))
    held = await table(club)
    assert {"HOLO 1", "HOLO 2", "HOLO 3"} <= {*held}
    assert (held["Wisp"].states, held["*turn*"].due) == (("Holoecho",), ())
    await club.ana.click(board(club), label="End turn")
    await Acts(club).press(club.bo, "Start turn", board(club))
    await club.bo.slash(club.channel, "infinity order", text="Hector discover at 10 vs HOLO 2")
    club.dice.will_show(4)
    await club.ana.click(club.card, label="No more AROs: roll the dice")
    held = await table(club)
    assert not {"HOLO 1", "HOLO 2", "HOLO 3"} & {*held}
    assert held["Wisp"].states == ()


async def keep_another_army(club: Club) -> None:
    """The server has the data of another army, whose unit a list may borrow."""
    app = club.env.bot
    assert isinstance(app, App)
    await app.kept_files.store_file(club.guild.id, f"{KIND}jsa", army(ELSEWHERE, THEIRS).decode())


async def import_and_place(club: Club, members: tuple[tuple[int, int, int], ...], figures: tuple[str, ...] = ()) -> Any:
    """Ana imports a list, says which figures are real, and is ready; () leaves the question open."""
    answer = await bring(club, club.ana, *members)
    if figures:
        shown = question(answer)
        if places := [figure for figure in figures if figure]:
            await club.ana.select(shown, places, custom_id="rc1:reserve:figures")
        await club.ana.click(shown, label="Ready")
    await club.ana.slash(club.channel, "table show")
    return answer


Planned = tuple[tuple[tuple[int, int, int], ...], tuple[str, ...]]
READY: Final = ("",)
HIDDEN: Final[dict[str, tuple[Planned, ...]]] = {
    "not placed": (
        ((CAPTAIN, KUNAI, GRUNT), ()),
        ((CAPTAIN, JUMPER, GRUNT), ()),
        ((CAPTAIN, GRUNT), ()),
        ((CAPTAIN, KUNAI, KUNAI, GRUNT), ()),
        ((CAPTAIN, HANDLER, GRUNT), ()),
    ),
    "placed": (
        ((CAPTAIN, KUNAI, GRUNT), READY),
        ((CAPTAIN, NINJA, DIVER, GRUNT), READY),
        ((CAPTAIN, JUMPER, (99, 1, 1), GRUNT), READY),
        ((CAPTAIN, HANDLER, GRUNT), READY),
    ),
    "borrowed": (((CAPTAIN, NINJA, RONIN, GRUNT), ()), ((CAPTAIN, RONIN, GRUNT), ())),
    "Holoechoes": (
        ((CAPTAIN, GRUNT, GHOST), ("reserve 2-1: 1 of 3",)),
        ((CAPTAIN, GRUNT, GHOST), ("reserve 2-1: 2 of 3",)),
        ((CAPTAIN, GRUNT, MASK), ("reserve 2-1: 3 of 3",)),
    ),
    "decoys": (
        ((CAPTAIN, GRUNT, TWIN), ("reserve 2-1: 1 of 2",)),
        ((CAPTAIN, GRUNT, TWIN), ("reserve 2-1: 2 of 2",)),
        ((CAPTAIN, GRUNT, PAIR), ("reserve 2-1: 1 of 2",)),
    ),
}
"""Lists of Ana's, with the figures that she says are real, that are the same for everybody else."""
GUESSES: Final = ("KUNAI", "DOG", "NINJA", "GHOST", "PAIR", "NOBODY")


@pytest.mark.parametrize("kind", HIDDEN)
async def test_others_learn_nothing_of_who_is_hidden(
    tmp_path: Path, migrated: Path, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    """Runs whose lists differ in what is hidden alone, in how many troopers that are too."""
    runs = []
    caplog.set_level(logging.DEBUG)
    for at, (members, figures) in enumerate(HIDDEN[kind]):
        caplog.clear()
        (folder := tmp_path / str(at)).mkdir()
        with pytest.MonkeyPatch.context() as patch:
            async with world(folder, migrated, patch) as club:
                await keep_another_army(club)
                await against(club)
                page = await opened(club)
                await import_and_place(club, members, figures)
                seen = [await guessed(club), await others_see(club, caplog)]
                seen += [HEX.sub("#", page.text), HEX.sub("#", (await opened(club)).text), await framed(club)]
                runs.append("\n".join(seen))
    for run in runs[1:]:
        at = next((at for at, pair in enumerate(zip(runs[0], run, strict=False)) if len({*pair}) > 1), 0)
        assert runs[0] == run, [text[max(0, at - 300) : at + 200] for text in (runs[0], run)]
    assert "GRUNT" in runs[0]


async def framed(club: Club) -> str:
    """What Bo's frame of the Activity shows him alone; the rest of it is the table's page."""
    app = club.env.bot
    assert isinstance(app, App)
    asked = Request(Person(club.bo.id, Name("Bo")), Place(club.channel.id, club.guild.id))
    return HEX.sub("#", str(await private_html(app, asked)))


async def guessed(club: Club) -> str:
    """What Bo is told at commands that take a trooper's name, and what is suggested to him there."""
    seen = list[str]()
    for command, options in DOORS.items():
        for name in GUESSES:
            given = {key: value.format(name=name) for key, value in options.items()}
            club.dice.will_show(18, 18, 18)
            answer = await club.bo.slash(club.channel, f"infinity {command}", **given)
            club.dice.waiting.clear()
            told = [one for one in (answer.response, *answer.followups) if one is not None]
            seen += [f"{one.content} {[shown.to_dict() for shown in one.embeds]}" for one in told]
        if "name" in options:
            seen.append(str(await club.bo.autocomplete(club.channel, f"infinity {command}", "name", "")))
    return HEX.sub("#", "\n".join(seen))


DOORS: Final[dict[str, dict[str, str]]] = {
    "order": {"text": "Hector combi at 10 vs {name} 12"},
    "profile remove": {"name": "{name}"},
    "profile copy": {"name": "{name}", "new_name": "Copy"},
    "profile state": {"name": "{name}", "state": "Prone"},
    "profile weapon": {"name": "{name}", "weapon": COMBI},
    "odds": {"order": "{name} 12 vs Hector 11"},
}


async def test_who_is_left_out_is_counted_and_another_option_of_its_unit_is_a_pick(
    club: Club, gm: simcord.MemberActor
) -> None:
    """Only its player learns it: who is left out may be hidden."""
    await against(club)
    answer = await bring(club, gm, GRUNT, CAPTAIN, KUNAI, (1, 1, 77), (9, 1, 1))
    assert "2 troopers saved" in public(club)
    told = next(item for item in answer.followups if "left out" in (item.content or ""))
    assert "3 of 5 troopers; left out: All, option 77: not in this data" in told.content
    assert "unit 9, option 1" in told.content
    assert not [name for name in ("left out", "KUNAI", "option 77") if name in public(club)]
    ((picks,),) = [row["components"] for row in cast("list[Any]", told.components)]
    values = {option["label"]: option["value"] for option in picks["options"]}
    assert "All: SCOUT" in values
    for name in ("All: GRUNT", "All: KUNAI"):
        picked = await gm.select(told, [values[name]], custom_id=picks["custom_id"])
    assert {"GRUNT", "GRUNT #1", "CAPTAIN"} == {*await table(club)} - {"Hector"}
    assert "KUNAI" not in public(club)
    assert question(picked).content.count("KUNAI starts the game off the table") == 2, "the first one is still asked"
