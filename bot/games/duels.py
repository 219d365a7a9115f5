"""Games of two people that are files."""

from typing import Final

from bot.games.game import Chances, Commands, Game, Help, OddsCard
from bot.odds import duels as odds
from bot.render import duels as cards
from bot.rules import duels as rules
from bot.rules.duels.rows import DUELS
from bot.rules.text import Code, term

EXAMPLES: Final = tuple(
    (Code(f"{duel.key} {line}"), term(means)) for duel in DUELS.values() for line, means in duel.examples
)

GAME: Final = Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=Chances(
        card=OddsCard(odds.count, cards.odds_card),
        luck=odds.luck,
        stake=odds.stake,
        results=odds.roll_results,
        advice=odds,
        moves=odds.moves,
    ),
    help=Help(
        examples=EXAMPLES,
        worked_examples=tuple((Code(f"/duel attack line:{typed}"), means) for typed, means in EXAMPLES[::2]),
    ),
    commands=Commands(slash="duel", terminal="duel", rolls=("attack",), text_word="line"),
    is_general=True,
    samples=tuple({"game": duel.key, "line": line} for duel in DUELS.values() for line, _ in duel.examples),
)
