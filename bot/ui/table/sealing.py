"""Sealing a table: the commitment, the words, the seal, the transcript. See docs/fairness.md."""

import io
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import discord

from bot import package_info
from bot.client import Client, Interaction
from bot.languages.translate import translate
from bot.rules.errors import PlayerError
from bot.rules.game import Field
from bot.rules.text import EMPTY, N_, Code, Count, Name, Names, Sentences, Shown, Text, bracketed, labeled
from bot.sessions import roll, seals
from bot.store.errors import StoreError
from bot.store.tracked_messages import MessageKind, TrackedMessage
from bot.ui.core import card_messages
from bot.ui.core.components import Components, InvalidCustomIdError, button
from bot.ui.core.request_context import clean, escape_markdown, mention, mentions_of, name_shown, person, place, request
from bot.ui.core.responses import answer, try_edit
from bot.ui.live import live_page
from bot.ui.live.live_messages import LiveMessage, RenderedMessage
from bot.ui.table import board

WORD: Final = "seal-word"
SEAL: Final = "seal-now"
"""Reserved button keys of a table about to be sealed; no offer may use them."""
FIELD: Final = Field(
    key="word", label=Text("Your seed word"), example=Text("anything, for example: three lucky otters"), longest=64
)
NO_FILES: Final = Text(
    "I can't attach files in this channel, so I couldn't post the transcript at the end. Ask an "
    "admin for the Attach Files permission, or seal a table in another channel."
)
FORWARD: Final = Text(
    "Forward this message to yourself now: nobody can change that copy. If it ever says (edited), don't trust it."
)
HOW: Final = Text(
    "Now each player gives a seed word. Then press **Seal**. From then on nobody can choose a "
    "result, not even the bot's host. When the table is unsealed, I post the key, and anyone can "
    "recompute every die."
)
SOON: Final = Text(
    "Press **Seal** within ten seconds of the last word: the verification reports a longer wait, "
    "because the bot's host could use it to look for better dice."
)
HASH: Final = Text(
    "To keep your word secret until everyone else has given theirs, give its hash first: `verify.html` creates both."
)
WHERE: Final = Text(
    "To verify every die, save both files, open `verify.html` in a browser, and drop the "
    "transcript on it. Then compare it with the cards here."
)
log = logging.getLogger(__name__)


async def ask(interaction: Interaction, opponent: discord.abc.User | None) -> None:
    """Post the commitment, in a message that is never edited, and the words with buttons in another."""
    if opponent is not None and opponent.bot:
        raise PlayerError(Text("Bots don't give seed words. Name a person as `opponent`, or leave it out."))
    if opponent is not None and opponent.id == interaction.user.id:
        raise PlayerError(Text("You give a seed word anyway. Name the other player as `opponent`, or leave it out."))
    if not card_messages.may_attach(interaction):
        raise PlayerError(NO_FILES)
    other, by = person(opponent) if opponent else None, interaction.user.id
    asked = await interaction.client.seals.ask(await request(interaction), other)
    invited = mentions_of(item for item in asked.missing if item != by)
    committed = Text(
        "**Seal {number} in this channel.** I have chosen the key for all dice to come. This is its fingerprint:",
        number=asked.number,
    )
    content = Sentences([committed, Code(f"`{asked.commitment}`"), FORWARD], "\n")
    message = await answer(interaction).post_new(content=content, file=checker())
    await interaction.client.seals.note_posted(asked, message)
    await WORDS.post(interaction, after_answer=True, allowed_mentions=invited)


async def draw(client: Client, kept: TrackedMessage, _: object) -> RenderedMessage:
    """Render the words so far."""
    asked = await client.seals.pending(kept.channel_id)
    give = button(Text("Give a seed word"), roll.Address(asked.seal_id, 0, WORD), discord.ButtonStyle.primary)
    view = Components([give, button(Text("Seal"), roll.Address(asked.seal_id, 0, SEAL), discord.ButtonStyle.success)])
    lines = [Text("**Seal this table?** {how}", how=HOW), HASH, *words_of(asked), missing_words_text(asked)]
    return RenderedMessage({"content": translate(Sentences(lines, "\n")), "view": view})


WORDS: Final = LiveMessage(MessageKind.SEAL, N_("This question was replaced. [Go to the new one]({where})"), draw)


def missing_words_text(asked: seals.PendingSeal) -> Shown:
    """Return whose words are missing, or still hashed."""
    if asked.missing:
        missing = Names([mention(item) for item in asked.missing])
        return Text("I still need a seed word from {missing}.", missing=missing)
    if asked.hashed_word_owners:
        covered = Names([mention(item) for item in asked.hashed_word_owners])
        return Text(
            "Everyone has given a seed word. {covered}: press Give a seed word again, with the word itself.",
            covered=covered,
        )
    return SOON if asked.words else EMPTY


def words_of(asked: seals.PendingSeal) -> Iterator[Shown]:
    for seed_word in asked.words:
        name, word = Name(escape_markdown(clean(seed_word.name))), Name(escape_markdown(seed_word.word))
        if not seed_word.word:
            yield Text("{name}: the word with the hash `{given}`", name=name, given=Code(seed_word.hash or ""))
        else:
            yield labeled(name, bracketed(word, Code(f"`{seed_word.hash}`")) if seed_word.hash else word)


def checker() -> discord.File:
    """Return the checker page, for hashing words and verifying transcripts."""
    return discord.File(io.BytesIO(package_info.read_packaged(package_info.CHECKER)), Path(package_info.CHECKER).name)


async def ask_word(interaction: Interaction, at: roll.Address) -> None:
    """Open the form for a word, from the words' message, or to fix a rejected word."""
    await interaction.client.seals.check_waiting(await request(interaction), at.session)
    await answer(interaction).ask(Text("Your seed word for the seal"), at, [FIELD])


async def give_word(interaction: Interaction, at: roll.Address, filled: dict[str, str]) -> None:
    """Handle the word form: show the word on the words' message."""
    here, client = place(interaction), interaction.client
    if interaction.message is None:
        raise InvalidCustomIdError
    await client.seals.give_word(await request(interaction), at.session, filled.get(FIELD.key, ""))
    if await WORDS.update(interaction):
        return
    await answer(interaction).update(content=Text("Done. Your seed word is in the message above."), view=None)
    live = await WORDS.find(client, here.channel_id)
    if live is None or not await WORDS.edit(client, live):
        await WORDS.post(interaction, after_answer=True)


async def close(interaction: Interaction, at: roll.Address) -> None:
    """Seal the table: a new message, never edited, shows commitment and words; its id goes into the seal."""
    if interaction.message is None or answer(interaction).is_on_private:
        raise InvalidCustomIdError
    here, client = place(interaction), interaction.client
    asked = await client.seals.ready_to_seal(await request(interaction), at.session)
    title = Text("**This table is sealed.** It is seal {number} in this channel.", number=asked.number)
    shown = Sentences([title, Code(f"`{asked.commitment}`"), *words_of(asked), CHAIN, FORWARD], "\n")
    message = await answer(interaction).post_new(content=shown)
    try:
        application = client.application_id or 0
        await client.seals.close(here, asked, application_id=application, message_id=message)
    except (PlayerError, StoreError):
        await try_edit(client, here, message, content=Text("This seal doesn't count. See below."))
        raise
    show_everywhere(client, here.channel_id)
    await WORDS.close(client, here.channel_id)


def show_everywhere(client: Client, channel_id: int) -> None:
    """Redraw the board and the live page, which show whether a table is sealed."""
    board.BOARD.mark_changed(client, channel_id)
    live_page.reread_table(client, channel_id)


CHAIN: Final = Text(
    "All dice here now follow from the key and these words. Each card shows its position in the "
    "chain and eight digits. Open rolls from before are on hold. End it with `/table unseal`; "
    "I'll do it myself a day after the last press."
)


async def unseal(interaction: Interaction) -> None:
    """End a sealed table and post its transcript; or repost the last one."""
    here, who = place(interaction), name_shown(interaction.user)
    if not card_messages.may_attach(interaction):
        raise PlayerError(
            "I can't attach files here, so I can't post the transcript. Ask an admin for the permission first."
        )
    was_open = await interaction.client.seals.mark(here.channel_id) is not None
    ended = await interaction.client.seals.unseal(await request(interaction))
    show_everywhere(interaction.client, here.channel_id)
    if ended is None:
        left = Text("{who} leaves this table unsealed. Dice are rolled as before.", who=who)
        await answer(interaction).post(content=left)
        await WORDS.close(interaction.client, here.channel_id)
        return
    sentence = Text("Here is the transcript of the last sealed table again.")
    if was_open:
        sentence = Text("{who} unseals this table.", who=who)
    await answer(interaction).post(**transcript(ended, sentence))
    await interaction.client.seals.note_revealed(ended)


def transcript(ended: seals.RevealedTable, sentence: Shown) -> dict[str, Any]:
    files = [discord.File(io.BytesIO(ended.file), ended.file_name), checker()]
    address = package_info.address_of("docs/fairness.md", package_info.read().source)
    how = Text("[What is verified, and why](<{address}>)", address=Code(address)) if address else EMPTY
    plies, hidden = Count(ended.plies, "ply", "plies"), Count(ended.hidden, "secret roll", "secret rolls")
    lines = [Text("{sentence} The transcript has {plies}.", sentence=sentence, plies=plies)]
    if ended.hidden:
        lines.append(Text("It hides {hidden}: once they're revealed, `/table unseal` includes them.", hidden=hidden))
    return {"content": translate(Sentences([*lines, WHERE, how])), "files": files}


async def reveal_idle(client: Client, is_ours: Callable[[int], bool]) -> None:
    """Unseal tables without a press for a day, and post pending transcripts."""
    for ended in await client.seals.unseal_idle(int(time.time())):
        show_everywhere(client, ended.channel_id)
        if not is_ours(ended.guild_id or 0):  # direct messages belong to the first shard
            continue
        channel = client.get_partial_messageable(ended.channel_id, guild_id=ended.guild_id)
        try:
            await channel.send(**transcript(ended, Text("This sealed table has ended.")))
        except discord.HTTPException as error:  # /table unseal posts it
            log.warning("a transcript could not be posted in channel %s: %s", ended.channel_id, error)
        else:
            await client.seals.note_revealed(ended)
