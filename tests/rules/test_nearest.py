"""What is offered for a text that isn't understood: the nearest one that keeps every number, and never a wrong word."""

import re
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from bot.rules.anydice import phrases
from bot.rules.anydice.notation import parse
from bot.rules.errors import AmbiguousTextError, NotUnderstoodError, nearest
from bot.rules.text import english

ROWS: Final = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "phrases" / "refused.tsv").read_text(encoding="utf-8").splitlines()
    if "\t" in line
]
"""What people type, and what they mean; several with ``|``."""


def offered(text: str) -> str | None:
    """What a refusal offers, with or without a button; "" for nothing, None for a text that is read or asked about."""
    try:
        parse(text)
    except AmbiguousTextError:
        return None
    except NotUnderstoodError as error:
        _, marker, behind = english(error.text).rpartition(" is `")
        return behind.partition("`")[0] if marker and "/help" not in behind else ""
    return None


def same(text: str) -> str:
    """A text in full notation; one that is asked about as it is."""
    try:
        return parse(text).canonical_text
    except AmbiguousTextError:
        return text


def test_a_refusal_offers_what_people_mean() -> None:
    """Seven of ten are asked for; these were all written before the rows that read them, or after only a first look."""
    verdicts = Counter[str]()
    for text, wanted in ROWS:
        if (near := offered(text)) is not None:
            right = same(near) in map(same, wanted.split("|")) if near else False
            verdicts["right" if right else "wrong" if near else "nothing"] += 1
    assert verdicts["right"] >= 0.8 * verdicts.total(), verdicts
    assert verdicts["wrong"] <= 0.04 * verdicts.total(), verdicts


@pytest.mark.parametrize("text", [text for text, _ in ROWS])
def test_what_is_offered_keeps_every_number(text: str) -> None:
    near = offered(text)
    if near:
        assert phrases.numbers_in(text) <= phrases.numbers_in(near)


@pytest.mark.parametrize("half", ["{}.5", "{},5", ".{}", "{}.", "{}.0"])
def test_no_decimal_is_offered_as_two_numbers(half: str) -> None:
    """``1.5d6`` was offered as five dice that have to roll 1."""
    for text, _ in ROWS[::4]:
        for number in re.finditer(r"(?<![\w.,])\d+(?![.,\d])", text):
            near = offered(f"{text[: number.start()]}{half.format(number[0])}{text[number.end() :]}")
            assert not near or half.format(number[0]) in near or half == "{}.", (text, near)
    assert [offered(half.format(1) + die) for die in ("d6", "d6+1")] == [""] * 2


@pytest.mark.parametrize(("typed", "near"), [("stealth", None), ("focsu", "focus"), ("hti", "hit"), ("reroll", None)])
def test_a_long_word_is_no_slip_of_a_short_one(typed: str, near: str | None) -> None:
    assert nearest(typed, ["set", "focus", "hit", "re"]) == near


@pytest.mark.parametrize("strong", ["twice", "halved", "doubled", "adv", "drop lowest", "exploding", "reroll 1"])
@pytest.mark.parametrize("rest", ["d20 zap plus 6", "8d6 zap succeed on 4", "3d6 zap under 4", "4d6 zap keep 3"])
def test_no_word_that_changes_dice_is_left_out(strong: str, rest: str) -> None:
    near = offered(rest.replace("zap", f"{strong} zap"))
    if near:
        assert phrases.STRONG.search(near) or any(
            sign in near for sign in ("dl", "!", "e6", "ro", "rr", "/2", "*2", "2#", "2d20k")
        )


@pytest.mark.parametrize("count", [word for row in phrases.rows("counts") for word in row.split("|")])
@pytest.mark.parametrize("of", ["", " of"])
def test_no_label_ends_in_how_many_dice_there_are(count: str, of: str) -> None:
    """``a couple of d6`` was one die with a label."""
    try:
        line = parse(f"zap {count}{of} d6").line
    except NotUnderstoodError:
        return
    assert line.label == "zap", "the number is read"
    assert line.pools[0].count > 1 or count == "one"
