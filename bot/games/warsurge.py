"""WARSURGE."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from bot.games.game import Chances, Commands, Game, OddsCard, Table, written_help
from bot.games.questions import Asked, Fields, filled, numbers
from bot.odds import warsurge as odds
from bot.render import warsurge as cards
from bot.rules import warsurge as rules
from bot.rules.game import Variant
from bot.rules.text import Noun, Text
from bot.rules.warsurge import pieces
from bot.rules.warsurge.declared import Declared as Hits
from bot.rules.warsurge.methods import Method


def of_warsurge(attacks: Sequence[object]) -> Asked:
    found = []
    for one in attacks:
        fields = hits_fields(one) if isinstance(one, Hits) else {}
        if not fields or rules.declare({"method": fields["method"]} | numbers(fields)) != one:
            return ()
        found.append(fields)
    return tuple(found)


def hits_fields(one: Hits) -> Fields:
    numbers = {"power": one.power, "defence": one.defence, "attack_dice": one.attack_dice, "save": one.save or ""}
    return filled({"method": str(one.method)} | {key: str(number) for key, number in numbers.items()})


GAME: Final = Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=Chances(
        card=OddsCard(odds.count, cards.odds_card, asked=of_warsurge),
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
