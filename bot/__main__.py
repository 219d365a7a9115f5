"""The command line: `python -m bot` with play, run, sync, migrate, roll or odds.

Each command imports only what it needs: `odds` has never heard of Discord.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.games import GAMES


def parser() -> argparse.ArgumentParser:
    parts = argparse.ArgumentParser(prog="python -m bot", description="Rollcall, a referee of dice on Discord.")
    commands = parts.add_subparsers(dest="command", required=True, metavar="COMMAND")
    play = commands.add_parser("play", help="the whole bot in a simulated Discord on this machine; needs no token")
    play.add_argument("--port", type=int, default=8765, help="port of the web page (default 8765; 0 picks a free one)")
    play.add_argument("--db", default="data/play.db", metavar="FILE", help="where the rolls are kept")
    commands.add_parser("run", help="the bot on Discord")
    sync = commands.add_parser("sync", help="register the slash commands now")
    sync.add_argument("--guild", type=int, metavar="ID", help="for one server only, where they appear at once")
    commands.add_parser("migrate", help="bring the database to the newest schema")
    for name, told in (
        ("roll", "roll, or resolve, in the terminal"),
        ("odds", "exact odds in the terminal"),
    ):
        one = commands.add_parser(name, help=told)
        one.add_argument("game", metavar="GAME", choices=tuple(GAMES), help=", ".join(GAMES))
        one.add_argument("declaration", metavar="JSON", nargs="?", help="one object or a list; else standard input")
        one.add_argument("--json", action="store_true", help="print JSON instead of a card")
    return parts


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options. `--json` may come before the declaration, which argparse alone would not accept."""
    options, rest = parser().parse_known_args(arguments)
    if len(rest) == 1 and getattr(options, "declaration", "") is None:
        options.declaration = rest[0]
    elif rest:
        parser().error(f"unrecognized arguments: {' '.join(rest)}")
    return options


def terminal(options: argparse.Namespace) -> int:
    """`roll` and `odds`; exit code 2 for a declaration that is refused."""
    import secrets

    from bot import terminal as shown
    from bot.rules.errors import BadInput

    try:
        raw = shown.read(options.declaration)
    except BadInput as error:
        print(error, file=sys.stderr)  # noqa: T201 - the command line speaks
        return 2
    if options.command == "roll":
        printed, good = shown.answer(
            raw, lambda case: shown.roll(options.game, case, secrets.randbelow), as_json=options.json
        )
    else:
        printed, good = shown.answer(raw, lambda case: shown.odds(options.game, case), as_json=options.json)
    print(printed, file=sys.stdout if good or options.json else sys.stderr)
    return 0 if good else 2


def play(options: argparse.Namespace) -> int:
    """The simulated Discord; it needs the extra of the same name."""
    try:
        from simcord import SetupError

        from bot import logs, run
        from bot.play import play as playing
        from bot.store.errors import StoreError
    except ModuleNotFoundError as error:
        print(f"`play` needs {error.name}: install it with `pip install 'rollcall[play]'`.", file=sys.stderr)  # noqa: T201 - as above
        return 1
    logs.configure("warning", "text")
    try:
        run.run(playing(options.port, Path(options.db).resolve()))
    except StoreError as error:
        return run.say(f"{error} ({error.reason})", 1)
    except SetupError as error:
        return run.say(f"The page cannot be served: {error}. Choose another with --port, or 0 for a free one.", 1)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 done, 1 failed on the way, 2 wrong settings or words."""
    options = parsed(arguments)
    try:
        if options.command in ("roll", "odds"):
            return terminal(options)
        if options.command == "play":
            return play(options)
        from bot import run

        return run.command(options.command, getattr(options, "guild", None))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
