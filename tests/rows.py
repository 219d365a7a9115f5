"""A law over many rows is one test, which lists the rows for which it does not hold.

As a test of its own for each row, 6,000 rows cost 15 s of CPU time before anything is proven. Where rows need fixtures
of their own, or take seconds each, they stay parameters.
"""

from collections.abc import Callable, Collection, Iterable
from functools import update_wrapper
from typing import Any, Final

SHOWN: Final = 20
"""As many rows are listed; the first says where its law was broken."""


def for_each_row(
    names: str | Collection[str], rows: Iterable[Any], ids: Callable[[Any], object] | Iterable[object] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Walk through ``rows``, given as to ``pytest.mark.parametrize``; several walks go through all combinations."""
    named, many = [names] if isinstance(names, str) else [*names], [*rows]
    said = [*ids] if isinstance(ids, Iterable) else [values_of(row, len(named)) for row in many]

    def decorate(law: Callable[..., None]) -> Callable[..., None]:
        def walk(**given: Any) -> None:
            wrong = list[tuple[object, Exception]]()
            for row, words in zip(many, said, strict=True):
                try:
                    law(**given, **dict(zip(named, values_of(row, len(named)), strict=True)))
                except Exception as error:  # noqa: BLE001 - it is said with its row
                    wrong.append((words, error))
            told = "\n".join(f"{words}: {type(error).__name__}: {error}" for words, error in wrong[:SHOWN])
            if wrong:
                raise AssertionError(f"{len(wrong)} of {len(many)} rows are wrong:\n{told}") from wrong[0][1]
            assert many, "a law of nothing"

        update_wrapper(walk, law)
        del vars(walk)["__wrapped__"]  # pytest would look for its arguments among the fixtures
        return walk

    return decorate


def values_of(row: Any, count: int) -> tuple[Any, ...]:
    """The arguments of a row; one alone stands without a tuple."""
    return tuple(row) if count > 1 else (row,)
