"""The catalogs of the languages: they are whole, they hold what the English holds, and Discord takes them."""

import difflib
import gettext
import importlib
import io
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import discord
import pytest
from babel.messages import mofile
from babel.messages.catalog import Catalog, Message

from bot.languages import DOMAIN, DOMAINS, ENGLISH, FOLDER, LANGUAGES, Language, Translated, catalogs, of_locale, rename
from bot.languages.compiling import SHORT, compile_catalogs, contexts
from bot.languages.extract import PLACES, extract
from bot.languages.translate import translate, using_language
from bot.rules.text import N_, Count, Name, Names, Noun, Numeral, Sentences, Shown, Text, english, read_text, write_text
from bot.rules.xwing.dice.faces import Face
from bot.runtime.app import App
from bot.settings import Settings
from bot.ui.commands.options import Translator
from tests.test_house import MAX_COMMAND, cog_names, parts

OURS: Final = [language for language in LANGUAGES.values() if language is not ENGLISH]
MISTAKES: Final = Path(__file__).parent / "banned_translations.toml"
"""What no translation of a language may say, and what to say instead."""
MAX_DISCORD: Final = 100
"""Characters that Discord takes of a description."""
TYPED: Final = re.compile(r"`[^`]*`")
PLACE: Final = re.compile(r"\{(\w*)\}")
WORDS: Final = re.compile(r"[^\W\d_]{2}")
MOST: Final = re.compile(r"At most (\d+) characters\.")

every_language = pytest.mark.parametrize("language", OURS, ids=lambda item: item.key)


@cache
def template(domain: str) -> Catalog:
    return catalogs.read(FOLDER / f"{domain}.pot")


@cache
def catalog_of(language: Language, domain: str) -> Catalog:
    assert isinstance(language, Translated)
    return catalogs.read(FOLDER / str(language.locale) / "LC_MESSAGES" / f"{domain}.po", str(language.locale))


def catalog(language: Language) -> Iterator[Message]:
    """Every entry of a language, of all its domains."""
    return (entry for domain in DOMAINS for entry in catalog_of(language, domain) if entry.id)


def forms(message: Message) -> Iterator[tuple[str, str]]:
    """Each translation of an entry, with the English that it stands for."""
    if isinstance(message.id, str):
        yield message.id, str(message.string)
    else:
        yield from ((message.id[min(at, 1)], text) for at, text in enumerate(message.string or ()))


def translated(language: Language) -> Iterator[tuple[Message, str, str]]:
    for message in catalog(language):
        if message.id:
            yield from ((message, english, text) for english, text in forms(message) if text)


def typed(text: str) -> Counter[str]:
    """The words in backticks that people type; those that are a place differ with what is put there."""
    return Counter(item for item in TYPED.findall(text) if "{" not in item)


@cache
def extracted() -> dict[str, Catalog]:
    """What the code says now; to read all of it takes seconds, so who changes something takes a copy."""
    return catalogs.templates()


def test_the_templates_hold_the_messages_of_the_code() -> None:
    for domain, catalog in extracted().items():
        assert keys(catalog) == keys(template(domain)), "`make messages`"


def keys(catalog: Catalog) -> set[catalogs.Key]:
    return {catalogs.key_of(entry) for entry in catalog if entry.id}


@every_language
def test_an_entry_stands_once(language: Language) -> None:
    entries = Counter(catalogs.key_of(entry)[:2] for entry in catalog(language))
    assert [item for item, times in entries.items() if times > 1] == []


def messages_of_code() -> Iterator[Message]:
    return (entry for catalog in extracted().values() for entry in catalog if entry.id)


def test_a_short_message_says_what_it_is() -> None:
    """A word or two translate differently as a button, as a stat and as what happened."""
    short = [key for key in map(catalogs.key_of, messages_of_code()) if len(catalogs.singular(key).split()) < SHORT]
    unsaid = sorted(message for context, message, *_ in short if not context)
    assert unsaid == [], "write each into a context of bot/languages/contexts.toml"
    assert contexts().keys() <= set(map(catalogs.singular, short)), "rows that nobody says"


def test_a_place_says_what_stands_in_it() -> None:
    said = {name for entry in messages_of_code() for text, _ in forms(entry) for name in PLACE.findall(text)}
    assert sorted(said - PLACES.keys()) == [], "say in bot/languages/places.toml what stands there"
    assert sorted(PLACES.keys() - said) == [], "rows that no message needs"


def test_a_message_in_context_is_looked_up_there() -> None:
    """Of one English word that stands for two things, each has its own entry, also after it was stored."""
    rewind, first = Text(N_("First", "a button that steps through a recording")), Text("First")
    assert english(rewind) == english(first) == "First"
    again = read_text(write_text(rewind))
    with using_language(Apart("de", "Deutsch")):
        assert [translate(text) for text in (rewind, again, first)] == ["Anfang", "Anfang", "Erste"]


class Apart(Translated):
    """A language of two entries."""

    @property
    def catalog(self) -> gettext.NullTranslations:
        catalog = Catalog(locale="de")
        catalog.add("First", "Anfang", context="a button that steps through a recording")
        catalog.add("First", "Erste")
        file = io.BytesIO()
        mofile.write_mo(file, catalog)
        file.seek(0)
        return gettext.GNUTranslations(file)


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
        catalogs.singular(catalogs.key_of(entry))
        for entry in catalog(language)
        if not entry.fuzzy and all(text == original for original, text in forms(entry))
    }
    has_words = {item for item in equal if WORDS.search(TYPED.sub("", PLACE.sub("", item)))}
    assert sorted(has_words - known) == [], "translate it, or say in bot/languages/alike.toml why it is the same"


def test_every_reason_is_of_a_message() -> None:
    said = {catalogs.singular(catalogs.key_of(entry)) for domain in DOMAINS for entry in template(domain) if entry.id}
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
    head, new = catalogs.read(path, "de"), Catalog()
    for message, context in (("Ana attacks Bo, now.", None), ("Done", "a button"), (("hit", "hits"), "after a number")):
        new.add(message, None, [("bot/b.py", 1)], context=context)
    held = {catalogs.key_of(entry): entry for entry in head if entry.id}
    before = catalogs.match_renamed(held, [catalogs.key_of(entry) for entry in new if entry.id])
    entries = catalogs.entries(catalogs.merge_translations(held, head, new, before))
    changed, done, counted = entries
    assert (changed.id, changed.string) == ("Ana attacks Bo, now.", "Ana greift Bo an.")
    assert (changed.fuzzy, changed.previous_id) == (True, ["Ana attacks Bo."])
    assert (done.id, done.context, done.string) == ("Done", "a button", "Fertig"), "what gets a context is carried over"
    assert not done.fuzzy
    assert not any(catalogs.forms(counted))


MAX_DIFF: Final = 40
"""Lines that a changed comma may change in a template and six catalogs."""


def test_a_comma_changes_few_lines_and_loses_no_translation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured: 26 lines. The old translation stays, marked, with the English that it was made for."""
    result = {"xwing": deepcopy(extracted()["xwing"])}
    copy_catalogs(tmp_path, monkeypatch)
    catalogs.write_all(result)  # what the code says now, so that only the comma is new
    before = lines_under(tmp_path)
    former = next(
        item for item in catalog_of(LANGUAGES["de"], "xwing") if item.id and " " in item.id and "," in item.id
    )
    assert isinstance(former.id, str)
    changed = former.id.replace(",", "", 1)
    entry = result["xwing"].get(former.id, former.context)
    assert entry is not None
    entry.id = changed
    catalogs.write_all(result)
    after = lines_under(tmp_path)
    both = (line for name in before for line in difflib.unified_diff(before[name], after[name], n=0, lineterm=""))
    found = [line for line in both if line[0] in "+-" and line[:3] not in ("+++", "---")]
    assert 0 < len(found) <= MAX_DIFF, found
    for language in OURS:
        assert isinstance(language, Translated)
        path = tmp_path / str(language.locale) / "LC_MESSAGES" / "xwing.po"
        now = catalogs.read(path, str(language.locale)).get(changed, former.context)
        old = catalog_of(language, "xwing").get(former.id, former.context)
        assert now is not None
        assert old is not None
        assert now.string == old.string, "nothing that was translated is lost"
        assert not old.string or (now.fuzzy and now.previous_id == [former.id])


def lines_under(folder: Path) -> dict[str, list[str]]:
    """The lines of every template and catalog."""
    return {str(path): path.read_text(encoding="utf-8").splitlines() for path in sorted(folder.rglob("*.po*"))}


XWING, INFINITY, SHARED = (
    "bot/rules/xwing/table/ship.py",
    "bot/rules/infinity/dice/saves.py",
    "bot/ui/dispatch/router.py",
)


@pytest.mark.parametrize(
    ("paths", "first", "wanted"),
    [
        ([XWING, "cogs/xwing/squads.py"], None, "xwing"),
        (["bot/rules/albion.py"], None, "albion"),
        ([XWING, INFINITY], None, DOMAIN),
        ([SHARED, XWING], None, DOMAIN),
        ([XWING, INFINITY], "xwing", "xwing"),
        ([SHARED, XWING], "xwing", "xwing"),
        ([XWING, INFINITY], "albion", DOMAIN),
        ([SHARED, XWING], DOMAIN, DOMAIN),
        ([XWING, INFINITY], DOMAIN, DOMAIN),
        ([XWING], DOMAIN, "xwing"),
    ],
)
def test_a_message_belongs_to_the_game_that_said_it_first(paths: list[str], first: str | None, wanted: str) -> None:
    assert catalogs.domain(paths, first=first) == wanted


def test_the_check_counts_what_is_not_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An entry that is fuzzy or empty, or of whose plurals one is, is said in English: no release goes out with it."""
    copy_catalogs(tmp_path, monkeypatch)
    path = tmp_path / "de" / "LC_MESSAGES" / "xwing.po"
    catalog = catalogs.read(path, "de")
    plain, counted = (
        [entry for entry in catalogs.entries(catalog) if isinstance(entry.id, str) is is_plain]
        for is_plain in (True, False)
    )
    plain[0].flags.add("fuzzy")
    plain[1].string = ""
    counted[0].string = ("eins", "")
    catalogs.write(path, catalog)
    before = lines_under(tmp_path)
    left = catalogs.list_untranslated(german(), catalogs.template_keys())
    assert {catalogs.key_of(entry) for entry in (plain[0], plain[1], counted[0])} <= set(left)
    assert catalogs.main(["--check"]) == 1
    assert f"Deutsch lacks {len(left)}" in capsys.readouterr().out
    assert lines_under(tmp_path) == before, "a check writes nothing"
    monkeypatch.setattr(catalogs, "LANGUAGES", {})
    assert catalogs.main(["--check"]) == 0


def test_what_is_fuzzy_is_not_said(tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "rollcall.po").write_text(OLD + '\n#, fuzzy\nmsgid "Ana waits."\nmsgstr "Ana geht."\n', encoding="utf-8")
    (written,) = compile_catalogs(tmp_path)
    with written.open("rb") as file:
        said = gettext.GNUTranslations(file)
    assert said.gettext("Ana attacks Bo.") == "Ana greift Bo an."
    assert said.gettext("Ana waits.") == "Ana waits."


def german() -> Translated:
    language = LANGUAGES["de"]
    assert isinstance(language, Translated)
    return language


def copy_catalogs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copy the catalogs into a folder, which takes the place of theirs."""
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.mo", "*.py"))
    monkeypatch.setattr(catalogs, "FOLDER", folder)
    monkeypatch.setattr(rename, "FOLDER", folder)


def reword(entry: Message, new: str | tuple[str, ...]) -> Message:
    changed = Message(new, context=entry.context, locations=entry.locations)
    changed.auto_comments = entry.auto_comments
    return changed


def test_a_reworded_message_keeps_its_translations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However different its words are, also if catalogs were written in between; a lost one is found in old ones."""
    old, now = tmp_path / "old", tmp_path / "now"
    copy_catalogs(old, monkeypatch)
    copy_catalogs(now, monkeypatch)
    monkeypatch.setattr(catalogs, "LANGUAGES", {"de": german()})
    result = {"warsurge": Catalog()}
    entries = [item for item in extracted()["warsurge"] if item.id]
    plain = [item for item in entries if isinstance(item.id, str) and len(item.id.split()) > SHORT][:3]
    (counted, *_) = (item for item in entries if not isinstance(item.id, str))
    near = f"{plain[0].id} {plain[0].id[-9:]}"
    rewordings = {plain[0].id: near, plain[1].id: "Quite different now, isn't it?"}
    rewordings |= dict(zip(counted.id, ("zig", "zags"), strict=True))
    kept = [item for item in entries if item not in (*plain, counted)]
    reworded = [reword(item, rewordings[item.id]) for item in plain[:2]] + [reword(counted, ("zig", "zags"))]
    for entry in (*kept, plain[2], *reworded):
        result["warsurge"].add(
            entry.id, None, entry.locations, auto_comments=entry.auto_comments, context=entry.context
        )
    catalogs.write_all(result)  # the translation of the first is fuzzy now, those of the others are lost
    path = now / "de" / "LC_MESSAGES" / "warsurge.po"
    catalog = catalogs.read(path, "de")
    lost = catalog.get(plain[2].id, plain[2].context)
    assert lost is not None
    lost.string = ""
    catalogs.write(path, catalog)
    monkeypatch.setattr(catalogs, "templates", lambda: result)
    table = tmp_path / "table.tsv"
    first_step = "words in between, that nobody says"
    rows = [(plain[1].id, first_step), (first_step, rewordings[plain[1].id]), (plain[0].id, near)]
    rows += [(item, rewordings[item]) for item in counted.id]
    table.write_text("".join(f"{before}\t{after}\n".replace("\n", "\\n", before.count("\n")) for before, after in rows))
    rename.main([str(table), "--from", str(old)])
    before, after = catalogs.read(old / "de" / "LC_MESSAGES" / "warsurge.po", "de"), catalogs.read(path, "de")
    for was, new in zip((*plain[:2], counted, plain[2]), (*reworded, plain[2]), strict=True):
        had, has = before.get(was.id, was.context), after.get(new.id, new.context)
        assert had is not None
        assert has is not None
        assert has.string == had.string
        assert not has.fuzzy


def test_a_row_that_names_a_reworded_message_follows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rename, "FOLDER", tmp_path)
    for name in rename.TABLES:
        (tmp_path / name).write_text('"a button" = [\n    "Say \\"so\\"", "Stay",\n]\n', encoding="utf-8")
    rename.rename_rows({'Say "so"': "Confirm", "so": "no", "a": "b"})
    for name in rename.TABLES:
        assert tomllib.loads((tmp_path / name).read_text(encoding="utf-8")) == {"a button": ["Confirm", "Stay"]}


def test_a_table_of_rewordings_is_read_whole(tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    table.write_text("a\tb\\nc\n\nb\\nc\td\nx\ty\ny\tx\n", encoding="utf-8")
    assert rename.read_table(table) == {"a": "d", "b\nc": "d", "y": "x"}
    table.write_text("a b\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="one tab"):
        rename.read_table(table)


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
def test_no_mistake_that_a_reader_found_comes_back(language: Language) -> None:
    rows = tomllib.loads(MISTAKES.read_text(encoding="utf-8"))[language.key]
    assert len(rows) >= 10
    wrong = [
        f"{text}: {instead}"
        for message, _, text in translated(language)
        if not message.fuzzy
        for pattern, instead in rows.items()
        if re.search(pattern, text)
    ]
    assert wrong == []


@every_language
def test_every_plural_is_there(language: Language) -> None:
    plurals = catalog_of(language, DOMAIN).num_plurals
    for message in catalog(language):
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
    return [await slash.get_translated_payload(app.tree, translator) for slash in slashes]


async def test_commands_are_described_in_every_language() -> None:
    """Discord counts the longest language of each text; names stay English; other English is named as well."""
    for payload in await payloads():
        held = 0
        for part in parts(payload):
            assert not part.get("name_localizations"), "names stay English"
            said = {"en-US": part["description"], **part["description_localizations"]}
            for language in {*OURS} - {of_locale(item) for item in said}:  # typed words are the same in all of them
                assert language.message(part["description"]) == part["description"]
            assert said["en-GB"] == part["description"]
            assert max(map(len, said.values())) <= MAX_DISCORD, said
            held += len(part["name"]) + max(map(len, said.values()))
            for choice in part.get("choices") or ():
                names = (choice["name"], *choice.get("name_localizations", {}).values())
                held += max(map(len, names)) + len(str(choice["value"]))
        assert held <= MAX_COMMAND, f"{payload['name']} has {held} characters"


@pytest.mark.parametrize(
    ("locale", "key"),
    [("de", "de"), ("es-ES", "es"), ("es-419", "es"), ("pt-BR", "pt-BR"), ("en-GB", "en"), ("ja", "en"), ("", "en")],
)
def test_the_language_of_a_locale(locale: str, key: str) -> None:
    assert of_locale(locale).key == key


def test_numbers_lists_and_plurals_are_those_of_the_language() -> None:
    def said(key: str, text: Shown) -> str:
        with using_language(LANGUAGES[key]):
            return translate(text).replace("\xa0", " ").replace("\u202f", " ")

    share, many = Numeral("12.5%"), Numeral("1,234.5")
    assert [said(key, share) for key in ("de", "it", "pl")] == ["12,5 %", "12,5%", "12,5%"]
    assert [said(key, many) for key in ("de", "fr", "es")] == ["1.234,5", "1 234,5", "1.234,5"]
    assert said("fr", Sentences([Name("Ana"), Name("Bo")], "; ")) == "Ana ; Bo"
    with using_language(of_locale("es-419")):
        assert [translate(text) for text in (many, Text("hit"))] == ["1,234.5", "impacto"]
    assert said("de", Names(["Ana", "Bo", "Cleo"])) == "Ana, Bo und Cleo"
    assert said("es", Names(["Ana", "Bo"], "or")) == "Ana o Bo"
    assert said("fr", Names(["Ana"])) == "Ana"
    hits = Noun("hit", "hits")
    assert [said("de", hits.of(count)) for count in (1, 2)] == ["1 Treffer", "2 Treffer"]
    polish = [said("pl", Count(count, "day", "days")) for count in (1, 2, 5, 22)]
    assert polish == ["1 dzień", "2 dni", "5 dni", "22 dni"]
    beside = [said("fr", hits.unit_of(count)) for count in (1, Fraction(3, 2), 2)]
    assert beside == ["touche", "touche", "touches"], "a fraction counts as the whole number below it"
    beside = [said("pl", hits.unit_of(count)) for count in (1, Fraction(3, 2), 2, 5)]
    assert beside == ["trafienie", "trafienia", "trafienia", "trafień"]
    assert said("de", Text("{face}", face=Face.HIT)) == said("de", Text("hit")) == "Treffer"


def test_what_nobody_has_translated_is_english() -> None:
    with using_language(LANGUAGES["de"]):
        assert translate(Text("No catalog has this, {name}.", name="Ana")) == "No catalog has this, Ana."
        assert translate(Text("")) == "", "gettext keeps the header of a catalog under the empty message"


def test_a_catalog_is_compiled_when_it_is_newer(tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    source = folder / f"{DOMAIN}.po"
    source.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "a"\nmsgstr "b"\n')
    assert compile_catalogs(tmp_path) == [source.with_suffix(".mo")]
    assert compile_catalogs(tmp_path) == []


def test_a_message_is_found_where_it_is_written(tmp_path: Path) -> None:
    code = """
TABLE = {"a": N_("{x} of a table"), "b": N_("{x} of b"), "c": T_("blank", "a face"), "d": "no message"}
def say(kind, count):
    message = N_("just one") if count == 1 else N_("many {x}")
    texts = [Text(message, x=1), Text(TABLE[kind], x=2), Text("plain {x}" if kind else "{x}'s", x=3), Text("{x}")]
    return [*texts, Count(count, "hit", "hits")]
"""
    path = tmp_path / "code.py"
    path.write_text(code)
    with path.open("rb") as file:
        result = {message for _, _, message, _ in extract(file, (), (), {})}
    assert result == {
        *("just one", "many {x}", "{x} of a table", "{x} of b", "plain {x}", "{x}'s"),
        *(("a face", "blank"), ("a face", "Blank"), ("after a number", "hit", "hits")),
    }


def test_the_glossary_is_that_of_the_catalogs() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8").partition("## Glossary")[2]
    rows = [[cell.strip().removesuffix("\\*") for cell in line.strip("|").split("|")] for line in page.splitlines()]
    terms = {row[0]: row[1:] for row in rows if len(row) == len(LANGUAGES) and row[0].strip("-")}
    assert len(terms) > 50
    for term, said_so in terms.items():
        assert said_so == [language.message(term) for language in OURS], term
