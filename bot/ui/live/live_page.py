"""Watched tables: links to their pages, and up-to-date parts of watched ones. A page shows the public board, cards, and
turn order with people's names, and nothing else. `/table link` creates its URL; buttons link there.
"""

import asyncio
import logging
import time
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import discord

from bot import background
from bot.client import Client, Interaction
from bot.games import GAMES, Game
from bot.html import html, parts
from bot.html.parts import NAMES, DrawnGame
from bot.languages.translate import CURRENT_LANGUAGE, translate_fields, using_language
from bot.render import tumble, turns
from bot.render.table import PieceGroup
from bot.rules import errors, turn_order
from bot.rules.pieces import key
from bot.rules.text import N_, Code, Shown, Text, ended, english, joined
from bot.sessions.events import StateStored
from bot.sessions.live_tables import HEARTBEAT, LiveTable, PublicTable, TableEvent, digest_of, table_of
from bot.sessions.roll import Played
from bot.store.errors import StoreError
from bot.store.pieces import Player
from bot.store.tracked_messages import MessageKind
from bot.ui.core.card_messages import card_in, card_of
from bot.ui.core.components import ROW, AnswerAddress, Component, Components, InvalidCustomIdError, button, link_to
from bot.ui.core.request_context import clean, language_at, place, request
from bot.ui.core.responses import answer, message_at

TURNS: Final = next(key for key, game in GAMES.items() if game.table.pieces is turn_order)
NOTHING: Final = Text("Nothing has happened here yet.")
RECENT: Final = 40
"""Number of latest events searched for the last rolls."""
AGAIN: Final = 2.0
"""Seconds until an unreadable table is read again."""
REST: Final = 0.001
"""Minimum seconds between frames, which batch changes."""
EVERY: Final = 15.0
"""Seconds between heartbeats; a page that misses one says so."""
MAX_IDLE: Final = 2
"""Heartbeats for which an unwatched table is followed, so that returning viewers miss nothing."""

log = logging.getLogger(__name__)


class DrawnRoll:
    """A roll: its translated card, and its line among the last rolls."""

    def __init__(self, played: Played) -> None:
        self.played = played
        self.card = translate_fields(card_of(played))

    @cached_property
    def entry(self) -> html.Html:
        return parts.entry(self.card)


class TableRenderer:
    """Renders one table repeatedly, reusing unchanged parts."""

    def __init__(self) -> None:
        self.language = CURRENT_LANGUAGE.get()
        self._games: dict[str, tuple[Mapping[int, Shown], DrawnGame]] = {}
        self._rolls: dict[int, DrawnRoll] = {}

    def parts(self, table: PublicTable) -> dict[str, str]:
        for game in table.changed:
            self._games.pop(game, None)
        table.changed.clear()
        owners = {number: clean(player.name) for number, player in table.players.items()}
        # The turn order has its own part.
        games = [self._game(table, key, owners) for key, pieces in table.pieces.items() if pieces and key != TURNS]
        rolls = [self._roll(roll) for roll in table.rolls.values()]
        self._rolls = {roll.played.session: roll for roll in rolls}
        happened, acting = self._last_sentence(table.last), order(table)
        seal = (table.mark.place, table.mark.digits) if table.mark is not None else None
        told = table.last.roll if table.last is not None else None
        current, before = html.EMPTY, [roll.entry for roll in reversed(rolls[:-1])]
        if rolls:
            current = large(rolls[-1], is_earlier=told is None or told.session != rolls[-1].played.session)
        return parts.render_parts(said=happened, seal=seal, games=games, current=current, order=acting, before=before)

    def _game(self, table: PublicTable, key: str, owners: Mapping[int, Shown]) -> DrawnGame:
        known = self._games.get(key)
        if known is None or known[0] != owners:
            known = self._games[key] = (owners, draw_game(GAMES[key], table.pieces[key], owners))
        return known[1]

    def _roll(self, played: Played) -> DrawnRoll:
        known = self._rolls.get(played.session)
        return known if known is not None and known.played is played else DrawnRoll(played)

    def _last_sentence(self, last: TableEvent | None) -> Shown:
        if last is None:
            return NOTHING
        if last.roll is not None:
            return self._roll(last.roll).card.outcome
        return ended(joined(clean(last.by), last.what))


def draw_game(game: Game, held: Mapping[str, Any], owners: Mapping[int, Shown]) -> DrawnGame:
    kept, board, ending = game.table, game.table.board, game.table.ending
    title = Code("") if game.is_general else game.title
    in_words = parts.facts(PieceGroup(title, kept.piece, kept.facts_of(held, owners)))
    if board is None:
        return DrawnGame(rest=in_words)
    figure = board.picture(held, owners)
    clock = ending.clock(held) if ending is not None else 0
    rest = in_words if figure is None else html.EMPTY
    return DrawnGame(summary=board.summary(held, owners), clock=clock, teams=parts.roster(figure), rest=rest)


def large(shown: DrawnRoll, *, is_earlier: bool) -> html.Html:
    """Render a roll's card, with new dice animated; an earlier one is still."""
    played, card = shown.played, shown.card
    if is_earlier or not played.is_new:
        return parts.article(card, is_earlier=is_earlier)
    before = None if played.before is None else card_in(played, played.before)
    return parts.article(card, tumble.just_rolled(card, before))


def order(table: PublicTable) -> html.Html:
    result = table.pieces[TURNS].get(turn_order.NAME)
    return parts.order(result, name_of(table.players)) if isinstance(result, turn_order.TurnOrder) else html.EMPTY


def live_tables_in(client: Client, channel_id: int) -> list[LiveTable]:
    return [live_tables.channels[channel_id] for live_tables in client.watchings if channel_id in live_tables.channels]


def on_stored(client: Client, fact: StateStored) -> None:
    """Handle a change in a channel. If nobody watches, do nothing."""
    for watched in live_tables_in(client, fact.request.place.channel_id):
        watched.facts.append(fact)
        refresh_soon(client, watched)


def on_stored_elsewhere(client: Client, channel_id: int) -> None:
    """Handle another process's work in a channel, whose events are unknown here."""
    if client.is_watched(channel_id):
        for later in (0.5, AGAIN):  # it's still busy
            background.call_later(later, reread_table, client, channel_id)


def reread_table(client: Client, channel_id: int) -> None:
    for watched in live_tables_in(client, channel_id):
        watched.is_stale = True
        refresh_soon(client, watched)


def refresh_soon(client: Client, watched: LiveTable) -> None:
    """Update a page, unless that is in progress."""
    if watched.task is None or watched.task.done():
        watched.task = background.start(refresh(client, watched))


async def refresh(client: Client, watched: LiveTable) -> None:
    """Show all pending events. Never raises."""
    while watched.facts or watched.is_stale:
        try:
            language = watched.language or await language_at(client, watched.place)
            with using_language(language):
                if await is_up_to_date(client, watched):
                    if watched.drawn.language is not language:
                        watched.drawn = TableRenderer()
                    await watched.send(watched.drawn.parts(watched.table))
            await asyncio.sleep(len(watched.readers) * REST)
        except StoreError as error:
            log.warning("a watched table could not be read: %s", error.reason)
            watched.is_stale = True
            await asyncio.sleep(AGAIN)
        except errors.PlayerError as error:
            await watched.send({**dict.fromkeys(NAMES, ""), "said": html.escaped(error.text)})
        except Exception:
            log.exception("a watched table could not be shown")


async def is_up_to_date(client: Client, watched: LiveTable) -> bool:
    """Apply pending changes, from memory if possible; False if more have arrived meanwhile."""
    facts, watched.facts = watched.facts, []
    if watched.table is not None and not watched.is_stale and all(take_in(watched.table, fact) for fact in facts):
        return True
    watched.is_stale = False
    watched.drawn = TableRenderer()
    now = await client.tables.snapshot(watched.place)
    recent = await client.tables.history(watched.place, most=RECENT)
    watched.table = table_of(now, recent)
    return not watched.facts and not watched.is_stale


def take_in(table: PublicTable, fact: StateStored) -> bool:
    """Whether an event contains its whole change, and fits the table."""
    if fact.played is not None:
        return table.take_roll(fact.played)
    if fact.stepped is not None:
        step = fact.stepped
        return table.take_step(fact.game, fact.request.by.name, step.before, step.after, step.what)
    return False


async def show(client: Client, watched: LiveTable) -> None:
    """Render a page's parts. If the table is unreadable, the page starts empty."""
    if watched.table is None:
        refresh_soon(client, watched)
    if watched.task is not None:
        await asyncio.wait({watched.task}, timeout=AGAIN)


async def run_heartbeat(client: Client) -> None:
    """Send heartbeats to subscribers and check their links from time to time, forever."""
    while True:
        await asyncio.sleep(EVERY)
        try:
            await send_heartbeat(client)
        except StoreError as error:
            log.warning("it is not known whether links to tables have ended: %s", error.reason)


async def send_heartbeat(client: Client) -> None:
    """Send one heartbeat. Raises ``StoreError`` if links could not be checked; all get it anyway."""
    now, watching = time.time(), client.watching
    for channel_id, links in tuple(watching.tokens.items()):
        watching.end_channel(channel_id, {link.digest for link in links.values() if link.until <= now})
    for each in client.watchings:
        for channel_id, table in list(each.channels.items()):
            table.idle = 0 if table.readers else table.idle + 1
            if table.idle > MAX_IDLE:
                del each.channels[channel_id]
            for reader in tuple(table.readers):
                reader.send(HEARTBEAT)
    await client.access.recheck()
    await look_at_links(client)


async def look_at_links(client: Client) -> None:
    """End the pages of links that expired, or ended in another process."""
    watching = client.watching
    if not watching.channels:
        return
    open_now = await client.watch_links.open_of(watching.channels, int(time.time()))
    for channel_id, table in list(watching.channels.items()):
        read = {link.digest for link in table.readers.values() if link is not None}
        watching.end_channel(channel_id, read - open_now.keys())


def name_of(players: Mapping[int, Player]) -> turns.NameOf:
    """Return a function that names combatants: people, and NPCs, marked if a person has the same name."""
    people = {key(english(clean(player.name))) for player in players.values()}

    def called(fighter: turn_order.Combatant) -> Shown:
        player = players.get(fighter.owner)
        if fighter.name:
            return Text("{name} (NPC)", name=fighter.name) if key(fighter.name) in people else fighter.name
        return clean(player.name if player is not None else "")

    return called


# Links to pages

LABEL: Final = Text("Second screen")
LAUNCH: Final = AnswerAddress("activity", "launch")
NO_PAGES: Final = Text(
    "This bot has no live pages. The bot's host can turn them on: see docs/operations.md, under Second screen."
)
LINK: Final = N_(
    "This channel's table, live on a second screen, until <t:{until}:t>:\n"
    "{address}\n"
    "Anyone with this link sees what everyone in this channel sees, and nothing else: no secret "
    "rolls, no private answers. For a stream, add `?overlay` to it. Your previous link no longer "
    "works; to revoke this one, use `/table link revoke:True`."
)
REVOKED: Final = Text("Your link to this table has been revoked, and the pages opened with it are closed.")
ALL_REVOKED: Final = Text("All links to this table have been revoked, and the pages opened with them are closed.")
NO_LINK: Final = Text("You have no link to this table. Create one with `/table link`.")
JOIN: Final = "https://discord.com/activities/{}?custom_id={}"
"""Opens the Activity at a channel's table; Discord passes ``custom_id`` to the frame."""
UNSEEN: Final = Text("You can't see this channel. Choose another one.")


async def make_link(interaction: Interaction) -> None:
    """Answer a player or a GM with a new link, replacing their previous one."""
    client, asked, now = interaction.client, await request(interaction), int(time.time())
    if not client.watching.url:
        raise errors.PlayerError(NO_PAGES)
    await check_sight(interaction)
    token, link, before = await client.watch_links.make(asked, now)
    client.watching.end_channel(link.channel_id, before)
    client.watching.tokens.setdefault(link.channel_id, {})[token] = link
    address = address_of(client, asked.place.guild_id, token)
    text = Text(LINK, until=link.until, address=Code(address))
    shown = [link_to(LABEL, address)]
    if client.has_activity:
        shown.append(link_to(Text("Join this table"), JOIN.format(client.application_id, link.channel_id)))
    await answer(interaction).post_private(content=text, view=Components(shown))


async def revoke_link(interaction: Interaction) -> None:
    """End a person's link to this channel; a GM ends all."""
    client, asked = interaction.client, await request(interaction)
    ended = await client.watch_links.revoke(asked)
    client.watching.end_channel(asked.place.channel_id, ended)
    revoked = ALL_REVOKED if asked.is_gm else REVOKED
    await answer(interaction).post_private(content=revoked if ended else NO_LINK)


async def check_sight(interaction: Interaction) -> None:
    """Raise ``PlayerError`` for somebody who can't see the channel they act in."""
    if not await interaction.client.access.may_see(interaction.user.id, place(interaction)):
        raise errors.PlayerError(UNSEEN)


def address_of(client: Client, guild_id: int | None, token: str) -> str:
    """Return a table's URL, with the shard for a proxy of several processes."""
    shard = ((guild_id or 0) >> 22) % (client.shard_count or 1)
    return f"{client.watching.url}/{shard}/{token}"


def page_buttons(client: Client, channel_id: int, guild_id: int | None) -> list[Component]:
    """Return a channel's page buttons: the Activity, and an open link. The store has only the token's hash, so a token
    unknown to this process has no button. The newest player's link is preferred.
    """
    links = [(link.is_player, link.until, token) for token, link in client.watching.tokens.get(channel_id, {}).items()]
    result = [button(Text("In the call"), LAUNCH)] if client.has_activity else []
    _, until, token = max(links, default=(False, 0, ""))
    return [*result, link_to(LABEL, address_of(client, guild_id, token))] if time.time() < until else result


async def launch(interaction: Interaction, _: AnswerAddress) -> None:
    """Launch the Activity for the presser. Raises ``InvalidCustomIdError`` if the host has disabled it."""
    if not interaction.client.has_activity:
        raise InvalidCustomIdError
    await answer(interaction).launch()


async def recall_links(client: Client) -> None:
    """Reload tokens at startup from boards with page buttons, since the store has only hashes. Raises ``StoreError``.
    An unreadable board has no such button until there is a new link.
    """
    boards = {channel: one for (kind, channel, _), one in client.live.items() if kind is MessageKind.BOARD}
    missing = boards.keys() - client.watching.tokens.keys()
    if not client.watching.url or not missing:
        return
    open_now = await client.watch_links.open_of(missing, int(time.time()))
    for channel_id in dict.fromkeys(link.channel_id for link in open_now.values()):
        live = boards[channel_id]
        try:
            board = await message_at(client, live.place, live.kept.message_id).fetch()
        except discord.HTTPException as error:
            log.info("the link on the board of channel %s could not be read again: %s", channel_id, error)
            continue
        items = (item for row in board.components for item in getattr(row, "children", ()))
        tokens = (str(getattr(item, "url", None)).rpartition("/")[2] for item in items)
        known = {token: open_now[digest] for token in tokens if (digest := digest_of(token)) in open_now}
        if known:
            client.watching.tokens[channel_id] = known


def with_pages(client: Client, channel_id: int, guild_id: int | None, view: Components | None) -> Components | None:
    """Add that button to the last row with room."""
    more = page_buttons(client, channel_id, guild_id)
    if not more:
        return view
    rows = [row["components"] for row in view.to_components()] if view is not None else []
    if rows and len(rows[-1]) + len(more) <= ROW and all("label" in item for item in rows[-1]):
        return Components(*rows[:-1], [*rows[-1], *more])
    return Components(*rows, more) if len(rows) < ROW else view
