"""Army lists that players have published, imported on Discord: the orders are those that were counted by hand."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from bot.rules.infinity.turn.player_turn import PlayerTurn
from tests.cogs.test_hidden_army import against, question, table
from tests.cogs.test_infinity_turn import Acts
from tests.cogs.test_xwing_board import board
from tests.conftest import Club

LISTS: Final = json.loads((Path(__file__).parents[1] / "golden" / "army_lists.json").read_text())["lists"]
ORDERS: Final = {"R": "REGULAR", "I": "IRREGULAR", "T": "TACTICAL", "M": "IMPETUOUS", "L": "LIEUTENANT"}
SKILLS: Final = (
    *("Hidden Deployment", "Combat Jump", "Parachutist", "Camouflage", "Impersonation", "Decoy"),
    *("Lieutenant", "Warhorse", "Chain of Command"),
)
PROFILE: Final = {"name": "X", "bs": 12, "cc": 13, "ph": 11, "wip": 13, "arm": 1, "bts": 0, "w": 1, "type": 1}


def data(members: list[str]) -> bytes:
    """Army data with what the list needs: the orders of each option, and where its skills let it start."""
    units: dict[int, dict[str, Any]] = {}
    for member in members:
        ids, orders, *skills = re.split(r" |, (?=[A-Z])", member, maxsplit=2)
        unit, group, option = map(int, ids.split("-"))
        groups = units.setdefault(unit, {"id": unit, "name": f"Unit {unit}", "profileGroups": []})["profileGroups"]
        if not any(item["id"] == group for item in groups):
            groups.append({"id": group, "profiles": [PROFILE], "options": []})
        more = [1] if orders.count("L") == 2 else []
        (held,) = (item for item in groups if item["id"] == group)
        held["options"].append(
            {
                "id": option,
                "name": f"U{unit}x{option}",
                "skills": [
                    {"id": SKILLS.index(skill) + 1, "extra": more if skill == "Lieutenant" else []}
                    for skill in ", ".join(skills).split(", ")
                    if skill
                ],
                "orders": [{"type": ORDERS[letter], "list": int(letter != "L"), "total": 1} for letter in orders],
            }
        )
    filters = {
        "type": [{"id": 1, "name": "LI"}],
        "skills": [{"id": number, "name": name} for number, name in enumerate(SKILLS, 1)],
        "extras": [{"id": 1, "name": "+1 Order", "type": "TEXT"}],
    }
    return json.dumps({"units": [*units.values()], "filters": filters, "weapons": [], "ammunitions": []}).encode()


@pytest.mark.parametrize("published", LISTS, ids=lambda item: item["army"])
async def test_the_orders_of_a_published_list_are_those_that_were_counted_by_hand(
    club: Club, published: dict[str, Any]
) -> None:
    await against(club)
    options: dict[str, Any] = {"code": published["code"], "file": ("army.json", data(published["members"]))}
    answer = await club.ana.slash(club.channel, "infinity profile import", **options)
    if any(skill in member for member in published["members"] for skill in SKILLS[:6]):
        await club.ana.click(question(answer), label="Ready")
    await club.ana.slash(club.channel, "table show")
    await Acts(club).press(club.ana, "Start turn", board(club))
    turn = (await table(club))["*turn*"]
    assert isinstance(turn, PlayerTurn)
    assert [pool.of for pool in turn.pools] == published["pools"]
    counted = {
        "irregular": len(turn.irregular),
        "lieutenant": turn.lieutenant,
        "tactical": len(turn.tactical),
        "impetuous": len(turn.impetuous),
    }
    assert counted == {key: published[key] for key in counted}


def test_there_are_at_least_ten_lists_of_several_armies() -> None:
    assert len(LISTS) >= 10
    assert len({item["army"] for item in LISTS}) == len(LISTS)
