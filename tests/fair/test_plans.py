"""The plans in the file of a match: three checkers say the same, and the first thing that was changed is named."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bot.fair import plans
from bot.fair.verify import verify
from tests.fair.checkers import plans_by_the_script

SALTS = ["ab" * 32, "cd" * 32, "ef" * 32]


def a_match() -> dict[str, Any]:
    """Ana has planned for three ships; one is open on the table, one was destroyed, and the file has all of them."""
    leaves = [
        {"of": of, "choice": choice, "salt": salt}
        for of, choice, salt in zip(("Luke", "Wedge", "Biggs"), ("2FB", "4KR", ""), SALTS, strict=True)
    ]
    hashes = [plans.leaf(**leaf) for leaf in leaves]
    root = plans.root(7, "round 1", hashes)
    sheet = {"owner": 7, "sheet": "round 1", "root": root, "of": ["Luke", "Wedge", "Biggs"], "leaves": hashes}
    closed = {"kind": "plans", "name": "plans of player 7", **{k: sheet[k] for k in ("owner", "sheet", "root", "of")}}
    shown = {**closed, "leaves": hashes, "opened": leaves[:1]}
    plies = [{"pieces": {"xwing": {"plans of player 7": item}}} for item in (closed, shown)]
    gone: dict[str, Any] = {"pieces": {"xwing": {"plans of player 7": None}}}
    result = {
        "format": "rollcall-match/1",
        "start": {},
        "end": {},
        "plies": [*plies, gone, {"at": "now"}],
        "plans": [{**sheet, "opened": leaves}],
    }
    whole: dict[str, Any] = json.loads(json.dumps(result))
    return whole


def by_the_bot(match: Any) -> str:
    return verify(json.dumps(match).encode()).sentence


def test_what_fits_is_counted() -> None:
    sentence = "Every plan fits. Commitments: 1. Plans open: 3. Plans still closed: 0."
    assert by_the_bot(a_match()) == plans_by_the_script(a_match()) == sentence
    assert verify(json.dumps(a_match()).encode()).fits


def swap_choice(match: Any) -> None:
    match["plans"][0]["opened"][1]["choice"] = "2FB"


def swap_salt(match: Any) -> None:
    match["plans"][0]["opened"][0]["salt"] = "00" * 32


def swap_leaf(match: Any) -> None:
    match["plans"][0]["leaves"][2] = "00" * 32


def other_owner(match: Any) -> None:
    match["plans"][0]["owner"] = 8


def leave_out(match: Any) -> None:
    match["plans"] = []


def show_other(match: Any) -> None:
    match["plies"][1]["pieces"]["xwing"]["plans of player 7"]["opened"][0]["choice"] = "3FB"


TAMPERED: list[tuple[Callable[[Any], None], str]] = [
    (lambda _: None, "Every plan fits."),
    (swap_choice, "The plan of Wedge (round 1) is not the one that was committed to."),
    (swap_salt, "The plan of Luke (round 1) is not the one that was committed to."),
    (swap_leaf, "does not follow from its leaves."),
    (other_owner, "does not follow from its leaves."),
    (leave_out, "was shown, and the file lacks its plans."),
    (show_other, "The plan of Luke (round 1) was shown as something else than it was."),
]


@pytest.mark.parametrize(("tamper", "named"), TAMPERED[1:])
def test_what_was_changed_is_named(tamper: Callable[[Any], None], named: str) -> None:
    match = a_match()
    tamper(match)
    assert named in by_the_bot(match)
    assert by_the_bot(match) == plans_by_the_script(match)
    assert not verify(json.dumps(match).encode()).fits


def test_a_match_without_plans_fits() -> None:
    match = {**a_match(), "plans": [], "plies": []}
    assert by_the_bot(match) == "Every plan fits. Commitments: 0. Plans open: 0. Plans still closed: 0."


def test_what_is_no_match_is_said() -> None:
    assert "not as docs/match.md says" in by_the_bot({"format": "rollcall-match/1"})


@given(st.text(max_size=20), st.text(max_size=20), st.integers(1, 99), st.text(max_size=20))
def test_another_choice_place_owner_or_sheet_has_another_hash(of: str, choice: str, owner: int, sheet: str) -> None:
    item = plans.leaf(of, choice, SALTS[0])
    assert item != plans.leaf(of, choice + "x", SALTS[0])
    assert item != plans.leaf(of + "x", choice, SALTS[0])
    assert item != plans.leaf(of, choice, SALTS[1])
    assert plans.root(owner, sheet, [item]) != plans.root(owner + 1, sheet, [item])
    assert plans.root(owner, sheet, [item]) != plans.root(owner, sheet + "x", [item])
