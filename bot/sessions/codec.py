"""Plies and their parts as JSON text. A state and a piece's body are stored with their game's schema number."""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter

from bot.bounded_dict import BoundedDict
from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Rules, Side
from bot.rules.text import N_, UNNAMED, Name, Shown, Text, as_text, read_text, write_text
from bot.sessions.chance import Draw
from bot.sessions.request import Person, Request
from bot.sessions.roll import ChainMark, Played, Secrecy, UnknownRollError
from bot.store.pieces import Piece
from bot.store.sessions import CLOSE, Newest, Opened, Ply, Seat

NOTHING: Final = Text("")
MAX_KEPT: Final = 300
"""Maximum number of recently written or read states and rolls in memory."""


class OutdatedStateError(PlayerError):
    """A state stored in a schema version that is no longer supported."""

    def __init__(self, what: Shown = Text("This roll")) -> None:
        message = N_("{what} was made by an older version of the bot. It's still stored, but please start a new one.")
        super().__init__(Text(message, what=what))


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def write_body(kind: Any, value: object) -> str:
    """Write a state or a piece as JSON without fields at their default, which saves two thirds of an attack. A changed
    default therefore needs a new schema number. ``kind``, which tells a union's classes apart, is always written.
    """
    text = _adapter(kind).dump_json(value, exclude_defaults=True).decode()
    tag = getattr(value, "kind", None)
    if tag is None or text.startswith('{"kind":'):
        return text
    return f'{{"kind":"{tag}"{"," * (text != "{}")}{text[1:]}'


def read_body(kind: Any, text: str) -> Any:
    return _adapter(kind).validate_json(text)


# Rolls

PLAYER: Final = "player-"
"""Prefix of a seat for someone to whom a declaration gave single pieces; a number follows."""


def write_state(rules: Rules, state: object) -> str:
    return write_body(rules.State, state)


def read_state(rules: Rules, schema: int, text: str) -> Any:
    """Parse a ``write_state`` text. Raises ``OutdatedStateError`` for another schema number."""
    if schema != rules.SCHEMA:
        raise OutdatedStateError
    return read_body(rules.State, text)


def seat_of(player: int) -> str:
    """Return the seat of a person whom a declaration named: ``player-1``."""
    return f"{PLAYER}{player}"


AS_IT_IS: Final = ("has_redraws", *Opened.__slots__)
"""Columns that a roll takes over unchanged."""
ReadState = Callable[[Rules, int, str], Any]
"""``read_state``, or an equivalent."""


def read_newest(row: Newest, read: ReadState = read_state) -> Played:
    """Parse a stored roll. Raises ``UnknownRollError`` if its game is gone, ``OutdatedStateError`` if too old."""
    return read_ply(
        row.game,
        row,
        row.seats,
        read,
        **{name: getattr(row, name) for name in AS_IT_IS},
        mark=read_mark(row.seal_mark),
        open_seal=read_mark(row.open_seal),
        secrecy=Secrecy(row.secrecy) if row.secrecy is not None else None,
    )


def read_mark(text: str | None) -> ChainMark | None:
    """Parse a position in a sealed table's chain; None if the table is unsealed."""
    if text is None:
        return None
    seal_id, place, shown = text.split(":")
    return ChainMark(int(seal_id), int(place), shown)


def read_ply(
    game: str, ply: Ply | Newest, seats: Mapping[str, Seat], read: ReadState = read_state, **session: Any
) -> Played:
    """Parse the roll after a ply; ``session``: other values of ``Played``. Raises as ``read_newest`` does."""
    if game not in GAMES:
        raise UnknownRollError
    people = {side: Person(seat.person_id, Name(seat.name)) for side, seat in seats.items()}
    return Played(
        session=ply.session_id,
        ply=ply.number,
        game=GAMES[game],
        state=read(GAMES[game].rules, ply.schema, ply.state),
        seats={side: people[side] for side in Side if side in people},
        named={int(side.removeprefix(PLAYER)): person for side, person in people.items() if side.startswith(PLAYER)},
        is_closed=ply.offer == CLOSE,
        **session,
    )


class StateCodec:
    """Parses and writes states, and caches them with all derived values.

    The cache key is the state's whole text, which each press reads inside its transaction. So no press acts on an
    outdated state, whatever another process did; only the parsing is saved.
    """

    def __init__(self) -> None:
        self._kept: BoundedDict[tuple[str, int, str], Any] = BoundedDict(MAX_KEPT)

    def write(self, rules: Rules, state: object) -> str:
        text = write_state(rules, state)
        self._kept[rules.KEY, rules.SCHEMA, text] = state
        return text

    def read(self, rules: Rules, schema: int, text: str) -> Any:
        """Raises ``OutdatedStateError`` as ``read_state`` does."""
        key = rules.KEY, schema, text
        state = self._kept.get(key)
        self._kept[key] = state = read_state(rules, schema, text) if state is None else state
        return state


class RollCache:
    """Parses current rolls, and caches them with all derived values, keyed by everything that was read. Boards show a
    channel's open rolls and are redrawn with each press.
    """

    def __init__(self) -> None:
        self._kept: BoundedDict[int, tuple[Newest, Played]] = BoundedDict(MAX_KEPT)

    def read(self, row: Newest) -> Played:
        """Raises ``UnknownRollError`` and ``OutdatedStateError`` as ``read_newest`` does."""
        kept = self._kept.get(row.session_id)
        played = kept[1] if kept is not None and kept[0] == row else read_newest(row)
        self._kept[row.session_id] = row, played
        return played


def plain_declaration(declared: object) -> Any:
    """A declaration in plain JSON values, for the transcript of a sealed table."""
    kind: Any = type(declared)
    return _adapter(kind).dump_python(declared, mode="json")


# Other contents of a ply. A table step or a seat change holds its own sentence instead of a choice.

STEP: Final = "step"
CLEAR: Final = "clear"
REMATCH: Final = "rematch"
READY: Final = "ready"
"""A player is ready: their private plan is fixed by a commitment."""
REVEAL: Final = "reveal"
"""A plan was revealed to everybody."""
BOUNDARIES: Final = (CLEAR, REMATCH)
"""Steps that separate two matches."""
SEAT: Final = "seat"
UNDO: Final = "undo"
"""The offer of a ply that undoes a press; ``CLOSE`` undoes a roll's opening."""


@dataclass(frozen=True, slots=True)
class TableStep:
    """The effect of a table step as a sentence without its subject, and the person's name."""

    sentence: Text = NOTHING
    by: str = ""


def write_choice(choice: Choice | None) -> str:
    """A choice as JSON text; the first ply of a session has none."""
    return "{}" if choice is None else json.dumps({"picked": choice.picked, "filled": choice.filled or {}})


def write_step(step: TableStep) -> str:
    """A step as JSON text, stored in place of a choice."""
    return json.dumps({**write_text(step.sentence), "by": step.by})


def read_step(text: str) -> TableStep:
    """Parse a ``write_step`` text; an empty step for a choice."""
    held = json.loads(text)
    return TableStep(read_text(held), str(held.get("by", "")))


def rename_step(text: str, name: Shown) -> str:
    """Replace the maker's name in a stored step; a choice names nobody and is returned unchanged."""
    held = json.loads(text)
    return json.dumps(held | {"by": name}) if "by" in held else text


def new_ply(
    request: Request,
    session: int,
    number: int,
    offer: str,
    choice: str,
    *,
    draws: Iterable[Draw] = (),
    schema: int = 1,
    state: str = "{}",
    **rest: Any,
) -> Ply:
    """Return a new ply for this request; ``rest`` is as in ``Ply``."""
    return Ply(
        session_id=session,
        number=number,
        person_id=request.by.id,
        offer=offer,
        choice=choice,
        draws=write_draws(draws),
        schema=schema,
        state=state,
        at=int(time.time()),
        channel_id=request.place.channel_id,
        interaction_id=request.interaction_id,
        **rest,
    )


def step_ply(request: Request, session: int, number: int, offer: str, sentence: Shown, **rest: Any) -> Ply:
    """A ply with its own sentence, as a step on the table; ``rest`` is as in ``new_ply``."""
    return new_ply(request, session, number, offer, write_step(TableStep(as_text(sentence), request.by.name)), **rest)


def sentence_of(ply: Ply) -> Text:
    """Return a step's effect, without its subject; empty for a choice on a roll."""
    return read_step(ply.choice).sentence


def name_of_maker(ply: Ply, now: Newest) -> Shown:
    seated = (seat.name for seat in now.seats.values() if seat.person_id == ply.person_id)
    return Name(read_step(ply.choice).by) or next(map(Name, seated), UNNAMED)


_COMPACT: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def write_draws(draws: Iterable[Draw]) -> str:
    """Draws as JSON lists: sides, result, pool, and true if it was replayed."""
    lists = [[draw.sides, draw.drawn, draw.pool, *([True] if draw.is_replayed else [])] for draw in draws]
    return _COMPACT(lists)


def read_draws(text: str) -> tuple[Draw, ...]:
    return tuple(Draw(*item) for item in json.loads(text))


# Pieces


@dataclass(frozen=True, slots=True)
class PieceChange:
    """A piece before and after a ply; None where it was not there."""

    before: Piece | None
    after: Piece | None

    @property
    def piece(self) -> Piece:
        piece = self.after or self.before
        assert piece is not None, "a change has at least one side"  # noqa: S101 - states how changes are made
        return piece


def write_changes(changes: Iterable[PieceChange]) -> str:
    """Changes as JSON text; bodies stay text, so that undo restores them exactly."""
    records = [
        {
            "piece": change.piece.name,
            "game": change.piece.game,
            "before": change.before and asdict(change.before),
            "after": change.after and asdict(change.after),
        }
        for change in changes
    ]
    return _COMPACT(records)


def read_changes(text: str) -> list[PieceChange]:
    return [
        PieceChange(item["before"] and Piece(**item["before"]), item["after"] and Piece(**item["after"]))
        for item in json.loads(text)
    ]


# Settings and public views


def read_plain(text: str) -> Any:
    """Parse stored text for a person's data export."""
    return json.loads(text)


def write_plain(value: object) -> str:
    """Format plain JSON values for people."""
    return json.dumps(value, ensure_ascii=False)
