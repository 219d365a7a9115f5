"""Declarations from plain JSON words: every rejection names the field, what it was, and what is allowed."""

import pytest

from bot.games import GAMES
from bot.rules.errors import BadInputError, PlayerError, UnknownWordError
from bot.rules.json_reader import JsonReader, check_whole_number
from bot.rules.text import english


def refused(call: object, *args: object) -> str:
    with pytest.raises(PlayerError) as error:
        call(*args)  # type: ignore[operator]  # a method of Reader
    return str(error.value)


@pytest.mark.parametrize("raw", [[1], "dice", 3, None])
def test_only_an_object_is_read(raw: object) -> None:
    with pytest.raises(BadInputError, match="Use a JSON object: names"):
        JsonReader(raw)


def test_a_whole_number() -> None:
    reader = JsonReader({"dice": 3, "null": None})
    assert reader.take_whole_number("dice", 0, 6) == 3
    assert reader.take_whole_number("missing", 0, 6, 2) == 2
    assert reader.take_whole_number("null", 0, 6, 0) == 0
    assert (
        refused(reader.take_whole_number, "missing", 0, 6) == "`missing` was missing. Use a whole number from 0 to 6."
    )
    assert refused(reader.take_whole_number, "dice", 4, 6) == "`dice` was `3`. Use a whole number from 4 to 6."


@pytest.mark.parametrize("given", [True, 1.5, 2.0, "3", -1, 7, [3], 10**30])
def test_what_is_no_whole_number_within_the_limits(given: object) -> None:
    with pytest.raises(BadInputError) as error:
        check_whole_number("dice", given, 0, 6)
    assert (error.value.field, str(error.value.given).strip("`")) == ("dice", str(given))


@pytest.mark.parametrize("number", [0, 3, 6])
def test_the_limits_themselves_are_allowed(number: int) -> None:
    assert check_whole_number("dice", number, 0, 6) == number


@pytest.mark.parametrize(("given", "value"), [(True, True), (1, True), (False, False), (0, False), (None, True)])
def test_a_flag(given: object, value: bool) -> None:
    assert JsonReader({"cover": given}).flag("cover", default=True) is value


def test_a_flag_that_is_missing_is_false() -> None:
    assert JsonReader({}).flag("cover") is False


@pytest.mark.parametrize("given", [2, "yes", 1.0, [], {}])
def test_what_is_no_flag(given: object) -> None:
    assert "`cover` was " in refused(JsonReader({"cover": given}).flag, "cover")
    assert refused(JsonReader({"cover": given}).flag, "cover").endswith("Use true or false.")


def test_a_word_whatever_its_case() -> None:
    reader = JsonReader({"ruleset": " N5 ", "other": "n6", "number": 5})
    assert reader.word("ruleset", ("n4", "n5")) == "n5"
    assert reader.word("missing", ("n4", "n5"), "n4") == "n4"
    assert refused(reader.word, "other", ("n4", "n5")) == "`other` was `n6`. Use `n4` or `n5`."
    assert refused(reader.word, "number", ("n4", "n5")) == "`number` was `5`. Use `n4` or `n5`."
    assert refused(reader.word, "missing", ("n4", "n5")) == "`missing` was missing. Use `n4` or `n5`."


def test_a_text() -> None:
    reader = JsonReader({"name": "Ann", "number": 5})
    assert reader.text("name", 3) == "Ann"
    assert reader.text("missing", 3) == ""
    assert refused(reader.text, "name", 2) == "`name` was `Ann`. Use a text of at most 2 characters."
    assert refused(reader.text, "number", 2).startswith("`number` was `5`")


def test_a_list_of_whole_numbers_points_at_the_wrong_one() -> None:
    reader = JsonReader({"rerolls": [1, 2], "wrong": [1, 9], "one": 1})
    assert reader.wholes("rerolls", 1, 6, 2) == (1, 2)
    assert reader.wholes("missing", 1, 6, 2) == ()
    assert refused(reader.wholes, "wrong", 1, 6, 2) == "`wrong[1]` was `9`. Use a whole number from 1 to 6."
    assert refused(reader.wholes, "rerolls", 1, 6, 1) == "`rerolls` was `[1, 2]`. Use a list of at most 1."
    assert refused(reader.wholes, "one", 1, 6, 1).startswith("`one` was `1`. Use a list")


def test_has_is_false_for_null() -> None:
    reader = JsonReader({"hull": 4, "shields": None})
    assert (reader.has("hull"), reader.has("shields"), reader.has("missing")) == (True, False, False)
    reader.check_all_taken()


def test_a_nested_object_names_its_path() -> None:
    reader = JsonReader({"attack": {"dice": 9}, "wrong": 3})
    assert refused(reader.take_object("attack").take_whole_number, "dice", 0, 6).startswith("`attack.dice` was `9`")
    assert refused(reader.take_object, "wrong").startswith("`wrong` was `3`. Use a JSON object")
    reader.take_object("missing").check_all_taken()


def test_a_key_that_nobody_knows_is_refused_with_the_nearest() -> None:
    reader = JsonReader({"dice": 3, "fokus": 1})
    reader.take_whole_number("dice", 0, 6)
    reader.take_whole_number("focus", 0, 6, 0)
    reader.take_raw("dice")
    with pytest.raises(UnknownWordError) as error:
        reader.check_all_taken()
    assert str(error.value) == (
        "I don't understand `fokus` in `declaration`. Did you mean `focus`? You can use dice, focus."
    )


def test_a_nested_key_that_nobody_knows_names_its_object() -> None:
    part = JsonReader({"attack": {"dices": 3}}).take_object("attack")
    part.take_whole_number("dice", 0, 6, 0)
    assert refused(part.check_all_taken).startswith("I don't understand `dices` in `attack`. Did you mean `dice`?")


@pytest.mark.parametrize(
    ("game", "raw"),
    [
        ("warsurge", {"power": 3, "defence": 3, "attack_dice": 1}),
        ("albion", {"target": {"agility": 1, "stealth": 1}, "attacker": {"awareness": 9, "strength": 9}}),
        ("infinity", {"sv": 12, "burst": 1}),
        ("xwing", {"attack": {"dice": 2}, "defense": {"dice": 1}}),
    ],
)
def test_an_unknown_key_is_answered_with_what_may_be_given(game: str, raw: dict[str, object]) -> None:
    """The name of a case, and the words of an answer that a case carries along, declare nothing."""
    GAMES[game].rules.declare({**raw, "id": "one"})
    with pytest.raises(UnknownWordError) as error:
        GAMES[game].rules.declare({**raw, "id": "one", "zap": 1})
    listed = english(error.value.text).rpartition("You can use ")[2].rstrip(".").split(", ")
    assert set(raw) <= set(listed)
    told = {"id", "why", "note", "rule", "need", "p", "multiplier", "successes", "hp_loss", "mean_hp_loss", "accuracy"}
    assert not told & set(listed)
