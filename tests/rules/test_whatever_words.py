"""Words that nobody knows, at each place of a text that is understood: they are a label, and never change its dice."""

import re
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

from bot.rules.anydice import phrases
from bot.rules.anydice.notation import parse
from bot.rules.errors import AmbiguousTextError, NotUnderstoodError, PlayerError
from tests.examples import share_of
from tests.sampling import Part

KNOWN: Final = (
    *("1d20+5 adv", "2d20kh1", "4d6 drop lowest", "1d20+5 vs 15", "6d10>=7", "8d6 halved", "minus 2 from d10"),
    *("stealth +7", "1d20+5 dc 12", "3x 1d10+5", "5d6!", "attack +4 vs ac 16", "1d20+7 for 2d6+3", "7 dice 3+"),
    *("best 3 of 4d6", "1d20 disadvantage + 1d4", "6 goblins +4 1d6+2", "add 4 to 2d6", "twice 2d8+1"),
)
UNKNOWN: Final = ("zorblax", "grog", "the tavern", "my friend", "quickly", "please", "flurbing", "dragon's")


def texts(known: str, words: str) -> list[str]:
    """The words at each place between words of a text, and at both ends."""
    spoken = known.split()
    return [" ".join((*spoken[:at], words, *spoken[at:])) for at in range(len(spoken) + 1)]


def dice_of(text: str) -> set[str]:
    """What a text may roll, without labels; nothing if it is refused."""
    try:
        return {"; ".join(f"{line.times}#{line.canonical_text}" for line in parse(text).lines)}
    except AmbiguousTextError as question:
        return {found for choice in question.choices for found in dice_of(choice)}
    except PlayerError:
        return set()


@settings(max_examples=share_of(200), deadline=None)
@given(st.sampled_from(KNOWN), st.sampled_from(UNKNOWN) | st.text("abefgiklmnoprstuvz", min_size=4, max_size=9))
def test_words_that_nobody_knows_never_change_dice(known: str, words: str) -> None:
    if phrases.is_plain(words) and not phrases.NAMES_GAME.search(words):
        for text in texts(known, words):
            assert not (found := dice_of(text)) or found & dice_of(known), (text, found)


@settings(max_examples=share_of(200), deadline=None)
@given(st.sampled_from(KNOWN), st.sampled_from(("7", "13", "99", "17 zorblax", "zorblax 17", "a 23")))
def test_a_number_that_is_added_never_vanishes(known: str, number: str) -> None:
    for text in texts(known, number):
        assert not dice_of(known) <= (found := dice_of(text)) or found - dice_of(known), (text, found)


@pytest.mark.parametrize("held", ["reroll", "twice", "crit", "doubled", "advantage", "explode", "without", "botch"])
@pytest.mark.parametrize("known", ["I try to hit, 1d20+8", "8d6 quickly, grog", "6 goblins attack +4"])
def test_a_word_that_changes_dice_is_no_label_among_words_that_nobody_knows(known: str, held: str) -> None:
    for text in texts(known, held):
        try:
            lines = parse(text).lines
        except PlayerError:
            continue
        assert not any(re.search(rf"\b{held}\b", line.label.lower()) for line in lines), text


COUNTING: Final = (
    *sorted({"twenty", "hundred", *phrases.NUMBER_WORDS} - {"one", "ones"}),
    *("once", "twice", "thrice", "times", "dozen", "couple", "both", "each", "every", "half", "MAP", "risky", "risk"),
    *("second attack", "third strike", "2nd attack", "4th goblin strike", "upcast"),
)


@pytest.mark.parametrize("held", COUNTING)
@pytest.mark.parametrize(
    "known", ["grog attack +4", "6 goblins attack +4", "I hit him: +5 to hit, 1d8+3 damage", "attack him +5"]
)
def test_words_that_count_are_no_label_among_words_that_nobody_knows(known: str, held: str, part: Part[str]) -> None:
    for text in part(texts(known, held), 3):
        try:
            lines = parse(text).lines
        except PlayerError as error:
            near = getattr(error, "nearest", "")
            assert held.lower() not in near.lower(), text
        else:
            assert not any(re.search(rf"\b{held}\b", line.label, re.IGNORECASE) for line in lines), text


@pytest.mark.parametrize(
    "text",
    [
        "d20+5 three times, drop the lowest",
        "d20+5 twice, and keep the highest of them",
        "heart: the city beneath 4d10 risky",
        "healing word 1d4+3 upcast to level 3",
        "both attacks +5, 1d6+3",
        "opposed grapple +6 vs +4",
        "concentration check for 34 damage +3",
        "wandering monsters, 1 on a d6",
        "blood bowl 2 block dice",
        "thac0",
    ],
)
def test_what_is_not_certain_is_refused_without_a_button(text: str) -> None:
    with pytest.raises(NotUnderstoodError) as error:
        parse(text)
    assert not error.value.nearest


@pytest.mark.parametrize(
    "text",
    [
        "wandering monsters, 1 on a d6",
        "concentration check for 34 damage +3",
        "opposed grapple +6 vs +4",
        "blood bowl 2 block dice",
        "healing word 1d4+3 upcast to level 3",
        "d20+5 three times, drop the lowest",
    ],
)
def test_no_suggestion_has_a_number_of_another_role(text: str) -> None:
    with pytest.raises(NotUnderstoodError, match=r"(?s)^(?!.*something similar)"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("I try to pick the lock, 1d20+8", '1d20+8 "try to pick the lock"'),
        ("eldritch blast 3x 1d10+5 force", '3#1d10+5 "eldritch blast force"'),
        ("6 Kobolds attack +4 vs ac 16", '6#1d20+4>=16 "Kobolds attack"'),
        ("4 skeletons shoot +4 1d6+2", '4#1d20+4 "skeletons shoot"; 4#1d6+2'),
        ("1d20+5 vs AC 15 dmg 2d6+3", '1d20+5>=15; 2d6+3 "dmg"'),
        ("roll damage twice take higher 2d6+4", 'max(2d6+4, 2d6+4) "damage"'),
        ("fnp 6 dice 5+", '6d6>=5 "fnp"'),
        ("d20+7/+2/-3", "1d20+7; 1d20+2; 1d20-3"),
        ("can u roll 2 d 6 pls", "2d6"),
        ("1d20 disadvantige", "2d20kl1"),
        ("two attacks with +5 to hit for 1d6+3", '2#1d20+5 "attacks"; 2#1d6+3'),
        ("three attacks +7 for 2d6+4", '3#1d20+7 "attacks"; 3#2d6+4'),
        ("three goblin attacks at +4 vs AC 16, damage d6+2", '3#1d20+4>=16 "goblin attacks"; 3#1d6+2'),
        ("fifteen d6, sixes explode, 5+ hits", "15d6e6>=5"),
        ("20 dice 4+ exploding 6s", "20d6!>=4"),
        ("roll me a stat block, 4d6 drop lowest", "6#4d6dl1"),
        ("roll me some stats 4d6 drop lowest", "6#4d6dl1"),
        ("stat block 4d6 drop lowest", "6#4d6dl1"),
        ("deed die d3 attack +d3+1", '1d20+1d3+1 "deed attack"'),
        ("infinity 3d20 tn 13", '3d20<=13 "infinity"'),
        ("half a dozen d8", "6d8"),
        (
            "I swing my sword at the goblin, +5 to hit, 1d8+3 damage",
            '1d20+5 "swing my sword at the goblin"; 1d8+3 "damage"',
        ),
    ],
)
def test_what_is_certain_is_rolled(text: str, means: str) -> None:
    assert parse(text) == parse(means)
