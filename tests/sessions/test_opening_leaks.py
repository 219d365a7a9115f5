"""Whatever others do, they learn no secret that no stored opening shows.

Two evenings whose secrets alone differ are the same for everybody else.

Ana has set dials, put a marker on the table, and fixed a list of secrets. Bo plays against her and is a GM, Cleo looks
on, and Gil is a GM who does not play. They do whatever a seed says: end the match, win it, take back, play without
dials, ask for everything to be opened, begin a rematch, clear the table, wait for half a day, begin a second game,
guess the names of troopers, and read the board, the history, the match file, its page, and their own data.

``-m long`` plays two hundred evenings.
"""

import json
import random
import re
import shutil
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.game import Choice
from bot.rules.infinity.table import controls
from bot.rules.infinity.troopers.trooper import add_or_replace, copy, harm, parse, troopers_of
from bot.rules.plans import Commitment, PlanEvent, commitments
from bot.rules.text import Name, Text
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.table import match as matches_of, planning, score
from bot.rules.xwing.table.dials import dial_of
from bot.rules.xwing.table.match import MATCH, Match, Phase
from bot.rules.xwing.table.ship import from_card
from bot.sessions import matches, openings
from bot.sessions.codec import REMATCH
from bot.sessions.events import StateStored
from bot.sessions.matches import PAUSE, Matches, Replay
from bot.sessions.personal_data import PersonalData
from bot.sessions.pieces import check_look
from bot.sessions.plans import Plans
from bot.sessions.request import Person, Place, Request
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Change, Tables
from bot.store.database import Database
from bot.ui.live.replay import AnnotatedMatch, json_of, page_of
from bot.ui.table import plans as ui_plans

ANA, BO, CLEO, GIL = Person(1, "Ana"), Person(2, "Bo"), Person(3, "Cleo"), Person(4, "Gil")
HERE: Final = Place(12, 11)
WATCHING: Final = (
    Request(BO, HERE),
    Request(BO, HERE, is_gm=True),
    Request(CLEO, HERE),
    Request(GIL, HERE, is_gm=True),
)
LUKE, ESCORT = "Luke Skywalker", "Blue Squadron Escort"
STATS: Final = "BS 12, CC 14, PH 11, WIP 13, ARM 1, BTS 0, W 1, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48"
NAMES: Final = ("Ada", "Bea", "Shade", "Ghost", "Croc", "Noctifer", "Swiss", "CAMO 1", "CAMO 2", "Hidden 1-1")
"""What somebody might guess: those on the table, those who may be hidden, markers, places of a list."""
MARKERS: Final = ("CAMO 1", "CAMO 2")
DIGITS: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Secret:
    """What Ana has chosen."""

    dials: Mapping[str, str]
    again: Mapping[str, str]
    under: str
    leader: str
    hidden: str


def secret(seed: int) -> Secret:
    """What differs between the two evenings of a seed; its length too."""
    chance = random.Random(seed)

    def dials() -> dict[str, str]:
        ships = (from_card(pilot_ship(pilot), 1) for pilot in ("lukeskywalker", "bluesquadronescort"))
        return {ship.name: chance.choice(dial_of(ship)).code for ship in ships}

    hidden = chance.choice(("Croc", "Noctifer", "Swiss")) + chance.choice((f": {STATS}", "", " behind the wall, 4 in."))
    return Secret(
        dials(), dials(), chance.choice(("Ada", "Bea", "Shade", "Ghost", "-")), chance.choice(("Ada", "Bea")), hidden
    )


@dataclass
class Evening:
    """A table of its own; ``heard`` is all that anybody but Ana gets to know."""

    database: Database
    now: float = 1_800_000_000
    heard: list[str] = field(default_factory=list)
    has_ended: bool = False

    def __post_init__(self) -> None:
        chance = random.Random(5)
        self.tables = Tables(self.database, self.tell, rng=chance.randrange)
        self.plans = Plans(self.database, self.tables, self.tell)
        self.sessions = Sessions(self.database, chance.randrange, self.tell)
        self.matches, self.people = Matches(self.database), PersonalData(self.database)

    async def tell(self, fact: object) -> None:
        """As the bot does: what is due opens once something is stored."""
        if isinstance(fact, StateStored):
            game = fact.played.game.key if fact.played is not None else fact.game
            if game in GAMES:
                client: Any = SimpleNamespace(plans=self.plans)
                await ui_plans.follow(client, fact, game)

    async def begin(self, kept: Secret) -> None:
        """Two squads and two armies; Ana plans, is ready, thinks better of it, and is ready again; then her secrets."""
        number = {who.id: (await self.tables.player(HERE, who)).id for who in (ANA, BO)}
        for who, pilots in ((ANA, ("lukeskywalker", "bluesquadronescort")), (BO, ("howlrunner", "academypilot"))):
            ships = {ship.name: ship for pilot in pilots for ship in [from_card(pilot_ship(pilot), number[who.id])]}
            await self.tables.step(Request(who, HERE), "xwing", Text("ships come"), lambda _, ships=ships: ships, of=())  # type: ignore[misc]  # a default
        match = Match(ruleset="2.5", phase=Phase.PLANNING, dials="on", first=number[ANA.id], second=number[BO.id])
        await self.tables.step(Request(ANA, HERE), "xwing", Text("begins"), lambda _: {MATCH: match}, of=())
        for who, names in ((ANA, ("Ada", "Bea", "Shade", "Ghost")), (BO, ("Hector", "Paris"))):
            troopers = {name: replace(parse(name, STATS), owner=number[who.id]) for name in names}
            await self.tables.step(Request(who, HERE), "infinity", Text("come"), lambda _, all_=troopers: all_, of=())  # type: ignore[misc]  # a default
        ana = Request(ANA, HERE)
        for dials in (kept.again, kept.dials):
            await self.plans.choose(ana, "xwing", dials)
            await self.plans.fix_plan(ana, "xwing")
        await self.plans.choose(ana, "infinity", {"CAMO 1": kept.under, "CAMO 2": "-"}, "camo -3 1-2")
        await self.plans.fix_plan(ana, "infinity", "camo -3 1-2")
        line = f"Hidden {number[ANA.id]}-1"
        await self.plans.choose(ana, "infinity", {f"Lieutenant {number[ANA.id]}": kept.leader, line: kept.hidden})
        await self.plans.fix_plan(ana, "infinity", anyway=True)

    async def hear(self, act: Awaitable[Any]) -> None:
        """What somebody is told by what they did."""
        try:
            told = await act
        except PlayerError as error:
            told = str(error)
        self.heard.append(DIGITS.sub("(digits)", str(told)))

    async def look(self, *, with_page: bool = False) -> None:
        """What everybody can look at, at any time; the page of the match, which takes a while, at last."""
        now = await self.tables.snapshot(HERE)
        seen = {
            key: [str(item if game.table.seen is None else game.table.seen(item)) for item in held.values()]
            for key, held in now.pieces.items()
            if (game := GAMES[key]).table.pieces is not None
        }
        told = [str(entry.what) for entry in await self.tables.history(HERE, most=60)]
        files = [await self.file(press, with_page=with_page) for press in (1, 3)]
        mine = [json.dumps([record async for record in self.people.records(who.id)]) for who in (BO, CLEO, GIL)]
        self.heard.append(DIGITS.sub("(digits)", repr((seen, told, files, mine))))

    async def file(self, press: int, *, with_page: bool) -> str:
        try:
            match = await self.matches.replay(HERE, press)
        except PlayerError as error:
            return str(error)
        self.has_ended |= match.has_ended
        page = page_of(AnnotatedMatch(match, {})) if with_page else b""
        return repr((page, json_of(AnnotatedMatch(match, {})), openings.is_all_open(match.sheets, "xwing")))

    # What they do

    async def closed(self) -> list[str]:
        held = (await self.tables.snapshot(HERE)).pieces
        return [
            of
            for game in ("xwing", "infinity")
            for commitment in commitments(held[game]).values()
            for of in commitment.closed_places
        ]

    async def scores(self, by: Request, _: random.Random) -> Any:
        def change(table: Mapping[str, Any]) -> Mapping[str, Any]:
            match = matches_of.match_of(table) or Match()
            owners = sorted(matches_of.owners_of(table)) or [0]
            held = score.earn(match.score, owners[-1], 1, Text("a lie"), match.round)
            return {MATCH: replace(match, score=held)}

        return (await self.tables.step(by, "xwing", Text("scores"), change, of=(), by_player=True)).what

    async def ends(self, by: Request, _: random.Random) -> Any:
        return (await self.tables.step(by, "xwing", Text("ends"), matches_of.end_by_points, of=(), by_player=True)).what

    async def takes_back(self, by: Request, _: random.Random) -> Any:
        return await self.tables.undo(by)

    async def without_dials(self, by: Request, chance: random.Random) -> Any:
        word = chance.choice(("off", "on"))
        done = await self.tables.step(
            by, "xwing", Text("dials"), lambda now: planning.with_dials(now, word).changes, of=(), by_player=True
        )
        return done.what

    async def opens_all(self, by: Request, _: random.Random) -> Any:
        return await self.plans.open_match(by, await self.matches.replay(HERE, 1)) if by.by != GIL else ""

    async def opens(self, by: Request, chance: random.Random) -> Any:
        of = chance.choice([*await self.closed(), LUKE])
        filled = chance.choice(({}, {planning.FLIES: planning.DIAL}))
        game = "xwing" if of in (LUKE, ESCORT) else "infinity"
        return await self.plans.open(by, game, of, filled) if by.by != GIL else ""

    async def begins_again(self, by: Request, _: random.Random) -> Any:
        ending = GAMES["xwing"].table.ending
        assert ending is not None
        standing = await self.matches.status(HERE, GAMES["xwing"])
        done = await self.tables.step(
            by, "xwing", Text("again"), lambda now: ending.rematch(now, standing.lost), of=(), offer=REMATCH
        )
        return done.what

    async def clears(self, by: Request, _: random.Random) -> Any:
        return await self.tables.clear(by) if by.is_gm else ""

    async def waits(self, _: Request, __: random.Random) -> Any:
        self.now += PAUSE + 60

    async def second_game(self, _: Request, chance: random.Random) -> Any:
        """Two others bring a ship each, and one has won."""
        for who, pilot in ((CLEO, "academypilot"), (GIL, "bluesquadronescort")):
            number = (await self.tables.player(HERE, who)).id
            ship = replace(from_card(pilot_ship(pilot), number), name=f"Ship {chance.random():.6f}")
            come = {ship.name: ship}
            await self.tables.step(Request(who, HERE), "xwing", Text("comes"), lambda _, come=come: come, of=())  # type: ignore[misc]  # a default
        return await self.ends(Request(CLEO, HERE), chance)

    async def guesses(self, by: Request, chance: random.Random) -> Any:
        """Rolls in which names stand that may be hidden: alone, as a target, as a reaction, saving."""
        item, other = chance.sample(NAMES, 2)
        words: dict[str, Any] = chance.choice(
            (
                {"order": f"{item} 12"},
                {"order": f"{item} 12; {other} 12"},
                {"order": f"Hector combi at 10 vs {item}"},
                {"order": f"Hector combi at 10 vs {item} dodge"},
                {"order": f"Joe 12 b3 vs {item} 11"},
                {"name": item, "sv": 12},
                {"name": "Joe", "sv": 12, "vs_name": item, "vs_sv": 11},
                {"hits": 1, "ammo": "N", "ps": 7, "name": item},
            )
        )
        game = GAMES["infinity"]
        table = await self.tables.pieces(HERE, "infinity")
        assert game.table.declare is not None
        return (await self.sessions.open(by, RollOpening(game, game.table.declare(words, table)))).state

    async def acts_for_markers(self, by: Request, chance: random.Random) -> Any:
        """A roll in which a marker of Ana's acts, as whoever types the line says."""
        lines = (
            "{0} 12 b3 vs Hector 11",
            "Hector combi at 10 vs {0} 12",
            "{0} PH 12 dodge",
            "Hector 12 vs Ada 12; {0} 12",
        )
        line = chance.choice(lines)
        game = GAMES["infinity"]
        table = await self.tables.pieces(HERE, "infinity")
        assert game.table.declare is not None
        declared = game.table.declare({"order": line.format(chance.choice(MARKERS))}, table)
        return (await self.sessions.open(by, RollOpening(game, declared))).state

    async def uncovers(self, by: Request, chance: random.Random) -> Any:
        """A marker's state is ended by a command, or on the board, by somebody who is no neutral GM."""
        if by.by == GIL:
            return ""
        name, state = chance.choice(MARKERS), "Camouflaged"
        by_command: Change = lambda now: harm(troopers_of(now), name, None, state, on=False)  # noqa: E731 - one of two
        pressed = Choice("state", filled={"ends": state})
        on_board: Change = lambda now: controls.choose(now, name, pressed, chance.randrange, 0).changes  # noqa: E731 - the other
        change = chance.choice((by_command, on_board))
        return (await self.tables.step(by, "infinity", Text("uncovers"), change)).what

    async def takes_a_name(self, by: Request, chance: random.Random) -> Any:
        """A piece of one's own stands under the name of what is closed, in place of whatever stood there; it opens."""
        if by.by == GIL:
            return ""
        number = (await self.tables.player(HERE, by.by)).id
        of = chance.choice([*await self.closed(), "Hidden 1-1", "Lieutenant 1"])
        game = "xwing" if of in (LUKE, ESCORT) else "infinity"
        if of in await self.tables.pieces(HERE, game):
            await self.tables.step(by, game, Text("goes"), lambda _: {of: None})
        ship = replace(from_card(pilot_ship("lukeskywalker"), number), name=Name(of))

        def come(now: Mapping[str, Any]) -> Mapping[str, Any]:
            if game == "xwing":
                return {of: ship}
            return add_or_replace(troopers_of(now), replace(parse(of, STATS), owner=number))

        await self.tables.step(by, game, Text("comes"), come)
        return await self.plans.open(by, game, of, {planning.FLIES: planning.DIAL} if game == "xwing" else {})

    async def copies(self, by: Request, chance: random.Random) -> Any:
        """A marker gets the name of another one, or of a sheet."""
        name, other = chance.choice(MARKERS), chance.choice((*MARKERS, "*secrets 1*", "*camo -3 1-2*"))
        if other in MARKERS and chance.randrange(2):
            await self.tables.step(by, "infinity", Text("goes"), lambda _: {other: None})
        change: Change = lambda now: copy(troopers_of(now), name, other)  # noqa: E731 - it says what the step does
        return (await self.tables.step(by, "infinity", Text("copies"), change)).what

    async def takes_over(self, by: Request, chance: random.Random) -> Any:
        """Somebody gives a piece of Ana's to themselves, looks at what only its owner may, and opens it."""
        if by.by == GIL:
            return ""
        number = (await self.tables.player(HERE, by.by)).id
        game, name = chance.choice((("xwing", LUKE), ("xwing", ESCORT), ("infinity", "Ada"), ("infinity", "CAMO 1")))

        if name not in await self.tables.pieces(HERE, game):
            return ""

        def take(now: Mapping[str, Any]) -> Mapping[str, Any]:
            return {name: replace(now[name], owner=number)}

        stepped = await self.tables.step(by, game, Text("takes"), take)
        check_look(stepped.after[name], await self.tables.players(HERE), by.by)
        self.heard.append(repr(stepped.after[name]))
        filled = {planning.FLIES: planning.DIAL}
        return await self.plans.open(by, game, name, filled) if name in await self.closed() else ""

    async def asks_for_the_same_markers(self, by: Request, _: random.Random) -> Any:
        """Bo's own markers get the numbers of Ana's, which are off the table: what of his plan is said to be new?"""
        bo = replace(by, by=BO)
        if await self.tables.pieces(HERE, "infinity"):
            await self.tables.step(bo, "infinity", Text("go"), lambda _: dict.fromkeys(MARKERS))
        planned = await self.plans.choose(bo, "infinity", dict.fromkeys(MARKERS, "-"), "camo -3 1-2")
        self.heard.append(f"new: {planned.is_changed}")
        return (await self.plans.fix_plan(bo, "infinity", "camo -3 1-2")).what

    async def harms(self, by: Request, chance: random.Random) -> Any:
        """A GM brings a trooper of Ana's down, to see what opens."""
        name = chance.choice(("Ada", "Bea", "Shade", "Ghost"))

        def change(table: Mapping[str, Any]) -> Mapping[str, Any]:
            return {name: replace(table[name], states=("Dead",))} if name in table else {}

        return (await self.tables.step(by, "infinity", Text("harms"), change)).what

    async def ana_moves(self, _: Request, chance: random.Random) -> Any:
        """Ana does something that opens nothing of hers."""

        def change(table: Mapping[str, Any]) -> Mapping[str, Any]:
            return {"Ada": replace(table["Ada"], group=chance.choice((1, 2)))} if "Ada" in table else {}

        return (await self.tables.step(Request(ANA, HERE), "infinity", Text("moves"), change)).what

    async def ana_shows_a_marker(self, _: Request, __: random.Random) -> Any:
        """Ana puts one more marker on the table, and shows who is under it: the newest of her sheets is open then."""
        ana = Request(ANA, HERE)
        await self.plans.choose(ana, "infinity", {"CAMO 3": "Bea"}, "camo -3 3-3")
        await self.plans.fix_plan(ana, "infinity", "camo -3 3-3")
        return (await self.plans.open(ana, "infinity", "CAMO 3")).what

    async def gives_up(self, by: Request, _: random.Random) -> Any:
        """All of Bo's pieces go, so that Ana has won."""
        number = (await self.tables.player(HERE, BO)).id
        for game in ("xwing", "infinity"):
            held = await self.tables.pieces(HERE, game)
            gone = dict.fromkeys(name for name, piece in held.items() if getattr(piece, "owner", 0) == number)
            await self.tables.step(by, game, Text("gives up"), lambda _, gone=gone: gone)  # type: ignore[misc]  # a default

    async def ana_again(self, _: Request, __: random.Random) -> Any:
        await self.plans.fix_plan(Request(ANA, HERE), "xwing")


ACTS: Final[Mapping[Callable[..., Awaitable[Any]], int]] = {
    Evening.scores: 3,
    Evening.ends: 3,
    Evening.takes_back: 4,
    Evening.without_dials: 1,
    Evening.opens_all: 3,
    Evening.opens: 3,
    Evening.begins_again: 1,
    Evening.clears: 1,
    Evening.waits: 1,
    Evening.second_game: 1,
    Evening.guesses: 8,
    Evening.acts_for_markers: 2,
    Evening.uncovers: 1,
    Evening.takes_a_name: 2,
    Evening.copies: 1,
    Evening.takes_over: 2,
    Evening.asks_for_the_same_markers: 1,
    Evening.harms: 2,
    Evening.ana_moves: 2,
    Evening.ana_shows_a_marker: 1,
    Evening.gives_up: 1,
    Evening.ana_again: 1,
}
"""What somebody may do, and how often."""
ENDS_ALONE: Final = (Evening.scores, Evening.ends, Evening.opens_all, Evening.takes_back, Evening.takes_back)
"""Bo scores a point, ends the match, takes the match file, takes it all back, and plans."""


async def evening(file: Path, kept: Secret, acts: list[Callable[..., Awaitable[Any]]], seed: int) -> list[str]:
    """What others have heard."""
    database = await Database.open(f"sqlite+aiosqlite:///{file}")
    chance, item = random.Random(seed), Evening(database)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(time, "time", lambda: item.now)
            await item.begin(kept)
            await item.look()
            for act in acts:
                await item.hear(act(item, chance.choice(WATCHING), chance))
                await item.look()
            await item.look(with_page=True)
    finally:
        await database.close()
    item.heard.append(f"ended: {item.has_ended}")
    return item.heard


async def differ(folder: Path, migrated: Path, seed: int, acts: list[Callable[..., Awaitable[Any]]]) -> list[int]:
    """The acts after which others know more in one evening than in the other."""
    runs, at = list[list[str]](), seed
    mine, theirs = secret(seed), secret(seed + 1)
    while mine in (theirs, replace(theirs, dials=mine.dials)):
        theirs, at = secret(at + 1000), at + 1000
    for place, kept in enumerate((mine, theirs)):
        runs.append(await evening(Path(shutil.copy(migrated, folder / f"{seed}-{place}.db")), kept, acts, seed))
    assert len(runs[0]) == len(runs[1])
    return [place for place, (item, other) in enumerate(zip(*runs, strict=True)) if item != other]


def drawn(seed: int) -> list[Callable[..., Awaitable[Any]]]:
    return random.Random(seed).choices([*ACTS], [*ACTS.values()], k=14)


cases_of_the_attacker = pytest.mark.parametrize(
    "acts",
    [
        pytest.param(ENDS_ALONE, id="one side ends the match alone"),
        pytest.param((Evening.second_game, Evening.opens_all), id="a second game is won in the same channel"),
        pytest.param((Evening.waits, Evening.ana_moves, Evening.opens_all), id="half a day passes"),
        pytest.param((Evening.begins_again, Evening.opens_all), id="a rematch begins"),
        pytest.param((Evening.guesses,) * 12, id="names are guessed"),
        pytest.param((Evening.harms, Evening.ana_moves) * 4, id="a GM harms whoever may be under a marker"),
        pytest.param((Evening.without_dials, *ENDS_ALONE), id="dials go before the match ends"),
        pytest.param((Evening.acts_for_markers,) * 12, id="a marker is said to act"),
        pytest.param((Evening.uncovers,) * 6, id="the state of a marker is ended by hand"),
        pytest.param((Evening.takes_a_name,) * 8, id="a piece takes the name of what is closed"),
        pytest.param((Evening.copies,) * 6, id="a marker is copied"),
        pytest.param((Evening.takes_over,) * 8, id="a piece is taken over"),
        pytest.param(
            (Evening.ana_shows_a_marker, Evening.gives_up, Evening.gives_up, *[Evening.opens_all] * 4),
            id="one side gives up while a list of secrets is on the table",
        ),
    ],
)


@cases_of_the_attacker
async def test_no_case_of_the_attacker_shows_anything(
    tmp_path: Path, migrated: Path, acts: tuple[Callable[..., Awaitable[Any]], ...]
) -> None:
    assert await differ(tmp_path, migrated, 3, list(acts)) == []


@pytest.mark.long  # twice as many draws of the same acts: each draw asks the same of another name
@cases_of_the_attacker
async def test_no_longer_case_of_the_attacker_shows_anything(
    tmp_path: Path, migrated: Path, acts: tuple[Callable[..., Awaitable[Any]], ...]
) -> None:
    assert await differ(tmp_path, migrated, 3, [*acts, *acts]) == []


async def test_nobody_is_told_whether_their_plan_is_that_of_somebody_else(tmp_path: Path, migrated: Path) -> None:
    acts: list[Callable[..., Awaitable[Any]]] = [Evening.asks_for_the_same_markers] * 4
    runs = list[list[str]]()
    for under in ("Ada", "-"):
        file = Path(shutil.copy(migrated, tmp_path / f"{under}.db"))
        runs.append(await evening(file, replace(secret(3), under=under), acts, 3))
    assert runs[0] == runs[1]


async def test_the_attacker_ends_the_match_and_reads_a_file_of_it(tmp_path: Path, migrated: Path) -> None:
    """The acts do what they say: else nothing would be learned because nothing happens."""
    heard = await evening(Path(shutil.copy(migrated, tmp_path / "one.db")), secret(3), list(ENDS_ALONE), 3)
    assert heard[-1] == "ended: True"
    assert "ends" in heard[3]
    assert "rollcall-match/1" in heard[4]


@pytest.mark.parametrize("seed", range(100, 102))
async def test_whatever_others_do_they_learn_nothing(tmp_path: Path, migrated: Path, seed: int) -> None:
    assert await differ(tmp_path, migrated, seed, drawn(seed)) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200, 400))
async def test_two_hundred_times_nothing(tmp_path: Path, migrated: Path, seed: int) -> None:
    assert await differ(tmp_path, migrated, seed, drawn(seed)) == []


async def test_a_file_that_concludes_from_the_score_is_caught(
    tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The leak that was: a match file lays all open once somebody has won."""
    as_it_is = Matches.replay

    async def all_open(self: Matches, place: Place, first: int) -> Replay:
        match = await as_it_is(self, place, first)
        if not match.has_ended:
            return match
        kept = await Plans(self._database, Tables(self._database), matches_told).sheets(
            place.channel_id, [sheet.commitment.root for sheet in match.sheets]
        )
        sheets = [replace(sheet, commitment=laid_open(sheet.commitment, kept)) for sheet in match.sheets]
        return replace(match, sheets=tuple(sheets))

    monkeypatch.setattr(matches.Matches, "replay", all_open)
    assert await differ(tmp_path, migrated, 3, list(ENDS_ALONE)) != []


async def matches_told(_: object) -> None:
    """Nobody hears of it."""


def laid_open(commitment: Commitment, kept: Mapping[str, Any]) -> Commitment:
    return replace(commitment, opened=kept.get(commitment.root, ()))


async def test_a_rule_that_compares_guesses_is_caught(
    tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other leak that was: a roll opens whatever it names."""
    as_it_is = Plans.open_due

    async def of_anybody(self: Plans, request: Request, game: str, event: PlanEvent) -> None:
        await as_it_is(self, replace(request, by=ANA), game, event)

    monkeypatch.setattr(Plans, "open_due", of_anybody)
    assert await differ(tmp_path, migrated, 3, [Evening.guesses] * 25) != []
