"""Three rounds of Infinity over the wire with a bot that is killed under people's hands, against a book.

The book counts orders, command tokens, states and Wounds by itself, from the rules page and the faces that fell; after
every act the table is what the book says, and a press that nobody saw counting is pressed again and counts once.
``python -m pytest -s tests/wire/test_infinity_game.py`` prints what the game was.
"""

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import pytest

from tests import books
from tests.wire.interactions import Answer
from tests.wire.kills import MortalBot
from tests.wire.messages import Message
from tests.wire.wire import Wire
from tests.wire.world import Person

ROUNDS: Final = 3
ORDERS: Final = 3
"""Orders of a Player Turn at most."""
KILL_EVERY: Final = (3, 9)
STATS: Final = "BS 12, PH 11, WIP 13, ARM 1, BTS 0, Combi: B3 PS 7 N ARM suppressive +3@16 -3@32 -6@48"
SHOOTS, DODGES, SAVES, BRAVE = 15, 11, 8, 13
"""BS 12 and +3 up to 16 inches; PH; PS 7 and ARM 1; WIP."""
LISTS: Final = {
    "Ana": {"Ada": "W 1", "Bea": "W 2", "Cas": "W 1, Irregular", "Dot": "W 1, Tactical Awareness"},
    "Ben": {"Hector": "W 2", "Ivo": "W 1", "Jon": "W 1, Irregular", "Kai": "W 1"},
}
TOKENS: Final = 4
Faces = list[int]


@dataclass(slots=True)
class Figure:
    owner: str
    wounds: int
    kind: str
    lost: int = 0
    states: set[str] = field(default_factory=set)

    @property
    def stands(self) -> bool:
        return not self.states & {"Unconscious", "Dead"}

    def suffer(self, wounds: int) -> None:
        """As many Wounds as it has make it Unconscious, one more kills it."""
        self.lost += wounds
        if self.lost >= self.wounds:
            self.states -= {"Unconscious", "Suppressive Fire"}
            self.states.add("Unconscious" if self.lost == self.wounds else "Dead")


class Book:
    """What somebody with tokens and a pencil has on the table."""

    def __init__(self) -> None:
        self.figures = {
            name: Figure(owner, int(line[2]), line.partition(", ")[2])
            for owner, names in LISTS.items()
            for name, line in names.items()
        }
        self.tokens = dict.fromkeys(LISTS, TOKENS)
        self.round, self.active = 1, ""
        self.pool, self.of = 0, 0
        self.own: Counter[str] = Counter()

    def standing(self, owner: str) -> list[str]:
        return [name for name, item in self.figures.items() if item.owner == owner and item.stands]

    def start(self, owner: str) -> None:
        there = self.standing(owner)
        loners = [name for name in there if self.figures[name].kind == "Irregular"]
        tactical = [name for name in there if self.figures[name].kind.startswith("Tactical")]
        self.active, self.own = owner, Counter([*loners, *tactical])
        self.pool = self.of = len(there) - len(loners)

    def can(self, name: str) -> bool:
        return bool(self.pool or self.own[name])

    def spend(self, name: str) -> None:
        """An Irregular one's own Order comes first, a Tactical one last."""
        if (self.own[name] and self.figures[name].kind == "Irregular") or not self.pool:
            self.own[name] -= 1
        else:
            self.pool -= 1
        self.figures[name].states.discard("Suppressive Fire")

    def end(self) -> None:
        for figure in self.figures.values():
            figure.states.discard("Stunned")
        self.round += self.active == "Ben"
        self.active, self.pool, self.of, self.own = "", 0, 0, Counter()

    # what must be so

    def agree(self, wire: Wire) -> None:
        rows = {name: json.loads(body) for name, body in wire.rows("SELECT name, body FROM piece")}
        turn = rows.pop("*turn*", {})
        assert rows.keys() == self.figures.keys()
        for name, item in self.figures.items():
            result = (rows[name].get("lost", 0), set(rows[name].get("states", ())))
            assert result == (item.lost, item.states), name
        players = {number: name for name, number in (("Ana", 1), ("Ben", 2))}
        assert (turn.get("round", 1), players.get(turn.get("active", 0), "")) == (self.round, self.active)
        pools = [(one["left"], one["of"]) for one in turn.get("pools", ())]
        assert pools == ([(self.pool, self.of)] if self.of else [])
        left = Counter([*turn.get("irregular", ()), *turn.get("tactical", ())])
        assert left == Counter({name: count for name, count in self.own.items() if count})
        kept = {players[number]: count for number, count in turn.get("tokens", ())}
        assert kept | {name: TOKENS for name in LISTS if name not in kept} == self.tokens


def beats(own: Faces, foe: Faces, sv: int, against: int) -> tuple[int, int]:
    """Hits and Criticals of dice that meet others (none: a Normal Roll)."""
    criticals = own.count(sv)
    plain, met = [face for face in own if face < sv], [face for face in foe if face < against]
    if against in foe:
        return 0, 0
    return sum(face > max(met, default=0) for face in plain), criticals


class Game:
    def __init__(self, wire: Wire, seed: int) -> None:
        self.wire, self.chance, self.book = wire, Random(seed), Book()
        self.people: dict[str, Person] = {person.name: person for person in wire.people[:2]}
        self.bot = MortalBot(wire, self.chance, KILL_EVERY)
        self.orders = self.aros = self.undone = self.twice = 0
        self.story: list[str] = []

    def plies(self) -> int:
        return int(self.wire.rows("SELECT count(*) FROM ply")[0][0])

    def fallen(self) -> Faces:
        """The faces that fell with the newest ply."""
        ((text,),) = self.wire.rows("SELECT draws FROM ply ORDER BY id DESC LIMIT 1")
        return [drawn + 1 for sides, drawn, *_ in json.loads(text) if sides == 20]

    async def act(self, what: str, do: Callable[[], Awaitable[Answer]], *, again: bool = True) -> Answer | None:
        """Something that changes the table once, whatever dies; None where it counted and nobody saw the answer."""
        before = self.plies()
        answer = await self.bot.risk(do)
        self.story.append(f"{what}: {answer.text if answer else 'killed'}")
        if answer is None:
            await self.wire.slash(self.people["Ana"], self.wire.channel, "about")  # by then it has heard all before it
        if answer is None and self.plies() == before:
            answer = await do()
        elif answer is None and again:  # whoever saw nothing presses again
            self.twice += 1
            self.story.append(f"again: {(await do()).text}")
        assert self.plies() == before + 1, (what, answer)
        return answer

    async def play(self) -> None:
        await self.bot.start()
        try:
            await self.all_rounds()
        except AssertionError as error:
            error.add_note("\n".join(self.story))
            raise

    async def all_rounds(self) -> None:
        for owner, names in LISTS.items():
            for name, line in names.items():
                await self.type(owner, "infinity profile set", name=name, stats=f"{line}, {STATS}")
        for round_ in range(1, ROUNDS + 1):
            for owner, foe in (("Ana", "Ben"), ("Ben", "Ana")):
                if self.book.standing(owner) and self.book.standing(foe):
                    assert self.book.round == round_
                    await self.turn(owner, foe)

    async def type(self, who: str, line: str, **options: Any) -> None:
        await self.act(line, lambda: self.wire.slash(self.people[who], self.wire.channel, line, **options), again=False)

    async def board(self) -> Message:
        return (await self.wire.slash(self.people["Ana"], self.wire.channel, "table show")).shown

    # A turn

    async def turn(self, owner: str, foe: str) -> None:
        person, board = self.people[owner], await self.board()
        form = (await self.wire.press(person, board, "Start turn")).modal
        await self.act("start", lambda: self.wire.submit(person, form, {"leads": ["yes"], "retreats": ["no"]}))
        self.book.start(owner)
        self.book.agree(self.wire)
        for _ in range(ORDERS):
            able = [name for name in self.book.standing(owner) if self.may(name)]
            foes = self.book.standing(foe)
            if not able or not foes:
                break
            if self.chance.random() < 0.4:
                await self.between(owner, foe)
            able = [name for name in able if self.may(name)]
            if able:
                await self.order(owner, self.chance.choice(able), foe, self.chance.choice(foes))
        await self.pick(owner, "end")
        self.book.end()
        self.book.agree(self.wire)

    def may(self, name: str) -> bool:
        return self.book.can(name) and "Stunned" not in self.book.figures[name].states

    async def pick(self, owner: str, offer: str, **picked: str) -> None:
        """Something of the list More, with its form, if it has one; or the button of that name."""
        person, board = self.people[owner], await self.board()
        more = next(control for control in board.controls if any(value == offer for _, value in control.options) or (
            control.custom_id.endswith(f":{offer}") or f":{offer}:" in control.custom_id))  # fmt: skip  # one test
        values = [offer] if more.options else None
        if not picked:
            await self.act(offer, lambda: self.wire.click(person, board, more.custom_id, values=values))
            return
        form = (await self.wire.click(person, board, more.custom_id, values=values)).modal
        await self.act(offer, lambda: self.wire.submit(person, form, {key: [item] for key, item in picked.items()}))

    async def between(self, owner: str, foe: str) -> None:
        """A command token is used, or somebody says a state."""
        loners = [name for name in self.book.own if self.book.figures[name].kind == "Irregular" and self.book.own[name]]
        if self.book.tokens[owner] and self.chance.random() < 0.6:
            use = {"use": "regular", "who": loners[0]} if loners else {"use": "other"}
            await self.pick(owner, "command", **use)
            self.book.tokens[owner] -= 1
            if loners:
                self.book.own[loners[0]] -= 1
                self.book.pool, self.book.of = self.book.pool + 1, self.book.of + 1
        else:
            whose = self.chance.choice((owner, foe))
            state = "Stunned" if whose == owner else "Suppressive Fire"
            free = [item for item in self.book.standing(whose) if state not in self.book.figures[item].states]
            if not free:
                return
            name = self.chance.choice(free)
            await self.type(whose, "infinity profile state", name=name, state=state)
            self.book.figures[name].states.add(state)
        self.book.agree(self.wire)

    # An order

    async def order(self, owner: str, name: str, foe: str, target: str) -> None:
        """One order to its end: it opens, somebody reacts or not, the dice fall, all saves of each side."""
        person, other = self.people[owner], self.people[foe]
        words = {"text": f"{name} combi at 10 vs {target}"}
        opened = None
        while opened is None:
            kept = (self.book.pool, +self.book.own, set(self.book.figures[name].states))
            answer = await self.act(
                f"order of {name}",
                lambda: self.wire.slash(person, self.wire.channel, "infinity order", **words),
                again=False,
            )
            if answer is not None:
                opened = answer.shown
                continue
            await self.wire.slash(person, self.wire.channel, "table undo")
            self.undone += 1
            self.book.pool, self.book.own, self.book.figures[name].states = kept[0], Counter(kept[1]), kept[2]
            self.book.agree(self.wire)
        self.orders += 1
        fires = self.book.figures[name].states & {"Suppressive Fire"}
        self.book.spend(name)
        self.book.figures[name].states |= fires  # it ends as the dice fall
        self.book.agree(self.wire)
        reaction = self.reaction(target)
        self.aros += bool(reaction)
        last = f"{target}: {reaction}, then roll" if reaction else "No more AROs: roll the dice"
        fell = await self.press(other, opened, last)
        self.book.figures[name].states.discard("Suppressive Fire")
        held = self.book.figures[target].states & {"Suppressive Fire"} if reaction == "Combi" else set()
        if reaction == "Dodge":
            self.book.figures[target].states.discard("Suppressive Fire")
        self.book.agree(self.wire)
        mine, theirs = fell[:3], fell[3:]
        shoots, answers = SHOOTS - 3 * bool(held), SHOOTS - 3 * bool(held) if reaction == "Combi" else DODGES
        assert len(theirs) == (3 if held else bool(reaction))
        if reaction in ("", "Combi", "Dodge"):
            hits = beats(mine, theirs, shoots, answers)
            back = beats(theirs, mine, answers, shoots) if reaction == "Combi" else (0, 0)
            await self.saves(other, opened, target, hits, "reactive")
            await self.saves(person, opened, name, back, "active")

    def reaction(self, target: str) -> str:
        stunned = "Stunned" in self.book.figures[target].states
        return self.chance.choice(("", "Dodge") if stunned else ("", "Combi", "Dodge"))

    async def press(self, who: Person, card: Message, label: str) -> Faces:
        """A button of the card; the faces that fell with it."""
        screen = self.wire.now(card)
        await self.act(label, lambda: self.wire.press(who, screen, label))
        return self.fallen()

    async def saves(self, who: Person, card: Message, name: str, hits: tuple[int, int], side: str) -> None:
        """A hit is a save, a Critical two; who stands then makes a Guts Roll, and one that fails stops firing."""
        count = hits[0] + 2 * hits[1]
        if not count:
            assert f"Saves and Guts: {side} side" not in self.wire.now(card).buttons
            return
        fell = await self.press(who, card, f"Saves and Guts: {side} side")
        figure = self.book.figures[name]
        figure.suffer(sum(face > SAVES for face in fell[:count]))
        assert len(fell) == count + figure.stands, (fell, count)
        if figure.stands and fell[-1] > BRAVE:
            figure.states.discard("Suppressive Fire")
        self.book.agree(self.wire)


async def played(wire: Wire, seed: int) -> Game:
    game = Game(wire, seed)
    await game.play()
    assert books.wrong(wire.stored) == []
    told = f"{game.orders} orders, {game.aros} AROs, {game.bot.kills} kills, {game.bot.unseen} answers that nobody saw"
    print(f"seed {seed}: {told}, {game.undone} taken back, {game.twice} pressed twice")  # noqa: T201 - the report
    return game


async def test_three_rounds_come_out_as_the_book_has_them_whatever_is_killed(wire: Wire) -> None:
    game = await played(wire, 39)
    assert game.orders >= 4
    assert game.bot.kills >= 2


@pytest.mark.long
@pytest.mark.parametrize("seed", range(50))
async def test_many_games_with_kills(wire: Wire, seed: int) -> None:
    """``python -m pytest -m long -s tests/wire/test_infinity_game.py``."""
    await played(wire, seed)
