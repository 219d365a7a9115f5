"""Every setting: what it takes, what it refuses, and that it is read and written without loss."""

import re
from typing import Any

import pytest

from bot.rules.errors import BadInputError, UnknownWordError
from bot.rules.text import english
from bot.ruleset.settings import GROUPS, SETTINGS, Setting, find
from tests.rows import for_each_row
from tests.ruleset.cases import CASES


def test_every_setting_has_its_cases() -> None:
    assert CASES.keys() == {setting.key for setting in SETTINGS}
    assert len(SETTINGS) == len(CASES) == sum(map(len, GROUPS.values()))
    assert len({setting.title for setting in SETTINGS}) == len(SETTINGS)


@for_each_row("one", SETTINGS, ids=lambda item: item.key)
def test_what_is_typed_is_read(one: Setting[Any]) -> None:
    for text, value in CASES[one.key].typed.items():
        read = one.parse(text)
        assert read == value
        assert type(read) is type(one.built_in) or one.key in ("gm_role", "log_channel")
        assert one.check(value) == value
        assert one.parse(english(one.words(value))) == value, "its words can be typed"


@for_each_row("one", SETTINGS, ids=lambda item: item.key)
def test_what_is_built_in_and_what_is_offered_can_be_chosen(one: Setting[Any]) -> None:
    assert one.check(one.built_in) == one.built_in
    for words in one.kind.suggestions:
        assert one.words(one.parse(english(words))) == words


@for_each_row(
    ("key", "text"), [(key, text) for key, case in CASES.items() for text in case.refused], ids=lambda text: text[:12]
)
def test_what_it_does_not_take_is_refused_by_name(key: str, text: str) -> None:
    with pytest.raises(BadInputError, match=re.escape(f"`{english(find(key).title)}` was ")) as refused:
        find(key).parse(text)
    assert len(str(refused.value)) < 300


@for_each_row(("key", "value"), [(key, value) for key, case in CASES.items() for value in case.forged])
def test_a_value_of_another_kind_is_refused(key: str, value: object) -> None:
    with pytest.raises(BadInputError, match=re.escape(f"`{english(find(key).title)}` was ")):
        find(key).check(value)


def test_a_setting_is_found_by_key_and_by_title() -> None:
    for setting in SETTINGS:
        assert find(setting.key) is find(english(setting.title).upper()) is setting
    with pytest.raises(UnknownWordError, match="Use `WARSURGE method`"):
        find("WARSURGE methods")
