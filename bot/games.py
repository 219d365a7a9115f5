"""The games. This is the one place that names them: everything else reads ``GAMES``.

To add a game, write its rules, odds and card, and register them here (see ADDING_A_GAME.md beside this file).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, Final

from bot.odds import albion as albion_odds
from bot.odds import anydice as anydice_odds
from bot.odds import contest as contest_odds
from bot.odds import infinity as infinity_odds
from bot.odds import warsurge as warsurge_odds
from bot.odds import xwing as xwing_odds
from bot.odds.advice import Adviser
from bot.odds.luck import Luck, RollResult
from bot.odds.xwing import advice as xwing_advice
from bot.render import albion as albion_card
from bot.render import anydice as anydice_card
from bot.render import contest as contest_card
from bot.render import infinity as infinity_card
from bot.render import odds as odds_cards
from bot.render import profiles, turns
from bot.render import warsurge as warsurge_card
from bot.render import xwing as xwing_card
from bot.render.anydice import asked as asked_card
from bot.render.card import Card, Figure, Grid
from bot.render.infinity import odds as infinity_odds_card
from bot.render.infinity import troopers
from bot.render.xwing import board, fleet, phases
from bot.render.xwing import odds as xwing_odds_card
from bot.render.xwing import score as xwing_score
from bot.rules import albion, anydice, contest, infinity, turn_order, warsurge, xwing
from bot.rules.albion import STAT_MOST
from bot.rules.anydice.examples import PAGES as DICE_OF_SYSTEMS
from bot.rules.dice import typed_by
from bot.rules.game import Field, Rules, Side, Variant
from bot.rules.infinity import open_order as infinity_orders
from bot.rules.infinity import pieces as infinity_pieces
from bot.rules.infinity import play as infinity_play
from bot.rules.infinity import skills as infinity_skills
from bot.rules.infinity import states as infinity_states
from bot.rules.infinity import words as infinity_words
from bot.rules.pieces import Controls, FollowUps, Pieces
from bot.rules.profile import Profiles
from bot.rules.text import Noun, Text
from bot.rules.warsurge import pieces as warsurge_pieces
from bot.rules.warsurge.methods import Method
from bot.rules.xwing import aftermath as xwing_aftermath
from bot.rules.xwing import attack as xwing_attack
from bot.rules.xwing import card_sets as xwing_card_sets
from bot.rules.xwing import controls as xwing_controls
from bot.rules.xwing import match as xwing_match
from bot.rules.xwing import pieces as xwing_pieces
from bot.rules.xwing import words as xwing_words

Names = Mapping[Side, str]
"""What the people on each side are called; a side that nobody took is missing."""
Facts = tuple[tuple[str, str], ...]
"""Names with a few lines of text each."""


@dataclass(frozen=True, slots=True)
class OddsCard:
    """How an odds command is answered. ``count`` may take long, see ``bot.odds.effort``; ``draw`` is quick.

    ``count`` takes what the command asks: a declaration, or whatever the game's own command compares. It is a function
    of a module, and question and answer can be pickled, because a large question is counted in another process.
    """

    count: Callable[..., Any]
    draw: Callable[[Any], Card]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """What a game counts beyond the plain odds of a declaration.

    ``card``: a chart of its own for its odds command; without it the numbers of ``Game.odds`` are listed.
    ``luck``: how lucky a state was; None while the roll is open, or where nothing is at stake.
    ``results``: what a finished roll came to in damage or the like, with its exact distribution, for the luck of a
    match; () as for ``luck``. Raises ``Uncountable`` for a roll that is too large for that.
    ``advice``: what each open choice is worth.
    ``is_luck_apart``: the luck of a roll is not on its card, but behind How?.
    """

    card: OddsCard | None = None
    luck: Callable[[Any], Luck | None] | None = None
    results: Callable[[Any], tuple[RollResult, ...]] | None = None
    advice: Adviser | None = None
    is_luck_apart: bool = False


@dataclass(frozen=True, slots=True)
class Pressed:
    """A help page with commands to press: its key and title, and for each a label, the command, and what it does."""

    key: str
    title: str
    commands: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Help:
    """What the help pages of a game show beside its commands and notes.

    ``examples``: what people type in short words, each with what it means, for a page of their own.
    ``worked_examples``: three commands to copy, each with what it does, at the top of its page.
    ``reference``: a table of numbers. ``counted``: what of a profile counts, for a page of its own.
    ``reference``: a table of numbers.
    ``systems``: pages by their key, each with commands to press: a label, the command, and what it does.
    """

    examples: tuple[tuple[str, str], ...] = ()
    worked_examples: tuple[tuple[str, str], ...] = ()
    reference: Callable[[], Grid] | None = None
    counted: tuple[tuple[str, str], ...] = ()
    systems: tuple["Pressed", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """The words by which people reach a game.

    ``slash``: its slash command, and ``terminal``: its name in the terminal, where they are not the key.
    ``rolls``: the parts of its slash command that declare a roll, "" for the command itself; people can save such
    rolls under a name.
    ``dice``: further commands, in full, that take dice; a button can hold them as it holds those of ``rolls``.
    ``text_word``: the word of a declaration that a bare text in the terminal stands for.
    ``text_shown``: how the text of a declaration was understood.
    """

    slash: str = ""
    terminal: str = ""
    rolls: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    text_word: str = ""
    text_shown: Callable[[Any], str] | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ends. Players go by their numbers in the channel, by which pieces name their owner.

    ``winner``: of the pieces before a step and after it; None while the match goes on, 0 where nobody wins.
    ``lost``: the names of the pieces that were lost.
    ``players``: who has pieces on the table. ``rounds``: how many rounds were played.
    ``decided``: who has won, though pieces of several players are there; None while nobody has, 0 for nobody.
    ``points``: what each player's side has by points; {} where there are none.
    ``rematch``: what changes so that all pieces, with those that were lost, come back for a new match.
    ``picture``: the pieces at the end with those that were lost, the names of the players, and the winner or None.
    ``clock``: when the time of the match is over, in seconds of the epoch, 0 for no clock.
    ``squads``: the pieces of each player, in the form in which people exchange them.
    """

    winner: Callable[[Mapping[str, Any], Mapping[str, Any]], int | None]
    lost: Callable[[Mapping[str, Any]], tuple[str, ...]]
    players: Callable[[Mapping[str, Any]], set[int]]
    rounds: Callable[[Mapping[str, Any]], int]
    rematch: Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]]
    decided: Callable[[Mapping[str, Any]], int | None]
    points: Callable[[Mapping[str, Any]], Mapping[int, int]]
    picture: Callable[[Mapping[str, Any], Mapping[str, Any], Mapping[int, str], int | None], Figure | None]
    clock: Callable[[Mapping[str, Any]], int]
    squads: Callable[[Mapping[str, Any]], Mapping[int, Mapping[str, object]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What can be done with the pieces on the board of a channel, and how they look there.

    ``controls``: the buttons and lists. ``picture``: the pieces, with the names of the players by number; None for
    none of them. ``summary``: how the game of these pieces stands, in a sentence; it takes the same. ``headline``: the
    same without what the picture says. ``ends_at``: when the clock of the game is over, in seconds of the epoch, 0 for
    none. ``beside``: cards that its list shows, each a label and a word of ``board_press.CARDS``.
    ``secrets``: what only the owner of a piece may see of it.
    """

    controls: Controls
    picture: Callable[[Mapping[str, Any], Mapping[int, str]], Figure | None]
    summary: Callable[[Mapping[str, Any], Mapping[int, str]], str]
    headline: Callable[[Mapping[str, Any], Mapping[int, str]], str]
    ends_at: Callable[[Mapping[str, Any]], int] | None = None
    beside: tuple[tuple[str, str], ...] = ()
    secrets: Callable[[Any], Card] | None = None


PROFILE: Final = Noun("profile", "profiles")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What stays in a channel beyond a roll: ships, troopers, profiles. Only the first two are needed.

    ``pieces``: what a piece is, and what a roll takes from them.
    ``facts``: the pieces, a name and some lines for each; with a ``board`` it also takes the names of the players by
    number.

    ``piece``: what people call one of them, and several.
    ``board``: what the board of the channel offers for them, beyond showing their facts.
    ``declare``: a declaration that may name pieces of the channel, which bring what they have.
    ``words``: the words of a declaration that name pieces. Without any of them in it nothing is read from the channel;
    where the game says none, any word may name one.
    ``form``: the title and fields of the form that declared a roll with these texts and the pieces of the channel, None
    where there is none any more; of a game with forms that ``ask_roll`` opens.
    ``seen``: a piece as everybody may see it, None for one that nobody may; without it nothing of them is hidden.
    ``played_by``: the names of the pieces that a declaration is about, by side; their owners play those sides.
    ``rolling``: the names of the pieces with which a ply, from one state to the next, declares or rolls; only their
    owners or a GM do that.
    ``follow_ups``: the rolls that follow from one that is over, for offers that ``follows``.
    ``about``: the names of the pieces that a roll is about, for its line in the history.
    ``is_out``: whether a piece is out of the game, for a recap.
    ``ending``: when a match of the pieces is over, and who lost what.
    """

    pieces: Pieces
    facts: Callable[..., Facts]
    piece: Noun = PROFILE
    board: Board | None = None
    declare: Callable[[Mapping[str, object], Mapping[str, Any]], Any] | None = None
    words: tuple[str, ...] = ()
    form: Callable[[Mapping[str, str], Mapping[str, Any]], tuple[str, tuple[Field, ...]] | None] | None = None
    seen: Callable[[Any], Any | None] | None = None
    played_by: Callable[[Any], Mapping[Side, str]] | None = None
    rolling: Callable[[Any, Any], tuple[str, ...]] | None = None
    follow_ups: FollowUps | None = None
    about: Callable[[Any], tuple[str, ...]] | None = None
    is_out: Callable[[Any], bool] | None = None
    ending: Ending | None = None

    def facts_of(self, pieces: Mapping[str, Any], owners: Mapping[int, str]) -> Facts:
        """The facts of some pieces; ``owners`` are the names of the players by number."""
        return self.facts(pieces) if self.board is None else self.facts(pieces, owners)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """Everything that the bot knows about one game. Only the first three are needed; the rest is optional.

    ``rules``: how a roll starts, what may follow, and what follows.
    ``odds``: the exact odds of a declaration in JSON words, fractions as ``"15/8"``.
    ``card``: a state on a card, with the names of the two sides.

    ``chances``: charts, luck and advice. ``table``: what stays in a channel beyond a roll.
    ``help``: what its help pages show. ``commands``: the words by which people reach it.
    ``variants``: words of its declarations for which a table may choose a value (edition, method).
    ``not_secret``: why a declaration cannot be rolled in secret, in a sentence, "" for one that can: its dice fall at
    once, wait for nobody's choice, and change no piece, whatever they show. Without it nothing of the game can.
    ``forced``: how many rolls of a state the rules forbid and only a GM may make all the same.
    ``by_hand_words``: the words of a declaration that say that people will roll dice by hand.
    ``has_undo``: its cards have a button that takes the last press back.
    ``is_general``: dice for any game, not a game with rules of its own.
    ``samples``: declarations in JSON words, with which the tests try the laws that hold for every game. Without any a
    roll is declared by nothing.
    """

    rules: Rules
    odds: Callable[[Any], Mapping[str, object]]
    card: Callable[[Any, Names], Card]
    chances: Chances = Chances()
    table: Table | None = None
    help: Help = Help()
    commands: Commands = Commands()
    variants: tuple[Variant, ...] = ()
    not_secret: Callable[[Any], str] | None = None
    forced: Callable[[Any], int] | None = None
    by_hand_words: tuple[str, ...] = ()
    has_undo: bool = False
    is_general: bool = False
    samples: tuple[Mapping[str, object], ...] = ({},)

    @property
    def key(self) -> str:
        """The one lower-case word that names the game everywhere."""
        return self.rules.KEY

    @property
    def slash(self) -> str:
        """Its slash command."""
        return self.commands.slash or self.key

    @property
    def title(self) -> str:
        return self.rules.TITLE

    @property
    def odds_answer(self) -> OddsCard:
        """How its odds command is answered: with its own chart, or with the numbers of ``odds`` in a list."""
        return self.chances.card or OddsCard(self.odds, partial(odds_cards.plain, self.title))

    def __reduce__(self) -> tuple[Callable[[str], "Game"], tuple[str]]:
        """Another process has the same games: a roll that goes there only names its own."""
        return game_of, (self.key,)

    @property
    def board(self) -> Board | None:
        """What the board offers for its pieces."""
        return None if self.table is None else self.table.board

    @property
    def ending(self) -> Ending | None:
        """How a match of its pieces ends; None for a game without matches."""
        return None if self.table is None else self.table.ending

    @property
    def follow_ups(self) -> FollowUps | None:
        """The rolls that follow from one that is over."""
        return None if self.table is None else self.table.follow_ups

    def about(self, state: Any) -> tuple[str, ...]:
        """The names of the pieces that a roll is about."""
        return () if self.table is None or self.table.about is None else self.table.about(state)

    def names_pieces(self, words: Mapping[str, object]) -> bool:
        """Whether the words of a declaration may name pieces of the channel."""
        if self.table is None or self.table.declare is None:
            return False
        return not self.table.words or not words.keys().isdisjoint(self.table.words)

    def declare(self, words: Mapping[str, object], pieces: Mapping[str, Any]) -> Any:
        """A declaration from words that may name ``pieces``. Raises ``PlayerError`` as ``Rules.declare`` does."""
        if self.table is None or self.table.declare is None:
            return self.rules.declare(words)
        return self.table.declare(words, pieces)

    def played_by(self, declared: Any) -> Mapping[Side, str]:
        """The pieces that a declaration is about, by the side that their owners play."""
        table = self.table
        return {} if table is None or table.played_by is None else table.played_by(declared)

    def rolling(self, before: Any, after: Any) -> tuple[str, ...]:
        """The pieces with which a ply declares or rolls, for their owners alone."""
        return () if self.table is None or self.table.rolling is None else self.table.rolling(before, after)

    def luck_of(self, state: Any) -> Luck | None:
        """How lucky a roll was; None where people rolled any of the dice by hand."""
        if self.chances.luck is None or self._is_typed(state):
            return None
        return self.chances.luck(state)

    def results_of(self, state: Any) -> tuple[RollResult, ...]:
        """What a roll came to; () where people rolled any of the dice by hand. Raises ``Uncountable``."""
        if self.chances.results is None or self._is_typed(state):
            return ()
        return self.chances.results(state)

    def _is_typed(self, state: Any) -> bool:
        return bool(typed_by(self.rules.rolled(state)))


def game_of(key: str) -> Game:
    return GAMES[key]


def never_waits(_: object) -> str:
    """For ``not_secret``: every roll of the game is over at once and concerns nothing else."""
    return ""


def xwing_averages() -> Grid:
    """The rules page's tables of averages, computed."""
    return xwing_odds_card.average_table(xwing_odds.averages())


XWING: Final = Game(
    rules=xwing,
    odds=xwing_odds.odds,
    card=xwing_card.card,
    chances=Chances(
        card=OddsCard(xwing_odds.count, xwing_odds_card.card),
        luck=xwing_odds.luck,
        results=xwing_odds.roll_results,
        advice=xwing_advice,
    ),
    table=Table(
        pieces=xwing_pieces,
        facts=fleet.facts,
        piece=Noun("ship", "ships"),
        board=Board(
            controls=xwing_controls,
            picture=board.roster,
            summary=phases.summary,
            headline=phases.headline,
            ends_at=xwing_match.ends_at,
            beside=((Text("Score and clock"), "show-score"),),
            secrets=fleet.its_cards,
        ),
        declare=xwing_pieces.declare,
        words=("attacker", "defender"),
        seen=xwing_pieces.seen,
        played_by=xwing_pieces.by_side,
        follow_ups=xwing_aftermath,
        about=xwing_pieces.about,
        ending=Ending(
            winner=xwing_match.winner,
            lost=xwing_match.lost,
            players=xwing_match.players,
            rounds=xwing_match.rounds,
            rematch=xwing_match.rematch,
            decided=xwing_match.decided,
            points=xwing_score.points_by_player,
            picture=xwing_score.share,
            clock=xwing_match.clock_ends,
            squads=xwing_match.squads,
        ),
    ),
    help=Help(
        examples=tuple((text, meaning) for _, text, meaning in xwing_words.EXAMPLES),
        worked_examples=(
            ("/xwing attack", Text("a form: the two ships, or dice and tokens")),
            (
                "/xwing attack dice:3 with:focus, lock agility:2 against:evade",
                Text("an attack without ships, both sides known"),
            ),
            ("/xwing odds dice:3 with:focus or:lock agility:2", Text("is a focus or a lock better?")),
        ),
        reference=xwing_averages,
    ),
    commands=Commands(rolls=("attack", "roll")),
    variants=(
        Variant(word="ruleset", title=Text("X-Wing ruleset"), values={"2.5": "2.5", "2.0": "2.0"}, built_in="2.5"),
        Variant(
            word="cards",
            title=Text("X-Wing cards"),
            values=xwing_card_sets.Choices(),
            built_in=xwing_card_sets.AUTOMATIC,
            personal=True,
            fills=False,
        ),
    ),
    not_secret=xwing_attack.not_secret,
    by_hand_words=("camera",),
    has_undo=True,
    samples=(
        {"attack": {"dice": 3, "focus": 1, "lock": 1}, "defense": {"dice": 2, "evade": 1}, "hull": 3, "shields": 1},
        {"attack": {"dice": 4, "rerolls": [1], "hit_to_crit": 1}, "defense": {"dice": 3, "reinforce": 1}, "range": 3},
    ),
)

INFINITY: Final = Game(
    rules=infinity,
    odds=infinity_odds.odds,
    card=infinity_card.card,
    chances=Chances(
        card=OddsCard(infinity_odds.count, infinity_odds_card.card),
        luck=infinity_odds.luck,
        results=infinity_odds.roll_results,
    ),
    table=Table(
        pieces=infinity_pieces,
        facts=troopers.facts,
        declare=infinity_pieces.declare,
        form=infinity_orders.declare_form,
        played_by=infinity_pieces.by_side,
        rolling=infinity_pieces.rolling,
        about=infinity_pieces.about,
        is_out=attrgetter("is_down"),
    ),
    help=Help(
        examples=infinity_words.EXAMPLES,
        counted=infinity_skills.told() + infinity_states.told(),
        worked_examples=(
            ("/infinity versus sv:12 burst:3", Text("a Face to Face Roll; the other side presses React")),
            (
                "/infinity order text:Angus 12 b2 vs Ortega 11; Ana 10 dodge",
                Text("several troopers at once, all dice together"),
            ),
            ("/infinity save hits:2 ammo:AP ps:6 arm:3", Text("the Saving Rolls after two hits")),
        ),
    ),
    commands=Commands(rolls=("roll", "versus", "order", "save")),
    variants=(
        Variant(
            word="edition",
            title=Text("Infinity edition"),
            values={"n5": "N5", "n4": "N4", "n3": "N3"},
            built_in="n5",
            personal=True,
        ),
    ),
    not_secret=infinity_pieces.not_secret,
    forced=infinity_play.forced,
    samples=(
        {"sv": 12, "burst": 3},
        {"sv_a": 15, "burst_a": 5, "sv_b": 13, "burst_b": 2},
        {"hits": 2, "crits": 1, "ammo": "DA", "ps": 7, "arm": 3},
    ),
)

WARSURGE: Final = Game(
    rules=warsurge,
    odds=warsurge_odds.odds,
    card=warsurge_card.card,
    chances=Chances(
        card=OddsCard(warsurge_odds.count, warsurge_card.odds_card),
        luck=warsurge_odds.luck,
        results=warsurge_odds.roll_results,
    ),
    table=Table(
        pieces=warsurge_pieces,
        facts=warsurge_card.facts,
        piece=Noun("unit", "units"),
        declare=warsurge_pieces.declare,
        form=warsurge_pieces.weapons_form,
        words=("attacker", "target"),
        about=warsurge_pieces.about,
        is_out=attrgetter("is_destroyed"),
    ),
    help=Help(
        examples=(
            (
                "Defence 5, Save 4+, HP 12; Rifle: Power 6, Dice 4, AP 1",
                Text("a unit with a weapon, for profile set"),
            ),
            (
                "Rifle: Power 6, Dice 4; Cannon: Power 12, AP 2",
                Text("weapons have a name and a colon; a semicolon parts them"),
            ),
            ("Defence 3", Text("what a profile does not say, you type with each attack")),
        ),
        worked_examples=(
            (
                "/warsurge attack power:7 defence:4 dice:3",
                Text("three attack dice; the card shows the need and the HP lost"),
            ),
            (
                "/warsurge compare power:7 defence:4 dice:3",
                Text("Casual, Balanced and Chart side by side, without a roll"),
            ),
            ("/warsurge chart power:7 defence:4", Text("the printed chart with your cell marked")),
        ),
    ),
    commands=Commands(rolls=("attack",)),
    variants=(
        Variant(
            word="method",
            title=Text("WARSURGE method"),
            values={method: method.label for method in Method},
            built_in=Method.CASUAL,
            personal=True,
        ),
    ),
    not_secret=warsurge_pieces.not_secret,
    samples=(
        {"method": "casual", "power": 7, "defence": 2, "attack_dice": 3},
        {"method": "chart", "power": 3, "defence": 6, "save": 5},
        {"defence": 4, "save": 4, "hp": 3, "weapons": "Rifle: Power 6, Dice 3, AP 1; Cannon: Power 12"},
    ),
)

ALBION: Final = Game(
    rules=albion,
    odds=albion_odds.odds,
    card=albion_card.card,
    chances=Chances(
        card=OddsCard(albion_odds.count, albion_card.odds_card),
        luck=albion_odds.luck,
        results=albion_odds.roll_results,
    ),
    table=Table(
        pieces=Profiles(
            stats=dict.fromkeys(("Agility", "Stealth", "Awareness", "Strength"), (0, STAT_MOST)),
            example="Agility 5, Stealth 2",
        ),
        facts=profiles.facts,
    ),
    help=Help(
        examples=(
            ("Agility 5, Stealth 2", Text("who is attacked, for profile set")),
            ("Awareness 3, Strength 4", Text("who attacks")),
            ("72 0 1", Text("dice rolled by hand: Dx36, Dx6 and Dx1, as faces")),
        ),
        worked_examples=(
            (
                "/albion attack agility:4 stealth:3 awareness:3 strength:3",
                Text("does the action hit, and is it a focus point?"),
            ),
            (
                "/albion attack agility:4 stealth:3 awareness:3 strength:3 dodging:True power:120",
                Text("a target that dodges"),
            ),
            (
                "/albion odds agility:4 stealth:3 awareness:3 strength:3",
                Text("the exact odds: miss, hit, focus point"),
            ),
        ),
    ),
    commands=Commands(rolls=("attack",)),
    not_secret=never_waits,
    samples=({"target": {"agility": 4, "stealth": 3}, "attacker": {"awareness": 3, "strength": 3}, "power": 101},),
)

ANYDICE: Final = Game(
    rules=anydice,
    odds=anydice_odds.odds,
    card=asked_card.card,
    chances=Chances(
        card=OddsCard(anydice_odds.count, anydice_card.odds_card), luck=anydice_odds.luck, is_luck_apart=True
    ),
    table=Table(pieces=turn_order, facts=turns.facts, piece=Noun("turn order", "turn orders")),
    help=Help(
        examples=(
            ("4d6kh3", Text("four dice of six sides; the highest three count")),
            ("2d20kl1 + 5", Text("the lower of two, and 5 more")),
            ("6d10!10>=8", Text("tens roll again; how many show 8 or more")),
            ("4dF", Text("Fudge dice")),
        ),
        worked_examples=(
            ("/roll dice:4d6kh3", Text("any dice, by the notation that people know")),
            ("/roll dice:(2d6+3)>=10 label:Dodge", Text("is the sum 10 or more?")),
            ("/roll dice:1d20+4 times:3", Text("three times the same roll")),
        ),
        systems=tuple(
            Pressed(key, page.title, tuple((dice, f"/roll dice:{dice}", meaning) for dice, meaning in page.rolls))
            for key, page in DICE_OF_SYSTEMS.items()
        ),
    ),
    commands=Commands(
        slash="roll",
        terminal="dice",
        rolls=("",),
        dice=("initiative join",),
        text_word="dice",
        text_shown=attrgetter("expression.understood"),
    ),
    not_secret=anydice.not_secret,
    is_general=True,
    samples=(
        {"dice": "4d6kh3"},
        {"dice": "3#1d20+4 to hit"},
        {"dice": "6d10!10>=8"},
        {"dice": "4dF+2d8ro1-1d7"},
        {"dice": "(2d6+3)>=10", "label": "Dodge"},
        {"dice": "1d20", "request": "@1 +5, @2", "at_once": True},
    ),
)

CONTEST: Final = Game(
    rules=contest,
    odds=contest_odds.odds,
    card=contest_card.card,
    chances=Chances(card=OddsCard(contest_odds.count, contest_card.odds_card), luck=contest_odds.luck),
    help=Help(
        examples=(
            ("1d20+5", Text("a die and what is added; the other side has its own")),
            ("6d10>=7", Text("how many show 7 or more; for a contest by successes")),
            ("15", Text("a fixed value on one side, as for a door")),
        ),
        worked_examples=(
            ("/contest dice:1d20+5", Text("waits for the first who answers, with a form for their dice")),
            (
                "/contest dice:1d20+5 their_dice:15 their_name:Door ties:second",
                Text("against an NPC, which wins ties"),
            ),
            (
                "/contest dice:6d10>=7 their_dice:5d10>=7 by:successes odds:True",
                Text("who wins how often, exactly"),
            ),
        ),
    ),
    commands=Commands(rolls=("",)),
    not_secret=contest.not_secret,
    is_general=True,
    samples=(
        {"dice": "1d20+5", "their_dice": "1d20+3"},
        {"dice": "2d6", "by": "lower"},
        {"by": "successes", "dice": "6d6>=5", "their_dice": "4d6>=4", "ties": "second"},
        {"dice": "1d4", "their_dice": "1d4", "ties": "again"},
        {"dice": "2d20kh1", "their_dice": "12", "their_name": "Guard"},
    ),
)

GAMES: Final[dict[str, Game]] = {game.key: game for game in (XWING, INFINITY, WARSURGE, ALBION, ANYDICE, CONTEST)}
"""The games by key, in the order in which people see them."""
IN_A_SENTENCE: Final = [*(game.title for game in GAMES.values() if not game.is_general), Text("any dice")]
"""What the games are called in a sentence."""


def by_command() -> dict[str, Game]:
    """The games by their slash command."""
    return {game.slash: game for game in GAMES.values()}


def roll_commands() -> tuple[str, ...]:
    """The slash commands that declare a roll: ``xwing attack``, ``roll``."""
    return tuple(f"{game.slash} {part}".strip() for game in GAMES.values() for part in game.commands.rolls)


def dice_commands() -> tuple[str, ...]:
    """The slash commands that a button can hold: those that declare a roll, and others that take dice."""
    return roll_commands() + tuple(name for game in GAMES.values() for name in game.commands.dice)


def by_terminal() -> dict[str, Game]:
    """The games by their name in the terminal."""
    return {game.commands.terminal or game.key: game for game in GAMES.values()}
