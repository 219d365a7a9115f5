"""A pseudo-language: every message accented and a third longer, so that English that escaped the catalogue is seen."""

import re
from typing import Final

PLAIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
ACCENTED: Final = "áƀćđéƒǵĥíĵķĺḿńóṕɋŕśťúṽŵẋýźÁɃĆĐÉƑǴĤÍĴĶĹḾŃÓṔɊŔŚŤÚṼŴẊÝŹ"
LETTERS: Final = str.maketrans(PLAIN, ACCENTED)
AS_IT_IS: Final = re.compile(r"(\{\w*\}|`[^`]*`|/[a-z]+(?: [a-z]+)*|<[^>]*>)")
"""Places, typed words, commands and Discord's own marks."""
LONGER: Final = "ø"


def pseudo(message: str) -> str:
    """The message in the pseudo-language."""
    parts = AS_IT_IS.split(message)
    said = "".join(part if at % 2 else part.translate(LETTERS) for at, part in enumerate(parts))
    return said + LONGER * -(-len(message) // 3) if re.search("[A-Za-z]{2}", message) else said


WORD: Final = re.compile(r"[A-Za-z]{3,}")
NOT_SAID: Final = re.compile(r"`[^`]*`|```.*?```|<[^>]*>|https?://\S+|@\w+|/[a-z]+(?: [a-z]+)*", re.DOTALL)


def escaped(text: str, names: frozenset[str]) -> list[str]:
    """The English words that no message has: not a name, not typed, not a command."""
    return [word for word in WORD.findall(NOT_SAID.sub(" ", text)) if word.casefold() not in names]
