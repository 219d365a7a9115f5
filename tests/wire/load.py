"""People who play, each in a channel of their own, and what they saw: for processes that come and go under their hands.

Of ten things that somebody does, four are commands and six are presses, as in an evening.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.wire.interactions import Answer
from tests.wire.messages import SELECT, Message
from tests.wire.wire import Wire
from tests.wire.world import OWNER, Channel, Person

ATTACK = {"dice": 4, "agility": 3, "with_": "focus, lock, calculate", "against": "focus, evade, reroll 1 green"}
OUT_OF_DATE = "out of date"
LOST = "nothing new was rolled"
GRACE = 3.0
"""Seconds after which nobody waits for an answer if a process died meanwhile."""


@dataclass(slots=True)
class Seen:
    """What everybody saw. ``cards`` are the sessions whose card somebody saw, ``presses`` those that counted.

    ``unanswered`` are the things that somebody did around the death of a process, and of which nothing came.
    """

    answers: list[Answer] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)
    presses: int = 0
    refusals: list[str] = field(default_factory=list)
    unanswered: Counter[str] = field(default_factory=Counter)

    @property
    def seconds(self) -> list[float]:
        return [answer.seconds for answer in self.answers]


def person(number: int) -> Person:
    """Somebody who is not on the wire's list; the bot asks nobody who they are."""
    return Person(OWNER.id + 1_000 + number, f"P{number}")


def channels(first: int, count: int) -> list[Channel]:
    """Channels of the server in which people usually play, from a number on."""
    return [Channel(1100000000000100000 + number, f"table-{number}") for number in range(first, first + count)]


async def at_once() -> None:
    """Nobody waits between two things that they do."""


class Player:
    """One person who attacks another one in one channel after another, and what both press, as a seed says."""

    def __init__(self, wire: Wire, number: int, seed: int, places: Sequence[Channel] = ()) -> None:
        self.wire, self.chance, self.seen = wire, Random(f"{seed} {number}"), Seen()
        self.person, self.other = person(2 * number), person(2 * number + 1)
        self.deaths: list[int] = []
        """The processes that died so far; everybody may share one list."""
        self.places = places or channels(number, 1)

    async def play(self, stop: asyncio.Event, turn: Callable[[], Awaitable[None]] = at_once) -> None:
        """Play until it is time to stop, and to the end of the attack that is open then.

        ``turn`` is waited for before each thing that somebody does.
        """
        while not stop.is_set():
            await self.attack(turn)

    async def attack(self, turn: Callable[[], Awaitable[None]] = at_once) -> None:
        here = self.chance.choice(self.places)
        await turn()
        answer = await self.type(here, "xwing attack", **ATTACK)
        if answer is not None and LOST not in answer.text:  # else it is a roll of before, whose card a process lost
            message = answer.shown
            while controls := message.choices:
                await turn()
                control = self.chance.choice(controls)
                values = [value for _, value in control.options]
                count = self.chance.randint(control.least, control.most) if control.type == SELECT else 0
                who = self.other if f"{self.person.name}'s turn" not in message.text else self.person
                await self.press(who, message, control.custom_id, self.chance.sample(values, count) or None)
                message = self.wire.now(message)
        await turn()
        line = self.chance.choice(("xwing roll", "help", "xwing odds"))
        options = {"xwing roll": {"red": 3}, "help": {}, "xwing odds": {"dice": 2, "agility": 1}}[line]
        await self.type(here, line, **options)

    async def type(self, here: Channel, line: str, **options: object) -> Answer | None:
        """Type a command; None if nobody saw an answer, or a refusal."""
        answer = await self.answered("command", self.wire.slash(self.person, here, line, **options))
        if answer is None or line == "help":
            return answer
        if answer.ephemeral or (line != "xwing odds" and not answer.shown.controls):  # it was deferred before everybody
            self.seen.refusals.append(answer.text)
            return None
        if line != "xwing odds":
            self.seen.cards.append(session_of(answer.shown))
        return answer

    async def press(self, who: Person, message: Message, custom_id: str, values: list[str] | None) -> None:
        answer = await self.answered("press", self.wire.click(who, message, custom_id, values=values))
        if answer is None:
            return
        if answer.ephemeral:
            self.seen.refusals.append(answer.text)
        else:
            self.seen.presses += 1

    async def answered(self, what: str, act: Coroutine[Any, Any, Answer]) -> Answer | None:
        """The answer to something; None if a process died meanwhile, and nothing came of it for a while."""
        acting, deaths = asyncio.ensure_future(act), self.deaths.copy()
        while not (await asyncio.wait({acting}, timeout=GRACE))[0]:
            if self.deaths != deaths:
                acting.cancel()
                await asyncio.wait({acting})
                self.seen.unanswered[what] += 1
                return None
        answer = await acting
        self.seen.answers.append(answer)
        return answer


def session_of(message: Message) -> int:
    """The session that a card shows, by its buttons."""
    return int(message.controls[0].custom_id.split(":")[1])


def together(players: list[Player]) -> Seen:
    """What all of them saw."""
    whole = Seen()
    for seen in (player.seen for player in players):
        whole.answers += seen.answers
        whole.cards += seen.cards
        whole.presses += seen.presses
        whole.refusals += seen.refusals
        whole.unanswered += seen.unanswered
    return whole
