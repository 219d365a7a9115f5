"""What people reported of other dice bots and squad builders, each by the door at which they met it.

``tests/golden/reports.json`` says in words what is right; here is what of an answer shows it.
"""

import io
import json
from contextlib import redirect_stdout
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

from bot.__main__ import main
from bot.rules.infinity.table.army_codes import decode
from tests.rows import for_each_row

CASES: Final[list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "golden" / "reports.json").read_text(encoding="utf-8")
)["cases"]
ASKED: Final = "asked"
REFUSED: Final = "refused"

ROLLS: Final[dict[tuple[str, str], str]] = {
    ("sw d6 vs 4", "6 1 1"): "a success",
    ("sw d4 vs 4", "4 1 1"): "a success",
    ("sw d6 vs 4", "1 6 1"): "a success",
    ("cpr +5 vs 10", "10 1"): "a success, a critical success",
    ("ms45", "45"): "a failure",
    ("ms44", "44"): "a critical failure",
    ("ms95", "92"): "a failure",
    ("ess1d8s vs 15", "10 3 1 4 1"): "a failure",
    ("ess1d8 vs 15", "1 3"): "a failure, a fumble",
    ("cs 5", "17"): "a success, 1 more damage",
    ("wod 3", "1 1 7"): "a failure",
    ("mm vs 30", "6 6 1"): "a success, ultimate fantastic",
    ("conan 2 vs 12", "20 5"): "1 success, 1 complication",
    ("conan 2 vs 12 focus 3", "2 5"): "3 successes",
    ("sp2", "7 1"): "a botch",
    ("gb 3d8 +2", "1 5 8"): "5",
    ("gb 2d6 +1", "5 5"): "3",
    ("wfrp 95", "12"): "an astounding success, 8 success levels",
    ("wfrp 45 +20", "44"): "a success, a Critical in combat, 2 success levels",
    ("d6legends 3", "3 3 3"): "3",
    ("cod 0", "10"): "a success",
}
"""The reading, or the total where a number alone comes out."""
ODDS: Final[dict[str, Any]] = {
    "ed10": "1d10!+1d6!",
    "ed14": "1d20!+1d4!",
    "ed15": "1d20!+1d6!",
    "8d10 e10": ASKED,
    "mm +3 trouble": REFUSED,
    "cod 5 willpower": "8d10e10>=8",
    "conan 2 focus": REFUSED,
    "d10!>8=7": Fraction(1, 8),
    "3d6dh1dl1": {1: 16, 2: 40, 3: 52, 4: 52, 5: 40, 6: 16},
    "4d6dl1dh1": Fraction(7),
    "coc 105": {"extreme success": Fraction(21 - 1, 100), "hard success": Fraction(52 - 21, 100)},
}
"""How it is understood, the mean, ways of 216, or the chance of some readings."""
SAVES: Final[dict[str, dict[int, Fraction]]] = {
    "weapon": {0: Fraction(4, 25), 1: Fraction(42, 125)},
}
WOUNDS: Final[dict[str, tuple[float, ...]]] = {
    "Ana 13 b3 DA PS 6 continuous ARM 8 W 9 vs Bo 14 b1 EXP PS 4 ARM 11 W 9": (0.29334, 0.10114, 0.03085),
}
"""The chance of at least 1, 2, 3 wounds on Bo."""
PILOTS: Final[dict[str, list[str]]] = {
    "Sabine Wren - TIE Fighter (2)": ["sabinewren-tielnfighter"],
    "Wedge Antilles - A-wing (4)": ["wedgeantilles-rz1awing"],
    "Darth Vader - TIE Defender (6)": ["darthvader-tieddefender"],
    "Kylo Ren - TIE Whisper (6)": ["kyloren-tiewiwhispermodifiedinterceptor"],
    "Sabine Wren (TIE Fighter) (2)\nTotal: 2": ["sabinewren-tielnfighter"],
    "{": ["wedgeantilles-rz1awing", "sabinewren-rz1awing", "herasyndulla-asf01bwing"],
}


def answered(*arguments: str) -> dict[str, Any]:
    """What the terminal prints as JSON."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        main([*arguments, "--json"])
    result: dict[str, Any] = json.loads(printed.getvalue())
    return result


def law(result: dict[str, str]) -> dict[int, Fraction]:
    return {int(value): Fraction(chance) for value, chance in result.items()}


def check_odds(result: dict[str, Any], wanted: object) -> None:
    if wanted in (ASKED, REFUSED):
        assert "error" in result
        assert (len(result.get("choices", ())) > 1) == (wanted == ASKED)
    elif isinstance(wanted, str):
        assert result["understood"] == wanted
    elif isinstance(wanted, Fraction):
        assert abs(Fraction(result["mean"]) - wanted) <= Fraction(result.get("cut_off", "0"))
    elif isinstance(wanted, dict) and all(isinstance(name, str) for name in wanted):
        assert {name: Fraction(result["readings"][name]) for name in wanted} == wanted
    elif isinstance(wanted, dict):
        assert law(result["distribution"]) == {value: Fraction(ways, 216) for value, ways in wanted.items()}


def check_infinity(result: dict[str, Any], declared: dict[str, Any]) -> None:
    if "order" not in declared:
        assert law(result["wounds"]).items() >= SAVES["weapon"].items()
    elif (least := WOUNDS.get(declared["order"])) is not None:
        wounds = law(result["wounds_on_b"])
        for number, wanted in enumerate(least, 1):
            assert float(sum(chance for count, chance in wounds.items() if count >= number)) == pytest.approx(
                wanted, abs=1e-5
            )
    else:
        assert "error" in result or result["mean_wounds_on_b"] == "108/125"


@for_each_row("case", CASES, ids=lambda case: f"{case['door']}: {str(case['input'])[:40]}")
def test_a_report_is_answered_rightly(case: dict[str, Any]) -> None:
    door, given = case["door"], case["input"]
    if door == "army code":
        assert len(decode(given).members) == 15
    elif door == "squad":
        result = answered("squad", given)
        assert [item["pilot"] for item in result["ships"]] == PILOTS[given if given in PILOTS else given[0]]
        assert bool(result["unknown"]) == given.startswith("{"), "what was read in another way is said"
    elif door == "roll dice":
        result = answered("roll", "dice", json.dumps(given))
        shown = ROLLS[given["dice"], given["faces"]]
        assert shown in (result.get("reading"), str(result["totals"][0]))
    elif door == "odds dice":
        check_odds(answered("odds", "dice", json.dumps(given)), ODDS[given["dice"]])
    else:
        assert door == "odds infinity"
        check_infinity(answered("odds", "infinity", json.dumps(given)), given)


def test_every_report_has_its_answer() -> None:
    assert len(CASES) == 44
