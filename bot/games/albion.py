"""The Albion Wargame."""

from typing import Final

from bot.games.game import (
    Chances,
    Commands,
    Form,
    Game,
    OddsCard,
    Question,
    Table,
    Words,
    filled,
    never_waits,
    number_field,
    numbers,
    tick_field,
    written_help,
    written_samples,
)
from bot.odds import albion as odds
from bot.render import albion as cards
from bot.render import profiles
from bot.rules import albion as rules
from bot.rules.albion import Declared as Action
from bot.rules.profile import Profiles
from bot.rules.text import Text


def of_fields(fields: Words) -> Action:
    """The action that the fields of the page declare. Raises ``PlayerError``."""
    target = numbers(fields, "agility", "stealth") | {"dodging": bool(fields.get("dodging"))}
    return rules.declare({"target": target, "attacker": numbers(fields, "awareness", "strength")})


def of_albion(one: Action) -> Question:
    stats = {key: str(getattr(one, key)) for key in ("awareness", "strength", "agility", "stealth")}
    fields = filled({**stats, "dodging": "yes" if one.dodging else ""})
    return (fields,) if of_fields(fields) == one else ()


GAME: Final = Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=Chances(
        card=OddsCard(rules.working, cards.odds_card, asked=of_albion), luck=odds.luck, results=odds.roll_results
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
    form=Form(
        title=Text("Albion"),
        asked=(
            number_field("awareness", Text("Your Awareness"), 12),
            number_field("strength", Text("Your Strength"), 12),
            number_field("agility", Text("The target's Agility"), 12),
            number_field("stealth", Text("The target's Stealth"), 12),
            tick_field("dodging", Text("The target dodges")),
        ),
        cards=lambda _, asks: [cards.odds_card(rules.working(of_fields(one))) for one in asks],
        most=3,
        example={"awareness": "3", "strength": "3", "agility": "4", "stealth": "3"},
    ),
    not_secret=never_waits,
    samples=written_samples(rules.KEY),
)
