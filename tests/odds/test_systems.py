"""The chances of what systems call their results, against every way in which the real dice can fall, and icepool."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any, Final

import icepool
import pytest

from bot.odds.anydice import count, line_odds, odds
from bot.odds.dice_laws import UncountableRollError
from bot.rules.anydice import declare, start
from bot.rules.anydice.notation import parse
from bot.rules.anydice.systems import SYSTEMS
from tests.every_way import every_way
from tests.odds import anydice_by_icepool as icepool_words

SMALL: Final = (
    "cortex d4 d6 d8",
    *("seventhsea 3", "seventhsea 3 rank 4", "seventhsea 1 rank 5", "marvelrpg edge vs 14", "marvelrpg 2 edges"),
    *("blades 0", "blades 2", "blades 3", "pbta +1", "pbta advantage", "fate +2", "fate +1 vs 2"),
    *("coc 45", "coc 60 bonus", "coc 30 penalty", "wod 2 8", "wod 3", "v5 3 1", "v5 2 1 vs 2", "v5 3", "sr 3", "sr5 3"),
    *("sr6 4", "yz 2 1 1", "yz 1 stress 2", "pf2 +5 vs 15", "pf2 +30 vs 15", "daggerheart +2 vs 12"),
    *("daggerheart advantage vs 12", "daggerheart disadvantage", "genesys 1g 1p", "genesys 1y 1r", "genesys 1b 2k 1g"),
    *("ironsworn +2", "drawsteel +1 edge", "drawsteel double bane", "cosmere +3 plot vs 12", "cosmere advantage vs 12"),
    *(
        "demonlord +2 boon 2 vs 12",
        "demonlord bane 1",
        "gurps 12",
        "gurps 16 -1",
        "wfrp 45",
        "wfrp 45 -30",
        "age +2 vs 11",
    ),
    *(
        "age",
        "dragonbane 12",
        "dragonbane 12 bane",
        "tor 2 vs 14",
        "tor 1 favored vs 10",
        "tor 2 weary vs 9",
        "coin",
        "ex3",
        "ex2t8",
        "cypher 4",
        "ww3",
        "sil3",
        "fate vs 0",
        "gurps 4",
        "tor 2 vs 5",
        "3 coins",
        "alien 2 stress 1",
        *("wod 3 cancel", "conan 2 vs 12 cd 1", "combatdice 3", "a5e +5 ex1 vs 15", "a5e ex6 advantage vs 12"),
        *("cpr +5 vs 12", "cpdamage 3", "herodamage 3", "herokilling 2", "godbound 2 d6", "godbound d8 +3"),
        *("wng 3 vs 2", "wng w2 3", "marvelrpg vs 14", "laserfeelings 2 4 lasers", "laserfeelings 2 3 feelings"),
        *(
            "mnm +6 vs 15",
            "mothership 45",
            "mothership 45 advantage",
            "mothership 30 disadvantage",
            "essence20 d4 vs 15",
            "essence20 d4 specialized vs 12",
        ),
        *("darkesthouse 4", "darkesthouse 2 boon", "darkesthouse 2 bane", "plotdice 3", "herokilling 1 half"),
        *("cepheus +2", "alien 1 stress 1 pushed", "traveller boon difficult", "coc 70 hard", "yz 1 1 d8"),
        *("dg 45", "rq 45", "im 45", "im 45 advantage", "vaesen 3", "sta 14 4", "sta 12 3d20", "conan 2 vs 12 focus 3"),
        *(
            "l5r 1r 1s",
            "mb +1",
            "lancer accuracy 2 vs 12",
            "lancer difficulty 1",
            "13a +7 vs 18",
            "pf1 attack +7 vs 15",
        ),
        *("splittermond +9 vs 18", "splittermond risk +2 vs 18", "splittermond safe vs 9", "dsa 13/12/14 fw 7"),
        *("pendragon 14", "pendragon 24", "symbaroum 13 -2", "soulbound 3 dn 4:2", "t2k d8 d6", "fl 1 negative 1"),
        *("h5 2 1 vs 2", "w5 3 2 vs 2", "kult +2", "dh1 45", "dh2 45 -10", "lethality 15", "pf2 +5 vs 30", "coc 105"),
        *("sr6 3 wild", "ex3 double 9", "ex2 damage", "ironsworn progress 5", "sr5 3 limit 1", "gb 2d6 straight +1"),
    ),
)


MANY: Final = frozenset(
    {
        "dsa 13/12/14 fw 7",
        "marvelrpg 2 edges",
        "mothership 30 disadvantage",
        "mothership 45 advantage",
        "splittermond risk +2 vs 18",
        "sta 12 3d20",
    }
)
"""Of these, 8,000 ways and more take a second; ``test_table_and_odds`` follows some of them at each commit."""


@pytest.mark.slow
@pytest.mark.parametrize("text", [pytest.param(text, marks=[pytest.mark.long] * (text in MANY)) for text in SMALL])
def test_every_way_in_which_the_real_dice_can_fall(text: str) -> None:
    declared = declare({"dice": text})
    (line,) = count(declared).lines
    ways = every_way(lambda rng: told(start(declared, rng).rows[0]))
    shares: Counter[str] = Counter()
    for (_, names), chance in ways.items():
        for name in names:
            shares[name] += chance  # type: ignore[assignment]  # a Fraction
    assert {name: chance for name, chance in line.readings.items() if chance} == dict(shares)
    totals: Counter[int] = Counter()
    for (total, _), chance in ways.items():
        totals[total] += chance  # type: ignore[assignment]  # a Fraction
    law = line.distribution
    assert {value: Fraction(weight, law.total) for value, weight in law.weights.items() if weight} == dict(totals)


def told(row: Any) -> tuple[int, tuple[str, ...]]:
    """What a roll comes to: its number, and every name that is said of it."""
    reading = row.reading
    return row.total, reading.names


def test_every_number_that_symbols_come_to_is_charted() -> None:
    (line,) = count(declare({"dice": "genesys 1y 1r"})).lines
    yellow = icepool.Die(["", "S", "S", "SS", "SS", "A", "SA", "SA", "SA", "AA", "AA", "SY"])
    red = icepool.Die(["", "F", "F", "FF", "FF", "T", "T", "FT", "FT", "TT", "TT", "FD"])

    def net(face: str) -> tuple[int, int, int]:
        return face.count("S") - face.count("F"), face.count("A") - face.count("T"), face.count("Y")

    both = icepool.map(lambda good, bad: net(good + bad), yellow, red)
    for at, name in enumerate(("net successes", "net advantages", "triumphs")):
        law = line.charts[name]
        result = {value: Fraction(weight, law.total) for value, weight in law.weights.items()}
        assert result == icepool_chances(both.map(lambda three, at=at: three[at]))
    assert line.charts["net successes"] == line.distribution
    assert line.charts["despairs"].probability(bool) == Fraction(1, 12)


def chances(text: str) -> dict[str, Fraction]:
    return dict(count(declare({"dice": text})).lines[0].readings)


def icepool_chances(die: Any) -> dict[Any, Fraction]:
    return {value: Fraction(int(weight), int(die.denominator())) for value, weight in die.items()}


def test_blades_by_icepool() -> None:
    def read(faces: tuple[int, ...]) -> str:
        if faces[-2:] == (6, 6):
            return "a critical success"
        return "a full success" if faces[-1] == 6 else "a partial success" if faces[-1] >= 4 else "a bad outcome"

    law = icepool.map(lambda *faces: read(tuple(sorted(faces))), *[icepool.d6] * 6)
    assert chances("blades 6") == icepool_chances(law)


def test_vampire_by_icepool() -> None:
    face = icepool.d10.map(lambda item: (int(item >= 6), int(item == 10), 0))
    hungry = icepool.d10.map(lambda item: (int(item >= 6), int(item == 10), int(item == 10)))
    sums = icepool.map(lambda *dice: tuple(map(sum, zip(*dice, strict=True))), *[face] * 3, *[hungry] * 2)
    messy = sum(chance for (_, tens, hunger), chance in icepool_chances(sums).items() if tens >= 2 and hunger)
    assert chances("v5 5 2")["a messy critical"] == messy


@pytest.mark.parametrize(("text", "names"), [("sw8", {"a critical failure"}), ("sw8 vs 4", None), ("pf2 +12", None)])
def test_only_results_that_can_come_are_listed(text: str, names: set[str] | None) -> None:
    """Without a number to reach most results have no meaning."""
    result: Any = odds(declare({"dice": text})).get("readings", {})
    assert "0/1" not in result.values()
    assert names is None or set(result) == names
    assert bool(result) == (text != "pf2 +12"), "nor is there an empty list"


def test_large_pools_are_counted_or_refused_with_a_sentence() -> None:
    assert odds(declare({"dice": "sr5 40"}))["readings"]
    assert odds(declare({"dice": "v5 30 5"}))["readings"]
    with pytest.raises(UncountableRollError, match="I can roll this, but not calculate its exact odds"):
        odds(declare({"dice": "genesys 20g 20y 20b 20p 20r"}))


def test_dice_that_explode_by_icepool() -> None:
    def name(text: str) -> tuple[dict[str, Fraction], dict[int, Fraction]]:
        (line,) = count(declare({"dice": text})).lines
        total = line.distribution.total
        return dict(line.readings), {
            value: Fraction(weight, total) for value, weight in line.distribution.weights.items()
        }

    tens = icepool_words.again_from(10)
    sixes = icepool.d6.map(lambda face: 100 + 1 if face == 6 else int(face >= 4))
    again = icepool_words.exploding(sixes, [101]).map(lambda total: total % 100)
    wild = icepool_words.exploding(
        icepool.d6.map(lambda face: 101 if face == 6 else int(face >= 3) - int(face == 1)), [101]
    )
    wild = wild.map(lambda total: (total + 50) % 100 - 50)
    laws = {
        "l5r 3k2": icepool_words.exploding(icepool.d10, [10]).highest(3, 2),
        "cod 4": 4 @ tens,
        "cod 3 9": 3 @ icepool_words.again_from(9),
        "storypath 4": 4 @ tens,
        "sunsails 4": 4 @ again,
        "d6legends 3": 2 @ icepool.d6.map(lambda face: int(face >= 3)) + wild,
        "openlegend 1": icepool_words.exploding(icepool.d20, [20]) + icepool_words.exploding(icepool.d4, [4]),
        "d6system 2": icepool.d6 + icepool_words.exploding(icepool.d6, [6]),
        "earthdawn 9": icepool_words.exploding(icepool.d8, [8]) + icepool_words.exploding(icepool.d6, [6]),
        "earthdawn4 1": icepool_words.exploding(icepool.d4, [4]) - 2,
        "sw d8": icepool.highest(icepool_words.exploding(icepool.d8, [8]), icepool_words.exploding(icepool.d6, [6])),
    }
    for text, law in laws.items():
        assert name(text)[1] == icepool_chances(law), text
    readings, _ = name("cod 4")
    assert readings["an exceptional success"] == sum(
        chance for hits, chance in icepool_chances(laws["cod 4"]).items() if hits >= 5
    )
    readings, _ = name("sw d8 vs 4")
    assert readings["a critical failure"] == Fraction(1, 48)
    raises = sum(chance for total, chance in icepool_chances(laws["sw d8"]).items() if total >= 8)
    assert readings["a success with raises"] == raises


def test_the_odds_of_every_system_are_counted_a_second_way() -> None:
    seen = {parse(text).line.system for text in SMALL}
    exploding = {"cod", "sw", "storypath", "sunsails", "openlegend", "d6system", "d6legends", "earthdawn", "earthdawn4"}
    assert seen | exploding | {"dndstats", "l5r4"} == set(SYSTEMS)


def test_a_pushed_roll_keeps_what_its_dice_keep() -> None:
    """A base die keeps 1 and 6, a skill die 6 alone; every other die is thrown once more."""
    fails = Fraction(0)
    for base, skill in product(range(1, 7), repeat=2):
        base_fails = Fraction(base == 1) if base in (1, 6) else Fraction(5, 6)
        fails += base_fails * (Fraction(5, 6) if skill < 6 else 0) / 36
    odds = line_odds(parse("yz 1 1").line)
    assert odds.pushed["a failure"] == fails
    assert odds.pushed["a success"] == 1 - fails
    assert line_odds(parse("vaesen 2").line).pushed["a failure"] == Fraction(25, 36) ** 2
    assert not line_odds(parse("coc 50").line).pushed, "a success can't be pushed"
    assert not line_odds(parse("alien 3 stress 1").line).pushed, "a one on a stress die can't be pushed"
    assert line_odds(parse("alien 3").line).pushed["a failure"] == Fraction(25, 36) ** 3 * Fraction(5, 6)
