"""Plans: choices that the owner of a piece makes in private, and that become public by a rule of the game.

Others see *that* a plan is there, never what it is. How a game has plans, in four steps; ``bot.sessions.plans`` does
the rest (what is stored, random bytes, commitments, who may), ``bot.ui.table.plans`` asks and shows:

1. It gives its ``Table`` in ``bot.games.game`` a ``Planning``, and puts ``Commitment`` into the union ``Body`` of its
   pieces. A commitment is a piece like every other one: undo, sealed tables, the history and the match file know it.
2. ``Planning.plan_form`` says what a player chooses now on a *sheet*, place by place. A place is a ship, or a line of a
   list of fixed length (a Lieutenant, who lies hidden), so that the number of lines tells nothing. ``sheet`` is a name
   that the game gives ("round 3", "CAMO 2"); "" asks for the one that is due. Without options a place takes any text.
3. Once the player is ready, all places of the sheet get 32 random bytes each, and everybody sees one commitment over
   them. ``Planning.finish_planning`` says what that changes besides; it always keeps the piece that it is given.
4. ``Planning.reveal_place`` says what changes when one place is opened. The others stay closed: each opens without
them.

On a board an offer that ``plans`` asks for plans, and one that ``opens`` a place opens it (``bot.rules.game.Offer``);
a command may call ``bot.sessions.plans.Plans`` with a ``Request`` itself.

What is chosen lies in a table of its own, never in a piece, a ply, a fact or a log; a choice that changes is stored and
tells nobody anything. What a sheet was replaced by says so (``replaces``). ``repr`` of a commitment has none of its
digits, so the marks on buttons are the same whatever was chosen.

Arithmetic: ``bot.fair.plans``; docs/fairness.md says it to people.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from bot.rules import dice, game, pieces
from bot.rules.text import EMPTY, Name, Shown, Text

MAX_CHOICE: Final = 4200
"""Characters of what is chosen for a place."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A place of a sheet that is open: what was chosen for it ("" for nothing), and its random bytes in hex."""

    of: str
    choice: str
    salt: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """A sheet as everybody sees it: whose, over which places, and the SHA-256 that commits to all of them.

    ``root``: 64 hex digits. ``replaces``: that of the sheet which it takes the place of, "" for none. ``leaves``: the
    SHA-256 of each place, in the order of ``of``, once one of them is open: with these everybody can recompute the
    root. ``opened``: the places that are open. ``looked``: places that are closed, each with the number of a player who
    was let look at it by a rule; that they looked everybody knows, what they saw they alone. ``given``: places whose
    piece was given away while they were closed, each with the number of the player who has it now.
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
        """The number of the player to whom a place belongs, whatever stands under its name now."""
        return dict(self.given).get(of, self.owner)

    @property
    def closed_places(self) -> tuple[str, ...]:
        """The places that nobody has seen yet."""
        return tuple(of for of in self.of if of not in {leaf.of for leaf in self.opened})


@dataclass(frozen=True, slots=True)
class PlanPlace:
    """A place of a sheet: what it is called, what may be chosen, what is proposed (the value of an option).

    ``is_needed``: a player who has chosen nothing for it is told so before being ready counts.
    """

    of: str
    label: Shown
    options: tuple[game.Option, ...] = ()
    proposed: str = ""
    is_needed: bool = True


@dataclass(frozen=True, slots=True)
class PlanForm:
    """A player's pending choices; ``about`` explains them to that player alone. ``name``: of the commitment."""

    sheet: str
    name: str
    title: Shown
    places: tuple[PlanPlace, ...]
    about: Shown = EMPTY


class Planning(Protocol):
    """Interface of a game with plans. ``table`` holds all its pieces by name, ``player`` is a number."""

    def plan_form(self, table: Mapping[str, Any], player: int, sheet: str = "") -> PlanForm:
        """Return the player's pending choices. Raises ``PlayerError`` that says why there are none, or no longer."""

    def check(self, table: Mapping[str, Any], player: int, asked: PlanForm, of: str, choice: str) -> None:
        """Raises ``PlayerError`` for a place that is not theirs, or what cannot be chosen for it."""

    def finish_planning(self, table: Mapping[str, Any], plan: Commitment, rng: dice.Rng, /) -> pieces.BoardChange:
        """Return the changes when a commitment's owner is ready; ``table`` already has it, and it is stored anyway."""

    def reveal_place(
        self, table: Mapping[str, Any], of: str, leaf: Leaf | None, filled: Mapping[str, str], rng: dice.Rng, /
    ) -> pieces.BoardChange:
        """Return the changes when a place opens; ``leaf`` is None if the plan is no longer stored.

        ``filled``: what was entered with it in a form, {} for none. ``table`` already has the commitment with the open
        place. Raises ``PlayerError`` if it is too early.
        """


@dataclass(frozen=True, slots=True)
class PlanEvent:
    """A player's latest action: a step, with the pieces by name before and after it, or a press on a roll.

    ``was`` and ``state``: the roll before and after the press; None if there was none, as for a step.
    """

    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    was: Any = None
    state: Any = None


def commitments(table: Mapping[str, Any]) -> dict[str, Commitment]:
    """The sheets that are on a table, by the names of their pieces."""
    return {name: plan for name, plan in table.items() if isinstance(plan, Commitment)}


def sheet_of(table: Mapping[str, Any], of: str) -> Commitment | None:
    """The sheet on which a place stands that is still closed; None where there is none."""
    return next((plan for plan in commitments(table).values() if of in plan.closed_places), None)


OF_ROUND: Final = re.compile(r"round (\d+)")
SHEETS: Final[Mapping[str, Text]] = {
    "reserve": Text("Reserve"),
    "secrets": Text("Secrets"),
    "squad": Text("Hidden squad"),
}


def sheet_text(sheet: str) -> Shown:
    """Return what people call a sheet: dials by their round; markers by their kind and numbers, as they are typed."""
    if match := OF_ROUND.fullmatch(sheet):
        return Text("round {round}", round=int(match[1]))
    return SHEETS.get(sheet) or Name(sheet)
