"""Boards on a Discord that takes 50 requests a second, at two processes: the short version of ``benchmarks.boards``."""

from benchmarks.boards import measure, report


async def test_every_board_comes_right_and_no_request_is_one_too_many(rolls: str) -> None:
    """Also while a new process takes the place of one of the two."""
    result = await measure(rolls, boards=50, seconds=4, rate=10, deploys=1, patient=True)
    print(report(result))  # noqa: T201 - the figures
    assert result.refused == 0, "it would also be a refusal of the wire"
    assert result.counted > len(result.late) / 2, "boards were edited by requests that count"
    assert max(result.late) < float("inf"), "every step was shown, or a later one"
