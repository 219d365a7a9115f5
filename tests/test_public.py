"""What other people's habits and programs rely on: each public name of ``golden/public.json`` is still there.

Inner names may change at any time; these may not. ``python -m tests.test_public`` lists all of them from the code and
adds those that are new.
"""

import asyncio
import importlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import discord

from bot.fair import plans, protocol
from bot.games import GAMES, by_terminal
from bot.metrics import REGISTRY
from bot.rules.anydice.systems import SYSTEMS
from bot.rules.errors import PlayerError
from bot.rules.infinity.orders.fields import BY_WORD
from bot.rules.xwing.dice.typed_sides import ENGLISH_WORDS
from bot.ruleset.settings import SETTINGS
from bot.runtime.app import App
from bot.settings import Settings
from bot.ui.core.components import KINDS, PREFIX
from tests.test_house import ROOT, cog_names

Kind = discord.AppCommandOptionType
GROUPS: Final = {Kind.subcommand.value, Kind.subcommand_group.value}
LIST: Final = ROOT / "tests" / "golden" / "public.json"


def options(command: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Every command with its subcommands and options: ``/xwing attack``, ``/xwing attack attacker:``."""
    yield (name := f"{path} {command['name']}".strip())
    for option in command.get("options", ()):
        if option["type"] in (
            discord.AppCommandOptionType.subcommand.value,
            discord.AppCommandOptionType.subcommand_group.value,
        ):
            yield from options(option, name)
        else:
            yield f"{name} {option['name']}:"
            yield from (f"{name} {option['name']}:{choice['value']}" for choice in option.get("choices", ()))


async def commands() -> list[str]:
    app = App(Settings.model_construct())
    for name in sorted(cog_names()):
        await importlib.import_module(f"cogs.{name}").setup(app)
    return sorted(line for command in app.tree.get_commands() for line in options(command.to_dict(app.tree)))


def keys(value: object, path: str) -> Iterator[str]:
    """The names in a JSON value, without numbers that stand as names."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            name = "*" if str(key).lstrip("-").replace(",", "").isdigit() else key
            yield f"{path}.{name}"
            yield from keys(inner, f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from keys(inner, f"{path}[]")


def terminal() -> Iterator[str]:
    """The words that ``roll`` and ``odds`` take and answer in JSON, for the samples of each game."""
    for name, game in by_terminal().items():
        for sample in game.samples:
            declared = game.rules.declare(sample)
            yield from keys(sample, f"declare {name}")
            with suppress(PlayerError):  # a contest has no odds before both sides say their dice
                yield from keys(game.odds(declared), f"odds {name}")
            yield from keys(game.rules.outcome(game.rules.start(declared, lambda _: 0)), f"roll {name}")


def command_line() -> Iterator[str]:
    """The commands of ``python -m bot`` with their options."""
    for path in (ROOT / "bot").rglob("*.toml"):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        if {"play", "migrate"} <= table.keys():
            yield from table
            yield from (f"{name} {option['name']}" for name, row in table.items() for option in row.get("options", ()))


def options_of_systems() -> Iterator[str]:
    """The words of options behind dice of a game: ``tor 3 favoured``."""
    for key, system in SYSTEMS.items():
        yield from (f"{key} {word}" for option in system.options for word in option.words)


def public() -> dict[str, list[str]]:
    metrics = (metric for metric in REGISTRY.collect() if not metric.name.startswith("process"))
    return {
        "command line": sorted(command_line()),
        "commands": asyncio.run(commands()),
        "custom ids": sorted(f"{PREFIX}:{word}" for word in {*KINDS.values()}),
        "environment": sorted(name.upper() for name in Settings.model_fields),
        "formats": [plans.MATCH, protocol.DOMAIN.decode()],
        "games": sorted(GAMES),
        "metrics": sorted(metric.name for metric in metrics),
        "settings": sorted(setting.key for setting in SETTINGS),
        "terminal": sorted(set(terminal())),
        "typed words": sorted({*ENGLISH_WORDS, *BY_WORD, *SYSTEMS, *options_of_systems()}),
    }


def listed() -> dict[str, Any]:
    """The names of ``golden/public.json``, by kind."""
    names: dict[str, Any] = json.loads(LIST.read_text(encoding="utf-8"))
    del names["about"]
    return names


def test_every_public_name_is_still_there() -> None:
    now = public()
    for kind, names in listed().items():
        assert sorted(set(names) - set(now[kind])) == [], f"{kind}: people and programs rely on these"


def test_every_public_name_is_listed() -> None:
    """Whoever adds one decides that it stays."""
    now, names = public(), listed()
    assert now.keys() == names.keys()
    new = {kind: sorted(set(now[kind]) - set(names[kind])) for kind in now}
    assert {kind: more for kind, more in new.items() if more} == {}, "run `python -m tests.test_public`"


if __name__ == "__main__":
    before = listed()
    about = json.loads(LIST.read_text(encoding="utf-8"))["about"]
    every = {"about": about} | {kind: sorted({*names, *before.get(kind, ())}) for kind, names in public().items()}
    LIST.write_text(json.dumps(every, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
