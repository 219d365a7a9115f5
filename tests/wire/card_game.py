"""Two people who play X-Wing with squads as people fly them, by their cards, while the bot is killed under their hands.

The books of ``skirmish.py``, and in them the charges of cards and what weapons give in place of damage. They read costs
off the buttons and damage off the cards of attacks; they know the printed numbers, and no row of the bot's.
"""

import json
import re
from collections.abc import Callable, Collection
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from tests.wire.messages import SELECT, Control, Message
from tests.wire.skirmish import TURN, Booked, Books, Skirmish, ended, given, locked, sweep
from tests.wire.wire import Wire

REBELS: Final = {
    "faction": "rebelalliance",
    "name": "Red",
    "pilots": [
        {"id": "lukeskywalker", "upgrades": {"torpedo": ["protontorpedoes"]}},
        {"id": "wedgeantilles", "upgrades": {"talent": ["predator"]}},
        {"id": "goldsquadronveteran", "upgrades": {"turret": ["ioncannonturret"]}},
        {"id": "bluesquadronescort", "upgrades": {"cannon": ["tractorbeam"]}},
    ],
}
EMPIRE: Final = {
    "faction": "galacticempire",
    "name": "Black",
    "pilots": [
        {"id": "howlrunner", "upgrades": {"talent": ["elusive"]}},
        {"id": "obsidiansquadronpilot", "upgrades": {"talent": ["predator"]}},
        {"id": "academypilot"},
        {"id": "academypilot"},
    ],
}
DROIDS: Final = {
    "faction": "separatistalliance",
    "name": "Droids",
    "pilots": [{"id": "separatistdrone"}, *[{"id": "tradefederationdrone"}] * 3],
}
X_WING, TIE, VULTURE = {"hull": 4, "shields": 2}, {"hull": 3, "shields": 0}, {"hull": 3, "shields": 0}
PRINTED: Final[dict[str, dict[str, Any]]] = {
    "Luke Skywalker": {"initiative": 5, **X_WING, "force": 2, "charges": {"Proton Torpedoes": 2}},
    "Wedge Antilles": {"initiative": 6, **X_WING},
    "Gold Squadron Veteran": {"initiative": 3, "hull": 6, "shields": 2},
    "Blue Squadron Escort": {"initiative": 2, **X_WING},
    "Howlrunner": {"initiative": 5, **TIE, "charges": {"Elusive": 1}},
    "Obsidian Squadron Pilot": {"initiative": 2, **TIE},
    "Academy Pilot": {"initiative": 1, **TIE},
    "Academy Pilot #2": {"initiative": 1, **TIE},
    "Separatist Drone": {"initiative": 3, **VULTURE},
    "Trade Federation Drone": {"initiative": 1, **VULTURE},
    "Trade Federation Drone #2": {"initiative": 1, **VULTURE},
    "Trade Federation Drone #3": {"initiative": 1, **VULTURE},
}
"""What the cards say: of the pilots in the order of their squads, by the names that the table gives them."""
WEAPONS: Final = {
    "Luke Skywalker": "Proton Torpedoes",
    "Gold Squadron Veteran": "Ion Cannon Turret",
    "Blue Squadron Escort": "Tractor Beam",
}
TOKENS: Final = ("focus", "calculate", "evade", "stress", "ion", "tractor")
GIVEN: Final = ("focus", "calculate", "evade", "stress")
ROUNDS: Final = 2
COST: Final = re.compile(r"\bfor (\d) (charge|calculate|focus|evade|force)(?: of ([^;)\]]+))?")
OUTCOME: Final = re.compile(r"(?:hits|destroys) (.+?): (.+?)(?: \((.+?)\))?\.(?: |$)")


@dataclass(slots=True)
class CardBooked(Booked):
    """A ship in the books, with the charges of its cards by name."""

    charges: dict[str, int] = field(default_factory=dict)


class CardGame(Skirmish):
    """Ana's rebels against Ben's squad, until all that is ``wanted`` has come up or a side has won.

    It takes two rounds or more. ``pressed`` and ``given`` count cards that are pressed and tokens that weapons give.
    """

    kill_every = (4, 14)

    def __init__(
        self, wire: Wire, seed: int, foe: dict[str, Any], wanted: Collection[str], compare: Callable[[Books], None]
    ) -> None:
        super().__init__(wire, seed, compare)
        self.chance = Random(seed)
        self.foe, self.wanted, self.rounds = foe, wanted, 0
        self.pressed: dict[str, int] = {}
        self.given: dict[str, int] = {}

    async def _play(self) -> None:
        await self.bot.start()
        names = iter(PRINTED)
        for owner, squad, side in (("Ana", REBELS, "first"), ("Ben", self.foe, "second")):
            if squad is DROIDS:
                names = iter(name for name in PRINTED if "Drone" in name)
            ships = [next(names) for _ in squad["pilots"]]
            await self.typed(owner, "xwing squad", brought(owner, ships), text=json.dumps(squad), side=side)
        while not self.is_won and (self.rounds < ROUNDS or not self.is_seen):
            self.rounds += 1
            await self.plan()
            while self.phase() != "engagement":
                await self.step("Ana", "xwing phase", lambda _: None)
            await self.engage()
            await self.step("Ana", "xwing endphase", ended)

    @property
    def is_won(self) -> bool:
        """Whether one of the two has no ships left; nobody has any before the squads are there."""
        return bool(self.rounds) and len({ship.owner for ship in self.books.values()}) < 2

    @property
    def is_seen(self) -> bool:
        return all(self.pressed.get(item) or self.given.get(item) for item in self.wanted)

    async def typed(self, who: str, line: str, book: Callable[[Books], None], **options: Any) -> None:
        """Type a command until it has counted once; where a board is there, it shows the change."""
        before = self.plies()
        self.story.append(f"{who}: /{line} {options}")
        while self.plies() == before:
            answer = await self.risk(lambda: self.wire.slash(self.people[who], self.wire.channel, line, **options))
            assert answer is None or self.plies() > before, answer.text
        book(self.books)
        self.compare(self.books)

    def plies(self) -> int:
        return int(self.wire.rows("SELECT count(*) FROM ply")[0][0])

    def phase(self) -> str:
        """The phase as it is stored; the default is not."""
        bodies = [json.loads(body) for (body,) in self.wire.rows("SELECT body FROM piece")]
        return next((str(body.get("phase", "planning")) for body in bodies if body["kind"] == "match"), "")

    async def plan(self) -> None:
        for name in sorted(self.books):
            owner = self.books[name].owner
            for kind in self.chance.sample(GIVEN, self.chance.randint(0, 2)):
                await self.step(owner, "xwing token give", given(name, kind), ship=name, token=kind)
            foes = self.foes(name)
            target = self.chance.choice(foes) if foes else ""
            wants = name in WEAPONS or self.chance.random() < 0.3
            if target and wants and not self.books[name].tokens["ion"] and target != self.books[name].lock:
                await self.step(owner, "xwing lock", locked(name, target), ship=name, target=target)

    def foes(self, name: str) -> list[str]:
        return [book for book in sorted(self.books) if self.books[book].owner != self.books[name].owner]

    async def engage(self) -> None:
        """The highest initiative first, and within one the first player's ships."""
        for name in sorted(self.books, key=lambda book: (-self.books[book].initiative, self.books[book].owner, book)):
            swept = deepcopy(self.books)
            sweep(swept)
            foes = [item for item in sorted(swept) if name in swept and swept[item].owner != swept[name].owner]
            if foes:
                await self.attack(name, self.likely(name, foes))
            elif name in swept:
                await self.engage_without_attacking(name)

    def likely(self, name: str, foes: list[str]) -> str:
        """The ship that it has locked, or any."""
        lock = self.books[name].lock
        return lock if lock in foes and self.chance.random() < 0.8 else self.chance.choice(foes)

    async def attack(self, name: str, target: str) -> None:
        before, message = deepcopy(self.books), None
        while message is None:
            message = await self.opened(name, target, before)
        while turn := TURN.search(message.text):
            self.compare(self.books)
            message = await self.press(message, turn[1], name, target)
        self.result(message, name, target)
        self.compare(self.books)

    def aim(self, name: str, target: str) -> tuple[dict[str, Any], Callable[[Books], None]]:
        """With a weapon of a card; Luke Skywalker recovers 1 force when he defends."""
        options = {"attacker": name, "defender": target, **self.weapon(name, target)}

        def book(books: Books) -> None:
            foe = books[target]
            self.spend(name, options.get("weapon", ""))
            if target == "Luke Skywalker":
                foe.force = min(foe.most_force, foe.force + 1)

        return options, book

    def weapon(self, name: str, target: str) -> dict[str, Any]:
        """What it fires, from where: a torpedo needs its lock and a charge."""
        ship, weapon, near = self.books[name], WEAPONS.get(name, ""), self.chance.choice((1, 2))
        assert isinstance(ship, CardBooked)
        if weapon == "Proton Torpedoes" and (ship.lock != target or not ship.charges[weapon]):
            weapon = ""
        if not weapon or self.chance.random() < 0.2:
            return {"range": self.chance.choice((1, 2, 3))}
        return {"weapon": weapon, "range": 2 if weapon == "Proton Torpedoes" else near}

    def spend(self, name: str, card: str) -> None:
        ship = self.books[name]
        assert isinstance(ship, CardBooked)
        if card in ship.charges:
            ship.charges[card] -= 1

    async def press(self, message: Message, who: str, name: str, target: str) -> Message:
        """Take one of the offers; what it costs stands on it."""
        control = self.chance.choice(message.choices)
        picked = self.picked(control)
        said = said_on(message, control, picked)
        self.story.append(f"{who} presses {control.custom_id} {picked}: {said}")
        answer = await self.risk(lambda: self.click(self.people[who], message, control, picked))
        if answer is None:
            answer = await self.click(self.people[who], message, control, picked)
        assert not answer.ephemeral, answer.text
        self.book(name if self.books[name].owner == who else target, control.custom_id.split(":")[-1], said)
        return self.wire.now(message)

    def book(self, ship: str, offer: str, said: str) -> None:
        """What a press takes: a token by its button, a lock, or what a card says that it costs."""
        mine, word = self.books[ship], said.split(" (")[0].split(":")[0]
        self.pressed[word] = self.pressed.get(word, 0) + 1
        if offer == "lock":
            mine.lock = ""
        elif offer == "force":
            mine.force -= 1
        elif offer in TOKENS:
            mine.tokens[offer] -= 1
        for count, what, of in COST.findall(said):
            if what == "charge":
                self.spend(ship, word)
            elif what == "force":
                self.books[of or ship].force -= int(count)
            else:
                self.books[of.strip() or ship].tokens[what] -= int(count)

    def result(self, message: Message, name: str, target: str) -> None:
        """What the card says that came of it: damage, the titles of faceup cards, tokens."""
        title = str(message.embeds[0]["title"])
        match = OUTCOME.search(title)
        assert match or "misses" in title, title
        if match is None:
            return
        counts = {what: int(count) for count, what in re.findall(r"(\d+) (hit|crit|ion|tractor)", match[2])}
        titles = tuple(match[3].split(", ")) if match[3] else ()
        self.books[target].suffer(counts.get("hit", 0), counts.get("crit", 0), self.books[name].initiative, titles)
        for token in ("ion", "tractor"):
            self.books[target].tokens[token] += counts.get(token, 0)
            self.given[token] = self.given.get(token, 0) + counts.get(token, 0)
        if self.books[target].tokens["ion"]:  # all these ships are small
            self.books[target].lock = ""


def said_on(message: Message, control: Control, picked: tuple[str, ...]) -> str:
    """What a button or a line of a list says, with what stands below that line."""
    if control.type != SELECT or not picked:
        return control.label
    components = [item for row in message.components for item in row["components"]]
    options = next(component["options"] for component in components if component["custom_id"] == control.custom_id)
    option = next(option for option in options if option["value"] == picked[0])
    label = option["label"] if control.custom_id.split(":")[-1] == "cards" else control.label
    below = option.get("description", "")
    return f"{label} ({below})"


def brought(owner: str, ships: list[str]) -> Callable[[Books], None]:
    def book(books: Books) -> None:
        for name in ships:
            card: dict[str, Any] = {"force": 0, "charges": {}, **PRINTED[name]}
            charges, force = dict(card.pop("charges")), card.pop("force")
            books[name] = CardBooked(owner, **card, force=force, most_force=force, charges=charges)

    return book
