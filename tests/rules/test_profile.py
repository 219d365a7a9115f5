"""Named profiles: the typed line, its limits, and the words that refuse it."""

from typing import Final

import pytest
from hypothesis import given, strategies as st

from bot.games import GAMES
from bot.rules import profile
from bot.rules.errors import BadInputError, PlayerError, UnknownWordError
from bot.rules.profile import MAX_PROFILES, NamedProfile, Profiles, write

SKIRMISH: Final = Profiles(
    stats={
        **dict.fromkeys(("SV", "BS", "CC", "PH", "WIP"), (0, 40)),
        "Burst": (1, 6),
        **dict.fromkeys(("ARM", "BTS", "PS"), (0, 30)),
    },
    example="BS 12, Burst 3, ARM 1",
)
"""A game with many stats."""
KEPT: Final = {key: game.table.pieces for key, game in GAMES.items() if isinstance(game.table.pieces, Profiles)} | {
    "skirmish": SKIRMISH
}
"""The profiles of the games that keep nothing else."""
ANGUS = NamedProfile("Angus", {"BS": 12, "Burst": 3, "ARM": 1})


@st.composite
def typed(draw: st.DrawFn) -> tuple[str, NamedProfile]:
    """A game and a profile of it."""
    game = draw(st.sampled_from(sorted(KEPT)))
    chosen = draw(st.sets(st.sampled_from(list(KEPT[game].stats)), min_size=1))
    stats = {label: draw(st.integers(*limits)) for label, limits in KEPT[game].stats.items() if label in chosen}
    return game, NamedProfile("Angus", stats)


@given(typed())
def test_a_written_profile_is_read_as_it_was(given_: tuple[str, NamedProfile]) -> None:
    game, named_profile = given_
    assert KEPT[game].parse(named_profile.name, write(named_profile)) == named_profile


@pytest.mark.parametrize("game", KEPT)
def test_the_example_of_a_refusal_can_be_typed(game: str) -> None:
    assert write(KEPT[game].parse("Angus", KEPT[game].example)) == KEPT[game].example


@pytest.mark.parametrize(
    "line",
    ["BS 12, Burst 3, ARM 1", " burst 3 ,bs   12, arm1,", "ARM 1,,BURST 3, Bs 12"],
    ids=["card", "loose", "order"],
)
def test_case_spaces_and_order_do_not_matter(line: str) -> None:
    named_profile = KEPT["skirmish"].parse("Angus", line)
    assert named_profile == ANGUS
    assert write(named_profile) == "BS 12, Burst 3, ARM 1"


@pytest.mark.parametrize("line", ["", " , ", "BS 12," * 40])
def test_an_empty_or_a_long_line_is_refused_with_an_example(line: str) -> None:
    with pytest.raises(BadInputError, match=r"`stats` was .*at most 200 characters. Example: `BS 12, Burst 3, ARM 1`"):
        KEPT["skirmish"].parse("Angus", line)


def test_a_word_that_is_not_known_is_pointed_at() -> None:
    with pytest.raises(UnknownWordError, match=r"Did you mean `burst`\?") as refused:
        KEPT["skirmish"].parse("Angus", "BS 12, Brust 3")
    assert (refused.value.word, refused.value.near) == ("Brust", "burst")


@pytest.mark.parametrize(("line", "word"), [("12", "12"), ("BS twelve", "BS twelve"), ("BS 1.5", "BS 1.5")])
def test_what_is_no_stat_with_a_whole_number_is_pointed_at(line: str, word: str) -> None:
    with pytest.raises(UnknownWordError) as refused:
        KEPT["skirmish"].parse("Angus", line)
    assert refused.value.word == word


def test_a_stat_of_another_game_is_not_known() -> None:
    with pytest.raises(UnknownWordError, match="You can use Agility, Stealth, Awareness, Strength"):
        KEPT["albion"].parse("Angus", "BS 12")


@pytest.mark.parametrize(
    ("game", "line", "sentence"),
    [
        ("skirmish", "BS 41", "`BS` was `41`. Use a whole number from 0 to 40."),
        ("skirmish", "BS -1", "`BS` was `-1`. Use a whole number from 0 to 40."),
        ("skirmish", "Burst 0", "`Burst` was `0`. Use a whole number from 1 to 6."),
        ("skirmish", "ARM", "`ARM` was missing. Use a whole number from 0 to 30."),
        ("albion", "Agility 100", "`Agility` was `100`. Use a whole number from 0 to 99."),
    ],
)
def test_a_number_out_of_its_range_is_refused(game: str, line: str, sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        KEPT[game].parse("Angus", line)
    assert str(refused.value) == sentence


def test_a_stat_stands_there_once() -> None:
    with pytest.raises(UnknownWordError, match=r"You gave BS twice"):
        KEPT["skirmish"].parse("Angus", "BS 12, bs 13")


def test_a_profile_is_found_whatever_its_case() -> None:
    assert profile.find({"Angus": ANGUS}, " ANGUS ") is ANGUS


@pytest.mark.parametrize(
    ("held", "sentence"),
    [
        ({"Angus": ANGUS}, "`name` was `Agnus`. Use a profile in this channel: `Angus`."),
        ({"Zoe": NamedProfile("Zoe", {"BS": 1})}, "`name` was `Agnus`. Use a profile in this channel: `Zoe`."),
        ({}, "`name` was `Agnus`. This channel has no profiles yet. Add one first."),
    ],
    ids=["near", "far", "none"],
)
def test_a_name_that_is_not_there_gets_the_nearest(held: dict[str, NamedProfile], sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        profile.find(held, "Agnus")
    assert str(refused.value) == sentence


def test_a_full_channel_takes_no_new_name_but_a_known_one() -> None:
    full = {f"Angus {n}": NamedProfile(f"Angus {n}", {"BS": n}) for n in range(MAX_PROFILES)}
    with pytest.raises(PlayerError, match="This channel already has 24 profiles for this game"):
        profile.add_or_replace(full, ANGUS)
    again = NamedProfile("ANGUS 3", {"BS": 13})
    assert profile.add_or_replace(full, again) == {"ANGUS 3": again}
    assert profile.add_or_replace({}, ANGUS) == {"Angus": ANGUS}
