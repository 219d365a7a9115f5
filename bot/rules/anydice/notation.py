"""Parses typed dice, without rolling; every limit is checked before any roll. A text is parsed exactly, or rejected
with the nearest valid text; an ambiguous one becomes a question. ``reader`` has the grammar, ``phrases`` other words,
``tree`` the result.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import dropwhile, islice, pairwise
from math import floor
from operator import itemgetter
from string import digits, whitespace
from typing import Final

from bot.rules import errors
from bot.rules.anydice import phrases, systems, tree as trees, words
from bot.rules.anydice.reader import DICE_WORD, VALUE, AmbiguityError, ParseError, Parser, in_typed_words
from bot.rules.anydice.tree import MAX_TEXT, Expression
from bot.rules.errors import AmbiguousTextError, BadTextError, NotUnderstoodError, quote_value
from bot.rules.text import N_, Code, Name, Names, Sentences, Text, bracketed

MAX_READINGS: Final = 8
"""Maximum number of readings of one text to try."""
MAX_NEAREST: Final = 8
"""Maximum number of other texts to try for one that isn't understood."""
MAX_LEFT_OUT: Final = 2
"""Maximum words to drop from an invalid text."""
MIN_MISSPELLED: Final = 3
EXAMPLES: Final = "`4d6kh3`, `1d20+5` or `6d10>=7`"
SAME: Final = {ord(item): other for item, other in zip("−–×÷·➕➖✖➗\u00a0", "--*/*+-*/ ", strict=True)}
SAME.update({0xFEE0 + ascii_code: chr(ascii_code) for ascii_code in range(0x21, 0x7F)})
"""Characters that phones and word processors insert for plain ones, including East Asia's full-width ones."""
SIGN: Final = re.compile(r"\w+|[^\w\s]{1,3}")
"""Unit that an error quotes: a word with its number, or a sign."""
BLANKS: Final = re.compile(r"\s{2,}")
CHANGING: Final = words.changing(words.ENGLISH)
"""Words that change dice."""
WORD: Final = re.compile(r"\s*[^\W\d_]+")
LETTERS: Final = re.compile(r"[^\W\d_]+")


OPPOSED: Final = re.compile(
    rf"(?:[-+] ?|[dwk])[0-9]+,? (?:(?!(?:vs|[ad]c) )[^\W\d_]+ )*"
    rf"(?:{words.any_of(words.AGAINST)}|v|(?:oppos|contest)ed(?: (?:by|to|with))?)\.? "
    r"(?:[^\W\d_]+ )*(?:[-+] ?|[0-9]*[dwk])[0-9]"
)
"""The bonuses or dice of two sides, with a word between them in any language."""


Reading = tuple[Expression, tuple[Text, ...], str]
"""An expression, its decisions, and the remaining text."""


@lru_cache(maxsize=512)
def parse(text: str, field: str = "dice", language: str = words.ENGLISH, answers: phrases.Answers = ()) -> Expression:
    """Parse an expression, with a language's words beside the English ones, and a channel's ``answers``.

    Raises ``NotUnderstoodError`` naming ``field`` for an invalid or too large one, and ``AmbiguousTextError`` for one
    with two readings. Any text of at most ``MAX_WRITTEN`` characters costs under 100,000 steps.
    """
    typed = strip_bot_prefix(single_blanks(text))
    if len(typed) > trees.MAX_WRITTEN:
        message = N_("`{field}` has more than {most} characters. Shorten it.")
        raise BadTextError(Text(message, field=Code(field), most=MAX_TEXT))
    if not typed:
        empty = N_("`{field}` is empty. Write dice like {examples}.")
        raise BadTextError(Text(empty, field=Code(field), examples=Code(EXAMPLES)))
    commands = () if phrases.ANY_DICE.search(typed.lower()) else phrases.table("commands")
    if row := next((row for row in commands if row.pattern.search(typed)), None):
        command = ParseError(typed, 0, "command", {"command": Code(row.notations[0])})
        raise not_understood(field, command, typed, language)
    try:
        result = readings(typed, language=language, answers=answers)
    except ParseError as error:
        if OPPOSED.search(words.folded(typed)[0]):
            raise not_understood(field, replace(error, why="contest"), typed, language) from None
        result = [] if error.why == "uncounted" else list(in_other_languages(typed, language, error))
        if not (result := result or whatever_words(typed, language, error)):
            raise not_understood(field, error, typed, language) from None
    return one_of(typed, field, result)


def in_other_languages(typed: str, language: str, error: ParseError) -> Iterator[Reading]:
    """Yield a text's meanings in other languages, and as a label with their words."""
    result = list[Reading]()
    for other in words.OTHERS:
        text, said = phrases.in_english(typed, other)
        is_english = said and {word.lower() for word in said.values()} <= words.means(words.ENGLISH).keys()
        if other != language and text != typed and not is_english:
            with suppress(ParseError):
                (meant, asked, behind), *more = readings(typed, language=other)
                if meant.has_dice and not (more or asked or meant in map(itemgetter(0), result)):
                    result.append((meant, (Text("in {language}", language=Name(words.TABLES[other]["name"])),), behind))
    yield from result
    for marked in quoted(error.text, error.label) if result and error.label else ():
        with suppress(ParseError):
            yield from ((meant, (Text("a label"),), behind) for meant, _, behind in readings(marked))


SEVERAL: Final = re.compile(
    r"\s*(?:[;,|\n]|(?<![a-z])(?:and )?then(?![a-z]))\s*"
    r"|\s+(?:and |for )?(?=(?:damage|dmg):? [0-9]*d[0-9])|\s+(?:hits? )?for (?=[0-9]*d[0-9])"
)
"""Separators of rolls."""


TWO_BONUSES: Final = re.compile(r"[-+] ?[0-9]++[^-+;0-9\W]*+(?:[^-+;0-9\w]++[^-+;0-9\W]++)++ *+[-+] ?[0-9]")


def whatever_words(typed: str, language: str, error: ParseError) -> list[Reading]:
    """Return the reading of a text that says in other words what is understood, or of which all that isn't understood
    are words that change nothing: they are its label.
    """
    if error.why not in ("", "unknown", "foreign") or phrases.OTHER_GAME.match(typed.lower()) or are_two_checks(typed):
        return []
    english, spoken = (typed, {}) if language == words.ENGLISH else phrases.in_english(typed, language)
    for text in dict.fromkeys((english, phrases.correct_misspellings(english))):
        said = phrases.in_other_words(text)
        several = [*map(first_sure, SEVERAL.split(text))] if SEVERAL.search(text) else []
        if ";" not in text and len({roll.partition("#")[0] if "#" in roll else "" for roll in several}) > 1:
            several = []  # a count in front is of all the rolls
        attacks = phrases.suggest(phrases.with_digits(text), "attack and damage")
        forms = (*attacks, *sure_forms(text, said), said, "; ".join(several))
        for form in forms:
            result = [(in_words_of(meant, spoken), names, behind) for meant, names, behind in certain(form, english)]
            labels = [line.label for meant, _, _ in result for line in meant.lines]
            if result and (language == words.ENGLISH or not any(may_say_more(label, language) for label in labels)):
                return result
    return []


def are_two_checks(typed: str) -> bool:
    """Whether a text without dice has words between two bonuses: of two people perhaps, so neither is added."""
    return bool(TWO_BONUSES.search(typed)) and not DICE_IN_TEXT.search(typed)


def may_say_more(label: str, language: str) -> bool:
    """Whether a label in another language than English may hold a word of dice or games."""
    return bool(phrases.GAME_WORDS.search(label)) or words.may_change(label, language)


def in_words_of(expression: Expression, spoken: Mapping[str, str]) -> Expression:
    """Return an expression with its labels in the words that were typed."""
    labeled = (replace(line, label=in_typed_words(line.label, spoken)) for line in expression.lines)
    return replace(expression, lines=tuple(labeled)) if spoken else expression


def sure_forms(*texts: str) -> Iterator[str]:
    yield from (form for text in dict.fromkeys(texts) for form in phrases.surely(text))


def first_sure(text: str) -> str:
    """Return a roll's first form that is certain; "#", which is no notation, for none."""
    found = (certain(form, text) for form in (text, *sure_forms(text)))
    return next((result[0][0].full_text for result in found if [asked for _, asked, _ in result] == [()]), "#")


def certain(form: str, typed: str) -> list[Reading]:
    """Return a form's readings if it keeps every number, and no word in its labels changes dice."""
    with suppress(ParseError):
        result = readings(form)
        lines = [line for expression, _, _ in result for line in expression.lines]
        fair = (not line.system and is_fair_label(line, words.ENGLISH, typed) for line in lines)
        if result[0][0].has_dice and all(fair) and phrases.numbers_in(typed) <= phrases.numbers_in(form):
            return result
    return []


def single_blanks(text: str) -> str:
    """Collapse repeated spaces and line ends, so that patterns need only look at one."""
    return BLANKS.sub(lambda run: "\n" if "\n" in run[0] else " ", text)


def strip_bot_prefix(text: str) -> str:
    """Remove other bots' prefixes and decorations around dice."""
    typed = text.translate(SAME).strip()
    if match := phrases.PREFIX.match(typed):
        typed = typed[match.end() :].strip()
    if match := phrases.INLINE.fullmatch(typed):
        typed = match["inside"].strip()
    return (typed.strip("*") if typed[:2] == typed[-2:] == "**" else typed).strip("`").strip()


def readings(
    typed: str, *, only_begin: bool = False, language: str = words.ENGLISH, answers: phrases.Answers = ()
) -> list[Reading]:
    """Return a text's reading, or the readings of an ambiguous one. Raises ``ParseError`` if it has none."""
    waiting: list[tuple[int, ...]] = [()]
    result, refused = list[Reading](), list[ParseError]()
    for _ in range(MAX_READINGS):
        if not waiting:
            break
        reader = Parser(typed, waiting.pop(0), language=language, answers=answers)
        try:
            expression = reader.read(only_begin=only_begin)
        except AmbiguityError as fork:
            waiting += [(*reader.decisions, way) for way in range(fork.ways)]
        except ParseError as error:
            found = reader.unread_chain or error
            refused.append(found.with_traceback(None))  # breaks a reference cycle with this function's list
        else:
            result.append((expression, tuple(reader.asked), reader.typed[reader.at :]))
    if not result:
        raise refused.pop(0) if refused else ParseError(typed, 0, "undecided")
    return result


def one_of(typed: str, field: str, result: list[Reading]) -> Expression:
    """Return the only expression. Raises ``AmbiguousTextError`` with every reading."""
    if all(expression == result[0][0] for expression, _, _ in result) and (len(result) > 1 or not result[0][1]):
        return result[0][0]
    choices = {expression.full_text: Sentences(names, ", ") for expression, names, _ in result}
    said = Names([bracketed(Code(f"`{written}`"), name) for written, name in choices.items()], "or")
    item = N_("I'm not sure what {typed} means. Did you mean {said}?")
    message = item if len(choices) == 1 else N_("{typed} could mean more than one thing. Write {said}.")
    raise AmbiguousTextError(
        Text(message, typed=quote_value(typed), said=said), field, tuple(choices), tuple(choices.values())
    )


# Errors

ENDLESS: Final = ("all rerolled", "all explode", "contest", "command")
"""Errors for which no other text would roll the same."""


def what_is_wrong(error: ParseError) -> tuple[str, Text]:
    """Return the first unknown sign, and what is wrong with it."""
    match = SIGN.search(error.text, max(0, error.at))
    sign = match[0] if match else ""
    named = error.said.items() if sign.isalpha() else ()
    of_phrase = (typed for written, typed in named if written.split()[:1] == [sign] and sign not in typed)
    sign, before = error.said.get(sign) or next(of_phrase, sign), error.text[: max(0, error.at)]
    value = "" if error.why else phrases.sheet_value(error.text, len(before))
    is_named = value or (VALUE.search(before) and sign.isalpha())
    plain = "named" if is_named else "unknown" if sign else "unfinished" if error.text.strip() else "nothing"
    last = quote_value("".join(error.text.split()[-1:]))
    places = {"sign": quote_value(error.said.get(value, value) or sign), "last": last} | dict(error.places)
    return sign, Text(phrases.REFUSALS[error.why or plain], **places)


def not_understood(field: str, error: ParseError, typed: str, language: str = words.ENGLISH) -> NotUnderstoodError:
    """Return the error at the first unknown sign; only a suggestion with everything typed becomes a button."""
    sign, why = what_is_wrong(error)
    near = "" if error.why in ENDLESS else nearest(error, typed, "near", language)
    is_apart = phrases.OTHER_GAME.match(typed.lower()) and not phrases.ANY_DICE.search(typed.lower())
    named = ""
    if not (near or is_apart or error.why in ("uncounted", "numbered", *ENDLESS)):  # no other game's dice
        named = nearest(error, typed, "named", language)
        if not named and error.why in ("", "unknown") and language == words.ENGLISH:
            named = next(phrases.in_quotes(typed[:MAX_TEXT]), "")
    places = {"field": Code(field), "why": why, "near": Code(near or named)}
    if near:
        sentence = Text("In `{field}`, {why}; the closest I understand is `{near}`.", **places)
    elif named:
        sentence = Text("In `{field}`, {why}; something similar is `{near}`.", **places)
    elif error.why in ENDLESS[2:]:
        sentence = Text("In `{field}`, {why}.", **places)
    elif error.label and not error.why:
        sentence = Text("In `{field}`, {why} after dice; put words in quotes to make them a label.", **places)
    else:
        sentence = Text("In `{field}`, {why}. Write dice such as `2d6+3` or `4d6kh3`.", **places)
    return NotUnderstoodError(sentence, field, sign, near)


def nearest(error: ParseError, typed: str, part: str, language: str) -> str:
    """Return a part's first valid or ambiguous text that keeps every number; "" for none."""
    text, spelled_out = error.text[:MAX_TEXT], with_edge_corrected(typed, language)
    if spelled_out != typed:
        typed, text = spelled_out, phrases.in_english(spelled_out, language)[0][:MAX_TEXT]
    typed = typed if language == words.ENGLISH else phrases.in_english(typed, language)[0]
    tried = list(phrases.suggest(text, part))
    if part == "near":
        tried = [*tried, *(quoted(text, error.label) if error.label else ())]
    else:
        said = phrases.in_other_words(phrases.in_other_words(typed[:MAX_TEXT]), "similar words")
        spelled = [*correct_spelling(text, error.at)]
        tried = [*tried, *in_several_rolls(typed[:MAX_TEXT].lower())]
        about = (near for turned in (*spelled, typed[:MAX_TEXT]) for near in phrases.about_dice(turned.lower()))
        tried = [*phrases.suggest(text, "sheet values"), said, *tried, *spelled, *about]
        tried += without_other_words(said)
        tried += (near for turned in (said, *tried[-1:]) for near in phrases.about_dice(turned.lower()))
    for candidate in tried[:MAX_NEAREST]:
        with suppress(ParseError):
            (expression, _, _), *others = readings(candidate.strip())
            near = " ".join(candidate.split()) if others else expression.full_text
            is_whole = expression.has_dice and len(near) <= MAX_TEXT
            is_whole = is_whole and all(is_fair_label(line, language, typed) for line in expression.lines)
            is_whole = is_whole and (part == "near" or all(map(is_uncertain, expression.lines)))
            if is_whole and set(phrases.numbers_in(typed)) <= set(phrases.numbers_in(near)):
                return re.sub('"[^"]*"', lambda label: in_typed_words(label[0], error.said), near)
    return ""


def is_uncertain(line: trees.ExpressionLine) -> bool:
    """Whether each comparison of plain dice may succeed, and may fail, and of kept dice some are dropped."""
    tree, pools = line.tree, () if line.system else line.pools
    tests = [(pool.success, 1, pool.values[1]) for pool in pools if pool.success]
    if isinstance(tree, trees.Comparison) and isinstance(tree.right, trees.NumberLiteral) and not line.system:
        low, high = map(floor, trees.bounds(tree.left))
        tests.append((trees.DiceCondition(tree.sign, tree.right.value), low, high))
    dropped = ((sum(pool.keep.count_dropped(pool.count)), pool.count) for pool in pools if pool.keep)
    is_mixed = isinstance(tree, trees.Calculation) and any(pool.success for pool in pools)
    is_mixed = is_mixed or (isinstance(tree, trees.Comparison) and isinstance(tree.right, trees.Calculation))
    return (
        all(0 < taken < count for taken, count in dropped)
        and not is_mixed
        and all(
            len({test.fits(value) for value in (low, min(max(low, test.number), high), high)}) > 1
            for test, low, high in tests
        )
    )


def with_edge_corrected(text: str, language: str) -> str:
    """Return a text with misspelled words for advantage and disadvantage corrected."""
    known = {word for english in ("adv", "dis") for word in words.forms(language, english) if word[5:]}

    def corrected(word: re.Match[str]) -> str:
        plain = words.folded(word[0])[0]
        meant = None if plain in words.means(language) else errors.nearest(plain, known, phrases.MISSPELLED)
        return meant or word[0]

    return text if language == words.ENGLISH else phrases.LONG_WORD.sub(corrected, text)


def is_fair_label(line: trees.ExpressionLine, language: str, typed: str) -> bool:
    """Whether a label may be offered: no word in it changes dice, in the channel's language or in the roll's system;
    none is a game's if no dice were ``typed``, since it could name them.
    """
    if phrases.UNCOUNTED.search(line.label.lower()):
        return False
    label, game = phrases.HARMLESS.sub("", line.label.lower()).strip(), line.game
    is_read = game is not None and (next(game.words_in(label), None) or phrases.OPTIONS.search(label))
    plain = phrases.GAME_WORDS.sub("", label)
    held: object = phrases.HOLDS.search(plain) or (plain != label and not phrases.ANY_DICE.search(typed.lower()))
    held = held or phrases.BEGINS.match(phrases.ON.sub("", label))
    every = (words.changing(one) for one in {words.ENGLISH, language})
    changes = any(pattern.search(words.folded(word)[0]) for pattern in every for word in label.split())
    changes = changes or words.has_other_form(words.folded(label)[0])
    changes = changes or (language != words.ENGLISH and game is None and words.may_change(label, language))
    return not (is_read or held or changes or phrases.STRONG.search(label) or phrases.find_misspelling(label))


def without_other_words(text: str) -> Iterator[str]:
    """Yield a text without unknown words, one at a time, if they change no dice."""
    for _ in range(MAX_LEFT_OUT):
        try:
            readings(text)
        except ParseError as error:
            text, word = error.text, WORD.match(error.text, error.at)
            changes = word is not None and error.why != "uncounted"
            kept = (phrases.HOLDS, phrases.BEGINS, phrases.UNCOUNTED, CHANGING) if changes else ()
            if word is None or any(part.match(word[0].strip().lower()) for part in kept):
                return
            text = f"{text[: error.at]}{text[word.end() :]}".strip()
            yield from (text, *phrases.suggest(text, "named"))
        else:
            return


ROLL: Final = re.compile(r"(?<![-+*/#(0-9d] )(?<![-+*/#(a-z0-9{])[0-9]*d(?:[0-9]+|%)")
"""The first dice of a roll: nothing calculates with them and those before."""
JOINING: Final = ("and", "then", "for", "also", "next", "plus", "followed", "by", ",", ";", "&", "/", "|", ":")


def in_several_rolls(text: str) -> Iterator[str]:
    """Yield a text with dice at several places as a roll for each."""
    starts = [match.start() for match in ROLL.finditer(text)]
    if starts[1:]:
        parts = (text[begin:end].split()[::-1] for begin, end in pairwise((0, *starts[1:], None)))
        yield "; ".join(" ".join([*dropwhile(JOINING.__contains__, part)][::-1]).strip(" ,;:/&|") for part in parts)


def correct_spelling(text: str, at: int) -> Iterator[str]:
    """Yield the text with misspelled words corrected, and the one at a place as a system's name."""
    names = [name for name, _ in systems.NAMES if name[MIN_MISSPELLED + 1 :]]

    def correct_word(word: re.Match[str]) -> str:
        typed, known = word[0].lower(), phrases.KNOWN_WORDS
        is_name = word.start() <= at + 1 < word.end() and not phrases.HOLDS.fullmatch(typed)
        known = (*known, *names) if is_name else known
        like = (*known, *phrases.rows("like ours"))
        if typed in like or len(typed) < MIN_MISSPELLED or CHANGING.fullmatch(typed):
            return word[0]
        begun = next((item for item in known if typed[MIN_MISSPELLED:] and item.startswith(typed)), None)
        return begun or errors.nearest(typed, known, 0.75) or word[0]

    spelled = phrases.outside_labels(text, lambda plain: LETTERS.sub(correct_word, plain))
    yield from () if spelled == text else (spelled,)


def quoted(text: str, label: tuple[int, int]) -> Iterator[str]:
    """Yield the text with its label in quotes, if only game words prevented it, and it has no number."""
    begin, end = label
    words_in_it = text[begin:end].strip().replace('"', "'")
    plain = phrases.GAME_WORDS.sub("", words_in_it)
    if words_in_it and not phrases.BEGINS.match(words_in_it) and not phrases.HOLDS.search(plain):
        yield f'{text[:begin]} "{words_in_it}"{text[end:]}'


# Dice in prose

MAX_SEARCHED: Final = 4000
"""Maximum characters of a text searched for dice: a long message."""
MAX_TRIED: Final = 20
STYLE: Final = re.compile(r"\*\*|__|~~|\|\||`|\s=+\s.*")
"""Markdown, and a result after an equals sign."""
DICE_IN_TEXT: Final = re.compile(rf"(?<![A-Za-z0-9]){DICE_WORD}", re.IGNORECASE)
BEFORE: Final = f"-+*/(){digits}{whitespace}"
"""Signs allowed before an expression's first dice: numbers, signs, parentheses."""


def find(text: str) -> str | None:
    """Return the first dice in prose: ``Roll **2d6+3**, please`` has ``2d6+3``; None without. Within a longer
    expression, all of it: ``2*(1d6+1)``. Raises ``PlayerError`` if ambiguous, or if unknown words after them could
    change the roll.
    """
    text = single_blanks(STYLE.sub(" ", text[:MAX_SEARCHED].translate(SAME)))
    for dice in islice(DICE_IN_TEXT.finditer(text), MAX_TRIED):
        first = begin_of(text, max(0, dice.start() - MAX_TEXT), dice.start())
        starts = [first, *(at for at in range(first + 1, dice.start() + 1) if text[at - 1].isspace()), dice.start()]
        for start in starts:
            with suppress(ParseError):
                expression = parse_beginning(text[start : start + MAX_TEXT].lstrip())
                if expression.has_dice:
                    return expression.full_text
    return None


def begin_of(text: str, least: int, dice: int) -> int:
    """Return the start of the expression with its first dice at ``dice``, with ``3 #``; at ``least`` or later."""
    before = text[least:dice].rstrip(BEFORE)
    count = before.removesuffix("#").rstrip()
    bare = count.rstrip(digits)
    return least + len(bare if before.endswith("#") and bare != count else before)


def parse_beginning(text: str) -> Expression:
    """Parse a text's leading expression, whatever follows. Raises as ``find``, and ``ParseError``."""
    try:
        result = readings(text, only_begin=True)
    except ParseError as error:
        if phrases.EDGE.match(error.text.lower(), error.at):
            word = error.text[error.at :].split()[0]
            raise ambiguous_words_error(error.text[: error.at], error.said.get(word, word)) from None
        raise
    expression, _, behind = result[0]
    rest = behind.split("\n")[0].lstrip(" ,").lower()
    changes = phrases.BEGINS.match(rest) or (rest[:1].isalpha() and phrases.HOLDS.match(rest))
    if changes and not phrases.PROSE.match(rest):
        raise ambiguous_words_error(expression.full_text, rest)
    return one_of(text.removesuffix(behind).strip(), "dice", result)


def ambiguous_words_error(dice: str, rest: str) -> BadTextError:
    """Return the error for unknown words after dice that could change the roll."""
    item = N_("I found {dice}, but the words after it could change the roll: {said}. Type what you mean with `/roll`.")
    return BadTextError(Text(item, dice=quote_value(dice.strip()), said=quote_value(" ".join(rest.split()[:3]))))
