"""``python -m bot.languages.rename TABLE [--from REVISION_OR_FOLDER]``: keep translations of reworded messages.

``TABLE`` has a line for each message whose meaning did not change: the old English, a tab, the new one. A line break
inside a message is ``\\n``; a plural is a line of its own. Run it after the code has the new English: like ``make
messages``, but a new message gets the old one's translation, not fuzzy. Rows of ``contexts.toml`` and ``alike.toml``
follow.

``--from``: an older copy of this folder, or a git revision, in which lost translations are looked up, also those of
unchanged messages.
"""

import argparse
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from babel.messages.catalog import Message

from bot.languages import FOLDER, Translated, catalogs
from bot.languages.catalogs import Key, entries, forms, is_translated, key_of

TABLES: Final = ("contexts.toml", "alike.toml", "said.toml")
"""Files that contain messages."""


def read_table(path: Path) -> dict[str, str]:
    """Return old message to new. A message reworded twice maps to its last wording."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows = [[part.replace("\\n", "\n") for part in line.split("\t")] for line in lines]
    if wrong := next((line for line, row in zip(lines, rows, strict=True) if len(row) != 2), None):
        raise SystemExit(f"This line is not an old message, one tab, and a new message:\n{wrong}")
    table: dict[str, str] = {}
    for old, new in rows:
        table.update({before: new for before, after in table.items() if after == old})
        table[old] = new
        table.pop(new, None)  # it was changed back
    return table


def older_translations(source: str, language: Translated) -> Iterator[Message]:
    """Yield a language's entries from another folder of catalogs, or a git revision."""
    locale = str(language.locale)
    if Path(source).is_dir():
        for path in sorted((Path(source) / locale / "LC_MESSAGES").glob("*.po")):
            yield from entries(catalogs.read(path, locale))
        return
    command = ["git", "archive", "--format=tar", source, "--", f"{FOLDER.name}/{locale}"]
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(command, cwd=FOLDER.parent, capture_output=True, check=True).stdout  # noqa: S603 - git
        with tarfile.open(fileobj=io.BytesIO(packed)) as files:
            files.extractall(folder, filter="data")
        yield from older_translations(str(Path(folder) / FOLDER.name), language)


def known_translations(every: Iterable[Message]) -> dict[Key, Message]:
    """Return translations by English, the last one of each; a fuzzy one belongs to its old English."""
    known: dict[Key, Message] = {}
    for entry in every:
        if is_translated(entry):
            known[key_of(entry)] = entry
        elif all(forms(entry)) and entry.previous_id and isinstance(entry.id, str):
            known.setdefault((entry.context, entry.previous_id[0]), entry)
    return known


def former_keys(key: Key, table: Mapping[str, str]) -> Iterator[Key]:
    context, *now = key
    before = {old for old, new in table.items() if new == key[1]}
    yield key
    for old in sorted(before):
        if len(now) == 1:
            yield (context, old)
        else:
            many = sorted(other for other, new in table.items() if new == now[1])
            yield from ((context, old, other) for other in (*many, now[1]))


def carry_over(catalog: Iterable[Message], known: Mapping[Key, Message], table: Mapping[str, str]) -> int:
    """Fill in missing or fuzzy translations of a catalog; return how many."""
    anywhere = {key[1:]: entry for key, entry in known.items()}
    count = 0
    for entry in entries(catalog):
        if is_translated(entry):
            continue
        for key in former_keys(key_of(entry), table):
            if result := known.get(key) or anywhere.get(key[1:]):
                entry.string = result.string
                entry.flags.discard("fuzzy")
                entry.previous_id = []
                count += 1
                break
    return count


def rename_rows(table: Mapping[str, str]) -> None:
    """Write the new messages into the files that contain them, unless already there."""
    for path in (FOLDER / name for name in TABLES):
        text = path.read_text(encoding="utf-8")

        def new_row(match: re.Match[str]) -> str:
            old = match[1].replace('\\"', '"').replace("\\n", "\n")
            new = table.get(old, old).replace("\n", "\\n").replace('"', '\\"')
            return match[0] if old not in table or f'"{new}"' in text else f'"{new}"'  # noqa: B023 - called at once

        path.write_text(re.sub(r'"((?:[^"\\\n]|\\.)*)"', new_row, text), encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bot.languages.rename")
    parser.add_argument("table", type=Path)
    parser.add_argument("--from", dest="source", help="an older folder bot/languages, or a revision of git")
    given = parser.parse_args(arguments)
    table = read_table(given.table)
    names = catalogs.domains()
    known = {}
    for language in catalogs.list_translated():
        older = older_translations(given.source, language) if given.source else ()
        current = (entry for item in catalogs.catalogs_of(language, names).values() for entry in entries(item))
        known[language.key] = known_translations((*older, *current))
    rename_rows(table)
    catalogs.write_all(catalogs.templates())
    for language in catalogs.list_translated():
        count = 0
        for name, catalog in catalogs.catalogs_of(language, names).items():
            count += carry_over(catalog, known[language.key], table)
            catalogs.write(catalogs.path_of(language, name), catalog)
        sys.stdout.write(f"{language.name}: translations carried over: {count}.\n")


if __name__ == "__main__":
    main(sys.argv[1:])
