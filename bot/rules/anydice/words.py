"""The words around dice: how tables say what notation writes, games that have words of their own, and labels.

Everything here is a row of data. ``notation`` reads it; a word that is in none of these tables is refused there.
"""

import re
from typing import Final

from bot.rules.anydice.phrases import COUNT
from bot.rules.anydice.systems import NAMES
from bot.rules.text import Text

# Words for dice

EDGE_DICE: Final = {"adv": "2d20kh1", "dis": "2d20kl1", "ea": "3d20kh1"}
COMMON: Final = frozenset(
    (
        *("age", "alien", "vampire", "savage", "coin", "coins", "flip", "masks", "warhammer", "silhouette"),
        *("sr", "sw", "ex", "sp", "cs", "ww", "sil", "snm"),
    )
)
"""Names of systems that are also words of play, with which a label may be written."""

# Words behind a roll

TARGET: Final = re.compile(r"\s*t(?P<number>[0-9]+)(?![0-9]|d[0-9])")
FAILURE: Final = re.compile(r"\s*f(?P<sign><=|<|=)?(?P<number>[0-9]+)(?![0-9]|d[0-9])")
EDGE: Final = re.compile(r"\s*(?P<word>adv|dis|ea)(?![a-z])")
EDGE_BEHIND: Final = re.compile(rf"(?P<comma>\s*,)?{EDGE.pattern}")
AGAINST: Final = re.compile(r"\s*vs\s*(?P<sign><=|>=|<|>)?(?P<number>[0-9]+)(?![0-9]|d[0-9])")
TIMES: Final = re.compile(rf"\s*,?\s+(?P<number>{COUNT})\s*times(?![a-z])")
CROSS: Final = re.compile(r"\s*,?\s*x\s*(?P<number>[0-9]+)(?![0-9]|d[0-9])")
ROUND: Final = re.compile(r"\s*,?\s+round(?:ed|ing)?\s+(?P<way>up|down)(?![a-z])")
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
    rf"|\b(?:{'|'.join(re.escape(name) for name, _ in NAMES if name not in COMMON and ' ' not in name)})(?!\w)"
)
"""These, and names of systems, no label holds: somebody could have meant them. Quotes or ``#`` make them words."""

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
    "sum": ("added up",),
    "system or label": ("{typed} of Daggerheart", "a label"),
    "in order": ("each die in order", "together, in order"),
    "marks or counts": ("{typed} only marks dice", "{typed} counts dice"),
}

KNOWN_WORDS: Final = (
    *("advantage", "disadvantage", "drop", "keep", "highest", "lowest", "exploding", "explode", "reroll", "against"),
    *("times", "repeat"),
)
PROSE: Final = re.compile(r"(?:a|and|then|as|again|once|up|round|s|best|with)(?![^\W\d_])(?!\s*[0-9])")
"""Words that in a message for people go on with the sentence."""
