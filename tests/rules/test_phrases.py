"""What people type in other dice rollers and in games: right, asked, or refused; never something else.

``tests/phrases/peers.txt`` was written from the documents of those rollers and games. Its head says how a row is read.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from bot.rules import anydice
from bot.rules.anydice.notation import parse, strip_bot_prefix
from bot.rules.anydice.tree import Expression
from bot.rules.errors import AmbiguousTextError, NotUnderstoodError, PlayerError
from bot.rules.text import english
from tests.rows import for_each_row

ROWS: Final = tuple((Path(__file__).parents[1] / "phrases").glob("*.txt"))
LABELED: Final = re.compile(r"(?P<dice>.*?)\s*«(?P<label>.*)»")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A row: what is typed, and each of the things that it may mean."""

    typed: str
    means: tuple[str, ...]


def phrases() -> Iterator[Phrase]:
    for row in "\n".join(path.read_text(encoding="utf-8") for path in sorted(ROWS)).splitlines():
        if row and not row.startswith("#"):
            typed, means = re.split(r"\s+=>\s+", row, maxsplit=1)
            yield Phrase(typed.strip(), tuple(part.strip() for part in means.split(" or ")))


def read(text: str) -> tuple[object, str]:
    """An expression without its label, and the label."""
    expression = parse(text)
    return without_words(expression), ", ".join(line.label for line in expression.lines if line.label)


def without_words(expression: Expression) -> object:
    return tuple((line.canonical_text, line.system, line.options) for line in expression.lines)


def rolls(phrase: Phrase, dice: object, label: str) -> bool:
    """Whether a phrase may be rolled as these dice with this label."""
    for means in phrase.means:
        if means == "!" or means.startswith("?"):
            continue
        named = LABELED.fullmatch(means)
        wanted, said = (named["dice"], named["label"]) if named else (means, None)
        if read(wanted)[0] == dice and said in (None, label):
            return True
    return False


@cache
def answer(phrase: Phrase) -> tuple[str, tuple[str, ...]]:
    """How a phrase is answered (``right``, ``wrong``, ``asked``, ``refused``), and the buttons."""
    try:
        anydice.declare({"dice": phrase.typed})
        dice, label = read(phrase.typed)
    except AmbiguousTextError as question:
        return "asked", tuple(
            f"{item} {english(name)}" for item, name in zip(question.choices, question.names, strict=True)
        )
    except NotUnderstoodError as refused:
        return "refused", (refused.nearest,) if refused.nearest else ()
    except PlayerError:
        return "refused", ()
    return ("right" if rolls(phrase, dice, label) else "wrong"), ()


def choices(phrase: Phrase) -> tuple[str, ...]:
    with pytest.raises(AmbiguousTextError) as question:
        parse(phrase.typed)
    return question.value.choices


def may_be(phrase: Phrase, way: str) -> bool:
    if way == "right":
        return True
    for means in phrase.means:
        if means == "!" and way in ("asked", "refused"):
            return True
        if means.startswith("?") and way == "asked":
            wanted = [read(part.strip())[0] for part in means[1:].split("¦")]
            offered = [read(choice)[0] for choice in choices(phrase)]
            if offered[0] == wanted[0] and all(item in offered for item in wanted):
                return True
    return False


ALL: Final = tuple(phrases())


def test_the_table_has_its_size() -> None:
    assert len(ALL) >= 500
    assert [typed for typed, count in Counter(phrase.typed for phrase in ALL).items() if count > 1] == []


def test_a_phrase_is_right_or_asked_or_refused() -> None:
    answered = [(phrase, *answer(phrase)) for phrase in ALL]
    assert [item for item in answered if not may_be(item[0], item[1])] == []


def test_a_button_holds_every_word_and_number_that_was_typed() -> None:
    """In its place, or as the notation that the word is."""
    for phrase in ALL:
        _, buttons = answer(phrase)
        typed = strip_bot_prefix(phrase.typed).lower()
        for button in buttons:
            assert not Counter(numbers(typed)) - Counter(numbers(button)), (phrase, button)
            for word in re.findall(r"[^\W\d_]{2,}", typed):
                known = any(item in button for item in NOTATION.get(word, ()))
                assert known or word in button.lower(), (phrase, word, button)


def numbers(text: str) -> list[str]:
    return re.findall(r"[0-9]+", text)


NOTATION: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("half", "halved", "of"), ("/2",)),
    **dict.fromkeys(("how", "many", "count", "at", "least", "most", "hits", "or", "more"), ("=",)),
    **dict.fromkeys(("successes", "to", "beat"), ("=", ">")),
    **dict.fromkeys(("roll", "under"), ("<",)),
    **dict.fromkeys(("and", "then"), (";", "+")),
    **dict.fromkeys(("reroll", "ones"), ("ro1", "rr1")),
    **dict.fromkeys(("round", "up"), ("ceil",)),
    **dict.fromkeys(("drop", "lowest"), ("dl",)),
    **dict.fromkeys(("explode",), ("!",)),
    **dict.fromkeys(("crit", "critical"), ("+",)),
    "twice": ("2#",),
    "two": ("2",),
    "cyberpunk": ("cpr",),
    "on": ("=", "!"),
    "over": (">",),
    "vs": (">=", "<="),
    "times": ("*",),
    "ten": ("10",),
    "double": ("*2",),
    "shadowrun": ("sr",),
}
"""Words of phrases that are offered, and what they are in notation."""


NAMES_OF_CRITICALS: Final = {
    "en": ("crit", "critical", "critical hit"),
    "de": ("kritisch", "krit", "kritischer treffer"),
    "es": ("crítico", "critico", "golpe crítico"),
    "fr": ("critique", "crit", "coup critique"),
    "it": ("critico", "crit", "colpo critico"),
    "pl": ("krytyk", "krytyczne", "trafienie krytyczne"),
    "pt-BR": ("crítico", "critico", "acerto crítico"),
}


@for_each_row(
    ("language", "word"), [(language, word) for language, each in NAMES_OF_CRITICALS.items() for word in each]
)
def test_a_critical_is_asked_wherever_it_stands_and_never_a_label(language: str, word: str) -> None:
    for text in (f"2d6+4 {word}", f"{word} 2d6+4", f"2d6+4 greatsword {word}", f"greatsword {word} 2d6+4"):
        with pytest.raises(AmbiguousTextError) as asked:
            parse(text, language=language)
        assert asked.value.choices[0].startswith("2d6+2d6+4"), text
        assert ("greatsword" in text) == all("greatsword" in choice for choice in asked.value.choices)


@pytest.mark.parametrize("language", NAMES_OF_CRITICALS)
@pytest.mark.parametrize("between", [", ", "; "])
def test_names_that_count_off_several_rolls_keep_their_numbers(language: str, between: str) -> None:
    for texts in (
        ("goblin 1 d20+2", "goblin 2 d20+2"),
        ("goblin 1: d20+2", "goblin 2: d20+2"),
        ("d20+2 goblin 1", "d20+2 goblin 2"),
        ("goblin 1 1d20+2", "goblin 2 1d20+2"),
    ):
        assert parse(between.join(texts), language=language).full_text == '1d20+2 "goblin 1"; 1d20+2 "goblin 2"'


@pytest.mark.parametrize(
    "text",
    ["goblin 2 d20+2", "goblin 1 d20+2", "fire 2 d6, fire 3 d6", "orc 1 d20, goblin 2 d20", "d20 orc 2, d20 orc 4"],
)
def test_a_number_that_counts_off_nothing_is_no_part_of_a_label(text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        parse(text)


@pytest.mark.parametrize(("text", "notation"), [("2d6 product", "1d6*1d6"), ("3d8 multiplied together", "1d8*1d8*1d8")])
def test_a_product_multiplies_the_dice(text: str, notation: str) -> None:
    assert parse(text).full_text == notation


SHEETS: Final[dict[str, dict[str, list[str]]]] = json.loads(
    (Path(__file__).parents[1] / "phrases" / "sheet_values.json").read_text(encoding="utf-8")
)
"""Words that compare, and values on a sheet that a player only names, in each language."""


@for_each_row(("language", "word"), [(one, word) for one in SHEETS for word in SHEETS[one]["comparisons"]])
def test_a_value_that_is_only_named_is_asked_for(language: str, word: str) -> None:
    for value, dice in product(SHEETS[language]["values"], ("3d6", "1d100", "1d20+2")):
        with pytest.raises(NotUnderstoodError, match=r"write the number that `.*` stands for; something similar") as no:
            parse(f"{dice} {word} {value}", language=language)
        assert not no.value.nearest, "its number is an example"


@pytest.mark.parametrize("text", ["3d6 sotto la {}", "3d6 abaixo da {}", "3d6 abaixo do {}", "3d6 por debajo del {}"])
def test_a_joined_article_hides_no_word(text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        parse(text.format("forza"), language={"sot": "it", "aba": "pt-BR", "por": "es"}[text[4:7]])


@pytest.mark.parametrize("word", ["flip", "flipped", "flip-flop", "reversed digits", "swap digits", "switched"])
def test_digits_that_are_swapped_by_hand_are_asked(word: str) -> None:
    with pytest.raises(AmbiguousTextError) as asked:
        parse(f"1d100 {word}")
    assert asked.value.choices == (f'1d100 "{word}"',)


@pytest.mark.parametrize("text", ["sta 14 focus 4 6 dice", "sta 14 focus 4 dice 6", "sta 14 1 dice"])
def test_a_number_too_large_for_its_word_is_no_other_option(text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        parse(text)


@pytest.mark.parametrize("text", ["3d6 vs 12", "3d6 vs 12 to hit", "d100 vs 45", "d100 vs 45 stealth", "3d6 under 12"])
def test_a_question_names_the_number(text: str) -> None:
    with pytest.raises(AmbiguousTextError) as asked:
        parse(text)
    number = re.findall("[0-9]+", text)[-1]
    assert all(number in english(name) for name in asked.value.names)


@pytest.mark.parametrize("language", NAMES_OF_CRITICALS)
def test_a_label_offered_is_in_the_words_that_were_typed(language: str) -> None:
    for word in NAMES_OF_CRITICALS[language]:
        with pytest.raises(AmbiguousTextError) as asked:
            parse(f"2d6+4 {word}", language=language)
        assert asked.value.choices[-1] == f'2d6+4 "{word}"'
        assert word in english(asked.value.names[0])


@for_each_row(
    "word",
    [
        *(
            "negative",
            "capped",
            "inverted",
            "reversed",
            "apiece",
            "each",
            "retry",
            "redo",
            "mulligan",
            "forever",
            "only",
        ),
        *("whisper", "whispered", "private", "privately", "in private", "blind", "hidden", "secretly"),
        *("empowered", "evasion", "savage attacker", "elemental adept", "flanking", "foresight", "unlucky", "joker"),
    ],
)
def test_a_word_that_may_change_a_roll_is_no_label_of_its_own(word: str) -> None:
    for text in (f"2d6+3 {word}", f"1d20 {word}"):
        with pytest.raises((AmbiguousTextError, NotUnderstoodError)):
            parse(text)


@pytest.mark.parametrize("text", ["4d6 reroll ones twice", "4d6 reroll 1s two times", "d6 exploding thrice"])
def test_a_reroll_that_happens_twice_is_no_second_roll_unasked(text: str) -> None:
    with pytest.raises((AmbiguousTextError, NotUnderstoodError)):
        parse(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "1d20+6 three arrows"),
        ("de", "W20+6 drei Pfeile"),
        ("es", "d20+6 tres flechas"),
        ("pl", "k20 trzy ataki"),
    ],
)
def test_a_count_behind_dice_is_no_label(language: str, text: str) -> None:
    with pytest.raises(NotUnderstoodError) as refused:
        parse(text, language=language)
    assert not refused.value.nearest


@pytest.mark.parametrize("text", ["8d6 dc 15 dex save", "fireball 8d6 vs dc 15 dexterity save"])
def test_a_save_beside_damage_is_no_target_of_the_damage_unasked(text: str) -> None:
    with pytest.raises(AmbiguousTextError):
        parse(text)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("blood bowl 2 block dice", "/duel attack"),
        ("bloodbowl 3 dice block uphill", "/duel attack"),
        ("2 block dice", "/duel attack"),
        ("block 2", "/duel attack"),
        ("x-wing 3 attack dice", "/xwing roll"),
        ("xwing 2 red vs 3 green", "/xwing roll"),
        ("infinity bs 13 b3 vs ph 12", "/infinity roll"),
        ("warsurge 5 vs 3", "/warsurge attack"),
        ("legion 4 black attack dice surge to hit", "/duel attack"),
        ("5 attack dice crisis protocol", "/duel attack"),
        ("mcp 5 dice", "/duel attack"),
        ("shatterpoint 6 attack 4 defense", "/duel attack"),
        ("armada 2 red 1 blue", "/duel attack"),
        ("heroscape 3 attack dice 2 defense", "/duel attack"),
        ("kill team fight 4 dice", "/duel attack"),
    ],
)
def test_dice_of_another_command_name_it_without_a_suggestion(typed: str, command: str) -> None:
    with pytest.raises(NotUnderstoodError, match=command) as refused:
        parse(typed)
    assert not refused.value.nearest


@pytest.mark.parametrize("word", ["vs", "against", "opposed by", "contested by", "contest"])
def test_two_rolls_against_each_other_are_a_contest(word: str) -> None:
    with pytest.raises(NotUnderstoodError, match="/contest"):
        parse(f"1d20+5 {word} 1d20+3")


@for_each_row("face", range(1, 6))
@for_each_row("words", ["reroll {}s", "rerolling {}s", "reroll all {}s", "reroll {}", "re-roll any {}s"])
def test_a_number_behind_reroll_is_what_is_rerolled(words: str, face: int) -> None:
    with pytest.raises(AmbiguousTextError) as asked:
        parse(f"6d6 {words.format(face)}")
    assert asked.value.choices == (f"6d6ro{face}", f"6d6rr{face}")


@pytest.mark.parametrize("text", ["adv, 1d20+4", "with advantage, 1d20+4", "advantage: 1d20+4", "adv 1d20+4"])
def test_advantage_before_dice_is_theirs(text: str) -> None:
    assert parse(text).full_text == "2d20kh1+4"


@for_each_row("sign", ["-", "/", ":", ",", "@", "+"])
@for_each_row("word", ["advantage", "adv", "with advantage", "at advantage"])
def test_a_sign_before_advantage_calculates_nothing(sign: str, word: str) -> None:
    for space in ("", " "):
        try:
            read = parse(f"1d20+5{space}{sign} {word}").full_text
        except (AmbiguousTextError, NotUnderstoodError):
            continue
        assert read == "2d20kh1+5"
