"""A person's private view of a table, for their Activity frame: plans, facedown cards, advice, secret rolls. It uses
the same functions as Discord, with the same permissions.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from bot.client import Client
from bot.games import GAMES, Game
from bot.html import parts
from bot.html.html import EMPTY, Html, filled_tag, join_html, tag
from bot.render import advice as advice_cards
from bot.resources.quotas import Caller, payer
from bot.rules.errors import PlayerError
from bot.rules.plans import MAX_CHOICE, PlanPlace
from bot.rules.text import Text, as_text
from bot.sessions import plans, request, roll
from bot.sessions.pieces import owner
from bot.store.pieces import Player
from bot.ui.core.card_messages import card_of, has_advice
from bot.ui.roll.advice import NO_ADVICE, adviser_of

MAX_SECRETS: Final = 5
READY: Final = Text("Ready")
IS_READY: Final = Text("You're ready. If you change anything now, press Ready again to lock it in.")


async def private_html(client: Client, asked: request.Request) -> Html:
    """Return the whole view in the current language; empty if there is nothing. Raises ``StoreError``."""
    now = await client.tables.snapshot(asked.place)
    mine = next((number for number, player in now.players.items() if player.person_id == asked.by.id), 0)
    result = [await plan(client, asked, key) for key, game in GAMES.items() if game.table.planning]
    for item in now.rolls:
        if await may_choose(client, asked, item):
            marks = {"data_do": "advice", "data_roll": str(item.session), "data_ply": str(item.ply)}
            title, ask = tag("h3", card_of(item).title), tag("button", Text("Advice"), type="button", **marks)
            result.append(tag("section", title, ask))
    result += [shown for key, held in now.pieces.items() for shown in facedown(GAMES[key], held, now.players, mine)]
    result += [parts.article(card_of(one), alone=True) for one in await client.sessions.secrets(asked, MAX_SECRETS)]
    shown = [html for html in result if html]
    return join_html([tag("h2", Text("Only you can see this")), *shown]) if shown else EMPTY


async def plan(client: Client, asked: request.Request, game: str) -> Html | None:
    """Render the due sheet's lists and Ready; None if nothing is planned now."""
    try:
        planned = await client.plans.look(asked, game)
    except PlayerError:
        return None
    about = filled_tag("p", planned.asked.about, class_="small")
    places = [choice(game, planned, item) for item in planned.asked.places]
    ready = tag("button", READY, type="button", data_do="ready", data_game=game, data_sheet=planned.asked.sheet)
    fixed = tag("p", IS_READY, class_="small") if planned.fixed is not None else None
    return tag("section", tag("h3", planned.asked.title), about, *places, fixed, ready, class_="plan")


def choice(game: str, planned: plans.Planned, at: PlanPlace) -> Html:
    """Return the choices for one place; a suggested one is stored only once it is chosen."""
    chosen = planned.chosen.get(at.of, "")
    marks = {"data_do": "plan", "data_game": game, "data_sheet": planned.asked.sheet, "data_of": at.of}
    if not at.options:
        return tag("label", at.label, tag("input", value=chosen, maxlength=MAX_CHOICE, **marks))
    options = [tag("option", Text("Not chosen yet"), value="", selected=not chosen)]
    options += [
        tag("option", option.label, value=option.value, selected=option.value == chosen) for option in at.options
    ]
    return tag("label", at.label, tag("select", *options, **marks))


async def may_choose(client: Client, asked: request.Request, played: roll.Played) -> bool:
    """Whether it is their turn in a roll with advice."""
    if not played.offers or not has_advice(played, asked.ruling):
        return False
    try:
        await client.sessions.look(asked, roll.Address(played.session, played.ply, played.offers[0].key))
    except PlayerError:
        return False
    return True


async def advice(client: Client, asked: request.Request, session: int, ply: int) -> Html:
    """Render an open window's advice. Raises ``PlayerError`` as a press on Advice."""
    played = await client.sessions.look(asked, roll.Address(session, ply, ""))
    if not has_advice(played, asked.ruling):
        raise PlayerError(NO_ADVICE)
    adviser = adviser_of(played)
    aim, words = next(iter(adviser.aims(played.state).items()))
    person = Caller(asked.by.id, payer(asked.place.guild_id, asked.by.id))
    result = await client.workers.run(partial(adviser.advise, played.state, aim), asked_by=person)
    return parts.article(advice_cards.card(result, as_text(words)), alone=True)


def facedown(game: Game, held: Mapping[str, Any], players: Mapping[int, Player], mine: int) -> list[Html]:
    """Render the cards of their pieces that others see less of."""
    board, seen = game.table.board, game.table.seen
    if board is None or board.secrets is None or seen is None or not mine:
        return []
    pieces = [item for item in held.values() if getattr(item, "owner", 0) == mine and owner(item, players) is not None]
    return [parts.article(board.secrets(piece), alone=True) for piece in pieces if seen(piece) != piece]
