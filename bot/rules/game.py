"""The interface of a game's rules: a module that says how a roll starts, what may follow, and the result. ``Rules`` is
a Protocol that a plain module implements (see ADDING_A_GAME.md). The rules *offer* choices; nothing else decides
whether a press is allowed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum, StrEnum
from typing import Any, ClassVar, Final, Protocol

from bot.rules.dice import Rng, Rolled
from bot.rules.errors import AtMost, BadInputError, Collector, NotOfferedError
from bot.rules.text import EMPTY, N_, T_, Shown, Text
from bot.rules.text_values import TextValue, value_reader


class Side(StrEnum):
    """A side of a roll. The attacker is the opener; in Infinity the active trooper."""

    ATTACKER = T_("attacker")
    DEFENDER = T_("defender")

    other: "Side"


Side.ATTACKER.other, Side.DEFENDER.other = Side.DEFENDER, Side.ATTACKER

MAX_OPTIONS: Final = 25
MAX_LABEL: Final = 80
"""Maximum options of a list, and characters of a button."""
Shows = tuple[str, str]
"""A face for the rules: the die's kind and its face, ``("red", "hit")``."""


@dataclass(frozen=True, slots=True)
class Option:
    """A list option: stable value, label, detail; ``shows``: its die's face; ``by_hand``: dice rolled by hand."""

    value: str
    label: Shown
    detail: Shown = EMPTY
    shows: Shows | None = None
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form: its key, label, example, whether it is required, and maximum length.

    ``value``: initial content. ``lines``: several lines allowed. ``detail``: below its label. ``options``: one is
    selected, or with ``several`` any number; the field's text is then the values, joined by ``, ``. ``by_hand``: for
    physical dice; left out if they aren't allowed.
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

    def picked_values(self, text: str) -> tuple[str, ...]:
        """Split a text into selected options."""
        return tuple(text.split(", ") if self.several else (text,)) if text else ()


OF: Final = "of"
"""The field of an offer that ``LOOKS``: a plan's place."""


class Act(TextValue):
    """An offer's action. Its words are the offer's key: ``[a-z0-9-]``, at most 40 characters."""

    apply: ClassVar[Callable[..., Any]]
    """Returns the state after the act; on a board, the changes. Raises ``PlayerError`` for a form's values."""


class PlainAct(Act):
    """An act without values: its word, and its effect."""

    word: str
    does: Callable[..., Any] = field(compare=False, repr=False)

    def __str__(self) -> str:  # type: ignore[override]  # the other one is cached, and mypy takes that for a field
        return self.word

    def apply(self, *args: Any, **kwargs: Any) -> Any:
        return self.does(*args, **kwargs)


def act_reader(*known: PlainAct | type[Act]) -> Callable[[str], Act | None]:
    """Return a parser for these acts' keys; None for any other."""
    words = {plain_act.word: plain_act for plain_act in known if isinstance(plain_act, PlainAct)}
    read = value_reader(*(plain_act for plain_act in known if isinstance(plain_act, type)))
    return lambda key: words.get(key) or read(key)


# Input


@dataclass(frozen=True, slots=True)
class Press:
    """A plain press of a button."""


@dataclass(frozen=True, slots=True)
class Pick:
    options: tuple[Option, ...]
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class Fill:
    """A form; ``title``: if its label names nobody; ``suggested``: has private initial values."""

    fields: tuple[Field, ...]
    title: Shown = EMPTY
    suggested: tuple[Field, ...] = ()


PRESS: Final = Press()


def form_or_press(fields: tuple[Field, ...], title: Shown = EMPTY) -> Press | Fill:
    """Return a form of these fields; a press without any."""
    return Fill(fields, title) if fields else PRESS


# Permission


class OpenTo(Enum):
    """People besides the side's player who may take an offer."""

    SEAT = "nobody"
    FREE = "a player of the other side, while nobody plays it"
    EITHER = "a player of the other side, and it is then theirs (``Choice.by``)"
    ANYBODY = "everybody, while nobody plays it: several people do, so nobody takes the seat by it"
    JOINS = "the same, and whoever takes it plays what they add to the roll (``Choice.player``)"
    OWNER = "on a board: who owns the piece, or for the table as a whole anybody who plays there"


@dataclass(frozen=True, slots=True)
class Eligible:
    """People who may take an offer that isn't for one seat alone. ``player``: the person with this number (``@1``),
    who need not sit on the side; 0 for nobody in particular. If that person is forgotten, ``side`` and ``may``
    decide.
    """

    side: Side = Side.ATTACKER
    may: OpenTo = OpenTo.SEAT
    player: int = 0


OWNER: Final = Eligible(may=OpenTo.OWNER)


def only_player(player: int) -> Eligible:
    """Restrict a board's offer to that player, or for 0 the piece's owner."""
    return Eligible(may=OpenTo.OWNER, player=player)


# Consequences


class AfterOffer(Enum):
    GOES_ON = "the roll, or on a board the table, goes on as the act says"
    CLOSES = "the same, and the side's window ends"
    OPTIONAL = "the same, but the roll is over without it, and nobody is waited for"
    FOLLOWS = "another roll, declared with the pieces as they stand then; this one goes on as the act says"
    REOPENS = "the start of a new roll comes of it, and this roll stays as it is"
    SHOWS = "on a board: what the owner of the piece alone may see"
    LOOKS = "on a board: what is planned for the place that the field ``OF`` says, to whoever presses alone"
    PLANS = "on a board: whoever presses is asked for their plans, in private"


@dataclass(frozen=True, slots=True)
class OpensPlace:
    """Opens a plan's place, or the one in the form's field ``OF``, on a board; ``says``: other values."""

    place: str
    says: tuple[tuple[str, str], ...] = ()


class ButtonRank(IntEnum):
    """A button's rank: ``LAST`` never advances; several ``ASIDE`` share one menu."""

    MAIN = 0
    LEADS = 1
    PLAIN = 2
    LAST = 3
    ASIDE = 4


class RequiredSetting(Enum):
    """A table rule required for an offer: physical dice, rerolls of a finished roll."""

    BY_HAND = "by_hand"
    REROLLS = "rerolls"


@dataclass(frozen=True, slots=True)
class Offer:
    """A choice that the rules allow now: its effect, permission, input, and consequence.

    ``who``: a side means its seat alone. ``shows``: the resulting face, if it is one. ``barred``: why it can't be taken
    now, "" if it can: a board shows it gray, and a press is told. ``sheet``: for ``PLANS``, "" for the one that is due.
    """

    act: Any
    who: Side | Eligible
    label: Shown
    asks: Press | Pick | Fill = PRESS
    then: AfterOffer | OpensPlace = AfterOffer.GOES_ON
    rank: ButtonRank = ButtonRank.PLAIN
    shows: Shows | None = None
    leave: RequiredSetting | None = None
    barred: Text = EMPTY
    sheet: str = ""

    @property
    def key(self) -> str:
        """Return the act's words, unique among a state's offers."""
        return str(self.act)

    @property
    def side(self) -> Side:
        return self.who if isinstance(self.who, Side) else self.who.side

    @property
    def may(self) -> OpenTo:
        return OpenTo.SEAT if isinstance(self.who, Side) else self.who.may

    @property
    def player(self) -> int:
        """Return its player's number; 0 for the side's player or the piece's owner."""
        return 0 if isinstance(self.who, Side) else self.who.player

    @property
    def options(self) -> tuple[Option, ...]:
        return self.asks.options if isinstance(self.asks, Pick) else ()

    @property
    def fields(self) -> tuple[Field, ...]:
        return self.asks.fields if isinstance(self.asks, Fill) else ()

    @property
    def is_aside(self) -> bool:
        return self.rank is ButtonRank.ASIDE

    @property
    def is_awaited(self) -> bool:
        return self.then in (AfterOffer.GOES_ON, AfterOffer.CLOSES)


@dataclass(frozen=True, slots=True)
class Choice:
    """A player's choice: the offer's key, selected options, filled fields.

    ``by``: their side, recorded on typed dice. ``player``: their number among the declaration's people, if the offer
    needs it (``JOINS``) and they don't play the other side; else 0.
    """

    offer: str
    picked: tuple[str, ...] = ()
    filled: Mapping[str, str] | None = None
    by: Side = Side.ATTACKER
    player: int = 0


FREE: Final = "any"
"""A variant's value that leaves the choice to each roll; locking it has no effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A declaration word whose value a table may choose: an edition, a method. ``word``: its key. ``title``: for
    people. ``values``: each with its name. ``built_in``: the default. ``personal``: players may prefer another value.
    ``fills``: the value is filled in under ``word``; else only the game's own commands use it.
    """

    word: str
    title: Shown
    values: Mapping[Any, Shown]
    built_in: Any
    personal: bool = False
    fills: bool = True


class Rules(Protocol):
    """Interface of a game's rules. ``Any`` is its own declaration and state."""

    @property
    def KEY(self) -> str:
        """The lower-case word that names the game everywhere."""

    @property
    def TITLE(self) -> Shown: ...

    @property
    def SCHEMA(self) -> int:
        """Incremented when the stored form of ``State``, or a field's default, changes."""

    @property
    def State(self) -> Any:
        """The stored frozen dataclass, or a union of several."""

    def declare(self, raw: Mapping[str, object]) -> Any:
        """Parse and check a declaration from plain JSON. Raises ``BadInputError`` naming the field."""

    def dice_count(self, declared: Any) -> int:
        """Return the number of dice rolled at once, before any that follow from their faces."""

    def start(self, declared: Any, rng: Rng) -> Any:
        """Return the state after the initial dice. Raises ``PlayerError`` if the rules forbid the roll. Dice in the
        declaration were typed by the attacker, who opened the roll.
        """

    def rolled(self, state: Any) -> tuple[Rolled, ...]:
        """Return every die on the table, including canceled and spent ones."""

    def offers(self, state: Any) -> tuple[Offer, ...]:
        """Return the current choices; ``()`` if the roll is over."""

    def choose(self, state: Any, choice: Choice, rng: Rng) -> Any:
        """Return the state after a choice. Raises ``NotOfferedError`` for a choice not in ``offers``."""

    def outcome(self, state: Any) -> Mapping[str, object]:
        """Return the result so far in plain JSON."""


def find_offer(offers: tuple[Offer, ...], choice: Choice) -> Offer:
    """Return a choice's offer. Every ``choose`` calls this first, so stale and forged presses fail.

    Raises ``NotOfferedError`` for an unknown offer or option, ``BadInputError`` or ``CombinedError`` for an invalid
    form.
    """
    offer = next((offer for offer in offers if offer.key == choice.offer), None)
    if offer is None:
        raise NotOfferedError
    values = {option.value for option in offer.options}
    if not values.issuperset(choice.picked) or len(set(choice.picked)) != len(choice.picked):
        raise NotOfferedError(Text("One of those dice can't be chosen now."))
    if isinstance(pick := offer.asks, Pick) and not pick.least <= len(choice.picked) <= pick.most:
        some, all_of = N_("Choose {least} to {most}, not {count}."), N_("Choose {most}, not {count}.")
        message = some if pick.least < pick.most else all_of
        raise NotOfferedError(Text(message, least=pick.least, most=pick.most, count=len(choice.picked)))
    if offer.fields:
        check_form(offer.fields, choice.filled or {})
    return offer


def carry_out(offers: tuple[Offer, ...], state: Any, choice: Choice, rng: Rng) -> Any:
    """Apply a choice. Raises as ``find_offer``, and ``PlayerError`` for a form's values."""
    return find_offer(offers, choice).act.apply(state, choice, rng)


def roll_again_offer(start: Callable[[Any, Rng], Any], label: Text) -> Offer:
    act = PlainAct("again", lambda state, _, rng: start(state.declared, rng))
    return Offer(act, Side.ATTACKER, label, then=AfterOffer.REOPENS, rank=ButtonRank.LAST)


def check_form(form: tuple[Field, ...], filled: Mapping[str, str]) -> None:
    """Raise ``CombinedError`` naming all invalid fields, or ``BadInputError`` for a single one."""
    with Collector() as wrong:
        for field in form:
            with wrong.collect():
                check_field(field, filled.get(field.key, ""))


def check_field(field: Field, text: str) -> None:
    """Raise ``BadInputError`` naming an invalid field."""
    if field.required and not text.strip():
        raise BadInputError(field.label, text, Text("Enter a value."))
    if field.options and not {option.value for option in field.options}.issuperset(field.picked_values(text)):
        raise BadInputError(field.label, text, Text("Choose one of the form's options."))
    if not field.options and len(text) > field.longest:
        raise BadInputError(field.label, text, AtMost(field.longest))
