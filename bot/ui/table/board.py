"""The table of a channel: the live board, undo, seats, history, clearing."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

import discord

from bot.client import Client, Interaction
from bot.games import GAMES
from bot.languages.translate import translate
from bot.render import table
from bot.render.card import Card
from bot.rules import plans
from bot.rules.game import Side
from bot.rules.text import EMPTY, N_, Code, Name, Names, Said, Shown, Text, bracketed, labeled, with_plain
from bot.sessions.codec import READY, REMATCH, REVEAL, STEP, UNDO
from bot.sessions.request import Place
from bot.sessions.roll import Address, Played
from bot.sessions.tables import TABLE, HistoryEntry
from bot.sessions.undo import RequestExpiredError, UndoRequest
from bot.store.sessions import CLOSE
from bot.store.tracked_messages import MessageKind, RenderMode, TrackedMessage
from bot.ui.core import board_controls, card_messages, components, request_context
from bot.ui.core.request_context import clean, escape_markdown, link, mention, name_shown, person, place, request
from bot.ui.core.responses import answer, try_edit
from bot.ui.live import live_messages, live_page
from bot.ui.roll import roll_message

MAX_ROLLS: Final = 5
MAX_OUTCOME: Final = 160
MAX_DESCRIPTION: Final = 600
HANDFUL: Final = 4
"""Cards below a board that put it out of sight."""
MAX_SHEETS: Final = 12
"""Maximum number of commitments below a board."""
FEW_DIGITS: Final = 4
"""Digits of a fingerprint below a board; **How?** shows all."""
MAX_NAMES: Final = 4
"""Maximum number of names at the beginning of a line of the history."""
ALLOW: Final = "undo-allow"
REFUSE: Final = "undo-refuse"
"""Reserved button keys of an undo request; no offer may use them."""


async def draw(client: Client, kept: TrackedMessage, selected: Mapping[int, str]) -> live_messages.RenderedMessage:
    """Render the board: pieces and offers. ``selected``: pieces by player number."""
    here = Place(kept.channel_id, kept.guild_id)
    now = await client.tables.snapshot(here)
    rolls = with_turn(now.rolls)
    owners = {number: clean(player.name) for number, player in now.players.items()}
    card = table.board(groups(now.pieces, owners, is_drawn=kept.look is RenderMode.PICTURE), len(rolls))
    about = card_messages.embed(card)
    last, presses = last_step_line(client, here, now.last), whose_presses(now.pieces, owners, selected)
    about.description = "\n".join(filter(None, [about.description, *clocks(now.pieces), last, presses])) or None
    if rolls:
        lines = [with_link(waiting_line(roll, card), here, client.links.of(roll)) for roll, card in rolls[:MAX_ROLLS]]
        open_rolls = Said("\n".join(filter(None, lines))[:1024])
        about.add_field(name=translate(Text("Open rolls")), value=open_rolls, inline=False)
    small = commitments_of(now.pieces, owners)
    if (mark := now.mark) is not None:
        at = Text("nothing has happened yet")
        if mark.place:
            at = Text("ply {place}, {digits}", place=mark.place, digits=Code(mark.digits))
        small.insert(0, translate(Text("Sealed table: {at}", at=at)))
    if small:
        about.set_footer(text=Said("\n".join(small)))
    view = board_controls.view(now.pieces, selected) if any(now.pieces.values()) else board_controls.of_empty()
    if client.has_activity or kept.channel_id in client.watching.tokens:
        view = live_page.with_pages(client, kept.channel_id, kept.guild_id, view)
    return live_messages.RenderedMessage({"embed": about, "view": view}, card_messages.translate_card(card))


def commitments_of(
    pieces: board_controls.Pieces, owners: Mapping[int, Shown], digits: int | None = FEW_DIGITS
) -> list[str]:
    """Return the owner of each locked sheet of plans, and ``digits`` of its fingerprint; None for all."""
    result = list[str]()
    for plan in [plan for held in pieces.values() for plan in plans.commitments(held).values()][:MAX_SHEETS]:
        who, sheet = owners.get(plan.owner, ""), plans.sheet_text(plan.sheet)
        message = N_("{who}'s plans, {sheet}: revealed, {digits}")
        message = N_("{who}'s plans, {sheet}: sealed, {digits}") if plan.closed_places else message
        result.append(translate(Text(message, who=who, sheet=sheet, digits=Name(plan.root[:digits]))))
    return result


async def fingerprints(interaction: Interaction) -> None:
    """Show one person the full fingerprints of all sealed plans."""
    now = await interaction.client.tables.snapshot(place(interaction))
    owners = {number: clean(player.name) for number, player in now.players.items()}
    with request_context.in_user_language(interaction):
        lines = commitments_of(now.pieces, owners, None)
    await answer(interaction).whisper(Said("\n".join(lines)) if lines else Text("No plans are sealed now."))


def clocks(pieces: board_controls.Pieces) -> list[str]:
    """Return the remaining time of games' clocks; Discord counts the minutes."""
    boards = [(game.table.board, pieces.get(game.key)) for game in GAMES.values()]
    ends = [board.ends_at(held) for board, held in boards if board is not None and board.ends_at is not None and held]
    return [translate(Text("The clock ends {when}.", when=Code(f"<t:{at}:R>"))) for at in ends if at]


def whose_presses(pieces: board_controls.Pieces, owners: Mapping[int, Shown], selected: Mapping[int, str]) -> str:
    """Return each player's current piece, if they have several; "" if nobody must choose."""
    active = board_controls.find_controlled(pieces)
    shown = {} if active is None else active.shown(selected)
    if active is None or len(active.controls.pieces(active.table)) <= len(shown):
        return ""
    ships = [bracketed(Name(name), owners[owner]) if owner in owners else name for owner, name in sorted(shown.items())]
    return escape_markdown(translate(Text("Buttons control {pieces}.", pieces=Names(ships))))


def waiting_line(roll: Played, card: Card) -> str:
    """Describe an open roll: player, roll, and whom it waits for: ``Bo's contest waits for anybody.``"""
    first = roll.seats.get(Side.ATTACKER)
    offers = [offer for offer in roll.offers if offer.is_awaited][:1]  # the first one is what it waits for
    people = [roll.named.get(offer.player) or roll.seats.get(offer.side) for offer in offers]
    whom = "".join(translate(clean(item.name)) for item in people if item is not None)
    about = Names(roll.game.table.about(roll.state), "against")
    what = labeled(card.title, about) if about else card.title
    who = clean(first.name) if first is not None else Text("Someone")
    said = N_("{who}'s roll ({what}) is waiting for anyone.")
    if whom:
        said = N_("{who}'s roll ({what}) is waiting for {whom}.")
    return escape_markdown(translate(Text(said, who=who, what=what, whom=Name(whom))))


BOARD: Final = live_messages.LiveMessage(
    MessageKind.BOARD, N_("This board was replaced. [Go to the new one]({where})"), draw
)


def last_step_line(client: Client, here: Place, entry: HistoryEntry | None) -> str:
    """Describe the last event: a table step, an undone one, or a finished roll with its card."""
    if entry is None:
        return ""
    if entry.game == TABLE and entry.offer in (STEP, REMATCH, UNDO, READY, REVEAL) and entry.what:
        return f"{escape_markdown(clean(entry.by))} {escape_markdown(translate(entry.what))}."[:MAX_DESCRIPTION]
    if entry.roll is not None and not entry.roll.offers and not entry.roll.is_closed:
        outcome = escape_markdown(translate(card_messages.card_of(entry.roll).outcome))[:MAX_DESCRIPTION]
        return with_link(outcome, here, client.links.of(entry.roll))
    return ""


def groups(
    pieces: board_controls.Pieces, owners: Mapping[int, Shown], *, is_drawn: bool = False
) -> list[table.PieceGroup]:
    """Return a channel's pieces for its board, by game; if ``is_drawn``, drawable games are pictures."""
    result = []
    plays = next((game for game in GAMES.values() if board_controls.is_running(game, pieces.get(game.key))), None)
    for game in board_controls.in_order(pieces):
        held = pieces.get(game.key)
        if not held:
            continue
        kept, board = game.table, game.table.board
        title, size = EMPTY if game.is_general else game.title, kept.size(held) if kept.size else None
        group = table.PieceGroup(title, kept.piece, kept.facts_of(held, owners), size=size)
        if board is not None and is_drawn and plays in (None, game):  # a drawn game has the whole board
            group = replace(group, summary=board.headline(held, owners), figure=board.picture(held, owners))
        elif board is not None:
            group = replace(group, summary=board.summary(held, owners))
        result.append(group)
    return result


def with_turn(rolls: Iterable[Played]) -> list[tuple[Played, Card]]:
    return [(roll, card) for roll in rolls if (card := card_messages.card_of(roll)).turn]


def with_link(text: str, here: Place, message_id: int | None) -> str:
    """Text, followed by a link to its message if the id is known."""
    return text if message_id is None else f"{text} [↗]({link(here, message_id)})"


async def undo(interaction: Interaction) -> bool:
    """Undo the last press and show it, or ask for consent. True if the pressed board shows the result itself."""
    by = interaction.user
    result = await interaction.client.tables.undo(await request(interaction))
    if isinstance(result, UndoRequest):
        await ask_consent(interaction, result)
        return False
    is_press = interaction.type is discord.InteractionType.component and not answer(interaction).is_on_private
    if result.roll is None and is_press:
        return True
    if result.roll is None:
        said = Text("{by} takes back: {what}.", by=clean(person(by).name), what=result.what)
        await answer(interaction).post(embed=card_messages.embed(table.notice(said)))
        return False
    who, what = name_shown(by), with_plain(result.what, escape_markdown)
    sentence = Text("{who} takes back: {what}.", who=who, what=what)
    if result.person_id != by.id:
        whose = mention(result.person_id)
        sentence = Text("{who} takes back what {whose} did: {what}.", who=who, whose=whose, what=what)
    old = interaction.client.links.of(result.roll)
    await roll_message.post_roll(interaction, result.roll, is_taken_back=True, content=sentence)
    await roll_message.link_to_new(interaction, old, interaction.client.links.of(result.roll), result.was)
    return False


async def undo_ply(interaction: Interaction, at: Address) -> None:
    """Take back the ply that a card shows and update the card, or ask the people who have to allow it."""
    result = await interaction.client.tables.undo(await request(interaction), only=at)
    if isinstance(result, UndoRequest):
        await ask_consent(interaction, result)
        return
    assert result.roll is not None, "the ply of a roll"  # noqa: S101 - a table step has no card
    what = with_plain(result.what, escape_markdown)
    sentence = Text("{who} takes back: {what}.", who=name_shown(interaction.user), what=what)
    await roll_message.update_card(interaction, result.roll, is_taken_back=True, content=sentence)


async def ask_consent(interaction: Interaction, asked: UndoRequest) -> None:
    """Show an undo request with buttons to allow and refuse it."""
    whom = Names([mention(number) for number in asked.people])
    if not asked.by_gm:
        question = Text("{whom}, do you allow it? At a sealed table, a GM can't.", whom=whom)
    elif whom:
        question = Text("{whom}, do you allow it? A GM can answer too.", whom=whom)
    else:
        question = Text("Anyone else here, or a GM, can allow it.")
    allow, refuse = replace(asked.request, offer=ALLOW), replace(asked.request, offer=REFUSE)
    view = components.yes_or_no(allow, Text("Allow"), refuse, Text("Refuse"), discord.ButtonStyle.success)
    client, here = interaction.client, place(interaction)
    there = client.undo_questions.get(asked.request)
    if there is not None and await try_edit(client, here, there, view=view):  # it can still be answered
        message = N_("You've already asked. [Your request]({where}) is waiting for an answer.")
        await answer(interaction).whisper(Text(message, where=Code(link(here, there))))
        return
    who, what = name_shown(interaction.user), with_plain(asked.what, escape_markdown)
    content = Text("{who} asks to take back: {what}.\n{question}", who=who, what=what, question=question)
    called = request_context.mentions_of([] if asked.is_repeated else asked.people)
    shown = await answer(interaction).post(content=content, view=view, allowed_mentions=called)
    if shown is not None:
        client.undo_questions[asked.request] = shown


async def answer_request(interaction: Interaction, at: Address) -> None:
    """Answer a request and replace it by the result; a closed one only tells the presser."""
    who = name_shown(interaction.user)
    try:
        undone = await interaction.client.tables.answer(await request(interaction), at, allow=at.offer == ALLOW)
    except RequestExpiredError as error:
        await answer(interaction).whisper(error.text)
        return
    if undone is None:
        await answer(interaction).update(content=Text("{who} refuses to take it back.", who=who), view=None)
        return
    what = with_plain(undone.what, escape_markdown)
    sentence = Text("{who} allows it. Taken back: {what}.", who=who, what=what)
    if undone.roll is None:
        await answer(interaction).update(content=sentence, view=None)
        return
    old = interaction.client.links.of(undone.roll)
    await roll_message.show_in_place(interaction, undone.roll, content=sentence)
    if interaction.message is not None:
        interaction.client.links.note(undone.roll.session, interaction.message.id)
        await roll_message.tell_shown(interaction, undone.roll, is_taken_back=True)
        await roll_message.link_to_new(interaction, old, interaction.message.id, undone.was)


async def remove_button(interaction: Interaction, custom_id: str) -> None:
    if interaction.message is not None:
        view = discord.ui.View.from_message(interaction.message, timeout=None)
        for item in view.children:
            if getattr(item, "custom_id", None) == custom_id:
                view.remove_item(item)
        view.stop()
        await try_edit(interaction.client, place(interaction), interaction.message.id, view=view)


async def history(
    interaction: Interaction, player: discord.abc.User | None, game: str | None, *, private: bool = False
) -> None:
    """Show the latest presses and changes here, newest first, with links."""
    here = place(interaction)
    await interaction.client.links.write()
    entries = await interaction.client.tables.history(here, player.id if player else None, game)
    if private:
        answer(interaction).keep_private()
    told = Said("\n".join(history_line(entry, here) for entry in entries)[:4096])
    described = told or translate(Text("Nothing yet."))
    shown = discord.Embed(title=translate(Text("What happened here")), description=described)
    shown.set_footer(text=translate(Text("Newest first. A line through an entry means it was taken back.")))
    send = answer(interaction).post_private if private else answer(interaction).post
    await send(embed=shown)


def history_line(entry: HistoryEntry, here: Place) -> str:
    """Return a history line: time, person, event; struck through if undone."""
    roll = entry.roll
    text = entry.what if roll is None or entry.what else card_messages.card_of(roll).outcome
    if roll is not None and roll.ply and roll.game.table.follow_ups is not None:
        text = roll.game.table.follow_ups.decision(entry.offer) or text
    if roll is not None and entry.offer == CLOSE:
        text = Text("takes this roll back")
    elif roll is not None and entry.offer == UNDO:
        text = Text("takes back the last press: {text}", text=text)
    plain: str = translate(text)
    plain = escape_markdown(plain if len(plain) <= MAX_OUTCOME else f"{plain[: MAX_OUTCOME - 1]}…")
    before = [translate(GAMES[entry.game].title), names_in(entry, plain)] if entry.game in GAMES else []
    marked = ": ".join(filter(None, [", ".join(filter(None, before)), plain]))
    marked = f"~~{marked}~~" if entry.is_undone else marked
    return with_link(f"<t:{entry.at}:R> {mention(entry.person_id)} {marked}", here, entry.message_id)


def names_in(entry: HistoryEntry, text: str) -> str:
    """Return the names a roll is about, if its words don't contain them all: ``Angus and Ortega``."""
    roll = entry.roll
    names = roll.game.table.about(roll.state) if roll is not None else ()
    if all(escape_markdown(name) in text for name in names):
        return ""
    more = [Text("{count} more", count=len(names) - MAX_NAMES)] if len(names) > MAX_NAMES else []
    return escape_markdown(translate(Names([*names[:MAX_NAMES], *more])))
