"""`/table secrets` and the buttons of secret rolls: look, explain, reveal."""

from typing import Final

import discord

from bot.client import Interaction
from bot.languages.translate import translate
from bot.rules.errors import PlayerError
from bot.rules.text import N_, Code, Count, Name, Sentences, Text, joined, labeled
from bot.sessions.roll import REVEALED, Address, Played, Secrecy
from bot.ui.core import card_messages, components, request_context
from bot.ui.core.request_context import escape_markdown, link, mention, name_shown, picked_values, place, request
from bot.ui.core.responses import answer, try_edit
from bot.ui.roll import explanation, roll_message

SHOW: Final = components.AnswerAddress("secrets", "show")
"""The answer of the menu of one's secret rolls."""
MOST: Final = 10
NONE: Final = Text(
    "You have no secret rolls in this channel. Add `secret: True` to a roll, and only you see "
    "it; with `blind: True`, only the GMs do."
)
MAX_OUTCOME: Final = 160


async def find(interaction: Interaction, session: int) -> Played:
    """Return a still secret roll for a permitted person. Raises as ``find_secret``."""
    played = await interaction.client.sessions.find_secret(await request(interaction), session)
    if not played.is_hidden:
        raise PlayerError(REVEALED)
    return played


async def look(interaction: Interaction, at: Address) -> None:
    await show(interaction, at.session)


async def explain(interaction: Interaction, at: Address) -> None:
    await explanation.show_played(interaction, await find(interaction, at.session))


async def show(interaction: Interaction, session: int) -> None:
    """Show a permitted person a secret roll; from the list, in its place."""
    played = await find(interaction, session)
    current = await roll_message.current_message(interaction, played)
    await answer(interaction).show(**roll_message.secret_message(played, current))


async def reveal(interaction: Interaction, at: Address) -> None:
    """Reveal a secret roll with the time of rolling."""
    here, client = place(interaction), interaction.client
    played = await client.sessions.reveal(await request(interaction), at.session)
    message = N_("{name} reveals a secret roll from <t:{opened_at}:f>.")
    if played.secrecy is Secrecy.BLIND:
        message = N_("{name} reveals a blind roll from <t:{opened_at}:f>.")
    told, said = client.links.of(played), Text(message, name=name_shown(interaction.user), opened_at=played.opened_at)
    await answer(interaction).update(content=Text("Everyone can see this roll now."), view=None)
    await roll_message.post_roll(interaction, played, anew=True, content=said)
    shown = client.links.of(played)
    if told is not None and shown is not None:
        with request_context.in_channel_language(interaction):
            line = translate(Text("{sentence} [Go to the roll]({link})", sentence=said, link=Code(link(here, shown))))
        await try_edit(client, here, told, content=line, view=None)


async def show_list(interaction: Interaction) -> None:
    """Show a person's secret rolls in this channel, with a menu."""
    rolls = await interaction.client.sessions.secrets(await request(interaction), MOST)
    if not rolls:
        await answer(interaction).post_private(content=NONE)
        return
    lines = translate(Sentences(map(list_line, rolls), "\n"))
    shown = discord.Embed(title=translate(Text("Secret rolls here")), description=lines)
    most = Count(MOST, "roll", "rolls")
    small = Text("Newest first, at most {rolls}. Choose one to look at it or reveal it.", rolls=most)
    shown.set_footer(text=translate(small))
    told = [labeled(roll.game.title, Name(outcome_of(roll))) for roll in rolls]
    options = [components.option(label, str(roll.session)) for label, roll in zip(told, rolls, strict=True)]
    view = components.Components([components.select(Text("Look at a roll"), SHOW, options)])
    await answer(interaction).post_private(embed=shown, view=view)


def list_line(played: Played) -> Text:
    outcome = escape_markdown(outcome_of(played))
    when, said = Code(f"<t:{played.opened_at}:R>"), labeled(played.game.title, Name(outcome))
    if played.secrecy is not Secrecy.BLIND:
        return joined(when, said)
    return Text("{when} {who} (blind) {said}", when=when, who=mention(played.opened_by), said=said)


def outcome_of(played: Played) -> str:
    return components.fit(card_messages.card_of(played).outcome, MAX_OUTCOME)


async def show_chosen(interaction: Interaction, _: components.AnswerAddress) -> None:
    """Show the roll selected from the list. Raises ``PlayerError`` for a forged press."""
    values = picked_values(interaction)
    number = values[0] if len(values) == 1 else ""
    if not (answer(interaction).is_on_private and number.isascii() and number.isdecimal() and len(number) < 19):
        raise PlayerError(Text("I don't know this choice. Type `/table secrets` again."))
    await show(interaction, int(number))
