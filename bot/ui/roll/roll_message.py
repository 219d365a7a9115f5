"""A roll's message: its card, with a button, select, or form per offer; also for secret rolls."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

import discord

from bot.client import Client, Interaction
from bot.discord_api.discordpy_patches import answer_by_token
from bot.games import GAMES
from bot.games.game import Said
from bot.languages.translate import translate, using_language
from bot.odds.luck import RollLuck
from bot.render.card import Card
from bot.rules.errors import BadInputError, CombinedError, NotOfferedError, PlayerError, UnknownWordError
from bot.rules.game import AfterOffer, ButtonRank, Field, Offer, Pick, Side
from bot.rules.text import EMPTY, Code, Name, Sentences, Shown, Text, ended, english
from bot.ruleset import ruling, settings
from bot.sessions.personal_data import FORGOTTEN
from bot.sessions.request import Person, Place, with_names
from bot.sessions.roll import Address, Played, Secrecy, UnknownRollError
from bot.sessions.sessions import RollOpening
from bot.ui.core import board_controls, card_messages as cards, components, odds_link, request_context
from bot.ui.core.components import ROW, Component, Components
from bot.ui.core.responses import ALREADY_ACKNOWLEDGED, Answered, CardShown, answer, as_edit, try_edit
from bot.ui.roll import advice, bot_player, explanation, suggest_fix

Numbers = TypeVar("Numbers")
Words = Mapping[str, object]

MAX_BUTTONS: Final = 15
"""Three rows of five. Two suffice for nearly all rolls; twelve Infinity attacks that all hit need the third."""

ONLY_READ: Final = "only read"
"""Key in an interaction's ``extras``: a roll is being saved, so its declaration is parsed without rolling."""
OPTION_NAMES: Final = "option names"
"""Key in ``extras``: the command's option names that differ from their words."""
WORKS: Final = "works"
"""Key in ``extras``: a rejected declaration's corrections."""
LOST: Final = Text(
    "Discord may not have accepted this roll's card before. Here it is; nothing new was rolled. "
    "For a new roll, type the command again."
)
LOOK, REVEAL, EXPLAIN = "secret-look", "secret-reveal", "secret-how"
"""Reserved button keys of a secret roll; no offer may use them."""

ROLLED_BLIND: Final = Text("Rolled. Only the GMs see the result; one of them can reveal it.")
ONLY_YOU: Final = Text(
    "Only you can see this roll. **Reveal** shows it to everyone. To find it again, use `/table secrets`."
)
ONLY_GMS: Final = Text(
    "Only the GMs can see this roll. **Reveal** shows it to everyone. To find it again, use `/table secrets`."
)
AT_SEALED: Final = Text(
    "This table is sealed: its transcript hides this roll until it is revealed, or until someone "
    "who can see it unseals the table."
)
NO_CARD: Final = 1 << 6 | 1 << 7
"""Flags of a message without a visible card: private, or "thinking"."""
MAY_BE_THERE: Final = Text(
    "I was interrupted, so Discord may not have accepted this roll's card before. Here it is; "
    "nothing new was rolled for it."
)
TAKEN_BACK: Final = Text("This roll was taken back. If the same person makes it again, the same dice come up.")
OPENERS: Final[dict[str, Callable[..., Awaitable[None]]]] = {}
"""Functions that start rolls of games that warn first; their cogs add them."""
log = logging.getLogger(__name__)
NTH: Final = (
    Text("Second roll with the same values"),
    Text("Third roll with the same values"),
    Text("Fourth roll with the same values"),
    Text("Fifth roll with the same values"),
    Text("Sixth roll with the same values"),
    Text("Seventh roll with the same values"),
    Text("Eighth roll with the same values"),
    Text("Ninth roll with the same values"),
    Text("Tenth roll with the same values"),
)


class DeclarationOnlyError(Exception):
    """Ends a parse-only command; ``error``: why its declaration is invalid, or None."""

    def __init__(self, error: PlayerError | None = None) -> None:
        super().__init__()
        self.error = error


async def declare(interaction: Interaction, key: str, typed: Words) -> Any:
    """Parse a game's typed declaration, with this place's defaults. Commands, forms, and buttons all use it, so
    rulesets and the channel's pieces always apply.
    """
    game = GAMES[key]
    given = {word: value for word, value in typed.items() if value is not None}
    counts = await request_context.ruling(interaction)
    ruling.check_camera(counts, game, given)
    check_lock = partial(
        ruling.check_locked, counts, game, is_gm=request_context.is_gm_by(interaction, counts), typed_words=given
    )
    check_lock(given)
    words = {**game.commands.at_table, **counts.words(key), **given}
    if game.commands.text_word:
        words = {"language": request_context.voice(interaction).key} | words
    place = request_context.place(interaction)
    if game.commands.own_file and place.guild_id and (kind := game.commands.own_file(words)):
        file = await interaction.client.kept_files.text(place.guild_id, kind)
        words |= {"file": file} if file else {}
    pieces = await interaction.client.tables.pieces(place, key) if game.names_pieces(words) else {}
    read: Callable[[Words], Any] = partial(game.declare, pieces=pieces)
    is_only_read = ONLY_READ in interaction.extras
    try:
        declared = read(words)
    except PlayerError as error:
        if is_only_read:
            raise DeclarationOnlyError(error) from None
        if not isinstance(error, BadInputError | UnknownWordError | CombinedError):
            raise
        if interaction.type is discord.InteractionType.application_command:
            works = suggest_fix.nearest(read, words, error) or {}
            names: Mapping[str, str] = interaction.extras.get(OPTION_NAMES, {})
            changes = {word: value for word, value in works.items() if words.get(word) != value}
            interaction.extras[WORKS] = {names.get(word, word): value for word, value in changes.items()}
        raise
    check_lock(game.ruled_words(declared))
    if is_only_read:
        raise DeclarationOnlyError
    return declared


async def open_roll(
    interaction: Interaction, key: str, declared: object, opponent: discord.abc.User | None = None, **more: Any
) -> None:
    """Start a roll and show it; ``more`` as in ``RollOpening``. Raises ``PlayerError`` if the rules refuse it."""
    other = bot_player.opponent(interaction, GAMES[key], opponent) if opponent is not None else None
    await begin(interaction, RollOpening(GAMES[key], declared, other, **more))


async def open_words(
    interaction: Interaction, key: str, words: Words, *opponent: discord.abc.User | None, **more: Any
) -> None:
    """Start a declared roll through its game's cog, if that adds warnings."""
    if key in OPENERS:
        await OPENERS[key](interaction, words, *opponent, **more)
    else:
        await open_roll(interaction, key, await declare(interaction, key, words), *opponent, **more)


async def begin(interaction: Interaction, opening: RollOpening) -> None:
    """Start a roll and show it. If it is retyped because its card was lost, show that card instead."""
    if opening.secrecy is Secrecy.PRACTICE:  # a forged form; ``bot.ui.roll.tutorial`` opens those
        raise NotOfferedError
    if opening.secrecy is not None:
        answer(interaction).keep_private()
    if await is_again(interaction, opening) and await show_lost(interaction):
        return
    asked = await request_context.request(interaction)
    played = await interaction.client.sessions.open(asked, opening)
    if played.is_hidden:
        if played.secrecy is Secrecy.BLIND:
            told = Card(title=Text("Blind roll"), outcome=ROLLED_BLIND)
            await answer(interaction).post_private(embed=cards.embed(told))
        else:
            await answer(interaction).post_private(**secret_message(played, await current_message(interaction, played)))
        await announce(interaction, played)
        return
    if played.seats_bot(asked.bot_id):
        played = await bot_player.play_on(interaction, played)
    await post_roll(interaction, played, **invite(opening, played, {asked.by.id, asked.bot_id}))


def invite(opening: RollOpening, played: Played, known: Collection[int]) -> dict[str, Any]:
    """Return the words that ping the awaited people, the only ping; {} if that is only ``known``."""
    is_named = opening.opponent or Side.DEFENDER in opening.game.table.played_by(opening.declared)
    defender = played.seats.get(Side.DEFENDER) if is_named else None
    awaited = {offer.player for offer in played.offers}
    waited_for = (person for number, person in played.named.items() if number in awaited)
    called = filter(None, (opening.attacker, defender, *waited_for))
    ids = [item for item in dict.fromkeys(person.id for person in called) if item not in known]
    if not ids or not played.is_waiting:
        return {}
    content: Shown = Sentences(map(request_context.mention, ids))
    if defender is not None and {offer.side for offer in played.offers if offer.is_awaited} == {Side.ATTACKER}:
        content = Text("Against {people}", people=content)
    return {"content": content, "allowed_mentions": request_context.mentions_of(ids)}


async def is_again(interaction: Interaction, opening: RollOpening) -> bool:
    """Whether somebody retypes a command, as asked, whose card was lost."""
    lost, here = interaction.client.lost, request_context.place(interaction)
    session = lost.newest(here.channel_id, interaction.user.id)
    if not session or session in lost.unsure:  # nobody was asked to
        return False
    try:
        played = await interaction.client.sessions.find(session, place=here)
    except UnknownRollError:
        return False
    return played.game is opening.game and getattr(played.state, "declared", None) == opening.declared


def secret_message(played: Played, parts: dict[str, Any]) -> dict[str, Any]:
    """Return a secret roll's message for a permitted person; ``parts``: the public form's."""
    lines = [ONLY_GMS if played.secrecy is Secrecy.BLIND else ONLY_YOU, AT_SEALED if played.mark is not None else EMPTY]
    buttons = [cards.control(played, Text("Reveal"), REVEAL, discord.ButtonStyle.primary)]
    if cards.has_how(played):
        buttons.append(cards.control(played, explanation.LABEL, EXPLAIN))
    return {**parts, "content": translate(Sentences(lines, "\n")), "view": Components(buttons)}


async def announce(interaction: Interaction, played: Played) -> None:
    """Tell the channel that someone made a secret roll. Never raises."""
    if request_context.place(interaction).is_alone:
        return
    lines, mark = [secret_line(played, request_context.name_shown(interaction.user))], played.mark
    if mark is not None:
        lines.append(Text("-# Sealed table: ply {place}, {digits}", place=mark.place, digits=Code(mark.digits)))
    try:
        with request_context.in_channel_language(interaction):
            view = Components([cards.control(played, Text("Look"), LOOK)])
            shown = await answer(interaction).add(content=Sentences(lines, "\n"), view=view)
    except discord.HTTPException as error:  # the roller has the card, and the GMs have /table secrets
        log.info("nobody was told of a secret roll: %s", error)
    else:
        interaction.client.links.note(played.session, shown)


def secret_line(played: Played, who: Name) -> Text:
    """Return the public line about a secret roll; it is the same whatever was rolled."""
    if played.secrecy is Secrecy.BLIND:
        return Text("{who} made a blind roll: only the GMs can look at it.", who=who)
    return Text("{who} made a secret roll: only {who} can look at it.", who=who)


async def follow(interaction: Interaction, at: Address, filled: Mapping[str, str] | None) -> None:
    """Open a finished roll's follow-up, after its form, if any; the old card continues. Raises ``StaleCardError``,
    ``NotYourSideError``, or ``PlayerError`` if refused.
    """
    client, here = interaction.client, request_context.place(interaction)
    over = await client.sessions.look(await request_context.request(interaction), at)
    follow_ups = over.game.table.follow_ups
    assert follow_ups is not None, "only games with follow-ups offer any"  # noqa: S101 - states what a game registers
    offer = next(item for item in over.offers if item.key == at.offer)
    fields = follow_ups.fields(over.state, offer.act, await client.tables.pieces(here, over.game.key))
    fields = ruling.allowed_fields(await request_context.ruling(interaction), fields)
    if fields and filled is None:
        await answer(interaction).ask(offer.label, at, fields)
        return
    declared = await declare(interaction, over.game.key, follow_ups.declare_words(over.state, offer.act, filled or {}))
    sat_before = find_previous_player(over, offer.side.other, declared)
    await begin(interaction, RollOpening(over.game, declared, follows=at, sat_before=sat_before))
    await show_buttons(interaction, await client.sessions.find(at.session, here))


def find_previous_player(over: Played, side: Side, declared: object) -> Person | None:
    """Return who played a side of a finished roll if the next one attacks the same piece; nobody may press for them."""
    played_by, holder = over.game.table.played_by, over.seats.get(side)
    if holder is None or holder.id == FORGOTTEN:
        return None
    is_same = played_by(declared).get(Side.DEFENDER) == played_by(over.state.declared).get(side)
    return holder if is_same else None


async def post_roll(
    interaction: Interaction,
    played: Played,
    *,
    anew: bool = False,
    is_taken_back: bool = False,
    was_lost: bool = False,
    **extra: Any,
) -> None:
    """Show a roll in a new message, which the history then links. ``anew``: besides another answer. If that fails, the
    roll is lost: its opener sees it at their next action here; see ``show_lost``.
    """
    client = interaction.client
    try:
        send = answer(interaction).post_new if anew else answer(interaction).post
        with request_context.in_channel_language(interaction):
            shown = await send(**await current_message(interaction, played), **extra)
    except BaseException as error:
        if not (isinstance(error, discord.HTTPException) and error.code == ALREADY_ACKNOWLEDGED):
            client.links.note(played.session, None)
            client.lost.note(played.session, request_context.place(interaction).channel_id, interaction.user.id)
        raise  # the duplicate delivery shows the card
    if shown is not None:
        client.links.note(played.session, shown, at_once=was_lost)
    await tell_shown(interaction, played, is_taken_back=is_taken_back)


async def find_shown_message(interaction: Interaction, session: int) -> int | None:
    """Look up the message of a roll in Discord, if it exists."""
    client = interaction.client
    token = await client.lost.answer_of(session)
    if token is None or client.application_id is None:
        return None
    try:
        message = await answer_by_token(client, client.application_id, token)
    except discord.HTTPException as error:
        log.info("the answer with the card of roll %s is not known: %s", session, error)
        return None
    return None if message.get("flags", 0) & NO_CARD else int(message["id"])


async def show_lost(interaction: Interaction, *, anew: bool = False, note: Shown = LOST) -> bool:
    """Show the newest roll of this person here whose card was lost, and roll nothing; False if there is none."""
    here, lost = request_context.place(interaction), interaction.client.lost
    if (here.channel_id, interaction.user.id) not in lost.sessions:
        return False
    session = lost.newest(here.channel_id, interaction.user.id)
    before = lost.discard(session, here.channel_id, interaction.user.id)  # nothing else shows it until it is posted
    try:
        played = await interaction.client.sessions.find(session, place=here)
    except UnknownRollError:  # too old, or its server's data was erased
        return await show_lost(interaction, anew=anew, note=note)
    except BaseException:
        lost.note(session, here.channel_id, interaction.user.id, before)
        raise
    if session in lost.unsure:
        lost.unsure.discard(session)
        note = MAY_BE_THERE
        if (shown := await find_shown_message(interaction, session)) is not None:
            interaction.client.links.note(session, shown, at_once=True)
            return await show_lost(interaction, anew=anew)
    if played.is_closed or interaction.client.links.of(played) != before:  # undone, or shown by another process
        return await show_lost(interaction, anew=anew, note=note)
    sides = {offer.side for offer in played.offers}
    others = {person.id for side, person in played.seats.items() if side in sides} - {FORGOTTEN, interaction.user.id}
    content = Sentences([note, *map(request_context.mention, others)])
    calling = request_context.mentions_of(others)
    await post_roll(interaction, played, anew=anew, was_lost=True, content=content or None, allowed_mentions=calling)
    return True


async def show_lost_too(answered: Answered) -> None:
    """After an answer, also post this person's lost card here, if any."""
    if answered.interaction.response.is_done():
        await show_lost(answered.interaction, anew=True)


async def tell_shown(interaction: Interaction, played: Played, *, is_taken_back: bool = False) -> None:
    """Publish that a roll is on a public card."""
    counts = await request_context.ruling_for(interaction, interaction.user.id)
    with request_context.in_channel_language(interaction):
        await interaction.client.bus.publish(CardShown(interaction, played, counts, is_taken_back))


async def update_card(interaction: Interaction, played: Played, *, is_taken_back: bool = False, **extra: Any) -> None:
    await show_in_place(interaction, played, **extra)
    await tell_shown(interaction, played, is_taken_back=is_taken_back)


async def show_in_place(interaction: Interaction, played: Played, **extra: Any) -> None:
    assert interaction.message is not None, "a message was pressed"  # noqa: S101 - states it
    with interaction.client.shown_plies.showing(interaction.message.id, played):
        await answer(interaction).update(**extra, **await current_message(interaction, played))


async def show_buttons(interaction: Interaction, played: Played, above: Sequence[Sequence[Component]] = ()) -> None:
    """Restore a roll's own buttons on its card, below the next-step buttons."""
    client, counts = interaction.client, await request_context.ruling_for(interaction, played.opened_by)
    shown = view(played, counts, cards.display_for(interaction, counts[settings.LOOK]), above)
    if (card := client.links.of(played)) is not None:  # if that fails, the old ones only say that they're out of date
        await try_edit(client, request_context.place(interaction), card, view=shown)


async def link_to_new(interaction: Interaction, old: int | None, new: int | None, was: Played | None = None) -> None:
    """Link an old card to its replacement, and remove its buttons; failures are harmless. ``was``: the roll it shows
    from now on, without a turn; None leaves it unchanged.
    """
    if old is None or new is None or old == new:
        return
    client, here, shown = interaction.client, request_context.place(interaction), dict[str, Any]()
    if was is not None and cards.may_embed(interaction):
        counts = await request_context.ruling_for(interaction, was.opened_by)
        card = short(replace(cards.card_of(was), turn=EMPTY, ahead="nobody"), was, ())
        shown = {"embed": cards.card_message(card, cards.display_for(interaction, counts[settings.LOOK]))["embed"]}
    with using_language(await request_context.language_at(client, here)):
        shown["content"] = translate(replaced_text(request_context.link(here, new)))
    await try_edit(client, here, old, view=None, **shown)


async def show_on_its_card(interaction: Interaction, played: Played) -> None:
    """Update a roll's card after a private press, linked; a card that can't be edited, or is unknown, is replaced."""
    here, client = request_context.place(interaction), interaction.client
    with request_context.in_channel_language(interaction):
        parts = await current_message(interaction, played)
    card = client.links.of(played)
    if card is not None and await try_edit(client, here, card, **as_edit(parts)):
        where = Text("Done. [Go to the card]({link})", link=Code(request_context.link(here, card)))
        await answer(interaction).update(content=where, view=None)
    else:
        await answer(interaction).update(content=Text("Done. The roll is on a new card."), view=None)
        shown = await interaction.followup.send(**parts, wait=True)
        client.links.note(played.session, shown.id)
    await tell_shown(interaction, played)


async def ask_roll(interaction: Interaction, new: components.NewRoll, title: Shown, fields: Iterable[Field]) -> None:
    """Open a form that declares a roll, with the game's words as fields."""
    if ONLY_READ in interaction.extras:
        raise DeclarationOnlyError
    await answer(interaction).ask(title, new, ruling.allowed_fields(await request_context.ruling(interaction), fields))


async def ask_rest(interaction: Interaction, new: components.NewRoll, texts: Mapping[str, str]) -> bool:
    """Open a roll's form with these known texts, if its game has one; whether it did."""
    form = GAMES[new.game].table.form
    if form is None:
        return False
    result = form(texts, await interaction.client.tables.pieces(request_context.place(interaction), new.game))
    if result is not None:
        await ask_roll(interaction, new, *result)
    return result is not None


async def ask_again(interaction: Interaction, new: components.NewRoll) -> None:
    """Reopen an ``ask_roll`` form with its texts. Raises ``NotOfferedError`` if it is gone."""
    if not await ask_rest(interaction, new, answer(interaction).refilled or {}):
        raise NotOfferedError(Text("This form can't be opened again."), Text("Type the command again."))


async def open_filled(interaction: Interaction, new: components.NewRoll, filled: Mapping[str, str]) -> None:
    """Start an ``ask_roll`` form's roll."""
    if new.secrecy is not None:
        answer(interaction).keep_private()
    typed: dict[str, object] = {**filled, **({new.flag: True} if new.flag else {})}
    opponent = None if new.opponent is None else await request_context.user_of(interaction, new.opponent)
    await open_typed(interaction, new.game, typed, opponent, secrecy=new.secrecy)


async def open_typed(
    interaction: Interaction, key: str, typed: Words, opponent: discord.abc.User | None = None, **more: Any
) -> None:
    """Start the roll of typed words, which may name people."""
    words, named = request_context.number_people(await request_context.with_mentions(interaction, typed))
    people = {number: await request_context.person_of(interaction, item) for number, item in named.items()}
    try:
        declared = await declare(interaction, key, words)
    except PlayerError as error:
        raise with_names(error, people) from None
    await open_roll(interaction, key, declared, opponent, named=people, **more)


async def show_card(interaction: Interaction, card: Card) -> None:
    """Show a card without buttons, which counts as below the board."""
    await answer(interaction).post(**cards.card_message(card, await cards.user_display(interaction)))
    count_card_below_board(interaction)


def count_card_below_board(interaction: Interaction) -> None:
    live = interaction.client.board_in(request_context.place(interaction).channel_id)
    if live is not None:
        live.below += 1


async def show_change(interaction: Interaction, card: Card) -> None:
    """Show a table change: publicly, or privately if the board shows it."""
    display = await cards.user_display(interaction)
    if interaction.client.board_in(request_context.place(interaction).channel_id) is not None:
        with request_context.in_user_language(interaction):
            await answer(interaction).post_private(**cards.card_message(card, display))
    else:
        await answer(interaction).post(**cards.card_message(card, display))


async def show_odds(
    interaction: Interaction, key: str, *question: object, buttons: Sequence[Component] = (), said: Sequence[Said] = ()
) -> None:
    """Answer a game's odds command; ``question``: for its ``count``. ``said``: each choice's words with its
    declaration, if they name pieces of the channel.
    """
    odds_card = GAMES[key].odds_answer
    explains = [explanation.explains(key)] if odds_card.explained else []
    below = [*buttons, *explains, *await odds_link.buttons(interaction, key, question, said)]
    parts = {"view": Components(below)} if below else {}
    await show_counted(interaction, partial(odds_card.count, *question), odds_card.draw, **parts)


async def show_counted(
    interaction: Interaction, count: Callable[[], Numbers], draw: Callable[[Numbers], Card], **parts: Any
) -> None:
    """Compute, draw, and show. ``count``: a ``partial``, as for ``WorkerPool``."""
    display = await cards.user_display(interaction)
    counted = await interaction.client.workers.run(count, asked_by=request_context.asker(interaction))
    shown = await asyncio.to_thread(lambda: cards.card_message(draw(counted), display))
    await answer(interaction).post(**shown, **parts)


def is_of_board(played: Played) -> bool:
    """Whether a roll is between a board's pieces, so that next steps exist."""
    return played.game.table.board is not None and bool(played.game.table.about(played.state))


def has_next(client: Client, here: Place, played: Played) -> bool:
    """Whether a roll's card has next steps: finished, of a board, and the newest such one. After a fully undone one,
    the previous roll's apply.
    """
    if not is_of_board(played) or played.is_waiting or played.is_hidden:
        return False
    newest = client.next_cards.get(here.channel_id)
    return newest is None or newest.session <= played.session


async def next_rows(client: Client, here: Place, played: Played) -> list[list[Component]]:
    """Return the buttons for the game's next steps, and for its board."""
    key = played.game.key
    controlled_game = board_controls.find_controlled({key: await client.tables.pieces(here, key)})
    live = client.board_in(here.channel_id)
    if controlled_game is None:
        return []
    board = request_context.link(here, live.kept.message_id) if live is not None else ""
    return board_controls.next_rows(played.session, controlled_game, board)


async def current_message(interaction: Interaction, played: Played) -> dict[str, Any]:
    """Return a roll's current message, by its opener's settings. The newest finished card has the next steps."""
    counts, here = await request_context.ruling_for(interaction, played.opened_by), request_context.place(interaction)
    luck = await cards.count_luck(interaction, played) if cards.has_luck(played, counts) else None
    display = cards.display_for(interaction, counts[settings.LOOK])
    display = await cards.painted_apart(interaction, cards.card_of(played), display)
    client = interaction.client
    above = await next_rows(client, here, played) if has_next(client, here, played) else ()
    parts = {**cards.card_message(roll_card(played, luck), display), "view": view(played, counts, display, above)}
    if counts[settings.LOOK] == cards.ANIMATED and played.is_new and "file" in parts:
        before = None if played.before is None else cards.card_in(played, played.before)
        parts = await cards.with_throw(parts, cards.card_of(played), before, request_context.allowance_of(interaction))
    if played.repeats is not None:
        first = interaction.client.links.of_session(played.repeats, played.repeats_message_id)
        line = translate(repeat_line(played.nth, request_context.link(here, first) if first else ""))
        parts["embed"].description = "\n".join(filter(None, (parts["embed"].description, line)))
    return parts


def repeat_line(nth: int, url: str) -> Text:
    """Return a link to the roll that this one repeats, if known; the first one has other values than that."""
    if nth == 1:
        line = Text("The last roll with other values")
        return Text("{line}: [previous roll]({url})", line=line, url=Code(url)) if url else line
    line = NTH[nth - 2] if nth - 2 < len(NTH) else Text("Roll {nth} with the same values", nth=nth)
    return Text("{line}: [previous roll]({url})", line=line, url=Code(url)) if url else line


def roll_card(played: Played, luck: RollLuck | None = None) -> Card:
    card = cards.card_of(played)
    if played.is_closed:
        card = replace(card, outcome=TAKEN_BACK, turn=EMPTY, below=EMPTY, ahead="nobody")
    return short(card, played, cards.notes(played, luck))


def short(card: Card, played: Played, notes: Sequence[Shown]) -> Card:
    """Limit a card to two lines under its dice; the rest is behind How?, once available. Some apps join footer lines,
    so the first ends with a period if a second follows. ``notes``: of only this roll (luck, typed dice, the seal), for
    the second line.
    """
    if not played.is_closed and not cards.has_how(played):
        return replace(card, trail=(), small=Sentences([card.small, *notes], " · "))
    ends = not card.below or not notes or english(card.below).endswith((".", "!", "?"))
    first = card.below if ends else ended(card.below)
    return replace(card, facts=(), trail=(), small=Sentences([first, Sentences(notes, " · ")], "\n"))


def view(
    played: Played,
    counts: ruling.Ruling = ruling.BUILT_IN,
    display: cards.Display | None = None,
    above: Sequence[Sequence[Component]] = (),
) -> Components:
    """Arrange buttons: next steps ``above``, choices, then Advice, Undo, and How? if there is room, then menus. Rare
    choices have their own menu. The first primary button is blue. A finished roll's offers precede next steps.
    """
    offers, display = ruling.allowed_offers(counts, played.offers), display or cards.Display()
    plain, lists, shared = group_offers(offers)
    ranked = [offer for offer in plain if offer.rank < ButtonRank.LAST]
    leads = [offer for offer in ranked if offer.is_awaited]
    follows = [offer for offer in ranked if offer.then is AfterOffer.FOLLOWS]  # before the game continues
    asked = [offer for offer in ranked if offer.rank is ButtonRank.LEADS]  # anyone's, and nobody is waited for
    leading = next(iter((*leads, *follows, *asked)), None)
    buttons = list[Component]()
    for offer in plain[:MAX_BUTTONS]:
        label, emoji = cards.with_people(offer.label, played), cards.emoji_of(offer.shows, display)
        style = discord.ButtonStyle.primary if offer is leading else discord.ButtonStyle.secondary
        buttons.append(cards.control(played, label, offer.key, style, emoji))
    selects = [select(offer, played, display) for offer in lists]
    if shared:
        seldom = [components.option(cards.with_people(offer.label, played), offer.key) for offer in shared]
        at = Address(played.session, played.ply, components.MORE)
        selects.append(components.select(Text("More"), at, seldom))
    more = further_buttons(played, counts)
    room = ROW * (ROW - len(selects) - len(above)) - len(buttons)
    if follows and above:
        first, room = components.rows(buttons), room - -len(buttons) % ROW
        shown = [*first, *above, *components.rows(more[: max(0, room)])]
    else:
        shown = [*above, *components.rows(buttons + more[: max(0, room)])]
    return Components(*shown, *([item] for item in selects))


def further_buttons(played: Played, counts: ruling.Ruling) -> list[Component]:
    """Return Advice, Undo, and How?"""
    result = [advice.button(played)] if cards.has_advice(played, counts) else []
    result += [cards.control(played, Text("Undo"), components.UNDO)] if cards.has_undo(played) else []
    return result + ([cards.control(played, explanation.LABEL, components.HOW)] if cards.has_how(played) else [])


def group_offers(offers: Sequence[Offer]) -> tuple[list[Offer], list[Offer], list[Offer]]:
    """Group offers into buttons, lists, and rare ones that share a list."""
    aside = [offer for offer in offers if offer.is_aside]
    lists = [offer for offer in offers if offer.options]
    is_short = len(aside) < 2 and not any(offer.then in (AfterOffer.OPTIONAL, AfterOffer.FOLLOWS) for offer in aside)
    if is_short or (len(lists) > 1 and len(aside) < 3):  # a list takes the room of five buttons
        aside = []
    return [offer for offer in offers if not offer.options and not (offer.is_aside and aside)], lists, aside


def select(offer: Offer, played: Played, display: cards.Display) -> Component:
    pick = offer.asks
    assert isinstance(pick, Pick), "it is a list"  # noqa: S101 - states how this is called
    options = components.options(pick.options, display.emoji)
    at = Address(played.session, played.ply, offer.key)
    return components.select(offer.label, at, options, pick.least, pick.most)


def replaced_text(where: str) -> Text:
    return Text("This card was replaced. [Go to the new one]({where})", where=Code(where))
