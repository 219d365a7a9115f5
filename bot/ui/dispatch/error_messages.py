"""All errors end here: whatever goes wrong, the person gets a sentence that says what to do next."""

import logging
import re
import secrets
from collections.abc import Mapping
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from bot.client import Interaction
from bot.games import dice_commands
from bot.languages.translate import translate
from bot.rules.errors import (
    MENDABLE,
    AmbiguousTextError,
    CombinedError,
    NotUnderstoodError,
    PlayerError,
    quote_value,
    with_field_names,
)
from bot.rules.name import one_line
from bot.rules.text import EMPTY, N_, Capitalized, Code, Said, Shown, Text, labeled, term, with_plain
from bot.sessions.roll import StaleCardError
from bot.store.errors import StoreError
from bot.store.sessions import DuplicateInteractionError
from bot.ui.commands import options, saved_rolls
from bot.ui.core import components
from bot.ui.core.request_context import BlockedError, escape_markdown, in_user_language, link, place
from bot.ui.core.responses import ALREADY_ACKNOWLEDGED, answer
from bot.ui.roll import roll_message

MAX_COMMAND: Final = 1000
"""Characters of a command that is quoted; a message holds 2000, and the sentences before it need some of them."""
TOO_MANY: Final = 429
"""The status of a request too many; those above it are faults of Discord's own."""
TOO_LATE: Final = 10062
"""Discord's number for an interaction that it no longer waits for."""

NOT_TAKEN: Final = Text(
    "Discord didn't accept my answer just now. Everything rolled so far is safe. Press a button "
    "on the card or type the command again, and I'll show where things stand."
)
NO_CARD: Final = Text(
    "Discord didn't accept the card for your roll just now. The roll is stored and won't be "
    "rolled again: type the command once more, and I'll show it."
)

LINK: Final = r"https://discord\.com/channels/(?:@me|\d{1,20})/\d{1,20}/\d{1,20}"
AS_IT_IS: Final = re.compile(rf"(`[^`]*`|\[[A-Za-z ]+\]\({LINK}\)|{LINK})")
"""Parts of a sentence that stay unescaped."""

OLD_PRIVATE: Final = Text(
    "Someone has pressed since you asked, so this is out of date. Look at the card and ask again."
)

log = logging.getLogger(__name__)


async def report_error(interaction: Interaction, error: BaseException) -> None:
    """Answer an interaction that failed. Never raises."""
    try:
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        if was_answered(cause):
            log.info("interaction %s was delivered twice and is answered already", interaction.id)
            answer(interaction).leave()
            return
        if is_of_discord(cause) and await is_shown_now(interaction):
            return
        if (
            isinstance(cause, StaleCardError)
            and interaction.message is not None
            and not interaction.message.flags.ephemeral
        ):
            cause = await refresh_card(interaction, cause)
        with in_user_language(interaction):
            named = with_field_names(cause, field_names(interaction)) if isinstance(cause, PlayerError) else cause
            text, (typed, whole) = translate(error_text(interaction, named)), quoted(interaction)
            if isinstance(cause, StaleCardError) and answer(interaction).is_on_private and not typed:
                text = translate(with_card(interaction, cause))
            shown = buttons(interaction, cause)
            view = components.Components(*components.rows(shown)) if shown else None
            await answer(interaction).whisper(Said("\n".join(filter(None, (text, typed)))), view=view, embed=whole)
    except discord.HTTPException as failure:
        log.warning("could not send an error message: %s", failure)
    finally:
        forget_frames(error)


def forget_frames(error: BaseException | None) -> None:
    """Free what the functions held that an error passed: some of them hold the error, and such circles stop the bot."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


def was_answered(error: BaseException) -> bool:
    """Whether an interaction came a second time: what it did is stored, or Discord has its answer."""
    if isinstance(error, discord.HTTPException):
        return error.code == ALREADY_ACKNOWLEDGED
    return isinstance(error, DuplicateInteractionError)


def is_of_discord(error: BaseException) -> bool:
    """Whether Discord or the way to it failed, and nothing of ours did."""
    if isinstance(error, discord.HTTPException):
        return error.status >= TOO_MANY or error.code == TOO_LATE
    return isinstance(error, aiohttp.ClientError | discord.RateLimited | OSError)  # TimeoutError is an OSError


async def is_shown_now(interaction: Interaction) -> bool:
    """Whether a roll whose card was lost just now could be shown after all."""
    try:
        return await roll_message.show_lost(interaction, note=EMPTY)
    except Exception as error:  # noqa: BLE001 - whatever it was, the person is told
        log.info("a card could not be shown again: %s", type(error).__name__)
        return False


def with_card(interaction: Interaction, stale: StaleCardError) -> Text:
    """Say that a private message is out of date, with a link to the card if known."""
    card = interaction.client.links.of(stale.newest)
    if card is None:
        return OLD_PRIVATE
    return Text("{sentence} [Go to the card]({link})", sentence=OLD_PRIVATE, link=Code(link(place(interaction), card)))


async def refresh_card(interaction: Interaction, stale: StaleCardError) -> BaseException:
    """Update the card, in case a crash lost its last answer, and return the error to show."""
    message, client, here = interaction.message, interaction.client, place(interaction)
    card = client.links.of(stale.newest)
    if message is not None and card is not None and card > message.id:  # Discord's ids grow
        await roll_message.link_to_new(interaction, message.id, card)
        return PlayerError(roll_message.replaced_text(link(here, card)))
    if message is not None and client.shown_plies.is_newest(message.id, stale.newest):
        return stale
    try:
        await roll_message.update_card(interaction, stale.newest)
    except StoreError:
        return stale
    except discord.HTTPException:
        raise
    except Exception as failure:  # noqa: BLE001 - a bug of ours is told as any other
        return failure
    return stale


def form_of(interaction: Interaction) -> tuple[str, dict[str, str]] | None:
    """The form that was sent, or sent again by a button, as ``EditForm`` names it, with its texts; None for none."""
    data: Mapping[str, Any] = interaction.data or {}
    if interaction.type is discord.InteractionType.modal_submit:
        return str(data.get("custom_id", "")).removeprefix(f"{components.PREFIX}:"), components.submitted_fields(data)
    return answer(interaction).sent_again


def field_names(interaction: Interaction) -> dict[str, Shown]:
    """Names on the person's screen of the fields that the rules know: labels of the form, or options."""
    options_of: Mapping[str, str] = interaction.extras.get(roll_message.OPTION_NAMES, {})
    form = form_of(interaction)
    address = "" if form is None else f"{components.PREFIX}:{form[0]}"
    labels = interaction.client.labels.get((interaction.user.id, address), {})
    return {word: labels.get(name, Code(name)) for word, name in options_of.items()} | dict(labels)


def quoted(interaction: Interaction) -> tuple[str, discord.Embed | None]:
    """Quote what was typed, below its refusal: the fields of a form, or the command with a corrected version.

    A form that is too long for the refusal itself is in an embed. Empty for buttons, and for commands without a similar
    valid version.
    """
    if (form := form_of(interaction)) is not None:
        text, whole, _ = components.quote(form[1], field_names(interaction))
        return text, whole
    head, works = translate(Text("This would work:")), nearest_command(interaction)
    return f"{head}\n```\n{works}\n```" if works else "", None


def nearest_command(interaction: Interaction) -> str:
    """The refused command with as few changes as would have made it work, to copy; empty if none is known."""
    command, changes = interaction.command, interaction.extras.get(roll_message.WORKS)
    if not changes or not isinstance(command, app_commands.Command):
        return ""
    if not options.parameters(command).keys() >= changes.keys():
        return ""
    typed: dict[str, object] = {
        option["name"]: option["value"] for option in options.given_options(interaction.data or {})
    }
    text = " ".join([f"/{command.qualified_name}", *(f"{key}:{item}" for key, item in (typed | changes).items())])
    return one_line(text, MAX_COMMAND)


def buttons(interaction: Interaction, error: BaseException) -> list[components.Component]:
    """A button for each reading of dice that have two, or for the nearest that can be read; and **Fix it** for a form.

    A form can be fixed that was refused because of what stands in it, and that is quoted whole.
    A block leads to the host.
    """
    contact = interaction.client.addresses.support
    if isinstance(error, BlockedError) and contact:
        return [components.link_to(Text("Contact the host"), contact)]
    choices, field = list[tuple[Shown, str]](), ""
    if isinstance(error, AmbiguousTextError):
        named = zip(error.names, error.choices, strict=True)
        choices, field = [(labeled(Capitalized(name), Code(item)), item) for name, item in named], error.field
    elif isinstance(error, NotUnderstoodError) and error.nearest:
        choices, field = [(Text("Roll {dice}", dice=Code(error.nearest)), error.nearest)], error.field
    placed = [(label, suggestion_button(interaction, field, item)) for label, item in choices]
    result = [
        components.button(label, at, discord.ButtonStyle.primary)
        for label, at in placed
        if at is not None and components.read(components.write(at)) == at  # otherwise it's too long for an id
    ]
    form = form_quoted(interaction)
    if form and isinstance(error, MENDABLE):
        result.append(components.button(Text("Fix it"), components.EditForm(form), discord.ButtonStyle.primary))
    return result


def form_quoted(interaction: Interaction) -> str:
    """The form that was sent, if the refusal quotes it whole, so that a press can read it there; else ""."""
    form = form_of(interaction)
    return form[0] if form is not None and components.quote(form[1], {})[2] else ""


def suggestion_button(interaction: Interaction, field: str, text: str) -> components.At | None:
    """Return a button that retries with ``text`` in a form's field or a command's option; dice are those of `/roll`."""
    if (form := form_of(interaction)) is not None:
        whole = form_quoted(interaction)
        return components.ApplySuggestion(field, text, whole) if whole and field in form[1] else None
    command = interaction.command
    if isinstance(command, app_commands.ContextMenu):
        return components.CommandButton(saved_rolls.full_line(text))
    if not isinstance(command, app_commands.Command) or command.qualified_name not in dice_commands():
        return None
    typed = [option for option in options.given_options(interaction.data or {}) if option["name"] != field]
    kind = discord.AppCommandOptionType.string.value
    return components.CommandButton(
        saved_rolls.write_line(command, [{"name": field, "value": text, "type": kind}, *typed])
    )


def refusal(text: Text) -> Said:
    """A sentence of the rules for Discord: quotations in backticks and links to messages stay, the rest is escaped.

    Its names are cleaned here: every error reaches it. A name with backticks would end the quotations of the sentence,
    and what stands in them is not escaped.
    """
    said = translate(with_plain(text, seen_name, codes=False))
    parts = enumerate(AS_IT_IS.split(said))
    return Said("".join(part if at % 2 else escape_markdown(part) for at, part in parts))


def seen_name(name: str) -> str:
    """A name, or several, on one line, which mention nobody; what cannot be seen is somebody."""
    return one_line(name, len(name)).replace("<@", "‹@") or (translate(Text("Someone")) if name else "")


def error_text(interaction: Interaction, error: BaseException) -> Shown | Said:
    """The text for a person. Our own errors and those of the store also go to the log."""
    if isinstance(error, CombinedError):
        return Said(
            "\n".join([translate(error.head), *(f"- {refusal(player_error.text)}" for player_error in error.first)])
        )
    if isinstance(error, PlayerError):
        return refusal(error.text)
    if isinstance(error, StoreError):
        log.error("the store failed: %s", error.reason)
        return term(error.sentence)
    if isinstance(error, app_commands.TransformerError):
        message = N_("I can't read {error} there. Please choose from Discord's suggestions.")
        return Text(message, error=quote_value(str(error.value)))
    if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        return Text(
            "This command has changed since Discord last showed it. Restart your Discord app and type it again."
        )
    if isinstance(error, app_commands.CheckFailure):
        return Text("You can't use this command here. Please ask a server admin.")
    is_lost = (interaction.channel_id, interaction.user.id) in interaction.client.lost.sessions
    if is_of_discord(error) or (is_lost and isinstance(error, discord.HTTPException)):
        log.warning("Discord did not take the answer to interaction %s: %s", interaction.id, error)
        return NO_CARD if is_lost else NOT_TAKEN
    tag = secrets.token_hex(3)
    log.error("bug %s in interaction %s", tag, interaction.id, exc_info=error)
    return Text(
        "Something broke on my side. Everything rolled so far is safe. Please try again; if "
        "it happens again, report it as `{tag}`.",
        tag=Code(tag),
    )
