"""The words around dice: phrases, games' own words, and labels. Phrases are rewritten as notation before parsing;
unknown words are rejected.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import compress, dropwhile, groupby, product, repeat
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
TEENS: Final = ("thir", "four", "fif", "six", "seven", "eigh", "nine")
NUMBER_WORDS: Final = {word: number for row in (PLURALS, ("", *NUMBERS)) for number, word in enumerate(row) if word}
NUMBER_WORDS.update({word: 10 * number for number, word in enumerate(TENS, 2)}, eleven=11, twelve=12, twelves=12)
NUMBER_WORDS.update({f"{stem}teen": number for number, stem in enumerate(TEENS, 13)})
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


def with_digits(text: str) -> str:
    """Return a text whose number words are digits, but for those with a hyphen."""
    return re.sub(
        "(?<![A-Za-z-])[A-Za-z]++(?!-[A-Za-z])", lambda word: digits(word[0]) + "s" * (word[0].lower() in PLURALS), text
    )


@cache
def rows(part: str) -> tuple[str, ...]:
    behind = TABLE.read_text(encoding="utf-8").partition(f"\n[{part}]\n")[2]
    return tuple(line for line in behind.partition("\n[")[0].splitlines() if line and not line.startswith("#"))


PARTS: Final = (
    *("first", "games", "read", "other words", "attack and damage", "similar words", "near", "named", "sheet values"),
    *("commands", "no dice", "surely no dice", "surely", "about", "elsewhere"),
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
        if not text.strip():
            return text
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


def in_other_words(text: str, part: str = "other words") -> str:
    return outside_labels(text, lambda plain: rewrite_part(plain, part, lambda *_: 0, {})).strip()


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
NAMES_GAME: Final = re.compile(
    rf"(?<![a-z])(?:{'|'.join(re.escape(name) if name[2:] else f'^{name}' for name, _ in NAMES)})(?![a-z])"
)
"""Systems' names, those of two letters only in front."""


OTHER_BONUS: Final = re.compile(
    r"(?<![a-z])(?:vs|against|versus)\.? ?[-+]|[-+] ?[0-9]+(?:(?: to hit.*|, [0-9]*)d(?!20)[0-9]|, [a-z]+ ?[-+])"
)
"""A bonus of somebody else's dice, or of an attack beside its damage."""


def about_dice(text: str) -> Iterator[str]:
    """Yield interpretations of a text's words and numbers for its first dice, if every number fits."""
    text = re.sub(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b", lambda word: digits(word[0]) + "s" * (word[0][-1] == "s"), text)
    text = re.sub(r"(?:^|(?<=roll )|(?<=need )|(?<=me ))([0-9]+) (?:of )?(?=d[0-9])", r"\1", text)
    for row in () if ANY_DICE.search(text) else table("no dice"):
        if match := row.pattern.search(text):
            text = f"{text[: match.start()]}{row.write_notation(match, 0)} {text[match.end() :]}"
            break
    if (first := ANY_DICE.search(text)) is None or NAMES_GAME.search(text) or OTHER_BONUS.search(text):
        return
    way = 2 if first["sides"] in ("100", "%") else 0 if int(first["count"] or 1) > 3 else 1
    rest, found = f"{text[: first.start()]} , {text[first.end() :]}", list[tuple[int, str]]()
    for row in table("about"):
        while match := row.pattern.search(rest):
            notation = row.write_notation(match, min(way, len(row.notations) - 1)).replace("!", f"e{first['sides']}")
            found.append((next(at for at, begin in enumerate(PLACES) if re.match(begin, notation)), notation))
            rest = f"{rest[: match.start()]} , {rest[match.end() :]}"
    written = f"{first['count']}d{first['sides']}"
    written = write_around(written, found)
    if not (is_twofold(found, text[first.end() :]) or any(part.search(rest) for part in (NEEDED, GAME_WORDS, WHICH))):
        yield written


ROLLED: Final = re.compile(
    r"(?<![a-z0-9#+*/.,-])(?<![+*/-] )"
    r"(?P<dice>(?P<count>[0-9]*)d(?P<sides>[0-9]+|%)(?:(?:k[hl]?|d[hl]|r[or]|m[ia]|e|!+p?)[<>=]*[0-9]*)*)s?(?![a-z0-9])",
    re.IGNORECASE,
)
"""The first dice of a roll, with modifiers right behind them."""
WITH_BONUS: Final = re.compile(rf"{ROLLED.pattern}(?: ?[-+] ?[0-9]+(?![0-9d]))*+", re.IGNORECASE)
OF_COUNT: Final = re.compile(r"(?<![a-z])(?:each|apiece|separately|individually)(?![a-z])", re.IGNORECASE)
ALONE: Final = re.compile(r"(?<![^ ,|])(?:[b-hj-tv-z]|[aiu](?! [a-z]{2}))(?![^ ,|])", re.IGNORECASE)
"""A letter by itself, which could be notation."""
NO_WORD: Final = re.compile(r"(?<![^ ])[^\w']|[^ .:?'’-](?<![^\W\d_])|[¹²³]")
"""A sign by itself, or inside a word."""


def surely(typed: str) -> Iterator[str]:
    """Yield the notation of a text of which every number and every word that changes dice is understood, whatever other
    words stand between: those are its label. Nothing for any other text.
    """
    text = with_digits(typed)
    text = re.sub("(?<![A-Za-z0-9])([0-9]+)x(?=[0-9]*d[0-9])", r"\1x ", text)
    text = text if ROLLED.search(text) else next(suggest(text, "surely no dice"), text)
    first = ROLLED.search(text)
    if first is None or any((ROLLED.search(text, first.end()), APART.search(text), NAMES_GAME.search(text.lower()))):
        return
    rest, found = take_rows(f"{text[: first.start()]} | {text[first.end() :]}", "surely")
    counts = sum(notation[0] == "#" for _, notation in found)
    rest = OF_COUNT.sub("", rest) if counts else rest
    label = trim_label(re.findall("[^ ,|]+", rest))
    of_all = (re.match("[dk][hl]([0-9]*)", notation) for _, notation in found)
    is_all = any(taken and int(taken[1] or 1) >= int(first["count"] or 1) for taken in of_all)
    unsure = (
        counts > 1,
        is_all,
        is_apart(first, text, found),
        is_twofold(found, text[first.end() :]),
        ALONE.search(rest),
    )
    if not any(unsure) and is_plain(label):
        yield write_around(first["dice"], found) + f' "{label}"' * bool(label)


CRITS: Final = re.compile("crit[a-z]* (?:on |at )?(?:an? )?[0-9]{1,2}(?:-20|[+]| or (?:more|higher|better))?")
NOT_WORDS: Final = re.compile(r"[^\w '’,-]|[0-9²³]|(?<!\w)-")


def in_quotes(text: str) -> Iterator[str]:
    """Yield a text's only dice with all its other words as a marked label, if those can only be applied by hand."""
    for dice in [*WITH_BONUS.finditer(text)][:2]:
        before, behind = text[: dice.start()].strip(" ,.:"), text[dice.end() :].strip(" ,.:")
        label = f"{before} {behind}".strip()
        words_in_it = CRITS.sub("", f"{before} {behind}".lower())
        is_split = before and behind and words_in_it != f"{before} {behind}".lower()
        if not (
            is_split
            or NAMES_GAME.search(text.lower())
            or any(part.search(words_in_it) for part in (NOT_WORDS, APPLIED, UNCOUNTED))
        ):
            yield f'{dice[0].strip()} "{label}"'


def take_rows(rest: str, part: str) -> tuple[str, list[tuple[int, str]]]:
    """Return what rows of a part leave of a text, and the notations that they took, with their places around dice."""
    rows, each, found, at = table(part), patterns(part), list[tuple[int, str]](), 0
    while at < len(each):
        at = next(compress(range(at, len(each)), map(re.Pattern.search, each[at:], repeat(rest))), len(each))
        while at < len(each) and (match := each[at].search(rest)):
            written = rows[at].write_notation(match, 0)
            notation, _, kept = written.partition(' "')
            found.append((next(place for place, begin in enumerate(PLACES) if re.match(begin, notation)), notation))
            rest = f"{rest[: match.start()]} , {kept} {rest[match.end() :]}"
    return rest, found


def write_around(dice: str, found: Iterable[tuple[int, str]]) -> str:
    """Return dice with the notations around them."""
    for place, notation in sorted(found, key=itemgetter(0)):
        around = {3: f"({dice}){notation}", 4: f"{notation}, {dice})", 6: f"{notation[1:]}#{dice}"}
        dice = around.get(place, f"{dice}{notation}")
    return dice


def is_apart(first: re.Match[str], text: str, found: Iterable[tuple[int, str]]) -> bool:
    """Whether a number may not be of these dice: a bonus in front may be an attack's whose damage they are, as one that
    is named so; a target of others than a d20 may be counted or compared, ``3x d6`` may be three dice.
    """
    sides, front = first["sides"], text[: first.start()]
    targets = [int(notation[4:]) for _, notation in found if notation[:4] == " vs "]
    return sides != "20" and bool(
        re.search("[-+] ?[0-9]", front)
        or re.search("(?:attack|to hit|check|save)[a-z ]*[-+]", text[first.end() :].lower())
        or (not first["count"] and re.search("[0-9] ?x", front))
        or (targets and (sides in ("100", "%") or targets[0] <= int(sides)))
    )


def trim_label(spoken: list[str]) -> str:
    """Return words without those at either end that say nothing."""
    filler = frozenset(" ".join(rows("filler")).split())
    for _ in range(2):
        spoken = [*dropwhile(lambda word: word.lower().strip(".:?") in filler, spoken)][::-1]
    return " ".join(spoken).strip(" .:?")


def is_plain(label: str) -> bool:
    """Whether no word of a label changes dice, in any language or game."""
    text = " ".join(HARMLESS.sub("", label.lower()).split())
    every, changing = words.folded(text)[0], words.changing(words.ENGLISH)
    held = any(part.search(text) for part in (UNSURE, NEEDED, HOLDS, NO_WORD)) or find_misspelling(text)
    held = held or BEGINS.match(text) or table("elsewhere")[0].pattern.match(text)
    changes = (changing.search(word) or words.has_other_form(word) for word in (every, *every.split()))
    return not (held or any(changes))


def is_twofold(found: Iterable[tuple[int, str]], behind: str) -> bool:
    """Whether there are two tests, or a factor of unclear scope."""
    tests = [notation for _, notation in found if re.match(" ?(?:vs|under|over|[<>=])", notation)]
    kinds = {PLACES[at] for at, _ in found}
    is_far = "[-+]" in kinds and not re.match(" ?[-+]", behind)
    return len(tests) > 1 or ("[*/]" in kinds and bool(tests or is_far))


def numbers_in(text: str) -> Counter[str]:
    """Count a text's numbers, also words and those with o for zero; no half of a decimal."""
    text = re.sub("(?<=[0-9])o(?![a-z])", "0", text.lower())
    return Counter(DIGITS.findall(re.sub("[a-z]+", lambda word: digits(word[0]), text)))


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
    r"\s*+(?:vs?|against|versus|(?:oppos|contest)ed(?:\s(?:by|to|with))?|contest)\.?\s++(?:an?\s)?(?=[0-9]*d[0-9])"
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
NUMBERED_ROLL: Final = re.compile(rf"(?:^|[,;])\s*({THING})(?<!s) [0-9]{{1,2}}\s?:")


def counted_off(text: str) -> Iterator[str]:
    """Yield the names by which several rolls are counted off: ``goblin 1 d20, goblin 2 d20``, or ``goblin 2: d20``."""
    yield from NUMBERED_ROLL.findall(text)
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
APPLIED: Final = re.compile(any_of(*rows("applied")))
"""Words that dice can do, so that they are not offered as a label."""
UNSURE: Final = re.compile(any_of(*rows("unsure")))
"""Words that a label behind dice may hold, but that could change a roll where other words are not understood."""
WHICH: Final = re.compile(any_of(*rows("uncounted")))
"""Words that say how often, or which of several."""
UNCOUNTED: Final = re.compile(any_of(*rows("uncounted"), *(word for word in NUMBER_WORDS if word != "one")))
"""Words that say how many or which, and that nobody may take for a name."""
HARMLESS: Final = re.compile(
    rf"{any_of(*rows('harmless'))}|(?<!\w)(?:[0-9]+(?:st|[nr]d|th)|(?:level|lvl|turn|round|day|week|session|room)\s+[0-9]+)(?!\w)",
    re.IGNORECASE,
)
"""Names of which a word or number changes no dice."""
OTHER_GAME: Final = re.compile(MACROS["<game>"])
"""The name of a game that has no row, in front of its words."""
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


def correct_misspellings(text: str) -> str:
    """Return a text with the misspellings of our long words corrected."""
    while word := find_misspelling(text.lower()):
        text = f"{text[: word.start()]}{nearest(word[0], KNOWN_WORDS, MISSPELLED)}{text[word.end() :]}"
    return text


PROSE: Final = re.compile(r"(?:a|and|then|as|again|once|up|round|s|best|with)(?![^\W\d_])(?!\s*[0-9])")
"""Words that continue a sentence in messages for people."""
