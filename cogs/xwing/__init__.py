"""`/xwing`: attacks between two people, their odds, loose dice, and the ships of a channel."""

from functools import partial
from typing import Final

from discord.ext import commands

from bot.client import Client
from bot.rules.text import Text, english
from bot.rules.xwing import KEY
from bot.ui import after, board_press, panel, press
from bot.ui.answer import Stepping
from bot.ui.press import Route, Routes
from cogs.xwing import attack, score, squads
from cogs.xwing.attack import Attacks
from cogs.xwing.cards import Cards
from cogs.xwing.score import Scores
from cogs.xwing.ships import Ships
from cogs.xwing.steps import Mishaps, Phases, Tokens


class XWing(
    Cards,
    Mishaps,
    Phases,
    Scores,
    Tokens,
    Ships,
    Attacks,
    commands.GroupCog,
    group_name="xwing",
    group_description=english(Text("X-Wing 2nd edition: attacks, dice, odds, ships and rounds")),
):
    """One group of commands; each file brings those of one subject. They are registered from the last to the first."""


ROUTES: Final[Routes] = {
    attack.ANYWAY: Route(attack.attack_anyway),
    attack.AGAIN: Route(attack.attack_anyway),
    score.END: Route(score.end),
    score.CLOCK: Route(score.turn_clock),
    score.POINTS: Route(score.ask_points, score.points_filled),
    score.SCENARIO: Route(score.ask_scenario, score.scenario_filled),
    score.ENDS: Route(score.ask_ends, score.ends_filled),
    squads.ADD: Route(squads.answered),
    **dict.fromkeys(squads.DIALS.values(), Route(squads.choose_dials)),
    squads.FIRST: Route(squads.choose),
    squads.PASTE: Route(squads.ask, squads.pasted),
    **dict.fromkeys(squads.PASTE_AS.values(), Route(squads.ask, squads.pasted)),
    squads.REPLACE: Route(squads.answered),
    squads.SECOND: Route(squads.choose),
}
"""Handlers of this game's buttons and forms, beside its rolls and the board."""


async def setup(client: Client) -> None:
    """The commands, and what their buttons and forms do."""
    await client.add_cog(XWing())
    client.bus.on(Stepping, squads.follow, after.kept_in(client.side_questions))
    client.bus.on(Stepping, score.follow, after.has_clock)
    panel.OPENERS[KEY] = attack.declare_and_open
    press.ROUTES.update(ROUTES)
    board_press.CARDS["show-score"] = partial(score.show, anew=True)
