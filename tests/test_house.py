"""The house tests itself: what may know what, which lists name the same games, and what every file must say."""

import ast
import asyncio
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import discord
import pytest

import bot.odds
import bot.rules
import cogs
from bot.__main__ import parser
from bot.games import GAMES
from bot.languages import ENGLISH, LANGUAGES, Language
from bot.rules.anydice.systems import SYSTEMS
from bot.rules.text import english
from bot.runtime.app import App
from bot.settings import Settings
from tests.pseudo import pseudo
from tests.trees import tree_of

ROOT = Path(__file__).parents[1]
OURS = ("bot", "cogs", "migrations")
MAX_IMPORTS = 40
"""Import statements at the top of a file."""
MAX_DESCRIPTION = 75
"""Characters of a description: Discord takes 100, and other languages need more room than English."""
MAX_COMMAND = 8000
"""Characters of names and descriptions in one slash command with all its subcommands: Discord's limit."""
MAX_ENGLISH = 5700
"""The same in English alone: of each text Discord counts the longest language, and others need more room."""


MARKS: Final = ("noqa", "type: *ignore", "pragma", "nosec", "codespell:")
SILENCE: Final = re.compile(rf"# *(?:{'|'.join(MARKS)})|pytest\.(?:skip|importorskip)\(|\.(?:skipif|xfail)\(")
"""What keeps a checker or a test quiet."""
SAYS_WHY: Final = re.compile(
    r"noqa: [A-Z0-9, ]+ - \w|type: ignore\[[a-z, -]+\]  # \w|reason=[\"']\w|skip\((?:\"\w|.*\)  # \w)"
)


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@pytest.fixture(scope="module")
def trees() -> dict[Path, ast.Module]:
    """Every file of ours, read once."""
    return {path: tree_of(path) for path in sources(*OURS)}


def modules(package: Any) -> list[str]:
    return [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]


def bare(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in an interpreter that sees the standard library and this checkout, and nothing that is installed."""
    whole = f"import sys; sys.path.insert(0, {str(ROOT)!r}); sys.dont_write_bytecode = True; {code}"
    return subprocess.run([sys.executable, "-I", "-S", "-c", whole], capture_output=True, text=True, check=False)


# Floors


def test_the_rules_and_the_odds_load_in_a_bare_interpreter() -> None:
    names = modules(bot.rules) + modules(bot.odds)
    assert len(names) > 10
    loaded = bare(f"import importlib; [importlib.import_module(name) for name in {names}]; print(*sys.modules)")
    assert loaded.returncode == 0, loaded.stderr
    outside = {"discord", "sqlalchemy", "pydantic", "PIL", "aiosqlite"}
    assert not outside & set(loaded.stdout.split())


def test_the_rules_know_no_loop_no_chance_and_no_picture() -> None:
    loaded = bare(
        f"import importlib; [importlib.import_module(name) for name in {modules(bot.rules)}]; print(*sys.modules)"
    )
    assert loaded.returncode == 0, loaded.stderr
    assert not {"asyncio", "random", "secrets", "PIL", "socket", "sqlite3"} & set(loaded.stdout.split())


def test_nobody_knows_everybody(trees: dict[Path, ast.Module]) -> None:
    """A file that imports so much is the only one that knows all, and grows with everything."""
    imports = {
        path: sum(isinstance(item, ast.Import | ast.ImportFrom) for item in tree.body) for path, tree in trees.items()
    }
    assert {path: number for path, number in imports.items() if number > MAX_IMPORTS} == {}


def test_nobody_says_random(trees: dict[Path, ast.Module]) -> None:
    """Chance comes from ``bot.sessions.chance``, and is handed on."""
    assert [path for path, tree in trees.items() if "random" in set(imported(tree))] == []


def imported(tree: ast.Module) -> Iterator[str]:
    """The top-level modules that a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


AT_ONCE: Final = {
    "bot/background.py": "it starts them",
    "bot/ui/core/responses.py": "the clock of an answer, which every action waits for",
    "bot/cli/play.py": "the simulated Discord's own, around the bot",
    "bot/store/coordination.py": "waited for where it starts, beside its lock",
    "bot/cli/commands.py": "the process's own, around the bot",
    "bot/web/live_pages.py": "a server's own, for as long as it serves",
    "bot/web/activity.py": "a server's own, for as long as it serves",
}
"""Where timers and tasks begin otherwise than by ``bot.background``, and why."""


def test_what_runs_later_begins_in_the_background(trees: dict[Path, ast.Module]) -> None:
    """Else an action in the simulated Discord waits for it, seconds before it is due."""
    starts = {"create_task", "ensure_future", "call_later", "call_at"}
    result = {
        path.relative_to(ROOT).as_posix()
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in starts and getattr(node.value, "id", "") != "background"
    }
    assert result == AT_ONCE.keys()


def test_the_environment_is_read_in_one_place(trees: dict[Path, ast.Module]) -> None:
    """Whoever starts a process hands on what ``bot.child_environment`` lets through."""
    readers = {
        path.relative_to(ROOT).as_posix()
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "environb")
    }
    assert readers == {"bot/child_environment.py"}


# Lists


def test_a_key_is_one_short_lower_case_word_and_the_name_of_its_modules() -> None:
    for key, game in GAMES.items():
        assert key == game.key == game.rules.KEY
        assert re.fullmatch(r"[a-z][a-z0-9]{0,19}", key)
        for package in ("rules", "odds", "render", "games"):
            assert importlib.util.find_spec(f"bot.{package}.{key}") is not None


def test_games_are_named_in_their_own_modules_only(trees: dict[Path, ast.Module]) -> None:
    """A text that is just the key of a game would be a line of another list."""
    for path in sources("bot"):
        nodes = () if GAMES.keys() & {path.stem, *path.relative_to(ROOT).parts} else ast.walk(trees[path])
        texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        assert not texts & GAMES.keys(), path


def test_every_command_of_a_game_has_its_game_and_stands_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    playable = {module.name for module in pkgutil.iter_modules(bot.rules.__path__)} & cog_names()
    assert playable <= GAMES.keys()
    for key in playable:
        assert english(GAMES[key].title) in readme


def test_the_readme_says_how_many_systems_have_dice_by_name() -> None:
    tens = {60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety"}
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"The dice of some {tens[round(len(SYSTEMS), -1)]} games by name" in readme


def test_the_readme_names_every_command_of_the_terminal() -> None:
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## In the terminal")[2].partition("\n## ")[0]
    others = section.partition("lists the other commands:")[2]
    named = [*re.findall(r"^python -m bot (\w+)", section, re.MULTILINE), *re.findall(r"`(\w+)`", others)]
    commands = next(action for action in parser()._actions if action.dest == "command").choices
    assert commands is not None
    assert set(named) == set(commands)


def cog_names() -> set[str]:
    return {module.name for module in pkgutil.iter_modules(cogs.__path__)}


# Commands


@pytest.fixture(scope="module")
def commands() -> list[dict[str, Any]]:
    """Every slash command as Discord gets it; registering two of one name would have failed."""

    async def load() -> list[dict[str, Any]]:
        app = App(Settings.model_construct())
        for name in sorted(cog_names()):
            await importlib.import_module(f"cogs.{name}").setup(app)
        return [command.to_dict(app.tree) for command in app.tree.get_commands(type=discord.AppCommandType.chat_input)]

    return asyncio.run(load())


def parts(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A command, its subcommands, and all their options."""
    yield command
    for option in command.get("options", ()):
        yield from parts(option)


def test_every_cog_brings_commands(commands: list[dict[str, Any]]) -> None:
    assert len(commands) >= len(cog_names())
    assert {command["name"] for command in commands} >= GAMES.keys() & cog_names()


def test_a_command_fits_into_what_discord_takes(commands: list[dict[str, Any]]) -> None:
    for command in commands:
        texts = [part.get(key, "") for part in parts(command) for key in ("name", "description")]
        choices = [choice for part in parts(command) for choice in part.get("choices") or ()]
        texts += [text for choice in choices for text in (choice["name"], str(choice["value"]))]
        assert sum(map(len, texts)) < MAX_ENGLISH, command["name"]


def test_a_command_fits_in_a_language_that_is_a_third_longer(commands: list[dict[str, Any]]) -> None:
    """Discord counts each text in the longest language that it has; what people type keeps its length."""
    for command in commands:
        held = 0
        for part in parts(command):
            said = pseudo(part["description"])
            assert len(said) <= 100, f"{command['name']} {part['name']}: {part['description']}"
            names = [choice["name"] for choice in part.get("choices") or ()]
            held += len(part["name"]) + len(said) + sum(len(pseudo(name)) for name in names)
            held += sum(len(str(choice["value"])) for choice in part.get("choices") or ())
        assert held <= MAX_COMMAND, f"{command['name']} has {held} characters"


def test_every_command_and_option_says_what_it_is(commands: list[dict[str, Any]]) -> None:
    for command in commands:
        for part in parts(command):
            text = part["description"]
            assert 5 <= len(text) <= MAX_DESCRIPTION, f"{command['name']} {part['name']}: {text}"
            assert len(part.get("options", ())) <= 25
            names = [option["name"] for option in part.get("options", ())]
            assert len(set(names)) == len(names)


def test_commands_work_everywhere_unless_they_need_a_server(commands: list[dict[str, Any]]) -> None:
    for command in commands:
        if command["name"] in GAMES:
            assert command["contexts"] == [0, 1, 2], "servers, direct messages, private channels"
            assert command["integration_types"] == [0, 1], "for servers and for people"


def test_no_command_is_left_to_a_prefix() -> None:
    """Prefix commands need an intent that this bot does not ask for."""
    for path in sources("cogs"):
        text = path.read_text(encoding="utf-8")
        assert "@commands.command" not in text
        assert "hybrid" not in text


# Rooms


def test_every_setting_stands_in_the_example() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"^#?\s*([A-Z_]+)=", example, re.MULTILINE))
    assert named == {name.upper() for name in Settings.model_fields}


@pytest.mark.parametrize("path", sources("migrations/versions"), ids=lambda path: path.stem)
def test_the_first_line_of_a_migration_says_why(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith('"""')
    assert len(first.split()) >= 4
    assert re.match(r"\d{4}_", path.name)


def test_every_file_says_what_it_is_for(trees: dict[Path, ast.Module]) -> None:
    assert [path for path, tree in trees.items() if not ast.get_docstring(tree)] == []


def test_every_silence_says_why() -> None:
    lines = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sources(*OURS, "tests", "benchmarks", "docs")
        for line in path.read_text(encoding="utf-8").splitlines()
        if SILENCE.search(line) and not SAYS_WHY.search(line)
    ]
    assert lines == [], "say on the same line why"


def test_golden_files_are_what_they_are_called() -> None:
    for path in (ROOT / "tests" / "golden").glob("*.json"):
        assert path.stem.partition("_")[0] in {*GAMES, "army", "cards", "links", "public", "reports"}
        assert json.loads(path.read_text(encoding="utf-8"))["about"]


def test_the_page_for_newcomers_names_files_that_are_there() -> None:
    page = (ROOT / "bot" / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w./]+\.(?:py|md))`", page))
    assert len(named) > 25
    assert not {name for name in named if not (ROOT / "bot" / name).exists()}


# Pages in other languages


@pytest.mark.parametrize(
    "language", [language for language in LANGUAGES.values() if language is not ENGLISH], ids=lambda item: item.key
)
def test_a_page_in_another_language_says_what_is_true(language: Language) -> None:
    """Every game has two examples, and the button has its name; that commands and files are there test_pages asks."""
    page = (ROOT / "docs" / f"README.{language.key}.md").read_text(encoding="utf-8")
    assert f"docs/README.{language.key}.md" in (ROOT / "README.md").read_text(encoding="utf-8")
    typed = re.findall(r"`/([^`]+)`", page)
    for key, game in GAMES.items():
        assert game.is_general or english(game.title) in page
        assert sum(line.split()[0] == ("roll" if game.is_general else key) for line in typed) >= (
            1 if game.is_general else 2
        )
    assert f"setting:language value:{language.name} " in page
    assert f"**{language.message('React')}**" in page


# Branches

MAX_BRANCHES: Final = 20
DECIDES: Final = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case)


def branches(function: ast.AST) -> int:
    """Count the ways through a function: also those of conditions, comprehensions, and functions inside it."""
    nodes = [*ast.walk(function)]
    operators = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    filters = sum(1 + len(node.ifs) for node in nodes if isinstance(node, ast.comprehension))
    return 1 + sum(isinstance(node, DECIDES) for node in nodes) + operators + filters


def test_no_function_has_too_many_branches(trees: dict[Path, ast.Module]) -> None:
    functions = (
        (path, node)
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert [f"{path}:{node.lineno} {node.name}" for path, node in functions if branches(node) > MAX_BRANCHES] == []


WAITS: Final = re.compile(r"(?:asyncio\.timeout\(|\btimeout=(?!0[,)])|asyncio\.wait_for\(.*, )[0-9.]+[,)]")


def test_no_test_fails_because_a_machine_is_slow() -> None:
    """A limit of real time is a ``PATIENCE`` of ten minutes, not a number that was enough where it was written."""
    lines = ((path, line) for path in sources("tests") for line in path.read_text(encoding="utf-8").splitlines())
    assert [f"{path}: {line}" for path, line in lines if WAITS.search(line)] == []
