"""The games. This is the one place that names them: everything else reads ``GAMES``.

To add a game, write its rules, odds and card, and register them here (see ADDING_A_GAME.md beside this file).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from bot.odds import albion as albion_odds
from bot.odds import infinity as infinity_odds
from bot.odds import warsurge as warsurge_odds
from bot.odds import xwing as xwing_odds
from bot.odds.advice import Adviser
from bot.odds.luck import Luck, RollResult
from bot.odds.xwing import advice as xwing_advice
from bot.render import albion as albion_card
from bot.render import board, fleet, phases, profiles, troopers
from bot.render import help as help_page
from bot.render import infinity as infinity_card
from bot.render import odds as odds_cards
from bot.render import warsurge as warsurge_card
from bot.render import xwing as xwing_card
from bot.render.card import Card, Figure, Grid
from bot.rules import albion, infinity, warsurge, xwing
from bot.rules.albion import STAT_MOST
from bot.rules.game import Rules, Side, Variant
from bot.rules.infinity import pieces as infinity_pieces
from bot.rules.pieces import Controls, Pieces
from bot.rules.profile import Profiles
from bot.rules.warsurge import pieces as warsurge_pieces
from bot.rules.warsurge.methods import Method
from bot.rules.xwing import controls as xwing_controls
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
class Game:
    """Everything that the bot knows about one game. Only the first three are needed; the rest is optional.

    ``rules``: how a roll starts, what may follow, and what follows.
    ``odds``: the exact odds of a declaration in JSON words, fractions as ``"15/8"``.
    ``card``: a state on a card, with the names of the two sides.

    ``odds_card``: a chart of its own for its odds command; without it the numbers of ``odds`` are listed.
    ``luck``: how lucky a state was; None while the roll is open, or where nothing is at stake.
    ``result``: what a finished roll came to in damage or the like, and its exact distribution, for the luck of a match;
    None as for ``luck``.
    ``advice``: what each open choice is worth.
    ``pieces``: what stays in a channel beyond a roll, and what a roll takes from it.
    ``declare_with_pieces``: a declaration that may name pieces of the channel, which bring what they have.
    ``seen``: a piece as everybody may see it, None for one that nobody may; without it nothing of them is hidden.
    ``piece_words``: the words of a declaration that name pieces. Without any of them in it nothing is read from the
    channel; where the game says none, any word may name one.
    ``played_by``: the names of the pieces that a declaration is about, by side; their owners play those sides.
    ``controls``: what can be done with the pieces on the board.
    ``piece``: what people call one of them, in the singular.
    ``facts``: the pieces on the board, a name and some lines for each; of a game with ``controls`` it also takes the
    names of the players by number.
    ``examples``: what people type in short words, each with what it means, for a help page of their own.
    ``picture``: the pieces on the board as a picture, with the names of the players by number; None for none of them.
    ``summary``: how the game of these pieces stands, in a sentence for the board.
    ``variants``: words of its declarations for which a table may choose a value (edition, method).
    ``reference``: a table of numbers for its help page.
    ``samples``: declarations in JSON words, with which the tests try the laws that hold for every game.
    """

    rules: Rules
    odds: Callable[[Any], Mapping[str, object]]
    card: Callable[[Any, Names], Card]
    odds_card: OddsCard | None = None
    luck: Callable[[Any], Luck | None] | None = None
    result: Callable[[Any], RollResult | None] | None = None
    advice: Adviser | None = None
    pieces: Pieces | None = None
    declare_with_pieces: Callable[[Mapping[str, object], Mapping[str, Any]], Any] | None = None
    seen: Callable[[Any], Any | None] | None = None
    piece_words: tuple[str, ...] = ()
    played_by: Callable[[Any], Mapping[Side, str]] | None = None
    controls: Controls | None = None
    piece: str = "profile"
    facts: Callable[..., Facts] | None = None
    picture: Callable[[Mapping[str, Any], Mapping[int, str]], Figure | None] | None = None
    summary: Callable[[Mapping[str, Any]], str] | None = None
    examples: tuple[tuple[str, str], ...] = ()
    variants: tuple[Variant, ...] = ()
    reference: Callable[[], Grid] | None = None
    samples: tuple[Mapping[str, object], ...] = ()

    @property
    def key(self) -> str:
        """The one lower-case word that names the game everywhere."""
        return self.rules.KEY

    @property
    def title(self) -> str:
        return self.rules.TITLE

    @property
    def odds_answer(self) -> OddsCard:
        """How its odds command is answered: with its own chart, or with the numbers of ``odds`` in a list."""
        return self.odds_card or OddsCard(self.odds, partial(odds_cards.plain, self.title))

    def __reduce__(self) -> tuple[Callable[[str], "Game"], tuple[str]]:
        """Another process has the same games: a roll that goes there only names its own."""
        return game_of, (self.key,)

    def luck_of(self, state: Any) -> Luck | None:
        """How lucky a roll was; None where people rolled any of the dice by hand."""
        if self.luck is None or any(die.entered_by for die in self.rules.rolled(state)):
            return None
        return self.luck(state)

    def result_of(self, state: Any) -> RollResult | None:
        """What a roll came to; None where people rolled any of the dice by hand."""
        if self.result is None or any(die.entered_by for die in self.rules.rolled(state)):
            return None
        return self.result(state)


def game_of(key: str) -> Game:
    return GAMES[key]


def xwing_averages() -> Grid:
    """The rules page's tables of averages, computed."""
    return help_page.average_table(xwing_odds.averages())


XWING: Final = Game(
    rules=xwing,
    odds=xwing_odds.odds,
    card=xwing_card.card,
    odds_card=OddsCard(xwing_odds.count, odds_cards.xwing),
    luck=xwing_odds.luck,
    result=xwing_odds.roll_result,
    advice=xwing_advice,
    pieces=xwing_pieces,
    declare_with_pieces=xwing_pieces.declare,
    piece_words=("attacker", "defender"),
    seen=xwing_pieces.seen,
    played_by=xwing_pieces.by_side,
    controls=xwing_controls,
    piece="ship",
    facts=fleet.facts,
    picture=board.roster,
    summary=phases.summary,
    reference=xwing_averages,
    examples=tuple((text, meaning) for _, text, meaning in xwing_words.EXAMPLES),
    variants=(Variant(word="ruleset", title="X-Wing ruleset", values={"2.5": "2.5", "2.0": "2.0"}, built_in="2.5"),),
    samples=(
        {"attack": {"dice": 3, "focus": 1, "lock": 1}, "defense": {"dice": 2, "evade": 1}, "hull": 3, "shields": 1},
        {"attack": {"dice": 4, "rerolls": [1], "hit_to_crit": 1}, "defense": {"dice": 3, "reinforce": 1}, "range": 3},
    ),
)

INFINITY: Final = Game(
    rules=infinity,
    odds=infinity_odds.odds,
    card=infinity_card.card,
    odds_card=OddsCard(infinity_odds.count, odds_cards.infinity),
    luck=infinity_odds.luck,
    result=infinity_odds.roll_result,
    pieces=infinity_pieces,
    declare_with_pieces=infinity_pieces.declare,
    facts=troopers.facts,
    variants=(
        Variant(
            word="edition",
            title="Infinity edition",
            values={"n5": "N5", "n4": "N4", "n3": "N3"},
            built_in="n5",
            personal=True,
        ),
    ),
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
    odds_card=OddsCard(warsurge_odds.count, warsurge_card.odds_card),
    luck=warsurge_odds.luck,
    result=warsurge_odds.roll_result,
    pieces=warsurge_pieces,
    declare_with_pieces=warsurge_pieces.declare,
    piece_words=("attacker", "target"),
    piece="unit",
    facts=warsurge_card.facts,
    variants=(
        Variant(
            word="method",
            title="WARSURGE method",
            values={method: method.label for method in Method},
            built_in=Method.CASUAL,
            personal=True,
        ),
    ),
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
    odds_card=OddsCard(albion_odds.count, odds_cards.albion),
    luck=albion_odds.luck,
    result=albion_odds.roll_result,
    pieces=Profiles(
        stats=dict.fromkeys(("Agility", "Stealth", "Awareness", "Strength"), (0, STAT_MOST)),
        example="Agility 5, Stealth 2",
    ),
    facts=profiles.facts,
    samples=({"target": {"agility": 4, "stealth": 3}, "attacker": {"awareness": 3, "strength": 3}, "power": 101},),
)

GAMES: Final[dict[str, Game]] = {game.key: game for game in (XWING, INFINITY, WARSURGE, ALBION)}
"""The games by key, in the order in which people see them."""
