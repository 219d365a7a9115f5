"""Boards on a Discord that takes 50 requests a second, at two processes: the short version of ``benchmarks.boards``."""

from benchmarks.boards import RIGHT_WITHIN, measure, report


async def test_boards_are_soon_right_and_no_request_is_one_too_many(rolls: str) -> None:
    """Also while a new process takes the place of one of the two."""
    made = await measure(rolls, boards=50, seconds=8, rate=12, deploys=1, patient=True)
    print(report(made))  # noqa: T201 - the figures
    assert made.refused == 0, "it would also be a refusal of the wire"
    assert len(made.late) > 0
    assert made.counted > len(made.late) / 2, "boards were edited by requests that count"
    assert max(made.late) < RIGHT_WITHIN
