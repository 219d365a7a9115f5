"""The recipe in bot/ADDING_A_GAME.md, followed to the letter: the game on that page is played on every floor."""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from discord.app_commands import Command

from bot.cli import terminal
from bot.games import GAMES
from bot.render.help import page as help_page
from bot.rules.errors import BadInputError, NotOfferedError
from bot.rules.game import Choice, Rules
from bot.sessions import codec
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, Played
from bot.sessions.sessions import RollOpening, Sessions
from bot.store.database import Database
from bot.ui.roll import roll_message
from cogs.help import describe_command
from tests.every_way import every_way

PAGE: Final = Path(__file__).parents[2] / "bot" / "ADDING_A_GAME.md"
FILES: Final = dict(re.findall(r"### `([\w/]+\.py)`\n\n```python\n(.*?)```", PAGE.read_text(), re.DOTALL))
"""The files of the recipe by their path."""

ANN: Final = Person(1, "Ann")
HERE: Final = Place(2)


@pytest.fixture(autouse=True)
def followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The files in their packages and the game in the list; nothing else is touched."""
    for path, code in FILES.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code)
        package = importlib.import_module(path.rpartition("/")[0].replace("/", "."))
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(file.parent)])
    importlib.invalidate_caches()
    monkeypatch.setitem(GAMES, "target", load("bot.games.target").GAME)
    yield
    for path in FILES:
        parent, name = path.removesuffix(".py").replace("/", ".").rsplit(".", 1)
        sys.modules.pop(f"{parent}.{name}", None)
        vars(sys.modules[parent]).pop(name, None)


def load(name: str) -> Any:
    return importlib.import_module(name)


def game() -> Rules:
    return GAMES["target"].rules


def test_the_page_holds_the_five_files() -> None:
    rooms = ("bot/rules", "bot/odds", "bot/render", "bot/games", "cogs")
    assert list(FILES) == [f"{room}/target.py" for room in rooms]


def test_the_rules_fit_the_shape_of_a_game() -> None:
    assert isinstance(game(), ModuleType)
    asked = [name for name in vars(Rules) if not name.startswith("_")]
    assert asked
    assert all(hasattr(game(), name) for name in asked)


def test_it_is_played_by_its_offers() -> None:
    failed = game().start(game().declare({"number": 4}), lambda _: 2)
    assert [offer.key for offer in game().offers(failed)] == ["reroll"]
    again = game().choose(failed, Choice("reroll"), lambda _: 4)
    assert game().outcome(again) == {"face": 5, "passed": True}
    assert game().offers(again) == ()
    with pytest.raises(NotOfferedError):
        game().choose(again, Choice("reroll"), lambda _: 5)


def test_what_cannot_be_declared_is_refused() -> None:
    with pytest.raises(BadInputError, match=r"`number` was `7`\. Use a whole number from 2 to 6"):
        game().declare({"number": 7})


@pytest.mark.parametrize("number", range(2, 7))
def test_the_odds_equal_every_way_the_dice_can_fall(number: int) -> None:
    declared = game().declare({"number": number})

    def play(rng: Any) -> tuple[bool, bool]:
        state = first = game().start(declared, rng)
        for offer in game().offers(state):
            state = game().choose(state, Choice(offer.key), rng)
        return first.is_passed, state.is_passed

    ways = every_way(play)
    told = {name: Fraction(str(value)) for name, value in GAMES["target"].odds(declared).items()}
    assert told["p_passed"] == sum(chance for (first, _), chance in ways.items() if first)
    assert told["p_rerolled"] == sum(chance for (_, last), chance in ways.items() if last)


def test_the_terminal_knows_it() -> None:
    told, shown = terminal.roll("target", {"number": 4}, lambda _: 5)
    assert told == {"face": 6, "passed": True}
    assert "Somebody passes: 6 against 4." in shown
    assert terminal.odds("target", {"number": 4})[0] == {"p_passed": "1/2", "p_rerolled": "3/4"}


async def test_it_is_stored_shown_pressed_and_read_back(tmp_path: Path) -> None:
    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path / 'rolls.db'}")
    falling = iter((2, 4))
    sessions = Sessions(database, lambda _: next(falling))
    opened = await sessions.open(Request(ANN, HERE), RollOpening(GAMES["target"], game().declare({"number": 4})))
    assert roll_message.roll_card(opened).outcome == "Ann fails: 3 against 4."
    buttons = roll_message.view(opened).to_components()[0]["components"]
    assert [button["label"] for button in buttons] == [
        "Reroll the die (once)",
        "How?",
    ]
    pressed = await sessions.choose(Request(ANN, HERE), Address(opened.session, 0, "reroll"), Choice("reroll"))
    await database.close()
    assert isinstance(pressed, Played)
    assert roll_message.roll_card(pressed).outcome == "Ann passes: 5 against 4."
    assert json.loads(codec.write_state(game(), pressed.state))["die"]["trail"][-1]["by"] == {"code": "reroll"}


def test_help_tells_its_commands() -> None:
    commands = [item for item in load("cogs.target").Target().walk_app_commands() if isinstance(item, Command)]
    page = help_page(game(), [describe_command(command) for command in commands])
    assert page.facts == (
        ("/target roll", "Roll a d6 that must show a number or more\nOptions: number"),
        ("/target odds", "The exact odds of reaching a number\nOptions: number"),
    )


def test_its_commands_are_a_cog() -> None:
    cog = load("cogs.target").Target()
    assert [command.qualified_name for command in cog.walk_app_commands()] == ["target roll", "target odds"]


def test_odds_without_a_chart_are_listed() -> None:
    answer = GAMES["target"].odds_answer
    shown = answer.draw(answer.count(game().declare({"number": 4})))
    assert shown.title == "Target number odds"
    assert shown.facts == (("p passed", "1/2 (50%)"), ("p rerolled", "3/4 (75%)"))
