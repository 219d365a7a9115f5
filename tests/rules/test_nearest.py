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
from tests.rows import for_each_row
from tests.sampling import Part

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


@pytest.mark.parametrize("half", ["{}.5", "{},5", ".{}", "{}.", "{}.0"])
def test_no_decimal_is_offered_as_two_numbers(half: str, part: Part[str]) -> None:
    """``1.5d6`` was offered as five dice that have to roll 1."""
    for text in part((text for text, _ in ROWS), 16):
        for number in re.finditer(r"(?<![\w.,])\d+(?![.,\d])", text):
            near = offered(f"{text[: number.start()]}{half.format(number[0])}{text[number.end() :]}")
            assert not near or half.format(number[0]) in near or half == "{}.", (text, near)
    assert [offered(half.format(1) + die) for die in ("d6", "d6+1")] == [""] * 2


@pytest.mark.parametrize(("typed", "near"), [("stealth", None), ("focsu", "focus"), ("hti", "hit"), ("reroll", None)])
def test_a_long_word_is_no_slip_of_a_short_one(typed: str, near: str | None) -> None:
    assert nearest(typed, ["set", "focus", "hit", "re"]) == near


@for_each_row("strong", ["twice", "halved", "doubled", "adv", "drop lowest", "exploding", "reroll 1"])
@for_each_row("rest", ["d20 zap plus 6", "8d6 zap succeed on 4", "3d6 zap under 4", "4d6 zap keep 3"])
def test_no_word_that_changes_dice_is_left_out(strong: str, rest: str) -> None:
    near = offered(rest.replace("zap", f"{strong} zap"))
    if near:
        assert phrases.STRONG.search(near) or any(
            sign in near for sign in ("dl", "!", "e6", "ro", "rr", "/2", "*2", "2#", "2d20k")
        )


@for_each_row("count", [word for row in phrases.rows("counts") for word in row.split("|")])
@for_each_row("of", ["", " of"])
def test_no_label_ends_in_how_many_dice_there_are(count: str, of: str) -> None:
    """``a couple of d6`` was one die with a label."""
    try:
        line = parse(f"zap {count}{of} d6").line
    except NotUnderstoodError:
        return
    assert line.label == "zap", "the number is read"
    assert line.pools[0].count > 1 or count == "one"


TYPED: Final = sorted(
    {text for text, _ in ROWS}
    | {
        re.split(r"\t| =>", line)[0].strip()
        for file in (Path(__file__).parents[1] / "phrases").rglob("*.t*")
        if file.stem not in ("de", "es", "fr", "it", "pl", "pt-BR")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    }
)
"""Everything that people type in English, in all files of phrases."""


def dice_in(text: str) -> Counter[str]:
    """How many dice of each kind are written with their number, repeats once; a d20's edge adds one."""
    counts = Counter[str]()
    for count, sides in re.findall(r"(?<![a-z0-9])(\d+)d(\d+)", text.lower()):
        counts[sides] += int(count) * (sides != "20")
    return counts


@pytest.mark.parametrize("share", range(8))
def test_a_suggestion_multiplies_no_dice_and_hides_no_word_or_number_in_a_label(share: int) -> None:
    for text in TYPED[share::8]:
        if not (near := offered(text)):
            continue
        typed, written, labels = dice_in(text), dice_in(near), " ".join(re.findall('"([^"]*)"', near))
        is_plain = not re.search(r"double|(?<!\d)d\d|\dd(?!\d)|\d d", text)
        assert not is_plain or all(written[sides] <= typed[sides] for sides in typed), (text, near)
        assert not re.search(r"[0-9]|\bin order\b|\bdown the line\b", labels) or labels in text, (text, near)
        has_dice = phrases.ANY_DICE.search(text.lower())
        assert has_dice or not phrases.GAME_WORDS.search(labels), (text, near)
        assert set(phrases.numbers_in(text)) <= set(phrases.numbers_in(near)), (text, near)


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("crit 4d6+5", ("4d6+4d6+5", '4d6+5 "crit"')),
        ("1d8+3 critical hit", ("1d8+1d8+3", '1d8+3 "critical hit"')),
        ("2d8+1d6+5 crit", ("2d8+2d8+1d6+1d6+5", '2d8+1d6+5 "crit"')),
    ],
)
def test_dice_are_doubled_only_by_a_question_that_names_the_game(text: str, choices: tuple[str, ...]) -> None:
    with pytest.raises(AmbiguousTextError) as asked:
        parse(text)
    assert asked.value.choices == choices
    assert "in D&D" in english(asked.value.names[0])


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("1d20+9 crits on 18-20", '1d20+9 "crits on 18-20"'),
        ("1d20 not adv", ""),
        ("stress +2", ""),
        ("roll two d20 and use the lower one", "2d20kl1"),
    ],
)
def test_known_words_are_kept_in_their_meaning(text: str, near: str) -> None:
    assert offered(text) == near
    assert parse("hope and fear +2") == parse("daggerheart +2")


@pytest.mark.parametrize(
    "between", ["v", "vs", "versus", "against", "opposed by", "contested by", "opposed by perception"]
)
@pytest.mark.parametrize("sides", ["stealth d20+8 {} d20+2", "d20+8 {} d20+2", "stealth +8 {} +2"])
def test_two_sides_are_a_contest_and_no_other_roll_is_offered(between: str, sides: str) -> None:
    assert offered(sides.format(between)) == ""
    with pytest.raises(NotUnderstoodError, match="/contest"):
        parse(sides.format(between))


@pytest.mark.parametrize("word", ["odd", "even", "evens", "count odd", "odd ones"])
def test_parity_changes_what_counts_so_it_is_no_label(word: str) -> None:
    for text in (f"6d6 {word}", f"{word} 6d6", f"{word} in 6d6"):
        assert offered(text) == "", text
