"""Dice notation written a second time, in the words of the library icepool, which has never seen ours.

``python -m tests.odds.anydice_by_icepool`` writes ``tests/golden/anydice.json``: each expression with its exact law, or
with the refusal that people read.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import icepool
from icepool import d

from tests.odds.dice_as_typed import ASKED, REFUSED, UNCOUNTED, UNDERSTOOD

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "anydice.json"
MAX_WHOLE: Final = 40
"""A law with more results stands in the file as a digest."""

d4, d6, d8, d10, d12, d20, d100 = (d(sides) for sides in (4, 6, 8, 10, 12, 20, 100))
fudge = icepool.Die([-1, 0, 1])
marked = d6.map({1: 0, 2: 0, 3: 0, 4: 0, 5: 1, 6: 100})
"""A success on 5, and on 6, which explodes and is told apart as 100."""


def fits(die: Any, test: Any) -> Any:
    """1 where a die fits, else 0."""
    return die.map(lambda face: int(test(face)))


def at_least(least: int) -> Any:
    return lambda face: face >= least


def highest(die: Any, dice: int, keep: int) -> Any:
    return die.pool(dice).highest(keep).sum()


def lowest(die: Any, dice: int, keep: int) -> Any:
    return die.pool(dice).lowest(keep).sum()


def often(die: Any, faces: Any) -> Any:
    """Rerolled until it no longer shows one of the faces, at most ten times."""
    return die.reroll(faces, depth=10)


def exploding(die: Any, faces: Any) -> Any:
    return die.explode(faces, depth=10)


def check(die: Any, test: Any) -> Any:
    return fits(die, test)


def again_from(least: int) -> Any:
    """Successes of one die of World of Darkness: 8 or more, and dice from ``least`` bring another."""
    item = d10.map(lambda face: 100 + int(face >= 8) if face >= least else int(face >= 8))
    return exploding(item, [100, 101]).map(lambda total: total % 100)


def penetrating(die: Any, face: int) -> Any:
    """Each further die counts 1 less than it shows, at most ten of them."""
    behind = die - 1
    for _ in range(9):
        behind = icepool.map(lambda item, more: item - 1 + (more if item == face else 0), die, behind)
    return icepool.map(lambda item, more: item + (more if item == face else 0), die, behind)


def tens_of(count: int, best: Any) -> Any:
    """A d100 of so many tens dice and one of ones, of which the best result counts; 00 and 0 is 100."""
    ten, item = d(10) - 1, d(10) - 1
    return icepool.map(lambda ones, *tens: best(10 * t + ones or 100 for t in tens), item, *[ten] * count)


@cache
def laws() -> tuple[tuple[str, Any], ...]:
    """Each expression with its law; counted when somebody asks, since it takes seconds."""
    return (
        ("d20", d20),
        ("1d20", d20),
        ("D20", d20),
        ("1d2", d(2)),
        ("1d4", d4),
        ("2d4", 2 @ d4),
        ("3d6", 3 @ d6),
        ("2d8", 2 @ d8),
        ("2d10", 2 @ d10),
        ("2d12", 2 @ d12),
        ("1d7", d(7)),
        ("2d3", 2 @ d(3)),
        ("1d1000", d(1000)),
        ("d%", d100),
        ("1d100", d100),
        ("2d%", 2 @ d100),
        ("4dF", 4 @ fudge),
        ("4df+2", 4 @ fudge + 2),
        ("dF", 4 @ fudge),
        ("1dF", fudge),
        ("1d20+5", d20 + 5),
        ("1d20 + 5", d20 + 5),
        ("1d20-1", d20 - 1),
        ("1d20–1", d20 - 1),
        ("5+1d20", d20 + 5),
        ("10-1d4", 10 - d4),
        ("-1d6", -d6),
        ("--1d6", d6),
        ("+1d6", d6),
        ("2d6+1d8", 2 @ d6 + d8),
        ("1d8+1d6+3", d8 + d6 + 3),
        ("1d8-1d8", d8 - d(8)),
        ("3d6+2d8-1d4+2", 3 @ d6 + 2 @ d8 - d4 + 2),
        ("2d6*2", (2 @ d6) * 2),
        ("2d6×10", (2 @ d6) * 10),
        ("(2d6+3)*2", (2 @ d6 + 3) * 2),
        ("1d6*1d6", d6 * d(6)),
        ("1d4*1d4-1d4", d4 * d(4) - d(4)),
        ("3d6/2", (3 @ d6) // 2),
        ("3d6//2", (3 @ d6) // 2),
        ("(1d6-4)/2", (d6 - 4) // 2),
        ("-1d6/2", (-d6) // 2),
        ("1d20/1d4", (d20).map(lambda a: d(4).map(lambda b: a // b))),
        ("1d6+2*3", d6 + 6),
        ("((((1d6))))", d6),
        ("(1d6)+(1d6)", 2 @ d6),
        ("4d6kh3", highest(d6, 4, 3)),
        ("4d6k3", highest(d6, 4, 3)),
        ("4d6 kh3", highest(d6, 4, 3)),
        ("4d6dl1", highest(d6, 4, 3)),
        ("4d6pl1", highest(d6, 4, 3)),
        ("4d6d1", highest(d6, 4, 3)),
        ("4d6dl", highest(d6, 4, 3)),
        ("4d6kl3", lowest(d6, 4, 3)),
        ("4d6dh1", lowest(d6, 4, 3)),
        ("4d6ph2", lowest(d6, 4, 2)),
        ("2d20kh", highest(d20, 2, 1)),
        ("2d20kh1", highest(d20, 2, 1)),
        ("2d20kl1+5", lowest(d20, 2, 1) + 5),
        ("3d20kh1-2", highest(d20, 3, 1) - 2),
        ("2d20dl1", highest(d20, 2, 1)),
        ("5d10kh2", highest(d10, 5, 2)),
        ("10d6kh10", 10 @ d6),
        ("6d6dl6", icepool.Die([0])),
        ("40d6kh3", highest(d6, 40, 3)),
        ("4dFkh2", highest(fudge, 4, 2)),
        ("4d6kh3+1d20", highest(d6, 4, 3) + d20),
        ("6d10>=7", 6 @ fits(d10, at_least(7))),
        ("6d10 >= 7", 6 @ fits(d10, at_least(7))),
        ("6d10>7", 6 @ fits(d10, at_least(8))),
        ("5d6=6", 5 @ fits(d6, lambda face: face == 6)),
        ("5d6==6", 5 @ fits(d6, lambda face: face == 6)),
        ("5d6<>6", 5 @ fits(d6, lambda face: face != 6)),
        ("5d6<=2", 5 @ fits(d6, lambda face: face <= 2)),
        ("5d6<3", 5 @ fits(d6, lambda face: face < 3)),
        ("100d10>=7", 100 @ fits(d10, at_least(7))),
        ("1d100<=45", fits(d100, lambda face: face <= 45)),
        ("(6d10>=7)+2", 6 @ fits(d10, at_least(7)) + 2),
        ("2+(6d10>=7)", 6 @ fits(d10, at_least(7)) + 2),
        ("(3d6>=5)-(2d6>=5)", 3 @ fits(d6, at_least(5)) - 2 @ fits(d6, at_least(5))),
        ("6d10>=7>=3", check(6 @ fits(d10, at_least(7)), at_least(3))),
        ("4d6kh2>=5", icepool.map(lambda *faces: sum(item >= 5 for item in sorted(faces)[2:]), d6, d6, d6, d6)),
        ("1d20+5>=15", check(d20 + 5, at_least(15))),
        ("(1d20)>=10+5", check(d20, at_least(15))),
        ("(1d20+1d4)>=15", check(d20 + d4, at_least(15))),
        ("1d20+3>1d20+5", check(d20 + 3 - (d(20) + 5), lambda gap: gap > 0)),
        ("2d6=1d12", check(2 @ d6 - d12, lambda gap: gap == 0)),
        ("2d6 <> 1d12", check(2 @ d6 - d12, lambda gap: gap != 0)),
        ("(2d6+0)<=1d12", check(2 @ d6 - d12, lambda gap: gap <= 0)),
        ("1d20+0<1d20", check(d20 - d(20), lambda gap: gap < 0)),
        ("4d6kh1", highest(d6, 4, 1)),
        ("8d6kh1", highest(d6, 8, 1)),
        ("3d6kh2", highest(d6, 3, 2)),
        ("1d6%2", d6 % 2),
        ("1d6^2", d6.map(lambda face: face**2)),
        ("4d6^2", (4 @ d6).map(lambda total: total**2)),
        ("(1d6-3)^2", (d6 - 3).map(lambda total: total**2)),
        ("abs(1d6-1d6)", (d6 - d(6)).map(abs)),
        ("3d10", 3 @ d10),
        ("4d6k>3", 4 @ d6.map(lambda face: face if face > 3 else 0)),
        ("4d6p<=3+1", 4 @ d6.map(lambda face: face if face > 3 else 0) + 1),
        ("4d6mi3", 4 @ d6.map(lambda face: max(face, 3))),
        ("4d10ma5", 4 @ d10.map(lambda face: min(face, 5))),
        ("4d6rr<=2", 4 @ often(d6, [1, 2])),
        ("2d6ro1", 2 @ d6.reroll([1], depth=1)),
        ("2d6ro<3", 2 @ d6.reroll([1, 2], depth=1)),
        ("1d20ro<=2", d20.reroll([1, 2], depth=1)),
        ("3d8ro>=7", 3 @ d8.reroll([7, 8], depth=1)),
        ("1d6rr1", often(d6, [1])),
        ("2d6rr<3", 2 @ often(d6, [1, 2])),
        ("1d1000rr<1000", often(d(1000), list(range(1, 1000)))),
        ("3d6rr!=6", 3 @ often(d6, [1, 2, 3, 4, 5])),
        ("1d6!", exploding(d6, [6])),
        ("1d6e6", exploding(d6, [6])),
        ("1d6x", exploding(d6, [6])),
        ("1d6!>4", exploding(d6, [5, 6])),
        ("1d10!>=9", exploding(d10, [9, 10])),
        ("2d6!", 2 @ exploding(d6, [6])),
        ("1d4!1", exploding(d4, [1])),
        ("1d8!+1d6!", exploding(d8, [8]) + exploding(d6, [6])),
        ("1d2!", exploding(d(2), [2])),
        ("20d6!", 20 @ exploding(d6, [6])),
        ("4dF!", 4 @ exploding(fudge, [1])),
        ("1d6ro1!", exploding(d6.reroll([1], depth=1), [6])),
        ("1d6!ro1", exploding(d6.reroll([1], depth=1), [6])),
        ("6d6!6>=5", 6 @ exploding(marked, [100]).map(lambda total: total // 100 + total % 100)),
        ("8d6mi2", 8 @ d6.map(lambda face: max(face, 2))),
        ("8d6ma5", 8 @ d6.map(lambda face: min(face, 5))),
        ("1d20mi10", d20.map(lambda face: max(face, 10))),
        ("2d20mi5ma15kh1", highest(d20.map(lambda face: min(15, max(face, 5))), 2, 1)),
        ("4d6km2", d6.pool(4)[0, 1, 1, 0].sum()),
        ("5d10km3", d10.pool(5)[0, 1, 1, 1, 0].sum()),
        ("2d6ra1", icepool.map(lambda a, b, more: a + b + more * (1 in (a, b)), d6, d6, d6)),
        ("4d6i2", 4 @ icepool.map(lambda face, taken: face - taken * (face <= 2), d6, d6)),
        ("{4d6, 3d8, 1d20}kh2", icepool.map(lambda *sums: sum(sorted(sums)[1:]), 4 @ d6, 3 @ d8, d20)),
        ("{1d6, 1d6, 1d6, 1d8, 1d8}kh3", icepool.map(lambda *dice: sum(sorted(dice)[2:]), d6, d6, d6, d8, d8)),
        ("2d6uo", icepool.map(lambda item, two, again: item + (again if two == item else two), d6, d6, d6)),
        ("5d6u", icepool.Deck(range(1, 7)).deal(5).sum()),
        ("6d20u", icepool.Deck(range(1, 21)).deal(6).sum()),
        ("4d10ukh2", icepool.Deck(range(1, 11)).deal(4).highest(2).sum()),
        ("3d10ukm1", icepool.Deck(range(1, 11)).deal(3).middle(1).sum()),
        ("4d8u t5", icepool.Deck([*[0] * 4, *[1] * 4]).deal(4).sum()),
        ("4d6mi3kh3", highest(d6.map(lambda face: max(face, 3)), 4, 3)),
        ("4d6ro1kh3", highest(d6.reroll([1], depth=1), 4, 3)),
        ("4d6kh3ro1", highest(d6.reroll([1], depth=1), 4, 3)),
        ("2d6 [fire] + 1d4 [cold]", 2 @ d6 + d4),
        ("1d20+5 to hit", d20 + 5),
        ("1d20 # 2nd attack", d20),
        ("4d6 dragons", 4 @ d6),
        ("3#1d20+4", d20 + 4),
        ("20 # 1d6", d6),
        ("100d6", 100 @ d6),
        ("100d20", 100 @ d20),
        ("20d20kh10", highest(d20, 20, 10)),
        ("50d2+50d2", 100 @ d(2)),
        ("3d2", 3 @ d(2)),
        ("2d6", 2 @ d6),
        ("2d100", 2 @ d100),
        ("1d66", d(66)),
        ("4dF+3", 4 @ fudge + 3),
        ("4dF-1", 4 @ fudge - 1),
        ("d66", icepool.Die([10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)])),
        ("d666", icepool.Die([int(f"{a}{b}{c}") for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)])),
        ("d88", icepool.Die([10 * tens + ones for tens in range(1, 9) for ones in range(1, 9)])),
        ("dd34", icepool.Die([10 * tens + ones for tens in range(1, 4) for ones in range(1, 5)])),
        ("d66+1", icepool.Die([10 * tens + ones + 1 for tens in range(1, 7) for ones in range(1, 7)])),
        ("1d20+3", d20 + 3),
        ("88-1d20", 88 - d20),
        ("2d6+3d10", 2 @ d6 + 3 @ d10),
        ("1d8+2d6+7", d8 + 2 @ d6 + 7),
        ("2d6+2", 2 @ d6 + 2),
        ("2d6-1", 2 @ d6 - 1),
        ("1d20+1d4-2", d20 + d4 - 2),
        ("2d6*10", (2 @ d6) * 10),
        ("10*2d6", (2 @ d6) * 10),
        ("2*(2d6+3)", (2 @ d6 + 3) * 2),
        ("(2d6+1d4)/2", (2 @ d6 + d4) // 2),
        ("ceil(3d6/2)", (3 @ d6).map(lambda total: -(-total // 2))),
        ("floor(3d6/2)", (3 @ d6) // 2),
        ("round(3d6/2)", (3 @ d6).map(lambda total: (total + 1) // 2)),
        ("ceil(1d6/2)+ceil(1d6/2)", 2 @ d6.map(lambda face: (face + 1) // 2)),
        ("round((1d6+1d4/2)/3)", icepool.map(lambda a, b: math.floor(Fraction(2 * a + b, 6) + Fraction(1, 2)), d6, d4)),
        ("2d20kl1", lowest(d20, 2, 1)),
        ("3d20kh1", highest(d20, 3, 1)),
        ("2d20kh1+5", highest(d20, 2, 1) + 5),
        ("2d20kl1-2", lowest(d20, 2, 1) - 2),
        ("2d20kh1+1d4+5", highest(d20, 2, 1) + d4 + 5),
        ("3d20kh1+7", highest(d20, 3, 1) + 7),
        ("2d20ro1kh1+5", highest(d20.reroll([1], depth=1), 2, 1) + 5),
        ("5d6dl2", highest(d6, 5, 3)),
        ("4d10kl3", lowest(d10, 4, 3)),
        ("3d10dl1", highest(d10, 3, 2)),
        ("3d6kl1", lowest(d6, 3, 1)),
        ("4d6kh3+1d8", highest(d6, 4, 3) + d8),
        ("4d6kh3+2d8+3", highest(d6, 4, 3) + 2 @ d8 + 3),
        ("1d20+4", d20 + 4),
        ("1d8+3", d8 + 3),
        ("1d8", d8),
        ("1d6", d6),
        ("1d10", d10),
        ("1d12", d12),
        ("5d6", 5 @ d6),
        ("3d20", 3 @ d20),
        ("2d20kh1+5>=15", check(highest(d20, 2, 1), at_least(10))),
        ("1d20>=15", check(d20, at_least(15))),
        ("1d20>10", check(d20, at_least(11))),
        ("1d20 t15", check(d20, at_least(15))),
        ("1d6 t5", check(d6, at_least(5))),
        ("1d10! t8", exploding(d10.map({10: 100}), [100]).map(lambda n: n // 100 + int(n % 100 >= 8))),
        ("1d20+5<15", check(d20 + 5, lambda total: total < 15)),
        ("1d20+0>1d20", check(d20 - d(20), lambda gap: gap > 0)),
        ("1d2=1", check(d(2), lambda face: face == 1)),
        ("3d6<=12", check(3 @ d6, lambda total: total <= 12)),
        ("3d6>=10", check(3 @ d6, at_least(10))),
        ("(3d6)>=5", check(3 @ d6, at_least(5))),
        ("2d6+3>=10", check(2 @ d6, at_least(7))),
        ("2d100<=90", check(2 @ d100, lambda total: total <= 90)),
        ("5+1d20>=15", check(d20, at_least(10))),
        ("8d6>4", 8 @ fits(d6, at_least(5))),
        ("2d6>=5", 2 @ fits(d6, at_least(5))),
        ("4d6=5", 4 @ fits(d6, lambda face: face == 5)),
        ("6d6>=5", 6 @ fits(d6, at_least(5))),
        ("6d6>=6", 6 @ fits(d6, at_least(6))),
        ("3d6>=4", 3 @ fits(d6, at_least(4))),
        ("6d10 t7 f1", 6 @ d10.map(lambda face: int(face >= 7) - int(face <= 1))),
        ("5d10 t8 f1", 5 @ d10.map(lambda face: int(face >= 8) - int(face <= 1))),
        ("4d10 t8 f1", 4 @ d10.map(lambda face: int(face >= 8) - int(face <= 1))),
        ("3d10 t6 f1", 3 @ d10.map(lambda face: int(face >= 6) - int(face <= 1))),
        ("4d10e10>=8", 4 @ again_from(10)),
        ("4d10e>=8>=8", 4 @ again_from(8)),
        ("4d10e>=9>=8", 4 @ again_from(9)),
        ("(6d10>=7)>=3", check(6 @ fits(d10, at_least(7)), at_least(3))),
        ("3d6!", 3 @ exploding(d6, [6])),
        ("1d10!>9", exploding(d10, [10])),
        ("1d20!1", exploding(d20, [1])),
        ("2d6!-1", 2 @ exploding(d6, [6]) - 1),
        ("2d6!>=5", 2 @ exploding(d6, [5, 6])),
        ("10d6!!", 10 @ exploding(d6, [6])),
        ("2d6!!+1", 2 @ exploding(d6, [6]) + 1),
        ("2d6!!kh1", highest(exploding(d6, [6]), 2, 1)),
        ("4d6!!6>=8", 4 @ fits(exploding(d6, [6]), at_least(8))),
        ("3d6!p", 3 @ penetrating(d6, 6)),
        ("max(1d8!, 1d6!)", icepool.highest(exploding(d8, [8]), exploding(d6, [6]))),
        ("max(1d8!, 1d6!)+2", icepool.highest(exploding(d8, [8]), exploding(d6, [6])) + 2),
        ("max(1d10!, 1d6!)", icepool.highest(exploding(d10, [10]), exploding(d6, [6]))),
        ("min(1d8, 1d6)", icepool.lowest(d8, d6)),
        ("max(1d20, 10)", d20.map(lambda face: max(face, 10))),
        ("max(1d20+5, 2d10)-1", icepool.highest(d20 + 5, 2 @ d10) - 1),
        ("min(1d6, 1d8, 1d10)", icepool.lowest(d6, d8, d10)),
        ("1d20rr<3", often(d20, [1, 2])),
        ("4d6ro<3", 4 @ d6.reroll([1, 2], depth=1)),
        ("10d20mi5ma15", 10 @ d20.map(lambda face: min(15, max(face, 5)))),
        ("1d100b1", tens_of(2, min)),
        ("1d100p2", tens_of(3, max)),
        ("1d100b1<=45", check(tens_of(2, min), lambda result: result <= 45)),
        ("1d100p2<=60", check(tens_of(3, max), lambda result: result <= 60)),
    )  # fmt: skip  # a table: one row a line


def law(die: Any) -> dict[str, object]:
    """A law in JSON words: its mean and either all its results or, of a long one, their number and their digest."""
    weights = {int(value): int(weight) for value, weight in die.items() if weight}
    return described({value: Fraction(weight, sum(weights.values())) for value, weight in weights.items()})


def described(shares: Mapping[int, Fraction]) -> dict[str, object]:
    lines = {str(value): f"{share.numerator}/{share.denominator}" for value, share in sorted(shares.items())}
    mean = sum((value * share for value, share in shares.items()), Fraction(0))
    words: dict[str, object] = {"mean": f"{mean.numerator}/{mean.denominator}", "results": len(lines)}
    if len(lines) <= MAX_WHOLE:
        return words | {"law": lines}
    return words | {"sha256": hashlib.sha256(json.dumps(lines).encode()).hexdigest()}


if __name__ == "__main__":
    from bot.odds.anydice import odds
    from bot.rules.anydice import declare
    from bot.rules.errors import PlayerError

    def sentence(text: str) -> str:
        try:
            odds(declare({"dice": text}))
        except PlayerError as error:
            return str(error)
        raise AssertionError(f"{text!r} is neither refused nor uncountable")

    cases: list[dict[str, object]] = [{"dice": text, **law(die)} for text, die in laws()]
    cases += [{"dice": text, "understood": known} for known, texts in UNDERSTOOD.items() for text in texts]
    cases += [{"dice": text, "choices": list(choices)} for text, choices in ASKED.items()]
    cases += [{"dice": text, "refused": sentence(text)} for text in REFUSED]
    cases += [{"dice": text, "uncounted": sentence(text)} for text in UNCOUNTED]
    about = (
        "Dice notation with exact laws counted by icepool (a long law by its digest), what people type and how it is "
        "understood, what is asked, and what is refused and why"
    )
    GOLDEN.write_text(json.dumps({"about": about, "cases": cases}, indent=1) + "\n", encoding="utf-8")
