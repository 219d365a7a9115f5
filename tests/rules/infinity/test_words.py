"""The words of a typed order: what they mean, that writing is the inverse of reading, and what errors point at."""

import re
import string
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from bot.rules import infinity
from bot.rules.errors import BadInputError, PlayerError, UnknownWordError
from bot.rules.infinity.orders.fields import ACTIONS, EVADE, TABLE, Draft, Keyword, modifiers, numbers
from bot.rules.infinity.orders.typed_orders import OrderLine, TypedOrder, is_reserved, parse
from bot.rules.infinity.troopers.declared import Action, Ammo, Mod, Order
from bot.rules.infinity.troopers.states import STATES
from bot.rules.infinity.troopers.trooper import Roster, Trooper, parse as trooper
from bot.rules.text import english
from tests.rows import for_each_row

LETTERS = st.sampled_from(string.ascii_letters + "éÄßЖ漢")
WORDS = st.tuples(LETTERS, st.text(string.ascii_letters + string.digits + "'-.#", max_size=6)).map("".join)


def name_of(words: list[str]) -> str:
    return " ".join(word for at, word in enumerate(words) if not is_reserved(word.lower(), at > 0)) or "Angus"


NAMES = st.lists(WORDS, min_size=1, max_size=3).map(name_of)
SITUATIONS = st.fixed_dictionaries(
    {},
    optional={
        "distance": st.integers(0, 96),
        "cover": st.just(True),
        "surprise": st.sampled_from((1, 3, 6)),
        **dict.fromkeys(("low", "poor", "zero", "eclipse", "white_noise", "saturation", "past"), st.just(True)),
        "melee": st.integers(1, 5),
        "speculative": st.just(True),
        "coordinated": st.sampled_from(("spearhead", "other")),
        "fireteam": st.integers(1, 5),
        **dict.fromkeys(("zone", "guided", "intuitive", "triangulated", "berserk", "sensor"), st.just(True)),
    },
)
SAID_AS_ACTIONS = [action for action in ACTIONS.values() if action is not Action.SENSOR]
"""``sensor`` in a line says a fact around the roll, which is a Sensor Roll where no other action is said."""

ROLLS = st.builds(
    Draft,
    name=NAMES,
    stat=st.sampled_from(("", "BS", "PH", "WIP")),
    attribute=st.integers(0, 40),
    mods=st.lists(st.builds(Mod, st.integers(-12, 12), st.sampled_from(("", "rain"))), max_size=8),
    burst=st.none() | st.integers(1, 6),
    special=st.none() | st.integers(1, 2),
    action=st.none() | st.sampled_from(SAID_AS_ACTIONS),
    dice=st.none() | st.lists(st.integers(1, 20), min_size=1, max_size=8).map(tuple),
    normal=st.none() | st.just(True),
    situation=SITUATIONS,
    states=st.lists(st.sampled_from(STATES), max_size=2, unique=True),
    armour=st.dictionaries(st.sampled_from(("ARM", "BTS", "W", "STR")), st.integers(1, 9)),
)


def as_target(draft: Draft) -> Draft:
    """A roll behind ``vs``; the cover of who evades is said of the shot at it."""
    said = {key: value for key, value in draft.situation.items() if key != "cover" or draft.action not in EVADE}
    return replace(draft, normal=None, situation=said)


TARGETS = st.builds(Draft, name=NAMES) | ROLLS.map(as_target)
LINES = st.builds(OrderLine, roll=ROLLS, targets=st.lists(TARGETS, max_size=3).map(tuple))
ORDERS = st.builds(
    TypedOrder,
    lines=st.lists(LINES, min_size=1, max_size=4).map(tuple),
    edition=st.sampled_from([None, "n3", "n4", "n5"]),
)


def write(typed: TypedOrder) -> str:
    """The lines as somebody may type them."""
    return "\n".join([*([typed.edition] if typed.edition else []), *map(write_line, typed.lines)])


def write_line(line: OrderLine) -> str:
    return write_roll(line.roll) + (f" vs {', '.join(map(write_roll, line.targets))}" if line.targets else "")


def write_roll(draft: Draft) -> str:
    parts = [draft.name]
    if draft.attribute is not None:
        parts.append(f"{draft.stat or 'SV'} {draft.attribute}")
    elif draft.stat:
        parts.append(draft.stat)
    parts += [f"{mod.number:+d}{f' ({english(mod.what)})' if mod.what else ''}" for mod in draft.mods]
    parts += [f"+{draft.special}sd"] if draft.special else []
    parts += [draft.action.value] if draft.action else []
    parts += ["normal"] if draft.normal else []
    parts += [f"at {draft.as_situation.distance}"] if draft.as_situation.distance is not None else []
    parts += [word for row in TABLE if (word := write_row(row, draft))]
    parts += draft.states
    parts += ["rolls " + ", ".join(map(str, draft.dice))] if draft.dice else []
    return " ".join(parts)


def write_row(row: Keyword, draft: Draft) -> str:
    """The words of what a row of the table says, if it was said as that row says it."""
    value = row.of(draft)
    if value is None or (not row.most and value != row.value):
        return ""
    return f"{row.key} {value}" if row.most and value != row.silent else row.key


def roll(name: str, attribute: int | None = None, *mods: int, **more: Any) -> Draft:
    return Draft(name=name, attribute=attribute, mods=[Mod(number) for number in mods], **more)


def one(text: str) -> OrderLine:
    (line,) = parse(text).lines
    return line


@given(ORDERS)
def test_parse_is_the_inverse_of_write(typed: TypedOrder) -> None:
    assert parse(write(typed)) == typed


@given(ORDERS, st.sampled_from([str.lower, str.upper]), st.sampled_from([";", " ;\n ", "\n\n"]))
def test_case_and_the_kind_of_line_end_make_no_difference(typed: TypedOrder, case: type, end: str) -> None:
    text = write(typed)
    changed = parse(str(case(text)).replace("\n", end))
    assert [line.roll.attribute for line in changed.lines] == [line.roll.attribute for line in typed.lines]
    assert changed.edition == typed.edition


def test_the_lines_of_the_command_page() -> None:
    text = "Angus 12 b2 vs Ortega 11\nAngus 12 b1 vs Diaz 11\nMurat 13 normal vs Angus\nAna 10 dodge vs Angus, Murat"
    angus, rest, murat, ana = parse(text).lines
    assert angus == OrderLine(roll=roll("Angus", 12, burst=2), targets=(roll("Ortega", 11),))
    assert rest == OrderLine(roll=roll("Angus", 12, burst=1), targets=(roll("Diaz", 11),))
    assert murat == OrderLine(roll=roll("Murat", 13, normal=True), targets=(roll("Angus"),))
    assert ana == OrderLine(roll=roll("Ana", 10, action=Action.DODGE), targets=(roll("Angus"), roll("Murat")))


@for_each_row(
    ("text", "expected"),
    [
        ("Angus 12", roll("Angus", 12)),
        ("Angus SV 12", roll("Angus", 12)),
        ("Angus BS 12", roll("Angus", 12, stat="BS")),
        ("Angus BS12", roll("Angus", 12, stat="BS")),
        ("Angus SV12-3", roll("Angus", 12, -3)),
        ("Angus SV12(-3)", roll("Angus", 12, -3)),
        ("Angus BS12(rain -3)", Draft(name="Angus", attribute=12, stat="BS", mods=[Mod(-3, "rain")])),
        ("Angus 12(-3)", roll("Angus", 12, -3)),
        ("Angus WIP 13", roll("Angus", 13, stat="WIP")),
        ("Angus 12-3", roll("Angus", 12, -3)),
        ("Angus 12 (-3)", roll("Angus", 12, -3)),
        ("Angus 12 ( -3 +6 )", roll("Angus", 12, -3, 6)),
        ("Angus 12 -3 (rain)", Draft(name="Angus", attribute=12, mods=[Mod(-3, "rain")])),
        ("Angus 12 (heavy rain -3)", Draft(name="Angus", attribute=12, mods=[Mod(-3, "heavy rain")])),
        ("Angus 12 −3 +6", roll("Angus", 12, -3, 6)),
        ("Angus 12+3 -6 -3+3", roll("Angus", 12, 3, -6, -3, 3)),
        ("Angus 12 burst 3", roll("Angus", 12, burst=3)),
        ("Angus 12 x3", roll("Angus", 12, burst=3)),
        ("Angus 12 sd", roll("Angus", 12, special=1)),
        ("Angus 12 +1 SD", roll("Angus", 12, special=1)),
        ("Angus 12 +2sd b3", roll("Angus", 12, special=2, burst=3)),
        ("Angus 12 reset", roll("Angus", 12, action=Action.RESET)),
        ("Angus 12 template", roll("Angus", 12, action=Action.TEMPLATE)),
        ("Angus CC 22", roll("Angus", 22, stat="CC")),
        ("Angus 12 cc", roll("Angus", 12, action=Action.CC)),
        ("Angus 12 rolls 9, 4", roll("Angus", 12, dice=(9, 4))),
        ("Angus 12 rolled 9 4 sd", roll("Angus", 12, special=1, dice=(9, 4))),
        ("Angus 12 dice 9 b1", roll("Angus", 12, burst=1, dice=(9,))),
        ("Angus 12 at 20 cover", roll("Angus", 12, situation={"distance": 20, "cover": True})),
        ('Angus 12 20" low visibility zone', roll("Angus", 12, situation={"distance": 20, "low": True})),
        ("Angus 12 surprise (-6) fireteam 4", roll("Angus", 12, situation={"surprise": 6, "fireteam": 4})),
        ("Angus 12 AP PS 5", roll("Angus", 12, words={"ammo": (Ammo.AP,), "power": 5, "as_damage": False})),
        ("Angus 12 ARM 3 BTS 6", roll("Angus", 12, armour={"ARM": 3, "BTS": 6})),
        ("Fusilier Angus 12", roll("Fusilier Angus", 12)),
        ("Fusilier #2 12", roll("Fusilier #2", 12)),
        ("Fusilier 1 12", roll("Fusilier 1", 12)),
        ("Fusilier 1 BS 12", roll("Fusilier 1", 12, stat="BS")),
        ("B2 12", roll("B2", 12)),
        ("Angus b2 12", roll("Angus", 12, burst=2)),
        ("Ana dodge 10 -3", roll("Ana", 10, -3, action=Action.DODGE)),
        ("Ana 10 in cover", roll("Ana", 10, situation={"cover": True})),
        (
            "Ana 10 in partial cover using AP PS 5",
            roll("Ana", 10, situation={"cover": True}, words={"ammo": (Ammo.AP,), "power": 5, "as_damage": False}),
        ),
        ("Ana (-3) cover 10", roll("Ana", 10, -3, situation={"cover": True})),
        ("3rd_squad 12", roll("3rd_squad", 12)),
    ],
)
def test_a_roll_in_words(text: str, expected: Draft) -> None:
    assert one(text) == OrderLine(roll=expected)


def test_a_number_behind_a_name_may_be_a_trooper_s() -> None:
    """`vs Fusilier 1` does not become SV 1: it is asked, or known from another line."""
    with pytest.raises(UnknownWordError) as refused:
        parse("Angus 12 vs Fusilier 1")
    assert str(refused.value).endswith(
        "Is `Fusilier 1` a trooper, or is 1 the Success Value? Write `Fusilier #1`, or `Fusilier SV 1`."
    )
    known = parse("Angus 12 vs Fusilier 1; Fusilier 1 11 vs Angus")
    assert known.lines[0].targets == (roll("Fusilier 1"),)
    assert one("Angus 12 vs Fusilier SV 1").targets == (roll("Fusilier", 1),)
    assert one("Angus 12 vs Fusilier 9").targets == (roll("Fusilier", 9),)


def test_targets_may_be_joined_by_and() -> None:
    assert one("Angus 12 template vs Ortega 11 dodge and Diaz & Bo").targets == (
        roll("Ortega", 11, action=Action.DODGE),
        roll("Diaz"),
        roll("Bo"),
    )


ANGUS: Trooper = trooper("Angus", "BS 12, PH 10, Combi Rifle: B3 PS 7 N, Heavy Pistol: B2 PS 6 Shock, Knife: CC PS 5")
OLD_TOM: Trooper = trooper("Old Tom", "BS 11, Rifle: B3 PS 7")
ROSTER: Roster = {item.name: item for item in (ANGUS, OLD_TOM)}


def test_troopers_of_the_channel_are_known_with_their_weapons() -> None:
    (line,) = parse("angus combi at 20 b2 vs old tom RIFLE, Old Tom #2 dodge", ROSTER).lines
    assert line.roll == Draft(name="Angus", trooper=ANGUS, weapon=ANGUS.weapons[0], burst=2, situation={"distance": 20})
    tom, second = line.targets
    assert (tom.name, tom.weapon, second.name, second.action) == (
        "Old Tom",
        OLD_TOM.weapons[0],
        "Old Tom #2",
        Action.DODGE,
    )


def test_people_say_with_before_a_weapon() -> None:
    (line,) = parse("Angus with a heavy pistol at 10 vs Old Tom with rifle in cover", ROSTER).lines
    assert (line.roll.weapon, line.targets[0].weapon) == (ANGUS.weapons[1], OLD_TOM.weapons[0])
    assert line.targets[0].situation == {"cover": True}


def test_a_number_behind_a_trooper_of_the_channel_is_its_number_or_asked() -> None:
    second = replace(OLD_TOM, name="Old Tom #2")
    roster = {**ROSTER, second.name: second}
    (line,) = parse("Angus combi at 20 vs Old Tom 2", roster).lines
    assert line.targets == (Draft(name="Old Tom #2", trooper=second),)
    (line,) = parse("old tom 2 rifle b2 at 20 vs Old Tom SV 2", roster).lines
    assert (line.roll.trooper, line.targets[0].trooper, line.targets[0].attribute) == (second, OLD_TOM, 2)
    with pytest.raises(UnknownWordError) as refused:
        parse("Angus combi at 20 vs Old Tom 3", roster)
    assert str(refused.value).endswith("Write `Old Tom #3`, or `Old Tom SV 3`.")


def test_what_is_said_of_a_target_without_a_roll_counts_for_the_shot_at_it() -> None:
    """Nobody else can mean it: the shot alone has a distance, and its target alone can be in cover."""
    for text in ("Angus combi vs Old Tom at 20 cover", "Angus combi at 20 vs Old Tom cover"):
        (line,) = parse(text, ROSTER).lines
        assert line.roll.situation == {"distance": 20, "cover": True}
        assert line.targets == (Draft(name="Old Tom", trooper=OLD_TOM),)
    (line,) = parse("Angus combi at 20 vs Old Tom rifle cover", ROSTER).lines
    assert line.roll.situation == {"distance": 20}, "who shoots back says it of the own target"
    with pytest.raises(BadInputError, match="one distance"):
        parse("Angus combi at 20 vs Old Tom at 10", ROSTER)
    with pytest.raises(BadInputError, match="before `vs`"):
        parse("Angus 12 template vs Ortega cover, Diaz")


def test_a_trooper_s_name_alone_is_a_target() -> None:
    (line,) = parse("Angus BS pistol vs Old Tom", ROSTER).lines
    assert (line.roll.stat, line.roll.weapon) == ("BS", ANGUS.weapons[1])
    assert not line.targets[0].has_roll


def test_a_weapon_that_the_trooper_has_not_is_pointed_at() -> None:
    with pytest.raises(UnknownWordError, match="I don't understand `sniper`"):
        parse("Angus sniper vs Old Tom", ROSTER)


def test_faces_end_where_the_next_target_begins() -> None:
    line = one("Angus 12 template rolls 9 vs Ortega 11 rolls 5, Diaz 10 dodge rolls 3")
    assert [(target.name, target.dice) for target in line.targets] == [("Ortega", (5,)), ("Diaz", (3,))]
    assert one("Angus 12 template vs Ortega 11 b2 rolls 5, 6, Diaz").targets[1] == roll("Diaz")


@pytest.mark.parametrize("versus", ["vs", "vs.", "VS", "versus", "against"])
def test_ways_to_write_versus(versus: str) -> None:
    assert one(f"Angus 12 {versus} Ortega").targets == (roll("Ortega"),)


@pytest.mark.parametrize(
    ("text", "edition"),
    [
        ("Angus 12", None),
        ("n4; Angus 12", "n4"),
        ("N4 Angus 12", "n4"),
        ("Angus 12 n5 vs Ortega 11", "n5"),
        ("Angus 12 vs Ortega 11 n3", "n3"),
        ("codeone\nAngus 12\nOrtega 11 n4", "n4"),
    ],
)
def test_the_edition_may_stand_anywhere(text: str, edition: str | None) -> None:
    assert parse(text).edition == edition


@for_each_row(
    ("text", "word", "near"),
    [
        ("Angus 12 b2 vs Ortega 11 dogde", "dogde", "dodge"),
        ("Angus 12 v Ortega 11", "v", "vs"),
        ("Angus 12 nromal vs Ortega", "nromal", "normal"),
        ("Angus 12 vs Ortega 11 Bo 12", "Bo", None),
        ("Angus foo", "Angus foo", None),
        ("Angus vs Ortega 11", "Angus", None),
        ("12 b2 vs Ortega 11", "12", None),
        ("Angus 12 vs", "", None),
        ("Angus 12 vs Ortega 11,", "", None),
        ("Angus 12 vs Ortega 11 vs Diaz 11", "vs", None),
        ("Angus 12, Diaz 11", ",", None),
        ("Angus 12 vs Ortega 11 normal", "normal", None),
        ("Angus 12 normal normal", "normal", None),
        ("Angus 12 dodge reset", "reset", None),
        ("Angus 12 b2 b3", "b3", None),
        ("Angus 12 sd +1sd", "+1sd", "sd"),
        ("Angus 12 rolls 3 rolls 4", "rolls", None),
        ("Angus 12 rolls many", "many", None),
        ("Angus 12 burst two", "two", None),
        ("Angus 12 burst", "", None),
        ("n4 n5 Angus 12", "n5", None),
        ("Angus sv b2", "b2", None),
        ("Angus 12 in vs Ortega 11", "in", None),
        ("Angus 12 with", "with", None),
        ("Angus 12 with cheese vs Ortega 11", "cheese", None),
    ],
)
def test_an_error_points_at_the_word(text: str, word: str, near: str | None) -> None:
    with pytest.raises(UnknownWordError) as refused:
        parse(text)
    assert (refused.value.word, refused.value.near) == (word, near)
    assert refused.value.field == "order"


def test_an_error_says_which_line() -> None:
    with pytest.raises(UnknownWordError, match=r"I don't understand `dogde` in `line 2`\. Did you mean `dodge`\?"):
        parse("Angus 12; Ana 10 dogde vs Angus")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "order"),
        (" ; \n", "order"),
        ("n4", "order"),
        (";".join(["Angus 12"] * 13), "order"),
        ("n4; Angus 12; n5", "edition"),
        ("Angus 41", "Success Value"),
        ("Angus 12 -13", "MOD"),
        ("Angus 12-1-1-1-1-1-1-1-1-1", "number of MODs"),
        ("Angus 12 b7", "Burst"),
        ("Angus 12 b0", "Burst"),
        ("Angus 12 burst 7", "Burst"),
        ("Angus 12 +3 sd", "special dice"),
        ("Angus 12 rolls 21", "each face"),
        ("Angus 12 rolls 0", "each face"),
        ("A" * 33 + " 12", "name"),
        ("Angus 12 template vs " + ", ".join("ABCDEFG"), "number of targets"),
    ],
)
def test_out_of_range(text: str, field: str) -> None:
    with pytest.raises(BadInputError) as refused:
        parse(text)
    assert refused.value.field == field


def test_mods_in_a_field() -> None:
    assert modifiers("mods", "-3, +6") == (Mod(-3), Mod(6))
    assert modifiers("mods", "") == modifiers("mods", "none") == modifiers("mods", "0") == ()
    with pytest.raises(
        UnknownWordError, match=r"I don't understand `3` in `mods`\. The sign is missing\. Write `\+3` or `-3`"
    ):
        modifiers("mods", "3")
    with pytest.raises(UnknownWordError, match="Write MODs with their signs"):
        modifiers("mods", "cover")
    with pytest.raises(UnknownWordError, match="I don't understand `b2`"):
        modifiers("mods", "-3 b2")


def test_numbers_in_a_field() -> None:
    assert numbers("dice", " 9, 4/3 ", 1, 20) == (9, 4, 3)
    for text in ("", "nine", "9 21", "-4", "9,,x"):
        with pytest.raises(BadInputError, match="whole numbers from 1 to 20"):
            numbers("dice", text, 1, 20)


@pytest.mark.parametrize("text", ["Ana dodge", "Ana b2 vs Bo 11", "Angus 12 vs Ana dodge"])
def test_whoever_rolls_needs_a_success_value(text: str) -> None:
    with pytest.raises(BadInputError, match=r"`Success Value of Ana` was missing\. Use a number\. Example: `Ana 12`"):
        parse(text)


@pytest.mark.parametrize("verb", ["shoots", "attacks", "vs"])
def test_a_sentence_is_an_order(verb: str) -> None:
    troopers = {"Angus": "BS 12, Combi: B3 PS 7 N ARM +3@16", "Ortega": "BS 12, ARM 1"}
    order = infinity.declare({"troopers": troopers, "order": f"Angus at 10 {verb} Ortega"})
    assert isinstance(order, Order)
    assert (order.rolls[0].sv, order.meetings[0].target) == (15, "Ortega")


PLAYERS: Final = {
    "Ana": "BS 12, CC 15, PH 11, WIP 13, W 1, Forward Observer, Paramedic, Triangulated Fire, Surprise Attack (-3), "
    "Combi Rifle: B3 +3@16 -3@48, "
    "Smoke Grenades: B1 PH Smoke template 0@8, Missile Launcher Blast Mode: B1 EXP template +3@40, "
    "Missile Launcher Hit Mode: B1 EXP +3@40, Móchila: B1 0@8, CC Weapon: CC PS 8, Grenades: B1 PH speculative 0@16",
    "Bo": "BS 11, PH 10, WIP 12, W 1, Multispectral Visor L2, HMG: B4 -3@8 0@16 +3@32",
    "Dwn": "PH 11, W 1, Unconscious",
}


@for_each_row(
    ("typed", "means"),
    [
        ("ANA COMBI AT 12 VS BO DODGES", "Ana Combi Rifle at 12 vs Bo dodge"),
        ("ana combi rifle 12in vs bo resets", "Ana Combi Rifle at 12 vs Bo reset"),
        ("ana bs attack combi @ 12 vs bo", "Ana Combi Rifle at 12 vs Bo"),
        ("ana combi rng 12 vs bo", "Ana Combi Rifle at 12 vs Bo"),
        ("ana rifle at 12 vs bo", "Ana Combi Rifle at 12 vs Bo"),
        ("ana mochila at 5 vs bo", "Ana Móchila at 5 vs Bo"),
        ("ana fo at 12 vs bo dodge", "Ana Forward Observer at 12 vs Bo dodge"),
        ("ana forwardobserver at 12 vs bo dodge", "Ana Forward Observer at 12 vs Bo dodge"),
        ("ana paramedic at 6 vs dwn", "Ana MediKit at 6 vs Dwn"),
        ("ana smoke grenade at 7 vs bo hmg at 12", "Ana Smoke Grenades at 7 vs Bo HMG at 12"),
        ("ana smoke at 7 vs bo hmg at 12", "Ana Smoke Grenades at 7 vs Bo HMG at 12"),
        ("ana missile launcher hit at 12 vs bo dodge", "Ana Missile Launcher Hit Mode at 12 vs Bo dodge"),
        ("ana missile blast at 12 vs bo dodge", "Ana Missile Launcher Blast Mode at 12 vs Bo dodge"),
        ("ana combi triangulated fire at 12 vs bo", "Ana Combi Rifle triangulated at 12 vs Bo"),
        ("ana combi surprise attack -3 at 12 vs bo dodge", "Ana Combi Rifle surprise -3 at 12 vs Bo dodge"),
        ("ana grenades speculative attack at 14 vs bo", "Ana Grenades speculative at 14 vs Bo"),
        ("ana combi fireteam level 4 at 12 vs bo", "Ana Combi Rifle fireteam 4 at 12 vs Bo"),
        ("bo hmg at 12 through smoke vs ana combi", "Bo HMG at 12 zero vs Ana Combi Rifle"),
        ("ana cc attack vs bo dodge", "Ana CC Weapon vs Bo dodge"),
        ("ana cautious movement vs bo hmg at 12", "Ana move vs Bo HMG at 12"),
        ("ana moves vs bo hmg at 12", "Ana move vs Bo HMG at 12"),
        ("Ana: combi at 12 vs Bo: dodge", "Ana Combi Rifle at 12 vs Bo dodge"),
        ("ana combi at 12 vs bo in cover dodge", "Ana Combi Rifle at 12 cover vs Bo dodge"),
    ],
)
def test_ways_to_say_the_same(typed: str, means: str) -> None:
    came = [infinity.declare({"troopers": PLAYERS, "order": text}) for text in (typed, means)]
    assert came[0] == came[1]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("ana missile at 12 vs bo", "Use a weapon of Ana: Missile Launcher Blast Mode, Missile Launcher Hit Mode."),
        ("ana missile launcher at 12 vs bo", "Use a weapon of Ana: Missile Launcher Blast Mode,"),
        ("bo combi at 12 vs ana", "Use a weapon of Bo: HMG."),
    ],
)
def test_a_mode_that_was_not_said_is_asked_for(typed: str, says: str) -> None:
    with pytest.raises(UnknownWordError, match=re.escape(says)):
        infinity.declare({"troopers": PLAYERS, "order": typed})
    with pytest.raises(PlayerError, match="Use a weapon of"):
        infinity.declare({"troopers": PLAYERS, "a": {"name": "Ana", "weapon": "missile launcher", "at": 12}})
