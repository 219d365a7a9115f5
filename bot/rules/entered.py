"""Dice that people rolled by hand: which side typed them stands in their trail, whatever the game.

The rules do not know who typed; sessions sign what was entered, and the card says so.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from bot.rules.dice import Step
from bot.rules.game import Side


def signed(state: Any, side: Side) -> Any:
    """The same state, in which every entered step that nobody has signed yet is signed by ``side``."""
    if isinstance(state, Step):
        return replace(state, by=side.value) if state.how == "entered" and not state.by else state
    if isinstance(state, tuple):
        parts = tuple(signed(part, side) for part in state)
        return parts if any(new is not old for new, old in zip(parts, state, strict=True)) else state
    if is_dataclass(state) and not isinstance(state, type):
        held = {field.name: getattr(state, field.name) for field in fields(state)}
        new = {name: part for name in held if (part := signed(held[name], side)) is not held[name]}
        return replace(state, **new) if new else state
    return state


def signers(state: object) -> tuple[Side, ...]:
    """The sides that typed dice of this state, the attacker first."""
    found = {step.by for step in steps(state) if step.how == "entered"}
    return tuple(side for side in Side if side.value in found)


def steps(state: object) -> Iterator[Step]:
    """Every step of every die in a state."""
    if isinstance(state, Step):
        yield state
    elif isinstance(state, tuple):
        for part in state:
            yield from steps(part)
    elif is_dataclass(state):
        for field in fields(state):
            yield from steps(getattr(state, field.name))
