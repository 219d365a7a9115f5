"""The numbers worked by hand in ``SEARCH.md`` are those of the code."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

import bot.odds.xwing
from bot.odds.distribution import Distribution
from bot.odds.xwing.advice import AdviceGoal, PackedScore, advise
from bot.odds.xwing.attack_dice import AttackerWindow
from bot.odds.xwing.attacks_in_a_row import add_attack, unpack_weights
from bot.odds.xwing.dice import BLANK, CRIT, FOCUS, RED_DIE, RESULT, SearchBudget, own_effects, rolls
from bot.rules.game import Side
from bot.rules.xwing.dice.declared import Declared, LineUp
from bot.rules.xwing.dice.faces import Pool
from bot.rules.xwing.dice.tokens import SPENT
from tests.rules.xwing.play import begin

HERE: Final = Path(bot.odds.xwing.__file__).parent
PAGE: Final = (HERE / "SEARCH.md").read_text(encoding="utf-8")


def section(number: str) -> str:
    """The text under a heading, up to the next one of its level."""
    _, _, after = PAGE.partition(f"## {number}. ")
    assert after, number
    return after.partition("\n## ")[0]


def table(number: str) -> list[list[str]]:
    """The rows of a section's table, without its head."""
    rows = [line for line in section(number).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def budget() -> SearchBudget:
    return SearchBudget(Declared(attack=LineUp(), defense=None))


def test_the_trap_by_hand() -> None:
    """Section 8: the values of stopping, of keeping the focus result, and of rerolling all three dice."""
    nothing = own_effects((), Pool.RED)

    def value(line: LineUp, fresh: tuple[int, ...], done: tuple[int, ...]) -> int:
        return AttackerWindow(line, nothing, (BLANK, FOCUS, RESULT, CRIT), budget()).value((fresh, done), 3)

    lock, none = LineUp(calculate=1, lock=1), LineUp(calculate=1)
    by_code = {
        "stop": value(none, (2, 1, 0, 0), (0, 0, 0, 0)),
        "reroll two blanks": value(lock, (2, 0, 0, 0), (0, 1, 0, 0)),
        "reroll all three": value(lock, (2, 1, 0, 0), (0, 0, 0, 0)),
    }
    by_hand = {action: (int(packed), Fraction(mean)) for action, packed, mean in table("8")}
    assert by_hand == {action: (packed, Fraction(packed, 8**3)) for action, packed in by_code.items()}
    best = advise(begin(3, 0, "focus blank blank", "lock, calculate", ""))[0]
    assert best.numbers[0].value == by_hand["reroll all three"][1]


def test_attacks_in_a_row_by_hand() -> None:
    """Section 6: packed weights of one die, attack by attack, in slots of 8 bits."""
    tokens: tuple[int, ...] = (0, 0, 0, 0)
    item = {tokens: {tokens: {(0, 0): 1, (1, 0): 1}}}
    packed: Any = {tokens: {0: 1}}
    for attacks, _, worked, total in table("6"):
        packed = add_attack(packed, item, 8, budget())
        assert packed[tokens] == {0: int(worked)}
        weights = dict(unpack_weights(packed[tokens], 1))
        assert sum(weights.values()) == int(total) == 2 ** int(attacks)
    assert weights == {(0, 0): 1, (1, 0): 3, (2, 0): 3, (3, 0): 1}


def test_one_attack_die_is_one_plus_x() -> None:
    """The polynomial that section 6 begins with."""
    hits = Distribution(dict(rolls(RED_DIE, 1)), 8).map(lambda counts: sum(counts[RESULT:]))
    assert (hits.probability(lambda number: number == 0), hits.mean(int)) == (Fraction(1, 2), Fraction(1, 2))


def test_means_side_by_side_by_hand() -> None:
    """Section 7: two ends in slots of 8 bits, their sum, and the means read back by the code from its own slots."""
    rows = {name: (int(damage), int(tokens), int(packed)) for name, damage, tokens, packed in table("7")}
    assert all(packed == (damage << 8) + tokens for damage, tokens, packed in rows.values())
    damage, tokens, packed = rows.pop("sum")
    assert packed == sum(worked for *_, worked in rows.values())
    score = PackedScore(Side.ATTACKER, AdviceGoal.DAMAGE, None, len(rows))
    first, second = (
        score.score_end(damage, 0) + score.score_tokens((tokens, 0, 0, 0)) for damage, tokens, _ in rows.values()
    )
    assert second > first, "damage comes first"
    means = score.unpack_means(first + second, len(rows))
    assert (means["damage"], means[SPENT[Side.ATTACKER][0]]) == (Fraction(damage, 2), Fraction(tokens, 2))


@pytest.mark.parametrize("path", sorted(HERE.glob("*.py")), ids=lambda path: path.name)
def test_what_docstrings_point_to_is_there(path: Path) -> None:
    for number in re.findall(r"section (\d(?:\.\d)?)", path.read_text(encoding="utf-8")):
        assert f"\n## {number}. " in PAGE or f"\n### {number} " in PAGE, number


def test_the_page_names_every_module() -> None:
    named = {cell.strip("` ") for row in table_of_modules() for cell in row.split(",")}
    assert named == {path.name for path in HERE.glob("*.py")} - {"__init__.py"}


def table_of_modules() -> list[str]:
    head = PAGE.partition("\n## 1.")[0]
    return [line.split("|")[1] for line in head.splitlines() if line.startswith("| `")]
