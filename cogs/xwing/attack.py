"""`/xwing attack`: between two people, two ships of the channel, or one of each; `/xwing odds` and `/xwing roll`.

Before an attack out of order, or a ship's second in a round, its owner confirms privately with a button. The warning
contains the declaration, so the button survives a restart.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.languages.translate import translate
from bot.render.xwing import list_typed
from bot.rules.errors import NotOfferedError, PlayerError
from bot.rules.game import Side
from bot.rules.text import N_, Code, Said, Sentences, Shown, Text
from bot.rules.xwing import KEY
from bot.rules.xwing.dice import typed_sides
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.table.match import LATE, begin_engagement, have_all_engaged, match_of, ships_of
from bot.rules.xwing.table.moments import Course
from bot.rules.xwing.table.pieces import OutOfOrderError, StartOfPhaseError
from bot.rules.xwing.table.ship import find
from bot.sessions.pieces import check_owner
from bot.sessions.roll import Secrecy
from bot.ui.commands import options, saved_rolls
from bot.ui.commands.options import SECRET, YES, Given, declaration, takes
from bot.ui.core import card_messages, components
from bot.ui.core.components import AnswerAddress, Component, Components, FilledForm, button
from bot.ui.core.request_context import in_user_language, is_gm, place, request, user_of
from bot.ui.core.responses import answer
from bot.ui.roll import roll_message
from bot.ui.table import board
from cogs.xwing.options import ATTACK, ATTACK_FORM, IN_ARC, LOOSE, ODDS, ODDS_FORM, ROLL_FORM, phase_step, pieces

ANYWAY: Final = AnswerAddress("attack", "anyway")
AGAIN: Final = AnswerAddress("attack", "again")
END_ROUND: Final = AnswerAddress("attack", "end")
OPPONENT: Final = "opponent"
KEPT: Final = {option.name if option.word is None else option.word: option for option in ATTACK if option.word != ""}
"""The command's options by word: shown in a warning and parsed back by its button."""


async def declare_and_open(
    interaction: Interaction,
    words: Mapping[str, Any],
    opponent: discord.abc.User | None = None,
    secrecy: Secrecy | None = None,
) -> None:
    """Open an attack; if out of order or a bonus, ask its owner first. Raises ``NotYourPieceError`` for others."""
    try:
        declared = await roll_message.declare(interaction, KEY, words)
    except OutOfOrderError as refused:
        if not card_messages.may_embed(interaction):
            raise
        await check_attacker(interaction, str(words.get("attacker", "")))
        asks = start_first if isinstance(refused, StartOfPhaseError) else warn
        await asks(interaction, refused.why, words, opponent)
        return
    if isinstance(declared, Declared) and declared.bonus and not (words.get("bonus") or words.get("allowed")):
        message = N_("{ship} has already attacked this round. Does a card grant a bonus attack?")
        asked = Text(message, ship=declared.attacker)
        if not card_messages.may_embed(interaction):
            raise PlayerError(Text("{question} If so, type `/xwing attack` with `bonus`.", question=asked))
        await check_attacker(interaction, declared.attacker)
        await warn(interaction, asked, {**words, "bonus": True}, opponent)
        return
    if secrecy is not None and isinstance(declared, Declared):  # a form can't be opened now
        declared = replace(declared, tokens="none")
    await roll_message.open_roll(interaction, KEY, declared, opponent, secrecy=secrecy)


async def start_first(
    interaction: Interaction, why: Shown, words: Mapping[str, Any], opponent: discord.abc.User | None
) -> None:
    """Begin the Engagement Phase, at whose start cards act; the board offers them while the attack waits."""
    match = match_of(await pieces(interaction))
    if match is not None and match.phase not in LATE:
        begins = Text("begins the Engagement Phase")
        await phase_step(interaction, begins, lambda here, rng: Course(here, rng, begin_engagement(here)).follow())
    waits = Sentences([why, Text("The board asks for it. Press Attack once that's done.")])
    await warn(interaction, waits, words, opponent, AGAIN)
    live = await board.BOARD.find(interaction.client, place(interaction).channel_id)
    if live is None or live.below > board.HANDFUL:
        await board.BOARD.post(interaction, after_answer=True)


async def check_attacker(interaction: Interaction, name: str) -> None:
    """Raise ``NotYourPieceError`` for another player's ship."""
    ship = find(ships_of(await pieces(interaction)), name, "attacker")
    check_owner([ship], await interaction.client.tables.players(place(interaction)), await request(interaction))


async def warn(
    interaction: Interaction,
    why: Shown,
    words: Mapping[str, Any],
    opponent: discord.abc.User | None,
    at: AnswerAddress = ANYWAY,
) -> None:
    """Show the attacker privately the warning, the declaration, and the button. Once all ships have engaged, the blue
    button ends the round instead.
    """
    shown = discord.Embed(title=translate(Text("Your attack")))
    for word, option in KEPT.items():
        value = words.get(word)
        is_no = value is False and option is not IN_ARC  # 0 dice and range 0 are shown: only False means "left out"
        if value is not None and value != "" and not is_no:
            typed = Code(YES if value is True else str(value))
            shown.add_field(name=translate(Code(option.name)), value=translate(typed))
    if opponent is not None:
        shown.add_field(name=translate(Code(OPPONENT)), value=Said(opponent.mention))
    presses = [button(Text(N_("Attack", "a button")), at, discord.ButtonStyle.primary)]
    if at == ANYWAY:
        label = Text("Make the bonus attack") if words.get("bonus") else Text("Attack anyway")
        presses = [button(label, at, discord.ButtonStyle.danger)]
        table = await pieces(interaction)
        if have_all_engaged(match_of(table), ships_of(table)):
            why = Sentences([Text("All ships have engaged."), why])
            end = button(Text("End the round"), END_ROUND, discord.ButtonStyle.primary)
            presses = [end, button(label, at)]
    presses.append(button(Text("Cancel"), components.CANCEL))
    with in_user_language(interaction):
        await answer(interaction).post_private(content=why, embed=shown, view=Components(presses))


async def end_round(interaction: Interaction, _: AnswerAddress) -> None:
    """End the round, as `/xwing endphase` does. Raises ``NotOfferedError`` if ships have to engage by now."""
    table = await pieces(interaction)
    if not have_all_engaged(match_of(table), ships_of(table)):
        raise NotOfferedError
    await options.call(interaction, options.find_command(interaction, "xwing endphase"), {})


async def attack_anyway(interaction: Interaction, at: AnswerAddress) -> None:
    """Make the attack that was warned about. Raises ``NotOfferedError`` if its text can't be parsed."""
    shown = interaction.message.embeds[0] if interaction.message is not None and interaction.message.embeds else None
    said = {field.name or "": field.value or "" for field in shown.fields} if shown is not None else {}
    if "attacker" not in said:
        raise NotOfferedError
    parameters = options.find_command(interaction, "xwing attack").parameters
    known = {parameter.display_name: parameter for parameter in parameters}
    typed = {word: option.name for word, option in KEPT.items() if option.name in said}
    words = {word: saved_rolls.read_value(known[name], said[name]) for word, name in typed.items()}
    if words.get("allowed") and not await is_gm(interaction):
        raise PlayerError(Text("Only a GM can allow a third attack. Ask a GM."))
    named = re.search(r"\d{1,20}", said.get(OPPONENT, ""))
    opponent = await user_of(interaction, int(named[0])) if named else None
    if at == AGAIN:
        await declare_and_open(interaction, words, opponent)
        return
    try:
        declared = await roll_message.declare(interaction, KEY, {**words, "anyway": True})
    except StartOfPhaseError as first:
        await start_first(interaction, first.why, words, opponent)
        return
    if declared.bonus and not words.get("bonus"):  # no bonus attack was meant: the button was pressed before
        message = N_("{attacker} has attacked since I asked. For its bonus attack, type `/xwing attack` again.")
        raise PlayerError(Text(message, attacker=declared.attacker))
    await roll_message.open_roll(interaction, KEY, declared, opponent)


# Odds


TICKED: Final = ("attacker", "defender", "range", "weapon", "obstructed")
"""Fields known to the odds form when claims are checked in it."""


def tick_button(given: Given) -> list[Component]:
    """Return a button for checking claims in the odds form; [] if its id is too long."""
    at = FilledForm("xwing-odds", " ".join(f"{name}:{given[name]}" for name in TICKED if given[name]))
    if not (given["attacker"] and given["defender"]) or len(components.write(at)) > components.LONGEST:
        return []
    return [button(Text("Check what applies"), at)]


def compared_attacks(given: Given) -> list[Mapping[str, Any]]:
    """Return the attacks to compare: one, or two that differ in the attacker's tokens and effects."""
    ships, with_, other = given["attacker"] or given["defender"], given["with"], given["or"]
    raw = declaration(given, *ODDS) | {"supposed": bool(ships) or None}
    if given["agility"] is None and given["defender"] is None and (ships or given["against"]):
        raw["agility"] = 0
    are_two = other and (with_ or given["attacker"])  # a ship has some though nothing is typed
    brings = [with_ or "", other] if are_two else [with_ or other or ""]
    return [raw | {"with": typed or None} for typed in brings]


def list_used(with_: str | None, declared: Declared) -> list[Shown]:
    """Return the attacker's tokens and effects, as typed if they were."""
    line_up = typed_sides.parse(with_, Side.ATTACKER, "with").line_up if with_ else declared.attack
    return list_typed(line_up, Side.ATTACKER)


class AttackCommands(commands.Cog):
    """Attacks with buttons that change the ships on the table, odds as charts, and loose dice."""

    @app_commands.command(description="Attack, step by step, between two people", extras=ATTACK_FORM)
    @takes(*ATTACK, *SECRET)
    async def attack(self, interaction: Interaction, given: Given) -> None:
        if given["allow"] and not await is_gm(interaction):
            raise PlayerError(Text("Only a GM can allow a third attack. Leave `allow` out, or ask a GM."))
        await declare_and_open(interaction, declaration(given, *ATTACK), given["opponent"], given["secrecy"])

    @app_commands.command(description="Exact odds of an attack: damage, crits, destruction", extras=ODDS_FORM)
    @takes(*ODDS)
    async def odds(self, interaction: Interaction, given: Given) -> None:
        ships, words = given["attacker"] or given["defender"], compared_attacks(given)
        every = [(word, await roll_message.declare(interaction, KEY, word)) for word in words]
        named = [Sentences(list_used(word["with"], declared), ", ") or Text("no tokens") for word, declared in every]
        attacks = list(zip(named, (declared for _, declared in every), strict=True))
        claims = tick_button(given) if any(declared.asked for _, declared in attacks) else []
        await roll_message.show_odds(interaction, KEY, attacks, buttons=claims, said=every if ships else ())

    @app_commands.command(description="Roll red and green dice outside an attack", extras=ROLL_FORM)
    @takes(*LOOSE, *SECRET)
    async def roll(self, interaction: Interaction, given: Given) -> None:
        await declare_and_open(interaction, declaration(given, *LOOSE), secrecy=given["secrecy"])
