"""How numbers are written for people: whole percents but below 1 and above 99, means with two decimals at most."""

import re
from typing import Final

PERCENT: Final = re.compile(r"(\d+)[.,]\d+[\s\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]?%")
LONG: Final = re.compile(r"(?<![\d.])\d+\.\d{3,}(?![\d.])")


def untrue_numbers(text: str) -> list[str]:
    """The percents with a decimal between 1 and 99, and the numbers with more than two digits after the point."""
    percents = [found[0] for found in PERCENT.finditer(text) if 1 <= int(found[1]) < 99]
    return percents + LONG.findall(text)
