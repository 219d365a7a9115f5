"""Dice rolled by hand are signed by the side that typed them, in any state, and only those."""

from dataclasses import dataclass

from bot.rules.dice import Rolled, entered, roll
from bot.rules.entered import signed, signers
from bot.rules.game import Side


@dataclass(frozen=True, slots=True)
class Pool:
    name: str
    dice: tuple[Rolled, ...]
    inner: "Pool | None" = None


BY_HAND = entered("d20", (9, 4))
ROLLED = roll("d20", range(1, 21), 2, lambda _: 0)


def test_what_was_entered_is_signed_wherever_it_lies() -> None:
    state = signed(Pool("a", ROLLED, Pool("b", BY_HAND)), Side.DEFENDER)
    assert state.inner is not None
    assert [die.trail[0].by for die in state.inner.dice] == ["defender", "defender"]
    assert [die.face for die in state.inner.dice] == [9, 4]
    assert state.dice == ROLLED
    assert signers(state) == (Side.DEFENDER,)


def test_a_signature_stays() -> None:
    first = signed(Pool("a", BY_HAND), Side.ATTACKER)
    both = signed(Pool("a", first.dice, Pool("b", BY_HAND)), Side.DEFENDER)
    assert both.dice == first.dice
    assert signers(both) == (Side.ATTACKER, Side.DEFENDER)


def test_a_state_without_such_dice_is_left_as_it_is() -> None:
    state = Pool("a", ROLLED)
    assert signed(state, Side.ATTACKER) is state
    assert signers(state) == ()


def test_a_chain_is_signed_at_each_step() -> None:
    die = BY_HAND[0].then("entered", "", 5)
    assert {step.by for step in signed(die, Side.ATTACKER).trail} == {"attacker"}


def test_what_happens_later_to_an_entered_die_is_not_signed() -> None:
    die = signed(BY_HAND[0].then("cancelled", "7"), Side.ATTACKER)
    assert [step.by for step in die.trail] == ["attacker", "7"]
