"""The documents of a card set as people have them: a ZIP file of a repository, or one JSON file."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Final

from bot.rules.errors import BadInput, BadText
from bot.rules.text import Text
from bot.rules.xwing.card_import import Documents

BYTES_MOST: Final = 40_000_000
"""Of all files together; the data of 2025 have 4 million."""
FILES_MOST: Final = 2_000


def from_bytes(name: str, content: bytes) -> Documents:
    """The JSON values of a ZIP file, or of one JSON file. Raises ``PlayerError``."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return read_all(iter([(name, content)]))
    try:
        return read_all(zip_files(content))
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:  # broken, with a password, packed oddly
        raise BadText(Text("{file} cannot be unpacked. Send it as a plain ZIP file.", file=name)) from error


def zip_files(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The JSON files of an archive; none is unpacked past the limit."""
    left = BYTES_MOST
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = [one for one in archive.infolist() if one.filename.endswith(".json")]
        for entry in entries[:FILES_MOST]:
            with archive.open(entry) as file:
                read = file.read(left + 1)
            left -= len(read)
            yield entry.filename, read


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
