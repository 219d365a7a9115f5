"""The Albion Wargame."""

from typing import Final

from bot.games import game
from bot.odds import albion as odds
from bot.render import albion as cards
from bot.render import profiles
from bot.rules import albion as rules
from bot.rules.albion import Declared as Action
from bot.rules.profile import Profiles
from bot.rules.text import Text


def of_fields(fields: game.Words) -> Action:
    """The action that the fields of the page declare. Raises ``PlayerError``."""
    target = game.numbers(fields, "agility", "stealth") | {"dodging": bool(fields.get("dodging"))}
    return rules.declare({"target": target, "attacker": game.numbers(fields, "awareness", "strength")})


def of_albion(one: Action) -> game.Question:
    stats = {key: str(getattr(one, key)) for key in ("awareness", "strength", "agility", "stealth")}
    fields = game.filled({**stats, "dodging": "yes" if one.dodging else ""})
    return (fields,) if of_fields(fields) == one else ()


GAME: Final = game.Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=game.Chances(
        card=game.OddsCard(rules.working, cards.odds_card, asked=of_albion), luck=odds.luck, results=odds.roll_results
    ),
    table=game.Table(
        pieces=Profiles(
            stats=dict.fromkeys(("Agility", "Stealth", "Awareness", "Strength"), (0, rules.STAT_MOST)),
            example="Agility 5, Stealth 2",
        ),
        facts=profiles.facts,
    ),
    help=game.written_help(rules.KEY),
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
        cards=lambda _, asks: [cards.odds_card(rules.working(of_fields(one))) for one in asks],
        most=3,
        example={"awareness": "3", "strength": "3", "agility": "4", "stealth": "3"},
    ),
    not_secret=game.never_waits,
    samples=game.written_samples(rules.KEY),
)
