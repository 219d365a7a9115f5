"""The type of a game: its rules, odds, and card, and optional parts."""

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from bot.bounded_dict import BoundedDict
from bot.odds.advice import Adviser, Move, NamedNumber
from bot.odds.luck import CACHED, RollLuck, RollResult
from bot.render import odds as odds_cards
from bot.render.card import Card, Figure, Grid, People
from bot.rules import errors, phrase_parser, plans
from bot.rules.dice import list_typists
from bot.rules.game import Field, Option, Rules, Side, Variant
from bot.rules.pieces import BoardChange, Controls, FollowUps, PieceChanges, Pieces
from bot.rules.text import EMPTY, Code, Noun, Numeral, Shown, Text, term

Facts = tuple[tuple[Shown, Shown], ...]
"""Names with a few lines of text each."""


Words = Mapping[str, str]
"""Fields filled in on the static page, by key; empty ones are left out."""
Question = tuple[Words, ...]
"""A game's odds as fields of the static page, by choice; () for a question that its form can't express."""
Said = tuple[Mapping[str, object], Any]
"""A command's words, and its declaration."""


def read_fields(fields: Words) -> Words:
    return {key: text for key, text in fields.items() if text}


def numbers(fields: Words, *keys: str) -> dict[str, object]:
    """Return the numeric fields. Raises ``BadInputError`` for other text."""
    for key in keys:
        if key in fields and not fields[key].isdecimal():
            raise errors.BadInputError(key, fields[key], Text("Use a whole number."))
    return {key: int(fields[key][:6]) for key in keys if key in fields}


@dataclass(frozen=True, slots=True)
class Form:
    """A game on the static page: ``shared`` is asked once (squads, profiles), ``asked`` for each choice to compare.

    ``cards``: the cards for the shared words and each choice's. Raises ``PlayerError`` or ``UncountableLuckError``.
    ``most``: maximum choices. ``example``: shown first. ``fields``: replaces ``asked`` if it depends on the shared
    words. ``presets``: values of a text field set by buttons, by field key.

    ``declare``: the roll declared by the shared words and one choice; raises ``PlayerError``. ``value``: a finished
    roll's number in the chart; None if it is not there.

    ``at_table``: a command's question about a channel's pieces, for the page: these, and each choice's words with their
    declaration; None if the page can't ask it.

    ``files``: label of the visitor's own files, which the game reads. ``spell_out``: the same question without these
    files, for sharing; None if it needs none.
    """

    title: Text
    asked: tuple[Field, ...]
    cards: Callable[[Words, Sequence[Words]], list[Card]]
    declare: Callable[[Words, Words], Any]
    most: int
    example: Words
    shared: tuple[Field, ...] = ()
    fields: Callable[[Words, Words], tuple[Field, ...]] | None = None
    presets: Mapping[str, tuple[Option, ...]] = field(default_factory=dict)
    value: Callable[[Any], int | None] | None = None
    at_table: Callable[[Mapping[str, Any], Sequence[Said]], tuple[Words, Sequence[Words]] | None] | None = None
    files: Text | None = None
    spell_out: Callable[[Words, Sequence[Words]], tuple[Words, Sequence[Words]] | None] | None = None


def number_field(key: str, label: Text, most: int, least: int = 0) -> Field:
    """A small number, selected in a form of the page."""
    options = tuple(Option(str(item), Numeral(str(item))) for item in range(least, most + 1))
    return Field(key, label, required=False, options=options)


def tick_field(key: str, label: Text) -> Field:
    return Field(key, Text("Conditions"), required=False, options=(Option("yes", label),), several=True)


@dataclass(frozen=True, slots=True)
class OddsCard:
    """The answer to an odds command. ``count`` may be slow, see ``bot.odds.size_limit``; ``draw`` is quick.

    ``count`` takes a declaration, or what the game's own command compares. It is a module-level function with picklable
    input and output, because large questions run in another process. ``asked``: the question as the static page's form.
    ``explained``: the assumed play of both sides, for **How?**.
    """

    count: Callable[..., Any]
    draw: Callable[[Any], Card]
    explained: Text = EMPTY
    asked: Callable[..., Question] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """A game's calculations beyond plain odds.

    ``card``: its own chart for its odds command; default: a list of ``Game.odds``. ``luck``: a state's luck; None while
    the roll is open, or if nothing is at stake. ``stake``: the luck's cache key; None if it isn't cached. ``results``:
    a finished roll's result (damage or the like) with its exact distribution, for the luck of a match; () as for
    ``luck``. Raises ``UncountableLuckError`` if too large. ``advice``: the value of each open choice. ``moves``: the
    acting side's presses, best first, for the bot as a player and for practice. ``targets``: a weapon's targets with
    their values, best first. ``plan``: the bot's private plan for one of its pieces. ``is_luck_apart``: luck is behind
    **How?**, not on the card.
    """

    card: OddsCard | None = None
    luck: Callable[[Any], RollLuck | None] | None = None
    stake: Callable[[Any], Hashable] = lambda _: None
    results: Callable[[Any], tuple[RollResult, ...]] | None = None
    advice: Adviser | None = None
    moves: Callable[[Any], tuple[Move, ...]] | None = None
    targets: Callable[[Mapping[str, Any], str, str], Mapping[str, tuple[NamedNumber, ...]]] | None = None
    plan: Callable[[Mapping[str, Any], str], str] | None = None
    is_luck_apart: bool = False


Examples = tuple[tuple[Code, Text], ...]
"""Typed words and their meanings."""


@dataclass(frozen=True, slots=True)
class CommandPage:
    """A help page with commands to press: key, title, and for each a label, the command, and its effect."""

    key: str
    title: Shown
    commands: tuple[tuple[Code, Code, Text], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """A first roll against the bot: its topic, two declarations to choose from, and why the first is better.
    ``starts``: the label and words of each. ``begins``: the command whose form opens afterwards, and a label.
    """

    situation: Text
    starts: tuple[tuple[Text, Mapping[str, object]], tuple[Text, Mapping[str, object]]]
    why: Text
    begins: tuple[Text, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Help:
    """A game's help pages besides its commands.

    ``examples``: typed words, on their own page. ``worked_examples``: three commands to copy, at the top of its page.
    ``notes``: errors, contradictions, and gaps of the rules, and what the bot does. ``reference``: a table of numbers.
    ``counted``: the used parts of a profile, on their own page. ``systems``: pages with commands to press.
    ``practice``: a first roll to try, for a game with ``moves``.
    """

    examples: Examples = ()
    worked_examples: Examples = ()
    notes: tuple[tuple[Text, Text], ...] = ()
    reference: Callable[[], Grid] | None = None
    counted: tuple[tuple[Shown, Shown], ...] = ()
    systems: tuple[CommandPage, ...] = ()
    practice: Practice | None = None


def read_help_file(key: str) -> dict[str, Any]:
    """Return a game's entries in ``help/``, by name."""
    lists: dict[str, Any] = json.loads((Path(__file__).parent / "help" / f"{key}.json").read_text(encoding="utf-8"))
    return lists


def read_samples(key: str) -> tuple[Mapping[str, object], ...]:
    """Return a game's sample declarations from ``help/``."""
    return tuple(read_help_file(key)["samples"])


def read_help(key: str) -> Help:
    """Return a game's or the table's examples, notes, and first roll from ``help/``."""
    lists = read_help_file(key)
    typed = (lists.get(name, ()) for name in ("examples", "worked_examples"))
    examples, worked = (tuple((Code(row["typed"]), Text(row["means"])) for row in rows) for rows in typed)
    notes = tuple((Text(row["says"]), Text(row["does"])) for row in lists.get("notes", ()))
    practice = None
    for row, begins in zip(lists.get("practice", ()), lists.get("begins", ()), strict=True):
        first, second = ((Text(item["means"]), item["words"]) for item in lists["starts"])
        begin = Text(begins["means"]), begins["typed"]
        practice = Practice(situation=Text(row["says"]), starts=(first, second), why=Text(row["does"]), begins=begin)
    return Help(examples=examples, worked_examples=worked, notes=notes, practice=practice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """The commands and words of a game.

    ``slash`` and ``terminal``: its names there, if not the key. ``rolls``: subcommands that declare a roll, "" for the
    command itself; such rolls can be saved. ``dice``: further full commands that take dice and fit on a button.
    ``text_word``: the word that a bare text in the terminal fills. ``at_table``: default words of each declaration on
    Discord. ``text_shown``: the interpretation of a declaration's text. ``own_file``: the kind of a server's file
    (``bot.sessions.kept_files``) that words need as their ``file``, or "". ``translated``: options that accept words of
    the reader's language, and their translators to English.
    """

    slash: str = ""
    terminal: str = ""
    rolls: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    text_word: str = ""
    at_table: Mapping[str, object] = field(default_factory=dict)
    text_shown: Callable[[Any], str] | None = None
    own_file: Callable[[Mapping[str, object]], str] | None = None
    translated: Mapping[str, Callable[[str], str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MatchEnding:
    """The end of a match. Players are their numbers in the channel, by which pieces name their owner.

    ``winner``: from the pieces before and after a step; None during the match, 0 if nobody wins. ``lost``: names of the
    lost pieces. ``players``: owners of pieces on the table. ``rounds``: number of rounds played. ``decided``: the
    winner although several players have pieces; None while open, 0 for a draw. ``points``: each player's side's points;
    {} without points. ``rematch``: changes that restore all pieces, lost ones included. ``picture``: the final pieces
    with lost ones, the players' names, and the winner or None. ``clock``: end of the match's time, in seconds since the
    epoch, 0 for no clock. ``squads``: each player's pieces in their exchange format.
    """

    winner: Callable[[Mapping[str, Any], Mapping[str, Any]], int | None]
    lost: Callable[[Mapping[str, Any]], tuple[str, ...]]
    players: Callable[[Mapping[str, Any]], set[int]]
    rounds: Callable[[Mapping[str, Any]], int]
    rematch: Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]]
    decided: Callable[[Mapping[str, Any]], int | None]
    points: Callable[[Mapping[str, Any]], Mapping[int, int]]
    picture: Callable[[Mapping[str, Any], Mapping[str, Any], Mapping[int, Shown], int | None], Figure | None]
    clock: Callable[[Mapping[str, Any]], int]
    squads: Callable[[Mapping[str, Any]], Mapping[int, Mapping[str, object]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A channel's board: the controls of its pieces, and their display.

    ``controls``: the buttons and lists. ``picture``: the pieces, with players' names by number; None without any.
    ``summary``: the game's status in a sentence, from the same arguments. ``headline``: the same without what the
    picture shows. ``ends_at``: end of the game's clock, in seconds since the epoch, 0 for none. ``is_running``: whether
    a turn is in progress; that game comes first. ``beside``: cards in its list, each a label and a word of
    ``board_actions.CARDS``. ``begins``: buttons of an empty table, each a label and the command whose form opens, as
    ``xwing-attack``. ``secrets``: what only a piece's owner may see. ``select``, ``left``, ``not_shown``: the name of
    the list of pieces, and the sentences for a piece that has left, or if none of someone's is shown. ``told``: a
    choice's public card, with its maker and the pieces before and after.
    """

    controls: Controls
    picture: Callable[[Mapping[str, Any], Mapping[int, Shown]], Figure | None]
    summary: Callable[[Mapping[str, Any], Mapping[int, Shown]], Shown]
    headline: Callable[[Mapping[str, Any], Mapping[int, Shown]], Shown]
    select: Text
    left: Text
    not_shown: Text
    ends_at: Callable[[Mapping[str, Any]], int] | None = None
    is_running: Callable[[Mapping[str, Any]], bool] | None = None
    beside: tuple[tuple[Shown, str], ...] = ()
    begins: tuple[tuple[Text, str], ...] = ()
    secrets: Callable[[Any], Card] | None = None
    told: Callable[[Shown, BoardChange, Mapping[str, Any], Mapping[str, Any]], Card] | None = None


PROFILE: Final = Noun("profile", "profiles")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTable:
    """Pieces that stay in a channel beyond a roll: ships, troopers, profiles. Those need the first two.

    ``pieces``: their type; None for a game without any. ``changes``: a roll's changes to them; default: none.
    ``facts``: each piece's name and some lines; with a ``board`` it also takes the players' names by number.

    ``piece``: their noun, singular and plural. ``size``: their number, if not one per fact. ``board``: what a channel's
    board offers beyond facts. ``declare``: a declaration that may name pieces and copies their values. ``words``:
    declaration words that name pieces; if none occurs, no pieces are read; if empty, any word may. ``form``: the title
    and fields of the form that declared a roll with these texts and pieces, None if it is gone; for a game with forms
    that ``ask_roll`` opens. ``seen``: a piece's public form, None for a hidden one; default: nothing is hidden.
    ``played_by``: the names of the pieces in a declaration, by side; their owners play those sides. ``rolling``: the
    pieces with which a ply declares or rolls; only their owners or a GM may. ``follow_ups``: the rolls that follow a
    finished one, for offers that ``follows``. ``about``: a roll's pieces, for the history. ``is_out``: whether a piece
    is out of the game, for a recap. ``ending``: a match's end and losses. ``planning``: owners' private choices, and
    their opening. ``planned``: a person's questions and choices so far, by place, as a private card. ``due``: the
    closed places that open now. It takes all pieces by name, every closed place, the acting person's choices, and their
    action. So another person's act opens only what the table shows: a guessed name is compared with nothing.
    """

    pieces: Pieces | None = None
    facts: Callable[..., Facts] = lambda *_: ()
    changes: PieceChanges | None = None
    piece: Noun = PROFILE
    size: Callable[[Mapping[str, Any]], int] | None = None
    board: Board | None = None
    declare: Callable[[Mapping[str, object], Mapping[str, Any]], Any] | None = None
    words: tuple[str, ...] = ()
    form: Callable[[Mapping[str, str], Mapping[str, Any]], tuple[Shown, tuple[Field, ...]] | None] | None = None
    seen: Callable[[Any], Any | None] | None = None
    played_by: Callable[[Any], Mapping[Side, str]] = lambda _: {}
    rolling: Callable[[Any, Any], tuple[str, ...]] = lambda *_: ()
    follow_ups: FollowUps | None = None
    about: Callable[[Any], tuple[str, ...]] = lambda _: ()
    is_out: Callable[[Any], bool] | None = None
    ending: MatchEnding | None = None
    planning: plans.Planning | None = None
    planned: Callable[[plans.PlanForm, Mapping[str, str]], Card] | None = None
    due: Callable[[Mapping[str, Any], Sequence[str], Mapping[str, str], plans.PlanEvent], Iterable[str]] | None = None

    def facts_of(self, pieces: Mapping[str, Any], owners: Mapping[int, Shown]) -> Facts:
        """Return some pieces' facts; ``owners``: players' names by number."""
        return self.facts(pieces) if self.board is None else self.facts(pieces, owners)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """Everything the bot knows about one game. Only the first three are needed.

    ``rules``: how a roll starts and continues. ``odds``: the exact odds of a declaration in JSON words, fractions as
    ``"15/8"``. ``card``: a state on a card, with both sides' names.

    ``chances``: charts, luck, and advice. ``table``: what stays in a channel beyond a roll. ``help``: its help pages.
    ``commands``: its commands and words. ``form``: the game on the static page; for those with squads and profiles see
    ``bot.odds_site``. ``variants``: declaration words whose value a table may choose (edition, method). ``not_secret``:
    why a declaration can't be rolled in secret, "" if it can: its dice are rolled at once, wait for no choice, and
    change no piece, whatever the result. Default: nothing can. ``forced``: number of rolls in a state that the rules
    forbid and only a GM may make. ``by_hand_words``: declaration words for dice rolled by hand. ``has_undo``: its cards
    have an undo button. ``name_face``: a face's name, for faces stored as symbols. ``is_general``: dice for any game,
    without rules. ``samples``: declarations in JSON words, with which the tests check the laws of every game. Without
    any, a roll is declared by nothing.
    """

    rules: Rules
    odds: Callable[[Any], Mapping[str, object]]
    card: Callable[[Any, People], Card]
    chances: Chances = Chances()
    table: GameTable = GameTable()
    help: Help = Help()
    commands: Commands = Commands()
    form: Form | None = None
    variants: tuple[Variant, ...] = ()
    not_secret: Callable[[Any], Shown] | None = None
    forced: Callable[[Any], int] | None = None
    by_hand_words: tuple[str, ...] = ()
    has_undo: bool = False
    name_face: Callable[[Any, str], Shown] = lambda _, face: term(face)
    is_general: bool = False
    samples: tuple[Mapping[str, object], ...] = ({},)
    lucks: BoundedDict[Hashable, RollLuck | None] = field(
        default_factory=lambda: BoundedDict(CACHED), init=False, repr=False, compare=False
    )
    declarations: BoundedDict[Hashable, Any] = field(
        default_factory=lambda: BoundedDict(CACHED), init=False, repr=False, compare=False
    )

    @property
    def key(self) -> str:
        """The lower-case word that names the game everywhere."""
        return self.rules.KEY

    @property
    def slash(self) -> str:
        return self.commands.slash or self.key

    @property
    def title(self) -> Shown:
        return self.rules.TITLE

    @property
    def odds_answer(self) -> OddsCard:
        """The answer to its odds command: its own chart, or a list of ``odds``."""
        return self.chances.card or OddsCard(self.odds, partial(odds_cards.number_list, self.title))

    def changed_by(self, state: Any) -> tuple[str, ...] | None:
        """Return the pieces that a roll's ply may change; None for any, () for none."""
        return () if self.table.changes is None else self.table.changes.names(state)

    def names_pieces(self, words: Mapping[str, object]) -> bool:
        named = self.table.words
        return self.table.declare is not None and (not named or not words.keys().isdisjoint(named))

    def declare(self, words: Mapping[str, object], pieces: Mapping[str, Any]) -> Any:
        """Parse a declaration whose words may name ``pieces``. Raises ``PlayerError`` as ``Rules.declare`` does. One
        without pieces is cached by language: people repeat rolls.
        """
        if self.names_pieces(words):
            return self._read(words, pieces)
        typed = (phrase_parser.READER.get(), *((word, type(value), value) for word, value in words.items()))
        try:
            kept = self.declarations.get(typed)
        except TypeError:  # JSON lists can't be cache keys
            return self._read(words, pieces)
        if kept is None:
            kept = self.declarations[typed] = self._read(words, pieces)
        return kept

    def _read(self, words: Mapping[str, object], pieces: Mapping[str, Any]) -> Any:
        return self.rules.declare(words) if self.table.declare is None else self.table.declare(words, pieces)

    def ruled_words(self, declared: Any) -> dict[str, object]:
        """Return a declaration's values for words whose value a table may choose."""
        said = {variant.word: (getattr(declared, variant.word, None), variant.values) for variant in self.variants}
        return {word: value for word, (value, known) in said.items() if value is not None and value in known}

    def luck_of(self, state: Any) -> RollLuck | None:
        """Return a roll's luck; None if people rolled any of the dice by hand."""
        if self.chances.luck is None or list_typists(self.rules.rolled(state)):
            return None
        stake = self.chances.stake(state)
        if stake is None:
            return self.chances.luck(state)
        if stake not in self.lucks:
            self.lucks[stake] = self.chances.luck(state)
        return self.lucks[stake]

    def has_cached_luck(self, state: Any) -> bool:
        return self.chances.stake(state) in self.lucks

    def results_of(self, state: Any) -> tuple[RollResult, ...]:
        """Return a roll's results; () if people rolled any of the dice by hand. Raises ``UncountableLuckError``."""
        if self.chances.results is None or list_typists(self.rules.rolled(state)):
            return ()
        return self.chances.results(state)
