"""The match of a channel: exact luck, recap, and rematch. The recap is posted when a step ends a match, and by `/table
recap`. A rematch is proposed to another player; nothing changes before they accept.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.games import GAMES
from bot.languages.translate import translate
from bot.render import luck as luck_page, recap as page
from bot.render.card import Card
from bot.rules.errors import NotOfferedError, PlayerError
from bot.rules.text import EMPTY, N_, Code, Count, Names, Sentences, Shown, Text, as_shown
from bot.ruleset import settings
from bot.sessions.codec import REMATCH
from bot.sessions.matches import MAX_ROLLS, LuckOfMatch, MatchStatus, luck_of_match
from bot.sessions.personal_data import FORGOTTEN
from bot.store.tracked_messages import MessageKind
from bot.ui.core import components, request_context
from bot.ui.core.card_messages import card_message, control, no_break, user_display
from bot.ui.core.components import Component, Components, InvalidCustomIdError, RematchAddress, button, yes_or_no
from bot.ui.core.request_context import asker, clean, is_gm, mention, mentions_of, name_shown, place, request, ruling
from bot.ui.core.responses import StepAnswered, answer
from bot.ui.live import live_messages, replay
from bot.ui.live.live_page import page_buttons
from bot.ui.roll import explanation
from bot.ui.table import board

NO_LUCK: Final = Text("Only players of this match can see its luck. For your own rolls, type `/luck`.")
OWN: Final = Text("Your luck in your last rolls (at most {rolls_most})", rolls_most=MAX_ROLLS)
MATCH: Final = (Text("match"), Text("matches"))
RUN: Final = (Text("run of rolls"), Text("runs of rolls"))
"""Noun for rolls of the same kind, for one such run and for many."""
RECAP: Final = live_messages.LiveMessage(MessageKind.RECAP)


# Luck


async def of_match(interaction: Interaction) -> None:
    """Answer `/table luck`: everybody's luck in this channel's match, for participants."""
    rolls = await interaction.client.matches.of_channel(place(interaction))
    if rolls and interaction.user.id not in {person.id for roll in rolls for person in roll.seats.values()}:
        raise PlayerError(NO_LUCK)
    result = await interaction.client.workers.run(partial(luck_of_match, rolls), asked_by=asker(interaction))
    parts = card_message(luck_card(Text("The luck of this match"), result), await user_display(interaction))
    add_luckiest(parts["embed"], interaction, result)
    await answer(interaction).post(**parts, view=Components([explanation.explains(explanation.LUCK)]))


async def of_person(interaction: Interaction) -> None:
    """Answer `/luck` privately."""
    answer(interaction).keep_private()
    rolls = await interaction.client.matches.of_person(interaction.user.id)
    count = partial(luck_of_match, rolls, interaction.user.id)
    result = await interaction.client.workers.run(count, asked_by=asker(interaction))
    shown = card_message(luck_card(OWN, result, named=False), await user_display(interaction))
    await answer(interaction).post_private(**shown, view=Components([explanation.explains(explanation.LUCK)]))


def add_luckiest(embed: discord.Embed, interaction: Interaction, result: LuckOfMatch) -> None:
    """Add the luckiest roll from its card, with a link if known."""
    if (best := result.luckiest) is None:
        return
    names = {side: clean(who.name) for side, who in best.roll.seats.items()}
    outcome = best.roll.game.card(best.roll.state, names).outcome
    while isinstance(outcome, Sentences):  # the first sentence; the link shows the rest
        outcome = outcome.places["texts"][0]
    luckiest = luck_page.luckiest(clean(best.person.name), outcome, best.chance_as_good)
    said = request_context.escape_markdown(translate(luckiest))
    text = board.with_link(said, place(interaction), interaction.client.links.of(best.roll))
    embed.add_field(name=translate(Text("Luckiest roll")), value=no_break(text[:1024]), inline=False)


def luck_card(title: Shown, result: LuckOfMatch, *, named: bool = True, **recap: Any) -> Card:
    """Return a line per game and unit; those of a match are ``named``, one per person. ``recap``: a recap's headline,
    facts before the lines, and figure.
    """
    several = len({person_luck.game.key for person_luck in result.people}) > 1
    lines = []
    for person in result.people:
        parts = [clean(person.person.name)] if named else []
        parts += [as_shown(person.game.title)] if several or not named else []
        lines.append(luck_page.LuckLine(Sentences(parts, ", "), person.luck, person.unit, person.parts, person.is_loss))
    return luck_page.card(title, lines, MATCH if named else RUN, too_large=result.left_out, **recap)


# The recap


async def follow(fact: StepAnswered) -> None:
    """Post the recap of a match that a step has ended."""
    standing = await fact.interaction.client.matches.status(place(fact.interaction), GAMES[fact.game])
    await post(fact.interaction, standing, fact.winner, after_answer=True)


async def ask(interaction: Interaction) -> None:
    """Answer `/table recap`: this channel's match, for players."""
    here, matches = place(interaction), interaction.client.matches
    rolls = await matches.of_channel(here)
    sat = {who.id for roll in rolls for who in roll.seats.values()}
    result = [await matches.status(here, game) for game in GAMES.values() if game.table.ending is not None]
    standing = next((status for status in result if len(status.players) > 1), None)
    sat |= {player.person_id for status in result for player in status.players.values()}
    if sat and interaction.user.id not in sat:
        raise PlayerError("Only players of this match can see its recap.")
    if standing is not None:
        await post(interaction, standing, standing.winner)
        return
    lucky = await interaction.client.workers.run(partial(luck_of_match, rolls), asked_by=asker(interaction))
    facts = []
    for game in GAMES.values():
        if game.table.is_out is None:
            continue
        held = await interaction.client.tables.pieces(here, game.key)
        if out := [name for name, item in held.items() if game.table.is_out(item)]:
            facts.append((Text("{game}: out of action", game=game.title), Names(out)))
    outcome = Text("{rolls} in this match.", rolls=Count(len(rolls), "roll", "rolls")) if rolls else luck_page.NOTHING
    shown = luck_card(Text("This match so far"), lucky, headline=outcome, before=facts)
    await answer(interaction).post(**await with_luckiest(interaction, shown, lucky))


async def post(
    interaction: Interaction, standing: MatchStatus, winner: int | None, *, after_answer: bool = False
) -> None:
    """Post a match's recap. Only a channel's newest recap has the rematch button."""
    parts = await message(interaction, standing, winner)
    if "view" in parts:
        await RECAP.post(interaction, live_messages.RenderedMessage(parts), after_answer=after_answer)
    else:
        await (answer(interaction).add if after_answer else answer(interaction).post)(**parts)


async def message(interaction: Interaction, standing: MatchStatus, winner: int | None) -> dict[str, Any]:
    """Return a match's recap, with a rematch button if finished; ``winner``: None during the match."""
    here, client, game = place(interaction), interaction.client, standing.game
    ending, piece = game.table.ending, game.table.piece
    assert ending is not None, "only a game that ends has a standing"  # noqa: S101 - states it
    names, lost = replay.names_and_lost(standing)
    has_luck = (await ruling(interaction))[settings.LUCK]
    rolls = await client.matches.of_channel(here) if has_luck else ()
    by = asker(interaction)._replace(person=None)
    lucky = await client.workers.run(partial(luck_of_match, rolls), asked_by=by)
    figure = ending.picture(standing.table, standing.lost, names, winner)
    title = Sentences([game.title, page.SO_FAR if winner is None else EMPTY], " · ")  # who won says that it is over
    losses = page.losses(names, lost, piece) if figure is None else ()  # the picture shows them
    headline = replay.headline(standing, winner)
    shown = luck_card(title, lucky, headline=headline, before=losses, figure=figure)
    shown = replace(shown, number=replay.score(standing)) if figure is not None else shown
    at = RematchAddress(game.key, standing.first, "ask")
    again = [button(Text("Rematch"), at, discord.ButtonStyle.primary)] if standing.winner is not None else []
    if again:
        again += [replay.button(standing.first), *page_buttons(client, here.channel_id, here.guild_id)]
    return await with_luckiest(interaction, shown, lucky, *again)


async def with_luckiest(
    interaction: Interaction, shown: Card, lucky: LuckOfMatch, *buttons: Component
) -> dict[str, Any]:
    """Return a recap's message with buttons, and the luckiest roll with its explanation."""
    parts = card_message(shown, await user_display(interaction))
    add_luckiest(parts["embed"], interaction, lucky)
    if lucky.luckiest is not None:
        roll = lucky.luckiest.roll
        buttons = (*buttons, control(roll, explanation.CHECK, components.HOW))
    return {**parts, "view": Components([*buttons])} if buttons else parts


# The rematch


async def press(interaction: Interaction, at: RematchAddress) -> None:
    """Propose, accept, or refuse a rematch. Raises ``PlayerError`` for non-players, and for an older match."""
    standing = await find_finished(interaction, at)
    by = interaction.user.id
    people = {player.person_id for player in standing.players.values()} - {FORGOTTEN}
    master = await is_gm(interaction)
    if by not in people and not master:
        raise PlayerError(Text("Only this game's players or a GM can decide about a rematch."))
    if at.what == "ask":
        await RECAP.find_pressed(interaction)
        others = sorted(people - {by})
        if others:
            await ask_others(interaction, at, others)
        else:
            await begin(interaction, standing, EMPTY)
        return
    who = name_shown(interaction.user)
    if at.what == "refuse":
        text = Text("{who} doesn't want a rematch now.", who=who)
        if by == at.asker:
            text = Text("{who} withdraws the request.", who=who)
        await answer(interaction).update(content=text, view=None)
        return
    if by == at.asker and not master:
        raise PlayerError(Text("Another player has to accept your rematch."))
    await begin(interaction, standing, Text("{who} accepts the rematch.", who=who))


async def find_finished(interaction: Interaction, at: RematchAddress) -> MatchStatus:
    """Return a button's match. Raises ``NotOfferedError`` if it is not the last one here, or not over."""
    game = GAMES.get(at.game)
    if game is None or game.table.ending is None or (at.what != "ask" and not at.asker):
        raise InvalidCustomIdError
    standing = await interaction.client.matches.status(place(interaction), game)
    if standing.first != at.match:
        message = N_("That game is no longer the latest one here. To see what's on the table, use `/table show`.")
        raise NotOfferedError(Text(message))
    if standing.winner is None:
        raise NotOfferedError(Text("This game isn't over. A rematch can start once someone has won."))
    return standing


async def ask_others(interaction: Interaction, at: RematchAddress, others: list[int]) -> None:
    """Mention those who have to accept."""
    asked = replace(at, asker=interaction.user.id)
    accept, refuse = replace(asked, what="accept"), replace(asked, what="refuse")
    view = yes_or_no(accept, Text("Accept"), refuse, Text("Not now"), discord.ButtonStyle.success)
    message = N_(
        "{others} {who} asks for a rematch: the same squads, fresh, on the same sides. Nothing "
        "changes until another player accepts."
    )
    text = Text(message, others=Code(" ".join(map(mention, others))), who=name_shown(interaction.user))
    await answer(interaction).post(content=text, view=view, allowed_mentions=mentions_of(others))


async def begin(interaction: Interaction, standing: MatchStatus, sentence: Shown) -> None:
    """Start a rematch: all pieces return in one undoable step; then show the new board."""
    game = standing.game
    ending = game.table.ending
    assert ending is not None, "a match that is over has an end"  # noqa: S101 - states it

    def change(table: Mapping[str, Any]) -> Mapping[str, Any]:
        return ending.rematch(table, standing.lost)

    asked, what = await request(interaction), Text("starts a rematch with the same squads")
    await interaction.client.tables.step(asked, game.key, what, change, of=(), offer=REMATCH)
    begun = Sentences([sentence, Text("A new game begins, with the same squads.")])
    if sentence:
        await answer(interaction).update(content=begun, view=None)
    else:
        await answer(interaction).post(content=begun)
    await board.BOARD.post(interaction, after_answer=True)
    keep = Components([replay.button(standing.first)])
    await RECAP.close(interaction.client, place(interaction).channel_id, view=keep)
