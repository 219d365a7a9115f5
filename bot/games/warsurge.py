"""WARSURGE."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from bot.games import game
from bot.odds import warsurge as odds
from bot.render import warsurge as cards
from bot.rules import warsurge as rules
from bot.rules.game import Field, Option, Variant
from bot.rules.text import Noun, Text
from bot.rules.warsurge import methods, pieces
from bot.rules.warsurge.declared import Declared as Hits, Volley
from bot.rules.warsurge.play import hp_loss


def of_fields(fields: game.Words) -> Hits | Volley:
    """The attack that the fields of the page declare. Raises ``PlayerError``."""
    stats = game.numbers(fields, "power", "defence", "attack_dice", "save", "ap")
    return rules.declare({"method": fields.get("method", methods.Method.CASUAL), **stats})


def of_warsurge(attacks: Sequence[object]) -> game.Question:
    result = list[game.Words]()
    for attack in attacks:
        if not isinstance(attack, Hits):
            return ()
        asked = {
            "power": attack.power,
            "defence": attack.defence,
            "attack_dice": attack.attack_dice,
            "save": attack.save or "",
        }
        texts = {key: str(number) for key, number in asked.items()}
        result.append(game.read_fields({"method": str(attack.method)} | texts))
        if of_fields(result[-1]) != attack:
            return ()
    return tuple(result)


GAME: Final = game.Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=game.Chances(
        card=game.OddsCard(odds.count, cards.odds_card, asked=of_warsurge), luck=odds.luck, results=odds.roll_results
    ),
    table=game.GameTable(
        pieces=pieces,
        changes=pieces,
        facts=cards.facts,
        piece=Noun("unit", "units"),
        declare=pieces.declare,
        form=pieces.weapons_form,
        words=("attacker", "target"),
        about=pieces.subject_units,
        is_out=attrgetter("is_destroyed"),
    ),
    help=game.read_help(rules.KEY),
    commands=game.Commands(rolls=("attack",)),
    form=game.Form(
        title=Text("WARSURGE"),
        asked=(
            game.number_field("power", Text("Power"), 20),
            game.number_field("defence", Text("Defence"), 20),
            game.number_field("attack_dice", Text("Attack dice"), 20, 1),
            Field("method", Text("Method"), options=tuple(Option(method, method.label) for method in methods.Method)),
            game.number_field("save", Text("Armour save, or better"), 6, 2),
            game.number_field("ap", Text("AP"), 6),
        ),
        cards=lambda _, asks: [cards.odds_card(odds.count([of_fields(ask)])) for ask in asks],
        declare=lambda _, ask: of_fields(ask),
        value=hp_loss,
        most=3,
        example={"power": "7", "defence": "4", "attack_dice": "3", "method": methods.Method.CASUAL},
    ),
    variants=(
        Variant(
            word="method",
            title=Text("WARSURGE method"),
            values={method: method.label for method in methods.Method},
            built_in=methods.Method.CASUAL,
            personal=True,
        ),
    ),
    not_secret=pieces.not_secret,
    samples=game.read_samples(rules.KEY),
)
