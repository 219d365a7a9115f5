"""The states of a trooper: allowed declarations and MODs (rules page, last section). Sources: the official wiki of N5
and N4. MODs of several states add up.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.rules.data_tables import table
from bot.rules.errors import PlayerError
from bot.rules.infinity.troopers.declared import AIDS, Action, Edition, Mod, ModKind
from bot.rules.infinity.troopers.messages import TOLD
from bot.rules.text import EMPTY, Name, Names, Sentences, Shown, Text, labeled, term

ROLLS_ONLY: Final = (Action.GUTS, Action.WIP, Action.PH)
"""Rolls required by the rules, never declared."""
HOLDING: Final = ("Engaged", "Immobilized-A", "Immobilized-B")
"""States without Guts Rolls."""
EVERYTHING: Final = tuple(Action)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrooperState:
    """A row of the table.

    ``may``: its trooper's allowed declarations. ``own``: MODs of its trooper's rolls, ``against``: of rolls against it,
    by actions; ``kind``: these MODs'. ``n5_stats`` replace attributes. ``hidden``: only Discover and Intuitive Attacks
    may target it. ``says``: the refusal of a declaration against it.
    """

    name: str
    does: Text
    also: tuple[str, ...] = ()
    may: tuple[Action, ...] = EVERYTHING
    kind: ModKind = ModKind.STATE
    own: tuple[tuple[int, tuple[Action, ...]], ...] = ()
    against: tuple[tuple[int, tuple[Action, ...]], ...] = ()
    n5_against: tuple[tuple[int, tuple[Action, ...]], ...] = field(default=())
    n5_stats: Mapping[str, int] = field(default_factory=dict)
    hidden: bool = False
    says: Text = EMPTY


UNCONSCIOUS: Final = "Unconscious"
DEAD: Final = "Dead"
DOWN: Final = (UNCONSCIOUS, DEAD)
SUPPRESSIVE: Final = "Suppressive Fire"
STANDING: Final = ("Dogged", "No Wound Incapacitation")
"""States of troopers that act without Wounds."""
ATTACKING: Final = (Action.SHOOT, Action.TEMPLATE, Action.DIRECT, Action.CC, Action.HACK)
ACTING: Final = (*ATTACKING, Action.DISCOVER, *AIDS, Action.SENSOR)
"""Actions that an order is declared for."""
REPAIRED: Final = ("Immobilized-A", "Immobilized-B", "Isolated", "Targeted", "Stunned", "Disconnected")
"""States ended by an Engineer; a Doctor ends Stunned."""
OFF_TABLE: Final = "Undeployed"
NULL: Final = (*DOWN, "Possessed", "Sepsitorized", "Disconnected")
"""States without orders and Victory Points."""
BREAKS_SUPPRESSIVE: Final = (*NULL, "Engaged", "Isolated", "Immobilized-A", "Immobilized-B", "Retreat")
"""States that end Suppressive Fire."""

TABLE: Final = table("infinity/tables/states.json", TrooperState)
BY_NAME: Final = {word.casefold(): state for state in TABLE for word in (state.name, *state.also)}
COVER: Final = ("Camouflaged", "Impersonation", "Impersonation-2", "Holoecho", "Decoy")
"""States of a marker, until discovered."""
STATES: Final = tuple(state.name for state in TABLE)
"""States set by command, by a line's word, or by a roll."""


class ForbiddenByStateError(PlayerError):
    """A state of the trooper or its target forbids the declaration."""


def rows(states: Iterable[str]) -> Iterator[TrooperState]:
    """Yield the rows of states; unknown states of the data have no effect."""
    for name in dict.fromkeys(states):
        if (row := BY_NAME.get(name.casefold())) is not None:
            yield row


def mods(name: str, states: Iterable[str], action: Action, against: Edition | None = None) -> Iterator[Mod]:
    """Yield the trooper's states' MODs on its roll, or, with an edition in ``against``, on rolls against it."""
    for state in rows(states):
        of_target = (*state.against, *(state.n5_against if against == "n5" else ()))
        every = of_target if against else state.own
        result = (number for number, actions in every if action in actions)
        yield from (Mod(number, term(state.name), Name(name), kind=state.kind) for number in result)


def check(name: str, states: Iterable[str], action: Action) -> None:
    for state in rows(states):
        stays = action is Action.GUTS and state.name in HOLDING
        if action in state.may or (action in ROLLS_ONLY and state.may and not stays):
            continue
        message = TOLD["state", "something" if state.may else "nothing"]
        may = Names([item.label for item in state.may if item not in ROLLS_ONLY], "or")
        why = Text(message, name=Name(name), state=term(state.name), action=action.label, may=may)
        raise ForbiddenByStateError(why)


def check_target(name: str, states: Iterable[str], action: Action, *, intuitive: bool) -> None:
    """Raise ``ForbiddenByStateError`` for anything on the Dead, or an attack on an undiscovered target."""
    for state in sorted(rows(states), key=lambda row: (row.hidden, row.name != DEAD)):
        if state.says and (not state.hidden or (action in ATTACKING and not intuitive)):
            raise ForbiddenByStateError(Text(state.says.message, name=Name(name), state=term(state.name)))


def is_hidden(states: Iterable[str]) -> bool:
    return any(state.hidden for state in rows(states))


def check_coup(name: str, states: Iterable[str]) -> None:
    """Raise ``ForbiddenByStateError`` for a Coup de Grâce against anybody not Unconscious."""
    if UNCONSCIOUS not in states:
        raise ForbiddenByStateError(Text(TOLD["coup", "name" if name else "nobody"], name=Name(name)))


def allowed_actions(states: Iterable[str], actions: Iterable[Action]) -> tuple[Action, ...]:
    known = tuple(rows(states))
    return tuple(action for action in actions if all(action in state.may for state in known))


def state_help() -> tuple[tuple[Shown, Shown], ...]:
    lines = (labeled(term(state.name), state.does) for state in TABLE)
    return ((Text("States"), Sentences(lines, "\n")),)
