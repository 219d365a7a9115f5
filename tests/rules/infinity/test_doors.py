"""Every skill and piece of equipment that people use in an order, by its three doors: typed words, the keys of JSON,
and the options of a form. The same declaration gives the same numbers, or the same refusal, by each of them.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from bot.rules import infinity
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Offer
from bot.rules.infinity.dice.saves import list_saves
from bot.rules.infinity.orders import play
from bot.rules.infinity.table import army, pieces
from bot.rules.infinity.troopers.declared import Action, Order, Save, Weapon
from bot.rules.infinity.troopers.trooper import Trooper, parse, weapon_of
from tests.rows import for_each_row
from tests.rules.infinity.test_pairs import Spoken, in_words, nothing, rolls, started, taken_apart

STATS: Final = "BS 12, CC 15, PH 11, WIP 13, ARM 1, BTS 3, W 1, LI"
COMBI: Final = "Combi Rifle: B3 PS 7 N ARM +3@16 -3@32 -6@48 suppressive"
FLASH: Final = "Flash Pulse: B1 WIP PS 7 BTS Stun nonlethal state Stunned 0@8 +3@24 -3@48 -6@96"
GRENADE: Final = "Grenades: B1 PS 7 N PH template 0@8 -3@16 speculative"
KNIFE: Final = "Knife: CC PS 8"
SMOKE: Final = "Smoke Grenades: B1 PH Smoke template 0@8 -3@16 speculative"
FLAMER: Final = "Flamer: PS 6 N direct intuitive"
BO: Final = f"BS 11, CC 14, PH 10, WIP 12, ARM 2, BTS 0, W 1, LI, Mimetism (-3), {COMBI}, {KNIFE}"
DOWN: Final = "PH 11, WIP 12, ARM 1, W 1, LI, Unconscious"
REM: Final = "PH 8, WIP 12, ARM 1, STR 1, REM"
TAG: Final = f"BS 14, PH 15, WIP 13, ARM 8, BTS 6, STR 3, TAG, {COMBI}"
CAMO: Final = "PH 11, WIP 12, Mimetism (-3), Camouflaged"

Row = tuple[str, str, Mapping[str, str]]
"""A typed order, its numbers as the rules page has them, and the profiles that differ from the usual ones.

Of each roll the Success Value and the dice (``7x2+1``: and a special die); behind ``|`` what a hit is saved with.
"""


def ana(*more: str) -> Mapping[str, str]:
    return {"Ana": ", ".join([STATS, *more])}


ROWS: Final[Mapping[str, Row]] = {
    "Forward Observer": (
        "Ana Forward Observer at 20 cover vs Bo dodge",
        "Ana 7x2, Bo 10x1 | Bo none",
        ana("Forward Observer"),
    ),
    "Forward Observer, Fireteam": (
        "Ana Forward Observer at 20 fireteam 4 vs Bo",
        "Ana 11x2+1 normal | Bo none",
        ana("Forward Observer"),
    ),
    "Flash Pulse": ("Ana Flash Pulse at 20 vs Bo Combi Rifle", "Ana 13x1, Bo 8x1 | Ana ARM 8; Bo BTS 7", ana(FLASH)),
    "Flash Pulse as an ARO": (
        "Bo Combi Rifle at 20 vs Ana Flash Pulse",
        "Bo 8x3, Ana 13x1 | Ana ARM 8; Bo BTS 7",
        ana(FLASH),
    ),
    "Spotlight": ("Ana Spotlight vs Bo reset", "Ana 13x2, Bo 12x1 | Bo BTS 5", ana("Hacker")),
    "Carbonite": (
        "Ana Carbonite vs Tag reset",
        "Ana 13x2, Tag 13x1 | Tag BTS 13/BTS 13",
        {**ana("Hacker"), "Tag": TAG},
    ),
    "Oblivion": (
        "Ana Oblivion vs Tag Combi Rifle at 12",
        "Ana 13x2, Tag 17x1 | Ana ARM 8; Tag BTS 7",
        {**ana("Hacker"), "Tag": TAG},
    ),
    "Total Control": ("Ana Total Control vs Tag", "Ana 13x1 normal | Tag BTS 10/BTS 10", {**ana("Hacker"), "Tag": TAG}),
    "Trinity": (
        "Ana Trinity vs Bo reset",
        "Ana 16x3, Bo 12x1 | Bo BTS 6",
        {**ana("Killer Hacking Device"), "Bo": f"{BO}, Hacker"},
    ),
    "Trinity at nobody with a device": (
        "Ana Trinity vs Bo reset",
        "refused: Trinity works only against Hacker",
        ana("Killer Hacking Device"),
    ),
    "Zero Pain": (
        "Bo Spotlight vs Ana Zero Pain",
        "Bo 9x2, Ana 13x2 | Ana BTS 7; Bo none",
        {**ana("Hacker (UPGRADE: Zero Pain)"), "Bo": f"{BO}, Hacker"},
    ),
    "Jammer": (
        "Ana Jammer vs Bo reset",
        "Ana 13x1, Bo 12x1 | Bo BTS 7",
        ana("Jammer: B1 WIP PS 7 BTS hack state Isolated disposable(2)"),
    ),
    "MediKit from afar": (
        "Ana MediKit at 10 cover vs Dwn",
        "Ana 9x1 normal | Dwn PH 11",
        {**ana("MediKit"), "Dwn": DOWN},
    ),
    "MediKit, its target's PH": (
        "Ana MediKit at 10 vs Dwn",
        "Ana 12x1 normal | Dwn PH 14",
        {**ana("MediKit"), "Dwn": f"{DOWN}, MediKit (PH=14)"},
    ),
    "MediKit, two dice": (
        "Ana MediKit at 6 vs Dwn",
        "Ana 15x2 normal | Dwn PH 11",
        {**ana("MediKit (+1B)"), "Dwn": DOWN},
    ),
    "Paramedic in contact": (
        "Ana MediKit contact vs Dwn",
        "Ana 0x1 normal | Dwn PH 11",
        {**ana("Paramedic"), "Dwn": DOWN},
    ),
    "MediKit too far": ("Ana MediKit at 25 vs Dwn", "refused: Use at most 24 inches", {**ana("MediKit"), "Dwn": DOWN}),
    "MediKit through a zone": (
        "Ana MediKit at 10 poor vs Dwn",
        "Ana 6x1 normal | Dwn PH 11",
        {**ana("MediKit"), "Dwn": DOWN},
    ),
    "MediKit at STR": (
        "Ana MediKit at 10 vs Rem",
        "refused: Unconscious with VITA",
        {**ana("MediKit"), "Rem": f"{REM}, Unconscious"},
    ),
    "MediKit and a shot at its user": (
        "Ana MediKit at 10 vs Dwn; Bo Combi Rifle at 12 vs Ana",
        "Ana 12x1 normal, Bo 14x1 normal | Ana ARM 8; Dwn PH 11",
        {**ana("MediKit"), "Dwn": DOWN},
    ),
    "GizmoKit": (
        "Ana GizmoKit at 20 vs Rem",
        "Ana 6x1 normal | Rem PH 8",
        {**ana("GizmoKit"), "Rem": f"{REM}, Unconscious"},
    ),
    "GizmoKit at VITA": ("Ana GizmoKit at 20 vs Dwn", "refused: has lost none", {**ana("GizmoKit"), "Dwn": DOWN}),
    "Doctor": ("Ana doctor vs Dwn", "Ana 16x1 normal", {**ana("Doctor (+3)"), "Dwn": DOWN}),
    "Doctor with a reroll": (
        "Ana doctor vs Dwn",
        "Ana 13x1 normal",
        {**ana("Doctor (ReRoll -3)"), "Dwn": f"{DOWN}, Cube"},
    ),
    "Doctor of two Wounds": ("Ana doctor vs Dwn", "Ana 13x1 normal", {**ana("Doctor (2W)"), "Dwn": DOWN}),
    "Doctor at nobody who is hurt": ("Ana doctor vs Bo", "refused: Bo is neither", ana("Doctor", COMBI)),
    "no Doctor": ("Ana doctor vs Dwn", "refused: Ana doesn't have Doctor", {**ana(COMBI), "Dwn": DOWN}),
    "Engineer": ("Ana engineer vs Rem", "Ana 14x1 normal", {**ana("Engineer (WIP=14)"), "Rem": f"{REM}, Unconscious"}),
    "Engineer with a reroll": (
        "Ana engineer vs Rem",
        "Ana 13x1 normal",
        {**ana("Engineer (ReRoll WIP=10)"), "Rem": f"{REM}, Isolated"},
    ),
    "Sensor alone": ("Ana sensor", "Ana 19x1 normal", {**ana("Sensor"), "Bo": CAMO}),
    "Sensor": ("Ana sensor vs Camo", "Ana 19x1 normal", {**ana("Sensor"), "Camo": CAMO}),
    "Sensor while Stunned": (
        "Ana sensor vs Camo",
        "refused: can't declare Sensor",
        {**ana("Sensor", "Stunned", COMBI), "Camo": CAMO},
    ),
    "Discover with a Sensor": ("Ana discover at 10 cover vs Camo", "Ana 13x1 normal", {**ana("Sensor"), "Camo": CAMO}),
    "Discover": ("Ana discover at 40 vs Camo", "Ana 7x1 normal", {**ana(COMBI), "Camo": CAMO}),
    "Forward Observer at a marker": (
        "Ana Forward Observer at 10 vs Camo",
        "refused: in the Camouflaged state",
        {**ana("Forward Observer"), "Camo": CAMO},
    ),
    "Forward Observer while Stunned": (
        "Ana Forward Observer at 10 vs Bo",
        "refused: can't declare BS Attack",
        ana("Forward Observer", "Stunned"),
    ),
    "Intuitive Attack": ("Ana Flamer intuitive vs Camo", "Ana 13x1 normal | Camo ARM 6", {**ana(FLAMER), "Camo": CAMO}),
    "Intuitive Attack through smoke": ("Ana Flamer intuitive vs Bo dodge", "Ana 13x1, Bo 10x1 | Bo ARM 8", ana(FLAMER)),
    "Triangulated Fire": (
        "Ana Combi Rifle at 40 triangulated vs Bo dodge",
        "Ana 12x4, Bo 10x1 | Bo ARM 9",
        ana("Triangulated Fire", "BS Attack (+1B)", "BS Attack (+1SD)", COMBI),
    ),
    "no Triangulated Fire": (
        "Ana Combi Rifle at 40 triangulated vs Bo dodge",
        "refused: Ana doesn't have Triangulated Fire",
        ana("Courage", COMBI),
    ),
    "Speculative Attack": (
        "Ana Grenades at 14 speculative vs Bo dodge",
        "Ana 2x1, Bo 10x1 | Bo ARM 9",
        ana("BS Attack (+1SD)", GRENADE),
    ),
    "+1 SD": ("Ana Combi Rifle at 12 vs Bo dodge", "Ana 12x3+1, Bo 10x1 | Bo ARM 9", ana("BS Attack (+1SD)", COMBI)),
    "Guard": (
        "Ana Knife at 6 guard vs Bo Combi Rifle",
        "Ana 15x1, Bo 11x1 | Ana ARM 8; Bo ARM 10",
        ana("Guard", "Martial Arts L1", KNIFE),
    ),
    "Guard as an ARO": (
        "Bo Combi Rifle at 6 vs Ana Knife guard",
        "Bo 11x3, Ana 15x1 | Ana ARM 8; Bo ARM 10",
        ana("Guard", "Martial Arts L1", KNIFE),
    ),
    "Look Out!": ("Ana Combi Rifle at 12 vs Bo dodge warned", "Ana 12x3, Bo 7x1 | Bo ARM 9", ana(COMBI)),
    "a Move": ("Ana move vs Bo Combi Rifle at 12", "Bo 14x1 normal | Ana ARM 8", ana()),
    "a Move and a Dodge": ("Ana move vs Bo dodge", "Bo 10x1 normal", ana()),
    "a Move through a zone": ("Ana move vs Bo Combi Rifle at 12 low", "Bo 11x1 normal | Ana ARM 8", ana()),
    "idle": ("Ana idle vs Bo Combi Rifle at 12", "Bo 14x1 normal | Ana ARM 8", ana()),
    "a Move in Suppressive Fire": ("Ana move vs Bo Combi Rifle at 20 suppressive", "Bo 8x3 normal | Ana ARM 8", ana()),
    "Suppressive Fire": (
        "Ana Combi Rifle at 20 vs Bo Combi Rifle suppressive",
        "Ana 3x3, Bo 8x3 | Ana ARM 8; Bo ARM 9",
        ana(COMBI),
    ),
    "Surprise Attack": (
        "Ana Combi Rifle at 12 surprise vs Bo Combi Rifle",
        "Ana 12x3, Bo 8x1 | Ana ARM 8; Bo ARM 9",
        ana("Surprise Attack (-6)", COMBI),
    ),
    "Surprise Attack (CC-6)": (
        "Ana Knife surprise vs Bo Knife",
        "Ana 15x1, Bo 8x1 | Ana ARM 9; Bo ARM 10",
        ana("Surprise Attack (CC-6)", KNIFE),
    ),
    "Surprise Attack (CC-6), dodged": (
        "Ana Knife surprise vs Bo dodge",
        "Ana 15x1, Bo 7x1 | Bo ARM 10",
        ana("Surprise Attack (-3)", "Surprise Attack (CC-6)", KNIFE),
    ),
    "Smoke": ("Ana Smoke Grenades at 7 vs Bo Combi Rifle at 12", "Ana 11x1, Bo 14x1 | Ana ARM 8", ana(SMOKE)),
    "Smoke past a shot": (
        "Ana Smoke Grenades at 7 vs Bo Combi Rifle at 12 past",
        "Ana 11x1 normal, Bo 14x1 normal | Ana ARM 8",
        ana(SMOKE),
    ),
    "Smoke and a Visor": (
        "Ana Smoke Grenades at 7 vs Bo Combi Rifle at 12",
        "Ana 11x1 normal, Bo 14x1 normal | Ana ARM 8",
        {**ana(SMOKE), "Bo": f"{BO}, MSV 1"},
    ),
    "Smoke as an ARO": ("Bo Combi Rifle at 12 vs Ana Smoke Grenades at 7", "Bo 14x3, Ana 11x1 | Ana ARM 8", ana(SMOKE)),
    "Smoke, speculative": (
        "Ana Smoke Grenades at 14 speculative vs Bo Combi Rifle at 15",
        "Ana 2x1, Bo 14x1 | Ana ARM 8",
        ana(SMOKE),
    ),
    "Eclipse": (
        "Ana Eclipse Grenades at 7 vs Bo Combi Rifle at 12",
        "Ana 11x1, Bo 14x1 | Ana ARM 8",
        {**ana("Eclipse Grenades: B1 PH Eclipse template 0@8 -3@16"), "Bo": f"{BO}, MSV 3"},
    ),
    "Dodge": ("Bo Combi Rifle at 12 vs Ana dodge zoc", "Bo 14x3, Ana 11x1 | Ana ARM 8", ana("Dodge (+3)")),
    "Dodge of a template": (
        "Bo Flamer vs Ana dodge",
        "Bo 0x1, Ana 11x1 | Ana ARM 7",
        {**ana(COMBI), "Bo": f"{BO}, {FLAMER}"},
    ),
    "Reset": ("Bo Spotlight vs Ana reset", "Bo 15x2, Ana 10x1 | Ana BTS 7", {**ana("Targeted"), "Bo": f"{BO}, Hacker"}),
    "Sepsitor": (
        "Ana Sepsitor vs Bo dodge",
        "Ana 0x1, Bo 10x1 | Bo BTS 6",
        {**ana("Sepsitor: B1 PS 4 BTS direct state Sepsitorized disposable(2)"), "Bo": f"{BO}, Cube 2.0"},
    ),
    "Sepsitor at nobody with a Cube": (
        "Ana Sepsitor vs Bo dodge",
        "Ana 0x1, Bo 10x1 | Bo none",
        ana("Sepsitor: B1 PS 4 BTS direct state Sepsitorized disposable(2)"),
    ),
    "Carbonite at an immune trooper": (
        "Ana Carbonite vs Bo reset",
        "Ana 13x2, Bo 12x1 | Bo BTS 7/BTS 7",
        {**ana("Hacker"), "Bo": f"{BO.replace('LI', 'HI')}, Immunity (IMM-B)"},
    ),
    "Continuous Damage": (
        "Ana Viral at 12 vs Bo dodge",
        "Ana 12x3, Bo 10x1 | Bo ARM 9",
        ana("Viral: B3 PS 7 N ARM continuous +3@16"),
    ),
    "a disposable weapon": (
        "Ana Faust at 30 vs Bo dodge",
        "Ana 12x2, Bo 10x1 | Bo ARM 7",
        ana("BS Attack (+1B)", "Faust: B1 PS 5 N disposable(2) +3@32"),
    ),
    "an improvised weapon": (
        "Ana Stone at 6 vs Bo dodge",
        "Ana 3x1, Bo 10x1 | Bo ARM 7",
        ana("Stone: B1 PS 5 N improvised 0@8"),
    ),
    "Coup de Grâce": ("Ana Knife vs Dwn", "Ana 0x1 normal | Dwn none", {**ana(KNIFE), "Dwn": DOWN}),
    "Berserk": (
        "Ana Knife berserk vs Bo Knife",
        "Ana 18x1, Bo 14x1 | Ana ARM 9; Bo ARM 10",
        ana("Berserk (+3)", KNIFE),
    ),
    "a Guided attack": (
        "Ana Missile at 40 guided vs Bo dodge",
        "Ana 18x1, Bo 10x1 | Bo ARM 8/ARM 8/ARM 8",
        {**ana("BS Attack (Guided)", "Missile: B1 PS 6 EXP -3@16 +3@40"), "Bo": f"{BO}, Targeted"},
    ),
    "an attack through Eclipse": (
        "Ana Combi Rifle at 12 eclipse vs Bo dodge",
        "refused: has no line of fire through Eclipse",
        ana("MSV 3", COMBI),
    ),
    "Infiltration": ("Ana infiltration", "Ana 15x1 normal", ana("Infiltration (PH=18)", COMBI)),
    "Impersonation": ("Ana impersonation", "Ana 13x1 normal", ana("Impersonation", COMBI)),
}


def by_words(held: Mapping[str, str], order: str) -> Order:
    return in_words(held, order.replace("warned", "look out"))


def by_keys(held: Mapping[str, str], order: str) -> Order:
    """Each side as an object of keys; nothing stands behind a name."""

    def side(said: Spoken) -> Mapping[str, object]:
        does = "weapon" if weapon_of(parse(said.name, held[said.name]), said.does) else "kind"
        flags: dict[str, object] = dict.fromkeys(said.around, True)
        flags |= {"around": "suppressive"} if flags.pop("suppressive", False) else {}
        flags |= {"fireteam": 4} if flags.pop("fireteam 4", False) else {}
        known = {"name": said.name, does: said.does, "at": int(said.at or -1)}
        return {key: value for key, value in known.items() if value not in ("", -1)} | flags

    (acts, targets), *more = taken_apart(order)
    sides = [side(item) for item in targets]
    words: Mapping[str, object] = {"a": side(acts)} | ({"b": sides[0]} if sides else {})
    if more:  # a reaction that isn't the target's is a line of its own
        words = {"order": order.split("; ")}
    declared = infinity.declare({"troopers": dict(held), **words})
    assert isinstance(declared, Order)
    return declared


PROPERTIES: Final = {word: text.title() for text, word in army.FLAGS.items()}
ACTS: Final = {Action.DIRECT: "Direct Template", Action.TEMPLATE: "Impact Template", Action.CC: "CC"}


def by_import(held: Mapping[str, str], order: str) -> Order:
    """The same words for Ana as the official builder's data has her."""
    trooper = parse("Ana", held["Ana"])
    items = [(replace(skill, extras=()).text, list(skill.extras)) for skill in trooper.parsed_skills]
    stats = {key.lower(): number for key, number in trooper.stats.items()}
    profile = stats | {"name": "Ana", "skills": [{"id": name, "extra": extras} for name, extras in items]}
    group = {"profiles": [profile | {"weapons": [{"id": arm.name} for arm in trooper.weapons]}]}
    data = {"units": [{"name": "Ana", "profileGroups": [group]}], "weapons": [*map(official, trooper.weapons)]}
    read = army.read_trooper("Ana", "Ana", json.dumps(data))
    table = {
        "Ana": replace(read, states=trooper.states),
        **{name: parse(name, held[name]) for name in held if name != "Ana"},
    }
    declared = infinity.declare({"order": order}, table)
    assert isinstance(declared, Order)
    return declared


def official(weapon: Weapon) -> dict[str, object]:
    """A weapon as army data has it; its distances are in centimeters."""
    words = [*weapon.traits, weapon.stat, *["continuous"] * weapon.continuous, *["nonlethal"] * weapon.nonlethal]
    properties = [PROPERTIES[word] for word in words if word in PROPERTIES]
    properties += [ACTS[weapon.action]] if weapon.action in ACTS else []
    properties += ["Comms. Attack"] * (weapon.action is Action.HACK) + [f"State: {weapon.state}"] * bool(weapon.state)
    properties += [f"Disposable ({weapon.uses})"] * bool(weapon.uses)
    distance = {str(at): {"max": band.inches * 5 // 2, "mod": f"{band.mod:+}"} for at, band in enumerate(weapon.bands)}
    return {
        "id": weapon.name,
        "name": weapon.name,
        "burst": str(weapon.burst),
        "damage": str(weapon.power),
        "saving": weapon.save or "ARM",
        "ammunition": weapon.ammunition,
        "properties": properties,
        "distance": distance,
    }


class NotOfferedError(Exception):
    """A form doesn't have what a typed line says."""


def by_options(held: Mapping[str, str], order: str) -> Order:
    """The forms of an attack and of each reaction; nothing is typed. A deployment is a button of the board."""
    (acts, targets), *more = taken_apart(order)
    if acts.does in ("infiltration", "impersonation"):
        declared = pieces.declare({"deploys": acts.name}, {name: parse(name, line) for name, line in held.items()})
        assert isinstance(declared, Order)
        return declared
    table: dict[str, Any] = {name: replace(parse(name, line), owner=1 + (name in FOES)) for name, line in held.items()}
    is_still = acts.does in ("move", "idle")
    if is_still:
        state = infinity.start(pieces.declare({"moves": acts.name}, {**table, **started()}), nothing)
    else:
        whom = ", ".join(item.name for item in targets) or next(name for name in held if name != acts.name)
        state = infinity.start(infinity.declare({"who": acts.name, "whom": whom}, table), nothing)
        state = filled(state, "attack-1", acts, table[acts.name])
    for target in [*targets, *(item for item, _ in more)]:
        if target.rolls:
            state = filled(state, f"react-{[*held].index(target.name) + 1}", target, table[target.name])
    if is_still:
        state = infinity.choose(state, Choice("second"), nothing)
        state = infinity.choose(state, Choice("idle"), nothing) if "idle" in offered(state) else state
    state = infinity.choose(state, Choice("roll"), nothing)
    assert isinstance(state.declared, Order), state.declared
    return state.declared


FOES: Final = ("Bo", "Tag", "Camo")


def offered(state: play.State) -> dict[str, Offer]:
    return {offer.key: offer for offer in infinity.offers(state)}


def filled(state: play.State, key: str, said: Spoken, trooper: Trooper) -> play.State:
    """The form of an attack, a reaction, or an ARO of anybody, with the options that say so."""
    key = key if key in offered(state) else "aro"
    form = {field.key: field for field in offered(state)[key].fields}
    words = {name: field.value for name, field in form.items()} | {"who": said.name, "around": ", ".join(said.around)}
    named = [arm.name for arm in trooper.arms] if not {"weapon", "does"} & {*form} else []
    for name in ("weapon", "does"):
        options = [option.value for option in form[name].options] if name in form else named[:1]
        fitting = [item for item in options if item.casefold().partition(" (")[0] == said.does.casefold()]
        if not fitting and (name in form or named):
            raise NotOfferedError
        words |= {name: fitting[0]} if name in form else {}
    bands = [option.value.split("-") for option in form["at"].options] if said.at and "at" in form else []
    inside = [f"{least}-{most}" for least, most in bands if int(said.at) <= int(most)]
    if (said.at and not inside) or not {*said.around} <= {option.value for option in form["around"].options}:
        raise NotOfferedError
    words |= {"at": inside[0]} if inside else {}
    return infinity.choose(
        state, Choice(key, (), {name: value for name, value in words.items() if name in form}), nothing
    )


def numbers(order: Order) -> str:
    """The numbers of an order, as the rows have them."""
    said = [
        f"{name} {sv}x{burst}{f'+{special}' if special else ''}{'' if met else ' normal'}"
        for name, sv, burst, special, _, met in rolls(order)
    ]
    hits = (play.hit_by(order, at, winner) for at in range(len(order.meetings)) for winner in ("a", "b"))
    saved = sorted(f"{hit.name} {saves_of(hit)}" for hit in hits if hit is not None)
    return ", ".join(said) + (f" | {'; '.join(saved)}" if saved else "")


def saves_of(hit: Save) -> str:
    due = list_saves(replace(hit, hits=1)) if hit.weapon.is_saved else ()
    return "/".join(f"{save.attribute} {save.number}" for save in due) or "none"


@for_each_row("door", [by_words, by_keys, by_options, by_import])
@for_each_row("name", ROWS)
def test_each_skill_gives_the_same_numbers_or_the_same_refusal_by_every_door(
    name: str, door: Callable[[Mapping[str, str], str], Order]
) -> None:
    order, wanted, more = ROWS[name]
    refused = wanted.removeprefix("refused: ")
    if refused == wanted:
        assert numbers(door({"Ana": STATS, "Bo": BO, **more}, order)) == wanted
        return
    with pytest.raises((PlayerError, NotOfferedError)) as error:
        door({"Ana": STATS, "Bo": BO, **more}, order)
    assert refused in str(error.value) or (door is by_options and error.type is NotOfferedError)
