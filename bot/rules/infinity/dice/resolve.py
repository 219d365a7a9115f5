"""Reads and compares dice (rules page, One die and Face to Face Roll).

Each die has a *score*: 0 is a failure, 1 to 20 a plain success of that height, ``CRITICAL`` a Critical. A Face to Face
Roll is then one rule: a die succeeds if it scores above the enemy's best.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

from bot.rules.infinity.troopers.declared import CRITICAL, SIDES, Edition

FAILURE: Final = 0

Kind = Literal["fail", "success", "crit"]
Fate = Literal["failed", "cancelled", "stands", "discarded"]
Winner = Literal["a", "b", "nobody"]


def score(face: int, sv: int, edition: Edition) -> int:
    """Return the score of a face at a Success Value (One die, 2 to 4): 0, a plain success, or ``CRITICAL``."""
    excess = sv - SIDES
    if excess <= 0:
        return FAILURE if face > sv else CRITICAL if face == sv else face
    if edition != "n5":  # the bonus is added; 20 or more is a Critical
        return face + excess if face + excess < SIDES else CRITICAL
    return CRITICAL if face == SIDES or face <= excess else face  # the face stays, 20 and 1..excess are Criticals


@dataclass(frozen=True, slots=True)
class ScoredDie:
    """One die of a roll: its face, its score, and whether it is discarded because of special dice."""

    face: int
    score: int
    discarded: bool = False

    @property
    def kind(self) -> Kind:
        if self.score == FAILURE:
            return "fail"
        return "crit" if self.score == CRITICAL else "success"


def read(faces: Sequence[int], sv: int, edition: Edition, special: int = 0) -> tuple[ScoredDie, ...]:
    """Return a roll's dice with scores; the lowest are discarded, one per special die."""
    scores = [score(face, sv, edition) for face in faces]
    lowest = sorted(range(len(scores)), key=lambda at: scores[at])[:special]
    return tuple(ScoredDie(face, scores[at], at in lowest) for at, face in enumerate(faces))


def as_plain(dice: tuple[ScoredDie, ...]) -> tuple[ScoredDie, ...]:
    """Return the dice with Criticals as plain successes, as a template affects all but its main target."""
    return tuple(replace(die, score=die.face) if die.score == CRITICAL else die for die in dice)


def best_place(dice: Sequence[ScoredDie]) -> int | None:
    places = [at for at, die in enumerate(dice) if die.score and not die.discarded]
    return max(places, key=lambda at: (dice[at].score, -at), default=None)


@dataclass(frozen=True)
class ComparedDice:
    """One side of a comparison: its dice, their fates, and the place of the enemy's die that canceled each.
    ``unrolled``: hits without a die, of a Direct Template that was not dodged.
    """

    dice: tuple[ScoredDie, ...]
    fates: tuple[Fate, ...]
    by: tuple[int | None, ...]
    unrolled: int = 0

    @cached_property
    def hits(self) -> int:
        return self.count_uncanceled("success") + self.unrolled

    @cached_property
    def crits(self) -> int:
        return self.count_uncanceled("crit")

    def count_uncanceled(self, kind: Kind) -> int:
        return sum(fate == "stands" and die.kind == kind for die, fate in zip(self.dice, self.fates, strict=True))


def compare_dice(dice: tuple[ScoredDie, ...], enemy: tuple[ScoredDie, ...]) -> ComparedDice:
    """Compare ``dice`` with the enemy's best: even a canceled die cancels (Face to Face Roll)."""
    top = best_place(enemy)
    height = FAILURE if top is None else enemy[top].score
    fates = tuple(fate(die, height) for die in dice)
    return ComparedDice(dice, fates, tuple(top if item == "cancelled" else None for item in fates))


def fate(die: ScoredDie, height: int) -> Fate:
    """Return a die's fate against an enemy whose best die scores ``height``; 0 for a Normal Roll."""
    if die.discarded:
        return "discarded"
    if die.score == FAILURE:
        return "failed"
    return "stands" if die.score > height else "cancelled"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison, or a Normal Roll if ``b`` is None."""

    a: ComparedDice
    b: ComparedDice | None

    @property
    def winner(self) -> Winner:
        """Return the side with successes left, at most one; any success wins a Normal Roll."""
        if self.a.hits or self.a.crits:
            return "a"
        return "b" if self.b is not None and (self.b.hits or self.b.crits) else "nobody"


def face_to_face(a: tuple[ScoredDie, ...], b: tuple[ScoredDie, ...]) -> Comparison:
    return Comparison(compare_dice(a, b), compare_dice(b, a))


def normal(a: tuple[ScoredDie, ...]) -> Comparison:
    return Comparison(compare_dice(a, ()), None)


def direct(hits: int, dodge: tuple[ScoredDie, ...] | None, evades_to: int = CRITICAL) -> Comparison:
    """Resolve a Direct Template, which hits without a roll; a successful Dodge (Normal Roll) evades it. ``evades_to``:
    the best score that does, less if the Dodge has a MOD against this template alone.
    """
    if dodge is None:
        return Comparison(ComparedDice((), (), (), hits), None)
    top = best_place(dodge)
    if top is not None and dodge[top].score <= evades_to:
        return Comparison(ComparedDice((), (), (), 0), compare_dice(dodge, ()))
    fates: tuple[Fate, ...] = tuple("discarded" if die.discarded else "failed" for die in dodge)
    return Comparison(ComparedDice((), (), (), hits), ComparedDice(dodge, fates, (None,) * len(dodge)))
