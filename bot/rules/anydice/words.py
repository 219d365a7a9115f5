"""The words around dice: how tables say what notation writes, games that have words of their own, and labels.

Everything here is a row of data. ``notation`` reads it; a word that is in none of these tables is refused there.
"""

import re
from typing import Final

from bot.rules.anydice.phrases import COUNT
from bot.rules.anydice.systems import NAMES
from bot.rules.rows import messages

# Words for dice

COMMON: Final = frozenset(
    (
        *("age", "alien", "vampire", "savage", "coin", "coins", "flip", "masks", "warhammer", "silhouette"),
        *("conan", "mothership"),
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
    r"|(?:ea|vs|versus|times?|up|down|with|w/|as|and|or|then|on|of|not?|high|low|min|max|best|top"
    r"|[a-z])(?![^\W\d_])(?!'[a-z])"
)
"""With these no label begins: they could change the roll."""
GAME_WORD: Final = (
    r"boons?|banes?|boost|setback|hope|fear|plot|tiers?|edges?(?!\s+of)|hunger|stress|stunts?|degrees?|margin"
    r"|doubles|triples|pairs?|match(?:es|ing)?|odd|evens?|different|unique|in\s+order"
)
"""Words of games, or of what dice show together. They are offered as a label, if that is marked as one."""
GAME_WORDS: Final = re.compile(rf"\b(?:{GAME_WORD})(?!\w)", re.IGNORECASE)
HOLDS: Final = re.compile(
    r"\b(?:adv(?!ent|anc|erb|ers|ic|is|oc)\w*|dis|disadv\w*|explo(?:d\w*|sions?)|crit\w*|reroll\w*|maximi[sz]e\w*"
    r"|drop(?:s|ped|ping)?|keep(?:s|ing)?|highest|lowest|worst|middle|median|dc|against|half|halved|doubled?|twice|thrice"
    r"|once|again|round|up|with|vs|times|ea|kh|kl|dh|dl|ro|rr|t|bonus|penalty|plus|minus|open[- ]?ended"
    r"|twos|threes|fours|fives|sixes"
    rf"|{GAME_WORD}"
    r"|count(?:s|ing)?|how\s+many|success(?:es)?|aces?|needs?|beats?|between|fumbles?|botch\w*|glitch\w*"
    r"|without|except|remove[sd]?|lose|less|lucky|reliable|emphasis|halfling|elven|accuracy"
    r"|average|odds|chance|or\s+(?:more|less|higher|lower|better))(?!\w)"
    r"|[<>=*×÷^~{}\[\]()\\|+]|(?<!\w)!|[0-9]"
    rf"|\b(?:{'|'.join(re.escape(name) for name, _ in NAMES if name not in COMMON and ' ' not in name)})(?!\w)"
)
"""These, and names of systems, no label holds: somebody could have meant them. Quotes or ``#`` make them words."""

OPTIONS: Final = re.compile(
    r"\b(?:hard|extreme|regular|rote|special(?:i?ty|i[sz]ed)|push(?:ed|es)?|(?:mis)?fortune|feat|limit|wild|hero\s+points?|no)(?!\w)"
)
"""These say more of a roll of a game, and no label behind one holds them either."""

# What is said of them

REFUSALS: Final = {key: message for key, (message,) in messages("anydice/tables/refusals.json").items()}
"""Why a text is not understood."""
QUESTIONS: Final = messages("anydice/tables/questions.json")
"""What each of several readings is, in a few words."""

KNOWN_WORDS: Final = (
    *("advantage", "disadvantage", "drop", "keep", "highest", "lowest", "exploding", "explode", "reroll", "against"),
    *("times", "repeat"),
)
PROSE: Final = re.compile(r"(?:a|and|then|as|again|once|up|round|s|best|with)(?![^\W\d_])(?!\s*[0-9])")
"""Words that in a message for people go on with the sentence."""
