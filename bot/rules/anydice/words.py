"""The words around dice: how tables say what notation writes, games that have words of their own, and labels.

Everything here is a row of data. ``notation`` reads it; a word that is in none of these tables is refused there.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.rules.anydice.phrases import COUNT
from bot.rules.text import Text

# Games with words of their own


@dataclass(frozen=True, slots=True)
class Alias:
    """A word, or a few, that stands for dice: what it looks like, and the notation that it is.

    ``writes`` makes the notation of what was found. ``system``: the game whose words tell the result.
    ``is_line``: nothing may be calculated with it.
    """

    pattern: re.Pattern[str]
    writes: Callable[[re.Match[str]], str]
    system: str = ""
    is_line: bool = False


def alias(pattern: str, notation: str, system: str = "", *, is_line: bool = False) -> Alias:
    """An alias whose notation is a ``str.format`` pattern of the groups."""
    compiled = re.compile(rf"(?:{pattern})(?![a-z0-9])")
    return Alias(compiled, lambda found: notation.format(**found.groupdict()), system, is_line)


def chronicles(found: re.Match[str]) -> str:
    """World of Darkness of 2004: dice from 8 succeed; tens explode, or dice from 8 or 9."""
    again = found["again"]
    return f"{found['n']}d10e{'10' if again in (None, '10') else f'>={again}'} t8"


def cthulhu(found: re.Match[str]) -> str:
    """A d100 with bonus or penalty dice, against a skill or by itself."""
    words = re.findall(r"bonus|penalty|[0-9]+", found["words"])
    tens, skill = "", ""
    for at, word in enumerate(words):
        is_dice = (
            at > 0 and words[at - 1] in ("bonus", "penalty") and int(word) <= TENS_MOST if word.isdigit() else False
        )
        if not word.isdigit():
            tens += word[0] + "1"
        elif is_dice:
            tens = tens[:-1] + word
        else:
            skill += f"<={word}"
    return f"1d100{tens}{skill}"


def stats(_: re.Match[str]) -> str:
    return "6#4d6kh3"


TENS_MOST: Final = 3
"""Bonus or penalty dice of one roll; a higher number behind the word is the skill."""
COUNTED_COINS: Final = (
    r"(?:(?:flip|toss)(?:\s+an?|\s+(?P<n>[0-9]+))?\s+coins?|(?P<m>[0-9]+)\s*coins?|coins?(?:\s+(?:flip|toss))?|flip)"
)


def coins(found: re.Match[str]) -> str:
    return f"{found['n'] or found['m'] or 1}d2"


ADVANTAGE, DISADVANTAGE, ELVEN = "adv(?:antage)?", "dis(?:adv(?:antage)?)?", "ea"
ALIASES: Final = (
    alias(ADVANTAGE, "2d20kh1"),
    alias(DISADVANTAGE, "2d20kl1"),
    alias(ELVEN, "3d20kh1"),
    alias("fate(?: dice)?|fudge(?: dice)?", "4dF"),
    Alias(re.compile(r"(?P<n>[0-9]+)\s?cod(?P<again>8|9|10)?(?![a-z0-9])"), chronicles),
    alias(r"(?P<n>[0-9]+)\s?wod(?P<from>[0-9]+)", "{n}d10 t{from} f1"),
    alias(r"sr\s?(?P<n>[0-9]+)", "{n}d6 t5", "shadowrun", is_line=True),
    alias(r"sw\s?d?(?P<n>4|6|8|10|12)", "max(1d{n}!, 1d6!)"),
    alias(r"yze?\s?(?P<n>[0-9]+)", "{n}d6 t6", "yearzero", is_line=True),
    alias(r"(?P<n>[0-9]+)\s?yze?", "{n}d6 t6", "yearzero", is_line=True),
    Alias(
        re.compile(
            r"coc(?P<words>(?:\s*,?\s+(?:(?:with|and|vs\.?|against|an?)\s+)*(?:bonus|penalty|[0-9]+)(?:\s+(?:die|dice))?)*)(?![a-z0-9])"
        ),
        cthulhu,
        "coc",
        is_line=True,
    ),
    alias("pbta", "2d6", "pbta"),
    Alias(re.compile(r"dnd\s?stats(?![a-z0-9])"), stats, is_line=True),
    Alias(re.compile(rf"{COUNTED_COINS}(?![a-z0-9])"), coins, "coin", is_line=True),
)


def alias_at(text: str, at: int) -> tuple[Alias, re.Match[str]] | None:
    """The alias that stands at a place of a text, the longest one."""
    found = [(one, match) for one in ALIASES if (match := one.pattern.match(text, at))]
    return max(found, key=lambda pair: pair[1].end(), default=None)


# Words behind a roll

TARGET: Final = re.compile(r"\s*t(?P<number>[0-9]+)(?![0-9]|d[0-9])")
FAILURE: Final = re.compile(r"\s*f(?P<sign><=|<|=)?(?P<number>[0-9]+)(?![0-9]|d[0-9])")
EDGE: Final = re.compile(r"\s*(?P<word>adv|dis|ea)(?![a-z])")
EDGE_BEHIND: Final = re.compile(rf"(?P<comma>\s*,)?{EDGE.pattern}")
AGAINST: Final = re.compile(r"\s*vs\s*(?P<sign><=|>=|<|>)?(?P<number>[0-9]+)(?![0-9]|d[0-9])")
TIMES: Final = re.compile(rf"\s*,?\s+(?P<number>{COUNT})\s*times(?![a-z])")
CROSS: Final = re.compile(r"\s*,?\s*x\s*(?P<number>[0-9]+)(?![0-9]|d[0-9])")
ROUND: Final = re.compile(r"\s*,?\s+round(?:ed|ing)?\s+(?P<way>up|down)(?![a-z])")
SYSTEM: Final = re.compile(r"\s+as\s+(?P<system>coc|coin|pbta|shadowrun|yearzero)(?![a-z0-9])")
"""The game whose words tell a result, as the notation that is stored writes it."""

PREFIX: Final = re.compile(r"\s*(?:[/!.?&$]\s?r(?:oll)?|r(?:oll)?)(?:\s+dice\s?:\s?|\s+)(?=\S)", re.IGNORECASE)
"""What people type before dice in other bots."""
INLINE: Final = re.compile(r"\s*\[\[(?P<inside>[^\[\]]*)\]\]\s*")

# Labels

FORCED: Final = re.compile(
    r"\s*(?:#|//)\s*(?P<hash>\S.*)|\s*/\*(?P<comment>.*?)\*/"
    r"|\s*(?:\"(?P<quoted>[^\"]*)\"|[“„](?P<curly>[^“”]*)[”“]|'(?P<single>[^']*)')",
    re.DOTALL,
)
"""A label that may hold any words."""
NOTED: Final = re.compile(r"\s*(?:\[(?P<square>[^\[\]]*)\]|\((?P<round>[^\W\d_][^()]*)\))")
EMOJI_CODE: Final = re.compile(r"<a?:\w+:[0-9]+>|:\w+:")

BEGINS: Final = re.compile(
    r"round|reroll|wild(?:\s+die)?\s*(?:$|[-+,;])|gwf(?![a-z])|maximi[sz]e|edge(?!\s+of)(?![a-z])|sum\s*(?:$|[,;])"
    r"|(?:ea|vs|versus|times?|up|with|w/|as|and|or|then|on|of|not?|high|low|min|max|best|top"
    r"|[a-z])(?![^\W\d_])(?!'[a-z])"
)
"""With these no label begins: they could change the roll."""
HOLDS: Final = re.compile(
    r"\b(?:adv(?!ent|anc|erb|ers|ic|is|oc)\w*|dis|disadv\w*|explo(?:d\w*|sions?)|crit\w*|reroll\w*|maximi[sz]e\w*"
    r"|drop(?:s|ped|ping)?|keep(?:s|ing)?|highest|lowest|worst|middle|median|dc|against|half|halved|doubled?|twice|thrice"
    r"|once|again|round|up|with|vs|times|ea|kh|kl|dh|dl|ro|rr|t|bonus|penalty|plus|minus|open[- ]?ended"
    r"|twos|threes|fours|fives|sixes"
    r"|boons?|banes?|boost|setback|hope|fear|plot|tiers?|edges?(?!\s+of)|hunger|stress|stunts?|degrees?|margin"
    r"|count(?:s|ing)?|how\s+many|unique|in\s+order|success(?:es)?|aces?|needs?|beats?|between|fumbles?|botch\w*|glitch\w*"
    r"|without|except|remove[sd]?|lose|less|lucky|reliable|emphasis|halfling|elven|accuracy"
    r"|average|odds|chance|or\s+(?:more|less|higher|lower|better))(?!\w)"
    r"|[<>=*×÷^~{}\[\]()\\|+]|(?<!\w)!|[0-9]"
)
"""These no label holds: somebody could have meant them. Quotes or ``#`` say that they are words."""

# Questions


def questions(kind: str, **places: object) -> tuple[Text, ...]:
    """What each of several readings is, in a few words."""
    return tuple(Text(one, **places) for one in QUESTIONS[kind])


QUESTIONS: Final[dict[str, tuple[str, ...]]] = {
    "rolls or factor": ("{n} rolls", "times {n}"),
    "rolls, factor or explosion": ("{n} rolls", "times {n}", "exploding on {n}"),
    "reroll": ("rerolled once", "rerolled until it is gone"),
    "round": ("rounded {way}",),
    "explode": ("exactly {n}", "{n} or more"),
    "drop or add": ("drop the lowest {n}", "a d{n} more"),
    "not equal": ("exploding on it", "what is not equal"),
    "reach": ("{typed}: this number too", "{typed}: this number not"),
    "count or compare": ("the dice are counted", "the sum is compared"),
    "edge": ("with it", "a roll of its own"),
    "rolls or dice": ("{n} rolls", "{n} dice"),
    "sign or edge": ("a plain die", "the better or worse of two"),
    "digits": ("two digits", "one die"),
    "bang": ("exploding", "a label"),
    "keep": ("{n} dice", "roll and keep, tens explode"),
    "target": ("a target", "a label"),
}

KNOWN_WORDS: Final = (
    *("advantage", "disadvantage", "drop", "keep", "highest", "lowest", "exploding", "explode", "reroll", "against"),
    *("times", "fate", "fudge", "coin", "coins", "flip", "dndstats", "pbta", "bonus", "penalty", "repeat"),
)
PROSE: Final = re.compile(r"(?:a|and|then|as|again|once|up|round|s|best|with)(?![^\W\d_])(?!\s*[0-9])")
"""Words that in a message for people go on with the sentence."""
