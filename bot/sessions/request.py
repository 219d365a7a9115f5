"""Who asks for something, where, and what counts for them there: made once for each command, press or form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.rules.text import EMPTY, Shown
from bot.ruleset.ruling import BUILT_IN, Ruling
from bot.sessions.place import Person, Place
from bot.sessions.roll import Played


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks for is judged by this, whatever changes meanwhile.

    ``ruling`` is what counts at the place for ``by``, and ``is_gm`` whether they are a GM there. ``interaction_id``
    is Discord's number of what they typed or pressed, so that one which is delivered twice counts once; None for
    what the bot does by itself. ``bot_id``: the bot's own, whose pieces anybody may play. ``token``: by which
    Discord shows the answer to a command again. ``stored`` is what was stored because of it so far.
    """

    by: Person
    place: Place
    ruling: Ruling = BUILT_IN
    is_gm: bool = False
    interaction_id: int | None = None
    bot_id: int = 0
    token: str = field(default="", repr=False, compare=False)
    stored: list["Stored"] = field(default_factory=list, compare=False)


@dataclass(frozen=True, slots=True)
class Stepped:
    """A game's pieces in a channel, by name, before and after a step; ``changed`` are the names it touched.

    ``what`` is its sentence in the history, without its subject; "" for a step that was not kept.
    """

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    changed: tuple[str, ...]
    what: Shown = EMPTY


@dataclass(frozen=True, slots=True)
class Stored:
    """Something that everybody may see was stored; of a step on the table, ``stepped`` are the pieces of its ``game``.

    ``played`` is the roll after a ply, with what that changed on pieces; None where it is anything else.
    It is told after the end of the transaction, and before the answer: whoever hears of it makes nobody wait.
    """

    request: Request
    game: str = ""
    stepped: Stepped | None = None
    played: Played | None = None


@dataclass(frozen=True, slots=True)
class StoredApart:
    """Something was stored that not everybody may see: what somebody plans, or ``played``, a roll that is secret."""

    request: Request
    played: Played | None = None
