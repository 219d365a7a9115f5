"""``rollcall-fair/1``: transcripts of tables that were sealed before version 2, read and checked as ever.

What both versions share is in ``protocol`` and ``transcript``. docs/fairness.md says what was different.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final

from bot.fair.protocol import INTEGER_MOST, WORD_MOST, Stream, canonical, chain
from bot.fair.rolls import Dice
from bot.fair.transcript import (
    CHANGED,
    TABLE,
    Drawn,
    Unfit,
    are_faces,
    are_hashes,
    has_keys,
    is_drawn,
    is_hex,
    is_id,
    is_integer,
    is_list,
    read_parts,
)

DOMAIN: Final = b"rollcall-fair/1"
VERSION: Final = 1


def commitment(key: bytes) -> str:
    return sha256(DOMAIN + b"|commit|" + key).hexdigest()


def seal(header: Mapping[str, object]) -> bytes:
    return sha256(DOMAIN + b"|seal|" + canonical(header)).digest()


def stream(key: bytes, sealed: bytes, roll: int, ply: int) -> Stream:
    return Stream(key, DOMAIN + b"|draw|" + sealed + roll.to_bytes(8, "big") + ply.to_bytes(4, "big"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What is sealed. Ids are decimal strings; ``players`` are (id, word) in the order of their ids.

    ``seal`` is the id of the message that shows the commitment and the words: Discord chose it last.
    """

    application: str
    channel: str
    commit: str
    players: tuple[tuple[str, str], ...]
    seal: str

    def to_json(self) -> dict[str, object]:
        return {
            "v": VERSION,
            "application": self.application,
            "channel": self.channel,
            "commit": self.commit,
            "players": [list(player) for player in self.players],
            "seal": self.seal,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Ply:
    """One step of the game as the chain keeps it.

    ``roll`` is the number s of the roll at this table, ``ply`` the number p of the step in that roll, from 0. ``by`` is
    who took ``offer`` with ``choice`` (plain JSON: the declaration when a roll is opened). ``draws`` are the dice
    in the order in which they fell, ``typed`` the faces of dice that people rolled by hand. ``undoes`` is the number of
    the step of the same roll that this one takes back. ``salt`` is set for a roll that was hidden until the end: 32 hex
    digits that nobody can guess. Without them the hash on the card would give the few possible dice away.
    """

    roll: int
    ply: int
    by: str
    offer: str
    choice: Mapping[str, Any]
    draws: tuple[Drawn, ...] = ()
    typed: tuple[str | int, ...] = ()
    undoes: int | None = None
    salt: str | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "roll": self.roll,
            "ply": self.ply,
            "by": self.by,
            "offer": self.offer,
            "choice": self.choice,
            "draws": [list(draw) for draw in self.draws],
            "typed": list(self.typed),
            "undoes": self.undoes,
            "salt": self.salt,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A sealed table from its seal to its end. ``hashes`` are P_0 (the seal S) to P_n, one more than ``plies``."""

    key: bytes
    header: Header
    plies: tuple[Ply, ...]
    hashes: tuple[str, ...]


@dataclass(slots=True)
class Roll:
    """One roll: who opened it, how many plies it has, those that stand, and the draws that wait for each person.

    It is closed while nothing of it stands, because its opening was taken back.
    """

    opened_by: str = ""
    plies: int = 0
    standing: list[Ply] = field(default_factory=list)
    waiting: defaultdict[str, list[Drawn]] = field(default_factory=lambda: defaultdict(list))


class Rolls:
    """All rolls of one sealed table, ply by ply."""

    def __init__(self) -> None:
        self._rolls: dict[int, Roll] = {TABLE: Roll()}
        self._taken_back: defaultdict[str, set[int]] = defaultdict(set)
        """The rolls of which nothing stands, by who opened them."""

    def next_roll(self, by: str) -> int:
        """The number of the next roll that this person opens: of their first that was taken back, else a new one."""
        return min(self._taken_back[by], default=len(self._rolls))

    def next_ply(self, roll: int) -> int:
        """The number of the next ply in a roll. Numbers go on after an undo, so no part of a stream is read twice."""
        return self._rolls[roll].plies if roll in self._rolls else 0

    def dice(self, key: bytes, sealed: bytes, roll: int, by: str) -> Dice:
        """The dice of the next ply of a roll, for whoever makes it."""
        waiting = self._rolls[roll].waiting[by] if roll in self._rolls else []
        return Dice(stream(key, sealed, roll, self.next_ply(roll)), waiting)

    def last(self, roll: int) -> Ply | None:
        """The last ply of a roll that stands: the one that may be taken back."""
        standing = self._rolls[roll].standing if roll in self._rolls else []
        return standing[-1] if standing else None

    def check(self, ply: Ply, key: bytes, sealed: bytes, place: int) -> None:
        """Raises ``Unfit`` for the first thing in a ply that does not follow; ``place`` is its place in the chain."""
        is_opening = ply.roll != TABLE and self.last(ply.roll) is None
        if is_opening and ply.roll != (number := self.next_roll(ply.by)):
            raise Unfit(f"the next roll that {ply.by} opens is number {number}, not {ply.roll}.", place)
        if ply.ply != (number := self.next_ply(ply.roll)):
            raise Unfit(f"roll {ply.roll} goes on with number {number}, not {ply.ply}.", place)
        if ply.undoes is not None:
            last = self.last(ply.roll)
            if last is None or last.ply != ply.undoes:
                stands = "nothing stands" if last is None else f"number {last.ply} is the last that stands"
                raise Unfit(f"it takes back number {ply.undoes} of roll {ply.roll}, but {stands}.", place)
            if ply.draws:
                raise Unfit("a ply that takes one back draws no dice.", place)
        dice = self.dice(key, sealed, ply.roll, ply.by)
        for at, (sides, side) in enumerate(ply.draws, 1):
            if side != (right := dice(sides)):
                shown = f"die {at} of {len(ply.draws)} shows side {side} of {sides}"
                raise Unfit(f"{shown}, but the key gives side {right}.", place)

    def add(self, ply: Ply) -> None:
        """Count a ply that ``check`` lets pass."""
        roll = self._rolls.setdefault(ply.roll, Roll(opened_by=ply.by))
        roll.plies += 1
        if ply.undoes is not None:
            gone = roll.standing.pop()
            # In front: what was taken back last fell before everything that waits already.
            roll.waiting[gone.by][:0] = gone.draws
            if not roll.standing and ply.roll != TABLE:
                self._taken_back[roll.opened_by].add(ply.roll)
            return
        roll.standing.append(ply)
        self._taken_back[roll.opened_by].discard(ply.roll)
        for draw in ply.draws:
            if draw in roll.waiting[ply.by]:  # the first that is equal is the one that came
                roll.waiting[ply.by].remove(draw)


# Reading

PLY_KEYS: Final = frozenset(Ply.__dataclass_fields__)
HEADER_KEYS: Final = frozenset({"v", *Header.__dataclass_fields__})


def read(raw: Mapping[str, Any]) -> Transcript:
    """The transcript in the JSON of a file. Raises ``Unfit`` for a form that is not the protocol's."""
    read_parts(raw, PARTS, is_ply)
    header = {name: value for name, value in raw["header"].items() if name != "v"}
    return Transcript(
        key=bytes.fromhex(raw["key"]),
        header=Header(**header | {"players": tuple((person, word) for person, word in header["players"])}),
        plies=tuple(to_ply(ply) for ply in raw["plies"]),
        hashes=tuple(raw["hashes"]),
    )


def to_ply(raw: Mapping[str, Any]) -> Ply:
    draws = tuple((sides, side) for sides, side in raw["draws"])
    return Ply(**{**raw, "draws": draws, "typed": tuple(raw["typed"])})


def is_header(value: Any) -> bool:
    return (
        has_keys(value, HEADER_KEYS)
        and is_integer(value["v"], VERSION)
        and all(is_id(value[name]) for name in ("application", "channel", "seal"))
        and is_hex(value["commit"], 64)
        and are_players(value["players"])
    )


def are_players(value: Any) -> bool:
    """At least one, each with a word, in the order of their ids, none twice."""
    return (
        isinstance(value, list)
        and value != []
        and all(isinstance(player, list) and len(player) == 2 and is_id(player[0]) for player in value)
        and all(isinstance(word, str) and 1 <= len(word) <= WORD_MOST for _, word in value)
        and all(int(first) < int(second) for (first, _), (second, _) in pairwise(value))
    )


def is_ply(value: Any) -> bool:
    return (
        has_keys(value, PLY_KEYS)
        and is_integer(value["roll"], INTEGER_MOST)
        and is_integer(value["ply"], 2**32 - 1)
        and is_id(value["by"])
        and isinstance(value["offer"], str)
        and isinstance(value["choice"], dict)
        and is_list(value["draws"], is_drawn)
        and are_faces(value["typed"])
        and (value["undoes"] is None or is_integer(value["undoes"], 2**32 - 1))
        and (value["salt"] is None or is_hex(value["salt"], 32))
    )


PARTS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "header": is_header,
    "key": lambda value: is_hex(value, 64),
    "hashes": are_hashes,
    "plies": lambda value: isinstance(value, list),
}
"""The parts in the order in which they are looked at."""


def check(found: Transcript) -> None:
    """Raises ``Unfit`` for the first thing that does not fit."""
    if commitment(found.key) != found.header.commit:
        raise Unfit("The key does not fit the commitment.")
    sealed = last = seal(found.header.to_json())
    if found.hashes[0] != sealed.hex():
        raise Unfit(CHANGED)
    rolls = Rolls()
    for place, ply in enumerate(found.plies, 1):
        last = chain(last, ply.to_json())
        if found.hashes[place] != last.hex():
            raise Unfit("the chain breaks here.", place)
        rolls.check(ply, found.key, sealed, place)
        rolls.add(ply)
