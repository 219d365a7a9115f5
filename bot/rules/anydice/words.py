"""The words around dice: how tables say what notation writes, games that have words of their own, and labels.

Everything here is a row of data. ``notation`` reads it; a word that is in none of these tables is refused there.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.rules.text import Text

SIDES: Final = r"(?:[0-9]+|%|f(?![a-z]))"
NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBER_WORDS: Final = {word: number for number, word in enumerate(NUMBERS, 1)} | {"ones": 1, "twos": 2}
COUNT: Final = rf"(?:[0-9]+|{'|'.join(NUMBERS)})"


def number_of(word: str | None, default: str = "1") -> str:
    """``two`` and ``2`` are ``2``; the default where nothing was typed."""
    return str(NUMBER_WORDS.get(word, word)) if word else default


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


# Words behind dice

KEPT_PHRASE: Final = re.compile(
    r"\s*(?P<verb>drop(?:s|ped|ping)?|keep(?:s|ing)?)(?![a-z])(?:\s+the)?"
    rf"(?:\s*(?P<first>{COUNT})(?![a-z0-9]))?(?:\s+the)?"
    rf"(?:\s*(?P<which>highest|lowest|higher|lower|high|low|best|worst)(?![a-z])(?:\s*(?P<second>{COUNT})(?![a-z0-9]|\s*times))?)?"
    r"(?:\s+(?:die|dice|rolls?)(?![a-z]))?"
)
"""``drop the lowest``, ``drop 1``, ``keep 3``, ``keep highest two``."""
WHICH_PHRASE: Final = re.compile(
    rf"\s*(?:(?:take|taking|pick|choose|use)\s+(?:the\s+)?(?P<taken>highest|lowest|higher|lower|best|worst)"
    rf"|(?P<which>highest|lowest|best|worst|(?:higher|lower)(?=\s*(?:$|[-+*/,;]))))"
    rf"(?![a-z])(?:\s*(?P<second>{COUNT})(?![a-z0-9]|\s*times))?"
)
"""``highest``, ``best two``, ``take the higher``. ``higher`` alone may also begin a label."""
EXPLODE_PHRASE: Final = re.compile(
    r"\s*(?:ie|\s(?:explod(?:e|es|ed|ing)))(?![a-z])(?:\s*(?:on\s+)?(?:an?\s+)?(?P<number>[0-9]+)(?P<up>\+)?(?![0-9]|d[0-9]))?"
)
REROLL_PHRASE: Final = re.compile(
    r"\s*(?:reroll(?:s|ing)?(?![a-z])\s*(?:all\s+|any\s+)?|r(?=[<>=]*[0-9]))(?P<sign>>=|<=|==|!=|=|>|<)?"
    r"(?P<number>[0-9]+|ones?|twos?)s?(?:(?![a-z0-9])|(?=k[hl0-9]|d[hl]|m[ia][0-9]))(?P<once>\s+once(?![a-z]))?"
)
TENS_PHRASE: Final = re.compile(
    r"\s*(?P<which>bonus|penalty|b|p)(?![a-z])(?:\s+(?:die|dice))?\s*(?P<count>[1-9])?(?![a-z0-9])(?:\s+(?:die|dice)(?![a-z]))?"
)
TARGET_PHRASE: Final = re.compile(r"\s*t(?P<number>[0-9]+)(?![0-9]|d[0-9])")
FAILURE_PHRASE: Final = re.compile(r"\s*f(?P<number>[0-9]+)(?![0-9]|d[0-9])")

# Words behind a whole roll

EDGE: Final = re.compile(rf"\s*(?:(?:with|w/|at)\s+)?(?P<word>{ADVANTAGE}|{DISADVANTAGE}|{ELVEN})(?![a-z])")
EDGE_PHRASE: Final = re.compile(rf"(?P<comma>\s*,)?{EDGE.pattern}")
AGAINST_PHRASE: Final = re.compile(
    r"\s*,?\s*(?:vs|versus|dc|against)(?![a-z])\.?:?\s*(?:[da]c\s*)?(?P<number>[0-9]+)(?![0-9]|d[0-9])"
)
TIMES_PHRASE: Final = re.compile(rf"\s*,?\s+(?P<number>{COUNT})\s*times(?![a-z])")
CROSS_PHRASE: Final = re.compile(r"\s*,?\s*x\s*(?P<number>[0-9]+)(?![0-9]|d[0-9])")
ROUND_PHRASE: Final = re.compile(r"\s*,?\s+round(?:ed|ing)?\s+(?P<way>up|down)(?![a-z])")
SYSTEM_PHRASE: Final = re.compile(r"\s+as\s+(?P<system>coc|coin|pbta|shadowrun|yearzero)(?![a-z0-9])")
"""The game whose words tell a result, as the notation that is stored writes it."""

PREFIX: Final = re.compile(r"\s*(?:[/!.?&$]\s?r(?:oll)?|r(?:oll)?)(?:\s+dice\s?:\s?|\s+)(?=\S)", re.IGNORECASE)
"""What people type before dice in other bots."""
INLINE: Final = re.compile(r"\s*\[\[(?P<inside>[^\[\]]*)\]\]\s*")

# Labels

FORCED: Final = re.compile(
    r"\s*#\s*(?P<hash>\S.*)|\s*(?:\"(?P<quoted>[^\"]*)\"|[“„](?P<curly>[^“”]*)[”“]|'(?P<single>[^']*)')",
    re.DOTALL,
)
"""A label that may hold any words."""
NOTED: Final = re.compile(r"\s*(?:\[(?P<square>[^\[\]]*)\]|\((?P<round>[^\W\d_][^()]*)\))")
EMOJI_CODE: Final = re.compile(r"<a?:\w+:[0-9]+>|:\w+:")

BEGINS: Final = re.compile(
    r"adv|dis|explo|crit|round|reroll|halved|doubled|open[- ]?ended|gwf(?![a-z])"
    r"|middle|median|maximi[sz]e|max\s*(?:$|[,;])|wild(?:\s+die)?\s*(?:$|[-+,;])|edge(?!\s+of)(?![a-z])|sum\s*(?:$|[,;])"
    r"|(?:ea|drop(?:s|ped|ping)?|keep(?:s|ing)?|highest|lowest|best|worst|vs|versus|dc|against|times?|half|double|up|with|w/"
    r"|bonus|penalty|plus|minus|twice|thrice|once|again|as|and|then|[defhklprstx])(?![^\W\d_])"
    r"|a(?!\s+[^\W\d_]|[^\W\d_])"
    r"|[a-z]{1,3}\s?[0-9]+(?!\w)"
)
"""With these no label begins: they could change the roll."""
HOLDS: Final = re.compile(
    r"\b(?:adv(?!ent|anc|erb|ers|ic|is|oc)\w*|dis|disadv\w*|explo\w*|crit\w*|reroll\w*|ea|drop|keep|highest|lowest|vs|dc|against|times"
    r"|half|halved|double|doubled|round|up|with|bonus|penalty|plus|minus|twice|thrice"
    r"|twos|threes|fours|fives|sixes)(?![\w])"
    r"|\b(?:count|min(?:imum)?|max(?:imum)?|take|pick|choose|top|diff(?:iculty)?|over|under|above|below|least|most|than|on|hits?|success(?:es)?|gte?q?|lte?q?|eq|tn|ac|target)\W*[0-9]+"
    r"|\b[a-z]{1,2}[0-9]+(?!\w)|\b[0-9]*[dw](?:[0-9]|%)"
    r"|[<>=*×÷^~{}\[\]()\\|+]|(?<!\w)!|[-/]\s*[0-9]"
)
"""These no label holds: somebody could have meant them. Quotes or ``#`` say that they are words."""

# Rewrites that are tried for what is not understood, the likeliest first

REWRITES: Final[tuple[tuple[str, str], ...]] = (
    (r"(d[0-9]+)\s*((?:>=|t)[0-9]+)\s*(e[0-9]+)", r"\1\3\2"),
    (r"(d([0-9]+))\s*((?:>=|t)[0-9]+)\s*!", r"\1e\2\3"),
    (r"reroll\s+(?:1s?|ones?)\s*(?:and|or|,|&)\s*(?:2s?|twos?)\b|\bgwf\b", "ro<=2"),
    (r"\bexplod\w*\s+(?:on\s+)?([0-9]+)s?\s*(?:and|or|,|-)\s*[0-9]+s?\b", r"e>=\1"),
    (r"(d[0-9]+)\s+([0-9]+)\s*(?:\+|\bup|or (?:more|higher|better))\s*$", r"\1>=\2"),
    (r"\s+(?:hits?|success(?:es)?|wounds?|saves?)\s+on\s+([0-9]+)\s*(?:\+|up|or more)\s*$", r">=\1"),
    (r"^(\s*[0-9]*d[0-9]+)\s+min(?:imum)?\s+([0-9]+)\s*$", r"\1mi\2"),
    (r"^(\s*[0-9]*d[0-9]+)\s+max(?:imum)?\s+([0-9]+)\s*$", r"\1ma\2"),
    (r"^(.*\S)\s+min(?:imum)?\s+([0-9]+)\s*$", r"max(\1, \2)"),
    (r"^(.*\S)\s+max(?:imum)?\s+([0-9]+)\s*$", r"min(\1, \2)"),
    (r"\b(?:take|pick|choose|top)\s+(?=[0-9])", "keep "),
    (r"\b(?:pick|choose|use|take)(?:\s+the)?\s+(?=high|low|best|worst)", ""),
    (r"\s+(?:count(?:ing)?\s+)?(?:the\s+)?sixes\b", "=6"),
    (r"\s+count\s+(?=[0-9])", "="),
    (r"(?<=[0-9])\s+diff(?:iculty)?\s+(?=[0-9])", ">="),
    (r"(d100|d%)\s+open[- ]?ended", r"\1e>=96"),
    (r"\s+open[- ]?ended", "!"),
    (r"^\s*1?d(4|6|8|10|12)\s+wild(?:\s+die)?", r"sw\1"),
    (r"^\s*([0-9]+d6) t5\s+edge\s*$", r"\1e6>=5"),
    (r"^\s*shadowrun\s*(?=[0-9])", "sr"),
    (r"^\s*(cod|wod)\s*([0-9]+)\s*$", r"\2\1"),
    (r"^\s*\(2d6\)\s*([-+]\s*[0-9]+)?\s*adv\w*", r"3d6kh2\1"),
    (r"^\s*\(2d6\)\s*([-+]\s*[0-9]+)?\s*dis\w*", r"3d6kl2\1"),
    (r"^\s*([0-9]*d[0-9]+)\s*([<>=]+\s*[0-9]+)\s+sum\b", r"(\1)\2"),
    (r"^\s*heads\s+or\s+tails\s*$", "coin"),
    (r"\*\*", "*"),
    (r"\bplus\b", "+"),
    (r"\bminus\b", "-"),
    (r"\b(?:ac|tn|gteq?|at least|target)\s*(?=[0-9])", ">="),
    (r"\b(?:gt|over|above)\s+(?=[0-9])", ">"),
    (r"\b(?:lteq?|at most)\s*(?=[0-9])", "<="),
    (r"\b(?:lt|under|below)\s+(?=[0-9])", "<"),
    (r"\beq\s+(?=[0-9])", "="),
    (r"(?<=[0-9])min(?=[0-9])", "mi"),
    (r"(?<=[0-9])max(?=[0-9])", "ma"),
    (r"(?<=[0-9])ra(?=[0-9])", "ro"),
    (r"(?<=[0-9])(?:cs|s)(?=[<>=])", ""),
    (r"(?<=[0-9])c(?=[<>=])", ""),
    (r"\bd00\b", "d100"),
    (r"(?<=[0-9])[.,][0-9]+", ""),
    (r"(?<=[0-9])\s+d(?=[0-9]\s*$)", "dl"),
    (r"(?<=[0-9])\s+e\s*$", "!"),
    (r"(?<=[0-9])\s+(?=[hl]\s*$)", "k"),
    (r"(?<=d20)\s+a\s*$", " adv"),
    (r"(?<=d20)\s+d\s*$", " dis"),
    (r"(?<=[0-9])\s*ir\s?(?=[0-9])", "rr<="),
    (r"(?<=[0-9])s$", ""),
    (r"(?<=[0-9])c\[([<>=]+[0-9]+)\]", r"\1"),
    (r"[\[(]\s*((?:dis)?adv\w*)\s*[\])]", r" \1"),
    (r"\b(?:vs|versus|against)\s+(?=[0-9]*d[0-9])", ">="),
    (r"^\s*([0-9]*d[0-9]+(?:\s*[-+]\s*[0-9]+)?)\s+adv(?:antage)?\b", r"max(\1, \1)"),
    (r"^\s*([0-9]*d[0-9]+(?:\s*[-+]\s*[0-9]+)?)\s+dis(?:adv\w*)?\b", r"min(\1, \1)"),
    (r"(?<=[0-9])k(?![a-z0-9])", "kh1"),
    (r"(?<=[0-9])d(?![a-z0-9])", "dl1"),
    (r"^(.*\S)\s+(?:half|halved)\b(.*)$", r"(\1)/2\2"),
    (r"^(.*\S)\s+(?:double|doubled)\b(.*)$", r"(\1)*2\2"),
    (r"^(.*\S)\s+twice\b(.*)$", r"2#\1\2"),
    (r"^(.*\S)\s+thrice\b(.*)$", r"3#\1\2"),
    (r"[{\[]", "("),
    (r"[}\]]", ")"),
    (r"^\s*[a-z' ]+:\s*", ""),
    (r"(?<=[0-9])\s+([a-z][a-z ']*?)\s*(?=[-+]\s*[0-9d])", r" [\1] "),
    (r"^\s*([0-9]*d[0-9]+)\s+sum\s*(?=[<>=])", r"(\1)"),
    (r"\s+(?:hits?|success(?:es)?)\s+on\s+(?=[0-9])", ">="),
    (r"^\s*([0-9]+)\s+(?:rolls?|times)(?:\s+of)?\s+(?=[0-9]*d[0-9])", r"\1#"),
    (r"\b(?:and|then)\b|&", ";"),
    (r"(d[0-9]\S*)\s+([a-z][a-z']*)\s+(?=[0-9]*d[0-9])", r"\1 [\2] + "),
    (r"(?<=[0-9])\s+(?=[0-9]*d[0-9])", " + "),
    (r"^([0-9]+)wh([2-6])\+?$", r"\1d6>=\2"),
    (r"^sp\s?([0-9]+)$", r"\1d10e10>=8"),
    (r"^snm\s?([0-9]+)$", r"\1d6e6>=4"),
    (r"^age$", "3d6"),
    (r"^([0-9]+)\s?d$", r"\1d6"),
    (r"^([0-9]+)\s?[a-z]([0-9]+)$", r"\1d\2"),
    (r"^([0-9]+)wod$", r"\1wod6"),
    (r"^cod$", "1cod"),
)

# Questions


def questions(kind: str, **places: object) -> tuple[Text, ...]:
    """What each of several readings is, in a few words."""
    return tuple(Text(one, **places) for one in QUESTIONS[kind])


QUESTIONS: Final[dict[str, tuple[str, ...]]] = {
    "rolls or factor": ("{n} rolls", "times {n}"),
    "factor or explosion": ("not exploding", "exploding on {n}"),
    "reroll": ("rerolled once", "rerolled until it is gone"),
    "round": ("rounded {way}",),
    "count or compare": ("the dice are counted", "the sum is compared"),
    "edge": ("with it", "a roll of its own"),
    "rolls or dice": ("{n} rolls", "{n} dice"),
    "sign or edge": ("a plain die", "the better or worse of two"),
    "digits": ("two digits", "one die"),
    "bang": ("exploding", "a label"),
    "keep": ("{n} dice", "roll and keep, tens explode"),
    "target": ("a target", "a label"),
}

BEHIND_DICE: Final = (KEPT_PHRASE, WHICH_PHRASE, EXPLODE_PHRASE, REROLL_PHRASE, TARGET_PHRASE)
BEHIND_ROLL: Final = (EDGE_PHRASE, AGAINST_PHRASE, TIMES_PHRASE)
KNOWN_WORDS: Final = (
    *("advantage", "disadvantage", "drop", "keep", "highest", "lowest", "exploding", "explode", "reroll", "against"),
    *("times", "fate", "fudge", "coin", "coins", "flip", "dndstats", "pbta", "bonus", "penalty", "repeat"),
)
LABEL_TRIED: Final = 60
PROSE: Final = re.compile(r"(?:a|and|then|as|again|once|up|round|s|best|with)(?![^\W\d_])(?!\s*[0-9])")
"""Words that in a message for people go on with the sentence."""
