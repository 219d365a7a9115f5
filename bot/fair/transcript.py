"""The transcript of a sealed table: what is revealed at its end, all a verification needs. See docs/fairness.md. A file
is the transcript's canonical JSON and one line feed, so any changed byte shows.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from types import NoneType
from typing import Any, Final

from bot.fair import protocol

Drawn = tuple[int, int]
"""(number of sides, side drawn), counted from 0."""
Draw = tuple[int, int, str]
"""A draw with the face that people saw, "" if none. No check depends on the face."""

TABLE: Final = 0
"""The roll number of the table's own steps (tokens, obstacles, damage)."""
MAX_NAME: Final = 100
CHANGED: Final = "The words, the players or the seal were changed: the first hash is that of another header."


class VerificationError(Exception):
    """The first inconsistency, as a sentence; ``ply`` is its position in the chain, from 1."""

    def __init__(self, reason: str, ply: int | None = None) -> None:
        super().__init__(reason if ply is None else f"Ply {ply}: {reason}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The sealed data. Ids are decimal strings; ``players`` are (id, word, hash or None) ordered by id.

    ``number`` counts the seals begun in the channel, ``earlier`` those since the last unsealed one. ``commit_message``:
    the message with the commitment; ``last_word``: the last word's interaction; ``seal``: the message that repeats the
    words, whose id Discord chose last.
    """

    application: str
    channel: str
    number: int
    earlier: int
    commit: str
    hidden: str
    commit_message: str
    players: tuple[tuple[str, str, str | None], ...]
    last_word: str
    seal: str

    def to_json(self) -> dict[str, object]:
        parts = {name: getattr(self, name) for name in Header.__slots__}
        return {"v": protocol.VERSION, "beacon": None, **parts, "players": [list(player) for player in self.players]}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainPly:
    """One step of the game in the chain.

    ``roll``: the position of the ply that opened its roll, perhaps its own. ``by`` took ``offer`` with ``choice``
    (plain JSON; at the opening the declaration). ``of`` owns the dice: the owner of the rolling piece, else of the
    seat, not the presser. ``draws``: the dice in order; ``typed``: faces of dice rolled by hand. ``undoes``: the
    position of the undone ply. ``salt`` (32 random hex digits) is set if something is facedown until the end: without
    it, the hash on the card would reveal which of the few cards it is. ``secret``: a secret ply's own key, 64 hex
    digits.
    """

    roll: int
    by: str
    of: str
    offer: str
    choice: Mapping[str, Any]
    draws: tuple[Draw, ...] = ()
    typed: tuple[str | int, ...] = ()
    undoes: int | None = None
    salt: str | None = None
    secret: str | None = None

    def to_json(self) -> dict[str, object]:
        lists = {"draws": [list(draw) for draw in self.draws], "typed": list(self.typed)}
        return {name: getattr(self, name) for name in ChainPly.__slots__} | lists

    @property
    def as_hidden(self) -> "HiddenPly":
        return HiddenPly(roll=self.roll, by=self.by, hidden=protocol.hide_ply(self.to_json()))

    def chain_json(self) -> dict[str, object]:
        """Return the hashed form: a secret ply is hidden, so that it can be opened later."""
        return self.to_json() if self.secret is None else self.as_hidden.to_json()


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenPly:
    """A secret ply that is still hidden: ``hidden`` is its hash."""

    roll: int
    by: str
    hidden: str

    def to_json(self) -> dict[str, object]:
        return {"roll": self.roll, "by": self.by, "hidden": self.hidden}

    chain_json = to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A sealed table from its seal to its end. ``hashes`` are P_0 (the seal S) to P_n, then that of the names.

    ``hidden_key`` is None while a ply is hidden. ``names``: people's names by id, as far as known.
    """

    key: bytes
    hidden_key: bytes | None
    header: Header
    plies: tuple[ChainPly | HiddenPly, ...]
    hashes: tuple[str, ...]
    names: Mapping[str, str]

    def write(self) -> bytes:
        parts = {
            "key": self.key.hex(),
            "hidden_key": self.hidden_key.hex() if self.hidden_key else None,
            "header": self.header.to_json(),
            "plies": [ply.to_json() for ply in self.plies],
            "hashes": list(self.hashes),
            "names": dict(self.names),
        }
        return protocol.canonical_json(parts) + b"\n"

    @property
    def hidden(self) -> int:
        return sum(isinstance(ply, HiddenPly) for ply in self.plies)


def transcript(
    key: bytes,
    hidden_key: bytes,
    header: Header,
    plies: Sequence[ChainPly | HiddenPly],
    names: Mapping[str, str] | None = None,
) -> Transcript:
    """Build the transcript of these plies with their chain; it has the hidden plies' key once none is hidden."""
    last = protocol.seal(header.to_json())
    hashes = [last.hex()]
    for ply in plies:
        last = protocol.chain(last, ply.chain_json())
        hashes.append(last.hex())
    hashes.append(protocol.chain(last, names or {}).hex())
    is_open = not any(isinstance(ply, HiddenPly) for ply in plies)
    return Transcript(
        key=key,
        hidden_key=hidden_key if is_open else None,
        header=header,
        plies=tuple(plies),
        hashes=tuple(hashes),
        names=names or {},
    )


def new_header(
    key: bytes, hidden_key: bytes, words: Mapping[int, tuple[str, str | None]], *, number: int, earlier: int, **ids: int
) -> Header:
    """Step 3: return a new seal's header; ``words``: words and their hashes by person, ``ids``: Discord's numbers."""
    hidden = protocol.hidden_commitment(hidden_key)
    players = tuple((str(person), *words[person]) for person in sorted(words))
    commit, texts = protocol.commitment(key, hidden), {name: str(item) for name, item in ids.items()}
    return Header(number=number, earlier=earlier, commit=commit, hidden=hidden, players=players, **texts)


# Parsing. Every part is checked for its exact keys and types, so that parsed data is known to be valid.


def read(raw: Mapping[str, Any]) -> Transcript:
    """Parse a file's JSON. Raises ``VerificationError`` for an invalid form."""
    for name, is_right in PARTS.items():
        if not is_right(raw[name]):
            raise VerificationError(f"The {name} of the transcript is not as the protocol says.")
    for place, ply in enumerate(raw["plies"], 1):
        if not (fits(ply, COVER) or fits(ply, OPEN_PLY)):
            raise VerificationError("it is not as the protocol says.", place)
    right = len(raw["plies"]) + 2
    if len(raw["hashes"]) != right:
        raise VerificationError(f"There must be {right} hashes, but there are {len(raw['hashes'])}.")
    plies = tuple(to_ply(ply) for ply in raw["plies"])
    if (raw["hidden_key"] is None) != any(isinstance(ply, HiddenPly) for ply in plies):
        raise VerificationError("The hidden_key of the transcript must be null while a ply is hidden, and only then.")
    return Transcript(
        key=bytes.fromhex(raw["key"]),
        hidden_key=bytes.fromhex(raw["hidden_key"]) if raw["hidden_key"] else None,
        header=to_header(raw["header"]),
        plies=plies,
        hashes=tuple(raw["hashes"]),
        names=raw["names"],
    )


def parse(data: bytes) -> Any:
    """Parse a file in canonical form to a JSON value."""
    if not data.endswith(b"}\n"):
        raise VerificationError("The file is cut off, or something follows its end. Download it again.")
    try:
        raw = json.loads(data.decode())
        is_canonical = protocol.canonical_json(raw) + b"\n" == data
    except (ValueError, RecursionError):  # no UTF-8, no JSON, or ambiguous JSON
        is_canonical = False
    if not is_canonical:
        raise VerificationError(
            "The file is not canonical JSON: somebody changed it, or it is another file. Download it again."
        )
    return raw


def to_header(raw: Mapping[str, Any]) -> Header:
    parts = {name: raw[name] for name in Header.__slots__}
    return Header(**parts | {"players": tuple((person, word, given) for person, word, given in raw["players"])})


def to_ply(raw: Mapping[str, Any]) -> ChainPly | HiddenPly:
    if "hidden" in raw:
        return HiddenPly(**raw)
    draws = tuple((sides, side, face) for sides, side, face in raw["draws"])
    return ChainPly(**{**raw, "draws": draws, "typed": tuple(raw["typed"])})


Form = Any
"""The form of a JSON value: a text's pattern; an integer's range; a list with the form of all its items; a tuple with
that of each item of a list; a dict with that of each of its keys; a set of alternatives; or a type.
"""
INTEGER: Final = range(protocol.MAX_INTEGER + 1)
ID: Final = "[1-9][0-9]{0,19}"
"""A Discord id as a decimal string."""
HASH: Final = "[0-9a-f]{64}"
NAMED: Final = (ID, f".{{1,{MAX_NAME}}}")
COVER: Final = {"roll": INTEGER, "by": ID, "hidden": HASH}
OPEN_PLY: Final = {
    **dict.fromkeys(("by", "of"), ID),
    "roll": INTEGER,
    "offer": ".*",
    "choice": dict,
    "draws": [(range(1, protocol.MAX_SIDES + 1), range(protocol.MAX_SIDES), ".*")],
    "typed": [frozenset({".*", INTEGER})],
    "undoes": frozenset({NoneType, INTEGER}),
    "salt": frozenset({NoneType, "[0-9a-f]{32}"}),
    "secret": frozenset({NoneType, HASH}),
}
HEADER: Final = {
    **dict.fromkeys(("application", "channel", "commit_message", "last_word", "seal"), ID),
    **dict.fromkeys(("number", "earlier"), INTEGER),
    **dict.fromkeys(("commit", "hidden"), HASH),
    "v": range(protocol.VERSION + 1),
    "beacon": NoneType,
    "players": [(ID, f".{{1,{protocol.MAX_WORD}}}", frozenset({NoneType, HASH}))],
}


def fits(value: Any, form: Form) -> bool:
    """Whether a JSON value has a form; a boolean is no integer."""
    match value, form:
        case str(), str():
            return re.fullmatch(form, value, re.DOTALL) is not None
        case int(), range():
            return type(value) is int and value in form
        case _, frozenset():
            return any(fits(value, each) for each in form)
        case list(), list():
            return all(fits(item, form[0]) for item in value)
        case list(), tuple():
            return len(value) == len(form) and all(map(fits, value, form))
        case dict(), dict():
            return value.keys() == form.keys() and all(fits(value[at], form[at]) for at in form)
    return isinstance(form, type) and isinstance(value, form)


def is_header(value: Any) -> bool:
    """Whether a header follows the protocol: at least one player, ordered by id, none twice."""
    return (
        fits(value, HEADER)
        and value["earlier"] < value["number"]
        and value["players"] != []
        and all(int(first[0]) < int(second[0]) for first, second in pairwise(value["players"]))
    )


PARTS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "header": is_header,
    "key": partial(fits, form=HASH),
    "hidden_key": partial(fits, form=frozenset({NoneType, HASH})),
    "hashes": partial(fits, form=[HASH]),
    "names": lambda value: isinstance(value, dict) and all(fits([*item], NAMED) for item in value.items()),
    "plies": partial(fits, form=list),
}
"""The parts in the order of checking."""
