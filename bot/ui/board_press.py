"""Presses on a board, and on what comes next on the card of a roll that is over.

Each counts once, and only while its piece is as it was shown. On a board a press means the presser's own piece. A press
is answered by changing the message that was pressed; only attacks are messages of their own, and a board that is out of
sight when a phase ends.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import discord

from bot.client import FAR, Interaction
from bot.render import table as cards
from bot.rules import dice, game, pieces
from bot.rules.errors import NotOffered, PlayerError
from bot.rules.text import EMPTY, N_, Name, Names, Opening, Sentences, Shown, Text, with_plain
from bot.ruleset.ruling import allowed_fields
from bot.sessions.facts import Stepped
from bot.sessions.pieces import check_look, check_owner, check_player, owner
from bot.sessions.place import Request
from bot.store import people
from bot.store.pieces import Player
from bot.ui import board, display, panel, partner, plans
from bot.ui.answer import CardShown, Stepping, answer
from bot.ui.components import At, BoardAddress, Components, NextAddress, button
from bot.ui.controls import ASIDE, HISTORY, SELECT, UNDO, Controlled, controlled, mark, next_rows
from bot.ui.place import clean, escape_markdown, name_shown, person, picked_one, place, request, ruling, to_reader

WORKED: Final = Text("That worked. The board shows it.")
THE_MATCH: Final = Text("the match")
NOTHING: Final = Text("There is nothing on this table.")


class Changed(PlayerError):
    """The piece that was pressed has changed since it was shown."""

    def __init__(self, about: Shown) -> None:
        message = N_("{name} has changed meanwhile. You see how things stand now; look again.")
        super().__init__(Text(message, name=Opening(about)))


def left(found: Controlled | None) -> PlayerError:
    """A press is about a piece that is there no more."""
    return PlayerError(NOTHING if found is None else found.board.left)


@dataclass(frozen=True, slots=True)
class Pressed:
    """The context of a press: the current pieces, the chosen one, the players by number, and the choice.

    ``at``: address of the form that it opens. ``is_seen``: the piece hasn't changed since it was shown. ``offered``:
    the offers for it on the pressed message.
    """

    found: Controlled
    name: str
    players: Mapping[int, Player]
    asked: Request
    choice: game.Choice
    at: At
    is_seen: bool
    offered: Sequence[game.Offer]


async def undo(interaction: Interaction) -> None:
    """Take back the channel's last press; the board shows by itself that a step was taken back."""
    if await board.undo(interaction):
        await board.BOARD.update(interaction)


CARDS: Final[dict[str, Callable[[Interaction], Awaitable[None]]]] = {
    UNDO: undo,
    HISTORY: partial(board.history, player=None, game=None, private=True),
}
"""Buttons of boards beside their offers, by word; the cogs of games add cards to show."""


async def press(interaction: Interaction, at: BoardAddress, filled: Mapping[str, str] | None = None) -> None:
    """Apply a press on a board, or the form that it opened, and show the updated board.

    Raises ``PlayerError``.
    """
    if await board.BOARD.was_replaced(interaction):
        return
    offer = picked_one(interaction) if at.offer == ASIDE else at.offer
    if offer in CARDS:
        await CARDS[offer](interaction)
        return
    now = await interaction.client.tables.now(place(interaction))
    found, asked = controlled(now.pieces), await request(interaction)
    if found is None:
        raise NotOffered(NOTHING)
    selected = {found.owner(name): name for name in map(found.marked, at.pieces) if name in found.table}
    if offer == SELECT:
        await select(interaction, found, selected, now.players)
        return
    name, offered = found.controls.MATCH, found.controls.table_offers(found.table)
    is_seen = is_match_seen = mark(found.table.get(name)) == at.seen
    if all(one.key != offer for one in offered):
        mine = own_piece(found, at, offer, now.players, asked)
        name = found.marked(mine)
        if not name:
            out_of_date(interaction, selected)
            raise left(found)
        is_seen = found.mark_of(name) == mine
        if not is_match_seen and offer not in keys_of(found, name):
            out_of_date(interaction, selected)  # it was offered when the match stood otherwise
            raise Changed(THE_MATCH)
        offered = found.controls.offers(found.table, name)
    choice, form_at = game.Choice(offer, (), filled), replace(at, offer=offer)
    try:
        if await act(interaction, Pressed(found, name, now.players, asked, choice, form_at, is_seen, offered)):
            await redraw(interaction, selected)
    except (Changed, NotOffered):
        out_of_date(interaction, selected)
        raise


def out_of_date(interaction: Interaction, selected: Mapping[int, str]) -> None:
    """A board was pressed that does not show how things stand, as after a kill: it soon does.

    ``selected`` are the pieces that it showed: after a start nobody else knows them.
    """
    client, here = interaction.client, place(interaction)
    live = client.board_in(here.channel_id)
    if live is not None:
        live.selected = live.selected or selected
    board.BOARD.changed(client, here.channel_id)
    client.lost.suspect(here.channel_id, interaction.user.id)


def own_piece(found: Controlled, at: BoardAddress, offer: str, players: Mapping[int, Player], asked: Request) -> str:
    """The mark of the piece that somebody's presses on a board mean: their own, or nobody's; a GM's the first one.

    What is offered for none of these, a GM does for whoever it is offered for, as to reveal for somebody who left; for
    the bot's pieces everybody does.
    Raises ``PlayerError`` for somebody who does not play here, and whose piece was not shown.
    """
    number = number_of(players, asked.by.id)
    shown = {piece: found.owner(found.marked(piece)) for piece in at.pieces}
    mine = next((piece for piece, of in shown.items() if of and of == number), "")
    holders = {piece: owner(found.table.get(found.marked(piece)), players) for piece in at.pieces}
    theirs = (one for one, of in holders.items() if asked.is_gm or (of is not None and of.person_id == asked.bot_id))
    if mine := fitting(found, offer, mine, theirs):
        return mine
    free = next((piece for piece, of in holders.items() if of is None), "")
    if free or (asked.is_gm and at.pieces):
        return free or at.pieces[0]
    check_player(players, asked)
    raise NotOffered(found.board.not_shown)


def fitting(found: Controlled, offer: str, mine: str, theirs: Iterable[str]) -> str:
    """Return the first marked piece that can do what was pressed, or to which it is offered; else ``mine``."""
    fits = [one for one in (mine, *theirs) if one and offer in keys_of(found, found.marked(one))]
    return next((one for one in fits if offer in keys_of(found, found.marked(one), barred=False)), [*fits, mine][0])


def keys_of(found: Controlled, name: str, *, barred: bool = True) -> set[str]:
    """The keys of what is offered for a piece; ``barred``: also of what it cannot do now."""
    every = found.controls.offers(found.table, name) if name else ()
    return {one.key for one in every if barred or not one.barred}


async def act(interaction: Interaction, pressed: Pressed) -> bool:
    """Apply a press; return whether it changed the table, so that the message has to be redrawn.

    Raises ``PlayerError``, or ``Changed`` if the piece isn't as it was shown.
    """
    found, name, choice = pressed.found, pressed.name, pressed.choice
    check_may(pressed)
    offer = sought(pressed)
    if offer.then is game.Then.PLANS:
        await plans.begin(interaction, found.game.key)
        return False
    if offer.fields and choice.filled is None:
        await ask(interaction, pressed, offer)
        return False
    game.taken((offer,), choice)
    if offer.then is game.Then.LOOKS:
        await plans.show_looked(interaction, pressed.asked, found.game.key, (choice.filled or {})[game.OF], name)
        return False
    if isinstance(offer.then, game.Opens):
        of, filled = offer.then.place, choice.filled or {}
        await interaction.client.plans.open(pressed.asked, found.game.key, filled.get(game.OF, of), filled)
        return True
    if offer.then is game.Then.FOLLOWS:
        words = found.controls.attack_words(name, choice.filled or {}, offer.key)
        await panel.open_words(interaction, found.game.key, words)
        return False
    if offer.then is game.Then.SHOWS and found.board.secrets is not None:
        check_look(found.table[name], pressed.players, person(interaction.user))
        with to_reader(interaction):
            await answer(interaction).post_private(embed=display.embed(found.board.secrets(found.table[name])))
        return False
    done, made = await step(interaction, pressed, offer)
    if done.is_told and found.board.told is not None:
        card = found.board.told(clean(person(interaction.user).name), done, made.before, made.after)
        await answer(interaction).post(**display.card_message(card, await display.user_display(interaction)))
        return False
    return True


def sought(pressed: Pressed) -> game.Offer:
    """Return the pressed offer; a plan may begin even if the piece isn't as it was shown.

    Raises ``Changed`` if it isn't otherwise, ``PlayerError`` for what is no longer offered, or barred.
    """
    name = Name(pressed.name)
    offer = next((one for one in pressed.offered if one.key == pressed.choice.offer), None)
    if not pressed.is_seen and not (offer is not None and offer.then is game.Then.PLANS):
        raise Changed(name)
    if offer is None:
        found, shown = pressed.found, pressed.at.pieces if isinstance(pressed.at, BoardAddress) else ()
        can = [one for one in map(found.marked, shown) if pressed.choice.offer in keys_of(found, one)]
        others = [clean(one.name) for one in (owner(found.table[piece], pressed.players) for piece in can) if one]
        if others:
            message = N_("{name} cannot do that now, and this button is for {players}. Select another one, or go on.")
            raise PlayerError(Text(message, name=name, players=Names(others)))
        raise PlayerError(Text("{name} cannot do that now. Select another one, or go on.", name=name))
    if offer.barred and offer.then is not game.Then.PLANS:
        raise PlayerError(offer.barred)
    return offer


async def ask(interaction: Interaction, pressed: Pressed, offer: game.Offer) -> None:
    """Open the form of an offer; whom it is for sees in it what only that one may know."""
    found, name, form = pressed.found, pressed.name, offer.asks
    assert isinstance(form, game.Fill), "it has fields"  # noqa: S101 - states how this is called
    is_for = offer.player == number_of(pressed.players, pressed.asked.by.id)
    fields = allowed_fields(await ruling(interaction), (is_for and form.suggested) or form.fields)
    holder = owner(found.table.get(name), pressed.players)
    is_mine = holder is not None and holder.person_id == pressed.asked.bot_id
    if is_mine and offer.then is game.Then.FOLLOWS:
        fields = await partner.aimed(interaction, found.game, found.table, name, fields)
    await answer(interaction).ask(form.title or offer.label, pressed.at, fields)


def check_may(pressed: Pressed) -> None:
    """Raises ``PlayerError`` for somebody who may not press on this piece, or does not play here."""
    if pressed.name == pressed.found.controls.MATCH:
        check_player(pressed.players, pressed.asked)
    else:
        check_owner([pressed.found.table[pressed.name]], pressed.players, pressed.asked)


async def step(interaction: Interaction, pressed: Pressed, offer: game.Offer) -> tuple[pieces.Done, Stepped]:
    """A press that changes the table: keep what it does as one step."""
    asked, found, about = pressed.asked, pressed.found, pressed.name
    is_table, stood, sentences = about == found.controls.MATCH, found.table.get(about), list[pieces.Done]()
    if offer.player and (holder := pressed.players.get(offer.player)) is not None:
        check_for(holder, asked)

    def change(now: Mapping[str, Any], rng: dice.Rng) -> Mapping[str, Any]:
        if now.get(about) != stood:
            raise Changed(THE_MATCH if is_table else Name(about))
        done = found.controls.choose(now, about, pressed.choice, rng, number_of(pressed.players, asked.by.id))
        sentences.append(done)
        return done.changes

    tables, of = interaction.client.tables, () if is_table else (about,)
    made = await tables.roll_step(
        asked, found.game.key, lambda: sentences[-1].sentence, change, of=of, by_player=is_table
    )
    return sentences[-1], made


def number_of(players: Mapping[int, Player], person_id: int) -> int:
    """Return a person's number among a channel's players; 0 for none."""
    return next((number for number, player in players.items() if player.person_id == person_id), 0)


async def number_here(interaction: Interaction) -> int:
    """The number of who acts among the players of this channel; 0 for somebody who does not play here."""
    return number_of(await interaction.client.tables.players(place(interaction)), interaction.user.id)


def check_for(holder: Player, asked: Request) -> None:
    """Raises ``PlayerError`` for somebody who presses what is for somebody else to choose."""
    if holder.person_id not in (asked.by.id, asked.bot_id, people.FORGOTTEN) and not asked.is_gm:
        raise PlayerError(Text("That is for {holder} to choose, or for a GM.", holder=Name(holder.name)))


async def select(
    interaction: Interaction, found: Controlled, selected: Mapping[int, str], players: Mapping[int, Player]
) -> None:
    """Direct a person's presses to this piece of theirs; someone else's piece is shown to them in private."""
    name = found.marked(picked_one(interaction))
    if name not in found.table:
        out_of_date(interaction, selected)
        raise left(found)
    try:
        asked = await request(interaction)
        check_player(players, asked)
        check_owner([found.table[name]], players, asked)
    except PlayerError:
        owners = {number: clean(player.name) for number, player in players.items()}
        facts = found.game.table.facts_of({name: found.table[name]}, owners) if found.game.table is not None else ()
        with to_reader(interaction):
            await answer(interaction).post_private(embed=display.embed(cards.notice_of(facts)))
        return
    mine = found.owner(name)
    await redraw(interaction, {mine: name} | {of: one for of, one in selected.items() if of != mine})


async def redraw(interaction: Interaction, selected: Mapping[int, str]) -> None:
    """Answer a press with the board as it stands, with these pieces selected."""
    if not await board.BOARD.update(interaction, selected=selected):  # a form that was fixed
        board.BOARD.changed(interaction.client, place(interaction).channel_id)
        await answer(interaction).update(content=WORKED, view=None)


# What comes next, on the card of a roll that is over


async def press_next(interaction: Interaction, at: NextAddress, filled: Mapping[str, str] | None = None) -> None:
    """A press on what comes next: an attack is a new card; anything else is shown on this card, or on a new board.

    Raises ``PlayerError``; where something has changed meanwhile, the card says what comes next now.
    """
    now = await interaction.client.tables.now(place(interaction))
    found = controlled(now.pieces)
    name = found.marked(at.piece) if found is not None else ""
    if found is None or not name:
        await next_is_out_of_date(interaction, at.session)
        raise left(found)
    offered = [one for of, one in found.controls.next_offers(found.table) if (of, one.key) == (name, at.offer)]
    is_seen, choice = bool(offered) and found.mark_of(name) == at.piece, game.Choice(at.offer, (), filled)
    pressed = Pressed(found, name, now.players, await request(interaction), choice, at, is_seen, offered)
    if is_seen and not at.sure and (question := await asked_first(interaction, pressed, at.session)):
        sure = button(Text("Go on"), replace(at, sure=1), discord.ButtonStyle.primary)
        with to_reader(interaction):
            await answer(interaction).post_private(content=question, view=Components([sure]))
        return
    try:
        is_done = await act(interaction, pressed)
    except (Changed, NotOffered):
        await next_is_out_of_date(interaction, at.session)
        raise
    if is_done:
        await next_done(
            interaction, pressed, at.session, opens=any(isinstance(one.then, game.Opens) for one in offered)
        )


async def next_done(interaction: Interaction, pressed: Pressed, session: int, *, opens: bool) -> None:
    """Show what a press on what comes next has done. ``opens``: it opens plans, on the newest message."""
    live, name = await board.BOARD.find(interaction.client, place(interaction).channel_id), pressed.name
    below, found = FAR if live is None else live.below, pressed.found
    if (below > board.HANDFUL and name == found.controls.MATCH) or (below and opens):
        await board.BOARD.post(interaction)
        await no_more_next(interaction)
    elif answer(interaction).is_on_private:  # somebody was asked first
        await answer(interaction).update(content=WORKED, view=None)
    else:
        is_told = opens or name == found.controls.MATCH
        who, ship = name_shown(interaction.user), Name(escape_markdown(name))
        said = None if is_told else Text("{who}: {ship} does not attack.", who=who, ship=ship)
        await show_next(interaction, session, content=said)


async def asked_first(interaction: Interaction, pressed: Pressed, session: int) -> Shown:
    """Return the question before the next step: what else may follow from the roll, whose piece it is. Asked once.

    Raises ``PlayerError`` for someone who may not press it at all.
    """
    found, asked, name = pressed.found, pressed.asked, pressed.name
    check_may(pressed)
    played = await interaction.client.sessions.find(session, place(interaction))
    follow_ups, holder = played.game.follow_ups, owner(found.table.get(name), pressed.players)
    open_ = follow_ups.left_open(played.state, found.table) if follow_ups is not None else EMPTY
    whose = EMPTY
    if holder is not None and holder.person_id not in (asked.by.id, asked.bot_id, people.FORGOTTEN):
        whose = Text("{piece} belongs to {holder}.", piece=Name(name), holder=Name(holder.name))
    return with_plain(Sentences([open_, whose, Text("Go on?") if open_ or whose else EMPTY]), escape_markdown)


async def next_is_out_of_date(interaction: Interaction, session: int) -> None:
    """A card was pressed that does not say what comes next now, as after a kill: it does now."""
    interaction.client.lost.suspect(place(interaction).channel_id, interaction.user.id, after=session)
    await show_next(interaction, session)


async def show_next(interaction: Interaction, session: int, **extra: Any) -> None:
    """Show a card that was pressed with what comes next now; nothing where a private message was pressed."""
    if not answer(interaction).is_on_private:
        played = await interaction.client.sessions.find(session, place(interaction))
        await panel.update_card(interaction, played, **extra)


async def follow(fact: CardShown) -> None:
    """A roll was shown: what comes next stands on the newest card alone."""
    client, here, played = fact.interaction.client, place(fact.interaction), fact.played
    before = client.next_cards.get(here.channel_id)
    if before is not None and before.session < played.session and panel.is_of_board(played):
        await no_more_next(fact.interaction)
    if panel.has_next(client, here, played):
        client.next_cards[here.channel_id] = played


async def renew(fact: Stepping) -> None:
    """A step that was typed, or made on the board, may change what comes next: the newest card says so.

    Only where that counts for nothing, as in ``no_more_next``.
    """
    interaction, client, here = fact.interaction, fact.interaction.client, place(fact.interaction)
    newest = client.next_cards.get(here.channel_id)
    if newest is None or newest.game.key != fact.game or newest.game.board is None:
        return
    tables, board_ = (fact.stepped.before, fact.stepped.after), newest.game.board
    was, comes = (next_rows(newest.session, Controlled(newest.game, board_, table), "") for table in tables)
    card = client.links.of(newest)
    is_pressed = interaction.message is not None and interaction.message.id == card
    if was != comes and not is_pressed and client.tokens.of(card) is not None:
        played = await client.sessions.find(newest.session, here)
        await panel.show_buttons(interaction, played, await panel.next_rows(client, here, played))


async def bring_down(interaction: Interaction) -> None:
    """A phase was typed, and is answered: a board that is out of sight comes down to it."""
    live = await board.BOARD.find(interaction.client, place(interaction).channel_id)
    if live is not None and live.below > board.HANDFUL:
        await board.BOARD.post(interaction, after_answer=True)
        await no_more_next(interaction)


async def no_more_next(interaction: Interaction) -> None:
    """Remove the next-step buttons from a card when a newer message has them.

    Only if the edit isn't rate limited. A button that stays works while it is valid, and says so when it isn't.
    """
    client, here = interaction.client, place(interaction)
    before = client.next_cards.pop(here.channel_id, None)
    if before is not None and client.tokens.of(client.links.of(before)) is not None:
        await panel.show_buttons(interaction, await client.sessions.find(before.session, here))
