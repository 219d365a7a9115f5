"""One reading of a text for dice, from left to right: a recursive descent with a method for each rule.

```
text       = roll {(";" | ",") roll}
roll       = [times "#"] value {behind} [label]
value      = sum [sign sum]                         a comparison: 1 if it holds, else 0
sum        = product {("+" | "-") product}
product    = factor {("*" | "/") factor}            division rounds down
factor     = ["+" | "-"] (number | dice | digits | best | rounded | "(" value ")") {"[" note "]"}
dice       = [count] "d" (sides | "%" | "F") {modifier} [(sign number | "t" number ["f" number]) [critical] {step}]
           | dice ["+" number] step {step}          as many go into a chain as the dice come to
step       = "then" (sign number ["ro" ["<"] number] [critical] ["by @" number] | "x" (number | "d3" | "d6"))
           | "then" "w" number                      last: models of so many wounds, which fall one after the other
critical   = "c" face ["+" number] {">"}            such a face goes on, brings more, and leaves out a step for each >
digits     = "d66" | "d666" | "d88" | "dd" digit digit [digit]
best       = ("max" | "min") "(" value {"," value} ")"  |  "{" value {"," value} "}" keep
rounded    = ("ceil" | "floor" | "round") "(" value ")"
modifier   = ("kh" | "kl" | "km" | "k" | "dh" | "dl" | "d" | "ph" | "pl") [count]
           | ("ro" | "rr") test  |  ("e" | "x" | "!" | "!!" | "!p") [test]  |  ("mi" | "ma") number
           | "ra" test                              one die more, if any fits
           | "i" [number]                           a die taken away for each of so much or less
           | "u" | "uo"                             every die another face; rerolled once
           | ("b" | "p") count                      bonus and penalty tens of a d100
test       = [sign] number                          without a sign: exactly this number
sign       = ">=" | "<=" | "==" | "=" | "!=" | ">" | "<"
```

The words that people use beside it, as ``4d6 drop lowest`` or ``1d20+5 adv vs 15``, are the rows of ``phrases.txt``,
which are written as notation before anything is read.

A place with several readings asks ``decide``. The reader is told what to decide there, or stops with a
``AmbiguityError``; its caller then reads the text once for each way. So nothing is guessed, and no reading knows of the
others.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import Final, cast

from bot.rules.anydice import chains, phrases, tree as trees, words
from bot.rules.anydice.systems import NAME_END, NAMES, SYSTEMS, VS, MissingDiceError, System, Values, read_typed_system
from bot.rules.anydice.tree import Calculation, DiceCondition, DicePool, ExpressionLine, Node, NumberLiteral
from bot.rules.dice import MAX_DICE
from bot.rules.errors import BadTextError, quote_value
from bot.rules.name import one_line
from bot.rules.text import Code, Text, term

MAX_BRACKETS: Final = 20
MAX_POWER: Final = 9
MAX_UNIQUE: Final = 20
"""Maximum dice rolled until all differ."""
MAX_TENS: Final = 3
"""Bonus or penalty dice of one roll."""
MAX_NUMBER: Final = 999_999
NUMBER_DIGITS: Final = len(str(MAX_NUMBER))
MAX_COMPARED: Final = trees.MAX_SIDES

SIGN: Final = r"(>=|=>|<=|=<|==|!=|<>|=|>|<(?!a?:\w)|≥|≤|≠)"
SIGNS: Final = re.compile(rf"\s*{SIGN}\s*")
SUCCESS: Final = re.compile(rf"\s*{SIGN}\s*(?P<number>[0-9]+)(?![0-9]|[dw][0-9%f])")
"""A sign and number right after dice: matching dice are counted."""
CRITICAL: Final = r"(?:c(?P<critical>[2-6])(?:\+(?P<brings>[1-9]))?(?P<skips>>{0,4}+))"
FIRST_STEP: Final = re.compile(rf"{CRITICAL}(?=\s*(?:then|$))")
STEP: Final = re.compile(
    rf"\s*then\s*(?:x(?P<times>[1-9](?!d)|d[36])|{SIGN}\s*(?P<number>[0-9]+)(?:ro(?P<again><?)(?P<fail>[1-6]))?{CRITICAL}?)"
    r"(?![0-9]|[dw][0-9%f])(?: by @(?P<by>[0-9]{1,2}))?"
)
"""A further step of a chain: a die for each that passed the previous one."""
MODELS: Final = re.compile(r"\s*thenw(?P<wounds>[1-9][0-9]?)(?![0-9])")
"""Wounds per model, at the end of a chain."""
PLUS: Final = re.compile(r"(?:\s*\+\s*(?P<plus>[0-9]{1,2}))?(?=\s*then)")
"""A number added to dice that enter a chain."""
COUNT: Final = re.compile(r"\s*(?P<number>[0-9]+)")
DECIMAL: Final = re.compile(r"\s*[0-9]*(?:\.[0-9]|,[0-9]+(?![0-9]|\s*[a-z#(]))")
NUMBER_WRITTEN: Final = re.compile(r"[0-9]*[.,][0-9]+")
DICE_WORD: Final = r"(?P<count>[0-9]*+)(?P<letter>[dwk])(?P<sides>[0-9]+|%|f(?![abcghijlnoqstuvwyz]))"
DICE: Final = re.compile(rf"\s*+{DICE_WORD}")
DIGITS: Final = re.compile(
    r"\s*(?:dd(?P<each>[2-9][2-9][2-9]?)|d(?P<usual>666?|88)|d(?P<asked>(?P<one>[2-9])(?P=one)(?P=one)?))(?![0-9])"
)
ROLL_START: Final = r"[0-9]*(?:[dwk](?:[0-9]|%|f)|dd[0-9])|(?:max|min|ceil|floor|round|abs)\s*\("
TIMES: Final = re.compile(r"\s*+(?P<number>[0-9]++)\s*+#")
MULTIPLIED: Final = re.compile(
    rf"\s*(?P<number>[0-9]+)(?:(?P<apart>\s+)?(?P<cross>x)\s*(?=[({{]|{ROLL_START})|\s*(?=[({{]))"
)
SETS: Final = "|".join(
    re.escape(name)
    for name, system in NAMES
    if not any(re.match("[0-9]+[a-z]+[0-9]", typed) for typed, _ in system.examples)
)
"""Games except those with dice before the name and another number after it: ``5wod6``."""
SPACED: Final = re.compile(
    rf"\s*(?P<number>[0-9]+)(?P<times>\s*times)?(?P<gap>\s+)"
    rf"(?P<next>(?=[({{]|{ROLL_START}|(?:{SETS}){NAME_END}[0-9])[0-9]*)"
)
"""Before dice, or before a game with a number right after its name: ``3 ex5``."""
REPEAT: Final = re.compile(r"\s*repeat\s*\(")
REPEATED: Final = re.compile(r"\s*[,;]\s*(?P<number>[0-9]+)\s*\)")
FUNCTION: Final = re.compile(r"\s*(max|min|ceil|floor|round|abs)\s*\(")
KEEP_SOME: Final = re.compile(r"\s*(?P<keep>[kd][hl]?)(?P<count>[0-9]*)(?![0-9a-z])")
GROUP_END: Final = re.compile(r"\s*(?:$|[-+*/,;)])")
"""After several rolls in ``{ }`` without keep."""
NOTE: Final = re.compile(
    r"\s*\[(?P<noted>[^\[\]]*)\]|\s(?P<bare>[^\W\d_]{2,}+(?:\s[^\W\d_]{2,}+){0,2}+)(?=\s?[-+]\s?(?:[0-9]|d[0-9]))"
)
"""Words in brackets, or between a number and an addition: ``1d8+3 longsword + 2d6``."""
SEPARATOR: Final = re.compile(r"\s*[;,]\s*")
LABEL_END: Final = re.compile(rf"(?<!\s)\s*+(?:;|,(?=\s*+(?:[-+]?\s*+[0-9]|[({{]|{ROLL_START})))")
MODIFIER: Final = re.compile(
    r"(?P<only>k|p)(?P<only_sign>>=|<=|=|>|<)(?P<only_number>-?[0-9]+)"
    r"|(?P<unique>uo?)(?=k[hlm0-9]|d[hl]|m[ia]|[^a-z0-9<>=!]|$)"
    r"|(?P<keep>kh|kl|km|k|dh|dl|ph|pl|d|[hl](?![a-z]))(?P<count>[0-9]*)"
    r"|(?P<tens>b|p)(?P<tens_count>[0-9]?)(?![a-z0-9])"
    r"|(?P<reroll>ro|rr)(?P<reroll_sign>>=|<=|==|!=|<>|=|>|<)?(?P<reroll_number>-?[0-9]+)"
    # `!=` counts dice that don't match; an explosion on exactly 6 is `!6`. A minus is part of a test's number only
    # after a sign: `2d6!-1` is one less.
    r"|(?P<explode>!!|!p(?![hl])|eo|ra(?=[<>=]*[0-9])|e|!(?!=))"
    r"(?:(?P<explode_sign>>=|<=|==|=|<>|>|<)(?P<signed>-?[0-9]+)|(?P<unsigned>[0-9]+))?"
    r"|(?P<limit>mi|ma)(?P<limit_number>-?[0-9]+)"
    r"|(?P<implode>i)(?P<implode_number>[0-9]*)(?=e[0-9]|ra[0-9]|!|[^a-z0-9]|$)"
)
FRONT: Final = re.compile(
    rf"\s*(?P<word>(?!{ROLL_START}|repeat)(?:\((?P<round>[^\W\d_][^()]*)\)|(?P<words>[^\W\d_][^;:#\"()\[\]{{}}<>=*/+]*?)))"
    rf"\s*:?\s+(?={ROLL_START})"
)
"""Words before the first dice."""
POWER_SIGN: Final = re.compile(r"\s*(?:\^|\*\*)\s*(?P<number>[0-9]+)")
PRODUCT_SIGN: Final = re.compile(r"\s*(//(?=\s*(?:[0-9(]|d[0-9%f]))|/(?![/*])|\*(?!\*)|%)\s*")
PRODUCTS: Final[dict[str, trees.Operator]] = {"*": "*", "/": "/", "//": "/", "%": "%"}
"""``//`` equals ``/``: both round down."""
OPTION_WORDS: Final = {word for item in SYSTEMS.values() for one in item.options for word in one.words if word[1:]}
OPTION_NEXT: Final = rf"(?:[0-9]{{1,2}}\s+)?(?:{'|'.join(sorted({*VS, *OPTION_WORDS}))})(?![a-z])"
NAMED_END: Final = re.compile(rf";|[\"“„#\[(]|//|,(?!\s*(?:with|and|[0-9]+\s*$|{OPTION_NEXT}))")
"""End of a system's words: another roll, or a marked label."""
NAMED_FIRST: Final = re.compile(rf"(?:{'|'.join(re.escape(name) for name, _ in NAMES)})(?![a-z])", re.IGNORECASE)
VALUE: Final = re.compile(r"[-+*/<>=]\s*$")
"""Text before a number: a following name means the value on one's sheet."""
FLAWS: Final[dict[str, Callable[[DicePool], object]]] = {
    "all rerolled": lambda pool: pool.reroll and all(map(pool.reroll.fits, pool.faces)),
    "all explode": lambda pool: pool.explode and all(map(pool.explode.fits, pool.faces)),
    "none explodes": lambda pool: pool.explode and not any(map(pool.explode.fits, pool.faces)),
    "exploding": lambda pool: pool.explode and pool.count > trees.MAX_EXPLODING,
    "ends": lambda pool: None not in (pool.least, pool.most) and (pool.least or 0) > (pool.most or 0),
    "kept": lambda pool: pool.keep and pool.keep.count > pool.count,
    "middle": lambda pool: pool.keep and pool.keep.middle and (pool.explode or (pool.count - pool.keep.count) % 2 != 0),
    "unique": lambda pool: (
        (pool.unique and (pool.explode or pool.reroll or pool.count > MAX_UNIQUE))
        or (pool.unique == "u" and pool.count > len(pool.faces))
    ),
    "tens": lambda pool: pool.bonus and pool != DicePool(count=1, sides=trees.PERCENT, bonus=pool.bonus),
    "implode": lambda pool: pool.implode and not is_added_up(pool),
}
"""Impossible modifiers, with the key of the error."""


def is_added_up(pool: DicePool) -> bool:
    """Whether a pool is a plain sum, so that low dice can subtract others: only its own dice explode."""
    explosions = ("new die", "one for all") if pool.count == 1 else ("new die",)
    plain = DicePool(count=pool.count, sides=pool.sides, implode=pool.implode, note=pool.note)
    return pool.explosion in explosions and plain == replace(
        pool, explode=None, explosion="new die", reroll=None, reroll_once=False
    )


SPELLED: Final = {"=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "≠": "!=", "<>": "!="}
"""Spellings of a sign; any other is ``=``."""


@dataclass(eq=False)
class AmbiguityError(Exception):
    """A place with several readings and no decision."""

    ways: int


@dataclass(eq=False)
class ParseError(Exception):
    """A parse error at a place of ``text``, which is the input with aliases expanded.

    ``why``: the error's key, if not an unknown sign; ``places``: its values besides the field, the sign, and the
    nearest text. ``said``: a notation's typed text. ``label``: the surrounding label's bounds.
    """

    text: str
    at: int
    why: str = ""
    places: Mapping[str, object] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)
    label: tuple[int, int] | None = None


def read_sign(sign: str) -> trees.Sign:
    return next((opposite for opposite in trees.OPPOSITES if opposite == SPELLED.get(sign, sign)), "=")


class Parser:
    """One text; ``at``: the next character. ``decisions``: the choice at each question."""

    def __init__(
        self,
        typed: str,
        decisions: tuple[int, ...] = (),
        *,
        is_written: bool = False,
        language: str = words.ENGLISH,
        answers: phrases.Answers = (),
    ) -> None:
        self.answers = dict(answers)
        self.typed = self.text = typed
        self.language = language
        self.is_written = is_written
        """Whether a system wrote it, not a person: without labels."""
        self.said: dict[str, str] = {}
        """Each notation's typed phrase."""
        self.spoken: dict[str, str] = {}
        """Phrases typed in another language, by English."""
        self.unread_chain: ParseError | None = None
        """Error where a text stops being the chain that it begins."""
        self.decisions = decisions
        self.asked: list[Text] = []
        self.at = self.begin = 0
        """``begin``: start of the innermost value."""
        self.notes: list[str] = []
        self.is_prose = False
        """Whether the dice are in prose."""
        self.system: System | None = None
        """Whether the current roll is a game's, with its own words."""

    # The whole text

    def read(self, *, only_begin: bool = False) -> trees.Expression:
        """Parse the text; with ``only_begin`` any words may follow its first roll, which aren't a label."""
        self.is_prose = only_begin
        if self.language != words.ENGLISH:
            self.typed, self.spoken = phrases.in_english(self.typed, self.language)
            self.said = dict(self.spoken)
        if not self.is_written:
            begun = self.typed
            self.typed, stop = chains.rewrite_chain(begun)
            self.unread_chain = ParseError(begun, stop, "unknown", said=self.said) if stop else None
            for part in ("first", "games", "read"):
                if part == "first" or not names_system(self.typed, part):
                    self.typed, said = phrases.rewrite_phrases(self.typed, self.phrase, part)
                    self.said |= {notation: self.as_typed(phrase) for notation, phrase in said.items()}
        self.text = self.typed.lower() if len(self.typed.lower()) == len(self.typed) else self.typed
        if max(sum(map(self.text.count, "({")), sum(map(self.text.count, ")}"))) > MAX_BRACKETS:
            raise self.parse_error(0, "brackets", most=MAX_BRACKETS)
        lines = [self.line()]
        while not self.is_prose and self.text[self.at :].strip():
            if not self.take(SEPARATOR):
                raise self.parse_error()
            if len(lines) == trees.MAX_LINES:
                raise self.parse_error(why="rolls", most=trees.MAX_LINES)
            lines.append(self.line())
        if len(lines) > 1 and not all(line.pools for line in lines):
            raise self.parse_error(0, "no dice")
        return self.check_limits(trees.Expression(tuple(lines)))

    def check_limits(self, expression: trees.Expression) -> trees.Expression:
        if expression.dice > MAX_DICE:
            raise self.parse_error(0, "too many", n=expression.dice, most=MAX_DICE)
        try:
            widest = max(abs(int(end)) for line in expression.lines for end in trees.bounds(line.tree))
        except BadTextError:
            raise self.parse_error(max(0, self.text.find("/")), "divisor", sign=quote_value("/")) from None
        if widest > trees.MAX_RESULT:
            raise self.parse_error(0, "result")
        return expression

    def line(self) -> ExpressionLine:
        """Parse one roll, with repeats, suffixes, and label."""
        self.notes = []
        front = self.front()
        start, is_repeat = self.at, self.take(REPEAT) is not None
        times = 0 if is_repeat else self.times()
        game = None if is_repeat or self.is_prose or self.is_written else self.game_line(times, front)
        if game is not None:
            return game
        tree = self.value()
        if is_repeat:
            times = self.read_number(self.need(REPEATED), "number", 1, trees.MAX_TIMES, "times")
        line = self.read_line_end(ExpressionLine(tree, times), start)
        if line.times > 1 and any(pool.keep and pool.keep.count == pool.count for pool in line.pools):
            raise self.parse_error(start)  # `2xd20 keep high`: of both dice, perhaps
        label = " ".join(filter(None, (front, ", ".join(self.notes), "" if self.is_prose else self.label())))
        line = replace(line, times=max(1, line.times), label=label)
        if isinstance(line.tree, DicePool) and line.tree.note and not line.label and not self.is_written:
            line = replace(line, tree=replace(line.tree, note=""), label=line.tree.note)
        return line

    def game_line(self, times: int, front: str) -> ExpressionLine | None:
        """Parse a named system's roll with options: ``blades 3``, ``2d6+1 pbta``, ``coc 55 2 penalty``."""
        stop = NAMED_END.search(self.text, self.at)
        try:
            typed = read_typed_system(self.text[self.at : stop.start() if stop else None])
        except MissingDiceError as error:
            title, example = error.system.title, error.system.examples[0][0]
            why, what = ("check", error.says) if error.says else ("missing", error.missing)
            places = {"system": title, "what": term(what), "example": Code(example)}
            raise self.parse_error(self.at + error.at, why, **places) from None
        self.system = system = typed.system if typed is not None else None
        if typed is None or system is None:
            return None
        values = typed.values
        self.refuse_game_words(self.without_called_words(front), self.begin)
        names = [self.label_words(self.at + begin, self.at + end, in_front=True) for begin, end in typed.labels]
        self.at += typed.at
        line = ExpressionLine(written_tree(system.notation(values)), times, system=system.key, options=values)
        if again := self.take(phrases.TIMES):
            line = self.read_repetition(line, again)
        if system.times and line.times:
            raise self.parse_error()
        label = " ".join(filter(None, (front, *names, self.label())))
        if system.times:
            return ExpressionLine(line.tree, system.times, label)
        return replace(line, times=max(1, line.times), label=label)

    def front(self) -> str:
        """Parse a label before a roll: ``Stealth 1d20+7``, ``(Attack) 1d20``, ``Level 5 fireball: 8d6``."""
        match = FRONT.match(self.text, self.at)
        if self.is_prose or match is None:
            return ""
        if any(item.match(self.text, match.start("word")) for item in (phrases.EDGE, NAMED_FIRST)):
            return ""
        if not self.is_written and names_system(self.text[self.at :], "games"):
            return ""
        begin, end = match.span("round" if match["round"] else "words")
        counts = phrases.COUNTS.search(self.text, begin, end) if self.text[match.end()] == "d" else None
        counts = counts or phrases.ENDS.search(self.text, begin, end)
        if counts or any(row.pattern.match(self.text[begin:end]) for row in phrases.table("elsewhere")):
            raise self.parse_error(counts.start() if counts else begin)
        plain, places = words.folded(self.text[begin:end])
        if many := phrases.many_things(self.language).search(plain):
            raise self.parse_error(begin + places[many.start()])
        label = self.label_words(begin, end, in_front=True)
        self.at = match.end()
        return label

    # Places and errors

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Consume a pattern's next match, if any."""
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def need(self, pattern: re.Pattern[str]) -> re.Match[str]:
        if match := self.take(pattern):
            return match
        raise self.parse_error()

    def spaces(self) -> None:
        self.at = len(self.text) - len(self.text[self.at :].lstrip())

    def skip(self, characters: str) -> str:
        """Consume the next character after spaces if it is one of these, else ""."""
        rest = self.text[self.at :].lstrip()
        if not rest or rest[0] not in characters:
            return ""
        self.at = len(self.text) - len(rest) + 1
        return rest[0]

    def replace_text(self, begin: int, end: int, written: str) -> None:
        """Replace a part of the text, and continue there."""
        self.typed = f"{self.typed[:begin]}{written}{self.typed[end:]}"
        self.text = f"{self.text[:begin]}{written.lower()}{self.text[end:]}"
        self.at = begin

    def parse_error(self, at: int | None = None, why: str = "", **places: object) -> ParseError:
        if at is None:
            self.spaces()
        return ParseError(self.typed, self.at if at is None else at, why, places, self.said)

    def decide(self, kind: str, **places: object) -> int:
        """Choose a reading. Raises ``AmbiguityError`` without a decision."""
        if kind in self.answers:
            return self.answers[kind]
        names = [Text(message, **places) for message in phrases.QUESTIONS[kind]]
        if len(self.asked) == len(self.decisions):
            raise AmbiguityError(len(names))
        way = self.decisions[len(self.asked)]
        self.asked.append(names[way])
        return way

    def phrase(self, question: str, match: re.Match[str]) -> int:
        kind, _, game = question.partition(": ")
        if kind == "sum or two" and self.is_prose:
            return 1
        said = next((group for group in match.groups("")[::-1] if group.isdecimal()), match[match.lastindex or 0])
        return self.decide(kind, n=said, typed=self.as_typed(match[0].strip()), game=game)

    def read_number(self, match: re.Match[str], group: str, least: int, most: int, kind: str, default: str = "") -> int:
        """Return a group's number. Raises ``ParseError`` outside its limits, with the nearest valid one."""
        typed = phrases.digits(match[group] or default)
        number = int(typed) if len(typed.lstrip("-")) <= NUMBER_DIGITS else (MAX_NUMBER + 1)
        if least <= number <= most:
            return number
        raise self.parse_error(match.start(group), f"{kind}-outside", least=least, most=most, number=quote_value(typed))

    # Repeats

    def times(self) -> int:
        """Parse a repeat count: six rolls are ``6x4d6`` or ``6 4d6``; ``6 x 4d6`` may be a product. 0 without one."""
        self.spaces()
        if match := self.take(TIMES):
            return self.read_number(match, "number", 1, trees.MAX_TIMES, "times")
        if match := MULTIPLIED.match(self.text, self.at):
            number = self.read_number(match, "number", 1, MAX_NUMBER, "number")
            if (match["apart"] or not match["cross"]) and self.decide("rolls or factor", n=number):
                self.replace_text(match.end("number"), match.end(), "*")
                self.at = match.start()
                return 0
            self.at = match.end()
        elif not self.is_prose and (match := SPACED.match(self.text, self.at)):  # in prose, "page 12 1d20"
            is_plain = match["times"] or match["next"] or match["number"] == "1"
            if not is_plain and self.decide("rolls or dice", n=match["number"]):
                self.replace_text(*match.span("gap"), "")
                self.at = match.start()
                return 0
            self.at = match.end("gap")
        return self.read_number(match, "number", 1, trees.MAX_TIMES, "times") if match else 0

    # Values

    def value(self) -> Node:
        outer = self.begin
        self.spaces()
        self.begin = self.at
        left = self.sum()
        self.begin = outer
        match = self.take(SIGNS)
        return trees.Comparison(left, read_sign(match[1]), self.sum()) if match else left

    def sum(self) -> Node:
        left = self.product()
        while operator := self.skip("+-"):
            left = Calculation("+" if operator == "+" else "-", left, self.product())
        return left

    def product(self) -> Node:
        left = self.factor()
        while match := self.take(PRODUCT_SIGN):
            left = Calculation(PRODUCTS[match[1]], left, self.factor())
        return left

    def factor(self) -> Node:
        signs = 0
        while sign := self.skip("+-"):
            signs += sign == "-"
        start, node = self.at, self.atom()
        while note := self.take(NOTE):
            if note["bare"] and isinstance(node, NumberLiteral) and start == self.begin:
                raise self.parse_error(note.start("bare"))  # `2 attacks +8`: a count, perhaps
            words_in_it = self.label_words(*note.span(str(note.lastgroup)))
            if isinstance(node, DicePool):
                node = replace(node, note=words_in_it)
            else:
                self.notes.append(words_in_it)
        if power := self.take(POWER_SIGN):
            node = Calculation("^", node, NumberLiteral(self.read_number(power, "number", 0, MAX_POWER, "power")))
        return Calculation("-", NumberLiteral(0), node) if signs % 2 else node

    def atom(self) -> Node:
        if match := self.take(phrases.EDGE):
            return edge_pool(match["word"])
        if function := self.take(FUNCTION):
            return self.function(function[1])
        if bracket := self.skip("({"):
            return self.bracket(bracket)
        self.spaces()
        if decimal := DECIMAL.match(self.text, self.at):
            whole = NUMBER_WRITTEN.match(self.text, self.at) or decimal
            raise self.parse_error(why="decimal", sign=quote_value(whole[0].strip()))
        if digits := self.take(DIGITS):
            return self.digits(digits)
        if dice := self.take(DICE):
            return self.pool(dice)
        return NumberLiteral(self.read_number(self.need(COUNT), "number", 0, MAX_NUMBER, "number"))

    def function(self, name: str) -> Node:
        """Parse the arguments of ``max( )`` and the like."""
        values = self.values(")", several=name in ("max", "min"))
        if name in ("max", "min"):
            return trees.Best(name == "max", values)
        return trees.Rounded(cast(trees.Rounding, name), values[0])

    def values(self, closes: str, *, several: bool = True) -> tuple[Node, ...]:
        result = [self.value()]
        while several and self.skip(","):
            result.append(self.value())
        if not self.skip(closes):
            raise self.parse_error()
        return tuple(result)

    def bracket(self, opens: str) -> Node:
        """Parse a value in brackets, or several with keep: ``(1d8, 1d6)kh1``."""
        values = self.values(")" if opens == "(" else "}")
        if len(values) == 1:
            dice = single_dice(values[0]) if opens == "{" and KEEP_SOME.match(self.text, self.at) else ()
            if dice and isinstance(values[0], DicePool):
                return self.read_pool_end(values[0], self.at)
            return self.best_of(dice) if dice else values[0]
        if opens == "{" and GROUP_END.match(self.text, self.at):
            self.decide("sum")
            return reduce(partial(Calculation, "+"), values)
        return self.best_of(values)

    def best_of(self, values: tuple[Node, ...]) -> Node:
        match = self.need(KEEP_SOME)
        count = self.read_number(match, "count", 1, len(values), "kept", "1")
        drops, highest = match["keep"][0] == "d", match["keep"] in ("k", "kh", "dl", "d")
        if drops and count == len(values):
            raise self.parse_error(match.start())
        return trees.Best(highest, values, len(values) - count if drops else count)

    def digits(self, match: re.Match[str]) -> Node:
        sides = match["each"] or match["usual"] or match["asked"]
        if match["asked"] and self.decide("digits"):
            return self.read_pool_end(DicePool(count=1, sides=int(sides)), match.start())
        return trees.Digits(tuple(DicePool(count=1, sides=int(side)) for side in sides))

    # Dice

    def pool(self, match: re.Match[str]) -> Node:
        fudge = match["sides"] == "f"
        if fudge and match["letter"] != "d":
            raise self.parse_error(match.start("letter"))
        count = self.read_number(match, "count", 1, MAX_DICE, "dice", "4" if fudge else "1")
        named = {"f": 3, "%": trees.PERCENT}.get(match["sides"])
        sides = named or self.read_number(match, "sides", 2, trees.MAX_SIDES, "sides")
        pool = DicePool(count=count, sides=sides, fudge=fudge)
        if match["letter"] == "k" and match["count"] and sides <= min(count, 10) and self.decide("keep", n=sides):
            keep, tens = trees.Keep(True, sides), DiceCondition("=", 10)
            pool = DicePool(count=count, sides=10, explode=tens, explosion="compounding", keep=keep)
        return self.read_pool_end(pool, match.start("count"))

    def read_pool_end(self, pool: DicePool, start: int) -> Node:
        while match := self.modifier():
            self.at = match.end()
            pool = MODIFIERS[next(name for name in MODIFIERS if match[name])](self, pool, match)
        for why, is_so in FLAWS.items():
            if is_so(pool):
                n = min(len(pool.faces), MAX_UNIQUE) if why == "unique" else pool.count
                raise self.parse_error(start, why, n=n, most=trees.MAX_EXPLODING)
        return self.target(pool, start)

    def modifier(self) -> re.Match[str] | None:
        """Return the next modifier, after a space only if it is a word: `4d6 kh3`, but not `4d6 dragon`."""
        match = MODIFIER.match(self.text, self.at)
        if match is not None:
            return match
        match = MODIFIER.match(self.text, len(self.text) - len(self.text[self.at :].lstrip()))
        if match is None or self.text[match.end() : match.end() + 1].isalnum():
            return None
        return None if match["keep"] in ("d", "h", "l") or match[0] in ("e", "i", "k", "b", "p") else match

    def with_only(self, pool: DicePool, match: re.Match[str]) -> DicePool:
        """Add ``k>=5``, which keeps matching dice, or ``p1``, which drops them."""
        test = self.test(match, "only_sign", "only_number")
        self.refuse_repetition(pool.keep or pool.only, match.start(), "keep")
        return replace(pool, only=test if match["only"] == "k" else replace(test, sign=trees.OPPOSITES[test.sign]))

    def with_keep(self, pool: DicePool, match: re.Match[str]) -> DicePool:
        """Add ``kh3``, ``dl1``; one dropped at each end keeps the middle."""
        name, had = match["keep"], pool.keep
        if not match["count"] and name == "d":
            raise self.parse_error(match.start())
        count = self.read_number(match, "count", 1, MAX_DICE, "kept", "1")
        keep = trees.Keep(name in ("kh", "k", "dh", "ph", "h"), count, drops=name[0] in "dp", middle=name == "km")
        if had and had.drops and pool.count > 2 * count and keep == replace(had, highest=not had.highest):
            return replace(pool, keep=trees.Keep(True, pool.count - 2 * count, middle=True))
        self.refuse_repetition(pool.keep or pool.only, match.start(), "keep")
        return replace(pool, keep=keep)

    def with_reroll(self, pool: DicePool, match: re.Match[str]) -> DicePool:
        """Add ``ro1``, one reroll, or ``rr1``, until it no longer matches."""
        test = self.test(match, "reroll_sign", "reroll_number")
        self.refuse_repetition(pool.reroll, match.start(), "reroll")
        return replace(pool, reroll=test, reroll_once=match["reroll"] == "ro")

    def with_explosion(self, pool: DicePool, match: re.Match[str]) -> DicePool:
        """Add ``!``, ``e10``, ``!p>=5``: by default on the highest face."""
        number = "signed" if match["signed"] else "unsigned"
        test = self.test(match, "explode_sign", number) if match[number] else DiceCondition("=", max(pool.faces))
        self.refuse_repetition(pool.explode, match.start(), "explode")
        if test == DiceCondition(">=", max(pool.faces)):
            test = replace(test, sign="=")
        kinds: dict[str, trees.Explosion] = {written: kind for kind, written in trees.EXPLOSIONS.items()}
        return replace(pool, explode=test, explosion=kinds.get(match["explode"], "new die"))

    def with_limit(self, pool: DicePool, match: re.Match[str]) -> DicePool:
        """Add ``mi3``, a die's minimum, or ``ma5``, its maximum."""
        is_least = match["limit"] == "mi"
        number = self.read_number(match, "limit_number", min(pool.faces), max(pool.faces), "limit")
        self.refuse_repetition(pool.least if is_least else pool.most, match.start(), match["limit"])
        return replace(pool, least=number) if is_least else replace(pool, most=number)

    def with_implosion(self, pool: DicePool, match: re.Match[str]) -> DicePool:
        return replace(pool, implode=self.read_number(match, "implode_number", 1, pool.sides - 1, "test", "1"))

    def with_tens(self, pool: DicePool, match: re.Match[str]) -> DicePool:
        """Add tens dice to a percentile die, of which the best or worst counts."""
        if pool.sides != trees.PERCENT:
            raise self.parse_error(match.start())
        self.refuse_repetition(pool.bonus or None, match.start(), "bonus")
        count = self.read_number(match, "tens_count", 1, MAX_TENS, "dice", "1")
        return replace(pool, bonus=count if match["tens"] == "b" else -count)

    def test(self, match: re.Match[str], sign: str, number: str) -> DiceCondition:
        return DiceCondition(read_sign(match[sign] or ""), self.read_number(match, number, -1, trees.MAX_SIDES, "test"))

    def refuse_repetition(self, known: object, at: int, what: str) -> None:
        """Raise ``ParseError`` for a repetition."""
        if known is not None:
            raise self.parse_error(at, f"{what}-twice")

    def target(self, pool: DicePool, start: int) -> Node:
        """Return the pool with its success test, if a target follows; a test of its sum is left for later."""
        if match := self.take(phrases.TARGET):
            test = DiceCondition(">=", self.read_number(match, "number", 0, MAX_COMPARED, "test"))
            return self.read_steps(self.read_failure(replace(pool, success=test)))
        match = SUCCESS.match(self.text, self.at)
        if match is None:
            if wrong := phrases.FAILURE.match(self.text, self.at):
                raise self.parse_error(wrong.start(), "no target")
            if plus := self.take(PLUS):
                return self.read_steps(replace(pool, plus=int(plus["plus"] or 0)))
            return pool
        test = DiceCondition(read_sign(match[1]), self.read_number(match, "number", 0, MAX_COMPARED, "test"))
        if pool.unique and test.sign != ">=":  # in another bot `u=5` means which dice must differ
            raise self.parse_error(match.start())
        if not any(part.match(self.text, match.end()) for part in (phrases.FAILURE, FIRST_STEP, STEP)):
            is_followed = self.text[match.end() :].lstrip()[:1] in tuple("+-*/")
            is_open = start != self.begin or is_followed
            if pool.compares_sum(test) or (is_open and self.decide("count or compare")):
                return pool
        self.at = match.end()
        return self.read_steps(self.read_failure(replace(pool, success=test)))

    def read_steps(self, pool: DicePool) -> DicePool:
        """Parse a chain's further steps: ``20d6>=3 then>=4 then<5``."""
        begin, critical = self.at, self.take(FIRST_STEP)
        steps = [self.read_step(match) for match in iter(partial(self.take, STEP), None)]
        if not steps and critical is None:
            return pool
        once = pool.reroll is None or pool.reroll_once
        first = trees.ChainStep(test=pool.success, sides=pool.sides, again=pool.reroll, again_once=once)
        steps = [with_critical(first, critical), *steps]
        bare = DicePool(count=pool.count, sides=pool.sides, note=pool.note, success=pool.success, plus=pool.plus)
        is_bare = pool == replace(bare, reroll=pool.reroll, reroll_once=pool.reroll_once)
        models = self.take(MODELS)
        pool = replace(pool, steps=tuple(steps), wounds=int(models["wounds"]) if models else 0)
        leaps = [at + 1 + step.skips for at, step in enumerate(steps[: pool.damage_step])]
        if models and not pool.damage_step >= max(leaps, default=1):
            raise self.parse_error(models.start(), "models")
        if not is_bare or len(steps) > trees.MAX_STEPS + 1:
            raise self.parse_error(begin, "steps", most=trees.MAX_STEPS)
        if pool.chain_bound > trees.MAX_GOING:
            raise self.parse_error(begin, "too many", n=pool.chain_bound, most=trees.MAX_GOING)
        return pool

    def read_step(self, match: re.Match[str]) -> trees.ChainStep:
        """Parse a further step: ``then>=4ro1c6+1>``, ``thenx2``, ``thenxd3``."""
        if times := match["times"]:
            return trees.ChainStep(sides=int(times[1:])) if times[0] == "d" else trees.ChainStep(times=int(times))
        test = DiceCondition(read_sign(match[2]), self.read_number(match, "number", 0, MAX_COMPARED, "test"))
        again = DiceCondition("<" if match["again"] else "=", int(match["fail"])) if match["fail"] else None
        return with_critical(trees.ChainStep(test=test, again=again, by=int(match["by"] or 0)), match)

    def read_failure(self, pool: DicePool) -> DicePool:
        """Parse a failure test, if it follows."""
        match, test = self.take(phrases.FAILURE), pool.success
        if match is None or test is None:
            return pool
        failure = self.read_number(match, "number", 1, trees.MAX_SIDES, "test") - (match["sign"] == "<")
        test = DiceCondition(">=", test.number + 1) if test.sign == ">" else test
        if test.sign != ">=" or failure >= test.number:
            raise self.parse_error(match.start(), "failure")
        return replace(pool, success=test, failure=failure)

    # After a roll

    def read_line_end(self, line: ExpressionLine, start: int) -> ExpressionLine:
        """Parse a roll's suffixes: advantage, a target number, repeats."""
        if match := phrases.EDGE_BEHIND.match(self.text, self.at):
            if match["comma"] and self.decide("edge"):
                return line
            self.at = match.end()
            return self.read_line_end(self.with_edge(line, match, start), start)
        if contest := phrases.CONTEST.match(self.text, self.at):
            raise self.parse_error(contest.start(), "contest")
        if match := self.take(phrases.AGAINST):
            if isinstance(line.tree, trees.Comparison):
                raise self.parse_error(match.start())
            number = NumberLiteral(self.read_number(match, "number", 0, MAX_NUMBER, "number"))
            sign = read_sign(match["sign"] or ">=")
            return self.read_line_end(replace(line, tree=trees.Comparison(line.tree, sign, number)), start)
        if match := self.take(phrases.TIMES):
            return self.read_line_end(self.read_repetition(line, match), start)
        if match := self.take(phrases.CROSS):
            return self.read_line_end(self.read_trailing_x(line, match), start)
        return line

    def read_repetition(self, line: ExpressionLine, match: re.Match[str]) -> ExpressionLine:
        self.refuse_repetition(line.times or None, match.start("number"), "times")
        return replace(line, times=self.read_number(match, "number", 1, trees.MAX_TIMES, "times"))

    def read_trailing_x(self, line: ExpressionLine, match: re.Match[str]) -> ExpressionLine:
        """Parse ``4d6x6``: six rolls, a product, or in some bots dice that explode on a six."""
        number, tree = self.read_number(match, "number", 1, MAX_NUMBER, "number"), line.tree
        is_bare = (
            isinstance(tree, DicePool) and tree == DicePool(count=tree.count, sides=tree.sides) and number in tree.faces
        )
        can_explode = is_bare and not match[0][0].isspace()
        way = self.decide("rolls, factor or explosion" if can_explode else "rolls or factor", n=number)
        if way == 0:
            return self.read_repetition(line, match)
        if way == 2 and isinstance(tree, DicePool):
            return replace(line, tree=replace(tree, explode=DiceCondition("=", number)))
        return replace(line, tree=Calculation("*", tree, NumberLiteral(number)))

    def with_edge(self, line: ExpressionLine, match: re.Match[str], start: int) -> ExpressionLine:
        """Apply advantage or disadvantage: its only plain d20 is the best or worst of two or three."""
        edge = edge_pool(match["word"])
        plain = [pool for pool in trees.pools_of(line.tree) if pool.sides == 20 and pool.count in (1, edge.count)]
        plain = [pool for pool in plain if pool.keep is None and pool.success is None and pool.explode is None]
        if not line.pools and self.text[start:].lstrip()[:1] in tuple("+-"):
            return replace(line, tree=read_added_terms(edge, line.tree))
        if len(plain) != 1:
            raise self.parse_error(match.start("word"))
        (die,) = plain
        changed = replace(die, count=edge.count, keep=edge.keep)
        return replace(line, tree=trees.map_pools(line.tree, lambda pool: changed if pool is die else pool))

    # Labels

    def label(self) -> str:
        """Parse the words after a roll. Raises ``ParseError`` if they could change it."""
        noted = ""
        if in_brackets := self.take(phrases.NOTED):
            noted = self.label_words(*in_brackets.span(str(in_brackets.lastgroup)))
        if forced := self.take(phrases.FORCED):
            begin, end = forced.span(str(forced.lastgroup))
            return self.short(self.as_typed(self.typed[begin:end]), begin)
        begin = self.at
        self.spaces()
        rest = self.text[self.at :]
        if not rest or rest[0] in ",;":
            self.at = begin
            return noted
        is_word = rest[0].isalpha() and (self.at > begin or (self.at > 0 and self.text[self.at - 1] in ")]"))
        is_emoji = unicodedata.category(rest[0]) in ("So", "Sk") or phrases.EMOJI_CODE.match(rest)
        if not is_word and not is_emoji:
            raise self.parse_error()
        behind = LABEL_END.search(self.text, self.at)
        first, self.at = self.at, behind.start() if behind else len(self.text)
        return f"{noted} {self.label_words(first, self.at)}".strip()

    def label_words(self, begin: int, end: int, *, in_front: bool = False) -> str:
        """Read a label. Raises ``ParseError`` at a word that could change the roll, or a number except ``in_front``."""
        text = self.text[begin:end]
        if self.is_written:
            return text
        first = begin + len(text) - len(text.lstrip())
        text = self.without_called_words(text) if in_front else text
        if phrases.BEGINS.match(text, first - begin):
            raise ParseError(self.typed, first, said=self.said, label=None if in_front else (begin, end))
        name, _, number = text.strip().rpartition(" ")
        is_first = in_front and number == "1" and self.text[end:].lstrip(" :")[:1].isdecimal()
        bare = name if number.isdecimal() and (is_first or name.lower() in phrases.counted_off(self.text)) else text
        bare = phrases.EMOJI_CODE.sub(lambda code: " " * len(code[0]), bare)
        if in_front:
            bare = phrases.NUMBERED.sub(lambda number: " " * len(number[0]), bare)
        self.refuse_game_words(bare, begin)
        held = phrases.HOLDS.search(bare) or (self.system is not None and phrases.OPTIONS.search(bare))
        if held := held or phrases.find_misspelling(bare):
            raise ParseError(self.typed, begin + held.start(), said=self.said, label=None if in_front else (begin, end))
        label = self.as_typed(self.typed[begin:end])
        if phrases.many_things(self.language).search(words.folded(label)[0]):
            raise ParseError(self.typed, first, said=self.said)
        plain = self.without_plain_phrases(self.typed[begin:end])
        if self.may_change(words.folded(self.without_called_words(plain) if in_front else plain)[0]):
            places = {"sign": quote_value(label.strip())}
            raise ParseError(self.typed, first, "foreign", places, self.said, (begin, end))
        return self.short(label, first)

    def may_change(self, plain: str) -> bool:
        """Whether a folded label has a word that changes dice, in English or the channel's language."""
        changing = map(words.changing, {words.ENGLISH, self.language})
        return words.has_other_form(plain) or any(pattern.search(plain) for pattern in changing)

    def without_called_words(self, label: str) -> str:
        """Blank what the current game's rolls are called."""
        system = self.system
        return label if system is None else system.called_words.sub(lambda called: " " * len(called[0]), label)

    def refuse_game_words(self, label: str, begin: int) -> None:
        """Raise ``ParseError`` for a word of the current game that changes dice."""
        system = self.system
        if system is not None and (not_read := next(system.words_in(label), None)):
            why, word = not_read
            places = {"system": system.title, "sign": quote_value(word["word"]), "word": Code(word["word"])}
            raise self.parse_error(begin + word.start("word"), why, **places)

    def without_plain_phrases(self, text: str) -> str:
        """Return a label as it was typed, but with English for several words that together change no dice."""
        spoken = {word: said for word, said in self.spoken.items() if word not in words.FAIR or " " not in said}
        return in_typed_words(text, spoken)

    def as_typed(self, text: str) -> str:
        return in_typed_words(text, self.spoken)

    def short(self, label: str, at: int) -> str:
        line = one_line(label, trees.MAX_TEXT)
        if len(line) > trees.MAX_LABEL:
            raise self.parse_error(at, "label", most=trees.MAX_LABEL)
        return line


MODIFIERS: Final[Mapping[str, Callable[[Parser, DicePool, re.Match[str]], DicePool]]] = {
    "only": Parser.with_only,
    "tens": Parser.with_tens,
    "keep": Parser.with_keep,
    "unique": lambda _, pool, match: replace(pool, unique="uo" if match["unique"] == "uo" else "u"),
    "implode": Parser.with_implosion,
    "reroll": Parser.with_reroll,
    "explode": Parser.with_explosion,
    "limit": Parser.with_limit,
}
"""Parsers of modifiers, by group of ``MODIFIER``."""


def with_critical(step: trees.ChainStep, match: re.Match[str] | None) -> trees.ChainStep:
    if match is None or not match["critical"]:
        return step
    brings, skips = int(match["brings"] or 0), len(match["skips"])
    return replace(step, critical=int(match["critical"]), brings=brings, skips=skips)


def in_typed_words(text: str, said: Mapping[str, str]) -> str:
    """Return a text with the translated words as they were typed."""
    for english, typed in said.items():
        text = re.sub(rf"(?<!\w){re.escape(english)}(?!\w)", typed.replace("\\", ""), text)
    return text


def single_dice(node: Node) -> tuple[Node, ...]:
    """Return a sum's dice one by one, for joint keeping; () for anything but plain dice."""
    if isinstance(node, Calculation) and node.operator == "+":
        left, right = single_dice(node.left), single_dice(node.right)
        return left + right if left and right else ()
    plain = isinstance(node, DicePool) and node == DicePool(count=node.count, sides=node.sides, note=node.note)
    return (replace(node, count=1),) * node.count if isinstance(node, DicePool) and plain else ()


def names_system(text: str, part: str) -> bool:
    """Whether a text begins with a system's roll, whose words are no phrases; an invalid one may be one of games."""
    end = NAMED_END.search(text)
    start = TIMES.match(text)
    try:
        return read_typed_system(text[start.end() if start else 0 : end.start() if end else None]) is not None
    except MissingDiceError:
        return part != "games"


def written_tree(notation: str) -> Node:
    return Parser(notation, is_written=True).read().line.tree


def with_options(line: ExpressionLine, game: System, values: Values) -> ExpressionLine:
    return replace(line, tree=written_tree(game.notation(values)), options=values)


def edge_pool(word: str) -> DicePool:
    """Return the d20s of advantage, disadvantage, or the best of three."""
    return DicePool(count=3 if word == "ea" else 2, sides=20, keep=trees.Keep(not word.startswith("dis"), 1))


def read_added_terms(edge: DicePool, more: Node) -> Node:
    """Return a typed sum's addition: ``+5``, ``-2``."""
    if isinstance(more, Calculation) and more.operator == "-" and more.left == NumberLiteral(0):
        return Calculation("-", edge, more.right)
    if isinstance(more, Calculation) and more.operator in "+-":
        return replace(more, left=read_added_terms(edge, more.left))
    return Calculation("+", edge, more)
