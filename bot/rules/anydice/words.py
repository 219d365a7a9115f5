"""The words around dice: how tables say what notation writes, games that have words of their own, and labels.

Everything here is a row of data. ``notation`` reads it; a word that is in none of these tables is refused there.
"""

import re
from typing import Final

from bot.rules.anydice.phrases import COUNT, rows
from bot.rules.anydice.systems import NAMES
from bot.rules.rows import messages

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


def any_of(*rows: str) -> str:
    """Any of these words, whole."""
    return rf"\b(?:{'|'.join(rows)})(?!\w)"


BEGINS: Final = re.compile("|".join(rows("begins")))
"""With these no label begins: they could change the roll."""
GAME_WORDS: Final = re.compile(any_of(*rows("game words")), re.IGNORECASE)
"""Words of games, or of what dice show together. They are offered as a label, if that is marked as one."""
SYSTEM_NAMES: Final = [re.escape(name) for name, _ in NAMES if name not in rows("common") and " " not in name]
HOLDS: Final = re.compile(
    rf"{any_of(*rows('holds'), *rows('game words'), *SYSTEM_NAMES)}|[<>=*×÷^~{{}}\[\]()\\|+]|(?<!\w)!|[0-9]"
)
"""These, and names of systems, no label holds: somebody could have meant them. Quotes or ``#`` make them words."""
OPTIONS: Final = re.compile(any_of(*rows("options")))
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
