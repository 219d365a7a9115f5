"""Presses on a board: each counts once, and only while its piece is as it was shown.

A press is answered by changing the board; only attacks are messages of their own.
"""

from collections.abc import Mapping
from typing import Any

from bot.client import Interaction
from bot.games import Game
from bot.render import table as cards
from bot.rules.dice import Rng
from bot.rules.errors import NotOffered, PlayerError
from bot.rules.game import Choice, Offer, taken
from bot.rules.pieces import Controls, key
from bot.rules.text import Text
from bot.ruleset.check import allowed_fields
from bot.sessions.owners import check_look, check_owner, check_player
from bot.sessions.request import Request
from bot.store.people import FORGOTTEN
from bot.store.players import Player
from bot.ui import address, board, forms, panel
from bot.ui.address import BoardAddress
from bot.ui.answer import answer
from bot.ui.board import BOARD
from bot.ui.controls import HISTORY, SELECT, UNDO, controlled, mark
from bot.ui.embed import embed
from bot.ui.names import person
from bot.ui.place import place, request, ruling


async def press(interaction: Interaction, at: BoardAddress, filled: Mapping[str, str] | None = None) -> None:
    """Make a press on a board count, or the form that it has opened, and show the board as it stands then.

    Raises ``PlayerError``.
    """
    picked = forms.picked(interaction)
    if await BOARD.was_replaced(interaction):
        return
    if at.offer == UNDO:
        await undo(interaction)
        return
    if at.offer == HISTORY:
        await board.history(interaction, None, None, private=True)
        return
    here = place(interaction)
    now = await interaction.client.tables.now(here)
    found, players = controlled(now.pieces), now.players
    if found is None:
        raise NotOffered(Text("There is nothing on this table."))
    game, controls = found
    table = now.pieces[game.key]
    wanted = only(picked) if at.offer == SELECT else at.piece
    name = next((one for one in table if mark(key(one)) == wanted), "")
    if not name:
        BOARD.changed(interaction.client, here.channel_id)
        raise NotOffered(Text("That ship has left the table."))
    if at.offer == SELECT:
        await select(interaction, game, table, name, players)
        return
    choice = Choice(at.offer, picked, filled)
    offer = next((one for one in controls.offers(table, name) if one.key == at.offer), None)
    about = controls.MATCH if offer is not None and offer.closes else name
    if offer is not None and not offer.closes:
        check_owner([table[name]], players, await request(interaction))
    if mark(table.get(about)) != at.seen or offer is None:
        BOARD.changed(interaction.client, here.channel_id)
        raise PlayerError(changed_meanwhile(about))
    if offer.fields and filled is None:
        fields = allowed_fields(await ruling(interaction), offer.fields)
        await answer(interaction).ask(forms.modal(offer.label, address.write(at), fields))
        return
    taken((offer,), choice)
    if offer.key == controls.ATTACK:
        await panel.open_words(interaction, game.key, controls.attack_words(name, filled or {}))
    elif offer.key == controls.LOOK and game.board is not None and game.board.secrets is not None:
        check_look(table[name], players, person(interaction.user))
        await answer(interaction).post_private(embed=embed(game.board.secrets(table[name])))
    else:
        await step(interaction, game, controls, name, offer, choice, at.seen, players)


async def undo(interaction: Interaction) -> None:
    """Take the last press of the channel back; the board shows a step that was taken back by itself."""
    if await board.undo(interaction):
        await BOARD.update(interaction)


def only(picked: tuple[str, ...]) -> str:
    """The one ship that was selected; Discord's own app sends no other number of them."""
    if len(picked) != 1:
        raise NotOffered(Text("Select one ship."))
    return picked[0]


async def step(
    interaction: Interaction,
    game: Game,
    controls: Controls,
    name: str,
    offer: Offer,
    choice: Choice,
    seen: str,
    players: Mapping[int, Player],
) -> None:
    """A press that changes the table: keep what it does as one step, and show the board after it."""
    asked = await request(interaction)
    about = controls.MATCH if offer.closes else name
    sentences = list[str]()
    if offer.player and (holder := players.get(offer.player)) is not None:
        check_for(holder, asked)

    def change(now: Mapping[str, Any], rng: Rng) -> Mapping[str, Any]:
        if mark(now.get(about)) != seen:
            raise PlayerError(changed_meanwhile(about))
        done = controls.choose(now, name, choice, rng, number_of(players, asked.by.id))
        sentences.append(done.sentence)
        return done.changes

    await interaction.client.tables.roll_step(
        asked,
        game.key,
        lambda: sentences[-1],
        change,
        of=() if offer.closes else (name,),
        by_player=offer.closes,
    )
    await redraw(interaction, "" if offer.closes or offer.key == "engage" else name)


def number_of(players: Mapping[int, Player], person_id: int) -> int:
    """Somebody's number among the players of a channel; 0 for none."""
    return next((number for number, player in players.items() if player.person_id == person_id), 0)


def check_for(holder: Player, request: Request) -> None:
    """Raises ``PlayerError`` for somebody who presses what is for somebody else to choose."""
    if holder.person_id not in (request.by.id, FORGOTTEN) and not request.is_gm:
        raise PlayerError(Text("That is for {holder} to choose, or for a GM.", holder=holder.name))


async def select(
    interaction: Interaction, game: Game, table: Mapping[str, Any], name: str, players: Mapping[int, Player]
) -> None:
    """Show the controls of another piece; somebody who does not play here sees what it is, alone."""
    try:
        check_player(players, await request(interaction))
    except PlayerError:
        owners = {number: player.name for number, player in players.items()}
        facts = game.table.facts_of({name: table[name]}, owners) if game.table is not None else ()
        await answer(interaction).post_private(embed=embed(cards.notice_of(facts)))
        return
    await redraw(interaction, name)


async def redraw(interaction: Interaction, selected: str) -> None:
    """Answer a press with the board as it stands, this piece selected."""
    if not await BOARD.update(interaction, about=selected):  # a form that was fixed
        BOARD.changed(interaction.client, place(interaction).channel_id)
        await answer(interaction).update(content=Text("That worked. The board shows it."), view=None)


def changed_meanwhile(about: str) -> Text:
    return Text(
        "{name} has changed meanwhile. The board is up to date now; look again.", name=about[0].upper() + about[1:]
    )
