"""The words that players type for many rolls at once, a line each (``;`` or `` / `` also ends a line):

Angus 12 b2 vs Ortega 11                       Face to Face, two dice against one
Angus 12 b1 vs Diaz 11                         the rest of a split Burst
Murat 13 normal vs Angus                       a Normal Roll: not compared
Ana 10 dodge                                   one roll, compared with each who attacks Ana
Angus Combi at 20 cover vs Ortega pistol       troopers of the channel, with their weapons
Angus BS 12 AP PS 5 vs Ortega 11 ARM 3         a weapon, and what is saved with

After a name stand, in any order:

12 · SV 12 · BS12 · PH 10      the Success Value before MODs, with MODs joined to it or not: ``12-3``
-3 +6 · (-3) · -3 (rain)       MODs, with a word for what they are
b2 · x2 · burst 2 · sd         dice, special dice
dodge · reset · template · direct · cc · hack · discover · doctor · engineer · guts · normal
at 20 · at 8-16 · cover · surprise · low · poor · zero · melee 2 · suppressive · speculative · spearhead · coordinated
fireteam 4 · zoc · look out    what changes the Success Value (see ``sums``)
move · idle · look out         a declaration without dice; who reacts to a Move acts against its trooper
AP PS 5 · BTS/2 · continuous   a weapon, if it is not a trooper's
ARM 3 BTS 6 PH 10 W 2          what is saved with
@1                             the first of the people whom the order names, who plays the trooper
rolls 9, 4                     faces that lie already; the Burst may then stay silent
n5 · n4 · n3                   the edition of the whole order

A target without anything else has no roll.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from bot.rules.anydice.words import any_of, forms, replace_matches, spellings
from bot.rules.errors import AtMost, BadInputError, Collector, Example, UnknownWordError
from bot.rules.infinity.orders import fields
from bot.rules.infinity.troopers import declared, limits, states
from bot.rules.infinity.troopers.declared import NO_DICE, Action
from bot.rules.infinity.troopers.trooper import Roster, find_by_words
from bot.rules.json_reader import check_whole_number
from bot.rules.name import MAX_NAME, clean, search_key
from bot.rules.phrase_parser import READER, Reader
from bot.rules.text import N_, Code, Name, Text

MAX_LINES: Final = 12
LINE_END: Final = re.compile(r"[;\n]|\s/\s")
NAME_ENDS: Final = re.compile(r",|\b(?:vs|versus|against|and)\b\.?", re.IGNORECASE)
NUMBERED: Final = re.compile(rf"(?<=[^\s\d]) [1-9](?= (?:(?:{'|'.join(fields.STATS)}) ?)?\d)", re.IGNORECASE)
MAX_NUMBERED: Final = 5
"""A number up to this after a name may number a trooper or be a Success Value: we ask."""
EXAMPLE: Final = "`Angus 12 b2 vs Ortega 11; Murat 13 normal vs Angus`"
"""Worked examples: a line of an order, and its meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderLine:
    """One typed line: a roll and its targets, with a roll or by name only."""

    roll: fields.Draft
    targets: tuple[fields.Draft, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedOrder:
    """A typed order, line by line; ``edition``: None if not typed."""

    lines: tuple[OrderLine, ...]
    edition: declared.Edition | None = None

    @property
    def still(self) -> OrderLine | None:
        """The line whose trooper only declares something without dice; Look Out! is an ARO."""
        still = (item for item in self.lines if item.roll.action in (Action.MOVE, Action.FIRE))
        acts = [search_key(line.roll.name) for line in self.lines if line.roll.action not in NO_DICE]
        return next((item for item in still if search_key(item.roll.name) not in acts), None)

    @property
    def rolling(self) -> tuple[OrderLine, ...]:
        """The lines with dice; reactions to the others act against their trooper."""
        lines: list[OrderLine] = []
        for line in self.lines:
            targets = tuple(
                replace(target, action=None) if target.action in NO_DICE else target for target in line.targets
            )
            if line.roll.action not in NO_DICE:
                lines.append(replace(line, targets=targets))
                continue
            at = (replace(line.roll, action=None),)
            reacts = [target for target in targets if target.has_roll]
            lines += [OrderLine(roll=react, targets=() if react.action in fields.EVADE else at) for react in reacts]
        return tuple(lines)


# Lines

SPOKEN: Final = (Action.DODGE, Action.RESET, Action.TEMPLATE, Action.DISCOVER, Action.DOCTOR, Action.ENGINEER)
"""Actions whose name in the reader's language may be typed behind a number."""
AROUND: Final = (
    *("cover", "surprise", "suppressive", "speculative", "coordinated", "normal", "move", "burst", "at"),
    *("low", "poor", "zero", "melee", "fireteam"),
)
"""Words behind a number that the tables of languages have."""


@lru_cache(maxsize=16)
def words_of(reader: Reader) -> tuple[re.Pattern[str], re.Pattern[str], Mapping[str, str]]:
    """Return patterns of a language's words in an order, without accents, and of one of them; and the English ones."""
    against = dict.fromkeys(forms(reader.language, "vs"), "vs")
    acts = {form: str(action) for action in SPOKEN for form in spellings(reader.say(action.label))}
    acts |= {form: word for word in (*AROUND, "dodge", "hack", "discover") for form in forms(reader.language, word)}
    acts_said, against_said = (any_of(item) for item in (acts, against))
    said = rf"(?:{acts_said})(?!\w)"
    typed = re.compile(rf"(?<=[0-9)]\s){said}(?:\s{said})*|(?<=\w\s)(?:{against_said})(?=\s\w)")
    return typed, re.compile(any_of(acts | against)), acts | against


def in_english(text: str) -> str:
    """An order with the words of the reader's language as ours, with accents or without."""
    pattern, one, meant = words_of(READER.get())
    return replace_matches(text, pattern, lambda words, _: one.sub(lambda word: meant[word[0]], words[0]), {})


def parse(text: str, roster: Roster | None = None) -> TypedOrder:
    """Parse an order's lines.

    Raises ``UnknownWordError`` at the first invalid word, ``BadInputError`` out of range, ``CombinedError`` for several
    invalid lines. Any text of at most ``forms.ORDER_LONGEST`` characters costs under 100,000 steps.
    """
    typed = [line for line in LINE_END.split(in_english(text)) if line.strip()]
    if len(typed) > 2 * MAX_LINES:  # a line may hold only an edition
        raise wrong_count(len(typed))
    names = numbered_names(typed)
    lines: list[OrderLine] = []
    edition: declared.Edition | None = None
    with Collector() as wrong:
        for number, item in enumerate(typed, 1):
            with wrong.collect():
                field = f"line {number}" if len(typed) > 1 else "order"
                words = fields.LineWords(item, field, roster=roster, names=names)
                words.spoken_words = tuple(words_of(READER.get())[-1])
                while fields.read_edition(words):
                    pass
                if words.words:
                    lines.append(read_line(words))
                if words.edition and edition not in (None, words.edition):
                    given = Text("{edition} and {other}", edition=Code(edition), other=words.edition)
                    raise BadInputError("edition", given, Text("Use one edition for the whole order."))
                edition = edition or words.edition
    if not 0 < len(lines) <= MAX_LINES:
        raise wrong_count(len(lines))
    return TypedOrder(lines=tuple(lines), edition=edition)


def wrong_count(lines: int) -> BadInputError:
    allowed = Text("Use 1 to {most} lines, as in {example}.", most=MAX_LINES, example=Code(EXAMPLE))
    return BadInputError("order", Text("{count} lines", count=lines) if lines else None, allowed)


def numbered_names(lines: list[str]) -> list[str]:
    """Return names ending in a small number, where another number follows as the value."""
    parts = (" ".join(part.split()) for line in lines for part in NAME_ENDS.split(line))
    return [part[: match.end()].casefold() for part in parts if (match := NUMBERED.search(part))]


def read_line(words: fields.LineWords) -> OrderLine:
    draft = read_roll(words)
    if not draft.has_roll and not words.words and draft.states == ["Impersonation"]:
        draft.states, draft.action = [], Action.IMPERSONATE
    if not draft.has_roll and draft.trooper is None:
        allowed = Text("Put a Success Value after the name, as in `{draft} 12`.", draft=Name(draft.name))
        raise UnknownWordError(words.field, draft.name, allowed)
    targets = read_targets(words) if words.peek() in fields.VERSUS else ()
    if not draft.has_roll and not targets and states.SUPPRESSIVE in draft.states:
        draft.action = Action.FIRE
    if words.words:
        message = N_("Write one trooper before `vs`; separate its targets with commas and `and`, as in {example}.")
        raise words.not_allowed(Text(message, example=Code(EXAMPLE)))
    for target in targets:
        count_for_the_shot(draft, target, alone=len(targets) == 1)
    return OrderLine(roll=draft, targets=targets)


def count_for_the_shot(draft: fields.Draft, target: fields.Draft, *, alone: bool) -> None:
    """Move a target's facts without a roll to the roll aimed at it: ``vs Ortega at 20 cover``. An evader is in cover
    itself; an attacker means its own target.
    """
    if target.has_roll and target.action not in fields.EVADE:
        return
    for key in sorted((fields.COVERED if target.has_roll else fields.OF_THE_SHOT) & target.situation.keys()):
        value = target.situation.pop(key)
        if not alone:
            allowed = Text("Put that before `vs`, because it applies to all targets.")
            raise BadInputError(Text("words after {target}", target=Name(target.name)), key, allowed)
        if draft.situation.setdefault(key, value) != value:
            given = Text("{situation} and {value}", situation=draft.situation[key], value=value)
            raise BadInputError(f"{key} of {draft.name}", given, Text("Use one {key}.", key=Code(key)))


def read_targets(words: fields.LineWords) -> tuple[fields.Draft, ...]:
    """Parse ``vs Ortega 11, Diaz and Ana``: each target with a roll, or by name only."""
    targets: list[fields.Draft] = []
    while not targets or words.peek() in fields.COMMAS:
        words.take()
        target = read_roll(words)
        if target.normal:
            allowed = Text("It goes before `vs`; a target's own Normal Roll goes on its own line.")
            raise UnknownWordError(words.field, "normal", allowed)
        targets.append(target)
    check_whole_number("number of targets", len(targets), 1, limits.MAX_ENEMIES)
    return tuple(targets)


# One roll


def read_roll(words: fields.LineWords) -> fields.Draft:
    draft = read_name(words)
    fields.read_player(words, draft)
    if draft.trooper is None and not says_something_else(words.peek()):
        read_value(words, draft, Text("Put a Success Value after the name, as in `{name} 12`.", name=Name(draft.name)))
    while words.peek() not in ("", *fields.COMMAS, *fields.VERSUS):
        fields.read_word(words, draft)
    if draft.trooper is None and draft.attribute is None and draft.has_roll:
        direct = (declared.Action.DIRECT, *NO_DICE)
        if draft.action not in direct and draft.words.get("action") is not declared.Action.DIRECT:
            field = Text("Success Value of {draft}", draft=Name(draft.name))
            raise BadInputError(field, None, Text("Use a number."), Example(f"{draft.name} 12"))
        draft.attribute = 0
    return draft


def says_something_else(word: str) -> bool:
    """Whether the word after a name may precede a Success Value."""
    forms = (fields.MODS, fields.BRACKETS, fields.SPECIAL, fields.BURST, fields.INCHES)
    is_known = word in (*fields.KNOWN, *fields.STATE_WORDS) and word not in fields.STATS
    return is_known or any(form.fullmatch(word) for form in forms)


def read_name(words: fields.LineWords) -> fields.Draft:
    """Parse a trooper's name by all its words; otherwise all words up to a keyword."""
    if (known := trooper_first(words)) is not None:
        return known
    parts: list[str] = []
    while words.words and not is_reserved(words.peek(), bool(parts)):
        parts.append(words.take())
        if is_number_of_a_name(words, parts):
            parts.append(words.take())
    typed = " ".join(parts)
    name = clean(typed)
    if not name:
        raise words.not_allowed(Text("Start each line and each target with a name, as in `Angus 12 b2 vs Ortega 11`."))
    if len(typed) > MAX_NAME:
        raise BadInputError("name", typed, AtMost(MAX_NAME))
    return fields.Draft(name=name)


def trooper_first(words: fields.LineWords) -> fields.Draft | None:
    """Parse the channel's longest matching trooper name; ``#2`` is another one like it.

    ``Fusilier 2`` is ``Fusilier #2`` if the channel has it. Raises ``UnknownWordError`` if 2 may be a Success Value, or
    if several match.
    """
    result = find_by_words(words.roster, words.words)
    if result is None:
        return None
    trooper, length = result
    del words.words[:length]
    if words.peek().startswith("#"):
        return fields.Draft(name=clean(f"{trooper.name} {words.take()}"), trooper=replace(trooper, lost=0, states=()))
    numbered = words.roster.get(f"{trooper.name} #{words.peek()}")
    if numbered is not None:
        words.take()
        return fields.Draft(name=numbered.name, trooper=numbered)
    check_number(words, trooper.name)
    return fields.Draft(name=trooper.name, trooper=trooper)


def is_number_of_a_name(words: fields.LineWords, parts: list[str]) -> bool:
    """Whether the next number belongs to the name: a value follows it, or another line has that name."""
    number = words.peek()
    if not re.fullmatch(r"[1-9]", number):
        return False
    after = words.peek(1)
    valued = fields.VALUE.fullmatch(after) or fields.STAT_VALUE.fullmatch(after) or after in fields.STATS
    return bool(valued) or f"{' '.join(parts)} {number}".casefold() in words.names


def is_reserved(word: str, follows: bool) -> bool:
    """Whether a word is a keyword and so not part of a name; ``B2`` can begin one."""
    forms = (fields.VALUE, fields.MODS, fields.SPECIAL, fields.STAT_VALUE, fields.BRACKETS, fields.PLAYER)
    if word in fields.STATE_WORDS:
        return follows
    more = (fields.BURST, fields.INCHES) if follows else ()
    return word in fields.RESERVED or any(form.fullmatch(word) for form in (*forms, *more))


def read_value(words: fields.LineWords, draft: fields.Draft, allowed: Text) -> None:
    """Parse the Success Value after a name, with or without joined MODs; optional for a target."""
    armour = [row.key for row in fields.TABLE if row.where == "armour"]
    if words.peek() in ("", *fields.COMMAS, *fields.VERSUS, *fields.STATE_WORDS, *armour):
        return
    if not fields.read_stat(words, draft):
        if not fields.VALUE.fullmatch(words.peek()):
            raise words.not_allowed(allowed)
        if draft.name:
            check_number(words, draft.name)
        fields.set_value(draft, words.take())


def check_number(words: fields.LineWords, name: str) -> None:
    """Refuse a small number right after a name: a trooper's number or a Success Value."""
    number = words.peek()
    if fields.NUMBER.fullmatch(number) and int(number) in range(1, MAX_NUMBERED + 1):
        message = N_(
            "Is `{name} {number}` a trooper, or is {number} the Success Value? Write `{name} #{number}`, or "
            "`{name} SV {number}`."
        )
        raise words.not_allowed(Text(message, name=Name(name), number=Code(number)))
