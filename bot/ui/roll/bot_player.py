"""The bot as a player: on its seats it presses the best advice, and says so. It knows only the public state. Its
presses are stored like people's before the card is shown, so a card never waits for it, unless interrupted: then the
next press continues.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import discord

from bot.client import Client, Interaction
from bot.games import GAMES, Game
from bot.odds.advice import Move, NamedNumber
from bot.render.advice import format_numbers
from bot.rules.errors import PlayerError
from bot.rules.game import Field, Offer
from bot.rules.text import Shown, Text
from bot.sessions.request import Person, Request
from bot.sessions.roll import Address, Played
from bot.ui.core.request_context import asker, clean, person, place, player, ruling

PRESSES: Final = 12
"""Maximum presses of the bot in a row: more than the windows of an attack with cards."""


def bot_player(client: Client) -> Person:
    assert client.user is not None, "it is connected"  # noqa: S101 - states it
    return person(client.user)


def opponent(interaction: Interaction, game: Game, user: discord.abc.User | None) -> Person | None:
    """Return the opponent named in a command: a person, or the bot if the game has advice. Raises ``PlayerError``."""
    plays = game.chances.moves is not None and game.chances.advice is not None  # a practice needs less
    return person(user) if user is not None and user == interaction.client.user and plays else player(user)


def waiting_offer(played: Played) -> Offer | None:
    return next((offer for offer in played.offers if offer.is_awaited), None)


def is_mine(client: Client, played: Played) -> bool:
    offer = waiting_offer(played)
    holder = None if offer is None else played.seats.get(offer.side)
    return holder is not None and client.user is not None and holder.id == client.user.id


async def moves(interaction: Interaction, played: Played) -> Sequence[Move]:
    """Return the possible moves of a roll, best first."""
    count = played.game.chances.moves
    if count is None or waiting_offer(played) is None:
        return ()
    return await interaction.client.workers.run(partial(count, played.state), asked_by=asker(interaction))


def reason_text(move: Move) -> Shown:
    """``average damage 1.94``, or a reason in words."""
    return format_numbers(move.numbers) if move.numbers else move.why


async def play_on(interaction: Interaction, played: Played) -> Played:
    """Return the roll after the bot's presses; ``told``: its presses and reasons."""
    client, told = interaction.client, list[Shown]()
    while is_mine(client, played) and len(told) < PRESSES and (result := await moves(interaction, played)):
        me, best = bot_player(client), result[0]
        asked = Request(me, place(interaction), await ruling(interaction))
        made = await client.sessions.choose(asked, Address(played.session, played.ply, best.choice.offer), best.choice)
        if isinstance(made, Offer):
            break
        places = {"name": clean(me.name), "label": best.label, "why": reason_text(best)}
        told.append(Text("{name} pressed {label}: {why}", **places))
        played = made
    return replace(played, told=(*played.told, *told)) if told else played


async def with_best_target(
    interaction: Interaction, game: Game, table: Mapping[str, Any], name: str, fields: tuple[Field, ...]
) -> tuple[Field, ...]:
    """Preselect the best target by exact odds in a bot piece's attack form, with the reason. Only people know
    positions: they may choose another.
    """
    if game.chances.targets is None:
        return fields
    weapon = next((field.value for field in fields if field.key == "weapon"), "")
    count = partial(game.chances.targets, table, name, weapon)
    worth = await interaction.client.workers.run(count, asked_by=asker(interaction))
    aims = [worth.keys() & {option.value for option in field.options} for field in fields]
    return tuple(with_worth(field, worth) if aim else field for field, aim in zip(fields, aims, strict=True))


def with_worth(field: Field, worth: Mapping[str, tuple[NamedNumber, ...]]) -> Field:
    """Return the target field with each one's value to the bot, the best one first and selected."""
    order = list(worth)
    places = {value: at for at, value in enumerate(order) if value in worth}
    options = sorted(field.options, key=lambda option: places.get(option.value, len(order)))
    told = (
        replace(option, detail=format_numbers(worth[option.value])) if option.value in worth else option
        for option in options
    )
    return replace(field, label=Text("Target: chosen by the odds"), value=order[0], options=tuple(told))


async def plan(interaction: Interaction, game: str) -> None:
    """Set the bot's plans for its pieces, once somebody else is ready; they are secret as well."""
    client, choose = interaction.client, GAMES[game].chances.plan
    mine = Request(bot_player(client), place(interaction), await ruling(interaction))
    try:
        planned = await client.plans.look(mine, game)
    except PlayerError:  # it has no pieces here, or it is too early
        return
    if choose is None or planned.fixed is not None:
        return
    table = await client.tables.pieces(mine.place, game)
    await client.plans.choose(mine, game, {item.of: choose(table, item.of) for item in planned.asked.places})
    await client.plans.fix_plan(mine, game)


async def continue_roll(interaction: Interaction, at: Address, refused: PlayerError) -> Played:
    """Continue an interrupted roll that waits for the bot; else raise ``refused``."""
    now = await interaction.client.sessions.find(at.session, place(interaction))
    if not is_mine(interaction.client, now):
        raise refused
    return await play_on(interaction, now)
