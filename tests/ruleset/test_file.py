"""A ruleset as a file: what is written is read again; whatever else is in a file is refused by its field."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bot.rules.errors import BadInputError, PlayerError, UnknownWordError
from bot.ruleset import file
from bot.ruleset.ruling import Rule
from bot.ruleset.settings import SETTINGS
from tests.ruleset.cases import CASES

RULESETS = st.fixed_dictionaries(
    {},
    optional={
        setting.key: st.builds(
            Rule, st.sampled_from(CASES[setting.key].values), st.booleans() if setting.personal else st.just(False)
        )
        for setting in SETTINGS
    },
)
KEYS: st.SearchStrategy[str] = st.sampled_from(["rollcall_ruleset", "settings", "value", "locked", *CASES])
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8) | KEYS, inner, max_size=3),
)


def text_of(settings: object, form: object = 1) -> str:
    return json.dumps({"rollcall_ruleset": form, "settings": settings})


@given(RULESETS)
def test_what_is_written_is_read_again(rules: dict[str, Rule]) -> None:
    assert file.read(file.write(rules).decode()) == rules


@given(JSON | st.fixed_dictionaries({"rollcall_ruleset": st.just(1), "settings": JSON}))
def test_nothing_that_json_can_hold_breaks_it(told: Any) -> None:
    said = ""
    try:
        rules = file.read(json.dumps(told))
    except PlayerError as refused:
        said = str(refused)
    assert 10 < len(said) < 600 if said else file.read(file.write(rules).decode()) == rules


@given(st.text(max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    with pytest.raises(PlayerError):
        file.read(text)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"most_dice": 1000}, "`most_dice` was `1000`. Use a whole number from 6 to 100"),
        ({"warsurge_method": {"value": "best"}}, "`warsurge_method` was `best`"),
        (
            {"warsurge_method": {"value": "chart", "lock": True}},
            "I don't understand `lock` in `settings.warsurge_method`",
        ),
        ({"warsurge_method": {"locked": True}}, "`warsurge_method` was missing"),
        ({"look": {"value": "text", "locked": "yes"}}, "`settings.look.locked` was `yes`"),
        ({"warsurge_metod": "chart"}, "Did you mean `warsurge_method`"),
        (["look"], "`settings` was"),
        (None, "`settings` was missing"),
    ],
)
def test_what_is_wrong_is_named(settings: object, field: str) -> None:
    with pytest.raises((BadInputError, UnknownWordError)) as refused:
        file.read(text_of(settings))
    assert field in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        "{",
        "[" * 16_000,
        '{"rollcall_ruleset": 1, "settings": {"most_dice": ' + "9" * 8000 + "}}",
        '{"rollcall_ruleset": 1, "settings": {"most_dice": NaN}}',
        '{"rollcall_ruleset": 1, "settings": {"look": "text", "look": "emoji"}}',
        text_of({}, 2),
        text_of({}, True),
        '{"rollcall_ruleset": 1, "settings": {}, "more": 1}',
        " " * 20_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_a_hostile_file_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(PlayerError) as refused:
        file.read(text)
    assert str(refused.value).endswith((".", ")."))
    assert len(str(refused.value)) < 400


def test_what_cannot_be_locked_is_named_as_in_the_file() -> None:
    with pytest.raises(PlayerError, match=r"`most_dice` can't be locked.* Set it without the lock.*`xwing_ruleset`"):
        file.read(text_of({"most_dice": {"value": 20, "locked": True}}))
