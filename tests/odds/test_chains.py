"""Chains of war games: as many dice again as hit, as wound, as fail their save. Laws from the page of their rules."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Final

import pytest

from bot.odds.anydice import law_of
from bot.rules import anydice
from bot.rules.anydice import play
from bot.rules.anydice.notation import parse
from bot.rules.dice import Rng
from bot.rules.errors import AmbiguousTextError, NotUnderstoodError, PlayerError
from bot.rules.game import Choice
from bot.rules.text import english
from tests.rows import for_each_row
from tests.starts import chance

WORKED = (
    (
        "20d6>=3 then>=4 then>=5",
        Fraction(20, 9),
        (9.4831, 23.7077, 28.1529, 21.1147, 11.2172, 4.4869, 1.4021),
    ),
    ("20d6>=3 then>=4 then<5", Fraction(40, 9), ()),
    (
        "10 attacks hit 3+ wound 4+ save 5+",
        Fraction(20, 9),
        (8.1013, 23.1466, 29.7599, 22.6742, 11.3371, 3.8870, 0.9255),
    ),
    (
        "9 attacks hit 3+ wound 4+ save 3+ ap -2",
        Fraction(2),
        (10.4160, 26.7839, 30.6102, 20.4068, 8.7458, 2.4988, 0.4760),
    ),
    (
        "8 attacks hit 3+ wound 4+ save 5+ fnp 6+",
        Fraction(40, 27),
        (19.4299, 35.3272, 28.1011, 12.7732, 3.6288, 0.6598, 0.0750),
    ),
    (
        "12 attacks hit 3+ rr1 wound 3+ save 4+",
        Fraction(28, 9),
        (2.7289, 11.4616, 22.0635, 25.7408, 20.2709, 11.3517, 4.6353),
    ),
    (
        "6 attacks hit 3+ wound 5+ twin-linked save 4+",
        Fraction(10, 9),
        (29.2653, 39.9073, 22.6746, 6.8711, 1.1712, 0.1065, 0.0040),
    ),
    (
        "10 attacks hit 4+ sustained 1 lethal wound 5+ save 3+ ap -1",
        Fraction(5, 3),
        (19.0534, 31.2351, 26.1658, 14.6816, 6.1422, 2.0266, 0.5454),
    ),
    (
        "4 attacks hit 2+ wound 4+ devastating save 3+ ap -1 inv 4+ damage 3",
        Fraction(10, 3),
        (27.2072, 0, 0, 41.8572, 0, 0, 24.1484, 0, 0, 6.1919, 0, 0, 0.5954),
    ),
    (
        "d6+3 attacks hit 4+ -1 wound 4+ save 4+ damage d3 fnp 5+",
        Fraction(13, 18),
        (62.8912, 15.7513, 12.3037, 6.0294, 1.8590, 0.8006, 0.2590),
    ),
    (
        "aos 10 attacks 3+ 4+ crit mortal rend 1 save 4+ damage 2 ward 6+",
        Fraction(50, 9),
        (1.9906, 2.7269, 8.4982, 9.0189, 15.2586, 13.0097, 15.4199),
    ),
    (
        "opr 5 attacks quality 4+ blast 3 ap 1 defense 5+",
        Fraction(25, 4),
        (3.1980, 1.1053, 5.6793, 10.7495, 6.5258, 13.7975, 14.6397),
    ),
    (
        "10 shots hit 3+ long range, veterans 5+",
        Fraction(5, 3),
        (16.1506, 32.3011, 29.0710, 15.5045, 5.4266, 1.3024, 0.2171),
    ),
    (
        "25 attacks hit 4+ defense 5 crushing 1",
        Fraction(25, 4),
        (0.0753, 0.6271, 2.5085, 6.4106, 11.7527, 16.4538, 18.2820),
    ),
    (
        "6 attacks hit 3+ reroll failed hits, wound 2+ +1, save 2+ ap -3 damage 2",
        Fraction(160, 27),
        (1.6819, 0, 9.8451, 0, 24.0125, 0, 31.2357, 0, 22.8554, 0, 8.9192, 0, 1.4503),
    ),
    ("6 attacks hit 3+ wound 4+ reroll 1s to hit", Fraction(7, 3), ()),
    ("6 attacks hit 3+ s5 t4 reroll wounds save 5+", Fraction(64, 27), ()),
    ("6 attacks hit 3+ s5 t4 +1 to wound", Fraction(10, 3), ()),
    ("6 attacks hit 3+ defense 4 rr1s", Fraction(7, 3), ()),
    ("6 attacks hit 3+ wound 4+ crushing 1", Fraction(8, 3), ()),
    ("6d6ro1>=3 then>=4", Fraction(7, 3), ()),
    ("6d6rr1>=3 then>=4", Fraction(12, 5) * (1 - Fraction(1, 6**11)), ()),
    ("10 shots 4+ 5+", Fraction(5, 3), (16.1506, 32.3011, 29.0710, 15.5045, 5.4266, 1.3024)),
    ("40k 20 3+ 4+ 5+", Fraction(40, 9), ()),
    ("10d6 3+ reroll 1s", Fraction(70, 9), ()),
    ("15 attacks 3+ to hit 4+ to wound 5+ save", Fraction(10, 3), ()),
    ("10 shots bs 3+ s4 t4 sv 3+ ap -1 d 2", Fraction(10, 3), ()),
)
"""A chain, its mean, and the percentages of 0, 1, 2 ... that come through."""


@for_each_row(("text", "mean", "percentages"), WORKED)
def test_a_worked_law(text: str, mean: Fraction, percentages: tuple[float, ...]) -> None:
    law = law_of(parse(text).full_text)
    assert law.mean(int) == mean
    for number, wanted in enumerate(percentages):
        share = Fraction(law.weights.get(number, 0), law.total)
        assert float(100 * share) == pytest.approx(wanted, abs=5e-5)


@pytest.mark.parametrize("text", ["20d6 3+ 4+ 5+", "20d6>=3>=4>=5", "20 3+/4+/5+", "20 attacks 3+ 4+ 5+"])
def test_whose_last_roll_it_is_is_asked(text: str) -> None:
    with pytest.raises(AmbiguousTextError) as question:
        parse(text)
    assert question.value.choices == ("20d6>=3 then>=4 then>=5", "20d6>=3 then>=4 then<5")


@pytest.mark.parametrize("step", ["save 5+", "save 5+ 4++", "fnp 5+"])
@pytest.mark.parametrize("rule", ["cover", "-1", "+1", "reroll 1s", "rerolling failed", "crit 5+"])
def test_a_rule_that_changes_nothing_is_refused(step: str, rule: str) -> None:
    if (step, rule) != ("save 5+", "cover"):  # which betters a save
        with pytest.raises(NotUnderstoodError):
            parse(f"10 attacks hit 3+ wound 4+ {step} {rule}")


SIMPLER: Final = (
    ("10 attacks hit 3+ wound 4+ save 5+ cover", "10 attacks hit 3+ wound 4+ save 4+"),
    ("10 attacks hit 3+ wound 4+ save 3+ cover", "10 attacks hit 3+ wound 4+ save 3+"),
    ("10 attacks hit 3+ wound 4+ save 3+ cover ap 1", "10 attacks hit 3+ wound 4+ save 3+"),
    ("10 attacks hit 3+ wound 4+ save 5+ exploding sixes", "10 attacks hit 3+ wound 4+ save 5+ sustained 1"),
    ("10 attacks blast 4 models hit 3+ wound 4+", "10 attacks hit 3+ wound 4+"),
    ("10 attacks hit 3+ wound 4+, blast vs 12 models", "12 attacks hit 3+ wound 4+"),
    ("d6+3 shots blast into 11 models hit 4+ wound 4+ save 5+", "d6+5 shots hit 4+ wound 4+ save 5+"),
    ("30 boyz 5+ 4+ save 4+", "30 attacks hit 5+ wound 4+ save 4+"),
    ("10 shots bs4+ s5 t4 sv3+", "10 shots hit 4+ wound 3+ save 3+"),
)


@pytest.mark.parametrize(("text", "simpler"), SIMPLER)
def test_what_a_rule_comes_to(text: str, simpler: str) -> None:
    assert parse(text).full_text == parse(simpler).full_text


def test_mortal_wounds_are_damage_beside_failed_saves() -> None:
    law, plain = (law_of(parse(f"10 attacks hit 3+ wound 4+ save 5+{more}").full_text) for more in (" mw 3", ""))
    assert law.weights == {damage + 3: weight for damage, weight in plain.weights.items()}
    stopped, bare = (law_of(parse(f"4 attacks hit 3+ wound 4+ fnp 5+{more}").full_text) for more in (" mw 2", ""))
    shares = {points: Fraction(weight, bare.total) for points, weight in bare.weights.items()}
    of_two = {0: Fraction(1, 9), 1: Fraction(4, 9), 2: Fraction(4, 9)}  # a die of its own for each mortal wound
    for points, weight in stopped.weights.items():
        wanted = sum(shares.get(points - mortal, Fraction(0)) * share for mortal, share in of_two.items())
        assert Fraction(weight, stopped.total) == wanted
    for other in ("fnp 6+ by @1 mw 3", "w 2 damage 2 mw 3"):
        with pytest.raises(NotUnderstoodError, match="`mw`"):
            parse(f"10 attacks hit 3+ wound 4+ save 5+ {other}")


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("6 attacks hit 3+ rr hits -1 to hit 4+ to wound", "6d6ro<3>=4 then>=4"),  # as the dice fell, then modifiers
        ("6 attacks hit 3+ wound 5+ +1 to wound twin-linked", "6d6>=3 then>=4ro<5"),
        ("6 attacks hit 3+ wound 5+ anti 3+ twin-linked", "6d6>=3 then>=5ro<3c3"),  # what is critical succeeds
        ("6 attacks 4+ to hit -1 to hit 3+ to wound save 4+", "6d6>=5 then>=3 then<4"),
    ],
)
def test_dice_are_rerolled_before_modifiers(text: str, notation: str) -> None:
    assert parse(text).full_text == parse(notation).full_text


@pytest.mark.parametrize("word", ["torrent", "blast", "overwatch"])
def test_a_refused_chain_names_the_word_that_is_not_read(word: str) -> None:
    with pytest.raises(NotUnderstoodError, match=f"`{word}`"):
        parse(f"10 attacks hit 3+ wound 4+ {word} save 5+")


@pytest.mark.parametrize("twice", ["sustained 1 sustained 2", "reroll hits wound 4+ reroll hits", "wound 4+ s5 t4"])
def test_what_is_said_twice_is_refused(twice: str) -> None:
    with pytest.raises(NotUnderstoodError):
        parse(f"10 attacks hit 3+ {twice}")


def test_every_step_has_as_many_dice_as_the_one_before_let_through() -> None:
    """Two dice with two further steps, in every way in which they can fall."""
    found = [0, 0, 0]
    for faces in product(range(1, 7), repeat=2):
        for more in every_fall(sum(face >= 3 for face in faces)):
            for last in every_fall(sum(face >= 4 for face in more)):
                words = {"dice": "2d6>=3 then>=4 then<5", "faces": [*faces, *more, *last]}
                (total,) = anydice.start(anydice.declare(words), chance(0)).totals
                found[total] += 6 ** (4 - len(more) - len(last))
    law = law_of("2d6>=3 then>=4 then<5")
    assert [Fraction(law.weights[at], law.total) for at in range(3)] == [Fraction(ways, 6**6) for ways in found]


def every_fall(dice: int) -> list[tuple[int, ...]]:
    return list(product(range(1, 7), repeat=dice))


def test_a_chain_is_written_as_it_is_read() -> None:
    for text in (
        "20d6>=3 then>=4 then<5",
        "10d6ro1>=3 then>=4",
        "1d6 t3 then>=4",
        "10d6>=4c6+1> then>=5ro<5c5> then<4",
        "2d6+3 then>=5 then<4 thenxd3 then<5",
    ):
        assert parse(text).full_text == text
    for text in ("6d6kh3>=3 then>=4", "6d6!>=3 then>=4", "6d6>=3 then 4"):
        with pytest.raises(NotUnderstoodError):
            parse(text)


@pytest.mark.parametrize("text", ["2d6>=1 then>=1", "2d6 then>=1"])
def test_only_dice_behind_the_first_are_of_a_next_step(text: str) -> None:
    dice = play.roll_chain(parse(text).line.pools[0], play.bot_thrower(chance(0)))
    assert [english(die.trail[0].by) for die in dice] == ["", "", *["next step"] * (len(dice) - 2)]


def test_a_chain_falls_as_its_law_says() -> None:
    """One attack with everything: critical hits, again-rolls, damage by a die, in every way in which its dice fall."""
    text = "1d6ro1 t4c6+1> then>=5 thenxd3"
    law, found = law_of(text), dict[int, Fraction]()
    for total, share in every_way((), text):
        found[total] = found.get(total, Fraction(0)) + share
    assert {value: Fraction(ways, law.total) for value, ways in law.weights.items()} == found


def every_way(faces: tuple[int, ...], text: str) -> Iterator[tuple[int, Fraction]]:
    """Each total that may follow from these faces, with its share; a chain asks for faces until it has enough."""
    pool = parse(text).line.pools[0]
    asked = list[int]()

    def next_face(sides: int) -> int:
        asked.append(sides)
        if len(asked) > len(faces):
            raise LookupError
        return faces[len(asked) - 1] - 1

    try:
        dice = play.roll_chain(pool, play.bot_thrower(next_face))
    except LookupError:
        for face in range(1, asked[-1] + 1):
            yield from ((total, share / asked[-1]) for total, share in every_way((*faces, face), text))
    else:
        yield play.pool_total(pool, dice), Fraction(1)


MODELS = (
    ("10 attacks hit 3+ wound 4+ save 5+ damage 2 w 3", "10d6>=3 then>=4 then<5 thenx2 thenw3"),
    ("40k 10 3+ 4+ 5+ d d3 fnp 5+ w 2", "10d6>=3 then>=4 then<5 thenxd3 then<5 thenw2"),
    ("10 attacks hit 3+ wound 4+ save 5+ w 2", "(10d6>=3 then>=4 then<5)/2"),
    ("aos 10 attacks 3+ 4+ save 4+ damage 2 w 3", "(10d6>=3 then>=4 then<4 thenx2)/3"),
    ("10 attacks hit 3+ wound 4+ save 5+ damage 2 w 3 kill 2", "(10d6>=3 then>=4 then<5 thenx2 thenw3)>=2"),
)


@pytest.mark.parametrize(("text", "notation"), MODELS)
def test_models_of_several_wounds(text: str, notation: str) -> None:
    assert parse(text).full_text == notation == parse(notation).full_text


@pytest.mark.parametrize("text", ["2d6>=4 then>=4 thenxd3 thenw2", "2d6>=4 then>=4 thenxd3 then<6 thenw3"])
def test_models_fall_to_one_attack_after_the_other(text: str) -> None:
    """Count apart: attacks that wound, then the damage of each, one after the other, in every way."""
    saves, wounds = "then<6" in text, int(text[-1])
    through, found = Fraction(1, 4), dict[int, Fraction]()
    points = {damage: Fraction(1, 3) for damage in (1, 2, 3)}
    if saves:
        points = {
            left: sum(
                (
                    Fraction(1, 3) * comb(damage, left) * Fraction(5, 6) ** left * Fraction(1, 6) ** (damage - left)
                    for damage in (1, 2, 3)
                    if left <= damage
                ),
                Fraction(0),
            )
            for left in range(4)
        }
    for attacks in range(3):
        share = comb(2, attacks) * through**attacks * (1 - through) ** (2 - attacks)
        for each in product(points, repeat=attacks):
            fallen = hurt = 0
            for damage in each:
                hurt += damage
                fallen, hurt = (fallen + 1, 0) if hurt >= wounds else (fallen, hurt)
            found[fallen] = found.get(fallen, Fraction(0)) + share * prod(points[damage] for damage in each)
    law = law_of(text)
    assert {value: Fraction(ways, law.total) for value, ways in law.weights.items()} == found


def test_a_model_falls_at_the_table_as_in_its_law() -> None:
    text = "2d6>=6 thenxd3 thenw2"
    law, found = law_of(text), dict[int, Fraction]()
    for total, share in every_way((), text):
        found[total] = found.get(total, Fraction(0)) + share
    assert {value: Fraction(ways, law.total) for value, ways in law.weights.items()} == found


@pytest.mark.parametrize("text", ["2d6>=4 thenw2", "2d6>=4c6>> then>=4 thenx2 thenw2", "2d6>=4 thenx2 thenw2 thenx2"])
def test_models_need_damage_that_no_die_leaves_out(text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        parse(text)


SHARED = (
    ("20d6 hit 3+, wound 4+, save 5+ by @1", "20d6>=3 then>=4 then<5 by @1"),
    ("20d6 3+ 4+ 5+ by @1", "20d6>=3 then>=4 then<5 by @1"),
    ("20d6 hit 3+, wound 4+, save 5+ by @1 , fnp 6+ by @1", "20d6>=3 then>=4 then<5 by @1 then<6 by @1"),
    ("4 attacks hit 2+ wound 4+ save 3+ 4++ by @2 damage 3", "4d6>=2 then>=4 then<3 by @2 thenx3"),
)


@pytest.mark.parametrize(("text", "notation"), SHARED)
def test_a_step_by_somebody_else_has_the_same_law(text: str, notation: str) -> None:
    assert parse(text).full_text == notation == parse(notation).full_text
    assert law_of(notation) == law_of(re.sub(" by @[0-9]", "", notation))


@pytest.mark.parametrize("text", ["20d6 hit 3+ by @1, wound 4+", "20d6 hit 3+, wound 4+ by @1, save 5+"])
def test_the_thrower_hits_and_wounds(text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        parse(text)


def test_somebody_else_rolls_their_step_and_what_follows() -> None:
    state = play.start(play.declare({"dice": "3d6 hit 3+ wound 4+ save 5+ by @1 damage 2"}), fixed(3, 4, 2, 4, 6))
    assert state.waits_for == {1: 2}
    assert {**play.outcome(state), "pools": []} == {
        "dice": "3d6>=3 then>=4 then<5 by @1 thenx2",
        "understood": "3d6>=3 then>=4 then<5 by @1 thenx2",
        "totals": [],
        "pools": [],
        "missing": [1],
    }
    (offer,) = play.offers(state)
    assert (offer.key, offer.player) == ("step-1", 1)
    state = offer.act.apply(state, Choice(offer.key), fixed(4, 5))
    assert (state.waits_for, state.totals) == ({}, (2,))
    assert [offer.key for offer in play.offers(state)] == ["again"]


def test_nobody_is_waited_for_where_nothing_comes_through_or_all_faces_are_typed() -> None:
    words = {"dice": "2d6 hit 3+ wound 4+ save 5+ by @1"}
    assert play.start(play.declare(words), fixed(1, 2)).waits_for == {}
    state = play.start(play.declare(words | {"faces": "3 2 4 1"}), play.refuse_chance)
    assert (state.waits_for, state.totals) == ({}, (1,))
    with pytest.raises(PlayerError):
        anydice.declare(words | {"request": "@1"})


def fixed(*faces: int) -> Rng:
    """Chance that lets these faces fall."""
    left = iter(faces)
    return lambda _: next(left) - 1


@pytest.mark.parametrize("rule", ["rend 1", "ap 2", "twin-linked", "lethal hits", "devastating wounds", "crushing 1"])
def test_a_rule_whose_step_is_not_rolled_stays_in_sight(rule: str) -> None:
    assert parse(f"10 attacks hit 3+ {rule}").full_text == f'10d6>=3 "{rule}"'
