"""``make messages``: update the templates and all languages' catalogs from the code.

Each game has a catalog, and ``rollcall`` holds shared messages, so a translator can work on one game. A message stays
in the catalog of its first game: a new game changes no other's files. A changed sentence keeps its old translation,
marked fuzzy, with the old English (``rename.py`` keeps those whose meaning stayed); unused messages are removed.
Running it again changes nothing.

``--check`` writes nothing, prints how much is untranslated, and exits with 1 if a language lacks a message: a release
needs every one.
"""

import difflib
import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from babel.messages import pofile
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir

from bot.languages import DOMAIN, DOMAINS, FOLDER, LANGUAGES, Translated

ROOT: Final = FOLDER.parents[1]
NO_GAMES: Final = frozenset({"__init__", "game"})
"""Files of ``bot/games`` that aren't a game."""
EXTRACT: Final = "bot.languages.extract:extract"
METHODS: Final = [
    *(("**.py", EXTRACT), ("rules/xwing/**/rows/*.json", EXTRACT), ("games/help/*.json", EXTRACT)),
    *(("rules/anydice/systems.toml", EXTRACT), ("rules/duels/data/*.toml", EXTRACT)),
    ("rules/*/tables/*.json", EXTRACT),
]
ALIKE: Final = 0.6
"""Minimum similarity, from 0 to 1, at which a new message inherits an old one's translation."""
QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
Key = tuple[str | None, str] | tuple[str | None, str, str]
"""The context of a message, the message, and its plural if it has one."""


def domains() -> tuple[str, ...]:
    """Return all domains: the shared one, and one per game, including new ones."""
    games = {path.stem for path in (ROOT / "bot" / "games").glob("*.py")} - NO_GAMES
    return (DOMAIN, *sorted(games.union(DOMAINS) - {DOMAIN}))


def game_of(path: str, games: Collection[str]) -> str:
    parts = Path(path).with_suffix("").parts
    return next((game for game in games if game in parts), DOMAIN)


def domain(paths: Iterable[str], games: Collection[str] = DOMAINS, first: str | None = None) -> str:
    """Return the catalog of a message in these files: a game's, or the shared one. ``first``: its current catalog,
    which keeps it while one of its own files has it.
    """
    said_by = {game_of(path, games) for path in paths}
    if first in said_by:
        return first
    return said_by.pop() if len(said_by) == 1 else DOMAIN


def templates() -> dict[str, Catalog]:
    """Extract every message: domain to template."""
    every, order = Catalog(), dict[tuple[Key, str], int]()
    for folder in ("bot", "cogs"):
        for path, _, message, comments, context in extract_from_dir(ROOT / folder, METHODS):
            entry = every.add(message, None, [(f"{folder}/{path}", 1)], auto_comments=comments, context=context)
            order.setdefault((key_of(entry), f"{folder}/{path}"), len(order))
    games = domains()
    first = {key_of(entry): name for name in games for entry in entries(read(FOLDER / f"{name}.pot"))}
    result = {name: Catalog() for name in games}
    rows = []
    for entry in entries(every):
        paths = sorted({path for path, _ in entry.locations})
        owner = domain(paths, games, first.get(key_of(entry)))
        # Without other games' files: a new game with the same message must not change this one's catalog.
        own = [path for path in paths if game_of(path, games) == owner] or paths
        rows.append((own, order[key_of(entry), own[0]], owner, entry))
    for own, _, owner, entry in sorted(rows, key=lambda row: (row[0][0], row[1])):
        locations = [(path, 1) for path in own]
        result[owner].add(entry.id, None, locations, auto_comments=entry.auto_comments, context=entry.context)
    return result


def entries(catalog: Iterable[Message]) -> list[Message]:
    return [entry for entry in catalog if entry.id]


def key_of(entry: Message) -> Key:
    return (entry.context, entry.id) if isinstance(entry.id, str) else (entry.context, *entry.id)


def singular(key: Key) -> str:
    return key[1]


def forms(entry: Message) -> list[str]:
    """Return an entry's plural forms, "" for missing ones."""
    return [entry.string or ""] if isinstance(entry.string, str | None) else list(entry.string)


def match_renamed(held: Collection[Key], wanted: Iterable[Key]) -> dict[Key, Key]:
    """Match new keys to removed ones: same text in another context, else the most similar; plurals to plurals."""
    new = dict.fromkeys(wanted)
    result: dict[Key, Key] = {}
    for length in (2, 3):
        every = {item[1:]: item for item in held if len(item) == length}
        gone = {singular(item): item for item in every.values() if item not in new}
        for key in (item for item in new if len(item) == length and item not in held):
            if key[1:] in every:
                result[key] = every[key[1:]]
                continue
            for text in difflib.get_close_matches(singular(key), gone, 1, ALIKE):
                result[key] = gone[text]
    return result


def merge_translations(
    held: Mapping[Key, Message], head: Catalog, template: Catalog, before: Mapping[Key, Key]
) -> Catalog:
    """Return a catalog of the template's messages, in its order, with existing translations."""
    catalog = Catalog(locale=head.locale, header_comment=head.header_comment)
    catalog.mime_headers = head.mime_headers
    for entry in entries(template):
        key = key_of(entry)
        old = held.get(before.get(key, key))
        is_changed = old is not None and singular(key_of(old)) != singular(key) and any(forms(old))
        previous = [singular(before[key])] if is_changed else old.previous_id if old else ()
        catalog.add(
            entry.id,
            old.string if old else None,
            entry.locations,
            flags={"fuzzy"} if is_changed or (old and old.fuzzy) else (),
            auto_comments=entry.auto_comments,
            user_comments=old.user_comments if old else (),
            previous_id=previous,
            context=entry.context,
        )
    return catalog


def write(path: Path, catalog: Catalog, *, is_template: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        pofile.write_po(file, catalog, width=0, omit_header=is_template, include_previous=True, include_lineno=False)


def read(path: Path, locale: str | None = None) -> Catalog:
    if not path.exists():
        return Catalog(locale=locale)
    with path.open("rb") as file:
        catalog = pofile.read_po(file, locale=locale)
    for entry in entries(catalog):
        if former := [line.removeprefix("|").strip() for line in entry.user_comments if line.startswith("|")]:
            # Babel writes the old English as comment lines, and parses it as a comment
            entry.previous_id = ["".join(map(pofile.unescape, QUOTED.findall(" ".join(former))))]
            entry.user_comments = [line for line in entry.user_comments if not line.startswith("|")]
    return catalog


def path_of(language: Translated, name: str) -> Path:
    return FOLDER / str(language.locale) / "LC_MESSAGES" / f"{name}.po"


def catalogs_of(language: Translated, names: Iterable[str]) -> dict[str, Catalog]:
    """Return a language's stored catalogs; a new one gets the shared one's header."""
    locale = str(language.locale)
    shared = path_of(language, DOMAIN)
    paths = {name: path_of(language, name) for name in names}
    return {name: read(path if path.exists() else shared, locale) for name, path in paths.items()}


def update(language: Translated, result: Mapping[str, Catalog]) -> None:
    heads = catalogs_of(language, result)
    held = {key_of(entry): entry for head in heads.values() for entry in entries(head)}
    before = match_renamed(held.keys(), [key_of(entry) for template in result.values() for entry in entries(template)])
    for name, template in result.items():
        write(path_of(language, name), merge_translations(held, heads[name], template, before))


def list_translated() -> list[Translated]:
    return [language for language in LANGUAGES.values() if isinstance(language, Translated)]


def write_all(result: Mapping[str, Catalog]) -> None:
    for name, template in result.items():
        write(FOLDER / f"{name}.pot", template, is_template=True)
    for language in list_translated():
        update(language, result)


def is_translated(entry: Message) -> bool:
    """Whether players read this translation: complete and not fuzzy."""
    return all(forms(entry)) and not entry.fuzzy


def template_keys() -> list[Key]:
    return [key_of(entry) for path in FOLDER.glob("*.pot") for entry in entries(read(path))]


def list_untranslated(language: Translated, wanted: Iterable[Key]) -> list[Key]:
    found = catalogs_of(language, (path.stem for path in FOLDER.glob("*.pot"))).values()
    held = {key_of(entry) for catalog in found for entry in entries(catalog) if is_translated(entry)}
    return [key for key in wanted if key not in held]


def main(arguments: Sequence[str]) -> int:
    """Write all catalogs, or ``--check`` them. Returns 1 if a checked language is incomplete."""
    is_check = "--check" in arguments
    if not is_check:
        write_all(templates())
    wanted = template_keys()
    left = {language.name: len(list_untranslated(language, wanted)) for language in list_translated()}
    lacking = ", ".join(f"{name} lacks {count:,}" for name, count in left.items() if count)
    summary = (
        f"{lacking}. These messages are shown in English; a release needs all of them." if lacking else "complete."
    )
    sys.stdout.write(f"Translations: {summary}\n")
    return 1 if is_check and lacking else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
