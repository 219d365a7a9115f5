"""One table of options: the signature that discord.py reads, the form and the declaration follow from it."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from discord import AppCommandOptionType as Kind, app_commands

from bot.rules.game import Field
from bot.rules.text import Text
from bot.ui.commands.options import MISSING, CommandOption, declaration, takes

CHOICES = (app_commands.Choice(name="both", value="both"), app_commands.Choice(name="none", value="none"))
OPTIONS = (
    CommandOption("range", app_commands.Range[int, 0, 3], "How far"),
    CommandOption("with", app_commands.Range[str, 1, 40], "Your tokens and effects"),
    CommandOption("dice", app_commands.Range[int, 1, 20], "How many", MISSING, word="attack_dice"),
    CommandOption("camera", str, "Whose dice", choices=CHOICES),
    CommandOption("bonus", bool, "A bonus", False, word=""),
)


class Holder:
    got: Any = None

    @app_commands.command(description="Do it")
    @takes(*OPTIONS)
    async def do(self, _: Any, given: Any) -> None:
        self.got = given


def test_the_command_has_the_options_of_the_table() -> None:
    parameters = {parameter.display_name: parameter for parameter in Holder.do.parameters}
    assert list(parameters) == ["dice", "range", "with", "camera", "bonus"], "those that are required come first"
    assert [parameter.required for parameter in parameters.values()] == [True, False, False, False, False]
    assert (parameters["range"].type, parameters["range"].min_value, parameters["range"].max_value) == (
        Kind.integer,
        0,
        3,
    )
    assert (parameters["with"].name, parameters["with"].type, parameters["with"].max_value) == (
        "with_",
        Kind.string,
        40,
    )
    assert [str(parameter.description) for parameter in Holder.do.parameters if parameter.name == "dice"] == [
        "How many"
    ]
    assert [choice.value for choice in parameters["camera"].choices] == ["both", "none"]
    assert parameters["bonus"].default is False


async def test_its_function_gets_what_was_typed_by_the_names_that_people_know() -> None:
    holder: Any = Holder()
    await Holder.do.callback(holder, SimpleNamespace(extras={}), dice=3, with_="focus")  # type: ignore[arg-type]  # as discord.py does
    assert holder.got == {"range": None, "with": "focus", "dice": 3, "camera": None, "bonus": False}
    assert declaration(holder.got, *OPTIONS) == {"range": None, "with": "focus", "attack_dice": 3, "camera": None}


@pytest.mark.parametrize(
    ("name", "longest", "values"),
    [("range", 1, []), ("with", 40, []), ("dice", 2, []), ("camera", 200, ["both", "none"])],
)
def test_a_field_follows_from_its_option(name: str, longest: int, values: list[str]) -> None:
    option = next(item for item in OPTIONS if item.name == name)
    field = option.field(Text("Its label"), "an example")
    assert (field.key, field.label, field.example, field.required) == (name, "Its label", "an example", False)
    assert (field.longest, [item.value for item in field.options]) == (longest, values)
    assert isinstance(field, Field)


ROOT: Final = Path(__file__).parents[2]
BY_HAND: Final = re.compile(r"app_commands\.(describe|rename|choices|autocomplete)\(")


def test_every_command_takes_its_options_from_a_table() -> None:
    sources = [*ROOT.glob("cogs/**/*.py"), *ROOT.glob("bot/**/*.py")]
    assert [source.name for source in sources if BY_HAND.search(source.read_text())] == []
