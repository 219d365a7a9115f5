"""The words of a typed duel, ``3r 2b surge to hit aim 1 red saves dodge 2``, from its file's rows; and the form's
fields: per side a line of numbers, and words to check.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from bot.rules.duels.rows import DUELS, DuelGame, NumberRow
from bot.rules.errors import AllowedWords, BadInputError, Example, UnknownWordError, WholeNumber
from bot.rules.game import Field, Option, Side
from bot.rules.text import N_, Capitalized, Code, Text, term

MAX_LINE: Final = 300
AGAINST: Final = re.compile(r"\b(?:vs|against)\b")
SIDES: Final = {
    Side.ATTACKER: (Text("Attacker: dice and numbers"), Text("Attacker: what applies")),
    Side.DEFENDER: (Text("Defender: dice and numbers"), Text("Defender: what applies")),
}
"""The labels of a side's two fields."""
BETWEEN: Final = re.compile(r"[\s,;:]*(?:(?:vs|against|and)\b[\s,;:]*)*")


@lru_cache(maxsize=64)
def patterns(duel: DuelGame) -> tuple[tuple[re.Pattern[str], NumberRow, int | None], ...]:
    """Return each row's pattern, longest first, and its value if the words determine it."""
    known = list[tuple[str, str, NumberRow, int | None]]()
    for row in duel.numbers:
        for phrase in row.phrases:
            words = re.escape(phrase).replace(r"\ ", r"[\s-]+")
            value = row.picks.get(phrase, 1 if row.flag else None)
            if value is not None:
                known.append((phrase, rf"{words}(?![\w-])", row, value))
            elif row.before:
                known.append((phrase, rf"(?P<n>\d{{1,3}})\s*{words}(?!\w)", row, None))
            else:
                known.append((phrase, rf"{words}[\s:]*(?P<n>[+-]?\d{{1,3}})\+?(?!\w)", row, None))
                if row.token:
                    known.append((phrase, rf"{words}(?!\w)", row, 1))
        if row.letter:
            known.append((row.letter, rf"(?P<n>\d{{1,3}}){row.letter}(?!\w)", row, None))
    known.sort(key=lambda item: len(item[0]), reverse=True)
    return tuple((re.compile(pattern), row, value) for _, pattern, row, value in known)


def game_of(text: str) -> tuple[str | None, str]:
    """Return the game that a text begins with, or None, and the rest."""
    low = text.strip().lower()
    known = [(name, duel.key) for duel in DUELS.values() for name in (duel.key, duel.title.lower(), *duel.names)]
    for name, key in sorted(known, key=lambda item: len(item[0]), reverse=True):
        if low.startswith(name) and not low[len(name) :][:1].isalnum():
            return key, text.strip()[len(name) :]
    return None, text


def read(duel: DuelGame, text: str) -> tuple[int, ...]:
    """Parse each number, in row order. Raises ``PlayerError`` naming the word or the number. Any text of ``MAX_LINE``
    characters costs under 100,000 steps.
    """
    given = dict[str, int]()
    for row, value, word in words(duel, text):
        if row.name in given:
            raise BadInputError("line", word, Text("Type it once."))
        given[row.name] = value
    for row in duel.numbers:
        if row.name not in given and row.usual is None:
            example = Example("vs " * (row.side is Side.DEFENDER) + (row.phrases[0] if row.picks else row.sample))
            lacks = Text("It lacks: {number}.", number=term(row.asks))
            raise BadInputError("line", text.strip() or None, lacks, example)
    return tuple(given.get(row.name, row.usual or 0) for row in duel.numbers)


def words(duel: DuelGame, text: str) -> Iterator[tuple[NumberRow, int, str]]:
    """Yield each word's row, its value, and the word. A word of both sides belongs to the previous side, after ``vs``
    to the defender; if that side already has it, to the other.
    """
    low, at, side, typed = text.lower(), 0, Side.ATTACKER, set[str]()
    skipped = re.compile("|".join(rf"{re.escape(word)}(?!\w)" for word in duel.skip) or "(?!)")
    while (between := BETWEEN.match(low, at)) and (at := between.end()) < len(low):
        side = Side.DEFENDER if AGAINST.search(between[0]) else side
        if skip := skipped.match(low, at):
            at = skip.end()
            continue
        fits = [(match, row, value) for known, row, value in patterns(duel) if (match := known.match(low, at))]
        if not fits:
            raise UnknownWordError("line", low[at:].split(maxsplit=1)[0], known_words(duel))
        match, row, value = min(
            fits, key=lambda item: (-item[0].end(), item[1].name in typed, item[1].side is not side)
        )
        typed.add(row.name)
        number = int(match["n"]) if value is None else value
        if not is_ticked(row) and not row.least <= number <= row.most:
            raise BadInputError("line", match[0], WholeNumber(row.least, row.most))
        side = row.side
        yield row, number, match[0]
        at = match.end()


def known_words(duel: DuelGame) -> AllowedWords:
    known = tuple(dict.fromkeys(phrase for row in duel.numbers for phrase in row.phrases))
    message = N_("Use the words that `/help duel` lists for {game}, as in `{line}`.")
    return AllowedWords(known, Text(message, game=duel.title, line=example(duel)))


def example(duel: DuelGame) -> Code:
    return Code(duel.examples[0][0])


def write(duel: DuelGame, values: Mapping[str, int]) -> str:
    """Return the canonical line of numbers without defaults. Sides that begin with the same word have a ``vs``."""
    given = [row for row in duel.numbers if values[row.name] != row.usual]
    first = [next((row.phrases for row in given if row.side is side), side) for side in Side]
    if first[0] == first[1]:
        return " vs ".join(write_rows([row for row in given if row.side is side], values) for side in Side)
    return write_rows(given, values)


def write_rows(given: Sequence[NumberRow], values: Mapping[str, int]) -> str:
    dice = " ".join(row.write(values[row.name]) for row in given if row.letter)
    return ", ".join(filter(None, (dice, *(row.write(values[row.name]) for row in given if not row.letter))))


def fields(duel: DuelGame, of: str = "") -> Iterator[Field]:
    """Yield each side's two fields, if it has such rows; ``of``: their key prefix."""
    for side, (numbers, ticks) in SIDES.items():
        rows = [row for row in duel.numbers if row.side is side]
        typed_rows = [row for row in rows if not is_ticked(row)]
        if typed_rows:
            samples = Code(", ".join(row.sample for row in sorted(typed_rows, key=lambda row: row.usual is not None)))
            needed = [row.sample for row in typed_rows if row.usual is None]
            example = Code(", ".join(needed or [typed_rows[0].sample]))
            yield Field(of + side, numbers, example, bool(needed), MAX_LINE // 2, detail=samples)
        options = [
            Option(phrase, Capitalized(term(row.asks)) if row.flag else Code(phrase))
            for row in rows
            for phrase in (row.phrases[:1] if row.flag else row.picks)
        ]
        if options:
            is_needed = any(row.picks and row.usual is None for row in rows)
            yield Field(f"{of}{side}_words", ticks, required=is_needed, options=tuple(options), several=True)


def is_ticked(row: NumberRow) -> bool:
    return row.flag or bool(row.picks)


def as_words(filled: Mapping[str, str], of: str = "") -> Mapping[str, str]:
    """Convert a game's fields to a declaration's words."""
    if "line" in filled:
        return filled
    sides = (", ".join(filter(None, (filled.get(of + side), filled.get(f"{of}{side}_words")))) for side in Side)
    return {"game": filled.get("game", ""), "line": " vs ".join(sides).removesuffix(" vs ")}


def side_of(error: BadInputError | UnknownWordError, texts: Mapping[str, str], of: str = "") -> Side | None:
    """Return the side whose field contains an error's word."""
    word = error.given if isinstance(error, BadInputError) else error.word
    return next((side for side in SIDES if word and str(word).lower() in texts.get(of + side, "").lower()), None)


def as_fields(duel: DuelGame, values: Mapping[str, int], of: str = "") -> Mapping[str, str]:
    """Convert numbers to the texts of a game's fields."""
    given = [row for row in duel.numbers if values[row.name] != row.usual]
    result = {f"{of}{side}{words}": list[str]() for side in Side for words in ("", "_words")}
    for row in given:
        result[f"{of}{row.side}{'_words' * is_ticked(row)}"].append(row.write(values[row.name]))
    return {field: ", ".join(written) for field, written in result.items()}
