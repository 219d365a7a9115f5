"""`/xwing odds` between ships with cards: what is claimed is ticked in the form, and every answer names its cards."""

import json
from typing import Any

import pytest

from bot.odds.xwing import odds
from bot.rules.xwing.attack.json_attacks import declare
from tests.conftest import Club, said

ANA = {
    "faction": "galacticempire",
    "name": "Black",
    "pilots": [
        {"id": "academypilot", "upgrades": {"talent": ["predator"], "title": ["grappler"]}},
        {"id": "howlrunner"},
    ],
}
BO = {
    "faction": "rebelalliance",
    "name": "Red",
    "pilots": [{"id": "wedgeantilles", "upgrades": {"talent": ["elusive"], "tech": ["protontorpedoes"]}}],
}
PILOT, WEDGE = "Academy Pilot", "Wedge Antilles"


@pytest.fixture
async def table(club: Club) -> Club:
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    return club


async def ask(club: Club, **more: Any) -> Any:
    return await club.ana.slash(club.channel, "xwing odds", attacker=PILOT, defender=WEDGE, **{"range": 2, **more})


def plain(words: str) -> str:
    """The outcome of the same odds in words; Wedge's Elusive is used as it helps."""
    result = odds(
        declare({"attack": {"dice": 2, "words": words}, "defense": {"dice": 2, "words": "reroll 1"}, "range": 2})
    )
    return str(result["mean_damage"])


async def mean(club: Club, words: str) -> None:
    numerator, denominator = map(int, plain(words).split("/"))
    shown = f"{numerator / denominator:.2f}".rstrip("0")
    assert club.outcome == f"Average damage: {shown}."


async def cards(club: Club) -> list[str]:
    return (await club.facts())["Cards"].splitlines()


async def test_what_nobody_claims_is_named_and_not_counted(table: Club) -> None:
    await ask(table)
    await mean(table, "")
    assert await cards(table) == [
        "Applied: Elusive.",
        "Applied if you confirm the condition: Predator and Howlrunner.",
        "Not included: Grappler.",
    ]


async def test_claims_are_ticked_in_the_form(table: Club) -> None:
    await ask(table)
    shown = await table.ana.click(table.card, label="Check what applies")
    assert shown.modal is not None
    lines = {line["component"]["custom_id"]: line["component"] for line in shown.modal["components"]}
    ticks = {item["value"]: item["label"] for item in lines["claims"]["options"]}
    assert ticks == {
        "obstructed": "Obstructed",
        "attacker predator": f"{PILOT}: Predator",
        "attacker howlrunner": f"{PILOT}: Howlrunner",
    }
    chosen: dict[str, Any] = {
        "attacker": [PILOT],
        "defender": [WEDGE],
        "range": "2",
        "claims": ["attacker predator", "attacker howlrunner"],
    }
    await table.ana.submit_modal(shown, {item: chosen[item] for item in chosen if item in lines})
    await mean(table, "reroll 1, reroll 1")
    assert (await cards(table))[0] == "Applied: Predator, Howlrunner, and Elusive."


async def test_claims_are_typed_by_name(table: Club) -> None:
    await ask(table, claims="Predator")
    await mean(table, "reroll 1")
    await ask(table, claims="attacker howlrunner, Obstructed")
    assert "obstructed" in str(table.embed.to_dict()["author"])


async def test_a_claim_that_no_card_makes_is_refused_with_those_that_are_there(table: Club) -> None:
    refused = said(await ask(table, claims="Marksmanship"))
    assert "`claims` was `marksmanship`" in refused
    assert "predator" in refused


async def test_the_weapon_of_the_odds(table: Club) -> None:
    await table.bo.slash(table.channel, "xwing lock", ship=WEDGE, target=PILOT)
    options = {"attacker": WEDGE, "defender": PILOT, "range": 2, "weapon": "Proton Torpedoes"}
    await table.bo.slash(table.channel, "xwing odds", **options)
    assert "ordnance" in str(table.embed.to_dict()["author"])
    assert (await cards(table))[0].startswith("Applied: Wedge Antilles")


async def test_where_nothing_is_asked_nothing_is_ticked(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing odds", dice=3, agility=2)
    assert club.labels == ["How?"]
    assert "Cards" not in await club.facts()
