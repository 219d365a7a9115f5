"""Whole games at a sealed table, made up by Hypothesis: rolls, presses, typed dice, steps on the table, undo."""

from hypothesis import strategies as st

from bot.fair.protocol import hash_of, seal, secret
from bot.fair.rolls import TableRolls
from bot.fair.transcript import TABLE, ChainPly, HiddenPly, Transcript, new_header, transcript

PEOPLE = ("111", "222", "333")
SIDES = (1, 6, 8, 20, 36, 2**31 + 1, 2**32)
LETTERS = 'aZ09 ñ\u0301"\\/\b\f\n\r\t\x00\x1f\x7f\u2028\ufeff\uffee😀'
"""What programs that write JSON may write differently: quotes, controls, line ends, letters beyond 16 bits."""
WORDS = st.text(LETTERS, min_size=1, max_size=64)
TEXTS = st.text(LETTERS, max_size=4)
VALUES = st.none() | st.booleans() | TEXTS | st.lists(TEXTS, max_size=2) | st.integers(-(2**53) + 1, 2**53 - 1)
CHOICES = st.dictionaries(TEXTS, VALUES | st.dictionaries(TEXTS, VALUES, max_size=2), max_size=3)


HIDDEN_KEY = bytes(range(32, 64))
TIMES = {"commit_message": 1300000000000000001, "last_word": 1300000000000000001, "seal": 1300000000000000001}


@st.composite
def games(draw: st.DrawFn, most: int = 12) -> Transcript:
    """An honest transcript: whoever the bot asks which dice come next is ``TableRolls``."""
    key, hidden_key = (draw(st.binary(min_size=32, max_size=32)) for _ in range(2))
    words = draw(st.dictionaries(st.integers(1, 999), WORDS, min_size=1, max_size=3))
    given = {person: (word, hash_of(word) if draw(st.booleans()) else None) for person, word in words.items()}
    number = draw(st.integers(1, 9))
    header = new_header(
        key,
        hidden_key,
        given,
        application=1234567890,
        channel=222,
        number=number,
        earlier=draw(st.integers(0, number - 1)),
        **{name: at + (draw(st.integers(0, 200_000)) << 22) for name, at in TIMES.items()},
    )
    sealed, rolls = seal(header.to_json()), TableRolls()
    plies: list[ChainPly | HiddenPly] = []
    for _ in range(draw(st.integers(0, most))):
        ply = next_ply(draw, (key, hidden_key), sealed, rolls, plies)
        rolls.check(ply, key, sealed)
        rolls.add(ply)
        plies.append(ply)
    names = draw(st.dictionaries(st.sampled_from(PEOPLE), WORDS))
    return transcript(key, hidden_key, header, plies, names)


def next_ply(
    draw: st.DrawFn, keys: tuple[bytes, bytes], sealed: bytes, rolls: TableRolls, plies: list[ChainPly | HiddenPly]
) -> ChainPly | HiddenPly:
    """One more thing that happens: a roll is opened, goes on or loses its last ply, or a step on the table."""
    place, by = rolls.next_place, draw(st.sampled_from(PEOPLE))
    open_rolls = sorted(roll for roll in {ply.roll for ply in plies} if rolls.last_place(roll))
    what = draw(st.sampled_from(["open", "press", "press", "undo", "undo", "step", "secret"]))
    is_new = what in ("open", "secret") or not open_rolls
    roll = TABLE if what == "step" else place if is_new else draw(st.sampled_from(open_rolls))
    last = rolls.last_place(roll)
    if what == "undo" and last is not None and isinstance(plies[last - 1], ChainPly):
        return ChainPly(roll=roll, by=by, of=by, offer="undo", choice={}, undoes=last)
    own = secret(keys[1], sealed, place) if what == "secret" else None
    sides, of = draw(st.lists(st.sampled_from(SIDES), max_size=4)), draw(st.sampled_from((by, *PEOPLE)))
    if own is not None:
        waiting = {item for item, _ in rolls.pending_draws(of)}
        sides = [item for item in sides if item not in waiting]
    dice = rolls.dice(own or keys[0], sealed, of)
    for side in sides:
        dice(side)
    ply = ChainPly(
        roll=roll,
        by=by,
        of=of,
        offer=draw(TEXTS),
        choice=draw(CHOICES),
        draws=tuple((*item, draw(TEXTS)) for item in dice.draws),
        typed=tuple(draw(st.lists(st.sampled_from(["hit", "blank", 20]), max_size=2))),
        salt=draw(st.none() | st.just("0123456789abcdef" * 2)),
        secret=own.hex() if own is not None else None,
    )
    return ply.as_hidden if own is not None and draw(st.booleans()) else ply
