"""The catalogues of the languages: they are whole, they hold what the English holds, and Discord takes them."""

import difflib
import gettext
import importlib
import io
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

import discord
import pytest
from babel.messages import mofile
from babel.messages.catalog import Catalog, Message

from bot.app import App
from bot.languages import DOMAIN, DOMAINS, ENGLISH, FOLDER, LANGUAGES, Language, Translated, catalogues, of_locale
from bot.languages.compiling import SHORT, compile_catalogues, contexts
from bot.languages.extract import PLACES, extract
from bot.languages.say import say, speaking
from bot.rules.text import N_, Count, Names, Noun, Numeral, Shown, Text, english, read_text, write_text
from bot.rules.xwing.dice.faces import Face
from bot.settings import Settings
from bot.ui.options import Translator
from tests.test_house import COMMAND_MOST, cog_names, parts

OURS: Final = [one for one in LANGUAGES.values() if one is not ENGLISH]
DISCORD_MOST: Final = 100
"""Characters that Discord takes of a description."""
TYPED: Final = re.compile(r"`[^`]*`")
PLACE: Final = re.compile(r"\{(\w*)\}")
WORDS: Final = re.compile(r"[^\W\d_]{2}")
MOST: Final = re.compile(r"At most (\d+) characters\.")

every_language = pytest.mark.parametrize("language", OURS, ids=lambda one: one.key)


@cache
def template(domain: str) -> Catalog:
    return catalogues.read(FOLDER / f"{domain}.pot")


@cache
def catalogue_of(language: Language, domain: str) -> Catalog:
    assert isinstance(language, Translated)
    return catalogues.read(FOLDER / str(language.locale) / "LC_MESSAGES" / f"{domain}.po", str(language.locale))


def catalogue(language: Language) -> Iterator[Message]:
    """Every entry of a language, of all its domains."""
    return (one for domain in DOMAINS for one in catalogue_of(language, domain) if one.id)


def forms(message: Message) -> Iterator[tuple[str, str]]:
    """Each translation of an entry, with the English that it stands for."""
    if isinstance(message.id, str):
        yield message.id, str(message.string)
    else:
        yield from ((message.id[min(at, 1)], text) for at, text in enumerate(message.string or ()))


def translated(language: Language) -> Iterator[tuple[Message, str, str]]:
    for message in catalogue(language):
        if message.id:
            yield from ((message, english, text) for english, text in forms(message) if text)


def typed(text: str) -> Counter[str]:
    """The words in backticks that people type; those that are a place differ with what is put there."""
    return Counter(one for one in TYPED.findall(text) if "{" not in one)


@cache
def extracted() -> dict[str, Catalog]:
    """What the code says now; to read all of it takes seconds, so who changes something takes a copy."""
    return catalogues.templates()


def test_the_templates_hold_the_messages_of_the_code() -> None:
    for domain, made in extracted().items():
        assert keys(made) == keys(template(domain)), "`make messages`"


def keys(made: Catalog) -> set[catalogues.Key]:
    return {catalogues.key_of(one) for one in made if one.id}


@every_language
def test_an_entry_stands_once(language: Language) -> None:
    entries = Counter(catalogues.key_of(one)[:2] for one in catalogue(language))
    assert [one for one, times in entries.items() if times > 1] == []


def messages_of_code() -> Iterator[Message]:
    return (one for made in extracted().values() for one in made if one.id)


def test_a_short_message_says_what_it_is() -> None:
    """A word or two translate differently as a button, as a stat and as what happened."""
    short = [key for key in map(catalogues.key_of, messages_of_code()) if len(catalogues.singular(key).split()) < SHORT]
    unsaid = sorted(message for context, message, *_ in short if not context)
    assert unsaid == [], "write each into a context of bot/languages/contexts.toml"
    assert contexts().keys() <= set(map(catalogues.singular, short)), "rows that nobody says"


def test_a_place_says_what_stands_in_it() -> None:
    said = {name for one in messages_of_code() for text, _ in forms(one) for name in PLACE.findall(text)}
    assert sorted(said - PLACES.keys()) == [], "say in bot/languages/places.toml what stands there"
    assert sorted(PLACES.keys() - said) == [], "rows that no message needs"


def test_a_message_in_context_is_looked_up_there() -> None:
    """Of one English word that stands for two things, each has its own entry, also after it was stored."""
    rewind, first = Text(N_("First", "a button that steps through a recording")), Text("First")
    assert english(rewind) == english(first) == "First"
    again = read_text(write_text(rewind))
    with speaking(Apart("de", "Deutsch")):
        assert [say(one) for one in (rewind, again, first)] == ["Anfang", "Anfang", "Erste"]


class Apart(Translated):
    """A language of two entries."""

    @property
    def catalogue(self) -> gettext.NullTranslations:
        made = Catalog(locale="de")
        made.add("First", "Anfang", context="a button that steps through a recording")
        made.add("First", "Erste")
        file = io.BytesIO()
        mofile.write_mo(file, made)
        file.seek(0)
        return gettext.GNUTranslations(file)


WHOLE: Final = frozenset({"de", "es", "fr", "it", "pl", "pt-BR"})
"""The languages, by their keys, that have every message and keep it so: here each goes once it is whole."""


@every_language
def test_how_whole_a_language_is(language: Language, record_property: Callable[[str, object], None]) -> None:
    """Printed, and required of those that were whole; what nobody has translated yet is English."""
    wanted = [catalogues.key_of(one) for domain in DOMAINS for one in template(domain) if one.id]
    held = {
        catalogues.key_of(one) for one in catalogue(language) if all(text for _, text in forms(one)) and not one.fuzzy
    }
    left = [key for key in wanted if key not in held]
    record_property(language.name, f"{1 - len(left) / len(wanted):.1%}")
    assert held
    assert language.key not in WHOLE or left == [], f"{language.name}: {len(left)} left to translate"


def alike() -> Iterator[tuple[str, str]]:
    """The languages, ``all`` or one, and the messages that say there what the English says."""
    for group in tomllib.loads((FOLDER / "alike.toml").read_text(encoding="utf-8")).values():
        assert group.pop("why"), "each group says its reason"
        yield from ((language, message) for language, messages in group.items() for message in messages)


@every_language
def test_what_equals_its_english_has_a_reason(language: Language) -> None:
    """A message that somebody took over and did not translate looks as if it were whole."""
    assert isinstance(language, Translated)
    known = {message for where, message in alike() if where in ("all", str(language.locale))}
    equal = {
        catalogues.singular(catalogues.key_of(one))
        for one in catalogue(language)
        if not one.fuzzy and all(text == original for original, text in forms(one))
    }
    has_words = {one for one in equal if WORDS.search(TYPED.sub("", PLACE.sub("", one)))}
    assert sorted(has_words - known) == [], "translate it, or say in bot/languages/alike.toml why it is the same"


def test_every_reason_is_of_a_message() -> None:
    said = {catalogues.singular(catalogues.key_of(one)) for domain in DOMAINS for one in template(domain) if one.id}
    assert sorted({message for _, message in alike()} - said) == [], "rows that nobody says"


OLD: Final = """# Somebody's words
msgid ""
msgstr ""
"Language: de\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"Content-Type: text/plain; charset=utf-8\\n"

#: bot/a.py
msgid "Ana attacks Bo."
msgstr "Ana greift Bo an."

#: bot/a.py
msgid "Nobody says this."
msgstr "Das sagt niemand."

#: bot/a.py
msgid "Done"
msgstr "Fertig"
"""


def test_a_sentence_that_changed_keeps_its_translation_as_fuzzy(tmp_path: Path) -> None:
    path = tmp_path / "old.po"
    path.write_text(OLD, encoding="utf-8")
    head, new = catalogues.read(path, "de"), Catalog()
    for message, context in (("Ana attacks Bo, now.", None), ("Done", "a button"), (("hit", "hits"), "after a number")):
        new.add(message, None, [("bot/b.py", 1)], context=context)
    held = {catalogues.key_of(one): one for one in head if one.id}
    before = catalogues.renamed(held, [catalogues.key_of(one) for one in new if one.id])
    made = catalogues.entries(catalogues.brought(held, head, new, before))
    changed, done, counted = made
    assert (changed.id, changed.string) == ("Ana attacks Bo, now.", "Ana greift Bo an.")
    assert (changed.fuzzy, changed.previous_id) == (True, ["Ana attacks Bo."])
    assert (done.id, done.context, done.string) == ("Done", "a button", "Fertig"), "what gets a context is carried over"
    assert not done.fuzzy
    assert not any(catalogues.forms(counted))


DIFF_MOST: Final = 40
"""Lines that a changed comma may change in a template and six catalogues."""


def test_a_comma_changes_few_lines_and_loses_no_translation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured: 26 lines. The old translation stays, marked, with the English that it was made for."""
    made = deepcopy(extracted())
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.mo", "*.py"))
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    catalogues.write_all(made)  # what the code says now, so that only the comma is new
    before = lines_under(tmp_path)
    former = next(one for one in catalogue_of(LANGUAGES["de"], "xwing") if one.id and " " in one.id and "," in one.id)
    assert isinstance(former.id, str)
    changed = former.id.replace(",", "", 1)
    entry = made["xwing"].get(former.id, former.context)
    assert entry is not None
    entry.id = changed
    catalogues.write_all(made)
    after = lines_under(tmp_path)
    both = (line for name in before for line in difflib.unified_diff(before[name], after[name], n=0, lineterm=""))
    found = [line for line in both if line[0] in "+-" and line[:3] not in ("+++", "---")]
    assert 0 < len(found) <= DIFF_MOST, found
    for language in OURS:
        assert isinstance(language, Translated)
        path = tmp_path / str(language.locale) / "LC_MESSAGES" / "xwing.po"
        now = catalogues.read(path, str(language.locale)).get(changed, former.context)
        old = catalogue_of(language, "xwing").get(former.id, former.context)
        assert now is not None
        assert old is not None
        assert now.string == old.string, "nothing that was translated is lost"
        assert not old.string or (now.fuzzy and now.previous_id == [former.id])


def lines_under(folder: Path) -> dict[str, list[str]]:
    """The lines of every template and catalogue."""
    return {str(path): path.read_text(encoding="utf-8").splitlines() for path in sorted(folder.rglob("*.po*"))}


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        (["bot/rules/xwing/table/ship.py", "cogs/xwing/squads.py"], "xwing"),
        (["bot/rules/albion.py"], "albion"),
        (["bot/rules/xwing/table/ship.py", "bot/rules/infinity/saves.py"], DOMAIN),
        (["bot/ui/press.py", "bot/rules/xwing/table/ship.py"], DOMAIN),
    ],
)
def test_a_message_belongs_to_the_game_that_says_it(paths: list[str], wanted: str) -> None:
    assert catalogues.domain(paths) == wanted


@every_language
def test_places_and_typed_words_stay(language: Language) -> None:
    for message, original, text in translated(language):
        if message.fuzzy:  # it was made for another sentence, and nobody reads it until somebody has looked at it
            continue
        assert set(PLACE.findall(text)) == set(PLACE.findall(original)), text
        assert typed(text) == typed(original), text
        assert text.count("**") == original.count("**"), text
        assert text.count("\n") == original.count("\n"), text


@every_language
def test_every_plural_is_there(language: Language) -> None:
    plurals = catalogue_of(language, DOMAIN).num_plurals
    for message in catalogue(language):
        if not isinstance(message.id, str):
            texts = [text for _, text in forms(message)]
            assert not any(texts) or (len(texts) == plurals and all(texts)), message.id


@every_language
def test_what_stands_in_a_narrow_place_fits(language: Language) -> None:
    for message, _, text in translated(language):
        for most in MOST.findall(" ".join(message.auto_comments)):
            assert PLACE.search(text) or len(text) <= int(most), text


async def payloads() -> list[dict[str, Any]]:
    """Every slash command as Discord gets it, in all languages."""
    app, translator = App(Settings.model_construct()), Translator()
    for name in sorted(cog_names()):
        await importlib.import_module(f"cogs.{name}").setup(app)
    slashes = app.tree.get_commands(type=discord.AppCommandType.chat_input)
    return [await one.get_translated_payload(app.tree, translator) for one in slashes]


async def test_commands_are_described_in_every_language() -> None:
    """Discord counts the longest language of each text; names stay English; other English is named as well."""
    for payload in await payloads():
        held = 0
        for part in parts(payload):
            assert not part.get("name_localizations"), "names stay English"
            said = {"en-US": part["description"], **part["description_localizations"]}
            for language in {*OURS} - {of_locale(one) for one in said}:  # typed words are the same in all of them
                assert language.message(part["description"]) == part["description"]
            assert said["en-GB"] == part["description"]
            assert max(map(len, said.values())) <= DISCORD_MOST, said
            held += len(part["name"]) + max(map(len, said.values()))
            for choice in part.get("choices") or ():
                names = (choice["name"], *choice.get("name_localizations", {}).values())
                held += max(map(len, names)) + len(str(choice["value"]))
        assert held <= COMMAND_MOST, f"{payload['name']} has {held} characters"


@pytest.mark.parametrize(
    ("locale", "key"),
    [("de", "de"), ("es-ES", "es"), ("es-419", "es"), ("pt-BR", "pt-BR"), ("en-GB", "en"), ("ja", "en"), ("", "en")],
)
def test_the_language_of_a_locale(locale: str, key: str) -> None:
    assert of_locale(locale).key == key


def test_numbers_lists_and_plurals_are_those_of_the_language() -> None:
    def said(key: str, text: Shown) -> str:
        with speaking(LANGUAGES[key]):
            return say(text).replace("\xa0", " ").replace("\u202f", " ")

    share, many = Numeral("12.5 %"), Numeral("1,234.5")
    assert [said(key, share) for key in ("de", "it", "pl")] == ["12,5 %", "12,5%", "12,5%"]
    assert [said(key, many) for key in ("de", "fr", "es")] == ["1.234,5", "1 234,5", "1.234,5"]
    assert said("de", Names(["Ana", "Bo", "Cleo"])) == "Ana, Bo und Cleo"
    assert said("es", Names(["Ana", "Bo"], "or")) == "Ana o Bo"
    assert said("fr", Names(["Ana"])) == "Ana"
    hits = Noun("hit", "hits")
    assert [said("de", hits.of(count)) for count in (1, 2)] == ["1 Treffer", "2 Treffer"]
    polish = [said("pl", Count(count, "day", "days")) for count in (1, 2, 5, 22)]
    assert polish == ["1 dzień", "2 dni", "5 dni", "22 dni"]
    assert said("de", Text("{face}", face=Face.HIT)) == said("de", Text("hit")) == "Treffer"


def test_what_nobody_has_translated_is_english() -> None:
    with speaking(LANGUAGES["de"]):
        assert say(Text("No catalogue has this, {name}.", name="Ana")) == "No catalogue has this, Ana."
        assert say(Text("")) == "", "gettext keeps the header of a catalogue under the empty message"


def test_a_catalogue_is_compiled_when_it_is_newer(tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    source = folder / f"{DOMAIN}.po"
    source.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "a"\nmsgstr "b"\n')
    assert compile_catalogues(tmp_path) == [source.with_suffix(".mo")]
    assert compile_catalogues(tmp_path) == []


def test_a_message_is_found_where_it_is_written(tmp_path: Path) -> None:
    code = """
TABLE = {"a": N_("{x} of a table"), "b": N_("{x} of b"), "c": T_("blank", "a face"), "d": "no message"}
def say(kind, count):
    message = N_("one") if count == 1 else N_("many {x}")
    texts = [Text(message, x=1), Text(TABLE[kind], x=2), Text("plain {x}" if kind else "{x}'s", x=3), Text("{x}")]
    return [*texts, Count(count, "hit", "hits")]
"""
    path = tmp_path / "code.py"
    path.write_text(code)
    with path.open("rb") as file:
        found = {message for _, _, message, _ in extract(file, (), (), {})}
    assert found == {
        *("one", "many {x}", "{x} of a table", "{x} of b", "plain {x}", "{x}'s"),
        *(("a face", "blank"), ("a face", "Blank"), ("after a number", "hit", "hits")),
    }


def test_the_glossary_is_that_of_the_catalogues() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8").partition("## Glossary")[2]
    rows = [[cell.strip().removesuffix("\\*") for cell in line.strip("|").split("|")] for line in page.splitlines()]
    terms = {row[0]: row[1:] for row in rows if len(row) == len(LANGUAGES) and row[0].strip("-")}
    assert len(terms) > 50
    for term, said_so in terms.items():
        assert said_so == [one.message(term) for one in OURS], term
