"""What any text costs, whatever is typed where: every text option, suggestion and form field of every command.

Each is given its longest text, and no answer may hold the event loop for more steps than one constant allows. The
usual run takes a share of the commands and types the grammars that cost most; ``-m long`` tries all of them, also in
the forms of cards, and prints the five texts that cost most.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Final

import pytest
import simcord
from discord import AppCommandOptionType as Kind, app_commands
from simcord.enums import ComponentType

from bot.rules.anydice import phrases
from bot.rules.infinity.troopers.trooper import MAX_SKILLS, MAX_TROOPERS, MAX_WEAPONS
from bot.rules.xwing.cards.card_sets import SHIPPED
from bot.rules.xwing.table.match import ships_of
from bot.rules.xwing.table.ship import MAX_SHIPS
from bot.sessions.request import Place
from bot.ui.commands.options import FORM
from bot.ui.core.components import At, read
from bot.ui.dispatch import error_messages
from tests import conftest
from tests.cogs.test_crawl import walk
from tests.cogs.test_hidden_army import GRUNT, army
from tests.cogs.test_xwing_score import client_of
from tests.conftest import Club, Dice
from tests.crawler import Crawler, components, kind_of
from tests.grammars import UNITS, texts
from tests.largest_lines import LARGEST, forget_texts, trooper_parts
from tests.rules.infinity.test_army import code
from tests.steps import MAX_STEPS, counting

MAX_DISCORD: Final = 6000
"""Characters of a text option that states no length, and of what somebody types to get suggestions."""
WORST: Final = ("accents", "lines")
"""The grammars that cost most of nearly every option."""
ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "against": ("near words",),
    "code": ("mixed scripts",),
    "dice": ("words", "quotes"),
    "roll": ("quotes",),
    "stats": ("states",),
    "their_dice": ("quotes",),
    "weapon": ("states",),
    "with": ("near words",),
}
"""Grammars that cost an option more than those, by its name, as the complete sweep found."""
ROOTS: Final = (
    *("albion", "contest", "duel", "fairness", "infinity profile", "infinity roll", "infinity versus", "infinity odds"),
    *("infinity order", "infinity save", "initiative", "prefer", "roll", "ruleset", "saved", "warsurge"),
    *("xwing attack", "xwing odds", "xwing ship", "xwing squad", "xwing token", "xwing"),
)
"""The commands with text options, so that each part takes about as long; the longest that fits has a command."""
Slash = app_commands.Command[Any, ..., Any]


class Falling(Dice):
    """Dice that fall by themselves, in every run alike."""

    def __init__(self) -> None:
        super().__init__()
        self.chance = Random(7)

    def __call__(self, sides: int) -> int:
        return self.chance.randrange(sides)


@pytest.fixture
def dice() -> Dice:
    return Falling()


def leaves(club: Club) -> Iterator[Slash]:
    """Every command that can be typed."""
    tree: Any = club.env.bot.tree  # type: ignore[attr-defined]  # it is our App
    for command in tree.walk_commands():
        if isinstance(command, app_commands.Command):
            yield command


def text_options(command: Slash) -> Iterator[app_commands.Parameter]:
    return (parameter for parameter in command.parameters if parameter.type is Kind.string and not parameter.choices)


def root_of(command: Slash) -> str:
    return next((root for root in ROOTS if command.qualified_name.startswith(root)), "")


FULL: Final[Mapping[str, tuple[str, int, Mapping[str, str]]]] = {
    "albion": ("albion profile set", 24, {"stats": "Agility 4, Stealth 3, Awareness 3, Strength 3"}),
    "infinity": (
        "infinity profile set",
        40,
        {"stats": "BS 12, PH 10, ARM 1, W 1, Mimetism (-3), Stealth, Combi: B3 PS 7 N ARM +3@16 -3@32"},
    ),
    "saved": ("saved add", 25, {"roll": "2d6+3"}),
    "warsurge": ("warsurge profile set", 24, {"stats": "Defence 3, Save 4+, HP 8; Sword: Power 4; Gun: Power 6"}),
    "xwing": ("xwing ship add", 16, {"numbers": "3/2/4/2 i5"}),
}
"""What fills a channel: the command that adds a piece, how often, and what it is given."""
VALUES: Final[Mapping[str, Any]] = {"stats": "BS 12", "text": "Angus 12 vs Ortega 11", "roll": "2d6", "dice": "2d6"}


def value_for(club: Club, item: app_commands.Parameter) -> Any:
    """A value that a required option takes."""
    if item.choices:
        return item.choices[0].value
    return {
        Kind.integer: int(item.min_value or 1),
        Kind.boolean: True,
        Kind.user: club.bo,
        Kind.string: VALUES.get(item.display_name, "Angus"),
    }.get(item.type)


async def test_every_text_option_states_its_length(club: Club) -> None:
    result = [(leaf, option) for leaf in leaves(club) for option in text_options(leaf)]
    assert [f"{item.qualified_name} {option.display_name}" for item, option in result if not option.max_value] == []


@dataclass(slots=True)
class Sweep:
    """Counts steps, and keeps them by what was typed where. Without ``grammars`` it types those that cost most."""

    club: Club
    grammars: tuple[str, ...] = ()
    found: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def texts(self, option: str, longest: int) -> Mapping[str, str]:
        return texts(longest, self.grammars or (*WORST, *ALSO.get(option, ())))

    async def form(self, by: simcord.MemberActor, form: Mapping[str, Any]) -> None:
        """Each field of a form, filled with the longest texts; what was tried is not tried again."""
        if (at := read(form["custom_id"])) is None:
            return
        parts = [
            component for component in components(form["components"]) if component["type"] == ComponentType.TEXT_INPUT
        ]
        for part in parts:
            for grammar, text in self.texts(part["custom_id"], part.get("max_length", 4000)).items():
                key = kind_of(at), part["custom_id"], grammar
                if key not in self.found:
                    given = {item["custom_id"]: item.get("value") or item.get("placeholder", "1") for item in parts}
                    with counting() as steps:
                        await self.club.submit(by, form["custom_id"], {**given, part["custom_id"]: text})
                    self.found[key] = steps.most

    async def command(self, by: simcord.MemberActor, command: Slash) -> None:
        """Each text option of a command, and what it suggests."""
        needed: dict[str, Any] = {
            parameter.display_name: value_for(self.club, parameter)
            for parameter in command.parameters
            if parameter.required
        }
        channel, path = self.club.channel, command.qualified_name
        if not needed and FORM in command.extras and (form := (await by.slash(channel, path)).modal) is not None:
            await self.form(by, form)
        for option in text_options(command):
            name = option.display_name
            longest = int(option.max_value or 0)
            await by.slash(channel, path, **{**needed, name: "first"[:longest]})  # what is read once is read
            for grammar, text in self.texts(name, longest).items():
                with counting() as steps:
                    await by.slash(channel, path, **{**needed, name: text})
                self.found[path, name, grammar] = steps.most
            if option.autocomplete:
                for grammar, text in self.texts(name, MAX_DISCORD).items():
                    with counting() as steps:
                        await by.autocomplete(channel, path, name, text)
                    self.found[path, f"suggestions for {name}", grammar] = steps.most

    @property
    def worst(self) -> list[tuple[int, tuple[str, str, str]]]:
        return sorted(((count, what) for what, count in self.found.items()), reverse=True)[:5]


@pytest.mark.slow
@pytest.mark.sampled(5)
@pytest.mark.parametrize("root", ROOTS)
async def test_no_option_holds_the_loop_for_long(club: Club, root: str, admin: simcord.MemberActor) -> None:
    await sweep_options(Sweep(club), root, admin)


@pytest.mark.long
@pytest.mark.parametrize("root", ROOTS)
async def test_no_text_of_any_grammar_holds_the_loop_for_long(
    club: Club, root: str, admin: simcord.MemberActor
) -> None:
    await sweep_options(Sweep(club, tuple(UNITS)), root, admin)


async def sweep_options(sweep: Sweep, root: str, admin: simcord.MemberActor) -> None:
    """Every text option of the commands of a part, in a channel that is full."""
    club = sweep.club
    await fill(club, admin, root)
    tried = [command for command in leaves(club) if root_of(command) == root and any(text_options(command))]
    for command in tried:
        await sweep.command(admin, command)
    assert tried, "each part has commands"
    report(root, sweep)
    assert sweep.worst[0][0] < MAX_STEPS, sweep.worst


async def fill(club: Club, admin: simcord.MemberActor, root: str) -> None:
    """Make what a start makes for the first text, and fill the channel with pieces of the command's game."""
    for piece in phrases.pieces():
        piece()
    await admin.slash(club.channel, "roll", dice="2d6")
    if filling := FULL.get(root.split()[0]):
        path, count, given = filling
        for number in range(count):
            await admin.slash(
                club.channel, path, name=f"Angus {chr(ord('A') + number // 26)}{chr(ord('A') + number % 26)}", **given
            )


async def test_every_command_with_text_is_in_a_part(club: Club) -> None:
    assert [leaf.qualified_name for leaf in leaves(club) if any(text_options(leaf)) and not root_of(leaf)] == []


@dataclass(slots=True)
class HostileCrawler(Crawler):
    """Fills every field of every kind of form with the longest text of every grammar, before it goes on."""

    found: Sweep = field(kw_only=True)

    async def answered(self, by: Any, result: simcord.InteractionResult) -> list[Any]:
        if (form := result.modal) is not None and not form["custom_id"].endswith("seal-word"):
            await self.found.form(by, form)  # a seed word isn't read: it is hashed, and a second one isn't taken
        return await Crawler.answered(self, by, result)


@pytest.mark.long
async def test_no_form_holds_the_loop_for_long(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "false_plurals", lambda _: [])  # answers quote what was typed
    sweep = Sweep(club, tuple(UNITS))
    for piece in phrases.pieces():
        piece()
    try:
        await walk(HostileCrawler(club, (club.ana, club.bo), found=sweep), monkeypatch)
    finally:
        report("forms", sweep)
    assert len({what[:2] for what in sweep.found}) >= 40, "the fields of all forms"
    assert sweep.worst[0][0] < MAX_STEPS, sweep.worst


@dataclass(slots=True)
class CountingCrawler(Crawler):
    """Presses what there is, and notes what each press costs."""

    cost: dict[str, int] = field(default_factory=dict)

    async def press(
        self, message: Any, part: Mapping[str, Any], at: At, reader: simcord.MemberActor | None = None
    ) -> list[Any]:
        with counting() as steps:
            result = await Crawler.press(self, message, part, at, reader)
        self.cost[kind_of(at)] = max(steps.most, self.cost.get(kind_of(at), 0))
        return result


ATTACK: Final = {"defence": 4, "save": "4+"}
TAKEN: Final[tuple[tuple[str, Mapping[str, str], Mapping[str, Any]], ...]] = (
    ("roll", {"dice": "dice"}, {}),
    ("roll", {"request": "request"}, {"dice": "1d20"}),
    ("contest", {"dice": "contest", "their_dice": "contest"}, {}),
    ("initiative join", {"roll": "contest"}, {}),
    ("saved add", {"roll": "dice"}, {"name": "Angus AA"}),
    ("infinity order", {"text": "order"}, {}),
    ("infinity odds", {"order": "order", "or_order": "order"}, {}),
    ("infinity profile set", {"stats": "trooper"}, {"name": "Angus AA"}),
    ("warsurge attack", {"weapons": "weapons"}, ATTACK),
    ("warsurge odds", {"weapons": "weapons"}, ATTACK),
    ("warsurge profile set", {"stats": "unit"}, {"name": "Angus AA"}),
    ("albion profile set", {"stats": "profile"}, {"name": "Angus AA"}),
    ("xwing attack", {"with": "with", "against": "against"}, {"dice": 6, "agility": 6}),
    ("xwing odds", {"with": "with", "against": "against", "or": "with"}, {"dice": 6, "agility": 6}),
)
"""Commands with the largest lines that their options take, and what else is given."""
PRESSED: Final = 10
MAX_LINES: Final = 2


@pytest.mark.slow
@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("path", "typed", "others"), TAKEN, ids=[f"{path} {next(iter(typed))}" for path, typed, _ in TAKEN]
)
async def test_no_line_that_is_taken_holds_the_loop_for_long(
    club: Club,
    admin: simcord.MemberActor,
    path: str,
    typed: Mapping[str, str],
    others: Mapping[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The whole answer to the largest lines that are taken, in a full channel, and to whatever is pressed next."""
    refused, said = list[BaseException](), error_messages.error_text

    def note(interaction: Any, error: BaseException) -> Any:
        refused.append(error)
        return said(interaction, error)

    monkeypatch.setattr(error_messages, "error_text", note)
    await fill(club, admin, path)
    lines = {option: LARGEST[kind].worst(kind) for option, kind in typed.items()}
    crawler = CountingCrawler(club, (admin, club.bo))
    for at in range(MAX_LINES):
        given = {option: found[min(at, len(found) - 1)] for option, found in lines.items()}
        await admin.slash(club.channel, "initiative start")  # presses may have ended the one before
        refused.clear()
        forget_texts()
        with counting() as steps:
            result = await admin.slash(club.channel, path, **others, **given)
        assert refused == [], "the line is taken"
        crawler.cost[f"/{path}"] = max(steps.most, crawler.cost.get(f"/{path}", 0))
        await crawler.follow(admin, result, PRESSED)
    print(f"\n/{path}", *sorted(crawler.cost.items(), key=lambda item: -item[1])[:5], sep="\n")  # noqa: T201 - as below
    assert max(crawler.cost.values()) < MAX_STEPS, crawler.cost


def large_army(skills: int, weapons: int) -> Mapping[str, Any]:
    """As many troopers as a channel has room for, each with so many skills and weapons."""
    data = json.loads(army({"GRUNT OF THE LINE": ((), 10)}))
    (option,) = data["units"][0]["profileGroups"][0]["options"]
    names = sorted(trooper_parts(), key=len)[-skills:]
    data["filters"]["skills"] = [{"id": at, "name": name} for at, name in enumerate(names)]
    data["weapons"] = [{**data["weapons"][0], "id": at, "name": f"Combi Rifle {at}"} for at in range(weapons)]
    option |= {key: [{"id": at} for at in range(most)] for key, most in (("skills", skills), ("weapons", weapons))}
    return {"code": code(*[GRUNT] * (MAX_TROOPERS - 1)), "file": ("army.json", json.dumps(data).encode())}


LARGE: Final[Mapping[str, Callable[[], Mapping[str, Any]]]] = {
    "army": partial(large_army, 1, 1),
    "army with most skills": partial(large_army, MAX_SKILLS, MAX_WEAPONS),
}
"""Army lists that are as large as they can be."""


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", LARGE)
async def test_no_file_that_is_taken_holds_the_loop_for_long(
    club: Club, admin: simcord.MemberActor, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to the file, and the board after it with the presses on it."""
    monkeypatch.setattr(conftest, "false_plurals", lambda _: [])  # names are long
    await fill(club, admin, "prefer")
    await club.bo.slash(club.channel, "infinity profile set", name="Hector", stats="BS 12, W 1, Combi: B3 PS 7 N ARM")
    crawler = CountingCrawler(club, (admin, club.bo))
    for line, given in (("infinity profile import", LARGE[kind]()), ("table show", {}), ("table show", {})):
        forget_texts()
        with counting() as steps:
            result = await admin.slash(club.channel, line, **given)
        crawler.cost[f"/{line}"] = max(steps.most, crawler.cost.get(f"/{line}", 0))
        await crawler.follow(admin, result, PRESSED)
    table = await client_of(club).tables.pieces(Place(club.channel.id, club.guild.id), "infinity")
    assert len(table) >= MAX_TROOPERS, "the file is taken"
    print(f"\n{kind}", *sorted(crawler.cost.items(), key=lambda item: -item[1])[:5], sep="\n")  # noqa: T201 - as above
    assert max(crawler.cost.values()) < MAX_STEPS, crawler.cost


def large_squad(random: Random, faction: str, ships: int, upgrades: int) -> str:
    """A squad of pilots and upgrades drawn from all of a set; some pilots bring upgrades of their own."""
    known = json.loads((SHIPPED / "xwa.json").read_text())
    pilots = [pilot for pilot, card in known["pilots"].items() if card["faction"] == faction]
    drawn = list[Mapping[str, Any]]()
    for _ in range(ships):
        held = defaultdict[str, list[str]](list)
        for upgrade in random.sample(sorted(known["upgrades"]), upgrades):
            held[known["upgrades"][upgrade]["slot"]].append(upgrade)
        drawn.append({"id": random.choice(pilots), "upgrades": held})
    return json.dumps({"faction": faction, "pilots": drawn})


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize(("most", "upgrades"), [(MAX_SHIPS - 1, 2), (16, 4)])
async def test_no_full_table_of_ships_holds_the_loop_for_long(
    club: Club, most: int, upgrades: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards of as many ships or upgrades as a channel holds, with their dials, and the presses on them."""
    monkeypatch.setattr(conftest, "false_plurals", lambda _: [])  # names are long
    random = Random(5)
    for person, faction, ships in (
        (club.ana, "rebelalliance", most - most // 2),
        (club.bo, "galacticempire", most // 2),
    ):
        await person.slash(club.channel, "xwing squad", text=large_squad(random, faction, ships, upgrades))
    crawler = CountingCrawler(club, (club.ana, club.bo))
    for _ in range(MAX_LINES):
        forget_texts()
        with counting() as steps:
            result = await club.ana.slash(club.channel, "table show")
        crawler.cost["/table show"] = max(steps.most, crawler.cost.get("/table show", 0))
        await crawler.follow(club.ana, result, PRESSED)
    table = await client_of(club).tables.pieces(Place(club.channel.id, club.guild.id), "xwing")
    assert len(ships_of(table)) == most, "the squads are taken"
    print("\nships", *sorted(crawler.cost.items(), key=lambda item: -item[1])[:5], sep="\n")  # noqa: T201 - as above
    assert max(crawler.cost.values()) < MAX_STEPS, crawler.cost


def report(part: str, sweep: Sweep) -> None:
    """Print what costs most, for whoever runs the complete sweep."""
    print(f"\n{part}: {len(sweep.found)} texts", *sweep.worst, sep="\n")  # noqa: T201 - see above
