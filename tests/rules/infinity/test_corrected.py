"""Numbers that earlier versions had wrong (rules page, marked R4): in players' words, and as JSON on the command line.

Each row: troopers, an order, each roll's Success Value, Burst and special dice, and which rolls meet. A row with a
sentence is refused with it. ``N5`` unless a row says otherwise.
"""

import json
from typing import Any, Final

import pytest

from bot.__main__ import main
from bot.render.infinity import card
from bot.rules import infinity
from bot.rules.errors import PlayerError
from bot.rules.infinity.orders.play import sums
from bot.rules.infinity.table import pieces
from bot.rules.infinity.table.army import whole_words
from bot.rules.infinity.troopers.declared import Order
from bot.rules.infinity.troopers.trooper import parse
from bot.rules.text import english
from tests.rows import for_each_row

COMBI: Final = "Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48"
HMG: Final = "HMG: B4 PS 5 N suppressive -3@8 +0@16 +3@32 -3@48"
KIT: Final = {
    "Fus": f"BS 12, CC 13, PH 10, WIP 13, ARM 1, BTS 0, W 1, LI, {COMBI}, Knife: CC PS 5, "
    "Mine: PS 5 N direct deployable, Rocket: B1 PS 5 disposable(1) +0@48",
    "Yam": f"BS 11, CC 15, PH 12, WIP 12, ARM 2, BTS 3, W 2, HI, {COMBI}, Knife: CC PS 5",
    "Hac": "BS 11, PH 10, WIP 14, BTS 3, W 1, LI, Hacker, Hacking Device Plus",
    "Gui": "BS 11, PH 10, WIP 12, W 1, BS Attack (Guided), Missile: B1 PS 6 EXP template +0@24 +3@40",
    "Zed": "BS 11, PH 10, W 1, Total Reaction, Thunderbolt (+1B): B2 PS 6 N +0@16",
    "Neu": f"BS 11, PH 10, W 1, Neurocinetics, BS Attack (+1B), {HMG}",
    "Tag": f"BS 14, PH 14, WIP 12, ARM 8, BTS 6, STR 3, TAG, {HMG}",
}
NEXT: Final = ((0, 1),)
"""The two rolls meet Face to Face."""

ROWS: Final[tuple[tuple[str, dict[str, str], Any, tuple[tuple[int, int], ...]], ...]] = (
    # Burst MODs in ARO
    ("Fus Combi at 10 vs Zed Thunderbolt", {}, ((15, 3, 0), (11, 3, 0)), NEXT),
    ("Fus Combi at 10 vs Neu HMG", {}, ((15, 3, 0), (11, 5, 0)), NEXT),
    ("Neu HMG at 10 vs Yam", {}, ((11, 1, 0),), ()),
    # Suppressive Fire ends by an order, by another ARO, by a weapon without the trait
    ("Tag HMG at 20 vs Yam dodge", {"Tag": "Suppressive Fire"}, ((17, 4, 0), (12, 1, 0)), NEXT),
    ("Fus Combi at 10 vs Tag dodge", {"Tag": "Suppressive Fire"}, ((15, 3, 0), (14, 1, 0)), NEXT),
    ("Fus Combi at 10 vs Tag HMG", {"Tag": "Suppressive Fire"}, ((12, 3, 0), (14, 3, 0)), NEXT),
    ("Fus Combi at 10 vs Tag HMG", {"Tag": "Suppressive Fire, Isolated"}, ((15, 3, 0), (14, 1, 0)), NEXT),
    # which rolls meet Face to Face
    ("Fus Combi at 20 vs Yam reset", {}, ((9, 3, 0), (12, 1, 0)), ()),
    ("Hac Spotlight vs Yam dodge", {}, ((14, 2, 0), (12, 1, 0)), ()),
    ("Fus Knife vs Yam reset", {}, ((13, 1, 0), (12, 1, 0)), ()),
    ("Hac Spotlight vs Yam reset", {}, ((14, 2, 0), (12, 1, 0)), NEXT),
    # BS Attack (Guided)
    ("Gui Missile at 30 guided vs Yam reset", {"Yam": "Targeted"}, ((17, 1, 0), (9, 1, 0)), NEXT),
    ("Gui Missile at 30 guided vs Yam", {}, "Targeted", ()),
    ("Fus Combi at 10 guided vs Yam", {"Yam": "Targeted"}, "BS Attack (Guided)", ()),
    # programs have targets; ECM as the official data write it
    ("Hac Carbonite vs Fus", {}, "Carbonite", ()),
    ("Hac Total Control vs Yam", {}, "Total Control", ()),
    ("Hac Total Control vs Tag", {"Tag": "ECM: Hacker (-3)"}, ((11, 1, 0),), ()),
    ("Gui Missile at 30 guided vs Tag", {"Tag": "Targeted, ECM: Guided (-6)"}, ((11, 1, 0),), ()),
    # Fireteam level 5, Natural Born Warrior, Nanoscreen with Partial Cover, deployables
    ("Fus Combi at 10 surprise vs Yam dodge fireteam 5", {}, ((15, 3, 0), (13, 1, 0)), NEXT),
    (
        "Fus Knife vs Yam Knife",
        {"Fus": "Martial Arts 3", "Yam": "Natural Born Warrior"},
        ((16, 1, 1), (15, 1, 0)),
        NEXT,
    ),
    ("Fus Combi at 10 cover vs Yam", {"Yam": "Nanoscreen"}, ((9, 3, 0),), ()),
    ("Fus Mine vs Yam dodge", {}, ((0, 1, 0), (9, 1, 0)), NEXT),
    # what needs something is refused without it
    ("Fus Combi at 10 vs Yam", {"Yam": "Dead"}, "Yam is Dead: it can't act or be targeted", ()),
    ("Fus doctor vs Yam", {"Yam": "Unconscious"}, "Doctor", ()),
    ("Fus engineer vs Tag", {"Tag": "Targeted"}, "Engineer", ()),
    ("Fus Knife berserk vs Yam Knife", {}, "Berserk", ()),
    # a word that changes nothing, a weapon without range bands, contact
    ("Fus 12 b3 AP PS 6 at 10 vs Yam", {}, "has no effect. Write the MOD: `+3 (range)", ()),
    ("Hac Spotlight cover vs Yam", {}, "`cover` has no effect for Hac", ()),
    ("Fus Combi at 10 vs Yam Knife", {}, "a CC Attack needs contact", ()),
    ("Hac white noise", {}, ((14, 1, 0),), ()),
)


def troopers(more: dict[str, str]) -> dict[str, str]:
    return {name: ", ".join(filter(None, (line, more.get(name)))) for name, line in KIT.items()}


@for_each_row(("order", "more", "expected", "faced"), ROWS, ids=lambda item: str(item)[:50])
def test_in_players_words(order: str, more: dict[str, str], expected: Any, faced: tuple[tuple[int, int], ...]) -> None:
    held = {name: parse(name, line) for name, line in troopers(more).items()}
    if isinstance(expected, str):
        with pytest.raises(PlayerError) as refused:
            pieces.declare({"order": order}, held)
        assert expected in str(refused.value)
        return
    declared = pieces.declare({"order": order}, held)
    assert isinstance(declared, Order)
    assert tuple((item["sv"], item["burst"], item.get("special_dice", 0)) for item in sums(declared)) == expected
    assert tuple((meeting.a, meeting.b) for meeting in declared.meetings if meeting.b is not None) == faced


@pytest.mark.parametrize(("order", "more", "expected", "faced"), ROWS, ids=lambda item: str(item)[:50])
def test_as_json(
    order: str,
    more: dict[str, str],
    expected: Any,
    faced: tuple[tuple[int, int], ...],
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = main(["roll", "infinity", "--json", json.dumps([{"troopers": troopers(more), "order": order}])])
    (told,) = json.loads(capsys.readouterr().out)
    if isinstance(expected, str):
        assert expected in told["error"]
        return
    assert code == 0
    assert tuple((item["sv"], item["burst"], item.get("special_dice", 0)) for item in told["sums"]) == expected
    results = told.get("results", [told])
    assert sum(result["b"] is not None for result in results) == len(faced)
    assert not any("cancelled" in (result["a"].get("fate") or ()) for result in results if result["b"] is None)


@pytest.mark.parametrize(("typed", "said"), [("at 1", "Range 1 inch"), ("at 10", "Range 10 inches")])
def test_one_inch_is_one(typed: str, said: str) -> None:
    declared = infinity.declare({"troopers": KIT, "order": f"Fus Combi {typed} vs Yam"})
    assert isinstance(declared, Order)
    assert [str(mod.what) for mod in declared.rolls[0].mods] == [said]


@pytest.mark.parametrize(("edition", "named"), [("n5", "N5.2"), ("n4", "N4"), ("n3", "N3")])
def test_the_edition_that_is_counted_is_named(edition: str, named: str) -> None:
    state = infinity.start(infinity.declare({"sv": 12, "edition": edition}), lambda sides: sides - 1)
    assert f"Rules: {named}" in english(str(card(state, {}).reminders))


@pytest.mark.parametrize(
    ("name", "most", "cut"),
    [("Light Rocket Launcher", 14, "Light Rocket"), ("Light", 3, "Lig"), ("Light Rocket", 12, "Light Rocket")],
)
def test_names_are_cut_between_words(name: str, most: int, cut: str) -> None:
    assert whole_words(name, most) == cut
