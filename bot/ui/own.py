"""A person's private view of a table, for their frame of the Activity: plans, facedown cards, advice, secret rolls.

The same functions answer here and on Discord, so what someone can't see there, they can't see here.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from bot.allowance import Asker, payer
from bot.client import Client
from bot.games import GAMES, Game
from bot.page import parts
from bot.page.html import EMPTY, Html, joined, tag
from bot.render import advice as advice_cards
from bot.rules.errors import PlayerError
from bot.rules.plans import CHOICE_MOST, PlanPlace
from bot.rules.text import Text, as_text
from bot.sessions import place, plans, roll
from bot.sessions.pieces import owner
from bot.store.pieces import Player
from bot.ui.advice import NO_ADVICE, adviser_of
from bot.ui.display import card_of, has_advice

SECRETS_MOST: Final = 5
READY: Final = Text("Ready")
IS_READY: Final = Text("You are ready. What you change now counts once you press Ready again.")


async def own(client: Client, asked: place.Request) -> Html:
    """Return the whole view in the current language; empty if there is nothing. Raises ``StoreError``."""
    now = await client.tables.now(asked.place)
    mine = next((number for number, one in now.players.items() if one.person_id == asked.by.id), 0)
    found = [await plan(client, asked, key) for key, game in GAMES.items() if game.table and game.table.planning]
    for one in now.rolls:
        if await may_choose(client, asked, one):
            marks = {"data_do": "advice", "data_roll": str(one.session), "data_ply": str(one.ply)}
            title, ask = tag("h3", card_of(one).title), tag("button", Text("Advice"), type="button", **marks)
            found.append(tag("section", title, ask))
    found += [shown for key, held in now.pieces.items() for shown in facedown(GAMES[key], held, now.players, mine)]
    found += [parts.article(card_of(one), alone=True) for one in await client.sessions.secrets(asked, SECRETS_MOST)]
    shown = [one for one in found if one]
    return joined([tag("h2", Text("Only you see this")), *shown]) if shown else EMPTY


async def plan(client: Client, asked: place.Request, game: str) -> Html | None:
    """A list for each place of the sheet that is due, and Ready; None where nothing is planned now."""
    try:
        planned = await client.plans.look(asked, game)
    except PlayerError:
        return None
    about = tag("p", planned.asked.about, class_="small") if planned.asked.about else None
    places = [choice(game, planned, one) for one in planned.asked.places]
    ready = tag("button", READY, type="button", data_do="ready", data_game=game, data_sheet=planned.asked.sheet)
    fixed = tag("p", IS_READY, class_="small") if planned.fixed is not None else None
    return tag("section", tag("h3", planned.asked.title), about, *places, fixed, ready, class_="plan")


def choice(game: str, planned: plans.Planned, at: PlanPlace) -> Html:
    """Return the choices for one place; a suggested one is stored only once it is chosen."""
    chosen = planned.chosen.get(at.of, "")
    marks = {"data_do": "plan", "data_game": game, "data_sheet": planned.asked.sheet, "data_of": at.of}
    if not at.options:
        return tag("label", at.label, tag("input", value=chosen, maxlength=CHOICE_MOST, **marks))
    options = [tag("option", Text("Not chosen yet"), value="", selected=not chosen)]
    options += [tag("option", one.label, value=one.value, selected=one.value == chosen) for one in at.options]
    return tag("label", at.label, tag("select", *options, **marks))


async def may_choose(client: Client, asked: place.Request, played: roll.Played) -> bool:
    """Whether it is their turn in a roll of which advice can be had."""
    if not played.offers or not has_advice(played, asked.ruling):
        return False
    try:
        await client.sessions.look(asked, roll.Address(played.session, played.ply, played.offers[0].key))
    except PlayerError:
        return False
    return True


async def advice(client: Client, asked: place.Request, session: int, ply: int) -> Html:
    """The advice for an open window. Raises ``PlayerError`` as a press on Advice does."""
    played = await client.sessions.look(asked, roll.Address(session, ply, ""))
    if not has_advice(played, asked.ruling):
        raise PlayerError(NO_ADVICE)
    adviser = adviser_of(played)
    aim, words = next(iter(adviser.aims(played.state).items()))
    person = Asker(asked.by.id, payer(asked.place.guild_id, asked.by.id))
    found = await client.workers.count(partial(adviser.advise, played.state, aim), asked_by=person)
    return parts.article(advice_cards.card(found, as_text(words)), alone=True)


def facedown(game: Game, held: Mapping[str, Any], players: Mapping[int, Player], mine: int) -> list[Html]:
    """The cards of those of their pieces of which others see less."""
    if game.board is None or game.board.secrets is None or game.table is None or game.table.seen is None or not mine:
        return []
    pieces = [one for one in held.values() if getattr(one, "owner", 0) == mine and owner(one, players) is not None]
    return [parts.article(game.board.secrets(one), alone=True) for one in pieces if game.table.seen(one) != one]
