"""The command line, `python -m bot`: play, run, the commands of hosts, and dice without Discord. Each command imports
only what it needs.
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
    """Disable garbage collection during imports and freeze their objects, which live forever."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


OF_THE_ORM: Final = ("sqlalchemy.ext.asyncio.scoping", "sqlalchemy.ext.asyncio.session")
"""Modules that only make SQLAlchemy's ORM async. Their package imports them, and so the whole ORM."""


class UnusedModule(ModuleType):
    """A module stub that has every name, with nothing behind it."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


def parser() -> argparse.ArgumentParser:
    """Return the parser that ``cli/arguments.toml`` describes."""
    whole = argparse.ArgumentParser(prog="python -m bot", description="Rollcall, a dice referee for Discord.")
    arguments = (Path(__file__).with_name("cli") / "arguments.toml").read_text(encoding="utf-8")
    add_commands(whole, tomllib.loads(arguments), "command")
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


def say(sentence: object, code: int = 0) -> int:
    """Print a command's outcome, errors to standard error; return the exit code."""
    print(sentence, file=sys.stderr if code else sys.stdout)
    return code


def terminal(options: argparse.Namespace) -> int:
    """Run `roll` or `odds`; exit code 2 for an invalid declaration."""
    from secrets import randbelow

    from bot.cli import terminal as shown

    game = options.game
    resolve = partial(shown.odds, game) if options.command == "odds" else partial(shown.roll, game, rng=randbelow)
    printed, good = shown.answer(shown.read(options.declaration, game), resolve, game, as_json=options.json)
    print(printed, file=sys.stdout if good or options.json else sys.stderr)
    return 0 if good else 2


def verify(options: argparse.Namespace) -> int:
    """Verify a file. Exit code 0 if every die is valid, 1 if not, 2 for an unreadable file."""
    from bot.fair import verify as fair

    try:
        verdict = fair.verify(options.file.read_bytes())
    except OSError as error:
        return say(f"{options.file} can't be read: {error.strerror}. Name the file again.", 2)
    return say(fair.report(verdict), 0 if verdict.fits else 1)


def invite(options: argparse.Namespace) -> int:
    """Print the invite links. Exit code 2 if the application is unknown."""
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
    from bot.cli.terminal import squads

    return say(squads(options.declaration, as_json=options.json, card_set=options.set))


def cards(options: argparse.Namespace) -> int:
    from bot.cli import card_files
    from bot.cli.terminal import named_set
    from bot.render.xwing.card_sets import comparison, overview
    from bot.rules.xwing.cards.card_sets import SHELF

    if options.part == "import":
        return say(card_files.import_card_set(options.source, options.set, options.as_of))
    if options.part == "diff":
        return say(comparison(named_set(options.new), named_set(options.old)))
    return say(overview([SHELF.of(name) for name in SHELF.files()]))


def use_card_sets() -> None:
    """Load the card sets in the host's folder. A command that needs the settings reports errors in them."""
    from bot import settings
    from bot.rules.xwing.cards.card_sets import SHELF

    with suppress(settings.SettingsError):
        SHELF.folder = settings.read().data_folder / "cards"


def play(options: argparse.Namespace) -> int:
    """Start the simulated Discord; it needs the extra of the same name."""
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
        asyncio.run(whole)  # simcord needs asyncio's own loop
    except StoreError as error:
        return say(f"{error} ({error.reason})", 1)
    except SetupError as error:
        return say(f"The page cannot be served: {error}. Choose another with --port, or 0 for a free one.", 1)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code: 0 success, 1 failure, 2 invalid settings or words; 130 and 141 as in a shell."""
    options, rest = parser().parse_known_args(arguments)  # `--json` may precede the declaration
    if len(rest) == 1 and getattr(options, "declaration", "") is None:
        options.declaration = rest[0]
    elif rest:
        parser().error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        code = run_command(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does; silence the error at exit too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def run_command(options: argparse.Namespace) -> int:
    """Run a command. Exit code 2 for refused input."""
    from bot.rules.errors import PlayerError

    if options.command != "verify":
        use_card_sets()
    if (act := ACTS.get(options.command)) is not None:
        try:
            return act(options)
        except PlayerError as error:
            return say(error, 2)
    with importing():
        for name in OF_THE_ORM:  # unused: 6 MiB and 0.05 s of each start
            sys.modules.setdefault(name, UnusedModule(name))
        from bot.cli import commands

    return commands.command(options.command, **{key: value for key, value in vars(options).items() if key != "command"})


ACTS: Final[Mapping[str, Callable[[argparse.Namespace], int]]] = {
    **{item.__name__: item for item in (cards, verify, squad, invite, play)},
    **dict.fromkeys(("roll", "odds"), terminal),
}
"""Commands without settings for Discord."""


if __name__ == "__main__":
    sys.exit(main())
