"""Pairs of troopers worked from the rules by hand: zones on the line, smoke, skills; typed, as JSON, and in forms."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from bot.games.infinity import GAME
from bot.odds.infinity.json_odds import odds
from bot.odds.infinity.rolls import winners
from bot.rules import infinity
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import Choice, Field, Offer, Side
from bot.rules.infinity.dice.saves import list_saves
from bot.rules.infinity.orders import fields, forms, open_order, play
from bot.rules.infinity.orders.order import OpenOrder
from bot.rules.infinity.table import pieces
from bot.rules.infinity.troopers.declared import Order, Save, Weapon
from bot.rules.infinity.troopers.states import ForbiddenByStateError
from bot.rules.infinity.troopers.trooper import Trooper, parse, weapon_of
from bot.rules.infinity.turn.player_turn import TURN, OrderPool, PlayerTurn
from tests.rows import for_each_row

PAIRS: Final = json.loads((Path(__file__).parents[2] / "golden" / "infinity_pairs.json").read_text())["pairs"]
ZONES: Final = [pair for pair in PAIRS if pair.get("order") and not pair["unsure"]]
WORDS: Final = ("low", "poor", "zero", "eclipse", "white noise", "saturation", "cover", "Targeted")
Door = Callable[[Mapping[str, str], str], Order]
TYPED: Final = re.compile(r"Ana (?P<mine>.+?) at (?P<inches>\d+)(?P<words>.*) vs Bo (?P<theirs>.+)")


def order_of(words: Mapping[str, object]) -> Order:
    declared = infinity.declare(words)
    assert isinstance(declared, Order)
    return declared


def parts(case: Mapping[str, Any]) -> tuple[str, str, list[str], str, list[str]]:
    """What Ana does, how far, what is said of the line, what Bo does, and the states of Bo."""
    match = TYPED.fullmatch(case["order"])
    assert match is not None, case["order"]
    said = [word for word in WORDS if re.search(rf"\b{word}\b", match["words"])]
    theirs = match["theirs"].removesuffix(" Targeted")
    return match["mine"], match["inches"], said, theirs, ["Targeted"] if theirs != match["theirs"] else []


def typed(case: Mapping[str, Any]) -> Order:
    return order_of({"troopers": case["troopers"], "order": case["order"]})


def typed_behind(case: Mapping[str, Any]) -> Order:
    """The same with the zones behind the reaction."""
    mine, inches, said, theirs, states = parts(case)
    zones, rest = [item for item in said if item != "cover"], [item for item in said if item == "cover"]
    order = " ".join(["Ana", mine, "at", inches, *rest, "vs Bo", theirs, *zones, *states])
    return order_of({"troopers": case["troopers"], "order": order})


def as_json(case: Mapping[str, Any]) -> Order:
    mine, inches, said, theirs, states = parts(case)
    flags = {item.replace(" ", "_"): True for item in said}
    a = {"name": f"Ana {mine}", "at": inches} | flags
    b = {"name": " ".join(["Bo", theirs, *states])}
    return order_of({"troopers": case["troopers"], "a": a, "b": b})


def as_json_enemies(case: Mapping[str, Any]) -> Order:
    mine, inches, said, theirs, states = parts(case)
    flags = {item.replace(" ", "_"): True for item in said}
    a = {"name": f"Ana {mine}", "at": inches} | flags
    return order_of({"troopers": case["troopers"], "a": a, "enemies": [{"name": " ".join(["Bo", theirs, *states])}]})


def as_flat_json(case: Mapping[str, Any]) -> Order:
    mine, inches, said, theirs, states = parts(case)
    troopers = case["troopers"] | {"Bo": ", ".join([case["troopers"]["Bo"], *states])}
    does = "weapon_b" if weapon_of(parse("Bo", troopers["Bo"]), theirs) else "kind_b"
    flags = {item.replace(" ", "_"): True for item in said}
    b = {"name_b": "Bo", does: theirs}
    return order_of({"troopers": troopers, "name": f"Ana {mine}", "at": inches, **flags, **b})


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
    result = {"around": ", ".join(item.replace(" ", "_") for item in said), "more": "", "whom": ""}
    result |= {key: does for key in ("weapon", "does") if key in fields}
    if inches and "at" in fields:
        bands = [option.value.split("-") for option in fields["at"].options]
        result["at"] = next(f"{least}-{most}" for least, most in bands if int(inches) <= int(most))
    return result


DOORS: Final = (typed, typed_behind, as_json, as_json_enemies, as_flat_json, in_forms)


@pytest.mark.parametrize(("eyes", "stopped"), [("", True), ("Multispectral Visor L1, ", False), ("MSV 2, ", False)])
@pytest.mark.parametrize("smoke", ["Smoke", "Eclipse"])
def test_json_enemies_are_those_whom_a_roll_meets(eyes: str, stopped: bool, smoke: str) -> None:
    """Smoke stops no Visor and Eclipse does; a shot back is met all the same, and a Reset answers no shot."""
    gun = "Combi: B3 PS 7 N ARM +3@16 -3@32"
    troopers = {
        "Ana": f"BS 12, {eyes}{gun}",
        "Bo": f"PH 11, Grenades: B1 PH {smoke} template 0@8 -3@16",
        "Cy": f"BS 11, {gun}",
        "Di": "WIP 13",
    }
    foes = [{"name": "Bo grenades", "at": "6"}, {"name": "Cy combi"}, {"name": "Di reset"}]
    order = order_of({"troopers": troopers, "a": {"name": "Ana combi", "at": "12"}, "enemies": foes})
    met = {order.rolls[meeting.b].name for meeting in order.meetings if meeting.a == 0 and meeting.b is not None}
    assert met == ({"Bo", "Cy"} if stopped or smoke == "Eclipse" else {"Cy"})
    assert [roll.sv for roll in order.rolls] == [15, 11, 14, 13]


def rolls(order: Order) -> list[tuple[object, ...]]:
    """Each roll: who, SV, Burst, special dice, the MODs that count, and whom it is compared with."""
    met = [{order.rolls[place].name for place in meeting.places} for meeting in order.meetings if meeting.b is not None]
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
            with pytest.raises(ForbiddenByStateError, match="has no line of fire"):
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
    for (item, other), (deed, words) in product(product(lines, lines), deeds):
        troopers = {"Ana": lines[item], "Bo": lines[other]}
        far = " at 12" if deed != "Knife" else ""
        came = svs(troopers, f"Ana {deed}{words} vs Bo {deed}"), svs(troopers, f"Bo {deed}{far} vs Ana {deed}{words}")
        assert came[0] == came[1], (item, other, deed, words)
        compared += bool(came[0])
    assert compared > 200


def svs(troopers: Mapping[str, str], order: str) -> dict[str, int]:
    try:
        return {str(roll.name): roll.sv for roll in order_of({"troopers": troopers, "order": order}).rolls}
    except PlayerError:
        return {}


# Smoke and skills by every door


@dataclass(frozen=True)
class Spoken:
    """One trooper in a typed order: what it does, how far away, and what applies."""

    name: str
    does: str = ""
    at: str = ""
    around: tuple[str, ...] = ()

    @property
    def rolls(self) -> bool:
        return bool(self.does or self.at or self.around)

    @property
    def words(self) -> str:
        return " ".join(filter(None, [self.name, self.does, self.at and f"at {self.at}", *self.around]))


APPLIES: Final = (
    *("cover", "speculative", "surprise", "triangulated", "saturation", "suppressive", "guard", "contact", "past"),
    *("zoc", "warned", "fireteam 4", "low", "poor", "eclipse", "intuitive", "guided", "berserk"),
)


def spoken(text: str) -> Spoken:
    """One side of a typed order, taken apart."""
    text = text.strip().replace("look out", "warned") if "dodge" in text else text.strip()
    distance = re.search(r" at (\d+)", text)
    around = tuple(item for item in APPLIES if re.search(rf" {item}\b", text))
    for item in [*(f" {item}" for item in around), distance[0] if distance else ""]:
        text = text.replace(item, "", 1)
    name, _, does = text.partition(" ")
    return Spoken(name, does, distance[1] if distance else "", around)


def taken_apart(order: str) -> list[tuple[Spoken, list[Spoken]]]:
    """The lines of a typed order: who acts, and the targets with what they do."""
    lines = []
    for line in order.split(";"):
        acts, _, targets = line.partition(" vs ")
        lines.append((spoken(acts), [spoken(item) for item in targets.split(",") if item]))
    return lines


def in_words(held: Mapping[str, str], order: str) -> Order:
    return order_of({"troopers": held, "order": order})


def in_lines(held: Mapping[str, str], order: str) -> Order:
    """The same with each reaction in a line of its own."""
    lines = list[str]()
    for acts, targets in taken_apart(order):
        names = ", ".join(target.name for target in targets)
        lines.append(acts.words + (f" vs {names}" if names else ""))
        evades = ("dodge", "reset", "look out")
        reacts = [target for target in targets if target.rolls]
        lines += [item.words + ("" if item.does in evades else f" vs {acts.name}") for item in reacts]
    return order_of({"troopers": held, "order": lines})


def in_json(held: Mapping[str, str], order: str) -> Order:
    """Two sides as objects; of more a list of lines."""

    def side(said: Spoken, key: str) -> dict[str, object]:
        flags = {(item.split()[0] + key): int(item.split()[1]) if " " in item else True for item in said.around}
        suppressive = flags.pop(f"suppressive{key}", None)
        words = f"{said.does} suppressive" if suppressive else said.does
        item = {f"name{key}": f"{said.name} {words}".strip(), f"at{key}": said.at}
        return {name: value for name, value in {**item, **flags}.items() if value}

    lines = taken_apart(order)
    (acts, targets), *more = lines
    if more or len(targets) > 1 or acts.does == "move":
        return order_of({"troopers": held, "order": [line.strip() for line in order.split(";")]})
    if not targets:
        return order_of({"troopers": held, **side(acts, "")})
    if not targets[0].rolls:
        return order_of({"troopers": held, **side(acts, ""), "name_b": targets[0].name})
    return order_of({"troopers": held, "a": side(acts, ""), "b": side(targets[0], "")})


def by_forms(held: Mapping[str, str], order: str) -> Order:
    """Who attacks whom is picked, then the form of the attack, then the form of each reaction."""
    lines = taken_apart(order)
    acts, targets = lines[0]
    named = [target.name for target in targets]
    targets = targets + [item for item, _ in lines[1:] if item.name not in named and item.does != "look out"]
    if acts.does == "move":
        table = {name: replace(parse(name, line), owner=1 + (name != "Ana")) for name, line in held.items()}
        state = infinity.start(pieces.declare({"moves": "Ana"}, {**table, **started()}), nothing)
    else:
        names = ", ".join(target.name for target in targets) or next(name for name in held if name != acts.name)
        state = infinity.start(infinity.declare({"troopers": held, "who": acts.name, "whom": names}), nothing)
        state = pressed_form(state, "attack-1", acts)
    for target in targets:
        if target.rolls:
            place = list(held).index(target.name) + 1
            state = pressed_form(state, f"react-{place}", target)
    if acts.does == "move":
        state = infinity.choose(state, Choice("second"), nothing)
        if any(offer.key == "idle" for offer in infinity.offers(state)):
            state = infinity.choose(state, Choice("idle"), nothing)
    state = infinity.choose(state, Choice("roll"), nothing)
    assert isinstance(state.declared, Order), state.declared
    return state.declared


def started() -> dict[str, Any]:
    return {TURN: replace(PlayerTurn(), active=1, pools=(OrderPool(1, 9, 9),))}


def pressed_form(state: play.State, key: str, said: Spoken) -> play.State:
    """The form of an attack or of a reaction with the options that say so; no word is typed."""
    offer = next(item for item in infinity.offers(state) if item.key == key)
    form = {field.key: field.value for field in offer.fields}
    for name in ("weapon", "does"):
        if name in form:
            form[name] = next(
                item.value for item in fields_of(offer)[name].options if item.value.casefold() == said.does.casefold()
            )
    if said.at:
        bands = [item.value.split("-") for item in fields_of(offer)["at"].options]
        form["at"] = next(f"{least}-{most}" for least, most in bands if int(said.at) <= int(most))
    offered = {item.value for item in fields_of(offer)["around"].options}
    assert {*said.around} <= offered, (said, offered)
    form["around"] = ", ".join(said.around)
    return infinity.choose(state, Choice(key, (), form), nothing)


def fields_of(offer: Offer) -> dict[str, Field]:
    return {field.key: field for field in offer.fields}


EVERY_DOOR: Final = (in_words, in_lines, in_json, by_forms)


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
    "S12": ("Bo Chain Rifle vs Ana Smoke Grenades at 7", {"Bo": f"{RIFLE}, Chain Rifle: PS 6 N direct"}),
    "S13": ("Ana Smoke Grenades at 7 vs Bo Forward Observer at 12", {"Bo": f"{RIFLE}, Forward Observer"}),
    "S15": ("Ana Smoke Grenades at 12 fireteam 4 vs Bo Combi Rifle at 15", {}),
    "S16": ("Ana Smoke Grenades at 7", {}),
}


@for_each_row("door", EVERY_DOOR)
@for_each_row("name", THROWN)
def test_smoke_is_a_declaration_of_its_own(name: str, door: Door) -> None:
    order, more = THROWN[name]
    (case,) = [pair for pair in PAIRS if pair["id"] == name]
    result = door({"Ana": SMOKE, "Bo": RIFLE, **more}, order)
    found = {str(roll[0]): roll for roll in rolls(result)}
    if name == "S12":
        del found["Bo"]  # a Direct Template is no roll
    if name in ("S06", "S07"):  # both act in a line of their own, so nobody knows whose order it is
        found = {who: (who, sv, 1, *rest) for who, (_, sv, _, *rest) in found.items()}
    assert found == {str(roll[0]): roll for roll in wanted(case)}


@pytest.mark.parametrize(
    ("faces", "says", "hits"),
    [((9, 5, 11), "Ana's template doesn't stay.", 1), ((12, 5, 11), "Ana's template stays", 0)],
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
    assert sum(save.hits + save.crits for save in play.landed_attacks(state)) == hits
    card = GAME.card(state, {})
    assert says in str(card.outcome)
    assert "hit on" not in str(card.outcome)


ARMED: Final = "BS 12, CC 20, PH 12, WIP 13, ARM 1, BTS 3, W 1"
SNIPER: Final = "Sniper Rifle: B2 PS 5 Shock ARM -3@8 0@16 +3@48 -3@96"
COMBI: Final = "Combi Rifle: B3 PS 7 N ARM +3@16 -3@32 -6@48"
FAUST: Final = "Panzerfaust: B1 PS 5 N ARM disposable(2) +3@32"
DOWN: Final = "PH 11, ARM 1, W 1, Unconscious"
SKILLED: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "K01": ("Ana Forward Observer at 20 vs Bo dodge", {"Ana": f"{ARMED}, Forward Observer"}),
    "K02": (
        "Ana Forward Observer at 30 cover vs Bo Combi Rifle",
        {"Ana": f"{ARMED}, Forward Observer", "Bo": f"{RIFLE}, Mimetism (-3)"},
    ),
    "K03": (
        "Ana Forward Observer at 20 fireteam 4 vs Bo dodge",
        {"Ana": f"{ARMED}, Forward Observer, BS Attack (+1B)"},
    ),
    "K04": ("Ana MediKit at 10 cover vs Dwn", {"Ana": f"{ARMED}, MediKit", "Dwn": DOWN}),
    "K05": ("Ana MediKit contact vs Dwn", {"Ana": f"{ARMED}, Paramedic", "Dwn": f"{DOWN}, MediKit (PH=14)"}),
    "K06": ("Ana MediKit at 6 vs Dwn", {"Ana": f"{ARMED}, MediKit (+1B)", "Dwn": DOWN}),
    "K07": ("Ana GizmoKit at 20 vs Rem", {"Ana": f"{ARMED}, GizmoKit", "Rem": "PH 8, STR 1, Unconscious"}),
    "K09": ("Ana sensor vs Camo", {"Ana": f"{ARMED}, Sensor", "Camo": "Mimetism (-6), Camouflaged"}),
    "K10": (
        "Ana discover at 7 vs Camo",
        {"Ana": ARMED.replace("WIP 13", "WIP 12") + ", Sensor", "Camo": "Mimetism (-6), Camouflaged"},
    ),
    "K11": (
        "Ana Combi Rifle at 40 triangulated vs Bo Sniper Rifle",
        {
            "Ana": f"{ARMED}, Triangulated Fire, BS Attack (+1SD), {COMBI}",
            "Bo": f"BS 12, PH 10, ARM 1, Mimetism (-6), {SNIPER}",
        },
    ),
    "K12": (
        "Ana Combi Rifle at 20 triangulated saturation vs Bo dodge",
        {"Ana": f"{ARMED}, Triangulated Fire, BS Attack (+1B), {COMBI}"},
    ),
    "K13": (
        "Ana Sword surprise vs Bo Knife",
        {
            "Ana": f"{ARMED}, Surprise Attack (-3), Surprise Attack (CC-6), Sword: CC PS 6",
            "Bo": "CC 18, PH 12, ARM 1, Knife: CC PS 5",
        },
    ),
    "K14": (
        "Ana Sword surprise vs Bo dodge",
        {
            "Ana": f"{ARMED}, Surprise Attack (-3), Surprise Attack (CC-6), Sword: CC PS 6",
            "Bo": "CC 18, PH 12, ARM 1, Knife: CC PS 5",
        },
    ),
    "K15": (
        "Ana Chain Rifle surprise vs Bo dodge",
        {"Ana": f"{ARMED}, Surprise Attack (-6), Chain Rifle: PS 7 N direct", "Bo": "PH 12, ARM 1"},
    ),
    "K16": ("Ana Combi Rifle at 12 vs Bo dodge look out; Cy look out", {"Ana": f"{ARMED}, {COMBI}", "Bo": ARMED}),
    "K17": ("Ana move vs Bo Combi Rifle at 12", {}),
    "K18": ("Ana move; Bo Combi Rifle at 20 suppressive vs Ana", {}),
    "K19": (
        "Ana Sword at 6 guard vs Bo Combi Rifle",
        {"Ana": f"{ARMED}, Guard, Martial Arts L1, Sword: CC PS 6"},
    ),
    "K20": (
        "Ana Missile vs Bo dodge, Kim dodge",
        {"Ana": f"{ARMED}, Missile: B1 PS 6 EXP template", "Bo": "PH 11", "Kim": "PH 12"},
    ),
    "K21": (
        "Ana Stone at 0 vs Bo dodge",
        {"Ana": f"{ARMED}, Stone: B1 PS 5 N ARM improvised 0@8", "Bo": "PH 10, ARM 1"},
    ),
    "K23": ("Ana Jammer vs Bo dodge zoc", {"Ana": f"{ARMED}, Jammer: B1 WIP PS 7 BTS hack", "Bo": "PH 11, ARM 1"}),
    "K24": ("Ana Jammer vs Bo reset", {"Ana": f"{ARMED}, Jammer: B1 WIP PS 7 BTS hack", "Bo": "WIP 12, BTS 0"}),
}


@for_each_row("door", EVERY_DOOR)
@for_each_row("name", SKILLED)
def test_skills_and_traits_count_as_the_rules_say(name: str, door: Door) -> None:
    order, more = SKILLED[name]
    (case,) = [pair for pair in PAIRS if pair["id"] == name]
    result = door({"Ana": ARMED, "Bo": RIFLE, **more}, order)
    found = {str(roll[0]): roll for roll in rolls(result)}
    kits = {"K04": "Dwn", "K05": "Dwn", "K07": "Rem"}
    if name in kits:  # then the target rolls PH, a roll that follows
        hit = play.hit_by(result, 0, "a")
        assert hit is not None
        (due_now,) = list_saves(replace(hit, hits=1))
        assert (hit.name, hit.side, due_now.attribute) == (kits[name], Side.ATTACKER, "PH")
        found = {kits[name]: (kits[name], due_now.number, 1, 0, [], set())} | {k: v for k, v in found.items() if v[1]}
    if name == "K15":
        del found["Ana"]  # a Direct Template is no roll
        found["Bo"] = (*found["Bo"][:5], set())  # it is told beside the template
    assert found == {str(roll[0]): roll for roll in wanted(case)}


SWAPPED: Final = {
    **{name: (THROWN[name], {"Ana": SMOKE, "Bo": RIFLE}) for name in ("S01", "S02", "S03", "S04", "S08", "S11", "S13")},
    **{name: (SKILLED[name], {"Ana": ARMED, "Bo": RIFLE}) for name in ("K01", "K02", "K21", "K23", "K24")},
}
"""Pairs of which either side may be the active one."""


@pytest.mark.parametrize("name", SWAPPED)
def test_whoever_is_active_each_side_has_its_own_numbers(name: str) -> None:
    """The swap law: SV, MODs and who is compared with whom stay those of each trooper; Burst is the active one's."""
    (order, more), held = SWAPPED[name]
    ((acts, (target,)),) = taken_apart(order)
    cover = {"cover"} & {*acts.around}
    near = target if target.at else replace(target, at="" if target.does == "dodge" else acts.at)
    turned = f"{near.words} vs {replace(acts, around=tuple({*acts.around} - cover)).words} {' '.join(cover)}"
    numbers = [
        {roll[0]: (roll[1], roll[4], roll[5]) for roll in rolls(in_words({**held, **more}, text))}
        for text in (order, turned)
    ]
    assert numbers[0] == numbers[1], turned


def test_every_pair_is_played_by_every_door() -> None:
    """All pairs of the file but those that leave room, and those with a test of their own below."""
    played = {case["id"] for case in ZONES} | {*THROWN} | {*SKILLED}
    own = {"K08", "K22", "K25", "K26", "K27", "K28", "K29", "K30"}
    assert {pair["id"] for pair in PAIRS if not pair["unsure"]} - played == own


SAVES: Final[Mapping[str, tuple[str, str, Mapping[str, object]]]] = {
    "K26": ("DAM 13 N", "ARM 1", {"ammo": "N", "damage": 13, "arm": 1, "edition": "n5"}),
    "K28": ("PS 4 BTS", "BTS 3", {"weapon": "PS 4 BTS", "arm": "BTS 3"}),
}


@pytest.mark.parametrize("name", SAVES)
def test_a_save_is_the_same_by_words_by_forms_and_by_json(name: str) -> None:
    weapon, armour, words = SAVES[name]
    (case,) = [pair for pair in PAIRS if pair["id"] == name]
    typed_hit = play.hit_by(order_of({"order": f"Ana 12 {weapon} vs Bo {armour}"}), 0, "a")
    from_json = infinity.declare({"hits": 1, **words})
    assert typed_hit is not None
    assert isinstance(from_json, Save)
    form = forms.read_save({"weapon": weapon, "armour": armour}, replace(from_json, weapon=Weapon()))
    found = [
        [(len(due), save.number) for due in [list_saves(replace(hit, hits=1))] for save in due]
        for hit in (typed_hit, from_json, form)
    ]
    assert found == [[(case["saves"], case["passes_at"])] * case["saves"]] * 3


def on_table(line: str, target: str) -> dict[str, Any]:
    """A trooper that treats another of its side, in its own turn."""
    hurt = parse("Dwn", target)
    trooper = replace(parse("Ana", f"{ARMED}, {line}"), owner=1)
    held = {"Ana": trooper, "Dwn": replace(hurt, owner=1, lost=hurt.wounds or 1 if hurt.is_down else 1)}
    return {**held, TURN: replace(PlayerTurn(), active=1, pools=(OrderPool(1, 9, 9),))}


def pressed(table: dict[str, Any], state: play.State, key: str, faces: Iterator[int]) -> play.State:
    after = infinity.choose(state, Choice(key), lambda _: next(faces) - 1)
    after, changed = pieces.settle(state, after, table, nothing)
    table |= changed
    return after


def opened(table: dict[str, Any], order: str) -> play.State:
    state, changed = pieces.settle(
        None, infinity.start(pieces.declare({"order": order}, table), nothing), table, nothing
    )
    table |= changed
    return state


@pytest.mark.parametrize(
    ("line", "target", "order", "faces", "lost", "states"),
    [
        ("MediKit", DOWN, "Ana MediKit at 10 vs Dwn", (5, 11), 0, ()),
        ("MediKit", DOWN, "Ana MediKit at 10 vs Dwn", (5, 12), 1, ("Dead",)),
        ("MediKit", DOWN, "Ana MediKit at 10 vs Dwn", (13,), 1, ("Unconscious",)),
        ("MediKit (+1B)", DOWN, "Ana MediKit at 6 vs Dwn", (5, 6, 20, 3), 0, ()),
        ("Paramedic", f"{DOWN}, MediKit (PH=14)", "Ana medikit contact vs Dwn", (14,), 0, ()),
        ("GizmoKit", "PH 8, STR 2", "Ana GizmoKit at 20 vs Dwn", (6, 9), 2, ("Unconscious",)),
        ("GizmoKit", "PH 8, STR 1, Remote Presence, Unconscious", "Ana GizmoKit contact vs Dwn", (8,), 0, ()),
        ("GizmoKit", "PH 8, STR 2, Tech-Recovery, Isolated", "Ana GizmoKit contact vs Dwn", (9,), 1, ("Isolated",)),
        ("Doctor (2W)", "PH 9, W 2, Unconscious", "Ana doctor vs Dwn", (13,), 0, ()),
    ],
)
def test_a_kit_lets_its_target_roll_and_treats_it(
    line: str, target: str, order: str, faces: tuple[int, ...], lost: int, states: tuple[str, ...]
) -> None:
    table, fallen = on_table(line, target), iter(faces)
    state = pressed(table, opened(table, order), "roll", fallen)
    if any(offer.key == "save" for offer in infinity.offers(state)):
        assert not table["Dwn"].states or table["Dwn"].is_down or "Isolated" in table["Dwn"].states
        state = pressed(table, state, "save", fallen)
    assert next(fallen, None) is None
    assert (table["Dwn"].lost, table["Dwn"].states) == (lost, states)
    assert not [offer.key for offer in infinity.offers(state) if offer.key.startswith("guts")]


@pytest.mark.parametrize(
    ("line", "target", "order", "says"),
    [
        ("MediKit", "PH 11, W 1", "Ana MediKit at 10 vs Dwn", "Unconscious with VITA"),
        ("MediKit", "PH 8, STR 1, Unconscious", "Ana MediKit contact vs Dwn", "Unconscious with VITA"),
        ("GizmoKit", DOWN, "Ana GizmoKit at 10 vs Dwn", "repairs lost STR"),
        ("MediKit", f"{DOWN}, Dogged", "Ana MediKit at 10 vs Dwn", "Unconscious|Dogged"),
        ("MediKit", DOWN, "Dwn 12 vs Ana MediKit at 10", "cannot declare MediKit in ARO|Unconscious"),
        ("MediKit", DOWN, "Ana MediKit at 25 vs Dwn", "at most 24"),
        ("Courage", DOWN, "Ana medikit at 10 vs Dwn", "MediKit"),
    ],
)
def test_a_kit_is_refused_where_it_helps_nobody(line: str, target: str, order: str, says: str) -> None:
    troopers = {"Ana": f"{ARMED}, {line}", "Dwn": target}
    if "Dogged" in target:
        troopers["Dwn"] = "PH 11, W 1, Dogged"
    with pytest.raises(PlayerError, match=says):
        order_of({"troopers": troopers, "order": order})


def test_a_failed_doctor_is_rerolled_by_the_skill_and_then_by_command_tokens() -> None:
    """K08: the last roll counts, and the target is Dead only when no reroll follows."""
    (case,) = [pair for pair in PAIRS if pair["id"] == "K08"]
    table = on_table("Doctor (ReRoll -3)", f"{DOWN}, Cube")
    state = pressed(table, opened(table, "Ana doctor vs Dwn"), "roll", iter([15, 11]))
    svs = [state.declared.rolls[0].sv, state.order.rolls[0].sv if state.order else None]
    assert table["Dwn"].states == ("Unconscious",)
    state = pressed(table, state, "token", iter([14]))
    svs.append(state.order.rolls[0].sv if state.order else None)
    assert svs == [roll["sv"] for roll in case["rolls"]]
    assert (table["Dwn"].states, table[TURN].tokens) == (("Unconscious",), ((1, 3),))
    kept = dict(table)
    pressed(kept, state, "keep", iter([]))
    assert kept["Dwn"].states == ("Dead",)
    state = pressed(table, state, "token", iter([13]))
    assert (table["Dwn"].states, table["Dwn"].lost, table[TURN].tokens) == ((), 0, ((1, 2),))
    assert "15 → 11 → 14 → 13" in " ".join(map(str, GAME.card(state, {}).trail))
    bare = on_table("Doctor (ReRoll WIP=10)", DOWN)
    pressed(bare, opened(bare, "Ana doctor vs Dwn"), "roll", iter([15, 11]))
    assert bare["Dwn"].states == ("Dead",), "without a Cube no token helps"


@pytest.mark.parametrize("extra", [" (ReRoll -3)", " (ReRoll WIP=10)", ""])
def test_the_odds_of_a_rerolled_doctor_are_those_of_the_table(extra: str) -> None:
    words = {"troopers": {"Ana": f"{ARMED}, Doctor{extra}", "Dwn": DOWN}, "order": "Ana doctor vs Dwn"}
    order = order_of(words)
    came = Counter[str]()
    for faces in product(range(20), repeat=2):
        dice = iter(faces)
        (result,) = play.results(infinity.start(order, lambda _, dice=dice: next(dice)))  # type: ignore[misc]  # a lambda with a default
        came[f"{result.a.hits}+{result.a.crits}"] += 1
    found: Any = odds(order)
    assert {key: Fraction(ways, found["total"]) for key, ways in found["hits_crits"].items()} == {
        key: Fraction(ways, 400) for key, ways in came.items()
    }


def test_a_critical_of_a_template_is_one_against_its_main_target_alone() -> None:
    """K20, on the table and in the odds: every way in which three dice can fall."""
    order = order_of({"order": "Ana 12 template vs Bo 11 dodge, Kim 12 dodge"})
    faces = iter([11, 4, 11])
    state = infinity.start(order, lambda _: next(faces))
    assert [(result.winner, result.a.crits) for result in play.results(state)] == [("a", 1), ("b", 0)]
    assert "against Kim: 12 is canceled by Critical 12" in " ".join(map(str, GAME.card(state, {}).trail))
    walked = Counter[tuple[str, ...]]()
    for three in product(range(20), repeat=3):
        dice = iter(three)
        came = play.results(infinity.start(order, lambda _, dice=dice: next(dice)))  # type: ignore[misc]  # a lambda with a default
        walked[tuple(comparison.winner for comparison in came)] += 1
    assert winners(order, 0).weights == walked
    n4 = order_of({"order": "Ana 12 template vs Bo 11 dodge, Kim 12 dodge n4"})
    assert [meeting.plain for meeting in n4.meetings] == [None, None]
    with pytest.raises(BadInputError, match="at most 20"):
        odds(order_of({"order": "Ana 22 template vs Bo 11 dodge, Kim 12 dodge"}))


@pytest.mark.parametrize("said", ["move", "idle", "jump", "climb", "reload", "place deployable", "Move"])
def test_who_rolls_nothing_is_reacted_to_with_one_die(said: str) -> None:
    for order in (
        f"Ana {said} vs Bo Combi Rifle at 12, Cy dodge",
        f"Ana {said}; Bo Combi Rifle at 12 vs Ana; Cy dodge",
    ):
        result = order_of({"troopers": {"Ana": ARMED, "Bo": RIFLE, "Cy": RIFLE}, "order": order})
        assert [(roll.name, roll.sv, roll.burst, roll.side) for roll in result.rolls] == [
            ("Bo", 15, 1, Side.DEFENDER),
            ("Cy", 10, 1, Side.DEFENDER),
        ]
    with pytest.raises(BadInputError, match="rolls no dice"):
        order_of({"order": f"Joe {said}"})


def test_look_out_is_one_minus_three_in_all() -> None:
    held = {"Ana": f"{ARMED}, {COMBI}", "Bo": ARMED, "Cy": f"{ARMED}, Sixth Sense"}
    for said, sv in (("dodge warned zoc", 9), ("dodge zoc", 9), ("dodge", 12)):
        assert order_of({"troopers": held, "order": f"Ana Combi Rifle at 12 vs Bo {said}"}).rolls[1].sv == sv
    assert order_of({"troopers": held, "order": "Ana Combi Rifle at 12 vs Cy dodge warned"}).rolls[1].sv == 12


@pytest.mark.parametrize(
    ("order", "says"),
    [
        ("Ana Sword at 12 guard vs Bo", "reaches 8 inches"),
        ("Bo Knife at 6 guard vs Ana", "Bo has no Guard"),
        ("Ana Combi Rifle at 6 guard vs Bo", "`guard` has no effect for Ana"),
        ("Bo Combi Rifle at 6 vs Ana Sword", "needs contact"),
    ],
)
def test_guard_needs_its_skill_and_a_target_that_is_near(order: str, says: str) -> None:
    held = {"Ana": f"{ARMED}, Guard, {COMBI}, Sword: CC PS 6", "Bo": f"{ARMED}, {COMBI}, Knife: CC PS 5"}
    with pytest.raises(ForbiddenByStateError, match=says):
        order_of({"troopers": held, "order": order})
    reacts = order_of({"troopers": held, "order": "Bo Combi Rifle at 6 vs Ana Sword guard"})
    assert [roll.sv for roll in reacts.rolls] == [15, 20]


@pytest.mark.parametrize("said", ["speculative", "intuitive"])
def test_cover_that_does_not_count_to_hit_does_not_help_the_save(said: str) -> None:
    grenade = "Grenade: B1 PS 6 N ARM PH speculative 0@8 -3@16"
    with pytest.raises(ForbiddenByStateError, match="`cover` has no effect for Ana"):
        order_of({"troopers": {"Ana": f"{ARMED}, {grenade}"}, "order": f"Ana Grenade at 8 {said} cover vs Bo"})


def played(held: Mapping[str, Trooper], order: str) -> OpenOrder:
    declared = pieces.declare({"order": order}, held)
    assert isinstance(declared, OpenOrder)
    return declared


def test_a_typed_move_or_suppressive_fire_opens_an_order_that_others_react_to() -> None:
    held: dict[str, Any] = {
        "Doc": replace(parse("Doc", f"{ARMED}, {COMBI} suppressive"), owner=1),
        "Bo": replace(parse("Bo", RIFLE), owner=2),
    }
    held |= {TURN: replace(PlayerTurn(), active=1, pools=(OrderPool(1, 2, 2),))}
    moves = played(held, "Doc move vs Bo Combi Rifle at 12")
    assert (moves.first, moves.second, len(moves.lines)) == ("Doc", False, 1)
    fires = played(held, "Doc suppressive fire")
    state = infinity.start(fires, nothing)
    assert {"quick-2-0", "at-once"} <= {offer.key for offer in infinity.offers(state)}
    _, opened = pieces.settle(None, state, held, nothing)
    assert opened[TURN].pools[0].left == 1
    after = infinity.choose(state, Choice("roll"), nothing)
    _, changed = pieces.settle(state, after, {**held, **opened}, nothing)
    assert changed["Doc"].states == ("Suppressive Fire",)
    assert "is in Suppressive Fire now" in str(GAME.card(after, {}).outcome)
    reacted = infinity.choose(state, Choice("quick-2-0", (), {}), nothing)
    fallen = infinity.choose(reacted, Choice("roll"), nothing)
    _, changed = pieces.settle(reacted, fallen, {**held, **opened}, nothing)
    assert changed["Doc"].states == ("Suppressive Fire",)
    with pytest.raises(PlayerError, match="doesn't have a weapon with Suppressive Fire"):
        pieces.declare({"order": "Hand suppressive fire"}, {"Hand": parse("Hand", ARMED)})


@pytest.mark.parametrize("typed", ["Mora", "MÓRA", "móra"])
def test_a_name_is_found_without_its_accents(typed: str) -> None:
    order = order_of({"troopers": {"Móra": RIFLE, "Ana": ARMED}, "order": f"Ana 12 vs {typed} dodge"})
    assert (order.rolls[1].name, order.rolls[1].sv) == ("Móra", 10)


@pytest.mark.parametrize(("spent", "burst"), [((), 2), (("Panzerfaust",), 1)])
def test_each_die_of_a_burst_mod_is_a_use_more_of_a_disposable_weapon(spent: tuple[str, ...], burst: int) -> None:
    ana = replace(parse("Ana", f"{ARMED}, BS Attack (+1B), {FAUST}"), spent=spent)
    held = {"Ana": ana, "Bo": parse("Bo", "PH 10, ARM 1, W 1")}
    state = infinity.start(pieces.declare({"order": "Ana Panzerfaust at 30 vs Bo dodge"}, held), nothing)
    assert isinstance(state.declared, Order)
    assert state.declared.rolls[0].burst == burst
    _, changed = pieces.settle(None, state, held, nothing)
    assert changed["Ana"].spent == ("Panzerfaust", "Panzerfaust")


def saved(bo: str, weapon: str, **more: object) -> Mapping[str, object]:
    words: dict[str, Any] = {"troopers": {"Bo": bo}, "name": "Bo", "hits": 1, "weapon": weapon}
    return infinity.outcome(infinity.start(infinity.declare(words | more), lambda sides: sides - 1))


def test_continuous_damage_does_not_run_on_from_a_critical_s_extra_save() -> None:
    """K27: PS 7 N continuous, one Critical, ARM 1."""
    words = {"hits": 0, "crits": 1, "weapon": "PS 7 N continuous", "arm": 1}
    result = odds(infinity.declare(words))["wounds"]
    assert isinstance(result, dict)
    assert (result["0"], result["1"]) == ("4/25", "42/125")
    faces = iter([8, 0, 11])
    state = infinity.start(infinity.declare(words), lambda _: next(faces))
    assert infinity.outcome(state)["dice"] == [9, 1, 12]
    assert infinity.outcome(infinity.start(infinity.declare(words | {"dice": "9, 1, 12"}), nothing))["wounds"] == 2


def test_a_sepsitor_works_on_a_cube_alone_and_brings_its_state_alone() -> None:
    """K28 to K30."""
    weapon = "PS 4 BTS state Sepsitorized"
    cube, better, none = (
        saved(f"WIP 13, BTS 3, W 1{skill}", weapon) for skill in (", Cube", ", Cube 2.0", ", Courage")
    )
    assert (cube["sv"], cube["saves"], cube["wounds"], cube["state"]) == (7, 1, 0, "Sepsitorized")
    assert (better["sv"], better["saves"]) == (9, 1)
    assert (none["saves"], none["state"]) == (0, "")


def test_who_is_immune_to_a_state_is_told_so() -> None:
    words = {
        "troopers": {"Hi": "WIP 13, BTS 3, W 2, HI, Immunity (IMM-B)", "Ana": "WIP 14, Hacker"},
        "order": "Ana Carbonite rolls 1, 2 vs Hi",
    }
    state = infinity.start(infinity.declare(words), lambda sides: sides - 1)
    state = infinity.choose(state, Choice("save"), lambda sides: sides - 1)
    assert "Hi fails 4 of 4 Saving Rolls but is immune to Immobilized-B." in str(GAME.card(state, {}).outcome)


def test_a_template_never_lets_partial_cover_help_the_save() -> None:
    """K25."""
    words = {"troopers": {"Ana": f"{ARMED}, Missile: B1 PS 6 EXP ARM template", "Bo": "PH 10, ARM 1, W 1"}}
    order = order_of({**words, "order": "Ana Missile cover vs Bo"})
    hit = play.hit_by(order, 0, "a")
    assert hit is not None
    assert {save.number for save in list_saves(replace(hit, hits=1))} == {7}
    assert order.rolls[0].sv == 9


def test_a_long_skill_has_no_special_die() -> None:
    words = {"Ana": f"{ARMED}, Triangulated Fire, {COMBI}", "Bo": RIFLE}
    with pytest.raises(ForbiddenByStateError, match="no special die with a Long Skill"):
        order_of({"troopers": words, "order": "Ana Combi Rifle at 40 triangulated sd vs Bo"})


def test_a_sensor_finds_all_whom_it_names_and_is_no_aro() -> None:
    held = {
        "Ana": parse("Ana", f"{ARMED}, Sensor"),
        "Camo": parse("Camo", "WIP 12, W 1, Camouflaged"),
        "Other": parse("Other", "WIP 12, W 1, Camouflaged"),
    }
    state = infinity.start(pieces.declare({"order": "Ana sensor vs Camo, Other"}, held), nothing)
    _, changed = pieces.settle(None, state, held, nothing)
    assert [changed[name].states for name in ("Camo", "Other")] == [(), ()]
    with pytest.raises(ForbiddenByStateError, match="Ana can't declare Sensor as an ARO"):
        pieces.declare({"order": "Other 12 vs Ana sensor"}, held)
    with pytest.raises(ForbiddenByStateError, match="doesn't have Sensor"):
        order_of({"troopers": {"Bo": RIFLE}, "order": "Bo sensor"})


def test_friends_of_who_acts_are_not_asked_for_aros() -> None:
    doc = replace(parse("Doc", f"{ARMED}, Doctor"), owner=1)
    hurt = replace(parse("Hurt", "PH 11, W 1, Unconscious"), owner=1, lost=1)
    foe = replace(parse("Foe", RIFLE), owner=2)
    order = infinity.declare({"order": "Doc doctor vs Hurt", "open": True}, {"Doc": doc, "Hurt": hurt, "Foe": foe})
    assert isinstance(order, OpenOrder)
    offers = open_order.offers(replace(order, asks=True))
    assert not [offer.key for offer in offers if offer.key.startswith(("react", "quick"))]
    (aro,) = (offer for offer in offers if offer.key == "aro")
    assert [option.value for option in aro.fields[0].options] == ["Foe"]


@pytest.mark.parametrize("words", ["combi", "Combi Rifle", "combi rifle", "mochila", "MOCHILA"])
def test_a_weapon_is_found_with_and_without_rifle_accents_and_capitals(words: str) -> None:
    trooper = parse("Ana", f"{ARMED}, {COMBI}, M\u00f3chila Rifle: B1 PS 5 +3@8")
    assert weapon_of(trooper, words) is not None


def test_only_what_a_profile_has_is_offered_around_an_attack() -> None:
    def offered(line: str) -> set[str]:
        return {option.value.partition(" ")[0] for option in fields.attack_circumstances(parse("Ana", line))}

    assert not offered(f"{ARMED}, Mimetism (-3), {COMBI} suppressive") & {"surprise", "speculative", "guided"}
    assert offered(f"{ARMED}, Surprise Attack (-3), Grenade: PH speculative") >= {"surprise", "speculative"}
    assert offered(f"{ARMED}, {COMBI}") >= {"surprise", "speculative"}, "a profile that was typed in short is believed"
