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
from bot.rules.text import EMPTY, Code, Noun, Numeral, Shown, Text

Facts = tuple[tuple[Shown, Shown], ...]
"""Names with a few lines of text each."""


Words = Mapping[str, str]
"""Fields filled in on the static page, by key; empty ones are left out."""
Question = tuple[Words, ...]
"""The odds of a game as the static page asks for them: what stands in the fields of its form for each choice.

A question that the form cannot ask (ships of a channel, profiles, several shots) is (): the page would answer another.
"""
Said = tuple[Mapping[str, object], Any]
"""The words of a command, and the declaration that they made."""


def read_fields(fields: Words) -> Words:
    return {key: text for key, text in fields.items() if text}


def numbers(fields: Words, *keys: str) -> dict[str, object]:
    """The numbers among fields that hold some. Raises ``BadInputError`` for what is none."""
    for key in keys:
        if key in fields and not fields[key].isdecimal():
            raise errors.BadInputError(key, fields[key], Text("Use a whole number."))
    return {key: int(fields[key][:6]) for key in keys if key in fields}


@dataclass(frozen=True, slots=True)
class Form:
    """A game on the static page: ``shared`` is asked once (squads, profiles), ``asked`` for each choice to compare.

    ``cards`` answers: the shared words and those of each choice to the cards, which it may lay side by side in one.
    Raises ``PlayerError`` or ``UncountableLuckError``. ``most``: maximum choices compared. ``example``: shown first by
    the page. ``fields``: what is asked of a choice instead, where that follows from the shared words. ``presets``:
    values of a text field that a button fills in, by the field's key.

    ``declare``: what the shared words and those of one choice declare, to be rolled; raises ``PlayerError``. ``value``:
    the number in the chart that a finished roll comes to; None for a roll that the chart doesn't show.

    ``at_table``: the question that a command asked, of the pieces of a channel: these, and the words of each choice
    with what they declared. None for one that the page would answer otherwise.

    ``files``: label of a list of the visitor's own files, which the game reads. ``spell_out``: the same question in
    words that need none of them, to be shared; None where it is asked in such words already.
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
    """A small number, to be picked in a form of the page."""
    options = tuple(Option(str(item), Numeral(str(item))) for item in range(least, most + 1))
    return Field(key, label, required=False, options=options)


def tick_field(key: str, label: Text) -> Field:
    return Field(key, Text("Conditions"), required=False, options=(Option("yes", label),), several=True)


def no_stake(_: object) -> None:
    """Default of ``Chances.stake``: the game's luck isn't cached."""


@dataclass(frozen=True, slots=True)
class OddsCard:
    """The answer to an odds command. ``count`` may take long, see ``bot.odds.size_limit``; ``draw`` is quick.

    ``count`` takes the question: a declaration, or whatever the game's own command compares. It is a function of a
    module, and question and answer can be pickled, because a large question is computed in another process.
    ``asked``: the same question in the form of the static page.
    ``explained``: how both sides are assumed to play, shown by **How?**.
    """

    count: Callable[..., Any]
    draw: Callable[[Any], Card]
    explained: Text = EMPTY
    asked: Callable[..., Question] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """A game's calculations beyond the plain odds of a declaration.

    ``card``: a chart of its own for its odds command; without it the numbers of ``Game.odds`` are listed.
    ``luck``: a state's luck; None while the roll is open, or if nothing is at stake.
    ``stake``: cache key of the luck, a declaration and its result; None if it isn't cached.
    ``results``: a finished roll's result (damage or the like) with its exact distribution, for the luck of a match;
    () as for ``luck``. Raises ``UncountableLuckError`` for a roll that is too large for that.
    ``advice``: the value of each open choice.
    ``moves``: what the side whose turn it is may press, best first, for the bot as a player and for a practice.
    ``targets``: whom a piece may attack with a weapon and the value of that, best first.
    ``plan``: what the bot plans in private for one of its pieces.
    ``is_luck_apart``: a roll's luck is behind How? instead of on its card.
    """

    card: OddsCard | None = None
    luck: Callable[[Any], RollLuck | None] | None = None
    stake: Callable[[Any], Hashable] = no_stake
    results: Callable[[Any], tuple[RollResult, ...]] | None = None
    advice: Adviser | None = None
    moves: Callable[[Any], tuple[Move, ...]] | None = None
    targets: Callable[[Mapping[str, Any], str, str], Mapping[str, tuple[NamedNumber, ...]]] | None = None
    plan: Callable[[Mapping[str, Any], str], str] | None = None
    is_luck_apart: bool = False


Examples = tuple[tuple[Code, Text], ...]
"""Typed words, and their meaning."""


@dataclass(frozen=True, slots=True)
class CommandPage:
    """A help page with commands to press: its key and title, and for each a label, the command, and what it does."""

    key: str
    title: Shown
    commands: tuple[tuple[Code, Code, Text], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """A first roll against the bot: what it is about, two declarations to choose from, and why the first is better.

    ``starts``: the label of each and its words. ``begins``: the command whose form opens when it is over, and a label.
    """

    situation: Text
    starts: tuple[tuple[Text, Mapping[str, object]], tuple[Text, Mapping[str, object]]]
    why: Text
    begins: tuple[Text, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Help:
    """The help pages of a game beside its commands.

    ``examples``: typed words, on a page of their own. ``worked_examples``: three commands to copy, at the top of its
    page. ``notes``: where the rules err, contradict each other, or are silent, and what the bot does. ``reference``: a
    table of numbers. ``counted``: which parts of a profile are used, on a page of its own. ``systems``: pages with
    commands to press. ``practice``: a first roll to try, for a game with ``moves``.
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
    """The sample declarations of a game, as ``help/`` has them."""
    return tuple(read_help_file(key)["samples"])


def read_help(key: str) -> Help:
    """The examples and notes of a game, or of the table, and a first roll to try, as ``help/`` has them."""
    lists = read_help_file(key)
    examples, worked = (
        tuple((Code(row["typed"]), Text(row["means"])) for row in lists.get(name, ()))
        for name in ("examples", "worked_examples")
    )
    notes = tuple((Text(row["says"]), Text(row["does"])) for row in lists.get("notes", ()))
    practice = None
    for row, begins in zip(lists.get("practice", ()), lists.get("begins", ()), strict=True):
        first, second = ((Text(item["means"]), item["words"]) for item in lists["starts"])
        begin = Text(begins["means"]), begins["typed"]
        practice = Practice(situation=Text(row["says"]), starts=(first, second), why=Text(row["does"]), begins=begin)
    return Help(examples=examples, worked_examples=worked, notes=notes, practice=practice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """The words by which people reach a game.

    ``slash``: its slash command, and ``terminal``: its name in the terminal, where they are not the key.
    ``rolls``: the parts of its slash command that declare a roll, "" for the command itself; people can save such
    rolls under a name.
    ``dice``: further commands, in full, that take dice; a button can hold them as it holds those of ``rolls``.
    ``text_word``: the word of a declaration that a bare text in the terminal stands for.
    ``at_table``: words that stand in each declaration on Discord, unless a ruleset or a person says otherwise.
    ``text_shown``: how the text of a declaration was understood.
    ``own_file``: the kind of a server's file (``bot.sessions.kept_files``) that words need as their ``file``, or "".
    ``translated``: the options in which words of the reader's language are taken, and what makes English ones of them.
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

    ``winner``: from the pieces before and after a step; None during the match, 0 if nobody wins. ``lost``: the names of
    the pieces that were lost. ``players``: who has pieces on the table. ``rounds``: number of rounds played.
    ``decided``: the winner although several players have pieces; None while there is none, 0 for nobody. ``points``:
    each player's side's points; {} without points. ``rematch``: the changes that bring all pieces back for a new match,
    lost ones included. ``picture``: the pieces at the end with lost ones, the names of the players, and the winner or
    None. ``clock``: end of the match's time, in seconds since the epoch, 0 for no clock. ``squads``: the pieces of each
    player, in the form in which people exchange them.
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

    ``controls``: the buttons and lists. ``picture``: the pieces, with the names of the players by number; None for
    none of them. ``summary``: the game's status in a sentence; it takes the same. ``headline``: the same without what
    the picture shows. ``ends_at``: end of the game's clock, in seconds since the epoch, 0 for none. ``is_running``:
    whether a turn is in progress; its game then comes first on a channel's board.
    ``beside``: cards in its list, each a label and a word of ``board_actions.CARDS``.
    ``begins``: buttons of an empty table, each a label and the command whose form it opens, as ``xwing-attack``.
    ``secrets``: what only the owner of a piece may see of it. ``select``, ``left``, ``not_shown``: the name of the list
    of pieces, and the sentences for a press on one that has left, or when none of someone's is shown. ``told``: the
    public card of a choice, with who made it and the pieces before and after.
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
    """Pieces that stay in a channel beyond a roll: ships, troopers, profiles. Only the first two are needed.

    ``pieces``: their type. ``changes``: what a roll takes from them; without it no roll changes any.
    ``facts``: the pieces, a name and some lines for each; with a ``board`` it also takes the names of the players by
    number.

    ``piece``: the noun for one of them, and for several. ``size``: how many there are, where that is not one a fact.
    ``board``: what a channel's board offers for them, beyond showing their facts.
    ``declare``: a declaration that may name pieces of the channel, whose values it takes over.
    ``words``: the words of a declaration that name pieces. If none of them occurs, nothing is read from the channel;
    if the game lists none, any word may name one.
    ``form``: the title and fields of the form that declared a roll with these texts and the pieces of the channel, None
    if it no longer exists; for a game with forms that ``ask_roll`` opens.
    ``seen``: a piece as everyone may see it, None for a hidden one; without it nothing of them is hidden.
    ``played_by``: the names of the pieces in a declaration, by side; their owners play those sides.
    ``rolling``: the names of the pieces with which a ply, from one state to the next, declares or rolls; only their
    owners or a GM do that.
    ``follow_ups``: the rolls that follow from one that is over, for offers that ``follows``.
    ``about``: the names of the pieces in a roll, for its line in the history.
    ``is_out``: whether a piece is out of the game, for a recap.
    ``ending``: when a match of the pieces is over, and who lost what.
    ``planning``: what the owners of pieces choose in private, and how it becomes public. ``planned``: a person's
    questions and choices so far, by place, as a card for them alone.
    ``due``: the closed places of plans that open now. It takes all pieces by name, every closed place, the choices of
    the person who has just acted, and what they did. So nobody else's act opens anything but what the table shows: a
    guessed name is compared with nothing.
    """

    pieces: Pieces
    facts: Callable[..., Facts]
    changes: PieceChanges | None = None
    piece: Noun = PROFILE
    size: Callable[[Mapping[str, Any]], int] | None = None
    board: Board | None = None
    declare: Callable[[Mapping[str, object], Mapping[str, Any]], Any] | None = None
    words: tuple[str, ...] = ()
    form: Callable[[Mapping[str, str], Mapping[str, Any]], tuple[Shown, tuple[Field, ...]] | None] | None = None
    seen: Callable[[Any], Any | None] | None = None
    played_by: Callable[[Any], Mapping[Side, str]] | None = None
    rolling: Callable[[Any, Any], tuple[str, ...]] | None = None
    follow_ups: FollowUps | None = None
    about: Callable[[Any], tuple[str, ...]] | None = None
    is_out: Callable[[Any], bool] | None = None
    ending: MatchEnding | None = None
    planning: plans.Planning | None = None
    planned: Callable[[plans.PlanForm, Mapping[str, str]], Card] | None = None
    due: Callable[[Mapping[str, Any], Sequence[str], Mapping[str, str], plans.PlanEvent], Iterable[str]] | None = None

    def facts_of(self, pieces: Mapping[str, Any], owners: Mapping[int, Shown]) -> Facts:
        """The facts of some pieces; ``owners`` are the names of the players by number."""
        return self.facts(pieces) if self.board is None else self.facts(pieces, owners)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """Everything the bot knows about one game. Only the first three are needed; the rest is optional.

    ``rules``: how a roll starts, what may follow, and what follows.
    ``odds``: the exact odds of a declaration in JSON words, fractions as ``"15/8"``.
    ``card``: a state on a card, with the names of the two sides.

    ``chances``: charts, luck, and advice. ``table``: what stays in a channel beyond a roll.
    ``help``: its help pages. ``commands``: the words by which people reach it.
    ``form``: the game on the static page; for those that take squads and profiles see ``bot.odds_site``.
    ``variants``: words of its declarations for which a table may choose a value (edition, method).
    ``not_secret``: why a declaration can't be rolled in secret, in a sentence, "" for one that can: its dice are rolled
    at once, wait for nobody's choice, and change no piece, whatever they show. Without it, nothing of the game can.
    ``forced``: number of rolls of a state that the rules forbid and only a GM may make anyway.
    ``by_hand_words``: the words of a declaration that say that people will roll dice by hand.
    ``has_undo``: its cards have a button that takes the last press back.
    ``is_general``: dice for any game, not a game with rules of its own.
    ``samples``: declarations in JSON words, with which the tests try the laws that hold for every game. Without any, a
    roll is declared by nothing.
    """

    rules: Rules
    odds: Callable[[Any], Mapping[str, object]]
    card: Callable[[Any, People], Card]
    chances: Chances = Chances()
    table: GameTable | None = None
    help: Help = Help()
    commands: Commands = Commands()
    form: Form | None = None
    variants: tuple[Variant, ...] = ()
    not_secret: Callable[[Any], Shown] | None = None
    forced: Callable[[Any], int] | None = None
    by_hand_words: tuple[str, ...] = ()
    has_undo: bool = False
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
        """The one lower-case word that names the game everywhere."""
        return self.rules.KEY

    @property
    def slash(self) -> str:
        return self.commands.slash or self.key

    @property
    def title(self) -> Shown:
        return self.rules.TITLE

    @property
    def odds_answer(self) -> OddsCard:
        """The answer to its odds command: its own chart, or the numbers of ``odds`` in a list."""
        return self.chances.card or OddsCard(self.odds, partial(odds_cards.number_list, self.title))

    @property
    def board(self) -> Board | None:
        return None if self.table is None else self.table.board

    @property
    def ending(self) -> MatchEnding | None:
        """The end of a match of its pieces; None for a game without matches."""
        return None if self.table is None else self.table.ending

    @property
    def follow_ups(self) -> FollowUps | None:
        """The rolls that follow from one that is over."""
        return None if self.table is None else self.table.follow_ups

    def subject_pieces(self, state: Any) -> tuple[str, ...]:
        """The names of the pieces that a roll is about."""
        return () if self.table is None or self.table.about is None else self.table.about(state)

    def changed_by(self, state: Any) -> tuple[str, ...] | None:
        """The names of the pieces that a ply of a roll may change; None for any, () for none."""
        return () if self.table is None or self.table.changes is None else self.table.changes.names(state)

    def names_pieces(self, words: Mapping[str, object]) -> bool:
        """Whether the words of a declaration may name pieces of the channel."""
        if self.table is None or self.table.declare is None:
            return False
        return not self.table.words or not words.keys().isdisjoint(self.table.words)

    def declare(self, words: Mapping[str, object], pieces: Mapping[str, Any]) -> Any:
        """A declaration from words that may name ``pieces``. Raises ``PlayerError`` as ``Rules.declare`` does.

        One that names none is kept, for those who read the same language: people roll the same again.
        """
        if self.names_pieces(words):
            return self._read(words, pieces)
        typed = (phrase_parser.READER.get(), *((word, type(value), value) for word, value in words.items()))
        try:
            kept = self.declarations.get(typed)
        except TypeError:  # line-ups as JSON
            return self._read(words, pieces)
        if kept is None:
            kept = self.declarations[typed] = self._read(words, pieces)
        return kept

    def _read(self, words: Mapping[str, object], pieces: Mapping[str, Any]) -> Any:
        if self.table is None or self.table.declare is None:
            return self.rules.declare(words)
        return self.table.declare(words, pieces)

    def ruled_words(self, declared: Any) -> dict[str, object]:
        """The values that a declaration has for words whose value a table may choose, however they were said."""
        said = {variant.word: (getattr(declared, variant.word, None), variant.values) for variant in self.variants}
        return {word: value for word, (value, known) in said.items() if value in known}

    def played_by(self, declared: Any) -> Mapping[Side, str]:
        """The pieces that a declaration is about, by the side that their owners play."""
        table = self.table
        return {} if table is None or table.played_by is None else table.played_by(declared)

    def rolling_pieces(self, before: Any, after: Any) -> tuple[str, ...]:
        """The pieces with which a ply declares or rolls, for their owners alone."""
        return () if self.table is None or self.table.rolling is None else self.table.rolling(before, after)

    def luck_of(self, state: Any) -> RollLuck | None:
        """Return a roll's luck; None if people rolled any of the dice by hand."""
        if self.chances.luck is None or self._is_typed(state):
            return None
        stake = self.chances.stake(state)
        if stake is None:
            return self.chances.luck(state)
        if stake not in self.lucks:
            self.lucks[stake] = self.chances.luck(state)
        return self.lucks[stake]

    def has_cached_luck(self, state: Any) -> bool:
        """Whether the luck of such a roll is in memory."""
        return self.chances.stake(state) in self.lucks

    def results_of(self, state: Any) -> tuple[RollResult, ...]:
        """Return a roll's results; () if people rolled any of the dice by hand. Raises ``UncountableLuckError``."""
        if self.chances.results is None or self._is_typed(state):
            return ()
        return self.chances.results(state)

    def _is_typed(self, state: Any) -> bool:
        return bool(list_typists(self.rules.rolled(state)))
