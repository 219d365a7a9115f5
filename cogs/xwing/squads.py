"""X-Wing squads: pasted into a form or command, or attached as a file; every pilot becomes a ship."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, Final, Literal

import discord

from bot.client import Interaction
from bot.odds.size_limit import check
from bot.render import table as table_card
from bot.render.xwing.fleet import step as step_card
from bot.render.xwing.squad import question_card, squad_card
from bot.resources.worker_pool import UploadedFile
from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.game import Field, Option
from bot.rules.pieces import BoardChange
from bot.rules.plans import Commitment
from bot.rules.text import EMPTY, N_, Code, Name, Names, Shown, Text, ended, joined
from bot.rules.xwing import KEY
from bot.rules.xwing.cards.card_sets import Source, source
from bot.rules.xwing.table import match as matches, planning
from bot.rules.xwing.table.match import MATCH, Changes, Match, PlayerSide, Table, match_of, owners_of, ships_of
from bot.rules.xwing.table.ship import Fleet, Ship, apply_piece_changes, from_card, join_all, remove_ships
from bot.rules.xwing.table.squad import EXAMPLE, START, Squad, parse_with
from bot.ruleset.settings import find as find_setting
from bot.sessions import codec, events
from bot.sessions.request import Request
from bot.ui.core import uploads
from bot.ui.core.card_messages import card_message, embed, user_display
from bot.ui.core.components import AnswerAddress, yes_or_no
from bot.ui.core.request_context import clean, escape_markdown, person, place, request, ruling
from bot.ui.core.responses import StepAnswered, answer, try_edit
from bot.ui.roll.roll_message import show_change
from bot.ui.table import board, board_actions
from cogs.xwing.cards import card_sets
from cogs.xwing.options import owner_names, pieces, ruleset_of

PASTE: Final = AnswerAddress("squad", "paste")
PASTE_AS: Final[Mapping[PlayerSide, AnswerAddress]] = {
    "first": AnswerAddress("squad", "pastefirst"),
    "second": AnswerAddress("squad", "pastesecond"),
}
"""Ids of the form for a person who has chosen a side."""
FIRST: Final = AnswerAddress("side", "first")
SECOND: Final = AnswerAddress("side", "second")
PLAYS: Final = find_setting("xwing_dials")
DIALS: Final[Mapping[Literal["on", "off"], AnswerAddress]] = {
    "on": AnswerAddress("dials", "on"),
    "off": AnswerAddress("dials", "off"),
}
REPLACE: Final = AnswerAddress("squad", "replace")
ADD: Final = AnswerAddress("squad", "add")
MAX_WAITING: Final = 1000
"""Maximum squads waiting for an answer, over all channels; the oldest is dropped and must be pasted again."""
FIELD: Final = Field("xws", Text("Your squad: XWS, or its text list"), Code(EXAMPLE), longest=4000, lines=True)
KEEP: Final = (Option("closed", Text("Keep mine hidden"), Text("then both are revealed together")),)
CLOSED: Final = Field("closed", Text("Until the other squad is here"), required=False, options=KEEP, several=True)


async def ask(interaction: Interaction, at: AnswerAddress = PASTE) -> None:
    await answer(interaction).ask(Text("Your squad"), at, [FIELD, CLOSED])


async def submit_squads(interaction: Interaction, at: AnswerAddress, filled: Mapping[str, str]) -> None:
    side = next((side for side, paste in PASTE_AS.items() if paste == at), None)
    brings = bring_closed_squads if filled.get(CLOSED.key) else bring_squads
    await brings(interaction, filled.get(FIELD.key, ""), side)


async def ask_or_take(interaction: Interaction, side: PlayerSide | None) -> None:
    """Handle a side without a squad: a person with ships here takes it; anybody else is asked for a squad."""
    by, tables, owners = person(interaction.user), interaction.client.tables, owners_of(await pieces(interaction))
    number = await board_actions.number_here(interaction)
    if side is None or number not in owners:
        await ask(interaction, PASTE if side is None else PASTE_AS[side])
        return

    def change(table: Table) -> Changes:
        return {MATCH: matches.choose_side(match_of(table), number, side, owners_of(table))}

    step = await tables.step(await request(interaction), KEY, IS[side][0], change, of=())
    message = N_("{player} is the first player.") if side == "first" else N_("{player} is the second player.")
    outcome = Text(message, player=clean(by.name))
    await show_change(interaction, step_card(outcome, ships_of(step.before), ships_of(step.after), Text("players")))


IS: Final[Mapping[PlayerSide, tuple[Text, Text]]] = {
    "first": (Text("is the first player"), Text("plays on the side of the first player")),
    "second": (Text("is the second player"), Text("plays on the side of the second player")),
}
"""Sentences about the side a person takes, alone or with another player."""


@dataclass(frozen=True, slots=True)
class PendingSquads:
    """A person's pasted squads, the side they want, and the message that asks about them."""

    squads: tuple[Squad, ...]
    side: PlayerSide | None
    card: int | None = None


async def bring_squads(interaction: Interaction, given: str | UploadedFile, side: PlayerSide | None = None) -> None:
    """Put a person's squads on the table; they own them, and play ``side``.

    A person with ships here is first asked whether to replace them. A match begins with the first squad. Raises
    ``PlayerError`` for anything that isn't a squad.
    """
    new = await parsed(interaction, given, side)
    here, client = place(interaction), interaction.client
    owner = await client.tables.player(here, person(interaction.user))
    table = await client.tables.pieces(here, KEY)
    mine = ships_by(table, owner.id)
    if not mine:
        await place_squads(interaction, {owner.id: new}, planning.closed_squads(table))
        return
    waiting, key = client.waiting_squads, (here.channel_id, interaction.user.id)
    waiting.pop(key, None)
    waiting[key] = new
    if len(waiting) > MAX_WAITING:
        del waiting[next(iter(waiting))]
    view = yes_or_no(REPLACE, Text("Replace mine"), ADD, Text("Add to mine"), discord.ButtonStyle.primary)
    card = question_card(new.squads, list(mine))
    posted = await answer(interaction).post(**card_message(card, await user_display(interaction)), view=view)
    if waiting.get(key) is new:  # no other paste came meanwhile
        waiting[key] = replace(new, card=posted)


async def parsed(interaction: Interaction, given: str | UploadedFile, side: PlayerSide | None) -> PendingSquads:
    """Parse the squads of a paste or a file. Raises ``PlayerError``."""
    sources = [source(card_set) for card_set in await card_sets(interaction)]
    return PendingSquads(await uploads.read(interaction, partial(read_squads, sources), given), side)


NAMED_PARTS: Final = re.compile(r"[\n,;+]")
MAX_AT_ONCE: Final = 60
"""Maximum parts of a text list parsed in this process: each may be compared with all card names."""


def read_squads(sources: Sequence[Source], text: str) -> tuple[Squad, ...]:
    """Parse squads. What this process reads of a text of any length costs under 100,000 steps."""
    if START.search(text) is None:
        check(len(text) // 25 + len(NAMED_PARTS.findall(text)), MAX_AT_ONCE)
    return parse_with(sources, text)


async def bring_closed_squads(interaction: Interaction, given: str, side: PlayerSide | None) -> None:
    """Keep a squad closed until the other player's arrives. Raises ``PlayerError`` for invalid squads."""
    new = await parsed(interaction, given, side)
    client, asked = interaction.client, await request(interaction)
    owner = await client.tables.player(place(interaction), person(interaction.user))
    table = await client.tables.pieces(place(interaction), KEY)
    closed = planning.closed_squads(table)
    if {ship.owner for ship in ships_of(table).values()} - {0, owner.id} or {plan.owner for plan in closed} - {
        owner.id
    }:
        await place_squads(interaction, {owner.id: new}, closed)  # nothing left to wait for
        return
    place_ = planning.squad_form(table, owner.id).places[0].of
    sheet = {place_: codec.write_plain({"text": given, "side": side})}
    await client.plans.choose(asked, KEY, sheet, planning.ADD_SQUAD)
    stepped = await client.plans.fix_plan(asked, KEY, planning.ADD_SQUAD)
    closed = planning.closed_squads(stepped.after)
    message = N_("{player}'s squad is here. It will be revealed together with the other one.")
    told = Text(message, player=clean(interaction.user.display_name))
    small = Text("Fingerprint: {root}", root=Name(next(plan.root for plan in closed if plan.owner == owner.id)))
    await answer(interaction).post(embed=embed(table_card.notice(told, small=small)))
    if len({plan.owner for plan in closed}) > 1:  # they arrived at the same moment
        await place_squads(interaction, {}, closed)


async def place_squads(
    interaction: Interaction, new: Mapping[int, PendingSquads], closed: Sequence[Commitment]
) -> None:
    """Put squads on the table and open closed ones, in one step; a new one replaces the player's closed one."""
    client, here = interaction.client, place(interaction)
    closed = [plan for plan in closed if plan.owner not in new]
    sheets = await client.plans.sheets(here.channel_id, [plan.root for plan in closed])
    held = {plan.owner: codec.read_plain(sheets[plan.root][0].choice) for plan in closed if plan.root in sheets}
    try:
        opened = {owner: await parsed(interaction, item["text"], item["side"]) for owner, item in held.items()}
    except PlayerError:  # its message would quote an unseen squad
        raise PlayerError(Text("A hidden squad here can't be read anymore. Its player must add it again.")) from None
    asked = await request(interaction)
    step = await put_squads(
        interaction, {**new, **opened}, asked if new else replace(asked, interaction_id=None), closed
    )
    for owner, pending_squads in new.items():
        await show(interaction, pending_squads, step, owner)
    for owner, pending_squads in opened.items():
        card = squad_card(pending_squads.squads, *fleets_of(step, owner))
        await answer(interaction).add(**card_message(card, await user_display(interaction)))
    if opened and await board.BOARD.find(client, here.channel_id) is None:
        await board.BOARD.post(interaction, after_answer=True)


def fleets_of(step: events.PiecesChanged, owner: int) -> tuple[Fleet, Fleet]:
    """Return a person's ships before and after a step that added several people's."""
    before, now = ships_of(step.before), ships_of(step.after)
    return before, {name: ship for name, ship in now.items() if name in before or ship.owner == owner}


async def handle_answer(interaction: Interaction, at: AnswerAddress) -> None:
    """Apply an owner's answer about their earlier ships. Raises ``PlayerError`` for others."""
    here, by, waiting = place(interaction), person(interaction.user), interaction.client.waiting_squads
    key, pressed = (here.channel_id, by.id), interaction.message.id if interaction.message is not None else None
    new: PendingSquads | None = waiting.get(key)
    if new is None or new.card not in (None, pressed):
        raise PlayerError(
            "Only the person who pasted this squad can answer that, and only once. If that was you, paste it again."
        )
    del waiting[key]  # before any await: a second simultaneous press finds nothing
    try:
        owner = await interaction.client.tables.player(here, by)
        step = await put_squads(interaction, {owner.id: new}, await request(interaction), replaces=at == REPLACE)
    except BaseException:
        waiting.setdefault(key, new)
        raise
    await show(interaction, new, step, owner.id)


async def put_squads(
    interaction: Interaction,
    brought: Mapping[int, PendingSquads],
    asked: Request,
    closed: Sequence[Commitment] = (),
    *,
    replaces: bool = False,
) -> events.PiecesChanged:
    """Put squads on the table, with ``replaces`` in place of their owners' ships, and open the ``closed`` ones."""
    named = Names([squad.name for new in brought.values() for squad in new.squads])
    what = Text("adds {squads}", squads=named)
    if replaces:
        what = Text("replaces the previous ships with {squads}", squads=named)
    elif closed:
        what = Text("reveals the hidden squads: {squads} join the table", squads=named)

    plays = (await ruling(interaction))[PLAYS]
    match = Match(ruleset=await ruleset_of(interaction), dials=plays if plays in DIALS else "")
    change = partial(arrival_changes, brought=brought, match=match, replaces=replaces)
    client = interaction.client
    if roots := [plan.root for plan in closed]:
        return await client.plans.open_sheets(asked, KEY, roots, change, what)
    # Only their own ships change; other ships' broken locks are consequences.
    return await client.tables.step(asked, KEY, what, change, of=())


def arrival_changes(table: Table, *, brought: Mapping[int, PendingSquads], match: Match, replaces: bool) -> Changes:
    """Return the changes when squads join the table. ``match``: the one that begins if there is none yet."""
    fleet = ships_of(table)
    gone = remove_ships(fleet, [name for owner in brought for name in ships_by(table, owner)]) if replaces else {}
    match = match_of(table) or match
    ships = list[Ship]()
    for owner, new in brought.items():
        if new.side is not None:
            match = matches.choose_side(match, owner, new.side, {*owners_of(table), *brought})
        size = max([match.score.size, *(squad.size for squad in new.squads)])  # 0 if unspecified
        match = replace(match, score=replace(match.score, size=size))
        ships += [from_card(card, owner) for squad in new.squads for card in squad.pilots]
    given_up = {plan.name: None for plan in planning.closed_squads(table) if plan.owner in brought}
    return {**gone, **given_up, **join_all(apply_piece_changes(fleet, gone), ships), MATCH: match}


def ships_by(table: Table, owner: int) -> dict[str, Ship]:
    return {name: ship for name, ship in ships_of(table).items() if ship.owner == owner and not ship.is_remote}


async def show(interaction: Interaction, new: PendingSquads, step: events.PiecesChanged, owner: int) -> None:
    """Show a squad's result, and an open question about the player's side; then the board."""
    here, client = place(interaction), interaction.client
    labels = side_labels(step.after, owner, await owner_names(client, here))
    view = yes_or_no(FIRST, labels[0], SECOND, labels[1], discord.ButtonStyle.secondary) if all(labels) else None
    parts = card_message(squad_card(new.squads, *fleets_of(step, owner)), await user_display(interaction))
    if view is None and asks_for_dials(step):
        parts["content"] = Text("Play with dials? You set them in secret, and I reveal them in order.")
        on, off = Text("Play with dials"), Text("Play without dials")
        view = yes_or_no(DIALS["on"], on, DIALS["off"], off, discord.ButtonStyle.secondary)
    if interaction.type is discord.InteractionType.component:
        await answer(interaction).update(**parts, view=view)
        posted = interaction.message.id if interaction.message is not None else None
    else:
        posted = await answer(interaction).post(**parts | ({"view": view} if view is not None else {}))
    if all(labels) and posted is not None:
        client.side_questions.setdefault(here.channel_id, []).append(posted)
    if len(owners_of(step.after)) > 1 and await board.BOARD.find(client, here.channel_id) is None:
        await board.BOARD.post(interaction, after_answer=True)


def asks_for_dials(step: events.PiecesChanged) -> bool:
    """Whether a step added the second player's ships while the use of dials is undecided."""
    match = match_of(step.after)
    is_open = match is not None and match.dials == "" and match.round == 1
    return is_open and len(owners_of(step.before)) < 2 <= len(owners_of(step.after))


async def choose_dials(interaction: Interaction, at: AnswerAddress) -> None:
    """Store whether this match uses dials, and remove the question. The board can change it later."""
    word = next(word for word, answer_address in DIALS.items() if answer_address == at)

    def change(table: Table, _: Rng) -> BoardChange:
        match = match_of(table)
        if match is None or match.dials:
            raise PlayerError(Text("That's already decided. You can change it on the board."))
        return planning.with_dials(table, word)

    try:
        asked = await request(interaction)
        await interaction.client.tables.roll_step(asked, KEY, change, of=(), by_player=True, rolls=False)
    finally:
        await answer(interaction).update(**squad_card_without(interaction), view=None)


def squad_card_without(interaction: Interaction) -> dict[str, Any]:
    """Return the pressed squad card without its question, as text if it was text."""
    pressed = interaction.message
    if pressed is None or not pressed.embeds:
        return {"content": pressed and pressed.content}
    return {"content": None, "embed": pressed.embeds[0]}


def side_labels(table: Table, player: int, names: Mapping[int, Shown]) -> tuple[Text, Text]:
    """Return the labels of both sides for a person; ("", "") if decided."""
    match, are_two = match_of(table), len(owners_of(table)) < 3
    if match is None or match.chooses or (are_two and (match.is_ordered or match.ruleset == "2.5")):
        return EMPTY, EMPTY  # under 2.5, dice decide once both squads are here
    if not match.is_ordered:
        return Text("I'm the first player"), Text("I'm the second player")
    if player in chain(*match.sides):
        return EMPTY, EMPTY
    every = ships_of(table).values()
    sides = [(matches.side_of(match, ship), names.get(ship.owner, EMPTY)) for ship in every if ship.owner != player]
    first, second = (Names(filter(None, dict.fromkeys(name for side, name in sides if side == item))) for item in IS)
    text = Text("I'm on {first}'s side" if first else "I'm on the first player's side", first=first)
    return text, Text("I'm on {second}'s side" if second else "I'm on the second player's side", second=second)


async def follow(fact: StepAnswered) -> None:
    """After a step on the channel's ships, remove questions that it has answered."""
    if fact.game == KEY:
        await drop_questions(fact.interaction, fact.stepped.after)


async def drop_questions(interaction: Interaction, table: Table, also: discord.Message | None = None) -> None:
    """Once the player order is decided, remove the question from all squad cards, and from ``also``."""
    match, here = match_of(table), place(interaction)
    if match is None or not match.is_ordered or len(owners_of(table)) > 2:
        return
    for card in interaction.client.side_questions.pop(here.channel_id, []):
        if interaction.message is None or card != interaction.message.id:  # a press changes its own card
            await try_edit(interaction.client, here, card, view=None)
    if also is not None:
        await try_edit(interaction.client, here, also.id, view=None)


async def choose(interaction: Interaction, at: AnswerAddress) -> None:
    """Store the side of a person with ships here, and remove the buttons."""
    side: PlayerSide = "first" if at == FIRST else "second"
    by, tables = person(interaction.user), interaction.client.tables
    players = await tables.players(place(interaction))
    player = board_actions.number_of(players, by.id)

    def change(table: Table, _: Rng) -> BoardChange:
        match, owners = matches.match_or_new(table), owners_of(table)
        if player not in owners:  # who only has a place in the turn order is a player of the channel too
            raise PlayerError(Text("You have no ships here. Add your squad with `/xwing squad` first."))
        if match.chooses not in (0, player):
            message = N_("{players} won the roll-off and chooses. The buttons are on the board.")
            raise PlayerError(Text(message, players=Name(players[match.chooses].name)))
        if match.is_ordered and (len(owners) < 3 or player in chain(*match.sides)):
            raise PlayerError(Text("That's already decided. To change it, use `/xwing squad` with `side`."))
        chosen = matches.choose_side(match, player, side, owners)
        alone, too = IS[side]
        return BoardChange({MATCH: chosen}, alone if player in (chosen.first, chosen.second) else too)

    try:
        stepped = await tables.roll_step(await request(interaction), KEY, change, rolls=False)
    except PlayerError:  # a card from before a restart may still ask
        await drop_questions(interaction, await pieces(interaction), also=interaction.message)
        raise
    sentence = ended(joined(Name(escape_markdown(clean(by.name))), stepped.what))
    await answer(interaction).update(**squad_card_without(interaction) | {"content": sentence}, view=None)
