"""Cards and laws in a terminal: the same words as on Discord, and bars."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Final

from bot.render.card import Card, Strip, Tile

WIDTH: Final = 32
ROWS_MOST: Final = 24
BLOCKS: Final = " ▏▎▍▌▋▊▉█"
NOT_NUMBERS: Final = ("need",)
"""Words that may look like a fraction: ``6/2`` is a six, then 2 or more."""


def card(shown: Card) -> str:
    """A card in lines, in its order of reading."""
    lines = [shown.title, "", shown.outcome, *(strip(one) for one in shown.strips)]
    lines += ["", shown.turn] if shown.turn else []
    lines += ["", *(f"  {line}" for line in shown.trail)] if shown.trail else []
    for name, value in shown.facts:
        lines += ["", f"{name}:", *(f"  {line}" for line in value.splitlines())]
    return "\n".join([*lines, *(["", shown.small] if shown.small else [])])


def strip(shown: Strip) -> str:
    return f"  {shown.label}: " + " ".join(tile(one) for one in shown.tiles)


def tile(shown: Tile) -> str:
    """``[hit]``, ``[~blank~]`` when it does not count, ``[crit!]`` for a Critical."""
    face = shown.face or "blank"
    face = f"~{face}~" if shown.fate != "stands" else face
    return f"[{face}{'!' if shown.critical else ''}]"


def bars(title: str, chances: Sequence[tuple[str, Fraction]]) -> str:
    """A law as labelled bars, the longest for the likeliest; long ones are cut after the likeliest rows."""
    shown = [row for row in chances if row[1]]
    if len(shown) > ROWS_MOST:
        least = sorted((chance for _, chance in shown), reverse=True)[ROWS_MOST - 1]
        shown = [row for row in shown if row[1] >= least]
    top = max((chance for _, chance in shown), default=Fraction(1))
    wide = max((len(label) for label, _ in shown), default=0)
    lines = [f"  {label:>{wide}}  {bar(chance / top):<{WIDTH}} {percent(chance):>8}" for label, chance in shown]
    return "\n".join([title, *lines])


def bar(part: Fraction) -> str:
    """A bar of up to ``WIDTH`` cells, in eighths of a cell."""
    eighths = round(part * WIDTH * 8)
    return BLOCKS[8] * (eighths // 8) + BLOCKS[eighths % 8].strip()


def percent(chance: Fraction, decimals: int = 2) -> str:
    """So many decimals of a percent, rounded half up; a chance that is not zero never reads as zero."""
    steps = 10**decimals
    count = (chance.numerator * 200 * steps + chance.denominator) // (2 * chance.denominator)
    if chance and not count:
        return f"< {digits(1, decimals)} %"
    return f"{digits(count, decimals)} %"


def decimal(number: Fraction) -> str:
    """A number for people: at most two decimals, rounded half up, ``2``, ``0.83``."""
    hundredths = floor(number * 100 + Fraction(1, 2))
    shown = digits(abs(hundredths), 2).rstrip("0").rstrip(".")
    return f"-{shown}" if hundredths < 0 else shown


def digits(count: int, decimals: int) -> str:
    """So many tenths, hundredths, ... as a decimal number."""
    whole, part = divmod(count, 10**decimals)
    return f"{whole}.{part:0{decimals}d}" if decimals else str(whole)


def pairs(named: Mapping[str, object]) -> str:
    """Named numbers, one a line, with the decimal beside an exact fraction."""
    words = {name: str(value) if name in NOT_NUMBERS else number(value) for name, value in named.items()}
    return "\n".join(f"  {name.replace('_', ' ')}: {word}" for name, word in words.items())


def number(value: object) -> str:
    """``15/8 = 1.875000``; anything else as it is."""
    if not isinstance(value, str) or "/" not in value:
        return str(value)
    exact = Fraction(value)
    return str(exact) if exact.denominator == 1 else f"{exact} = {float(exact):.6f}"
