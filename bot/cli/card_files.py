"""`cards import`, `cards list` and `cards diff`: card sets from files, stored in the host's folder. They are in a
folder because commands without a database read them, and they are the same for all servers. One server's own sets are
in the database (``bot.sessions.kept_files``).
"""

from datetime import UTC, datetime
from pathlib import Path

from bot.render.xwing.card_sets import comparison
from bot.rules.errors import BadInputError, BadTextError
from bot.rules.text import N_, Text, english
from bot.rules.xwing.cards.card_import import MAX_FILES, Documents, from_bytes, imported, read_all
from bot.rules.xwing.cards.card_sets import OWN, POOLS, SHELF, CardSet, parsed


def import_card_set(source: Path, key: str, as_of: str | None) -> str:
    """Import a set into the folder; return the output. Raises ``PlayerError`` if it is invalid."""
    if key == OWN:
        raise BadInputError("set", key, Text("Use another name; this one is reserved for a server's own set."))
    day = as_of or datetime.now(UTC).date().isoformat()
    text = imported(documents(source), key, day, {pool: SHELF.of(pool) for pool in POOLS})
    new = parsed(text)
    if new.name in SHELF.files():
        there = Text("There's already a set with this name and date. Use another `--as-of` or `--set`.")
        raise BadInputError("as-of", day, there)
    before = SHELF.of(new.key if SHELF.find(new.key) else new.pool)
    place = write(new, text)
    return "\n".join([english(Text("{name} is in {file}.", name=new.title, file=place)), "", comparison(new, before)])


def write(cards: CardSet, text: str) -> Path:
    """Write a set's file atomically. Raises ``BadTextError`` if that fails."""
    folder = SHELF.folder or Path()
    place = folder / f"{cards.name}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (part := place.with_suffix(".part")).write_text(text, encoding="utf-8")
        part.replace(place)
    except OSError as error:
        message = N_("{file} can't be written: {reason}. Set DATA_FOLDER to a writable folder.")
        raise BadTextError(Text(message, file=place, reason=error.strerror)) from error
    return place


def documents(source: Path) -> Documents:
    """Return the JSON values of a folder, ZIP file, or single file by name. Raises ``PlayerError``."""
    try:
        if source.is_dir():  # or a checkout of the repository, with a folder ``data``
            root = source / "data" if (source / "data").is_dir() else source
            files = sorted(root.rglob("*.json"))[:MAX_FILES]
            return read_all((path.relative_to(root).as_posix(), path.read_bytes()) for path in files)
        content = source.read_bytes()
    except OSError as error:
        message = N_("{file} can't be read: {reason}. Check the path.")
        raise BadTextError(Text(message, file=source, reason=error.strerror)) from error
    return from_bytes(source.name, content)
