"""Army codes and share links of the official builder, as people paste them.

A code is base64. In it a number is one byte below 128, or two bytes, high one first, with the highest bit set; a text
is its length and its UTF-8 bytes. In order: the army's number and name, the list's name, its points, how many combat
groups; for each group its number, its form, and its members. The forms, by the byte behind the number of a group:

0          count; a member is its place, unit, profile group and option, and 0
1 short    reinforcement or not, count; a member is 0, unit, profile group and option, and 0
1 long     the same with a flag behind each member; 1 there is followed by a count and so many texts (Spec-Ops)
2 or more  that is the count, of the oldest form; a member is as in the short form

Nothing in a code tells short from long, so a code is of the form in which it ends with its last byte.
"""

import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Final
from urllib.parse import unquote

from bot.rules.errors import AtMost, BadInputError
from bot.rules.name import without_mentions
from bot.rules.text import N_, Name, Text

MAX_CODE: Final = 4000
"""Maximum characters of an army code with its link."""
MAX_LIST: Final = 100
"""Maximum length of the name of an army or a list."""
MAX_ESCAPED: Final = 3
"""Maximum levels of URL encoding: the builder's and browsers'."""
MAX_SURPLUS: Final = 3
"""Maximum extra characters at the end, from copying."""
COPY_THE_CODE: Final = Text("Copy the whole army code from the official army builder.")
LINK: Final = re.compile(r"(?:list/|[?&](?:armyData|armyCode|code|list)=)([^?#&]*)")
BUILDERS_TEXT: Final = re.compile(r"\bGROUP \d|\(\d+(?:\.\d+)? \| \d+\)")
AROUND_CODE: Final = "<>`\"'.,;)( "
"""Characters that people write around a code."""


@dataclass(frozen=True, slots=True)
class ListMember:
    """A line of an army list: unit, profile group, and option ids, and its combat group. ``reserve``: a reinforcement.
    ``texts``: a Spec-Ops trooper's improvements, as JSON.
    """

    unit: int
    group: int
    option: int
    combat: int = field(default=1, compare=False)
    reserve: bool = False
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArmyList:
    """An army code's content: army and list name, points, and members. ``surplus``: number of characters after its end.
    ``has_more``: bytes of an unknown form follow its last group.
    """

    army: Name
    name: Name
    points: int
    members: tuple[ListMember, ...]
    surplus: int = field(default=0, compare=False)
    has_more: bool = field(default=False, compare=False)


class WrongFormError(BadInputError):
    """Bytes that don't match the form."""


class EndsEarlyError(WrongFormError):
    """Bytes that end in the middle of a trooper."""


class ByteReader:
    """A code's bytes, read left to right. Raises ``WrongFormError`` at an early end."""

    def __init__(self, data: bytes) -> None:
        self.left, self.member = data, 0

    def take(self, count: int) -> bytes:
        if len(self.left) < count:
            middle = Text("It ends in the middle of trooper {number}.", number=self.member)
            if not self.member:
                raise BadInputError("code", Text("a code that ends too early"), COPY_THE_CODE)
            raise EndsEarlyError("code", Text("a code that ends too early"), middle, COPY_THE_CODE)
        data, self.left = self.left[:count], self.left[count:]
        return data

    def number(self) -> int:
        """Read one byte below 128, or two with the highest bit set."""
        first = self.take(1)[0]
        return first if first < 128 else (first - 128) * 256 + self.take(1)[0]

    def text(self) -> str:
        return self.take(self.number()).decode(errors="replace").strip()

    def fixed(self, *values: int) -> int:
        if (result := self.number()) not in values:
            raise WrongFormError("code", Text("a code format I don't know"), COPY_THE_CODE)
        return result


def decode(given: str) -> ArmyList:
    """Decode an army code or a link with one. Raises ``BadInputError``. Any text of at most ``MAX_CODE`` characters
    costs under 100,000 steps.
    """
    check_pasted(given)
    failures, readings = list[BadInputError](), list(candidates(code_of(given)))
    for has_more in (False, True):
        if has_more:  # no form ends with the last byte
            several = [part for part in given.split() if len(part) > len(given.split()[0]) // 2]
            if len(several) > 1 and all(is_code(item) for item in several):
                raise BadInputError("code", given[:60], Text("Use one army code at a time."))
        for (typed, surplus), is_long in product(readings[:1] if has_more else readings, (True, False)):
            try:
                return parse_form(typed, surplus, is_long=is_long, has_more=has_more)
            except BadInputError as error:
                failures.append(error)
    telling = (error for kind in (EndsEarlyError, WrongFormError) for error in failures if isinstance(error, kind))
    raise next(telling, None) or BadInputError("code", given[:60], COPY_THE_CODE)


def check_pasted(given: str) -> None:
    """Raise ``BadInputError`` for common mistakes, saying what to copy."""
    if len(given) > MAX_CODE:
        raise BadInputError("code", given[:60], AtMost(MAX_CODE))
    if "..." in given or "…" in given:
        raise BadInputError("code", given[:60], Text("The code was cut off when it was copied. Copy all of it."))
    if BUILDERS_TEXT.search(given):
        raise BadInputError("code", given[:60], Text("That's the list as text. Copy the army code or the share link."))
    if re.search(r"list/\d{4,16}/?(?:[?#]|$)", given.strip()):
        message = N_(
            "That link points to the builder's server and doesn't contain the list. Use its share link or its code."
        )
        raise BadInputError("code", given[:60], Text(message))


def code_of(given: str) -> str:
    """Return the code: without its link and URL encoding, in plain base64."""
    match = LINK.search(given)
    typed = match[1] if match else given
    for _ in range(MAX_ESCAPED):
        typed = unquote(typed)
    return typed.strip(AROUND_CODE).replace("-", "+").replace("_", "/").strip()


def candidates(typed: str) -> Iterator[tuple[str, int]]:
    """Yield candidates for a pasted code, each with the number of dropped trailing characters. A space may have been a
    ``+``; text after ``=`` is not part of the code.
    """
    plain, blanks = "".join(typed.split()), "+".join(typed.split())
    ends = range(MAX_SURPLUS + 1) if "=" not in typed else (0,)
    for item, surplus in product(dict.fromkeys((plain, blanks)), ends):
        before, _, after = item.partition("=")
        yield before[: len(before) - surplus], surplus or len(after.strip("="))


def is_code(typed: str) -> bool:
    try:
        decode(typed)
    except BadInputError:
        return False
    return True


def parse_form(typed: str, surplus: int, *, is_long: bool, has_more: bool) -> ArmyList:
    """Parse plain base64 in one of the forms; ``has_more``: bytes may follow the last group. Raises ``BadInputError``,
    ``WrongFormError`` for another form.
    """
    try:
        byte_reader = ByteReader(b64decode(typed + "=" * (-len(typed) % 4), validate=True))
    except ValueError:
        raise BadInputError("code", typed[:60], COPY_THE_CODE) from None
    byte_reader.number()
    army, name, points = byte_reader.text(), byte_reader.text(), byte_reader.number()
    members = tuple(
        member for _ in range(byte_reader.number()) for member in group_members(byte_reader, is_long=is_long)
    )
    if not members or has_more is not bool(byte_reader.left) or not all(member.unit for member in members):
        raise BadInputError("code", typed[:60], COPY_THE_CODE)
    called = without_mentions(army, MAX_LIST), without_mentions(name, MAX_LIST)
    return ArmyList(*called, points, members, surplus, has_more)


def group_members(byte_reader: ByteReader, *, is_long: bool) -> Iterator[ListMember]:
    combat, form = max(1, byte_reader.number()), byte_reader.number()
    reserve = bool(byte_reader.fixed(0, 1)) if form == 1 else False
    for _ in range(byte_reader.number() if form < 2 else form):
        byte_reader.member += 1
        if form:
            byte_reader.fixed(0)
        else:
            byte_reader.number()
        unit, group, option = byte_reader.number(), byte_reader.number(), byte_reader.number()
        texts: tuple[str, ...] = ()
        byte_reader.fixed(0)
        if is_long and form == 1 and byte_reader.fixed(0, 1):
            texts = tuple(byte_reader.text() for _ in range(byte_reader.number()))
        yield ListMember(unit, group, option, combat, reserve, texts)
