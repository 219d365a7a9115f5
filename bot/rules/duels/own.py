"""Servers' own duels: a file is checked, packed, and stored, also with each of its rolls."""

import ast
import json
import re
import tomllib
import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from bot.rules.anydice.formula import Formula
from bot.rules.duels.rows import MAX_BYTES, DuelFileError, DuelGame, actions_of, amounts_of, formulas_of, read_duel
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.text import N_, Code, Name, Text, english

MAX_PACKED: Final = 6_000
"""Maximum characters of a packed file, which each ply of its rolls contains."""
MAX_TEXT: Final = 300
MAX_ROWS: Final = 60
MAX_CHOICES: Final = 16
MAX_PARTS: Final = 900
"""Parts of all formulas: names, numbers, and signs. A file is read in the event loop whenever its game is played."""
WRONG: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Errors that parsing or rolling an invalid file may raise."""
KEY: Final = re.compile(r"[a-z][a-z0-9_]{1,19}")
KIND: Final = re.compile(r"d(\d{1,3})(-(green|yellow|blue|purple|red|black|white))?")
WORDS: Final = re.compile(r"[a-z0-9+':-][a-z0-9+': -]{0,39}")
MARKUP: Final = re.compile(r"[\\*_~|<>@#\[\]{}\n]")
"""Characters not allowed in a file's sentences, which Discord shows unescaped."""


class OwnDuel(NamedTuple):
    key: str
    title: str
    packed: str


@lru_cache(maxsize=32)
def unpack(key: str, packed: str) -> DuelGame:
    """Return a packed file's game. Raises ``BadInputError`` for any other text, which only JSON can contain."""
    try:
        unpacked = zlib.decompressobj().decompress(b85decode(packed), 2 * MAX_BYTES)
        return read_duel(key, json.loads(unpacked))
    except (*WRONG, zlib.error):
        raise BadInputError("file", packed, Text("Use `/duel import` for a game of your own.")) from None


def read_file(name: str, text: str) -> OwnDuel:
    """Check a file by name and text. Raises ``PlayerError`` naming the line and what is expected there."""
    key = name.removesuffix(".toml").casefold()
    if not KEY.fullmatch(key):
        raise PlayerError(Text("Call the file like the game: 2 to 20 letters and digits, as in `skirmish.toml`."))
    try:
        rows = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PlayerError(Text("{file} is no TOML file: {error}.", file=Name(name), error=Code(str(error)))) from None
    try:
        duel = read_duel(key, rows)
        wrong = next(((place, expected) for place, fits, expected in limits(duel, rows) if not fits), None)
    except DuelFileError as error:
        wrong = error.place, error.expected
    except WRONG:
        wrong = "its rows", "texts and numbers as docs/duels.md has them"
    if wrong is not None:
        raise refusal(name, text, *wrong)
    kept = {part: row for part, row in rows.items() if part != "golden"}
    packed = b85encode(zlib.compress(json.dumps(kept, ensure_ascii=False).encode(), 9)).decode()
    if len(packed) > MAX_PACKED:
        raise PlayerError(Text("{file} holds too much. Use fewer steps or shorter names.", file=Name(name)))
    return OwnDuel(key, duel.title, packed)


def refusal(name: str, text: str, place: str, expected: str) -> PlayerError:
    """Return the refusal of a file, with the line of a place named by an error."""
    message = N_("{file}, line {line} ({place}): I expect {expected}.")
    line = line_of(text, place)
    return PlayerError(Text(message, file=Name(name), line=line, place=Name(place), expected=Name(expected)))


def not_rolled(line: str, error: Exception) -> str:
    """Return what is expected of an example, and why it can't be rolled."""
    why = english(error.text).rstrip(".") if isinstance(error, PlayerError) else "it can't be rolled"
    return f"lines of this game, not `{line}`: {why}"


def line_of(text: str, place: str) -> int:
    """Return the line of a place named by an error: a step by number, or a row or table by name."""
    step, (table, _, row) = re.match(r"step (\d+)", place), place.partition(".")
    start = rf"{re.escape(row)}\s*=" if row else rf"(\[+{re.escape(table)}\b|{re.escape(table)}\s*=)"
    found = list(re.finditer(r"^\[\[step\]\]" if step else f"^{start}", text, re.MULTILINE))
    number = int(step[1]) - 1 if step else 0
    return text.count("\n", 0, found[number].start()) + 1 if number < len(found) else 1


def limits(duel: DuelGame, rows: Mapping[str, Any]) -> Iterator[tuple[str, bool, str]]:
    """Yield a foreign file's restrictions: where, whether it complies, and what is expected."""
    for name, part in rows.items():
        yield name, max(map(len, texts_of(part)), default=0) <= MAX_TEXT, f"texts of at most {MAX_TEXT} characters"
        many = isinstance(part, Mapping | list) and len(part) > MAX_ROWS
        yield name, name == "golden" or not many, f"at most {MAX_ROWS} rows"
    for kind, faces in duel.dice.items():
        yield f"dice.{kind}", fits_kind(kind, faces), "a kind like `d6` or `d8-red`, with as many faces"
        yield f"dice.{kind}", isinstance(faces, int) or all(isinstance(face, str) for face in faces), "symbols as faces"
    for row in duel.numbers:
        where = f"numbers.{row.name}"
        values = (row.least, row.most, row.usual or 0, *row.picks.values())
        yield where, all(-99 <= value <= 999 for value in values), "numbers from -99 to 999"
        yield where, all(map(WORDS.fullmatch, row.phrases)), "words of small letters and digits"
        yield where, re.fullmatch("[a-z]?", row.letter) is not None, "one letter"
    for number, row in enumerate(rows["step"], 1):
        yield f"step {number}", all(0 < price < 100 for price in row.get("cost", {}).values()), "a cost from 1 to 99"
    widest = max(map(len, map(actions_of, duel.stages)))
    yield "step", widest <= MAX_CHOICES, f"at most {MAX_CHOICES} choices one after the other"
    parts = sum(1 for formula in all_formulas(duel) for _ in ast.walk(formula.tree))
    yield "step", parts <= MAX_PARTS, f"formulas with at most {MAX_PARTS} names, numbers, and signs in all"
    for name, said in sentences_of(duel, rows).items():
        yield name, not any(map(MARKUP.search, said)), "sentences without * _ ~ | < > @ # [ ] { }"
    yield "examples", bool(duel.examples), "an example of a line"


def sentences_of(duel: DuelGame, rows: Mapping[str, Any]) -> Mapping[str, Iterable[str]]:
    said = duel.result.nothing, duel.result.some, duel.result.less, *duel.result.called.values()
    says = [says.replace("{count}", "") for says in said if says]
    nouns = (duel.result.noun, *(item.noun for item in duel.also), *(mark.noun for mark in duel.marks.values()))
    return {
        "title": [duel.title],
        "result": [*says, *chain.from_iterable(nouns)],
        "pools": duel.pools.values(),
        "numbers": [row.asks for row in duel.numbers],
        "step": [row[word] for row in rows["step"] for word in ("may", "must") if word in row],
        "check": [check.says for check in duel.check],
        "examples": [*chain.from_iterable(duel.examples)],
    }


def fits_kind(kind: str, faces: Any) -> bool:
    """Whether a kind has its usual number of sides, which global counts rely on (``bot.sessions.fairness``)."""
    named = KIND.fullmatch(kind)
    return named is not None and int(named[1]) == (faces if isinstance(faces, int) else len(faces))


def all_formulas(duel: DuelGame) -> Iterator[Formula]:
    yield from duel.values.values()
    yield from (formula for stage in duel.stages for formula in formulas_of(stage))
    yield from (check.when for check in duel.check)
    yield from (read.when for reads in duel.read.values() for read in reads)
    yield from amounts_of(duel)


def texts_of(part: Any) -> Iterator[str]:
    """Every text in a part of a file, keys too."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping | list):
        for item in (*part, *part.values()) if isinstance(part, Mapping) else part:
            yield from texts_of(item)
