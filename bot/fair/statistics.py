"""Whether the dice are fair: statistics on the counts of the sides drawn. See the fairness page in docs/fairness.md.
Counts are of sides, 0 to s-1, of fresh draws only, and hold no personal data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, fsum, inf, lgamma, log, log1p, pi, sqrt
from typing import Final

ALARM: Final = 20
"""E-value that fair dice ever reach with a chance of at most 1 / 20, however often we look."""
MIN_EXPECTED: Final = 5
"""Chi-square is an approximation; it is not shown below this many draws per side."""


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """Pearson's statistic, its degrees of freedom, and the chance of at least as much from fair dice on one look."""

    statistic: Fraction
    degrees: int
    p: float


def chi_square(counts: Sequence[int]) -> ChiSquare | None:
    """Chi-square test of a die's counts; None below five draws per side, and for one side."""
    sides, total = len(counts), sum(counts)
    if sides < 2 or total < MIN_EXPECTED * sides:
        return None
    # With the expected count n/s: sum((n_k - n/s)^2 / (n/s)) = s/n * sum(n_k^2) - n.
    statistic = Fraction(sides * sum(count * count for count in counts), total) - total
    return ChiSquare(statistic, sides - 1, chi_square_tail(sides - 1, float(statistic)))


def chi_square_tail(degrees: int, statistic: float) -> float:
    """The chance that chi-square with ``freedom`` degrees of freedom is at least ``statistic``.

    This is Q(a, y), the regularized upper incomplete gamma function, with a = degrees / 2 and y = statistic / 2. For
    half-integers a it is a finite sum: integration by parts gives Q(a + 1, y) = Q(a, y) + y^a e^-y / Gamma(a + 1), from
    Q(1/2, y) = erfc(sqrt(y)) and Q(1, y) = e^-y.
    """
    y = statistic / 2
    if y <= 0:
        return 1.0
    start = 0.5 if degrees % 2 else 1.0
    first = erfc(sqrt(y)) if degrees % 2 else exp(-y)
    steps = (start + step for step in range((degrees - 1) // 2))
    return min(1.0, fsum([first, *(exp(a * log(y) - y - lgamma(a + 1)) for a in steps)]))


def deviations(counts: Sequence[int]) -> tuple[Fraction, ...]:
    """Return each side's deviation from 1/s in percentage points; zeros before the first draw."""
    sides, total = len(counts), sum(counts)
    return tuple(100 * (Fraction(count, total) - Fraction(1, sides)) if total else Fraction(0) for count in counts)


def log_e_value(counts: Sequence[int]) -> float:
    """The natural logarithm of E_n = Gamma(s) / Gamma(n + s) * product(n_k!) * s^n.

    E_n is a likelihood ratio: how much better "some die, every loading as likely as any other" explains the draws than
    "a fair die". Averaged over all loadings the draws have the chance Gamma(s) * product(n_k!) / Gamma(n + s) (the
    Dirichlet integral); under a fair die it is s^-n.
    """
    sides, total = len(counts), sum(counts)
    product = fsum(lgamma(count + 1) for count in counts)
    return lgamma(sides) - lgamma(total + sides) + product + total * log(sides)


class Evidence:
    """The running e-value over several kinds of dice: the mean, and its maximum so far.

    For fair dice, each kind's E_n is a martingale that starts at 1, and so is their mean. By Ville's inequality it ever
    reaches 20 with a chance of at most 1/20. That holds for the maximum of the mean, not for the mean of the maxima.
    Values are logarithms: a loaded die soon overflows a float.
    """

    def __init__(self, counts: Mapping[str, Sequence[int]], log_highest: float = 0.0) -> None:
        """``counts``: each kind's counts by side so far, with the maximum so far."""
        if not all(counts.values()):
            raise ValueError("name each kind of dice with its sides")
        self._counts = {kind: list(sides) for kind, sides in counts.items()}
        self._logs = {kind: log_e_value(sides) for kind, sides in counts.items()}
        self.log_highest = max(log_highest, self.log_now)

    @property
    def counts(self) -> dict[str, tuple[int, ...]]:
        return {kind: tuple(sides) for kind, sides in self._counts.items()}

    @property
    def log_now(self) -> float:
        """The logarithm of the mean of the current e-values; that of 1 before the first kind."""
        if not self._logs:
            return 0.0
        # log(mean(e^l)) = top + log(mean(e^(l - top))): no power is above 1.
        top = max(self._logs.values())
        return top + log(fsum(exp(item - top) for item in self._logs.values()) / len(self._logs))

    def add(self, kind: str, side: int) -> None:
        """Count one fresh draw. Raises ``KeyError`` for an unknown kind, ``IndexError`` for an invalid side."""
        counts = self._counts[kind]
        if not 0 <= side < len(counts):
            raise IndexError(f"a die of kind {kind} has no side {side}")
        # E_{n+1} / E_n = s * (n_k + 1) / (n + s): only n_k! gains a factor, Gamma(n + s) gains one, and s^n one.
        sides, total = len(counts), sum(counts)
        self._logs[kind] += log(sides * (counts[side] + 1) / (total + sides))
        counts[side] += 1
        self.log_highest = max(self.log_highest, self.log_now)

    def add_kind(self, kind: str, sides: int) -> None:
        """Add a kind of dice, as for a new game. Its e-value was 1 all the time, so after m kinds each earlier mean M
        becomes (m M + 1) / (m + 1). That rises with M, so the maximum changes the same way.
        """
        if kind in self._counts or sides < 1:
            raise ValueError(f"{kind} is counted already, or has no sides")
        before = len(self._counts)
        # log((m e^h + 1) / (m + 1)), without e^h.
        self.log_highest += log((before + exp(-self.log_highest)) / (before + 1))
        self._counts[kind] = [0] * sides
        self._logs[kind] = 0.0


def found_after(sides: int, excess: float, kinds: int = 1) -> float:
    """About how many draws a die needs until its loading is found, if one side comes up ``excess`` (0.01) too often.

    The other sides share the loss. ``kinds`` is over how many kinds the mean is taken: while the others are fair, this
    one alone has to reach ``kinds`` times 20. Infinite for a fair die. Raises ``ValueError`` for a side with a chance
    outside 0 to 1, and for fewer than two sides.

    Derivation, with u = 1/s, q the true chances and p the shares seen. Stirling's n! = sqrt(2 pi n) (n/e)^n and
    Gamma(n + s) = n! n^(s-1) (both up to a factor that goes to 1) turn E_n into

        log E_n = n KL(p, u) + log Gamma(s) + (s - 1)/2 log(2 pi / n) + 1/2 sum(log p_k),

    where KL(p, u) = sum(p_k log(s p_k)). The first term is (s - 1)/2 larger on average than n KL(q, u), because
    2 n KL(p, q) is a chi-square with s - 1 degrees of freedom. With q for p elsewhere, log E_n on average is

        f(n) = n KL(q, u) - (s - 1)/2 log(n) + c,
        c = (s - 1)/2 (1 + log(2 pi)) + log Gamma(s) + 1/2 sum(log q_k).

    f falls until n = (s - 1) / (2 KL) and rises from there on. The answer is where it reaches log(20 kinds).
    """
    chance = 1 / sides + excess
    if sides < 2 or not 0 < chance < 1:
        raise ValueError("a die has two sides or more, and each has a chance between 0 and 1")
    if excess == 0:
        return inf
    others = (1 - chance) / (sides - 1)
    kl = chance * log1p(sides * excess) + (1 - chance) * log(sides * others)
    half = (sides - 1) / 2
    constant = half * (1 + log(2 * pi)) + lgamma(sides) + (log(chance) + (sides - 1) * log(others)) / 2

    def average(draws: float) -> float:
        return draws * kl - half * log(draws) + constant

    low = high = max(1.0, half / kl)
    while average(high) < log(ALARM * kinds):
        low, high = high, 2 * high
    while high - low > 0.5:
        middle = (low + high) / 2
        low, high = (middle, high) if average(middle) < log(ALARM * kinds) else (low, middle)
    return high
