"""Presses on a board, and next steps on a finished roll's card. Each counts once, and only while its piece is as shown.
On a board a press means the presser's own piece. It updates the pressed message; only attacks are new messages, and a
board out of sight when a phase ends.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import discord

from bot.client import FAR, Interaction
from bot.languages.translate import translate
from bot.render import table as cards
from bot.rules import dice, game, pieces
from bot.rules.errors import NotOfferedError, PlayerError
from bot.rules.text import EMPTY, N_, Capitalized, Name, Names, Sentences, Shown, Text, with_plain
from bot.ruleset.ruling import allowed_fields
from bot.sessions.events import PiecesChanged
from bot.sessions.pieces import OWNER_OR_GM, check_look, check_owner, check_player, may_play, owner
from bot.sessions.request import Request
from bot.store import people
from bot.store.pieces import Player
from bot.ui.core import board_controls, card_messages, request_context
from bot.ui.core.board_controls import ASIDE, HISTORY, SELECT, UNDO, ControlledGame, find_controlled, mark, next_rows
from bot.ui.core.components import CANCEL, At, BoardAddress, Components, NextAddress, button
from bot.ui.core.request_context import clean, escape_markdown, in_user_language, person, picked_value, place, request
from bot.ui.core.responses import CardShown, StepAnswered, answer, try_edit
from bot.ui.roll import bot_player, roll_message
from bot.ui.table import board, plans

WORKED: Final = Text("Done. The board is up to date.")
THE_MATCH: Final = Text("the match")
NOTHING: Final = Text("There is nothing on this table.")


class PieceChangedError(PlayerError):
    def __init__(self, about: Shown) -> None:
        message = N_("{name} has changed in the meantime. The card is up to date now; look again.")
        super().__init__(Text(message, name=Capitalized(about)))


def piece_gone(active: ControlledGame | None) -> PlayerError:
    return PlayerError(NOTHING if active is None else active.board.left)


@dataclass(frozen=True, slots=True)
class BoardPress:
    """The context of a press: current pieces, the selected one, players by number, and the choice. ``at``: the address
    of its form. ``is_seen``: the piece is unchanged since it was shown. ``offered``: its offers on the pressed message.
    """

    found: ControlledGame
    name: str
    players: Mapping[int, Player]
    asked: Request
    choice: game.Choice
    at: At
    is_seen: bool
    offered: Sequence[game.Offer]


async def undo(interaction: Interaction) -> None:
    """Undo the channel's last press; the board shows undone steps itself."""
    if await board.undo(interaction):
        await board.BOARD.update(interaction)


CARDS: Final[dict[str, Callable[[Interaction], Awaitable[None]]]] = {
    UNDO: undo,
    HISTORY: partial(board.history, player=None, game=None, private=True),
    board_controls.FINGERPRINTS: board.fingerprints,
}
"""Boards' other buttons, by word; cogs add cards to show."""


async def press(interaction: Interaction, at: BoardAddress, filled: Mapping[str, str] | None = None) -> None:
    """Apply a press on a board, or the form that it opened, and show the updated board. Raises ``PlayerError``."""
    if await board.BOARD.was_replaced(interaction):
        return
    offer = picked_value(interaction) if at.offer == ASIDE else at.offer
    if offer in CARDS:
        await CARDS[offer](interaction)
        return
    now = await interaction.client.tables.snapshot(place(interaction))
    active, asked = find_controlled(now.pieces), await request(interaction)
    if active is None:
        raise NotOfferedError(NOTHING)
    selected = {active.owner(name): name for name in map(active.name_of_mark, at.pieces) if name in active.table}
    if offer == SELECT:
        await select(interaction, active, selected, now.players)
        return
    name, offered = active.controls.MATCH, active.controls.table_offers(active.table)
    is_seen = is_match_seen = mark(active.table.get(name)) == at.seen
    if all(item.key != offer for item in offered):
        mine = find_own_piece(active, at, offer, now.players, asked)
        name = active.name_of_mark(mine)
        if not name:
            refresh_board(interaction, selected)
            raise piece_gone(active)
        is_seen = active.mark_of(name) == mine
        if not is_match_seen and offer not in keys_of(active, name):
            refresh_board(interaction, selected)  # it was offered in another state of the match
            raise PieceChangedError(THE_MATCH)
        offered = active.offers(name)
    choice, form_at = game.Choice(offer, (), filled), replace(at, offer=offer)
    try:
        if await act(interaction, BoardPress(active, name, now.players, asked, choice, form_at, is_seen, offered)):
            await redraw(interaction, selected)
    except (PieceChangedError, NotOfferedError):
        refresh_board(interaction, selected)
        raise


def refresh_board(interaction: Interaction, selected: Mapping[int, str]) -> None:
    """Refresh an outdated pressed board, as after a restart; ``selected``: its pieces."""
    client, here = interaction.client, place(interaction)
    live = client.board_in(here.channel_id)
    if live is not None:
        live.selected = live.selected or selected
    board.BOARD.mark_changed(client, here.channel_id)
    client.lost.mark_maybe_unseen(here.channel_id, interaction.user.id)


def find_own_piece(
    active: ControlledGame, at: BoardAddress, offer: str, players: Mapping[int, Player], asked: Request
) -> str:
    """Return the mark of the presser's piece on a board: their own, or an unowned one; for a GM the first.

    An offer for none of these is taken by a GM for its owner, as to reveal for a player who left; for the bot's pieces
    by anybody. Raises ``PlayerError`` for non-players, or if their piece was not shown.
    """
    holders = {piece: owner(active.table.get(active.name_of_mark(piece)), players) for piece in at.pieces}
    mine = next((piece for piece, of in holders.items() if of is not None and of.person_id == asked.by.id), "")
    theirs = (item for item, of in holders.items() if asked.is_gm or (of is not None and of.person_id == asked.bot_id))
    if mine := choose_piece(active, offer, mine, theirs):
        return mine
    anyone = at.pieces[0] if asked.is_gm and at.pieces else ""
    if free := next((piece for piece, of in holders.items() if of is None), anyone):
        return free
    check_player(active.table.values(), players, asked)
    raise NotOfferedError(active.board.not_shown)


def choose_piece(active: ControlledGame, offer: str, mine: str, theirs: Iterable[str]) -> str:
    """Return the first marked piece that can take the offer; else ``mine``."""
    named = {item: active.name_of_mark(item) for item in (mine, *theirs) if item}
    offered = {item: active.offers(name) for item, name in named.items() if name}
    barred = {item: {bool(one.barred) for one in every if one.key == offer} for item, every in offered.items()}
    fits = [item for item, found in barred.items() if found]
    return next((fit for fit in fits if False in barred[fit]), [*fits, mine][0])


def keys_of(active: ControlledGame, name: str) -> set[str]:
    return {offer.key for offer in active.offers(name)} if name else set()


async def act(interaction: Interaction, pressed: BoardPress) -> bool:
    """Apply a press; returns whether the table changed. Raises ``PlayerError``, or ``PieceChangedError``."""
    active, name, choice = pressed.found, pressed.name, pressed.choice
    check_may(pressed)
    offer = find_pressed_offer(pressed)
    if offer.then is game.AfterOffer.PLANS:
        await plans.begin(interaction, active.game.key, offer.sheet)
        return False
    if offer.fields and choice.filled is None:
        await ask(interaction, pressed, offer)
        return False
    game.find_offer((offer,), choice)
    if offer.then is game.AfterOffer.LOOKS:
        await plans.show_looked(interaction, pressed.asked, active.game.key, choice, name)
        return False
    if isinstance(offer.then, game.OpensPlace):
        of, filled = offer.then.place, {**dict(offer.then.says), **(choice.filled or {})}
        await interaction.client.plans.open(pressed.asked, active.game.key, filled.get(game.OF, of), filled)
        return True
    if offer.then is game.AfterOffer.FOLLOWS:
        words = active.controls.attack_words(name, choice.filled or {}, offer.key)
        await roll_message.open_words(interaction, active.game.key, words)
        return False
    if offer.then is game.AfterOffer.SHOWS and active.board.secrets is not None:
        check_look(active.table[name], pressed.players, person(interaction.user))
        with in_user_language(interaction):
            await answer(interaction).post_private(embed=card_messages.embed(active.board.secrets(active.table[name])))
        return False
    done, result = await step(interaction, pressed, offer)
    if done.is_told and active.board.told is not None:
        card = active.board.told(clean(person(interaction.user).name), done, result.before, result.after)
        display = await card_messages.user_display(interaction)
        await answer(interaction).post(**card_messages.card_message(card, display))
        return False
    return True


def find_pressed_offer(pressed: BoardPress) -> game.Offer:
    """Return the pressed offer; a plan may begin even if the piece has changed. Raises ``PieceChangedError`` for others
    if it has, ``PlayerError`` for unavailable or barred offers.
    """
    name = Name(pressed.name)
    offer = next((item for item in pressed.offered if item.key == pressed.choice.offer), None)
    if not pressed.is_seen and not (offer is not None and offer.then is game.AfterOffer.PLANS):
        raise PieceChangedError(name)
    if offer is None:
        active, shown = pressed.found, pressed.at.pieces if isinstance(pressed.at, BoardAddress) else ()
        named, key = map(active.name_of_mark, shown), pressed.choice.offer
        holders = (owner(active.table[item], pressed.players) for item in named if key in keys_of(active, item))
        others = [clean(player.name) for player in filter(None, holders)]
        if others and clean(pressed.asked.by.name) not in others:
            message = N_("{name} can't do that now, and this button is for {players}. Wait for your turn.")
            raise PlayerError(Text(message, name=name, players=Names(others)))
        raise PlayerError(Text("{name} can't do that now. Select another one, or continue.", name=name))
    if offer.barred and offer.then is not game.AfterOffer.PLANS:
        raise PlayerError(offer.barred)
    return offer


async def ask(interaction: Interaction, pressed: BoardPress, offer: game.Offer) -> None:
    """Open an offer's form, with private values for its owner."""
    active, name, form = pressed.found, pressed.name, offer.asks
    assert isinstance(form, game.Fill), "it has fields"  # noqa: S101 - states how this is called
    is_for = offer.player == number_of(pressed.players, pressed.asked.by.id)
    fields = allowed_fields(await request_context.ruling(interaction), (is_for and form.suggested) or form.fields)
    holder = owner(active.table.get(name), pressed.players)
    is_mine = holder is not None and holder.person_id == pressed.asked.bot_id
    if is_mine and offer.then is game.AfterOffer.FOLLOWS:
        fields = await bot_player.with_best_target(interaction, active.game, active.table, name, fields)
    await answer(interaction).ask(form.title or offer.label, pressed.at, fields)


def check_may(pressed: BoardPress) -> None:
    """Raise ``PlayerError`` for non-players, or somebody else's piece."""
    if pressed.name == pressed.found.controls.MATCH:
        check_player(pressed.found.table.values(), pressed.players, pressed.asked)
    else:
        check_owner([pressed.found.table[pressed.name]], pressed.players, pressed.asked)


async def step(
    interaction: Interaction, pressed: BoardPress, offer: game.Offer
) -> tuple[pieces.BoardChange, PiecesChanged]:
    """Store a press's changes as one step."""
    asked, active, about = pressed.asked, pressed.found, pressed.name
    is_table, stood, made = (about == active.controls.MATCH, active.table.get(about), list[pieces.BoardChange]())
    if offer.player and (holder := pressed.players.get(offer.player)) is not None:
        check_for(holder, asked)

    def change(now: Mapping[str, Any], rng: dice.Rng) -> pieces.BoardChange:
        if now.get(about) != stood:
            raise PieceChangedError(THE_MATCH if is_table else Name(about))
        made.append(active.controls.choose(now, about, pressed.choice, rng, number_of(pressed.players, asked.by.id)))
        return made[-1]

    tables, of = interaction.client.tables, () if is_table else (about,)
    result = await tables.roll_step(asked, active.game.key, change, of=of, by_player=is_table)
    return made[-1], result


def number_of(players: Mapping[int, Player], person_id: int) -> int:
    """Return a person's number among a channel's players; 0 for none."""
    return next((number for number, player in players.items() if player.person_id == person_id), 0)


async def check_plays(interaction: Interaction, bodies: Sequence[Any]) -> None:
    """Raise ``PlayerError`` before a form if there are pieces, and a person may play none of them."""
    players, asked = await interaction.client.tables.players(place(interaction)), await request(interaction)
    if not any(may_play(body, players, asked) for body in bodies):
        check_player(bodies, players, asked)
        check_owner(bodies, players, asked)


async def number_here(interaction: Interaction) -> int:
    """Return the acting person's player number in this channel; 0 for none."""
    return number_of(await interaction.client.tables.players(place(interaction)), interaction.user.id)


def check_for(holder: Player, asked: Request) -> None:
    """Raise ``PlayerError`` for a press on another person's choice."""
    if holder.person_id not in (asked.by.id, asked.bot_id, people.FORGOTTEN) and not asked.is_gm:
        raise PlayerError(Text("Only {holder} or a GM can choose that.", holder=Name(holder.name)))


async def select(
    interaction: Interaction, active: ControlledGame, selected: Mapping[int, str], players: Mapping[int, Player]
) -> None:
    """Select this piece for a person's presses; someone else's piece is shown privately."""
    name = active.name_of_mark(picked_value(interaction))
    if name not in active.table:
        refresh_board(interaction, selected)
        raise piece_gone(active)
    try:
        asked = await request(interaction)
        check_player(active.table.values(), players, asked)
        check_owner([active.table[name]], players, asked)
    except PlayerError:
        owners = {number: clean(player.name) for number, player in players.items()}
        facts = active.game.table.facts_of({name: active.table[name]}, owners)
        with in_user_language(interaction):
            await answer(interaction).post_private(embed=card_messages.embed(cards.notice_of(facts)))
        return
    mine = active.owner(name)
    await redraw(interaction, {mine: name} | {of: item for of, item in selected.items() if of != mine})


async def redraw(interaction: Interaction, selected: Mapping[int, str]) -> None:
    """Update the pressed board, with these pieces selected."""
    if not await board.BOARD.update(interaction, selected=selected):  # a form that was fixed
        board.BOARD.mark_changed(interaction.client, place(interaction).channel_id)
        await answer(interaction).update(content=WORKED, view=None)


# Next steps on the card of a finished roll


async def press_next(interaction: Interaction, at: NextAddress, filled: Mapping[str, str] | None = None) -> None:
    """Apply a press on a next step: an attack is a new card; others are shown on this card, or a new board. Raises
    ``PlayerError``; if something has changed, the card gets current next steps.
    """
    now = await interaction.client.tables.snapshot(place(interaction))
    active = find_controlled(now.pieces)
    name = active.name_of_mark(at.piece) if active is not None else ""
    if active is None or not name:
        await refresh_next(interaction, at.session)
        raise piece_gone(active)
    offered = [offer for of, offer in active.controls.next_offers(active.table) if (of, offer.key) == (name, at.offer)]
    is_seen, choice = bool(offered) and active.mark_of(name) == at.piece, game.Choice(at.offer, (), filled)
    pressed = BoardPress(active, name, now.players, await request(interaction), choice, at, is_seen, offered)
    if is_seen and not at.sure and (question := await ask_first(interaction, pressed, at.session)):
        sure = button(Text("Continue"), replace(at, sure=1), discord.ButtonStyle.primary)
        with in_user_language(interaction):
            buttons = Components([sure, button(Text("Cancel"), CANCEL)])
            await answer(interaction).post_private(content=question, view=buttons)
        return
    try:
        is_done = await act(interaction, pressed)
    except (PieceChangedError, NotOfferedError):
        await refresh_next(interaction, at.session)
        if name == active.controls.MATCH:  # a crash may have come between this very step and its board
            await bring_down(interaction)
        raise
    if is_done:
        opens = any(isinstance(offer.then, game.OpensPlace) for offer in offered)
        await answer_next(interaction, pressed, at.session, opens=opens)


async def answer_next(interaction: Interaction, pressed: BoardPress, session: int, *, opens: bool) -> None:
    """Show a next step's result. ``opens``: it opens plans, on the newest message."""
    live, name = await board.BOARD.find(interaction.client, place(interaction).channel_id), pressed.name
    below, active = FAR if live is None else live.below, pressed.found
    if (below > board.HANDFUL and name == active.controls.MATCH) or (below and opens):
        await board.BOARD.post(interaction)
        await remove_next_buttons(interaction)
    else:
        is_told = opens or name == active.controls.MATCH
        who, ship = request_context.name_shown(interaction.user), Name(escape_markdown(name))
        said = None if is_told else Text("{who} skips {ship}.", who=who, ship=ship)
        if not answer(interaction).is_on_private:
            await show_next(interaction, session, content=said)
            return
        await answer(interaction).update(content=WORKED, view=None)  # somebody was asked first
        card = interaction.client.links.of(await interaction.client.sessions.find(session, place(interaction)))
        if said is not None and card is not None:
            with request_context.in_channel_language(interaction):
                await try_edit(interaction.client, place(interaction), card, content=translate(said))


async def ask_first(interaction: Interaction, pressed: BoardPress, session: int) -> Shown:
    """Ask once before the next step, if more may follow from the roll. Raises ``PlayerError`` for outsiders."""
    active, asked, name = pressed.found, pressed.asked, pressed.name
    check_may(pressed)
    played = await interaction.client.sessions.find(session, place(interaction))
    follow_ups, holder = played.game.table.follow_ups, owner(active.table.get(name), pressed.players)
    open_ = follow_ups.open_follow_ups(played.state, active.table) if follow_ups is not None else EMPTY
    whose = EMPTY
    if holder is not None and holder.person_id not in (asked.by.id, asked.bot_id, people.FORGOTTEN):
        is_attack = pressed.offered[0].then is game.AfterOffer.FOLLOWS
        message = OWNER_OR_GM if is_attack else N_("This skips {piece}, which belongs to {holder}.")
        whose = Text(message, piece=Name(name), holder=Name(holder.name))
    return with_plain(Sentences([open_, whose, Text("Continue?") if open_ or whose else EMPTY]), escape_markdown)


async def refresh_next(interaction: Interaction, session: int) -> None:
    """Refresh the next steps of a pressed card, as after a crash."""
    interaction.client.lost.mark_maybe_unseen(place(interaction).channel_id, interaction.user.id, after=session)
    await show_next(interaction, session)


async def show_next(interaction: Interaction, session: int, **extra: Any) -> None:
    """Show a pressed card with current next steps; a no-op for a private message, and for a form without its card."""
    if interaction.message is not None and not answer(interaction).is_on_private:
        played = await interaction.client.sessions.find(session, place(interaction))
        await roll_message.update_card(interaction, played, **extra)


async def follow(fact: CardShown) -> None:
    """After a roll is shown, keep next steps on the newest card only."""
    client, here, played = fact.interaction.client, place(fact.interaction), fact.played
    before = client.next_cards.get(here.channel_id)
    if before is not None and before.session < played.session and roll_message.is_of_board(played):
        await remove_next_buttons(fact.interaction)
    if roll_message.has_next(client, here, played):
        client.next_cards[here.channel_id] = played


async def renew(fact: StepAnswered) -> None:
    """Update next steps on the newest card after a step, within the free limits of ``remove_next_buttons``."""
    interaction, client, here = fact.interaction, fact.interaction.client, place(fact.interaction)
    newest = client.next_cards.get(here.channel_id)
    if newest is None or newest.game.key != fact.game or newest.game.table.board is None:
        return
    tables, board_ = (fact.stepped.before, fact.stepped.after), newest.game.table.board
    was, comes = (next_rows(newest.session, ControlledGame(newest.game, board_, table), "") for table in tables)
    card = client.links.of(newest)
    is_pressed = interaction.message is not None and interaction.message.id == card
    if was != comes and not is_pressed and client.tokens.of(card) is not None:
        played = await client.sessions.find(newest.session, here)
        await roll_message.show_buttons(interaction, played, await roll_message.next_rows(client, here, played))


async def bring_down(interaction: Interaction) -> None:
    """After a phase that was typed, or is over already, repost a board that is out of sight."""
    live = await board.BOARD.find(interaction.client, place(interaction).channel_id)
    if live is not None and live.below > board.HANDFUL:
        await board.BOARD.post(interaction, after_answer=True)
        await remove_next_buttons(interaction)


async def remove_next_buttons(interaction: Interaction) -> None:
    """Remove next-step buttons that a newer message has, if the edit is free; old ones are harmless."""
    client, here = interaction.client, place(interaction)
    before = client.next_cards.pop(here.channel_id, None)
    if before is not None and client.tokens.of(client.links.of(before)) is not None:
        await roll_message.show_buttons(interaction, await client.sessions.find(before.session, here))
