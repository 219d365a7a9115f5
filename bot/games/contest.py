"""A contest: two sides roll any dice against each other."""

from typing import Final

from bot.games.game import Chances, Commands, Game, OddsCard, read_help, read_samples
from bot.odds import contest as odds
from bot.render import contest as cards
from bot.rules import contest as rules

GAME: Final = Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=Chances(card=OddsCard(odds.count, cards.odds_card), luck=odds.luck),
    help=read_help(rules.KEY),
    commands=Commands(rolls=("",)),
    not_secret=rules.not_secret,
    is_general=True,
    samples=read_samples(rules.KEY),
)
