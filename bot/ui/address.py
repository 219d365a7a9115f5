"""What a ``custom_id`` says: ``rc1:<session>:<ply>:<offer>``, or ``rc1:new:<game>`` for the form of a new roll,
or ``rc1:<subject>:<answer>`` for the answer to a question that does something at once, as ``rc1:table:clear``.

``rc1:<session>:<ply>:advice-<aim>`` is a question and no choice: what the offers of that ply are worth.

Nothing waits in memory, so a restart loses nothing.
"""

import re
from typing import Final

from bot.sessions.roll import Address

PREFIX: Final = "rc1:"
ADVICE: Final = "advice-"
"""Begins what stands in an offer's place where somebody asks for advice; no offer's key begins so."""
_ADDRESS: Final = re.compile(r"rc1:([0-9]{1,18}):([0-9]{1,9}):([a-z0-9-]{1,40})")
_NEW: Final = re.compile(r"rc1:new:([a-z0-9]{1,20})")
_ANSWER: Final = re.compile(r"rc1:([a-z]{1,20}:[a-z]{1,20})")


def write(address: Address) -> str:
    return f"{PREFIX}{address.session}:{address.ply}:{address.offer}"


def read(custom_id: str) -> Address | None:
    """The address, or None for an id that we never wrote."""
    found = _ADDRESS.fullmatch(custom_id)
    return Address(int(found[1]), int(found[2]), found[3]) if found else None


def write_advice(session: int, ply: int, aim: str) -> str:
    return write(Address(session, ply, f"{ADVICE}{aim}"))


def aim_of(address: Address) -> str | None:
    """What the advice that an address asks for aims at, or None where it is a choice."""
    return address.offer.removeprefix(ADVICE) if address.offer.startswith(ADVICE) else None


def write_new(game: str) -> str:
    return f"{PREFIX}new:{game}"


def read_new(custom_id: str) -> str | None:
    """The game that a form declares a roll of, or None for any other id."""
    found = _NEW.fullmatch(custom_id)
    return found[1] if found else None


def write_answer(answer: str) -> str:
    """The id of a button that answers a question; ``answer`` is subject and answer, as in ``table:clear``."""
    return f"{PREFIX}{answer}"


def read_answer(custom_id: str) -> str | None:
    """Subject and answer, or None for any other id. Nothing in it says who may answer."""
    found = _ANSWER.fullmatch(custom_id)
    return found[1] if found else None
