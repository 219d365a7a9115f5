"""Dice, figures, and odds as plain text: for terminals and alt texts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Final

from bot.languages.translate import translate
from bot.render import card as cards
from bot.render.card import Card, Tile
from bot.rules import text as texts
from bot.rules.text import EMPTY, N_, Code, Numeral, Sentences, Shown, Text, ended, english, labeled, number_of, term

WIDTH: Final = 32
MAX_ROWS: Final = 24
BLOCKS: Final = " ▏▎▍▌▋▊▉█"
NOT_NUMBERS: Final = ("need", "understood")
"""Keys of values that only look like fractions: ``6/2`` as a need is a six, then 2 or more; ``3d6/2`` an expression."""
STATES: Final = {"next": Text("next to engage"), "done": Text("has engaged"), "out": Text("destroyed")}
"""Names of a ship's states in a roster."""
BODIES: Final = {
    "hull": (Text("Hull"), N_("hull {left} of {most}")),
    "Wounds": (Text("Wounds"), N_("Wounds {left} of {most}")),
    "STR": (Text("STR"), N_("STR {left} of {most}")),
}
"""Remaining values of a ship or trooper, as a label and as text."""


def card(shown: Card) -> str:
    """Return a card as lines of English text, in reading order."""
    dice_ = (f"  {english(strip.label)}: {english(dice(strip.tiles))}" for strip in shown.strips)
    lines = [english(shown.title), "", english(shown.outcome), *dice_]
    lines += ["", english(shown.turn)] if shown.turn else []
    lines += ["", *(f"  {english(line)}" for line in shown.trail)] if shown.trail else []
    for name, value in shown.facts:
        lines += ["", f"{english(name)}:", *(f"  {line}" for line in english(value).splitlines())]
    return "\n".join([*lines, *(["", english(shown.small)] if shown.small else [])])


def dice(tiles: tuple[Tile, ...], show: Callable[[Tile], Code] | None = None, between: str = ", ") -> Text:
    """List dice; arrows join a chain, whose fate is named once, and a sum comes last. ``show`` formats one die."""
    write, line = show or tile_text, EMPTY
    for *before, last in cards.chains(tiles):
        chain = Sentences([*(write(replace(tile, fate="stands")) for tile in before), write(last)], " → ")
        line = Sentences([line, chain], " " if last.body == "sum" else between)
    return line


def strips(shown: Iterable[cards.Strip]) -> Text:
    return Sentences((labeled(strip.label, dice(strip.tiles)) for strip in shown), ". ")


FATES: Final[Mapping[cards.Fate, Text]] = {
    "failed": Text("failed"),
    "unused": Text("unused"),
    "cancelled": Text("canceled"),
    "spent": Text("spent"),
    "dropped": Text("dropped"),
    "compared": Text("compared with the d100"),
}
"""Words for the fate of a die that doesn't count."""


@lru_cache(maxsize=1024)
def tile_text(shown: Tile) -> Text:
    """Return ``hit``, ``Critical 12 (canceled)``, ``focus (was blank, rerolled)``."""
    named = face(shown.face or N_("blank"))
    named = Text("Critical {face}", face=named) if shown.critical else named
    parts = [*marks(shown), *([FATES[shown.fate]] if shown.fate in FATES else [])]
    return texts.bracketed(named, Sentences(parts, ", ")) if parts else named


def face(shown: str) -> Text:
    """Return a die's face; symbols by name: ``success + advantage``."""
    return Sentences(map(term, shown.split(" + ")), " + ") if " + " in shown else term(shown)


def marks(shown: Tile) -> list[Shown]:
    """Return a die's history, apart from its fate."""
    parts: list[Shown] = [Text("was {ghost}, rerolled", ghost=face(shown.ghost))] if shown.ghost else []
    if shown.badge:
        by_card = shown.badge == "card"
        parts.append(Text("changed by a card") if by_card else Text("changed by {badge}", badge=term(shown.badge)))
    return [*parts, Text("added")] if shown.added else parts


def figure(shown: cards.Figure | None, wide: int = WIDTH) -> Shown:
    """Return a figure as lines of text, "" for none; chart bars have at most ``wide`` characters."""
    if shown is None:
        return EMPTY
    if isinstance(shown, cards.Bars):
        rows = MAX_ROWS // max(1, len(shown.series))
        laws = [(name, [(item.label, item.chances[at]) for item in shown.bars]) for at, name in enumerate(shown.series)]
        return Sentences((bars(texts.headed(name), law, wide, rows) for name, law in laws), "\n")
    if isinstance(shown, cards.Roster):
        lines = list[Text]()
        for team in shown.teams:
            lines += [texts.headed(team.title)] if team.title else []
            lines += [ended(unit(ship)) for ship in team.units]
        return Sentences(lines, "\n")
    if isinstance(shown, cards.Meters):
        meters = (
            Sentences([ended(labeled(meter.label, meter.value)), texts.Capitalized(meter.detail)])
            for meter in shown.meters
        )
        return Sentences([texts.headed(shown.title) if shown.title else EMPTY, *meters], "\n")
    if isinstance(shown, cards.Dials):
        return Sentences([*map(dial, shown.dials), figure(shown.ships)], "\n")
    return grid(shown) if isinstance(shown, cards.Grid) else scale(shown)


def dial(shown: cards.Dial) -> Shown:
    """``Luke: 3 bank left, blue. No action: it is stressed.``"""
    said = texts.bracketed(shown.said, shown.below) if shown.below else shown.said
    return ended(labeled(shown.name, said))


def unit(ship: cards.RosterShip) -> Text:
    """Return ``Luke Skywalker (5), next to engage, hull 4 of 4, shields 1 of 2, focus, lock: Howlrunner``."""
    name = ship.name if ship.initiative is None else Code(f"{english(ship.name)} ({ship.initiative})")
    parts: list[Shown] = [name, ship.called or STATES.get(ship.state, EMPTY)]
    parts += [Text(BODIES[ship.body][1], left=ship.hull[0], most=ship.hull[1])] if ship.hull[1] else []
    parts += [Text("shields {left} of {most}", left=ship.shields[0], most=ship.shields[1])] if ship.shields[1] else []
    if ship.dice is not None:
        parts.append(Text("attack {attack}, agility {agility}", attack=ship.dice[0], agility=ship.dice[1]))
    return Sentences([*parts, *map(mark, ship.marks), ship.below], ", ")


def mark(item: cards.TokenMark) -> Text:
    """Return a ship's token: ``2 focus``, ``lock: Howlrunner``."""
    name = term(item.name)
    if item.text:
        return labeled(name, item.text)
    return number_of(item.count, name) if item.count > 1 else name


def grid(shown: cards.Grid) -> Shown:
    """A table, one line for each row, equal cells together: ``7: 2+ at 0-2, 3+ at 3``; only the marked part if any."""
    titles = {"column_title": shown.column_title, "row_title": shown.row_title}
    across = Text("{row_title}: the value at each {column_title}", **titles)
    row, column = shown.marked or (None, None)
    if row is not None:
        cells = join_cells(shown.cells[row], shown.columns)
        return Sentences([across, labeled(shown.rows[row], cells)], "\n")
    if column is not None:
        cells = join_cells([cells[column] for cells in shown.cells], shown.rows)
        down = N_("{column_title}: the value at each {row_title}\n{columns}: {cells}")
        return Text(down, **titles, columns=shown.columns[column], cells=cells)
    lines = zip(shown.rows, shown.cells, strict=True)
    return Sentences([across, *(labeled(name, join_cells(cells, shown.columns)) for name, cells in lines)], "\n")


def join_cells(cells: Sequence[Shown], columns: Sequence[Shown]) -> Text:
    parts = []
    for cell, run in groupby(zip(cells, columns, strict=True), key=lambda item: item[0]):
        first, *rest = (column for _, column in run)
        parts.append(Text("{cell} at {place}", cell=cell, place=Sentences([first, *rest[-1:]], "-")))
    return Sentences(parts, ", ")


def scale(shown: cards.Scale) -> Shown:
    lines, first = [], shown.least
    for section in shown.sections:
        holds = shown.mark is not None and first <= shown.mark <= section.last
        message = N_("{section}: {first} to {last} ◀ {mark}") if holds else N_("{section}: {first} to {last}")
        lines.append(Text(message, section=section.label, first=first, last=section.last, mark=shown.mark))
        first = section.last + 1
    return Sentences(lines, "\n")


def percent(chance: Fraction) -> Shown:
    """A chance for people: whole percents; below 1% and above 99% with a decimal, and never 0% or 100% for between."""
    tenths = round_half_up(chance * 1000)
    if not 10 < tenths < 990:
        if 0 < chance < 1 and tenths in (0, 1000):
            return Numeral("> 99.9%" if tenths else "< 0.1%")
        return Numeral(f"{digits(tenths, 1).removesuffix('.0')}%")
    return Numeral(f"{round_half_up(chance * 100)}%")


def exact_percent(chance: Fraction) -> Shown:
    """Return a chance for terminals: two decimals, and never zero unless exact."""
    hundredths = round_half_up(chance * 10_000)
    return Numeral("< 0.01%" if chance and not hundredths else f"{digits(hundredths, 2)}%")


def round_half_up(number: Fraction) -> int:
    """Round to the nearest integer, in fast integer arithmetic."""
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)


def decimal(number: Fraction) -> Shown:
    """Return a number for people: at most two decimals, rounded half up, ``2``, ``0.83``."""
    hundredths = round_half_up(number * 100)
    shown = digits(abs(hundredths), 2).rstrip("0").rstrip(".")
    return Numeral(f"−{shown}" if hundredths < 0 else shown)


def digits(count: int, decimals: int) -> str:
    """Return ``count`` tenths, hundredths, ... as a decimal number: ``digits(1234, 2)`` is ``12.34``."""
    whole, part = divmod(count, 10**decimals)
    return f"{whole}.{part:0{decimals}d}" if decimals else str(whole)


def bars(
    title: Shown,
    chances: Sequence[tuple[Shown, Fraction]],
    wide: int = WIDTH,
    rows: int = MAX_ROWS,
    write: Callable[[Fraction], Shown] = percent,
) -> Text:
    """Return the likeliest chances as labeled bars, numbers first, so that a screen reader reads them first."""
    shown = [row for row in chances if row[1]]
    if len(shown) > rows:
        least = sorted((chance for _, chance in shown), reverse=True)[rows - 1]
        shown = [row for row in shown if row[1] >= least][:rows]
    top = max((chance for _, chance in shown), default=Fraction(1))
    said = [(translate(label), chance) for label, chance in shown]
    label_wide = max((len(label) for label, _ in said), default=0)
    lines = (f"  {label:>{label_wide}}  {translate(write(item)):>8}  {bar(item / top, wide)}" for label, item in said)
    return Sentences([title, *(Code(line.rstrip()) for line in lines)], "\n")


def bar(part: Fraction, wide: int = WIDTH) -> str:
    """Return a bar of up to ``wide`` cells, in eighths of a cell."""
    eighths = round(part * wide * 8)
    return BLOCKS[8] * (eighths // 8) + BLOCKS[eighths % 8].strip()


def pairs(named: Mapping[str, object]) -> Text:
    """Write named numbers, fractions with their decimal value, and a line for each item of a list, one per line."""
    return Sentences((Code(f"  {line}") for name, value in named.items() for line in pair(name, value)), "\n")


def pair(name: str, value: object) -> list[str]:
    """Return lines for a named number, or a named list of groups."""
    title = name.replace("_", " ")
    groups = [part for part in value if isinstance(part, Mapping)] if isinstance(value, list) else []
    if not groups:
        return [f"{title}: {value if name in NOT_NUMBERS else number(value)}"]
    rows = [[pair(*item)[0] for item in group.items() if not isinstance(item[1], Mapping)] for group in groups]
    return [f"{title}:", *(f"  {', '.join(row)}" for row in rows)]


def number(value: object) -> str:
    """Return ``15/8 = 1.875000``; other values unchanged."""
    if not isinstance(value, str) or "/" not in value:
        return str(value)
    exact = Fraction(value)
    return str(exact) if exact.denominator == 1 else f"{exact} = {float(exact):.6f}"
