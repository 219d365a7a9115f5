"""The command line, `python -m bot`: play, run, the commands of hosts, and dice without Discord.

Each command imports only what it needs: `odds` has never heard of Discord.
"""

import argparse
import gc
import logging
import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final


@contextmanager
def importing() -> Iterator[None]:
    """Look for no garbage among what is made meanwhile, now or later: what an import makes stays."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


OF_THE_ORM: Final = ("sqlalchemy.ext.asyncio.scoping", "sqlalchemy.ext.asyncio.session")
"""Modules that only offer SQLAlchemy's ORM to asyncio. The package beside them imports both, and so the whole ORM."""


class UnusedModule(ModuleType):
    """A module that has every name, and nothing behind any of them."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


def disable_unused_orm() -> None:
    """Disable SQLAlchemy's ORM, 6 MiB and 0.05 s of each start; call before importing ``sqlalchemy.ext.asyncio``."""
    for name in OF_THE_ORM:
        sys.modules.setdefault(name, UnusedModule(name))


def parser() -> argparse.ArgumentParser:
    """Return the parser that ``cli/arguments.toml`` describes."""
    whole = argparse.ArgumentParser(prog="python -m bot", description="Rollcall, a dice referee for Discord.")
    add_commands(
        whole,
        tomllib.loads((Path(__file__).with_name("cli") / "arguments.toml").read_text(encoding="utf-8")),
        "command",
    )
    return whole


def add_commands(parent: argparse.ArgumentParser, table: Mapping[str, Any], kind: str) -> None:
    with importing():
        from bot.games import by_terminal

    commands = parent.add_subparsers(dest=kind, required=True, metavar=kind.upper())
    for name, row in table.items():
        item = commands.add_parser(name, help=row["help"])
        item.register("type", "number", int)
        item.register("type", "path", Path)
        item.register("type", "day", lambda text: datetime.fromisoformat(text).replace(tzinfo=UTC))
        for options in row.get("options", ()):
            if options["name"] == "game":
                options |= {"choices": tuple(by_terminal()), "help": ", ".join(by_terminal())}
            item.add_argument(options.pop("name"), **options)
        if "parts" in row:
            add_commands(item, row["parts"], "part")


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options. `--json` may come before the declaration, which argparse alone would not accept."""
    options, rest = parser().parse_known_args(arguments)
    if len(rest) == 1 and getattr(options, "declaration", "") is None:
        options.declaration = rest[0]
    elif rest:
        parser().error(f"unrecognized arguments: {' '.join(rest)}")
    return options


def say(sentence: object, code: int = 0) -> int:
    """Print what came of a command, or on standard error what went wrong; returns the exit code."""
    print(sentence, file=sys.stderr if code else sys.stdout)
    return code


def terminal(options: argparse.Namespace) -> int:
    """`roll` and `odds`; exit code 2 for a declaration that is refused."""
    from secrets import randbelow

    from bot.cli import terminal as shown

    game = options.game
    resolve = partial(shown.odds, game) if options.command == "odds" else partial(shown.roll, game, rng=randbelow)
    printed, good = shown.answer(shown.read(options.declaration, game), resolve, game, as_json=options.json)
    print(printed, file=sys.stdout if good or options.json else sys.stderr)
    return 0 if good else 2


def verify(options: argparse.Namespace) -> int:
    """Exit code 0 when every die fits, 1 for the first thing that does not, 2 for a file that cannot be read."""
    from bot.fair import verify as fair

    try:
        verdict = fair.verify(options.file.read_bytes())
    except OSError as error:
        return say(f"{options.file} can't be read: {error.strerror}. Name the file again.", 2)
    return say(fair.report(verdict), 0 if verdict.fits else 1)


def invite(options: argparse.Namespace) -> int:
    """Exit code 2 where nothing says whose links they are."""
    from bot import settings
    from bot.discord_api import invite_links

    try:
        client_id = options.client_id or invite_links.application_of(settings.token(settings.read()))
    except settings.SettingsError as error:
        return say(f"{error} Or name the application: `invite --client-id ID`.", 2)
    if client_id is None:
        return say("DISCORD_TOKEN is no bot's token. Name the application: `invite --client-id ID`.", 2)
    return say("\n".join(invite_links.lines(client_id)))


def squad(options: argparse.Namespace) -> int:
    """The ships of a squad."""
    from bot.cli.terminal import squads

    return say(squads(options.declaration, as_json=options.json, card_set=options.set))


def cards(options: argparse.Namespace) -> int:
    """Card sets."""
    from bot.cli import card_files
    from bot.cli.terminal import named_set
    from bot.render.xwing.card_sets import comparison

    if options.part == "import":
        return say(card_files.import_card_set(options.source, options.set, options.as_of))
    if options.part == "diff":
        return say(comparison(named_set(options.new), named_set(options.old)))
    return say(card_files.list_card_sets())


def use_card_sets() -> None:
    """Know the card sets in the folder of this host. A command that needs the settings says what is wrong."""
    from bot import settings
    from bot.rules.xwing.cards.card_sets import SHELF

    with suppress(settings.SettingsError):
        SHELF.folder = settings.read().data_folder / "cards"


def play(options: argparse.Namespace) -> int:
    """The simulated Discord; it needs the extra of the same name."""
    import asyncio

    try:
        from simcord import SetupError

        from bot import logging_setup
        from bot.cli.play import play as playing
        from bot.runtime import watchdog
        from bot.store.errors import StoreError
    except ModuleNotFoundError as error:
        return say(f"`play` needs {error.name}: install it with `pip install 'rollcall[play]'`.", 1)
    logging_setup.configure("warning")
    logging.getLogger(watchdog.__name__).setLevel(logging.ERROR)  # one person plays here: nobody else waits
    try:
        whole = playing(options.port, Path(options.db).resolve(), alone=options.alone)
        asyncio.run(whole)  # simcord needs the loop of asyncio itself
    except StoreError as error:
        return say(f"{error} ({error.reason})", 1)
    except SetupError as error:
        return say(f"The page cannot be served: {error}. Choose another with --port, or 0 for a free one.", 1)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 done, 1 failed on the way, 2 wrong settings or words; 130 and 141 as a shell says them."""
    options = parsed(arguments)
    try:
        code = run_command(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever reads has seen enough, as `head`; nothing more can be told, also on the way out
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def run_command(options: argparse.Namespace) -> int:
    """Exit code 2 for what is refused."""
    from bot.rules.errors import PlayerError

    if options.command != "verify":
        use_card_sets()
    if (act := ACTS.get(options.command)) is not None:
        try:
            return act(options)
        except PlayerError as error:
            return say(error, 2)
    with importing():
        disable_unused_orm()
        from bot.cli import commands

    return commands.command(options.command, **{key: value for key, value in vars(options).items() if key != "command"})


ACTS: Final[Mapping[str, Callable[[argparse.Namespace], int]]] = {
    **{item.__name__: item for item in (cards, verify, squad, invite, play)},
    **dict.fromkeys(("roll", "odds"), terminal),
}
"""Commands that don't need the settings of a bot on Discord."""


if __name__ == "__main__":
    sys.exit(main())
