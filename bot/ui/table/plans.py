"""Private plans: a form with a menu for each place, and a private message. Nothing is kept in memory: a dismissed
message can be reopened. Others see only the table (``bot.sessions.plans``); answers here are private.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import discord

from bot.client import Client, Interaction
from bot.games import GAMES
from bot.render.card import Card
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Field, Option, check_form
from bot.rules.plans import PlanEvent, PlanForm, PlanPlace
from bot.rules.text import Code, Count, Name, Sentences, Shown, Text
from bot.sessions.events import StateStored
from bot.sessions.plans import IncompletePlanError, Planned
from bot.sessions.request import Request
from bot.ui.core import card_messages, request_context
from bot.ui.core.board_controls import in_order, name_mark
from bot.ui.core.components import ROW, Component, Components, PlanAddress, button, rows
from bot.ui.core.responses import answer
from bot.ui.roll import bot_player
from bot.ui.table import board

READY: Final = "ready"
NOW, LATER = "now", "later"
"""Values of the last field of a form."""
MAX_FORM: Final = 5
MAX_TYPED: Final = 4000
"""Maximum characters of a form's field."""
READY_OPTIONS: Final = (
    Option(NOW, Text("I'm ready"), Text("the others see that you are, and a fingerprint")),
    Option(LATER, Text("Not yet"), Text("saved, visible only to you")),
)


async def begin(interaction: Interaction, game: str, sheet: str = "") -> None:
    """Ask for a person's plans: a form, or if it is too small, a private message first."""
    planned = await interaction.client.plans.look(await request_context.request(interaction), game, sheet)
    shown = ask if len(planned.asked.places) <= MAX_FORM else show
    await shown(interaction, PlanAddress(game, "form", sheet=sheet), planned)


async def follow(client: Client, fact: StateStored, game: str) -> None:
    """Open what the event reveals automatically; its answer then shows it."""
    played, stepped = fact.played, fact.stepped
    event = PlanEvent()
    if played is not None:
        event = PlanEvent(was=played.before, state=played.state)
    elif stepped is not None:
        event = PlanEvent(stepped.before, stepped.after)
    await client.plans.open_due(fact.request, game, event)


async def of_table(interaction: Interaction) -> None:
    """Ask for plans of the table's game, by command. Raises ``PlayerError`` without one."""
    now = await interaction.client.tables.snapshot(request_context.place(interaction))
    for game in in_order(now.pieces):
        if now.pieces.get(game.key) and game.table.planning is not None:
            await begin(interaction, game.key)
            return
    raise PlayerError(Text("There's nothing to plan in private here. Add your squads with `/xwing squad` first."))


async def ask(interaction: Interaction, at: PlanAddress, planned: Planned) -> None:
    await answer(interaction).ask(planned.asked.title, at, fields(planned, at.page))


def fields(planned: Planned, page: int) -> tuple[Field, ...]:
    """Return a page's fields: places with current choices; if all fit, also whether one is ready."""
    places = planned.asked.places[page * MAX_FORM : (page + 1) * MAX_FORM]
    chosen = [planned.chosen.get(item.of, item.proposed) for item in places]
    result = tuple(
        Field(name_mark(item.of), item.label, required=False, longest=MAX_TYPED, value=value, options=item.options)
        for item, value in zip(places, chosen, strict=True)
    )
    if len(planned.asked.places) >= MAX_FORM:
        return result
    return (*result, Field(READY, Text("Are you ready?"), value=NOW, options=READY_OPTIONS))


async def press(interaction: Interaction, at: PlanAddress) -> None:
    """Handle a press on the private message. Raises ``PlayerError``."""
    answer(interaction).keep_private()
    planned = await interaction.client.plans.look(await request_context.request(interaction), at.game, at.sheet)
    await (ask if at.what == "form" else submit_plan)(interaction, at, planned)


async def handle_form(interaction: Interaction, at: PlanAddress, filled: Mapping[str, str]) -> None:
    """Store a form's choices, then show them to their owner. Raises ``PlayerError`` without storing."""
    answer(interaction).keep_private()
    asked, plans = await request_context.request(interaction), interaction.client.plans
    planned = await plans.look(asked, at.game, at.sheet)
    check_form(tuple(field for field in fields(planned, at.page) if field.options), filled)
    chosen = {item.of: filled[name_mark(item.of)] for item in planned.asked.places if name_mark(item.of) in filled}
    planned = await plans.choose(asked, at.game, chosen, at.sheet)
    await (submit_plan if filled.get(READY) == NOW else show)(interaction, at, planned)


async def submit_plan(interaction: Interaction, at: PlanAddress, planned: Planned) -> None:
    """Fix a person's choices and show them; the table says they are ready."""
    asked = await request_context.request(interaction)
    try:
        await interaction.client.plans.fix_plan(asked, at.game, at.sheet, anyway=at.what == "anyway")
    except IncompletePlanError as forgotten:
        await show(interaction, at, planned, forgotten.text, left=len(forgotten.places))
        return
    await bot_player.plan(interaction, at.game)
    await show(interaction, at, planned, READY_SAID)
    live = await board.BOARD.find(interaction.client, asked.place.channel_id)
    if live is None or live.below > board.HANDFUL:  # the newest message shows it to others
        await board.BOARD.post(interaction, after_answer=True)


READY_SAID: Final = Text("You're ready. Your plan is locked in; only you can see it until it's revealed.")
CHOSEN_SAID: Final = Text("Only you can see this. Press **Ready** when you're done.")
CHANGED_SAID: Final = Text("You were ready with something else. Press **Ready** again to lock this in.")


async def show(
    interaction: Interaction, at: PlanAddress, planned: Planned, said: Text | None = None, left: int = 0
) -> None:
    """Show a person their own plans, in place of the private message that was pressed."""
    fixed = planned.fixed is not None and not planned.is_changed
    said = said or (READY_SAID if fixed else CHANGED_SAID if planned.is_changed else CHOSEN_SAID)
    with request_context.in_user_language(interaction):
        parts = card_messages.card_message(card_of(at.game, planned), await card_messages.user_display(interaction))
        view = Components(*rows(buttons(at, planned, left, is_ready=said is READY_SAID)))
    await answer(interaction).show(**parts, content=said, view=view)


async def show_looked(interaction: Interaction, asked: Request, game: str, choice: Choice, by: str) -> None:
    """Show a place's plan to the one permitted viewer; the table says that they looked."""
    leaf = await interaction.client.plans.peek_at(asked, game, choice, by)
    seen = PlanForm("", "", Text("What you saw"), (PlanPlace(leaf.of, Name(leaf.of)),))
    with request_context.in_user_language(interaction):
        told = Text("Only you can see this. Everyone knows that you looked, using {by}.", by=Name(by))
        card = replace(card_of(game, Planned(seen, {leaf.of: leaf.choice})), outcome=told)
        display = await card_messages.user_display(interaction)
        await answer(interaction).post_private(**card_messages.card_message(card, display))


def buttons(of: PlanAddress, planned: Planned, left: int, *, is_ready: bool) -> list[Component]:
    """Return **Ready** if it changes something, and a form per page."""
    pages = range((len(planned.asked.places) + MAX_FORM - 1) // MAX_FORM)
    result = list[Component]()
    if left:
        label = Text("Ready without {places}", places=Count(left, "choice", "choices"))
        result.append(button(label, replace(of, what="anyway", page=0), discord.ButtonStyle.danger))
    elif not is_ready:
        result.append(button(Text("Ready"), replace(of, what="ready", page=0), discord.ButtonStyle.success))
    for page in pages[: ROW - len(result)]:
        first, last = page * MAX_FORM + 1, min(len(planned.asked.places), (page + 1) * MAX_FORM)
        label = Text("Choose") if len(pages) == 1 else Text("Choose {first} to {last}", first=first, last=last)
        result.append(button(label, replace(of, what="form", page=page)))
    return result


def card_of(game: str, planned: Planned) -> Card:
    """Return a person's plans as a card, drawn if the game can."""
    if (draw := GAMES[game].table.planned) is not None:
        return draw(planned.asked, planned.chosen)
    facts = list[tuple[Shown, Shown]]()
    for item in planned.asked.places:
        chosen = planned.chosen.get(item.of, "")
        label = next((each.label for each in item.options if each.value == chosen), None)
        facts.append((item.label, label or Code(chosen) or Text("nothing yet")))
    outcome = planned.asked.about or Text("Your plans: {names}.", names=Sentences(map(Name, planned.chosen), ", "))
    return Card(title=planned.asked.title, outcome=outcome, facts=tuple(facts))
