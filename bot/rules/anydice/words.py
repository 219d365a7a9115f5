"""The words around dice in the table's languages, translated to English before parsing.

``tables/words.json`` has per language: English words with their equivalents, numbers, articles, the letter of a die if
not ``d``, and phrases whose words stand in another order than in English. Accents are optional, as on a phone. An
ambiguous word takes a number if a number or dice follow (Spanish ``menos 2`` subtracts, ``menos el menor`` drops).
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Final

from bot.rules.errors import nearest

TABLES: Final[Mapping[str, Mapping[str, Any]]] = json.loads(
    Path(__file__).with_name("tables").joinpath("words.json").read_text(encoding="utf-8")
)
ENGLISH: Final = "en"
OTHERS: Final = tuple(language for language in TABLES if language != ENGLISH)
TAKE_NUMBERS: Final = (
    *(
        "plus",
        "and",
        "or",
        "minus",
        "times",
        "vs",
        "dc",
        "difficulty",
        "at least",
        "at most",
        "under",
        "over",
        "divided by",
    ),
)
PLAIN: Final = ("name", "games", "numbers", "articles", "joins", "roll", "of", "letter", "phrases", "unsure")
"""Keys of a table that aren't lists of an English word's equivalents."""
ABILITIES: Final = (
    *("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma", "acrobatics", "arcana"),
    *("athletics", "deception", "insight", "intimidation", "investigation", "perception", "persuasion", "stealth"),
    "proficiency",
)
BEFORE_NUMBERS: Final = ("on", "then")
"""English words whose equivalents are plain speech, unless a number or dice follow."""
FAIR: Final = (
    *("successes", "plus", "and", "or", "minus", "each", "dice", "times", "once"),
    *("initiative", "coin", "hard", "extreme", *BEFORE_NUMBERS),
    *("please", "attack", "attacks", "shots", "check", "save", "damage", "gold", "to hit", "sanity", *ABILITIES),
)
"""English words whose equivalents may be in a label: alone they change no dice."""
AGAINST: Final = sorted({word for table in TABLES.values() for word in table["vs"] if word != "na"})
"""Words between two sides, in any language; Polish ``na`` is more often plain speech."""
NUMBER: Final = r"(?:[0-9]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
AFTER_DICE: Final = re.compile(r"[dwk][0-9]+\s+\S+\s*$")
"""Dice and one more word: after ``on`` comes one of their faces."""
AROUND: Final = (
    r"(?:keep|drop|count|(?:high|low)est|middle|best of|worst of|exploding|plus|minus|times|vs|dc|difficulty"
    r"|half|double|at (?:least|most)|bonus|penalty|hunger|guidance|bless|successes|reroll|wild die|and|divided by"
    r"|ones|twos|threes|fours|fives|sixes|tens)"
)
COUNTED: Final = r"(?:dice|times|attacks|shots|coins|hunger|and [0-9])"
"""English words with a number in front."""
CONTINUED: Final = (*("keep", "drop", "reroll", "twos", "threes", "damage", "save", "guidance", "bless"),)
"""English words before which a joining word is read."""
LOOKS_AHEAD: Final = re.compile(r"(?:\$| |\(\?[=!](?:[^()]|\([^()]*\))*\))$")
"""Phrases with their own end; others end where a word does."""
MIN_INFLECTED: Final = 6
"""Maximum letters of a word without recognized inflections."""
ENGLISH_NUMBERS: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *(str(number) for number in (*range(11, 21), 30, 40, 50, 60, 100)),
)
DIGITS: Final = {word: str(number) for number, word in enumerate(ENGLISH_NUMBERS[:10], 1)}
LIMITS: Final = {"at least": "or more", "at most": "or less"}
"""Words for limits, and what they are behind a number that is the first of a text."""
EXTREMES: Final = {"best of": "highest", "worst of": "lowest"}
PLURALS: Final = ("ones", "twos", "threes", "fours", "fives", "sixes", "tens")


@lru_cache(maxsize=256)  # a text is folded several times for each language
def folded(text: str) -> tuple[str, Sequence[int]]:
    """Return a text in lower case without accents, and each character's original position."""
    if text.isascii():
        return text.lower(), range(len(text) + 1)
    plain, places = "", list[int]()
    for at, sign in enumerate(text):
        bare = "".join(item for item in unicodedata.normalize("NFKD", sign.lower()) if not unicodedata.combining(item))
        bare = {"ß": "ss", "ł": "l", "ø": "o"}.get(bare, bare)
        plain, places = plain + bare, places + [at] * len(bare)
    return plain, [*places, len(text)]


def spellings(word: str) -> Iterator[str]:
    """Yield a word without accents, and with the ``ae`` of keyboards without umlauts."""
    yield folded(word)[0]
    yield folded(re.sub("[äöü]", lambda sign: {"ä": "ae", "ö": "oe", "ü": "ue"}[sign[0]], word.lower()))[0]


@cache
def means(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the English meanings of a language's spellings, except those that are English words too."""
    result: dict[str, tuple[str, ...]] = {}
    known = means(ENGLISH) if language != ENGLISH else {}
    for english, words in TABLES[language].items():
        for spelled in {spelling for word in words if english not in PLAIN for spelling in spellings(word)} - {
            word for word, meant in known.items() if english not in meant
        }:
            result[spelled] = (*(item for item in result.get(spelled, ()) if item != english), english)
    return result


def forms(language: str, english: str) -> set[str]:
    """Return the spellings of all words of a language for an English one, which may be one that only a game reads."""
    table = TABLES.get(language, {})
    words = (*table.get(english, ()), *table.get("games", {}).get(english, ()))
    return {spelled for word in words for spelled in spellings(word)}


@cache
def numbers(language: str) -> Mapping[str, str]:
    pairs = zip(ENGLISH_NUMBERS, TABLES[language]["numbers"], strict=True)
    return {spelled: english for english, words in pairs for word in words for spelled in spellings(word)}


def any_of(words: Any) -> str:
    """Return a pattern of any of these words, longest first; one that matches nothing for none."""
    every = {re.escape(spelling) for word in words for spelling in spellings(word)}
    listed = sorted(sorted(every), key=len, reverse=True)  # the same in each process
    return "|".join(listed).replace("\\ ", r"\s+") or "(?!)"


@cache
def phrasings(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return a language's phrases as patterns of folded text, each with its English."""
    table, number = TABLES[language], f"[0-9]+|{any_of(numbers(language))}"
    plurals = any_of(word for name in PLURALS for word in table.get(name, ()))
    macros = {
        "<n>": f"({number})",
        "<num>": f"({number}|{plurals})",
        "<the>": rf"(?:(?:{any_of(table['articles'])})\s+)?",
        "<ability>": f"({any_of(word for name in ABILITIES for word in table.get(name, ()))})",
    }
    result = []
    for typed, english in table.get("phrases", {}).items():
        written = re.sub("[äöü]", lambda sign: f"{folded(sign[0])[0]}e?", typed)
        written = re.sub(r" (\??)", lambda gap: r"\s*" if gap[1] else r"\s+", folded(written)[0])
        for name, pattern in macros.items():
            written = written.replace(name, pattern)
        ends = "" if LOOKS_AHEAD.search(typed) else r"(?!\w)"
        begins = "" if typed.startswith(("^", ",", "(?<")) else r"(?<!\w)"
        result.append((re.compile(f"{begins}{written}{ends}"), english))
    return tuple(result)


@cache
def patterns(language: str) -> tuple[re.Pattern[str], ...]:
    """Return a language's patterns: words, numbers, an article or joining word before ours, a leading verb, and so on.
    The last four: ``of`` before dice, how many of them are the best or worst, a number or dice, and what ``and`` joins.
    """
    table = TABLES[language]
    joins = any_of((*table["articles"], *table["joins"]))
    return (
        re.compile(rf"(?<!\w)(?:{any_of(means(language))})(?![^\W0-9])"),
        re.compile(rf"(?<!\w)(?:{any_of(numbers(language))})(?!\w)"),
        re.compile(rf"(?<!\w)(?:(?:{joins})\s++){{1,3}}+(?=(?:{AROUND}|adv|dis|{NUMBER}\b))"),
        re.compile(rf"^\s*(?:(?:{any_of(table['roll'])})\s++)++(?=\S)"),
        re.compile(
            rf"(?:(?<=est )|(?<=half )|(?<=ble )|(?<=dle )|(?<=est [0-9] )|(?<=two )|(?<=three )|(?<=four ))"
            rf"(?:{any_of(table['of'])})\s+(?=[0-9]*\s?[dwk][0-9]|{NUMBER}\s)"
        ),
        re.compile(rf"\s*(?:[0-9]+|{any_of(numbers(language))})\s(?!\s*[0-9]*[dwk][0-9])"),
        re.compile(
            rf"\s*[-+(]?\s*(?:(?:{NUMBER}|{any_of(numbers(language))})(?=\W*$|\s?[-+]|\s[dwk][0-9%])"
            rf"|{NUMBER}\b|[0-9]*[dwk][0-9%])"
        ),
        re.compile(
            rf"\s+(?:(?:{any_of(table['articles'])})\s+)?(?:[0-9]|(?:{any_of(numbers(language))}"
            rf"|{any_of(word for name in CONTINUED for word in table.get(name, ()))})(?!\w))"
        ),
    )


def replace_matches(typed: str, pattern: re.Pattern[str], write: Any, said: dict[str, str]) -> str:
    """Replace matches by ``write``'s text, None for unchanged; ``said`` gets the originals."""
    plain, places = folded(typed)
    parts, last = list[str](), 0
    for match in pattern.finditer(plain):
        if (english := write(match, plain)) is not None:
            begin, end = places[match.start()], places[match.end() - 1] + 1
            if english:
                said.setdefault(english.strip(), typed[begin:end].strip())
            parts += [typed[last:begin], english]
            last = end
    return "".join([*parts, typed[last:]])


def group_in_english(typed: str, language: str) -> str:
    """Return what a phrase's place holds: digits, an English word, or what was typed."""
    english = numbers(language).get(typed) or next(iter(means(language).get(re.sub(r"\s+", " ", typed), ())), typed)
    return DIGITS.get(english, english)


def word_in_english(language: str, match: re.Match[str], plain: str) -> str | None:
    """Return what a word means where it stands, None for plain speech."""
    meant, end = means(language)[re.sub(r"\s+", " ", match[0])], match.end()
    takes = [item for item in meant if item in (*TAKE_NUMBERS, *BEFORE_NUMBERS)]
    if takes and (taken := before_number(language, takes, plain, match)) is not None:
        return taken or None
    if plain[end : end + 1].isdecimal():
        return None
    others = [item for item in meant if item not in takes] or takes
    if others[0] in LIMITS and plain[: match.start()].strip().isdecimal():
        return LIMITS[others[0]]
    if others[0] in BEFORE_NUMBERS or (others == takes and match[0] in TABLES[language]["joins"]):
        return None
    some_of_them = patterns(language)[5]
    if plain[: match.start()].strip() or len(others) > 1 or some_of_them.match(plain, end):
        return EXTREMES.get(others[0], others[0])
    return others[0]


def before_number(language: str, takes: Sequence[str], plain: str, match: re.Match[str]) -> str | None:
    """Return what a word means that takes a number, "" for plain speech; None if no number follows."""
    (next_number, continues), end = patterns(language)[6:], match.end()
    if plain[end : end + 1].isdecimal():  # a number glued to its word: `SG15`
        return next((f"{item} " for item in takes if item not in ("on", "and", "or")), "")
    is_next = next_number.match(plain, end)
    if takes[0] in ("and", "or"):
        return takes[0] if is_next or continues.match(plain, end) else ""
    if is_next:
        return "on" if "on" in takes and AFTER_DICE.search(plain, 0, match.start()) else takes[0]
    return None


def number_in_english(language: str, match: re.Match[str], plain: str) -> str | None:
    """Return a number in digits, or as a word before dice; None where it may be plain speech."""
    articles = any_of(TABLES[language]["articles"])
    before = re.match(rf"\s*(?:([dwk][0-9%])|{AROUND}|{COUNTED})", plain[match.end() :])
    behind = re.search(rf"how\smany|(?:{AROUND})\s*(?:(?:{articles})\s+)?$", plain[: match.start()])
    english = numbers(language)[match[0]]
    if before and before[1]:
        return english
    return DIGITS.get(english, english) if before or behind else None


def in_english(text: str, language: str) -> tuple[str, dict[str, str]]:
    """Translate a language's words to English; return each one's original text too."""
    said: dict[str, str] = {}
    words, counts, articles, verb, of, *_ = patterns(language)
    replaced = partial(replace_matches, said=said)

    def phrase(match: re.Match[str], _: str, english: str) -> str:
        return re.sub(r"\\([0-9])", lambda place: group_in_english(match[int(place[1])] or "", language), english)

    text = replaced(text, verb, lambda *_: "")
    for pattern, english in phrasings(language):
        if pattern.search(folded(text)[0]):
            text = replaced(text, pattern, partial(phrase, english=english))
    text = replaced(text, words, partial(word_in_english, language))
    text = replaced(text, counts, partial(number_in_english, language))
    text = replaced(text, articles, lambda *_: "")
    text = replaced(text, of, lambda *_: "of ")
    if letter := TABLES[language]["letter"]:
        text = re.sub(rf"(?<!\w)([0-9]*\s?){letter}(?=\s?[0-9%])", r"\1d", text, flags=re.IGNORECASE)
    return text, said


@cache
def changing(language: str) -> re.Pattern[str]:
    """Return words that change dice at an end of a label: with English the longer ones of all, else its short ones."""
    is_english = language == ENGLISH
    pairs = [(table, *pair) for table in (TABLES if is_english else (language,)) for pair in means(table).items()]
    listed = [
        word
        for table, word, meant in pairs
        if not set(meant) <= set(FAIR) and (table == ENGLISH or bool(word[3:]) == is_english)
    ]
    alone, every = any_of(word for other in OTHERS if is_english for word in numbers(other) if word[2:]), any_of(listed)
    return re.compile(rf"^\W*(?:{every})(?!\w)|(?<!\w)(?:{every})\W*$|^\W*(?:{alone})\W*$")


@cache
def stems() -> frozenset[str]:
    """Return the beginnings of the long words that change dice, in any language."""
    pairs = (pair for table in TABLES for pair in means(table).items())
    long = (word for word, meant in pairs if not set(meant) <= set(FAIR) and " " not in word and word[MIN_INFLECTED:])
    return frozenset(word[:-2] for word in long)


def has_other_form(text: str) -> bool:
    """Whether a folded text begins with or ends in an inflection of a long word that changes dice: ``ventajas``."""
    found = re.findall(r"\w+", text)
    ends = {*found[:1], *found[-1:]}
    return any(word[:end] in stems() for word in ends for end in range(max(1, len(word) - 5), len(word)))


@cache
def suspicious(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return words of a language that change dice in any of their forms, number words, and those of its ``unsure``
    list, of which ``*`` stands for any ending; and several words that together change none.
    """
    table = TABLES[language]
    listed = (spelling for spelling, meant in means(language).items() if not set(meant) <= set(FAIR))
    plain = (*table["articles"], *table["joins"], *table["of"], *table["numbers"][0])
    known = {*re.findall(r"\w+", " ".join(listed)), *numbers(language)}.difference(*map(spellings, plain))
    every = [word[: max(len(word) - 2, min(4, len(word) - 1))] + r"\w{0,6}" if word[3:] else word for word in known]
    every += [spelling.replace("*", r"\w*") for word in table.get("unsure", ()) for spelling in spellings(word)]
    several = any_of(word for word, meant in means(language).items() if set(meant) <= set(FAIR) and " " in word)
    listed_patterns = ("|".join(sorted({*every})), several)
    first, second = (re.compile(rf"(?<!\w)(?:{pattern})(?!\w)") for pattern in listed_patterns)
    return first, second


def may_change(label: str, language: str) -> bool:
    """Whether any word of a label between words that are not understood may change dice."""
    pattern, several = suspicious(language)
    fair = {word for word, meant in means(language).items() if set(meant) <= set(FAIR)}
    long = [word for word in means(language) if word[5:] and word not in fair]
    plain = folded(label)[0]
    unknown = {*re.findall(r"\w+", several.sub("", plain))} - fair
    last = changing(language).search(" ".join(plain.split()[-1:]))
    return bool(last) or any(pattern.fullmatch(word) or nearest(word, long, 0.82) for word in unknown)
