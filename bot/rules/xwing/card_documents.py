"""The documents of a card set as people have them: a ZIP file of a repository, or one JSON file."""

import io
import json
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final

from bot.rules.errors import BadInput, BadText
from bot.rules.text import Text
from bot.rules.xwing.card_import import Documents

BYTES_MOST: Final = 40_000_000
"""Of all files together; the data of 2025 have 4 million."""
FILES_MOST: Final = 2_000
BROKEN: Final = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, RuntimeError)
"""What ``zipfile`` raises for an archive that is broken, locked or packed oddly; ``OSError`` is of bzip2."""


def from_bytes(name: str, content: bytes) -> Documents:
    """The JSON values of a ZIP file, or of one JSON file. Raises ``PlayerError``."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return read_all(iter([(name, content)]))
    return read_all(zip_files(name, content))


def zip_files(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """The JSON files of an archive; none is unpacked past the limit. Raises ``BadText`` for a broken one."""
    left = BYTES_MOST
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [one for one in archive.infolist() if one.filename.endswith(".json")]
            for entry in entries[:FILES_MOST]:
                with archive.open(entry) as file:
                    read = file.read(left + 1)
                left -= len(read)
                yield entry.filename, read
    except BROKEN as error:
        raise BadText(Text("{file} cannot be unpacked. Send it as a plain ZIP file.", file=name)) from error


def read_all(files: Iterator[tuple[str, bytes]]) -> Documents:
    """Each file as a JSON value. Raises ``BadText`` for too much, ``BadInput`` naming a file that is no JSON."""
    found: dict[str, object] = {}
    size = 0
    for name, content in files:
        size += len(content)
        if size > BYTES_MOST:
            raise BadText(Text("That is more than {most} MB of data. Send less.", most=BYTES_MOST // 1_000_000))
        try:
            found[name] = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise BadInput(name, None, Text("Use JSON in UTF-8.")) from error
    return found
