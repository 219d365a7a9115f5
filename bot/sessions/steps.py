"""Plies that are no choice on a roll: steps on the table, and seats that change hands. Each holds its own sentence."""

import time
from collections.abc import Iterable
from typing import Any, Final

from bot.rules.text import UNNAMED, Name, Shown, Text, as_text
from bot.sessions import codec
from bot.sessions.chance import Draw
from bot.sessions.codec import Step
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
    """A ply that somebody makes now; ``rest`` is as in ``Ply``."""
    return Ply(
        session_id=session,
        number=number,
        person_id=request.by.id,
        offer=offer,
        choice=choice,
        draws=codec.write_draws(draws),
        schema=schema,
        state=state,
        at=int(time.time()),
        channel_id=request.place.channel_id,
        interaction_id=request.interaction_id,
        **rest,
    )


def step_ply(request: Request, session: int, number: int, offer: str, sentence: Shown, **rest: Any) -> Ply:
    """A ply with its own sentence, as a step on the table; ``rest`` is as in ``new_ply``."""
    return new_ply(request, session, number, offer, codec.write_step(Step(as_text(sentence), request.by.name)), **rest)


def sentence_of(ply: Ply) -> Text:
    """What a step did, without its subject; empty for a choice on a roll."""
    return codec.read_step(ply.choice).sentence


def name_of_maker(ply: Ply, now: rows.Newest) -> Shown:
    """The name of who made a ply; empty where it is not known."""
    seated = (seat.name for seat in now.seats.values() if seat.person_id == ply.person_id)
    return Name(codec.read_step(ply.choice).by) or next(map(Name, seated), UNNAMED)
