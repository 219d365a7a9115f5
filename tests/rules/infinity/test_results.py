"""What comes of a roll beyond its dice: Immunity, skills that change saves, how a trooper falls, who helps it up."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.rules import infinity
from bot.rules.game import Choice
from bot.rules.infinity.dice import saves
from bot.rules.infinity.orders import open_order
from bot.rules.infinity.orders.order import OpenOrder
from bot.rules.infinity.orders.play import State, hit_by
from bot.rules.infinity.table import pieces
from bot.rules.infinity.troopers import trooper, weapon as weapons
from bot.rules.infinity.troopers.declared import Ammo, Order, Save, TargetProfile, Weapon
from bot.rules.infinity.troopers.states import ForbiddenByStateError
from bot.rules.infinity.troopers.trooper import Trooper, parse


def save(weapon: str, *skills: str, crits: int = 0, **more: Any) -> Save:
    profile = TargetProfile(arm=5, bts=6, ph=11, skills=tuple(skills), type=more.pop("type", ""))
    return Save(hits=1, crits=crits, weapon=weapons.parse(f"Gun: {weapon}"), profile=profile, **more)


@pytest.mark.parametrize(
    ("weapon", "skills", "number", "count"),
    [
        # PS 7 + ARM 5; AP halves it to 3; Immunity (AP) does not let it
        ("PS 7 N", (), 12, 1),
        ("PS 7 AP", (), 10, 1),
        ("PS 7 AP", ("Immunity (AP)",), 12, 1),
        ("PS 7 DA", ("Immunity (DA)",), 12, 1),
        ("PS 7 DA", ("Immunity (Shock)",), 12, 2),
        ("PS 7 AP+EXP", ("Immunity (EXP)",), 10, 1),
        ("PS 7 AP+DA", ("Immunity (ARM)",), 12, 1),
        ("PS 7 EXP", ("Immunity (Enhanced)",), 12, 1),
        ("PS 7 EXP", ("Total Immunity",), 12, 1),
        ("PS 7 AP ARM=0", ("Immunity (Total)",), 12, 1),
        ("PS 7 E/M", ("Immunity (BTS)",), 13, 1),
        ("PS 7 E/M", ("Immunity (ARM)",), 10, 2),
        ("PS 7 N bioweapon", (), 12, 2),
        ("PS 7 N bioweapon", ("Bioimmunity",), 12, 1),
        # against a Comms Attack and what is not lethal it does not help
        ("PS 7 DA BTS hack nonlethal", ("Immunity (Enhanced)",), 13, 2),
        ("PS 7 AP nonlethal", ("Total Immunity",), 10, 1),
    ],
)
def test_immunity(weapon: str, skills: tuple[str, ...], number: int, count: int) -> None:
    due = saves.list_saves(save(weapon, *skills))
    assert (due[0].number, len(due)) == (number, count)


def test_immunity_to_criticals_and_states() -> None:
    assert len(saves.list_saves(save("PS 7 N", crits=1))) == 3
    assert len(saves.list_saves(save("PS 7 N", "Immunity (Critical)", crits=1))) == 2
    em, held = Weapon(ammo=(Ammo.EM,)), TargetProfile(type="HI")
    assert saves.states_of(em, held) == ("Isolated", "Immobilized-B")
    assert saves.states_of(em, TargetProfile(type="HI", skills=("Immunity (Isolated)",))) == ("Immobilized-B",)
    assert saves.states_of(em, TargetProfile(type="HI", skills=("Immunity (IMM-B)",))) == ("Isolated",)
    assert saves.saves_per_hit(save("PS 7 N continuous", "Immunity (Continuous Damage)"))[0].tries == 1


def hit(order: str, **troopers: str) -> Save:
    """The Saving Rolls that the first attack of an order calls for."""
    declared = infinity.declare({"troopers": troopers, "order": order})
    assert isinstance(declared, Order)
    result = hit_by(declared, 0, "a")
    assert result is not None
    return replace(result, hits=1)


ANA, BO = "BS 12, CC 15, WIP 13, Combi: B3 PS 7 +3@16, Sword: CC PS 6", "BS 11, PH 12, WIP 12, ARM 2, BTS 3, W 1"


@pytest.mark.parametrize(
    ("ana", "bo", "order", "number"),
    [
        ("", "", "Ana combi at 10 vs Bo", 9),
        ("BS Attack (SR-1)", "", "Ana combi at 10 vs Bo", 8),
        ("CC Attack (SR-1)", "", "Ana combi at 10 vs Bo", 9),
        ("CC Attack (SR-2)", "", "Ana sword vs Bo", 6),
        ("BS Attack (AP)", "", "Ana combi at 10 vs Bo", 8),
        ("", "", "Ana combi at 10 cover vs Bo", 12),
        ("", "Nanoscreen", "Ana combi at 10 vs Bo", 12),
        ("", "Nanoscreen", "Ana combi at 10 cover vs Bo", 15),
        ("", "No Cover", "Ana combi at 10 cover vs Bo", 9),
        ("", "Limited Cover", "Ana combi at 10 cover vs Bo", 12),
        ("", "Dodge (ARM+3)", "Ana combi at 10 vs Bo dodge", 12),
        ("", "Dodge (ARM+3)", "Ana combi at 10 vs Bo", 9),
        ("Hacker", "", "Ana carbonite vs Bo reset", 10),
        ("Hacker", "Firewall (-3)", "Ana carbonite vs Bo reset", 13),
        ("Hacker", "", "Ana spotlight vs Bo reset", 7),
    ],
)
def test_what_skills_do_to_the_saves(ana: str, bo: str, order: str, number: int) -> None:
    result = hit(order, Ana=f"{ANA}, {ana}" if ana else ANA, Bo=f"{BO}, {bo}" if bo else BO)
    assert saves.list_saves(result)[0].number == number


def test_skills_add_ammunition_and_power() -> None:
    assert hit("Ana combi at 10 vs Bo", Ana=f"{ANA}, BS Attack (Shock)", Bo=BO).weapon.ammo == (Ammo.SHOCK,)
    assert hit("Ana combi at 10 vs Bo", Ana=f"{ANA}, BS Attack (Continuous Damage)", Bo=BO).weapon.continuous
    troopers = {"Ana": f"{ANA}, Martial Arts 3", "Bo": BO}
    declared = infinity.declare({"troopers": troopers, "order": "Ana sword vs Bo", "edition": "n4"})
    assert isinstance(declared, Order)
    weapon = declared.rolls[0].weapon
    assert weapon is not None
    assert weapon.power == 4, "Martial Arts 3 of N4: Damage +2"


@pytest.mark.parametrize(
    ("line", "lost", "shock", "states"),
    [
        ("W 1, Dogged", 1, False, ("Dogged",)),
        ("W 1, Dogged", 2, False, ("Dead",)),
        ("W 1, Dogged", 1, True, ("Dead",)),
        ("W 2, NWI", 2, False, ("No Wound Incapacitation",)),
        ("W 2, NWI", 2, True, ("Dead",)),
        ("W 2, NWI", 3, False, ("Dead",)),
        ("STR 2, Remote Presence", 2, False, ("Unconscious",)),
        ("STR 2, Remote Presence", 3, False, ("Unconscious",)),
        ("STR 2, Remote Presence", 4, False, ("Dead",)),
        ("W 1, Exrah", 1, False, ("Dead",)),
        ("STR 1", 1, True, ("Unconscious",)),
    ],
)
def test_how_a_trooper_falls(line: str, lost: int, shock: bool, states: tuple[str, ...]) -> None:
    assert trooper.wound(parse("Ana", line), lost, shock=shock).states == states


def test_courage_needs_no_guts_roll() -> None:
    for skill, offered in (("", True), (", Courage", False), (", Religious Troop", False)):
        troopers = {"Ana": ANA, "Bo": f"WIP 12, ARM 1, W 2{skill}"}
        started = infinity.start(
            infinity.declare({"troopers": troopers, "order": "Ana combi at 10 rolls 9, 20, 20 vs Bo"}), lambda _: 19
        )
        after = infinity.choose(started, Choice("save"), lambda _: 19)
        assert any(offer.key.startswith("guts") for offer in infinity.offers(after)) is offered


def settled(order: str, *faces: int, **troopers: Trooper) -> Mapping[str, Trooper | None]:
    left = iter(faces)
    state: State = infinity.start(pieces.declare({"order": order}, troopers), lambda _: next(left) - 1)
    return pieces.settle(None, state, troopers, lambda _: 0)[1]


def down(line: str, lost: int, *states: str) -> Trooper:
    return replace(parse("Bo", line), lost=lost, states=states)


DOC = parse("Doc", "WIP 13, CC 14, Doctor, Engineer, Hacker, Knife: CC PS 5")


def test_a_doctor_brings_back_a_wound_or_kills() -> None:
    bo = down("PH 10, W 2", 2, "Unconscious", "Targeted")
    (up,) = settled("Doc doctor vs Bo", 13, Doc=DOC, Bo=bo).values()
    assert up is not None
    assert (up.lost, up.states) == (1, ("Targeted",))
    (dead,) = settled("Doc doctor vs Bo", 14, Doc=DOC, Bo=bo).values()
    assert dead is not None
    assert dead.states == ("Targeted", "Dead")
    with pytest.raises(
        ForbiddenByStateError,
        match=r"A Doctor treats a trooper who is Unconscious with VITA, or Stunned. Bo is neither",
    ):
        settled("Doc doctor vs Bo", 14, Doc=DOC, Bo=parse("Bo", "W 1"))


def test_an_engineer_repairs_or_breaks_and_ends_states() -> None:
    bo = down("PH 10, STR 2", 2, "Unconscious")
    (up,) = settled("Doc engineer vs Bo", 3, Doc=DOC, Bo=bo).values()
    assert up is not None
    assert (up.lost, up.states) == (1, ())
    (dead,) = settled("Doc engineer vs Bo", 20, Doc=DOC, Bo=bo).values()
    assert dead is not None
    assert (dead.lost, dead.states) == (3, ("Dead",))
    stuck = down("PH 10, STR 2", 0, "Immobilized-B", "Targeted")
    (free,) = settled("Doc engineer vs Bo", 3, Doc=DOC, Bo=stuck).values()
    assert free is not None
    assert free.states == ()
    assert settled("Doc engineer vs Bo", 20, Doc=DOC, Bo=stuck) == {}


def test_a_dodge_or_a_reset_frees_and_discover_finds() -> None:
    stuck = down("PH 12, WIP 12, W 1", 0, "Immobilized-A", "Targeted")
    (free,) = settled("Bo dodge", 6, Bo=stuck).values()
    assert free is not None
    assert free.states == ("Targeted",)
    assert settled("Bo dodge", 7, Bo=stuck) == {}
    jammed = down("PH 12, WIP 12, W 1", 0, "Immobilized-B", "Targeted")
    (clear,) = settled("Bo reset", 6, Bo=jammed).values()
    assert clear is not None
    assert clear.states == ()
    hidden = down("PH 12, W 1", 0, "Camouflaged")
    (result,) = settled("Doc discover at 20 vs Bo", 13, Doc=DOC, Bo=hidden).values()
    assert result is not None
    assert result.states == ()
    assert settled("Doc discover at 20 vs Bo", 14, Doc=DOC, Bo=hidden) == {}


def test_a_coup_de_grace_kills_who_lies_without_a_roll() -> None:
    bo = down("PH 12, W 1", 1, "Unconscious")
    (dead,) = settled("Doc coup vs Bo", Doc=DOC, Bo=bo).values()
    assert dead is not None
    assert dead.states == ("Dead",)
    with pytest.raises(ForbiddenByStateError, match="A Coup de Grâce needs an Unconscious target, and Bo isn't"):
        settled("Doc coup vs Bo", Doc=DOC, Bo=parse("Bo", "W 1"))


def test_forms_offer_nothing_that_a_state_forbids() -> None:
    roster = {"Doc": DOC, "Bo": down("BS 11, PH 12, WIP 12, W 1, Rifle: B3 PS 7", 0, "Immobilized-A")}
    who, whom, _ = open_order.order_fields(roster)
    assert [option.value for option in who.options] == ["Doc"]
    assert [option.value for option in whom.options] == ["Bo", "Doc"]
    order = OpenOrder(lines=(), roster=tuple(roster.values()))
    does = open_order.reaction_fields(order, (), roster["Bo"])[0]
    assert [option.value for option in does.options] == ["dodge"]
    does = open_order.reaction_fields(order, (), DOC)[0]
    assert [option.value for option in does.options] == [
        *("Knife", "Carbonite", "Oblivion", "Spotlight", "Total Control", "dodge", "reset")
    ]
    stunned = down("BS 11, PH 12, WIP 12, W 1, Rifle: B3 PS 7", 0, "Stunned")
    does = open_order.reaction_fields(order, (), stunned)[0]
    assert [option.value for option in does.options] == ["dodge", "reset"]
