"""Plies that are no choice on a roll: steps on the table, and seats that change hands. Each holds its own sentence."""

import time
from collections.abc import Iterable
from typing import Final

from bot.rules.game import Side
from bot.rules.text import Name, Text, Words
from bot.sessions import codec
from bot.sessions.chance import Draw
from bot.sessions.codec import Step
from bot.sessions.place import Person
from bot.sessions.request import Request
from bot.store import sessions as rows
from bot.store.sessions import Ply

STEP: Final = "step"
CLEAR: Final = "clear"
REMATCH: Final = "rematch"
READY: Final = "ready"
"""A player is ready: what they planned in private is fixed by a commitment."""
REVEAL: Final = "reveal"
"""A plan is open from now on: everybody has seen it."""
BOUNDARIES: Final = (CLEAR, REMATCH)
"""Steps between two matches."""
SEAT: Final = "seat"
UNDO: Final = "undo"
"""The offer of a ply that takes a press back; ``CLOSE`` takes the opening of a roll back."""


def step_ply(
    session: int,
    number: int,
    request: Request,
    offer: str,
    step: Step,
    changes: str = "[]",
    about: int | None = None,
    draws: Iterable[Draw] = (),
) -> Ply:
    """A step on the table; ``changes`` is the stored record of what it did to the pieces, ``about`` as in ``Ply``."""
    return Ply(
        session_id=session,
        number=number,
        person_id=request.by.id,
        offer=offer,
        choice=codec.write_step(step),
        draws=codec.write_draws(tuple(draws)),
        schema=1,
        state="{}",
        at=int(time.time()),
        channel_id=request.place.channel_id,
        changes=changes,
        about=about,
        interaction_id=request.interaction_id,
    )


def seat_ply(now: rows.Newest, request: Request, side: Side, person: Person | None) -> Ply:
    """A ply that changes nothing but who sits where. It names nobody: the seat says who sits there."""
    sentence = (
        Text("frees the {side}'s seat", side=side)
        if person is None
        else Text("gives the {side}'s seat to somebody else", side=side)
    )
    return Ply(
        session_id=now.session_id,
        number=now.number + 1,
        person_id=request.by.id,
        offer=SEAT,
        choice=codec.write_step(Step(sentence, request.by.name)),
        draws="[]",
        schema=now.schema,
        state=now.state,
        at=int(time.time()),
        channel_id=now.channel_id,
        interaction_id=request.interaction_id,
    )


def sentence_of(ply: Ply) -> Text:
    """What a step did, without its subject; empty for a choice on a roll."""
    return codec.read_step(ply.choice).sentence


def name_of_maker(ply: Ply, now: rows.Newest) -> Words:
    """The name of who made a ply, as far as it is known."""
    seated = (seat.name for seat in now.seats.values() if seat.person_id == ply.person_id)
    return Name(codec.read_step(ply.choice).by) or next(map(Name, seated), Text("somebody else"))
