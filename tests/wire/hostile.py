"""What nobody types by accident: texts, numbers and custom ids that look for the edge of whatever reads them."""

import re
from collections.abc import Sequence
from random import Random

LONE = "\ud800"
"""Half a character, which JSON can carry and UTF-8 cannot."""

TEXTS = (
    "",
    " ",
    "\x00",
    "a\x00b\x07\x1b[31m",
    "\t\r\n\n",
    "\u202eesrever\u202c \u200f\u061c",
    "\u200b\u200c\u200d\ufeff",
    "Z\u0351\u036b\u0343a\u0327\u030al\u0340g\u0321o\u0300" * 20,
    "😀👩‍👩‍👧‍👦🏴‍☠️" * 40,
    "𝔉𝔲𝔷𝔷 ﷽ ﬀ İı ß ẞ ǅ",
    f"half {LONE} a sign",
    "\udc00\ud800",
    "**bold** __under__ ~~gone~~ ||hidden|| `code` ```block``` > quote\n# Title\n- list",
    "@everyone @here <@1100000000000000101> <@&1100000000000000010> <#1100000000000000201>",
    "[here](https://example.com) <https://example.com> <:hit:1100000000000000999> </roll:1> <t:0:R> discord.gg/x",
    "'; DROP TABLE ply; --",
    "{{7*7}} ${7*7} %s %n %(x)s {0} {x!r}",
    "../../etc/passwd",
    "9" * 5000,
    "-" + "9" * 400,
    "0" * 3000 + "1",
    "1e999",
    "1e-999",
    "NaN",
    "-Infinity",
    "0x10",
    "1_000",
    "٣",
    "１２",
    "²",
    "½",
    "−3",
    "٪",
    "x" * 6000,
    "x y " * 1500,
    "`" * 300,
    "\\" * 300,
    ", " * 500,
    ";" * 500,
    "\n" * 500,
    "(" * 1000 + ")" * 1000,
    "[" * 2000,
    '{"a":' * 1000,
    "a" * 31 + "@everyone",
    "null",
    "undefined",
    "None",
    "rc1:1:0:done",
)

NUMBERS = (0, -1, 1, 2**31 - 1, 2**31, -(2**31) - 1, 2**53, -(2**53), 2**63, -(2**63) - 1, 10**30, 1.5, -0.0, 1e308)
"""Discord lets a person type whole numbers of 53 bits; the others are what only something else could send."""

DOCUMENTS = (
    b"",
    b"{}",
    b"[]",
    b"null",
    b"{",
    b"\xff\xfe{}",
    b"\xef\xbb\xbf{}",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"a": 1, "a": 2}',
    b'{"__proto__": {}, "constructor": 1, "": 0}',
    b'{"a": NaN}',
    b'{"a": Infinity, "b": -Infinity}',
    b'{"a": 1e999}',
    b"9" * 5000,
    b'{"a": %s}' % (b"9" * 5000),
    b'"\\ud800"',
    b'{"a": "\\u0000"}',
    b'{"settings": [{}, [], null, 1e400, "x"]}',
    b'{"rollcall_ruleset": 1, "settings": {"most_dice": 20, "warsurge_method": {"value": "chart", "locked": true}}}',
    b'{"rollcall_ruleset": 1, "settings": {"most_dice": 1e999, "gm_role": {"value": [[]]}}}',
    b"<html></html>",
    b" " * 200_000 + b"{}",
)
"""Files, and declarations in the terminal: JSON that is too deep, too large, twice the same, or none at all."""

_WORDS = re.compile(r"\w+|\W")
_NUMBER = re.compile(r"\d+")


def phrase(chance: Random, known: Sequence[str], longest: int) -> str:
    """Something that a well-meaning person might type: known words as they are, or several of them in a row."""
    picked = [chance.choice(known) for _ in range(chance.choice((1, 1, 1, 1, 2, 3)))]
    return ", ".join(picked)[:longest]


def mutated(chance: Random, text: str) -> str:
    """A text with something wrong in it."""
    parts = _WORDS.findall(text) or [""]
    place = chance.randrange(len(parts))
    kind = chance.randrange(9)
    if kind == 0:
        del parts[place]
    elif kind == 1:
        parts.insert(place, parts[place])
    elif kind == 2:
        parts[place] = chance.choice(TEXTS)
    elif kind == 3:
        chance.shuffle(parts)
    elif kind == 4:
        parts[place] = parts[place].swapcase()[::-1]
    elif kind == 5:
        return _NUMBER.sub(lambda _: str(chance.choice((-1, 0, 7, 99, 10**9, 10**40, "1" * 4400))), text)
    elif kind == 6:
        return text * chance.choice((2, 20, 200))
    elif kind == 7:
        parts[place] = chr(chance.choice((0, 0x7F, 0x200B, 0x202E, 0x1F600, 0xD800, 0xFFFF, 0x10FFFF)))
    else:
        parts.insert(place, chance.choice("+-*/=:;,.#<>|&!?'\"()[]{}"))
    return "".join(parts)


def text(chance: Random, known: Sequence[str]) -> str:
    """Anything at all."""
    kind = chance.random()
    if kind < 0.5:
        return chance.choice(TEXTS)
    if kind < 0.9:
        return mutated(chance, phrase(chance, known, 1000))
    return "".join(chr(chance.randrange(1, 0x11000)) for _ in range(chance.randrange(1, 60)))


def custom_id(chance: Random, seen: Sequence[str]) -> str:
    """An id that the bot never wrote, or wrote for something else; at most 100 characters, as Discord takes."""
    kind, known = chance.randrange(8), chance.choice(seen)
    if kind == 0:
        return known
    if kind == 1:  # another session, ply or offer
        parts, other = known.split(":"), chance.choice(seen).split(":")
        place = chance.randrange(len(parts))
        parts[place] = other[place] if place < len(other) else str(chance.randrange(10**6))
        return ":".join(parts)[:100]
    if kind == 2:
        return _NUMBER.sub(lambda _: str(chance.choice((0, 1, 2, 17, 10**17, 10**18 - 1, 10**30))), known)[:100]
    if kind == 3:
        return mutated(chance, known)[:100]
    if kind == 4:
        return f"rc1:{text(chance, seen)}"[:100]
    if kind == 5:
        return chance.choice(
            (f"{known}:", known[:-1], f"{known}\n", f" {known}", known.replace("rc1", "rc2"), known.upper())
        )[:100]
    if kind == 6:
        return f"rc1:new:{chance.choice(('xwing', 'infinity', 'warsurge', 'albion', 'chess', 'table', ''))}"
    return text(chance, seen)[:100]
