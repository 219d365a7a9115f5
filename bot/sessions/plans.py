"""Players' private plans: chosen, fixed by a commitment, opened place by place. See ``bot.rules.plans``.

Choices are stored and shown to nobody. Becoming ready and opening a place are ordinary table steps: stored before they
are shown, counted once, and undone like seen dice.
"""

import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.fair.plans import SALT_BYTES, root
from bot.games import GAMES
from bot.rules import plans
from bot.rules.dice import Rng
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import OF, Choice, find_offer
from bot.rules.name import without_mentions
from bot.rules.pieces import BoardChange
from bot.rules.plans import MAX_CHOICE, Commitment, Leaf, PlanEvent, PlanForm, Planning, commitments, sheet_of
from bot.rules.text import EMPTY, Name, Names, Shown, Text
from bot.sessions import codec, openings, pieces
from bot.sessions.events import PiecesChanged, PrivateStateStored, Tell
from bot.sessions.matches import Replay
from bot.sessions.openings import hashes_of
from bot.sessions.request import Request
from bot.sessions.tables import Change, RolledChange, Tables
from bot.store import pieces as rows
from bot.store.database import Database

NO_PLANS: Final = Text("This game has no private plans.")


class IncompletePlanError(PlayerError):
    """A player is about to be ready with some places unchosen, which is allowed."""

    def __init__(self, places: Collection[str]) -> None:
        self.places = tuple(places)
        names = Names([Name(place) for place in self.places])
        super().__init__(Text("You haven't planned anything for {names} yet, so nothing is locked in.", names=names))


@dataclass(frozen=True, slots=True)
class Planned:
    """A player's own plans, private: the questions, and the choices so far, by place. ``fixed``: the current
    commitment; None before they are ready. ``is_changed``: they have chosen something else since.
    """

    asked: PlanForm
    chosen: Mapping[str, str]
    fixed: Commitment | None = None
    is_changed: bool = False


class Plans:
    """The plans of one database. Every method raises ``StoreError`` where the database fails."""

    def __init__(self, database: Database, tables: Tables, tell: Tell) -> None:
        self._database, self._tables, self._tell = database, tables, tell

    async def look(self, request: Request, game: str, sheet: str = "") -> Planned:
        """Return a person's own current plans. Raises ``PlayerError`` if they have nothing to plan now."""
        return await self._database.run(self._read_plans, request, game, sheet)

    async def choose(self, request: Request, game: str, chosen: Mapping[str, str], sheet: str = "") -> Planned:
        """Store choices by place, "" for none; the others stay. Raises ``PlayerError``; then nothing is stored."""
        # One character above the limit, so that a longer text is rejected, not cut to fit.
        chosen = {of: str(without_mentions(choice, MAX_CHOICE + 1)) for of, choice in chosen.items()}

        async def keep(connection: AsyncConnection) -> Planned:
            table = await pieces.table(connection, request.place.channel_id, game)
            planning, mine = planning_of(game), await self._player(connection, request, table)
            asked = planning.plan_form(table, mine.id, sheet)
            for of, choice in chosen.items():
                if len(choice) > MAX_CHOICE:
                    allowed = Text("Use at most {most} characters.", most=MAX_CHOICE)
                    raise BadInputError(of, choice[:MAX_CHOICE], allowed)
                if choice:
                    planning.check(table, mine.id, asked, of, choice)
            where = (request.place.channel_id, mine.id, game, asked.sheet)
            held = await rows.draft(connection, *where)
            known: dict[str, str] = codec.read_plain(held) if held else {}
            body = codec.write_plain({of: choice for of, choice in {**known, **chosen}.items() if choice})
            kept = self._row(request, mine, game, asked.sheet, body)
            await rows.keep_sheet(connection, kept, is_known=held is not None)
            return await self._read_plans(connection, request, game, sheet, table)

        planned = await self._database.run(keep)
        await self._tell(PrivateStateStored(request))
        return planned

    async def fix_plan(self, request: Request, game: str, sheet: str = "", *, anyway: bool = False) -> PiecesChanged:
        """Fix a person's choices with a commitment, as a step.

        Raises ``IncompletePlanError`` unless ``anyway``. A player may become ready again while the game asks: the new
        commitment names the one it replaces.
        """

        async def prepare(connection: AsyncConnection, table: Mapping[str, Any]) -> RolledChange:
            planned, planning = await self._read_plans(connection, request, game, sheet, table), planning_of(game)
            asked, mine = planned.asked, await self._player(connection, request, table)
            left = [place.of for place in asked.places if place.is_needed and place.of not in planned.chosen]
            if left and not anyway:
                raise IncompletePlanError(left)
            chosen = ((place.of, planned.chosen.get(place.of, "")) for place in asked.places)
            salted = [Leaf(of, choice, secrets.token_hex(SALT_BYTES)) for of, choice in chosen]
            fixed = Commitment(
                name=asked.name,
                owner=mine.id,
                sheet=asked.sheet,
                of=tuple(leaf.of for leaf in salted),
                root=root(mine.id, asked.sheet, hashes_of(salted)),
                replaces=planned.fixed.root if planned.fixed is not None else "",
            )
            body = codec.write_plain([[leaf.of, leaf.choice, leaf.salt] for leaf in salted])
            row = replace(self._row(request, mine, game, asked.sheet, body), root=fixed.root)
            await rows.keep_sheet(connection, row, is_known=False)

            def change(now: Mapping[str, Any], rng: Rng) -> BoardChange:
                done = planning.finish_planning({**now, fixed.name: fixed}, fixed, rng)
                return replace(done, changes={fixed.name: fixed, **done.changes})

            return change

        return await self._tables.prepared_step(request, game, prepare, of=(), offer=codec.READY)

    async def open(
        self, request: Request, game: str, of: str, filled: Mapping[str, str] | None = None, *, by_rule: bool = False
    ) -> PiecesChanged:
        """Open a place, as a step that shows its choice and random bytes; see ``openings.rule_for`` for permissions.

        ``by_rule``: the game opens it, not the person; no-op if it is open. ``filled``: the form's values. A place on
        no sheet has no stored values: the game decides what follows. Raises ``PlayerError``.
        """

        async def prepare(connection: AsyncConnection, table: Mapping[str, Any]) -> RolledChange:
            planning, fixed = planning_of(game), sheet_of(table, of)
            shown, changes = None, dict[str, Any]()
            opens.clear()
            if fixed is None and by_rule:
                return lambda _, __: BoardChange({}, EMPTY)
            if fixed is not None:
                whose = fixed.holder(of), of if of in table else fixed.name
                rule: openings.Rule = "game" if by_rule else await self._rule(connection, request, *whose)
                held = await rows.sheets_of(connection, request.place.channel_id, [fixed.root])
                if fixed.root in held:  # a forgotten person has no plans anymore
                    opens.append(openings.open_places(fixed, leaves_of(held[fixed.root]), [of], rule))
                    shown, changes = opens[0].shown[0], {fixed.name: opens[0].sheet}

            def change(now: Mapping[str, Any], rng: Rng) -> BoardChange:
                done = planning.reveal_place({**now, **changes}, of, shown, filled or {}, rng)
                return replace(done, changes={**changes, **done.changes})

            return change

        opens, about = list[openings.PlanOpening](), () if by_rule else (of,)
        return await self._tables.prepared_step(request, game, prepare, of=about, offer=codec.REVEAL, opens=opens)

    async def _rule(self, connection: AsyncConnection, request: Request, number: int, name: str) -> openings.Rule:
        """Return the rule by which a person may open a player's places. Raises ``NotYourPieceError``."""
        return openings.rule_for(number, name, await rows.players_of(connection, request.place.channel_id), request)

    async def open_due(self, request: Request, game: str, event: PlanEvent) -> None:
        """Open what the game opens after an action. If a crash prevents it, the owner or the next event opens it."""
        if (due := GAMES[game].table.due) is None:
            return
        table, places, own = await self._database.run(closed_places, request, game)
        for of in list(due(table, places, own, event)) if places else ():
            await self.open(replace(request, interaction_id=None), game, of, by_rule=True)

    async def open_sheets(
        self, request: Request, game: str, roots: Collection[str], then: Change, what: Shown
    ) -> PiecesChanged:
        """Open whole sheets and apply what follows, in one step. Sheets without stored values leave."""

        async def prepare(connection: AsyncConnection, table: Mapping[str, Any]) -> RolledChange:
            held = await rows.sheets_of(connection, request.place.channel_id, roots)
            there = [plan for plan in commitments(table).values() if plan.root in roots]
            kept = [(plan, leaves_of(held[plan.root])) for plan in there if plan.root in held]
            opens[:] = [openings.open_places(plan, leaves, plan.closed_places, "game") for plan, leaves in kept]
            opened: dict[str, Any] = dict.fromkeys(plan.name for plan in there)
            opened |= {opening.sheet.name: opening.sheet for opening in opens}
            return lambda now, _: BoardChange({**opened, **then({**now, **opened})}, what)

        opens = list[openings.PlanOpening]()
        return await self._tables.prepared_step(request, game, prepare, of=(), offer=codec.REVEAL, opens=opens)

    async def open_match(self, request: Request, match: Replay) -> tuple[Commitment, ...]:
        """Open a match's closed places that this person may open; return the sheets that are open now.

        Players open their own; a neutral GM opens those of players who left. Once a game has a winner and the last
        plans of both sides were shown, any player opens all of it. Raises ``PlayerError``.
        """
        if not match.has_ended:
            raise PlayerError("This match isn't over. Hidden plans can be revealed once someone has won.")
        opened = list[Commitment]()
        for game in dict.fromkeys(sheet.game for sheet in match.sheets):
            closed = [
                sheet.commitment for sheet in match.sheets if sheet.game == game and sheet.commitment.closed_places
            ]
            if closed:
                is_settled = match.has_winner(game) and openings.is_all_open(match.sheets, game)
                known = [sheet.commitment for sheet in match.sheets]
                opened += await self._open_rest(request, game, known, closed, is_settled=is_settled)
                request = replace(request, interaction_id=None)  # the interaction must count once
        return tuple(opened)

    async def _open_rest(
        self,
        request: Request,
        game: str,
        known: Sequence[Commitment],
        closed: Sequence[Commitment],
        *,
        is_settled: bool,
    ) -> list[Commitment]:

        async def prepare(connection: AsyncConnection, table: Mapping[str, Any]) -> RolledChange:
            if is_settled:
                pieces.check_player(known, await rows.players_of(connection, request.place.channel_id), request)
            held = await rows.sheets_of(connection, request.place.channel_id, [item.root for item in closed])
            opens.clear()
            for plan in closed:
                rule: openings.Rule = "agreed"
                try:
                    await self._rule(connection, request, plan.owner, plan.name)
                except pieces.NotYourPieceError:
                    rule = "end"
                if plan.root in held and (rule == "agreed" or is_settled):
                    opens.append(openings.open_places(plan, leaves_of(held[plan.root]), plan.closed_places, rule))
            now = {opening.sheet.root: opening.sheet for opening in opens}
            changes = {name: now[item.root] for name, item in commitments(table).items() if item.root in now}
            names = Names([plans.sheet_text(opening.sheet.sheet) for opening in opens])
            what = Text("reveals what was planned in this match: {names}", names=names)
            return lambda _, __: BoardChange(changes, what)

        opens = list[openings.PlanOpening]()
        await self._tables.prepared_step(request, game, prepare, of=(), offer=codec.REVEAL, opens=opens)
        return [opening.sheet for opening in opens]

    async def peek_at(self, request: Request, game: str, choice: Choice, by: str) -> Leaf:
        """Return a closed place's plan to this person only: an offer lets the piece ``by`` look at it. Looking is a
        public step; the same person may look again. Raises ``PlayerError``, also for a GM who plays another side.
        """
        leafs, of, board = list[Leaf](), (choice.filled or {})[OF], GAMES[game].table.board

        async def prepare(connection: AsyncConnection, table: Mapping[str, Any]) -> RolledChange:
            fixed, mine = sheet_of(table, of), await self._player(connection, request, table)
            await self._rule(connection, request, table[by].owner, by)
            if board is not None:  # of two presses at once, the second finds what the first has seen
                find_offer(board.controls.offers(table, by), choice)
            held = await rows.sheets_of(connection, request.place.channel_id, [fixed.root]) if fixed else {}
            if fixed is None or fixed.root not in held:
                raise PlayerError("Nothing hidden is planned for {of}. Pick another one.", of=Name(of))
            leafs.append(openings.open_places(fixed, leaves_of(held[fixed.root]), [of], "game").shown[0])
            looked = tuple(dict.fromkeys((*fixed.looked, (of, mine.id))))
            what = Text("looks at the plan for {of}, using {by}", of=Name(of), by=Name(by))
            return lambda _, __: BoardChange({fixed.name: replace(fixed, looked=looked)}, what)

        await self._tables.prepared_step(request, game, prepare, of=(by,), offer=codec.REVEAL)
        return leafs[-1]

    async def sheets(self, channel_id: int, roots: Collection[str]) -> dict[str, tuple[Leaf, ...]]:
        """Return all places of fixed sheets, by commitment, for a step that opens them."""
        result = await self._database.run(rows.sheets_of, channel_id, roots)
        return {at: leaves_of(sheet) for at, sheet in result.items()}

    async def _player(self, connection: AsyncConnection, request: Request, table: Mapping[str, Any]) -> rows.Player:
        known = await rows.players_of(connection, request.place.channel_id)
        mine = next((player for player in known.values() if player.person_id == request.by.id), None)
        if mine is None:
            pieces.check_player(table.values(), known, replace(request, is_gm=False))
            raise PlayerError("There's nothing to plan here yet. Add your pieces first.")
        return mine

    async def _read_plans(
        self,
        connection: AsyncConnection,
        request: Request,
        game: str,
        sheet: str,
        known: Mapping[str, Any] | None = None,
    ) -> Planned:
        """Return a person's own plans; ``known``: the game's pieces, if already read."""
        planning = planning_of(game)
        table = known if known is not None else await pieces.table(connection, request.place.channel_id, game)
        mine = await self._player(connection, request, table)
        asked = planning.plan_form(table, mine.id, sheet)
        places = {place.of for place in asked.places}
        held = await rows.draft(connection, request.place.channel_id, mine.id, game, asked.sheet)
        drafted: dict[str, str] = codec.read_plain(held) if held else {}
        chosen = {of: choice for of, choice in drafted.items() if of in places}
        fixed = table.get(asked.name)
        if not isinstance(fixed, Commitment) or fixed.sheet != asked.sheet:
            return Planned(asked, chosen)
        stored = await rows.sheets_of(connection, request.place.channel_id, [fixed.root])
        leaves = leaves_of(stored[fixed.root]) if fixed.root in stored else ()
        return Planned(asked, chosen, fixed, {leaf.of: leaf.choice for leaf in leaves if leaf.choice} != chosen)

    def _row(self, request: Request, mine: rows.Player, game: str, sheet: str, body: str) -> rows.PlanSheet:
        place = request.place
        return rows.PlanSheet(place.channel_id, place.guild_id, mine.id, game, sheet, body, None, int(time.time()))


def planning_of(game: str) -> Planning:
    """Return a game's way to plan. Raises ``PlayerError`` for a game without plans."""
    planning = GAMES[game].table.planning if game in GAMES else None
    if planning is None:
        raise PlayerError(NO_PLANS)
    return planning


async def closed_places(
    connection: AsyncConnection, request: Request, game: str
) -> tuple[Mapping[str, Any], list[str], dict[str, str]]:
    """Return a game's pieces, its closed places, and this person's choices there."""
    table = await pieces.table(connection, request.place.channel_id, game)
    closed = [plan for plan in commitments(table).values() if plan.closed_places]
    known = await rows.players_of(connection, request.place.channel_id)
    mine = [plan for plan in closed if plan.owner in known and known[plan.owner].person_id == request.by.id]
    held = await rows.sheets_of(connection, request.place.channel_id, [plan.root for plan in mine])
    sheets = ((plan, leaves_of(held[plan.root])) for plan in mine if plan.root in held)
    own = {leaf.of: leaf.choice for plan, leaves in sheets for leaf in leaves if leaf.of in plan.closed_places}
    return table, [of for plan in closed for of in plan.closed_places], own


def leaves_of(row: rows.PlanSheet) -> tuple[Leaf, ...]:
    return tuple(Leaf(*item) for item in codec.read_plain(row.body))
