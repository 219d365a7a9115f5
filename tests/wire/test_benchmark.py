"""The benchmark of answers knows every command, so that a new one is measured too."""

from benchmarks.wire import COMMANDS, every_command
from tests.wire.wire import PATIENT, Wire


async def test_every_command_is_measured_or_said_to_need_a_table(wire: Wire) -> None:
    await wire.start_bot(PATIENT)
    assert every_command(wire).keys() == COMMANDS.keys()
