"""What a ``custom_id`` means. Nothing waits in memory, so a restart loses nothing.

- ``rc1:<session>:<ply>:<offer>``: a choice on a card.
- ``rc1:<session>:<ply>:advice-<aim>``: a request for advice on the offers of that ply; it changes nothing.
- ``rc1:do:<session>:<ply>:<offer>:<picked>``: a choice of that ply that advice names, taken on its private message;
  ``<picked>`` are the values picked from a list, joined by dots.
- ``rc1:<session>:<ply>:how``: a request to explain the roll; it changes nothing.
- ``rc1:<session>:<ply>:undo``: a request to take that ply back.
- ``rc1:board:<piece>:<seen>:<offer>``: a press on a board: the selected piece and a short hash of what was shown of
  it, so that a press on something that has changed meanwhile does nothing.
- ``rc1:<session>:<ply>:secret-<what>``: look at a secret roll, have it explained, reveal it.
- ``rc1:new:<game>``, ``rc1:new:<game>:<flag>:<opponent>``, ``rc1:new:<game>:<flag>:<opponent>:<secrecy>``: the form
  that declares a new roll; see ``NewRoll``.
- ``rc1:saved:<id>``: a button of a panel of saved rolls.
- ``rc1:turns:<seen>:<offer>``: a button of a turn order, with a short hash of the turn that was shown.
- ``rc1:command:<name>``, ``rc1:command:<name>:<secrecy>``: the form of a command that was typed with nothing after it,
  as in ``xwing-attack``, or with nothing but who alone sees the roll.
- ``rc1:fix:<id>``: a button that opens a refused form again; ``<id>`` is the id of that form without ``rc1:``.
- ``rc1:rematch:<game>:<match>:<what>:<asker>:<card>``: a rematch is asked for, accepted or refused.
- ``rc1:<subject>:<answer>``: the answer to a question, for example ``rc1:table:clear``.
"""

import re
from dataclasses import dataclass
from typing import Final

from bot.sessions.roll import Address
from bot.sessions.secrecy import Secrecy

PREFIX: Final = "rc1:"
ADVICE: Final = "advice-"
"""A request for advice has this and the aim in place of an offer's key; no offer's key starts with it."""
UNDO: Final = "undo"
"""Stands in an offer's place on the button that takes a ply back; no offer has such a key."""
HOW: Final = "how"
"""Stands in an offer's place on the button that explains a roll; no offer has such a key."""
ASK, ACCEPT, REFUSE = "ask", "accept", "refuse"
"""What a button does about a rematch."""
_ADDRESS: Final = re.compile(r"rc1:([0-9]{1,18}):([0-9]{1,9}):([a-z0-9-]{1,40})")
_DO: Final = re.compile(r"rc1:do:([0-9]{1,18}):([0-9]{1,9}):([a-z0-9-]{1,40}):([a-z0-9]{0,8}(?:\.[a-z0-9]{1,8}){0,24})")
_NEW: Final = re.compile(r"rc1:new:([a-z0-9]{1,20})(?::([a-z]{0,20}):([0-9]{0,20})(?::(secret|blind))?)?")
_BOARD: Final = re.compile(r"rc1:board:([0-9a-f]{8}):([0-9a-f]{8}):([a-z0-9-]{1,60})")
_REMATCH: Final = re.compile(r"rc1:rematch:([a-z0-9]{1,20}):([0-9]{1,18}):([a-z]{1,6}):([0-9]{1,20}):([0-9]{1,20})")
_SAVED: Final = re.compile(r"rc1:saved:([0-9]{1,18})")
_TURNS: Final = re.compile(r"rc1:turns:([0-9a-f]{8}):(join|next|end)")
_COMMAND: Final = re.compile(r"rc1:command:([a-z0-9_-]{1,80})(?::(secret|blind))?")
_FIX: Final = f"{PREFIX}fix:"
_ANSWER: Final = re.compile(r"rc1:([a-z]{1,20}:[a-z]{1,20})")


@dataclass(frozen=True, slots=True)
class NewRoll:
    """What a form that declares a roll was opened with.

    ``flag``: a word of the declaration that is true, without a field of its own. ``opponent``: who was named, by id.
    ``secrecy``: who alone sees the roll.
    """

    game: str
    flag: str = ""
    opponent: int | None = None
    secrecy: Secrecy | None = None


def write(address: Address) -> str:
    return f"{PREFIX}{address.session}:{address.ply}:{address.offer}"


def read(custom_id: str) -> Address | None:
    """The address, or None for any other id."""
    found = _ADDRESS.fullmatch(custom_id)
    return Address(int(found[1]), int(found[2]), found[3]) if found else None


def write_advice(session: int, ply: int, aim: str) -> str:
    return write(Address(session, ply, f"{ADVICE}{aim}"))


def aim_of(address: Address) -> str | None:
    """The aim of the advice that an address asks for, or None if the address is a choice."""
    return address.offer.removeprefix(ADVICE) if address.offer.startswith(ADVICE) else None


def write_advised(at: Address, picked: tuple[str, ...]) -> str:
    """The id of the button that takes a choice which advice names."""
    return f"{PREFIX}do:{at.session}:{at.ply}:{at.offer}:{'.'.join(picked)}"


def read_advised(custom_id: str) -> tuple[Address, tuple[str, ...]] | None:
    """The choice that such a button takes and what it picks, or None for any other id."""
    found = _DO.fullmatch(custom_id)
    if found is None:
        return None
    return Address(int(found[1]), int(found[2]), found[3]), tuple(found[4].split(".")) if found[4] else ()


@dataclass(frozen=True, slots=True)
class BoardAddress:
    """A press on a board: the mark of the selected piece, the mark of what was shown, and the offer."""

    piece: str
    seen: str
    offer: str


def write_board(at: BoardAddress) -> str:
    return f"{PREFIX}board:{at.piece}:{at.seen}:{at.offer}"


def read_board(custom_id: str) -> BoardAddress | None:
    """The press on a board that an id means, or None for any other id."""
    found = _BOARD.fullmatch(custom_id)
    return BoardAddress(found[1], found[2], found[3]) if found else None


@dataclass(frozen=True, slots=True)
class RematchAddress:
    """A press about a rematch: the game, the number of the match that is over, and what is done.

    ``asker``: who asked for it, by id. ``card``: the id of the message with the recap.
    """

    game: str
    match: int
    what: str
    asker: int = 0
    card: int = 0


def write_rematch(at: RematchAddress) -> str:
    return f"{PREFIX}rematch:{at.game}:{at.match}:{at.what}:{at.asker}:{at.card}"


def read_rematch(custom_id: str) -> RematchAddress | None:
    """The press about a rematch that an id means, or None for any other id."""
    found = _REMATCH.fullmatch(custom_id)
    if found is None or found[3] not in (ASK, ACCEPT, REFUSE):
        return None
    return RematchAddress(found[1], int(found[2]), found[3], int(found[4]), int(found[5]))


def write_new(new: NewRoll) -> str:
    more = f":{new.flag}:{new.opponent or ''}" if new.flag or new.opponent or new.secrecy else ""
    return f"{PREFIX}new:{new.game}{more}{f':{new.secrecy}' if new.secrecy else ''}"


def read_new(custom_id: str) -> NewRoll | None:
    """What a form that declares a roll was opened with, or None for any other id."""
    found = _NEW.fullmatch(custom_id)
    if found is None:
        return None
    secrecy = Secrecy(found[4]) if found[4] else None
    return NewRoll(found[1], found[2] or "", int(found[3]) if found[3] else None, secrecy)


def write_saved(number: int) -> str:
    """The id of the button of a saved roll."""
    return f"{PREFIX}saved:{number}"


def read_saved(custom_id: str) -> int | None:
    """The number of the saved roll whose button an id means, or None for any other id."""
    found = _SAVED.fullmatch(custom_id)
    return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class TurnsAddress:
    """A press on a turn order: the mark of the turn that was shown, and the offer."""

    seen: str
    offer: str


def write_turns(at: TurnsAddress) -> str:
    return f"{PREFIX}turns:{at.seen}:{at.offer}"


def read_turns(custom_id: str) -> TurnsAddress | None:
    """The press on a turn order that an id means, or None for any other id."""
    found = _TURNS.fullmatch(custom_id)
    return TurnsAddress(found[1], found[2]) if found else None


@dataclass(frozen=True, slots=True)
class CommandAddress:
    """The form of a command: its full name, as in ``xwing attack``, and who alone sees what it rolls."""

    name: str
    secrecy: Secrecy | None = None


def write_command(at: CommandAddress) -> str:
    """The id of the form of a command; its name has no hyphens, so they stand for the spaces in it."""
    return f"{PREFIX}command:{at.name.replace(' ', '-')}{f':{at.secrecy}' if at.secrecy else ''}"


def read_command(custom_id: str) -> CommandAddress | None:
    """The form of a command that an id means, or None for any other id."""
    found = _COMMAND.fullmatch(custom_id)
    if found is None:
        return None
    return CommandAddress(found[1].replace("-", " "), Secrecy(found[2]) if found[2] else None)


def write_fix(form: str) -> str:
    """The id of the button that opens a refused form again; ``form`` is the id of that form."""
    return f"{_FIX}{form.removeprefix(PREFIX)}"


def read_fix(custom_id: str) -> str | None:
    """The id of the form that a button opens again, or None for any other id."""
    return f"{PREFIX}{custom_id.removeprefix(_FIX)}" if custom_id.startswith(_FIX) else None


def write_form(subject: str) -> str:
    """The id of a form that no offer opened; ``subject`` is what it asks, as in ``squad:paste``."""
    return f"{PREFIX}{subject}"


def write_answer(answer: str) -> str:
    """The id of a button that answers a question; ``answer`` is subject and answer: ``table:clear``."""
    return f"{PREFIX}{answer}"


def read_answer(custom_id: str) -> str | None:
    """Subject and answer, or None for any other id. Anybody can send it, so whoever acts on it checks who may."""
    found = _ANSWER.fullmatch(custom_id)
    return found[1] if found else None
