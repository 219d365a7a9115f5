"""A further game, added as ``bot/ADDING_A_GAME.md`` says and in no other way, passes whatever asks every game.

The project is copied, the files of the game are put in their places, and its own tests run there: the laws, the cards,
the terminal, the help, the README. Types and style are checked as `make lint` checks them, and no catalog of another
game changes. One game is that of the page; the other one declares from nothing and has no part
that is optional.
"""

import difflib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
COPIED: Final = ("bot", "cogs", "migrations", "tests", "docs", "README.md", "CHANGELOG.md", "pyproject.toml")
PAGE: Final = (ROOT / "bot" / "ADDING_A_GAME.md").read_text(encoding="utf-8")
RECIPE: Final = dict(re.findall(r"### `([\w/]+\.py)`\n\n```python\n(.*?)```", PAGE, re.DOTALL))
ASKED: Final = (
    "tests/test_laws.py",
    "tests/test_house.py",
    "tests/cli/test_terminal.py",
    "tests/cogs/test_help.py",
    "tests/odds/test_luck.py",
    "tests/render/test_faces.py",
    "tests/render/test_help.py",
    "tests/rules/test_rolled.py",
    "tests/ruleset/test_settings.py",
    "tests/ui/test_card_messages.py",
    "tests/ui/test_roll_message.py",
)
"""The tests that ask every game."""
OF_ALL: Final = " or ".join(
    (
        "lower_case_word",
        "stands_in_the_readme",
        "brings_commands",
        "work_everywhere",
        "own_modules_only",
        "has_its_cases",
    )
)
"""Those among them that ask all games at once."""

ONE_DIE: Final = {
    "bot/rules/onedie.py": '''"""One die: it falls, and that is all."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.rules.dice import Rng, Rolled, roll
from bot.rules.game import Choice, Offer, find_offer
from bot.rules.json_reader import JsonReader
from bot.rules.text import Name

KEY = "onedie"
TITLE = Name("One die")
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Declared:
    """Nothing is declared."""


@dataclass(frozen=True, slots=True)
class State:
    die: Rolled


def declare(raw: Mapping[str, object]) -> Declared:
    JsonReader(raw).check_all_taken()
    return Declared()


def dice_count(declared: Declared) -> int:  # noqa: ARG001 - one die, whatever is declared
    return 1


def start(declared: Declared, rng: Rng) -> State:  # noqa: ARG001 - as above
    return State(*roll("d6", (1, 2, 3, 4, 5, 6), 1, rng))


def rolled(state: State) -> tuple[Rolled, ...]:
    return (state.die,)


def offers(state: State) -> tuple[Offer, ...]:  # noqa: ARG001 - it is over
    return ()


def choose(state: State, choice: Choice, rng: Rng) -> State:  # noqa: ARG001 - nothing is offered
    find_offer(offers(state), choice)
    return state


def outcome(state: State) -> Mapping[str, object]:
    return {"face": state.die.face}
''',
    "bot/odds/onedie.py": '''"""The exact odds of one die."""

from collections.abc import Mapping
from fractions import Fraction

from bot.odds.distribution import exact
from bot.rules.onedie import Declared


def odds(declared: Declared) -> Mapping[str, object]:  # noqa: ARG001 - nothing is declared
    return {"mean": exact(Fraction(7, 2))}
''',
    "bot/render/onedie.py": '''"""One die on a card."""

from bot.render.card import Card, People, Strip, Tile
from bot.rules.game import Side
from bot.rules.onedie import TITLE, State
from bot.rules.text import Code, Text


def card(state: State, names: People) -> Card:
    face = Code(str(state.die.face))
    return Card(
        title=TITLE,
        outcome=Text("{who} rolls {face}.", who=names.get(Side.ATTACKER, Text("Somebody")), face=face),
        strips=(Strip(Text("Die"), (Tile("d6", face, "stands"),)),),
        alt=Text("Die: {face}", face=face),
        ahead="nobody",
    )
''',
    "bot/games/onedie.py": '''"""One die."""

from bot.games.game import Game
from bot.odds import onedie as odds
from bot.render import onedie as cards
from bot.rules import onedie as rules

GAME = Game(rules=rules, odds=odds.odds, card=cards.card)
''',
    "cogs/onedie.py": '''"""`/onedie`: one die."""

from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules import onedie
from bot.ui.roll.roll_message import declare, open_roll


class OneDie(commands.Cog):
    """One command."""

    @app_commands.command(description="Roll one die")
    async def onedie(self, interaction: Interaction) -> None:
        await open_roll(interaction, onedie.KEY, await declare(interaction, onedie.KEY, {}))


async def setup(client: Client) -> None:
    await client.add_cog(OneDie())
''',
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with both games: their files, both in the list of games, their titles in the README."""
    copy = tmp_path_factory.mktemp("project")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("*.png", "*.gif", "*.pyc.*"))
        else:
            shutil.copy(source, copy / name)
    for path, code in {**RECIPE, **ONE_DIE}.items():
        (copy / path).write_text(code, encoding="utf-8")
    games = copy / "bot" / "games" / "__init__.py"
    text = games.read_text(encoding="utf-8")
    text = text.replace("import albion,", "import onedie, target, albion,", 1)
    text = re.sub(r"(EVERY: Final = \(.*?)\)", r"\1, target.GAME, onedie.GAME)", text, count=1)
    games.write_text(text, encoding="utf-8")
    readme = copy / "README.md"
    readme.write_text(readme.read_text(encoding="utf-8") + "\nTarget number, One die\n", encoding="utf-8")
    return copy


def test_what_every_game_is_asked(project: Path) -> None:
    asked = f"((target or onedie) and not pictures) or {OF_ALL}"
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-k", asked, *ASKED]
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    assert " passed" in ran.stdout


def run(project: Path, *command: str) -> None:
    ran = subprocess.run([sys.executable, "-m", *command], cwd=project, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_it_passes_the_linters(project: Path) -> None:
    """The cache of mypy is copied where there is one: only the new files are checked then."""
    files = (*RECIPE, *ONE_DIE)
    run(project, "ruff", "check", "--no-cache", *files)
    run(project, "ruff", "format", "--no-cache", "--check", *files)
    if (ROOT / ".mypy_cache").is_dir():
        shutil.copytree(ROOT / ".mypy_cache", project / ".mypy_cache")
    run(project, "mypy", *files)


def test_no_catalog_of_another_game_changes(project: Path) -> None:
    folder = project / "bot" / "languages"
    before = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.po*")}
    run(project, "bot.languages.catalogs")
    after = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.po*")}
    assert {path.stem for path in after.keys() - before.keys()} == {"target", "onedie"}
    changed = [path for path in before if after[path] != before[path]]
    assert {path.stem for path in changed} == {"rollcall"}, "both new games say it at once, so it is shared"
    for path in changed:
        diff = difflib.unified_diff(before[path].splitlines(), after[path].splitlines(), n=0, lineterm="")
        assert [line for line in diff if line.startswith("-") and not line.startswith("---")] == []
