"""The Albion Wargame."""

from typing import Final

from bot.games import game
from bot.odds import albion as odds
from bot.render import albion as cards
from bot.rules import albion as rules
from bot.rules.albion import Declared as Action
from bot.rules.text import EMPTY, Text


def of_fields(fields: game.Words) -> Action:
    """Return the page's fields as an action. Raises ``PlayerError``."""
    target = game.numbers(fields, "agility", "stealth") | {"dodging": bool(fields.get("dodging"))}
    return rules.declare({"target": target, "attacker": game.numbers(fields, "awareness", "strength")})


def of_albion(declared: Action) -> game.Question:
    stats = {key: str(getattr(declared, key)) for key in ("awareness", "strength", "agility", "stealth")}
    fields = game.read_fields({**stats, "dodging": "yes" if declared.dodging else ""})
    return (fields,) if of_fields(fields) == declared else ()


GAME: Final = game.Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=game.Chances(
        card=game.OddsCard(rules.calculate, cards.odds_card, asked=of_albion), luck=odds.luck, results=odds.roll_results
    ),
    table=game.GameTable(pieces=rules.PROFILES, facts=cards.profile_facts),
    help=game.read_help(rules.KEY),
    commands=game.Commands(rolls=("attack",)),
    form=game.Form(
        title=Text("Albion"),
        asked=(
            game.number_field("awareness", Text("Your Awareness"), 12),
            game.number_field("strength", Text("Your Strength"), 12),
            game.number_field("agility", Text("The target's Agility"), 12),
            game.number_field("stealth", Text("The target's Stealth"), 12),
            game.tick_field("dodging", Text("The target dodges")),
        ),
        cards=lambda _, asks: [cards.odds_card(rules.calculate(of_fields(ask))) for ask in asks],
        declare=lambda _, ask: of_fields(ask),
        most=3,
        example={"awareness": "3", "strength": "3", "agility": "4", "stealth": "3"},
    ),
    not_secret=lambda _: EMPTY,
    samples=game.read_samples(rules.KEY),
)
