"""The throw as an animation: it ends as the card lies, moves nothing but what fell, and gives nothing away."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageSequence

from benchmarks.paint import GREEN, RED
from bot.render import paint, tumble
from bot.render.art.dice import BODIES
from bot.render.art.palette import INDEX, TRAY
from bot.render.card import Card, Strip, Tile
from bot.render.figures.panel import PAD
from bot.render.paint import CELL
from bot.rules.text import Text

pytestmark = pytest.mark.slow

HIT, BLANK = Tile("red", "hit"), Tile("red", "blank")
LARGEST = tumble.MAX_TUMBLING


def card(*strips: Strip) -> Card:
    return Card(Text("Title"), Text("Outcome"), strips=strips)


def attack(*tiles: Tile) -> Card:
    return card(Strip(Text("Attack dice"), tiles))


def frames(gif: bytes) -> Iterator[tuple[Image.Image, int]]:
    """Each frame as people see it, with its milliseconds."""
    for frame in ImageSequence.Iterator(Image.open(BytesIO(gif))):
        yield frame.convert("RGBA"), frame.info["duration"]


def made(shown: Card, before: Card | None = None) -> bytes:
    gif = tumble.picture(shown, before)
    assert gif is not None
    return gif


def still(shown: Card) -> Image.Image:
    return Image.open(BytesIO(paint.picture(shown) or b"")).convert("RGBA")


def is_as_it_lies(frame: Image.Image, lying: Image.Image) -> bool:
    """Whether all pixels are the same but those that a GIF cannot have: the half-transparent ones."""
    firm = lying.getchannel("A").point([255] + [0] * 254 + [255])
    clear = Image.new("RGBA", lying.size)
    return frame.size == lying.size and (
        Image.composite(frame, clear, firm).tobytes() == Image.composite(lying, clear, firm).tobytes()
    )


CARDS = {
    "one die": attack(HIT),
    "marks of all kinds": card(RED, GREEN),
    "beside each other": card(
        Strip(Text("Attack dice"), (HIT, BLANK)), Strip(Text("Defense dice"), (Tile("green", "evade"),), True)
    ),
    "a chain": attack(Tile("d6", "6"), Tile("d6", "4", linked=True), Tile("d6", "2", "failed", linked=True)),
    "a number beside the dice": card(Strip(Text(""), (Tile("dx36", "72"), Tile("dx1", "1"), Tile("sum", "= 73")))),
    "all bodies": card(Strip(Text(""), tuple(Tile(body, "2") for body in BODIES if body != "sum")[:LARGEST])),
}


@pytest.mark.parametrize("shown", CARDS.values(), ids=CARDS)
def test_the_first_frame_and_the_last_are_the_card_as_it_lies(shown: Card) -> None:
    seen = [frame for frame, _ in frames(made(shown))]
    assert is_as_it_lies(seen[0], still(shown)), "people who asked for less motion see this one"
    assert is_as_it_lies(seen[-1], still(shown))
    assert not is_as_it_lies(seen[1], still(shown)), "something moves"


@pytest.mark.parametrize("shown", CARDS.values(), ids=CARDS)
def test_it_plays_once(shown: Card) -> None:
    assert "loop" not in Image.open(BytesIO(made(shown))).info


@pytest.mark.sampled(4)
@pytest.mark.parametrize("count", [1, tumble.MAX_SMOOTH, tumble.MAX_SMOOTH + 1, LARGEST])
@pytest.mark.parametrize("body", BODIES)
def test_every_throw_is_short_and_small(body: str, count: int) -> None:
    """The faces with the most lines: crits, eyes and numbers of two digits; and the marks that a die can have."""
    tile = Tile(body, {"red": "crit", "green": "focus"}.get(body, "18"))
    plain = tumble.picture(attack(*[tile] * count))
    marked = tumble.picture(attack(*[replace(tile, fate="cancelled", ghost="12", critical=True)] * count))
    assert (plain is None) is (body == "sum"), "a number beside the dice does not fall"
    assert count == LARGEST or (marked is None) is (body == "sum"), "only many marked dice lie still"
    for gif in filter(None, (plain, marked)):
        assert len(gif) <= 150_000
        assert sum(time for _, time in frames(gif)) <= 1200


def test_what_would_be_too_large_is_shown_as_it_lies() -> None:
    """A hundred dice that lie there make even a throw of one too large."""
    assert tumble.picture(attack(*[HIT] * (LARGEST + 1))) is None
    many = [Tile("d20-attacker", str(1 + at % 20), "cancelled", ghost="12", critical=True) for at in range(100)]
    before = attack(*many[:-12], *[replace(tile, ghost="") for tile in many[-12:]])
    assert sum(tumble.just_rolled(attack(*many), before)) == 12
    assert tumble.picture(attack(*many), before) is None


def test_where_nothing_fell_nothing_moves() -> None:
    assert tumble.picture(card()) is None
    assert tumble.picture(attack(HIT, BLANK), attack(HIT, BLANK)) is None
    assert tumble.picture(attack(replace(HIT, added=True))) is None, "an added die is set down"


OLD = (Tile("red", "focus"), BLANK, HIT)
CHANGES: dict[str, tuple[tuple[Tile, ...], list[bool]]] = {
    "rerolled": ((OLD[0], Tile("red", "crit", ghost="blank"), HIT), [False, True, False]),
    "rerolled to the same": ((OLD[0], Tile("red", "blank", ghost="blank"), HIT), [False, True, False]),
    "changed by an effect": ((Tile("red", "hit", badge="focus"), BLANK, HIT), [False, False, False]),
    "cancelled": ((*OLD[:2], replace(HIT, fate="cancelled")), [False, False, False]),
    "one more": ((*OLD, HIT), [False, False, False, True]),
    "one more without a throw": ((*OLD, replace(HIT, added=True)), [False, False, False, False]),
    "rolled anew": ((Tile("red", "hit"), BLANK, HIT), [True, False, False]),
}


@pytest.mark.parametrize(("now", "fell"), CHANGES.values(), ids=CHANGES)
def test_only_dice_that_fell_move(now: tuple[Tile, ...], fell: list[bool]) -> None:
    assert tumble.just_rolled(attack(*now), attack(*OLD)) == fell


def test_dice_that_were_kept_stand_still() -> None:
    shown = attack(OLD[0], Tile("red", "crit", ghost="blank"), HIT)
    lying, moved = still(shown), list[tuple[int, int, int, int]]()
    for frame, _ in frames(made(shown, attack(*OLD))):
        inside = (PAD, PAD, lying.width - PAD, lying.height - PAD)
        box = ImageChops.difference(frame.convert("RGB").crop(inside), lying.convert("RGB").crop(inside)).getbbox()
        moved += [box] if box is not None else []
    assert moved, "the one that was rerolled moves"
    assert all(left >= CELL and right <= 2 * CELL for left, _, right, _ in moved)


def test_the_dice_of_a_new_strip_fall_and_those_of_the_old_one_lie() -> None:
    red, green = Strip(Text("Attack dice"), OLD), Strip(Text("Defense dice"), (Tile("green", "evade"),), beside=True)
    assert tumble.just_rolled(card(red, green), card(red)) == [False, False, False, True]


def test_of_two_strips_with_one_name_each_is_held_against_its_own() -> None:
    strip, other, third = (
        Strip(Text("Saving Rolls, Ortega"), (Tile("d20-defender", face),)) for face in ("7", "12", "3")
    )
    assert tumble.just_rolled(card(strip, other, third), card(strip, other)) == [False, False, True]


def test_in_the_air_all_throws_look_the_same() -> None:
    """So the flight says nothing about where it ends, and needs no chance of its own."""
    item, other = (
        [frame for frame, _ in frames(made(attack(*tiles)))] for tiles in ((HIT, HIT, HIT), (BLANK, HIT, BLANK))
    )
    own = next(at for at in range(tumble.POSITIONS) if tumble.position(at).angle <= tumble.OWN_FACE)
    assert own >= tumble.POSITIONS // 2
    assert [frame.tobytes() for frame in item[1 : own + 1]] == [frame.tobytes() for frame in other[1 : own + 1]]
    assert made(attack(HIT, BLANK)) == made(attack(HIT, BLANK))


@pytest.mark.parametrize("body", [body for body in BODIES if body != "sum"] + ["never-heard-of"])
def test_a_die_in_the_air_stays_within_its_cell(body: str) -> None:
    for at in range(tumble.POSITIONS):
        for nth in (0, 1):
            cell = tumble.flight_frame(Tile(body, "1"), at, nth)
            edge = [cell.getpixel((x, y)) for x in range(CELL) for y in (0, CELL - 1)]
            edge += [cell.getpixel((x, y)) for y in range(CELL) for x in (0, CELL - 1)]
            assert set(edge) == {INDEX[TRAY]}, f"{body} is cut off in position {at}"


def test_a_die_jumps_turns_and_lands() -> None:
    flight = [tumble.position(at) for at in range(tumble.POSITIONS)]
    assert [position.angle for position in flight] == sorted((position.angle for position in flight), reverse=True)
    assert flight[0].angle > 360
    assert flight[-1].angle < 30
    assert flight[0].scale < 0.7
    assert flight[-1].scale > 0.9
    assert max(position.height for position in flight) > 0.1 > flight[-1].height
