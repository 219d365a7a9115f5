"""The Albion Wargame."""

from typing import Final

from bot.games import questions
from bot.games.game import Chances, Commands, Game, OddsCard, Table, never_waits, written_help
from bot.odds import albion as odds
from bot.render import albion as cards
from bot.render import profiles
from bot.rules import albion as rules
from bot.rules.profile import Profiles

GAME: Final = Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=Chances(
        card=OddsCard(odds.count, cards.odds_card, asked=questions.of_albion), luck=odds.luck, results=odds.roll_results
    ),
    table=Table(
        pieces=Profiles(
            stats=dict.fromkeys(("Agility", "Stealth", "Awareness", "Strength"), (0, rules.STAT_MOST)),
            example="Agility 5, Stealth 2",
        ),
        facts=profiles.facts,
    ),
    help=written_help(rules.KEY),
    commands=Commands(rolls=("attack",)),
    not_secret=never_waits,
    samples=({"target": {"agility": 4, "stealth": 3}, "attacker": {"awareness": 3, "strength": 3}, "power": 101},),
)
