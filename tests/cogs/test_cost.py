"""What any text costs, whatever is typed where: every text option, suggestion and form field of every command.

Each is given its longest text in every grammar, and no answer may hold the event loop for more steps than one constant
allows. ``EXPLORE=1`` tries all grammars for everything, and prints the five that cost most.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import pytest
import simcord
from discord import AppCommandOptionType as Kind
from discord import app_commands
from simcord.enums import ComponentType

from bot.ui.core.components import read
from tests import conftest
from tests.cogs.test_crawl import walk
from tests.conftest import Club, Dice
from tests.crawler import Crawler, components, kind_of
from tests.grammars import HARD, UNITS, texts
from tests.steps import MAX_STEPS, counting

MAX_DISCORD: Final = 6000
"""Characters of a text option that states no length, and of what somebody types to get suggestions."""
GRAMMARS: Final = tuple(UNITS) if "EXPLORE" in os.environ else HARD
ROOTS: Final = (
    *("albion", "contest", "fairness", "infinity profile", "infinity roll", "infinity versus", "infinity odds"),
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


@dataclass(slots=True)
class Sweep:
    """Counts steps, and keeps them by what was typed where."""

    club: Club
    found: dict[tuple[str, str, str], int] = field(default_factory=dict)

    async def command(self, by: simcord.MemberActor, command: Slash) -> None:
        """Each text option of a command, and what it suggests."""
        needed = {
            parameter.display_name: value_for(self.club, parameter)
            for parameter in command.parameters
            if parameter.required
        }
        channel, path = self.club.channel, command.qualified_name
        for option in text_options(command):
            name = option.display_name
            longest = int(option.max_value or MAX_DISCORD)
            await by.slash(channel, path, **{**needed, name: "first"[:longest]})  # what is read once is read
            for grammar, text in texts(longest, GRAMMARS).items():
                with counting() as steps:
                    await by.slash(channel, path, **{**needed, name: text})
                self.found[path, name, grammar] = steps.most
            if option.autocomplete:
                for grammar, text in texts(MAX_DISCORD, GRAMMARS).items():
                    with counting() as steps:
                        await by.autocomplete(channel, path, name, text)
                    self.found[path, f"suggestions for {name}", grammar] = steps.most

    @property
    def worst(self) -> list[tuple[int, tuple[str, str, str]]]:
        return sorted(((count, what) for what, count in self.found.items()), reverse=True)[:5]


@pytest.mark.slow
@pytest.mark.parametrize("root", ROOTS)
async def test_no_option_holds_the_loop_for_long(club: Club, root: str, admin: simcord.MemberActor) -> None:
    sweep = Sweep(club)
    if filling := FULL.get(root.split()[0]):
        path, count, given = filling
        for number in range(count):
            await admin.slash(
                club.channel, path, name=f"Angus {chr(ord('A') + number // 26)}{chr(ord('A') + number % 26)}", **given
            )
    tried = [command for command in leaves(club) if root_of(command) == root and any(text_options(command))]
    for command in tried:
        await sweep.command(admin, command)
    assert tried, "each part has commands"
    report(root, sweep)
    assert sweep.worst[0][0] < MAX_STEPS, sweep.worst


async def test_every_command_with_text_is_in_a_part(club: Club) -> None:
    assert [leaf.qualified_name for leaf in leaves(club) if any(text_options(leaf)) and not root_of(leaf)] == []


@dataclass(slots=True)
class HostileCrawler(Crawler):
    """Fills every field of every kind of form with the longest text of every grammar, before it goes on."""

    found: Sweep = field(kw_only=True)

    async def answered(self, by: Any, result: simcord.InteractionResult) -> list[Any]:
        if (form := result.modal) is not None and (at := read(form["custom_id"])) is not None:
            parts = [
                component
                for component in components(form["components"])
                if component["type"] == ComponentType.TEXT_INPUT
            ]
            for part in parts:
                for grammar, text in texts(part.get("max_length", 4000), GRAMMARS).items():
                    key = kind_of(at), part["custom_id"], grammar
                    if key not in self.found.found:
                        given = {item["custom_id"]: item.get("value") or item.get("placeholder", "1") for item in parts}
                        with counting() as steps:
                            await self.club.submit(by, form["custom_id"], {**given, part["custom_id"]: text})
                        self.found.found[key] = steps.most
        return await Crawler.answered(self, by, result)


@pytest.mark.slow
async def test_no_form_holds_the_loop_for_long(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "false_plurals", lambda _: [])  # answers quote what was typed
    sweep = Sweep(club)
    await walk(HostileCrawler(club, (club.ana, club.bo), found=sweep), monkeypatch)
    report("forms", sweep)
    assert len({what[:2] for what in sweep.found}) >= 40, "the fields of all forms"
    assert sweep.worst[0][0] < MAX_STEPS, sweep.worst


def report(part: str, sweep: Sweep) -> None:
    """Print what costs most, for whoever explores."""
    if "EXPLORE" in os.environ:
        print(f"\n{part}: {len(sweep.found)} texts", *sweep.worst, sep="\n")  # noqa: T201 - see above
