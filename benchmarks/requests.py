"""Which requests count against Discord's 50 a second: an evening of each game, every answer with what followed it.

``python -m benchmarks.requests [--old] [--pace S] [GAME ...]``. Answers, and edits by an interaction's token, do not
count; whatever the bot sends by itself does. People do one thing every four seconds in all, as three do who press five
times a minute; here it goes ``S`` seconds (0.5 if not said) from one to the next, and the bot's own pauses are as much
shorter. ``--old``: every token counts as older than the 15 minutes for which Discord takes it, from its answer on.

X-Wing: four ships against four, from two squads to the last one. Infinity: a turn of ten orders with 15 troopers each.
The others: each thing that one may roll, ten times, with all that the card then offers.
"""

import argparse
import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from benchmarks.wire import COMMANDS
from bot.games import GAMES
from bot.store.database import migrate
from tests.wire.interactions import AUTOCOMPLETE, Answer, Interaction
from tests.wire.process import BotProcess
from tests.wire.test_evening import played
from tests.wire.test_infinity_turn import test_a_turn_of_ten_orders_with_forms_and_buttons_alone as turn_of_ten_orders
from tests.wire.wire import Wire
from tests.wire.world import Json

HUMAN: Final = 4.0
"""Seconds from one thing that somebody does to the next, where three people press five times a minute each."""
PACE: Final = 0.5
SETTLED: Final = "emoji of dice:"
"""What its log says when everything that a start brings along is done."""
TIMES: Final = 10
MAX_STEPS: Final = 12


class Counted(Wire):
    """A wire that waits after each answer and notes which requests of the bot counted until then.

    ``answers`` and ``requests`` are by what somebody did; ``paths`` says of each request what it asked for.
    """

    def __init__(self, pace: float, *, old: bool) -> None:
        super().__init__(record=True)
        self.env = {"HURRY": str(HUMAN / pace), "OLD_TOKENS": "1" if old else ""}
        self.pace = pace
        self.answers, self.requests, self.kinds = Counter[str](), Counter[str](), Counter[str]()

    async def start_bot(
        self,
        module: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        **how: Any,
    ) -> BotProcess:
        bot = await super().start_bot(("benchmarks.counted_bot",), {**self.env, **(env or {})}, **how)
        await bot.logged(SETTLED)
        return bot

    async def send(self, interaction: Interaction, data: Json) -> Answer:
        before = len(self.rest.limit.paths)
        answer = await super().send(interaction, data)
        if interaction.kind == AUTOCOMPLETE:
            return answer
        await asyncio.sleep(self.pace)
        what = self.what(data)
        self.answers[what] += 1
        counted = self.rest.limit.paths[before:]
        self.requests[what] += len(counted)
        self.kinds.update(re.sub(r"\d+", "*", path) for path in counted)
        return answer

    def what(self, data: Json) -> str:
        """What somebody did: a command by its name, anything else by the first words of its id."""
        if "custom_id" not in data:
            return f"/{data['name']}"
        words = str(data["custom_id"]).split(":")
        form = " (form)" if "components" in data else ""
        return {"on": "board", "next": "what is next"}.get(words[1], "card") + form


async def everything(wire: Counted, key: str) -> None:
    """Each thing that one may roll in a game, and all that its card offers, the first choice each time."""
    await wire.start_bot()
    ana, bo, *_ = wire.people
    for line, options in COMMANDS.items():
        if GAMES[key].slash != line.split()[0] or "odds" in line:
            continue
        for _ in range(TIMES):
            answer = await wire.slash(ana, wire.channel, line, **options)
            for _ in range(MAX_STEPS):
                choices = wire.now(answer.shown).choices if answer.message else ()
                if not choices or answer.ephemeral:
                    break
                values = [value for _, value in choices[0].options][: choices[0].least] or None
                done = await wire.click(ana, wire.now(answer.shown), choices[0].custom_id, values=values)
                if done.ephemeral or done.form is not None:  # for the other one, or more to say
                    done = await wire.click(bo, wire.now(answer.shown), choices[0].custom_id, values=values)
                if done.ephemeral or done.form is not None:
                    break


async def xwing(wire: Counted) -> None:
    await played(wire, 7, plain=True)


EVENINGS: Final[dict[str, Callable[[Counted], Awaitable[object]]]] = {
    "xwing": xwing,
    "infinity": turn_of_ten_orders,
}


async def count(key: str, pace: float, *, old: bool) -> Counted:
    """An evening of a game."""
    async with Counted(pace, old=old) as wire:
        await migrate(wire.database_url)
        await (EVENINGS[key](wire) if key in EVENINGS else everything(wire, key))
    return wire


def report(key: str, wire: Counted) -> str:
    answers, requests = wire.answers.total(), wire.requests.total()
    lines = [f"{key}: {answers} answers, {requests} requests that count: {requests / max(1, answers):.3f} an answer"]
    lines += [f"    {what}: {wire.requests[what]} of {many}" for what, many in sorted(wire.answers.items())]
    lines += [f"    {kind}: {many}" for kind, many in wire.kinds.most_common()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=[], metavar="GAME")
    parser.add_argument("--old", action="store_true", help="every token counts as expired")
    parser.add_argument("--pace", type=float, default=PACE)
    asked = parser.parse_args()
    for key in asked.games or GAMES:
        print(report(key, asyncio.run(count(key, asked.pace, old=asked.old))), flush=True)


if __name__ == "__main__":
    main()
