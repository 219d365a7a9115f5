"""Opens secrets: which places of a sheet, by which ply and rule, are stored and public.

Everything that shows a secret (boards, match files, replays, pages) reads openings and infers nothing from a match's
state. An opening is permanent: an undone ply was still seen.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from bot.fair.plans import find_mismatch, leaf
from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.pieces import key
from bot.rules.plans import Commitment, Leaf, PlanEvent, commitments
from bot.rules.text import N_, Message, Text
from bot.sessions import codec
from bot.sessions.pieces import NotYourPieceError, player_of
from bot.sessions.request import Request
from bot.store.people import FORGOTTEN
from bot.store.pieces import Player

Rule = Literal["owner", "gm", "game", "agreed", "end"]
"""The opener of a secret: its player, a GM for them, the game's rules; after the match its player or a GM ("agreed"),
or that the last plans of both sides had been shown ("end").
"""
AFTERWARDS: Final[Collection[Rule]] = ("agreed", "end")
"""Openings that only a file shows, no board."""
NOT_KEPT: Final = Text(
    "This plan doesn't match its fingerprint, so it was changed after it was locked in. I won't "
    "reveal it; tell the bot's host."
)
PLAYS_TOO: Final = N_(
    "{piece} belongs to {holder}, so only {holder} can reveal it, or a GM who has never had pieces in this channel."
)

GIVES: Final = N_(
    "{piece} belongs to {holder}, so only {holder} can give it away, or a GM who has never had pieces in this channel."
)


@dataclass(frozen=True, slots=True)
class PlanOpening:
    """An opening of a sheet: the sheet after it, the newly opened places, the rule."""

    sheet: Commitment
    shown: tuple[Leaf, ...]
    rule: Rule

    @property
    def as_row(self) -> dict[str, object]:
        shown = codec.write_plain([[item.of, item.choice, item.salt] for item in self.shown])
        leaves = codec.write_plain(list(self.sheet.leaves))
        of = {"root": self.sheet.root, "player_id": self.sheet.owner, "rule": self.rule}
        return {**of, "leaves": leaves, "opened": shown}


def open_places(sheet: Commitment, leaves: Sequence[Leaf], places: Collection[str], rule: Rule) -> PlanOpening:
    """Open more places of a sheet. Raises ``PlayerError`` if the stored values do not fit the commitment."""
    shown = tuple(item for item in leaves if item.of in places)
    opened = replace(sheet, leaves=hashes_of(leaves), opened=(*sheet.opened, *shown))
    if len(shown) != len(places) or find_mismatch(commitment_json(opened)):
        raise PlayerError(NOT_KEPT)
    return PlanOpening(opened, shown, rule)


def rule_for(
    number: int, name: str, players: Mapping[int, Player], request: Request, message: Message = PLAYS_TOO
) -> Rule:
    """Return the rule by which somebody may open closed places: their own, or as a GM who is no player of the channel.

    Former owners are still players. A forgotten player could be any GM: while the channel has one besides the holder,
    no GM counts as neutral. ``number``: the owner's; ``name``: the piece or sheet. Raises ``NotYourPieceError`` with
    the ``message``.
    """
    holder = player_of(number, players)
    if holder is None or holder.person_id in (request.by.id, request.bot_id):
        return "owner"
    others = {player.person_id for player in players.values() if player is not holder}
    if request.is_gm and not others & {request.by.id, FORGOTTEN}:
        return "gm"
    raise NotYourPieceError(name, holder.name, message)


def sheets_given_away(
    before: Mapping[str, Any], changed: Mapping[str, Any | None], players: Mapping[int, Player], request: Request
) -> dict[str, Commitment]:
    """Return the sheets whose owner changes with a step that gives pieces away. The receiver sees all of a piece, so
    only those who may open its sheet may give it; raises ``NotYourPieceError`` for others.
    """
    given, there = dict[str, int](), {key(name): body for name, body in before.items()}
    for name, after in changed.items():
        was, now = (getattr(body, "owner", 0) for body in (there.get(key(name)), after))
        if was and after is not None and now != was:
            rule_for(was, name, players, request, GIVES)
            given[name] = now
    sheets = dict[str, Commitment]()
    for commitment in commitments(before).values() if given else ():
        with_it = {of: given[of] for of in commitment.closed_places if of in given}
        theirs = {of: new for of, new in with_it.items() if before[of].owner == commitment.holder(of)}
        if theirs:
            sheets[commitment.name] = replace(commitment, given=tuple({**dict(commitment.given), **theirs}.items()))
    return sheets


def check_due(
    game: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    about: Iterable[str],
    players: Mapping[int, Player],
    request: Request,
) -> None:
    """Check a step that is ``about`` some pieces: only those who may open their places cause an opening by rule. Raises
    ``NotYourPieceError``: a playing GM can't open the other side's places by changing its piece.
    """
    due, names = GAMES[game].table.due, {key(name) for name in about}
    sheets = commitments(before).values() if due is not None else ()
    closed = {of: sheet.holder(of) for sheet in sheets for of in sheet.closed_places if key(of) in names}
    for of in due(after, [*closed], {}, PlanEvent(before, after)) if due is not None and closed else ():
        rule_for(closed[of], of, players, request)


def hashes_of(leaves: Iterable[Leaf]) -> tuple[str, ...]:
    return tuple(leaf(item.of, item.choice, item.salt) for item in leaves)


def commitment_json(plan: Commitment) -> dict[str, Any]:
    """A commitment for files, as ``bot.fair.plans.find_mismatch`` checks it."""
    return {
        "owner": plan.owner,
        "sheet": plan.sheet,
        "root": plan.root,
        "of": list(plan.of),
        "leaves": list(plan.leaves),
        "opened": [{"of": leaf.of, "choice": leaf.choice, "salt": leaf.salt} for leaf in plan.opened],
    }


@dataclass(frozen=True, slots=True)
class OpeningRecord:
    """An opening's press author, time (seconds since 1970), and rule."""

    of: tuple[str, ...]
    rule: Rule
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class PublicSheet:
    """A match's sheet in public form: its open places and their openings."""

    game: str
    commitment: Commitment
    opened_by: tuple[OpeningRecord, ...] = ()

    @property
    def is_new_in_files(self) -> bool:
        """Whether a file shows a part that no board has shown."""
        return any(opening_record.rule in AFTERWARDS for opening_record in self.opened_by)


def sheet_of(game: str, plan: Commitment, opened: Iterable[Any]) -> PublicSheet:
    leaves, known, by = tuple[str, ...](), dict[str, Leaf](), list[OpeningRecord]()
    for opening in opened:
        leaves = tuple(codec.read_plain(opening.leaves))
        shown = [Leaf(*each) for each in codec.read_plain(opening.opened)]
        new = {each.of: each for each in shown if each.of not in known}
        known |= new
        if new:
            by.append(OpeningRecord(tuple(new), opening.rule, codec.read_step(opening.choice).by, opening.at))
    return PublicSheet(game, replace(plan, leaves=leaves, opened=tuple(known.values())), tuple(by))


def is_all_open(sheets: Sequence[PublicSheet], game: str) -> bool:
    """Whether each player's newest sheet of a game is fully open; ``sheets`` are oldest first."""
    newest = {sheet.commitment.owner: sheet for sheet in sheets if sheet.game == game}
    return not any(public_sheet.commitment.closed_places for public_sheet in newest.values())
