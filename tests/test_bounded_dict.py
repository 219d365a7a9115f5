"""A dictionary that keeps what was set last."""

from hypothesis import given, strategies as st

from bot.bounded_dict import BoundedDict


@given(st.integers(1, 4), st.lists(st.tuples(st.integers(0, 6), st.integers())))
def test_it_keeps_what_was_set_last(most: int, entries: list[tuple[int, int]]) -> None:
    kept: BoundedDict[int, int] = BoundedDict(most)
    for key, value in entries:
        kept[key] = value
    newest = dict(reversed(entries))  # the value that was set first, in the order in which keys were first set
    newest = {key: dict(entries)[key] for key in newest}
    assert dict(kept) == dict(list(newest.items())[:most])


def test_updates_and_defaults_are_bounded_too() -> None:
    kept: BoundedDict[str, int] = BoundedDict(2)
    kept.update({"a": 1, "b": 2, "c": 3})
    assert kept.setdefault("d", 4) == 4
    assert list(kept.items()) == [("c", 3), ("d", 4)]
