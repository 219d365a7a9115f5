"""Dice notation written a second time, in the words of the library icepool, which has never seen ours.

``python -m tests.odds.anydice_by_icepool`` writes ``tests/golden/anydice.json``: each expression with its exact law, or
with the refusal that people read.
"""

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import icepool
from icepool import d

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "anydice.json"
WHOLE_MOST: Final = 40
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


LAWS: Final[tuple[tuple[str, Any], ...]] = (
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
    ("dF", fudge),
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
    ("5d6!=6", 5 @ fits(d6, lambda face: face != 6)),
    ("5d6<=2", 5 @ fits(d6, lambda face: face <= 2)),
    ("5d6<3", 5 @ fits(d6, lambda face: face < 3)),
    ("100d10>=7", 100 @ fits(d10, at_least(7))),
    ("1d100<=45", fits(d100, lambda face: face <= 45)),
    ("(6d10>=7)+2", 6 @ fits(d10, at_least(7)) + 2),
    ("2+(6d10>=7)", 6 @ fits(d10, at_least(7)) + 2),
    ("(3d6>=5)-(2d6>=5)", 3 @ fits(d6, at_least(5)) - 2 @ fits(d6, at_least(5))),
    ("6d10>=7>=3", check(6 @ fits(d10, at_least(7)), at_least(3))),
    ("4d6kh2>=5", icepool.map(lambda *faces: sum(one >= 5 for one in sorted(faces)[2:]), d6, d6, d6, d6)),
    ("1d20+5>=15", check(d20 + 5, at_least(15))),
    ("(1d20)>=10+5", check(d20, at_least(15))),
    ("(1d20+1d4)>=15", check(d20 + d4, at_least(15))),
    ("1d20+3>1d20+5", check(d20 + 3 - (d(20) + 5), lambda gap: gap > 0)),
    ("2d6=1d12", check(2 @ d6 - d12, lambda gap: gap == 0)),
    ("2d6!=1d12", check(2 @ d6 - d12, lambda gap: gap != 0)),
    ("(2d6+0)<=1d12", check(2 @ d6 - d12, lambda gap: gap <= 0)),
    ("1d20+0<1d20", check(d20 - d(20), lambda gap: gap < 0)),
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
    ("1d6x6", exploding(d6, [6])),
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
)  # fmt: skip  # a table: one row a line
"""Each expression with its law."""

REFUSED: Final = (
    "",
    "   ",
    "5",
    "5+3",
    "d",
    "d0",
    "0d6",
    "1d1",
    "1d0",
    "-d6d6",
    "1d1001",
    "101d6",
    "60d6+60d6",
    "20#6d6",
    "21#1d6",
    "0#1d6",
    "999999999999d6",
    "1d99999999999999999999",
    "1d6+99999999999999999999",
    "1d6e<7",
    "1d6e<7e<7",
    "1d6!!",
    "1d6!>0",
    "1d6rr<7",
    "1d6rr>=1",
    "1d6ro<9",
    "41d6!",
    "100d2!",
    "4d6k",
    "4d6d",
    "4d6kh3kl1",
    "4d6kh5",
    "4d6dl5",
    "4d6kh0x",
    "2d6r1",
    "2d6 r1",
    "2d6ra1",
    "2d6mi9",
    "2d6mi5ma2",
    "2d6mi2mi3",
    "1d6/0",
    "1d6/(1d4-1)",
    "1d6/(1d4-2)",
    "1d6%2",
    "1d6^2",
    "1d6**2",
    "1.5d6",
    "1d6+0.5",
    "1d6+1,5",
    "1d20+",
    "+",
    "1d20 2",
    "1d20 d6",
    "1d20 2d6",
    "(1d6",
    "1d6)",
    "()",
    "(1d6,1d8)kh1",
    "{1d6}",
    "5+1d20>=15",
    "6d10>=7+2",
    "2d6*99999*99999",
    "999999*999999*1d6",
    "(" * 21 + "1d6" + ")" * 21,
    "(" * 60 + ")" * 60,
    "1d6" + "+1d6" * 40,
    "-" * 116 + "1d6x6x",
    "1d6" + "!" * 100,
    "1d6>=2>=2>=2>=2>=2",
    "9#9#1d6",
    "rm -rf /",
    "__import__('os')",
    "1d6[" * 30,
    "1d٣",
    "²d6",
    "1d6 \ud800d6",
    "𝟙d6",
    "1d20+5 " + "x" * 61,
)
"""Expressions that are refused, hostile ones among them."""

UNCOUNTED: Final = ("100d100", "40d6!", "40d100!", "4d6!kh3", "1d1000*1d1000", "100d1000", "10d1000kh3", "40d1000!>2")
"""Expressions that are rolled, but whose law takes too long to count."""


def law(die: Any) -> dict[str, object]:
    """A law in JSON words: its mean and either all its results or, of a long one, their number and their digest."""
    weights = {int(value): int(weight) for value, weight in die.items() if weight}
    return described({value: Fraction(weight, sum(weights.values())) for value, weight in weights.items()})


def described(shares: Mapping[int, Fraction]) -> dict[str, object]:
    lines = {str(value): f"{share.numerator}/{share.denominator}" for value, share in sorted(shares.items())}
    mean = sum((value * share for value, share in shares.items()), Fraction(0))
    words: dict[str, object] = {"mean": f"{mean.numerator}/{mean.denominator}", "results": len(lines)}
    if len(lines) <= WHOLE_MOST:
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

    cases: list[dict[str, object]] = [{"dice": text, **law(die)} for text, die in LAWS]
    cases += [{"dice": text, "refused": sentence(text)} for text in REFUSED]
    cases += [{"dice": text, "uncounted": sentence(text)} for text in UNCOUNTED]
    about = (
        "Dice notation with exact laws counted by icepool (a long law by its digest), and with what is refused and why"
    )
    GOLDEN.write_text(json.dumps({"about": about, "cases": cases}, indent=1) + "\n", encoding="utf-8")
