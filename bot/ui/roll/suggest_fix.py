"""The nearest valid declaration: a rejected one, changed until the rules accept it. Every suggestion has been parsed
successfully.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from bot.rules import errors as rule_errors
from bot.rules.errors import AllowedWords, BadInputError, CombinedError, Example, PlayerError, WholeNumber
from bot.rules.text import Shown, english

MAX_TRIES: Final = 40
MAX_CHANGES: Final = 5
USUAL: Final = 3
"""Substitute for a missing number, if its limits allow it."""

Typed = Mapping[str, object]


def nearest(read: Callable[[Typed], object], words: Typed, error: PlayerError) -> dict[str, object] | None:
    """Return the words with the fewest changes that ``read`` accepts, or None. ``error``: its error for ``words``."""
    now, wrong, tries = dict(words), error, 0
    for _ in range(MAX_CHANGES):
        better: tuple[dict[str, object], PlayerError] | None = None
        for candidate in single_changes(now, errors(wrong)[0]):
            tries += 1
            try:
                read(candidate)
            except PlayerError as other:
                is_other = str(errors(other)[0]) != str(errors(wrong)[0])
                is_nearer = is_other and len(errors(other)) <= len(errors(wrong))
                if better is None and is_nearer:
                    better = candidate, other
            else:
                return candidate
            if tries >= MAX_TRIES:
                return None
        if better is None:
            return None
        now, wrong = better
    return None


def errors(error: PlayerError) -> tuple[PlayerError, ...]:
    return error.first if isinstance(error, CombinedError) else (error,)


def single_changes(words: Typed, error: PlayerError) -> Iterator[dict[str, object]]:
    """Yield the words with one change each that may fix this error, likeliest first."""
    if isinstance(error, rule_errors.UnknownWordError):
        for key, text in words.items():
            if not isinstance(text, str) or replace_words(text, error.word, "") == text:
                continue
            if error.near:
                yield {**words, key: replace_words(text, error.word, error.near)}
            yield from ({**words, key: rest} for rest in without_phrase(text, error.word))
    elif isinstance(error, BadInputError):
        yield from with_number(words, error)
        key = last_part(error.field)
        for suggestion in suggested(error):
            if isinstance(words.get(key), str):
                yield {**words, key: suggestion}
            if isinstance(error.given, str) and error.given:
                yield from replace_anywhere(words, error.given, suggestion)


def with_number(words: Typed, error: BadInputError) -> Iterator[dict[str, object]]:
    """Yield a valid number for an invalid or missing one."""
    key, given = last_part(error.field), error.given
    limits = next((fact for fact in error.wanted if isinstance(fact, WholeNumber)), None)
    if limits is None:
        return
    least, most = limits.least, limits.most
    if isinstance(given, int) and isinstance(words.get(key), int):
        yield {**words, key: min(max(given, least), most)}
    elif not given and words.get(key) is None:
        yield {**words, key: min(max(USUAL, least), most)}
    elif isinstance(given, int | str):
        is_number = str(given).lstrip("-").isdecimal()
        number = min(max(int(given), least), most) if is_number else least
        yield from replace_anywhere(words, str(given), str(number))


def suggested(error: BadInputError) -> Iterator[str]:
    for fact in error.wanted:
        if isinstance(fact, AllowedWords):
            yield from fact.words
        elif isinstance(fact, Example):
            yield fact.words


def last_part(field: Shown) -> str:
    """Return ``dice`` of ``attack.dice``."""
    return english(field).rsplit(".", 1)[-1]


def replace_words(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, text, count=1, flags=re.IGNORECASE)


def replace_anywhere(words: Typed, old: str, new: str) -> Iterator[dict[str, object]]:
    for key, text in words.items():
        if isinstance(text, str) and (changed := replace_words(text, old, new)) != text:
            yield {**words, key: changed}


def without_phrase(text: str, word: str) -> Iterator[str]:
    """Yield the text without the comma-separated phrase that contains a word, if something is left."""
    phrases = [part.strip() for part in text.split(",")]
    kept = [phrase for phrase in phrases if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", phrase, re.IGNORECASE)]
    if kept and len(kept) < len(phrases):
        yield ", ".join(kept)
