"""The **How?** button on every card with dice: a private answer with the working of the roll."""

from dataclasses import replace
from typing import Final

from bot.client import Interaction
from bot.render import how
from bot.render.luck import line
from bot.rules.text import Text
from bot.sessions.roll import Address, Mark, Played
from bot.ui import address, components, features
from bot.ui.answer import answer
from bot.ui.cards import card_of, names_of
from bot.ui.components import Component
from bot.ui.embed import embed
from bot.ui.place import place, ruling

LABEL: Final = Text("How?")
CHECK: Final = Text("Check this roll")


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
    names = names_of(played)
    sides = {side.value: name for side, name in names.items()}
    shown, dice = card_of(played), played.game.rules.rolled(played.state)
    if features.has_luck_apart(played, await ruling(interaction)):
        luck = await features.count_luck(interaction.client, played)
        shown = replace(shown, reminders=(*shown.reminders, *([line(luck, names)] if luck else [])))
    card = how.card(shown, dice, sides)
    if played.mark is not None:
        page = interaction.client.watching.url
        card = replace(card, facts=(*card.facts, (CHECK, check(played.mark, played.open_seal, page))))
    await answer(interaction).post_private(embed=embed(card))


def check(mark: Mark, open_seal: Mark | None, page: str = "") -> str:
    """Where a roll stands in the chain of a sealed table, and how its dice are checked; ``page``: where pages are."""
    is_open = open_seal is not None and open_seal.seal_id == mark.seal_id
    if page:
        address = f"{page}/verify.html#ply-{mark.place}"
        places = {"place": mark.place, "digits": mark.digits, "address": address}
        if is_open:
            return Text(
                "Ply {place} of this sealed table, {digits}. Once it is unsealed, save the transcript that I post, "
                "open {address} and drop it there.",
                **places,
            )
        return Text(
            "Ply {place} of a sealed table, {digits}. /table unseal posts its transcript once more: save it, open "
            "{address} and drop it there.",
            **places,
        )
    if is_open:
        return Text(
            "Ply {place} of this sealed table, {digits}. Once it is unsealed, save both files that I post, open "
            "verify.html#ply-{place} in a browser, and drop the transcript on it.",
            place=mark.place,
            digits=mark.digits,
        )
    return Text(
        "Ply {place} of a sealed table, {digits}. /table unseal posts its files once more: save both, open "
        "verify.html#ply-{place} in a browser, and drop the transcript on it.",
        place=mark.place,
        digits=mark.digits,
    )
