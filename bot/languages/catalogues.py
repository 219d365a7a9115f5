"""``make messages``: brings the templates and the catalogues of all languages to what the code says now.

There is one catalogue for each game and ``rollcall`` for what games share, so that a translator of one game reads that
game only. A sentence that changed keeps its old translation, marked as fuzzy, with the English that it was made for;
what nobody says any more goes. Written again without a change of the code, nothing changes.
"""

import difflib
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from babel.messages import pofile
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir

from bot.languages import DOMAIN, DOMAINS, FOLDER, LANGUAGES, Translated

ROOT: Final = FOLDER.parents[1]
EXTRACT: Final = "bot.languages.extract:extract"
METHODS: Final = [
    *(("**.py", EXTRACT), ("rules/xwing/**/rows/*.json", EXTRACT), ("games/help/*.json", EXTRACT)),
    ("rules/anydice/systems.toml", EXTRACT),
    ("rules/*/tables/*.json", EXTRACT),
]
ALIKE: Final = 0.6
"""How alike two sentences are, from 0 to 1, of which the new one takes the translation of the other."""
QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
Key = tuple[str | None, str] | tuple[str | None, str, str]
"""The context of a message, the message, and its plural if it has one."""


def domain(paths: Iterable[str]) -> str:
    """The catalogue of a message that is said in these files: a game's, or that of all."""
    games = {next((one for one in DOMAINS if one in Path(path).with_suffix("").parts), DOMAIN) for path in paths}
    return games.pop() if len(games) == 1 else DOMAIN


def templates() -> dict[str, Catalog]:
    """Every message of the code: domain to template."""
    every = Catalog()
    for folder in ("bot", "cogs"):
        for path, _, message, comments, context in extract_from_dir(ROOT / folder, METHODS):
            every.add(message, None, [(f"{folder}/{path}", 1)], auto_comments=comments, context=context)
    made = {one: Catalog() for one in DOMAINS}
    for entry in sorted(entries(every), key=lambda one: one.locations[0]):
        paths = sorted({path for path, _ in entry.locations})
        locations = [(path, 1) for path in paths]
        comments = entry.auto_comments
        made[domain(paths)].add(entry.id, None, locations, auto_comments=comments, context=entry.context)
    return made


def entries(catalogue: Iterable[Message]) -> list[Message]:
    """What a catalogue has beside its head."""
    return [one for one in catalogue if one.id]


def key_of(entry: Message) -> Key:
    return (entry.context, entry.id) if isinstance(entry.id, str) else (entry.context, *entry.id)


def singular(key: Key) -> str:
    return key[1]


def forms(entry: Message) -> list[str]:
    """The translations of an entry, one for each plural form; empty ones where there are none."""
    return [entry.string or ""] if isinstance(entry.string, str | None) else list(entry.string)


def renamed(held: Collection[Key], wanted: Iterable[Key]) -> dict[Key, Key]:
    """New keys to those held that say the same in another context, else to the most alike of those that are gone.

    Plurals follow plurals only.
    """
    new = dict.fromkeys(wanted)
    found: dict[Key, Key] = {}
    for length in (2, 3):
        every = {one[1:]: one for one in held if len(one) == length}
        gone = {singular(one): one for one in every.values() if one not in new}
        for key in (one for one in new if len(one) == length and one not in held):
            if key[1:] in every:
                found[key] = every[key[1:]]
                continue
            for text in difflib.get_close_matches(singular(key), gone, 1, ALIKE):
                found[key] = gone[text]
    return found


def brought(held: Mapping[Key, Message], head: Catalog, template: Catalog, before: Mapping[Key, Key]) -> Catalog:
    """A catalogue of the template's messages, in its order, with what was translated."""
    made = Catalog(locale=head.locale, header_comment=head.header_comment)
    made.mime_headers = head.mime_headers
    for entry in entries(template):
        key = key_of(entry)
        old = held.get(before.get(key, key))
        is_changed = old is not None and singular(key_of(old)) != singular(key) and any(forms(old))
        previous = [singular(before[key])] if is_changed else old.previous_id if old else ()
        made.add(
            entry.id,
            old.string if old else None,
            entry.locations,
            flags={"fuzzy"} if is_changed or (old and old.fuzzy) else (),
            auto_comments=entry.auto_comments,
            user_comments=old.user_comments if old else (),
            previous_id=previous,
            context=entry.context,
        )
    return made


def write(path: Path, catalogue: Catalog, *, is_template: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        pofile.write_po(file, catalogue, width=0, omit_header=is_template, include_previous=True, include_lineno=False)


def read(path: Path, locale: str | None = None) -> Catalog:
    if not path.exists():
        return Catalog(locale=locale)
    with path.open("rb") as file:
        catalogue = pofile.read_po(file, locale=locale)
    for entry in entries(catalogue):
        if former := [line.removeprefix("|").strip() for line in entry.user_comments if line.startswith("|")]:
            # Babel writes the former English in lines of a remark, and reads it as one
            entry.previous_id = ["".join(map(pofile.unescape, QUOTED.findall(" ".join(former))))]
            entry.user_comments = [line for line in entry.user_comments if not line.startswith("|")]
    return catalogue


def update(language: Translated, made: Mapping[str, Catalog]) -> str:
    """Write the catalogues of a language; returns what is left to translate, in a line."""
    locale = str(language.locale)
    folder = FOLDER / locale / "LC_MESSAGES"
    heads = {one: read(folder / f"{one}.po", locale) for one in DOMAINS}
    held = {key_of(one): one for head in heads.values() for one in entries(head)}
    wanted = [key_of(one) for template in made.values() for one in entries(template)]
    before = renamed(held.keys(), wanted)
    left = fuzzy = 0
    for name, template in made.items():
        catalogue = brought(held, heads[name] if heads[name].locale else heads[DOMAIN], template, before)
        write(folder / f"{name}.po", catalogue)
        fuzzy += sum(one.fuzzy for one in entries(catalogue))
        left += sum(not all(forms(one)) for one in entries(catalogue))
    return f"{language.name}: {left} to translate, {fuzzy} to look at again."


def write_all(made: Mapping[str, Catalog]) -> list[str]:
    """Write the templates and the catalogues of all languages; returns what is left to translate, a line each."""
    for name, template in made.items():
        write(FOLDER / f"{name}.pot", template, is_template=True)
    return [update(language, made) for language in LANGUAGES.values() if isinstance(language, Translated)]


def main() -> None:
    sys.stdout.write("".join(f"{line}\n" for line in write_all(templates())))


if __name__ == "__main__":
    main()
