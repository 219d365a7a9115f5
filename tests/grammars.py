"""Texts that are as long as a field allows, in grammars that readers find hard."""

from collections.abc import Iterable, Mapping
from typing import Final

UNITS: Final[Mapping[str, str]] = {
    "letters": "a",
    "words": "word ",
    "digits": "1",
    "numbers": "12 ",
    "open brackets": "(",
    "open brackets with words": "(a ",
    "closed brackets": "() ",
    "close brackets": ")",
    "commas": ",",
    "semicolons": "a; ",
    "signs": "+-",
    "blanks": " \t",
    "lines": "a\n",
    "dice": "d6 x,",
    "sums of dice": "1d6+",
    "exploding dice": "2d6!",
    "comparisons": "3d6>=4 ",
    "quotes": '"',
    "nested quotes": "\"'a'\" ",
    "skills": "Stealth ",
    "skills with extras": "Mimetism (-3) ",
    "states": "Isolated ",
    "unknown skills": "Stealt ",
    "stats": "BS 12 ",
    "weapons": "a: B3 PS 7, ",
    "order lines": "Angus 12 b2 vs Ortega 11; ",
    "troop types": "LI ",
    "versus": "a 12 vs b 11, ",
    "mixed scripts": "аاあ9 ",
    "accents": "a\u0301\u0301\u0301\u0301",
    "invisible": "\u200b\u2060",
    "mentions": "<@123> ",
    "markdown": "*_`~|",
    "addresses": "https://a.b/",
    "repeated units": "ab ab ",
    "colons": "a:",
    "slashes": "a / ",
    "equals": "a=1 ",
    "json": '{"a":[',
    "names": "Luke Skywalker ",
    "faces": "hit crit focus blank ",
    "tokens": "focus 2 lock evade ",
    "near words": "cst, ",
    "many near words": "eri+ lco, can; irc, rer, pse, nar, rts+ ",
}


HARD: Final = (
    *("letters", "words", "digits", "numbers", "open brackets", "quotes", "nested quotes", "accents", "lines"),
    *("mixed scripts", "unknown skills", "states", "commas", "weapons", "dice", "repeated units"),
)
"""Those that were found to cost most somewhere."""


def texts(longest: int, grammars: Iterable[str] = tuple(UNITS)) -> dict[str, str]:
    """A text of that length in each grammar, by its name."""
    return {name: (UNITS[name] * (longest // len(UNITS[name]) + 1))[:longest] for name in grammars}
