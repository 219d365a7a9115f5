"""Presses on a board: each counts once, and only while its piece is as it was shown.

A press is answered by changing the board; only attacks are messages of their own.
"""

from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.games import Game
from bot.rules.dice import Rng
from bot.rules.errors import NotOffered, PlayerError
from bot.rules.game import Choice, taken
from bot.rules.pieces import Controls, key
from bot.rules.xwing.pieces import OutOfOrder
from bot.ui import address, board, forms, panel
from bot.ui.address import BoardAddress
from bot.ui.answer import answer
from bot.ui.controls import HISTORY, SELECT, UNDO, controlled, mark
from bot.ui.gm import is_gm
from bot.ui.names import person
from bot.ui.place import place, ruling

ANYWAY: Final = "anyway-"
CHANGED: Final = "{name} has changed meanwhile. The board is up to date now; look again."


async def press(
    interaction: Interaction, at: BoardAddress, picked: tuple[str, ...], filled: Mapping[str, str] | None
) -> None:
    """Make a press on a board count, and show the board as it stands then. Raises ``PlayerError``."""

    if at.offer == UNDO:
        await board.undo(interaction)
        return
    if at.offer == HISTORY:
        await board.history(interaction, None, None, private=True)
        return
    here = place(interaction)
    found = controlled(await interaction.client.tables.all_pieces(here))
    if found is None:
        raise NotOffered("There is nothing on this table.")
    game, controls = found
    table = await interaction.client.tables.pieces(here, game.key)
    wanted = picked[0] if at.offer == SELECT and picked else at.piece
    name = next((one for one in table if mark(key(one)) == wanted), "")
    if not name:
        board.changed(interaction.client, here.channel_id)
        raise NotOffered("That ship has left the table.")
    if at.offer == SELECT:
        await redraw(interaction, name)
        return
    if at.offer.startswith(ANYWAY):
        await attack_anyway(interaction, game, controls, table, name, at.offer.removeprefix(ANYWAY))
        return
    choice = Choice(at.offer, picked, filled)
    offer = next((one for one in controls.offers(table, name) if one.key == at.offer), None)
    about = controls.MATCH if offer is not None and offer.closes else name
    if mark(table.get(about)) != at.seen or offer is None:
        board.changed(interaction.client, here.channel_id)
        raise PlayerError(CHANGED.format(name=about[0].upper() + about[1:]))
    if offer.fields and filled is None:
        await answer(interaction).ask(forms.modal(offer.label, address.write_board(at), offer.fields))
        return
    taken((offer,), choice)
    if offer.key == controls.ATTACK:
        await attack(interaction, game, controls, table, name, filled or {})
        return

    def change(now: Mapping[str, Any], rng: Rng) -> Mapping[str, Any]:
        if mark(now.get(about)) != at.seen:
            raise PlayerError(CHANGED.format(name=about[0].upper() + about[1:]))
        return controls.choose(now, name, choice, rng)

    await interaction.client.tables.roll_step(
        here,
        person(interaction.user),
        game.key,
        controls.sentence(table, name, choice),
        change,
        of=() if offer.closes else (name,),
        by_player=offer.closes,
        is_gm=await is_gm(interaction),
        ruling=await ruling(interaction),
    )
    await redraw(interaction, "" if offer.closes or offer.key == "engage" else name)


async def redraw(interaction: Interaction, selected: str) -> None:
    """Answer a press with the board as it stands, this piece selected."""

    here, client = place(interaction), interaction.client
    shown = client.boards.get(here.channel_id)
    if answer(interaction).is_on_private:  # a form that was fixed
        board.changed(client, here.channel_id)
        await answer(interaction).update(content="That worked. The board shows it.", view=None)
        return
    if shown is None or interaction.message is None or shown.message.id != interaction.message.id:
        parts = await board.board_message(client, here, selected, await board.how_shown(interaction))
        await answer(interaction).update(**parts.edit(None))
        return
    shown.selected = selected
    parts = await board.board_message(client, here, selected, shown.shown)
    changes = parts.edit(shown)
    await answer(interaction).update(**changes)
    parts.keep_in(shown, changes)
    board.changed(client, here.channel_id)  # answers may arrive in another order than they were sent


async def attack(
    interaction: Interaction,
    game: Game,
    controls: Controls,
    table: Mapping[str, Any],
    name: str,
    filled: Mapping[str, str],
) -> None:
    """Open an attack; out of order, the one who pressed is warned first, and may go on."""
    words = controls.attack_words(name, filled)
    try:
        declared = await panel.declare(interaction, game.key, words)
    except OutOfOrder as warning:
        offer = f"{ANYWAY}{mark(words['weapon'])}-{mark(key(words['defender']))}-{words['range']}"
        offer += "-o" if words["obstructed"] else ""
        at = BoardAddress(mark(key(name)), mark(table.get(name)), offer)
        view = discord.ui.View(timeout=None)
        view.add_item(
            discord.ui.Button(
                label="Attack anyway", style=discord.ButtonStyle.danger, custom_id=address.write_board(at)
            )
        )
        view.stop()
        await answer(interaction).post_private(content=warning.why, view=view)
        return
    await panel.open_roll(interaction, game.key, declared)


async def attack_anyway(
    interaction: Interaction, game: Game, controls: Controls, table: Mapping[str, Any], name: str, asked: str
) -> None:
    """The attack that was warned of, as it was asked for then. Raises ``NotOffered`` where that is no longer known."""
    form = next((one.fields for one in controls.offers(table, name) if one.key == controls.ATTACK), ())
    values = {field.key: {mark(one.value): one.value for one in field.options} for field in form}
    weapon, target, range_, *obstructed = asked.split("-")
    ships = {mark(key(value)): value for value in values.get("defender", {}).values()}
    filled = {"weapon": values.get("weapon", {}).get(weapon, ""), "defender": ships.get(target, ""), "range": range_}
    if not all(filled.values()):
        raise NotOffered
    if obstructed:
        filled["circumstances"] = "obstructed"
    words = {**controls.attack_words(name, filled), "anyway": True}
    await panel.open_roll(interaction, game.key, await panel.declare(interaction, game.key, words))
