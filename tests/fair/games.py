"""Whole games at a sealed table, made up by Hypothesis: rolls, presses, typed dice, steps on the table, undo."""

from typing import Any

from hypothesis import strategies as st

from bot.fair.protocol import seal
from bot.fair.rolls import Rolls
from bot.fair.transcript import TABLE, Ply, Transcript, new_header, transcript

PEOPLE = ("111", "222", "333")
SIDES = (1, 6, 8, 20, 36, 2**31 + 1, 2**32)
LETTERS = 'aZ09 ñ\u0301"\\/\b\f\n\r\t\x00\x1f\x7f\u2028\ufeff\uffee😀'
"""What programs that write JSON may write differently: quotes, controls, line ends, letters beyond 16 bits."""
WORDS = st.text(LETTERS, min_size=1, max_size=64)
TEXTS = st.text(LETTERS, max_size=4)
VALUES = st.none() | st.booleans() | TEXTS | st.lists(TEXTS, max_size=2) | st.integers(-(2**53) + 1, 2**53 - 1)
CHOICES = st.dictionaries(TEXTS, VALUES | st.dictionaries(TEXTS, VALUES, max_size=2), max_size=3)


@st.composite
def games(draw: st.DrawFn, most: int = 12) -> Transcript:
    """An honest transcript: whoever the bot asks which numbers and dice come next is ``Rolls``."""
    key = draw(st.binary(min_size=32, max_size=32))
    players = draw(st.dictionaries(st.integers(1, 999), WORDS, min_size=1, max_size=3))
    header = new_header(key, application=1234567890, channel=222, words=players, message=1300000000000000001)
    sealed, rolls = seal(header.to_json()), Rolls()
    plies: list[Ply] = []
    for place in range(1, draw(st.integers(0, most)) + 1):
        ply = next_ply(draw, key, sealed, rolls, plies)
        rolls.check(ply, key, sealed, place)
        rolls.add(ply)
        plies.append(ply)
    return transcript(key, header, plies)


def next_ply(draw: st.DrawFn, key: bytes, sealed: bytes, rolls: Rolls, plies: list[Ply]) -> Ply:
    """One more thing that happens: a roll is opened, goes on or loses its last ply, or a step on the table."""
    by = draw(st.sampled_from(PEOPLE))
    open_rolls = sorted(roll for roll in {ply.roll for ply in plies} if rolls.last(roll))
    what = draw(st.sampled_from(["open", "press", "press", "undo", "undo", "step"]))
    number = rolls.next_roll(by) if what == "open" or not open_rolls else draw(st.sampled_from(open_rolls))
    if what == "step":
        number = TABLE
    common: dict[str, Any] = {"roll": number, "ply": rolls.next_ply(number), "by": by}
    last = rolls.last(number)
    if what == "undo" and last is not None:
        return Ply(**common, offer="undo", choice={}, undoes=last.ply)
    dice = rolls.dice(key, sealed, number, by)
    for sides in draw(st.lists(st.sampled_from(SIDES), max_size=4)):
        dice(sides)
    return Ply(
        **common,
        offer=draw(TEXTS),
        choice=draw(CHOICES),
        draws=tuple(dice.draws),
        typed=tuple(draw(st.lists(st.sampled_from(["hit", "blank", 20]), max_size=2))),
        salt=draw(st.none() | st.just("0123456789abcdef" * 2)),
    )
