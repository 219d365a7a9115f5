"""The shape of a game's rules: a module that says how a roll starts, what may follow, and what comes of it.

``Rules`` is a Protocol, and a plain module fits it (see ADDING_A_GAME.md). The rules *offer* choices; no other part
decides whether a press is allowed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Protocol

from bot.rules.dice import Rng, Rolled
from bot.rules.errors import AtMost, BadInput, Collector, NotOffered
from bot.rules.text import EMPTY, N_, T_, Shown, Text


class Side(StrEnum):
    """Who acts. The attacker opened the roll; in Infinity the attacker is the active trooper."""

    ATTACKER = T_("attacker")
    DEFENDER = T_("defender")

    other: "Side"


Side.ATTACKER.other, Side.DEFENDER.other = Side.DEFENDER, Side.ATTACKER

OPTIONS_MOST: Final = 25
"""A list holds so many options."""
Shows = tuple[str, str]
"""A face as the rules name it: the kind of the die and what it shows, ``("red", "hit")``."""


@dataclass(frozen=True, slots=True)
class Option:
    """One of the things to pick from: its stable value, its label, and a detail.

    ``shows``: the face that it is about, if it is a die. ``by_hand``: people roll dice by hand then.
    """

    value: str
    label: Shown
    detail: Shown = EMPTY
    shows: Shows | None = None
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form: its key, label and example, whether it is required, and its longest text.

    ``value``: what it contains at first. ``lines``: it may hold several lines. ``detail`` is said below its label.
    ``options``: people pick one of them instead of typing, or, where ``several``, any number. The text of such a field
    is the values that they picked, with ``, `` between them.
    ``by_hand``: it is for dice that people roll by hand; where that is not allowed, it is left out.
    """

    key: str
    label: Shown
    example: Shown = EMPTY
    required: bool = True
    longest: int = 200
    value: str = ""
    lines: bool = False
    options: tuple[Option, ...] = ()
    several: bool = False
    by_hand: bool = False
    detail: Shown = EMPTY

    def picked(self, text: str) -> tuple[str, ...]:
        """The values of options that a text holds."""
        return tuple(text.split(", ") if self.several else (text,)) if text else ()


OF: Final = "of"
"""The field of an offer that ``looks``: a place of a plan."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A choice that the rules allow one side now.

    ``key``: short (``[a-z0-9-]``, at most 40 characters) and unique among the offers of a state.
    With ``options`` the player picks from ``least`` to ``most`` of them, with ``fields`` they fill in a form; otherwise
    they press a button.
    ``title``: what its form is called, where the label does not say for whom it is.
    ``closes``: it ends the side's window.
    ``reopens``: the start of a new roll comes of it, and this roll stays as it is.
    ``follows``: another roll follows from it, declared with the pieces of the channel as they stand now
    (``rules.pieces.FollowUps``), and this roll goes on as ``choose`` says.
    ``after``: the roll is over all the same, and nobody is waited for.
    ``free``: while nobody plays its side, a player of the other side may take it too.
    ``anybody``: several people play that side, so where nobody was named for it everybody may take it, and nobody
    takes the seat by it.
    ``either``: a player of the other side may take it too, and it is then theirs (``Choice.by``).
    ``joins``: whoever takes it plays what they add to the roll; the choice comes with their number (``Choice.player``).
    ``by_leave``: it is offered only where a table allows it (the setting ``rerolls``).
    ``shows``: the face that results, if it is one face.
    ``by_hand``: people roll dice by hand then; where that is not allowed, it is not offered.
    ``aside``: it is seldom taken, and where there are several such offers a card has them in one list.
    ``player``: it belongs to that one of the people whom the declaration named (``@1``), who need not sit on the side;
    0 for whoever plays the side. ``suggested``: its form as that one alone sees it, with what nobody else may know.
    ``barred``: why it cannot be taken now, "" where it can: a board shows it grey, and a press is told that.
    ``plans``: on a board, it asks whoever presses for their plans in private. ``opens``: it opens this place of one.
    ``looks``: it shows whoever presses, and nobody else, what is planned for the place that its field ``OF`` says.
    """

    key: str
    side: Side
    label: Shown
    options: tuple[Option, ...] = ()
    least: int = 1
    most: int = 1
    fields: tuple[Field, ...] = ()
    title: Shown = EMPTY
    closes: bool = False
    reopens: bool = False
    follows: bool = False
    after: bool = False
    free: bool = False
    anybody: bool = False
    either: bool = False
    joins: bool = False
    by_leave: bool = False
    shows: Shows | None = None
    by_hand: bool = False
    aside: bool = False
    player: int = 0
    suggested: tuple[Field, ...] = ()
    barred: Text = EMPTY
    plans: bool = False
    opens: str = ""
    looks: bool = False

    @property
    def is_awaited(self) -> bool:
        """Whether the roll is open until somebody takes it or another one."""
        return not (self.after or self.reopens)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player took: the key of an offer, the options they picked, the fields they filled in.

    ``by`` is the side that they sit on; dice that they type in carry it. ``player`` is their number among the people
    whom the declaration names, where the offer asked for it (``joins``) and they do not play the other side; else 0.
    """

    offer: str
    picked: tuple[str, ...] = ()
    filled: Mapping[str, str] | None = None
    by: Side = Side.ATTACKER
    player: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A word of a game's declarations whose value a table may choose: an edition, a method.

    ``word``: its key in a declaration. ``title``: its name for people. ``values``: each value with its name for people.
    ``built_in``: the default. ``personal``: players may prefer another value for themselves.
    ``fills``: the value stands in declarations under ``word``; else only the game's own commands ask for it.
    """

    word: str
    title: Shown
    values: Mapping[Any, Shown]
    built_in: Any
    personal: bool = False
    fills: bool = True


class Rules(Protocol):
    """What the rules of every game provide. ``Any`` is the game's own declaration and state."""

    @property
    def KEY(self) -> str:
        """The one lower-case word that names the game everywhere."""

    @property
    def TITLE(self) -> Shown: ...

    @property
    def SCHEMA(self) -> int:
        """Raised when the stored form of ``State`` changes, or the default of one of its fields."""

    @property
    def State(self) -> Any:
        """The frozen dataclass, or a union of several, that a session stores."""

    def declare(self, raw: Mapping[str, object]) -> Any:
        """A checked declaration from plain JSON. Raises ``BadInput`` naming the field."""

    def dice_count(self, declared: Any) -> int:
        """How many dice the declaration rolls at once, before any that follow from their faces."""

    def start(self, declared: Any, rng: Rng) -> Any:
        """The state after the dice that are rolled at once. Raises ``PlayerError`` if the rules forbid the roll.

        Dice that were typed into the declaration were typed by the attacker, who opened the roll.
        """

    def rolled(self, state: Any) -> tuple[Rolled, ...]:
        """Every die on the table, cancelled and spent ones too."""

    def offers(self, state: Any) -> tuple[Offer, ...]:
        """The choices now; ``()`` if the roll is over."""

    def choose(self, state: Any, choice: Choice, rng: Rng) -> Any:
        """The state after a choice. Raises ``NotOffered`` for a choice that is not in ``offers``."""

    def outcome(self, state: Any) -> Mapping[str, object]:
        """The result so far in plain JSON."""


def taken(offers: tuple[Offer, ...], choice: Choice) -> Offer:
    """The offer that a choice takes. Every ``choose`` begins with this: here, stale and forged presses fail.

    Raises ``NotOffered`` for an offer or option that is not there, ``BadInput`` or ``Collected`` for a form that is
    not filled in well.
    """
    offer = next((offer for offer in offers if offer.key == choice.offer), None)
    if offer is None:
        raise NotOffered
    values = {option.value for option in offer.options}
    if not values.issuperset(choice.picked) or len(set(choice.picked)) != len(choice.picked):
        raise NotOffered(Text("One of those dice cannot be chosen now."))
    if offer.options and not offer.least <= len(choice.picked) <= offer.most:
        some, all_of = N_("Choose {least} to {most}, not {count}."), N_("Choose {most}, not {count}.")
        message = some if offer.least < offer.most else all_of
        raise NotOffered(Text(message, least=offer.least, most=offer.most, count=len(choice.picked)))
    if offer.fields:
        check_form(offer.fields, choice.filled or {})
    return offer


def check_form(form: tuple[Field, ...], filled: Mapping[str, str]) -> None:
    """Raises ``Collected`` naming all fields that are not filled in well, or ``BadInput`` for a single one."""
    with Collector() as wrong:
        for field in form:
            with wrong.also():
                check_field(field, filled.get(field.key, ""))


def check_field(field: Field, text: str) -> None:
    """Raises ``BadInput`` naming a field that is not filled in well."""
    if field.required and not text.strip():
        raise BadInput(field.label, text, Text("Type a value."))
    if field.options and not {option.value for option in field.options}.issuperset(field.picked(text)):
        raise BadInput(field.label, text, Text("Use one of the things that the form offers."))
    if not field.options and len(text) > field.longest:
        raise BadInput(field.label, text, AtMost(field.longest))
