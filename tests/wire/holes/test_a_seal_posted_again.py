"""A seal that stands in its channel long after the last word: somebody may have deleted others that came before it."""

import re
import time

import pytest

from bot.fair.verify import SOON, report, verify
from tests.fair.checkers import STAND_ALONE
from tests.fair.second_verifier import judge
from tests.wire import world
from tests.wire.wire import PATIENT, Wire


class Later:
    """Discord's clock, which can be put on."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def time(self) -> float:
        return time.time() + self.seconds


@pytest.mark.parametrize(("seconds", "is_late"), [(5, False), (12, True)])
async def test_the_seconds_from_the_last_word_to_the_seal_are_printed_and_warned_of(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, seconds: int, is_late: bool
) -> None:
    clock = Later()
    monkeypatch.setattr(world, "time", clock)
    ana, ben, *_ = wire.people
    await wire.start_bot(PATIENT)
    committed = await wire.slash(ana, wire.channel, "table seal", opponent=ben)
    asked = await wire.follow_up(committed)
    for person in (ana, ben):
        form = (await wire.press(person, wire.now(asked), "Give a seed word")).modal
        await wire.submit(person, form, {"word": f"word of {person.name}"})
    clock.seconds = seconds
    await wire.press(ana, wire.now(asked), "Seal")
    await wire.slash(ana, wire.channel, "xwing attack", dice=4, agility=2, opponent=ben)
    file = (await wire.slash(ana, wire.channel, "table unseal")).shown.attachments[0].data
    verdict = verify(file)
    line = re.search(r"^Last word: .*, (\d+) seconds before the seal$", report(verdict), re.MULTILINE)
    assert line is not None
    assert seconds <= int(line[1]), "the seconds are always printed"
    said = "The seal came "
    late = (is_late or int(line[1]) > SOON,) * 3  # where this machine took so long, that is as late
    assert late == (
        any(warning.startswith(said) for warning in verdict.warnings),
        any(item.startswith(said) for item in STAND_ALONE["check"](STAND_ALONE["read"](file))),
        any(warning.what == "late" for warning in judge(file).warnings),
    )
