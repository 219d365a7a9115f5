"""Reads dice and compares them (rules page, One die and Face to Face Roll).

Each die has a *score*: 0 is a failure, 1 to 20 a plain success of that height, ``CRITICAL`` a Critical. With it the
whole Face to Face Roll is one sentence: a die stands if it scores above the enemy's best.
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
    if edition != "n5":  # it is added, 20 and more is a Critical
        return face + excess if face + excess < SIDES else CRITICAL
    return CRITICAL if face == SIDES or face <= excess else face  # the face stays, 20 and 1..excess are Criticals


@dataclass(frozen=True, slots=True)
class ScoredDie:
    """One die of a roll: its face, its score, and whether a special die made it superfluous."""

    face: int
    score: int
    discarded: bool = False

    @property
    def kind(self) -> Kind:
        if self.score == FAILURE:
            return "fail"
        return "crit" if self.score == CRITICAL else "success"


def read(faces: Sequence[int], sv: int, edition: Edition, special: int = 0) -> tuple[ScoredDie, ...]:
    """The dice of one roll with their scores; as many as there are special dice are discarded, the lowest first."""
    scores = [score(face, sv, edition) for face in faces]
    lowest = sorted(range(len(scores)), key=lambda at: scores[at])[:special]
    return tuple(ScoredDie(face, scores[at], at in lowest) for at, face in enumerate(faces))


def as_plain(dice: tuple[ScoredDie, ...]) -> tuple[ScoredDie, ...]:
    """Return the dice with each Critical as a plain success: so a template meets all but its main target."""
    return tuple(replace(die, score=die.face) if die.score == CRITICAL else die for die in dice)


def best_place(dice: Sequence[ScoredDie]) -> int | None:
    """The place of the best success among dice that count, None without any."""
    places = [at for at, die in enumerate(dice) if die.score and not die.discarded]
    return max(places, key=lambda at: (dice[at].score, -at), default=None)


@dataclass(frozen=True)
class ComparedDice:
    """One side of a comparison: its dice, the fate of each, and the enemy's die that canceled it (a place).

    ``unrolled`` are hits without a die: those of a Direct Template that nobody dodged.
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
    """``dice`` against the enemy's best: even a die that is itself canceled cancels (Face to Face Roll)."""
    top = best_place(enemy)
    height = FAILURE if top is None else enemy[top].score
    fates = tuple(fate(die, height) for die in dice)
    return ComparedDice(dice, fates, tuple(top if item == "cancelled" else None for item in fates))


def fate(die: ScoredDie, height: int) -> Fate:
    """Return the fate of a die against an enemy whose best die scores ``height``; a Normal Roll has height 0."""
    if die.discarded:
        return "discarded"
    if die.score == FAILURE:
        return "failed"
    return "stands" if die.score > height else "cancelled"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison, or a Normal Roll where ``b`` is None."""

    a: ComparedDice
    b: ComparedDice | None

    @property
    def winner(self) -> Winner:
        """The side with dice left, at most one; a Normal Roll is won by any success."""
        if self.a.hits or self.a.crits:
            return "a"
        return "b" if self.b is not None and (self.b.hits or self.b.crits) else "nobody"


def face_to_face(a: tuple[ScoredDie, ...], b: tuple[ScoredDie, ...]) -> Comparison:
    return Comparison(compare_dice(a, b), compare_dice(b, a))


def normal(a: tuple[ScoredDie, ...]) -> Comparison:
    return Comparison(compare_dice(a, ()), None)


def direct(hits: int, dodge: tuple[ScoredDie, ...] | None, evades_to: int = CRITICAL) -> Comparison:
    """A Direct Template, which hits without a roll; a success of a Dodge, a Normal Roll, evades it.

    ``evades_to`` is the best score that does: less where the Dodge has a MOD against this template alone.
    """
    if dodge is None:
        return Comparison(ComparedDice((), (), (), hits), None)
    top = best_place(dodge)
    if top is not None and dodge[top].score <= evades_to:
        return Comparison(ComparedDice((), (), (), 0), compare_dice(dodge, ()))
    fates: tuple[Fate, ...] = tuple("discarded" if die.discarded else "failed" for die in dodge)
    return Comparison(ComparedDice((), (), (), hits), ComparedDice(dodge, fates, (None,) * len(dodge)))
