"""The Albion Wargame."""

from typing import Final

from bot.games.game import (
    Chances,
    Commands,
    Game,
    OddsCard,
    Question,
    Table,
    filled,
    never_waits,
    numbers,
    written_help,
    written_samples,
)
from bot.odds import albion as odds
from bot.render import albion as cards
from bot.render import profiles
from bot.rules import albion as rules
from bot.rules.albion import Declared as Action
from bot.rules.profile import Profiles


def of_albion(one: Action) -> Question:
    stats = {key: str(getattr(one, key)) for key in ("awareness", "strength", "agility", "stealth")}
    whole = numbers(stats)
    target = {key: whole[key] for key in ("agility", "stealth")} | {"dodging": one.dodging}
    attacker = {key: whole[key] for key in ("awareness", "strength")}
    is_same = rules.declare({"target": target, "attacker": attacker}) == one
    return (filled({**stats, "dodging": "yes" if one.dodging else ""}),) if is_same else ()


GAME: Final = Game(
    rules=rules,
    odds=odds.odds,
    card=cards.card,
    chances=Chances(
        card=OddsCard(odds.count, cards.odds_card, asked=of_albion), luck=odds.luck, results=odds.roll_results
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
    samples=written_samples(rules.KEY),
)
