"""A contest: two sides roll any dice against each other."""

from typing import Final

from bot.games.game import Chances, Commands, Game, OddsCard, written_help
from bot.odds import contest as odds
from bot.render import contest as cards
from bot.rules import contest as rules

GAME: Final = Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=Chances(card=OddsCard(odds.count, cards.odds_card), luck=odds.luck),
    help=written_help(rules.KEY),
    commands=Commands(rolls=("",)),
    not_secret=rules.not_secret,
    is_general=True,
    samples=(
        {"dice": "1d20+5", "their_dice": "1d20+3"},
        {"dice": "2d6", "by": "lower"},
        {"by": "successes", "dice": "6d6>=5", "their_dice": "4d6>=4", "ties": "second"},
        {"dice": "1d4", "their_dice": "1d4", "ties": "again"},
        {"dice": "2d20kh1", "their_dice": "12", "their_name": "Guard"},
    ),
)
