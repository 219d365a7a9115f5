"""The private question before an attack out of order, or a second attack of a ship in one round, with a button.

The warning itself says what was declared, so nothing waits in memory and the button works after a restart.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.languages.say import say
from bot.rules.errors import NotOffered, PlayerError
from bot.rules.text import Code, Said, Sentences, Text, Words
from bot.rules.xwing import KEY
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.table.fleet import find
from bot.rules.xwing.table.match import Phase, begin_engagement, match_of, ships_of
from bot.rules.xwing.table.pieces import OutOfOrder, StartFirst
from bot.sessions.owners import check_owner
from bot.sessions.secrecy import Secrecy
from bot.ui import board, command_form, panel
from bot.ui.address import Answer
from bot.ui.answer import answer
from bot.ui.board import HANDFUL
from bot.ui.components import Components, button
from bot.ui.display import may_embed
from bot.ui.names import user_of
from bot.ui.place import is_gm, place, request, to_reader
from bot.ui.saved import read_value
from cogs.xwing.options import ATTACK, IN_ARC, match_step

ANYWAY: Final = Answer("attack", "anyway")
AGAIN: Final = Answer("attack", "again")
OPPONENT: Final = "opponent"
KEPT: Final = {one.name if one.word is None else one.word: one for one in ATTACK if one.word != ""}
"""The options of the command by their words: what a warning shows of them, its button reads again."""


async def declare_and_open(
    interaction: Interaction,
    words: Mapping[str, Any],
    opponent: discord.abc.User | None = None,
    secrecy: Secrecy | None = None,
) -> None:
    """Open an X-Wing attack; out of order, or where it would be a bonus attack, its owner is asked first.

    Raises ``NotYourPiece`` where somebody else would be warned.
    """
    try:
        declared = await panel.declare(interaction, KEY, words)
    except StartFirst as first:
        if not may_embed(interaction):
            raise
        await check_attacker(interaction, str(words.get("attacker", "")))
        await start_first(interaction, first.why, words, opponent)
        return
    except OutOfOrder as warning:
        if not may_embed(interaction):
            raise
        await check_attacker(interaction, str(words.get("attacker", "")))
        with to_reader(interaction):
            await answer(interaction).post_private(**warning_message(warning.why, words, opponent))
        return
    if isinstance(declared, Declared) and declared.bonus and not (words.get("bonus") or words.get("allowed")):
        asked = Text(
            "{ship} has attacked this round already. Does a card allow it a bonus attack?", ship=declared.attacker
        )
        if not may_embed(interaction):
            raise PlayerError(Text("{question} If so, set `bonus`.", question=asked))
        await check_attacker(interaction, declared.attacker)
        with to_reader(interaction):
            await answer(interaction).post_private(**warning_message(asked, {**words, "bonus": True}, opponent))
        return
    await panel.open_roll(interaction, KEY, declared, opponent, secrecy=secrecy)


async def start_first(
    interaction: Interaction, why: Words, words: Mapping[str, Any], opponent: discord.abc.User | None
) -> None:
    """Begin the Engagement Phase, at whose start cards act: the board asks for them, and the attack waits."""
    here, client = place(interaction), interaction.client
    match = match_of(await client.tables.pieces(here, KEY))
    if match is not None and match.phase is not Phase.ENGAGEMENT:
        await match_step(interaction, Text("begins the Engagement Phase"), begin_engagement)
    waits = Sentences([why, Text("The board asks for it. Press Attack once that is done.")])
    with to_reader(interaction):
        await answer(interaction).post_private(**warning_message(waits, words, opponent, AGAIN))
    live = await board.BOARD.find(client, here.channel_id)
    if live is None or live.below > HANDFUL:
        await board.BOARD.post(interaction, after_answer=True)


async def check_attacker(interaction: Interaction, name: str) -> None:
    """Raises ``NotYourPiece`` for a ship that belongs to somebody else."""
    here, tables = place(interaction), interaction.client.tables
    ship = find(ships_of(await tables.pieces(here, KEY)), name, "attacker")
    check_owner([ship], await tables.players(here), await request(interaction))


def warning_message(
    why: Words, words: Mapping[str, Any], opponent: discord.abc.User | None, at: Answer = ANYWAY
) -> dict[str, Any]:
    """The sentence, what was declared, and the button."""
    shown = discord.Embed(title=say(Text("Your attack")))
    for word, option in KEPT.items():
        value = words.get(word)
        is_no = value is False and option is not IN_ARC  # 0 dice and range 0 are said: only False means "left out"
        if value is not None and value != "" and not is_no:
            shown.add_field(name=say(Code(option.name)), value=say(Code(str(value))))
    if opponent is not None:
        shown.add_field(name=say(Code(OPPONENT)), value=Said(opponent.mention))
    label = Text("Make the bonus attack") if words.get("bonus") else Text("Attack anyway")
    style = discord.ButtonStyle.danger if at == ANYWAY else discord.ButtonStyle.primary
    return {
        "content": why,
        "embed": shown,
        "view": Components([button(label if at == ANYWAY else Text("Attack"), at, style)]),
    }


async def attack_anyway(interaction: Interaction, at: Answer) -> None:
    """The attack that was warned of, as it was declared then. Raises ``NotOffered`` where that cannot be read."""
    shown = interaction.message.embeds[0] if interaction.message is not None and interaction.message.embeds else None
    said = {field.name or "": field.value or "" for field in shown.fields} if shown is not None else {}
    if "attacker" not in said:
        raise NotOffered
    known = {one.display_name: one for one in command_form.named(interaction, "xwing attack").parameters}
    words = {word: read_value(known[one.name], said[one.name]) for word, one in KEPT.items() if one.name in said}
    if words.get("allowed") and not await is_gm(interaction):
        raise PlayerError(Text("Only a GM can allow a third attack. Ask a GM."))
    named = re.search(r"\d{1,20}", said.get(OPPONENT, ""))
    opponent = await user_of(interaction, int(named[0])) if named else None
    if at == AGAIN:
        await declare_and_open(interaction, words, opponent)
        return
    try:
        declared = await panel.declare(interaction, KEY, {**words, "anyway": True})
    except StartFirst as first:
        await start_first(interaction, first.why, words, opponent)
        return
    if declared.bonus and not words.get("bonus"):  # nobody meant a bonus attack: the button was pressed before
        raise PlayerError(
            Text(
                "{attacker} has attacked since I warned you. For its bonus attack, type `/xwing attack` again.",
                attacker=declared.attacker,
            )
        )
    await panel.open_roll(interaction, KEY, declared, opponent)
