"""The documents of a card set as people have them: a ZIP file of a repository, or one JSON file."""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import Final

from bot.rules.errors import BadInput, BadText
from bot.rules.text import Code, Text
from bot.rules.xwing.cards.card_import import Documents

BYTES_MOST: Final = 40_000_000
"""Of all files together; the data of 2025 have 4 million."""
FILES_MOST: Final = 2_000
RATIO_MOST: Final = 100
"""So many times as large as the archive its files may be; the data of 2025 pack 9 to 1, the worst deflate 1,030."""
PLAIN: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How files may be packed. The other ways unpack 1,000,000 to 1, and nobody's tool uses them unasked."""
BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError)
"""What ``zipfile`` raises for an archive that is broken, locked or packed oddly."""


def from_bytes(name: str, content: bytes) -> Documents:
    """The JSON values of a ZIP file, or of one JSON file. Raises ``PlayerError``."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return read_all(iter([(name, content)]))
    return read_all(zip_files(name, content))


def zip_files(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """The JSON files of an archive. Raises ``BadText`` for one that is broken or holds too much.

    What it says of itself is asked before anything is unpacked, and no file unpacks to more than was said of it.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [one for one in archive.infolist() if one.filename.endswith(".json")]
            check_sizes(name, entries, len(content))
            for entry in entries:
                with archive.open(entry) as file:
                    yield entry.filename, file.read(entry.file_size)
    except BROKEN as error:
        raise BadText(Text("{file} cannot be unpacked. Send it as a plain ZIP file.", file=Code(name))) from error


def check_sizes(name: str, entries: Sequence[zipfile.ZipInfo], packed: int) -> None:
    """Raises ``BadText`` for too many files, too much in them, or other than the common ways to pack them."""
    size = sum(one.file_size for one in entries)
    if len(entries) > FILES_MOST:
        raise BadText(Text("That is more than {most} files. Send less.", most=FILES_MOST))
    if any(one.compress_type not in PLAIN for one in entries) or size > RATIO_MOST * packed:
        raise BadText(Text("{file} cannot be unpacked. Send it as a plain ZIP file.", file=Code(name)))
    check_size(size)


def check_size(size: int) -> None:
    if size > BYTES_MOST:
        raise BadText(Text("That is more than {most} MB of data. Send less.", most=BYTES_MOST // 1_000_000))


def read_all(files: Iterator[tuple[str, bytes]]) -> Documents:
    """Each file as a JSON value. Raises ``BadText`` for too much, ``BadInput`` naming a file that is no JSON."""
    found: dict[str, object] = {}
    size = 0
    for name, content in files:
        size += len(content)
        check_size(size)
        try:
            found[name] = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise BadInput(name, None, Text("Use JSON in UTF-8.")) from error
    return found
