"""`/xwing`: attacks between two people, their odds, loose dice, and the ships of a channel."""

from functools import partial
from typing import Final

from discord.ext import commands

from bot.client import Client
from bot.rules.text import Text, english
from bot.rules.xwing import KEY
from bot.ui.core.responses import StepAnswered
from bot.ui.dispatch import router, subscriptions
from bot.ui.dispatch.router import Route, Routes
from bot.ui.roll import roll_message
from bot.ui.table import board_actions
from cogs.xwing import attack, score, squads
from cogs.xwing.attack import AttackCommands
from cogs.xwing.cards import CardSetCommands
from cogs.xwing.score import ScoreCommands
from cogs.xwing.ships import ShipCommands
from cogs.xwing.steps import DamageCommands, PhaseCommands, TokenCommands


class XWing(
    CardSetCommands,
    DamageCommands,
    PhaseCommands,
    ScoreCommands,
    TokenCommands,
    ShipCommands,
    AttackCommands,
    commands.GroupCog,
    group_name="xwing",
    group_description=english(Text("X-Wing 2nd edition: attacks, dice, odds, ships, and rounds")),
):
    """One command group, with one file per subject; registered from last to first."""


ROUTES: Final[Routes] = {
    attack.ANYWAY: Route(attack.attack_anyway),
    attack.AGAIN: Route(attack.attack_anyway),
    attack.END_ROUND: Route(attack.end_round),
    score.END: Route(score.end_match),
    score.CLOCK: Route(score.turn_clock),
    score.POINTS: Route(score.ask_points, score.points_filled),
    score.SCENARIO: Route(score.ask_scenario, score.scenario_filled),
    score.ENDS: Route(score.ask_ends, score.ends_filled),
    squads.ADD: Route(squads.handle_answer),
    **dict.fromkeys(squads.DIALS.values(), Route(squads.choose_dials)),
    squads.FIRST: Route(squads.choose),
    squads.PASTE: Route(squads.ask, squads.submit_squads),
    **dict.fromkeys(squads.PASTE_AS.values(), Route(squads.ask, squads.submit_squads)),
    squads.REPLACE: Route(squads.handle_answer),
    squads.SECOND: Route(squads.choose),
}
"""Handlers of the game's buttons and forms, besides rolls and the board."""


async def setup(client: Client) -> None:
    """Add the commands, and handlers for their buttons and forms."""
    await client.add_cog(XWing())
    client.bus.subscribe(StepAnswered, squads.follow, subscriptions.kept_in(client.side_questions))
    client.bus.subscribe(StepAnswered, score.follow, subscriptions.has_clock)
    roll_message.OPENERS[KEY] = attack.declare_and_open
    router.ROUTES.update(ROUTES)
    board_actions.CARDS["show-score"] = partial(score.show, anew=True)
