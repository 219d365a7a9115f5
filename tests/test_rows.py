"""What walks through rows lists those for which a law does not hold."""

import pytest

from tests.rows import for_each_row


@for_each_row("tens", [10, 20])
@for_each_row(("ones", "wanted"), [(1, True), (2, True), (3, False)], ids=["one", "two", "three"])
def all_but_three_and_the_sum_of_22(tens: int, ones: int, wanted: bool) -> None:
    """A law."""
    assert wanted, "three"
    if tens + ones == 22:
        raise LookupError("22")


def test_every_row_that_is_wrong_is_listed_in_every_combination() -> None:
    with pytest.raises(AssertionError) as found:
        all_but_three_and_the_sum_of_22()
    said = str(found.value)
    assert said.startswith("2 of 2 rows are wrong:\n(10,): AssertionError: 1 of 3 rows are wrong:\nthree: Assert")
    assert "(20,): AssertionError: 2 of 3 rows are wrong:\ntwo: LookupError: 22\nthree: AssertionError: three" in said
    assert all_but_three_and_the_sum_of_22.__doc__ == "A law."


def test_a_law_of_no_row_proves_nothing() -> None:
    with pytest.raises(AssertionError, match="a law of nothing"):
        for_each_row("row", [])(print)()
