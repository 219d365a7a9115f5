"""`/initiative`: a channel's turn order: one live message with buttons to join, advance, and end. It is a piece of the
table, so each step is in the history, can be undone, and survives a restart.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.languages.translate import translate
from bot.render import turns as cards
from bot.rules import turn_order
from bot.rules.anydice.tree import MAX_TEXT
from bot.rules.dice import MAX_DICE, Rng
from bot.rules.errors import BadInputError, Example, PlayerError, quote_value
from bot.rules.game import Field
from bot.rules.name import MAX_NAME, clean as clean_name
from bot.rules.pieces import BoardChange, key
from bot.rules.text import N_, Code, Name, Sentences, Shown, Text, ended, english, labeled
from bot.rules.turn_order import NAME, Combatant, TurnOrder
from bot.ruleset import ruling, settings
from bot.sessions.events import PiecesChanged
from bot.sessions.request import Place
from bot.store import errors, people, pieces
from bot.store.tracked_messages import MessageKind, TrackedMessage
from bot.ui.commands import saved_rolls
from bot.ui.commands.options import MISSING, CommandOption, Given, choice, names, takes
from bot.ui.core import board_controls, card_messages, request_context
from bot.ui.core.components import Components, InvalidCustomIdError, TurnsAddress, button
from bot.ui.core.request_context import NameOption, clean, in_user_language, is_gm, link, place, request, require_gm
from bot.ui.core.responses import answer
from bot.ui.dispatch import router, subscriptions
from bot.ui.live import live_messages
from bot.ui.live.live_page import TURNS, name_of

MAX_NPCS: Final = 10
"""Maximum NPCs that join at once."""
ROLL: Final = Field("roll", Text("What you roll, or a plain number"), Code(turn_order.EXAMPLE), longest=120)
NPC: Final = Field("name", Text("An NPC's name. Default: yourself"), Text("Goblin"), required=False, longest=MAX_NAME)
RUNS_ALREADY: Final = Text(
    "This channel already has a turn order. To see it again, use `/initiative show`; to end it, `/initiative end`."
)

Change = Callable[[Mapping[str, Any], Rng], tuple[TurnOrder | None, Shown]]
"""Returns the new turn order (None for none) and the step's name from the current pieces."""


class TurnIsOverError(PlayerError):
    """The turn has already been ended."""

    def __init__(self) -> None:
        super().__init__(Text("That turn is already over. The list is up to date now."))


# Steps


async def step(interaction: Interaction, change: Change) -> PiecesChanged:
    """Apply a step that undo reverts as a whole; ``change`` checks permission."""

    def changes(now: Mapping[str, Any], rng: Rng) -> BoardChange:
        order, what = change(now, rng)
        return BoardChange({NAME: order}, what)

    return await interaction.client.tables.roll_step(await request(interaction), TURNS, changes, of=())


async def join(interaction: Interaction, text: str, name: str = "", count: int = 1) -> None:
    """Join with a roll or a number; a GM adds NPCs by ``name``."""
    answer(interaction).keep_private()
    if name or count > 1:
        await require_gm(interaction)
        if not name:
            raise BadInputError("name", name, Text("Use the name of the NPCs."), Example("Goblin"))
    expression, asked = turn_order.read_roll(text), await request(interaction)
    ruling.check_count(asked.ruling, max(1, expression.dice) * count)
    if (dice := expression.dice * count) > MAX_DICE:
        raise PlayerError("That's {dice} dice. Roll at most {dice_most} at once.", dice=dice, dice_most=MAX_DICE)
    if not expression.has_dice and not asked.ruling[settings.BY_HAND] and not asked.is_gm:
        raise PlayerError(Text("Dice rolled by hand aren't allowed here, so join with dice, for example `1d20+3`."))
    owner = (await interaction.client.tables.player(asked.place, asked.by)).id
    names = [f"{clean_name(name)} {number}" for number in range(1, count + 1)] if count > 1 else [clean_name(name)]

    def enter(now: Mapping[str, Any], rng: Rng) -> tuple[TurnOrder, Text]:
        order = turn_order.running_order(now)
        for item in names:
            order = turn_order.join(order, expression, owner, rng, name=item)
        rolls = Code(", ".join(str(fighter.total) for fighter in order.combatants[-len(names) :]))
        message = N_("joins the turn order: {rolls} ({dice})")
        if name:
            message = N_("adds {names} to the turn order: {rolls} ({dice})")
        return order, Text(message, names=Name(", ".join(names)), rolls=rolls, dice=Code(expression.canonical_text))

    joined = (await step(interaction, enter)).after[NAME].combatants[-len(names) :]
    rolled = Sentences((labeled(item.name, item.total) for item in joined), ", ")
    said = ended(rolled) if name else Text("You join the turn order with {total}.", total=joined[0].total)
    await update(interaction, said)


async def leave(interaction: Interaction, name: str) -> None:
    """Remove oneself or one's NPC; a GM removes anyone."""
    answer(interaction).keep_private()
    asked = await request(interaction)
    players, by = await interaction.client.tables.players(asked.place), asked.by.id
    if not name and not any(is_self(fighter, players, by) for fighter in (await running_order(interaction)).combatants):
        hint = Text("Join it with `/initiative join`.")
        await answer_privately(interaction, Text("You aren't in the turn order."), hint)
        return

    def go(now: Mapping[str, Any], _: Rng) -> tuple[TurnOrder, Text]:
        order = turn_order.running_order(now)
        fighter = find(order, players, name, by)
        holder = players.get(fighter.owner)
        if not asked.is_gm and (holder is None or holder.person_id != by):
            raise PlayerError(Text("Only {name} or a GM can do that.", name=name_of(players)(fighter)))
        if fighter.name:
            what = Text("removes {gone} from the turn order", gone=fighter.name)
        elif is_self(fighter, players, by):
            what = Text("leaves the turn order")
        else:
            what = Text("removes someone from the turn order")
        return turn_order.remove_combatant(order, fighter.number), what

    gone = find((await step(interaction, go)).before[NAME], players, name, by)
    await update(interaction, Text("{who} is no longer in the turn order.", who=name_of(players)(gone)))


async def advance(interaction: Interaction, seen: str = "") -> None:
    """Advance to the next turn, for the acting person or a GM. ``seen``: the turn mark of the pressed button."""
    answer(interaction).keep_private()
    asked = await request(interaction)
    players = await interaction.client.tables.players(asked.place)

    def go_on(now: Mapping[str, Any], _: Rng) -> tuple[TurnOrder, Text]:
        order = turn_order.running_order(now)
        if seen and seen != turn_mark(order):
            raise TurnIsOverError
        if not asked.is_gm:
            check_may_advance(order, players, asked.by.id)
        order = turn_order.advance(order)
        return order, Text("moves to the next turn: round {round}", round=order.round)

    try:
        result = await step(interaction, go_on)
    except TurnIsOverError:
        LIST.mark_changed(interaction.client, asked.place.channel_id)
        raise
    await update(interaction, cards.headline(result.after[NAME], name_of(players)))


async def end(interaction: Interaction) -> None:
    """End the turn order, for its starter or a GM."""
    answer(interaction).keep_private()
    asked = await request(interaction)
    players = await interaction.client.tables.players(asked.place)

    def finish(now: Mapping[str, Any], _: Rng) -> tuple[None, Text]:
        starter = players.get(turn_order.running_order(now).owner)
        if not asked.is_gm and starter is not None and starter.person_id not in (asked.by.id, people.FORGOTTEN):
            message = N_("Only {starter}, who started the turn order, or a GM can end it.")
            raise PlayerError(Text(message, starter=clean(starter.name)))
        return None, Text("ends the turn order")

    await step(interaction, finish)
    await update(interaction, Text("The turn order is over."))


def check_may_advance(order: TurnOrder, players: Mapping[int, pieces.Player], person_id: int) -> None:
    """Raise ``PlayerError`` if it isn't this person's turn; before the first turn anyone who joined may advance."""
    acting = order.current_combatant
    holder = None if acting is None else players.get(acting.owner)
    if acting is not None and holder is not None and holder.person_id != people.FORGOTTEN:
        if holder.person_id != person_id:
            message = N_("It's {acting}'s turn, so only {holder} or a GM can move on.")
            raise PlayerError(Text(message, acting=name_of(players)(acting), holder=clean(holder.name)))
    elif person_id not in {player.person_id for number, player in players.items() if number in order.owners}:
        raise PlayerError(Text("Only players in the turn order or a GM can move on."))


def find(order: TurnOrder, players: Mapping[int, pieces.Player], name: str, person_id: int) -> Combatant:
    """Return the combatant with a name; without one, the person. Raises ``PlayerError``."""
    called = name_of(players)
    for fighter in order.combatants:
        if key(english(called(fighter))) == key(name) if name else is_self(fighter, players, person_id):
            return fighter
    if not name:
        raise PlayerError(Text("You aren't in the turn order."))
    known = Sentences((called(item) for item in order.in_order), ", ")
    message = N_("Nobody in the turn order is called {name}. In it: {known}.")
    message = message if known else N_("Nobody is in the turn order yet.")
    raise PlayerError(Text(message, name=quote_value(name), known=known))


def is_self(fighter: Combatant, players: Mapping[int, pieces.Player], person_id: int) -> bool:
    holder = players.get(fighter.owner)
    return not fighter.name and holder is not None and holder.person_id == person_id


async def running_order(interaction: Interaction) -> TurnOrder:
    """Return a channel's turn order. Raises ``PlayerError`` if there is none."""
    return turn_order.running_order(await interaction.client.tables.pieces(place(interaction), TURNS))


# Buttons and forms


async def handle_press(interaction: Interaction, at: TurnsAddress) -> None:
    if await LIST.was_replaced(interaction):
        return
    if at.offer == "join":
        await running_order(interaction)
        fields = (ROLL, NPC) if await is_gm(interaction) else (ROLL,)
        await answer(interaction).ask(Text("Join the turn order"), at, fields)
    elif at.offer == "next":
        await advance(interaction, at.seen)
    else:
        await end(interaction)


async def submit_join(interaction: Interaction, at: TurnsAddress, filled: Mapping[str, str]) -> None:
    if at.offer != "join":
        raise InvalidCustomIdError
    await join(interaction, filled.get(ROLL.key, ""), clean_name(filled.get(NPC.key, "")))


def turn_mark(order: TurnOrder) -> str:
    """Return a mark that identifies a turn in button ids."""
    return board_controls.mark((order.owner, order.round, order.current))


# The message

BLANK, LEADS = discord.ButtonStyle.secondary, discord.ButtonStyle.success
"""Styles of the list's buttons; of two green ones, Discord keeps the first one's color."""


async def draw(client: Client, kept: TrackedMessage, _: Mapping[int, str]) -> live_messages.RenderedMessage:
    here = Place(kept.channel_id, kept.guild_id)
    order = (await client.tables.pieces(here, TURNS)).get(NAME)
    if order is None:
        return live_messages.RenderedMessage({**card_messages.card_message(cards.OVER), "view": None})
    players, seen = await client.tables.players(here), turn_mark(order)
    buttons = [
        button(Text("Join"), TurnsAddress(seen, "join"), BLANK if order.combatants else LEADS),
        button(Text("Next"), TurnsAddress(seen, "next"), LEADS),
        button(Text("End"), TurnsAddress(seen, "end")),
    ]
    parts = card_messages.card_message(cards.card(order, name_of(players)))
    return live_messages.RenderedMessage({**parts, "view": Components(buttons)})


LIST: Final = live_messages.LiveMessage(
    MessageKind.TURNS, N_("This list was replaced. [Go to the new one]({where})"), draw
)


async def update(interaction: Interaction, done: Shown) -> None:
    """Show the new state: on the pressed message at once, else ``done`` as a private confirmation."""
    here, client = place(interaction), interaction.client
    if interaction.message is not None and await LIST.update(interaction):
        return
    shown_on = await LIST.find(client, here.channel_id)
    with request_context.in_channel_language(interaction):
        is_edited = shown_on is not None and await LIST.edit(client, shown_on)
    if shown_on is not None and is_edited:
        where = Text("[Go to the list]({where})", where=Code(link(here, shown_on.kept.message_id)))
        await answer_privately(interaction, done, where)
        return
    await answer_privately(interaction, done, Text("The list is in a new message."))
    if NAME in await client.tables.pieces(here, TURNS):
        await LIST.post(interaction, after_answer=True)


async def answer_privately(interaction: Interaction, done: Shown, where: Shown) -> None:
    with in_user_language(interaction):
        shown_card = card_messages.embed(cards.notice(done))
        shown_card.description = translate(where)
    await answer(interaction).show(content=None, embed=shown_card, view=None)


async def suggest(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest names in the turn order that contain the typed text."""
    try:
        order = await running_order(interaction)
        called = name_of(await interaction.client.tables.players(place(interaction)))
    except (PlayerError, errors.StoreError):
        return []
    return names(typed, (translate(called(fighter)) for fighter in order.in_order))


# Commands

ABOUT: Final = english(Text("Turn order: who acts when, by a roll"))
LOWEST: Final = "lowest"
Dice = Range[str, 1, MAX_TEXT]
BY_ROLL: Final = (choice(Text("highest"), "highest"), choice(Text("lowest"), LOWEST))
FIRST: Final = CommandOption(
    "first", str, Text("Who acts first. Default: the highest roll"), "highest", choices=BY_ROLL
)
JOIN: Final = (
    CommandOption(
        "roll", Dice, Text("What you roll: 1d20+3, or a plain number"), MISSING, suggest=saved_rolls.suggest_only_dice
    ),
    CommandOption("name", NameOption, Text("For GMs: the NPC that joins. Default: you"), ""),
    CommandOption("count", Range[int, 1, MAX_NPCS], Text("For GMs: how many of these NPCs, each with its own roll"), 1),
)
WHO: Final = CommandOption("name", NameOption, Text("Who leaves. Default: you"), "", suggest=suggest)


class Initiative(commands.GroupCog, group_name="initiative", group_description=ABOUT):
    """Each step can be undone with `/table undo`."""

    @app_commands.command(description="Start a turn order in this channel; people join it with a roll")
    @takes(FIRST)
    async def start(self, interaction: Interaction, given: Given) -> None:
        asked = await request(interaction)
        owner = (await interaction.client.tables.player(asked.place, asked.by)).id

        def begin(now: Mapping[str, Any], _: Rng) -> tuple[TurnOrder, Text]:
            if NAME in now:
                raise PlayerError(RUNS_ALREADY)
            return TurnOrder(owner=owner, lowest=given["first"] == LOWEST), Text("starts a turn order")

        await step(interaction, begin)
        await LIST.post(interaction)

    @app_commands.command(description="Join the turn order with a roll or a number; a GM also adds NPCs")
    @takes(*JOIN)
    async def join(self, interaction: Interaction, given: Given) -> None:
        await join(interaction, given["roll"], given["name"], given["count"])

    @app_commands.command(name="next", description="Go to the next turn (current player or GM only)")
    async def next_(self, interaction: Interaction) -> None:
        await advance(interaction)

    @app_commands.command(description="Leave the turn order; a GM can remove anyone")
    @takes(WHO)
    async def leave(self, interaction: Interaction, given: Given) -> None:
        await leave(interaction, given["name"])

    @app_commands.command(description="Show the turn order again, below the newest messages")
    async def show(self, interaction: Interaction) -> None:
        await running_order(interaction)
        await LIST.post(interaction)

    @app_commands.command(description="End the turn order (its starter or GM only)")
    async def end(self, interaction: Interaction) -> None:
        await end(interaction)


ROUTES: Final[router.Routes] = {TurnsAddress: router.Route(handle_press, submit_join)}


async def setup(client: Client) -> None:
    await client.add_cog(Initiative())
    subscriptions.follows_table(client, LIST)
    router.ROUTES.update(ROUTES)
