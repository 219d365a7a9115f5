"""What is kept about a person as JSON files that an answer on Discord can carry."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Final

from bot.rules.text import Text, Words
from bot.sessions import codec
from bot.sessions.people import Record, iso_time

FILE_MOST: Final = 8 * 1024 * 1024
"""Bytes of a file; Discord takes 10 MiB and rounds in its own way."""
FILES_MOST: Final = 10
HEAD: Final = 4096
"""Bytes that are left in each file for what stands around the entries."""

LISTS: Final[Mapping[str, Words]] = {
    "preferences": Text("your own settings"),
    "saved_rolls": Text("the rolls that you saved for yourself, by name"),
    "panels": Text("the messages that show them with a button for each"),
    "links": Text("the links to a table on a second screen that you made, until when, and the hash of each"),
    "presses": Text(
        "every choice that counted on a roll: what you took, what you typed, and the draws "
        "of chance that it used, each as [of how many sides, which, for which dice, true if "
        "it came again], without which for cards, because some lie facedown; for the command "
        "that opened a roll what it declared; of a blind roll that no GM has revealed yet, "
        "no draws"
    ),
    "table_steps": Text(
        "what you changed on the table of a channel, and the pieces as you left them, as all may see them"
    ),
    "rolls_opened": Text(
        "the rolls and tables that you began; whether a roll was secret or blind, and when it was revealed"
    ),
    "seats": Text("the sides that you played, and the name that stood on the cards"),
    "players": Text("the channels where you have pieces: your name there, and the number that is each piece's `owner`"),
    "words": Text("the words that you gave when a table was sealed"),
    "sealed_tables": Text(
        "the plies of sealed tables that you made or that name you, by their place in the "
        "chain; the draws once the table was unsealed"
    ),
    "plans": Text(
        "what you planned in private, as dials; once you were ready, with the commitment and the random bytes of each"
    ),
}
"""What is in the file, in the order in which it is read."""
ABOUT: Final = Text(
    "Everything that this bot keeps about you. Times are in UTC, ids are Discord's "
    "numbers as text, the newest entries come first. What other people did, and how a "
    "roll stood after it, is not part of it."
)


@dataclass(frozen=True, slots=True)
class Export:
    """The files as JSON text in UTF-8; ``left_out`` are the lists that did not fit in whole, mostly none."""

    files: tuple[bytes, ...]
    left_out: tuple[str, ...]


async def export(person: int, records: AsyncIterator[Record], now: int) -> Export:
    """Pack entries into as few files as hold them, none larger than ``FILE_MOST``; each is JSON by itself."""
    packed: list[dict[str, list[str]]] = [{}]
    size, left_out = HEAD, tuple[str, ...]()
    async for name, entry in records:
        text = codec.write_plain(entry)
        length = len(text.encode()) + len(",\n")
        if size + length > FILE_MOST:
            if len(packed) == FILES_MOST:
                left_out = tuple(LISTS)[tuple(LISTS).index(name) :]
                break
            packed.append({})
            size = HEAD
        packed[-1].setdefault(name, []).append(text)
        size += length
    return Export(tuple(file_of(person, one, now, left_out) for one in packed), left_out)


def file_of(person: int, entries: Mapping[str, list[str]], now: int, left_out: tuple[str, ...]) -> bytes:
    """One file: an entry to a line."""
    head = {"about": ABOUT, "lists": LISTS, "person": str(person), "made_at": iso_time(now), "left_out": left_out}
    parts = [f"{codec.write_plain(key)}: {codec.write_plain(value)}" for key, value in head.items()]
    for name in LISTS:
        lines = ",\n".join(entries.get(name, ()))
        parts.append(f"{codec.write_plain(name)}: [\n{lines}\n]" if lines else f"{codec.write_plain(name)}: []")
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()
