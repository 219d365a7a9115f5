"""Pairs of troopers worked from the rules by hand: zones on the line, smoke, skills; typed, as JSON, and in forms."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from bot.games.infinity import GAME
from bot.rules import infinity
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Offer
from bot.rules.infinity import play
from bot.rules.infinity.declared import Order
from bot.rules.infinity.states import Forbidden

PAIRS: Final = json.loads((Path(__file__).parents[1] / "golden" / "infinity_pairs.json").read_text())["pairs"]
ZONES: Final = [one for one in PAIRS if one.get("order") and not one["unsure"]]
WORDS: Final = ("low", "poor", "zero", "eclipse", "white noise", "saturation", "cover", "Targeted")
TYPED: Final = re.compile(r"Ana (?P<mine>.+?) at (?P<inches>\d+)(?P<words>.*) vs Bo (?P<theirs>.+)")


def order_of(words: Mapping[str, object]) -> Order:
    declared = infinity.declare(words)
    assert isinstance(declared, Order)
    return declared


def parts(case: Mapping[str, Any]) -> tuple[str, str, list[str], str, list[str]]:
    """What Ana does, how far, what is said of the line, what Bo does, and the states of Bo."""
    found = TYPED.fullmatch(case["order"])
    assert found is not None, case["order"]
    said = [word for word in WORDS if re.search(rf"\b{word}\b", found["words"])]
    theirs = found["theirs"].removesuffix(" Targeted")
    return found["mine"], found["inches"], said, theirs, ["Targeted"] if theirs != found["theirs"] else []


def typed(case: Mapping[str, Any]) -> Order:
    return order_of({"troopers": case["troopers"], "order": case["order"]})


def typed_behind(case: Mapping[str, Any]) -> Order:
    """The same with the zones behind the reaction."""
    mine, inches, said, theirs, states = parts(case)
    zones, rest = [one for one in said if one != "cover"], [one for one in said if one == "cover"]
    order = " ".join(["Ana", mine, "at", inches, *rest, "vs Bo", theirs, *zones, *states])
    return order_of({"troopers": case["troopers"], "order": order})


def as_json(case: Mapping[str, Any]) -> Order:
    mine, inches, said, theirs, states = parts(case)
    flags = {one.replace(" ", "_"): True for one in said}
    a = {"name": f"Ana {mine}", "at": inches} | flags
    b = {"name": " ".join(["Bo", theirs, *states])}
    return order_of({"troopers": case["troopers"], "a": a, "b": b})


def in_forms(case: Mapping[str, Any]) -> Order:
    mine, inches, said, theirs, states = parts(case)
    troopers = case["troopers"] | {"Bo": ", ".join([case["troopers"]["Bo"], *states])}
    state = infinity.start(infinity.declare({"troopers": troopers, "who": "Ana", "whom": "Bo"}), nothing)
    state = infinity.choose(state, Choice("attack-1", (), filled(infinity.offers(state), mine, inches, said)), nothing)
    key = next(offer.key for offer in infinity.offers(state) if offer.key.startswith("react"))
    state = infinity.choose(state, Choice(key, (), filled(infinity.offers(state), theirs, "", [])), nothing)
    state = infinity.choose(state, Choice("roll"), nothing)
    assert isinstance(state.declared, Order)
    return state.declared


def nothing(_: int) -> int:
    return 0


def filled(offers: Sequence[Offer], does: str, inches: str, said: Sequence[str]) -> dict[str, str]:
    """A form of an attack or a reaction: the option of each field that says so."""
    fields = {field.key: field for field in offers[0].fields}
    found = {"around": ", ".join(one.replace(" ", "_") for one in said), "more": "", "whom": ""}
    found |= {key: does for key in ("weapon", "does") if key in fields}
    if inches and "at" in fields:
        bands = [option.value.split("-") for option in fields["at"].options]
        found["at"] = next(f"{least}-{most}" for least, most in bands if int(inches) <= int(most))
    return found


DOORS: Final = (typed, typed_behind, as_json, in_forms)


def rolls(order: Order) -> list[tuple[object, ...]]:
    """Each roll: who, SV, Burst, special dice, the MODs that count, and whom it is compared with."""
    met = [{order.rolls[place].name for place in one.places} for one in order.meetings if one.b is not None]
    return [
        (
            roll.name,
            roll.sv,
            roll.burst,
            roll.special,
            sorted(mod.number for mod in roll.mods if mod.number),
            {name for pair in met if roll.name in pair for name in pair - {roll.name}},
        )
        for roll in order.rolls
    ]


def wanted(case: Mapping[str, Any]) -> list[tuple[object, ...]]:
    return [
        (
            roll["name"],
            roll["sv"],
            roll["burst"],
            roll["special_dice"],
            sorted(number for _, number in roll["mods"]),
            set(roll["against"]),
        )
        for roll in case["rolls"]
    ]


@pytest.mark.parametrize("door", DOORS)
def test_a_zone_on_the_line_burdens_both_sides_by_every_door(door: Callable[[Mapping[str, Any]], Order]) -> None:
    for case in ZONES:
        if case["pairing"] == "refused":
            with pytest.raises(Forbidden, match="has no line of fire"):
                door(case)
        else:
            assert rolls(door(case)) == wanted(case), (case["id"], case["why"])


def shooters() -> Iterator[tuple[str, str]]:
    combi = "Combi Rifle: B3 PS 7 N ARM +3@16 -3@32 -6@48"
    for skill in ("", "MSV 1", "MSV 2", "Sixth Sense", "Marksmanship", "Mimetism (-3)", "Martial Arts L2"):
        yield (
            skill,
            ", ".join(filter(None, ["BS 12, CC 15, PH 11, WIP 13, ARM 1, W 1", skill, combi, "Knife: CC PS 5"])),
        )


def test_when_the_sides_are_swapped_the_numbers_are_swapped() -> None:
    lines = dict(shooters())
    said = ("low", "poor", "zero", "eclipse", "white noise", "low poor", "cover")
    deeds = [("Combi Rifle", f" at 12 {words}") for words in said] + [("Knife", "")]
    compared = 0
    for (one, other), (deed, words) in product(product(lines, lines), deeds):
        troopers = {"Ana": lines[one], "Bo": lines[other]}
        far = " at 12" if deed != "Knife" else ""
        came = svs(troopers, f"Ana {deed}{words} vs Bo {deed}"), svs(troopers, f"Bo {deed}{far} vs Ana {deed}{words}")
        assert came[0] == came[1], (one, other, deed, words)
        compared += bool(came[0])
    assert compared > 200


def svs(troopers: Mapping[str, str], order: str) -> dict[str, int]:
    try:
        return {str(one.name): one.sv for one in order_of({"troopers": troopers, "order": order}).rolls}
    except PlayerError:
        return {}


SMOKE: Final = "BS 12, PH 12, WIP 13, ARM 1, W 1, Smoke Grenades: B1 PH Smoke template 0@8 -3@16"
RIFLE: Final = "BS 12, PH 10, WIP 13, ARM 1, W 1, Combi Rifle: B3 PS 7 N ARM +3@16 -3@32 -6@48, Hacker"
THROWN: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "S01": ("Ana Smoke Grenades at 7 vs Bo Combi Rifle at 12", {}),
    "S02": ("Ana Smoke Grenades at 7 vs Bo Combi Rifle at 12", {"Bo": f"{RIFLE}, MSV 2"}),
    "S03": ("Ana Smoke Grenades at 7 vs Bo dodge", {}),
    "S04": ("Ana Smoke Grenades at 7 vs Bo Combi Rifle at 12 past", {}),
    "S05": (
        "Ana Smoke Grenades at 7 vs Bo Combi Rifle at 12, Cy Combi Rifle at 12, Di Combi Rifle at 12 past",
        {"Cy": f"{RIFLE}, MSV 1", "Di": RIFLE},
    ),
    "S06": ("Ana Smoke Grenades at 7; Bo Combi Rifle at 12 vs Ana; Cy Combi Rifle at 12 vs Ana", {"Cy": RIFLE}),
    "S07": ("Ana Smoke Grenades at 7; Bo Combi Rifle at 12 vs Ana", {}),
    "S08": (
        "Ana Smoke Grenades at 7 vs Bo Combi Rifle at 12",
        {"Ana": SMOKE.replace(" Smoke template", " Eclipse template"), "Bo": f"{RIFLE}, MSV 3"},
    ),
    "S09": ("Ana Smoke Grenades at 7 vs Bo Spotlight", {}),
    "S10": ("Ana Smoke Grenades at 14 speculative vs Bo Combi Rifle at 15", {}),
    "S11": ("Bo Combi Rifle at 12 vs Ana Smoke Grenades at 7", {}),
    "S12": ("Bo direct N PS 6 vs Ana Smoke Grenades at 7", {}),
    "S15": ("Ana Smoke Grenades at 12 fireteam 4 vs Bo Combi Rifle at 15", {}),
    "S16": ("Ana Smoke Grenades at 7", {}),
}


@pytest.mark.parametrize("name", THROWN)
def test_smoke_is_a_declaration_of_its_own(name: str) -> None:
    order, more = THROWN[name]
    (case,) = [one for one in PAIRS if one["id"] == name]
    made = order_of({"troopers": {"Ana": SMOKE, "Bo": RIFLE, **more}, "order": order})
    found = {str(roll[0]): roll for roll in rolls(made)}
    if name == "S12":
        del found["Bo"]  # a Direct Template is no roll
    if name in ("S06", "S07"):  # both act in a line of their own, so nobody knows whose order it is
        found = {who: (who, sv, 1, *rest) for who, (_, sv, _, *rest) in found.items()}
    assert found == {str(roll[0]): roll for roll in wanted(case)}


@pytest.mark.parametrize(
    ("faces", "says", "hits"),
    [((9, 5, 11), "Ana's template does not stay.", 1), ((12, 5, 11), "Ana's template stays", 0)],
)
def test_smoke_has_to_win_against_every_attack_that_it_crosses(faces: tuple[int, ...], says: str, hits: int) -> None:

    words = (
        "; ".join(
            f"{order} rolls {face}"
            for order, face in zip(
                ("Ana Smoke Grenades at 7", "Bo Combi Rifle at 12", "Cy Combi Rifle at 12"), faces, strict=True
            )
        )
        .replace("Bo Combi Rifle at 12", "Bo Combi Rifle at 12 b1")
        .replace("Cy Combi Rifle at 12", "Cy Combi Rifle at 12 b1")
    )
    lines = [f"{line} vs Ana" if at else line for at, line in enumerate(words.split("; "))]
    order = order_of({"troopers": {"Ana": SMOKE, "Bo": RIFLE, "Cy": RIFLE}, "order": "\n".join(lines)})
    state = infinity.start(order, nothing)
    assert sum(one.hits + one.crits for one in play.landed(state)) == hits
    card = GAME.card(state, {})
    assert says in str(card.outcome)
    assert "hit on" not in str(card.outcome)
