"""**Try it**: a first roll against the bot, in private, in three steps that each point at a button. Presses are stored
as a practice, which counts for nobody and is deleted at the end. Pressing another button shows the values of both, and
stays at the step.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import discord

from bot.client import Interaction
from bot.games import GAMES
from bot.games.game import Practice
from bot.odds.advice import Move
from bot.render import explanation as working
from bot.rules.errors import NotOfferedError
from bot.rules.text import EMPTY, N_, Sentences, Shown, Text, ended, english
from bot.sessions.roll import Address, Played, Secrecy, UnknownRollError
from bot.sessions.sessions import RollOpening
from bot.ui.core import components, request_context
from bot.ui.core.card_messages import card_message, card_of, control, embed, names_of, user_display
from bot.ui.core.components import AnswerAddress, CommandAddress, Component, Components, InvalidCustomIdError, rows
from bot.ui.core.responses import answer
from bot.ui.roll import bot_player, roll_message

TRIED: Final = tuple(key for key, game in GAMES.items() if game.help.practice is not None)
BEGIN, GOOD, WORSE = "try", "trygood", "tryworse"
"""Subjects of the first presses, with the game as the answer."""
PRESS: Final = "try-"
"""Prefix of reserved keys on a practice's buttons."""
GO, EXPLAIN, END = f"{PRESS}go", f"{PRESS}how", f"{PRESS}end"
MAX_WAYS: Final = 4
BLUE: Final = discord.ButtonStyle.primary
POINTED: Final = Text("Press the blue button.")
OVER: Final = Text("The practice is over, and nothing from it was saved. To start again, press **Try it** in `/help`.")
DONE: Final = Text("That's all there is: declare, change dice, read. Nothing was saved. Now for real:")


def buttons() -> list[Component]:
    """Return **Try it** for each game with a practice."""
    return [
        components.button(Text("Try it: {game}", game=GAMES[key].title), AnswerAddress(BEGIN, key), BLUE)
        for key in TRIED
    ]


def practice_of(key: str) -> Practice:
    practice = GAMES[key].help.practice
    if practice is None:
        raise InvalidCustomIdError
    return practice


async def begin(interaction: Interaction, at: AnswerAddress) -> None:
    """Step 1: choose the declaration; after the worse one choose again. Raises ``PlayerError`` if the game is off."""
    key, practice = at.answer, practice_of(at.answer)
    await request_context.check_switched_on(interaction, GAMES[key].slash)
    (good, _), (worse, _) = practice.starts
    note = Text("That's harder:") if at.subject == WORSE else EMPTY
    lines = [Text("**Step 1 of 3.** {situation}", situation=practice.situation), note, practice.why, POINTED]
    shown = [
        components.button(good, AnswerAddress(GOOD, key), BLUE),
        components.button(worse, AnswerAddress(WORSE, key)),
    ]
    await answer(interaction).show(content=Sentences(lines), view=Components(shown))


async def start(interaction: Interaction, at: AnswerAddress) -> None:
    """Roll the dice, or let the bot answer."""
    game = GAMES[at.answer]
    await request_context.check_switched_on(interaction, game.slash)
    declared = game.declare(practice_of(at.answer).starts[0][1], {})
    opening = RollOpening(game, declared, opponent=bot_player.bot_player(interaction.client), secrecy=Secrecy.PRACTICE)
    await step(interaction, await interaction.client.sessions.open(await request_context.request(interaction), opening))


async def press(interaction: Interaction, at: Address) -> None:
    """Handle a press of step 2 or 3. Raises ``InvalidCustomIdError`` for a forged one."""
    client, asked = interaction.client, await request_context.request(interaction)
    try:
        played = await client.sessions.find(at.session, request_context.place(interaction))
    except UnknownRollError:
        await answer(interaction).show(content=OVER, view=None)
        return
    if played.secrecy is not Secrecy.PRACTICE or played.opened_by != asked.by.id:
        raise InvalidCustomIdError
    if at.offer in (EXPLAIN, END):
        await end_practice(interaction, played, explains=at.offer == EXPLAIN)
    elif at.ply != played.ply:  # pressed twice: show the current state
        await step(interaction, played)
    elif at.offer == GO:
        await step(interaction, await bot_player.play_on(interaction, played))
    else:
        await take(interaction, played, at)


async def take(interaction: Interaction, played: Played, at: Address) -> None:
    """Make the suggested choice, or say what it is worth compared with the pressed one."""
    moves = await bot_player.moves(interaction, played)
    pressed = next((move for move in moves if at.offer == f"{PRESS}{move.choice.offer}"), None)
    if pressed is None or bot_player.is_mine(interaction.client, played):
        raise NotOfferedError
    if pressed.numbers != moves[0].numbers:
        message, best = N_("**{pressed}** gives {worth}. **{best}** gives {more}."), moves[0]
        worth, more = bot_player.reason_text(pressed), bot_player.reason_text(best)
        note = Text(message, pressed=pressed.label, worth=worth, best=best.label, more=more)
        await step(interaction, played, note)
        return
    asked = replace(at, offer=pressed.choice.offer)
    result = await interaction.client.sessions.choose(await request_context.request(interaction), asked, pressed.choice)
    assert isinstance(result, Played), "advice names no form"  # noqa: S101 - states it
    await step(interaction, await bot_player.play_on(interaction, result))


async def step(interaction: Interaction, played: Played, note: Shown = EMPTY) -> None:
    """Show a practice: its card, the best choice now and why, and a button for it."""
    moves, card = await bot_player.moves(interaction, played), card_of(played)
    if not moves:
        lines: list[Shown] = [*played.told, Text("**Step 3 of 3.** To see what happened to each die, press **How?**")]
        shown = [control(played, Text("How?"), EXPLAIN, BLUE)]
    elif bot_player.is_mine(interaction.client, played):
        lines, shown = answered(played, moves)
        card = replace(card, turn=EMPTY)  # the line above the card says what the bot does
    else:
        lines, shown = point_at_button(played, moves, note)
    lines = [line if english(line).endswith((".", "?", "**")) else ended(line) for line in lines]
    shown.append(control(played, Text("End"), END))
    parts = card_message(roll_message.short(card, played, ()), await user_display(interaction))
    await answer(interaction).show(content=Sentences(lines, "\n"), view=Components(*rows(shown)), **parts)


def point_at_button(played: Played, moves: Sequence[Move], note: Shown) -> tuple[list[Shown], list[Component]]:
    """Return step 2 on the learner's turn."""
    best = moves[0]
    told = note or Text("Best is **{best}**: {why}.", best=best.label, why=bot_player.reason_text(best))
    styles = [BLUE, *[discord.ButtonStyle.secondary] * MAX_WAYS]
    ways = zip(moves[:MAX_WAYS], styles, strict=False)
    shown = [control(played, move.label, f"{PRESS}{move.choice.offer}", style) for move, style in ways]
    return [Text("**Step 2 of 3.** The dice are rolled. {told} Press the blue button.", told=told)], shown


def answered(played: Played, moves: Sequence[Move]) -> tuple[list[Shown], list[Component]]:
    """Return step 2 on the bot's turn: its move, and the alternatives."""
    best, *others = moves
    message = N_("**Step 2 of 3.** I answer: {best} ({why}). Press the blue button.")
    if others:
        message = N_("**Step 2 of 3.** I answer: {best} ({why}), not {other} ({less}). Press the blue button.")
    rest = {"other": others[0].label, "less": bot_player.reason_text(others[0])} if others else {}
    line = Text(message, best=best.label, why=bot_player.reason_text(best), **rest)
    return [line], [control(played, Text("Roll the dice"), GO, BLUE)]


async def end_practice(interaction: Interaction, played: Played, *, explains: bool) -> None:
    """Delete the practice; at its end show the explanation, and how to play for real."""
    await interaction.client.sessions.end_practice(await request_context.request(interaction), played.session)
    if not explains:
        await answer(interaction).show(content=OVER, view=None)
        return
    names = {side.value: name for side, name in names_of(played).items()}
    card = working.card(card_of(played), played.game.rules.rolled(played.state), names)
    label, path = practice_of(played.game.key).begins
    again = [components.button(label, CommandAddress(path), BLUE)]
    again += [button for button in buttons() if not button["custom_id"].endswith(f":{played.game.key}")]
    await answer(interaction).show(content=DONE, embed=embed(card), view=Components(again))
