"""`cards import`, `cards list` and `cards diff` in the terminal: card sets from files, into the folder of the host.

Sets of the host lie in a folder, and not in the database: every command reads them, also those that need no database,
and they are the same for all servers. What one server alone uses is in the database (``bot.sessions.kept_files``).
"""

from datetime import UTC, datetime
from pathlib import Path

from bot.render.xwing.card_sets import comparison, overview
from bot.rules.errors import BadInputError, BadTextError
from bot.rules.text import N_, Text, english
from bot.rules.xwing.cards.card_import import MAX_FILES, Documents, from_bytes, imported, read_all
from bot.rules.xwing.cards.card_sets import OWN, POOLS, SHELF, CardSet, parsed


def list_card_sets() -> str:
    """Return the output of `cards list`."""
    return overview([SHELF.of(name) for name in SHELF.files()])


def import_card_set(source: Path, key: str, as_of: str | None) -> str:
    """Import a set into the folder; what to print. Raises ``PlayerError`` where it is not taken."""
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
    """The file of the set, whole or not at all. Raises ``BadTextError`` where it cannot be written."""
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
    """The JSON values of a folder, a ZIP file or a single file, by their names in it. Raises ``PlayerError``."""
    try:
        if source.is_dir():  # or a checkout of the repository, which has a folder ``data``
            root = source / "data" if (source / "data").is_dir() else source
            files = sorted(root.rglob("*.json"))[:MAX_FILES]
            return read_all((path.relative_to(root).as_posix(), path.read_bytes()) for path in files)
        content = source.read_bytes()
    except OSError as error:
        message = N_("{file} can't be read: {reason}. Check the path.")
        raise BadTextError(Text(message, file=source, reason=error.strerror)) from error
    return from_bytes(source.name, content)
