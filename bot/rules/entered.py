"""Dice that people rolled by hand: which side typed them stands in their trail, whatever the game.

The rules do not know who typed; sessions sign what was entered, and the card says so.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, get_args, get_type_hints

from bot.rules.dice import Step
from bot.rules.game import Side


def signed(state: Any, side: Side) -> Any:
    """The same state, in which every entered step that nobody has signed yet is signed by ``side``."""
    if isinstance(state, Step):
        return replace(state, by=side.value) if state.how == "entered" and not state.by else state
    if isinstance(state, tuple):
        parts = [signed(part, side) for part in state]
        return tuple(parts) if any(new is not old for new, old in zip(parts, state, strict=True)) else state
    new = {name: part for name, old in parts_of(state) if (part := signed(old, side)) is not old}
    return replace(state, **new) if new else state


def signers(state: Any) -> tuple[Side, ...]:
    """The sides that typed dice of this state, the attacker first."""
    found = {step.by for step in steps(state) if step.how == "entered"}
    return tuple(side for side in Side if side.value in found)


def steps(state: Any) -> Iterator[Step]:
    """Every step of every die in a state."""
    if isinstance(state, Step):
        yield state
    elif isinstance(state, tuple):
        for part in state:
            yield from steps(part)
    else:
        for _, part in parts_of(state):
            yield from steps(part)


def parts_of(state: Any) -> list[tuple[str, Any]]:
    """The fields of a dataclass that may hold dice, and what they hold; none of anything else."""
    kind: Any = type(state)
    return [(name, getattr(state, name)) for name in names(kind)]


@cache
def names(kind: type) -> tuple[str, ...]:
    """The fields of a kind of state in whose types a die can lie, so that the rest is never walked."""
    if not is_dataclass(kind):
        return ()
    types = get_type_hints(kind)
    return tuple(field.name for field in fields(kind) if holds_steps(types[field.name], frozenset({kind})))


def holds_steps(kind: Any, seen: frozenset[Any]) -> bool:
    """Whether a value of this type may have a ``Step`` in it; ``seen`` are the types around it."""
    if kind is Step or kind in seen:
        return True
    inner = list(get_type_hints(kind).values()) if is_dataclass(kind) else get_args(kind)
    return any(holds_steps(one, seen | {kind}) for one in inner)
