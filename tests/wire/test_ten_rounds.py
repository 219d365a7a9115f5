"""Ten rounds of real squads with dials, cards, and two kills, equal to a book from the rules page.

``BOOK`` was written from the page and the cards' texts before the program was read. Each round has what people set,
press, and roll on camera, and what everyone must see afterwards: tokens and damage as the dials are open, as engaging
begins, and as the next round begins. The players use buttons and forms alone.
"""

import json
import re
from typing import Any, Final, NamedTuple

from bot.rules.xwing.table import pieces as xwing_pieces
from bot.rules.xwing.table.match import MATCH, Match, ships_of
from bot.rules.xwing.table.ship import Ship
from bot.sessions import codec
from bot.ui.core.board_controls import name_mark
from tests.wire.forms import Form
from tests.wire.interactions import Answer
from tests.wire.messages import Message
from tests.wire.process import until
from tests.wire.wire import SEEDED, Wire
from tests.wire.world import Person

KAD, PALOB, FEL, ACADEMY = "Kad Solus", "Palob Godalhi", "Soontir Fel", "Academy Pilot"
SQUADS: Final[dict[str, tuple[str, dict[str, dict[str, list[str]]]]]] = {
    "Ben": ("scumandvillainy", {"kadsolus": {}, "palobgodalhi": {"title": ["moldycrow"]}}),
    "Cleo": ("galacticempire", {"soontirfel": {}, "academypilot": {}}),
}
SHIPS: Final = {"Ben": (KAD, PALOB), "Cleo": (FEL, ACADEMY)}
ACTIVATES: Final = (ACADEMY, PALOB, KAD, FEL)
"""Ascending initiative: 1, 3, 4, 6; descending to engage."""


class Shot(NamedTuple):
    """An attack with dice on camera: red and green faces, who spends a focus token, and what comes of it."""

    target: str
    range: str
    red: str
    green: str
    spends: tuple[str, ...] = ()
    weapon: str = ""


class Round(NamedTuple):
    """Dials (``2FB focus``: and that action), tokens with them open, cards used as engaging begins, attacks, the end.

    ``uses``: (card, what is picked in its form); damage as (shields left, damage cards).
    """

    dials: dict[str, str]
    revealed: dict[str, str]
    uses: tuple[tuple[str, tuple[str, ...]], ...]
    engaging: dict[str, str]
    shots: dict[str, Shot]
    ended: dict[str, str]
    damage: dict[str, tuple[int, int]]


BOOK: Final = (
    Round(  # a red maneuver, not stressed: 1 stress, then Kad's 2 focus. Palob takes the pilot's focus and keeps it
        {ACADEMY: "2FB focus", PALOB: "2FB", KAD: "2RR", FEL: "2FB"},
        {ACADEMY: "focus", KAD: "stress focus focus"},
        ((PALOB, (ACADEMY, "focus")), (FEL, ())),
        {PALOB: "focus", KAD: "stress focus focus", FEL: "focus"},
        {KAD: Shot(ACADEMY, "2", "hit hit blank", "blank blank blank")},
        {PALOB: "focus", KAD: "stress"},
        {ACADEMY: (0, 2), PALOB: (2, 0), KAD: (0, 0), FEL: (0, 0)},
    ),
    Round(  # Kad's red dial while stressed: the white stress maneuver, so no focus, and the stress stays
        {ACADEMY: "1TW", PALOB: "2BW focus", KAD: "4KR", FEL: "4KR"},
        {PALOB: "focus focus", KAD: "stress", FEL: "stress"},
        (),
        {PALOB: "focus focus", KAD: "stress", FEL: "stress"},
        {KAD: Shot(ACADEMY, "2", "hit focus blank", "evade blank blank")},
        {PALOB: "focus focus", KAD: "stress", FEL: "stress"},
        {ACADEMY: (0, 2), PALOB: (2, 0), KAD: (0, 0), FEL: (0, 0)},
    ),
    Round(  # blue takes the stress; the evade goes to Palob, who keeps focus only; the third card destroys
        {ACADEMY: "2FB evade", PALOB: "3TR", KAD: "2FB", FEL: "2FB"},
        {ACADEMY: "evade", PALOB: "focus focus stress"},
        ((PALOB, (ACADEMY, "evade")), (FEL, ())),
        {PALOB: "focus focus stress evade", FEL: "focus"},
        {KAD: Shot(ACADEMY, "2", "hit blank blank", "blank blank blank")},
        {PALOB: "focus focus stress"},
        {PALOB: (2, 0), KAD: (0, 0), FEL: (0, 0)},
    ),
    Round(  # Palob spends a focus in his defense: 3 hits, 1 evade, both shields lost
        {PALOB: "2FB", KAD: "4KR", FEL: "2TB focus"},
        {PALOB: "focus focus", KAD: "stress focus focus", FEL: "focus"},
        ((PALOB, (FEL, "focus")),),
        {PALOB: "focus focus focus", KAD: "stress focus focus"},
        {FEL: Shot(PALOB, "2", "hit hit hit", "blank focus", (PALOB,))},
        {PALOB: "focus focus", KAD: "stress"},
        {PALOB: (0, 0), KAD: (0, 0), FEL: (0, 0)},
    ),
    Round(  # no shields left: two facedown cards. Range 3 is a green die more
        {PALOB: "2FB", KAD: "2FB", FEL: "3LR"},
        {PALOB: "focus focus", FEL: "stress"},
        (),
        {PALOB: "focus focus", FEL: "stress"},
        {
            FEL: Shot(PALOB, "2", "hit hit blank", "blank blank"),
            PALOB: Shot(FEL, "3", "hit focus blank", "evade blank blank blank", (PALOB,), "Front Arc"),
        },
        {PALOB: "focus", FEL: "stress"},
        {PALOB: (0, 2), KAD: (0, 0), FEL: (0, 1)},
    ),
    Round(  # range 1 is a red die more; one focus token turns both focus results
        {PALOB: "1FB evade", KAD: "2ER", FEL: "2FB"},
        {PALOB: "focus evade", KAD: "stress focus focus"},
        (),
        {PALOB: "focus evade", KAD: "stress focus focus"},
        {KAD: Shot(FEL, "1", "focus focus hit blank", "evade evade evade", (KAD,))},
        {PALOB: "focus", KAD: "stress"},
        {PALOB: (0, 2), KAD: (0, 0), FEL: (0, 1)},
    ),
    Round(  # both spend a focus: two hits, two evades
        {PALOB: "2BW", KAD: "3FB", FEL: "4FB focus"},
        {PALOB: "focus", FEL: "focus"},
        (),
        {PALOB: "focus", FEL: "focus"},
        {FEL: Shot(PALOB, "3", "hit focus blank", "evade focus blank", (FEL, PALOB))},
        {},
        {PALOB: (0, 2), KAD: (0, 0), FEL: (0, 1)},
    ),
    Round(
        {PALOB: "2FB", KAD: "4KR", FEL: "1TW"},
        {KAD: "stress focus focus"},
        (),
        {KAD: "stress focus focus"},
        {KAD: Shot(FEL, "2", "hit hit blank", "evade blank blank")},
        {KAD: "stress"},
        {PALOB: (0, 2), KAD: (0, 0), FEL: (0, 2)},
    ),
    Round(  # a stationary red maneuver gives a stress as well
        {PALOB: "0OR", KAD: "2RR", FEL: "3TW"},
        {PALOB: "stress", KAD: "stress"},
        (),
        {PALOB: "stress", KAD: "stress"},
        {FEL: Shot(KAD, "2", "hit hit blank", "blank blank evade")},
        {PALOB: "stress", KAD: "stress"},
        {PALOB: (0, 2), KAD: (0, 1), FEL: (0, 2)},
    ),
    Round(  # Fel has engaged; the cards beyond his hull destroy him, and the match is over
        {PALOB: "2FB", KAD: "2FB", FEL: "2FB"},
        {},
        (),
        {},
        {KAD: Shot(FEL, "2", "hit hit hit", "blank blank evade")},
        {},
        {PALOB: (0, 2), KAD: (0, 1)},
    ),
)
KILLS: Final = {3: ACADEMY, 10: FEL}
MAX_STEPS: Final = 40
"""Presses of one round after its dials."""


class Game:
    """Two people at a board who do what the book says, by the newest message alone."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.people = dict(zip(SHIPS, wire.people[1:3], strict=True))
        self.presses = self.forms = 0

    # What everyone sees

    @property
    def table(self) -> dict[str, Any]:
        rows = self.wire.rows("SELECT name, body FROM piece ORDER BY key")
        return {name: codec.read_body(xwing_pieces.Body, body) for name, body in rows}

    @property
    def match(self) -> Match:
        found: Match = self.table[MATCH]
        return found

    @property
    def ships(self) -> dict[str, Ship]:
        return ships_of(self.table)

    def tokens(self) -> dict[str, list[str]]:
        every = {name: held(ship) for name, ship in self.ships.items()}
        return {name: tokens for name, tokens in every.items() if tokens}

    @property
    def pressable(self) -> list[Message]:
        """The messages that everybody sees and somebody can press, but for the one that asks about dials."""
        every = (message for message in self.wire.interactions.messages.values() if not message.ephemeral)
        return [item for item in every if any("rc1:dials:" not in control.custom_id for control in item.controls)]

    @property
    def newest(self) -> Message:
        return max(self.pressable, key=lambda item: item.id)

    async def label(self, *ends: str) -> str:
        """The button of the newest message that ends so, once it is there: boards follow a moment later."""

        def there() -> list[str]:
            buttons = self.newest.buttons if self.pressable else ()
            return [button for end in ends for button in buttons if button.endswith(end) and "…" not in button]

        try:
            await until(lambda: bool(there()))
        except TimeoutError as error:
            there_are = {*self.ships}, self.match.lost, self.newest.text, self.newest.buttons
            error.add_note(f"no button ends {ends}: {there_are}")
            raise
        return there()[0]

    def check(self, number: int, when: str, tokens: dict[str, str]) -> None:
        wanted = {name: sorted(words.split()) for name, words in tokens.items()}
        assert self.tokens() == wanted, f"round {number}, {when}"
        if "rc1:on:" in self.newest.controls[0].custom_id:  # a board, and no card of an attack
            words = "\n".join([self.newest.text, *(file.description or "" for file in self.newest.attachments)])
            assert all(name in words for name in tokens), f"round {number}, {when}: {words}"

    # What people do

    def owner(self, ship: str) -> Person:
        return next(person for name, person in self.people.items() if ship in SHIPS[name])

    async def press(self, who: Person, label: str) -> Answer:
        self.presses += 1
        answer = await self.wire.press(who, self.newest, label)
        assert not answer.ephemeral or answer.form, answer.text
        return answer

    async def fill(self, who: Person, form: Form, **wanted: str | list[str]) -> Answer:
        self.forms += 1
        answer = await self.wire.submit(who, form, dict(wanted))
        assert not answer.ephemeral, answer.text
        return answer

    async def plan(self, dials: dict[str, str]) -> None:
        for name, person in self.people.items():
            opened = await self.press(person, await self.label("Plan"))
            codes = {name_mark(ship): [dials[ship].split()[0]] for ship in SHIPS[name] if ship in dials}
            await self.wire.submit(person, opened.modal, {**codes, "ready": "now"})
        await self.wire.slash(person, self.wire.channel, "table show")

    async def reveal(self, dials: dict[str, str]) -> None:
        """In ascending initiative, whoever is first player: no two ships have the same."""
        for ship in (item for item in ACTIVATES if item in dials):
            plain = await self.label(f"Reveal {ship}")
            assert not any(f"Reveal {other}" in self.newest.buttons for other in dials if other != ship), "in order"
            _, _, action = dials[ship].partition(" ")
            ends = f" · {action.capitalize()}"
            await self.press(self.owner(ship), await self.label(ends) if action else plain)

    async def start(self, uses: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
        """Cards as the Engagement Phase begins: the first player's, then the second player's; Done passes."""
        left = dict(uses)
        while "Done" in self.newest.buttons:
            lines = [label for label in self.newest.buttons if label.split(":")[0] in (PALOB, FEL) and ":" in label]
            who = self.owner(lines[0].split(":")[0])
            label = next((label for label in lines if label.split(":")[0] in left), "Done")
            answer = await self.press(who, label)
            if answer.form is not None:
                there = {entry.custom_id for entry in answer.form.entries}  # one enemy isn't asked for
                picks = dict(zip(("ship", "which"), left[label.split(":")[0]], strict=True))
                await self.fill(who, answer.form, **{key: [pick] for key, pick in picks.items() if key in there})
            left.pop(label.split(":")[0], None)
        assert not left, f"not offered: {left}"

    async def engage(self, shots: dict[str, Shot]) -> None:
        """In descending initiative: an attack of the book, or none."""
        for ship in reversed(ACTIVATES):
            if ship not in self.ships:
                continue
            if "End the round" in self.newest.buttons:  # one side is left
                return
            shot = shots.get(ship)
            if shot is None:
                await self.press(self.owner(ship), await self.label(f"Skip {ship}", "Engage without attacking"))
                continue
            answer = await self.press(self.owner(ship), await self.label(f"Next: {ship} attacks", "Attack"))
            await self.attack(self.owner(ship), answer.modal, shot)

    async def attack(self, who: Person, form: Form, shot: Shot) -> None:
        offered = {entry.custom_id: [value for _, value in entry.options] for entry in form.entries}
        values: dict[str, str | list[str]] = {"defender": [shot.target], "range": [shot.range]}
        values["circumstances"] = ["camera-attacker", "camera-defender"]
        values |= {
            entry.custom_id: [entry.value] for entry in form.entries if entry.custom_id == "weapon" and entry.value
        }
        if shot.weapon:
            values["weapon"] = [next(item for item in offered["weapon"] if shot.weapon in item)]
        message = (await self.fill(who, form, **{key: item for key, item in values.items() if key in offered})).shown
        spends, rolls = list(shot.spends), [(who, shot.red), (self.owner(shot.target), shot.green)]
        for _ in range(MAX_STEPS):
            message = self.wire.now(message)
            buttons = [control.label for control in message.choices]
            if typed := next((c for c in message.controls if c.custom_id.endswith(":type")), None):
                person, faces = rolls.pop(0)
                answer = await self.wire.click(person, message, typed.custom_id)
                await self.wire.submit(person, answer.modal, dice(answer.modal, faces))
            elif spends:
                await self.wire.press(
                    self.owner(spends.pop(0)), message, next(b for b in buttons if b.startswith("Focus"))
                )
            else:
                break
        over = re.compile(f"(hits|misses|destroys) {shot.target}")
        await until(lambda: over.search(self.wire.now(message).text) is not None)
        assert not self.wire.now(message).choices, f"nobody is asked for more: {message.buttons}"


def dice(form: Form, faces: str) -> dict[str, str | list[str]]:
    """Fill a form of dice, one line for all or a field for each."""
    entries = form.entries
    if len(entries) == 1 and not entries[0].options:
        return {entries[0].custom_id: faces}
    return {entry.custom_id: [face] for entry, face in zip(entries, faces.split(), strict=True)}


def held(ship: Ship) -> list[str]:
    return sorted(kind for kind, count in ship.tokens.items() for _ in range(count))


async def test_ten_rounds_of_real_squads_are_as_the_book_says(wire: Wire) -> None:
    game = Game(wire)
    await wire.start_bot(SEEDED, {"SEED": "5"})
    for name, (faction, pilots) in SQUADS.items():
        squad = {"faction": faction, "pilots": [{"id": pilot, "upgrades": held} for pilot, held in pilots.items()]}
        await wire.slash(game.people[name], wire.channel, "xwing squad", text=json.dumps(squad))
    for number, page in enumerate(BOOK, 1):
        assert game.match.round == number
        await game.plan(page.dials)
        if "Roll for the first player" in game.newest.buttons:
            await game.press(game.people["Ben"], "Roll for the first player")
        await game.reveal(page.dials)
        game.check(number, "dials open", page.revealed)
        if "Begin the Engagement Phase" in game.newest.buttons:
            await game.press(game.people["Ben"], "Begin the Engagement Phase")
        await game.start(page.uses)
        game.check(number, "before engaging", page.engaging)
        await game.engage(page.shots)
        if "End the round" in game.newest.buttons:
            await game.press(game.people["Cleo"], "End the round")
        game.check(number, "the end", page.ended)
        assert {name: (ship.shields_left, ship.cards) for name, ship in game.ships.items()} == page.damage
        assert game.match.lost == tuple(ship for at, ship in KILLS.items() if at <= number)
    assert game.match.ended_in == len(BOOK)
    print(f"{game.presses} presses, {game.forms} forms")  # noqa: T201 - the report
