"""The shape of a game's rules: a module that says how a roll starts, what may follow, and what follows.

``Rules`` is a Protocol; a plain module fits it (see ADDING_A_GAME.md). The rules *offer*; nobody else judges what was
pressed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from bot.rules.dice import Rng, Rolled
from bot.rules.errors import BadInput, NotOffered


class Side(StrEnum):
    """Who acts. The attacker is the one who opened; in Infinity the active trooper, the defender the reactive one."""

    ATTACKER = "attacker"
    DEFENDER = "defender"

    @property
    def other(self) -> "Side":
        return Side.DEFENDER if self is Side.ATTACKER else Side.ATTACKER


Shows = tuple[str, str]
"""A face in the rules' words: the kind of the die, and what it shows: ``("red", "hit")``."""


@dataclass(frozen=True, slots=True)
class Option:
    """One of the things to pick from: a stable value, what it is called, and what it is now.

    ``shows`` is the face that it speaks of, if it is a die's.
    """

    value: str
    label: str
    detail: str = ""
    shows: Shows | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A line of a form: its key, its label, an example, whether it may stay empty, and its longest text.

    ``lines``: it may hold several lines.
    """

    key: str
    label: str
    example: str = ""
    required: bool = True
    longest: int = 200
    value: str = ""
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that the rules allow now, for one side.

    ``key`` is short (``[a-z0-9-]``, at most 40) and unique among the offers of a state. With ``options`` it is picked
    (``least`` to ``most`` of them), with ``fields`` it is filled, otherwise pressed. ``closes`` marks the choice that
    ends the side's window. ``free``: while nobody sits on its side, those of the other side may take it too.
    ``anybody``: several people play that side, so everybody may take it, and nobody takes the seat by it.
    ``shows`` is the face that comes of it, where it is one face.
    """

    key: str
    side: Side
    label: str
    options: tuple[Option, ...] = ()
    least: int = 1
    most: int = 1
    fields: tuple[Field, ...] = ()
    closes: bool = False
    free: bool = False
    anybody: bool = False
    shows: Shows | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody took: an offer's key, the options picked, the fields filled.

    ``by`` is the side that they sit on; dice that they type in carry it.
    """

    offer: str
    picked: tuple[str, ...] = ()
    filled: Mapping[str, str] | None = None
    by: Side = Side.ATTACKER


@dataclass(frozen=True, slots=True)
class Note:
    """Where the sources err, contradict each other, or are silent: what they say, and what the bot does."""

    says: str
    does: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A word of a game's declarations for which a table may choose a value: an edition, a method.

    ``word`` is its key in a declaration, ``title`` its name for people, ``values`` each value with its name for people,
    ``built_in`` what counts where nobody chose. ``personal``: a player may prefer another value for themselves.
    """

    word: str
    title: str
    values: Mapping[Any, str]
    built_in: Any
    personal: bool = False


class Rules(Protocol):
    """What the rules of every game provide. ``Any`` stands for the game's own declaration and state."""

    @property
    def KEY(self) -> str:
        """The one lower-case word that names the game everywhere."""

    @property
    def TITLE(self) -> str: ...

    @property
    def SCHEMA(self) -> int:
        """Raised when the stored form of ``State`` changes."""

    @property
    def NOTES(self) -> tuple[Note, ...]:
        """For the help page: how the rules are read; () where the rulebook leaves nothing open."""

    @property
    def State(self) -> Any:
        """The frozen dataclass, or union of them, that a session stores."""

    def declare(self, raw: Mapping[str, object]) -> Any:
        """A declaration from plain JSON words, checked; raises ``BadInput`` naming the field."""

    def dice_count(self, declared: Any) -> int:
        """How many dice the declaration makes fall at once, before anything follows from their faces."""

    def start(self, declared: Any, rng: Rng) -> Any:
        """The state after whatever falls at once. Raises ``PlayerError`` if it cannot be declared so.

        Dice that were typed into the declaration were typed by the attacker, who opened the roll.
        """

    def rolled(self, state: Any) -> tuple[Rolled, ...]:
        """Every die on the table, cancelled and spent ones too."""

    def offers(self, state: Any) -> tuple[Offer, ...]:
        """What may follow; ``()`` means it is over."""

    def choose(self, state: Any, choice: Choice, rng: Rng) -> Any:
        """The state after a choice; raises ``NotOffered`` for anything that ``offers`` does not hold."""

    def outcome(self, state: Any) -> Mapping[str, object]:
        """The result so far in plain JSON words."""


def taken(offers: tuple[Offer, ...], choice: Choice) -> Offer:
    """The offer that a choice takes, or ``NotOffered``: the one place where a stale or forged click fails."""
    offer = next((offer for offer in offers if offer.key == choice.offer), None)
    if offer is None:
        raise NotOffered
    values = {option.value for option in offer.options}
    if not values.issuperset(choice.picked) or len(set(choice.picked)) != len(choice.picked):
        raise NotOffered("One of those dice cannot be chosen now.")
    if offer.options and not offer.least <= len(choice.picked) <= offer.most:
        many = f"{offer.least} to {offer.most}" if offer.least < offer.most else offer.most
        raise NotOffered(f"Choose {many}, not {len(choice.picked)}.")
    for field in offer.fields:
        text = (choice.filled or {}).get(field.key, "")
        if field.required and not text.strip():
            raise BadInput(field.label, text, "a value; it may not stay empty")
        if len(text) > field.longest:
            raise BadInput(field.label, text, f"at most {field.longest} characters")
    return offer
