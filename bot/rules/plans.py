"""Plans: private choices of a piece's owner that a rule of the game opens.

Others see *that* a plan exists, never its content. ``bot.sessions.plans`` handles storage, random bytes, commitments,
and permissions, ``bot.ui.table.plans`` forms and display. A game adds plans in four steps:

1. Its ``Table`` in ``bot.games.game`` has a ``Planning``, and the union ``Body`` of its pieces includes ``Commitment``:
a
   piece like any other for undo, sealed tables, the history, and the match file.
2. ``Planning.plan_form`` lists a player's choices on a *sheet* by place: a ship, or a line of a list of fixed length (a
   Lieutenant, a hidden trooper), so that the number of lines reveals nothing. ``sheet``: the game's name for it
   ("round 3", "CAMO 2"), "" for the one that is due. Without options a place takes any text.
3. Once the player is ready, each place gets 32 random bytes, and everybody sees one commitment over all.
   ``Planning.finish_planning`` returns further changes; it always keeps its piece.
4. ``Planning.reveal_place`` returns the changes when one place opens; the others stay closed.

On a board an offer that ``plans`` asks for plans, and one that ``opens`` a place opens it (``bot.rules.game.Offer``); a
command may call ``bot.sessions.plans.Plans`` itself.

Choices are stored in their own table, never in a piece, ply, event, or log; a changed draft reveals nothing. A new
sheet names its predecessor (``replaces``). ``repr`` of a commitment omits its digits, so button ids don't depend on
choices.

Arithmetic: ``bot.fair.plans``; explained in docs/fairness.md.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from bot.rules import dice, game, pieces
from bot.rules.text import EMPTY, Name, Shown, Text

MAX_CHOICE: Final = 4200
"""Maximum characters of a place's choice."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """An open place of a sheet: its choice ("" for none), and its random bytes in hex."""

    of: str
    choice: str
    salt: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """A sheet's public form: its owner, its places, and the SHA-256 that commits to them.

    ``root``: 64 hex digits. ``replaces``: its predecessor's, "" for none. ``leaves``: the SHA-256 of each place, in the
    order of ``of``, once one is open: everybody can then recompute the root. ``opened``: open places. ``looked``:
    closed places, each with the number of a player whom a rule let look; the look is public, the content isn't.
    ``given``: places whose piece was given away closed, each with its new player's number.
    """

    kind: Literal["plans"] = "plans"
    name: str
    owner: int
    sheet: str
    of: tuple[str, ...]
    root: str = field(repr=False)
    replaces: str = field(default="", repr=False)
    leaves: tuple[str, ...] = field(default=(), repr=False)
    opened: tuple[Leaf, ...] = ()
    looked: tuple[tuple[str, int], ...] = ()
    given: tuple[tuple[str, int], ...] = ()

    def holder(self, of: str) -> int:
        """Return the number of a place's player, whatever piece has its name now."""
        return dict(self.given).get(of, self.owner)

    @property
    def closed_places(self) -> tuple[str, ...]:
        return tuple(of for of in self.of if of not in {leaf.of for leaf in self.opened})


@dataclass(frozen=True, slots=True)
class PlanPlace:
    """A place of a sheet: its name, its options, its suggestion (an option's value). ``is_needed``: a player without a
    choice is warned before being ready.
    """

    of: str
    label: Shown
    options: tuple[game.Option, ...] = ()
    proposed: str = ""
    is_needed: bool = True


@dataclass(frozen=True, slots=True)
class PlanForm:
    """A player's pending choices; ``about`` explains them privately. ``name``: of the commitment."""

    sheet: str
    name: str
    title: Shown
    places: tuple[PlanPlace, ...]
    about: Shown = EMPTY


class Planning(Protocol):
    """Interface of a game with plans. ``table`` has all pieces by name, ``player`` is a number."""

    def plan_form(self, table: Mapping[str, Any], player: int, sheet: str = "") -> PlanForm:
        """Return the player's pending choices. Raises ``PlayerError`` saying why there are none."""

    def check(self, table: Mapping[str, Any], player: int, asked: PlanForm, of: str, choice: str) -> None:
        """Raise ``PlayerError`` for a place that is not theirs, or an invalid choice."""

    def finish_planning(self, table: Mapping[str, Any], plan: Commitment, rng: dice.Rng, /) -> pieces.BoardChange:
        """Return the changes when a commitment's owner is ready; ``table`` has it, and it is stored anyway."""

    def reveal_place(
        self, table: Mapping[str, Any], of: str, leaf: Leaf | None, filled: Mapping[str, str], rng: dice.Rng, /
    ) -> pieces.BoardChange:
        """Return the changes when a place opens; ``leaf``: None if the plan is no longer stored. ``filled``: its form's
        values, {} for none. ``table`` already has the open place. Raises ``PlayerError`` if it is too early.
        """


@dataclass(frozen=True, slots=True)
class PlanEvent:
    """A player's latest action: a step with the pieces by name before and after, or a press on a roll. ``was`` and
    ``state``: the roll before and after it; None for a step.
    """

    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    was: Any = None
    state: Any = None


def commitments(table: Mapping[str, Any]) -> dict[str, Commitment]:
    return {name: plan for name, plan in table.items() if isinstance(plan, Commitment)}


def sheet_of(table: Mapping[str, Any], of: str) -> Commitment | None:
    """Return the sheet with a closed place, or None."""
    return next((plan for plan in commitments(table).values() if of in plan.closed_places), None)


OF_ROUND: Final = re.compile(r"round (\d+)")
SHEETS: Final[Mapping[str, Text]] = {
    "reserve": Text("Reserve"),
    "secrets": Text("Secrets"),
    "squad": Text("Hidden squad"),
}


def sheet_text(sheet: str) -> Shown:
    """Return a sheet's name: dials by round; markers by kind and numbers, as typed."""
    if match := OF_ROUND.fullmatch(sheet):
        return Text("round {round}", round=int(match[1]))
    return SHEETS.get(sheet) or Name(sheet)
