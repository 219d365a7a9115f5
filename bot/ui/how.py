"""The **How?** button on every card with dice: a private answer with the working of the roll."""

from dataclasses import replace
from typing import Final

from bot.client import Interaction
from bot.render import how
from bot.render.luck import line
from bot.rules.text import Text
from bot.sessions.roll import Address, Played
from bot.ui import address, components, features
from bot.ui.answer import answer
from bot.ui.components import Component
from bot.ui.embed import embed
from bot.ui.names import clean
from bot.ui.place import place, ruling

LABEL: Final = Text("How?")


def button(played: Played) -> Component:
    return components.button(LABEL, Address(played.session, played.ply, address.HOW))


def has_how(played: Played) -> bool:
    """Whether dice have fallen, so that there is something to explain."""
    return not played.is_closed and bool(played.game.rules.rolled(played.state))


async def show(interaction: Interaction, at: Address) -> None:
    """Show whoever asks how the roll stands now and how it came about. Raises ``Unknown``."""
    await show_played(interaction, await interaction.client.sessions.find(at.session, place(interaction)))


async def show_played(interaction: Interaction, played: Played) -> None:
    """The same for a roll that was found already."""
    names = {side: clean(who.name) for side, who in played.seats.items()}
    sides = {side.value: name for side, name in names.items()}
    shown, dice = played.game.card(played.state, names), played.game.rules.rolled(played.state)
    if features.has_luck_apart(played, await ruling(interaction)):
        luck = await features.count_luck(interaction.client, played)
        shown = replace(shown, reminders=(*shown.reminders, *([line(luck)] if luck else [])))
    card = how.card(shown, dice, sides)
    await answer(interaction).post_private(embed=embed(card))
