"""Help on a card: the commands of a game, how its rules are read, and X-Wing's tables of averages, computed."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from bot.odds import xwing
from bot.render.card import Card, Grid
from bot.render.text import decimal
from bot.rules.games import GAMES
from bot.rules.xwing.declared import Declared, LineUp

DICE_MOST: Final = 8
"""The printed tables go this far; a pool itself ends at six."""
BLOCK_MOST: Final = 900
"""Characters of a block: Discord shows 1024 of them, and escaping adds some."""

NOTES: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "xwing": (
        ("two dice with focus and lock: 1.86", "2 x 0.9375 = 1.875"),
        ("seven green dice with focus 4.37, six red dice with focus and lock 5.62", "4.375 and 5.625"),
        ("tables for 7 and 8 dice", "arithmetic only: a pool is at most 6 dice, plus added results"),
        ("defense dice equal to agility", "agility, plus and minus the bonuses of the same page"),
    ),
    "infinity": (
        (
            "SV above 20",
            "N5: 20 and 1 up to the excess are Criticals. N4: the excess is added to the die, 20 is Critical",
        ),
        ("cancelled dice", "a success cancels every lower enemy success even if it is itself cancelled"),
    ),
    "warsurge": (
        ("Balanced: “multiple times”", "at least so many times: Power 7 against Defence 2 is x3"),
        (
            "Power 0, or a value off the chart",
            "no damage, 0 against 0 is 4+; above 20 and 15 the last row and column count",
        ),
    ),
    "albion": (
        ("36 + 162 = 192, a focus point on 193 or more", "36 + 162 = 198: a focus point on 199 or more"),
        ("the example leaves the attacker's Strength out", "its 72 is true with Strength 3"),
    ),
}
"""Where the sources err or are silent, and what the bot does: (source says, bot follows)."""

AVERAGES: Final[Mapping[str, LineUp]] = {
    "hits": LineUp(dice=1),
    "hits, focus": LineUp(dice=1, focus=1),
    "hits, lock": LineUp(dice=1, lock=1),
    "hits, both": LineUp(dice=1, focus=1, lock=1),
}
"""What one attack die brings; hits and crits together."""


def overview(commands: Mapping[str, Sequence[tuple[str, str]]]) -> Card:
    """All commands by group."""
    return Card(
        title="Rollcall",
        outcome="Type a command; what the rules allow next comes as buttons.",
        facts=tuple((f"/{group}", " · ".join(name for name, _ in found)) for group, found in commands.items()),
        small="/help with a game tells more · dice come from the system's source of chance, and every draw is stored",
        ahead="nobody",
    )


def page(key: str, found: Sequence[tuple[str, str]]) -> Card:
    """The help of one game."""
    notes = [f"{says}: {follows}" for says, follows in NOTES.get(key, ())]
    table = averages() if key == "xwing" else None
    return Card(
        title=f"Rollcall · {GAMES[key].TITLE}",
        outcome=f"{GAMES[key].TITLE}: what you can type, and how the rules are read.",
        facts=(
            *blocks("Commands", [f"/{key} {name}: {told}" for name, told in found]),
            *blocks("What the sources say: what the bot follows", notes),
        ),
        small="The table counts dice alone, exactly, rounded to two decimals" if table else "",
        alt=in_words(table) if table else "",
        figure=table,
        ahead="nobody",
    )


def blocks(name: str, lines: Sequence[str]) -> list[tuple[str, str]]:
    """Lines under a name, in as many blocks as keep each short enough to be shown whole."""
    found: list[list[str]] = [[]]
    for line in lines:
        if sum(map(len, found[-1])) + len(found[-1]) + len(line) > BLOCK_MOST:
            found.append([])
        found[-1].append(line)
    return [(name if not at else f"{name}, continued", "\n".join(block)) for at, block in enumerate(found) if block]


def averages() -> Grid:
    """X-Wing's tables of averages: so many dice, so many results in the mean; computed, to two decimals."""
    rows = {name: mean(Declared(attack=line, defense=LineUp())) for name, line in AVERAGES.items()}
    rows |= {"evades": evades(LineUp(dice=1)), "evades, focus": evades(LineUp(dice=1, focus=1))}
    columns = range(1, DICE_MOST + 1)
    return Grid(
        row_title="Mean",
        column_title="Dice",
        rows=tuple(rows),
        columns=tuple(map(str, columns)),
        cells=tuple(tuple(decimal(each * dice) for dice in columns) for each in rows.values()),
    )


def mean(declared: Declared) -> Fraction:
    return xwing.law(declared).mean(sum)


def evades(line: LineUp) -> Fraction:
    """What one defense die with these tokens cancels of a sure hit."""
    sure = LineUp(dice=1, focus=1, calculate=1, effects=())
    from_one = Declared(attack=sure, defense=line)
    hit = mean(Declared(attack=sure, defense=LineUp()))
    return (hit - mean(from_one)) / hit


def in_words(table: Grid) -> str:
    """The first column, of which the others are multiples."""
    return "In the mean for one die: " + ", ".join(
        f"{name} {row[0]}" for name, row in zip(table.rows, table.cells, strict=True)
    )
