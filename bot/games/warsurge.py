"""WARSURGE."""

from operator import attrgetter
from typing import Final

from bot.games import questions
from bot.games.game import Chances, Commands, Game, OddsCard, Table, written_help
from bot.odds import warsurge as odds
from bot.render import warsurge as cards
from bot.rules import warsurge as rules
from bot.rules.game import Variant
from bot.rules.text import Noun, Text
from bot.rules.warsurge import pieces
from bot.rules.warsurge.methods import Method

GAME: Final = Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=Chances(
        card=OddsCard(odds.count, cards.odds_card, asked=questions.of_warsurge),
        luck=odds.luck,
        results=odds.roll_results,
    ),
    table=Table(
        pieces=pieces,
        changes=pieces,
        facts=cards.facts,
        piece=Noun("unit", "units"),
        declare=pieces.declare,
        form=pieces.weapons_form,
        words=("attacker", "target"),
        about=pieces.about,
        is_out=attrgetter("is_destroyed"),
    ),
    help=written_help(rules.KEY),
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
    not_secret=pieces.not_secret,
    samples=(
        {"method": "casual", "power": 7, "defence": 2, "attack_dice": 3},
        {"method": "chart", "power": 3, "defence": 6, "save": 5},
        {"defence": 4, "save": 4, "hp": 3, "weapons": "Rifle: Power 6, Dice 3, AP 1; Cannon: Power 12"},
    ),
)
