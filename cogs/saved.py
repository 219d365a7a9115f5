"""`/saved`: named rolls of any game, and a panel with a button for each."""

from typing import Final, Literal, get_args

from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.languages.translate import using_language
from bot.render import saved as cards
from bot.render.card import Card
from bot.rules.errors import BadInputError, Example, PlayerError, quote_value
from bot.rules.name import one_line
from bot.rules.text import EMPTY, N_, Code, Name, Shown, Text, english
from bot.sessions.saved import of_channels
from bot.store.rulesets import Scope
from bot.store.saved import PERSON, SavedRoll, of_person
from bot.store.tracked_messages import EVERYBODY, MessageKind
from bot.ui.commands import saved_rolls
from bot.ui.commands.options import MISSING, CommandOption, Given, choice, takes
from bot.ui.core.card_messages import card_message, user_display
from bot.ui.core.components import Components, SavedAddress, button, rows
from bot.ui.core.request_context import NameOption, clean, language_at, person, place, require_gm
from bot.ui.core.responses import answer
from bot.ui.dispatch import router
from bot.ui.live.live_messages import LiveMessage, RenderedMessage

Whose = Literal["mine", "channel"]
Line = Range[str, 1, saved_rolls.MAX_LINE]
ABOUT: Final = english(Text("Rolls from any game, saved under a name"))
PANEL: Final = LiveMessage(MessageKind.SAVED, N_("This panel was replaced. [Go to the new one]({where})"))
MAX_PANEL_ROLLS: Final = 25
MAX_PANELS: Final = 5
"""Panels of one person that follow a change: each is a request of the limit that all servers share."""
NEW: Final = CommandOption("name", NameOption, Text("What to call it: Fireball"), MISSING, suggest=saved_rolls.suggest)
KNOWN: Final = NEW.with_description(Text("Which roll"))
ROLL: Final = CommandOption(
    "roll",
    Line,
    Text("Dice or a command: 8d6, /infinity roll sv:12. Default: your last roll here"),
    suggest=saved_rolls.suggest_lines,
)
OWNERS: Final = tuple(choice(Text(whose), whose) for whose in get_args(Whose))
OWN: Final = Text("Default: your own. Only a GM can change the channel's")
WHOSE: Final = CommandOption("whose", str, OWN, "mine", choices=OWNERS)


async def keep_right(interaction: Interaction, whose: Whose) -> None:
    """Respond privately about one's own rolls. Raises ``PlayerError`` if the channel's may not be changed."""
    if whose == "mine":
        answer(interaction).keep_private()
    else:
        await require_gm(interaction)


async def send(interaction: Interaction, card: Card, whose: Whose) -> None:
    """Respond privately about one's own rolls, publicly about the channel's."""
    await (answer(interaction).post_private if whose == "mine" else answer(interaction).post)(**card_message(card))


async def show_list(interaction: Interaction) -> None:
    """Show a person the rolls available by name."""
    answer(interaction).keep_private()
    result = await interaction.client.saved.find(place(interaction), person(interaction.user))
    own = of_person(interaction.user.id)
    card = cards.overview(
        [(saved.name, saved_rolls.line_text(interaction, saved.line)) for saved in result if saved.scope == own],
        [(saved.name, saved_rolls.line_text(interaction, saved.line)) for saved in result if saved.scope != own],
    )
    await answer(interaction).post_private(**card_message(card, await user_display(interaction)))


def scope_of(interaction: Interaction, whose: Whose) -> Scope:
    return of_person(interaction.user.id) if whose == "mine" else of_channels(place(interaction))[0]


async def handle_press(interaction: Interaction, at: SavedAddress) -> None:
    """Handle a panel's button: the roll belongs to the presser."""
    numbered = interaction.client.saved.find_by_number
    await saved_rolls.run(interaction, await numbered(at.number, place(interaction), person(interaction.user)))


def panel_message(rolls: list[SavedRoll], whose: Shown) -> RenderedMessage:
    view = Components(*rows([button(Name(roll.name), SavedAddress(roll.id)) for roll in rolls[:MAX_PANEL_ROLLS]]))
    return RenderedMessage(
        {**card_message(cards.panel(whose, [(saved.name, Code(saved.line)) for saved in rolls])), "view": view}
    )


async def refresh_panels(interaction: Interaction, scope: Scope) -> None:
    """Update the newest panels of some rolls. Where that fails, the old buttons report the problem."""
    here, client, of_id = place(interaction), interaction.client, scope.id if scope.kind == PERSON else EVERYBODY
    rolls = await client.saved.of_panel(here, of_id)
    whose = clean(interaction.user.display_name) if of_id else EMPTY  # people change only their own
    panels = await client.shown.by_subject(MessageKind.SAVED, of_id) if of_id else []
    panels.sort(key=lambda panel: panel.message_id)
    for channel_id in [panel.channel_id for panel in panels[-MAX_PANELS:]] if of_id else [scope.id]:
        if (live := await PANEL.find(client, channel_id, of_id)) is not None:
            with using_language(await language_at(client, live.place)):
                await PANEL.edit(client, live, panel_message(rolls, whose))


class Saved(commands.GroupCog, group_name="saved", group_description=ABOUT):
    """One's own rolls work anywhere; a channel's are for everybody there."""

    @app_commands.command(description="Save a roll under a name; replaces any roll with the same name")
    @takes(NEW, ROLL, WHOSE)
    async def add(self, interaction: Interaction, given: Given) -> None:
        name, text, whose = given["name"], given["roll"], given["whose"]
        await keep_right(interaction, whose)
        if not name:
            raise BadInputError("name", name, Text("Use a name with visible characters."))
        if not saved_rolls.is_name(name):
            raise BadInputError("name", name, Text("Use a name that isn't dice."), Example("Fireball"))
        here, scope = place(interaction), scope_of(interaction, whose)
        recent = interaction.client.recent_lines.of(here.channel_id, interaction.user.id)
        if text is None and not recent:
            raise PlayerError(
                "I don't know your last roll in this channel. Type it as `roll`: dice like `8d6`, or a "
                "command like `/infinity roll sv:12 burst:3`."
            )
        line = saved_rolls.in_english(
            saved_rolls.full_line(one_line(recent[0] if text is None else text, saved_rolls.MAX_LINE))
        )
        await saved_rolls.check_reads(interaction, line)
        replaced = await interaction.client.saved.save(here, scope, name, line)
        told, for_channel = saved_rolls.line_text(interaction, line), whose == "channel"
        await send(interaction, cards.saved_card(name, told, for_channel=for_channel, replaced=replaced), whose)
        await refresh_panels(interaction, scope)

    @app_commands.command(description="Roll a saved roll; typing its name in /roll does the same")
    @takes(KNOWN)
    async def roll(self, interaction: Interaction, given: Given) -> None:
        name = given["name"]
        saved = await interaction.client.saved.find_by_name(place(interaction), person(interaction.user), name)
        if saved is None:
            message = N_("There's no saved roll {name}. To see what you can roll here, use `/saved list`.")
            raise PlayerError(Text(message, name=quote_value(name)))
        await saved_rolls.run(interaction, saved)

    @app_commands.command(name="list", description="Your saved rolls and this channel's; only you can see them")
    async def list_(self, interaction: Interaction) -> None:
        await show_list(interaction)

    @app_commands.command(description="Remove a saved roll")
    @takes(KNOWN, WHOSE)
    async def remove(self, interaction: Interaction, given: Given) -> None:
        await keep_right(interaction, given["whose"])
        scope = scope_of(interaction, given["whose"])
        gone = await interaction.client.saved.remove(scope, given["name"])
        await send(interaction, cards.removed_card(gone.name, gone.line), given["whose"])
        await refresh_panels(interaction, scope)

    @app_commands.command(description="Post a panel with a button for each saved roll")
    @takes(WHOSE.with_description(Text("Yours, for you to press, or the channel's. Default: yours")))
    async def panel(self, interaction: Interaction, given: Given) -> None:
        by = person(interaction.user)
        owner = by.id if given["whose"] == "mine" else EVERYBODY
        rolls = await interaction.client.saved.of_panel(place(interaction), owner)
        if rolls:
            await PANEL.post(interaction, panel_message(rolls, clean(by.name) if owner else EMPTY), owner)
        else:
            await show_list(interaction)  # it explains saving


ROUTES: Final[router.Routes] = {SavedAddress: router.Route(handle_press)}


async def setup(client: Client) -> None:
    await client.add_cog(Saved())
    router.ROUTES.update(ROUTES)
