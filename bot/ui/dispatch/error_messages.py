"""Error handling: every error gives the person a sentence that says what to do next."""

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
from bot.rules import errors
from bot.rules.errors import MENDABLE, CombinedError, NotUnderstoodError, PlayerError, quote_value, with_field_names
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
"""Maximum characters of a quoted command; a message has 2000, shared with the preceding sentences."""
TOO_MANY: Final = 429
"""Too Many Requests; higher codes are Discord's errors."""
TOO_LATE: Final = 10062
"""Discord's error code for an expired interaction."""

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
    """Report a failed interaction to its person. Never raises."""
    try:
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        if was_answered(cause):
            log.info("interaction %s was delivered twice and is answered already", interaction.id)
            answer(interaction).leave()
            return
        if is_of_discord(cause) and await is_shown_now(interaction):
            return
        is_public = interaction.message is not None and not interaction.message.flags.ephemeral
        if isinstance(cause, StaleCardError) and is_public:
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
    """Clear the frames of an error's traceback, whose reference cycles would stop the bot in garbage collection."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


def was_answered(error: BaseException) -> bool:
    """Whether an interaction was delivered twice: its effect is stored, or Discord has its response."""
    if isinstance(error, discord.HTTPException):
        return error.code == ALREADY_ACKNOWLEDGED
    return isinstance(error, DuplicateInteractionError)


def is_of_discord(error: BaseException) -> bool:
    """Whether Discord or the connection failed, rather than our code."""
    if isinstance(error, discord.HTTPException):
        return error.status >= TOO_MANY or error.code == TOO_LATE
    return isinstance(error, aiohttp.ClientError | discord.RateLimited | OSError)  # TimeoutError is an OSError


async def is_shown_now(interaction: Interaction) -> bool:
    """Whether a roll whose card was just lost could be shown now."""
    try:
        return await roll_message.show_lost(interaction, note=EMPTY)
    except Exception as error:  # noqa: BLE001 - the person is told in any case
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
    except Exception as failure:  # noqa: BLE001 - our bugs are reported like others
        return failure
    return stale


def form_of(interaction: Interaction) -> tuple[str, dict[str, str]] | None:
    """Return the submitted or resubmitted form, as in ``EditForm``, with its texts; None without one."""
    data: Mapping[str, Any] = interaction.data or {}
    if interaction.type is discord.InteractionType.modal_submit:
        return str(data.get("custom_id", "")).removeprefix(f"{components.PREFIX}:"), components.submitted_fields(data)
    return answer(interaction).sent_again


def field_names(interaction: Interaction) -> dict[str, Shown]:
    """Return the rules' fields' display names: the form's labels, or options."""
    options_of: Mapping[str, str] = interaction.extras.get(roll_message.OPTION_NAMES, {})
    form = form_of(interaction)
    address = "" if form is None else f"{components.PREFIX}:{form[0]}"
    labels = interaction.client.labels.get((interaction.user.id, address), {})
    return {word: labels.get(name, Code(name)) for word, name in options_of.items()} | dict(labels)


def quoted(interaction: Interaction) -> tuple[str, discord.Embed | None]:
    """Quote the input below its error: a form's fields, or the command with a corrected version. A form too long for
    the message is in an embed. Empty for buttons, and for commands without a similar valid version.
    """
    if (form := form_of(interaction)) is not None:
        text, whole, _ = components.quote(form[1], field_names(interaction))
        return text, whole
    head, works = translate(Text("This would work:")), nearest_command(interaction)
    return f"{head}\n```\n{works}\n```" if works else "", None


def nearest_command(interaction: Interaction) -> str:
    """Return the nearest valid command, to copy; "" if unknown."""
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
    """Return a button for each reading of ambiguous dice, or for the nearest valid text; and **Fix it** for a form with
    invalid content that is fully quoted. A block links to the host.
    """
    contact = interaction.client.addresses.support
    if isinstance(error, BlockedError) and contact:
        return [components.link_to(Text("Contact the host"), contact)]
    choices, field = list[tuple[Shown, str]](), ""
    if isinstance(error, errors.AmbiguousTextError):
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
    """Return the submitted form if the error quotes it whole, so that a press can parse it; else ""."""
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
    corrected = {"name": field, "value": text, "type": kind}
    return components.CommandButton(saved_rolls.write_line(command, [corrected, *typed]))


def refusal(text: Text) -> Said:
    """Escape an error for Discord, except quotations in backticks and message links. All names are sanitized here:
    backticks in one would end a quotation, whose content isn't escaped.
    """
    said = translate(with_plain(text, seen_name, codes=False))
    parts = enumerate(AS_IT_IS.split(said))
    return Said("".join(part if at % 2 else escape_markdown(part) for at, part in parts))


def seen_name(name: str) -> str:
    """Return names on one line without mentions; an invisible one is "somebody"."""
    return one_line(name, len(name)).replace("<@", "‹@") or (translate(Text("Someone")) if name else "")


def error_text(interaction: Interaction, error: BaseException) -> Shown | Said:
    """Return the person's text. Our own and the store's errors are logged too."""
    if isinstance(error, CombinedError):
        lines = (f"- {refusal(player_error.text)}" for player_error in error.first)
        return Said("\n".join([translate(error.head), *lines]))
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
