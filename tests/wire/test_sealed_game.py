"""A whole game at a sealed table over the wire, with a bot that is killed again and again: every die can be checked."""

import re
from typing import Any

import pytest

from bot.fair.transcript import TABLE, ChainPly
from bot.games import GAMES
from tests import books
from tests.fair.checkers import by_the_bot, by_the_script, by_the_second, read
from tests.wire.forms import Form
from tests.wire.messages import Control, Message
from tests.wire.skirmish import Books, Skirmish
from tests.wire.wire import Wire
from tests.wire.world import Person

MARK = re.compile(r"Sealed table: ply (\d+), ([0-9a-f]{8})")
MIN_MARKS = 5
"""So many marks are compared with the transcript."""


class SealedSkirmish(Skirmish):
    """The two seal the table once their ships stand there. ``marks`` are the places and digits that they saw."""

    is_sealed = False

    async def _play(self) -> None:
        await super()._play()
        while len(self.marks) < MIN_MARKS:  # few attacks, or short ones: loose dice have a mark each
            rolled = await self.wire.slash(self.people["Ana"], self.wire.channel, "xwing roll", red=1)
            assert self.see(rolled.shown)

    async def plan(self) -> None:
        if not self.is_sealed:
            await self.seal()
        await super().plan()

    async def seal(self) -> None:
        ana, ben = self.wire.people[:2]
        committed = await self.wire.slash(ana, self.wire.channel, "table seal", opponent=ben)
        assert "This is its fingerprint" in committed.text
        asked = await self.wire.follow_up(committed)
        for person, word in ((ana, "luck"), (ben, "Würfel")):
            form = (await self.wire.press(person, self.wire.now(asked), "Give a seed word")).modal
            await self.wire.submit(person, form, {"word": word})
        sealed = await self.wire.press(ana, self.wire.now(asked), "Seal")
        assert "This table is sealed" in sealed.text
        self.marks: set[tuple[int, str]] = set()
        self.is_sealed = True

    async def opened(self, name: str, target: str, before: Books) -> Message | None:
        shown = await super().opened(name, target, before)
        if shown is not None:
            assert self.see(shown)
        return shown

    async def press(self, message: Message, who: str, name: str, target: str) -> Message:
        shown = await super().press(message, who, name, target)
        assert self.see(shown)
        return shown

    def see(self, message: Message) -> bool:
        """Note the mark on a card; False if it has none."""
        result = {(int(place), digits) for place, digits in MARK.findall(message.text)}
        self.marks |= result
        return bool(result)


async def test_a_sealed_game_survives_every_kill_and_every_die_can_be_checked(wire: Wire) -> None:
    game = SealedSkirmish(wire, 20, lambda _: None)
    await game.play()
    assert game.bot.kills >= 3
    answer = await wire.slash(wire.people[0], wire.channel, "table unseal")
    file, _ = answer.shown.attachments
    assert by_the_bot(file.data) == by_the_script(file.data) == by_the_second(file.data) == ""
    transcript = read(file.data)
    assert len(game.marks) >= MIN_MARKS
    assert all(transcript.hashes[place].startswith(digits) for place, digits in game.marks)
    query = "SELECT count(*) FROM ply JOIN session ON session.id = session_id WHERE game <> 'table'"
    ((presses,),) = wire.rows(query)
    assert len([ply for ply in transcript.plies if ply.roll != TABLE]) == presses
    assert books.wrong(wire.stored) == []


# All games, with dice that people rolled by hand

COMMANDS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "xwing": (
        ("xwing attack", {"dice": 3, "agility": 2, "with_": "focus, lock", "against": "evade", "camera": "attacker"}),
        ("xwing attack", {"dice": 2, "agility": 1, "with_": "focus", "camera": "both"}),
        ("xwing attack", {"dice": 4, "with_": "lock, focus"}),
        ("xwing roll", {"red": 3, "green": 2}),
    ),
    "infinity": (
        ("infinity versus", {"sv": 14, "burst": 3, "dice": "9, 4, 17", "weapon": "N PS 7"}),
        ("infinity versus", {"sv": 15, "burst": 4, "vs_sv": 8, "vs_dice": "5"}),
        ("infinity order", {"text": "Angus 14 b2 N PS 7 vs Ortega 9 ARM 3; Murat 13 normal vs Angus"}),
        ("infinity save", {"hits": 2, "ammo": "DA", "ps": 7, "arm": 3, "dice": "8, 15, 3, 11"}),
    ),
    "warsurge": (
        ("warsurge attack", {"power": 6, "defence": 3, "dice": 2, "method": "casual", "save": "4+", "faces": "6 1"}),
        ("warsurge attack", {"power": 7, "defence": 3, "dice": 6, "method": "balanced", "save": "5+"}),
    ),
    "albion": (
        ("albion attack", {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3, "faces": "72 0 1"}),
        ("albion attack", {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3}),
    ),
    "anydice": (
        ("roll", {"dice": "4d6kh3", "faces": "6 5 1 2"}),
        ("roll", {"dice": "3d20+4"}),
    ),
    "contest": (
        ("contest", {"dice": "2d6", "their_dice": "1d12", "faces": "1 6", "their_name": "Guard"}),
        ("contest", {"dice": "1d20+5", "their_dice": "1d20+3"}),
    ),
    "duels": (
        ("duel attack", {"game": "legion", "line_": "2r 2b, surge to hit, aim 1, red saves, dodge 1"}),
        ("duel attack", {"line_": "kill team 4 attacks hit 3+ normal 3 crit 4 save 4+ cover"}),
    ),
}
"""What is typed in each game, with dice by hand and without."""
ROUNDS = 2
MAX_PRESSES = 5


class SealedTable(SealedSkirmish):
    """Two people who play the rolls of one game at a sealed table, while the bot is killed under their hands."""

    kill_every = (7, 7)

    async def play_game(self, key: str) -> bytes:
        """The transcript of so many rounds; of more, as long as the bot was not killed in them."""
        await self.bot.start()
        await self.seal()
        played = 0
        while played < ROUNDS or not self.bot.kills:
            played += 1
            for line, options in COMMANDS[key]:
                await self.roll(line, options)
                if self.chance.random() < 0.4:
                    await self.take_back()
        answer = await self.wire.slash(self.wire.people[0], self.wire.channel, "table unseal")
        return answer.shown.attachments[0].data

    async def roll(self, line: str, options: dict[str, Any]) -> None:
        """One roll, as far as a few presses bring it; one whose card nobody saw is left alone."""
        ana, ben = self.wire.people[:2]
        is_for_two = line in ("xwing attack", "infinity versus", "warsurge attack", "contest")
        named = {"opponent": ben} if is_for_two and "their_name" not in options else {}
        answer = await self.risk(lambda: self.wire.slash(ana, self.wire.channel, line, **options, **named))
        if answer is None:
            return
        assert not answer.ephemeral, answer.text
        message = answer.shown
        for _ in range(MAX_PRESSES):
            self.see(message)
            controls = [
                item for item in message.controls if not re.search(":(advice-.*|withdraw|how)$", item.custom_id)
            ]
            if not controls:
                return
            typing = [item for item in controls if item.custom_id.endswith(":type")]  # dice on camera, by its key
            control = self.chance.choice(typing or controls)
            for person in self.chance.sample((ana, ben), 2):  # whose it is, only one of them may press
                if await self.take(person, message, control):
                    break
            message = self.wire.now(message)

    async def take(self, person: Person, message: Message, control: Control) -> bool:
        """Press, and fill what opens; False for a refusal."""
        picked = self.picked(control)
        answer = await self.risk(lambda: self.click(person, message, control, picked))
        if answer is not None and answer.form is not None:
            form = answer.form
            answer = await self.risk(lambda: self.wire.submit(person, form, examples(form)))
        if answer is None:
            return True
        if not answer.ephemeral and answer.message is not None:
            self.see(answer.message)
        return not answer.ephemeral

    async def take_back(self) -> None:
        """Ask for it; the other one allows. A request that nobody saw is shown again by the next one."""
        ana, ben = self.wire.people[:2]
        asked = await self.risk(lambda: self.wire.slash(ana, self.wire.channel, "table undo"))
        if asked is not None and "asks to take back" in asked.text:
            await self.risk(lambda: self.wire.press(ben, asked.shown, "Allow"))


def examples(form: Form) -> dict[str, str | list[str]]:
    """What somebody would fill in: what stands there, the example, or the first choice."""
    result: dict[str, str | list[str]] = {}
    hints = {
        component["component"]["custom_id"]: component["component"].get("placeholder", "")
        for component in form.components
        if "component" in component
    }
    for entry in form.entries:
        if entry.options:
            result[entry.custom_id] = [entry.options[0][1]] if entry.required else []
        else:
            result[entry.custom_id] = entry.value or (hints[entry.custom_id] if entry.required else "")
    return result


@pytest.mark.parametrize(("key", "seed"), [(key, 3) for key in COMMANDS])
async def test_every_game_survives_kills_and_its_typed_and_drawn_dice_can_be_checked(
    wire: Wire, key: str, seed: int
) -> None:
    assert COMMANDS.keys() == GAMES.keys()
    game = SealedTable(wire, seed, lambda _: None)
    file = await game.play_game(key)
    assert game.bot.kills
    assert by_the_bot(file) == by_the_script(file) == by_the_second(file) == ""
    transcript = read(file)
    plies = [ply for ply in transcript.plies if isinstance(ply, ChainPly)]
    assert key == "duels" or any(ply.typed for ply in plies), "dice were typed, where the game takes such"
    assert any(ply.draws for ply in plies), "dice were drawn"
    assert game.marks
    assert all(transcript.hashes[place].startswith(digits) for place, digits in game.marks)
    ((presses,),) = wire.rows("SELECT count(*) FROM ply WHERE offer NOT IN ('ask', 'allow', 'refuse')")
    assert len(transcript.plies) == presses, "every press that counted is in the chain, and nothing else"
    assert books.wrong(wire.stored) == []
