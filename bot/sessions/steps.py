"""Plies that are no press on a roll: steps on the table, and seats that change hands. Each tells itself in words."""

import json
import time
from typing import Final

from bot.rules.game import Side
from bot.sessions.place import Person, Place
from bot.store import sessions as rows
from bot.store.sessions import Ply

STEP: Final = "step"
CLEAR: Final = "clear"
SEAT: Final = "seat"


def step_ply(session: int, number: int, place: Place, by: Person, offer: str, what: str, recorded: str) -> Ply:
    return Ply(
        session_id=session,
        number=number,
        person_id=by.id,
        offer=offer,
        choice=json.dumps({"what": what, "by": by.name}),
        draws="[]",
        schema=1,
        state="{}",
        at=int(time.time()),
        channel_id=place.channel_id,
        changes=recorded,
    )


def seat_ply(now: rows.Newest, by: Person, side: Side, person: Person | None) -> Ply:
    """A ply that changes nothing but who sits where. It names nobody: who sits there says the seat."""
    what = f"frees the {side}'s seat" if person is None else f"gives the {side}'s seat to somebody else"
    return Ply(
        session_id=now.session_id,
        number=now.number + 1,
        person_id=by.id,
        offer=SEAT,
        choice=json.dumps({"what": what, "by": by.name}),
        draws="[]",
        schema=now.schema,
        state=now.state,
        at=int(time.time()),
        channel_id=now.channel_id,
        redraws=now.redraws,
    )


def told(ply: Ply) -> str:
    """The words of a table step; empty for a press on a roll."""
    return str(json.loads(ply.choice).get("what", ""))


def holder(ply: Ply, now: rows.Newest) -> str:
    """The name of who made a ply, as far as it is known."""
    seated = (seat.name for seat in now.seats.values() if seat.person_id == ply.person_id)
    return str(json.loads(ply.choice).get("by") or next(seated, "somebody else"))
