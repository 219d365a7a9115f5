"""Squads from the addresses of builders: golden links, every way in which people paste them, and what is refused."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from bot.rules.errors import PlayerError
from bot.rules.text import english
from bot.rules.xwing.cards.card_sets import SHELF
from bot.rules.xwing.table import squad

GOLDEN: Final = json.loads((Path(__file__).parents[2] / "golden" / "links.json").read_text(encoding="utf-8"))["cases"]
PUBLIC: Final = json.loads((Path(__file__).parents[2] / "golden" / "links_public.json").read_text("utf-8"))["cases"]
XWA, LEGACY = (next(card_set for card_set in SHELF.newest() if card_set.key == key) for key in ("xwa", "legacy"))
LUKE: Final = "https://yasb.app/?f=Rebel%20Alliance&d=v10ZsZ50Z4X136WW3W142&sn=Made%20here&obs="


def plain(pilots: list[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    return [(pilot["id"], sorted(id_ for ids in pilot["upgrades"].values() for id_ in ids)) for pilot in pilots]


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["link"][-30:])
def test_a_golden_link_is_its_squad(case: Mapping[str, Any]) -> None:
    (result,) = squad.of_links(case["link"], XWA)
    assert plain(result["pilots"]) == plain(case["squad"]["pilots"])
    (made,) = squad.parse(case["link"])
    assert [ship.pilot for ship in made.pilots] == [item["id"] for item in case["squad"]["pilots"]]
    assert made.unknown == ()


@pytest.mark.parametrize("case", PUBLIC, ids=lambda case: case["name"])
def test_ten_links_of_public_squads(case: Mapping[str, Any]) -> None:
    (result,) = squad.parse(f"My list for tonight: {case['link']} What do you say?")
    assert {ship.pilot: [upgrade.id for upgrade in ship.upgrades] for ship in result.pilots} == case["pilots"]
    assert (result.name, result.size, result.card_set.split("@")[0]) == (case["name"], case["size"], case["set"])
    assert result.unknown == ()


@pytest.mark.parametrize(
    "text",
    [
        *(LUKE, f"<{LUKE}>", f"({LUKE})", f"Look: **{LUKE}**.", f"{LUKE}%20", LUKE.replace("&", "&amp;")),
        LUKE.replace("v10ZsZ50Z4X136WW3W142", "v10ZsZ50Z4X136WW3W142".replace("Z", "%5A")),
        LUKE.replace("v10ZsZ50Z4X136WW3W142", "v10ZsZ50Z4X136WW3W142".replace("Z", "%255A")),
        LUKE.replace("yasb.app/", "www.yasb.app/"),
        LUKE.replace("4X136WW3W142", "4X136WW3W142X9W9"),
    ],
)
def test_people_paste_links_in_many_ways(text: str) -> None:
    (result,) = squad.parse(text)
    (luke,) = result.pilots
    assert luke.pilot == "lukeskywalker"
    assert [upgrade.id for upgrade in luke.upgrades] == ["protontorpedoes", "r2d2", "servomotorsfoils"]
    assert result.card_set == XWA.name


def test_two_links_are_two_squads() -> None:
    assert len(squad.parse(f"mine {LUKE} yours {GOLDEN[0]['link']}")) == 2


def test_version_8_and_legacy_builders_are_2_0() -> None:
    assert squad.parse(LUKE.replace("v10ZsZ50", "v8ZsZ200"))[0].card_set == LEGACY.name
    assert squad.parse(LUKE.replace("yasb.app/", "xwing-legacy.com/preview/"))[0].card_set == LEGACY.name


def test_numbers_that_nobody_knows_are_named_and_left_out() -> None:
    (result,) = squad.parse(LUKE.replace("4X136WW3W142", "4X99999WW3Y88888X"))
    assert [ship.pilot for ship in result.pilots] == ["lukeskywalker"]
    said = " ".join(map(english, result.unknown))
    assert "number 99999" in said
    assert "number 88888" in said


@pytest.mark.parametrize(
    ("link", "says"),
    [
        (LUKE.replace("v10Zs", "v10Zq"), "quick builds"),
        (LUKE.replace("v10Zs", "v6Zs"), "before 2020"),
        ("https://launchbaynext.app/?lbx=abc", "I can't read a squad from this link"),
        ("https://yasb.app/", "I can't read a squad from this link"),
    ],
)
def test_what_no_link_spells_out_is_refused_by_name(link: str, says: str) -> None:
    with pytest.raises(PlayerError, match=says):
        squad.parse(link)


def test_xws_that_holds_its_link_is_read_as_xws() -> None:
    xws = {"faction": "rebelalliance", "pilots": [{"id": "wedgeantilles"}], "vendor": {"yasb": {"link": LUKE}}}
    (result,) = squad.parse(json.dumps(xws))
    assert [ship.pilot for ship in result.pilots] == ["wedgeantilles"]


@given(st.text(st.sampled_from("0123456789vXWYZsq%25&=ab "), max_size=60))
def test_no_address_breaks_anything(held: str) -> None:
    try:
        squad.parse(f"https://yasb.app/?f=Resistance&d=v9ZhZ20Z{held}")
    except PlayerError:
        return  # a sentence, and nothing else
