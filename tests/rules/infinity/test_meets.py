"""Which reaction answers which attack, what a declaration needs, and words that change nothing (rules page, N5)."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bot.odds.infinity import json_odds as odds
from bot.odds.infinity.successes import net_successes
from bot.odds.infinity.wounds import harm
from bot.render.infinity import notes
from bot.rules import infinity
from bot.rules.errors import BadInputError
from bot.rules.infinity.orders.play import results, sums
from bot.rules.infinity.table import pieces
from bot.rules.infinity.troopers import trooper
from bot.rules.infinity.troopers.declared import Order
from bot.rules.infinity.troopers.states import ForbiddenByStateError
from bot.rules.infinity.troopers.trooper import Trooper, parse
from tests.rows import for_each_row

TROOPERS = {
    "Fen": "BS 12, CC 14, PH 13, WIP 13, ARM 1, LI, Hacker, Hacking Device, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48, "
    "Knife: CC PS 5, Mine: PS 5 N direct deployable, Flamer: PS 5 N direct, Panzer: B1 PS 5 disposable(1) 0@8 +3@24",
    "Yam": "BS 11, CC 15, PH 12, WIP 12, ARM 2, BTS 3, HI, Rifle: B3 PS 7 +3@16 -3@32, Knife: CC PS 5",
    "Gui": "BS 11, PH 10, WIP 12, BS Attack (Guided), Missile Hit: B1 PS 6 AP 0@16 +3@48, "
    "Missile Blast: B1 PS 6 AP template 0@16 +3@48, Bow (+1B): B1 PS 6 0@16 +3@48, Grenade: PH PS 6 template 0@8 -3@16",
    "Hak": "BS 11, PH 10, WIP 14, Hacker, Hacking Device Plus (UPGRADE: Zero Pain)",
    "Tag": "BS 14, PH 14, WIP 12, ARM 8, BTS 6, STR 3, TAG, HMG: B4 PS 7 0@16 +3@32",
    "Doc": "BS 10, PH 10, WIP 13, Doctor, W 1",
    "Eng": "BS 10, PH 10, WIP 13, Engineer, W 1",
}


def declared(order: str, edition: str = "n5", **more: str) -> Order:
    troopers = {name: ", ".join(filter(None, (line, more.get(name, "")))) for name, line in TROOPERS.items()}
    result = infinity.declare({"troopers": troopers, "order": order, "edition": edition})
    assert isinstance(result, Order)
    return result


def met(order: str, edition: str = "n5", **more: str) -> list[tuple[str, str | None]]:
    """Each meeting by the names of its two ends; None for a Normal Roll."""
    result = declared(order, edition, **more)
    names = [roll.name for roll in result.rolls]
    return [(names[meeting.a], None if meeting.b is None else names[meeting.b]) for meeting in result.meetings]


FACED = [("Fen", "Yam")]
ALONE = [("Fen", None), ("Yam", None)]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("Fen combi at 20 vs Yam dodge", FACED),
        ("Fen combi at 20 vs Yam reset", ALONE),
        ("Fen knife vs Yam reset", ALONE),
        ("Fen knife vs Yam dodge", FACED),
        ("Fen spotlight vs Yam dodge", ALONE),
        ("Fen spotlight vs Yam reset", FACED),
        ("Fen spotlight at 10 vs Yam rifle", FACED),
        ("Fen combi at 20 vs Yam rifle", FACED),
        ("Fen discover at 10 vs Yam rifle", ALONE),
        ("Fen discover at 10 vs Yam dodge", ALONE),
        ("Fen flamer vs Yam rifle at 10", ALONE),
        ("Fen flamer vs Yam reset", ALONE),
    ],
)
def test_a_reaction_is_compared_only_with_what_it_answers(order: str, expected: list[tuple[str, str | None]]) -> None:
    assert met(order) == expected


@pytest.mark.parametrize("order", ["Fen combi at 20 vs Yam reset", "Fen spotlight vs Yam dodge"])
def test_before_n5_every_attack_is_answered(order: str) -> None:
    assert met(order, "n4") == FACED


def test_one_roll_of_several_attackers_meets_those_that_it_answers() -> None:
    lines = "Fen combi at 10 vs Yam; Hak spotlight vs Yam; Yam "
    assert met(f"{lines}dodge") == [("Fen", "Yam"), ("Hak", None)]
    assert met(f"{lines}reset") == [("Fen", None), ("Hak", "Yam")]


def test_zero_pain_answers_comms_attacks_alone() -> None:
    assert met("Fen spotlight vs Hak zero pain") == [("Fen", "Hak")]
    assert met("Fen combi at 10 vs Hak zero pain") == [("Fen", None), ("Hak", None)]
    assert [(item["name"], item["sv"], item["burst"]) for item in sums(declared("Fen spotlight vs Hak zero pain"))] == [
        ("Fen", 10, 2),
        ("Hak", 14, 2),
    ]


def test_two_normal_rolls_are_two_results_and_the_card_says_so() -> None:
    raw = {"troopers": TROOPERS, "order": "Fen combi at 20 rolls 3, 4, 19 vs Yam reset rolls 2"}
    result = infinity.declare(raw)
    came = infinity.outcome(infinity.start(result, lambda sides: sides))["results"]
    assert isinstance(came, list)
    assert [item["b"] for item in came] == [None, None]
    assert not any(fate == "cancelled" for item in came for fate in item["a"]["fate"])
    assert isinstance(result, Order)
    assert notes(result, {}) == ["A Reset evades only Comms Attacks and Guided attacks: separate Normal Rolls"]
    assert {"1: Fen against Yam", "2: Yam"} <= odds.odds(result).keys()


def test_two_sides_without_names_as_well() -> None:
    result = infinity.declare({"sv_a": 12, "sv_b": 11, "kind_b": "reset"})
    assert isinstance(result, Order)
    assert [meeting.b for meeting in result.meetings] == [None, None]
    hacked = infinity.declare({"sv_a": 12, "kind_a": "hack", "sv_b": 11, "kind_b": "reset"})
    assert isinstance(hacked, Order)
    assert [meeting.b for meeting in hacked.meetings] == [1]


# Guided attacks


def test_a_guided_attack_takes_the_blast_and_is_answered_by_dodge_and_reset() -> None:
    order = declared("Gui missile hit at 40 guided vs Yam reset Targeted")
    assert order.rolls[0].weapon is not None
    assert order.rolls[0].weapon.name == "Missile Blast"
    assert [(item["sv"], item["burst"]) for item in sums(order)] == [(17, 1), (9, 1)]
    assert met("Gui bow at 40 guided vs Yam dodge Targeted") == [("Gui", "Yam")]
    assert met("Gui bow at 40 guided vs Yam reset Targeted") == [("Gui", "Yam")]
    assert declared("Gui bow at 40 guided vs Yam Targeted").rolls[0].burst == 1


@pytest.mark.parametrize(
    ("order", "missing"),
    [
        ("Fen combi at 20 guided vs Yam Targeted", "Fen doesn't have BS Attack \\(Guided\\)"),
        ("Gui bow at 40 guided vs Yam", "A Guided attack needs a Targeted enemy, and Yam isn't"),
        ("Fen combi at 20 vs Gui bow guided Targeted", "Gui can make a Guided attack only in its own turn"),
        ("Gui grenade at 8 guided vs Yam Targeted", "A Guided attack uses BS, and Grenade doesn't"),
        ("Gui bow at 40 guided b2 vs Yam Targeted", "A Guided attack has Burst 1"),
    ],
)
def test_a_guided_attack_needs_all_of_it(order: str, missing: str) -> None:
    with pytest.raises(ForbiddenByStateError, match=missing):
        declared(order)


def test_a_state_that_a_troopers_own_line_says_counts_for_every_line() -> None:
    result = sums(declared("Fen combi at 10 vs Yam; Gui bow at 40 guided vs Yam; Yam reset Targeted"))
    assert [(item["name"], item["sv"]) for item in result] == [("Fen", 18), ("Gui", 17), ("Yam", 9)]


# Programs


@pytest.mark.parametrize(
    ("program", "target", "works"),
    [
        ("carbonite", "Yam", True),
        ("oblivion", "Tag", True),
        ("carbonite", "Doc", True),
        ("carbonite", "Gui", True),
        ("carbonite", "Fen", True),
        ("total control", "Yam", False),
        ("total control", "Tag", True),
        ("spotlight", "Doc", True),
    ],
)
def test_a_program_works_against_its_types(program: str, target: str, works: bool) -> None:
    order = f"Hak {program} vs {target}"
    if works:
        assert declared(order)
        return
    with pytest.raises(ForbiddenByStateError, match="Total Control works only against TAG, and Yam isn't one"):
        declared(order)


def test_light_infantry_without_a_device_is_no_target_of_carbonite_nor_a_heavy_one_of_trinity() -> None:
    with pytest.raises(
        ForbiddenByStateError, match="Carbonite works only against HI, REM, TAG, VH, or Hacker, and Doc isn't one"
    ):
        declared("Hak carbonite vs Doc", Doc="LI")
    with pytest.raises(ForbiddenByStateError, match="Trinity works only against Hacker"):
        declared("Hak trinity vs Yam", Hak="Hacking Device (UPGRADE: Trinity (+3))")
    assert declared("Hak trinity vs Fen", Hak="Hacking Device (UPGRADE: Trinity (+3))")


# What is refused


@for_each_row(
    ("order", "more", "why"),
    [
        ("Fen combi at 10 vs Yam Dead", {}, "Yam is Dead: it can't act or be targeted"),
        ("Hak spotlight vs Yam Dead", {}, "Yam is Dead"),
        ("Fen doctor vs Yam Unconscious", {}, "Fen doesn't have Doctor"),
        ("Doc doctor vs Yam", {}, "A Doctor treats a trooper who is Unconscious with VITA, or Stunned. Yam is neither"),
        ("Doc doctor vs Tag Unconscious", {}, "A Doctor treats a trooper who is Unconscious with VITA, or Stunned"),
        ("Doc doctor vs Yam Dogged", {}, "Yam is Dogged and can't be treated"),
        ("Eng engineer vs Yam", {}, "An Engineer repairs lost STR or ends"),
        ("Eng engineer vs Yam Stunned", {}, "An Engineer repairs"),
        ("Fen knife berserk vs Yam knife", {}, "Fen doesn't have Berserk"),
        ("Fen combi at 10 vs Yam knife", {}, "Yam is 10 inches away, and a CC Attack needs contact"),
        ("Fen combi at 10 vs Doc doctor", {}, "Doc can't declare Doctor as an ARO"),
        ("Fen spotlight vs Hak white noise", {}, "Hak can't declare White Noise as an ARO"),
        ("Fus 12 b3 AP PS 6 at 10 vs Yam", {}, "The weapon you typed has no range bands, so `at 10`"),
        ("Fen carbonite at 10 vs Yam", {}, "`at 10` has no effect here"),
        ("Fen carbonite cover vs Yam", {}, "`cover` has no effect for Fen"),
        ("Fen combi at 10 zoc vs Yam", {}, "`zoc` has no effect for Fen"),
        ("Fen combi at 10 vs Yam dodge melee 1", {}, "`melee` has no effect for Yam"),
        ("Fen dodge low vs Yam dodge", {}, "`low` has no effect for Fen"),
        ("Fen combi at 10 vs Yam rifle surprise", {}, "`surprise` has no effect for Yam"),
        ("Gui bow at 40 guided low vs Yam Targeted", {}, "`low` has no effect for Gui"),
        ("Fen combi at 10 vs Yam dodge fireteam 2", {}, "`fireteam` has no effect for Yam"),
    ],
)
def test_what_the_rules_refuse_is_refused_and_a_gm_may_let_it_be(order: str, more: dict[str, Any], why: str) -> None:
    with pytest.raises(ForbiddenByStateError, match=why) as refused:
        declared(order, **more)
    assert "`anyway`" in str(refused.value)
    before, versus, after = order.partition(" vs ")
    assert declared(f"{before} anyway{versus}{after} anyway")


@pytest.mark.parametrize(
    "order",
    [
        "Doc doctor vs Yam Unconscious",
        "Doc doctor vs Yam Stunned",
        "Eng engineer vs Tag Unconscious",
        "Eng engineer vs Yam Targeted",
        "Eng engineer vs Tag Stunned",
        "Fus 12 b3 AP PS 6 at 10 vs Yam rifle",
        "Fus 12 b3 AP PS 6 at 10 vs Yam 11 Suppressive Fire",
        "Fus 12 b3 AP PS 6 +3 (range) vs Yam",
        "Fen combi at 0 vs Yam knife",
        "Fen combi at 10 surprise vs Yam",
        "Hak white noise",
    ],
)
def test_what_they_allow_is_made(order: str) -> None:
    assert declared(order)


def test_a_close_combat_attack_on_somebody_unconscious_is_a_coup_de_grace() -> None:
    (meeting,) = declared("Fen knife vs Yam Unconscious").meetings
    assert meeting.because == "coup"
    assert declared("Fen combi at 10 vs Yam Unconscious").rolls[0].burst == 3


# Suppressive Fire


def test_an_order_ends_suppressive_fire_and_so_does_another_reaction() -> None:
    order = declared("Tag HMG at 20 vs Yam dodge", Tag="Suppressive Fire")
    assert [(item["sv"], item["burst"]) for item in sums(order)] == [(17, 4), (12, 1)]
    assert [item.ended for item in order.rolls] == [("Suppressive Fire",), ()]
    dodges = declared("Fen combi at 10 vs Yam dodge", Yam="Suppressive Fire")
    assert [(roll.sv, roll.ended) for roll in dodges.rolls] == [(15, ()), (12, ("Suppressive Fire",))]
    isolated = declared("Fen combi at 10 vs Yam rifle", Yam="Suppressive Fire, Isolated")
    assert isolated.rolls[1].burst == 1
    stays = declared("Fen combi at 10 vs Yam rifle", Yam="Suppressive Fire")
    assert (stays.rolls[0].sv, stays.rolls[1].burst, stays.rolls[1].ended) == (12, 3, ())


# What a roll takes from the troopers of a channel


def settled(order: str, *faces: int, **states: tuple[str, ...]) -> dict[str, Trooper | None]:
    """The troopers that an order changes."""
    held = {name: replace(parse(name, line), states=states.get(name, ())) for name, line in TROOPERS.items()}
    left = list(faces)
    state = infinity.start(pieces.declare({"order": order}, held), lambda sides: left.pop(0) - 1 if left else sides - 1)
    return dict(pieces.settle(None, state, held, lambda sides: sides - 1)[1])


def test_what_ends_suppressive_fire_ends_it_on_the_table() -> None:
    fires = ("Suppressive Fire",)
    result = settled("Fen combi at 10 vs Yam dodge", Fen=fires, Yam=fires)
    assert {name: item.states for name, item in result.items() if item} == {"Fen": (), "Yam": ()}
    assert settled("Fen combi at 10 vs Yam rifle", Yam=fires) == {}
    assert trooper.with_states(replace(parse("Bo", "W 1"), states=fires), ("Isolated",)).states == ("Isolated",)
    assert trooper.wound(replace(parse("Bo", "W 1"), states=fires), 1).states == ("Unconscious",)


def test_a_disposable_weapon_is_used_up_whatever_the_dice_say() -> None:
    (fen,) = settled("Fen panzer at 20 vs Yam", 20).values()
    assert fen is not None
    assert fen.spent == ("Panzer",)
    with pytest.raises(ForbiddenByStateError, match="Fen has already spent Panzer"):
        pieces.declare({"order": "Fen panzer at 20 vs Yam"}, {"Fen": fen, "Yam": parse("Yam", TROOPERS["Yam"])})


# One die, two Success Values


MIXED = "Fen mine vs Low; Hak 11 b1 N PS 5 vs Low; Low dodge"
LOW = {"Fen": TROOPERS["Fen"], "Low": "PH 10, ARM 1, BTS 0, W 2"}


def mixed(dodge: int, shot: int) -> list[str]:
    """Who wins against the mine, and against the shot."""
    left = [shot, dodge]
    state = infinity.start(infinity.declare({"troopers": LOW, "order": MIXED}), lambda _: left.pop(0) - 1)
    assert isinstance(state.declared, Order)
    names = [roll.name for roll in state.declared.rolls]
    result = []
    for meeting, came in zip(state.declared.meetings, results(state), strict=True):
        place = {"a": meeting.a, "b": meeting.b, "nobody": None}[came.winner]
        result.append("" if place is None else names[place])
    return result


def test_one_dodge_counts_with_ph_against_the_shot_and_ph_less_3_against_the_mine() -> None:
    assert mixed(8, 5) == ["Fen", "Low"], "the rules page: PH 10, die 8, the shots are beaten, the mine hits"
    assert mixed(7, 5) == ["Low", "Low"]
    assert mixed(10, 5) == ["Fen", "Low"], "a Critical against the shot is none against the mine"
    assert mixed(11, 5) == ["Fen", "Hak"]


def test_the_odds_of_that_die_are_those_of_all_ways() -> None:
    order = infinity.declare({"troopers": LOW, "order": MIXED})
    assert isinstance(order, Order)
    ways = Counter(tuple(mixed(dodge, shot)) for dodge in range(1, 21) for shot in range(1, 21))
    result = odds.odds(order)
    counted: dict[tuple[str, ...], Fraction] = {}
    joint = next(value for key, value in result.items() if key.startswith("roll") and key.endswith("wins"))
    assert isinstance(joint, dict)
    for names, chance in joint.items():
        counted[tuple("" if part == "nobody" else part for part in names.split(", "))] = Fraction(chance)
    assert counted == {key: Fraction(count, 400) for key, count in ways.items()}
    net = net_successes(order)
    values = Counter[int]()
    for names, count in ways.items():
        values[sum({"Fen": 1, "Hak": 1, "Low": -1, "": 0}[name] for name in names)] += count
    assert {value: Fraction(n, net.total) for value, n in net.weights.items()} == {
        value: Fraction(n, 400) for value, n in values.items()
    }
    (low,) = [trooper_odds for trooper_odds in harm(order) if trooper_odds.name == "Low"]
    hit = Fraction(sum(count for key, count in ways.items() if set(key) & {"Fen", "Hak"}), 400)
    assert low.harm_chance < hit


def test_a_program_splits_its_burst_over_its_targets() -> None:
    """Each target is a Face to Face Roll of its own, with dice of its own; none of them counts against two."""
    held = {"Net": "WIP 15, Hacker", "Tag": "WIP 13, BTS 6, TAG", "Bo": "WIP 12, BTS 0"}
    declared = infinity.declare(
        {"troopers": held, "order": "Net Spotlight b1 vs Tag reset; Net Spotlight b1 vs Bo reset"}
    )
    assert isinstance(declared, Order)
    assert [(roll.name, roll.burst) for roll in declared.rolls] == [("Net", 1), ("Tag", 1), ("Net", 1), ("Bo", 1)]
    assert [(meeting.a, meeting.b) for meeting in declared.meetings] == [(0, 1), (2, 3)]
    for order in ("Net Spotlight vs Tag reset, Bo reset", "Net Spotlight b2 vs Tag; Net Spotlight b2 vs Bo"):
        with pytest.raises(BadInputError, match=r"split the Burst|2 dice over all targets"):
            infinity.declare({"troopers": held, "order": order})


@pytest.mark.parametrize("b", [{"name": "Bo", "kind": "dodge", "cover": True}, {"name": "Bo dodge cover"}])
def test_the_cover_of_who_evades_counts_for_the_shot_at_it(b: dict[str, object]) -> None:
    held = {"Ana": "BS 12, Combi: B3 PS 7 +3@16", "Bo": "BS 11, PH 10, ARM 1, Combi: B3 PS 7 +3@16"}
    declared = infinity.declare({"troopers": held, "a": {"name": "Ana", "at": 12}, "b": b})
    assert [(roll.sv, roll.cover) for roll in declared.rolls] == [(12, True), (10, False)]
    back = infinity.declare(
        {"troopers": held, "a": {"name": "Ana", "at": 12}, "b": {"name": "Bo combi", "cover": True}}
    )
    assert [roll.cover for roll in back.rolls] == [False, True]
