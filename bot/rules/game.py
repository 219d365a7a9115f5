"""The shape of a game's rules: a module that says how a roll starts, what may follow, and what comes of it.

``Rules`` is a Protocol, and a plain module fits it (see ADDING_A_GAME.md). The rules *offer* choices; no other part
decides whether a press is allowed.
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
    """A side of a roll. The attacker opened the roll; in Infinity the attacker is the active trooper."""

    ATTACKER = T_("attacker")
    DEFENDER = T_("defender")

    other: "Side"


Side.ATTACKER.other, Side.DEFENDER.other = Side.DEFENDER, Side.ATTACKER

MAX_OPTIONS: Final = 25
"""A list holds so many options."""
Shows = tuple[str, str]
"""A face as the rules name it: the kind of the die and what it shows, ``("red", "hit")``."""


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

    def picked_values(self, text: str) -> tuple[str, ...]:
        """The values of options that a text holds."""
        return tuple(text.split(", ") if self.several else (text,)) if text else ()


OF: Final = "of"
"""The field of an offer that ``LOOKS``: a place of a plan."""


class Act(TextValue):
    """The action of an offer. Its words are the key of the offer: ``[a-z0-9-]``, at most 40 characters."""

    apply: ClassVar[Callable[..., Any]]
    """Returns the state after the act; on a board, the changes. Raises ``PlayerError`` for a form's values."""


class PlainAct(Act):
    """An act that has no values: its word, and what it does."""

    word: str
    does: Callable[..., Any] = field(compare=False, repr=False)

    def __str__(self) -> str:
        return self.word

    def apply(self, *args: Any, **kwargs: Any) -> Any:
        return self.does(*args, **kwargs)


def act_reader(*known: PlainAct | type[Act]) -> Callable[[str], Act | None]:
    """Reads the keys of these acts; None for any other."""
    words = {plain_act.word: plain_act for plain_act in known if isinstance(plain_act, PlainAct)}
    read = value_reader(*(plain_act for plain_act in known if isinstance(plain_act, type)))
    return lambda key: words.get(key) or read(key)


# What is asked


@dataclass(frozen=True, slots=True)
class Press:
    """A press of a button, and nothing more."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A choice of ``least`` to ``most`` options."""

    options: tuple[Option, ...]
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class Fill:
    """A form; ``title``: if its label does not say for whom; ``suggested``: with values only its person may know."""

    fields: tuple[Field, ...]
    title: Shown = EMPTY
    suggested: tuple[Field, ...] = ()


PRESS: Final = Press()


def form_or_press(fields: tuple[Field, ...], title: Shown = EMPTY) -> Press | Fill:
    """The form of these fields; a press where there is none."""
    return Fill(fields, title) if fields else PRESS


# Who may take it


class OpenTo(Enum):
    """People who may take an offer of a side besides the side's player."""

    SEAT = "nobody"
    FREE = "a player of the other side, while nobody plays it"
    EITHER = "a player of the other side, and it is then theirs (``Choice.by``)"
    ANYBODY = "everybody, while nobody plays it: several people do, so nobody takes the seat by it"
    JOINS = "the same, and whoever takes it plays what they add to the roll (``Choice.player``)"
    OWNER = "on a board: who owns the piece, or for the table as a whole anybody who plays there"


@dataclass(frozen=True, slots=True)
class Eligible:
    """People who may take an offer that isn't for one seat alone.

    ``player``: the person with this number (``@1``), who need not sit on the side; 0 for nobody. If they were
    forgotten, it belongs to anyone who could take it otherwise.
    """

    side: Side = Side.ATTACKER
    may: OpenTo = OpenTo.SEAT
    player: int = 0


OWNER: Final = Eligible(may=OpenTo.OWNER)


def only_player(player: int) -> Eligible:
    """On a board, only that player, or for 0 the owner of the piece."""
    return Eligible(may=OpenTo.OWNER, player=player)


# What follows


class AfterOffer(Enum):
    """The consequence of taking an offer."""

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
    """Opens a plan's place for everybody, or the one in the form's field ``OF``, on a board; ``says``: other values."""

    place: str
    says: tuple[tuple[str, str], ...] = ()


class ButtonRank(IntEnum):
    """A button's rank among others: ``LAST`` never leads on; several ``ASIDE`` share one menu."""

    MAIN = 0
    LEADS = 1
    PLAIN = 2
    LAST = 3
    ASIDE = 4


class RequiredSetting(Enum):
    """The rule of a table without which something is not offered: dice rolled by hand, rerolls of a finished roll."""

    BY_HAND = "by_hand"
    REROLLS = "rerolls"


@dataclass(frozen=True, slots=True)
class Offer:
    """A choice that the rules allow now: what it does, who may take it, what is asked, and what follows.

    ``who``: a side is its seat alone. ``shows``: the face that results, if it is one face. ``barred``: why it cannot be
    taken now, "" where it can: a board shows it gray, and a press is told that. ``sheet``: of what ``PLANS`` asks, ""
    for the one that is due.
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
        """The words of the act, unique among the offers of a state."""
        return str(self.act)

    @property
    def side(self) -> Side:
        return self.who if isinstance(self.who, Side) else self.who.side

    @property
    def may(self) -> OpenTo:
        return OpenTo.SEAT if isinstance(self.who, Side) else self.who.may

    @property
    def player(self) -> int:
        """The number of whom it belongs to; 0 for the person who plays the side, or owns the piece."""
        return 0 if isinstance(self.who, Side) else self.who.player

    @property
    def options(self) -> tuple[Option, ...]:
        """Options to pick from; () without any."""
        return self.asks.options if isinstance(self.asks, Pick) else ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """The form; () where there is none."""
        return self.asks.fields if isinstance(self.asks, Fill) else ()

    @property
    def is_aside(self) -> bool:
        return self.rank is ButtonRank.ASIDE

    @property
    def is_awaited(self) -> bool:
        """Whether the roll is open until somebody takes it or another one."""
        return self.then in (AfterOffer.GOES_ON, AfterOffer.CLOSES)


@dataclass(frozen=True, slots=True)
class Choice:
    """A player's choice: the key of an offer, the options they picked, the fields they filled in.

    ``by`` is the side that they sit on; dice that they type in carry it. ``player`` is their number among the people
    whom the declaration names, where the offer asked for it (``JOINS``) and they do not play the other side; else 0.
    """

    offer: str
    picked: tuple[str, ...] = ()
    filled: Mapping[str, str] | None = None
    by: Side = Side.ATTACKER
    player: int = 0


FREE: Final = "any"
"""The value of a variant that leaves the choice to each roll; locking it locks nothing."""


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
    """Interface of every game's rules. ``Any`` is the game's own declaration and state."""

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
        """A checked declaration from plain JSON. Raises ``BadInputError`` naming the field."""

    def dice_count(self, declared: Any) -> int:
        """Return the number of dice rolled at once, before any that follow from their faces."""

    def start(self, declared: Any, rng: Rng) -> Any:
        """The state after the dice that are rolled at once. Raises ``PlayerError`` if the rules forbid the roll.

        Dice that were typed into the declaration were typed by the attacker, who opened the roll.
        """

    def rolled(self, state: Any) -> tuple[Rolled, ...]:
        """Every die on the table, canceled and spent ones too."""

    def offers(self, state: Any) -> tuple[Offer, ...]:
        """The choices now; ``()`` if the roll is over."""

    def choose(self, state: Any, choice: Choice, rng: Rng) -> Any:
        """The state after a choice. Raises ``NotOfferedError`` for a choice that is not in ``offers``."""

    def outcome(self, state: Any) -> Mapping[str, object]:
        """The result so far in plain JSON."""


def find_offer(offers: tuple[Offer, ...], choice: Choice) -> Offer:
    """The offer that a choice takes. Every ``choose`` begins with this: here, stale and forged presses fail.

    Raises ``NotOfferedError`` for an offer or option that is not there, ``BadInputError`` or ``CombinedError`` for a
    form that is not filled in well.
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
    """Return the state after a choice. Raises as ``find_offer``, and ``PlayerError`` for what a form holds."""
    return find_offer(offers, choice).act.apply(state, choice, rng)


def roll_again_offer(start: Callable[[Any, Rng], Any], label: Text) -> Offer:
    """Offer a new roll of the same declaration."""
    act = PlainAct("again", lambda state, _, rng: start(state.declared, rng))
    return Offer(act, Side.ATTACKER, label, then=AfterOffer.REOPENS, rank=ButtonRank.LAST)


def check_form(form: tuple[Field, ...], filled: Mapping[str, str]) -> None:
    """Raises ``CombinedError`` naming all fields that are not filled in well, or ``BadInputError`` for a single one."""
    with Collector() as wrong:
        for field in form:
            with wrong.collect():
                check_field(field, filled.get(field.key, ""))


def check_field(field: Field, text: str) -> None:
    """Raises ``BadInputError`` naming a field that is not filled in well."""
    if field.required and not text.strip():
        raise BadInputError(field.label, text, Text("Enter a value."))
    if field.options and not {option.value for option in field.options}.issuperset(field.picked_values(text)):
        raise BadInputError(field.label, text, Text("Choose one of the form's options."))
    if not field.options and len(text) > field.longest:
        raise BadInputError(field.label, text, AtMost(field.longest))
