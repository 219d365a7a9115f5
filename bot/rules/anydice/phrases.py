"""The words around dice: phrases, games' own words, and labels. Phrases are rewritten as notation before parsing;
unknown words are rejected.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import compress, groupby, product, repeat
from operator import itemgetter
from pathlib import Path
from typing import Final

from bot.rules.anydice import words
from bot.rules.anydice.systems import NAMES, PATTERNS, SYSTEMS
from bot.rules.data_tables import messages
from bot.rules.errors import nearest

TABLE: Final = Path(__file__).with_name("phrases.txt")
"""Rows of phrases, explained at the top of the file."""
DIGITS: Final = re.compile(r"[0-9]+\.(?=\w)[0-9]*|[0-9]+,[0-9]+(?![0-9,])|\.?[0-9]+")
NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PLURALS: Final = ("zero", "ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens")
TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred")
NUMBER_WORDS: Final = {word: number for row in (PLURALS, ("", *NUMBERS)) for number, word in enumerate(row) if word}
NUMBER_WORDS.update({word: 10 * number for number, word in enumerate(TENS, 2)}, eleven=11, twelve=12, twelves=12)
COUNT: Final = rf"(?:[0-9]+|{'|'.join(NUMBERS)})"
APART: Final = re.compile(
    r"(?:^|[;,])\s*[0-9]+\s*#|(?P<kept>\"[^\"]*\"|[“„][^“”]*[”“]|(?<!\w)'[^']*'|\[[^\[\]]*\]|/\*.*?(?:\*/|$)|#.*|//\s*[^\W\d_].*)",
    re.DOTALL,
)
"""Pattern of a repeat count; and, ``kept``, of a marked label, which isn't rewritten."""


LOOKS_AHEAD: Final = re.compile(r"(?:<end>|\$|\(\?[=!][^()]*\)+)$")
"""Rows with their own lookahead; others end before a nonalphanumeric character."""


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """A row: its pattern, its possible notations, and the question if there are several."""

    pattern: re.Pattern[str]
    notations: tuple[str, ...]
    question: str = ""

    def write_notation(self, match: re.Match[str], way: int) -> str:
        return re.sub(r"\\([0-9])", lambda place: digits(match[int(place[1])] or ""), self.notations[way])


def digits(word: str) -> str:
    """Convert ``two`` and ``2`` to ``2``; other words are returned unchanged."""
    return str(NUMBER_WORDS.get(word.lower(), word))


@cache
def rows(part: str) -> tuple[str, ...]:
    behind = TABLE.read_text(encoding="utf-8").partition(f"\n[{part}]\n")[2]
    return tuple(line for line in behind.partition("\n[")[0].splitlines() if line and not line.startswith("#"))


PARTS: Final = (
    "first",
    "games",
    "read",
    "other words",
    "near",
    "named",
    "sheet values",
    "no dice",
    "about",
    "elsewhere",
)
"""Parts whose rows are phrases."""
MACROS: Final = {
    "<system>": f"({'|'.join(re.escape(name) for name, _ in NAMES)})",
    "<n>": "(" + COUNT + ")(?![a-z0-9]| ?times)",
    **{name: pattern for name, _, pattern in (line.partition("  =>  ") for line in rows("macros"))},
}


@cache
def table(part: str) -> tuple[PhraseRow, ...]:
    """The rows of one of ``PARTS``."""
    return tuple(map(phrase, rows(part)))


def pieces() -> Iterator[Callable[[], object]]:
    """Yield builders of all patterns of rows, systems, and languages: made at startup, a million steps."""
    for part in PARTS:
        for row in rows(part):
            yield partial(phrase, row)
    for system, name in product(SYSTEMS.values(), PATTERNS):
        yield partial(getattr, system, name)
    for language in words.TABLES:
        yield partial(words.patterns, language)
        yield partial(words.phrasings, language)
        yield partial(words.changing, language)
        yield partial(many_things, language)


@cache
def phrase(line: str) -> PhraseRow:
    typed, _, means = line.partition("  =>")
    notations, _, question = means.removeprefix("  ").partition(" ? ")
    bounded: str = typed if typed.startswith(("^", "(?<", r"\+", ",")) else rf"(?<![a-z]){typed}"
    if not LOOKS_AHEAD.search(typed):
        bounded += "(?![a-z0-9])"
    for name, pattern in MACROS.items():
        bounded = bounded.replace(name, pattern)
    spaced = re.sub(r"(?<![\[\\]) (\??)", lambda gap: r"\s*+" if gap[1] else r"\s++", bounded)
    compiled = re.compile(spaced.replace("[0-9]+", "[0-9]++"), re.IGNORECASE)
    return PhraseRow(compiled, tuple(notations.split(" ¦ ")) if question else (notations,), question)


def rewrite_phrases(typed: str, decide: Callable[[str, re.Match[str]], int], part: str) -> tuple[str, dict[str, str]]:
    """Rewrite phrases as notation; return each notation's original text too. ``decide`` answers a question."""
    said: dict[str, str] = {}
    return outside_labels(typed, lambda text: rewrite_part(text, part, decide, said) if text.strip() else text), said


def outside_labels(typed: str, change: Callable[[str], str]) -> str:
    """Apply ``change`` outside marked labels."""
    parts, last = list[str](), 0
    for apart in APART.finditer(typed):
        if apart["kept"]:
            parts += [change(typed[last : apart.start()]), apart["kept"]]
            last = apart.end()
    return "".join([*parts, change(typed[last:])])


def in_english(typed: str, language: str) -> tuple[str, dict[str, str]]:
    """Translate a text to English; return each word's original text too."""
    said: dict[str, str] = {}

    def translated(text: str) -> str:
        english, result = words.in_english(text, language)
        said.update(result)
        return english

    return outside_labels(typed, translated), said


@cache
def patterns(part: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a part's rows."""
    return tuple(row.pattern for row in table(part))


def rewrite_part(text: str, part: str, decide: Callable[[str, re.Match[str]], int], said: dict[str, str]) -> str:
    rows, each, first = table(part), patterns(part), 0
    while (
        found := next(compress(range(first, len(each)), map(re.Pattern.search, each[first:], repeat(text))), None)
    ) is not None:
        row, at, first = rows[found], 0, found + 1
        while match := row.pattern.search(text, at):
            notation = row.write_notation(match, decide(row.question, match) if row.question else 0)
            said.setdefault(notation.strip(), match[0].strip())
            text, at = f"{text[: match.start()]}{notation}{text[match.end() :]}", match.start() + len(notation)
    return text


def in_other_words(text: str) -> str:
    return outside_labels(text, lambda plain: rewrite_part(plain, "other words", lambda *_: 0, {})).strip()


STRONG: Final = re.compile(
    r"adv|\bdis(?:ad|card|\b)|twice|thrice|doubl(?!es\b)|tripl|hal[fv]|explo|re-?roll|drop|(?:high|low)est|crit|\b[kd][hl]\b"
    r"|\b(?:best|worst|better|worse|lucky|reliable|halfling|per|brutal|max|min)\b"
)
"""Word stems that change dice: suggestions keep them, outside labels."""
NEEDED: Final = re.compile(
    rf"{STRONG.pattern}|again|guidance|bless|gwf|median|insp|average|avg|mean|round|\b(?:low|high)\b|cancel|botch"
    r"|\bnot\b|negative|capped|invert|revers|apiece|\b(?:each|only|plus|minus|times|over|under)$|mulligan|forever"
    r"|fumbl|glitch|bane|boon|squared|cubed|\b(?:double|triple|pair|match)(?:e?s)?\b|[0-9*/^#]"
)
"""Words and signs that suggestions keep."""
ANY_DICE: Final = re.compile(r"(?<![a-z0-9])(?P<count>[0-9]*)d(?P<sides>[0-9]+|%)s?(?![a-z0-9])")
PLACES: Final = (r"(?!m..\()[a-z]", "[<>=]", "[-+]", r"[*/]", r"m..\(", " ", "#")
"""First characters of notations, in their order around dice."""
NAMES_GAME: Final = re.compile(rf"(?<![a-z])(?:{'|'.join(re.escape(name) for name, _ in NAMES if name[2:])})(?![a-z])")
"""Unsupported systems' names."""


def about_dice(text: str) -> Iterator[str]:
    """Yield interpretations of a text's words and numbers for its first dice, if every number fits."""
    text = re.sub(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b", lambda word: digits(word[0]) + "s" * (word[0][-1] == "s"), text)
    text = re.sub(r"(?:^|(?<=roll )|(?<=need )|(?<=me ))([0-9]+) (?:of )?(?=d[0-9])", r"\1", text)
    for row in () if ANY_DICE.search(text) else table("no dice"):
        if match := row.pattern.search(text):
            text = f"{text[: match.start()]}{row.write_notation(match, 0)} {text[match.end() :]}"
            break
    if (first := ANY_DICE.search(text)) is None or NAMES_GAME.search(text):
        return
    way = 2 if first["sides"] in ("100", "%") else 0 if int(first["count"] or 1) > 3 else 1
    rest, found = f"{text[: first.start()]} , {text[first.end() :]}", list[tuple[int, str]]()
    for row in table("about"):
        while match := row.pattern.search(rest):
            notation = row.write_notation(match, min(way, len(row.notations) - 1)).replace("!", f"e{first['sides']}")
            found.append((next(at for at, begin in enumerate(PLACES) if re.match(begin, notation)), notation))
            rest = f"{rest[: match.start()]} , {rest[match.end() :]}"
    written = f"{first['count']}d{first['sides']}"
    for at, notation in sorted(found, key=lambda item: item[0]):
        around = {3: f"({written}){notation}", 4: f"{notation}, {written})", 6: f"{notation[1:]}#{written}"}
        written = around.get(at, f"{written}{notation}")
    if not (is_twofold(found, text[first.end() :]) or NEEDED.search(rest) or GAME_WORDS.search(rest)):
        yield written


def is_twofold(found: Iterable[tuple[int, str]], behind: str) -> bool:
    """Whether there are two tests, or a factor of unclear scope."""
    tests = [notation for _, notation in found if re.match(" ?(?:vs|under|over|[<>=])", notation)]
    kinds = {PLACES[at] for at, _ in found}
    is_far = "[-+]" in kinds and not re.match(" ?[-+]", behind)
    return len(tests) > 1 or ("[*/]" in kinds and bool(tests or is_far))


def numbers_in(text: str) -> set[str]:
    """Return a text's numbers, also words and those with o for zero; no half of a decimal."""
    text = re.sub("(?<=[0-9])o(?![a-z])", "0", text.lower())
    return set(DIGITS.findall(re.sub("[a-z]+", lambda word: digits(word[0]), text)))


def suggest(text: str, part: str) -> Iterator[str]:
    """Yield corrections of an invalid text, by a part's rows."""
    for row in table(part):
        if match := row.pattern.search(text.strip()):
            yield f"{text.strip()[: match.start()]}{row.write_notation(match, 0)}{text.strip()[match.end() :]}"


def sheet_value(text: str, at: int) -> str:
    """Return the name that stands at a place where the number of someone's sheet belongs; "" for none."""
    found = (row.pattern.match(text, at) for row in table("sheet values"))
    return next((match[1] for match in found if match), "")


# Words after a roll

TARGET: Final = re.compile(r"\s*t(?P<number>[0-9]+)(?![0-9]|d[0-9])")
FAILURE: Final = re.compile(r"\s*f(?P<sign><=|<|=)?(?P<number>[0-9]+)(?![0-9]|d[0-9])")
EDGE: Final = re.compile(r"\s*(?P<word>adv|dis|ea)(?![a-z])")
EDGE_BEHIND: Final = re.compile(rf"(?P<comma>\s*,)?{EDGE.pattern}")
AGAINST: Final = re.compile(r"\s*+vs\s*+(?P<sign><=|>=|<|>)?(?P<number>[0-9]+)(?![0-9]|d[0-9])")
CONTEST: Final = re.compile(
    r"\s*+(?:vs|against|versus|(?:oppos|contest)ed(?:\s(?:by|to|with))?|contest)\.?\s++(?:an?\s)?(?=[0-9]*d[0-9])"
)
"""Words between the rolls of two sides."""
TIMES: Final = re.compile(rf"(?:\s*+,\s++|\s++)(?P<number>{COUNT})\s*+times(?![a-z])")
CROSS: Final = re.compile(r"\s*+,?\s*+x\s*+(?P<number>[0-9]+)(?![0-9]|d[0-9])")
PREFIX: Final = re.compile(r"\s*(?:[/!.?&$]\s?r(?:oll)?|r(?:oll)?)(?:\s+dice\s?:\s?|\s+)(?=\S)", re.IGNORECASE)
"""Other bots' command prefixes before dice."""
INLINE: Final = re.compile(r"\s*\[\[(?P<inside>[^\[\]]*)\]\]\s*")

# Labels

FORCED: Final = re.compile(
    r"\s*(?:#|//)\s*(?P<hash>\S.*)|\s*/\*(?P<comment>.*?)\*/"
    r"|\s*(?:\"(?P<quoted>[^\"]*)\"|[“„](?P<curly>[^“”]*)[”“]|'(?P<single>[^']*)')",
    re.DOTALL,
)
"""A marked label, with any words."""
NOTED: Final = re.compile(r"\s*(?:\[(?P<square>[^\[\]]*)\]|\((?P<round>[^\W\d_][^()]*)\))")
EMOJI_CODE: Final = re.compile(r"<a?:\w+:[0-9]+>|:\w+:")


def any_of(*rows: str) -> str:
    """Return a pattern for any of these words, whole."""
    return rf"\b(?:{'|'.join(rows)})(?!\w)"


BEGINS: Final = re.compile("|".join(rows("begins")))
"""Words that can't begin a label, because they could change the roll."""
ON: Final = re.compile(rf"^on (?!(?:hits?|each|all|any|even|odd|tens|{'|'.join(NUMBER_WORDS)})(?![a-z]))")
"""Start of a label that can be suggested: "on stealth"; "on five" could count."""
COUNTS: Final = re.compile(rf"(?<!\w)(?:{'|'.join(rows('counts'))})(?:\s+of)?$", re.IGNORECASE)
"""Numbers of dice at the end of preceding words."""
ENDS: Final = re.compile(rf"(?<!\w)(?:{'|'.join(rows('ends'))})$", re.IGNORECASE)
NAMED_BY_NUMBER: Final = "|".join(rows("named by number"))

NUMBERED: Final = re.compile(rf"(?<!\w)(?:{NAMED_BY_NUMBER})\s+[0-9]+(?!\w)", re.IGNORECASE)
"""Preceding words with a number: ``level 5``."""

THING: Final = r"[^\W\d_][^\W\d_ ]*+(?: [^\W\d_]++){0,2}"
NAMED_ROLL: Final = re.compile(
    rf"(?:^|[,;])\s*({THING}) ([0-9]{{1,2}}) ?:? ?(?=[0-9]+d[0-9]|d20(?![0-9]))"
    rf"|[0-9%] ({THING}) ([0-9]{{1,2}})(?=\s*(?:$|[,;]))"
)
"""A name with a number before a roll or behind it."""


def counted_off(text: str) -> Iterator[str]:
    """Yield the names by which several rolls are counted off: ``goblin 1 d20, goblin 2 d20``."""
    found = [(first or second, int(n or last)) for first, n, second, last in NAMED_ROLL.findall(text)]
    for name, count in Counter(name for name, _ in found).items():
        if count > 1 and [n for one, n in found if one == name] == [*range(1, count + 1)]:
            yield name


@cache
def many_things(language: str) -> re.Pattern[str]:
    """Return a pattern of counts in preceding words, which could be repeats."""
    counts = "|".join(word for word, number in words.numbers(language).items() if number != "one")
    thing = r"[^\W\d_]{2,}s(?!\w)" if language == words.ENGLISH else r"[^\W\d_]"
    return re.compile(rf"(?<!\w)(?:{counts})\s+{thing}")


GAME_WORDS: Final = re.compile(any_of(*rows("game words")), re.IGNORECASE)
"""Words of games, or of joint results, suggested as a label only if marked."""
SYSTEM_NAMES: Final = sorted(re.escape(name) for name, _ in NAMES if name not in rows("common") and " " not in name)
BY_LETTER: Final = [
    f"{first}(?:{'|'.join(name[1:] for name in names)})" for first, names in groupby(SYSTEM_NAMES, itemgetter(0))
]
"""A pattern per first letter of the names, so that few are tried."""
HOLDS: Final = re.compile(
    rf"{any_of(*rows('holds'), *rows('game words'), *BY_LETTER)}|[<>=*×÷^~{{}}\[\]()\\|+]|(?<!\w)!|[0-9]"
)
"""Words not allowed in a label, such as systems' names: they could be meant. Quotes or ``#`` make them text."""
OPTIONS: Final = re.compile(any_of(*rows("options")))
"""Further options of a game's roll, not allowed in a label after one."""

# Errors

REFUSALS: Final = {key: message for key, (message,) in messages("anydice/tables/refusals.json").items()}
"""Reasons for rejecting a text."""
QUESTIONS: Final = messages("anydice/tables/questions.json")
"""Short descriptions of alternative readings."""

ANSWERS: Final[Mapping[str, Mapping[str, Mapping[str, int]]]] = {
    "last_step": {"own": {"last step": 0}, "save": {"last step": 1}},
    "versus": {"least": {"over or under": 0, "under or over": 1}, "most": {"over or under": 1, "under or over": 0}},
    "explosion": {"every": {"explode once": 0}, "once": {"explode once": 1}},
}
"""A channel's stored answers: by declaration word and value, each question's reading."""
Answers = tuple[tuple[str, int], ...]
"""The reading of each question answered by a channel."""

KNOWN_WORDS: Final = rows("known words")
LONG_WORD: Final = re.compile(r"[^\W\d_]{6,}")
MISSPELLED: Final = 0.82
"""Share of a word that must match one of ours to count as its misspelling."""


def find_misspelling(text: str) -> re.Match[str] | None:
    """Return a label's first misspelling of one of our long words, which would change dice."""
    long = [item for item in KNOWN_WORDS if LONG_WORD.match(item)]
    words = (word for word in LONG_WORD.finditer(text) if word[0] not in rows("like ours"))
    return next((word for word in words if not word[0].startswith(nearest(word[0], long, MISSPELLED) or word[0])), None)


PROSE: Final = re.compile(r"(?:a|and|then|as|again|once|up|round|s|best|with)(?![^\W\d_])(?!\s*[0-9])")
"""Words that continue a sentence in messages for people."""
