"""Personal data: exported as JSON files that fit Discord's limits, and forgotten on demand.

Both run in small transactions, so that nobody waits long. Forgetting replaces the person's id with ``FORGOTTEN`` and
keeps rolls, which belong to the others too. If interrupted, asking again finishes it.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.rules.text import Shown, Text, english
from bot.sessions import codec, pieces
from bot.sessions.chance import Draw
from bot.sessions.roll import Secrecy
from bot.store import people as rows
from bot.store.database import Database, Does, Values
from bot.store.history import TABLE
from bot.store.people import FORGOTTEN as FORGOTTEN

SOMEBODY: Final = Text("Someone")
"""Replaces the name of a forgotten person."""
PAGE: Final = 200
"""Rows read in one transaction."""
STEP: Final = 300
"""Rows changed in one transaction."""

MAX_FILE: Final = 8 * 1024 * 1024
"""Maximum bytes of a file; Discord allows 10 MiB and rounds in its own way."""
MAX_FILES: Final = 10
HEAD: Final = 4096
"""Bytes reserved in each file for the text around the entries."""

LISTS: Final[Mapping[str, Shown]] = {
    "preferences": Text("your own settings"),
    "saved_rolls": Text("the rolls you saved for yourself, by name"),
    "panels": Text("the messages that show them with a button for each"),
    "links": Text("the second-screen links you made to a table, when they expire, and the hash of each"),
    "blocks": Text("whether this bot's host has blocked you: since when, until when, and the reason given"),
    "presses": Text(
        "every choice that counted on a roll: what you chose, what you typed, and the random draws "
        "it used, each as [number of sides, result, for which dice, true if it came again], without "
        "the result for cards, because some are facedown; for the command that opened a roll, what "
        "it declared; no draws for a blind roll that no GM has revealed yet"
    ),
    "table_steps": Text(
        "what you changed on a channel's table, and the pieces as you left them, as everyone can see them"
    ),
    "rolls_opened": Text(
        "the rolls and tables you started; whether a roll was secret or blind, and when it was revealed"
    ),
    "seats": Text("the sides you played, and the name shown on the cards"),
    "players": Text("the channels where you have pieces: your name there, and the number that is each piece's `owner`"),
    "words": Text("the seed words you gave when a table was sealed"),
    "sealed_tables": Text(
        "the plies of sealed tables that you made or that name you, by their position in the chain; "
        "the draws once the table was unsealed"
    ),
    "plans": Text(
        "what you planned in private, such as dials; once you were ready, with the fingerprint and "
        "the random bytes of each"
    ),
}
"""Lists in the file, in the order in which they are read."""
ABOUT: Final = Text(
    "Everything this bot stores about you. Times are in UTC, ids are Discord's numbers as text, "
    "newest entries first. It doesn't include what other people did or the state of a roll "
    "afterward."
)

Record = tuple[str, dict[str, Any]]
"""The list that an entry belongs to, and the entry."""


class PersonalData:
    """Personal data in one database. Every method raises ``StoreError`` if the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def records(self, person: int) -> AsyncIterator[Record]:
        """Yield everything stored about a person, newest first in each list, ready for JSON."""
        for name, kept in rows.KEPT.items():
            write, last = ENTRIES[name], None
            while result := await self._database.run(rows.page, kept, person, PAGE, last):
                for row in result:
                    is_step = name == "presses" and row.game == TABLE
                    yield table_step(row) if is_step else (name, write(row, person))
                if not kept.keys:
                    break
                last = result[-1]

    async def forget(self, person: int) -> dict[str, int]:
        """Remove a person everywhere; return the number of rows that named them, by kind.

        Afterwards the database files don't contain their id or name.
        """
        erased = await self._database.run(rows.erase, person)
        called = english(SOMEBODY)
        forgotten = {
            "preferences": erased["preferences"],
            "seats": await self._repeat(rows.forget, rows.SEATS, person, STEP, called=called),
            "presses": await self._repeat(forget_presses, person),
            "rolls": await self._repeat(rows.forget, rows.OPENED, person, STEP),
            "players": await self._repeat(rows.forget, rows.PLAYERS, person, STEP, called=called),
            "saved": erased["saved"],
        }
        await self._database.empty_log()
        return forgotten

    async def _repeat(self, step: Does[Values, int], *values: Values.args, **named: Values.kwargs) -> int:
        """Repeat a step until it finds nothing; return the number of changed rows."""
        whole, changed = 0, STEP
        while changed == STEP:
            changed = await self._database.run(step, *values, **named)
            whole += changed
        return whole


async def forget_presses(connection: AsyncConnection, person: int) -> int:
    """Run one step over the plies; return how many it changed."""
    choices = await rows.choices(connection, person, STEP)
    if choices:
        reworded = {
            key: result for key, choice in choices.items() if (result := codec.rename_step(choice, SOMEBODY)) != choice
        }
        await rows.forget_plies(connection, list(choices), reworded)
    return len(choices)


def table_step(row: Any) -> Record:
    choice = codec.read_plain(row.choice)
    if "what" in choice:  # as words, not as message and places
        step = codec.read_step(row.choice)
        choice = {"what": english(step.sentence), "by": step.by}
    record = {"at": iso_time(row.at), **place_json(row), "step": row.offer}
    return "table_steps", {**record, **choice, "pieces": pieces_seen(row.changes)}


def press(row: Any) -> dict[str, Any]:
    """A roll's ply in its maker's export."""
    record: dict[str, Any] = {"at": iso_time(row.at), **place_json(row)}
    record |= {"roll": str(row.session_id), "press": row.number, "game": row.game, "taken": row.offer}
    record |= {key: value for key, value in codec.read_plain(row.choice).items() if value}
    if row.opening is not None and "declared" in (state := codec.read_plain(row.opening)):
        record["declared"] = state["declared"]
    if row.secrecy == Secrecy.BLIND and row.revealed_at is None:  # only GMs see the dice
        return record
    return record | {"draws": [draw_seen(draw) for draw in codec.read_draws(row.draws)]}


def pieces_seen(recorded: str) -> dict[str, Any]:
    """The pieces after a step in public form; none for an outdated schema."""
    try:
        return pieces.public_bodies(codec.read_changes(recorded))
    except codec.OutdatedStateError:
        return {}


def draw_seen(draw: Draw) -> list[Any]:
    """Return a draw as its card showed it: a draw without dice, such as a facedown damage card, is hidden."""
    drawn = draw.drawn if draw.pool else None
    return [draw.sides, drawn, draw.pool, *([True] if draw.is_replayed else [])]


def plan_json(row: Any) -> dict[str, Any]:
    named = {"game": row.game, "player": row.player_id, "sheet": row.sheet, "commitment": row.root}
    return {"at": iso_time(row.at), **place_json(row), **named, "chosen": codec.read_plain(row.body)}


def chain_json(row: Any, person: int) -> dict[str, Any]:
    """Return a sealed table's ply for its maker or a named person; draws only once the transcript is posted."""
    ply: dict[str, Any] = codec.read_plain(row.ply)
    entry: dict[str, Any] = {"at": iso_time(row.at), **place_json(row), "table": str(row.seal_id), "place": row.place}
    if ply["by"] != str(person):
        return entry | {"names_you": True}
    if row.ended_at is None or (row.secrecy is not None and row.revealed_at is None):
        ply = {part: held for part, held in ply.items() if part not in ("draws", "salt", "secret")}
    return entry | ply


def session_json(row: Any) -> dict[str, Any]:
    message = None if row.message_id is None else str(row.message_id)
    entry = {
        "at": iso_time(row.opened_at),
        **place_json(row),
        "roll": str(row.id),
        "game": row.game,
        "message": message,
    }
    if row.secrecy is None:
        return entry
    revealed = None if row.revealed_at is None else iso_time(row.revealed_at)
    return entry | {"secrecy": row.secrecy, "revealed_at": revealed}


def place_json(row: Any) -> dict[str, str | None]:
    """Server and channel; ids are text, because many JSON parsers lose digits of large numbers."""
    return {"server": None if row.guild_id is None else str(row.guild_id), "channel": str(row.channel_id)}


def iso_time(at: int) -> str:
    """Seconds since 1970 as ISO 8601 in UTC."""
    return datetime.fromtimestamp(at, UTC).isoformat()


ENTRIES: Final[Mapping[str, Callable[[Any, int], dict[str, Any]]]] = {
    "preferences": lambda row, _: {"setting": row.setting, "value": codec.read_plain(row.value)},
    "saved_rolls": lambda row, _: {"name": row.name, "roll": row.line},
    "panels": lambda row, _: {**place_json(row), "message": str(row.message_id)},
    "links": lambda row, _: {**place_json(row), "until": iso_time(row.until), "sha256": row.digest},
    "blocks": lambda row, _: {
        "at": iso_time(row.at),
        "until": None if row.until is None else iso_time(row.until),
        "reason": row.reason,
    },
    "presses": lambda row, _: press(row),
    "rolls_opened": lambda row, _: session_json(row),
    "seats": lambda row, _: {"roll": str(row.session_id), "side": row.side, "name": row.name, "since": row.since},
    "players": lambda row, _: {**place_json(row), "player": row.id, "name": row.name},
    "words": lambda row, _: {"at": iso_time(row.opened_at), **place_json(row), "word": row.word, "name": row.name},
    "sealed_tables": chain_json,
    "plans": lambda row, _: plan_json(row),
}
"""Exported values of a row, by the name of its list."""


async def export(person: int, records: AsyncIterator[Record], now: int) -> tuple[list[bytes], Sequence[str]]:
    """Pack entries into as few files as possible, none above ``MAX_FILE``; each is valid JSON in UTF-8.

    Returns them, and the lists that did not fit completely.
    """
    packed: list[dict[str, list[str]]] = [{}]
    size, left_out = HEAD, tuple[str, ...]()
    async for name, entry in records:
        text = codec.write_plain(entry)
        length = len(text.encode()) + len(",\n")
        if size + length > MAX_FILE:
            if len(packed) == MAX_FILES:
                left_out = tuple(LISTS)[tuple(LISTS).index(name) :]
                break
            packed.append({})
            size = HEAD
        packed[-1].setdefault(name, []).append(text)
        size += length
    return [file_of(person, item, now, left_out) for item in packed], left_out


def file_of(person: int, entries: Mapping[str, list[str]], now: int, left_out: tuple[str, ...]) -> bytes:
    head = {"about": ABOUT, "lists": LISTS, "person": str(person), "made_at": iso_time(now), "left_out": left_out}
    parts = [f"{codec.write_plain(key)}: {codec.write_plain(value)}" for key, value in head.items()]
    for name in LISTS:
        lines = ",\n".join(entries.get(name, ()))
        parts.append(f"{codec.write_plain(name)}: [\n{lines}\n]" if lines else f"{codec.write_plain(name)}: []")
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()
