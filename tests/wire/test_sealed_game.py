"""A whole game at a sealed table over the wire, with a bot that is killed again and again: every die can be checked."""

import re
import sqlite3
from contextlib import closing

from bot.fair.transcript import TABLE, read
from tests import books
from tests.fair.checkers import by_the_bot, by_the_script
from tests.fair.second_verifier import find_fault
from tests.wire.messages import Message
from tests.wire.skirmish import Skirmish
from tests.wire.wire import Wire

MARK = re.compile(r"Sealed table: ply (\d+), ([0-9a-f]{8})")


class SealedSkirmish(Skirmish):
    """The two seal the table once their ships stand there. ``marks`` are the places and digits that they saw."""

    is_sealed = False

    async def plan(self) -> None:
        if not self.is_sealed:
            await self.seal()
        await super().plan()

    async def seal(self) -> None:
        ana, ben = self.wire.people[:2]
        asked = (await self.wire.slash(ana, self.wire.channel, "table seal", opponent=ben)).shown
        for person, word in ((ana, "luck"), (ben, "Würfel")):
            form = (await self.wire.press(person, self.wire.now(asked), "Give a word")).modal
            await self.wire.submit(person, form, {"word": word})
        sealed = await self.wire.press(ana, self.wire.now(asked), "Seal")
        assert "This table is sealed" in sealed.text
        self.marks: set[tuple[int, str]] = set()
        self.is_sealed = True

    async def press(self, message: Message, name: str, target: str) -> Message:
        shown = await super().press(message, name, target)
        place, digits = MARK.findall(shown.text)[0]
        self.marks.add((int(place), digits))
        return shown


async def test_a_sealed_game_survives_every_kill_and_every_die_can_be_checked(wire: Wire) -> None:
    game = SealedSkirmish(wire, 20, lambda _: None)
    await game.play()
    assert game.kills >= 3
    answer = await wire.slash(wire.people[0], wire.channel, "table unseal")
    file, _ = answer.shown.attachments
    assert by_the_bot(file.data) == by_the_script(file.data) == ""
    assert find_fault(file.data) is None
    found = read(file.data)
    assert len(game.marks) >= 5
    assert all(found.hashes[place].startswith(digits) for place, digits in game.marks)
    with closing(sqlite3.connect(wire.folder / "rollcall.db")) as connection:
        query = "SELECT count(*) FROM ply JOIN session ON session.id = session_id WHERE game <> 'table'"
        (presses,) = connection.execute(query).fetchone()
    assert len([ply for ply in found.plies if ply.roll != TABLE]) == presses
    assert books.wrong(wire.folder / "rollcall.db") == []
