"""Ships by side, each in a frame with initiative, hull, shields, dice, and tokens, and the match's score. A ship's
picture is cached until it changes, so a press redraws one ship and pastes the others. All is as low as its letters
allow: Discord shows a high picture small.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Final

from PIL import Image, ImageDraw

from bot.languages import ENGLISH, Language
from bot.languages.translate import CURRENT_LANGUAGE, translate
from bot.render.art import letters
from bot.render.art.dice import SIGNS
from bot.render.art.letters import DRAWING, font
from bot.render.art.palette import BRIGHT, GOLD, GRAY, INDEX, MUTED, RULE, TEXT, TRAY, Ink
from bot.render.art.sheet import CELL, OVERSAMPLE, Point, Stencil, arc, box as corners_of
from bot.render.card import Roster, RosterShip, TokenMark
from bot.render.figures.panel import PAD, ROUND, WIDTH, Panel, Shape, box, smooth
from bot.rules.text import EMPTY, Name, Text, term

GAP: Final = 10
ROOM: Final = WIDTH - 2 * PAD
COLUMN: Final = (ROOM - GAP) // 2
HEAD: Final = 50
"""The name of a side."""
HEADING: Final = 86
"""Height of the name with hull and shields below; the initiative is next to both."""
EDGE: Final = 14
"""Distance from a ship's frame to its contents."""
SIGN: Final = 50
"""A token row's height; a token fills it except for a gap."""
TOKEN: Final = 48
DIE: Final = 44
"""The squares of attack and agility."""
APART: Final = 8
CHIP: Final = 64
"""The initiative's square."""
LEFT: Final = EDGE + CHIP + EDGE
"""Left edge of the name, and of hull and shields below it."""
NAME_SIZES: Final = (40, 36, 33, letters.LEAST)
SIZE: Final = 34
HEAD_SIZES: Final = (36, 33)
BELOW: Final = 33
"""Height of the row with a ship's cargo."""
NEAR: Final = 3
"""Between two points of hull."""
FRAME, THIN = 6, 3

TONES: Final[Mapping[str, Ink]] = {**BRIGHT, "gold": GOLD}
WORDS: Final[Mapping[str, tuple[Text, Ink]]] = {
    "next": (Text("next"), GOLD),
    "done": (Text("engaged"), MUTED),
    "out": (Text("destroyed"), BRIGHT["red"]),
}
"""Each state's label and ink."""

Part = tuple[Shape, Ink, str]
"""A shape, its ink, and its words."""


def draw_figure(figure: Roster) -> Image.Image:
    """Draw the picture."""

    def ships(units: tuple[RosterShip, ...]) -> list[Image.Image]:
        """Ships in the language that is spoken."""
        return [ship(unit, CURRENT_LANGUAGE.get()) for unit in units]

    if len(figure.teams) == 2:
        return stack_images(join_columns([stack([head(team.title), *ships(team.units)]) for team in figure.teams]))
    parts = list[Image.Image]()
    for team in figure.teams:
        middle = (len(team.units) + 1) // 2
        parts += [head(team.title, ROOM)] if team.title else []
        parts.append(join_columns([stack(ships(half)) for half in (team.units[:middle], team.units[middle:])]))
    return stack_images(stack(parts))


def stack_images(above: Image.Image, below: Roster | None = None) -> Image.Image:
    """Stack a picture of full width on both sides' ships, if any."""
    canvas = Image.new("L", (WIDTH, above.height), INDEX[TRAY])
    canvas.paste(above, (PAD, 0))
    return canvas if below is None else stack([canvas, draw_figure(below)])


LETTERS: Final = ("abcdefghijklm", "nopqrstuvwxyz", "ABCDEFGHI", "JKLMNOPQR", "STUVWXYZ\"'-", "0123 456789")
"""Letters used in names of ships."""


def pieces() -> Iterator[Callable[[], object]]:
    """Yield drawing steps of letters, signs, and frames that every ship needs: the first ones then cost half."""
    signs = tuple(TokenMark(name, "green") for name in SIGNS)
    locks = tuple(TokenMark("lock", "red", text=Name(text)) for text in LETTERS)
    tokens = ((*signs, *locks), (*signs[:2], TokenMark("stress", "red")), (signs[0], locks[0]), (), (), ())
    units = [
        RosterShip(Name(name), number, (1, 2), (1, 2), marks, "next" if number == 1 else "")
        for number, (name, marks) in enumerate(zip(LETTERS, tokens, strict=True), 1)
    ]
    yield from (partial(pill, translate(word)) for word, _ in WORDS.values())
    yield from (partial(head, letters_) for letters_ in LETTERS)
    for size, ink in ((NAME_SIZES[0], TEXT), (BELOW, MUTED)):
        yield from (partial(letters.word, part, size, ink, TRAY) for part in "".join(LETTERS))
    yield from (partial(letters.word, part, SIZE, TEXT, TRAY) for part in "0123456789x/")
    yield from (partial(sign_shape, name) for name in SIGNS)
    yield from (partial(chip, str(number), CHIP) for number in range(1, len(units) + 1))
    yield from (partial(ship, unit, ENGLISH) for unit in units)
    yield ship.cache_clear  # nobody plays these


def state_of(unit: RosterShip) -> list[Part]:
    """Return a ship's state word; [] without one."""
    word, tone = WORDS.get(unit.state, (EMPTY, MUTED))
    return [(pill(translate(unit.called or word)), tone, "")] if unit.state else []


def stack(parts: list[Image.Image]) -> Image.Image:
    high = sum(part.height + GAP for part in parts) - GAP if parts else 1
    canvas = Image.new("L", (max((part.width for part in parts), default=1), max(1, high)), INDEX[TRAY])
    top = 0
    for part in parts:
        canvas.paste(part, (0, top))
        top += part.height + GAP
    return canvas


def join_columns(columns: list[Image.Image]) -> Image.Image:
    canvas = Image.new("L", (ROOM, max(column.height for column in columns)), INDEX[TRAY])
    for place, column in enumerate(columns):
        canvas.paste(column, (place * (COLUMN + GAP), 0))
    return canvas


@lru_cache(maxsize=64)
def head(title: str, width: int = COLUMN) -> Image.Image:
    """Draw a side's name. Cached: don't draw on it."""
    size, lines = letters.lines(title, HEAD_SIZES, width - 2 * PAD)
    panel = Panel(width, HEAD + (len(lines) - 1) * (size + NEAR))
    panel.lines(lines, width // 2, HEAD // 2 - size // 2, size, TEXT, apart=NEAR)
    return panel.image


@lru_cache(maxsize=512)
def ship(unit: RosterShip, _language: Language) -> Image.Image:
    """Draw one ship, cached by language: don't draw on it. A destroyed one has its state instead of its hull."""
    strong, is_out = unit.state in ("", "next"), unit.state == "out"
    left = EDGE if unit.initiative is None else LEFT
    inks = (BRIGHT["red"], BRIGHT["green"]) if strong else (GRAY, GRAY)  # attack and agility as on a ship card
    dice: list[Part] = [(chip(str(value), DIE), ink, "") for value, ink in zip(unit.dice or (), inks, strict=False)]
    rows = arrange_marks(unit.marks, [] if is_out else state_of(unit))
    size, names = letters.lines(unit.name, NAME_SIZES, COLUMN - left - EDGE)
    below = letters.lines(unit.below, (BELOW,), COLUMN - 2 * EDGE)[1] if unit.below else ()
    head = EDGE + HEADING + (len(names) - 1) * (size + NEAR)
    panel = Panel(COLUMN, head + len(rows) * (SIGN + APART) + len(below) * (BELOW + APART) + EDGE - APART // 2)
    frame(panel, unit.state == "next")
    if unit.initiative is not None:
        ink = BRIGHT["orange"] if strong else GRAY
        panel.stamp(chip(str(unit.initiative), CHIP), EDGE, EDGE + (HEADING - CHIP) // 2, ink)
    first = EDGE + SIZE // 2
    panel.lines(names, left, first - size // 2, size, TEXT if strong else MUTED, "left", apart=NEAR)
    for at, name in enumerate(names if is_out else ()):
        y = first + at * (size + NEAR)
        panel.box(left, y - 2, left + letters.width(name, size), y + 2, BRIGHT["red"])
    draw_body(panel, unit, dice, (left, head - DIE // 2))
    top = draw_signs(panel, rows, head + APART)
    panel.lines(below, EDGE, top, BELOW, MUTED, "left", apart=APART)
    return panel.image


def draw_body(panel: Panel, unit: RosterShip, dice: list[Part], at: tuple[int, int]) -> None:
    """Draw shields, then hull (lost ones hollow), and the dice at the right; as numbers if there is no room. Of a
    destroyed ship draw its state.
    """
    (x, y), end = at, COLUMN - EDGE
    for shape, ink, _ in state_of(unit) if unit.state == "out" else ():
        panel.stamp(shape, x, y - shape.height // 2, ink)
        return
    for shape, ink, _ in reversed(dice):
        end -= shape.width
        panel.stamp(shape, end, y - shape.height // 2, ink)
        end -= APART
    step = pip(4, True).width + NEAR
    is_drawn = x + (unit.hull[1] + unit.shields[1]) * step + APART <= end
    for (has, most), ink, corners in ((unit.shields, BRIGHT["blue"], 6), (unit.hull, GOLD, 4)):
        for place in range(most if is_drawn else min(most, 1)):
            shape = pip(corners, place < has)
            panel.stamp(shape, x, y - shape.height // 2, ink if place < has else GRAY)
            x += step
        if most and not is_drawn:
            panel.text(f"{has}/{most}", x + NEAR, y, SIZE, TEXT, "left")
            x += letters.width(f"{has}/{most}", SIZE) + NEAR
        x += APART if most else 0


def draw_signs(panel: Panel, rows: list[list[Part]], top: int) -> int:
    """Draw symbols in rows with words; return the next top."""
    for row in rows:
        x = EDGE
        for shape, ink, text in row:
            panel.stamp(shape, x, top + (SIGN - shape.height) // 2, ink)
            x += shape.width + APART
            if text:
                panel.text(text, x, top + SIGN // 2, SIZE, TEXT, "left")
                x += letters.width(text, SIZE) + 2 * APART
        top += SIGN + APART
    return top


# Signs


def arrange_marks(marks: tuple[TokenMark, ...], first: list[Part]) -> list[list[Part]]:
    """Arrange the ``first`` parts and marks without words in full rows; then each mark with words."""
    rows: list[list[Part]] = [first] if first else []
    room = COLUMN - 2 * EDGE
    left = room - sum(shape.width + APART for shape, _, _ in first) if first else 0
    for mark in sorted(marks, key=lambda item: bool(item.text)):
        sign = sign_shape(mark.name) if mark.name in SIGNS else pill(translate(term(mark.name)))
        beside_it = mark.text or (f"x{mark.count}" if mark.count > 1 else "")
        text = letters.fit_text(beside_it, SIZE, room - sign.width - APART) if beside_it else ""
        wide = sign.width + APART + (letters.width(text, SIZE) + 2 * APART if text else 0)
        if wide - APART > left or not rows:
            rows.append([])
            left = room
        rows[-1].append((sign, TONES[mark.tone], text))
        left -= wide
    return rows


SQUARE: Final = ("lock", "charge", "faceup damage", "side up")
"""Symbols on a square; the others are on a disc."""


@lru_cache(maxsize=64)
def sign_shape(name: str) -> Shape:
    """Return a token's symbol, cut out of a disc or a square."""
    ground, hole, middle = Stencil(TOKEN), Stencil(TOKEN), CELL / 2
    if name in SQUARE:
        edge = ground.image.width - 1
        ImageDraw.Draw(ground.image).rounded_rectangle((0, 0, edge, edge), TOKEN * OVERSAMPLE // 5, fill=255)
    else:
        ground.disc(middle, middle, CELL / 2 - 1)
    SIGNS[name](hole, middle, middle, 33.0)
    ground.image.paste(0, mask=hole.image)
    return Shape(ground.image.reduce(OVERSAMPLE))


@lru_cache(maxsize=256)
def pill(text: str) -> Shape:
    """Return a word on a rounded bar."""
    high, size = TOKEN - 4, SIZE - 2
    wide = letters.width(text, size) + 24

    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        large.rounded_rectangle((0, 0, wide * times - 1, high * times - 1), high * times // 2, fill=255)
        every = letters.printable(text)
        lengths = [font(size * times, letter).getlength(letter) for letter in every]
        x, y = (wide * times - sum(lengths)) / 2, high * times / 2 + size * times * 0.34
        for letter, length in zip(every, lengths, strict=True):
            large.text((x, y), letter, fill=0, font=font(size * times, letter), anchor="ls")
            x += length

    with DRAWING:
        return smooth(wide, high, draw)


@lru_cache(maxsize=32)
def chip(text: str, side: int) -> Shape:
    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        large.rounded_rectangle((0, 0, side * times - 1, side * times - 1), side * times // 6, fill=255)
        at = side * times / 2, side * times * 0.75
        large.text(at, text, fill=0, font=font(side * 5 // 7 * times), anchor="ms")

    with DRAWING:
        return smooth(side, side, draw)


@lru_cache(maxsize=8)
def pip(corners: int, is_full: bool) -> Shape:
    """Return a shield (six corners) or hull point (four), full or hollow."""
    wide, high = 28, 30

    def outline(times: int, inset: float) -> list[Point]:
        x, y, radius = wide * times / 2, high * times / 2, (high / 2 - inset) * times
        if corners == 6:
            return arc(x, y, radius, -90, 210, 5)
        return corners_of(x, y, radius * 0.84, radius * 0.84)

    def draw(large: ImageDraw.ImageDraw, times: int) -> None:
        large.polygon(outline(times, 0.5), fill=255)
        if not is_full:
            large.polygon(outline(times, 4.0), fill=0)

    return smooth(wide, high, draw)


def frame(panel: Panel, strong: bool) -> None:
    """Draw a panel's frame; ``strong`` for a ship that is next, or a winning side."""
    edge = box(panel.width, panel.height, ROUND, FRAME if strong else THIN)
    panel.stamp(edge, 0, 0, GOLD if strong else RULE)
