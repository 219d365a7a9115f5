"""Words of the reader's language are taken beside the English ones, and no word means two things.

The words are the catalogs' own terms, so the laws go over all catalogs: a translation that breaks one is red here.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.games import GAMES
from bot.languages import ENGLISH, LANGUAGES, Language
from bot.languages.translate import reader, translate, using_language
from bot.rules.anydice.words import TABLES, spellings
from bot.rules.errors import AllowedWords, PlayerError, UnknownWordError
from bot.rules.game import Side
from bot.rules.infinity.orders import typed_orders
from bot.rules.phrase_parser import READER
from bot.rules.text import Message, Text, english
from bot.rules.xwing.dice import typed_sides
from bot.rules.xwing.dice.faces import Face

OURS = [language for language in LANGUAGES.values() if language is not ENGLISH]
every_language = pytest.mark.parametrize("language", OURS, ids=lambda item: item.key)
LINES = (
    "focus, lock, force 2, reroll 1 blank, change 1 focus to hit",
    "2 focus, calculate, charge, change all focus to hit, add 1 hit, cancel 1 evade, spend 1 crit",
    "reroll 2 blank or focus if only blanks, +1 dice, forbid green tokens green, needs lock or focus, cost 2 charge",
    "range 1 bonus on, counts as range 1, at most 1 focus modified, crits first, every crit to hit",
)
DEFENCE = "focus, evade 2, hull 4, shields 2, reinforce, strain, tractor, cloak, reroll 1 blank, change any to evade"


@contextmanager
def read_by(language: Language) -> Iterator[None]:
    token = READER.set(reader(language))
    try:
        yield
    finally:
        READER.reset(token)


def meanings(language: Language) -> dict[str, str]:
    known = typed_sides.words_of(reader(language))
    assert known is not None
    return dict(known[1])


@every_language
def test_what_one_types_in_english_means_the_same_in_every_language(language: Language) -> None:
    lines = [*((line, Side.ATTACKER) for line in LINES), (DEFENCE, Side.DEFENDER)]
    wanted = [typed_sides.parse_english(line, side, "with") for line, side in lines]
    with read_by(language):
        assert [typed_sides.parse(line, side, "with") for line, side in lines] == wanted


@every_language
def test_no_word_means_two_things(language: Language) -> None:
    """Neither two of ours, nor one of ours and another English word; and none of ours goes without a word."""
    said = meanings(language)
    assert not said.keys() & typed_sides.ENGLISH_WORDS
    with using_language(language):
        terms = {
            str(word): translate(Text(Message(word))).lower()
            for word in (*Face, *typed_sides.POOL_WORDS, *typed_sides.VERBS_SAID)
        }
    doubled = [item for item, times in Counter(terms.values()).items() if times > 1]
    assert doubled == [], "two words that people type are the same word in this language"
    unsaid = [word for word, term in terms.items() if term not in said and term != word]
    assert unsaid == [], "a term that is English for something else, or stands for two things"
    assert {*typed_sides.NOUNS_SAID} - {
        *said.values(),
        *(item for item in typed_sides.NOUNS_SAID if terms.get(item) == item),
    } == set()


@every_language
def test_a_line_in_the_words_of_the_language_is_read(language: Language) -> None:
    """The answer is the same as to the English line, so that the card shows the canonical form."""
    said = {meaning: word for word, meaning in meanings(language).items()}

    def typed(line: str) -> str:
        return " ".join(said.get(word, word) for word in line.replace(",", " ,").split()).upper()

    for line, side in ((LINES[0], Side.ATTACKER), (LINES[1], Side.ATTACKER), (DEFENCE, Side.DEFENDER)):
        assert typed(line) != line.upper()
        with read_by(language):
            brought = typed_sides.parse(typed(line), side, "with")
        assert typed_sides.write(brought, side) == typed_sides.write(
            typed_sides.parse_english(line, side, "with"), side
        )


def refused_word(line: str) -> str:
    """The word at which a line is refused; none where it misses something else."""
    try:
        typed_sides.parse(line, Side.ATTACKER, "with")
    except UnknownWordError as error:
        return error.word
    except PlayerError:
        return ""
    return ""


@every_language
@pytest.mark.parametrize("line", ["change 1 focus to {}", "reroll 1 {}", "{}", "add 1 {}", "cancel 1 {}", "forbid {}"])
def test_a_refusal_advises_no_word_that_it_refuses(language: Language, line: str) -> None:
    with read_by(language), using_language(language):
        with pytest.raises(UnknownWordError) as refused:
            typed_sides.parse(line.format("xyzzy"), Side.ATTACKER, "with")
        advised = [word for fact in refused.value.wanted if isinstance(fact, AllowedWords) for word in fact.words]
        assert advised
        sentence = translate(english(refused.value.text))
        assert [word for word in advised if refused_word(line.format(word)) == word] == [], sentence


def test_a_declaration_is_kept_for_readers_of_one_language() -> None:
    """Else whether somebody's words are read would depend on who has typed the same before."""
    game, typed = GAMES["xwing"], {"dice": 3, "with": "Fokus", "agility": 1}
    with read_by(LANGUAGES["de"]):
        assert game.declare(typed, {}).attack.has("focus")
    with pytest.raises(PlayerError):
        game.declare(typed, {})


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("de", "neu 1 leerseite"),
        ("de", "wiederholen 1 leerseite"),
        ("fr", "relancer 1 face vierge"),
        ("fr", "relance 1 face vierge"),
        ("es", "repetir 1 cara vacia"),
        ("es", "relanzar 1 cara vacía"),
        ("it", "ritirare 1 vuoto"),
        ("pt-BR", "rerrolar 1 em branco"),
        ("pl", "przerzucic 1 pusty wynik"),
    ],
)
def test_forms_of_a_verb_and_words_without_accents_are_read(key: str, line: str) -> None:
    with read_by(LANGUAGES[key]):
        assert typed_sides.parse(line, Side.ATTACKER, "with") == typed_sides.parse_english(
            "reroll 1 blank", Side.ATTACKER, "with"
        )


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("de", "Ana 12 b2 gegen Bo 11; Cleo 10 ausweichen"),
        ("fr", "Ana 12 b2 contre Bo 11; Cleo 10 esquive"),
        ("es", "Ana 12 b2 contra Bo 11; Cleo 10 esquivar"),
        ("it", "Ana 12 b2 contro Bo 11; Cleo 10 schivare"),
        ("pt-BR", "Ana 12 b2 contra Bo 11; Cleo 10 esquiva"),
        ("pl", "Ana 12 b2 przeciw Bo 11; Cleo 10 unik"),
    ],
)
def test_an_order_is_read_in_the_words_of_the_language(key: str, line: str) -> None:
    with read_by(LANGUAGES[key]):
        assert typed_orders.parse(line) == typed_orders.parse("Ana 12 b2 vs Bo 11; Cleo 10 dodge")


IN_LANGUAGES = {
    "Ana 12 b2 cover at 20 vs Bo 11 dodge": {
        "de": "Ana 12 b2 Deckung auf 20 gegen Bo 11 Ausweichen",
        "es": "Ana 12 b2 cobertura a 20 contra Bo 11 esquivar",
        "fr": "Ana 12 b2 à couvert à 20 contre Bo 11 esquiver",
        "it": "Ana 12 b2 copertura a 20 contro Bo 11 schivare",
        "pl": "Ana 12 b2 oslona w odleglosci 20 przeciw Bo 11 unik",
        "pt-BR": "Ana 12 b2 cobertura a 20 contra Bo 11 esquivar",
    },
    "Ana 12 burst 2 surprise vs Bo 11": {
        "de": "Ana 12 Salve 2 ueberraschung gegen Bo 11",
        "es": "Ana 12 rafaga 2 sorpresa contra Bo 11",
        "fr": "Ana 12 rafale 2 surprise contre Bo 11",
        "it": "Ana 12 raffica 2 sorpresa contro Bo 11",
        "pl": "Ana 12 seria 2 zaskoczenie przeciw Bo 11",
        "pt-BR": "Ana 12 rajada 2 surpresa contra Bo 11",
    },
}


@pytest.mark.parametrize("line", IN_LANGUAGES)
@every_language
def test_circumstances_of_an_order_are_read_in_the_words_of_the_language(language: Language, line: str) -> None:
    with read_by(language):
        assert typed_orders.parse(IN_LANGUAGES[line][language.key]) == typed_orders.parse(line)


@every_language
def test_each_word_that_a_language_has_for_games_is_read(language: Language) -> None:
    """Verbs of X-Wing in each form; words of Infinity's orders behind a number; all without accents as well."""
    verbs = {"change": "change 1 focus to hit", "add": "add 1 hit", "cancel": "cancel 1 hit", "spend": "spend 1 hit"}
    needs = {
        "burst": "Ana 12 burst 2 vs Bo 11",
        "at": "Ana 12 at 20 vs Bo 11",
        "fireteam": "Ana 12 fireteam 3 vs Bo 11",
        "melee": "Ana 12 melee 2 vs Bo 11",
    }
    unread = []
    for english_word, listed in TABLES[language.key]["games"].items():
        for word in {form for typed in listed for form in (typed, *spellings(typed))}:
            with read_by(language):
                if english_word in verbs:
                    line = verbs[english_word]
                    wanted: object = typed_sides.parse_english(line, Side.ATTACKER, "with")
                    found: object = typed_sides.parse(line.replace(english_word, word), Side.ATTACKER, "with")
                else:
                    line = needs.get(english_word, f"Ana 12 {english_word} vs Bo 11")
                    try:
                        wanted = typed_orders.parse(line)
                        found = typed_orders.parse(line.replace(english_word, word, 1))
                    except PlayerError as refused:
                        wanted, found = line, english(refused.text)
            unread += [] if found == wanted else [(word, found)]
    assert unread == []


def test_a_refusal_suggests_the_words_of_the_language() -> None:
    with read_by(LANGUAGES["de"]), pytest.raises(UnknownWordError) as refused:
        typed_sides.parse("ändere 1 fokuss zu treffer", Side.ATTACKER, "with")
    assert "Did you mean `fokus`?" in english(refused.value.text)
    with read_by(LANGUAGES["de"]), pytest.raises(UnknownWordError, match="Did you mean `deckung`"):
        typed_orders.parse("Ana 12 b2 dekung gegen Bo 11")
    with pytest.raises(UnknownWordError) as refused:
        typed_sides.parse("charg", Side.ATTACKER, "with")
    assert english(refused.value.text) == "I don't understand `charg` in `with`. Did you mean `charge`?"
