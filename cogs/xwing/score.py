"""`/xwing score`: each side's points, objective points, the scenario, and the clock.

The clock announces five minutes left and the end. Its start is stored with the match; its timer is in memory and
restarted by the next step on the table.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.languages.translate import translate, using_language
from bot.render.xwing.score import score_card, score_line
from bot.rules import game
from bot.rules.errors import PlayerError
from bot.rules.text import EMPTY, N_, Code, Name, Names, Shown, Text
from bot.rules.xwing import KEY
from bot.rules.xwing.table import match as matches, score
from bot.rules.xwing.table.match import MATCH, Changes, Match, Table, match_of, owners_of, score_of
from bot.rules.xwing.table.score import LAST_MINUTES, MAX_POINTS, MAX_REASON, OFTEN, SCENARIOS, Score
from bot.sessions.request import Place
from bot.sessions.turn_notices import Remove
from bot.store.errors import StoreError
from bot.ui.commands.options import CommandOption, Given, choice, takes
from bot.ui.core.card_messages import card_message, user_display
from bot.ui.core.components import AnswerAddress, Components, button
from bot.ui.core.request_context import clean, escape_markdown, language_at, place
from bot.ui.core.responses import StepAnswered, answer
from bot.ui.table.board_actions import number_of
from cogs.xwing.options import match_step, owner_names, pieces, ruleset_of

END: Final = AnswerAddress("score", "end")
POINTS: Final = AnswerAddress("score", "points")
SCENARIO: Final = AnswerAddress("score", "scenario")
CLOCK: Final = AnswerAddress("score", "clock")
ENDS: Final = AnswerAddress("score", "ends")
NONE: Final = "none"
PLAYABLE: Final = (
    *(choice(scenario.name, key) for key, scenario in SCENARIOS.items()),
    choice(Text("No scenario"), NONE),
)
TURNS: Final = (choice(Text("start"), "start"), choice(Text("stop"), "stop"))
SCORE: Final = (
    CommandOption(
        "points", app_commands.Range[int, -MAX_POINTS, MAX_POINTS], Text("Objective points, such as 1 or -1")
    ),
    CommandOption("player", discord.User, Text("Who scores. Default: you")),
    CommandOption("reason", app_commands.Range[str, 1, MAX_REASON], Text("Reason. Default: the scenario's objective")),
    CommandOption("scenario", str, Text("The scenario you're playing"), choices=PLAYABLE),
    CommandOption("clock", str, Text("A clock of 75 minutes"), choices=TURNS),
)


log = logging.getLogger(__name__)

now: Callable[[], float] = time.time
"""Current time, in seconds since the epoch."""


async def step(interaction: Interaction, what: Shown, change: Callable[[Score, Match], Score]) -> None:
    """Apply a step on the score, which undo reverts; without a match, one begins."""
    ruleset = await ruleset_of(interaction)

    def changed(table: Table) -> Changes:
        match = match_of(table) or Match(ruleset=ruleset)
        return {MATCH: replace(match, score=change(match.score, match))}

    await match_step(interaction, what, changed)


async def show(interaction: Interaction, happened: Shown = EMPTY, *, anew: bool = False) -> None:
    """Show the score with its buttons, in place of the pressed card unless ``anew``."""
    table, owners = await pieces(interaction), await owner_names(interaction.client, place(interaction))
    card = score_card(table, owners, int(now()), happened)
    parts = {**card_message(card, await user_display(interaction)), "view": view(table)}
    if anew or interaction.message is None:
        await answer(interaction).post(**parts)
    else:
        await answer(interaction).update(**parts)


def view(table: Table) -> Components:
    held = score_of(table)
    ticks = Text("Stop the clock") if held.began else Text("Start the clock")
    over = [button(Text("End the match"), END)] if len(owners_of(table)) > 1 and held.winner is None else []
    points = button(Text("Points"), POINTS, discord.ButtonStyle.primary)
    ends = button(Text("End conditions"), ENDS)
    return Components([points, button(Text("Scenario"), SCENARIO), button(ticks, CLOCK), *over, ends])


async def ask_points(interaction: Interaction, at: AnswerAddress) -> None:
    """Open the form for objective points: player, number, reason."""
    table, everybody = await pieces(interaction), await interaction.client.tables.players(place(interaction))
    players = {number: item for number, item in everybody.items() if number in owners_of(table)}
    if not players:
        raise PlayerError(Text("Nobody has ships here. Add your squads first."))
    mine = number_of(players, interaction.user.id) or min(players)
    people = tuple(game.Option(str(number), clean(item.name)) for number, item in players.items())
    player = game.Field("player", Text("Who scores"), options=people, value=str(mine))
    await answer(interaction).ask(Text("Objective points"), at, (player, *score.points_fields(score_of(table))))


async def points_filled(interaction: Interaction, _: AnswerAddress, filled: Mapping[str, str]) -> None:
    table = await pieces(interaction)
    reasons = {objective.value: objective.label for objective in score.objectives(score_of(table))}
    if filled.get("player", "") not in map(str, owners_of(table)) or filled.get("points") not in OFTEN:
        raise PlayerError(Text("The table has changed in the meantime. Press Points again."))
    reason = reasons.get(filled.get("reason", ""), reasons["other"])
    await earn(interaction, int(filled["player"]), int(filled["points"]), reason)


async def earn(interaction: Interaction, player: int, points: int, reason: Shown) -> None:
    players = await interaction.client.tables.players(place(interaction))
    name, is_mine = clean(players[player].name), players[player].person_id == interaction.user.id
    # The step names nobody, so it is unchanged when a person is forgotten.
    mine, another = N_("scores {points} for {reason}"), N_("scores {points} for another player, for {reason}")
    what = Text(mine if is_mine else another, points=Code(f"{points:+}"), reason=reason)
    await step(interaction, what, lambda held, match: score.earn(held, player, points, reason, match.last_round))
    happened = Text("{name} scores {points} for {reason}.", name=name, points=Code(f"{points:+}"), reason=reason)
    await show(interaction, happened)


async def ask_scenario(interaction: Interaction, at: AnswerAddress) -> None:
    options = (
        *(game.Option(key, scenario.name) for key, scenario in SCENARIOS.items()),
        game.Option(NONE, Text("No scenario")),
    )
    chosen = score_of(await pieces(interaction)).scenario or NONE
    field = game.Field("scenario", Text("Which scenario are you playing?"), options=options, value=chosen)
    await answer(interaction).ask(Text("Scenario"), at, [field])


async def scenario_filled(interaction: Interaction, _: AnswerAddress, filled: Mapping[str, str]) -> None:
    await play(interaction, filled.get("scenario", NONE))


async def play(interaction: Interaction, key: str) -> None:
    chosen = "" if key == NONE else key
    name = SCENARIOS[chosen].name if chosen in SCENARIOS else Text("no scenario")
    what = Text("plays {scenario}", scenario=name)
    await step(interaction, what, lambda held, _: score.choose_scenario(held, chosen))
    await show(interaction, Text("You're playing {scenario}.", scenario=name))


async def ask_ends(interaction: Interaction, at: AnswerAddress) -> None:
    fields = score.ends_fields(matches.ends_of(await pieces(interaction)))
    await answer(interaction).ask(Text("End conditions"), at, fields)


async def ends_filled(interaction: Interaction, _: AnswerAddress, filled: Mapping[str, str]) -> None:
    await step(interaction, Text("sets the end conditions"), lambda held, _: score.with_ends(held, filled))
    await show(interaction)


async def turn_clock(interaction: Interaction, _: AnswerAddress) -> None:
    """Start the clock, or stop it."""
    await set_clock(interaction, starts=not score_of(await pieces(interaction)).began)


async def set_clock(interaction: Interaction, *, starts: bool) -> None:
    """Start or stop the clock. Raises ``PlayerError`` if it is already so."""
    began, what = int(now()) if starts else 0, Text("starts the clock") if starts else Text("stops the clock")
    await step(interaction, what, lambda held, _: score.turn_clock(held, began))
    await show(interaction, Text("The clock is running.") if starts else Text("The clock is stopped."))


async def end_match(interaction: Interaction, _: AnswerAddress) -> None:
    """End the match: whoever has more points wins. The recap follows."""
    await match_step(interaction, Text("ends the match by points"), matches.end_by_points)
    owners = await owner_names(interaction.client, place(interaction))
    line = escape_markdown(translate(score_line(await pieces(interaction), owners)))
    by = escape_markdown(clean(interaction.user.display_name))
    await answer(interaction).post(content=Text("{by} ends the match: {score}.", by=Name(by), score=Name(line)))


async def follow(fact: StepAnswered) -> None:
    """After a step on ships with a match clock, start its timer if needed."""
    arm(fact.interaction.client, place(fact.interaction), matches.ends_at(fact.stepped.after))


def arm(client: Client, here: Place, ends_at: int) -> None:
    """Schedule the announcements that are still ahead."""
    for minutes in (LAST_MINUTES, 0):
        key, left = ("clock", here.channel_id, ends_at, minutes), ends_at - 60 * minutes - now()
        if left > 0 and key not in client.calls.waiting:
            client.calls.call(key, left, lambda minutes=minutes: announce_time(client, here, ends_at, minutes))  # type: ignore[misc]  # a lambda with a default


async def announce_time(client: Client, here: Place, ends_at: int, minutes: int) -> Remove | None:
    """Announce the remaining time, if the clock still runs; the message stays."""
    try:
        table = await client.tables.pieces(here, KEY)
        match = match_of(table)
        if match is None or match.score.ends_at != ends_at or match.score.winner is not None:
            return None
        owners = await owner_names(client, here)
        channel = client.get_partial_messageable(here.channel_id, guild_id=here.guild_id)
        with using_language(await language_at(client, here)):
            score = escape_markdown(translate(score_line(table, owners)))
            if minutes:
                text = Text("{minutes} minutes left. {score}", minutes=minutes, score=Name(score))
                await channel.send(translate(text))
            else:
                text = Text("Time is up. Finish this round, then end the match. {score}", score=Name(score))
                view = Components([button(Text("End the match"), END, discord.ButtonStyle.success)])
                await channel.send(translate(text), view=view)
    except (discord.HTTPException, StoreError) as error:
        log.info("the clock of channel %s could not speak: %s", here.channel_id, error)
    return None


class ScoreCommands(commands.Cog):
    """Each command is one step, which `/table undo` reverts."""

    @app_commands.command(description="The score: points, scenario, rounds, clock")
    @takes(*SCORE)
    async def score(self, interaction: Interaction, given: Given) -> None:
        named = [name for name in ("points", "scenario", "clock") if given[name] is not None]
        if len(named) > 1:
            kinds = Names([Code(f"`{name}`") for name in named])
            raise PlayerError(Text("{options} are separate steps. Use one at a time.", options=kinds))
        if given["points"] is not None:
            who, table = given["player"] or interaction.user, await pieces(interaction)
            number = number_of(await interaction.client.tables.players(place(interaction)), who.id)
            if number not in owners_of(table):
                raise PlayerError(Text("{name} has no ships here, so nobody scores.", name=clean(who.display_name)))
            first = score.objectives(score_of(table))[0].label
            await earn(interaction, number, given["points"], given["reason"] or first)
        elif given["scenario"] is not None:
            await play(interaction, given["scenario"])
        elif given["clock"] is not None:
            await set_clock(interaction, starts=given["clock"] == "start")
        else:
            await show(interaction)
