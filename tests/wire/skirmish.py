"""Two people who play X-Wing with four ships over the wire while the bot is killed under their hands.

They keep books of their own: what they were shown to have happened, and what that means for every token. The books know
the rulebook's sentences and the cards; they do not use the bot's rules.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from tests.wire.interactions import Answer
from tests.wire.kills import MortalBot
from tests.wire.messages import SELECT, Control, Message
from tests.wire.wire import Wire
from tests.wire.world import Person

FLEETS = {
    "Ana": {
        "Luke": {"attack": 3, "agility": 2, "hull": 4, "shields": 2, "force": 2, "initiative": 5},
        "Wedge": {"attack": 3, "agility": 1, "hull": 3, "shields": 1, "force": 0, "initiative": 3},
    },
    "Ben": {
        "Vader": {"attack": 3, "agility": 3, "hull": 3, "shields": 2, "force": 3, "initiative": 5},
        "Mauler": {"attack": 2, "agility": 2, "hull": 3, "shields": 0, "force": 0, "initiative": 2},
    },
}
ROUNDS = 2
TOKENS = ("focus", "calculate", "evade", "reinforce", "strain", "deplete", "stress")
LEAVE = ("focus", "calculate", "evade", "reinforce", "tractor")
"""The circular ones of these."""
KILL_EVERY = (3, 9)
"""Among how many things that somebody does one kills the bot. The shortest game has 28, so it sees three kills."""
UNDO = 0.06
TURN = re.compile(r"(\w+)(?:'s turn|: is the attacker in the full arc)")
THROUGH = re.compile(r"(?:hits|destroys) \w+: (?:(\d+) hits?)?(?:, | and )?(?:(\d+) crits?)?(?: \(([^)]+)\))?")
BEFORE = re.compile(
    r"(?:Console Fire \(\w+\)|Disabled Power Regulator): [^:]+? gets (1 hit|1 ion token|nothing)(?: \(([^)]+)\))?"
)
"""What faceup damage cards do to a ship before it engages."""


@dataclass(slots=True)
class Booked:
    """A ship in the books."""

    owner: str
    initiative: int
    hull: int
    shields: int
    force: int
    most_force: int
    tokens: Counter[str] = field(default_factory=Counter)
    facedown: int = 0
    faceup: list[str] = field(default_factory=list)
    lock: str = ""
    engaged: bool = False
    attacks: int = 0
    leaves: int | None = None

    def suffer(self, hits: int, crits: int, by: int, titles: tuple[str, ...] = ()) -> None:
        """Shields first, hits before crits; as many cards as hull destroy.

        ``titles`` are the faceup cards that came, in their order: what each does is as the card says.
        """
        waiting, faceup = ["hit"] * hits + ["crit"] * crits, list(titles)
        while waiting:
            result = waiting.pop(0)
            if self.shields:
                self.shields -= 1
            elif result == "hit" and "Hull Breach" not in self.faceup:
                self.facedown += 1
            else:
                leaks, title = self.faceup.count("Fuel Leak"), faceup.pop(0)
                self.faceup.append(title)
                if title in ("Direct Hit!", "Panicked Pilot"):
                    self.turn_down(title)
                self.tokens["stress"] += 2 * (title == "Panicked Pilot")
                for _ in range(leaks):
                    self.turn_down("Fuel Leak")
                waiting = ["hit"] * (leaks + (title == "Direct Hit!")) + waiting
        assert not faceup, f"these cards did not come: {faceup}"
        if self.facedown + len(self.faceup) >= self.hull and self.leaves is None:
            self.leaves = by

    def turn_down(self, title: str) -> None:
        self.faceup.remove(title)
        self.facedown += 1

    def before_engaging(self, text: str) -> None:
        """What its faceup cards did, as the card of its engaging says."""
        for gained, titles in BEFORE.findall(text):
            if gained == "1 hit":
                self.suffer(1, 0, self.initiative, tuple(re.split(", | and ", titles)) if titles else ())
            elif gained == "1 ion token":
                self.tokens["ion"] += 1
                self.lock = ""


Books = dict[str, Booked]
Act = tuple[str, str, tuple[str, ...]]
"""Who did it, what was taken, and what was picked."""


class Skirmish:
    """One game; ``play`` plays it to its end. ``books`` and ``journal`` are what must be so then.

    ``compare`` is given the books after every step and every attack.
    """

    kill_every = KILL_EVERY

    def __init__(self, wire: Wire, seed: int, compare: Callable[[Books], None]) -> None:
        self.wire, self.chance, self.compare = wire, Random(seed), compare
        self.people = {person.name: person for person in wire.people[:2]}
        self.books: Books = {}
        self.journal: list[Act] = []
        self.story: list[str] = []
        """What was done and what was seen, told where a game goes wrong: its dice fall only once."""
        self.bot = MortalBot(wire, self.chance, self.kill_every)

    async def play(self) -> None:
        try:
            await self._play()
        except AssertionError as error:
            error.add_note("\n".join(self.story))
            raise

    async def _play(self) -> None:
        await self.bot.start()
        for owner, ships in FLEETS.items():
            for name, card in ships.items():
                await self.step(owner, "xwing ship add", self.launched(owner, name, card), name=name, **card)
        for _ in range(ROUNDS):
            await self.plan()
            for _ in ("system", "activation", "engagement"):
                await self.step("Ana", "xwing phase", lambda _: None)
            await self.engage()
            await self.step("Ana", "xwing endphase", ended)

    def launched(self, owner: str, name: str, card: dict[str, int]) -> Callable[[Books], None]:
        def add(books: Books) -> None:
            books[name] = Booked(owner, card["initiative"], card["hull"], card["shields"], card["force"], card["force"])

        return add

    async def plan(self) -> None:
        """Every ship gets tokens, some a lock."""
        for name in sorted(self.books):
            owner = self.books[name].owner
            for kind in self.chance.sample(TOKENS, 2):
                await self.step(owner, "xwing token give", given(name, kind), ship=name, token=kind)
            foes = [book for book in sorted(self.books) if self.books[book].owner != owner]
            if not foes or self.books[name].tokens["ion"]:
                continue
            if self.chance.random() < 0.6 and (target := self.chance.choice(foes)) != self.books[name].lock:
                await self.step(owner, "xwing lock", locked(name, target), ship=name, target=target)

    async def engage(self) -> None:
        """Each ship in its step, the highest initiative first; it attacks somebody of the other side, if it can."""
        for name in sorted(self.books, key=lambda name: (-self.books[name].initiative, name)):
            swept = deepcopy(self.books)
            sweep(swept)
            if name not in swept:
                continue
            foes = [item for item in sorted(swept) if swept[item].owner != swept[name].owner]
            if foes and self.chance.random() < 0.9:
                await self.attack(name, self.chance.choice(foes))
            else:
                await self.engage_without_attacking(name)

    async def engage_without_attacking(self, name: str) -> None:
        """It engages; a step that nobody saw is taken back where a faceup card may have done something in it."""
        ship, before = self.books[name], deepcopy(self.books)
        if not {"Console Fire", "Disabled Power Regulator"} & set(ship.faceup):
            await self.step(ship.owner, "xwing engage", done_engaging(name), ship=name)
            return
        answer = None
        while answer is None:
            person, shown = self.people[ship.owner], await self.table()
            engage = partial(self.wire.slash, person, self.wire.channel, "xwing engage", ship=name)
            answer = await self.risk(engage)
            if answer is None and await self.table() == shown:
                continue
            self.journal.append((ship.owner, "step", ()))
            if answer is None:
                await self.undo(ship.owner, "undo", deepcopy(before))
        assert not answer.ephemeral, answer.text
        engaged(name)(self.books)
        self.books[name].before_engaging(answer.text)
        sweep(self.books)
        self.compare(self.books)

    # Steps

    async def step(self, who: str, line: str, book: Callable[[Books], None], **options: Any) -> None:
        """Type a command on the table until it has counted once; now and then take it back and type it again."""
        before = deepcopy(self.books)
        await self.typed(who, line, book, **options)
        if self.chance.random() < UNDO:
            await self.undo(who, "undo", before)
            await self.typed(who, line, book, **options)

    async def typed(self, who: str, line: str, book: Callable[[Books], None], **options: Any) -> None:
        person, shown = self.people[who], await self.table()
        self.story.append(f"{who}: /{line} {options}")
        answer = await self.risk(lambda: self.wire.slash(person, self.wire.channel, line, **options))
        if answer is None and await self.table() == shown:  # it did not count, so it is typed again
            answer = await self.wire.slash(person, self.wire.channel, line, **options)
        assert answer is None or not answer.ephemeral, answer.text
        book(self.books)
        self.journal.append((who, "step", ()))
        self.compare(self.books)

    async def undo(self, who: str, kind: str, before: Books) -> None:
        answer = await self.wire.slash(self.people[who], self.wire.channel, "table undo")
        self.story.append(f"{who} takes back: {answer.text}")
        assert not answer.ephemeral, answer.text
        if "asks to take back" in answer.text:
            (other,) = (person for name, person in self.people.items() if name != who)
            allow = next(control for control in answer.shown.controls if control.custom_id.endswith("undo-allow"))
            answer = await self.wire.click(other, answer.shown, allow.custom_id)
            assert not answer.ephemeral, answer.text
            self.journal += [(who, "ask", ()), (other.name, "allow", ())]
        self.books = before
        self.journal.append((who, kind, ()))

    async def table(self) -> str:
        """What everybody can see of the ships."""
        shown = [
            (await self.wire.slash(self.people["Ana"], self.wire.channel, line)).text
            for line in ("xwing ship list", "xwing engage")
        ]
        return "\n".join(shown)

    # Attacks

    async def attack(self, name: str, target: str) -> None:
        """One attack from its opening to its last window."""
        before, message = deepcopy(self.books), None
        while message is None:
            message = await self.opened(name, target, before)
        while turn := TURN.search(message.text):
            message = await self.press(message, turn[1], name, target)
        match = THROUGH.search(message.text)
        hits, crits = (int(count or 0) for count in match.groups()[:2]) if match else (0, 0)
        titles = tuple((match[3] or "").split(", ")) if match and match[3] else ()
        assert match or "misses" in message.text, message.text
        if self.books[target].tokens["strain"]:
            self.books[target].tokens["strain"] -= 1
        self.books[target].suffer(hits, crits, self.books[name].initiative, titles)
        self.compare(self.books)

    async def opened(self, name: str, target: str, before: Books) -> Message | None:
        """The card of an attack; one whose card nobody ever saw is taken back, and None comes back."""
        who, shown = self.books[name].owner, await self.table()
        options, book = self.aim(name, target)
        self.story.append(f"{who}: /xwing attack {options}")
        answer = await self.risk(
            lambda: self.wire.slash(self.people[who], self.wire.channel, "xwing attack", **options)
        )
        if answer is None and await self.table() == shown:
            return None
        self.journal.append((who, "open", ()))
        if answer is None:
            await self.undo(who, "close", deepcopy(before))
            return None
        assert not answer.ephemeral, answer.text
        engaged(name)(self.books)
        self.books[name].before_engaging(answer.text)
        self.books[name].attacks += 1
        book(self.books)
        return answer.shown

    def aim(self, name: str, target: str) -> tuple[dict[str, Any], Callable[[Books], None]]:
        """The options with which an attack is typed, and what else it means in the books that it was declared."""

        def book(books: Books) -> None:
            books[name].tokens["deplete"] -= bool(books[name].tokens["deplete"])

        foe = self.people[self.books[target].owner]
        return {"attacker": name, "defender": target, "opponent": foe}, book

    async def press(self, message: Message, who: str, name: str, target: str) -> Message:
        """Take one of the offers on a card; if the bot died over it, press the same again: it counts once."""
        control = self.chance.choice(message.choices)
        picked = self.picked(control)
        self.story.append(f"{who} presses {control.custom_id} {picked}")
        answer = await self.risk(lambda: self.click(self.people[who], message, control, picked))
        if answer is None:
            answer = await self.click(self.people[who], message, control, picked)
        assert not answer.ephemeral, answer.text
        offer = control.custom_id.split(":")[-1]
        self.journal.append((who, offer, picked))
        ship = self.books[name if self.books[name].owner == who else target]
        if offer == "lock":
            ship.lock = ""
        elif offer == "force":
            ship.force -= 1
        elif offer != "done" and not offer.startswith("arc-"):
            ship.tokens[offer] -= 1
        return self.wire.now(message)

    def picked(self, control: Control) -> tuple[str, ...]:
        if control.type != SELECT:
            return ()
        values = [value for _, value in control.options]
        return tuple(self.chance.sample(values, self.chance.randint(control.least, control.most)))

    async def click(self, person: Person, message: Message, control: Control, picked: tuple[str, ...]) -> Answer:
        return await self.wire.click(person, message, control.custom_id, values=picked or None)

    async def risk(self, act: Callable[[], Awaitable[Answer]]) -> Answer | None:
        """Do something that the bot may not survive. None if no answer was seen."""
        answer = await self.bot.risk(act)
        self.story.append("The bot was killed and nothing was seen." if answer is None else answer.text)
        return answer


# What each step means in the books


def given(name: str, kind: str) -> Callable[[Books], None]:
    def book(books: Books) -> None:
        books[name].tokens[kind] += 1

    return book


def locked(name: str, target: str) -> Callable[[Books], None]:
    def book(books: Books) -> None:
        books[name].lock = target

    return book


def engaged(name: str) -> Callable[[Books], None]:
    def book(books: Books) -> None:
        sweep(books)
        books[name].engaged = True

    return book


def done_engaging(name: str) -> Callable[[Books], None]:
    """It engages without attacking; if it is the last of its initiative, those whose time is over leave at once."""

    def book(books: Books) -> None:
        engaged(name)(books)
        sweep(books)

    return book


def sweep(books: Books) -> None:
    """A destroyed ship leaves when all ships of the attacker's initiative have engaged."""
    while gone := [item for item, ship in books.items() if ship.leaves is not None and has_engaged(books, ship.leaves)]:
        remove(books, gone)


def has_engaged(books: Books, initiative: int) -> bool:
    return all(ship.engaged for ship in books.values() if ship.initiative == initiative)


def remove(books: Books, names: list[str]) -> None:
    for name in names:
        del books[name]
    for ship in books.values():
        if ship.lock in names:
            ship.lock = ""


def ended(books: Books) -> None:
    """Destroyed ships leave, circular tokens go, and force comes back."""
    remove(books, [name for name, ship in books.items() if ship.leaves is not None])
    for ship in books.values():
        for kind in LEAVE:
            del ship.tokens[kind]
        ship.force = min(ship.most_force, ship.force + 1)
        ship.engaged, ship.attacks = False, 0
