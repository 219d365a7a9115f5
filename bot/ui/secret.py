"""How a secret or blind roll is shown before it is revealed: its private card, and the line that everybody sees."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.languages.say import say
from bot.render.card import Card
from bot.rules.text import EMPTY, Code, Name, Sentences, Text
from bot.sessions.roll import Played
from bot.sessions.secrecy import Secrecy
from bot.ui import how
from bot.ui.answer import answer
from bot.ui.components import Components
from bot.ui.display import control, embed, has_how
from bot.ui.place import name_shown, place, to_everybody

LOOK: Final = "secret-look"
REVEAL: Final = "secret-reveal"
EXPLAIN: Final = "secret-how"
"""Stand in an offer's place on the buttons of a secret roll; no offer has such a key."""

ROLLED: Final = Text("Rolled. Only the GMs see the result; one of them can reveal it.")
ONLY_YOU: Final = Text("Only you see this roll. **Reveal** shows it to everybody. `/table secrets` finds it again.")
ONLY_GMS: Final = Text("Only the GMs see this roll. **Reveal** shows it to everybody. `/table secrets` finds it again.")
AT_SEALED: Final = Text(
    "This table is sealed: its transcript hides this roll until it is revealed, or until somebody who may see it "
    "unseals the table."
)
log = logging.getLogger(__name__)


async def post(interaction: Interaction, played: Played, card: Callable[[], Awaitable[dict[str, Any]]]) -> None:
    """Answer whoever made a secret roll, and let everybody know of it. ``card`` makes the parts of its message."""
    if played.secrecy is Secrecy.BLIND:
        told = Card(title=Text("Blind roll"), outcome=ROLLED)
        await answer(interaction).post_private(embed=embed(told))
    else:
        await answer(interaction).post_private(**private_message(played, await card()))
    await announce(interaction, played)


def private_message(played: Played, parts: dict[str, Any]) -> dict[str, Any]:
    """A secret roll for somebody who may see it; ``parts`` are the parts of the message that everybody would see."""
    lines = [ONLY_GMS if played.secrecy is Secrecy.BLIND else ONLY_YOU, AT_SEALED if played.mark is not None else EMPTY]
    buttons = [control(played, Text("Reveal"), REVEAL, discord.ButtonStyle.primary)]
    if has_how(played):
        buttons.append(control(played, how.LABEL, EXPLAIN))
    return {**parts, "content": say(Sentences(lines, "\n")), "view": Components(buttons)}


async def announce(interaction: Interaction, played: Played) -> None:
    """Tell the channel that somebody rolled in secret. Never raises."""
    if place(interaction).is_alone:
        return
    lines, mark = [line(played, name_shown(interaction.user))], played.mark
    if mark is not None:
        lines.append(Text("-# Sealed table: ply {place}, {digits}", place=mark.place, digits=Code(mark.digits)))
    try:
        with to_everybody(interaction):
            view = Components([control(played, Text("Look"), LOOK)])
            shown = await answer(interaction).add(content=Sentences(lines, "\n"), view=view)
    except discord.HTTPException as error:  # whoever rolled has the card, and the GMs have /table secrets
        log.info("nobody was told of a secret roll: %s", error)
    else:
        interaction.client.links.note(played.session, shown)


def line(played: Played, who: Name) -> Text:
    """What everybody is told; it is the same whatever fell."""
    if played.secrecy is Secrecy.BLIND:
        return Text("{who} made a blind roll: only the GMs can look at it.", who=who)
    return Text("{who} made a secret roll: only {who} can look at it.", who=who)
