"""The words around dice in the table's languages, translated to English before parsing.

``tables/words.json`` has per language: English words with their equivalents, numbers, articles, and the letter of a die
if not ``d``. Accents are optional, as on a phone. An ambiguous word takes a number if a number or dice follow (Spanish
``menos 2`` subtracts, ``menos el menor`` drops).
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Final

TABLES: Final[Mapping[str, Mapping[str, Any]]] = json.loads(
    Path(__file__).with_name("tables").joinpath("words.json").read_text(encoding="utf-8")
)
ENGLISH: Final = "en"
OTHERS: Final = tuple(language for language in TABLES if language != ENGLISH)
TAKE_NUMBERS: Final = ("plus", "minus", "times", "vs", "dc", "difficulty", "at least", "at most", "under", "over")
PLAIN: Final = ("name", "games", "numbers", "articles", "joins", "roll", "of", "letter")
"""Keys of a table that aren't lists of an English word's equivalents."""
BEFORE_NUMBERS: Final = ("on", "then")
"""English words whose equivalents are plain speech, unless a number or dice follow."""
FAIR: Final = (
    *("successes", "plus", "minus", "each", "dice", "times", "once"),
    *("initiative", "coin", "hard", "extreme", *BEFORE_NUMBERS),
    *("please", "attack", "attacks", "check", "save", "damage", "stealth", "perception", "gold"),
)
"""English words whose equivalents may be in a label: alone they change no dice."""
NUMBER: Final = r"(?:[0-9]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
AFTER_DICE: Final = re.compile(r"[dwk][0-9]+\s+\S+\s*$")
"""Dice and one more word: after ``on`` comes one of their faces."""
AROUND: Final = (
    r"(?:keep|drop|count|(?:high|low)est|middle|best of|worst of|exploding|plus|minus|times|vs|dc|difficulty"
    r"|half|double|at (?:least|most))"
)
MIN_INFLECTED: Final = 6
"""Maximum letters of a word without recognized inflections."""
ENGLISH_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "11", "12")


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
def patterns(language: str) -> tuple[re.Pattern[str], ...]:
    """Return a language's patterns: words, numbers, an article or joining word before ours, a leading verb, and so on.
    The last three: ``of`` before dice, how many of them are the best or worst, and a number or dice.
    """
    table = TABLES[language]
    return (
        re.compile(rf"(?<!\w)(?:{any_of(means(language))})(?!\w)"),
        re.compile(rf"(?<!\w)(?:{any_of(numbers(language))})(?!\w)"),
        re.compile(
            rf"(?<!\w)(?:{any_of((*table['articles'], *table['joins']))})\s+(?=(?:{AROUND}|adv|dis|{NUMBER}\b))"
        ),
        re.compile(rf"^\s*(?:{any_of(table['roll'])})\s+(?=\S)"),
        re.compile(
            rf"(?:(?<=est )|(?<=half )|(?<=ble )|(?<=est [0-9] )|(?<=two )|(?<=three )|(?<=four ))"
            rf"(?:{any_of(table['of'])})\s+(?=[0-9]*\s?[dwk][0-9]|{NUMBER}\s)"
        ),
        re.compile(rf"\s*(?:[0-9]+|{any_of(numbers(language))})\s(?!\s*[0-9]*[dwk][0-9])"),
        re.compile(
            rf"\s*[-+(]?\s*(?:(?:{NUMBER}|{any_of(numbers(language))})(?=\W*$|\s?[-+]|\s[dwk][0-9%])"
            rf"|{NUMBER}\b|[0-9]*[dwk][0-9%])"
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
                said.setdefault(english, typed[begin:end])
            parts += [typed[last:begin], english]
            last = end
    return "".join([*parts, typed[last:]])


def in_english(text: str, language: str) -> tuple[str, dict[str, str]]:
    """Translate a language's words to English; return each one's original text too."""
    said: dict[str, str] = {}
    words, counts, articles, verb, of, some_of_them, next_number = patterns(language)

    replaced = partial(replace_matches, said=said)

    def word(match: re.Match[str], plain: str) -> str | None:
        meant = means(language)[re.sub(r"\s+", " ", match[0])]
        takes = [item for item in meant if item in (*TAKE_NUMBERS, *BEFORE_NUMBERS)]
        if next_number.match(plain, match.end()) and takes:
            return "on" if "on" in takes and AFTER_DICE.search(plain, 0, match.start()) else takes[0]
        others = [item for item in meant if item not in takes] or takes
        if others[0] in BEFORE_NUMBERS or (others == takes and match[0] in TABLES[language]["joins"]):
            return None
        if others[0] in ("best of", "worst of") and (
            plain[: match.start()].strip() or len(others) > 1 or some_of_them.match(plain, match.end())
        ):
            return others[0].replace("best of", "highest").replace("worst of", "lowest")
        return others[0]

    def number(match: re.Match[str], plain: str) -> str | None:
        is_before = re.match(rf"\s*(?:[dwk][0-9%]|dice|{AROUND}|times)", plain[match.end() :])
        is_behind = re.search(
            rf"how\smany|(?:{AROUND}|successes)\s*(?:(?:{any_of(TABLES[language]['articles'])})\s+)?$",
            plain[: match.start()],
        )
        return numbers(language)[match[0]] if is_before or is_behind else None

    text = replaced(text, verb, lambda *_: "")
    text = replaced(text, words, word)
    text = replaced(text, counts, number)
    text = replaced(text, articles, lambda *_: "")
    text = replaced(text, of, lambda *_: "of ")
    if letter := TABLES[language]["letter"]:
        text = re.sub(rf"(?<!\w)([0-9]*\s?){letter}(?=\s?[0-9%])", r"\1d", text, flags=re.IGNORECASE)
    return text, said


@cache
def changing(language: str) -> re.Pattern[str]:
    """Return words that change dice at an end of a label: with English the longer ones of all, else its short ones."""
    is_english = language == ENGLISH
    every = [(table, *pair) for table in (TABLES if is_english else (language,)) for pair in means(table).items()]
    listed = [
        word
        for table, word, meant in every
        if not set(meant) <= set(FAIR) and (table == ENGLISH or bool(word[3:]) == is_english)
    ]
    alone = [*listed, *(word for other in OTHERS if is_english for word in numbers(other) if word[2:])]
    begins, ends = rf"^\W*(?:{any_of(listed)})(?!\w)", rf"(?<!\w)(?:{any_of(listed)})\W*$"
    return re.compile(rf"{begins}|{ends}|^\W*(?:{any_of(alone)})\W*$")


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
