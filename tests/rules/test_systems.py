"""Dice of games: each row of the table with results that were worked out by hand, and what is typed for it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

from bot.rules import anydice, contest
from bot.rules.anydice import RollRequest
from bot.rules.anydice.formula import Formula, Measure, Net, count_sets
from bot.rules.anydice.notation import parse
from bot.rules.anydice.play import Declared, roll_all
from bot.rules.anydice.systems import MIN_NAME, NAMES, SAME_LETTERS, SYSTEMS, System, find_name
from bot.rules.errors import NotUnderstoodError, PlayerError
from bot.rules.game import Side
from tests.examples import share_of
from tests.rows import for_each_row
from tests.starts import chance

GOLDEN: Final = [(system, row) for system in SYSTEMS.values() for row in system.golden]


PROGRAM: Final = re.compile(r"bcdice|dice ?maiden|foundry|roll_syntax|\.(?:rb|rs|js|ts|vue|scad)\b", re.IGNORECASE)
"""Other dice programs and their files."""


def test_what_was_worked_out_by_hand() -> None:
    for system, row in GOLDEN:
        state = anydice.start(anydice.declare({"dice": row["typed"], "faces": row["faces"]}), chance(0))
        assert anydice.outcome(state).get("reading", "") == row["reading"], row
        if "score" in row:
            assert state.totals == (row["score"],), row
        assert state.expression.line.game in (system, None), row


@for_each_row("one", SYSTEMS.values(), ids=lambda item: item.key)
def test_a_row_is_whole(one: System) -> None:
    assert one.source
    assert not PROGRAM.search(" ".join((one.source, *one.second_sources))), "a program is no source of rules"
    assert len(one.golden) >= (3 if one.results else 1)
    for faces in one.faces.values():
        assert all(face in one.marks or face.isdigit() or set(face) <= set(one.marks) for face in faces)
    for typed, _ in one.examples:
        assert parse(typed).has_dice


def test_no_two_systems_have_a_name_in_common() -> None:
    assert len({name for name, _ in NAMES}) == len(NAMES)


OPTIONS: Final = st.sampled_from(list(SYSTEMS.values())).flatmap(
    lambda system: st.tuples(
        st.just(system),
        st.tuples(
            *(
                (st.nothing() if option.sides and not option.optional else st.none())  # the first die that is typed
                | st.sampled_from(option.sides or range(option.least, min(option.most, 12) + 1))
                for option in system.options
            )
        ),
    )
)


@settings(max_examples=share_of(300), deadline=None)
@given(OPTIONS, st.integers(0, 99))
def test_what_is_stored_is_read_as_the_same_again(typed: tuple[System, tuple[int | None, ...]], seed: int) -> None:
    system, values = typed
    if system.times:
        return
    try:
        expression = parse(system.write_canonical(values))
    except PlayerError:
        return
    if expression.line.system != system.key:  # "sr5" alone: five dice of the fourth edition
        return
    names = [option.name for option in system.options]
    read, meant = system.option_values(expression.line.options), system.option_values(values)
    assert {name: read[name] for name in names} == {name: meant[name] for name in names}
    assert parse(expression.full_text) == expression
    state = anydice.start(anydice.declare({"dice": expression.full_text}), chance(seed))
    assert isinstance(anydice.outcome(state).get("reading", ""), str)


@for_each_row("one", [system for system in SYSTEMS.values() if system.uncounted], ids=lambda item: item.key)
def test_a_word_of_the_game_that_is_not_counted_is_named_and_never_a_label(one: System) -> None:
    typed = one.golden[0]["typed"]
    for word in one.uncounted:
        with pytest.raises(NotUnderstoodError) as refused:
            parse(f"{typed} {word}")
        assert word.split()[0] in str(refused.value), word
        with pytest.raises(NotUnderstoodError):
            parse(f"{typed} {word} of the table")
        assert parse(f'{typed} "{word}"').line.label == word, "quotes make it a label"


def splits(dice: tuple[int, ...], sets: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every way to put dice into sets: each die into one of those before, or a new one; the sums."""
    if not dice:
        yield sets
        return
    for at in range(len(sets)):
        yield from splits(dice[1:], (*sets[:at], sets[at] + dice[0], *sets[at + 1 :]))
    yield from splits(dice[1:], (*sets, dice[0]))


@pytest.mark.parametrize("count", range(1, 6))
def test_raises_are_the_most_of_every_way_to_make_sets(count: int) -> None:
    for dice in list(combinations_with_replacement(range(1, 11), count))[:: 1 + (count > 4)]:
        ways = list(splits(dice))
        assert count_sets(dice) == max(sum(total >= 10 for total in sets) for sets in ways), dice
        two = max(sum((total >= 10) + (total >= 15) for total in sets) for sets in ways)
        assert count_sets(dice, 15) == two, dice


@pytest.mark.parametrize(
    ("typed", "rolled"),
    [
        ("l5r 7k3", "7d10!!kh3"),
        ("l5r 12k4", "10d10!!kh5"),
        ("l5r 11k4", "10d10!!kh4"),
        ("l5r 13k9", "10d10!!kh10+2"),
        ("l5r 10k12", "10d10!!kh10+4"),
        ("l5r 14k12", "10d10!!kh10+12"),
        ("l5r 5k3 emphasis", "5d10ro1!!kh3"),
        ("3k2 l5r", "3d10!!kh2"),
        ("l5r 3k2 +5 tn 15 unskilled", "3d10kh2+5>=15"),
    ],
)
def test_no_more_than_ten_dice_are_rolled_and_kept(typed: str, rolled: str) -> None:
    assert parse(typed).canonical_text == parse(rolled).canonical_text


def test_what_is_missing_is_said_with_an_example() -> None:
    for text, said in (
        ("blades", "Blades in the Dark needs one more number (dice), as in `blades 3`"),
        ("v5 2 5", "hunger dice are part of the pool"),
        ("genesys", "name the dice by their letters"),
        ("gurps", "GURPS needs one more number (skill)"),
    ):
        with pytest.raises(PlayerError) as refusal:
            parse(text)
        assert said in str(refusal.value)


@pytest.mark.parametrize("text", ["__import__('os')", "x ** 2", "count(1)", "open(a)", "count(pool in x)"])
def test_a_formula_is_no_program(text: str) -> None:
    with pytest.raises((ValueError, KeyError, StopIteration, SyntaxError)):
        Formula.from_row(text).value({"x": 2, "a": 1})


def test_only_measures_that_are_added_up_alone_count_as_one() -> None:
    alone, beside = Formula.from_row("sum(a) - sum(b)"), Formula.from_row("sum(a) - sum(b) + n")
    assert [type(measure) for measure in alone.measures] == [Net]
    assert [times for measure in alone.measures if isinstance(measure, Net) for times, _ in measure.terms] == [1, -1]
    assert (set(beside.names), [type(measure) for measure in beside.measures]) == ({"n"}, [Net])
    assert [type(measure) for measure in Formula.from_row("sum(a) + n").measures] == [Measure], "a name is no measure"


def test_a_system_may_be_filled_in() -> None:
    declared = anydice.declare({"dice": "+2 vs 15", "system": "daggerheart"})
    assert isinstance(declared, Declared)
    assert declared.dice == "daggerheart +2 vs 15"
    plain = anydice.declare({"dice": "1d20+5", "system": "daggerheart"})
    assert isinstance(plain, Declared)
    assert plain.dice == "1d20+5"
    with pytest.raises(NotUnderstoodError) as refusal:
        anydice.declare({"dice": "3", "system": "blades"})
    assert refusal.value.nearest == "blades 3"
    asked = anydice.declare({"dice": "+2", "system": "pbta", "request": "@1"})
    assert isinstance(asked, RollRequest)
    assert asked.dice == "pbta +2"


def test_a_contest_compares_what_the_systems_count() -> None:
    declared = contest.declare({"dice": "v5 4", "their_dice": "v5 4"})
    state = contest.start(declared, chance(0))
    first = declared.first
    assert first
    assert first.dice == "v5 4"
    dice = roll_all(first.expression, lambda _: 9, None, Side.ATTACKER)
    assert replace(state, rounds=((dice, dice),)).results == (8, 8)


@pytest.mark.parametrize(
    "letters", [{}, {"i": "\N{LATIN SMALL LETTER DOTLESS I}"}, {"i": "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}"}]
)
def test_a_name_is_found_in_any_case(letters: dict[str, str]) -> None:
    odd = str.maketrans(letters | {"s": "\N{LATIN SMALL LETTER LONG S}", "k": "\N{KELVIN SIGN}"})
    for name, item in NAMES:
        for text in (name, name.upper(), name.translate(odd)):
            assert find_name(name, item, text.translate(SAME_LETTERS).lower()) == (0, len(name)), text


@pytest.mark.parametrize("text", ["mm 3 edges", "mm edges 3 vs 14", "drawsteel 3 edges", "drawsteel bane 5"])
def test_a_number_beside_a_counted_word_is_never_a_bonus(text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        parse(text)


SHAPES: Final = (
    "{name} {form}",
    "{name} check {form}",
    "{name} stealth {form}",
    "stealth {name} {form}",
    "{name}: {form}",
)
PLAYED_NAMES: Final = ("savage", "age", "7s", "the expanse")


def forms(system: System) -> Iterator[str]:
    """Yield what stands behind the name in a system's golden rows."""
    for row in system.golden:
        name = next((name for name, item in NAMES if item is system and row["typed"].startswith(name)), "")
        if name and row["typed"] != name:
            yield row["typed"][len(name) :].strip()


@pytest.mark.parametrize("one", [item for item in SYSTEMS.values() if not item.times], ids=lambda item: item.key)
def test_words_between_a_name_and_its_numbers_are_a_label(one: System) -> None:
    for form in [*forms(one)][:1]:
        options = parse(f"{one.key} {form}").line.options
        for name in set(one.names) - {*PLAYED_NAMES}:
            for shape in SHAPES:
                if shape.startswith("stealth") and (one.first or len(name) < MIN_NAME):
                    continue
                line = parse(shape.format(name=name, form=form)).line
                assert (line.system, line.options) == (one.key, options), (shape, name, form)
                assert line.label == ("stealth" if "stealth" in shape else ""), (shape, name, form)


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("coc 7th edition spot hidden 55", 'coc 55 "spot hidden"'),
        ("spot hidden 55 in coc", 'coc 55 "spot hidden"'),
        ("pulp cthulhu luck 45", 'coc 45 "luck"'),
        ("apocalypse world act under fire +1", 'pbta +1 "act under fire"'),
        ("ironsworn edge 3 +1", 'ironsworn +4 "edge"'),
        ("cyberpunk red 6+7 dv 15", "cpr +13 vs 15"),
        ("gurps 12 broadsword -2", 'gurps 12 -2 "broadsword"'),
        ("coriolis 8", "yz base 8"),
        ("traveller +2 8+", "cepheus +2 vs 8"),
        ("genesys 3g 1y vs 2p 1r 1s", "genesys 3g 1y 2p 1r 1k"),
        ("fate plus 2", "fate +2"),
        ("fate fight +3 stunt +2 vs 4", 'fate stunt 2 +3 vs 4 "fight"'),
        ("monster of the week kick some ass +2 +1 forward", 'pbta forward 1 +2 "kick some ass"'),
        ("numenera level 4 with an asset", "cypher asset 1 4"),
        ("13th age +8 vs PD 17, escalation die 3", "age13 esc 3 +8 vs 17"),
        ("sta control 10 security 3 focus 3", "sta focus 3 command 3 10"),
        ("traveller gun combat +2 difficulty 10", 'cepheus +2 vs 10 "gun combat"'),
        ("mothership fear save 40 disadvantage", 'mothership 40 disadvantage "fear save"'),
    ],
)
def test_a_game_is_read_as_people_say_it(typed: str, means: str) -> None:
    assert parse(typed).full_text == means


@pytest.mark.parametrize(
    "typed",
    [
        "sw 2 attacks d8",
        "3 goblins gurps 12",
        "pbta 2 harm +1",
        "coc 45 spot hidden not hard",
        "vampire strength 3 brawl 2",
        "wfrp 45 damage +8",
        "yz 3 - 2",
        "yz 3 goblins 2",
        "savage attack d8",
        "wfrp 2e 45",
        "fate +3 stunt",
        "pbta +1 forward",
        "age +3 focus vs 13",
        "sw d8 +2 joker",
        "sw d8 -1 wound",
        "wfrp 45 -10 difficult",
        "wfrp 45 +20 advantage",
        "sta control 10 security 3 focus",
    ],
)
def test_a_number_beside_other_words_is_never_in_another_role(typed: str) -> None:
    with pytest.raises(NotUnderstoodError):
        parse(typed)
