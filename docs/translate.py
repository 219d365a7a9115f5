# ruff: noqa: INP001 - a script beside the pictures, no package
"""A page to translate at the card: each sentence of a game beside a card that shows it, in one language, offline.

``make translate LANG=de GAME=xwing`` plays the scenes of ``docs/pictures.py`` and the pages of help in that language,
keeps every card with its picture, and writes ``dist/translate/de-xwing/index.html``. A sentence stands once, at the
first card on which it is read, or with the scene in which it was said; those that no scene shows come last. The page
changes nothing: translate in the ``.po`` file, and make it again.
"""

import asyncio
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Final, cast
from unittest import mock

import discord
import simcord
from babel.messages.catalog import Catalog, Message
from simcord.backend.errors import SetupError

from bot.games import GAMES
from bot.languages import DOMAINS, FOLDER, LANGUAGES, Translated, catalogs
from bot.rules.text import InContext
from cogs.help import PAGES, START
from docs.pictures import SCENES, played, said

TARGET: Final = Path("dist/translate")
PLACE: Final = re.compile(r"\{\w*\}")
SAID: Final = re.compile(r"said ([0-9,]+) times")
BESIDE: Final = ("table", "secret", "saved", "initiative", "look", "ruleset", "roll", "contest")
"""Scenes of what all games share, and of any dice."""
HELP: Final = ":help"
"""Behind a scene: the pages of help instead of its cards."""
USE: Final = "Use: make translate LANG={languages} GAME={games}"


@dataclass(frozen=True, slots=True)
class Shown:
    """A card of a scene: its words, and the files of its pictures."""

    scene: str
    words: tuple[str, ...]
    controls: tuple[str, ...]
    pictures: tuple[str, ...]

    def says(self, entry: Message) -> bool:
        """Whether it reads as the entry, translated or in English, with something in each place."""
        text = "\n".join((*self.words, *self.controls))
        return any(reads_as(item, text) for item in {*catalogs.forms(entry), *ids(entry)} if item)


def ids(entry: Message) -> tuple[str, ...]:
    return (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)


def reads_as(message: str, text: str) -> bool:
    parts = [re.escape(part) for part in PLACE.split(message)]
    pattern = ".*?".join(parts)
    return any(map(str.isalpha, message)) and re.search(rf"(?<!\w){pattern}(?!\w)", text) is not None


def catalog(language: Translated, name: str) -> Catalog:
    locale = str(language.locale)
    return catalogs.read(FOLDER / locale / "LC_MESSAGES" / f"{name}.po", locale)


@contextmanager
def heard(language: Translated) -> Iterator[set[str]]:
    """The English of every message that is said in a language meanwhile."""
    result = set[str]()
    message, count = type(language).message, type(language).count

    def hears(self: Translated, english: str) -> str:
        result.add(f"{english.context}\x04{english}" if isinstance(english, InContext) else english)
        return message(self, english)

    def counts(self: Translated, number: int, item: str, many: str) -> str:
        result.add(item)
        return count(self, number, item, many)

    with mock.patch.object(Translated, "message", hears), mock.patch.object(Translated, "count", counts):
        yield result


def named(names: Mapping[str, str], place: re.Match[str]) -> str:
    """Return what stands in one place of a message."""
    return names[place[0]]


def everybody_reads(env: simcord.Env, locale: str) -> None:
    """From now on Discord says that everybody's is in this language."""
    emit = env.backend.emit

    def told(event: str, payload: Any) -> Any:
        return emit(event, {**payload, "locale": locale} if event == "INTERACTION_CREATE" else payload)

    env.backend.emit = told  # type: ignore[method-assign]  # as if Discord said so


@contextmanager
def pressed_in(language: Translated) -> Iterator[None]:
    """Meanwhile the buttons that scenes name in English are found by what they say."""
    click = simcord.MemberActor.click
    every = [item for name in DOMAINS for item in catalogs.entries(catalog(language, name)) if item.string]
    every.sort(key=lambda item: -len(PLACE.sub("", ids(item)[0])))  # of those that fit, the one with most words

    def of(label: str) -> str:
        """A label with names in it says them in the places of its message."""
        for entry in every:
            match = re.fullmatch(
                PLACE.sub("(.+)", re.escape(ids(entry)[0]).replace(r"\{", "{").replace(r"\}", "}")), label
            )
            if match is not None and not entry.fuzzy:
                names = dict(zip(PLACE.findall(ids(entry)[0]), match.groups(), strict=True))
                return PLACE.sub(partial(named, names), catalogs.forms(entry)[0])
        return label

    async def finds(self: simcord.MemberActor, message: Any, *, label: str | None = None, **how: Any) -> Any:
        return await click(self, message, label=label and of(label), **how)

    with mock.patch.object(simcord.MemberActor, "click", finds):
        yield


async def cards_of(scene: str, game: str, language: Translated, folder: Path) -> tuple[list[Shown], set[str]]:
    """The cards of one scene, their pictures written into the folder, and what was said on the way."""
    shown = list[Shown]()
    with heard(language) as result, pressed_in(language):

        def begin(env: simcord.Env) -> None:
            everybody_reads(env, language.key)
            result.clear()  # every description of a command was said when the bot started

        async with played(scene.partition(":")[0] + f".{language.key}", begin) as (club, _):
            cards: Sequence[discord.Message] = club.channel.history(viewer=club.ana)
            if scene.endswith(HELP):
                result.clear()
                pages = [game, f"{game}-words"] if game in GAMES else [START]
                results = [await club.ana.slash(club.channel, "help", game=item) for item in pages if item in PAGES]
                cards = [cast("discord.Message", item.response) for item in results if item.response is not None]
            for number, card in enumerate(cards):
                files = [await kept(attachment, folder / f"{scene}-{number}") for attachment in card.attachments]
                parts = said(card)
                if words := tuple(parts["card"] + parts["alt"]):
                    shown.append(Shown(scene, words, tuple(parts["controls"]), tuple(filter(None, files))))
    return shown, result


async def kept(picture: discord.Attachment, path: Path) -> str:
    """The name of a picture's file; empty for another file."""
    suffix = Path(picture.filename).suffix
    if suffix not in (".png", ".gif", ".webp"):
        return ""
    path.with_suffix(suffix).write_bytes(await picture.read())
    return path.with_suffix(suffix).name


def scenes_of(game: str) -> list[str]:
    own = [name for name in SCENES if name.startswith(game)] or [name for name in SCENES if name.startswith(BESIDE)]
    return [*own, own[0] + HELP]


def key(entry: Message) -> set[str]:
    """As what ``heard`` notes an entry."""
    item = ids(entry)[0]
    return {item, f"{entry.context}\x04{item}"}


def times_said(entry: Message) -> int:
    """How often players read it, as its comment says: what is said most comes first."""
    found = SAID.search(" ".join(entry.auto_comments))
    return int(found[1].replace(",", "")) if found else 0


def placed(entries: Sequence[Message], cards: Sequence[tuple[Shown, set[str]]]) -> dict[int, list[Message]]:
    """The entries by the place of the first card that shows them, else of one of their scene; -1: there is none."""
    result: dict[int, list[Message]] = {}
    for entry in entries:
        said_at = [at for at, (_, spoken) in enumerate(cards) if key(entry) & spoken]
        read_at = (at for at in said_at if cards[at][0].says(entry))
        result.setdefault(next(read_at, said_at[-1] if said_at else -1), []).append(entry)
    return result


STYLE: Final = """
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; background: #1e1f22; color: #e6e6ea }
header, section { padding: 12px 20px; border-bottom: 1px solid #3a3b40 }
section { display: grid; grid-template-columns: minmax(280px, 460px) 1fr; gap: 24px; align-items: start }
.card { position: sticky; top: 12px; white-space: pre-wrap; background: #2b2d31; padding: 12px; border-radius: 8px }
.card img { max-width: 100%; display: block; margin: 8px 0 }
.card b { display: inline-block; margin: 4px 6px 0 0; padding: 3px 10px; border-radius: 6px; background: #4e5058 }
article { padding: 8px 0 10px; border-bottom: 1px solid #3a3b40 } article p { margin: 2px 0; white-space: pre-wrap }
.en { color: #b5bac1 } .what, .where { color: #949ba4; font-size: 13px }
.empty .own { color: #ff9d9d } .fuzzy .own { color: #f0c46b }
body.left article.done { display: none }
@media (max-width: 800px) { section { display: block } .card { position: static } }
"""


def page(title: str, cards: Sequence[Shown], by_card: dict[int, list[Message]]) -> str:
    """The page, in one file beside its pictures."""
    sections = [section(card(cards[at]), by_card[at]) for at in sorted(by_card) if at >= 0]
    rest = by_card.get(-1, [])
    shown = sum(len(item) for at, item in by_card.items() if at >= 0)
    count = f"{shown} sentences at {len(sections)} cards, {len(rest)} that no scene shows"
    last = section('<div class="card">On no card of these scenes.</div>', rest) if rest else ""
    only = "<label><input type=checkbox onchange=\"document.body.classList.toggle('left')\"> only what is left</label>"
    return (
        f'<!doctype html><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
        f"<header><h1>{escape(title)}</h1><p>{count}. {only}</p></header>{''.join(sections)}{last}\n"
    )


def section(beside: str, entries: Sequence[Message]) -> str:
    return f"<section>{beside}<div>{''.join(map(sentence, entries))}</div></section>"


def card(shown: Shown) -> str:
    pictures = "".join(f'<img src="{escape(picture)}" alt="">' for picture in shown.pictures)
    controls = "".join(f"<b>{escape(control)}</b>" for control in shown.controls)
    words = "\n".join(map(escape, shown.words))
    return f'<div class="card"><span class="what">{escape(shown.scene)}</span>\n{pictures}{words}\n{controls}</div>'


def sentence(entry: Message) -> str:
    """What it is, the English, and what the language says or lacks."""
    own = [escape(form) for form in catalogs.forms(entry) if form]
    state = "fuzzy" if entry.fuzzy else "done" if own else "empty"
    what = " · ".join(filter(None, (entry.context or "", *entry.auto_comments)))
    former = f" (was: {' '.join(map(str, entry.previous_id))})" if entry.fuzzy and entry.previous_id else ""
    where = ", ".join(sorted({str(path) for path, _ in entry.locations}))
    return (
        f'<article class="{state}"><p class="what">{escape(what)}</p>'
        f'<p class="en">{"<br>".join(map(escape, ids(entry)))}{escape(former)}</p>'
        f'<p class="own">{"<br>".join(own) or "not translated"}</p><p class="where">{escape(where)}</p></article>'
    )


async def make(language: Translated, game: str, scenes: Sequence[str], target: Path = TARGET) -> Path:
    """Write the page of a language and a game; where it lies."""
    folder = target / f"{language.key}-{game}"
    folder.mkdir(parents=True, exist_ok=True)
    cards = list[tuple[Shown, set[str]]]()
    for scene in scenes:
        try:
            shown, spoken = await cards_of(scene, game, language, folder)
        except SetupError as missing:  # a button whose name has a place in it says something else there
            sys.stdout.write(f"{scene} cannot be played in {language.name}: {missing}\n")
            continue
        cards += [(item, spoken) for item in shown]
    entries = sorted(catalogs.entries(catalog(language, game)), key=times_said, reverse=True)
    written = folder / "index.html"
    title = f"{language.name}: {game}"
    written.write_text(page(title, [item for item, _ in cards], placed(entries, cards)), encoding="utf-8")
    return written


def main(arguments: Sequence[str]) -> None:
    language, game = LANGUAGES.get(arguments[0] if arguments else ""), arguments[1] if len(arguments) > 1 else ""
    if not isinstance(language, Translated) or game not in DOMAINS:
        languages = "|".join(item.key for item in LANGUAGES.values() if isinstance(item, Translated))
        sys.exit(USE.format(languages=languages, games="|".join(DOMAINS)))
    sys.stdout.write(f"Playing the scenes of {game} in {language.name}.\n")
    sys.stdout.write(f"Open {asyncio.run(make(language, game, scenes_of(game)))} in a browser.\n")


if __name__ == "__main__":
    main(sys.argv[1:])
