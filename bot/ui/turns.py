"""The turn order of a channel on Discord: one message that is edited in place, with buttons to join, go on and end.

What stands there is a piece of the table, so each step is in the history, `/table undo` takes it back, and it outlives
a restart. The message follows whatever changes the piece.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

import discord
from discord.app_commands import Choice

from bot.client import Client, Interaction
from bot.games import GAMES
from bot.languages.say import say
from bot.render import turns as cards
from bot.render.card import Card
from bot.rules import turn_order
from bot.rules.dice import DICE_MOST, Rng
from bot.rules.errors import BadInput, Example, PlayerError, shown
from bot.rules.game import Field
from bot.rules.name import NAME_MOST
from bot.rules.name import clean as clean_name
from bot.rules.pieces import key
from bot.rules.text import N_, Code, Name, Sentences, Shown, Text, Words, ended, english
from bot.rules.turn_order import NAME, Combatant, TurnOrder
from bot.ruleset.check import check_count
from bot.ruleset.settings import BY_HAND
from bot.sessions.place import Place
from bot.store.errors import StoreError
from bot.store.people import FORGOTTEN
from bot.store.players import Player
from bot.store.shown import Kind, ShownMessage
from bot.ui import address, forms, suggest
from bot.ui.address import Strange, Turn, TurnsAddress
from bot.ui.answer import answer
from bot.ui.components import Components, button
from bot.ui.controls import mark
from bot.ui.display import card_message, embed
from bot.ui.live import Drawn, LiveMessage
from bot.ui.names import clean, person
from bot.ui.place import is_gm, link, need_gm, place, request, ruling, to_everybody, to_reader

KEY: Final = next(key for key, game in GAMES.items() if game.table is not None and game.table.pieces is turn_order)
"""The game whose piece a turn order is."""
NPCS_MOST: Final = 10
"""So many NPCs join at once."""
ROLL: Final = Field("roll", Text("What you roll, or a plain number"), Code(turn_order.EXAMPLE), longest=120)
NPC: Final = Field("name", Text("An NPC's name. Default: yourself"), Text("Goblin"), required=False, longest=NAME_MOST)

log = logging.getLogger(__name__)


class TurnIsOver(PlayerError):
    """Somebody has gone on already."""

    def __init__(self) -> None:
        super().__init__(Text("That turn is over already. The list is up to date now."))


# Steps


async def start(interaction: Interaction, *, lowest: bool) -> None:
    """`/initiative start`: a new turn order, and its message. Raises ``PlayerError`` where one runs."""
    here, tables = place(interaction), interaction.client.tables
    owner = (await tables.player(here, person(interaction.user))).id

    def begin(now: Mapping[str, Any], _: Rng) -> Mapping[str, Any]:
        if NAME in now:
            raise PlayerError(
                Text(
                    "A turn order runs in this channel already. `/initiative show` shows it again, and "
                    "`/initiative end` ends it."
                )
            )
        return {NAME: TurnOrder(owner=owner, lowest=lowest)}

    await step(interaction, Text("starts a turn order"), begin)
    await LIST.post(interaction)


async def show(interaction: Interaction) -> None:
    """`/initiative show`: the list in a new message; the one before says where it is."""
    await running(interaction)
    await LIST.post(interaction)


async def join(interaction: Interaction, text: str, name: str = "", count: int = 1) -> None:
    """Join with a roll or a number; a GM adds NPCs by ``name``."""
    answer(interaction).keep_private()
    if name or count > 1:
        await need_gm(interaction)
    if count > 1 and not name:
        raise BadInput("name", name, Text("Use the name of the NPCs."), Example("Goblin"))
    expression, counts = turn_order.read_roll(text), await ruling(interaction)
    check_count(counts, max(1, expression.dice) * count)
    if expression.dice * count > DICE_MOST:
        raise PlayerError(
            Text(
                "That is {dice} dice. Roll at most {dice_most} at once.",
                dice=expression.dice * count,
                dice_most=DICE_MOST,
            )
        )
    if not expression.has_dice and not counts[BY_HAND] and not await is_gm(interaction):
        raise PlayerError(Text("Dice rolled by hand are not allowed here, so join with dice, for example `1d20+3`."))
    here, tables = place(interaction), interaction.client.tables
    owner = (await tables.player(here, person(interaction.user))).id
    names = [f"{clean_name(name)} {number}" for number in range(1, count + 1)] if count > 1 else [clean_name(name)]
    joined = list[Combatant]()

    def enter(now: Mapping[str, Any], rng: Rng) -> Mapping[str, Any]:
        order = turn_order.running(now)
        for one in names:
            order = turn_order.join(order, expression, owner, rng, name=one)
        joined.extend(order.combatants[-len(names) :])
        return {NAME: order}

    def sentence() -> Text:
        rolls = ", ".join(str(one.total) for one in joined)
        message = (
            N_("adds {names} to the turn order: {rolls} ({dice})")
            if name
            else N_("joins the turn order: {rolls} ({dice})")
        )
        return Text(message, names=Name(", ".join(names)), rolls=Code(rolls), dice=Code(expression.understood))

    await step(interaction, sentence, enter)
    rolled = ", ".join(f"{one.name}: {one.total}" for one in joined)
    said = ended(Name(rolled)) if name else Text("You join the turn order with {total}.", total=joined[0].total)
    await update(interaction, said)


async def leave(interaction: Interaction, name: str) -> None:
    """Take oneself out, or one's NPC; a GM takes anybody out."""
    answer(interaction).keep_private()
    here, by = place(interaction), person(interaction.user)
    players, may = await interaction.client.tables.players(here), await is_gm(interaction)
    if not name and not is_in(await running(interaction), players, by.id):
        await tell(
            interaction, cards.notice(Text("You are not in the turn order.")), Text("`/initiative join` brings you in.")
        )
        return
    gone = list[Combatant]()

    def go(now: Mapping[str, Any], _: Rng) -> Mapping[str, Any]:
        order = turn_order.running(now)
        one = find(order, players, name, by.id)
        holder = players.get(one.owner)
        if not may and (holder is None or holder.person_id != by.id):
            raise PlayerError(Text("Only a GM, or {name} themselves, can do that.", name=name_of(players)(one)))
        gone.append(one)
        return {NAME: turn_order.leave(order, one.number)}

    def sentence() -> Text:
        holder = players.get(gone[-1].owner)
        if gone[-1].name:
            return Text("takes {gone} out of the turn order", gone=gone[-1].name)
        is_self = holder is not None and holder.person_id == by.id
        return Text("leaves the turn order") if is_self else Text("takes somebody out of the turn order")

    await step(interaction, sentence, go)
    who = name_of(players)(gone[-1])
    await update(interaction, Text("{who} is no longer in the turn order.", who=who))


async def advance(interaction: Interaction, seen: str = "") -> None:
    """The next turn: for whoever acts now, or a GM. ``seen``: the mark of the turn that a button was pressed on."""
    answer(interaction).keep_private()
    here, by = place(interaction), person(interaction.user)
    players, may = await interaction.client.tables.players(here), await is_gm(interaction)
    now_is = list[TurnOrder]()

    def go_on(now: Mapping[str, Any], _: Rng) -> Mapping[str, Any]:
        order = turn_order.running(now)
        if seen and seen != turn_mark(order):
            raise TurnIsOver
        check_may_advance(order, players, by.id, is_gm=may)
        now_is.append(turn_order.advance(order))
        return {NAME: now_is[-1]}

    try:
        await step(interaction, lambda: Text("goes on in the turn order: round {round}", round=now_is[-1].round), go_on)
    except TurnIsOver:
        LIST.changed(interaction.client, here.channel_id)
        raise
    await update(interaction, cards.headline(now_is[-1], name_of(players)))


async def end(interaction: Interaction) -> None:
    """The turn order is over: for whoever started it, or a GM."""
    answer(interaction).keep_private()
    here, by = place(interaction), person(interaction.user)
    players, may = await interaction.client.tables.players(here), await is_gm(interaction)

    def finish(now: Mapping[str, Any], _: Rng) -> Mapping[str, Any]:
        starter = players.get(turn_order.running(now).owner)
        if not may and starter is not None and starter.person_id not in (by.id, FORGOTTEN):
            raise PlayerError(
                Text("Only {starter}, who started the turn order, or a GM can end it.", starter=clean(starter.name))
            )
        return {NAME: None}

    await step(interaction, Text("ends the turn order"), finish)
    await update(interaction, Text("The turn order is over."))


async def step(
    interaction: Interaction,
    what: Words | Callable[[], Words],
    change: Callable[[Mapping[str, Any], Rng], Mapping[str, Any]],
) -> None:
    """One step on the table, which undo takes back as a whole; who may take it, ``change`` says."""
    await interaction.client.tables.roll_step(await request(interaction), KEY, what, change, of=())


def check_may_advance(order: TurnOrder, players: Mapping[int, Player], person_id: int, *, is_gm: bool) -> None:
    """Raises ``PlayerError`` for somebody whose turn it is not; before the first turn all who joined may go on."""
    if is_gm:
        return
    acting = order.acting
    holder = None if acting is None else players.get(acting.owner)
    if acting is not None and holder is not None and holder.person_id != FORGOTTEN:
        if holder.person_id != person_id:
            raise PlayerError(
                Text(
                    "It is {acting}'s turn, so {holder} or a GM goes on.",
                    acting=name_of(players)(acting),
                    holder=clean(holder.name),
                )
            )
    elif person_id not in {player.person_id for number, player in players.items() if number in order.owners}:
        raise PlayerError(Text("Only those who joined the turn order, or a GM, can go on."))


def find(order: TurnOrder, players: Mapping[int, Player], name: str, person_id: int) -> Combatant:
    """Who is meant by a name; oneself without one. Raises ``PlayerError``."""
    called = name_of(players)
    for one in order.combatants:
        holder = players.get(one.owner)
        is_self = not one.name and holder is not None and holder.person_id == person_id
        if (is_self and not name) or (name and key(english(called(one))) == key(name)):
            return one
    if not name:
        raise PlayerError(Text("You are not in the turn order."))
    known = Sentences((called(one) for one in order.in_order), ", ")
    raise PlayerError(
        Text(
            "Nobody in the turn order is called {name}. In it: {known}.",
            name=shown(name),
            known=known or Text("nobody"),
        )
    )


def is_in(order: TurnOrder, players: Mapping[int, Player], person_id: int) -> bool:
    """Whether somebody takes part themselves."""
    return any(
        not one.name and (holder := players.get(one.owner)) is not None and holder.person_id == person_id
        for one in order.combatants
    )


def name_of(players: Mapping[int, Player]) -> cards.NameOf:
    """What combatants are called: people by their name, NPCs by their own, marked where somebody here has that name."""
    people = {key(english(clean(player.name))) for player in players.values()}

    def called(one: Combatant) -> Words:
        player = players.get(one.owner)
        if one.name:
            return Text("{name} (NPC)", name=one.name) if key(one.name) in people else one.name
        return clean(player.name if player is not None else "")

    return called


async def running(interaction: Interaction) -> TurnOrder:
    """The turn order of a channel. Raises ``PlayerError`` where there is none."""
    return turn_order.running(await interaction.client.tables.pieces(place(interaction), KEY))


# Presses and forms


async def press(interaction: Interaction, at: TurnsAddress) -> None:
    """A press on one of the buttons."""
    if await LIST.was_replaced(interaction):
        return
    if at.offer is Turn.JOIN:
        await running(interaction)
        fields = (ROLL, NPC) if await is_gm(interaction) else (ROLL,)
        await answer(interaction).ask(forms.Form(Text("Join the turn order"), address.write(at), fields))
    elif at.offer is Turn.NEXT:
        await advance(interaction, at.seen)
    else:
        await end(interaction)


async def joined(interaction: Interaction, at: TurnsAddress, filled: Mapping[str, str]) -> None:
    """The form of Join came back."""
    if at.offer is not Turn.JOIN:
        raise Strange
    await join(interaction, filled.get(ROLL.key, ""), clean_name(filled.get(NPC.key, "")))


def turn_mark(order: TurnOrder) -> str:
    """By which a press knows the turn again that it was made on."""
    return mark((order.owner, order.round, order.current))


# The message


async def draw(client: Client, kept: ShownMessage, _: Mapping[int, str]) -> Drawn:
    """The list as things stand."""
    here = Place(kept.channel_id, kept.guild_id)
    order = (await client.tables.pieces(here, KEY)).get(NAME)
    if order is None:
        return Drawn({**card_message(cards.OVER), "view": None})
    players = await client.tables.players(here)
    return Drawn({**card_message(cards.card(order, name_of(players))), "view": buttons(order)})


LIST: Final = LiveMessage(Kind.TURNS, N_("This list was replaced. [Go to the new one]({where})"), draw)


def buttons(order: TurnOrder) -> Components:
    seen = turn_mark(order)
    return Components(
        [
            button(Text("Join"), TurnsAddress(seen, Turn.JOIN), discord.ButtonStyle.primary),
            button(Text("Next"), TurnsAddress(seen, Turn.NEXT), discord.ButtonStyle.success),
            button(Text("End"), TurnsAddress(seen, Turn.END)),
        ]
    )


async def update(interaction: Interaction, done: Shown) -> None:
    """Show how things stand: at once on the message that was pressed; else ``done`` privately says what happened."""
    here, client = place(interaction), interaction.client
    if interaction.message is not None and await LIST.update(interaction):
        return
    shown_on = await LIST.find(client, here.channel_id)
    with to_everybody(interaction):
        is_edited = shown_on is not None and await LIST.edit(client, shown_on)
    if shown_on is not None and is_edited:
        where = Text("[Go to the list]({where})", where=Code(link(here, shown_on.kept.message_id)))
        await tell(interaction, cards.notice(done), where)
        return
    await tell(interaction, cards.notice(done), Text("The list is in a new message."))
    if NAME in await client.tables.pieces(here, KEY):
        await LIST.post(interaction, after_answer=True)


async def tell(interaction: Interaction, card: Card, where: Words) -> None:
    """Answer one person alone; what answers something on a private message replaces that message."""
    with to_reader(interaction):
        shown_card = embed(card)
        shown_card.description = say(where)
    if answer(interaction).is_on_private:
        await answer(interaction).update(content=None, embed=shown_card, view=None)
    else:
        await answer(interaction).post_private(embed=shown_card)


async def suggested(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The names in the turn order that contain what is typed so far."""
    try:
        here = place(interaction)
        order = turn_order.running(await interaction.client.tables.pieces(here, KEY))
        called = name_of(await interaction.client.tables.players(here))
    except (PlayerError, StoreError):
        return []
    return suggest.names(typed, (say(called(one)) for one in order.in_order))
