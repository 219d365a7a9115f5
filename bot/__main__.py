"""The command line: `python -m bot` with play, run, invite, sync, migrate, move, backup, doctor, cards, roll, odds,
squad or verify.

Each command imports only what it needs: `odds` has never heard of Discord.
"""

import argparse
import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final


@contextmanager
def importing() -> Iterator[None]:
    """Look for no garbage among what is made meanwhile, now or later: what an import makes stays."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def parser() -> argparse.ArgumentParser:
    with importing():
        from bot.games import by_terminal

    parts = argparse.ArgumentParser(prog="python -m bot", description="Rollcall, a referee of dice on Discord.")
    commands = parts.add_subparsers(dest="command", required=True, metavar="COMMAND")
    play = commands.add_parser("play", help="the whole bot in a simulated Discord on this machine; needs no token")
    play.add_argument("--port", type=int, default=8765, help="port of the web page (default 8765; 0 picks a free one)")
    play.add_argument("--alone", action="store_true", help="Rollcall plays Bo's ships, by the advice")
    play.add_argument("--db", default="data/play.db", metavar="FILE", help="where the rolls are kept")
    commands.add_parser("run", help="the bot on Discord")
    inviting = commands.add_parser("invite", help="the links that install the bot, in a server or for oneself")
    inviting.add_argument("--client-id", type=int, metavar="ID", help="the application's; else that of DISCORD_TOKEN")
    sync = commands.add_parser("sync", help="register the slash commands now")
    sync.add_argument("--guild", type=int, metavar="ID", help="for one server only, where they appear at once")
    commands.add_parser("migrate", help="bring the database to the newest schema")
    moving = commands.add_parser("move", help="copy everything into another database, and compare; stop the bot first")
    moving.add_argument("source", metavar="FROM", help="its address, as in DATABASE_URL; it is only read")
    moving.add_argument(
        "destination", metavar="TO", help="the address of an empty database, or of one that was begun before"
    )
    saving = commands.add_parser("backup", help="write the database into a file, while the bot runs")
    saving.add_argument("file", metavar="FILE", type=Path, help="a file that is not there yet")
    doctor = commands.add_parser("doctor", help="look at everything that the bot needs, and say what is missing")
    doctor.add_argument("--channel", type=int, metavar="ID", help="a channel in which to look at its permissions")
    for name, purpose in (
        ("roll", "roll, or resolve, in the terminal"),
        ("odds", "exact odds in the terminal"),
    ):
        one = commands.add_parser(name, help=purpose)
        one.add_argument("game", metavar="GAME", choices=tuple(by_terminal()), help=", ".join(by_terminal()))
        one.add_argument("declaration", metavar="JSON", nargs="?", help="one object or a list; else standard input")
        one.add_argument("--json", action="store_true", help="print JSON instead of a card")
    check = commands.add_parser("verify", help="check every die of a sealed table")
    check.add_argument("file", metavar="FILE", type=Path, help="the transcript that `/table unseal` gave")
    squad = commands.add_parser("squad", help="the ships of an X-Wing squad")
    squad.add_argument("declaration", metavar="XWS", nargs="?", help="as squad builders export it; else standard input")
    squad.add_argument("--json", action="store_true", help="print JSON instead of a table")
    squad.add_argument("--set", metavar="KEY", help="the card set; else the one that knows all its ids")
    add_card_sets(commands)
    return parts


def add_card_sets(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    cards = commands.add_parser("cards", help="the X-Wing card sets that this bot knows: import, list, diff")
    parts = cards.add_subparsers(dest="part", required=True, metavar="PART")
    bringing = parts.add_parser(
        "import", help="make a further set from data in the form of xwing-data2, and compare it"
    )
    bringing.add_argument("source", metavar="FILE_OR_DIR", type=Path, help="a folder, a ZIP file or a JSON file")
    bringing.add_argument(
        "--set", metavar="KEY", required=True, help="what the set is called; an old name: a newer set"
    )
    bringing.add_argument("--as-of", metavar="DATE", help="the day of the data, as in 2026-08-01 (default today)")
    parts.add_parser("list", help="the sets, and how many of their cards are counted at the dice")
    comparing = parts.add_parser("diff", help="what is new, gone and changed from one set to another")
    comparing.add_argument("old", metavar="A", help="a set, as in xwa or xwa@2026-07-05")
    comparing.add_argument("new", metavar="B", help="the set that is newer, or the other one")


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

    from bot import terminal as shown
    from bot.games import by_terminal

    game = options.game
    resolve = partial(shown.odds, game) if options.command == "odds" else partial(shown.roll, game, rng=randbelow)
    raw = shown.read(options.declaration)
    printed, good = shown.answer(raw, resolve, as_json=options.json, word=by_terminal()[game].commands.text_word)
    print(printed, file=sys.stdout if good or options.json else sys.stderr)
    return 0 if good else 2


def verify(options: argparse.Namespace) -> int:
    """Exit code 0 when every die fits, 1 for the first thing that does not, 2 for a file that cannot be read."""
    from bot.fair import verify as fair

    try:
        verdict = fair.verify(options.file.read_bytes())
    except OSError as error:
        return say(f"{options.file} cannot be read: {error.strerror}. Name the file again.", 2)
    return say(fair.report(verdict), 0 if verdict.fits else 1)


def invite(options: argparse.Namespace) -> int:
    """Exit code 2 where nothing says whose links they are."""
    from bot import invitation, settings

    try:
        client_id = options.client_id or invitation.application_of(settings.token(settings.read()))
    except settings.SettingsError as error:
        return say(f"{error} Or name the application: `invite --client-id ID`.", 2)
    if client_id is None:
        return say("DISCORD_TOKEN is no bot's token. Name the application: `invite --client-id ID`.", 2)
    return say("\n".join(invitation.lines(client_id)))


def squad(options: argparse.Namespace) -> int:
    """The ships of a squad."""
    from bot.terminal import squads

    return say(squads(options.declaration, as_json=options.json, card_set=options.set))


def cards(options: argparse.Namespace) -> int:
    """Card sets."""
    from bot import card_files
    from bot.render.xwing.card_sets import comparison
    from bot.terminal import named_set

    if options.part == "import":
        return say(card_files.bring(options.source, options.set, options.as_of))
    if options.part == "diff":
        return say(comparison(named_set(options.new), named_set(options.old)))
    return say(card_files.listed())


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

        from bot import logs
        from bot.play import play as playing
        from bot.store.errors import StoreError
    except ModuleNotFoundError as error:
        return say(f"`play` needs {error.name}: install it with `pip install 'rollcall[play]'`.", 1)
    logs.configure("warning")
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
        code = carry_out(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except (
        BrokenPipeError
    ):  # whoever reads has seen enough, as `head`; nothing more can be told, not even on the way out
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def carry_out(options: argparse.Namespace) -> int:
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
        from bot.store.lean import without_orm

        without_orm()
        from bot import run

    return run.command(options.command, **{key: value for key, value in vars(options).items() if key != "command"})


ACTS: Final[Mapping[str, Callable[[argparse.Namespace], int]]] = {
    **{one.__name__: one for one in (cards, verify, squad, invite, play)},
    **dict.fromkeys(("roll", "odds"), terminal),
}
"""What is done without the settings of a bot on Discord."""


if __name__ == "__main__":
    sys.exit(main())
